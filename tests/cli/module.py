# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares datasets/paotai.py with the program: moves, results, reasons, scores, positions,
players, weights, rows. Runs the plot example in its first lines and the example with scikit-learn of
datasets/README.md, if matplotlib and scikit-learn are installed."""
import csv
import json
import os
import re
import subprocess
import sys
import textwrap

from checks import check, finish, need, paotai, same, scratch, skip, values, want, report, write

need("module", "h5py", "numpy")
sys.path[:0] = ["datasets", "bench/experiments"]
import numpy as np  # noqa: E402
import lab  # noqa: E402
import paotai as module  # noqa: E402

# The class Positions of bench/experiments/lab.py omits positions without a result, here those of
# the variation.
paotai("data", "import", "--variations", "--sample-after", "0", "--quiet", "--out", scratch("open"),
       write("open.pgn", '[Result "1-0"]\n\n1. h2e2 h9g7 2. h0g2 (2. b0c2 b9c7) i9h9 1-0\n'))
positions, everything = lab.Positions([scratch("open")]), module.Run(scratch("open")).positions
same("module_lab_positions", (set(everything["result"]), set(positions.result), len(positions.board), len(positions.game)),
     ({1, 2}, {1.0}, sum(everything["result"] == 1), sum(everything["result"] == 1)))

RUNS = {"run": ["--games", "12", "--nodes", "60", "--shard-games", "5"], "odds": ["--games", "4", "--nodes", "40", "--odds", "3moves"]}
for name, words in RUNS.items():
    done = paotai("selfplay", *words, "--seed", "5", "--quiet", "--out", scratch(name))
    check(f"module_selfplay_{name}", done.returncode == 0, done.stderr)
    run = module.Run(scratch(name))
    lines = paotai("data", "export", "--format", "csv", "--positions", "all", scratch(name)).stdout.splitlines()
    rows = list(csv.DictReader(lines))
    games = {int(game.index): game for game in run}
    want(len(run) == int(words[1]) == len(games), f"{len(run)} games, {len(games)} different ones")
    for row in rows:
        game, ply = games[int(row["game"])], int(row["ply"])
        where = f"game {game.index}, ply {ply}"
        want(game.moves[ply] == row["move"], f"{where}: {game.moves[ply]}, not {row['move']}")
        want(game.result == {"1-0": 1, "1/2-1/2": 0, "0-1": -1}[row["result"]], f"{where}: result {game.result}")
        score = game.scores()[ply]
        if row["score_red"]:
            want(int(row["mate_red"] or 0) or round(100 * score) == int(row["score_red"]), f"{where}: {score}, not {row['score_red']}")
        elif not int(row["mate_red"] or 0):
            want(np.isnan(score), f"{where}: {score}, but it was not searched")
    reasons = set()
    for game in games.values():
        fens = game.fens()
        wrong = [(ply, fens[ply], row["fen"]) for row in rows if int(row["game"]) == game.index
                 for ply in [int(row["ply"])] if fens[ply] != row["fen"]]
        want(not wrong, f"game {game.index}: {wrong[:2]}")
        if game.reason in reasons:  # to save time, `show` is run for only one game with each end reason
            continue
        reasons.add(game.reason)
        shown = json.loads(paotai("show", "--data", scratch(name), "--game", str(game.index), "--json").stdout)
        want(fens[-1] == shown["fen"], f"game {game.index} ends with {fens[-1]}, not {shown['fen']}")
        want(game.reason == shown["reason"], f"game {game.index}: {game.reason}, not {shown['reason']}")
    report(f"module_games_{name}")
    # Every sampled position that the module reads must occur in its game.
    places = [(games[int(game)], int(ply)) for game, ply in zip(run.positions["game"], run.positions["ply"])]
    replayed = {index: game.boards() for index, game in games.items()}
    wrong = [ply for (game, ply), board in zip(places, run.boards()) if (replayed[int(game.index)][ply] != board).any()]
    check(f"module_boards_{name}", len(places) > 20 and not wrong, f"{len(wrong)} of {len(places)} differ")
info = values(paotai("data", "info", "--quiet", scratch("run")).stdout)
run = module.Run(scratch("run"))
same("module_provenance", run.provenance["seed"], 5)
check("module_counts", len(run.boards()) == int(info["positions"]) and len(run.plies["move"]) == int(info["plies"]), info)
shard = sorted(name for name in os.listdir(scratch("run")) if name.startswith("shard-"))[1]
one = module.Run(scratch(f"run/{shard}"))
same("module_one_shard", [len(one), one[0].moves, one[-1].moves], [5, run[5].moves, run[9].moves])
try:
    module.Run(scratch(""))
    check("module_refuses", False, "a folder without shards was read")
except FileNotFoundError as error:
    check("module_refuses", "no shard" in str(error), error)

# run.chunks() yields the positions of a run in parts. The parts, joined, are the whole run. Names
# of players come from tags, or from the provenance of the run.
table, parts = run.positions(), list(run.chunks(7))
same("module_chunks", [max(len(part["stm"]) for part in parts), np.array_equal(np.concatenate([part["boards"] for part in parts]), run.boards())],
     [7, True])
same("module_table", [name for name in run.positions if not np.array_equal(table[name], run.positions[name])], [])
same("module_points", np.array_equal(table["points"], module.points(run.positions), equal_nan=True), True)
same("module_names", ({*table["red"], *table["black"]}, module._names("1 new b 5f2c, 2 old 66aa")), ({"default"}, {1: "new b", 2: "old"}))
games = "".join(f'[Red "{red}"]\n[Black "Li"]\n[Result "1-0"]\n\n1. h2e2 {{{red}}} h9g7 2. h0g2 {{b}} i9h9 1-0\n\n' for red in ("Wang", "\u738b"))
written = write("games.pgn", games.encode())
paotai("data", "import", "--quiet", "--sample", "all", "--sample-after", "0", "--out", scratch("real"), written)
paotai("data", "import", "--quiet", "--out", scratch("short"), written)
real = module.Run(scratch("real"))
parts = [{(int(game), red, black) for game, red, black in zip(part["game"], part["red"], part["black"])} for part in real.chunks(3)]
same("module_players_of_positions", (set().union(*parts), len(parts)), ({(0, "Wang", "Li"), (1, "\u738b", "Li")}, 3))
same("module_remarks", (list(real.positions()["remark"]), real[1].remarks), (["", "Wang", "", "b", "", "\u738b", "", "b"], {1: "\u738b", 3: "b"}))
same("module_no_positions", len(module.Run(scratch("short")).positions()["red"]), 0)
same("module_players", ([list(side) for side in real.players()], real[1].tags["Red"]),
     ([["Wang", "\u738b"], ["Li", "Li"]], "\u738b"))

# The Python module reads the same weights as the program, and the rows that `data export --rows`
# wrote.
done = paotai("tune", scratch("run"), "--quiet", "--out", scratch("w.txt"))
check("module_tune", done.returncode == 0, done.stderr)
paotai("weights", "convert", "--to", "hdf5", "--out", scratch("w.h5"), scratch("w.txt"))
paotai("data", "export", "--rows", "--weights", scratch("w.txt"), "--out", scratch("rows.h5"), scratch("run"))
table, other, rows = module.weights(scratch("w.txt")), module.weights(scratch("w.h5")), module.Rows(scratch("rows.h5"))
same("module_weights", [list(table[name]) == list(other[name]) for name in ("name", "mg", "eg")] + [list(rows.names) == list(table["name"])], [True] * 4)
with open(scratch("w.txt"), encoding="utf-8") as file:
    wanted = re.search(r"^# se material_horse (\S+) (\S+)", file.read(), re.M)
same("module_errors", list(table[table["name"] == "material_horse[0]"][["mg_se", "eg_se"]][0]), [float(text) for text in wanted.groups()])
rng = np.random.default_rng(1)
chance = rng.random(20000)
mean, seen, error, count = module.calibration(chance, rng.random(20000) < chance)
check("module_calibration", (abs(seen - mean) < 2 * error).all() and count.sum() == 20000 and abs(error[5] / (1.96 * 0.5 / count[5] ** 0.5) - 1) < 0.05, seen - mean)
same("module_unknown", np.array_equal(module.calibration(np.append(chance, 0.5), np.append(chance > 0.4, -1)), module.calibration(chance, chance > 0.4)), True)
won = rng.random(20000) < chance
twice = module.calibration(np.tile(chance, 2), np.tile(won, 2), np.tile(np.arange(20000), 2))
want(np.allclose(twice[2], module.calibration(chance, won)[2]), "a game that is there twice makes the error smaller")
report("module_clusters")

example = re.search(r"^    (import paotai, sys.*)", module.__doc__, re.S | re.M)
check("module_example_is_there", example, "the first lines of datasets/paotai.py have no example with matplotlib")
with open("datasets/README.md", encoding="utf-8") as file:
    lines = re.search(r"^```py\n(.*?)^```", file.read(), re.S | re.M)[1]
same("module_lines_of_readme", lines.count("\n"), 10)
try:
    import matplotlib  # noqa: F401
except ImportError:
    try:
        module.plot_results(run)
    except ImportError as error:
        check("module_says_matplotlib", "python3-matplotlib" in str(error), error)
    skip("module_example", "python3-matplotlib is not installed (make deps-dev)")
    finish()


def picture(name, text, *words):
    write(f"{name}.py", text)
    done = subprocess.run([sys.executable, f"{name}.py", *words, f"{name}.png"], cwd=scratch(""), capture_output=True, text=True, check=False,
                          env={**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": os.path.abspath("datasets")})
    there = os.path.exists(scratch(f"{name}.png")) and open(scratch(f"{name}.png"), "rb").read(4)
    check(f"module_{name}", done.returncode == 0 and there == b"\x89PNG", done.stderr)


picture("example", textwrap.dedent("    " + example[1]), "run")
matplotlib.use("Agg")
for figure, made in (("results", module.plot_results(run)), ("weights", module.plot_weights(scratch("w.txt"), "material")),
                     ("calibration", module.plot_calibration(chance, rng.random(20000) < chance))):
    want(len(made.patches) + len(made.lines) > 1, f"plot_{figure} draws nothing")
report("module_figures")
try:
    import scipy
    import sklearn  # noqa: F401
except ImportError:
    skip("module_rows", "python3-sklearn is not installed")
    finish()
x = rows.matrix()
k = float(re.search(r"^# k (\S+)", open(scratch("w.txt"), encoding="utf-8").read(), re.M)[1])
score = x @ rows.start.T.ravel() + rows.offset
same("module_matrix", (x.shape, list(rows.columns()[[0, -1]])), ((len(rows.result), 2 * len(table)), ["material_chariot[0] mg", f"{table['name'][-1]} eg"]))
row = len(rows.result) // 2
entries = slice(int(rows.indptr[row]), int(rows.indptr[row + 1]))
share, own = rows.phase[row] / 48, np.array([rows.start[index] for index in rows.index[entries]])
told = rows.coefficient[entries] @ (share * own[:, 0] + (1 - share) * own[:, 1])
check("module_score", 0 < share < 1 and abs(told - score[row]) < 1e-3, (share, told, score[row]))
check("module_rows_tell", scipy.stats.spearmanr(score, rows.result).statistic > 0.1 and 1e-4 < k < 1e-1, k)
classes = rows.for_classes()
same("module_classes", (classes[2].sum(), (classes[1] * classes[2]).sum(), len(set(classes[3]))),
     ((rows.result >= 0).sum(), rows.result[rows.result >= 0].sum(), len(set(rows.game))))
picture("lines", lines, "run", "w.txt", "rows.h5")
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
"""datasets/paotai.py against the program: moves, results, reasons, scores, positions, and the example of
its first lines that plots (where matplotlib is)."""
import csv
import json
import os
import re
import subprocess
import sys
import textwrap

from checks import check, finish, need, paotai, same, scratch, skip, values, want, report, write

need("module", "h5py", "numpy")
sys.path.insert(0, "datasets")
import numpy as np  # noqa: E402
import paotai as module  # noqa: E402

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
        want(game.result == int(row["result"]), f"{where}: result {game.result}")
        score = game.scores()[ply]
        if row["score_red"]:
            want(int(row["mate_red"] or 0) or round(100 * score) == int(row["score_red"]), f"{where}: {score}, not {row['score_red']}")
        elif not int(row["mate_red"] or 0):
            want(np.isnan(score), f"{where}: {score}, but it was not searched")
    for game in games.values():
        fens = game.fens()
        wrong = [(ply, fens[ply], row["fen"]) for row in rows if int(row["game"]) == game.index
                 for ply in [int(row["ply"])] if fens[ply] != row["fen"]]
        want(not wrong, f"game {game.index}: {wrong[:2]}")
        shown = json.loads(paotai("show", "--data", scratch(name), "--game", str(game.index), "--json").stdout)
        want(fens[-1] == shown["fen"], f"game {game.index} ends with {fens[-1]}, not {shown['fen']}")
        want(game.reason == shown["reason"], f"game {game.index}: {game.reason}, not {shown['reason']}")
    report(f"module_games_{name}")
    # Sampled positions are those of the games.
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

example = re.search(r"^    (import paotai, sys.*)", module.__doc__, re.S | re.M)
check("module_example_is_there", example, "the first lines of datasets/paotai.py have no example with matplotlib")
try:
    import matplotlib  # noqa: F401
except ImportError:
    skip("module_example", "python3-matplotlib is not here (make deps-dev)")
    finish()
write("example.py", textwrap.dedent("    " + example[1]))
done = subprocess.run([sys.executable, "example.py", "run", "plot.png"], cwd=scratch(""), capture_output=True, text=True, check=False,
                      env={**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": os.path.abspath("datasets")})
with open(scratch("plot.png"), "rb") as file:
    check("module_example", done.returncode == 0 and file.read(4) == b"\x89PNG", done.stderr)
finish()

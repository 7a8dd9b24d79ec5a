# SPDX-License-Identifier: GPL-3.0-or-later
# Tests data import --variations: each line of a game's tree becomes a game, and no position counts
# twice.
import csv
import functools
import json
import os

import records
from checks import START, finish, paotai, same, scratch, values, write

# A line is a list of (move, lines that replace it).
TREE = [("h2e2", []), ("h9g7", [[("h7e7", []), ("h0g2", [[("b0c2", []), ("h9g7", [])], [("g3g4", [])]]), ("h9g7", [])],
                               [("b9c7", []), ("h0g2", [])]]),
        ("h0g2", [[("c3c4", []), ("i9h9", []), ("h0g2", [])]]), ("i9h9", []), ("i0h0", [[("g3g4", [])]])]


def game(line):
    row = lambda line: ["", [[move, "", [row(other) for other in others]] for move, others in line]]
    return {"tags": {}, "start": START, "result": "1-0", "line": row(line)}


def pgn(line):
    return records.pgn_moves(game(line)["line"], 0)


def games(run):
    return paotai("data", "export", "--format", "moves", scratch(run)).stdout.splitlines()


def load(name, *more, **given):
    return paotai("data", "import", "--sample", "all", "--sample-after", "0", "--out", scratch(name), *more, **given)


FILES = {"pgn": records.pgn(game(TREE)), "xqf": records.xqf(game(TREE)), "cbr": records.cbr(game(TREE)), "ubb": records.dhtmlxq(game(TREE)),
         "cbl": records.old_cbl([game(TREE)])}
wanted = ["h2e2 h9g7 h0g2 i9h9 i0h0", "h7e7 h0g2 h9g7", "b0c2 h9g7", "g3g4", "b9c7 h0g2", "c3c4 i9h9 h0g2", "g3g4"]
first = None
for form, content in FILES.items():
    path = write("tree." + form, content)
    done = load(form, "--variations", path)
    got = games(form)
    same(f"variations_{form}", (done.returncode, sorted(line.split("\t")[-1] for line in got)), (0, sorted(wanted)))
    same(f"variations_{form}_count", [values(done.stdout).get(key) for key in ("records", "games", "variations")], ["7", "7", "6"])
    first = first or sorted(got)
    same(f"variations_{form}_same", sorted(got), first)
    rows = list(csv.DictReader(paotai("data", "export", "--format", "csv", scratch(form)).stdout.splitlines()))
    boards = [" ".join(row["fen"].split()[:2]) for row in rows]
    same(f"variations_{form}_once", (len(boards), len(set(boards))), (11, 11))
    same(f"variations_{form}_verify", paotai("data", "verify", scratch(form)).returncode, 0)
    load(form + ".main", path)
    same(f"variations_{form}_main", [line.split("\t")[-1] for line in games(form + ".main")], wanted[:1])


@functools.lru_cache(None)
def told(run):
    """Returns what `show` prints about each game of a run."""
    return [json.loads(paotai("show", "--json", "--data", scratch(run), "--game", str(at)).stdout) for at in range(len(games(run)))]


def keys(run):
    return [game["key"] for game in told(run)]


def origins(run):
    """Returns, for each variation, the number of the game from which it branches, and the ply.

    The tag VariationOf holds the key of this game, not its number."""
    names = keys(run)
    return [(names.index(game["VariationOf"]), game["VariationPly"]) for game in told(run) if "VariationPly" in game]


LEAVES = [(0, "1"), (1, "2"), (1, "2"), (0, "1"), (0, "2"), (0, "4")]
same("variations_tags", origins("pgn"), LEAVES)
done = paotai("data", "filter", "--tag", f"VariationOf={keys('pgn')[1]}", "--quiet", "--out", scratch("filtered"), scratch("pgn"))
same("variations_filter", values(done.stdout).get("games"), "2")
# Games without a result, as most variations are, cannot be fitted to results alone.
paotai("rescore", "--nodes", "20", "--quiet", "--out", scratch("rescored"), scratch("filtered"))
done = paotai("ablate", "--lambda", "1", "--terms", "hanging", "--quiet", "--out", scratch("ablated"), scratch("rescored"))
same("variations_fit", (done.returncode, "no position has a result, but --lambda 1 fits to results alone" in done.stderr), (1, True))
load("other", stdin="1-0\tb0a2 a9a8\n")
paotai("data", "merge", "--renumber", "--quiet", "--out", scratch("merged"), scratch("other"), scratch("pgn"))
same("variations_renumbered", origins("merged"), [(of + 1, ply) for of, ply in LEAVES])
load("back", "--variations", stdin=paotai("data", "export", "--format", "pgn", scratch("merged")).stdout)
same("variations_pgn_again", origins("back"), origins("merged"))
long = "".join(f'[{name} "{name * 999}"]\n' for name in ("Title", "Annotator"))
load("long", "--variations", stdin=long + "1. h2e2 (1. b2e2 b9c7) 1... h9g7 1-0\n")
same("variations_long_tags", origins("long"), [(0, "0")])

# The variations of a game without a result are stored, although the game itself is refused. A
# variation does not get the remarks of the refused game.
done = load("open", "--variations", "--unknown", "referee", stdin="1. h2e2 {a} (1. b2e2 {b} b9c7) 1... h9g7 {c}\n", timeout=30)
same("variations_of_refused", [values(done.stdout).get(key) for key in ("records", "games", "refused_result")], ["2", "1", "1"])
same("variations_of_refused_remarks", {key: value for key, value in told("open")[0].items() if key.startswith("Remark")}, {"Remark1": "b"})

# `data filter --from plies` samples the positions anew, and no position occurs twice. Plies are
# counted from the start of the game. `data split` puts a variation and its game into the same part
# (training, validation or test).
for name, words, count in (("anew", [], 11), ("late", ["--min-ply", "3"], 6)):
    paotai("data", "filter", "--from", "plies", *words, "--quiet", "--out", scratch(name), scratch("pgn"))
    rows = list(csv.DictReader(paotai("data", "export", "--format", "csv", scratch(name)).stdout.splitlines()))
    boards = [" ".join(row["fen"].split()[:2]) for row in rows]
    same("variations_select_" + name, (len(boards), len(set(boards))), (count, count))
for seed in "12":
    paotai("data", "split", "--valid", "0.5", "--test", "0", "--seed", seed, "--quiet", "--out", scratch("parts" + seed), scratch("pgn"))
    same("variations_split_" + seed, sorted(len(games(f"parts{seed}/{part}")) for part in ("train", "valid")), [0, 7])
load("two", "--variations", "--shard-games", "1", write("two.pgn", FILES["pgn"] * 2))
# `data filter --from plies` samples each position of the variations of a game only once. It must
# sample such a position again in the next game, even if the filter drops both main lines.
counts = []
for run in ("pgn", "two"):
    done = paotai("data", "filter", "--tag", "VariationPly=", "--from", "plies", "--quiet", "--out", scratch("only-" + run), scratch(run))
    counts.append(int(values(done.stdout)["positions"]))
same("variations_filter_only", counts[1], 2 * counts[0])

# A fit counts a game and its variations as one game, also if they are in several shards.
paotai("selfplay", "--games", "60", "--nodes", "100", "--opening-nodes", "0", "--weights", "classic", "--seed", "3", "--quiet", "--out", scratch("played"))
trees = []
for line in games("played"):
    told, moves = line.split("\t")[0], line.split("\t")[-1].split()
    others = lambda at: [] if at % 2 or at > 16 else [[(move, []), (moves[at + 1], [])] for move in ("a3a4", "e3e4", "i3i4") if move != moves[at]]
    if "\t" in line and line.count("\t") == 1 and len(moves) > 20:
        trees.append(f'[Result "{told}"]\n\n{pgn([(move, others(at)) for at, move in enumerate(moves)])} {told}\n')
path = write("trees.pgn", "\n".join(trees))
load("lines", path)
load("whole", "--variations", path)
# These games are also stored in shards of seven games, so that a shard can begin with variations of
# a game in the shard before it.
paotai("data", "merge", "--shard-games", "7", "--quiet", "--out", scratch("trees"), scratch("whole"))
fits = {}
FIT = ("--fit", "material_*", "--quiet")  # few terms, because a fit of all takes most of the time
parts = sorted(name for name in os.listdir(scratch("trees")) if name.endswith(".h5"))
for name, words in (("lines", [scratch("lines")]), ("trees", [scratch("trees")]),
                    ("twice", [scratch("trees"), scratch("lines"), "--threads", "2"]),
                    ("shards", [scratch("trees/" + part) for part in parts])):
    done = paotai("tune", *words, *FIT, "--lambda", "1", "--valid-fraction", "0.3", "--errors", scratch(name + ".tsv"))
    fits[name] = values(done.stdout), open(scratch(name + ".tsv")).read() if done.returncode == 0 else done.stderr
# If dedup drops a game, its variations do not become variations of the game stored before it.
paotai("data", "merge", "--any", "--renumber", "--quiet", "--out", scratch("both"), scratch("lines"), scratch("whole"))
paotai("data", "dedup", "--games", "--quiet", "--out", scratch("alone"), scratch("both"))
done = paotai("tune", scratch("alone"), *FIT, "--lambda", "1")
same("variations_left_alone", values(done.stdout).get("games"), str(2 * len(trees)))
same("variations_tune_games", [fits[name][0].get("games") for name in fits], [str(len(trees))] * 4)
same("variations_tune_has_them", (int(fits["trees"][0]["positions"]) > int(fits["lines"][0]["positions"]) + 5 * len(trees) > 200, len(parts) > 50), (True, True))
done = paotai("data", "export", "--rows", scratch("trees.h5"), scratch("trees"), "--quiet")
same("variations_rows", values(done.stdout).get("games"), str(len(trees)))
paotai("tune", "--rows", scratch("trees.h5"), *FIT, "--lambda", "1", "--valid-fraction", "0.3", "--errors", scratch("rows.tsv"))
same("variations_rows_fit", open(scratch("rows.tsv")).read(), fits["trees"][1])
# If one of two copies of a game has no sampled positions, a fit uses the other copy.
paotai("data", "filter", "--max-pieces", "2", "--quiet", "--out", scratch("bare"), scratch("trees"))
done = paotai("tune", scratch("bare"), scratch("trees"), *FIT, "--lambda", "1")
same("variations_tune_bare", [values(done.stdout).get(key) for key in ("games", "copied_games")], [str(len(trees)), fits["trees"][0]["copied_games"]])

# The result of a variation is the referee's if the line has ended. Otherwise it is unknown, because
# the result of the game belongs to other moves.
MATED = '[FEN "4k4/8R/9/p8/9/9/9/9/1R7/3K5 w - - 0 1"]\n[Result "{}"]\n\n1. b1b8 (1. b1b9) e9f9 (1... a6a5) {}\n'
for told, unknown, results in (("0-1", "referee", ["0-1", "1-0", "*"]), ("*", "draw", ["1/2-1/2", "1-0", "*"]), ("*", "referee", ["1-0", "*"]),
                               ("*", "skip", [])):
    name = f"told{told[0]}{unknown}".replace("*", "-")
    load(name, "--variations", "--unknown", unknown, stdin=MATED.format(told, told))
    same("variations_result_" + name, [line.split("\t")[0] for line in games(name)], results)

load("own", "--variations", stdin='[Result "1-0"]\n\n1. H2-E2 (1. B2-E2 H9-G7 (1... B9-C7 *) 0-1) H9-G7 1-0\n')
same("variations_own_result", [(line.split("\t")[0], line.split("\t")[-1]) for line in games("own")], [("1-0", "h2e2 h9g7"), ("0-1", "b2e2 h9g7"), ("*", "b9c7")])
# A game without a known result is counted as open and exported with "*". The format plain writes no
# result for the positions of this game.
same("variations_no_result", [paotai("data", "verify", scratch("own")).returncode, values(paotai("data", "info", scratch("own")).stdout).get("games_open"),
                              paotai("data", "export", "--format", "moves", scratch("own")).stdout.count("*\t"),
                              paotai("data", "export", "--format", "plain", "--unscored", "--positions", "all", scratch("own")).stdout.count("result")], [0, "1", 1, 4])

# Only the unreadable variation is refused. The rest of the game is kept.
broken = write("broken.pgn", '[Result "1-0"]\n\n1. h2e2 h9g7 (1... h9g6 2. h0g2) (1... b9c7 (1... zz) 2. h0g2 {x} 1-0) 2. h0g2 1-0\n\n'
               '[Result "0-1"]\n\n1. h2e2 ( 1. b2e2 {; ) (} ) h9g7 0-1\n')
done = load("broken", "--variations", broken)
same("variations_broken", (done.returncode, [line.split("\t")[-1] for line in games("broken")], values(done.stdout).get("refused_move"),
                           done.stdout.count("variation 1, which begins with ply 2: ply 2: ")), (1, ["h2e2 h9g7 h0g2", "b9c7 h0g2", "h2e2 h9g7", "b2e2"], "2", 1))
deep = "".join("(1... h9g7 " for _ in range(100000))
begun = os.times()
done = load("deep", "--variations", stdin=f'[Result "1-0"]\n\n1. h2e2 h9g7 {deep}{")" * 100000} 1-0\n')
same("variations_deep", (done.returncode, [values(done.stdout).get(key) for key in ("games", "variations", "variations_cut")],
                         os.times().children_user - begun.children_user < 60), (0, ["65", "64", str(100000 - 64)], True))
# A variation that replaces no move is omitted, and counted as omitted.
done = load("early", "--variations", stdin='[Result "1-0"]\n\n(1. b2e2 (1. h2e2)) 1. h2e2 (1. b2e2) 1-0\n')
same("variations_before_moves", [values(done.stdout).get(key) for key in ("games", "variations_cut")], ["2", "2"])
done = load("unwanted", stdin='[Result "1-0"]\n\n1. h2e2 (1. b2e2) 1-0\n')
same("variations_unwanted", [values(done.stdout).get(key) for key in ("games_varied", "variations_cut")], ["1", None])
# In DhtmlXQ, the list move_0_1_0 can be the main line. It must not be counted as an omitted
# variation.
ubb = "[DhtmlXQ]\n[DhtmlXQ_move_0_1_0]77477062[/DhtmlXQ_move_0_1_0]\n[DhtmlXQ_move_0_1_1]1747[/DhtmlXQ_move_0_1_1]\n[DhtmlXQ_result]红胜[/DhtmlXQ_result]\n[/DhtmlXQ]\n"
done = load("main_list", "--variations", write("main_list.ubb", ubb.encode()))
same("variations_main_list", [values(done.stdout).get(key) for key in ("games", "variations", "variations_cut")], ["2", "1", None])
bad = records.xqf(game([("h2e2", [[("h2h9", []), ("h9g7", [])], [("b2e2", [])]]), ("h9g7", [])]))
done = load("bad", "--variations", write("bad.xqf", bad))
same("variations_bad_xqf", (done.returncode, [line.split("\t")[-1] for line in games("bad")]), (1, ["h2e2 h9g7", "b2e2"]))
for size in range(1024, len(FILES["xqf"]), 8):  # truncated files
    write(f"cut/{size}.xqf", FILES["xqf"][:size])
done = load("cuts", "--variations", scratch("cut"))
same("variations_cut", (int(values(done.stdout)["refused_length"]) > 0, paotai("data", "verify", scratch("cuts")).returncode), (True, 0))
finish()

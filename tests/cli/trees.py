# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests what games hold beside their moves: tags, variations, and remarks. Import reads random trees of moves that
tests/records.py writes in each format, and export writes them as trees again."""
import csv
import functools
import glob
import json
import os
import random
import re
import struct
import subprocess
import sys

import records
from checks import DATA, PAOTAI, START, finish, need, paotai, read, report, same, scratch, section, values, want, want_same, write

need("trees", "h5py")
sys.path.insert(0, "datasets")
import h5py  # noqa: E402
import paotai as module  # noqa: E402

# ---- tags ------------------------------------------------------------------------------------------
LONG = "很长的名字，" * 60 + "end"
PAIRS = [("Event", "1999年全国象棋个人赛"), ("Site", "上海"), ("Date", "1999.05.01"), ("Round", "3"), ("Red", "胡荣华"), ("Black", "许银川"),
         ("RedTeam", "上海"), ("BlackTeam", "广东"), ("RedElo", "2600"), ("BlackElo", "2610"), ("ECCO", "C41"), ("Opening", "五七炮"),
         ("Foo_1", r'a "quoted" \ thing'), ("A_name_that_is_longer_than_its_column", "kept"), ("Long" * 20, LONG), ("N" * 23, ""), ("Empty", ""), ("Remark", LONG)]
MOVES = "1. 炮二平五 马８进７ 2. 马二进三 车９平８ 1-0\n\n"


def tagged_pgn(pairs, moves=MOVES, result="1-0"):
    quoted = [(name, value.replace("\\", r"\\").replace('"', r'\"')) for name, value in [("Game", "Chinese Chess"), *pairs, ("Result", result)]]
    return "".join(f'[{name} "{value}"]\n' for name, value in quoted) + "\n" + moves


def pairs_of(text):
    return [[(name, re.sub(r"\\(.)", r"\1", value)) for name, value in re.findall(r'^\[(\w+) "(.*)"\]$', game, re.M)
             if name not in ("Game", "Result", "Variant", "Format", "SetUp", "FEN") and not (name == "Opening" and value.isascii())] for game in text.split("[Game ")[1:]]


def export(run, *more):
    return paotai("data", "export", "--format", "pgn", *more, scratch(run)).stdout


def info(run):
    return values(paotai("data", "info", scratch(run)).stdout)


OTHER = [("Event", "?"), ("Site", "?"), ("Date", "2011.??.??"), ("Round", "?"), ("Red", "吕钦"), ("Black", "胡荣华"), ("BlackElo", "2500")]
BARE = [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("Red", "?"), ("Black", "?")]
# This record must do no harm. It has a repeated tag, a tag whose name is too long, and values with
# terminal escapes.
HOSTILE = [("Red", "\x1b]0;x\x07\x9b1m<script>"), ("Red", "two"), ("N" * 300, "x"), ("Black", "b\tc")]
tagged = write("a.pgn", tagged_pgn(PAIRS) + tagged_pgn(OTHER, "1. 炮二平五 马８进７ 0-1\n\n", "0-1") + tagged_pgn([], "1. h2e2 h9g7 1/2-1/2\n", "1/2-1/2"))
done = paotai("data", "import", "--sample", "all", "--sample-after", "0", "--out", scratch("run"), tagged)
same("tags_import", done.returncode, 0)
for moves in ("wxf", "chinese", "iccs"):
    same(f"tags_pgn_{moves}", pairs_of(export("run", "--moves", moves)), [PAIRS, OTHER, BARE])
again = write("again.pgn", export("run"))
paotai("data", "import", "--sample", "all", "--sample-after", "0", "--out", scratch("again"), again)
same("tags_pgn_again", export("again"), read("again.pgn"))
# The opening that our writer adds is no tag of the source. An opening tag of another program is
# kept.
shown = paotai("show", "--data", scratch("again"), "--game", "1").stdout
same("tags_own_opening", ("Opening" in export("again").split("[Game ")[2], "Opening" in shown, "五七炮" in export("again")), (True, False, True))
white = write("white.pgn", export("run", "--moves", "san"))
same("tags_white", re.findall(r"White\w*", read("white.pgn")), ["White", "WhiteTeam", "WhiteElo", "White", "White"])
paotai("data", "import", "--out", scratch("white"), white)
same("tags_white_back", pairs_of(export("white")), [PAIRS, OTHER, BARE])
for name in ("gbk", "big5"):
    text = tagged_pgn([pair for pair in PAIRS if pair[0] in ("Site", "Red", "Black")])
    if name == "big5":
        text = text.translate(str.maketrans("国赛胡荣华许银马进车人", "國賽胡榮華許銀馬進車人"))
    paotai("data", "import", "--out", scratch(name), write(name + ".pgn", text.encode(name)))
    same("tags_" + name, [pair for pair in pairs_of(export(name))[0] if pair[0] == "Red"], [("Red", "胡荣华" if name == "gbk" else "胡榮華")])
paotai("data", "import", "--out", scratch("hostile"), write("hostile.pgn", tagged_pgn(HOSTILE)))
# ---- tags in the formats of other programs
PLACES = {"xqf": "Event Site Date Red Black", "cbr": "Event Site Date Round Red Black RedTeam BlackTeam RedElo BlackElo",
          "dhtmlxq": "Event Site Date Round Red Black RedTeam BlackTeam RedElo BlackElo ECCO Opening"}
for form, names in PLACES.items():
    done = paotai("data", "export", "--format", form, "--out", scratch(form), scratch("run"))
    same(f"tags_left_out_{form}", re.findall(r"(\d+) tags were omitted", done.stderr), [{"xqf": "14", "cbr": "8", "dhtmlxq": "6"}[form]])
    paotai("data", "import", "--out", scratch(form + ".run"), scratch(form))
    got = [dict(pair for pair in game if pair[1] != "?") for game in pairs_of(export(form + ".run"))]
    same("tags_" + form, got[0], {name: dict(PAIRS)[name] for name in names.split()})
    same(f"tags_{form}_second", (got[1]["Red"], got[1]["Black"], "Event" in got[1]), ("吕钦", "胡荣华", False))
    page = scratch(form + ".html")
    paotai("view", "--quiet", "--out", page, os.path.join(scratch(form), "game-00000000." + form) if form != "dhtmlxq" else scratch(form))
    line = json.loads(next(line for line in open(page, encoding="utf-8") if line.startswith('{"n":')))
    same(f"tags_view_{form}", (line["w"], line["b"], line["v"], line["t"]), ("胡荣华", "许银川", "1999年全国象棋个人赛", "1999.05.01"))
with open(scratch("xqf/game-00000000.xqf"), "rb") as file:
    head = file.read(1024)
same("tags_xqf_gbk", head[0x131:0x131 + head[0x130]], "胡荣华".encode("gbk"))
page = scratch("run.html")
paotai("view", "--quiet", "--out", page, scratch("run"))
same("tags_view_run", [json.loads(line).get("w") for line in open(page, encoding="utf-8") if line.startswith('{"n":')], ["胡荣华", "吕钦", None])

# ---- tags in the output of show, data info and data export
shown = paotai("show", "--data", scratch("run"), "--game", "0").stdout
same("tags_show", ["Red 胡荣华" in shown, "ECCO C41" in shown, LONG in shown], [True] * 3)
told = json.loads(paotai("show", "--data", scratch("run"), "--game", "0", "--json").stdout)
same("tags_show_json", [told.get(name) for name, _ in PAIRS], [value for _, value in PAIRS])
said = info("run")
same("tags_info", said.get("games_tagged"), "2")
for words in (["show", "--data", scratch("hostile"), "--game", "0"], ["data", "info", scratch("hostile")],
              ["data", "export", "--format", "pgn", scratch("hostile")]):
    out = paotai(*words).stdout
    same(f"tags_hostile_{words[0]}_{words[1]}", (re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", out), "two" in out, "NNN" in out), ([], False, False))
same("tags_hostile_verify", paotai("data", "verify", scratch("hostile")).returncode, 0)

# ---- games chosen by their tags: data filter
FILTERS = {"player": (["--player", "胡荣华"], 2), "player_red": (["--tag", "Red=胡荣华"], 1), "letters": (["--tag", "ecco=c4"], 1),
           "two": (["--tag", "ECCO=C", "--tag", "Event=2000"], 0), "elo": (["--min-elo", "2500"], 1), "elo_high": (["--min-elo", "2601"], 0),
           "from": (["--min-year", "2000"], 1), "to": (["--max-year", "2000"], 1), "none": (["--player", "nobody"], 0)}
for name, (words, count) in FILTERS.items():
    done = paotai("data", "filter", *words, "--quiet", "--out", scratch(f"filter-{name}"), scratch("run"))
    same(f"tags_filter_{name}", values(done.stdout).get("games"), str(count))
same("tags_filter_keeps", pairs_of(export("filter-two")) + pairs_of(export("filter-elo")), [PAIRS])
done = paotai("data", "filter", "--tag", "ECCO", "--out", scratch("never"), scratch("run"))
same("tags_filter_wrong", (done.returncode, "does not have the form NAME=TEXT" in done.stderr), (2, True))

DATES = ["1961.02.04", "19610204", "12/12/1961", "1961年2月4日", "4-2-1961", "1961.??.??", "61.2.4", "1961-1962", "196124", "?",
         "１９６１年", "一九六一年二月", "1961-2-4/1961-2-8", "196102", "99999999", "00010101", "昨天"]
paotai("data", "import", "--out", scratch("dated"), write("dated.pgn", "\n".join(tagged_pgn([("Date", date)]) for date in DATES)))
done = paotai("data", "filter", "--min-year", "1961", "--max-year", "1961", "--quiet", "--out", scratch("years"), scratch("dated"))
same("tags_years", (values(done.stdout).get("games"), values(done.stdout).get("dates_unread")), ("10", "6"))
QUOTED = {'[Event "首屆"嘉豐"杯"]': '首屆"嘉豐"杯', '[Event "a \\"b\\" c"]': 'a "b" c', '[Event "a"] [Site "b"]': "a", '[Event "[a"] b"]': '[a"] b', '[Event "a" x]': "a", '[Event "a\\"]': "a\\"}
for number, (line, value) in enumerate(QUOTED.items()):
    paotai("data", "import", "--out", scratch(f"quoted{number}"), write(f"quoted{number}.pgn", line + '\n[Result "1-0"]\n\n1. h2e2 1-0\n'))
    told = json.loads(paotai("show", "--data", scratch(f"quoted{number}"), "--game", "0", "--json").stdout)
    same(f"tags_quoted_{number}", told.get("Event"), value)

# ---- commands that make a run from a run keep the tags
paotai("data", "import", "--shard-games", "1", "--sample", "all", "--sample-after", "0", "--out", scratch("small"), tagged)
same("tags_any_shards", (export("small"), info("small")["content_hash"]), (export("run"), info("run")["content_hash"]))
paotai("data", "merge", "--renumber", "--quiet", "--out", scratch("merged"), scratch("filter-from"), scratch("run"))
same("tags_merge", pairs_of(export("merged")), [OTHER, PAIRS, OTHER, BARE])
paotai("data", "dedup", "--games", "--quiet", "--out", scratch("once"), scratch("merged"))
same("tags_dedup", pairs_of(export("once")), [OTHER, PAIRS])
paotai("data", "split", "--valid", "0.5", "--test", "0", "--seed", "2", "--quiet", "--out", scratch("parts"), scratch("run"))
same("tags_split", sorted(pairs_of(export("parts/train")) + pairs_of(export("parts/valid"))), sorted([PAIRS, OTHER, BARE]))
paotai("rescore", "--nodes", "20", "--quiet", "--out", scratch("rescored"), scratch("run"))
same("tags_rescore", pairs_of(export("rescored")), [PAIRS, OTHER, BARE])
for run in ("run", "merged", "once", "rescored", "parts/train", "parts/valid"):
    same("tags_verify_" + run.replace("/", "_"), paotai("data", "verify", "--quiet", scratch(run)).returncode, 0)

# ---- the group /tags of the HDF5 file
run = module.Run(scratch("run"))
same("tags_module", [list(run[at].tags.items()) for at in range(3)], [PAIRS, [pair for pair in OTHER if pair[1] != "?"], []])
shard = next(name for name in os.listdir(scratch("run")) if name.startswith("shard-"))
with h5py.File(os.path.join(scratch("run"), shard), "a") as file:
    del file["tags"]
same("tags_gone", (info("run").get("games_tagged"), pairs_of(export("run")), info("run")["content_hash"], paotai("data", "verify", scratch("run")).returncode),
     (None, [BARE] * 3, info("small")["content_hash"], 0))
paotai("selfplay", "--games", "2", "--nodes", "20", "--max-plies", "20", "--quiet", "--out", scratch("played"))
shard = next(name for name in os.listdir(scratch("played")) if name.startswith("shard-"))
with h5py.File(os.path.join(scratch("played"), shard), "r") as file:
    same("tags_played", sorted(file), ["games", "plies", "positions", "provenance"])
FAULTS = {"name": (1, b"no name", "the name of a tag is empty"), "value": (0, b"\xff\xfe", "is not UTF-8 text"), "game": (0, 99, "a tag belongs to game 99")}
for name, (at, value, why) in FAULTS.items():
    shards = sorted(entry for entry in os.listdir(scratch("merged")) if entry.startswith("shard-"))
    with open(os.path.join(scratch("merged"), shards[0]), "rb") as file:
        path = write(f"fault-{name}.h5", file.read())
    with h5py.File(path, "a") as file:
        file[f"tags/{name}"][-1 if name == "game" else at] = value
    done = paotai("data", "verify", path)
    same("tags_fault_" + name, (done.returncode, why in done.stdout + done.stderr), (1, True))

# ---- variations: each line of a tree becomes a game, and no position counts twice -----------------------
section("variations")
# A line is a list of (move, lines that replace it).
TREE = [("h2e2", []), ("h9g7", [[("h7e7", []), ("h0g2", [[("b0c2", []), ("h9g7", [])], [("g3g4", [])]]), ("h9g7", [])],
                               [("b9c7", []), ("h0g2", [])]]),
        ("h0g2", [[("c3c4", []), ("i9h9", []), ("h0g2", [])]]), ("i9h9", []), ("i0h0", [[("g3g4", [])]])]


def in_tree(line):
    row = lambda line: ["", [[move, "", [row(other) for other in others]] for move, others in line]]
    return {"tags": {}, "start": START, "result": "1-0", "line": row(line)}


def tree_pgn(line):
    return records.pgn_moves(in_tree(line)["line"], 0)


def moves_in(run):
    return paotai("data", "export", "--format", "moves", scratch(run)).stdout.splitlines()


def load(name, *more, **given):
    return paotai("data", "import", "--sample", "all", "--sample-after", "0", "--out", scratch(name), *more, **given)


FILES = {"pgn": records.pgn(in_tree(TREE)), "xqf": records.xqf(in_tree(TREE)), "cbr": records.cbr(in_tree(TREE)), "ubb": records.dhtmlxq(in_tree(TREE)),
         "cbl": records.old_cbl([in_tree(TREE)])}
wanted = ["h2e2 h9g7 h0g2 i9h9 i0h0", "h7e7 h0g2 h9g7", "b0c2 h9g7", "g3g4", "b9c7 h0g2", "c3c4 i9h9 h0g2", "g3g4"]
first = None
for form, content in FILES.items():
    path = write("tree." + form, content)
    done = load(form, "--variations", path)
    got = moves_in(form)
    same(f"variations_{form}", (done.returncode, sorted(line.split("\t")[-1] for line in got)), (0, sorted(wanted)))
    same(f"variations_{form}_count", [values(done.stdout).get(key) for key in ("records", "games", "variations")], ["7", "7", "6"])
    first = first or sorted(got)
    same(f"variations_{form}_same", sorted(got), first)
    rows = list(csv.DictReader(paotai("data", "export", "--format", "csv", scratch(form)).stdout.splitlines()))
    boards = [" ".join(row["fen"].split()[:2]) for row in rows]
    same(f"variations_{form}_once", (len(boards), len(set(boards))), (11, 11))
    same(f"variations_{form}_verify", paotai("data", "verify", scratch(form)).returncode, 0)
    load(form + ".main", path)
    same(f"variations_{form}_main", [line.split("\t")[-1] for line in moves_in(form + ".main")], wanted[:1])


@functools.lru_cache(None)
def told(run):
    """Returns what `show` prints about each game of a run."""
    return [json.loads(paotai("show", "--json", "--data", scratch(run), "--game", str(at)).stdout) for at in range(len(moves_in(run)))]


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
    same("variations_split_" + seed, sorted(len(moves_in(f"parts{seed}/{part}")) for part in ("train", "valid")), [0, 7])
load("two", "--variations", "--shard-games", "1", write("two.pgn", FILES["pgn"] * 2))
# `data filter --from plies` samples each position of the variations of a game only once. It must
# sample such a position again in the next game, even if the filter drops both main lines.
counts = []
for run in ("pgn", "two"):
    done = paotai("data", "filter", "--tag", "VariationPly=", "--from", "plies", "--quiet", "--out", scratch("only-" + run), scratch(run))
    counts.append(int(values(done.stdout)["positions"]))
same("variations_filter_only", counts[1], 2 * counts[0])

# A fit counts a game and its variations as one game, also if they are in several shards.
paotai("selfplay", "--games", "32", "--nodes", "100", "--opening-nodes", "0", "--weights", "classic", "--seed", "3", "--quiet", "--out", scratch("played"))
trees = []
for line in moves_in("played"):
    told, moves = line.split("\t")[0], line.split("\t")[-1].split()
    others = lambda at: [] if at % 2 or at > 16 else [[(move, []), (moves[at + 1], [])] for move in ("a3a4", "e3e4", "i3i4") if move != moves[at]]
    if "\t" in line and line.count("\t") == 1 and len(moves) > 20:
        trees.append(f'[Result "{told}"]\n\n{tree_pgn([(move, others(at)) for at, move in enumerate(moves)])} {told}\n')
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
same("variations_tune_has_them", (int(fits["trees"][0]["positions"]) > int(fits["lines"][0]["positions"]) + 5 * len(trees) > 100, len(parts) > 25), (True, True))
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
    same("variations_result_" + name, [line.split("\t")[0] for line in moves_in(name)], results)

load("own", "--variations", stdin='[Result "1-0"]\n\n1. H2-E2 (1. B2-E2 H9-G7 (1... B9-C7 *) 0-1) H9-G7 1-0\n')
same("variations_own_result", [(line.split("\t")[0], line.split("\t")[-1]) for line in moves_in("own")], [("1-0", "h2e2 h9g7"), ("0-1", "b2e2 h9g7"), ("*", "b9c7")])
# A game without a known result is counted as open and exported with "*". The format plain writes no
# result for the positions of this game.
same("variations_no_result", [paotai("data", "verify", scratch("own")).returncode, values(paotai("data", "info", scratch("own")).stdout).get("games_open"),
                              paotai("data", "export", "--format", "moves", scratch("own")).stdout.count("*\t"),
                              paotai("data", "export", "--format", "plain", "--unscored", "--positions", "all", scratch("own")).stdout.count("result")], [0, "1", 1, 4])

# Only the unreadable variation is refused. The rest of the game is kept.
broken = write("broken.pgn", '[Result "1-0"]\n\n1. h2e2 h9g7 (1... h9g6 2. h0g2) (1... b9c7 (1... zz) 2. h0g2 {x} 1-0) 2. h0g2 1-0\n\n'
               '[Result "0-1"]\n\n1. h2e2 ( 1. b2e2 {; ) (} ) h9g7 0-1\n')
done = load("broken", "--variations", broken)
same("variations_broken", (done.returncode, [line.split("\t")[-1] for line in moves_in("broken")], values(done.stdout).get("refused_move"),
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
bad = records.xqf(in_tree([("h2e2", [[("h2h9", []), ("h9g7", [])], [("b2e2", [])]]), ("h9g7", [])]))
done = load("bad", "--variations", write("bad.xqf", bad))
same("variations_bad_xqf", (done.returncode, [line.split("\t")[-1] for line in moves_in("bad")]), (1, ["h2e2 h9g7", "b2e2"]))
for size in range(1024, len(FILES["xqf"]), 8):  # truncated files
    write(f"cut/{size}.xqf", FILES["xqf"][:size])
done = load("cuts", "--variations", scratch("cut"))
same("variations_cut", (int(values(done.stdout)["refused_length"]) > 0, paotai("data", "verify", scratch("cuts")).returncode), (True, 0))

# ---- random trees ------------------------------------------------------------------------------------
section("trees")
rng = random.Random(30)
engine = subprocess.Popen([PAOTAI], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def legal(start, moves):
    engine.stdin.write(f"position fen {start} moves {' '.join(moves)}\ngo perft 1\n")
    found = []
    while not (line := engine.stdout.readline()).startswith("Nodes searched"):
        found += re.findall(r"^([a-i]\d[a-i]\d): ", line)
    return found


# Names of players. In GBK, the bytes of those with one or two characters are also valid UTF-8.
NAMES = [name for name in "谢 童 韦 钱 某 谢强 童谢 韦某 钱强".split() if name.encode("gbk").decode()] + ["胡荣华", "许银川", "柳大华"]
DATES = {"19610204": 1961, "12/12/2001": 2001, "2001年12月3日": 2001, "1999.5": 1999, "2001-12-03": 2001, "去年": None, "": None}
WORDS = ["好棋", "$1 妙", "$6", "$4", "要點：先手", "two\nlines", "a, b; c", "炮二平五？", "(原譜)", "[b]", "+0.35/12", "$2 $14 好", "變化 1. h2e2 1-0", "x" * 300]
word = lambda: rng.choice(WORDS) if rng.random() < 0.3 else ""


def grow(start, before, first, length, depth, pick):
    """Makes a line of `length` random plies. Variations, nested to `depth`, are most frequent at the
    first and the last ply."""
    moves, line = list(before), ["", []]
    for ply in range(length):
        choice = legal(start, moves)
        if not choice:
            break
        move = first if ply == 0 and first else rng.choice(choice)
        others = []
        if depth and rng.random() < (0.5 if ply in (0, length - 1) else 0.15):
            for _ in range(rng.choice((1, 1, 2, 3))):
                other = grow(start, moves, rng.choice(choice), rng.randint(1, 5), depth - 1, pick)
                other[0] = word() if pick else ""
                others.append(other)
        line[1].append([move, word(), others])
        moves.append(move)
    return line


def read_tree(data, at, codec, record):
    """Reads a tree. record() converts 4 bytes to origin, target and three flags.

    The flags say that the move is the last of its line, that a variation replaces it, and that it
    has a remark."""
    def read_line():
        nonlocal at
        moves, varied, last = [], [], False
        while not last:
            origin, target, last, other, more = record(data[at:at + 4])
            begin = at + 8 if more else at + 4
            at = begin + struct.unpack_from("<I", data, at + 4)[0] if more else begin
            moves.append(["".join(f"{'abcdefghi'[at % 9]}{9 - at // 9}" for at in (origin, target)), data[begin:at].decode(codec), []])
            varied.append(other)
        for move in reversed([move for move, other in zip(moves, varied) if other]):
            move[2].append(["", read_line()])
        return moves
    first, *moves = read_line()
    assert at == len(data), "there are bytes behind the tree"
    return [first[1], moves]


def read_xqf(data):
    """Reads a game in XQF version 1.0."""
    row = lambda byte: (9 - byte % 10) * 9 + byte // 10
    tags = {name: data[at + 1:at + 1 + data[at]].decode("gb18030") for name, (at, _) in records.XQF_TEXTS.items()}
    line = read_tree(data, 1024, "gb18030", lambda at: (row(at[0] - 24), row(at[1] - 32), not at[2] & 0xf0, at[2] & 0x0f, True))
    return {"tags": tags, "board": {row(at): man for man, at in zip(records.MEN, data[16:48]) if at < 90}, "result": records.RESULTS[data[0x33]], "line": line}


def read_cbr(data):
    """Reads a game in CBR version 2."""
    tags = {name: data[at:at + 64].decode("utf-16-le", "ignore").split("\0")[0] for name, at in records.CBR_TEXTS.items()}
    line = read_tree(data, 2214, "utf-16-le", lambda at: (at[2], at[3], at[0] & 1, at[0] & 2, at[0] & 4))
    names = {code: man for man, code in records.CODES.items()}
    return {"tags": tags, "board": records.board(names.get(code, ".") for code in data[2120:2210]), "result": records.RESULTS[data[2076]], "line": line}


def normal(line, joined=False, main=True):
    """Returns the tree in a normal form.

    A line that replaces the first move of a variation comes directly after this variation. Blanks
    are single. If the format has no place for a remark before a variation (`joined`), the remark is
    put before the remark of the first move."""
    moves = []
    for at, (move, text, others) in enumerate(line[1]):
        lines = []
        for other in others:
            other = normal(other, joined, False)
            lines += [other, *other[1][0][2]]
            other[1][0][2] = []
        text = line[0] + " " + text if joined and not main and at == 0 else text
        moves.append([move, " ".join(text.split()), lines])
    return ["" if joined and not main else " ".join(line[0].split()), moves]


with open(os.path.join(DATA, "perft.tsv")) as file:
    starts = sorted({line.split("\t")[0] for line in file if " - - 0 1" in line} - {START})
GAMES = []
for number in range(60):
    start = rng.choice(starts) if number % 3 == 0 else START
    while not legal(start, []):
        start = rng.choice(starts)
    line = grow(start, [], None, rng.randint(1, 16), 3, number % 2)
    line[0] = word()
    tags = {"Event": rng.choice(["全国赛", '首屆"嘉豐"杯', "谢", "a [b] c"]), "Date": rng.choice(list(DATES)), "Site": "上海", "Title": f"第{number}局",
            "Round": str(number % 7 + 1), "Red": rng.choice(NAMES), "Black": rng.choice(NAMES), "RedTeam": "广东", "BlackTeam": "江苏",
            "Annotator": "徐天红", "Author": "赵"}
    GAMES.append({"tags": tags, "start": start, "result": records.RESULTS[number % 4], "line": line})
engine.communicate("quit\n")
GAMES[1]["line"][0] = "y" * 40000  # the longest remark of the store, in UTF-16
count = lambda line: 1 + sum(count(other) for _, _, others in line[1] for other in others)
deep = lambda line: 1 + max((deep(other) for _, _, others in line[1] for other in others), default=0)
same("trees_made", (max(deep(game["line"]) for game in GAMES), sum(count(game["line"]) for game in GAMES) > 300, len({game["start"].split()[1] for game in GAMES})), (4, True, 2))


def compare(form, got, names, joined):
    """Compares the imported games `got` with the generated games, including the tags in `names`.

    Games without a result were imported as draws."""
    want_same(len(got), len(GAMES), "games")
    for number, (ours, other) in enumerate(zip(GAMES, got)):
        where = f"{form} {number}"
        want_same(normal(other["line"], joined), normal(ours["line"], joined), where)
        want_same(other["result"], ours["result"].replace("*", "1/2-1/2"), where)
        want_same(other["board"], records.board(records.cells(ours["start"])), where)
        tags = [{name: text for name in names if (text := game["tags"].get(name, "")) not in ("", "?", "????.??.??")} for game in (other, ours)]
        want_same(*tags, where)


def back(run, *paths):
    """Returns the games that an import of files stores."""
    done = paotai("data", "import", "--variations", "--unknown", "draw", "--out", scratch(run), *paths)
    want_same((done.returncode, values(done.stdout).get("games")), (0, str(sum(count(game["line"]) for game in GAMES))), run + done.stdout[:300])
    return records.read_pgn(paotai("data", "export", "--format", "pgn", "--quiet", scratch(run)).stdout)


def files(kind, make, *more):
    return [write(f"{kind}.files/{number:02}.{kind[:3]}", make(game, *more)) for number, game in enumerate(GAMES)]


text = "".join(map(records.pgn, GAMES))
everything, of_xqf, of_cbr = GAMES[0]["tags"], records.XQF_TEXTS, records.CBR_TEXTS
FORMS = {"pgn": ([write("all.pgn", text)], everything, False), "gbk": ([write("gbk.pgn", text.encode("gb18030"))], everything, False),
         "xqf10": (files("xqf10", records.xqf), of_xqf, True), "cbr1": (files("cbr1", records.cbr, 1), of_cbr, True),
         "cbr2": (files("cbr2", records.cbr), of_cbr, True), "cbl": ([write("all.cbl", records.cbl(list(map(records.cbr, GAMES))))], of_cbr, True),
         "old_cbl": ([write("old.cbl", records.old_cbl(GAMES))], of_xqf, True),
         "dhtmlxq": ([write("all.ubb", "".join(map(records.dhtmlxq, GAMES)))], records.UBB_TEXTS, False)}
for version in range(11, 19):
    FORMS[f"xqf{version}"] = (files(f"xqf{version}", records.xqf, version, rng.randbytes(3), rng.randrange(256), rng.randbytes(4)), of_xqf, True)
for form, (paths, names, joined) in FORMS.items():
    compare(form, back(form, *paths), names, joined)
    report("trees_import_" + form)
# Without --variations, import counts the games that have variations.
varied = sum(any(others for _, _, others in game["line"][1]) for game in GAMES)
for form in ("pgn", "xqf10", "cbr2", "old_cbl", "dhtmlxq"):
    paths = FORMS[form][0]
    done = paotai("data", "import", "--unknown", "draw", "--out", scratch("main." + form), *paths)
    same("trees_varied_" + form, [values(done.stdout).get(key) for key in ("games", "games_varied")], [str(len(GAMES)), str(varied)])
for year in (1961, 1999, 2001):
    done = paotai("data", "filter", "--min-year", str(year), "--max-year", str(year), "--quiet", "--out", scratch(f"year{year}"), scratch("xqf10"))
    wanted = sum(count(game["line"]) for game in GAMES if DATES[game["tags"]["Date"]] == year)
    same(f"trees_year_{year}", values(done.stdout).get("games"), str(wanted))
for form, read, like in (("xqf", read_xqf, "xqf10"), ("cbr", read_cbr, "cbr2"), ("dhtmlxq", None, "dhtmlxq"), ("pgn", None, "pgn")):
    paotai("data", "export", "--format", form, "--out", scratch("out." + form), scratch("pgn"))
    if read:
        got = [read(open(path, "rb").read()) for path in sorted(glob.glob(scratch(f"out.{form}/*")))]
    else:
        got = back(form + ".again", scratch("out." + form))
    compare(form, got, *FORMS[like][1:])
    report("trees_export_" + form)
# ---- records without moves ------------------------------------------------------------------------
# Records without moves are openings, not games. The side to move is in their header.
bare = [{**game, "start": game["start"].split()[0] + f" {side} - - 0 1", "line": ["", []]}
        for game in GAMES[:3] for side in "wb" if paotai("show", game["start"].split()[0] + f" {side} - - 0 1").returncode == 0]
same("trees_bare_sides", {game["start"].split()[1] for game in bare}, {"w", "b"})


def first_positions(run, paths):
    """Plays games from the openings in the files. Returns the pieces and the side to move at the start of each game."""
    for number, path in enumerate(paths):
        done = paotai("selfplay", "--openings", path, "--order", "sequence", "--games", str(len(bare) // len(paths)), "--nodes", "1", "--max-plies", "4",
                      "--quiet", "--out", scratch(f"{run}/{number:02}"))
        want(done.returncode == 0, done.stderr)
    text = "".join(paotai("data", "export", "--format", "pgn", "--quiet", scratch(f"{run}/{number:02}")).stdout for number in range(len(paths)))
    return [(re.findall(r'\[FEN "(.*)"\]', part) or [START])[0].split()[:2] for part in re.split(r"(?m)^(?=\[Game )", text)[1:]]


one_by_one = lambda kind, make, *more: [write(f"bare.{kind}/{number:02}.{kind[:3]}", make(game, *more)) for number, game in enumerate(bare)]
BARE = {"pgn": [write("bare.pgn", "".join(map(records.pgn, bare)))], "xqf10": one_by_one("xqf10", records.xqf), "xqf16": one_by_one("xqf16", records.xqf, 16),
        "cbr1": one_by_one("cbr1", records.cbr, 1), "cbr2": one_by_one("cbr2", records.cbr),
        "cbl": [write("bare.cbl", records.cbl(list(map(records.cbr, bare))))], "old_cbl": [write("bareold.cbl", records.old_cbl(bare))]}
for form, paths in BARE.items():
    want_same(first_positions("bare_" + form, paths), [game["start"].split()[:2] for game in bare], form)
    report("trees_bare_" + form)

finish()

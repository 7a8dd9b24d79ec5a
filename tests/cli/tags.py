# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the tags of game records: the store keeps them; show, data filter, data export, view and the
# Python module use them.
import json
import os
import re
import sys

from checks import finish, need, paotai, read, same, scratch, values, write

need("tags", "h5py")
sys.path.insert(0, "datasets")
import h5py  # noqa: E402
import paotai as module  # noqa: E402

LONG = "很长的名字，" * 60 + "end"
PAIRS = [("Event", "1999年全国象棋个人赛"), ("Site", "上海"), ("Date", "1999.05.01"), ("Round", "3"), ("Red", "胡荣华"), ("Black", "许银川"),
         ("RedTeam", "上海"), ("BlackTeam", "广东"), ("RedElo", "2600"), ("BlackElo", "2610"), ("ECCO", "C41"), ("Opening", "五七炮"),
         ("Foo_1", r'a "quoted" \ thing'), ("A_name_that_is_longer_than_its_column", "kept"), ("Long" * 20, LONG), ("N" * 23, ""), ("Empty", ""), ("Remark", LONG)]
MOVES = "1. 炮二平五 马８进７ 2. 马二进三 车９平８ 1-0\n\n"


def pgn(pairs, moves=MOVES, result="1-0"):
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
games = write("a.pgn", pgn(PAIRS) + pgn(OTHER, "1. 炮二平五 马８进７ 0-1\n\n", "0-1") + pgn([], "1. h2e2 h9g7 1/2-1/2\n", "1/2-1/2"))
done = paotai("data", "import", "--sample", "all", "--sample-after", "0", "--out", scratch("run"), games)
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
    text = pgn([pair for pair in PAIRS if pair[0] in ("Site", "Red", "Black")])
    if name == "big5":
        text = text.translate(str.maketrans("国赛胡荣华许银马进车人", "國賽胡榮華許銀馬進車人"))
    paotai("data", "import", "--out", scratch(name), write(name + ".pgn", text.encode(name)))
    same("tags_" + name, [pair for pair in pairs_of(export(name))[0] if pair[0] == "Red"], [("Red", "胡荣华" if name == "gbk" else "胡榮華")])
paotai("data", "import", "--out", scratch("hostile"), write("hostile.pgn", pgn(HOSTILE)))
# ---- the reason in the tag Termination: it is kept if the result and the moves agree with it
ENDS = [("resignation", "0-1", "0-1"), ("resignation", "1-0", "1-0"), ("agreed_draw", "1/2-1/2", "1/2-1/2"), ("checkmate", "1-0", "1-0"), ("max_plies", "1-0", "1-0")]
ends = "".join(f'[Result "{result}"]\n[Termination "{reason}"]\n\n1. h2e2 h9g7 {end}\n\n' for reason, result, end in ENDS)
paotai("data", "import", "--out", scratch("ends"), write("ends.pgn", ends))
reasons = re.findall(r"^end_(resignation|agreed_draw|checkmate|max_plies|imported) (\d+)", paotai("data", "info", scratch("ends")).stdout, re.M)
same("tags_reason", sorted(reasons), [("agreed_draw", "1"), ("imported", "3"), ("resignation", "1")])
same("tags_reason_out", re.findall(r'^\[(?:Termination|Red) "(.*)"\]', export("ends"), re.M), [word for reason, _, _ in ENDS for word in ("?", reason)])
same("tags_reason_verify", paotai("data", "verify", scratch("ends")).returncode, 0)

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
paotai("data", "import", "--out", scratch("dated"), write("dated.pgn", "\n".join(pgn([("Date", date)]) for date in DATES)))
done = paotai("data", "filter", "--min-year", "1961", "--max-year", "1961", "--quiet", "--out", scratch("years"), scratch("dated"))
same("tags_years", (values(done.stdout).get("games"), values(done.stdout).get("dates_unread")), ("10", "6"))
QUOTED = {'[Event "首屆"嘉豐"杯"]': '首屆"嘉豐"杯', '[Event "a \\"b\\" c"]': 'a "b" c', '[Event "a"] [Site "b"]': "a", '[Event "[a"] b"]': '[a"] b', '[Event "a" x]': "a", '[Event "a\\"]': "a\\"}
for number, (line, value) in enumerate(QUOTED.items()):
    paotai("data", "import", "--out", scratch(f"quoted{number}"), write(f"quoted{number}.pgn", line + '\n[Result "1-0"]\n\n1. h2e2 1-0\n'))
    told = json.loads(paotai("show", "--data", scratch(f"quoted{number}"), "--game", "0", "--json").stdout)
    same(f"tags_quoted_{number}", told.get("Event"), value)

# ---- commands that make a run from a run keep the tags
paotai("data", "import", "--shard-games", "1", "--sample", "all", "--sample-after", "0", "--out", scratch("small"), games)
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
finish()

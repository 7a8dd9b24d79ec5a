# SPDX-License-Identifier: GPL-3.0-or-later
# Tests random trees of moves with remarks, which tests/records.py writes: import reads them, and
# export writes them as trees again.
import glob
import os
import random
import re
import struct
import subprocess

import records
from checks import DATA, PAOTAI, START, paotai, finish, report, same, scratch, values, want, want_same, write

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
games = []
for number in range(60):
    start = rng.choice(starts) if number % 3 == 0 else START
    while not legal(start, []):
        start = rng.choice(starts)
    line = grow(start, [], None, rng.randint(1, 16), 3, number % 2)
    line[0] = word()
    tags = {"Event": rng.choice(["全国赛", '首屆"嘉豐"杯', "谢", "a [b] c"]), "Date": rng.choice(list(DATES)), "Site": "上海", "Title": f"第{number}局",
            "Round": str(number % 7 + 1), "Red": rng.choice(NAMES), "Black": rng.choice(NAMES), "RedTeam": "广东", "BlackTeam": "江苏",
            "Annotator": "徐天红", "Author": "赵"}
    games.append({"tags": tags, "start": start, "result": records.RESULTS[number % 4], "line": line})
engine.communicate("quit\n")
games[1]["line"][0] = "y" * 40000  # the longest remark of the store, in UTF-16
count = lambda line: 1 + sum(count(other) for _, _, others in line[1] for other in others)
deep = lambda line: 1 + max((deep(other) for _, _, others in line[1] for other in others), default=0)
same("trees_made", (max(deep(game["line"]) for game in games), sum(count(game["line"]) for game in games) > 300, len({game["start"].split()[1] for game in games})), (4, True, 2))


def compare(form, got, names, joined):
    """Compares the imported games `got` with the generated games, including the tags in `names`.

    Games without a result were imported as draws."""
    want_same(len(got), len(games), "games")
    for number, (ours, other) in enumerate(zip(games, got)):
        where = f"{form} {number}"
        want_same(normal(other["line"], joined), normal(ours["line"], joined), where)
        want_same(other["result"], ours["result"].replace("*", "1/2-1/2"), where)
        want_same(other["board"], records.board(records.cells(ours["start"])), where)
        tags = [{name: text for name in names if (text := game["tags"].get(name, "")) not in ("", "?", "????.??.??")} for game in (other, ours)]
        want_same(*tags, where)


def back(run, *paths):
    """Returns the games that an import of files stores."""
    done = paotai("data", "import", "--variations", "--unknown", "draw", "--out", scratch(run), *paths)
    want_same((done.returncode, values(done.stdout).get("games")), (0, str(sum(count(game["line"]) for game in games))), run + done.stdout[:300])
    return records.read_pgn(paotai("data", "export", "--format", "pgn", "--quiet", scratch(run)).stdout)


def files(kind, make, *more):
    return [write(f"{kind}.files/{number:02}.{kind[:3]}", make(game, *more)) for number, game in enumerate(games)]


text = "".join(map(records.pgn, games))
everything, of_xqf, of_cbr = games[0]["tags"], records.XQF_TEXTS, records.CBR_TEXTS
FORMS = {"pgn": ([write("all.pgn", text)], everything, False), "gbk": ([write("gbk.pgn", text.encode("gb18030"))], everything, False),
         "xqf10": (files("xqf10", records.xqf), of_xqf, True), "cbr1": (files("cbr1", records.cbr, 1), of_cbr, True),
         "cbr2": (files("cbr2", records.cbr), of_cbr, True), "cbl": ([write("all.cbl", records.cbl(list(map(records.cbr, games))))], of_cbr, True),
         "old_cbl": ([write("old.cbl", records.old_cbl(games))], of_xqf, True),
         "dhtmlxq": ([write("all.ubb", "".join(map(records.dhtmlxq, games)))], records.UBB_TEXTS, False)}
for version in range(11, 19):
    FORMS[f"xqf{version}"] = (files(f"xqf{version}", records.xqf, version, rng.randbytes(3), rng.randrange(256), rng.randbytes(4)), of_xqf, True)
for form, (paths, names, joined) in FORMS.items():
    compare(form, back(form, *paths), names, joined)
    report("trees_import_" + form)
# Without --variations, import counts the games that have variations.
varied = sum(any(others for _, _, others in game["line"][1]) for game in games)
for form in ("pgn", "xqf10", "cbr2", "old_cbl", "dhtmlxq"):
    paths = FORMS[form][0]
    done = paotai("data", "import", "--unknown", "draw", "--out", scratch("main." + form), *paths)
    same("trees_varied_" + form, [values(done.stdout).get(key) for key in ("games", "games_varied")], [str(len(games)), str(varied)])
for year in (1961, 1999, 2001):
    done = paotai("data", "filter", "--min-year", str(year), "--max-year", str(year), "--quiet", "--out", scratch(f"year{year}"), scratch("xqf10"))
    wanted = sum(count(game["line"]) for game in games if DATES[game["tags"]["Date"]] == year)
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
        for game in games[:3] for side in "wb" if paotai("show", game["start"].split()[0] + f" {side} - - 0 1").returncode == 0]
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

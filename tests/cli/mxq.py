# SPDX-License-Identifier: GPL-3.0-or-later
# Files of MXQ and libraries of CCBridge 2.1: one game in each form, and what is broken in them.
import re

from checks import START, finish, paotai, report, same, scratch, values, want, write
from records import old_cbl

MOVES = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7".split()
CUT = MOVES[:5]


def points(move):
    """Columns from the left and rows from the top, of origin and target."""
    return [value for at in (0, 2) for value in ("abcdefghi".index(move[at]), 9 - int(move[at + 1]))]


def mxq(players="胡荣华-胜-许银川", end="Ends"):
    texts = ["弈天", "2003-05-01", players, "2400", "2410", *[""] * 5, "a comment", ""]
    texts += [f"{x0}{'JIHGFEDCBA'[y0]}-{x1}{'JIHGFEDCBA'[y1]}" for x0, y0, x1, y1 in map(points, MOVES)] + [end]
    return b"".join(bytes([len(text.encode("gbk"))]) + text.encode("gbk") for text in texts)


def load(name, content, *more):
    path = write(name, content)
    done = paotai("data", "import", *more, "--out", scratch(name + ".run"), path)
    pgn = paotai("data", "export", "--format", "pgn", scratch(name + ".run")).stdout
    moves = paotai("data", "export", "--format", "moves", scratch(name + ".run")).stdout.strip().split("\t")
    return done, dict(re.findall(r'^\[(\w+) "(.*)"\]$', pgn, re.M)), moves


for word, result in (("胜", "1-0"), ("和", "1/2-1/2"), ("负", "0-1")):
    done, tags, moves = load(f"{result[0]}{len(result)}.mxq", mxq(f"胡荣华-{word}-许银川"))
    same("mxq_" + result.replace("/", ""), (done.returncode, moves, tags.get("Red"), tags.get("Black"), tags.get("RedElo"), tags.get("Site")),
         (0, [result, " ".join(MOVES)], "胡荣华", "许银川", "2400", "弈天"))
TAGS = {"Event": "杯赛", "Title": "题", "Site": "上海", "Date": "2003-05-01", "Red": "吕钦", "Black": "赵国荣"}
OLD = [{"tags": TAGS, "start": START, "result": result, "line": ["", [[move, "", []] for move in moves]]} for moves, result in ((MOVES, "1-0"), (CUT, "1/2-1/2"))]
for packed in (3, 0):
    name = f"old{packed}.cbl"
    done, tags, moves = load(name, old_cbl(OLD, packed), *(("--format", "cbl") if packed else ()))
    got = paotai("data", "export", "--format", "moves", scratch(name + ".run")).stdout
    same("mxq_" + name, (done.returncode, got, tags), (0, f"1-0\t{' '.join(MOVES)}\n1/2-1/2\t{' '.join(CUT)}\n",
                                                           {**tags, **TAGS}))
whole = old_cbl(OLD, 0)
for size in range(0, len(whole), 7):  # a file that was cut off
    done = paotai("data", "import", "--format", "cbl", "--out", scratch(f"cut{size}.run"), write("cut.cbl", whole[:size]))
    want(done.returncode == 1 or size == 0, f"{size} bytes: {done.returncode}, {done.stdout[:200]}")
report("mxq_old_cut")
for name, content, why in (("x.mxq", mxq(end=""), "ply 7"), ("y.mxq", mxq()[:-5], "without 'Ends'"), ("z.mxq", b"\xff" * 9, "without 'Ends'"),
                           ("w.cbl", old_cbl(OLD)[:-9], "cannot be unpacked"), ("v.cbl", whole[:300], "ends too early"), ("u.cbl", old_cbl([{**OLD[0], "line": ["", [["h2e3", "", []]]]}]), "ply 1")):
    done = paotai("data", "import", "--unknown", "draw", "--out", scratch(name + ".run"), write(name, content))
    same("mxq_broken_" + name, (done.returncode, values(done.stdout).get("refused"), why in done.stdout), (1, "1", True))
finish()

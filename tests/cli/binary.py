# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the import of binary files: MXQ, libraries of CCBridge 2.1, the example of the author of
# XQF, and damaged and truncated files.
import re

import records
from checks import START, finish, paotai, same, scratch, values, write

MOVES = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7".split()
CUT = MOVES[:5]


def points(move):
    """Returns the coordinates of a move: column from the left and row from the top, of its origin
    and of its target."""
    return [value for at in (0, 2) for value in ("abcdefghi".index(move[at]), 9 - int(move[at + 1]))]


def mxq(players="胡荣华-胜-许银川", end="Ends"):
    texts = ["弈天", "2003-05-01", players, "2400", "2410", *[""] * 5, "a comment", ""]
    texts += [f"{x0}{'JIHGFEDCBA'[y0]}-{x1}{'JIHGFEDCBA'[y1]}" for x0, y0, x1, y1 in map(points, MOVES)] + [end]
    return b"".join(bytes([len(text.encode("gbk"))]) + text.encode("gbk") for text in texts)


def moves_of(name):
    return paotai("data", "export", "--format", "moves", scratch(name + ".run")).stdout


def load(name, content, *more):
    path = write(name, content)
    done = paotai("data", "import", *more, "--out", scratch(name + ".run"), path)
    pgn = paotai("data", "export", "--format", "pgn", scratch(name + ".run")).stdout
    return done, dict(re.findall(r'^\[(\w+) "(.*)"\]$', pgn, re.M)), moves_of(name)


for word, result in (("胜", "1-0"), ("和", "1/2-1/2"), ("负", "0-1")):
    done, tags, moves = load(f"{result[0]}{len(result)}.mxq", mxq(f"胡荣华-{word}-许银川"))
    same("mxq_" + result.replace("/", ""), (done.returncode, moves, tags.get("Red"), tags.get("Black"), tags.get("RedElo"), tags.get("Site")),
         (0, f"{result}\t{' '.join(MOVES)}\n", "胡荣华", "许银川", "2400", "弈天"))
TAGS = {"Event": "杯赛", "Title": "题", "Site": "上海", "Date": "2003-05-01", "Red": "吕钦", "Black": "赵国荣"}
OLD = [{"tags": TAGS, "start": START, "result": result, "line": ["", [[move, "", []] for move in moves]]} for moves, result in ((MOVES, "1-0"), (CUT, "1/2-1/2"))]
for packed in (3, 0):
    done, tags, moves = load(f"old{packed}.cbl", records.old_cbl(OLD, packed), *(("--format", "cbl") if packed else ()))
    same(f"cbl_old_{packed}", (done.returncode, moves, tags), (0, f"1-0\t{' '.join(MOVES)}\n1/2-1/2\t{' '.join(CUT)}\n", {**tags, **TAGS}))

# Board and moves of the example in "XQF 1.0" (the description of the format by the author of
# XQStudio). Import and export preserve them.
PLIES = bytes.fromhex("2f386763 5760293b 2c4a2b27 22362133 182a2b2f 2422276b 606d336d 5e5e716f")
head = b"XQ\n".ljust(16, b"\0") + bytes.fromhex("50463c32281e140a00480c533f2b170309131d27313b454f59114d061a2e4256") + b"\0\0\0\2"
example = head.ljust(1024, b"\0") + bytes.fromhex("1820f0ff00000000") + b"".join(PLIES[i:i + 2] + bytes([0xf0 * (i < 30), *bytes(5)]) for i in range(0, 32, 2))
TOLD = ("1. 兵七进一 马８进７ 2. 兵三进一 炮２平３ 3. 相七进五 马２进１ 4. 马八进七 车１平２ "
        "5. 车九平八 车２进４ 6. 炮八平九 车２平８ 7. 炮二进五 炮３平８ 8. 马二进三 车９平８ 0-1\n")
same("xqf_example", load("example.xqf", example)[2], load("told.pgn", TOLD.encode())[2])
paotai("data", "export", "--format", "xqf", "--out", scratch("again"), scratch("example.xqf.run"))
with open(scratch("again/game-00000000.xqf"), "rb") as file:
    again = file.read()
same("xqf_example_again", (again[:0x34], again[1024:]), (head, example[1024:]))

# A truncated file is refused, wherever it ends; no part of its game is imported.
GAME = {**OLD[0], "line": ["说明", [[move, "好" * (at % 2), []] for at, move in enumerate(MOVES)]]}
CUTS = {"xqf10.xqf": records.xqf(GAME), "xqf16.xqf": records.xqf(GAME, 16), "1.cbr": records.cbr(GAME, 1), "2.cbr": records.cbr(GAME),
        "old.cbl": records.old_cbl(OLD[:1], 0), "x.mxq": mxq()}
for name, whole in CUTS.items():
    form = name.split(".")[1]
    for size in range(len(whole)):
        write(f"{name}.cut/{size:05}.{form}", whole[:size])
    done = paotai("data", "import", "--format", form, "--unknown", "draw", "--out", scratch(name + ".run"), scratch(name + ".cut"))
    counts = values(done.stdout)
    same("cut_" + name, (done.returncode, counts.get("games"), int(counts.get("refused", 0)) + int(counts.get("refused_files", 0))), (1, "0", len(whole)))
cbr, xqf = CUTS["2.cbr"], CUTS["xqf10.xqf"]
for name, content, why in (
        ("x.mxq", mxq(end=""), "ply 7"), ("y.mxq", mxq()[:-5], "without 'Ends'"), ("z.mxq", b"\xff" * 9, "without 'Ends'"),
        ("w.cbl", records.old_cbl(OLD)[:-9], "cannot be unpacked"), ("v.cbl", records.old_cbl(OLD, 0)[:300], "is incomplete"),
        ("u.cbl", records.old_cbl([{**OLD[0], "line": ["", [["h2e3", "", []]]]}]), "ply 1"),
        ("version.cbr", cbr[:19] + b"\3" + cbr[20:], ""), ("other.cbr", b"D" + cbr[1:], ""), ("other.cbl", b"D" + cbr[1:], ""),
        ("two.xqf", xqf[:16] + xqf[17:18] + xqf[17:], "two pieces on"), ("point.xqf", xqf[:1036] + b"\x72" + xqf[1037:], "ply 1"),
        ("short.xqf", xqf[:1000], "head"), ("behind.xqf", xqf[:-1], "file ends after")):
    done = paotai("data", "import", "--unknown", "draw", "--out", scratch("broken.run"), write(name, content))
    same("broken_" + name, (done.returncode, values(done.stdout).get("refused"), why in done.stdout), (1, "1", True))
done = paotai("data", "import", "--unknown", "skip", "--out", scratch("open.run"), write("open.xqf", xqf[:0x33] + b"\0" + xqf[0x34:]))
same("xqf_open", values(done.stdout).get("refused_result"), "1")
# The name of a player is too long for XQF. It comes from the provenance, not from a tag, so no lost
# tag is counted.
paotai("weights", "convert", "classic", "--out", scratch("weights_with_a_long_name.txt"))
paotai("selfplay", "--games", "2", "--nodes", "20", "--max-plies", "10", "--quiet", "--weights", scratch("weights_with_a_long_name.txt"), "--out", scratch("named"))
done = paotai("data", "export", "--format", "xqf", "--out", scratch("named_xqf"), scratch("named"))
same("xqf_long_names", (done.returncode, values(done.stdout).get("games"), "lost_tags" in done.stdout), (0, "2", False))
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Files of Chinese clients: one game in each form, and what is broken in them.
import re
import struct

from checks import finish, old_cbl, paotai, report, same, scratch, values, want, write

MOVES = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7".split()
CUT = MOVES[:5]


def points(move):
    """Columns from the left and rows from the top, of origin and target."""
    return [value for at in (0, 2) for value in ("abcdefghi".index(move[at]), 9 - int(move[at + 1]))]


def ccm(turned=False):
    out = b""
    for number, move in enumerate(MOVES):
        x0, y0, x1, y1 = (values - point if turned else point for point, values in zip(points(move), (8, 9, 8, 9)))
        out += bytes([1, 0, number % 2, x0, x1, y0, y1])
    return out


def chn(turned=False):
    out = bytes(188)
    for move in MOVES:
        out += struct.pack("<16H", 0, 0, *(values - point if turned else point for point, values in zip(points(move), (8, 9, 8, 9))), *[0] * 10)
    return out


def che():
    each = []
    for number, move in enumerate(MOVES):
        x0, y0, x1, y1 = points(move)
        each.append(f"9 32 {1 - number % 2} {9 - y0} {8 - x0} {9 - y1} {8 - x1} 0 {number + 1} 0 ")
    return f"1 {len(MOVES)} " + "".join(each)


def mxq(players="胡荣华-胜-许银川", end="Ends"):
    texts = ["弈天", "2003-05-01", players, "2400", "2410", *[""] * 5, "a comment", ""]
    texts += [f"{x0}{'JIHGFEDCBA'[y0]}-{x1}{'JIHGFEDCBA'[y1]}" for x0, y0, x1, y1 in map(points, MOVES)] + [end]
    return b"".join(bytes([len(text.encode("gbk"))]) + text.encode("gbk") for text in texts)


def cbf(moves=MOVES, fen="", result=1, encoding="UTF-8", more=""):
    each = "".join('<Move value="{}{}-{}{}"{}/>\n'.format(*points(move), ' end="1"' if at + 1 == len(MOVES) else "") for at, move in enumerate(moves))
    return (f'<?xml version="1.0" encoding="{encoding}"?>\n{more}<ChineseChessRecord Version="1.0">\n<Head><Title/><Event>1999年 &amp; 杯</Event>'
            f'<Red>胡荣华</Red><RedRating>2600</RedRating><Black>许银川</Black><ECCO>C41</ECCO><RecordResult>{result}</RecordResult><FEN>{fen}</FEN></Head>\n'
            f'<MoveList>\n<Move value="00-00"/>\n{each}</MoveList></ChineseChessRecord>\n').encode("gbk" if encoding == "gb2312" else "utf-8")


def load(name, content, *more):
    path = write(name, content)
    done = paotai("data", "import", *more, "--out", scratch(name + ".run"), path)
    pgn = paotai("data", "export", "--format", "pgn", scratch(name + ".run")).stdout
    moves = paotai("data", "export", "--format", "moves", scratch(name + ".run")).stdout.strip().split("\t")
    return done, dict(re.findall(r'^\[(\w+) "(.*)"\]$', pgn, re.M)), moves


for name, content in {"a.ccm": ccm(), "b.ccm": ccm(True), "a.chn": chn(), "b.chn": chn(True), "a.che": che()}.items():
    done, tags, moves = load(name, content, "--unknown", "draw")
    same("clients_" + name, (done.returncode, moves), (0, ["1/2-1/2", " ".join(MOVES)]))
    same(f"clients_{name}_asked", load("asked-" + name[:1] + name[2:], content, "--unknown", "draw", "--format", name[2:])[2][-1:], [" ".join(MOVES)])
for word, result in (("胜", "1-0"), ("和", "1/2-1/2"), ("负", "0-1")):
    done, tags, moves = load(f"{result[0]}{len(result)}.mxq", mxq(f"胡荣华-{word}-许银川"))
    same("clients_mxq_" + result.replace("/", ""), (done.returncode, moves, tags.get("Red"), tags.get("Black"), tags.get("RedElo"), tags.get("Site")),
         (0, [result, " ".join(MOVES)], "胡荣华", "许银川", "2400", "弈天"))
for name, content in {"a.cbf": cbf(), "gbk.cbf": cbf(encoding="gb2312"), "fen.cbf": cbf(fen="rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"),
                      "more.cbf": cbf(MOVES + ["c3c4", "a9a1"])}.items():
    done, tags, moves = load(name, content)
    same("clients_" + name, (done.returncode, moves, tags.get("Event"), tags.get("Red"), tags.get("RedElo"), tags.get("ECCO")),
         (0, ["1-0", " ".join(MOVES)], "1999年 & 杯", "胡荣华", "2600", "C41"))
for name, words, count in (("silent", [], 0), ("asked", ["--variations"], 1)):
    done = load(f"varied-{name}.cbf", cbf(MOVES + ["c3c4", "a9a1"]), *words)[0]
    same("clients_cbf_variations_" + name, (done.returncode, done.stderr.count("variations of 1 games were not read")), (0, count))
wide = cbf().decode().encode("utf-16")
for name, words in (("utf16", []), ("utf16-asked", ["--format", "cbf"])):
    same("clients_cbf_" + name, load(name + ".cbf", wide, *words)[2], ["1-0", " ".join(MOVES)])
same("clients_cbf_text", load("cbf.txt", cbf(result=2))[2][0], "0-1")
OLD = [(list(enumerate(MOVES, 1)), 1, "胡荣华", "许银川"), (list(enumerate(CUT, 1)), 3, "吕钦", "赵国荣")]
for packed in (3, 0):
    name = f"old{packed}.cbl"
    done, tags, moves = load(name, old_cbl(OLD, packed), *(("--format", "cbl") if packed else ()))
    got = paotai("data", "export", "--format", "moves", scratch(name + ".run")).stdout
    same("clients_" + name, (done.returncode, got, tags), (0, f"1-0\t{' '.join(MOVES)}\n1/2-1/2\t{' '.join(CUT)}\n",
                                                           {**tags, "Event": "杯赛", "Title": "题", "Site": "上海", "Date": "2003-05-01", "Red": "吕钦", "Black": "赵国荣"}))
whole = old_cbl(OLD, 0)
for size in range(0, len(whole), 7):  # a file that was cut off
    done = paotai("data", "import", "--format", "cbl", "--out", scratch(f"cut{size}.run"), write("cut.cbl", whole[:size]))
    want(done.returncode == 1 or size == 0, f"{size} bytes: {done.returncode}, {done.stdout[:200]}")
report("clients_old_cut")
bomb = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n'
for name, content, why in (("x.ccm", ccm()[:-1], "are no moves of 7 bytes"), ("x.chn", bytes(100), "are no moves of 32 bytes"), ("y.ccm", bytes(7), "ply 1"),
                           ("x.che", che()[:-30], "it tells of 6 moves"), ("y.che", "1 2 x", "it tells of 2 moves"), ("x.mxq", mxq(end=""), "ply 7"),
                           ("y.mxq", mxq()[:-5], "without 'Ends'"), ("z.mxq", b"\xff" * 9, "without 'Ends'"), ("x.cbf", cbf()[:-30], "is no XML"),
                           ("y.cbf", cbf(more=bomb), "it declares entities"), ("z.cbf", cbf(["h2e3"]), "ply 1"), ("w.cbf", cbf(fen="9/9"), "board: "),
                           ("w.cbl", old_cbl(OLD)[:-9], "cannot be unpacked"), ("v.cbl", whole[:300], "ends too early"), ("u.cbl", old_cbl([([(1, "h2e3")], 1, "", "")]), "ply 1")):
    done = paotai("data", "import", "--unknown", "draw", "--out", scratch(name + ".run"), write(name, content))
    same("clients_broken_" + name, (done.returncode, values(done.stdout).get("refused"), why in done.stdout), (1, "1", True))
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the commands notation, show and odds: known output, an error line in the place of each bad
# record, and exit statuses.
import json
import os
import re

from checks import SCRATCH, START, finish, outcome, report, want, want_same

FIVE = "h2e2 h9g7 h0g2 i9h9 c3c4"


# The example of five moves from notation.def is read and written in every notation.
with open("core/notation/notation.def", encoding="utf-8") as file:
    EXAMPLES = dict(re.findall(r'^NOTATION\(\w+, "([^"]+)", \w+, \w+, "\w*", \w+, "-?", "([^"]+)",$', file.read(), re.M))
want_same((len(EXAMPLES), EXAMPLES["uci"], EXAMPLES["wxf"]), (17, FIVE, "C2.5 H8+7 H2+3 R9.8 P7+1"), "examples")
for name, text in EXAMPLES.items():
    want_same(outcome("notation", "--from", "uci", "--to", name, "--game", stdin=f"{START}\t{FIVE}\n"), (0, text + "\n", ""), name)
    want_same(outcome("notation", "--from", name, "--to", "uci", "--game", stdin=f"{START}\t{text}\n"), (0, FIVE + "\n", ""), name)
want_same(outcome("notation", "--to", "system1", "--glyphs", stdin=f"{START}\th2e2\n")[1], "炮(32)-35\n", "--glyphs")
want_same(outcome("notation", "--to", "globalstar", "--shogi", stdin=f"{START}\th2e2\n")[1], "2h-5h\n", "--shogi")
# Without --game each line has one move, with --game all moves of a game. In both cases --from auto
# detects the notation.
for words, cut, answer in ((["--game"], None, FIVE), ([], 1, "h2e2")):
    lines = "".join(f"{START}\t{' '.join(text.split()[:cut])}\n" for text in EXAMPLES.values())
    status, out, err = outcome("notation", "--from", "auto", *words, stdin=lines)
    want((status, err) == (0, ""), f"--from auto {words}: {status} {err}")
    want_same(dict(zip(EXAMPLES, out.splitlines())), dict.fromkeys(EXAMPLES, answer), f"--from auto {words}")
status, out, _ = outcome("notation", "--from", "auto", "--game", stdin=f"{START}\tC2.5 H8+7 H2+9\n")
want((status, "ply 3" in out) == (1, True), f"the error of the system that comes furthest: {out}")
report("notation_systems")

# The command skips comments and blank lines. A bad record gets an error in its place, and the other
# records are converted.
records = "\n".join([
    "# a comment", "", f"{START}\th2e2", f"{START}\th2e3", "not a FEN\th2e2", START, f"{START}\th2e2\tmore",
    f"{START}\t", f"{START}\tg3g4\r", f"{START}\ta0a1",
]).encode() + b"\n" + START.encode() + b"\th2\0e2\n" + START.encode() + b"\t\xff\xfe\n" + START.encode() + b"\tb0c2"
status, out, _ = outcome("notation", "--to", "wxf", stdin=records)
lines = out.splitlines()
want_same(status, 1, "exit status with bad records")
want_same(len(lines), 11, "lines")
want_same([line for line in lines if not line.startswith("error\t")], ["C2.5", "P3+1", "R9+1", "H8+7"], "good records")
for number, words in ((4, "h2e3"), (5, "FEN"), (6, "tab"), (7, "more"), (8, "''"), (11, "zero"), (12, "UTF-8")):
    found = [line for line in lines if line.startswith(f"error\tline {number}: ") and words in line]
    want(len(found) == 1, f"no error for line {number} with {words!r} in {lines}")
want_same(lines[0], "C2.5", "order")
status, out, _ = outcome("notation", "--game", "--to", "wxf", stdin=f"{START}\th2e2 h9g7 h2e2\n{START}\t\n{START}\th2e2\n")
want_same((status, out.splitlines()[1:]), (1, ["", "C2.5"]), "games")
want(out.startswith("error\tline 1: ply 3: 'h2e2'"), f"the error of a game: {out!r}")
path = os.path.join(SCRATCH, "moves")
with open(path, "w", encoding="utf-8") as file:
    file.write(f"{START}\t炮二平五\n")
want_same(outcome("notation", "--from", "chinese", path), (0, "h2e2\n", ""), "FILE")
want_same(outcome("notation", stdin=b""), (0, "", ""), "nothing to do")
for args, expected in ((("--to", "klingon"), 2), (("--from",), 2), ((path, path), 2), ((path + "-missing",), 1)):
    status, out, err = outcome("notation", *args)
    want(status == expected and out == "" and err, f"{args}: exit {status}, expected {expected}: {err!r}")
report("notation_records")

# A file of games is refused by one message, which names its format and the commands that convert it.
status, out, err = outcome("notation", "--to", "wxf", stdin='# a comment\n[Event "x"]\n\n1. h2e2 h9g7 1-0\n')
want_same((status, out, err.count("\n")), (1, "", 1), "exit status and lines")
want("line 2: a file of games in the format pgn" in err and "'paotai data export --format pgn --moves NOTATION DIR'" in err, err)
report("notation_game_file")

# `show` prints the complete drawing in letters. For other styles only the differences are tested.
BOARD = r"""
  9  r---h---e---a---k---a---e---+---r
     |   |   |   | \ | / |   |   |   |
  8  +---+---+---+---+---+---+---+---+
     |   |   |   | / | \ |   |   |   |
  7  +---c---+---+---+---+---h---c---+
     |   |   |   |   |   |   |   |   |
  6  p---+---p---+---p---+---p---+---p
     |   |   |   |   |   |   |   |   |
  5  +---+---+---+---+---+---+---+---+
     |           R I V E R           |
  4  +---+---+---+---+---+---+---+---+
     |   |   |   |   |   |   |   |   |
  3  P---+---P---+---P---+---P---+---P
     |   |   |   |   |   |   |   |   |
  2  +---C---+---+---C---+--[H]--+---+
     |   |   |   | \ | / |   |   |   |
  1  +---+---+---+---+---+---+---+---+
     |   |   |   | / | \ |   |   |   |
  0  R---H---E---A---K---A---E--(+)--R

     a   b   c   d   e   f   g   h   i

last move h0g2 H2+3 馬二進三
Black to move
fen rheakae1r/9/1c4hc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1H2/9/RHEAKAE1R b 3 2
"""[1:]
args = ("--from", "wxf", "--moves", "C2.5 H8+7 H2+3", "--dialect", "cecp")
want_same(outcome("show", START, "--pieces", "letters", *args), (0, BOARD, ""), "letters")
want_same(outcome("show", *START.split(), "--pieces", "letters", *args), (0, BOARD, ""), "FEN in several arguments")
_, out, _ = outcome("show", START, "--moves", "i0i1")
rows = out.splitlines()
want_same(rows[0], "  9  車--馬--象--士--將--士--象--馬--車", "Black's pieces")
want_same(rows[18], "  0  俥--傌--相--仕--帥--仕--相--傌-(+)", "Red's pieces and the origin")
want_same(rows[16], "  1  +---+---+---+---+---+---+---+--[俥]", "the target")
want_same(rows[9], "     |      楚 河         漢 界      |", "the river")
_, out, _ = outcome("show", START, "--black-below", "--color", "always")
rows = out.splitlines()
want(rows[0].startswith("  0  \033[1;31m俥\033[0m--\033[1;31m傌") and "\033[1m將\033[0m" in rows[18], "Black below, in colour")
want_same(rows[20].split(), list("ihgfedcba"), "files from Black's side")
want("\033" not in outcome("show", START)[1], "colours in a pipe")
want_same(outcome("show", START, "--dialect", "qh")[1].splitlines()[-1],
     "fen rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - - 1", "qh")
want_same(outcome("show", "rhmgkaenr/9/1c5c1/s1p1s1p1p/9/9/P1P1S1P1P/1C5C1/9/RNMGKAEHR r", "--dialect", "cecp")[1].splitlines()[-1],
     "fen rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 0 1", "all letters that are read")
want_same(outcome("show", "4k4/4a4/3aR4/9/9/9/9/9/9/4K4 w", "--moves", "e7d7")[1].splitlines()[-2], "Black to move", "no check")
want_same(outcome("show", "4k4/4a4/3aR4/9/9/9/9/9/9/4K3R w", "--moves", "i0i9")[1].splitlines()[-2], "Black to move, checkmated", "mate")
want_same(outcome("show", "3k5/9/3P5/9/4R4/9/9/9/9/5K3 w", "--moves", "e5e6")[1].splitlines()[-2], "Black to move, stalemated", "stalemate")
want_same(outcome("show", "3k5/9/9/9/9/9/9/9/4R4/5K3 w", "--moves", "e1d1")[1].splitlines()[-2], "Black to move, in check", "check")
for args, expected in ((("zz",), 1), (("4k4/9/9/9/9/9/9/9/9/4K4 w",), 1), (("4k4/9/9/9/9/9/9/9/9/3K5 x",), 1), ((START, "--moves", "h2e3"), 1), ((START, "--dialect", "x"), 2), ((START, "--data", "x"), 2)):
    status, out, err = outcome("show", *args)
    want(status == expected and out == "" and err, f"show {args}: exit {status}, expected {expected}: {err!r}")
report("show")

# With '-', show reads a FEN from standard input. Without an argument, show draws the start position.
# If standard input then contains data, a note says that show does not read it.
FEN = "4k4/9/9/9/9/9/9/9/5R3/3K5 w - - 0 1"
drawn = outcome("show", FEN, "--moves", "f1f2")
want(drawn[0] == 0 and drawn[1], f"show: {drawn}")
want_same(outcome("show", "-", stdin=f"# a comment\n\n{FEN} moves f1f2\nnot read\n"), drawn, "show - with moves")
want_same(outcome("show", "--moves", "f1f2", "-", stdin=FEN), drawn, "show - with --moves")
for text, why in (("", "standard input: it has no line"), ("zz\n", "board: "), ("4k4\0\n", "zero byte")):
    status, out, err = outcome("show", "-", stdin=text)
    want(status == 1 and out == "" and why in err, f"show - with {text!r}: {status}, {err!r}")
start = outcome("show", START)
want_same(outcome("show"), start, "show with empty standard input")
status, out, err = outcome("show", stdin=f"{FEN} moves f1f2\n")
want(status == 0 and out == start[1] and "note: standard input is not read" in err and "'paotai show -'" in err, f"show with a FEN in standard input: {status}, {err!r}")
report("show_input")

# show --data draws a stored game at its end and at an earlier ply.
run = os.path.join(SCRATCH, "run")
if outcome("selfplay", "--games", "2", "--nodes", "100", "--out", run, "--quiet")[0] == 0:
    status, out, _ = outcome("show", "--data", run, "--game", "1", "--ply", "0")
    want(status == 0 and out.startswith("game 1, ply 0 of ") and START in out, f"the start of game 1: {out!r}")
    status, out, _ = outcome("show", "--data", run, "--game", "1")
    want(status == 0 and "last move " in out and "[" in out, f"the end of game 1: {out!r}")
    first = outcome("show", "--data", run, "--game", "0")[1]
    want(first.startswith("game 0, ") and first != out, "games differ")
    for args in (("--game", "2"), ("--game", "1", "--ply", "100000")):
        status, _, err = outcome("show", "--data", run, *args)
        want(status == 1 and err, f"show --data {args}: exit {status}")
else:
    want(False, "selfplay failed")
report("show_data")

# Tests `paotai odds list` and `paotai odds show`.
status, out, _ = outcome("odds", "list")
names = [line.split()[0] for line in out.splitlines()]
want_same((status, names), (0, "rook 2knights 1knight knight+N 4plus:N 3moves 2moves 1move half cannon".split()), "odds list")
status, out, _ = outcome("odds", "show", "rook")
values = dict(line.split(" ", 1) for line in out.splitlines())
want_same(list(values), "name giver receiver fen moves reach iron_men iron set_games first_moves summary".split(), "keys")
want_same(values["fen"], "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 0 1", "rook odds")
want_same((values["giver"], values["iron_men"], values["first_moves"]), ("Red", "a3 b0 b2", "42"), "rook odds")
want_same(json.loads(outcome("odds", "show", "4plus:5", "--json")[1])["first_moves"], 36, "--json")
for args, expected in ((("show",), 2), (("show", "queen"), 2), (("show", "4plus:3"), 2), (("list", "x"), 2), ((), 2)):
    status, out, err = outcome("odds", *args)
    want(status == expected and out == "" and err, f"odds {args}: exit {status}, expected {expected}: {err!r}")
report("odds")
finish()

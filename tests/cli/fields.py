# SPDX-License-Identifier: GPL-3.0-or-later
# Tests what single fields of positions mean when they come in: counters, sides, scores, and fields
# that come twice. Results have scripts of their own.
import csv
import re

from checks import finish, paotai, read, same, scratch, values, write

S = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR"  # Red has moved a cannon
runs = 0


def take(content, *options, name="x", fill=True):
    """Imports a file and returns (the finished process, the stored positions as dictionaries)."""
    global runs
    runs += 1
    run = scratch(f"run{runs}")
    done = paotai("data", "import", *(["--fill-moves"] if fill else []), *options, "--out", run, write(f"{runs}/{name}", content))
    rows = list(csv.DictReader(paotai("data", "export", "--format", "csv", "--positions", "all", run).stdout.splitlines()))
    return done, rows


def column(rows, name):
    return [row[name] for row in rows]


def refused(name, content, *words, options=(), file="x", status=1):
    """Checks that a file is refused as a whole, with a message that contains all the words."""
    done, rows = take(content, *options, name=file)
    same(name, (done.returncode, rows, [word for word in words if word not in done.stdout + done.stderr]), (status, [], []))


# ---- EPD: one reader for imports, opening books and `analyse` ----------------------------------------
line = f"{S} b - - hmvc 118; fmvn 90; c9 \"1-0\";"
done, rows = take(line + "\n")
same("epd_counters_import", column(rows, "fen"), [f"{S} b - - 118 90"])
for name, book in (("epd", line), ("fen", f"{S} b - - 118 90"), ("half", f"{S} b hmvc 118; fmvn 90;"), ("same", f"{S} b - - 118 90 hmvc 118;")):
    paotai("selfplay", "--games", "1", "--nodes", "20", "--max-plies", "2", "--quiet", "--openings", write(name + ".book", book + "\n"), "--out", scratch(name))
    moves = paotai("data", "export", "--format", "moves", "--quiet", scratch(name)).stdout
    same("epd_counters_book_" + name, moves.split("\t")[1], f"{S} b - - 118 90")
    tag = paotai("data", "export", "--format", "pgn", "--quiet", scratch(name)).stdout
    same("epd_counters_pgn_" + name, re.findall(r'^\[FEN "(.*)"\]', tag, re.M), [f"{S} b - - 118 90"])
# With 119 plies without a capture, the next one ends the game as a draw, so the score is 0.
LATE = "3k5/9/9/9/9/9/9/4R4/9/4K4 b - - hmvc 119; fmvn 90; id \"late\";\n"
early = paotai("analyse", "--nodes", "2000", stdin=LATE.replace("119", "1")).stdout.split("\t")[0]
late = paotai("analyse", "--nodes", "2000", stdin=LATE).stdout.split("\t")[0]
same("epd_counters_analyse", (early != "0", late), (True, "0"))
for name, words, why in (("twice", f"{S} b - - hmvc 1; hmvc 2;", "hmvc comes twice"), ("id", f'{S} b - - id "a"; id "b";', "id comes twice"),
                         ("result", f'{S} b - - c9 "1-0"; c9 "0-1";', "c9 comes twice"), ("move", f"{S} b - - sm h9g7; sm b9c7;", "sm comes twice"),
                         ("best", f"{S} b - - bm h9g7; bm b9c7;", "bm comes twice"), ("differ", f"{S} b - - 3 4 hmvc 7; c9 \"1-0\";", "hmvc says 7"),
                         ("counter", f"{S} b - - hmvc x; c9 \"1-0\";", "hmvc")):
    refused("epd_refused_" + name, words + "\n", why, file="x.epd")
    done = paotai("book", "info", write("bad.book", words + "\n"))
    same("epd_book_refused_" + name, (done.returncode, why in done.stderr, "bad.book:1" in done.stderr), (1, True, True))
    done = paotai("analyse", "--static", stdin=words + "\n")
    same("epd_analyse_refused_" + name, (done.returncode, why in done.stdout), (1, True))
done, rows = take(f'{S} b - - c0 "a; b"; c9 "1-0";\n{S} b - - c0 "never closed; c9 "0-1";\n')
same("epd_quoted_semicolon", column(rows, "result"), column(take(f'{S} b - - c9 "1-0";\n{S} b - - c9 "0-1";\n')[1], "result"))

# ---- the old form of Ethereal's tuner ------------------------------------------------------------------
# "FEN [result] score": both from Red's side, the score in 1/100 points.
done, rows = take(f"{S} b - - 0 1 [1.0] 35\n{S} b - - 0 1 [0.5] -7\n{S} b - - 0 1 [0.0] -350\n")
same("ethereal", (done.returncode, column(rows, "score_red"), column(rows, "mate_red")), (0, ["35", "-7", "-350"], ["0"] * 3))
same("ethereal_results", column(rows, "result"), column(take(f"{S} b - - 0 1 [1.0]\n{S} b - - 0 1 [0.5]\n{S} b - - 0 1 [0.0]\n")[1], "result"))
refused("ethereal_score", f"{S} b - - 0 1 [1.0] best\n", "score", "best")
refused("ethereal_twice", f"{S} b - - 0 1 [1.0] 35 40\n", "score")

# ---- positions without a side --------------------------------------------------------------------------
done = paotai("analyse", "--static", stdin=f"{S}\n{S} b\n{S}\tb0c2\n")
same("side_analyse", (done.returncode, done.stderr.count("do not state the side"), "2 of 3 lines" in done.stderr), (0, 1, True))
done = paotai("analyse", "--static", stdin=f"{S} w\n{S} b bm h9g7;\n")
same("side_analyse_stated", (done.returncode, done.stderr), (0, ""))
SIDES = [("w", "w"), ("r", "w"), ("Red", "w"), ("WHITE", "w"), ("b", "b"), ("Black", "b")]
for name in ("stm", "turn", "side", "active", "to_move", "side_to_move", "STM"):
    done, rows = take(f"fen,{name},result\n" + "".join(f"{S},{word},1-0\n" for word, _ in SIDES))
    same("side_column_" + name, (done.returncode, [fen.split()[1] for fen in column(rows, "fen")]), (0, [side for _, side in SIDES]))
done, rows = take(f"result;fen;stm\n0-1;{S} b - - 3 4;b\n0-1;{S} w;\n")
same("side_column_agrees", (done.returncode, column(rows, "fen")), (0, [f"{S} b - - 3 4", f"{S} w - - 0 1"]))
for name, row, why in (("other", f"{S} w,b", "name different sides"), ("zero", f"{S},0", "'0' is not a side"), ("true", f"{S},True", "'True' is not a side"), ("empty", f"{S},", "--side red")):
    done, rows = take(f"fen,stm,result\n{row},1-0\n{S},b,1-0\n")
    same("side_column_" + name, (done.returncode, why in done.stdout, column(rows, "fen")), (1, True, [f"{S} b - - 0 1"]))
BARE = {"texel": f"{S} [0.0]\n", "bullet": f"{S} | 35 | 0.0\n", "epd": f"{S} c9 \"0-1\";\n", "csv": f"fen,result\n{S},0-1\n", "ethereal": f"{S} [0.0] 35\n",
        "moves": f"0-1\t{S}\th9g7\n", "position": f"{S} moves h9g7\n", "pgn": f'[FEN "{S}"]\n[Result "0-1"]\n\n1. h9g7 0-1\n',
        "plain": f"fen {S}\nresult 1\ne\n", "dhtmlxq": f"[DhtmlXQ][DhtmlXQ_fen]{S}[/DhtmlXQ_fen][DhtmlXQ_result]黑胜[/DhtmlXQ_result][DhtmlXQ_movelist]7062[/DhtmlXQ_movelist][/DhtmlXQ]"}
for name, content in BARE.items():
    refused("side_missing_" + name, content, "does not state the side to move", "--side red", options=["--unknown", "draw"])
    done, rows = take(content, "--side", "black", "--unknown", "draw")
    same("side_given_" + name, (done.returncode, column(rows, "fen"), values(done.stdout).get("sides_by_option")), (0, [f"{S} b - - 0 1"], "1"))
done, rows = take(f"{S} b [0.0]\n", "--side", "red")
same("side_unused", (done.returncode, column(rows, "fen"), "--side had no effect" in done.stderr), (0, [f"{S} b - - 0 1"], True))
# Other commands keep Red as the default.
for name, words, text in (("judge", ["judge"], S + "\te2e6\n"), ("notation", ["notation", "--to", "wxf"], S + "\te2e6\n"), ("show", ["show", S], ""),
                          ("perft", ["perft", "--suite", "/dev/stdin"], S + "\t1\t35\n"), ("book", ["book", "info", write("bare.book", S + "\n")], "")):
    done = paotai(*words, stdin=text)
    same("side_default_" + name, (done.returncode, "side to move" in done.stderr), (0, False))
same("side_default_red", values(paotai("book", "info", scratch("bare.book")).stdout)["red_to_move"], "1")
finish()

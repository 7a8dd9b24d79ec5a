# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests what single fields of a file mean when they come in: FENs, counters, sides, scores, results, comments,
tags, and fields that come twice. Most cases are rows: a name, a text, options of `data import`, and what is
stored or said. formats.py tests whole files of each format."""
import os
import re

from checks import DATA, START, finish, paotai, report, same, scratch, values, want_same, write
from imports import Import, row

BOARD = START.split()[0]
S = BOARD.replace("1C5C1", "1C2C4")  # Red has moved a cannon
FILL = "--fill-moves"
MATED = "3k5/R8/1R7/9/9/9/9/9/9/4K4"


def table(names, cells):
    """Returns a csv whose second column has these cells."""
    return names + "\n" + "".join(f"{S} b,{cell},1-0\n" for cell in cells)


def refused(name, content, *says, options=(), file="x"):
    """Checks that a file is refused as a whole, with a message that contains all the words."""
    row(name, content, FILL, *options, file=file, status=1, rows=[], says=list(says))


# ---- EPD: one reader for imports, opening books and `analyse` ----------------------------------------
line = f"{S} b - - hmvc 118; fmvn 90; c9 \"1-0\";"
row("epd_counters_import", line + "\n", FILL, file="x", fen=[f"{S} b - - 118 90"])
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
row("epd_quoted_semicolon", f'{S} b - - c0 "a; b"; c9 "1-0";\n{S} b - - c0 "never closed; c9 "0-1";\n', FILL, file="x", result=["1-0", "0-1"])
# The old form of Ethereal's tuner, "FEN [result] score": both from Red's side, the score in 1/100 points.
row("ethereal", f"{S} b - - 0 1 [1.0] 35\n{S} b - - 0 1 [0.5] -7\n{S} b - - 0 1 [0.0] -350\n", FILL, file="x", status=0,
    score_red=["35", "-7", "-350"], mate_red=["0"] * 3, result=["1-0", "1/2-1/2", "0-1"])
refused("ethereal_score", f"{S} b - - 0 1 [1.0] best\n", "score", "best")
refused("ethereal_twice", f"{S} b - - 0 1 [1.0] 35 40\n", "score")

# ---- FENs as they are found on the Internet ------------------------------------------------------------
for number, fen in enumerate((f"{BOARD}[] w - - 0 1", f"{BOARD}[-] w", f"{BOARD}_w_-_-_0_1", f"{BOARD}[]_w_-_-_0 1"), 1):
    shown = paotai("show", "--json", fen)
    uci = paotai(stdin=f"position fen {fen} moves h2e2 h9g7\nd\nquit\n")
    got = [shown.returncode, START in shown.stdout, "Fen: rnbakab1r/9/1c4nc1" in uci.stdout,
           paotai("judge", stdin=f"{fen}\th2e2 h9g7\n{fen} moves h2e2\n").stdout,
           paotai("notation", "--from", "uci", "--to", "wxf", "--game", stdin=f"{fen}\th2e2\n").stdout,
           paotai("perft", "1", "--fen", fen).stdout.split()[:2],
           len(paotai("analyse", "--static", "--quiet", stdin=f"{fen}\n{fen} moves h2e2\n").stdout.splitlines()),
           values(paotai("book", "info", write("book.epd", f"{fen}\n{fen}\th2e2\n{fen} moves h2e2 h9g7\n")).stdout).get("unique")]
    for text in (f"{fen} moves h2e2 h9g7\n{fen} sm b2e2; c9 \"1-0\";\n{fen} sm h2e2; [0.0]\n", f'[FEN "{fen}"]\n[Result "1-0"]\n\n1. h2e2 1-0\n',
                 f"fen,move,result\n{fen},h2e2,1-0\n", f"1-0\t{fen}\th2e2\n"):
        got.append(Import(text, "--unknown", "draw").games)
    same(f"fen_{number}", got, [0, True, True, "none\t-\nnone\t-\n", "C2.5\n", ["nodes", "44"], 2, "3",
                                ["1/2-1/2 h2e2 h9g7", "1-0 b2e2", "0-1 h2e2"], ["1-0 h2e2"], ["1-0 h2e2"], ["1-0 h2e2"]])
HELD = f"{BOARD}[Pp] w - - 0 1"
for name, done in (("show", paotai("show", HELD)), ("judge", paotai("judge", stdin=HELD + "\n")), ("perft", paotai("perft", "1", "--fen", HELD))):
    same("hand_" + name, (done.returncode > 0, "hand: '[Pp]'" in done.stdout + done.stderr), (True, True))
for name, text in (("import", f"{HELD} sm h2e2; [1.0]\n"), ("pgn", f'[FEN "{HELD}"]\n[Result "1-0"]\n\n1. h2e2 1-0\n'), ("moves", f"1-0\t{HELD}\th2e2\n")):
    row("hand_" + name, text, status=1, says=["hand: '[Pp]'"])


def wild(name):
    return os.path.join(DATA, "wild", name)


row("pychess", None, wild("pychess.pgn"), games=["1-0 a6a9 e8d9 b6b9"])

# ---- positions with moves ------------------------------------------------------------------------------
for name, words in (("plain", []), ("filled", [FILL]), ("epd", [FILL, "--format", "epd"]), ("moves", ["--format", "moves"])):
    row("moves_" + name, None, "--unknown", "draw", *words, wild("yk2.txt"), games=["1/2-1/2 h2e2 h9g7"], errors=[])
same("moves_no_result", ["how the game ended" in error for error in Import(None, wild("yk2.txt")).errors], [True])
LINES = {f"{START} moves h2e2 h9g7": "h2e2 h9g7", f"fen {START} moves h2e2": "h2e2", "startpos moves b2e2": "b2e2", f"position fen {START} moves c3c4 c6c5": "c3c4 c6c5",
         f"{START}\tb0c2 b9c7": "b0c2 b9c7", f"{BOARD} w h2e2 h9g7": "h2e2 h9g7"}
for name, order in (("down", 1), ("up", -1)):
    text = "\n".join([*LINES, f'{BOARD} w - - sm h0g2; c9 "1-0";'][::order]) + "\n"
    row("moves_forms_" + name, text, "--unknown", "draw", FILL, games=[*("1/2-1/2 " + moves for moves in LINES.values()), "1-0 h0g2"][::order], errors=[])
# Illegal moves, unknown words and damaged boards are refused. None of them is skipped or misread.
for number, line in enumerate((f"{START} moves h2e9", f"{START} h2e9 h9g7", f"{START} moves", f"{START} moves i9i8 h9g7", f"{START} x4 y5", f"{START} 3-0",
                               f"1-0\t{BOARD[:-1]} w\th2e2", f"1-0\t{BOARD}x w\th2e2", f"{START} moves h2e2 zz"), 1):
    same(f"misread_{number}", len(row(f"misread_{number}_refused", line + "\n", "--unknown", "draw", FILL, games=[], refused="1").errors), 1)
same("shown_with_moves", re.findall(r'"last_move":"(\w+)"', paotai("show", "--json", *f"{START} moves h2e2 h9g7".split()).stdout), ["h9g7"])
TWO = "3k5/9/9/9/9/9/9/R7R/9/4K4 w"
for name, done in (("import", paotai("data", "import", "--out", scratch("never"), wild("ambiguous.pgn"))),
                   ("import_lines", paotai("data", "import", "--out", scratch("never"), stdin=f"1-0\t{TWO}\tRe2\n")),
                   ("openings", paotai("book", "info", wild("ambiguous.pgn"))),
                   ("notation", paotai("notation", "--from", "auto", "--to", "uci", stdin=f"{TWO}\tRe2\n")),
                   ("notation_san", paotai("notation", "--from", "san", "--to", "uci", stdin=f"{TWO}\tRe2\n")),
                   ("notation_game", paotai("notation", "--game", "--from", "auto", "--to", "uci", stdin=f"{TWO}\tRe2 Kd8\n")),
                   ("later", paotai("data", "import", "--out", scratch("never"), stdin=f'[FEN "{TWO}"]\n[Result "1-0"]\n\n1. Rae2 Kd8 2. Rea2 Kd9 3. Rc2 1-0\n'))):
    said = done.stdout + done.stderr
    same("ambiguous_" + name, (done.returncode > 0, "ambiguous" in said, [word in said for word in (("a2e2", "i2e2") if name != "later" else ("ply 5", "i2c2"))]),
         (True, True, [True, True]))
row("not_ambiguous", f'[FEN "{TWO}"]\n[Result "1-0"]\n\n1. Rae2 Kd8 1-0\n', games=["1-0 a2e2 d9d8"])
# Positions without moves are openings, but no games.
BARE = ["3k5/9/9/9/9/9/9/9/9/RR2K4 w - - 0 1", "3k5/4a4/9/9/9/9/9/9/9/R3K4 b - - 0 1", "3k5/4a4/9/9/9/9/9/9/4A4/C1N1K4 w - - 0 1"]
SHORT = ["--nodes", "20", "--max-plies", "6", "--quiet"]
for name, path in (("pgn", wild("positions.pgn")), ("line", write("line.pgn", " ".join(f'[FEN "{fen}"] [Result "*"]' for fen in BARE))),
                   ("other_tags", write("tags.pgn", "\n".join(f'[{name} "x"]\n[FEN "{fen}"]\n' for name, fen in zip(("Event", "Site", "Round"), BARE)))),
                   ("csv", write("bare.csv", "fen,score\n" + "".join(f"{fen},1\n" for fen in BARE)))):
    done = paotai("selfplay", "--openings", path, "--games", "3", *SHORT, "--out", scratch("games_" + name))
    starts = [line.split("\t")[1] for line in paotai("data", "export", "--format", "moves", scratch("games_" + name)).stdout.splitlines()]
    same("positions_played_" + name, (done.returncode, sorted(starts)), (0, sorted(BARE)))
got = row("positions_no_games", None, wild("positions.pgn"), games=[], refused_length="3")
same("positions_no_games_lines", [error.split(":")[0] for error in got.errors if "no moves" in error], ["line 1", "line 7", "line 9"])
done = paotai("match", "--openings", wild("positions.pgn"), "--a", "weights=classic", "--b", "weights=classic", "--pairs", "3", *SHORT)
same("positions_match", (done.returncode, values(done.stdout).get("games")), (0, "6"))
TEXT = "".join((f'[FEN "{BOARD} w - - 0 1"]\n[Result "1-0"]\n\n1-0\n\n', f'[FEN "{BOARD} b - - 0 1"]\n[Result "0-1"]\n\n', f'[FEN "{BOARD} b - - 3 9"]\n[Result "1/2-1/2"]\n\n1/2-1/2\n'))
row("bare_filled", TEXT, FILL, file="in.pgn", status=0, positions="3", result=["1-0", "0-1", "1/2-1/2"], verify=0)
same("bare_refused", ["--fill-moves" in error for error in row("bare_not_filled", TEXT, file="in.pgn", games=[]).errors], [True] * 3)
for number, text in enumerate(('[Result "1-0"]\n\n1-0\n', f'[FEN "{MATED} b - - 0 1"]\n[Result "1-0"]\n\n1-0\n')):
    same(f"bare_no_position_{number}", len(row(f"bare_no_position_{number}_kept", text, FILL, file="in.pgn", games=[]).errors), 1)
row("bare_digits", f'[FEN "{START}"]\n[Result "1-0"]\n\n7747 7062 1-0\n', FILL, file="in.pgn", games=["1-0 h2e2 h9g7"])

# ---- positions without a side --------------------------------------------------------------------------
done = paotai("analyse", "--static", stdin=f"{S}\n{S} b\n{S}\tb0c2\n")
same("side_analyse", (done.returncode, done.stderr.count("do not state the side"), "2 of 3 lines" in done.stderr), (0, 1, True))
done = paotai("analyse", "--static", stdin=f"{S} w\n{S} b bm h9g7;\n")
same("side_analyse_stated", (done.returncode, done.stderr), (0, ""))
SIDES = [("w", "w"), ("r", "w"), ("Red", "w"), ("WHITE", "w"), ("b", "b"), ("Black", "b")]
for name in ("stm", "turn", "side", "active", "to_move", "side_to_move", "sidetomove", "Active_Color", "STM"):
    got = row("side_column_" + name, f"fen,{name},result\n" + "".join(f"{S},{word},1-0\n" for word, _ in SIDES), FILL, file="x", status=0,
              fen=[f"{S} {side} - - 0 1" for _, side in SIDES])
# A file in which no value is a side is refused for its values, not for its FENs.
got = row("side_column_numbers", f"fen,stm,result\n{S},0,1-0\n{S},1,1-0\n", FILL, file="x", status=1, rows=[])
same("side_column_numbers_lines", re.findall(r"line (\d).*'([01])' is not a side", got.out), [("2", "0"), ("3", "1")])
row("side_column_agrees", f"result;fen;stm\n0-1;{S} b - - 3 4;b\n0-1;{S} w;\n", FILL, file="x", status=0, fen=[f"{S} b - - 3 4", f"{S} w - - 0 1"])
for name, cells, why in (("other", f"{S} w,b", "name different sides"), ("zero", f"{S},0", "'0' is not a side"), ("true", f"{S},True", "'True' is not a side"), ("empty", f"{S},", "--side red")):
    row("side_column_" + name, f"fen,stm,result\n{cells},1-0\n{S},b,1-0\n", FILL, file="x", status=1, says=[why], fen=[f"{S} b - - 0 1"])
SIDELESS = {"texel": f"{S} [0.0]\n", "bullet": f"{S} | 35 | 0.0\n", "epd": f"{S} c9 \"0-1\";\n", "csv": f"fen,result\n{S},0-1\n", "ethereal": f"{S} [0.0] 35\n",
            "moves": f"0-1\t{S}\th9g7\n", "position": f"{S} moves h9g7\n", "pgn": f'[FEN "{S}"]\n[Result "0-1"]\n\n1. h9g7 0-1\n', "plain": f"fen {S}\nresult 1\ne\n",
            "dhtmlxq": f"[DhtmlXQ][DhtmlXQ_fen]{S}[/DhtmlXQ_fen][DhtmlXQ_result]黑胜[/DhtmlXQ_result][DhtmlXQ_movelist]7062[/DhtmlXQ_movelist][/DhtmlXQ]"}
for name, content in SIDELESS.items():
    refused("side_missing_" + name, content, "does not state the side to move", "--side red", options=["--unknown", "draw"])
    row("side_given_" + name, content, FILL, "--side", "black", "--unknown", "draw", file="x", status=0, fen=[f"{S} b - - 0 1"], sides_by_option="1")
row("side_unused", f"{S} b [0.0]\n", FILL, "--side", "red", file="x", status=0, fen=[f"{S} b - - 0 1"], says=["--side had no effect"])
# Other commands keep Red as the default.
for name, words, text in (("judge", ["judge"], S + "\te2e6\n"), ("notation", ["notation", "--to", "wxf"], S + "\te2e6\n"), ("show", ["show", S], ""),
                          ("perft", ["perft", "--suite", "/dev/stdin"], S + "\t1\t35\n"), ("book", ["book", "info", write("bare.book", S + "\n")], "")):
    done = paotai(*words, stdin=text)
    same("side_default_" + name, (done.returncode, "side to move" in done.stderr), (0, False))
same("side_default_red", values(paotai("book", "info", scratch("bare.book")).stdout)["red_to_move"], "1")
# A whole file without sides is refused once; if only some positions lack it, each is refused alone.
refused("side_missing_once", f"{S} [0.0]\n" * 40, "40 positions in 1 file", "line 1")
same("side_missing_some", len(row("side_missing_some_kept", f"{S} [0.0]\n{S} b [0.0]\n{S} [1.0]\n", FILL, file="x", status=1, fen=[f"{S} b - - 0 1"]).errors), 2)
for name, content, options, origin in (("column", f"fen,turn,result\n{S},b,1-0\n", [], "turn"), ("fen", f"fen,result\n{S} b,1-0\n", [], "fen"), ("option", f"{S} [1.0]\n", ["--side", "black"], "--side")):
    shown = values(paotai("data", "import", FILL, "--check", *options, write(f"check.{name}", content)).stdout)
    same("side_checked_" + name, (shown.get("side"), shown.get("side_from")), ("black", origin))

# ---- units and points of view of scores ----------------------------------------------------------------
PAWNS, CENTIPAWNS, FAIRY = ["0.35", "-1.20", "9.5", "10", "0"], ["35", "-120", "950", "1000", "0"], ["208", "-104", "0", "32002", "-32002", "31997", "-31996"]
FRACTIONS = {"bullet": f"{S} b | 0.35 | 1.0\n", "ethereal": f"{S} b [1.0] 0.35\n", "epd": f'{S} b - - c9 "1-0"; ce 0.35;\n', "plain": f"fen {S} b\nscore 0.35\nresult 1\ne\n"}
refused("unit_fractions", table("fen,score,result", ["0"] + PAWNS), "line 3", "'0.35' has a fraction", "3 scores in 1 file", "--score-unit pawn", "_pawns")
for name, content in FRACTIONS.items():
    refused("unit_fractions_" + name, content, "has a fraction", "--score-unit", "0.35" if name == "plain" else "line 1")
ENTRIES = "".join(f"fen {S} b - - 0 1\nmove a10a9\nscore {value}\nply 1\nresult 0\ne\n" for value in FAIRY)
SCORES = [  # name, text, options, scores, mates
    *((f"unit_pawn_{name}", content, "pawn", ["-35" if name in ("epd", "plain") else "35"], None) for name, content in FRACTIONS.items()),
    ("unit_pawn", table("fen,score,result", PAWNS), "pawn", CENTIPAWNS, ["0"] * 5),
    *((f"unit_{names}", table(names, PAWNS), "", CENTIPAWNS, None) for names in ("fen,score_pawns,result", "fen,eval_pawn,result", "fen,score_red_pawns,result", "fen,score_pawns_white,result")),
    *((f"unit_{names}", table(names, ["35.4", "-120.5", "7"]), "", ["35", "-121", "7"], None) for names in ("fen,score_cp,result", "fen,cp,result", "fen,evaluation_cp,result")),
    ("unit_centipawn", table("fen,score,result", ["35.4", "-7"]), "centipawn", ["35", "-7"], None),
    ("unit_comma_quoted", table("fen,score_pawns,result", ['"0,35"']), "", ["35"], None),
    ("unit_comma_bullet", f"{S} b | 0,35 | 0,5\n{S} b | -2,5 | 1\n", "pawn", ["35", "-250"], None),
    ("unit_stm_pawns", table("fen,score_stm_pawns,result", ["0.35"]), "", ["-35"], None),
    ("unit_whole_decimals", table("fen,score,result", ["35.0", "-120.00", "7"]), "", ["35", "-120", "7"], None),  # as pandas writes integers beside missing values
    ("unit_fairy", table("fen,score,result", FAIRY), "fairy", ["100", "-50", "0", "", "", "0", "0"], ["0"] * 5 + ["3", "-4"]),
    ("unit_fairy_plain", ENTRIES, "fairy", ["-100", "50", "0", "", "", "0", "0"], ["0"] * 5 + ["-3", "4"]),
    ("none_csv", table("fen,score,result", ["", "nan", "NaN", "NA", "N/A", "<NA>", "None", "NULL", "5"]), "", [""] * 8 + ["5"], ["0"] * 9),
    ("none_csv_mate", f"fen,score,mate,depth,nodes,result\n{S} b,5,nan,NA,None,1-0\n", "", ["5"], None)]
# A comma before the decimals is a point, unless it may separate thousands. Hexadecimal numbers are not read.
for separator in ";\t":
    commas = table("fen;score;result", ["0,35", "-1,2", "+9,50", "0,125", "7"]).replace(",1-0", ";1-0").replace(" b,", " b;").replace(";", separator)
    refused(f"unit_comma_open_{separator!r}", commas, "'0,35' has a fraction", "--score-unit pawn")
    SCORES.append((f"unit_comma_{separator!r}", commas, "pawn", ["35", "-120", "950", "13", "700"], ["0"] * 5))
for name, content, unit, scores, mates in SCORES:
    row(name, content, FILL, *(["--score-unit", unit] if unit else []), file="x", status=0, score_red=scores, **({"mate_red": mates} if mates else {}))
for value in ("1,000", "12,250", "1.000,5", "1,000,5", "0x10", "inf", "1e"):
    row(f"unit_number_{value}", f"fen;score;result\n{S} b;{value};1-0\n{S} b;7;1-0\n", FILL, "--score-unit", "centipawn", file="x", status=1, score_red=["7"],
        says=[f"'{value}' is not a number"])
plain = row("unit_plain", ENTRIES, FILL, file="x", score_red=["-208", "104", "0", "", "", "0", "0"], mate_red=["0"] * 5 + ["-3", "4"], says=["--score-unit fairy"])
for name, content in (("named", table("fen,score_cp,result", ["35"])), ("none", f"{S} b [1.0]\n"), ("games", f"1-0\t{S} b\th9g7\n")):
    row("unit_unused_" + name, content, FILL, "--score-unit", "pawn", file="x", status=1, rows=[], says=["--score-unit has no effect"])
BLACK = f"{S} b - - 1 1"
HALF = ["--result-scale", "half"]
with open(wild("eth.csv"), encoding="utf-8") as file:
    ETH = file.read()
TURNED = {"score_red": ["35", "30"], "mate_red": ["0", "0"], "result": ["1-0", "1-0"]}
row("pov_eth", ETH, FILL, "--pov", "stm", *HALF, file="eth.csv", **TURNED)
for number, (head, separator, words) in enumerate((("fen,score_stm,result_stm", ",", []), ("fen\tscore_cp\tresult", "\t", ["--pov", "stm"]), ("FEN;Eval;WDL", ";", ["--pov", "stm"]),
                                                   ("fen\tscore_cp_stm\tresult_stm_pov", "\t", []), ("fen,cp_stm,outcome", ",", ["--pov", "stm"])), 1):
    row(f"pov_{number}", ETH.replace(ETH.splitlines()[0], head.replace(separator, ",")).replace(",", separator), FILL, *words, *HALF, file="x.tsv", **TURNED)
for number, (head, words) in enumerate((("fen,score,result", []), ("fen,score_cp,result", ["--pov", "red"]), ("fen,score_red,result_red", []), ("fen,score,result_white", ["--pov", "red"])), 1):
    row(f"pov_red_{number}", ETH.replace(ETH.splitlines()[0], head), FILL, *words, *HALF, file="x.csv", score_red=["35", "-30"], mate_red=["0", "0"], result=["1-0", "0-1"])
row("pov_mates", f"fen,mate,result\n{START},3,1-0\n{BLACK},-4,1-0\n{BLACK},2,0-1\n", FILL, "--pov", "stm", file="x.csv", score_red=["0"] * 3, mate_red=["3", "4", "-2"], result=["1-0", "1-0", "0-1"])
# Positions are refused if the point of view of their scores or results is unknown. --pov is refused if it has no effect.
same("pov_unknown", row("pov_unknown_kept", ETH, FILL, *HALF, file="eth.csv", games=[]).out.count("give --pov"), 2)
for name, text in (("fen.csv", f"fen,score_red,result_stm\n{START},1,1\n"), ("x.pgn", '[Result "1-0"]\n\n1. h2e2 1-0\n'), ("x.epd", f"{START} sm h2e2; c9 \"1-0\";\n")):
    row("pov_no_effect_" + name, text, FILL, "--pov", "red", file=name, games=[], says=["--pov"])
# --fill-moves adds a move to a position without one. But if an unknown column has a name that suggests moves,
# the position is refused instead.
for number, (head, games) in enumerate((("fen,moves,result", []), ("fen,uci,result", ["1-0 b2e2"]), ("fen,half_moves,result", ["1-0 a0a1"]), ("fen,MOVE,result", ["1-0 b2e2"])), 1):
    row(f"column_of_moves_{number}", f"{head}\n{START},b2e2,1-0\n", FILL, games=games)

# ---- values that mean "none" or "mate", and values beyond the range ------------------------------------
for name, value in (("none", "32002"), ("word", "32767"), ("hundred", "100000"), ("minus", "-32001"), ("edge", "30001")):
    row("range_csv_" + name, table("fen,score,result", ["12", value, "-30000"]), FILL, file="x", status=1, score_red=["12", "-30000"], says=[f"the score {value} is beyond", "line 3"])
    row("range_bullet_" + name, f"{S} b | {value} | 1.0\n{S} b | 7 | 1.0\n", FILL, file="x", status=1, score_red=["7"], says=["is beyond"])
# pandas writes whole numbers with ".0" if a column has empty values.
row("whole_decimals", f"fen,score,mate,depth,nodes,result\n{S} b,5.0,,12.0,300.0,1-0\n{S} b,,3.0,,,1-0\n", FILL, file="x", status=0, depth=["12", "0"], nodes=["300", "0"], mate_red=["0", "3"])
# A mate in moves: if the mating side moves first, its last move is ply 2 N - 1, otherwise ply 2 N.
MATES = ["#3", "#-3", "M2", "-M2", "+M1", "mate 4", "mate -4", "#+3"]
row("mates_csv_red", table("fen,score_red,result", MATES), FILL, file="x", mate_red=["6", "-5", "4", "-3", "2", "8", "-7", "6"])
row("mates_csv_stm", table("fen,score_stm,result", MATES), FILL, file="x", mate_red=["-5", "6", "-3", "4", "-1", "-7", "8", "-5"])
for name, form, mates, wrong in (("plain", "fen {fen} b - - 0 1\nscore {score}\nresult 0\ne\n", {"31999": "-1", "-31000": "1000", "31001": "-999"}, ["32000", "-32000", "32001", "30500", "32767", "32003"]),
                                 ("epd", '{fen} b - - c9 "1-0"; ce {score};\n', {"32766": "-1", "-31767": "1000"}, ["32767", "31766", "32768", "-30001"])):
    for value, mate in mates.items():
        row(f"mates_{name}_{value}", form.format(fen=S, score=value), FILL, file="x", status=0, score_red=["0"], mate_red=[mate])
    for value in wrong:
        row(f"range_{name}_{value}", form.format(fen=S, score=value) + form.format(fen=S, score="7"), FILL, file="x", status=1, score_red=["-7"], says=["is beyond"])
# The binary form of entries of the format plain.
paotai("data", "export", "--format", "bin", "--positions", "all", "--unscored", "--out", scratch("plain.bin"), plain.run)
with open(scratch("plain.bin"), "rb") as file:
    record = file.read()[:136]
raw = b"".join(record[:128] + value.to_bytes(2, "little", signed=True) + record[130:] for value in (32002, -32002, 31999, 32000, 32001, 30500, 208))
got = row("bin_sentinels", raw, "--format", "bin", file="x.bin", status=1, score_red=["", "", "0", "-208"], mate_red=["0", "0", "-1", "0"])
same("bin_sentinels_refused", got.out.count("is beyond"), 3)
shown = values(paotai("data", "import", "--check", scratch("plain.bin")).stdout)
same("checked_bin", {shown.get(name) for name in ("board_from", "side_from", "move_from", "score_from", "result_from")}, {"record"})
# --check names a file without a record, also beside other files.
both = paotai("data", "import", FILL, "--check", write("head.csv", "fen,result\n"), write("one.csv", f"fen,result\n{S} b,0.5\n"))
same("checked_empty", (both.returncode, re.findall(r"(\w+).csv: the file contains no game", both.stdout), values(both.stdout).get("result")), (1, ["head"], "draw"))

# ---- fields that come twice ----------------------------------------------------------------------------
for name, content, words in (("csv_fen", f"fen,fen,result\n{S} w,{S} b,1-0\n", "'fen' and 'fen' both state the FEN"), ("csv_case", f"fen;result;FEN\n{S} w;1-0;{S} b\n", "'fen' and 'FEN'"),
                             ("csv_score", f"fen,score_red,eval,result\n{S} b,1,2,1-0\n", "'score_red' and 'eval' both state the score"),
                             ("csv_result", f"fen,result,wdl\n{S} b,1-0,1-0\n", "both state the result"), ("csv_side", f"fen,stm,turn,result\n{S},b,b,1-0\n", "both state the side to move"),
                             ("csv_move", f"fen,move,uci,result\n{S} b,h9g7,h9g7,1-0\n", "both state the move"),
                             ("plain_fen", f"fen {S} b\nfen {S} b\nresult 1\ne\n", "the FEN twice"), ("plain_move", f"fen {S} b\nmove h10g8\nmove b10c8\nresult 1\ne\n", "the move twice"),
                             ("plain_score", f"fen {S} b\nscore 1\nscore 2\nresult 1\ne\n", "the score twice"), ("plain_result", f"fen {S} b\nresult 1\nresult 1\ne\n", "twice"),
                             ("plain_ply", f"fen {S} b\nply 1\nply 3\nresult 1\ne\n", "the ply twice"), ("moves_fen", f"1-0\t{S} b\t{S} w\th9g7\n", "two FENs"),
                             ("dhtmlxq_fen", f"[DhtmlXQ][DhtmlXQ_fen]{S} b[/DhtmlXQ_fen][DhtmlXQ_fen]{S} w[/DhtmlXQ_fen][DhtmlXQ_movelist]7062[/DhtmlXQ_movelist][DhtmlXQ_result]红胜[/DhtmlXQ_result][/DhtmlXQ]", "DhtmlXQ_fen comes twice"),
                             ("epd_results", f'{S} b - - c0 "1-0"; c9 "0-1";\n', "result"), ("epd_bare", f'{S} b - - c9 "1-0"; "0-1";\n', "result")):
    refused("twice_" + name, content, words)
row("twice_predicted", f'{S} b - - pm h9g7; pv h9g7 b0c2; c9 "1-0";\n', FILL, file="x", status=0, move=["h9g7"])
row("twice_unknown", f"fen,note,note,result\n{S} b,a,b,1-0\n", FILL, file="x", status=0)
# A tag that decides how a game is read must not come twice with different values.
for number, text in enumerate(('[Result "1-0"]\n[Result "0-1"]\n', '[Result "*"]\n[Site "x"]\n[RESULT "0-1"]\n', '[Format "uci"]\n[Result "1-0"]\n[Format "wxf"]\n')):
    got = row(f"twice_tag_{number}", f'[Event "x"]\n{text}\n1. h2e2 h9g7 *\n\n[Event "x"]\n[Result "1-0"]\n[Result "1-0"]\n\n1. h2e2 1-0\n', "--unknown", "draw", file="in.pgn",
              games=["1-0 h2e2"], says=["comes twice, with different values"])
    same(f"twice_tag_{number}_refused", len(got.errors), 1)

# ---- results of PGN ------------------------------------------------------------------------------------
RESULTS = {"1-0": "1-0 1:0 red Red WHITE 红胜", "0-1": "0-1 0:1 black Black 黑胜", "1/2-1/2": "1/2-1/2 1/2 1/2:1/2 0.5-0.5 ½-½ draw Draw 和棋"}
for result, words in RESULTS.items():
    # All forms of one word in one file. The games without tags are in another one.
    text = "".join(f'[Result "{word}"]\n\n1. h2e2 h9g7 *\n\n[Result "?"]\n\n1. h2e2 h9g7 {word}\n\n[Result "{word}"]\n\n1. h2e2 h9g7 {word}\n\n' for word in words.split())
    row(f"result_{result}", text, "--format", "pgn", file="in.pgn", games=[f"{result} h2e2 h9g7"] * 3 * len(words.split()), errors=[])
    for word in words.split():
        row(f"result_{result}_{word}", f"1. h2e2 h9g7 {word}\n\n1. h2e2 {word}\n", "--format", "pgn", file="in.pgn", games=[f"{result} h2e2 h9g7", f"{result} h2e2"], errors=[])
for word in ("0-0", "0:0"):
    text = f'[Result "{word}"]\n\n1. h2e2 h9g7 *\n\n[Result "*"]\n\n1. h2e2 h9g7 {word}\n\n[Result "1-0"]\n\n1. h2e2 {word}\n'
    same(f"result_{word}_refused", len([error for error in row(f"result_{word}", text, "--unknown", "draw", "--format", "pgn", file="in.pgn", games=[]).errors if "both sides lost" in error]), 3)
for word in ("win", "W", "1", "0", "2-0"):
    for unknown in ("referee", "draw", "none"):
        row(f"result_{word}_{unknown}", f'[Result "{word}"]\n\n1. h2e2 h9g7 *\n', "--unknown", unknown, file="in.pgn", games=[], refused="1", says=[f"Result is '{word}'"])
    row(f"result_{word}_stated", f'[Result "{word}"]\n\n1. h2e2 h9g7 1-0\n', file="in.pgn", games=["1-0 h2e2 h9g7"], errors=[])

# ---- line ends, HTML, lines that games share -------------------------------------------------------------
for number, text in enumerate((
        f'[Event "a\rb"]\n[FEN "{START}\r"]\n[Result "1-0"]\n\n1. h2e2 h9g7 1-0\n', f'[FEN "{BOARD}\rw - - 0 1"]\n[Result "1-0"]\n\n1. h2e2 h9g7 1-0\n',
        f'[FEN "{BOARD}\rw\r- - 0 1"] [Site "a\rb"]\r\n[Result "1-0"]\r\n\r\n1. h2e2 h9g7 1-0\r\n', '[Event "a"]\r[Result "1-0"]\r\r1. h2e2 h9g7 1-0\r',
        '[Event "a]\r[Site "b"]\r[Result "1-0"]\r\r1. h2e2 h9g7 1-0\r')):
    row(f"carriage_returns_{number}", text + text, file="in.pgn", games=["1-0 h2e2 h9g7"] * 2, errors=[])
PGN = '[Event "E"]{0}\n[Result "1-0"]{0}\n{0}\n1. h2e2 h9g7 1-0'
for number, text in enumerate((
        f"</p>\n<p>{PGN.format('<br />')}</p>\n", f"</div>{PGN.format('<br>')}</p>", f"--></style>\n{PGN.format('<br>')}", PGN.format("").replace("h9g7", "<b>h9g7</b> <br>"),
        PGN.format("") + "</p></body>\n", f"words </p>\n{PGN.format('</span>')}\n", f"<p class='[x'>{PGN.format('</p><p>')}", "1. h2e2<br/>h9g7 1-0</p>", "</p>1. h2e2 h9g7<br />1-0",
        PGN.format("").replace("h2e2", '<a href="#" onclick="1. b2e2 0-1">h2e2</a>'))):
    row(f"html_{number}", text, "--format", "pgn", file="in.pgn", games=["1-0 h2e2 h9g7"], errors=[])
TWO_GAMES = ["0-1 h2e2 h9g7 h0g2 i9h9", "1-0 b2e2 b9c7"]
for name, words in (("page", []), ("page_told", ["--format", "pgn"])):
    got = row(name, None, *words, wild("page.html"), games=TWO_GAMES, errors=[])
same("page_tags", re.findall('(?:Event|Site) "(.*)"|{(.*)}', got.pgn), [("E\u5361", ""), ("a", ""), ("", "good &  fine"), ("F", ""), ("?", "")])
row("page_of_moves", "<p>1. h2e2 h9g7 1-0</p>\n<p>1. b2e2 0-1</p>", games=["1-0 h2e2 h9g7", "0-1 b2e2"], errors=[])
for number, text in enumerate(('[Event &quot;a&quot;]<br />[Result &quot;1-0&quot;]<br /><br />1. h2e2 1-0', 'A game:<br>[Event "a"]<br>\n[Result "1-0"]<br>\n1. h2e2 1-0<br>that was it',
                               '<pre>\n[Event "a"]\n[Result "1-0"]\n\n1. h2e2\n1-0\n</pre>', '<table><tr><td>[Event "a"]</td><td>1.&nbsp;h2e2 1&#8211;0</td></tr></table>'), 1):
    row(f"page_{number}", text, games=["1-0 h2e2"], errors=[])
same("page_line", [error.split(":")[0] for error in Import('<html>\n<p>[Event "a"]<br />[Result "1-0"]<br />\n1. h2e2<br />h9h5 1-0</p>\n').errors], ["line 3"])
row("page_without_games", "<html><p>Nothing here</p></html>", says=["no known format"])
row("oneline", None, wild("oneline.pgn"), games=TWO_GAMES, errors=[])
ENDGAME = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1"
SHARED = (f'[Event "a"] 1. h2e2 1-0 1. b2e2 0-1\n1. h2e2 h9g7 1-0 [Event "b "x"] y"] [Result "1-0"] h2e2 h9g7 1-0 [Event "c"] [FEN "{ENDGAME}"][Result "1-0"]'
          '{ [X "y"] } 1. a0a1{ 0-1 1. a [E "2"]} (1. a0a2 1-0) 1-0[Event "d"]1. h2e2 0-1 1. b2e2 0-1')
row("shared_line", SHARED, file="in.pgn", games=["1-0 h2e2", "0-1 b2e2", "1-0 h2e2 h9g7", "1-0 h2e2 h9g7", "1-0 a0a1", "0-1 h2e2", "0-1 b2e2"], errors=[])
many = "".join(f'[Event "{i}"] [Result "1-0"] 1. h2e2 {"h9g7" if i % 2 else "b9c7"} 1-0 ' for i in range(20000))
got = row("line_of_many", many, file="in.pgn", **{"errors": []})
same("event_kept", re.findall('Event "(.*)"', got.pgn)[::9999], ["0", "9999", "19998"])

# ---- comments --------------------------------------------------------------------------------------------
def comments(text):
    """Imports games, exports them as PGN, and returns the comments of each game, and the import."""
    got = Import(text, file="in.pgn")
    return [re.findall(r"\{([^}]*)\}", game.replace("\n", " ")) for game in got.pgn.split("[Game ")[1:]], got


with open(os.path.join(DATA, "pgn_dialects.tsv"), encoding="utf-8") as file:
    rows = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]
first, got = comments("".join(f'[Result "1-0"]\n\n1. h2e2 {f"{{{note}}} h9g7" if side == "w" else f"h9g7 {{{note}}}"} 1-0\n\n' for side, note, _ in rows))
want_same(len(first), len(rows), "games")
for (side, note, answer), said in zip(rows, first):
    want_same("|".join(one.removeprefix(": ") for one in said), answer.strip("|"), f"{side} {note}")
want_same(comments(got.pgn)[0], first, "written and read again")
want_same((got.counts.get("plies_scored"), got.verify), (str(sum("/" in answer.split("|")[0] for _, _, answer in rows)), 0), "plies_scored")
report("comments")
# lichess and PyChess write the clock after each move. The increment must be known.
CLOCKS = "1. h2e2 {[%clk 0:05:00]} h9g7 {[%clk 0:05:00]} 2. h0g2 {[%clk 0:04:58]} i9h9 {[%eval 0.3] [%clk 0:04:00]} 3. c3c4 {[%clk 0:06:00]} 1-0"
for control, times in (("300+5", ["[%clk 0:05:00]", "[%clk 0:05:00]", "7.000s", "-0.30/0 65.000s", "[%clk 0:06:00]"]),
                       ("300", ["[%clk 0:05:00]", "[%clk 0:05:00]", "2.000s", "-0.30/0 60.000s", "[%clk 0:06:00]"]),
                       ("40/5400+30", ["[%clk 0:05:00]", "[%clk 0:05:00]", "[%clk 0:04:58]", "-0.30/0", "[%clk 0:04:00]", "[%clk 0:06:00]"])):
    first, got = comments(f'[TimeControl "{control}"]\n[Result "1-0"]\n\n{CLOCKS}\n')
    same("clocks_" + control, (first, comments(got.pgn)[0]), ([times], [times]))
begun = os.times()
got = row("remarks_of_one_ply", '[Result "1-0"]\n\n1. h2e2 ' + "$1 {a} (1. b2e2) " * 20000 + "h9g7 {b} 1-0\n", file="in.pgn", games=["1-0 h2e2 h9g7"])
same("remarks_of_one_ply_kept", (len(re.findall(r"\ba\b", got.pgn)), got.pgn.count("$1"), "{b}" in got.pgn, os.times().children_user - begun.children_user < 5), (20000, 20000, True, True))

# ---- faults that ended a game ----------------------------------------------------------------------------
# Values of the tag Termination, and last comments, as these programs write them: the PGN standard, cutechess,
# fastchess, c-chess-cli, PyChess, lichess, chess.com and XBoard.
TERMINATIONS = {
    "time_forfeit": ["time forfeit", "Time forfeit", "TIME FORFEIT", "Player A won on time", "Game drawn by timeout vs insufficient material", "time_forfeit"],
    "illegal_move": ["illegal move", "illegal_move"], "rules_infraction": ["rules infraction", "Rules infraction"],
    "abandoned": ["abandoned", "Abandoned", "Player B won - game abandoned", "death", "emergency"], "stalled_connection": ["stalled connection", "stall"],
    "crash": ["crash"], "protocol_fault": ["protocol_fault"], "unterminated": ["unterminated", "Unterminated"],
    "imported": ["normal", "Normal", "adjudication", "Adjudication", "", "?", "Player A won by resignation", "3-fold repetition", "insufficient material"]}
COMMENTS = {"time_forfeit": ["White loses on time", "+0.35/12 0.100s, White loses on time (12ms overrun)", "Black wins on time", "White forfeits on time", "Draw by timeout"],
            "illegal_move": ["White makes an illegal move: a0a9", "Xboard: Forfeit due to illegal move: a0a9 (a0a9)m", "Xboard: Forfeit due to invalid move: a0a9 (a0a9) res=38"],
            "abandoned": ["White disconnects", "Draw by disconnection"], "stalled_connection": ["White's connection stalls"],
            "crash": ["Error: first chess program (a) exited unexpectedly"],
            "imported": ["White resigns", "Xboard adjudication: perpetual check", "a nice game, played on time", "the crash of the centre", "he abandoned the pawn"]}
PLAYED = "1. h2e2 h9g7 2. h0g2 i9h9"
for result in ("1-0", "0-1", "1/2-1/2"):
    for reason, texts in TERMINATIONS.items():
        got = row(f"termination_{reason}_{result}", "".join(f'[Result "{result}"]\n[Termination "{text}"]\n\n{PLAYED} {result}\n\n' for text in texts), file="in.pgn", status=0,
                  ends=[(reason, str(len(texts)))], verify=0)
        same(f"termination_{reason}_{result}_kept", (re.findall(r'^\[Termination "(.*)"', got.pgn, re.M), Import(got.pgn, file="in.pgn").info["content_hash"]),
             ([text for text in texts if text and (text != "?" or reason == "imported")], got.info["content_hash"]))
for reason, texts in COMMENTS.items():
    row(f"last_comment_{reason}", "".join(f'[Result "1-0"]\n\n{PLAYED} {{{text}}} 1-0\n\n' for text in texts), file="in.pgn", ends=[(reason, str(len(texts)))])
    row(f"earlier_comment_{reason}", "".join(f'[Result "1-0"]\n\n1. h2e2 {{{text}}} h9g7 2. h0g2 i9h9 (2... b9c7 {{{text}}}) 1-0\n\n' for text in texts), file="in.pgn",
        ends=[("imported", str(len(texts)))])
# The referee ends this game by checkmate before it was broken off.
for result in ("1-0", "0-1"):
    got = row(f"fault_and_mate_{result}", f'[FEN "{MATED} w - - 0 1"]\n[Result "{result}"]\n[Termination "abandoned"]\n\n1. b7b9 {result}\n', file="in.pgn", ends=[("abandoned", "1")], verify=0)
    same(f"fault_and_mate_{result}_referee", got.info.get("referee_checkmate"), "1")
row("fault_without_result", f'[Result "*"]\n[Termination "unterminated"]\n\n{PLAYED} *\n', "--unknown", "draw", file="in.pgn", ends=[("unterminated", "1")], verify=0)
row("fault_and_variation", f'[Result "1-0"]\n[Termination "abandoned"]\n\n{PLAYED} (2... b9c7) 1-0\n', "--variations", file="in.pgn", ends=[("abandoned", "1"), ("imported", "1")])
# A reason in the tag Termination is kept if the result and the moves agree with it.
ENDS = [("resignation", "0-1", "0-1"), ("resignation", "1-0", "1-0"), ("agreed_draw", "1/2-1/2", "1/2-1/2"), ("checkmate", "1-0", "1-0"), ("max_plies", "1-0", "1-0")]
got = row("tags_reason", "".join(f'[Result "{result}"]\n[Termination "{reason}"]\n\n1. h2e2 h9g7 {end}\n\n' for reason, result, end in ENDS), file="in.pgn",
          ends=[("agreed_draw", "1"), ("imported", "3"), ("resignation", "1")], verify=0)
same("tags_reason_out", re.findall(r'^\[(?:Termination|Red) "(.*)"\]', got.pgn, re.M), [word for reason, _, _ in ENDS for word in ("?", reason)])
finish()

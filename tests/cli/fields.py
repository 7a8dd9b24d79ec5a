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
for name in ("stm", "turn", "side", "active", "to_move", "side_to_move", "sidetomove", "Active_Color", "STM"):
    done, rows = take(f"fen,{name},result\n" + "".join(f"{S},{word},1-0\n" for word, _ in SIDES))
    same("side_column_" + name, (done.returncode, [fen.split()[1] for fen in column(rows, "fen")]), (0, [side for _, side in SIDES]))
# A file in which no value is a side is refused for its values, not for its FENs.
done, rows = take(f"fen,stm,result\n{S},0,1-0\n{S},1,1-0\n")
same("side_column_numbers", (done.returncode, rows, re.findall(r"line (\d).*'([01])' is not a side", done.stdout)), (1, [], [("2", "0"), ("3", "1")]))
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
# A whole file without sides is refused once; if only some positions lack it, each is refused alone.
refused("side_missing_once", f"{S} [0.0]\n" * 40, "40 positions in 1 file", "line 1")
done, rows = take(f"{S} [0.0]\n{S} b [0.0]\n{S} [1.0]\n")
same("side_missing_some", (done.returncode, done.stdout.count("error\t"), len(rows)), (1, 2, 1))

for name, content, options, origin in (("column", f"fen,turn,result\n{S},b,1-0\n", [], "turn"), ("fen", f"fen,result\n{S} b,1-0\n", [], "fen"), ("option", f"{S} [1.0]\n", ["--side", "black"], "--side")):
    shown = values(paotai("data", "import", "--fill-moves", "--check", *options, write(f"check.{name}", content)).stdout)
    same("side_checked_" + name, (shown.get("side"), shown.get("side_from")), ("black", origin))

# ---- units of scores -----------------------------------------------------------------------------------
def scores(content, *options):
    done, rows = take(content, *options)
    return done.returncode, column(rows, "score_red"), column(rows, "mate_red")


def table(names, values):
    return names + "\n" + "".join(f"{S} b,{value},1-0\n" for value in values)


PAWNS = ["0.35", "-1.20", "9.5", "10", "0"]
refused("unit_fractions", table("fen,score,result", ["0"] + PAWNS), "line 3", "'0.35' has a fraction", "3 scores in 1 file", "--score-unit pawn", "_pawns")
for name, content, words in (("bullet", f"{S} b | 0.35 | 1.0\n", ["line 1"]), ("ethereal", f"{S} b [1.0] 0.35\n", ["line 1"]), ("epd", f'{S} b - - c9 "1-0"; ce 0.35;\n', ["line 1"]),
                             ("plain", f"fen {S} b\nscore 0.35\nresult 1\ne\n", ["0.35"])):
    refused("unit_fractions_" + name, content, "has a fraction", "--score-unit", *words)
    same("unit_pawn_" + name, scores(content, "--score-unit", "pawn")[1], ["-35" if name in ("epd", "plain") else "35"])
same("unit_pawn", scores(table("fen,score,result", PAWNS), "--score-unit", "pawn"), (0, ["35", "-120", "950", "1000", "0"], ["0"] * 5))
for names in ("fen,score_pawns,result", "fen,eval_pawn,result", "fen,score_red_pawns,result", "fen,score_pawns_white,result"):
    same("unit_" + names, scores(table(names, PAWNS))[1], ["35", "-120", "950", "1000", "0"])
for names in ("fen,score_cp,result", "fen,cp,result", "fen,evaluation_cp,result"):
    same("unit_" + names, scores(table(names, ["35.4", "-120.5", "7"]))[1], ["35", "-121", "7"])
same("unit_centipawn", scores(table("fen,score,result", ["35.4", "-7"]), "--score-unit", "centipawn")[1], ["35", "-7"])
# A comma before the decimals is a point, unless it may separate thousands. Hexadecimal numbers are not read.
for separator in ";\t":
    commas = table("fen;score;result", ["0,35", "-1,2", "+9,50", "0,125", "7"]).replace(",1-0", ";1-0").replace(" b,", " b;").replace(";", separator)
    refused("unit_comma_open", commas, "'0,35' has a fraction", "--score-unit pawn")
    same(f"unit_comma_{separator!r}", scores(commas, "--score-unit", "pawn"), (0, ["35", "-120", "950", "13", "700"], ["0"] * 5))
same("unit_comma_quoted", scores(table("fen,score_pawns,result", ['"0,35"']))[1], ["35"])
same("unit_comma_bullet", scores(f"{S} b | 0,35 | 0,5\n{S} b | -2,5 | 1\n", "--score-unit", "pawn")[1], ["35", "-250"])
for value in ("1,000", "12,250", "1.000,5", "1,000,5", "0x10", "inf", "1e"):
    done, rows = take(f"fen;score;result\n{S} b;{value};1-0\n{S} b;7;1-0\n", "--score-unit", "centipawn")
    same(f"unit_number_{value}", (done.returncode, column(rows, "score_red"), f"'{value}' is not a number" in done.stdout), (1, ["7"], True))
same("unit_stm_pawns", scores(table("fen,score_stm_pawns,result", ["0.35"]))[1], ["-35"])
same("unit_whole_decimals", scores(table("fen,score,result", ["35.0", "-120.00", "7"]))[1], ["35", "-120", "7"])  # as pandas writes integers beside missing values
FAIRY = ["208", "-104", "0", "32002", "-32002", "31997", "-31996"]
same("unit_fairy", scores(table("fen,score,result", FAIRY), "--score-unit", "fairy"), (0, ["100", "-50", "0", "", "", "0", "0"], ["0"] * 5 + ["3", "-4"]))
plain = "".join(f"fen {S} b - - 0 1\nmove a10a9\nscore {value}\nply 1\nresult 0\ne\n" for value in FAIRY)
same("unit_fairy_plain", scores(plain, "--score-unit", "fairy"), (0, ["-100", "50", "0", "", "", "0", "0"], ["0"] * 5 + ["-3", "4"]))
done, rows = take(plain)
same("unit_plain", (column(rows, "score_red"), column(rows, "mate_red"), "--score-unit fairy" in done.stderr), (["-208", "104", "0", "", "", "0", "0"], ["0"] * 5 + ["-3", "4"], True))
for name, content in (("named", table("fen,score_cp,result", ["35"])), ("none", f"{S} b [1.0]\n"), ("games", f"1-0\t{S} b\th9g7\n")):
    done, rows = take(content, "--score-unit", "pawn")
    same("unit_unused_" + name, (done.returncode, rows, "--score-unit has no effect" in done.stderr), (1, [], True))

# ---- values that mean "none" or "mate", and values beyond the range ------------------------------------------
for name, value in (("none", "32002"), ("word", "32767"), ("hundred", "100000"), ("minus", "-32001"), ("edge", "30001")):
    done, rows = take(table("fen,score,result", ["12", value, "-30000"]))
    same("range_csv_" + name, (done.returncode, column(rows, "score_red"), f"the score {value} is beyond" in done.stdout, "line 3" in done.stdout), (1, ["12", "-30000"], True, True))
    done, rows = take(f"{S} b | {value} | 1.0\n{S} b | 7 | 1.0\n")
    same("range_bullet_" + name, (done.returncode, column(rows, "score_red"), "is beyond" in done.stdout), (1, ["7"], True))
NULLS = ["", "nan", "NaN", "NA", "N/A", "<NA>", "None", "NULL"]
same("none_csv", scores(table("fen,score,result", NULLS + ["5"])), (0, [""] * 8 + ["5"], ["0"] * 9))
# pandas writes whole numbers with ".0" if a column has empty values.
done, rows = take(f"fen,score,mate,depth,nodes,result\n{S} b,5.0,,12.0,300.0,1-0\n{S} b,,3.0,,,1-0\n")
same("whole_decimals", (done.returncode, column(rows, "depth"), column(rows, "nodes"), column(rows, "mate_red")), (0, ["12", "0"], ["300", "0"], ["0", "3"]))
same("none_csv_mate", take(f"fen,score,mate,depth,nodes,result\n{S} b,5,nan,NA,None,1-0\n")[1][0]["score_red"], "5")
# A mate in moves: if the mating side moves first, its last move is ply 2 N - 1, otherwise ply 2 N.
MATES = ["#3", "#-3", "M2", "-M2", "+M1", "mate 4", "mate -4", "#+3"]
same("mates_csv_red", scores(table("fen,score_red,result", MATES))[2], ["6", "-5", "4", "-3", "2", "8", "-7", "6"])
same("mates_csv_stm", scores(table("fen,score_stm,result", MATES))[2], ["-5", "6", "-3", "4", "-1", "-7", "8", "-5"])
for name, form, mates, wrong in (("plain", "fen {fen} b - - 0 1\nscore {score}\nresult 0\ne\n", {"31999": "-1", "-31000": "1000", "31001": "-999"}, ["32000", "-32000", "32001", "30500", "32767", "32003"]),
                                 ("epd", '{fen} b - - c9 "1-0"; ce {score};\n', {"32766": "-1", "-31767": "1000"}, ["32767", "31766", "32768", "-30001"])):
    for value, mate in mates.items():
        same(f"mates_{name}_{value}", scores(form.format(fen=S, score=value)), (0, ["0"], [mate]))
    for value in wrong:
        done, rows = take(form.format(fen=S, score=value) + form.format(fen=S, score="7"))
        same(f"range_{name}_{value}", (done.returncode, column(rows, "score_red"), "is beyond" in done.stdout), (1, ["-7"], True))
# The binary form of the same entries.
paotai("data", "export", "--format", "bin", "--positions", "all", "--unscored", "--out", scratch("plain.bin"), scratch(f"run{runs}"))
with open(scratch("plain.bin"), "rb") as file:
    record = file.read()[:136]
raw = b"".join(record[:128] + value.to_bytes(2, "little", signed=True) + record[130:] for value in (32002, -32002, 31999, 32000, 32001, 30500, 208))
done, rows = take(raw, "--format", "bin", name="x.bin")
shown = values(paotai("data", "import", "--check", scratch("plain.bin")).stdout)
same("checked_bin", {shown.get(name) for name in ("board_from", "side_from", "move_from", "score_from", "result_from")}, {"record"})
# --check names a file without a record, also beside other files.
both = paotai("data", "import", "--fill-moves", "--check", write("head.csv", "fen,result\n"), write("one.csv", f"fen,result\n{S} b,0.5\n"))
same("checked_empty", (both.returncode, re.findall(r"(\w+).csv: the file contains no game", both.stdout), values(both.stdout).get("result")), (1, ["head"], "draw"))
same("bin_sentinels", (done.returncode, column(rows, "score_red"), column(rows, "mate_red"), done.stdout.count("is beyond")), (1, ["", "", "0", "-208"], ["0", "0", "-1", "0"], 3))

# ---- fields that come twice ----------------------------------------------------------------------------
for name, content, words in (("csv_fen", f"fen,fen,result\n{S} w,{S} b,1-0\n", ["'fen' and 'fen' both state the FEN"]), ("csv_case", f"fen;result;FEN\n{S} w;1-0;{S} b\n", ["'fen' and 'FEN'"]),
                             ("csv_score", f"fen,score_red,eval,result\n{S} b,1,2,1-0\n", ["'score_red' and 'eval' both state the score"]),
                             ("csv_result", f"fen,result,wdl\n{S} b,1-0,1-0\n", ["both state the result"]), ("csv_side", f"fen,stm,turn,result\n{S},b,b,1-0\n", ["both state the side to move"]),
                             ("csv_move", f"fen,move,uci,result\n{S} b,h9g7,h9g7,1-0\n", ["both state the move"]),
                             ("plain_fen", f"fen {S} b\nfen {S} b\nresult 1\ne\n", ["the FEN twice"]), ("plain_move", f"fen {S} b\nmove h10g8\nmove b10c8\nresult 1\ne\n", ["the move twice"]),
                             ("plain_score", f"fen {S} b\nscore 1\nscore 2\nresult 1\ne\n", ["the score twice"]), ("plain_result", f"fen {S} b\nresult 1\nresult 1\ne\n", ["twice"]),
                             ("plain_ply", f"fen {S} b\nply 1\nply 3\nresult 1\ne\n", ["the ply twice"]),
                             ("moves_fen", f"1-0\t{S} b\t{S} w\th9g7\n", ["two FENs"]),
                             ("dhtmlxq_fen", f"[DhtmlXQ][DhtmlXQ_fen]{S} b[/DhtmlXQ_fen][DhtmlXQ_fen]{S} w[/DhtmlXQ_fen][DhtmlXQ_movelist]7062[/DhtmlXQ_movelist][DhtmlXQ_result]红胜[/DhtmlXQ_result][/DhtmlXQ]", ["DhtmlXQ_fen comes twice"]),
                             ("epd_results", f'{S} b - - c0 "1-0"; c9 "0-1";\n', ["result"]), ("epd_bare", f'{S} b - - c9 "1-0"; "0-1";\n', ["result"])):
    refused("twice_" + name, content, *words)
done, rows = take(f'{S} b - - pm h9g7; pv h9g7 b0c2; c9 "1-0";\n')
same("twice_predicted", (done.returncode, column(rows, "move")), (0, ["h9g7"]))
same("twice_unknown", take(f"fen,note,note,result\n{S} b,a,b,1-0\n")[0].returncode, 0)
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests files and positions as they are found on the Internet: FENs of chess sites, positions with
# moves, PGN on one line or in HTML pages.
import os
import re
import shutil

from checks import DATA, START, finish, paotai, same, scratch, values, write

BOARD = START.split()[0]
WILD = os.path.join(DATA, "wild")


def load(*words, text=None, name="in.txt"):
    """Imports files, or a text.

    Returns the games (texts of result and moves), the errors, the counts, and the finished process."""
    shutil.rmtree(scratch("run"), ignore_errors=True)
    source = [write(name, text)] if text is not None else []
    done = paotai("data", "import", "--quiet", "--out", scratch("run"), *words, *source)
    lines = paotai("data", "export", "--format", "moves", scratch("run")).stdout.splitlines() if os.path.exists(scratch("run")) else []
    errors = [line.split("\t")[1] for line in done.stdout.splitlines() if line.startswith("error")]
    return [" ".join(line.split("\t")[::len(line.split("\t")) - 1]) for line in lines], errors, values(done.stdout), done


def wild(name):
    return os.path.join(WILD, name)


# ---- FENs --------------------------------------------------------------------------------------------

FENS = [f"{BOARD}[] w - - 0 1", f"{BOARD}[-] w", f"{BOARD}_w_-_-_0_1", f"{BOARD}[]_w_-_-_0 1"]
for number, fen in enumerate(FENS, 1):
    shown = paotai("show", "--json", fen)
    uci = paotai(stdin=f"position fen {fen} moves h2e2 h9g7\nd\nquit\n")
    got = [shown.returncode, START in shown.stdout, "Fen: rnbakab1r/9/1c4nc1" in uci.stdout,
           paotai("judge", stdin=f"{fen}\th2e2 h9g7\n{fen} moves h2e2\n").stdout,
           paotai("notation", "--from", "uci", "--to", "wxf", "--game", stdin=f"{fen}\th2e2\n").stdout,
           paotai("perft", "1", "--fen", fen).stdout.split()[:2],
           len(paotai("analyse", "--static", "--quiet", stdin=f"{fen}\n{fen} moves h2e2\n").stdout.splitlines()),
           values(paotai("book", "info", write("book.epd", f"{fen}\n{fen}\th2e2\n{fen} moves h2e2 h9g7\n")).stdout).get("unique"),
           load("--unknown", "draw", text=f"{fen} moves h2e2 h9g7\n{fen} sm b2e2; c9 \"1-0\";\n{fen} sm h2e2; [0.0]\n")[0],
           load(text=f'[FEN "{fen}"]\n[Result "1-0"]\n\n1. h2e2 1-0\n')[0], load(text=f"fen,move,result\n{fen},h2e2,1-0\n")[0],
           load(text=f"1-0\t{fen}\th2e2\n")[0]]
    same(f"fen_{number}", got, [0, True, True, "none\t-\nnone\t-\n", "C2.5\n", ["nodes", "44"], 2, "3",
                                ["1/2-1/2 h2e2 h9g7", "1-0 b2e2", "0-1 h2e2"], ["1-0 h2e2"], ["1-0 h2e2"], ["1-0 h2e2"]])
HELD = f"{BOARD}[Pp] w - - 0 1"
for name, done in (("show", paotai("show", HELD)), ("judge", paotai("judge", stdin=HELD + "\n")), ("perft", paotai("perft", "1", "--fen", HELD)),
                   ("import", load(text=f"{HELD} sm h2e2; [1.0]\n")[3]), ("pgn", load(text=f'[FEN "{HELD}"]\n[Result "1-0"]\n\n1. h2e2 1-0\n')[3]),
                   ("moves", load(text=f"1-0\t{HELD}\th2e2\n")[3])):
    same("hand_" + name, (done.returncode > 0, "hand: '[Pp]'" in done.stdout + done.stderr), (True, True))
same("pychess", load(wild("pychess.pgn"))[0], ["1-0 a6a9 e8d9 b6b9"])

# ---- positions with moves ----------------------------------------------------------------------------

for name, words in (("plain", []), ("filled", ["--fill-moves"]), ("epd", ["--fill-moves", "--format", "epd"]), ("moves", ["--format", "moves"])):
    same("moves_" + name, load("--unknown", "draw", *words, wild("yk2.txt"))[:2], (["1/2-1/2 h2e2 h9g7"], []))
same("moves_no_result", ["how the game ended" in error for error in load(wild("yk2.txt"))[1]], [True])
LINES = [f"{START} moves h2e2 h9g7", f"fen {START} moves h2e2", "startpos moves b2e2", f"position fen {START} moves c3c4 c6c5", f"{START}\tb0c2 b9c7",
         f"{BOARD} w h2e2 h9g7"]
WANT = ["h2e2 h9g7", "h2e2", "b2e2", "c3c4 c6c5", "b0c2 b9c7", "h2e2 h9g7"]
for name, order in (("down", 1), ("up", -1)):
    text = "\n".join([*LINES, f'{BOARD} w - - sm h0g2; c9 "1-0";'][::order]) + "\n"
    want = [*("1/2-1/2 " + moves for moves in WANT), "1-0 h0g2"][::order]
    same("moves_forms_" + name, load("--unknown", "draw", "--fill-moves", text=text)[:2], (want, []))
# Illegal moves, unknown words and damaged boards are refused. None of them is skipped or misread.
for number, line in enumerate((f"{START} moves h2e9", f"{START} h2e9 h9g7", f"{START} moves", f"{START} moves i9i8 h9g7", f"{START} x4 y5", f"{START} 3-0",
                               f"1-0\t{BOARD[:-1]} w\th2e2", f"1-0\t{BOARD}x w\th2e2", f"{START} moves h2e2 zz"), 1):
    games, errors, counts, _ = load("--unknown", "draw", "--fill-moves", text=line + "\n")
    same(f"misread_{number}", (games, len(errors), counts.get("refused")), ([], 1, "1"))
same("shown_with_moves", re.findall(r'"last_move":"(\w+)"', paotai("show", "--json", *LINES[0].split()).stdout), ["h9g7"])

# ---- ambiguous moves ---------------------------------------------------------------------------------

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
same("not_ambiguous", load(text=f'[FEN "{TWO}"]\n[Result "1-0"]\n\n1. Rae2 Kd8 1-0\n')[0], ["1-0 a2e2 d9d8"])

# ---- positions of PGN --------------------------------------------------------------------------------

BARE = ["3k5/9/9/9/9/9/9/9/9/RR2K4 w - - 0 1", "3k5/4a4/9/9/9/9/9/9/9/R3K4 b - - 0 1", "3k5/4a4/9/9/9/9/9/9/4A4/C1N1K4 w - - 0 1"]
SHORT = ["--nodes", "20", "--max-plies", "6", "--quiet"]
for name, path in (("pgn", wild("positions.pgn")), ("line", write("line.pgn", " ".join(f'[FEN "{fen}"] [Result "*"]' for fen in BARE))),
                   ("other_tags", write("tags.pgn", "\n".join(f'[{name} "x"]\n[FEN "{fen}"]\n' for name, fen in zip(("Event", "Site", "Round"), BARE)))),
                   ("csv", write("bare.csv", "fen,score\n" + "".join(f"{fen},1\n" for fen in BARE)))):
    shutil.rmtree(scratch("games"), ignore_errors=True)
    done = paotai("selfplay", "--openings", path, "--games", "3", *SHORT, "--out", scratch("games"))
    starts = [line.split("\t")[1] for line in paotai("data", "export", "--format", "moves", scratch("games")).stdout.splitlines()]
    same("positions_played_" + name, (done.returncode, sorted(starts)), (0, sorted(BARE)))
games, errors, counts, done = load(wild("positions.pgn"))
same("positions_no_games", (games, [["line 1:", "line 7:", "line 9:"][at] in error and "no moves" in error for at, error in enumerate(errors)], counts["refused_length"]),
     ([], [True] * 3, "3"))
done = paotai("match", "--openings", wild("positions.pgn"), "--a", "weights=classic", "--b", "weights=classic", "--pairs", "3", *SHORT)
same("positions_match", (done.returncode, values(done.stdout).get("games")), (0, "6"))

# ---- columns -----------------------------------------------------------------------------------------


def columns(*words):
    """Returns the stored scores and results of positions, from Red's side."""
    got = load("--fill-moves", *words)
    rows = paotai("data", "export", "--format", "csv", "--positions", "all", scratch("run")).stdout.splitlines()[1:] if got[0] else []
    return [(row.split(",")[2], row.split(",")[3], row.split(",")[4]) for row in rows], got[3].stdout


BLACK = BOARD.replace("1C5C1", "1C2C4") + " b - - 1 1"
BOTH = [("35", "0", "1-0"), ("30", "0", "1-0")]
HALF = ["--result-scale", "half"]
with open(wild("eth.csv"), encoding="utf-8") as file:
    ETH = file.read()
same("pov_eth", columns("--pov", "stm", *HALF, wild("eth.csv"))[0], BOTH)
for number, (head, separator, words) in enumerate((("fen,score_stm,result_stm", ",", []), ("fen\tscore_cp\tresult", "\t", ["--pov", "stm"]), ("FEN;Eval;WDL", ";", ["--pov", "stm"]),
                                                   ("fen\tscore_cp_stm\tresult_stm_pov", "\t", []), ("fen,cp_stm,outcome", ",", ["--pov", "stm"])), 1):
    text = ETH.replace(ETH.splitlines()[0], head.replace(separator, ",")).replace(",", separator)
    same(f"pov_{number}", columns(*words, *HALF, write(f"pov{number}.tsv", text))[0], BOTH)
RED = [("35", "0", "1-0"), ("-30", "0", "0-1")]
for number, (head, words) in enumerate((("fen,score,result", []), ("fen,score_cp,result", ["--pov", "red"]), ("fen,score_red,result_red", []), ("fen,score,result_white", ["--pov", "red"])), 1):
    same(f"pov_red_{number}", columns(*words, *HALF, write("red.csv", ETH.replace(ETH.splitlines()[0], head)))[0], RED)
same("pov_mates", columns("--pov", "stm", write("mates.csv", f"fen,mate,result\n{START},3,1-0\n{BLACK},-4,1-0\n{BLACK},2,0-1\n"))[0], [("0", "3", "1-0"), ("0", "4", "1-0"), ("0", "-2", "0-1")])
# Positions are refused if the point of view of their scores or results is unknown. --pov is refused
# if it has no effect.
got, said = columns(*HALF, wild("eth.csv"))
same("pov_unknown", (got, said.count("give --pov")), ([], 2))
for name, text in (("fen.csv", f"fen,score_red,result_stm\n{START},1,1\n"), ("x.pgn", '[Result "1-0"]\n\n1. h2e2 1-0\n'), ("x.epd", f"{START} sm h2e2; c9 \"1-0\";\n")):
    got, said = columns("--pov", "red", write(name, text))
    same("pov_no_effect_" + name, (got, "--pov" in said), ([], True))

# --fill-moves adds a move to a position without one. But if an unknown column has a name that
# suggests moves, the position is refused instead.
for number, (head, want) in enumerate((("fen,moves,result", []), ("fen,uci,result", ["1-0 b2e2"]), ("fen,half_moves,result", ["1-0 a0a1"]), ("fen,MOVE,result", ["1-0 b2e2"])), 1):
    same(f"column_of_moves_{number}", load("--fill-moves", text=f"{head}\n{START},b2e2,1-0\n")[0], want)

# ---- games that share a line -------------------------------------------------------------------------

same("oneline", load(wild("oneline.pgn"))[:2], (["0-1 h2e2 h9g7 h0g2 i9h9", "1-0 b2e2 b9c7"], []))
ENDGAME = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1"
SHARED = (f'[Event "a"] 1. h2e2 1-0 1. b2e2 0-1\n1. h2e2 h9g7 1-0 [Event "b "x"] y"] [Result "1-0"] h2e2 h9g7 1-0 [Event "c"] [FEN "{ENDGAME}"][Result "1-0"]'
          '{ [X "y"] } 1. a0a1{ 0-1 1. a [E "2"]} (1. a0a2 1-0) 1-0[Event "d"]1. h2e2 0-1 1. b2e2 0-1')
same("shared_line", load(text=SHARED, name="in.pgn")[:2], (["1-0 h2e2", "0-1 b2e2", "1-0 h2e2 h9g7", "1-0 h2e2 h9g7", "1-0 a0a1", "0-1 h2e2", "0-1 b2e2"], []))
many = "".join(f'[Event "{i}"] [Result "1-0"] 1. h2e2 {"h9g7" if i % 2 else "b9c7"} 1-0 ' for i in range(20000))
same("line_of_many", load(text=many, name="in.pgn")[2].get("games"), "20000")
same("event_kept", re.findall('Event "(.*)"', paotai("data", "export", "--format", "pgn", scratch("run")).stdout)[::9999], ["0", "9999", "19998"])

# ---- remarks -----------------------------------------------------------------------------------------

begun = os.times()
games, _, counts, _ = load(text='[Result "1-0"]\n\n1. h2e2 ' + "$1 {a} (1. b2e2) " * 20000 + "h9g7 {b} 1-0\n", name="in.pgn")
text = paotai("data", "export", "--format", "pgn", scratch("run")).stdout
same("remarks_of_one_ply", (games, len(re.findall(r"\ba\b", text)), text.count("$1"), "{b}" in text, os.times().children_user - begun.children_user < 5),
     (["1-0 h2e2 h9g7"], 20000, 20000, True, True))

# ---- pages -------------------------------------------------------------------------------------------

PAGE = (["0-1 h2e2 h9g7 h0g2 i9h9", "1-0 b2e2 b9c7"], [])
same("page", load(wild("page.html"))[:2], PAGE)
same("page_told", load("--format", "pgn", wild("page.html"))[:2], PAGE)
same("page_tags", re.findall('(?:Event|Site) "(.*)"|{(.*)}', paotai("data", "export", "--format", "pgn", scratch("run")).stdout),
     [("E\u5361", ""), ("a", ""), ("", "good &  fine"), ("F", ""), ("?", "")])
same("page_of_moves", load(text="<p>1. h2e2 h9g7 1-0</p>\n<p>1. b2e2 0-1</p>")[:2], (["1-0 h2e2 h9g7", "0-1 b2e2"], []))
for number, text in enumerate(('[Event &quot;a&quot;]<br />[Result &quot;1-0&quot;]<br /><br />1. h2e2 1-0', 'A game:<br>[Event "a"]<br>\n[Result "1-0"]<br>\n1. h2e2 1-0<br>that was it',
                               '<pre>\n[Event "a"]\n[Result "1-0"]\n\n1. h2e2\n1-0\n</pre>', '<table><tr><td>[Event "a"]</td><td>1.&nbsp;h2e2 1&#8211;0</td></tr></table>'), 1):
    same(f"page_{number}", load(text=text)[:2], (["1-0 h2e2"], []))
bad = load(text='<html>\n<p>[Event "a"]<br />[Result "1-0"]<br />\n1. h2e2<br />h9h5 1-0</p>\n')[1]
same("page_line", [error.split(":")[0] for error in bad], ["line 3"])
same("page_without_games", "no known format" in load(text="<html><p>Nothing here</p></html>")[3].stdout, True)
finish()

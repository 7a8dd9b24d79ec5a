# SPDX-License-Identifier: GPL-3.0-or-later
# Tests PGN as other programs write it, and texts that look like PGN.
import os
import re
import shutil
import subprocess

from checks import DATA, PAOTAI, START, finish, paotai, report, same, scratch, values, want, want_same, write


def load(text, *words, name="in.pgn"):
    """Imports a text. Returns the finished process, and the games in the format moves."""
    shutil.rmtree(scratch("run"), ignore_errors=True)
    done = paotai("data", "import", "--quiet", "--out", scratch("run"), *words, write(name, text))
    return done, paotai("data", "export", "--format", "moves", scratch("run")).stdout.splitlines()


# ---- memory ------------------------------------------------------------------------------------------

# A label after tags without quotes made a copy of the reader, which freed memory of the original.
for number, text in enumerate(("[E\n[E\n:", "[FEN 1\n[A\nx y:", "[Red x\n[Red x\n红方：\n[E\n:\n:"), 1):
    path = write(f"label{number}.pgn", text)
    for words in (["data", "import", "--out", scratch("never"), path], ["view", path, "--out", scratch("never.html")],
                  ["analyse", "--review", path], ["book", "info", path], ["match", "--openings", path, "--a", "nodes=1", "--b", "nodes=1",
                   "--pairs", "1"]):
        want(paotai(*words).returncode in (0, 1), f"{' '.join(words[:2])} of text {number} crashes")
report("labels_after_tags")

# ---- time and memory ---------------------------------------------------------------------------------

# Each text grows with N. Four times the text may take at most eight times the processor time.
LIST = "[DhtmlXQ]\n[DhtmlXQ_movelist]774770627967{}[/DhtmlXQ_movelist]\n[DhtmlXQ_result]红胜[/DhtmlXQ_result]\n"
GAME = '[Result "1-0"]\n\n1. h2e2 {} h9g7 1-0\n'
GROWING = {
    "tag again": lambda n: '[Event "E"]\n' * n,
    "tags": lambda n: "".join(f'[T{at} "x"]\n' for at in range(n)) + GAME.format(""),
    "tags in a line": lambda n: '[A "x"] ' + '[Event "E"] ' * n + GAME.format(""),
    "variations": lambda n: LIST.format("") + "".join(f"[DhtmlXQ_move_0_2_{at}]7062[/DhtmlXQ_move_0_2_{at}]\n" for at in range(1, n)) + "[/DhtmlXQ]\n",
    "bad variations": lambda n: LIST.format("") + "".join(f"[DhtmlXQ_move_0_1_{at}]9062[/DhtmlXQ_move_0_1_{at}]\n" for at in range(1, n)) + "[/DhtmlXQ]\n",
    "variations of variations": lambda n: LIST.format("") + "".join(
        f"[DhtmlXQ_move_{at - 1}_{min(at, 2)}_{at}]7062[/DhtmlXQ_move_{at - 1}_{min(at, 2)}_{at}]\n" for at in range(1, n)) + "[/DhtmlXQ]\n",
    "branches of a long line": lambda n: LIST.format("") + f"[DhtmlXQ_move_0_2_1]{'7062796770796267' * (n // 8)}[/DhtmlXQ_move_0_2_1]\n" + "".join(
        f"[DhtmlXQ_move_1_{n // 2}_{at}]70[/DhtmlXQ_move_1_{n // 2}_{at}]\n" for at in range(2, n // 4)) + "[/DhtmlXQ]\n",
    "remarks": lambda n: LIST.format("7967" * 0) + "".join(f"[DhtmlXQ_comment{at}]a remark[/DhtmlXQ_comment{at}]\n" for at in range(n)) + "[/DhtmlXQ]\n",
    "tags that do not end": lambda n: LIST.format("") + "".join(f"[DhtmlXQ_comment{at}]x\n" for at in range(n)),
    "PGN variations": lambda n: GAME.format("(1. b2e2 b9c7) " * n), "nested": lambda n: GAME.format("(1. b2e2 " * n + ")" * n),
    "PGN variations with tags": lambda n: "".join(f'[T{at} "{"x" * (4000 if at > 8 else 9)}"]\n' for at in range(60)) + GAME.format("(1. b2e2 b9c7) " * (n // 2)),
    "not closed": lambda n: GAME.format("(1. b2e2 {" * n), "comments": lambda n: GAME.format("{[%eval 0.1] a}" * n), "NAGs": lambda n: GAME.format("$1 ! ; x\n" * n),
    "results": lambda n: "1-0 1. " * n, "page": lambda n: '<p>[Event "E"]<br>[Result "1-0"]<br>1. h2e2 <i>' + "&amp;</i> " * n,
    "moves": lambda n: GAME.format("h9g7 e2h2 g7h9 h2e2 " * n), "labels": lambda n: "红方: a\nx y z: b\n" * n + "1. h2e2 1-0\n",
    "line without a move": lambda n: "x " * n, "csv columns": lambda n: "fen,result," + ",".join(f"c{at}" for at in range(n)) + f"\n{START},1-0{',1' * n}\n",
    "opcodes": lambda n: f'{START[:-4]} sm h2e2; c9 "1-0"; ' + "a 1; " * n + "\n", "plain": lambda n: f"fen {START}\n" + "move h3e3\n" * n + "score 1\nresult 1\ne\n",
    "lines of play": lambda n: "1-0\t" + "h2e2 h9g7 e2h2 g7h9 " * n}
NAMES = {"csv columns": "in.csv", "opcodes": "in.epd", "plain": "in.plain", "page": "in.html", "lines of play": "in.txt"}


def seconds(text, name):
    """Returns the processor time of an import in seconds, and its peak memory in megabytes."""
    shutil.rmtree(scratch("run"), ignore_errors=True)
    child = subprocess.Popen([PAOTAI, "data", "import", "--variations", "--quiet", "--threads", "1", "--out", scratch("run"), write(name, text)],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    want(os.waitstatus_to_exitcode(status) in (0, 1), f"{name} ends with the status {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


for kind, text in GROWING.items():
    small, large = (seconds(text(n), NAMES.get(kind, "in.pgn")) for n in (25000, 100000))
    want(large[0] < 8 * max(small[0], 0.05), f"{kind}: 25,000 take {small[0]:.2f} s, 100,000 {large[0]:.2f} s")
    want(large[1] < 1500, f"{kind}: 100,000 take {large[1]:.0f} MB")
report("time_grows_with_the_text")
LONG = GAME.format("{" + "a " * 600000 + "}")
for words, status, refused in (([], 0, False), (["--max-record", "1"], 1, True), (["--max-record", "2"], 0, False)):
    done, lines = load(LONG, *words)
    want_same((done.returncode, "longer than 1 MB" in done.stdout, len(lines)), (status, refused, 0 if refused else 1), f"{words}")
report("max_record")

# ---- results, line ends, HTML, positions -------------------------------------------------------------

def games(text, *words, name="in.pgn"):
    """Returns the games (result and moves) and the errors of an import."""
    done, lines = load(text, *words, name=name)
    return [" ".join(line.split("\t")[::len(line.split("\t")) - 1]) for line in lines], [line for line in done.stdout.splitlines() if line[:5] == "error"]


WORDS = {"1-0": "1-0 1:0 red Red WHITE 红胜", "0-1": "0-1 0:1 black Black 黑胜", "1/2-1/2": "1/2-1/2 1/2 1/2:1/2 0.5-0.5 ½-½ draw Draw 和棋"}
for result, words in WORDS.items():
    for word in words.split():
        for text in (f'[Result "{word}"]\n\n1. h2e2 h9g7 *\n', f'[Result "?"]\n\n1. h2e2 h9g7 {word}\n', f'[Result "{word}"]\n\n1. h2e2 h9g7 {word}\n',
                     f"1. h2e2 h9g7 {word}\n"):
            want_same(games(text, "--format", "pgn"), ([f"{result} h2e2 h9g7"], []), text)
        want_same(games(f"1. h2e2 h9g7 {word}\n\n1. h2e2 {word}\n", "--format", "pgn"), ([f"{result} h2e2 h9g7", f"{result} h2e2"], []), f"{word}, two games")
for word in ("0-0", "0:0"):
    for text in (f'[Result "{word}"]\n\n1. h2e2 h9g7 *\n', f'[Result "*"]\n\n1. h2e2 h9g7 {word}\n', f"1. h2e2 h9g7 {word}\n", f'[Result "1-0"]\n\n1. h2e2 {word}\n'):
        got, errors = games(text, "--unknown", "draw", "--format", "pgn")
        want_same((got, len(errors), "both sides lost" in "".join(errors)), ([], 1, True), text)
for word in ("win", "W", "1", "0", "2-0"):
    for unknown in ("referee", "draw", "none"):
        got, errors = games(f'[Result "{word}"]\n\n1. h2e2 h9g7 *\n', "--unknown", unknown)
        want_same((got, len(errors), f"Result is '{word}'" in "".join(errors)), ([], 1, True), f"{word} is no result of PGN")
    want_same(games(f'[Result "{word}"]\n\n1. h2e2 h9g7 1-0\n'), (["1-0 h2e2 h9g7"], []), f"{word} in the tag, and a result")
# A tag that decides how a game is read must not come twice with different values.
for text in ('[Result "1-0"]\n[Result "0-1"]\n', '[Result "*"]\n[Site "x"]\n[RESULT "0-1"]\n', '[Format "uci"]\n[Result "1-0"]\n[Format "wxf"]\n'):
    got, errors = games(f'[Event "x"]\n{text}\n1. h2e2 h9g7 *\n\n[Event "x"]\n[Result "1-0"]\n[Result "1-0"]\n\n1. h2e2 1-0\n', "--unknown", "draw")
    want_same((got, len(errors), "comes twice, with different values" in "".join(errors)), (["1-0 h2e2"], 1, True), text)
report("results")
BOARD = START.split()[0]
CUT = [f'[Event "a\rb"]\n[FEN "{START}\r"]\n[Result "1-0"]\n\n1. h2e2 h9g7 1-0\n', f'[FEN "{BOARD}\rw - - 0 1"]\n[Result "1-0"]\n\n1. h2e2 h9g7 1-0\n',
       f'[FEN "{BOARD}\rw\r- - 0 1"] [Site "a\rb"]\r\n[Result "1-0"]\r\n\r\n1. h2e2 h9g7 1-0\r\n', '[Event "a"]\r[Result "1-0"]\r\r1. h2e2 h9g7 1-0\r',
       '[Event "a]\r[Site "b"]\r[Result "1-0"]\r\r1. h2e2 h9g7 1-0\r']
for text in CUT:
    want_same(games(text + text), (["1-0 h2e2 h9g7"] * 2, []), repr(text))
report("carriage_returns_in_tags")
PGN = '[Event "E"]{0}\n[Result "1-0"]{0}\n{0}\n1. h2e2 h9g7 1-0'
PAGES = [f"</p>\n<p>{PGN.format('<br />')}</p>\n", f"</div>{PGN.format('<br>')}</p>", f"--></style>\n{PGN.format('<br>')}", PGN.format("").replace("h9g7", "<b>h9g7</b> <br>"),
         PGN.format("") + "</p></body>\n", f"words </p>\n{PGN.format('</span>')}\n", f"<p class='[x'>{PGN.format('</p><p>')}", "1. h2e2<br/>h9g7 1-0</p>", "</p>1. h2e2 h9g7<br />1-0",
         PGN.format("").replace("h2e2", '<a href="#" onclick="1. b2e2 0-1">h2e2</a>')]
for text in PAGES:
    want_same(games(text, "--format", "pgn"), (["1-0 h2e2 h9g7"], []), text)
report("elements_of_html")
BARE = [f'[FEN "{BOARD} w - - 0 1"]\n[Result "1-0"]\n\n1-0\n\n', f'[FEN "{BOARD} b - - 0 1"]\n[Result "0-1"]\n\n', f'[FEN "{BOARD} b - - 3 9"]\n[Result "1/2-1/2"]\n\n1/2-1/2\n']
done, lines = load("".join(BARE), "--fill-moves")
want_same(([line.split("\t")[0] for line in lines], values(done.stdout).get("positions"), done.returncode), (["1-0", "0-1", "1/2-1/2"], "3", 0), "--fill-moves")
want_same(paotai("data", "verify", scratch("run")).returncode, 0, "data verify")
got, errors = games("".join(BARE))
want_same((got, ["--fill-moves" in error for error in errors]), ([], [True] * 3), "without --fill-moves")
for text in ('[Result "1-0"]\n\n1-0\n', '[FEN "3k5/R8/1R7/9/9/9/9/9/9/4K4 b - - 0 1"]\n[Result "1-0"]\n\n1-0\n'):
    want_same((games(text, "--fill-moves")[0], len(games(text, "--fill-moves")[1])), ([], 1), f"--fill-moves, {text}")
want_same(games(f'[FEN "{START}"]\n[Result "1-0"]\n\n7747 7062 1-0\n', "--fill-moves")[0], ["1-0 h2e2 h9g7"], "moves of digits with --fill-moves")
report("positions_without_moves")

# ---- comments ----------------------------------------------------------------------------------------

with open(os.path.join(DATA, "pgn_dialects.tsv"), encoding="utf-8") as file:
    rows = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]


def comments(text, *words):
    """Imports games, exports them as PGN, and returns the comments of each game."""
    load(text, *words)
    games = paotai("data", "export", "--format", "pgn", scratch("run")).stdout.split("[Game ")[1:]
    return [re.findall(r"\{([^}]*)\}", game.replace("\n", " ")) for game in games]


TEXT = "".join(f'[Result "1-0"]\n\n1. h2e2 {f"{{{note}}} h9g7" if side == "w" else f"h9g7 {{{note}}}"} 1-0\n\n' for side, note, _ in rows)
first = comments(TEXT)
want_same(len(first), len(rows), "games")
for (side, note, answer), got in zip(rows, first):
    want_same("|".join(one.removeprefix(": ") for one in got), answer.strip("|"), f"{side} {note}")
want_same(paotai("data", "verify", scratch("run")).returncode, 0, "data verify")
again = paotai("data", "export", "--format", "pgn", scratch("run")).stdout
want_same(comments(again), first, "written and read again")
scored = sum(1 for _, _, answer in rows if "/" in answer.split("|")[0])
want_same(values(load(TEXT)[0].stdout).get("plies_scored"), str(scored), "plies_scored")
report("comments")
# lichess and PyChess write the clock after each move. The increment must be known.
CLOCKS = "1. h2e2 {[%clk 0:05:00]} h9g7 {[%clk 0:05:00]} 2. h0g2 {[%clk 0:04:58]} i9h9 {[%eval 0.3] [%clk 0:04:00]} 3. c3c4 {[%clk 0:06:00]} 1-0"
for control, times in (("300+5", ["[%clk 0:05:00]", "[%clk 0:05:00]", "7.000s", "-0.30/0 65.000s", "[%clk 0:06:00]"]),
                       ("300", ["[%clk 0:05:00]", "[%clk 0:05:00]", "2.000s", "-0.30/0 60.000s", "[%clk 0:06:00]"]),
                       ("40/5400+30", ["[%clk 0:05:00]", "[%clk 0:05:00]", "[%clk 0:04:58]", "-0.30/0", "[%clk 0:04:00]", "[%clk 0:06:00]"])):
    text = f'[TimeControl "{control}"]\n[Result "1-0"]\n\n{CLOCKS}\n'
    want_same(comments(text), [times], control)
    want_same(comments(paotai("data", "export", "--format", "pgn", scratch("run")).stdout), [times], f"{control}, again")
report("clocks")

# ---- faults that ended a game ------------------------------------------------------------------------

# Values of the tag Termination, and last comments, as these programs write them: the PGN standard,
# cutechess, fastchess, c-chess-cli, PyChess, lichess, chess.com and XBoard.
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


def reasons():
    return re.findall(r"^end_((?!game)\w+) (\d+)$", paotai("data", "info", scratch("run")).stdout, re.M)


for result in ("1-0", "0-1", "1/2-1/2"):
    for reason, texts in TERMINATIONS.items():
        done, games = load("".join(f'[Result "{result}"]\n[Termination "{text}"]\n\n{PLAYED} {result}\n\n' for text in texts))
        want_same((done.returncode, reasons(), len(games)), (0, [(reason, str(len(texts)))], len(texts)), f"{reason}, {result}")
        want_same(paotai("data", "verify", scratch("run")).returncode, 0, f"data verify after {reason}, {result}")
        exported = paotai("data", "export", "--format", "pgn", scratch("run")).stdout
        want_same(re.findall(r'^\[Termination "(.*)"', exported, re.M), [text for text in texts if text and text != "?"] if reason != "imported" else
                  [text for text in texts if text], f"the tag after {reason}, {result}")
        before = values(paotai("data", "info", scratch("run")).stdout)["content_hash"]
        load(exported)
        want_same(values(paotai("data", "info", scratch("run")).stdout)["content_hash"], before, f"the round trip of {reason}, {result}")
report("termination")
for reason, texts in COMMENTS.items():
    load("".join(f'[Result "1-0"]\n\n{PLAYED} {{{text}}} 1-0\n\n' for text in texts))
    want_same(reasons(), [(reason, str(len(texts)))], f"last comments: {reason}")
    load("".join(f'[Result "1-0"]\n\n1. h2e2 {{{text}}} h9g7 2. h0g2 i9h9 (2... b9c7 {{{text}}}) 1-0\n\n' for text in texts))
    want_same(reasons(), [("imported", str(len(texts)))], f"earlier comments: {reason}")
report("last_comment")
# The referee ends the first game by checkmate before it was broken off, the second has no result.
MATED = '[FEN "3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1"]\n'
for result in ("1-0", "0-1"):
    load(f'{MATED}[Result "{result}"]\n[Termination "abandoned"]\n\n1. b7b9 {result}\n')
    info = values(paotai("data", "info", scratch("run")).stdout)
    want_same((info.get("end_abandoned"), info.get("referee_checkmate"), paotai("data", "verify", scratch("run")).returncode), ("1", "1", 0), f"mate, {result}")
load(f'[Result "*"]\n[Termination "unterminated"]\n\n{PLAYED} *\n', "--unknown", "draw")
want_same((reasons(), paotai("data", "verify", scratch("run")).returncode), ([("unterminated", "1")], 0), "a game without a result")
load(f'[Result "1-0"]\n[Termination "abandoned"]\n\n{PLAYED} (2... b9c7) 1-0\n', "--variations")
want_same(sorted(reasons()), [("abandoned", "1"), ("imported", "1")], "the variation of an abandoned game")
report("fault_and_referee")
finish()

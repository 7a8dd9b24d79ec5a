# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai judge: the fields of its output, errors printed in place of the verdict on a bad
# record, exit status, --first and --explain.
import re

from checks import START, finish, outcome, same, scratch, write

BOARD, LOOP = "3a2b2/4k4/4b4/9/9/9/P8/1p6B/1r2A1C2/3K1A2C b - -", "b1b0 d0d1 b0b1 d1d0"
path = write("games.tsv", f"""# a comment and a blank line are skipped

{START}\th2e2 h9g7
{BOARD} 0 1\t{LOOP} {LOOP}
{BOARD} 0 1\t{LOOP} {LOOP} b1b0
{BOARD} 113 1\t{LOOP} {LOOP}
R3k4/1R7/9/9/9/9/9/9/9/3K5 b
""")
PERPETUAL = "black_loses\tperpetual_check"
VERDICTS = ["none\t-", PERPETUAL, PERPETUAL, PERPETUAL, "black_loses\tcheckmate"]
# With --check-run 3, the fourth check in a row by one piece loses, here by a chariot. A check by
# another piece starts a new count.
RUN, ROW = "3k5/9/9/9/9/9/9/9/9/R3K3R w", "a0a9 d9d8 a9a8 d8d9 a8a9 d9d8"
row = write("run.tsv", f"{RUN}\t{ROW}\n{RUN}\t{ROW} a9a8\n{RUN}\t{ROW} i0i8 d8d7 i8i7 d7d8 i7i8\n")
for name, words, lines in (("verdicts", [path], VERDICTS), ("first", ["--first", path], [f"{verdict}\t{ply}" for verdict, ply in zip(VERDICTS, "-8870")]),
                           ("rules_none", ["--rules", "none", path], ["none\t-", *["draw\tno_violation"] * 3, VERDICTS[4]]),
                           ("check_run", ["--rules", "literal", "--check-run", "3", "--first", row], ["none\t-\t-", "red_loses\tperpetual_check\t7", "none\t-\t-"]),
                           ("check_run_off", ["--rules", "literal", row], ["none\t-"] * 3)):
    same("judge_" + name, outcome("judge", *words), (0, "".join(line + "\n" for line in lines), ""))
same("judge_max_checks", outcome("judge", "--rules", "literal", "--max-checks", "4", path)[1].splitlines()[1], "none\t-")
same("judge_check_run_explained", outcome("judge", "--rules", "literal", "--check-run", "3", "--explain", row)[1].count("# 4 checks in a row by moves of the same piece"), 1)

# A bad record gets an error in its place, the other records are judged, and the exit status is 1.
status, out, _ = outcome("judge", stdin=f"{START}\th2e2 h9g8\nno fen\n{START}\th2e2\n{START}\ta0a9\n{START}\th2e2\th9g7\n4k4/9/9/9/9/9/9/9/9/4K4 w\n")
same("judge_errors", (status, re.sub("(?m)^(error\tline \\d+: ).*", r"\1", out).splitlines(), "line 1: ply 2: h9g8 " in out),
     (1, [f"error\tline {line}: " if line != 3 else "none\t-" for line in range(1, 7)], True))

# A file of games is refused by one message, which names its format and the command that reads it.
pgn = '\n[Event "x"]\n[Result "1-0"]\n\n1. h2e2 h9g7 1-0\n'
for name, done in (("file", outcome("judge", write("games.pgn", pgn))), ("input", outcome("judge", "--json", stdin=pgn))):
    status, out, err = done
    same("judge_pgn_" + name, (status, out, err.count("\n"), "line 2: a file of games in the format pgn" in err, "'paotai data import FILE --out DIR'" in err), (1, "", 1, True, True))
for name, begin in (("xqf", b"XQ\x0a\0\0"), ("cbr", b"CCBridge Record\0\0"), ("cbl", b"CCBridgeLibrary\0"), ("dhtmlxq", b"[DhtmlXQ]\n[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]\n")):
    status, out, err = outcome("judge", write("games." + name, begin))
    same("judge_game_file_" + name, (status, out, err.count("\n"), f"format {name}," in err), (1, "", 1, True))

# Without its comment lines, the output of judge --explain equals the output without --explain. The
# comments name the pieces.
status, out, _ = outcome("judge", "--explain", path)
same("judge_explain_plain", (status, [line for line in out.splitlines() if line[:1] != "#"]), (0, VERDICTS))
WORDS = ("CHECK by chariot b0", "cannon g1 attacks chariot b1: NEW CHASE (new attack)", "# Black: checked with every move",
         "Black has no legal move and is in check by chariot a9", "# no capture: 2 plies")
same("judge_explain", [words for words in WORDS if words not in out], [])

for words in ("--rules chess", "--max-checks 4", "--check-run 3", "--rules literal --max-checks 2", "--material none", "a b"):
    same("judge_usage_" + words.replace(" ", "_"), outcome("judge", *words.split())[:2], (2, ""))
same("judge_missing_file", outcome("judge", scratch("not-there"))[:2], (1, ""))
same("judge_help_says_approximate", "APPROXIMATE" in outcome("judge", "--help")[1], True)
finish()

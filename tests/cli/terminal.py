# SPDX-License-Identifier: GPL-3.0-or-later
# Tests output on a terminal with a given number of columns: the progress line of long commands, and
# the width of tables and help. rates.py tests the numbers in progress lines.
import re

from checks import finish, has_terminals, paotai, report, scratch, screen, want, write


if not has_terminals("terminal"):
    finish()


# match prints a table of at most 12 lines with the verdict. With --verbose, it prints key-value lines.
match = ("match", "--a", "nodes=40", "--b", "nodes=30,weights=classic", "--pairs", "4", "--max-plies", "60", "--quiet")
_, out, lines, widest = screen(120, *match, "--sprt", "0,5")
table = [line for line in lines if re.match(r"(players|score|pairs|Elo|LOS|SPRT 0,5|ended by|faults|verdict) ", line)]
want(len(table) == 9 and len([line for line in lines if line.strip()]) <= 14, f"the table of match: {lines}")
want(re.search(r"score +A wins \d+, draws \d+, loses \d+: [\d.]+ %", "\n".join(lines)), f"the score of match: {lines}")
_, _, lines, _ = screen(120, *match, "--verbose")
want(any(line.startswith("pentanomial ") for line in lines) and any(line.startswith("verdict ") for line in lines), f"match --verbose: {lines}")
want(paotai(*match).stdout.startswith("opening_window "), "match without a terminal prints no key-value lines")
report("terminal_match")

# selfplay prints a line for each stored shard. These lines stand above the progress line.
_, _, lines, widest = screen(40, "selfplay", "--games", "60", "--nodes", "400", "--weights", "classic", "--shard-games", "4", "--out", scratch("run"))
shards = [line for line in lines if "shard-" in line]
want(len(shards) == 15 and all(re.fullmatch(r"shard \S+ games \d+:\d+", line) for line in shards), f"lines of results: {lines}")
want(any("60 games" in line and "/s" in line for line in lines), f"no last progress line: {lines}")
progress = [line for line in lines if "/s" in line]
want(all(len(line) < 40 for line in progress), f"a progress line wider than the terminal: {progress}")
report("terminal_selfplay")

fens = "".join(f"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - {i} 1\n" for i in range(40))
_, _, lines, _ = screen(80, "analyse", "--nodes", "60000", write("fens", fens))
answers = [line for line in lines if "\t" in line]
want(len(answers) == 40 and all(re.match(r"-?\d+\t\d+\t\w", line) for line in answers), f"lines of analyse: {lines}")
report("terminal_analyse")

_, _, lines, _ = screen(80, "perft", "--suite", write("suite", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\t4\t1\n" * 12))
want(sum(line.startswith("FAIL line ") for line in lines) == 12, f"lines of perft: {lines}")
report("terminal_perft")

# The tables of these three commands fit 80 columns; only lists of term names may be longer.
for args in (("tune", "--material-sd", "100", scratch("run")), ("weights", "show", "default"), ("odds", "list")):
    lines = [line for line in screen(80, *args)[2] if not re.match("(tied|separable|never_active) ", line)]
    want(max(map(len, lines)) <= 80, f"{args}: {max(lines, key=len)!r}")
report("terminal_tables")

# The program without arguments names the command `paotai play` and the option --help.
_, _, lines, widest = screen(80, typed=b"quit\n")
want(widest <= 80 and "'paotai play'" in "".join(lines) and "--help" in "".join(lines), f"the first words: {lines}")
report("terminal_first_words")

# The lines of --help fill the width of the terminal.
for columns in (60, 120):
    _, _, _, widest = screen(columns, "match", "--help")
    want(columns - 12 <= widest <= columns, f"help on {columns} columns is {widest} wide")
report("terminal_help")
finish()

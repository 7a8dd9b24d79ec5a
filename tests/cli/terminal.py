# SPDX-License-Identifier: GPL-3.0-or-later
# Tests output on a terminal with a given number of columns: the progress line of long commands, and
# the width of tables and help.
import re
import subprocess
import time

from checks import PAOTAI, finish, has_terminals, paotai, read, report, scratch, screen, want, write


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

def counts_only_new(what, total, done_before, out):
    """Checks that the rate in the last progress line of a resumed command does not count the stored
    work: rate * time must not exceed the new work, with a tolerance of 10 %. The line rounds the
    time to seconds, so the check subtracts half a second from it."""
    shown = [(int(done), float(rate), int(minutes or 0) * 60 + int(seconds)) for done, rate, minutes, seconds in
             re.findall(rf"(\d+)/{total} \w+  ([\d.]+)/s[^\r\n]*  in (?:(\d+)m)?(\d+)s", out)]
    want(shown, f"{what}: no last progress line: {out[-300:]}")
    if shown:
        done, rate, seconds = shown[-1]
        want(done == total and rate * max(seconds - 0.5, 0.2) <= 1.1 * (total - done_before), f"{what}: the rate counts stored work: {shown[-1]}")


# After --resume the progress line also counts the stored games, but its rate per second counts only
# the new games. A run that takes less than a second shows no progress line.
for name, stored, total, options in (("games", 4, 24, ("tournament", "nodes=3000", "nodes=3100", "--rounds")),
                                     ("pairs", 2, 12, ("match", "--a", "nodes=3000", "--b", "nodes=3100", "--pairs"))):
    last = ("--max-plies", "60", "--out", scratch(f"resumed-{name}"))
    screen(80, *options, "2", *last)
    out = screen(80, *options, "12", *last, "--resume")[1].decode()
    counts_only_new(name, total, stored, out)
    want(any(stored < int(done) < total for done in re.findall(rf"(\d+)/{total} {name}  ", out)), f"{name}: no progress line counts the stored and some new games")
report("terminal_resumed")

# After --resume, the progress lines of spsa and train have a rate that counts only the new work.
SPSA = ("spsa", "--param", "razor_margin", "--iterations", "24", "--pairs", "2", "--probe-pairs", "0", "--check-pairs", "0", "--nodes", "600",
        "--opening-nodes", "0", "--out", scratch("spsa"))
screen(80, *SPSA)
lines = read("spsa/spsa.log").splitlines(True)
write("spsa/spsa.log", "".join(line for line in lines if not re.match(r"1[7-9]\t|2[0-4]\t", line)))
counts_only_new("spsa", 24, 16, screen(80, *SPSA, "--resume")[1].decode())
TRAIN = ("train", scratch("run"), "--units", "448", "--epochs", "40", "--match-pairs", "0", "--out", scratch("net"))
with subprocess.Popen([PAOTAI, *TRAIN], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
    while not next(child.stdout).startswith("epoch  30"):
        pass
    child.kill()
out = screen(80, *TRAIN, "--resume")[1].decode()
positions = int(re.search(r"/(\d+) positions  ", out)[1])
counts_only_new("train", positions, positions * 30 // 40, out)
report("terminal_resumed_fits")

# Before the iterations, spsa plays probes: matches of the smallest and of the largest value of a
# parameter against its start value. The progress line names them, and the rate of the iterations
# does not include their time. Each of the two probes has 40 pairs, each of the 30 iterations one.
begun = time.monotonic()
out = screen(80, "spsa", "--param", "razor_margin", "--iterations", "30", "--pairs", "1", "--probe-pairs", "40", "--check-pairs", "0", "--nodes", "300",
             "--opening-nodes", "0")[1].decode()
elapsed = time.monotonic() - begun
want("1/2 probes  " in out and "probe of razor_margin" in out, f"the progress line does not name the probes: {out[:300]}")
rates = re.findall(r"30/30 iterations  ([\d.]+)/s", out)
want(rates and 30 < 0.5 * elapsed * float(rates[-1]), f"the time of the iterations contains the probes: {rates}, {elapsed:.1f} s in all")
report("terminal_spsa_probes")

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

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the command line of every command. The help names every option. A wrong command line prints
# a useful first line and exits with status 2.
import functools
import itertools
import os
import re
import subprocess
import unicodedata

from checks import FULL, PAOTAI, accepts, finish, paotai, report, want, want_same


def wrong(pattern, *args):
    """Requires exit status 2, an empty standard output, and a message.

    The first line of the message must name the command and match the pattern."""
    done = paotai(*args)
    line = (done.stderr.splitlines() or [""])[0]
    shown = "'paotai " + " ".join(args) + "'"
    want(done.returncode == 2, f"{shown} exits {done.returncode}, not 2")
    want(done.stdout == "", f"{shown} prints on standard output: {done.stdout[:80]!r}")
    want(re.match(r"paotai[^:]*: .", line), f"{shown} does not say who speaks: {line!r}")
    want(re.search(pattern, line), f"{shown} says {line!r}, without {pattern!r}")


@functools.lru_cache(None)
def help_of(name):
    return paotai(*name.split(), "--help")


def width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


# A line of `help --completion` is "NAME: --option --option ...".
commands = {}
for line in paotai("help", "--completion").stdout.splitlines():
    name, _, options = line.partition(":")
    commands[name] = options.split()
main = paotai("--help").stdout
groups = main.partition("\nPlay and analyse:\n")[2]
listed = re.findall(r"^  (\S+(?: \S+)?)  +\S", groups, re.M)
headings = re.findall(r"^([A-Z].*):$", main, re.M)
want_same(headings, ["A first day", "Play and analyse", "Games and data", "Tune", "Measure"], "the headings of --help")
want_same(len(groups.splitlines()), len(listed) + 2 * 3, "lines of the groups: a line for each command, and an empty line and a heading before a group")
want_same(main.partition("A first day:")[2].partition("\n\n")[0].count("\n  paotai "), 3, "commands of a first day")
first_words = list(dict.fromkeys(name.split()[0] for name in listed))
want_same(paotai("help", "--completion", "").stdout.split(), first_words, "completion keeps the order of the groups")
want(commands and list(commands) == listed, f"--completion has {list(commands)}, --help {listed}")
for words, some in ((("match", "--a", "wei"), "weights="), (("match", "--a", "nodes=5,weights=c"), "nodes=5,weights=classic"), (("match", "--b", "quirk=no_s"), "quirk=no_stop"),
                    (("match", "--b", "profile=uc"), "profile=ucci"), (("tune", "--weights", "b"), "best"), (("tune", "--fit", "soldiers_l"), "soldiers_linked"),
                    (("tune", "--fit", "turn,soldiers_l"), "turn,soldiers_linked"), (("engine-check", "quirk=no_s"), "quirk=no_stop"), (("tournament", "weights=best", "prof"), "profile="),
                    (("weights", "show", "cl"), "classic"), (("term", "soldiers_l"), "soldiers_linked"), (("match", "--a", "weights="), "@files"), (("tune", "--weights", ""), "@files")):
    want(some in paotai("help", "--completion", *words).stdout.split(), f"completion of {words} lacks {some}")
report("usage_completion")

# perft: the help of --depth and the error about a wrong depth show the same range.
want("plies (1..20, default 5)" in " ".join(help_of("perft").stdout.split()), "perft --help shows no range of --depth")
wrong(r"--depth: 21 is not in 1\.\.20", "perft", "--depth", "21")
wrong("'no-such-command'.*--help", "no-such-command")
# A number of nodes that exceeds 64 bits is not wrong usage, because perft detects it only while it
# counts. The counting takes seconds.
if FULL:
    done = paotai("perft", "20", "--hash", "256", "--quiet", "--fen", "3akab2/9/9/9/9/9/9/9/9/R2K5 w")
    want(done.returncode == 1 and "does not fit into 64 bits" in done.stderr, f"perft with overflow: {done.returncode} {done.stderr}")
# --hash refuses tables that are larger than the memory.
for name, value, *words in (("perft", "1048576"), ("bench", "65536"),
                            ("analyse", "65536", "--threads", "4096", "/dev/null")):
    if (os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20) * 3 // 4 > int(value):
        continue
    done = paotai(name, "--hash", value, *words)
    want(done.returncode == 1 and re.search(r"\d+ MB (are too large|for hash tables: the memory is full)", done.stderr), f"{name} --hash {value}: {done.stderr}")
# Options that would have no effect are refused.
wrong("--divide: has no effect with --suite", "perft", "--divide", "--suite", "/dev/null")
PLAY = ("--nodes", "9", "--quiet", "--out", "never")
for name, words in (("pgn-moves", ("match", "--pgn-moves", "wxf")), ("resume", ("match", "--resume")), ("shard-games", ("match", "--shard-games", "4")),
                    ("order", ("match", "--order", "sequence")), ("book-plies", ("selfplay", *PLAY, "--games", "2", "--book-plies", "3")),
                    ("opening-window", ("selfplay", *PLAY, "--games", "2", "--opening-nodes", "0", "--opening-window", "50")),
                    ("opening-nodes", ("selfplay", *PLAY, "--games", "2", "--opening-plies", "0", "--opening-nodes", "50")),
                    ("spread", ("book", "make", "--spread", "9", "--out", "never")), ("window", ("book", "make", "--nodes", "0", "--window", "9", "--out", "never")),
                    ("nodes", ("analyse", "--player", "nodes=5", "--nodes", "3")), ("weights", ("analyse", "--player", f"cmd={PAOTAI},nodes=5", "--weights", "classic")),
                    ("noise-plies", ("match", "--a", f"cmd={PAOTAI},nodes=9", "--b", f"cmd={PAOTAI},nodes=8", "--noise-plies", "9")),
                    ("hash", ("analyse", "--static", "--hash", "9")), ("rules", ("analyse", "--static", "--rules", "none"))):
    wrong(f"--{name}: ", *words)
wrong("--max-nodes: has an effect only with --suite", "perft", "--max-nodes", "5", "--depth", "1")
wrong("--depth: has no effect with --micro", "bench", "--micro", "--depth", "1")
wrong("--runs: has an effect only with --micro", "bench", "--runs", "3", "--depth", "1")
# An error about the value of an option names the option once, and the range of a number.
for words, pattern in ((("--a", "weights=/no.txt"), r"^[^:]*: --a: (?!.*--a)"), (("--odds", "knight"), "--odds: there is no handicap 'knight'"), (("--tc", "abc"), "--tc: time: 'abc'"),
                       (("--a", "tc=abc"), "--a: tc: time: 'abc'"), (("--pairs", "0"), r"--pairs: 0 is not in 1\.\."),
                       (("--a", "nod=5"), r"did you mean nodes\?"), (("--a", "movetime=5"), r"did you mean st=SECONDS\?")):
    done = paotai("match", *words)
    want(done.returncode in (1, 2) and re.search(pattern, done.stderr), f"match {words}: {done.stderr!r}")
said = paotai("match", "--a", "cmd=/bin/true,st=1", "--pairs", "1").stderr
want("two attempts to start it failed" in said, f"a program that does not start is tried twice: {said!r}")
want("paotai show --data /tmp'" in paotai("show", "/tmp").stderr, "show of a directory says nothing of --data")
# The value "all" is accepted only by options that have the default "all".
perft = ("perft", "--quiet", "--suite", "tests/data/perft.tsv", "--max-nodes")
want_same(paotai(*perft, "all", "--help").returncode, 0, "--max-nodes all")
want_same(paotai("rescore", "--games", "3:all", "--help").returncode, 0, "--games 3:all")
wrong("--nodes: 'all' is not", "selfplay", "--nodes", "all")
wrong("--games: B or N must be at most", "selfplay", "--games", str(2**64 - 1), "--out", "build/never")
want("no command for nodes=: give this player depth=, st= or tc=" in paotai("match", "--b", "cmd=/bin/true,proto=cecp", "--pairs", "1").stderr,
     "a match against a program of XBoard's protocol does not say which limits the program takes")
levels = re.findall(r"^  level (\d+): \d+( \+- [1-9]\d*)? Elo, \d+ nodes, \d+ % random moves$", help_of("play").stdout, re.M)
want([number for number, _ in levels] == [str(n) for n in range(1, 12)] and [error for _, error in levels].count("") == 1, f"levels of play: {levels}")
# perft and bench: a number alone is the depth, as after --depth.
for name, bare in (("perft", "1"), ("bench", "2")):
    alone, named = (re.search(r"nodes \d+|\d+ nodes", paotai(name, *words).stdout) for words in ((bare,), ("--depth", bare)))
    want(alone and named and alone[0] == named[0], f"'{name} {bare}' is not '{name} --depth {bare}'")
    wrong("too many arguments", name, bare, bare)
    wrong("--depth: 99 is not in 1", name, "99")
    wrong("--depth: '2x' is not a whole number", name, "2x")
    wrong(f"'deep' is neither an option nor an unsigned number; usage: paotai {name}", name, "deep")
wrong("no command 'data improt' .did you mean 'data import'", "data", "improt")
want("usage: paotai match" in paotai("--help", "match").stdout, "'--help match' is not 'match --help'")
wrong("--depth: has no effect with --suite", "perft", "3", "--suite", "/dev/null")
wrong("--no-such-option", "--no-such-option")
for group in sorted({name.split()[0] for name in commands if " " in name}):
    if group in commands:
        continue
    wrong(f"'{group}' is only the first word", group)
    wrong(f"'{group}' is only the first word|no-such-command", group, "no-such-command")
    done = help_of(group)
    want(done.returncode == 0 and f"  {group} " in done.stdout, f"'paotai {group} --help' does not list its commands")
for name in ("match", "data info", "data"):
    want(paotai("help", *name.split()).stdout == help_of(name).stdout != "", f"'help {name}' is not its --help")
wrong("'no-such-command'.*--help", "help", "no-such-command")
for words in (("train", "--out", "never"), ("ablate", "--terms", "hanging")):
    wrong(r"--nodes: 0 is not in 1\.\.", *words, "never", "--nodes", "0")
wrong("'bogus' after 'help tune'", "help", "tune", "bogus")
wrong("'bogus' after 'help data info'", "help", "data", "info", "bogus")
wrong("no command 'data bogus'", "help", "data", "bogus")
# The help of --threads says that the result does not depend on the number of threads. For commands
# whose players search, it adds the exception: unless a player has a time limit.
for words, players in (("data verify", False), ("report", False), ("variant match", False), ("analyse", True), ("book make", True), ("loop", True), ("match", True), ("selfplay", True)):
    text = " ".join(help_of(words).stdout.split())
    want(re.search(r"number of (threads|games [^;(]*); the result does not depend on it%s" % (", unless a player has a time limit" if players else "(?!,)"), text),
         f"{words} --help: --threads")
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
wrong("too many arguments.*--fen 'rnb", "perft", START)
wrong("is a position, not a file; .*standard input", "analyse", START)
# An option without its value does not take the next option as its value.
wrong("--weights needs a value .*--out follows.*--weights=--out", "selfplay", "--games", "1", "--weights", "--out", "x")
wrong("--nodes needs a value .*--depth=3 follows", "match", "--nodes", "--depth=3")
want(max(map(width, main.splitlines())) <= 80, "paotai --help is wider than 80 columns")
steps = re.findall(r"^(\d)\. [A-Z].*(?:\n   \S.*)*$", help_of("term").stdout, re.M)
want(steps == list("123456"), f"the steps of term do not begin on lines of their own: {steps}")
# Without arguments, show draws the start position.
want(paotai("show", "--pieces", "letters").stdout == paotai("show", START + " - - 0 1", "--pieces", "letters").stdout != "", "show alone")
want(paotai("show", "--moves", "h2e2").returncode == 0, "show --moves alone")
protocol = paotai(stdin="position startpos\neval\nexit\nisready\n")
want("Final evaluation" in protocol.stdout and "readyok" not in protocol.stdout, "exit ends the protocol as quit does")
want(max(map(width, protocol.stdout.splitlines())) <= 80, "the table of eval is wider than 80 columns")
report("usage_main")

# An option that has no effect together with the other arguments is refused.
wrong("--game: .*--data", "show", "--game", "3")
wrong("--ply: .*--data", "show", "--ply", "3")
wrong("--board-only: .*--data", "show", "--board-only")
wrong("--depth: --players", "data", "openings", "--players", "--depth", "3", ".")
wrong("--stopped: --plan", "sprt", "--plan", "--stopped")
wrong("--runs: .*--plan", "sprt", "--counts", "1,2,3", "--runs", "5")
wrong("--shogi: .*globalstar", "notation", "--shogi")
report("usage_no_effect")

version = paotai("--version")
want(version.returncode == 0, f"--version exits {version.returncode}")
for pattern in (r"paotai \d+\.\d+", r"revision ([0-9a-f]{7,40}(-dirty)?|unknown)", r"compiler .*\d", r"flags .*-O",
                r"variant [a-z]+", r"hdf5 \d[\d.]+", r"zlib \d[\d.]+", r"gsl \d[\d.]+"):
    want(re.search(f"^{pattern}", version.stdout, re.M), f"--version has no line {pattern!r}")
report("version")

NUMBERS = {"N", "MS", "MB", "PLIES", "SECONDS", "P", "ELO", "UNITS"}
# One parser reads the numbers of all options, so each option is tested with only one of these
# invalid numbers.
bad_numbers = itertools.cycle(("12x", "-999999999999999999999999", "999999999999999999999999", ""))
examples, known = [], set()
for name, options in commands.items():
    words = name.split()
    help_ = help_of(name)
    want(help_.returncode == 0, f"--help exits {help_.returncode}")
    want(help_.stderr == "", "--help prints on standard error")
    for option in options:
        want(re.search(rf"^  {option}( |$)", help_.stdout, re.M), f"--help does not name {option}")
    wrong("--no-such-option.*--help", *words, "--no-such-option")
    # An option line of --help is "  --name UNIT   meaning". A flag has no unit, but at least two
    # blanks before its meaning. An option that several commands share is tested once.
    for option, unit, meaning in re.findall(r"^  (--\S+) (\S+)(?: |$) *(.*(?:\n {4,}\S.*)*)", help_.stdout, re.M):
        if (option, unit, meaning) in known:
            continue
        known.add((option, unit, meaning))
        if "|" in unit and unit == unit.lower():  # options with "FILE" take any text
            wrong(f"{option}\\b.*no-such-choice.*{re.escape(unit.split('|')[0])}", *words, option, "no-such-choice")
        elif unit.upper() in NUMBERS:
            value = next(bad_numbers)
            wrong(f"{option}\\b.*{value}", *words, f"{option}={value}")
        else:
            wrong(f"{option}\\b", *words, option)
    # A flag with a value is refused.
    for option in re.findall(r"^  (--\S+)  +\S", help_.stdout, re.M)[:1]:
        wrong(f"{option}\\b.*no value", *words, f"{option}=1")
    arguments = re.match(rf"usage: paotai {name}(?: \[options\])? *(.*)", help_.stdout).group(1).split()
    if arguments in ([], ["[FILE]"]):
        wrong("too many arguments", *words, *["x"] * (len(arguments) + 1))
    elif arguments[0][0].isalpha() and "|" not in arguments:
        wrong("missing|wants", *words)
    examples += re.findall(r"^ *(paotai [^(\n]*)", help_.stdout.split("\n", 1)[1].replace("\\\n", ""), re.M)
    for columns in ("80", "100", "72") if name == "match" else ("72",):
        shown = subprocess.run([PAOTAI, *words, "--help"], env={**os.environ, "COLUMNS": columns}, capture_output=True, encoding="utf-8").stdout
        widest = max(shown.splitlines(), key=width)
        want(width(widest) <= int(columns), f"--help has a line wider than {columns}: {widest!r}")
        want(columns != "80" or shown == help_.stdout, "--help in a pipe is not made for 80 columns")
        want(not re.search(r"\bdefault \d{9,}\)", " ".join(shown.split())), "a default that means no limit is shown as a number, not as 'all'")
        want(columns != "100" or shown.count("\n") <= help_.stdout.count("\n"), "--help has more lines on 100 columns than on 80")
    report("usage_" + "_".join(words).replace("-", "_"))

# The options in the examples of --help are valid. Each example is run with --help as last word, so
# that the parser reads all its options but the command does nothing.
for example in examples:
    accepts(example)
report("usage_examples")
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests paotai spsa with games: its log, its output, damaged logs, refused command lines, and core/search/adopt.sh."""
import json
import os
import re
import shutil
import xml.etree.ElementTree

from checks import PAOTAI, check, finish, paotai, read, refuses, report, run, same, scratch, values, want, want_same, write

WORDS = ("--param razor_margin --param null_reduction,3,1,6,1 --iterations 10 --pairs 2 --probe-pairs 4 --check-pairs 3 "
         "--nodes 60 --opening-nodes 100 --seed 3 --quiet").split()
TINY = ("--pairs", "1", "--nodes", "30", "--opening-nodes", "0", "--quiet")


def spsa(*args):
    return paotai("spsa", *args)


def rows_of(name):
    """Returns the rows of a log, probes (whose number is negative) and iterations."""
    return [line.split("\t") for line in read(name + "/spsa.log").splitlines() if re.match(r"-?\d", line)]


# ---- the output ----------------------------------------------------------------------------------------
one = spsa(*WORDS, "--out", scratch("one"))
two = spsa(*WORDS, "--out", scratch("two"), "--threads", "2", "--json")
check("spsa_run", one.returncode == 0 and two.returncode == 0, one.stderr + two.stderr)
rows = rows_of("one")
probes, steps = [row for row in rows if row[0][0] == "-"], [row for row in rows if row[0][0] != "-"]
check("spsa_log", [int(row[0]) for row in rows] == [-1, -2, -3, -4, *range(1, 11)] and {sum(map(int, row[1:4])) for row in probes} == {8}
      and {sum(map(int, row[1:4])) for row in steps} == {4} and all(2 * sum(map(int, row[4].split(","))) == sum(map(int, row[1:4])) for row in rows), rows)
said = [json.loads(line) for line in two.stdout.splitlines()]
numbered = [row for row in said if "iteration" in row]
NAMES = ["razor_margin", "null_reduction"]
check("spsa_json", [row["iteration"] for row in numbered] == list(range(1, 11)) and all(abs(row["razor_margin"] - float(line[6])) < 1e-3 for row, line in zip(numbered, steps))
      and [row["param"] for row in said if "param" in row] == [row["probe"] for row in said if "probe" in row] == NAMES
      and said[-2]["games"] == 40 and said[-2]["use"].startswith("weights=default,option.razor_margin=") and said[-1]["check_games"] == 6 and "check_elo_error95" in said[-1], said[-3:])
few = json.loads(next(line for line in spsa(*"--param razor_margin --iterations 1 --probe-pairs 0 --check-pairs 0 --json".split(), *TINY).stdout.splitlines() if '"param"' in line))
same("spsa_few_iterations", [few["verdict"], few["missing_elo_high"], few["range_elo_high"]], ["undecided: too few iterations", None, None])
# The probes have no verdict of their own beside that of the table, and a result that is not stronger is not to be adopted.
check("spsa_one_verdict", "leave" not in one.stdout and "neither" not in one.stdout and [("strength stronger\n" in one.stdout)] == ["adopt " in one.stdout], one.stdout)
page = xml.etree.ElementTree.fromstring(read("one/spsa.html").split("\n", 1)[1])
same("spsa_page", len(list(page.iter("{http://www.w3.org/2000/svg}svg"))), 2)
use = values(one.stdout)["use"]
done = paotai("match", "--a", use, "--b", "weights=default", "--pairs", "1", "--nodes", "50", "--quiet")
check("spsa_use", done.returncode == 0, f"match does not accept the printed line 'use' as a player: {use}")
# The output line `use` describes a player, as the option --player expects it. Tuning this player starts at the player's
# option values. The new line `use` contains each option once.
first = re.search(r"razor_margin=(\d+)", use)[1]
want(first != "300", "the first run did not move")
done = spsa("--player", use, "--param", "razor_margin,300,100,800,40", "--param", "null_reduction", *"--iterations 2 --pairs 1 --probe-pairs 2 --check-pairs 2 --nodes 60 --seed 3".split())
want(done.returncode == 0 and re.search(f"^razor_margin +{first} ", done.stdout, re.M), done.stdout)
want(f"razor_margin starts at {first}, the value in --player, instead of 300 in --param\n" in done.stderr, done.stderr)
want_same(values(done.stdout)["use"].split(",").count(f"option.razor_margin={re.search(r'razor_margin=([0-9]+)', values(done.stdout)['use'])[1]}"), 1, "the option in the line use")
report("spsa_continued")
# Two identical players play every pair 1-1. If an end of the range or the tuned value equals the start value, no match
# is played for it.
done = spsa(*"--param null_verify_depth,100,99,100,0.1 --iterations 1 --pairs 1 --probe-pairs 20 --nodes 40 --opening-nodes 0 --check-pairs 50 --quiet --out".split(), scratch("alike"))
want(re.search("^probe null_verify_depth +at 99: plays like the start value: the same moves in all 40 games; at 100: equal to the start value, so no games were played$", done.stdout, re.M), done.stdout)
want("\ncheck_games 0\n" in done.stdout and re.search("^check_note the rounded result equals the start", done.stdout, re.M), done.stdout)
want_same([sum(map(int, row[1:4])) for row in rows_of("alike") if row[0] in ("-1", "-2")], [40, 0], "games of the probes")
report("spsa_alike")
# For each end of a parameter's range, spsa plays a match (a probe) against the start values. It prints the verdict and
# the Elo interval of a probe as `paotai match` does. After only four pairs, the interval must be wide.
probes = re.findall("^probe (.*)", one.stdout, re.M)
ONE = (r"(stronger|weaker|not decided) \((won every game, at least [0-9]+ Elo|lost every game, at most -[0-9]+ Elo|[+-][0-9]+ Elo"
       r"(, (-?[0-9]+ to -?[0-9]+|at (least|most) -?[0-9]+))?), 95 %, too few pairs\)")
ALIKE = "plays like the start value: the same moves in all 8 games"
want(len(probes) == 2 and any(re.search(f"at [0-9]+: {ONE}", probe) for probe in probes), probes)
want(all(re.fullmatch(f"[a-z_]+ +at [0-9]+: ({ONE}|{ALIKE}); at [0-9]+: ({ONE}|{ALIKE})", probe) for probe in probes), probes)
want(all(row["min_ci_high"] - row["min_ci_low"] > 150 for row in said if "probe" in row), said)
report("spsa_few_pairs")
# Parameters that have no effect under the given limits are refused, and `all` leaves them out.
refuses("spsa_no_effect", 2, "lmr_cut has no effect in searches of 1000 nodes: it acts only with a node limit above few_nodes = 20000", "--param", "lmr_cut", run=spsa)
refuses("spsa_no_effect_few", 2, "few_check_depth has no effect in searches without a node limit: it acts only", *"--param few_check_depth --depth 3 --nodes 0".split(), run=spsa)
refuses("match_no_effect", 2, "--a: lmr_cut has no effect in searches of 1000 nodes", "match", "--a", "option.lmr_cut=100", "--pairs", "1")
shallow, deep = spsa("--param", "all", "--iterations", "0").stdout, spsa(*"--param all --iterations 0 --depth 5 --nodes 0".split()).stdout
# If few_nodes is tuned, too, it may become smaller than the limit of 1000 nodes. Both few_lmr_cut and lmr_cut then have
# an effect.
check("spsa_all_that_act", re.search("^few_lmr_cut,", shallow, re.M) and re.search("^lmr_cut,", shallow, re.M) and re.search("^lmr_cut,", deep, re.M) and not re.search("^few_", deep, re.M), deep)

# ---- made permanent --------------------------------------------------------------------------------------
# core/search/adopt.sh writes results into a copy of search_params.def. It checks all lines before it writes anything.
TABLE, SCRIPT = "tree/core/search/search_params.def", os.path.abspath("core/search/adopt.sh")
with open("core/search/search_params.def", encoding="utf-8") as file:
    write(TABLE, file.read())


def adopt(*args):
    return run("sh", SCRIPT, *(os.path.abspath(arg) if os.path.sep in arg else arg for arg in args), cwd=scratch("tree"))


before = read(TABLE).splitlines()
chosen = write("adopt.txt", "razor_margin, int, 311, 100, 800, 40, 0.002\r\nfew_lmr_cut,140,0,400,20,0.02\n")
done = adopt("write", chosen)
changed = [",".join(line.split(",")[:2]) for line, old in zip(read(TABLE).splitlines(), before) if line != old]
want(done.returncode == 0 and changed == ["SEARCH_PARAM(razor_margin, 311", "SEARCH_FEW(lmr_cut, 140"], f"{changed} {done.stderr}")
want(re.search("^razor_margin [0-9]* -> 311$", done.stderr, re.M), done.stderr)
want(adopt("prove", chosen, PAOTAI).returncode != 0, "this program has these defaults")
own = write("same.txt", spsa(*"--param razor_margin --param few_lmr_cut --iterations 0".split()).stdout)
want(adopt("prove", own, PAOTAI).returncode == 0, "this program has other defaults")
report("spsa_adopt")
table = read(TABLE)
check("spsa_adopt_mark", adopt("write", write("mark.txt", b"\xef\xbb\xbfrazor_margin, int, 311, 100, 800, 40, 0.002\n")).returncode == 0, "it does not skip a byte order mark")
cut = write("cut.txt", "null_reduction,3,1,8,1,0.002\nrazor_margin, int, 31")
refuses("spsa_adopt_cut", 2, "cut.txt: the last line has no line end", "write", cut, run=adopt)
refuses("spsa_params_cut", 1, "cut.txt:2: the line has no line end", "--params", cut, "--iterations", "0", run=spsa)
for bad, why in (("razor_margin,900,0,1000,1", "900 is outside 100 to 800"), ("nope,1,0,2,1", "no search parameter"), ("razor_margin,3.5x,0,9,1", "no number"),
                 ("razor_margin,99.4,0,9,1", "99 is outside 100 to 800"), ("#", "no line")):
    refuses(f"spsa_adopt_refuses_{bad}", 2, why, "write", write("bad.txt", ("" if bad == "#" else "null_reduction,3,1,8,1\n") + bad + "\n"), run=adopt)
same("spsa_adopt_whole", read(TABLE), table)

# ---- damaged logs ----------------------------------------------------------------------------------------
for name, run_, old, new in (("", "one", "\n5\t", "\n5x\t"), ("_probe", "two", "\n-3\t", "\nx-3\t")):
    log = read(run_ + "/spsa.log").replace(old, new, 1)
    write(run_ + "/spsa.log", log)
    line = log[:log.index(new) + 1].count("\n") + 1
    refuses("spsa_damaged" + name, 1, f"spsa.log line {line} is damaged: remove it", *WORDS, "--out", scratch(run_), "--resume", run=spsa)

# ---- another program, and parameter lines ----------------------------------------------------------------
done = spsa("--player", f"cmd={PAOTAI},nodes=50", *"--param razor_margin,300,100,800,40 --iterations 2 --pairs 1 --probe-pairs 2 --check-pairs 2 --opening-plies 4 --opening-nodes 0 --quiet".split())
check("spsa_program", done.returncode == 0, done.stderr)
check("spsa_no_verdict", re.search("^razor_margin .* undecided: too few iterations$", done.stdout, re.M), done.stdout)
# Parameter lines of OpenBench and of fishtest are read and written.
lines = write("lines.txt", "# two\n\nrazor_margin, int, 300, 100, 800, 40, 0.002\r\nnull_reduction,3,1,6,1,0.5\n")
want_same(spsa("--iterations", "0", "--params", lines).stdout.split(), ["razor_margin,300,100,800,40,0.002", "null_reduction,3,1,6,1,0.5"], "the lines")
written = spsa("--iterations", "0", "--params", lines, "--param", "x, int, -5, -9, 9, 1.5").stdout
want("x,-5,-9,9,1.5,0.02\n" in written, written)
want_same(spsa("--iterations", "0", "--params", write("written.txt", written)).stdout, written, "the lines that were written")
LINED = ("--params", lines, "--iterations", "4", "--probe-pairs", "0", *TINY, "--out", scratch("lined"))
done = spsa(*LINED, "--check-pairs", "0")
rows = [line.split(",") for line in read("lined/params.txt").splitlines()]
want_same([",".join(row[:2] + row[3:]) for row in rows], ["razor_margin, int, 100, 800, 40, 0.002", "null_reduction, int, 1, 6, 1, 0.5"], "params.txt")
want_same([f"{float(row[2]):.0f}" for row in rows], re.findall(r"=(\d+)", values(done.stdout)["use"].split("default,")[1]), "the line use")
want(not re.search("^(check_games|probe)", done.stdout, re.M), done.stdout)
report("spsa_lines")
# params.txt keeps fractions, so a run that continues from it starts where the last one ended. A half is rounded in one
# way: in the line `use`, in games, and by adopt.sh.
done = spsa(*"--param razor_margin,300.5,100,800,0.2,0.000001 --iterations 1 --pairs 1 --probe-pairs 0 --check-pairs 0 --nodes 30 --opening-nodes 0 --out".split(), scratch("half"))
half = read("half/params.txt")
want(re.match(r"razor_margin, int, 300\.5[0-9]*, 100, 800, 0.2, ", half), half)
want(re.search("^use .*option.razor_margin=301$", done.stdout, re.M), done.stdout)
want(re.search("^razor_margin: C 0.2 is small: .* same value in 54 % of the iterations and reversed values in 4 %", done.stderr, re.M), done.stderr)
want_same(spsa("--params", scratch("half/params.txt"), "--iterations", "0").stdout, half.replace(" ", "").replace(",int", ""), "the parameters again")
shutil.copy("core/search/search_params.def", scratch(TABLE))
want("-> 301\n" in adopt("write", scratch("half/params.txt")).stderr, "adopt.sh rounds in another way")
report("spsa_fraction")
# The parameters of several --params files are all used.
got = spsa("--iterations", "0", "--params", lines, "--params", write("more.txt", "x,-5,-9,9,1.5\n")).stdout
same("spsa_files", [line.split(",")[0] for line in got.splitlines()], ["razor_margin", "null_reduction", "x"])
other = write("other.txt", read("lines.txt").replace("0.5\n", "0.4\n"))
refuses("spsa_other_lines", 1, "null_reduction", "--params", other, *LINED[2:], "--resume", run=spsa)
wrong = write("float.txt", "a, int, 3, 1, 6, 1, 0.5\nb, float, 3, 1, 6, 1, 0.5\n")
for name, why, words in (("float", "float.txt:2: --param b: type float is not supported", ("--params", wrong, "--iterations", "0")), ("no_param", "--param NAME,START", ()), ("unknown", "nothing", ("--param", "nothing")),
                         ("range", "razor_margin", ("--param", "razor_margin,300,1,800,40")), ("foreign", "LmrBase", ("--param", "LmrBase,80,0,200,10")),
                         ("start_outside", "outside the range 200 to 800", ("--player", "option.razor_margin=190", "--param", "razor_margin,300,200,800,40"))):
    refuses("spsa_" + name, 2, why, *words, run=spsa)
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests `tune --trace`: an engine that answers the lines of a trace is fitted like the built-in evaluation, and
a wrong trace is refused or named. tests/trace_mock.py is an engine with the requested fault."""
import re
import subprocess
import sys

from checks import PAOTAI, finish, need, outcome, paotai, read, report, result, scratch, values, want, want_same, write

need("trace", "h5py", "numpy")
import h5py  # noqa: E402
import numpy as np  # noqa: E402

made = paotai("selfplay", "--games", "40", "--nodes", "40", "--opening-nodes", "100", "--weights", "classic",
              "--seed", "5", "--quiet", "--threads", "2", "--shard-games", "20", "--out", scratch("run"))
assert made.returncode == 0, made.stderr
RUN = scratch("run")
FEW = ("--fit", "material_*,table_horse*", "--quiet")
MOCK = f"{sys.executable} tests/trace_mock.py"


def traced(words, *more, out="mock.tsv"):
    return outcome("tune", "--trace", f"cmd={MOCK} {words}".replace(",", "\\,"), RUN, "--quiet", "--out", scratch(out), *more)


def table(name):
    lines = [line.split("\t") for line in read(name).splitlines() if line[:1] != "#"]
    return lines[0], {line[0]: [float(word) for word in line[1:]] for line in lines[1:]}


# ---- our own engine ------------------------------------------------------------------------------
paotai("data", "export", "--rows", "--weights", "classic", "--out", scratch("ours.h5"), RUN, "--quiet")
for proto, threads in (("uci", "1"), ("ucci", "2")):
    said = paotai("tune", "--trace", f"cmd={PAOTAI},proto={proto},option.{'Weights' if proto == 'uci' else 'weights'}=classic",
                  RUN, *FEW, "--threads", threads, "--rows-out", scratch("own.h5"), "--out", scratch("own.tsv"))
    if said.returncode == 0:
        with h5py.File(scratch("ours.h5")) as ours, h5py.File(scratch("own.h5")) as own:
            for name in ours:
                want(name == "occurrences" or name in own and np.array_equal(ours[name][()], own[name][()]), f"{name} differs")
            want(np.array_equal(own.attrs["phase_max"], ours.attrs["phase_max"]), "phase_max")
    want_same(said.returncode, 0, said.stderr)
    report(f"trace_own_rows_{proto}")
# With --trace-plies, the engine gets the position some plies earlier and the moves from there. Our own engine sets no
# tables at the root, so its rows are the same.
said = paotai("tune", "--trace", f"cmd={PAOTAI},option.Weights=classic,log={scratch('plies.log')}", RUN, *FEW, "--trace-plies", "4",
              "--rows-out", scratch("plies.h5"), "--out", scratch("plies.tsv"))
if said.returncode == 0:
    with h5py.File(scratch("ours.h5")) as ours, h5py.File(scratch("plies.h5")) as own:
        want(all(np.array_equal(ours[name][()], own[name][()]) for name in ("index", "coefficient", "indptr", "score", "result")), "rows differ")
        count = len(own["result"])
    # The terms with the value 0 are checked with trial values in the positions themselves.
    sent = [len(line.partition(" moves ")[2].split()) for line in read("plies.log").splitlines() if "position fen " in line]
    want(sent.count(4) > 0.9 * count and max(sent) == 4, f"{count} rows, numbers of moves: {[sent.count(n) for n in range(6)]}")
want_same(said.returncode, 0, said.stderr)
report("trace_plies")
again = paotai("tune", "--rows", scratch("own.h5"), *FEW, "--out", scratch("again.tsv"))
result("trace_rows_out", "" if again.returncode == 0 and table("own.tsv") == table("again.tsv") else again.stderr)
lines = "uci\nsetoption name Weights value {}\nposition startpos moves h2e2 h9g7 h0g2\ntrace terms\ntrace eval\nquit\n"
rows = [[line for line in paotai(stdin=lines.format(name)).stdout.splitlines() if line.startswith("trace row")][0].split()
        for name in ("best", "default")]
want_same(rows[0][rows[0].index("terms"):], rows[1][rows[1].index("terms"):], "terms with and without the network")
want_same(int(rows[0][3]) - int(rows[1][3]), int(rows[0][rows[0].index("offset") + 1]), "the network's part")
report("trace_network_is_offset")
said = paotai(stdin="uci\nsetoption name Weights value classic\nposition fen 3k5/9/9/9/9/9/9/9/9/3RK4 b - - 0 1\ntrace eval\n"
              "trace set 0 500 700\nposition fen 3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1\ntrace eval\ntrace set 9999 1 1\nquit\n").stdout
told = [line for line in said.splitlines() if line.startswith("trace")]
want_same([told[0], told[1], told[2].split()[:6], told[3][:11]],
          ["trace none check", "trace ok", "trace row value 675 phase 6".split(), "trace error"], "trace eval, trace set")
report("trace_set_own")

# ---- right traces --------------------------------------------------------------------------------
for words in ("split=1", "plain=1", "fraction=1", "factor=1", "none=3", ""):
    status, out, err = traced(words, "--rows-out", scratch("mock.h5"))
    name = "trace_mock_" + (words.split("=")[0] or "plain_words")
    if status:
        result(name, err)
        continue
    want_same(values(out).get("mismatches"), "0", "mismatches")
    paotai("tune", "--rows", scratch("mock.h5"), "--quiet", "--out", scratch("mock2.tsv"))
    want(table("mock.tsv") == table("mock2.tsv"), "the fit of the rows differs from the fit of the trace")
    head, terms = table("mock.tsv")
    want_same(head, ["term", "mg", "mg_se", "eg", "eg_se"], "columns")
    want_same(len(terms), 105, "terms")
    want_same(terms["tempo"][::2], [10, 10] if words == "fraction=1" else [20, 20], "the fixed term")
    step = 0.5 if words == "fraction=1" else 1
    want(all(v % step == 0 for row in terms.values() for v in row[::2]), "a value is no multiple of its unit")
    want(re.search(r"square \(\d+ of 90\)", values(out)["not_checked"]), values(out)["not_checked"])
    report(name)

# ---- wrong traces --------------------------------------------------------------------------------
ANY = ("--max-mismatch", "1")
for words, more, expected in (
        ("coefficient=material[horse]", (), r"do not add up to the value; material\[horse\] explains"),
        ("sign=material[horse]", (), r"material\[horse\] explains"),
        ("sign=material[horse]", ANY, r"material\[horse\] \(\d+ of \d+\); material\[horse\] explains 100 %"),
        ("coefficient=last_rank", (), r"last_rank explains"),
        ("sign=last_rank", ANY, r"value: last_rank \(\d+ of \d+\); last_rank explains 100 %"),
        ("phase=1", (), "a wrong phase explains 100 %"),
        ("zero=1 set=1", (), r"with trial values .*value: edge \(\d+ of \d+\); edge explains 100 %"),
        ("none=1", (), r"no value for (\d+) of \1 positions \(.*lazy \d+.*: more than half"),
        ("at=7 do=die", (), "failed after 'trace eval': it ended with exit status 3.*out of luck.*position fen "),
        ("at=7 do=error", (), "the engine reports an error: no tables; the position was sent as"),
        ("at=7 do=long", (), "a line of a trace has at most 60000 bytes"),
        ("at=7 do=garbage", (), "'trace row value x terms'"),
        ("at=7 do=twice", (), r"has term 0 \('material\[chariot\]'\) twice"),
        ("at=7 do=index", (), "has term 999, but there are 105 terms"),
        ("at=7 do=unphased", (), "'phase' is missing"),
        ("terms=silent", (), "speaks no trace.*info string unknown command"),
        ("terms=ok", (), "'trace ok 106': the engine printed 105 terms"),
        ("terms=comma", (), "'trace term a,b .*without blank, comma"),
        ("terms=long", (), "a name has 1 to 63"),
        ("terms=twice", (), "an earlier term has the same name"),
        ("terms=error", (), "the engine reports an error: the tables were not loaded"),
        ("fraction=1 terms=fraction", (), r"'trace term material\[chariot\]' has no unit"),
        ("terms=differ", ("--threads", "2"), "two processes of .* print different terms")):
    status, out, err = traced(words, *more)
    want(status == 1 and re.search(expected, err.replace("\n", " ")), f"{status} {err}")
    report("trace_wrong_" + re.sub(r"\W+", "_", words + (" any" if more == ANY else "")).strip("_"))
# A term that occurs in less than 1 % of the positions: too few for --max-mismatch, so its own share counts.
with h5py.File(scratch("mock.h5")) as file:
    numbers, counts = np.unique(file["index"][()], return_counts=True)
    rare = [(file["names"][n].decode(), c) for n, c in zip(numbers, counts)
            if 20 <= c < 0.009 * len(file["result"]) and file["start"][n].max() >= 9 and b"square" in file["names"][n]]
for key in ("sign", "coefficient"):
    status, out, err = traced(f"{key}={rare[0][0]}" if rare else "")
    want(status == 1 and f"{rare[0][0]} ({rare[0][1]} of {rare[0][1]})" in err, f"{rare} {err}")
    report(f"trace_wrong_{key}_below_1_percent")
for words in ("zero=1", "coefficient=edge", "coefficient=last_rank values=last_rank=1/2"):
    status, out, err = traced(words)
    term = "last_rank" if "last_rank" in words else "edge"
    want(status == 0 and term in values(out)["not_checked"], err + out)
    status, out, err = traced(words + " set=1")
    want(status == 1 and re.search(rf"with trial values.*{term} explains 100 %", err, re.S), err + out)
report("trace_small_values_are_listed")
# A phase that is wrong by one of 640 changes few sums by more than two units, but all sums alike. An engine that rounds
# towards zero is not blamed.
for words, wrong in (("fine=40 phase=1", 1), ("fine=40 phase=-1", -1), ("fine=40", 0), ("fine=40 truncate=1", 0)):
    status, out, err = traced(words)
    got = float(values(out).get("phase_wrong_by", 0)) if status == 0 else 99
    want(abs(got - wrong) < 0.25, f"{words}: {got} {err}")
report("trace_wrong_fine_phase")
status, out, err = traced("sign=last_rank", *ANY, "--freeze", "last_rank")
result("trace_frozen_is_accepted", "" if status == 0 and "worst_mismatch" in out else err)
status, out, err = outcome("tune", "--trace", f"cmd={MOCK} at=5 do=hang,quirk=start_ms:400", RUN, "--quiet")
result("trace_timeout", "" if status == 1 and "did not answer 'trace eval' within 400 ms" in err else err)
status, out, err = outcome("tune", "--trace", f"cmd={MOCK},proto=xboard", RUN, "--quiet")
result("trace_xboard", "" if status == 2 and "XBoard" in err else f"{status} {err}")

# ---- files ---------------------------------------------------------------------------------------
status, out, err = traced("", out="mock.h")
names = {"material_horse_mg": "material[horse]", "soldiers_eg[3]": "soldiers[3]", "square_mg[40]": "square[40]", "tempo_eg": "tempo"}
write("use.c", '#include <stdio.h>\n#include "mock.h"\nint main(void) {\n    _Static_assert(sizeof square_mg == 90 * sizeof(int), "");\n'
      + "".join(f'    printf("%d\\n", {name});\n' for name in names) + "    return 0;\n}\n")
built = subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-std=c11", "-o", scratch("use"), scratch("use.c")], capture_output=True, text=True)
want(built.returncode == 0, built.stderr)
if built.returncode == 0:
    traced("")
    terms = table("mock.tsv")[1]
    printed = subprocess.run([scratch("use")], capture_output=True, text=True).stdout.split()
    want_same([float(word) for word in printed], [terms[term][2 * ("_eg" in name)] for name, term in names.items()], "values in C")
report("trace_header")
status, out, err = traced("", "--report", scratch("mock.html"))
page = read("mock.html") if status == 0 else ""
want_same([page.count("<h4>square, "), page.count("<h3>soldiers, "), "material[horse]" in page], [4, 2, True], f"boards, curves, list {err}")
want(re.search("<h1>Fitted terms</h1>\n<p class='verdict'>[^<]+</p>\n<p>Next: ", page), "the page does not begin with the result and the next step")
want(re.search(r"^square +\S+ +\S+ +mean of 90$", out, re.M), out[:900])
report("trace_report")

# ---- what decides whether the fit gains ----------------------------------------------------------
def told(*more):
    """Returns exit status and output of a fit, with wrapped lines joined."""
    got, out, err = traced("", "--rows-out", scratch("facts.h5"), *more, out="facts.tsv")
    return got, out.replace("\n  ", " ") + err


status, out = told()
got = values(out)
with h5py.File(scratch("facts.h5")) as file:
    data = {name: file[name][()] for name in ("game", "result", "score", "value")}
    rows, phase, first = np.repeat(np.arange(len(file["result"])), np.diff(file["indptr"]).astype(int)), file["phase"][()], file["start"][()]
    last = table("facts.tsv")[1]
    last = np.array([last[name.decode()][::2] for name in file["names"]])
    share = phase / file.attrs["phase_max"]
    old, new = [np.bincount(rows, file["coefficient"][()] * (share[rows] * v[file["index"][()], 0] + (1 - share[rows]) * v[file["index"][()], 1]), len(phase))
                for v in (first, last)]
for low, high, name in ((-9, 1 / 3, "endgame"), (1 / 3, 2 / 3, "middlegame"), (2 / 3, 9, "opening")):
    part = (share >= low) & (share < high)
    slope = np.polyfit(old[part], new[part], 1)[0]
    want(abs(float(got[f"scale_{name}"]) - slope) < 2e-3, f"scale_{name} {got[f'scale_{name}']} instead of {slope}")
fitted = int(re.search(r"determines \d+ of (\d+) weights", out)[1])
want_same(got["positions_a_weight"], f"{len(data['result']) / fitted:.0f}", "positions a weight")
games = data["result"][np.unique(data["game"], return_index=True)[1]]
known = np.abs(data["score"].astype(float)) < 30000
both = np.corrcoef(np.clip(data["score"][known], -2000, 2000), data["value"][known])[0, 1]
want_same([got["red_wins"], got["draws"], got["black_wins"], got["no_result"]], [f"{(games == x).sum()}" for x in (1, 0.5, 0)] + ["0"], "results")
want(abs(float(got["score_correlation_start"]) - both) < 2e-3, f"{got['score_correlation_start']} instead of {both}")
want("only a match shows" in got["verdict"] and "ElephantEye +17 Elo with 104" in got["warning"], out)
# A match is the next step unless the fit predicts worse, also if the loss shows nothing.
want("games worse" in got["verdict"] or "--check" in got["next"] and "--pairs 300" in got["next"], got["next"])
want("games worse" in got["verdict"] or got["next"].endswith("play more games and fit to all games together"), got["next"])
report("trace_facts")
out = told("--lambda", "1")[1]
want(re.search("^warning the fit uses results alone.*rescore DIR", out, re.M), out)
report("trace_results_alone")
out = told("--valid-fraction", "0.5", "--prior-times", "0.3")[1]
want("games better" in out and f"--trace cmd=NEW --check {scratch('facts.tsv')}; play a match: paotai match --a 'cmd=NEW,nodes=5000' --b 'cmd=" in out, out)
# The match has its price. A game of the run lasts a known number of plies, and the player takes a known time a move.
plies = float(values(paotai("data", "info", RUN).stdout)["plies_mean"])
status, out, err = outcome("tune", "--trace", f"cmd={MOCK},st=2", RUN, "--quiet", "--valid-fraction", "0.5", "--prior-times", "0.3")
price = re.search(r"--b 'cmd=[^']*,st=2' --pairs 300; its 600 games show a difference of 40 Elo and take about (\d+) minutes", out.replace("\n  ", " "))
want(price and abs(int(price[1]) - 600 * plies * 2 / 60) < 1, f"{plies} plies a game: {out[-900:]} {err}")
report("trace_next")
wide = [float(values(told("--prior-times", times)[1])["prior_value_sd"]) for times in ("1", "0.5")]
want(abs(wide[0] - 2 * wide[1]) < 0.01 * wide[0], f"{wide}")
want(outcome("tune", RUN, "--prior-times", "2", "--quiet")[0] == 2, "--prior-times acts on built-in terms")
want_same(told("--prior-times", "2", "--cv", "3")[0], 2, "--prior-times with --cv")
report("trace_prior_times")

# ---- what made the rows, and the worth of terms --------------------------------------------------
write("mock.py", open("tests/trace_mock.py").read())
TOLD = ("tune", "--trace", f"cmd={sys.executable} {scratch('mock.py')}", RUN, "--quiet", "--rows-out", scratch("told.h5"))
outcome(*TOLD)
want_same("\ndifference " in paotai("tune", "--rows", scratch("told.h5"), "--quiet").stdout, False, "no difference")
write("mock.py", open("tests/trace_mock.py").read() + "# changed\n")
with h5py.File(scratch("told.h5"), "r+") as file:
    file["start"][0] += 1
said = paotai("tune", "--rows", scratch("told.h5"), "--quiet", "--max-mismatch", "1").stdout
want("difference the program" in said and "difference names, start values or units" in said, said[:900])
report("trace_difference")
status, out, err = outcome("ablate", "--trace", f"cmd={MOCK}", "--terms", "edge,last_rank", RUN, "--quiet")
result("trace_ablate", "" if status == 0 and re.search("^verdict (helps|hurts|not decided)$", out, re.M) and "edge.mg" in out else out + err)
status, out, err = outcome("ablate", "--trace", f"cmd={MOCK}", "--terms", "tempo", RUN, "--quiet")
result("trace_ablate_fixed", "" if status == 2 and "fixed" in err else err)

# ---- without a fit -------------------------------------------------------------------------------
FEN = "4k4/9/9/4p4/9/9/4P4/9/4C4/R3K1N2 w - - 0 1"
status, out, err = outcome("tune", "--trace", f"cmd={MOCK} split=1", "--explain-trace", FEN)
want(status == 0 and re.search(r"material\[horse\] +1 +1 +400 +430 +422.5\n", out) and "sum 1800.5\nvalue 1800\n" in out, out + err)
status, out, err = outcome("tune", "--trace", f"cmd={MOCK} sign=material[horse]", "--explain-trace", FEN, RUN, "--quiet")
want(status == 0 and "mismatches_explained material[horse]\nshare 1.00" in out and "difference 844.5" in out, out + err)
report("trace_explain")
head, terms = table("mock.tsv")
some = {name: terms[name] for name in ("material[horse]", "square[46]", "soldiers[3]")}
back = ",".join(f"{name}={row[0]:g}/{row[2]:g}" for name, row in terms.items())
swapped = ",".join(f"{name}={row[2]:g}/{row[0]:g}" for name, row in terms.items())
# The values of mock.h are those of mock.tsv.
write("cut.h", re.sub(r"\[46\] = -?\d+,", "", read("mock.h")))
for name, words, more, good, expected in (
        ("same", f"values={back}", (RUN,), True, "terms_differ 0"),
        ("header", f"values={back}", (RUN, "--check", scratch("mock.h")), True, "terms_differ 0"),
        ("header_not_written", "", (RUN, "--check", scratch("mock.h")), False, "more terms differ"),
        ("header_swapped", f"values={swapped}", (RUN, "--check", scratch("mock.h")), False, "middlegame and endgame values of .* are exchanged"),
        ("header_cut", "", (RUN, "--check", scratch("cut.h")), False, r"cut.h: the header has no value of square\[46\] \(array square_mg\)"),
        ("random_games", f"values={back}", (), True, "checked_positions 2000\nmismatches 0"),
        ("not_written", "", (), False, "more terms differ"),
        ("swapped", f"values={swapped}", (RUN,), False, "middlegame and endgame values of .* are exchanged"),
        ("plays_another", f"values={back} table=1", (RUN,), False, r"although it prints the same terms.*material\[horse\] explains")):
    status, out, err = outcome("tune", "--trace", f"cmd={MOCK} {words}".replace(",", "\\,"), "--check", scratch("mock.tsv"), *more)
    result(f"trace_check_{name}", "" if (status == 0) == good and re.search(expected, out + err) else f"{status} {out[-900:]} {err[-900:]}")
finish()

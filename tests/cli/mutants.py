# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that no damaged file ends an import. For each format, one `data import` reads changed copies of
the fuzzers' seeds between two whole games. It must keep these games, name the file of each refused game,
and write a run that `data verify` accepts. The changes are those of tests/fuzz/mutate.c."""
import os
import re
import subprocess
import sys

from checks import FULL, PAOTAI, finish, paotai, report, scratch, want, write

sys.path.insert(0, "tests/fuzz")
import seeds  # noqa: E402

MUTANTS = 5000 if FULL else 500  # files for each format
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
# Name of the format, fuzzer whose seeds are used, and a pattern of their names.
FORMATS = (("moves", "moves", ""), ("pgn", "pgn", ""), ("wxf", "pgn", ""), ("dhtmlxq", "dhtmlxq", ""), ("epd", "positions", "epd|score|line"),
           ("texel", "positions", "texel"), ("bullet", "positions", "bullet"), ("csv", "positions", "csv"), ("plain", "positions", "plain"),
           ("bin", "bin", ""), ("xqf", "xqf", ""), ("cbr", "cbr", "v1|v2"), ("cbl", "cbr", "library"), ("mxq", "mxq", ""))
game = write("game.tsv", f"1-0\t{START}\th2e2 h9g7 h0g2 i9h9\n")
made = paotai("data", "import", "--out", scratch("game"), game)
want(made.returncode == 0, made.stderr)
for name, fuzzer, pattern in FORMATS:
    ending = {"dhtmlxq": "ubb", "moves": "tsv", "texel": "fen", "bullet": "bar"}.get(name, name)
    folder, files = scratch(f"{name}.in"), scratch(f"{name}.seeds")
    os.makedirs(folder), os.makedirs(files)
    all_seeds = seeds.read(f"tests/fuzz/corpus/{fuzzer}.txt")
    chosen = [write(f"{name}.seeds/{i}", content) for i, (seed, content) in enumerate(sorted(all_seeds.items())) if re.search(pattern, seed) and content]
    each = MUTANTS // len(chosen) + 1
    subprocess.run([os.path.dirname(PAOTAI) + "/replay", "--to", folder, fuzzer, str(each), *chosen], check=True)
    mutants = sorted(os.listdir(folder))
    for mutant in mutants:
        os.rename(f"{folder}/{mutant}", f"{folder}/m{mutant}.{ending}")
    # Games in the formats that cannot be written are read in the format moves.
    whole = game
    if name not in ("wxf", "mxq", "cbl"):
        whole = scratch(f"whole.{ending}")
        extra = ("--positions", "all") if name in ("epd", "texel", "bullet", "csv", "plain", "bin") else ()
        want(paotai("data", "export", scratch("game"), "--format", name, "--unscored", *extra, "--out", whole).returncode in (0, 1), f"{name}: export")
    # With --result-scale and --score-unit, only lines with other results and scores are refused.
    scale = ("--result-scale", "sign" if name in ("csv", "plain", "bin") else "half") if fuzzer in ("positions", "bin") else ()
    scale += ("--score-unit", "centipawn") if name in ("csv", "epd", "bullet") else ()
    done = paotai("data", "import", *scale, "--unknown", "draw", "--fill-moves", "--variations", "--threads", "2", "--quiet", "--out", scratch(name),
                  whole, folder, game)
    said = dict(re.findall(r"^(\w+) (\d+)$", done.stdout, re.M))
    want(done.returncode in (0, 1) and int(said.get("games", 0)) >= 2, f"{name}: exit {done.returncode}, {done.stdout[-300:]!r} {done.stderr[-300:]!r}")
    refused = re.findall(r"^error\t(.*)", done.stdout, re.M)
    want(len(refused) > len(mutants) // 50 and all(f"{name}.in/m" in line for line in refused), f"{name}: {refused[:3]}")
    checked = paotai("data", "verify", "--quiet", scratch(name))
    want(checked.returncode == 0, f"{name}: verify: {checked.stdout[-300:]}{checked.stderr[-300:]}")
    report(f"mutants_{name}")

# A second FEN in an entry made the move before it illegal, and the import ended without a place.
entry = f"fen {START}\nmove h3e3\nply 0\nresult 1\ne\n"
fault = "fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1\nmove d1d2\nfen 4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1\nresult 1\ne\n"
done = paotai("data", "import", "--quiet", "--out", scratch("fault"), game, write("fault.plain", entry + fault + entry), game)
said = re.findall(r"^error\t(.*)", done.stdout, re.M)
want(done.returncode == 1 and len(said) == 1 and re.match(r"line [67]: .*fault.plain, game 2", said[0]) and "\ngames 4\n" in done.stdout, f"{done.returncode} {done.stdout}{done.stderr}")
report("mutants_fault_in_an_entry")

# The number of the move stays at its largest value, so that a reader does not see two games.
late = write("late.tsv", f"1-0\t{START.replace(' 0 1', ' 65535 65535')}\th2e2 h9g7 h0g2 i9h9\n")
want(paotai("data", "import", "--quiet", "--out", scratch("late"), late).returncode == 0, "import of late.tsv")
want(paotai("data", "export", "--quiet", "--positions", "all", "--unscored", "--format", "plain", "--out", scratch("late.plain"), scratch("late")).returncode == 0, "export of late.tsv")
done = paotai("data", "import", "--quiet", "--out", scratch("again"), scratch("late.plain"))
want("games 1\nrefused 0\n" in done.stdout and "plies 4\n" in done.stdout, done.stdout)
report("mutants_late_game")
finish()

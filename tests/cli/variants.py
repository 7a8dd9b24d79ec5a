# SPDX-License-Identifier: GPL-3.0-or-later
"""The other games, `paotai variant`: perft against known counts and against ffish (make test-full), refusals, games that
are the same for any number of threads and after a kill, the fit of their rows, matches, and a game in the terminal."""
import importlib
import os
import re
import subprocess
import sys

from checks import DATA, FULL, SHARED, START, check, finish, paotai, report, scratch, skip, values, want, want_same, write

BANQI_START = "????????/????????/????????/????????[KRRNNCCBBAAPPPPPkrrnnccbbaappppp] - 0 1"

# ---- perft ---------------------------------------------------------------------------------------
SUITES = (("supply", "supply", ()), ("banqi", "banqi_hongkong", ()), ("banqi", "banqi_hongkong", ("--rules", "hongkong")),
          ("banqi", "banqi_taiwan", ("--rules", "taiwan")))
for game, name, rules in SUITES:
    folders = [(DATA, name)] + ([(SHARED, name.replace("_", "-"))] if SHARED else [])
    for folder, file in folders:
        said = paotai("variant", "perft", game, *rules, "--suite", f"{folder}/{file}.tsv")
        want(said.returncode == 0 and re.fullmatch(r"(\d\d+) passed, 0 failed\n", said.stdout), f"{file} {rules}: {said.stdout[-300:]}{said.stderr}")
report("variants_perft")
# One rank table fails the other's rows: the option acts.
crossed = paotai("variant", "perft", "banqi", "--suite", f"{DATA}/banqi_taiwan.tsv")
check("variants_perft_rules_act", crossed.returncode == 1 and int(crossed.stdout.split()[-2]) > 20, crossed.stdout[-200:])
# The example of the issue, and turns of two boards.
one = START.replace(" w", "[PCr] w")
want_same(values(paotai("variant", "perft", "supply", "--fen", one, "--depth", "1").stdout)["nodes"].split()[0], "77", "drops")
want_same(values(paotai("variant", "perft", "supply", "--depth", "2").stdout)["nodes"].split()[0], str(44 * 44), "two boards")
divided = paotai("variant", "perft", "banqi", "--depth", "1", "--divide").stdout.splitlines()
want(len(divided) == 449 and "a1=R 1" in divided and "h4=p 1" in divided, f"banqi --divide: {len(divided)} lines, {divided[:3]}")
report("variants_perft_positions")


def perft_ffish():
    if not FULL:
        return skip("variants_perft_ffish", "needs node and npm, runs in make test-full")
    module = importlib.import_module("judge_ffish")
    try:
        folder = module.ffish_directory()
    except module.Skip as why:
        return skip("variants_perft_ffish", why)
    script = os.path.join(os.path.dirname(DATA), "variants_ffish.js")
    rows = subprocess.run(["node", script, folder, "20261125", "50"], capture_output=True, text=True, timeout=1800, check=False)
    write("ffish.tsv", rows.stdout)
    done = paotai("variant", "perft", "supply", "--suite", scratch("ffish.tsv"))
    return check("variants_perft_ffish", done.stdout == "200 passed, 0 failed\n", done.stdout[-500:] + rows.stderr[-300:])


sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
perft_ffish()

# ---- bad input -----------------------------------------------------------------------------------
BAD = (
    ("supply", BANQI_START, "a position of supply is 'BOARD"),
    ("supply", one.replace("PCr", "K"), "hand: 1 of 'K'"),
    ("supply", one.replace("PCr", "RRR"), "hand: 3 of 'R' there and 2 on boards"),
    ("supply", one.replace("PCr", "x"), "hand: 'x' (character 2) is no piece"),
    ("supply", one.replace("[PCr]", "[PCr"), "not in brackets"),
    ("supply", one.replace("/9/9/", "/9/8/"), "not 10 rows of 9"),
    ("supply", one.replace("9/9/P", "9/1A7/P"), "advisor cannot stand on b4"),
    ("supply", one.replace("RNBAK", "RNBA1"), "Red has 0 generals"),
    ("supply", "4k4/9/9/9/9/9/9/9/9/4K4[] w - - 0 1", "generals face each other"),
    ("supply", "4k4/9/9/9/9/9/9/9/9/4K4[] | 4k4/9/9/9/9/9/9/9/9/3K5[] 1r", "board 1: "),
    ("supply", "4k4/9/9/9/9/9/9/9/9/3K5[] | 4k4/9/9/9/9/9/9/9/9/3K5[] 3r", "turn: '3r' is not 1r"),
    ("banqi", START, "a position of banqi is 'BOARD"),
    ("banqi", "KK6/8/8/8[] r 0 1", "have 2 of 'K', not at most 1"),
    ("banqi", "K7/8/8/8[k] r 0 1", "bag: 1 pieces for 0 face-down squares"),
    ("banqi", "K7/8/8/9[] r 0 1", "not 4 rows of 8"),
    ("banqi", "K7/8/8[] r 0 1", "ends in row 3 of 4"),
    ("banqi", "K7/8/8/8[] - 0 1", "side: '-' is not"),
    ("banqi", "K7/8/8/8[] w 0 1", "side: 'w' is not"),
    ("banqi", "K7/8/8/8[] r x 1", "plies: 'x'"),
    ("banqi", "K7/8/8/8[] r 0 0", "turn: 0 "),
)
for game, fen, words in BAD:
    done = paotai("variant", "perft", game, "--fen", fen)
    want(done.returncode == 2 and words in done.stderr and "--fen: " in done.stderr, f"{game} '{fen}': {done.returncode} {done.stderr.strip()!r}, without {words!r}")
BAD_ROWS = (f"{START}\t1\t44\nK7/8/8/8[] r 0 1\t1\tx\nK7/8/8/8[] r 0 1\t1\t2\nK7/8/8/8[] r 0 1\t1\t3\n")
write("bad.tsv", BAD_ROWS)
done = paotai("variant", "perft", "banqi", "--suite", scratch("bad.tsv"))
want(done.returncode == 1 and "error\tline 1: " in done.stdout and "error\tline 2: nodes: 'x'" in done.stdout and "FAIL line 4: 2, expected 3" in done.stdout
     and done.stdout.endswith("1 passed, 3 failed\n"), done.stdout)
for words, pattern in ((("perft", "chess"), "'chess' is no game; the games are: supply, banqi"), (("perft", "supply", "--rules", "taiwan"), "--rules: this game has one"),
                       (("perft", "banqi", "--rules", "macau"), "'macau' is none of hongkong"), (("show", "supply", "banqi"), "only as a picture"),
                       (("show", "supply", "--beside", "x"), "--beside: only with --page")):
    done = paotai("variant", *words)
    want(done.returncode == 2 and pattern in done.stderr, f"{words}: {done.returncode} {done.stderr!r}")
report("variants_refusals")
finish()

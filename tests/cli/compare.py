# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests bench/compare with our program, a program with wrong perft counts, a missing program, and the engines installed on
this machine."""
import json
import os
import re

from checks import PAOTAI, check, finish, report, run, want, write

WRONG = write("wrong", """#!/bin/sh
while read -r line; do
    case $line in
    uci) echo uciok ;;
    isready) echo readyok ;;
    "go perft"*) echo "Nodes searched: 7" ;;
    go*) echo "info depth 1 nodes 5 score cp 1"; echo "bestmove a0a1" ;;
    quit) exit 0 ;;
    esac
done
""")
os.chmod(WRONG, 0o755)
PEERS = ("--peer", f"cmd={PAOTAI},name=twin", "--peer", f"cmd={WRONG}")


def compare(*options):
    """Runs a very short comparison."""
    return run("bench/compare", "--runs", "1", "--max-nodes", "5000000", "--movetime", "10", "--quiet", *options, env={**os.environ, "PAOTAI": PAOTAI})


done = compare("--json", *PEERS, "--peer", "cmd=no-such-program")
rows = [json.loads(line) for line in done.stdout.splitlines()]
want(done.returncode == 0 and re.search('"note":"[^"]*no-such-program', done.stdout), done.stderr)
for wanted in ({"program": "paotai", "position": "many_checks", "nodes": 2811435, "ratio": 1}, {"program": "twin", "position": "many_checks", "nodes": 2811435, "runs": 1},
               {"program": "twin", "kind": "search", "runs": 1}, {"program": "wrong", "nodes": 7, "expected": 2811435}, {"program": "no-such-program", "nps": None}):
    want(any(all(row.get(key) == value for key, value in wanted.items()) for row in rows), f"no row {wanted} in {rows}")
report("compare_peers")
done = compare(*PEERS)
for pattern in (r"^Mnodes/s of CPU +paotai +twin +wrong$", r"^many_checks 4 +[0-9.]+ +[0-9.]+ x[0-9.]+ ", r"^! many_checks 4: wrong counts 7, not 2811435$",
                r"^perft: [0-9.]+ times twin in geometric mean, at least [0-9.]+ times$"):
    want(done.returncode == 0 and re.search(pattern, done.stdout, re.M), f"no line like '{pattern}' in {done.stdout}{done.stderr}")
report("compare_table")
# Each engine packaged in Debian that bench/compare knows is either measured or reported as not installed. If none is
# installed, the output says so and the exit status is 0.
done = compare("--max-nodes", "0")
head = done.stdout.splitlines()[0]
for name in ("fairy-stockfish", "sjaakii", "hoixiangqi"):
    want(" " + name in head or re.search(f"^not installed:.* {name}", done.stderr, re.M), f"nothing is said of {name}")
want(done.returncode == 0 and (len(head.split()) != 4 or "no program to compare with" in done.stderr), "it does not say that there is no program to compare with")
report("compare_installed")
done = compare("--max-nodes", "100", "--movetime", "0")
check("compare_nothing", done.returncode != 0 and not done.stdout and "nothing to measure" in done.stderr, done)
finish()

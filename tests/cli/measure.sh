#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that bench/measure prints its measurements and leaves no files.
set -u
. tests/checks.sh
mkdir "$out/scratch"
# measures NAME PATTERN COMMAND...: checks that the command succeeds, prints a matching line and
# leaves no files in its scratch directory.
measures() {
    name=$1 pattern=$2
    shift 2
    "$@" --scratch "$out/scratch" >"$out/said" 2>&1
    status=$?
    if [ $status -ne 0 ]; then
        fail "$name" "exit status $status: $(head -n 5 "$out/said")"
    elif ! grep -qE "$pattern" "$out/said"; then
        fail "$name" "no line like $pattern: $(head -n 40 "$out/said")"
    elif [ -n "$(ls "$out/scratch")" ]; then
        fail "$name" "it leaves $(ls "$out/scratch")"
    else
        pass "$name"
    fi
}

"$PAOTAI" selfplay --games 4 --nodes 50 --out "$out/games" --quiet >"$out/said"
measures measure_harness '^cpu_us_per_ply [1-9]' bench/measure harness --pairs 2
measures measure_selfplay '^worker_memory_kb [0-9]' bench/measure selfplay --games 2 --rounds 1 --nodes 50
measures measure_store '^bytes_per_position [1-9]' /usr/bin/python3 bench/measure store "$out/games"
measures measure_columns '^column plies/move$' /usr/bin/python3 bench/measure store --keep 4 --columns "$out/games"
finish

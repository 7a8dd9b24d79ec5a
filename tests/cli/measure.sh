#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that bench/measure prints its measurements and leaves no files.
set -u
failures=0
out=$PAOTAI_SCRATCH/out
games=$PAOTAI_SCRATCH/games
mkdir -p "$PAOTAI_SCRATCH/scratch"
# measures NAME PATTERN COMMAND...: checks that the command succeeds, prints a matching line and
# leaves no files in its scratch directory.
measures() {
    name=$1 pattern=$2
    shift 2
    if ! "$@" --scratch "$PAOTAI_SCRATCH/scratch" >"$out" 2>&1; then
        sed -n 1,5p "$out"
        echo "FAIL $name: exit status"
    elif ! grep -qE "$pattern" "$out"; then
        sed -n 1,40p "$out"
        echo "FAIL $name: no line like $pattern"
    elif [ -n "$(ls "$PAOTAI_SCRATCH/scratch")" ]; then
        echo "FAIL $name: it leaves files behind"
    else
        echo "PASS $name"
        return
    fi
    failures=$((failures + 1))
}

"$PAOTAI" selfplay --games 4 --nodes 50 --out "$games" --quiet >"$out"
measures measure_harness '^cpu_us_per_ply [1-9]' bench/measure harness --pairs 2
measures measure_selfplay '^worker_memory_kb [0-9]' bench/measure selfplay --games 2 --rounds 1 --nodes 50
measures measure_store '^bytes_per_position [1-9]' /usr/bin/python3 bench/measure store "$games"
measures measure_columns '^column plies/move$' /usr/bin/python3 bench/measure store --keep 4 --columns "$games"
[ "$failures" -eq 0 ]

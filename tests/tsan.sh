#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds with clang's thread sanitizer and makes short runs of many commands that have threads, and
# runs two scripts of tests/cli. Archer informs the sanitizer about OpenMP's barriers; without it,
# every parallel loop would be reported.
set -u
cd "$(dirname "$0")/.." || exit 2
paotai=$PWD/build/tsan-clang/paotai
passed=0 failed=0
archer=
for file in /usr/lib/llvm-*/lib/libarcher.so; do
    [ ! -e "$file" ] || archer=$file
done
if [ -z "$archer" ] || ! command -v clang >/dev/null 2>&1; then
    echo "SKIP tsan: no clang or no libarcher.so (make deps-dev)"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
make VARIANT=tsan CC=clang all || exit 1
work=$(mktemp -d "$PWD/build/tsan.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export OMP_TOOL_LIBRARIES="$archer"
# The option ignore_noninstrumented_modules=1 must not be set: libomp, which starts the threads, is
# such a module, and no race between these threads would be reported.
export TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp:exitcode=99"

# try COMMAND OPTION...: makes one short run, which must end with status 0. A report of the
# sanitizer makes the status 99.
try() {
    command=$1
    shift
    # shellcheck disable=SC2086 # a command may be two words
    timeout 900 "$paotai" $command "$@" >"$work/log" 2>&1 </dev/null
    status=$?
    if [ "$status" -eq 0 ]; then
        echo "PASS tsan $command"
        passed=$((passed + 1))
    else
        tail -n 60 "$work/log"
        echo "FAIL tsan $command: exit status $status"
        failed=$((failed + 1))
    fi
}
try selfplay --games 8 --nodes 300 --weights classic --threads 4 --seed 1 --out "$work/games" --page "$work/games.html"
try "data verify" "$work/games" --threads 4
try "data info" "$work/games" --threads 4
try "data export" "$work/games" --format moves --out "$work/games.moves"
try "data import" "$work/games.moves" --threads 4 --out "$work/imported"
# Many short games: one thread finishes a game while another stores one.
for turn in 1 2 3 4; do
    try selfplay --games 60 --nodes 5 --opening-nodes 20 --max-plies 20 --threads 4 --out "$work/short-$turn"
    try rescore "$work/games" --nodes 100 --threads 4 --out "$work/rescored-$turn"
done
try tune "$work/games" --threads 4 --cv 2 --out "$work/fitted.txt"
try bench 8 --threads 4
printf '%s\n' 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w' '4k4/9/9/9/9/9/9/4C4/4R4/3K5 w' >"$work/positions"
try analyse "$work/positions" --depth 5 --threads 4
try perft 4 --threads 4 --hash 1
try "book make" --count 6 --plies 3 --nodes 50 --threads 4 --out "$work/book.epd"
try sprt --plan --runs 100 --elo1 20 --threads 4
try match --a weights=classic --b weights=default --pairs 4 --nodes 300 --threads 4 --seed 1 --out "$work/match" --page "$work/match.html"
try "variant selfplay" banqi --games 8 --nodes 100 --threads 4 --out "$work/banqi"
try "variant match" supply --pairs 4 --nodes 50 --threads 4
# In this tournament two programs fail while a player with two threads searches.
mock="cmd=$PWD/build/tsan-clang/paotai-test --mock uci"
try tournament "$mock do=crash at=9,proto=uci,nodes=1,name=crash" "$mock do=illegal at=7,proto=uci,nodes=1,name=illegal" \
    weights=classic,nodes=500,threads=2 --rounds 3 --threads 4 --opening-nodes 100 --max-plies 40 \
    --out "$work/tournament"
# protocol.py tests the reading, working and searching threads of UCI and UCCI sessions, books.py
# tests players that fail while a book is made.
for script in protocol books; do
    if PYTHONPATH=tests PAOTAI_SCRATCH=$work PYTHONDONTWRITEBYTECODE=1 PAOTAI=$paotai timeout 900 python3 tests/cli/$script.py >"$work/log" 2>&1; then
        echo "PASS tsan $script"
        passed=$((passed + 1))
    else
        cat "$work/log"
        echo "FAIL tsan $script"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]

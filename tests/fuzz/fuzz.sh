#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/fuzz/fuzz.sh [NAME...]: builds the fuzzers of tests/fuzz/fuzz.def with clang's fuzzer and
# sanitizers, and runs each for FUZZ_SECONDS (60) of processor time, FUZZ_JOBS (1) at a time. A
# fuzzer begins with the seeds in tests/fuzz/corpus/NAME.txt. Processor time makes runs comparable on
# a busy machine. FUZZ_SEED is libFuzzer's seed; by default, each run has another one. New inputs and
# crashes stay under build/.
# tests/fuzz/fuzz.sh --minimise [NAME...]: rewrites the seed files. It keeps the seeds that people
# have named. From the seeds named found-HASH and the new inputs, it selects a small set that
# reaches all code which the kept seeds do not reach. Each selected input is named found-HASH.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=build/fuzz-clang
passed=0 failed=0 minimise=
[ "${1:-}" != --minimise ] || { minimise=yes && shift; }
if ! command -v clang >/dev/null 2>&1; then
    echo "SKIP fuzz: no clang (make deps-dev)"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
make VARIANT=fuzz CC=clang fuzzers || exit 1
# An allocation of more than 256 MB returns NULL, because a damaged input may claim any size. The
# sanitizers ignore known faults of libraries (the suppressions): HDF5 leaks memory and reads out of
# bounds on damaged files.
export ASAN_OPTIONS="allocator_may_return_null=1:max_allocation_size_mb=256:suppressions=$PWD/tests/asan.supp"
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0"

# fuzz NAME: runs one fuzzer, and stops it by SIGUSR1 after FUZZ_SECONDS of processor time.
fuzz() {
    "$build/fuzz_$1" -seed="${FUZZ_SEED:-0}" -timeout=100 -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$build/crash-$1-" \
        "$build/corpus/$1" "$build/seeds/$1" >"$build/$1.log" 2>&1 &
    fuzzer=$!
    trap 'kill $fuzzer; exit 130' INT TERM
    while ticks=$(awk '$3 != "Z" { print $14 + $15 }' "/proc/$fuzzer/stat" 2>/dev/null) && [ -n "$ticks" ]; do
        [ "$ticks" -lt $((${FUZZ_SECONDS:-60} * $(getconf CLK_TCK))) ] || kill -USR1 $fuzzer
        sleep 1
    done
    wait $fuzzer
}
# merge NAME: rewrites the seed file of a fuzzer, for --minimise.
merge() {
    mkdir -p "$build/found/$1" && rm -f "$build/found/$1"/*
    for file in "$build/seeds/$1"/found-*; do
        [ ! -e "$file" ] || mv "$file" "$build/found/$1"
    done
    "$build/fuzz_$1" -merge=1 -use_counters=0 "$build/seeds/$1" "$build/found/$1" "$build/corpus/$1" >"$build/$1.log" 2>&1 || return 1
    for file in "$build/seeds/$1"/*; do
        # libFuzzer names its files by SHA-1.
        hash=$(echo "${file##*/}" | grep -xE '[0-9a-f]{40}') && mv "$file" "$build/seeds/$1/found-$(echo "$hash" | cut -c 1-8)"
    done
    python3 tests/fuzz/seeds.py pack "$build/seeds/$1" "tests/fuzz/corpus/$1.txt"
}

# run NAME: unpacks the seeds of a fuzzer, fuzzes or merges, and prints PASS or FAIL.
run() {
    ln -sf fuzzer "$build/fuzz_$1"
    rm -rf "$build/seeds/$1"
    mkdir -p "$build/corpus/$1"
    python3 tests/fuzz/seeds.py unpack "tests/fuzz/corpus/$1.txt" "$build/seeds/$1" || exit 1
    if [ -n "$minimise" ] && merge "$1"; then
        echo "PASS fuzz_$1: $(grep -c '^=== ' "tests/fuzz/corpus/$1.txt") seeds"
    elif [ -z "$minimise" ] && fuzz "$1"; then
        echo "PASS fuzz_$1: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$1.log") inputs, $(grep -o 'cov: [0-9]*' "$build/$1.log" | tail -n 1)"
    else
        tail -n 40 "$build/$1.log"
        echo "FAIL fuzz_$1: the lines above end its log, $build/$1.log; after a crash they name the input"
    fi
}

# shellcheck disable=SC2046 # a list of names
[ $# -gt 0 ] || set -- $(sed -n 's/^FUZZ(\(.*\))$/\1/p' tests/fuzz/fuzz.def)
[ -n "$minimise" ] || echo "$# fuzzers, ${FUZZ_SECONDS:-60} s of processor time each"
running=
# shellcheck disable=SC2086 # a list of words
trap 'kill $running; exit 130' INT TERM
while [ $# -gt 0 ]; do
    group='' running='' count=0
    while [ $# -gt 0 ] && [ $count -lt "${FUZZ_JOBS:-1}" ]; do
        run "$1" >"$build/$1.out" 2>&1 &
        group="$group $1" running="$running $!" count=$((count + 1))
        shift
    done
    wait
    for name in $group; do
        cat "$build/$name.out"
        if tail -n 1 "$build/$name.out" | grep -q '^PASS '; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]

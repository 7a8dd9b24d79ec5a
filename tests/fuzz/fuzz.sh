#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds every tests/fuzz/fuzz_NAME.c with clang's fuzzer and sanitizers and runs each for FUZZ_SECONDS
# (60), from the seeds in tests/fuzz/corpus/NAME; what it learns and what crashes it stays under build/.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=build/fuzz-clang
passed=0 failed=0
if ! command -v clang >/dev/null 2>&1; then
    echo "SKIP fuzz: no clang (make deps-dev)"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
make VARIANT=fuzz CC=clang fuzzers || exit 1
for source in tests/fuzz/fuzz_*.c; do
    name=${source#tests/fuzz/fuzz_}
    name=${name%.c}
    mkdir -p "$build/corpus/$name" "tests/fuzz/corpus/$name"
    echo "fuzz_$name: ${FUZZ_SECONDS:-60} s"
    if "$build/fuzz_$name" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$build/crash-$name-" "$build/corpus/$name" "tests/fuzz/corpus/$name" >"$build/$name.log" 2>&1; then
        echo "PASS fuzz_$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log") inputs"
        passed=$((passed + 1))
    else
        tail -n 40 "$build/$name.log"
        echo "FAIL fuzz_$name: the whole log is $build/$name.log; the input is named above"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Both compilers build everything for any machine without a warning, and the engine searches the same
# nodes in each build. Minutes, so only in `make test-full`.
set -u
if [ "$PAOTAI_FULL" != 1 ]; then
    echo "SKIP compilers: takes minutes, make test-full"
    exit 0
fi
signature() { "$1" bench | tail -n 1 | cut -d ' ' -f 1; }
expected=$(signature "$PAOTAI")
failures=0
for cc in gcc clang; do
    if ! command -v "$cc" >/dev/null 2>&1; then
        echo "SKIP compilers_$cc: it is not here (make deps-dev)"
        continue
    fi
    build=build/release-portable
    [ "$cc" = gcc ] || build=$build-$cc
    if ! make CC="$cc" VARIANT=release ARCH=portable CFLAGS=-Werror "$build/paotai" "$build/paotai-test" \
        >"$PAOTAI_SCRATCH/log" 2>&1; then
        grep -E 'error|warning' "$PAOTAI_SCRATCH/log" | head -n 20
        echo "FAIL compilers_$cc: it does not compile without warnings, see above"
        failures=$((failures + 1))
    elif [ "$(signature "$build/paotai")" != "$expected" ]; then
        echo "FAIL compilers_$cc: bench gives $(signature "$build/paotai") nodes, not $expected"
        failures=$((failures + 1))
    else
        echo "PASS compilers_$cc"
    fi
done
[ "$failures" -eq 0 ]

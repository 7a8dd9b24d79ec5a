#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that gcc and clang build the program and its tests for ARCH=portable without a warning, and
# that bench searches as many nodes in each build, also in one without the network. This takes
# minutes, so it runs only in `make test-full`.
set -u
. tests/checks.sh
[ "$PAOTAI_FULL" = 1 ] || skip compilers "takes minutes, make test-full"
signature() { "$1" bench | tail -n 1 | cut -d ' ' -f 1; }
expected=$(signature "$PAOTAI")
for cc in gcc clang; do
    if ! command -v "$cc" >/dev/null 2>&1; then
        echo "SKIP compilers_$cc: it is not installed (make deps-dev)"
        continue
    fi
    build=build/release-portable
    [ "$cc" = gcc ] || build=$build-$cc
    if ! make CC="$cc" VARIANT=release ARCH=portable CFLAGS=-Werror "$build/paotai" "$build/paotai-test" \
        >"$PAOTAI_SCRATCH/log" 2>&1; then
        grep -E 'error|warning' "$PAOTAI_SCRATCH/log" | head -n 20
        fail "compilers_$cc" "it does not compile without warnings, see above"
    elif [ "$(signature "$build/paotai")" != "$expected" ]; then
        fail "compilers_$cc" "bench gives $(signature "$build/paotai") nodes, not $expected"
    else
        pass "compilers_$cc"
    fi
done
# In a build without the network, `best` stands for the default linear weights, and --version says
# so.
own=$PAOTAI_SCRATCH/linear/release/paotai
make NETWORK= O="$PAOTAI_SCRATCH/linear" "$own" >"$PAOTAI_SCRATCH/log" 2>&1
evaluation() { printf 'setoption name Weights value %s\nposition startpos\neval\n' "$2" | "$1" | grep '^Final evaluation'; }
check network_none "a build without the network: $(tail -n 1 "$PAOTAI_SCRATCH/log")" \
    sh -c "'$own' --version | grep -qx 'network none' && [ '$(signature "$own")' = '$("$PAOTAI" bench --weights default | tail -n 1 | cut -d ' ' -f 1)' ] && [ '$(evaluation "$own" best)' = '$(evaluation "$PAOTAI" default)' ] && [ -n '$(evaluation "$own" best)' ]"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that every fuzzer of this build processes its seeds, and copies of the seeds that were changed.
set -u
. tests/checks.sh
# Number of changed copies of each seed; every run changes them equally. An input of `protocol` is
# a session with searches, which takes long.
count=50 sessions=10
[ "$PAOTAI_FULL" != 1 ] || count=20000 sessions=20000
# A damaged file can make HDF5 request more memory than exists. Sanitizers then only print a
# warning. A sanitizer error ends the replay.
quiet=:allocator_may_return_null=1:log_path=stderr
names=$(sed -n 's/^FUZZ(\(.*\))$/\1/p' tests/fuzz/fuzz.def)
for name in $names; do
    python3 tests/fuzz/seeds.py unpack "tests/fuzz/corpus/$name.txt" "$out/$name"
    copies=$count
    [ "$name" != protocol ] || copies=$sessions
    check "replay_$name" "its seeds, tests/fuzz/corpus/$name.txt; 'make fuzz' says more" \
        env "ASAN_OPTIONS=${ASAN_OPTIONS:-}$quiet" "TSAN_OPTIONS=${TSAN_OPTIONS:-}$quiet" \
        "${PAOTAI%/*}/replay" "$name" "$copies" "$out/$name"/*
done
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that every fuzzer of this build processes its seeds and changed copies of them, and that
# seeds.py packs and unpacks files without loss.
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
# shellcheck disable=SC2086 # a list of words
PYTHONPATH=tests/fuzz python3 -c 'import seeds, sys
for name in sys.argv[2:]: seeds.unpack(f"tests/fuzz/corpus/{name}.txt", f"{sys.argv[1]}/{name}")' "$out" $names
for name in $names; do
    copies=$count
    [ "$name" != protocol ] || copies=$sessions
    check "replay_$name" "its seeds, tests/fuzz/corpus/$name.txt; 'make fuzz' says more" \
        env "ASAN_OPTIONS=${ASAN_OPTIONS:-}$quiet" "TSAN_OPTIONS=${TSAN_OPTIONS:-}$quiet" \
        "${PAOTAI%/*}/replay" "$name" "$copies" "$out/$name"/*
done
# seeds.py must restore any bytes exactly, so an HDF5 file is packed, too.
"$PAOTAI" weights convert --to hdf5 --out "$out/xqf/binary" classic
python3 tests/fuzz/seeds.py pack "$out/xqf" "$out/packed.txt" && python3 tests/fuzz/seeds.py unpack "$out/packed.txt" "$out/again"
check replay_seeds "the seeds have changed after packing and unpacking" diff -r "$out/xqf" "$out/again"
finish

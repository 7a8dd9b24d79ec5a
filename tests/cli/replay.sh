#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every fuzzer takes its seeds, and changed copies of them, in this build.
set -u
count=500
[ "$PAOTAI_FULL" != 1 ] || count=20000
failures=0
for replay in "${PAOTAI%/*}"/replay_*; do
    name=${replay##*/replay_}
    if "$replay" "$count" tests/fuzz/corpus/"$name"/*; then
        echo "PASS replay_$name"
    else
        echo "FAIL replay_$name: exit status $? on tests/fuzz/corpus/$name; 'make fuzz' says more"
        failures=$((failures + 1))
    fi
done
[ "$failures" -eq 0 ]

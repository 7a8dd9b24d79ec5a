#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests what is said if a good shard cannot be opened: no file locks, no permission, too many open
# files. Nobody is told to move a good file away. tests/fault/fault.c makes the calls fail.
set -u
. tests/checks.sh
ldd "$PAOTAI" 2>/dev/null | grep -qE 'libasan|libubsan|libtsan' && skip locks "a sanitizer's runtime does not allow LD_PRELOAD"
"${CC:-cc}" -O1 -shared -fPIC -o "$out/fault.so" tests/fault/fault.c -ldl 2>"$out/cc.err" || skip locks "$(head -n 1 "$out/cc.err")"
play="$PAOTAI selfplay --nodes 20 --opening-nodes 50 --max-plies 20 --seed 2 --quiet"
$play --games 4 --out "$out/run" >/dev/null
# broken FAMILY AT COMMAND...: runs a command whose call number AT of this family fails (all: every
# call).
broken() {
    family=$1 at=$2
    shift 2
    FAULT_FAMILY=$family FAULT_AT=$at LD_PRELOAD="$out/fault.so" "$@" >"$out/broken.out" 2>"$out/broken.err"
}
# says STATUS PATTERN COMMAND: complains unless the last command had this exit status, and its message
# has the pattern, but no advice to move or restore files.
says() {
    [ "$1" -eq "$2" ] && grep -qE -- "$3" "$out/broken.err" || { echo "$4: exit status $1" && head -n 3 "$out/broken.err"; }
    cat "$out/broken.out" "$out/broken.err" | grep -E 'move (this file|them)|restore the|plays? (its|their) games again'
}

result locks_reading "$(
    for command in 'data info' 'data verify' 'data openings'; do
        # shellcheck disable=SC2086 # the command has two words
        broken flock all "$PAOTAI" $command "$out/run"
        says $? 1 'cannot open .*\.h5: No locks available; .*HDF5_USE_FILE_LOCKING=FALSE' "$command"
        # shellcheck disable=SC2086
        HDF5_USE_FILE_LOCKING=FALSE broken flock all "$PAOTAI" $command "$out/run" || echo "$command cannot read without locks"
    done
)"
result locks_writing "$(
    for value in TRUE FALSE; do
        HDF5_USE_FILE_LOCKING=$value broken flock all $play --games 6 --resume --out "$out/run"
        says $? 1 'cannot lock .*/\.lock: No locks available; .*write to a local directory, and then copy the run' selfplay
    done
    [ "$(find "$out/run" -name '*.h5' | wc -l)" = 1 ] || echo "a shard was written without a lock"
)"
# The first open of a shard that fails, whether by our own call or inside HDF5.
result locks_permission "$(
    for command in 'data info' 'data verify'; do
        found=0
        for at in $(seq 30); do
            # shellcheck disable=SC2086
            broken open "$at" "$PAOTAI" $command "$out/run"
            status=$?
            grep -q '\.h5: ' "$out/broken.err" || continue
            found=$((found + 1))
            says $status 1 "cannot open .*\\.h5: Permission denied; you have no permission .*chmod" "$command, open $at"
        done
        [ $found -ge 2 ] || echo "$command: $found calls that open a shard failed"
    done
)"
finish

# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Functions for the scripts of tests/cli. A script begins with `. tests/checks.sh` and ends with
# `finish`.
failures=0
case $PAOTAI in /*) ;; *) PAOTAI=$PWD/$PAOTAI && export PAOTAI ;; esac
out=$PAOTAI_SCRATCH
pass() { echo "PASS $1"; }
fail() {
    echo "FAIL $1: $2"
    failures=$((failures + 1))
}
# skip NAME WHY: skips the rest of the script, which this machine or `make test` cannot run.
skip() {
    echo "SKIP $1: $2"
    finish
}
finish() { exit $((failures > 0)); }
# check NAME WHY COMMAND...: passes if the command succeeds.
check() {
    name=$1 why=$2
    shift 2
    if "$@" >"$out/check" 2>&1; then pass "$name"; else
        head -n 5 "$out/check"
        fail "$name" "$why"
    fi
}
# ok NAME WHY STATUS: passes if the status is 0.
ok() { if [ "$3" -eq 0 ]; then pass "$1"; else fail "$1" "$2"; fi; }
# result NAME TEXT: passes if TEXT is empty, otherwise prints it and fails.
result() {
    if [ -z "$2" ]; then pass "$1"; else
        printf '%s\n' "$2"
        fail "$1" "the lines above"
    fi
}
# refuse NAME STATUS WORD COMMAND...: passes if the command ends with STATUS and prints WORD on
# stderr.
refuse() {
    name=$1 status=$2 word=$3
    shift 3
    "$@" >"$out/refuse.out" 2>"$out/refuse.err" </dev/null
    got=$?
    if [ "$got" -ne "$status" ]; then
        fail "$name" "exit status $got, not $status: $(head -n 1 "$out/refuse.err")"
    elif ! grep -qF -- "$word" "$out/refuse.err"; then
        fail "$name" "the message does not say '$word': $(head -n 1 "$out/refuse.err")"
    else
        pass "$name"
    fi
}
# wait_until COMMAND...: repeats the command until it succeeds. Fails after about five minutes.
wait_until() {
    for _ in $(seq 6000); do
        "$@" && return
        sleep 0.05
    done
    return 1
}
# works PID TICKS: returns 0 if the process has ended, or if it handles SIGTERM and has used at
# least TICKS hundredths of a second of user time.
works() {
    [ -r "/proc/$1/stat" ] || return 0
    grep -q '^SigCgt:.*[4567cdef][0-9a-f]\{3\}$' "/proc/$1/status" && [ "$(cut -d ' ' -f 14 "/proc/$1/stat")" -ge "$2" ]
} 2>/dev/null
# holds PID DIR: returns 0 if the process holds the lock of the run in DIR.
holds() { grep -qsx "$1" "$2/.lock"; }
# value KEY FILE: prints the value of KEY in the `key value` lines of FILE.
value() { sed -n "s/^$1 //p" "$2"; }
# hash_of RUN: prints the content hash, or nothing if the run cannot be read.
hash_of() { "$PAOTAI" data info --quiet "$1" 2>/dev/null | sed -n 's/^content_hash //p'; }
first_shard() { find "$1" -name 'shard-*.h5' | sort | head -n 1; }

# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# What scripts of tests/cli share: `. tests/checks.sh` at their beginning, `finish` at their end.
failures=0
out=$PAOTAI_SCRATCH
pass() { echo "PASS $1"; }
fail() {
    echo "FAIL $1: $2"
    failures=$((failures + 1))
}
# skip NAME WHY: the rest of the script is not for this machine, or not for `make test`.
skip() {
    echo "SKIP $1: $2"
    finish
}
finish() { exit $((failures > 0)); }
# check NAME WHY COMMAND...: the command must succeed.
check() {
    name=$1 why=$2
    shift 2
    if "$@" >"$out/check" 2>&1; then pass "$name"; else
        head -n 5 "$out/check"
        fail "$name" "$why"
    fi
}
# ok NAME WHY STATUS: the same for a status that is known.
ok() { if [ "$3" -eq 0 ]; then pass "$1"; else fail "$1" "$2"; fi; }
# result NAME TEXT: PASS without a text, else FAIL with it.
result() {
    if [ -z "$2" ]; then pass "$1"; else
        printf '%s\n' "$2"
        fail "$1" "the lines above"
    fi
}
# refuse NAME STATUS WORD COMMAND...: the command must end with this status and say the word.
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
# wait_until COMMAND...: until it succeeds; machines are busy, so for five minutes.
wait_until() {
    for _ in $(seq 6000); do
        "$@" && return
        sleep 0.05
    done
    return 1
}
# works PID TICKS: the process takes SIGTERM for a request and has computed so many hundredths of a second; or it is gone.
works() {
    [ -r "/proc/$1/stat" ] || return 0
    grep -q '^SigCgt:.*[4567cdef][0-9a-f]\{3\}$' "/proc/$1/status" && [ "$(cut -d ' ' -f 14 "/proc/$1/stat")" -ge "$2" ]
} 2>/dev/null
# holds PID DIR: the process has the lock of the run.
holds() { grep -qsx "$1" "$2/.lock"; }
# value KEY FILE: of the `key value` lines of an output.
value() { sed -n "s/^$1 //p" "$2"; }
# hash_of RUN: the content hash; nothing where it cannot be read.
hash_of() { "$PAOTAI" data info --quiet "$1" 2>/dev/null | sed -n 's/^content_hash //p'; }
first_shard() { find "$1" -name 'shard-*.h5' | sort | head -n 1; }
# python_with MODULE: the Python that has it; nothing where none has.
python_with() {
    for candidate in python3 /usr/bin/python3; do
        if "$candidate" -c "import $1" 2>/dev/null; then
            echo "$candidate"
            break
        fi
    done
}

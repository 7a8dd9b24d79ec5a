# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154
# Read by scripts of tests/cli, which set failures=0 and out=DIRECTORY before.
pass() { echo "PASS $1"; }
fail() {
    echo "FAIL $1: $2"
    failures=$((failures + 1))
}
# check NAME WHY COMMAND...: the command must succeed.
check() {
    name=$1 why=$2
    shift 2
    if "$@" >"$out/check" 2>&1; then pass "$name"; else
        head -n 5 "$out/check"
        fail "$name" "$why"
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

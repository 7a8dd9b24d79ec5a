#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/run.sh BUILD_DIR [--list] [SCRIPT|PATTERN...]: runs the C tests of a build and every
# tests/cli/*.sh and *.py, relays their PASS, FAIL and SKIP lines and ends with the slowest scripts, the
# failures again, and the counts. Exit status 1 when anything failed or nothing ran.
#
# As many scripts run at a time as there are processors (PAOTAI_JOBS), each with lines of its own together. The C
# tests, which use all processors, come first and alone.
#
# SCRIPT is a path. PATTERN is a glob or a part of a name: the C tests and the scripts whose names
# match are run; a pattern that matches nothing fails. --list prints the names instead.
#
# What a test finds: the repository's root as working directory, no standard input, and
#   PAOTAI            the program of this build
#   PAOTAI_TEST_DATA  the tests' own data
#   PAOTAI_SCRATCH    an empty directory of its own, removed afterwards
#   PAOTAI_FULL       1 in `make test-full`; only then may a test use what is outside the repository
#   PAOTAI_SHARED     the shared known answers; set only in `make test-full` and where they exist
#   PAOTAI_TIMEOUT    seconds one script may take
set -u
LC_ALL=C.UTF-8
export LC_ALL
cd "$(dirname "$0")/.." || exit 1
if [ ! -x "${1:-}/paotai-test" ]; then
    echo "usage: sh tests/run.sh BUILD_DIR [--list] [SCRIPT|PATTERN...]   (a directory that 'make all' filled)" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
shift
list=
[ "${1:-}" != --list ] || { list=yes && shift; }
[ $# -gt 0 ] || set -- '*'

PAOTAI=$build/paotai
PAOTAI_TEST_DATA=$PWD/tests/data
PAOTAI_FULL=${PAOTAI_FULL:-0}
if [ "$PAOTAI_FULL" = 1 ]; then
    : "${PAOTAI_TIMEOUT:=3600}" "${PAOTAI_SHARED:=$PWD/../shared/data}"
else
    # Sanitizers take many times as long.
    case ${build##*/} in release* | pgo*) : "${PAOTAI_TIMEOUT:=1200}" ;; *) : "${PAOTAI_TIMEOUT:=7200}" ;; esac
    PAOTAI_SHARED=
fi
[ -d "$PAOTAI_SHARED" ] || unset PAOTAI_SHARED
# Python leaves nothing in the tree, and finds tests/checks.py.
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD/tests"
export PAOTAI PAOTAI_TEST_DATA PAOTAI_FULL PAOTAI_TIMEOUT ${PAOTAI_SHARED:+PAOTAI_SHARED}

mkdir -p build
work=$(mktemp -d "$PWD/build/test.XXXXXX") || exit 1
children=
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086 # a list
trap '[ -z "$children" ] || kill $children 2>/dev/null; wait; exit 130' INT TERM HUP
# A free place is a line in this pipe.
mkfifo "$work/places" && exec 9<>"$work/places"
jobs=${PAOTAI_JOBS:-$(nproc 2>/dev/null || echo 1)}
for _ in $(seq "$jobs"); do echo >&9; done

# Threads that wait leave the processor to the tests beside them, as those of the program do.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
# HDF5 forgets some of its own memory when it refuses a damaged file, and reads beyond what it holds of it (1.10.8
# believes the lengths of names of filters): asan.supp.
export LSAN_OPTIONS="${LSAN_OPTIONS:-}:suppressions=$PWD/tests/lsan.supp:print_suppressions=0"

# run NAME COMMAND...: one script, its lines, and what it did not say itself, into $job.log.
run_here() {
    name=$1
    shift
    log=$job.log child=
    PAOTAI_SCRATCH=$job.scratch
    export PAOTAI_SCRATCH
    mkdir "$PAOTAI_SCRATCH"
    # A sanitizer's report is a failure even where the test expects its program to fail.
    export ASAN_OPTIONS="${ASAN_OPTIONS:-}:suppressions=$PWD/tests/asan.supp:log_path=$job.sanitizer:exitcode=99"
    export UBSAN_OPTIONS="${UBSAN_OPTIONS:-}:log_path=$job.sanitizer:exitcode=99:print_stacktrace=1"
    export TSAN_OPTIONS="${TSAN_OPTIONS:-}:log_path=$job.sanitizer:exitcode=99"
    trap cut_off INT TERM HUP
    trap - EXIT
    began=$(date +%s)
    timeout -k 10 "$PAOTAI_TIMEOUT" "$@" >"$log" 2>&1 </dev/null 9>&- &
    child=$!
    wait "$child"
    status=$?
    child=
    took=$(($(date +%s) - began))
    if [ "$status" -eq 124 ]; then
        fail "$name" "not done after $PAOTAI_TIMEOUT s"
    elif [ "$status" -ge 128 ]; then
        fail "$name" "killed, exit status $status"
    elif [ "$status" -ne 0 ] && [ "$(count FAIL "$log")" -eq 0 ]; then
        fail "$name" "exit status $status without a FAIL line"
    fi
    for report in "$job.sanitizer".*; do
        [ -e "$report" ] || continue
        cat "$report" >>"$log"
        fail "$name" "a sanitizer's report, above"
    done
    grep -Eq '^(PASS|FAIL|SKIP) ' "$log" || fail "$name" "printed no PASS, FAIL or SKIP line"
    # Processor time of the script and its programs: it does not depend on what else the machine does.
    times >"$job.times"
    used=$(sed -n '2s/[ms]/ /gp' "$job.times" | awk '{ printf "%.1f", 60 * ($1 + $3) + $2 + $4 }')
    echo "     $used s of processor time, $took s: $name" >"$job.took"
    rm -rf "$PAOTAI_SCRATCH"
    flock "$work/lock" cat "$log"
}
# Who is ended from outside ends his script, which clears up behind itself, and says how far it came.
cut_off() {
    [ -n "$child" ] && kill "$child" 2>/dev/null && wait "$child"
    echo "CUT OFF $name after $(($(date +%s) - began)) s, behind:" && tail -n 4 "$log"
    exit 130
}
count() { grep -c "^$1 " "$2"; }
fail() { echo "FAIL $1: $2" >>"$log"; }
started=0
# run NAME COMMAND...: the same beside others, when there is a place.
run() {
    read -r _ <&9
    started=$((started + 1))
    job=$work/$started
    (
        run_here "$@"
        echo >&9
    ) &
    children="$children $!"
}
# run_alone NAME COMMAND...
run_alone() {
    wait
    run "$@"
    wait
}

# run_file PATH: a script, or the C tests.
run_file() {
    case $1 in
    *.sh) run "$1" sh "$1" ;;
    *.py) run "$1" python3 "$1" ;;
    *) run_alone "${1##*/}" "$1" ;;
    esac
}
# run_matching PATTERN: the C tests and the scripts of that name.
run_matching() {
    case $1 in
    *[*?[]*) glob=$1 ;;
    *) glob="*$1*" ;;
    esac
    found=
    if [ "$("$build/paotai-test" --list --only "$1" | grep -cv '^FAIL ')" -gt 0 ]; then
        found=yes
        run_alone "paotai-test" "$build/paotai-test" --only "$1"
    fi
    for script in tests/cli/*.sh tests/cli/*.py; do
        name=${script##*/}
        # shellcheck disable=SC2254 # a pattern
        case $name in
        $glob | $glob.sh | $glob.py)
            found=yes
            run_file "$script"
            ;;
        esac
    done
    if [ -z "$found" ]; then
        echo "FAIL $1: no test and no script of that name (sh tests/run.sh BUILD_DIR --list)" | tee "$work/missing.log"
    fi
}

if [ -n "$list" ]; then
    "$build/paotai-test" --list
    ls tests/cli/*.sh tests/cli/*.py
    exit
fi
for wanted in "$@"; do
    if [ -f "$wanted" ]; then run_file "$wanted"; else run_matching "$wanted"; fi
done
wait
cat "$work"/*.took 2>/dev/null | sort -rn | head -n 8
# The failures again, which stand far above in a long log.
cat "$work"/*.log | grep '^FAIL ' | sed 's/^/     /'
lines() { cat "$work"/*.log | grep -c "^$1 "; }
passed=$(lines PASS) failed=$(lines FAIL) skipped=$(lines SKIP)
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

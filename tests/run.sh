#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/run.sh BUILD_DIR [--list] [--long|SCRIPT|PATTERN...]: runs the C tests of a build and every
# tests/cli/*.sh and *.py, except the scripts in `later`, which `make test-full` and the part `long` of
# .ci/run run (--long runs these alone). Prints their PASS, FAIL and SKIP lines, then the slowest scripts, all
# failures again, and the counts. On a terminal and in CI it prints one line for each script instead
# of the PASS lines. build/test.log receives all lines. The exit status is 1 if a test failed or none
# passed.
#
# PAOTAI_JOBS is the number of scripts that run in parallel. The default is one more than there are
# processors, because scripts often wait. The output lines of a script stay together. The C tests
# use all processors, so they run first and alone.
#
# SCRIPT is a path. PATTERN, a glob or a part of a name, selects C tests and scripts. A pattern
# without a match is a failure. --list prints the names of the selected tests and runs none.
#
# Environment of a test: the working directory is the repository's root, standard input is empty,
# and
#   PAOTAI            the program of this build
#   PAOTAI_TEST_DATA  directory of the tests' own data
#   PAOTAI_SCRATCH    an empty directory for this test, removed afterwards
#   PAOTAI_FULL       1 in `make test-full`; only then may a test use things outside the repository
#   PAOTAI_SHARED     directory of known answers outside the repository; set only if it exists, and
#                     only in `make test-full`
#   PAOTAI_TIMEOUT    time limit of one script in seconds
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
list='' apart=''
[ "${1:-}" != --list ] || { list=yes && shift; }

PAOTAI=$build/paotai
PAOTAI_TEST_DATA=$PWD/tests/data
PAOTAI_FULL=${PAOTAI_FULL:-0}
if [ "$PAOTAI_FULL" = 1 ]; then
    : "${PAOTAI_TIMEOUT:=3600}" "${PAOTAI_SHARED:=$PWD/../shared/data}"
else
    # Sanitizers make tests many times slower.
    case ${build##*/} in release* | pgo*) : "${PAOTAI_TIMEOUT:=1200}" ;; *) : "${PAOTAI_TIMEOUT:=7200}" ;; esac
    PAOTAI_SHARED=
fi
[ -d "$PAOTAI_SHARED" ] || unset PAOTAI_SHARED
# Python writes no cache files into the tree, and finds tests/checks.py.
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD/tests"
export PAOTAI PAOTAI_TEST_DATA PAOTAI_FULL PAOTAI_TIMEOUT ${PAOTAI_SHARED:+PAOTAI_SHARED}

mkdir -p build
work=$(mktemp -d "$PWD/build/test.XXXXXX") || exit 1
children=
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086 # a list
trap '[ -z "$children" ] || kill $children 2>/dev/null; wait; exit 130' INT TERM HUP
# The pipe has one line for each free place, that is, for each script that could start now.
mkfifo "$work/places" && exec 9<>"$work/places"
jobs=${PAOTAI_JOBS:-$(($(nproc 2>/dev/null || echo 1) + 1))}
for _ in $(seq "$jobs"); do echo >&9; done

# If python3 is a script, as with pyenv, it needs longer to find the interpreter than a short test
# needs to run. Tests therefore call the interpreter itself.
if [ "$(head -c 2 "$(command -v python3)" 2>/dev/null)" = '#!' ]; then
    mkdir "$work/bin"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$(python3 -c 'import sys; print(sys.executable)')" >"$work/bin/python3"
    chmod +x "$work/bin/python3" && PATH=$work/bin:$PATH
fi

# Threads that wait for work give up the processor, so that other tests can run. paotai itself sets
# this variable only if the options --threads or --options are given.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
# Two files suppress the reports of two faults of HDF5. It leaks memory when it refuses a damaged
# file (lsan.supp). HDF5 1.10.8 trusts the lengths of filter names in the file, so it reads out of
# bounds (asan.supp).
export LSAN_OPTIONS="${LSAN_OPTIONS:-}:suppressions=$PWD/tests/lsan.supp:print_suppressions=0"

# run_here NAME COMMAND...: runs one script. Writes its output, and failures found by the runner, to
# $job.log.
run_here() {
    name=$1
    shift
    log=$job.log child=
    PAOTAI_SCRATCH=$job.scratch
    export PAOTAI_SCRATCH
    mkdir "$PAOTAI_SCRATCH"
    # A sanitizer report is a failure, even if the test expects its program to fail.
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
        fail "$name" "did not end within $PAOTAI_TIMEOUT s"
    elif [ "$status" -ge 128 ]; then
        fail "$name" "was ended by a signal, exit status $status"
    elif [ "$status" -ne 0 ] && [ "$(count FAIL "$log")" -eq 0 ]; then
        fail "$name" "exit status $status without a FAIL line"
    fi
    for report in "$job.sanitizer".*; do
        [ -e "$report" ] || continue
        cat "$report" >>"$log"
        fail "$name" "a sanitizer wrote the report above"
    done
    grep -Eq '^(PASS|FAIL|SKIP) ' "$log" || fail "$name" "printed no PASS, FAIL or SKIP line"
    # Measures the processor time of the script and its programs, which does not depend on the load
    # of the machine.
    times >"$job.times"
    used=$(sed -n '2s/[ms]/ /gp' "$job.times" | awk '{ printf "%.1f", 60 * ($1 + $3) + $2 + $4 }')
    echo "     $used s of processor time, $took s: $name" >"$job.took"
    rm -rf "$PAOTAI_SCRATCH"
    show >"$job.shown"
    flock "$work/lock" cat "$job.shown"
}
# show: prints the lines of the current script that the user wants to see.
show() {
    if [ -z "$short" ]; then cat "$log" && return; fi
    failed=$(count FAIL "$log")
    if [ "$failed" -gt 0 ]; then grep -v '^PASS ' "$log"; else grep '^SKIP ' "$log"; fi
    echo "$name: $(count PASS "$log") passed, $failed failed, $(count SKIP "$log") skipped, $took s"
}
# After a signal: ends the script, whose exit trap runs, and prints its last lines.
cut_off() {
    [ -n "$child" ] && kill "$child" 2>/dev/null && wait "$child"
    echo "CUT OFF $name after $(($(date +%s) - began)) s; its last lines:" && tail -n 4 "$log"
    exit 130
}
count() { grep -c "^$1 " "$2"; }
fail() { echo "FAIL $1: $2" >>"$log"; }
started=0 short=
if [ -t 1 ] || [ -n "${CI:-}" ]; then short=yes; fi
# run NAME COMMAND...: waits until fewer than $jobs scripts run, then runs a script in the background.
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
# run_alone NAME COMMAND...: runs a script while no other script runs.
run_alone() {
    wait
    run "$@"
    wait
}

# Scripts that take long. `make test` leaves them to .ci/run.
later='journeys.py groups.py recipes.py faults.py resume_fits.py rates.py tune_cv.py demo.sh levels.sh killed_make.sh'
# The slowest scripts start first, so that no processor is idle at the end.
long='journeys.py resume_fits.py resume.py tune.py threads.py faults.py view.py groups.py report.py packed.py terminal.py trees.py recipes.py runs.py match.sh protocol.py trace.py fields.py page_text.py formats.py ablate.py rows.py habits.py data.py'
# scripts: prints all scripts in the order in which they start.
scripts() {
    printf 'tests/cli/%s\n' $long
    printf '%s\n' tests/cli/*.sh tests/cli/*.py | grep -vE "/($(echo $long | tr ' ' '|'))$"
}

# run_file PATH: runs a script or the C tests. With --list, prints the path.
run_file() {
    if [ -n "$list" ]; then echo "$1" && return; fi
    case $1 in
    *.sh) run "$1" sh "$1" ;;
    *.py) run "$1" python3 "$1" ;;
    *) run_alone "${1##*/}" "$1" ;;
    esac
}
# run_matching PATTERN: runs the C tests and the scripts whose names match.
run_matching() {
    case $1 in
    *[*?[]*) glob=$1 ;;
    *) glob="*$1*" ;;
    esac
    found=
    tests=$("$build/paotai-test" --list --only "$1" | grep -v '^FAIL ')
    if [ -n "$tests" ]; then
        found=yes
        if [ -n "$list" ]; then echo "$tests"; else run_alone "paotai-test" "$build/paotai-test" --only "$1"; fi
    fi
    for script in $(scripts); do
        name=${script##*/}
        case " $apart " in *" $name "*) continue ;; esac
        # shellcheck disable=SC2254 # $glob is a pattern, so it is not quoted
        case $name in
        $glob | $glob.sh | $glob.py)
            found=yes
            run_file "$script"
            ;;
        esac
    done
    if [ -z "$found" ]; then
        echo "FAIL $1: no test and no script has this name (sh tests/run.sh BUILD_DIR --list prints the names)" | tee "$work/missing.log"
    fi
}

if [ "${1:-}" = --long ]; then
    # shellcheck disable=SC2086 # a list
    set -- $(printf 'tests/cli/%s\n' $later)
elif [ $# -eq 0 ]; then
    set -- '*'
    [ "$PAOTAI_FULL" = 1 ] || [ -n "$list" ] || apart=$later
fi
for wanted in "$@"; do
    if [ -f "$wanted" ]; then run_file "$wanted"; else run_matching "$wanted"; fi
done
if [ -n "$list" ]; then
    [ ! -e "$work/missing.log" ]
    exit
fi
wait
cat "$work"/*.log >build/test.log
cat "$work"/*.took 2>/dev/null | sort -rn >build/test.times
head -n 8 build/test.times
# Print the failures again, because their first lines are far above in a long log.
cat "$work"/*.log | grep '^FAIL ' | sed 's/^/     /'
lines() { cat "$work"/*.log | grep -c "^$1 "; }
passed=$(lines PASS) failed=$(lines FAIL) skipped=$(lines SKIP)
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

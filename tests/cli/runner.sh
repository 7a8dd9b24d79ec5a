#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests tests/run.sh with scripts that end in different ways, and paotai-test, the program of the C
# tests.
# shellcheck disable=SC2016 # the scripts expand their own variables
set -u
build=$PAOTAI_SCRATCH/build scripts=$PAOTAI_SCRATCH/scripts
. tests/checks.sh
mkdir "$build" "$scripts"
printf '#!/bin/sh\n[ "$1" != --list ] || exit 1\necho "PASS c"\n' >"$build/paotai-test"
chmod +x "$build/paotai-test"

patience=300
# ends STATUS COUNTS TEXT: checks that tests/run.sh, when it runs a script with this text, ends with
# this status and these counts.
ends() {
    printf '%s\n' "$3" >"$scripts/script.sh"
    got=$(PAOTAI_TIMEOUT=$patience sh tests/run.sh "$build" "$scripts/script.sh" 2>&1)
    status=$?
    last=$(printf '%s\n' "$got" | tail -n 1)
    if [ "$status" -ne "$1" ] || [ "$last" != "$2" ]; then
        printf '%s\nFAIL runner: "%s" ends with %s and "%s", not %s and "%s"\n' \
            "$got" "$3" "$status" "$last" "$1" "$2"
        failures=$((failures + 1))
    fi
}
ends 0 "2 passed, 0 failed, 1 skipped" 'echo PASS a; echo PASS b; echo SKIP c: why; echo FAILURE of nothing'
ends 1 "1 passed, 1 failed, 0 skipped" 'echo PASS a; echo FAIL b: why; exit 1'
ends 1 "1 passed, 1 failed, 0 skipped" 'echo PASS a; echo FAIL b: but exits with 0'
ends 1 "1 passed, 1 failed, 0 skipped" 'echo PASS a; exit 3'
ends 1 "0 passed, 1 failed, 0 skipped" 'echo something else'
ends 1 "1 passed, 1 failed, 0 skipped" 'echo PASS a; kill -SEGV $$'
patience=2
ends 1 "1 passed, 1 failed, 0 skipped" 'echo PASS a; sleep 600'
patience=300
ends 1 "1 passed, 1 failed, 0 skipped" 'echo PASS a
    echo report >"$(echo "$ASAN_OPTIONS" | sed "s/.*log_path=//; s/:.*//").1"'
ends 1 "0 passed, 0 failed, 1 skipped" 'echo SKIP a: nothing ran'
ends 0 "1 passed, 0 failed, 0 skipped" '[ -z "$(ls "$PAOTAI_SCRATCH")" ] && ! read -r line && echo PASS a'

# If the runner is interrupted, it names the script, and the script's trap for SIGTERM runs.
printf '%s\n' 'trap "sleep 1; echo cleared >$scripts/cleared; exit 1" TERM' "echo >$scripts/here" 'echo "PASS a"; echo at b' \
    'while :; do sleep 0.1; done' | sed "s|\$scripts|$scripts|" >"$scripts/script.sh"
sh tests/run.sh "$build" "$scripts/script.sh" >"$PAOTAI_SCRATCH/cut" 2>&1 &
runner=$!
wait_until [ -e "$scripts/here" ] && kill -TERM $runner
wait $runner
[ -e "$scripts/cleared" ] && grep -q "^CUT OFF .*script.sh after [0-9]* s" "$PAOTAI_SCRATCH/cut" && grep -qx "at b" "$PAOTAI_SCRATCH/cut" ||
    fail runner "after SIGTERM it prints: $(cat "$PAOTAI_SCRATCH/cut")"

complain() { fail runner "$1"; }
# says PATTERN TEXT: checks that a line of the text matches.
says() { printf '%s\n' "$2" | grep -q -e "$1" || complain "no line '$1' in: $2"; }
run() { PAOTAI_TIMEOUT=300 sh tests/run.sh "$build" "$@" 2>&1; }
for pattern in compilers 'comp*ers' '?ompilers' tests/cli/compilers.sh; do
    says ' s: tests/cli/compilers.sh$' "$(PAOTAI_FULL=0 run "$pattern")"
done
got=$(run no_such_test) && complain "a pattern that matches nothing ends with 0: $got"
says '^0 passed, 1 failed, 0 skipped$' "$got"
says '^     FAIL no_such_test: ' "$(printf '%s\n' "$got" | tail -n 2)"
says '^tests/cli/runner.sh$' "$(run --list)"
got=$(sh tests/run.sh "${PAOTAI%/*}" --list runner sprt_prop | tr '\n' ' ')
[ "$got" = "tests/cli/runner.sh sprt_properties " ] || complain "--list with patterns: $got"
got=$(run --list no_such_test) && complain "--list with a pattern that matches nothing ends with 0: $got"
# Scripts change their directory, so they use the absolute path of the program.
[ "$(PAOTAI=build/paotai sh -c '. tests/checks.sh; echo "$PAOTAI"')" = "$PWD/build/paotai" ] || complain "PAOTAI is relative in scripts"

# Tests paotai-test. With a file size limit of 4 KB, a signal ends a test that writes a shard: this
# test fails, the others continue.
tests=${PAOTAI%/*}/paotai-test
says '^sprt_properties$' "$("$tests" --list)"
got=$("$tests" --list --only 'sprt_prop*')
[ "$got" = sprt_properties ] || complain "--list with a pattern: $got"
got=$("$tests" --only no_such_test) && complain "--only no_such_test ends with 0: $got"
says '^FAIL paotai-test: .*no_such_test' "$got"
got=$("$tests" --list --only sprt_properties --only 'rules_cx*' | sort | tr '\n' ' ')
[ "$got" = "rules_cxa sprt_properties " ] || complain "--only given twice: $got"
got=$("$tests" --only sprt_properties --only no_such_test) && complain "one wrong pattern of two ends with 0: $got"
says '^FAIL paotai-test: .*no_such_test' "$got"
says '^PASS sprt_properties$' "$got"
got=$("$tests" --only sprt_properties --wrong 2>&1) && complain "a wrong option ends with 0: $got"
got=$(ulimit -f 8 && "$tests" --only 'store_r*') && complain "a test crashed, and the exit status is 0: $got"
says '^FAIL store_round_trip: signal [0-9]* (File size limit exceeded)$' "$got"
says '^PASS store_' "$got"
[ "$failures" -gt 0 ] || pass runner
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The runner itself, on scripts that end in every way a script can end.
# shellcheck disable=SC2016 # the scripts expand their own variables
set -u
build=$PAOTAI_SCRATCH/build scripts=$PAOTAI_SCRATCH/scripts
failures=0
mkdir "$build" "$scripts"
printf '#!/bin/sh\necho "PASS c"\n' >"$build/paotai-test"
chmod +x "$build/paotai-test"

# ends STATUS COUNTS TEXT: a script of that text makes the runner end so.
ends() {
    printf '%s\n' "$3" >"$scripts/script.sh"
    got=$(PAOTAI_TIMEOUT=2 sh tests/run.sh "$build" "$scripts/script.sh" 2>&1)
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
ends 1 "1 passed, 1 failed, 0 skipped" 'echo PASS a; sleep 60'
ends 1 "1 passed, 1 failed, 0 skipped" 'echo PASS a
    echo report >"$(echo "$ASAN_OPTIONS" | sed "s/.*log_path=//; s/:.*//").1"'
ends 1 "0 passed, 0 failed, 1 skipped" 'echo SKIP a: nothing ran'
ends 0 "1 passed, 0 failed, 0 skipped" '[ -z "$(ls "$PAOTAI_SCRATCH")" ] && ! read -r line && echo PASS a'
[ "$failures" -eq 0 ] && echo "PASS runner"

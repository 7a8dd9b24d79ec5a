#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests a very small demo: it runs to its end, prints two expected lines and a command that can be
# copied, writes only in its directory, and says first which older results it removes.
set -u
. tests/checks.sh
root=$PWD log=$PAOTAI_SCRATCH/log
complain() { fail demo "$1"; }
mkdir "$PAOTAI_SCRATCH/here"
cd "$PAOTAI_SCRATCH/here" || exit 1
mkdir -p out/loop && touch out/loop/old out/old.txt out/kept.md
if ! DEMO_GAMES=24 DEMO_DIRECT=4 DEMO_PAIRS=3 DEMO_GATE=20 DEMO_NODES=100 sh "$root/bench/demo.sh" "$PAOTAI" out >"$log" 2>&1; then
    cat "$log"
    complain "it does not come to its end, see above"
fi
for line in '^   generation 3: 24 games, [0-9]* s, loss .* Elo against the champion' '^start to champion  .*\( 8 games\|no candidate was promoted\)' '^champion to default  ' '^time  .* min .* s$' '^pages to open  .*out/report.html' '^you have an engine  .* match --a cmd=' '^you want to play  .* play --weights out/loop/champion.txt$'; do
    grep -q -e "$line" "$log" || complain "its summary has no line '$line'"
done
shown=$(sed -n 's/^you have a question  *//p' "$log")
[ -n "$shown" ] && sh -c "$shown" >"$PAOTAI_SCRATCH/shown" || complain "its command does not show the weights: '$shown'"
for page in out/report.html out/loop/strength.html; do grep -q "<svg" $page || complain "no pictures in $page"; done
[ "$("$PAOTAI" data info out/loop/gen-003/games | sed -n 's/^games //p')" = 24 ] || complain "not 24 games of the last generation"
for old in loop old.txt; do
    sed '/^== 1/,$d' "$log" | grep -q "^removes out/$old," || complain "it does not say first that it removes out/$old"
done
[ ! -e out/old.txt ] && [ -e out/kept.md ] || complain "it removes something else than it says: $(ls out)"
[ "$(ls -A)" = out ] || complain "it writes beside its directory: $(ls -A)"
cd "$root" || exit 1
# make pictures draws the pictures of the README from the results, and names the revision.
if [ "${PAOTAI_FULL:-}" = 1 ] && command -v chromium >/dev/null; then
    sed 's/revision [0-9a-f]*\.$/revision 0000000./' README.md >"$PAOTAI_SCRATCH/README.md"
    PYTHONPATH=tests python3 bench/pictures.py "$PAOTAI" "$PAOTAI_SCRATCH/here/out" "$PAOTAI_SCRATCH/pictures" "$PAOTAI_SCRATCH/README.md" >"$log" 2>&1 ||
        complain "no pictures: $(tail -n 3 "$log")"
    [ "$(cat "$PAOTAI_SCRATCH"/pictures/*.png | wc -c)" -lt 300000 ] || complain "pictures: $(cat "$log")"
    ! grep -q 'revision 0000000' "$PAOTAI_SCRATCH/README.md" || complain "the revision of the pictures is not written"
fi
# The demo compiles the program, but no tests.
make -n demo B="$PAOTAI_SCRATCH/build" >"$log" 2>&1
grep -q 'link .*/paotai"' "$log" || complain "make demo does not make the program: $(head -n 3 "$log")"
! grep -q 'paotai-test\|/replay' "$log" || complain "make demo compiles tests"
[ "$failures" -gt 0 ] || pass demo
finish

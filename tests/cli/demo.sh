#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The demo, very small: the loop closes, its summary has every part, and it writes only where it is told.
set -u
. tests/checks.sh
root=$PWD log=$PAOTAI_SCRATCH/log
complain() { fail demo "$1"; }
mkdir "$PAOTAI_SCRATCH/here"
cd "$PAOTAI_SCRATCH/here" || exit 1
if ! DEMO_GAMES=24 DEMO_PAIRS=3 DEMO_NODES=100 sh "$root/bench/demo.sh" "$PAOTAI" out >"$log" 2>&1; then
    cat "$log"
    complain "it does not come to its end, see above"
fi
for line in '^chariot .* 9\.00 ' '^crossed soldier ' '^fitted against classic: Elo -*[0-9]' '^out/fitted.txt '; do
    grep -q -e "$line" "$log" || complain "its summary has no line '$line'"
done
grep -q "<svg" out/report.html || complain "no pictures in out/report.html"
[ "$("$PAOTAI" data info out/games | sed -n 's/^games //p')" = 24 ] || complain "not 24 games in out/games"
[ "$(ls -A)" = out ] || complain "it writes beside its directory: $(ls -A)"
[ "$failures" -gt 0 ] || pass demo
finish

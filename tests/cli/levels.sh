#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that bench/levels measures three levels and writes their table, and that a second run plays
# no game again.
set -u
. tests/checks.sh

grep -E ', (200|400|800), 0)' core/uci/strengths.def >"$out/three.def"
levels() { bench/levels --pairs 12 --table "$out/three.def" --runs "$out/runs" --out "$1"; }
levels "$out/new.def" >"$out/first.txt" 2>&1
check levels_table "the table does not have three levels, with Elo 2000 at 800 nodes and errors for the others: $(cat "$out/first.txt")" sh -c "
    [ \$(grep -cE '^STRENGTH.[12], 1[0-9]+, \" .- [1-9][0-9]*\", (200|400), 0.$' '$out/new.def') -eq 2 ] &&
    grep -qx 'STRENGTH.3, 2000, \"\", 800, 0.' '$out/new.def'"
check levels_sum "the Elo of the table is not the sum of the matches" sh -c "
    a=\$(sed -n 's/^level 2 over 1: +\([0-9]*\) .*/\1/p' '$out/first.txt') b=\$(sed -n 's/^level 3 over 2: +\([0-9]*\) .*/\1/p' '$out/first.txt')
    c=\$(sed -n 's/^STRENGTH(1, \([0-9]*\),.*/\1/p' '$out/new.def') && d=\$((2000 - a - b - c)) && [ \$d -ge -1 ] && [ \$d -le 1 ]"
cp -r "$out/runs" "$out/before"
levels "$out/again.def" >"$out/second.txt" 2>&1
check levels_resume "the second run plays other games or writes another table" sh -c "
    cmp '$out/new.def' '$out/again.def' && diff -rqx .lock '$out/runs' '$out/before'"
grep -v ' 800, 0)' "$out/three.def" >"$out/two.def"
refuse levels_anchor 2 "no level of 800 nodes" bench/levels --table "$out/two.def" --out "$out/x.def"
finish

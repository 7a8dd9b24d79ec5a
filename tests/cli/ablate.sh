#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai ablate: fits with and without terms, the match between these fits, and each group of
# terms in turn.
set -u
. tests/checks.sh
"$PAOTAI" selfplay --games 300 --nodes 30 --seed 7 --threads 2 --quiet --out "$out/games" >/dev/null
ablate() { "$PAOTAI" ablate "$out/games" --valid-fraction 0.4 --quiet "$@"; }
ablate --terms material_cannon,material_horse,soldiers_linked --out "$out/one" --match-pairs 10 --nodes 40 >"$out/one.txt"
check ablate_material "cannons and horses are worth nothing" awk '$1 == "loss_change" { x = $2 } $1 == "loss_change_error95" { e = $2 } END { exit !(e > 0 && x < -e) }' \
    "$out/one.txt"
check ablate_ends "no match was played, or the output ends without a sentence" awk '$1 == "match_games" { n = $2 } $1 == "verdict" { v = $2 " " $3 } END { exit !(n == 20 && v == "not decided" && /: they help to predict .*; with them not decided \(.* 20 games, 95 %; about [0-9]+ more pairs would decide; this number of games can detect (only differences above|differences of at least) [0-9]+ Elo; 5 Elo would need about [0-9]+ games and [0-9.]+ CPU (minutes|hours) on this machine \(80 % power\)\)/) }' \
    "$out/one.txt"
check ablate_rest "the other terms were not fitted" sh -c "! cmp -s '$out/one/with.txt' '$out/one/without.txt' &&
    [ \"\$(grep ^table_horse '$out/one/with.txt')\" != \"\$(grep ^table_horse '$out/one/without.txt')\" ]"
ablate --terms soldiers_linked --out "$out/two" >"$out/two.txt"
check ablate_zero "the removed term is not 0" grep -qx 'soldiers_linked 0 0' "$out/one/without.txt"
check ablate_value "the printed value has no standard error" grep -qE '^soldiers_linked\[0\].mg +-?[0-9.]+ \+- [0-9.]+ in [0-9]+ games' "$out/two.txt"
check ablate_table "the output does not name the table, or the table has no line of column names" sh -c "grep -qx 'table $out/two/terms.tsv' '$out/two.txt' &&
    grep -q '^terms	loss_change	loss_change_se	elo	elo_ci95_low	elo_ci95_high	' '$out/two/terms.tsv' &&
    grep -q '^soldiers_linked	' '$out/two/terms.tsv'"
# None of these eight games is selected for validation, so the change of the loss and its error are
# unknown.
"$PAOTAI" selfplay --games 8 --nodes 30 --seed 7 --quiet --out "$out/eight" >/dev/null
"$PAOTAI" ablate "$out/eight" --valid-fraction 0.01 --terms mobility_horse --out "$out/few" --quiet >"$out/few.txt"
check ablate_no_validation "the output has 'nan' or does not say that the error is unknown" sh -c "! grep -i nan '$out/few.txt' &&
    grep -qx 'loss_change_error95 -' '$out/few.txt' && grep -q '^mobility_horse: .*fewer than two validation games' '$out/few.txt'"
# With --prior-errors 2 both fits have a prior whose widths are twice the standard errors of the
# default weights. The output says so. Without the option there is no such prior.
ablate --terms soldiers_linked --out "$out/held" --prior-errors 2 >"$out/held.txt"
prior='the prior of both fits is'
check ablate_free "without --prior-errors the errors of the default weights were used as prior" \
    sh -c "! grep '$prior' '$out/two.txt' && ! cmp -s '$out/held/with.txt' '$out/two/with.txt'"
check ablate_held "the output does not name the prior of the fits" \
    grep -q "$prior 2 times each weight.s standard error in default (--prior-errors)\$" "$out/held.txt"
# In the first 24 plies no soldiers across the river are linked, so this term never occurs: no value
# is measured, and no match is played.
"$PAOTAI" data export --format moves --quiet "$out/games" 2>/dev/null | cut -d " " -f 1-24 >"$out/cut.moves"
"$PAOTAI" data import --out "$out/cut" --quiet "$out/cut.moves" >/dev/null
"$PAOTAI" ablate "$out/cut" --terms soldiers_linked --match-pairs 5 --nodes 20 --out "$out/never" --quiet >"$out/never.txt"
check ablate_never "the verdict about a term that never occurs is not 'never', or a match was played" sh -c "grep -qx 'verdict never' '$out/never.txt' &&
    grep -qE '^soldiers_linked: occurs in 0 of [1-9][0-9]* positions and in 0 of [1-9][0-9]* games: nothing was measured; .* quiet' '$out/never.txt' &&
    ! grep -qE '^(match_games|loss_change|elo)' '$out/never.txt' && [ ! -e '$out/never/without.txt' ]"
ablate --each-group --out "$out/all" >"$out/all.txt"
check ablate_groups "the table has fewer than 10 groups, or is not sorted by value" awk 'BEGIN { last = -9 } $3 == "+-" { n++; bad = bad || $2 < last; last = $2 } END { exit bad || n < 10 }' "$out/all.txt"
check ablate_sentence "no sentence below the table" grep -qE '^[0-9]+ groups: [0-9]+ help .*; chance alone would give about [0-9]+\.[0-9] such verdicts .*; worth most: [a-z_*]+$' "$out/all.txt"
"$PAOTAI" report "$out/all/with.txt" --ablate "$out/all/ablate.tsv" --out "$out/all.html" --quiet >/dev/null
"$PAOTAI" report "$out/one/with.txt" --ablate "$out/one/terms.tsv" --out "$out/one.html" --quiet >/dev/null
check ablate_report "the report does not show the value of each term, the best first" python3 -c "
import re
def rows(page, name):
    part = open(page).read().partition(f\"<figure id='{name}'>\")[2].partition('</figure>')[0]
    return re.findall(r\"<tr><th scope='row'>([^<]*)</th><td>([^<]*)</td>\", part)
table, all, one = open('$out/all/ablate.tsv').read(), rows('$out/all.html', 'worth-loss'), rows('$out/one.html', 'worth-elo')
worth = [float(row[1].replace('\u2212', '-')) for row in all]
assert len(all) == table.count('\n') - 3 and worth == sorted(worth, reverse=True) and len(one) == 1, (all, one)"
# The report refuses a file that is no table of ablate, here a weight file.
refuse ablate_report_other 1 "--ablate $out/one/with.txt: not a table of 'paotai ablate'" \
    "$PAOTAI" report "$out/one/with.txt" --ablate "$out/one/with.txt" --out "$out/other.html"
refuse ablate_nothing 2 'give either --terms' ablate
refuse ablate_both 2 'give either --terms' ablate --terms hanging --each-group
refuse ablate_unknown 2 'nosuch' "$PAOTAI" ablate --terms 'nosuch*' --out "$out/none" "$out/no-games-here"
refuse ablate_nodes 2 'give --match-pairs' ablate --terms hanging --nodes 50
refuse ablate_resume_terms 2 'only --each-group can be resumed' ablate --terms hanging --resume
refuse ablate_no_errors 2 'classic has no standard errors' ablate --terms hanging --weights classic --prior-errors 2
finish

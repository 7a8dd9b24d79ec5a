#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What people are used to from other programs: a hint for a misspelt word, a line a game, standings while it runs.
set -u
. tests/checks.sh
refuse habits_option_by_other_name 2 'did you mean --threads?' "$PAOTAI" match --concurrency 2
refuse habits_option_misspelt 2 'no option --game, did you mean --games?' "$PAOTAI" selfplay --game 5
refuse habits_option_cut 2 'did you mean --opening-weights?' "$PAOTAI" match --opening-we x
refuse habits_choice 2 'did you mean round-robin?' "$PAOTAI" tournament --kind roundrobin a b
refuse habits_command 2 "did you mean 'tournament'?" "$PAOTAI" tornament
refuse habits_command_of_two_words 2 "did you mean 'weights'?" "$PAOTAI" weigths
refuse habits_nothing_near 2 "no option --frobnicate; 'paotai" "$PAOTAI" match --frobnicate

"$PAOTAI" match --a nodes=40,name=left --b nodes=30,name=right --pairs 6 --verbose --rating-interval 4 \
    >"$out/match" 2>"$out/match.err"
lines=$(grep -cE '^game [0-9]+: (left - right|right - left) (1-0|0-1|1/2-1/2) [a-z_]+, [0-9]+ plies$' "$out/match.err")
result habits_verbose "$([ "$lines" -eq 12 ] || cat "$out/match.err")"
lines=$(grep -cE '^[0-9]+/6 pairs .* elo [-+0-9.]+ \+- ' "$out/match.err")
result habits_match_interval "$([ "$lines" -ge 3 ] || cat "$out/match.err")"
"$PAOTAI" match --a nodes=40 --b nodes=30 --pairs 6 --verbose --quiet >"$out/match" 2>"$out/quiet.err"
result habits_quiet "$(cat "$out/quiet.err")"
"$PAOTAI" tournament nodes=40,name=x nodes=30,name=y nodes=20,name=z --rounds 2 --rating-interval 6 \
    >"$out/table" 2>"$out/table.err"
result habits_standings "$([ "$(grep -c '^rank ' "$out/table.err")" -eq 2 ] &&
    [ "$(grep -cE '^ +[123] +[xyz] ' "$out/table.err")" -eq 6 ] || cat "$out/table.err")"
result habits_last_standings "$(grep -E '^ +[123] ' "$out/table" >"$out/last"
    grep -E '^ +[123] ' "$out/table.err" | tail -n 3 | cmp - "$out/last" 2>&1)"
finish

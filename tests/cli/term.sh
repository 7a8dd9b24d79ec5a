#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests all steps of paotai term. The command plays a few games and keeps them for its next calls.
# new_terms.sh tests terms that are added to the source.
set -u
. tests/checks.sh
term() { "$PAOTAI" term "$@" --rev none --quiet --nodes 20 --out "$out/term" --threads 2; }
term hanging --games 150 --match-pairs 6 >"$out/one.txt"
check term_ends "the output does not end with a verdict and a sentence" sh -c "tail -n 2 '$out/one.txt' | tr '\n' ' ' |
    grep -qE '^verdict (keep|drop|undecided) hanging: .* Elo, .* \([0-9]+ games, 95 %\).*default already contains the term'"
check term_steps "a step is missing" sh -c "for key in same_play_why games_with_term in_endgame winner_has_more search_with_term r2 loss_change_error95 match_games seen_elo; do
    grep -q \"^\$key \" '$out/one.txt' || { echo \"\$key\"; exit 1; }; done"
check term_value "the output has no value with its error" grep -qE '^hanging\[0\].mg +-?[0-9.]+ \+- [0-9.]+ in [0-9]+ games' "$out/one.txt"
check term_players "the weights that play differ in more than the term" sh -c "grep -v '^#' '$out/term/hanging/with.txt' >'$out/with' &&
    grep -v '^#' '$out/term/hanging/without.txt' | diff '$out/with' - >'$out/diff'; [ \"\$(grep -c '^[<>]' '$out/diff')\" = 2 ] &&
    grep -qE '^> hanging( +0)+$' '$out/diff' && grep -q '^# se hanging ' '$out/term/hanging/with.txt' &&
    grep -q '^# se safe_check ' '$out/term/hanging/with.txt'"
page=$out/term/hanging.html
check term_page "the page has no verdict, no values, not 20 boards, or no mark" /usr/bin/python3 - "$page" <<'END'
import re
import sys
import xml.dom.minidom
text = open(sys.argv[1], encoding="utf-8").read()
xml.dom.minidom.parseString(text)
word = re.search(r"<p class='verdict'>(Keep|Drop|It is not decided)", text)[1]
step = {"Keep": "make adopt WEIGHTS=", "Drop": "core/eval/weights.def", "It is not decided": "--match-pairs"}[word]
assert step in re.search(r"<p class='next'>Next: (.*?)</p>", text)[1] and text.index("'next'") < text.index("<h2>"), (word, step)
assert re.search(r"<p class='verdict'>(Keep hanging|Drop hanging|It is not decided whether hanging helps): ", text) and "id='values-title'" in text
boards = text.split("<figure class='example'>")[1:]
sides = [sum(board.count(f">{title}<") for board in boards) for title in ("Red has more", "Black has more", "equal totals, but different entries of the term")]
assert len(boards) == sum(sides) == 20 and sides[0] == sides[1] > 0, (len(boards), sides)
assert all("class='mark'" in board and board.count("class='piece ") >= 4 for board in boards)
for board in boards:
    red = "".join(re.findall("class='face red letter'[^>]*>([A-Z])<", board))
    assert sorted(red) == sorted(c.upper().translate({66: "E", 78: "H"}) for c in re.search(r"(\S+) <span", board)[1] if c.isupper()), (red, board[-200:])
END
# A second call, and a call for another term, use the stored games instead of playing new ones.
"$PAOTAI" data info "$out"/term/games-* | grep ^content_hash >"$out/before"
term hanging --games 150 --match-pairs 6 --json >"$out/again.json"
check term_again "the same command gives another result" /usr/bin/python3 -c "
import json
rows = [json.loads(line) for line in open('$out/again.json')]
plain = open('$out/one.txt').read()
assert 'verdict ' + rows[-1]['verdict'] + '\n' in plain and rows[-1]['sentence'].split(';')[0] in plain, rows[-1]
assert 'match_games %d' % [row for row in rows if 'match_games' in row][0]['match_games'] in plain"
term soldiers_linked --games 150 --match-pairs 2 --page "$out/own.html" >"$out/soldiers_linked.txt"
check term_reused "games were played again for another term" sh -c "ls -d '$out'/term/games-* | wc -l | grep -qx 1 &&
    '$PAOTAI' data info '$out'/term/games-* | grep ^content_hash | cmp - '$out/before'"
check term_own_page "--page has no effect" sh -c "[ -s '$out/own.html' ] && [ ! -e '$out/term/soldiers_linked.html' ] && grep -qx 'page $out/own.html' '$out/soldiers_linked.txt'"
# In the first plies, soldiers hardly ever protect each other, but a search finds such positions.
"$PAOTAI" data export --format moves --quiet "$out"/term/games-* 2>/dev/null | cut -d " " -f 1-24 >"$out/cut.moves"
"$PAOTAI" data import --out "$out/cut" --quiet "$out/cut.moves" >/dev/null
term soldiers_linked "$out/cut" >"$out/cut.txt"
check term_few "a term in too few games was fitted, or its share of the searched positions is missing" sh -c "grep -qx 'verdict undecided' '$out/cut.txt' && ! grep -q '^loss_change' '$out/cut.txt' &&
    grep -qE '^soldiers_linked: occurs in [0-9]+ of .*; a search of the bench positions meets it in [1-9][0-9]* of ' '$out/cut.txt'"
# A rebuilt program does not continue the games of the old one: it plays all games anew in a
# directory of its own.
another_build "$out/other"
for program in "$PAOTAI" "$out/other"; do
    "$program" term hanging --rev none --quiet --nodes 20 --games 400 --match-pairs 2 --out "$out/rebuilt" >"$out/rebuilt.txt" 2>"$out/rebuilt.err"
    rm -f "$out"/rebuilt/games-*/shard-00000256-*
done
check term_rebuilt "another build does not play its own games: $(cat "$out/rebuilt.err")" sh -c "grep -q '^verdict' '$out/rebuilt.txt' && ls -d '$out'/rebuilt/games-* | wc -l | grep -qx 2"
refuse term_unknown 2 'nosuch' term nosuch
refuse term_material 2 'material' term 'material_*'
refuse term_games 2 'only if no DIR is given' term hanging --games 20 "$out/cut"
refuse term_nodes 2 '--nodes: 0 is not in 1..' "$PAOTAI" term hanging --nodes 0 --out "$out/none"
refuse term_sprt 2 'sprt' term hanging --sprt 5,0
finish

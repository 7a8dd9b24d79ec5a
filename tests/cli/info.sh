#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests data info and show: consistent counts, repeated positions, the moves of a game.
set -u
. tests/checks.sh
value() { sed -n "s/^$2 //p" "$out/$1.txt"; }
# bars FILE TITLE: prints the sum of the bars of the histogram TITLE.
bars() {
    awk -v title="# $2" '$0 == title { on = 1; next } on && !/^#  / { exit } on { n = 0; for (i = 2; i <= NF; i++) if ($i ~ /^[0-9]+$/ && (i == NF || $(i + 1) ~ /^#+$/)) n = $i; sum += n } END { print sum + 0 }' "$out/$1.txt"
}
play="$PAOTAI selfplay --nodes 400 --opening-nodes 0 --weights classic --seed 9 --quiet"
start='rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'
printf '%s\t%s\n' "$start" 'h2e2 h9g7 h0g2 i9h9' "$start" 'c3c4 b7e7 b0c2 b9c7' >"$out/book.epd"
$play --games 6 --openings "$out/book.epd" --order sequence --noise-plies 30 --out "$out/run" >/dev/null
"$PAOTAI" data info --quiet "$out/run" >"$out/run.txt"
# The names of openings are equal in a book, in PGN and in the viewer. The second opening is
# mirrored.
names() { sed -n 's/^named_opening_[0-9]* \([0-9]* [a-z]*\).*: \(.*\)$/\1 \2/p' "$1" | tr '\n' ';'; }
"$PAOTAI" book info "$out/book.epd" >"$out/book.txt"
"$PAOTAI" data export --quiet --out "$out/run.pgn" "$out/run" >/dev/null && "$PAOTAI" view --quiet --out "$out/run.html" "$out/run" >/dev/null
[ "$(names "$out/book.txt")" = '1 openings central cannon, horse on the same flank;1 openings soldier;' ] &&
    [ "$(grep -cxF '[Opening "soldier"]' "$out/run.pgn")" -eq 3 ] && [ "$(grep -c '"q":"soldier"' "$out/run.html")" -eq 3 ]
ok info_named_openings "$(grep named_ "$out/book.txt"; grep Opening "$out/run.pgn")" $?
[ $(($(value run red_wins) + $(value run draws) + $(value run black_wins))) -eq 6 ] && [ "$(bars run 'games by result')" -eq 6 ] &&
    [ "$(bars run 'games by plies')" -eq 6 ]
ok info_games_add_up "$(bars run 'games by result') $(bars run 'games by plies')" $?
positions=$(value run positions)
[ $(($(value run positions_opening) + $(value run positions_middlegame) + $(value run positions_endgame))) -eq "$positions" ] &&
    [ "$(bars run 'positions by phase, 48 with all pieces')" -eq "$positions" ] && [ "$(bars run 'positions by pieces on the board')" -eq "$positions" ] &&
    [ "$(bars run "positions by score from Red's side, units")" -eq "$positions" ]
ok info_positions_add_up "$positions: $(grep '^positions_' "$out/run.txt"; bars run 'positions by phase, 48 with all pieces')" $?
[ "$(bars run 'different positions by how often they occur')" -eq "$(value run different_positions)" ] &&
    [ $(($(value run different_positions) + $(value run repeated_positions))) -eq "$positions" ]
ok info_repeats_add_up "$(grep -e different -e repeated "$out/run.txt")" $?
# After a run was merged with itself, every position must be counted twice as often.
"$PAOTAI" data merge --renumber --quiet --out "$out/twice" "$out/run" "$out/run" >/dev/null && "$PAOTAI" data info --quiet "$out/twice" >"$out/twice.txt"
[ "$(value twice different_positions)" = "$(value run different_positions)" ] && [ "$(value twice most_repeated)" -eq $((2 * $(value run most_repeated))) ] &&
    ! grep -q '^# *once' "$out/twice.txt"
ok info_repeated "$(grep -e different -e repeated "$out/twice.txt")" $?
# info and import count distinct games by their moves.
"$PAOTAI" data export --quiet --format moves --out "$out/twice.moves" "$out/twice" >/dev/null
"$PAOTAI" data import --quiet --sample all --out "$out/imported" "$out/twice.moves" >"$out/imported.txt"
[ "$(value twice games)" -eq 12 ] && [ "$(value imported games)" -eq 12 ] && [ "$(value twice different_games)" = "$(value run different_games)" ] &&
    [ "$(value imported different_games)" = "$(value run different_games)" ] && [ "$(value run different_games)" -ge 2 ] &&
    [ "$(value imported different_positions)" -lt "$(value imported positions)" ]
ok info_different_games "$(grep -e '^games' -e different "$out/run.txt" "$out/twice.txt" "$out/imported.txt")" $?
"$PAOTAI" data info --quiet --json "$out/run" >"$out/json.txt" && [ "$(wc -l <"$out/json.txt")" -eq 1 ] && grep -q '"positions_endgame":[0-9]' "$out/json.txt"
ok info_json "$(cat "$out/json.txt")" $?

# If kill -9 ends a command such as data import, the run keeps the file .unfinished with the name of
# the command, and data info reports it. faults.py kills real commands.
cp -r "$out/run" "$out/half" && printf 'data import' >"$out/half/.unfinished"
"$PAOTAI" data info --quiet "$out/half" >"$out/half.txt" 2>"$out/said" && grep -qx 'unfinished data import' "$out/half.txt" &&
    grep -q "because 'paotai data import' was stopped" "$out/said" && ! grep -q unfinished "$out/run.txt"
ok info_unfinished "$(cat "$out/said")" $?
refuse info_unfinished_again 2 "rm -r $out/half) and begin again" "$PAOTAI" data merge --quiet --out "$out/half" "$out/run"

# show prints a line for every ply, marks opening plies, and adds scores and preferred moves.
"$PAOTAI" show --data "$out/run" --game 4 >"$out/show.txt"
plies=$(sed -n '1s/.* of \([0-9]*\),.*/\1/p' "$out/show.txt")
[ "$(grep -c '^ *[0-9]* \(Red\|Black\) ' "$out/show.txt")" -eq "$plies" ] && [ "$(grep -c '  opening$' "$out/show.txt")" -eq 4 ] &&
    sed -n 3p "$out/show.txt" | grep -q '^   1 Red   C2\.5 炮二平五  opening$' && grep -q '[+-][0-9.]*/[0-9]* ([A-Z][^)]*)$' "$out/show.txt" &&
    grep -q '^fen ' "$out/show.txt"
ok show_moves "$plies plies: $(head -n 12 "$out/show.txt")" $?
"$PAOTAI" show --data "$out/run" --game 4 --board-only >"$out/board.txt" && ! grep -q '^ *1 Red' "$out/board.txt" && grep -q '^fen ' "$out/board.txt"
ok show_board_only "$(head -n 3 "$out/board.txt")" $?
finish

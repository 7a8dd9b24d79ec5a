#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai selfplay: the lines about shards, interruption, handicaps and noise. Also tests
# refused arguments of `match --rev`.
set -u
. tests/checks.sh
play="$PAOTAI selfplay --nodes 60 --opening-nodes 200 --weights classic --seed 3 --max-plies 200 --quiet"

$play --games 60 --threads 2 --shard-games 16 --out "$out/one" >"$out/one.txt"
[ "$(grep -c '^shard shard-.*\.h5 games [0-9]*:[0-9]*$' "$out/one.txt")" -eq 4 ]
ok selfplay_shard_lines "the output does not have four shard lines: $(head -n 3 "$out/one.txt")" $?

# An interrupted run keeps the finished games. A background job of a script ignores SIGINT, so
# SIGHUP and SIGTERM are sent; the program handles them alike.
for signal in 1 15; do
    rm -rf "$out/stopped"
    $play --games 100000 --shard-games 1000 --threads 2 --out "$out/stopped" >"$out/stopped.txt" 2>&1 &
    pid=$!
    wait_until works $pid 50
    kill -$signal $pid
    wait $pid
    [ $? -eq $((128 + signal)) ] && [ "$("$PAOTAI" data info "$out/stopped" | sed -n 's/^games //p')" -gt 0 ]
    ok selfplay_interrupt_by_$signal "an interrupted run keeps nothing: $(tail -n 2 "$out/stopped.txt")" $?
done
grep -q 'interrupted\..*and --resume' "$out/stopped.txt"
ok selfplay_interrupt_says "the output does not say how to continue: $(tail -n 2 "$out/stopped.txt")" $?

# Games with a handicap pass verification and name the handicap. With the handicap "rook", Red plays
# without the left chariot.
for odds in rook 3moves knight+2; do
    $play --games 6 --odds $odds --out "$out/odds-$odds" >/dev/null && "$PAOTAI" data verify --quiet "$out/odds-$odds" >/dev/null &&
        "$PAOTAI" data export --format pgn --quiet "$out/odds-$odds" >"$out/odds.pgn" && [ "$(grep -cF "[Odds \"$odds\"]" "$out/odds.pgn")" -eq 6 ] &&
        { [ $odds != rook ] || [ "$(grep -cF '/1NBAKABNR w' "$out/odds.pgn")" -eq 6 ]; }
    ok selfplay_odds_$odds "games with odds: $(head -n 12 "$out/odds.pgn")" $?
done
$play --games 30 --noise-plies 20 --resign-score 600 --threads 2 --out "$out/noisy" >"$out/noisy.txt" &&
    "$PAOTAI" data verify --quiet "$out/noisy" >/dev/null && grep -q '^adjudicated [1-9]' "$out/noisy.txt"
ok selfplay_noise "noise and adjudication: $(tail -n 3 "$out/noisy.txt")" $?
$play --games 30 --resign-score 600 --out "$out/plain" >/dev/null && [ "$(hash_of "$out/noisy")" != "$(hash_of "$out/plain")" ]
ok selfplay_noise_acts "games with and without noise are equal" $?

# Unknown revisions are refused before anything is built.
$PAOTAI match --rev HEAD --rev no-such-commit --rev-cache "$out/revisions" 2>"$out/rev.err" >/dev/null
[ $? -eq 1 ] && ! grep -q building "$out/rev.err" && [ ! -e "$out/revisions" ]
ok match_rev_unknown_second "the first revision was built before the second one was looked up: $(cat "$out/rev.err")" $?
$PAOTAI match --rev HEAD --quiet 2>"$out/rev.err" >/dev/null
[ $? -eq 2 ] && grep -q 'given 1 time' "$out/rev.err"
ok match_rev_once "one revision: $(cat "$out/rev.err")" $?

"$PAOTAI" book make --count 40 --plies 4 --nodes 200 --window 200 --weights classic --threads 2 --quiet --out "$out/book.epd" >/dev/null
[ "$("$PAOTAI" book info "$out/book.epd" | sed -n 's/^unique //p')" = 40 ]
ok book_unique "the book has an opening twice" $?
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai selfplay. The content must be the same for any number of threads, for several runs
# that each play a range of the games, and after --resume. Also tests `book make` and refused
# arguments of `match --rev`. tests/crash.py tests kill -9.
set -u
. tests/checks.sh
play="$PAOTAI selfplay --nodes 60 --opening-nodes 200 --weights classic --seed 3 --max-plies 200 --quiet"

$play --games 60 --threads 1 --shard-games 16 --out "$out/one" >"$out/one.txt"
$play --games 60 --threads 2 --shard-games 7 --out "$out/two" >"$out/two.txt"
whole=$(hash_of "$out/one")
[ -n "$whole" ] && [ "$whole" = "$(hash_of "$out/two")" ]
ok selfplay_threads "1 and 2 threads, other shards: content_hash $whole and $(hash_of "$out/two")" $?
[ "$(grep -c '^shard shard-.*\.h5 games [0-9]*:[0-9]*$' "$out/one.txt")" -eq 4 ]
ok selfplay_shard_lines "the output does not have four shard lines: $(head -n 3 "$out/one.txt")" $?

# Ranges played in any order make the same run.
$play --games 40:60 --out "$out/ranges" >/dev/null && $play --games 0:25 --out "$out/ranges" >/dev/null &&
    $play --games 60 --resume --out "$out/ranges" >"$out/ranges.txt"
[ "$(hash_of "$out/ranges")" = "$whole" ] && grep -q '^already 45$' "$out/ranges.txt"
ok selfplay_ranges "the run that was played in ranges and resumed has another content" $?

# With --resume, finished games are not played again, and options that differ from those of the
# first call are refused.
$play --games 60 --out "$out/one" >/dev/null 2>"$out/again.err"
[ $? -eq 2 ] && grep -q -e --resume "$out/again.err"
ok selfplay_asks_for_resume "playing into a finished run: $(cat "$out/again.err")" $?
$PAOTAI selfplay --nodes 61 --opening-nodes 200 --weights classic --seed 3 --max-plies 200 --quiet --games 90 --resume \
    --out "$out/one" >/dev/null 2>"$out/other.err"
[ $? -eq 1 ] && grep -q "'nodes=60', but this command has 'nodes=61'" "$out/other.err"
ok selfplay_same_options "resumed with other nodes: $(cat "$out/other.err")" $?

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
# Games with noise and adjudication are equal for any number of threads.
noisy="$play --games 30 --noise-plies 20 --resign-score 600"
$noisy --threads 1 --out "$out/noisy1" >"$out/noisy.txt" && $noisy --threads 2 --out "$out/noisy2" >/dev/null &&
    [ "$(hash_of "$out/noisy1")" = "$(hash_of "$out/noisy2")" ] && "$PAOTAI" data verify --quiet "$out/noisy1" >/dev/null &&
    grep -q '^adjudicated [1-9]' "$out/noisy.txt"
ok selfplay_noise "noise and adjudication: $(tail -n 3 "$out/noisy.txt")" $?
$play --games 30 --resign-score 600 --out "$out/quiet1" >/dev/null && [ "$(hash_of "$out/noisy1")" != "$(hash_of "$out/quiet1")" ]
ok selfplay_noise_acts "games with and without noise are equal" $?

# Unknown revisions are refused before anything is built.
$PAOTAI match --rev HEAD --rev no-such-commit --rev-cache "$out/revisions" 2>"$out/rev.err" >/dev/null
[ $? -eq 1 ] && ! grep -q building "$out/rev.err" && [ ! -e "$out/revisions" ]
ok match_rev_unknown_second "the first revision was built before the second one was looked up: $(cat "$out/rev.err")" $?
$PAOTAI match --rev HEAD --quiet 2>"$out/rev.err" >/dev/null
[ $? -eq 2 ] && grep -q 'given 1 time' "$out/rev.err"
ok match_rev_once "one revision: $(cat "$out/rev.err")" $?

# `book make` writes the same book for any number of threads. tests/cli/books.py has the other tests
# of books.
book="$PAOTAI book make --count 40 --plies 4 --nodes 200 --window 200 --weights classic --quiet"
$book --threads 1 --out "$out/b1.epd" >/dev/null && $book --threads 2 --out "$out/b2.epd" >/dev/null && cmp -s "$out/b1.epd" "$out/b2.epd"
ok book_threads "1 and 2 threads make different books" $?
[ "$("$PAOTAI" book info "$out/b1.epd" | sed -n 's/^unique //p')" = 40 ]
ok book_unique "the book has an opening twice" $?
another_build "$out/other"
"$PAOTAI" selfplay --games 2 --nodes 10 --quiet --out "$out/mixed" >/dev/null
"$out/other" selfplay --games 4 --nodes 10 --quiet --resume --out "$out/mixed" >/dev/null 2>"$out/mixed.err"
[ $? -eq 1 ] && grep -q 'was made by revision .* of the program (build .*), but this is' "$out/mixed.err"
ok selfplay_other_build "two builds of a revision in one run: $(cat "$out/mixed.err")" $?
finish

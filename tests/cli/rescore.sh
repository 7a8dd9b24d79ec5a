#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai rescore: searches with the same and with other settings, sources with gaps, interruption,
# searches by other programs. Also tests that only one process at a time writes to a run directory.
set -u
. tests/checks.sh
mock="cmd=${PAOTAI}-test --mock uci"
# counts FILE: prints the numbers of games, plies, positions, results and ends from FILE, the output
# of data info.
counts() { grep -e '^games' -e '^plies ' -e '^positions' -e '_wins ' -e '^draws' -e '^end_' "$1"; }
info() { "$PAOTAI" data info --quiet "$out/$1" >"$out/$1.info" && [ -s "$out/$1.info" ]; }
play="$PAOTAI selfplay --nodes 60 --opening-nodes 200 --weights classic --seed 5 --max-plies 120 --quiet"
score="$PAOTAI rescore $out/source --quiet"
$play --games 40 --threads 2 --shard-games 12 --out "$out/source" >/dev/null

# A run that is rescored with its own settings is unchanged.
$score --plies played --nodes 60 --weights classic --shard-games 7 --threads 2 --out "$out/itself" >"$out/itself.txt"
[ "$(hash_of "$out/itself")" = "$(hash_of "$out/source")" ] && grep -q '^mean_change 0\.00$' "$out/itself.txt" &&
    grep -q '^move_agreement 1\.0000$' "$out/itself.txt"
ok rescore_itself "a run that was rescored with its own settings has changed: $(cat "$out/itself.txt")" $?

other="$score --nodes 150 --weights default"
$other --threads 2 --shard-games 9 --out "$out/one" >"$out/one.txt"
info one && info source && [ "$(value content_hash "$out/one.info")" != "$(value content_hash "$out/source.info")" ]
ok rescore_other "other weights and limits give the same scores: $(grep content_hash "$out/one.info")" $?
"$PAOTAI" data verify --quiet "$out/one" >"$out/verify.txt" && [ "$(counts "$out/one.info")" = "$(counts "$out/source.info")" ]
ok rescore_true "the rescored run fails verification or has other games: $(cat "$out/verify.txt")" $?
[ "$(value plies_scored "$out/one.info")" = "$(value plies "$out/one.txt")" ]
ok rescore_all_plies "not every ply has a score" $?
grep '^provenance_source' "$out/one.info" | grep -q 'from source: games 40.*seed=5.*nodes=60' &&
    grep -q '^provenance_options.*nodes=150.*limits=nodes=150' "$out/one.info"
ok rescore_provenance "the provenance does not name the source or the new search: $(grep '^provenance' "$out/one.info")" $?
$other --plies sampled --out "$out/sampled" >/dev/null
info sampled && [ "$(value plies_scored "$out/sampled.info")" = "$(value positions "$out/sampled.info")" ] &&
    "$PAOTAI" data verify --quiet "$out/sampled" >/dev/null
ok rescore_sampled "other plies than the sampled positions have scores" $?

# A run can be rescored even if games are missing between or inside its shards.
"$PAOTAI" data filter --min-ply 60 --drop-empty --shard-games 5 --out "$out/gaps" --quiet "$out/source" >/dev/null
rm "$(find "$out/gaps" -name "shard-*.h5" | sort | sed -n 2p)"
$PAOTAI rescore "$out/gaps" --quiet --nodes 60 --plies sampled --shard-games 4 --threads 2 --out "$out/gaps-scored" >/dev/null &&
    "$PAOTAI" data verify --quiet "$out/gaps-scored" >/dev/null && info gaps && info gaps-scored &&
    [ "$(counts "$out/gaps.info")" = "$(counts "$out/gaps-scored.info")" ] &&
    [ "$(grep '^missing_games' "$out/gaps.info")" = "$(grep '^missing_games' "$out/gaps-scored.info")" ] &&
    ! grep -q '^missing_games 0' "$out/gaps.info"
ok rescore_gaps "a source with gaps: $(counts "$out/gaps-scored.info")" $?

# An interrupted rescore keeps the finished games.
$score --nodes 2000 --shard-games 1000 --out "$out/stopped" >"$out/stopped.txt" 2>&1 &
pid=$!
wait_until works $pid 50
kill -TERM $pid
wait $pid
[ $? -eq 143 ] && [ "$("$PAOTAI" data info "$out/stopped" | sed -n 's/^games //p')" -gt 0 ]
ok rescore_interrupt "an interrupted run keeps nothing: $(tail -n 2 "$out/stopped.txt")" $?

$score --player tc=10,nodes=0 --out "$out/clock" >/dev/null 2>"$out/clock.err"
[ $? -eq 2 ] && grep -q 'st=' "$out/clock.err" && [ ! -e "$out/clock" ]
ok rescore_no_clock "$(cat "$out/clock.err")" $?

# Games with extra moves (--odds) keep their content_hash if rescore searches with the settings of
# self-play.
$play --games 4 --odds 3moves --out "$out/odds" >/dev/null &&
    $PAOTAI rescore "$out/odds" --quiet --plies played --nodes 60 --weights classic --out "$out/odds-scored" >/dev/null &&
    [ "$(hash_of "$out/odds")" = "$(hash_of "$out/odds-scored")" ] &&
    $PAOTAI rescore "$out/odds" --quiet --nodes 60 --out "$out/odds-all" >/dev/null && "$PAOTAI" data verify --quiet "$out/odds-all" >/dev/null
ok rescore_odds "rescored games with extra moves have another content, or fail verification" $?

# Another program can do the searches, also one that crashes sometimes. If it always crashes,
# rescore fails.
$score --player "$mock,proto=uci,nodes=10" --threads 2 --out "$out/mock" >"$out/mock.txt" && "$PAOTAI" data verify --quiet "$out/mock" >/dev/null &&
    grep -q '^unanswered 0$' "$out/mock.txt" && "$PAOTAI" show --data "$out/mock" --game 3 >/dev/null &&
    "$PAOTAI" data info "$out/mock" | grep -q '^provenance_weights .*uci'
ok rescore_program "$(cat "$out/mock.txt")" $?
$score --player "$mock do=crash at=40,proto=uci,nodes=10" --games 6 --out "$out/crash" >"$out/crash.txt" && "$PAOTAI" data verify --quiet "$out/crash" >/dev/null &&
    grep -q '^unanswered 0$' "$out/crash.txt"
ok rescore_crash "a program that crashes was not started again: $(cat "$out/crash.txt")" $?
$score --player "$mock do=crash at=1,proto=uci,nodes=10" --games 6 --out "$out/dead" >/dev/null 2>"$out/dead.err"
[ $? -eq 1 ] && grep -q 'game 0.*failed in every search' "$out/dead.err"
ok rescore_dead_program "$(cat "$out/dead.err")" $?
"$PAOTAI" selfplay --opening-nodes 200 --seed 5 --max-plies 120 --quiet --games 6 --player "$mock,proto=uci,nodes=10" --threads 2 --out "$out/played" >/dev/null && "$PAOTAI" data verify --quiet "$out/played" >"$out/verify.txt" &&
    "$PAOTAI" data info "$out/played" | grep -q '^games 6$'
ok selfplay_program "games of another program: $(cat "$out/verify.txt")" $?

# Only one process at a time may write to a run directory.
slow_play="$PAOTAI selfplay --nodes 200000 --weights classic --games 50 --quiet"
$slow_play --out "$out/busy" >/dev/null 2>&1 &
pid=$!
wait_until holds $pid "$out/busy"
$slow_play --resume --out "$out/busy" >/dev/null 2>"$out/busy.err"
status=$?
for command in "$score" "$PAOTAI match --pairs 1 --nodes 1 --quiet --resume" "$PAOTAI tournament nodes=1 nodes=2 --quiet --resume"; do
    $command --out "$out/busy" >/dev/null 2>>"$out/busy.err"
    status=$status$?
done
[ $status = 1111 ] && [ "$(grep -c "in use by another process (PID $pid)" "$out/busy.err")" -eq 4 ]
ok run_is_locked "a second process in a run: $(cat "$out/busy.err")" $?
kill -9 $pid
wait $pid 2>/dev/null
$play --games 2 --out "$out/busy" >/dev/null 2>"$out/busy.err"
ok run_lock_ends "the run is still locked after its process has ended: $(cat "$out/busy.err")" $?

# If --movetime is the only limit given, only the time is limited. With another limit, both apply.
$PAOTAI selfplay --games 1 --movetime 1 --max-plies 12 --weights classic --quiet --out "$out/time" >/dev/null &&
    "$PAOTAI" data info "$out/time" | grep -q 'limits=movetime_ms=1$' &&
    $PAOTAI selfplay --games 1 --movetime 60000 --nodes 50 --max-plies 12 --weights classic --quiet --out "$out/both" >/dev/null &&
    "$PAOTAI" data info "$out/both" | grep -q 'limits=nodes=50 movetime_ms=60000$' &&
    $PAOTAI selfplay --games 1 --depth 2 --max-plies 12 --weights classic --quiet --out "$out/depth" >/dev/null &&
    "$PAOTAI" data info "$out/depth" | grep -q 'limits=depth=2$'
ok selfplay_limits "a run does not record its limits" $?
finish

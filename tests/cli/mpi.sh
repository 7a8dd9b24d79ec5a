#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the program on several MPI ranks (make MPI=1): results are equal bit by bit for any number
# of ranks and threads, also on simulated hosts. Also tests killed ranks and launchers, and
# directories that are not shared.
set -u
. tests/checks.sh
[ "$PAOTAI_FULL" = 1 ] || skip mpi "builds a second program: make test-full"
command -v mpirun >/dev/null && pkg-config --exists ompi-c || skip mpi "no Open MPI (make MPI=1 deps)"
make -s -j"$(nproc)" MPI=1 build/mpi/paotai >"$out/make.txt" 2>&1 || { tail -n 5 "$out/make.txt"; fail mpi_build "make MPI=1 fails"; finish; }
program=$PWD/build/mpi/paotai
# Settings of Open MPI: ranks may run as root, outnumber the processors, and yield the processor
# while they wait. Host names are used in full.
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_orte_keep_fqdn_hostnames=1
launch="timeout -k 5 300 mpirun --oversubscribe --bind-to none"
# on RANKS COMMAND...: runs a paotai command on RANKS MPI ranks of this machine.
on() {
    ranks=$1
    shift
    $launch -np "$ranks" "$program" "$@"
}
# Simulates hosts on this machine: a fake ssh ignores its options and the host, and runs the command
# here. Each host has its own directory for temporary files. In a shared directory, one host would
# take the files of another for leftovers of an earlier run and remove them, and a host would end
# without a message.
cat >"$out/ssh" <<'END'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
export TMPDIR="${0%/*}/$host"
mkdir -p "$TMPDIR"
[ -z "${FAKE_PRIVATE:-}" ] || [ "$host" = nodeA ] || exec unshare -m sh -c 'mount -t tmpfs none "$FAKE_PRIVATE" && eval "$FAKE_COMMAND" && exec sh -c "$1"' sh "$*"
exec sh -c "$*"
END
chmod +x "$out/ssh"
fake="--mca plm_rsh_agent $out/ssh --mca plm_rsh_no_tree_spawn 1 --mca btl tcp,self --mca btl_tcp_if_include lo
 --mca oob_tcp_if_include lo --host nodeA:1,nodeB:2"
on_fake() {
    # shellcheck disable=SC2086 # a list of words
    $launch $fake -np 3 "$program" "$@"
}
play="selfplay --nodes 100 --opening-nodes 200 --weights classic --seed 3 --max-plies 200 --quiet"
# content FILE: prints the output of a command, stored in FILE, without machine-dependent lines, without
# the first line under MPI and an occasional warning of Open MPI.
content() {
    grep -vE '^(seconds[a-z0-9_]*|nelo_per_root_cpu_second|[a-z_]*_share|[a-z_]*per_second|[ab]_ms_per_move|shard) |setpgid\(|^paotai: [0-9]+ MPI ranks; ' "$1" | sed 's/"ms_per_move":[^,]*,//'
}

# ---- the same bits ------------------------------------------------------------------------------

cases="1x1 2x1 1x2 4x1 3x2"
$PAOTAI $play --games 90 --shard-games 20 --out "$out/play" >"$out/play.txt"
whole=$(hash_of "$out/play")
$PAOTAI rescore --nodes 150 --quiet --out "$out/again" "$out/play" >"$out/again.txt"
match="match --a weights=default --b weights=classic --nodes 60 --opening-nodes 0 --max-plies 150 --pairs 400
 --sprt 0,60 --seed 4 --quiet"
$PAOTAI $match --out "$out/match" --pgn "$out/match.pgn" >"$out/match.txt" 2>&1
tournament="tournament weights=default weights=classic nodes=30 --nodes 60 --opening-nodes 0 --max-plies 100 --rounds 6 --quiet --json"
$PAOTAI $tournament >"$out/tournament.txt" 2>&1
spsa="spsa --param razor_margin --param null_reduction --iterations 6 --probe-pairs 3 --check-pairs 2 --nodes 40 --opening-nodes 0 --max-plies 60 --quiet"
$PAOTAI $spsa --out "$out/spsa" >"$out/spsa.txt" 2>&1
# PGN contains the time of each move, so only its moves and tags are compared.
moves() { sed 's/{[^}]*}//g; /^\[Date/d; /^\[Time/d' "$1"; }
moves "$out/match.pgn" >"$out/match.moves"
[ -n "$whole" ] && [ -s "$out/match.moves" ] && grep -q '^decision' "$out/match.txt"
ok mpi_base "the program without ranks does not play: $(tail -n 2 "$out/match.txt")" $?

# Usage: same NAME DIR. Checks that the results in DIR equal the results in $out, which were
# computed by one process.
same() {
    dir=$2
    problems=$(
        [ "$(hash_of "$dir/play")" = "$whole" ] || echo "selfplay: another content_hash"
        [ "$(hash_of "$dir/gather")" = "$whole" ] || echo "selfplay --gather: another content_hash"
        [ "$(hash_of "$dir/again")" = "$(hash_of "$out/again")" ] || echo "rescore: another content_hash"
        [ "$(hash_of "$dir/match")" = "$(hash_of "$out/match")" ] || echo "match: another content_hash"
        moves "$dir/match.pgn" | cmp - "$out/match.moves"
        for name in play again match tournament spsa; do
            content "$out/$name.txt" >"$out/expected"
            content "$dir/$name.txt" | diff "$out/expected" - | head -n 4
        done
        grep -v revision= "$out/spsa/spsa.log" >"$out/expected"
        grep -v revision= "$dir/spsa/spsa.log" | cmp - "$out/expected"
    )
    result "$1" "$problems"
}
# each LAUNCH DIR THREADS: runs the commands that play or search games, with their output in DIR.
# LAUNCH is a command such as mpirun with its options.
each() {
    how=$1 dir=$2 threads="--threads $3"
    mkdir "$dir"
    $how $play --games 90 $threads --shard-games 20 --out "$dir/play" >"$dir/play.txt"
    $how $play --games 90 $threads --gather --out "$dir/gather" >"$dir/gather.txt"
    $how rescore --nodes 150 --quiet $threads --out "$dir/again" "$out/play" >"$dir/again.txt"
    $how $match $threads --out "$dir/match" --pgn "$dir/match.pgn" >"$dir/match.txt" 2>&1
    $how $tournament $threads >"$dir/tournament.txt" 2>&1
    $how $spsa $threads --out "$dir/spsa" >"$dir/spsa.txt" 2>&1
}
for case in $cases; do
    each "on ${case%x*}" "$out/$case" "${case#*x}"
    same mpi_bits_$case "$out/$case"
done
each on_fake "$out/fake" 1
same mpi_bits_fake_hosts "$out/fake"

# A training loop runs its steps on MPI ranks. Only rank 0 writes the report of the loop.
loop="loop --generations 1 --games 40 --nodes 60 --pairs 8 --seed 2 --weights classic --quiet"
$PAOTAI $loop --out "$out/loop" >"$out/loop.txt" 2>&1
on 3 $loop --out "$out/loop3" >"$out/loop3.txt" 2>&1
cmp "$out/loop/champion.txt" "$out/loop3/champion.txt" >"$out/cmp" 2>&1 && [ -s "$out/loop3/gen-001/report.html" ]
ok mpi_loop "$(cat "$out/cmp"): $(tail -n 2 "$out/loop3.txt")" $?

# ---- tune ---------------------------------------------------------------------------------------
# The weights and errors of a fit are equal for any number of ranks and threads, also if games occur
# twice or continue in the next chunk of positions.

$PAOTAI selfplay --games 1500 --nodes 20 --opening-nodes 0 --weights classic --seed 8 --quiet --out "$out/rows" >/dev/null
fitted() { grep -vE '^# (made by|out=|errors=|threads=|given=)' "$1"; }
values() { grep -vE '^(seconds|different_positions|spikes|weights) |setpgid\(|^paotai: [0-9]+ MPI ranks; ' "$1"; }
# tuned LAUNCH NAME OPTION...: fits weights with the program that the command LAUNCH starts, and
# prints how the weights, errors and output differ from those of the fit `one`. The first call has
# the NAME `one` and starts a single process. It makes this fit and prints nothing.
tuned() {
    how=$1 name=$2
    shift 2
    $how tune --quiet "$@" --out "$out/$name.fit" --errors "$out/$name.tsv" "$out/rows" "$out/play" "$out/rows" \
        >"$out/$name.tune" 2>&1 || cat "$out/$name.tune"
    [ "$name" = one ] && return
    fitted "$out/one.fit" >"$out/expected"
    fitted "$out/$name.fit" | diff "$out/expected" - | head -n 4
    cmp "$out/$name.tsv" "$out/one.tsv"
    values "$out/one.tune" >"$out/expected"
    values "$out/$name.tune" | diff "$out/expected" - | head -n 4
}
tuned "$PAOTAI" one
[ "$(sed -n 's/^copied_games //p' "$out/one.tune")" -ge 1400 ] && [ "$(sed -n 's/^positions //p' "$out/one.tune")" -gt 60000 ]
ok mpi_tune_base "the run has other games than the fit needs: $(tail -n 3 "$out/one.tune")" $?
for case in $cases; do
    result mpi_tune_$case "$(tuned "on ${case%x*}" "$case" --threads "${case#*x}" 2>&1)"
done
result mpi_tune_fake_hosts "$(tuned on_fake fake 2>&1)"
refuse mpi_tune_options 2 "one process" on 2 tune --measure "$out/rows"
refuse mpi_tune_no_directory 1 "$out/nowhere" on 2 tune "$out/nowhere"

# ---- train --------------------------------------------------------------------------------------
# The network is equal for any number of ranks and threads. Ctrl-C keeps the best network so far.

trained() {
    how=$1 name=$2
    shift 2
    $how train --units 32 --epochs 20 --batch 1000 --match-pairs 0 "$@" --out "$out/$name.net" "$out/rows" >"$out/$name.train" 2>&1
    sed -n 's/^hash //p' "$out/$name.train"
}
network=$(trained "$PAOTAI" net)
for case in $cases 5x1; do
    [ "$(trained "on ${case%x*}" "$case" --threads "${case#*x}")" = "${network:-none}" ]
    ok mpi_train_$case "the network differs: $(tail -n 1 "$out/$case.train")" $?
done
for how in "$PAOTAI" "on 2"; do
    $how train --shape fairy --epochs 2 --batch 1000 --match-pairs 0 --keep --out "$out/xiangqi-mpi.nnue" "$out/rows" >"$out/fairy.train" 2>&1
    tail -c 11261828 "$out/xiangqi-mpi.nnue" | cmp - "$out/fairy.one" 2>/dev/null # the numbers without the description
    same=$?
    mv "$out/xiangqi-mpi.nnue" "$out/fairy.file" && tail -c 11261828 "$out/fairy.file" >"$out/fairy.one"
done
ok mpi_train_fairy "the network differs: $(tail -n 1 "$out/fairy.train")" $same
$launch -np 3 "$program" train --units 32 --epochs 20 --batch 1000 --out "$out/stopped.net" "$out/rows" >"$out/stopped.train" 2>&1 &
launcher=$!
trains() { grep -q '^epoch *2' "$out/stopped.train" || ! kill -0 $launcher 2>/dev/null; }
wait_until trains
kill -INT $launcher
wait $launcher
"$PAOTAI" bench 1 --weights "$out/stopped.net" >"$out/stopped.bench" 2>&1 && [ -s "$out/stopped.net.part" ] &&
    [ "$(trained "on 2" stopped --resume)" = "$network" ]
ok mpi_train_resume "$(tail -n 1 "$out/stopped.bench"), then $(tail -n 1 "$out/stopped.train")" $?

# ---- messages of ranks --------------------------------------------------------------------------

# Only rank 0 prints. A message about a failure names the rank.
[ "$(grep -c '^games 90$' "$out/4x1/play.txt")" -eq 1 ]
ok mpi_one_voice "the counts were not printed exactly once: $(cat "$out/4x1/play.txt")" $?
[ "$(on 3 --version | grep -c "^revision ")" -eq 1 ] && [ "$(on 2 data info --quiet "$out/play" | grep -c "^games ")" -eq 1 ] &&
    on 2 report --quiet --data "$out/play" --out "$out/alone.html" classic | grep -q '^report '
ok mpi_other_commands "a command that does not use ranks was run by several ranks" $?
refuse mpi_usage 2 "--games" on 2 selfplay --games x --out "$out/usage"
cat >"$out/player" <<'END'
#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK:-0}" != 1 ] || exit 1
exec "$@"
END
chmod +x "$out/player"
refuse mpi_failure 1 "$(uname -n):1: " on 2 selfplay --games 40 --quiet --player "cmd=$out/player $program,proto=uci,nodes=50" \
    --opening-nodes 0 --max-plies 60 --out "$out/failure"

# On the simulated host nodeB, the path of --out is a different directory, in a file system of its
# own. Rank 0 runs on nodeA.
if mkdir "$out/private" && unshare -m mount -t tmpfs none "$out/private" 2>/dev/null; then
    export FAKE_PRIVATE="$out/private" FAKE_COMMAND=:
    refuse mpi_no_directory 1 "or --gather, which sends all games" on_fake $play --games 90 --out "$out/private/apart"
    export FAKE_COMMAND='mkdir "$FAKE_PRIVATE/apart"'
    refuse mpi_not_shared 1 "is not shared with MPI rank 0" on_fake $play --games 90 --resume --out "$out/private/apart"
    on_fake $play --games 90 --gather --out "$out/private/gather" >"$out/private.txt" 2>&1
    [ "$(hash_of "$out/private/gather")" = "$whole" ]
    ok mpi_gather "the content_hash differs: $(tail -n 2 "$out/private.txt")" $?
    unset FAKE_PRIVATE
else
    echo "SKIP mpi_gather: no mount namespaces"
fi

# ---- kills --------------------------------------------------------------------------------------

run=$out/killed
long="selfplay --nodes 150 --opening-nodes 200 --weights classic --seed 5 --max-plies 200 --quiet --games 120 --shard-games 2"
$PAOTAI $long --out "$out/undisturbed" >/dev/null
undisturbed=$(hash_of "$out/undisturbed")
ranks_of() { pgrep -f "^$program .*$1( |\$)"; }
none_left() { ! ranks_of "$1" >/dev/null && ! pgrep -f "^mpirun .*$1( |\$)" >/dev/null; }
shards() { grep -c '^shard' "$run.txt"; }
more_shards() { [ "$(shards)" -gt "$before" ] || ! kill -0 $launcher 2>/dev/null; }
all_there() {
    sed -n 's/^shard \(shard-[0-9]*-[0-9]*\.h5\) games [0-9]*:[0-9]*$/\1/p' "$run.txt" | while read -r name; do
        [ -f "$run/$name" ] || echo "$name was acknowledged and is not there"
    done
}
# Each rank plays with --threads threads. A rank has some more threads for MPI and signals.
on 2 $play --games 100000 --threads 8 --out "$out/threads" >"$out/threads.txt" 2>&1 &
launcher=$!
threads_work() {
    full=0
    for rank in $(ranks_of "$out/threads"); do
        [ "$(find "/proc/$rank/task" -mindepth 1 -maxdepth 1 | wc -l)" -lt 8 ] || full=$((full + 1))
    done
    [ $full -eq 2 ]
}
wait_until threads_work
ok mpi_threads "$full of 2 ranks have 8 threads" $?
pkill -INT -f "^mpirun .*$out/threads( |\$)"
wait $launcher

kills=0 ends=0 turn=0
: >"$run.txt"
while [ $kills -lt "${KILLS:=30}" ]; do
    turn=$((turn + 1)) before=$(shards) gather=
    [ $((turn % 3)) -ne 0 ] || gather=--gather
    mpirun --oversubscribe --bind-to none -np $((2 + turn % 3)) "$program" $long $gather --threads $((1 + turn % 2)) --resume \
        --out "$run" >>"$run.txt" 2>>"$run.err" &
    launcher=$!
    wait_until more_shards
    case $((turn % 5)) in
    0) victim=$launcher signal=KILL ;;
    1) victim=$(ranks_of "$run" | head -n 1) signal=KILL ;;
    2) victim=$(ranks_of "$run" | tail -n 1) signal=KILL ;;
    3) victim=$launcher signal=TERM ;;
    *) victim=$(ranks_of "$run" | tail -n 1) signal=TERM ;;
    esac
    kill -$signal $victim 2>/dev/null && kills=$((kills + 1))
    wait $launcher
    wait_until none_left "$run" || { echo "ranks outlive a kill: $(ranks_of "$run" | tr '\n' ' ')"; break; }
    lost=$(all_there)
    [ -z "$lost" ] || break
    [ $((turn % 5)) -ne 0 ] || "$PAOTAI" data verify --quiet "$run" >"$out/true.txt" || break
    if [ "$(hash_of "$run")" = "$undisturbed" ]; then
        ends=$((ends + 1))
        rm -rf "$run" "$run.txt"
        : >"$run.txt"
    fi
done >"$out/kills.txt" 2>/dev/null # the shell tells of each kill
result mpi_kills "$(cat "$out/kills.txt"; [ $kills -eq "$KILLS" ] || echo "$kills kills, $lost")"
# The user sees which rank died, on which host, and how to continue: in each of the runs above, also in
# those whose launcher or rank 0 was killed.
for said in "paotai: [2-4] MPI ranks; .* then continue with --resume\$" "process rank [0-9]* with PID [0-9]* on node $(uname -n) exited on signal 9"; do
    grep -q "$said" "$run.err"
    ok "mpi_says_$(echo "$said" | grep -o 'launcher\|node\|resume' | head -n 1)" "nothing says '$said': $(sort "$run.err" | uniq -c | tail -n 5)" $?
done
[ "$(grep -c 'then continue with --resume' "$run.err")" -ge $kills ]
ok mpi_says_always "in $turn runs with $kills kills, how to continue stands $(grep -c 'continue with --resume' "$run.err") times" $?
# Ranks or the launcher of a fit are killed while it reads or fits. An error is printed, and no
# truncated weight file is left; an older file is kept. A second start gives the weights of a fit
# with one process.
longer="tune --out $out/killed.fit --errors $out/killed.tsv $out/rows $out/play"
$PAOTAI tune --quiet --out "$out/undisturbed.fit" "$out/rows" "$out/play" >"$out/undisturbed.txt"
fitted "$out/undisturbed.fit" >"$out/undisturbed.body"
reads() { [ -n "$(ranks_of "$out/rows $out/play")" ] || ! kill -0 $launcher 2>/dev/null; }
fits() { grep -q '^iteration' "$out/killed.txt" || ! kill -0 $launcher 2>/dev/null; }
kills=0
for turn in 1 2 3 4 5 6 7 8; do
    echo before >"$out/killed.fit"
    mpirun --oversubscribe --bind-to none -np 3 "$program" $longer >"$out/killed.txt" 2>&1 &
    launcher=$!
    if [ $((turn % 2)) -eq 0 ]; then wait_until reads; else wait_until fits; fi
    case $((turn / 2)) in
    0 | 4) victim=$launcher ;;
    1) victim=$(ranks_of "$out/rows $out/play" | head -n 1) ;; # rank 0, as it was started first
    2) victim=$(ranks_of "$out/rows $out/play" | tail -n 1) ;;
    *) victim=$(ranks_of "$out/rows $out/play" | sed -n 2p) ;;
    esac
    kill -KILL $victim || { wait $launcher; continue; } # it has ended before
    kills=$((kills + 1))
    wait $launcher && echo "$turn: no failure is told"
    wait_until none_left "$out/rows $out/play" || echo "$turn: ranks outlive a kill"
    [ "$(cat "$out/killed.fit")" = before ] || echo "$turn: weights of a fit that did not end"
    [ $((turn / 2)) -eq 0 ] || [ $turn -eq 8 ] || grep -qi 'signal 9\|killed' "$out/killed.txt" ||
        echo "$turn: nothing says why: $(tail -n 1 "$out/killed.txt")"
    $launch -np 3 "$program" $longer --quiet >"$out/killed.txt" 2>&1 || tail -n 2 "$out/killed.txt"
    fitted "$out/killed.fit" | cmp - "$out/undisturbed.body"
done >"$out/kills.txt" 2>/dev/null
result mpi_tune_kills "$(cat "$out/kills.txt"; [ $kills -ge 5 ] || echo "only $kills of 8 fits were killed")"
# When mpirun is killed, engines started by its ranks must end, too.
cp "$program" "$out/engine"
engines() { pgrep -f "^$out/engine" >/dev/null; }
no_engines() { ! engines; }
mpirun --oversubscribe --bind-to none -np 2 "$program" match --a "cmd=$out/engine,proto=uci,nodes=100000" --b nodes=100000 --pairs 50 \
    --out "$out/engines" >"$out/engines.txt" 2>&1 &
launcher=$!
wait_until engines
kill -KILL $launcher
wait_until no_engines && wait_until none_left "$out/engines"
ok mpi_engines "engines still run after mpirun has ended: $(pgrep -fa "$out/engine")" $?
on 3 $long --resume --out "$run" >"$out/resumed.txt" 2>&1
[ "$(hash_of "$run")" = "$undisturbed" ] && [ $ends -le 15 ]
ok mpi_resume "after $KILLS kills another content_hash, or too many ends ($ends): $(tail -n 2 "$out/resumed.txt")" $?
finish

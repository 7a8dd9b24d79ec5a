#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests a run on two simulated machines without MPI: each machine plays one range of games.
set -u
. tests/checks.sh
play="--nodes 50 --opening-nodes 50 --weights classic --max-plies 150 --seed 1 --quiet"
mkdir "$out/build" && ln -s "$PAOTAI" "$out/build/paotai" && cd "$out" || finish
build/paotai selfplay --games 100 $play --out one >/dev/null
# merged NAME DIR...: checks that the runs in DIR..., each of which has a range of the games, merge
# into the run that one machine made.
merged() {
    name=$1
    shift
    build/paotai data merge --quiet --out "$name" "$@" >merge.txt 2>&1 && [ "$(hash_of "$name")" = "$(hash_of one)" ] &&
        build/paotai data info --quiet "$name" >info.txt && [ "$(value games info.txt) $(value asked_games info.txt)" = "100 100" ]
    ok machines_$name "the merged run differs from the run of one machine: $(tail -n 1 merge.txt)" $?
}
for machine in 0 1; do
    mkdir machine-$machine
    (cd machine-$machine && "$PAOTAI" selfplay --games $((machine * 50)):$((machine * 50 + 50)) $play --out part-$machine >/dev/null)
done
merged ranges machine-0/part-0 machine-1/part-1
# If srun starts several tasks of a program that was built without MPI, the first task warns.
tasks() { SLURM_STEP_NUM_TASKS=$1 SLURM_PROCID=$2 build/paotai perft 1 2>&1 | grep -c "each of the 2 tasks"; }
warnings="$(tasks 2 0) $(tasks 2 1) $(tasks 1 0)"
[ "$warnings" = "1 0 0" ]
ok machines_tasks "numbers of warnings: $warnings, not 1 0 0" $?
finish

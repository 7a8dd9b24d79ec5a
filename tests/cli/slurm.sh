#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the job scripts of bench/slurm under a Slurm of two nodes on this machine. sbatch
# --test-only must accept each script. Its jobs must have the results of a run in a single process.
set -u
. tests/checks.sh
[ "$PAOTAI_FULL" = 1 ] || skip slurm "starts Slurm: make test-full"
for tool in slurmctld slurmd munged mpirun runuser; do
    command -v $tool >/dev/null || skip slurm "no $tool (slurm-wlm, munge, openmpi-bin)"
done
[ "$(id -u)" -eq 0 ] || skip slurm "only root can start slurmd"
mountpoint -q /sys/fs/cgroup || skip slurm "slurmd wants something mounted on /sys/fs/cgroup"
# Prints a step with the time. The last step shows where an interrupted test was waiting.
step() { echo "     $(date +%T) slurm: $*"; }
no_jobs() { ! squeue -h 2>/dev/null | grep -q .; }
# stop DIR: stops the Slurm whose files are in DIR and its jobs. A Slurm that does not answer gets
# ten seconds.
stop() {
    export SLURM_CONF="$1/slurm.conf"
    scancel --quiet --state=PENDING --user=root
    squeue -h -o %A 2>/dev/null | xargs -r scancel --quiet --full --signal=KILL
    for _ in $(seq 50); do no_jobs && break || sleep 0.1; done
    scontrol shutdown >/dev/null 2>&1
    for pid in "$1"/n?/slurmd.pid "$1/slurmctld.pid" "$1/munge/pid"; do
        [ ! -s "$pid" ] || kill "$(cat "$pid")"
    done 2>/dev/null
    for _ in $(seq 50); do ps -e -o comm= | grep -qE '^slurm(ctld|d|stepd)$' && sleep 0.1 || break; done
    rm -rf "$1"
}
# Remove what a killed run of this script has left.
for left in /tmp/paotai-slurm.*; do
    [ -s "$left/owner" ] && ! kill -0 "$(cat "$left/owner")" 2>/dev/null && stop "$left"
done
ps -e -o comm= | grep -qE '^slurm(ctld|d)$' && skip slurm "a Slurm runs here already"
# If PAOTAI were exported, the job scripts would use it instead of their default program.
program=$PAOTAI
unset PAOTAI
PAOTAI=$program
step build/mpi/paotai
make -s -j"$(nproc)" MPI=1 build/mpi/paotai >"$out/make.txt" 2>&1 || { tail -n 5 "$out/make.txt"; fail slurm_build "make MPI=1 fails"; finish; }

# ---- two nodes ----------------------------------------------------------------------------------

etc=$(mktemp -d /tmp/paotai-slurm.XXXXXX) && mkdir "$etc/munge" "$etc/state" "$etc/n1" "$etc/n2" || finish
echo $$ >"$etc/owner"
chmod 755 "$etc"
head -c 128 /dev/urandom >"$etc/munge/key"
chown -R munge "$etc/munge"
chmod 700 "$etc/munge"
chmod 400 "$etc/munge/key"
chmod 755 "$etc/munge"
cat >"$etc/slurm.conf" <<END
ClusterName=paotai
SlurmctldHost=$(uname -n)(127.0.0.1)
SlurmUser=root
SlurmctldPort=17000
AuthType=auth/munge
AuthInfo=socket=$etc/munge/socket,cred_expire=10
StateSaveLocation=$etc/state
SlurmdSpoolDir=$etc/%n
TmpFS=$etc/%n
SlurmctldPidFile=$etc/slurmctld.pid
SlurmdPidFile=$etc/%n/slurmd.pid
SlurmctldLogFile=$etc/slurmctld.log
SlurmdLogFile=$etc/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=pmix
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
SelectType=select/cons_tres
ReturnToService=2
KillWait=20
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=17001 CPUs=2
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=17002 CPUs=2
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=all Nodes=n1,n2 Default=YES State=UP OverSubscribe=NO PriorityTier=1
PartitionName=urgent Nodes=n1,n2 State=UP OverSubscribe=NO PriorityTier=2
END
echo CgroupPlugin=cgroup/v1 >"$etc/cgroup.conf"
export SLURM_CONF="$etc/slurm.conf" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo
trap 'stop "$etc"' EXIT
trap 'exit 1' HUP INT TERM
step two nodes
runuser -u munge -- munged --force --key-file="$etc/munge/key" --socket="$etc/munge/socket" --pid-file="$etc/munge/pid" \
    --log-file="$etc/munge/log" --seed-file="$etc/munge/seed"
slurmctld && slurmd -N n1 && slurmd -N n2
idle() { [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]; }
wait_until idle
ok slurm_starts "Slurm does not have two idle nodes: $(tail -n 3 "$etc/slurmctld.log" "$etc/n1.log")" $?
idle || finish

# ---- the scripts --------------------------------------------------------------------------------

play="--nodes 100 --opening-nodes 200 --weights classic --seed 3 --max-plies 200 --quiet"
jobs=bench/slurm
state() { scontrol --oneliner show job "$id" 2>/dev/null | sed -n "s/.* $1=\([^ ]*\).*/\1/p"; }
# over ID: returns 0 when the job is no longer in the queue.
over() { ! squeue -h -j "$1" 2>/dev/null | grep -q .; }
nobody() { ! squeue -h -n "$1" 2>/dev/null | grep -q .; }
# submit NAME WORDS...: checks the job with --test-only and submits it. Sets $id to the number of
# the job, and $log to the file of its output.
submit() {
    log=$out/$1.log
    step "$@"
    shift
    sbatch --test-only "$@" 2>>"$log.err" && id=$(sbatch --parsable --time=20 --output="$log" "$@" 2>>"$log.err")
}
tails() { tail -n 3 "$log" "$log.err" 2>/dev/null; }
# Rank 0 prints, rank 1 does not. If two independent programs ran instead, one of them would report
# that the other one has locked the directory.
two_ranks() { [ "$(grep -c ^games "$log")" -eq 1 ] && ! grep -qE "another process|each of the [0-9]* tasks" "$log"; }
"$PAOTAI" selfplay --games 120 $play --out "$out/one" >/dev/null
one=$(hash_of "$out/one")

submit ranks $jobs/ranks.sh selfplay --games 120 $play --out "$out/ranks" && wait_until over "$id"
two_ranks && [ "$(hash_of "$out/ranks")" = "$one" ]
ok slurm_ranks "one allocation: $(tails)" $?
submit verify $jobs/ranks.sh data verify --quiet "$out/ranks" && wait_until over "$id" && two_ranks && grep -q "^faults 0$" "$log"
ok slurm_ranks_verify "a command without --resume: $(tails)" $?

# Each task of an array job plays one range of games, and the next job merges the ranges. If a task
# fails, the merge is cancelled.
submit ranges --array=0-3 $jobs/ranges.sh "$out/ranges" 30 $play &&
    submit merge --dependency=afterok:"$id" --kill-on-invalid-dep=yes $jobs/merge.sh "$out/ranges" && wait_until over "$id"
[ "$(hash_of "$out/ranges/all")" = "$one" ] && grep -q "^content_hash $one$" "$log"
ok slurm_ranges "array and merge: $(tail -n 3 "$out/ranges.log") $(tails)" $?
submit failed --array=0-1 $jobs/ranges.sh "$out/failed" 30 --nodes x &&
    submit dropped --dependency=afterok:"$id" --kill-on-invalid-dep=yes $jobs/merge.sh "$out/failed" && wait_until over "$id"
[ ! -e "$log" ] && grep -q "nodes" "$out/failed.log"
ok slurm_ranges_fail "$(tail -n 3 "$out/failed.log") $(tails)" $?

# The Slurm job receives SIGTERM after its first shard, as it would at its time limit, and is queued
# again. Then a job of a partition with higher priority preempts it. All games must be played in the
# end.
restarted() { [ "$(state Restarts)" -eq "$1" ]; }
some() { [ -e "$log" ] && [ "$(grep -c ^shard "$log")" -ge "$1" ]; }
submit requeue $jobs/requeue.sh selfplay --games 120 $play --shard-games 3 --nodes 300 --out "$out/requeue" &&
    wait_until some 1 && scancel --signal=TERM "$id" && step begun again && wait_until some 8 &&
    sbatch --partition=urgent --nodes=2 --exclusive --output=/dev/null --wrap='sleep 1' >/dev/null && step preempted &&
    wait_until restarted 2 && wait_until over "$id"
"$PAOTAI" selfplay --games 120 $play --nodes 300 --out "$out/long" >/dev/null
[ "$(hash_of "$out/requeue")" = "$(hash_of "$out/long")" ] && [ "$(grep -c ^games "$log")" -ge 2 ]
ok slurm_requeue "restarts $(state Restarts): $(tails)" $?
submit cancelled $jobs/requeue.sh selfplay --games 100000 $play --out "$out/cancelled" && wait_until some 1 && scancel "$id" &&
    wait_until over "$id" && [ "$(state JobState)" = CANCELLED ]
ok slurm_cancel "a job that is cancelled is $(state JobState): $(tails)" $?

# `paotai loop` in several Slurm jobs: the first job receives SIGTERM in generation 1, and its
# successor completes the work.
loop="--generations 2 --direct-pairs 0 --games 60 --nodes 60 --pairs 10 --seed 2 --weights classic --quiet --out $out/loop"
submit loop $jobs/loop.sh $loop && wait_until [ -e "$out/loop/gen-001/selfplay.txt" ] && scancel --signal=TERM "$id" &&
    step successor && wait_until nobody paotai-loop
"$PAOTAI" loop --generations 2 --direct-pairs 0 --games 60 --nodes 60 --pairs 10 --seed 2 --weights classic --quiet --out "$out/loop1" >/dev/null 2>&1
cmp "$out/loop/champion.txt" "$out/loop1/champion.txt" >"$out/cmp" 2>&1 && [ "$(grep -c interrupted "$log")" -ge 1 ]
ok slurm_loop "$(cat "$out/cmp"): $(tails)" $?
submit wrong $jobs/loop.sh --generations x --out "$out/wrong" && wait_until nobody paotai-loop && [ "$(grep -c generations "$log")" -eq 1 ]
ok slurm_loop_fails "a failed job has started a successor: $(tails)" $?
submit stopped $jobs/loop.sh --generations 9 --games 100000 --out "$out/stopped" && wait_until [ -e "$out/stopped/gen-001" ] &&
    scancel --name=paotai-loop && wait_until nobody paotai-loop
ok slurm_loop_stopped "$(squeue) $(tails)" $?
step the end
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The job scripts of bench/slurm under a Slurm of two nodes on this machine: each is accepted by sbatch --test-only, runs,
# and makes what one process makes.
set -u
. tests/checks.sh
[ "$PAOTAI_FULL" = 1 ] || skip slurm "starts Slurm: make test-full"
for tool in slurmctld slurmd munged mpirun runuser; do
    command -v $tool >/dev/null || skip slurm "no $tool (slurm-wlm, munge, openmpi-bin)"
done
[ "$(id -u)" -eq 0 ] || skip slurm "only root can start slurmd"
mountpoint -q /sys/fs/cgroup || skip slurm "slurmd wants something mounted on /sys/fs/cgroup"
ps -e -o comm= | grep -qE '^slurm(ctld|d)$' && skip slurm "a Slurm runs here already"
make -s MPI=1 build/mpi/paotai >"$out/make.txt" 2>&1 || { tail -n 5 "$out/make.txt"; fail slurm_build "make MPI=1 fails"; finish; }

# ---- two nodes ----------------------------------------------------------------------------------

etc=$(mktemp -d /tmp/paotai-slurm.XXXXXX) && mkdir "$etc/munge" "$etc/state" "$etc/n1" "$etc/n2" || finish
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
AuthInfo=socket=$etc/munge/socket
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
PartitionName=all Nodes=n1,n2 Default=YES State=UP OverSubscribe=NO
END
echo CgroupPlugin=cgroup/v1 >"$etc/cgroup.conf"
export SLURM_CONF="$etc/slurm.conf" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo
stop_all() {
    scontrol shutdown >/dev/null 2>&1
    for pid in "$etc"/n?/slurmd.pid "$etc/slurmctld.pid" "$etc/munge/pid"; do
        [ ! -f "$pid" ] || kill "$(cat "$pid")" 2>/dev/null
    done
    sleep 1
    rm -rf "$etc"
}
trap stop_all EXIT
trap 'exit 1' HUP INT TERM
runuser -u munge -- munged --force --key-file="$etc/munge/key" --socket="$etc/munge/socket" --pid-file="$etc/munge/pid" \
    --log-file="$etc/munge/log" --seed-file="$etc/munge/seed"
slurmctld && slurmd -N n1 && slurmd -N n2
idle() { [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]; }
wait_until idle
ok slurm_starts "no two idle nodes: $(tail -n 3 "$etc/slurmctld.log" "$etc/n1.log")" $?
idle || finish

# ---- the scripts --------------------------------------------------------------------------------

play="--nodes 100 --opening-nodes 200 --weights classic --seed 3 --max-plies 200 --quiet"
jobs=bench/slurm
# over ID: the job is no longer in the queue.
over() { ! squeue -h -j "$1" 2>/dev/null | grep -q .; }
# job NAME WORDS...: submits, and waits for its end; its output goes to NAME.log, and so does what --test-only says.
submit() { sbatch --parsable --time=20 --output="$log" "$@" 2>>"$log.err"; }
job() {
    log=$out/$1.log
    shift
    sbatch --test-only "$@" 2>"$log.test" || { cat "$log.test"; return 1; }
    id=$(submit "$@") && wait_until over "$id"
}
"$PAOTAI" selfplay --games 120 $play --out "$out/one" >/dev/null
one=$(hash_of "$out/one")

job ranks $jobs/ranks.sh selfplay --games 120 $play --out "$out/ranks"
[ "$(hash_of "$out/ranks")" = "$one" ]
ok slurm_ranks "one allocation: $(tail -n 3 "$out/ranks.log" "$out/ranks.log.err")" $?

# A range a task, and the merge behind them.
log=$out/ranges.log
sbatch --test-only --array=0-3 $jobs/ranges.sh "$out/ranges" 30 $play 2>"$log.err" &&
    id=$(PAOTAI=$PAOTAI submit --array=0-3 $jobs/ranges.sh "$out/ranges" 30 $play) && log=$out/merge.log &&
    sbatch --test-only $jobs/merge.sh "$out/ranges" 2>"$log.err" &&
    id=$(PAOTAI=$PAOTAI submit --dependency=afterok:"$id" $jobs/merge.sh "$out/ranges") && wait_until over "$id"
[ "$(hash_of "$out/ranges/all")" = "$one" ] && grep -q "^content_hash $one$" "$out/merge.log"
ok slurm_ranges "array and merge: $(tail -n 3 "$out/ranges.log" "$out/merge.log")" $?

# Asked to end as by the time limit once a shard is there, then begun again by itself; and requeued as by preemption.
some() { [ -e "$log" ] && [ "$(grep -c ^shard "$log")" -ge "$1" ]; }
log=$out/requeue.log
sbatch --test-only $jobs/requeue.sh selfplay --games 120 $play --out "$out/requeue" 2>"$log.err" &&
    id=$(submit $jobs/requeue.sh selfplay --games 120 $play --shard-games 3 --nodes 300 --out "$out/requeue") &&
    wait_until some 1 && scancel --signal=TERM "$id" && wait_until some 8 && scontrol requeue "$id"
restarts() { scontrol show job "$id" | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p'; }
[ -n "$id" ] && wait_until some 12 && times=$(restarts) && wait_until over "$id"
"$PAOTAI" selfplay --games 120 $play --nodes 300 --out "$out/long" >/dev/null
[ "$(hash_of "$out/requeue")" = "$(hash_of "$out/long")" ] && [ "${times:-0}" -ge 1 ]
ok slurm_requeue "restarts ${times:-none}: $(tail -n 3 "$log" "$log.err")" $?

# A loop in several jobs: the first is asked to end in its first generation, its successor ends the work.
log=$out/loop.log
loop="--generations 2 --games 60 --nodes 60 --pairs 10 --seed 2 --weights classic --quiet --out $out/loop"
sbatch --test-only $jobs/loop.sh $loop 2>"$log.err" && id=$(LOOP_TIME=20 LOOP_LOG=$log submit --open-mode=append $jobs/loop.sh $loop) &&
    wait_until [ -e "$out/loop/gen-001/selfplay.txt" ] && scancel --signal=TERM "$id"
nobody() { ! squeue -h -n paotai-loop 2>/dev/null | grep -q .; }
wait_until nobody
"$PAOTAI" loop --generations 2 --games 60 --nodes 60 --pairs 10 --seed 2 --weights classic --quiet --out "$out/loop1" >/dev/null 2>&1
cmp "$out/loop/champion.txt" "$out/loop1/champion.txt" >"$out/cmp" 2>&1
ok slurm_loop "$(cat "$out/cmp"): $(tail -n 3 "$log" "$log.err")" $?
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs `paotai loop` (generations of self-play, fit and match) for days as a chain of short jobs. Each job queues a
# successor with the same number of nodes, time, partition, account, QOS and log. The successor continues the work, but
# starts only if this job did not complete it. After an error there is no successor.
#   sbatch bench/slurm/loop.sh --generations 50 --games 100000 --pairs 5000 --out DIR
#   scancel --name=paotai-loop      ends all jobs
#SBATCH --job-name=paotai-loop
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=4:00:00
#SBATCH --open-mode=append
#SBATCH --output=paotai-loop.log
#SBATCH --signal=TERM@120
# The successor of a preempted job continues its work, so the preempted job must not be queued again.
#SBATCH --no-requeue
set -u
job=$(scontrol --oneliner show job "$SLURM_JOB_ID" | tr ' ' '\n')
# The function `this` prints the value of a setting (KEY=VALUE in the output of scontrol) of this job.
this() { printf '%s\n' "$job" | sed -n "s/^$1=//p" | grep -vx '(null)' | head -n 1; }
account=$(this Account) qos=$(this QOS)
next=$(sbatch --parsable --dependency=afternotok:"$SLURM_JOB_ID" --kill-on-invalid-dep=yes --nodes="$SLURM_JOB_NUM_NODES" \
    --time="$(this TimeLimit)" --partition="$(this Partition)" ${account:+--account="$account"} ${qos:+--qos="$qos"} \
    --output="$(this StdOut)" "$(this Command)" "$@") || exit
srun --mpi=pmix --cpu-bind=none "${PAOTAI:-build/mpi/paotai}" loop "$@" --resume --threads "${SLURM_CPUS_ON_NODE:-1}"
status=$?
# After a failure (1) or wrong usage (2), cancel the successor: it would fail too.
[ $status -ne 1 ] && [ $status -ne 2 ] || scancel "$next"
exit $status

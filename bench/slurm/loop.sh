#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Generations of play, fit and match over days of short jobs: each job puts its successor into the queue, with the same
# nodes, time, partition, account and log. It begins only when this one did not come to the end of the work, and goes on
# where it stopped. After an error there is none.
#   sbatch bench/slurm/loop.sh --generations 50 --games 100000 --pairs 5000 --out DIR
#   scancel --name=paotai-loop      ends it for good
#SBATCH --job-name=paotai-loop
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=4:00:00
#SBATCH --open-mode=append
#SBATCH --output=paotai-loop.log
#SBATCH --signal=TERM@120
# A job that is preempted is followed by its successor; requeued it would have two.
#SBATCH --no-requeue
set -u
job=$(scontrol --oneliner show job "$SLURM_JOB_ID" | tr ' ' '\n')
# this KEY: what this job was submitted with.
this() { printf '%s\n' "$job" | sed -n "s/^$1=//p" | grep -vx '(null)' | head -n 1; }
account=$(this Account) qos=$(this QOS)
next=$(sbatch --parsable --dependency=afternotok:"$SLURM_JOB_ID" --kill-on-invalid-dep=yes --nodes="$SLURM_JOB_NUM_NODES" \
    --time="$(this TimeLimit)" --partition="$(this Partition)" ${account:+--account="$account"} ${qos:+--qos="$qos"} \
    --output="$(this StdOut)" "$(this Command)" "$@") || exit
srun --mpi=pmix --cpu-bind=none "${PAOTAI:-build/mpi/paotai}" loop "$@" --resume --threads "${SLURM_CPUS_ON_NODE:-1}"
status=$?
# Failure or wrong usage: the successor would end in the same way.
[ $status -ne 1 ] && [ $status -ne 2 ] || scancel "$next"
exit $status

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For partitions that preempt, and for work that is longer than a job may be: whoever ends the job, by preemption or by its
# time limit, the command goes on in the next one until it is done. For commands that have --resume.
#   sbatch --nodes=4 bench/slurm/requeue.sh selfplay --games 1000000 --out DIR
#SBATCH --job-name=paotai-requeue
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=4:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=TERM@120
srun --mpi=pmix --cpu-bind=none "${PAOTAI:-build/mpi/paotai}" "$@" --resume --threads "${SLURM_CPUS_ON_NODE:-1}"
status=$?
# 143: it was asked to end. After preemption Slurm queues the job itself, and this comes to nothing.
[ $status -ne 143 ] || exec scontrol requeue "$SLURM_JOB_ID"
exit $status

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a command on partitions with preemption, or for longer than a job may last. If preemption or the time limit ends
# the job, Slurm queues it again and the command continues, until it is complete. The command must have --resume.
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
# Exit status 143: SIGTERM interrupted the command, so queue the job again. After preemption Slurm has already queued
# it, and `scontrol requeue` has no effect.
[ $status -ne 143 ] || exec scontrol requeue "$SLURM_JOB_ID"
exit $status

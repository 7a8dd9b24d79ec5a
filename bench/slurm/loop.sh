#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Generations of play, fit and match over days of short jobs: each job puts its successor into the queue, which begins
# only when this one did not come to the end of the work, and goes on where it stopped.
#   sbatch bench/slurm/loop.sh --generations 50 --games 100000 --pairs 5000 --out DIR
#SBATCH --job-name=paotai-loop
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=4:00:00
#SBATCH --open-mode=append
#SBATCH --output=paotai-loop.log
#SBATCH --signal=TERM@120
set -eu
script=${PAOTAI_SLURM:-bench/slurm}/loop.sh
sbatch --time="${LOOP_TIME:-4:00:00}" --nodes="$SLURM_JOB_NUM_NODES" --dependency=afternotok:"$SLURM_JOB_ID" \
    --kill-on-invalid-dep=yes --output="${LOOP_LOG:-paotai-loop.log}" "$script" "$@"
exec srun --mpi=pmix --cpu-bind=none "${PAOTAI:-build/mpi/paotai}" loop "$@" --resume --threads "${SLURM_CPUS_ON_NODE:-1}"

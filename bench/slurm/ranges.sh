#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# An array of ranges, for sites where jobs must be short or small: task i plays games i * EACH to (i + 1) * EACH into
# DIR/range-i. No MPI is needed: submit it where build/paotai is, or set PAOTAI to the program. merge.sh joins the ranges
# when all are done:
#   id=$(sbatch --parsable --array=0-99 bench/slurm/ranges.sh DIR 10000 --nodes 1000 --seed 1)
#   sbatch --dependency=afterok:$id --kill-on-invalid-dep=yes bench/slurm/merge.sh DIR
# A task that failed, or whose time was over, takes merge.sh with it. It is run again alone, and goes on where it stopped:
# sbatch --array=17 ... with the same words, and merge.sh behind it. A kill costs a task the games behind its last shard.
# Add --time= --partition= --account= as the site wants them. An array may have MaxArraySize tasks (scontrol show config):
# for more games make EACH larger. What a range lacks: build/paotai data info DIR/range-N
# What a plan takes: selfplay/README.md.
#SBATCH --job-name=paotai-ranges
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --time=2:00:00
#SBATCH --signal=TERM@60
#SBATCH --requeue
set -eu
dir=$1 each=$2 task=$SLURM_ARRAY_TASK_ID
shift 2
exec srun --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" "${PAOTAI:-build/paotai}" selfplay "$@" --resume \
    --games $((task * each)):$(((task + 1) * each)) --threads "${SLURM_CPUS_PER_TASK:-1}" --out "$dir/range-$task"

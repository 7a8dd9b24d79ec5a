#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plays self-play games in a job array, for clusters where jobs must be short or small. Arguments: DIR EACH OPTIONS...
# Task i plays the games i * EACH to (i + 1) * EACH - 1 and stores them in DIR/range-i. MPI is not needed. Submit the
# script in the directory that contains build/paotai, or set PAOTAI to the path of the program. merge.sh joins the ranges
# when all tasks have ended:
#   id=$(sbatch --parsable --array=0-99 bench/slurm/ranges.sh DIR 10000 --nodes 1000 --seed 1)
#   sbatch --dependency=afterok:$id --kill-on-invalid-dep=yes bench/slurm/merge.sh DIR
# If a task fails or exceeds its time, merge.sh is cancelled. Run this task again (sbatch --array=17 ...) with the same
# arguments, and then merge.sh. The task continues where it stopped. A killed task loses the games after its last shard.
# Add --time= --partition= --account= as your cluster needs them. An array can have at most MaxArraySize tasks
# (scontrol show config); for more games make EACH larger. `build/paotai data info DIR/range-N` prints the number of games
# that a range lacks.
# selfplay/README.md says how to plan a run.
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

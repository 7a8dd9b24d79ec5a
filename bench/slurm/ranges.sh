#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plays a range of games per array task, for sites where jobs must be short or small. Task i plays the games i * EACH to
# (i + 1) * EACH into DIR/range-i. MPI is not needed. Submit it in the directory of build/paotai, or set PAOTAI to the
# program. merge.sh joins the ranges when all tasks have ended:
#   id=$(sbatch --parsable --array=0-99 bench/slurm/ranges.sh DIR 10000 --nodes 1000 --seed 1)
#   sbatch --dependency=afterok:$id --kill-on-invalid-dep=yes bench/slurm/merge.sh DIR
# If a task fails or exceeds its time, merge.sh is cancelled. Run the task again alone with the same arguments, and then
# merge.sh: sbatch --array=17 ... The task continues where it stopped. A kill loses the games after the last shard.
# Add --time= --partition= --account= as your site needs them. The largest array has MaxArraySize tasks (scontrol show
# config); for more games make EACH larger. To see what a range lacks: build/paotai data info DIR/range-N
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

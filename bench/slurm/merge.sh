#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Joins the runs DIR/range-* that ranges.sh made to the run DIR/all. It has the games that one machine would have played.
#   sbatch --dependency=afterok:ID --kill-on-invalid-dep=yes bench/slurm/merge.sh DIR
#SBATCH --job-name=paotai-merge
#SBATCH --ntasks=1
#SBATCH --time=2:00:00
set -eu
"${PAOTAI:-build/paotai}" data merge --out "$1/all" "$1"/range-*
"${PAOTAI:-build/paotai}" data info --quiet "$1/all"

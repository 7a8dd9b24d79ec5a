#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a command in one allocation: one MPI rank per node, with one thread per processor of the node. The command must
# support MPI (selfplay/README.md lists these commands). Submit the script in the directory that contains
# build/mpi/paotai (make MPI=1 all), or set PAOTAI to the path of the program; the same applies to requeue.sh and loop.sh.
# DIR must be on a file system that all nodes share, unless --gather is given.
#   sbatch --nodes=8 bench/slurm/ranks.sh selfplay --games 1000000 --out DIR
#   sbatch --nodes=8 bench/slurm/ranks.sh match --a weights=new.txt --b weights=old.txt --pairs 50000 --sprt 0,2 --out DIR
#   sbatch --nodes=8 bench/slurm/ranks.sh tune DIR --out weights.txt
# Add --time= --partition= --account= as your cluster needs them, and `module load` for its MPI, GSL and HDF5. For MPICH:
# make MPI=mpich all, and srun --mpi=pmi2. For another MPI: make MPI=1 MPI_CFLAGS=... MPI_LIBS=... all
#SBATCH --job-name=paotai
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=24:00:00
# Slurm sends SIGTERM two minutes before the time limit. The program then stops and keeps its games. If the job is
# submitted again, it continues the run; the commands `tune` and `data` start again.
#SBATCH --signal=TERM@120
set -u
case $1 in tune | data) ;; *) set -- "$@" --resume ;; esac
exec srun --mpi=pmix --cpu-bind=none "${PAOTAI:-build/mpi/paotai}" "$@" --threads "${SLURM_CPUS_ON_NODE:-1}"

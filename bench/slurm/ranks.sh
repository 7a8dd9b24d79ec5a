#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One allocation: a rank on each node, all processors of the node as its threads. Any command that works on ranks. Submit
# it where build/mpi/paotai is (make MPI=1 all), or set PAOTAI to the program; so for requeue.sh and loop.sh.
# DIR must be on a file system that all nodes see (else: --gather).
#   sbatch --nodes=8 bench/slurm/ranks.sh selfplay --games 1000000 --out DIR
#   sbatch --nodes=8 bench/slurm/ranks.sh match --a weights=new.txt --b weights=old.txt --pairs 50000 --sprt 0,2 --out DIR
#   sbatch --nodes=8 bench/slurm/ranks.sh tune DIR --out weights.txt
# Add --time= --partition= --account= as the site wants them, and `module load` what it has of MPI, GSL and HDF5. MPICH:
# make MPI=mpich all, and srun --mpi=pmi2. Another MPI: make MPI=1 MPI_CFLAGS=... MPI_LIBS=... all
#SBATCH --job-name=paotai
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=24:00:00
# Two minutes before the end of its time the program is asked to end: it keeps what was played, and the same words again
# go on with it. tune and data begin anew.
#SBATCH --signal=TERM@120
set -u
case $1 in tune | data) ;; *) set -- "$@" --resume ;; esac
exec srun --mpi=pmix --cpu-bind=none "${PAOTAI:-build/mpi/paotai}" "$@" --threads "${SLURM_CPUS_ON_NODE:-1}"

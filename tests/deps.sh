#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/deps.sh run|ci|dev: installs the Debian packages that building, testing and the demo need
# (run), these and the tools of `make ci` (ci), or these and all other packages that only developers
# need (dev). Does nothing if all are installed. With PAOTAI_NO_INSTALL=1 it prints the apt-get command
# and fails if a package is missing, and installs nothing. apt-get asks no questions; on a terminal, sudo may ask for the password.
# tests/deps.sh check: fails if the compiler does not find the headers of the libraries, and prints
# the remedy.
set -u

# Each line has a package and its purpose.
run_packages='
gcc              the compiler
libc6-dev        the C library, to compile against
libgomp1         OpenMP: threads in self-play and the tuner
libhdf5-dev      HDF5: the store of games and positions
libgsl-dev       GSL: minimisers and statistics of the tuner
zlib1g-dev       zlib: compression of the store
nettle-dev       nettle: SHA-256
libarchive-dev   libarchive: packed files of games
python3-h5py     reads the store and exported rows from Python in tests
'
ci_packages='
clang               the second compiler
clang-format        make format, make format-check
libclang-rt-dev     sanitizers and fuzzing with clang
libomp-dev          OpenMP for clang; archer for make check-tsan
'
dev_packages=$ci_packages'
valgrind            memory checks without a rebuild
shellcheck          checks the scripts of the tests
locales             Turkish and German, with other letters and decimal commas
python3-scipy       a test fits exported rows
python3-matplotlib  runs the example of datasets/README.md
chromium            tests click through pages
dpkg-dev            make deb
zsh                 tests the completion of zsh
fish                tests the completion of fish
lintian             checks the package of make deb
debootstrap         installs this package in a clean Debian
gcc-aarch64-linux-gnu  a build for arm64, which must give the same bits
qemu-user-static    runs the build for arm64
fairy-stockfish     another engine: rules, perft, games over UCI
sjaakii             another engine: rules, games over CECP
hoichess            another engine: games over CECP
fairymax            another engine: games over CECP
xboard              a user interface over CECP
uci2wb              UCCI engines under xboard
xvfb                a virtual display for xboard
nodejs              runs ffish, a package of npm, in make test-full
npm                 installs ffish, fetches axe-core
'

# Needed with MPI=1 or MPI=mpich.
mpi_packages='
libopenmpi-dev  Open MPI, to compile against
openmpi-bin     mpirun
pkg-config      finds the files of Open MPI
'
[ "${MPI:-}" != mpich ] || mpi_packages='
libmpich-dev  MPICH, to compile against
mpich         mpirun
pkg-config    finds the files of MPICH
'
[ -z "${MPI:-}" ] || run_packages=$run_packages$mpi_packages

# Returns 0 if the compiler finds the headers of all libraries except MPI, and builds for 64 bits.
compiles() {
    # shellcheck disable=SC2086,SC2069 # the flags are lists of words; only stderr is kept
    printf '#ifndef __SIZEOF_INT128__\n#error 32 bits: Paotai needs a machine and a compiler of 64 bits\n#endif\n#include <gsl/gsl_version.h>\n#include <hdf5.h>\n#include <zlib.h>\n#include <archive.h>\n#include <nettle/sha2.h>\n' |
        ${CC:-cc} ${CFLAGS:-} ${HDF5_CFLAGS:-} -fopenmp -E - 2>&1 >/dev/null
}

case ${1:-} in
check)
    said=$(compiles) && exit 0
    echo "$said" | grep -i error | head -n 3
    echo "The compiler ${CC:-cc} failed (see above), or a library is missing. 'make deps' installs these packages:"
    echo "$run_packages"
    echo "Run 'make deps', then make again."
    exit 1
    ;;
run) packages=$run_packages ;;
ci) packages=$run_packages$ci_packages ;;
dev) packages=$run_packages$dev_packages ;;
*)
    echo "usage: sh tests/deps.sh run|ci|dev|check" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    # The system is not Debian. If the compiler finds the libraries, all is well. Otherwise list the
    # needed packages.
    if compiles >/dev/null; then
        exit 0
    fi
    echo "deps: this system is not Debian. Install its packages that correspond to the following. If HDF5 is in"
    echo "an unusual directory, also set HDF5_CFLAGS and HDF5_LIBS for make:$packages"
    exit 1
fi

missing=
while read -r package why; do
    [ -n "$package" ] || continue
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)
    # The package is not needed if a command with the name of the package exists.
    [ "$state" = installed ] || command -v "$package" >/dev/null 2>&1 && continue
    [ -n "$missing" ] || echo "deps: these packages are missing:"
    printf '  %-20s %s\n' "$package" "$why"
    missing="$missing $package"
done <<END
$packages
END
[ -n "$missing" ] || exit 0

case ${PAOTAI_NO_INSTALL:-0} in
0) ;;
*)
    sudo=$([ "$(id -u)" -eq 0 ] || echo 'sudo ')
    echo "deps: PAOTAI_NO_INSTALL is set, so nothing is installed. To install them:"
    echo "  ${sudo}apt-get update && ${sudo}apt-get install --no-install-recommends$missing"
    exit 1
    ;;
esac

if [ "$(id -u)" -eq 0 ]; then
    sudo=
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    sudo=sudo
else
    echo "deps: only root can install them. Run this command as root, then run make again:"
    echo "  apt-get update && apt-get install --no-install-recommends$missing"
    exit 1
fi

apt() { $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 "$@"; }
# shellcheck disable=SC2086 # a list of words
if ! apt update || ! apt install --no-install-recommends $missing; then
    echo "deps: apt-get failed (see above). Remove the cause, often a missing network, then run:"
    echo "  ${sudo:+sudo }apt-get update && ${sudo:+sudo }apt-get install --no-install-recommends$missing"
    exit 1
fi

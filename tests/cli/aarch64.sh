#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that a build for aarch64 gives the results of this build: equal node counts of bench (also
# with the network), equal games, an equal fit, and a page of `view` with the same number of
# scripts. Runs only in make test-full; qemu runs the program. The libraries come from an arm64
# Debian in the directory ARM64_ROOT. Without this variable, debootstrap makes the directory (as
# root).
set -u
. tests/checks.sh
[ "$PAOTAI_FULL" = 1 ] || skip aarch64 "takes minutes, make test-full"
for tool in aarch64-linux-gnu-gcc qemu-aarch64-static debootstrap; do
    command -v $tool >/dev/null 2>&1 || skip aarch64 "no $tool (make deps-dev)"
done
root=${ARM64_ROOT:-$out/root} hdf5=/usr/lib/aarch64-linux-gnu/hdf5/serial own=$out/build/release-portable/paotai
if [ ! -d "$root" ]; then
    debootstrap --foreign --arch=arm64 --variant=minbase --include=libhdf5-dev,libgsl-dev,zlib1g-dev,nettle-dev,libarchive-dev,libgomp1 \
        bookworm "$root" >"$out/log" 2>&1 || skip aarch64 "debootstrap: $(tail -n 1 "$out/log")"
    for package in "$root"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
fi
make CC=aarch64-linux-gnu-gcc ARCH=portable O="$out/build" CFLAGS="--sysroot=$root" HDF5_CFLAGS="-I$root/usr/include/hdf5/serial" \
    HDF5_LIBS="-L$root$hdf5 -lhdf5" "$own" >"$out/log" 2>&1 || { fail aarch64 "it does not compile: $(grep -m 1 error "$out/log")" && finish; }
arm() { qemu-aarch64-static -L "$root" -E LD_LIBRARY_PATH=$hdf5 "$own" "$@"; }
# bits PROGRAM NAME: prints the program's results that must be equal on both processors.
bits() {
    "$1" bench | tail -n 1 | cut -d ' ' -f 1
    "$1" bench 4 --weights best | tail -n 1 | cut -d ' ' -f 1
    "$1" selfplay --games 40 --nodes 100 --seed 1 --quiet --out "$out/$2" >/dev/null
    hash_of "$out/$2"
    "$1" tune "$out/$2" --quiet --out "$out/$2.txt" >/dev/null
    grep -v '^#' "$out/$2.txt" | sha256sum
    "$1" view "$out/$2" --quiet --out "$out/$2.html" >/dev/null
    grep -c '</script>' "$out/$2.html"
}
bits "$PAOTAI" here >"$out/here.bits"
bits arm there >"$out/there.bits" 2>"$out/err"
diff "$out/here.bits" "$out/there.bits" >"$out/diff" && [ "$(wc -l <"$out/here.bits")" -eq 5 ]
ok aarch64_bits "other bits: $(tail -n 1 "$out/err") $(head -n 3 "$out/diff" | tr '\n' ' ')" $?
finish

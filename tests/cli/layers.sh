#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that tests/layers.sh, which checks that the folders include only lower layers, passes on
# this tree and fails on each kind of forbidden line.
set -u
. tests/checks.sh
if found=$(sh tests/layers.sh); then
    pass layers_of_this_tree
else
    result layers_of_this_tree "$found"
fi

# refuses FILE LINE: requires that the check refuses a tree whose FILE contains LINE, and that it
# names the line.
tree=$PAOTAI_SCRATCH/tree
refuses() {
    mkdir -p "$tree/${1%/*}"
    printf '// a file\n%s\n' "$2" >"$tree/$1"
    if found=$(sh tests/layers.sh "$tree"); then
        fail layers_can_fail "'$2' was accepted in $1"
    elif ! printf '%s\n' "$found" | grep -q "^$1:2: "; then
        fail layers_can_fail "'$2' in $1 gives '$found'"
    fi
    rm "$tree/$1"
}
mkdir -p "$tree/core" "$tree/tuner"
printf '#include <stdio.h>\n#include "core/board/types.h"\n' >"$tree/core/good.c"
printf '#include <gsl/gsl_math.h>\n#include <omp.h>\n#pragma omp parallel\n#include "core/a.h"\n#include "selfplay/a.h"\n' \
    >"$tree/tuner/good.c"
sh tests/layers.sh "$tree" || fail layers_can_fail "a good tree was refused"
refuses core/bad.c '#include "datasets/store/store.h"'
refuses core/bad.h '  #  include <tuner/fit/fit.h>'
refuses core/base/bad.c '#include "tests/test.h"'
refuses datasets/bad.c '#include "selfplay/run/play_game.h"'
refuses selfplay/bad.c '#include "tuner/fit/fit.h"'
refuses tuner/bad.c '#include "bench/perft/perft.h"'
refuses bench/bad.c '#include "tests/test.h"'
refuses tuner/bad.c '#include <hdf5.h>'
refuses tests/bad.c '#include <H5public.h>'
refuses selfplay/bad.c '#include <zlib.h>'
refuses datasets/bad.c '#include <gsl/gsl_math.h>'
refuses tuner/bad.c '#include <nettle/sha2.h>'
refuses core/bad.c '#include <archive.h>'
refuses core/bad.c '#include <omp.h>'
refuses core/bad.c '#pragma omp parallel for'
refuses core/bad.c '#ifdef _OPENMP'
refuses core/bad.c '#include "types.h"'
refuses core/bad.c '#include "../core/types.h"'
rm -r "$tree/core" "$tree/tuner"

# In a copy of the sources, three new folders of the tuner include each other in a circle. Two of
# them obey the order of the README, so only one line is wrong.
find core datasets selfplay tuner bench tests -name '*.[ch]' -o -name '*.def' -o -name README.md -o -name layers.sh |
    tar -cf - -T - Makefile paotai.c | tar -xf - -C "$tree"
for name in one two three; do mkdir "$tree/tuner/$name"; done
echo '// a file' >"$tree/tuner/one/one.h"
echo '#include "tuner/one/one.h"' >"$tree/tuner/two/two.h"
echo '#include "tuner/two/two.h"' >"$tree/tuner/three/three.h"
# make_layers WHAT TEXT: requires that `make layers` in the copy fails and prints TEXT, or, without
# TEXT, that it passes.
make_layers() {
    if found=$(make -s -C "$tree" layers 2>&1); then
        [ -z "${2-}" ] || fail layers_circle "$1 was accepted"
    elif [ -z "${2-}" ] || ! printf '%s\n' "$found" | grep -qxF "$2"; then
        fail layers_circle "$1 gives '$found'"
    fi
}
make_layers "a folder without a line in the README" \
    'tuner/one/one.h:1: tuner/README.md has no line of its table of folders for one/'
# shellcheck disable=SC2016 # the backquotes belong to the README
sed -i '/^| `rows\/` /i | `one/` | new |\n| `two/` | new |\n| `three/` | new |' "$tree/tuner/README.md"
make_layers "an order without a circle"
echo '#include "tuner/three/three.h"' >>"$tree/tuner/one/one.h"
make_layers "a circle of three folders" \
    'tuner/one/one.h:2: tuner/one must not include tuner/three/three.h: this closes the circle tuner/one -> tuner/three -> tuner/two -> tuner/one'
echo '// a file' >"$tree/tuner/two/two.h"
make_layers "a broken order" \
    'tuner/one/one.h:2: tuner/one must not include tuner/three/three.h: tuner/README.md does not list tuner/three above it'
rm "$tree/tuner/one/one.h"
echo '#include "tuner/commands.def"' >"$tree/tuner/one/one.h"
make_layers "a folder that includes a file at the top of its room" \
    'tuner/one/one.h:1: tuner/one must not include tuner/commands.def: files at the top of a room stand above its folders'
[ "$failures" -gt 0 ] || pass layers_circle
find "$tree" -mindepth 1 -delete
! sh tests/layers.sh "$tree" >/dev/null || fail layers_can_fail "an empty tree was accepted"
[ "$failures" -gt 0 ] || pass layers_can_fail
finish

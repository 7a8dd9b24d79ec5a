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
! sh tests/layers.sh "$tree" >/dev/null || fail layers_can_fail "an empty tree was accepted"
[ "$failures" -gt 0 ] || pass layers_can_fail
finish

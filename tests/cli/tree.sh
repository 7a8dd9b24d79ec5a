#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the whole tree: top-level entries, file sizes, licence lines, absence of machine paths,
# self-contained headers, the list of make targets, scripts, format, and wording.
set -u
. tests/checks.sh
files=$PAOTAI_SCRATCH/files
if git ls-files >"$files" 2>/dev/null && [ -s "$files" ]; then
    result tree_top_level "$(cut -d / -f 1 "$files" | sort -u | grep -vxE \
        'core|selfplay|tuner|datasets|tests|bench|paotai\.c|Makefile|(README|README\.zh|experiments)\.md|LICENSE|\.ci|\.clang-format|\.gitignore')"
    result tree_no_large_file "$(xargs -d '\n' stat -c '%s %n' <"$files" | awk '$1 > ($2 ~ /network_default\.net$/ ? 4096 : 400) * 1024')"
    result tree_licence_lines "$(grep -E '\.(c|h|def|sh|py)$|^Makefile$|^\.ci/' "$files" | xargs -d '\n' awk '
        FNR == 1 { if (file != "" && !found) print file; file = FILENAME; found = 0 }
        FNR <= 3 && /SPDX-License-Identifier: GPL-3.0-or-later($| -->| \*\/)/ { found = 1 }
        END { if (!found) print file }')"
    result tree_no_machine_paths "$(grep -v '\.tsv$' "$files" |
        xargs -d '\n' grep -nIE '(^|[^A-Za-z0-9_.>}])/(home|root|work|farm|mnt|Users|tmp/[a-z])/')"
    result tree_file_lengths "$(grep -E '\.[ch]$' "$files" | xargs -d '\n' wc -l | awk '$2 != "total" && $1 > 800')"
else
    echo "SKIP tree_files: this is not a git checkout"
fi

# Each header can be compiled without other headers before it. If a .c file includes its own header
# first, the build has already shown this. The other headers are compiled here. Only the folder
# datasets has the include path of HDF5.
result headers_once "$(find core datasets selfplay tuner bench tests -name '*.h' -exec grep -L '^#pragma once' {} +)"
result headers_self_contained "$(for header in $(find core datasets selfplay tuner bench tests -name '*.h'); do
    first=$(grep -m 1 '^#include' "${header%h}c" 2>/dev/null)
    [ "$first" != "#include \"$header\"" ] || continue
    case $header in datasets/*) flags=${HDF5_CFLAGS--isystem /usr/include/hdf5/serial} ;; *) flags= ;; esac
    # shellcheck disable=SC2086 # lists of words
    printf '#include "%s"\n' "$header" |
        ${CC:-gcc} -std=c11 -pedantic -Wall -Wextra -Werror -D_GNU_SOURCE -I. $flags -fsyntax-only -x c - 2>&1 | grep error
done)"

# The file `flags` contains the libraries, so that `make` compiles and links again if the libraries
# change.
make -s O="$out/o" HDF5_LIBS=-lnone "$out/o/release/flags" >"$out/said"
check make_links_again "the libraries are not in the file flags" grep -q -e ' -lnone ' "$out/o/release/flags"

# Each phony target has a line in `make help`.
targets=$(sed -n '/^\.PHONY:/,/[^\\]$/p' Makefile | sed 's/^\.PHONY://; s/install-files//; s/FORCE//; s/\\$//')
make -s help >"$PAOTAI_SCRATCH/help"
result make_help "$(for target in $targets; do
    grep -q "^  $target  *[a-z]" "$PAOTAI_SCRATCH/help" || echo "make help does not name $target"
done)"

if command -v shellcheck >/dev/null 2>&1; then
    # Only `make test-full` runs shellcheck on the scripts of the tests, because that takes several
    # seconds. Errors of these scripts usually also show when the tests run.
    [ "$PAOTAI_FULL" = 1 ] && tests="tests/*.sh tests/cli/*.sh" || tests=
    # shellcheck disable=SC2086 # $tests is a list of patterns, so it is not quoted
    result shellcheck "$(shellcheck -S warning $tests bench/*.sh bench/slurm/*.sh core/*/*.sh selfplay/*/*.sh .ci/run .ci/deb.sh)"
else
    echo "SKIP shellcheck: it is not installed (make deps-dev)"
fi
# Check the format with one version of clang-format only: other versions break lines differently.
if clang-format --version 2>/dev/null | grep -q ' version 14\.'; then
    result format "$(make -s format-check 2>&1 | grep error | head -n 10)"
else
    echo "SKIP format: no clang-format 14 (make deps-dev)"
fi
# Comments and messages have no wording that tests/words.py refuses.
if [ -d .git ]; then result words_tree "$(python3 tests/words.py | grep -vx 'words: 0 lines refused in .*')"; fi
# No struct that owns memory is copied by value. `make ci` checks it, too.
if [ "$PAOTAI_FULL" != 1 ]; then
    echo "SKIP copies_of_this_tree: takes long, make copies or make test-full"
elif command -v clang >/dev/null 2>&1; then
    result copies_of_this_tree "$(make -s copies 2>&1)"
else
    echo "SKIP copies_of_this_tree: clang is not installed (make deps-dev)"
fi
# `make test` skips this check, because it takes long.
if [ "$PAOTAI_FULL" != 1 ]; then
    echo "SKIP clang: takes long, make check-clang or make test-full"
elif echo '#include <omp.h>' | clang -fopenmp -fsyntax-only -x c - 2>/dev/null; then
    result clang "$(make -s check-clang 2>&1 | grep -A 5 -E 'error|\*\*\*' | head -n 40)"
else
    echo "SKIP clang: no clang, or no libomp-dev (make deps-dev)"
fi
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/layers.sh [ROOT]: fails if an #include crosses the layers of the design (each folder may
# include itself and the folders to its left):
#   core <- datasets <- selfplay <- tuner <- bench, tests
# Also fails if the path of an #include does not begin at the root of the source tree, or if a
# folder uses a library that it may not use. tests/cli/layers.sh tests this check.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

# shellcheck disable=SC2016 # the program is awk's
for room in core datasets selfplay tuner bench tests paotai.c; do
    [ ! -e "$room" ] || find "$room" -name '*.[ch]' -o -name '*.def' -o -name '*.inc'
done | sort | xargs awk '
BEGIN {
    # Table: what each folder may include, and which libraries and pragmas beyond the C library it
    # may use.
    reach["core"] = "core"
    reach["datasets"] = "core datasets"
    reach["selfplay"] = "core datasets selfplay"
    reach["tuner"] = "core datasets selfplay tuner"
    reach["bench"] = "core datasets selfplay tuner bench"
    reach["tests"] = reach["paotai.c"] = "core datasets selfplay tuner bench tests"
    libraries["core"] = "nettle"
    libraries["datasets"] = "hdf5 zlib libarchive openmp"
    libraries["selfplay"] = libraries["tuner"] = libraries["bench"] = "gsl openmp"
    libraries["tests"] = "gsl openmp zlib"
    split("core datasets selfplay tuner bench tests", names, " ")
    for (i in names) is_room[names[i]] = 1
}
function has(list, word) { return index(" " list " ", " " word " ") > 0 }
function wrong(why) { print FILENAME ":" FNR ": " why; bad++ }
function need(library) {
    if (!has(libraries[room], library)) wrong(room " must not use " library)
}
FNR == 1 { room = FILENAME; sub("/.*", "", room); files++ }
/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    path = $0
    sub(/^[^"<]*["<]/, "", path)
    sub(/[">].*/, "", path)
    first = path
    sub("/.*", "", first)
    if (path ~ /(^|\/)\.\.?\//) wrong("\"" path "\" does not begin at the root")
    else if (is_room[first] && path ~ "/") {
        if (!has(reach[room], first)) wrong(room " must not include " path)
    } else if ($0 ~ "\"" && path != "version.inc" && path != "page_hashes.inc") wrong("\"" path "\" does not begin at the root")
    if (path ~ /^(hdf5|hdf5_hl|H5[A-Za-z]*)\.h$/) need("hdf5")
    if (path ~ /^(zlib|zconf)\.h$/) need("zlib")
    if (path ~ /^archive(_entry)?\.h$/) need("libarchive")
    if (path ~ /^gsl\//) need("gsl")
    if (path ~ /^nettle\//) need("nettle")
    if (path == "mpi.h" && FILENAME != "core/system/ranks.c") wrong("only core/system/ranks.c may include mpi.h")
    if (path == "omp.h") need("openmp")
}
/^[ \t]*#[ \t]*pragma[ \t]+omp/ || /_OPENMP/ || /_Pragma\([ \t]*"omp/ { need("openmp") }
END {
    if (!files) print "layers: the directory has no source files"
    exit bad || !files
}'

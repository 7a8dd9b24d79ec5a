#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/layers.sh [ROOT]: fails if an #include crosses the layers of the design (each room may
# include itself and the rooms to its left):
#   core <- datasets <- selfplay <- tuner <- bench, tests
# Inside a room, the README has a table of its folders. A folder may include itself and the folders
# above it in the table, so no folders include each other in a circle. If an #include breaks the
# order and closes a circle, the message shows the circle. Files at the top of a room, such as
# commands, may include all its folders, but no folder may include them; in tests it is the other
# way round for headers.
# Also fails if the path of an #include does not begin at the root of the source tree, or if a room
# uses a library that it may not use. tests/cli/layers.sh tests this check.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

# shellcheck disable=SC2016 # the program is awk's
{
    ls core/README.md datasets/README.md selfplay/README.md tuner/README.md bench/README.md tests/README.md 2>/dev/null
    for room in core datasets selfplay tuner bench tests paotai.c; do
        [ ! -e "$room" ] || find "$room" -name '*.[ch]' -o -name '*.def' -o -name '*.inc'
    done | sort
} | xargs awk '
BEGIN {
    # Table: what each room may include, and which libraries and pragmas beyond the C library it may
    # use.
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
# Returns the folder of a file, such as "core/board"; "core/" for a file at the top of the room.
function folder_of(file,    parts, n) {
    n = split(file, parts, "/")
    return parts[1] "/" (n > 2 ? parts[2] : "")
}
# Returns the place of the folder of a file in the order of its room; 0 if the README does not list
# the folder.
function place_of(file,    folder) {
    folder = folder_of(file)
    if (folder !~ /\/$/) return place[folder]
    return room == "tests" && file ~ /\.(h|def)$/ ? 1 : 1000
}
# Returns the shortest way of includes from a folder to another one, or "" if there is none.
function way(from, to,    queue, head, tail, seen, next_ones, n, i, step, path) {
    queue[tail = 1] = from
    seen[from] = from
    for (head = 1; head <= tail; head++) {
        n = split(uses[queue[head]], next_ones, " ")
        for (i = 1; i <= n; i++) {
            if (next_ones[i] in seen) continue
            seen[next_ones[i]] = queue[head]
            queue[++tail] = next_ones[i]
        }
    }
    if (!(to in seen)) return ""
    path = to
    for (step = to; step != from; step = seen[step]) path = seen[step] " -> " path
    return path
}
FNR == 1 { room = FILENAME; sub("/.*", "", room) }
# The folders of a table of a README, from the first cell of each row: NAME/ in backquotes.
FILENAME ~ /README\.md$/ {
    if ($0 !~ /^\| `[^|]*\//) next
    split($0, cells, "|")
    gsub(/[`,]/, " ", cells[2])
    count = split(cells[2], words, " ")
    for (i = 1; i <= count; i++) {
        if (words[i] !~ /^[a-z]+\/$/ || room "/" substr(words[i], 1, length(words[i]) - 1) in place) continue
        place[room "/" substr(words[i], 1, length(words[i]) - 1)] = ++places + 1
    }
    next
}
FNR == 1 {
    files++
    here = folder_of(FILENAME)
    if (is_room[room] && !place_of(FILENAME) && !missing[here]++) {
        wrong(room "/README.md has no line of its table of folders for " substr(here, length(room) + 2) "/")
    }
}
/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    path = $0
    sub(/^[^"<]*["<]/, "", path)
    sub(/[">].*/, "", path)
    first = path
    sub("/.*", "", first)
    if (path ~ /(^|\/)\.\.?\//) wrong("\"" path "\" does not begin at the root")
    else if (is_room[first] && path ~ "/") {
        if (!has(reach[room], first)) wrong(room " must not include " path)
        there = folder_of(path)
        if (first == room && there != here) {
            if (!has(uses[here], there)) uses[here] = uses[here] " " there
            if (place_of(path) > place_of(FILENAME)) {
                order[++disordered] = FILENAME ":" FNR ": " here " must not include " path ": "
                from[disordered] = here
                to[disordered] = there
            }
        }
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
    for (i = 1; i <= disordered; i++) {
        circle = way(to[i], from[i])
        room = from[i]
        sub("/.*", "", room)
        if (to[i] ~ /\/$/) print order[i] "files at the top of a room stand above its folders"
        else if (circle != "") print order[i] "this closes the circle " from[i] " -> " circle
        else print order[i] room "/README.md does not list " to[i] " above it"
    }
    if (!files) print "layers: the directory has no source files"
    exit bad || disordered || !files
}'

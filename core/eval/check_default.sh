#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_default.sh CC FILE: fails if the weight file has a term that is not in weights.def, or a
# term with another number of values than weights.def says. The message names the line to remove.
# make runs this script in the root folder.
printf '#define WEIGHT(name, count, ...) @ name count\n#include "core/eval/weights.def"\n' |
    $1 -E -P -I. - | tr '@' '\n' | awk '
    FNR == NR { if (NF == 2) pairs[$1] = $2; next }
    /^[ \t]*(#|$)/ || $1 == "schema" { next }
    !($1 in pairs) {
        printf "%s:%d: weights.def has no term %s: remove this line: %.60s...\n", FILENAME, FNR, $1, $0
        bad = 1
        next
    }
    NF - 1 != 2 * pairs[$1] {
        printf "%s:%d: %s has %d values here, and %d pairs in weights.def: remove this line, then fit the term again: %.60s...\n", FILENAME, FNR, $1, NF - 1, pairs[$1], $0
        bad = 1
    }
    END { exit bad }' - "$2" >&2

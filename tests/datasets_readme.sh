#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/datasets_readme.sh: prints datasets/README.md with tables made from columns.def and
# reasons.def between the lines `<!-- columns: begin -->` and `<!-- columns: end -->`.
set -u
cd "$(dirname "$0")/.." || exit 2
file=datasets/README.md
if [ "$(grep -c '^<!-- columns: \(begin\|end\) -->' "$file")" -ne 2 ]; then
    echo "readme: $file must have one line '<!-- columns: begin -->' and one line '<!-- columns: end -->'" >&2
    exit 1
fi
sed '/^<!-- columns: begin/q' "$file"
printf '\n| data set | type | unit | meaning |\n|---|---|---|---|\n'
sed -nE 's/^([A-Z]+)_COLUMN\((\w+), (\w+), "([^"]*)", "(.*)"\)$/| `\/\1\/\2` | \3 | \4 | \5 |/p' datasets/store/columns.def |
    sed -E 's/`\/GAME/`\/games/; s/`\/PLY/`\/plies/; s/`\/POSITION/`\/positions/; s/`\/TAG/`\/tags/
        s/\| U([0-9]+) \|/| uint\1 |/; s/\| I([0-9]+) \|/| int\1 |/; s/\| MOVE \|/| uint16 |/; s/\| TIME \|/| uint32 |/; s/` \| KEY \|/`, optional | uint64 |/; s/\| SQUARES \|/| uint8[32] |/
        s/\| NAME \|/| char[24] |/; s/\| VALUE \|/| char[104] |/'
printf '\n| unit | values |\n|---|---|\n| enum side | 0 red; 1 black |\n| enum result | 1 red wins; 0 draw; -1 black wins; 2 unknown |\n| enum reason |'
sed -nE 's/^END_REASON\(\w+, "([^"]*)", "(.*)"\)$/\1: \2/p' core/rules/reasons.def | awk '{ printf "%s %d %s", (NR > 1 ? ";" : ""), NR - 1, $0 } END { print " |\n" }'
sed -n '/^<!-- columns: end/,$p' "$file"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/datasets_readme.sh PROGRAM: datasets/README.md with the tables of this program between its marks.
set -u
cd "$(dirname "$0")/.." || exit 2
file=datasets/README.md
for mark in columns provenance; do
    if [ "$(grep -c "^<!-- $mark: \(begin\|end\) -->" "$file")" -ne 2 ]; then
        echo "readme: $file wants the lines '<!-- $mark: begin -->' and '<!-- $mark: end -->'" >&2
        exit 1
    fi
done
sed '/^<!-- columns: begin/q' "$file"
echo
"$1" data columns || exit 1
echo
sed -n '/^<!-- columns: end/,/^<!-- provenance: begin/p' "$file"
echo
"$1" data columns --provenance || exit 1
echo
sed -n '/^<!-- provenance: end/,$p' "$file"

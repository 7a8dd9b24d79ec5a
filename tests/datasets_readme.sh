#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/datasets_readme.sh PROGRAM: datasets/README.md with the table of this program between its marks.
set -u
cd "$(dirname "$0")/.." || exit 2
file=datasets/README.md
if [ "$(grep -c '^<!-- columns: \(begin\|end\) -->' "$file")" -ne 2 ]; then
    echo "readme: $file wants the lines '<!-- columns: begin -->' and '<!-- columns: end -->'" >&2
    exit 1
fi
sed '/^<!-- columns: begin/q' "$file"
echo
"$1" data columns || exit 1
echo
sed -n '/^<!-- columns: end/,$p' "$file"

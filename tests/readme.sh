#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/readme.sh PROGRAM: README.md with the option tables of this program between its two marks.
set -u
cd "$(dirname "$0")/.." || exit 2
for mark in begin end; do
    [ "$(grep -c "^<!-- options: $mark" README.md)" -eq 1 ] || {
        echo "readme: README.md wants one line '<!-- options: $mark ... -->'" >&2
        exit 1
    }
done
sed '/^<!-- options: begin/q' README.md
echo
"$1" help --markdown || exit 1
sed -n '/^<!-- options: end/,$p' README.md

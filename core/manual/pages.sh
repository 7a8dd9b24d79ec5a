#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# core/manual/pages.sh PROGRAM DIR: writes the manual, paotai.1 and a page for each command, into DIR.
set -eu
program=$1 dir=$2 here=$(dirname "$0")
rm -rf "$dir" && mkdir -p "$dir"
"$program" help --man | awk -v dir="$dir" '/^\.TH / { close(page); page = dir "/" $2 ".1" } { print >page }'
"$program" help --completion | cut -d : -f 1 | while read -r command; do
    page=paotai-$(echo "$command" | tr ' ' -)
    echo ".TP"
    echo ".BR $page (1)"
    sed -n '/^\.SH NAME/ { n; s/^[^ ]* \\- //p; }' "$dir/$page.1"
done >"$dir/commands"
sed -e "s/@VERSION@/$("$program" --version | sed -n 's/^paotai //p')/" -e "/^@COMMANDS@/r $dir/commands" -e '/^@COMMANDS@/d' \
    "$here/paotai.1" >"$dir/paotai.1"
rm "$dir/commands"

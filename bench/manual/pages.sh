#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench/manual/pages.sh PROGRAM DIR: writes the manual into DIR: paotai.1 and a page for each
# command, made from its --help.
set -eu
program=$1 dir=$2 here=$(dirname "$0")
# The pages are made from --help. It must not break lines, because man breaks them to its own width.
export COLUMNS=1000
version=$("$program" --version | sed -n 's/^paotai //p')
rm -rf "$dir" && mkdir -p "$dir"
# The list of commands has headings of groups ("Tune:") and lines "  COMMAND  SUMMARY".
"$program" --help | sed -n '/^[A-Z][a-z ]*:$/,$p' | sed '/^A first day:$/,/^$/d; /^$/d; s/^  \(.*[^ ]\)   *[^ ].*/\1/' | while read -r command; do
    case $command in *:) echo ".SS ${command%:}"; continue ;; esac
    page=paotai-$(echo "$command" | tr ' ' -)
    # shellcheck disable=SC2086
    "$program" $command --help | LC_ALL=C awk -v name="$command" -v page="$page" -v version="$version" -f "$here/page.awk" >"$dir/$page.1"
    echo ".TP"
    echo ".BR $page (1)"
    sed -n '/^\.SH NAME/ { n; s/^[^ ]* \\- //p; }' "$dir/$page.1"
done >"$dir/commands"
sed -e "s/@VERSION@/$version/" -e "/^@COMMANDS@/r $dir/commands" -e '/^@COMMANDS@/d' "$here/paotai.1" >"$dir/paotai.1"
rm "$dir/commands"

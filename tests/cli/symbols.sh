#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No function or variable is defined in two of the libraries: the linker would silently take the first.
set -u
. tests/checks.sh
command -v nm >/dev/null 2>&1 || skip symbols_defined_once "no nm (binutils)"
twice=$(for library in "$(dirname "$PAOTAI")"/lib*.a; do
    nm --defined-only --extern-only -P "$library" 2>/dev/null |
        awk -v library="${library##*/}" '$2 ~ /^[TDBRC]$/ { print $1, library }' | sort -u
done | sort | awk '$1 == last { print $1 ": " before " " $2 } { last = $1; before = $2 }')
result symbols_defined_once "$twice"
finish

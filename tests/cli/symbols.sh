#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No function or variable is defined in two of the libraries: the linker would silently take the first.
set -u
if ! command -v nm >/dev/null 2>&1; then
    echo "SKIP symbols_defined_once: no nm (binutils)"
    exit 0
fi
twice=$(for library in "$(dirname "$PAOTAI")"/lib*.a; do
    nm --defined-only --extern-only -P "$library" 2>/dev/null |
        awk -v library="${library##*/}" '$2 ~ /^[TDBRC]$/ { print $1, library }' | sort -u
done | sort | awk '$1 == last { print $1 ": " before " " $2 } { last = $1; before = $2 }')
if [ -z "$twice" ]; then
    echo "PASS symbols_defined_once"
else
    printf '%s\nFAIL symbols_defined_once: the lines above\n' "$twice"
    exit 1
fi

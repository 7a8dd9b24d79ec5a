#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page_hashes.sh FILE...: prints a line PAGE_PART("FILE", "'sha256-HASH'") for each style sheet or
# script that is embedded in pages. HASH is the SHA-256 of its bytes in base64, as a
# Content-Security-Policy names it (core/command/page.c).
set -eu
for file; do
    # The escapes \NNN are octal, the only ones that every printf knows.
    bytes=$(sha256sum <"$file" | awk '{
        for (i = 1; i < 64; i += 2)
            printf "\\%03o", 16 * (index("0123456789abcdef", substr($1, i, 1)) - 1) + index("0123456789abcdef", substr($1, i + 1, 1)) - 1
    }')
    # shellcheck disable=SC2059
    printf "PAGE_PART(\"%s\", \"'sha256-%s'\")\n" "$file" "$(printf "$bytes" | base64)"
done

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# kill -9 at random moments, some of `make crash-test`'s 1,000.
set -u
python3 tests/crash.py "$PAOTAI" "$PAOTAI_SCRATCH/crash" "$([ "$PAOTAI_FULL" = 1 ] && echo 200 || echo 12)" 1

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Kills runs with kill -9 at random moments: a small part of the 1,000 kills of `make crash-test`.
set -u
python3 tests/crash.py "$PAOTAI" "$PAOTAI_SCRATCH/crash" "$([ "$PAOTAI_FULL" = 1 ] && echo 200 || echo 12)" 1

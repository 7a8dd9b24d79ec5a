#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Kills runs with kill -9, 200 times: about half of the kills come at random moments, the others
# while the run writes a shard. This script takes long, so it runs only in `make test-full`.
# `make crash-test` kills 1,000 times. `make test` runs faults.py: for each command that writes
# files, it selects a few file operations and kills the command there.
set -u
. tests/checks.sh
[ "$PAOTAI_FULL" = 1 ] || skip crash "takes long, make test-full"
python3 tests/crash.py "$PAOTAI" "$out/crash" 200 1

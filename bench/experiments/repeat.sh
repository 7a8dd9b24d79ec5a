#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# repeat.sh NUMBER: prints an entry of the log and runs its script. Without a script it names the
# revision and the command with which the entry was made. `make experiment E=NUMBER` calls it.
set -eu
cd "$(dirname "$0")/../.."
name=${1#E-}
number=$(printf '%.3s' "$name")
entry=bench/experiments/E-$number.md
script=bench/experiments/e$name.py
if [ -z "$name" ] || [ ! -f "$entry" ]; then
    echo "experiment: there is no entry '$1'; the table in experiments.md lists all of them, for example: make experiment E=105" >&2
    exit 2
fi
cat "$entry"
if [ -f "$script" ]; then
    echo "--- $script repeats it:"
    "${MAKE:-make}" -s all
    exec /usr/bin/python3 "$script"
fi
echo "--- E-$number has no script. Build its revision (git worktree add DIR REVISION; make -C DIR) and run its command:"
awk '/^[a-z]/ { shown = $1 == "revision" || $1 == "command" } /^### / { shown = 0 } shown' "$entry"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the one check of the memory for all hash tables of a command: each thread and each player has
# a table. One table of $hash MB would fit, the tables of four threads do not.
set -u
. tests/checks.sh
hash=$(awk '/^MemTotal/ { mb = int($2 * 0.4 / 1024); print (mb > 65536 ? 65536 : mb) }' /proc/meminfo)
"$PAOTAI" selfplay --games 2 --nodes 10 --opening-nodes 20 --max-plies 20 --quiet --out "$out/games" >/dev/null
# too_large NAME MB COMMAND...: the command is refused, and the message has the memory of a thread and
# the limit.
too_large() {
    name=$1 each=$2
    shift 2
    refuse "memory_$name" 1 "4 threads with $each MB each" "$PAOTAI" "$@" --threads 4
    grep -qE 'hash tables of [0-9]+ MB are too large: the limit is [0-9]+ MB' "$out/refuse.err" || fail "$name" "no limit: $(cat "$out/refuse.err")"
}
too_large selfplay $((2 * hash)) selfplay --games 64 --hash "$hash" --out "$out/selfplay"
too_large rescore "$hash" rescore --hash "$hash" --out "$out/rescored" "$out/games"
too_large match $((2 * hash + 1)) match --a "hash=$hash" --b "hash=$hash,weights=classic"
too_large program $((hash + 2)) match --a nodes=10 --b "cmd=$PAOTAI,hash=$hash,nodes=10"
too_large tournament $((2 * hash + 2)) tournament "hash=$hash" "hash=$hash,nodes=5" hash=1,nodes=6
too_large spsa $((2 * hash + 1)) spsa --param razor_margin --player "hash=$hash"
too_large book "$hash" book make --count 2 --player "hash=$hash,nodes=10" --out "$out/book.epd"
too_large variant_match $((2 * hash)) variant match supply --hash "$hash" --pairs 64
too_large variant_selfplay $((2 * hash)) variant selfplay banqi --hash "$hash" --games 64 --out "$out/banqi"
[ ! -e "$out/selfplay" ] && [ ! -e "$out/rescored" ]
ok memory_nothing_made "a refused command made its directory" $?
finish

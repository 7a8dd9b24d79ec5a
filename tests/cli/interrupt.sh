#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One Ctrl-C ends each command that plays or searches, also during a search with a huge node limit.
# The search is abandoned after one second, and its game is not stored.
set -u
. tests/checks.sh
huge=1000000000000
"$PAOTAI" selfplay --games 2 --nodes 10 --opening-nodes 20 --max-plies 20 --quiet --out "$out/games" >/dev/null
# stops NAME COMMAND...: starts the command in the background, sends SIGINT when it has worked for a
# moment, and requires the exit status 130. kill -0 in `works` sees the end.
stops() {
    name=$1
    shift
    "$PAOTAI" "$@" >"$out/$name.txt" 2>&1 &
    pid=$!
    wait_until works $pid 20
    kill -INT $pid
    for _ in $(seq 1200); do
        kill -0 $pid 2>/dev/null || break
        sleep 0.05
    done
    kill -KILL $pid 2>/dev/null && echo "$name: it still works a minute after Ctrl-C"
    wait $pid
    status=$?
    [ $status -eq 130 ] || { echo "$name: exit status $status" && tail -n 2 "$out/$name.txt"; }
}
result interrupt_search "$(
    stops selfplay selfplay --games 2 --nodes $huge --opening-nodes 20 --out "$out/selfplay"
    [ "$(find "$out/selfplay" -name '*.h5' | wc -l)" = 0 ] || echo "an abandoned game was stored"
    stops openings selfplay --games 2 --nodes 10 --opening-nodes $huge --out "$out/openings"
    stops match match --a nodes=$huge,threads=2 --b nodes=$huge --opening-nodes 20 --pairs 1
    stops rescore rescore --nodes $huge --out "$out/rescored" "$out/games"
    stops book book make --method tree --tree-nodes $huge --count 3 --out "$out/book.epd"
    stops variant variant match supply --pairs 1 --nodes $huge
)"
finish

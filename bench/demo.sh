#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench/demo.sh PROGRAM OUT_DIR: runs three generations, starting from the classic piece values. A
# generation plays games, fits weights to them, and accepts the weights if they win a match. In a
# final match, the last accepted weights play against the compiled default weights. The script
# writes only to OUT_DIR. These environment variables change the duration: DEMO_GAMES (games per
# generation), DEMO_NODES (nodes per move in the generations; the final match always has 1,000),
# DEMO_GATE (largest number of game pairs in the match of a generation) and DEMO_PAIRS (game pairs of
# the final match).
set -eu
[ $# -eq 2 ] || { echo "usage: sh bench/demo.sh PROGRAM OUT_DIR" >&2; exit 2; }
paotai=$1 out=$2
games=${DEMO_GAMES:-2000} pairs=${DEMO_PAIRS:-300} nodes=${DEMO_NODES:-250} gate=${DEMO_GATE:-500}
threads=$(nproc)
began=$(date +%s)
mkdir -p "$out"
# Remove the files of an earlier demo, and print their names.
for old in "$out/loop" "$out"/*.txt "$out"/*.html; do
    [ -e "$old" ] || continue
    echo "removes $old, which an earlier demo made"
    rm -rf "$old"
done

# step FILE TITLE COMMAND...: prints the title and the command, and writes the command's output to
# FILE.
step() {
    file=$out/$1
    echo
    echo "== $2"
    shift 2
    echo "   $*"
    started=$(date +%s)
    if ! "$@" >"$file"; then
        tail -n 20 "$file" >&2
        echo "demo: this step failed; its output is $file" >&2
        exit 1
    fi
    echo "   $(($(date +%s) - started)) s"
}
# value NAME: prints the value of the key NAME from the output of the final match.
value() { sed -n "s/^$1 //p" "$out/match.txt"; }

step loop.txt "1. three generations of $games games, from the classic piece values: play, fit, match" \
    "$paotai" loop --generations 3 --games "$games" --nodes "$nodes" --pairs "$gate" --weights classic --threads "$threads" --out "$out/loop"
sed 's/^/   /' "$out/loop.txt"
step match.txt "2. $((2 * pairs)) games against the compiled default weights; each opening is played with both colours" \
    "$paotai" match --a "weights=$out/loop/champion.txt,name=champion" --b weights=default --nodes 1000 --pairs "$pairs" --threads "$threads" --seed 2 --out "$out/match"
step report.txt "3. a report with pictures of the fitted weights" \
    "$paotai" report --data "$out/loop/gen-003/games" --match "$out/match" --threads "$threads" --out "$out/report.html" \
    "$out/loop/champion.txt"

seconds=$(($(date +%s) - began))
echo
echo "== results, after $((seconds / 60)) min $((seconds % 60)) s"
printf 'three generations against the default, at 1000 nodes a move: %s\n\n' "$(value verdict)"
echo "$out/loop/strength.html   the strength of each generation; open it in a browser"
echo "$out/report.html          the weights in pictures; open it in a browser"
echo "$out/loop/champion.txt    the weights ($paotai weights show $out/loop/champion.txt)"
echo "$out/loop/log.md          the commands of each generation"
echo "$out/match.txt            all results of the final match"

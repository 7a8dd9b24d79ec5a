#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench/demo.sh PROGRAM OUT_DIR: runs three generations, starting from the classic piece values. A
# generation plays games, fits weights to them, and accepts the weights if they win a match. Then the
# last accepted weights play against the start and against the compiled default weights. The script
# writes only to OUT_DIR. QUICK=1 shows a first result in about a minute. These environment variables
# change the duration: DEMO_GAMES (games per generation), DEMO_NODES (nodes per move in the
# generations; the final match always has 1,000), DEMO_GATE (largest number of game pairs in the match
# of a generation), DEMO_DIRECT (game pairs against the start) and DEMO_PAIRS (game pairs against
# `default`).
set -eu
[ $# -eq 2 ] || { echo "usage: sh bench/demo.sh PROGRAM OUT_DIR" >&2; exit 2; }
paotai=$1 out=$2
if [ -n "${QUICK:-}" ]; then
    DEMO_GAMES=${DEMO_GAMES:-300} DEMO_PAIRS=${DEMO_PAIRS:-40} DEMO_DIRECT=${DEMO_DIRECT:-100}
fi
direct=${DEMO_DIRECT:-300}
games=${DEMO_GAMES:-2000} pairs=${DEMO_PAIRS:-300} nodes=${DEMO_NODES:-250} gate=${DEMO_GATE:-500}
threads=$(nproc)
began=$(date +%s)
mkdir -p "$out"
# Remove the files of an earlier demo, and print their names.
for old in "$out/loop" "$out/match" "$out"/*.txt "$out"/*.html; do
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
# value FILE NAME: prints the value of the key NAME from the output of a step.
value() { sed -n "s/^$2 //p" "$out/$1"; }

step loop.txt "1. three generations of $games games, from the classic piece values: play, fit, match" \
    "$paotai" loop --generations 3 --games "$games" --nodes "$nodes" --pairs "$gate" --direct-pairs "$direct" --weights classic --threads "$threads" --out "$out/loop"
sed -n 's/^generation/   &/p' "$out/loop.txt"
echo "   (the loss is measured on games that the fit did not see, so it can rise; the match decides)"
step match.txt "2. $((2 * pairs)) games against the compiled default weights; each opening is played with both colours" \
    "$paotai" match --a "weights=$out/loop/champion.txt,name=champion" --b weights=default --nodes 1000 --pairs "$pairs" --threads "$threads" --seed 2 --out "$out/match"
direct_dir=$(value loop.txt direct_dir) # empty if no candidate was promoted
step report.txt "3. a report with pictures of the fitted weights" \
    "$paotai" report --data "$out/loop/gen-003/games" ${direct_dir:+--match "$direct_dir"} --threads "$threads" --out "$out/report.html" \
    "$out/loop/champion.txt"

seconds=$(($(date +%s) - began))
# Without "A (...) is stronger than B (...): ", a verdict is short enough for the table.
short() {
    sed 's/^A ([^)]*) is \([a-z]*\) than B ([^)]*): /\1: /; s/: A ([^)]*) against B ([^)]*), /: /
        s/^A ([^)]*) and B ([^)]*) are level/level/; s/; .*//'
}
echo
echo "== results"
echo "start to champion     $(value loop.txt direct_verdict | short)"
echo "champion to default   $(value match.txt verdict | short); the default was fitted to 76,279 games of the network (E-074)"
echo "time                  $((seconds / 60)) min $((seconds % 60)) s"
echo "pages to open         $out/report.html (the weights in pictures) $out/loop/strength.html (the generations)"
echo
echo "Next:"
echo "you have an engine    $paotai match --a cmd=./your-engine,nodes=1000 --b weights=$out/loop/champion.txt,nodes=1000 --pairs 20"
echo "you have a question   $paotai weights show $out/loop/champion.txt"
echo "you want to play      $paotai play --weights $out/loop/champion.txt"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench/demo.sh PROGRAM OUT_DIR: the whole loop once, from the piece values of the books to fitted
# weights and a match that shows what they are worth. Writes only in OUT_DIR.
# DEMO_GAMES, DEMO_PAIRS, DEMO_NODES make it longer or shorter.
set -eu
[ $# -eq 2 ] || { echo "usage: sh bench/demo.sh PROGRAM OUT_DIR" >&2; exit 2; }
paotai=$1 out=$2
games=${DEMO_GAMES:-4000} pairs=${DEMO_PAIRS:-300} nodes=${DEMO_NODES:-1000}
threads=$(nproc)
began=$(date +%s)
mkdir -p "$out"
# What an earlier demo left there: named, then removed.
for old in "$out/games" "$out"/*.txt "$out"/*.svg "$out"/*.html; do
    [ -e "$old" ] || continue
    echo "removes $old, of an earlier demo"
    rm -rf "$old"
done

# step FILE TITLE COMMAND...: says what is done, keeps the command's output in FILE.
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
# value NAME: of a key-value line of the match.
value() { sed -n "s/^$1 //p" "$out/match.txt"; }

step selfplay.txt "1. $games games of the classic piece values against themselves" \
    "$paotai" selfplay --games "$games" --nodes "$nodes" --weights classic --threads "$threads" --seed 1 --out "$out/games"
step verify.txt "2. every game replayed through the rules" "$paotai" data verify "$out/games"
step tune.txt "3. weights fitted to the outcomes" \
    "$paotai" tune "$out/games" --threads "$threads" --out "$out/fitted.txt"
step match.txt "4. $((2 * pairs)) games, fitted against classic, each opening both ways" \
    "$paotai" match --a "weights=$out/fitted.txt" --b weights=classic \
    --pairs "$pairs" --nodes "$nodes" --threads "$threads" --seed 2
step report.txt "5. a report with pictures of what was learned" \
    "$paotai" report --data "$out/games" --match "$out/match.txt" --threads "$threads" --out "$out/report.html" "$out/fitted.txt"

seconds=$(($(date +%s) - began))
echo
echo "== what came out, after $((seconds / 60)) min $((seconds % 60)) s"
sed -n '/^piece value/,/^games /{/^games /!p;}' "$out/tune.txt"
echo
printf 'fitted against classic: Elo %.0f +- %.0f (95 %%), %s won, %s drawn, %s lost\n' \
    "$(value elo)" "$(value elo_error95)" "$(value wins)" "$(value draws)" "$(value losses)"
echo
echo "$out/games         the games and positions (paotai data info $out/games)"
echo "$out/fitted.txt    the weights            (paotai weights show $out/fitted.txt)"
echo "$out/match.txt     the match in full"
echo "$out/report.html   all of it in pictures: open it in a browser"

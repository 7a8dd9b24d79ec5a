#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# claims.sh GAMES SEED: measures the learning curve of tuner/README.md again, for bench/claims.tsv. Plays GAMES and BASE (1,000)
# games of the classic values, fits weights to each, and prints the match of the first fit against the second one.
set -eu
P=${PAOTAI:-build/paotai}
dir=build/claims
base=${BASE:-1000}
mkdir -p "$dir"
for n in "$1" "$base"; do
    games=$dir/games-$2-$n
    [ -d "$games" ] || "$P" selfplay --games "$n" --weights classic --nodes 250 --seed "$2" --threads 1 --quiet --out "$games" >/dev/null
    "$P" tune "$games" --weights classic --threads 1 --quiet --out "$dir/fit-$2-$n.txt" >/dev/null
done
exec "$P" match --a "weights=$dir/fit-$2-$1.txt" --b "weights=$dir/fit-$2-$base.txt" --nodes 250 --pairs "${PAIRS:-400}" --seed "$2" --threads 1 --quiet

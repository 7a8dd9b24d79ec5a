#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# claims.sh WHAT ARGUMENTS: measures a number of a README again, for bench/claims.tsv. Prints lines `KEY VALUE`: the results of a
# match, or the measured number. Games and fits are kept in CLAIMS (build/claims) and used again. THREADS (1) changes only the time.
set -eu
P=${PAOTAI:-build/paotai}
dir=${CLAIMS:-build/claims}
threads=${THREADS:-1}
mkdir -p "$dir"

# games NAME OPTIONS...: plays or completes a run, prints its path.
games() {
    run=$dir/$1
    shift
    [ ! -d "$run" ] || set -- "$@" --resume
    "$P" selfplay "$@" --threads "$threads" --quiet --out "$run" >/dev/null
    echo "$run"
}
# best GAMES: the first GAMES games of `best` at 400 nodes, in parts that the rows share; prints their paths.
best() {
    from=0
    for to in 6000 26000 56000 104000; do
        [ "$to" -gt "$1" ] || games "best-$from-$to" --weights best --games "$from:$to" --nodes 400
        from=$to
    done
}
# once PATH COMMAND...: makes a file or directory, unless an earlier call has finished it.
once() {
    path=$1
    shift
    [ ! -e "$path.done" ] || return 0
    rm -rf "$path" "$path.part"
    "$@" >/dev/null
    : >"$path.done"
}
# duel A B OPTIONS...: a match; prints its results.
duel() {
    a=$1 b=$2
    shift 2
    "$P" match --a "$a" --b "$b" --threads "$threads" --quiet "$@"
}
# peak COMMAND...: prints the largest memory of a command in bytes.
peak() { python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"; }
positions() { "$P" data info "$1" | sed -n 's/^positions //p'; }

case $1 in
demo) # the demo of the root README
    sh bench/demo.sh "$P" "$dir/demo" >/dev/null
    cat "$dir/demo/match.txt"
    ;;
curve) # GAMES SEED: a fit to GAMES games of `classic` against the fit to BASE (1,000) games
    base=${BASE:-1000}
    for n in "$2" "$base"; do
        run=$(games "classic-$3-$n" --games "$n" --weights classic --nodes 250 --seed "$3")
        once "$dir/classic-$3-$n.txt" "$P" tune "$run" --weights classic --threads "$threads" --quiet --out "$dir/classic-$3-$n.txt"
    done
    duel "weights=$dir/classic-$3-$2.txt" "weights=$dir/classic-$3-$base.txt" --nodes 250 --pairs "${PAIRS:-400}" --seed "$3"
    ;;
onto) # GAMES: a fit to games of `default` that starts from it, against it
    run=$(games "default-$2" --games "$2" --nodes 300 --seed "$2")
    once "$dir/onto-$2.txt" "$P" tune "$run" --weights default --threads "$threads" --quiet --out "$dir/onto-$2.txt"
    duel "weights=$dir/onto-$2.txt" weights=default --nodes 500 --pairs 500 --seed 63
    ;;
network) # GAMES: a network fitted to games of `best`, against `default`
    runs=$(best "$2")
    # shellcheck disable=SC2086 # a list of directories
    once "$dir/n$2.net" "$P" train $runs --weights default --seed 5 --valid-fraction 0.05 --test-fraction 0.05 --batch 16384 --rate 0.0015 \
        --epochs 6 --units 128 --threads "$threads" --match-pairs 0 --quiet --out "$dir/n$2.net"
    duel "weights=$dir/n$2.net" weights=default --nodes 5000 --pairs 150 --seed 302
    ;;
own) # GAMES NODES: a network fitted to games of `default` with the options of the recipe, against `default`
    run=$(games "default-own-$2" --weights default --games "$2" --nodes 200 --seed 6700)
    once "$dir/own-$2.net" "$P" train "$run" --weights default --threads "$threads" --match-pairs 0 --keep --quiet --out "$dir/own-$2.net"
    duel "weights=$dir/own-$2.net" weights=default --nodes "$3" --pairs 200 --seed 67
    ;;
round) # NEW OLD: the networks `best` of two revisions of this repository
    for rev in "$2" "$3"; do git show "$rev:core/eval/network_default.net" >"$dir/$rev.net"; done
    duel "weights=$dir/$2.net" "weights=$dir/$3.net" --nodes 5000 --pairs 500 --seed 108
    ;;
fairy) # GAMES LAMBDA EPOCHS OTHER: a network of the other shape, against `default` or a lambda
    runs=$(best "$2")
    for lambda in "$3" "$5"; do
        # shellcheck disable=SC2086
        [ "$lambda" = default ] || once "$dir/xiangqi-$2-$lambda.nnue" "$P" train $runs --shape fairy --rate 0.002 --decay 1 --lambda "$lambda" \
            --epochs "$4" --match-pairs 0 --keep --threads "$threads" --quiet --out "$dir/xiangqi-$2-$lambda.nnue"
    done
    other=default
    [ "$5" = default ] || other=$dir/xiangqi-$2-$5.nnue
    duel "weights=$dir/xiangqi-$2-$3.nnue" "weights=$other" --nodes 5000 --pairs "${PAIRS:-100}" --seed 177
    ;;
generations) # two commands from the book values to a network, against `default`
    once "$dir/lin" "$P" loop --generations 3 --games 2000 --nodes 250 --weights classic --direct-pairs 0 --threads "$threads" --quiet --out "$dir/lin"
    once "$dir/net" "$P" loop --train --weights "$dir/lin/champion.txt" --generations 3 --games 12000 --nodes 400 --window 4 --direct-pairs 0 \
        --selfplay-options '--opening-window 250 --resign-score 2000 --max-plies 250' --tune-options '--epochs 6' --threads "$threads" --quiet --out "$dir/net"
    duel "weights=$dir/net/champion.net" weights=default --nodes 5000 --pairs 200 --seed 77 --resign-score 700 --draw-score 15 --max-plies 240
    ;;
pocket) # SCORES: bench/authors/pocket.c with values fitted to games and scores of this kind, against its own values
    e=$dir/pocket
    [ -e "$e" ] || gcc -O2 -I. bench/authors/pocket.c build/release/libcore.a -lnettle -o "$e"
    tuned() { # NAME ENGINE OPTIONS...: fits values to the games and compiles the engine with them
        name=$1 engine=$2
        shift 2
        once "$dir/$name.h" "$P" tune --trace "cmd=$engine" "$@" --threads "$threads" --quiet --out "$dir/$name.h"
        [ -e "$dir/$name" ] || gcc -O2 -I. -include "$dir/$name.h" bench/authors/pocket.c build/release/libcore.a -lnettle -o "$dir/$name"
    }
    rescored() { # RUN: gives the games the scores of `best`
        once "$1-scored" "$P" rescore "$1" --weights best --nodes 200 --threads "$threads" --quiet --out "$1-scored"
    }
    case $2 in
    best) run=$(games games-best --weights best --nodes 200 --games 1500) ;;
    *) run=$(games games-pocket --player "cmd=$e,depth=2" --games 1500) ;;
    esac
    rival=$e
    case $2 in
    best | own) tuned "tuned-$2" "$e" "$run" ;;
    results) tuned "tuned-$2" "$e" "$run" --lambda 1 ;;
    rescored | second)
        rescored "$run"
        tuned tuned-rescored "$e" "$run-scored"
        ;;
    esac
    if [ "$2" = second ]; then
        rival=$dir/tuned-rescored
        second=$(games games-second --player "cmd=$rival,depth=2" --games 1500 --seed 2)
        rescored "$second"
        tuned tuned-second "$rival" "$run-scored" "$second-scored"
    fi
    duel "cmd=$dir/tuned-$2,depth=2" "cmd=$rival,depth=2" --pairs 300 --seed 77
    ;;
memory) # tune|train FEW MANY: bytes of memory for each further position of short games
    for n in "$3" "$4"; do
        run=$(games "short-$n" --games "$n" --nodes 20 --opening-nodes 0)
        case $2 in
        tune) bytes=$(peak "$P" tune "$run" --weights classic --threads 1 --quiet) ;;
        train) bytes=$(peak "$P" train "$run" --linear-positions 10000 --units 32 --epochs 1 --match-pairs 0 --keep --threads 1 --quiet --out "$dir/short.net") ;;
        esac
        echo "$bytes $(positions "$run")"
    done | awk '{ if (NR == 2) print "bytes", ($1 - bytes) / ($2 - positions); bytes = $1; positions = $2 }'
    ;;
pieces) # the example of rows in tuner/README.md
    sed -n '/^```py$/,/^```$/p' tuner/README.md | grep -v '^```' >"$dir/rows.py"
    (cd "$dir" && /usr/bin/python3 rows.py)
    "$P" tune --rows "$dir/rows.h5" --lambda 1 --k 0.3 --prior-sd 100 | sed 's/ *+-/ /'
    ;;
*)
    echo "claims.sh: nothing is called '$1'" >&2
    exit 2
    ;;
esac

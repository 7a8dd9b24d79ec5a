#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# paotai sprt: its keys in both forms, counts at the edge, refusals, plans. tests/selfplay/stats_test.c has known answers.
set -u
. tests/checks.sh

keys="games wins losses draws pentanomial elo elo_error95 nelo nelo_error95 los llr lower upper decision pair_ratio draw_ratio"
stopped="elo_median ci_low ci_high los_stopped"
result sprt_command_keys "$(
    for counts in 365,16618,36229,16974,390 89,123,76; do
        plain=$("$PAOTAI" sprt --counts $counts | cut -d ' ' -f 1 | tr '\n' ' ')
        [ "$plain" = "$keys " ] || echo "keys of $counts: $plain"
        plain=$("$PAOTAI" sprt --counts $counts --stopped | cut -d ' ' -f 1 | tr '\n' ' ')
        [ "$plain" = "$keys $stopped " ] || echo "keys of $counts --stopped: $plain"
        json=$("$PAOTAI" sprt --counts $counts --json | grep -o '"[a-z0-9_]*":' | tr -d '":' | tr '\n' ' ')
        [ "$json" = "$keys " ] || echo "members of $counts --json: $json"
    done
    "$PAOTAI" sprt --counts 89,123,76 | grep -qx 'wins 76' || echo "L,D,W: no 'wins 76'"
    "$PAOTAI" sprt --counts 1,2,3,4,5 | grep -qx 'wins -' || echo "pairs: no 'wins -'"
    "$PAOTAI" sprt --counts 1,2,3,4,5 --json | grep -q '"wins":null' || echo "pairs, JSON: wins is not null"
    "$PAOTAI" sprt --counts 1,2,3,4,5 --json | grep -q '"pentanomial":\[1,2,3,4,5\]' || echo "JSON: no pentanomial"
    "$PAOTAI" sprt --model logistic --elo1 5 --counts 365,16618,36229,16974,390 | grep -qx 'decision accept_h0' || echo "no accept_h0"
    "$PAOTAI" sprt --model logistic --elo0 -3 --elo1 1 --counts 365,16618,36229,16974,390 | grep -qx 'decision accept_h1' || echo "no accept_h1"
)"

# Every number is finite, or not given.
result sprt_command_edges "$(
    most=1000000000000000
    for model in normalized logistic bayesian; do
        for counts in 0,0,0,0,0 0,0,7,0,0 9,0,0,0,0 0,0,0,0,9 0,3,0,0,0 1,0,0,0,1 $most,0,0,0,1 $most,$most,$most,$most,$most \
            0,0,0 0,9,0 9,0,0 0,0,9 $most,0,$most; do
            case $model$counts in bayesian*,*,*,*) continue ;; esac
            for elos in '0 2' '-400 400' '999 1000'; do
                printed=$("$PAOTAI" sprt --model $model --counts $counts --elo0 ${elos% *} --elo1 ${elos#* } --stopped --json) ||
                    echo "$model $counts $elos: exit status $?"
                printf '%s\n' "$printed" | sed -E 's/"(wins|losses|draws|pentanomial|pair_ratio|draw_ratio)":null//g' |
                    grep -iE 'nan|inf|null' && echo "in $model $counts $elos"
            done
        done
    done
)"

# What is level is so exactly, in every form: no dust of rounding.
result sprt_command_level "$(
    for counts in 0,0,0 0,100,0 3,1,3 0,0,0,0,0 0,0,100,0,0 1,7,3,7,1 7,0,0,0,7; do
        for model in normalized logistic; do
            out=$("$PAOTAI" sprt --model $model --elo0 -5 --elo1 5 --counts $counts --stopped)
            for line in 'elo 0' 'nelo 0' 'los 0.5' 'elo_median 0' 'los_stopped 0.5'; do
                printf '%s\n' "$out" | grep -qx "$line" || echo "$model $counts: no '$line'"
            done
            # Of no lost pair there is no ratio.
            ratio=1
            case $counts in 0,0,*) ratio=- ;; esac
            case $counts in *,*,*,*) printf '%s\n' "$out" | grep -qx "pair_ratio $ratio" || echo "$counts: no 'pair_ratio $ratio'" ;; esac
        done
        "$PAOTAI" sprt --counts $counts --json | grep -q '"elo":0,.*"nelo":0,.*"los":0.5,' || echo "$counts: not level in JSON"
    done
)"

# refuses PATTERN ARGUMENT...: exit status 2, nothing on standard output, the pattern in the message.
refuses() {
    pattern=$1
    shift
    out=$("$PAOTAI" sprt "$@" 2>"$PAOTAI_SCRATCH/err")
    status=$?
    [ $status -eq 2 ] || echo "sprt $*: exit status $status"
    [ -z "$out" ] || echo "sprt $*: prints $out"
    grep -q -- "$pattern" "$PAOTAI_SCRATCH/err" || echo "sprt $*: says $(cat "$PAOTAI_SCRATCH/err")"
}
result sprt_command_refusals "$(
    refuses '--counts' --elo0 0
    for counts in '' ',' 1 1,2 1,2,3,4 1,2,3,4,5,6 '1,2,3,4,5,' 1,2,-3 1,,3 1,2,x 1.5,2,3 ' 1,2,3' '1,2,3 ' '1,2,3,' 0x10,1,1 1e3,1,1 nan,1,1 \
        1000000000000001,0,0 99999999999999999999999999,0,0; do
        refuses '--counts' --counts "$counts"
    done
    refuses elo0 --elo0 2 --elo1 2 --counts 1,2,3
    refuses elo0 --elo0 nan --counts 1,2,3
    refuses elo1 --elo1 1001 --counts 1,2,3
    refuses elo0 --elo0 2 --elo1 0 --counts 1,2,3
    refuses alpha --alpha 0 --counts 1,2,3
    refuses beta --beta 0.5 --counts 1,2,3
    refuses model --model elo --counts 1,2,3
)"
refuse sprt_bayesian_pairs 1 L,D,W "$PAOTAI" sprt --model bayesian --counts 1,2,3,4,5

result sprt_command_plan "$(
    plan() { "$PAOTAI" sprt --plan --elo0 0 --elo1 30 --runs 40 --quiet "$@"; }
    plan --threads 1 >"$PAOTAI_SCRATCH/one" || echo "exit status $?"
    [ "$(grep -c '^true_elo' "$PAOTAI_SCRATCH/one")" = 3 ] || echo "not three plans"
    [ "$(plan --json --true-elo 12 --counts 10,200,500,190,12 | grep -c '^{"true_elo":12,.*"games_p99":[0-9]*}$')" = 1 ] ||
        echo "no JSON plan from a pilot"
    plan --max-games 10 --true-elo 15 | grep -qx 'unfinished 1' || echo "tests of ten games are finished"
)"
finish

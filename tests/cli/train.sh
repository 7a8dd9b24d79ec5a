#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai train on a small run. Also tests that match, selfplay, rescore, analyse and the UCI option EvalFile
# accept the network as weights.
set -u
. tests/checks.sh

if ! "$PAOTAI" selfplay --games 150 --nodes 60 --opening-nodes 60 --seed 7 --quiet --out "$out/run" >"$out/selfplay.txt"; then
    echo "FAIL train_run: no games to fit"
    exit 1
fi
train() { "$PAOTAI" train "$out/run" --units 32 --epochs 3 --batch 1000 --match-pairs 0 "$@"; }

train --threads 2 --out "$out/t1.net" --quiet >"$out/t1.txt" 2>"$out/t1.err"
hash=$(value hash "$out/t1.txt")
# With --alone the network learns the whole evaluation, because no linear evaluation is added to it.
# The file holds the weights of the best epoch. Rounding to whole numbers costs no accuracy.
"$PAOTAI" train "$out/run" --alone --units 32 --epochs 8 --batch 500 --test-fraction 0 --match-pairs 0 --out "$out/alone.net" --quiet >"$out/alone.txt"
check train_learns "the loss does not fall by 0.01, or the loss of the file is not that of the best epoch" awk '
    /^epoch / && $2 == 1 { first = best = $4 }
    /^epoch / && $4 < best { best = $4 }
    /^valid_loss / { file = $2 }
    END { exit !(best < first - 0.01 && file > best - 0.0005 && file < best + 0.0005) }' "$out/alone.txt"

# --start begins with the weights of a network. Additional units do not change its evaluation at
# first.
"$PAOTAI" train "$out/run" --alone --start "$out/alone.net" --units 64 --epochs 1 --rate 1e-7 --keep --test-fraction 0 --match-pairs 0 --out "$out/start.net" --quiet >"$out/start.txt"
check train_start "the loss is not that of the network it starts from" awk '
    /^valid_loss / { if (!before) before = $2; else after = $2 }
    END { exit !(before > 0.1 && after > before - 0.0005 && after < before + 0.0005) }' "$out/alone.txt" "$out/start.txt"
# With --decay 100 and --rate 0.005, a step at the full learning rate halves every weight
# except the biases, so the network of --start is lost; with --decay 0 it is kept.
for decay in 0 100; do
    "$PAOTAI" train "$out/run" --alone --start "$out/alone.net" --epochs 1 --rate 0.005 --decay $decay --keep --test-fraction 0 --match-pairs 0 --out "$out/decay.net" --quiet >"$out/decay$decay.txt"
    sed -n 's/^valid_loss //p' "$out/decay$decay.txt"
done >"$out/decay.txt"
check train_decay "weight decay does not shrink the weights" awk '
    NR == 1 { kept = $1 } NR == 2 { lost = $1 }
    END { exit !(NR == 2 && lost > kept + 0.005) }' "$out/decay.txt"
# The verdict of train has the absolute difference of two losses. It says "above" if the loss of the
# network is larger than that of the linear fit.
check train_above "the sentence about a network that is worse than the linear fit does not say 'above'" sh -c "
    grep -q '^left -0\.[0-9]*[1-9]' '$out/decay100.txt' &&
    grep -qE \"^the network's loss is [0-9.]+ \+- [0-9.]+ above that of the linear fit\" '$out/decay100.txt'"
# A fit whose best epoch is not better than its start writes no file, unless --keep is given. A fit
# that diverges stops. A step that would change the sign of weights is refused.
refuse train_rate_decay 2 "--rate 1 times --decay 100 is 100, but must be less than 1" train --rate 1 --decay 100 --out "$out/x.net"
refuse train_rate_decay_1 2 "is 1, but must be less than 1" train --rate 0.01 --decay 100 --out "$out/x.net"
worse() { "$PAOTAI" train "$out/run" --alone --start "$out/alone.net" --epochs 3 --rate 1 --decay 0.5 --match-pairs 0 --out "$out/worse.net" --quiet "$@"; }
worse >"$out/worse.txt" 2>"$out/worse.err"
check train_worse "exit status $?, or a file, or no verdict: $(tail -n 1 "$out/worse.txt")" sh -c "
    grep -q '^verdict no epoch was better than the start: the least validation loss of an epoch is [0-9.]*, that of the network before' '$out/worse.txt' &&
    grep -qx 'diverged yes' '$out/worse.txt' && [ \$(grep -c '^epoch ' '$out/worse.txt') -lt 3 ] && ! [ -e '$out/worse.net' ] && ! [ -e '$out/worse.net.part' ]"
worse --json >"$out/worse.json" 2>&1
check train_worse_status "exit status $? of a fit that was no better than its start" [ $? -eq 1 ]
worse --keep >"$out/kept.txt" 2>&1
check train_keep "exit status $? with --keep, or no file" sh -c "[ -s '$out/worse.net' ] && tail -n 1 '$out/kept.txt' | grep -qx 'network $out/worse.net'"
refuse train_start_linear 2 "not a network" "$PAOTAI" train "$out/run" --start default --out "$out/x.net"
refuse train_start_units 2 "give at least as many --units" "$PAOTAI" train "$out/run" --alone --start "$out/start.net" --units 32 --out "$out/x.net"
# The reported test loss comes from other games than those that choose the epoch.
check train_test_part "no games are kept for a test, or they are those of the validation" sh -c "
    [ $(value test_games "$out/t1.txt") -gt 0 ] && grep -q '(games of --test-fraction)$' '$out/t1.txt' &&
    [ \$(($(value games "$out/t1.txt") + $(value valid_games "$out/t1.txt") + $(value test_games "$out/t1.txt"))) -eq $(value games "$out/selfplay.txt") ] &&
    awk '/^test_linear_fit_loss / { a = \$2 } /^test_loss / { b = \$2 } /^test_left / { c = \$2 } END { exit !(a > 0 && (a - b - c) ^ 2 < 1e-12) }' '$out/t1.txt'"
"$PAOTAI" train "$out/run" --units 32 --epochs 1 --test-fraction 0 --match-pairs 2 --nodes 50 --out "$out/untested.net" --quiet >"$out/untested.txt"
check train_no_test_part "without test games the output does not say that the same games have chosen the epoch" \
    grep -q 'these games chose the best epoch' "$out/untested.txt"

check train_verdict "the output does not end with a match against the linear weights" sh -c "
    tail -n 3 '$out/untested.txt' | grep -qE '^verdict the network against --weights default: .*, 4 games\)$' &&
    grep -A 1 '^hash' '$out/untested.txt' | grep -qx 'match_games 4'"
check train_file "the last line does not name the file" [ "$(tail -n 1 "$out/untested.txt")" = "network $out/untested.net" ]
# Without search scores --lambda has no effect.
"$PAOTAI" data export --format moves --quiet "$out/run" 2>/dev/null >"$out/run.moves"
"$PAOTAI" data import --out "$out/unscored" --quiet "$out/run.moves" >/dev/null
refuse train_lambda 2 "--lambda: no position has a search score" "$PAOTAI" train "$out/unscored" --lambda 0.5 --units 32 --epochs 1 --match-pairs 0 --out "$out/x.net" --quiet
check train_lambda_default "the output does not say that the default of --lambda has no effect" sh -c "
    '$PAOTAI' train '$out/unscored' --units 32 --epochs 1 --match-pairs 0 --out '$out/x.net' 2>&1 >/dev/null | grep -q '^--lambda has no effect: no position has a search score'"
refuse train_pairs 2 "--match-pairs" train --match-pairs 18446744073709551615 --out "$out/x.net"
refuse train_k 2 "must be 0 or at least 1e-05" train --k 1e-320 --out "$out/x.net"
refuse train_nodes 2 "limits the searches of the match" train --nodes 50 --out "$out/x.net"
# With --linear-positions the linear weights are fitted to a sample of the positions. The output
# names the evaluation that played the games.
train --epochs 1 --linear-positions 5000 --weights classic --out "$out/sample.net" >"$out/sample.txt" 2>"$out/sample.err"
check train_sample "the linear fit of a sample equals that of all games, or the network was not trained on all positions" sh -c "
    [ '$(value positions "$out/sample.txt")' = '$(value positions "$out/t1.txt")' ] &&
    [ '$(value linear_fit_loss "$out/sample.txt")' != '$(value linear_fit_loss "$out/t1.txt")' ]"
check train_players "the output does not say that other weights played the games" grep -q 'run: the games were played by default [0-9a-f]*, not by --weights classic' "$out/sample.err"

"$PAOTAI" match --a "weights=$out/t1.net" --b weights=default --nodes 50 --pairs 2 --quiet >"$out/match.txt" 2>&1
check train_match "the network does not play a match: $(tail -n 1 "$out/match.txt")" grep -q '^verdict' "$out/match.txt"
"$PAOTAI" selfplay --games 2 --nodes 50 --weights "$out/t1.net" --quiet --out "$out/own" >/dev/null 2>"$out/own.err"
check train_selfplay "self-play does not say which network played" sh -c "'$PAOTAI' data info '$out/own' | grep -q '$hash'"
# The linear evaluation is fitted to scores of searches with the network.
"$PAOTAI" rescore "$out/run" --weights "$out/t1.net" --nodes 50 --quiet --out "$out/taught" >/dev/null 2>"$out/taught.err" &&
    "$PAOTAI" tune "$out/taught" --weights default --quiet --out "$out/taught.fit" >"$out/taught.txt" 2>>"$out/taught.err"
check train_teacher "rescore with the network, or the fit to its scores, failed: $(head -n 1 "$out/taught.err")" sh -c "'$PAOTAI' data info '$out/taught' | grep -q '$hash' && grep -qx 'converged yes' '$out/taught.txt'"
printf 'setoption name EvalFile value %s\nposition startpos\ngo nodes 100\nquit\n' "$out/t1.net" | "$PAOTAI" >"$out/uci.txt" 2>&1
check train_uci "EvalFile does not accept the network" sh -c "grep -q '^bestmove' '$out/uci.txt' && ! grep -q 'stays as it was' '$out/uci.txt'"
sum=$(echo 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 b' | "$PAOTAI" analyse --static --weights "$out/t1.net")
check train_parts "analyse --static: the sum of the linear and the network part is not the score: $sum" \
    sh -c "echo '$sum' | awk '\$4 == \"linear\" && \$6 == \"network\" && \$5 + \$7 == \$1 { found = 1 } END { exit !found }'"
head -c 5000 "$out/t1.net" >"$out/cut.bin"
refuse train_cut 1 "cut off" "$PAOTAI" bench 1 --weights "$out/cut.bin"
cp "$out/t1.net" "$out/damaged.net" && printf 'xyz' | dd of="$out/damaged.net" bs=1 seek=9000 conv=notrunc 2>/dev/null
refuse train_damaged 1 "the network is damaged" "$PAOTAI" bench 1 --weights "$out/damaged.net"
refuse train_foreign 1 "unknown term" "$PAOTAI" bench 1 --weights tests/checks.sh
refuse train_beside_network 1 "linear weights are needed here" "$PAOTAI" train "$out/run" --weights "$out/t1.net" --out "$out/x.net"
refuse train_linear 1 "is a network" "$PAOTAI" weights show "$out/t1.net"
refuse train_units 2 "must be a multiple of 32" "$PAOTAI" train "$out/run" --units 40 --out "$out/x.net"
refuse train_out 2 "--out" "$PAOTAI" train "$out/run"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that a network of Fairy-Stockfish plays, is looked at, and is refused where linear weights
# are needed. The network of the known answers is not calibrated; the other one is.
set -u
. tests/checks.sh

net=$out/xiangqi-known.nnue good=$out/xiangqi-chariot.nnue
hash=3daeea72be24c51b8ae9ea09cd9e7c7af8b38554d5524e12c3aa9468ba10eb10
check fairy_made "no network" sh -c "'${PAOTAI%/*}/paotai-test' --fairy 0 '$net' && '${PAOTAI%/*}/paotai-test' --fairy 20000 '$good'"
start='rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'

grep -v '^#' tests/data/nnue.tsv >"$out/want.tsv"
"$PAOTAI" weights probe "$net" tests/data/nnue.tsv >"$out/got.tsv" 2>"$out/probe.err"
check fairy_probe "other values than tests/data/nnue.tsv" cmp "$out/want.tsv" "$out/got.tsv"
check fairy_note "no note, or several: $(cat "$out/probe.err")" grep -cx ".*not calibrated: its value of a chariot is -196, .*(100/208)" "$out/probe.err"
cut -f 1 "$out/want.tsv" | "$PAOTAI" weights probe "$net" 2>/dev/null | cmp - "$out/want.tsv" >"$out/stdin.txt" 2>&1
ok fairy_probe_stdin "other values from standard input" $?
check fairy_probe_json "not the values of the first row" sh -c "
    '$PAOTAI' weights probe --json '$net' tests/data/nnue.tsv 2>'$out/json.err' | head -n 1 | grep -q '\"stack\":5,\"psqt\":\[-1612,16839,.*\"output\":\[9914,7951,'"
printf '%s\nnot a position\n' "$start" >"$out/bad.fen"
"$PAOTAI" weights probe "$net" "$out/bad.fen" >"$out/bad.txt" 2>/dev/null
check fairy_probe_bad "exit status $?, or no error for line 2" sh -c "[ $? -ne 0 ] && grep -q '^error	line 2: ' '$out/bad.txt'"
refuse fairy_probe_linear 1 "not a network file of Fairy-Stockfish" "$PAOTAI" weights probe tests/checks.sh
refuse fairy_probe_missing 1 "$out/none.nnue" "$PAOTAI" weights probe "$out/none.nnue"

"$PAOTAI" weights show "$good" >"$out/show.txt" 2>"$out/show.err"
check fairy_show "a wrong size, description, ratio or value of the chariot" sh -c "
    grep -qx 'inputs 10530' '$out/show.txt' && grep -qx 'description known answers' '$out/show.txt' && grep -qx 'calibrated yes' '$out/show.txt' &&
    grep -qx 'ratio [0-9]*/1024' '$out/show.txt' && grep -qx 'chariot  *1250.0  *1250.0.*' '$out/show.txt' && ! [ -s '$out/show.err' ]"
check fairy_ratio "the ratio is not 900 to the value of a chariot" awk '
    /^chariot [0-9]/ && !worth { worth = $2 } /^ratio / { sub("/.*", "", $2); ratio = $2 }
    END { d = ratio * worth / 1024 - 900; exit !(d * d < 1) }' "$out/show.txt"
check fairy_hash "not the SHA-256 of the file" [ "$("$PAOTAI" weights hash "$net" 2>/dev/null)" = "hash $hash" ]

# The score of analyse is (psqt + output) / 16 in our units.
"$PAOTAI" weights probe "$good" "$out/bad.fen" 2>/dev/null | head -n 1 >"$out/start.tsv"
echo "$start" | "$PAOTAI" analyse --static --weights "$good" >"$out/static.txt" 2>&1
check fairy_score "another score: $(cat "$out/static.txt")" awk -v ratio="$(value ratio "$out/show.txt")" '
    FNR == NR { split($0, f, "\t"); split(f[3], s, " "); split(s[f[2] + 1], v, ","); split(ratio, r, "/")
                want = int(int((v[1] + v[2]) / 16) * r[1] / r[2]); next }
    { got = $1 } END { exit !(got == want && want != 0) }' "$out/start.tsv" "$out/static.txt"
check fairy_bench "another node count, which is the same for every build" sh -c "'$PAOTAI' bench 6 --quiet --weights '$good' 2>/dev/null | tail -n 1 | grep -q '^42868 nodes'"
printf 'setoption name Weights value %s\nposition startpos\ngo nodes 300\neval\nquit\n' "$good" | "$PAOTAI" >"$out/uci.txt" 2>&1
check fairy_uci "the option Weights does not accept the network" sh -c "grep -q '^bestmove' '$out/uci.txt' && grep -q 'network' '$out/uci.txt' && ! grep -q 'stays as it was' '$out/uci.txt'"
"$PAOTAI" match --a "weights=$good" --b weights=default --nodes 50 --pairs 2 --quiet >"$out/match.txt" 2>&1
check fairy_match "no match: $(tail -n 1 "$out/match.txt")" grep -q '^verdict' "$out/match.txt"
"$PAOTAI" selfplay --games 2 --nodes 50 --weights "$net" --quiet --out "$out/own" >/dev/null 2>"$out/own.err"
check fairy_selfplay "the games do not say which network played" sh -c "'$PAOTAI' data info '$out/own' | grep -q '$hash'"
"$PAOTAI" rescore "$out/own" --weights "$net" --nodes 50 --quiet --out "$out/taught" >/dev/null 2>"$out/taught.err"
check fairy_rescore "the scores are not by the network: $(tail -n 1 "$out/taught.err")" sh -c "'$PAOTAI' data info '$out/taught' | grep -q '$hash'"

# weights check finds each fault that is written into a network: OFFSET COUNT BYTES are repeated bytes.
"$PAOTAI" selfplay --games 40 --nodes 40 --seed 3 --quiet --out "$out/games" >/dev/null 2>&1
"$PAOTAI" weights check "$good" "$out/games" >"$out/check.good" 2>"$out/check.err"
check fairy_check "other counts: $(head -n 3 "$out/check.err")" awk '
    $1 == "positions" { positions = $2 } $1 == "swap_max" || $1 == "dead_units" || $1 == "wrapped" || $1 == "limit_inputs" { zero += $2 }
    /^ +[0-7] / { sum += $2; bad += $2 && !($3 > 0.1 && $4 > 0.1); limit += $7 }
    END { exit !(positions > 1000 && sum == positions && zero == 0 && !bad) }' "$out/check.good"
check fairy_check_loss "random layers are not worse than the linear weights" grep -q "^finding stack 7: the loss [0-9.]* is above that of the weights 'default'" "$out/check.good"
check fairy_check_mirror "random weights are not told from mirrored ones" grep -q '^finding mirrored positions differ by [1-9][0-9]* units on average' "$out/check.good"
check fairy_check_few "a stack without positions is not named" grep -q '^finding stack 0: 0 of the positions have its 1 to 4 pieces' "$out/check.good"
stack7=$((11120733 + 7 * 17640))
while read -r name offset count bytes finding; do
    cp "$good" "$out/bad.nnue"
    LC_ALL=C awk -v n="$count" -v b="$bytes" 'BEGIN { while (n--) printf "%s", b }' | dd of="$out/bad.nnue" bs=4096 oflag=seek_bytes seek="$offset" conv=notrunc 2>/dev/null
    "$PAOTAI" weights check "$out/bad.nnue" "$out/games" >"$out/check.bad" 2>>"$out/check.err"
    check "fairy_check_$name" "not found: $(grep '^finding' "$out/check.bad" | head -n 3)" sh -c "! grep -q '^finding $finding' '$out/check.good' && grep -q '^finding $finding' '$out/check.bad'"
done <<END
dead 29 70 \\340\\261 of 512 units, 70 are dead .0 in all positions. and 0 full .* lower --rate
full 29 80 \\040\\116 of 512 units, 0 are dead .* and 80 full .127 in all positions.: lower --rate
limits 600001 40000 \\340\\003 40[0-9]* of 5391360 input weights are at their limits: lower --rate or raise --decay
wrapped 1199133 512 \\377\\177 [1-9][0-9]* positions have a sum that does not fit in 16 bits
first $((stack7 + 4)) 44 \\300 stack 7: 11 of 16 units of the first layer are dead: lower --rate
second $((stack7 + 68 + 16384)) 80 \\300 stack 7: [0-9]* of 32 units of the second layer are dead: lower --rate
eight $((stack7 + 68)) 200 \\177 stack 7: 200 of 16384 weights of the first layer and 0 of the layers above
END
refuse fairy_check_own 1 "not a network file of Fairy-Stockfish" "$PAOTAI" weights check default "$out/games"

none="network of Fairy-Stockfish"
refuse fairy_tune 1 "$none, which has no linear weights" "$PAOTAI" tune "$out/own" --weights "$good" --out "$out/x.txt"
refuse fairy_term 1 "$none" "$PAOTAI" term mobility_horse "$out/own" --rev none --weights "$good"
refuse fairy_ablate 1 "$none" "$PAOTAI" ablate "$out/own" --each-group --weights "$good"
refuse fairy_train 1 "$none" "$PAOTAI" train "$out/own" --weights "$good" --out "$out/x.net"
refuse fairy_start 1 "$none" "$PAOTAI" train "$out/own" --start "$good" --out "$out/x.net"
refuse fairy_convert 1 "$none" "$PAOTAI" weights convert "$good"
refuse fairy_convert_network 1 "$none" "$PAOTAI" weights convert "$good" --out "$out/x.net"
refuse fairy_keep 1 "$none" "$PAOTAI" weights convert default --keep-network "$good"
refuse fairy_report 1 "$none" "$PAOTAI" report default --data "$out/own" --network "$good" --out "$out/x.html"
refuse fairy_show_term 2 "--term: needs linear weights" "$PAOTAI" weights show --term material_horse "$good"
cp "$good" "$out/renamed.net"
for file in "$good" "$out/renamed.net"; do
    refuse "fairy_adopt_${file##*.}" 1 "$none" sh core/eval/adopt.sh write "$PAOTAI" "$file"
done

# Fairy-Stockfish ignores a network with a wrong name, cuts a path at a colon, and ends at the first
# search if it refuses the file. A match begins only if the program says that it plays with the file.
# This program says before each move what the file engine.says contains, and ends after an error.
cat >"$out/engine" <<'END'
#!/bin/sh
says=$(cat "$0.says")
"$PAOTAI" | sed -u -e 's/^id name .*/id name Fairy-Stockfish 14/' -e '/^option name EvalFile/a option name Use NNUE type check default true' \
    -e '/^info string/d' -e "/^bestmove/i $says" | while read -r line; do
    case $line in "info string ERROR"*) printf '%s\n' "$line"; kill $$; exit 1 ;; *) printf '%s\n' "$line" ;; esac
done
END
chmod +x "$out/engine"
says() { printf '%s\n' "$1" >"$out/engine.says"; }
plays() { "$PAOTAI" match --a "cmd=$out/engine,proto=uci,option.EvalFile=$1" --b weights=default --nodes 20 --pairs 1 --quiet; }
says "info string NNUE evaluation using $good enabled"
plays "$good" >"$out/plays.txt" 2>&1
check fairy_engine "no match with the network: $(tail -n 1 "$out/plays.txt")" grep -q '^verdict' "$out/plays.txt"
refuse fairy_engine_name 2 "does not begin with 'xiangqi': rename the file to xiangqi-renamed.net" plays "$out/renamed.net"
refuse fairy_engine_colon 2 "at the colon" plays "$out/a:/xiangqi-a.nnue"
refuse fairy_engine_other 2 "NNUE evaluation using $good enabled; add" plays "$net"
says "info string classical evaluation enabled"
refuse fairy_engine_classical 2 "does not play with the network option.EvalFile=$good: classical evaluation enabled; add 'profile=fairy-stockfish'" plays "$good"
says "info string ERROR: The network file was not loaded successfully."
refuse fairy_engine_ends 2 "ends at the first search: ERROR: The network file" plays "$good"

# The fit of such a network: the same file for any number of threads, and after an interruption. The
# network begins with the values and tables of --weights. With --epochs 0 the file of --start is
# written again, and the loss before the first epoch is that of the file.
"$PAOTAI" selfplay --games 60 --nodes 60 --opening-nodes 60 --seed 7 --quiet --out "$out/games60" >/dev/null
train() { "$PAOTAI" train "$out/games60" --shape fairy --weights classic --lambda 0 --k 0.003 --match-pairs 0 --keep --quiet "$@"; }
fit() { train --epochs 2 --batch 250 "$@"; }
for threads in 1 3; do fit --threads $threads --out "$out/xiangqi-t$threads.nnue" >"$out/fit$threads.txt" 2>&1; done
same() { # NAME A B: the files are equal but for their descriptions
    tail -c 11261828 "$2" >"$out/left"
    tail -c 11261828 "$3" | cmp - "$out/left" >"$out/cmp.txt" 2>&1
    ok "$1" "another network: $(cat "$out/cmp.txt")" $?
}
same fairy_train_threads "$out/xiangqi-t1.nnue" "$out/xiangqi-t3.nnue"
check fairy_train_start "the loss before the first epoch is not within 0.01 of that of --weights, or does not fall" awk '
    /^start_loss / { start = $2 } /^valid_loss_start / { weights = $2 } /^valid_loss / { best = $2 }
    END { d = start - weights; exit !(weights > 0.3 && d < 0.01 && d > -0.01 && best < start) }' "$out/fit1.txt"
train --epochs 0 --start "$out/xiangqi-t1.nnue" --out "$out/xiangqi-0.nnue" >"$out/fit0.txt" 2>&1
train --epochs 0 --start "$net" --out "$out/xiangqi-00.nnue" >>"$out/fit0.txt" 2>&1
same fairy_train_0 "$out/xiangqi-t1.nnue" "$out/xiangqi-0.nnue"
same fairy_train_0_known "$net" "$out/xiangqi-00.nnue"
check fairy_train_continue "the loss before the first epoch is not that of the file" awk '
    /^valid_loss / && FNR == NR { file = $2 } /^start_loss / && FNR != NR && !start { start = $2 }
    END { exit !(file > 0.3 && start == file) }' "$out/fit1.txt" "$out/fit0.txt"
mkfifo "$out/said"
"$PAOTAI" train "$out/games60" --shape fairy --weights classic --batch 250 --lambda 0 --k 0.003 --match-pairs 0 --keep --epochs 2 --out "$out/xiangqi-cut.nnue" >"$out/said" 2>/dev/null &
pid=$!
first=$(head -n 1 "$out/said")
kill -INT $pid 2>/dev/null
if wait $pid; then
    echo "SKIP fairy_train_resume: the fit was faster than the signal after $first"
else
    refuse fairy_train_resume_other 1 "belongs to a fit with other games or options" fit --scale 1.4 --resume --out "$out/xiangqi-cut.nnue"
    fit --resume --out "$out/xiangqi-cut.nnue" >"$out/resumed.txt" 2>&1
    same fairy_train_resume "$out/xiangqi-t1.nnue" "$out/xiangqi-cut.nnue"
fi
refuse fairy_train_units 2 "--units: a network of Fairy-Stockfish has 512" train --units 64 --out "$out/xiangqi-x.nnue"
refuse fairy_train_alone 2 "--alone: a network of Fairy-Stockfish" train --alone --out "$out/xiangqi-x.nnue"
refuse fairy_train_scale 2 "--scale: this option needs --shape fairy" "$PAOTAI" train "$out/games60" --scale 1.4 --out "$out/x.net"
refuse fairy_train_scale_start 2 "--scale: the network of --start has its own scale" train --scale 1.4 --start "$good" --out "$out/xiangqi-x.nnue"
refuse fairy_train_best 2 "--start best: --shape fairy needs a network FILE.nnue" train --start best --out "$out/xiangqi-x.nnue"
refuse fairy_train_name 2 "only if its name begins with 'xiangqi'" train --out "$out/new.nnue"
for option in "--batch 250" "--rate 0.01" "--decay 1" --resume; do
    # shellcheck disable=SC2086
    refuse "fairy_train_0_${option%% *}" 2 "${option%% *}: --epochs 0 makes no step" train --epochs 0 $option --start "$good" --out "$out/xiangqi-x.nnue"
done
refuse fairy_train_epochs 2 "--epochs 0: give a network with --start" "$PAOTAI" train "$out/games60" --epochs 0 --out "$out/x.net"

head -c 5000 "$net" >"$out/cut"
refuse fairy_cut 1 "is incomplete: it has 5000 bytes, but 11261853 are expected" "$PAOTAI" bench 1 --weights "$out/cut"
printf 'setoption name Weights value %s\nposition startpos\ngo nodes 10\nquit\n' "$out/cut" | "$PAOTAI" >"$out/stays.txt" 2>&1
check fairy_uci_cut "a refused network does not leave the evaluation as it was" sh -c "grep -q 'is incomplete' '$out/stays.txt' && grep -q '^bestmove' '$out/stays.txt'"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests tune and weights on a small run: output that states the truth, and a message for every bad
# input.
set -u
. tests/checks.sh

if ! "$PAOTAI" selfplay --games 120 --nodes 100 --opening-nodes 100 --weights classic --seed 5 \
    --shard-games 16 --quiet --out "$out/run" >"$out/selfplay.txt"; then
    echo "FAIL tune_run: no games to fit"
    exit 1
fi

# ---- the fit ---------------------------------------------------------------------------------------
"$PAOTAI" tune "$out/run" --threads 3 --out "$out/w1.txt" --errors "$out/e1.tsv" >"$out/t1.txt" 2>"$out/run.err"
check tune_chariot_is_nine "the chariot of each stage is not 9.00" grep -qE '^chariot +( 9\.00 \+-0\.00 ){4}  9\.0$' "$out/t1.txt"
"$PAOTAI" tune "$out/run" --fit 'material_*,mobility_*' --freeze 'mobility_horse.eg' --weights "$out/w1.txt" \
    --errors "$out/errors.tsv" --quiet >/dev/null
# Counts the numbers in the weight file. The table of errors has a line for each of them.
# shellcheck disable=SC2016 # awk expands the dollars
numbers=$(grep -vE '^(#|paotai|schema)' "$out/w1.txt" | awk '{ n += NF - 1 } END { print n }')
check tune_frozen "frozen weights have errors, or fitted ones have none" awk -F '\t' -v numbers="$numbers" '
    NR == 1 { if ($5 != "se") exit 1; next }
    { fitted = $1 ~ /^material_/ || ($1 ~ /^mobility_/ && !($1 == "mobility_horse" && $3 == "eg")) }
    fitted && !($5 > 0) && $6 > 100 { print; bad = 1 }
    END { exit bad || NR != numbers + 1 }' "$out/errors.tsv"
# Weights that are not fitted keep the values of the start weights, and the scale stays that of the
# start.
"$PAOTAI" tune "$out/run" --weights default --prior-errors 0 --fit 'pinned,table_horse.mg' --out "$out/part.txt" --quiet >/dev/null
check tune_frozen_stay "weights that are not fitted have changed" sh -c "
    grep -qx '# scale start' '$out/part.txt' && '$PAOTAI' weights diff default '$out/part.txt' >'$out/part.diff' &&
    awk -F '\t' '/^different/ { next } !/^(pinned|table_horse)/ { bad = 1 } /^table_horse/ { split(\$4, d, \" \"); bad += d[2] != 0 }
        END { exit bad || NR < 10 }' '$out/part.diff'"
# In these positions, the terms that are not fitted explain most of the variance of guards_horse,
# but little of that of safe_check. A note names only guards_horse.
"$PAOTAI" tune "$out/run" --weights default --fit 'guards_horse,safe_check' --quiet >"$out/tied.txt" 2>"$out/tied.err"
check tune_explained "a term that frozen terms explain is not distinguished from one that they do not explain" sh -c "
    awk '/^explained guards_horse/ { a = \$3 } /^explained safe_check/ { b = \$3 } END { exit !(a > 0.5 && b > 0 && b < 0.5) }' '$out/tied.txt' &&
    grep -q \"^guards_horse: .* --fit 'guards_horse,\" '$out/tied.err' && ! grep -q '^safe_check' '$out/tied.err'"
# A fit that starts from `default` uses the errors of these weights as prior, so it moves the
# weights less than a fit with --prior-errors 0.
moved() {
    "$PAOTAI" weights diff default "$1" | awk -F '\t' '{ split($4, d, " "); sum += d[1] * d[1] + d[2] * d[2] } END { print int(sum) }'
}
for times in 0 2; do
    "$PAOTAI" tune "$out/run" --weights default --prior-errors $times --fit 'mobility_*' --out "$out/from$times.txt" --quiet >"$out/noise" 2>&1
done
check tune_default_kept "the default is moved by $(moved "$out/from2.txt"), without its errors by $(moved "$out/from0.txt")" \
    test $((4 * $(moved "$out/from2.txt"))) -lt "$(moved "$out/from0.txt")"
"$PAOTAI" weights convert default --errors "$out/w1.txt" --out "$out/lent.txt"
check weights_errors "the errors of another weight set are missing" sh -c "
    [ \"\$(grep '^# se ' '$out/lent.txt')\" = \"\$(grep '^# se ' '$out/w1.txt')\" ] &&
    '$PAOTAI' weights convert default | grep -q '^# se '"
check tune_converged "the fit did not converge" grep -qx 'converged yes' "$out/t1.txt"
check tune_provenance "the weight file does not say what made it" \
    sh -c "grep -q '^# made by paotai' '$out/w1.txt' && grep -q '^# seed=1' '$out/w1.txt'"
"$PAOTAI" tune "$out/run" --json --quiet --lambda 0.5 --loss squared --prior-sd 20 >"$out/json" 2>"$out/err"
check tune_json "--json does not print one object per line" python3 -c "
import json, sys
lines = [json.loads(line) for line in open('$out/json')]
steps = [l for l in lines if 'iteration' in l]
assert steps[-1]['objective'] < steps[0]['objective'], steps
assert {l['piece'] for l in lines if 'piece' in l} >= {'chariot', 'crossed soldier'}
assert lines[-1]['converged'] == 'yes' and lines[-1]['k_score'] > 0
assert open('$out/err').read() == ''"
# If the games have no scores, a note before the fit says how to add scores. Games with scores cause
# no such note.
"$PAOTAI" data export --format moves --quiet "$out/run" >"$out/games.moves"
"$PAOTAI" data import --out "$out/bare" --quiet "$out/games.moves" >/dev/null
"$PAOTAI" tune "$out/bare" --fit 'material_*' >/dev/null 2>"$out/bare.err"
"$PAOTAI" tune --lambda 1 "$out/bare" --fit 'material_*' >/dev/null 2>"$out/one.err"
check tune_results_alone "a fit of games without scores does not say that it fits results alone" sh -c "
grep -q 'no position has a search score: --lambda 0.2 has no effect' '$out/bare.err' && grep -q '^without search scores, 120 games give only 120 results' '$out/bare.err' &&
grep -q 'paotai rescore DIR' '$out/bare.err' && ! grep -q 'no position has a search score' '$out/one.err' '$out/run.err'"
"$PAOTAI" tune --measure "$out/run" --weights "$out/w1.txt" --quiet >"$out/measure.txt"
# Each table of piece values says which sources of uncertainty its errors include. Weight files of
# older versions do not record these sources.
check tune_errors_contain "the errors do not say what they contain" sh -c "
    grep -qx 'the errors contain: mix of positions alone: the weights are taken as exact' '$out/measure.txt' &&
    grep -qx 'the errors contain: results, slopes of the loss, mix of positions, prior.s pull' '$out/t1.txt' &&
    '$PAOTAI' weights convert '$out/w1.txt' --out '$out/again.txt' &&
    '$PAOTAI' weights show '$out/again.txt' | grep -qx 'the errors contain: results, slopes of the loss, mix of positions, prior.s pull' &&
    sed '/^# errors_contain/d' '$out/w1.txt' >'$out/older.txt' &&
    '$PAOTAI' weights show --term material_cannon '$out/older.txt' | grep -q '^the errors contain: only results of games; true errors are up to twice as large' &&
    ! '$PAOTAI' weights show classic | grep 'errors contain'"
check tune_measure "the calibration does not count every position" sh -c "
total=\$(sed -n 's/^positions //p' '$out/measure.txt')
awk -v total=\"\$total\" '/^[01]\\.[0-9]-/ { n += \$5 } END { exit n != total }' '$out/measure.txt'"
# tune --measure: for every value of --lambda, the observed mean is the mean of the results.
"$PAOTAI" tune --measure "$out/run" --weights "$out/w1.txt" --quiet --json --weigh rows >"$out/blend.txt"
"$PAOTAI" tune --measure "$out/run" --weights "$out/w1.txt" --quiet --json --weigh rows --lambda 1 >"$out/results.txt"
check tune_measure_observed "the observed mean is not the mean of the results" python3 -c "
import json
def mean(name, key):
    bins = [b for b in map(json.loads, open(name)) if 'bin_low' in b and b['positions']]
    return sum(b[key] * b['positions'] for b in bins) / sum(b['positions'] for b in bins)
blend, results = '$out/blend.txt', '$out/results.txt'
assert abs(mean(blend, 'observed') - mean(results, 'observed')) < 1e-5
assert abs(mean(blend, 'target') - mean(blend, 'observed')) > 1e-4
assert 'target' not in open(results).read()"
"$PAOTAI" tune --compare "$out/w1.txt" classic "$out/run" --quiet >"$out/compare.txt"
check tune_compare "the fitted weights are not better than classic on their own games" \
    sh -c "awk '/^difference / { d = \$2 } /^difference_error95 / { e = \$2 } END { exit !(d < 0 && e > 0) }' '$out/compare.txt'"
"$PAOTAI" tune --compare "$out/w1.txt" "$out/w1.txt" "$out/run" --quiet >"$out/compare.txt"
check tune_compare_same "a set differs from itself" grep -qE '^difference -?0\.0000000$' "$out/compare.txt"

# A game that occurs twice counts once: its copy is neither fitted nor used for validation.
cp -r "$out/run" "$out/copy"
few='material_*,mobility_*,table_horse'
"$PAOTAI" tune "$out/run" --fit "$few" --quiet --errors "$out/few.tsv" >"$out/few.txt"
"$PAOTAI" tune "$out/run" "$out/copy" --fit "$few" --quiet --errors "$out/twice.tsv" >"$out/twice.txt"
check tune_copies "games that come twice are counted twice" \
    sh -c "cmp '$out/few.tsv' '$out/twice.tsv' && grep -qx 'copied_games 120' '$out/twice.txt'"
sed 'y/abcdefghi/ihgfedcba/' "$out/games.moves" >"$out/mirrored.moves"
"$PAOTAI" data import --out "$out/mirrored" --quiet "$out/mirrored.moves" >/dev/null
check tune_mirrored "mirror images of games are counted twice" \
    sh -c "'$PAOTAI' tune '$out/bare' '$out/mirrored' --fit 'material_*' --quiet 2>'$out/mirrored.err' | grep -qx 'copied_games 120'"
sed 's/ [^ ]*$//' "$out/mirrored.moves" >"$out/cut.moves"
"$PAOTAI" data import --out "$out/cut" --quiet "$out/cut.moves" >/dev/null
check tune_near_copies "games without their last move are counted twice" \
    sh -c "'$PAOTAI' tune '$out/bare' '$out/cut' --fit 'material_*' --quiet 2>'$out/cut.err' | awk '\$1 == \"near_copies\" { n = \$2 } END { exit n < 110 }'"
# Whether a game is used for training, validation or test, and its fold in a cross-validation,
# depend only on its start and moves. Its place in the run and mirroring have no influence.
head -n 50 "$out/games.moves" >"$out/fifty.moves"
head -n 50 "$out/mirrored.moves" | tac >"$out/turned.moves"
for run in fifty turned; do
    "$PAOTAI" data import --out "$out/$run" --quiet "$out/$run.moves" >/dev/null
    "$PAOTAI" tune "$out/$run" --fit 'material_*' --quiet --verbose --lambda 1 --test-fraction 0.2 >"$out/$run.txt" 2>"$out/noise"
    "$PAOTAI" tune "$out/$run" --quiet --lambda 1 --cv 2 --fit table_horse 2>/dev/null | sed -n '/best/p' >"$out/$run.cv"
done
check tune_folds_by_content "mirrored games in another order are in other folds" sh -c "
    [ -s '$out/fifty.cv' ] && cmp '$out/fifty.cv' '$out/turned.cv'"
check tune_split_by_content "mirrored games in another order are in other parts" python3 -c "
def losses(run):
    lines = dict(line.split(' ', 1) for line in open('$out/' + run + '.txt') if '_loss ' in line or '_positions ' in line)
    return {name: float(lines[name].split()[0]) for name in ('train_positions', 'valid_positions', 'test_positions', 'valid_loss', 'test_loss')}
one, other = losses('fifty'), losses('turned')
assert min(one.values()) > 0 and all(abs(one[name] - other[name]) < 2e-6 for name in one), (one, other)"
check tune_different_positions "the different positions are not counted" grep -qE '^different_positions [1-9]' "$out/t1.txt"
check info_different_games "data info does not count different games" sh -c "
    '$PAOTAI' data info '$out/run' | grep -qx 'different_games 120'"
# The standard errors of a fit to scores take these scores as exact, and the output says so. The
# standard errors would be larger if only the results of the games were used.
check tune_errors_given "the output does not say on what the errors are conditional" grep -q '^errors_given the search' "$out/t1.txt"
check tune_errors_of_results "errors of the results alone are not larger" awk '/^errors_of_results_times / { found = $2 > 1 } END { exit !found }' "$out/t1.txt"
"$PAOTAI" tune "$out/run" --fit "$few" --quiet --errors "$out/lambda1.tsv" --lambda 1 >/dev/null
check tune_errors_as_lambda_1 "errors of the results alone are not those of --lambda 1" python3 -c "
def column(name, number):
    return [float(line.split('\t')[number]) for line in list(open(name))[1:]]
pairs = [(a, b) for a, b in zip(column('$out/few.tsv', 7), column('$out/lambda1.tsv', 4)) if b > 0.1]
assert len(pairs) > 100 and all(abs(a / b - 1) < 0.03 for a, b in pairs), max(abs(a / b - 1) for a, b in pairs)"
# The output fits one screen. If the data are too few, its first line says so. Notes below name the
# weights concerned, in the form that --show accepts.
"$PAOTAI" selfplay --games 12 --nodes 100 --seed 5 --quiet --out "$out/dozen" >/dev/null
"$PAOTAI" tune "$out/dozen" --quiet --show 'table_horse,hanging.eg' >"$out/dozen.txt"
check tune_screen "the output is longer than a screen or wider than 80 columns" sh -c "
    [ \$(grep -vc '^weights ' '$out/t1.txt') -le 72 ] && ! grep -hE '^.{81}' '$out/t1.txt' '$out/dozen.txt'"
check tune_little_data "the first line does not say that the data are too few, or the notes do not name their weights" sh -c "
    head -n 1 '$out/dozen.txt' | grep -qE '^TOO LITTLE DATA: 12 games: the prior determines [0-9]+ of [0-9]+ weights' &&
    grep -qE '^in_few_games material_chariot, ' '$out/dozen.txt'"
# In the output, the first line and the lines `more_games` and `next` do not contradict each other.
# If the prior comes from the standard errors of the start weights, the first line does not complain
# about too little data, and `next` does not advise --weights default.
"$PAOTAI" tune "$out/dozen" --quiet --weights default --fit 'material_*' --json >"$out/known.json" 2>"$out/noise"
"$PAOTAI" tune "$out/dozen" --fit 'material_*,table_horse' --quiet --weights default >"$out/known.txt"
check tune_summary "head, more_games and next disagree" sh -c "
    grep -q '^more_games not seen: the prior determines' '$out/dozen.txt' &&
    tr -s '\n ' ' ' <'$out/dozen.txt' | grep -q ' next .*fit to many times more games.*--weights default' &&
    head -n 1 '$out/known.txt' | grep -qE '^12 games determine [0-9]+ of [0-9]+ weights; the start \(--weights\) determines [0-9]+$' &&
    ! grep -q 'TOO LITTLE\|--weights default' '$out/known.txt'"
# A start that undervalues the chariot is worse than the fit, so `next` advises a match first.
grep -v '^#' "$out/w1.txt" | sed 's/^material_chariot .*/material_chariot 100 100/' >"$out/poor.txt"
"$PAOTAI" tune "$out/run" --weights "$out/poor.txt" --fit 'material_*' --quiet >"$out/poor.fit" 2>/dev/null
check tune_next_blank "in the line next, the advice after the match does not begin with a blank: $(grep -A 2 '^next' "$out/poor.fit")" sh -c "
    tr -s '\n ' ' ' <'$out/poor.fit' | grep -qE \" next play a match of the fit against its start \\('paotai match'\\); (let|fit) \""
check tune_loss_change "the printed losses differ by something else than the printed change" python3 -c "
import json
end = json.loads(open('$out/known.json').readlines()[-1])
for part in ('train', 'valid'):
    d = end[part + '_loss'] - end[part + '_loss_start'] - end[part + '_loss_change']
    assert abs(d) < 1e-12, (part, d)"
# A fit with threads works even if OMP_STACKSIZE requests too small a stack.
OMP_STACKSIZE=16k "$PAOTAI" tune "$out/dozen" --fit 'material_*' --quiet --threads 2 --errors "$out/stack.tsv" >/dev/null 2>"$out/stack.err"
check tune_small_stack "OMP_STACKSIZE=16k ends the fit: $(head -n 1 "$out/stack.err")" test -s "$out/stack.tsv"
# If the games were played by weights other than the start weights of the fit, a message before the
# fit says so.
"$PAOTAI" tune "$out/dozen" --fit 'material_*' >/dev/null 2>"$out/players.err"
"$PAOTAI" tune "$out/dozen" --fit 'material_*' --weights default >/dev/null 2>"$out/own.err"
check tune_players "the output does not name the weights that played, or names them although they are the start" sh -c "
    head -n 1 '$out/players.err' | grep -qE 'dozen: the games were played by default [0-9a-f]{12}, not by --weights classic [0-9a-f]{12}, from which the fit starts' &&
    ! grep -q 'played by' '$out/own.err'"
# The lists of several --freeze options are combined. An option without effect is refused, and so is
# a fit without free weights.
for list in "--freeze turn --freeze pinned" "--freeze turn,pinned"; do
    # shellcheck disable=SC2086 # $list must be split into words
    "$PAOTAI" tune "$out/dozen" --fit 'material_*,turn,pinned' --quiet $list --errors "$out/list$(echo "$list" | wc -w).tsv" >"$out/noise" 2>&1
done
check tune_lists "a second --freeze is not added to the first" cmp "$out/list4.tsv" "$out/list2.tsv"
cannot() {
    name=$1 says=$2
    shift 2
    refuse "tune_cannot_act_$name" 2 "$says" "$PAOTAI" tune "$out/dozen" --quiet "$@"
}
cannot prior_sd "all fitted weights of terms other than material" --weights default --prior-sd 20
cannot material_sd "all fitted weights of material" --weights default --material-sd 20
cannot prior_errors "no fitted weight has a standard error" --prior-errors 3
cannot smooth_sd "no fitted term has several entries" --fit turn --smooth-sd 10
cannot cv "no fitted weight has a prior" --fit 'material_*' --cv 2
cannot cv_value "--cv chooses the value of this option" --cv 2 --prior-sd 20
cannot cv_one "at least 2 folds" --cv 1
cannot seed "nothing is random" --valid-fraction 0 --seed 2
cannot measure "fit nothing" --measure --freeze turn
refuse tune_cannot_act_compare 2 "given as arguments" "$PAOTAI" tune --compare classic default "$out/dozen" --weights default
refuse tune_cannot_act_lambda 2 "no position has a search score" "$PAOTAI" tune "$out/bare" --quiet --lambda 0.5
cannot nothing "no weight remains to fit with --freeze *" --freeze '*'
cannot nothing_of "no weight remains to fit with --fit hanging and --freeze hanging" --fit hanging --freeze hanging
refuse ablate_nothing 2 "no weight remains to fit" "$PAOTAI" ablate --terms '*' "$out/dozen" --quiet --out "$out/ablate"
# If the start weights have standard errors, --cv chooses the factor of --prior-errors. Each line
# that --cv prints comes from a separate fit.
"$PAOTAI" tune "$out/dozen" --fit table_horse --quiet --weights default --cv 2 2>"$out/noise" | sed '/^ *[0-9]/!d' | head -n 16 >"$out/errors.cv"
check tune_cv_errors "lines of --cv are the same fit" sh -c "
    [ \$(awk '{ print \$3 }' '$out/errors.cv' | sort -u | wc -l) -ge 12 ]"
check tune_show "--show does not select terms" sh -c "
    grep -qE '^table_horse\[b0\] +value ' '$out/dozen.txt' && grep -q '^hanging\[own turn, chariot\]' '$out/dozen.txt' &&
    ! grep -q '^pinned' '$out/dozen.txt' && grep -qE '^pinned +mean 6 +-?[0-9.]+ \+-' '$out/t1.txt'"
check tune_verdict "the output has no verdict, or no line about half of the games" sh -c "
    grep -qE '^verdict (the fit|the validation games)' '$out/t1.txt' && grep -qE '^half_games_change_error95 0\.0' '$out/t1.txt'"
check tune_spikes "tune and info count other spikes" sh -c "
    [ \"\$(grep '^spikes [1-9]' '$out/t1.txt')\" = \"\$('$PAOTAI' data info '$out/run' | grep '^spikes')\" ]"
"$PAOTAI" tune "$out/dozen" --cv 2 --quiet --verbose --prior-errors 0 --fit table_horse 2>/dev/null >"$out/edge.txt"
check tune_cv_edge "the best value of --cv is the first or last one, but the output does not say so" awk '
    /best$/ { end = $1 == 20 || $1 == 160 || $2 == 10 } /^cv_note/ { said = 1 } END { exit end != said }' "$out/edge.txt"
# Games without a sampled position are not fitted, and the output says so.
"$PAOTAI" data sample "$out/run" --positions 60 --seed 1 --quiet --out "$out/sixty" >/dev/null
"$PAOTAI" tune "$out/sixty" --fit 'material_*' >"$out/sixty.txt" 2>"$out/sixty.err"
left=$(sed -n 's/^\([0-9]*\) games are left out, because they have no sampled positions$/\1/p' "$out/sixty.err")
check tune_empty_games "the output does not mention the games that are not fitted: $left" sh -c "
    [ \$((${left:-0} + \$(sed -n 's/^games //p' '$out/sixty.txt'))) -eq 120 ] && [ '${left:-0}' -gt 0 ]"

# ---- bad input -------------------------------------------------------------------------------------
for k in 1e-320 9e-6; do refuse tune_k_too_small 2 "must be 0 or at least 1e-05" "$PAOTAI" tune "$out/dozen" --k $k; done
refuse tune_no_directory 2 "DIR" "$PAOTAI" tune
# The directory of the report is checked before the games are read.
refuse tune_report_directory 1 "$out/none" "$PAOTAI" tune "$out/nowhere" --report "$out/none/report.html"
refuse tune_missing_directory 1 "$out/nowhere" "$PAOTAI" tune "$out/nowhere"
mkdir "$out/no shards"
refuse tune_bad_weights 1 "$out/short.txt" sh -c "sed 's/^material_chariot .*/material_chariot 900/' '$out/w1.txt' >'$out/short.txt'; '$PAOTAI' tune '$out/run' --weights '$out/short.txt'"
refuse tune_player_weights 1 "material_chariot has 1 values" "$PAOTAI" match --a "weights=$out/short.txt" --pairs 1
refuse tune_all_for_validation 1 "valid-fraction" "$PAOTAI" tune "$out/run" --valid-fraction 0.45 --test-fraction 0.9
refuse tune_no_shards 1 "$out/no shards" "$PAOTAI" tune "$out/no shards"
check tune_not_kept_is_no_error "a refused fit says that its weights were not written" \
    sh -c "! grep -q 'not kept' '$out/refuse.err'"
refuse tune_text_file 1 "not a shard of games" "$PAOTAI" tune "$out/w1.txt"
refuse tune_compare_arguments 2 "two weight sets" "$PAOTAI" tune --compare classic "$out/run"
refuse tune_unknown_term 2 "no term matches 'pony_*'" "$PAOTAI" tune "$out/run" --freeze 'pony_*'
refuse tune_unwritable 1 "$out/nowhere/w.txt" "$PAOTAI" tune "$out/run" --out "$out/nowhere/w.txt"
check tune_unwritable_is_said_first "the output path was tried only after the fit" \
    sh -c "! grep -q iteration '$out/refuse.out'"
refuse tune_out_directory 1 "a directory" "$PAOTAI" tune "$out/run" --out "$out"

# ---- impossible terms ----
mkdir -p "$out/bad/core/eval"
for bad in 'HORSE, MATERIAL' 'ATTACK, MATERIAL' 'GENERAL, MATERIAL' 'THREATS, ENTRY'; do
    sed "s/^WEIGHT(table_general,/WEIGHT(wrong, 1, $bad, NONE, 0, \"wrong\")\n&/" core/eval/weights.def >"$out/bad/core/eval/weights.def"
    refuse "weights_def_$(echo "$bad" | tr -d ', ')" 1 'weights.def: ' "${CC:-gcc}" -std=c11 -fsyntax-only -I "$out/bad" -I . core/eval/weights.c
done

# ---- weights ---------------------------------------------------------------------------------------
check weights_show "the horse's table is not a board of ten ranks" \
    sh -c "[ \$('$PAOTAI' weights show --term table_horse classic | grep -cE '^  [0-9] ') -eq 10 ]"
"$PAOTAI" weights convert "$out/w1.txt" --out "$out/again.txt"
check weights_convert_text "text to text changes the hash" \
    sh -c "[ \"\$('$PAOTAI' weights hash '$out/w1.txt')\" = \"\$('$PAOTAI' weights hash '$out/again.txt')\" ]"
check weights_show_values "the values of the pieces are missing" sh -c "
    '$PAOTAI' weights show default | head -n 6 | grep -qE '^advisor  +[0-9.]+ \\+-[0-9.]+ ' &&
    '$PAOTAI' weights convert '$out/again.txt' | grep -q 'value 9.0000 ' &&
    [ \"\$('$PAOTAI' weights show '$out/w1.txt' | head -n 8)\" = \"\$('$PAOTAI' weights show '$out/again.txt' | head -n 8)\" ]"
check weights_show_entries "entries have no names, or no errors" sh -c "
    '$PAOTAI' weights show '$out/w1.txt' --term hanging | grep -qE '^  their turn, chariot +-?[0-9]+ +(\\+- +[0-9]+|prior) +-?[0-9]+ +(\\+- +[0-9]+|prior)$'"
check weights_diff_same "a set differs from its copy" \
    sh -c "[ \"\$('$PAOTAI' weights diff '$out/w1.txt' '$out/again.txt')\" = 'different 0' ]"
check weights_diff "the fitted set does not differ from classic" \
    sh -c "'$PAOTAI' weights diff classic '$out/w1.txt' | grep -q '^material_horse\[0\]'"
check weights_diff_points "the entries of tables are not named by points" \
    sh -c "'$PAOTAI' weights diff classic '$out/w1.txt' | grep '^table_' | grep -vE '^table_[a-z_]+\[[a-i][0-9]\]' | wc -l | grep -qx 0 &&
    '$PAOTAI' weights diff classic '$out/w1.txt' | grep -q '^table_'"
check weights_json "the output is not JSON with every term" sh -c "'$PAOTAI' weights show --json '$out/w1.txt' | python3 -c \"
import json, sys
w = {row['term']: row['middlegame'] for row in map(json.loads, sys.stdin) if 'term' in row}
assert len(w['table_horse']) == 50 and len(w) == $(grep -c '^WEIGHT(' core/eval/weights.def), w.keys()\""
refuse weights_missing_file 1 "$out/none" "$PAOTAI" weights show "$out/none"
refuse weights_show_term 2 "no term 'pony'" "$PAOTAI" weights show --term pony classic
finish

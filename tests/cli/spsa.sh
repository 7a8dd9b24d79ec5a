#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai spsa with games: its log, its output, damaged logs, refused command lines, and
# core/search/adopt.sh.
set -u
. tests/checks.sh
words='--param razor_margin --param null_reduction,3,1,6,1 --iterations 10 --pairs 2 --probe-pairs 4 --check-pairs 3
    --nodes 60 --opening-nodes 100 --seed 3 --quiet'
# shellcheck disable=SC2086 # a list of words
spsa() {
    dir=$1
    shift
    "$PAOTAI" spsa $words --out "$out/$dir" "$@"
}

spsa one >"$out/one.txt" || fail spsa_run "it failed"
spsa two --threads 2 --json >"$out/two.json" || fail spsa_run "it failed with two threads"
check spsa_log "the log does not have four probes of eight games and ten iterations of four games" awk -F '\t' '
    /^#/ || /^iteration/ { next } { split($5, pair, ","); pairs = pair[1] + pair[2] + pair[3] + pair[4] + pair[5]; bad = bad || 2 * pairs != $2 + $3 + $4 }
    /^-/ { p++; bad = bad || $1 != -p || n || pairs != 4; next }
    { n++; bad = bad || $1 != n || $2 + $3 + $4 != 4 } END { exit bad || n != 10 || p != 4 }' \
    "$out/one/spsa.log"
check spsa_json "--json does not print one object per line, or differs from the log, or lacks a result" python3 -c "
import json
rows = [json.loads(line) for line in open('$out/two.json')]
steps = [r for r in rows if 'iteration' in r]
log = [l.split('\t') for l in open('$out/two/spsa.log') if l[0].isdigit()]
assert [s['iteration'] for s in steps] == list(range(1, 11)), steps
assert all(abs(s['razor_margin'] - float(l[6])) < 1e-3 for s, l in zip(steps, log))
assert [r['param'] for r in rows if 'param' in r] == ['razor_margin', 'null_reduction']
assert [r['probe'] for r in rows if 'probe' in r] == ['razor_margin', 'null_reduction']
assert rows[-2]['games'] == 40 and rows[-2]['use'].startswith('weights=default,option.razor_margin=')
assert rows[-1]['check_games'] == 6 and 'check_elo_error95' in rows[-1]"
check spsa_page "the page does not have a picture of each parameter" python3 -c "
import xml.etree.ElementTree as E
root = E.fromstring(open('$out/one/spsa.html').read().split('\n', 1)[1])
assert len(list(root.iter('{http://www.w3.org/2000/svg}svg'))) == 2"
use=$(sed -n 's/^use //p' "$out/one.txt")
check spsa_use "match does not accept the printed line 'use' as a player: $use" \
    "$PAOTAI" match --a "$use" --b weights=default --pairs 1 --nodes 50 --quiet

# The output line `use` describes a player, as the option --player expects it. Tuning this player
# starts at the player's option values. The new line `use` contains each option once.
result spsa_continued "$(
    first=$(printf '%s' "$use" | sed 's/.*razor_margin=\([0-9]*\).*/\1/')
    [ "$first" != 300 ] || echo "the first run did not move"
    "$PAOTAI" spsa --player "$use" --param razor_margin,300,100,800,40 --param null_reduction --iterations 2 --pairs 1 --probe-pairs 2 \
        --check-pairs 2 --nodes 60 --seed 3 >"$out/continued.txt" 2>"$out/continued.err" || echo "exit status $?"
    grep -q "^razor_margin  *$first " "$out/continued.txt" || cat "$out/continued.txt"
    grep -qx "razor_margin starts at $first, the value in --player, instead of 300 in --param" "$out/continued.err" || cat "$out/continued.err"
    [ "$(sed -n 's/^use //p' "$out/continued.txt" | tr ',' '\n' | grep -c '^option.razor_margin=')" = 1 ] || echo "the option stands twice"
)"
refuse spsa_start_outside 2 "outside the range 200 to 800" "$PAOTAI" spsa --player option.razor_margin=190 --param razor_margin,300,200,800,40
# Two identical players play every pair 1-1. If an end of the range or the tuned value equals the
# start value, no match is played for it.
result spsa_alike "$(
    "$PAOTAI" spsa --param null_verify_depth,100,99,100,0.1 --iterations 1 --pairs 1 --probe-pairs 20 --nodes 40 --opening-nodes 0 \
        --check-pairs 50 --quiet --out "$out/alike" >"$out/alike.txt" || echo "exit status $?"
    grep -qE '^probe null_verify_depth +at 99: plays like the start value: the same moves in all 40 games; at 100: equal to the start value, so no games were played$' "$out/alike.txt" || cat "$out/alike.txt"
    grep -q '^check_games 0$' "$out/alike.txt" && grep -q '^check_note the rounded result equals the start' "$out/alike.txt" || cat "$out/alike.txt"
    [ "$(awk '$1 == -1 { print $2 + $3 + $4 } $1 == -2 { print $2 + $3 + $4 }' "$out/alike/spsa.log" | tr '\n' ' ')" = '40 0 ' ] || cat "$out/alike/spsa.log"
)"
# For each end of a parameter's range, spsa plays a match (a probe) against the start values. It
# prints the verdict and the Elo interval of a probe as `paotai match` does. After only four pairs,
# the interval must be wide.
result spsa_few_pairs "$(
    sed -n 's/^probe //p' "$out/one.txt" >"$out/probes.txt"
    [ "$(wc -l <"$out/probes.txt")" = 2 ] || cat "$out/one.txt"
    one='(stronger|weaker|not decided) \((won every game, at least [0-9]+ Elo|lost every game, at most -[0-9]+ Elo|[+-][0-9]+ Elo(, (-?[0-9]+ to -?[0-9]+|at (least|most) -?[0-9]+))?), 95 %, too few pairs\)'
    alike='plays like the start value: the same moves in all 8 games'
    grep -qE "at [0-9]+: $one" "$out/probes.txt" || echo "no interval"
    grep -vE "^[a-z_]+ +at [0-9]+: ($one|$alike); at [0-9]+: ($one|$alike)$" "$out/probes.txt"
    python3 - "$out/two.json" <<'END'
import json, sys
for row in map(json.loads, open(sys.argv[1])):
    if "probe" in row and not row["min_ci_high"] - row["min_ci_low"] > 150:
        print(row)
END
)"
# Parameters that have no effect under the given limits are refused, and `all` leaves them out.
refuse spsa_no_effect 2 "lmr_cut has no effect in searches of 1000 nodes: it acts only with a node limit above few_nodes = 20000" \
    "$PAOTAI" spsa --param lmr_cut
refuse spsa_no_effect_few 2 "few_check_depth has no effect in searches without a node limit: it acts only" "$PAOTAI" spsa --param few_check_depth --depth 3 --nodes 0
refuse match_no_effect 2 "--a: lmr_cut has no effect in searches of 1000 nodes" "$PAOTAI" match --a option.lmr_cut=100 --pairs 1
result spsa_all_that_act "$(
    "$PAOTAI" spsa --param all --iterations 0 >"$out/shallow.txt" 2>"$out/shallow.err"
    "$PAOTAI" spsa --param all --iterations 0 --depth 5 --nodes 0 >"$out/deep.txt" 2>/dev/null
    grep -q '^few_lmr_cut,' "$out/shallow.txt" && grep -q '^lmr_cut,' "$out/deep.txt" || echo "they are not there"
    grep '^few_' "$out/deep.txt"
    # If few_nodes is tuned, too, it may become smaller than the limit of 1000 nodes. Both
    # few_lmr_cut and lmr_cut then have an effect.
    grep -q '^lmr_cut,' "$out/shallow.txt" || echo "lmr_cut is missing beside few_nodes"
)"

# ---- made permanent ------------------------------------------------------------------------------
# core/search/adopt.sh writes results into a copy of search_params.def. It checks all lines before
# it writes anything.
adopt() (cd "$out/tree" && sh "$here/core/search/adopt.sh" "$@")
here=$PWD
mkdir -p "$out/tree/core/search" && cp core/search/search_params.def "$out/tree/core/search"
printf 'razor_margin, int, 311, 100, 800, 40, 0.002\r\nfew_lmr_cut,140,0,400,20,0.02\n' >"$out/adopt.txt"
result spsa_adopt "$(
    adopt write "$out/adopt.txt" 2>"$out/adopt.err" || echo "exit status $?"
    diff core/search/search_params.def "$out/tree/core/search/search_params.def" >"$out/adopt.diff"
    [ "$(grep '^>' "$out/adopt.diff" | cut -d, -f1,2 | tr '\n' ' ')" = "> SEARCH_PARAM(razor_margin, 311 > SEARCH_FEW(lmr_cut, 140 " ] || cat "$out/adopt.diff"
    grep -qx 'razor_margin [0-9]* -> 311' "$out/adopt.err" || cat "$out/adopt.err"
    adopt prove "$out/adopt.txt" "$PAOTAI" 2>/dev/null && echo "this program has these defaults"
    "$PAOTAI" spsa --param razor_margin --param few_lmr_cut --iterations 0 >"$out/same.txt"
    adopt prove "$out/same.txt" "$PAOTAI" || echo "this program has other defaults"
)"
cp "$out/tree/core/search/search_params.def" "$out/table.def"
printf '\357\273\277razor_margin, int, 311, 100, 800, 40, 0.002\n' >"$out/mark.txt"
check spsa_adopt_mark "it does not skip a byte order mark" adopt write "$out/mark.txt"
printf 'null_reduction,3,1,8,1,0.002\nrazor_margin, int, 31' >"$out/cut.txt"
refuse spsa_adopt_cut 2 "cut.txt: the last line has no line end" adopt write "$out/cut.txt"
refuse spsa_params_cut 1 "cut.txt:2: the line has no line end" "$PAOTAI" spsa --params "$out/cut.txt" --iterations 0
for bad in 'razor_margin,900,0,1000,1|900 is outside 100 to 800' 'nope,1,0,2,1|no search parameter' 'razor_margin,3.5x,0,9,1|no number' 'razor_margin,99.4,0,9,1|99 is outside 100 to 800' '#|no line'; do
    printf 'null_reduction,3,1,8,1\n%s\n' "${bad%|*}" | if [ "${bad%|*}" = '#' ]; then tail -n 1; else cat; fi >"$out/bad.txt"
    refuse "spsa_adopt_refuses_${bad%%[,|]*}" 2 "${bad#*|}" adopt write "$out/bad.txt"
done
check spsa_adopt_whole "a refused file changed the table" cmp "$out/table.def" "$out/tree/core/search/search_params.def"

# ---- damaged logs --------------------------------------------------------------------------------
sed 's/^5\t/5x\t/' "$out/one/spsa.log" >"$out/damaged" && cp "$out/damaged" "$out/one/spsa.log"
refuse spsa_damaged 1 "spsa.log line $(grep -n '^5x' "$out/damaged" | cut -d: -f1) is damaged: remove it" spsa one --resume
sed 's/^-3\t/x&/' "$out/two/spsa.log" >"$out/damaged" && cp "$out/damaged" "$out/two/spsa.log"
refuse spsa_damaged_probe 1 "spsa.log line $(grep -n '^x' "$out/damaged" | cut -d: -f1) is damaged: remove it" spsa two --resume

# ---- another program, and refusals ---------------------------------------------------------------
check spsa_program "options of a program cannot be tuned" "$PAOTAI" spsa --player "cmd=$PAOTAI,nodes=50" \
    --param razor_margin,300,100,800,40 --iterations 2 --pairs 1 --probe-pairs 2 --check-pairs 2 --opening-plies 4 --opening-nodes 0 --quiet
cp "$out/check" "$out/short.out"
check spsa_no_verdict "two iterations have a verdict" grep -qE '^razor_margin .* -$' "$out/short.out"
# Parameter lines of OpenBench and of fishtest are read and written.
printf '# two\n\nrazor_margin, int, 300, 100, 800, 40, 0.002\r\nnull_reduction,3,1,6,1,0.5\n' >"$out/lines.txt"
result spsa_lines "$(
    lines() { "$PAOTAI" spsa --iterations 0 "$@" || echo "exit status $?"; }
    [ "$(lines --params "$out/lines.txt" | tr '\n' ' ')" = "razor_margin,300,100,800,40,0.002 null_reduction,3,1,6,1,0.5 " ] ||
        lines --params "$out/lines.txt"
    lines --params "$out/lines.txt" --param 'x, int, -5, -9, 9, 1.5' >"$out/written.txt"
    grep -qx 'x,-5,-9,9,1.5,0.02' "$out/written.txt" || cat "$out/written.txt"
    lines --params "$out/written.txt" | cmp - "$out/written.txt"
    [ "$(lines --param all | wc -l)" -gt 9 ] || echo "not all of ours"
    "$PAOTAI" spsa --params "$out/lines.txt" --iterations 4 --pairs 1 --probe-pairs 0 --check-pairs 0 --nodes 30 --opening-nodes 0 \
        --quiet --out "$out/lined" >"$out/lined.txt"
    [ "$(cut -d , -f 1,2,4- "$out/lined/params.txt" | tr '\n' ' ')" = "razor_margin, int, 100, 800, 40, 0.002 null_reduction, int, 1, 6, 1, 0.5 " ] ||
        cat "$out/lined/params.txt"
    [ "$(cut -d , -f 3 "$out/lined/params.txt" | xargs printf '%.0f ')" = "$(sed -n 's/^use .*razor_margin=\([0-9]*\),option.null_reduction=\([0-9]*\)$/\1 \2 /p' "$out/lined.txt")" ] ||
        cat "$out/lined/params.txt" "$out/lined.txt"
    grep -q '^check_games\|^probe' "$out/lined.txt" && cat "$out/lined.txt"
)"
# params.txt keeps fractions, so a run that continues from it starts where the last one ended. A half
# is rounded in one way: in the line `use`, in games, and by adopt.sh.
result spsa_fraction "$(
    "$PAOTAI" spsa --param razor_margin,300.5,100,800,0.2,0.000001 --iterations 1 --pairs 1 --probe-pairs 0 --check-pairs 0 --nodes 30 \
        --opening-nodes 0 --out "$out/half" >"$out/half.txt" 2>"$out/half.err"
    grep -q '^razor_margin, int, 300\.5[0-9]*, 100, 800, 0.2, ' "$out/half/params.txt" || cat "$out/half/params.txt"
    grep -q '^use .*option.razor_margin=301$' "$out/half.txt" || cat "$out/half.txt"
    grep -q '^razor_margin: C 0.2 is small: .* same value in 54 % of the iterations and reversed values in 4 %' "$out/half.err" || cat "$out/half.err"
    "$PAOTAI" spsa --params "$out/half/params.txt" --iterations 0 >"$out/again.txt" && tr -d ' ' <"$out/half/params.txt" | sed 's/,int//' | cmp - "$out/again.txt"
    mkdir -p "$out/tree/core/search" && cp core/search/search_params.def "$out/tree/core/search"
    (cd "$out/tree" && sh "$OLDPWD/core/search/adopt.sh" write "$out/half/params.txt" 2>&1) | grep -q -- '-> 301$' || echo "adopt.sh rounds in another way"
)"
# The parameters of several --params files are all used.
printf 'x,-5,-9,9,1.5\n' >"$out/more.txt"
check spsa_files "a second --params replaces the first" [ "$("$PAOTAI" spsa --iterations 0 --params "$out/lines.txt" --params "$out/more.txt" | cut -d, -f1 | tr '\n' ' ')" = "razor_margin null_reduction x " ]
sed 's/0.5$/0.4/' "$out/lines.txt" >"$out/other.txt"
refuse spsa_other_lines 1 "null_reduction" "$PAOTAI" spsa --params "$out/other.txt" --iterations 4 --pairs 1 --probe-pairs 0 --nodes 30 --opening-nodes 0 \
    --quiet --out "$out/lined" --resume
printf 'a, int, 3, 1, 6, 1, 0.5\nb, float, 3, 1, 6, 1, 0.5\n' >"$out/float.txt"
refuse spsa_float 2 "float.txt:2: --param b: type float is not supported" "$PAOTAI" spsa --params "$out/float.txt" --iterations 0
refuse spsa_no_param 2 "--param NAME,START" "$PAOTAI" spsa
refuse spsa_unknown 2 nothing "$PAOTAI" spsa --param nothing
refuse spsa_range 2 "razor_margin" "$PAOTAI" spsa --param razor_margin,300,1,800,40
refuse spsa_foreign 2 "LmrBase" "$PAOTAI" spsa --param LmrBase,80,0,200,10
finish

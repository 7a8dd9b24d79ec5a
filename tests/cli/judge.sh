#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `paotai judge` as scripts rely on it: fields, errors in place, exit status, --first, --explain.
set -u
. tests/checks.sh
SCRATCH=$PAOTAI_SCRATCH
TAB=$(printf '\t')

# judged NAME EXPECTED_STATUS EXPECTED_TEXT STATUS TEXT
judged() {
    if [ "$2" = "$4" ] && [ "$3" = "$5" ]; then pass "judge_$1"; else
        printf '%s\n----\n%s\n' "$3" "$5"
        fail "judge_$1" "status $4, expected $2; output above, behind what is expected"
    fi
}

BOARD='3a2b2/4k4/4b4/9/9/9/P8/1p6B/1r2A1C2/3K1A2C b - -'
LOOP='b1b0 d0d1 b0b1 d1d0'
START='rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'

cat >"$SCRATCH/games.tsv" <<END
# a comment and a blank line are skipped

$START${TAB}h2e2 h9g7
$BOARD 0 1$TAB$LOOP $LOOP
$BOARD 0 1$TAB$LOOP $LOOP b1b0
$BOARD 113 1$TAB$LOOP $LOOP
R3k4/1R7/9/9/9/9/9/9/9/3K5 b
END
out=$("$PAOTAI" judge "$SCRATCH/games.tsv")
judged verdicts 0 "none${TAB}-
black_loses${TAB}perpetual_check
black_loses${TAB}perpetual_check
black_loses${TAB}perpetual_check
black_loses${TAB}checkmate" $? "$out"

out=$("$PAOTAI" judge --first <"$SCRATCH/games.tsv")
judged first 0 "none${TAB}-${TAB}-
black_loses${TAB}perpetual_check${TAB}8
black_loses${TAB}perpetual_check${TAB}8
black_loses${TAB}perpetual_check${TAB}7
black_loses${TAB}checkmate${TAB}0" $? "$out"

out=$("$PAOTAI" judge --rules none "$SCRATCH/games.tsv" | sed -n 2p)
judged rules_none 0 "draw${TAB}no_violation" $? "$out"

out=$("$PAOTAI" judge --rules literal --max-checks 4 "$SCRATCH/games.tsv" | sed -n 2p)
judged max_checks 0 "none${TAB}-" $? "$out"

# The chariot checks on a9, a8, a9, ...: the fourth check in a row loses; another piece's move begins anew.
RUN='3k5/9/9/9/9/9/9/9/9/R3K3R w'
ROW='a0a9 d9d8 a9a8 d8d9 a8a9 d9d8'
printf '%s\n' "$RUN${TAB}$ROW" "$RUN${TAB}$ROW a9a8" "$RUN${TAB}$ROW i0i8 d8d7 i8i7 d7d8 i7i8" >"$SCRATCH/run.tsv"
out=$("$PAOTAI" judge --rules literal --check-run 3 --first "$SCRATCH/run.tsv")
judged check_run 0 "none${TAB}-${TAB}-
red_loses${TAB}perpetual_check${TAB}7
none${TAB}-${TAB}-" $? "$out"
out=$("$PAOTAI" judge --rules literal --check-run 3 --explain "$SCRATCH/run.tsv" | grep -c '^# 4 checks in a row by the same piece')
judged check_run_explained 0 1 $? "$out"
out=$("$PAOTAI" judge --rules literal "$SCRATCH/run.tsv" | sort -u)
judged check_run_off 0 "none${TAB}-" $? "$out"

# Bad records: an error in their place, the others done, exit status 1.
out=$(printf '%s\n' "$START${TAB}h2e2 h9g8" "no fen" "$START${TAB}h2e2" "$START${TAB}a0a9" \
    "$START${TAB}h2e2${TAB}h9g7" "4k4/9/9/9/9/9/9/9/9/4K4 w" | "$PAOTAI" judge)
status=$?
shape=$(printf '%s\n' "$out" | sed 's/^\(error\tline [0-9]*: \).*/\1/')
judged errors 1 "error${TAB}line 1: 
error${TAB}line 2: 
none${TAB}-
error${TAB}line 4: 
error${TAB}line 5: 
error${TAB}line 6: " "$status" "$shape"
case $out in
*"line 1: ply 2: h9g8 "*) pass judge_error_text ;;
*) fail judge_error_text "no ply and move in: $out" ;;
esac

# Without its reasons an explained answer is the plain one; a person finds the pieces in them.
"$PAOTAI" judge --explain "$SCRATCH/games.tsv" >"$SCRATCH/explained"
status=$?
judged explain_plain $status "$("$PAOTAI" judge "$SCRATCH/games.tsv")" 0 "$(grep -v '^#' "$SCRATCH/explained")"
for words in 'CHECK by chariot b0' 'cannon g1 attacks chariot b1: NEW CHASE (direct)' \
    '# Black: checked with every move' 'Black has no legal move and is in check by chariot a9' \
    '# no capture: 2 plies'; do
    grep -q "$words" "$SCRATCH/explained"
    ok "judge_explain: $words" "not said" $?
done

# Wrong usage is status 2.
for arguments in '--rules chess' '--max-checks 4' '--check-run 3' '--rules literal --max-checks 2' '--material none' 'a b'; do
    # shellcheck disable=SC2086
    "$PAOTAI" judge $arguments </dev/null >/dev/null 2>&1
    judged "usage: $arguments" 2 "" $? ""
done
"$PAOTAI" judge "$SCRATCH/not-there" >/dev/null 2>&1
judged missing_file 1 "" $? ""
"$PAOTAI" judge --help | grep -q 'APPROXIMATE'
judged help_says_approximate 0 "" $? ""
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests match, rescore, selfplay and engine-check with programs whose scores are easily misread:
# bounds instead of scores, scores from Red's view, scores with decimals. The programs are mocks.
set -u
. tests/checks.sh
mock="cmd=${PAOTAI}-test --mock"
# A match of 20 games against the mock with these keys, in the protocol PROTO. The output is in
# $out/NAME.txt and $out/NAME.err.
# play NAME PROTO KEYS QUIRKS OPTION...
play() {
    name=$1 player="$mock $2 $3,proto=$2,depth=3$4"
    shift 4
    "$PAOTAI" match --a weights=classic,nodes=60 --b "$player" --pairs 10 --max-plies 100 --threads 2 --out "$out/$name" "$@" \
        >"$out/$name.txt" 2>"$out/$name.err"
}
# rescore NAME PROTO KEYS QUIRKS: searches the games of the match `red` again.
rescore() {
    "$PAOTAI" rescore --player "$mock $2 $3,proto=$2,depth=3$4" --threads 2 --out "$out/$1" "$out/red" >"$out/$1.txt" 2>"$out/$1.err"
}
scores() { "$PAOTAI" data export --format csv --quiet "$1" 2>/dev/null | cut -d, -f 1-4 | sha256sum; }
info() { "$PAOTAI" data info --quiet "$out/$1" | sed -n "s/^$2 //p"; }

# ---- bounds ----
result bounds_stored "$(
    play red uci sign=2 ''
    for proto in uci ucci cecp; do
        rescore "bound-$proto" $proto 'bound=1 sign=1' ''
        [ "$(value bounds "$out/bound-$proto.txt")" = "$(value searched "$out/bound-$proto.txt")" ] || cat "$out/bound-$proto.txt"
        [ "$(info "bound-$proto" plies_scored)" = 0 ] || echo "$proto: bounds were stored as scores"
        rescore "last-$proto" $proto 'bound=2 sign=1' ''
        rescore "exact-$proto" $proto sign=1 ''
        [ "$(value bounds "$out/last-$proto.txt")" = 0 ] || cat "$out/last-$proto.txt"
        [ "$(info "exact-$proto" plies_scored)" -gt 0 ] && [ "$(scores "$out/last-$proto")" = "$(scores "$out/exact-$proto")" ] ||
            echo "$proto: another score than the last exact one was stored"
    done
)"
# Both sides see Black far ahead or behind, but the scores of one player are only bounds: adjudication
# does not act on them. With exact scores it ends games.
result bounds_adjudication "$(
    play adjudicated uci sign=1 '' --resign-score 300
    grep -q '^end_resign_adjudication' "$out/adjudicated.txt" || echo "exact scores end no game: $(grep ^end "$out/adjudicated.txt")"
    play unknown uci 'bound=1 sign=1' '' --resign-score 300
    grep '^end_resign_adjudication' "$out/unknown.txt"
    [ "$(value bounds "$out/unknown.txt")" = "$(value b_bounds "$out/unknown.txt")" ] && [ "$(value bounds "$out/unknown.txt")" -gt 0 ] ||
        grep bounds "$out/unknown.txt"
)"
result bounds_engine_check "$(
    for proto in uci ucci cecp; do
        "$PAOTAI" engine-check "$mock $proto bound=1 sign=1,proto=$proto,quirk=start_ms:300000,quirk=silence_ms:300000" >"$out/check.txt"
        grep -q '^note	scores	.*4 of 4 searches end with a bound.*0 of 4 searches have one' "$out/check.txt" || cat "$out/check.txt"
    done
)"

# ---- scores from Red's view ----
result red_scores_named "$(
    remark='paotai-test: its scores have the wrong sign; as Black they contradict our static evaluation in .*: add quirk=red_scores'
    [ "$(grep -c "$remark" "$out/red.err")" = 1 ] || { echo "the match says:" && cat "$out/red.err"; }
    grep -qx 'b_scores_reversed black' "$out/red.txt" || cat "$out/red.txt"
    for proto in uci ucci cecp; do
        rescore "reversed-$proto" $proto 'sign=2' ''
        [ "$(grep -c "$remark" "$out/reversed-$proto.err")" = 1 ] || { echo "rescore says:" && cat "$out/reversed-$proto.err"; }
        rescore "cured-$proto" $proto 'sign=2' ',quirk=red_scores'
        grep 'wrong sign' "$out/cured-$proto.err"
        [ "$(scores "$out/cured-$proto")" = "$(scores "$out/exact-$proto")" ] || echo "$proto: quirk=red_scores stores other scores than sign=1"
        rescore "mates-$proto" $proto 'sign=1 mates=1' ''
        rescore "cured-mates-$proto" $proto 'sign=2 mates=1' ',quirk=red_scores'
        [ "$(scores "$out/cured-mates-$proto")" = "$(scores "$out/mates-$proto")" ] || echo "$proto: quirk=red_scores stores other mates than sign=1"
        [ "$(scores "$out/mates-$proto")" != "$(scores "$out/exact-$proto")" ] || echo "$proto: the mock reported no mates"
    done
    rescore twice uci sign=1 ',quirk=red_scores'
    grep -q ': omit quirk=red_scores' "$out/twice.err" || cat "$out/twice.err"
)"
result red_scores_right "$(
    play right uci sign=1 ''
    grep 'wrong sign' "$out/right.err"
    grep 'reversed' "$out/right.txt"
)"
# Nothing is said before 20 games; selfplay --player compares the signs, too.
result red_scores_selfplay "$(
    for games in 19 20; do
        "$PAOTAI" selfplay --games $games --max-plies 80 --player "$mock ucci sign=2,proto=ucci,depth=3" --out "$out/self-$games" >"$out/self.txt" 2>&1
        [ "$(grep -c 'wrong sign.*add quirk=red_scores' "$out/self.txt")" = $((games - 19)) ] || cat "$out/self.txt"
    done
)"
result red_scores_engine_check "$(
    "$PAOTAI" engine-check "$mock uci sign=2 mates=1,proto=uci" | grep -q '^bad	scores	.*add quirk=red_scores' || echo "no quirk is named"
    "$PAOTAI" engine-check "$mock uci sign=2 mates=1,proto=uci,quirk=red_scores" | grep -q '^good	scores' || echo "the quirk does not help"
)"

# ---- scores with decimals ----
# Without the quirk score_unit the unit is unknown, so the scores are not read.
result decimals "$(
    for proto in uci ucci cecp; do
        rescore "comma-$proto" $proto 'comma=1 sign=1' ''
        [ "$(value unread_scores "$out/comma-$proto.txt")" = "$(value searched "$out/comma-$proto.txt")" ] && [ "$(info "comma-$proto" plies_scored)" = 0 ] ||
            cat "$out/comma-$proto.txt"
        rescore "pawns-$proto" $proto 'comma=1 sign=1' ',quirk=score_unit:100'
        [ "$(scores "$out/pawns-$proto")" = "$(scores "$out/exact-$proto")" ] || echo "$proto: quirk=score_unit:100 stores other scores"
    done
    play comma uci 'comma=1 sign=1' ''
    grep -q '^b_unread_scores_remedy .*quirk=score_unit:100' "$out/comma.txt" || cat "$out/comma.txt"
    "$PAOTAI" engine-check "$mock uci comma=1 sign=1,proto=uci" | grep -q '^note	scores	.*quirk=score_unit:100' || echo "engine-check says nothing"
)"
finish

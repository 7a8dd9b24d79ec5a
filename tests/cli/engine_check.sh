#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai engine-check on good and bad mock engines, and on our own engine.
set -u
. tests/checks.sh
mock="cmd=${PAOTAI%/*}/paotai-test --mock"
# In XBoard's protocol a program may end the handshake by silence. The timeouts are long because the
# machine may be busy.
patient=proto=cecp,quirk=start_ms:300000,quirk=silence_ms:300000
cecp="$mock cecp,$patient"

# good PLAYER: requires that engine-check has the exit status 0 and prints at least six lines that
# begin with "good" or "note" and none that begins with "bad". For a mock engine it must also print
# the engine's name. On a busy machine a player may exceed its limits, so engine-check is repeated
# up to four times if "limits" or "stop" is bad. Its output stays in $out.
good() {
    for _ in 1 2 3 4 5; do
        out=$("$PAOTAI" engine-check "$1")
        status=$?
        [ $status -ne 0 ] && printf '%s\n' "$out" | grep '^bad' | grep -qE '^bad	(limits|stop)	' || break
    done
    [ $status -eq 0 ] || echo "$1: exit status $status"
    printf '%s\n' "$out" | grep '^bad' && echo "by $1"
    case $1 in "$mock"*) printf '%s\n' "$out" | grep -q '^good	handshake	Mock 1\.0, profile [a-z1]*,' || echo "$1: no name" ;; esac
    [ "$(printf '%s\n' "$out" | grep -cE '^(good|note)')" -ge 6 ] || printf 'too few checks by %s:\n%s\n' "$1" "$out"
}
# bad CHECK PATTERN PLAYER: requires that this check is bad, that its line has the pattern, and that
# the exit status is 1. The output stays in $out.
bad() {
    out=$("$PAOTAI" engine-check "$3")
    status=$?
    [ $status -eq 1 ] || echo "$3: exit status $status"
    printf '%s\n' "$out" | grep "^bad	$1	" | grep -q -- "$2" || printf '%s: %s not bad by %s:\n%s\n' "$3" "$1" "$2" "$out"
}
# refuses PATTERN ARGUMENT...: requires exit status 2 and a message that has the pattern.
refuses() {
    pattern=$1
    shift
    "$PAOTAI" engine-check "$@" >"$PAOTAI_SCRATCH/out" 2>&1
    status=$?
    [ $status -eq 2 ] || echo "engine-check $*: exit status $status"
    grep -q -- "$pattern" "$PAOTAI_SCRATCH/out" || echo "engine-check $*: says $(cat "$PAOTAI_SCRATCH/out")"
}

result engine_check_good "$(
    good "$mock uci,proto=uci"
    good "$mock uci ranks=1,proto=uci1"
    good "$mock ucci ms=1,proto=ucci"
    good "$cecp"
    good "$mock uci ranks=1,proto=uci,quirk=ranks:1"
)"
# An engine that holds a game drawn earlier than the referee answers without a move.
result engine_check_no_capture "$(
    good "$mock uci quiet=57,proto=uci"
    printf '%s\n' "$out" | grep -q '^note	no_capture	it answers without a move after 57 plies .* draws after 120 .*: add quirk=no_capture:57$' || printf '%s\n' "$out"
    good "$mock uci quiet=57,proto=uci,quirk=no_capture:57"
    printf '%s\n' "$out" | grep -q '^good	no_capture	it plays a move after 56 plies' || printf '%s\n' "$out"
)"
result engine_check_ours "$(
    good "cmd=$PAOTAI"
    printf '%s\n' "$out" | grep -q '^good	scores	' || echo "our own scores are not called good"
    good "cmd=$PAOTAI,proto=ucci"
    good "cmd=$PAOTAI,proto=cyclone"
)"
# In test-full, the engines of Debian are tested with the settings that paotai has for them
# (profile=NAME): all checks, and games against our engine with both colours.
if [ "$PAOTAI_FULL" = 1 ]; then
    PATH=$PATH:/usr/games
    for profile in fairy-stockfish fairy-stockfish-ucci sjaakii hoixiangqi maxqi; do
        command -v "${profile%-ucci}" >/dev/null || { echo "SKIP engine_check_$profile: it is not installed (make deps-dev)" && continue; }
        result "engine_check_$profile" "$(
            good "profile=$profile"
            for limit in depth=4 st=0.1 tc=5+0.1; do
                "$PAOTAI" match --a "profile=$profile,$limit,name=$profile" --b weights=classic,nodes=50 --pairs 2 --margin 400 --max-plies 60 \
                    --quiet >"$PAOTAI_SCRATCH/$profile" 2>&1
                grep -qx 'a_faults 0' "$PAOTAI_SCRATCH/$profile" || cat "$PAOTAI_SCRATCH/$profile"
            done
        )"
    done
fi
# An engine may stop before the requested depth: engine-check says so in the line of the limits.
result engine_check_shallow "$(
    "$PAOTAI" engine-check "$mock uci depth=2,proto=uci" | grep '	limits	' | grep -v 'with depth=3 a search used 2 plies'
)"
result engine_check_bad "$(
    bad handshake 'no program' cmd=no-such-program-here
    bad handshake 'exit status 3' "$mock uci do=crash at=0,proto=uci"
    bad handshake 'did not answer' "$mock ucci,proto=uci,quirk=start_ms:200"
    bad handshake 'printed more than 1024 kB in the handshake' "$mock uci do=flood at=0,proto=uci"
    bad handshake 'closed its standard output' "$mock cecp do=close at=0,$patient,quirk=stop_ms:200"
    bad handshake "no option 'Three Words'" "$mock uci,proto=uci,option.Three Words=1"
    bad handshake '/no/such/directory: No such file' "$mock uci,proto=uci,dir=/no/such/directory"
    bad handshake 'does not accept threads=, because it does not declare the feature smp' "$mock cecp smp=0,$patient,threads=2"
    for key in nodes=1000 ponder=yes; do bad first_move "no command for ${key%=*}=" "$cecp,$key"; done
    bad positions illegal "$mock uci deaf=1,proto=uci"
    bad first_move garbage "$mock ucci do=garbage at=1,proto=ucci"
    printf '%s\n' "$out" | grep 'looks like'
    bad first_move crash "$mock cecp do=abort at=1,$patient"
    bad first_move 'it resigns in the start position' "$mock uci do=resign at=1,proto=uci"
    bad first_move 'seems to count ranks from 0' "$mock uci,proto=uci1"
    bad first_move 'illegal.*seems to count ranks from 1: use proto=uci1' "$mock uci ranks=1,proto=uci"
    bad handshake "cannot start './no-such-engine': the file does not exist" cmd=./no-such-engine
    bad scores 'its scores have the wrong sign' "$mock uci sign=-1,proto=uci"
    bad scores "its scores are from Red's point of view" "$mock ucci sign=2,proto=ucci"
    "$PAOTAI" engine-check "$mock uci sign=1,proto=uci" | grep -q '^good	scores	all 4 scores favour the side that is two chariots ahead, as they should$' || echo "good scores are not called so"
    bad limits 'with depth=3 a search used 9 plies' "$mock uci depth=9,proto=uci"
)"
# The mock always reports 1234 nodes. A program with other numbers of nodes than requested is named.
result engine_check_nodes "$(
    "$PAOTAI" engine-check "$mock uci,proto=uci" | grep -q '	limits	.*in 10 searches it uses other than 5000 nodes: 0.25 times as many on average, median 0.2.*, largest 0.25' ||
        echo "engine-check does not name the numbers of nodes"
    "$PAOTAI" match --a "$mock uci,proto=uci,nodes=1000,name=greedy" --b "$mock uci,proto=uci,nodes=1234,name=exact" --pairs 2 --max-plies 40 \
        --page "$PAOTAI_SCRATCH/nodes.html" --quiet >"$PAOTAI_SCRATCH/nodes" 2>&1
    grep -q '^node_limit greedy uses other than 1000 nodes: 1.23 times as many on average, median 1.2[0-9], largest 1.23$' "$PAOTAI_SCRATCH/nodes" ||
        cat "$PAOTAI_SCRATCH/nodes"
    grep -q '^node_limit exact' "$PAOTAI_SCRATCH/nodes" && echo "a program that keeps its limit is named"
    grep -qx 'b_node_ratio_median 1.000' "$PAOTAI_SCRATCH/nodes" || echo "wrong median"
    grep -q 'uses other than 1000 nodes' "$PAOTAI_SCRATCH/nodes.html" || echo "the page does not name the program"
)"
result engine_check_usage "$(
    refuses 'is not a program' weights=classic
    refuses "profile: 'nosuch' is not one of uci," profile=nosuch
    refuses missing
    refuses "quirk: 'nosuch' is not one of ranks," "$mock uci,quirk=nosuch"
    [ "$("$PAOTAI" engine-check --profiles | cut -f 1 | grep -cxE 'uci|ucci|cecp|hoixiangqi|maxqi|sjaakii|fairy-stockfish')" = 7 ] ||
        echo "--profiles does not list them"
    "$PAOTAI" engine-check --json "$mock uci,proto=uci" | grep -vE '^\{"check":"[a-z_]*","verdict":"[a-z]*","text":".*"\}$'
)"
finish

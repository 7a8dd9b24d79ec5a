#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai match and tournament with programs that fail: a failure costs one game, the counts
# are right, the run continues, and no process is left. The C tests player_faults and play_ends test
# the kinds of failures.
set -u
. tests/checks.sh
tests=${PAOTAI%/*}/paotai-test
common="--opening-nodes 0 --max-plies 24 --seed 5 --quiet"
# Milliseconds until a silent engine is given up. A good answer takes less, even on a busy machine
# with an instrumented build.
patience=6000
# Settings of the timeouts of engines. `slow` sets long timeouts for the start and for a time
# without output. `calm` also sets a long timeout after `stop`; it is for engines whose faults are
# detected without a timeout.
slow=quirk=start_ms:300000,quirk=silence_ms:300000
calm=$slow,quirk=stop_ms:300000
good="name=good,$calm,cmd=$tests --mock"

# once WHAT AT PROTO FAULTS: plays a match of 4 pairs. Player A (protocol PROTO) commits the fault
# WHAT a single time, at its search number AT, and must lose FAULTS games (0 or 1) by it. No other
# game is lost. If AT is 0, the handshake fails and the engine is started again. The matches run in
# parallel, because they mostly wait for timeouts.
once() {
    what=$1 at=$2 proto=$3 faults=$4 waits=$slow,quirk=stop_ms:$patience
    [ "$at" != 0 ] || waits=quirk=start_ms:$patience,quirk=silence_ms:$patience
    run=$out/$what.$at.$proto
    "$PAOTAI" match --a "cmd=$tests --mock $proto do=$what at=$at once=$run.mark,proto=$proto,$waits,st=0.4,name=bad" \
        --b "$good $proto name=good,proto=$proto,depth=1" --pairs 4 --margin $patience $common --out "$run" >"$run.txt" 2>&1 ||
        echo "$what, $proto: exit status $?"
    [ -e "$run.mark" ] || echo "$what, $proto: it never did it"
    for line in "games 8" "wins 0" "losses $faults" "draws $((8 - faults))" "a_faults $faults" "b_faults 0" "end_max_plies $((8 - faults))"; do
        grep -qx "$line" "$run.txt" || echo "$what, $proto: no '$line': $(grep ^end_ "$run.txt" | tr '\n' ' ')"
    done
    [ "$faults" = 0 ] || grep -qx "end_time_forfeit 1" "$run.txt" || echo "$what, $proto: $(grep ^end_ "$run.txt" | tr '\n' ' ')"
    "$PAOTAI" data verify --quiet "$run" >"$run.verify" || cat "$run.verify"
}
result match_fault "$(
    once hang 4 uci 1 &
    once endless 10 cecp 1 &
    once hang 0 uci 0 &
    wait
)"

# Failures of a player and its claims that the game is over are counted, reported when they occur,
# and written into the PGN, which can still be imported.
result match_told "$(
    while IFS=: read -r what proto key said; do
        run=$out/told.$what
        "$PAOTAI" match --a "cmd=$tests --mock $proto do=$what at=5,proto=$proto,$calm,depth=1,name=bad" --b "weights=classic,nodes=1" \
            --pairs 2 --opening-nodes 0 --max-plies 24 --seed 5 --verbose --pgn "$run.pgn" >"$run.txt" 2>"$run.err" || cat "$run.err"
        grep -qx "a_$key 1" "$run.txt" && grep -qx "b_$key 0" "$run.txt" || echo "$what: $(grep "_$key" "$run.txt")"
        [ "$(grep -c "^game 0: bad: $said" "$run.err")" = 1 ] || echo "$what is told as: $(cat "$run.err")"
        tr '\n' ' ' <"$run.pgn" | grep -q "{bad: ${said}[^{}]*} [01/2-]*  \[Game" || echo "$what is not in the PGN"
        [ "$("$PAOTAI" data import --quiet --format pgn --out "$run" "$run.pgn" | sed -n 's/^games //p')" = 4 ] || echo "$what: the PGN does not read"
    done <<END
claim:cecp:claims:it claims: 1/2-1/2 .Draw by repetition. (ignored, 1 time)
garbage:uci:faults:protocol_fault, its answer is not a move: 'Nc3'
END
    grep -q "(move [0-9]*)\. 'paotai engine-check PLAYER'" "$out/told.garbage.err" || echo "nobody says what helps: $(cat "$out/told.garbage.err")"
    grep -qx "1 of 4 games ended because a player failed to play; the lines 'game N: ...' name the causes" "$out/told.garbage.err" || echo "the end does not count it"
    "$PAOTAI" match --a "cmd=$tests --mock uci do=late at=5,proto=uci,$calm,st=0.2,name=bad" --b "weights=classic,nodes=1" \
        --pairs 2 --margin 150 --opening-nodes 0 --max-plies 24 --seed 5 >"$out/late.txt" 2>"$out/late.err" || cat "$out/late.err"
    grep -q '^game [0-3]: bad: time_forfeit, it took [0-9]* ms and had 200 ms: [0-9]* ms over, the margin is 150 ms (move [0-9]*)\. Give a larger --margin' "$out/late.err" ||
        cat "$out/late.err"
)"

# Programs are told what a handicap forbids: by UCCI they receive the forbidden moves (banmoves), by
# UCI the allowed moves (searchmoves).
result match_odds_told "$(
    for proto in uci ucci; do
        "$PAOTAI" match --a "$good $proto,proto=$proto,nodes=1,log=$out/odds.$proto" --b weights=classic,nodes=50 --odds rook \
            --opening-plies 0 --pairs 3 $common >"$out/odds.txt" 2>&1 || cat "$out/odds.txt"
    done
    # The handicap protects Red's horse b0 until it moves. Red's first move is made by another
    # piece, so Black's cannon b7 may not capture the horse over Red's cannon b2.
    grep '> banmoves' "$out/odds.ucci" | head -n 1 | grep -q ' b7b0' || echo "no banmoves: $(grep '> ' "$out/odds.ucci" | tail -n 3)"
    grep '> go.* searchmoves' "$out/odds.uci" | head -n 1 | grep -v ' b7b0' | grep -q 'searchmoves.* b7b6' || echo "no searchmoves: $(grep '> ' "$out/odds.uci" | tail -n 3)"
)"

# After too many failures of a player, the match ends with a clear message and a table. The exit
# status is 1.
result match_too_many_faults "$(
    "$PAOTAI" match --a "cmd=$tests --mock uci do=crash at=3,proto=uci,nodes=1,name=wreck" --b "$good uci,proto=uci,nodes=1" \
        --pairs 50 $common --out "$out/wreck" >"$out/wreck.txt" 2>"$out/wreck.err"
    [ $? -eq 1 ] || echo "exit status is not 1"
    grep -q 'wreck failed to play in 11 games, the last time: crash.*exit status 3' "$out/wreck.err" || cat "$out/wreck.err"
    grep -qx "10 of 10 games ended because a player failed to play; without --quiet, the lines 'game N: ...' name the causes" "$out/wreck.err" || cat "$out/wreck.err"
    for line in "games 10" "losses 10" "a_faults 11"; do grep -qx "$line" "$out/wreck.txt" || echo "no '$line'"; done
    "$PAOTAI" match --a "cmd=$tests --mock uci do=crash at=3,proto=uci,nodes=1,name=wreck" --b "$good uci,proto=uci,nodes=1" \
        --pairs 50 $common --out "$out/wreck" --resume --verbose >"$out/wreck2.txt" 2>"$out/wreck.err"
    [ $? -eq 1 ] && grep -q 'wreck failed to play in 11 games' "$out/wreck.err" && grep -qx 'already 11' "$out/wreck2.txt" ||
        echo "a stopped match continues: $(cat "$out/wreck.err")"
)"
# The exit status is also 1 if a player fails in every game of a contest that is too short to be
# stopped.
result match_only_faults "$(
    for command in "match --a" tournament; do
        pairs=--rounds second=
        [ "$command" = tournament ] || pairs=--pairs second=--b
        # shellcheck disable=SC2086 # a list of words, which may be empty
        "$PAOTAI" $command "cmd=$tests --mock uci do=crash at=3,proto=uci,nodes=1,name=wreck" $second weights=classic,nodes=1 \
            $pairs 1 $common >"$out/only.txt" 2>"$out/only.err"
        [ $? -eq 1 ] && grep -q 'every game ended because a player failed to play, so nothing was measured' "$out/only.err" || cat "$out/only.err"
    done
)"
# A match and self-play with the same seed play different openings, because the weights tested by
# the match may have been fitted to the games of self-play.
result match_other_openings "$(
    play="--nodes 1 --seed 1 --max-plies 10 --quiet"
    # shellcheck disable=SC2086 # a list of words
    "$PAOTAI" match $play --pairs 20 --out "$out/begin.match" >/dev/null && "$PAOTAI" selfplay $play --games 20 --out "$out/begin.games" >/dev/null
    for run in match games; do
        "$PAOTAI" data export --format moves "$out/begin.$run" 2>/dev/null | grep -v '^#' | awk -F '\t' '{ split($NF, m, " "); print m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8] }' | sort -u >"$out/begin.$run.txt"
    done
    [ "$(wc -l <"$out/begin.match.txt")" = 20 ] && [ "$(comm -12 "$out/begin.match.txt" "$out/begin.games.txt" | wc -l)" = 0 ] ||
        head -n 3 "$out/begin.match.txt" "$out/begin.games.txt"
)"
result tournament_too_many_faults "$(
    "$PAOTAI" tournament "cmd=$tests --mock uci do=crash at=3,proto=uci,nodes=1,name=wreck" weights=classic,nodes=1,name=one \
        weights=classic,nodes=2,name=two --rounds 6 --threads 2 --shard-games 4 $common \
        --out "$out/wrecks" >"$out/wrecks.txt" 2>"$out/wrecks.err"
    [ $? -eq 1 ] && grep -q '2 of 3 pairings were stopped' "$out/wrecks.err" || echo "$(cat "$out/wrecks.err")"
    [ "$(grep -c '^pairing wreck.*+0 =0 -11  weaker: lost every game, .*  stopped: wreck failed to play in 11 games, the last time: crash' "$out/wrecks.txt")" = 2 ] ||
        cat "$out/wrecks.txt"
    grep '^pairing one - two' "$out/wrecks.txt" | grep -vq stopped || echo "the pairing without faults was stopped, too"
    grep -qx 'games 34' "$out/wrecks.txt" || echo "not 34 games"
    "$PAOTAI" data verify --quiet "$out/wrecks" >"$out/wrecks.verify" || cat "$out/wrecks.verify"
)"
result match_no_start "$(
    "$PAOTAI" match --a "cmd=$tests --mock uci do=crash at=0,proto=uci,nodes=1,name=dead" --b weights=classic,nodes=1 --pairs 2 $common \
        >"$out/dead.txt" 2>"$out/dead.err"
    [ $? -eq 1 ] && grep -q 'dead: .*failed in the handshake: it ended with exit status 3' "$out/dead.err" || cat "$out/dead.err"
    printf '#!/bin/sh\necho "info string ERROR: no network"\necho "a fault" >&2\nexit 1\n' >"$out/dying.sh" && chmod +x "$out/dying.sh"
    "$PAOTAI" engine-check "cmd=$out/dying.sh" >"$out/dying.txt"
    grep -q 'exit status 1; its last output: info string ERROR: no network; its last errors: a fault' "$out/dying.txt" && [ "$(grep -c '^bad' "$out/dying.txt")" = 1 ] ||
        cat "$out/dying.txt"
)"

# If our program is killed with kill -9, all engines end too, also an engine that ignores its input.
processes() { test "$(grep -lsa "marker[=]$out" /proc/[0-9]*/cmdline | wc -l)" "$@"; }
printf '#!/bin/sh\nsh -c "sleep 600; true" "marker=%s" &\nexec "%s" "$@"\n' "$out" "$tests" >"$out/forker.sh" && chmod +x "$out/forker.sh"
result match_leaves_nothing "$(
    for what in hang noise; do
        "$PAOTAI" match --a "cmd=$out/forker.sh --mock uci do=$what at=2 marker=$out,proto=uci,st=60" --b "cmd=$tests --mock uci marker=$out,proto=uci,nodes=1" \
            --pairs 100000 $common >/dev/null 2>&1 &
        pid=$!
        wait_until processes -ge 4 || echo "$what: the mocks do not run"
        sleep 0.2
        kill -9 $pid
        wait $pid 2>/dev/null
        wait_until processes -eq 0 || echo "$what: still there: $(grep -lsa "marker[=]$out" /proc/[0-9]*/cmdline)"
    done
)"

# If a signal arrives while an engine thinks for a minute, the finished games are kept.
result match_signal "$(
    "$PAOTAI" match --a "cmd=$out/forker.sh --mock uci do=hang at=30 once=$out/signal.mark marker=$out,proto=uci,st=60" --b weights=classic,nodes=1 --pairs 100 $common \
        --max-plies 40 --out "$out/signal" >/dev/null 2>"$out/signal.err" &
    pid=$!
    wait_until test -e "$out/signal.mark" || echo "the mock does not run"
    begun=$(date +%s)
    kill -TERM $pid
    wait $pid
    status=$?
    [ $status -eq 143 ] || echo "exit status $status"
    [ $(($(date +%s) - begun)) -lt 30 ] || echo "it waited for the engine"
    "$PAOTAI" data verify --quiet "$out/signal" >"$out/signal.txt" 2>&1 || cat "$out/signal.err" "$out/signal.txt"
    grep -qx 'games [1-9][0-9]*' "$out/signal.txt" || cat "$out/signal.txt"
)"

# Another program with the same name is another player, so the run cannot continue.
result match_other_program "$(
    cp "$out/forker.sh" "$out/same.sh"
    play="$PAOTAI match --b weights=classic,nodes=1 $common --max-plies 12 --out $out/same"
    $play --a "cmd=$out/same.sh --mock uci,proto=uci,nodes=1" --pairs 1 >/dev/null || echo "no match"
    $play --a "cmd=$out/same.sh --mock uci,proto=uci,nodes=1" --pairs 2 --resume >/dev/null || echo "the same program is refused"
    printf '#!/bin/sh\n"%s" --mock uci | sed -u "s/^id name.*/id name $(cat "%s")/"\n' "$tests" "$out/name" >"$out/named.sh" && chmod +x "$out/named.sh"
    for name in one one two; do # the file of the program is unchanged, but it runs another engine
        echo $name >"$out/name"
        $play-named --a "cmd=$out/named.sh,proto=uci,nodes=1" --pairs 1 --resume >/dev/null 2>"$out/named.$name" || echo $name
    done >"$out/named.txt"
    [ "$(cat "$out/named.txt")" = two ] && grep -q 'was made with .*player=id=one .*player=id=two ' "$out/named.two" || cat "$out/named.txt" "$out/named.two"
    echo '# another' >>"$out/same.sh"
    $play --a "cmd=$out/same.sh --mock uci,proto=uci,nodes=1" --pairs 3 --resume >/dev/null 2>"$out/same.err"
    [ $? -eq 1 ] && grep -q "was made with .*files=" "$out/same.err" || cat "$out/same.err"
)"

# A player can have its own directory and time margin, and can ponder.
result match_player_keys "$(
    mkdir -p "$out/place"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$tests" >"$out/place/engine.sh" && chmod +x "$out/place/engine.sh"
    "$PAOTAI" match --a "cmd=./engine.sh --mock uci ponder=1,dir=$out/place,ponder=1,nodes=1,log=$out/ponder.log" \
        --b "$good uci,proto=uci,nodes=1" --pairs 1 $common >"$out/keys.txt" 2>&1 || cat "$out/keys.txt"
    for line in "go ponder nodes 1" ponderhit "setoption name Ponder value true"; do
        grep -q "> $line\$" "$out/ponder.log" || echo "it was not told '$line'"
    done
    grep -qx 'games 2' "$out/keys.txt" && grep -qx 'a_faults 0' "$out/keys.txt" || cat "$out/keys.txt"
    late="cmd=$tests --mock uci do=late at=5,proto=uci,$calm,st=0.2"
    for player in "$late,margin=120" "$late"; do
        "$PAOTAI" match --a "$player" --b weights=classic,nodes=1 --pairs 1 --margin 170 --opening-nodes 0 --max-plies 24 \
            >/dev/null 2>>"$out/margins.err"
    done
    [ "$(grep -o 'margin is [0-9]*' "$out/margins.err" | tr '\n' ' ')" = "margin is 120 margin is 170 " ] ||
        cat "$out/margins.err"
)"
refuse selfplay_ponder 2 "ponder= and margin= have an effect only in match" "$PAOTAI" selfplay --player "cmd=x,nodes=1,ponder=yes" --out "$out/no"

# The limit of plies without a capture is that of --no-capture, or the smallest one of the players.
result match_no_capture "$(
    cd "$out" || exit
    echo '3ak4/4a4/9/p8/9/9/8P/9/4A4/3AK4 w - - 0 1' >quiet.epd
    # play NAME KEYS OPTION...: plays a mock that answers without a move after 45 plies.
    play() {
        name=$1 keys=$2
        shift 2
        "$PAOTAI" match --a "cmd=$tests --mock uci quiet=45,proto=uci,name=mock$keys" --b "cmd=$tests --mock uci,proto=uci,nodes=1,name=other" --openings quiet.epd \
            --draw-score 0 --pairs 1 --out "$name" "$@" >"$name.txt" 2>&1
    }
    play claim ""
    grep -q 'claims a draw at ply 4[5-6] without capture; the rules say 120: --no-capture 4[5-6]' claim.txt && grep -qx 'a_faults 2' claim.txt || cat claim.txt
    play given "" --no-capture 45
    grep -qx 'end_no_capture 2' given.txt && grep -qx 'a_faults 0' given.txt || cat given.txt
    play quirk ,quirk=no_capture:45
    head -n 1 quirk.txt | grep -qx 'note: mock holds a game drawn after 45 plies without a capture, so all games of this run end then; --no-capture N sets another limit' &&
        grep -qx 'end_no_capture 2' quirk.txt || cat quirk.txt
    play higher ,quirk=no_capture:45 --no-capture 80
    grep -qx 'a_faults 2' higher.txt && ! grep -q '^note: mock holds' higher.txt || cat higher.txt
    for run in given quirk higher; do
        "$PAOTAI" data verify "$run" >verify.txt 2>&1 || cat verify.txt
    done
    "$PAOTAI" data info given | grep -q '^provenance_rules axf no_capture_plies=45$' || "$PAOTAI" data info given | grep rules
)"

# match --rev plays revisions of any repository, built by any command. If the commit message of a
# revision names a bench signature, the bench of the revision must print this number.
result match_rev_any "$(
    repo=$out/other && mkdir -p "$repo/src" && cd "$repo" || exit
    export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
    # commit NODES MESSAGE: commits an engine whose bench prints NODES.
    commit() {
        printf '#!/bin/sh\n[ "$1" != bench ] || { echo "Nodes searched  : %s" >&2; exit; }\nexec "%s" --mock ucci\n' "$1" "$tests" >src/engine.in
        git add . && git commit -q -m "$2"
    }
    git init -q . && echo more >more && commit 1234 "one

Bench: 1234" && git tag one && commit 77 "two" && git tag two && commit 4 "three

bench 5" && git tag three && git commit -q --allow-empty -m "the same files" && git tag same
    git checkout -q one && echo other >more && commit 77 "beside two" && git tag beside && git checkout -q same
    cd "$out" || exit
    # play REV REV OPTION...: plays one pair of games between two revisions with `match`.
    play() {
        a=$1 b=$2
        shift 2
        "$PAOTAI" match --repo "$repo" --rev "$a" --rev "$b" --rev-cache "$out/revs" --binary src/engine --a proto=ucci,nodes=1 --b proto=ucci,nodes=1 \
            --pairs 1 $common "$@" 2>&1
    }
    made="cp src/engine.in src/engine && chmod +x src/engine"
    play one two --build "$made" >"$out/rev.txt"
    # Player A is the revision that descends from the other one, in either order of --rev. If
    # neither does, A is the later one.
    grep -qxE 'testing two \([0-9a-f]{10}\) against one \([0-9a-f]{10}\)' "$out/rev.txt" && grep -q '^a two(' "$out/rev.txt" &&
        grep -q '^b one(' "$out/rev.txt" && grep -qx 'games 2' "$out/rev.txt" || cat "$out/rev.txt"
    play two one --build "$made" --sprt 0,5 | grep -qxE 'testing two \(.*\) against one \(.*\): hypothesis H1 is two\(.*\) >= \+5 Elo' || echo "another order, another A"
    play one beside --build "$made" | grep -q '^a beside(' || echo "the descendant is not A"
    play two beside --build "$made" >"$out/rev2.txt"
    grep -q '^a beside(' "$out/rev2.txt" || echo "the later revision, or the second one of equal dates, is not A: $(cat "$out/rev2.txt")"
    grep -q '^note: both revisions search 77 nodes in bench' "$out/rev2.txt" || echo "no word about the same bench"
    grep -q 'note: .*bench' "$out/rev.txt" && echo "the same bench, it says: $(cat "$out/rev.txt")"
    # Bench runs once for each build, with a line that says so, and --no-bench skips it.
    [ "$(grep -c "^revision .*: 'src/engine bench' runs, up to 100 s (--no-bench: not)$" "$out/rev.txt")" = 2 ] && ! grep -q "bench' runs" "$out/rev2.txt" ||
        grep -h "bench" "$out/rev.txt" "$out/rev2.txt"
    for bench in "$out"/revs/*.bench; do : >"$bench"; done # a program without this command prints nothing
    git -C "$repo" tag --list | grep -q beside && play two beside --build "$made" | grep "bench' runs"
    rm "$out"/revs/*.bench
    play one two --build "$made" --no-bench >"$out/rev3.txt"
    grep -qx 'games 2' "$out/rev3.txt" && ! grep -q "bench' runs" "$out/rev3.txt" && [ ! -e "$(echo "$out"/revs/*.bench)" ] || cat "$out/rev3.txt"
    play three same --build false | grep -q -- '--rev three and --rev same have the same files: nothing would be measured' || echo "the same files are played"
    play two two --build "$made" --b proto=ucci,nodes=2 | grep -qx 'games 2' || echo "--a and --b differ, but it is not played"
    echo changed >"$repo/src/engine.in"
    play one two --build "$made" | grep -qx 'note: uncommitted changes are in neither revision: src/engine.in ' || echo "no word of uncommitted changes"
    # A build reads its revision from git: it must be that of the commit, not of the surrounding
    # directory.
    play one two --build "git rev-parse --verify HEAD >&2; $made" >/dev/null
    for name in one two; do
        grep -qx "$(git -C "$repo" rev-parse "$name^{commit}")" "$out"/revs/*.log || echo "a build takes itself for another commit"
    done
    play one three --build "$made" | grep -q 'says Bench: 5, but .* does not print this number' || echo "another bench is taken"
    play one two --build "echo 'fatal: no compiler' && false" | grep -q 'does not build: fatal: no compiler' || echo "the build's error is not told"
    play one two --build true | grep -q 'was built, but there is no .*src/engine: correct --binary' || echo "no word about the missing program"
    # match --rev worktree builds the working tree as it is, also with untracked files, but without
    # ignored files and the cache of revisions. The match does not change the state of git.
    sed 's/: [0-9]*"/: 99"/' >"$repo/src/engine.in" <<END
#!/bin/sh
[ "\$1" != bench ] || { echo "Nodes searched  : 0"; exit; }
exec "$tests" --mock ucci
END
    rm "$repo/more" && echo new >"$repo/src/new file" && echo ignored >"$repo/.git/info/exclude" && echo x >"$repo/ignored"
    (cd "$repo" && git status --porcelain) >before.txt
    whole="[ -f 'src/new file' ] && [ ! -e more ] && [ ! -e ignored ] && [ ! -e revs ] && $made"
    for order in "same worktree" "worktree same"; do
        # shellcheck disable=SC2086 # two names
        play $order --rev-cache "$repo/revs" --build "[ ! -e src/new\\ file ] && [ ! -e revs ] && $made || { $whole; }" >work.txt
        grep -qxE 'testing worktree \([0-9a-f]{10}\) against same \([0-9a-f]{10}\)' work.txt && grep -qx 'changed_files more src/engine.in src/new file' work.txt &&
            grep -qx 'a_bench 99' work.txt && grep -qx 'b_bench 4' work.txt && grep -qx 'games 2' work.txt && ! grep -q 'neither revision' work.txt &&
            [ -e "$(sed -n 's/^a_log //p' work.txt)" ] || cat work.txt
    done
    [ "$(ls -d "$repo"/revs/*/ | wc -l)" = 2 ] || echo "equal files are built twice: $(ls "$repo/revs")"
    # --rev-cache may also name a directory inside one that git ignores, such as the default,
    # build/revisions.
    echo cache >>"$repo/.git/info/exclude"
    play same worktree --rev-cache "$repo/cache/revs" --build "$made" >work.txt
    grep -qx 'games 2' work.txt || cat work.txt
    rm -rf "$repo/cache"
    rm -rf "$repo/revs" && (cd "$repo" && git status --porcelain) | cmp before.txt - || echo "the state of git changed"
    git -C "$repo" reset -q --hard && rm "$repo/src/new file"
    play same worktree | grep -q 'same and --rev worktree have the same files: nothing would be measured' || echo "an unchanged working tree is played"
    for name in ^one one..same 'one^@'; do
        play same "$name" --build "$made" | grep -qF -- "--rev $name: no such commit in the repository of $repo" || echo "$name is taken for a commit"
    done
    play one no-such | grep -q "no-such: no such commit in the repository of $repo" || echo "no word about the missing commit"
)"

# A match with --sprt, but without --pairs, ends when the test decides. If another limit ends the
# match earlier, the exit status is 0 and the match can be continued.
result match_sprt_ends "$(
    cd "$out" || exit
    sprt="match --a weights=classic,nodes=60 --b weights=classic,nodes=40 --opening-nodes 0 --quiet --sprt 0,100"
    # shellcheck disable=SC2086
    "$PAOTAI" $sprt >sprt.txt || echo "exit status $?"
    [ "$(value decision sprt.txt)" = accept_h1 ] && [ "$(value games sprt.txt)" -gt 4 ] || cat sprt.txt
    # shellcheck disable=SC2086
    "$PAOTAI" $sprt --pairs 2 --out sprt >part.txt || echo "a limit is a failure: $?"
    [ "$(value decision part.txt)" = continue ] && [ "$(value decision_reason part.txt)" = "the limit of --pairs was reached" ] || cat part.txt
    sh -c "$(value continue_command part.txt | sed "s|^paotai|$PAOTAI|")" >rest.txt
    cmp sprt.txt rest.txt || cat part.txt
    printf 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n' >one.epd
    "$PAOTAI" match --a weights=classic,nodes=60 --b weights=classic,nodes=60 --quiet --sprt 0,5 --openings one.epd >one.txt
    [ "$(value games one.txt)" = 2 ] && [ "$(value decision_reason one.txt)" = "there are no more different openings" ] || cat one.txt
)"

# This program fails at its third start. The first two starts are those of the first match and of the
# first thread of the resumed match. The resumed match must end because the player of its second
# thread could not be started. It has many pairs, so that the first thread cannot play them all before.
result match_no_second_start "$(
    cd "$out" || exit
    printf 'echo >>starts; [ "$(wc -l <starts)" -le 2 ] && exec "$1" --mock uci\n' >thrice.sh
    set -- match --a depth=1 --b "cmd=sh thrice.sh $tests,proto=uci,$calm,depth=1" --sprt 0,100 --out thrice $common
    "$PAOTAI" "$@" --pairs 1 >/dev/null || echo "exit status $?"
    "$PAOTAI" "$@" --pairs 30 --threads 2 --resume >thrice.txt 2>thrice.err && echo "exit status 0"
    [ "$(value decision_reason thrice.txt)" = "a player could not be started" ] || cat thrice.txt thrice.err
)"

# A game in which a player failed has a note about the failure and the usual tags, both in the file
# of --pgn and in an export of the stored games.
result match_fault_tags "$(
    "$PAOTAI" match --a "cmd=$tests --mock uci do=illegal at=3,proto=uci,nodes=1,name=wreck" --b weights=classic,nodes=1,name=well --pairs 1 $common \
        --out "$out/tags" --pgn "$out/tags.pgn" >/dev/null 2>&1
    "$PAOTAI" data export --quiet --format pgn "$out/tags" >"$out/stored.pgn"
    for file in tags.pgn stored.pgn; do
        grep -q '{wreck: illegal_move' "$out/$file" || echo "$file: no fault"
        for tag in '^\[Event "match"\]' '^\[Date "20' '^\[Round "[01]"\]' '^\[Red "wreck"\]' '^\[Red "well"\]' '^\[Black "wreck"\]' '^\[Black "well"\]'; do
            grep -q "$tag" "$out/$file" || echo "$file: no $tag"
        done
    done
    "$PAOTAI" data find --quiet --fen 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w' "$out/tags" | grep -q 'wreck' || echo "data find does not name it"
)"
for odds in half 1move; do
    refuse match_odds_$odds 2 "--odds $odds only decides who plays which colour" "$PAOTAI" match --odds $odds --pairs 1 --quiet
done
refuse match_short 2 "--max-plies 8: openings have up to 8 plies" "$PAOTAI" match --pairs 1 --max-plies 8 --quiet
printf 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\th2e2 h9g7 h0g2\n' >"$out/three.epd"
refuse match_short_book 2 "--max-plies 3: openings have up to 3 plies" "$PAOTAI" match --pairs 1 --max-plies 3 --openings "$out/three.epd" --quiet
result match_depth_help "$("$PAOTAI" match --help | tr -s ' \n' '  ' | grep -q 'the default does not apply if --depth, --movetime or --tc is given' || echo "no word that --depth lifts --nodes")"
refuse match_alpha_alone 2 "--alpha: has an effect only with --sprt" "$PAOTAI" match --alpha 0.2 --pairs 1
refuse match_model_alone 2 "--model: has an effect only with --sprt" "$PAOTAI" match --model logistic --pairs 1
refuse match_two_limits 2 "--movetime: not possible, because --tc already limits the time" "$PAOTAI" match --tc 10 --movetime 5 --pairs 1
refuse match_repo_alone 2 "--repo: has an effect only with --rev" "$PAOTAI" match --repo "$out" --pairs 1

# Some defaults depend on the players. The first lines of the output state them.
conditions() { "$PAOTAI" match --pairs 1 --max-plies 30 --quiet "$@" | sed -n 1,4p | tr '\n' ' '; }
result match_conditions "$(
    window="opening_window -300:300 opening_nodes"
    [ "$(conditions --nodes 50)" = "$window 50 resign_score 1000 draw_score 20 " ] || conditions --nodes 50
    [ "$(conditions --nodes 5 --a nodes=60)" = "$window 60 resign_score 1000 draw_score 20 " ] || conditions --nodes 5 --a nodes=60
    [ "$(conditions --depth 1)" = "$window 2000 resign_score 1000 draw_score 20 " ] || conditions --depth 1
    [ "$(conditions --nodes 5 --opening-nodes 70)" = "$window 70 resign_score 1000 draw_score 20 " ] || conditions --nodes 5 --opening-nodes 70
    program="--a cmd=$PAOTAI,nodes=5 --nodes 5"
    # shellcheck disable=SC2086 # a list of words
    { [ "$(conditions $program)" = "$window 5 resign_score 0 draw_score 0 " ] || conditions $program
      [ "$(conditions $program --resign-score 900)" = "$window 5 resign_score 900 draw_score 0 " ] || conditions $program --resign-score 900; }
    "$PAOTAI" match --nodes 50 --pairs 4 --quiet >"$out/ends.txt"
    [ "$(value end_resign_adjudication "$out/ends.txt")" -gt 0 ] || echo "no game ends by adjudication"
    "$PAOTAI" match --nodes 50 --pairs 4 --resign-score 0 --draw-score 0 --quiet >"$out/ends.txt"
    ! grep adjudication "$out/ends.txt" || echo "--resign-score 0 has no effect"
    "$PAOTAI" match --nodes 50 --pairs 1 --quiet --json >"$out/conditions.json"
    for key in opening_window opening_nodes resign_score draw_score; do
        grep -q "\"$key\":" "$out/conditions.json" || echo "no $key in JSON"
    done
)"

finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests whole games under a real user interface: XBoard on its own display. Our engine plays through
# uci2wb, as Red by UCCI and as Black by UCI (Cyclone), against hoixiangqi. If ImageMagick is
# installed, a picture of each board is kept in build/xboard/. Runs only in make test-full.
set -u
PATH=$PATH:/usr/games
. tests/checks.sh
[ "$PAOTAI_FULL" = 1 ] || skip xboard "games under XBoard are played in make test-full"
for tool in xboard uci2wb xvfb-run hoixiangqi; do
    command -v "$tool" >/dev/null 2>&1 || skip xboard "no $tool (make deps-dev)"
done
paotai=$(realpath "${PAOTAI:-build/release/paotai}")
work=$(realpath "${PAOTAI_SCRATCH:-build}")/xboard
pictures=$PWD/build/xboard
mkdir -p "$pictures"
mkdir -p "$work"
cd "$work" || exit 1

# play NAME FIRST SECOND: plays one game, which must end with a result and without an illegal move,
# a forfeit or a program that exits.
play() {
    name=$1
    cat >run.sh <<END
timeout 240 xboard -variant xiangqi -fcp "$2" -scp "$3" -mg 1 -tc 0:05 -inc 0 -size 50 -sgf "$name.pgn" \
    -debugMode true -nameOfDebugFile "$name.log" -popupMoveErrors false -popupExitMessage false &
board=\$!
sleep 4
command -v import >/dev/null && import -window root "$pictures/$name.png"
wait \$board
END
    rm -f "$name.pgn"
    xvfb-run -a -s "-screen 0 600x600x24" sh run.sh >"$name.out" 2>&1
    if ! grep -Eq '^\[Result "(1-0|0-1|1/2-1/2)"\]' "$name.pgn" 2>/dev/null; then
        fail "xboard $name" "no result: $(tail -n 1 "$name.out")"
    elif grep -Eiq 'illegal|forfeit|died|disconnect|exited' "$name.pgn"; then
        fail "xboard $name" "$(grep -Ei 'illegal|forfeit|died|disconnect|exited' "$name.pgn" | head -n 1)"
    else
        pass "xboard $name: $(sed -n 's/^{\(.*\)}.*/\1/p' "$name.pgn" | tail -n 1), $(grep -c . "$name.pgn") lines of PGN"
    fi
}

play ucci "uci2wb -x $paotai" hoixiangqi
play cyclone hoixiangqi "uci2wb -c $paotai"
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench/compare: against itself, against a program that counts wrongly, one that is not there, and the
# peers of this machine, whichever they are.
set -u
. tests/checks.sh
out=$PAOTAI_SCRATCH/out err=$PAOTAI_SCRATCH/err
failed() {
    cat "$out" "$err"
    fail "$@"
}
# compare OPTION...: a very short one.
compare() { PAOTAI=$PAOTAI bench/compare --runs 1 --max-nodes 5000000 --movetime 10 --quiet "$@" >"$out" 2>"$err"; }
# The members of the JSON line that has all of the given ones.
json() {
    python3 - "$out" "$@" <<'EOF'
import json, sys
wanted = dict(pair.split("=") for pair in sys.argv[2:])
rows = [json.loads(line) for line in open(sys.argv[1])]
found = [row for row in rows if all(str(row.get(key)) == value for key, value in wanted.items())]
sys.exit(not found)
EOF
}

cat >"$PAOTAI_SCRATCH/wrong" <<'EOF'
#!/bin/sh
while read -r line; do
    case $line in
    uci) echo uciok ;;
    isready) echo readyok ;;
    "go perft"*) echo "Nodes searched: 7" ;;
    go*) echo "info depth 1 nodes 5 score cp 1"; echo "bestmove a0a1" ;;
    quit) exit 0 ;;
    esac
done
EOF
chmod +x "$PAOTAI_SCRATCH/wrong"

if ! compare --json --peer "cmd=$PAOTAI,name=twin" --peer "cmd=$PAOTAI_SCRATCH/wrong" --peer cmd=no-such-program; then
    failed compare_peers "exit status $?"
elif ! json program=paotai position=many_checks nodes=2811435 ratio=1 ||
    ! json program=twin position=many_checks nodes=2811435 runs=1 || ! json program=twin kind=search runs=1; then
    failed compare_peers "numbers of ours or of the twin are missing"
elif ! json program=wrong nodes=7 expected=2811435; then
    failed compare_peers "a wrong count is not told"
elif ! json program=no-such-program nps=None || ! grep -q '"note":"[^"]*no-such-program' "$out"; then
    failed compare_peers "a program that is not there has numbers, or no note"
else
    pass compare_peers
fi

if ! compare --peer "cmd=$PAOTAI,name=twin" --peer "cmd=$PAOTAI_SCRATCH/wrong"; then
    failed compare_table "exit status $?"
elif ! grep -qE '^Mnodes/s of CPU +paotai +twin +wrong$' "$out" ||
    ! grep -qE '^many_checks 4 +[0-9.]+ ~0% +[0-9.]+ ~0% x[0-9.]+ ' "$out" ||
    ! grep -qE '^! many_checks 4: wrong counts 7, not 2811435$' "$out" ||
    ! grep -qE '^perft: [0-9.]+ times twin in geometric mean, at least [0-9.]+ times$' "$out"; then
    failed compare_table "the table is not as it should be"
else
    pass compare_table
fi

# Each of Debian's programs is compared with, or named as absent; alone we say so and exit 0.
if ! PAOTAI=$PAOTAI bench/compare --runs 1 --max-nodes 0 --movetime 10 --quiet >"$out" 2>"$err"; then
    failed compare_installed "exit status $?"
else
    missing=
    for name in fairy-stockfish sjaakii hoixiangqi; do
        head -n 1 "$out" | grep -q " $name" || grep -q "^not installed:.* $name" "$err" || missing="$missing $name"
    done
    if [ -n "$missing" ]; then
        failed compare_installed "nothing is said of$missing"
    elif [ "$(head -n 1 "$out" | wc -w)" -eq 4 ] && ! grep -q "no program to compare with" "$err"; then
        failed compare_installed "it does not say that it is alone"
    else
        pass compare_installed
    fi
fi

if compare --max-nodes 100 --movetime 0; then
    failed compare_nothing "exit status 0"
elif [ -s "$out" ] || ! grep -q "nothing is left to measure" "$err"; then
    failed compare_nothing "it does not say so"
else
    pass compare_nothing
fi
finish

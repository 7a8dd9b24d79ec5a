#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests bench/compare with our program, a program with wrong perft counts, a missing program, and
# the engines installed on this machine.
set -u
. tests/checks.sh
# compare OPTION...: runs a very short comparison and writes its output to $out/said and $out/err.
compare() { PAOTAI=$PAOTAI bench/compare --runs 1 --max-nodes 5000000 --movetime 10 --quiet "$@" >"$out/said" 2>"$out/err"; }
# says PATTERN...: prints an error for each pattern that fits no line of the output.
says() {
    for pattern in "$@"; do grep -qE "$pattern" "$out/said" || echo "no line like '$pattern' in $(cat "$out/said" "$out/err")"; done
}
# row MEMBER=VALUE...: prints an error unless one JSON row of the output has all these members.
row() {
    python3 - "$out/said" "$@" <<'EOF'
import json, sys
wanted = dict(pair.split("=") for pair in sys.argv[2:])
rows = [json.loads(line) for line in open(sys.argv[1])]
if not any(all(str(row.get(key)) == value for key, value in wanted.items()) for row in rows):
    print("no row", wanted, "in", rows)
EOF
}
cat >"$out/wrong" <<'EOF'
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
chmod +x "$out/wrong"
set -- --peer "cmd=$PAOTAI,name=twin" --peer "cmd=$out/wrong"
compare --json "$@" --peer cmd=no-such-program || fail compare_peers "exit status $?"
result compare_peers "$(
    row program=paotai position=many_checks nodes=2811435 ratio=1
    row program=twin position=many_checks nodes=2811435 runs=1
    row program=twin kind=search runs=1
    row program=wrong nodes=7 expected=2811435
    row program=no-such-program nps=None
    says '"note":"[^"]*no-such-program'
)"
compare "$@" || fail compare_table "exit status $?"
result compare_table "$(says '^Mnodes/s of CPU +paotai +twin +wrong$' '^many_checks 4 +[0-9.]+ +[0-9.]+ x[0-9.]+ ' \
    '^! many_checks 4: wrong counts 7, not 2811435$' '^perft: [0-9.]+ times twin in geometric mean, at least [0-9.]+ times$')"
# Each engine packaged in Debian that bench/compare knows is either measured or reported as not
# installed. If none is installed, the output says so and the exit status is 0.
compare --max-nodes 0 || fail compare_installed "exit status $?"
result compare_installed "$(
    for name in fairy-stockfish sjaakii hoixiangqi; do
        head -n 1 "$out/said" | grep -q " $name" || grep "^not installed:.* $name" "$out/err" >/dev/null || echo "nothing is said of $name"
    done
    [ "$(head -n 1 "$out/said" | wc -w)" -ne 4 ] || grep -q "no program to compare with" "$out/err" || echo "it does not say that there is no program to compare with"
)"
compare --max-nodes 100 --movetime 0 && fail compare_nothing "exit status 0"
result compare_nothing "$([ ! -s "$out/said" ] && grep -q "nothing to measure" "$out/err" || cat "$out/err")"
finish

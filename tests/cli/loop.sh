#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai loop: weights that pass their match play in the next generation; rejected weights do not
# become champion. Wrong calls are refused.
set -u
. tests/checks.sh
case $PAOTAI in /*) ;; *) PAOTAI=$PWD/$PAOTAI ;; esac
# With Elo limits far below 0, every candidate passes the match. The log and the weight files
# contain the paths of the command line. To make these files equal in all runs, each run is started
# in a directory of its own, with the same relative paths.
mkdir "$out/a" "$out/c"
set -- loop --generations 2 --games 60 --nodes 30 --window 2 --pairs 40 --elo0 -900 --elo1 -800 --weights classic \
    --seed 4 --selfplay-options '--opening-nodes 100 --shard-games 8' --match-options '--opening-nodes 100 --shard-games 4' --tune-options '--fit material_*' \
    --out run
cd "$out/a" || exit 1
check loop_whole "the loop failed" "$PAOTAI" "$@" --json
"$PAOTAI" "$@" --resume --quiet >lines
check loop_lines "the output does not have a line for each generation and the paths of champion and picture" python3 -c "
import re
lines = open('lines').read().splitlines()
line = r'generation %d: 60 games, \d+ s, loss [\d.]+ -> [\d.]+, (stronger|weaker|not decided|level within \+-\d+ normalized Elo): [+-]\d+ Elo against the champion, -?\d+ to -?\d+ \(\d+ games, 95 %%\), promoted$'
assert all(re.match(line % (i + 1), lines[i]) for i in (0, 1)) and lines[2:] == ['champion run/champion.txt', 'climb run/strength.html'], lines"

cd "$out" || exit 1
check loop_log "the log does not have an entry for each generation in the form of experiments.md" python3 -c "
import re
log = open('a/run/log.md').read()
entries = log.split('### ')[1:]
assert len(entries) == 2 and log.count('| G-00') == 2
for entry in entries:
    words = re.findall(r'^([a-z]+) ', entry, re.M)
    assert words == 'question revision command data seeds machine result decision'.split(), words
    assert re.search(r'(stronger|weaker|not decided|level within \+-\d+ normalized Elo): [+-]\d+ Elo, -?\d+ to -?\d+ \(95 %\)', entry) and re.search(r'LLR -?[\d.]+ \[', entry)
    assert re.search(r'content hash [0-9a-f]{64}', entry)
    assert 'promoted' in entry.split('decision')[1]"
# The error of the change is far smaller than the error of the losses themselves, because the change
# is computed game by game.
check loop_log_change "the log does not show the change of the loss with the error of the change" python3 -c "
import re
log = open('a/run/log.md').read()
rows = re.findall(r'^result     validation loss ([\d.]+) -> ([\d.]+), change ([+-][\d.]+) \+- ([\d.]+)$', log, re.M)
assert len(rows) == 2, log
for number, row in enumerate(rows, 1):
    start, end, change, error = map(float, row)
    level = float(re.search(r'valid_loss_error95=(.*)', open(f'a/run/gen-00{number}/result.txt').read())[1])
    assert abs(end - start - change) < 2e-6 and 0 < error < 0.8 * level, (row, level)"
check loop_page "the picture does not show what the log says" python3 -c "
import re
elo = [float(e) for e in re.findall(r'          [a-z].*: ([+-]\d+) Elo, ', open('a/run/log.md').read())]
page = open('a/run/strength.html').read()
shown = re.findall(r'generation (\d), (promoted|rejected), (-?\d+) to (-?\d+) \(95 %\): ([^ <]+)', page)
assert [(s[0], s[1]) for s in shown] == [('1', 'promoted'), ('2', 'promoted')], shown
assert abs(float(shown[1][4]) - sum(elo)) <= 1, (shown, elo)
last = [float(x) for x in re.findall(r\"<text x='([\d.]+)' y='[\d.]+' text-anchor='middle' class='tick'\", page)][-1]
frame = [float(n) for n in re.search(r\"<rect class='axis' x='([\d.]+)' y='([\d.]+)' width='([\d.]+)' height='([\d.]+)'\", page).groups()]
assert 5 < frame[0] + frame[2] - last < 10, ('the axis does not end near the last generation, or the chart ends on the frame', last, frame)
ends = [float(y) for pair in re.findall(r\"<line class='bar[^>]*y1='([\d.]+)' x2='[\d.]+' y2='([\d.]+)'\", page) for y in pair]
assert ends and frame[1] + 2 < min(ends) and max(ends) < frame[1] + frame[3] - 2, ('a bar ends on the frame', ends, frame)"
check loop_page_table "the table does not have a line for each generation with its report and the interval of the log" python3 -c "
import os, re
page = open('a/run/strength.html').read().replace('\u2212', '-').replace('\u00a0', ' ')
log = re.findall(r'          [a-z].*: ([+-]\d+) Elo, (-?\d+) to (-?\d+) ', open('a/run/log.md').read())
rows = re.findall(r\"<tr><td>(\d), <a href='(gen-00\d/report.html)'>report</a></td><td>promoted</td><td>(.\d+), (-?\d+) to (-?\d+)<br/>\", page)
assert len(log) == 2 and [row[2:] for row in rows] == log, (rows, log)
assert [row[0] for row in rows] == ['1', '2'] and all(os.path.exists('a/run/' + row[1]) for row in rows), rows
bar = re.findall(r'generation 1, promoted, (-?\d+) to (-?\d+) ', page)
assert bar == [log[0][1:]], (bar, log)"
check loop_champion "the promoted weights are not the champion" cmp a/run/champion.txt a/run/gen-002/weights.txt
check loop_plays_on "the promoted weights do not play the next generation" \
    grep -q '^command paotai selfplay .*--weights run/gen-001/weights.txt ' a/run/gen-002/selfplay.txt
check loop_window "the second fit does not read both generations" \
    grep -q '^command paotai tune run/gen-001/games run/gen-002/games ' a/run/gen-002/tune.txt
check loop_commands "the command in gen-001/selfplay.txt does not play the games of generation 1 again" sh -c "
    cd a && sed -n 's/^command paotai \\(selfplay .*\\) --resume --out .*/\\1/p' run/gen-001/selfplay.txt >words &&
    '$PAOTAI' \$(cat words) --out again >/dev/null 2>&1 &&
    [ \"\$('$PAOTAI' data info again | grep '^content_hash')\" = \"\$(sed -n 's/^content_hash=/content_hash /p' run/gen-001/result.txt)\" ]"

# ---- rejected weights, --resume with more generations, refused commands --------------------------
cd "$out/c" || exit 1
set -- loop --games 60 --nodes 60 --pairs 2 --elo0 100 --elo1 900 --weights classic --quiet --out run \
    --selfplay-options '--opening-nodes 20' --match-options '--opening-nodes 20' --tune-options '--fit material_*'
check loop_rejects "the loop failed" "$PAOTAI" "$@" --generations 1
check loop_page_keeps "the page does not say that no candidate was promoted" sh -c "grep -q '>After 1 generation no candidate was promoted' run/strength.html"
check loop_keeps "rejected weights became champion" cmp run/champion.txt run/start.txt
check loop_more "the loop cannot be continued with more generations" "$PAOTAI" "$@" --generations 2 --resume
check loop_one_more "the log does not have two entries" [ "$(grep -c '^### G-00' run/log.md)" = 2 ]
refuse loop_no_out 2 "--out DIR is missing" "$PAOTAI" loop
refuse loop_elos 2 "not below" "$PAOTAI" loop --out x --elo0 5 --elo1 5
refuse loop_step_fails 1 "failed with exit status 2" "$PAOTAI" loop --out y --tune-options --nonsense --games 4 \
    --nodes 40 --weights classic
# ---- networks -----------------------------------------------------------------------------------

train() {
    "$PAOTAI" loop --train --games 60 --nodes 20 --window 2 --pairs 40 --elo0 -900 --elo1 -800 --seed 5 --quiet \
        --selfplay-options '--opening-nodes 20' --match-options '--opening-nodes 20' --tune-options '--units 32 --epochs 2' \
        --out "$out/net" "$@"
}
train --generations 1 >"$out/net.txt" 2>&1 && train --generations 2 --resume >>"$out/net.txt" 2>&1
problems=$(
    grep -q 'loss [0-9.]* -> [0-9.]*, .*promoted$' "$out/net.txt" || echo "no generation is promoted: $(tail -n 1 "$out/net.txt")"
    grep -q -- "train .*gen-001/games .*gen-002/games --weights [^ ]*/start.txt" "$out/net/log.md" || echo "the log has no command of the fit"
    grep -q "selfplay .*--weights [^ ]*gen-001/network.net" "$out/net/log.md" || echo "the network does not play the next generation"
    [ ! -e "$out/net/champion.txt" ] || echo "two champions"
    "$PAOTAI" bench 1 --weights "$out/net/champion.net" 2>&1 >/dev/null
)
result loop_train "$problems"

# If no epoch of a fit is better than its start, the generation is rejected without a match, and the
# loop continues. --resume with one more generation does the same.
reject() {
    "$PAOTAI" loop --train --games 40 --nodes 20 --pairs 4 --seed 5 --quiet --selfplay-options '--opening-nodes 50' \
        --tune-options '--units 32 --epochs 2 --batch 500 --rate 1 --decay 0.5' --out "$out/rejected" "$@"
}
check loop_train_rejects "a fit that learns nothing ends the loop: $(reject --generations 1 2>&1 | tail -n 1)" sh -c "
    [ -e '$out/rejected/champion.txt' ] && ! [ -e '$out/rejected/gen-001/network.net' ]"
reject --generations 2 --resume >"$out/rejected.txt" 2>&1
check loop_train_rejected "exit status $?: $(tail -n 1 "$out/rejected.txt")" sh -c "
    [ \$(grep -cE '^generation [12]: 40 games, [0-9]+ s, loss [0-9.]+ -> [0-9.]+, no epoch of the fit was better than its start, rejected\$' '$out/rejected.txt') -eq 2 ] &&
    [ \$(grep -c '^decision   rejected: the champion stays' '$out/rejected/log.md') -eq 2 ] && ! [ -e '$out/rejected/champion.net' ]"
finish

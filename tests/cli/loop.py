# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests paotai loop: weights that pass their match play in the next generation; rejected weights do not become champion.
Wrong calls are refused. resume.py continues loops that were killed."""
import json
import os
import re

from checks import PAOTAI, check, finish, paotai, read, refuses, report, run, same, scratch, split, values, want

os.makedirs(scratch("a"))


def loop(place, command, *more):
    """Runs a loop in a directory of its own, so that all its paths are relative."""
    return run(PAOTAI, "loop", *split(command), *more, cwd=scratch(place))


def log_values(pattern):
    return re.findall(pattern, read("a/run/log.md"), re.M)


# With Elo limits far below 0, every candidate passes the match.
PASSES = ("--generations 2 --games 60 --nodes 30 --window 2 --pairs 40 --direct-pairs 20 --elo0 -900 --elo1 -800 --weights classic --seed 4 --selfplay-options "
          "'--opening-nodes 100 --shard-games 8' --match-options '--opening-nodes 100 --shard-games 4 --sprt -900,-800 --alpha=0.1' --tune-options '--fit material_*' --out run")
done = loop("a", PASSES, "--json")
check("loop_whole", done.returncode == 0, done.stderr)
lines = loop("a", PASSES, "--resume", "--quiet").stdout.splitlines()
LINE = (r"generation %d: 60 games, \d+ s, loss [\d.]+ -> [\d.]+, [+-]\d+ Elo against the champion, "
        r"-?\d+ to -?\d+ \(\d+ games, 95 %%\), promoted$")
check("loop_lines", all(re.match(LINE % (i + 1), lines[i]) for i in (0, 1)) and lines[-2:] == ["champion run/champion.txt", "climb run/strength.html"]
      and [line.split()[0] for line in lines[2:-2]] == ["direct_" + name for name in ("games", "elo", "elo_error95", "ci_low", "ci_high", "verdict", "dir")], lines)
told = values("\n".join(lines[2:-2]))
spoken = [json.loads(line) for line in done.stdout.splitlines()]
# The JSON of a generation has one word about it. That of the match against the start has the numbers of the plain output.
want([row.get("verdict") for row in spoken[:2]] == ["promoted"] * 2 and "strength" not in spoken[0], spoken)
want(set(told) <= set(spoken[2]) and spoken[2]["direct_games"] == 40 and told["direct_games"] == "40" and told["direct_dir"] == "run/gen-002/direct", spoken[2])
report("loop_json")
log, page = read("a/run/log.md"), read("a/run/strength.html")
# The page begins with the match of the champion against the start, not with the sum of the matches. --resume plays none of its games again.
first = re.search(r"the champion is ([+-]\d+) Elo, -?[\d.]+ to -?[\d.]+ \(95 %\), against the start weights, in a match of 40 games: (stronger|weaker|not decided)\b", re.sub(r"\s+", " ", page.replace("\u2212", "-")))
check("loop_direct_first", first and abs(float(first[1]) - float(told["direct_elo"])) <= 1 and "direct_games=40\n" in read("a/run/gen-002/result.txt")
      and not os.path.exists(scratch("a/run/gen-001/direct")), lines)
direct = scratch("a/run/gen-002/direct")
before = {name: os.stat(f"{direct}/{name}").st_mtime_ns for name in os.listdir(direct) if name.endswith(".h5")}
# --match-options has an SPRT, which does not stop this match. With fewer --direct-pairs, all 40 games still count.
check("loop_direct_whole", "--sprt" not in re.search("^direct=(.*)", read("a/run/gen-002/result.txt"), re.M)[1]
      and values(loop("a", PASSES, "--resume", "--quiet", "--direct-pairs", "5").stdout)["direct_games"] == "40", read("a/run/gen-002/result.txt"))
same("loop_direct_once", {name: os.stat(f"{direct}/{name}").st_mtime_ns for name in before}, before)
entries = log.split("### ")[1:]
want(len(entries) == 2 and log.count("| G-00") == 2, log)
for entry in entries:
    words = re.findall(r"^([a-z]+) ", entry, re.M)
    want(words == "question revision command data seeds machine result decision".split(), words)
    want(re.search(r"(?m)^ +[+-]\d+ Elo, -?\d+ to -?\d+ \(95 %\)", entry) and re.search(r"LLR -?[\d.]+ \[", entry)
         and re.search(r"content hash [0-9a-f]{64}", entry) and "promoted" in entry.split("decision")[1], entry)
report("loop_log")
# The error of the change is far smaller than the error of the losses themselves, because the change is computed game by
# game.
changes = [tuple(map(float, row)) for row in log_values(r"^result     validation loss ([\d.]+) -> ([\d.]+), change ([+-][\d.]+) \+- ([\d.]+)$")]
levels = [float(re.search("valid_loss_error95=(.*)", read(f"a/run/gen-00{number}/result.txt"))[1]) for number in (1, 2)]
check("loop_log_change", len(changes) == 2 and all(abs(end - start - change) < 2e-6 and 0 < error < 0.8 * level for (start, end, change, error), level in zip(changes, levels)), (changes, levels))
intervals = log_values(r"^ +([+-]\d+) Elo, (-?\d+) to (-?\d+) ")
shown = re.findall(r"generation (\d), (promoted|rejected), (-?\d+) to (-?\d+) \(95 %\): ([^ <]+)", page)
last = [float(x) for x in re.findall(r"<text x='([\d.]+)' y='[\d.]+' text-anchor='middle' class='tick'", page)][-1]
left, top, width, height = (float(n) for n in re.search(r"<rect class='axis' x='([\d.]+)' y='([\d.]+)' width='([\d.]+)' height='([\d.]+)'", page).groups())
ends = [float(y) for pair in re.findall(r"<line class='bar[^>]*y1='([\d.]+)' x2='[\d.]+' y2='([\d.]+)'", page) for y in pair]
want([row[:2] for row in shown] == [("1", "promoted"), ("2", "promoted")] and abs(float(shown[1][4]) - sum(int(row[0]) for row in intervals)) <= 1, (shown, intervals))
want(5 < left + width - last < 10, f"the axis does not end near the last generation, or the chart ends on the frame: {last}")
want(ends and top + 2 < min(ends) and max(ends) < top + height - 2, f"a bar ends on the frame: {ends}")
drawn = re.search(r"direct match against the start weights, (-?\d+) to (-?\d+) \(95 %\): ([^ <]+)", page)
want(drawn and first and abs(float(drawn[3]) - float(first[1])) <= 1, (drawn, first))
report("loop_page")
rows = re.findall(r"<tr><td>(\d), <a href='(gen-00\d/report.html)'>report</a></td><td>promoted</td><td>(.\d+), (-?\d+) to (-?\d+)<br/>", page.replace("\u2212", "-").replace("\u00a0", " "))
bar = re.findall(r"generation 1, promoted, (-?\d+) to (-?\d+) ", page)
check("loop_page_table", [row[2:] for row in rows] == intervals and [row[0] for row in rows] == ["1", "2"] and all(os.path.exists(scratch("a/run/" + row[1])) for row in rows)
      and bar == [intervals[0][1:]], (rows, intervals, bar))
same("loop_champion", read("a/run/champion.txt"), read("a/run/gen-002/weights.txt"))
for name, file, pattern in (("plays_on", "selfplay", "^command paotai selfplay .*--weights run/gen-001/weights.txt "), ("window", "tune", "^command paotai tune run/gen-001/games run/gen-002/games ")):
    check("loop_" + name, re.search(pattern, read(f"a/run/gen-002/{file}.txt"), re.M), read(f"a/run/gen-002/{file}.txt")[:500])
words = re.search("^command paotai (selfplay .*) --resume --out ", read("a/run/gen-001/selfplay.txt"), re.M)[1]
run(PAOTAI, *words.split(), "--out", "again", cwd=scratch("a"))
same("loop_commands", values(paotai("data", "info", scratch("a/again")).stdout).get("content_hash"), re.search("content_hash=(.*)", read("a/run/gen-001/result.txt"))[1])

# ---- rejected weights, --resume with more generations, refused commands --------------------------
os.makedirs(scratch("c"))
FAILS = ("--games 60 --nodes 60 --pairs 2 --direct-pairs 2 --elo0 100 --elo1 900 --weights classic --quiet --out run --selfplay-options '--opening-nodes 20' "
         "--match-options '--opening-nodes 20' --tune-options '--fit material_*'")
done = loop("c", FAILS, "--generations", "1")
check("loop_rejects", done.returncode == 0, done.stderr)
# Each word has its reason, and a champion that is the start has no measured strength.
check("loop_undecided", re.search(r"\(4 games, 95 %\), (undecided: the SPRT needs more than 2 pairs \(--pairs\)|rejected)$", done.stdout, re.M), done.stdout)
nothing = values(done.stdout)
same("loop_direct_none", [nothing.get("direct_" + name) for name in ("games", "elo", "elo_error95", "ci_low", "ci_high", "dir")], ["0", "-", "-", "-", "-", None])
check("loop_no_direct", not os.path.exists(scratch("c/run/gen-001/direct")), "a match of the start against itself")
check("loop_page_keeps", ">After 1 generation no candidate was promoted" in read("c/run/strength.html"), "the page does not say that no candidate was promoted")
same("loop_keeps", read("c/run/champion.txt"), read("c/run/start.txt"))
check("loop_more", loop("c", FAILS, "--generations", "2", "--resume").returncode == 0, "the loop cannot be continued with more generations")
same("loop_one_more", read("c/run/log.md").count("### G-00"), 2)
for name, status, why, words in (("no_out", 2, "--out DIR is missing", ""), ("elos", 2, "not below", "--out x --elo0 5 --elo1 5"),
                                 ("step_fails", 1, "failed with exit status 2", "--out y --tune-options --nonsense --games 4 --nodes 40 --weights classic")):
    refuses("loop_" + name, status, why, "c", words, run=loop)

# ---- networks -----------------------------------------------------------------------------------
os.makedirs(scratch("n"))
TRAIN = ("--train --direct-pairs 0 --games 60 --nodes 20 --window 2 --pairs 40 --elo0 -900 --elo1 -800 --seed 5 --quiet --selfplay-options '--opening-nodes 20' --match-options '--opening-nodes 20' "
         "--tune-options '--units 32 --epochs 2' --out net")
done = [loop("n", TRAIN, "--generations", "1"), loop("n", TRAIN, "--generations", "2", "--resume")]
said, log = done[0].stdout + done[1].stdout, read("n/net/log.md")
want(re.search("loss [0-9.]* -> [0-9.]*, .*promoted$", said, re.M), f"no generation is promoted: {said}")
want(re.search("train .*gen-001/games .*gen-002/games --weights [^ ]*/start.txt", log), "the log has no command of the fit")
want(re.search("selfplay .*--weights [^ ]*gen-001/network.net", log), "the network does not play the next generation")
want(not os.path.exists(scratch("n/net/champion.txt")) and paotai("bench", "1", "--weights", scratch("n/net/champion.net")).returncode == 0, "two champions, or none")
report("loop_train")
# If no epoch of a fit is better than its start, the generation is rejected without a match, and the loop continues.
# --resume with one more generation does the same.
NOTHING = ("--train --direct-pairs 0 --games 40 --nodes 20 --pairs 4 --seed 5 --quiet --selfplay-options '--opening-nodes 50' --tune-options '--units 32 --epochs 2 --batch 500 --rate 1 --decay 0.5' "
           "--out rejected")
done = loop("n", NOTHING, "--generations", "1")
check("loop_train_rejects", os.path.exists(scratch("n/rejected/champion.txt")) and not os.path.exists(scratch("n/rejected/gen-001/network.net")), done.stderr)
done = loop("n", NOTHING, "--generations", "2", "--resume")
told = re.findall("^generation [12]: 40 games, [0-9]+ s, loss [0-9.]+ -> [0-9.]+, no epoch of the fit was better than its start, rejected$", done.stdout, re.M)
check("loop_train_rejected", len(told) == 2 and read("n/rejected/log.md").count("\ndecision   rejected: the champion stays") == 2 and not os.path.exists(scratch("n/rejected/champion.net")), done.stdout)
finish()

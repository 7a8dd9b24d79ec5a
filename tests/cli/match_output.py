# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the output of `paotai match`: keys of the text and of JSON; the verdict; options that players
# refuse; how often programs are started; the live table on a terminal.
import glob
import json
import os
import re
import shutil

from checks import PAOTAI, SCRATCH, finish, has_terminals, outcome, result, screen

KEYS = ("games wins losses draws pentanomial elo elo_error95 nelo nelo_error95 los llr lower upper "
        "decision pair_ratio draw_ratio").split()


def match(*options):
    return outcome("match", "--opening-nodes", "0", "--seed", "1", *options)


def pairs_of(text):
    return dict(line.split(" ", 1) for line in text.splitlines())


problems = []
_, shorter, _ = match("--a", "", "--b", "", "--nodes", "40", "--pairs", "2", "--quiet")
_, plain, _ = match("--a", "", "--b", "", "--nodes", "40", "--pairs", "2", "--quiet", "--verbose")
_, text, _ = match("--a", "", "--b", "", "--nodes", "40", "--pairs", "2", "--quiet", "--json")
record = json.loads(text)
keys = [line.split(" ")[0] for line in plain.splitlines()]
if keys != list(record):
    problems.append(f"plain {keys}, JSON {list(record)}")
if [key for key in keys if key in KEYS] != KEYS:
    problems.append(f"not the keys of every report, in order: {keys}")
for key in ("red_share", "black_share", "a_depth", "b_depth", "a_ms_per_move", "b_ms_per_move"):
    if key not in keys:
        problems.append(f"no {key}")
# The report fits one screen. Lines with speeds and seldom used values need --verbose.
short = shorter.splitlines()
if len(short) > 36 or any("depth" in line or "_per_move" in line or "seconds " in line for line in short) or set(short) - set(plain.splitlines()):
    problems.append(f"not a part that is one screen: {short}")
if not short[-1].startswith("verdict ") or record["a"] == record["b"]:
    problems.append(f"no verdict at the end, or players of one name: {short}")
values = pairs_of(plain)
ends = sum(int(value) for key, value in values.items() if key.startswith("end_"))
if ends != 4 or values["games"] != "4":
    problems.append(f"{ends} ends of {values['games']} games")
if abs(float(values["red_share"]) + float(values["black_share"]) - 1) > 1e-9:
    problems.append("the shares are not a whole")
result("match_keys", problems)


problems = []
for a, b, pairs, words in (("nodes=60", "nodes=40", 60, r"A \(default\) is stronger than B \(default \(2\)\): \+\d+ Elo, \d+ to \d+ \(120 games, 95 %\)"),
                           ("nodes=40", "nodes=60,name=more", 60, r"A \(default\) is weaker than B \(more\): -\d+ Elo, -\d+ to -\d+ \(120 games, 95 %\)"),
                           ("nodes=4000", "nodes=1", 2, r"not decided: A \(default\) against B \(default \(2\)\), won every game, at least -\d+ Elo "
                            r"\(4 games, 95 %, corrected for few pairs\); about \d+ more pairs would decide if the score stays as it is; "
                            r"this number of games can detect (only differences above|differences of at least) \d+ Elo; 5 Elo would need about \d+ games \(80 % power\)"),
                           ("nodes=4000", "nodes=1", 8, r"A \(default\) is stronger than B \(default \(2\)\): won every game, at least \d+ Elo "
                            r"\(16 games, 95 %, corrected for few pairs\)")):
    _, out, err = match("--a", a, "--b", b, "--pairs", str(pairs), "--quiet")
    said = pairs_of(out)
    if said["verdict"] != out.splitlines()[-1][8:] or not re.fullmatch(words, said["verdict"]):
        problems.append(f"{a} against {b}: {out!r}")
    if not said["verdict"].startswith("not decided" if said["strength"] == "not decided" else f"A (default) is {said['strength']}"):
        problems.append(f"strength {said['strength']}, but {said['verdict']}")
    numbers = {said[key] for key in ("elo", "elo_error95", "nelo", "nelo_error95")}
    if ("every game" in words) != (numbers == {"-"}) or "-" in numbers and len(numbers) > 1:
        problems.append(f"{a} against {b}: Elo of {numbers}")
    if err:
        problems.append(f"{a} against {b}: --quiet prints {err!r}")
# A short match without an SPRT, and `sprt` with the counts of this match, print that nothing is
# decided.
short = json.loads(match("--a", "nodes=100", "--b", "nodes=101", "--pairs", "6", "--json", "--quiet")[1])
said = {**short, "pentanomial": ",".join(map(str, short["pentanomial"]))}
wanted = pairs_of(outcome("sprt", "--model", "logistic", "--elo0", "-1e-9", "--elo1", "5", "--counts", said["pentanomial"])[1])
if (said["strength"], wanted["strength"]) != ("not decided", "not decided") or int(said["more_pairs"]) < 6:
    problems.append(f"{said}: {wanted}")
# If nothing is decided, `sprt` prints the smallest Elo difference that the played games can detect,
# and the number of games needed to detect 5 Elo. The estimate adds one lost and one won pair to the
# pentanomial 0,0,6,0,0, so it has 8 pairs with the variance 1/16. A difference of 1.960 + 0.842
# standard errors is detected with 80 % power.
said = pairs_of(outcome("sprt", "--counts", "0,0,6,0,0")[1])
if not abs(float(said["seen_elo"]) - 188.7) < 0.2 or not abs(float(said["games_for_5_elo"]) - 18952) < 10:
    problems.append(f"power: {said}")
said = short
if said["drawn_games"] != said["draws"] / 12 or not said["seconds_cpu_to_verdict"] > 0 or said["nelo_per_root_cpu_second"] is None:
    problems.append(f"costs: {said}")
cost = said["seconds_cpu_to_verdict"] / (12 + 2 * said["more_pairs"])
if abs(said["seconds_cpu_for_5_elo"] / said["games_for_5_elo"] - cost) > 0.01 * cost + 0.5 / said["games_for_5_elo"]:
    problems.append(f"two prices of a game: {said}")
said = pairs_of(outcome("sprt", "--counts", "0,0,20,40,40")[1])
if (said["strength"], said["seen_elo"], said["games_for_5_elo"]) != ("stronger", "-", "-"):
    problems.append(f"power of a decision: {said}")
_, out, err = match("--a", "nodes=200", "--b", "nodes=40", "--pairs", "300", "--sprt", "0,150")
if not out.splitlines()[-1].endswith("; SPRT 0,150: accept_h1"):
    problems.append(out)
# A match that an SPRT stopped, and `sprt --stopped` with its counts, print the same verdict.
_, out, _ = match("--a", "nodes=100,name=a", "--b", "nodes=80,name=b", "--pairs", "200", "--sprt", "0,60", "--quiet")
values = pairs_of(out)
_, text, _ = outcome("sprt", "--stopped", "--elo1", "60", "--counts", values["pentanomial"])
wanted = pairs_of(text)
numbers = [wanted[key] for key in ("elo_median", "ci_low", "ci_high")]
if [values.get(key) for key in ("elo_median", "ci_low", "ci_high")] != numbers:
    problems.append(f"not {numbers}: {values}")
words = r" [+]*%.0f Elo, %.0f to %.0f \(\d+ games, 95 %%, corrected for the stopping rule\)(; about \d+ more pairs would decide if the score stays as it is; these .* power\))?; SPRT" % tuple(float(number) + 0 for number in numbers)
if not re.search(words, values["verdict"]):
    problems.append(f"{numbers}: {values['verdict']}")
result("match_sentence", problems)


# The output of a match names the evaluation of each player, also of a player that is another
# program. It says if both players make equal moves.
problems = []
program = f"cmd={os.path.abspath(PAOTAI)},nodes=30"
values = pairs_of(match("--a", program, "--b", "nodes=30,weights=best", "--pairs", "2", "--quiet")[1])
if f"evaluation {values['b_evaluation']}\n" not in outcome("--version")[1] or values["a_evaluation"] not in (values["b_evaluation"], "-"):
    problems.append(f"evaluations {values['a_evaluation']} and {values['b_evaluation']}")
for b, alike in (("nodes=30", True), ("nodes=31", False)):
    values = pairs_of(match("--a", "nodes=30", "--b", b, "--pairs", "3", "--quiet", "--out", f"{SCRATCH}/alike-{b}")[1])
    again = pairs_of(match("--a", "nodes=30", "--b", b, "--pairs", "3", "--quiet", "--out", f"{SCRATCH}/alike-{b}", "--resume")[1])
    if (values["verdict"] == "A and B made the same moves in all 6 games; nothing was measured") != alike or (values["pairs_alike"] == "3") != alike or alike and values["more_pairs"] != "-":
        problems.append(f"nodes=30 against {b}: {values}")
    if (again["verdict"], again["pairs_alike"]) != (values["verdict"], values["pairs_alike"]):
        problems.append(f"resumed: {again}")
if not any("they made the same moves in all games" in line for line in outcome("tournament", "nodes=30", "nodes=30", "--rounds", "2", "--quiet", "--opening-nodes", "0")[1].splitlines()):
    problems.append("no word in tournament")
result("match_alike", problems)


# Option values of players are checked before the first game. An option that the player's program
# refuses ends the command before the first game, too. Only two options are tried with all the
# commands in `commands`, because these commands start players with the same function. The other
# options are tried with `match`.
problems = []
for option, words in (("Weights=/nonexistent.net", "refuses an option: Weights stays as it was"), ("razor_margin=abc", "'abc' is not a whole number from"),
                      ("razor_margin=9999", "'9999' is not a whole number from"), ("Rules=nosuch", "'nosuch' is not one of: axf, "),
                      ("Ponder=maybe", "'maybe' is not true or false"), ("Clear Hash=1", "'1' is not allowed: the option is a button, which takes no value"),
                      ("nosuch=1", "has no option 'nosuch'")):
    player = f"{program},option.{option}"
    commands = (["match", "--a", player, "--pairs", "1", "--quiet"], ["tournament", player, "nodes=5", "--rounds", "1", "--quiet"],
                ["engine-check", player], ["spsa", "--player", player, "--param", "lmr_cut", "--iterations", "1", "--out", f"{SCRATCH}/spsa"])
    for command in commands if option in ("Weights=/nonexistent.net", "razor_margin=abc") else commands[:1]:
        status, out, err = outcome(*command)
        if status == 0 or words not in out + err or "games" in out:
            problems.append(f"{command[0]}, {option}: status {status}: {out}{err}")
status, out, err = match("--a", f"{program},option.razor_margin=300,option.Ponder=True,option.Clear Hash=", "--b", "nodes=5", "--pairs", "1", "--quiet")
if status != 0:
    problems.append(f"good values: {err}")
# A copy of Paotai with another name, or with the profile of another protocol, is recognised by its id name.
renamed = os.path.abspath(f"{SCRATCH}/renamed")
shutil.copy(PAOTAI, renamed)
for player, words in ((f"cmd={renamed},nodes=5,option.Weights=/nonexistent.net", "refuses an option: Weights stays as it was"),
                      (f"cmd={renamed},proto=ucci,nodes=5,option.weights=/nonexistent.net", "refuses an option: weights stays as it was"),
                      (f"cmd={renamed},nodes=5,option.few_nodes=3,option.few_lmr_cut=20", "few_lmr_cut has no effect")):
    status, out, err = match("--a", player, "--pairs", "1", "--quiet")
    if status == 0 or words not in err:
        problems.append(f"{player}: status {status}: {out}{err}")
# If another engine refuses an option, the engine's message is shown.
mock = f"cmd={os.path.abspath(PAOTAI)}-test --mock uci do=refuse,proto=uci,name=foreign,option.Two Words=y,nodes=1"
status, out, err = match("--a", mock, "--b", "nodes=1", "--pairs", "1", "--quiet", "--max-plies", "20")
if status != 0 or "note: foreign printed after its options were set: this cannot be set\n" not in err:
    problems.append(f"a foreign refusal: status {status}: {err}")
if not re.search(r"(?m)^note\thandshake\t.*after its options were set it printed: this cannot be set", outcome("engine-check", mock)[1]):
    problems.append("engine-check does not report a foreign refusal")
result("match_option_values", problems)


# Each program is started once: the process that told its name and took its options plays the first game.
# In spsa, a process that was started with other options plays no game.
problems = []
counter, told = os.path.abspath(f"{SCRATCH}/counter.sh"), os.path.abspath(f"{SCRATCH}/told")
with open(counter, "w") as file:
    file.write(f'#!/bin/sh\ntee "{told}.$$" | "{os.path.abspath(PAOTAI)}"\n')
os.chmod(counter, 0o755)


def starts(*words):
    """Runs a command. Returns what each process of the counting program was told."""
    for path in glob.glob(f"{told}.*"):
        os.remove(path)
    status, _, err = outcome(*words)
    if status != 0:
        problems.append(f"{words[0]}: {err}")
    texts = []
    for path in glob.glob(f"{told}.*"):
        with open(path) as file:
            texts.append(file.read())
    return texts


both = [f"cmd={counter},nodes=5,name={name}" for name in "AB"]
short = ["--quiet", "--max-plies", "20", "--opening-nodes", "0"]
for expected, words in ((2, ["match", "--a", both[0], "--b", both[1], "--pairs", "2", *short]),
                        (2, ["tournament", *both, "--rounds", "2", *short]),
                        (1, ["selfplay", "--player", both[0], "--games", "2", "--out", f"{SCRATCH}/counted", *short]),
                        (1, ["rescore", "--player", both[0], "--out", f"{SCRATCH}/again", f"{SCRATCH}/counted", "--quiet"])):
    count = len(starts(*words))
    if count != expected:
        problems.append(f"{words[0]} started {count} processes instead of {expected}")
tuned = [text for text in starts("spsa", "--player", both[0], "--param", "razor_margin,300,100,500,80", "--iterations", "1", "--pairs", "1",
                                 "--check-pairs", "0", "--probe-pairs", "0", "--out", f"{SCRATCH}/spsa-starts", *short) if "\ngo " in text]
if len(tuned) != 2 or any(re.findall("(?m)^setoption name razor_margin value (.*)$", text) in ([], ["300"]) for text in tuned):
    problems.append(f"spsa: {len(tuned)} processes played: {tuned}")
result("match_starts_each_program_once", problems)


# `match`, `tournament` and the page of `view` show the same Elo for the same games. If one player
# won all games, the rating needs a prior, which the output names.
problems = []
GAMES = ["weights=classic,nodes=100,name=x", "weights=classic,nodes=40,name=y"]
said = pairs_of(match("--a", GAMES[0], "--b", GAMES[1], "--pairs", "12", "--quiet", "--out", f"{SCRATCH}/one")[1])
rounds = ["--opening-nodes", "0", "--seed", "1", "--quiet", "--anchor", "2", "--rounds"]
rows = [json.loads(line) for line in outcome("tournament", *GAMES, *rounds, "12", "--json")[1].splitlines()]
rated = {row["name"]: row for row in rows if "rank" in row}
paired = next(row for row in rows if "first" in row)
if abs(rated["x"]["elo"] - float(said["elo"])) > 1e-6 or abs(rated["x"]["elo_error95"] - float(said["elo_error95"])) > 1e-6 or rated["x"]["prior_draws"]:
    problems.append(f"match {said['elo']} +- {said['elo_error95']}, tournament {rated['x']}")
if (paired["strength"], paired["ci_low"]) != (said["strength"], float(said["ci_low"])) and abs(paired["ci_low"] - float(said["ci_low"])) > 1e-6:
    problems.append(f"match {said}, pairing {paired}")
outcome("view", f"{SCRATCH}/one", "--out", f"{SCRATCH}/one.html", "--quiet")
with open(f"{SCRATCH}/one.html", encoding="utf-8") as file:
    if f">+{float(said['elo']):.1f}<" not in file.read():
        problems.append(f"the page does not show {said['elo']}")
ends = outcome("tournament", "weights=classic,nodes=4000,name=x", "weights=classic,nodes=1,name=y", *rounds, "3")[1]
if not re.search(r"x +\d+\.\d\* ", ends) or not re.search(r"(?m)^\* .*one draw is added", ends):
    problems.append(f"no word of the prior: {ends}")
result("match_one_elo", problems)


if not has_terminals("match_live_table"):
    finish()
problems = []
LIVE = ["match", "--opening-nodes", "0"]
status, data, lines, _ = screen(100, *LIVE, "--a", "weights=classic,nodes=2900", "--b", "weights=classic,nodes=2700",
                                  "--pairs", "7", "--sprt", "0,10", "--threads", "2")
shown = "\n".join(lines)
if status != 0 or b"\x1b[7A" not in data:
    problems.append(f"status {status}, or the table is not drawn over itself")
for pattern in (r"(?m)^7/7 pairs ", r"(?m)^pairs +LL \d+  LD \d+  DD\+WL \d+  WD \d+  WW \d+", r"(?m)^elo +[-+].* nelo ", r"(?m)^sprt +elo .*, llr .*\], about \d+ pairs to go \(standard deviation \d+\), ",
                r"(?m)^points +red \d", r"(?m)^ends +\w+ \d", r"(?m)^a +classic +depth +\d.*nodes/move", r"(?m)^b +classic \(2\) +depth", r"(?m)^games 14$", r"(?m)^ended by +\w+ \d", r"(?m)^verdict +\w"):
    if len(re.findall(pattern, shown)) != 1:
        problems.append(f"not exactly once on the screen: {pattern}")
_, _, lines, _ = screen(80, *LIVE, "--a", "nodes=6000", "--b", "nodes=1", "--pairs", "8")
shown = "\n".join(lines)
for pattern in (r"(?m)^elo +-   nelo -   los 100", r"(?m)^a .* nodes/move  faults 0$", r"(?m)^b .* nodes/move  faults 0$"):
    if not re.search(pattern, shown):
        problems.append(f"one-sided, in 80 columns: no {pattern} in {shown!r}")
if b"ETA" not in data:
    problems.append("no ETA")
if problems:
    problems.append(shown)
if max(len(line) for line in lines if not line.startswith("verdict ")) > 100:
    problems.append("a line is longer than the terminal is wide")
result("match_live_table", problems)
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-036: how often do games end by perpetual check or chase, and what do the rules of repetition change?"""
import json
import subprocess

from lab import PAOTAI, START, VARIED, human, paotai, play, scale, share, table

RULES = ["axf", "literal", "cxa", "none"]
LOOPS = ["perpetual_check", "perpetual_chase", "mutual_check", "mutual_chase", "no_violation"]


def ends(title, run):
    info = paotai("data", "info", run, show=False)[0]
    games = info["games"]
    score = (info["red_wins"] + info["draws"] / 2) / games
    return [title, games, share(info["draws"], games), f"{100 * score:.1f} %", f"{info['plies_mean']:.0f}",
            *(info.get("end_" + loop, 0) for loop in LOOPS), info.get("end_no_capture", 0)]


def judge(games, words):
    """Returns the records of `judge` for games given as lists of moves from the start position."""
    text = "".join(f"{START}\t{' '.join(moves)}\n" for moves in games)
    done = subprocess.run([PAOTAI, "judge", "--json", *words], input=text, stdout=subprocess.PIPE, check=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def judged(title, run):
    """Prints how many games each rule set would have ended by each kind of repetition."""
    text = subprocess.run([PAOTAI, "data", "export", "--format", "moves", "--quiet", run], stdout=subprocess.PIPE, check=True, text=True)
    games = [line.split("\t")[-1].split() for line in text.stdout.splitlines() if not line.startswith("#")]
    rows = []
    for words in [["--rules", rules] for rules in RULES] + [["--rules", "literal", "--max-checks", "4"],
                                                           ["--rules", "literal", "--check-run", "3"]]:
        first = [record["first"] for record in judge(games, words + ["--first"])]
        ended = judge([moves[:ply] for moves, ply in zip(games, first) if ply], words)
        rows.append([" ".join(words[1:]), len(games), *(sum(end["reason"] == loop for end in ended) for loop in LOOPS)])
    table([title, "games", *LOOPS], *rows)


rows = []
for nodes, games in scale([(250, 40)], [(250, 300)]):
    for rules in RULES:
        # Games are played without adjudication, because a losing side may save itself by repetition.
        run = play(f"{nodes}-{rules}", games, nodes, 360, "--rules", rules, *VARIED)
        rows.append(ends(f"{rules}, {nodes} nodes", run))
table(["", "games", "draws", "Red's score", "plies", *LOOPS, "no capture"], *rows)
if human():
    print("\nHuman games: the repetitions by which the rules would have ended them")
    judged("rules", human())

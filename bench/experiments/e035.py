# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-035: what is the first move worth at several strengths of play?

Also: which of the openings in introductions to xiangqi are played, and how do they score?"""
import collections
import re

from lab import RESIGN, VARIED, elo_of, human, out, paotai, play, scale, share, table


def line(title, wins, draws, losses):
    games = wins + draws + losses
    worth = "{:+.0f} +- {:.0f}".format(*elo_of(wins, draws, losses))
    return [title, games, f"{100 * (wins + draws / 2) / games:.1f} %", worth, share(draws, games)]


# Games in which the first move is Red's only advantage (--odds 1move).
runs = {f"{nodes} nodes": play(f"play-{nodes}", games, nodes, 350, "--odds", "1move", *VARIED, *RESIGN)
        for nodes, games in scale([(250, 80)], [(250, 300), (1000, 200)])}
if human():
    runs["human games"] = human()
infos = {title: paotai("data", "info", run)[0] for title, run in runs.items()}
head = ["games", "Red's score", "Elo", "draws"]
print()
table(["", *head], *(line(title, info["red_wins"], info["draws"], info["black_wins"]) for title, info in infos.items()))
for title in infos:
    paotai("data", "export", runs[title], "--out", out("games.pgn"))
    with open(out("games.pgn"), encoding="utf-8") as file:
        games = [dict(re.findall(r'^\[(\w+) "(.*)"\]$', game, re.M)) for game in file.read().split("\n[Game ")]
    counts = collections.Counter((game.get("Opening", "none of them"), game["Result"]) for game in games)
    names = sorted({name for name, _ in counts})
    rows = [line(name, *(counts[name, result] for result in ("1-0", "1/2-1/2", "0-1"))) for name in names]
    print()
    table([f"openings, {title}", *head], *rows)

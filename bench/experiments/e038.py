# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-038: how often do the tactics that introductions to xiangqi explain occur, and how often do they decide games between equals?"""
import json
import re
import subprocess

from lab import PAOTAI, RESIGN, START, VARIED, human, out, play, scale, share, store, table

TACTICS = ["pin", "double pin", "fork", "skewer", "discovered attack", "double cannon"]
LATER, GAIN = 6, 2.0  # a tactic decides a game if the score gains GAIN points in LATER plies


def named(run):
    """Yields {ply: tactics} for each game of a run, from `analyse --explain`."""
    path = out("games.fen")
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{START}\t{' '.join(game.moves)}\n" for game in run)
    done = subprocess.run([PAOTAI, "analyse", "--static", "--explain", "--json", "--quiet", path], stdout=subprocess.PIPE, check=True)
    for line in done.stdout.splitlines():
        tactics = json.loads(line).get("tactics", "")
        yield {int(ply) - 1: names.split(", ") for ply, names in re.findall(r"played (\d+) \w+ (.*)", tactics)}


def study(title, path):
    run = store.Run(path)
    games = [game for game in map(run.__getitem__, range(len(run))) if game.result <= 1]  # the result 2 means unknown
    seen, moves, wins, decided = ({name: 0 for name in [*TACTICS, "any move"]} for _ in range(4))
    for game, tactics in zip(games, named(games)):
        red = [min(max(score, -9), 9) for score in game.scores()]
        first = int(game.start_stm)
        met = set()
        for ply in range(len(game)):
            side = 1 - 2 * ((ply + first) % 2)
            # Change of the score of the side that moved, from one ply before the move to LATER plies
            # after it.
            gain = side * (red[min(ply + LATER, len(red) - 1)] - red[ply - 1]) if 0 < ply < len(red) - 1 else 0.0
            for name in tactics.get(ply, []) + ["any move"]:
                moves[name] += 1
                wins[name] += side * game.result > 0
                decided[name] += gain >= GAIN
                met.add(name)
        for name in met:
            seen[name] += 1
    print(f"\n{title}: {len(games)} games")
    table(["", "games with it", "per game", "the mover wins", f"gains {GAIN:g} points in {LATER} plies"],
          *([name, share(seen[name], len(games)), f"{moves[name] / len(games):.2f}", share(wins[name], moves[name]),
             share(decided[name], moves[name]) if any(decided.values()) else "-"] for name in seen if moves[name]))


for nodes, games in scale([(250, 40)], [(250, 300)]):
    study(f"{nodes} nodes", play(f"play-{nodes}", games, nodes, 380 + nodes, *VARIED, *RESIGN))
if human():
    study("human games", human())

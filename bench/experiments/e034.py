# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-034: what is each handicap of the XiangQi FAQ worth in Elo between equal players, at two strengths?"""
from lab import RESIGN, VARIED, elo, elo_of, play, results, scale, table

# Each handicap and the side that it favours (0: Red).
ODDS = {"1move": 0, "2moves": 0, "3moves": 0, "4plus:4": 0, "4plus:5": 0, "1knight": 1, "knight+1": 0, "knight+2": 0,
        "knight+3": 0, "cannon": 1, "2knights": 1, "rook": 1}
STRENGTHS = scale([(250, 60)], [(250, 300), (1000, 100)])
worth, rows = {}, []
for odds, receiver in ODDS.items():
    row = [odds]
    for nodes, games in STRENGTHS:
        run = play(f"{nodes}-{odds.replace(':', '-')}", games, nodes, 350, "--odds", odds, *VARIED, *RESIGN)
        red, draws, black = results(run)
        counts = (red, draws, black) if receiver == 0 else (black, draws, red)
        worth[odds, nodes] = elo_of(*counts)
        row += ["{}-{}-{}".format(*counts), "{:.0f} +- {:.0f}".format(*worth[odds, nodes])]
    rows.append(row)
print("\nGames that the receiver of the handicap won, drew and lost, and the receiver's Elo:")
table(["odds", *(head for nodes, _ in STRENGTHS for head in (f"{nodes} nodes", "Elo"))], *rows)
for nodes, _ in STRENGTHS:
    # With half a move of odds, the receiver has the first move (plays Red) in two of three games.
    # `red` is the mean score of Red, so the receiver's mean score is (1 + red) / 3.
    red = 1 / (1 + 10 ** (-worth["1move", nodes][0] / 400))
    print(f"{nodes} nodes: half a move is {elo((1 + red) / 3):.0f} Elo; a horse without the first move is worth the "
          f"mean of 1knight (Red gives it) and knight+1 (Black gives it): {(worth['1knight', nodes][0] + worth['knight+1', nodes][0]) / 2:.0f}")

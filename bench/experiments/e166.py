# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-166: how often the words of a match are false.

Random pair results come from the pentanomial shares of a match with adjudicated games (E-139), tilted exponentially to the mean
score of the true Elo. `paotai sprt` judges each set of counts as `match` judges a match without a test.
"""
import numpy as np
from lab import paotai, scale, table

SHARES = np.array([457, 354, 2205, 413, 571]) / 4000
SCORE = np.arange(5) / 4
ROWS = [(0, 10), (0, 100), (0, 1000), (5.5, 12000)]


def tilted(elo):
    """Returns the shares, tilted to the mean score of `elo`. The mean grows with the exponent, so bisection finds it."""
    wanted, low, high = 1 / (1 + 10 ** (-elo / 400)), -5.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        shares = SHARES * np.exp(middle * SCORE)
        shares /= shares.sum()
        low, high = (middle, high) if shares @ SCORE < wanted else (low, middle)
    return shares


lines = []
runs = scale(50, 1000)
for elo, pairs in ROWS:
    shares, said = tilted(elo), dict.fromkeys(("stronger", "weaker", "level", "not decided", "los", "outside"), 0)
    for i in range(runs):
        counts = np.random.default_rng(1000 * i + pairs).multinomial(pairs, shares)
        found = {}
        for record in paotai("sprt", "--counts", ",".join(map(str, counts)), "--elo0", 0, "--elo1", 5, show=False):
            found |= record
        said[" ".join(found["strength"].split()[:2]) if found["strength"].startswith("not") else found["strength"].split()[0]] += 1
        said["los"] += found["los"] > 0.95
        said["outside"] += abs(found["elo"] - elo) > found["elo_error95"]
    lines.append([f"{elo}, {pairs}", *said.values()])
    print(f"false_{pairs}_pairs {100 * (said['stronger'] + said['weaker'] if elo == 0 else said['level']) / runs:.1f}")
    print(f"los_{pairs}_pairs {100 * said['los'] / runs:.1f}")
table(["true Elo, pairs", "stronger", "weaker", "level", "not decided", "los above 0.95", "outside the 95 % interval"], *lines)
print(f"{runs} matches in each row")

# SPDX-License-Identifier: GPL-3.0-or-later
"""E-027: how much stronger is each level of `paotai play`, which are the steps of UCI_Elo, than the one below it?"""
import os
import re

from lab import PAOTAI, ROOT, paotai, scale, table

with open(os.path.join(ROOT, "core/uci/strengths.def"), encoding="utf-8") as file:
    steps = [[int(word) for word in found] for found in re.findall(r"^STRENGTH\(\d+, (\d+), \d+, (\d+), (\d+)\)", file.read(), re.M)]


def player(level):
    return (f"cmd={PAOTAI},proto=uci,nodes=1000000,name=level {level + 1},option.UCI_LimitStrength=true,"
            f"option.UCI_Elo={steps[level][0]},option.Seed={level + 1}")


# One thread: the random moves of a weaker level depend on its seed and on the game's number in its
# process.
total, square, rows = 0, 0, []
for level in range(scale(3, len(steps)) - 1):
    found = paotai("match", "--a", player(level + 1), "--b", player(level), "--pairs", scale(10, 200), "--seed", 27, "--threads", 1)[-1]
    elo, error = found["elo"] or 0, found["elo_error95"] or float("inf")  # too few or too one-sided games have no Elo
    total, square = total + elo, square + error ** 2
    rows.append([f"{level + 2} over {level + 1}", "{} nodes, {} %".format(*steps[level + 1][1:]), "{wins}-{draws}-{losses}".format(**found),
                 f"{elo:.0f} +- {error:.0f}", f"{total:.0f} +- {square ** 0.5:.0f}"])
table(["level", "searches, moves at random", "games", "Elo", "above level 1"], *rows)

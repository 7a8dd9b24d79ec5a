# SPDX-License-Identifier: GPL-3.0-or-later
"""E-027: how much stronger is each level of `paotai play` than the one below it?"""
import os
import re

from lab import ROOT, paotai, scale, table

with open(os.path.join(ROOT, "selfplay/run/levels.def"), encoding="utf-8") as file:
    nodes = [int(number) for number in re.findall(r"^LEVEL\(\d+, (\d+),", file.read(), re.M)]
total, square, rows = 0, 0, []
for level in range(scale(3, len(nodes)) - 1):
    found = paotai("match", "--a", f"nodes={nodes[level + 1]}", "--b", f"nodes={nodes[level]}", "--pairs", scale(10, 200), "--seed", 27)[-1]
    total, square = total + found["elo"], square + found["elo_error95"] ** 2
    rows.append([f"{level + 2} over {level + 1}", "{wins}-{draws}-{losses}".format(**found), f"{found['elo']:.0f} +- {found['elo_error95']:.0f}",
                 f"{total:.0f} +- {square ** 0.5:.0f}"])
table(["level", "games", "Elo", "above level 1"], *rows)

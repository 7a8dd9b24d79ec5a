# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-165: which share of the weights of a fit to 1,500 games lies in its intervals, against a fit to 30,000 other games.

E-165 has the first of the sets of games below, E-181 has all. Intervals are value +- 1.96 errors, half a unit wider for the
rounding of the file, by the share that the few games decided, as in E-134. The mean square is that of (difference / error). Without FULL=1 the runs are short, and the shares mean little.
"""
import os
import re

import numpy as np
from lab import out, paotai, play, scale, table

CLASSES = {"below 0.1": (-1, 0.1), "0.1 to 0.3": (0.1, 0.3), "0.3 to 0.6": (0.3, 0.6), "above 0.6": (0.6, 2), "above 0.3": (0.3, 2), "all": (-1, 2)}


def fit(games, name, *words):
    """Fits weights to games unless it was done, and returns {term: numbers} of each kind of line of the file: value, se, se_data, decided."""
    path, found = out(name + ".txt"), {"value": {}, "se": {}, "se_data": {}, "decided": {}}
    if not os.path.exists(path):
        paotai("tune", games, *words, "--threads", 2, "--out", path)
    with open(path, encoding="utf-8") as file:
        for kind, term, numbers in re.findall(r"(?m)^(?:# (se|se_data|decided) )?([a-z]\w*) ([-\d. einfa]+)$", file.read()):
            found[kind or "value"][term] = np.array(numbers.split(), float)
    return found


def coverage(few, many, error):
    """Returns the rows of the table for one kind of error of the fit to few games."""
    terms = [term for term in few["value"] if term in few["decided"] and term in few[error]]
    value, true, se, decided = (np.concatenate([found[kind][term] for term in terms])
                                for found, kind in ((few, "value"), (many, "value"), (few, error), (few, "decided")))
    known, rows = np.isfinite(se) & np.isfinite(decided) & (se > 0), []
    for name, (low, high) in CLASSES.items():
        here = known & (decided >= low) & (decided < high)
        away = np.abs(value - true)[here]
        rows.append([name, here.sum(), f"{(away <= 1.96 * se[here] + 0.5).mean():.3f}", f"{((away / se[here]) ** 2).mean():.2f}"])
    return rows


SETS = scale([("t1", 300, 6721)], [("t1", 1500, 6721), ("t2", 1500, 6722), ("t4", 1500, 6724), ("t3", 500, 6723), ("t5", 500, 6725)])
big = play("big", scale(2000, 30000), 200, 6700, "--threads", 2)
for start in (["classic"], ["default", "--prior-errors", 0]):
    many = fit(big, f"{start[0]}-big", "--weights", *start)
    for name, games, seed in SETS:
        few = fit(play(name, games, 200, seed, "--threads", 2), f"{start[0]}-{name}", "--weights", *start)
        for error in ("se", "se_data"):
            print(f"start {' '.join(map(str, start))}, {games} games of seed {seed}, {error}")
            table(["share decided", "weights", "covered", "mean square"], *coverage(few, many, error))

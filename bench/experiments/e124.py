# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-124: fits of known values in three units, with the prior of tables and curves and with one prior for all.

Usage: PAOTAI=build/paotai OUT=build/e124 python3 bench/experiments/e124.py
"""
import os
import subprocess

import h5py
import numpy as np

PAOTAI, OUT = os.environ.get("PAOTAI", "build/paotai"), os.environ.get("OUT", "build/e124")
os.makedirs(OUT, exist_ok=True)
K = 0.004
random = np.random.default_rng(124)
# Five tables in whole units, two curves of hundredths, ten terms of tenths.
names, start, truth = [], [], []
for piece, value in (("rook", 900), ("cannon", 450), ("horse", 400), ("pawn", 100), ("guard", 180)):
    square = np.arange(90)
    shape = value + 12 * random.normal(size=10)[square // 9] + 8 * random.normal(size=9)[square % 9] + 10 * random.normal(size=90)
    change = 60 * random.normal() + 12 * random.normal(size=10)[square // 9] + 8 * random.normal(size=9)[square % 9] + 5 * random.normal(size=90)
    names += [f"table[{piece}][{s}]" for s in square]
    start += list(np.round(shape))
    truth += list(np.round(shape) + change)
for name in ("rook", "horse"):
    curve = np.cumsum(random.normal(4, 3, 20))
    names += [f"mobility[{name}][{i}]" for i in range(20)]
    start += list(np.round(curve, 2))
    truth += list(np.round(curve, 2) + 5 * random.normal() + np.cumsum(random.normal(0, 2, 20)))
names += [f"term{i}" for i in range(10)]
single = np.round(random.normal(0, 20, 10), 1)
start += list(single)
truth += list(single + random.normal(0, 10, 10))
start, truth = np.array(start), np.array(truth)
unit = np.array([1.0] * 450 + [0.01] * 40 + [0.1] * 10)


def game():
    """Returns the rows of 15 positions of a game: few pieces change from one position to the next."""
    own = [[random.integers(90) for _ in range(n)] for n in (2, 2, 2, 4, 4)]
    other = [[random.integers(90) for _ in range(n)] for n in (2, 2, 2, 4, 4)]
    rows = []
    for _ in range(15):
        row = np.zeros(500)
        for sign, side in ((1, own), (-1, other)):
            for table, squares in enumerate(side):
                for square in squares:
                    row[90 * table + square] += sign
            for curve in range(2):
                row[450 + 20 * curve + random.integers(20)] += sign
            row[490 + random.integers(10)] += sign
            pieces = side[random.integers(5)]
            if pieces and random.random() < 0.15:
                pieces.pop()
            for squares in side:
                for i in range(len(squares)):
                    if random.random() < 0.4:
                        squares[i] = random.integers(90)
        rows.append(row)
    return rows


GAMES = 10000
dense = np.array([row for _ in range(GAMES) for row in game()], dtype=np.float32).reshape(GAMES, 15, 500)
scores = dense @ truth
result = (random.random(GAMES) < 1 / (1 + np.exp(-K * scores.mean(1)))).astype(float)
for games in (1000, 3000, 10000):
    rows, path = dense[:games].reshape(-1, 500), f"{OUT}/rows{games}.h5"
    row, term = rows.nonzero()
    with h5py.File(path, "w") as file:
        file.attrs.update(format="paotai sparse rows", schema_version=1)
        file["names"], file["index"], file["coefficient"] = names, term, rows[row, term]
        file["indptr"] = np.append(0, np.cumsum((rows != 0).sum(1)))
        file["result"], file["game"] = np.repeat(result[:games], 15), np.repeat(np.arange(games), 15)
        file["score"] = np.clip(scores[:games].ravel() + random.normal(0, 60, 15 * games), -30000, 30000).astype(int)
        file["start"], file["unit"] = np.stack([start, start], 1), np.stack([unit, unit], 1)
    test = dense[-1000:].reshape(-1, 500)
    far = np.std(test @ (start - truth))
    for text, words in (("tables and curves", ()), ("with --cv 4", ("--cv", "4")), ("80 for all", ("--prior-sd", "80"))):
        for lam in ("1", "0.2"):
            done = subprocess.run([PAOTAI, "tune", "--rows", path, "--lambda", lam, "--threads", "2", "--quiet", "--out", f"{OUT}/fit.tsv", *words],
                                  capture_output=True, text=True)
            fitted = np.array([float(line.split("\t")[1]) for line in open(f"{OUT}/fit.tsv") if line[0] != "#" and not line.startswith("term\t")])
            # The scale of a fit is free, so it is compared after the best scaling.
            x, y = test @ fitted, test @ truth
            near = np.std(y - x * (x @ y) / (x @ x))
            print(f"{games:6d} games  lambda {lam:4s} {text:18s} start {far:6.1f}  fit {near:6.1f} units from the truth", done.stderr[:200], flush=True)

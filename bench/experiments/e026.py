#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-026: how do the probabilities of win, draw and loss depend on score and phase?

Usage: e026.py FILE.csv. `paotai data export --positions sampled` makes the file. The script fits by maximum likelihood
Red's probabilities of a win, 1 / (1 + exp(d - s x)), and of a loss, 1 / (1 + exp(d + s x)), where x is the score.
Slope s and width d are interpolated linearly between six phases. The last fifth of the games is the test set.
Errors come from a bootstrap over games."""
import csv
import sys

import numpy as np
from scipy.optimize import minimize

KNOTS, WEIGHT = 6, {"r": 6, "n": 3, "c": 3}
rows = [row for row in csv.DictReader(open(sys.argv[1])) if row["mate_red"] == "0" and row["score_red"]]
score = np.array([float(row["score_red"]) for row in rows]) / 1000
result = np.array([float(row["result"]) for row in rows])
game = np.array([int(row["game"]) for row in rows])
phase = np.array([sum(WEIGHT.get(c, 0) for c in row["fen"].split()[0].lower()) for row in rows]) / 48
at = np.minimum(phase * (KNOTS - 1), KNOTS - 1 - 1e-9)
low, share = at.astype(int), at - at.astype(int)


def loss(w, pick):
    l, h, x, r = low[pick], share[pick], score[pick], result[pick]
    s, d = (table[l] * (1 - h) + table[l + 1] * h for table in (w[:KNOTS], w[KNOTS:]))
    win, lost = 1 / (1 + np.exp(d - s * x)), 1 / (1 + np.exp(d + s * x))
    draw = np.maximum(1 - win - lost, 1e-9)
    value = -np.mean(np.log(np.where(r > 0, win, np.where(r < 0, lost, draw)) + 1e-12))
    # Derivatives of the log likelihood of a position's result with respect to the arguments of both
    # sigmoids: s x - d for a win, -s x - d for a loss.
    to_win = np.where(r > 0, 1 - win, np.where(r < 0, 0, -win * (1 - win) / draw))
    to_lost = np.where(r < 0, 1 - lost, np.where(r > 0, 0, -lost * (1 - lost) / draw))
    slope, width = x * (to_win - to_lost), -(to_win + to_lost)
    sums = [np.bincount(l + k, by * (h if k else 1 - h), KNOTS) for by in (slope, width) for k in (0, 1)]
    return value, -np.concatenate([sums[0] + sums[1], sums[2] + sums[3]]) / len(pick)


def fit(pick, start):
    return minimize(loss, start, args=(pick,), jac=True, method="L-BFGS-B", bounds=[(0.05, 20)] * KNOTS + [(0.01, 5)] * KNOTS).x


games = np.unique(game)
kept = games[int(len(games) * 0.8)]
train, valid = np.flatnonzero(game < kept), np.flatnonzero(game >= kept)
start = np.array([2.0] * KNOTS + [0.1] * KNOTS)
w = fit(train, start)
random = np.random.default_rng(26)
by_game = [np.flatnonzero(game == g) for g in games[games < kept]]
draws = [fit(np.concatenate([by_game[i] for i in random.integers(0, len(by_game), len(by_game))]), w) for _ in range(10)]
error = 1.96 * np.std(draws, axis=0, ddof=1)
print(f"positions {len(rows)} train {len(train)} valid {len(valid)} games {len(games)}")
print("slope", " ".join(f"{v / 1000:.5f}+-{e / 1000:.5f}" for v, e in zip(w[:KNOTS], error)))
print("draw ", " ".join(f"{v:.3f}+-{e:.3f}" for v, e in zip(w[KNOTS:], error[KNOTS:])))
rate = [np.mean(result[train] == r) for r in (1, 0, -1)]
alone = -np.mean([np.log(rate[{1: 0, 0: 1, -1: 2}[int(r)]]) for r in result[valid]])
print(f"loss train {loss(w, train)[0]:.4f} valid {loss(w, valid)[0]:.4f}, without score {alone:.4f}")

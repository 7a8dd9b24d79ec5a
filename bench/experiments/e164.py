# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-164: how often the words of `tune` and `loop` are false.

`tune --rows` fits to simulated games whose true weights are known. The rows of a game share its result. The start weights are
the true ones (then no fit can predict better), or 0 (then the fit must).
The words of `loop` follow from its SPRT of 0 against 10, with its 500 pairs and without a limit.
"""
import os

import h5py
import numpy as np
from lab import out, paotai, scale, table

TERMS, ROWS, K = 40, 8, 0.004


def rows(path, seed, games, start_is_true):
    """Writes rows with frequencies from 1/2 to 1/50 and values +-1; true weights have the standard deviation 60."""
    random = np.random.default_rng(seed)
    truth = np.round(60 * random.normal(size=TERMS))
    often = 0.5 * 0.04 ** (np.arange(TERMS) / (TERMS - 1))
    dense = (random.random((games * ROWS, TERMS)) < often) * random.choice([-1, 1], (games * ROWS, TERMS))
    luck = np.repeat(random.random(games), ROWS)
    result = (luck < 1 / (1 + np.exp(-K * (dense @ truth)))).astype(float)
    row, term = dense.nonzero()
    with h5py.File(path, "w") as file:
        file.attrs.update(format="paotai sparse rows", schema_version=1)
        file["names"] = [f"t{i}" for i in range(TERMS)]
        file["index"], file["coefficient"] = term.astype(np.uint16), dense[row, term].astype(np.float32)
        file["indptr"] = np.append(0, np.cumsum((dense != 0).sum(1))).astype(np.uint64)
        file["result"], file["game"] = result, np.repeat(np.arange(games), ROWS)
        start = truth if start_is_true else np.zeros(TERMS)
        file["start"] = np.stack([start, start], 1)


runs, lines = scale(10, 200), []
for games in (400, 2000):
    for start_is_true in (True, False):
        said = {}
        for seed in range(1, runs + 1):
            path, found = out("rows.h5"), {}
            rows(path, seed, games, start_is_true)
            for record in paotai("tune", "--rows", path, "--lambda", 1, "--k", K, "--prior-sd", 60, "--valid-fraction", 0.2, "--threads", 1, show=False):
                found |= record
            for key in ("verdict", "more_games"):
                word = " ".join(found[key].split(";")[0].split(":")[0].split())
                said[key, word] = said.get((key, word), 0) + 1
        os.remove(path)
        lines += [[f"{games} games, start {'true' if start_is_true else '0'}", key, word, number] for (key, word), number in sorted(said.items())]
table(["fit", "key", "word", "of " + str(runs)], *lines)
lines = []
for games in (1000, 10**7):
    for elo in (0, 5, 10, 20):
        plan = paotai("sprt", "--plan", "--elo0", 0, "--elo1", 10, "--counts", "457,354,2205,413,571", "--runs", scale(300, 3000), "--true-elo", elo,
                      "--max-games", games, show=False)[0]
        lines.append([f"{elo}, at most {games} games", plan["accept_h1"], plan["accept_h0"], plan["unfinished"], f"{plan['games_mean']:.0f}"])
table(["true normalized Elo", "promoted", "rejected", "undecided", "games"], *lines)

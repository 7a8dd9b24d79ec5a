# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-089: why do weights play worse if the games to which they were fitted were played with fitted weights, not with hand-set weights?"""
import fnmatch
import os

import h5py
import numpy as np
from e087 import Z95, fit, paotai
from lab import out, scale

GROUPS = {"supply": {"board": "advisor elephant horse chariot cannon soldier* given_*", "hand": "hand_*", "mobility": "mobility_* palace", "turn": "turn*"},
          "banqi": {"face up": "general advisor elephant horse chariot cannon soldier*", "face down": "hidden_*", "mobility": "mobility attack", "unbeaten": "unbeaten", "turn": "turn"}}


def play(game, name, games, seed, weights, opening_plies):
    run = out(f"{game}-{name}")
    resume = ["--resume"] if os.path.exists(run) else []
    paotai("variant", "selfplay", game, "--games", games, "--nodes", 200, "--seed", seed, "--opening-plies", opening_plies, "--weights", weights, "--out", run, *resume)
    return run


def read(path):
    with open(path, encoding="utf-8") as file:
        return {term: float(value) for term, value, *_ in (line.split("\t") for line in file if line[0] != "#" and not line.startswith("term"))}


def write(path, weights):
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(f"{term}\t{value}\n" for term, value in weights.items()))
    return path


def rows(run):
    """Returns the names of the terms, and for each position of a run the counts of all terms, the result and the game number."""
    with h5py.File(f"{run}/rows.h5") as file:
        names = [name.decode() for name in file["names"][()]]
        ends, index = (file[name][()].astype(np.int64) for name in ("indptr", "index"))
        counts = np.zeros((len(ends) - 1, len(names)))
        counts[np.repeat(np.arange(len(ends) - 1), np.diff(ends)), index] = file["coefficient"][()]
        return names, counts, file["result"][()].astype(float), file["game"][()].astype(np.int64)


def losses(data, weights):
    """Returns the mean cross-entropy of each game, with the slope K that minimises the mean over all games."""
    names, counts, result, game = data
    scores = counts @ np.array([weights[name] for name in names])
    numbers = np.unique(game, return_inverse=True)[1]

    def at(k):
        p = np.clip(1 / (1 + np.exp(-k * scores)), 1e-9, 1 - 1e-9)
        return np.bincount(numbers, -(result * np.log(p) + (1 - result) * np.log(1 - p))) / np.bincount(numbers)
    return min((at(k) for k in np.geomspace(0.0005, 0.05, 60)), key=np.mean)


def match(game, a, b):
    print(paotai("variant", "match", game, "--a", f"weights={a}", "--b", f"weights={b}", "--nodes", 200, "--pairs", scale(30, 150), "--seed", 77, "--opening-plies", 12)["verdict"])


for game, groups in GROUPS.items():
    first = fit(game, f"{game}-1.tsv", play(game, "1", scale(500, 2000), 1, "classic", 12))
    second_run = play(game, "2", scale(500, 4000), 2, first, 12)
    second, other = fit(game, f"{game}-2.tsv", second_run), rows(play(game, "other", scale(300, 4000), 3, first, 40))
    match(game, second, first)
    difference = losses(other, read(first)) - losses(other, read(second))
    print(f"loss of the first fit minus loss of the second, in games that neither was fitted to: {difference.mean():.4f} +- {Z95 * difference.std() / len(difference) ** 0.5:.4f}")
    if game == "supply":
        for name, run in (("hand-set", out("supply-1")), ("fit", second_run)):
            names, counts, *_ = rows(run)
            print("correlation of pieces on the board and in hand, in games of weights:", name, {kind: round(np.corrcoef(counts[:, names.index(kind)] + (counts[:, names.index("soldier_crossed")] if kind == "soldier" else 0),
                                                                                                   counts[:, names.index(f"hand_{kind}")])[0, 1], 3) for kind in ("advisor", "elephant", "soldier", "cannon")})
    for group, patterns in groups.items():
        new = read(second)
        mixed = {term: new[term] if any(fnmatch.fnmatch(term, pattern) for pattern in patterns.split()) else value for term, value in read(first).items()}
        print("the first fit with", group, "of the second:", end=" ", flush=True)
        match(game, write(out(f"{game}-mixed.tsv"), mixed), first)

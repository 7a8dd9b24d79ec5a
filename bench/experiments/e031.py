# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-031: does the cannon lose value as the board empties, and does the horse gain? With how many pieces are both worth the same?"""
from lab import KINDS, Positions, by, chart, human, regress, runs, scale, table, text

EDGES = [2, 10, 13, 16, 19, 22, 25, 28, 33]  # bounds of eight bins of the number of pieces on the board, with generals


def study(name, paths):
    positions = Positions(paths)
    bins = [(positions.pieces >= low) & (positions.pieces < high) for low, high in zip(EDGES, EDGES[1:])]
    # Chariots, cannons and horses have one value per range of the number of pieces on the board.
    # The difference between cannon and horse is fitted as a term of its own, which gives its
    # standard error.
    balance = {kind: positions.balance(kind) for kind in KINDS}
    terms = {kind: balance[kind] for kind in KINDS[3:]}
    for i, inside in enumerate(bins):
        for kind in KINDS[:3]:
            terms[f"{kind} {i}"] = balance[kind] * inside
    fit = regress("bins", positions, terms)
    # With the terms cannon + horse and cannon - horse, the weight of the second term is half the
    # difference between the values of cannon and horse.
    for i, inside in enumerate(bins):
        terms[f"cannon {i}"] = (balance["cannon"] + balance["horse"]) * inside
        terms[f"horse {i}"] = (balance["cannon"] - balance["horse"]) * inside
    half = regress("difference", positions, terms)
    rows, lines = [], {kind: [] for kind in KINDS[1:3]}
    for i, inside in enumerate(bins):
        unit = fit[f"chariot {i}"]
        cells = [by(fit[f"{kind} {i}"], unit) for kind in KINDS[1:3]]
        apart = tuple(2 * part * by((1, 0), unit)[0] for part in half[f"horse {i}"])
        rows.append([f"{EDGES[i]}-{EDGES[i + 1] - 1}", inside.sum(), text(unit), *map(text, cells), text(apart)])
        for kind, cell in zip(KINDS[1:3], cells):
            lines[kind] += [(i, *cell)] if cell[0] == cell[0] else []
    print(f"\n{name}: {len(positions.result)} positions")
    table(["pieces", "positions", "chariot, log-odds", "cannon", "horse", "cannon - horse"], *rows)
    chart(name.replace(" ", "-"), f"Cannon and horse by the pieces on the board ({name})",
          "bin of pieces: " + "  ".join(f"{i}: {a}-{b - 1}" for i, (a, b) in enumerate(zip(EDGES, EDGES[1:]))),
          "value, a chariot of the same bin is 9", list(lines.items()))


study("self-play", runs("play-1000", scale(150, 5000), 1000, 1300))
if human():
    study("human games", [human()])

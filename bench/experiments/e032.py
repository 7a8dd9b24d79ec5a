# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-032: where is a chariot worth most, and where a soldier?

Checks what introductions to xiangqi say about the corner and the centre."""
import numpy as np

from lab import KINDS, Positions, by, human, regress, runs, scale, table, text

RANK, FILE = np.mgrid[0:10, 0:9]
FILE = np.minimum(FILE, 8 - FILE)  # number of files between a point and the nearer edge: 0 to 4
CHARIOT = {
    "own corner": (RANK == 0) & (FILE == 0),
    "own back rank": (RANK == 0) & (FILE > 0),
    "own half, wings": (RANK > 0) & (RANK < 5) & (FILE < 3),
    "own half, three centre files": (RANK > 0) & (RANK < 5) & (FILE >= 3),
    "across, wings": (RANK >= 5) & (RANK < 9) & (FILE < 3),
    "across, three centre files": (RANK >= 5) & (RANK < 9) & (FILE >= 3),
    "enemy back rank": (RANK == 9) & (FILE > 0),
    "enemy corner": (RANK == 9) & (FILE == 0),
}
SOLDIER = {f"home, file {'abcde'[f]}": (RANK < 5) & (FILE == f) for f in (0, 2, 4)}
SOLDIER |= {f"across, rank {r + 1}": RANK == r for r in range(5, 10)}
FILES = {f"across, file {'abcde'[f]}": (RANK >= 5) & (FILE == f) for f in range(5)}


def part(positions, title, kinds, places, unit):
    """Prints the value of the pieces `kinds` on each group of points, on the scale where a chariot is 9.

    Also prints the differences from the value on the first group. All other kinds have one value for all points."""
    terms = {kind: positions.balance(kind) for kind in KINDS if kind not in kinds}
    standing = {place: sum(positions.standing(kind, mask) for kind in kinds) for place, mask in places.items()}
    fit = regress("places", positions, terms | standing)
    first, apart = next(iter(places)), dict(standing)
    # This term is now the sum over all groups. Therefore the weight of each other group is the
    # difference between its value and that of the first group, and has the error of the difference.
    apart[first] = sum(standing.values())
    away = regress("apart", positions, terms | apart)
    seen = [sum(int(positions.of(kind, side)[:, mask].sum()) for side in (0, 1) for kind in kinds) for mask in places.values()]
    table([title, "value", f"minus value in: {first}", "pieces"],
          *([place, text(by(fit[place], unit)), "" if place == first else text(tuple(9 * x / unit[0] for x in away[place])), n]
            for place, n in zip(places, seen)))
    print()


def study(name, paths):
    positions = Positions(paths, every=4)
    unit = regress("all", positions, {kind: positions.balance(kind) for kind in KINDS})["chariot"]
    print(f"\n{name}: {len(positions.result)} positions; a chariot anywhere is 9, and {text(unit)} in log-odds")
    part(positions, "chariot", ["chariot"], CHARIOT, unit)
    part(positions, "soldier", ["soldier", "crossed soldier"], SOLDIER, unit)
    part(positions, "soldier", ["crossed soldier"], FILES, unit)


study("self-play", runs("play-1000", scale(150, 5000), 1000, 1300))
if human():
    study("human games", [human()])

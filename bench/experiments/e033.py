# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-033: what are advisors and elephants worth against two chariots, and against cannons? Is the last advisor worth more than the first?"""
from lab import KINDS, Positions, by, human, regress, runs, scale, table, text


def study(name, paths):
    positions = Positions(paths, every=4)
    balance = {kind: positions.balance(kind) for kind in KINDS}
    unit = regress("all", positions, balance)["chariot"]
    print(f"\n{name}: {len(positions.result)} positions; a chariot is 9")
    rows = []
    for guard in "advisor", "elephant":
        for enemy in "chariot", "cannon":
            # Terms for the first and the second guard (advisor or elephant) of a side, by the
            # number of enemy pieces.
            terms = {kind: value for kind, value in balance.items() if kind != guard}
            for count in range(3):
                for nth in (1, 2):
                    terms[f"{nth} {count}"] = sum(
                        (1 - 2 * side) * ((positions.number(guard, side) >= nth) & (positions.number(enemy, 1 - side) == count))
                        for side in (0, 1))
            fit = regress("guards", positions, terms)
            rows += [[f"{guard}, enemy with {count} {enemy}s", *(text(by(fit[f"{nth} {count}"], unit)) for nth in (1, 2))]
                     for count in range(3)]
    table(["", "the first", "the second"], *rows)


study("self-play", runs("play-1000", scale(150, 5000), 1000, 1300))
if human():
    study("human games", [human()])

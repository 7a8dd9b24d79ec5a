# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-114: is each opening of a small book equally often the first one of a run?"""
import os

from lab import out, paotai, scale, table

FIRST = ["h2e2", "b2e2", "c3c4", "g3g4", "b0c2", "h0g2", "c0e2", "g0e2"]
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

book = out("book.epd")
with open(book, "w", encoding="ascii") as file:
    file.write("".join(f"{START}\t{move}\n" for move in FIRST))
seeds = scale(200, 3000)
counts = dict.fromkeys(FIRST, 0)
for seed in range(1, seeds + 1):
    # The game has one ply after the opening, so that a run takes a few milliseconds.
    paotai("match", "--a", "nodes=1", "--b", "nodes=1", "--pairs", 1, "--max-plies", 2, "--openings", book, "--opening-plies", 0,
                  "--seed", seed, "--pgn", out("game.pgn"), "--pgn-moves", "uci", show=False)
    with open(out("game.pgn"), encoding="utf-8") as file:
        text = file.read()
    os.remove(out("game.pgn"))
    counts[next(move for move in FIRST if f"1. {move}" in text)] += 1
expected = seeds / len(FIRST)
table(["line", "opening", "first of a run"], *([i + 1, move, counts[move]] for i, move in enumerate(FIRST)))
print(f"seeds {seeds} expected {expected:g} chi_square {sum((n - expected) ** 2 / expected for n in counts.values()):.1f} degrees_of_freedom {len(FIRST) - 1}")

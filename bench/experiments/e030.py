# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-030: what are the pieces worth according to self-play at three strengths, human games, and books?"""
import math
import os

from lab import KINDS, Positions, by, human, paotai, play, regress, scale, table, text, UNEVEN

# Middlegame and endgame values of each piece in the order of KINDS. A chariot is 9 in each phase.
# "the documents" is the usual table of introductions to xiangqi. The others are engines.
PUBLISHED = {
    "the documents": [(9, 9), (4.5, 4.5), (4, 4), (2, 2), (2, 2), (1, 1), (2, 2)],
    "Pikafish-HCE": [(9, 9), (5.03, 3.19), (3.68, 3.28), (1.09, 0.31), (0.68, 0.51), (0.83, 0.77), None],
    "Fairy-Stockfish": [(9, 9), (5.64, 4.57), (3.67, 5.22), (2.12, 1.96), (2.96, 2.93), (1.41, 1.76), None],
    "ElephantEye": [(9, 9), (4.16, 4.99), (4.09, 4.74), (0.87, 1.73), (0.87, 1.73), (0.43, 0.43), (1.94, 2.94)],
}

# The runs of each source, and --lambda: the weight of the game result in the target of the fit. The
# search score has the remaining weight.
sources = {}
if os.environ.get("RUNS"):  # several sources are separated by commas
    for group in os.environ["RUNS"].split(","):
        sources[os.path.basename(group.split()[0])] = group.split(), 0.2
else:
    for nodes, small, full, seed in (250, 300, 4000, 301), (1000, 100, 5000, 302), (4000, 0, 2000, 303):
        if scale(small, full):
            sources[f"{nodes} nodes"] = [play(f"play-{nodes}", scale(small, full), nodes, seed, *UNEVEN)], 0.2
if human():
    sources["human games"] = [human()], 1

# Fits all weights of the evaluation. The values of the pieces in each phase are relative to the
# chariot's value in that phase.
columns = {}
for name, (runs, share) in sources.items():
    records = paotai("tune", *runs, "--lambda", share, "--weights", "classic")
    fit = {record["piece"]: record for record in records if "piece" in record}
    columns[name] = [fit[kind] for kind in KINDS]
for phase in "middlegame", "endgame":
    rows = [[kind] + [text((column[i][phase], column[i][phase + "_error95"])) for column in columns.values()]
            + ["-" if values[i] is None else f"{values[i][phase == 'endgame']:.2f}" for values in PUBLISHED.values()]
            for i, kind in enumerate(KINDS)]
    print()
    table([phase, *columns, *PUBLISHED], *rows)

# Fits only piece counts to the game results, without piece-square tables or search scores, and with
# a negligible prior. The result is the value of one more chariot in log-odds, at both ends of the
# game phase: full middlegame and full endgame.
print("\nfit of piece counts to game results: the chariot in log-odds, the other pieces relative to a chariot of 9")
rows = []
for name, (runs, _) in sources.items():
    positions = Positions(runs)
    fit = regress("material", positions, {kind: positions.balance(kind) for kind in KINDS}, phases=True)
    for phase, label in enumerate(("middlegame", "endgame")):
        rows.append([f"{name}, {label}", text(fit["chariot"][phase])]
                    + [text(by(fit[kind][phase], fit["chariot"][phase])) for kind in KINDS[1:]])
table(["", *KINDS], *rows)
print(f"(a log-odds of 1 is {400 / math.log(10):.0f} Elo)")

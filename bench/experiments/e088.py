# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-088: banqi: what are the pieces worth, is the game luck, is the soldier one of the most important pieces?"""
import os

from e087 import PAIRS, games_of, generations, paotai, picture, share
from lab import out

run, weights = generations("banqi", "general,advisor,elephant,horse,chariot,cannon,soldier*,hidden_*")
print("the player with the first turn:", share([points for _, points, _ in games_of(run)]))
print("draws:", share([float(points == 0.5) for _, points, _ in games_of(run)]))
for a, b, pairs in (("nodes=200", "nodes=220", PAIRS), ("depth=6,nodes=20000", "depth=2,nodes=20000", PAIRS // 2), ("depth=2,nodes=20000", "weights=random", PAIRS // 2),
                    ("depth=6,nodes=20000", "weights=random", PAIRS // 2)):
    words = [f"weights={weights},{player}" if "weights" not in player else player for player in (a, b)]
    said = paotai("variant", "match", "banqi", "--a", words[0], "--b", words[1], "--pairs", pairs, "--threads", 2)
    print({key: said[key] for key in ("pentanomial", "elo", "elo_error95", "draws", "first_share", "start_correlation", "start_correlation_error95", "verdict")})
print(paotai("variant", "match", "banqi", "--a", f"weights={weights}", "--b", "weights=classic", "--nodes", 200, "--threads", 2, "--sprt", "0,10")["verdict"])
# The picture also shows the piece values of supply chess if experiment E-087 was run, and those of
# xiangqi if the environment variable XIANGQI names a table (term, value, error).
files = {"supply": out("../e087/supply-pieces.tsv"), "banqi": out("banqi-pieces.tsv"), "xiangqi": os.environ.get("XIANGQI", "")}
picture({game: path for game, path in files.items() if os.path.exists(path)})

# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-088: how much of the result of a banqi game do the face-down pieces decide?

Equal players, a fixed number of nodes per turn, no random turns. Two measurements:
1. Decomposition. The score before each turn is converted to expected points. The result is then a sum: the first expected points, the changes
   at turns that uncover a piece, the changes at moves and captures, and the result minus the last expected points. The share of a part is its
   covariance with the result, divided by the variance of the result. The shares add up to 1.
2. Replays. The rest of a game is played again from its position after N plies: four times, as two pairs. Both games of a pair have the same
   face-down pieces, the pairs have different ones. The players have 200 and 210 nodes, so the games of a pair are not identical. The
   correlation of games with different face-down pieces is the share of the variance that the visible position explains. The correlation of
   games with the same face-down pieces is higher: the difference is the share of the face-down pieces. Small differences of
   play explain the remaining variance.
"""
import os
import subprocess

import numpy as np
from e087 import paotai
from lab import PAOTAI, out, scale, table

GAMES, REPLAYED, DEEP, PLIES = scale(60, 1000), scale(20, 800), scale(10, 200), (0, 10, 20, 40, 60)
BAG = "KRRNNCCBBAAPPPPPkrrnnccbbaappppp"


def play(name, games, nodes, seed, *words):
    """Returns the games of a run as (turns, points of the first player)."""
    resume = ["--resume"] if os.path.exists(out(name)) else []
    paotai("variant", "selfplay", "banqi", "--games", games, "--nodes", nodes, "--seed", seed, *words, "--out", out(name), *resume)
    with open(out(name) + "/games.txt", encoding="utf-8") as file:
        rows = [line.split("\t") for line in file if line[0] != "#"]
    return [(row[2].split(), {"1-0": 1, "0-1": 0}.get(row[3], 0.5)) for row in rows]


def position(turns):
    """Returns the text of the position after these turns."""
    if not turns:
        return "/".join(["?" * 8] * 4) + f"[{BAG}] - 0 1"
    board, bag, quiet = dict.fromkeys((f + r for r in "1234" for f in "abcdefgh"), "?"), list(BAG), 0
    first = turns[0].split("/")[0][-1]  # the piece that the first player uncovered
    for turn in turns:
        turn = turn.split("/")[0]
        if "=" in turn:
            bag.remove(turn[-1])
            board[turn[:2]], quiet = turn[-1], 0
        else:
            quiet = 0 if board[turn[2:]] else quiet + 1
            board[turn[:2]], board[turn[2:]] = "", board[turn[:2]]
    rows = []
    for rank in "4321":
        row = "".join(board[f + rank] or "." for f in "abcdefgh")
        for n in range(8, 0, -1):
            row = row.replace("." * n, str(n))
        rows.append(row)
    mover = "rb"[first.islower() ^ (len(turns) % 2)]
    return f"{'/'.join(rows)}[{''.join(bag)}] {mover} {quiet} {len(turns) + 1}"


def bootstrap(function, *columns, rounds=2000):
    """Returns function(columns) as text with its 95 % error, from resampled games."""
    columns = [np.asarray(column, float) for column in columns]
    random, n = np.random.default_rng(1), len(columns[0])
    again = []
    for _ in range(rounds):
        rows = random.integers(0, n, n)
        again.append(function(*(column[rows] for column in columns)))
    return f"{function(*columns):.3f} +- {1.96 * np.nanstd(again):.3f}"


def correlation(x, y):
    return np.corrcoef(x, y)[0, 1]


def pair(fen, seed):
    """Plays a pair of games from a position. Returns x and y, the points of the player with the first turn in game 1 and in game 2."""
    words = ("variant", "match", "banqi", "--fen", fen, "--a", "nodes=200,name=a", "--b", "nodes=210,name=b", "--pairs", "1", "--seed", str(seed), "--quiet")
    done = subprocess.run([PAOTAI, *words], stdout=subprocess.PIPE, text=True, check=True)
    said = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    # `first` is x + y. A has the first turn only in game 1, so the points of A are x + (1 - y).
    first, points = 2 * float(said["first_share"]), int(said["wins"]) + int(said["draws"]) / 2
    return (first + points - 1) / 2, (first - points + 1) / 2


def shares(x1, y1, x2, y2):
    """Returns two correlations between results of replays: with different face-down pieces, and with the same ones.

    x1 and y1 are the results of one pair of games, which have the same face-down pieces; x2 and y2 are those of the other pair. Each array has one entry per position."""
    mean, variance = np.mean([x1, y1, x2, y2]), np.var([x1, y1, x2, y2])
    x1, y1, x2, y2 = x1 - mean, y1 - mean, x2 - mean, y2 - mean
    return np.array([np.mean((x1 + y1) * (x2 + y2)) / 4, np.mean(x1 * y1 + x2 * y2) / 2]) / variance


def replays(games):
    """Replays games from several plies, and prints a table.

    It shows how much of the variance of the results is due to the visible position, to the face-down pieces and to differences of play."""
    rows = []
    for plies in (*PLIES, None):
        results = []
        for i, (turns, _) in enumerate(games):
            uncovered = [ply for ply, turn in enumerate(turns) if "=" in turn]
            after = uncovered[-1] + 1 if plies is None and len(uncovered) == len(BAG) else len(turns) if plies is None else plies
            if after < len(turns):
                fen = position(turns[:after])
                results.append((*pair(fen, 2 * i), *pair(fen, 2 * i + 1)))
        x1, y1, x2, y2 = columns = np.array(results).T
        row = ["nothing face down" if plies is None else plies, len(results)]
        row += [bootstrap(lambda *c: shares(*c)[0], *columns), bootstrap(lambda *c: shares(*c)[1] - shares(*c)[0], *columns), bootstrap(lambda *c: 1 - shares(*c)[1], *columns)]
        # Compare games with the same face-down pieces first, then games with different ones.
        for first, second in ((np.append(x1, x2), np.append(y1, y2)), (np.append(x1, y1), np.append(x2, y2))):
            row += [bootstrap(lambda p, q: np.mean(p != q), first, second), bootstrap(lambda p, q: np.mean(abs(p - q) == 1), first, second)]
        rows.append(row)
    table(["after ply", "games", "position", "face-down pieces", "play", "same pieces: result differs", "winner differs", "other pieces: result differs", "winner differs"], *rows)


def decompose(games):
    """Prints how much of the variance of the results is explained by each part of a game, such as the turns that uncover a piece."""
    scores = [np.array([int(turn.split("/")[1]) * (1 if ply % 2 == 0 else -1) for ply, turn in enumerate(turns)], float) for turns, _ in games]
    result = np.array([points for _, points in games])
    # Find the scale with which the scores predict the results best.
    every, wanted = np.concatenate(scores), np.repeat(result, [len(s) for s in scores])
    k = min(range(20, 1500, 10), key=lambda unit: np.mean((1 / (1 + np.exp(-np.clip(every / unit, -50, 50))) - wanted) ** 2))
    parts = {name: [] for name in ("first score", "turns that uncover", "moves and captures", "end of the game")}
    for (turns, points), score in zip(games, scores):
        expected = 1 / (1 + np.exp(-np.clip(score / k, -50, 50)))
        change, uncovers = np.diff(expected), np.array(["=" in turn for turn in turns[:-1]], bool)
        for name, value in zip(parts, (expected[0], change[uncovers].sum(), change[~uncovers].sum(), points - expected[-1])):
            parts[name].append(value)
    print(f"expected points = 1 / (1 + exp(-score / {k})); {len(games)} games, {np.mean(result == 0.5):.3f} drawn, first player {result.mean():.3f}, "
          f"uncovering turns of a game {np.mean([sum('=' in t for t in turns) for turns, _ in games]):.1f}")
    table(["part", "share of the variance of the result"], *([name, bootstrap(lambda a, b: np.cov(a, b)[0, 1] / np.var(b, ddof=1), value, result)] for name, value in parts.items()))
    luck = np.array(parts["turns that uncover"])
    print("correlation of the result with the sum over turns that uncover:", bootstrap(correlation, luck, result))
    print("games that the player with the better sum wins:", bootstrap(lambda a, b: np.mean((a > 0) == (b == 1)), *(column[result != 0.5] for column in (luck, result))))


if __name__ == "__main__":
    games = play("games", GAMES, 200, 31)
    decompose(games)
    deep = play("deep", DEEP, 2000, 32)
    decompose(deep)
    replays(games[:REPLAYED])

# SPDX-License-Identifier: GPL-3.0-or-later
"""E-087: supply chess: what are the pieces worth, do four chariots or cannons win, does exchanging help the partner?"""
import math
import os
import subprocess

from lab import PAOTAI, out, scale, table

GAMES, PAIRS = scale(1000, 20000), scale(6, 200)
SEATS, Z95 = ((0, "w"), (1, "w"), (0, "b"), (1, "b")), 1.96
EXCHANGED = ("2bakab2/9/9/p1p1p1p1p/9/9/P1P1P1P1P/9/9/2BAKAB2[] | rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
             "[RRNNCCrrnncc] 1r")


def paotai(*words):
    """Returns the key-value lines of a command."""
    print("$ paotai", *words, flush=True)
    done = subprocess.run([PAOTAI, *map(str, words), "--quiet"], stdout=subprocess.PIPE, text=True, check=True)
    return dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)


def fit(game, name, run, *words):
    paotai("tune", "--rows", f"{run}/rows.h5", "--lambda", 1, "--threads", 2, "--out", out(name), *words)
    with open(out(name), encoding="utf-8") as file:
        rows = [line.split("\t") for line in file if line[0] != "#"][1:]
    unit = next((float(value) for term, value, *_ in rows if term == "chariot"), 1)
    table(["term", "value", "chariot = 9"], *([term, f"{float(value):.1f} +- {Z95 * float(se):.1f}", f"{9 * float(value) / unit:.2f} +- {9 * Z95 * float(se) / abs(unit):.2f}"]
                                             for term, value, se, *_ in rows))
    return out(name)


def generations(game, material):
    """Plays games with hand-set values, games with weights fitted to them, and fits those.
    Returns the run and the weights."""
    paths, weights = os.environ.get("RUNS", "").split(), "classic"
    if not paths:
        for i, games in ((1, max(GAMES // 10, 500)), (2, GAMES)):
            paths.append(out(f"{game}-{i}"))
            resume = ["--resume"] if os.path.exists(paths[-1]) else []
            paotai("variant", "selfplay", game, "--games", games, "--nodes", 200, "--seed", i, "--threads", 2, "--opening-plies", 12,
                   "--weights", weights, "--out", paths[-1], *resume)
            weights = fit(game, f"{game}-{i}.tsv", paths[-1])
    else:
        weights = fit(game, f"{game}.tsv", paths[-1])
    fit(game, f"{game}-pieces.tsv", paths[-1], "--fit", material)
    return paths[-1], weights


def share(points):
    """Returns the mean of points with its 95 % error."""
    n = len(points)
    mean = sum(points) / n if n else math.nan
    return f"{mean:.3f} +- {Z95 * math.sqrt(sum((x - mean) ** 2 for x in points) / n / max(1, n - 1)) if n else math.nan:.3f} ({n})"


def games_of(run):
    """Yields (turns, points of team one, reason) of each game."""
    with open(f"{run}/games.txt", encoding="utf-8") as file:
        for line in file:
            if line[0] != "#":
                _, _, turns, result, reason = line.rstrip("\n").split("\t")
                yield [turn.split("/")[0] for turn in turns.split()], {"1-0": 1, "0-1": 0}.get(result, 0.5), reason


def replay(turns):
    """Yields (ply, seat, counts, captures) after each turn: pieces on a player's board, captures
    on each board."""
    boards = [{}, {}]
    for board in boards:
        for row, text in enumerate("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR".split("/")):
            points = "".join("." * int(c) if c.isdigit() else c for c in text)
            board.update({"abcdefghi"[i] + str(9 - row): c for i, c in enumerate(points) if c != "."})
    captures = [0, 0]
    for ply, turn in enumerate(turns):
        b, colour = SEATS[ply % 4]
        if turn[1] == "@":
            boards[b][turn[2:]] = turn[0] if colour == "w" else turn[0].lower()
        else:
            captures[b] += boards[b].get(turn[2:], "p") not in "pPaAbB"
            boards[b][turn[2:]] = boards[b].pop(turn[:2])
        yield ply, b, colour, boards[b], captures


def claims(run):
    many = {(kind, count): [] for kind in "RC" for count in (3, 4)}
    elsewhere, first = [], []
    for turns, points, reason in games_of(run):
        seen, exchanged = set(), None
        first.append(points)
        for ply, b, colour, board, captures in replay(turns):
            mine = points if (b == 0) == (colour == "w") else 1 - points
            for kind, count in many:
                letter = kind if colour == "w" else kind.lower()
                if (kind, count) not in seen and sum(piece == letter for piece in board.values()) >= count:
                    seen.add((kind, count))
                    many[kind, count].append(mine)
            if exchanged is None and max(captures) >= 8:
                exchanged = captures.index(max(captures)) if min(captures) <= 4 else -1
        if exchanged in (0, 1) and reason in ("checkmate", "no_turn"):
            elsewhere.append(len(turns) % 4 % 2 != exchanged)
    names = {"R": "chariots", "C": "cannons"}
    table(["first to have on his board", "share of the points of his team"], *([f"{count} {names[kind]}", share(many[kind, count])] for kind, count in many))
    print("team one, who has the first turn:", share(first))
    print("of the games in which 8 chariots, horses, cannons were captured on one board while at most 4 were on the other, share that ended on "
          "the other:", share(elsewhere))


if __name__ == "__main__":
    run, weights = generations("supply", "advisor,elephant,horse,chariot,cannon,soldier*,hand_*")
    claims(run)
    for start in ((), ("--fen", EXCHANGED)):
        said = paotai("variant", "match", "supply", "--a", f"weights={weights},nodes=200", "--b", f"weights={weights},nodes=220", "--pairs", PAIRS, "--threads", 2, *start)
        print({key: said[key] for key in ("first_share", "start_correlation", "plies_mean", "draws")})
    print(paotai("variant", "match", "supply", "--a", f"weights={weights}", "--b", "weights=classic", "--nodes", 200, "--threads", 2, "--sprt", "0,10")["verdict"])

# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-087: supply chess: what are the pieces worth, do four chariots or cannons win, does exchanging help the partner?"""
import math
import os
import re
import subprocess

from lab import PAOTAI, ROOT, out, scale, table

GAMES, PAIRS = scale(1000, 20000), scale(6, 200)
SEATS, Z95 = ((0, "w"), (1, "w"), (0, "b"), (1, "b")), 1.96
EXCHANGED = ("2bakab2/9/9/p1p1p1p1p/9/9/P1P1P1P1P/9/9/2BAKAB2[] | rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
             "[RRNNCCrrnncc] 1r")


def paotai(*words):
    """Runs a command. Returns its lines `key value` as a dictionary."""
    print("$ paotai", *words, flush=True)
    done = subprocess.run([PAOTAI, *map(str, words), "--quiet"], stdout=subprocess.PIPE, text=True, check=True)
    return dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)


def fit(game, name, run, *words):
    """Fits weights to the rows of a run and prints the weights. Returns the path of the file of weights."""
    paotai("tune", "--rows", f"{run}/rows.h5", "--lambda", 1, "--threads", 2, "--out", out(name), *words)
    with open(out(name), encoding="utf-8") as file:
        rows = [line.split("\t") for line in file if line[0] != "#"][1:]
    unit = next((float(value) for term, value, *_ in rows if term == "chariot"), 1)
    table(["term", "value", "chariot = 9"], *([term, f"{float(value):.1f} +- {Z95 * float(se):.1f}", f"{9 * float(value) / unit:.2f} +- {9 * Z95 * float(se) / abs(unit):.2f}"]
                                             for term, value, se, *_ in rows))
    return out(name)


def picture(paths):
    """Writes a page, in the style of the reports, with the piece values of several games (a chariot is 9). `paths` maps names of games to weight files."""
    games = {}
    for game, path in paths.items():
        with open(path, encoding="utf-8") as file:
            rows = [line.split("\t") for line in file if line[0] != "#" and not line.startswith("term")]
        values = {term: (float(value), Z95 * float(se)) for term, value, se, *_ in rows if float(value) and not re.match("given|mobility|turn|palace|attack|unbeaten", term)}
        games[game] = {term: (9 * value / values["chariot"][0], 9 * error / values["chariot"][0]) for term, (value, error) in values.items()}
    terms = list(dict.fromkeys(term for values in games.values() for term in values))
    ends = [value + sign * error for values in games.values() for value, error in values.values() for sign in (-1, 1)]
    low, high, left, right, top = math.floor(min(ends)), math.ceil(max(ends)), 150, 740, 40
    bottom = top + 31 * len(terms)

    def at(value):
        return left + (right - left) * (value - low) / (high - low)

    svg = [f"<text x='{left - 8}' y='{top + 31 * i + 20}' text-anchor='end' class='tick'>{term}</text>" for i, term in enumerate(terms)]
    for x in range(low, high + 1, 2):
        svg.append(f"<line class='grid' x1='{at(x):.1f}' y1='{top}' x2='{at(x):.1f}' y2='{bottom}'/><text x='{at(x):.1f}' y='{bottom + 17}' text-anchor='middle' class='tick'>{x}</text>")
    for i, (game, values) in enumerate(games.items(), 1):
        svg.append(f"<circle class='dot-{i}' cx='{left + 150 * (i - 1)}' cy='20' r='4'/><text class='label' x='{left + 150 * (i - 1) + 10}' y='24'>{game}</text>")
        for term, (value, error) in values.items():
            y = top + 31 * (terms.index(term) + i / (len(games) + 1))
            svg.append(f"<g><title>{game}, {term}: {value:.2f} ± {error:.2f} (95 %)</title><line class='bar series-{i}' x1='{at(value - error):.1f}' x2='{at(value + error):.1f}' "
                       f"y1='{y:.1f}' y2='{y:.1f}'/><circle class='dot-{i}' cx='{at(value):.1f}' cy='{y:.1f}' r='4'/></g>")
    svg.append(f"<text class='label' x='{(left + right) / 2}' y='{bottom + 38}' text-anchor='middle'>value, the chariot being 9</text>")
    with open(os.path.join(ROOT, "core/command/page.css"), encoding="utf-8") as file:
        style = file.read()
    with open(out("values.html"), "w", encoding="utf-8") as file:
        file.write(f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'/><title>Values of the pieces in other games</title><style>{style}</style></head>\n"
                   f"<body><main><h1>Values of the pieces in other games</h1><p>A chariot on the board is 9 in each game. Bars are 95 % intervals.</p>\n"
                   f"<svg class='chart' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 760 {bottom + 50}' role='img'>\n" + "\n".join(svg) + "\n</svg></main></body></html>\n")
    print("picture:", out("values.html"))


def generations(game, material):
    """Plays a first run with hand-set weights and fits weights to it; then plays a second run with the fitted weights and fits weights to that.

    If the environment variable RUNS is set, plays nothing and only fits weights to the last run in RUNS. Returns the last run and the last weights."""
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
    """Yields after each turn: its ply, the player's board (0 or 1) and colour, the pieces on this board by point, and `captures`.

    captures[b] is the number of chariots, horses and cannons that were captured on board b."""
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
    """Prints two tests of common claims about supply chess, a game of two teams of two players on two boards.

    First: the score of a team if one of its players has three or four chariots or cannons on the board. Second: after many exchanges on one board only, how often
    the game ended on the other board."""
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
    table(["first player with these on the board", "share of points of the player's team"], *([f"{count} {names[kind]}", share(many[kind, count])] for kind, count in many))
    print("team one, who has the first turn:", share(first))
    print("if 8 chariots, horses and cannons were captured on one board and at most 4 on the other, share of the games that ended on the other:", share(elsewhere))


if __name__ == "__main__":
    run, weights = generations("supply", "advisor,elephant,horse,chariot,cannon,soldier*,hand_*")
    claims(run)
    for name, start in (("usual", ()), ("exchanged", ("--fen", EXCHANGED))):
        resume = ["--resume"] if os.path.exists(out(name)) else []
        paotai("variant", "selfplay", "supply", "--games", 3 * PAIRS, "--nodes", 200, "--seed", 8, "--out", out(name), *start, *resume)
        games = [(len(turns), points) for turns, points, reason in games_of(out(name)) if reason in ("checkmate", "no_turn")]
        print(f"{name} start: points of team one", share([points for _, points in games]), "turns", share([float(plies) for plies, _ in games]),
              "ended on board 2", share([float(plies % 2) for plies, _ in games]))
    print(paotai("variant", "match", "supply", "--a", f"weights={weights}", "--b", "weights=classic", "--nodes", 200, "--threads", 2, "--sprt", "0,10")["verdict"])

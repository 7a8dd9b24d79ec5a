# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared code of the experiments: calls of the program, runs from fixed seeds, regressions of terms
that an experiment defines, tables and charts.

All files are written below build/experiments, or below the directory OUT=DIR. With FULL=1, an
experiment plays as many games as its entry in experiments.md says. RUNS="DIR..." names runs to
which E-030 to E-033, E-087 and E-088 fit values, instead of new self-play. GAMES is the file of
games between humans.
"""
import glob
import json
import math
import os
import subprocess
import sys

import h5py
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "datasets"))
import paotai as store  # noqa: E402  (datasets/paotai.py)

PAOTAI = os.environ.get("PAOTAI") or os.path.join(ROOT, "build/paotai")
FULL = os.environ.get("FULL", "") not in ("", "0")
GAMES = os.environ.get("GAMES") or os.path.join(ROOT, "../shared/data/games/ccpd_sample.tsv")
NAME = os.path.basename(sys.argv[0]).removesuffix(".py")
OUT = os.path.join(os.environ.get("OUT") or os.path.join(ROOT, "build/experiments"), NAME)
os.makedirs(OUT, exist_ok=True)
KINDS = ["chariot", "cannon", "horse", "elephant", "advisor", "soldier", "crossed soldier"]
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
PIECE = dict(general=1, advisor=2, elephant=3, horse=4, chariot=5, cannon=6, soldier=7)


# ---- the program --------------------------------------------------------------------------------

def out(name):
    return os.path.join(OUT, name)


def scale(small, full):
    return full if FULL else small


def paotai(*words, show=True):
    """Runs a command with --json, prints it, and returns its records as dictionaries."""
    words = [str(word) for word in words]
    if show:
        print("$ paotai", *(os.path.relpath(w) if os.path.isabs(w) else w for w in words), flush=True)
    done = subprocess.run([PAOTAI, *words, "--json", "--quiet"], stdout=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit(f"paotai {words[0]}: exit status {done.returncode}")
    return [json.loads(line) for line in done.stdout.decode().splitlines() if line.startswith("{")]


def play(name, games, nodes, seed, *words):
    """Returns a run of self-play. First plays the games that the run does not have yet."""
    resume = ["--resume"] if glob.glob(out(name) + "/shard-*.h5") else []
    if resume and paotai("data", "info", out(name), show=False)[0].get("unplayed_games") == 0:
        return out(name)
    paotai("selfplay", "--games", games, "--nodes", nodes, "--seed", seed, *words, *resume, "--out", out(name))
    return out(name)


# Options of `selfplay` for games to which values are fitted (regression): openings may favour one
# side, and a game ends as a win when both sides' scores agree on it (adjudication).
UNEVEN = "--opening-plies 8 --opening-window 400 --resign-score 1000".split()
# Options of `selfplay` for games that all start from the start position and differ by random moves
# among the best (noise). Experiments on openings, handicaps and rules use them.
VARIED = "--opening-plies 0 --noise-plies 12".split()
RESIGN = "--resign-score 1500".split()


def runs(name, games, nodes, seed):
    """Returns the runs listed in the environment variable RUNS, or else a self-play run with the options UNEVEN."""
    return os.environ["RUNS"].split() if os.environ.get("RUNS") else [play(name, games, nodes, seed, *UNEVEN)]


def human():
    """Returns the games between humans as a run, or None if their file does not exist."""
    if not os.path.exists(GAMES):
        print(f"no human games: {GAMES} does not exist (GAMES=FILE names another file)")
        return None
    if not glob.glob(out("human") + "/shard-*.h5"):
        paotai("data", "import", "--format", "moves", GAMES, "--out", out("human"))
    return out("human")


# ---- results ------------------------------------------------------------------------------------

def elo(score):
    return -400 * math.log10(1 / min(max(score, 1e-4), 1 - 1e-4) - 1)


def elo_of(wins, draws, losses):
    """Returns Elo and its 95 % error from independent games."""
    n = wins + draws + losses
    mean = (wins + draws / 2) / n
    deviation = math.sqrt(max((wins + draws / 4) / n - mean * mean, 1e-4 / n) / n)
    return elo(mean), (elo(mean + 1.96 * deviation) - elo(mean - 1.96 * deviation)) / 2


def share(count, n):
    """Returns a share in per cent and half the width of its 95 % interval."""
    p = count / n
    return f"{100 * p:.1f} +- {196 * math.sqrt(max(p * (1 - p), 0.25 / n) / n):.1f} %"


def results(run):
    """Returns the numbers of Red's wins, draws and Black's wins of a run."""
    info = paotai("data", "info", run, show=False)[0]
    return info["red_wins"], info["draws"], info["black_wins"]


def match(a, b, pairs, nodes, seed, *words):
    """Returns the record of a match of A against B."""
    records = paotai("match", "--a", a, "--b", b, "--pairs", pairs, "--nodes", nodes, "--seed", seed,
                     *RESIGN, *words)
    return {key: value for record in records for key, value in record.items()}


def elo_text(record):
    return f"{record['elo']:.0f} +- {record['elo_error95']:.0f}"


def table(head, *rows):
    """Prints rows in columns; the first column is aligned to the left."""
    rows = [[str(cell) for cell in row] for row in [head, *rows]]
    width = [max(len(row[i]) for row in rows if i < len(row)) for i in range(len(head))]
    for row in rows:
        print("  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, width))).rstrip())


# ---- positions, and least squares over them -----------------------------------------------------

class Positions:
    """Holds the sampled positions of runs: boards from Red's side, results and game numbers.

    Games without a result are left out.

    `every` = n takes only every n-th position: positions of one game are similar, so a few of each game are enough."""

    def __init__(self, paths, every=1):
        boards, result, game, first = [], [], [], 0
        for path in paths:
            run = store.Run(path)
            known = np.flatnonzero(run.positions["result"][::every] <= 1) * every
            boards.append(store.boards_of(run.positions["squares"][known]))
            result.append((run.positions["result"][known].astype(np.float32) + 1) / 2)
            game.append(first + run.positions["game"][known].astype(np.int64))
            first += int(run.positions["game"].max()) + 1
        self.board, self.result, self.game = np.concatenate(boards), np.concatenate(result), np.concatenate(game)
        self.pieces = np.count_nonzero(self.board, axis=(1, 2))
        self.phase = self.both("chariot") * 6 + self.both("horse") * 3 + self.both("cannon") * 3

    def of(self, kind, side):
        """Returns booleans [n, 10, 9], true on the points where the side has a piece of this kind.

        Ranks are counted from the side's own first rank."""
        piece = PIECE[kind.replace("crossed ", "")] + 8 * side
        there = (self.board if side == 0 else self.board[:, ::-1]) == piece
        if "soldier" in kind:
            there = there.copy()
            there[:, slice(None, 5) if kind.startswith("crossed") else slice(5, None)] = False
        return there

    def number(self, kind, side):
        return np.count_nonzero(self.of(kind, side), axis=(1, 2))

    def both(self, kind):
        return self.number(kind, 0) + self.number(kind, 1)

    def balance(self, kind):
        return self.number(kind, 0) - self.number(kind, 1)

    def standing(self, kind, where):
        """Returns how many more pieces of a kind Red has than Black on the points of a mask.

        `where` is a mask of 10 ranks and 9 files. For each side, rank 0 of the mask is its own first rank."""
        return sum((self.of(kind, side) & where).sum(axis=(1, 2)) * (1 - 2 * side) for side in (0, 1))


def regress(name, positions, terms, phases=False, offset=None):
    """Fits the values of terms to the results of n positions with `tune --rows`.

    `terms` is {name: coefficients [n]}. Returns {name: (value, error95)} or, if `phases` is set,
    {name: ((middlegame, error), (endgame, error))}. Values are log-odds. The errors take into account that positions of one game are dependent."""
    names = list(terms)
    columns = np.stack([np.asarray(terms[key], dtype=np.float32) for key in names], axis=1)
    row, term = columns.nonzero()
    path = out(name + ".h5")
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["schema_version"], file.attrs["phase_max"] = "paotai sparse rows", 1, 48
        file["names"] = names
        file["index"], file["coefficient"] = term.astype(np.uint16), columns[row, term]
        file["indptr"] = np.append(0, np.cumsum((columns != 0).sum(axis=1))).astype(np.uint64)
        file["result"], file["game"] = positions.result, positions.game
        if phases:
            file["phase"] = positions.phase.astype(np.float32)
        if offset is not None:
            file["offset"] = np.asarray(offset, dtype=np.float32)
    got = {}
    for record in paotai("tune", "--rows", path, "--lambda", 1, "--k", 1, "--prior-sd", 100, "--valid-fraction", 0):
        value = [(record[key], record[key + "_error95"]) for key in ("value", "middlegame", "endgame") if key in record]
        if "term" in record and value:
            got[record["term"]] = value if phases else value[0]
    os.remove(path)
    return got


def by(value, unit, points=9):
    """Returns a value and its error, both multiplied by points / unit.

    `value` and `unit` are pairs (value, error); their errors are assumed to be independent. Returns nan if `unit` is 0."""
    if unit[0] == 0:
        return math.nan, math.nan
    ratio = points / unit[0]
    return value[0] * ratio, math.hypot(value[1] * ratio, value[0] * ratio * unit[1] / unit[0])


def text(value, digits=2):
    return f"{value[0]:.{digits}f} +- {value[1]:.{digits}f}"


# ---- pictures -----------------------------------------------------------------------------------

INK = ["#c0392b", "#1f5f99", "#3b7d3b", "#8a5a00", "#6b4c9a"]


def chart(name, title, x_label, y_label, series, width=640, height=360):
    """Writes a chart of curves with error bars as an SVG file.

    `series` is a list of curves (label, [(x, y, error)]). A point with error 0 has no error bar."""
    points = [point for _, line in series for point in line]
    x0, x1 = min(p[0] for p in points), max(p[0] for p in points)
    y0, y1 = min(0, min(p[1] - p[2] for p in points)), max(p[1] + p[2] for p in points)
    step = 10 ** math.floor(math.log10((y1 - y0) / 4 or 1))
    step *= next(m for m in (1, 2, 5, 10) if (y1 - y0) / (step * m) <= 8)
    y0, y1 = math.floor(y0 / step) * step, math.ceil(y1 / step) * step
    left, right, top, bottom = 56, width - 16, 40, height - 44

    def at(x, y):
        return left + (x - x0) / (x1 - x0 or 1) * (right - left), bottom - (y - y0) / (y1 - y0) * (bottom - top)

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="#fff"/><text x="{left}" y="18" font-size="14">{title}</text>']
    for i in range(round((y1 - y0) / step) + 1):
        y = at(x0, y0 + i * step)[1]
        svg.append(f'<path d="M{left} {y:.1f}H{right}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{y0 + i * step:g}</text>')
    for x in sorted({p[0] for p in points}):
        svg.append(f'<text x="{at(x, y0)[0]:.1f}" y="{bottom + 16}" text-anchor="middle">{x:g}</text>')
    svg.append(f'<text x="{(left + right) / 2}" y="{height - 8}" text-anchor="middle">{x_label}</text>'
               f'<text transform="translate(14 {(top + bottom) / 2}) rotate(-90)" text-anchor="middle">{y_label}</text>')
    for i, (label, line) in enumerate(series):
        ink, shift = INK[i % len(INK)], 3 * (i - (len(series) - 1) / 2)
        spots = [(at(x, y)[0] + shift, at(x, y)[1], at(x, y - e)[1], at(x, y + e)[1]) for x, y, e in line]
        svg.append(f'<path d="M{" ".join(f"{x:.1f} {y:.1f}" for x, y, _, _ in spots)}" fill="none" stroke="{ink}" stroke-width="1.5"/>')
        svg += [f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="{ink}"/><circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{ink}"/>'
                for x, y, low, high in spots]
        svg.append(f'<text x="{right - 4}" y="{top + 4 + 15 * i}" text-anchor="end" fill="{ink}">{label}</text>')
    with open(out(name + ".svg"), "w", encoding="utf-8") as file:
        file.write("\n".join(svg) + "\n</svg>\n")
    print("picture:", os.path.relpath(out(name + ".svg")))

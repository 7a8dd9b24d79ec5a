# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-037: what does a fit gain by more games (the learning curve), more nodes, lambda, adjudication and the choice of positions?"""
import shutil

from lab import chart, elo_text, match, out, paotai, play, scale, table

NODES, PAIRS, EDGES = 250, scale(10, 75), scale([0, 50, 100], [0, 125, 250, 500, 1000])
START = "--weights", "classic"


def games(name, span, nodes, seed, *words):
    return play(name, span, nodes, seed, *START, *words)


def fit(name, runs, *words):
    """Fits weights to runs, starting from the classic values."""
    path = out(name + ".txt")
    records = paotai("tune", *runs, *START, "--out", path, *words)
    return path, next(record["positions"] for record in records if "positions" in record)


def derived(verb, run, *words):
    path = f"{run}-{verb}"
    shutil.rmtree(path, ignore_errors=True)
    paotai("data", verb, run, *words, "--out", path)
    return path


# Plays a match of the weights of each fit against those of the base fit, which uses all games and the standard settings.
parts = [games(f"games-{a}-{b}", f"{a}:{b}", NODES, 370) for a, b in zip(EDGES, EDGES[1:])]
base, _ = fit("all", parts)
rows, curve = [], []


def against(title, weights, positions="", count=""):
    record = match(f"weights={weights}", f"weights={base}", PAIRS, NODES, 371)
    rows.append([title, count, positions, "{wins}-{draws}-{losses}".format(**record), elo_text(record)])
    print(rows[-1], flush=True)
    return record


against("classic values", "classic")
for i, count in enumerate(EDGES[1:-1], 1):
    record = against(f"{count} games", *fit(f"games-{count}", parts[:i]), count)
    curve.append((i, record["elo"], record["elo_error95"]))
curve.append((len(EDGES) - 1, 0, 0))

half, count = parts[:-1], EDGES[-2]  # half of the games, for the following comparisons
for share in (1, 0, 0.5):
    against(f"lambda {share}, not 0.2", *fit(f"lambda-{share}", half, "--lambda", share), count)
against("within 50 units of the search", *fit("gap", [derived("filter", run, "--max-gap", 50, "--weights", "classic") for run in half]), count)
against("all positions but checks", *fit("filter", [derived("filter", run, "--from", "plies", "--no-check") for run in half]), count)
against("without copies of positions", *fit("dedup", [derived("dedup", run, "--mirrored") for run in half]), count)
few = EDGES[-1] // 4  # number of new games for each of the following fits
for nodes in (60, 1000):
    against(f"{nodes} nodes, not {NODES}", *fit(f"nodes-{nodes}", [games(f"nodes-{nodes}", f"0:{few}", nodes, 370)]), few)
for units in (600, 1500):
    run = games(f"resign-{units}", f"0:{few}", NODES, 370, "--resign-score", units)
    against(f"adjudicated at {units} units", *fit(f"resign-{units}", [run]), few)
print()
table([f"against the fit to {EDGES[-1]} games", "games", "positions", "won-drawn-lost", "Elo"], *rows)
chart("curve", "Elo by games, against the fit to all of them", "  ".join(f"{i}: {n}" for i, n in enumerate(EDGES) if i),
      "Elo", [("95 % bars", curve)])

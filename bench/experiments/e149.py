# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-149: the whole verdict of `paotai term` (fit, significance and match), RUNS times, each with other games.

Each run plays new games with the default weights and calls `term` with its default match for a group of the default that the
start weights lack (GROUP), and for a worthless term: a bit of the hash key (E-147 builds the program that has it). NODES limits
all searches. The match of the worthless term is played in one of NOISE runs; the others only show whether its value is
significant. JOBS runs are made at a time.
"""
import concurrent.futures
import glob
import os
import shutil

import e147
import lab
from lab import out, paotai, play, scale, table

GROUP, NODES = os.environ.get("GROUP", "safe_check"), int(os.environ.get("NODES", "20"))
RUNS, GAMES, JOBS = int(os.environ.get("RUNS", scale(2, 100))), scale(200, 2000), int(os.environ.get("JOBS", "2"))
NOISE = int(os.environ.get("NOISE", 1))


def verdict(term, weights, games, seed, pairs):
    found = {}
    for record in paotai("term", term, games, "--weights", weights, "--rev", "none", "--nodes", NODES, "--seed", seed, "--threads", 1,
                         "--match-pairs", pairs, "--out", out(f"{term}-{seed}"), show=False):
        found |= record
    return found


def one(seed):
    """Returns for both terms: significant or not, result of the match, verdict, pairs of the match by their score."""
    games, lines = play(f"games-{seed}", GAMES, NODES, seed, "--threads", 1), []
    for term, weights, pairs in ((GROUP, WITHOUT, 80000), ("new_noise", "default", 1 if seed % NOISE else 80000)):
        found = verdict(term, weights, games, seed, pairs)
        match = "no match" if pairs == 1 or not found.get("match_games") else found["decision"]
        word = "no match" if pairs == 1 else found["verdict"]
        lines.append([term, found.get("significant", "-"), match, word, found.get("pentanomial", [0] * 5) if pairs > 1 else [0] * 5])
        print(seed, *lines[-1], flush=True)
    for path in [games, *glob.glob(out(f"*-{seed}"))]:
        shutil.rmtree(path, ignore_errors=True)
    return lines


e147.build()
lab.PAOTAI = f"{e147.TREE}/build/release/paotai"
WITHOUT = e147.without(GROUP)
with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
    results = [line for lines in pool.map(one, range(1, RUNS + 1)) for line in lines]
kinds = sorted({tuple(line[:4]) for line in results})
table(["term", "significant", "match", "verdict", "runs"], *([*kind, sum(tuple(line[:4]) == kind for line in results)] for kind in kinds))
for term in (GROUP, "new_noise"):
    # The sum over stopped matches has the right mean by Wald's identity: games are counted, not matches.
    pooled = [sum(counts) for counts in zip(*(line[4] for line in results if line[0] == term))]
    if sum(pooled):
        found = paotai("sprt", "--elo0", 0, "--elo1", 5, "--counts", ",".join(map(str, pooled)))[0]
        print(f"all matches of {term}: {2 * sum(pooled)} games, {found['elo']:.1f} +- {found['elo_error95']:.1f} Elo")

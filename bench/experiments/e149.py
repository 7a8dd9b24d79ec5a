# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-149: the whole verdict of `paotai term` (fit, significance and match), RUNS times, each with other games.

Each run plays new games with the default weights and calls `term` with its default match for a group of the default that the
start weights lack (GROUP), and for a worthless term: a bit of the hash key (E-147 builds the program that has it). A worthless
term can only be kept if its value is significant, so its match is played only then. NODES limits all searches. The matches of
the group are played in the first MATCHES runs; the others only show whether its value is significant.
"""
import glob
import os
import shutil

import e147
import lab
from lab import out, paotai, play, scale, table

GROUP, NODES = os.environ.get("GROUP", "protected"), int(os.environ.get("NODES", "20"))
RUNS, GAMES = int(os.environ.get("RUNS", scale(2, 100))), scale(200, 2000)
MATCHES = int(os.environ.get("MATCHES", RUNS))


def verdict(term, weights, games, seed, pairs):
    found = {}
    for record in paotai("term", term, games, "--weights", weights, "--rev", "none", "--nodes", NODES, "--seed", seed, "--threads", 1,
                         "--match-pairs", pairs, "--out", out(f"{term}-{seed}"), show=False):
        found |= record
    return found


e147.build()
counts, pooled = {}, [0] * 5
lab.PAOTAI = f"{e147.TREE}/build/release/paotai"
for seed in range(1, RUNS + 1):
    games = play(f"games-{seed}", GAMES, NODES, seed, "--threads", 1)
    worthless = verdict("new_noise", "default", games, seed, 1)
    if worthless.get("significant") == "yes":
        worthless = verdict("new_noise", "default", games, seed, 80000)
    word = "not significant" if worthless.get("significant") == "no" else worthless["verdict"]
    counts["new_noise", word] = counts.get(("new_noise", word), 0) + 1
    real = verdict(GROUP, e147.without(GROUP), games, seed, 80000 if seed <= MATCHES else 1)
    word = ("" if real["significant"] == "yes" else "not ") + "significant" + (", " + real["verdict"] if seed <= MATCHES else "")
    counts[GROUP, word] = counts.get((GROUP, word), 0) + 1
    pooled = [a + b for a, b in zip(pooled, real["pentanomial"])]
    print(seed, "new_noise", worthless.get("significant"), worthless["verdict"], "|", GROUP, real.get("significant"), real.get("verdict"), real.get("match_games"), pooled, flush=True)
    for path in [games, *glob.glob(out("*-%d" % seed))]:
        shutil.rmtree(path, ignore_errors=True)
table(["term", "verdict", "of " + str(RUNS)], *([*key, number] for key, number in sorted(counts.items())))
if sum(pooled):
    # The sum over stopped matches has the right mean by Wald's identity: games are counted, not matches.
    found = paotai("sprt", "--elo0", 0, "--elo1", 5, "--counts", ",".join(map(str, pooled)))[0]
    print(f"all matches of {GROUP}: {2 * sum(pooled)} games, {found['elo']:.1f} +- {found['elo_error95']:.1f} Elo")

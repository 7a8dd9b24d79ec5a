# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-039: how fast are perft, search, self-play, store and match, also in comparison with installed programs? Needs an idle machine."""
import os
import subprocess

from lab import PAOTAI, ROOT, out, paotai, play, scale


def script(name, *words):
    print(f"\n$ bench/{name}", *words, flush=True)
    subprocess.run([os.path.join(ROOT, "bench", name), *map(str, words)], check=True, env={**os.environ, "PAOTAI": PAOTAI})


# bench/compare measures perft and searches in processor time. The programs run alternately.
script("compare", "--runs", scale(1, 5), "--movetime", 0, *([] if scale(False, True) else ["--max-nodes", 30000000]))
script("compare", "--runs", scale(1, 5), "--max-nodes", 0, "--movetime", scale(20, 200))
# bench/measure harness: the time per ply that a match spends outside its engines. bench/measure selfplay: plies per
# second, share of time spent in search, and speed-up by threads. bench/measure store: size and speed of the files of games.
script("measure", "harness", "--pairs", scale(5, 100))
script("measure", "selfplay", "--games", scale(10, 400), "--rounds", scale(1, 3))
run = play("games", scale(20, 2000), 250, 390)
script("measure", "store", run)
print("perft of the start:", paotai("perft", scale(4, 6), show=False)[-1])

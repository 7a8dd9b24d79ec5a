# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-147: what `paotai term` with its default SPRT says about five artificial terms and about pinned*.

In a copy of the source tree, terms are added that never occur, that are the sum of two terms, noise, or the near copy of a term.
A useful term is `hanging`, which the start weights then lack. Each match is repeated with another seed and without a test (the
direct match). Without FULL=1 the games and matches are short, and the words mean little.
"""
import os
import re
import resource
import shutil
import subprocess

import lab
from lab import ROOT, out, paotai, play, scale, table

TREE, SEED, NODES = out("tree"), 147, int(os.environ.get("NODES", "200"))


def edit(path, before, after):
    with open(f"{TREE}/{path}", encoding="utf-8") as file:
        text = file.read()
    assert text.count(before) == 1, (path, before)
    with open(f"{TREE}/{path}", "w", encoding="utf-8") as file:
        file.write(text.replace(before, after))


def build():
    """Makes a copy of the source tree with the new terms, and compiles it, unless it exists."""
    lab.PAOTAI = f"{TREE}/build/release/paotai"
    if os.path.exists(lab.PAOTAI):
        return
    files = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    for name in files:
        if re.match("core|datasets|selfplay|tuner|bench/(?!experiments)|Makefile|paotai.c|tests/deps.sh", name):
            os.makedirs(os.path.dirname(f"{TREE}/{name}"), exist_ok=True)
            shutil.copy2(f"{ROOT}/{name}", f"{TREE}/{name}")
    edit("core/eval/weights.def", "WEIGHT(turn, 1,", """WEIGHT(new_never, 1, THREATS, FREE, NONE, 0, "a soldier on the first rank of its side")
WEIGHT(new_copy, 1, THREATS, FREE, NONE, 0, "the sum of the terms soldiers_linked and turn")
WEIGHT(new_noise, 1, THREATS, FREE, NONE, 0, "a bit of the hash key")
WEIGHT(new_near, 1, THREATS, FREE, NONE, 0, "two for a cannon that is protected, and one more by chance")
WEIGHT(turn, 1,""")
    edit("core/eval/eval.c", "    for (int type = GENERAL; type <= SOLDIER; type++) attacks->all[side] |= by[type];\n",
         """    for (int type = GENERAL; type <= SOLDIER; type++) attacks->all[side] |= by[type];
    const Bitboard first_rank = (Bitboard)0x1FF << (side == RED ? 0 : 81);
    add_times(adder, side, WEIGHT_INDEX(new_never), bb_count(position_pieces(position, side, SOLDIER) & first_rank));
    add_times(adder, side, WEIGHT_INDEX(new_copy), (position->stm == side) +
              bb_count(position_pieces(position, side, SOLDIER) & by[SOLDIER]));
    add_times(adder, side, WEIGHT_INDEX(new_noise), (int)(position->key >> (side == RED ? 20 : 40) & 1));
""")
    edit("core/eval/eval_threats.h", "    Bitboard pressed = kept", """    add_times(adder, side, WEIGHT_INDEX(new_near), 2 * bb_count(kept & position->by_type[CANNON]) +
              (((uint64_t)kept * UINT64_C(0x9E3779B97F4A7C15)) >> 62 == 0));
    Bitboard pressed = kept""")
    subprocess.run(["make", "-s", "-C", TREE, "build/release/paotai"], check=True)


def without(term):
    """Writes the default weights without a term, and returns the path."""
    subprocess.run([lab.PAOTAI, "weights", "convert", "default", "--out", out("default.txt")], stdout=subprocess.DEVNULL, check=True)
    with open(out("default.txt"), encoding="utf-8") as file:
        text = file.read()
    with open(out(f"no_{term}.txt"), "w", encoding="utf-8") as file:
        file.write(re.sub(rf"(?m)^(?:# se_data |# se |# decided )?{term} .*\n", "", text))
    return out(f"no_{term}.txt")


def seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    build()
    lines = []
    games = {"default": play("games", scale(300, 2000), NODES, SEED, "--threads", 1)}
    games[without("hanging")] = play("games_no_hanging", scale(300, 2000), NODES, SEED, "--threads", 1, "--weights", without("hanging"))
    for term, weights in (("new_never", "default"), ("new_copy", "default"), ("hanging", without("hanging")), ("pinned*", "default"), ("new_near", "default"),
                          ("new_noise", "default")):
        before = seconds()
        found = {}
        for record in paotai("term", term, games[weights], "--weights", weights, "--rev", "none", "--nodes", NODES, "--seed", SEED, "--threads", 1, "--out", out("term"),
                             "--match-pairs", scale(100, 80000)):
            found |= record
        price, folder = seconds() - before, out("term/" + term.replace("*", "-"))
        direct = {}
        if found.get("match_games", 0):
            for record in paotai("match", "--a", f"weights={folder}/with.txt", "--b", f"weights={folder}/without.txt", "--nodes", NODES, "--pairs", scale(50, 2000),
                                 "--seed", SEED + 1, "--threads", 1):
                direct |= record
        elo = found.get("elo_median", found.get("elo", "-"))
        lines.append([term, found["verdict"], found.get("match_games", 0), f"{price:.0f}", elo, found.get("r2", "-"),
                      f"{direct['elo']:.1f} +- {direct['elo_error95']:.1f}" if direct else "-"])
        print(f"{term}: {found['sentence']}", flush=True)
    table(["term", "verdict", "games", "seconds", "Elo", "R2", "direct match"], *lines)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiment E-083: do weights and piece values, fitted to independent sets of games, scatter as much as their errors say?

Environment: PAOTAI is the program, OUT the directory for runs and fits, SETS the number of sets. Existing games are reused.
"""
import csv
import json
import math
import os
import subprocess

PAOTAI = os.environ.get("PAOTAI", "build/paotai")
OUT = os.environ.get("OUT", "build/e083")
SETS = int(os.environ.get("SETS", "68"))
KINDS = ("cannon", "horse", "elephant", "advisor", "soldier", "crossed soldier")
STAGES = ("opening", "middlegame", "endgame", "all")


def fit(number):
    """Plays one set of games and fits weights to it.

    Returns a dictionary {name: (value, standard error)} of weights and piece values."""
    run, table = f"{OUT}/{number:02}", f"{OUT}/{number:02}.tsv"
    subprocess.run([PAOTAI, "selfplay", "--games", "256", "--nodes", "200", "--seed", str(8300 + number), "--quiet", "--resume",
                    "--out", run], check=True, stdout=subprocess.DEVNULL)
    said = subprocess.run([PAOTAI, "tune", run, "--weights", "default", "--prior-errors", "0", "--quiet", "--json", "--errors", table],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    with open(table, encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    found = {f"{row['term']}[{row['entry']}].{row['phase']}": (float(row["value"]), float(row["se"]))
             for row in rows if row["term"].startswith("material") or float(row["occurrences"]) >= 200}
    for piece in map(json.loads, said.splitlines()):
        if piece.get("piece", "").strip() in KINDS:
            found.update({f"{piece['piece'].strip()}, {stage}": (piece[stage], piece[f"{stage}_error95"] / 1.959964) for stage in STAGES})
    return found


def compare(pairs):
    """Compares the scatter of values with their standard errors; `pairs` are pairs (value, standard error).

    Returns the standard deviation of the values, the root mean square of the errors, and the number of values whose 95 % interval contains the mean."""
    mean = sum(value for value, _ in pairs) / len(pairs)
    scatter = math.sqrt(sum((value - mean) ** 2 for value, _ in pairs) / (len(pairs) - 1))
    return scatter, math.sqrt(sum(se ** 2 for _, se in pairs) / len(pairs)), sum(abs(value - mean) <= 1.96 * se for value, se in pairs)


os.makedirs(OUT, exist_ok=True)
sets = [fit(number) for number in range(1, SETS + 1)]
groups = {"material": [], "piece values": [], "other weights": []}
print(f"{'':32} scatter   error   ratio   95 % intervals with the mean")
for name in sets[0]:
    if not all(name in found for found in sets):
        continue
    scatter, error, held = compare([found[name] for found in sets])
    if error == 0:
        continue
    group = "material" if name.startswith("material") else "piece values" if ", " in name else "other weights"
    groups[group].append((scatter / error, held))
    if group != "other weights":
        print(f"{name:32} {scatter:7.2f} {error:7.2f} {scatter / error:7.2f} {held:7} of {SETS}")
for group, all_of in groups.items():
    ratio = math.sqrt(sum(ratio ** 2 for ratio, _ in all_of) / len(all_of))
    print(f"{group}: {len(all_of)}, rms ratio {ratio:.3f}, {100 * sum(held for _, held in all_of) / SETS / len(all_of):.1f} % of the intervals contain the mean")

# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests how an evaluation term is added, as core/README.md describes it: one line of weights.def and one call of add() or
add_times(). In a copy of the tree, a term that depends on several pieces is fitted correctly, and the C test tuner_recovery
passes with it. (journeys.py adds other terms: the example of README.md, random noise, copies of a term, and a term that never
occurs.)"""
import os
import re
import shutil

from checks import FULL, check, finish, need, read, refuses, run, scratch, skip

TERM, WORTH = "chariots_times_cannons", 80
if not FULL:
    skip("new_terms", "only in test-full (it builds a copy of the program)")
    finish()
need("new_terms", "h5py", "numpy")
import h5py  # noqa: E402
import numpy as np  # noqa: E402

TREE = scratch("tree")
for folder in ("core", "datasets", "selfplay", "tuner", "bench", "tests"):
    shutil.copytree(folder, f"{TREE}/{folder}", symlinks=True)
for name in ("Makefile", "paotai.c", "README.md"):
    shutil.copy(name, TREE)
PROGRAM = f"{TREE}/build/release/paotai"


def edit(path, before, after):
    text = read(f"tree/{path}")
    assert text.count(before) == 1, (path, before, text.count(before))
    with open(f"{TREE}/{path}", "w", encoding="utf-8") as file:
        file.write(text.replace(before, after))


def build():
    done = run("make", "-C", TREE, "-j2", "CC=" + os.environ.get("CC", "gcc"), "CFLAGS=-O1", "build/release/paotai", "build/release/paotai-test")
    return done.returncode == 0, done.stderr[-500:]


def draw(path, k=0.004, times=12):
    """Replaces the results in a file of rows by random ones, computed from weights in which the term has the value WORTH. Each
    position occurs `times` times, each time with its own result. The fit must find the value."""
    with h5py.File(path, "r+") as f:
        names = [name.decode() for name in f["names"]]
        weights = f["start"][:].mean(axis=1)
        weights[names.index(f"{TERM}[0]")] = WORTH
        held = np.diff(f["indptr"][:].astype(int))
        rows = np.repeat(np.arange(len(held)), held)
        score = np.bincount(rows, weights=f["coefficient"][:] * weights[f["index"][:]], minlength=len(held))
        columns = {name: np.tile(f[name][:], times) for name in ("index", "coefficient", "phase", "offset", "score", "mover")}
        columns["game"] = np.arange(times * len(held))
        columns["source"] = np.zeros(times * len(held), int)
        columns["indptr"] = np.concatenate([[0], np.cumsum(np.tile(held, times))])
        columns["result"] = (np.random.default_rng(5).random((times, len(held))) < 1 / (1 + np.exp(-k * score))).astype(float).ravel()
        f["occurrences"][...] = times * f["occurrences"][:]
        del f["split"]
        for name, cells in columns.items():
            del f[name]
            f[name] = cells


HERE = "    for (int type = GENERAL; type <= SOLDIER; type++) attacks->all[side]"
edit("core/eval/weights.def", "WEIGHT(table_general,",
     f'WEIGHT({TERM}, 1, CHARIOT, TOGETHER, NONE, 0, "a chariot, for each cannon of its side")\nWEIGHT(table_general,')
edit("core/eval/eval.c", HERE, f"""    add_times(adder, side, WEIGHT_INDEX({TERM}),
              bb_count(position_pieces(position, side, CHARIOT)) *
                  bb_count(position_pieces(position, side, CANNON)));
""" + HERE)
check("new_terms_builds_together", *build())
done = [run(PROGRAM, "selfplay", *"--games 600 --nodes 20 --opening-nodes 0 --opening-plies 30 --weights classic --seed 3 --threads 2 --quiet --out".split(), scratch("games")),
        run(PROGRAM, "data", "export", "--rows", scratch("rows.h5"), scratch("games"), "--quiet")]
draw(scratch("rows.h5"))
done.append(run(PROGRAM, "tune", "--rows", scratch("rows.h5"), *"--lambda 1 --weigh rows --k 0.004 --prior-sd 300 --quiet --verbose --out".split(), scratch("fit.txt"),
                "--errors", scratch("fit.tsv")))
check("new_terms_fit_together", not any(one.returncode for one in done), [one.stderr for one in done])
# The middlegame and the endgame weight of the term are both within 4 standard errors of WORTH, and the errors are small
# enough to distinguish both weights from 0. The results were generated from weights for which K is 0.004. The fitted values
# are converted to the units of these weights.
scale = float(re.search(r"^k (\S+)", done[-1].stdout, re.M)[1]) / 0.004
rows = [(float(row[3]) * scale, float(row[4]) * scale) for row in (line.split("\t") for line in read("fit.tsv").splitlines()) if row[0] == TERM]
check("new_terms_together", len(rows) == 2 and all(abs(value - WORTH) < 4 * error and error < WORTH / 3 for value, error in rows), rows)
check("new_terms_scale_together", "\nscale k\n" in done[-1].stdout, "the scale is not that of K")
recovery = run("build/release/paotai-test", "--only", "tuner_recovery", cwd=TREE)
check("new_terms_recovery_together", recovery.returncode == 0, recovery.stdout)
# If the column `part` of weights.def is wrong, tune ends with an error. Without this check, the wrong column would change the
# evaluation silently.
edit("core/eval/weights.def", 'CHARIOT, TOGETHER, NONE, 0, "a chariot, for each', 'CHARIOT, ENTRY, NONE, 0, "a chariot, for each')
check("new_terms_builds_wrong", *build())
refuses("new_terms_wrong_part", 1, "centring, scaling and rounding the weights must not change scores", PROGRAM, "tune", "--rows", scratch("rows.h5"), "--lambda", "1", "--k", "0.004", "--quiet",
        run=run)
finish()

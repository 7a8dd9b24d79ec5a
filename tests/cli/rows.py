# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests files of sparse rows, which list the coefficients of each position. The rows exported from a run
give the fit of this run, other rows give the fit that scipy computes, and each fault of a file is
reported by its own message."""
import json
import os
import re
import shutil
import subprocess
import sys

from checks import SCRATCH, finish, need, paotai, result, scratch, skip

need("rows", "h5py", "numpy")
import h5py  # noqa: E402
import numpy as np  # noqa: E402


# ---- our own rows --------------------------------------------------------------------------------
made = paotai("selfplay", "--games", "60", "--nodes", "40", "--opening-nodes", "100", "--weights", "classic",
              "--seed", "5", "--quiet", "--out", scratch("run"))
assert made.returncode == 0, made.stderr
exported = paotai("data", "export", "--rows", scratch("ours.h5"), scratch("run"), "--quiet")
result("rows_export", exported.stderr)
twice = paotai("data", "export", "--rows", scratch("twice.h5"), scratch("run"), scratch("run"), "--quiet").stdout
result("rows_export_copies", "" if twice.splitlines()[:2] == [exported.stdout.splitlines()[0], "copied_" + exported.stdout.splitlines()[0]] else twice)
os.mkdir(scratch("no_shards"))
said = paotai("data", "export", "--rows", "--out", scratch("no_shards.h5"), scratch("run"), scratch("no_shards"), "--quiet")
result("rows_export_empty", "" if said.returncode == 1 and "no_shards has no shards" in said.stderr
       and not os.path.exists(scratch("no_shards.h5")) else f"{said.returncode} {said.stdout} {said.stderr}")
shutil.copytree(scratch("run"), scratch("changed"))
shard = scratch("changed/" + sorted(name for name in os.listdir(scratch("changed")) if name.startswith("shard-"))[0])
with h5py.File(shard, "r+") as file:
    file["games/opening_plies"][0] += 1
said = paotai("data", "export", "--rows", "--out", scratch("changed.h5"), scratch("changed"), "--quiet")
result("rows_export_changed", "" if said.returncode == 1 and said.stderr.count(shard) == 1 and "do not match its content_hash" in said.stderr
       else f"{said.returncode} {said.stderr}")
for lam, terms in (("1", "material_*,table_horse"), ("0.3", "*")):
    words = ("--lambda", lam, "--fit", terms, "--quiet")
    from_run = paotai("tune", scratch("run"), *words, "--errors", scratch("a.tsv"), "--out", scratch("a.txt"))
    from_file = paotai("tune", "--rows", scratch("ours.h5"), *words, "--errors", scratch("b.tsv"), "--out", scratch("b.txt"))
    why = "" if from_run.stderr == from_file.stderr and from_run.returncode == from_file.returncode == 0 else from_run.stderr + from_file.stderr
    if not why and open(scratch("a.tsv")).read() != open(scratch("b.tsv")).read():
        why = "other weights or errors than the run's"
    result(f"rows_fit_as_the_run_{lam}", why)
same = paotai("tune", "--rows", scratch("ours.h5"), "--compare", scratch("b.txt"), scratch("b.txt"), "--quiet").stdout
result("rows_compare", "" if re.search(r"^difference -?0\.0000000$", same, re.M) else same)
measured = paotai("tune", "--rows", scratch("ours.h5"), "--measure", "--lambda", "1", "--weigh", "rows", "--json", "--quiet")
measured = json.loads(measured.stdout.splitlines()[-1])
# Two new terms that are copies of each other are not called copies as if the evaluation had one of them: the output says to
# keep one. The start weights lack both terms, and in this file the second has the coefficients of the first.
NEW = ("turn", "soldiers_linked")
known = paotai("weights", "convert", "default").stdout
open(scratch("known.txt"), "w").write("".join(line + "\n" for line in known.splitlines() if not re.match(f"(# se |# se_data )?({'|'.join(NEW)}) ", line)))
shutil.copy(scratch("ours.h5"), scratch("alike.h5"))
with h5py.File(scratch("alike.h5"), "r+") as f:
    first, second = (list(f["names"]).index(f"{name}[0]".encode()) for name in NEW)
    held, index, coefficient = f["indptr"][:].astype(int), f["index"][:], f["coefficient"][:]
    of_row = np.repeat(np.arange(len(held) - 1), np.diff(held))
    rest, copied = index != second, index == first
    order = np.lexsort((np.concatenate([index[rest], np.full(copied.sum(), second)]), np.concatenate([of_row[rest], of_row[copied]])))
    new = {"index": np.concatenate([index[rest], np.full(copied.sum(), second, index.dtype)])[order], "coefficient": np.concatenate([coefficient[rest], coefficient[copied]])[order],
           "indptr": np.concatenate([[0], np.cumsum(np.bincount(np.concatenate([of_row[rest], of_row[copied]]), minlength=len(held) - 1))]).astype(f["indptr"].dtype)}
    for name, cells in new.items():
        del f[name]
        f[name] = cells
said = paotai("tune", "--rows", scratch("alike.h5"), "--weights", scratch("known.txt"), "--json", "--quiet")
lines = {line["new_term"]: line for line in map(json.loads, said.stdout.splitlines()) if "new_term" in line}
result("rows_new_copies", "" if set(lines) == set(NEW) and all(line["term_verdict"] == "copy of other new terms" and "keep one of these terms and fit again" in line["sentence"]
       for line in lines.values()) else f"{said.stderr} {lines}")
# The example program of tuner/README.md writes a file of rows. The fit must find the values from
# which the program drew the results.
open(scratch("writer.py"), "w").write(open("tuner/README.md").read().split("```py\n")[1].split("```")[0])
written = subprocess.run([sys.executable, scratch("writer.py")], capture_output=True, text=True, cwd=SCRATCH)
fitted = paotai("tune", "--rows", scratch("rows.h5"), "--lambda", "1", "--k", "0.3", "--prior-sd", "100", "--quiet").stdout
lines = fitted.splitlines()
head = [i for i, line in enumerate(lines) if line.startswith("term ")]
rows = [line.split() for line in lines[head[0] + 1:head[0] + 7]]
far = [row for row, value in zip(rows, (9, 4.5, 4, 2, 2, 1)) if abs(float(row[1]) - value) > 3 / 1.96 * float(row[3])]
result("rows_readme_writer", written.stderr or (str(far) if far or len(rows) != 6 else ""))
# The rows of this example program have no phases, so endgame weights have no effect. The fit must
# not report them as weights that never occur.
result("rows_no_phases", "" if head and "never_active" not in fitted else fitted)
lines = open("datasets/sparse/README.md").read().split("```py\n")[1].split("```")[0]
told = open("datasets/sparse/README.md").read()
columns = re.findall(r"^SPARSE_COLUMN\((\w+),", open("datasets/sparse/sparse.def").read(), re.M)
result("rows_readme_columns", ", ".join(name for name in columns if f"| `{name}` |" not in told) if columns else "no columns")
result("rows_readme_is_short", "" if len(lines.splitlines()) <= 10 else f"{len(lines.splitlines())} lines")
open(scratch("snippet.py"), "w").write(lines)
try:
    import scipy.optimize
    said = subprocess.run([sys.executable, scratch("snippet.py"), scratch("ours.h5"), str(measured["k"])],
                          capture_output=True, text=True)
    loss = float(said.stdout.split()[1]) if said.returncode == 0 else 0
    result("rows_readme", "" if abs(loss - measured["loss"]) < 1e-6 else f"{said.stderr}{loss} {measured}")
except ImportError:
    scipy = None
    skip("rows_readme", "python3-scipy is not installed (make deps-dev)")

# ---- rows of another program ---------------------------------------------------------------------
K, SD = 0.01, 50.0
random = np.random.default_rng(7)
ROWS, TERMS = 600, 9
dense = np.where(random.random((ROWS, TERMS)) < 0.5, 0, random.integers(-5, 6, (ROWS, TERMS))).astype(float)
dense[:, 3] *= 0.25  # coefficients that are not integers
truth = random.normal(0, 60, 2 * TERMS)
phase, offset = random.integers(0, 25, ROWS), random.normal(0, 20, ROWS).astype(np.float32).astype(float)
p = phase[:, None] / 24
x = np.hstack([dense * p, dense * (1 - p)])
points = (random.random(ROWS) < 1 / (1 + np.exp(-K * (x @ truth + offset)))).astype(float)
points[random.random(ROWS) < 0.2] = 0.5


def write(name, change=None):
    rows, terms = dense.nonzero()
    with h5py.File(scratch(name), "w") as f:
        f.attrs.update(format="paotai sparse rows", schema_version=1, phase_max=24)
        f["indptr"] = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=ROWS))])
        f["index"], f["coefficient"] = terms, dense[rows, terms]
        f["phase"], f["offset"], f["result"] = phase, offset, points
        f["game"] = np.arange(ROWS) // 4
        f["names"] = [f"term {i}" for i in range(TERMS)]
        f["start"] = np.full((TERMS, 2), 10.0)
        if change:
            change(f)
    return scratch(name)


theirs = write("theirs.h5")
PLAIN = ["--lambda", "1", "--weigh", "rows", "--valid-fraction", "0", "--k", str(K), "--prior-sd", str(SD), "--quiet"]
fitted = paotai("tune", "--rows", theirs, *PLAIN, "--json", "--out", scratch("theirs.tsv"))
terms = [json.loads(line) for line in fitted.stdout.splitlines() if '"term"' in line]
ours = np.array([t["middlegame"] for t in terms] + [t["endgame"] for t in terms])
errors = np.array([t["middlegame_se"] for t in terms] + [t["endgame_se"] for t in terms])
result("rows_json", "" if len(terms) == TERMS and (errors > 0).all() else fitted.stderr or fitted.stdout)
table = [line.split("\t") for line in open(scratch("theirs.tsv")) if not line.startswith("#")]
result("rows_table", "" if [float(t[1]) for t in table[1:]] == [round(v, 6) for v in ours[:TERMS]] else str(table))
paotai("tune", "--rows", theirs, *PLAIN, "--out", scratch("theirs_out.h5"))
with h5py.File(scratch("theirs_out.h5")) as f:
    held = np.abs(f["weights"][:].T.ravel() - ours).max() + np.abs(f["errors"][:].T.ravel() - errors).max()
    result("rows_hdf5", "" if held < 1e-8 and f["names"][2] == b"term 2" else f"{held}")
# If the file has no columns `phase` and `start`, each term has one weight. The output line `scale`
# says what determines the scale of the weights.
def bare(f):
    del f["start"]
    del f["phase"]
    del f.attrs["phase_max"]


single = write("single.h5", bare)
printed = paotai("tune", "--rows", single, *PLAIN).stdout
result("rows_single", "" if f"\nweights_all {TERMS}" in printed and "middlegame" not in printed and ".eg" not in printed else printed)
scales = [re.search("^scale (.*)$", paotai("tune", "--rows", source, "--lambda", "1", "--quiet", *k).stdout, re.M).group(1)
          for source, k in ((single, []), (single, ["--k", "0.01"]), (theirs, []), (scratch("ours.h5"), []))]
result("rows_scale", "" if scales == ["400 units mean odds of 10 to 1", "set by --k", "that of the start", "chariot"] else str(scales))

frozen = paotai("tune", "--rows", theirs, *PLAIN, "--json", "--freeze", "term 1*,term 2.eg")
kept = [json.loads(line) for line in frozen.stdout.splitlines() if '"term"' in line]
result("rows_freeze", "" if kept[1]["middlegame"] == 10 == kept[2]["endgame"] != kept[2]["middlegame"]
       and kept[1]["middlegame_se"] is kept[1]["middlegame_error95"] is None else str(kept))


def derivatives(w):
    s = K * (x @ w + offset)
    sigma = 1 / (1 + np.exp(-s))
    value = (np.sum(np.logaddexp(0, s) - points * s) + 0.5 * np.sum((w - 10) ** 2) / SD**2) / ROWS
    gradient = (K * x.T @ (sigma - points) + (w - 10) / SD**2) / ROWS
    hessian = (K * K * (x.T * (sigma * (1 - sigma))) @ x + np.eye(len(w)) / SD**2) / ROWS
    return value, gradient, hessian


value, gradient, hessian = derivatives(ours)
result("rows_gradient_is_0", "" if np.abs(gradient).max() < 1e-10 else f"{gradient}")
scores = (K * x.T * (1 / (1 + np.exp(-K * (x @ ours + offset))) - points)).T
games = np.add.reduceat(scores, np.arange(0, ROWS, 4))
inverse = np.linalg.inv(ROWS * hessian)
# The gradient of each game, corrected by its leverage.
sigma = 1 / (1 + np.exp(-K * (x @ ours + offset)))
followed = np.add.reduceat(K * K * sigma * (1 - sigma) * np.sum(x * (games @ inverse)[np.arange(ROWS) // 4], axis=1) ** 2,
                           np.arange(0, ROWS, 4))
games = games / (1 - followed / np.sum(games * (games @ inverse), axis=1))[:, None]
# The prior's pull (tuner/fit/errors.h): the true weights have at least the variance of the prior.
decided = 1 - np.diag(inverse) / SD**2
wider = max(1, (10 + np.sum((ours - 10) ** 2) / SD**2) / (10 + decided.sum()))
sandwich = np.sqrt(np.diag(inverse @ (games.T @ games + wider * np.eye(2 * TERMS) / SD**2) @ inverse))
result("rows_errors", "" if np.allclose(sandwich, errors, rtol=5e-4) else f"{sandwich} {errors}")
if scipy:
    best = scipy.optimize.minimize(lambda w: derivatives(w)[0], np.full(2 * TERMS, 10.0), method="trust-exact",
                                   jac=lambda w: derivatives(w)[1], hess=lambda w: derivatives(w)[2],
                                   options={"gtol": 1e-11})
    away = np.abs(best.x - ours).max()
    result("rows_scipy", "" if away < 1e-6 and abs(best.fun - value) < 1e-12 else f"{away} units away, {best.message}")
else:
    skip("rows_scipy", "python3-scipy is not installed (make deps-dev)")
# Fits one term, whose true weight is 600 units, to 20 random samples. Without start weights the
# games choose the prior, here about as wide as the weight. About 1 of the 20 intervals of 95 %
# should miss the true weight.
misses = 0
for draw in range(20):
    edge = random.integers(-1, 2, 2000)
    won = (random.random(2000) < 1 / (1 + np.exp(-0.0057564627324851146 * 600 * edge))).astype(float)
    with h5py.File(scratch("open.h5"), "w") as f:
        f.attrs.update(format="paotai sparse rows", schema_version=1, phase_max=24)
        f["indptr"], f["index"] = np.arange(2001), np.zeros(2000, int)
        f["coefficient"], f["result"], f["names"] = edge, won, ["chariot"]  # without the column phase, all rows are middlegame
    said = paotai("tune", "--rows", scratch("open.h5"), "--lambda", "1", "--valid-fraction", "0", "--json")
    term, prior = (json.loads(line) for line in said.stdout.splitlines() if '"term"' in line or '"prior_sd"' in line)
    misses += abs(term["value"] - 600) > term["value_error95"]
result("rows_no_ridge", "" if misses <= 4 and 0.8 < prior["prior_sd"] / abs(term["value"]) < 1.25 and "which the games suggest" in said.stderr else
       f"{misses} of 20 missed, {prior}, {said.stderr}")
# With 2048 games or more, the correction of the errors uses a sample of the games. Fits one
# term that occurs in 60 of 2400 games, at two distances from the beginning of every 40 games. The
# error does not depend on the distance.
seen = []
for distance in (0, 1):
    rare = np.arange(2400) % 40 == distance
    with h5py.File(scratch("rare.h5"), "w") as f:
        f.attrs.update(format="paotai sparse rows", schema_version=1, phase_max=24)
        f["indptr"], f["index"] = np.arange(2401), rare.astype(int)
        f["coefficient"], f["result"], f["names"] = np.ones(2400, int), (np.arange(2400) // 40 % 3 < 2).astype(float), ["often", "rare"]
    said = paotai("tune", "--rows", scratch("rare.h5"), "--lambda", "1", "--k", "0.005", "--fit", "rare", "--valid-fraction", "0", "--json")
    seen += [json.loads(line)["value_se"] for line in said.stdout.splitlines() if '"term":"rare"' in line]
result("rows_rare", "" if len(seen) == 2 and seen[0] > 1 and abs(seen[0] - seen[1]) < 0.01 * seen[0] else f"{seen} {said.stderr}")


# A file of rows with two equal columns, a column that never occurs, and a column whose weight grows
# without limit.
def poor(f):
    replace("names", ["first", "second", "never", "wins"] + [f"term {i}" for i in range(TERMS)])(f)
    replace("start", np.zeros((4 + TERMS, 2)))(f)
    held, index, coefficient, ends = f["indptr"][:], [], [], [0]
    for i in range(ROWS):
        extra = [0, 1] if i % 3 == 0 else []
        extra += [3] if points[i] == 1 and i % 5 == 0 else []
        index += extra + list(f["index"][held[i]:held[i + 1]] + 4)
        coefficient += [1] * len(extra) + list(f["coefficient"][held[i]:held[i + 1]])
        ends.append(len(index))
    replace("index", index)(f), replace("coefficient", coefficient)(f), replace("indptr", ends)(f)


def replace(name, value):
    def change(f):
        del f[name]
        f[name] = value
    return change


said = paotai("tune", "--rows", write("poor.h5", poor), "--lambda", "1", "--k", "0.01", "--quiet",
           "--valid-fraction", "0")
notes = {line.split()[0]: line.split()[-1] for line in said.stdout.splitlines() if re.search("  (tied|separable|never seen)$", line)}
result("rows_poor_terms", "" if notes == {"first": "tied", "second": "tied", "never": "seen", "wins": "separable"}
       else f"{notes} {said.stderr}")
result("rows_identity", "" if re.search(r"^tied first, second \(2 combinations", said.stdout, re.M) and "never_active never\n"
       in said.stdout and "separable wins\n" in said.stdout else said.stdout[:900])
# A combination of these two terms predicts every result, so their weights grow without limit. A row
# with the opposite result (flips = 1) keeps the weights finite.
def separated(flips):
    def change(f):
        count = 300
        held = random.integers(1, 9, (count, 2)).astype(float) * random.choice([-1, 1], (count, 2))
        end = held @ [2.0, -1.0]
        won = np.where(end > 0, 1.0, np.where(end < 0, 0.0, 0.5))
        held[end == 0] = 1, -1
        won[end == 0] = 1
        won[:flips] = 1 - won[:flips]
        for name, values in (("names", ["t0", "t1"]), ("start", np.zeros((2, 2))), ("index", np.tile([0, 1], count)),
                             ("coefficient", held.ravel()), ("phase", np.full(count, 24)), ("indptr", np.arange(0, 2 * count + 1, 2)),
                             ("offset", np.zeros(count)), ("result", won), ("game", np.arange(count))):
            replace(name, values)(f)
    return change


for flips in (0, 1):
    out = paotai("tune", "--rows", write("separated.h5", separated(flips)), "--lambda", "1", "--valid-fraction", "0", "--prior-sd", "1e4",
                 "--k", str(K), "--quiet").stdout
    result(f"rows_separable_together_{flips}", "" if "\nseparable t" not in out and ("\nseparable_note the fit predicts every result correctly" in out) == (flips == 0) else out)
# The weight file that the fit writes contains the notes "tied", "separable" and "never seen" of its
# terms.
paotai("tune", "--rows", scratch("poor.h5"), "--lambda", "1", "--k", "0.01", "--quiet", "--valid-fraction", "0", "--out", scratch("poor.tsv"))
kept = re.findall(r"^# note\t(\w+)\t(tied|separable|never seen)$", open(scratch("poor.tsv")).read(), re.M)
result("rows_notes_are_kept", "" if kept == list(notes.items())[:2] + [("never", "never seen"), ("wins", "separable")] else kept)


# The term t2 occurs only in the first `games` games. The fit adapts the weight to these games, so
# their gradients underestimate its standard error: for a single game by a factor of 100. The output
# must give a sufficient standard error and name the number of games.
def rare(games):
    def change(f):
        held = random.integers(-2, 3, (3000, 2)).astype(float)
        third = np.where(np.arange(3000) // 10 < games, random.choice([-1, 1], 3000), 0)
        every = np.column_stack([held, third])
        won = random.random(3000) < 1 / (1 + np.exp(-K * (every @ [100, 50, 50])))
        rows, terms = every.nonzero()
        for name, values in (("names", ["t0", "t1", "t2"]), ("start", np.zeros((3, 2))), ("index", terms),
                             ("coefficient", every[rows, terms]), ("phase", np.full(3000, 24)),
                             ("indptr", np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=3000))])),
                             ("offset", np.zeros(3000)), ("result", won.astype(float)), ("game", np.arange(3000) // 10)):
            replace(name, values)(f)
    return change


for games in (1, 5, 40):
    said = paotai("tune", "--rows", write(f"rare{games}.h5", rare(games)), "--lambda", "1", "--weigh", "rows", "--prior-sd", "1e4",
                  "--k", str(K), "--valid-fraction", "0", "--quiet", "--json")
    lines = [json.loads(line) for line in said.stdout.splitlines()]
    terms = {line["term"]: line for line in lines if "term" in line}
    few = f"in {games} game" + "s" * (games > 1)
    # The reported standard error must not be smaller than that of N independent positions, which is
    # 1 / (K sqrt(N / 4)), where K is the slope of the sigmoid. Each game has 10 positions.
    why = "" if terms["t2"]["middlegame_se"] > 0.99 / (K * np.sqrt(games * 10 / 4)) or games == 40 else str(terms["t2"])
    if [name for name in terms if few in terms[name].get("note", "")] != (["t2"] if games < 10 else []):
        why = f"{terms}"
    if [line[key] for line in lines for key in ("in_few_games", "few_games_note") if key in line][:-1] != ["t2.mg"] * (games < 10):
        why = str(lines[-3:])
    result(f"rows_in_{games}_games", why)


# Games with the same number in the column `split` are all used for training or all for validation.
# Here all rows have the same number, so either all rows or no row is fitted.
parts = []
for seed in range(1, 9):
    said = paotai("tune", "--rows", write("split.h5", lambda f: f.create_dataset("split", data=np.full(ROWS, 5))), *PLAIN[:2], "--k", "0.01",
                  "--valid-fraction", "0.5", "--seed", str(seed), "--quiet", "--verbose")
    parts.append((f"train_positions {ROWS}" in said.stdout.splitlines(), "no game remains for training" in said.stderr))
result("rows_split", "" if sum(part[0] for part in parts) in range(1, 8) and all(all != none for all, none in parts) else f"{parts}")

# Rows whose result is an expected score between 0 and 1, and rows with a score but no result.
soft = 1 / (1 + np.exp(-K * (x @ truth + offset)))
said = paotai("tune", "--rows", write("soft.h5", replace("result", soft)), *PLAIN, "--prior-sd", "1e5", "--json")
terms = [json.loads(line) for line in said.stdout.splitlines() if '"term"' in line]
away = np.abs(np.array([t["middlegame"] for t in terms] + [t["endgame"] for t in terms]) - truth).max() if terms else 1e9
result("rows_soft_results", "" if away < 0.01 else f"{away} units away; {said.stderr}")


def scores_alone(f):
    f["score"] = np.round(np.clip(x @ truth + offset, -31000, 31000)).astype(int)
    replace("result", -np.ones(ROWS))(f)


said = paotai("tune", "--rows", write("scores.h5", scores_alone), "--result-scale", "points", "--lambda", "0", "--prior-sd", "1e5", "--quiet", "--json",
              "--valid-fraction", "0")
terms = [json.loads(line) for line in said.stdout.splitlines() if '"term"' in line]
away = np.abs(np.array([t["middlegame"] for t in terms] + [t["endgame"] for t in terms]) - truth).max() if terms else 1e9
result("rows_scores_alone", "" if away < 1 else f"{away} units away; {said.stderr}")

# If no position has a result, --lambda is refused, in a fit and with --measure.
shutil.copy(scratch("ours.h5"), scratch("scored_ours.h5"))
with h5py.File(scratch("scored_ours.h5"), "r+") as file:
    file["result"][:] = -1
refused = [paotai("tune", "--rows", scratch("scored_ours.h5"), "--lambda", "1", "--quiet", *words) for words in ((), ("--measure",))]
result("rows_lambda_of_scores", "" if all(said.returncode == 2 and "--lambda: no position has a result" in said.stderr for said in refused) else str(refused))

# Results may be -1, 0 and 1. Without a result of one kind, or with many unknown results, a message says so.
signs = write("signs.h5", lambda f: replace("result", 2 * points - 1)(f))
fits = [paotai("tune", "--rows", file, *PLAIN, *words) for file, words in ((theirs, ()), (signs, ("--result-scale", "sign")))]
result("rows_result_scale", "" if fits[0].stdout == fits[1].stdout and not fits[1].returncode else fits[1].stderr)
told = paotai("tune", "--rows", signs, *PLAIN[:-1], "--result-scale", "points").stderr
result("rows_result_told", "" if "no position is from a game that was drawn" in told or "is unknown" in told else told)
# If the start weights are 0, the scale is that of the offset.
predicted = x @ truth + offset
whole = write("whole.h5", lambda f: (replace("offset", predicted)(f), replace("start", np.zeros((TERMS, 2)))(f)))
fitted = paotai("tune", "--rows", whole, "--lambda", "1", "--weigh", "rows", "--quiet", "--verbose").stdout
k = re.search("^k (.*)$", fitted, re.M)
result("rows_scale_of_offset", "" if "scale that of the offset" in fitted and k and 0.5 < float(k.group(1)) / K < 1.1 else fitted[-900:])
# A value of each row is compared with its sum.
def with_values(f):
    f["value"], f.attrs["value_unit"] = predicted_start, "0.25"


predicted_start = (dense * 10).sum(1) + offset
good = paotai("tune", "--rows", write("value.h5", with_values), *PLAIN)
result("rows_value", "" if "checked_positions 600\nmismatches 0" in good.stdout and not good.returncode else good.stdout + good.stderr)
predicted_start = predicted_start + 5 * dense[:, 2]
bad = paotai("tune", "--rows", write("value2.h5", with_values), *PLAIN)
result("rows_value_wrong", "" if bad.returncode == 1 and "term 2 explains 100 % of it" in bad.stderr else bad.stderr)
# With --lambda 1 only results are fitted: rows that have a score but no result do not count.
def half_without_result(f):
    f["score"] = np.zeros(ROWS, dtype=int)
    replace("result", np.where(np.arange(ROWS) < ROWS // 2, soft, -1))(f)


said = paotai("tune", "--rows", write("half.h5", half_without_result), "--result-scale", "points", *PLAIN, "--prior-sd", "1e5", "--json")
terms = [json.loads(line) for line in said.stdout.splitlines() if '"term"' in line]
away = np.abs(np.array([t["middlegame"] for t in terms] + [t["endgame"] for t in terms]) - truth).max() if terms else 1e9
result("rows_results_of_some", "" if away < 0.01 else f"{away} units away; {said.stderr}")


# The weight file of a fit to scores says that its standard errors take the search scores as exact.
def scored(f):
    f["score"] = np.round(np.clip(x @ truth + offset, -31000, 31000)).astype(int)


paotai("tune", "--rows", write("scored.h5", scored), "--lambda", "0.5", "--quiet", "--out", scratch("scored.tsv"))
shown = open(scratch("scored.tsv")).read()
result("rows_condition", "" if re.search(r"^# errors_given the search's scores, .* results alone are [\d.]+ times as large as these \(median\)$", shown, re.M) else shown)
without = [paotai("tune", "--rows", theirs, "--k", "0.01", *words).stderr for words in ([], ["--quiet"])]
notes = [said.count("no position has a search score") for said in without]
result("rows_results_alone", "" if notes == [1, 0] else f"{notes} notes: {without}")


# The weight file records the prior of this fit, not the default prior of the built-in terms.
def prior_in(name):
    return {word: float(value) for word, value in re.findall(r"^# (\S+-sd)=(\S+)$", open(scratch(name)).read(), re.M)}


paotai("tune", "--rows", scratch("open.h5"), "--lambda", "1", "--quiet", "--out", scratch("open.tsv"))
said = prior_in("open.tsv")
result("rows_prior_is_said", "" if 400 < said["prior-sd"] == said["material-sd"] < 1000 and said["smooth-sd"] == 0 else str(said))
chosen = paotai("tune", "--rows", theirs, "--lambda", "1", "--cv", "3", "--quiet", "--out", scratch("cv.tsv"))
best = re.search(r"^ *(\S+) .*<- best", chosen.stdout, re.M)
result("rows_cv", "" if best and prior_in("cv.tsv")["prior-sd"] == float(best[1]) else chosen.stderr + str(prior_in("cv.tsv")))
report = paotai("tune", "--rows", scratch("ours.h5"), "--fit", "material_*", "--report", scratch("ours.html"), "--quiet")
page = open(scratch("ours.html")).read() if report.returncode == 0 else report.stderr
result("rows_report", "" if scratch("ours.h5") in page and "(null)" not in page else page[-300:])


# ---- faults of a file ----------------------------------------------------------------------------
def put(name, place, value):
    def change(f):
        f[name][place] = value
    return change


def drop(name):
    def change(f):
        del f[name]
    return change


def attribute(name, value):
    def change(f):
        f.attrs[name] = value
    return change


# A fit names the terms that never occur in its training positions.
silent = paotai("tune", "--rows", write("silent.h5", lambda f: (replace("phase", np.full(ROWS, 24))(f), replace(
    "coefficient", np.where(f["index"][:] == 5, 0, f["coefficient"][:]))(f))), *PLAIN)
expected = ", ".join(f"term {i}" + ".eg" * (i != 5) for i in range(TERMS))
result("rows_never_active", "" if f"never_active {expected} " in " ".join(silent.stdout.split()) else silent.stderr + silent.stdout[-300:])


def replace_packed(f, name, **packing):
    values = f[name][:]
    del f[name]
    f.create_dataset(name, data=values, chunks=values.shape, **packing)


def shorten_chunk(f):
    """Stores a chunk with two bytes, too short for its checksum of four."""
    replace_packed(f, "coefficient", fletcher32=True)
    f["coefficient"].id.write_direct_chunk((0,), b"ab")


def skip_gzip(f):
    """Replaces a chunk of a gzip column by one that is too short and marked as not compressed."""
    replace_packed(f, "coefficient", compression="gzip")
    f["coefficient"].id.write_direct_chunk((0,), b"abcd", 1)


def lose_chunk(f):
    values = f["result"][:]
    del f["result"]
    f.create_dataset("result", values.shape, values.dtype, chunks=(100,))[:500] = values[:500]


def damage_filter(path):
    """Replaces the compression filter gzip in the header of a dataset by the filter nbit. The
    parameter that the library expects for nbit is missing."""
    data = bytearray(open(path, "rb").read())
    at = data.index(b"deflate\0")
    assert data[at - 8:at] == bytes((1, 0, 8, 0, 1, 0, 1, 0))
    data[at - 8], data[at - 2] = 5, 0
    open(path, "wb").write(data)
    return path


BAD = {
    "nan_coefficient": (put("coefficient", 5, np.nan), "is nan, which is not a finite number"),
    "nan_offset": (put("offset", 7, np.nan), "row 7: the offset is nan"),
    "nan_phase": (replace("phase", np.full(ROWS, np.nan)), "row 0: the phase is nan"),
    "nan_start": (put("start", (2, 1), np.nan), "'start' of term 2"),
    "nan_result": (put("result", 9, np.nan), "row 9: the result is nan"),
    "phase_too_large": (put("phase", 3, 25), "row 3: the phase is 25, but must be from 0 to 24"),
    "index_too_large": (put("index", 4, TERMS), "out of range, because there are 9 names"),
    "index_negative": (put("index", 4, -1), "index -1 is out of range"),
    "index_repeated": (lambda f: f["index"].write_direct(np.zeros(len(f["index"]), int)), "indices must ascend"),
    "result": (put("result", 0, 2), "row 0: the result is 2"),
    "game_comes_back": (put("game", 10, 0), "row 10 belongs to game 0 of source 0, which has earlier rows elsewhere"),
    "game_before": (lambda f: (replace("game", np.arange(ROWS)[::-1] // 4)(f), put("game", 5, 149)(f)), "row 5 belongs to game 149 of source 0, which has earlier rows elsewhere"),
    "game_negative": (put("game", 10, -2), "row 10: 'game' is negative"),
    "game_too_large": (replace("game", np.full(ROWS, 2**63, np.uint64)), "row 0: 'game' is 2^63 - 1 or more"),
    "split_too_large": (lambda f: f.create_dataset("split", data=np.full(ROWS, 2**64 - 1, np.uint64)), "row 0: 'split' is 2^63 - 1 or more"),
    "split_in_two": (lambda f: f.create_dataset("split", data=np.arange(ROWS) // 3), "bad.h5: row 3: 'split' is 1, but the previous row of the same game has another value"),
    "score": (lambda f: f.create_dataset("score", data=np.full(ROWS, 40000)), "row 0: the score is 40000"),
    "indptr_backwards": (put("indptr", 5, 0), "'indptr' goes from"),
    "indptr_smallest": (put("indptr", 5, -2**63), "'indptr' goes from"),
    "indptr_too_far": (put("indptr", -1, 10**9), "but there are 2421 entries"),
    "indptr_start": (put("indptr", 0, 1), "first number in 'indptr' is 1"),
    "indptr_start_no_phase": (lambda f: (put("indptr", 0, 1)(f), drop("phase")(f)), "first number in 'indptr' is 1"),
    "lengths": (replace("result", points[:-1]), "'result' has 599 numbers, but must have 600"),
    "names_missing": (drop("names"), "the data set 'names' is missing"),
    "names_numbers": (replace("names", np.arange(TERMS)), "'names' is not a list"),
    "names_empty": (put("names", 1, ""), "name 1 is not valid"),
    "names_of_keys": (put("names", 1, "a\x1b[31mred"), "name 1 is not valid"),
    "names_of_c1": (put("names", 1, "a\u009b31mred"), "name 1 is not valid"),
    "names_of_bytes": (replace("names", np.array([b"abc", b"d\xffe"] + [b"x%02d" % i for i in range(TERMS - 2)])), "name 1 is not valid"),
    # Each name has 3 bytes, so name 0, "abc", has no terminating zero. Only name 1 is wrong, because it
    # contains a tab. If name 0 were read beyond its end, the message would say that name 0 is wrong.
    "names_of_one_width": (replace("names", np.array([b"abc", b"d\te"] + [b"x%02d" % i for i in range(TERMS - 2)])), "name 1 is not valid"),
    "index_missing": (drop("index"), "the data set 'index' is missing"),
    "index_text": (replace("index", ["a", "b"]), "'index' is not a list of numbers"),
    "start_shape": (replace("start", np.zeros(TERMS)), "'start' is not a table of 9 rows"),
    "filter": (lambda f: replace_packed(f, "index", scaleoffset=0), "'index': its compression filter is not supported"),
    "short_chunk": (shorten_chunk, "'coefficient': "),
    "skipped_filter": (skip_gzip, "'coefficient': "),
    "lost_chunk": (lose_chunk, "'result': "),
    "schema": (attribute("schema_version", 2), "schema_version 2"),
    "format": (attribute("format", "something else"), "is 'something else', not 'paotai sparse rows'"),
    "phase_max": (attribute("phase_max", 0), "phase_max is 0"),
    "one_class": (replace("result", np.ones(ROWS)), "all 600 positions with a result come from wins"),
    "no_result": (lambda f: (replace("result", -np.ones(ROWS))(f), attribute("result_scale", "points")(f)), "has a result or a search score"),
    "result_minus_one": (replace("result", 2 * points - 1), "the result is -1, which may mean unknown or a loss"),
    "name_twice": (replace("names", ["a"] * TERMS), "'names' has 'a' twice"),
    "empty": (lambda f: [replace(n, v)(f) for n, v in
                         (("indptr", np.zeros(1, int)), ("index", np.zeros(0, int)), ("coefficient", np.zeros(0)),
                          ("phase", np.zeros(0)), ("offset", np.zeros(0)), ("result", np.zeros(0)),
                          ("game", np.zeros(0, int)))], "no sampled positions"),
}
for name, (change, words) in BAD.items():
    said = paotai("tune", "--rows", write("bad.h5", change), *PLAIN)
    why = "" if said.returncode == 1 and words in said.stderr and len(said.stderr.splitlines()) == 1 else \
        f"exit status {said.returncode}: {said.stderr or said.stdout[-200:]}"
    result(f"rows_bad_{name}", why)
# For start weights that are 100 times too small, the best K is above the upper limit of K.
said = paotai("tune", "--rows", write("units.h5", lambda f: [replace("start", truth.reshape(2, TERMS).T / 100)(f), drop("offset")(f)]),
              "--lambda", "1", "--quiet")
result("rows_small_start", "" if said.returncode == 1 and "the best K is above 0.1: either" in said.stderr else f"{said.returncode}: {said.stderr}")
said = paotai("tune", "--rows", damage_filter(write("bad.h5", lambda f: replace_packed(f, "coefficient", compression="gzip"))), *PLAIN)
result("rows_bad_filter_head", "" if said.returncode == 1 and len(said.stderr.splitlines()) == 1 else f"{said.returncode}: {said.stderr}")
said = paotai("tune", "--rows", damage_filter(write("bad.h5", lambda f: replace_packed(f, "start", compression="gzip"))), *PLAIN)
result("rows_bad_filter_head_of_pairs", "" if said.returncode == 1 and "'start': its compression filter is not" in said.stderr else f"{said.returncode}: {said.stderr}")


def compact(f):
    values = f["start"][:]
    del f["start"]
    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    layout.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple(values.shape)
    h5py.h5d.create(f.id, b"start", h5py.h5t.IEEE_F64LE, space, layout).write(space, space, values)


# The object header holds the values of this data set, but gives their size as 0 bytes. HDF5 1.10
# does not refuse this, so paotai must check the size itself.
held = bytearray(open(write("bad.h5", compact), "rb").read())
held[held.index(bytes((3, 0, 16 * TERMS, 0)) + np.full((TERMS, 2), 10.0).tobytes()) + 2] = 0
open(scratch("bad.h5"), "wb").write(held)
said = paotai("tune", "--rows", scratch("bad.h5"), *PLAIN)
result("rows_bad_compact", "" if said.returncode == 1 and len(said.stderr.splitlines()) == 1 else f"{said.returncode}: {said.stderr}")
open(scratch("text.h5"), "w").write("no HDF5")
for name, words, args in (
        ("no_hdf5", "text.h5", ["tune", "--rows", scratch("text.h5")]),
        ("missing", "nowhere.h5", ["tune", "--rows", scratch("nowhere.h5")]),
        ("as_a_run", "use 'tune --rows' to fit", ["tune", theirs]),
        ("info", "use 'tune --rows' to fit", ["data", "info", theirs]),
        ("both", "--rows replaces DIR", ["tune", "--rows", theirs, scratch("run")]),
        ("weights", "applies to built-in terms only", ["tune", "--rows", theirs, "--weights", "classic"]),
        ("report", "applies to built-in terms only", ["tune", "--rows", theirs, "--report", scratch("r.html")]),
        ("show", "applies to built-in terms only", ["tune", "--rows", theirs, "--show", "*"]),
        ("measure", "the file has external terms", ["tune", "--rows", theirs, "--measure"]),
        ("unknown", "matches 'pony'", ["tune", "--rows", theirs, "--freeze", "pony"]),
        ("export_nothing", "games to read", ["data", "export", "--rows", scratch("x.h5")]),
        ("export_unwritable", "nowhere/x.h5", ["data", "export", "--rows", scratch("nowhere/x.h5"), scratch("run")])):
    said = paotai(*args)
    result(f"rows_refuse_{name}", "" if said.returncode in (1, 2) and words in said.stderr else
           f"{said.returncode}: {said.stderr}")
left = [name for name in os.listdir(SCRATCH) if ".tmp." in name]
result("rows_nothing_left", "" if not left else str(left))
finish()

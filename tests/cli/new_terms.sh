#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests how an evaluation term is added, as core/README.md describes it: one line of weights.def and
# one call of add() or add_times(). In a copy of the tree, a term that depends on several pieces is
# fitted correctly, and the C test tuner_recovery passes with it. (journeys.py adds other terms: the
# example of README.md, random noise, copies of a term, and a term that never occurs.)
set -u
. tests/checks.sh
[ "$PAOTAI_FULL" = 1 ] || skip new_terms "only in test-full (it builds a copy of the program)"
/usr/bin/python3 -c 'import h5py' 2>"$out/h5py.txt" || skip new_terms "python3-h5py is not installed (make deps)"
tree=$out/tree
mkdir "$tree"
tar cf - Makefile paotai.c core datasets selfplay tuner bench tests README.md | (cd "$tree" && tar xf -)

cat >"$out/add.py" <<'END'
import sys
tree = sys.argv[1]
def edit(path, before, after):
    text = open(f"{tree}/{path}").read()
    assert text.count(before) == 1, (path, before, text.count(before))
    open(f"{tree}/{path}", "w").write(text.replace(before, after))
HERE = "    for (int type = GENERAL; type <= SOLDIER; type++) attacks->all[side]"
edit("core/eval/weights.def", "WEIGHT(table_general,",
     'WEIGHT(chariots_times_cannons, 1, CHARIOT, TOGETHER, NONE, 0, "a chariot, for each cannon of its side")\n'
     "WEIGHT(table_general,")
edit("core/eval/eval.c", HERE, """    add_times(adder, side, WEIGHT_INDEX(chariots_times_cannons),
              bb_count(position_pieces(position, side, CHARIOT)) *
                  bb_count(position_pieces(position, side, CANNON)));
""" + HERE)
END

build() {
    make -C "$tree" -j2 CC="${CC:-gcc}" CFLAGS=-O1 build/release/paotai build/release/paotai-test >"$out/make.txt" 2>&1 ||
        { tail -n 3 "$out/make.txt" && return 1; }
}
# draw.py ROWS TERM VALUE: replaces the results in the file ROWS by random ones, computed from
# weights in which TERM has the value VALUE. The fit must find this value.
cat >"$out/draw.py" <<'END'
import sys
import h5py
import numpy as np
path, term, worth, k, times = sys.argv[1], sys.argv[2], float(sys.argv[3]), 0.004, 12
random = np.random.default_rng(5)
with h5py.File(path, "r+") as f:
    names = [name.decode() for name in f["names"]]
    weights = f["start"][:].mean(axis=1)
    weights[names.index(f"{term}[0]")] = worth
    held = np.diff(f["indptr"][:].astype(int))
    rows = np.repeat(np.arange(len(held)), held)
    score = np.bincount(rows, weights=f["coefficient"][:] * weights[f["index"][:]], minlength=len(held))
    # Each position occurs several times, each time with its own result.
    columns = {name: np.tile(f[name][:], times) for name in ("index", "coefficient", "phase", "offset", "score", "mover")}
    columns["game"] = np.arange(times * len(held))
    columns["source"] = np.zeros(times * len(held), int)
    columns["indptr"] = np.concatenate([[0], np.cumsum(np.tile(held, times))])
    columns["result"] = (random.random((times, len(held))) < 1 / (1 + np.exp(-k * score))).astype(float).ravel()
    f["occurrences"][...] = times * f["occurrences"][:]
    del f["split"]
    for name, values in columns.items():
        del f[name]
        f[name] = values
END
fitted() {
    "$tree/build/release/paotai" selfplay --games 600 --nodes 20 --opening-nodes 0 --opening-plies 30 --weights classic --seed 3 \
        --threads 2 --quiet --out "$out/$1" >"$out/selfplay.txt" &&
        "$tree/build/release/paotai" data export --rows "$out/$1.h5" "$out/$1" --quiet >"$out/export.txt" &&
        /usr/bin/python3 "$out/draw.py" "$out/$1.h5" "$1" "$2" &&
        "$tree/build/release/paotai" tune --rows "$out/$1.h5" --lambda 1 --weigh rows --k 0.004 --prior-sd 300 --quiet --verbose \
            --out "$out/$1.txt" --errors "$out/$1.tsv" >"$out/$1.out"
}
# right TERM VALUE: the middlegame and the endgame weight of the term are both within 4 standard
# errors of VALUE, and the errors are small enough to distinguish both weights from 0.
right() {
    /usr/bin/python3 - "$out/$1" "$2" <<'END'
import re
import sys
path, worth = sys.argv[1], float(sys.argv[2])
# The results were generated at random from weights for which K is 0.004. The fitted values are
# converted to the units of these weights.
scale = float(re.search(r"^k (\S+)", open(path + ".out").read(), re.M)[1]) / 0.004
rows = [line.split("\t") for line in open(path + ".tsv") if line.startswith(path.rsplit("/", 1)[1])]
for row in rows:
    value, error = float(row[3]) * scale, float(row[4]) * scale
    if not (abs(value - worth) < 4 * error and error < worth / 3):
        sys.exit(f"{row[2]}: {value:.1f} +- {error:.1f}, not {worth}")
END
}

python3 "$out/add.py" "$tree"
check new_terms_builds_together "the copy with a product is not built, see above" build
check new_terms_fit_together "the games, their rows or the fit failed" fitted chariots_times_cannons 80
check new_terms_together "the fitted value of the product is not the one from which the results were drawn" right chariots_times_cannons 80
check new_terms_scale_together "the scale is not that of K" grep -qx 'scale k' "$out/chariots_times_cannons.out"
check new_terms_recovery_together "the recovery test fails with a product" \
    sh -c "cd '$tree' && build/release/paotai-test --only tuner_recovery"

# If the column `part` of weights.def is wrong, tune ends with an error. Without this check, the
# wrong column would change the evaluation silently.
sed -i 's/CHARIOT, TOGETHER, NONE, 0, "a chariot, for each/CHARIOT, ENTRY, NONE, 0, "a chariot, for each/' \
    "$tree/core/eval/weights.def"
check new_terms_builds_wrong "the copy with a wrong line in weights.def was not built" build
refuse new_terms_wrong_part 1 "centring, scaling and rounding the weights must not change scores" "$tree/build/release/paotai" tune --rows "$out/chariots_times_cannons.h5" --lambda 1 --k 0.004 --quiet
finish

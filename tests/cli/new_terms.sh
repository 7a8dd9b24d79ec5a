#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Adding an evaluation term as core/README.md describes: one line of weights.def and one add(). In a
# copy of the tree, a term that depends on several pieces is fitted correctly, and the recovery test
# passes with it. (recipes.py adds a term of a single kind.) Then the reports of tune and ablate
# about noise, copies and terms that never occur.
set -u
failures=0
out=$PAOTAI_SCRATCH
. tests/checks.sh
if [ "${PAOTAI_FULL:-0}" != 1 ]; then
    echo "SKIP new_terms: only in test-full (it builds a copy of the program)"
    exit 0
fi
if ! /usr/bin/python3 -c 'import h5py' 2>"$out/h5py.txt"; then
    echo "SKIP new_terms: python3-h5py is not here (make deps)"
    exit 0
fi
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
    (cd "$tree" && make -j2 CC="${CC:-gcc}" CFLAGS=-O1 build/release/paotai build/release/paotai-test >"$out/make.txt" 2>&1)
}
# Draws results from weights in which the new term $1 has the value $2. The fit must find this
# value.
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
# The mean of a term's middlegame and endgame weight is within 4 standard errors of the truth, in
# units of the scale, and the errors are small enough to distinguish it from 0.
right() {
    /usr/bin/python3 - "$out/$1" "$2" <<'END'
import re
import sys
path, worth = sys.argv[1], float(sys.argv[2])
# In units of the truth, for which K is 0.004.
scale = float(re.search(r"^k (\S+)", open(path + ".out").read(), re.M)[1]) / 0.004
rows = [line.split("\t") for line in open(path + ".tsv") if line.startswith(path.rsplit("/", 1)[1])]
for row in rows:
    value, error = float(row[3]) * scale, float(row[4]) * scale
    if not (abs(value - worth) < 4 * error and error < worth / 3):
        sys.exit(f"{row[2]}: {value:.1f} +- {error:.1f}, not {worth}")
END
}

python3 "$out/add.py" "$tree"
check new_terms_builds_together "the copy with a product is not built: $(tail -n 3 "$out/make.txt")" build
check new_terms_fit_together "no fit of a product" fitted chariots_times_cannons 80
check new_terms_together "the product is not what the results were drawn from" right chariots_times_cannons 80
check new_terms_scale_together "the scale is not that of K" grep -qx 'scale k' "$out/chariots_times_cannons.out"
check new_terms_recovery_together "the recovery test fails with a product" \
    sh -c "cd '$tree' && build/release/paotai-test --only tuner_recovery"

# A wrong assumption in a line of weights.def is an error and does not change the evaluation
# silently.
sed -i 's/CHARIOT, TOGETHER, NONE, 0, "a chariot, for each/CHARIOT, ENTRY, NONE, 0, "a chariot, for each/' \
    "$tree/core/eval/weights.def"
check new_terms_builds_wrong "the copy with a wrong part is not built" build
refuse new_terms_wrong_part 1 "do not predict the scores of the fitted weights" "$tree/build/release/paotai" tune --rows "$out/chariots_times_cannons.h5" --lambda 1 --k 0.004 --quiet

# ---- reports about new terms ---------------------------------------------------------------------
# Five terms: noise, an exact copy, a near copy, a term that never occurs in sampled positions, and
# a useful one. The useful one is the default's safe_check terms, removed from its weights.
cat >"$out/five.py" <<'END'
import re
import sys
tree = sys.argv[1]
def edit(path, change):
    text = open(f"{tree}/{path}").read()
    new = change(text)
    assert new != text, path
    open(f"{tree}/{path}", "w").write(new)
LINES = """WEIGHT(new_noise, 1, THREATS, FREE, NONE, 0, "a bit of a hash of the points of the side")
WEIGHT(new_copy, 1, CANNON, FREE, NONE, 0, "a cannon that is protected")
WEIGHT(new_near, 1, CANNON, FREE, NONE, 0, "three for a cannon that is protected, and one more by chance")
WEIGHT(new_never, 1, THREATS, FREE, NONE, 0, "the general in check by a chariot")
"""
CODE = """    const uint64_t mixed = ((uint64_t)position->by_side[side] ^ (uint64_t)(position->by_side[side] >> 64)) *
                           UINT64_C(0x9E3779B97F4A7C15);
    add_times(adder, side, WEIGHT_INDEX(new_noise), (int)(mixed >> 63));
    add_times(adder, side, WEIGHT_INDEX(new_never),
              (attack_chariot(position, position->general[side]) &
               position_pieces(position, side_other(side), CHARIOT)) != 0);
"""
THREATS = """    const int cannons = bb_count(kept & position->by_type[CANNON]);
    add_times(adder, side, WEIGHT_INDEX(new_copy), cannons);
    add_times(adder, side, WEIGHT_INDEX(new_near),
              3 * cannons + (((uint64_t)kept * UINT64_C(0x9E3779B97F4A7C15)) >> 61 == 0));
"""
HERE = "    for (int type = GENERAL; type <= SOLDIER; type++) attacks->all[side]"
PRESSED = "    Bitboard pressed = kept"
edit("core/eval/weights.def", lambda t: t.replace("WEIGHT(table_general,", LINES + "WEIGHT(table_general,"))
edit("core/eval/eval.c", lambda t: t.replace(HERE, CODE + HERE))
edit("core/eval/eval_threats.h", lambda t: t.replace(PRESSED, THREATS + PRESSED))
edit("core/eval/weights_default.txt", lambda t: re.sub(r"^(# se |# decided )?safe_check .*\n", "", t, flags=re.M))
END
mkdir "$out/tree5" && tree=$out/tree5
tar cf - Makefile paotai.c core datasets selfplay tuner bench tests README.md | (cd "$tree" && tar xf -)
python3 "$out/five.py" "$tree"
check new_terms_builds_five "the copy with five terms is not built: $(tail -n 3 "$out/make.txt")" build
program=$tree/build/release/paotai
"$program" selfplay --games 800 --nodes 150 --seed 1 --threads 2 --quiet --out "$out/five" >/dev/null
"$program" tune "$out/five" --weights default --quiet --out "$out/five.txt" >"$out/five.out"
says() { tr '\n' ' ' <"$out/five.out" | tr -s ' ' | grep -qE -- "$1"; }
check new_terms_never "tune does not say that a term never occurs" \
    says 'new_term new_never never: occurs in 0 of [1-9][0-9]* positions and in 0 of 800 games: nothing was measured'
check new_terms_copy "tune does not say that a term is a copy" \
    says 'new_term new_copy copy: other terms explain all of it \(R2 1.0000: protected 1.00\).*only the regularisation differs'
check new_terms_near "tune does not name the twin of a near copy" \
    says 'new_term new_near near copy: other terms explain R2 0.9[0-9]* of it \((protected|new_copy) '
check new_terms_useful "tune does not tell safe checks from 0" says 'new_term safe_check differs from 0'
check new_terms_noise "tune tells noise from 0" says 'new_term new_noise not told from 0'
check new_terms_verdict "the verdict leaves the new terms out" says 'verdict .*; new_copy: copy; new_near: near copy; new_never: never'
for term in new_never new_copy new_near safe_check new_noise; do
    "$program" ablate "$out/five" --terms "$term" --quiet --match-pairs 20 --nodes 50 --threads 2 --out "$out/ablated" >"$out/$term.out"
done
check new_terms_ablate_never "ablate measured what never occurs" \
    sh -c "grep -qx 'verdict never' '$out/new_never.out' && ! grep -q '^match_games' '$out/new_never.out'"
check new_terms_ablate_copy "ablate played a copy" sh -c "grep -qx 'verdict copy' '$out/new_copy.out' && ! grep -q '^match_games' '$out/new_copy.out' &&
    grep -q '^new_copy: copy: other terms explain all of it (R2 1.0000: protected 1.00).*only the regularisation differs' '$out/new_copy.out'"
check new_terms_ablate_near "ablate does not name the twin of a near copy" \
    grep -qE '^new_near: .*near copy: other terms explain R2 0\.9[0-9]+ of it \((protected|new_copy) ' "$out/new_near.out"
check new_terms_ablate_useful "safe checks do not help" grep -q '^safe_check: they help to predict' "$out/safe_check.out"
check new_terms_ablate_noise "noise helps" sh -c "grep -q '^new_noise: no difference seen in the loss' '$out/new_noise.out'"
# One verdict for each, by the whole step.
verdict() {
    "$program" term "$1" "$out/five" --rev none --quiet --nodes 100 --match-pairs 800 --threads 2 --out "$out/term" >"$out/term.out"
    grep -qxE "verdict $2" "$out/term.out"
}
check new_terms_term_never "term: another verdict than never" verdict new_never never
check new_terms_term_copy "term: another verdict than copy" verdict new_copy copy
check new_terms_term_near "term does not name the twin of a near copy" sh -c "'$program' term new_near '$out/five' --rev none --quiet \
    --nodes 50 --match-pairs 20 --threads 2 --out '$out/term' | grep -qE '^new_near: .*near copy: .*(protected|new_copy)'"
check new_terms_term_useful "term: safe checks are not kept" verdict safe_check keep
check new_terms_term_adopting "term does not say how a fit is adopted" sh -c "grep -q '^adopt make adopt WEIGHTS=' '$out/term.out' && grep -q '^retrain ' '$out/term.out'"
check new_terms_term_noise "term: noise is kept" verdict new_noise '(drop|undecided)'
[ "$failures" -eq 0 ]

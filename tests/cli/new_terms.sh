#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A new term of the evaluation, as the README of core says it is added: one line of weights.def and
# one add(). In a copy of the tree, one term for soldiers that stand side by side across the river
# and one for several pieces together; both are fitted right, and the recovery test passes with them.
set -u
failures=0
out=$PAOTAI_SCRATCH
. tests/checks.sh
if [ "${PAOTAI_FULL:-0}" != 1 ]; then
    echo "SKIP new_terms: only in test-full (it builds a copy of the program)"
    exit 0
fi
tree=$out/tree
mkdir "$tree"
tar cf - Makefile paotai.c core datasets selfplay tuner bench tests README.md | (cd "$tree" && tar xf -)

# ---- a linear term in a group ------------------------------------------------------------------------
cat >"$out/add.py" <<'END'
import sys
tree, kind = sys.argv[1:]
def edit(path, before, after):
    text = open(f"{tree}/{path}").read()
    assert text.count(before) == 1, (path, before, text.count(before))
    open(f"{tree}/{path}", "w").write(text.replace(before, after))
if kind == "linked":
    edit("core/eval/weights.def", "WEIGHT(table_general,",
         'WEIGHT(soldiers_linked, 1, SOLDIER_CROSSED, FREE, NONE, 0, "a soldier across the river beside another")\n'
         "WEIGHT(table_general,")
    edit("core/eval/eval.c", "        add(adder, side, WEIGHT_INDEX(material_soldier_crossed));\n",
         "        add(adder, side, WEIGHT_INDEX(material_soldier_crossed));\n"
         "        if (square % 9 < 8 && (position_pieces(position, side, SOLDIER) >> (square + 1) & 1)) {\n"
         "            add(adder, side, WEIGHT_INDEX(soldiers_linked));\n        }\n")
    edit("core/eval/eval.c", "void soldier_terms(Adder *adder, Side side, int square)",
         "void soldier_terms(Adder *adder, const Position *position, Side side, int square)")
    edit("core/eval/eval.c", "soldier_terms(adder, side, bb_pop(&pieces))", "soldier_terms(adder, position, side, bb_pop(&pieces))")
else:
    edit("core/eval/weights.def", "WEIGHT(table_general,",
         'WEIGHT(chariots_times_cannons, 1, CHARIOT, TOGETHER, NONE, 0, "a chariot, for each cannon of its side")\n'
         "WEIGHT(table_general,")
    edit("core/eval/eval.c", "    add(adder, side, WEIGHT_INDEX(material_chariot));\n",
         "    add(adder, side, WEIGHT_INDEX(material_chariot));\n"
         "    for (int left = bb_count(position_pieces(position, side, CANNON)); left > 0; left--) {\n"
         "        add(adder, side, WEIGHT_INDEX(chariots_times_cannons));\n    }\n")
END

build() {
    (cd "$tree" && make -j2 CC="${CC:-gcc}" CFLAGS=-O1 build/release/paotai build/release/paotai-test >"$out/make.txt" 2>&1)
}
# Weights that say what the new term is worth make the results of a fit to scores: it must say so again.
fitted() {
    "$tree/build/release/paotai" weights convert classic --out "$out/truth.txt"
    sed "s/^$1 .*/$1 $2 $3/" "$out/truth.txt" >"$out/bent.txt"
    "$tree/build/release/paotai" selfplay --games 500 --nodes 20 --opening-nodes 0 --opening-plies 30 --weights "$out/bent.txt" --seed 3 \
        --threads 2 --quiet --out "$out/$1" >"$out/selfplay.txt" &&
        "$tree/build/release/paotai" tune "$out/$1" --weights "$out/bent.txt" --freeze "$1" --lambda 0 --quiet \
            --out "$out/kept.txt" >"$out/kept.out" &&
        "$tree/build/release/paotai" tune "$out/$1" --weights "$out/truth.txt" --lambda 0 --prior-sd 300 --quiet --out "$out/$1.txt" \
            >"$out/$1.out"
}

python3 "$out/add.py" "$tree" linked
check new_terms_builds_linked "the copy with soldiers_linked is not built: $(tail -n 3 "$out/make.txt" 2>/dev/null)" build
check new_terms_fit_linked "no fit: $(cat "$out/soldiers_linked.out" 2>/dev/null | tail -n 1)" fitted soldiers_linked 120 120
# The truth was 120 beside a chariot of 900 and a crossed soldier of 200.
# shellcheck disable=SC2016 # the dollars are awk's
check new_terms_linked "soldiers_linked came out as $(grep ^soldiers_linked "$out/soldiers_linked.txt")" \
    awk '/^soldiers_linked / { exit !($2 > 40 && $3 > 40 && $2 < 260 && $3 < 260) }' "$out/soldiers_linked.txt"
check new_terms_scale_linked "the scale is not the chariot's" grep -qx 'scale chariot' "$out/soldiers_linked.out"
check new_terms_recovery_linked "the recovery test fails with soldiers_linked" \
    sh -c "cd '$tree' && build/release/paotai-test --only tuner_recovery"

# A line of weights.def that promises too much is an error, not another evaluation.
sed -i 's/SOLDIER_CROSSED, FREE, NONE, 0, "a soldier across the river beside/SOLDIER_CROSSED, ENTRY, NONE, 0, "a soldier across the river beside/' \
    "$tree/core/eval/weights.def"
check new_terms_builds_wrong "the copy with a wrong part is not built" build
refuse new_terms_wrong_part 1 "does not predict what was fitted" "$tree/build/release/paotai" tune "$out/soldiers_linked" --lambda 0 --quiet

# ---- pieces together ---------------------------------------------------------------------------------
sed -i '/^WEIGHT(soldiers_linked/d' "$tree/core/eval/weights.def"
sed -i '/soldiers_linked/d; /position_pieces(position, side, SOLDIER) >> (square + 1)/,+1d' "$tree/core/eval/eval.c"
cp core/eval/eval.c "$tree/core/eval/eval.c"
python3 "$out/add.py" "$tree" together
check new_terms_builds_together "the copy with a product is not built: $(tail -n 3 "$out/make.txt")" build
check new_terms_fit_together "no fit" fitted chariots_times_cannons 60 60
# shellcheck disable=SC2016 # the dollars are awk's
check new_terms_together "the product came out as $(grep ^chariots_times "$out/chariots_times_cannons.txt")" \
    awk '/^chariots_times_cannons / { exit !($2 > 20 && $3 > 20 && $2 < 120 && $3 < 120) }' "$out/chariots_times_cannons.txt"
check new_terms_scale_together "the scale is not that of K" grep -qx 'scale k' "$out/chariots_times_cannons.out"
check new_terms_recovery_together "the recovery test fails with a product" \
    sh -c "cd '$tree' && build/release/paotai-test --only tuner_recovery"
[ "$failures" -eq 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs of schema 1, in both forms that there were, made by tests/old_schema.py out of a run of today's: they are
# refused with the remedy, and upgraded they are the run again.
set -u
failures=0
out=$PAOTAI_SCRATCH
first() { find "$1" -name 'shard-*.h5' | sort | head -n 1; }
ok() {
    if [ "$3" -eq 0 ]; then echo "PASS $1"; else
        echo "FAIL $1: $2"
        failures=$((failures + 1))
    fi
}
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import h5py' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "SKIP upgrade: python3-h5py is not here (make deps)"
    exit 0
fi
hash_of() { "$PAOTAI" data info "$1" | sed -n 's/^content_hash //p'; }

"$PAOTAI" selfplay --games 12 --nodes 30 --noise-plies 20 --seed 5 --shard-games 5 --quiet --out "$out/run" >/dev/null
whole=$(hash_of "$out/run")
for form in steps targets first; do
    cp -r "$out/run" "$out/$form"
    "$python" tests/old_schema.py "$form" "$out/$form"/shard-*.h5 || ok "upgrade_make_$form" "h5py failed" 1
    "$PAOTAI" data verify --quiet "$out/$form" >"$out/said" 2>&1
    [ $? -eq 1 ] && grep -q 'schema_version is 1.*data upgrade --out DIR' "$out/said"
    ok "upgrade_refused_$form" "$(cat "$out/said")" $?
    "$PAOTAI" selfplay --games 20 --nodes 30 --noise-plies 20 --seed 5 --resume --quiet --out "$out/$form" >/dev/null 2>"$out/said"
    [ $? -eq 1 ] && grep -q 'data upgrade --out DIR' "$out/said"
    ok "upgrade_not_resumed_$form" "$(cat "$out/said")" $?
    "$PAOTAI" data upgrade --quiet --out "$out/$form-new" "$out/$form" >"$out/said" 2>&1 && grep -q '^upgraded 3$' "$out/said" &&
        "$PAOTAI" data verify --quiet "$out/$form-new" >>"$out/said"
    ok "upgrade_verifies_$form" "$(cat "$out/said")" $?
    # The first form has no preferred moves: all else must be as it was.
    if [ "$form" = first ]; then
        "$PAOTAI" data export --format moves "$out/run" >"$out/a" 2>&1 && "$PAOTAI" data export --format moves "$out/first-new" >"$out/b" 2>&1 &&
            [ -s "$out/a" ] && cmp -s "$out/a" "$out/b"
        ok upgrade_content_first "other games: $(diff "$out/a" "$out/b" | head -n 3)" $?
    else
        [ "$(hash_of "$out/$form-new")" = "$whole" ]
        ok "upgrade_content_$form" "$(hash_of "$out/$form-new") instead of $whole" $?
    fi
done
"$PAOTAI" data info "$out/targets-new" | grep '^provenance_source' | grep -q 'upgraded from schema 1, which version .* revision .* wrote' &&
    "$PAOTAI" data info "$out/targets-new" | grep -q '^provenance_options.*noise-plies=20'
ok upgrade_provenance "$("$PAOTAI" data info "$out/targets-new" | grep '^provenance')" $?

# A directory of old and new shards, then: nothing to do, a view, a newer schema, damage.
cp -r "$out/run" "$out/mixed"
cp "$(first "$out/targets")" "$out/mixed/"
"$PAOTAI" data upgrade --quiet --out "$out/mixed-new" "$out/mixed" >"$out/said" 2>&1 && grep -q '^upgraded 1$' "$out/said" &&
    [ "$(hash_of "$out/mixed-new")" = "$whole" ]
ok upgrade_mixed "$(cat "$out/said")" $?
"$PAOTAI" data upgrade --quiet --out "$out/again" "$out/run" >"$out/said" 2>&1
[ $? -eq 1 ] && grep -q 'nothing to upgrade' "$out/said" && [ ! -e "$out/again" ]
ok upgrade_nothing "$(cat "$out/said")" $?
"$PAOTAI" data upgrade --quiet --out "$out/mixed-new" "$out/targets" >"$out/said" 2>&1
[ $? -eq 2 ] && grep -q 'already holds games' "$out/said"
ok upgrade_into_another "$(cat "$out/said")" $?
"$PAOTAI" data merge --virtual --quiet --out "$out/view.h5" "$out/run" >/dev/null
for what in 'view:view of other shards:' 'newer:this program knows 1 to 2:' \
    'hash:content_hash is not that:f["plies/nodes"][3] = 77' 'moves:is no move:f["plies/move"][3] = 0x5a5a' \
    'positions:not those of the games:f["positions/move"][0] = f["positions/move"][1]'; do
    name=${what%%:*}
    rest=${what#*:}
    file=$out/$name.h5
    [ "$name" = view ] || cp "$(first "$out/run")" "$file"
    version=1
    [ "$name" = newer ] && version=3
    PYTHONPATH=tests "$python" -B -c "import sys, h5py, numpy as np, old_schema
file, change, name = sys.argv[1:]
if name in ('hash', 'moves', 'positions'): old_schema.rewrite('first' if name == 'moves' else 'targets', file)
with h5py.File(file, 'r+') as f:
    f.attrs['schema_version'] = np.uint64($version)
    exec(change)
if name == 'positions': old_schema.stamp(file)" "$file" "${rest#*:}" "$name"
    "$PAOTAI" data upgrade --quiet --out "$out/refused" "$file" >"$out/said" 2>&1
    [ $? -eq 1 ] && grep -q "${rest%%:*}" "$out/said" && [ -z "$(ls "$out/refused" 2>/dev/null)" ]
    ok "upgrade_refuses_$name" "$(cat "$out/said")" $?
done
exit $((failures > 0))

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The store as others read it: the ten lines of datasets/README.md, its tables, the content hash
# computed from its words, and files that are no shards of ours.
set -u
. tests/checks.sh

if sh tests/datasets_readme.sh >"$PAOTAI_SCRATCH/README.md"; then
    result datasets_readme_tables "$(diff datasets/README.md "$PAOTAI_SCRATCH/README.md" | head -n 10)"
else
    result datasets_readme_tables "datasets/README.md has no marks for the tables"
fi

python=$(python_with h5py)
[ -n "$python" ] || skip h5py "python3-h5py is not here (make deps)"

run=$PAOTAI_SCRATCH/run
"$PAOTAI" selfplay --games 12 --nodes 30 --seed 5 --shard-games 5 --quiet --out "$run" >/dev/null ||
    result h5py_run "selfplay failed"
info=$("$PAOTAI" data info --quiet "$run")
positions=$(echo "$info" | sed -n 's/^positions //p')
content=$(echo "$info" | sed -n 's/^content_hash //p')

# shellcheck disable=SC2016 # the quotes of Markdown
sed -n '/^```python/,/^```$/p' datasets/README.md | sed '/^```/d' >"$PAOTAI_SCRATCH/snippet.py"
lines=$(wc -l <"$PAOTAI_SCRATCH/snippet.py")
result h5py_snippet_is_short "$([ "$lines" -le 10 ] || echo "$lines lines")"
"$python" "$PAOTAI_SCRATCH/snippet.py" "$run" >"$PAOTAI_SCRATCH/out" 2>&1 ||
    result h5py_snippet_runs "$(cat "$PAOTAI_SCRATCH/out")"
read_positions=$(sed -n 's/.* (\([0-9]*\), 10, 9) .*/\1/p' "$PAOTAI_SCRATCH/out" | awk '{ n += $1 } END { print n + 0 }')
result h5py_snippet "$([ "$read_positions" = "$positions" ] ||
    echo "it reads $read_positions positions, not $positions: $(cat "$PAOTAI_SCRATCH/out")")"

"$python" tests/read_shards.py "$run" "$content" >"$PAOTAI_SCRATCH/out" 2>&1
status=$?
cat "$PAOTAI_SCRATCH/out"
[ "$status" -eq 0 ] || result read_shards "exit status $status"

# What is no shard of ours is refused with a reason, by info and verify alike.
shard=$(find "$run" -name 'shard-*.h5' | sort | head -n 1)
change() { # NAME PATTERN PYTHON: changes a copy with h5py; both commands must say PATTERN
    cp "$shard" "$PAOTAI_SCRATCH/changed.h5"
    "$python" -c "import h5py, numpy as np
with h5py.File('$PAOTAI_SCRATCH/changed.h5', 'r+') as f:
    $3" || result "$1" "h5py failed"
    for command in info verify; do
        said=$("$PAOTAI" data "$command" --quiet "$PAOTAI_SCRATCH/changed.h5" 2>&1)
        code=$?
        result "h5py_$1_$command" "$([ "$code" -eq 1 ] || echo "exit status $code"
            echo "$said" | grep -q "$2" || echo "'$said' does not say '$2'")"
    done
}
change newer_schema 'schema_version is 3.*this program reads 2.*that wrote it' 'f.attrs["schema_version"] = np.uint64(3)'
change older_schema 'schema_version is 1.*this program reads 2.*that wrote it' 'f.attrs["schema_version"] = np.uint64(1)'
change other_format "format is 'else'" 'f.attrs["format"] = np.bytes_("else")'
change no_column 'plies/*: *move' 'del f["plies/move"]'
change short_column 'side has 3 rows' 'del f["plies/side"]; f["plies/side"] = np.zeros(3, "u1")'
change wrong_type 'stm: not a list of the type' 'n = len(f["positions/stm"]); del f["positions/stm"]; f["positions/stm"] = np.zeros(n, "f4")'
change no_group 'provenance' 'del f["provenance"]'
change missing_chunks 'parts of the data are damaged, missing' \
    'n = len(f["plies/move"]); del f["plies/move"]; f.create_dataset("plies/move", (n,), "<u2", chunks=(n,))'
change short_chunk 'parts of the data are damaged, missing' \
    'n = len(f["plies/move"]); del f["plies/move"]; f.create_dataset("plies/move", (n,), "<u2", chunks=(n,), fletcher32=True).id.write_direct_chunk((0,), b"ab")'
for value in games/result=5 games/start_stm=7 plies/side=7 positions/result=-7; do
    cp "$shard" "$PAOTAI_SCRATCH/changed.h5"
    "$python" -c "import h5py
with h5py.File('$PAOTAI_SCRATCH/changed.h5', 'r+') as f: f['${value%=*}'][0] = ${value#*=}"
    said=$("$PAOTAI" data merge --quiet --out "$PAOTAI_SCRATCH/merged" "$PAOTAI_SCRATCH/changed.h5" 2>&1)
    code=$?
    rm -rf "$PAOTAI_SCRATCH/merged"
    result "h5py_value_${value%=*}" "$([ "$code" -eq 1 ] && echo "$said" | grep -q "row 0 is ${value#*=}" || echo "exit status $code: $said")"
done
cp "$shard" "$PAOTAI_SCRATCH/changed.h5"
"$python" -c "import h5py
with h5py.File('$PAOTAI_SCRATCH/changed.h5', 'r+') as f: f['games/result'][0] = 0 if f['games/result'][0] else 1"
for command in "tune" "data merge --out $PAOTAI_SCRATCH/changed-merge" "rescore --out $PAOTAI_SCRATCH/changed-scores --nodes 5"; do
    # shellcheck disable=SC2086 # a list of words
    said=$("$PAOTAI" $command --quiet "$PAOTAI_SCRATCH/changed.h5" 2>&1)
    code=$?
    result "h5py_changed_content_${command%% --out*}" "$([ "$code" -eq 1 ] && echo "$said" | grep -q "changed.h5: its content has changed" || echo "exit status $code: $said")"
done
# No file reads another one, whatever it may be, and none loads code.
change end_game 'are no range' 'f.attrs["end_game"] = np.uint64(2**63)'
change external_storage 'nodes: its values lie in another file' \
    'n = len(f["plies/nodes"]); del f["plies/nodes"]; f.create_dataset("plies/nodes", (n,), "<u4", external=[("/etc/passwd", 0, 4 * n)])'
change external_link 'plies: ' "del f['plies']; f['plies'] = h5py.ExternalLink('$shard', '/plies')"
change virtual 'its values lie in another file' \
    "v = h5py.VirtualLayout(f['plies/nodes'].shape, '<u4'); v[:] = h5py.VirtualSource('$shard', 'plies/nodes', v.shape); del f['plies/nodes']; f.create_virtual_dataset('plies/nodes', v)"
change user_filter 'packed with a filter that is not read' \
    'd = f["plies/nodes"][:]; del f["plies/nodes"]; p = h5py.h5p.create(h5py.h5p.DATASET_CREATE); p.set_chunk((len(d),)); p.set_filter(300, h5py.h5z.FLAG_OPTIONAL); h5py.h5d.create(f["plies"].id, b"nodes", h5py.h5t.STD_U32LE, h5py.h5s.create_simple((len(d),)), p).write(h5py.h5s.ALL, h5py.h5s.ALL, d)'
cp "$shard" "$PAOTAI_SCRATCH/changed.h5"
"$python" -c "import h5py
with h5py.File('$PAOTAI_SCRATCH/changed.h5', 'r+') as f:
    f['games/result'][0] = 1 if f['games/result'][0] != 1 else -1"
said=$("$PAOTAI" data verify --quiet --faults 1000 "$PAOTAI_SCRATCH/changed.h5" 2>&1)
code=$?
result h5py_changed_result "$([ "$code" -eq 1 ] || echo "exit status $code"
    echo "$said" | grep -q 'game 0' || echo "no fault of game 0: $said"
    echo "$said" | grep -q 'content_hash is not that' || echo "no fault of the hash: $said")"
finish

# SPDX-License-Identifier: GPL-3.0-or-later
# read_shards.py DIR HASH: what datasets/README.md says of a run, checked without the program.
import glob
import hashlib
import re
import sys

import h5py
import numpy as np

sys.path.insert(0, "datasets")
import paotai  # noqa: E402

ORDER = {}
with open("datasets/README.md", encoding="utf-8") as readme:
    for line in readme:
        column = re.match(r"\| `/(\w+)/(\w+)` ", line)
        if column and column[1] != "tags" and column[2] != "time_ms":  # self-play has none of them
            ORDER.setdefault(column[1], []).append(column[2])
failed = False


def check(name, good, why):
    global failed
    failed = failed or not good
    print(f"PASS {name}" if good else f"FAIL {name}: {why}")


def records(group, names):
    """The rows of a group as packed bytes in the order of the table."""
    columns = [np.ascontiguousarray(group[name][:]) for name in names]
    packed = [column.reshape(len(column), -1).view(np.uint8).reshape(len(column), -1) for column in columns]
    return np.concatenate(packed, axis=1)


def squares_of(board):
    slots = []
    for side in (0, 8):
        for kind, count in ((1, 1), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 5)):
            found = [square for square in range(90) if board[square] == kind + side]
            slots += found + [255] * (count - len(found))
    return np.array(slots, np.uint8)


outer = hashlib.sha256()
attributes = filters = replay = ""
for name in sorted(glob.glob(sys.argv[1] + "/shard-*.h5")):
    with h5py.File(name, "r") as f:
        rows = {group: records(f[group], names) for group, names in ORDER.items()}
        counts, index, owner = f["games/ply_count"][:], f["games/index"][:], f["positions/game"][:]
        sampled, squares = f["plies/sampled"][:], f["positions/squares"][:]
        for group, names in ORDER.items():
            if sorted(f[group]) != sorted(names):
                attributes += f"{name}: /{group} has {sorted(f[group])}\n"
            for column in names:
                data = f[group][column]
                if not {"unit", "description"} <= set(data.attrs):
                    attributes += f"{name}: /{group}/{column} has {list(data.attrs)}\n"
                used = {data._filters and key for key in data._filters}
                if len(data) and (used != {"shuffle", "gzip", "fletcher32"} or data.chunks[0] > 65536):
                    filters += f"{name}: /{group}/{column} has {used}, chunks {data.chunks}\n"
    ply = position = 0
    run = paotai.Run(name)
    for game, count in enumerate(counts):
        inner = hashlib.sha256(rows["games"][game].tobytes())
        inner.update(rows["plies"][ply : ply + count].tobytes())
        boards = run[game].boards().reshape(-1, 90)
        for at in range(ply, ply + count):
            if sampled[at]:
                if owner[position] != index[game] or (squares[position] != squares_of(boards[at - ply])).any():
                    replay += f"{name}: game {index[game]}, ply {at - ply}\n"
                inner.update(rows["positions"][position].tobytes())
                position += 1
        ply += count
        outer.update(inner.digest())
check("h5py_attributes", not attributes, attributes)
check("h5py_filters", not filters, filters)
check("h5py_positions_replayed", not replay, replay)
check("h5py_content_hash", outer.hexdigest() == sys.argv[2], f"{outer.hexdigest()} is not {sys.argv[2]}")
sys.exit(failed)

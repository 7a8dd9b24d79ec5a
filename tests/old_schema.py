# SPDX-License-Identifier: GPL-3.0-or-later
# old_schema.py FORM FILE...: makes shards of schema 1 of those of schema 2, in place. FORM is `steps` (moves as today),
# `targets` (moves as two squares), or `first` (the same, without the columns that came later).
import hashlib
import re
import sys

import h5py
import numpy as np

LATER = {
    "games": ["adjudicated_ply", "adjudicated_result", "red_player", "black_player", "extra_plies"],
    "plies": ["side", "best"],
}
MOVES = ["plies/move", "plies/best", "positions/move"]
ORDER = {}
with open("datasets/README.md", encoding="utf-8") as readme:
    for line in readme:
        column = re.match(r"\| `/(\w+)/(\w+)` ", line)
        if column:
            ORDER.setdefault(column[1], []).append(column[2])


def targets(moves):
    origin, step = moves & 255, moves >> 8
    return np.where(moves == 0, 0, origin | ((origin + step) & 255) << 8).astype("<u2")


def stamp(name):
    """Writes the content hash of what the file holds."""
    with h5py.File(name, "r+") as f:
        rows = {}
        for group, columns in ORDER.items():
            values = [np.ascontiguousarray(f[group][column][:]) for column in columns if column in f[group]]
            rows[group] = np.concatenate([v.reshape(len(v), -1).view(np.uint8).reshape(len(v), -1) for v in values], axis=1)
        outer, ply, position = hashlib.sha256(), 0, 0
        owner = f["positions/game"][:]
        for i, (index, count) in enumerate(zip(f["games/index"][:], f["games/ply_count"][:])):
            digest = hashlib.sha256(rows["games"][i].tobytes())
            digest.update(rows["plies"][ply : ply + count].tobytes())
            ply += count
            end = position + np.count_nonzero(owner == index)
            digest.update(rows["positions"][position:end].tobytes())
            position = end
            outer.update(digest.digest())
        f.attrs["content_hash"] = np.bytes_(outer.hexdigest())


def rewrite(form, name):
    with h5py.File(name, "r+") as f:
        f.attrs["schema_version"] = np.uint64(1)
        if form != "steps":
            for column in MOVES:
                f[column][:] = targets(f[column][:])
                f[column].attrs["unit"] = np.bytes_("from + 256 to")
        if form == "first":
            for group, columns in LATER.items():
                for column in columns:
                    del f[group][column]
    stamp(name)


if __name__ == "__main__":
    for file in sys.argv[2:]:
        rewrite(sys.argv[1], file)

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the store as other programs read it: the example lines and tables of datasets/README.md, the
# content hash computed by its description, and files that are no valid shards.
import glob
import hashlib
import re
import shutil
import subprocess
import sys

from checks import finish, need, outcome, paotai, report, result, same, scratch, values, want, write

made = subprocess.run(["sh", "tests/datasets_readme.sh"], capture_output=True, encoding="utf-8")
with open("datasets/README.md", encoding="utf-8") as file:
    README = file.read()
result("datasets_readme_tables", made.stderr or ("" if made.stdout == README else "datasets/README.md is not what 'make readme' makes"))
need("h5py", "h5py", "numpy")
sys.path.insert(0, "datasets")
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import paotai as module  # noqa: E402

RUN = scratch("run")
paotai("selfplay", "--games", "12", "--nodes", "30", "--seed", "5", "--shard-games", "5", "--quiet", "--out", RUN)
info = values(paotai("data", "info", "--quiet", RUN).stdout)
snippet = re.search(r"^```python\n(.*?)^```", README, re.M | re.S)[1]
done = subprocess.run([sys.executable, write("snippet.py", snippet), RUN], capture_output=True, text=True)
same("h5py_snippet", (snippet.count("\n") <= 10, sum(map(int, re.findall(r"\((\d+), 10, 9\) ", done.stdout)))), (True, int(info["positions"])))

# ---- datasets/README.md read without the program --------------------------------------------------
ORDER = {}
for group, column in re.findall(r"^\| `/(\w+)/(\w+)` ", README, re.M):
    if group != "tags" and column != "time_ms":  # self-play writes no tags and measures no time
        ORDER.setdefault(group, []).append(column)


def records(group, names):
    """Returns the rows of an HDF5 group as packed bytes, with the columns in the order of `names`."""
    columns = [np.ascontiguousarray(group[name][:]) for name in names]
    return np.concatenate([column.reshape(len(column), -1).view(np.uint8).reshape(len(column), -1) for column in columns], axis=1)


def squares_of(board):
    slots = []
    for side in (0, 8):
        for kind, count in ((1, 1), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 5)):
            found = [square for square in range(90) if board[square] == kind + side]
            slots += found + [255] * (count - len(found))
    return np.array(slots, np.uint8)


outer = hashlib.sha256()
for name in sorted(glob.glob(RUN + "/shard-*.h5")):
    with h5py.File(name, "r") as f:
        rows = {group: records(f[group], names) for group, names in ORDER.items()}
        counts, index, owner = f["games/ply_count"][:], f["games/index"][:], f["positions/game"][:]
        sampled, squares = f["plies/sampled"][:], f["positions/squares"][:]
        for group, names in ORDER.items():
            want(sorted(f[group]) == sorted(names), f"/{group} has {sorted(f[group])}")
            for column in names:
                data = f[group][column]
                want({"unit", "description"} <= set(data.attrs), f"/{group}/{column} has {list(data.attrs)}")
                want(not len(data) or set(data._filters) == {"shuffle", "gzip", "fletcher32"} and data.chunks[0] <= 65536,
                     f"/{group}/{column} has {set(data._filters)}, chunks {data.chunks}")
    ply = position = 0
    run = module.Run(name)
    for game, count in enumerate(counts):
        inner = hashlib.sha256(rows["games"][game].tobytes())
        inner.update(rows["plies"][ply:ply + count].tobytes())
        boards = run[game].boards().reshape(-1, 90)
        for at in np.flatnonzero(sampled[ply:ply + count]):
            want(owner[position] == index[game] and (squares[position] == squares_of(boards[at])).all(), f"game {index[game]}, ply {at} is not replayed")
            inner.update(rows["positions"][position].tobytes())
            position += 1
        ply += count
        outer.update(inner.digest())
want(outer.hexdigest() == info["content_hash"], f"content hash {outer.hexdigest()}, not {info['content_hash']}")
report("h5py_as_documented")

# ---- files that are no valid shards ---------------------------------------------------------------
SHARD = min(glob.glob(RUN + "/shard-*.h5"))


def changed(change):
    """Returns the path of a copy of SHARD that change(file) has changed."""
    path = scratch("changed.h5")
    shutil.copy(SHARD, path)
    with h5py.File(path, "r+") as f:
        change(f)
    return path


def put(name, value):
    return lambda f: f[name].write_direct(np.array([value], f[name].dtype), dest_sel=np.s_[0:1])


def instead(name, make):
    """Returns a function that deletes a column of a file and calls make(file, name of the column, its values)."""
    def change(f):
        held = f[name][:]
        del f[name]
        make(f, name, held)
    return change


def attribute(name, value):
    return lambda f: f.attrs.__setitem__(name, value)


def filtered(f, name, held):
    packing = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    packing.set_chunk((len(held),))
    packing.set_filter(300, h5py.h5z.FLAG_OPTIONAL)
    h5py.h5d.create(f.id, name.encode(), h5py.h5t.STD_U32LE, h5py.h5s.create_simple(held.shape), packing).write(h5py.h5s.ALL, h5py.h5s.ALL, held)


def linked(f):
    del f["plies"]
    f["plies"] = h5py.ExternalLink(SHARD, "/plies")


def virtual(f, name, held):
    layout = h5py.VirtualLayout(held.shape, "<u4")
    layout[:] = h5py.VirtualSource(SHARD, name, held.shape)
    f.create_virtual_dataset(name, layout)


DAMAGED = "parts of the data are damaged, missing"
# The program must refuse each of these damaged or changed files with the reason. It must not follow
# links to other files, nor load a filter plugin.
for name, words, change in (
        ("newer_schema", "schema_version 3.*this program reads only 2.*that wrote the file", attribute("schema_version", np.uint64(3))),
        ("older_schema", "schema_version 1.*this program reads only 2.*that wrote the file", attribute("schema_version", np.uint64(1))),
        ("other_format", "the attribute format is 'else'", attribute("format", np.bytes_("else"))),
        ("no_column", "plies/*: *move", instead("plies/move", lambda *_: None)),
        ("short_column", "side has 3 rows", instead("plies/side", lambda f, name, held: f.create_dataset(name, data=np.zeros(3, "u1")))),
        ("wrong_type", "stm: the data set does not have the form and type", instead("positions/stm", lambda f, name, held: f.create_dataset(name, data=held.astype("f4")))),
        ("no_group", "provenance", lambda f: f.__delitem__("provenance")),
        ("missing_chunks", DAMAGED, instead("plies/move", lambda f, name, held: f.create_dataset(name, held.shape, "<u2", chunks=held.shape))),
        ("short_chunk", DAMAGED, instead("plies/move", lambda f, name, held: f.create_dataset(
            name, held.shape, "<u2", chunks=held.shape, fletcher32=True).id.write_direct_chunk((0,), b"ab"))),
        ("end_game", "do not form a range", attribute("end_game", np.uint64(2**63))),
        ("external_storage", "nodes: its values are in another file", instead("plies/nodes", lambda f, name, held: f.create_dataset(
            name, held.shape, "<u4", external=[("/etc/passwd", 0, 4 * len(held))]))),
        ("external_link", "plies: ", linked),
        ("virtual", "its values are in another file", instead("plies/nodes", virtual)),
        ("user_filter", "its compression filter is not supported", instead("plies/nodes", filtered))):
    path = changed(change)
    for command in ("info", "verify"):
        code, out, err = outcome("data", command, "--quiet", path)
        result(f"h5py_{name}_{command}", "" if code == 1 and re.search(words, out + err) else f"exit status {code}: {out}{err}")
for name, value in (("games/result", 5), ("games/start_stm", 7), ("plies/side", 7), ("positions/result", -7)):
    code, out, err = outcome("data", "merge", "--quiet", "--out", scratch("merged"), changed(put(name, value)))
    result("h5py_value_" + name, "" if code == 1 and f"row 0 has the value {value}" in err else f"exit status {code}: {err}")
with h5py.File(SHARD, "r") as f:
    other = 0 if f["games/result"][0] else 1
path = changed(put("games/result", other))
for words in (["tune"], ["data", "merge", "--out", scratch("merged")], ["rescore", "--nodes", "5", "--out", scratch("scores")]):
    code, out, err = outcome(*words, "--quiet", path)
    result("h5py_changed_content_" + words[0], "" if code == 1 and "changed.h5: the games in the file have changed" in err else f"exit status {code}: {err}")
code, out, err = outcome("data", "verify", "--quiet", "--faults", "1000", path)
result("h5py_changed_result", "" if code == 1 and "game 0" in out and "do not match the content_hash" in out else f"exit status {code}: {out}{err}")
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# A million positions: played in two ranges, verified, merged, split, exported and read by h5py. Only in
# make test-full; what it took is in the lines that begin with '#'.
import glob
import os
import subprocess
import sys
import time

from checks import FULL, check, finish, paotai, scratch, skip

WANTED = 1_000_000

if not FULL:
    skip("million", "a million positions are made in make test-full")
    finish()


def run(name, *args):
    """The key-value lines of a command that must succeed; its time is printed."""
    start = time.monotonic()
    done = paotai(*args, timeout=3000)
    seconds = time.monotonic() - start
    values = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line and line[0] != "#")
    rate = int(values.get("positions") or values.get("source_positions") or 0) / seconds
    print(f"# {name}: {seconds:.1f} s" + (f", {rate:.0f} positions/s" if rate else ""), flush=True)
    if done.returncode != 0:
        check(name, False, f"{args}: exit status {done.returncode}: {done.stderr}")
    return values


games, positions, part = 0, 0, 0
while positions < WANTED:
    played = run(f"play{part}", "selfplay", "--games", f"{games}:{games + 4000}", "--nodes", "12", "--opening-nodes", "0",
                 "--max-plies", "200", "--threads", "2", "--quiet", "--out", scratch(f"part{part}"))
    positions += int(played["positions"])
    games, part = games + 4000, part + 1
parts = [scratch(f"part{i}") for i in range(part)]
for i, name in enumerate(parts):
    check(f"million_verify_part{i}", run(f"verify{i}", "data", "verify", "--threads", "2", "--quiet", name).get("verdict") == "true")
merged = run("merge", "data", "merge", "--quiet", "--out", scratch("all"), *reversed(parts))
check("million_merged", (int(merged["games"]), int(merged["positions"])) == (games, positions), merged)
check("million_verify", run("verify", "data", "verify", "--threads", "2", "--quiet", scratch("all")).get("content_hash") == merged["content_hash"])
info = run("info", "data", "info", "--threads", "2", "--quiet", scratch("all"))
check("million_info", info["content_hash"] == merged["content_hash"], info)
bytes_all = sum(os.path.getsize(name) for name in glob.glob(scratch("all/*.h5")))
print(f"# {info['games']} games, {info['plies']} plies, {info['positions']} positions, {bytes_all} bytes")
split = run("split", "data", "split", "--quiet", "--out", scratch("parts"), scratch("all"))
check("million_split", sum(int(split[f"{name}_positions"]) for name in ("train", "valid", "test")) == positions, split)
exported = run("export", "data", "export", "--format", "csv", "--quiet", "--out", scratch("all.csv"), scratch("all"))
with open(scratch("all.csv"), "rb") as file:
    lines = sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
check("million_export", (int(exported["positions"]), lines) == (positions, positions + 1), (exported, lines))

python = next((name for name in ("python3", "/usr/bin/python3") if subprocess.run([name, "-c", "import h5py"], capture_output=True).returncode == 0), None)
if not python:
    skip("million_h5py", "python3-h5py is not here (make deps)")
else:
    script = """
import glob, sys, h5py
total = stored = plies = ply_bytes = 0
for name in glob.glob(sys.argv[1]):
    with h5py.File(name, "r") as f:
        total += f["positions/squares"][:].shape[0]
        plies += len(f["plies/move"])
        stored += sum(f["positions"][column].id.get_storage_size() for column in f["positions"])
        ply_bytes += sum(f["plies"][column].id.get_storage_size() for column in ("move", "score_red", "mate_red"))
print(total, round(stored / total, 3), round(ply_bytes / plies, 3))
"""
    for pattern in (scratch("all/*.h5"), scratch("all.h5")):
        start = time.monotonic()
        done = subprocess.run([python, "-c", script, pattern], capture_output=True, text=True)
        words = done.stdout.split()
        check("million_h5py", words and int(words[0]) == positions, done.stdout + done.stderr)
        if words and pattern == scratch("all/*.h5"):
            print(f"# h5py: {time.monotonic() - start:.1f} s, {words[1]} bytes a position, {words[2]} bytes a ply for moves and scores")
            check("million_bytes", float(words[1]) <= 7.2 and float(words[2]) <= 3.0, words)
finish()

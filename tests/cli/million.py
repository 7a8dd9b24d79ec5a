# SPDX-License-Identifier: GPL-3.0-or-later
# A million positions: played in two ranges, verified, merged, split, exported and read by h5py. Only in
# make test-full; what it took is in the lines that begin with '#'.
import glob
import os
import subprocess
import sys
import time

PAOTAI = os.environ["PAOTAI"]
SCRATCH = os.environ["PAOTAI_SCRATCH"]
WANTED = 1_000_000
failed = False

if os.environ.get("PAOTAI_FULL") != "1":
    print("SKIP million: a million positions are made in make test-full")
    sys.exit(0)


def check(name, good, why=""):
    global failed
    failed = failed or not good
    print(f"PASS {name}" if good else f"FAIL {name}: {str(why)[:600]}", flush=True)


def at(name):
    return os.path.join(SCRATCH, name)


def run(name, *args):
    """The key-value lines of a command that must succeed; its time is printed."""
    start = time.monotonic()
    done = subprocess.run([PAOTAI, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=3000)
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
                 "--max-plies", "200", "--threads", "2", "--quiet", "--out", at(f"part{part}"))
    positions += int(played["positions"])
    games, part = games + 4000, part + 1
parts = [at(f"part{i}") for i in range(part)]
for i, name in enumerate(parts):
    check(f"million_verify_part{i}", run(f"verify{i}", "data", "verify", "--threads", "2", "--quiet", name).get("verdict") == "true")
merged = run("merge", "data", "merge", "--quiet", "--out", at("all"), *reversed(parts))
check("million_merged", (int(merged["games"]), int(merged["positions"])) == (games, positions), merged)
check("million_verify", run("verify", "data", "verify", "--threads", "2", "--quiet", at("all")).get("content_hash") == merged["content_hash"])
info = run("info", "data", "info", "--threads", "2", "--quiet", at("all"))
check("million_info", info["content_hash"] == merged["content_hash"], info)
bytes_all = sum(os.path.getsize(name) for name in glob.glob(at("all/*.h5")))
print(f"# {info['games']} games, {info['plies']} plies, {info['positions']} positions, {bytes_all} bytes")
split = run("split", "data", "split", "--quiet", "--out", at("parts"), at("all"))
check("million_split", sum(int(split[f"{name}_positions"]) for name in ("train", "valid", "test")) == positions, split)
exported = run("export", "data", "export", "--format", "csv", "--quiet", "--out", at("all.csv"), at("all"))
with open(at("all.csv"), "rb") as file:
    lines = sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
check("million_export", (int(exported["positions"]), lines) == (positions, positions + 1), (exported, lines))

python = next((name for name in ("python3", "/usr/bin/python3") if subprocess.run([name, "-c", "import h5py"], capture_output=True).returncode == 0), None)
if not python:
    print("SKIP million_h5py: python3-h5py is not here (make deps)")
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
    for pattern in (at("all/*.h5"), at("all.h5")):
        start = time.monotonic()
        done = subprocess.run([python, "-c", script, pattern], capture_output=True, text=True)
        words = done.stdout.split()
        check("million_h5py", words and int(words[0]) == positions, done.stdout + done.stderr)
        if words and pattern == at("all/*.h5"):
            print(f"# h5py: {time.monotonic() - start:.1f} s, {words[1]} bytes a position, {words[2]} bytes a ply for moves and scores")
            check("million_bytes", float(words[1]) <= 7.2 and float(words[2]) <= 3.0, words)
sys.exit(failed)

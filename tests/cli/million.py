# SPDX-License-Identifier: GPL-3.0-or-later
# Tests a million positions: they are played in ranges, verified, merged, split, exported, and read
# by h5py. Runs only in make test-full. Output lines that begin with '#' show times and sizes.
import glob
import time

from checks import FULL, check, finish, need, paotai, same, scratch, skip, values

WANTED = 1_000_000
if not FULL:
    skip("million", "a million positions are made in make test-full")
    finish()
need("million", "h5py")
import h5py  # noqa: E402


def run(*args):
    """Runs a command that must succeed, prints its time, and returns its key-value lines."""
    start = time.monotonic()
    done = paotai(*args, "--quiet", timeout=3000)
    print(f"# {args[1] if args[0] == 'data' else args[0]}: {time.monotonic() - start:.1f} s", flush=True)
    check("million_" + "_".join(args[:2]).replace("-", ""), done.returncode == 0, done.stderr)
    return values(done.stdout)


games = positions = 0
parts = []
while positions < WANTED:
    parts.append(scratch(f"part{games}"))
    positions += int(run("selfplay", "--games", f"{games}:{games + 4000}", "--nodes", "12", "--opening-nodes", "0", "--max-plies", "200",
                         "--threads", "2", "--out", parts[-1])["positions"])
    games += 4000
merged = run("data", "merge", "--out", scratch("all"), *reversed(parts))
same("million_merged", (int(merged["games"]), int(merged["positions"])), (games, positions))
for command in ("verify", "info"):
    same("million_same_" + command, run("data", command, "--threads", "2", scratch("all")).get("content_hash"), merged["content_hash"])
split = run("data", "split", "--out", scratch("parts"), scratch("all"))
same("million_parts", sum(int(split[f"{name}_positions"]) for name in ("train", "valid", "test")), positions)
exported = run("data", "export", "--format", "csv", "--out", scratch("all.csv"), scratch("all"))
with open(scratch("all.csv"), "rb") as file:
    same("million_lines", (int(exported["positions"]), sum(1 for _ in file)), (positions, positions + 1))
read = stored = plies = of_plies = 0
for name in glob.glob(scratch("all/*.h5")):
    with h5py.File(name, "r") as f:
        read += f["positions/squares"][:].shape[0]
        plies += len(f["plies/move"])
        stored += sum(f["positions"][column].id.get_storage_size() for column in f["positions"])
        of_plies += sum(f["plies"][column].id.get_storage_size() for column in ("move", "score_red", "mate_red"))
same("million_read", read, positions)
print(f"# {stored / read:.3f} bytes a position, {of_plies / plies:.3f} bytes a ply for moves and scores")
check("million_bytes", stored <= 7.2 * read and of_plies <= 3 * plies, "a position has more than 7.2 bytes, or a ply more than 3")
finish()

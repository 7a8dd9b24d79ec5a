# SPDX-License-Identifier: GPL-3.0-or-later
"""One call to the system fails (tests/fault/fault.c), the Nth of a short run of each command: the run then ends with
an error and a word about it, or it does what it does without the fault. No exit 0 with other output, no signal, no
hang. Want of memory may end in abort(), when it says where. In `make test` a sample of N, in test-full all of them
(of the many allocations an even sample).

faults.py [COMMAND [FAMILY [N]]] tries only these, and says more."""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig

PAOTAI = os.path.abspath(os.environ.get("PAOTAI", "build/release/paotai"))
SCRATCH = os.path.abspath(os.environ.get("PAOTAI_SCRATCH", "build/faults"))
FULL = os.environ.get("PAOTAI_FULL") == "1"
MOST = {"io": 10000, "memory": 400} if FULL else {"io": 10, "memory": 4}
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARY = os.path.join(SCRATCH, "fault.so")
SECONDS = 60
PLAY = "--threads 1 --seed 5 --max-plies 30 --opening-nodes 20".split()
# name: the words of the command; {in} holds what was made without faults, {out} is empty before each run.
COMMANDS = {
    "selfplay": ["selfplay", "--games", "4", "--nodes", "20", "--shard-games", "2", *PLAY, "--out", "{out}/run"],
    "rescore": ["rescore", "{in}/games", "--nodes", "20", "--threads", "1", "--out", "{out}/run"],
    "match": ["match", "--pairs", "2", "--nodes", "20", *PLAY, "--out", "{out}/run", "--pgn", "{out}/games.pgn"],
    "tournament": ["tournament", "weights=classic", "weights=default", "--rounds", "1", "--nodes", "20", *PLAY,
                   "--out", "{out}/run", "--pgn", "{out}/games.pgn"],
    "import": ["data", "import", "{in}/games.pgn", "--out", "{out}/run"],
    "export_pgn": ["data", "export", "{in}/games", "--out", "{out}/games.pgn"],
    "export_csv": ["data", "export", "{in}/games", "--format", "csv"],
    "export_rows": ["data", "export", "--rows", "--out", "{out}/rows.h5", "{in}/games"],
    "merge": ["data", "merge", "{in}/games", "{in}/more", "--out", "{out}/run"],
    "split": ["data", "split", "--valid", "0.3", "--out", "{out}/parts", "{in}/games"],
    "verify": ["data", "verify", "{in}/games"],
    "info": ["data", "info", "{in}/games"],
    "tune": ["tune", "{in}/decided", "--iterations", "3", "--threads", "1", "--out", "{out}/weights.txt"],
    "convert": ["weights", "convert", "classic", "--out", "{out}/weights.txt"],
    "report": ["report", "--data", "{in}/decided", "--out", "{out}/report.html", "classic"],
    "book": ["book", "make", "--count", "4", "--plies", "4", "--nodes", "20", "--threads", "1", "--out", "{out}/book.epd"],
    "spsa": ["spsa", "--param", "razor_margin", "--iterations", "2", "--pairs", "1", "--nodes", "20", *PLAY,
             "--out", "{out}/spsa"],
    "loop": ["loop", "--generations", "1", "--games", "24", "--nodes", "50", "--pairs", "1",
             "--threads", "1", "--out", "{out}/loop"],
}
# What differs from run to run: times, speeds, dates, and the folder of the run.
VARIES = re.compile(r"(?m)^.*(second|_ms|ms_|_share|speed|nps|created|Date|UTC|\bMB/s|\d/s).*$| \d+\.\d\d$|\d+\.\d+ ?s\b|\d\d:\d\d(:\d\d)?")
failures = 0


def verdict(name, why=""):
    global failures
    failures += bool(why)
    print(f"FAIL faults_{name}: {why}" if why else f"PASS faults_{name}", flush=True)


def words(name, out):
    return [PAOTAI] + [word.format(**{"in": f"{SCRATCH}/in", "out": out}) for word in COMMANDS[name]]


def run(command, family="none", at=0, count=None):
    faults = {"FAULT_FAMILY": family, "FAULT_AT": str(at), "LD_PRELOAD": LIBRARY, "OMP_NUM_THREADS": "1",
              "OMP_WAIT_POLICY": "passive"}  # else the program starts itself once more, without the library
    if count:
        faults["FAULT_COUNT"] = count
    return subprocess.run(command, env={**os.environ, **faults}, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace", timeout=SECONDS)


def plain(*command):
    done = subprocess.run([PAOTAI, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr}"


def digest(text, out):
    text = re.sub(r"(?m)(  +[0-9.]+)(  +[0-9]+)$", r"\2", text.replace(out, "OUT"))  # ms/move of a table
    return hashlib.sha256(VARIES.sub("", text).encode()).hexdigest()


def product(done, out):
    """What a run has made: its standard output and each file, without what varies; stores by their content."""
    made = {"standard output": digest(done.stdout, out)}
    for folder, _, files in os.walk(out):
        if any(file.endswith(".h5") for file in files) and not os.path.basename(folder).startswith("."):
            info = plain("data", "info", "--quiet", folder)
            made[folder] = re.findall(r"^(?:games|positions|content_hash|exit) .*", info, re.M) or info
        for file in files:
            path = os.path.join(folder, file)
            if file.endswith(".h5") or file == ".lock":
                made[path] = os.path.getsize(path) > 0 if file != ".lock" else True
            else:
                made[path] = digest(open(path, encoding="utf-8", errors="replace").read(), out)
    return {key.replace(out, "OUT"): value for key, value in made.items()}


def fresh(out):
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)


def judge(done, wanted, out, family):
    """What is wrong with a run that met a fault; '' when nothing is."""
    if done.returncode < 0:
        said_where = "out of memory at" in done.stderr
        return "" if family == "memory" and done.returncode == -6 and said_where else f"signal: {done.stderr[-200:]}"
    if done.returncode == 0:
        got = product(done, out)
        other = sorted(key for key in wanted.keys() | got.keys() if wanted.get(key) != got.get(key))
        return f"exit 0 with other {other[0]}: {done.stderr[-200:]}" if other else ""
    return "" if done.stderr.strip() or "error" in done.stdout else "an error without a word"


def try_command(name, family, only=None):
    out, count = f"{SCRATCH}/out", f"{SCRATCH}/count"
    fresh(out)
    done = run(words(name, out), family, 0, count)
    if done.returncode != 0:
        verdict(f"{name}_{family}", f"without a fault it ends with {done.returncode}: {done.stderr[-300:]}")
        return
    wanted = product(done, out)
    calls = int(open(count, encoding="ascii").read())
    step = max(1, calls / MOST[family])
    bad = []
    for at in [only] if only else sorted({int(i * step) + 1 for i in range(min(calls, MOST[family]))}):
        fresh(out)
        try:
            done = run(words(name, out), family, at)
            why = judge(done, wanted, out, family)
        except subprocess.TimeoutExpired:
            why = "it hangs"
        if why:
            bad.append(f"call {at} of {calls}: {why}")
        if only:
            print(f"exit {done.returncode}\n{done.stderr}", end="")
    verdict(f"{name}_{family}", f"{len(bad)} times; " + " | ".join(bad[:8]) if bad else "")


def main():
    os.makedirs(f"{SCRATCH}/in", exist_ok=True)
    compiler = os.environ.get("CC", "cc").split()[-1]
    built = subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", LIBRARY, f"{ROOT}/tests/fault/fault.c"],
                           capture_output=True, text=True)
    sanitized = re.search("^variant (asan|ubsan|tsan)", plain("--version"), re.M)
    if built.returncode or sanitized or "linux" not in sysconfig.get_platform():
        print(f"SKIP faults: {'a build with a sanitizer' if sanitized else built.stderr[:200]}")
        return
    for folder, games, plies in (("games", "0:6", "40"), ("more", "6:9", "40"), ("decided", "0:16", "400")):
        plain("selfplay", "--games", games, "--nodes", "20", "--threads", "1", "--seed", "1", "--weights", "classic",
              "--max-plies", plies, "--opening-nodes", "20", "--out", f"{SCRATCH}/in/{folder}")
    plain("data", "export", "--out", f"{SCRATCH}/in/games.pgn", f"{SCRATCH}/in/games")
    for name in sys.argv[1:2] or COMMANDS:
        for family in sys.argv[2:3] or ("io", "memory"):
            try_command(name, family, int(sys.argv[3]) if len(sys.argv) > 3 else None)


main()
sys.exit(failures > 0)

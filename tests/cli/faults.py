# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the Nth system call or allocation of a short run of each command in COMMANDS fail
(tests/fault/fault.c).
The run must end with an error message, or do the same as without the fault: no exit 0 with other
output, no signal, no hang. Without memory it may abort() with a message. After kill -9 at the Nth
call of a command that writes files, the same command, with --resume if it has this option, must
give the result of an undisturbed run or say that it must begin again; no temporary file may remain.
`make test` tries a sample of N, and the calls listed in ALWAYS; test-full tries all N.

faults.py [COMMAND [FAMILY [N]]] tries only this command and family, with all N. If N is given, it
tries only this N and prints the messages.
PAOTAI_FAULTS=COUNT tries COUNT calls of each command and family at random.
"""
import concurrent.futures
import hashlib
import os
import queue
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile

import checks

PAOTAI = os.path.abspath(os.environ.get("PAOTAI", "build/release/paotai"))
SCRATCH = os.path.abspath(os.environ.get("PAOTAI_SCRATCH", "build/faults"))
ALL = os.environ.get("PAOTAI_FULL") == "1" or len(sys.argv) > 1
RANDOM = int(os.environ.get("PAOTAI_FAULTS", "0"))
SAMPLE = {"io": 3, "memory": 2, "kill": 2}
MOST = {**SAMPLE, "kill-rename": 8}
# Further kinds of faults for each command. A kind is usually the name of a library function: one of
# its calls fails in each run, and every call is tried, not only a sample. If the program overlooked
# a failed readdir, stat or getdelim, a folder or file would seem shorter or empty. kill-rename
# kills the command at a rename; at most 8 renames are tried.
ALWAYS = {"info": ("readdir", "stat"), "verify": ("readdir",), "merge": ("readdir",), "export_rows": ("readdir",),
          "import_xqf": ("readdir", "stat"), "import": ("getdelim",), "spsa": ("kill-rename",),
          "loop": ("kill-rename",)}
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARY = os.path.join(SCRATCH, "fault.so")
SECONDS = 300
PROCESSORS = len(os.sched_getaffinity(0))
PLAY = "--threads 1 --seed 5 --max-plies 12 --nodes 5 --opening-nodes 20".split()
TUNE = "--lambda 1 --fit material_*"  # a few terms, because a fit of all takes most of the time
# The command line of each tested command. {in} holds files made without faults, {out} is empty
# before each run, except for what words() copies to it.
COMMANDS = {
    "selfplay": ["selfplay", "--games", "2", "--shard-games", "1", *PLAY, "--out", "{out}/run"],
    "selfplay_resume": ["selfplay", "--games", "2", "--shard-games", "1", *PLAY, "--resume", "--out", "{out}/begun"],
    "rescore": ["rescore", "{in}/two", "--nodes", "5", "--threads", "1", "--out", "{out}/run"],
    "match": ["match", "--pairs", "1", *PLAY, "--out", "{out}/run", "--pgn", "{out}/games.pgn"],
    "tournament": ["tournament", "weights=classic", "weights=default", "--rounds", "1", *PLAY,
                   "--out", "{out}/run", "--pgn", "{out}/games.pgn"],
    "import": ["data", "import", "{in}/two.pgn", "--out", "{out}/run"],
    "import_xqf": ["data", "import", "{in}/folder", "--out", "{out}/run"],
    "export_pgn": ["data", "export", "{in}/two", "--out", "{out}/games.pgn"],
    "export_xqf": ["data", "export", "{in}/two", "--format", "xqf", "--out", "{out}/xqf"],
    "import_zip": ["data", "import", "{in}/two.zip", "--out", "{out}/run"],
    "export_cbr": ["data", "export", "{in}/two", "--format", "cbr", "--out", "{out}/cbr"],
    "export_csv": ["data", "export", "{in}/two", "--format", "csv"],
    "export_link": ["data", "export", "{in}/two", "--format", "csv", "--out", "{out}/link"],
    "export_epd": ["data", "export", "{in}/two", "--positions", "all", "--out", "{out}/games.epd"],
    "export_rows": ["data", "export", "--rows", "--out", "{out}/rows.h5", "{in}/two"],
    "merge": ["data", "merge", "{in}/two", "{in}/more", "--out", "{out}/run"],
    "split": ["data", "split", "--valid", "0.3", "--out", "{out}/parts", "{in}/games"],
    "filter": ["data", "filter", "--from", "plies", "--min-ply", "3", "--out", "{out}/run", "{in}/two"],
    "sample": ["data", "sample", "--positions", "5", "--out", "{out}/run", "{in}/two"],
    "dedup": ["data", "dedup", "--games", "--out", "{out}/run", "{in}/two"],
    "verify": ["data", "verify", "{in}/two"],
    "info": ["data", "info", "{in}/two"],
    "show": ["show", "--data", "{in}/two", "--game", "1"],
    "tune": ["tune", "{in}/decided", *TUNE.split(), "--threads", "1", "--out", "{out}/weights.txt"],
    "tune_rows": ["tune", "--rows", "{in}/rows.h5", "--threads", "1", "--out", "{out}/weights.tsv"],
    "measure": ["tune", "--measure", "{in}/decided", "--weights", "classic", "--threads", "1"],
    "compare": ["tune", "--compare", "classic", "{in}/weights.txt", "{in}/decided", "--threads", "1"],
    "convert": ["weights", "convert", "classic", "--out", "{out}/weights.txt"],
    "convert_hdf5": ["weights", "convert", "{in}/weights.txt", "--to", "hdf5", "--out", "{out}/weights.h5"],
    "diff": ["weights", "diff", "classic", "{in}/weights.txt"],
    "report": ["report", "--data", "{in}/decided", "--games", "{out}/games.html", "--out", "{out}/report.html", "classic"],
    "view": ["view", "{in}/two", "--out", "{out}/games.html"],
    "view_contest": ["view", "{in}/contest", "--out", "{out}/games.html"],
    "view_pgn": ["view", "{in}/two.pgn", "--out", "{out}/games.html"],
    "play": ["play", "--load", "{in}/two.pgn", "--save", "{out}/game.pgn", "--nodes", "5"],
    "weights": ["weights", "show", "{in}/weights.txt"],
    "book": ["book", "make", "--count", "2", "--plies", "2", "--nodes", "5", "--threads", "1", "--out", "{out}/book.epd"],
    "book_info": ["book", "info", "{in}/book.epd"],
    "spsa": ["spsa", "--param", "razor_margin", "--iterations", "2", "--pairs", "1", "--probe-pairs", "1", "--check-pairs",
             "1", *PLAY, "--out", "{out}/spsa"],
    "loop": ["loop", "--generations", "1", "--direct-pairs", "0", "--seed", "3", "--games", "24", "--nodes", "50", "--pairs", "1", "--threads", "1",
             "--selfplay-options", "--opening-nodes 20", "--tune-options", TUNE,
             "--match-options", "--max-plies 12 --opening-nodes 20", "--out", "{out}/loop"],
    "judge": ["judge", "--first", "{in}/judge.txt"],
    "notation": ["notation", "--from", "uci", "--to", "wxf", "{in}/notation.txt"],
    "analyse": ["analyse", "--nodes", "5", "--threads", "1", "{in}/positions.txt"],
    "perft": ["perft", "--suite", "{in}/suite.txt", "--threads", "1"],
    "sprt": ["sprt", "--elo0", "0", "--elo1", "5", "--counts", "1,2,3,4,5"],
    "genfens": ["genfens", "2", "seed", "1", "book", "None"],
}
# RESUMED: commands that need --resume after a kill. WRITERS: all commands that write files. Only
# WRITERS are killed.
RESUMED = ("selfplay", "selfplay_resume", "rescore", "match", "tournament", "spsa", "loop")
WRITERS = [name for name, line in COMMANDS.items() if any("{out}" in word for word in line)]
# Text that differs from run to run: times, speeds and dates.
VARIES = re.compile(r"(?m)^.*(second|_ms|ms_|_share|speed|nps|created|Date|UTC|\bMB/s|\d/s).*$| \d+\.\d\d$|\d+\.\d+ ?s\b|\d\d:\d\d(:\d\d)?")
# The standard output, and the outputs that `loop` stores in files. After a kill they are not
# compared, because a resumed run also prints how many of its games were already stored.
PRINTED = re.compile("^standard output$|/loop/gen-001/(selfplay|match)[.]txt$")
# Addresses of the HDF5 functions, if HDF5 is linked statically. The lowest of them is the end of
# the program's own code. Functions with a suffix, such as H5_init.cold, are left out, because they
# lie elsewhere.
HDF5_CODE = re.findall(r"(?m)^([0-9a-f]+) [Tt] H5\w+$", subprocess.run(["nm", "-n", PAOTAI], capture_output=True, text=True).stdout)
places = queue.SimpleQueue()  # directories of the runs; equally long, because their names occur in the output
for place in range(min(PROCESSORS, 10)):
    places.put(f"{SCRATCH}/out-{place}")


def words(name, out):
    if "{out}/begun" in COMMANDS[name] and not os.path.exists(f"{out}/begun"):  # an unfinished run
        shutil.copytree(f"{SCRATCH}/in/begun", f"{out}/begun")
    if "{out}/link" in COMMANDS[name] and not os.path.exists(f"{out}/link"):  # a link; the export replaces the file that the link names
        open(f"{out}/real", "w", encoding="ascii").close()
        os.symlink("real", f"{out}/link")
    return [PAOTAI] + [word.format(**{"in": f"{SCRATCH}/in", "out": out}) for word in COMMANDS[name]]


def run(command, family="none", at=0, count=None):
    # If OMP_WAIT_POLICY were not set, the program would set it and execute itself again, without
    # LD_PRELOAD.
    faults = {"FAULT_FAMILY": family, "FAULT_AT": str(at), "LD_PRELOAD": LIBRARY, "OMP_NUM_THREADS": "1",
              "OMP_WAIT_POLICY": "passive"}
    if count:
        faults["FAULT_COUNT"] = count
    if HDF5_CODE:
        faults["FAULT_OWN_END"] = HDF5_CODE[0]
    return subprocess.run(command, env={**os.environ, **faults}, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace", timeout=SECONDS)


def plain(*command):
    done = subprocess.run([PAOTAI, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr}"


def digest(text, out):
    text = re.sub(r"(?m)(  +[0-9.]+)(  +[0-9]+)$", r"\2", text.replace(out, "OUT"))  # column ms/move of the table of a tournament
    text = re.sub(r", [0-9]+ s, ", ", ", text)  # duration of a generation of loop
    return hashlib.sha256(VARIES.sub("", text).encode()).hexdigest()


def product(done, out):
    """Returns the output and the files of a run, without parts that vary, such as times. For
    a directory with shards, returns the numbers and the content_hash that `data info` prints."""
    made = {"standard output": digest(done.stdout, out)}
    for folder, _, files in os.walk(out):
        if any(file.startswith("shard-") for file in files) and not os.path.basename(folder).startswith("."):
            info = plain("data", "info", "--quiet", folder)
            made[folder] = re.findall(r"^(?:games|positions|content_hash|exit) .*", info, re.M) or info
        for file in files:
            path = os.path.join(folder, file)
            if file.endswith(".h5") or file == ".lock":  # bytes that differ in each run
                made[path] = os.path.getsize(path) > 0 if file != ".lock" else True
            else:
                made[path] = digest(open(path, encoding="utf-8", errors="replace").read(), out)
    return {key.replace(out, "OUT"): value for key, value in made.items()}


def fresh(out):
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)


def judge(done, wanted, out, family):
    """Returns what is wrong with a run after a fault, or ''."""
    if done.returncode < 0:
        said_where = "out of memory at" in done.stderr
        return "" if family == "memory" and done.returncode == -6 and said_where else f"signal: {done.stderr[-200:]}"
    if done.returncode == 0:
        got = product(done, out)
        other = sorted(key for key in wanted.keys() | got.keys() if wanted.get(key) != got.get(key))
        return f"exit 0 with other {other[0]}: {got.get(other[0])}, not {wanted.get(other[0])}: {done.stderr[-200:]}" if other else ""
    return "" if done.stderr.strip() or "error" in done.stdout else "an error without a word"


def judge_again(name, done, wanted, out):
    """Calls the command again after a kill. Returns what is wrong, or ''."""
    if done.returncode != -9:
        return f"it is not killed, but ends with {done.returncode}"
    again = words(name, out) + (["--resume"] if name in RESUMED and "--resume" not in COMMANDS[name] else [])
    done = run(again)
    if done.returncode != 0 and "begin again" in done.stderr:
        half = re.search(r": (\S+) is incomplete, because", done.stderr)
        return "" if half and "\nunfinished data" in plain("data", "info", "--quiet", half[1]) else "data info does not say: unfinished"
    # If the first call was killed after all games were written, the second call refuses to replace
    # them.
    if done.returncode != 0 and "already holds games" not in done.stderr:
        return f"the second call: exit {done.returncode}: {done.stderr[-300:]}"
    got = product(done, out)
    other = sorted(key for key in wanted.keys() | got.keys() if not PRINTED.search(key) and wanted.get(key) != got.get(key))
    return f"the second call makes other {other[0]}" if other else ""


def try_call(name, family, at, wanted):
    """Runs a command in which call number `at` of the family `family`, such as "io", fails. Returns
    what is wrong, or ''."""
    out = places.get()
    fresh(out)
    try:
        done = run(words(name, out), family, at)
        if len(sys.argv) > 3:
            print(f"exit {done.returncode}\n{done.stderr}", end="")
        return judge_again(name, done, wanted, out) if family.startswith("kill") else judge(done, wanted, out, family)
    except subprocess.TimeoutExpired:
        return "it hangs"
    finally:
        places.put(out)


def try_command(name, family, pool):
    out, count = f"{SCRATCH}/out-0", f"{SCRATCH}/count"
    fresh(out)
    done = run(words(name, out), family, 0, count)
    if done.returncode != 0:
        checks.result(f"faults_{name}_{family}", f"without a fault it ends with {done.returncode}: {done.stderr[-300:]}")
        return
    wanted = product(done, out)
    calls = int(open(count, encoding="ascii").read())
    most = calls if ALL else min(calls, MOST.get(family, calls))
    tried = [int(sys.argv[3])] if len(sys.argv) > 3 else [1 + i * calls // most for i in range(most)]
    if RANDOM and not sys.argv[3:]:
        tried = sorted(random.Random(1).sample(range(1, calls + 1), min(calls, RANDOM)))
    if family == "kill" and most < calls:
        tried.append(calls * 9 // 10)  # the place where the last of several runs is written
    found = pool.map(lambda at: try_call(name, family, at, wanted), tried)
    bad = [f"call {at}: {why}" for at, why in zip(tried, found) if why]
    print(f"     {name}, {family}: {len(tried)} of {calls} calls failed")
    none = "" if calls or family in SAMPLE else "no such call is made"
    checks.result(f"faults_{name}_{family}", f"{len(bad)} times; " + " | ".join(bad[:8]) if bad else none)


def make(*command):
    done = subprocess.run([PAOTAI, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        sys.exit(f"FAIL faults: {' '.join(command)}: {done.stderr}")


def prepare():
    """Makes the input files of the commands."""
    given, few = f"{SCRATCH}/in", "--nodes 5 --threads 1 --opening-nodes 20".split()
    shutil.rmtree(given, ignore_errors=True)
    for folder, games, plies in (("games", "0:6", "12"), ("two", "0:2", "12"), ("more", "2:4", "12")):
        make("selfplay", "--games", games, "--seed", "1", "--weights", "classic", "--max-plies", plies, *few,
             "--out", f"{given}/{folder}")
    make("selfplay", "--games", "32", "--seed", "4", "--weights", "classic", "--nodes", "20", "--opening-nodes", "20",
         "--threads", "1", "--out", f"{given}/decided")
    make("selfplay", "--games", "2", "--shard-games", "1", *PLAY, "--out", f"{given}/begun")
    os.remove(f"{given}/begun/shard-00000001-00000002.h5")
    make("match", "--pairs", "1", *PLAY, "--out", f"{given}/contest")
    make("data", "export", "--out", f"{given}/two.pgn", f"{given}/two")
    with zipfile.ZipFile(f"{given}/two.zip", "w") as packed:
        packed.write(f"{given}/two.pgn", "two.pgn")
    os.mkdir(f"{given}/folder")
    shutil.copy(f"{given}/two.pgn", f"{given}/folder/a.pgn")
    make("data", "export", "--format", "xqf", "--out", f"{given}/folder/xqf", f"{given}/two")
    make("weights", "convert", "default", "--out", f"{given}/weights.txt")
    make("book", "make", "--count", "2", "--plies", "2", "--nodes", "5", "--threads", "1", "--out", f"{given}/book.epd")
    for name, line in (("judge", "\th2e2 h9g7"), ("notation", "\th2e2"), ("positions", ""), ("suite", "\t2\t1920")):
        with open(f"{given}/{name}.txt", "w", encoding="ascii") as file:
            file.write(f"{checks.START}{line}\n")
    # The example of tuner/README.md writes rows as another engine would, with the terms of that
    # engine.
    with open(f"{ROOT}/tuner/README.md", encoding="utf-8") as file:
        writer = file.read().split("```py\n")[1].split("```")[0].replace("20000", "300")
    if subprocess.run(["/usr/bin/python3", "-c", writer], cwd=given, capture_output=True).returncode != 0:
        del COMMANDS["tune_rows"]
        checks.skip("faults_tune_rows", "python3-h5py is not installed (make deps)")


def main():
    os.makedirs(SCRATCH, exist_ok=True)
    compiler = os.environ.get("CC", "cc").split()[-1]
    built = subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", LIBRARY, f"{ROOT}/tests/fault/fault.c"],
                           capture_output=True, text=True)
    sanitized = re.search("^variant (san|tsan)", plain("--version"), re.M)
    if built.returncode or sanitized or "linux" not in sysconfig.get_platform():
        print(f"SKIP faults: {'a build with a sanitizer' if sanitized else built.stderr[:200]}")
        return
    prepare()
    with concurrent.futures.ThreadPoolExecutor(min(PROCESSORS, 10)) as pool:
        for name in sys.argv[1:2] or COMMANDS:
            for family in sys.argv[2:3] or (*SAMPLE, *ALWAYS.get(name, ())):
                if family != "kill" or name in WRITERS:
                    try_command(name, family, pool)


main()
checks.finish()

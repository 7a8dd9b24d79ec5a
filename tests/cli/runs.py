# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the identity of runs, and the files and messages that an interrupted run leaves.
import fcntl
import glob
import os
import re
import select
import shutil
import signal
import subprocess
import time

from checks import PAOTAI, SCRATCH, START, check, finish, has_terminals, wait_for_work

os.chdir(SCRATCH)


def paotai(*words, **env):
    return subprocess.run([PAOTAI, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1200,
                          env={**os.environ, **env})


def good(*words, **env):
    done = paotai(*words, **env)
    if done.returncode != 0:
        check("runs_" + "_".join(words[:2]), False, f"{words}: exit status {done.returncode}: {done.stderr}")
    return dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)


def content(run):
    return good("data", "info", "--quiet", run)["content_hash"]


# ---- which options make a different run ----------------------------------------------------------
SELFPLAY = ("selfplay", "--nodes", "40", "--seed", "5", "--max-plies", "80", "--opening-nodes", "100", "--quiet")
good("weights", "convert", "--out", "one.txt", "classic")
shutil.copy("one.txt", "other.txt")
good(*SELFPLAY, "--games", "0:6", "--weights", "one.txt", "--out", "left")
good(*SELFPLAY, "--games", "6:12", "--weights", "other.txt", "--threads", "2", "--out", "right")
good(*SELFPLAY, "--games", "12", "--weights", "classic", "--out", "whole")
done = paotai("data", "merge", "--quiet", "--out", "merged", "left", "right")
check("runs_merge_neutral", done.returncode == 0 and content("merged") == content("whole"), done.stderr)
good(*SELFPLAY, "--games", "12:14", "--weights", "classic", "--seed", "6", "--out", "seed")
done = paotai("data", "merge", "--quiet", "--out", "unlike", "left", "seed")
check("runs_merge_seed", done.returncode == 1 and "'seed=5' and 'seed=6'" in done.stderr, done.stderr)
MATCH = ("match", "--a", "weights=classic,nodes=60", "--b", "weights=classic,nodes=20", "--opening-nodes", "100", "--quiet", "--verbose",
         "--max-plies", "80", "--shard-games", "2")
good(*MATCH, "--pairs", "2", "--out", "pgn", "--pgn", "a.pgn")
good(*MATCH, "--pairs", "3", "--out", "pgn", "--pgn", "b.pgn", "--resume")
done = paotai("data", "merge", "--quiet", "--out", "merged-pgn", "pgn")
check("runs_merge_pgn", done.returncode == 0, done.stderr)

# ---- runs that were killed -----------------------------------------------------------------------
def refused(done, part, said=None):
    return done.returncode == 1 and re.search(f"{part} is incomplete, because 'paotai data .*rm {part}/.unfinished", said or done.stderr)


good(*SELFPLAY, "--games", "60", "--nodes", "20", "--out", "long")
READERS = (*(f"data {word} --out again" for word in ("merge", "split", "filter", "dedup", "sample --fraction 0.5")), "tune", "view --out part.html",
           "report classic --out part.html --data", "rescore --nodes 20 --out again", "data export --rows part.h5", "data export --format moves",
           "show --game 0 --data")
for command, words, part in (("data merge", (), "cut"), ("data split", ("--valid", "0.4"), "cut/train")):
    # This is a run as kill -9 leaves it (faults.py): some shards, and the file .unfinished with the
    # name of the command.
    os.makedirs(part)
    shutil.copy(glob.glob("long/shard-*")[0], part)
    with open(part + "/.unfinished", "w") as file:
        file.write(command)
    name = "runs_killed_" + command.split()[1]
    # All commands check for the file .unfinished with the same function. Therefore the run of
    # `data split` is read by only one command.
    for reader in READERS if command == "data merge" else READERS[:1]:
        done = paotai(*reader.split(), part)
        check(f"{name}_{'_'.join(reader.split()[:3])}".replace("-", ""), refused(done, part) and not os.path.exists("again"), done)
    done = paotai("data", "verify", "--quiet", part)
    check(name + "_verify", refused(done, part, done.stdout) and "faults 1\nverdict faulty" in done.stdout, done)
    done = paotai("data", "verify", "--quiet", glob.glob(part + "/shard-*")[0])
    check(name + "_verify_file", done.returncode == 0, done)
    done = paotai(*command.split(), *words, "--quiet", "--out", "cut", "long")
    check(name, done.returncode == 2 and re.search(f"incomplete, because 'paotai {command}' .*rm -r", done.stderr), done.stderr)
    shutil.rmtree("cut")
    done = paotai(*command.split(), *words, "--quiet", "--out", "cut", "long")
    again = paotai(*command.split(), *words, "--quiet", "--out", "cut", "long")
    check(name + "_again", done.returncode == 0 and again.returncode == 2, again.stderr)

# ---- a neighbour removes nothing -----------------------------------------------------------------
# A run on another host has the lock. A command that is refused leaves its files, also those of processes
# that do not exist here, and says who has the lock.
os.makedirs("host")
left = [f"host/{name}" for name in (".shard-00000004-00000008.h5.tmp.999999", ".games.txt.tmp.1", ".spsa.log.tmp.2", ".with.txt.tmp.3", "strength.html.tmp.4")]
for path in left:
    with open(path, "w") as file:
        file.write("half")
with open("host/.lock", "w") as lock:
    lock.write("4242\nalpha\n2026-01-02 03:04:05 UTC\n")
    lock.flush()
    fcntl.flock(lock, fcntl.LOCK_EX)
    for words in (("selfplay", "--games", "4"), ("selfplay", "--games", "4", "--resume"), ("match", "--pairs", "2"), ("tournament", "nodes=10", "nodes=20"),
                  ("spsa", "--param", "razor_margin", "--iterations", "1", "--pairs", "1"), ("loop", "--generations", "1", "--direct-pairs", "0", "--games", "20", "--weights", "classic"),
                  ("variant", "selfplay", "banqi", "--games", "2"), ("rescore", "long"), ("data", "merge", "long")):
        done = paotai(*words, "--quiet", *(() if words[0] == "data" else ("--nodes", "20")), "--out", "host")
        said = done.returncode == 1 and "in use by another process (PID 4242) on host alpha, started 2026-01-02 03:04:05 UTC: " in done.stderr and \
            "--games A:B" in done.stderr and "data merge" in done.stderr
        check("runs_neighbour_" + "_".join(words[:2]), said and all(map(os.path.exists, left)), f"{sorted(os.listdir('host'))} {done.stderr}")
# Beside an output file, too, only temporary files that nobody writes are removed.
with open(".w.txt.tmp.999999999", "w") as writer:
    fcntl.flock(writer, fcntl.LOCK_EX)
    good("weights", "convert", "classic", "--out", "w.txt")
    check("runs_neighbour_file", os.path.exists(".w.txt.tmp.999999999"), os.listdir("."))
good("weights", "convert", "classic", "--out", "w.txt")
check("runs_swept_file", not os.path.exists(".w.txt.tmp.999999999"), os.listdir("."))

# ---- a match that is itself stopped for a time ----------------------------------------------------
# The program waits with its first answer until the match was stopped for longer than its clock. The game is
# played again: nobody loses on time, and the games are those of an undisturbed match. Without a clock nothing
# is played again. A search of one position is repeated.
with open("waits.sh", "w") as file:
    file.write(f"""while read -r line; do
    case $line in go*) [ -e "$1" ] || {{ : >"$1.asked"; until [ -e "$1" ]; do sleep 0.05; done; }} ;; esac
    echo "$line"
done | {PAOTAI}
""")


def stopped(name, limits):
    """Starts a match, or a search of one position, and returns its process."""
    player = f"cmd=sh {SCRATCH}/waits.sh {SCRATCH}/{name},proto=uci,log={SCRATCH}/{name}.log,{limits}"
    words = ["match", "--a", player, "--b", f"weights=classic,{limits}", "--pairs", "2", "--max-plies", "40", "--opening-nodes", "0", "--threads", "1",
             "--out", "stop-" + name]
    if name.startswith("search"):
        words = ["analyse", "--player", player, "start.epd"]
    return subprocess.Popen([PAOTAI, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


with open("start.epd", "w") as file:
    file.write(START + "\n")
open("undisturbed", "w").close()
said = stopped("undisturbed", "nodes=500").communicate()
paused = {name: stopped(name, limits) for name, limits in (("clock", "nodes=500,tc=2+1"), ("move", "nodes=500,st=2"), ("nodes", "nodes=500"),
                                                                ("search_time", "nodes=500,st=2"), ("search_nodes", "nodes=500"))}
for name, process in paused.items():
    while process.poll() is None and not os.path.exists(name + ".asked"):
        time.sleep(0.02)
    process.send_signal(signal.SIGSTOP)
time.sleep(3)
for name, process in paused.items():
    open(name, "w").close()
    process.send_signal(signal.SIGCONT)
for name, process in paused.items():
    out, said = process.communicate()
    if name.startswith("search"):
        with open(name + ".log") as file:
            searches = len(re.findall("> go ", file.read()))
        check("runs_stopped_" + name, process.returncode == 0 and searches == (2 if name == "search_time" else 1), f"{searches} searches {out} {said}")
        continue
    again = "game 0 is played again, because this process was stopped and continued (SIGCONT) during the game" in said
    check("runs_stopped_" + name, process.returncode == 0 and again == (name != "nodes") and "a_faults 0" in out and
          content("stop-" + name) == content("stop-undisturbed"), f"{out} {said}")

# ---- temporary files of killed processes are removed ---------------------------------------------
SPSA = ("spsa", "--param", "razor_margin", "--iterations", "2", "--pairs", "1", "--probe-pairs", "0",
        "--check-pairs", "0", "--nodes", "20", "--opening-nodes", "0", "--quiet",
        "--out", "spsa")
LOOP = ("loop", "--generations", "1", "--direct-pairs", "0", "--games", "60", "--nodes", "60", "--pairs", "1", "--weights", "classic", "--quiet", "--out", "loop",
        "--selfplay-options", "--opening-nodes 50", "--match-options", "--opening-nodes 50", "--tune-options", "--fit material_*")
good(*SPSA)
good(*LOOP)
left = ["spsa/.spsa.log.tmp.999999999", "loop/.start.txt.tmp.999999999", "loop/gen-001/.weights.txt.tmp.999999999"]
for path in left:
    open(path, "w").write("half")
good(*SPSA, "--resume")
good(*LOOP, "--resume")
check("runs_swept", not [path for path in left if os.path.exists(path)], [path for path in left if os.path.exists(path)])

# ---- exit status of a command that a signal ended ------------------------------------------------
MANY = ("--out", "ended", "--quiet", "--nodes", "50", "--opening-nodes", "50")
good(*SELFPLAY, "--games", "400", "--nodes", "20", "--out", "games")
with open("many.moves", "w", encoding="ascii") as moves:
    moves.write(paotai("data", "export", "--format", "moves", "games").stdout * 100)
with open("many.txt", "w", encoding="ascii") as positions:
    positions.write(f"{START}\n" * 100000)
LONG = {
    "selfplay": ("selfplay", "--games", "1000000", *MANY),
    "match": ("match", "--pairs", "100000", *MANY),
    "match_no_out": ("match", "--pairs", "100000", "--quiet", "--nodes", "50", "--opening-nodes", "50"),
    "tournament": ("tournament", "nodes=50", "nodes=40", "--rounds", "20000", *MANY[:3], "--opening-nodes", "50"),
    "rescore": ("rescore", "games", "--nodes", "20000", "--out", "ended", "--quiet"),
    "loop": ("loop", "--generations", "9", "--games", "100000", "--weights", "classic", *MANY[:5]),
    "spsa": ("spsa", "--param", "razor_margin", "--iterations", "100000", *MANY),
    "book": ("book", "make", "--count", "1000000", "--out", "ended.epd", "--quiet"),
    "import": ("data", "import", "--quiet", "--out", "ended", "many.moves"),
    "analyse": ("analyse", "--nodes", "1000", "--quiet", "many.txt"),
    "judge": ("judge",),  # reads the endless output of `yes`: a file would be judged before the signal arrives
    "perft": ("perft", "--depth", "9"),
    "bench": ("bench", "60"),
    "genfens": "genfens 1000000000 seed 1 book None".split(),
    "plan": ("sprt", "--plan", "--runs", "10000000", "--elo1", "1", "--quiet"),
    "tune": ("tune", "games", "--cv", "100", "--out", "ended.txt", "--quiet"),
}
for name, words in LONG.items():
    spoke = {}
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        shutil.rmtree("ended", ignore_errors=True)
        lines = subprocess.Popen(["yes", START], stdout=subprocess.PIPE)
        child = subprocess.Popen([PAOTAI, *words], stdin=lines.stdout, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        working = wait_for_work(child, number)
        child.send_signal(number)
        if number == signal.SIGTERM:  # `timeout` signals the program and then its process group, so the signal arrives twice
            time.sleep(0.02)
            child.send_signal(number)
        try:
            said = child.communicate(timeout=300)[1]
        except subprocess.TimeoutExpired:
            child.kill()
            said = "it does not end"
        lines.kill()
        lines.wait()
        spoke[number] = bool(said)
        check(f"runs_ended_{name}_{status}", working and child.returncode == status, f"{child.returncode} ({working}): {said}")
    check(f"runs_ended_{name}_by_timeout", spoke[signal.SIGINT] == spoke[signal.SIGTERM], f"{spoke}")

# ---- a fit that was interrupted -----------------------------------------------------------------
FILES = ("kept.txt", "kept.html", "kept.tsv")
FIT = ("tune", "games", "--lambda", "1", "--weights", "classic", "--out", FILES[0], "--report", FILES[1], "--errors", FILES[2])
for name, before in (("new", None), ("kept", "what a fit found")) if has_terminals("runs_interrupted_fit") else ():
    for path in FILES:
        if before:
            open(path, "w").write(before)
    terminal, shown = os.openpty()
    child = subprocess.Popen([PAOTAI, *FIT], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=shown)
    while b"iteration" not in os.read(terminal, 4096):  # the fit is running
        pass
    child.send_signal(signal.SIGINT)
    # `shown` stays open until all is read: Linux may lose the last lines of a terminal that its last
    # writer has closed.
    said = b""
    while child.poll() is None or select.select([terminal], [], [], 0.3)[0]:
        if select.select([terminal], [], [], 0.05)[0]:
            said += os.read(terminal, 4096)
    os.close(shown)
    os.close(terminal)
    said = said.decode(errors="replace")
    words = "is unchanged; to keep" if before else "receives a fit that did not converge"
    told = [path for path in FILES if f"interrupted: {path} {words}" not in said]
    wrong = [path for path in FILES if (open(path).read() == "what a fit found") != bool(before)]
    check("runs_interrupted_fit_" + name, child.returncode == 130 and not told and not wrong, (child.returncode, told, wrong, said))

# ---- threads wait without spinning --------------------------------------------------------------
with open("threads.txt", "w") as file:
    file.write("threads 2\n")
THREADS = ("--threads", "2")
for name, words, given, expected in (("passive", THREADS, {}, "passive"), ("active", THREADS, {"OMP_WAIT_POLICY": "active"}, "active"),
                                     ("file", ("--options", "threads.txt"), {}, "passive")):
    shutil.rmtree("ended", ignore_errors=True)
    child = subprocess.Popen([PAOTAI, *LONG["selfplay"], *words], stdout=subprocess.DEVNULL,
                             env={**{key: value for key, value in os.environ.items() if key != "OMP_WAIT_POLICY"}, **given})
    wait_for_work(child, signal.SIGINT)
    with open(f"/proc/{child.pid}/environ") as file:
        policy = dict(line.split("=", 1) for line in file.read().split("\0") if "=" in line).get("OMP_WAIT_POLICY")
    child.kill()
    child.wait()
    check("runs_wait_" + name, policy == expected, policy)

# ---- a stack size that is too small for the threads ----------------------------------------------
# libgomp reads the size before main() begins, so the program raises it and executes itself again.
small = subprocess.Popen([PAOTAI, "perft", "9", "--threads", "2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         env={**os.environ, "OMP_STACKSIZE": " 16 k", "GOMP_STACKSIZE": "2M"})
wait_for_work(small, signal.SIGINT)
with open(f"/proc/{small.pid}/environ") as file:
    sizes = sorted(re.findall(r"G?OMP_STACKSIZE=[^\0]*", file.read()))
small.kill()
small.wait()
check("runs_stack_raised", sizes == ["GOMP_STACKSIZE=2M", "OMP_STACKSIZE=1024K"], sizes)
with open("few.txt", "w", encoding="ascii") as positions:
    positions.write(f"{START}\n" * 20)
TWO = ("--threads", "2", "--quiet")
for name, words in (("match", (*MATCH, "--pairs", "2", *TWO, "--out", "small-match")),
                    ("rescore", ("rescore", "left", "--nodes", "50", *TWO, "--out", "small-rescore")),
                    ("selfplay", (*SELFPLAY, "--games", "4", *TWO, "--out", "small-selfplay")),
                    ("tune", ("tune", "games", "--weights", "default", *TWO, "--out", "small.txt")),
                    ("train", ("train", "games", "--units", "32", "--epochs", "1", "--match-pairs", "0", *TWO, "--out", "small.net")),
                    ("analyse", ("analyse", "--nodes", "500", *TWO, "few.txt")),
                    ("book", ("book", "make", "--count", "20", "--nodes", "100", *TWO, "--out", "small.epd")),
                    ("perft", ("perft", "4", *TWO)),
                    ("plan", ("sprt", "--plan", "--elo1", "20", "--runs", "20", *TWO)),
                    ("verify", ("data", "verify", *TWO, "left"))):
    done = paotai(*words, OMP_STACKSIZE="16k")
    check("runs_small_stack_" + name, done.returncode == 0, f"{done.returncode}: {done.stderr}")
finish()

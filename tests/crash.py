# SPDX-License-Identifier: GPL-3.0-or-later
"""crash.py PROGRAM DIR KILLS [SEED [SECONDS]]: kills running commands with kill -9 and resumes them.

The commands are selfplay, rescore, match and tournament. Starts a run of small shards in DIR, kills
it at random moments, resumes it until it is complete, and then starts the next run. The test ends
after KILLS kills if at least one of them came while a shard was written, or after SECONDS. After
each kill, every reported shard must exist and the run must verify. A complete run must have the
content hash of an undisturbed run. About half of the kills come while a shard is written: the
program is stopped while its temporary file exists.
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

program, root, kills_wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
seconds = float(sys.argv[5]) if len(sys.argv) > 5 else 1e9
PLAY = "--nodes 150 --opening-nodes 100 --weights classic --max-plies 120".split()
LONGEST = 0.35  # longest time in seconds before a random kill
KINDS = {  # name: arguments
    "selfplay": ["selfplay", "--games", "60", "--seed", "11", "--threads", "2", "--shard-games", "2", *PLAY],
    "selfplay_noise": ["selfplay", "--games", "40", "--seed", "12", "--threads", "1", "--shard-games", "1",
                       "--noise-plies", "10", *PLAY],
    "rescore": ["rescore", os.path.join(root, "source"), "--threads", "2", "--shard-games", "3", "--nodes", "300",
                "--weights", "default"],
    "match": ["match", "--a", "nodes=300", "--b", "nodes=150", "--pairs", "2000", "--sprt", "0,60", "--threads", "2",
              "--shard-games", "4", "--opening-nodes", "200", "--seed", "4"],
    "gauntlet": ["tournament", "nodes=300", "nodes=100", f"cmd={program}-test --mock uci,nodes=1", "--kind", "gauntlet",
                 "--rounds", "12", "--threads", "2", "--shard-games", "2", "--opening-nodes", "200", "--seed", "6"],
}


class Failure(Exception):
    pass


def run(*arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{' '.join(arguments)}: exit {done.returncode}: {(done.stdout + done.stderr)[-400:]}")
    return done.stdout


def content_hash(directory):
    return re.search(r"^content_hash (\w+)$", run("data", "info", "--quiet", directory), re.M)[1]


def acknowledged(output):
    """Returns the shards that the output reports as stored. Ignores a last line that a kill has cut off."""
    with open(output, encoding="ascii") as file:
        return re.findall(r"^shard (shard-\d+-\d+\.h5) games \d+:\d+\n", file.read(), re.M)


class Attempt:
    """Starts the program once, and kills it at a random time or while it writes a shard, unless it ends before."""

    def __init__(self, arguments, directory, output, longest, chance):
        old = temporary_files(directory)
        with open(output, "ab") as out, open(output + ".err", "wb") as err:
            self.process = subprocess.Popen([program, *arguments, "--quiet", "--resume", "--out", directory],
                                            stdout=out, stderr=err)
            if chance.random() < 0.5:
                self.wait(chance.uniform(0, longest))
            else:
                self.catch_write(directory, old, 60)
        self.killed = self.process.poll() is None
        self.process.send_signal(signal.SIGKILL)
        code = self.process.wait()
        self.killed = self.killed and code == -signal.SIGKILL
        if not self.killed and code != 0:
            with open(output + ".err", encoding="utf-8") as err:
                raise Failure(f"exit {code}: {err.read()[-400:]}")

    def wait(self, pause):
        try:
            self.process.wait(pause)
        except subprocess.TimeoutExpired:
            pass

    def catch_write(self, directory, old, longest):
        """Stops the program while it writes a shard.

        Returns without stopping it if it ends first, or after `longest` seconds."""
        end = time.monotonic() + longest
        while time.monotonic() < end and self.process.poll() is None:
            if temporary_files(directory) - old:
                self.process.send_signal(signal.SIGSTOP)
                os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
                if temporary_files(directory) - old:
                    Counts.in_write += 1
                    return
                self.process.send_signal(signal.SIGCONT)
            time.sleep(0.0002)


def temporary_files(directory):
    """Returns the names of the temporary files of shards (files of games) in a directory.

    A killed process leaves its temporary file, and the next process removes it."""
    held = os.listdir(directory) if os.path.isdir(directory) else []
    return {name for name in held if ".h5.tmp." in name}


class Counts:
    kills = runs = in_write = shards = 0


def check(directory, output, undisturbed=None):
    held = set(os.listdir(directory)) if os.path.isdir(directory) else set()
    for name in acknowledged(output):
        if name not in held:
            raise Failure(f"{directory}: {name} was acknowledged and is not there")
    if any(name.endswith(".h5") and not name.startswith(".") for name in held):
        run("data", "verify", "--quiet", directory)
    if undisturbed and content_hash(directory) != undisturbed:
        raise Failure(f"{directory}: content_hash {content_hash(directory)}, undisturbed {undisturbed}")
    if undisturbed and any(".tmp." in name for name in held):
        raise Failure(f"{directory}: temporary files of dead processes are left")


def go_on(deadline):
    return (Counts.kills < kills_wanted or not Counts.in_write) and time.monotonic() < deadline


def disturbed_run(kind, undisturbed, chance, deadline):
    """Kills and resumes one run until it is complete. After enough kills, only lets it finish."""
    directory, output = os.path.join(root, "disturbed"), os.path.join(root, "disturbed.txt")
    shutil.rmtree(directory, ignore_errors=True)
    open(output, "wb").close()
    while True:
        more = go_on(deadline)
        attempt = Attempt(KINDS[kind], directory, output, LONGEST if more else 600, chance if more else NEVER)
        Counts.kills += attempt.killed
        check(directory, output, None if attempt.killed else undisturbed)
        if not attempt.killed:
            Counts.runs += 1
            Counts.shards += len(acknowledged(output))
            return


class Never:
    """Replaces the random generator after the last kill.

    Always chooses the longest time before a kill, so that the program ends by itself."""

    def random(self):
        return 0

    def uniform(self, _, longest):
        return longest


NEVER = Never()


def main():
    began = time.monotonic()
    chance = random.Random(seed)
    os.makedirs(root, exist_ok=True)
    try:
        run("selfplay", "--games", "30", "--seed", "13", "--quiet", *PLAY, "--out", os.path.join(root, "source"))
        hashes = {}
        for kind, arguments in KINDS.items():
            run(*arguments, "--quiet", "--out", os.path.join(root, kind))
            hashes[kind] = content_hash(os.path.join(root, kind))
        while go_on(began + seconds):
            for kind in KINDS:
                disturbed_run(kind, hashes[kind], chance, began + seconds)
    except Failure as failure:
        print(f"FAIL crash: after {Counts.kills} kills: {failure}")
        return 1
    print(f"# {Counts.kills} kills, {Counts.in_write} of them while a shard was written, {Counts.runs} runs to their end, "
          f"{Counts.shards} shards acknowledged, {time.monotonic() - began:.1f} s")
    if not Counts.in_write:
        print(f"FAIL crash: none of {Counts.kills} kills came while a shard was written, so the test proves nothing")
        return 1
    print("PASS crash_nothing_lost\nPASS crash_shards_verify\nPASS crash_same_content")
    return 0


sys.exit(main())

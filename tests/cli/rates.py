# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the rates in the progress lines of commands that take seconds, because shorter ones show none.
import re
import subprocess
import time

from checks import PAOTAI, finish, has_terminals, paotai, read, report, scratch, screen, want, write

if not has_terminals("rates"):
    finish()
paotai("selfplay", "--games", "60", "--nodes", "400", "--weights", "classic", "--out", scratch("run"))


def counts_only_new(what, total, done_before, out):
    """Checks that the rate in the last progress line of a resumed command does not count the stored
    work: rate * time must not exceed the new work, with a tolerance of 10 %. The line rounds the
    time to seconds, so the check subtracts half a second from it."""
    shown = [(int(done), float(rate), int(minutes or 0) * 60 + int(seconds)) for done, rate, minutes, seconds in
             re.findall(rf"(\d+)/{total} \w+  ([\d.]+)/s[^\r\n]*  in (?:(\d+)m)?(\d+)s", out)]
    want(shown, f"{what}: no last progress line: {out[-300:]}")
    if shown:
        done, rate, seconds = shown[-1]
        want(done == total and rate * max(seconds - 0.5, 0.2) <= 1.1 * (total - done_before), f"{what}: the rate counts stored work: {shown[-1]}")


# After --resume the progress line also counts the stored games, but its rate per second counts only
# the new games. A run that takes less than a second shows no progress line.
for name, stored, total, options in (("games", 4, 24, ("tournament", "nodes=3000", "nodes=3100", "--rounds")),
                                     ("pairs", 2, 12, ("match", "--a", "nodes=3000", "--b", "nodes=3100", "--pairs"))):
    last = ("--max-plies", "60", "--out", scratch(f"resumed-{name}"))
    screen(80, *options, "2", *last)
    out = screen(80, *options, "12", *last, "--resume")[1].decode()
    counts_only_new(name, total, stored, out)
    want(any(stored < int(done) < total for done in re.findall(rf"(\d+)/{total} {name}  ", out)), f"{name}: no progress line counts the stored and some new games")
report("rates_resumed")

# After --resume, the progress lines of spsa and train have a rate that counts only the new work.
SPSA = ("spsa", "--param", "razor_margin", "--iterations", "24", "--pairs", "2", "--probe-pairs", "0", "--check-pairs", "0", "--nodes", "600",
        "--opening-nodes", "0", "--out", scratch("spsa"))
screen(80, *SPSA)
lines = read("spsa/spsa.log").splitlines(True)
write("spsa/spsa.log", "".join(line for line in lines if not re.match(r"1[7-9]\t|2[0-4]\t", line)))
counts_only_new("spsa", 24, 16, screen(80, *SPSA, "--resume")[1].decode())
TRAIN = ("train", scratch("run"), "--units", "448", "--epochs", "40", "--match-pairs", "0", "--out", scratch("net"))
with subprocess.Popen([PAOTAI, *TRAIN], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
    while not next(child.stdout).startswith("epoch  30"):
        pass
    child.kill()
out = screen(80, *TRAIN, "--resume")[1].decode()
positions = int(re.search(r"/(\d+) positions  ", out)[1])
counts_only_new("train", positions, positions * 30 // 40, out)
report("rates_resumed_fits")

# Before the iterations, spsa plays probes: matches of the smallest and of the largest value of a
# parameter against its start value. The progress line names them, and the rate of the iterations
# does not include their time. Each of the two probes has 40 pairs, each of the 30 iterations one.
begun = time.monotonic()
out = screen(80, "spsa", "--param", "razor_margin", "--iterations", "30", "--pairs", "1", "--probe-pairs", "40", "--check-pairs", "0", "--nodes", "300",
             "--opening-nodes", "0")[1].decode()
elapsed = time.monotonic() - begun
want("1/2 probes  " in out and "probe of razor_margin" in out, f"the progress line does not name the probes: {out[:300]}")
rates = re.findall(r"30/30 iterations  ([\d.]+)/s", out)
want(rates and 30 < 0.5 * elapsed * float(rates[-1]), f"the time of the iterations contains the probes: {rates}, {elapsed:.1f} s in all")
report("rates_spsa_probes")
finish()

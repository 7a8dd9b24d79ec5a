# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that a run which was interrupted and continued prints and writes what a run without interruption
does, and that it is continued only on request and with its own options. Each command with the option
--resume has a row. crash.py and faults.py interrupt commands at many more places. The rows of commands that fit many
times take as long as the others together: resume_fits.py, which `make test` leaves to .ci/run, runs them."""
import glob
import os
import re
import shutil
import signal
import subprocess
import time

from checks import PAOTAI, another_build, check, content, difference, finish, paotai, report, result, run, scratch, split, steady, want, write

SELFPLAY = "selfplay --nodes 60 --opening-nodes 200 --weights classic --seed 3 --max-plies 200"
MATCH = "match --a weights=classic,nodes=60 --b weights=classic,nodes=20 --opening-nodes 100 --max-plies 80 --verbose --shard-games 2"
CUP = "tournament weights=classic,nodes=60 weights=classic,nodes=40 weights=classic,nodes=20 --opening-nodes 0 --max-plies 60 --shard-games 4"
LOOP = ("loop --direct-pairs 4 --games 60 --nodes 30 --window 2 --pairs 40 --elo0 -900 --elo1 -800 --weights classic --seed 4 --selfplay-options "
        "'--opening-nodes 100 --shard-games 8' --match-options '--opening-nodes 100 --shard-games 4' --tune-options '--fit material_*'")
SPSA = ("spsa --param razor_margin --param null_reduction,3,1,6,1 --iterations 10 --pairs 2 --probe-pairs 4 --check-pairs 3 --nodes 60 "
        "--opening-nodes 100 --seed 3")
OTHER_FIT = "belongs to a fit with other games or options"
paotai(*SELFPLAY.split(), "--games", "150", "--threads", "2", "--quiet", "--out", scratch("games"))
paotai(*SELFPLAY.split(), "--games", "20", "--seed", "4", "--quiet", "--out", scratch("other"))
for name in ("one.txt", "two.txt"):
    paotai("weights", "convert", "--out", scratch(name), "classic")


def words_of(command, out):
    return [word.replace("IN/", scratch("")).replace("OUT", out) for word in split(command)]


# ---- ways to begin a run: functions of its command and its path --------------------------------------
def first(*options):
    """Completes a call for each of the options, such as a range of the games."""
    def begin(command, out):
        for more in options:
            done = paotai(*words_of(command, out), *more.split(), "--quiet")
            want(done.returncode == 0, f"{more}: {done.stderr}")
    return begin


def copy_whole(out):
    shutil.copytree(out.replace("-part", "-whole"), out)


def without(*patterns):
    """Copies the complete run, and then removes files."""
    def begin(_, out):
        copy_whole(out)
        for path in [path for pattern in patterns for path in glob.glob(f"{out}/{pattern}")]:
            os.unlink(path)
    return begin


def changed(name, change):
    """Copies the complete run, and then changes the lines of a file. Other files are removed."""
    def begin(_, out):
        copy_whole(out)
        with open(f"{out}/{name}", encoding="utf-8") as file:
            lines = change(file.read().splitlines(keepends=True))
        shutil.rmtree(out)
        write(os.path.relpath(f"{out}/{name}", scratch("")), "".join(lines))
    return begin


def ended(number, *seen):
    """Sends the signal `number` when seen(path) is true, for each of these functions one call."""
    def begin(command, out):
        for at, here in enumerate(seen):
            more = ["--resume"] if at and not command.startswith("term") else []
            with open(out + ".said", "w", encoding="utf-8") as said, subprocess.Popen([PAOTAI, *words_of(command, out), *more, "--quiet"], stdout=said, stderr=said) as child:
                while child.poll() is None and not here(out):
                    time.sleep(0.01)
                child.send_signal(number)
            want(here(out), "what was there before the interruption is gone")
            wanted = {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[number]
            want(child.returncode == wanted, f"it was not interrupted, but ended with {child.returncode}")
            with open(out + ".said", encoding="utf-8") as file:
                text = file.read()
            want(not re.search("^(verdict|champion) ", text, re.M), "an interrupted run has a verdict: " + text[-300:])
    return begin


def files(pattern, count=1):
    return lambda out: len(glob.glob(f"{out}/{pattern}")) >= count


def lines(name, pattern, count):
    """Returns a function that is true if `count` lines of a file in the run match."""
    def seen(out):
        try:
            with open(f"{out}/{name}", encoding="utf-8") as file:
                return len(re.findall(pattern, file.read(), re.M)) >= count
        except OSError:
            return False
    return seen


def cut_line(begin):
    """Adds half a line to the log of spsa after begin(), as a crash leaves it."""
    def both(command, out):
        begin(command, out)
        with open(out + "/spsa.log", "a", encoding="utf-8") as file:
            file.write("4\t1\t1")
    return both


# ---- rows ------------------------------------------------------------------------------------------
# Name; command; how the run begins; options that only the continued run has; a pattern of its output; and
# options or whole commands with which it is not continued: (options, exit status, part of the message).
ROWS = (
    ("selfplay_ranges", f"{SELFPLAY} --games 60 --out OUT", first("--games 40:60", "--games 0:25"), "", "^already 45$",
     [("--games 90 --nodes 61", 1, "'nodes=60', but this command has 'nodes=61'"), ("--weights default", 1, "player=weights=")]),
    ("selfplay_killed", f"{SELFPLAY} --games 60 --shard-games 4 --out OUT", ended(9, files("*.h5", 2), files("*.h5", 5)), "--threads 2 --shard-games 7", "^already [1-9]", []),
    ("selfplay_stopped", f"{SELFPLAY} --games 300 --shard-games 1000 --threads 2 --out OUT", ended(15, lambda out: time.sleep(0.4) or os.path.exists(out)), "", "^already [1-9]", []),
    ("selfplay_copied_weights", f"{SELFPLAY} --games 12 --weights IN/one.txt --out OUT", first("--games 5"), "--weights IN/two.txt", "^already 5$", []),
    ("rescore", "rescore IN/games --games 0:40 --nodes 100 --weights default --out OUT", first("--games 25:40", "--games 3:12"), "", "^already 24$",
     [("--nodes 151", 1, "'nodes=100', but this command has 'nodes=151'"), ("rescore IN/other --games 0:20 --nodes 100 --weights default --out OUT --resume", 1, "'source=")]),
    ("match_gaps", f"{MATCH} --pairs 8 --out OUT", without("*-00000002-*.h5", "*-00000008-*.h5"), "--shard-games 16", "^already 12$", []),
    ("match_sprt_gap", f"{MATCH} --pairs 400 --sprt 0,300 --out OUT", without("*-00000004-*.h5"), "", "^decision accept_h1$", []),
    ("match_killed", f"{MATCH} --pairs 12 --out OUT", ended(9, files("*.h5", 2)), "", "^games 24$", []),
    ("match_more", f"{MATCH} --pairs 7 --out OUT", first("--pairs 3"), "", "^games 14$", [("--nodes 30 --b nodes=20", 1, "was made with")]),
    ("tournament_gap", f"{CUP} --rounds 3 --out OUT", without("*-00000004-*.h5"), "", "^games 18$",
     [(" ".join(["tournament", *(f"weights=classic,nodes={n}" for n in nodes), "--opening-nodes 0 --max-plies 60 --rounds 4 --resume --out OUT"]), 1, "was made with")
      for nodes in ((50, 40, 20), (60, 40), (60, 40, 20, 10), (40, 60, 20))]),
    ("tournament_more", f"{CUP} --rounds 5 --out OUT", first("--rounds 2"), "", "^games 30$", []),
    ("spsa", SPSA + " --out OUT", cut_line(ended(9, lines("spsa.log", r"^-?\d", 7))), "--threads 2", "^check_games 6$",
     [("--seed 4", 1, "seed=3"), ("--pairs 3", 1, "'# pairs=2', but this command has '# pairs=3'"), ("--iterations 12", 1, "depend on the number of iterations")]),
    ("loop", LOOP + " --generations 2 --out OUT", ended(9, files("gen-002/games/*.h5")), "", "^generation 2: ",
     [("--nodes 70", 1, "nodes=30"), ("--pairs 3", 1, "'pairs=40', but this command has 'pairs=3'")]),
    ("loop_more", LOOP.replace("--games 60", "--games 20") + " --generations 2 --out OUT", first("--generations 1 --direct-pairs 0"), "", "^generation 2: ", []),
    # A loop that was killed between writing loop.txt and start.txt.
    ("loop_begun", LOOP.replace("--games 60", "--games 20") + " --generations 1 --out OUT", changed("loop.txt", lambda text: text), "", "^generation 1: ", []),
    ("train", "train IN/games --units 32 --epochs 9 --batch 1000 --k 0.004 --match-pairs 0 --out OUT.net", ended(2, lambda out: os.path.exists(out + ".net.part")), "", "^hash ",
     [(f"--{option} --quiet", 1, OTHER_FIT) for option in ("lambda 0.5", "weigh rows", "weights classic")]),
    ("ablate", "ablate IN/other --valid-fraction 0.4 --each-group --out OUT", changed("ablate.tsv", lambda text: text[:-3]), "--threads 2", "^[0-9]+ groups: ",
     [("--lambda 0.5", 1, "other games or options")]),
    ("term", "term hanging --rev none --nodes 20 --games 400 --match-pairs 40 --sprt=-5,0.5 --out OUT",
     ended(2, files("games-*/*.h5"), files("hanging/match-*/*.h5")), "", "^verdict ", []),
    ("banqi", "variant selfplay banqi --games 12 --nodes 40 --seed 5 --out OUT", changed("games.txt", lambda text: text[:-4] + [text[-4][:77]]), "--threads 2", "^played 4$",
     [("--nodes 41", 1, "was made with '# nodes=40', but this command has '# nodes=41'"), ("--weights random", 1, "another --out")]),
    ("supply", "variant selfplay supply --games 12 --nodes 40 --seed 5 --out OUT", changed("games.txt", lambda text: text[:-4] + [text[-4][:77]]), "--threads 2", "^played 4$",
     [("--nodes 41", 1, "was made with '# nodes=40', but this command has '# nodes=41'"), ("--weights random", 1, "another --out")]),
    ("banqi_killed", "variant selfplay banqi --games 60 --nodes 60 --out OUT", ended(9, lines("games.txt", r"^\d", 5), lines("games.txt", r"^\d", 20)), "--threads 2", "^games 60$", []))


# Commands that begin anew without --resume (term has no such option: it always continues), and commands
# whose output counts only the work of the last call.
AGAIN, COUNTED = ("ablate", "term", "train"), ("selfplay", "rescore", "spsa", "train")


def written(out):
    """Returns the files of a run, except the outputs of the steps of a loop, which count only their last call."""
    found = {end: content(out + end, scratch("")) for end in ("", ".net") if os.path.exists(out + end)}
    return {f"{end}{name}": text for end, files in found.items() for name, text in (files.items() if isinstance(files, dict) else (("", files),))
            if os.path.basename(name) not in ("selfplay.txt", "match.txt")}


LONG = ("loop", "term", "ablate")
FITS = globals().get("FITS", False)  # set by resume_fits.py
for name, command, begin, more, pattern, refusals in [row for row in ROWS if row[1].startswith(LONG) == FITS]:
    whole, part = scratch(name + "-whole"), scratch(name + "-part")
    done = paotai(*words_of(command, whole), "--quiet")
    want(done.returncode == 0, f"without interruption: {done.stderr[-500:]}")
    begin(command, part)
    before = written(part)
    resume = () if command.startswith("term") else ("--resume",)
    if not command.startswith(AGAIN):
        again = paotai(*words_of(command, part), "--quiet")
        want(again.returncode == 2 and "--resume" in again.stderr, f"without --resume: status {again.returncode}, {again.stderr}")
    for options, status, said in refusals:
        other = words_of(options, part) if " OUT" in options else [*words_of(command, part), *words_of(options, part), "--resume"]
        refused = paotai(*other, "--quiet")
        want(refused.returncode == status and said in refused.stderr and not refused.stdout.startswith("pairing"), f"{options}: status {refused.returncode}, {refused.stderr}")
    if written(part) != before:
        want(False, f"a refused call changed {difference(before, written(part))}")
    last = paotai(*words_of(command, part), *words_of(more, part), *resume, "--quiet")
    want(last.returncode == 0 and re.search(pattern, last.stdout, re.M), f"no line '{pattern}': {last.stdout[-500:]}{last.stderr[-500:]}")
    for one, two in ((steady(done.stdout, whole), steady(last.stdout, part)), (written(whole), written(part))):
        if one != two and not (isinstance(one, list) and command.startswith(COUNTED)):
            want(False, f"another result: {difference(one, two)}")
    report("resume_" + name)
if FITS:
    done = paotai(*words_of(LOOP, ""), "--out", scratch("loop-part/gen-001/games"))
    check("resume_loop_of_games", done.returncode == 2 and "holds games, but no run to continue" in done.stderr, done.stderr)
    done = paotai(*words_of("loop --resume --generations 1 --games 4 --nodes 20 --pairs 1 --out OUT", scratch("new")))
    check("resume_nothing", "nothing to resume in " + scratch("new") in done.stderr, done.stderr)
    finish()
commands = {line.split(":")[0] for line in paotai("help", "--completion").stdout.splitlines() if "--resume" in line.split()}
tested = {command for command in commands for _, row, *_ in ROWS if row.startswith(command + " ")}
result("resume_commands", [f"'{command}' has --resume, but no row" for command in sorted(commands - tested)])

# Another directory is left as it is.
for name, command, kept in (("spsa", SPSA, "params.txt"), ("loop", LOOP, "log.md")):
    write(f"mine-{name}/{kept}", "mine")
    for more in ((), ("--resume",)):
        done = paotai(*words_of(command, ""), "--out", scratch("mine-" + name), *more)
        want(done.returncode == 2 and f"holds {kept}, but no run to continue" in done.stderr, f"{more}: {done.returncode} {done.stderr}")
    want(content(scratch("mine-" + name)) == {kept: ["mine"]}, "it was changed")
    report("resume_not_ours_" + name)
MIXED = words_of("selfplay --nodes 10 --quiet --out OUT --games", scratch("mixed"))
paotai(*MIXED, "2")
done = run(another_build(), *MIXED, "4", "--resume")
check("resume_other_build", done.returncode == 1 and re.search(r"was made by revision .* of the program \(build .*\), but this is", done.stderr), done.stderr)
shutil.copy(scratch("train-whole.net"), scratch("strange.net.part"))
done = paotai(*words_of("train IN/other --units 32 --match-pairs 0 --resume --out OUT.net", scratch("strange")))
check("resume_train_other", done.returncode == 1 and OTHER_FIT in done.stderr, done.stderr)
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the answers to command lines in the words of other programs (tests/data/habits.tsv): each answer contains the right
# command, and the proposed lines start what was meant. They are started as they are pasted, with options that make them tiny.
import os
import re
import shlex
import subprocess

from checks import DATA, PAOTAI, SCRATCH, START, check, finish, paotai, report, scratch, want, write

os.makedirs(SCRATCH, exist_ok=True)
places = {"PROG": PAOTAI, "OUT": SCRATCH, "BOOK": scratch("book.epd")}
write("book.epd", START + "\nrnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 1\n")
for name in ("a.txt", "b.txt"):
    write(name, paotai("weights", "convert", "classic").stdout)
write("notes.txt", "hello there\nthis is a note\n")
write("loop/champion.txt", paotai("weights", "convert", "default").stdout)
paotai("selfplay", "--games", "40", "--nodes", "9", "--quiet", "--out", scratch("run"))
shell = {**os.environ, "PATH": os.path.dirname(PAOTAI) + os.pathsep + os.environ["PATH"]}
# If an option is given twice, the last value counts.
TINY = {"match": "--pairs 1 --max-plies 12 --opening-plies 2 --opening-nodes 0 --quiet", "tournament": "--rounds 1 --max-plies 12 --quiet"}


def filled(text):
    return re.sub("PROG|OUT|BOOK", lambda found: places[found[0]], text)


def start(line):
    tiny = "" if "|" in line else TINY.get(line.split()[1].strip('"'), "")
    if "--openings" in line or "args=" in line:
        tiny = tiny.replace("--opening-plies 2 --opening-nodes 0 ", "")
    return subprocess.run(f"{line} {tiny}", shell=True, env=shell, capture_output=True, text=True, timeout=120)


started = 0
with open(os.path.join(DATA, "habits.tsv"), encoding="utf-8") as file:
    rows = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]
for typed, wanted, mode in rows:
    done = subprocess.run([PAOTAI, *shlex.split(filled(typed))], capture_output=True, text=True, env=shell, timeout=60, stdin=subprocess.DEVNULL)
    want(done.returncode != 0 and filled(wanted) in done.stderr, f"{typed}: {done.returncode} {done.stderr}")
    proposed = re.search(r"((?:printf|echo) .*\| paotai .*)$" if mode == "pipe" else r"^  (paotai .*)$", done.stderr, re.M)
    if mode == "-" or not proposed:
        want(mode == "-", f"{typed}: no line is proposed: {done.stderr}")
        continue
    played = start(proposed[1])
    started += played.returncode == 0
    want(played.returncode == 0, f"{proposed[1]}: {played.returncode} {played.stderr}")
report("habits_answers")
# Reasons that are true: a csv without FEN, a FEN with operations of EPD, and other nodes with --resume.
csv = "gameID,turn,side,move\n1,1,red,C2.5\n"
want("have no column fen" in paotai("data", "import", "--out", scratch("csv"), write("moves.csv", csv)).stdout, "the csv without FEN")
want("'gameID,turn,side,move' is no board" in paotai("analyse", stdin=csv).stdout, "analyse of a csv without FEN")
pgn = '[FEN "' + START.replace(" 0 1", " hmvc 1; fmvn 7;") + '"]\n\n1. C2.5 *\n'
want("operations of EPD" in paotai("data", "import", "--out", scratch("pgn"), write("epd.pgn", pgn)).stdout, "a FEN with operations of EPD")
match = ("match", "--quiet", "--out", scratch("resumed"), "--max-plies", "12", "--pairs")
paotai(*match, "1", "--a", "nodes=8", "--b", "nodes=8,weights=classic")
said = paotai(*match, "2", "--a", "nodes=9", "--b", "nodes=9,weights=classic", "--resume").stderr
want("nodes=8 " in said and "nodes=9 " in said and "opening-nodes" not in said, f"--resume with other nodes: {said}")
report("habits_reasons")
check("habits_started", len(rows) >= 40 and started >= 30, f"{started} of {len(rows)} lines")
finish()

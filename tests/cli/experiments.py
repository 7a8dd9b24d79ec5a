# SPDX-License-Identifier: GPL-3.0-or-later
# Tests bench/experiments: the table of experiments.md lists the entries, every script and every
# name of an entry in the tree has its entry, `make experiment` shows one, and one script runs
# completely with a tiny run.
import glob
import os
import re
import subprocess
import xml.etree.ElementTree

from checks import PAOTAI, SCRATCH, check, finish, paotai

with open("experiments.md", encoding="utf-8") as file:
    log = file.read()
entries = sorted(os.path.basename(path)[:-3] for path in glob.glob("bench/experiments/E-*.md"))
listed = re.findall(r"^\| \[(E-\d{3})\]\(bench/experiments/(E-\d{3})\.md\) \|", log, re.M)
check("experiments_listed", [(name, name) for name in entries] == sorted(listed) and len(entries) > 100,
      f"the table and the files differ: {sorted(set(entries) ^ {name for name, _ in listed})}")
for name in entries:
    with open(f"bench/experiments/{name}.md", encoding="utf-8") as file:
        text = file.read()
    check(f"experiment_entry_{name}", text.startswith(f"### {name} 20") and re.search("^decision ", text, re.M), "the title has another number, or there is no decision")
for script in sorted(glob.glob("bench/experiments/e[0-9]*.py")):
    number, part = re.search(r"e([0-9]{3})(.*)\.py", script).groups()
    number = f"E-{number}"
    with open(script, encoding="utf-8") as file:
        source = file.read()
    compile(source, script, "exec")
    check(f"experiment_{number}{part}", f'"""Experiment {number}: ' in source and number in entries, "no entry, or no title")
unknown = [line for line in subprocess.run(["git", "grep", "-noE", r"\bE-[0-9]{3}\b", "--", ":!tests/cli"], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
           if line.rsplit(":", 1)[1] not in entries]
check("experiments_named", all(line.endswith(("E-000", "E-999")) for line in unknown), "no such entry: " + "; ".join(unknown[:9]))


def repeat(number):
    """Returns the exit status and output of `make experiment E=number`."""
    done = subprocess.run(["sh", "bench/experiments/repeat.sh", number], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
    return done.returncode, done.stdout


with open("bench/experiments/E-105.md", encoding="utf-8") as file:
    entry = file.read()
status, shown = repeat("105")
check("experiment_shown", status == 0 and shown.startswith(entry) and re.search("^revision .*\n(?: .*\n)*command ", shown[len(entry):], re.M), shown[len(entry):])
check("experiment_unknown", repeat("999")[0] == 2 and repeat("")[0] == 2, "exit status is not 2")

run = os.path.join(SCRATCH, "run")
paotai("selfplay", "--games", "80", "--nodes", "60", "--opening-window", "400", "--seed", "3", "--quiet", "--out", run)
done = subprocess.run(["/usr/bin/python3", "bench/experiments/e031.py"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                      env={**os.environ, "PAOTAI": PAOTAI, "RUNS": run, "GAMES": "/none", "OUT": SCRATCH}, text=True)
rows = re.findall(r"^\d+-\d+ +\d+ +-?\d+\.\d+ \+- \d", done.stdout, re.M)
check("experiment_runs", done.returncode == 0 and len(rows) == 8, done.stdout)
picture = xml.etree.ElementTree.parse(os.path.join(SCRATCH, "e031", "self-play.svg"))
check("experiment_picture", len(picture.findall(".//{http://www.w3.org/2000/svg}circle")) == 16, "not 8 points of two lines")
finish()

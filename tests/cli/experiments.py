# SPDX-License-Identifier: GPL-3.0-or-later
# Tests bench/experiments: every script has its entry in experiments.md, and one of them runs
# completely with a tiny run.
import glob
import os
import re
import subprocess
import xml.etree.ElementTree

from checks import PAOTAI, SCRATCH, check, finish, paotai

with open("experiments.md", encoding="utf-8") as file:
    log = file.read()
for script in sorted(glob.glob("bench/experiments/e0*.py")):
    number, part = re.search(r"e(0[0-9]+)(.*)\.py", script).groups()
    number = f"E-{number}"
    with open(script, encoding="utf-8") as file:
        source = file.read()
    compile(source, script, "exec")
    check(f"experiment_{number}{part}", f'"""Experiment {number}: ' in source and f"### {number} " in log and f"| {number} |" in log, "no entry, or no title")

run = os.path.join(SCRATCH, "run")
paotai("selfplay", "--games", "80", "--nodes", "60", "--opening-window", "400", "--seed", "3", "--quiet", "--out", run)
done = subprocess.run(["/usr/bin/python3", "bench/experiments/e031.py"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                      env={**os.environ, "PAOTAI": PAOTAI, "RUNS": run, "GAMES": "/none", "OUT": SCRATCH}, text=True)
rows = re.findall(r"^\d+-\d+ +\d+ +-?\d+\.\d+ \+- \d", done.stdout, re.M)
check("experiment_runs", done.returncode == 0 and len(rows) == 8, done.stdout)
picture = xml.etree.ElementTree.parse(os.path.join(SCRATCH, "e031", "self-play.svg"))
check("experiment_picture", len(picture.findall(".//{http://www.w3.org/2000/svg}circle")) == 16, "not 8 points of two lines")
finish()

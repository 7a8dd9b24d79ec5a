#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of the READMEs by which a user decides, and their table bench/claims.tsv.

A number counts if it stands outside code blocks and code words, and has a 95 % interval after it (`117 [90, 142]`, `73 +- 51`),
or if `Elo`, `of 100` or `bytes of memory` follows it. Each needs a row of the table whose words contain it:
    file, words (as on the page), key, value, error, entry, command
The command prints a line `KEY VALUE`, and `KEY_error95 ERROR` if chance has a part in it. The row is outside if the new value
differs from the old one by more than sqrt(old error^2 + new error^2). Errors are half widths of 95 % intervals, so one of twenty
rows with such an error is outside by chance. Instead of a command, a row says `definition`, or `needs` and what the repository lacks.
The error of a row without chance is the rounding of the page, or half of the range on the page.

    python3 bench/claims.py check                  # make test: every number has a row, every row its words
    python3 bench/claims.py run [PATTERN]          # make claims: measures again (hours), names the values outside

Rows are measured in the order of the table, the cheap ones first. Games, fits and results are kept in build/claims/REVISION, so
an interrupted run continues, and a row that this revision has measured is not measured again. PAOTAI names another program.
The whole table takes about three hours of processor time; THREADS=N uses N threads."""
import json
import os
import re
import subprocess
import sys
import time

PAGES = ["README.md"] + [f"{room}/README.md" for room in ("core", "selfplay", "tuner", "datasets", "bench")]
NUMBER = re.compile(r"(?<![\w.,\[-])[-+]?\d[\d.,]*(?:(?: \[-?\d[^\]]*\]| \+- \d[\d.]*)(?: Elo)?| Elo\b| of 100\b| bytes of memory)")


def text_of(page):
    """Returns the text of a page on one line, without code blocks and code words."""
    with open(page, encoding="utf-8") as file:
        text = re.sub(r"(?m)^(?: {4}|```).*$", "", file.read())
    return re.sub(r"\s+", " ", re.sub(r"`[^`]*`", lambda word: "`" + "_" * (len(word[0]) - 2) + "`", text))


def rows():
    with open("bench/claims.tsv", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return [dict(zip(("file", "words", "key", "value", "error", "entry", "command"), line, strict=True)) for line in lines[1:]]


def kind(row):
    """Returns `definition`, `needs` or `measured`."""
    word = row["command"].partition(" ")[0]
    return word if word in ("definition", "needs") else "measured"


def says(row):
    """Returns whether the words of a measured row contain its value, as a number, in hundredths, or as the middle of `A to B`."""
    numbers = {float(number.rstrip(".,").replace(",", "")) for number in re.findall(r"\d[\d.,]*", row["words"])}
    numbers |= {(float(low) + float(high)) / 2 for low, high in re.findall(r"(\d+) to (\d+)", row["words"])}
    return any(round(times * abs(float(row["value"])), 6) in numbers for times in (1, 100))


def check():
    """Returns a complaint for each number without a row, and for each row that does not say what is on its page."""
    table, wrong = rows(), []
    for page in PAGES:
        text = text_of(page)
        here = [row for row in table if row["file"] == page]
        places = [(text.find(row["words"]), row["words"]) for row in here]
        wrong += [f"bench/claims.tsv: {page} does not contain '{words}'" for at, words in places if at < 0]
        wrong += [f"bench/claims.tsv: '{row['words']}' does not contain {row['value']}" for row in here if kind(row) == "measured" and not says(row)]
        for found in NUMBER.finditer(text):
            if not any(at <= found.start() and found.end() <= at + len(words) for at, words in places if at >= 0):
                wrong.append(f"{page}: '{found[0]}' in '...{text[max(0, found.start() - 40):found.end() + 30]}...' has no row in bench/claims.tsv")
    return wrong


def printed(key, output):
    found = re.search(rf"(?m)^ *{re.escape(key)} +(-?[\d.]+)", output)
    return float(found[1]) if found else None


class Results:
    """Values that this revision has measured, by command and key, in a file with one JSON object a line."""

    def __init__(self, program):
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        self.folder = "build/claims/" + re.search(r"revision (\S+)", said)[1]
        self.path, self.known = os.path.join(self.folder, "results.json"), {}
        self.environment = {**os.environ, "PAOTAI": program, "CLAIMS": self.folder}
        os.makedirs(self.folder, exist_ok=True)
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.known = {record["command"]: record["output"] for record in map(json.loads, file)}

    def output_of(self, command):
        """Runs a command, unless its output is known. Returns its output, or None after a failure, with what it said."""
        if command not in self.known:
            done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, env=self.environment)
            if done.returncode:
                return None, done.stderr[-300:]
            self.known[command] = done.stdout
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"command": command, "output": done.stdout}) + "\n")
        return self.known[command], ""


def run(pattern):
    """Measures the rows again. Returns a complaint for each value outside its interval."""
    table = [row for row in rows() if re.search(pattern, f"{row['file']}: {row['words']}")]
    results = Results(os.environ.get("PAOTAI", "build/paotai"))
    count, wrong, by_chance, began = {"inside": 0, "outside": 0, "skipped": 0, "definitions": 0}, [], 0, time.time()
    for at, row in enumerate(table, 1):
        name = f"{at} of {len(table)}, {(time.time() - began) / 60:.0f} min  {row['file']}: {row['words']}"
        if kind(row) != "measured":
            count["definitions" if kind(row) == "definition" else "skipped"] += 1
            print(f"{'definition' if kind(row) == 'definition' else 'SKIP (' + row['command'] + ')'}  {name}", flush=True)
            continue
        output, said = results.output_of(row["command"])
        value = None if output is None else printed(row["key"], output)
        error = (output and printed(row["key"] + "_error95", output)) or 0
        limit = (float(row["error"]) ** 2 + error ** 2) ** 0.5
        inside = value is not None and abs(value - float(row["value"])) <= limit
        count["inside" if inside else "outside"] += 1
        by_chance += 0.05 * (error > 0)
        shown = "not measured" if value is None else f"{value:.4g}" + f" +- {error:.2g}" * (error > 0)
        print(f"{'inside' if inside else 'OUTSIDE'}  {row['key']} {shown} [{float(row['value']) - limit:.4g}, {float(row['value']) + limit:.4g}]  {name}", flush=True)
        if not inside:
            wrong.append(f"{row['file']}: {row['words']}: {shown} {said}")
    print(", ".join(f"{number} {word}" for word, number in count.items()) + f"; by chance alone {by_chance:.1f} would be outside")
    return wrong


if sys.argv[1:2] not in (["run"], ["check"]):
    sys.exit(__doc__)
complaints = run(sys.argv[2] if len(sys.argv) > 2 else "") if sys.argv[1:2] == ["run"] else check()
for complaint in complaints:
    print(complaint)
sys.exit(bool(complaints))

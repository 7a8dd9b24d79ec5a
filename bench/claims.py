#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of the READMEs by which a user decides, and their table bench/claims.tsv.

A number counts if it stands outside code blocks and code words, and has a 95 % interval after it (`117 [90, 142]`, `73 +- 51`),
or if the word `Elo` or `bytes of memory` follows it. Each needs a row of the table whose words contain it:
    file, words (as on the page), key, low, high, entry, command
The command prints a line `KEY VALUE`, and the value must lie from low to high. Rows without a command are definitions (entry `-`),
or were measured by the entry with data that the repository does not contain.

    python3 bench/claims.py check                  # make test: every number has a row, every row its words
    python3 bench/claims.py run [PATTERN]          # make claims: measures again (hours), names the values outside"""
import re
import subprocess
import sys

PAGES = ["README.md"] + [f"{room}/README.md" for room in ("core", "selfplay", "tuner", "datasets", "bench")]
NUMBER = re.compile(r"(?<![\w.,\[-])[-+]?\d[\d.,]*(?:(?: \[-?\d[^\]]*\]| \+- \d[\d.]*)(?: Elo)?| Elo\b| bytes of memory)")


def text_of(page):
    """Returns the text of a page on one line, without code blocks and code words."""
    with open(page, encoding="utf-8") as file:
        text = re.sub(r"(?m)^(?: {4}|```).*$", "", file.read())
    return re.sub(r"\s+", " ", re.sub(r"`[^`]*`", lambda word: "`" + "_" * (len(word[0]) - 2) + "`", text))


def rows():
    with open("bench/claims.tsv", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return [dict(zip(("file", "words", "key", "low", "high", "entry", "command"), line, strict=True)) for line in lines[1:]]


def check():
    """Returns a complaint for each number without a row, and for each row whose words are on no page."""
    table, wrong = rows(), []
    for page in PAGES:
        text = text_of(page)
        here = [row["words"] for row in table if row["file"] == page]
        places = [(text.find(words), words) for words in here]
        wrong += [f"bench/claims.tsv: {page} does not contain '{words}'" for at, words in places if at < 0]
        for found in NUMBER.finditer(text):
            if not any(at <= found.start() and found.end() <= at + len(words) for at, words in places if at >= 0):
                wrong.append(f"{page}: '{found[0]}' in '...{text[max(0, found.start() - 40):found.end() + 30]}...' has no row in bench/claims.tsv")
    return wrong


def run(pattern):
    """Measures the rows again. Returns a complaint for each value outside its interval."""
    wrong = []
    for row in rows():
        name = f"{row['file']}: {row['words']}"
        if row["command"] == "-" or not re.search(pattern, name):
            continue
        done = subprocess.run(["sh", "-c", row["command"]], capture_output=True, text=True, check=False)
        value = re.search(rf"(?m)^{row['key']} (\S+)", done.stdout)
        outside = not value or not float(row["low"]) <= float(value[1]) <= float(row["high"])
        print(f"{'OUTSIDE' if outside else 'inside'}  {row['key']} {value[1] if value else '-'} [{row['low']}, {row['high']}]  {name}", flush=True)
        if outside:
            wrong.append(name if value else f"{name}: {done.stderr[-300:]}")
    return wrong


complaints = run(sys.argv[2] if len(sys.argv) > 2 else "") if sys.argv[1:2] == ["run"] else check()
for complaint in complaints:
    print(complaint)
sys.exit(bool(complaints))

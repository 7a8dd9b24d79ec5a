# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the referee agrees with the known answers, counted by origin, class and rule set.

With the shared data (PAOTAI_SHARED) all of it is counted, else the tests' own rows. A row that
disagrees is printed with the reason for it where we hold one (EXPLAINED), and fails the test if not.
"""
import collections
import os
import subprocess
import sys

from checks import NO_SHARED, skip

PROGRAM = os.environ.get("PAOTAI", "build/release/paotai")
OWN = os.environ.get("PAOTAI_TEST_DATA", "tests/data")
SHARED = os.environ.get("PAOTAI_SHARED")

# (file, id of the row, rule set): why our verdict differs from the column. Empty: it does nowhere.
EXPLAINED = {}


def rows_of(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and line[0] != "#"]
    return [row for row in rows if row[0] != "id"]


def judge(games, *options):
    text = "".join("\t".join(game) + "\n" for game in games)
    done = subprocess.run([PROGRAM, "judge", *options], input=text, capture_output=True, text=True,
                          check=False)
    return [tuple(line.split("\t")) for line in done.stdout.splitlines()]


class Table:
    """Counts of agreement under one heading, and the disagreements nobody explained."""

    def __init__(self, title):
        self.title, self.counts, self.wrong = title, collections.Counter(), []

    def add(self, group, name, got, expected):
        good = got == expected
        self.counts[(group, good)] += 1
        if not good:
            why = EXPLAINED.get((self.title, name))
            print(f"  {self.title} {name}: {' '.join(got)}, the answer is {' '.join(expected)}"
                  + (f": {why}" if why else ""))
            if not why:
                self.wrong.append(name)

    def finish(self):
        for group in sorted({key[0] for key in self.counts}):
            good, bad = self.counts[(group, True)], self.counts[(group, False)]
            print(f"  {self.title:24} {group:12} {good:4} of {good + bad:4} agree")
        if self.wrong:
            print(f"FAIL rules_agreement {self.title}: {len(self.wrong)} rows differ without a reason")
        else:
            print(f"PASS rules_agreement {self.title}")
        return not self.wrong


def repetition(folder):
    rows = rows_of(folder, "repetition.tsv")
    games = [row[2:4] for row in rows]
    axf, literal = Table("repetition axf"), Table("repetition literal")
    for row, got in zip(rows, judge(games)):
        axf.add(row[1], row[0], got, (row[4], row[5]))
    for row, got in zip(rows, judge(games, "--rules", "literal")):
        literal.add(row[1], row[0], got[:1], (row[6],))
    return axf.finish() & literal.finish()


def ongoing(folder):
    rows, table = rows_of(folder, "repetition_ongoing.tsv"), Table("ongoing")
    for number, (row, got) in enumerate(zip(rows, judge([row[:2] for row in rows])), 1):
        table.add("all", f"row {number}", got, (row[2], "-"))
    return table.finish()


def disputed(folder):
    rows, table = rows_of(folder, "repetition_disputed.tsv"), Table("disputed")
    for number, (row, got) in enumerate(zip(rows, judge([row[:2] for row in rows])), 1):
        is_open = row[6] in ("unofficial", "diagmutual") or row[5].startswith("open")
        expected = row[4] if is_open else row[5].split(":")[-1]
        table.add(row[6], f"row {number}", got[:1], (expected,))
    return table.finish()


def classes(folder):
    rows, table = rows_of(folder, "repetition_classes.tsv"), Table("classes")
    for number, (row, got) in enumerate(zip(rows, judge([row[1:3] for row in rows])), 1):
        table.add(row[0], f"row {number}", got, (row[3], row[4]))
    return table.finish()


def material(folder):
    rows, table = rows_of(folder, "material.tsv"), Table("material")
    for column, rule in ((3, "axf"), (4, "pikafish")):
        for row, got in zip(rows, judge([row[:1] for row in rows], "--material", rule)):
            expected = ("draw", "material") if row[column] == "draw" else ("none", "-")
            table.add(rule, row[0], got, expected)
    return table.finish()


def main():
    good = classes(OWN) & repetition(SHARED or OWN) & material(SHARED or OWN)
    if SHARED:
        good &= ongoing(SHARED) & disputed(SHARED)
    else:
        skip("rules_agreement ongoing and disputed", NO_SHARED)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

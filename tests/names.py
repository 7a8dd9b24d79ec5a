# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/names.py BEFORE AFTER [EXPLAINED]: compares the sorted names of the checks in two logs (build/test.log), so that no
check is lost when scripts are merged. Prints the names that are gone and those that are new. A line of EXPLAINED is a pattern
of names, a tab, and where their cases are now. The exit status is 1 if a name is gone without such a line, or if a line fits
no name."""
import re
import sys


def names(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return {found[1].strip() for line in file if (found := re.match(r"(?:PASS|FAIL|SKIP) (.*?)(?:: .*)?$", line))}


before, after = map(names, sys.argv[1:3])
rows = []
if len(sys.argv) > 3:
    with open(sys.argv[3], encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and line[0] != "#"]
gone, unexplained = sorted(before - after), []
for name in gone:
    said = next((where for pattern, where in rows if re.fullmatch(pattern, name)), None)
    print(f"gone {name}: {said}" if said else f"GONE {name}")
    unexplained += [] if said else [name]
unused = [pattern for pattern, _ in rows if not any(re.fullmatch(pattern, name) for name in gone)]
print("\n".join([*(f"new {name}" for name in sorted(after - before)), *(f"fits no name: {pattern}" for pattern in unused)]))
print(f"{len(before)} names before, {len(after)} after, {len(gone)} gone, {len(unexplained)} of these unexplained, {len(after - before)} new")
sys.exit(bool(unexplained or unused))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that tests/words.py refuses no line of this repository.

Also tests that it refuses each kind of bad wording and names the line."""
import os
import subprocess
import sys

sys.path.insert(0, "tests")
from checks import check, finish

TREE = os.path.join(os.environ["PAOTAI_SCRATCH"], "tree")
GUARD = os.path.abspath("tests/words.py")


def refused(name, text):
    """Writes `text` to a file. Returns the numbers of its lines that tests/words.py refuses."""
    with open(os.path.join(TREE, name), "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(["git", "add", "."], cwd=TREE, check=True)
    done = subprocess.run([sys.executable, GUARD, name], cwd=TREE, stdout=subprocess.PIPE, encoding="utf-8")
    lines = done.stdout.splitlines()[:-1]
    check(f"words_status {name}", done.returncode == bool(lines), done.stdout)
    return [int(line.split(":")[1]) for line in lines]


if os.path.exists(".git"):
    done = subprocess.run([sys.executable, GUARD], stdout=subprocess.PIPE, encoding="utf-8")
    check("words_tree", done.returncode == 0 and "words: 0 lines refused" in done.stdout, done.stdout)
os.makedirs(TREE)
subprocess.run(["git", "init", "-q", "."], cwd=TREE, check=True)
good = '''// SPDX-License-Identifier: GPL-3.0-or-later
// Returns the number of games, in the order
// of the file.
int games; // number of games
int size;  // bytes
"Writes %s", "asks", "a: none"
'''
check("words_accepted", refused("good.c", good) == [], "a good file is refused")
bad = ["// Of one entry: gravity holds it.", "int games; // what was played", "// Has the side a move?",
       "// Games with errors in three of them.", "// Counts so many games.", '"The names that were " "asked"',
       '"To a file %s"', "// The seed, if one is set: none"]
check("words_refused", refused("bad.h", "\n;\n".join(bad)) == list(range(1, 2 * len(bad), 2)), "the lines differ")
check("words_refused_script", refused("bad.sh", "# Lists.\n\n# What it lists.\necho\n") == [3], "the lines differ")
check("words_refused_docstring", refused("bad.py", '"""Lists."""\n\ndef f():\n    """What it lists."""\n') == [4], "the lines differ")
check("words_refused_help", refused("Makefile", "all: x ## build\nx: ## but for one\n") == [2], "the lines differ")
finish()

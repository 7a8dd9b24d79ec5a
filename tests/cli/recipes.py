# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the recipes of README.md. In a block, commands begin in the first column, and the expected
# output is indented below them; "..." stands for any text. A block with a diff is not
# applied, but git must be able to apply it. Blocks that call make run only in test-full. All blocks
# run in the same directory. It holds a copy of the tree in test-full, otherwise of the files that the blocks need.
import os
import re
import shutil
import subprocess

from checks import FULL, PAOTAI, SCRATCH, check, finish, report, skip, want

TREE = os.path.join(SCRATCH, "tree")
# Environment in which git does not find the repository around the copied tree.
ALONE = {**os.environ, "GIT_CEILING_DIRECTORIES": os.path.abspath(SCRATCH)}
ENGINE = os.environ.get("FAIRY_STOCKFISH")
with open("README.md", encoding="utf-8") as file:
    text = file.read().partition("## Recipes\n")[2].partition("\n## ")[0]
# In `make test` the same commands play fewer and faster games.
QUICK = (("--games 300 --nodes 100", "--games 300 --nodes 50"), ("--games 300 --nodes 200", "--games 80 --nodes 50"),
         ("rescore build/real --nodes 100", "rescore build/real --nodes 30"),
         ("--units 32 --match-pairs 20", "--units 32 --match-pairs 4"), ("games 1500", "games 600"),
         ("rescore build/pocket_games --weights best --nodes 200", "rescore build/pocket_games --weights best --nodes 100"))
# With Fairy-Stockfish at hand, its recipe runs with fewer games.
WITH_ENGINE = (("--games 56000 --nodes 400", "--games 200 --nodes 100"), ("games 56000", "games 200"),
               ("--shape fairy", "--shape fairy --keep"), ('Use NNUE=false" --pairs 20', 'Use NNUE=false" --pairs 3'),
               ("cmd=fairy-stockfish", f"cmd={ENGINE},profile=fairy-stockfish"))
for slow, fast in (WITH_ENGINE if ENGINE else ()) if FULL else QUICK:
    want(slow in text, f"README.md has no '{slow}'")
    text = text.replace(slow, fast)
blocks = [re.sub("^    ", "", block, flags=re.M) for block in re.findall(r"(?:^    .*\n)+", text, re.M)]


def expected(line):
    """Returns a regular expression for the line, in which blanks match any blanks, and "..." any text."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in line.split("...")]
    return re.compile(".*".join(parts))


def missing(wanted, printed):
    """Returns the expected lines that the output lacks or has in another order."""
    lines = iter(printed.splitlines())
    return [line for line in wanted if not any(expected(line).search(got) for got in lines)]


def run(command, wanted):
    for _ in range(5 if "engine-check" in command else 1):  # engine-check measures time, so it may fail on a busy machine
        done = subprocess.run(["sh", "-c", command], cwd=TREE, env=ALONE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", errors="replace", check=False)
        good = done.returncode in ((137, 124) if command.startswith("timeout") else (0,))
        if good and not missing(wanted, done.stdout):
            break
    if "--resume" in command:  # the killed run must have stored some of its games, but not all
        left, already = (int(number) for number in re.search(r"^games (\d+)\n(?:.*\n)*already (\d+)$", done.stdout, re.M).groups())
        want(left > 0 and already > 0, f"'{command}' resumes nothing: {left} games played, {already} already there")
    want(good, f"'{command}' ends with {done.returncode}: {done.stdout[-300:]!r}")
    want(not missing(wanted, done.stdout), f"'{command}' does not print {missing(wanted, done.stdout)} but {done.stdout[-1500:]!r}")


def run_block(block):
    commands = []
    for line in block.splitlines():
        if line.startswith("  "):
            commands[-1][1].append(line)
        else:
            commands.append((line, []))
    for command, wanted in commands:
        want(wanted or block.count("\n") > 1, f"'{command}' has no expected output")
        run(command, wanted)
    return len(commands)


os.makedirs(os.path.join(TREE, "build"))
tracked = ("git", "ls-files", *(() if FULL else ("core/eval/eval.c", "core/eval/weights.def", "core/base", "core/board", "bench/authors")))
for name in subprocess.run(tracked, capture_output=True, encoding="utf-8", check=False).stdout.split("\n"):
    if name:
        os.makedirs(os.path.join(TREE, os.path.dirname(name)), exist_ok=True)
        shutil.copy(name, os.path.join(TREE, name))
os.symlink(os.path.abspath(PAOTAI), os.path.join(TREE, "build/paotai"))
BUILD = os.path.dirname(os.path.realpath(PAOTAI))
os.symlink(BUILD, os.path.join(TREE, "build/release"))
if FULL:  # a recipe ends with git checkout
    for words in (("init", "-q"), ("add", "-A"), ("-c", "user.name=test", "-c", "user.email=test", "commit", "-q", "-m", "copy")):
        subprocess.run(["git", *words], cwd=TREE, env=ALONE, check=True)
count = 0
for number, block in enumerate(blocks, 1):
    name = f"recipe_{number}"
    if "gcc " in block and os.path.basename(BUILD) not in ("release", "debug"):
        skip(name, f"it links {BUILD}/libcore.a without the flags of this build")
        continue
    if block.startswith("diff "):
        with open(os.path.join(TREE, "build/linked.diff"), "w", encoding="utf-8") as file:
            file.write(block)
        run("git apply --check build/linked.diff", [])
        run("git apply --numstat build/linked.diff", ["1...0...core/eval/weights.def", "2...0...core/eval/eval.c"])
    elif "make " in block and not FULL:
        skip(name, "only in test-full (it builds a copy of the program)")
        continue
    elif "cmd=fairy-stockfish" in block and not (FULL and ENGINE):
        skip(name, "only in test-full, and if FAIRY_STOCKFISH names the program")
        continue
    else:
        count += run_block(block)
    report(name)
check("recipes_all", len(blocks) >= 9 and count >= 15, f"{len(blocks)} blocks, {count} commands")
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the READMEs: the program accepts the shown commands, and inside of sentences those with an
# option; named options, files named with their folder, and links exist; the README of the root has
# at most 240 lines.
import glob
import os
import re
import sys

from checks import PAOTAI, accepts, check, finish, paotai, report, run, scratch, want, write

ROOMS = "core datasets selfplay tuner bench tests".split()
options = set(re.findall(r"--[a-z][a-z0-9-]*", paotai("help", "--completion").stdout))
# Other options that a README may name: those of launchers and git, those that every command has,
# and those of our scripts.
options |= set("--bind-to --allow-run-as-root --mca --mpi --cpu-bind --sshlogin --workdir".split())
options |= {"--git", "--help", "--version", "--options", "--list", "--only", "--minimise", "--write"}
for script in ("bench/compare", "bench/measure", "bench/suite"):
    with open(script, encoding="utf-8") as file:
        options |= set(re.findall(r'"(--[a-z][a-z0-9-]*)"', file.read()))
readmes = ["README.md", *(f"{room}/README.md" for room in ROOMS)]
check("readme_everywhere", sorted(glob.glob("*/README.md")) == sorted(readmes[1:]), glob.glob("*/README.md"))
shown = 0
for name in readmes:
    with open(name, encoding="utf-8") as file:
        text = file.read()
    inline = re.findall(r"`(?:build/)?(paotai ([a-z-]+) [^`\n]*-[^`\n]*)`", text)
    examples = re.findall(r"^    build/(paotai .*)", text, re.M) + [line for line, word in inline if word != "help"]
    shown += len(examples)
    for example in examples:
        accepts(example)
    for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", text):
        want(option in options, f"it names {option}, which no command has")
    # A path such as `core/file.c` or `core/` must exist, relative to the root or to the README.
    # NAME in a path stands for any name.
    for path in re.findall(rf"`((?:{'|'.join(ROOMS)})/(?:[\w/.]*\w\.\w+|[\w/]*/|))`", text):
        here = os.path.join(os.path.dirname(name), path)
        want("NAME" in path or os.path.exists(path) or os.path.exists(here), f"it names {path}, which does not exist")
    for target in re.findall(r"\]\(([^):]*)\)", text):
        want(os.path.exists(os.path.join(os.path.dirname(name), target)), f"it links to {target}, which does not exist")
    # The READMEs name a function as `word()` (`file.c`), a variable as `word` (`file.c`). The file
    # must contain the word.
    for word, path in re.findall(r"`(\w+)(?:\(\))?` \(`(\w[\w/]*\.[ch])`\)", text):
        with open(path, encoding="utf-8") as file:
            want(re.search(rf"\b{word}\b", file.read()), f"it says that {word} is in {path}")
    report(f"readme_{os.path.dirname(name) or 'root'}")
check("readme_commands", shown > 20, f"they show {shown} commands")
with open("README.md", encoding="utf-8") as file:
    text = file.read()
    said = paotai("match", "--a", "cmd=x,proto=no", "--b", "nodes=1", "--pairs", "1").stderr
    known = {*re.search("is not one of (.*)", said)[1].split(", "), "xboard"}
    listed = set(re.findall(r"\w+", re.search(r"`proto=` is ([^.]*)\.", text)[1])) - {"or"}
    check("readme_protocols", listed == known, f"README says {listed}, the program takes {known}")
    pictures = glob.glob("bench/pictures/*.png")
    for path in pictures:
        want(re.search(rf"^[^\n]+:\n!\[[^]]+\]\({path}\)$", text, re.M), f"{path} is not shown below a sentence")
    size = sum(os.path.getsize(path) for path in pictures)
    want(len(pictures) == 3 and size < 300_000, f"{len(pictures)} pictures with {size} bytes")
    want(re.search(r"^.*`make pictures` [^.]*revision [0-9a-f]{7,}\.$", text, re.M), "the revision of the pictures is not named")
    report("readme_pictures")
    check("readme_short", len(text.splitlines()) <= 240, "README.md has more than 240 lines")
# Each number by which a user decides has a row in bench/claims.tsv; bench/claims.py says which numbers count.
for page, extra, named in (("", "", ""), ("README.md", "A fit gains 31 Elo.", "'31 Elo'"), ("tuner/README.md", "Another gains 7 [2, 12].", "'7 [2, 12]'")):
    for path in ("README.md", *(f"{room}/README.md" for room in ROOMS if room != "tests"), "bench/claims.tsv"):
        with open(path, encoding="utf-8") as file:
            write(path, file.read() + (f"\n{extra}\n" if path == page else ""))
    done = run(sys.executable, os.path.abspath("bench/claims.py"), "check", cwd=scratch(""))
    lines = done.stdout.split("\n")[:-1]
    check(f"readme_claims_{page.partition('/')[0] or 'all'}", [named in line for line in lines] == [True] * bool(named) and done.returncode == bool(named), done.stdout + done.stderr)
# `make claims` measures the rows, names those outside, skips what the repository lacks, and does not measure a row again.
rows = ["file\twords\tkey\tvalue\terror\tentry\tcommand", "a\tone 30 Elo\telo\t30\t3\t-\techo run >>ran; printf 'elo 34\\nelo_error95 4\\n'",
        "a\tone 20 Elo\telo\t20\t3\t-\techo run >>ran; printf 'elo 34\\nelo_error95 4\\n'", "a\ttwo\t-\t-\t-\t-\tdefinition", "a\tthree\telo\t1\t1\t-\tneeds a horse",
        "a\tfour 1 Elo\telo\t1\t1\t-\tfalse"]
write("bench/claims.tsv", "# table\n" + "\n".join(rows) + "\n")
for again in (False, True):
    done = run(sys.executable, os.path.abspath("bench/claims.py"), "run", cwd=scratch(""), env={**os.environ, "PAOTAI": os.path.abspath(PAOTAI)})
    words = [line.split()[0] for line in done.stdout.splitlines()]
    with open(scratch("ran"), encoding="utf-8") as file:
        ran = len(file.readlines())
    check(f"readme_claims_run{'_again' * again}", done.returncode == 1 and words[:5] == ["inside", "OUTSIDE", "definition", "SKIP", "OUTSIDE"] and ran == 1 and
          "1 inside, 2 outside, 1 skipped, 1 definitions" in done.stdout and "[25, 35]" in done.stdout, done.stdout + done.stderr)
finish()

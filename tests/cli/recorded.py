# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that a command can be repeated by passing its recorded options to --options. Also tests that
# runs made from different sources are not merged.
import os
import re
import shutil

from checks import PAOTAI, START, check, finish, paotai, scratch, values, write



def good(name, *words):
    done = paotai(*words)
    if done.returncode != 0:
        check(name, False, f"{words}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def stored(run):
    """Returns the recorded options of a run, one on each line."""
    return values(good("recorded_info", "data", "info", "--verbose", "--quiet", run))["provenance_options"].replace(";", "\n")


def content(path):
    """Returns the content hash of a run. For a file, or a directory with games.txt, returns the lines of
    the file that are not comments."""
    if os.path.isdir(path) and not os.path.exists(path + "/games.txt"):
        return values(good("recorded_info", "data", "info", "--quiet", path))["content_hash"]
    with open(path + "/games.txt" if os.path.isdir(path) else path, errors="replace") as file:
        return [line for line in file if line[0] != "#"]


def head(command, path):
    """Returns those comments of a file that set options of the command."""
    known = re.findall(r"^  --([\w-]+)", good("recorded_help", *command.split(), "--help"), re.M) + ["given"]
    path += "/games.txt" if os.path.isdir(path) else ""
    with open(path, errors="replace") as file:
        lines = [line[2:] for line in file if line[:2] == "# "]
    return "".join(line for line in lines if line.split("=")[0] in known)


def repeats(name, command, *words, args=(), part="", ending="", more=()):
    """Runs a command twice: with options `words`, then with the options that the first run recorded.
    `more` are options that are given both times, because the record lacks them."""
    first, again = scratch(name + ending), scratch(name + "_again" + ending)
    said = good(name, *command.split(), *words, *more, "--quiet", "--out", first, *args)
    options = head(command, first) if ending or os.path.exists(first + "/games.txt") else stored(first + part)
    done = paotai(*command.split(), "--options", write(name + ".options", options), *more, "--quiet", "--out", again, *args)
    # The outputs are equal, except for times and paths.
    told = [[line for line in text.splitlines() if not re.search(r"_share|ms_per|second|^ |^shard |" + name, line)] for text in (said, done.stdout)]
    check("recorded_" + name, done.returncode == 0 and content(first + part) == content(again + part) and told[0] == told[1],
          (done.returncode, done.stderr, told, options))


FEW = ("--nodes", "30", "--max-plies", "60")
repeats("selfplay", "selfplay", "--games", "12", *FEW)
games = scratch("selfplay")
write("book.epd", START + "\n")
repeats("selfplay_book", "selfplay", "--games", "4", *FEW, "--openings", scratch("book.epd"), "--noise-plies", "6")
repeats("selfplay_depth", "selfplay", "--games", "2", "--depth", "1", "--max-plies", "60")
write("old.txt", good("recorded_weights", "weights", "convert", "classic") + "no_such_term 0 0\n")
repeats("selfplay_unknown", "selfplay", "--games", "2", *FEW, "--drop-unknown", "--weights", scratch("old.txt"))
repeats("match", "match", "--a", "nodes=40", "--b", "nodes=20", "--pairs", "3", *FEW)
repeats("match_sprt", "match", "--a", "nodes=60", "--b", "nodes=5", "--sprt", "0,400", "--max-plies", "60")
# The adjudication by scores is off by default if a player is a program.
program = f"cmd={os.path.abspath(PAOTAI)},nodes=5"
repeats("match_program", "match", "--a", program, "--b", "nodes=300", "--pairs", "2", "--nodes", "20", "--opening-nodes", "0")
repeats("tournament", "tournament", "--rounds", "2", *FEW, "--opening-nodes", "0", args=("nodes=9", "nodes=11"))
repeats("rescore", "rescore", "--nodes", "20", args=(games,))
write("positions.epd", f"{START.replace(' w', ' b')} c9 \"1-0\";\n{START} c9 \"1/2-1/2\";\n")
FILL = ("--fill-moves", "--format", "epd")
repeats("import", "data import", *FILL, args=(scratch("positions.epd"),))
repeats("import_sample", "data import", *FILL, "--sample-after", "10", args=(scratch("positions.epd"),))
repeats("sample_positions", "data sample", "--positions", "20", args=(games,))
repeats("sample_fraction", "data sample", "--fraction", "0.3", args=(games,))
repeats("sample_per_game", "data sample", "--per-game", "2", args=(games,))
repeats("filter", "data filter", "--min-ply", "12", "--tag", "Red=", "--tag", "Black=", "--from", "plies", args=(games,))
repeats("dedup", "data dedup", "--mirrored", args=(games,))
repeats("split", "data split", "--valid", "0.5", args=(games,), part="/train")
repeats("merge", "data merge", "--renumber", args=(games, games))
for depth in (("--depth", "1"), ("--nodes", "40")):
    repeats("variant_" + depth[0][2:], "variant selfplay", *depth, "--max-plies", "80", args=("supply",), more=("--games", "2"))
repeats("book", "book make", "--count", "4", "--plies", "4", "--nodes", "20", ending=".epd")
repeats("tune", "tune", "--fit", "material_*", "--lambda", "1", "--weights", "classic", args=(games,), ending=".txt")

# ---- runs that were made from different sources ---------------------------------------------------
def pieces(name, run):
    """Copies the first or the last shard of the run to a new directory. These shards have different game
    numbers."""
    os.makedirs(scratch(name))
    shards = sorted(file for file in os.listdir(run) if file.startswith("shard-"))
    shutil.copy(f"{run}/{shards[0 if name.endswith('first') else -1]}", scratch(name))
    return scratch(name)


ONE = ("--quiet", "--shard-games", "2")
other = scratch("selfplay_other")
good("recorded_other", "selfplay", "--games", "12", *FEW, "--seed", "2", "--quiet", "--out", other)
for run in (games, other):
    good("recorded_moves", "data", "export", "--format", "moves", "--quiet", "--out", run + ".moves", run)
for name, command, source in (("import", "data import --unknown draw", "{}.moves"), ("stdin", "data import --unknown draw", None),
                              ("filter", "data filter --min-ply 1", "{}"), ("sample", "data sample --fraction 1", "{}"),
                              ("dedup", "data dedup", "{}"), ("rescore", "rescore --nodes 5", "{}")):
    for number, run in enumerate((games, other)):
        with open(run + ".moves") as moves:
            done = paotai(*command.split(), *ONE, "--out", scratch(f"{name}{number}"), *([source.format(run)] if source else []),
                          stdin="" if source else moves.read())
        if done.returncode != 0:
            check("recorded_sources_" + name, False, done.stderr)
    parts = [pieces(f"{name}{number}_{end}", scratch(f"{name}{number}")) for number, end in ((0, "first"), (1, "last"), (0, "last"))]
    done = paotai("data", "merge", "--quiet", "--out", scratch(name + "_wrong"), *parts[:2])
    check("recorded_sources_" + name, done.returncode == 1 and "were made from different sources: 'source=" in done.stderr, done.stderr)
    done = paotai("data", "merge", "--quiet", "--out", scratch(name + "_right"), parts[0], parts[2])
    check("recorded_source_" + name, done.returncode == 0, done.stderr)
finish()

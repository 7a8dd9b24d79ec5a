# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that runs made from different sources are not merged.
import os
import shutil

from checks import check, finish, paotai, scratch


def good(name, *words):
    done = paotai(*words)
    if done.returncode != 0:
        check(name, False, f"{words}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


FEW = ("--nodes", "30", "--max-plies", "60")
games = scratch("selfplay")
good("recorded_games", "selfplay", "--games", "12", *FEW, "--quiet", "--out", games)

# ---- runs that were made from different sources ---------------------------------------------------
def pieces(name, run):
    """Puts one shard of the run alone into a directory, so that its game numbers meet no others."""
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

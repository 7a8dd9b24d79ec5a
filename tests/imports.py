# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports of one text or of some files, for tests whose cases are rows of a table."""
import csv
import functools
import os
import re

from checks import paotai, same, scratch, values, write

LISTS = ("fen", "move", "score_red", "mate_red", "result", "depth", "nodes", "best")  # columns of the format csv


class Import:
    """An import, and the run that it made. `content` is the text or the bytes of a file, or None if
    `options` name the files. `file` is the name of the file, whose ending may decide its format."""
    count = 0

    def __init__(self, content, *options, file="in.txt", **more):
        Import.count += 1
        self.run = scratch(f"import{Import.count}")
        path = [] if content is None else [write(f"import{Import.count}.files/{file}", content)]
        done = paotai("data", "import", *options, "--out", self.run, *path, **more)
        self.status, self.out, self.said = done.returncode, done.stdout, done.stdout + done.stderr
        self.errors = [line[6:] for line in done.stdout.splitlines() if line.startswith("error\t")]
        self.counts = values(done.stdout)

    def export(self, form, *options):
        return paotai("data", "export", "--format", form, *options, self.run).stdout if os.path.exists(self.run) else ""

    @functools.cached_property
    def lines(self):
        """The games in the format moves."""
        return self.export("moves").splitlines()

    @property
    def games(self):
        """Result and moves of each game, without its start."""
        return [" ".join(line.split("\t")[::len(line.split("\t")) - 1]) for line in self.lines]

    @property
    def moves(self):
        return [line.split("\t")[-1] for line in self.lines]

    @functools.cached_property
    def rows(self):
        """All stored positions."""
        return list(csv.DictReader(self.export("csv", "--positions", "all").splitlines()))

    @functools.cached_property
    def pgn(self):
        return self.export("pgn")

    @property
    def tags(self):
        """The tags of the first game."""
        return dict(re.findall(r'^\[(\w+) "(.*)"\]$', self.pgn.split("[Game ", 2)[1] if "[Game " in self.pgn else "", re.M))

    @property
    def info(self):
        return values(paotai("data", "info", self.run).stdout)

    @property
    def ends(self):
        """The reasons of the ends of the games, with their counts."""
        return sorted(re.findall(r"^end_((?!game)\w+) (\d+)$", paotai("data", "info", self.run).stdout, re.M))

    @property
    def verify(self):
        return paotai("data", "verify", self.run).returncode

    def get(self, key, wanted):
        """Returns what a row of a table expects by the name `key`: an attribute, a column of the positions, or
        a count of the output. For `says`, returns those of the wanted words that the output has, and for
        `tags` those tags that are wanted."""
        if key == "says":
            return [word for word in wanted if word in self.said]
        if key == "tags":
            return {name: self.tags.get(name) for name in wanted}
        if key in LISTS:
            return [row[key] for row in self.rows]
        return getattr(self, key) if hasattr(self, key) else self.counts.get(key)


def row(name, content, *options, file="in.txt", **wanted):
    """One case: imports a text and compares what get() returns with what is wanted. Returns the import."""
    got = Import(content, *options, file=file)
    same(name, {key: got.get(key, value) for key, value in wanted.items()}, wanted)
    return got

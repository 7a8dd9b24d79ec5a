# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests tune --cv, whose fits take long: the folds, and the choice of the prior."""
import re

from checks import check, finish, paotai, scratch, write

RUN, DOZEN = scratch("run"), scratch("dozen")
paotai("selfplay", "--games", "50", "--nodes", "100", "--opening-nodes", "100", "--weights", "classic", "--seed", "5", "--quiet", "--out", RUN)
paotai("selfplay", "--games", "12", "--nodes", "100", "--seed", "5", "--quiet", "--out", DOZEN)


def tune(*args):
    return paotai("tune", *args)


# The fold of a game depends only on its start and moves. Its place in the run and mirroring have no influence.
moves, folds = paotai("data", "export", "--format", "moves", "--quiet", RUN).stdout.splitlines(keepends=True), {}
mirrored = [line.translate(str.maketrans("abcdefghi", "ihgfedcba")) for line in moves]
for name, text in (("fifty", moves), ("turned", mirrored[::-1])):
    paotai("data", "import", "--out", scratch(name), "--quiet", write(name + ".moves", "".join(text)))
    folds[name] = re.findall(".*best.*", tune(scratch(name), "--quiet", "--lambda", "1", "--cv", "2", "--fit", "table_horse").stdout)
check("tune_folds_by_content", len(moves) == 50 and folds["fifty"] == folds["turned"] != [], folds)
# If the start weights have standard errors, --cv chooses the factor of --prior-errors. Each line that --cv prints comes
# from a separate fit.
lines = [line for line in tune(DOZEN, "--fit", "table_horse", "--quiet", "--weights", "default", "--cv", "2").stdout.splitlines() if re.match(" *[0-9]", line)][:16]
check("tune_cv_errors", len({line.split()[2] for line in lines}) >= 12, lines)
edge = tune(DOZEN, "--cv", "2", "--quiet", "--verbose", "--prior-errors", "0", "--fit", "table_horse").stdout
best = [line.split() for line in edge.splitlines() if line.endswith("best")]
check("tune_cv_edge", len(best) == 1 and bool(re.search("^cv_note", edge, re.M)) == (float(best[0][0]) in (20, 160) or float(best[0][1]) == 10), edge)
finish()

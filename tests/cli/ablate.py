# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests paotai ablate: fits with and without terms, the match between these fits, and each group of terms in turn."""
import os
import re

from checks import check, finish, paotai, read, refuses, scratch, values, write

GAMES = scratch("games")
paotai("selfplay", "--games", "300", "--nodes", "30", "--seed", "7", "--threads", "2", "--quiet", "--out", GAMES)


def ablate(out, *args):
    """Runs ablate. Returns its output."""
    return paotai("ablate", GAMES, "--valid-fraction", "0.4", "--quiet", "--out", scratch(out), *args).stdout


def weights(path):
    return [line for line in read(path).splitlines() if line[0] != "#"]


one = ablate("one", "--terms", "material_cannon,material_horse,soldiers_linked", "--match-pairs", "10", "--nodes", "40")
said = values(one)
check("ablate_material", 0 < float(said["loss_change_error95"]) < -float(said["loss_change"]), one)
check("ablate_ends", said["match_games"] == "20" and said["verdict"].startswith("not decided") and re.search(
    r": they help to predict \(the loss without them is 0\.[0-9]+ \+- 0\.[0-9]+ higher\).*; with them not decided \(.* 20 games, 95 %; about [0-9]+ more pairs would decide if the score stays as it is; this number of games can detect "
    r"(only differences above|differences of at least) [0-9]+ Elo; 5 Elo would need about [0-9]+ games and [0-9.]+ CPU (minutes|hours) on this machine \(80 % power\)\)", one.splitlines()[-1]), one)
kept, without = weights("one/with.txt"), weights("one/without.txt")
rest = lambda lines: [line for line in lines if not re.match("material_(cannon|horse)|soldiers_linked", line)]
check("ablate_rest", rest(kept) != rest(without) and [line for line in kept if line.startswith("table_horse")] != [line for line in without if line.startswith("table_horse")],
      "the other terms were not fitted")
two = ablate("two", "--terms", "soldiers_linked")
check("ablate_zero", "soldiers_linked 0 0" in without, "the removed term is not 0")
check("ablate_value", re.search(r"^soldiers_linked\[0\].mg +-?[0-9.]+ \+- [0-9.]+ in [0-9]+ games", two, re.M), two)
check("ablate_table", f"table {scratch('two/terms.tsv')}\n" in two and "\nterms\tloss_change\tloss_change_se\telo\telo_ci95_low\telo_ci95_high\t" in "\n" + read("two/terms.tsv")
      and "\nsoldiers_linked\t" in read("two/terms.tsv"), two)
# None of these eight games is selected for validation, so the change of the loss and its error are unknown.
paotai("selfplay", "--games", "8", "--nodes", "30", "--seed", "7", "--quiet", "--out", scratch("eight"))
few = paotai("ablate", scratch("eight"), "--valid-fraction", "0.01", "--terms", "mobility_horse", "--out", scratch("few"), "--quiet").stdout
check("ablate_no_validation", not re.search("nan", few, re.I) and "\nloss_change_error95 -\n" in few and re.search("^mobility_horse: .*fewer than two validation games", few, re.M), few)
# With --prior-errors 2 both fits have a prior whose widths are twice the standard errors of the default weights. The
# output says so. Without the option there is no such prior.
held = ablate("held", "--terms", "soldiers_linked", "--prior-errors", "2")
PRIOR = "the prior of both fits is"
check("ablate_free", PRIOR not in two and weights("held/with.txt") != weights("two/with.txt"), "without --prior-errors the errors of the default weights were used as prior")
check("ablate_held", re.search(f"{PRIOR} 2 times each weight.s standard error in default \\(--prior-errors\\)$", held, re.M), held)
# In the first 24 plies no soldiers across the river are linked, so this term never occurs: no value is measured, and no
# match is played.
moves = paotai("data", "export", "--format", "moves", "--quiet", GAMES).stdout.splitlines()
paotai("data", "import", "--out", scratch("cut"), "--quiet", write("cut.moves", "".join(" ".join(line.split(" ")[:24]) + "\n" for line in moves)))
never = paotai("ablate", scratch("cut"), "--terms", "soldiers_linked", "--match-pairs", "5", "--nodes", "20", "--out", scratch("never"), "--quiet").stdout
check("ablate_never", "\nverdict never\n" in never and re.search(
    "^soldiers_linked: occurs in 0 of [1-9][0-9]* positions and in 0 of [1-9][0-9]* games: nothing was measured; .* quiet", never, re.M)
    and not re.search("^(match_games|loss_change|elo)", never, re.M) and not os.path.exists(scratch("never/without.txt")), never)
every = ablate("all", "--each-group")
changes = [float(row[1]) for row in map(str.split, every.splitlines()) if len(row) > 2 and row[2] == "+-"]
check("ablate_groups", len(changes) >= 10 and changes == sorted(changes), changes)
check("ablate_sentence", re.search(r"^[0-9]+ groups: [0-9]+ help .*; chance alone would give about [0-9]+\.[0-9] such verdicts .*; worth most: [a-z_*]+(, not surely more than [a-z_*]+)?$", every, re.M), every)
for name, file in (("all", "ablate.tsv"), ("one", "terms.tsv")):
    paotai("report", scratch(name + "/with.txt"), "--ablate", scratch(f"{name}/{file}"), "--out", scratch(name + ".html"), "--quiet")


def shown(page, figure):
    """Returns the rows of a table of a report."""
    part = read(page).partition(f"<figure id='{figure}'>")[2].partition("</figure>")[0]
    return re.findall(r"<tr><th scope='row'>([^<]*)</th><td>([^<]*)</td>", part)


worth = [float(row[1].replace("\u2212", "-")) for row in shown("all.html", "worth-loss")]
check("ablate_report", len(worth) == read("all/ablate.tsv").count("\n") - 3 and worth == sorted(worth, reverse=True) and len(shown("one.html", "worth-elo")) == 1, worth)
# The report refuses a file that is no table of ablate, here a weight file.
wrong = scratch("one/with.txt")
refuses("ablate_report_other", 1, f"--ablate {wrong}: not a table of 'paotai ablate'", "report", wrong, "--ablate", wrong, "--out", scratch("other.html"))
for name, says, words in (("nothing", "give either --terms", ""), ("both", "give either --terms", "--terms hanging --each-group"), ("nodes", "give --match-pairs", "--terms hanging --nodes 50"),
                          ("resume_terms", "only --each-group can be resumed", "--terms hanging --resume"),
                          ("no_errors", "classic has no standard errors", "--terms hanging --weights classic --prior-errors 2")):
    refuses("ablate_" + name, 2, says, "ablate", GAMES, "--valid-fraction", "0.4", "--quiet", *words.split())
refuses("ablate_unknown", 2, "nosuch", "ablate", "--terms", "nosuch*", "--out", scratch("none"), scratch("no-games-here"))
finish()

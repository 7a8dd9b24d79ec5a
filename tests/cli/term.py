# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests all steps of paotai term. The command plays a few games and keeps them for its next calls. new_terms.py tests
terms that are added to the source."""
import glob
import json
import os
import re
import xml.dom.minidom

from checks import another_build, check, finish, paotai, read, refuses, run, scratch, values, write


def term(*args):
    return paotai("term", *args, "--rev", "none", "--quiet", "--nodes", "20", "--out", scratch("term"), "--threads", "2")


def kept():
    """Returns the content hash of each run of games that was kept."""
    return [values(paotai("data", "info", path).stdout)["content_hash"] for path in sorted(glob.glob(scratch("term/games-*")))]


def weights(name):
    return [line for line in read(f"term/hanging/{name}.txt").splitlines() if line[0] != "#"]


SMALL = ("--games", "150", "--match-pairs", "6")
one = term("hanging", *SMALL).stdout
check("term_first_trial", "term on these games" not in one, one)
second = term("pinned", *SMALL).stdout
check("term_trials", "the 2nd term on these games: expect 0.1 false keeps" in " ".join(second.split()) and len(read("term/trials.txt").splitlines()) == 2, second)
check("term_ends", re.search(r"^verdict (keep|drop|undecided) hanging: .* Elo, .* \([0-9]+ games, 95 %\).*default already contains the term", " ".join(one.splitlines()[-2:])), one)
missing = [key for key in "same_play_why games_with_term in_endgame winner_has_more search_with_term r2 loss_change_error95 significant match_games seen_elo".split() if key not in values(one)]
check("term_steps", not missing, missing)
check("term_value", re.search(r"^hanging\[0\].mg +-?[0-9.]+ \+- [0-9.]+ in [0-9]+ games", one, re.M), one)
differ = [pair for pair in zip(weights("with"), weights("without")) if pair[0] != pair[1]]
errors = re.findall(r"^# se (\w+) ", read("term/hanging/with.txt"), re.M)
check("term_players", len(differ) == 1 and re.fullmatch("hanging( +0)+", differ[0][1]) and {"hanging", "safe_check"} <= set(errors), differ)
page = read("term/hanging.html")
xml.dom.minidom.parseString(page)
word = re.search(r"<p class='verdict'>(Keep|Drop|It is not decided)", page)[1]
step = {"Keep": "make adopt WEIGHTS=", "Drop": "core/eval/weights.def", "It is not decided": "--match-pairs"}[word]
boards = page.split("<figure class='example'>")[1:]
sides = [sum(board.count(f">{title}<") for board in boards) for title in ("Red has more", "Black has more", "equal totals, but different entries of the term")]
letters = ["".join(sorted(re.findall("class='face red letter'[^>]*>([A-Z])<", board))) for board in boards]
pieces = ["".join(sorted(c.upper().translate({66: "E", 78: "H"}) for c in re.search(r"(\S+) <span", board)[1] if c.isupper())) for board in boards]
check("term_page", step in re.search(r"<p class='next'>Next: (.*?)</p>", page)[1] and page.index("'next'") < page.index("<h2>") and "id='values-title'" in page
      and re.search(r"<p class='verdict'>(Keep hanging|Drop hanging|It is not decided whether hanging helps): ", page), (word, step))
check("term_page_boards", len(boards) == sum(sides) == 20 and sides[0] == sides[1] > 0 and letters == pieces
      and all("class='mark'" in board and board.count("class='piece ") >= 4 for board in boards), (len(boards), sides, letters, pieces))
# A second call, and a call for another term, use the stored games instead of playing new ones.
before = kept()
rows = [json.loads(line) for line in term("hanging", *SMALL, "--json").stdout.splitlines()]
check("term_again", f"verdict {rows[-1]['verdict']}\n" in one and rows[-1]["sentence"].split(";")[0] in one
      and f"match_games {[row for row in rows if 'match_games' in row][0]['match_games']}" in one, rows[-1])
# A kept term plays a second match with longer searches; an existing second match is not played again.
SECOND = ("hanging", "--games", "150", "--match-pairs", "200", "--sprt", "0,40", "--confirm-nodes", "50", "--confirm-pairs", "4")
found = [term(*SECOND).stdout for _ in range(2)]
check("term_second", "\nverdict keep\n" in found[0] and "\nconfirm_nodes 50\nconfirm_games 8\n" in found[0] and not re.search("^confirm ", found[0], re.M)
      and re.search(r"; at 50 nodes the gain is not decided: .* \(8 games, 95 %\), [0-9]+s of processor time;", found[0])
      and [line for line in found[1].splitlines() if line.startswith("confirm_elo")] == [line for line in found[0].splitlines() if line.startswith("confirm_elo")], found)
refuses("term_second_pairs", 2, "--confirm-pairs: give --confirm-nodes, too", "hanging", "--confirm-pairs", "3", run=term)
linked = term("soldiers_linked", "--games", "150", "--match-pairs", "2", "--page", scratch("own.html")).stdout
check("term_reused", len(before) == 1 and kept() == before, (before, kept()))
check("term_own_page", os.path.getsize(scratch("own.html")) and not os.path.exists(scratch("term/soldiers_linked.html")) and f"page {scratch('own.html')}\n" in linked, linked)
# In the first plies, soldiers hardly ever protect each other, but a search finds such positions.
moves = paotai("data", "export", "--format", "moves", "--quiet", *glob.glob(scratch("term/games-*"))).stdout.splitlines()
paotai("data", "import", "--out", scratch("cut"), "--quiet", write("cut.moves", "".join(" ".join(line.split(" ")[:24]) + "\n" for line in moves)))
cut = term("soldiers_linked", scratch("cut")).stdout
check("term_few", "\nverdict undecided\n" in cut and not re.search("^loss_change", cut, re.M)
      and re.search("^soldiers_linked: occurs in [0-9]+ of .*; a search of the bench positions meets it in [1-9][0-9]* of ", cut, re.M), cut)
# A rebuilt program does not continue the games of the old one: it plays all games anew in a directory of its own.
rebuild = ("term", "hanging", "--rev", "none", "--quiet", "--nodes", "20", "--games", "400", "--match-pairs", "2", "--out", scratch("rebuilt"))
paotai(*rebuild)
os.unlink(glob.glob(scratch("rebuilt/games-*/shard-00000256-*"))[0])
done = run(another_build(), *rebuild)
check("term_rebuilt", "\nverdict " in done.stdout and len(glob.glob(scratch("rebuilt/games-*"))) == 2, done.stderr)
for name, says, words in (("unknown", "nosuch", ["nosuch"]), ("material", "material", ["material_*"]), ("games", "only if no DIR is given", ["hanging", "--games", "20", scratch("cut")]),
                          ("sprt", "sprt", ["hanging", "--sprt", "5,0"])):
    refuses("term_" + name, 2, says, *words, run=term)
refuses("term_nodes", 2, "--nodes: 0 is not in 1..", "term", "hanging", "--nodes", "0", "--out", scratch("none"))
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests paotai report: the page has all pictures, is well-formed, refers to no other file or
address, and has the numbers of tune --measure. In `make test-full`, if Chromium is installed, also
tests that nothing overflows or is cut off."""
import hashlib
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

import checks
from checks import BROWSER, FULL, NO_BROWSER, SCRATCH, browse, browse_all, check, finish, paotai, scratch, skip, write

SVG, XHTML = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xhtml}"
TABLES = ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier", "soldier_crossed"]
# Evaluation terms that have several entries but are not tables over the points of the board.
with open("core/eval/weights.def", encoding="utf-8") as file:
    COUNTS = [name for name, count in re.findall(r"^WEIGHT\((\w+), (\d+), \w+, \w+, NONE,", file.read(), re.M) if count != "1"]
FIGURES = (
    ["changes", "values", "calibration", "residual-phase", "residual-material", "residual-kind",
     "singles", "material", "uncertain"]
    + [f"board-table_{name}" for name in TABLES]
    + [f"count-{name}" for name in COUNTS]
)


def read(name):
    """Returns a file with plain spaces instead of no-break spaces."""
    return checks.read(name).replace("\u00a0", " ")


def run(*args, status=0):
    done = paotai(*args)
    if status is not None and done.returncode != status:
        print(done.stderr[:500])
        print(f"FAIL report_run: paotai {' '.join(args)} ended with {done.returncode}, not {status}")
        sys.exit(1)
    return done


def figures(root):
    return {figure.get("id"): figure for figure in root.iter(f"{XHTML}figure")}


def cells(figure, table=0):
    body = list(figure.iter(f"{XHTML}tbody"))[table]
    return [["".join(cell.itertext()) for cell in row] for row in body]


def check_page(name, path):
    text = read(path)
    root = ElementTree.fromstring(text.split("\n", 1)[1])  # the first line is the DOCTYPE
    found = figures(root)
    check(f"{name}_figures", set(found) == set(FIGURES), f"{set(found) ^ set(FIGURES)}")
    bare = [key for key, figure in found.items() if key != "changes" and figure.find(f".//{SVG}svg") is None]
    check(f"{name}_pictures", not bare, f"without a picture: {bare}")
    boards = [len(list(found[f"board-table_{table}"].iter(f"{SVG}svg"))) for table in TABLES]
    check(f"{name}_boards", boards == [2] * len(TABLES), f"boards: {boards}")
    keys = text.count("class='board legend'")
    check(f"{name}_one_scale", keys == 1, f"{keys} scales of colour")
    # Tables that cover only one half of the board are drawn on half a board.
    heights = [float(found[f"board-table_{table}"].find(f".//{SVG}svg").get("viewBox").split()[3]) for table in TABLES]
    half = [table for table, height in zip(TABLES, heights) if height < 400]
    check(f"{name}_halves", half == ["general", "advisor", "elephant", "soldier", "soldier_crossed"], f"half boards: {half}")
    origin = [child for child in root.iter(f"{XHTML}section") if child.get("id") == "s-provenance"][0]
    folded = origin.find(f".//{XHTML}details/{XHTML}summary")
    said = "" if folded is None else "".join(folded.itertext())
    check(f"{name}_origin", re.match(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC: paotai (report|tune) .*/run", said) or "other" in said, f"date and command: {said!r}")
    silent = [
        svg.attrib for svg in root.iter(f"{SVG}svg")
        if not svg.get("aria-label") and (svg.find(f"{SVG}title") is None or svg.find(f"{SVG}desc") is None)
    ]
    check(f"{name}_spoken", not silent, f"without title and desc: {silent}")
    quiet = [key for key, figure in found.items() if len("".join(figure.find(f"{XHTML}figcaption").itertext())) < 60]
    check(f"{name}_captions", not quiet, f"without a caption: {quiet}")
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    check(f"{name}_ids", len(ids) == len(set(ids)), "an id is used twice")
    named = {word for element in root.iter() for word in (element.get("aria-labelledby") or "").split()}
    check(f"{name}_labels", named <= set(ids), f"labels of nothing: {named - set(ids)}")
    outside = re.findall(r"<script|@import|url\(|\bsrc=|<link|<iframe|href='[^#]|\bon[a-z]+='", text)
    outside += [url for url in re.findall(r"https?://[^'\"<> ]*", text) if not url.startswith("http://www.w3.org/")]
    check(f"{name}_alone", not outside, f"refers to {outside[:3]}")
    odd = re.findall(r"[-+]?\b(?:nan|inf)\b", re.sub(r"<pre>.*?</pre>", "", text, flags=re.S))
    check(f"{name}_numbers", not odd, f"{len(odd)} of {odd[:3]}")
    return root


def number(text):
    return float(text.replace("\u2212", "-"))


run("selfplay", "--games", "90", "--nodes", "40", "--opening-nodes", "100", "--weights", "classic", "--seed", "5",
    "--quiet", "--out", f"{SCRATCH}/run")
run("tune", f"{SCRATCH}/run", "--out", f"{SCRATCH}/w.txt", "--report", f"{SCRATCH}/fit.html", "--errors", f"{SCRATCH}/e.tsv",
    "--valid-fraction", "0.4", "--quiet")
run("report", f"{SCRATCH}/w.txt", "--data", f"{SCRATCH}/run", "--out", f"{SCRATCH}/report.html", "--quiet")
page = check_page("report", f"{SCRATCH}/report.html")
check_page("report_tune", f"{SCRATCH}/fit.html")

# The verdict of the match is at the top of the page, as the match printed it.
FITTED = f"weights={SCRATCH}/w.txt"
for case, (name, a, b, words) in enumerate((
        ("stronger", 40, 20, ["--pairs", "20"]), ("weaker", 20, 40, ["--pairs", "20"]), ("not decided", 20, 21, ["--pairs", "4"]), ("A and B made the same moves", 20, 20, ["--pairs", "4"]),
        ("corrected for the stopping rule", 40, 20, ["--pairs", "60", "--sprt", "0,50"]))):
    out = f"{SCRATCH}/match{case}"
    said = run("match", "--a", f"{FITTED},nodes={a}", "--b", f"{FITTED},name=other,nodes={b}", *words, "--seed", "3", "--opening-nodes", "0", "--quiet", "--out", out).stdout
    verdict = re.search("(?m)^verdict (.*)$", said)[1]
    counts = " \u2013 ".join(re.search(rf"(?m)^{key} (\d+)$", said)[1] for key in ("wins", "draws", "losses"))
    elo, low, high = (f"{abs(float(re.search(rf'(?m)^{key} (.+)$', said)[1])):.0f}" for key in ("elo_median" if "--sprt" in words else "elo", "ci_low", "ci_high"))
    run("report", f"{SCRATCH}/w.txt", "--match", out, "--out", f"{SCRATCH}/match.html", "--quiet")
    top = read(f"{SCRATCH}/match.html").partition("<nav")[0].replace("\u2212", "-")
    shown = re.search(r"Elo of A in the match.*?(\d+) <small>95\s%:\s-?(\d+)\sto\s-?(\d+)", top, re.S)
    check(f"report_match_{case}", name in verdict and verdict in top and counts in top and shown and shown.groups() == (elo, low, high), said + top[-900:])
    check(f"report_match_players_{case}", re.search(r"These weights played as both A \([^)]*\) and B \(other\)", top), top[-900:])
run("match", "--a", f"{FITTED},nodes=1000", "--b", "weights=classic,nodes=1", "--pairs", "2", "--resign-score", "300", "--quiet", "--out", f"{SCRATCH}/one")
run("report", f"{SCRATCH}/w.txt", "--match", f"{SCRATCH}/one", "--out", f"{SCRATCH}/match.html", "--quiet")
top = read(f"{SCRATCH}/match.html").partition("<nav")[0]
check("report_match_one_sided", "won every game" in top and "Elo of A in the match" not in top and "nan" not in top, top[-900:])
check("report_match_player", re.search(r"These weights played as A \([^)]*\)\.", top), top[-900:])
done = run("report", "default", "--match", f"{SCRATCH}/one", "--out", f"{SCRATCH}/x.html", status=1)
check("report_match_of_others", "neither player played with" in done.stderr, done.stderr)
done = run("report", "classic", "--match", f"{SCRATCH}/run", "--out", f"{SCRATCH}/x.html", status=1)
check("report_refuses_no_match", "contains no pairs of games of a match" in done.stderr, done.stderr)

# The report of a fit (tune --report) and of its weight file (report) contain equal pictures.
later, at_once = figures(page), figures(ElementTree.fromstring(read(f"{SCRATCH}/fit.html").split("\n", 1)[1]))
differ = [key for key in FIGURES if ElementTree.tostring(later[key]) != ElementTree.tostring(at_once[key])]
check("report_same", not differ, f"other pictures: {differ}")

# The page, the weight file and the table of errors state the assumption under which the standard
# errors are valid.
given = "the search's scores, taken as exact; the standard errors of a fit to results alone are "
for name in ("report.html", "fit.html", "w.txt"):
    said = read(f"{SCRATCH}/{name}").replace("&#39;", "'").replace("&apos;", "'").partition("<section id='s-provenance'")[0]
    times = re.search(re.escape(given) + r"([\d.]+) times as large as these \(median\)", said)
    check(f"report_condition_{name}", times and float(times[1]) > 1, f"{name} does not say what the errors take for granted")
table = [line.split("\t") for line in read(f"{SCRATCH}/e.tsv").splitlines()]
larger = [float(row[7]) / float(row[4]) for row in table[1:] if len(row) == 8 and float(row[4]) > 0 < float(row[7])]
check("report_condition_errors", table[0][6:] == ["se_data", "se_of_results"] and max(larger) > 2, table[0])
run("tune", f"{SCRATCH}/run", "--lambda", "1", "--fit", "material_*,table_horse", "--out", f"{SCRATCH}/one.txt", "--report", f"{SCRATCH}/one.html", "--errors", f"{SCRATCH}/one.tsv", "--quiet")
check("report_no_condition", not any(word in read(f"{SCRATCH}/one.{end}") for word in ("errors_given", "taken as exact", "se_of_results")
                                     for end in ("txt", "html", "tsv")), "errors of results alone are called conditional")

# The page says in which positions a network predicts better than the sum of terms. The mean
# difference of the losses is nearly the number `left` in the output of train, which gives the
# network the K of its linear part; the report fits K to the scores of the whole network.
said = run("train", f"{SCRATCH}/run", "--units", "32", "--epochs", "2", "--batch", "500", "--out", f"{SCRATCH}/n.net", "--quiet",
           "--test-fraction", "0", "--match-pairs", "0").stdout
left, error = (float(re.search(rf"^{key} (\S+)$", said, re.M)[1]) for key in ("left", "left_error95"))
run("tune", f"{SCRATCH}/run", "--weights", "default", "--out", f"{SCRATCH}/d.txt", "--quiet")
run("report", f"{SCRATCH}/d.txt", "--network", f"{SCRATCH}/n.net", "--data", f"{SCRATCH}/run", "--games", f"{SCRATCH}/g.html", "--out",
    f"{SCRATCH}/surplus.html", "--quiet")
done = run("report", f"{SCRATCH}/d.txt", "--network", "default", "--data", f"{SCRATCH}/run", "--out", f"{SCRATCH}/x.html", status=2)
check("report_network_is_none", "--network default: this evaluation has no network" in done.stderr, done.stderr)
run("report", f"{SCRATCH}/d.txt", "--network", "best", "--data", f"{SCRATCH}/run", "--out", f"{SCRATCH}/best.html", "--quiet")
check("report_network_best", "hidden units" in read(f"{SCRATCH}/best.html").lower(), "no section about the compiled network")
text = read(f"{SCRATCH}/surplus.html")
found = figures(ElementTree.fromstring(text.split("\n", 1)[1]))
shown = re.search(r"minus that of the network \S+ is (-?[\d.]+) \u00b1 ([\d.]+)", text.replace("&#39;", "'").replace("\u2212", "-"))
check("report_surplus", shown and abs(float(shown[1]) - left) < 0.2 * error and abs(float(shown[2]) - error) < 0.3 * error, f"{shown and shown[0]}, train {left} {error}")
# The K that the network file names decides nothing: each side has the best K of its own scores.
network = open(f"{SCRATCH}/n.net", "rb").read()[:-32]
named = re.search(rb"^k (\S+)$", network, re.M)[0]
with open(f"{SCRATCH}/k.net", "wb") as file:
    network = network.replace(named, b"k 0.02".ljust(len(named), b"0"))
    file.write(network + hashlib.sha256(network).digest())
run("report", f"{SCRATCH}/d.txt", "--network", f"{SCRATCH}/k.net", "--data", f"{SCRATCH}/run", "--out", f"{SCRATCH}/k.html", "--quiet")
measured = [re.search(r"minus that of the network \S+( is .*? for the network)", page)[1] for page in (text, read(f"{SCRATCH}/k.html"))]
check("report_surplus_k", measured[0] == measured[1] and "best slope K" in measured[0], f"{measured}")
lines = {name: len(cells(found[f"surplus-{name}"])) for name in ("phase", "material", "groups") if f"surplus-{name}" in found}
check("report_surplus_lines", lines.get("phase") == 6 and lines.get("material") == 9 and lines.get("groups", 0) > 9 and set(found) > set(FIGURES), lines)
leads = [row[0] for row in cells(found["surplus-material"])]
check("report_surplus_leads", leads == ["0"] + [f"\u2264 {n}" for n in (1, 2, 3, 4, 6, 9)] + ["\u2264 13", "> 13"], leads)
check("report_surplus_positions", re.search(r"<a href='g\.html#\d+/\d+'", text.partition("<figure id='surplus-groups'")[2].partition("</figure>")[0]), "no position")
nav, section = text.partition("<nav")[2].partition("</nav>")[0], text.partition("<section id='s-network'>")[2].partition("</section>")[0]
words = "predicts better than" if float(shown[1]) > float(shown[2]) else "predicts worse than" if -float(shown[1]) > float(shown[2]) else "do not show whether"
check("report_network_saw", "was trained on games of these runs" in section, section[:900])
check("report_network_section", "<a href='#s-network'>The network" in nav and "<h2>The network" in section and words in text.partition("<nav")[0]
      and all(f"id='surplus-{name}'" in section for name in lines) and "s-network" not in read("report.html"), section[:600])
# In the list of the positions where the network changes the evaluation most, both evaluations and
# the result of the search are those of `analyse`.
rows = cells(found["network-positions"])
fens = "".join(row[-1] + "\n" for row in rows)
for at, args in ((-4, ("--static", "--weights", f"{SCRATCH}/d.txt")), (-3, ("--static", "--weights", f"{SCRATCH}/n.net")),
                 (-2, ("--nodes", "100000", "--hash", "16", "--weights", f"{SCRATCH}/n.net"))):
    scores = [line.split("\t")[0] for line in paotai("analyse", "--quiet", *args, stdin=fens).stdout.splitlines()]
    shown = [float(row[at].replace("\u2212", "-")) for row in rows]
    check(f"report_network_positions{at}", 6 <= len(rows) <= 10 and all("mate" in a or abs(float(a) / 100 - b) < 0.03 for a, b in zip(scores, shown, strict=True)), f"{scores} {shown}")
units = [int(n) for n in re.findall(r"Hidden units that depend most on the [a-z ]+: (\d+) of 32</h3>", text)]
check("report_network_units", sum(units) == 32, units)
points = re.findall(r"^LEARNED\(([\d.]+), (\d+), ", open("tuner/report/learning_curve.def", encoding="utf-8").read(), re.M)
check("report_network_learning", points and [row[:2] for row in cells(found["learning-curve"])] == [[x, f"+{elo}"] for x, elo in points],
      "other numbers than in learning_curve.def")
check("report_surplus_needs", "--data" in run("report", "classic", "--network", f"{SCRATCH}/n.net", "--out", f"{SCRATCH}/x.html", status=2).stderr, "a network without games")

# In a fit's report, the list of changed weights begins with the new terms, which the start weights
# did not have.
old = [line for line in read("w.txt").splitlines() if not re.match(r"(# se |# se_data |# start |# decided )?(soldiers_linked|safe_check|table_horse) ", line)]
write("old_terms.txt", "\n".join(old) + "\n")
done = run("tune", scratch("run"), "--weights", scratch("old_terms.txt"), "--valid-fraction", "0.4", "--out", scratch("new.txt"), "--report", scratch("new.html"),
           "--quiet")
new = figures(ElementTree.fromstring(read("new.html").split("\n", 1)[1]))


def listed_changes(text):
    """Returns the list of changed terms on a page, as tuples: group, id of the linked figure, term."""
    found = []
    for row in text.partition("<figure id='changes'>")[2].partition("</figure>")[0].split("<tr>"):
        group = re.search(r"scope='rowgroup'>([^<]*)<", row)
        link = re.search(r"<a href='#([\w-]+)'>[^<]*</a> <code>(\w+)</code>", row)
        if group:
            heading = group[1]
        if link:
            found.append((heading, *link.groups()))
    return found


marks = listed_changes(read("new.html"))
check("report_new_terms", [mark[:2] for mark in marks[:3]] == [("New terms", "board-table_horse"), ("New terms", "singles"), ("New terms", "count-safe_check")]
      and set(re.findall(r"^new_term (\w+)", done.stdout, re.M)) == {"table_horse", "soldiers_linked", "safe_check"}
      and all(mark[1] in new for mark in marks), f"{marks} {done.stdout}")
order = list(new)
check("report_new_first", [next(key for key in order if key.startswith(kind)) for kind in ("board-", "count-")] == ["board-table_horse", "count-safe_check"]
      and cells(new["singles"])[0][0] == "a soldier that another soldier protects (soldiers_linked), new", order)


def numbers(name, mark=""):
    """Returns {term: numbers}, from the lines of a weight file that begin with `mark`. The lines of the weights have no mark."""
    return {line.split()[2 if mark else 0]: [float(word) for word in line.split()[3 if mark else 1:]] for line in read(name).splitlines()
            if line.startswith(mark) and (mark or not line.startswith("#"))}


start, now, error, error_data, decided = (numbers("w.txt", mark) for mark in ("# start ", "", "# se ", "# se_data ", "# decided "))
# BOARD_UNSURE of the program: if the games determined less than this share of a weight, the weight
# counts as determined by the prior.
UNSURE = 0.1
# sure.txt is a copy of the fit w.txt, changed so that the games determined every weight completely,
# and the errors do not contain the prior's pull.
# A report lists at most five terms that changed most.
write("sure.txt", re.sub(r"(?m)^# decided .*$", lambda line: re.sub(r" [\d.]+\b", " 1.000", line[0]), re.sub(r"(?m)^# se .*\n", "", read("w.txt")).replace("# se_data ", "# se ")))
run("report", scratch("sure.txt"), "--out", scratch("sure.html"), "--quiet")
for page_name, unsure, counts, errors in (("report", UNSURE, range(1, 5), error), ("sure", -1, (5,), error_data)):
    size = {name: max((abs(a - b) / e for a, b, e, share in zip(now[name], start[name], errors[name], decided[name]) if e > 0 and share >= unsure), default=0)
            for name in now}
    largest = sorted((name for name in size if size[name] > 1.96), key=size.get)[-5:]
    marks = listed_changes(read(page_name + ".html"))
    check(f"report_changed_most_{page_name}", len(largest) in counts and {("Terms that changed most", name) for name in largest} == {mark[::2] for mark in marks}, f"{largest} {marks}")
run("report", "classic", "--out", scratch("unchanged.html"), "--quiet")  # the check report_without reads this page, too
check("report_nothing_changed", "s-changes" not in read("unchanged.html"), "changes of weights without a fit")

# The boards of the report show the weights of the tables, with the errors that --errors writes.
errors = [line.split("\t") for line in read(f"{SCRATCH}/e.tsv").splitlines()[1:]]
horse = {(int(row[1]), row[2]): row for row in errors if row[0] == "table_horse"}
weights = next(line for line in read(f"{SCRATCH}/w.txt").splitlines() if line.startswith("table_horse ")).split()[1:]
wrong = [
    (entry, row) for entry, row in enumerate(cells(later["board-table_horse"]))
    if number(row[1]) != float(weights[2 * entry]) or number(row[4]) != float(weights[2 * entry + 1])
    or abs(number(row[2]) - 1.96 * float(horse[entry, "mg"][4])) > 0.52
    or abs(number(row[5]) - 1.96 * float(horse[entry, "eg"][4])) > 0.52
]
check("report_weights", not wrong, f"the horse's table says {wrong[:2]}")

# In the report, each term with one weight has a row with its values and errors.
row = {re.search(r"\((\w+)\)", row[0])[1]: row for name in ("singles", "material") for row in cells(later[name])}
check("report_singles", len(row) == 9 and all(float(cells_of[2]) > 0 or cells_of[5:] == ["0 %", "0 %"] for cells_of in row.values())
      and number(row["material_cannon"][1]) == float(re.search(r"^material_cannon (\S+)", read(f"{SCRATCH}/w.txt"), re.M)[1]), row)

# A report of two weight sets shows both losses and their difference. If a set is compared with
# itself, the difference is 0.
done = run("report", f"{SCRATCH}/w.txt", "classic", "--data", f"{SCRATCH}/run", "--out", f"{SCRATCH}/two.html", "--quiet")
said = dict(line.split(" ", 1) for line in done.stdout.splitlines())
two = ElementTree.fromstring(read(f"{SCRATCH}/two.html").split("\n", 1)[1])
losses = [number(text) for text in re.findall(r"<dd>([\u2212+]?[\d.]+)", read(f"{SCRATCH}/two.html"))]
check("report_two", set(figures(two)) == {"values", "calibration", "differences"} and abs(losses[1] - losses[2] - losses[0]) < 2e-5
      and abs(losses[0] - float(said["loss_difference"])) < 1e-5 and float(said["loss_difference_error95"]) > 0, (losses, said))
rows = [[number(cell) for cell in row[1:]] for row in cells(figures(two)["differences"])]
# Differences in units of their errors. Differences below 50 are left out, because the page rounds
# them and their errors to integers.
sizes = [abs(row[0]) / row[1] for row in rows if abs(row[0]) >= 50]
check("report_two_sorted", len(rows) == 14 and all(abs(row[3] - row[2] - row[0]) < 1 for row in rows) and sizes == sorted(sizes, reverse=True), rows[:3])
# Weights that the prior determined in one of the files differ because the fits had different starts.
# The report does not list them, and does not count them among the differences beyond their errors.
run("report", scratch("w.txt"), scratch("d.txt"), "--data", scratch("run"), "--out", scratch("two.html"), "--quiet")
figure = figures(ElementTree.fromstring(read("two.html").split("\n", 1)[1]))["differences"]
every = [(a, b, (e**2 + f**2)**0.5, min(p, q)) for name in now for a, b, e, f, p, q in
         zip(now[name], numbers("d.txt")[name], error[name], numbers("d.txt", "# se ")[name], decided[name], numbers("d.txt", "# decided ")[name]) if a != b]
games = [row for row in every if row[3] >= UNSURE]
apart = sum(e > 0 and abs(a - b) > 1.96 * e for a, b, e, _ in games)
told = re.findall(r"\d+", re.sub("95 %", "", "".join(figure.find(f"{XHTML}figcaption").itertext())))
check("report_two_prior", len(every) > len(games) > 0 and told == [str(n) for n in (len(every), 2 * sum(map(len, now.values())) // 2, len(every) - len(games), len(games), apart)],
      f"{told}, not {len(every)}, {len(games)}, {apart}")
listed = [(number(row[3]), number(row[4])) for row in cells(figure)]
check("report_two_prior_listed", len(listed) == min(14, len(games)) and set(listed) <= {row[:2] for row in games}, listed)
# If two files differ only in weights that the prior determined, the report lists no differences.
wrong = [name for name in now if min(decided[name]) < UNSURE]
lines = []
for line in read("w.txt").splitlines():
    name = line.split()[0]
    if name in wrong:
        line = " ".join([name] + [f"{value + 40 * (share < UNSURE):.0f}" for value, share in zip(now[name], decided[name])])
    lines.append(line)
write("prior.txt", "\n".join(lines) + "\n")
run("report", scratch("w.txt"), scratch("prior.txt"), "--data", scratch("run"), "--out", scratch("two.html"), "--quiet")
figure = figures(ElementTree.fromstring(read("two.html").split("\n", 1)[1]))["differences"]
moved = sum(share < UNSURE for name in now for share in decided[name])
check("report_two_prior_alone", moved > 0 and not list(figure.iter(f"{XHTML}tbody")) and f"Not shown: {moved} of " in "".join(figure.itertext()),
      f"{moved} weights: {''.join(figure.itertext())[-300:]}")
# If the prior determined a weight, `weights show` prints "prior" instead of its error. On a board
# it prints "-".
said = run("weights", "show", scratch("w.txt")).stdout
terms = {text.split(":")[0]: text for text in said.split("\n\n")}
wrong = []
for name in COUNTS:
    shown = re.findall(r"(prior|\+- +\d+)(?= |$)", terms[name], re.M)
    if [word == "prior" for word in shown] != [share < UNSURE for share in decided[name]]:
        wrong.append((name, shown))
check("weights_show_prior", not wrong and "prior" in said, wrong[:2])
marks = {row["term"]: [mark for pair in zip(row["middlegame_is_prior"], row["endgame_is_prior"]) for mark in pair]
         for row in map(json.loads, run("weights", "show", "--json", scratch("w.txt")).stdout.splitlines()) if "term" in row}
wrong = [name for name in now if marks[name] != [int(share < UNSURE) for share in decided[name]]]
check("weights_show_prior_json", not wrong, wrong[:2])
board = terms["table_horse"].partition("half widths of the 95 % intervals")[2].replace("- - - - river - - - -", "")
# A share says how far the games, not the prior, determined a weight. A rank has weights for five
# files, each for middlegame and endgame. On four of these files, a weight stands for two mirrored
# squares.
shares = decided["table_horse"]
dashes = sum((1 if i % 10 >= 8 else 2) * (share < UNSURE) for i, share in enumerate(shares))
check("weights_show_prior_board", 0 < dashes < 180 and len(re.findall(r" -(?= |$)", board, re.M)) == dashes, f"{dashes} in {board}")
done = run("report", "classic", "classic", "--data", f"{SCRATCH}/run", "--out", f"{SCRATCH}/two.html", "--quiet")
text = read(f"{SCRATCH}/two.html")
check("report_same_twice", "loss_difference 0.0000000" in done.stdout and "Both sets are equal: no weight differs." in text and "differences" not in figures(ElementTree.fromstring(text.split("\n", 1)[1])), done.stdout)
run("report", "default", "--out", f"{SCRATCH}/default.html")
check("report_unknown_shares", not re.search(r"\bnan\b", read(f"{SCRATCH}/default.html")), "a share that the weight file lacks is shown as a number")
check("report_two_want_games", "need --data" in run("report", "classic", "default", "--out", f"{SCRATCH}/x.html", status=2).stderr, "no message about --data")

# In the calibration figure, a bin with few games is drawn as a hollow point without an error bar.
hollow, wrong = 0, []
for point in page.iter(f"{SVG}g"):
    games = re.search(r"positions of (\d+) games", (point.find(f"{SVG}title").text if point.find(f"{SVG}title") is not None else "") or "")
    if games:
        shape, bar = point[-1].get("class"), point.find(f"{SVG}line")
        few = int(games[1]) < 10
        hollow += few
        if few != shape.startswith("hollow") or few != (bar is None):
            wrong.append((games[1], shape))
check("report_hollow", hollow > 0 and not wrong and "fewer than 10 games" in "".join(later["calibration"].itertext()), f"{hollow} {wrong}")

# In the chart of a term with several entries, each entry has a name. Only entries that form a scale
# are joined by lines.
SCALES = {"mobility_chariot": "points to go to", "mobility_cannon": "points to go to", "mobility_horse": "points to go to", "cannon_screens": "pieces behind a screen",
          "helpers_soldier_crossed": "own chariots, cannons and horses", "general_escapes": "free points around the general",
          "hollow_cannon": "empty points between", "cannon_on_file": "pieces between", "cannon_on_rank": "pieces between"}
KINDS = {"hanging": "their turn, advisor", "guards_horse": "2 advisors, 1 elephant", "crowd_horse": "18 to 25 pieces", "pinned": "elephant",
         "zone_hits": "soldier, 4 guards", "few_attackers": "horse + cannon, 3+ soldiers", "safe_check": "own turn, cannon"}
wrong = []
for name in COUNTS:
    figure = later[f"count-{name}"]
    texts = [text.text for text in figure.iter(f"{SVG}text")]
    lines = sum("line series-" in path.get("class", "") for path in figure.iter(f"{SVG}path"))
    freedom = "A rising line" in "".join(figure.find(f"{XHTML}figcaption").itertext())
    if freedom != name.startswith("mobility_") or (lines > 0) != (name in SCALES) or "how many" in texts:
        wrong.append((name, freedom, lines))
    for word in (SCALES.get(name), KINDS.get(name)):
        if word and word not in " ".join(texts):
            wrong.append((name, word))
    if name in KINDS and KINDS[name] not in [row[0] for row in cells(figure)]:
        wrong.append((name, "numbers"))
check("report_entries", not wrong, wrong)
# The names in the pictures must fit even if a letter is 6.8 SVG units wide, as on a phone.
cut = [text.text for figure in later.values() for text in figure.iter(f"{SVG}text") if text.get("text-anchor") == "end" and float(text.get("x")) < 6.8 * len(text.text)]
check("report_names_fit", not cut, f"cut at the left edge: {cut[:4]}")
check("report_entries_from_1", [row[0] for row in cells(later["count-cannon_on_file"])] == ["1", "2", "3"], cells(later["count-cannon_on_file"]))

# If it is unknown which games the fit kept for validation and test, the report measures all games.
with open(f"{SCRATCH}/old.txt", "w", encoding="utf-8") as file:  # like a weight file of an old version, which split the games by their numbers
    file.write(read(f"{SCRATCH}/w.txt").replace("# split_by=content\n", ""))
run("selfplay", "--games", "60", "--nodes", "40", "--opening-nodes", "100", "--weights", "classic", "--seed", "6",
    "--quiet", "--out", f"{SCRATCH}/other")
run("report", f"{SCRATCH}/old.txt", "--data", f"{SCRATCH}/other", "--out", f"{SCRATCH}/other.html", "--quiet")
run("report", f"{SCRATCH}/old.txt", "--data", f"{SCRATCH}/run", "--out", f"{SCRATCH}/old.html", "--quiet")
check("report_old_split", "<small>all games</small>" in read(f"{SCRATCH}/old.html"), "games in other parts than the fit's are taken for these")
# Games to which the weights were fitted are not measured, even if they are stored in another run.
run("data", "merge", "--any", "--renumber", f"{SCRATCH}/other", f"{SCRATCH}/run", "--out", f"{SCRATCH}/merged", "--quiet")
run("report", f"{SCRATCH}/w.txt", "--data", f"{SCRATCH}/merged", "--out", f"{SCRATCH}/merged.html", "--quiet")
parts = [int(re.search(r"^valid_positions (\d+)", run("tune", f"{SCRATCH}/{name}", "--valid-fraction", "0.4", "--fit", "material_*", "--quiet").stdout, re.M)[1])
         for name in ("run", "other")]
check("report_merged", f"<dd>{sum(parts)} <small>" in read(f"{SCRATCH}/merged.html") and "The weight file does not name exactly these runs" in
      read(f"{SCRATCH}/merged.html"), f"not the {parts} positions of validation games are measured")
run("report", f"{SCRATCH}/w.txt", "--data", f"{SCRATCH}/other", "--unseen", "--out", f"{SCRATCH}/unseen.html", "--quiet")
check("report_unseen", re.search(r"<dd>.*</dd>", read(f"{SCRATCH}/unseen.html"))[0] == re.search(r"<dd>.*</dd>", read(f"{SCRATCH}/other.html"))[0]
      and "--unseen</span> says" in read(f"{SCRATCH}/unseen.html"), "not all games are measured")
for options, words in ((("w.txt",), "w.txt was fitted to"), (("d.txt", "--network", f"{SCRATCH}/n.net"), "d.txt was fitted to"),
                       (("aged.txt", "--network", f"{SCRATCH}/n.net"), "n.net was trained on")):
    if options[0] == "aged.txt":  # weights that name no runs
        write("aged.txt", re.sub("^# data .*\n", "", read("d.txt"), flags=re.M))
    done = run("report", scratch(options[0]), *options[1:], "--data", scratch("other"), "--data", scratch("run"), "--unseen", "--out", scratch("x.html"),
               status=1)
    check("report_unseen_was_seen", f"{words} the games of {SCRATCH}/run; give other games" in done.stderr and not os.path.exists(scratch("x.html")), done.stderr)
run("tune", f"{SCRATCH}/run", "--valid-fraction", "0", "--fit", "material_*", "--out", f"{SCRATCH}/aside.txt", "--quiet")
run("report", f"{SCRATCH}/aside.txt", "--data", f"{SCRATCH}/other", "--out", f"{SCRATCH}/none.html", "--quiet")
check("report_none_aside", "keeps none of these games for test or validation" in read(f"{SCRATCH}/none.html"), "games that were not fitted are called fitted")
run("data", "export", "--rows", f"{SCRATCH}/rows.h5", f"{SCRATCH}/run", "--quiet")
run("tune", "--rows", f"{SCRATCH}/rows.h5", "--fit", "material_*", "--valid-fraction", "0.4", "--out", f"{SCRATCH}/rows.txt", "--report", f"{SCRATCH}/rows.html", "--quiet")
check("report_of_rows", "These are the validation games" in read(f"{SCRATCH}/rows.html"), "the fit's own validation games are not measured")
run("report", f"{SCRATCH}/rows.txt", "--data", f"{SCRATCH}/run", "--out", f"{SCRATCH}/rows.html", "--quiet")
check("report_of_a_split_by_rows", "<small>all games</small>" in read(f"{SCRATCH}/rows.html"), "what a file calls the parts is taken for start and moves")
told = run("tune", "--measure", f"{SCRATCH}/run", "--weights", f"{SCRATCH}/w.txt").stderr
check("measure_fitted_is_said", "comes from a fit" in told and "comes from a fit" not in run("tune", "--measure", f"{SCRATCH}/run").stderr, told)
measured = run("tune", "--measure", f"{SCRATCH}/other", "--weights", f"{SCRATCH}/w.txt", "--quiet").stdout
bins = [line.split()[1:] for line in measured.splitlines() if re.match(r"[01]\.\d-", line)]
shown = cells(figures(check_page("report_other", f"{SCRATCH}/other.html"))["calibration"], 1)
same = [
    [b[0], b[4], b[3]] == [row[2], row[3], row[5]]  # prediction, mean target, number of positions
    for b, row in zip(bins, shown) if int(b[3]) > 0
]
check("report_measures", len(bins) == 10 and all(same), f"{bins} {shown}")
loss = re.search(r"^loss (.*)$", measured, re.M).group(1)
check("report_loss", f">{float(loss):.5f} <" in read(f"{SCRATCH}/other.html"), f"the loss is not {loss}")

# The report measures the test games of a fit, if the fit kept any.
for name, options, part, words in (
        ("test", ["--test-fraction", "0.4"], "test", "no step of the fit saw them"),
        ("validation", [], "validation", "only to watch the validation loss")):
    done = run("tune", f"{SCRATCH}/run", *options, "--fit", "material_*", "--report", f"{SCRATCH}/{name}.html", "--quiet").stdout
    count, games, flat = re.search(rf"^{part[:5]}_positions (\d+)", done, re.M)[1], f"<small>{part} games</small>", read(f"{SCRATCH}/{name}.html")
    check(f"report_part_{name}", games in flat and words in flat and f"<dd>{count} <small>" in flat, f"{count} {part} games: {flat[:3000]}")

# The report names all runs whose games were fitted.
run("tune", f"{SCRATCH}/run", f"{SCRATCH}/other", "--fit", "material_*", "--report", f"{SCRATCH}/two.html", "--quiet")
run("report", "--data", f"{SCRATCH}/other", "--games", f"{SCRATCH}/the games.html", "--out", f"{SCRATCH}/linked.html", "classic")
check("report_links_games", "<a href='the%20games.html'>" in read(f"{SCRATCH}/linked.html") and 'id="data">[\n{"n":0,' in read(f"{SCRATCH}/the games.html")
      and "View these" not in read(f"{SCRATCH}/other.html"), "no page of the games, or no link to it")
# A link from a row of the report leads to an example of what the row is about: a position with an
# advisor on this point, or a position of this phase.
linked = figures(ElementTree.fromstring(read(f"{SCRATCH}/linked.html").split("\n", 1)[1]))


def placement(name, row):
    """Returns the board ranks of the position to which a row of a figure's table links, or None if
    it has no link."""
    body = list(linked[name].iter(f"{XHTML}tbody"))[0]
    link = list(body)[row].find(f".//{XHTML}a")
    if link is None:
        return None
    game, ply = re.search(r"the%20games\.html#(\d+)/(\d+)$", link.get("href")).groups()
    shown = run("show", "--data", f"{SCRATCH}/other", "--game", game, "--ply", ply, "--board-only").stdout
    ranks = re.search(r"^fen (\S+)", shown, re.M)[1].split("/")
    return [re.sub(r"\d", lambda digit: "." * int(digit[0]), rank) for rank in ranks]


found, wrong = 0, []
for entry, row in enumerate(cells(linked["board-table_advisor"])):
    ranks = placement("board-table_advisor", entry)
    if ranks:
        found += 1
        points = [("abcdefghi".index(point[0]), int(point[1])) for point in row[0].split()]
        if not any(ranks[9 - rank][file] == "A" or ranks[rank][file] == "a" for file, rank in points):
            wrong.append((row[0], ranks))
check("report_links_terms", found > 2 and not wrong, f"{found} links, {wrong}")
last = placement("residual-phase", 11)
check("report_links_bins", last and sum(piece in "RrNnCc" for rank in last for piece in rank) >= 10, f"not the full board of an opening: {last}")
done = run("report", "--games", f"{SCRATCH}/no.html", "--out", f"{SCRATCH}/x.html", "classic", status=2)
check("report_games_of_what", "--games needs --data" in done.stderr and not os.path.exists(f"{SCRATCH}/no.html"), done.stderr)
check("report_names_all", f"{SCRATCH}/run, {SCRATCH}/other" in read(f"{SCRATCH}/two.html"), "the second run is not named")

# If the weights come from no fit and no games are given, the page says what is missing.
text = read("unchanged.html")
ElementTree.fromstring(text.split("\n", 1)[1])
check("report_without", text.count("Not shown: ") == 4, f"{text.count('Not shown: ')} parts are missing")
run("report", "classic", "--data", f"{SCRATCH}/other", "--out", f"{SCRATCH}/classic.html", "--quiet")
check("report_classic", "their standard errors contain: mix of positions alone" in read(f"{SCRATCH}/classic.html"), "the page does not say what the errors of values contain")
# Imported games have no search scores, so the target is the result alone.
write("other.moves", run("data", "export", "--format", "moves", "--quiet", f"{SCRATCH}/other").stdout)
run("data", "import", "--out", f"{SCRATCH}/unscored", "--quiet", f"{SCRATCH}/other.moves")
run("report", "classic", "--data", f"{SCRATCH}/unscored", "--out", f"{SCRATCH}/unscored.html", "--quiet")
check("report_unscored", "(100 % game result, 0 % search score)" in read(f"{SCRATCH}/unscored.html"), "the page speaks of search scores")

# A hostile or damaged file does not break the page.
bad = re.sub(r"^# se table_horse.*$", "# se table_horse 1 2 x", read(f"{SCRATCH}/w.txt"), flags=re.M)
bad = bad.replace("# value 4 ", "# value 99 ", 1)
with open(f"{SCRATCH}/<b>&'w.txt", "wb") as file:
    file.write(b"# <script>alert('x')</script> & \xff\x01\n# a=<b>\n" + bad.encode())
run("report", f"{SCRATCH}/<b>&'w.txt", "--data", f"{SCRATCH}/run", "--out", f"{SCRATCH}/bad.html", "--quiet")
text = read(f"{SCRATCH}/bad.html")
ElementTree.fromstring(text.split("\n", 1)[1])
check("report_escapes", "<script" not in text and "&lt;script&gt;" in text, "a comment became markup")
done = run("report", "classic", status=2)
check("report_refuses_no_out", "--out FILE is missing" in done.stderr, done.stderr)
done = run("report", f"{SCRATCH}/none.txt", "--out", f"{SCRATCH}/x.html", status=1)
check("report_refuses_no_file", "none.txt" in done.stderr and not os.path.exists(f"{SCRATCH}/x.html"), done.stderr)
done = run("report", "classic", "--data", f"{SCRATCH}/nothing", "--out", f"{SCRATCH}/x.html", status=1)
check("report_refuses_no_data", "nothing" in done.stderr and not os.path.exists(f"{SCRATCH}/x.html"), done.stderr)

# ---- in a browser ---------------------------------------------------------------------------------------
PROBE = """<script>
const wide = document.documentElement.scrollWidth - window.innerWidth, out = [];
const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
for (const e of document.querySelectorAll('body *')) {
  const box = e.getBoundingClientRect();
  if (!e.closest('.scroll') && box.width > 0 && (box.right > window.innerWidth + 1 || box.left < -1)) out.push('wide ' + e.tagName);
}
for (const e of document.querySelectorAll('body *')) {
  if (!e.getClientRects().length || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
  const scale = e.ownerSVGElement ? Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b) : 1, size = scale * parseFloat(getComputedStyle(e).fontSize);
  if (size < 13 - 0.05) out.push('small ' + size.toFixed(1) + ' ' + e.tagName + ' ' + e.textContent);
}
for (const svg of document.querySelectorAll('svg')) {
  const texts = [...svg.querySelectorAll('text')], frame = svg.getBoundingClientRect();
  const boxes = texts.map(t => t.getBoundingClientRect());
  texts.forEach((t, i) => { if (!inside(boxes[i], frame)) out.push('cut ' + t.textContent); });
  if (svg.classList.contains('board')) continue;
  for (let i = 0; i < texts.length; i++) for (let k = 0; k < i; k++) {
    const a = boxes[i], b = boxes[k];
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3)
      out.push('over ' + texts[i].textContent + ' / ' + texts[k].textContent);
  }
}
parent.postMessage(JSON.stringify([window.innerWidth, wide, out.slice(0, 5)]), '*');
</script></body>"""
# On a phone the sections are folded. A click on the box of a section unfolds it, and so does a link to it.
FOLDS = """<script>setTimeout(() => {
const sections = [...document.querySelectorAll('section')], height = node => node.getBoundingClientRect().height;
const open = () => sections.filter(node => height(node) > 200).map(node => node.id), seen = [sections.length, open().length, document.documentElement.scrollHeight];
document.querySelector('#s-values .unfold input').click();
location.hash = '#s-boards';
seen.push(open());
document.querySelector('#s-values .unfold input').click();
location.hash = '#' + document.querySelector('#s-counts figure').id;
seen.push(open());
parent.postMessage(JSON.stringify(seen), '*');
}, 100);</script></body>"""
if BROWSER:
    narrow, wide = browse_all("report_folds_browser", [(read("report.html"), FOLDS, width) for width in (420, 1400)], 900)
    check("report_folds", narrow and narrow[1] == 0 and narrow[2] < 4000 and narrow[3:] == [["s-values", "s-boards"], ["s-counts"]], narrow)
    check("report_open", wide and wide[1] >= wide[0] - 1, wide)
else:
    skip("report_folds", NO_BROWSER)
if not FULL or not BROWSER:
    skip("report_browser", NO_BROWSER if FULL else "only in test-full")
    finish()
for origin in ("report", "other"):
    text = read(f"{SCRATCH}/{origin}.html")
    for folded, content in (("", text), ("_unfolded", text.replace("<details>", "<details open='open'>"))):
        for width in (420, 1400):
            name = f"report_{origin}{folded}_{width}"
            said = browse(name, content, PROBE, width, 3000)
            check(name + "_fits", said and said[0] == width and said[1] <= 0 and not said[2], said)
finish()

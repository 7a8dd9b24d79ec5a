# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests the pages of running commands (--page): what they show while the command runs, at its end, after
kill -9 and after --resume, and that they do not change the games. In a browser, they must reload
themselves, keep the scroll position, and say when no program updates them any more."""
import glob
import os
import re
import signal
import subprocess
import time
from xml.etree import ElementTree

from checks import BROWSER, NO_BROWSER, PAOTAI, browse, browse_all, check, finish, paotai, read, report, same, scratch, skip, values, want, want_same

FAST = ["--opening-nodes", "0", "--seed", "3", "--quiet"]
MATCH = ["match", "--a", "weights=default,nodes=80,name=new_<b>", "--b", "weights=classic,nodes=80", *FAST]
HTML = "{http://www.w3.org/1999/xhtml}"


def text_of(node):
    """Returns the text of an HTML element after replacing the minus sign by -, ± by +-, and
    no-break spaces by blanks."""
    return "".join(node.itertext()).replace("\u2212", "-").replace("\u00b1", "+-").replace("\u00a0", " ")


class Page:
    """A page read from its file. It must be complete and well-formed."""

    def __init__(self, name):
        self.text = read(name)
        self.tree = ElementTree.fromstring(self.text.split("\n", 1)[1])
        live = next(node for node in self.tree.iter(HTML + "div") if node.get("id") == "live")
        self.state, self.written = live.get("data-state"), int(live.get("data-written"))
        self.words = "".join(live.itertext())
        self.cards = {text_of(card[0]): text_of(card[1]) for dl in self.tree.iter(HTML + "dl") for card in dl}
        self.figures = {"".join(next(figure.iter(HTML + tag)).itertext()): figure
                        for figure in self.tree.iter(HTML + "figure") for tag in ("h2", "h3") if figure.find(tag.join((HTML, ""))) is not None}

    def verdict(self):
        return text_of(next(node for node in self.tree.iter(HTML + "p") if node.get("class") == "verdict" and not node.get("id")))

    def bars(self, heading):
        return [int(row[2].text) for row in self.figures[heading].iter(HTML + "tr")]


def wait_for(name, what, child):
    """Waits until the page shows something. Returns the page, or None if the command ends before."""
    while child.poll() is None:
        if os.path.exists(scratch(name)):
            page = Page(name)
            if what(page):
                return page
        time.sleep(0.05)
    return None


def start(*words):
    return subprocess.Popen([PAOTAI, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


# At the end of a match, the numbers on the page are those of the output.
done = paotai(*MATCH, "--pairs", "12", "--out", scratch("with"), "--page", scratch("m.html"))
out, page = values(done.stdout), Page("m.html")
want_same((done.returncode, page.state), (0, "finished"), "state at the end")
want_same(page.cards.get("games"), "24 of 24", "games")
want(f": {page.cards['Elo of A'].replace(' 95 %:', ',')} (24 games, 95 %" in page.verdict(), f"Elo {page.cards}, but {page.verdict()}")
want_same(page.bars("Opening pairs (pentanomial)"), [int(n) for n in out["pentanomial"].split(",")], "pentanomial")
want_same(sum(page.bars("Ends of the games")), 24, "ends")
want("Elo of new_<b> against classic" in page.figures, f"figures {list(page.figures)}")
want(out["verdict"].startswith(page.verdict()), f"{page.verdict()}, but the output is {out['verdict']}")
want("LLR" not in page.cards, "LLR without a test")
report("page_match_end")
same("page_match_same_games", *[values(paotai("data", "info", scratch(name), "--quiet").stdout)["content_hash"] for name in ("with", "without")
                                if name == "with" or paotai(*MATCH, "--pairs", "12", "--out", scratch("without"))])

# The page of a match while the match runs, after kill -9, and after --resume. After --resume the
# curve also shows the pairs that were played before kill -9.
LONG = ["match", "--a", "weights=default,nodes=80,name=new_<b>", "--b", "weights=default,nodes=90,name=classic", *FAST, "--out", scratch("long"), "--page", scratch("l.html"), "--shard-games", "2", "--sprt", "-5,5"]
child = start(*LONG)
page = wait_for("l.html", lambda page: page.cards["games"].split()[0] != "0" and glob.glob(scratch("long/shard-*.h5")), child)
want(page and page.state == "running" and "running" in page.words, "no running page with games")
want(page and abs(page.written - time.time()) < 60, "time of writing")
want(page and "LLR" in page.cards and "expected end" in page.cards, f"cards {page and page.cards}")
child.send_signal(signal.SIGKILL)
child.communicate()
page = Page("l.html")
want_same(page.state, "running", "state after kill -9")
report("page_match_killed")
killed = page
stored = int(values(paotai("data", "info", scratch("long"), "--quiet").stdout)["games"])
pairs = stored // 2 + 5
done = paotai(*LONG, "--pairs", str(pairs), "--resume")
page, out = Page("l.html"), values(done.stdout)
curve = next(node for node in page.figures["Elo of new_<b> against classic"].iter() if node.get("class") == "line series-1").get("d")
want(stored > 0 and done.returncode == 0, f"{stored} games stored, then {done.stderr}")
want_same((page.state, page.cards["games"]), ("finished", f"{out['games']} of {out['games']}"), "after --resume")
want_same(page.cards["LLR"][:len(f"{float(out['llr']):.2f}")], f"{float(out['llr']):.2f}", "LLR")
want(len(re.findall("[ML]", curve)) > 5 or "every game" in page.cards["Elo of A"], f"the curve has only the new pairs: {curve}")
report("page_match_resumed")

# After Ctrl-C the page says that the match was interrupted.
child = start(*MATCH, "--pairs", "100000", "--page", scratch("i.html"))
wait_for("i.html", lambda page: page.cards["games"].split()[0] != "0", child)
child.send_signal(signal.SIGINT)
child.communicate()
same("page_match_interrupted", (Page("i.html").state, "interrupted" in Page("i.html").words), ("stopped", True))

# If the folder of the page disappears, the results are printed, and a message names the failure.
os.makedirs(scratch("gone"))
child = start(*MATCH, "--pairs", "40", "--page", scratch("gone/g.html"))
wait_for("gone/g.html", lambda page: True, child)
os.rename(scratch("gone"), scratch("went"))
out = child.communicate()[0]
check("page_folder_vanishes", child.returncode == 1 and "\nverdict " in out and re.search(r"--page: cannot create .*gone/g\.html", out), f"{child.returncode} {out}")

# A command that is refused writes no page, does not change an older page, and plays nothing.
done = paotai(*MATCH, "--pairs", "2", "--out", scratch("never"), "--page", scratch("no/such/m.html"))
want(done.returncode == 1 and re.search(r"--page: .*no/such/m\.html", done.stderr) and not os.path.exists(scratch("never")), f"{done.returncode} {done.stderr}")
before = read("m.html")
done = paotai(*MATCH, "--pairs", "2", "--out", scratch("with"), "--page", scratch("m.html"))
want(done.returncode != 0 and "--resume" in done.stderr and read("m.html") == before, "a refused match changes the page of an earlier match")
report("page_refused")

done = paotai("tournament", "weights=default,nodes=60", "weights=classic,nodes=60", "weights=classic,nodes=20,name=/somewhere/of/experiments/2026/build/loop/gen-003/weights.txt", "--rounds", "3", *FAST, "--page", scratch("t.html"))
page = Page("t.html")
rank = re.search(r"^ +1  (\S+) +(-?[\d.]+)", done.stdout, re.M)
first = [cell for row in page.figures["Standings"].iter(HTML + "tr") for cell in row if cell.tag == HTML + "td"][:2]
want_same((done.returncode, page.state, page.cards["games"]), (0, "finished", "18 of 18"), "tournament")
want_same(("".join(first[0].itertext()), float(first[1].text.rstrip(" *").replace("−", "-"))), (f"1. {rank[1]}", float(rank[2])), "first player")
want_same(values(done.stdout)["verdict"], page.verdict(), "verdict of the page and of the output")
want(rank[1] in page.verdict() and re.search(r"leads(,| significantly:) [\d.]+ \+- [\d.]+ Elo above \S+", page.verdict()), f"verdict {page.verdict()}")
want_same(len(list(page.figures["Pairings"].iter(HTML + "tr"))), 1 + 3, "pairings")
report("page_tournament")

# The page of self-play shows the same numbers as the output and the stored games.
PLAY = ["selfplay", "--weights", "classic", "--nodes", "40", "--shard-games", "4", *FAST]
done = paotai(*PLAY, "--games", "10", "--out", scratch("play"), "--page", scratch("s.html"))
page, out = Page("s.html"), values(done.stdout)
want_same((done.returncode, page.state, page.cards.get("games"), page.cards.get("positions")), (0, "finished", "10 of 10", f"{out['positions']} sampled for the tuner"), "self-play")
want_same(int(page.cards["shards"].split()[0]), done.stdout.count("shard "), "shards")
paotai("data", "export", "--format", "pgn", "--out", scratch("play.pgn"), scratch("play"))
want_same(page.bars("Results"), [read("play.pgn").count(f'[Result "{result}"]') for result in ("1-0", "1/2-1/2", "0-1")], "results")
done = paotai(*PLAY, "--games", "14", "--resume", "--out", scratch("play"), "--page", scratch("s.html"))
page = Page("s.html")
want_same((page.cards["games"], sum(page.bars("Results"))), ("14 of 14", 4), "after --resume")
paotai(*PLAY, "--games", "14", "--out", scratch("plain"))
want_same(*[values(paotai("data", "info", scratch(name), "--quiet").stdout)["content_hash"] for name in ("play", "plain")], "content_hash without a page")
child = start(*PLAY, "--games", "100000", "--out", scratch("killed"), "--page", scratch("k.html"))
page = wait_for("k.html", lambda page: page.cards["games"].split()[0] != "0", child)
want(page and "positions per second" in page.cards, "no running page with positions per second")
child.kill()
child.communicate()
want_same(Page("k.html").state, "running", "after kill -9")
report("page_selfplay")

# The losses on the page of a fit are those of the output. The network is the same as without a
# page.
FIT = ["train", scratch("plain"), "--keep", "--weights", "classic", "--epochs", "3", "--batch", "64", "--units", "32", "--valid-fraction", "0.3", "--quiet"]
done = paotai(*FIT, "--out", scratch("a.net"), "--match-pairs", "1", "--nodes", "20", "--page", scratch("f.html"))
page, losses = Page("f.html"), [float(loss) for loss in re.findall(r"^epoch .* valid ([\d.]+)", done.stdout, re.M)]
want_same((done.returncode, page.state, page.cards.get("finished epochs"), len(losses)), (0, "finished", "3 of 3", 3), f"training {done.stderr}")
want(page.cards["best validation loss"].startswith(f"{min(losses):.5f}"), f"{page.cards}, output {losses}")
tips = [float(node.text.split(": ")[1]) for node in page.figures["Loss by epoch"].iter("{http://www.w3.org/2000/svg}title") if ": " in node.text]
want_same(tips, [round(loss, 5) for loss in losses], "validation losses in the chart")
line = next(node for node in page.figures["Loss by epoch"].iter() if node.get("class") == "line series-1").get("d")
want(len(re.findall("[ML]", line)) > 3 and 0.1 < float(page.cards["training loss"].split()[0]) < 2, f"training losses {line} {page.cards}")
want("against --weights classic" in page.verdict(), "no verdict of the match")
plain = paotai(*FIT, "--out", scratch("b.net"), "--match-pairs", "0")
want(re.search("^hash .*", plain.stdout, re.M)[0] in done.stdout, "another network with a page")
report("page_train")

# After kill -9 and --resume of a fit, the page also shows the losses of the epochs before the kill.
LONG_FIT = [*FIT, "--epochs", "120", "--match-pairs", "0", "--out", scratch("c.net"), "--page", scratch("c.html")]
child = start(*LONG_FIT)
page = wait_for("c.html", lambda page: int(page.cards.get("finished epochs", "0").split()[0]) > 1, child)
child.kill()
child.communicate()
if page and child.returncode == -signal.SIGKILL and os.path.exists(scratch("c.net.part")):
    done = paotai(*LONG_FIT, "--resume")
    page = Page("c.html")
    lines = [next(node for node in page.figures["Loss by epoch"].iter() if node.get("class") == f"line series-{i}").get("d") for i in (1, 2)]
    want(done.returncode == 0 and len(re.findall("^epoch ", done.stdout, re.M)) < 119, f"the fit did not resume: {done.stderr}")
    want_same(len(re.findall("[ML]", lines[1])), 120, "validation losses in the chart")
    want_same(float(re.match(r"M([\d.]+)", lines[0])[1]) < 90, True, f"the training losses begin at {lines[0][:20]}")
    report("page_train_resumed")
else:
    skip("page_train_resumed", "the fit ended before it could be killed, or had stored no epoch")

# The steps of `paotai loop` (self-play, fit and match) have pages of their own, to which the page
# of the loop links. The log is the same as without --page.
LOOP = ["loop", "--generations", "2", "--direct-pairs", "0", "--games", "30", "--nodes", "30", "--pairs", "6", "--weights", "classic", "--selfplay-options", "--opening-nodes 0",
        "--match-options", "--opening-nodes 0", "--tune-options", "--fit material_*", "--quiet"]
child = start(*LOOP, "--out", scratch("loop"), "--page", scratch("loop/live.html"))
page = wait_for("loop/live.html", lambda page: "Steps of generation 2" in page.figures, child)
steps = page and [[cell for cell in row] for row in page.figures["Steps of generation 2"].iter(HTML + "tr")]
want(page and page.state == "running" and "Generation 2 of 2: " in page.verdict() and "Generations" in page.figures, "no running page of generation 2")
want(steps and ["".join(row[0].itertext()) for row in steps] == ["selfplay", "tune", "match"] and sum(row[1].text == "running" for row in steps) == 1, f"steps {steps}")
want(page and "href='gen-002/selfplay.html'" in page.text, "no link to the page of the step")
child.communicate()
page = Page("loop/live.html")
want_same((child.returncode, page.state, page.cards["generations"]), (0, "finished", "2 of 2"), "at the end")
want_same([Page(f"loop/gen-002/{name}.html").state for name in ("selfplay", "match")], ["finished", "finished"], "pages of the steps")
rows = [["".join(cell.itertext()) for cell in row] for row in page.figures["Generations"].iter(HTML + "tr")]
want(len(rows) == 3 and rows[1][0].startswith("1, report"), f"generations {rows}")
paotai(*LOOP, "--out", scratch("quiet"))
want_same(*[read(f"{name}/log.md").replace(scratch(name), "DIR") for name in ("loop", "quiet")], "log.md with and without a page")
report("page_loop")

# In a frame 420 or 1400 pixels wide, no page is wider than the frame, and no text is smaller than
# 13 pixels. A page reloads itself, keeps its scroll position, and says when it is out of date.
LOOK = """<script>{
const small = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walk.nextNode());) {
    const box = node.parentElement, svg = box.closest('svg');
    if (!node.data.trim() || !box.getClientRects().length || box.closest('title, desc')) continue;
    const size = parseFloat(getComputedStyle(box).fontSize) * (svg ? svg.getScreenCTM().a : 1);
    if (12.95 > size) small.add(size.toFixed(1) + ' ' + node.data.trim().slice(0, 20));
}
parent.postMessage(JSON.stringify({wide: document.documentElement.scrollWidth - innerWidth, small: [...small], end: document.getElementById('end') && document.getElementById('end').innerText,
    stale: document.getElementById('stale').hidden ? '' : document.getElementById('stale').textContent, state: document.querySelector('.state').textContent}), '*');
}</script></body>"""
RELOAD = """<script>
const loads = Number(sessionStorage.getItem('loads') || 0) + 1;
sessionStorage.setItem('loads', loads);
if (loads === 1) scrollTo(0, 321);
if (loads === 3) parent.postMessage(JSON.stringify(scrollY), '*');
</script></body>"""


def aged(text, seconds):
    return re.sub("data-written='\\d+'", f"data-written='{int(time.time()) - seconds}'", text)


if BROWSER:
    finished = [(name, text, width) for width in (420, 1400) for name, text in
                (("match", read("l.html")), ("selfplay", read("s.html")), ("train", read("f.html")), ("loop", read("loop/live.html")), ("tournament", read("t.html")))]
    *shown, old = browse_all("page_browser", [(text, LOOK, width) for name, text, width in finished] + [(aged(killed.text, 305), LOOK, 900)], 900)
    for (name, text, width), seen in zip(finished, shown):
        want(seen["wide"] <= 0, f"{name} at {width}: {seen['wide']} pixels too wide")
        want(not seen["small"], f"{name} at {width}: small text {seen['small'][:5]}")
        want(not seen["stale"], f"{name}: a finished page says {seen['stale']}")
    report("page_browser_readable")
    want("No update for 5 minutes" in old["stale"] and old["state"] == "probably stopped", f"an old page says {old}")
    want("expected end" in killed.cards and old["end"].startswith("last update") and "5 minutes ago" in old["end"], f"the tile of the end says {old['end']}")
    report("page_browser_stale")
    same("page_browser_place", browse("page_browser_reload", aged(killed.text, -3600), RELOAD, 420, 500), 321)
else:
    skip("page_browser", NO_BROWSER)
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that no text from outside becomes markup or script in any page.

Every text that can reach a page (names of players, engines, files, folders and options, PGN tags and
remarks, comments of weight files) contains elements, the ends of scripts and comments, quotes and
ampersands. A parser of HTML, and a browser if there is one, must find no element and no attribute that
the program does not write, and no such script may run, also if the policy of the page is removed. The
policy in turn must stop a script that a fault in the program might let through."""
import base64
import glob
import hashlib
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
from urllib.parse import quote

from browser import Browser
from checks import BROWSER, FULL, NO_BROWSER, PAOTAI, SCRATCH, browse_all, finish, report, skip, want, want_same, write

# No source file appends text to the markup of a page past the functions of core/command/page.h, which escape it.
SOURCES = [path for path in glob.glob("*/*/*.[ch]") + glob.glob("*/*.[ch]") if not path.startswith(("core/command/page.", "tests/", "build/"))]
for path in SOURCES:
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            want(not re.search(r"(?:\.|->)markup\b(?!\.length)", line), f"{path}:{number}: {line.strip()}")
want(len(SOURCES) > 300, f"{len(SOURCES)} source files")
report("page_text_sources")
os.chdir(SCRATCH)
# A name of a file has no '/'. A name of a player has at most 63 bytes.
NAME = "<img src=x onerror=ran=1>'\"&<!--<svg onload=ran=1>"
TEXT = NAME + "</title></script></style><script>ran=1</script>{{games}}]]>"
PLAYER = "<img src=x onerror=ran=1>'\"&</script><script>ran=1<!--"
GAME = ["--nodes", "10", "--max-plies", "40", "--opening-nodes", "10", "--seed", "3", "--quiet"]
ELEMENTS = set("a b body br button caption circle code dd desc details div dl dt figcaption figure g h1 h2 h3 h4 head header html i input kbd label li line "
               "main meta nav option output p path pre rect script section select small span style summary svg table tbody td text th thead title tr u ul".split())
ATTRIBUTES = set("aria-hidden aria-label aria-labelledby aria-live charset class colspan content cx cy d data-share data-state data-written fill height hidden href "
                 "http-equiv id lang max min name placeholder r role rx scope selected tabindex text-anchor title transform type value viewbox width x x1 x2 "
                 "xmlns y y1 y2".split())


def run(*words, status=0):
    done = subprocess.run([PAOTAI, *words], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="surrogateescape", timeout=1200)
    want(done.returncode == status, f"{words}: exit status {done.returncode}: {done.stderr[-300:]}")


def player(**keys):
    """Returns the text of a player; commas and backslashes of its values are escaped."""
    return ",".join(f"{key}=" + re.sub(r"([,\\])", r"\\\1", value) for key, value in keys.items())


# ---- pages with hostile texts --------------------------------------------------------------------
WEIGHTS, FOLDER = NAME + ".txt", "d" + NAME
run("weights", "convert", "classic", "--out", WEIGHTS)
with open(WEIGHTS, "r+", encoding="utf-8") as file:
    text = file.read()
    file.seek(0)
    file.write(f"# {TEXT}\n# options weights={TEXT} split_by=content\n# contain {TEXT}\n{text}")
write(SCRATCH + "/engine.py", f"""import sys
for line in sys.stdin:
    if line.startswith("uci\\n"):
        print("id name", {TEXT!r}, "\\nid author", {TEXT!r}, "\\noption name", {NAME!r}, "type spin default 1 min 0 max 9\\nuciok", flush=True)
    elif line.startswith("isready"):
        print("readyok", flush=True)
    elif line.startswith("go"):
        print("info depth 1 score cp 1 string", {TEXT!r}, "\\nbestmove", {TEXT!r}, flush=True)
""")
ENGINE = f"cmd={sys.executable} {SCRATCH}/engine.py,proto=uci,nodes=10"
# The arguments of each command that writes pages; {} is the name of the page.
run("selfplay", "--games", "60", "--nodes", "30", "--weights", WEIGHTS, "--threads", "2", *GAME[4:], "--out", FOLDER, "--page", "selfplay.html")
run("match", "--a", player(weights=WEIGHTS, name=PLAYER), "--b", player(weights="default", name="b" + PLAYER), "--pairs", "3", "--sprt", "0,5", *GAME, "--out", "match" + FOLDER, "--page", "match.html")
run("match", "--a", ENGINE, "--b", "weights=classic", "--pairs", "1", *GAME, "--out", "engine", "--page", "engine.html", status=1)
run("tournament", player(weights=WEIGHTS), player(weights="default", name=PLAYER), player(weights="classic", name="c" + PLAYER), "--rounds", "1", *GAME, "--page", "tournament.html")
run("train", FOLDER, "--keep", "--weights", WEIGHTS, "--epochs", "1", "--batch", "64", "--units", "32", "--valid-fraction", "0.3", "--quiet", "--out", NAME + ".net", "--match-pairs", "1", "--nodes", "10", "--page", "train.html")
run("loop", "--generations", "2", "--direct-pairs", "0", "--games", "24", "--nodes", "50", "--seed", "3", "--pairs", "1", "--weights", WEIGHTS, "--selfplay-options", "--opening-nodes 20", "--match-options",
    "--opening-nodes 0 --max-plies 20", "--tune-options", "--fit material_* --lambda 1", "--quiet", "--out", "loop" + NAME, "--page", "loop.html")
write(SCRATCH + "/option.sh", f'#!/bin/sh\n"{PAOTAI}" | sed -u -e "/^uciok/i option name $(cat option) type spin default 1 min 0 max 9" -e "/no option/d"\n')
write(SCRATCH + "/option", NAME)
os.chmod("option.sh", 0o755)
run("spsa", "--param", f"{NAME},1,0,9,1", "--player", player(cmd=f"{SCRATCH}/option.sh", proto="uci", nodes="10", name=PLAYER), "--iterations", "1", "--pairs", "1", "--probe-pairs", "1",
    "--check-pairs", "1", *GAME[2:], "--out", "spsa" + NAME)
run("term", "hanging", FOLDER, "--weights", WEIGHTS, "--rev", "none", "--nodes", "10", "--match-pairs", "1", "--quiet", "--out", "term" + NAME, "--page", "term.html")
run("tune", "--trace", f"cmd={PAOTAI}", FOLDER, "--out", "trace.tsv", "--report", "trace.html", "--quiet")
run("tune", FOLDER, "--weights", WEIGHTS, "--fit", "material_*", "--lambda", "1", "--out", "fit" + WEIGHTS, "--report", "tune.html", "--quiet")
run("report", "--data", FOLDER, "--match", "match" + FOLDER, "--out", "report.html", WEIGHTS, "--quiet")
run("report", "--data", FOLDER, "--network", NAME + ".net", "--out", "network.html", WEIGHTS, "--quiet")
run("report", "--data", FOLDER, "--out", "pair.html", WEIGHTS, "fit" + WEIGHTS, "--quiet")
write(SCRATCH + "/worth.tsv", f"terms\tloss_change\tloss_change_se\telo\telo_ci95_low\telo_ci95_high\tpentanomial\n{NAME.replace(' ', '_')}\t0.1\t0.01\t5\t1\t9\n#1/<b>\t0.1\t0.01\t5\t1\t9\n")
run("report", "--ablate", "worth.tsv", "--data", FOLDER, "--out", "worth.html", WEIGHTS, "--quiet")
TAGS = "".join('[%s "%s"]\n' % (tag, TEXT.replace("\\", "\\\\").replace('"', '\\"')) for tag in ("Event", "Site", "Date", "Red", "Black", "Opening", "RedTeam"))
write(f"{SCRATCH}/{NAME}.pgn", f'{TAGS}[Result "1-0"]\n\n1. h2e2 {{{TEXT.replace("}}", "")}}} (1. b2e2 {{{NAME}}}) h9g7 2. h0g2 1-0\n')
run("view", NAME + ".pgn", "--out", "view.html", "--quiet")
run("view", "match" + FOLDER, "--out", "contest.html", "--quiet")
run("analyse", "--review", "--nodes", "20", "--quiet", "--page", "review.html", NAME + ".pgn")
run("data", "import", "--quiet", "--out", "imported", NAME + ".pgn")
run("data", "openings", "--players", "--min-games", "1", "--out", "players.html", "--quiet", "imported")
run("data", "openings", "--min-games", "1", "--out", "openings.html", "--quiet", "imported")
report("page_text_commands")

# ---- what a parser of HTML finds -----------------------------------------------------------------


class Found(html.parser.HTMLParser):
    """Elements and attributes of a page, and the contents of its scripts and style sheets."""

    def __init__(self, text):
        super().__init__()
        self.unknown, self.embedded, self.policy, self.kind, self.text = set(), {"script": [], "style": [], "json": []}, "", None, ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.unknown |= {tag} - ELEMENTS | {f"{tag} {name}" for name in values if name.lower() not in ATTRIBUTES}
        self.kind = "json" if values.get("type") == "application/json" else tag if tag in ("script", "style") else None
        if self.kind:
            self.embedded[self.kind].append("")
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]

    def handle_endtag(self, tag):
        self.kind = None

    def handle_data(self, data):
        if self.kind:
            self.embedded[self.kind][-1] += data
        self.text += data


def sources(kind, texts):
    return " ".join([f"{kind}-src"] + [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts])


STRENGTH = f"loop{NAME}/strength.html"  # has numbers only
PAGES = sorted(path for path in glob.glob(glob.escape(os.path.abspath(".")) + "/**/*.html", recursive=True))
texts = {}
for path in PAGES:
    name = os.path.relpath(path)
    with open(path, encoding="utf-8") as file:
        texts[name] = file.read()
    found = Found(texts[name])
    want(not found.unknown, f"{name}: the page has {found.unknown}")
    want(len(found.embedded["script"]) <= 1 and 1 <= len(found.embedded["style"]) <= 2, f"{name}: scripts {[text[:80] for text in found.embedded['script']]}")
    allowed = [rule.strip() for rule in found.policy.split(";")]
    expected = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", sources("style", found.embedded["style"])]
    want_same(allowed, expected + ([sources("script", found.embedded["script"])] if found.embedded["script"] else []), f"{name}: policy")
    want("onerror=ran=1" in found.text or name in ("openings.html", "engine.html", STRENGTH) or "/gen-" in name, f"{name}: no hostile text has reached the page")
    for data in found.embedded["json"]:
        want("<" not in data and isinstance(json.loads(data), list), f"{name}: data {data[:100]}")
report("page_text_parsed")
want_same(len(PAGES), 26, f"pages {list(texts)}")
report("page_text_all_pages")

# ---- what a browser finds ------------------------------------------------------------------------
PROBE = """<script>{
const bad = [...document.querySelectorAll('img, iframe, object, embed, link, base, form, foreignObject, animate, set, [onerror], [onload], [onclick]')];
const look = () => parent.postMessage(JSON.stringify({ran: typeof ran, bad: bad.map(node => node.outerHTML.slice(0, 99)), scripts: document.scripts.length,
    said: document.title.length, sheet: getComputedStyle(document.body).marginTop}), '*');
setTimeout(look, 300);
}</script></body>"""
# Nodes that a fault might have let through. With the policy of the page nothing of them runs.
INJECTED = "<img src=x onerror='ran=1'><svg onload='ran=1'></svg><script>ran=1</script><b style='color: red' onclick='ran=1'>b</b><a href='javascript:ran=1' id='go'>a</a>"
CLICK = PROBE.replace("setTimeout", "document.getElementById('go').click();\nsetTimeout")
META = re.compile("<meta http-equiv='Content-Security-Policy'[^>]*>")
if not BROWSER:
    skip("page_text_browser", NO_BROWSER)
    finish()
names = [name for name in texts if "/gen-" not in name]
views = [(texts[name], PROBE, 1000) for name in names] + [(META.sub("", texts[name]), PROBE, 1000) for name in names]
views += [(texts[name].replace("</main>", INJECTED + "</main>"), CLICK, 1000) for name in ("match.html", "view.html", "report.html")]
views += [(META.sub("", texts["match.html"]).replace("</main>", INJECTED + "</main>"), PROBE, 1000)]
seen = browse_all("page_text_browser", views, 900)
for name, page in zip(names + [f"{name} without its policy" for name in names], seen):
    want(page and page["ran"] == "undefined" and not page["bad"] and page["sheet"] == "0px", f"{name}: {page}")
report("page_text_no_element")
want(all(page and page["ran"] == "undefined" and page["bad"] for page in seen[-4:-1]), f"the policy let a script run: {seen[-4:-1]}")
want(seen[-1] and seen[-1]["ran"] != "undefined", f"the injected nodes do nothing without a policy, so this test proves nothing: {seen[-1]}")
report("page_text_policy")

# ---- what axe finds ------------------------------------------------------------------------------
# axe (npm axe-core) knows the rules of accessible pages: contrast, labels, order of headings and others.
AXE = "axe-core@4.10.3"
FIND = """axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map(rule =>
    `${rule.id}: ${rule.nodes.length} times, first ${rule.nodes[0].html.slice(0, 200)}: ${[...rule.nodes[0].any, ...rule.nodes[0].all, ...rule.nodes[0].none].map(one => one.message)}`))"""
# Hidden parts would not be examined.
UNFOLD = "for (const node of document.querySelectorAll('details')) node.open = true; for (const node of document.querySelectorAll('.unfold input')) node.checked = true"


def fetch_axe():
    """Returns the script of axe. If it cannot be fetched, prints that the check is skipped, and returns ''."""
    if not shutil.which("npm"):
        return skip("page_axe", "no npm ('apt-get install npm')") or ""
    done = subprocess.run("npm pack --silent %s && tar xzf axe-core-*.tgz package/axe.min.js" % AXE, shell=True, capture_output=True, text=True, check=False)
    if done.returncode:
        return skip("page_axe", f"npm cannot fetch {AXE}: {done.stderr.strip()[-200:]}") or ""
    with open("package/axe.min.js", encoding="utf-8") as file:
        return file.read()


script = fetch_axe() if FULL else ""
if script:
    with Browser() as browser:
        for name in names:
            for width, dark in ((1400, False), (420, True)):
                browser.open("file://" + quote(os.path.abspath(name)), width, dark=dark)
                browser.run(UNFOLD)
                browser.run(script + "; 0")
                for found in browser.run(FIND):
                    want(False, f"{name}, {width} pixels, {'dark' if dark else 'light'}: {found}")
    want_same(len(names) > 15, True, "number of pages")
    report("page_axe")
finish()

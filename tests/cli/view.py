# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests paotai view.

The page must contain the games of a run or of a file as `data export` writes them. Hostile names
must have no effect. With Chromium, the test clicks through a game. It checks moves in five
notations, positions as FEN, filters, keyboard keys, and the graph with a line of scores for each
player. On a phone, nothing may be wider than the screen."""
import csv
import html
import json
import os
import re

from checks import BROWSER, NO_BROWSER, START, browse_all, check, finish, paotai, same, scratch, skip, want, want_same, report, write

DIGITS = "".join(chr(c) for c in range(33, 127) if chr(c) not in '"&<\\')
NAMES = [f"{'abcdefghi'[square % 9]}{square // 9}" for square in range(90)]
HOSTILE = "<script>alert(1)</script><!--' & \u2028 </b>{{games}}"


def run(*args, status=0):
    done = paotai(*args)
    want(done.returncode == status, f"{args} ended with {done.returncode}: {done.stderr[:300]}")
    return done.stdout


def page_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def games_of(text):
    """Returns the games in the data of the page."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])


def moves(packed):
    squares = [NAMES[DIGITS.index(c)] for c in packed]
    return [a + b for a, b in zip(squares[::2], squares[1::2])]


def numbers(packed):
    digits = [DIGITS.index(c) for c in packed]
    return [(a * 90 + b) * 90 + c for a, b, c in zip(digits[::3], digits[1::3], digits[2::3])]


run("selfplay", "--games", "14", "--nodes", "60", "--seed", "5", "--quiet", "--out", scratch("run"))
run("rescore", scratch("run"), "--nodes", "200", "--quiet", "--out", scratch("deep"))
run("selfplay", "--games", "4", "--nodes", "30", "--odds", "3moves", "--quiet", "--out", scratch("odds"))
run("match", "--a", f"nodes=60,name={HOSTILE}", "--b", "nodes=50", "--pairs", "12", "--sprt", "-60,60", "--quiet", "--out", scratch("match"))
for name in ("deep", "odds", "match"):
    run("view", scratch(name), "--quiet", "--out", scratch(f"{name}.html"))

# ---- the data -------------------------------------------------------------------------------------------
for name in ("deep", "odds", "match"):
    games = games_of(page_of(scratch(f"{name}.html")))
    exported = [line.split("\t") for line in run("data", "export", "--format", "pgn", "--moves", "uci", scratch(name)).split("[Event ")[1:]]
    texts = ["[Event " + game[0] for game in exported]
    for game, text in zip(games, texts):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', text, re.M))
        body = re.sub(r"\{[^}]*\}", "", text.split("\n\n", 1)[1])
        played = re.findall(r"\b[a-i]\d[a-i]\d\b", body)
        want(moves(game["m"])[game.get("x", 0):] == played, f"{name}: game {game['n']} has other moves")
        want({1: "1-0", 0: "1/2-1/2", -1: "0-1"}[game["r"]] == tags["Result"], f"{name}: game {game['n']}: {game['r']}")
    want(len(games) == len(texts) > 0, f"{name}: {len(games)} games, {len(texts)} exported")
    shown = json.loads(paotai("show", "--data", scratch(name), "--game", "2", "--json").stdout)
    want(games[2]["e"] == shown["reason"], f"{name}: game 2 ended by {games[2]['e']}, not {shown['reason']}")
report("view_games")
scores = re.findall(r"\{([+-]\d+\.\d\d|[+-]M\d+)(?:/|\s|\})", run("data", "export", "--format", "pgn", scratch("deep")))
values = [v for game in games_of(page_of(scratch("deep.html"))) for v in numbers(game["s"]) if v]
check("view_scores", len(scores) == len(values) > 100, f"{len(values)} scores, {len(scores)} in PGN")

# The page has the moves in the notation of --notation, as `data export` writes them. `data export`
# does not write the moves that the search preferred: they are compared with `paotai notation`.
for system in ("lau", "system1", "globalstar", "san", "chinese"):
    run("view", scratch("deep"), "--notation", system, "--quiet", "--out", scratch(f"{system}.html"))
    text = page_of(scratch(f"{system}.html"))
    want(f'<option value="written" selected>{system}</option>' in text, f"{system} is no choice")
    lines = run("data", "export", "--format", "moves", "--moves", system, scratch("deep")).splitlines()
    records, shown = [], []
    for game, line in zip(games_of(text), lines):
        want(game["l"] == line.split("\t")[-1], f"{system}: {game['l'][:60]}, not {line[:90]}")
        plain, words = moves(game["m"]), game["k"].split(" ")
        best = [a + b for a, b in zip(*[iter([NAMES[DIGITS.index(c)] for c in game["p"]])] * 2)]
        at = next((i for i, move in enumerate(best) if move[:2] != move[2:]), None)
        want(len(words) == len(plain) and all((word == "-") == (move[:2] == move[2:]) for word, move in zip(words, best)), f"{system}: preferred")
        if at is not None:
            records.append(game.get("f", START) + "\t" + " ".join(plain[:at] + [best[at]]) + "\n")
            shown.append(words[at])
    said = paotai("notation", "--from", "uci", "--to", system, "--game", stdin="".join(records)).stdout.splitlines()
    want([line.split()[-1] for line in said] == shown != [], f"{system}: preferred moves {shown}, not {said}")
run("view", scratch("odds"), "--notation", "lau", "--quiet", "--out", scratch("odds-lau.html"))
want([len(game["l"].split(" ")) for game in games_of(page_of(scratch("odds-lau.html")))] == [len(game["m"]) // 2 for game in games_of(page_of(scratch("odds.html")))],
     "odds: not all moves are written")
want("written" not in re.search('<select id="notation".*?</select>', page_of(scratch("deep.html")), re.S)[0], "a page without --notation offers a further notation")
report("view_notation")

# `view` reads a file with a game without a result, a game with scores and a game with an illegal
# move.
write("x.pgn", f'[Event "Cup"]\n[Red "{HOSTILE}"]\n[Black "B \\" b"]\n[Result "*"]\n\n1. h2e2 h9g7 2. h0g2 *\n\n'
      '[Red "x"]\n[Result "1-0"]\n\n1. h2e2 {+0.50/7} h9g7 {-M3/4} 1-0\n\n[Result "0-1"]\n\n1. h2h8 0-1\n')
run("view", scratch("x.pgn"), "--quiet", "--out", scratch("x.html"), status=1)
games = games_of(page_of(scratch("x.html")))
same("view_file", [(moves(game["m"]), game.get("r"), game.get("w")) for game in games],
     [(["h2e2", "h9g7", "h0g2"], None, HOSTILE), (["h2e2", "h9g7"], 1, "x")])
same("view_file_scores", numbers(games[1]["s"]), [32769 + 50, 132768 + 3])
for name in ("x", "match"):
    text = page_of(scratch(f"{name}.html"))
    want("<script>alert" not in text and text.count("<script") == 2 and text.count("</script") == 2, f"{name}: a name became markup")
    want(not re.search(r"\{\{(title|style|match|notation)\}\}", text), f"{name}: marks are left")
    outside = [url for url in re.findall(r"https?://[^'\"<> ]*", text) if not url.startswith("http://www.w3.org/")]
    want(not outside and "@import" not in text and not re.search(r"\bsrc=|<link|url\(", text), f"{name}: refers to {outside}")
report("view_hostile_names")
text = page_of(scratch("match.html"))
check("view_match", "<h2>Standings</h2>" in text and "id='elo-title'" in text and "id='llr-title'" in text, "no standings, or no curves")
check("view_match_verdict", re.search(r"<p class='verdict'>[^<]*\xa0Elo[^<]* \(\d+\xa0games, 95\xa0%", text), "no verdict of the match")
check("view_match_first", 0 < text.find("<h2>Standings</h2>") < text.find('id="rows"'), "the standings do not stand before the list of games")
chart = re.search("<h2>Elo of <b class='player'>(.*)</b> against <b class='player'>(.*)</b></h2>", text)
check("view_match_named", chart and html.unescape(chart[1]) == HOSTILE and chart[2] == "default", chart and chart.groups())
check("view_run_has_no_standings", "Standings" not in page_of(scratch("deep.html")), "a run of self-play has standings")
done = paotai("view", scratch("none"), "--out", scratch("none.html"))
check("view_refuses_nothing", done.returncode == 1 and "none" in done.stderr and not os.path.exists(scratch("none.html")), done.stderr)

# ---- in a browser ---------------------------------------------------------------------------------------
PROBE = """<style>#moves::-webkit-scrollbar { width: 15px }</style><script>
{
const said = [], say = value => said.push(value), all = list => [...list].map(node => node.textContent);
alert = () => say('ALERT');
const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
const choose = (id, value) => { $(id).value = value; $(id).dispatchEvent(new Event($(id).matches('input') ? 'input' : 'change')); };
const result = {rows: all($('rows').querySelectorAll('b')), titles: [...$('rows').querySelectorAll('b')].map(node => node.title),
    first: [$('notation').value, $('pieces').value], games: []};
$('language').click();
result.chinese = [$('notation').value, $('pieces').value];
$('language').click();
result.back = [$('notation').value, $('pieces').value];
result.bare = [...document.querySelectorAll('select')].filter(node => !node.labels.length || !node.labels[0].firstChild.textContent.trim()).map(node => node.id);
result.small = [...document.querySelectorAll('main *')].filter(e => e.getClientRects().length && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) &&
    !e.closest('svg') && parseFloat(getComputedStyle(e).fontSize) < 13).map(e => `${e.tagName}#${e.id} ${e.className}`).slice(0, 5);
for (const game of games.slice(0, innerWidth < 1400 ? 1 : 2)) {
    openGame(game, 0);
    const one = {n: game.n, fens: [$('fen').value]};
    while (state.at < plies(game)) { $('next').click(); one.fens.push($('fen').value); }
    for (const {value: system} of $('notation').options) {
        choose('notation', system);
        one[system] = [...$('moves').querySelectorAll('button')].map(node => node.firstChild.textContent);
    }
    one.said = $('said').textContent;
    // The places of each line of scores along the graph, as plies.
    one.lines = [...$('graph').querySelectorAll('.curve')].map(path => [path.classList[1], (path.getAttribute('d').match(/[ML]([\\d.]+)/g) || [])
        .map(at => Math.round((at.slice(1) - 4) / (WIDE - 8) * plies(game)))]);
    one.legend = $('legend').textContent;
    result.games.push(one);
}
choose('pieces', 'letters');
result.letters = all($('board').querySelectorAll('.face')).join('');
const game = games[0];
openGame(game, 0);
press('ArrowRight'); press('ArrowRight'); press('ArrowLeft');
result.keys = [state.at]; press('End'); result.keys.push(state.at - plies(game)); press('Home'); result.keys.push(state.at);
press('ArrowDown'); result.keys.push(state.game.n - game.n); press('ArrowUp'); press('f'); result.keys.push(state.flipped);
$('moves').querySelectorAll('button')[2].click(); result.keys.push(state.at);
choose('result', resultText(game.r));
result.same = [state.shown.length, games.filter(one => one.r === game.r).length];
choose('result', '');
choose('player', '#' + games[games.length - 1].n);
result.found = state.shown.length;
choose('player', '');
result.wide = document.documentElement.scrollWidth - innerWidth;
result.out = [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll') && e.getBoundingClientRect().width > 0 &&
    e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + '#' + e.id).slice(0, 5);
// Large scores beside each move, with a scrollbar that takes room.
game.s = (DIGITS[3] + DIGITS[82] + DIGITS[88]).repeat(plies(game));
openGame(game, 0);
result.scrollbar = $('moves').offsetWidth - $('moves').clientWidth;
result.crowded = [];
for (const {value: system} of $('notation').options) {
    choose('notation', system);
    if ($('moves').scrollWidth > $('moves').clientWidth) result.crowded.push(system);
    for (const node of $('moves').querySelectorAll('button')) {
        const range = document.createRange();
        range.selectNodeContents(node);
        if (range.getBoundingClientRect().right > node.getBoundingClientRect().right + 0.5) result.crowded.push(node.textContent);
    }
}
result.alert = said;
result.names = players.map(shortName);
result.lead = $('lead').textContent;
parent.postMessage(JSON.stringify(result), '*');
}
</script></body>"""


def same_positions(seen, name):
    """Moves equal those of `paotai notation`, positions those of `data export`."""
    for system, ours in (("iccs", "iccs"), ("wxf", "wxf"), ("chinese", "chinese"), ("simplified", "chinese-simplified")):
        lines = "".join(f"{game['fens'][0]}\t{' '.join(game['uci'])}\n" for game in seen)
        said = paotai("notation", "--from", "uci", "--to", ours, "--game", stdin=lines).stdout.splitlines()
        for line, game in zip(said, seen):
            wrong = [pair for pair in zip(line.split(), game[system]) if pair[0] != pair[1]]
            want(len(line.split()) == len(game[system]) and not wrong, f"{name}: game {game['n']} in {system}: {wrong[:3]}")
    rows = list(csv.DictReader(run("data", "export", "--format", "csv", "--positions", "all", scratch(name)).splitlines()))
    fens = {(int(row["game"]), int(row["ply"])): row["fen"] for row in rows}
    for game in seen:
        wrong = [(ply, fen, fens[game["n"], ply]) for ply, fen in enumerate(game["fens"])
                 if fens.get((game["n"], ply), fen) != fen]
        want(not wrong, f"{name}: game {game['n']}: {wrong[:2]}")
    want(rows, f"{name}: nothing was exported")


# Without games there is no page. The message suggests --format unless it was given.
for path in ("/dev/null", write("no.games", "nonsense here\n")):
    done = paotai("view", path, "--out", scratch("none.html"))
    want(done.returncode == 1 and "contains no game" in done.stderr, f"view {path}: {done.returncode} {done.stderr!r}")
    want(not os.path.exists(scratch("none.html")), f"view {path} leaves a page")
want("--format" in done.stderr, f"no hint: {done.stderr!r}")
done = paotai("view", scratch("no.games"), "--format", "pgn", "--out", scratch("none.html"))
want("or with --format" not in done.stderr and "no option" not in done.stderr, f"--format pgn: {done.stderr!r}")
report("view_without_games")

if not BROWSER:
    skip("view_browser", NO_BROWSER)
    finish()
# The common part of names that are paths is not shown.
run("match", "--a", "nodes=40,name=build/loop/gen-001/weights.txt", "--b", "nodes=40,name=build/loop/gen-002/weights.txt", "--pairs", "2", "--quiet",
    "--out", scratch("paths"))
run("view", scratch("paths"), "--quiet", "--out", scratch("paths.html"))
SHOWN = (("deep", 1400), ("deep", 1100), ("lau", 1280), ("match", 1400), ("match", 420), ("paths", 420), ("odds", 420), ("x", 420))
for (name, width), seen in zip(SHOWN, browse_all("view_browser", [(page_of(scratch(f"{name}.html")), PROBE, width) for name, width in SHOWN], 900)):
    if not seen:
        continue
    games = games_of(page_of(scratch(f"{name}.html")))
    for game, one in zip(games, seen["games"]):
        want(one["uci"] == moves(game["m"]), f"{name}: game {game['n']} shows other moves")
        if name == "lau":
            want(one["written"] == game["l"].split(" "), f"lau: game {game['n']} shows {one['written'][:3]}")
        if name == "odds":
            shown = json.loads(paotai("show", "--data", scratch(name), "--game", str(game["n"]), "--json").stdout)
            want(one["fens"][-1] == shown["fen"], f"odds: the end is {one['fens'][-1]}, not {shown['fen']}")
    if name in ("deep", "match"):
        same_positions(seen["games"], name)
    want(seen["wide"] <= 0 and not seen["out"], f"{name} at {width}: {seen['wide']} pixels too wide: {seen['out']}")
    want(not seen["crowded"], f"{name} at {width}: moves and scores lie over each other: {seen['crowded'][:5]}")
    want(len(games[0]["m"]) < 120 or seen["scrollbar"] == 15, f"{name} at {width}: a scrollbar of {seen['scrollbar']} pixels")
    first = ["written" if name == "lau" else "wxf", "letters"]
    want([seen["first"], seen["chinese"], seen["back"]] == [first, ["chinese", "chinese"], ["wxf", "letters"]], f"{name}: {seen['first']}, {seen['chinese']}, {seen['back']}")
    want(not seen["bare"], f"{name}: selects without a label: {seen['bare']}")
    want(not seen["small"], f"{name} at {width}: text below 13 pixels: {seen['small']}")
    for game, one in zip(games, seen["games"]):
        scored = [ply + 1 for ply, value in enumerate(numbers(game.get("s", ""))) if value]
        red = 0 if one["fens"][0].split(" ")[1] == "w" else 1  # parity of Red's plies, counted from 0
        two = game.get("w") and game.get("b") and game["w"] != game["b"]
        lines = [[ply for ply in scored if (ply - 1) % 2 == side] for side in (red, 1 - red)] if two else [scored]
        if not game.get("x"):
            want(not scored or [line[1] for line in one["lines"]] == lines, f"{name}: game {game['n']}: lines of scores at {one['lines']}")
        want(not scored or "from Red's side" in one["legend"], f"{name}: no point of view: {one['legend']}")
        if name == "match":  # the score line of an engine has the same colour in all games, whichever side it plays
            want([line[0] for line in one["lines"]] == (["one", "two"] if game["w"] == HOSTILE else ["two", "one"]), f"match: colours {one['lines']}")
            want(all(text in one["legend"] for text in ("(Red)", "(Black)")), one["legend"])
    want(not seen["alert"], f"{name}: a name ran as a script")
    want(sorted(seen["letters"].lower()) and set(seen["letters"]) <= set("KAEHRCP"), f"{name}: letters {seen['letters']}")
    if len(games) > 2 and len(games[0]["m"]) > 8:
        same_keys = [1, 0, 0, games[1]["n"] - games[0]["n"], True, 3]
        want(seen["keys"] == same_keys, f"{name}: keys lead to {seen['keys']}, not {same_keys}")
        want(seen["same"][0] == seen["same"][1] and seen["found"] >= 1, f"{name}: filters give {seen['same']}, {seen['found']}")
    if name == "deep":  # one player against itself is named once
        want(all(re.match(r"Game #\d+$", row) for row in seen["rows"]) and "against itself" in seen["lead"], f"{seen['rows']} {seen['lead']}")
    if name == "paths":
        want(seen["names"] == ["gen-001", "gen-002"] and set(seen["rows"]) == {"gen-001", "gen-002"}, f"{seen['names']} {seen['rows']}")
    report(f"view_clicked_{name}_{width}")
    if name == "x":
        same("view_hostile_shown", [seen["titles"][0], seen["rows"][0][0], HOSTILE.endswith(seen["rows"][0][1:])], [f"Red: {HOSTILE}", "…", True])
# Names of 200 characters that differ at their beginning stay different, and the list of one game is as high as its row.
LONG = "a_very_long_name_" * 12
write("long.pgn", f'[Event "{LONG}"]\n[Red "{LONG}"]\n[Black "b{LONG}"]\n[Result "1-0"]\n\n1. h2e2 h9g7 1-0\n')
run("view", scratch("long.pgn"), "--quiet", "--out", scratch("long.html"))
SIZES = """<script>parent.postMessage(JSON.stringify([players.map(shortName), $('rows').clientHeight === ROW, $('how').clientHeight < 120,
    Math.max(0, document.documentElement.scrollWidth - innerWidth)]), '*');</script></body>"""
same("view_long_names", browse_all("view_browser_long", [(page_of(scratch("long.html")), SIZES, width) for width in (420, 1400)], 900),
     [[["a_very_long_n…ery_long_name_", "ba_very_long_…ery_long_name_"], True, True, 0]] * 2)
# Remarks are shown at their moves. Clicks lead into a variation, into a nested variation, and back.
# The page of `data openings` can be unfolded.
TREE = '[Result "1-0"]\n\n1. h2e2 $1 {good} h9g7 (1... b9c7 {aside} 2. h0g2 (2. b0c2 {inner}) a9b9) 2. h0g2 {last} 1-0\n'
run("data", "import", "--variations", "--out", scratch("tree"), write("tree.pgn", TREE))
run("view", scratch("tree"), "--quiet", "--out", scratch("tree.html"))
run("data", "openings", "--min-games", "1", "--out", scratch("openings.html"), scratch("tree"))
CLICKS = """<script>{
const all = name => [...$('moves').querySelectorAll(name)], seen = [];
const note = () => seen.push([all('.remark').map(node => node.textContent), all('button').length]);
const click = mark => { all('.line').find(node => node.textContent.startsWith(mark)).click(); note(); };
note(); click('▸'); click('▸'); click('◂'); click('◂');
parent.postMessage(JSON.stringify([seen, Math.max(0, document.documentElement.scrollWidth - window.innerWidth)]), '*');
}</script></body>"""
UNFOLD = """<script>for (const node of document.querySelectorAll('details')) node.open = true;
parent.postMessage(JSON.stringify([[...document.querySelectorAll('b')].filter(node => node.offsetHeight).length,
    Math.max(0, document.documentElement.scrollWidth - window.innerWidth)]), '*');</script></body>"""
MAIN, LINE, INNER = [["! good", "last"], 3], [["aside"], 3], [["inner"], 1]
seen = browse_all("view_browser_tree", [(page_of(scratch(f"{name}.html")), probe, width) for name, probe in (("tree", CLICKS), ("openings", UNFOLD)) for width in (400, 1400)], 900)
same("view_tree", seen[:2], [[[MAIN, LINE, INNER, LINE, MAIN], 0]] * 2)
same("view_openings", seen[2:], [[3, 0]] * 2)

# After a click of the mouse the space bar plays the game; after the Tab key it presses the button. Filters
# that leave no game offer a reset. No choice is cut. The address of game and ply can be copied. The pieces
# are characters where the browser is set to Chinese, and the choice is kept for the next page.
HABITS = """<script>(async () => {
const seen = {}, key = name => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true, cancelable: true}));
seen.pieces = $('pieces').value;
go(2);
$('next').focus();
$('next').dispatchEvent(new MouseEvent('click', {detail: 1, bubbles: true}));
key(' ');
seen.mouse = [state.at, state.timer !== 0];
stop();
$('next').focus();
$('next').dispatchEvent(new MouseEvent('click', {detail: 0, bubbles: true}));
seen.keyboard = document.activeElement.id;
key(' ');
seen.pressed = state.timer !== 0;
$('player').value = 'no such name';
$('player').dispatchEvent(new Event('input'));
seen.none = [state.shown.length, $('reset').hidden];
$('reset').click();
seen.reset = [state.shown.length === games.length, $('reset').hidden, $('player').value];
seen.cut = [...document.querySelectorAll('select')].filter(node => {
    const free = node.cloneNode(true);
    free.style.cssText = 'width: auto; display: inline-block; position: absolute';
    node.after(free);
    const wider = free.offsetWidth > node.offsetWidth;
    free.remove();
    return wider;
}).map(node => node.id);
let copied = '';
Object.defineProperty(navigator, 'clipboard', {value: {writeText: text => { copied = text; return Promise.resolve(); }}, configurable: true});
go(3);
$('address').click();
await new Promise(done => setTimeout(done, 50));
seen.address = [copied === location.href, location.hash, $('address').textContent];
Object.defineProperty(navigator, 'clipboard', {value: undefined});
document.execCommand = name => { copied = [name, document.activeElement.value]; };
$('copy').click();
await new Promise(done => setTimeout(done, 50));
seen.fallback = copied[0] === 'copy' && copied[1] === $('fen').value;
$('pieces').value = 'chinese';
$('pieces').dispatchEvent(new Event('change'));
seen.stored = localStorage.getItem('paotai pieces');
localStorage.clear();
parent.postMessage(JSON.stringify(seen), '*');
})();</script></body>"""
NO_POLICY = re.compile("<meta http-equiv='Content-Security-Policy'[^>]*>")


def spoken(language, stored=None):
    """Returns the page of a browser with this language, in which an earlier page has stored a choice."""
    keep = f"localStorage.setItem('paotai pieces', '{stored}')" if stored else "localStorage.clear()"
    before = f"<body><script>Object.defineProperty(navigator, 'language', {{value: '{language}'}}); {keep};</script>"
    return NO_POLICY.sub("", page_of(scratch("deep.html"))).replace("<body>", before)


cases = [("en-US", None, "letters"), ("zh-TW", None, "chinese"), ("zh-CN", None, "simplified"), ("zh-TW", "letters", "letters"), ("en-US", "bogus", "letters")]
for (language, stored, pieces), width in zip(cases, (1400, 1400, 420, 420, 1000)):
    seen = browse_all(f"view_habits_browser_{language}_{stored}", [(spoken(language, stored), HABITS, width)], 900)[0] or {}
    want_same(seen, {"pieces": pieces, "mouse": [3, True], "keyboard": "next", "pressed": False, "none": [0, False], "reset": [True, True, ""], "cut": [],
                     "address": [True, "#0/3", "Copied"], "fallback": True, "stored": "chinese"}, f"{language}, {stored}, {width} pixels")
report("view_habits")
finish()

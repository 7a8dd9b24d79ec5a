# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai analyse --review: what each move lost, equal output for every form of the input and
# every number of threads, and its page.
import gzip
import json
import re
import signal
import subprocess

from checks import BROWSER, NO_BROWSER, PAOTAI, START, browse_all, finish, outcome, paotai, read, report, same, scratch, skip, wait_for_work, want, \
    want_same, write

MATE = "3k5/4aP3/9/2R6/9/9/9/5Kc2/9/7c1 w - - 0 1"  # f8e8 mates in 3 (tests/data/mates.epd); Black is ahead
NODES = ("--nodes", "5000", "--quiet")
GAMES = [("1-0", START, "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6"),
         ("0-1", START, "b2e2 h7e7 b0c2 h9g7 a0b0 i9h9"),
         # Black moves a chariot to a point where Red's chariot can capture it. Red does not capture
         # it, and then Black does not capture Red's chariot.
         ("1-0", "3k5/9/9/9/9/9/8r/R8/9/4K4 b - - 0 1", "i3i2 e0e1 i2i9"),
         ("1/2-1/2", MATE, "c6c2 g2c2"), ("1-0", MATE, "f8e8")]


def review(*args, stdin=""):
    return outcome("analyse", "--review", *NODES, *args, stdin=stdin)


def rows_of(text):
    """Returns the output lines of moves: (game, ply) -> [move, loss, mark such as "blunder", best line]."""
    return {(int(row[0]), int(row[1])): row[2:] for row in (line.split("\t") for line in text.splitlines() if line[:1] not in "#e")}


def without_names(text):
    return re.sub(r"(Red|Black) \(.*?\) accuracy", r"\1 accuracy", text)


path = write("games.tsv", "".join("\t".join(game) + "\n" for game in GAMES))
status, out, said = review(path)
rows = rows_of(out)
same("review_status", (status, said), (0, ""))
want_same([(game, ply, row[0]) for (game, ply), row in rows.items()],
          [(i, ply + 1, move) for i, game in enumerate(GAMES) for ply, move in enumerate(game[2].split())], "moves")
for key, (move, loss, mark, line) in rows.items():
    loss = float(loss)
    want(0 <= loss <= 1, f"{key}: loss {loss}")
    want_same(mark, "blunder" if loss >= 0.2 else "mistake" if loss >= 0.1 else "inaccuracy" if loss >= 0.05 else "-", f"{key}: mark of {loss}")
    want(re.fullmatch(r"([a-i]\d[a-i]\d ?)+", line), f"{key}: line {line}")
    want(line.split()[0] != move or loss == 0, f"{key}: the best move loses {loss}")
report("review_lines")
want("inaccuracy from 0.05, mistake from 0.10, blunder from 0.20" in out, "no thresholds")
want(re.search(r"^# evaluation best [0-9a-f]{64} network, 5000 nodes", out), "the evaluation is not named")
want(re.search(r"K = 0\.00\d+ per unit \(from the weights\)", out), "K is not stated")
want("from the compiled default" in review("--weights", "classic", path)[1], "classic has no K")
want(len(re.findall(r"^# game \d: Red accuracy (\d+\.\d %|unknown), inaccuracy \d", out, re.M)) == len(GAMES), "sums of the games")
report("review_head")

# Game 2: leaving the chariot where it can be captured is a blunder, and so are both moves that do
# not capture the opponent's chariot. For these two moves the better line begins with the capture.
want(rows[2, 1][2] == "blunder" and not rows[2, 1][3].startswith("i3i2"), rows[2, 1])
want(rows[2, 2][2] == "blunder" and rows[2, 2][3].startswith("a2i2"), rows[2, 2])
want(rows[2, 3][2] == "blunder" and rows[2, 3][3].startswith("i2a2"), rows[2, 3])
report("review_blunders")
want(rows[3, 1][2] == "blunder" and rows[3, 1][3].startswith("f8e8"), f"a missed mate: {rows[3, 1]}")
want(rows[4, 1][1:3] == ["0.0000", "-"], f"the mate: {rows[4, 1]}")
report("review_mates")

# The review counts repetitions in the game. After ply 7, Black's reply repeats the start position for
# the third time, and Red loses by perpetual check. With --rules none the game is a draw. Moves
# recorded after this end of the game are reviewed, too.
CHECKS = "1-0\t4k4/9/9/9/3R5/9/9/9/9/C4K3 w - - 0 1\td5e5 e9d9 e5d5 d9e9 d5e5 e9d9 e5d5 d9e9 d5d6\n"
for rules, loss in (("axf", 1), ("none", 0.5)):
    checks = rows_of(review("--rules", rules, stdin=CHECKS)[1])
    want_same([float(row[1]) for row in checks.values()][:8], [0] * 6 + [loss, 0], f"losses by the rules {rules}")
    want((0, 9) in checks, "the move after the referee's end")
report("review_repetition")

# The output of --review as JSON has the values of the plain output.
lines = [json.loads(line) for line in review("--json", path)[1].splitlines()]
want_same([[row["game"], row["ply"], row["move"], f"{row['loss']:.4f}", row["mark"], row["best_line"]] for row in lines if "ply" in row],
          [[*key, *row] for key, row in rows.items()], "moves in JSON")
want(lines[0]["blunder"] == 0.2 and lines[0]["nodes"] == 5000 and 0.001 < lines[0]["k"] < 0.01 and lines[0]["k_from_weights"] == "yes", lines[0])
sums = [row for row in lines if "red_accuracy" in row]
want_same([(row["red_blunder"], row["black_blunder"], row["red_moves"]) for row in sums[2:]], [(1, 2, 1), (1, 0, 1), (0, 0, 1)], "sums in JSON")
want(sums[4]["red_accuracy"] == 100 and sums[4]["black_accuracy"] is None, sums[4])
report("review_json")

# The lines are equal for the same games in a run, in PGN, in a compressed file and on standard input.
paotai("data", "import", "--out", scratch("run"), path)
pgn = paotai("data", "export", "--format", "pgn", "--quiet", scratch("run")).stdout
forms = {"run": [scratch("run")], "pgn": [write("games.pgn", pgn)], "gz": [write("games.tsv.gz", gzip.compress(open(path, "rb").read()))]}
for name, args in forms.items():
    want_same(without_names(review(*args)[1]), out, name)
want_same(review("-", stdin=open(path).read())[1], out, "standard input")
want_same(review(stdin=open(path).read())[1], out, "no argument")
report("review_forms")

# The opening is not reviewed: neither that of a run, nor moves that PGN marks with {book}. A foreign game
# is reviewed from its first move.
played = ["selfplay", "--games", "1", "--nodes", "50", "--opening-plies", "6", "--opening-nodes", "0", "--max-plies", "12", "--quiet", "--out", scratch("opened")]
paotai(*played)
opened = write("opened.pgn", paotai("data", "export", "--format", "pgn", "--quiet", scratch("opened")).stdout)
foreign = write("foreign.pgn", re.sub(r"\{.*?\}", "", read("opened.pgn")))
losses = {}
for name, given in (("run", scratch("opened")), ("pgn", opened), ("foreign", foreign)):
    _, out, _ = review("--page", scratch(f"{name}.html"), given)
    losses[name] = [row[1] for row in rows_of(out).values()]
    game = next(json.loads(line) for line in read(f"{name}.html").splitlines() if line.startswith('{"n":'))
    first = 0 if name == "foreign" else 6
    want_same([value is None for value in game["c"][:12]], [i < first for i in range(12)], f"{name}: reviewed moves on the page")
    counted = sum(map(int, re.findall(r"(?:inaccuracy|mistake|blunder) (\d+)", out.rsplit("# game", 1)[1])))
    want(counted == sum(bool(mark) for mark in game["j"][first:]) and not any(game["j"][:first]), f"{name}: marks {game['j']} {out[-200:]}")
want(losses["run"] == losses["pgn"] and all("nan" in loss or loss == "-" for loss in losses["run"][:6]) and "nan" not in losses["foreign"][0], losses)
report("review_opening")

# Records that cannot be read are reported in their place; the others are reviewed.
bad = write("bad.tsv", "".join("\t".join(game) + "\n" for game in (GAMES[4], ("1-0", START, "h2e2 h9g8"), ("1-0", START, ""), GAMES[3])))
status, out, said = review(bad)
want_same((status, said), (1, ""), "status")
order = [line.split("\t")[0] for line in out.splitlines() if line[0] != "#"]
want_same(order, ["0", "error", "error", "3", "3"], "order")
errors = [line for line in out.splitlines() if line.startswith("error")]
want(re.match(r"error\tline 2: .*bad.tsv.*h9g8", errors[0]) and "line 3: " in errors[1], errors)
want_same([row.get("line") for row in map(json.loads, review("--json", bad)[1].splitlines()) if "error" in row], [2, 3], "JSON")
for name in ("/dev/null", scratch("none")):
    status, out, said = review("--page", scratch("none.html"), name)
    want(status == 1 and re.search("holds no game|contains no game|No such file", out + said), f"{name}: {status} {out} {said}")
report("review_refused")

# Options that would have no effect are refused.
for words in (("--static",), ("--explain",), ("--multipv", "3"), ("--notation", "wxf")):
    status, out, said = review(*words, path)
    want(status == 2 and words[0] in said and out == "", f"{words}: {status} {said}")
done = paotai("analyse", "--page", scratch("p.html"), path)
want(done.returncode == 2 and "--page: has an effect only with --review" in done.stderr, done.stderr)
report("review_options")

# Ctrl-C keeps the games that are finished, on the page too.
with subprocess.Popen([PAOTAI, "analyse", "--review", "--quiet", "--nodes", "20000", "--page", scratch("cut.html"), "-"], stdin=subprocess.PIPE,
                      stdout=subprocess.PIPE, encoding="utf-8") as child:
    child.stdin.write(("\t".join(GAMES[4]) + "\n") + ("\t".join(GAMES[0]) + "\n") * 3000)
    child.stdin.close()
    wait_for_work(child, signal.SIGINT, 30)
    child.send_signal(signal.SIGINT)
    out = child.stdout.read()
    want_same(child.wait(300), 130, "status")
finished = re.findall(r"^# game (\d+): ", out, re.M)
want(finished and out.endswith("\n") and out.splitlines()[-1].startswith(f"# game {finished[-1]}: "), out[-300:])
games = [json.loads(line) for line in read("cut.html").splitlines() if line.startswith('{"n":')]
want_same([str(game["n"]) for game in games], finished, "games on the page")
report("review_interrupted")

# The page has a dot in the graph and a sign in the list for each marked move. Clicks lead to the
# move, into its better line, and back.
PROBE = """<script>{
const all = (id, name) => [...$(id).querySelectorAll(name)], marked = () => all('moves', '.m1, .m2, .m3'), seen = {};
openGame(games[2], 0);
seen.dots = all('graph', '.dot').map(node => node.getAttribute('class'));
seen.marked = marked().map(node => node.textContent);
seen.sides = [...document.querySelectorAll('.names small')].map(node => node.textContent);
marked()[1].click();
seen.clicked = [state.at, $('said').textContent];
go(0);
$('mark').click();
seen.next = state.at;
all('moves', '.line')[1].click();
seen.line = [state.game.up === games[2], state.at, $('fen').value.split(' ')[0]];
all('moves', '.line')[0].click();
seen.back = [state.game === games[2], state.at];
seen.beside = $('graph').closest('section').getAttribute('aria-label');
seen.wide = document.documentElement.scrollWidth - innerWidth;
seen.out = [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll') && e.getBoundingClientRect().width > 0 &&
    e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + '#' + e.id).slice(0, 5);
parent.postMessage(JSON.stringify(seen), '*');
}</script></body>"""
review("--page", scratch("page.html"), path)
games = [json.loads(line) for line in read("page.html").splitlines() if line.startswith('{"n":')]
for key, (_, loss, mark, line) in rows.items():
    game, ply = games[key[0]], key[1] - 1
    want_same(["-", "inaccuracy", "mistake", "blunder"][game["j"][ply]], mark, f"mark of {key} on the page")
    want_same(game["c"][ply], int(1000 * float(loss) + 1e-6), f"loss of {key} on the page")
    want_same([line["a"] for line in game.get("y", [])], [i for i, mark in enumerate(game["j"]) if mark], f"better lines of {key[0]}")
want("inaccuracy from 0.05" in read("page.html"), "the page has no thresholds")
report("review_page")
if not BROWSER:
    skip("review_browser", NO_BROWSER)
    finish()
for width, seen in zip((420, 1400), browse_all("review_browser", [(read("page.html"), PROBE, width) for width in (420, 1400)], 900)):
    if not seen:
        continue
    want_same(seen["dots"], ["dot m3"] * 3, "dots")
    want_same([text.split("??")[1] for text in seen["marked"]], [f"−{int(1000 * float(rows[2, ply][1]) + 1e-6) / 1000:.3f}" for ply in (1, 2, 3)], "losses in the list")
    want(re.fullmatch(r"accuracy \d+\.\d\u00a0%: \?!\u00a00, \?\u00a00, \?\?\u00a01", seen["sides"][0]) and seen["sides"][1].endswith("??\u00a02"), seen["sides"])
    want(seen["clicked"][0] == 2 and "blunder, loses" in seen["clicked"][1], seen["clicked"])
    want_same(seen["next"], 1, "the button of the next mark")
    want_same(seen["line"], [True, 1, "3k5/9/9/9/9/9/9/8R/9/4K4"], "the better line of ply 2 takes the chariot")
    want_same(seen["back"], [True, 1], "back in the game")
    want_same(seen["beside"], "board" if width < 1000 else "moves", "place of the graph")
    want(seen["wide"] <= 0 and not seen["out"], f"{seen['wide']} pixels too wide: {seen['out']}")
    report(f"review_clicked_{width}")
finish()

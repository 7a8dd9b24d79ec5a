# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests paotai variant.

Tests perft against known counts, and in `make test-full` against Fairy-Stockfish's library ffish.
Also tests error messages, the fit of rows, matches, and a game in the terminal. The games of
self-play must be the same for any number of threads, and after kill -9 and --resume."""
import importlib
import os
import re
import subprocess
import sys

from checks import DATA, FULL, PAOTAI, SHARED, START, check, finish, paotai, report, scratch, skip, values, want, want_same, write

BANQI_START = "????????/????????/????????/????????[KRRNNCCBBAAPPPPPkrrnnccbbaappppp] - 0 1"

# ---- perft ---------------------------------------------------------------------------------------
SUITES = (("supply", "supply", ()), ("banqi", "banqi_hongkong", ("--rules", "hongkong")), ("banqi", "banqi_taiwan", ("--rules", "taiwan")))
for game, name, rules in SUITES:
    folders = [(DATA, name)] + ([(SHARED, name.replace("_", "-"))] if SHARED else [])
    for folder, file in folders:
        said = paotai("variant", "perft", game, *rules, "--suite", f"{folder}/{file}.tsv")
        want(said.returncode == 0 and re.fullmatch(r"(\d\d+) passed, 0 failed\n", said.stdout), f"{file} {rules}: {said.stdout[-300:]}{said.stderr}")
report("variants_perft")
# --rules has an effect: the perft suite of the rules taiwan fails under the default rules
# (hongkong).
crossed = paotai("variant", "perft", "banqi", "--suite", f"{DATA}/banqi_taiwan.tsv")
check("variants_perft_rules_act", crossed.returncode == 1 and int(crossed.stdout.split()[-2]) > 20, crossed.stdout[-200:])
# perft of a position with pieces in hand, of turns on two boards, and of the start of banqi.
one = START.replace(" w", "[PCr] w")
want_same(values(paotai("variant", "perft", "supply", "--fen", one, "--depth", "1").stdout)["nodes"].split()[0], "77", "drops")
want_same(values(paotai("variant", "perft", "supply", "--depth", "2").stdout)["nodes"].split()[0], str(44 * 44), "two boards")
want_same(values(paotai("variant", "perft", "banqi", "--depth", "1").stdout)["nodes"].split()[0], "448", "banqi")
report("variants_perft_positions")


def perft_ffish():
    if not FULL:
        return skip("variants_perft_ffish", "needs node and npm, runs in make test-full")
    module = importlib.import_module("judge_ffish")
    try:
        folder = module.ffish_directory()
    except module.Skip as why:
        return skip("variants_perft_ffish", why)
    script = os.path.join(os.path.dirname(DATA), "variants_ffish.js")
    rows = subprocess.run(["node", script, folder, "20261125", "50"], capture_output=True, text=True, timeout=1800, check=False)
    write("ffish.tsv", rows.stdout)
    done = paotai("variant", "perft", "supply", "--suite", scratch("ffish.tsv"))
    return check("variants_perft_ffish", done.stdout == "200 passed, 0 failed\n", done.stdout[-500:] + rows.stderr[-300:])


sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
perft_ffish()

# ---- bad input -----------------------------------------------------------------------------------
BAD = (
    ("supply", BANQI_START, "a position of supply chess, BOARD"),
    ("supply", one.replace("PCr", "K"), "too many 'K': 1 in hands and 1 on boards, but at most 0 in hands is allowed"),
    ("supply", one.replace("PCr", "RRR"), "too many 'R': 3 in hands and 2 on boards, but at most 4 in all are allowed"),
    ("supply", one.replace("PCr", "x"), "hand: 'x' (character 2) is no piece"),
    ("supply", one.replace("[PCr]", "[PCr"), "not in brackets"),
    ("supply", one.replace("/9/9/", "/9/8/"), "the board has 10 rows of 9"),
    ("supply", one.replace("9/9/P", "9/1A7/P"), "advisor cannot stand on b4"),
    ("supply", one.replace("RNBAK", "RNBA1"), "Red has 0 generals"),
    ("supply", "4k4/9/9/9/9/9/9/9/9/4K4[] w - - 0 1", "board 1: illegal position: Red is to move and could capture the general of Black"),
    ("supply", "4k4/9/9/9/9/9/9/9/9/4K4[] | 4k4/9/9/9/9/9/9/9/9/3K5[] 1r", "board 1: "),
    ("supply", "4k4/9/9/9/9/9/9/9/9/3K5[] | 4k4/9/9/9/9/9/9/9/9/3K5[] 3r", "the field for the side to move is '3r', but it must be 1r"),
    ("banqi", START, "does not have the form of a position of banqi, BOARD"),
    ("banqi", "KK6/8/8/8[] r 0 1", "too many 'K': 2 on the board and in the bag, at most 1"),
    ("banqi", "K7/8/8/8[k] r 0 1", "the bag has 1 pieces, but 0 pieces are face down"),
    ("banqi", "K7/8/8/9[] r 0 1", "the board has 4 rows of 8"),
    ("banqi", "K7/8/8[] r 0 1", "ends in row 3 of 4"),
    ("banqi", "K7/8/8/8[] - 0 1", "side: '-' must be r or b"),
    ("banqi", "K7/8/8/8[] w 0 1", "side: 'w' must be r or b"),
    ("banqi", "K7/8/8/8[] r x 1", "plies: 'x'"),
    ("banqi", "K7/8/8/8[] r 0 0", "turn: 0 "),
)
for game, fen, words in BAD:
    done = paotai("variant", "perft", game, "--fen", fen)
    want(done.returncode == 2 and words in done.stderr and "--fen: " in done.stderr, f"{game} '{fen}': {done.returncode} {done.stderr.strip()!r}, without {words!r}")
BAD_ROWS = (f"{START}\t1\t44\nK7/8/8/8[] r 0 1\t1\tx\nK7/8/8/8[] r 0 1\t1\t2\nK7/8/8/8[] r 0 1\t1\t3\n")
write("bad.tsv", BAD_ROWS)
done = paotai("variant", "perft", "banqi", "--suite", scratch("bad.tsv"))
want(done.returncode == 1 and "error\tline 1: " in done.stdout and "error\tline 2: nodes: 'x'" in done.stdout and "error\tline 4: nodes 2, expected 3: K7/" in done.stdout
     and done.stdout.endswith("1 passed, 3 failed\n"), done.stdout)
for words, pattern in ((("perft", "chess"), "'chess' is no game; the games are: supply, banqi"), (("perft", "supply", "--rules", "taiwan"), "--rules: this game has only one"),
                       (("perft", "banqi", "--rules", "macau"), "'macau' is not one of hongkong"), (("show", "supply", "banqi"), "too many arguments")):
    done = paotai("variant", *words)
    want(done.returncode == 2 and pattern in done.stderr, f"{words}: {done.returncode} {done.stderr!r}")
report("variants_refusals")

# ---- self-play -----------------------------------------------------------------------------------
def selfplay(game, out, *more):
    return paotai("variant", "selfplay", game, "--games", "12", "--nodes", "40", "--seed", "5", "--out", scratch(out), "--quiet", *more)


def content(out):
    """Returns the bytes of both files of a run."""
    return tuple(open(scratch(f"{out}/{name}"), "rb").read() for name in ("games.txt", "rows.h5"))


for game in ("banqi", "supply"):
    first = selfplay(game, f"{game}-1")
    want(first.returncode == 0 and values(first.stdout).get("games") == "12", f"{game}: {first.stdout}{first.stderr}")
    text = content(f"{game}-1")[0]
    want(selfplay(game, f"{game}-4", "--seed", "6").returncode == 0 and content(f"{game}-4")[0] != text, f"{game}: --seed does not act")
# Only one process at a time may store games in a directory.
long = ["variant", "selfplay", "banqi", "--games", "1000000", "--nodes", "60", "--quiet", "--out", scratch("busy")]
with subprocess.Popen([PAOTAI, *long], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
    while not os.path.exists(scratch("busy/games.txt")):
        want(child.poll() is None, "the first process ended")
    second = paotai(*long, "--resume")
    child.kill()
want(second.returncode == 1 and f"in use by another process (PID {child.pid})" in second.stderr, f"two processes: {second.returncode} {second.stderr!r}")
report("variants_selfplay")

# A record holds the turns, the uncovered pieces and the result of a game. A smaller --max-plies
# ends games earlier.
line = open(scratch("banqi-1/games.txt")).read().splitlines()[-1].split("\t")
want(line[0] == "11" and line[1] == BANQI_START and re.fullmatch(r"([a-h][1-4]([a-h][1-4]|=[KRNCBAPkrncbap])/-?\d+ ?)+", line[2]) and line[3] in ("1-0", "0-1", "1/2-1/2"), line)
write("banqi-4/games.txt", re.sub(r"(\n1\t.*?)=[A-Za-z]", r"\1", open(scratch("banqi-4/games.txt")).read()))
edited = selfplay("banqi", "banqi-4", "--seed", "6", "--resume")
want(edited.returncode == 1 and re.search(r"games.txt:\d+: '[a-h][1-4]' lacks the uncovered piece", edited.stderr), edited.stderr)
ended = selfplay("banqi", "short", "--max-plies", "30")
want("max_plies" in open(scratch("short/games.txt")).read() and 20 < float(values(ended.stdout)["plies_mean"]) <= 30, ended.stdout)
long = selfplay("banqi", "quiet", "--no-capture", "2", "--weights", "random")
want("no_capture" in open(scratch("quiet/games.txt")).read() and "/" not in open(scratch("quiet/games.txt")).readlines()[-1].split("\t")[2], long.stdout)
report("variants_records")

# ---- rows, fit, match ----------------------------------------------------------------------------
run = ("variant", "selfplay", "banqi", "--weights", "classic", "--games", "60", "--nodes", "60", "--threads", "2", "--quiet", "--out", scratch("fit"))
want_same(paotai(*run).returncode, 0, "games for a fit")
fitted = scratch("banqi.tsv")
tuned = paotai("tune", "--rows", scratch("fit/rows.h5"), "--lambda", "1", "--prior-sd", "300", "--quiet", "--out", fitted)
want(tuned.returncode == 0 and re.search(r"^general +[\d.]+ \+- ", tuned.stdout, re.M), tuned.stdout[-300:] + tuned.stderr)
shown = paotai("variant", "show", "banqi", "--weights", fitted)
value = re.search(r"^general\t(\S+)\t(\S+)$", open(fitted).read(), re.M)
want(value and f"{float(value[1]):.1f} +- " in re.search(r"^general +100.0.*", shown.stdout, re.M)[0], shown.stdout[-500:] + shown.stderr)
report("variants_fit")

for game in ("banqi", "supply"):
    match = ("variant", "match", game, "--a", "weights=classic,nodes=100", "--b", "weights=random", "--pairs", "8", "--quiet")
    done = paotai(*match)
    said = values(done.stdout)
    want(done.returncode == 0 and int(said["wins"]) > int(said["losses"]) and said["games"] == "16", f"{game}: {done.stdout}{done.stderr}")
mirror = values(paotai("variant", "match", "banqi", "--a", f"weights={fitted},depth=1", "--b", f"weights={fitted},depth=1,name=other", "--pairs", "10", "--quiet").stdout)
want(mirror["pentanomial"] == "0,0,10,0,0" and mirror["start_correlation"] == "1.0000", f"equal players: {mirror}")
tested = values(paotai("variant", "match", "banqi", "--a", "depth=1", "--b", "weights=random", "--sprt", "0,50", "--quiet", "--threads", "2").stdout)
want(tested["decision"] == "accept_h1" and tested["verdict"].startswith("A (default) is stronger than B (random): "), f"{tested}")
for words, pattern in ((("--a", "cmd=x"), "--a: only weights=, nodes="), (("--a", "option.x=1"), "--a: only weights=, nodes="), (("--a", "weights=/no"), "--a: "), (("--no-capture", "9"), "--no-capture: "), (("--nodes", "0"), "--nodes 0: a search must have a limit"), (("--alpha", "0.1"), "--alpha: has an effect only with --sprt"),
                       (("--a", "weights=" + write("bad.tsv", "term\tvalue\nponies\t3\n")), "bad.tsv:2: unknown term 'ponies': supply has no such term"),
                       (("--a", "weights=" + write("bad2.tsv", "horse\tx\n")), "bad2.tsv:1: horse: 'x'")):
    done = paotai("variant", "match", "supply", "--pairs", "1", *words)
    want(done.returncode in (1, 2) and pattern in done.stderr and not done.stdout, f"{words}: {done.returncode} {done.stderr!r}")
    want("has no weights for" not in done.stderr, f"{words}: a note about weights that were not read: {done.stderr!r}")
lacking = paotai("variant", "match", "supply", "--a", "weights=" + write("horse.tsv", "term\tvalue\tse\nhorse\t400\t2\n"), "--b", "weights=random", "--pairs", "1", "--nodes", "20")
want(lacking.returncode == 0 and "horse.tsv has no weights for the terms advisor, elephant, chariot" in lacking.stderr, lacking.stderr)
report("variants_match")

# Weights of these games are read with the reader of other weights: it refuses the same files. A byte
# order mark and line ends of Windows have no effect.
with open(fitted) as file:
    table = file.read()
broken = {
    write("twice.tsv", table + "general\t1\n"): "the term general is given twice",
    write("nothing.tsv", ""): "the file has no term that banqi knows",
    write("comments.tsv", "# general\t1\n"): "the file has no term that banqi knows",
    write("cut.tsv", table[:re.search(r"^soldier\t[\d.]+", table, re.M).end() - 2]): "the last line has no line end",
    write("nul.tsv", table + "\0\n"): "NUL bytes",
    write("phases.tsv", "term\tmiddlegame\tse\tendgame\tse\ngeneral\t1\t2\t3\t4\n"): "more than three fields",
    write("unknown.tsv", table + "ponies\t1\n"): "unknown term 'ponies'",
    "core/eval/network_default.net": "this is a network",
}
for source, says in broken.items():
    for words in (("show", "banqi", "--weights", source), ("match", "banqi", "--a", f"weights={source}", "--pairs", "1"),
                  ("selfplay", "banqi", "--games", "1", "--out", scratch("none"), "--weights", source), ("play", "banqi", "--weights", source)):
        done = paotai("variant", *words)
        want(done.returncode == 1 and source in done.stderr and says in done.stderr, f"{words}: {done.returncode} {done.stderr!r}")
        want(not os.path.exists(scratch("none")), f"{words} makes a directory")
windows = write("windows.tsv", "\ufeff" + table.replace("\n", "\r\n"))
dropped = paotai("variant", "show", "banqi", "--drop-unknown", "--weights", scratch("unknown.tsv"))
want_same(paotai("variant", "show", "banqi", "--weights", windows).stdout, shown.stdout.replace(fitted, windows), "a byte order mark")
want(dropped.stdout == shown.stdout.replace(fitted, scratch("unknown.tsv")) and "left out: ponies" in dropped.stderr, f"--drop-unknown: {dropped.stderr}")
report("variants_weight_files")

# ---- default weights by rule set -----------------------------------------------------------------
def shown_values(*words):
    """Returns the text of a file of weights with the values that `variant show banqi` prints."""
    rows = re.findall(r"^(\w+) +[\d.]+ +(-?[\d.]+) \+-", paotai("variant", "show", "banqi", *words).stdout, re.M)
    return "term\tvalue\n" + "".join(f"{term}\t{float(value):g}\n" for term, value in rows)


RULES = ("hongkong", "taiwan")
tables = [shown_values("--rules", rules) for rules in RULES]
FILES = [write(f"{rules}.tsv", table) for rules, table in zip(RULES, tables)]
want(tables[0] == shown_values() != tables[1] and tables[0].count("\n") == tables[1].count("\n") == 20, f"show: {tables}")
MIDDLE = "K2?1p2/1r3?2/2P1R3/c3?2k[RnP] r 0 30"
for i, rules in enumerate(RULES):
    # For each rule set, a player with the default weights plays like one with the weight file of
    # this rule set. With the file of the other rule set, the moves differ.
    for command, options, stdin in (("play", ("--fen", MIDDLE, "--nodes", "50"), "hint\nquit\n"),
                                    ("match", ("--b", "weights=random,name=r", "--nodes", "40", "--pairs", "4", "--quiet"), None)):
        said = []
        for weights in ("default", FILES[i], FILES[1 - i]):
            player = ("--a", f"weights={weights},name=a") if command == "match" else ("--weights", weights)
            said.append(paotai("variant", command, "banqi", "--rules", rules, *player, *options, stdin=stdin).stdout)
        want(said[0] == said[1] != said[2], f"{command} --rules {rules}: {said}")
    selfplay("banqi", f"default-{rules}", "--rules", rules)
    values_used = " ".join("=".join(line.split("\t")) for line in tables[i].splitlines()[1:])
    want(f"# weights {values_used}\n" in open(scratch(f"default-{rules}/games.txt")).read(), f"selfplay --rules {rules}: not {values_used}")
report("variants_default_by_rules")

# ---- in the terminal -----------------------------------------------------------------------------
def play(game, *options):
    """Plays a game to its end with the moves that `hint` suggests. Returns the output."""
    with subprocess.Popen([PAOTAI, "variant", "play", game, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8") as child:
        said, turns = [], 0
        for row in child.stdout:
            said.append(row)
            if row.endswith(" to move\n") and turns < 700:
                child.stdin.write("hint\n")
            elif row.startswith("hint ") and turns == 0:
                child.stdin.write("z9\nmoves\n")
                turns = 1
            elif "none of the" in row:
                continue
            elif row.startswith("hint ") or (turns == 1 and " " in row and re.fullmatch(r"([\w@]+ )*[\w@]+\n", row)):
                child.stdin.write(row.replace("hint ", "").split(",")[0].split()[0] + "\n")
                turns += 1
            child.stdin.flush()
        return "".join(said), child.wait()


for game, seat in (("banqi", "2"), ("supply", "2b")):
    said, status = play(game, "--seat", seat, "--nodes", "30", "--pieces", "letters", "--max-plies", "300")
    want(status == 0 and f"You have seat {seat}. The order of turns is " in said and "none of the" in said and "z9" in said and re.search(r"^game over: (you win|you lose|a draw) \(\w+\)$", said, re.M), f"{game}: {status} {said[-400:]}")
done = paotai("variant", "play", "supply", "--seat", "3r")
want(done.returncode == 2 and "--seat: '3r' is no seat of supply" in done.stderr, done.stderr)
one = "4k4/9/9/9/9/9/9/9/9/3K5[] w"
done = paotai("variant", "play", "supply", "--fen", one, "--nodes", "20", stdin="quit\n")
want("order of turns is 1r 1b." in done.stdout, f"seats of one board: {done.stdout} {done.stderr}")
done = paotai("variant", "play", "supply", "--fen", one, "--seat", "2r", stdin="quit\n")
want(done.returncode == 2 and "its seats are 1r 1b" in done.stderr, f"a seat without a player: {done.stdout} {done.stderr}")
done = paotai("variant", "play", "banqi", stdin="quit\n")
want(done.returncode == 0 and "not finished" in done.stdout, done.stdout)
ENDING = "4k4/9/9/9/9/9/9/9/9/3K5"
done = paotai("variant", "play", "supply", "--fen", f"{ENDING}[NR] | {ENDING}[n] 1r", "--nodes", "20", stdin="rules\n\nH@e3\nquit\n")
want("Team one is Red" in done.stdout and "1r plays N@e3" in done.stdout and done.stdout.count("Type a turn") == 2, done.stdout)
# The engine's first turn ends the game, so the human player has no turn.
MATE = "4k4/R8/9/9/9/9/9/9/1R7/3K5[] | 4k4/9/9/9/9/9/9/9/9/3K5[] 1r"
for seat, result in (("1b", "you lose"), ("2b", "you win")):
    done = paotai("variant", "play", "supply", "--fen", MATE, "--seat", seat, "--depth", "2", stdin="quit\n")
    want(f"game over: {result} (checkmate)" in done.stdout, f"{seat}: {done.stdout[-300:]}{done.stderr}")
report("variants_play")

# A command whose openings would end every game, or whose range of games is too large, is refused. None
# of them plays for ever.
ENDLESS = [(["selfplay", "supply", "--games", "2", "--max-plies", "12", "--out", scratch("endless")], 2, "--max-plies 12: the 12 random plies of the opening would end each game"),
           (["selfplay", "banqi", "--games", f"{2 ** 64 - 2}:{2 ** 64 - 1}", "--out", scratch("endless")], 2, f"--games: '{2 ** 64 - 2}:{2 ** 64 - 1}': the numbers must be at most"),
           (["selfplay", "banqi", "--games", str(2 ** 62), "--out", scratch("endless")], 2, "--games: B or N must be at most 1000000000"),
           (["match", "banqi", "--max-plies", "5", "--opening-plies", "5"], 2, "--max-plies 5: the 5 random plies"),
           (["match", "banqi", "--no-capture", "3", "--opening-plies", "100", "--threads", "2"], 1, "game 0: each of 1000 sets of 100 random turns ended the game (the last one: no_capture)")]
for words, status, message in ENDLESS:
    done = paotai("variant", *words, "--nodes", "10", "--quiet", timeout=60)
    want(done.returncode == status and message in done.stderr and not os.path.exists(scratch("endless/rows.h5")), f"{words}: {done.returncode} {done.stderr}")
report("variants_endless")
finish()

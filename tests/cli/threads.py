# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that a command prints and writes the same with one thread and with several. Each command with the
option --threads has a row, or is named in EXCEPT."""
import os
import re

import records
from checks import PAOTAI, START, content, difference, finish, paotai, report, result, scratch, split, steady, want, write

MOCK = f"cmd={os.path.dirname(PAOTAI)}/paotai-test --mock uci"
SELFPLAY = "selfplay --nodes 60 --opening-nodes 200 --weights classic --seed 3 --max-plies 200"
MATCH = "match --opening-nodes 0 --seed 1 --a weights=classic,nodes=200 --b weights=classic,nodes=40"
MATED, MATE_1 = "3k5/9/9/9/9/9/9/5r3/3r5/4K4 w - - 0 1", "3k5/9/9/9/9/9/5r3/9/3r5/4K4 b - - 0 1"

# ---- what the commands read ------------------------------------------------------------------------
paotai(*SELFPLAY.split(), "--games", "120", "--shard-games", "16", "--threads", "2", "--quiet", "--out", scratch("games"))
moves = paotai("data", "export", "--format", "moves", "--quiet", scratch("games")).stdout.splitlines()
write("mixed/good.tsv", "".join(line + "\n" for line in moves[:20]))
write("mixed/bad.pgn", '[Event "1"]\n[Result "1-0"]\n\nh2e2 h9g7\n\n[Event "2"]\n[Result "1-0"]\n\n1. h2e2 h9g7 2. h0g2 {x} i9i5\n\n[Event "3"]\n\n1. h2e2 *\n')
write("mixed/set.epd", '4k4/9/9/9/9/9/9/4C4/4R4/3K5 w - - sm e1d1; c9 "0-1";\n')
write("review.tsv", "".join(line + "\n" for line in moves[:3]) + f"1-0\t{START}\th2e2 h9g8\n1-0\t{START}\t\n")
write("positions.txt", "".join(START + "\t" + " ".join("h2e2 h9g7 h0g2 i9h9 c3c4".split()[:i % 6]) + "\n" for i in range(60)) + f"bad\nbad\n{MATED}\n{MATE_1}\n")


def tree(line):
    """Returns a game in PGN whose moves of Red are replaced by up to three others, each with the same reply."""
    moves = line.split("\t")[-1].split()
    others = lambda at: [] if at % 2 or at > 16 else [["", [[move, "", []], [moves[at + 1], "", []]]] for move in ("a3a4", "e3e4", "i3i4") if move != moves[at]]
    played = ["", [[move, "", others(at)] for at, move in enumerate(moves)]]
    return records.pgn({"tags": {}, "start": START, "result": line.split("\t")[0], "line": played})


write("trees.pgn", "".join(tree(line) for line in moves if line.count("\t") == 1 and len(line.split()) > 21))
paotai("data", "import", "--variations", "--sample", "all", "--sample-after", "0", "--shard-games", "7", "--quiet", "--out", scratch("trees"), scratch("trees.pgn"))
paotai("data", "export", "--rows", scratch("rows.h5"), "--quiet", scratch("trees"))

# ---- rows ------------------------------------------------------------------------------------------
# Name, command, options that only the calls with several threads have, and a pattern of the output. IN and
# OUT stand for the directory of the input and for the path of the output.
ROWS = (
    ("selfplay", f"{SELFPLAY} --games 60 --shard-games 16 --out OUT", "--shard-games 7", "^games 60$"),
    ("selfplay_noise", f"{SELFPLAY} --games 30 --noise-plies 20 --resign-score 600 --out OUT", "", "^adjudicated [1-9]"),
    ("rescore", "rescore IN/games --games 0:40 --nodes 150 --weights default --out OUT", "--shard-games 9", "^searched [1-9]"),
    ("book", "book make --count 40 --plies 4 --nodes 200 --window 200 --weights classic --out OUT.epd", "", "^openings 40"),
    ("match_sprt", f"{MATCH} --pairs 300 --sprt 0,150", "", "^decision accept_h1$"),
    ("match_logistic", f"{MATCH} --pairs 300 --sprt=-150,0 --model logistic", "", "^decision accept_h1$"),
    ("match_pair", f"{MATCH} --pairs 1", "", "^games 2$"),
    ("match_pairs", f"{MATCH} --pairs 3 --out OUT", "", "^games 6$"),
    ("tournament", f"tournament '{MOCK} do=crash at=3,proto=uci,nodes=1,name=wreck' weights=classic,nodes=1,name=one weights=classic,nodes=2,name=two --rounds 6 "
     "--shard-games 4 --opening-nodes 0 --max-plies 24 --seed 5 --out OUT", "", "^games 34$"),
    ("spsa", "spsa --param razor_margin --param null_reduction,3,1,6,1 --iterations 10 --pairs 2 --probe-pairs 4 --check-pairs 3 --nodes 60 "
     "--opening-nodes 100 --seed 3 --out OUT", "", "^check_games 6$"),
    ("tune", "tune IN/games --out OUT.txt --errors OUT.tsv", "", "^converged yes$"),
    ("tune_trees", "tune IN/trees --fit material_* --lambda 1 --valid-fraction 0.3 --errors OUT.tsv", "", "^converged yes$"),
    ("tune_rows", "tune --rows IN/rows.h5 --lambda 1 --json --out OUT.tsv", "", '"converged"'),
    ("measure", "tune --measure IN/games --weights classic", "", "^positions [1-9]"),
    ("train", "train IN/games --units 32 --epochs 3 --batch 1000 --match-pairs 0 --out OUT.net", "", "^hash [0-9a-f]{64}"),
    ("loop", "loop --generations 1 --direct-pairs 3 --games 40 --nodes 30 --pairs 4 --weights classic --seed 4 --selfplay-options '--opening-nodes 50' "
     "--match-options '--opening-nodes 50' --tune-options '--fit material_*' --out OUT", "", "^generation 1: "),
    ("term", "term hanging --rev none --nodes 20 --games 100 --match-pairs 4 --out OUT", "", "^verdict "),
    ("ablate", "ablate IN/games --valid-fraction 0.4 --terms material_cannon,material_horse --match-pairs 4 --nodes 40 --out OUT", "", "^verdict "),
    ("report", "report default --data IN/games --out OUT.html", "", "^report "),
    ("import", "data import IN/mixed --out OUT", "--shard-games 2", "^error\tline 11: "),
    ("import_variations", "data import IN/trees.pgn --variations --sample all --sample-after 0 --out OUT", "--shard-games 1", "^variations [1-9]"),
    ("info", "data info IN/games", "", "^content_hash "),
    ("verify", "data verify IN/games", "", "^verdict true$"),
    ("analyse", "analyse IN/positions.txt --nodes 400", "", "^error\tline 61: "),
    ("review", "analyse --review IN/review.tsv --nodes 500", "", "^error\tline 5: "),
    ("perft", "perft 4", "", "nodes 3290240"),
    ("plan", "sprt --plan --runs 60 --elo1 20", "", "^games_p50 "),
    ("banqi", "variant selfplay banqi --games 12 --nodes 40 --seed 5 --out OUT", "", "^games 12$"),
    ("supply", "variant selfplay supply --games 12 --nodes 40 --seed 5 --out OUT", "", "^games 12$"),
    ("banqi_match", "variant match banqi --a weights=classic,nodes=100 --b weights=random --pairs 8", "", "^games 16$"),
    ("supply_match", "variant match supply --a weights=classic,nodes=100 --b weights=random --pairs 8", "", "^games 16$"))
# bench searches each position with several threads, so its node count depends on them (--help says so).
# `weights check` needs a network of Fairy-Stockfish: fairy.sh tests it.
EXCEPT = {"bench", "weights check"}


def call(name, command, threads, more):
    """Runs a command. Returns its exit status, output, and files."""
    out = scratch(f"{name}-{threads}")
    words = [word.replace("IN/", scratch("")).replace("OUT", out) for word in split(command)]
    done = paotai(*words, *more.split(), "--threads", str(threads), *(() if words[0] == "perft" else ("--quiet",)))
    written = {end: content(out + end, scratch("")) for end in ("", ".epd", ".txt", ".tsv", ".net", ".html") if os.path.exists(out + end)}
    return done, (done.returncode, steady(done.stdout, out), written)


for name, command, more, pattern in ROWS:
    first, alone = call(name, command, 1, "")
    want(re.search(pattern, first.stdout, re.M), f"no line '{pattern}': {first.stdout[-500:]}{first.stderr[-500:]}")
    want(not re.search(r"(?<![a-z])(nan|inf)(?![a-z])", first.stdout), f"not a number: {first.stdout}")
    want(all(alone[2].values()), f"a file is empty: {alone[2]}")
    want(bool(alone[2]) == ("OUT" in command), f"files {list(alone[2])}")
    for threads in (2, 3) if "sprt" in name or name in ("train", "analyse") else (2,):
        for one, other in zip(alone, call(name, command, threads, more)[1]):
            want(one == other, one == other or f"{threads} threads: {difference(one, other)}")
    report("threads_" + name)
commands = {line.split(":")[0] for line in paotai("help", "--completion").stdout.splitlines() if "--threads" in line.split()}
tested = {command for command in commands for _, row, *_ in ROWS if row.startswith(command + " ")}
result("threads_commands", [f"'{command}' has --threads, but no row" for command in sorted(commands - tested - EXCEPT)])
finish()

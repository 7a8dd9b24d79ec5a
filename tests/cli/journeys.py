# SPDX-License-Identifier: GPL-3.0-or-later
# Tests journeys: long sequences of commands that a user runs, here in a copy of the source tree.
# The copy starts with the objects of the tested release build, so that make compiles only changed
# files. The effect of the last step of each journey is checked: scores of a search over UCI,
# hashes, results of games, messages. "Adopt" means `make adopt`, which builds the program with new
# default weights or a new network.
#   1 Add terms to the evaluation (the term of README.md, a table, a mobility term), play games, fit,
#     adopt, play. Also checks what tune, ablate and term say about new terms such as noise, a copy, a
#     near copy, a term that never occurs, and a useful term.
#   2 Train a network, adopt it, play; adopt other linear weights with KEEP_NETWORK=1.
#   3 Run the loop, adopt its champion, play; adopt the network of journey 2, which was trained with
#     other linear weights, play.
#   4 Rescore games, fit to the new scores.
#   5 Change the search, commit, compare the commits with match --rev.
#   6 Build as OpenBench's worker does, with and without a file of weights; its calls bench and genfens.
#   7 Start a program whose compiled weights are damaged; remove a term of the compiled weights.
import os
import re
import shutil
import subprocess

from checks import PAOTAI, SCRATCH, check, finish, report, skip, want, want_same

if not os.path.basename(os.path.dirname(PAOTAI)).startswith("release"):
    skip("journeys", "only in the release build: it builds a copy of the program")
    finish()
TREE = os.path.join(SCRATCH, "tree")
PROGRAM = "build/release/paotai"
ALONE = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
ALONE["GIT_CEILING_DIRECTORIES"] = os.path.abspath(SCRATCH)
MAKE = ("make", "-j2", "CFLAGS=-O1 -g0 -w", "LDFLAGS=-s")


def run(*command, stdin=""):
    """Runs a command in the tree. Returns its exit status and its output."""
    done = subprocess.run(command, cwd=TREE, env=ALONE, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
    return done.returncode, done.stdout


def good(*command, stdin=""):
    """Runs a command in the tree and returns its output. The command must succeed."""
    status, said = run(*command, stdin=stdin)
    want(status == 0, f"{' '.join(command)}: exit {status}: {said[-600:]}")
    return said


def paotai(*words, stdin=""):
    return good(PROGRAM, *words, stdin=stdin)


def adopt(path, *more):
    return good(*MAKE, "adopt", f"WEIGHTS={path}", *more)


def plays(program=PROGRAM, *options):
    """Returns the search results and static evaluations of fixed positions over UCI, without times."""
    lines = ["uci", *(f"setoption name {option}" for option in options)]
    for fen in ("startpos", "fen r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", "fen 4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w - - 0 1"):
        lines += ["ucinewgame", f"position {fen}", "go depth 6", "eval"]
    said = good(program, stdin="\n".join(lines) + "\n")
    return re.sub(r" (time|nps) \d+", "", "\n".join(line for line in said.splitlines() if re.match("info depth|bestmove|Final", line)))


def evaluation(program=PROGRAM):
    """Returns the words that name the evaluation. --version and UCI's first info string must agree."""
    version = re.search("^evaluation (.*)$", good(program, "--version"), re.M)[1]
    said = re.search("^info string (.*)$", good(program, stdin="position startpos\ngo depth 1\n"), re.M)[1]
    want_same(said, "evaluation " + version, "the first info string")
    return version.split()


def hash_of(name, program=PROGRAM):
    return good(program, "weights", "hash", name).split()[-1]


def even(a, b):
    """Returns True if every pair of a match of two programs is even."""
    said = paotai("match", "--a", a + ",nodes=100", "--b", b + ",nodes=100", "--pairs", "6", "--seed", "3", "--quiet")
    counts = re.search(r"^pentanomial (\S+)$", said, re.M)[1].split(",")
    want("faults 0" in said or "_faults" not in said or re.search("^a_faults 0$", said, re.M), said[-300:])
    return counts == ["0", "0", "6", "0", "0"]


def edit(path, before, after):
    path = os.path.join(TREE, path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    want(text.count(before) == 1, f"{path}: {before!r} stands {text.count(before)} times")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(before, after))


for name in subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, encoding="utf-8", check=False).stdout.split("\n"):
    if re.match(".gitignore|core|datasets|selfplay|tuner|bench/(?!experiments)|Makefile|paotai.c|README.md|tests/deps.sh", name) and os.path.exists(name):
        os.makedirs(os.path.join(TREE, os.path.dirname(name)), exist_ok=True)
        shutil.copy2(name, os.path.join(TREE, name))
OLD = os.path.abspath(PAOTAI)
os.makedirs(os.path.join(TREE, "build"))
shutil.copy(OLD, os.path.join(TREE, "build/old"))
# The file build/release/flags contains the path of the source tree and the flags. Write it again for
# the copied tree, with an old date, so that `make` compiles only changed files.
KEEP_OBJECTS = f"{MAKE[0]} '{MAKE[2]}' '{MAKE[3]}' build/release/flags && touch -d @1 build/release/flags"
# Objects of clang do not link with those of gcc, because they need another OpenMP library.
if os.path.basename(os.path.dirname(OLD)) == "release":
    shutil.copytree(os.path.dirname(OLD), os.path.join(TREE, "build/release"), ignore=shutil.ignore_patterns("tests", "paotai-test", "replay"))
    good("sh", "-c", KEEP_OBJECTS)


def commit(message):
    good("git", "add", ".gitignore", "core", "datasets", "selfplay", "tuner", "bench", "tests", "Makefile", "paotai.c", "README.md")
    good("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", message)
    return good("git", "rev-parse", "--short=10", "HEAD").strip()


good("git", "init", "-q")
WITHOUT = commit("without the new terms")

# ---- 1 term, games, fit, adopt, play --------------------------------------------------------------------------------

with open("README.md", encoding="utf-8") as file:
    diff = re.search(r"^    diff --git a/core/eval/weights.def.*(?:\n    .*)+", file.read(), re.M)[0]
with open(os.path.join(TREE, "build/linked.diff"), "w", encoding="utf-8") as file:
    file.write(re.sub("^    ", "", diff, flags=re.M) + "\n")
good("git", "apply", "build/linked.diff")
want(run("git", "apply", "build/linked.diff")[0] != 0, "the diff of README.md applies twice")
edit("core/eval/weights.def", "WEIGHT(turn, 1,", '''WEIGHT(table_horse_second, 50, HORSE, FREE, BOARD, 0, "a horse on each point of half the board beside another one")
WEIGHT(mobility_horse_empty, 9, HORSE, ENTRY, NONE, 0, "a horse with 0..8 empty points to go to")
WEIGHT(turn, 1,''')
edit("core/eval/eval.c", "    attacks->by[side][HORSE] |= points;", '''    attacks->by[side][HORSE] |= points;
    if (bb_count(position_pieces(position, side, HORSE)) == 2)
        add_table(adder, side, WEIGHT_INDEX(table_horse_second), SHAPE_BOARD, square);
    add(adder, side, WEIGHT_INDEX(mobility_horse_empty) + bb_count(points & ~position_occupied(position)));''')
# The new terms are noise, an exact copy, a near copy, and a term that never occurs in sampled
# positions.
edit("core/eval/weights.def", "WEIGHT(turn, 1,", '''WEIGHT(new_noise, 1, THREATS, FREE, NONE, 0, "a bit of a hash of the points of the side")
WEIGHT(new_copy, 1, CANNON, FREE, NONE, 0, "a cannon that is protected")
WEIGHT(new_near, 1, CANNON, FREE, NONE, 0, "three for a cannon that is protected, and one more by chance")
WEIGHT(new_never, 1, THREATS, FREE, NONE, 0, "the general in check by a chariot")
WEIGHT(turn, 1,''')
edit("core/eval/eval.c", "    for (int type = GENERAL; type <= SOLDIER; type++) attacks->all[side]", '''    const uint64_t mixed = ((uint64_t)position->by_side[side] ^ (uint64_t)(position->by_side[side] >> 64)) *
                           UINT64_C(0x9E3779B97F4A7C15);
    add_times(adder, side, WEIGHT_INDEX(new_noise), (int)(mixed >> 63));
    add_times(adder, side, WEIGHT_INDEX(new_never),
              (attack_chariot(position, position->general[side]) &
               position_pieces(position, side_other(side), CHARIOT)) != 0);
    for (int type = GENERAL; type <= SOLDIER; type++) attacks->all[side]''')
edit("core/eval/eval_threats.h", "    Bitboard pressed = kept", '''    const int cannons = bb_count(kept & position->by_type[CANNON]);
    add_times(adder, side, WEIGHT_INDEX(new_copy), cannons);
    add_times(adder, side, WEIGHT_INDEX(new_near),
              3 * cannons + (((uint64_t)kept * UINT64_C(0x9E3779B97F4A7C15)) >> 61 == 0));
    Bitboard pressed = kept''')
NEW_TERMS = ("horses_linked", "table_horse_second", "mobility_horse_empty")
status, said = run(*MAKE, "build/paotai")
check("journeys_build", status == 0, said[-600:])
if status:
    finish()
# Before a fit is adopted, the new terms have the weight 0, so searches and evaluations are
# unchanged.
before = plays("build/old")
want_same(plays(), before, "new terms of 0 change a search, or eval")
want_same(plays(PROGRAM, "Weights value default"), plays("build/old", "Weights value default"), "new terms of 0 change the linear evaluation")
want_same(evaluation(), evaluation("build/old"), "new terms of 0 change name or hash of what plays")
want_same(*(re.search(r"^(\d+) nodes", good(program, "bench", "7", "--quiet"), re.M)[1] for program in (PROGRAM, "build/old")), "bench")
said = good(PROGRAM, stdin="uci\nposition startpos\ngo depth 1\nsetoption name Weights value best\ngo depth 1\n")
want_same(len(re.findall("^info string .*no weights for .*horses_linked", said, re.M)), 1, "notes of the new terms")
PLAY = ("--nodes", "100", "--threads", "2", "--quiet")
games = paotai("selfplay", "--games", "80", "--seed", "1", "--out", "build/games", *PLAY)
good("build/old", "selfplay", "--games", "80", "--seed", "1", "--out", "build/games-old", *PLAY)
want_same(*(re.search("^content_hash .*", paotai("data", "info", f"build/{name}"), re.M)[0] for name in ("games", "games-old")), "content of games by the old and the new program")
identity = [re.findall("^provenance_identity .*", paotai("data", "info", f"build/{name}"), re.M) for name in ("games", "games-old")]
want(identity[0] == identity[1] and identity[0], f"a new term of 0 changes the identity of a run: {identity}")
report("journeys_new_terms_are_0")

# The first step of `term` sets the weight of the term to 0. It checks that the program then plays
# like the latest commit that does not have the term. A fake `make` stands for the build of that
# commit: it copies the program that was built before the change.
os.makedirs(os.path.join(TREE, "build/bin"))
with open(os.path.join(TREE, "build/bin/make"), "w", encoding="utf-8") as file:
    file.write(f"#!/bin/sh\nmkdir -p build/release && cp '{TREE}/build/old' build/release/paotai\n")
os.chmod(os.path.join(TREE, "build/bin/make"), 0o755)


def step_one(*more):
    """Runs `paotai term` on so few games that it ends after its first step. Returns its output."""
    return good("env", f"PATH={TREE}/build/bin:{ALONE['PATH']}", PROGRAM, "term", "horses_linked", *more, "--weights", "classic", "--games", "20", "--nodes", "20", "--quiet", "--out", "build/first")


said = step_one()
want(re.search(rf"^same_play yes\nsame_play_commit {WITHOUT}\nsame_play_positions [1-9]", said, re.M) and "does not play like" not in said, said[:900])
report("journeys_term_plays_as_before")

paotai("tune", "build/games", "--weights", "default", "--fit", ",".join(("material_*", *NEW_TERMS)), "--threads", "2", "--quiet",
       "--out", "build/new.txt")
for term in NEW_TERMS:
    shown = paotai("weights", "show", "--term", term, "build/new.txt")
    want(re.search(r"(?<!\+-) +-?[1-9]\d*", shown.partition("\n")[2]), f"the fit of {term} is 0: {shown}")

# The default weights contain safe_check, a useful term. The start weights do not contain it.
paotai("weights", "convert", "default", "--out", "build/full.txt")
with open(os.path.join(TREE, "build/full.txt"), encoding="utf-8") as file:
    lines = file.read()
with open(os.path.join(TREE, "build/start.txt"), "w", encoding="utf-8") as file:
    file.write(re.sub(r"^(# se |# decided )?(safe_check|new_\w+) .*\n", "", lines, flags=re.M))
paotai("selfplay", "--games", "400", "--seed", "1", "--weights", "build/start.txt", "--out", "build/five", "--nodes", "60", "--quiet")
said = " ".join(paotai("tune", "build/five", "--weights", "build/start.txt", "--quiet", "--out", "build/five.txt").split())
OTHERS = r"(protected|new_copy|new_near) "
for name, verdict in (("new_never", r"never: occurs in 0 of [1-9]\d* positions and in 0 of 400 games: nothing was measured"),
                      ("new_copy", r"copy: other terms explain it completely \(R2 1\.0000: "), ("new_near", r"near copy: other terms explain 9\d\.\d % of its variance \(R2 0\.9\d*: " + OTHERS),
                      ("new_noise", "may be 0")):
    want(re.search(f"new_term {name} {verdict}", said), f"tune about {name}: {said}")
for name, verdict in (("new_copy", "copy"), ("new_noise", None)):  # ablate.py tests ablate with a term that never occurs
    said = paotai("ablate", "build/five", "--weights", "build/start.txt", "--terms", name, "--quiet", "--match-pairs", "4", "--nodes", "20", "--out", f"build/ablate-{name}")
    want(verdict is None or (re.search(f"^verdict {verdict}$", said, re.M) and "match_games" not in said), f"ablate about {name}: {said[-600:]}")
    want(name != "new_noise" or "no difference seen in the loss" in said, f"ablate about noise: {said[-600:]}")
for name, verdicts in (("new_never", "never"), ("new_copy", "copy"), ("new_near", "drop|undecided"), ("new_noise", "drop|undecided"), ("safe_check", "keep")):
    pairs = "600" if name == "safe_check" else "20"
    said = paotai("term", name, "--weights", "build/start.txt", "--rev", "none", "--nodes", "50", "--match-pairs", pairs, "--quiet", "--out", "build/term", "build/five")
    want(re.search(f"^verdict ({verdicts})$", said, re.M), f"term {name}: {said[-900:]}")
    want(name != "new_near" or re.search(r"^new_near: .*near copy: .*" + OTHERS, said, re.M), f"term about a near copy: {said[-600:]}")
    want(name != "safe_check" or re.search("^confirm .*--nodes 1000 .*^adopt make adopt WEIGHTS=.*^retrain ", said, re.M | re.S), f"term does not say how a fit is confirmed and adopted: {said[-900:]}")
# A term that only terms of weight 0 explain is no copy: nobody plays with them. It is a remark.
with open(os.path.join(TREE, "build/unused.txt"), "w", encoding="utf-8") as file:
    file.write(re.sub(r"^(# se |# decided )?protected .*\n", "", open(os.path.join(TREE, "build/start.txt"), encoding="utf-8").read(), flags=re.M))
said = paotai("term", "new_copy", "--weights", "build/unused.txt", "--rev", "none", "--nodes", "50", "--match-pairs", "4", "--quiet", "--out", "build/term", "build/five")
want(re.search(r"^verdict (keep|drop|undecided)$", said, re.M) and re.search(r"^new_copy: .*; terms with weight 0 in build/unused\.txt, which do not play, explain it .*R2 1\.0000: ", said, re.M), f"term about a copy of unused terms: {said[-900:]}")
report("journeys_five_terms")

said = adopt("build/new.txt")
fitted = hash_of("build/new.txt")
want(f"the program plays with default {fitted} linear" in said and "make adopt WEIGHTS=build/new.net" in said, f"make adopt says {said[-700:]}")
want_same(evaluation(), ["default", fitted, "linear"], "what plays after the adoption")
want(plays() != before, "the adopted fit does not reach the program over UCI")
want_same(plays(), plays(PROGRAM, "Weights value build/new.txt"), "it does not play with what was adopted")
want(not even("cmd=build/paotai,name=new", "cmd=build/old,option.Weights=default,name=old"), "all pairs of the new program against the old one are even")
report("journeys_term_fit_adopt_play")

# ---- 2 train, adopt, play -------------------------------------------------------------------------------------------

linear = plays()
paotai("train", "build/games", "--units", "32", "--epochs", "1", "--match-pairs", "0", "--threads", "2", "--quiet", "--out", "build/new.net")
adopt("build/new.net")
want_same(evaluation(), ["best", hash_of("build/new.net"), "network"], "what plays after the adoption of a network")
network = plays()
want(network != linear, "the adopted network does not reach the program over UCI")
want_same(plays(PROGRAM, "EvalFile value build/new.net"), network, "it does not play with the adopted network")
# If `make adopt KEEP_NETWORK=1` changes the default linear weights, the program still plays with
# its network.
paotai("weights", "convert", "classic", "--out", "build/classic.txt")
said = adopt("build/classic.txt", "KEEP_NETWORK=1")
want_same(evaluation(), ["best", hash_of("build/new.net"), "network"], "what plays with KEEP_NETWORK=1")
want_same(plays(), network, "the kept network plays with other linear weights")
report("journeys_train_adopt_play")

# ---- 3 loop, champion, adopt, play ----------------------------------------------------------------------------------

paotai("loop", "--generations", "1", "--direct-pairs", "0", "--games", "40", "--nodes", "50", "--pairs", "10", "--elo0", "-400", "--elo1", "-100", "--weights", "classic", "--threads", "2",
       "--tune-options", "--fit material_*", "--quiet", "--out", "build/loop")
champion = hash_of("build/loop/champion.txt")
want(champion != hash_of("classic"), "the loop promoted nothing")
want_same(evaluation()[0], "best", "before the champion is adopted")
adopt("build/loop/champion.txt")
want_same(evaluation(), ["default", champion, "linear"], "what plays after the champion was adopted without KEEP_NETWORK=1")
want_same(plays(), plays(PROGRAM, "Weights value build/loop/champion.txt"), "the champion does not play")
status, said = run(*MAKE, "adopt", "WEIGHTS=build/new.net")
want(status != 0 and "was not trained together with the compiled default" in said, f"a network for other weights is adopted without a word: {said[-300:]}")
adopt("build/new.net", "KEEP_NETWORK=1")
want_same(evaluation(), ["best", hash_of("build/new.net"), "network"], "what plays after a network was adopted with its own weights")
want_same(plays(), network, "a network that was adopted with its own weights plays otherwise")
report("journeys_loop_champion_adopt_play")

# ---- 4 rescore, tune ------------------------------------------------------------------------------------------------

paotai("rescore", "build/games", "--weights", "build/new.net", "--nodes", "60", "--threads", "2", "--quiet", "--out", "build/scored")
for name in ("games", "scored"):
    paotai("tune", f"build/{name}", "--weights", "classic", "--fit", "material_*", "--threads", "2", "--quiet", "--out", f"build/{name}.txt")
want(hash_of("build/games.txt") != hash_of("build/scored.txt"), "new scores do not reach the fit")
report("journeys_rescore_tune")

# ---- 5 a change of the search, commit, match --rev ------------------------------------------------------------------
# To save time, the build of a revision starts from a copy of TREE's object files. Their dates let
# `make` compile only see.c and the file with the version.
BUILD = (f"find . -path ./.git -prune -o -type f -exec touch -d @1 {{}} + && mkdir build && cp -a '{os.path.abspath(TREE)}/build/release' build/ && {KEEP_OBJECTS} && "
         f"touch core/search/see.c && {MAKE[0]} {MAKE[1]} '{MAKE[2]}' {MAKE[3]} build/release/paotai")
REVISIONS = os.path.abspath(os.path.join(SCRATCH, "revisions"))


def compare(first, second):
    return run(PROGRAM, "match", "--rev", first, "--rev", second, "--rev-cache", REVISIONS, "--build", BUILD, "--a", "nodes=200", "--b", "nodes=200", "--pairs", "6", "--quiet")


before = commit("before")
edit("core/search/see.c", "400, 900, 450", "150, 900, 450")
after = commit("the horse is worth less in exchanges")
status, said = compare("HEAD", "HEAD~1")
counts = re.search(r"^pentanomial (\S+)$", said, re.M)
want(status == 0 and f"testing HEAD ({after}) against HEAD~1 ({before})\n" in said and "same" not in said, f"exit {status}: {said[-900:]}")
want(counts and counts[1] != "0,0,6,0,0" and "pairs_alike 6" not in said, f"the change is not measured: {said[-900:]}")
evaluations = re.findall(r"^[ab]_evaluation (\S+ [0-9a-f]{64} \S+)$", said, re.M)
want(len(evaluations) == 2 and evaluations[0] == evaluations[1], f"what evaluates: {evaluations} in {said[-900:]}")
logs = [entry for entry in os.listdir(REVISIONS) if entry.endswith(".log")]
compiled = [open(os.path.join(REVISIONS, entry), encoding="utf-8").read().count("  compile ") for entry in logs]
want(logs and 0 < max(compiled) < 10, f"a build of a revision compiles more than the changed files: {compiled}")
for name in (before, after):
    built = [entry for entry in os.listdir(REVISIONS) if entry.startswith(name) and "." not in entry]
    want(len(built) == 1 and f"revision {name}\n" in good(os.path.join(REVISIONS, built[0], PROGRAM), "--version"), f"{name} names another revision: {built}")
# The first step of `paotai term` notices that the commit given with --rev plays differently from
# the program with the new term at weight 0.
with open(os.path.join(TREE, "build/bin/make"), "w", encoding="utf-8") as file:
    file.write(f"#!/bin/sh\nmkdir -p build/release && cp '{os.path.join(REVISIONS, built[0], PROGRAM)}' build/release/paotai\n")
said = step_one("--rev", after)
want(re.search(rf"^same_play no\nsame_play_commit {after}\n", said, re.M) and f"with the term at weight 0 the program does not play like commit {after}" in said, f"a changed search: {said[:900]}")
status, said = compare("HEAD", "HEAD")
want(status != 0 and "have the same files: nothing would be measured" in said, f"one revision twice: exit {status}: {said}")
# The working tree, which `match --rev worktree` names, plays against its latest commit.
edit("core/search/see.c", "150, 900, 450", "700, 900, 450")
status, said = compare("HEAD", "worktree")
benches = re.findall(r"^[ab]_bench (\d+)$", said, re.M)
want(status == 0 and re.search(rf"^testing worktree \([0-9a-f]{{10}}\) against HEAD \({after}\)$", said, re.M) and "\nchanged_files core/search/see.c\n" in said, f"exit {status}: {said[-1500:]}")
want(len(set(benches)) == 2 and re.search(r"^verdict .*A \(worktree\(", said, re.M), f"benches and verdict: {said[-1500:]}")
edit("core/search/see.c", "700, 900, 450", "150, 900, 450")
report("journeys_search_commit_rev")

# ---- 6 the calls of OpenBench's worker ------------------------------------------------------------------------------

good(*MAKE, "EXE=openbench", f"CC={os.environ.get('CC', 'gcc')}")
before = plays("./openbench")
want_same(before, plays(), "the program that EXE= names")
want(re.search(r"^\d+ nodes \d+ nps$", good("./openbench", "bench", "6").splitlines()[-1]), "bench")
want_same(len(re.findall(r"^info string genfens \S+ [wb] - - \d+ \d+$", good("./openbench", "genfens 3 seed 5 book None", "quit"), re.M)), 3, "genfens")
good(*MAKE, "EXE=openbench", "EVALFILE=build/scored.txt")
want_same(hash_of("best", "./openbench"), hash_of("build/scored.txt", "./openbench"), "EVALFILE=")
want(plays("./openbench") == plays("./openbench", "Weights value build/scored.txt") != before, "the play with EVALFILE=")
with open(os.path.join(TREE, "cut.net"), "wb") as file:
    file.write(b"no network")
os.remove(os.path.join(TREE, "openbench"))
status, said = run(*MAKE, "EXE=openbench", "EVALFILE=cut.net")
want(status != 0 and "EVALFILE: cut.net is no evaluation" in said and not os.path.exists(os.path.join(TREE, "openbench")), said[-300:])
good(*MAKE)
report("journeys_openbench")

# ---- 7 compiled weights that do not load ----------------------------------------------------------------------------

with open(os.path.join(TREE, "core/eval/network_default.net"), "r+b") as file:
    file.seek(9000)
    file.write(b"damage")
status, said = run(*MAKE, "build/paotai")
want(status == 0, said[-300:])
for words, text in (((), "uci\nposition startpos\ngo depth 3\n"), ((), "ucci\nposition startpos\ngo depth 3\n"), (("bench", "1"), ""), (("match", "--a", "weights=best", "--b", "nodes=1", "--pairs", "1"), "")):
    status, said = run(PROGRAM, *words, stdin=text)
    want(status == 1 and "damaged" in said and "make NETWORK=" in said and "score" not in said, f"{words}: exit {status}: {said}")
want("evaluation none" in paotai("--version"), "--version names an evaluation that cannot be loaded")
# If a term is removed from weights.def, `make` reports which line of weights_default.txt to remove.
edit("core/eval/weights.def", '''WEIGHT(mobility_horse_empty, 9, HORSE, ENTRY, NONE, 0, "a horse with 0..8 empty points to go to")
''', "")
edit("core/eval/weights.def", "WEIGHT(safe_check, 6,", "WEIGHT(safe_check, 7,")
status, said = run(*MAKE, "build/paotai")
want(status != 0 and re.search(r"weights_default.txt:\d+: weights.def has no term mobility_horse_empty: remove this line: mobility_horse_empty ", said)
     and re.search(r"weights_default.txt:\d+: safe_check has 12 values here, and 7 pairs in weights.def", said), said[-600:])
report("journeys_broken_compiled")
finish()

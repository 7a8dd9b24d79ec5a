# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests paotai train on a small run. Also tests that match, selfplay, rescore, analyse and the UCI option EvalFile
accept the network as weights."""
import os
import re

from checks import check, finish, outcome, paotai, refuses, same, scratch, values, write

RUN, NET, X = scratch("run"), scratch("t1.net"), scratch("x.net")
SMALL = ("--units", "32", "--epochs", "3", "--batch", "1000", "--match-pairs", "0")
played = paotai("selfplay", "--games", "150", "--nodes", "60", "--opening-nodes", "60", "--seed", "7", "--quiet", "--out", RUN)
check("train_run", played.returncode == 0, played.stderr)


def train(*args):
    return paotai("train", RUN, *args)


first = train(*SMALL, "--threads", "2", "--out", NET, "--quiet")
said, digest = values(first.stdout), values(first.stdout).get("hash")
# With --alone the network learns the whole evaluation, because no linear evaluation is added to it. The file holds the
# weights of the best epoch. Rounding to whole numbers costs no accuracy.
ALONE = ("--alone", "--test-fraction", "0", "--match-pairs", "0", "--quiet", "--out")
alone = train("--units", "32", "--epochs", "8", "--batch", "500", *ALONE, scratch("alone.net")).stdout
epochs = [float(line.split()[3]) for line in alone.splitlines() if line.startswith("epoch ")]
loss = float(values(alone)["valid_loss"])
check("train_learns", min(epochs) < epochs[0] - 0.01 and abs(loss - min(epochs)) < 0.0005, (epochs, loss))
# --start begins with the weights of a network. Additional units do not change its evaluation at first.
start = train("--start", scratch("alone.net"), "--units", "64", "--epochs", "1", "--rate", "1e-7", "--keep", *ALONE, scratch("start.net")).stdout
check("train_start", 0.1 < loss and abs(float(values(start)["valid_loss"]) - loss) < 0.0005, start)
# With --decay 100 and --rate 0.005, a step at the full learning rate halves every weight except the biases, so the
# network of --start is lost; with --decay 0 it is kept.
kept, lost = (train("--start", scratch("alone.net"), "--epochs", "1", "--rate", "0.005", "--decay", decay, "--keep", *ALONE, scratch("decay.net")).stdout for decay in ("0", "100"))
check("train_decay", float(values(lost)["valid_loss"]) > float(values(kept)["valid_loss"]) + 0.005, "weight decay does not shrink the weights")
# The verdict of train has the absolute difference of two losses. It says "above" if the loss of the network is larger
# than that of the linear fit, and claims neither if the difference is within its error.
check("train_above", re.search(r"^left -0\.[0-9]*[1-9]", lost, re.M) and re.search(r"^the network's loss is [0-9.]+ \+- [0-9.]+ above that of the linear fit, each with its own best K", lost, re.M), lost)
within = []
for text in (start, kept, lost, first.stdout):
    change, error = (float(values(text)[key]) for key in ("own_k_left", "own_k_left_error95"))
    shown = re.search(r"^(the network's loss is |the games do not show whether the network's loss is below .*\(it is )[0-9.]+ \+- [0-9.]+ (above|below)", text, re.M)
    within.append(abs(change) <= error)
    if not shown or shown[1].startswith("the games") != within[-1] or (shown[2] == "above") != (change < 0):
        within.append(text[-400:])
check("train_order", set(within) == {False, True}, within)
# `own_k_left` compares the linear fit and the network with the best K of each: that of the network does not depend on --k.
sides = []
for k in ("0.001", None):
    sides.append(values(train("--start", scratch("alone.net"), "--epochs", "0", "--lambda", "1", "--k", k or sides[0]["network_k"], "--units", "32", "--keep", *ALONE, scratch("k.net")).stdout))
left = float(sides[0]["linear_fit_loss"]) - float(sides[1]["valid_loss"])
check("train_own_k", sides[0]["network_k"] == sides[1]["network_k"] and abs(float(sides[0]["own_k_left"]) - left) < 3e-7 and sides[0]["valid_loss"] != sides[1]["valid_loss"], sides)
# A fit whose best epoch is not better than its start writes no file, unless --keep is given. A fit that diverges stops.
# A step that would change the sign of weights is refused.
for name, rate, decay, why in (("", "1", "100", "--rate 1 times --decay 100 is 100, but must be less than 1"), ("_1", "0.01", "100", "is 1, but must be less than 1")):
    refuses("train_rate_decay" + name, 2, why, *SMALL, "--rate", rate, "--decay", decay, "--out", X, run=train)
WORSE = ("--alone", "--start", scratch("alone.net"), "--epochs", "3", "--rate", "1", "--decay", "0.5", "--match-pairs", "0", "--quiet", "--out", scratch("worse.net"))
worse = train(*WORSE)
check("train_worse", re.search("^verdict no epoch was better than the start: the least validation loss of an epoch is [0-9.]*, that of the network before", worse.stdout, re.M)
      and "\ndiverged yes\n" in worse.stdout and len(re.findall("^epoch ", worse.stdout, re.M)) < 3 and not os.path.exists(scratch("worse.net")) and not os.path.exists(scratch("worse.net.part")), worse.stdout)
same("train_worse_status", train(*WORSE, "--json").returncode, 1)
done = train(*WORSE, "--keep")
check("train_keep", os.path.getsize(scratch("worse.net")) and done.stdout.splitlines()[-1] == f"network {scratch('worse.net')}", done.stdout)
# The reported test loss comes from other games than those that choose the epoch.
counts = [int(said[key]) for key in ("games", "valid_games", "test_games")]
fit, own, left = (float(said[key].split()[0]) for key in ("test_linear_fit_loss", "test_loss", "test_left"))
check("train_test_part", counts[2] > 0 and "(games of --test-fraction)\n" in first.stdout and sum(counts) == int(values(played.stdout)["games"]) and fit > 0
      and (fit - own - left) ** 2 < 1e-12, first.stdout)
untested = train("--units", "32", "--epochs", "1", "--test-fraction", "0", "--match-pairs", "2", "--nodes", "50", "--out", scratch("untested.net"), "--quiet").stdout
check("train_no_test_part", "these games chose the best epoch" in untested, untested)
check("train_verdict", re.search(r"^verdict the network against --weights default: .*, 4 games\)$", "\n".join(untested.splitlines()[-3:]), re.M) and re.search("^hash .*\nmatch_games 4$", untested, re.M), untested)
same("train_file", untested.splitlines()[-1], f"network {scratch('untested.net')}")
# Without search scores --lambda has no effect.
moves = paotai("data", "export", "--format", "moves", "--quiet", RUN).stdout
paotai("data", "import", "--out", scratch("unscored"), "--quiet", write("run.moves", moves))
UNSCORED = ("train", scratch("unscored"), "--units", "32", "--epochs", "1", "--match-pairs", "0", "--out", X)
refuses("train_lambda", 2, "--lambda: no position has a search score", *UNSCORED, "--lambda", "0.5", "--quiet")
check("train_lambda_default", re.search("^--lambda has no effect: no position has a search score", outcome(*UNSCORED)[2], re.M), "the output does not say that the default of --lambda has no effect")
for name, why, words in (("pairs", "--match-pairs", "--match-pairs 18446744073709551615"), ("k", "must be 0 or at least 1e-05", "--k 1e-320"), ("nodes", "limits the searches of the match", "--nodes 50")):
    refuses("train_" + name, 2, why, *SMALL, *words.split(), "--out", X, run=train)
# With --linear-positions the linear weights are fitted to a sample of the positions. The output names the evaluation that
# played the games.
done = train(*SMALL[:2], "--epochs", "1", *SMALL[4:], "--linear-positions", "5000", "--weights", "classic", "--out", scratch("sample.net"))
sample = values(done.stdout)
check("train_sample", sample["positions"] == said["positions"] and sample["linear_fit_loss"] != said["linear_fit_loss"], done.stdout)
check("train_players", re.search("run: the games were played by default [0-9a-f]*, not by --weights classic", done.stderr), done.stderr)

# ---- the network as weights --------------------------------------------------------------------------------
done = paotai("match", "--a", f"weights={NET}", "--b", "weights=default", "--nodes", "50", "--pairs", "2", "--quiet")
check("train_match", re.search("^verdict", done.stdout, re.M), done.stderr)
paotai("selfplay", "--games", "2", "--nodes", "50", "--weights", NET, "--quiet", "--out", scratch("own"))
check("train_selfplay", digest in paotai("data", "info", scratch("own")).stdout, "self-play does not say which network played")
# The linear evaluation is fitted to scores of searches with the network.
paotai("rescore", RUN, "--weights", NET, "--nodes", "50", "--quiet", "--out", scratch("taught"))
done = paotai("tune", scratch("taught"), "--weights", "default", "--quiet", "--out", scratch("taught.fit"))
check("train_teacher", digest in paotai("data", "info", scratch("taught")).stdout and "\nconverged yes\n" in done.stdout, done.stderr)
done = paotai(stdin=f"setoption name EvalFile value {NET}\nposition startpos\ngo nodes 100\nquit\n")
check("train_uci", "\nbestmove" in done.stdout and "stays as it was" not in done.stdout, done.stdout)
cells = paotai("analyse", "--static", "--weights", NET, stdin="rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 b\n").stdout.split()
check("train_parts", cells[3] == "linear" and cells[5] == "network" and int(cells[4]) + int(cells[6]) == int(cells[0]), cells)
with open(NET, "rb") as file:
    network = file.read()
for name, why, path in (("cut", "cut off", write("cut.bin", network[:5000])), ("damaged", "the network is damaged", write("damaged.net", network[:9000] + b"xyz" + network[9003:])),
                        ("foreign", "unknown term", "tests/checks.sh")):
    refuses("train_" + name, 1, why, "bench", "1", "--weights", path)
refuses("train_beside_network", 1, "linear weights are needed here", "--weights", NET, "--out", X, run=train)
refuses("train_linear", 1, "is a network", "weights", "show", NET)
for name, why, words in (("start_linear", "not a network", ("--start", "default", "--out", X)), ("start_units", "give at least as many --units", ("--alone", "--start", scratch("start.net"), "--units", "32", "--out", X)),
                         ("units", "must be a multiple of 32", ("--units", "40", "--out", X)), ("out", "--out", ())):
    refuses("train_" + name, 2, why, *words, run=train)
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai sprt: its output as text and as JSON, extreme counts, refused command lines, and the
# plans (simulated SPRTs). tests/selfplay/stats_test.c compares results with those of other programs.
import itertools
import json
import re

from checks import finish, outcome, paotai, report, result, same, values, want

KEYS = "games wins losses draws pentanomial elo elo_error95 nelo nelo_error95 los llr lower upper decision pair_ratio draw_ratio".split()
WORDS = ["strength", "more_pairs", "seen_elo", "games_for_5_elo"]
STOPPED = "elo_median ci_low ci_high los_stopped".split()
MANY, LOGISTIC = ("--counts", "365,16618,36229,16974,390"), ("--model", "logistic")


def sprt(*words):
    return values(paotai("sprt", *words).stdout)


for counts, words in ((MANY, WORDS), (("--counts", "89,123,76"), ["strength", "more_games", *WORDS[2:]])):
    same("sprt_keys", [list(sprt(*counts)), list(sprt(*counts, "--stopped")), list(json.loads(paotai("sprt", *counts, "--json").stdout))],
         [KEYS + words, KEYS + STOPPED + words, KEYS + words])
pairs = json.loads(paotai("sprt", "--counts", "1,2,3,4,5", "--json").stdout)
same("sprt_values", [sprt("--counts", "89,123,76")["wins"], sprt("--counts", "1,2,3,4,5")["wins"], pairs["wins"], pairs["pentanomial"]], ["76", "-", None, [1, 2, 3, 4, 5]])
same("sprt_decisions", [sprt(*LOGISTIC, *elos, *MANY)["decision"] for elos in (("--elo1", "5"), ("--elo0", "-3", "--elo1", "1"))], ["accept_h0", "accept_h1"])

# The verdicts that `sprt` prints. A few pairs decide nothing, even if all have the same result. The
# verdict "level within +-5" names elo1, in the Elo unit of the SPRT.
for counts, options, words in (("0,0,3,0,0", (), "not decided"), ("0,0,30000,0,0", ("--elo1", "5"), "level within +-5 normalized Elo"),
                               ("2000,9000,19000,9000,2000", (*LOGISTIC, "--elo1", "5"), "level within +-5 Elo"), ("0,0,0,0,2", (), "not decided"),
                               ("0,0,0,0,9", (), "stronger"), ("9,0,0,0,0", (), "weaker"), ("40,60,100,20,10", (), "weaker"), ("9,12,40,14,10", (), "not decided")):
    got = sprt("--counts", counts, *options)
    want(got["strength"] == words and all((got[key] != "-") == (words == "not decided") for key in WORDS[1:]), f"{counts}: {got}")
# The Bayesian model also works with one draw or none: it estimates that more than 1000 further
# games are needed.
none, one = (sprt("--model", "bayesian", "--elo1", "5", "--counts", counts) for counts in ("10,0,12", "10,1,12"))
want(float(none["more_games"]) > 1000 and float(one["more_games"]) > 1000, f"no draws: {none}, one draw: {one}")
report("sprt_words")
# An undecided SPRT estimates how many pairs it still needs: about as many as its plan says, and
# fewer after more pairs with the same score.
far, near = (float(sprt(*LOGISTIC, "--elo1", "20", "--counts", counts)["more_pairs"]) for counts in ("40,80,160,88,48", "60,120,240,134,74"))
plan = values(paotai("sprt", "--plan", *LOGISTIC, "--elo1", "20", "--true-elo", "10", "--counts", "40,80,160,88,48", "--runs", "400").stdout)
want(0 < near < far < float(plan["games_mean"]) / 2 < 1.5 * far, f"{far} more pairs from the start, {near} near the end, plan {plan['games_mean']} games")
report("sprt_expected")

# For extreme counts, every number that sprt prints as JSON is finite. Only some keys may be null.
MOST = "1000000000000000"
EDGES = ["0,0,0,0,0", "0,0,7,0,0", "9,0,0,0,0", "0,0,0,0,9", "0,3,0,0,0", "1,0,0,0,1", f"{MOST},0,0,0,1", ",".join([MOST] * 5),
         "0,0,0", "0,9,0", "9,0,0", "0,0,9", f"{MOST},0,{MOST}"]
LIMITS = (("0", "2"), ("-400", "400"), ("999", "1000"))
for (at, model), (number, counts) in itertools.product(enumerate(("normalized", "logistic", "bayesian")), enumerate(EDGES)):
    if model == "bayesian" and counts.count(",") == 4:
        continue
    low, high = LIMITS[(at + number) % 3]  # each model is tested with each of the LIMITS
    status, out, _ = outcome("sprt", "--model", model, "--counts", counts, "--elo0", low, "--elo1", high, "--stopped", "--json")
    numbers = re.sub('"(wins|losses|draws|pentanomial|pair_ratio|draw_ratio|more_pairs|more_games|seen_elo|games_for_5_elo)":null', "", out)
    want(status == 0 and not re.search("nan|inf|null", numbers, re.I), f"{model} {counts} {low} {high}: {status} {out}")
report("sprt_edges")

# If all pairs ended alike, the numbers stay as they are, but the last line says that the errors
# measure nothing, and has the interval that `match` prints. Other counts have no such line.
for counts, elo, error, bound in (("0,0,20,0,0", "0", "1.70207629032", "+0 Elo, -44 to 44"), ("20,0,0,0,0", "-1199.82619529", "128.334264223", "lost every game, at most -326 Elo"),
                                  ("0,0,0,0,9", None, None, "won every game, at least"), ("0,5,0,0,0", None, None, " Elo"), ("0,12,0", None, None, "+0 Elo, -87 to 87")):
    out = paotai("sprt", "--counts", counts).stdout
    got, last = values(out), out.rstrip().split("\n")[-1]
    want(elo is None or (got["elo"], got["elo_error95"]) == (elo, error), f"{counts}: {got}")
    want("ended alike" in last and "replaced zero counts and measure nothing" in last and bound in last, f"{counts}: the last line is {last}")
    want(json.loads(paotai("sprt", "--counts", counts, "--json").stdout)["degenerate"] == 1, f"{counts}: JSON")
for counts in ("0,0,20,0,1", "1,2,3", "0,0,0"):
    want("degenerate" not in paotai("sprt", "--counts", counts, "--json").stdout, f"{counts} are not degenerate")
report("sprt_degenerate")

# Equal numbers of wins and losses give exactly 0 Elo in every model, without rounding errors.
# Without a lost pair there is no pair ratio.
LEVEL = {"elo": "0", "nelo": "0", "los": "0.5", "elo_median": "0", "los_stopped": "0.5"}
for counts in ("0,0,0", "0,100,0", "3,1,3", "0,0,0,0,0", "0,0,100,0,0", "1,7,3,7,1", "7,0,0,0,7"):
    for model in ("normalized", "logistic"):
        got = sprt("--model", model, "--elo0", "-5", "--elo1", "5", "--counts", counts, "--stopped")
        want(LEVEL.items() <= got.items(), f"{model} {counts}: {got}")
        want(counts.count(",") == 2 or got["pair_ratio"] == ("-" if counts.startswith("0,0,") else "1"), f"{counts}: pair_ratio {got['pair_ratio']}")
    got = json.loads(paotai("sprt", "--counts", counts, "--json").stdout)
    want((got["elo"], got["nelo"], got["los"]) == (0, 0, 0.5), f"{counts} in JSON: {got}")
report("sprt_level")

WRONG = [("--counts", "--elo0", "0"), *(("--counts", "--counts", counts) for counts in (
    "", ",", "1", "1,2", "1,2,3,4", "1,2,3,4,5,6", "1,2,3,4,5,", "1,2,-3", "1,,3", "1,2,x", "1.5,2,3", " 1,2,3", "1,2,3 ", "1,2,3,", "0x10,1,1",
    "1e3,1,1", "nan,1,1", "1000000000000001,0,0", "99999999999999999999999999,0,0"))]
WRONG += [(words.split()[0][2:], *words.split(), "--counts", "1,2,3") for words in (
    "--elo0 2 --elo1 2", "--elo0 nan", "--elo1 1001", "--elo0 2 --elo1 0", "--alpha 0", "--beta 0.5", "--model elo")]
for word, *words in WRONG:
    status, out, err = outcome("sprt", *words)
    want((status, out, word in err) == (2, "", True), f"sprt {words}: {status} {out!r} {err!r}")
report("sprt_refusals")
status, _, err = outcome("sprt", "--model", "bayesian", "--counts", "1,2,3,4,5")
same("sprt_bayesian_pairs", (status, "L,D,W" in err), (1, True))

PLAN = ("sprt", "--plan", "--elo0", "0", "--elo1", "30", "--runs", "40", "--quiet")
same("sprt_plan", paotai(*PLAN).stdout.count("true_elo"), 3)
out = paotai(*PLAN, "--json", "--true-elo", "12", "--counts", "10,200,500,190,12").stdout
result("sprt_plan_of_pilot", "" if re.fullmatch(r'{"true_elo":12,.*"games_p99":\d+}\n', out) else out)
same("sprt_plan_unfinished", values(paotai(*PLAN, "--max-games", "10", "--true-elo", "15").stdout)["unfinished"], "1")
finish()

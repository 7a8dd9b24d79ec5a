# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests tune and weights on a small run: output that states the truth, and a message for every bad input."""
import json
import os
import re
import shutil
import subprocess

from checks import PAOTAI, check, finish, paotai, read, refuses, same, scratch, values, write

RUN, DOZEN, W1 = scratch("run"), scratch("dozen"), scratch("w1.txt")
MATERIAL = ("--fit", "material_*", "--quiet")
done = paotai("selfplay", "--games", "120", "--nodes", "100", "--opening-nodes", "100", "--weights", "classic", "--seed", "5", "--shard-games", "16", "--quiet", "--out", RUN)
check("tune_run", done.returncode == 0, done.stderr)


def tune(*args, **more):
    return paotai("tune", *args, **more)


def columns(name):
    """Returns the rows of a table of errors, without its head: term, entry, part, value, se, games ..."""
    return [line.split("\t") for line in read(name).splitlines()[1:]]


def found(pattern, text):
    return re.search(pattern, text, re.M)


# ---- the fit ---------------------------------------------------------------------------------------
done = tune(RUN, "--threads", "3", "--out", W1, "--errors", scratch("e1.tsv"))
fit, fit_said = done.stdout, done.stderr
check("tune_chariot_is_nine", found(r"^chariot +( 9\.00 \+-0\.00 ){4}  9\.0$", fit), fit)
check("tune_converged", found("^converged yes$", fit), fit)
# The table of errors has a line for each number in the weight file. Only fitted weights have errors.
numbers = sum(len(line.split()) - 1 for line in read("w1.txt").splitlines() if not re.match("#|paotai|schema", line))
tune(RUN, "--fit", "material_*,mobility_*", "--freeze", "mobility_horse.eg", "--weights", W1, "--errors", scratch("errors.tsv"), "--quiet")
rows = columns("errors.tsv")
fitted = [row for row in rows if re.match("material_|mobility_", row[0]) and not (row[0] == "mobility_horse" and row[2] == "eg")]
check("tune_frozen", read("errors.tsv").split("\t")[4] == "se" and len(rows) == numbers and not [row for row in fitted if float(row[5]) > 100 and not float(row[4] or 0) > 0],
      f"{len(rows)} of {numbers} lines")
# Weights that are not fitted keep the values of the start weights, and the scale stays that of the start.
tune(RUN, "--weights", "default", "--prior-errors", "0", "--fit", "pinned,table_horse.mg", "--out", scratch("part.txt"), "--quiet")
rows = [line.split("\t") for line in paotai("weights", "diff", "default", scratch("part.txt")).stdout.splitlines() if not line.startswith("different")]
wrong = [row for row in rows if not re.match("pinned|table_horse", row[0]) or row[0].startswith("table_horse") and float(row[3].split()[1])]
check("tune_frozen_stay", "\n# scale start\n" in read("part.txt") and len(rows) >= 9 and not wrong, wrong[:3])
# A term that is not fitted has no error, also not one of 0.
done = tune(RUN, "--weights", "default", "--fit", "turn", "--quiet").stdout
fixed = [line for line in done.splitlines() if line.endswith(" fixed")]
given = [json.loads(line) for line in tune(RUN, "--weights", "default", "--fit", "turn", "--quiet", "--json", "--valid-fraction", "0").stdout.splitlines() if line.startswith('{"term"')]
check("tune_fixed_errors", len(fixed) > 10 and not any("+-" in line for line in fixed) and found(r"^turn +value +-?[0-9.]+ \+-", done)
      and {line["middlegame_error95"] is None for line in given if line["term"] != "turn"} == {True}, done)
# In these positions, the terms that are not fitted explain most of the variance of guards_horse, but little of that
# of safe_check. A note names only guards_horse.
done = tune(RUN, "--weights", "default", "--fit", "guards_horse,safe_check", "--quiet")
explained = {name: float(share) for name, share in re.findall(r"^explained (\S+) (\S+)", done.stdout, re.M)}
check("tune_explained", explained.get("guards_horse", 0) > 0.5 > explained.get("safe_check", 1) > 0 and found("^guards_horse: .* --fit 'guards_horse,", done.stderr)
      and not found("^safe_check", done.stderr), (explained, done.stderr))


def moved(name):
    """Returns by how much a fit has moved the default weights."""
    lines = [line.split("\t") for line in paotai("weights", "diff", "default", scratch(name)).stdout.splitlines()]
    return int(sum(float(part) ** 2 for line in lines if len(line) > 3 for part in line[3].split()[:2]))


# A fit that starts from `default` uses the errors of these weights as prior, so it moves the weights less than a fit
# with --prior-errors 0.
for times in "02":
    tune(RUN, "--weights", "default", "--prior-errors", times, "--fit", "mobility_*", "--out", scratch(f"from{times}.txt"), "--quiet")
check("tune_default_kept", 4 * moved("from2.txt") < moved("from0.txt"), f"moved by {moved('from2.txt')}, without its errors by {moved('from0.txt')}")
paotai("weights", "convert", "default", "--errors", W1, "--out", scratch("lent.txt"))
errors_of = lambda text: re.findall("^# se .*", text, re.M)
check("weights_errors", errors_of(read("lent.txt")) == errors_of(read("w1.txt")) != [] and errors_of(paotai("weights", "convert", "default").stdout), "the errors of another weight set are missing")
check("tune_provenance", found("^# made by paotai", read("w1.txt")) and found("^# seed=1", read("w1.txt")), read("w1.txt")[:500])
done = tune(RUN, "--json", "--quiet", "--lambda", "0.5", "--loss", "squared", "--prior-sd", "20")
lines = [json.loads(line) for line in done.stdout.splitlines()]
steps = [line for line in lines if "iteration" in line]
check("tune_json", steps[-1]["objective"] < steps[0]["objective"] and {line["piece"] for line in lines if "piece" in line} >= {"chariot", "crossed soldier"}
      and lines[-1]["converged"] == "yes" and lines[-1]["k_score"] > 0 and not done.stderr, done.stdout[-500:] + done.stderr)
# If the games have no scores, a note before the fit says how to add scores. Games with scores cause no such note.
paotai("data", "export", "--format", "moves", "--quiet", "--out", scratch("games.moves"), RUN)
BARE = scratch("bare")
paotai("data", "import", "--out", BARE, "--quiet", scratch("games.moves"))
bare, one = tune(BARE, *MATERIAL[:2]).stderr, tune("--lambda", "1", BARE, *MATERIAL[:2]).stderr
check("tune_results_alone", "no position has a search score: --lambda 0.2 has no effect" in bare and found("^without search scores, 120 games give only 120 results", bare)
      and "paotai rescore DIR" in bare and "no position has a search score" not in one + fit_said, bare)
# Each table of piece values says which sources of uncertainty its errors include. Weight files of older versions do
# not record these sources.
measured = tune("--measure", RUN, "--weights", W1, "--quiet").stdout
ALL = "the errors contain: results, slopes of the loss, mix of positions, prior's pull"
paotai("weights", "convert", W1, "--out", scratch("again.txt"))
write("older.txt", re.sub("^# errors_contain.*\n", "", read("w1.txt"), flags=re.M))
shown = {name: paotai("weights", "show", *words).stdout for name, words in
         (("again", [scratch("again.txt")]), ("older", ["--term", "material_cannon", scratch("older.txt")]), ("classic", ["classic"]), ("w1", [W1]), ("default", ["default"]))}
plain = tune("--measure", RUN, "--weights", "classic", "--quiet").stdout
check("tune_errors_contain", "\nthe errors contain: mix of positions alone: the weights are taken as exact\n" in plain
      and f"{ALL} (from the weight file); mix of these positions " in " ".join(measured.split()) and f"\n{ALL}\n" in fit and f"{ALL}\n" in shown["again"]
      and "the errors contain: only results of games; true errors are up to twice as large" in shown["older"] and "errors contain" not in shown["classic"], shown["older"])
# The piece values of --measure have the errors of the weights, too, so they are not below those of the fit.
elephant = [float(found(r"^elephant +[0-9.-]+ \+- *([0-9.]+)", text)[1]) for text in (fit, measured, plain)]
check("tune_measure_errors", elephant[1] >= elephant[0] > elephant[2] + 0.1, elephant)
check("tune_measure", sum(int(line.split()[4]) for line in measured.splitlines() if re.match(r"[01]\.[0-9]-", line)) == int(values(measured)["positions"]), measured)


def bins(*more):
    done = tune("--measure", RUN, "--weights", W1, "--quiet", "--json", "--weigh", "rows", *more)
    return [line for line in map(json.loads, done.stdout.splitlines()) if line.get("positions") and "bin_low" in line]


def mean(rows, key):
    return sum(row[key] * row["positions"] for row in rows) / sum(row["positions"] for row in rows)


# For every value of --lambda, the observed mean is the mean of the results.
blend, results = bins(), bins("--lambda", "1")
check("tune_measure_observed", abs(mean(blend, "observed") - mean(results, "observed")) < 1e-5 < 1e-4 < abs(mean(blend, "target") - mean(blend, "observed")) and "target" not in results[0], results[0])
compared = values(tune("--compare", W1, "classic", RUN, "--quiet").stdout)
check("tune_compare", float(compared["difference"]) < 0 < float(compared["difference_error95"]), compared)
check("tune_compare_same", found(r"^difference -?0\.0000000$", tune("--compare", W1, W1, RUN, "--quiet").stdout), "a set differs from itself")

# ---- copies of games ---------------------------------------------------------------------------------
# A game that occurs twice counts once: its copy is neither fitted nor used for validation.
shutil.copytree(RUN, scratch("copy"))
FEW = ("--fit", "material_*,mobility_*,table_horse", "--quiet", "--errors")
tune(RUN, *FEW, scratch("few.tsv"))
done = tune(RUN, scratch("copy"), *FEW, scratch("twice.tsv"))
check("tune_copies", read("few.tsv") == read("twice.tsv") and values(done.stdout)["copied_games"] == "120", "games that come twice are counted twice")
moves = read("games.moves").splitlines(keepends=True)
mirrored = [line.translate(str.maketrans("abcdefghi", "ihgfedcba")) for line in moves]
for name, text in (("mirrored", "".join(mirrored)), ("cut", "".join(line.rsplit(" ", 1)[0] + "\n" for line in mirrored))):
    paotai("data", "import", "--out", scratch(name), "--quiet", write(name + ".moves", text))
check("tune_mirrored", values(tune(BARE, scratch("mirrored"), *MATERIAL).stdout)["copied_games"] == "120", "mirror images of games are counted twice")
check("tune_near_copies", int(values(tune(BARE, scratch("cut"), *MATERIAL).stdout)["near_copies"]) >= 110, "games without their last move are counted twice")
# Whether a game is used for training, validation or test depends only on its start and moves. Its place in the run and
# mirroring have no influence. tune_cv.py tests the folds of a cross-validation.
parts = {}
for name, text in (("fifty", moves[:50]), ("turned", mirrored[:50][::-1])):
    paotai("data", "import", "--out", scratch(name), "--quiet", write(name + ".moves", "".join(text)))
    said = values(tune(scratch(name), *MATERIAL, "--verbose", "--lambda", "1", "--test-fraction", "0.2").stdout)
    parts[name] = {key: float(said[key].split()[0]) for key in ("train_positions", "valid_positions", "test_positions", "valid_loss", "test_loss")}
check("tune_split_by_content", min(parts["fifty"].values()) > 0 and all(abs(parts["fifty"][key] - parts["turned"][key]) < 2e-6 for key in parts["fifty"]), parts)
check("tune_different_positions", found("^different_positions [1-9]", fit), "the different positions are not counted")
same("info_different_games", values(paotai("data", "info", RUN).stdout)["different_games"], "120")

# ---- standard errors ---------------------------------------------------------------------------------
# The standard errors of a fit to scores take these scores as exact, and the output says so. The standard errors would
# be larger if only the results of the games were used.
check("tune_errors_given", found("^errors_given the search", fit), "the output does not say on what the errors are conditional")
check("tune_errors_of_results", float(found("^errors_of_results_times (.*)", fit)[1].split()[0]) > 1, "errors of the results alone are not larger")
tune(RUN, *FEW, scratch("lambda1.tsv"), "--lambda", "1")
pairs = [(float(a[7]), float(b[4])) for a, b in zip(columns("few.tsv"), columns("lambda1.tsv")) if float(b[4]) > 0.1]
check("tune_errors_as_lambda_1", len(pairs) > 100 and all(abs(a / b - 1) < 0.03 for a, b in pairs), max(abs(a / b - 1) for a, b in pairs))

# ---- the output --------------------------------------------------------------------------------------
# The output fits one screen. If the data are too few, its first line says so. Notes below name the weights concerned,
# in the form that --show accepts.
paotai("selfplay", "--games", "12", "--nodes", "100", "--seed", "5", "--quiet", "--out", DOZEN)
dozen = tune(DOZEN, "--quiet", "--show", "table_horse,hanging.eg").stdout
check("tune_screen", len([line for line in fit.splitlines() if not line.startswith("weights ")]) <= 72 and not [line for line in (fit + dozen).splitlines() if len(line) > 80 and scratch("") not in line],
      "the output is longer than a screen or wider than 80 columns")
check("tune_little_data", re.match(r"TOO LITTLE DATA: 12 games: the prior determines [0-9]+ of [0-9]+ weights", dozen) and found("^in_few_games material_chariot, ", dozen), dozen[:500])
# In the output, the first line and the lines `more_games` and `next` do not contradict each other. If the prior comes
# from the standard errors of the start weights, the first line does not complain about too little data, and `next` does
# not advise --weights default.
known = tune(DOZEN, "--quiet", "--weights", "default", "--fit", "material_*", "--json").stdout
settled = tune(DOZEN, "--fit", "material_*,table_horse", "--quiet", "--weights", "default").stdout
check("tune_summary", found("^more_games not seen: the games do not show whether half", dozen) and re.search(" next .*fit to many times more games.*--weights default", " ".join(dozen.split()))
      and re.match(r"12 games determine [0-9]+ of [0-9]+ weights; the start \(--weights\) determines [0-9]+\n", settled) and "TOO LITTLE" not in settled and "--weights default" not in settled, settled)
# A start that undervalues the chariot is worse than the fit, so `next` advises a match first.
poor = "".join(line + "\n" for line in read("w1.txt").splitlines() if line[0] != "#")
said = tune(RUN, "--weights", write("poor.txt", re.sub("^material_chariot .*", "material_chariot 100 100", poor, flags=re.M)), *MATERIAL).stdout
check("tune_next_blank", re.search(r" next play a match of the fit against its start \('paotai match'\); (let|fit|play) .*games", " ".join(said.split())), said[-500:])
end = json.loads(known.splitlines()[-1])
check("tune_loss_change", all(abs(end[part + "_loss"] - end[part + "_loss_start"] - end[part + "_loss_change"]) < 1e-12 for part in ("train", "valid")), end)
# A fit with threads works even if OMP_STACKSIZE requests too small a stack.
done = subprocess.run([PAOTAI, "tune", DOZEN, *MATERIAL, "--threads", "2", "--errors", scratch("stack.tsv")], env={**os.environ, "OMP_STACKSIZE": "16k"}, capture_output=True, text=True, check=False)
check("tune_small_stack", done.returncode == 0 and read("stack.tsv"), done.stderr)
# If the games were played by weights other than the start weights of the fit, a message before the fit says so.
players, own = tune(DOZEN, *MATERIAL[:2]).stderr, tune(DOZEN, *MATERIAL[:2], "--weights", "default").stderr
check("tune_players", re.search("dozen: the games were played by default [0-9a-f]{12}, not by --weights classic [0-9a-f]{12}, from which the fit starts", players.splitlines()[0])
      and "played by" not in own, players + own)
# The lists of several --freeze options are combined.
for name, words in (("lists", ("--freeze", "turn", "--freeze", "pinned")), ("list", ("--freeze", "turn,pinned"))):
    tune(DOZEN, "--fit", "material_*,turn,pinned", "--quiet", *words, "--errors", scratch(name + ".tsv"))
check("tune_lists", read("lists.tsv") == read("list.tsv"), "a second --freeze is not added to the first")
check("tune_show", found(r"^table_horse\[b0\] +value ", dozen) and found(r"^hanging\[own turn, chariot\]", dozen) and not found("^pinned", dozen)
      and found(r"^pinned +mean 6 +-?[0-9.]+ \+-", fit), "--show does not select terms")
check("tune_verdict", found("^verdict (the fit|the validation games)", fit) and found(r"^half_games_change_error95 0\.0", fit), fit[-500:])
check("tune_spikes", found("^spikes [1-9].*", fit) and found("^spikes .*", fit)[0] == found("^spikes .*", paotai("data", "info", RUN).stdout)[0], "tune and info count other spikes")
# Games without a sampled position are not fitted, and the output says so.
paotai("data", "sample", RUN, "--positions", "60", "--seed", "1", "--quiet", "--out", scratch("sixty"))
done = tune(scratch("sixty"), *MATERIAL[:2])
left = found("^([0-9]+) games are left out, because they have no sampled positions$", done.stderr)
check("tune_empty_games", left and int(left[1]) > 0 and int(left[1]) + int(values(done.stdout)["games"]) == 120, done.stderr)

# ---- bad input -------------------------------------------------------------------------------------
# An option without effect is refused, and so is a fit without free weights.
for name, says, words in (
        ("prior_sd", "all fitted weights of terms other than material", "--weights default --prior-sd 20"), ("material_sd", "all fitted weights of material", "--weights default --material-sd 20"),
        ("prior_errors", "no fitted weight has a standard error", "--prior-errors 3"), ("smooth_sd", "no fitted term has several entries", "--fit turn --smooth-sd 10"),
        ("cv", "no fitted weight has a prior", "--fit material_* --cv 2"), ("cv_value", "--cv chooses the value of this option", "--cv 2 --prior-sd 20"), ("cv_one", "at least 2 folds", "--cv 1"),
        ("seed", "nothing is random", "--valid-fraction 0 --seed 2"), ("measure", "fit nothing", "--measure --freeze turn"), ("nothing", "no weight remains to fit with --freeze *", "--freeze *"),
        ("nothing_of", "no weight remains to fit with --fit hanging and --freeze hanging", "--fit hanging --freeze hanging")):
    refuses("tune_cannot_act_" + name, 2, says, "tune", DOZEN, "--quiet", *words.split())
refuses("tune_cannot_act_compare", 2, "given as arguments", "tune", "--compare", "classic", "default", DOZEN, "--weights", "default")
refuses("tune_cannot_act_lambda", 2, "no position has a search score", "tune", BARE, "--quiet", "--lambda", "0.5")
refuses("ablate_nothing", 2, "no weight remains to fit", "ablate", "--terms", "*", DOZEN, "--quiet", "--out", scratch("ablate"))
for k in ("1e-320", "9e-6"):
    refuses("tune_k_too_small", 2, "must be 0 or at least 1e-05", "tune", DOZEN, "--k", k)
refuses("tune_no_directory", 2, "DIR", "tune")
# The directory of the report is checked before the games are read.
refuses("tune_report_directory", 1, scratch("none"), "tune", scratch("nowhere"), "--report", scratch("none/report.html"))
refuses("tune_missing_directory", 1, scratch("nowhere"), "tune", scratch("nowhere"))
os.mkdir(scratch("no shards"))
short = write("short.txt", re.sub("^material_chariot .*", "material_chariot 900", read("w1.txt"), flags=re.M))
refuses("tune_bad_weights", 1, short, "tune", RUN, "--weights", short)
refuses("tune_player_weights", 1, "material_chariot has 1 values", "match", "--a", f"weights={short}", "--pairs", "1")
refuses("tune_all_for_validation", 1, "valid-fraction", "tune", RUN, "--valid-fraction", "0.45", "--test-fraction", "0.9")
done = refuses("tune_no_shards", 1, scratch("no shards"), "tune", scratch("no shards"))
check("tune_not_kept_is_no_error", "not kept" not in done.stderr, "a refused fit says that its weights were not written")
refuses("tune_text_file", 1, "not a shard of games", "tune", W1)
refuses("tune_compare_arguments", 2, "two weight sets", "tune", "--compare", "classic", RUN)
refuses("tune_unknown_term", 2, "no term matches 'pony_*'", "tune", RUN, "--freeze", "pony_*")
done = refuses("tune_unwritable", 1, scratch("nowhere/w.txt"), "tune", RUN, "--out", scratch("nowhere/w.txt"))
check("tune_unwritable_is_said_first", "iteration" not in done.stdout, "the output path was tried only after the fit")
refuses("tune_out_directory", 1, "a directory", "tune", RUN, "--out", scratch(""))
# ---- impossible terms ----
with open("core/eval/weights.def", encoding="utf-8") as file:
    terms = file.read()
for bad in ("HORSE, MATERIAL", "ATTACK, MATERIAL", "GENERAL, MATERIAL", "THREATS, ENTRY"):
    write("bad/core/eval/weights.def", terms.replace("\nWEIGHT(table_general,", f'\nWEIGHT(wrong, 1, {bad}, NONE, 0, "wrong")\nWEIGHT(table_general,', 1))
    refuses("weights_def_" + bad.replace(", ", ""), 1, "weights.def: ", os.environ.get("CC", "gcc"), "-std=c11", "-fsyntax-only", "-I", scratch("bad"), "-I", ".", "core/eval/weights.c",
            run=lambda *args: subprocess.run(args, capture_output=True, text=True, check=False))

# ---- weights ---------------------------------------------------------------------------------------
same("weights_show", len(re.findall("^  [0-9] ", paotai("weights", "show", "--term", "table_horse", "classic").stdout, re.M)), 10)
same("weights_convert_text", paotai("weights", "hash", scratch("again.txt")).stdout, paotai("weights", "hash", W1).stdout)
check("weights_show_values", re.search(r"^advisor  +[0-9.]+ \+-[0-9.]+ ", "\n".join(shown["default"].splitlines()[:6]), re.M) and "value 9.0000 " in paotai("weights", "convert", scratch("again.txt")).stdout
      and shown["w1"].splitlines()[:8] == shown["again"].splitlines()[:8], "the values of the pieces are missing")
check("weights_show_entries", found(r"^  their turn, chariot +-?[0-9]+ +(\+- +[0-9]+|prior) +-?[0-9]+ +(\+- +[0-9]+|prior)$", paotai("weights", "show", W1, "--term", "hanging").stdout),
      "entries have no names, or no errors")
# An error that the file does not contain is no error of 0. A fit of some weights from an older file keeps the errors of
# the others, and says that these do not contain the prior's pull.
one = [scratch("one.txt"), "--term", "material_cannon"]
tune(RUN, "--weights", "classic", "--prior-errors", "0", "--fit", "material_chariot", "--out", one[0], "--quiet")
unknown = paotai("weights", "show", *one).stdout, json.loads(paotai("weights", "show", "--json", *one).stdout.splitlines()[0])["middlegame_error95"]
board = paotai("weights", "show", one[0], "--term", "table_horse").stdout
check("weights_show_unknown", found(r" 450 +- +450 +-$", unknown[0]) and unknown[1] == [None] and board.count("?") > 90 and not found(r"\+- +0", unknown[0]) and "nan" not in board, unknown + (board,))
write("old.txt", re.sub("^# se_data.*\n", "", re.sub(", prior's pull", "", read("w1.txt")), flags=re.M))
tune(RUN, "--weights", scratch("old.txt"), "--fit", "turn", "--out", scratch("turn.txt"), "--quiet")
says = [" ".join(paotai("weights", "show", scratch(name)).stdout.split("errors contain: ")[1].split("\n\n")[0].split()) for name in ("old.txt", "turn.txt")]
check("weights_show_partial", "; not the pull of the prior" in says[0] and "prior's pull; of weights that were not fitted: results, slopes of the loss, mix of positions; not the pull of the prior;" in says[1], says)
# The weights that this fit left out are not "prior": they keep their errors.
kept = [re.sub("(?s).*?(hanging:.*?)\n\n.*", r"\1", paotai("weights", "show", scratch(name)).stdout) for name in ("old.txt", "turn.txt")]
check("weights_show_kept", kept[0] == kept[1] and "+-" in kept[0], kept)
same("weights_diff_same", paotai("weights", "diff", W1, scratch("again.txt")).stdout, "different 0\n")
differ = paotai("weights", "diff", "classic", W1).stdout
check("weights_diff", found(r"^material_horse\[0\]", differ), "the fitted set does not differ from classic")
tables = re.findall("^table_.*", differ, re.M)
check("weights_diff_points", tables and all(re.match(r"table_[a-z_]+\[[a-i][0-9]\]", line) for line in tables), tables[:3])
rows = {line["term"]: line["middlegame"] for line in map(json.loads, paotai("weights", "show", "--json", W1).stdout.splitlines()) if "term" in line}
check("weights_json", len(rows["table_horse"]) == 50 and len(rows) == len(re.findall(r"^WEIGHT\(", terms, re.M)), rows.keys())
refuses("weights_missing_file", 1, scratch("none"), "weights", "show", scratch("none"))
refuses("weights_show_term", 2, "no term 'pony'", "weights", "show", "--term", "pony", "classic")
finish()

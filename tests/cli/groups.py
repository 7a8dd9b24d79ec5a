# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that the positions of one game count as one game after an export and an import: in the split, in the errors of a
# fit, and in runs that are made from runs. Also tests which games a fit leaves out.
import collections
import csv
import io
import os
import random

from checks import check, finish, outcome, paotai, same, scratch, values, write

GAMES = 60


def good(*args):
    code, out, err = outcome(*args)
    check("exit_" + "_".join(os.path.basename(a) for a in args[:3]), code == 0, out + err)
    return values(out), err


def measure(run):
    made, said = good("tune", "--measure", run, "--weights", "classic", "--lambda", "1")
    return [made[key] for key in ("games", "positions", "loss", "loss_error95")], said


def fit(run):
    made, said = good("tune", run, "--weights", "classic", "--lambda", "1", "--out", run + ".txt")
    return made, said


def import_(name, text, *more):
    run = scratch(name)
    return run, *good("data", "import", "--fill-moves", "--quiet", "--out", run, *more, write(name + ".txt", text))


RUN = scratch("games")
good("selfplay", "--games", str(GAMES), "--nodes", "30", "--seed", "5", "--quiet", "--out", RUN)
wanted, _ = measure(RUN)
texts = {name: paotai("data", "export", "--quiet", "--format", name, RUN).stdout for name in ("csv", "epd", "plain", "texel", "bullet")}
fits = {}
for name, text in texts.items():
    run, made, _ = import_("in_" + name, text, "--format", name)
    same(f"groups_{name}", made["groups"], str(GAMES))
    got, said = measure(run)
    # The games, the positions, the loss and its error by game are those of the games.
    same(f"measure_{name}", got, wanted)
    check(f"silent_{name}", "independent" not in said, said)
    fits[name] = fit(run)[0]
same("fits_agree", len({(f["valid_games"], f["valid_loss_change"], f["verdict"]) for f in fits.values()}), 1)
same("info", values(paotai("data", "info", "--quiet", scratch("in_csv")).stdout)["groups"], str(GAMES))

# ---- rows in random order
random.seed(1)
head, *rows = texts["csv"].splitlines()
random.shuffle(rows)
mixed, made, said = import_("mixed", "\n".join([head, *rows]) + "\n")
same("mixed_groups", made["groups"], str(GAMES))
got, _ = measure(mixed)
same("mixed_counts", got[:2], wanted[:2])
check("mixed_errors", all(abs(float(a) - float(b)) < 1e-6 for a, b in zip(got[2:], wanted[2:])), f"{got} {wanted}")
same("mixed_fit", fit(mixed)[0]["games"], str(GAMES))
code, out, err = outcome("data", "export", "--rows", scratch("mixed.h5"), mixed)
check("mixed_rows", code == 1 and "not together" in err, out + err)
# Numbers of games can also be names.
head, *rows = [line.split(",") for line in texts["csv"].splitlines()]
named = "\n".join(",".join(x if i != head.index("game") else f"g{x}-a" for i, x in enumerate(row)) for row in random.sample(rows, len(rows)))
run, made, _ = import_("named", ",".join(head) + "\n" + named + "\n")
same("named_groups", made["groups"], str(GAMES))
rows = texts["bullet"].splitlines()
random.shuffle(rows)
code, out, err = outcome("data", "import", "--fill-moves", "--out", scratch("unknown"), write("unknown.bullet", "\n".join(rows) + "\n"))
check("unknown_import", code == 0 and "taken as independent" in err and int(values(out)["groups"]) > 2 * len(rows) // 3, out + err)
got, said = measure(scratch("unknown"))
check("unknown_said", "positions were taken as" in said and "standard errors are too small" in said, said)

# ---- runs made from a run
for name, run in (("csv", scratch("in_csv")), ("mixed", mixed)):
    parts = scratch("parts_" + name)
    good("data", "split", "--quiet", "--valid", "0.3", "--test", "0.2", "--out", parts, run)
    number = {row["fen"]: row["game"] for row in csv.DictReader(io.StringIO(texts["csv"]))}
    place, twice = {}, set()
    for part in ("train", "valid", "test"):
        for row in csv.DictReader(io.StringIO(paotai("data", "export", "--quiet", "--format", "csv", f"{parts}/{part}").stdout)):
            game = number[row["fen"]]
            if place.setdefault(game, part) != part:
                twice.add(game)
    # A position that occurs in two games names only one of them here.
    check(f"split_{name}", len(twice) <= GAMES // 10 and len(set(place.values())) == 3, twice)
    few = scratch("few_" + name)
    made, _ = good("data", "sample", "--quiet", "--per-game", "3", "--out", few, run)
    sizes = collections.Counter(row["game"] for row in csv.DictReader(io.StringIO(texts["csv"])))
    same(f"per_game_{name}", made["positions"], str(sum(min(3, size) for size in sizes.values())))
    same(f"per_game_{name}_groups", values(paotai("tune", "--measure", few, "--weights", "classic").stdout)["games"], str(GAMES))
for name, args in (("merge", ("merge", "--renumber")), ("dedup", ("dedup",)), ("filter", ("filter", "--min-pieces", "4"))):
    out = scratch("made_" + name)
    good("data", *args, "--quiet", "--out", out, scratch("in_csv"))
    same(f"keeps_{name}", values(paotai("data", "info", "--quiet", out).stdout)["groups"], str(GAMES))
good("rescore", "--quiet", "--nodes", "5", "--out", scratch("rescored"), scratch("in_texel"))
same("keeps_rescore", values(paotai("data", "info", "--quiet", scratch("rescored")).stdout)["groups"], str(GAMES))
good("data", "export", "--quiet", "--rows", scratch("rows.h5"), scratch("in_csv"))
same("keeps_rows", values(paotai("tune", "--measure", "--rows", scratch("rows.h5"), "--weights", "classic", "--lambda", "1").stdout)["loss_error95"], wanted[3])
# A file that was imported into two runs is not counted twice.
two = values(paotai("tune", "--measure", scratch("in_texel"), scratch("in_bullet"), "--weights", "classic", "--lambda", "1").stdout)
same("twice", [two["games"], two["positions"]], wanted[:2])

# ---- positions without a result
lines = texts["csv"].splitlines()
column = lines[0].split(",").index("result")
game = lines[0].split(",").index("game")


def emptied(wanted):
    """Returns the csv without the results of the games whose number is in `wanted`."""
    rows = [line.split(",") for line in lines]
    return "\n".join(",".join(x if i != column or not n or int(row[game]) not in wanted else "" for i, x in enumerate(row))
                     for n, row in enumerate(rows)) + "\n"


half = {n for n in range(0, GAMES, 2)}
count = sum(int(line.split(",")[game]) in half for line in lines[1:])
run, made, _ = import_("half", emptied(half), "--unknown", "none")
check("unknown_stored", int(made["unknown_results"]) > 0 and made["refused"] == "0" and made["groups"] == str(GAMES), made)
made, _ = good("tune", run, "--weights", "classic", "--out", run + ".txt")
same("unknown_counted", made["unknown_results"], str(count))
made, _ = good("tune", run, "--weights", "classic", "--lambda", "1", "--out", run + ".txt")
same("unknown_results_alone", made["unknown_results"], str(count))
# A network that is no better than its start is not written, so the exit status says nothing here.
made = values(outcome("train", run, "--match-pairs", "0", "--epochs", "1", "--units", "32", "--out", run + ".net")[1])
same("unknown_train", made["unknown_results"], str(count))
run, made, _ = import_("none", emptied(set(range(GAMES))), "--unknown", "none")
good("tune", run, "--weights", "classic", "--out", run + ".txt")
for command, more in (("tune", ()), ("train", ("--match-pairs", "0"))):
    code, out, err = outcome(command, run, "--weights", "classic", "--lambda", "1", "--out", run + ".txt", *more)
    check(f"unknown_{command}_refused", code != 0 and "no position has a result" in err, out + err)

# ---- scores and results that make no sense together
names = lines[0].split(",")
score, mate, fen = names.index("score_red"), names.index("mate_red"), names.index("fen")


def changed(change):
    """Returns the csv after change(row, "b" or "w") changed each row in place."""
    rows = [line.split(",") for line in lines]
    for row in rows[1:]:
        change(row, row[fen].split()[1])
    return "\n".join(map(",".join, rows)) + "\n"


def negate(row, sides, side):
    for column in (score, mate):
        if side in sides and row[column]:
            row[column] = str(-int(row[column]))


def scale(row, factor):
    if row[score]:
        row[score] = str(max(-30000, min(30000, round(int(row[score]) * factor))))


def turn(row):
    row[column] = {"1-0": "0-1", "0-1": "1-0"}.get(row[column], row[column])


for name, change, words in (
    ("good", lambda row, side: None, None),
    ("all_negated", lambda row, side: negate(row, "wb", side), "another view: the side"),
    ("black_negated", lambda row, side: negate(row, "b", side), "another view: with Black to move"),
    ("red_negated", lambda row, side: negate(row, "w", side), "another view: with Red to move"),
    ("results_turned", lambda row, side: turn(row), "another view: the side"),
    ("small_unit", lambda row, side: scale(row, 0.005), "the unit looks wrong"),
    ("large_unit", lambda row, side: scale(row, 25), "the unit looks wrong"),
):
    run = scratch("sense_" + name)
    outputs = [outcome("data", "import", "--quiet", "--out", run, write("sense.csv", changed(change))),
               outcome("data", "info", "--quiet", run),
               outcome("tune", run, "--quiet", "--weights", "classic", "--out", run + ".txt")]
    if name == "black_negated":
        outputs.append(outcome("train", run, "--quiet", "--match-pairs", "0", "--epochs", "1", "--units", "32", "--out", run + ".net"))
    for out in outputs:
        found = "another view" in out[2] or "unit looks wrong" in out[2]
        # A fit of such data can also fail, because the scores do not predict the results.
        check("sense_" + name, words in out[2] if words else out[0] == 0 and not found, out[2])
    shares = set(values(outputs[1][1]))
    check(f"sense_{name}_shares", {"score_least", "score_median", "score_largest", "mates_share"} <= shares, shares)
    check(f"sense_{name}_wins", name == "small_unit" or "red_wins_above_300_red_to_move" in shares, shares)

# ---- games that ended by a fault
PLIES = 24
pgn, faults = "", 0
for number, line in enumerate(paotai("data", "export", "--quiet", "--format", "moves", RUN).stdout.splitlines()):
    result, *start, moves = line.split("\t")
    late = number % 3 == 0 and len(moves.split()) > PLIES
    faults += late
    moves = moves.split()[:PLIES] if late else moves.split()
    fen = f'[FEN "{start[0]}"]\n' if start else ""
    black = bool(start) and start[0].split()[1] == "b"
    if late:  # the side to move loses
        result = "1-0" if (len(moves) % 2 == 1) != black else "0-1"
    reason = '[Termination "time_forfeit"]\n' if late else ""
    pgn += f'[Event "E"]\n[Format "UCI"]\n[Result "{result}"]\n{reason}{fen}\n{" ".join(moves)} {result}\n\n'
late = scratch("late")
good("data", "import", "--quiet", "--out", late, write("late.pgn", pgn))
info = values(paotai("data", "info", "--quiet", late).stdout)
same("faults_stored", info.get("end_time_forfeit"), str(faults))
made, said = good("tune", late, "--weights", "classic", "--out", late + ".txt")
check("faults_left_out", made["fault_games"] == str(faults) and "ended by a fault" in said, f"{made} {said}")
left = int(made["games"])
made, said = good("tune", late, "--weights", "classic", "--out", late + ".txt", "--with-faults")
# A game can have no sampled positions.
check("faults_kept", faults - 2 <= int(made["games"]) - left <= faults and "fault" not in said, f"{made} {said}")
for ends, games in (("time_forfeit", faults), ("!faults", int(info["games"]) - faults)):
    made, _ = good("data", "filter", "--quiet", "--end", ends, "--out", scratch("end_" + ends.strip("!")), late)
    same(f"filter_end_{ends}", made["games"], str(games))
code, out, err = outcome("data", "filter", "--end", "mate", "--out", scratch("end_x"), late)
check("filter_end_unknown", code == 2 and "checkmate" in err, out + err)

finish()

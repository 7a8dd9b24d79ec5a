# SPDX-License-Identifier: GPL-3.0-or-later
# A search score can claim a win by the rules (repetition). `data info` counts how many claims the
# rest of the game confirms, refutes or leaves open. Tests these counts. Also tests the note about
# scores of version 0.1 of the program.
import glob
import re
import shutil

from checks import check, finish, need, paotai, same, scratch, values

need("rule_scores", "h5py")
import h5py  # noqa: E402

RUN = scratch("run")
PLAY = ("selfplay", "--nodes", "200", "--seed", "3", "--quiet", "--out", RUN)
paotai(*PLAY, "--games", "150", "--threads", "2")
with open("core/rules/reasons.def", encoding="utf-8") as rows:
    ADJUDICATED = re.findall(r"^END_REASON\((\w+),", rows.read(), re.M).index("RESIGN_ADJUDICATION")


def info(run):
    done = paotai("data", "info", "--quiet", run)
    return values(done.stdout), done.stderr


def counts(run):
    found = info(run)[0]
    return tuple(int(found["rule_scores" + name]) for name in ("", "_refuted", "_unproved"))


def copied(name, change):
    """Copies the run, and changes each shard by change()."""
    shutil.copytree(RUN, scratch(name))
    for path in glob.glob(scratch(name) + "/*.h5"):
        with h5py.File(path, "r+") as shard:
            change(shard)
    return scratch(name)


# If a search in self-play reports a win by the rules, the moves of the game confirm the win.
claims, refuted, unproved = counts(RUN)
same("rule_scores_of_selfplay", (claims > 0, refuted, unproved), (True, 0, 0))


# ---- counts of confirmed and refuted wins -------------------------------------------------------
# In each shard three games get a score of 160 points for Red, which stands for a win by the rules: a
# game that Red won, a game that Red lost, and a game that was adjudicated.
def claim(shard):
    games, plies = shard["games"], shard["plies"]
    results = games["result"][:]
    won = [i for i in range(len(results)) if results[i] == 1]
    lost = [i for i in range(len(results)) if results[i] == -1]
    score, mate = plies["score_red"][:], plies["mate_red"][:]
    score[abs(score.astype(int)) > 15000] = 0
    reason = games["reason"][:]
    ends = games["ply_count"][:].astype(int).cumsum()
    for game in (won[0], lost[0], won[1]):
        at = int(ends[game]) - 5
        score[at], mate[at] = 16000, 0
    reason[won[1]] = ADJUDICATED
    plies["score_red"][:], plies["mate_red"][:], games["reason"][:] = score, mate, reason


shards = len(glob.glob(RUN + "/*.h5"))
same("rule_scores_counted", counts(copied("claimed", claim)), (3 * shards, shards, shards))

# ---- scores of version 0.1 ----------------------------------------------------------------------
NOTE = "has scores of version 0.1, whose search scored some draws by repetition"


def old(shard):
    shard["provenance"].attrs["version"] = "0.1.0"


made_before = copied("old", old)
notes = {"new": info(RUN)[1], "old": info(made_before)[1]}
merged, scored, again = scratch("merged"), scratch("scored"), scratch("again")
paotai("data", "merge", "--quiet", "--out", merged, made_before)
paotai("rescore", made_before, "--nodes", "20", "--plies", "sampled", "--quiet", "--out", scored)
paotai("data", "merge", "--quiet", "--out", again, scored)
notes.update({"merged": info(merged)[1], "rescored": info(scored)[1], "rescored and merged": info(again)[1]})
same("rule_scores_of_old_search", {name: NOTE in text for name, text in notes.items()},
     {"new": False, "old": True, "merged": True, "rescored": False, "rescored and merged": False})
tuned = {run: paotai("tune", run, "--fit", "material", "--out", scratch("w.txt")).stderr for run in (RUN, made_before)}
check("rule_scores_tune_says_so", NOTE in tuned[made_before] and NOTE not in tuned[RUN] and "rescore " + made_before in tuned[made_before],
      tuned[made_before])
finish()

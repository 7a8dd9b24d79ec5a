# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares `paotai judge` with ffish (npm) on 5,000 loops that look like chases.

Each disagreement must belong to a known difference of the rules. Which one it is follows from what
`judge --explain` says about the piece that only one program considers chased. Runs in make
test-full if node is installed. The package goes to the scratch directory, or is taken from
FFISH_DIR.
"""
import collections
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import xiangqi_loops  # noqa: E402

NAME = "judge_ffish"
WANTED, SEED = 5000, 20261120
PACKAGE = "ffish@0.7.10"
VERDICTS = {"1-0": "black_loses", "0-1": "red_loses", "1/2-1/2": "draw", "*": "none"}
SIDES = {"red_loses": "Red", "black_loses": "Black"}

# Reasons why a piece is chased for ffish, but not for paotai. Each entry has a part of the text
# that `judge --explain` prints, and the name of the reason. If several entries fit the text, the
# first one applies.
NOT_CHASED = [("renewed", "unresolved"), ("CHECK", "checkchase"), ("the attacker is pinned", "pinned"),
              ("capture would be illegal", "pinned"), ("an offer to exchange", "false_pin"),
              ("protected:", "false_pin_root"), ("", "standing")]
# Reasons why a piece is chased for paotai, but not for ffish.
CHASED = [("no new attack", "rootremoval"), (r"general \w\d may not go there", "kingroot"),
          ("is pinned by|may not expose its general", "false_root")]
SENTENCES = {
    "unresolved": "the piece was attacked before the move, too (a chariot or cannon retreats along its "
                  "line, or another piece attacks instead); only ffish counts this as a new chase",
    "checkchase": "the move gives check and attacks the piece; paotai does not count a check as a chase",
    "pinned": "the attacker may not capture, because its general would be in check; ffish counts a chase",
    "false_pin": "attacker and target are of one kind, and the target can capture the attacker; ffish "
                 "lets no pinned piece capture, also if the attacker or a general pins it",
    "false_pin_root": "a protector can legally recapture; ffish lets no pinned piece protect, also if the "
                      "attacker pins it",
    "standing": "the attack on the piece has not changed; ffish counts it if a protector is pinned or a "
                "check is discovered",
    "rootremoval": "the piece was attacked before, and the move removed its protection without a pin; "
                   "ffish detects only pins and discovered checks",
    "kingroot": "the only protector is the general, which may not recapture; ffish detects this only if "
                "the generals would face each other",
    "false_root": "each protector is pinned to its general and cannot recapture; ffish detects fewer "
                  "kinds of pins",
    "mutual": "ffish counts the attacks of the other side, which are of the class 'unresolved', as "
              "chases, too, so the loop is a draw",
}


class Skip(Exception):
    pass


def ffish_directory():
    if os.environ.get("PAOTAI_FULL") != "1":
        raise Skip("needs node and npm, runs in make test-full")
    if not shutil.which("node"):
        raise Skip("node is not installed")
    given = os.environ.get("FFISH_DIR")
    if given:
        return given
    folder = os.path.join(os.environ.get("PAOTAI_SCRATCH", "build/scratch"), "npm")
    os.makedirs(folder, exist_ok=True)
    try:
        subprocess.run(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", PACKAGE],
                       check=True, capture_output=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as error:
        raise Skip(f"cannot install {PACKAGE}: {type(error).__name__}") from error
    return os.path.join(os.path.abspath(folder), "node_modules", "ffish")


def run(arguments, rows):
    text = "".join("\t".join(row) + "\n" for row in rows)
    return subprocess.run(arguments, input=text, capture_output=True, text=True, check=False,
                          timeout=1800).stdout.splitlines()


def judged_loops(program):
    """Returns WANTED games that repeat moves (loops) and on which our referee gives a verdict, each
    with this verdict."""
    made, kept = xiangqi_loops.loops(SEED), []
    while len(kept) < WANTED:
        rows = [next(made) for _ in range(500)]
        for row, line in zip(rows, run([program, "judge"], rows)):
            verdict = line.split("\t")[0]
            if verdict not in ("error", "none"):
                kept.append((row, verdict))
    return kept[:WANTED]


def renewed(attacker, target, origin, end):
    """Returns True if a move from origin to end changed the attack on the target: the attacker
    moved, a piece left or entered a point between attacker and target, or the leg of a horse became
    free."""
    if attacker == end:
        return True
    (af, ar), (tf, tr), (of, orank) = [(ord(p[0]) - ord("a"), int(p[1]))
                                       for p in (attacker, target, origin)]
    ef, er = ord(end[0]) - ord("a"), int(end[1])
    if af == tf or ar == tr:  # a chariot or cannon: a point between attacker and target
        return any(min(af, tf) <= f <= max(af, tf) and min(ar, tr) <= r <= max(ar, tr)
                   for f, r in ((of, orank), (ef, er)))
    return abs(of - af) <= 1 and abs(orank - ar) <= 1  # a horse or elephant: the piece left its leg or eye


def explained_plies(program, row):
    """Returns (side, from, to, attacks) for each ply. `attacks` is a dict: target point -> texts
    that explain the attacks on this point."""
    plies = []
    for line in run([program, "judge", "--explain"], [row]):
        ply = re.match(r"# ply \d+, (\w+), \w+ (\w\d)-(\w\d): (CHECK)?", line)
        if ply:
            plies.append((ply[1], ply[2], ply[3],
                          collections.defaultdict(lambda said=ply[4] or "": [said])))
        attack = re.match(r"#   (\w+) (\w\d) attacks \w+ (\w\d): (.*)", line)
        if attack and attack[1] not in ("general", "soldier"):
            _, origin, end, said = plies[-1]
            words = attack[4]
            if words.startswith("no new chase"):
                words = "renewed" if renewed(attack[2], attack[3], origin, end) else "stands"
            said[attack[3]] = said.get(attack[3], []) + [words]
    return plies


def pieces_of(fen, side):
    """Returns the points of a side's pieces except its general."""
    points = []
    for row, text in enumerate(fen.split(" ")[0].split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
                continue
            if letter.isupper() == (side == "Red") and letter.lower() != "k":
                points.append("abcdefghi"[file] + str(9 - row))
            file += 1
    return points


def targets_over_plies(fen, plies, side):
    """Yields, for each piece of the other side, what `judge --explain` says about attacks on the piece
    after each move of `side`."""
    for at in pieces_of(fen, "Black" if side == "Red" else "Red"):
        words = []
        for mover, origin, target, attacks in plies:
            if mover == side:
                words.append(attacks[at])
            elif at == origin:
                at = target
        yield words


def why_chased_for_ffish(fen, plies, side):
    """Returns the reasons (names in NOT_CHASED) why, for paotai, some moves of `side` are no new chase
    of one piece.

    ffish does not say which piece it considers chased. It is probably the piece whose reasons stand
    early in NOT_CHASED. The rank of a piece is the place in NOT_CHASED of that one of its reasons
    which stands last there. The piece with the lowest rank is chosen.
    """
    order = [name for _, name in NOT_CHASED]
    best = (len(order), 0, {"standing"})
    for words in targets_over_plies(fen, plies, side):
        missed = [next(name for key, name in NOT_CHASED if any(key in attack for attack in attacks))
                  for attacks in words if not any("NEW CHASE" in attack for attack in attacks)]
        if missed:
            best = min(best, (max(map(order.index, missed)), len(missed), set(missed)),
                       key=lambda entry: entry[:2])
    return best[2]


def why_not_chased_for_ffish(fen, plies, side):
    for words in targets_over_plies(fen, plies, side):
        new = [[attack for attack in attacks if "NEW CHASE" in attack] for attacks in words]
        if not all(new):
            continue
        for key, name in CHASED:
            if any(all(re.search(key, attack) for attack in attacks) for attacks in new):
                return {name}
    return set()


def classify(program, row, ours, theirs):
    plies = explained_plies(program, row)
    classes = set()
    if theirs in SIDES and theirs != ours:
        classes |= why_chased_for_ffish(row[0], plies, SIDES[theirs])
    if ours in SIDES and theirs != ours:
        unseen = why_not_chased_for_ffish(row[0], plies, SIDES[ours])
        other = {"Red": "Black", "Black": "Red"}[SIDES[ours]]
        if unseen:
            classes |= unseen
        elif theirs == "draw" and why_chased_for_ffish(row[0], plies, other) <= {"unresolved"}:
            classes.add("mutual")
    return "+".join(sorted(classes)) or "unexplained"


def main():
    program = os.environ.get("PAOTAI", "build/release/paotai")
    try:
        folder = ffish_directory()
    except Skip as why:
        print(f"SKIP {NAME}: {why}")
        return 0
    loops = judged_loops(program)
    theirs = run(["node", os.path.join(os.path.dirname(HERE), "judge_ffish.js"), folder],
                 [row for row, _ in loops])
    if len(theirs) != len(loops):
        print(f"FAIL {NAME}: ffish judged {len(theirs)} of {len(loops)} loops")
        return 1
    counts, examples = collections.Counter(), {}
    for (row, ours), result in zip(loops, theirs):
        if VERDICTS[result] != ours:
            name = classify(program, row, ours, VERDICTS[result])
            counts[name] += 1
            examples.setdefault(name, (row, ours, VERDICTS[result]))
    print(f"  {len(loops)} loops, {sum(counts.values())} disagreements:")
    for name, count in counts.most_common():
        print(f"  {count:5} {name}")
        for part in name.split("+"):
            print(f"        {part}: {SENTENCES.get(part, 'fits no class')}")
        row, ours, other = examples[name]
        print(f"        e.g. {row[0]} | {row[1]} | paotai {ours}, ffish {other}")
    if counts["unexplained"]:
        print(f"FAIL {NAME}: {counts['unexplained']} disagreements fit no class")
        return 1
    print(f"PASS {NAME}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

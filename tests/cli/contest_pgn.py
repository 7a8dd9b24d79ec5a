# SPDX-License-Identifier: GPL-3.0-or-later
# Tests match and tournament with --pgn: the file contains each game of the store completely, once
# and in order, with scores and times, also after --resume.
import os
import re
import shutil

from checks import SCRATCH, finish, paotai, read, same, scratch, write


def games(name):
    """Returns a pair (number in the tag Round, text) for each game of a PGN file, in file order."""
    texts = re.split(r"(?m)^(?=\[Game )", read(name))
    return [(int(re.search(r'\[Round "(\d+)"\]', text).group(1)), text) for text in texts if text]


def moves_of(path):
    return paotai("data", "export", "--format", "moves", "--quiet", path).stdout


def same_as_store(name, run):
    """Returns True if the PGN, when it is imported, has the games of the store."""
    shutil.rmtree(scratch("back"), ignore_errors=True)
    done = paotai("data", "import", "--quiet", "--out", scratch("back"), scratch(name))
    return done.returncode == 0 and moves_of(scratch("back")) == moves_of(scratch(run))


def searched(text):
    return len(re.findall(r"\{[+-][M0-9.]+/\d+", text))


def timed(text):
    return len(re.findall(r"\{[^}]* \d+\.\d{3}s", text))


PLAY = ["--nodes", "60", "--opening-nodes", "100", "--max-plies", "40", "--quiet", "--shard-games", "4"]
MATCH = ["match", "--a", "weights=default,name=first \\\"one", "--b", "weights=classic", *PLAY]
for system, first in (("uci", r"1\. [a-i]\d[a-i]\d "), ("iccs", r"1\. [A-I]\d-[A-I]\d "), ("wxf", r"1\. [KAERHCP+-]\S\S\S "),
                      ("chinese", "1\\. [帥仕相馬車炮兵前後]\\S\\S\\S ")):
    done = paotai(*MATCH, "--pairs", "3", "--threads", "2", "--out", scratch(system), "--pgn", scratch(system + ".pgn"), "--pgn-moves", system)
    text = read(system + ".pgn")
    plies = sum(len(line.split("\t")[-1].split()) for line in moves_of(scratch(system)).splitlines())
    same(f"pgn_{system}", (done.returncode, [number for number, _ in games(system + ".pgn")], bool(re.search(first, text)),
                            same_as_store(system + ".pgn", system)), (0, list(range(6)), True, True))
    same(f"pgn_{system}_comments", (searched(text), timed(text)), (plies - 6 * 8, plies - 6 * 8))
reds = re.findall(r'^\[(?:Red|Black) "(.*)"\]', read("uci.pgn"), re.M)
same("pgn_players", reds, [r"first \"one", "classic", "classic", r"first \"one"] * 3)
done = paotai("match", "--a", "nodes=50", "--b", "nodes=60", *PLAY[:-2], "--odds", "2knights", "--pairs", "1", "--pgn", scratch("odds.pgn"))
tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', read("odds.pgn"), re.M))
same("pgn_odds", (done.returncode, tags.get("Odds"), tags.get("FEN", "").split("/")[-1], tags.get("Red")),
      (0, "2knights", "R1BAKAB1R w - - 0 1", "default (2)"))
done = paotai(*MATCH, "--odds", "4plus:4", "--pairs", "1", "--out", scratch("extra"), "--pgn", scratch("extra.pgn"), "--pgn-moves", "chinese")
tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', read("extra.pgn"), re.M))
same("pgn_extra_moves", (done.returncode, tags.get("Odds"), len(tags.get("OddsMoves", "").split()), tags.get("FEN", " ? ").split()[1],
                          same_as_store("extra.pgn", "extra")), (0, "4plus:4", 3, "w", True))
# Messages about a game with extra moves count them as plies.
path = write("open.pgn", read("extra.pgn").split("\n\n")[0] + "\n\n1. (abc\n")
done = paotai("data", "import", "--out", scratch("open"), path)
same("pgn_extra_moves_ply", "the variation that begins after ply 3 is not closed" in done.stdout, True)
done = paotai(*MATCH[:-2], "--pairs", "1", "--pgn", scratch("uci.pgn"))
same("pgn_is_there", (done.returncode, "already exists" in done.stderr, len(games("uci.pgn"))), (2, True, 6))
if os.path.exists("/dev/full"):
    done = paotai(*MATCH[:-2], "--pairs", "1", "--pgn", scratch("no/such/place"))
    same("pgn_nowhere", (done.returncode, "cannot create" in done.stderr), (1, True))

# When a run continues, its PGN file is written again from the store, with the times of moves, even
# if the file was changed.
shutil.copytree(scratch("iccs"), scratch("going"))
os.unlink(scratch("going/shard-00000004-00000006.h5"))
old = games("iccs.pgn")
changed = dict(old)
changed[2] = old[2][1].replace(" 1. ", " 2. ")[: len(old[2][1]) // 2]  # a wrong move number, and half of the text is missing
changed[3] = old[4][1].replace('[Round "4"]', '[Round "3"]')  # the moves of game 4 with the number 3
changed[77] = old[0][1].replace('[Round "0"]', '[Round "77"]')
del changed[5]
with open(scratch("going.pgn"), "w", encoding="utf-8") as file:
    file.write("".join(changed[number] for number in (4, 1, 77, 0, 3, 2)))
done = paotai(*MATCH, "--pairs", "3", "--out", scratch("going"), "--pgn", scratch("going.pgn"), "--resume")
now = dict(games("going.pgn"))
same("pgn_goes_on", (done.returncode, list(now), same_as_store("going.pgn", "going")), (0, list(range(6)), True))
same("pgn_keeps", [now[number] == old[number][1] for number in range(4)], [True] * 4)
same("pgn_completes", [(searched(now[number]), timed(now[number])) for number in range(4, 6)],
      [(searched(old[number][1]), timed(old[number][1])) for number in range(4, 6)])

# One shard of a finished tournament is deleted, and the tournament is resumed. The PGN must then
# have all games in order.
TOURNAMENT = ["tournament", "nodes=40", "nodes=50", "weights=classic", *PLAY, "--rounds", "2", "--out", scratch("cup"), "--pgn",
              scratch("cup.pgn"), "--resume"]
paotai(*TOURNAMENT)
before = games("cup.pgn")
os.unlink(scratch("cup/shard-00000004-00000008.h5"))
done = paotai(*TOURNAMENT)
now = games("cup.pgn")
same("pgn_gap", (done.returncode, [number for number, _ in now], same_as_store("cup.pgn", "cup")), (0, list(range(12)), True))
same("pgn_gap_times", sum(timed(text) for _, text in now), sum(timed(text) for _, text in before))

same("pgn_no_temporary", [name for name in os.listdir(SCRATCH) if ".tmp." in name], [])
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests real games, which are exported to every format with moves and imported again. The export must
# count each tag and remark that is lost. Formats without moves must have the right positions.
import os
import re
import shutil

import records
from checks import FULL, NO_SHARED, SHARED, START, finish, paotai, same, scratch, skip, values, write

GAMES = f"{SHARED}/games/ccpd_sample.tsv"
if not FULL or not SHARED or not os.path.exists(GAMES):
    skip("real", NO_SHARED if FULL else "only in make test-full")
    finish()
PGN = ["uci", "iccs", "wxf", "chinese", "chinese-simplified", "san"]
FORMS = [("pgn", system) for system in PGN] + [("gb18030", "chinese-simplified"), ("big5", "chinese"), ("moves", "uci"), ("moves", "wxf"), ("epd", "uci"),
         ("csv", "iccs"), ("plain", "uci1"), ("xqf", ""), ("cbr", ""), ("cbl", ""), ("dhtmlxq", "")]


def load(run, *paths):
    paotai("data", "import", "--threads", "2", "--sample", "quiet", "--sample-after", "10", "--quiet", "--out", scratch(run), *paths)


def games(run):
    """Yields moves, start, result, tags and remarks of each game."""
    text = paotai("data", "export", "--format", "pgn", "--quiet", scratch(run)).stdout
    for game in re.split(r"(?m)^(?=\[Game )", text)[1:]:
        head, body = game.split("\n\n", 1)
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', head, re.M))
        own = {"Game", "Variant", "Format", "Result", "FEN", "SetUp", "Opening"}
        kept = {(name, value) for name, value in tags.items() if name not in own and value not in ("?", "????.??.??")}
        notes = re.findall(r"\{([^}]*)\}", body)
        yield re.findall(r"[A-I]\d-[A-I]\d", re.sub(r"\{[^}]*\}", "", body)), " ".join(tags.get("FEN", START).split()[:2]), tags["Result"], kept, notes


def content(run):
    info = values(paotai("data", "info", scratch(run)).stdout)
    return [info.get(key) for key in ("games", "plies", "positions", "content_hash")]


lines = [line.rstrip("\n").split("\t") for line in open(GAMES, encoding="utf-8")][1:]
source = []
for result, ecco, plies, path, moves in lines:
    event = os.path.dirname(path)
    line = [[move, f"{plies} 步" if at == 20 else "", []] for at, move in enumerate(moves.split(), 1)]
    source.append(records.pgn({"tags": {"Event": event, "Round": os.path.basename(path), "ECCO": ecco}, "start": START, "result": result, "line": ["", line]}))
load("real", write("real.pgn", "".join(source)))
expected, whole = list(games("real")), content("real")
same("real_games", whole[:2], ["5840", "501092"])
same("real_read", [[move.replace("-", "").lower() for move in game[0]] for game in expected], [line[4].split() for line in lines])
print(f"# {'format':12} {'moves as':18} games  moves  starts results  tags lost told  remarks lost told")
for form, system in FORMS:
    name = f"{form}-{system}"
    base = {"gb18030": "pgn", "big5": "pgn", "cbl": "cbr"}.get(form, form)
    out = scratch(name + "." + base)
    words = ["--moves", system] if system else []
    done = paotai("data", "export", "--format", base, *words, "--positions", "all", "--unscored", "--out", out, scratch("real"))
    told = [int((re.findall(rf"(\d+) {what} were omitted", done.stderr) or [0])[0]) for what in ("tags", "remarks")]
    if form in ("gb18030", "big5"):
        with open(out, encoding="utf-8") as file:
            text = file.read()
        with open(out, "w", encoding=form, errors="replace", newline="\r\n") as file:
            file.write(text)
    if form == "cbl":
        out = write("real.cbl", records.cbl([open(os.path.join(out, path), "rb").read() for path in sorted(os.listdir(out))]))
    load(name, *(words if base == "moves" else []), out)
    got = list(games(name))
    pairs = list(zip(expected, got))
    alike = [sum(ours[at] == back[at] for ours, back in pairs) for at in range(3)]
    lost = [sum(len(set(ours[at]) - set(back[at])) for ours, back in pairs) for at in (3, 4)]
    print(f"# {form:12} {system:18} {len(got):5} " + " ".join(f"{count:6}" for count in alike) + f" {lost[0]:11} {told[0]:5} {lost[1]:11} {told[1]:5}", flush=True)
    same("real_" + name, (content(name), alike, lost), (whole, [5840] * 3, told))
    shutil.rmtree(scratch(name), ignore_errors=True)
# Exports in formats with positions but no moves must hold the same positions as csv-iccs.csv, which
# the loop above exported.
rows = [line.split(",")[:5] for line in open(scratch("csv-iccs.csv"), encoding="utf-8").read().splitlines()[2:]]
data = {}
for form in ("texel", "bullet", "bin"):
    done = paotai("data", "export", "--format", form, "--positions", "all", "--unscored", "--out", scratch("only." + form), scratch("real"))
    with open(scratch("only." + form), "rb") as file:
        data[form] = file.read()
    told = [int((re.findall(rf"(\d+) {what} were omitted", done.stderr) or [0])[0]) for what in ("tags", "remarks")]
    print(f"# {form:12} {len(rows)} positions; tags left out {told[0]}, remarks {told[1]}")
point = {"1-0": "1.0", "1/2-1/2": "0.5", "0-1": "0.0"}
same("real_texel", data["texel"].decode() == "".join(f"{fen} [{point[result]}]\n" for fen, *_, result in rows), True)
same("real_bullet", data["bullet"].decode() == "".join(f"{fen} |  | {point[result]}\n" for fen, *_, result in rows), True)
turned = [round(2 * float(point[result]) - 1) * (-1 if " b " in fen else 1) % 256 for fen, *_, result in rows]  # results from the point of view of the side to move
same("real_bin", (len(data["bin"]), list(data["bin"][134::136]) == turned), (136 * len(rows), True))
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Composed endgames through every format and every notation and back: the same content.
import os
import re

from checks import DATA, finish, paotai, same, scratch, values, write

starts = []
with open(os.path.join(DATA, "mates.epd"), encoding="utf-8") as file:
    for line in file:
        found = re.match(r"([\w/]{20,}) ([wb])", line)
        if found and f"{found[1]} {found[2]} - - 0 1" not in starts:
            starts.append(f"{found[1]} {found[2]} - - 0 1")
starts = starts[:24]
SOLDIERS = ["4k4/9/P1P6/P1P6/2P6/9/9/9/9/3K5 w - - 0 1", "3k5/9/9/9/9/9/4p4/2p1p4/2p1p4/5K3 b - - 0 1",
            "4k4/9/3R5/9/9/3R1N3/5N3/9/4A4/3AK4 w - - 0 1"]
write("starts.epd", "".join(start + "\n" for start in starts + SOLDIERS))
count = len(starts) + len(SOLDIERS)
done = paotai("selfplay", "--openings", scratch("starts.epd"), "--games", str(count), "--nodes", "200", "--max-plies", "60", "--quiet", "--out", scratch("played"))
same("endgames_played", done.returncode, 0)
moves = paotai("data", "export", "--format", "moves", scratch("played")).stdout
KEEP = ["--sample", "all", "--sample-after", "0", "--quiet"]
base = write("base.tsv", moves)
paotai("data", "import", *KEEP, "--out", scratch("base"), base)


def content(run):
    found = values(paotai("data", "info", "--quiet", scratch(run)).stdout)
    return [found.get(key) for key in ("games", "plies", "positions", "content_hash")]


wanted = content("base")
same("endgames_games", (wanted[0], moves.count(" - - 0 ") > count // 2), (str(count), True))
said = re.search(r"--moves auto\|(.*?)\n +the system", paotai("data", "export", "--help").stdout, re.S)
systems = re.sub(r"\s", "", said[1]).split("|")
same("endgames_systems", len(systems) >= 15, True)
for form, system in [(form, system) for form in ("pgn", "moves", "epd", "csv", "plain") for system in systems] + [
        (form, None) for form in ("xqf", "cbr", "dhtmlxq")]:
    name = f"{form}-{system}"
    words = ["--moves", system] if system else []
    paotai("data", "export", "--format", form, *words, "--positions", "all", "--unscored", "--out", scratch(name), scratch("base"))
    words = words if form == "moves" else []
    done = paotai("data", "import", *KEEP, *words, "--out", scratch(name + ".run"), scratch(name))
    same(f"endgames_{form}_{system}", (done.returncode, content(name + ".run")), (0, wanted))
finish()

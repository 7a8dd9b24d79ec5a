# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that no name on which other people's scripts rely disappears: commands, options and their
# choices, keys of players, quirks, terms, data sets, names of JSON, of `key value` lines and of tab-separated
# columns, and exit codes. tests/data/contract.txt lists them, one a line. New names may be missing
# there. Whoever removes a name removes its line in the same commit.
#   python3 tests/cli/contract.py write    adds the new names to the list
import json
import os
import re
import subprocess
import sys

from checks import DATA, PAOTAI, SCRATCH, finish, paotai, result

LIST = os.path.join(DATA, "contract.txt")
names = set()
os.makedirs(SCRATCH, exist_ok=True)


def scratch(name):
    return os.path.join(SCRATCH, name)


def table(path, pattern, kind):
    """Adds the first group of each match in a table of the source."""
    with open(path, encoding="utf-8") as file:
        found = re.findall(pattern, file.read(), re.M)
    assert found, path
    names.update(f"{kind} {name}" for name in found)


def keys(value, prefix):
    if isinstance(value, dict):
        for key, inner in value.items():
            # Keys that are data, such as names of terms or files, are not part of the contract.
            if re.fullmatch(r"[a-z][a-z0-9_]*", key):
                names.add(f"{prefix}{key}")
                keys(inner, f"{prefix}{key}.")
    elif isinstance(value, list):
        for inner in value:
            keys(inner, prefix)


def outputs(status, command, *args, stdin=""):
    """Runs a command, plain and with --json. Adds its exit status, the names in its output, and the columns."""
    name = " ".join(word for word in command.split() if not word.startswith("-"))
    for more in ((), ("--json",)):
        if more and "--json" not in options.get(name, ()):
            continue
        words = [word.replace("OUT", scratch("json" if more else "plain")) for word in args]
        done = paotai(*command.split(), *words, *more, stdin=stdin)
        assert done.returncode == status, f"{command} {words}: {done.returncode} {done.stderr}"
        names.add(f"exit {name} {done.returncode}")
        for line in done.stdout.splitlines():
            if more:
                keys(json.loads(line), f"json {name}: ")
            elif re.match(r"[a-z][a-z0-9_]* \S", line):
                names.add(f"line {name}: {line.split()[0]}")


options = {}
for line in paotai("help", "--completion").stdout.splitlines():
    command, _, rest = line.partition(":")
    options[command] = rest.split()
    names.add(f"command {command}")
    names.update(f"option {command} {option}" for option in rest.split())
    for option, choices in re.findall(r"^  (--[a-z-]+) ([a-z0-9-]+(?:\|[a-z0-9-]+)+)(?:  |$)", paotai(*command.split(), "--help").stdout, re.M):
        names.update(f"choice {command} {option} {choice}" for choice in choices.split("|"))
table("selfplay/engines/player_keys.def", r'^PLAYER_KEY\(\w+, "(\w+)"', "player")
table("selfplay/engines/quirks.def", r"^QUIRK\((\w+)", "quirk")
table("core/rules/reasons.def", r'^END_REASON\(\w+, "([^"]+)"', "reason")
table("datasets/README.md", r"^\| `(/[a-z]+/[a-z_]+)`", "column")
said = subprocess.run([PAOTAI], input="uci\nquit\n", capture_output=True, text=True, check=True).stdout
names.update(f"uci {name}" for name in re.findall(r"^option name (.+?) type", said, re.M))

games, scored, fitted = scratch("games"), scratch("scored"), scratch("fitted.txt")
position = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
paotai("selfplay", "--games", "40", "--nodes", "30", "--threads", "2", "--out", games, "--quiet")
outputs(0, "selfplay", "--games", "4", "--nodes", "20", "--threads", "2", "--out", "OUT-games")
outputs(0, "data info", games)
outputs(0, "data verify", games)
outputs(0, "data export", "--format", "csv", "--out", "OUT.csv", games)
outputs(0, "data import", "--out", "OUT-imported", scratch("plain.csv"))
outputs(0, "data filter", games, "--out", "OUT-filtered", "--min-ply", "4")
outputs(0, "data sample", games, "--out", "OUT-sampled", "--positions", "50")
outputs(0, "data dedup", games, "--out", "OUT-dedup")
outputs(0, "rescore", games, "--nodes", "20", "--threads", "2", "--out", "OUT-scored")
outputs(0, "tune", games, "--weights", "classic", "--fit", "material_*", "--out", "OUT-fitted.txt")
outputs(0, "tune --measure", games, "--weights", "classic")
outputs(0, "match", "--pairs", "3", "--nodes", "20", "--threads", "2", "--out", "OUT-match")
outputs(0, "tournament", "weights=classic,nodes=20", "weights=default,nodes=20", "--rounds", "1", "--out", "OUT-tournament")
outputs(0, "sprt", "--stopped", "--counts", "10,20,60,30,12")
outputs(0, "engine-check", f"cmd={PAOTAI}")
outputs(0, "perft", "2")
outputs(0, "bench", "2")
outputs(0, "judge", stdin=f"{position}\th2e2 h9g7\n")
outputs(0, "analyse", "--nodes", "50", stdin=position + "\n")
outputs(0, "weights hash", "classic")
outputs(0, "book make", "--count", "4", "--plies", "4", "--nodes", "20", "--out", "OUT.epd")
outputs(0, "book info", scratch("plain.epd"))
outputs(0, "variant selfplay banqi", "--games", "2", "--nodes", "20", "--out", "OUT-banqi")
outputs(0, "train", games, "--units", "32", "--epochs", "1", "--match-pairs", "0", "--out", "OUT.net")
outputs(1, "judge", stdin="no position\th2e2\n")
for command in options:
    status = paotai(*command.split(), "--no-such-option").returncode
    names.add(f"exit {command} {status}")

if sys.argv[1:] == ["write"]:
    with open(LIST, encoding="utf-8") as file:
        names.update(line.rstrip("\n") for line in file if not line.startswith("#"))
    with open(LIST, "w", encoding="utf-8") as file:
        file.write("# Names that scripts rely on (tests/cli/contract.py, which also writes this list)\n")
        file.writelines(f"{name}\n" for name in sorted(names))
    sys.exit(0)
with open(LIST, encoding="utf-8") as file:
    kept = {line.rstrip("\n") for line in file if not line.startswith("#")}
result("contract_names", [f"'{name}' is gone: keep it, or remove its line of tests/data/contract.txt in the same commit" for name in sorted(kept - names)][:20])
result("contract_list", "" if len(kept) > 500 else f"only {len(kept)} names in the list")
finish()

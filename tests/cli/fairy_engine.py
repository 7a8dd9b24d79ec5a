# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares `paotai weights probe` with the table that Fairy-Stockfish's command `eval` prints: 200
positions, all eight stacks. Runs in make test-full if FAIRY_STOCKFISH names a program that is built
from Fairy-Stockfish's sources with `make build ARCH=x86-64-avx2 largeboards=yes nnue=no`. The
version of Debian 12 is too old. FAIRY_NETWORK is the network (default: that of the known answers).
Also starts a match, in which the program must say that it plays with the network."""
import glob
import os
import re
import subprocess

from checks import DATA, FULL, PAOTAI, SCRATCH, check, finish, paotai, result, skip

NAME, WANTED, SOLDIER = "fairy_engine", 200, 208
ENGINE = os.environ.get("FAIRY_STOCKFISH")
FEN = re.compile(r"(?:[\dA-Za-z]+/){9}[\dA-Za-z]+ [wb] - - \d+ \d+")


def positions():
    """FENs of the known answers of all tests, at most six with the same number of pieces first."""
    found = {}
    for path in sorted(glob.glob(os.path.join(DATA, "*.tsv")) + glob.glob(os.path.join(DATA, "*.epd"))):
        with open(path, encoding="utf-8") as file:
            for fen in FEN.findall(file.read()):
                count = sum(letter.isalpha() for letter in fen.split()[0])
                found.setdefault(count, {})[fen] = None
    lists = [list(fens) for fens in found.values()]
    return [fens[i] for i in range(max(map(len, lists))) for fens in lists if i < len(fens)]


def engine_tables(network, fens):
    """Returns for each FEN the used stack and the text of the table, or None (in check)."""
    lines = ["uci", "setoption name UCI_Variant value xiangqi", f"setoption name EvalFile value {network}",
             "setoption name Use NNUE value true", "isready"]
    for fen in fens:
        lines += [f"position fen {fen}", "eval", "isready"]
    got = subprocess.run([ENGINE], input="\n".join(lines + ["quit", ""]), capture_output=True, text=True, timeout=600)
    parts = got.stdout.split("readyok")[1:]
    tables = []
    for part in parts[:len(fens)]:
        rows = re.findall(r"^\|\s*(\d)\s*\|(.*?)\|(.*?)\|(.*?)\|(.*)$", part, re.M)
        tables.append([tuple("".join(cell.split()) for cell in row[1:4]) + ("used" in row[4],) for row in rows])
    return tables


def shown(value):
    """Formats a value as Fairy-Stockfish does: units to pawns, cut after two decimals."""
    pawns = abs(value) * 100 // SOLDIER
    return ("-" if value < 0 else "+" if value > 0 else "") + f"{pawns // 100}.{pawns % 100:02d}"


def units(sixteenths):
    return abs(sixteenths) // 16 * (-1 if sixteenths < 0 else 1)


def compare(network):
    fens = positions()
    tables = engine_tables(network, fens)
    rows = paotai("weights", "probe", network, stdin="\n".join(fens) + "\n").stdout.splitlines()
    wrong, seen, stacks = [], 0, set()
    for fen, table, row in zip(fens, tables, rows):
        if len(table) != 8 or seen == WANTED:
            continue
        _, stack, values = row.split("\t")
        parts = [tuple(map(int, pair.split(","))) for pair in values.split()]
        want = [(shown(units(p)), shown(units(o)), shown(units(p) + units(o)), s == int(stack))
                for s, (p, o) in enumerate(parts)]
        seen += 1
        stacks.add(stack)
        if want != table:
            wrong.append(f"{fen}: {table}, here {want}")
    check(f"{NAME}_positions", seen == WANTED and len(stacks) == 8, f"{seen} positions, stacks {sorted(stacks)}")
    result(f"{NAME}_eval", wrong[:3])


def main():
    if not FULL or not ENGINE:
        return skip(NAME, "only in make test-full, and if FAIRY_STOCKFISH names the program")
    os.makedirs(SCRATCH, exist_ok=True)
    network = os.environ.get("FAIRY_NETWORK")
    if not network:
        network = os.path.abspath(os.path.join(SCRATCH, "xiangqi-known.nnue"))
        subprocess.run([os.path.join(os.path.dirname(PAOTAI), "paotai-test"), "--fairy", "0", network], check=True)
    compare(network)
    player = f"cmd={ENGINE},profile=fairy-stockfish,nodes=50"
    got = paotai("match", "--a", f"{player},option.EvalFile={network},option.Use NNUE=true", "--b",
                 f"{player},option.Use NNUE=false", "--pairs", "1", "--quiet")
    check(f"{NAME}_match", got.returncode == 0 and "verdict" in got.stdout, got.stderr)
    for why, option in [("classical", f"option.EvalFile={network},option.Use NNUE=false"),
                        ("ends at the first search", "option.EvalFile=xiangqi-none.nnue,option.Use NNUE=true")]:
        got = paotai("match", "--a", f"{player},{option}", "--b", "weights=classic,nodes=50", "--pairs", "1", "--quiet")
        check(f"{NAME}_{why.split()[0]}", got.returncode == 2 and why in got.stderr, got.stderr)


main()
finish()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""--json of the small tools: one object a line, with the names and values of the plain output."""
import json
import subprocess

from checks import START, finish, paotai, report, want, want_same

MATE = "4k4/1R7/R8/9/9/9/9/9/9/3K5 w - - 0 1\ta7a9"


def run(*args, text="", status=0):
    done = paotai(*args, stdin=text)
    if done.returncode != status:
        want(False, f"'{' '.join(args)}' exits {done.returncode}, not {status}: {done.stderr.strip()}")
    return done


def rows(*args, text="", status=0):
    try:
        return [json.loads(line) for line in run(*args, text=text, status=status).stdout.splitlines()]
    except ValueError as why:
        want(False, f"'{' '.join(args)}' does not print JSON: {why}")
        return []


def judge():
    text = f"{MATE}\n\nnonsense\n{START}\th2e2\n"
    got = rows("judge", "--json", "--first", "--explain", text=text, status=1)
    plain = run("judge", "--first", text=text, status=1).stdout.splitlines()
    want_same([row.get("line") for row in got], [1, 3, 4], "lines")
    want_same(f"{got[0]['verdict']}\t{got[0]['reason']}\t{got[0]['first']}", plain[0], "a mate")
    want_same(f"error\tline 3: {got[1]['error']}", plain[1], "a bad record")
    want_same((got[2]["verdict"], got[2]["reason"], got[2]["first"], type(got[2]["explain"])), ("none", "-", None, str), "open")


def notation():
    text = f"{START}\th2e2\n{START}\th2e9\n"
    got = rows("notation", "--to", "wxf", "--json", text=text, status=1)
    want_same(got[0], {"line": 1, "move": "C2.5"}, "a move")
    want_same((got[1]["line"], "h2e9" in got[1]["error"]), (2, True), "an illegal one")
    got = rows("notation", "--to", "wxf", "--game", "--json", text=f"{START}\th2e2 h9g7\n")
    want_same(got, [{"line": 1, "moves": "C2.5 H8+7"}], "a game")


def show():
    got = rows("show", "--json", "--moves", "h2e2 h9g7", START)
    want_same(len(got), 1, "objects")
    want_same((got[0]["last_move"], got[0]["last_move_wxf"], got[0]["to_move"], got[0]["condition"]),
         ("h9g7", "H8+7", "Red", ""), "the position")
    want_same(f"fen {got[0]['fen']}" in run("show", "--moves", "h2e2 h9g7", START).stdout, True, "the FEN")


def odds():
    got = rows("odds", "show", "4plus:5", "--json")
    plain = dict(line.split(" ", 1) for line in run("odds", "show", "4plus:5").stdout.splitlines())
    want_same({key: str(value) for key, value in got[0].items()}, plain, "4plus:5")
    want_same(plain["summary"].startswith("Red makes 5 moves first"), True, plain["summary"])
    want_same("1 move first" in rows("odds", "show", "knight+1", "--json")[0]["summary"], True, "one move")
    want_same([row["name"] for row in rows("odds", "list", "--json")],
         [line.split()[0] for line in run("odds", "list").stdout.splitlines()], "the list")
    for bad in ("nosuch", "4plus:0", "rook+1"):
        want_same(run("odds", "show", bad, status=2).stdout, "", bad)


def perft():
    got = rows("perft", "--depth", "2", "--json")
    want_same(got[-1]["nodes"], 1920, "nodes")
    want_same(len(rows("perft", "--depth", "2", "--divide", "--json")), 45, "a line a move and the total")
    suite = f"{START}\t2\t1920\n{START}\t1\t45\n{START}\t9\t9999999999\n"
    got = rows("perft", "--suite", "-", "--max-nodes", "5000", "--json", text=suite, status=1)
    want_same([row.get("result") for row in got[:2]], ["passed", "failed"], "rows of a suite")
    want_same(got[2], {"passed": 1, "failed": 1, "skipped": 1}, "its sum")
    done = run("perft", "--suite", "-", text="# nothing\n", status=1)
    want_same((done.stdout, "not one row" in done.stderr), ("0 passed, 0 failed\n", True), "an empty suite")


def bench():
    got = rows("bench", "--depth", "3", "--json")
    want_same(sum(row["nodes"] for row in got[:-1]), got[-1]["nodes"], "the sum of the nodes")
    got = rows("bench", "--micro", "--runs", "3", "--json")
    want_same({"pseudo_moves", "legal_moves", "make", "see", "evaluate", "evaluate_traced", "judge"} -
         {row["operation"] for row in got}, set(), "operations")
    want_same(all(row["ns_min"] <= row["ns_q1"] <= row["ns"] <= row["ns_q3"] for row in got), True, "their spread")


def weights():
    got = rows("weights", "show", "classic", "--json")
    want_same((got[0]["term"], got[0]["middlegame"], got[0]["endgame"]), ("material_chariot", [900], [900]), "a term")
    table = next(row for row in got if row["term"] == "table_general")
    want_same((len(table["middlegame"]), type(table["meaning"])), (6, str), "a table")
    want_same([row["term"] for row in rows("weights", "show", "classic", "--term", "table_horse", "--json")], ["table_horse"], "one")
    whole = rows("weights", "convert", "classic", "--json")
    want_same(whole, [json.loads(run("weights", "convert", "classic", "--to", "json").stdout)], "one object a line")
    want_same({name: [[a, b] for a, b in zip(row["middlegame"], row["endgame"])] for row in got for name in [row["term"]]},
         whole[0]["terms"], "show and convert")
    run("weights", "convert", "classic", "--json", "--to", "text", status=2)


def genfens():
    args = ("genfens", "3", "seed", "7", "book", "None")
    want_same([f"info string genfens {row['fen']}" for row in rows(*args, "--json")], run(*args).stdout.splitlines(), "genfens")


for test in (judge, notation, show, odds, perft, bench, weights, genfens):
    try:
        test()
    except (IndexError, KeyError, subprocess.TimeoutExpired) as why:
        want(False, repr(why))
    report(f"json {test.__name__}")
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests --json of the small commands: one object per line, with the names and values of the plain
# output.
import json

from checks import START, check, finish, paotai, same, values

MATE = "4k4/1R7/R8/9/9/9/9/9/9/3K5 w - - 0 1\ta7a9"


def rows(*args, text="", status=0):
    done = paotai(*args, "--json", stdin=text)
    try:
        found = [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError as why:
        check("json_" + args[0], False, f"{args} does not print JSON: {why}")
        found = []
    check("json_of_" + "_".join(args[:2]).replace("-", ""), done.returncode == status and found, f"{args} ends with {done.returncode}: {done.stderr}")
    return found


def plain(*args, text=""):
    return paotai(*args, stdin=text).stdout


TEXT = f"{MATE}\n\nnonsense\n{START}\th2e2\n"
got, said = rows("judge", "--first", "--explain", text=TEXT, status=1), plain("judge", "--first", text=TEXT).splitlines()
same("json_judge", [row.get("line") for row in got] + [f"{got[0]['verdict']}\t{got[0]['reason']}\t{got[0]['first']}", f"error\tline 3: {got[1]['error']}"], [1, 3, 4, *said[:2]])
same("json_judge_open", (got[2]["verdict"], got[2]["reason"], got[2]["first"], type(got[2]["explain"])), ("none", "-", None, str))
got = rows("notation", "--to", "wxf", text=f"{START}\th2e2\n{START}\th2e9\n", status=1)
same("json_notation", (got[0], got[1]["line"], "h2e9" in got[1]["error"]), ({"line": 1, "move": "C2.5"}, 2, True))
same("json_notation_game", rows("notation", "--to", "wxf", "--game", text=f"{START}\th2e2 h9g7\n"), [{"line": 1, "moves": "C2.5 H8+7"}])
got = rows("show", "--moves", "h2e2 h9g7", START)
same("json_show", [got[0][key] for key in ("last_move", "last_move_wxf", "to_move", "condition")] + [f"fen {got[0]['fen']}" in plain("show", "--moves", "h2e2 h9g7", START)],
     ["h9g7", "H8+7", "Red", "", True])
same("json_odds", {key: str(value) for key, value in rows("odds", "show", "4plus:5")[0].items()}, values(plain("odds", "show", "4plus:5")))
same("json_odds_words", ["Red makes 5 moves first" in plain("odds", "show", "4plus:5"), "1 move first" in rows("odds", "show", "knight+1")[0]["summary"]], [True] * 2)
same("json_odds_list", [row["name"] for row in rows("odds", "list")], [line.split()[0] for line in plain("odds", "list").splitlines()])
same("json_perft", (rows("perft", "--depth", "2")[-1]["nodes"], len(rows("perft", "--depth", "2", "--divide"))), (1920, 45))
got = rows("perft", "--suite", "-", "--max-nodes", "5000", text=f"{START}\t2\t1920\n{START}\t1\t45\n{START}\t9\t9999999999\n", status=1)
same("json_perft_suite", [row.get("result") for row in got[:2]] + got[2:], ["passed", "failed", {"passed": 1, "failed": 1, "skipped": 1}])
done = paotai("perft", "--suite", "-", stdin="# nothing\n")
same("perft_empty_suite", (done.returncode, done.stdout, "has no rows" in done.stderr), (1, "0 passed, 0 failed\n", True))
got = rows("bench", "--depth", "3")
same("json_bench", sum(row["nodes"] for row in got[:-1]), got[-1]["nodes"])
got = rows("bench", "--micro", "--runs", "3")
same("json_bench_micro", ({"pseudo_moves", "legal_moves", "make", "see", "evaluate", "evaluate_traced", "judge"} - {row["operation"] for row in got},
                          all(row["ns_min"] <= row["ns_q1"] <= row["ns"] <= row["ns_q3"] for row in got)), (set(), True))
got = rows("weights", "show", "classic")
table = next(row for row in got if row["term"] == "table_general")
same("json_weights", ((got[0]["term"], got[0]["middlegame"], got[0]["endgame"]), len(table["middlegame"]), type(table["meaning"])), (("material_chariot", [900], [900]), 6, str))
same("json_weights_term", [row["term"] for row in rows("weights", "show", "classic", "--term", "table_horse")], ["table_horse"])
GENFENS = ("genfens", "3", "seed", "7", "book", "None")
same("json_genfens", [f"info string genfens {row['fen']}" for row in rows(*GENFENS)], plain(*GENFENS).splitlines())
finish()

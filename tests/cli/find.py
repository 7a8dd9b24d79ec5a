# SPDX-License-Identifier: GPL-3.0-or-later
# Tests data find and data openings: the positions found in games (a position and its mirror image
# count as one), the printed counts, and the files written.
import json

from checks import finish, paotai, read, same, scratch, write

GAMES = '[Red "Wang"]\n[Black "Li <b>"]\n[Result "1-0"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 1-0\n\n' \
        '[Red "Li <b>"]\n[Black "Wang"]\n[Result "1/2-1/2"]\n\n1. b2e2 b9c7 2. b0c2 h9g7 1/2-1/2\n\n' \
        '[Red "Wang"]\n[Black "Zhao"]\n[Result "0-1"]\n\n1. g3g4 h7g7 2. h2e2 0-1\n\n' \
        '[FEN "3k5/9/9/9/9/9/9/9/4P4/4K4 w"]\n[Result "1/2-1/2"]\n\n1. e1e2 d9d8 1/2-1/2\n'
run = scratch("games")
paotai("data", "import", "--out", run, write("games.pgn", GAMES.encode()))


def found(*words):
    done = paotai("data", "find", "--json", *words, run)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [(row["game"], row["ply"], row["result"], row["mirrored"]) for row in rows[:-1]], rows[-1] if rows else {}, done


rows, sums, _ = found("--line", "C2=5 H8+7")
same("find_line", rows, [(0, 2, "1-0", 0), (1, 2, "1/2-1/2", 1)])
same("find_sums", [sums[key] for key in ("games_searched", "games", "positions", "red_wins", "draws", "black_wins")], [4, 2, 2, 1, 1, 0])
same("find_fen", found("--fen", "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w")[0], rows)
same("find_end", found("--line", "g3g4 h7g7 h2e2")[0], [(2, 3, "0-1", 0)])
same("find_material", [found("--material", text)[0] for text in ("P", "p", "PP")], [[(3, 0, "1/2-1/2", 0)], [(3, 0, "1/2-1/2", 1)], []])
# --term finds the positions in which one side has more crossed soldiers. In this game, the start
# position is one of them. Each line has the counts of Red and Black, and the FEN as its last field.
crossed = write("crossed.pgn", b'[FEN "3k5/9/9/9/4P4/9/9/9/9/4K4 w"]\n[Result "1-0"]\n\n1. e5e6 d9d8 1-0\n')
paotai("data", "import", "--out", scratch("crossed"), crossed)
done = paotai("data", "find", "--term", "material_soldier_crossed", scratch("crossed"))
same("find_term", done.stdout.splitlines()[:4],
     [f"0\t{ply}\t1-0\t1\t0\t{fen}" for ply, fen in enumerate(("3k5/9/9/9/4P4/9/9/9/9/4K4 w - - 0 1", "3k5/9/9/4P4/9/9/9/9/9/4K4 b - - 1 1",
                                                                 "9/3k5/9/4P4/9/9/9/9/9/4K4 w - - 2 2"))] + ["games_searched 1"])
same("find_term_none", [line for line in paotai("data", "find", "--term", "material_chariot", scratch("crossed")).stdout.splitlines() if "\t" in line], [])
out = scratch("found.pgn")
same("find_written", (found("--line", "h2e2", "--limit", "1", "--out", out)[1]["written"], read(out).count("[Result ")), (2, 2))
for name, words, why in (("none", [], "give exactly one of"), ("term", ["--term", "nosuch*"], "the evaluation has no term 'nosuch*'"), ("two", ["--line", "h2e2", "--material", "R"], "give exactly one of"),
                         ("material", ["--material", "x"], "FEN letters"), ("out", ["--line", "a0a1", "--out", scratch("x.what")], "can hold many games")):
    done = found(*words)[2]
    same(f"find_{name}_refused", (done.returncode, why in done.stderr), (2, True))

tree = [json.loads(line) for line in paotai("data", "openings", "--json", "--min-games", "1", "--depth", "2", run).stdout.splitlines()]
same("openings_tree", [(row["line"], row["games"], row["wins"], row["draws"], row["losses"]) for row in tree[:-1]],
     [("h2e2", 2, 1, 1, 0), ("h2e2 h9g7", 2, 0, 1, 1), ("g3g4", 1, 0, 0, 1), ("g3g4 h7g7", 1, 1, 0, 0)])
same("openings_sums", (tree[-1], (tree[0]["name"], tree[1]["name"], tree[3]["name"]) == ("central cannon", "central cannon, horse on the same flank", "")), ({"games": 3, "other_starts": 1, "games_open": 0}, True))
# h2e2 was played in two games, a win and a draw. The score 3/4 corresponds to 400 log10(3) Elo. The
# variance of the score of a game is 1/16.
same("openings_elo", (round(tree[0]["elo"], 1), round(tree[0]["elo_error95"], 1)), (190.8, 321.0))
players = [json.loads(line) for line in paotai("data", "openings", "--players", "--json", "--min-games", "1", run).stdout.splitlines()]
same("openings_players", sorted((row["label"], row["games"], row["wins"], row["losses"]) for row in players[:-1]),
     [("Li <b>", 2, 0, 1), ("Wang", 3, 1, 1), ("Zhao", 1, 1, 0)])
same("openings_players_order", [row["label"] for row in players[:-1]], ["Zhao", "Wang", "Li <b>"])
page = scratch("players.html")
paotai("data", "openings", "--players", "--min-games", "1", "--out", page, run)
same("openings_page", ("Li &lt;b&gt;" in read(page), "<b>" + "Li <b>" in read(page)), (True, False))

# `data dedup` and `data info` count a game and its mirror image as one game.
image = scratch("image")
paotai("data", "import", "--out", image, write("image.pgn", b'[Result "1-0"]\n\n1. h2e2 h9g7 1-0\n\n[Result "1-0"]\n\n1. b2e2 b9c7 1-0\n'))
done = paotai("data", "dedup", "--games", "--quiet", "--out", scratch("once"), image)
same("dedup_mirror", ["games 1\n" in done.stdout, "different_games 1\n" in paotai("data", "info", image).stdout], [True, True])

# The store keeps remarks. An export writes them if the format can hold them, and otherwise counts
# them as lost.
REMARKS = '[Result "1-0"]\n\n{開局 first} 1. h2e2 $1 {好棋 {so} <b>} h9g7 ; to the end\n2. h0g2 {+0.35/12} i9h9 (2... b9c7 {aside}) 3. i0h0 {last} 1-0\n'
paotai("data", "import", "--variations", "--out", scratch("said"), write("said.pgn", REMARKS.encode()))
first = paotai("data", "export", "--format", "pgn", scratch("said")).stdout.split("\n\n")[1].replace("{+0.35/12} 2... ", "")
same("remarks_pgn", [first.count(part) for part in ("{開局 first} 1. H2-E2 $1 {好棋 (so) <b>} 1... H9-G7 {to the end}", "{last} 1-0", "(2... B9-C7 {aside})")], [1, 1, 1])
same("remarks_left_out", "5 remarks were omitted: the format csv cannot hold them" in paotai("data", "export", scratch("said")).stderr, True)
same("remarks_verified", paotai("data", "verify", scratch("said")).returncode, 0)
open_line = json.loads(paotai("data", "openings", "--json", "--min-games", "1", scratch("said")).stdout.splitlines()[-1])
same("openings_open", open_line, {"games": 1, "other_starts": 1, "games_open": 0})
same("scores_left_out", "1 scores were omitted: the format xqf cannot hold them" in paotai("data", "export", "--format", "xqf", "--out", scratch("xqf"), scratch("said")).stderr, True)
# The store keeps a remark as a tag named Remark1, Remark2 ... A tag of the file with such a name
# stays a tag. The store and PGN keep a remark of up to
# 1 MiB completely. xqf and cbr cut it earlier, and the export says so.
LONG = "好" * 70000
paotai("data", "import", "--out", scratch("long"), write("long.pgn", f'[Remark1 "t1"]\n[Result "1-0"]\n\n1. h2e2 {{{LONG}}} h9g7 1-0\n'.encode()))
text = paotai("data", "export", "--format", "pgn", scratch("long")).stdout
same("remark_long", (text.count("好"), '[TagRemark1 "t1"]' in text), (70000, True))
for form in ("xqf", "cbr"):
    done = paotai("data", "export", "--format", form, "--out", scratch("long_" + form), scratch("long"))
    same(f"remark_cut_{form}", ("lost_long_remarks 1\n" in done.stdout, "1 long remarks were cut: the format " + form in done.stderr), (True, True))
too_long = paotai("data", "import", "--quiet", "--out", scratch("longer"), write("longer.pgn", f'[Result "1-0"]\n\n1. h2e2 {{{"x" * (1 << 20)}y}} h9g7 1-0\n'))
same("remark_cut", "remarks_cut 1\n" in too_long.stdout, True)
paotai("view", "--out", scratch("said.html"), scratch("said"))
same("remarks_viewed", '"x1":"$1 好棋 {so} \\u003cb>"' in read(scratch("said.html")), True)

# --result-by-name reads the result from the name of a file or its folder. A date is no result.
for name, want in (("甲先胜乙", "1-0"), ("甲 紅負 乙", "0-1"), ("甲和乙", "1/2-1/2"), ("a 0-1 b", "0-1"), ("2001-01-02", None), ("甲勝乙", None)):
    path, out = write(name + ".pgn", b'[Result "*"]\n\n1. h2e2 h9g7 *\n'), scratch("named" + name)
    done = paotai("data", "import", "--result-by-name", "--out", out, path)
    got = paotai("data", "export", "--format", "moves", out).stdout.split("\t")[0] if want else None
    same(f"result_by_name_{name}", (done.returncode, "results_by_name 1\n" in done.stdout, got), (0 if want else 1, want is not None, want))
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests opening books as FEN lists, EPD and PGN: book info, book make, and games that use the
# openings in sequence and at random.
import os
import re

from checks import PAOTAI, finish, paotai, read, same, scratch, write


START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
# Six openings of three plies, and the position after each.
LINES = ["h2e2 h9g7 h0g2", "b2e2 b9c7 b0c2", "c3c4 g6g5 b0c2", "g3g4 b9c7 h2e2", "h0g2 h9g7 g3g4", "c0e2 h7e7 h0g2"]
tsv = "".join(f"1/2-1/2\t{line} a6a5\n" for line in LINES)
paotai("data", "import", "--out", scratch("lines"), write("lines.tsv", tsv.encode()))
rows = [line.split(",") for line in paotai("data", "export", "--positions", "all", "--quiet", scratch("lines")).stdout.splitlines()[1:]]
fens = [row[0] for row in rows if row[6] == "3"]
same("six_openings", (len(fens), len(set(fens))), (6, 6))
chinese = paotai("data", "export", "--format", "pgn", "--moves", "chinese", "--quiet", scratch("lines")).stdout
wxf = paotai("data", "export", "--format", "pgn", "--moves", "wxf", "--quiet", scratch("lines")).stdout

BOOKS = {
    "fens": ("epd", "".join(fen + "\n" for fen in fens).encode()),
    "windows": ("epd", b"\xef\xbb\xbf" + "".join(" ".join(fen.split()[:2]) + "\r\n" for fen in fens).encode()),
    "epd": ("epd", ("# a comment\n\n" + "".join(f'{" ".join(fen.split()[:4])} bm h9g7; id "opening; {i}"; ce 12;\n' for i, fen in enumerate(fens))).encode()),
    "moves": ("epd", "".join(f"{START} w\t{line}\n" for line in LINES).encode()),
    "utf8": ("pgn", b"\xef\xbb\xbf" + chinese.encode()),
    "gbk": ("pgn", chinese.encode("gb18030")),
    "big5": ("pgn", chinese.encode("big5")),
    "wxf": ("pgn", wxf.replace("\n", "\r\n").encode()),
}


def openings(run, from_fens):
    """Returns the numbers of the openings of a run's games, in the order of the games."""
    found = []
    for line in paotai("data", "export", "--format", "moves", "--quiet", scratch(run)).stdout.splitlines():
        fields = line.split("\t")
        if from_fens:
            found.append([fen.split()[:2] for fen in fens].index(fields[1].split()[:2]))
        else:
            found.append(LINES.index(" ".join(fields[-1].split()[:3])))
    return found


orders = []
for name, (form, content) in BOOKS.items():
    path = write(name + ".book", content)
    done = paotai("book", "info", path)
    info = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    same(f"book_{name}_info", [done.returncode] + [info.get(key) for key in ("format", "openings", "unique", "red_to_move", "moves_mean")],
          [0, form, "6", "6", "6" if form == "pgn" else "0", {"pgn": "4.00"}.get(form, "3.00" if name == "moves" else "0.00")])
    play = ["selfplay", "--nodes", "20", "--max-plies", "10", "--openings", path, "--book-plies", "3", "--quiet"]
    paotai(*play, "--games", "8", "--order", "sequence", "--out", scratch(name + ".sequence"))
    same(f"book_{name}_sequence", openings(name + ".sequence", name in ("fens", "windows", "epd")), [0, 1, 2, 3, 4, 5, 0, 1])
    if name in ("fens", "wxf"):  # the random order depends on the seed, not on the format
        paotai(*play, "--games", "12", "--threads", "2", "--seed", "3", "--out", scratch(name + ".random"))
        order = openings(name + ".random", name == "fens")
        orders.append(order)
        same(f"book_{name}_random", sorted(order[:6]) == sorted(order[6:]) == list(range(6)) and order != list(range(6)) * 2, True)
same("book_random_by_seed", orders[0], orders[1])

# A note says that there are fewer openings (here six) than games, pairs or rounds, unless something
# else, such as noise or a clock, makes the games differ.
six = ["--openings", scratch("fens.book"), "--max-plies", "8", "--quiet"]
for name, options, warned in (("match", ["match", "--pairs", "7", "--nodes", "20", "--verbose"], True), ("enough", ["match", "--pairs", "6", "--nodes", "20"], False),
                              ("clock", ["match", "--pairs", "7", "--movetime", "1", "--margin", "1000"], False),
                              ("threads", ["match", "--pairs", "7", "--nodes", "20", "--b", "threads=2"], False),
                              ("plies", ["match", "--pairs", "7", "--nodes", "20", "--opening-plies", "2", "--opening-nodes", "0"], False),
                              ("noise", ["match", "--pairs", "7", "--nodes", "20", "--noise-plies", "4"], False),
                              ("selfplay", ["selfplay", "--games", "7", "--nodes", "20", "--out", scratch("repeats")], True),
                              ("tournament", ["tournament", "nodes=20", "nodes=30", "--rounds", "7"], True)):
    done = paotai(*options, *six)
    same(f"book_repeats_{name}", (done.returncode, "6 different openings for 7" in done.stderr), (0, warned))
    remedies = [word for word in ("a larger book", "--noise-plies") if word in done.stderr]
    same(f"book_repeats_{name}_remedies", remedies, {True: ["a larger book", "--noise-plies"], False: []}[warned])
    if name == "match":
        same("book_distinct_key", [line for line in done.stdout.splitlines() if "distinct" in line], ["openings_distinct 6"])

# The note recommends only what is possible: no book with --odds, and no noise if our engine does
# not play in every pairing.
program = f"cmd={PAOTAI},nodes=9"
for name, options, remedies in (("odds", ["match", "--odds", "1knight", "--opening-plies", "0", "--nodes", "20"], ["--noise-plies"]),
                                ("programs", ["match", "--opening-plies", "0", "--a", program, "--b", program], ["a larger book"]),
                                ("mixed", ["tournament", program, program, "nodes=9", "--rounds", "2", "--opening-plies", "0", "--noise-plies", "9"], ["a larger book"])):
    done = paotai(*options, *(() if name == "mixed" else ("--pairs", "2")), "--max-plies", "8", "--quiet")
    same(f"book_repeats_{name}", (done.returncode, "1 different opening for 2" in done.stderr, [word for word in ("a larger book", "--noise-plies") if word in done.stderr]),
         (0, True, remedies))

# book make --window limits the score of the openings from Red's side. Our engine computes the
# score, or here a program that always reports -25 for the side to move.
make = ["book", "make", "--count", "6", "--plies", "6", "--weights", "classic", "--quiet", "--threads", "2"]
red = scratch("red.epd")
for name, window, low, high, nodes, more in (("red", "80:120", 80, 120, "6000", ("--plies", "9")), ("even", "60", -60, 60, "3000", ("--plies", "9")),
                                             ("tree", "60", -60, 60, "700", ("--method", "tree", "--plies", "4", "--spread", "90"))):
    # The scores in the book are those of the positions alone, searched without the moves before
    # them.
    done = paotai("book", "make", "--count", "12", "--weights", "classic", "--quiet", "--threads", "2", "--nodes", nodes, "--window", window, *more, "--out", red)
    scores = [int(line.split("\t")[0]) for line in paotai("analyse", "--nodes", nodes, "--weights", "classic", "--quiet", red).stdout.splitlines()]
    same(f"book_window_{name}", (done.returncode, len(scores), [score for score in scores if not low <= score <= high]), (0, 12, []))
done = paotai("book", "make", "--count", "9", "--plies", "9", "--moves", "--quiet", "--nodes", "300", "--window", "50", "--out", red)
scores = [int(line.split("\t")[0]) for line in paotai("analyse", "--nodes", "300", "--weights", "default", "--quiet", red).stdout.splitlines()]
same("book_window_moves", (done.returncode, len(scores), [score for score in scores if abs(score) > 50]), (0, 9, []))
fen_lines = [line.split("genfens ")[1] for line in paotai("genfens", "40", "seed", "4", "book", "None").stdout.splitlines()]
scores = [int(line.split("\t")[0]) for line in paotai("analyse", "--nodes", "2000", "--weights", "default", "--hash", "1", "--quiet", write("genfens.txt", "\n".join(fen_lines))).stdout.splitlines()]
same("book_window_genfens", (len(scores), [score for score in scores if abs(score) > 100]), (40, []))
mock = f"cmd={os.path.dirname(PAOTAI)}/paotai-test --mock uci,depth=3"
for window, plies, kept in (("-25:-25", 6, 6), ("25", 6, 6), ("24", 6, None), ("25:25", 5, 6), ("-25:-25", 5, None)):
    out = scratch("judged.epd")
    done = paotai("book", "make", "--count", "6", "--plies", str(plies), "--window", window, "--player", mock, "--threads", "2",
                  "--method", "tree", "--width", "2", "--spread", "500", "--tree-nodes", "50", "--quiet", "--out", out)
    same(f"book_player_{window}_{plies}", (done.returncode, "openings 6" in done.stdout), (0, True) if kept else (1, False))
same("book_player_named", re.search("^# player=id=.* files=[0-9a-f,]+ cmd=", read("judged.epd"), re.M) is not None, True)
done = paotai(*make, "--player", mock.replace("uci", "uci do=crash at=1"), "--out", out)
same("book_player_fails", (done.returncode, "crash" in done.stderr), (1, True))


def said(done):
    """Returns standard error without the advice of archer, which `make check-tsan` does not follow."""
    return re.sub("^Warning: please export TSAN_OPTIONS.*\n", "", done.stderr)


for name, options, advice in (("few", ["--nodes", "0"], ""),
                              ("few_tree", ["--method", "tree", "--tree-nodes", "50", "--nodes", "50", "--spread", "500", "--weights", "classic"], " or a wider --window or a larger --spread")):
    done = paotai("book", "make", "--count", "50", "--plies", "1", "--quiet", "--out", out, *options)
    same(f"book_{name}", (done.returncode, re.sub(r"\d+ of 50", "N of 50", said(done))), (0, f"paotai book make: found only N of 50 openings; try more plies{advice}\n"))
# There are 44 first moves, so a book of 1000 such openings ends with those that it found.
done = paotai("book", "make", "--count", "1000", "--plies", "1", "--quiet", "--nodes", "50", "--threads", "2", "--out", out, timeout=120)
same("book_make_ends", (done.returncode, re.sub(r"only \d\d? of", "only N of", said(done))), (0, "paotai book make: found only N of 1000 openings; try more plies or a wider --window\n"))
done = paotai(*make, "--player", "tc=10", "--out", out)
same("book_no_clock", (done.returncode, "use st=" in done.stderr), (2, True))
# A wrong option or an output path that cannot be written is reported before the player is started.
player = f"cmd=touch {scratch('started')}"
for name, options, status, why in (("count", ["--count", "0", "--out", out], 2, "--count"),
                                   ("out", ["--out", scratch("missing/book.epd")], 1, "--out: cannot create")):
    done = paotai("book", "make", "--player", player, "--quiet", *options)
    same(f"book_refused_{name}", (done.returncode, why in done.stderr, os.path.exists(scratch("started"))), (status, True, False))
for window in ("60:20", "x", "1:2:3", "-5", ""):
    same(f"book_window_{window}", paotai(*make, "--window", window, "--out", out).returncode, 2)
done = paotai("selfplay", "--games", "3", "--nodes", "20", "--max-plies", "9", "--opening-window", "150:600", "--opening-nodes", "300",
              "--weights", "classic", "--quiet", "--out", scratch("ahead"))
same("opening_window", (done.returncode, "games 3" in done.stdout), (0, True))

for name, content, why in (("empty", b"# nothing\n", "no opening"), ("bad_fen", f"{fens[0]}\n{START} x\n".encode(), "bad_fen.book:2"),
                           ("bad_pgn", b'[Event "1"]\n\nh2e2 *\n\n[Event "2"]\n\nh2e2\nh2e2 *\n', "bad_pgn.book:8, game 2: ply 2"),
                           ("mated", b"3k5/4R4/3R5/9/9/9/9/9/9/4K4 b\n", "after 0 of the line's 0 plies (checkmate")):
    done = paotai("book", "info", write(name + ".book", content))
    same(f"book_{name}", (done.returncode, why in done.stderr), (1, True))

# A line that continues after its game has ended by the rules is refused before anything is played.
# It is accepted if --book-plies cuts it before that end. A game in PGN is cut even without this
# option.
SHUTTLE = "h0g2 h9g7 g2h0 g7h9 " * 3
ENDS = {"repetition": f"{START} w\t{SHUTTLE}h2e2\n", "no_capture": "3k5/9/9/9/9/9/r8/9/9/R3K4 w - - 118 90\td9d8\n".replace("d9d8", "a0b0 a3b3 b0b3"),
        "material": "3k5/9/9/9/9/9/9/9/4r4/3AKA3 w\te0e1 d9d8\n"}
for name, line in ENDS.items():
    path = write(f"past_{name}.book", f"{fens[0]}\n{line}".encode())
    for command in (["selfplay", "--games", "4", "--out", scratch("past")], ["match", "--pairs", "2", "--out", scratch("past")],
                    ["tournament", "nodes=9", "nodes=8", "--rounds", "2", "--out", scratch("past")],
                    ["spsa", "--param", "razor_margin", "--iterations", "2", "--pairs", "1", "--out", scratch("past")]):
        done = paotai(*command, "--openings", path, "--quiet", *(["--nodes", "20"] if command[0] != "tournament" else []))
        same(f"book_past_{name}_{command[0]}", (done.returncode, f"past_{name}.book:2: the game is over after" in done.stderr, os.path.exists(scratch("past"))), (1, True, False))
done = paotai("genfens", "1", "seed", "1", "book", scratch("past_repetition.book"))
same("book_past_genfens", (done.returncode, "the game is over" in done.stderr), (1, True))
run = ["selfplay", "--nodes", "20", "--max-plies", "20", "--games", "4", "--order", "sequence", "--quiet"]
done = paotai(*run, "--openings", scratch("past_repetition.book"), "--book-plies", "6", "--out", scratch("cut"))
same("book_past_cut", (done.returncode, paotai("data", "verify", "--quiet", scratch("cut")).returncode), (0, 0))
pgn = write("past.pgn", f"[Event \"1\"]\n\n{SHUTTLE} h2e2 *\n".encode())
done = paotai(*run, "--openings", pgn, "--out", scratch("past_games"))
same("book_past_games", (done.returncode, paotai("data", "verify", "--quiet", scratch("past_games")).returncode), (0, 0))

# A file with a position and no moves is an opening that begins at that position, not at the initial
# one.
men = [33, 255, 255, 255, 30] + [255] * 15 + [49] + [255] * 11
path = write("position.xqf", b"XQ\x0a" + bytes(13) + bytes(men) + bytes(976) + b"\x18\x20\0\xff" + bytes(4))
done = paotai("selfplay", "--nodes", "20", "--max-plies", "4", "--games", "1", "--quiet", "--openings", path, "--out", scratch("position"))
moves = paotai("data", "export", "--format", "moves", "--quiet", scratch("position")).stdout
same("book_position", (done.returncode, moves.split("\t")[1]), (0, "4k4/9/9/9/9/9/3R5/9/9/3K5 w - - 0 1"))
# The identity of a run with a book has the version of the book's order, so that --resume and merge
# refuse games of an earlier version, which used another order.
paotai("selfplay", "--games", "1", "--nodes", "20", "--max-plies", "9", "--opening-plies", "2", "--quiet", "--out", scratch("bookless"))
same("book_version", [line.count("book-version=2") for run in ("position", "bookless") for line in paotai("data", "info", scratch(run)).stdout.splitlines() if line.startswith("provenance_identity")],
     [1, 0])
finish()

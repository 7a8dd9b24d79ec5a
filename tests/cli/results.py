# SPDX-License-Identifier: GPL-3.0-or-later
# Tests how an import reads the results of positions: the scale of numbers is decided once for all
# files with the same columns, and a doubtful scale or point of view is refused.
import glob
import json
import os
import re
import shutil

from checks import START, check, finish, outcome, paotai, same, scratch, skip, values, write

S = START.split()[0].replace("1C5C1/9/RNBAKABNR", "1C2C4/9/RNBAKABNR")
B = S + " b - - 0 1"
W = "4k4/9/9/9/9/9/9/4C4/4R4/3K5 w - - 0 1"
FILL = "--fill-moves"


def load(*words, stdin=""):
    """Imports files. Returns the results of the stored positions, the counts, and the whole output."""
    shutil.rmtree(scratch("o"), ignore_errors=True)
    code, out, err = outcome("data", "import", "--quiet", FILL, "--out", scratch("o"), *words, stdin=stdin)
    rows = paotai("data", "export", "--format", "csv", "--positions", "all", scratch("o")).stdout.splitlines()[1:] if os.path.exists(scratch("o")) else []
    return [row.split(",")[4] for row in rows], dict(values(out), code=code), out + err


def table(name, head, *rows, separator=","):
    return write(name, "".join(separator.join(row) + "\n" for row in ([head.split(",")] if head else []) + [list(row) for row in rows]))


WIN, DRAW, LOSS = "1-0", "1/2-1/2", "0-1"
SCORED = "fen,score,result"


def rows(*results):
    return [(B, str(35 - 100 * at), result) for at, result in enumerate(results)]


# ---- scales ------------------------------------------------------------------------------------------

for name, results, wanted, scale in (("half", ("0.5", "0"), [DRAW, LOSS], "half"), ("decimals", ("0.50", "+0", "1.00", "1"), [DRAW, LOSS, WIN, WIN], "half"),
                                     ("sign", ("1.0", "0.0", "-1.0"), [WIN, DRAW, LOSS], "sign"), ("fraction", ("1", "1/2", "½", "0"), [WIN, DRAW, DRAW, LOSS], "half"),
                                     ("words", ("red", "Draw", "BLACK", "1:0", "0.5-0.5"), [WIN, DRAW, LOSS, WIN, DRAW], "words"),
                                     ("words_and_numbers", ("1-0", "-1"), [WIN, LOSS], "words,sign")):
    got, counts, out = load(table("a.csv", SCORED, *rows(*results)))
    same("scale_" + name, (got, sorted(counts.get("result_scale", "").split(",")), counts["code"]), (wanted, sorted(scale.split(",")), 0))
for name, text, wanted in (("bars", f"{B} | -350 | 0\n{B} | -350 | 1\n", [LOSS, WIN]), ("brackets", f"{B} [0]\n{B} [1]\n{B} [0.50]\n", [LOSS, WIN, DRAW]),
                           ("c9", f'{B} c9 "Black";\n{B} c0 "1:0";\n', [LOSS, WIN])):
    got, counts, _ = load(write("a.txt", text))
    same("scale_" + name, (got, counts["code"]), (wanted, 0))
# The files decide together.
one, two = table("one.csv", SCORED, *rows("1", "0")), table("two.csv", SCORED, *rows("0", "0.5"))
same("scale_together", load(one, two)[0], [WIN, LOSS, LOSS, DRAW])
same("scale_together_down", load(two, one)[0], [LOSS, DRAW, WIN, LOSS])
got, counts, out = load(one, table("again.csv", SCORED, *rows("1")), table("other.csv", "fen,result", (B, "0.5")))
same("scale_refused_once", (got, counts["code"], out.count("2 files"), "--result-scale half" in out, os.path.exists(scratch("o"))), ([], 1, 1, True, False))
for scale, wanted in (("half", [WIN, LOSS]), ("sign", [WIN, DRAW])):
    same("scale_told_" + scale, load("--result-scale", scale, one)[0], wanted)
same("scale_told_points", load("--result-scale", "points", "--pov", "red", one)[0], [DRAW, LOSS])
for name, words in (("words", ["--result-scale", "half", table("w.csv", SCORED, *rows("1-0", "0-1"))]), ("pgn", ["--result-scale", "half", write("a.pgn", '[Result "1-0"]\n\n1. h2e2 1-0\n')])):
    got, counts, out = load(*words)
    same("scale_no_effect_" + name, (got, counts["code"], "--result-scale has no effect" in out), ([], 1, True))

# A missing result is neither a draw nor proof of a scale.
got, counts, out = load(table("a.csv", SCORED, *rows("nan", "0.5", "", "*", "None", "1")))
same("scale_missing", (got, counts.get("refused_result")), ([DRAW, WIN], "4"))

# ---- points of view ----------------------------------------------------------------------------------

for name, results in (("points", ("2", "1", "0")), ("letters", ("W", "D", "L")), ("sides", ("Win", "draw", "LOSS"))):
    path = table("a.csv", SCORED, *rows(*results))
    got, counts, out = load(path)
    same("view_refused_" + name, (got, counts["code"], "--pov" in out), ([], 1, True))
    same("view_red_" + name, load("--pov", "red", path)[0], [WIN, DRAW, LOSS])
    same("view_stm_" + name, load("--pov", "stm", path)[0], [LOSS, DRAW, WIN])
    same("view_column_" + name, load(table("a.csv", "fen,score_stm,result_stm", *rows(*results)))[0], [LOSS, DRAW, WIN])
    same("view_white_" + name, load(table("a.csv", "fen,score_red,wdl_white", *rows(*results)))[0], [WIN, DRAW, LOSS])
same("view_names", load("--pov", "stm", table("a.csv", SCORED, *rows("1-0", "black")))[0], [WIN, LOSS])
for form, text in (("texel", f"{B} [1]\n{B} [0.5]\n"), ("bullet", f"{B} | 5 | 1\n{B} | 5 | 0.5\n")):
    same("view_" + form, load("--pov", "stm", write("a.txt", text))[0], [LOSS, DRAW])
got, counts, out = load(write("a.txt", f"{B} | 5 | W\n"))
same("view_bullet_letters", (got, counts["code"], "--pov" in out), ([], 1, True))

# EPD: c9 with the result of one side needs a point of view, too; other comments are not results.
got, counts, out = load("--unknown", "none", write("a.epd", f'{B} c9 "W";\n{B} c9 "loss";\n'))
same("view_epd_letters", (got, counts["code"], "--pov" in out), ([], 1, True))
same("view_epd_red", load("--pov", "red", write("a.epd", f'{B} c9 "W";\n{B} c9 "loss";\n'))[0], [WIN, LOSS])
same("view_epd_stm", load("--pov", "stm", "--result-scale", "half", write("a.epd", f'{B} c9 "0.5";\n{B} c9 "0";\n{B} c9 "0-1";\n'))[0], [DRAW, WIN, LOSS])
same("view_epd_comments", load("--unknown", "none", write("a.epd", f'{B} c8 "W"; c9 "h9g7 7";\n'))[0], [""])

# The opcode c9 can be read as a move of a soldier, but an operation of EPD is never a game.
SOLDIER = "3a1ab2/2P2k3/4b4/8p/4p4/p3r4/2p5P/8c/4A4/3AK4 w"
same("opcode_is_no_move", load(write("a.epd", f'{SOLDIER} c9 "0-1";\n{SOLDIER} c9 1-0;\n{SOLDIER} c9 "1/2-1/2"\n'))[0], [LOSS, WIN, DRAW])

# ---- refusals with their line ------------------------------------------------------------------------

for name, path, where, words in (("mixture", table("mixture.csv", SCORED, *rows("1", "0.5", "-1")), "mixture.csv, line 4", ["'-1'", "'0.5'", "line 3"]),
                                 ("mixture_of_points", table("mixture_of_points.csv", SCORED, *rows("2", "0.5")), "mixture_of_points.csv, line", ["'2'", "'0.5'"]),
                                 ("letters_and_numbers", table("letters_and_numbers.csv", SCORED, *rows("W", "0.5")), "letters_and_numbers.csv, line", ["'W'"]),
                                 ("foreign", table("foreign.csv", SCORED, *rows("1", "3")), "foreign.csv, line", ["'3'"]),
                                 ("bullet", write("a.bar", f"{B} | 1 | 1\n{B} | 1 | 0\n{B} | 1 | -1\n"), "a.bar, line 3", ["'-1'", "1, 0.5 and 0"]),
                                 ("texel", write("a.fen", f"{B} [0]\n{B} [2]\n"), "a.fen, line 2", ["'2'"]),
                                 ("plain", write("a.plain", f"fen {B}\nscore 1\nply 1\nresult 1\ne\nfen {B}\nscore 1\nply 1\nresult 0.5\ne\n"), "a.plain, line 6", ["'0.5'"]),
                                 ("own", table("own.csv", "fen,move,score_red,mate_red,result,game,ply", (B, "", "1", "0", "0.5", "0", "0")), "own.csv, line 2", ["'0.5'"])):
    got, counts, out = load(path)
    same("refused_" + name, (got, counts["code"], where in out, [word in out for word in words], "--result-scale" in out), ([], 1, True, [True] * len(words), True))
got, counts, out = load("--result-scale", "half", table("a.csv", SCORED, *rows("1", "-1", "0.5", "0", "won")))
same("refused_lines", (got, counts.get("refused_result"), re.findall(r"line (\d+)", out)), ([WIN, DRAW, LOSS], "2", ["3", "6"]))
# A line that is taken apart wrongly is refused.
got, counts, out = load(write("a.csv", f'{SCORED}\n{B},0,35,0.5\n{B},35\n"{B},35,1\n"{B}"x,35,1\n{B},35,0.5,\n{B},35,0\n'))
same("refused_fields", (got, counts.get("refused_fields"), re.findall(r"line (\d+)", out)), ([DRAW, LOSS], "4", ["2", "3", "4", "5"]))
got, counts, out = load(write("a.txt", f"{B} | 35 | 0 | 1\n{B} | 35 | 0\n"))
same("refused_bars", (got, counts.get("refused_fields")), ([LOSS], "1"))

# ---- separators and dress ----------------------------------------------------------------------------

for name, separator in (("comma", ","), ("comma_blank", ", "), ("blanks", " , "), ("semicolon", ";"), ("tab", "\t"), ("bar", " | "), ("bar_bare", "|")):
    for head in (SCORED, "") if "bar" not in name else (SCORED,):
        path = table("a.txt", head, *rows("1.0", "0", "0.5"), separator=separator)
        if head:
            path = write("a.txt", open(path, encoding="utf-8").read().replace("fen,", f"fen{separator}", 1))
        same(f"dress_{name}_{'headed' if head else 'bare'}", load(path)[0], [WIN, LOSS, DRAW])
text = "".join(",".join(row) + "\n" for row in [("FEN", "Score", "Result"), *rows("1", "0", "0.5")])
for name, dressed in (("crlf", text.replace("\n", "\r\n")), ("mark", "\ufeff" + text), ("both", "\ufeff" + text.replace("\n", "\r\n")), ("quotes", re.sub("([^,\n]+)", r'"\1"', text)),
                      ("index", re.sub("^", "0,", text, flags=re.M)[1:]), ("utf16", text.encode("utf-16"))):
    same("dress_" + name, load(write("a.csv", dressed))[0], [WIN, LOSS, DRAW])
same("dress_decimal_comma", load(write("a.csv", f"fen;score;result\n{B};35;0,5\n{B};35;1,0\n{B};35;0\n"))[0], [DRAW, WIN, LOSS])
same("dress_two_bare", load(write("a.csv", f"{B},0.5\n{B},1\n"))[0], [DRAW, WIN])

# ---- standard input and pipes ------------------------------------------------------------------------

text = open(two, encoding="utf-8").read()
same("stdin", load(stdin=text)[0], [LOSS, DRAW])
same("stdin_among_files", load(one, "-", stdin=text)[0], [WIN, LOSS, LOSS, DRAW])
same("stdin_leaves_nothing", [name for name in os.listdir(scratch("o")) if "input" in name], [])
os.mkfifo(scratch("pipe"))
if os.fork() == 0:
    with open(scratch("pipe"), "w", encoding="utf-8") as pipe:
        pipe.write(text)
    os._exit(0)
same("pipe", load(scratch("pipe"))[0], [LOSS, DRAW])
os.wait()

# ---- our own files -----------------------------------------------------------------------------------

OLD = "fen,move,score_red,mate_red,result,game,ply,depth,nodes,best"
old = [(W, "e1d1", "5", "0", "1", "0", "0", "1", "9", ""), (W, "e1d1", "5", "0", "0", "1", "0", "1", "9", "")]
same("own_old", load(table("a.csv", OLD, *old))[0], [WIN, DRAW])
same("own_old_bare", load(table("a.csv", "", *old))[0], [WIN, DRAW])
paotai("selfplay", "--games", "30", "--nodes", "60", "--seed", "5", "--max-plies", "120", "--quiet", "--out", scratch("run"))
moves = lambda run: sorted(",".join(row.split(",")[:1] + row.split(",")[4:5])
                           for row in paotai("data", "export", "--format", "csv", "--positions", "all", "--unscored", scratch(run)).stdout.splitlines()[1:])
own = moves("run")
same("own_words", {row.split(",")[1] for row in own}, {WIN, DRAW, LOSS})
for form in ("csv", "epd", "texel", "bullet", "plain", "bin"):
    paotai("data", "export", "--format", form, "--positions", "all", "--unscored", "--out", scratch("x." + form), scratch("run"))
    shutil.rmtree(scratch("back"), ignore_errors=True)
    done = paotai("data", "import", "--quiet", FILL, "--sample", "all", "--out", scratch("back"), scratch("x." + form))
    same("round_" + form, (done.returncode, moves("back") == own), (0, True))
# 1.0 and 0.0 rewritten as 1 and 0: the same results.
plain = values(paotai("data", "info", scratch("run")).stdout)
with open(scratch("x.bullet"), encoding="utf-8") as file:
    path = write("whole.bar", file.read().replace("| 1.0\n", "| 1\n").replace("| 0.0\n", "| 0\n"))
counts = {}
for row in load(path)[0]:
    counts[row] = counts.get(row, 0) + 1
same("round_whole_numbers", counts, {result: sum(row.endswith("," + result) for row in own) for result in (WIN, DRAW, LOSS)})

# ---- runs imported by earlier versions ---------------------------------------------------------------

# Such runs do not have the option --result-scale in their provenance.
try:
    import h5py
except ImportError:
    skip("earlier_versions", "h5py is not installed")
else:
    NOTE = "losses written 0 may have been stored as draws; import the files again"

    def earlier(name, *words):
        """Imports files as an earlier version did."""
        paotai("data", "import", "--quiet", "--out", scratch(name), *words)
        for path in glob.glob(scratch(name) + "/*.h5"):
            with h5py.File(path, "r+") as shard:
                made = shard["provenance"].attrs
                text = made["options"].decode() if isinstance(made["options"], bytes) else made["options"]
                made["options"] = text.replace("result-scale=auto\n", "").encode()
        return scratch(name)

    told = lambda run: NOTE in paotai("data", "info", "--quiet", run).stderr
    paotai("data", "import", "--quiet", FILL, "--out", scratch("today"), scratch("x.csv"))
    runs = [earlier("old_csv", scratch("x.csv")), earlier("old_texel", FILL, scratch("x.texel")), earlier("old_plain", scratch("x.plain")), scratch("today"),
            earlier("old_pgn", write("old.pgn", '[Result "1-0"]\n\n1. h2e2 1-0\n'))]
    same("earlier_info", [told(run) for run in runs], [True, True, False, False, False])
    for name, sources in (("merged", runs[:1]), ("merged_new", runs[3:4])):
        paotai("data", "merge", "--quiet", "--out", scratch(name), *sources)
    paotai("data", "filter", "--quiet", "--result", "red", "--out", scratch("twice"), scratch("merged"))
    same("earlier_merged", [told(scratch(name)) for name in ("merged", "merged_new")], [True, False])
    for name, words in (("tune", ["tune", "--fit", "material_*", "--out", scratch("w.txt")]), ("train", ["train", "--out", scratch("w.net"), "--epochs", "1", "--match-pairs", "0", "--units", "32"])):
        same("earlier_" + name, [NOTE in paotai(*words, run).stderr for run in (runs[0], runs[3])], [True, False])

# ---- --check -----------------------------------------------------------------------------------------

CHECKED = table("check.csv", SCORED, *rows("0.5", "0", "1", "0", "1", "1", "1"))
code, out, err = outcome("data", "import", "--check", "--json", CHECKED)
got = [json.loads(line) for line in out.splitlines()]
same("check_records", (code, len(got), [one.get("result") for one in got[:5]], got[-1]), (0, 6, ["draw", "Black wins", "Red wins", "Black wins", "Red wins"], {"result_scale": "half"}))
same("check_fields", {key: got[0].get(key) for key in ("line", "board", "side", "move", "score_red", "score_from", "result_from", "result_text", "board_from")},
     {"line": 2, "board": S, "side": "black", "move": None, "score_red": 35, "score_from": "score", "result_from": "result", "result_text": "0.5", "board_from": "fen"})
code, out, err = outcome("data", "import", "--check", one)
same("check_open", (code, out.count("result unknown"), "--result-scale" in err), (1, 2, True))
code, out, err = outcome("data", "import", "--check", stdin=f'{W} sm e1d1; c9 "0-1"; ce 20;\n{W} moves e1d1\n{W} [x]\n')
same("check_epd", (code, re.findall(r"^(?:result|move|\w+_from) .*", out, re.M)[:7], out.count("error ")),
     (1, ["board_from line", "side_from line", "move e1d1", "move_from sm", "score_from ce", "result Black wins", "result_from c9"], 2))
code, out, err = outcome("data", "import", "--check", stdin='[Result "1-0"]\n\n1. h2e2 {+0.35/12} h9g7 1-0\n')
same("check_pgn", (code, re.findall(r"^(?:result|move|score_red|plies) .*", out, re.M)), (0, ["move h2e2", "score_red 35", "result Red wins", "plies 2"]))
code, out, err = outcome("data", "import", "--check", stdin="x" * (65 << 20))
same("check_memory", (code, "64 MB" in err), (1, True))
same("check_or_out", (outcome("data", "import", CHECKED)[0], "--out DIR is missing" in outcome("data", "import", CHECKED)[2]), (2, True))
# Readers that do not need the results read such files, too.
for name, words in (("book", ["book", "info", one]), ("view", ["view", "--out", scratch("v.html"), table("m.csv", "fen,move,result", (W, "e1d1", "1"))]),
                    ("openings", ["selfplay", "--openings", one, "--games", "1", "--nodes", "9", "--max-plies", "2", "--quiet", "--out", scratch("played")])):
    check("others_" + name, outcome(*words)[0] == 0, outcome(*words)[1:])
finish()

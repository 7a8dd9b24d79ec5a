# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests what each format holds: round trips in every format and notation, known answers, one game in all ways of
writing, binary formats, and formats of trainers. fields.py tests what single fields mean, trees.py tests games with
variations and tags, and data.py tests the commands."""
import csv
import glob
import os
import re
import shutil
import struct
import subprocess
import zipfile

import records
from fuzz import seeds
from checks import DATA, PAOTAI, SCRATCH, START, finish, paotai, read, report, same, scratch, skip, values, want, write
from imports import Import, row


def content(run):
    info = values(paotai("data", "info", scratch(run)).stdout)
    return [info.get(key) for key in ("games", "plies", "positions", "content_hash")]


# ---- round trips -----------------------------------------------------------------------------------

KEEP = ["--sample", "all", "--sample-after", "0", "--quiet"]
FEW = ["--nodes", "20", "--max-plies", "20", "--quiet"]
played = [paotai("selfplay", "--games", "12", "--nodes", "60", "--max-plies", "60", "--quiet", "--out", scratch("self")).returncode,
          paotai("rescore", "--plies", "played", "--nodes", "150", "--quiet", "--out", scratch("run"), scratch("self")).returncode,  # preferred moves
          paotai("selfplay", "--games", "3", "--odds", "3moves", *FEW, "--out", scratch("odds")).returncode]
# Composed endgames often have several pieces of one kind on one file. Their moves are the most
# difficult ones to write in a notation.
with open(os.path.join(DATA, "mates.epd"), encoding="utf-8") as file:
    starts = [f"{found[1]} - - 0 1\n" for line in file if (found := re.match(r"([\w/]{20,} [wb])", line))]
starts += ["4k4/9/P1P6/P1P6/2P6/9/9/9/9/3K5 w - - 0 1\n", "3k5/9/9/9/9/9/4p4/2p1p4/2p1p4/5K3 b - - 0 1\n", "4k4/9/3R5/9/9/3R1N3/5N3/9/4A4/3AK4 w - - 0 1\n"]
played.append(paotai("selfplay", "--openings", write("starts.epd", "".join(starts)), "--games", str(len(starts)), "--nodes", "200", "--max-plies", "60",
                     "--quiet", "--out", scratch("played")).returncode)
same("played", played, [0] * 4)


def moves_of(run):
    return paotai("data", "export", "--format", "moves", scratch(run)).stdout


paotai("data", "import", *KEEP, "--out", scratch("endgames"), write("endgames.tsv", moves_of("played")))
# Parts of four games. Each part begins where the previous part of its game ended.
chain = []
for number, line in enumerate(moves_of("run").splitlines()[:4]):
    moves = line.split("\t")[-1].split()
    for at in range(0, 30, 10):
        paotai("data", "import", *KEEP, "--format", "moves", "--out", scratch(f"to{number}-{at}"), stdin=f"1-0\t{' '.join(moves[:at + 1])}\n")
        fen = paotai("data", "export", "--positions", "all", scratch(f"to{number}-{at}")).stdout.splitlines()[-1].split(",")[0]
        chain.append(f"1-0\t{fen}\t{' '.join(moves[at:at + 10])}\n")
paotai("data", "import", *KEEP, "--out", scratch("chain"), write("chain.tsv", "".join(chain)))

# These PGN tags are not restored by export and import.
TAGS = re.compile(r'^\[(Event|Date|Red|White|Black|Termination) ".*"\]\n', re.M)
SYSTEMS = re.sub(r"\s", "", re.search(r"--moves auto\|(.*?)\n +write moves in this notation", paotai("data", "export", "--help").stdout, re.S)[1]).split("|")
FORMATS = ("pgn", "moves", "epd", "csv", "plain")
FOLDERS = ("xqf", "cbr")
same("systems", len(SYSTEMS) >= 15, True)


def round_trip(run, form, system, wanted_moves, wanted_content):
    """Exports a run in a format and notation, imports the file, and compares the two runs and the two exports."""
    name = f"{run}_{form}_{system}"
    export = ["data", "export", "--format", form, *(["--moves", system] if system else []), "--positions", "all", "--unscored"]
    done = paotai(*export, "--out", scratch(name), scratch(run))
    back = paotai("data", "import", *KEEP, *(["--moves", system] if form == "moves" else []), "--out", scratch(name + ".run"), scratch(name))
    # In epd and csv, a game of odds begins after the extra moves, so its plies are numbered anew.
    same_text = form in FOLDERS or run == "odds" and form in ("epd", "csv") or (
        values(done.stdout).get("bytes") == str(os.path.getsize(scratch(name)))
        and TAGS.sub("", paotai(*export, scratch(name + ".run")).stdout) == TAGS.sub("", read(name)))
    held = 0 if run in ("run", "odds") else 4
    # If the content hash is compared with that of the original run, `data verify` is not needed.
    true = held == 4 or paotai("data", "verify", scratch(name + ".run")).returncode == 0
    same("round_trip_" + name, (done.returncode, values(done.stdout).get("games"), back.returncode, true, same_text,
                                compared_moves(run, name + ".run"), held and content(name + ".run")[:held]),
         (0, str(len(wanted_moves)), 0, True, True, wanted_moves, held and wanted_content[:held]))


def compared_moves(run, source):
    """Returns the games of a run in the format "moves". Omits start and result for the runs "odds"
    and "chain", because they may differ."""
    return [line.split("\t")[-1 if run in ("odds", "chain") else 0:] for line in moves_of(source).splitlines()]


# Each format is tested with the runs "run" and "odds" (handicap games). Each notation is tested
# with the run "endgames", where moves are most ambiguous. Formats that are lists of positions are
# also tested with the run "chain": each of its games begins where another one ends, so import must
# detect the end of each game.
EVERY_FORMAT = [("pgn", "uci"), ("moves", "uci"), ("epd", "uci"), ("csv", "iccs"), ("plain", "uci1"), ("xqf", ""), ("cbr", ""), ("dhtmlxq", "")]
EVERY_NOTATION = [(FORMATS[i % len(FORMATS)], system) for i, system in enumerate(SYSTEMS)] + EVERY_FORMAT[-3:]
for run, trips in (("run", EVERY_FORMAT), ("endgames", EVERY_NOTATION), ("odds", EVERY_FORMAT), ("chain", EVERY_FORMAT[2:5])):
    moves, held = compared_moves(run, run), content(run)
    for form, system in trips:
        round_trip(run, form, system, moves, held)
same("one_game_a_file", len(os.listdir(scratch("run_xqf_"))), 12)
done = paotai("data", "export", "--format", "xqf", scratch("run"))
same("folder_missing", (done.returncode, "--out FOLDER" in done.stderr), (2, True))
same("scores_in_comments", bool(re.search(r"\{[+-]\d+\.\d\d/\d+, n=\d+", read("run_pgn_uci"))) and " best=" in read("run_pgn_uci"), True)
plain = re.sub(r"fen (\S+) [wb] - - \d+ \d+\nmove [a-i](10|\d)[a-i](10|\d)\n(score -?\d+\n)?ply \d+\nresult -?[01]\ne\n", "", read("run_plain_uci1"))
same("plain_lines", plain, "")
same("book_in_comments", read("run_pgn_uci").count("{book}"), 12 * 8)
same("odds_in_tags", read("odds_pgn_uci").count('[Odds "3moves"]'), 3)
paotai("match", "--a", "weights=classic", "--b", "weights=default", "--pairs", "1", "--opening-nodes", "100", *FEW, "--out", scratch("match"))
same("players", re.findall(r'^\[(?:Red|Black) "(.*)"\]', paotai("data", "export", "--format", "pgn", scratch("match")).stdout, re.M),
      ["classic", "default", "default", "classic"])
sampled = values(paotai("data", "info", scratch("run")).stdout)["positions"]
done = paotai("data", "export", "--format", "epd", scratch("run"))
same("sampled_positions", str(done.stdout.count("\n")), sampled)
paotai("data", "import", "--format", "epd", "--out", scratch("sampled"), write("sampled.epd", done.stdout))
same("sampled_positions_back", content("sampled")[2], sampled)
two = paotai("data", "export", "--format", "csv", "--positions", "all", scratch("run"), scratch("run_csv_iccs.run"))
same("one_header", two.stdout.count("fen,move,"), 1)

done = paotai("data", "export", scratch("no such place"))
same("export_of_nothing", (done.returncode, done.stdout), (1, ""))
done = paotai("data", "export", "--out", scratch("no/such/place"), scratch("run"))
same("export_to_nowhere", (done.returncode, "cannot create" in done.stderr), (1, True))
if os.path.exists("/dev/full"):
    with open("/dev/full", "w") as full:
        done = subprocess.run([PAOTAI, "data", "export", scratch("run")], stdout=full, stderr=subprocess.PIPE, text=True)
    same("export_to_a_full_disk", (done.returncode, "cannot write" in done.stderr), (1, True))
same("no_temporary_files", [name for name in os.listdir(SCRATCH) if ".tmp." in name], [])

# ---- known answers -----------------------------------------------------------------------------------


def rows_of(name, wanted):
    """Returns the fields of the rows of a table in tests/data."""
    with open(os.path.join(DATA, name), "rb") as file:
        rows = [line.rstrip(b"\n").split(b"\t") for line in file if line.strip() and line[:1] != b"#"]
    same("rows_" + name, len(rows), wanted)
    return rows


def unescaped(text):
    return re.sub(rb"\\(x(..)|.)", lambda at: bytes([int(at[2], 16)]) if at[2] else {b"n": b"\n", b"t": b"\t"}.get(at[1], at[1]), text)


def told(text, *words):
    """Imports a text. Returns the kept games (result and moves), the line numbers and reasons of the refused
    games, the number of games that --unknown made a draw, and the import."""
    got = Import(text, "--unknown", "draw", *words)
    reasons = [(why, got.counts[f"refused_{why}"]) for why in ("fields", "length", "move", "result", "start") if f"refused_{why}" in got.counts]
    games = [" ".join(game.split(" ")[1:] + game.split(" ")[:1]) for game in got.games]
    return games, [error[5:error.index(":")] for error in got.errors if error.startswith("line ")], reasons, int(got.counts.get("results_as_draws", 0)), got


for number, fields in enumerate(rows_of("games.tsv", 60), 1):
    form, system, wanted, word = (fields[at].decode() for at in (0, 1, 3, 4))
    text = unescaped(fields[2])
    wanted = [one for one in wanted.split(" | ") if one]
    refused = [one.split("@") for one in wanted if "@" in one]
    reasons = [why for why, _ in refused]
    answer = ([re.sub(r"\*$", "1/2-1/2", one) for one in wanted if "@" not in one], [line for _, line in refused],
              sorted((why, str(reasons.count(why))) for why in set(reasons)), sum(one.endswith("*") for one in wanted))
    for form in {"both": ("auto", "pgn")}.get(form, (form,)):
        got = told(text, "--format", form, *(["--moves", "uci1"] if system == "uci1" else []))
        same(f"games_{number}_{form}", (got[:4], word == "-" or word in got[4].out), (answer, True))
# If a move fits several notations, import detects the notation by the whole game, without a tag.
FIVE = "h2e2 h9g7 h0g2 i9h9 c3c4 1-0"
with open("core/notation/notation.def", encoding="utf-8") as file:
    EXAMPLES = dict(re.findall(r'^NOTATION\(\w+, "([^"]+)", \w+, \w+, "\w*", \w+, "-?", "([^"]+)",$', file.read(), re.M))
for system in ("uci1", "lalg", "lau", "system1", "dpxq", "pritchard"):
    for form, text in (("moves", f"1-0\t{EXAMPLES[system]}\n"), ("pgn", f'[Result "1-0"]\n\n{EXAMPLES[system]} 1-0\n')):
        same(f"untold_{system}_{form}", told(text, "--format", form)[:2], ([FIVE], []))
# A zero byte does not end the text.
same("zeros", told('[Event "\0a"]\nh2e2 \0 {[%eval 1] \0} h9g7 1-0\n', "--format", "pgn")[:2], (["h2e2 h9g7 1-0"], []))
# Bytes that are invalid in the encoding are replaced, and the rest of the text is kept.
row("no_encoding", b'[Event "a\xff\xffb\xe9"]\n[Result "1-0"]\n\n1. h2e2 1-0\n', file="noise.pgn", tags={"Event": "a\ufffd\ufffdb\ufffd"})
# Search data in PGN comments are read, and written again.
START_B = START.replace(" w ", " b ")
rows = [[field.decode() for field in fields] for fields in rows_of("pgn_comments.tsv", 25)]
text = "".join(f'[FEN "{START if side == "w" else START_B}"]\n[Result "1-0"]\n\n1. {"h2e2" if side == "w" else "... h9g7"} {{{note}}} 1-0\n\n' for side, note, *_ in rows)
paotai("data", "import", *KEEP, "--out", scratch("notes"), write("notes.pgn", text))
got = csv.DictReader(paotai("data", "export", "--format", "csv", "--positions", "all", scratch("notes")).stdout.splitlines())
written = paotai("data", "export", "--format", "pgn", scratch("notes")).stdout.split("[Game ")[1:]
for number, (fields, line, again) in enumerate(zip(rows, got, written), 1):
    same(f"note_{number}", ([line["score_red"] or "-", line["mate_red"], line["depth"], line["nodes"]], str(int("book" in again))),
         (fields[2:6], fields[6]))
same("note_written", [re.findall(r"\{([^}]*)\}", written[at]) for at in (2, 5, 8, 17)], [["-1.07/3, n=123"], ["-M7/9"], ["+M3/255"], ["+0.35/12 book 0.100s, n=7"]])
# With --fill-moves, a position for which the file has no move is stored with some legal move.
BOARD = "4k4/9/9/9/9/9/9/4C4/4R4/3K5 w"
same("filled", [re.sub("^....", "", one) for one in told(f'{BOARD} | 35 | 0.5\n{BOARD} [0.0]\n{BOARD} "1-0"\n', "--fill-moves")[0]], [" 1/2-1/2", " 0-1", " 1-0"])

# Import and export do not depend on the locale. In the Turkish locale, I is not the capital letter
# of i, and numbers have a decimal comma.
locales = scratch("locales")
os.makedirs(locales, exist_ok=True)
if shutil.which("localedef") and subprocess.run(["localedef", "-i", "tr_TR", "-f", "UTF-8", f"{locales}/tr_TR.UTF-8"],
                                                capture_output=True).returncode == 0:
    env = {**os.environ, "LOCPATH": locales, "LC_ALL": "tr_TR.UTF-8"}

    def say(*args, **more):
        return subprocess.run([PAOTAI, *args], capture_output=True, text=True, env=env, **more).stdout

    say("data", "import", *KEEP, "--out", scratch("turkish"), scratch("run_moves_uci"))
    for system in ("iccs", "wxf", "chinese", "san"):
        text = say("data", "export", "--format", "pgn", "--moves", system, scratch("turkish"))
        say("data", "import", *KEEP, "--out", scratch("turkish_" + system), write(f"turkish_{system}.pgn", text))
        same("locale_" + system, (content("turkish_" + system)[0], f'[Format "{system.upper()}"]' in text,
                                  say("data", "export", "--format", "moves", scratch("turkish_" + system)) == moves_of("run")),
             ("12", True, True))
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
    san = say("notation", "--from", "iccs", "--to", "san", "--game", input=f"{start}\tH2-E2 I9-I8 I0-I1\n")
    same("locale_notation", san, "Che2 Ri8 Ri1\n")
    rows = say("data", "export", "--format", "csv", "--moves", "iccs", "--positions", "all", scratch("turkish"))
    back = say("data", "import", "--out", scratch("turkish_csv"), write("turkish.csv", rows))
    same("locale_csv", values(back).get("games"), "12")
else:
    skip("locale", "localedef or its source of tr_TR is missing (make deps-dev)")

# A binary file (a seed of a fuzzer) is recognised by its content, or read in the given format. An
# error message gives the offset of the wrong byte.
corpus = {form: seeds.read(f"tests/fuzz/corpus/{form}.txt") for form in ("xqf", "cbr")}
for name in ("auto", "xqf"):
    done = paotai("data", "import", "--format", name, "--out", scratch(f"bytes_{name}.run"), stdin=corpus["xqf"]["v10"])
    same("bytes_standard_input_" + name, (done.returncode, values(done.stdout).get("plies")), (0, "5"))
cut = write("cut.xqf", b"XQ\x0a" + bytes(1021))
done = paotai("data", "import", "--out", scratch("cut.run"), cut)
same("bytes_refused", (done.returncode, done.stdout.startswith(f"error\tbyte 0: {cut}, game 1: ")), (1, True))
# The encoding of a file is detected from all its texts together: short names in GBK may be valid
# UTF-8 by chance, and records in ASCII are valid in every encoding.
names = [b"\xc4\xb3", b"\xd5\xc5"]  # the first name is valid UTF-8, a Latin letter
old = bytearray(corpus["xqf"]["v10"])
for at, name in zip((0x130, 0x140), names):
    old[at:at + 16] = bytes([len(name)]) + name.ljust(15, b"\0")
pgn = b"".join(b'[Red "%s"]\n[Event "%s"]\n[Result "1-0"]\n\n1. C2.5 H8+7 1-0\n\n' % (name, event)
               for name, event in zip(names, (b"a", "紅勝黑和進".encode("gb18030"))))
for name, path, told in (("xqf", write("gbk.xqf", bytes(old)), None), ("pgn", write("gbk.pgn", pgn), "1")):
    done = paotai("data", "import", "--out", scratch(f"gbk_{name}.run"), path)
    got = re.findall(r'\[(?:Red|Black) "([^"?]*)"', paotai("data", "export", "--format", "pgn", scratch(f"gbk_{name}.run")).stdout)
    same("gbk_" + name, (got, values(done.stdout).get("files_in_GB18030")), ([name.decode("gb18030") for name in names], told))

# Import reads commands that user interfaces send to engines, a text copied from XQStudio, and an
# archive in which the name of a file has the ending of a format.
frame = "-" * 30
pasted = f"{frame}\n赛事: 全国赛\n红方: 胡荣华\n结果: 红胜\n{frame}\n  1. 炮二平五   马８进７\n  2. 马二进三\n{frame}\n"
with zipfile.ZipFile(scratch("own.zip"), "w") as archive:
    archive.writestr("a.moves", "1-0\th2e2 h9g7\n")
start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1"
for name, text, wanted in (("position", f"position startpos moves h2e2 h9g7\nposition fen {start} moves h9g7\n", ["1/2-1/2\th2e2 h9g7", f"1/2-1/2\t{start}\th9g7"]),
                           ("pasted", pasted, ["1-0\th2e2 h9g7 h0g2"]), ("pasted_twice", pasted + "\n" + pasted, 2 * ["1-0\th2e2 h9g7 h0g2"]), ("moves_in_zip", None, ["1-0\th2e2 h9g7"])):
    row("read_" + name, text, "--unknown", "draw", *(() if text else (scratch("own.zip"),)), status=0, lines=wanted)

# A CBL library begins with an index, in which 5 marks a record as deleted. The records follow at
# multiples of 4096 bytes. Some records are longer than 4096 bytes.
def library(name, files, deleted=()):
    data = []
    for number, path in enumerate(files):
        with open(path, "rb") as file:
            data.append(file.read() + bytes(9000 * (number % 3 == 1)))
    return write(name, records.cbl(data, deleted))


paths = sorted(glob.glob(scratch("run_cbr_/*")))
for name, deleted in (("all", ()), ("second", (0, *range(2, 12)))):
    done = paotai("data", "import", "--out", scratch(f"library-{name}.run"), library(f"library-{name}.cbl", paths, deleted))
    got = paotai("data", "export", "--format", "moves", scratch(f"library-{name}.run")).stdout.splitlines()
    wanted = moves_of("run").splitlines()
    same("library_" + name, (done.returncode, got), (0, [wanted[1]] if deleted else wanted))

# ---- one game in all ways of writing -----------------------------------------------------------------

PLIES = "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7"
CHINESE = ["炮二平五", "马８进７", "马二进三", "车９平８", "车一平二", "卒７进１", "车二进六", "马２进３"]
TRADITIONAL = str.maketrans("马进车", "馬進車")
HALF = str.maketrans("１２３４５６７８９", "123456789")
WXF = ["C2.5", "H8+7", "H2+3", "R9.8", "R1.2", "P7+1", "R2+6", "H2+3"]
ICCS = ["H2-E2", "H9-G7", "H0-G2", "I9-H9", "I0-H0", "G6-G5", "H0-H6", "B9-C7"]
SAN = ["Che2", "Hg7", "Hg2", "Rh9", "Rh0", "g5", "Rh6", "Hc7"]
SCRIPTS = {
    "simplified": CHINESE, "traditional": [move.translate(TRADITIONAL) for move in CHINESE],
    "half": [move.translate(HALF) for move in CHINESE], "wxf": WXF, "wxf=": [move.replace(".", "=") for move in WXF],
    "iccs": ICCS, "uci": PLIES.split(), "upper": PLIES.upper().split(), "san": SAN,
}
MIDDLE = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2"


def numbered(moves, style, first=1):
    """Returns the moves with their numbers in a style: apart, glued, dots for Black, full-width, or without numbers."""
    words = []
    for i, move in enumerate(moves):
        number = first + i // 2
        if style == "none" or (style == "apart" and i % 2):
            words.append(move)
        elif style == "apart":
            words += [f"{number}.", move]
        elif style == "glued":
            words.append(f"{number}.{move}" if i % 2 == 0 else move)
        elif style == "dots":
            words += [f"{number}." if i % 2 == 0 else f"{number}...", move]
        elif style == "wide":
            words.append(f"{number}．{move}" if i % 2 == 0 else "　" + move)
    return words


def game(tags, words, style):
    text = " ".join(words)
    if style == "comments":
        text = "{(开局) 注释} " + " ".join(word + (" {好棋} $1 (1. 兵七进一 (卒３进１ {变}) 卒7进1)" if i == 2 else "") for i, word in enumerate(words))
        text += " ; to the end of the line 1. c3c4"
    if style == "lines":
        text = "\n".join(words)
    return "\n".join(tags) + ("\n\n" if tags else "") + text + "\n"


files = {}
for script, moves in SCRIPTS.items():
    for style in ("none", "apart", "glued", "dots", "wide"):
        if style == "wide" and script not in ("simplified", "traditional"):
            continue
        for dress in ("plain", "comments", "lines"):
            for start in (None, MIDDLE):
                tags = ['[Game "Chinese Chess"]', '[Event "杯赛"]', '[Red "甲"]', '[Result "1-0"]']
                text = game(tags + ([f'[FEN "{start}"]'] if start else []), numbered(moves[2:] if start else moves, style, 2 if start else 1), dress)
                files[f"{script}-{style}-{dress}-{'fen' if start else 'start'}"] = text
same("ways_of_writing", len(files) > 200, True)
expected_lines = {None: f"1-0\t{PLIES}", MIDDLE: f"1-0\t{MIDDLE}\t{' '.join(PLIES.split()[2:])}"}
# Each of these encodings is tested once, two of them with the line ends of Windows.
ENCODINGS = {"utf-8": "utf-8", "utf-8-sig-crlf": "utf-8-sig", "gbk-crlf": "gbk", "big5": "big5"}
for name, codec in ENCODINGS.items():
    folder = "ways/" + name
    wanted = []
    for key in sorted(files):
        text = files[key]
        if codec == "big5":
            # Big5 has no simplified characters.
            if "simplified" in key or "half" in key:
                continue
            text = text.translate(str.maketrans("马进车赛开释变", "馬進車賽開釋變"))
        if name.endswith("crlf"):
            text = text.replace("\n", "\r\n")
        write(f"{folder}/{key}.pgn", text.encode(codec))
        wanted.append(expected_lines[MIDDLE if key.endswith("fen") else None])
    done = paotai("data", "import", "--quiet", "--out", scratch(f"ways-{name}.run"), scratch(folder))
    got = paotai("data", "export", "--format", "moves", "--quiet", scratch(f"ways-{name}.run")).stdout.splitlines()
    same(f"ways_{name}", (done.returncode, [line for line in done.stdout.splitlines() if "error" in line][:4], got), (0, [], wanted))
    # Import stores the same games if one file contains all the games.
    if name in ("utf-8", "gbk-crlf"):
        joined = "".join(("" if files[key].startswith("[") else "\n") + files[key] + "\n" for key in sorted(files))
        write(f"joined-{name}.pgn", joined.replace("\n", "\r\n" if name.endswith("crlf") else "\n").encode(codec))
        done = paotai("data", "import", "--quiet", "--out", scratch(f"joined-{name}.run"), scratch(f"joined-{name}.pgn"))
        got = paotai("data", "export", "--format", "moves", "--quiet", scratch(f"joined-{name}.run")).stdout.splitlines()
        same(f"joined_{name}", (done.returncode, got == wanted), (0, True))

# ---- binary files ------------------------------------------------------------------------------------
SIX = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7".split()


def mxq(players="胡荣华-胜-许银川", end="Ends"):
    """Returns a game in the format MXQ: columns count from the left, rows from the top."""
    point = lambda square: f"{'abcdefghi'.index(square[0])}{'JIHGFEDCBA'[9 - int(square[1])]}"
    texts = ["弈天", "2003-05-01", players, "2400", "2410", *[""] * 5, "a comment", "", *(f"{point(move[:2])}-{point(move[2:])}" for move in SIX), end]
    return b"".join(bytes([len(text.encode("gbk"))]) + text.encode("gbk") for text in texts)


for word, result in (("胜", "1-0"), ("和", "1/2-1/2"), ("负", "0-1")):
    row("mxq_" + result.replace("/", ""), mxq(f"胡荣华-{word}-许银川"), file="x.mxq", status=0, games=[f"{result} {' '.join(SIX)}"],
        tags={"Red": "胡荣华", "Black": "许银川", "RedElo": "2400", "Site": "弈天"})
NAMED = {"Event": "杯赛", "Title": "题", "Site": "上海", "Date": "2003-05-01", "Red": "吕钦", "Black": "赵国荣"}
OLD = [{"tags": NAMED, "start": START, "result": result, "line": ["", [[move, "", []] for move in moves]]} for moves, result in ((SIX, "1-0"), (SIX[:5], "1/2-1/2"))]
for packed in (3, 0):
    row(f"cbl_old_{packed}", records.old_cbl(OLD, packed), *(("--format", "cbl") if packed else ()), file="x.cbl", status=0,
        games=[f"1-0 {' '.join(SIX)}", f"1/2-1/2 {' '.join(SIX[:5])}"], tags=NAMED)
# Board and moves of the example in "XQF 1.0" (the description of the format by the author of XQStudio). Import and
# export preserve them.
EXAMPLE = bytes.fromhex("2f386763 5760293b 2c4a2b27 22362133 182a2b2f 2422276b 606d336d 5e5e716f")
head = b"XQ\n".ljust(16, b"\0") + bytes.fromhex("50463c32281e140a00480c533f2b170309131d27313b454f59114d061a2e4256") + b"\0\0\0\2"
example = head.ljust(1024, b"\0") + bytes.fromhex("1820f0ff00000000") + b"".join(EXAMPLE[i:i + 2] + bytes([0xf0 * (i < 30), *bytes(5)]) for i in range(0, 32, 2))
SAID = ("1. 兵七进一 马８进７ 2. 兵三进一 炮２平３ 3. 相七进五 马２进１ 4. 马八进七 车１平２ 5. 车九平八 车２进４ 6. 炮八平九 车２平８ 7. 炮二进五 炮３平８ "
        "8. 马二进三 车９平８ 0-1\n")
got = row("xqf_example", example, file="example.xqf", lines=Import(SAID, file="told.pgn").lines)
got.export("xqf", "--out", scratch("again"))
with open(scratch("again/game-00000000.xqf"), "rb") as file:
    again = file.read()
same("xqf_example_again", (again[:0x34], again[1024:]), (head, example[1024:]))
# A truncated file is refused, wherever it ends; no part of its game is imported.
SPOKEN = {**OLD[0], "line": ["说明", [[move, "好" * (at % 2), []] for at, move in enumerate(SIX)]]}
WHOLE = {"xqf10.xqf": records.xqf(SPOKEN), "xqf16.xqf": records.xqf(SPOKEN, 16), "1.cbr": records.cbr(SPOKEN, 1), "2.cbr": records.cbr(SPOKEN),
         "old.cbl": records.old_cbl(OLD[:1], 0), "x.mxq": mxq()}
for name, whole in WHOLE.items():
    form = name.split(".")[1]
    for size in range(len(whole)):
        write(f"{name}.cut/{size:05}.{form}", whole[:size])
    got = row("cut_" + name, None, "--format", form, "--unknown", "draw", scratch(name + ".cut"), status=1, lines=[])
    same(f"cut_{name}_refused", int(got.counts.get("refused", 0)) + int(got.counts.get("refused_files", 0)), len(whole))
cbr, xqf = WHOLE["2.cbr"], WHOLE["xqf10.xqf"]
for name, content_, why in (
        ("x.mxq", mxq(end=""), "ply 7"), ("y.mxq", mxq()[:-5], "without 'Ends'"), ("z.mxq", b"\xff" * 9, "without 'Ends'"),
        ("w.cbl", records.old_cbl(OLD)[:-9], "cannot be unpacked"), ("v.cbl", records.old_cbl(OLD, 0)[:300], "is incomplete"),
        ("u.cbl", records.old_cbl([{**OLD[0], "line": ["", [["h2e3", "", []]]]}]), "ply 1"),
        ("version.cbr", cbr[:19] + b"\3" + cbr[20:], ""), ("other.cbr", b"D" + cbr[1:], ""), ("other.cbl", b"D" + cbr[1:], ""),
        ("two.xqf", xqf[:16] + xqf[17:18] + xqf[17:], "two pieces on"), ("point.xqf", xqf[:1036] + b"\x72" + xqf[1037:], "ply 1"),
        ("short.xqf", xqf[:1000], "head"), ("behind.xqf", xqf[:-1], "file ends after")):
    row("broken_" + name, content_, "--unknown", "draw", file=name, status=1, refused="1", says=[why])
row("xqf_open", xqf[:0x33] + b"\0" + xqf[0x34:], "--unknown", "skip", file="open.xqf", refused_result="1")
# The name of a player is too long for XQF. It comes from the provenance, not from a tag, so no lost tag is counted.
paotai("weights", "convert", "classic", "--out", scratch("weights_with_a_long_name.txt"))
paotai("selfplay", "--games", "2", *FEW, "--weights", scratch("weights_with_a_long_name.txt"), "--out", scratch("named"))
done = paotai("data", "export", "--format", "xqf", "--out", scratch("named_xqf"), scratch("named"))
same("xqf_long_names", (done.returncode, values(done.stdout).get("games"), "lost_tags" in done.stdout), (0, "2", False))

# ---- positions for tuners and trainers ---------------------------------------------------------------
# Lines FEN [0.5], lines FEN | score | 0.5, and the binary format of variant-nnue-tools.
paotai("selfplay", "--games", "10", "--nodes", "80", "--max-plies", "160", "--quiet", "--out", scratch("trained"))
export = lambda form, *more: paotai("data", "export", "--format", form, "--positions", "all", *more, scratch("trained")).stdout
plain = [dict(line.split(" ", 1) for line in entry.splitlines()) for entry in export("plain", "--unscored").split("e\n") if entry.strip()]
RESULTS = {1: "1.0", 0: "0.5", -1: "0.0"}


def red(entry, value):
    return int(value) if entry["fen"].split()[1] == "w" else -int(value)


texel = export("texel").splitlines()
same("trainers_texel", texel, [f"{entry['fen']} [{RESULTS[red(entry, entry['result'])]}]" for entry in plain])
bullet = export("bullet", "--unscored").splitlines()
for line, entry in zip(bullet, plain):
    score = red(entry, entry["score"]) if "score" in entry else ""
    if score != "" and abs(score) > 10000:
        score = 10000 if score > 0 else -10000
    want(line == f"{entry['fen']} | {score} | {RESULTS[red(entry, entry['result'])]}", f"{line}, of {entry}")
want(len(bullet) == len(plain), f"{len(bullet)} lines of {len(plain)}")
report("trainers_bullet")
same("trainers_bullet_scored", len(export("bullet").splitlines()), sum("score" in entry for entry in plain))
# Export counts the values that a format cannot hold. The ply numbers of the format plain follow
# from the move number and the side to move of the imported FEN.
DEEP = "1-0\t4k4/9/9/9/9/9/9/4C4/4R4/3K5 w - - 126 40\te1d1 e9f9 d1e1 f9e9\n"
LOUD = """fen,move,score_red,mate_red,result,depth,nodes,best
4k4/9/9/9/9/9/9/4C4/4R4/3K5 w - - 0 5,e1d1,20000,0,1-0,3,7,
4k4/9/9/9/9/9/9/4C4/3R5/3K5 b - - 1 5,e9f9,0,7,1-0,0,0,
5k3/9/9/9/9/9/9/4C4/3R5/3K5 w - - 2 6,d1e1,12,0,1-0,0,0,d1d2
"""
paotai("data", "import", "--out", scratch("loud"), write("loud.csv", LOUD))
paotai("data", "import", "--sample", "all", "--sample-after", "0", "--out", scratch("deep"), write("deep.tsv", DEEP))
for form, run, lost in (("texel", "loud", {"moves": 3, "scores": 2, "mates": 1, "searches": 2}), ("bullet", "loud", {"moves": 3, "mates": 1, "high_scores": 1, "searches": 2}),
                        ("plain", "loud", {"searches": 2}), ("csv", "loud", {}), ("epd", "loud", {}), ("pgn", "loud", {}), ("moves", "loud", {"scores": 2, "mates": 1, "searches": 2}),
                        ("bin", "deep", {"unscored": 4, "counters": 2})):
    done = paotai("data", "export", "--format", form, "--positions", "all", "--unscored", "--out", scratch("lossy"), scratch(run))
    got = {key[5:]: int(value) for key, value in values(done.stdout).items() if key.startswith("lost_")}
    same(f"trainers_lost_{form}", (got, [f"{count} {name.replace('_', ' ')} " in done.stderr for name, count in lost.items()]), (lost, [True] * len(lost)))
    if form == "plain":
        same("trainers_plies", re.findall(r"ply (\d+)", read("lossy")), ["8", "9", "10"])
with open(scratch("lossy"), "rb") as file:
    deep = file.read()
# Games that begin where the previous game ended stay separate games.
NEXT = DEEP.replace("126 40", "0 1") + DEEP.replace("126 40", "4 3")
paotai("data", "import", "--sample", "all", "--sample-after", "0", "--out", scratch("next"), write("next.tsv", NEXT))
for form in ("plain", "bin"):
    paotai("data", "export", "--format", form, "--positions", "all", "--unscored", "--out", scratch("next." + form), scratch("next"))
    done = paotai("data", "import", "--out", scratch("next.run." + form), scratch("next." + form))
    same("trainers_apart_" + form, [values(done.stdout).get(key) for key in ("games", "plies")], ["2", "8"])
lacking = paotai("data", "export", "--help").stdout
same("trainers_help", [f"  {form}: moves" in lacking for form in ("texel", "bullet", "plain")], [True, True, False])
for form in ("texel", "bullet"):
    paotai("data", "export", "--format", form, "--positions", "all", "--unscored", "--out", scratch("x." + form), scratch("trained"))
    done = paotai("data", "import", "--fill-moves", "--out", scratch(form + ".run"), scratch("x." + form))
    same(f"trainers_{form}_read", (done.returncode, values(done.stdout).get("positions")), (0, str(len(plain))))

# unpack() decodes exported binary positions as sfen_packer.cpp of variant-nnue-tools describes.
# --moves must not change the file: a binary file has no line that names the notation.
done = paotai("data", "export", "--positions", "all", "--unscored", "--moves", "iccs", "--out", scratch("x.bin"), scratch("trained"))
with open(scratch("x.bin"), "rb") as file:
    data = file.read()
same("trainers_bin_size", (done.returncode, len(data)), (0, 136 * len(plain)))
KINDS = {1: "r", 3: "a", 5: "c", 7: "p", 9: "n", 11: "b"}


def unpack(record):
    bits = int.from_bytes(record[:128], "little")

    def take(count):
        nonlocal bits
        value = bits & ((1 << count) - 1)
        bits >>= count
        return value
    black = take(1)
    generals = {take(7): "K", take(7): "k"}
    rows = []
    for rank in range(9, -1, -1):
        row = ""
        for file in range(9):
            man = generals.get(rank * 9 + file, "")
            if not man and take(1):
                kind = KINDS[1 | take(4) << 1]
                man = kind if take(1) else kind.upper()
            row += man or "1"
        rows.append(re.sub("1+", lambda ones: str(len(ones.group())), row))
    assert take(14 * 7 + 5) == 0
    half, full = take(6), take(16)
    half |= take(1) << 6
    assert bits == 0
    score, move, ply, result, zero = struct.unpack("<hHHbB", record[128:])
    square = lambda at: f"{'abcdefghi'[at % 12]}{at // 12 + 1}"
    return {"fen": f"{'/'.join(rows)} {'wb'[black]} - - {half} {full}", "move": square(move >> 7) + square(move & 127), "score": str(score),
            "ply": str(ply), "result": str(result)}


for at, entry in enumerate(plain):
    got = unpack(data[136 * at:136 * at + 136])
    want(got == {"score": "0", **entry}, f"{got}, not {entry}")
report("trainers_bin")
same("trainers_counters", [unpack(deep[at:at + 136])["fen"].split()[4:] for at in range(0, 544, 136)], [["126", "40"], ["127", "40"], ["127", "41"], ["127", "41"]])
# Import reads exported files again. It recognises them by the ending of their name or by --format.
# If some records of a file are damaged, the others are kept.
for name, words, file in (("x", [], "x.bin"), ("told", ["--format", "bin"], "x.dat")):
    got = row("trainers_bin_read_" + name, data, *words, file=file, status=0, positions=str(len(plain)))
    got.export("bin", "--positions", "all", "--unscored", "--out", scratch(name + ".again"))
    with open(scratch(name + ".again"), "rb") as again:
        same("trainers_bin_again_" + name, again.read() == data, True)
    same("trainers_bin_moves_" + name, re.findall("move (.*)", got.export("plain", "--positions", "all", "--unscored")), [entry["move"] for entry in plain])
row("trainers_bin_cut", data[:136 * 5 + 50], file="cut.bin", status=1, positions="5", says=["byte 680", "after 50 of its 136 bytes"])
hurt = bytearray(data)
hurt[136 * 3] ^= 0xfe  # an impossible square of a general
hurt[136 * 6 + 130] ^= 0x7f  # an impossible move
hurt[136 * 8 + 134] = 7  # an impossible result
row("trainers_bin_hurt", bytes(hurt), file="hurt.bin", status=1, refused_start="1", refused_move="1", refused_result="1", positions=str(len(plain) - 3))
row("trainers_bin_other", bytes(range(256)) * 50, file="other.bin", status=1, refused_files="1", says=["does not begin with a position of training data"])
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the commands data import and data export with the formats of other programs: round trips in
# every format and notation, known answers, refusals, folders, encodings.
import csv
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import time
import zipfile

import records
from fuzz import seeds
from checks import DATA, PAOTAI, SCRATCH, START, finish, paotai, read, same, scratch, skip, values, wait_for_work, write


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
    """Imports a text. Returns the kept games (moves and result), the line numbers and reasons of the
    refused games, the number of games that --unknown made a draw, and all output."""
    done = paotai("data", "import", "--unknown", "draw", *words, "--out", scratch("told"), write("told.txt", text))
    kept = [line.split("\t")[::len(line.split("\t")) - 1][::-1] for line in moves_of("told").splitlines()] if os.path.exists(scratch("told")) else []
    shutil.rmtree(scratch("told"), ignore_errors=True)
    lines = re.findall(r"^error\tline (\d+)", done.stdout, re.M)
    reasons = re.findall(r"^refused_(fields|result|start|move|length) (\d+)", done.stdout, re.M)
    return [" ".join(game) for game in kept], lines, sorted(reasons), int(values(done.stdout).get("results_as_draws", 0)), done.stdout


for number, row in enumerate(rows_of("games.tsv", 60), 1):
    form, system, text, wanted, word = row[0].decode(), row[1].decode(), unescaped(row[2]), row[3].decode(), row[4].decode()
    wanted = [one for one in wanted.split(" | ") if one]
    refused = [one.split("@") for one in wanted if "@" in one]
    reasons = [why for why, _ in refused]
    answer = ([re.sub(r"\*$", "1/2-1/2", one) for one in wanted if "@" not in one], [line for _, line in refused],
              sorted((why, str(reasons.count(why))) for why in set(reasons)), sum(one.endswith("*") for one in wanted))
    for form in {"both": ("auto", "pgn")}.get(form, (form,)):
        got = told(text, "--format", form, *(["--moves", "uci1"] if system == "uci1" else []))
        same(f"games_{number}_{form}", (got[:4], word == "-" or word in got[4]), (answer, True))
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
paotai("data", "import", "--quiet", "--out", scratch("noise"), write("noise.pgn", b'[Event "a\xff\xffb\xe9"]\n[Result "1-0"]\n\n1. h2e2 1-0\n'))
same("no_encoding", re.findall(r'Event "(.*)"', paotai("data", "export", "--format", "pgn", scratch("noise")).stdout), ["a\ufffd\ufffdb\ufffd"])
# Search data in PGN comments are read, and written again.
START_B = START.replace(" w ", " b ")
rows = [[field.decode() for field in row] for row in rows_of("pgn_comments.tsv", 25)]
text = "".join(f'[FEN "{START if side == "w" else START_B}"]\n[Result "1-0"]\n\n1. {"h2e2" if side == "w" else "... h9g7"} {{{note}}} 1-0\n\n' for side, note, *_ in rows)
paotai("data", "import", *KEEP, "--out", scratch("notes"), write("notes.pgn", text))
got = csv.DictReader(paotai("data", "export", "--format", "csv", "--positions", "all", scratch("notes")).stdout.splitlines())
written = paotai("data", "export", "--format", "pgn", scratch("notes")).stdout.split("[Game ")[1:]
for number, (row, line, again) in enumerate(zip(rows, got, written), 1):
    same(f"note_{number}", ([line["score_red"] or "-", line["mate_red"], line["depth"], line["nodes"]], str(int("book" in again))),
         (row[2:6], row[6]))
same("note_written", [re.findall(r"\{([^}]*)\}", written[at]) for at in (2, 5, 8, 17)], [["-1.07/3, n=123"], ["-M7/9"], ["+M3/255"], ["+0.35/12 book 0.100s, n=7"]])
# With --fill-moves, a position for which the file has no move is stored with some legal move.
BOARD = "4k4/9/9/9/9/9/9/4C4/4R4/3K5 w"
same("filled", [re.sub("^....", "", one) for one in told(f'{BOARD} | 35 | 0.5\n{BOARD} [0.0]\n{BOARD} "1-0"\n', "--fill-moves")[0]], [" 1/2-1/2", " 0-1", " 1-0"])

# ---- files and folders --------------------------------------------------------------------------------------

GAME = '[Event "杯"]\n[Result "1-0"]\n\n1. 炮二平五 马８进７ {好} 2. 马二进三 车９平８ 1-0\n'
write("found/a.pgn", GAME.encode("gbk"))
write("found/deep/b.PGN", GAME.replace("马", "馬").replace("车", "車").replace("进", "進").encode("big5"))
write("found/c.epd", '4k4/9/9/9/9/9/9/4C4/4R4/3K5 w - - sm e1d1; c9 "0-1";\n')
write("found/d.txt", "1-0\th2e2\n")
broken = write("broken.pgn", '[Event "1"]\n[Result "1-0"]\n\nh2e2 h9g7\n\n[Event "2"]\n[Result "1-0"]\n\n1. h2e2 h9g7 2. h0g2\n'
               '{x} i9i5\n\n[Event "3"]\n\n1. h2e2 *\n')
done = paotai("data", "import", "--threads", "1", "--out", scratch("found.run"), scratch("found"), broken)
errors = [line for line in done.stdout.splitlines() if line.startswith("error\t")]
same("found_exit_status", done.returncode, 1)
same("found_errors", [re.sub(r"( legal moves are|': ).*", "", error.replace(SCRATCH, "")) for error in errors],
      ["error\tline 10: /broken.pgn, game 2: ply 4: 'i9i5' fits no legal move;",
       "error\tline 12: /broken.pgn, game 3: the file does not say how the game ended, and by the rules it has not ended; '--unknown draw' would store it as a draw"])
summary = values(done.stdout)
same("found_counts", [summary.get(key) for key in ("records", "games", "refused_move", "refused_result", "plies")],
      ["6", "4", "1", "1", "11"])
info = values(paotai("data", "info", scratch("found.run")).stdout)
same("found_sources", info.get("provenance_source", "").count("sha256"), 4)
same("found_order", paotai("data", "export", "--format", "moves", scratch("found.run")).stdout,
      "1-0\th2e2 h9g7 h0g2 i9h9\n0-1\t4k4/9/9/9/9/9/9/4C4/4R4/3K5 w - - 0 1\te1d1\n1-0\th2e2 h9g7 h0g2 i9h9\n1-0\th2e2 h9g7\n")
done = paotai("data", "import", "--json", "--out", scratch("json.run"), broken)
told = [json.loads(line) for line in done.stdout.splitlines()]
same("found_json", [(record["line"], record["file"] == broken, record["game"]) for record in told[:-1]],
      [(10, True, 2), (12, True, 3)])
done = paotai("data", "import", "--format", "pgn", "--out", scratch("stdin.run"), stdin=GAME)
same("standard_input", (done.returncode, values(done.stdout).get("plies")), (0, "4"))
done = paotai("data", "import", "--out", scratch("auto.run"), stdin=GAME)
same("standard_input_auto", (done.returncode, values(done.stdout).get("plies")), (0, "4"))
done = paotai("data", "import", "--format", "csv", "--out", scratch("no.run"), scratch("found"))
same("folder_without", (done.returncode, "has no file whose name ends in .csv" in done.stderr), (1, True))
bare = write("bare.epd", "4k4/9/9/9/9/9/9/4C4/4R4/3K5 w [1.0]\n")
same("no_move", paotai("data", "import", "--out", scratch("bare.run"), bare).returncode, 1)
done = paotai("data", "import", "--fill-moves", "--out", scratch("filled.run"), bare)
same("fill_moves", (done.returncode, values(done.stdout).get("positions")), (0, "1"))

# A game without a result gets the result by the rules, becomes a draw, or is refused.
MATED, STALE, LOOP = "4k4/8R/9/9/9/9/9/9/1R7/3K5 w", "3k5/9/4P4/9/9/9/9/9/9/4K4 w", "4k4/1R7/9/9/9/9/9/9/9/3K5 w"
TOLD = f"*\t{MATED}\tb1b9\n?\t{STALE}\te7d7\n*\t{LOOP}\t{'b8b9 e9e8 b9b8 e8e9 ' * 3}\n*\th2e2 h9g7\n1-0\th2e2\n"
for unknown, results in (("referee", ["1-0", "1-0", "0-1", "1-0"]), ("draw", ["1-0", "1-0", "0-1", "1/2-1/2", "1-0"]), ("skip", ["1-0"])):
    run = scratch(f"unknown-{unknown}")
    done = paotai("data", "import", *(["--unknown", unknown] if unknown != "referee" else []), "--out", run, stdin=TOLD)
    got = [line.split("\t")[0] for line in paotai("data", "export", "--format", "moves", run).stdout.splitlines()]
    same("unknown_" + unknown, (done.returncode, got, values(done.stdout).get("results_by_referee"), values(done.stdout).get("results_as_draws"),
                                paotai("data", "verify", run).returncode),
         (int(unknown != "draw"), results, None if unknown == "skip" else "3", "1" if unknown == "draw" else None, 0))

# A file of an unknown format gives one error line. For folders and archives, `data import` lists
# the files that it did not read.
noise = write("noise.xml", '<?xml version="1.0"?>\n' + "<move>炮二平五</move>\n" * 5000)
done = paotai("data", "import", "--out", scratch("noise.run"), noise)
same("unknown_content", (done.returncode, done.stdout.count("error\t"), "it begins with '<?xml" in done.stdout), (1, 1, True))
done = paotai("data", "import", "--out", scratch("noise2.run"), noise, write("good.txt", GAME))
same("unknown_content_among_others", (done.returncode, values(done.stdout).get("games"), values(done.stdout).get("refused_files")), (1, "1", "1"))
for name in ("a.pgn", "b.txt", "c.TXT", "d.jpg", "Makefile"):
    write("passed/" + name, GAME)
done = paotai("data", "import", "--out", scratch("passed.run"), scratch("passed"))
same("passed_over", (done.returncode, values(done.stdout).get("passed_over"), done.stderr.replace(scratch("passed"), "").splitlines()[-1:]),
     (0, "4", ["these files were not read because of the endings of their names: 1 without an ending (/Makefile), 2 .txt (/b.txt ...), 1 .jpg (/d.jpg); to read such a file, give its name as an argument (unpack an archive first)"]))
done = paotai("data", "import", "--out", scratch("short.run"), stdin="1-0\th2e2 h9g7\n1-0\t" + "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7 b0c2 a9a8 a0a1 c6c5\n")
same("games_unsampled", [values(done.stdout).get(key) for key in ("games", "games_unsampled")], ["2", "1"])

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

# Files with the line ends of three systems, and with CR CR LF, are read. The PGN is also read from
# a pipe.
ENDED = ('[Event "1"]\n[Result "1-0"]\n\n1. h2e2 h9g7 {a\nb} 2. h0g2 1-0\n\n[Event "2"]\n[Result "0-1"]\n\n1. h2e2 h9g7\n2. h0g2 i9h9 0-1\n\n'
         '[Event "3"]\n[Result "1-0"]\n\n1. h2e2\ni9i5 1-0\n')
EPD = '4k4/9/9/9/9/9/9/4C4/4R4/3K5 w - - sm e1d1; c9 "0-1";\n' * 2
MOVES = "# a list\n\n1-0\th2e2\n0-1\th2e2 h9g7\n"
ENDS = {"lf": "\n", "crlf": "\r\n", "cr": "\r", "crcrlf": "\r\r\n"}
for name, end in ENDS.items():
    for form, text, games, line in (("pgn", ENDED, "2", ["17"]), ("epd", EPD, "2", []), ("moves", MOVES, "2", [])):
        path = write(f"end_{name}.{form}", text.replace("\n", end).encode())
        done = paotai("data", "import", "--out", scratch(f"end_{name}_{form}.run"), path)
        lines = re.findall(r"^error\tline (\d+)", done.stdout, re.M)
        same(f"line_ends_{name}_{form}", (values(done.stdout).get("games"), lines if name != "crcrlf" else line), (games, line))
    # A pipe returns its bytes in other portions than a file.
    piped = subprocess.run(["sh", "-c", f'cat "$0" | "{PAOTAI}" data import --out "$0.run"', scratch(f"end_{name}.pgn")],
                           capture_output=True, text=True)
    same(f"line_ends_{name}_piped", values(piped.stdout).get("games"), "2")

# These characters contain bytes that look like ASCII characters: a backslash in 功 (Big5), the two
# brackets in 嘯揮 (GBK), a brace in 剓 (GBK).
for encoding, text in (("gbk", '[Event "功夫杯"]\n[Red "吕钦嘯揮"]\n[Result "红胜"]\n\n1. 炮二平五 {剓妙} 马８进７ 2. 马二进三 车９平８ 1-0\n'),
                       ("big5", '[Event "功夫杯"]\n[Red "許功蓋"]\n[Result "1-0"]\n\n1. 炮二平五 馬８進７ 2. 馬二進三 {育} 車９平８\n'),
                       ("big5", "1. 砲二平五 馬8進7 2. 馬二進三 車9平8 紅勝\n")):
    done = paotai("data", "import", "--format", "pgn", "--out", scratch(f"bytes_{len(text)}.run"), write(f"bytes_{len(text)}.pgn", text.encode(encoding)))
    got = paotai("data", "export", "--format", "moves", scratch(f"bytes_{len(text)}.run")).stdout
    same(f"encoding_{encoding}_{len(text)}", (done.returncode, got), (0, "1-0\th2e2 h9g7 h0g2 i9h9\n"))

# Editors on Windows write UTF-16 with a byte order mark. An incomplete last character is not fatal.
for name, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
    path = write(name + ".pgn", mark + GAME.replace("\n", "\r\n").encode(name))
    done = paotai("data", "import", "--out", scratch(name + ".run"), path)
    with open(path, "rb") as file:
        piped = subprocess.run(["sh", "-c", f'cat | "{PAOTAI}" data import --out "{path}.run"'], stdin=file, capture_output=True, text=True)
    same("encoding_" + name, (done.returncode, values(done.stdout).get("plies"), values(piped.stdout).get("plies")), (0, "4", "4"))
    half = write(name + "half.pgn", mark + GAME.replace("好", "\ud83d").encode(name, "surrogatepass") + b"\x00")
    done = paotai("data", "import", "--format", "pgn", "--out", scratch(name + "half.run"), half)
    same("encoding_half_" + name, (done.returncode, values(done.stdout).get("plies")), (0, "4"))
same("encoding_mark_alone", paotai("data", "import", "--out", scratch("mark.run"), write("mark.pgn", b"\xff\xfe")).returncode, 1)
done = paotai("data", "import", "--out", scratch("mark2.run"), write("mark2.txt", b"\xff#\n1-0\th2e2\n"))
same("encoding_mark_broken", [values(done.stdout).get(key) for key in ("games", "refused")], ["1", "1"])

# If a folder has entries that cannot be read as files, `data import` prints their names and number,
# and imports the other files.
write("mixed/a.pgn", GAME)
write("mixed/z.pgn", GAME)
os.symlink("nowhere", scratch("mixed/dangling.pgn"))
os.symlink("/dev/zero", scratch("mixed/device.pgn"))
os.mkfifo(scratch("mixed/pipe.pgn"))
os.mkdir(scratch("mixed/deep"))
os.symlink("..", scratch("mixed/deep/up.pgn"))
MIXED = ["dangling.pgn", "deep/up.pgn", "device.pgn", "pipe.pgn"]
done = paotai("data", "import", "--out", scratch("mixed.run"), scratch("mixed"))
same("unreadable_files", (done.returncode, re.findall(r"^error\tfile (.*?): ", done.stdout.replace(scratch("mixed/"), ""), re.M),
                           [values(done.stdout).get(key) for key in ("games", "refused", "refused_files")]), (1, MIXED, ["2", "0", "4"]))
done = paotai("data", "import", "--json", "--out", scratch("mixed_json.run"), scratch("mixed"))
same("unreadable_files_json", [json.loads(line).get("file", "").replace(scratch("mixed/"), "") for line in done.stdout.splitlines()], MIXED + [""])
done = paotai("data", "import", "--out", scratch("two.run"), scratch("mixed/dangling.pgn"), scratch("mixed/a.pgn"))
same("unreadable_by_name", (done.returncode, [values(done.stdout).get(key) for key in ("games", "refused_files")]), (1, ["1", "1"]))
done = paotai("data", "import", "--out", scratch("none.run"), scratch("mixed/dangling.pgn"), scratch("no such file"))
same("unreadable_all", (done.returncode, "none of the 2 files" in done.stderr, os.path.exists(scratch("none.run"))), (1, True, False))
done = paotai("data", "import", "--out", scratch("none.run"), scratch("no such file"))
same("unreadable_only", (done.returncode, done.stdout, "cannot open" in done.stderr, os.path.exists(scratch("none.run"))), (1, "", True, False))

# A single signal ends the wait for the writer of a named pipe. Without a signal, a late writer is
# read to the end.
child = subprocess.Popen([PAOTAI, "data", "import", "--out", scratch("wait.run"), scratch("mixed/pipe.pgn")], stderr=subprocess.DEVNULL)
wait_for_work(child, signal.SIGTERM, 0)
time.sleep(0.3)
child.terminate()
try:
    same("signal_ends_waiting", (child.wait(300), os.path.exists(scratch("wait.run"))), (143, False))
except subprocess.TimeoutExpired:
    child.kill()
    same("signal_ends_waiting", "it still waits", "an end")
child = subprocess.Popen([PAOTAI, "data", "import", "--quiet", "--out", scratch("late.run"), scratch("mixed/pipe.pgn")], stdout=subprocess.PIPE, text=True)
time.sleep(0.3)
with open(scratch("mixed/pipe.pgn"), "w") as pipe:
    time.sleep(0.3)
    pipe.write(GAME[:30])
    pipe.flush()
    time.sleep(0.3)
    pipe.write(GAME[30:])
same("late_pipe", (values(child.communicate(timeout=300)[0]).get("plies"), child.returncode), ("4", 0))

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
for name, path, wanted in (("position", write("said.txt", f"position startpos moves h2e2 h9g7\nposition fen {start} moves h9g7\n"),
                            ["1/2-1/2\th2e2 h9g7", f"1/2-1/2\t{start}\th9g7"]),
                           ("pasted", write("pasted.txt", pasted), ["1-0\th2e2 h9g7 h0g2"]),
                           ("pasted_twice", write("pasted2.txt", pasted + "\n" + pasted), 2 * ["1-0\th2e2 h9g7 h0g2"]), ("moves_in_zip", scratch("own.zip"), ["1-0\th2e2 h9g7"])):
    done = paotai("data", "import", "--unknown", "draw", "--out", scratch(name + ".run"), path)
    same("read_" + name, (done.returncode, paotai("data", "export", "--format", "moves", scratch(name + ".run")).stdout.splitlines()), (0, wanted))

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

finish()

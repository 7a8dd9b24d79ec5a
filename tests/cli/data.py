# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests data import, info, verify and export as commands: what they refuse, files and folders, pipes, line ends,
encodings, damaged files, and the time and memory that a file takes. formats.py and fields.py test what the files
say."""
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from checks import FULL, PAOTAI, SCRATCH, START, finish, paotai, report, same, scratch, skip, values, wait_for_work, want, write
from imports import Import, row

sys.path.insert(0, "tests/fuzz")
import seeds  # noqa: E402


def content(run):
    info = values(paotai("data", "info", scratch(run)).stdout)
    return [info.get(key) for key in ("games", "plies", "positions", "content_hash")]


# ---- records of games and the commands that read a store ---------------------------------------------
MATE = "4k4/8R/9/9/9/9/9/9/1R7/3K5 w"
RECORDS = f"""# result, code, moves
1-0\tC99\th2e2 h9g7 h0g2 i9h9
0-1\th2e2 h9g7 e2e9

*\th2e2 h9g7
1/2-1/2\tA/path/with/nine/slashes/that/is/no/fen/.pgn\th2e2 h9g7 e2e6\r
1-0\t{MATE}\tb1b9
1-0\t9/9/9/9/9/9/9/9/9/9 w\tb1b9
1-0
1-0\t
1/2-1/2\t{MATE}\t{"b1b2 e9f9 b2b1 f9e9 " * 3}b1b9
0-1\th2e2 h9g7 h2e2
1-0\th2e2 h9zz
"""
REFUSED = [
    ("line 3:", "ply 3", "e2e9"),
    ("line 5:", "--unknown"),
    ("line 8:", "board"),
    ("line 9:", "tab"),
    ("line 10:", "no moves"),
    ("line 12:", "ply 3", "h2e2"),
    ("line 13:", "ply 2", "h9zz"),
]
path = write("games.tsv", RECORDS)
done = paotai("data", "import", "--format", "moves", "--sample", "all", "--sample-after", "0", "--out", scratch("listed"), path)
errors = [line for line in done.stdout.splitlines() if line.startswith("error\t")]
same("import_exit_status", done.returncode, 1)
same("import_result_remedy", "tag Result" in done.stderr, True)
same("import_refusals", len(errors), len(REFUSED))
for error, words in zip(errors, REFUSED):
    if not all(word in error for word in words):
        same("import_refusal_" + words[0].split()[1].strip(":"), error, words)
summary = values(done.stdout)
expected = {"records": "11", "games": "4", "refused": "7", "refused_fields": "1", "refused_result": "1", "refused_start": "1",
            "refused_move": "3", "refused_length": "1", "plies": "21", "referee_none": "2", "referee_checkmate": "1",
            "referee_no_violation": "1"}
same("import_summary", {key: summary.get(key) for key in expected}, expected)
# The sample has 4, 3 and 1 positions of the first three games, and 8 positions of the last game, in
# which a position occurs for the third time after 8 plies.
same("import_samples_to_the_end", summary.get("positions"), "16")

done = paotai("data", "verify", scratch("listed"))
same("import_verifies", (done.returncode, values(done.stdout).get("verdict")), (0, "true"))
info = values(paotai("data", "info", scratch("listed")).stdout)
with open(path, "rb") as file:
    source = "games.tsv sha256 " + hashlib.sha256(file.read()).hexdigest()
same("import_provenance", info.get("provenance_source"), source)
same("info_counts", [info.get(key) for key in ("games", "plies", "red_wins", "draws", "black_wins", "end_imported")],
      ["4", "21", "2", "2", "0", "4"])
parsed = json.loads(paotai("data", "info", "--json", scratch("listed")).stdout)
same("info_json", {key: str(parsed[key]) for key in ("games", "positions", "content_hash")},
      {key: info[key] for key in ("games", "positions", "content_hash")})

done = paotai("data", "import", "--out", scratch("listed"), path)
same("import_into_a_run", done.returncode, 2)
done = paotai("data", "import", "--out", scratch("stdin"), "--sample", "all", "--sample-after", "0", "--shard-games", "3",
              "--threads", "2", "--json", stdin=RECORDS)
told = [json.loads(line) for line in done.stdout.splitlines()]
same("import_json", [record.get("line") for record in told[:-1]], [3, 5, 8, 9, 10, 12, 13])
again = values(paotai("data", "info", scratch("stdin")).stdout)
same("info_of_refused_games", [again.get(key) for key in ("first_game", "end_game", "missing_games", "left_out_games", "games")],
     ["0", "4", "0", "0", "4"])
# Refused games leave no gaps: an import of only the kept games gives the same content hash.
paotai("data", "import", "--out", scratch("clean"), "--sample", "all", "--sample-after", "0",
       stdin=paotai("data", "export", "--format", "moves", scratch("stdin")).stdout)
same("import_hash_without_refusals", values(paotai("data", "info", scratch("clean")).stdout).get("content_hash"), again.get("content_hash"))
same("import_any_shards", again.get("content_hash"), info.get("content_hash"))
same("import_shards", again.get("shards"), "3")

done = paotai("data", "import", "--out", scratch("bytes"), write("bytes.tsv", "1-0\th2e2\0h9g7\n" + "x" * 100000 + "\t" * 1000 + "\n"))
same("import_odd_bytes", (done.returncode, done.stdout.count("error\t")), (1, 2))
for name, text in (("nothing", ""), ("comments", "# no game\n\n")):
    done = paotai("data", "import", "--out", scratch(name + ".run"), write(name, text))
    same("import_" + name, (done.returncode, values(done.stdout).get("records"), "the file contains no game" in done.stdout), (1, "0", True))
same("import_no_out", paotai("data", "import", path).returncode, 2)
done = paotai("show", "--data", scratch("listed"), "--game", "4")
same("show_names_games", "has no game 4; it has 4 games, from 0 to 3\n" in done.stderr, True)
for ending in ("foo", "cbl"):
    done = paotai("data", "export", "--out", scratch("games." + ending), scratch("listed"))
    same("export_" + ending, (done.returncode, f"no format that can be written has the ending .{ending}" in done.stderr, os.path.exists(scratch("games." + ending))),
          (2, True, False))
same("export_format_given", paotai("data", "export", "--format", "moves", "--out", scratch("games.foo"), scratch("listed")).returncode, 0)
done = paotai("data", "export", "--format", "pgn", scratch("listed"))
same("export_date_of_import", done.stdout.count('[Date "????.??.??"]'), 4)
paotai("selfplay", "--games", "6", "--nodes", "10", "--opening-nodes", "10", "--shard-games", "2", "--quiet", "--out", scratch("broken off"))
os.remove(scratch("broken off/shard-00000004-00000006.h5"))
info = values(paotai("data", "info", scratch("broken off")).stdout)
same("info_asked_games", [info.get(key) for key in ("games", "missing_games", "asked_games", "unplayed_games")], ["4", "0", "6", "2"])
for round in range(2):  # the directory is removed, so that import can run again
    done = paotai("data", "import", "--shard-games", "1", "--out", scratch("new/none"), write("refused.tsv", "*\th2e2\n1-0\th2e9\n"))
    same(f"import_keeps_none_{round}", (done.returncode, values(done.stdout).get("refused"), os.path.exists(scratch("new/none"))),
          (1, "2", False))
same("import_refused_above_0", "refused_length" in done.stdout, False)
for name in ("games.tsv", "fit.txt"):
    done = paotai("data", "info", write("never-" + name, RECORDS))
    same("info_of_" + name, (done.returncode, "not a shard" in done.stderr, "move this file" in done.stderr), (1, True, False))
done = paotai("data", "verify", path)
same("verify_of_text", (done.returncode, "not a shard" in done.stdout), (1, True))
for command in ("info", "verify"):
    os.makedirs(scratch("empty"), exist_ok=True)
    done = paotai("data", command, scratch("empty"))
    same(f"{command}_of_nothing", (done.returncode, "has no shards" in done.stderr), (1, True))
    same(f"{command}_no_such_place", paotai("data", command, scratch("no such place")).returncode, 1)
with open(scratch("empty/shard-00000000-00000001.h5"), "wb") as file:
    file.write(b"no HDF5")
done = paotai("data", "verify", scratch("empty"))
same("verify_broken_file", (done.returncode, done.stdout.startswith("fault "), values(done.stdout).get("faults")), (1, True, "1"))

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
for unknown, status, results, referee, draws in (("referee", 1, ["1-0", "1-0", "0-1", "1-0"], "3", None), ("draw", 0, ["1-0", "1-0", "0-1", "1/2-1/2", "1-0"], "3", "1"),
                                                 ("skip", 1, ["1-0"], None, None)):
    got = row("unknown_" + unknown, TOLD, "--unknown", unknown, status=status, results_by_referee=referee, results_as_draws=draws, verify=0)
    same(f"unknown_{unknown}_results", [line.split("\t")[0] for line in got.lines], results)

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

# Files with the line ends of three systems, and with CR CR LF, are read. The PGN is also read from
# a pipe.
ENDED = ('[Event "1"]\n[Result "1-0"]\n\n1. h2e2 h9g7 {a\nb} 2. h0g2 1-0\n\n[Event "2"]\n[Result "0-1"]\n\n1. h2e2 h9g7\n2. h0g2 i9h9 0-1\n\n'
         '[Event "3"]\n[Result "1-0"]\n\n1. h2e2\ni9i5 1-0\n')
EPD = '4k4/9/9/9/9/9/9/4C4/4R4/3K5 w - - sm e1d1; c9 "0-1";\n' * 2
MOVES = "# a list\n\n1-0\th2e2\n0-1\th2e2 h9g7\n"
ENDS = {"lf": "\n", "crlf": "\r\n", "cr": "\r", "crcrlf": "\r\r\n"}
for name, end in ENDS.items():
    for form, text, games, line in (("pgn", ENDED, "2", ["17"]), ("epd", EPD, "2", []), ("moves", MOVES, "2", [])):
        got = Import(text.replace("\n", end).encode(), file=f"end.{form}")
        lines = re.findall(r"^error\tline (\d+)", got.out, re.M)
        same(f"line_ends_{name}_{form}", (got.counts.get("games"), lines if name != "crcrlf" else line), (games, line))
    # A pipe returns its bytes in other portions than a file.
    piped = subprocess.run(["sh", "-c", f'cat "$0" | "{PAOTAI}" data import --out "$0.run"', write(f"end_{name}.pgn", ENDED.replace("\n", end).encode())],
                           capture_output=True, text=True)
    same(f"line_ends_{name}_piped", values(piped.stdout).get("games"), "2")

# These characters contain bytes that look like ASCII characters: a backslash in 功 (Big5), the two
# brackets in 嘯揮 (GBK), a brace in 剓 (GBK).
for encoding, text in (("gbk", '[Event "功夫杯"]\n[Red "吕钦嘯揮"]\n[Result "红胜"]\n\n1. 炮二平五 {剓妙} 马８进７ 2. 马二进三 车９平８ 1-0\n'),
                       ("big5", '[Event "功夫杯"]\n[Red "許功蓋"]\n[Result "1-0"]\n\n1. 炮二平五 馬８進７ 2. 馬二進三 {育} 車９平８\n'),
                       ("big5", "1. 砲二平五 馬8進7 2. 馬二進三 車9平8 紅勝\n")):
    row(f"encoding_{encoding}_{len(text)}", text.encode(encoding), "--format", "pgn", status=0, games=["1-0 h2e2 h9g7 h0g2 i9h9"])

# Editors on Windows write UTF-16 with a byte order mark. An incomplete last character is not fatal.
for name, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
    path = write(name + ".pgn", mark + GAME.replace("\n", "\r\n").encode(name))
    done = paotai("data", "import", "--out", scratch(name + ".run"), path)
    with open(path, "rb") as file:
        piped = subprocess.run(["sh", "-c", f'cat | "{PAOTAI}" data import --out "{path}.run"'], stdin=file, capture_output=True, text=True)
    same("encoding_" + name, (done.returncode, values(done.stdout).get("plies"), values(piped.stdout).get("plies")), (0, "4", "4"))
    row("encoding_half_" + name, mark + GAME.replace("好", "\ud83d").encode(name, "surrogatepass") + b"\x00", "--format", "pgn", status=0, plies="4")
row("encoding_mark_alone", b"\xff\xfe", file="mark.pgn", status=1)
row("encoding_mark_broken", b"\xff#\n1-0\th2e2\n", games=["1-0 h2e2"], refused="1")

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

# ---- memory and time ---------------------------------------------------------------------------------
# A label after tags without quotes made a copy of the reader, which freed memory of the original.
for number, text in enumerate(("[E\n[E\n:", "[FEN 1\n[A\nx y:", "[Red x\n[Red x\n红方：\n[E\n:\n:"), 1):
    path = write(f"label{number}.pgn", text)
    for words in (["data", "import", "--out", scratch("never"), path], ["view", path, "--out", scratch("never.html")],
                  ["analyse", "--review", path], ["book", "info", path], ["match", "--openings", path, "--a", "nodes=1", "--b", "nodes=1",
                   "--pairs", "1"]):
        want(paotai(*words).returncode in (0, 1), f"{' '.join(words[:2])} of text {number} crashes")
report("labels_after_tags")

# Each text grows with N. Four times the text may take at most eight times the processor time.
LIST = "[DhtmlXQ]\n[DhtmlXQ_movelist]774770627967{}[/DhtmlXQ_movelist]\n[DhtmlXQ_result]红胜[/DhtmlXQ_result]\n"
PLAYED = '[Result "1-0"]\n\n1. h2e2 {} h9g7 1-0\n'
GROWING = {
    "tag again": lambda n: '[Event "E"]\n' * n,
    "tags": lambda n: "".join(f'[T{at} "x"]\n' for at in range(n)) + PLAYED.format(""),
    "tags in a line": lambda n: '[A "x"] ' + '[Event "E"] ' * n + PLAYED.format(""),
    "variations": lambda n: LIST.format("") + "".join(f"[DhtmlXQ_move_0_2_{at}]7062[/DhtmlXQ_move_0_2_{at}]\n" for at in range(1, n)) + "[/DhtmlXQ]\n",
    "bad variations": lambda n: LIST.format("") + "".join(f"[DhtmlXQ_move_0_1_{at}]9062[/DhtmlXQ_move_0_1_{at}]\n" for at in range(1, n)) + "[/DhtmlXQ]\n",
    "variations of variations": lambda n: LIST.format("") + "".join(
        f"[DhtmlXQ_move_{at - 1}_{min(at, 2)}_{at}]7062[/DhtmlXQ_move_{at - 1}_{min(at, 2)}_{at}]\n" for at in range(1, n)) + "[/DhtmlXQ]\n",
    "branches of a long line": lambda n: LIST.format("") + f"[DhtmlXQ_move_0_2_1]{'7062796770796267' * (n // 8)}[/DhtmlXQ_move_0_2_1]\n" + "".join(
        f"[DhtmlXQ_move_1_{n // 2}_{at}]70[/DhtmlXQ_move_1_{n // 2}_{at}]\n" for at in range(2, n // 4)) + "[/DhtmlXQ]\n",
    "remarks": lambda n: LIST.format("7967" * 0) + "".join(f"[DhtmlXQ_comment{at}]a remark[/DhtmlXQ_comment{at}]\n" for at in range(n)) + "[/DhtmlXQ]\n",
    "tags that do not end": lambda n: LIST.format("") + "".join(f"[DhtmlXQ_comment{at}]x\n" for at in range(n)),
    "PGN variations": lambda n: PLAYED.format("(1. b2e2 b9c7) " * n), "nested": lambda n: PLAYED.format("(1. b2e2 " * n + ")" * n),
    "PGN variations with tags": lambda n: "".join(f'[T{at} "{"x" * (4000 if at > 8 else 9)}"]\n' for at in range(60)) + PLAYED.format("(1. b2e2 b9c7) " * (n // 2)),
    "not closed": lambda n: PLAYED.format("(1. b2e2 {" * n), "comments": lambda n: PLAYED.format("{[%eval 0.1] a}" * n), "NAGs": lambda n: PLAYED.format("$1 ! ; x\n" * n),
    "results": lambda n: "1-0 1. " * n, "page": lambda n: '<p>[Event "E"]<br>[Result "1-0"]<br>1. h2e2 <i>' + "&amp;</i> " * n,
    "moves": lambda n: PLAYED.format("h9g7 e2h2 g7h9 h2e2 " * n), "labels": lambda n: "红方: a\nx y z: b\n" * n + "1. h2e2 1-0\n",
    "line without a move": lambda n: "x " * n, "csv columns": lambda n: "fen,result," + ",".join(f"c{at}" for at in range(n)) + f"\n{START},1-0{',1' * n}\n",
    "opcodes": lambda n: f'{START[:-4]} sm h2e2; c9 "1-0"; ' + "a 1; " * n + "\n", "plain": lambda n: f"fen {START}\n" + "move h3e3\n" * n + "score 1\nresult 1\ne\n",
    "lines of play": lambda n: "1-0\t" + "h2e2 h9g7 e2h2 g7h9 " * n}
NAMES = {"csv columns": "in.csv", "opcodes": "in.epd", "plain": "in.plain", "page": "in.html", "lines of play": "in.txt"}


def seconds(text, name):
    """Returns the processor time of an import in seconds, and its peak memory in megabytes."""
    shutil.rmtree(scratch("grown"), ignore_errors=True)
    child = subprocess.Popen([PAOTAI, "data", "import", "--variations", "--quiet", "--threads", "1", "--out", scratch("grown"), write(name, text)],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    want(os.waitstatus_to_exitcode(status) in (0, 1), f"{name} ends with the status {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


# Sanitizers need several times the time and memory, and this test would be half of their part of .ci/run.
MEASURED = not re.search("^variant .*san", paotai("--version").stdout, re.M)
for kind, text in GROWING.items() if MEASURED else ():
    for n in (6000, 25000):  # texts that take long need not be large
        small = seconds(text(n), NAMES.get(kind, "in.pgn"))
        if small[0] > 0.05:
            break
    large = seconds(text(4 * n), NAMES.get(kind, "in.pgn"))
    want(large[0] < 8 * max(small[0], 0.05), f"{kind}: {n} take {small[0]:.2f} s, {4 * n} {large[0]:.2f} s")
    want(large[1] < 100 + 0.014 * 4 * n, f"{kind}: {4 * n} take {large[1]:.0f} MB")
if MEASURED:
    report("time_grows_with_the_text")
else:
    skip("time_grows_with_the_text", "sanitizers need several times the time and memory")
LONG = PLAYED.format("{" + "a " * 600000 + "}")
for words, status in (([], 0), (["--max-record", "1"], 1), (["--max-record", "2"], 0)):
    row(f"max_record_{len(words) and words[1]}", LONG, *words, file="in.pgn", status=status, games=["1-0 h2e2 h9g7"] * (1 - status), says=["longer than 1 MB"] * status)

# ---- damaged files -----------------------------------------------------------------------------------
# For each format, one import reads changed copies of the fuzzers' seeds between two whole games. It must keep these
# games, name the file of each refused game, and write a run that `data verify` accepts. The changes are those of
# tests/fuzz/mutate.c.
MUTANTS = 5000 if FULL else 500  # files for each format
# Name of the format, fuzzer whose seeds are used, and a pattern of their names.
MUTATED = (("moves", "moves", ""), ("pgn", "pgn", ""), ("wxf", "pgn", ""), ("dhtmlxq", "dhtmlxq", ""), ("epd", "positions", "epd|score|line"),
           ("texel", "positions", "texel"), ("bullet", "positions", "bullet"), ("csv", "positions", "csv"), ("plain", "positions", "plain"),
           ("bin", "bin", ""), ("xqf", "xqf", ""), ("cbr", "cbr", "v1|v2"), ("cbl", "cbr", "library"), ("mxq", "mxq", ""))
game = write("game.tsv", f"1-0\t{START}\th2e2 h9g7 h0g2 i9h9\n")
made = paotai("data", "import", "--out", scratch("game"), game)
want(made.returncode == 0, made.stderr)
for name, fuzzer, pattern in MUTATED:
    ending = {"dhtmlxq": "ubb", "moves": "tsv", "texel": "fen", "bullet": "bar"}.get(name, name)
    folder, files = scratch(f"{name}.in"), scratch(f"{name}.seeds")
    os.makedirs(folder), os.makedirs(files)
    all_seeds = seeds.read(f"tests/fuzz/corpus/{fuzzer}.txt")
    chosen = [write(f"{name}.seeds/{i}", content) for i, (seed, content) in enumerate(sorted(all_seeds.items())) if re.search(pattern, seed) and content]
    each = MUTANTS // len(chosen) + 1
    subprocess.run([os.path.dirname(PAOTAI) + "/replay", "--to", folder, fuzzer, str(each), *chosen], check=True)
    mutants = sorted(os.listdir(folder))
    for mutant in mutants:
        os.rename(f"{folder}/{mutant}", f"{folder}/m{mutant}.{ending}")
    # Games in the formats that cannot be written are read in the format moves.
    whole = game
    if name not in ("wxf", "mxq", "cbl"):
        whole = scratch(f"whole.{ending}")
        extra = ("--positions", "all") if name in ("epd", "texel", "bullet", "csv", "plain", "bin") else ()
        want(paotai("data", "export", scratch("game"), "--format", name, "--unscored", *extra, "--out", whole).returncode in (0, 1), f"{name}: export")
    # With --result-scale and --score-unit, only lines with other results and scores are refused.
    scale = ("--result-scale", "sign" if name in ("csv", "plain", "bin") else "half") if fuzzer in ("positions", "bin") else ()
    scale += ("--score-unit", "centipawn") if name in ("csv", "epd", "bullet") else ()
    done = paotai("data", "import", *scale, "--unknown", "draw", "--fill-moves", "--variations", "--threads", "2", "--quiet", "--out", scratch(name),
                  whole, folder, game)
    said = dict(re.findall(r"^(\w+) (\d+)$", done.stdout, re.M))
    want(done.returncode in (0, 1) and int(said.get("games", 0)) >= 2, f"{name}: exit {done.returncode}, {done.stdout[-300:]!r} {done.stderr[-300:]!r}")
    refused = re.findall(r"^error\t(.*)", done.stdout, re.M)
    want(len(refused) > len(mutants) // 50 and all(f"{name}.in/m" in line for line in refused), f"{name}: {refused[:3]}")
    checked = paotai("data", "verify", "--quiet", scratch(name))
    want(checked.returncode == 0, f"{name}: verify: {checked.stdout[-300:]}{checked.stderr[-300:]}")
    report(f"mutants_{name}")

# A second FEN in an entry made the move before it illegal, and the import ended without a place.
entry = f"fen {START}\nmove h3e3\nply 0\nresult 1\ne\n"
fault = "fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1\nmove d1d2\nfen 4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1\nresult 1\ne\n"
done = paotai("data", "import", "--quiet", "--out", scratch("fault"), game, write("fault.plain", entry + fault + entry), game)
said = re.findall(r"^error\t(.*)", done.stdout, re.M)
want(done.returncode == 1 and len(said) == 1 and re.match(r"line [67]: .*fault.plain, game 2", said[0]) and "\ngames 4\n" in done.stdout, f"{done.returncode} {done.stdout}{done.stderr}")
report("mutants_fault_in_an_entry")

# The number of the move stays at its largest value, so that a reader does not see two games.
late = write("late.tsv", f"1-0\t{START.replace(' 0 1', ' 65535 65535')}\th2e2 h9g7 h0g2 i9h9\n")
want(paotai("data", "import", "--quiet", "--out", scratch("late"), late).returncode == 0, "import of late.tsv")
want(paotai("data", "export", "--quiet", "--positions", "all", "--unscored", "--format", "plain", "--out", scratch("late.plain"), scratch("late")).returncode == 0, "export of late.tsv")
done = paotai("data", "import", "--quiet", "--out", scratch("again"), scratch("late.plain"))
want("games 1\nrefused 0\n" in done.stdout and "plies 4\n" in done.stdout, done.stdout)
report("mutants_late_game")

finish()

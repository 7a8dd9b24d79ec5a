# SPDX-License-Identifier: GPL-3.0-or-later
# Tests data import, info, verify and export by their command lines.
import hashlib
import json
import os

from checks import finish, paotai, same, scratch, values, write


MATE = "4k4/8R/9/9/9/9/9/9/1R7/3K5 w"
LOOP = "b1b2 e9f9 b2b1 f9e9 "
GAMES = f"""# result, code, moves
1-0\tC99\th2e2 h9g7 h0g2 i9h9
0-1\th2e2 h9g7 e2e9

*\th2e2 h9g7
1/2-1/2\tA/path/with/nine/slashes/that/is/no/fen/.pgn\th2e2 h9g7 e2e6\r
1-0\t{MATE}\tb1b9
1-0\t9/9/9/9/9/9/9/9/9/9 w\tb1b9
1-0
1-0\t
1/2-1/2\t{MATE}\t{LOOP * 3}b1b9
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
path = write("games.tsv", GAMES)
done = paotai("data", "import", "--format", "moves", "--sample", "all", "--sample-after", "0", "--out", scratch("run"), path)
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

done = paotai("data", "verify", scratch("run"))
same("import_verifies", (done.returncode, values(done.stdout).get("verdict")), (0, "true"))
info = values(paotai("data", "info", scratch("run")).stdout)
with open(path, "rb") as file:
    source = "games.tsv sha256 " + hashlib.sha256(file.read()).hexdigest()
same("import_provenance", info.get("provenance_source"), source)
same("info_counts", [info.get(key) for key in ("games", "plies", "red_wins", "draws", "black_wins", "end_imported")],
      ["4", "21", "2", "2", "0", "4"])
parsed = json.loads(paotai("data", "info", "--json", scratch("run")).stdout)
same("info_json", {key: str(parsed[key]) for key in ("games", "positions", "content_hash")},
      {key: info[key] for key in ("games", "positions", "content_hash")})

done = paotai("data", "import", "--out", scratch("run"), path)
same("import_into_a_run", done.returncode, 2)
done = paotai("data", "import", "--out", scratch("stdin"), "--sample", "all", "--sample-after", "0", "--shard-games", "3",
              "--threads", "2", "--json", stdin=GAMES)
records = [json.loads(line) for line in done.stdout.splitlines()]
same("import_json", [record.get("line") for record in records[:-1]], [3, 5, 8, 9, 10, 12, 13])
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
done = paotai("show", "--data", scratch("run"), "--game", "4")
same("show_names_games", "has no game 4; it has 4 games, from 0 to 3\n" in done.stderr, True)
for ending in ("foo", "cbl"):
    done = paotai("data", "export", "--out", scratch("games." + ending), scratch("run"))
    same("export_" + ending, (done.returncode, f"no format that can be written has the ending .{ending}" in done.stderr, os.path.exists(scratch("games." + ending))),
          (2, True, False))
same("export_format_given", paotai("data", "export", "--format", "moves", "--out", scratch("games.foo"), scratch("run")).returncode, 0)
done = paotai("data", "export", "--format", "pgn", scratch("run"))
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
    done = paotai("data", "info", write("never-" + name, GAMES))
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

finish()

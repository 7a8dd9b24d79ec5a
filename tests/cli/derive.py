# SPDX-License-Identifier: GPL-3.0-or-later
# Tests data merge, filter, sample, dedup, split and export on a small self-play run.
import csv
import io
import os
import re

from checks import check, finish, outcome, scratch, write


def good(*args):
    """Runs a command that must succeed, and returns its `key value` lines as a dictionary."""
    code, out, err = outcome(*args)
    if code != 0:
        check("paotai_" + "_".join(args[:2]), False, f"{args}: exit status {code}: {err}")
    return dict(line.split(" ", 1) for line in out.splitlines() if " " in line and line[0] != "#")


def info(name):
    return good("data", "info", "--quiet", scratch(name))


def play(name, games, *more):
    good("selfplay", "--games", games, "--nodes", "40", "--quiet", "--seed", "11", "--max-plies", "120", "--out", scratch(name), *more)


def verify(name):
    code, out, err = outcome("data", "verify", "--quiet", scratch(name))
    check("verify_" + name.replace("/", "_"), code == 0 and "\nverdict true" in out, out + err)


def table(name, *more):
    """Returns the sampled positions of a run as rows of the format csv."""
    code, out, err = outcome("data", "export", "--quiet", *more, scratch(name))
    check("export_csv_" + name.replace("/", "_"), code == 0, err)
    return list(csv.DictReader(io.StringIO(out)))


def board(fen):
    rows = re.sub(r"\d", lambda digit: "." * int(digit.group()), fen.split()[0]).split("/")
    return {"abcdefghi"[file] + str(9 - rank): row[file] for rank, row in enumerate(rows) for file in range(9)}


def mirrored(fen):
    rows, side = fen.split()[:2]
    return "/".join(row[::-1] for row in rows.split("/")) + " " + side


def position(row):
    return " ".join(row["fen"].split()[:2])


play("whole", "36")
play("part1", "0:20", "--shard-games", "6")
play("part2", "20:36", "--shard-games", "9")
whole = info("whole")

# ---- merge
merged = good("data", "merge", "--quiet", "--out", scratch("merged"), scratch("part2"), scratch("part1"))
check("merge_content", merged["content_hash"] == whole["content_hash"] == info("merged")["content_hash"], merged)
check("merge_keeps_provenance", info("merged")["provenance_kind"] == "selfplay", info("merged"))
_, sources, _ = outcome("data", "info", "--verbose", scratch("merged"))
check("merge_sources_once", sources.count("kind=selfplay;command") == 1 and "from part2: games 16, " in sources
      and "from part1: games 20, " in sources and "made with the same settings as the source before it" in sources, sources)
verify("merged")
code, out, err = outcome("data", "merge", "--quiet", "--out", scratch("again"), scratch("whole"), scratch("part1"))
check("merge_overlap", code == 1 and "both cover game numbers from 0 on" in err, err)
code, out, err = outcome("data", "merge", "--quiet", "--out", scratch("merged"), scratch("part1"))
check("merge_into_a_run", code == 2 and "already holds games" in err, err)
play("other", "36:40", "--nodes", "41")
code, out, err = outcome("data", "merge", "--quiet", "--out", scratch("unlike"), scratch("whole"), scratch("other"))
check("merge_unlike", code == 1 and "made with different settings: 'nodes=40' and 'nodes=41'" in err, err)
good("data", "merge", "--quiet", "--any", "--out", scratch("unlike"), scratch("whole"), scratch("other"))
check("merge_any", info("unlike")["games"] == "40", info("unlike"))
verify("unlike")
good("data", "merge", "--quiet", "--renumber", "--shard-games", "10", "--out", scratch("numbered"), scratch("part2"), scratch("part2"))
numbered = info("numbered")
check("merge_renumber", (numbered["games"], numbered["end_game"], numbered["shards"]) == ("32", "32", "4"), numbered)
verify("numbered")
good("selfplay", "--games", "40", "--resume", "--nodes", "40", "--quiet", "--seed", "11", "--max-plies", "120", "--out", scratch("merged"))
check("merge_resumes", info("merged")["games"] == "40", info("merged"))

# ---- merge without a copy: links to the shards in one directory
os.mkdir(scratch("linked"))
for part in "part1", "part2":
    for name in os.listdir(scratch(part)):
        if name.startswith("shard-"):
            os.symlink(os.path.abspath(scratch(part + "/" + name)), scratch("linked/" + name))
check("linked_content", info("linked")["content_hash"] == whole["content_hash"], info("linked"))
verify("linked")

# ---- filter
plies = int(whole["plies"])
good("data", "filter", "--from", "plies", "--quiet", "--out", scratch("every"), scratch("whole"))
every = table("every")
check("filter_from_plies", len(every) == plies, (len(every), plies))
good("data", "filter", "--from", "plies", "--quiet", "--every", "3", "--min-ply", "10", "--max-ply", "60", "--out", scratch("third"), scratch("whole"))
wanted = [row for row in every if 10 <= int(row["ply"]) <= 60 and (int(row["ply"]) - 10) % 3 == 0]
check("filter_every", table("third") == wanted, len(wanted))
verify("third")
good("data", "filter", "--quiet", "--quiet-positions", "--max-score", "400", "--max-pieces", "28", "--out", scratch("clean"), scratch("every"))
clean = table("clean")
verify("clean")
check("filter_some", 0 < len(clean) < plies, len(clean))
for row in clean:
    points = board(row["fen"])
    score = int(row["score_red"] or 0)
    right = (points[row["move"][2:]] == "." and abs(score) <= 400 and row["mate_red"] == "0"
             and sum(piece != "." for piece in points.values()) <= 28)
    if not right:
        check("filter_rule", False, row)
check("filter_from_sampled", {(row["game"], row["ply"]) for row in clean} <= {(row["game"], row["ply"]) for row in every}, "positions that were not sampled")
for name, low, high in (("ply", "9", "8"), ("pieces", "20", "10"), ("phase", "48", "47"), ("year", "2000", "1999")):
    code, out, err = outcome("data", "filter", f"--min-{name}", low, f"--max-{name}", high, "--out", scratch("nothing"), scratch("every"))
    wanted = f"--min-{name} {low} is above --max-{name} {high}"
    check(f"filter_min_above_max_{name}", code == 2 and wanted in err and not os.path.exists(scratch("nothing")), (code, out, err))

# ---- sample
for number, source in enumerate(("whole", "merged_again")):
    if source == "merged_again":
        good("data", "merge", "--quiet", "--shard-games", "5", "--out", scratch(source), scratch("part1"), scratch("part2"))
    good("data", "sample", "--quiet", "--positions", "100", "--seed", "3", "--out", scratch(f"exact{number}"), scratch(source))
    good("data", "sample", "--quiet", "--fraction", "0.3", "--seed", "3", "--out", scratch(f"some{number}"), scratch(source))
    good("data", "sample", "--quiet", "--per-game", "2", "--seed", "3", "--drop-empty", "--out", scratch(f"few{number}"), scratch(source))
    good("data", "split", "--quiet", "--valid", "0.25", "--test", "0.25", "--seed", "3", "--out", scratch(f"split{number}"), scratch(source))
check("sample_exactly", info("exact0")["positions"] == "100", info("exact0"))
positions = int(whole["positions"])
check("sample_fraction", 0.2 < int(info("some0")["positions"]) / positions < 0.4, info("some0")["positions"])
per_game = [row["game"] for row in table("few0")]
check("sample_per_game", max(map(per_game.count, per_game)) == 2 and len(set(per_game)) == int(info("few0")["games"]), per_game)
for name in ("exact", "some", "few"):
    check(f"sample_{name}_any_shards", info(name + "0")["content_hash"] == info(name + "1")["content_hash"])
    verify(name + "0")
good("data", "sample", "--quiet", "--positions", "100", "--seed", "4", "--out", scratch("exact2"), scratch("whole"))
check("sample_seed", info("exact2")["content_hash"] != info("exact0")["content_hash"])
code, out, err = outcome("data", "sample", "--positions", "10000000", "--out", scratch("toomany"), scratch("whole"))
check("sample_too_many", code == 2 and "the source has only" in err, err)
check("sample_no_way", outcome("data", "sample", "--out", scratch("noway"), scratch("whole"))[0] == 2)

# ---- split
parts = {part: {row["game"] for row in table(f"split0/{part}")} for part in ("train", "valid", "test")}
check("split_disjoint", sum(map(len, parts.values())) == len(set().union(*parts.values())), parts)
check("split_all", sum(int(info(f"split0/{part}")["games"]) for part in parts) == 36)
check("split_fractions", len(parts["valid"]) > 2 and len(parts["test"]) > 2 and len(parts["train"]) > 8, parts)
for part in parts:
    verify(f"split0/{part}")
    check(f"split_{part}_any_shards", info(f"split0/{part}")["content_hash"] == info(f"split1/{part}")["content_hash"])
# A game, its copies and its mirror images are in the same part (training, validation or test),
# because the moves of a game determine its part.
code, moves, err = outcome("data", "export", "--quiet", "--format", "moves", scratch("whole"))
flipped = "".join(line.split("\t")[0] + "\t" + line.split("\t")[1].translate(str.maketrans("abcdefghi", "ihgfedcba")) + "\n" for line in moves.splitlines())
good("data", "import", "--quiet", "--out", scratch("copies"), write("copies.tsv", moves + moves + flipped))
good("data", "split", "--quiet", "--valid", "0.3", "--test", "0.3", "--out", scratch("apart"), scratch("copies"))
different = [int(info(f"apart/{part}")["different_games"]) for part in parts]
check("split_copies_together", sum(different) == int(info("copies")["different_games"]) == 36 and min(different) > 0, different)
check("split_too_much", outcome("data", "split", "--valid", "0.7", "--test", "0.6", "--out", scratch("toomuch"), scratch("whole"))[0] == 2)

# ---- dedup
good("data", "merge", "--quiet", "--renumber", "--out", scratch("twice"), scratch("every"), scratch("every"))
good("data", "dedup", "--quiet", "--out", scratch("once"), scratch("twice"))
once = [position(row) for row in table("once")]
check("dedup_exact", len(once) == len(set(once)) and set(once) == {position(row) for row in every}, len(once))
check("dedup_keeps_games", info("once")["games"] == "72", info("once"))
good("data", "dedup", "--quiet", "--mirrored", "--games", "--out", scratch("mirror"), scratch("twice"))
mirror = [position(row) for row in table("mirror")]
folded = {min(position(row), mirrored(row["fen"])) for row in every}
check("dedup_mirrored", len(mirror) == len(folded) and {min(p, mirrored(p)) for p in mirror} == folded, (len(mirror), len(folded)))
check("dedup_games", info("mirror")["games"] == "36", info("mirror"))
verify("mirror")

# ---- export
code, out, err = outcome("data", "export", "--quiet", "--format", "epd", scratch("every"))
lines = out.splitlines()
check("export_epd", len(lines) == plies and all(re.fullmatch(
    r"[1-9rnbakcpRNBAKCP/]+ [wb] - - hmvc \d+; fmvn \d+; sm [a-i]\d[a-i]\d; c9 \"(1-0|0-1|1/2-1/2)\";( bm [a-i]\d[a-i]\d;)?"
    r"( ce -?\d+;)?( acd \d+;)?( acn \d+;)? id \"\d+\.\d+\";", line) for line in lines), lines[:2])
for line, row in zip(lines, every):
    sign = 1 if row["fen"].split()[1] == "w" else -1
    score = re.search(r"ce (-?\d+)", line)
    mate = int(row["mate_red"])
    expected = (32767 - abs(mate)) * (1 if mate > 0 else -1) if mate else int(row["score_red"] or 0)
    if score and int(score.group(1)) != sign * expected:
        check("export_epd_score", False, (line, row))
code, out, err = outcome("data", "export", "--quiet", "--format", "plain", scratch("every"))
items = [dict(line.split(" ", 1) for line in item.strip().splitlines()) for item in out.split("\ne\n") if item.strip()]
scored = [row for row in every if row["score_red"] or row["mate_red"] != "0"]
check("export_plain", len(items) == len(scored) and all(set(item) == {"fen", "move", "score", "ply", "result"} for item in items), len(items))
for item, row in zip(items, scored):
    sign = 1 if row["fen"].split()[1] == "w" else -1
    move = re.sub(r"\d", lambda digit: str(int(digit.group()) + 1), row["move"])
    mate = int(row["mate_red"])
    score = (32000 - abs(mate)) * (1 if mate > 0 else -1) if mate else int(row["score_red"])
    expected = {"fen": row["fen"], "move": move, "score": str(sign * score), "ply": row["ply"], "result": str(sign * {"1-0": 1, "1/2-1/2": 0, "0-1": -1}[row["result"]])}
    if item != expected:
        check("export_plain_item", False, (item, expected))
        break
finish()

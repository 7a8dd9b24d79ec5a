# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai analyse: its output and the order of its lines.
import json
import os
import re
import subprocess

from checks import DATA, PAOTAI, START, check, finish, paotai, write

MATE_1 = "3k5/9/9/9/9/9/5r3/9/3r5/4K4 b - - 0 1"  # Black stalemates Red in one move
MATED = "3k5/9/9/9/9/9/9/5r3/3r5/4K4 w - - 0 1"
HANGING = "3k5/9/9/9/9/9/9/R7r/9/4K4 w - -"


def analyse(*args, lines=None):
    return paotai("analyse", "--quiet", *args, stdin="".join(line + "\n" for line in lines or []))


done = analyse("--nodes", "3000", lines=["# comment", START, "", MATE_1, "rubbish", MATED, START + "\th2e2", START + "\th2e9"])
out = done.stdout.splitlines()
shape = [r"-?\d+\t\d+\t([a-i]\d[a-i]\d ?)+", r"mate -1\t\d+\t([a-i]\d[a-i]\d)", r"error\tline 5: .*rank 9.*", r"mate 0\t0\t-",
         r"-?\d+\t\d+\t([a-i]\d[a-i]\d ?)+", r"error\tline 8: ply 1: .*h2e9.*"]
check("analyse_lines", len(out) == len(shape) and all(map(re.fullmatch, shape, out)), out)
check("analyse_status", done.returncode == 1 and analyse("--nodes", "10", lines=[START]).returncode == 0, done.returncode)

rows = [json.loads(line) for line in analyse("--nodes", "3000", "--json", lines=[START, "x", MATE_1]).stdout.splitlines()]
check("analyse_json", rows[0]["line"] == 1 and isinstance(rows[0]["score_red"], int) and rows[0]["nodes"] == 3000
     and rows[0]["mate"] is None and "error" in rows[1] and rows[2]["mate"] == -1 and rows[2]["score_red"] is None, rows)

done = analyse("--player", "tc=10", lines=[START])
check("analyse_no_clock", done.returncode == 2 and "use st=" in done.stderr, done)

out = analyse("--static", "--weights", "classic", lines=[START, HANGING.replace("r", "1", 1).replace("71", "8"), MATED]).stdout.splitlines()
check("analyse_static", out == ["0\t0\t-", "900\t0\t-", "mate 0\t0\t-"], out)

out = analyse("--depth", "3", "--multipv", "3", lines=[START]).stdout.splitlines()
check("analyse_multipv", [line.split("\t")[3] for line in out] == ["1", "2", "3"] and all(line.split("\t")[1] == "3" for line in out)
     and len({line.split("\t")[2][:4] for line in out}) == 3, out)

out = analyse("--depth", "4", lines=[HANGING + ' bm a2i2; id "a; b";', HANGING + " am a2i2;", HANGING + ' id "no test";',
                                     HANGING + " bm a2i3;"]).stdout.splitlines()
check("analyse_epd", re.search(r"\tsolved\t[\d.]+\t\d+$", out[0]) and "\tfailed\t" in out[1] and out[2].count("\t") == 2
     and out[3].startswith("error\tline 4: bm: ") and out[-1] == "solved 1 of 2", out)
check("analyse_epd_sums", re.fullmatch(r"in total, the solutions were found after [\d.]+ ms and \d+ nodes", out[-2])
     and int(out[-2].split()[-2]) == int(out[0].split("\t")[-1]), out[-2:])
rows = [json.loads(line) for line in analyse("--depth", "4", "--json", lines=[HANGING + ' bm a2i2; id "a; b";', HANGING + " am a2i2;",
                                                                             HANGING + " bm a2i2"]).stdout.splitlines()]
check("analyse_epd_json", [row.get("id") for row in rows] == ["a; b", None, None, None]
     and [row["solved"] for row in rows] == [True, False, True, 2]
     and rows[3]["solved_nodes"] == rows[0]["solved_nodes"] + rows[2]["solved_nodes"], rows)
# The output of analyse --json is valid JSON for any input bytes.
raw = subprocess.run([PAOTAI, "analyse", "--quiet", "--depth", "2", "--json"], capture_output=True, timeout=600,
                     input=HANGING.encode() + b' bm a2i2; id "\xff\xe7\x82\xae\x82\xed\xa0\x80\x01";\n\xe7\x82 w\n').stdout
rows = [json.loads(line.decode("utf-8", "strict")) for line in raw.splitlines()]
check("analyse_json_bytes", rows[0]["id"].replace("\ufffd", "?").startswith("?\u70ae??") and "error" in rows[1], rows)
out = analyse("--depth", "4", "--notation", "wxf", lines=[HANGING + " bm R9.1;"]).stdout.splitlines()
check("analyse_epd_notation", out[-1] == "solved 1 of 1", out)
out = analyse("--nodes", "200000", "--threads", "2", os.path.join(DATA, "mates.epd")).stdout.splitlines()
solved, of = map(int, re.fullmatch(r"solved (\d+) of (\d+)", out[-1]).groups())
check("analyse_epd_suite", of == 24 and solved == 24, out[-1])

# For an external program, analyse prints the last score of the program, from Red's side, and its
# line up to the first illegal move.
MOCK = f"cmd={os.path.dirname(PAOTAI)}/paotai-test --mock "
BLACK = START + "\th2e2"
for proto, keys in (("uci", ""), ("uci1", " ranks=1"), ("ucci", "")):
    player = f"{MOCK}{proto[:4].rstrip('1')}{keys},proto={proto},depth=5"
    out = analyse("--player", player, lines=[START, BLACK, MATED, HANGING + " am a2i2;"]).stdout.splitlines()
    check(f"analyse_player_{proto}", re.fullmatch(r"-25\t3\t[a-i]\d[a-i]\d", out[0]) and re.fullmatch(r"25\t3\t[a-i]\d[a-i]\d", out[1])
         and out[2] == "mate 0\t0\t-" and re.search(r"\tsolved\t[\d.]+\t1234$", out[3]) and out[-1] == "solved 1 of 1", out)
# A mate in more moves than a score can express stays a mate.
script = write("far.sh", """while read -r line; do
case $line in uci) echo uciok ;; isready) echo readyok ;; quit) exit ;; *startpos | *' w '*) sign= ;; position*) sign=- ;;
go*) echo "info depth 1 score mate ${sign}20000 pv h2e2" && echo "bestmove $([ "$sign" ] && echo h9g7 || echo h2e2)" ;; esac; done
""")
out = analyse("--player", f"cmd=sh {script},proto=uci,depth=1", lines=[START, START.replace(" w ", " b ")]).stdout.splitlines()
check("analyse_player_far_mate", [line.split("\t")[0] for line in out] == ["mate 500"] * 2, out)
# Our engine needs the same number of nodes for a solution in this process (weights=) and as an
# external program (cmd=).
mates = ["3k5/4aP3/9/2R6/9/9/9/5Kc2/9/7c1 w - - bm f8e8;", "2c6/9/5k1n1/4R4/9/9/9/9/4K4/C8 w - - bm a0f0;"]
found = [[line.split("\t")[3::2] for line in analyse("--player", player + ",nodes=20000", lines=mates).stdout.splitlines()[:2]]
         for player in ("weights=best,hash=16", f"cmd={PAOTAI},proto=uci")]
check("analyse_player_found", found[0] == found[1] and [solved for solved, _ in found[0]] == ["solved"] * 2, found)
done = analyse("--player", MOCK + "uci do=crash at=1,depth=5,name=wreck", lines=[START, MATED])
check("analyse_player_fails", done.returncode == 1 and re.match(r"error\tline 1: wreck: crash, .*exit status 3", done.stdout)
     and done.stdout.endswith("\nmate 0\t0\t-\n"), done.stdout)
same = analyse("--player", "weights=classic,depth=3", lines=[START]).stdout == analyse("--weights", "classic", "--depth", "3", lines=[START]).stdout
check("analyse_player_ours", same, "--player weights=classic,depth=3 and --weights classic --depth 3 print different lines")
wrong = [analyse("--player", player, *more, lines=[START]) for player, more in
         ((MOCK + "uci,depth=1", ["--multipv", "2"]), (MOCK + "uci,depth=1", ["--static"]), ("threads=2", []), ("nosuch=1", []))]
check("analyse_player_usage", [done.returncode for done in wrong] == [2] * 4, [done.stderr for done in wrong])

# --explain names the tactics in the given moves and in the best line, on lines of their own and in
# JSON.
with open(os.path.join(DATA, "tactics.tsv"), encoding="ascii") as file:
    suite = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
named = [json.loads(line).get("tactics", ["played 1 0000 -"]) for line in
         analyse("--static", "--explain", "--json", lines=[f"{fen}\t{move}" for fen, move, _ in suite]).stdout.splitlines()]
wrong = [(fen, move, want, got) for (fen, move, want), got in zip(suite, named) if len(got) != 1 or got[0].split(" ", 3)[3] != want]
check("analyse_tactics", len(named) == len(suite) and not wrong, wrong)
done = analyse("--depth", "5", "--explain", lines=["4k4/9/r8/3N5/9/9/9/4B4/4A4/3K1A3 w"])
check("analyse_tactics_of_line", "\n# line ply 1 d6c8 fork\n" in done.stdout, done.stdout)
check("analyse_tactics_unasked", "#" not in analyse("--static", lines=[f"{suite[0][0]}\t{suite[0][1]}"]).stdout, "tactics are named without --explain")

wrong = [analyse(*args, lines=[START]) for args in (["--nodes", "0"], ["--static", "--depth", "3"], ["--multipv", "0"],
                                                    ["--weights", "/nowhere"], ["/no/file"], ["a", "b"])]
check("analyse_wrong_usage", [done.returncode for done in wrong] == [2, 2, 2, 1, 1, 2] and all(done.stderr for done in wrong),
     [done.returncode for done in wrong])
finish()

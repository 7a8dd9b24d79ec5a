# SPDX-License-Identifier: GPL-3.0-or-later
# Tests export and import of positions for tuners and trainers: lines FEN [0.5], lines FEN | score |
# 0.5, and the binary format of variant-nnue-tools.
import re
import struct

from checks import finish, paotai, read, same, scratch, values, want, report, write

paotai("selfplay", "--games", "10", "--nodes", "80", "--max-plies", "160", "--quiet", "--out", scratch("run"))
export = lambda form, *more: paotai("data", "export", "--format", form, "--positions", "all", *more, scratch("run")).stdout
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
    paotai("data", "export", "--format", form, "--positions", "all", "--unscored", "--out", scratch("x." + form), scratch("run"))
    done = paotai("data", "import", "--fill-moves", "--out", scratch(form + ".run"), scratch("x." + form))
    same(f"trainers_{form}_read", (done.returncode, values(done.stdout).get("positions")), (0, str(len(plain))))

# unpack() decodes exported binary positions as sfen_packer.cpp of variant-nnue-tools describes.
# --moves must not change the file: a binary file has no line that names the notation.
done = paotai("data", "export", "--positions", "all", "--unscored", "--moves", "iccs", "--out", scratch("x.bin"), scratch("run"))
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
def back(name, *words, text=None):
    path = scratch(name + ".bin") if text is None else write(name + ".bin", text)
    done = paotai("data", "import", "--out", scratch(name + ".back"), *words, path)
    written = paotai("data", "export", "--format", "plain", "--positions", "all", "--unscored", scratch(name + ".back")).stdout
    return done, values(done.stdout), written


for name, words, text in (("x", [], None), ("told", ["--format", "bin"], data)):
    done, counts, written = back(name, *words, text=text)
    again = paotai("data", "export", "--format", "bin", "--positions", "all", "--unscored", "--out", scratch(name + ".again"), scratch(name + ".back"))
    same("trainers_bin_read_" + name, (done.returncode, counts.get("positions"), open(scratch(name + ".again"), "rb").read() == data), (0, str(len(plain)), True))
    same("trainers_bin_moves_" + name, re.findall("move (.*)", written), [entry["move"] for entry in plain])
done, counts, _ = back("cut", text=data[:136 * 5 + 50])
same("trainers_bin_cut", (done.returncode, counts.get("positions"), "byte 680" in done.stdout, "after 50 of its 136 bytes" in done.stdout), (1, "5", True, True))
hurt = bytearray(data)
hurt[136 * 3] ^= 0xfe  # an impossible square of a general
hurt[136 * 6 + 130] ^= 0x7f  # an impossible move
hurt[136 * 8 + 134] = 7  # an impossible result
done, counts, _ = back("hurt", text=bytes(hurt))
same("trainers_bin_hurt", (done.returncode, [counts.get("refused_" + why) for why in ("start", "move", "result")], counts.get("positions")),
     (1, ["1", "1", "1"], str(len(plain) - 3)))
done, counts, _ = back("other", text=bytes(range(256)) * 50)
same("trainers_bin_other", (done.returncode, counts.get("refused_files"), "does not begin with a position of training data" in done.stdout), (1, "1", True))
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests weights that cannot be loaded: missing and broken files of each kind (text, network, HDF5)
# are given to each command that reads weights. A command must end with status 1 and name the file.
# In UCI and UCCI sessions, the program refuses the file and keeps its weights.
import hashlib
import os
import re

from checks import START, check, finish, paotai, report, scratch, want, want_same, write

default = paotai("weights", "convert", "default").stdout
with open("core/eval/network_default.net", "rb") as file:
    network = file.read()


def rename(data, old, new):
    """Returns a network file with the first `old` replaced by `new` and the checksum corrected."""
    data = data[:-32].replace(old, new, 1)
    return data + hashlib.sha256(data).digest()


h5 = scratch("good.h5")
want_same(paotai("weights", "convert", "default", "--out", h5).returncode, 0, "weights convert --out good.h5")
with open(h5, "rb") as file:
    hdf5 = file.read()
os.mkdir(scratch("directory"))
broken = {  # each source, and a part of the message beside its name
    scratch("nowhere.txt"): "No such file",
    scratch("directory"): "irectory",
    write("empty.txt", ""): "no term",
    write("unknown.txt", default + "horses_of_glass 1 2\n"): "unknown term 'horses_of_glass'.*--drop-unknown",
    write("long.txt", re.sub("^turn .*", "turn 1 2 3 4", default, flags=re.M)): "turn has 2 pairs .* 1 in this program",
    write("odd.txt", re.sub("^turn .*", "turn 1", default, flags=re.M)): "turn has 1 values",
    write("twice.txt", default + "turn 1 2\n"): "turn is given twice",
    write("cut.txt", default[:-2]): "the last line has no line end",
    write("zero.bin", b"turn 1 2\n\0"): "NUL bytes|not a weight file",
    write("cut.net", network[:5000]): "cut off|this is a network",
    write("unknown.net", rename(network, b"\nturn 1\n", b"\ntern 1\n")): "unknown term 'tern'|this is a network",
    write("long.net", rename(network, b"\nturn 1\n", b"\nturn 2\n")): "turn has 2 pairs|this is a network",
    write("version1.net", rename(network, network[4:6], b"\1\0")): "version 1 and .* without names|this is a network",
    write("cut.h5", hdf5[:len(hdf5) // 2]): "cut.h5",
}
# Two functions load weights. That of bench also accepts networks, that of `weights show` does not.
# These two commands are tested with all broken files, the other commands with one file of each
# kind.
few = {source: says for source, says in broken.items() if os.path.basename(source) in ("nowhere.txt", "unknown.txt", "cut.net", "cut.h5")}
games = scratch("games")
want_same(paotai("selfplay", "--games", "4", "--nodes", "20", "--quiet", "--out", games).returncode, 0, "selfplay")
new = scratch("new")  # no command may create this
commands = {
    "bench": ("1", "--weights", "SOURCE"),
    "selfplay": ("--games", "1", "--nodes", "5", "--out", new, "--weights", "SOURCE"),
    "match": ("--a", "weights=SOURCE", "--nodes", "5", "--pairs", "1"),
    "tournament": ("weights=classic", "weights=SOURCE", "--nodes", "5"),
    "play": ("--weights", "SOURCE"),
    "analyse": ("--nodes", "5", "--weights", "SOURCE"),
    "rescore": (games, "--nodes", "5", "--out", new, "--weights", "SOURCE"),
    "book make": ("--out", new, "--count", "1", "--nodes", "5", "--weights", "SOURCE"),
    "genfens": ("1", "seed", "1", "book", "None", "--weights", "SOURCE"),
    "loop": ("--generations", "1", "--direct-pairs", "0", "--games", "1", "--out", new, "--weights", "SOURCE"),
    "spsa": ("--player", "weights=SOURCE", "--iterations", "1", "--out", new, "--param", "lmr_base"),
    "tune": (games, "--weights", "SOURCE", "--out", new),
    "train": (games, "--weights", "SOURCE", "--match-pairs", "0", "--out", new),
    "term": ("turn", "--weights", "SOURCE", "--out", new),
    "ablate": (games, "--terms", "turn", "--weights", "SOURCE", "--out", new),
    "report": ("SOURCE", "--out", new),
    "data filter": (games, "--max-score", "10", "--weights", "SOURCE", "--out", new),
    "data export": (games, "--rows", "--weights", "SOURCE", "--out", new),
    "weights show": ("SOURCE",),
    "weights diff": ("default", "SOURCE"),
    "weights hash": ("SOURCE",),
    "weights convert": ("SOURCE",),
}
takes = {line.split(":")[0] for line in paotai("help", "--completion").stdout.splitlines() if "--drop-unknown" in line}
takes = {name for name in takes if not name.startswith("variant ")}  # variants.py tests their weights
check("sources_commands", takes <= set(commands), f"no test of {takes - set(commands)}")
for name, words in commands.items():
    if name not in takes:
        want(False, f"{name} does not take --drop-unknown")
        continue
    for source, says in (broken if name in ("bench", "weights show") else few).items():
        done = paotai(*name.split(), *(word.replace("SOURCE", source) for word in words), stdin=START + "\n")
        want(done.returncode == 1 and source in done.stderr and re.search(says, done.stderr),
             f"{name} with {os.path.basename(source)}: exit {done.returncode}, {done.stderr[-300:]!r}")
        want(not os.path.exists(new), f"{name} with {source} makes {new}")
    report(f"sources_{name.replace(' ', '_')}")

PLAY = ["position startpos", "go depth 5", "eval"]


def session(*lines, dialect="uci"):
    """Returns the output lines of a session. Times, speeds and the descriptions of options are removed."""
    said = paotai(stdin="\n".join((dialect, *lines)) + "\n").stdout
    return [re.sub(r" (time|nps|hashfull) \d+", "", line) for line in said.splitlines() if not re.match("option |id ", line)]


for dialect, form in (("uci", "setoption name {} value {}"), ("ucci", "setoption {} {}")):
    want("evaluation" in session("isready", dialect=dialect)[0 if dialect == "uci" else 1], f"{dialect}: does not say what evaluates")
    for option in ("Weights", "EvalFile") if dialect == "uci" else ("weights",):
        plain = session(form.format(option, "classic"), "isready", *PLAY, dialect=dialect)
        want(any(line.startswith("info depth 5") for line in plain), f"{dialect}: {plain}")
        said = session(form.format(option, "classic"), "isready", *(form.format(option, source) for source in broken), *PLAY, dialect=dialect)
        refusals = [line for line in said if "stays as it was" in line]
        want_same(len(refusals), len(broken), f"{dialect}: refusals of {option}")
        for line, (source, says) in zip(refusals, broken.items()):
            want(source in line and re.search(says, line), f"{dialect}: {source}: {line}")
        want_same([line for line in said if line not in refusals], plain, f"{dialect}: after the refusals it plays with another evaluation")
    report(f"sources_{dialect}")


def hash_of(*words):
    done = paotai("weights", "hash", *words)
    return done.stdout.strip(), done.stderr


# A term that a weight set lacks gets the weight 0, and one note is printed. --drop-unknown drops a
# term that the program does not have. HDF5 files are read like text files.
some = write("some.txt", re.sub("^turn .*\n", "", default, flags=re.M))
zero = write("zero.txt", re.sub("^turn .*", "turn 0 0", default, flags=re.M))
want_same(hash_of(some)[0], hash_of(zero)[0], "a term of 0 changes the hash")
want_same(hash_of(some)[1].count("has no weights for the terms turn: they are set to 0"), 1, "notes of a missing term")
want_same(paotai("train", games, "--weights", some, "--units", "32", "--epochs", "1", "--match-pairs", "0", "--quiet", "--out", new).stderr.count("has no weights for the terms turn"), 1,
          "a command that reads the set twice says it once")
want(hash_of(scratch("unknown.txt"), "--drop-unknown")[0] == hash_of("default")[0], "--drop-unknown of a text")
want("horses_of_glass" in hash_of(scratch("unknown.txt"), "--drop-unknown")[1], "--drop-unknown without a note")
want_same(hash_of(h5), hash_of("default"), "weights hash of HDF5")
want_same(hash_of(write("windows.txt", "\ufeff" + default.replace("\n", "\r\n"))), hash_of("default"), "weights hash of a file with a byte order mark")
clean = scratch("clean.net")
want_same(paotai("weights", "convert", scratch("unknown.net"), "--drop-unknown", "--to", "network", "--out", clean).returncode, 0, "convert a network")
want(hash_of(clean)[0] not in ("", hash_of("core/eval/network_default.net")[0]), "a network without its weight of turn is the same")
for words in (("bench", "1", "--quiet", "--weights"), ("weights", "show", "--term", "turn"), ("tune", games, "--quiet", "--weights")):
    text, binary = paotai(*words, "default"), paotai(*words, h5)
    want(binary.returncode == 0 and text.stdout.split()[0] == binary.stdout.split()[0], f"{words} of HDF5: {binary.stderr}")
want("stays as it was" not in str(session(f"setoption name Weights value {h5}", "isready")), "UCI refuses HDF5")
fit = scratch("fit")
for ending in (".h5", ".txt"):
    want_same(paotai("tune", games, "--weights", "default", "--quiet", "--out", fit + ending).returncode, 0, f"tune --out fit{ending}")
with open(fit + ".h5", "rb") as file:
    want(file.read(4) == b"\x89HDF", "tune --out fit.h5 writes no HDF5")
want_same(hash_of(fit + ".h5"), hash_of(fit + ".txt"), "the weights in fit.h5")
want(any(error in paotai("weights", "show", fit + ".h5", "--term", "turn").stdout for error in ("+-", "prior")), "fit.h5 has no errors")
for words in (("weights", "show", "best"), ("tune", games, "--weights", "best")):
    want(re.search("'best' can be a network.*'default'", paotai(*words).stderr), f"{words}: {paotai(*words).stderr}")
want("did you mean weights=build/new.txt?" in paotai("match", "--a", "build/new.txt", "--pairs", "1").stderr, "--a build/new.txt")
report("sources_names")
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
# Tests games in compressed files and archives of each kind (except RAR 5). Also tests broken,
# encrypted and hostile archives, and the memory needed to read archives.
import bz2
import gzip
import io
import json
import lzma
import os
import random
import re
import resource
import shutil
import subprocess
import tarfile
import zipfile
import zlib

from fuzz import seeds
from checks import PAOTAI, SCRATCH, finish, same, scratch, skip, write


def paotai(*args, **more):
    if "input" not in more:
        more["stdin"] = subprocess.DEVNULL
    done = subprocess.run([PAOTAI, *args], capture_output=True, timeout=300, **more)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


runs = 0


def load(*paths, more=(), **keys):
    """Imports files. Returns the exit status, the counts, the errors, and the games."""
    global runs
    runs += 1
    run = scratch(f"run-{runs}")
    status, out, err = paotai("data", "import", "--quiet", "--out", run, *more, *paths, **keys)
    counts = dict(line.split(" ", 1) for line in out.splitlines() if re.match(r"[a-z_]+ \S+$", line))
    errors = [line.replace(SCRATCH + "/", "") for line in out.splitlines() if line.startswith("error")]
    games = paotai("data", "export", "--format", "moves", run)[1].splitlines() if os.path.exists(run) else []
    shutil.rmtree(run, ignore_errors=True)
    return status, counts, errors, games


PGN = '[Result "1-0"]\n\n1. h2e2 h9g7 2. h0g2 1-0\n\n[Result "0-1"]\n\n1. b2e2 b9c7 0-1\n'.encode()
TSV = b"1/2-1/2\tc3c4 g6g5\n"
XQF = seeds.read("tests/fuzz/corpus/xqf.txt")["v10"]
FILES = {"a.pgn": PGN, "sub/b.tsv": TSV, "sub/c.xqf": XQF, "readme.txt": b"not a game\n", "d.jpg": bytes(5000)}
LINES = ["1-0\th2e2 h9g7 h0g2", "0-1\tb2e2 b9c7", "1/2-1/2\tc3c4 g6g5"]
ALL = (0, "4", LINES)


def seen(result):
    status, counts, errors, games = result
    return status, counts.get("games"), games[:3] if not errors else errors


def zipped(files, **more):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, **more) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def tarred(files, mode="w"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def rar_block(kind, flags, body, data=b""):
    head = bytes([kind]) + flags.to_bytes(2, "little") + (7 + len(body)).to_bytes(2, "little") + body
    return (zlib.crc32(head) & 0xffff).to_bytes(2, "little") + head + data


def rarred(files):
    """Returns an archive of RAR 4 without compression."""
    out = b"Rar!\x1a\x07\x00" + rar_block(0x73, 0, bytes(6))
    for name, content in files.items():
        size, name = len(content).to_bytes(4, "little"), name.replace("/", "\\").encode()
        body = size + size + b"\x03" + zlib.crc32(content).to_bytes(4, "little") + bytes(4) + b"\x14\x30"
        out += rar_block(0x74, 0x8000, body + len(name).to_bytes(2, "little") + (0o100644).to_bytes(4, "little") + name, content)
    return out + rar_block(0x7b, 0x4000, b"")


def program(*names):
    return next(filter(None, map(shutil.which, names)), None)


# ---- all kinds of archives and compression -------------------------------------------------------

SEVEN = program("7zz", "7z", "7za", "7zr")
ZSTD = program("zstd")


def zstd(content):
    return subprocess.run([ZSTD, "-q", "-c"], input=content, capture_output=True, check=True).stdout


for name, content in FILES.items():
    write("tree/" + name, content)


def seven(name, *more, kind="7z"):
    subprocess.run([SEVEN, "a", "-bd", "-t" + kind, *more, scratch(name), "."], cwd=scratch("tree"), capture_output=True, check=True)
    return scratch(name)


same("folder", seen(load(scratch("tree"))), ALL)
ARCHIVES = {"zip": zipped(FILES), "tar": tarred(FILES), "tar.gz": tarred(FILES, "w:gz"), "tgz": tarred(FILES, "w:gz"),
            "tar.bz2": tarred(FILES, "w:bz2"), "tar.xz": tarred(FILES, "w:xz"), "rar": rarred(FILES)}
if ZSTD:
    ARCHIVES["tar.zst"] = zstd(tarred(FILES))
for ending, content in ARCHIVES.items():
    same("archive_" + ending, seen(load(write("games." + ending, content))), ALL)
    same("archive_by_content_" + ending, seen(load(write("nameless-" + ending.replace(".", "-"), content))), ALL)
    if ending != "rar":
        same("archive_piped_" + ending, seen(load(input=content)), ALL)
ONE = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, **({"zst": zstd} if ZSTD else {})}
for ending, pack in ONE.items():
    same("file_" + ending, seen(load(write("a.pgn." + ending, pack(PGN)))), (0, "2", LINES[:2]))
    same("file_piped_" + ending, seen(load(input=pack(PGN))), (0, "2", LINES[:2]))
    same("file_bytes_" + ending, seen(load(write("c.xqf." + ending, pack(XQF))))[:2], (0, "1"))
if SEVEN:
    same("archive_7z", seen(load(seven("games.7z"))), ALL)
    with open(scratch("games.7z"), "rb") as file:
        status, counts, errors, games = load(input=file.read())
    same("archive_7z_piped", (status, counts.get("refused_files"), len(errors)), (1, "1", 1))
    status, counts, errors, games = load(seven("secret.7z", "-psecret", "-mhe=on"))
    same("encrypted_7z_names", (status, errors[0].startswith("error\tfile secret.7z: the file is encrypted: unpack it with")), (1, True))
    status, counts, errors, games = load(seven("half.7z", "-psecret"))
    same("encrypted_7z", (status, len(errors) > 0 and "half.7z:" in errors[0] and "encrypted" in errors[0]), (1, True))
    status, counts, errors, games = load(seven("secret.zip", "-psecret", "-mem=AES256", kind="zip"))
    same("encrypted_zip_aes", (status, [error.split(": ")[0] for error in errors], "encrypted" in errors[0]),
          (1, ["error\tfile secret.zip:a.pgn", "error\tfile secret.zip:sub/b.tsv", "error\tfile secret.zip:sub/c.xqf"], True))
else:
    skip("archive_7z", "no program of 7-Zip is installed")
if not ZSTD:
    skip("file_zst", "zstd is not installed")
many = os.path.join(SCRATCH, "many")
write("many/a.zip", ARCHIVES["zip"])
write("many/deep/b.tar.xz", ARCHIVES["tar.xz"])
write("many/c.pgn.gz", gzip.compress(PGN))
write("many/d.txt.gz", gzip.compress(b"no game"))
same("folder_of_archives", seen(load(many))[:2], (0, "10"))
same("folder_of_one_format", seen(load(many, more=["--format", "pgn"]))[:2], (0, "6"))

# ---- names of files in archives ------------------------------------------------------------------

BAD = b'[Result "1-0"]\n\n1. h2e2 h2e2 1-0\n'
status, counts, errors, games = load(write("bad.zip", zipped({"sub/a.pgn": PGN + b"\n" + BAD, "z.pgn": PGN})))
same("fault_in_a_member", (status, counts.get("games"), [re.sub(r": '.*", "", error) for error in errors]),
      (1, "4", ["error\tline 11: bad.zip:sub/a.pgn, game 3: ply 2"]))
hostile = {"../up.pgn": PGN, "/etc/cron.pgn": PGN, "a\nerror\tline 1\x1b[31m.pgn": BAD, "\u8c61\u68cb.pgn": BAD, "b\x9b.pgn": BAD}
# Paths of files that an import would write if it unpacked members with hostile names.
OUTSIDE = ["/etc/cron.pgn", *(os.path.join(place, "up.pgn") for place in (".", "..", SCRATCH, os.path.join(SCRATCH, "..")))]
for locale in ("C", "C.UTF-8"):
    for kind, pack in (("zip", zipped), ("tar", tarred)):
        status, counts, errors, games = load(write("hostile." + kind, pack(hostile)), env={**os.environ, "LC_ALL": locale})
        same(f"hostile_names_{kind}_{locale}",
              (status, counts.get("games"), [re.sub(r": ply.*", "", error) for error in errors], [path for path in OUTSIDE if os.path.lexists(path)]),
              (1, "4", [f"error\tline 3: hostile.{kind}:{name}, game 1" for name in ("a?error?line 1?[31m.pgn", "\u8c61\u68cb.pgn", "b??.pgn")], []))
status, out, err = paotai("data", "import", "--json", "--quiet", "--out", scratch("json"), scratch("hostile.zip"))
same("hostile_names_json", [json.loads(line).get("game") for line in out.splitlines()][:3], [1, 1, 1])
links = io.BytesIO()
with tarfile.open(fileobj=links, mode="w") as archive:
    for name, kind, target in (("etc.pgn", tarfile.SYMTYPE, "/etc/passwd"), ("dir.pgn", tarfile.DIRTYPE, ""), ("pipe.pgn", tarfile.FIFOTYPE, "")):
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, target
        archive.addfile(info)
    info = tarfile.TarInfo("a.pgn")
    info.size = len(PGN)
    archive.addfile(info, io.BytesIO(PGN))
same("links_are_no_files", seen(load(write("links.tar", links.getvalue()))), (0, "2", LINES[:2]))

# ---- games that begin as archives do ----------------------------------------------------------------------


def tar_sum(head, signed):
    """Returns the checksum of a tar header, which counts its own field (bytes 148 to 155) as
    blanks."""
    return 8 * 32 + sum(byte - 256 if signed and byte > 127 else byte for at, byte in enumerate(head[:512]) if not 148 <= at < 156)


# libarchive takes a file for a tar if its checksum field holds the sum of its signed bytes; 0 is
# accepted, too.
game = bytearray(XQF)
game[0x94:0x9c] = bytes(8)
at = 0xd1  # offset of the event's text. Bytes above 127, as in GBK, are negative as signed bytes.
while tar_sum(game, True) > 0:
    game[at] = 256 - min(127, tar_sum(game, True) + game[at])
    at += 1
polyglot = bytearray(XQF)
polyglot[257:265] = b"ustar\x0000"
polyglot[148:156] = b"%06o\0 " % tar_sum(polyglot, False)
same("tar_sum", tar_sum(game, True), 0)
PLAIN = seen(load(write("plain.xqf", XQF)))
for name, content in (("signed", bytes(game)), ("ustar", bytes(polyglot))):
    for kind, path in (("file", write(name + ".xqf", content)), ("zip", write(name + ".zip", zipped({"a.xqf": content}))),
                       ("gz", write(name + ".xqf.gz", gzip.compress(content))), ("nameless", write(name, content))):
        same(f"no_archive_{name}_{kind}", seen(load(path)), PLAIN)
    same(f"no_archive_{name}_with_format", seen(load(scratch(name + ".xqf"), more=["--format", "xqf"])), PLAIN)

# ---- archives in archives --------------------------------------------------------------------------------

inner = {"x.zip": ARCHIVES["zip"], "y.tar.gz": ARCHIVES["tar.gz"], "z.pgn.xz": lzma.compress(PGN), "n.txt.gz": gzip.compress(b"x")}
for kind, pack in (("zip", zipped), ("tar", tarred)):
    same("nested_" + kind, seen(load(write("nested." + kind, pack(inner)))), (0, "10", LINES))
status, counts, errors, games = load(write("deep.zip", zipped({"one.zip": zipped({"two.zip": ARCHIVES["zip"], "a.pgn": PGN}), "b.pgn": PGN})))
same("nested_too_deep", (status, counts.get("games"), [error.split("; ")[0] for error in errors]),
      (1, "4", ["error\tfile deep.zip:one.zip:two.zip: the file is nested in too many archives or compressions: unpack it and import the unpacked files"]))
status, counts, errors, games = load(write("inner.zip", zipped({"one.zip": ARCHIVES["zip"][:300], "b.pgn": PGN})))
same("nested_broken", (status, counts.get("games") == "6", bool(errors) and "inner.zip:one.zip" in errors[0]), (1, True, True))

# ---- damaged files --------------------------------------------------------------------------------------

big = {f"{i:03}.pgn": PGN * 20 + b"[Event \"%d\"]\n" % i for i in range(40)}
random_bytes = random.Random(5).randbytes(3000)
big["zz.pgn"] = b"; " + random_bytes.replace(b"\n", b"") + b"\n"
for name, content in {"cut.tar.gz": tarred(big, "w:gz"), "cut.tar": tarred(big), "cut.zip": zipped(big), "cut.rar": rarred(big),
                      "cut.pgn.gz": gzip.compress(PGN * 1000 + big["zz.pgn"]), "cut.pgn.xz": lzma.compress(PGN * 1000 + big["zz.pgn"])}.items():
    for part in (0.5, 0.9):
        status, counts, errors, games = load(write(name, content[:int(len(content) * part)]))
        named = [f"file {name}" in error and "damaged" in error or "game " in error for error in errors]
        same(f"truncated_{name}_{part}", (status, bool(named) and all(named), set(games) <= set(LINES)), (1, True, True))
    status, counts, errors, games = load(scratch(name), write("good.pgn", PGN))
    same(f"others_are_kept_{name}", (status, games[-2:]), (1, LINES[:2]))
# No game of a small compressed file with a wrong checksum is kept, because a damaged result would
# look valid.
content = bytearray(gzip.compress(PGN * 50, 0))
content[content.index(b"1-0")] ^= 1
for name, pack in (("gz", bytes), ("second.gz", lambda packed: gzip.compress(PGN) + bytes(packed)),
                   ("zip", lambda packed: zipped({"a.pgn.gz": bytes(packed)}))):
    status, counts, errors, games = load(write("sum.pgn." + name, pack(content)))
    same("check_sum_" + name, (status, games, [error.split(": ")[0] for error in errors]),
          (1, [], ["error\tfile sum.pgn." + name + (":a.pgn.gz" if name == "zip" else "")]))
status, counts, errors, games = load(write("good.pgn", PGN), write("empty.pgn", b""), write("blank.pgn", b"\n \n"))
same("no_game_is_named", (status, counts["games"], errors), (1, "2", [f"error\tfile {name}.pgn: the file contains no game" for name in ("empty", "blank")]))
same("gzip_in_parts", seen(load(write("parts.pgn.gz", gzip.compress(PGN) + gzip.compress(PGN) + b"\0\0")))[:2], (0, "4"))
content = zipped({"a.pgn": PGN, "b.pgn": PGN + random_bytes.replace(b"\n", b""), "c.pgn": PGN})
at = content.index(b"b.pgn") + 200
status, counts, errors, games = load(write("crc.zip", content[:at] + bytes([content[at] ^ 255]) + content[at + 1:]))
same("broken_member", (status, games[-2:], [error.split(": ")[0] for error in errors]), (1, LINES[:2], ["error\tfile crc.zip:b.pgn"]))
flagged = bytearray(zipped({"a.pgn": PGN, "b.pgn": PGN}))
at = flagged.index(b"a.pgn")
central = flagged.index(b"PK\x01\x02")
flagged[at - 30 + 6] |= 1
flagged[central + 8] |= 1
status, counts, errors, games = load(write("locked.zip", bytes(flagged)))
same("encrypted_member", (status, counts.get("games"), errors),
      (1, "2", ["error\tfile locked.zip:a.pgn: the file is encrypted: unpack it with its password and import the unpacked files"]))
same("empty_archive", load(write("empty.zip", zipped({})))[0], 1)
status, counts, errors, _ = load(scratch("empty.zip"), write("doc.zip", zipped({"readme.doc": b"x"})), write("one.pgn", PGN))
same("archives_without_a_game", (status, counts["games"], errors), (1, "2", [f"error\tfile {name}.zip: the file contains no game" for name in ("empty", "doc")]))
same("empty_file", load(write("empty.pgn", b""))[0], 1)

# ---- a limit on the memory ------------------------------------------------------------------

# Sanitizers with shadow memory need more address space than the limit of this test.
SHADOW = re.search("^variant [at]?san", paotai("--version")[1], re.M)


def limit():
    if not SHADOW:
        resource.setrlimit(resource.RLIMIT_AS, (250 << 20, 250 << 20))


bombs = {"zeros.pgn.gz": (1, bytes), "zeros.xqf.gz": (1, bytes), "lines.pgn.gz": (0, lambda size: (b" " * 1023 + b"\n") * (size >> 10))}
for name, (fault, make) in bombs.items():
    with gzip.open(scratch(name), "wb", 1) as out:
        out.write(b"XQ\x0a" if fault else b"")
        for i in range(300):
            out.write(make(1 << 20))
        out.write(PGN)
    status, counts, errors, games = load(scratch(name), more=["--format", name.split(".")[1]], preexec_fn=limit)
    same("bomb_" + name,
          (status, len([error for error in errors if "longer than 32 MB" in error]), games, os.path.getsize(scratch(name)) < 8 << 20), (fault, fault, [] if fault else LINES[:2], True))
with zipfile.ZipFile(scratch("bomb.zip"), "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
    for member in ("a.pgn", "b.cbl", "c.txt"):
        with archive.open(member, "w", force_zip64=True) as out:
            out.write(b"CCBridgeLibrary\0" if member == "b.cbl" else b"x")
            for i in range(300):
                out.write(bytes(1 << 20))
    archive.writestr("z.pgn", PGN)
status, counts, errors, games = load(scratch("bomb.zip"), preexec_fn=limit)
same("bomb_zip", (status, games, errors), (1, LINES[:2], ["error\tfile bomb.zip:a.pgn: a line is longer than 32 MB, so the file is not a text",
                                                             "error\tfile bomb.zip:b.cbl: the file contains no game"]))
finish()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts between the seeds of a fuzzer and one readable text file, tests/fuzz/corpus/NAME.txt.

    seeds.py unpack FILE.txt DIR    writes a file for each seed
    seeds.py pack DIR FILE.txt      writes the text file from these files

In the text file, a seed is a line `=== NAME`, followed by lines with the bytes of the seed. A backslash begins an
escape: \\xHH is a byte, \\\\ a backslash. The last line feed is not a part of the seed.
"""
import os
import re
import sys


def escaped(line):
    """Returns a line as text.

    Escapes backslashes, bytes that are not printable UTF-8, and a blank at the end. A line
    "=== NAME" begins a seed, so if another line begins with "===", its first "=" is escaped, too."""
    text = "".join(
        "\\\\" if c == "\\" else c if c.isprintable() else "".join(f"\\x{byte:02x}" for byte in c.encode(errors="surrogateescape"))
        for c in line.decode(errors="surrogateescape"))
    if text.startswith("==="):
        text = "\\x3d" + text[1:]
    return text[:-1] + "\\x20" if text.endswith(" ") else text


def unescaped(text):
    return re.sub(rb"\\(?:x(..)|(\\))", lambda found: found[2] or bytes([int(found[1], 16)]), text.encode())


def read(path):
    """Returns the seeds (start inputs of a fuzzer) in a file: name -> bytes."""
    with open(path, encoding="utf-8", newline="\n") as file:
        parts = re.split(r"(?m)^=== (.*)\n", file.read())
    return {name: unescaped(text[:-1]) for name, text in zip(parts[1::2], parts[2::2])}


def pack(directory, path):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        for name in sorted(os.listdir(directory)):
            with open(os.path.join(directory, name), "rb") as file:
                out.write(f"=== {name}\n" + "\n".join(map(escaped, file.read().split(b"\n"))) + "\n")


def unpack(path, directory):
    os.makedirs(directory, exist_ok=True)
    for name, content in read(path).items():
        with open(os.path.join(directory, name), "wb") as file:
            file.write(content)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("pack", "unpack"):
        sys.exit(__doc__)
    {"pack": pack, "unpack": unpack}[sys.argv[1]](sys.argv[2], sys.argv[3])

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/copies.py [ROOT [FLAG...]]: fails if a struct that owns memory is copied by value.

Two copies of such a struct free the same memory, or one of them keeps a pointer to memory that the
other has freed or moved. A struct owns memory if AUTO_VALUE names it, if a function frees a member of
its first argument of this type, or if a member of it is such a struct. These structs are passed by
pointer; MOVE() of core/base/status.h transfers the content of one variable to another. The script
needs clang, to which it passes the FLAGs: it searches clang's syntax tree for reads of a whole struct.
It ignores compound literals and status.h, which defines MOVE() and BORROW(). `make copies` runs it."""
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys

CLANG = next(filter(None, map(shutil.which, ("clang", "clang-14"))), None)
ROOMS = ("core", "datasets", "selfplay", "tuner", "bench", "tests")
STRUCT = re.compile(r"typedef struct (\w+) \{\n(.*?)\n\} \1;", re.S)
FUNCTION = re.compile(r"^(?:static )?(?:inline )?\w+ \**\w+\((\w+) \*(\w+)[^{;]*?\) \{\n(.*?)\n\}", re.S | re.M)
# A place in clang's dump: PATH:LINE:COLUMN, line:LINE:COLUMN or col:COLUMN.
PLACE = re.compile(r"(?:([^\s<>,:]+\.[a-z]+):|\bline:)(\d+):\d+|\bcol:\d+")
FIELD = re.compile(r"^ +(?:const )?([A-Z]\w+) \w", re.M)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def owners(texts):
    """Returns the names of the structs that own memory."""
    own, members = set(), {}
    for text in texts:
        own.update(re.findall(r"^AUTO_VALUE\((\w+),", text, re.M))
        members.update((name, set(FIELD.findall(body))) for name, body in STRUCT.findall(text))
        own.update(kind for kind, name, body in FUNCTION.findall(text) if re.search(rf"\bfree\({name}->", body))
    while more := {name for name, inner in members.items() if inner & own} - own:
        own |= more
    return own


def place(lines, end):
    """Returns file and line of the beginning of a node in the dump. A place in the dump omits its file
    or line if it is that of the place before."""
    path = number = None
    for at in range(end, -1, -1):
        tokens = PLACE.findall(lines[at][:lines[at].find(">")] if at == end else lines[at])
        for file, line in reversed(tokens[:1] if at == end else tokens):
            number = number or line
            path = path or file
            if path:
                return f"{os.path.relpath(path)}:{number}"
    return "?"


def copies(path, own, flags):
    done = subprocess.run([CLANG, "-std=c11", "-D_GNU_SOURCE", "-I.", *flags, "-fsyntax-only", "-w", "-fno-color-diagnostics",
                           "-Xclang", "-ast-dump", path], capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        return {f"{path}: clang cannot read it: {next((line for line in done.stderr.splitlines() if 'error:' in line), '')}"}
    found, lines = set(), done.stdout.splitlines()
    for at, line in enumerate(lines):
        if "<LValueToRValue>" not in line:
            continue
        kind = re.search(r"> '(?:const )?(?:struct )?(\w+)'", line)
        if kind and kind[1] in own and "-CompoundLiteralExpr " not in lines[at + 1]:
            where = place(lines, at)
            if not where.startswith("core/base/status.h:"):
                found.add(f"{where}: a struct {kind[1]} owns memory and is copied by value; pass a pointer, or use MOVE() or BORROW()")
    return found


def main():
    if not CLANG:
        sys.exit("copies: clang is not installed (make deps-dev)")
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), ".."))
    paths = sorted(path for room in ROOMS for path in glob.glob(f"{room}/**/*.[ch]", recursive=True))
    own = owners(map(read, paths))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = set().union(*pool.map(lambda path: copies(path, own, sys.argv[2:]), [path for path in paths if path.endswith(".c")]))
    print("\n".join(sorted(found)) + ("\n" if found else "") + f"copies: {len(own)} types own memory, {len(found)} copies in {len(paths)} files")
    sys.exit(bool(found) or not own)


if __name__ == "__main__":
    main()

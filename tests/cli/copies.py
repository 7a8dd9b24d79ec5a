# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that tests/copies.py, which refuses copies of structs that own memory, finds each kind of copy
# and, in test-full, passes on this tree. It reads all sources with clang, which takes 20 s; `make ci`
# runs it as well.
import re
import shutil
import subprocess
import sys

from checks import FULL, finish, result, same, scratch, skip, write

if not (shutil.which("clang") or shutil.which("clang-14")):
    skip("copies", "clang is not installed (make deps-dev)")
    finish()
if FULL:
    done = subprocess.run(["make", "-s", "copies"], capture_output=True, text=True, check=False)
    result("copies_of_this_tree", done.returncode and done.stdout + done.stderr)
else:
    skip("copies_of_this_tree", "takes long, runs in make ci and make test-full")

HEAD = """#include <stdlib.h>
#include "core/base/status.h"
typedef struct Held { char *text; int count; } Held;
typedef struct Kept {
    char *text;
} Kept;
typedef struct Outer {
    Kept kept[2];
    int count;
} Outer;
typedef struct Plain { char *text; } Plain;
static void held_clear(Held *held) { free(held->text); }
AUTO_VALUE(Held, held_clear)
static void kept_clear(Kept *kept) {
    free(kept->text);
}
void use(Held *held, Held other, Kept *kept, const Outer *outer, Plain *plain);
"""
# Each function copies once, in the line of the word COPY, or not at all.
BODIES = ["Held copy = *held; /* COPY */ use(&copy, MOVE(other), kept, outer, plain);", "*held = other; /* COPY */",
          "const Outer copy = *outer; /* COPY */ use(held, (Held){0}, kept, &copy, plain);", "use(held, *held, /* COPY */ kept, outer, plain);",
          "kept[0] = outer->kept[1]; /* COPY */", "Plain copy = *plain; use(held, MOVE(other), kept, outer, &copy);",
          "*held = (Held){.count = 1}; *kept = MOVE(kept[1]);", "const Outer copy = BORROW(*outer); use(held, (Held){0}, kept, &copy, plain);"]
TEXT = HEAD + "".join(f"void use{at}(Held *held, Held other, Kept *kept, const Outer *outer, Plain *plain);\n"
                      f"void use{at}(Held *held, Held other, Kept *kept, const Outer *outer, Plain *plain) {{\n    (void)held, (void)kept, (void)outer, (void)plain;\n"
                      f"    (void)&other, (void)kept_clear;\n    {body}\n}}\n" for at, body in enumerate(BODIES))
for name in ("bits.h", "status.h", "status.def"):
    with open(f"core/base/{name}", encoding="utf-8") as file:
        write(f"core/base/{name}", file.read())
write("core/bad.c", TEXT)
done = subprocess.run([sys.executable, "tests/copies.py", scratch("")], capture_output=True, text=True, check=False)
found = sorted(int(number) for number in re.findall(r"^core/bad\.c:(\d+): a struct", done.stdout, re.M))
same("copies_found", (found, done.returncode), ([at for at, line in enumerate(TEXT.splitlines(), 1) if "COPY" in line], 1))
write("core/bad.c", HEAD + "broken\n")
done = subprocess.run([sys.executable, "tests/copies.py", scratch("")], capture_output=True, text=True, check=False)
same("copies_unreadable", (done.returncode, "clang cannot read it" in done.stdout), (1, True))
finish()

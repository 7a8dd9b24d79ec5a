# SPDX-License-Identifier: GPL-3.0-or-later
# What long work looks like on a terminal: a screen of so many columns reads what the program writes.
import fcntl
import os
import pty
import re
import struct
import termios

from checks import PAOTAI, finish, has_terminals, paotai, report, scratch, want, write


if not has_terminals("terminal"):
    finish()


def screen(columns, *args, typed=b""):
    """The lines that a terminal of that width shows at the end, and the widest line ever drawn."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.pop("COLUMNS", None)
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        os.execv(PAOTAI, [PAOTAI, *args])
    out = b""
    os.write(fd, typed)
    try:
        while got := os.read(fd, 65536):
            out += got
    except OSError:
        pass
    os.waitpid(pid, 0)
    lines, row, column, widest = [""], 0, 0, 0
    for word in re.findall(r"\x1b\[\d*[A-Za-z]|.|\n|\r", out.decode()):
        if word == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif word == "\r":
            column = 0
        elif word.startswith("\x1b"):
            count = int(word[2:-1] or 1)
            if word[-1] == "K":
                lines[row] = lines[row][:column]
            elif word[-1] == "A":
                row -= count
            elif word[-1] == "B":
                row += count
            elif word[-1] == "J":
                del lines[row + 1 :]
                lines[row] = lines[row][:column]
        else:
            lines[row] = lines[row].ljust(column)[:column] + word + lines[row][column + 1 :]
            column += 1
            widest = max(widest, column)
    return lines, widest


# Shards are told of while the progress line is shown.
lines, widest = screen(40, "selfplay", "--games", "60", "--nodes", "400", "--shard-games", "4", "--out", scratch("run"))
shards = [line for line in lines if "shard-" in line]
want(len(shards) == 15 and all(re.fullmatch(r"shard \S+ games \d+:\d+", line) for line in shards), f"lines of results: {lines}")
want(any("60 games" in line and "/s" in line for line in lines), f"no last progress line: {lines}")
progress = [line for line in lines if "/s" in line]
want(all(len(line) < 40 for line in progress), f"a progress line wider than the terminal: {progress}")
report("terminal_selfplay")

fens = "".join(f"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - {i} 1\n" for i in range(40))
lines, _ = screen(80, "analyse", "--nodes", "60000", write("fens", fens))
answers = [line for line in lines if "\t" in line]
want(len(answers) == 40 and all(re.match(r"-?\d+\t\d+\t\w", line) for line in answers), f"lines of analyse: {lines}")
report("terminal_analyse")

for name, text in (("perft", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\t4\t1\n" * 12),):
    lines, _ = screen(80, "perft", "--suite", write("suite", text))
    want(sum(line.startswith("FAIL line ") for line in lines) == 12, f"lines of perft: {lines}")
report("terminal_perft")

# Tables fit 80 columns.
for args in (("tune", scratch("run")), ("weights", "show", "default"), ("odds", "list")):
    lines, widest = screen(80, *args)
    want(widest <= 80, f"{args}: {max(lines, key=len)!r}")
report("terminal_tables")

# Who calls the program alone is told where to go.
lines, widest = screen(80, typed=b"quit\n")
want(widest <= 80 and "'paotai play'" in "".join(lines) and "--help" in "".join(lines), f"the first words: {lines}")
report("terminal_first_words")

# Help is as wide as the terminal.
for columns in (60, 120):
    _, widest = screen(columns, "match", "--help")
    want(columns - 12 <= widest <= columns, f"help on {columns} columns is {widest} wide")
report("terminal_help")
finish()

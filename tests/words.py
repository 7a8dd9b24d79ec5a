# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/words.py [FILE|FOLDER ...]: refuses sentence fragments, questions and old-fashioned phrases.

Reads the comments and strings of C files, and the comments and first docstring lines of Python
files, shell files and the Makefile. It finds fragments and questions by the first and last words of
a comment, or of a string that begins with a capital letter, and old phrases anywhere. It cannot
judge whether a sentence is clear. Without arguments it reads all such files of the repository,
except itself. The exit status is 1 if it refuses a line or finds no file.
"""
import re
import subprocess
import sys

FIRST = re.compile(r"(the same|same|those|that|of|by|what|who|whom|whose|where|as|so|from|to|is|are|has|have|"
                   r"does|did|may|can|was|were|will|would|should)\b(?! *=)", re.I)
LAST = re.compile(r"(of (it|them|those)|: none|or none)[.,;)]*$", re.I)
PHRASE = re.compile(r"\b(so (many|much)|of late|but for|puts? off|goes on|asked|as yet)\b", re.I)
C_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)


def tokens(path, text):
    """Yields (offset, kind, text) for each comment line of a file, and for each string of a C file."""
    if re.search(r"\.(c|h|def)$", path):
        for match in C_TOKEN.finditer(text):
            token = match.group()
            if token[0] != "'":
                kind = "string" if token[0] == '"' else "comment"
                yield match.start(), kind, token[1:-1] if kind == "string" else token.strip("/* ")
    else:
        for match in re.finditer(r"^[ \t]*#(?!!)[ \t]*([^\n]*)|^[a-z-]+:[^\n]*(##[^\n]*)|^[ \t]*\"\"\"([^\n]+)", text, re.M):
            comment = match.group(match.lastindex)
            mark = match.start() + re.search('[#"]', match.group()).start()
            yield mark, "comment", comment.strip('#" ')


def blocks(path, text):
    """Yields (line, kind, text) for each paragraph of comment and each run of adjacent strings."""
    last, block = None, None
    for start, kind, token in tokens(path, text):
        line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
        if "SPDX-" in token:
            continue
        if kind == "string":
            joins = last and last[0] == kind and not text[last[1]:start].strip('"\\\n\t ')
        else:
            alone = not text[text.rfind("\n", 0, start) + 1:start].strip()
            joins = last and last == (kind, line - 1, column) and alone and token
        if joins:
            block[2] += token if kind == "string" else " " + token
        else:
            if block:
                yield block
            block = [line, kind, token]
        last = (kind, start + len(token) + 1) if kind == "string" else (kind, line, column)
    if block:
        yield block


def refused(path, text):
    for line, kind, words in blocks(path, text):
        found = PHRASE.search(words)
        if kind == "comment" or re.match(r"[A-Z]\w* ", words):
            found = found or FIRST.match(words) or LAST.search(words)
        if found:
            yield f"{path}:{line}: '{found.group()}' in \"{words.strip()[:200]}\""


def main():
    files = subprocess.run(["git", "ls-files", "-z", "--", *sys.argv[1:]], check=True, stdout=subprocess.PIPE)
    paths = [path for path in files.stdout.decode().split("\0") if re.search(r"(\.(c|h|def|py|sh)|^Makefile)$", path)]
    lines = [line for path in paths if path != "tests/words.py"
             for line in refused(path, open(path, encoding="utf-8").read())]
    print("\n".join(lines + [f"words: {len(lines)} lines refused in {len(paths)} files"]))
    return 1 if lines or not paths else 0


if __name__ == "__main__":
    sys.exit(main())

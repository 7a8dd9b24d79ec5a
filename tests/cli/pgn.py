# SPDX-License-Identifier: GPL-3.0-or-later
# Tests PGN as other programs write it, and texts that look like PGN.
from checks import finish, paotai, report, scratch, want, write


# ---- memory ------------------------------------------------------------------------------------------

# A label after tags without quotes made a copy of the reader, which freed memory of the original.
for number, text in enumerate(("[E\n[E\n:", "[FEN 1\n[A\nx y:", "[Red x\n[Red x\n红方：\n[E\n:\n:"), 1):
    path = write(f"label{number}.pgn", text)
    for words in (["data", "import", "--out", scratch("never"), path], ["view", path, "--out", scratch("never.html")],
                  ["analyse", "--review", path], ["book", "info", path], ["match", "--openings", path, "--a", "nodes=1", "--b", "nodes=1",
                   "--pairs", "1"]):
        want(paotai(*words).returncode in (0, 1), f"{' '.join(words[:2])} of text {number} crashes")
report("labels_after_tags")
finish()

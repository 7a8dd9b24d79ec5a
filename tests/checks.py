# SPDX-License-Identifier: GPL-3.0-or-later
"""Helpers of the Python tests (tests/run.sh sets PYTHONPATH). A script prints a PASS or FAIL
line for each check and ends with finish()."""
import base64
import fcntl
import hashlib
import json
import os
import pty
import re
import shlex
import shutil
import struct
import subprocess
import sys
import termios
import time

from browser import BROWSER, NO_BROWSER  # noqa: F401

PAOTAI = os.path.abspath(os.environ.get("PAOTAI", "build/release/paotai"))
SCRATCH = os.environ.get("PAOTAI_SCRATCH", "build/scratch")
DATA = os.environ.get("PAOTAI_TEST_DATA", "tests/data")
SHARED = os.environ.get("PAOTAI_SHARED")
NO_SHARED = "the directory PAOTAI_SHARED does not exist (tests/README.md)"
FULL = os.environ.get("PAOTAI_FULL") == "1"
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
failures = 0
_complaints = []


def check(name, good, why=""):
    global failures
    failures += not good
    print(f"PASS {name}" if good else f"FAIL {name}: {str(why)[:2000]}", flush=True)


def result(name, why=""):
    """The check passes if `why` is empty. Otherwise `why`, a text or a list of texts, says why it fails."""
    check(name, not why, "; ".join(why) if isinstance(why, list) else why)


def same(name, got, expected):
    check(name, got == expected, f"{str(got)[:1500]!r}, expected {str(expected)[:1500]!r}")


def refuses(name, status, word, *args, run=None):
    """The check passes if the program, or the function `run`, ends with the status and prints the word on standard
    error. Returns the finished process."""
    done = (run or paotai)(*args)
    check(name, done.returncode == status and word in done.stderr, f"exit status {done.returncode}, not {status} and '{word}': {done.stderr[:500]}")
    return done


# want() and report() make one check of many small conditions: call want() for each condition, and
# then report(), which prints one PASS line, or a FAIL line for each condition that was false.
def want(condition, what):
    if not condition:
        _complaints.append(what)


def want_same(got, expected, what):
    want(got == expected, f"{what}: got {got!r}, expected {expected!r}")


def report(name):
    for what in _complaints:
        check(name, False, what)
    if not _complaints:
        check(name, True)
    _complaints.clear()


def skip(name, why):
    print(f"SKIP {name}: {why}", flush=True)


def finish():
    sys.exit(failures > 0)


def run(*command, stdin="", timeout=1200, **more):
    """Runs a command with a text or bytes as standard input. Returns the CompletedProcess.

    Invalid UTF-8 in the output of the command becomes surrogates."""
    text = stdin.decode(errors="surrogateescape") if isinstance(stdin, bytes) else stdin
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8", errors="surrogateescape", timeout=timeout, check=False, **more)


def paotai(*args, **more):
    """Runs the program, like run()."""
    return run(PAOTAI, *args, **more)


def another_build():
    """Returns the path of a copy of the program whose build id differs in one bit."""
    build = bytes.fromhex(re.search(r"build (\S+)", paotai("--version").stdout)[1])
    with open(PAOTAI, "rb") as file:
        program = file.read()
    assert program.count(build) == 1
    path = write("another", program.replace(build, bytes([build[0] ^ 1]) + build[1:]))
    os.chmod(path, 0o755)
    return path


def outcome(*args, **more):
    """Like paotai(), but returns (exit status, standard output, standard error)."""
    done = paotai(*args, **more)
    return done.returncode, done.stdout, done.stderr


def accepts(example):
    """Checks that the program accepts a command line from a documentation text.

    Only the first command of a pipeline is checked. It is run with --help added at its end, so the
    program must parse all words before --help."""
    try:
        words = shlex.split(example.split(" | ")[0].split(" <")[0].split(" >")[0], comments=True)[1:]
    except ValueError:
        return want(False, f"'{example}' is no command line")
    if " " in words[0]:  # a protocol line as one argument, such as "go depth 8"; it takes no --help
        return None
    done = paotai(*words, "--help")
    return want(done.returncode == 0 and done.stdout.startswith("usage:"), f"'{example}' is refused: {done.stderr.strip()}")


def split(command):
    """Returns the words of a command line, in which quotes hold words together."""
    return shlex.split(command)


def values(text):
    """Returns the `key value` lines of an output as a dictionary."""
    return dict(line.split(" ", 1) if " " in line else (line, "") for line in text.splitlines() if line[:1] != "#")


# Lines and words that differ between two equal calls: times, rates, the number of threads, dates.
VOLATILE = re.compile(r"second|ms_per|CPU|nps|_share|^shard |^# (threads|out|errors|given|made by)|^(machine|already|games_played|played)[ =]|^ +\d+  .*%  ")


def steady(text, *paths):
    """Returns the lines of a text without times, the number of threads, and the names in `paths`."""
    for path in paths:
        text = text.replace(path, "OUT")
    lines = [line for line in text.splitlines() if not VOLATILE.search(line)]
    return [re.sub(r"20\d\d-\d\d-\d\d( \d\d:\d\d:?\d*( UTC)?)?|(--threads(</span>)? |threads=)\d+ ?|--resume ?|\d[\d.]* m?s\b", "-", line) for line in lines]


def content(path, *names):
    """Returns what a command has written at a path: a dictionary of its files, or the content of one
    file, without what steady() removes. The shards of a run are replaced by its content hash."""
    if not os.path.isdir(path):
        if path.endswith(".net"):
            return paotai("weights", "hash", path).stdout
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return steady(file.read(), path, *names)
    found = {}
    for folder, _, files in os.walk(path):
        if any(name.startswith("shard-") for name in files):
            found[os.path.relpath(folder, path)] = values(paotai("data", "info", "--quiet", folder).stdout).get("content_hash")
        for name in files:
            if name[0] != "." and not name.endswith(".h5"):
                found[os.path.relpath(os.path.join(folder, name), path)] = content(os.path.join(folder, name), path, *names)
    return found


def difference(one, other):
    """Returns the first part in which two results differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return next(f"{key}: {difference(one[key], other[key])}" for key in one if one[key] != other[key])
    if isinstance(one, list) and isinstance(other, list):
        return next((f"{a!r} and {b!r}" for a, b in zip(one, other) if a != b), f"{len(one)} and {len(other)} lines")
    return f"{one!r} and {other!r}"


def wait_for_work(child, number, least=5):
    """Waits until the process handles signal `number` and has used `least` hundredths of a second of
    user time. Returns False if the process ends before."""
    while child.poll() is None:
        with open(f"/proc/{child.pid}/status") as file:
            heard = int(re.search("^SigCgt:\\s*([0-9a-f]+)", file.read(), re.M)[1], 16)
        with open(f"/proc/{child.pid}/stat") as file:
            ticks = int(file.read().rsplit(")", 1)[1].split()[11])
        if heard >> (number - 1) & 1 and ticks >= least:
            return True
        time.sleep(0.01)
    return False


def scratch(name):
    return os.path.join(SCRATCH, name)


def section(name):
    """Gives the checks that follow a directory of their own, below that of the test."""
    global SCRATCH
    SCRATCH = os.path.join(os.environ.get("PAOTAI_SCRATCH", "build/scratch"), name)
    os.makedirs(SCRATCH)


def write(name, content):
    """Writes text or bytes to a file in the test's directory and returns the path."""
    path = scratch(name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return path


def read(name):
    with open(scratch(name), encoding="utf-8") as file:
        return file.read()


def has_terminals(name):
    """Returns True if pseudo-terminals work here. Otherwise prints that the check `name` is skipped."""
    try:
        for end in os.openpty():
            os.close(end)
    except OSError as why:
        skip(name, f"no terminal can be made here: {why}")
        return False
    return True


def screen(columns, *args, typed=b""):
    """Runs the program on a terminal with this number of columns and with the input `typed`.

    Returns the wait status of the program, its output, the final lines of the screen, and the
    width of the widest line."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.pop("COLUMNS", None)
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        os.execv(PAOTAI, [PAOTAI, *args])
    out = b""
    os.write(terminal, typed)
    try:
        while got := os.read(terminal, 65536):
            out += got
    except OSError:
        pass
    status = os.waitpid(pid, 0)[1]
    lines, row, column, widest = [""], 0, 0, 0
    for word in re.findall(r"\x1b\[\d*[A-Za-z]|\n|\r|[^\x1b\r\n]+", out.decode()):
        count = int(re.sub(r"\D", "", word) or 1) if word[0] == "\x1b" else 0
        if word == "\r":
            column = 0
        elif word == "\n" or word[-1] in "AB" and count:
            row += {"\n": 1, "B": count, "A": -count}[word[-1]]
            lines += [""] * (row + 1 - len(lines))
        elif count and word[-1] in "KJ":
            lines[row] = lines[row][:column]
            del lines[row + 1 if word[-1] == "J" else len(lines):]
        elif not count:
            lines[row] = lines[row].ljust(column)[:column] + word + lines[row][column + len(word):]
            column += len(word)
            widest = max(widest, column)
    return status, out, lines, widest


# Beginning of an HTML page that shows each tested page in an iframe. The script of this page
# collects the messages that the iframes post. All iframes lie at the same place, because a browser
# does not draw iframes outside of its window.
FRAMES = """<!DOCTYPE html><meta charset="utf-8"><pre id="out"></pre><script>
const said = [];
addEventListener('message', e => {
    for (let i = 0; i < frames.length; i++) if (frames[i] === e.source) said[i] = e.data;
    if (Object.keys(said).length === document.querySelectorAll('iframe').length)
        document.getElementById('out').textContent = 'RESULT' + btoa(unescape(encodeURIComponent(JSON.stringify(said)))) + 'END';
});
</script>"""


def with_probe(page, probe):
    """Returns a page with a test script (and style) at its end. Adds their hashes to the policy of the
    page, which otherwise allows only the scripts of the program."""
    policy = re.search(r'Content-Security-Policy\' content="([^"]*)"', page)
    allowed = policy[1] if policy else ""
    for kind in ("script", "style"):
        hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in re.findall(f"<{kind}>(.*?)</{kind}>", probe, re.S)]
        sources = f"{kind}-src " + " ".join(f"'sha256-{value}'" for value in hashes) + " "
        allowed = allowed.replace(f"{kind}-src ", sources) if f"{kind}-src " in allowed else f"{allowed}; {sources}"
    if policy:
        page = page.replace(policy[1], allowed)
    return page.replace("</body>", probe)


def browse_all(name, pages, height):
    """Opens several HTML pages in one browser and returns what a test script in each page reports.

    `pages` lists (HTML text, test script, width in pixels). The test script is added at the end of
    the page and posts one message in JSON. Returns the list of decoded messages, or a None for
    each page if the browser failed. Each page is shown in an iframe, because a browser window has
    a minimum width."""
    frames = ""
    for i, (page, probe, width) in enumerate(pages):
        write(f"probe{i}.html", with_probe(page, probe))
        frames += f'<iframe src="probe{i}.html" width="{width}" height="{height}" style="border:0; position:absolute; left:0; top:0"></iframe>'
    write("frame.html", FRAMES + frames)
    done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={SCRATCH}/browser", "--window-size=1400,3200",
                           "--virtual-time-budget=20000", "--dump-dom", f"file://{os.path.abspath(scratch('frame.html'))}"],
                          capture_output=True, text=True, timeout=600, check=False)
    found = re.search(r"RESULT([\w+/=]+)END", done.stdout)
    check(name, found, done.stdout[-300:] + done.stderr[-300:])
    return [json.loads(said) for said in json.loads(base64.b64decode(found[1]))] if found else [None] * len(pages)


def browse(name, page, probe, width, height):
    """Opens one page and returns its message, like browse_all()."""
    return browse_all(name, [(page, probe, width)], height)[0]


def need(name, *modules):
    """Makes sure that the Python modules can be imported.

    If a module is missing, restarts the test script with /usr/bin/python3. If it is missing there,
    too, prints that the check `name` is skipped, and ends the script."""
    try:
        for module in modules:
            __import__(module)
    except ImportError:
        if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
            os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
        skip(name, f"python3-{module} is not installed (make deps)")
        finish()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that no text from outside reaches a shell, a page or a terminal unescaped: names of players,
engines, revisions, files and folders, comments and records with quotes, $(), newlines, escape sequences
and HTML."""
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from checks import PAOTAI, SCRATCH, finish, result, wait_for_work, write

SHELL = "$(touch pwned)`touch pwned`;touch pwned;'\"|touch pwned&"
ESCAPE = "\x1b]0;title\x07\x1b[31mred\nnew line\x7f\u009bC1"
PAGE = "<script>alert(1)</script><img src=x onerror=alert(1)>"
LOOP = ("loop --generations 1 --seed 3 --games 24 --nodes 50 --pairs 1 --threads 1 --quiet --selfplay-options".split() +
        ["--opening-nodes 20", "--tune-options", "--lambda 1", "--match-options", "--max-plies 12 --opening-nodes 20"])
PLAY = "--nodes 10 --threads 1 --seed 1 --max-plies 20 --opening-nodes 10 --quiet".split()


def check(name, why=""):
    result("hostile_" + name, why)


def run(*words, cwd=SCRATCH, stdin=b""):
    return subprocess.run([PAOTAI, *words], cwd=cwd, input=stdin, capture_output=True, timeout=1200)


def unprintable(data):
    """Returns the text around the first control character, except newline and tab, of an output.
    Returns '' if there is none. If the output is not UTF-8, returns the error of its decoding."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"no UTF-8: {error}"
    found = re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
    return repr(text[max(0, found.start() - 60):found.end() + 20]) if found else ""


def shell_ran():
    for folder, folders, files in os.walk(SCRATCH):
        if "pwned" in files + folders:
            return f"a shell ran what stands in a name: {folder}/pwned"
    return ""


def trouble(done, status=0):
    """Returns what is wrong with a finished command: its exit status, unescaped control characters
    in its output, or a name that a shell ran. Returns '' if nothing is wrong."""
    if status is not None and done.returncode != status:
        return f"exit status {done.returncode}, not {status}: {done.stderr[-300:]}"
    return unprintable(done.stdout) or unprintable(done.stderr) or shell_ran()


def revisions():
    """Tests a branch whose name looks like shell code and like settings of a player. The commit message
    and the directory of the cache look like that, too."""
    branch = "a,depth=9;$(touch>pwned)'\"<b>"
    write("repo/prog", f'#!/bin/sh\n[ "$1" = bench ] && echo "1 nodes 1 nps" && exit\nexec "{PAOTAI}"\n')
    write("repo/Makefile", "build/release/paotai:\n\tmkdir -p build/release && cp prog build/release/paotai && chmod +x build/release/paotai\n")
    repo = os.path.join(SCRATCH, "repo")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    for name in ("AUTHOR", "COMMITTER"):
        env.update({f"GIT_{name}_NAME": SHELL + PAGE, f"GIT_{name}_EMAIL": "a@b"})
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", f"{SHELL}\n\nBench: 1\n{ESCAPE}"], ["branch", branch]):
        subprocess.run(["git", *words], cwd=repo, env=env, check=True, capture_output=True)
    cache = "ca che,'$(touch pwned)\"\\"
    done = run("match", "--rev", branch, "--rev", "HEAD", "--rev-cache", cache, "--pairs", "1", "--a", "depth=2", *PLAY, cwd=repo)
    why = trouble(done)
    if not why and f"a {branch}" not in done.stdout.decode():
        why = f"the name of the revision is not what was given: {done.stdout[:80]}"
    check("revisions", why)
    for name in (SHELL, ESCAPE, "--upload-pack=touch pwned", "--output=pwned", PAGE, "'", "HEAD'; touch pwned; '"):
        why = trouble(run("match", "--rev", name, "--rev", "HEAD", cwd=repo), None)
        if why:
            break
    for name in ("^HEAD", "HEAD^@", "HEAD^{tree}", "HEAD..HEAD", "--all"):  # no commit, or several
        done = run("match", "--rev", name, "--rev", "HEAD", cwd=repo)
        why = why or trouble(done, 1) or ("" if f"--rev {name}: no such commit".encode() in done.stderr else f"{name}: {done.stderr}")
    check("revision_names", why)


def engine():
    """Writes an engine that sends hostile texts, and returns its path."""
    words = (SHELL + PAGE + ESCAPE.replace("\n", "")).encode("unicode_escape").decode()
    return write("engine.py", f"""import sys
words = {words!r}.encode().decode("unicode_escape")
for line in sys.stdin:
    if line.startswith("uci\\n"):
        print("id name", words, "\\nid author", words, "\\noption name", words, "type string default", words)
        print("uciok", flush=True)
    elif line.startswith("isready"):
        print("info string", words, "\\nreadyok", flush=True)
    elif line.startswith("go"):
        print("info depth 1 score cp 1 string", words, "\\nbestmove", words, flush=True)
""")


def players():
    for at, name in enumerate((SHELL, ESCAPE, PAGE)):
        player = "nodes=10,name=" + re.sub(r"([,\\])", r"\\\1", name)[:60]
        run_dir, pgn = f"run{at}", f"run{at}.pgn"
        done = run("match", "--a", player, "--b", "weights=classic", "--pairs", "1", *PLAY, "--out", run_dir, "--pgn", pgn)
        why = trouble(done) or unprintable(open(os.path.join(SCRATCH, pgn), "rb").read())
        if not why and not all(re.match(rb"\S+ \S|#", line) for line in done.stdout.splitlines()):
            why = f"a name makes lines of its own: {done.stdout[:200]}"
        for words in (["data", "info", run_dir], ["data", "export", "--format", "pgn", run_dir], ["show", "--data", run_dir,
                      "--game", "0"], ["tournament", player, "weights=classic", "--rounds", "1", *PLAY]):
            why = why or trouble(run(*words))
        check(f"player_{at}", why)


def engines():
    player = f"cmd={sys.executable} {engine()},proto=uci,nodes=10,log=talk.log,name=mock"
    done = run("match", "--a", player, "--b", "weights=classic", "--pairs", "1", *PLAY, "--pgn", "engine.pgn")
    log = open(os.path.join(SCRATCH, "talk.log"), "rb").read()
    check("engine", trouble(done, None) or unprintable(log))
    check("engine_check", trouble(run("engine-check", player), None))


def records():
    tags = "".join(f'[{tag} "{text}"]\n' for tag, text in (("Event", SHELL.replace('"', '\\"')), ("Red", ESCAPE.replace("\n", " ")),
                   ("Black", PAGE), ("Site", "a\\\" ]")))
    path = write("records '$(touch pwned)'/" + PAGE.replace("/", "") + ".pgn", f'{tags}[Result "1-0"]\n\n1. h2e2 {{{ESCAPE}}} h9g7 1-0\n')
    why = trouble(run("data", "import", "--out", "imported", path))
    for words in (["data", "info", "imported"], ["data", "verify", "imported"], ["data", "export", "--format", "pgn", "imported"],
                  ["show", "--data", "imported", "--game", "0"]):
        why = why or trouble(run(*words))
    check("records", why)
    broken = write(f"{ESCAPE}{SHELL}.pgn".replace("/", ""), f'{tags}\n1. {ESCAPE} {SHELL} 1-0\n')
    check("broken_record", trouble(run("data", "import", "--out", "never", broken), None))
    line = f"{ESCAPE} {SHELL} w\t{ESCAPE} h2e2\n".encode() + b"\x9b31m\xff\x1b[2J w\ta\n"
    for words in (["judge"], ["notation", "--from", "uci", "--to", "wxf"], ["analyse"], ["judge", "--json"]):
        check(f"lines_{words[0]}{len(words)}", trouble(run(*words, stdin=line), 1))
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - "
    for words in ([], ["--json"]):
        line = f'{start}id "{ESCAPE}{PAGE}";'.replace("\n", " ") + "\n"
        check(f"position_names{len(words)}", trouble(run("analyse", "--nodes", "10", *words, stdin=line.encode())))
    check("file_names", trouble(run("data", "info", ESCAPE), 1) or trouble(run("tune", ESCAPE), 1) or trouble(run("weights", "show", ESCAPE), None))
    check("arguments", trouble(run(ESCAPE.replace(" ", "_")), 2) or trouble(run("judge", f"--{ESCAPE}"), 2) or trouble(run("judge", "--rules", ESCAPE), 2))
    check("play", trouble(run("play", "--nodes", "5", stdin=f"save {ESCAPE}\n{ESCAPE}\nquit\n".encode())))
    with subprocess.Popen([PAOTAI], cwd=SCRATCH, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdin.write(b"setoption name Debug Log File value uci.log\nisready\n")
        child.stdin.flush()
        child.stdout.readline()  # readyok: the log is open
        child.communicate(f"position fen {ESCAPE}\nquit\n".encode())
    with open(os.path.join(SCRATCH, "uci.log"), "rb") as file:
        log = file.read()
    check("protocol_log", unprintable(log) or ("" if b"\n> position fen" in log else f"no lines of a session: {log}"))
    check("protocol", trouble(run(stdin=f"position fen {ESCAPE}\nsetoption name {ESCAPE} value 1\ngo {ESCAPE}\nquit\n".encode())))


def pages():
    folder, weights = PAGE.replace("/", ""), PAGE.replace("/", "") + "'\".txt"
    run("selfplay", "--games", "16", "--nodes", "20", "--weights", "classic", "--quiet", "--out", folder)
    run("weights", "convert", "classic", "--out", weights)
    with open(os.path.join(SCRATCH, weights), "r+", encoding="utf-8") as file:
        text = file.read()
        file.seek(0)
        file.write(f"# {PAGE}\n# options {PAGE}{SHELL}\n{text}")
    why = trouble(run("report", "--data", folder, "--out", "report.html", weights, "--quiet"))
    page = open(os.path.join(SCRATCH, "report.html"), encoding="utf-8").read() if not why else "<x/>"
    if "<script>alert" in page or "<img" in page:
        why = "a name is a piece of the page"
    ElementTree.fromstring(page.split("\n", 1)[-1])
    check("report", why)
    option = PAGE + "'\"&"  # name of an option of the engine, and of the tuned parameter
    engine_path = write("option.sh", f'#!/bin/sh\n"{PAOTAI}" | sed -u -e "/^uciok/i option name $(cat option) type spin default 1 min 0 max 9" -e "/no option/d"\n')
    write("option", option)
    os.chmod(engine_path, 0o755)
    done = run("spsa", "--param", f"{option},1,0,9,1", "--player", f"cmd={engine_path},proto=uci,nodes=10,name={PAGE[:25]}", "--iterations", "1",
               "--pairs", "1", "--probe-pairs", "1", "--check-pairs", "1", *PLAY[2:], "--out", f"spsa{folder}")
    check("spsa_page", trouble(done) or markup(f"spsa{folder}", 1))


def markup(folder, pages_wanted):
    """Checks that there are `pages_wanted` pages below `folder`, and that no name became markup in them.
    Returns what is wrong, or ''."""
    count = 0
    for place, _, files in os.walk(os.path.join(SCRATCH, folder)):
        for file in (file for file in files if file.endswith(".html")):
            text = open(os.path.join(place, file), encoding="utf-8").read()
            ElementTree.fromstring(text.split("\n", 1)[-1])
            count += 1
            if "<script>alert" in text or "<img" in text:
                return f"{file}: a name is a piece of the page"
    return "" if count == pages_wanted else f"{count} pages, not {pages_wanted}"


def commands():
    """Tests that the commands in the log of a training loop can be run again in a shell, whatever names they contain."""
    folder = "loop " + (SHELL + PAGE).replace("/", "")
    weights = PAGE.replace("/", "") + "'.txt"
    run("weights", "convert", "classic", "--out", weights)
    done = run(*LOOP, "--weights", weights, "--out", folder)
    why = trouble(done)
    check("loop_page", why or markup(folder, 2))
    if not why:
        with open(os.path.join(SCRATCH, folder, "gen-001", "result.txt"), encoding="utf-8") as file:
            command = re.search(r"^selfplay=(.*)", file.read(), re.M)[1]
        again = subprocess.run(["sh", "-c", f'paotai() {{ "{PAOTAI}" "$@"; }}\n' + command], cwd=SCRATCH,
                               capture_output=True, text=True)
        finished = again.returncode == 0 and re.search(r"^already [1-9]", again.stdout, re.M)
        why = shell_ran() or ("" if finished else f"does not find its finished games again: {command}: {again.stderr}")
    check("commands", why)


def paths():
    """Tests hostile names of files and folders: in output, in the advised command, and in written files."""
    folder = "d\x1b[31m'; touch pwned; '"
    games = write("some.pgn", '[Result "1-0"]\n\n1. h2e2 h9g7 1-0\n\n[Result "1-0"]\n\n1. a1a9 1-0\n')
    check("path_import", trouble(run("data", "import", "--out", folder, games), 1))
    done = run("data", "import", "--out", folder, games)
    advice = re.search(r"\((rm -r .*?)\)[; ]", done.stderr.decode())
    subprocess.run(["bash", "-c", advice[1] if advice else "false"], cwd=SCRATCH)
    check("path_advice", trouble(done, 2) or ("it does not remove the folder" if os.path.exists(os.path.join(SCRATCH, folder)) else ""))
    run("selfplay", "--games", "16", "--nodes", "20", "--weights", "classic", "--quiet", "--out", folder)
    with open(os.path.join(SCRATCH, folder, ".unfinished"), "w", encoding="utf-8") as file:
        file.write(f"data {ESCAPE}")
    why = trouble(run("data", "info", folder))
    for words in (["tune", folder], ["data", "verify", folder]):
        why = why or trouble(run(*words), 1)
    os.unlink(os.path.join(SCRATCH, folder, ".unfinished"))
    check("path_unfinished", why)
    done = run("show", folder)
    check("path_show", trouble(done, 1) or ("" if b"paotai show --data" in done.stderr else f"no advice: {done.stderr}"))
    out = "w\x1b[31m.txt"
    check("path_tune", trouble(run("tune", "--lambda", "1", "--out", out, folder)))
    run("weights", "convert", "--out", "w.copy", out)
    files = [os.path.join(SCRATCH, name) for name in (out, "w.copy")]
    check("path_written", "".join(unprintable(open(name, "rb").read()) for name in files))
    with subprocess.Popen([PAOTAI, "selfplay", "--games", "100000", "--weights", "classic", *PLAY, "--out", "long" + folder], cwd=SCRATCH,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        wait_for_work(child, signal.SIGINT)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=300)[1]
    check("path_interrupted", unprintable(said) or ("" if b"and --resume" in said else f"it does not say: {said}"))


def links():
    """Tests output directories in which a file that the program writes already exists as a symbolic
    link. The target of the link must not change."""
    run("selfplay", "--games", "1", "--nodes", "10", "--quiet", "--out", "linked")
    for folder, name, words in (("l1", ".lock", ["selfplay", "--games", "1", "--nodes", "10", "--quiet", "--out", "l1"]),
                                ("l2", "game-00000000.xqf", ["data", "export", "--format", "xqf", "--out", "l2", "linked"])):
        os.mkdir(os.path.join(SCRATCH, folder))
        victim = write("victim", "as it was\n")
        os.symlink(victim, os.path.join(SCRATCH, folder, name))
        run(*words)
        with open(victim, encoding="utf-8", errors="replace") as file:
            text = file.read()
        check("link_" + name.strip(".-01xqf"), "" if text == "as it was\n" else f"{name} led to {text[:40]!r}")

    os.makedirs(os.path.join(SCRATCH, "l3", "gen-001"))
    for name in ("report.html", "weights.txt"):
        os.symlink(write(name, "as it was\n"), os.path.join(SCRATCH, "l3/gen-001", name))
    why = trouble(run(*LOOP, "--out", "l3"))
    for name in ("report.html", "weights.txt"):
        with open(os.path.join(SCRATCH, name), encoding="utf-8") as file:
            why = why or ("" if file.read() == "as it was\n" else f"{name} led elsewhere")
    check("link_loop", why)


def link_rule():
    """Tests the rule for symbolic links of all outputs (core/system/out_file.h): followed in a directory of
    this user, refused where others may create files or in a run, replaced if they lead to no file."""
    def outputs(path):
        game = ["--pairs", "1", "--nodes", "10", "--max-plies", "20", "--opening-nodes", "10", "--quiet"]
        yield "text", ["weights", "convert", "classic", "--out", path]
        yield "page", ["match", "--a", "weights=default", "--b", "weights=classic", *game, "--page", path]
        yield "pgn", ["match", "--a", "weights=default", "--b", "weights=classic", *game, "--resume", "--out", path + ".run", "--pgn", path]
        yield "log", ["match", "--a", f"cmd={PAOTAI},proto=uci,nodes=10,log={path}", "--b", "weights=classic", *game]

    for place, mode in (("own", 0o755), ("open", 0o777), ("sticky", 0o1777), ("group", 0o775)):
        os.mkdir(os.path.join(SCRATCH, place))
        os.chmod(os.path.join(SCRATCH, place), mode)
        for name in ("text", "page", "pgn", "log"):
            link, victim = os.path.join(SCRATCH, place, name), write(f"victim-{place}-{name}", "as it was\n")
            os.symlink(victim, link)
            done = run(*dict(outputs(link))[name])
            with open(victim, encoding="utf-8") as file:
                changed = file.read() != "as it was\n"
            why = trouble(done, 0 if place == "own" else None)
            if place == "own":
                why = why or ("" if changed and os.path.islink(link) else "the link was not followed")
            elif changed or done.returncode == 0 or b"symbolic link in a directory that others may write to" not in done.stderr:
                why = f"exit status {done.returncode}, changed {changed}: {done.stderr}"
            check(f"link_{place}_{name}", why)
    os.symlink(os.path.join(SCRATCH, "open/inner"), os.path.join(SCRATCH, "own/outer"))
    os.symlink(write("victim-chain", "as it was\n"), os.path.join(SCRATCH, "open/inner"))
    check("link_chain", "" if run("weights", "convert", "classic", "--out", "own/outer").returncode == 1 else "a link by way of an open directory was followed")
    os.symlink("nowhere", os.path.join(SCRATCH, "own/dangling"))
    why = trouble(run("weights", "convert", "classic", "--out", "own/dangling"))
    check("link_dangling", why or ("the link stays" if os.path.islink(os.path.join(SCRATCH, "own/dangling")) else ""))
    if os.geteuid() == 0:
        os.chown(write("victim-other", "as it was\n"), 65534, 65534)
        os.symlink(os.path.join(SCRATCH, "victim-other"), os.path.join(SCRATCH, "own/other"))
        done = run("weights", "convert", "classic", "--out", "own/other")
        check("link_other_user", trouble(done, 1) or ("" if b"a file of another user" in done.stderr else str(done.stderr)))
    done = subprocess.run([PAOTAI, "weights", "convert", "classic", "--out", "/dev/stdout"], cwd=SCRATCH, capture_output=True)
    check("link_device", trouble(done) or ("" if b"material_" in done.stdout else str(done.stdout[:80])))


links()
link_rule()
revisions()
players()
engines()
records()
pages()
paths()
commands()
finish()

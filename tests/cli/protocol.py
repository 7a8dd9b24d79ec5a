# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests sessions of UCI, UCCI and Cyclone, and the commands of OpenBench. Time limits are wide,
because machines may be busy."""
import functools
import os
import queue
import re
import subprocess
import sys
import threading
import time

from checks import PAOTAI, START, finish, result

PATIENCE = 300.0  # seconds; a machine may be busy or a build instrumented
DRAWN = "3k1a3/9/9/9/9/9/9/9/9/4KA3 w - - 0 1"  # neither side has an attacking piece: every line is a draw
MATE_IN_1 = "3k5/9/9/9/9/9/5r3/9/3r5/4K4 b - - 0 1"
ROOKS_UP = "1nbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
MATED = "3k5/9/9/9/9/9/9/5r3/3r5/4K4 w - - 0 1"
CHECKED = "3k5/4a4/9/9/9/9/9/9/9/3RK4 b - - 0 1"


class Failure(Exception):
    pass


class Engine:
    def __init__(self, *args):
        self.process = subprocess.Popen([PAOTAI, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        self.lines.put(None)

    def send(self, *lines):
        try:
            for line in lines:
                self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Failure(f"the program was gone before '{lines[0][:60]}'")

    def until(self, pattern, patience=PATIENCE):
        """Returns the lines up to the first that matches, which is included."""
        seen, end = [], time.monotonic() + patience
        while True:
            try:
                line = self.lines.get(timeout=max(end - time.monotonic(), 0.01))
            except queue.Empty:
                raise Failure(f"no '{pattern}' in {patience} s, but {seen[-3:]}")
            if line is None:
                raise Failure(f"ended before '{pattern}', after {seen[-3:]}")
            seen.append(line)
            if re.search(pattern, line):
                return seen

    def ask(self, line, pattern):
        self.send(line)
        return self.until(pattern)[-1]

    def spent(self):
        """Returns the processor time of the program in seconds, which does not depend on the load
        of the machine."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")

    def silent(self, seconds):
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            return
        raise Failure(f"said '{line}' when nothing was due")

    def ready(self):
        self.send("isready")
        return self.until("^readyok$")

    def end(self, last=None):
        """Ends the session and returns the remaining output."""
        if last:
            self.send(last)
        self.process.stdin.close()
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure("did not end")
        want(status == 0, f"exit status {status}: {self.process.stderr.read()[-2000:]!r}")
        rest = []
        while (line := self.lines.get(timeout=PATIENCE)) is not None:
            rest.append(line)
        return rest


def want(condition, message):
    if not condition:
        raise Failure(message)


def uci(*lines, dialect="uci"):
    engine = Engine()
    engine.send(dialect)
    engine.hello = engine.until(f"^{dialect}ok$")
    engine.send(*lines)
    return engine


def ucci(*lines):
    return uci(*lines, dialect="ucci")


# ---- UCI ---------------------------------------------------------------------------------------


def uci_handshake():
    engine = uci()
    want(engine.hello[0].startswith("id name Paotai"), engine.hello[0])
    want("option name UCI_Variant type combo default xiangqi var xiangqi" in engine.hello, "UCI_Variant")
    options = [line for line in engine.hello if line.startswith("option ")]
    for line in options:
        want(re.fullmatch(r"option name .+ type (button|(check|spin|combo|string) default \S.*)", line), line)
    for name in ("Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Rules", "Weights", "lmr_base"):
        want(any(line.startswith(f"option name {name} type ") for line in options), f"no option {name}")
    for line in options:  # every default value is accepted
        name, value = re.fullmatch(r"option name (.+?) type \w+(?: default (\S+).*)?", line).groups()
        engine.send(f"setoption name {name}" + (f" value {value}" if value else ""))
    said = engine.ready()
    want(len(said) == 1, f"defaults were answered with {said}")
    for bad in ("Hash value 0", "Hash value x", "Rules value chess", "Ponder value 7", "Weights value /nowhere",
                "Nothing value 1", "", "UCI_Variant value chess"):
        want(engine.ask(f"setoption name {bad}", "^info string "), bad)
    for cut, whole in (("thread", "Threads"), ("UCI_Elos", "UCI_Elo"), ("Move Overheat", "Move Overhead")):
        want(f"(did you mean '{whole}'?)" in engine.ask(f"setoption name {cut} value 1", "^info string "), cut)
    engine.send("help options")  # one line with help for each option
    said = [line for line in engine.ready() if line.startswith("info string ")]
    want(len(said) == len(options) and all(re.fullmatch(r"info string (\S+ )+ *\S.*", line) for line in said), f"help options: {said}")
    engine.end("quit")


def uci_search():
    engine = uci("setoption name Hash value 1", "position startpos moves h2e2 h9g7")
    engine.send("go depth 5")
    said = engine.until("^bestmove")
    want(re.fullmatch(r"bestmove [a-i]\d[a-i]\d( ponder [a-i]\d[a-i]\d)?", said[-1]), said[-1])
    infos = [line for line in said if line.startswith("info depth")]
    want([line.split()[2] for line in infos] == ["1", "2", "3", "4", "5"], f"{infos} for depth 5")
    for word in ("seldepth", "multipv", "score cp", "nodes", "nps", "hashfull", "time", "pv"):
        want(f" {word} " in infos[-1], f"no {word} in {infos[-1]}")
    engine.send("go nodes 3000")
    said = engine.until("^bestmove")
    for limit in ("depth -3", "nodes x", "nodes 99999999999999999999999 depth 2", "movetime 0", "depth", "foo depth 2",
                  "wtime -50 btime -50", "wtime 100 btime 100 winc 10 binc 10 movestogo 1"):
        engine.ask(f"go {limit} depth 3", "^bestmove")
    engine.send("setoption name MultiPV value 3", "go depth 4")
    said = engine.until("^bestmove")
    want(all(any(f" multipv {i} " in line for line in said) for i in (1, 2, 3)), "not three lines")
    engine.send("setoption name MultiPV value 1")
    want(engine.ask("go depth 4 searchmoves a0a1 i0i1", "^bestmove")[9:13] in ("a0a1", "i0i1"), "searchmoves")
    want(engine.ask("go depth 2 searchmoves a9a8", "^info string searchmoves"), "an illegal one")
    engine.until("^bestmove")
    engine.send("setoption name Threads value 3")
    engine.ask("go depth 6", "^bestmove [a-i]")
    engine.end("quit")


def uci_mates():
    engine = uci(f"position fen {MATE_IN_1}", "go depth 6")
    said = engine.until("^bestmove [a-i]")
    want(any("score mate 1 " in line for line in said), f"no mate in 1: {said[-2:]}")
    engine.send("go mate 1")
    want("score mate 1 " in engine.until("^bestmove [a-i]")[-2], "go mate")
    engine.send("position fen 3k5/9/9/9/9/9/r8/1r7/9/4K4 w", "go mate 3")  # a mate by the other side
    # Black mates in 2 moves. The search may also stop at a mate in 3, which satisfies `go mate 3`.
    want(re.search("score mate -[23] ", engine.until("^bestmove [a-i]")[-2]), "go mate of who is mated")
    # Neither position has a mate in 2. Each search ends by itself, without `stop`, and returns a move.
    engine.send("position startpos", "go mate 2", "position startpos moves h2e2", "go mate 2")
    engine.until("^bestmove [a-i][0-4]")
    engine.until("^bestmove [a-i][5-9]")
    engine.send(f"position fen {MATED}", "go depth 4")
    said = engine.until("^bestmove")
    want(said[-2:] == ["info depth 0 score mate 0", "bestmove (none)"], f"{said[-2:]}")
    engine.end("quit")


def uci_limits():
    """Tests searches with hardly any nodes, near the limits of the rules, or without a good move."""
    engine = uci()
    # A search that ends before the first root move was searched answers with a capture that wins a
    # piece, not with the first move of the list.
    engine.send("position fen 3k5/9/9/9/9/9/9/R7r/9/4K4 w - - 0 1")
    want(engine.ask("go nodes 1", "^bestmove").startswith("bestmove a2i2"), "go nodes 1 plays any move")
    engine.send("position fen 4k4/9/9/9/9/9/r8/9/9/R2K5 w - - 0 1")  # all other moves lose the chariot or win nothing
    want(engine.ask("go nodes 1", "^bestmove").startswith("bestmove a0a3"), "go nodes 1 leaves a chariot")
    # A mate takes precedence over the limit of plies without a capture, if the same move reaches
    # both.
    for halfmove in (0, 117, 119):
        engine.send(f"position fen 4k4/1R7/R8/9/9/9/9/9/9/3K5 w - - {halfmove} 90", "go depth 6")
        said = engine.until("^bestmove")
        want(any(" score mate 1 " in line for line in said), f"halfmove {halfmove}: {said[-2:]}")
    engine.send("position fen 4k4/9/1R7/R8/9/9/9/9/9/3K5 w - - 119 90", "go depth 6")  # the game is drawn before a mate in two
    want(" score cp 0 " in engine.until("^bestmove")[-2], "a mate behind the limit")
    # If no side has attacking pieces, the search stops early and prints few lines.
    engine.send(f"position fen {DRAWN}", "go depth 90")
    said = engine.until("^bestmove [a-i]")
    want(len(said) < 10 and " score cp 0 " in said[-2], f"{len(said)} lines about a dead draw")
    engine.send("go movetime 60000")
    engine.until("^bestmove [a-i]")
    # After a refused position, `go` answers "bestmove (none)" until another position is set.
    engine.send("position startpos moves h2e2", "position fen nonsense", "go depth 2")
    want(engine.until("^bestmove")[-1] == "bestmove (none)", "a move of a position that was refused")
    engine.send("position startpos moves h2e2 h2e2", "go infinite", "isready")
    want(engine.until("^(readyok|bestmove)")[-1] == "readyok", "go infinite does not wait for stop")
    want(engine.ask("stop", "^bestmove") == "bestmove (none)", "a move of half of the moves")
    engine.send("position startpos", "go depth 2")
    want(not any("refused" in line for line in engine.until("^bestmove")), "the refusal is not forgotten")
    engine.end("quit")


def uci_tools():
    engine = uci("position startpos", "go perft 3")
    said = engine.until("^Nodes searched: ")
    engine.send("go perft 12")
    time.sleep(0.2)
    engine.send("stop")
    want(any("stopped" in line for line in engine.until("^Nodes searched: ")), "a stopped perft does not say so")
    want("at most 20" in engine.ask("go perft 5000", "^info string go perft"), "go perft 5000 is not refused")
    want(engine.ask("perft 2", "^Nodes searched: ") == "Nodes searched: 1920", "perft as a line of the protocol")
    engine.send("perft 11", "stop")
    want(any("stopped" in line for line in engine.until("^Nodes searched: ")), "perft 11 is not stopped")
    want(said[-1] == "Nodes searched: 79666" and sum(":" in line for line in said) == 45, said[-1])
    engine.send("eval")
    numbers = [float(number) for line in engine.until("^Final evaluation")[-2:] for number in re.findall(r"[+-]\d+\.\d\d", line)]
    want(len(numbers) == 1 or len(numbers) == 3 and abs(sum(numbers[:2]) - numbers[2]) < 0.001, f"parts of the evaluation: {numbers}")
    engine.send("setoption name EvalFile value default")
    said = [engine.ask("eval", "^Final evaluation")]
    engine.send("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b")
    said.append(engine.ask("eval", "^Final evaluation"))
    want(sum(float(line.split()[2]) for line in said) == 0 and "(red side)" in said[0], f"eval of the start, by both sides: {said}")
    engine.send("position startpos moves h2e2 h9g7 e2e6", "eval")
    said = engine.until("^Final evaluation")
    for word in ("chariot", "material_chariot", "table_soldier", "mobility_horse", "phase"):
        want(any(word in line for line in said), f"eval says nothing of {word}")
    want(re.fullmatch(r"Final evaluation [+-]\d+\.\d\d \(red side\)", said[-1]), said[-1])
    engine.send(f"position fen {CHECKED}")
    want(engine.ask("eval", "^Final evaluation") == "Final evaluation none (in check)", "eval in check")
    engine.send("position startpos moves h2e2 h9g7 e2e6")
    engine.send("d")
    want("Fen: rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2" in engine.until("^Verdict: "), "d")
    engine.ask("bench --depth 2 --quiet", r"^\d+ nodes \d+ nps$")
    engine.end("quit")


def uci_ranks():
    engine = uci("setoption name Ranks value 1-10", "position startpos moves h3e3 h10g8", "go depth 3")
    want(re.fullmatch(r"bestmove [a-i][1-6][a-i]\d+( ponder [a-i]\d+[a-i]\d+)?", engine.until("^bestmove")[-1]), "1-10")
    engine.send("d")
    want("Fen: rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2" in engine.until("^Verdict"), "moves")
    for word in ("h0e0", "h3e11", "h03e3", "h3e3x", "h3"):
        want("coordinate move" in engine.ask(f"position startpos moves {word}", "^info string"), word)
    want("a1a4 is not possible" in engine.ask("position startpos moves a1a4", "^info string"), "the name of an impossible move")
    engine.send("position startpos moves h3e3 h10g8")
    want(engine.ask("go depth 2 searchmoves a1a2", "^bestmove").startswith("bestmove a1a2"), "searchmoves")
    engine.send("go perft 1")
    want("a1a2: 1" in engine.until("^Nodes"), "perft")
    engine.end("quit")


def uci_new_weights():
    """After other weights were set, a search equals that of a program that began with these weights."""
    def search(change, searched=False):
        engine = uci()
        if searched:
            engine.send("position startpos moves c3c4", "go nodes 9000")
            engine.until("^bestmove")
        engine.send(change, "position startpos", "go nodes 9000")
        lines = [re.sub(" (nps|time) \\d+", "", line) for line in engine.until("^bestmove") if re.match("info depth|bestmove", line)]
        engine.end("quit")
        return lines

    old = search("isready")
    for change in ("setoption name Weights value classic", "trace set 0 300 300"):
        new = search(change)
        want(new != old, f"{change} changes nothing")
        want(search(change, True) == new, f"after a search, {change} leaves something")


def uci_clocks():
    engine = uci("position startpos", "isready")
    engine.until("^readyok$")
    engine.send("setoption name Move Overhead value 200")
    engine.send("go movetime 300")
    said = engine.until("^bestmove")[-2]
    want(int(re.search(r" time (\d+)", said)[1]) >= 290, f"movetime 300 was not used to the full: {said}")
    engine.send("setoption name Move Overhead value 5000")
    engine.send("go wtime 5100 btime 5100 movestogo 1")
    said = engine.until("^bestmove")[-2]
    want(int(re.search(r" time (\d+)", said)[1]) < 1000, f"a clock of 5.1 s with a Move Overhead of 5 s: {said}")
    engine.send("setoption name Move Overhead value 20")
    begun = engine.spent()
    engine.ask("go wtime 2000 btime 10 winc 0 binc 0", "^bestmove")
    want(engine.spent() - begun < 20, "a clock of 2 s was not kept")
    engine.send("go ponder wtime 1000 btime 1000")
    engine.until("^info depth 5 ")
    time.sleep(0.3)
    engine.send("ponderhit")
    engine.until("^bestmove")
    engine.send("go ponder depth 2")
    engine.until("^info depth 2")
    engine.silent(0.3)  # the search is done, but must not answer yet
    engine.ask("ponderhit", "^bestmove")
    engine.end("quit")


def uci_stop():
    engine = uci("position startpos", "go infinite", "isready")
    engine.until("^readyok$")
    engine.until("^info depth ")
    begun = engine.spent()
    engine.send("stop")
    engine.until("^bestmove")
    want(engine.spent() - begun < 5, "stop was not at once")
    engine.send(*["stop"] * 1000)
    engine.ready()
    engine.send("go infinite", *["stop"] * 1000)
    engine.until("^bestmove")
    engine.ready()
    engine.send("go depth 1", "go infinite", "position startpos moves a0a1", "go depth 1")
    for _ in range(3):  # commands that need an idle engine end an infinite search
        engine.until("^bestmove")
    engine.send(f"position fen {MATED}", "go infinite")
    engine.silent(0.3)
    want(engine.ask("stop", "^bestmove") == "bestmove (none)", "infinite without a move")
    engine.end("quit")


def uci_memory():
    """A transposition table that does not fit in memory is refused, and the old one stays."""
    version = subprocess.run([PAOTAI, "--version"], capture_output=True, text=True, timeout=PATIENCE).stdout
    if re.search("^variant [at]?san", version, re.M):
        return  # these sanitizers need more address space than the limit
    limited = subprocess.run(["sh", "-c", 'ulimit -v 2000000 && exec "$0"', PAOTAI], capture_output=True, text=True, timeout=PATIENCE,
                             input="setoption name Hash value 3000\nisready\nposition startpos\ngo depth 2\nquit\n")
    said = limited.stdout.splitlines()
    want(limited.returncode == 0 and said[-1].startswith("bestmove"), f"{said[-1:]} {limited.stderr}")
    want(said[0].startswith("info string Hash stays as it was: cannot allocate 3000 MB for hash tables"), said[0])


def uci_endings():
    for last in (["go infinite"], ["go mate 2"], ["go ponder wtime 1000 btime 1000"], ["go depth 3"], ["go movetime 200"], []):
        engine = uci("position startpos", *last)
        rest = engine.end()  # the input is closed without a quit
        want(not last or any(line.startswith("bestmove") for line in rest), f"{last}: no bestmove at the end")
    engine = uci("position startpos", "go infinite")
    engine.until("^info depth 5 ")
    begun, others = engine.spent(), os.times()
    want(engine.end("quit")[-1].startswith("bestmove"), "quit in a search")
    want(os.times().children_user - others.children_user - begun < 8, "quit was not at once")
    engine = uci("position startpos", "go depth 7", "quit")  # written at once, like a script does
    want(any(line.startswith("info depth 7 ") for line in engine.end()), "a script's search was cut off")
    for dialect, depth, says in (("uci", 20, "stopped"), ("ucci", 20, "stopped"), ("uci", 5000, "at most 20")):
        engine = uci(dialect, f"go perft {depth}", "quit")
        want(any(says in line for line in engine.end()), f"{dialect}: go perft {depth} and quit")
    engine = uci("position startpos", "go perft 4", "quit")
    want("Nodes searched: 3290240" in engine.end(), "a script's perft was cut off")


def ucci_batch_ends():
    """After `quit` or the end of the input, a search in batch mode that would never end has ten
    seconds; a search with a reachable limit ends by itself. A `quit` during the only search is
    obeyed at once."""
    endless = "go depth 99999999999"
    batch = ("setoption batch true", "position startpos")
    at_once = ucci(*batch, endless)
    at_once.until("^info depth 5 ")
    while (begun := at_once.spent()) < 1.5:  # a `quit` right after `go` is taken for a script
        time.sleep(0.05)
    at_once.send("quit")
    _, status, usage = os.wait4(at_once.process.pid, 0)
    want(status == 0 and usage.ru_utime + usage.ru_stime - begun < 8, f"quit was not at once: {status} {usage} after {begun} s")
    engines = {"end": ucci(*batch, endless), "quit": ucci(*batch, endless, endless, "quit"), "uci": uci("position startpos", endless)}
    engines["end"].until("^info depth 5 ")
    for engine in engines.values():
        engine.process.stdin.close()
    for name, engine in engines.items():
        try:
            want(engine.process.wait(PATIENCE) == 0, f"{name}: exit status {engine.process.returncode}")
        except subprocess.TimeoutExpired:
            engine.process.kill()
            raise Failure(f"{name}: the search did not end")
    script = ucci(*batch, "go depth 6", "go depth 7", "quit")
    rest = script.end()
    want(any(line.startswith("info depth 7 ") for line in rest) and sum(line.startswith("bestmove") for line in rest) == 2, "a batch was cut off")


def cyclone():
    engine = uci("newgame", f"fen {START} moves h2e2", "go depth 3")
    engine.until("^bestmove [a-i][5-9][a-i]")
    engine.send("startpos moves h2e2 h9g7", "go depth 3")
    engine.until("^bestmove [a-i][0-4][a-i]")
    engine.send("uccinewgame", "ucinewgame", "fen " + START.replace(" - - 0 1", ""), "d")
    want(f"Fen: {START}" in engine.until("^Verdict"), "fen without counters")
    engine.end("quit")


# ---- UCCI --------------------------------------------------------------------------------------


def silent():
    engine = uci("flip", "setoption name UCI_AnalyseMode value true", "setoption name UCI_Opponent value GM 2800 human X",
                 "setoption name Repetition Rule value AsianRule")
    want(engine.ready() == ["readyok"], "what other engines know was answered")
    said = subprocess.run([PAOTAI], input="isready\nucci\nposition startpos\ngo depth 1\nquit\n", capture_output=True, text=True, timeout=PATIENCE).stdout
    want(re.match("info string evaluation .*\nreadyok\n", said) and "ucciok" in said and "unknown" not in said, said[:80])


def ucci_handshake():
    engine = ucci()
    want("option usemillisec type check default false" in engine.hello, "usemillisec is not offered")
    for line in engine.hello[:-1]:
        want(re.fullmatch(r"id (name|version|copyright|author|user) .+|option \S+ type (button|\S+ default \S+.*)", line), line)
    said = engine.ready()
    want(len(said) == 2 and re.fullmatch("info message evaluation (best|default) [0-9a-f]{64} (network|linear)", said[0]),
         f"it does not say which evaluation plays: {said}")
    # Options of the UCCI standard that user interfaces send are accepted without an answer, even if
    # Paotai does not have them.
    engine.send("setoption promotion false", "setoption ponder false", "setoption newgame", "setoption usemillisec true",
                "setoption bookfiles a.dat;b.dat", "setoption style risky", "setoption randomness tiny", "setoption hashsize 2")
    want(engine.ready() == ["readyok"], "an option that is not ours was answered")
    # The value 0 of the UCCI options hashsize and threads means automatic. Older user interfaces
    # send on and off instead of true and false.
    for name in ("hashsize", "threads"):
        want(any(re.match(f"option {name} type spin .* min 0 ", line) for line in engine.hello), f"{name}: no automatic value")
    engine.send("setoption hashsize 0", "setoption threads 0", "setoption ponder on", "setoption usemillisec off")
    want(engine.ready() == ["readyok"], "an automatic value was refused")
    want("multipv stays" in engine.ask("setoption multipv 0", "^info message"), "multipv 0")
    want(engine.ask("quit", "^bye$") == "bye", "bye")
    engine.end()


def ucci_search():
    engine = ucci("setoption usemillisec true", f"position fen {START} moves h2e2 h9g7", "go depth 5")
    said = engine.until("^bestmove")
    want(re.fullmatch(r"bestmove [a-i]\d[a-i]\d( ponder [a-i]\d[a-i]\d)?", said[-1]), said[-1])
    infos = [line for line in said if line.startswith("info depth")]
    want(len(infos) == 5 and all(re.match(r"info depth \d+ score -?\d+ pv [a-i]\d", line) for line in infos), f"{infos}")
    want(any(re.fullmatch(r"info time \d+ nodes \d+", line) for line in said), "no info time")
    engine.ask("go time 1000 increment 0 opptime 1000 oppincrement 0", "^bestmove")
    engine.ask("go time 500 movestogo 5", "^bestmove")
    engine.ask("go nodes 2000", "^bestmove")
    engine.send("go infinite")
    engine.until("^info depth 5 ")
    engine.ask("stop", "^bestmove")
    want(engine.ask("stop", "^nobestmove$"), "an idle stop")
    engine.send("go ponder time 300 increment 0")
    engine.until("^info depth 3")
    engine.ask("ponderhit", "^bestmove")
    engine.send("go depth 0")
    want(re.fullmatch(r"info depth 0 score -?\d+", engine.until("^nobestmove$")[-2]), "go depth 0")
    engine.send(f"position fen {MATED}", "go depth 3")
    engine.until("^nobestmove$")
    engine.send(f"position fen {MATE_IN_1}", "go depth 5")
    want(any(" score 9999 " in line for line in engine.until("^bestmove")), "a mate is 10000 less its plies")
    want(engine.ask("position fen nonsense", "^info message "), "a message")
    engine.end("quit")


def ucci_bans():
    hanging = "position fen 3k5/9/9/9/9/9/9/R7r/9/4K4 w - - 0 1"
    engine = ucci(hanging, "go depth 4")
    want(engine.until("^bestmove")[-1].split()[1] == "a2i2", "a hanging chariot was not taken")
    engine.send("banmoves a2i2", "go depth 4")
    want(engine.until("^bestmove")[-1].split()[1] != "a2i2", "a banned move was played")
    engine.send(hanging, "go depth 4")
    want(engine.until("^bestmove")[-1].split()[1] == "a2i2", "the ban outlived the position")
    engine.send("position fen 3k5/9/9/9/9/9/9/9/8r/5K3 w - - 0 1", "banmoves f0e0", "go depth 3")
    engine.until("^nobestmove$")
    engine.end("quit")


def ucci_seconds():
    engine = ucci("position startpos")
    begun = time.monotonic()
    engine.ask("go time 1 movestogo 1", "^bestmove")
    want(time.monotonic() - begun > 0.4, "1 was not taken for a second")
    engine.send("setoption usemillisec true")
    begun = engine.spent()
    engine.ask("go time 30 movestogo 1", "^bestmove")
    want(engine.spent() - begun < 15, "30 was not taken for milliseconds")
    engine.end("quit")


def ucci_draws():
    engine = ucci(f"position fen {DRAWN}")
    want(engine.ask("go draw depth 4", "^bestmove").endswith(" draw"), "a dead draw was refused")
    want(not engine.ask("go depth 4", "^bestmove").endswith("draw"), "a draw nobody offered")
    engine.send("go ponder depth 4")
    engine.until("^info depth 4 ")
    want(engine.ask("ponderhit draw", "^bestmove").endswith(" draw"), "ponderhit draw")
    engine.send("position fen 3k1a3/9/9/9/9/9/9/9/9/R3KA3 w - - 0 1")
    want(not engine.ask("go draw depth 4", "^bestmove").endswith("draw"), "a draw a chariot ahead")
    engine.end("quit")


def ucci_probe():
    engine = ucci("position startpos moves h2e2", "go depth 6")
    engine.until("^bestmove")
    said = engine.ask("probe startpos moves h2e2", "^pophash")
    want(re.fullmatch(r"pophash bestmove [a-i]\d[a-i]\d lowerbound (-?\d+) depth 6 upperbound \1 depth 6", said), said)
    want(engine.ask("probe fen 3k5/9/9/9/9/9/9/9/9/4K4 w", "^pophash") == "pophash", "an unknown position")
    engine.send("probe fen nonsense")
    want(engine.until("^pophash$")[-2].startswith("info message"), "a wrong probe")
    engine.end("quit")


# ---- all three dialects ------------------------------------------------------------------------

# For each dialect: the function that begins a session, the prefix of a position command, the
# beginning of the answer to a refused position, and the answer to a stop while idle.
DIALECTS = {
    "uci": (uci, "position ", "^info string ", None),
    "cyclone": (uci, "", "^info string ", None),
    "ucci": (ucci, "position ", "^info message ", "nobestmove"),
}
ABSURD = ("9/9/9/9/9/9/9/9/9/9 w", "rnbakabnr/9/9/9/9/9/9/9/9/RNBAKABN w", "99999999999999999999 w", "k" * 90 + " w",
          "9/" * 100000 + "9 w", "kkkkkkkkk/9/9/9 w", START.replace("w", "x"), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNRR w",
          "", "/" * 5000, "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "%s%n%x", "\u70ae/9", "3k5/9/9/9/9/9/9/9/9/4K4 w - - -1 99999999999")


def survives(dialect):
    begin, position, message, idle_stop = DIALECTS[dialect]
    engine = begin()
    good = f"{position}fen {START}"
    for fen in ABSURD:
        engine.ask(f"{position}fen {fen}", message)
    for moves in ("h2e2 h2e2", "h2h8", "a0a1 x", "e0e9", "h2e2 " * 3000, "h2e2h9g7", "0000", "h2e2 moves h9g7", "h2"):
        engine.ask(f"{good} moves {moves}", message)
    for line in ("go depth", "xyzzy 1 2 3", position, f"{position}startpos h2e2", "a" * 1000000, "\x00\x01\xff", "", " \t "):
        engine.send(line)
    engine.send(f"{position}startpos moves h2e2", f"{position}fen 0", "stop", "d")
    want(any(line.startswith("Fen: ") and " b " in line for line in engine.until("^Verdict")), "the old position stays")
    engine.send(good, "go depth 3")
    engine.until("^bestmove [a-i]")
    engine.send("x" * (1 << 20), "position fen " + "x" * (1 << 20), "go " + "depth " * 170000)
    engine.until(message)
    engine.send("stop")
    engine.until("bestmove")
    engine.send(good, "go infinite", *["stop"] * 1000)  # one bestmove; in UCCI also a `nobestmove` for each stop when no search runs
    engine.until("^bestmove [a-i]")
    said = engine.ready()
    want(all(line == idle_stop for line in said[:-1]), f"stops were answered with {said[:3]}")
    engine.send("go infinite")
    engine.until("^info depth 5 ")
    want(any(line.startswith("bestmove ") for line in engine.end()), "no bestmove when the input was closed")


# ---- options of UCI ----------------------------------------------------------------------------


def uci_wdl():
    def chances(*lines):
        engine.send(*lines)
        said = [re.search(r" score (\S+ \S+) wdl (\d+) (\d+) (\d+) nodes ", line) for line in engine.until("^bestmove") if " score " in line]
        want(said and all(said), "an info line without wdl")
        want(all(sum(map(int, one.groups()[1:])) == 1000 for one in said), "not 1000 permille")
        return said[-1].group(1), [int(word) for word in said[-1].groups()[1:]]

    engine = uci("position startpos", "go depth 3")
    want(not any("wdl" in line for line in engine.until("^bestmove")), "wdl though nobody asked")
    engine.send("setoption name UCI_ShowWDL value true")
    win, draw, loss = chances("position startpos", "go depth 6")[1]
    want(abs(win - loss) < 200 and draw > 50, f"the start: {win} {draw} {loss}")
    ahead = chances(f"position fen {ROOKS_UP} w - - 0 1", "go depth 2")[1]
    behind = chances(f"position fen {ROOKS_UP} b - - 0 1", "go depth 1")[1]
    want(ahead[0] > 800 and behind[2] > 800, f"two chariots: {ahead} {behind}")
    want(chances(f"position fen {MATE_IN_1}", "go depth 3") == ("mate 1", [1000, 0, 0]), "a mate is no win")
    engine.end("quit")


def uci_strength():
    def moves(engine, games):
        found = []
        for _ in range(games):
            engine.send("ucinewgame", "position startpos moves h2e2", "go movetime 60000")
            said = engine.until("^bestmove")
            nodes = [int(re.search(r" nodes (\d+)", line).group(1)) for line in said if " nodes " in line]
            found.append((said[-1].split()[1], max(nodes)))
        return found

    engine = uci("setoption name UCI_LimitStrength value true")
    low, high = re.search(r"option name UCI_Elo type spin default \d+ min (\d+) max (\d+)", "\n".join(engine.hello)).groups()
    engine.send(f"setoption name UCI_Elo value {low}", "setoption name Seed value 7")
    weak = moves(engine, 12)
    want(len({move for move, _ in weak}) > 3 and max(nodes for _, nodes in weak) <= 100, f"the weakest plays {weak}")
    limited = ("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {low}")
    again = uci(*limited, "setoption name Seed value 7")
    want(moves(again, 12) == weak, "the weakest cannot be repeated")
    again.end("quit")
    others = []
    for _ in range(2):
        again = uci(*limited)
        others.append(moves(again, 24))
        again.end("quit")
    want(others[0] != others[1], "without a seed the weakest slips alike each time it starts")
    engine.send(f"setoption name UCI_Elo value {high}")
    strong = moves(engine, 3)
    want(len(set(strong)) == 1 and 3000 < strong[0][1] <= 20000, f"the strongest plays {strong}")
    engine.send("setoption name UCI_LimitStrength value false", "position startpos", "go nodes 30000")
    want(" nodes 30000 " in engine.until("^bestmove")[-2], "it stays limited")
    engine.end("quit")


def uci_log():
    path = os.path.join(os.environ.get("PAOTAI_SCRATCH", "."), "talk.log")
    engine = uci(f"setoption name Debug Log File value {path}")
    engine.ready()
    best = engine.ask("go depth 2", "^bestmove")
    engine.send("setoption name Debug Log File value <empty>")
    engine.ready()
    engine.ask("go depth 3", "^bestmove")
    want(engine.ask("setoption name Debug Log File value /no/such/place", "^info string "), "a log that cannot be")
    engine.end("quit")
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    want("> go depth 2" in lines and f"< {best}" in lines and "> go depth 3" not in lines, f"the log: {lines}")
    engine = ucci(f"setoption debuglogfile {path}.2", "isready")
    engine.until("^readyok")
    engine.ask("go depth 2", "^bestmove")
    engine.end("quit")
    with open(f"{path}.2", encoding="utf-8") as file:
        lines = file.read().splitlines()
    want(len(lines) > 3 and all(line[:2] in ("> ", "< ") for line in lines), f"the log of UCCI: {lines}")


# ---- the command line --------------------------------------------------------------------------


def openbench():
    run = lambda *args: subprocess.run([PAOTAI, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                       timeout=PATIENCE)
    first, again = (run("genfens 5 seed 7 book None", "quit") for _ in range(2))
    want(first.returncode == 0 and first.stdout == again.stdout, "genfens is not repeatable")
    lines = first.stdout.splitlines()
    want(len(lines) == 5 and len(set(lines)) == 5, f"{lines}")
    want(all(re.fullmatch(r"info string genfens \S+ [wb] - - \d+ \d+", line) for line in lines), lines[0])
    want(run("genfens 5 seed 8 book None").stdout != first.stdout, "the seed changes nothing")
    want(run("position startpos moves h2e2", "go depth 2", "d").stdout.count("bestmove") == 1, "lines as arguments")
    said = [run("bench", *words).stdout.splitlines()[-1] for words in (["3"], ["--depth", "3"], ["2"])]
    want(all(re.fullmatch(r"\d+ nodes \d+ nps", line) for line in said), f"the last lines of bench: {said}")
    nodes = [line.split()[0] for line in said]
    want(nodes[0] == nodes[1] != nodes[2], f"bench DEPTH: {nodes}")


TESTS = [uci_handshake, uci_search, uci_mates, uci_limits, uci_tools, uci_ranks, uci_new_weights, uci_clocks, uci_stop, uci_memory, uci_endings, ucci_batch_ends, cyclone, silent,
         ucci_handshake, ucci_search, ucci_bans, ucci_seconds, ucci_draws, ucci_probe, openbench, uci_wdl, uci_strength, uci_log]
for name, test in [(test.__name__, test) for test in TESTS] + [(f"{name}_survives", functools.partial(survives, name)) for name in DIALECTS]:
    if len(sys.argv) > 1 and name not in sys.argv[1:]:
        continue
    try:
        test()
        result(f"protocol {name}")
    except (Failure, subprocess.TimeoutExpired, queue.Empty) as why:
        result(f"protocol {name}", str(why) or repr(why))
finish()

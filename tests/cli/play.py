# SPDX-License-Identifier: GPL-3.0-or-later
# Tests paotai play through a pipe (moves in any notation, commands, ends of games with their
# reasons, PGN, a clean exit) and on a pseudo-terminal (prompt, colours, Ctrl-C).
import os
import pty
import re
import signal
import subprocess
import time

from checks import PAOTAI, SCRATCH, START, check, finish, has_terminals, outcome, paotai, read, report, scratch, want, want_same, write

LEVEL = ("--level", "4")  # the weakest of the levels that make no random moves


def talk(lines, *args):
    """Returns the output of a game in which a person types these lines. The game must end
    without an error."""
    status, out, err = outcome("play", *(args or LEVEL), stdin="\n".join(lines) + "\n")
    want_same((status, err), (0, ""), f"play {' '.join(args)} with {lines}: how it ends")
    return out


def moves(out):
    """Returns the played moves in order as (side, uci)."""
    return re.findall(r"^(Red|Black) plays \S+ (\w\d\w\d) \S+$", out, re.M)


# One first move is typed in many notations, one after another. The program answers each time, and
# `back` takes back both moves. After a move with ranks from 0 to 9, the program refuses ranks from
# 1 to 10, so h3-e3 is typed in a separate game.
for texts in (("h3-e3",), ("h2e2", "H2-E2", "C2.5", "c2=5", "炮二平五", "砲二平五", "炮２平５", "Che2", "Ch2-e2", "C(32)-35", "7747", "8c-5c")):
    played = moves(talk([line for text in texts for line in (text, "back")]))
    want_same([played[::2], [side for side, _ in played[1::2]]], [[("Red", "h2e2")] * len(texts), ["Black"] * len(texts)], f"moves played after {texts}")
report("play_notations")

# After a move in one notation, the refusal of a move in another notation says that the move is not
# legal. It also shows what moves look like in the notation of the previous move.
for first, like, texts in (("C2=5", "wxf, in which moves look like C2.5", ("炮二平五", "Rh1", "h2h9")), ("炮二平五", "chinese, in which moves look like 炮二平五", ("C2=5", "h2h9")),
                           ("h2e2", "uci, in which moves look like h2e2", ("炮二平五", "C2=5"))):
    out = talk([first, *texts])
    for text in texts:
        want(re.search(rf"^'{text}' is not a legal move in .*wxf, chinese, san.*; the last move read was written in {like} ", out, re.M), f"{text} after {first}: {out[-900:]!r}")
out = talk(["h2e2", "h10g8", "h0h1"])
want("'h10g8' is not a legal move in uci, iccs, wxf, chinese, san or lalg; " in out, f"uci1, which is not tried after uci: {out[-900:]!r}")
want("'h0h1' fits no legal move; legal moves are: h0g2" in out, f"an illegal move in the notation of the previous move: {out[-900:]!r}")
out = talk(["C2=5", "R+1", "C9=9"])
want("'C9=9' fits no legal move; legal moves are: b2" in out, f"an illegal move in wxf after wxf: {out[-900:]!r}")
report("play_refusals")

# The board is drawn as text.
out = talk(["c2.5"], "--pieces", "letters", *LEVEL)
want_same(out.count("RIVER"), 0, "the river in letters")
want_same(out.count("R I V E R"), 2, "boards: at the beginning and after the answer")
want("\033" not in out and "> " not in out, "no colours and no prompt in a pipe")
want("Red to move" in out, "who is to move")
blind = talk(["c2.5", "board"], "--blindfold", "--pieces", "letters", *LEVEL)
want_same(blind.count("R I V E R"), 1, "--blindfold: boards are drawn only by the command board")
out = talk(["blindfold", "h2e2", "blindfold", "flip"], "--pieces", "letters", *LEVEL)
want_same(out.count("R I V E R"), 2, "boards if the command blindfold is typed twice")
want(re.search(r"i +h +g +f", out), "flip shows Black's side")
report("play_board")

# Moves can be taken back, and hints and other commands work.
out = talk(["h2e2", "back", "fen", "h2e2", "undo", "fen", "go", "undo", "b9c7"])
fens = re.findall(r"^fen (.*)", out, re.M)
want(len(fens) == 2 and fens[0] == START and fens[1].split()[1] == "b", f"back and undo: {fens}")
want_same([side for side, _ in moves(out)], ["Red", "Black", "Red", "Black", "Black", "Black"], "who moved around back, undo and go")
want_same(moves(out)[-1], ("Black", "b9c7"), "the person makes the player's move")
out = talk(["hint", "eval", "clock", "rules", "xyz", "resign", "h2e2", "undo"])
for pattern in (r"^hint \S+ \w\d\w\d \S+, [+-]\d\.\d\d points", r"^Final evaluation ", r"^Red has no clock$",
                r"no end: the position", r"'xyz' is .*help", r"^game over: Black wins: resignation", r"^the game is over: ", r"^there is no move to take back$"):
    want(re.search(pattern, out, re.M), f"no line like {pattern!r} in {out[-1500:]!r}")
help_ = talk(["help"])
for word in "board hint eval undo back clock draw resign save load help quit".split():
    want(re.search(rf"^{word} ", help_, re.M), f"help does not name {word}")
want(moves(talk(["quit", "h2e2"])) == [] == moves(talk(["exit", "h2e2"])), "quit and exit end it")


def answers(level, times):
    """Returns the replies of our engine to one move, at this level (playing strength), in at most
    `times` games. Stops when two replies differ."""
    seen = set()
    for _ in range(times):
        seen.add(moves(talk(["h2e2"], "--level", level))[1])
        if len(seen) > 1:
            break
    return seen


want(len(answers("1", 30)) == 2, "level 1, which plays 60 % of its moves at random, gives the same answer 30 times")
want_same(len(answers("4", 10)), 1, "different answers of level 4, which plays no random moves")
report("play_commands")

# The limits of --level apply unless other options replace them. The first line of the output names
# the player.
for args, says in (((), "level 6, nodes 200, weights best"), (("--tc", "1:00"), "level 6, nodes 200, weights best, clock 1:00"),
                   (("--level", "3", "--nodes", "500"), "level 3, nodes 500 instead of the 50 nodes of the level, 12 % of the moves at random, weights best"),
                   (("--player", "weights=classic", "--level", "7"), "level 7, nodes 400, weights classic"), (("--depth", "2"), "our engine, depth 2, weights best"),
                   (("--movetime", "5"), "our engine, 5 ms a move, weights best"), (("--player", f"cmd={PAOTAI},name=other"), "other, nodes 1000")):
    want_same(talk(["quit"], "--side", "both", "--blindfold", *args).splitlines()[0], "the player: " + says, f"who plays: {args}")
log = scratch("level.log")
talk(["h2e2"], "--tc", "5:00", "--player", f"cmd={PAOTAI},nodes=77,log={log}")
want(re.search(r"go (.* )?nodes 77\b", read("level.log")), "limits of a program beside a clock")
want(moves(talk(["h2e2"], *LEVEL, "--tc", "1:00"))[1] == moves(talk(["h2e2"]))[1], "a clock changes what a level plays")
begun = time.monotonic()
talk(["h2e2"], "--tc", "3", "--nodes", "1000000000")
want(time.monotonic() - begun < 3, "with --tc 3 and --nodes 1000000000 the player thinks for 3 s or longer")

# After `undo` it is the program's turn, but the program waits for a command.
LOST = "3k5/9/9/9/9/9/9/9/4R4/R3K4 w - - 0 1"  # lost for Black
want("game over: Black wins: resignation" in talk(["h2e2", "undo", "resign"], *LEVEL), "who resigns after undo")
want("game over: Red wins: resignation" in talk(["undo", "resign"], "--side", "black", *LEVEL), "who resigns as Black after undo")
want("agreed_draw" in talk(["e1e2", "undo", "draw"], "--fen", LOST, *LEVEL), "who is lost takes a draw after undo")
want("declines" in talk(["undo", "draw"], "--side", "black", "--fen", LOST, *LEVEL), "who wins takes a draw after undo")
with subprocess.Popen([PAOTAI, "play", "--blindfold", "--level", "1", "--tc", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                      encoding="utf-8", bufsize=1) as game:
    print("h2e2\nundo", file=game.stdin)
    time.sleep(1.2)
    print("b9c7", file=game.stdin)
    game.stdin.close()
    want("time_forfeit" not in (out := game.stdout.read()), f"the player loses on time while it waits for 'go': {out!r}")
report("play_level_and_undo")

# At the end of a game, the referee's reason is printed.
out = talk(["h0h9", "save " + scratch("mate.pgn")], "--fen", "3k5/4R4/9/9/9/9/9/9/9/4K2R1 w - - 0 1", *LEVEL)
want(re.search(r"^game over: Red wins: checkmate, in check without a legal move\n +Black has no legal move", out, re.M), f"mate: {out!r}")
want('[Result "1-0"]' in read("mate.pgn") and "checkmate" in read("mate.pgn"), "the PGN of a mate")
out = talk(["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9", "a8a9"], "--side", "both", "--fen", "3k5/9/9/9/9/9/9/9/4K4/R8 w - - 0 1")
want("occurs for the second time" in out, f"a warning of repetition: {out[-600:]!r}")
want(re.search(r"^game over: Black wins: perpetual_check, one side checked too many times in a row", out, re.M), f"perpetual check: {out[-600:]!r}")
want(re.search(r"(?i)^  .*red.*check", out, re.M), "the referee says who checked")
want(not [line for line in out.split("game over")[1].splitlines() if len(line) > 80], f"lines wider than a terminal: {out!r}")
for rules, end in (("none", "a draw"), ("axf", "Black wins")):
    out = talk(["a0a9", *["d9d8", "a9a8", "d8d9", "a8a9"] * 2], "--side", "both", "--rules", rules, "--fen", "3k5/9/9/9/9/9/9/9/4K4/R8 w - - 0 1")
    want(f"game over: {end}" in out, f"--rules {rules}: {out[-300:]!r}")
want("game over: a draw: agreed_draw" in talk(["draw"], "--side", "both"), "two people agree on a draw")
want("declines" in talk(["draw"]), "nobody takes a draw at the beginning")
want("agreed_draw" in talk(["draw"], "--fen", LOST, *LEVEL), "who is lost takes a draw")
report("play_ends")

# In a game with odds, the person is the weaker side and makes the extra moves.
out = talk(["h2e2", "a0a9", "h0g2", "back", "fen"], "--odds", "2moves", *LEVEL)
want_same([side for side, _ in moves(out)], ["Red", "Red", "Black"], "two moves first")
out = talk(["fen"], "--odds", "1knight", *LEVEL)
want(moves(out)[:1] and moves(out)[0][0] == "Red", "Red gives a horse, so the person is Black")
report("play_odds")

# An unfinished game, even one with odds (a handicap), is saved as PGN and loaded again.
path = scratch("game.pgn")
out = talk(["h2e2", "h0g2", f"save {path}"])
played = moves(out)
text = read("game.pgn")
want(len(played) == 4 and text.rstrip().endswith("*") and '[Result "*"]' in text, f"an unfinished game: {text!r}")
out = talk(["fen"], "--load", path, *LEVEL)
want("4 plies loaded" in out, f"--load: {out!r}")
after = re.findall(r"^fen (\S+ \w)", out, re.M)
out = talk(["load " + path, "fen", "undo", "undo", "undo", "undo", "fen"])
want_same(re.findall(r"^fen (\S+ \w)", out, re.M), after + [START[: START.index(" w") + 2]], "load, and back to the beginning")
talk(["h2e2", "a0a1"], "--odds", "2moves", "--save", scratch("odds.pgn"), *LEVEL)
text = read("odds.pgn")
want('[Odds "2moves"]' in text and '[OddsMoves "h2e2"]' in text, f"odds in the PGN: {text!r}")
want("3 plies loaded" in talk(["quit"], "--load", scratch("odds.pgn"), *LEVEL), "a game of odds comes back")
write("no.games", "nonsense here\n")
status, said, err = outcome("play", "--load", scratch("no.games"), *LEVEL)
want(status == 1 and "the ending of the file name" in err and "--format" not in err, f"--load of no game: {err!r}")
for args, words in ((("--load", scratch("no")), "no"), (("--load", SCRATCH), "Is a directory"), (("--fen", "x"), "--fen"), (("--level", "0"), "--level"), (("--odds", "x"), "no handicap 'x'"), (("--tc", "x"), "--tc: "),
                    (("--level", "2", "--player", f"cmd={PAOTAI}"), "--level: has an effect only on our engine"),
                    (("--player", "option.lmr_cut=100"), "play: --player: lmr_cut has no effect"),
                    (("--nodes", "5", "--player", "nodes=7"), "--nodes: not possible, because --player has its own limits"), (("--tc", "5", "--movetime", "5"), "--tc: "),
                    (("--weights", "classic", "--player", "weights=default"), "--weights: not possible, because --player has its own weights="), (("--player", "cmd=/no/such/engine,st=1"), "engine")):
    status, out, err = outcome("play", *args)
    want(status == (1 if words in ("no", "engine", "Is a directory") else 2) and words in err, f"play {args}: {status} {err!r}")
report("play_files")

# A complete game against the weakest level, with a clock. The test plays the moves that `hint`
# suggests. The program plays 60 % of its moves at random and starts without chariots and cannons, so
# it must lose.
BARE = "1nbakabn1/9/9/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
with subprocess.Popen([PAOTAI, "play", "--blindfold", "--level", "1", "--fen", BARE, "--tc", "60:00+60"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                      encoding="utf-8", bufsize=1) as game:
    over, turns = "", 0
    for line in game.stdout:
        hint = re.match(r"hint \S+ (\w\d\w\d) ", line)
        if line == "Red to move\n" or line == "Red to move, in check\n":
            turns += 1
            print("hint", file=game.stdin)
        elif hint:
            print(hint[1], file=game.stdin)
        elif line.startswith("game over") or turns == 150:
            over = line
            break
    game.stdin.close()
    game.stdout.read()
check("play_whole_game", "Red wins" in over and game.wait(300) == 0, f"{over!r} after {turns} turns")


def until(game, begin):
    """Reads output lines until one begins with this text, or to the end of the output."""
    while not (line := game.stdout.readline()).startswith(begin) and line:
        pass


# The person's clock also runs while commands such as `fen` are typed.
with subprocess.Popen([PAOTAI, "play", "--blindfold", "--level", "1", "--tc", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                      encoding="utf-8", bufsize=1) as game:
    until(game, "Red to move")  # the clock starts here
    for line in ("fen", "fen", "h2e2"):
        time.sleep(0.6)
        print(line, file=game.stdin)
    game.stdin.close()
    out = game.stdout.read()
check("play_clock", "game over: Black wins: time_forfeit" in out, out)


def interrupted(name, *options):
    """Plays a first move, sends Ctrl-C while the player thinks, and returns the output and the saved game."""
    with subprocess.Popen([PAOTAI, "play", *options, "--save", scratch(name), "--pieces", "letters"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, encoding="utf-8") as game:
        print("h2e2", file=game.stdin, flush=True)
        until(game, "Red plays")
        game.send_signal(signal.SIGINT)
        out = game.stdout.read()
    want_same(game.wait(300), 130, f"Ctrl-C in the player's thought, {name}: {out[-300:]!r}")
    return out, read(name)


# After Ctrl-C while the player thinks, the player moves at once, and the game is saved.
out, saved = interrupted("stopped.pgn", "--movetime", "600000")
want(len(re.findall(r"\b[A-I]\d-[A-I]\d\b", saved)) == 2, saved)
report("play_stopped")


def engine(name, move):
    """Returns the PLAYER text of a UCI program that answers every `go` with this move. If the move
    is empty, the program never answers `go`."""
    answer = f"echo bestmove {move}" if move else "echo info depth 1"
    path = write(name, f"while read -r line; do case $line in uci) echo uciok ;; isready) echo readyok ;; go*) {answer} ;; quit) exit ;; esac; done\n")
    return f"cmd=sh {path},depth=1"


# A program that plays an illegal move loses, and the reason is printed. In a game with the handicap
# `rook`, it is illegal to capture the horse b0 before this horse has moved.
for name, move, more, says in (("odds.sh", "b7b0", ("--odds", "rook", "--side", "red"), "the handicap rook does not allow its move b7b0"),
                               ("illegal.sh", "a0a9", (), "it played the illegal move a0a9")):
    out = talk(["h0g2"], "--player", engine(name, move), *more)
    want(f"the player loses by a fault: {says}\n" in out and "game over: Red wins: illegal_move, " in out, f"{name}: {out[-400:]!r}")
# `match` gives the same reason for a move that the handicap does not allow.
done = paotai("match", "--a", engine("odds.sh", "b7b0"), "--b", engine("red.sh", "h0g2"), "--odds", "rook", "--pairs", "1", "--opening-plies", "0", "--verbose")
want("illegal_move, the handicap rook does not allow its move b7b0" in done.stderr, done.stderr[-500:])
report("play_fault")

# If a program does not answer and the user presses Ctrl-C, the program has not lost: the game is
# saved without a result.
out, saved = interrupted("silent.pgn", "--player", engine("silent.sh", ""))
want('[Result "*"]' in saved and "loses" not in out, f"{out[-300:]!r} {saved}")
report("play_stopped_program")

# The PGN names our engine by its level.
talk(["h2e2"], "--save", scratch("level.pgn"), "--level", "6")
check("play_level_name", '[Black "level 6"]' in read("level.pgn"), read("level.pgn"))


if not has_terminals("play_terminal"):
    finish()


def terminal(keys, *args, **environment):
    """Returns the output on a pseudo-terminal and the exit status, or a text if the program does not end."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.pop("NO_COLOR", None)
        os.environ.update(environment)
        os.execv(PAOTAI, [PAOTAI, "play", *LEVEL, *args])
    out = b""
    try:
        for key in keys:
            while b"> " not in out[-8:]:
                out += os.read(fd, 4096)
            os.write(fd, key)
            out += b"\n" * 8  # moves this prompt out of out[-8:], so that the loop waits for the next one
        while True:
            got = os.read(fd, 4096)
            if not got:
                break
            out += got
    except OSError:
        pass
    deadline = time.time() + 300
    while time.time() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return out.decode(errors="replace"), os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    return out.decode(errors="replace"), "it does not end"


out, status = terminal([b"h2e2\n", b"\x03"])
want("\033[1;31m" in out and "Red> " in out, "colours and a prompt on a terminal")
want_same(status, 130, "Ctrl-C at the prompt")
out, status = terminal([b"resign\n", b"quit\n"])
want("'new', 'back', 'save FILE' or 'quit'> " in out, f"what can be done after the end: {out[-300:]!r}")
out, status = terminal([b"\x04"], NO_COLOR="1")
want("\033" not in out, "NO_COLOR")
want_same(status, 0, "Ctrl-D")
out, status = terminal([b"quit\n"])
want_same(status, 0, "quit")
report("play_terminal")
finish()

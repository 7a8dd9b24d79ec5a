# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes random small positions with a loop of two moves per side that looks like a chase.

Moves follow the movement of the pieces, but may leave a general in check. The caller checks that
generals and moves are legal.
"""
import random

FILES, RANKS = 9, 10
KINDS = "rrrnnncccabp"
MOST = {"r": 2, "n": 2, "c": 2, "a": 2, "b": 2, "p": 3}


def square(file, rank):
    return rank * FILES + file


def name(at):
    return "abcdefghi"[at % FILES] + str(at // FILES)


def lines(at):
    """Returns the points of the four rays from a point, nearest first."""
    file, rank = at % FILES, at // FILES
    return [[square(f, rank) for f in range(file - 1, -1, -1)],
            [square(f, rank) for f in range(file + 1, FILES)],
            [square(file, r) for r in range(rank - 1, -1, -1)],
            [square(file, r) for r in range(rank + 1, RANKS)]]


def steps(at, offsets):
    file, rank = at % FILES, at // FILES
    for df, dr in offsets:
        if 0 <= file + df < FILES and 0 <= rank + dr < RANKS:
            yield df, dr, square(file + df, rank + dr)


RAYS = [lines(at) for at in range(FILES * RANKS)]
ORTHOGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
JUMPS = [(df, dr) for df in (-2, -1, 1, 2) for dr in (-2, -1, 1, 2) if abs(df) != abs(dr)]


def in_palace(at):
    return 3 <= at % FILES <= 5 and at // FILES in (0, 1, 2, 7, 8, 9)


def toward(value):
    return (value > 0) - (value < 0)


def reach(board, at):
    """Yields the points that a piece reaches, including points occupied by pieces of its side."""
    piece = board[at]
    kind, red = piece.lower(), piece.isupper()
    if kind in "rc":
        for ray in RAYS[at]:
            screen = False
            for to in ray:
                if not board[to]:
                    if not screen:
                        yield to
                elif kind == "r" or screen:
                    yield to
                    break
                else:
                    screen = True
    elif kind == "n":
        for df, dr, to in steps(at, JUMPS):
            leg = at + (toward(df) if abs(df) == 2 else toward(dr) * FILES)
            if not board[leg]:
                yield to
    elif kind == "b":
        for df, dr, to in steps(at, [(2 * df, 2 * dr) for df, dr in DIAGONAL]):
            if (to // FILES >= 5) == (at // FILES >= 5) and not board[at + df // 2 + dr // 2 * FILES]:
                yield to
    elif kind in "ak":
        for _, _, to in steps(at, DIAGONAL if kind == "a" else ORTHOGONAL):
            if in_palace(to):
                yield to
    else:
        crossed = (at // FILES >= 5) == red
        for df, dr, to in steps(at, ORTHOGONAL):
            if dr == (1 if red else -1) or (crossed and df):
                yield to


def own(board, at, red):
    return bool(board[at]) and board[at].isupper() == red


def quiet_moves(board, red):
    return [(at, to) for at in range(90) if own(board, at, red)
            for to in reach(board, at) if not board[to]]


def attacks(board, red):
    """Returns (attacker, target) for one side, without attacks by soldiers and generals."""
    return {(at, to) for at in range(90) if own(board, at, red) and board[at].lower() not in "kp"
            for to in reach(board, at) if own(board, to, not red)}


def random_point(rng, kind):
    """Returns a random point where a piece of Red may stand."""
    if kind == "k":
        return square(rng.randint(3, 5), rng.randint(0, 2))
    if kind == "a":
        return square(*rng.choice([(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]))
    if kind == "b":
        return square(*rng.choice([(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]))
    if kind == "p":
        rank = rng.randint(3, 9)
        return square(rng.choice(range(0, FILES, 2 if rank < 5 else 1)), rank)
    return rng.randrange(FILES * RANKS)


def random_board(rng):
    board = [""] * (FILES * RANKS)
    for red in (True, False):
        kinds = "k" + "".join(rng.choice(KINDS) for _ in range(rng.randint(1, 8)))
        for kind in kinds:
            if kinds.count(kind) > MOST.get(kind, 1):
                continue
            at = random_point(rng, kind)
            if not red:
                at = square(at % FILES, RANKS - 1 - at // FILES)
            if not board[at]:
                board[at] = kind.upper() if red else kind
    return board


def fen(board, red):
    ranks = []
    for rank in range(RANKS - 1, -1, -1):
        text, empty = "", 0
        for piece in board[rank * FILES:(rank + 1) * FILES]:
            if not piece:
                empty += 1
                continue
            text += (str(empty) if empty else "") + piece
            empty = 0
        ranks.append(text + (str(empty) if empty else ""))
    return "/".join(ranks) + (" w" if red else " b") + " - - 0 1"


def moved(board, move):
    after = board[:]
    after[move[1]], after[move[0]] = after[move[0]], ""
    return after


def protected(board, target):
    """Returns True if a piece could recapture on `target`; ignores pins and changes of cannon screens."""
    red = board[target].isupper()
    return any(own(board, at, red) and target in reach(board, at) for at in range(90))


def attacked(board, red, unprotected=False):
    """Returns the points of all pieces that a side attacks, or only of the unprotected pieces."""
    points = {to for _, to in attacks(board, red)}
    return {to for to in points if not unprotected or not protected(board, to)}


def new_targets(shape, before, after, red):
    """Returns the points of the enemy pieces that a side attacks after its move.

    With the shape "direct", only attacks from a point that did not attack the target before the move
    count; a moved piece stands on a new point, so all its attacks count. With "roots", only targets
    count that are unprotected now, and were protected or not attacked before the move.
    """
    if shape == "direct":
        return {to for _, to in attacks(after, red) - attacks(before, red)}
    if shape == "roots":
        return attacked(after, red, True) - attacked(before, red, True)
    return attacked(after, red)


def loops_of(rng, board, red, shape, mutual):
    """Yields loops of four moves in which both moves of the first side attack one piece.

    With `mutual`, both moves of the other side attack one piece, too.
    """
    def follow(points, move):
        return {move[1] if at == move[0] else at for at in points}

    firsts = quiet_moves(board, red)
    rng.shuffle(firsts)
    for first in firsts:
        middle = moved(board, first)
        targets = new_targets(shape, board, middle, red)
        if not targets:
            continue
        replies = quiet_moves(middle, not red)
        rng.shuffle(replies)
        # Move 80 % of the replies by attacked pieces, chosen at random, to the front of the list.
        replies.sort(key=lambda move: move[0] not in targets or rng.random() < 0.2)
        for reply in replies[:6]:
            third = moved(middle, reply)
            back, home = (first[1], first[0]), (reply[1], reply[0])
            if third[back[1]] or back[1] not in reach(third, back[0]):
                continue
            fourth = moved(third, back)
            if home[1] not in reach(fourth, home[0]):
                continue
            if not new_targets(shape, third, fourth, red) & follow(targets, reply):
                continue
            if mutual:
                one = new_targets("", middle, third, not red)
                if not follow(one, back) & new_targets("", fourth, board, not red):
                    continue
            yield [first, reply, back, home]


def loops(seed):
    """Yields (FEN, moves) without end: loops of all shapes in turn, each played twice."""
    rng = random.Random(seed)
    while True:
        for shape in ("direct", "roots", ""):
            for mutual in (False, True):
                loop = None
                while not loop:
                    board, red = random_board(rng), rng.random() < 0.5
                    loop = next(loops_of(rng, board, red, shape, mutual), None)
                yield fen(board, red), " ".join(name(a) + name(b) for a, b in loop * 2)

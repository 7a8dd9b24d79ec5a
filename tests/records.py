# SPDX-License-Identifier: GPL-3.0-or-later
"""Our own writers and readers of records, second opinions on those of the program.

A game is {"tags": {name: text}, "start": FEN, "result": "1-0", "line": line}. A line is [what is said before its first
move, its moves]; a move is [uci, what is said behind it, the lines in its place]."""
import re
import struct
import zlib

from checks import START

RESULTS = ["*", "1-0", "0-1", "1/2-1/2"]
MEN = "RNBAKABNRCCPPPPPrnbakabnrccppppp"  # of lists of points
CODES = dict(zip("RNBAKCP", range(0x11, 0x18))) | dict(zip("rnbakcp", range(0x21, 0x28)))
XQF_TEXTS = {"Title": (0x50, 64), "Event": (0xd0, 64), "Date": (0x110, 16), "Site": (0x120, 16), "Red": (0x130, 16), "Black": (0x140, 16),
             "Annotator": (0x1d0, 16), "Author": (0x1e0, 16)}
CBR_TEXTS = {"Title": 180, "Event": 692, "Round": 756, "Date": 884, "Site": 948, "Red": 1076, "RedTeam": 1140, "Black": 1300,
             "BlackTeam": 1364, "Annotator": 1652, "Author": 1780}
UBB_TEXTS = {"Title": "title", "Event": "event", "Date": "date", "Site": "place", "Round": "round", "Red": "red", "RedTeam": "redteam",
             "Black": "black", "BlackTeam": "blackteam", "Annotator": "remark", "Author": "author"}


def cells(fen):
    """The board from Black's back rank on, a character each point."""
    return re.sub(r"\d|/", lambda at: "" if at[0] == "/" else "." * int(at[0]), fen.split()[0])


def men(fen, point):
    """The points of the men of the list by their places, None where there is none."""
    board, out = list(cells(fen)), []
    for man in MEN:
        out.append(point(board.index(man)) if man in board else None)
        if man in board:
            board[board.index(man)] = "."
    return out


def place(square):
    return (9 - int(square[1])) * 9 + "abcdefghi".index(square[0])


def column(at):
    return at % 9 * 10 + 9 - at // 9


def records(line, others=(), at=0):
    """Moves as files have them, each before its continuation and that before what may stand in its place: its number in its
    line, its places, what is said, does the line go on, does another stand in its place?"""
    move, text, _ = line[1][at]
    text = "\n".join(filter(None, (line[0] if at == 0 else "", text)))
    yield at, (place(move[:2]), place(move[2:])), text, at + 1 < len(line[1]), bool(others)
    if at + 1 < len(line[1]):
        yield from records(line, line[1][at + 1][2], at + 1)
    for number, *more in records(others[0], others[0][1][0][2] + others[1:]) if others else ():
        yield number + at, *more


def tree(game):
    """The same of a game, behind the record that is no move."""
    said, moves = game["line"]
    yield 0, None, said, True, False
    yield from records(["", moves], moves[0][2])


# ---- writers -----------------------------------------------------------------------------------


def xqf(game, version=10, keys=(0x31, 0x97, 0x5e), mask=0x6d, ors=b"\x12\x80\x05\x40"):
    """From version 11 on in the keys of XQStudio; the bytes behind a text are left from another one."""
    spread = lambda key, times: (((((key * key * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8) * times) & 255
    own = bytes([-sum(keys) & 255, *keys])
    men_key = from_key = to_key = size_key = 0
    stream = bytes(32)
    if version > 10:
        men_key = spread(keys[0], keys[0])
        from_key = spread(keys[1], men_key)
        to_key = spread(keys[2], from_key)
        size_key = (own[0] * 256 + keys[0]) % 32000 + 767
        stream = bytes((own[i % 4] & mask | ors[i % 4]) & byte for i, byte in enumerate(b"[(C) Copyright Mr. Dong Shiwei.]"))
    head = bytearray(1024)
    head[:16] = b"XQ" + bytes([version, mask]) + b"\0\0\0\0" + ors + own
    points = men(game["start"], column)
    for i in range(32):
        point = points[(men_key + 1 + i) % 32 if version > 11 else i]
        head[16 + i] = (255 if point is None else point) + men_key & 255
    head[0x32], head[0x33] = game["start"].split()[1] == "b", RESULTS.index(game["result"])
    for name, (at, size) in XQF_TEXTS.items():
        text = game["tags"].get(name, "").encode("gb18030")
        assert len(text) < size, name
        head[at:at + size] = bytes([len(text)]) + text.ljust(size - 1, b"\xb5")
    body = b""
    for number, (_, move, text, more, varied) in enumerate(tree(game)):
        points = map(column, move) if move else (0, 0)
        points = [point + shift & 255 for point, shift in zip(points, (24 + from_key, 32 + to_key))]
        text = text.encode("gb18030")
        flags = more << 7 | varied << 6 | bool(text) << 5 | number % 32 if version > 10 else more * 0xf0 | varied * 0x0f
        body += bytes([*points, flags, number & 255]) + (struct.pack("<I", len(text) + size_key) if text or version == 10 else b"") + text
    return bytes(head) + bytes(byte + stream[i % 32] & 255 for i, byte in enumerate(body))


def cbr(game, version=2):
    nearer = 0 if version == 2 else 256
    head = bytearray(2214 - nearer)
    head[:20] = b"CCBridge Record\0\0\0\0" + bytes([version])
    for name, at in CBR_TEXTS.items():
        text = game["tags"].get(name, "").encode("utf-16-le")
        at -= 0 if version == 2 else 128 if at < 1500 else 256
        head[at:at + len(text)] = text
    head[2076 - nearer], head[2112 - nearer], head[2116 - nearer] = RESULTS.index(game["result"]), 1 + (game["start"].split()[1] == "b"), 1
    head[2120 - nearer:2210 - nearer] = bytes(CODES.get(man, 0) for man in cells(game["start"]))
    for _, move, text, more, varied in tree(game):
        text = text.encode("utf-16-le")
        points = [at if version == 2 else at % 9 << 4 | at // 9 for at in move or (0, 0)]
        head += bytes([(not more) | varied << 1 | bool(text) << 2, 0, *points])
        head += (struct.pack("<I", len(text)) if text else b"") + text
    return bytes(head)


def cbl(files, deleted=()):
    """Records of .cbr on boundaries of 4096 bytes behind an index, in which 5 means deleted."""
    out = bytearray(b"CCBridgeLibrary\0".ljust(66624 + 276 * max(128, len(files)), b"\0"))
    for number, data in enumerate(files):
        out[66624 + 276 * number] = 5 if number in deleted else 7
        out += data.ljust(-(-len(data) // 4096) * 4096, b"\0")
    return bytes(out)


def old_cbl(games, packed=3):
    """A library of CCBridge 2.1: texts in GBK; remarks behind all the moves, lines of them end with ||."""
    text = lambda value: struct.pack("<I", len(value.encode("gb18030"))) + value.encode("gb18030")
    date, out = b"2003-05-01 10:00:00", b""
    for game in games:
        tags = {name: text(game["tags"].get(name, "")) for name in XQF_TEXTS}
        body = bytes(point or 0 for point in men(game["start"], lambda at: (at % 9 + 1) << 4 | at // 9 + 1)) + struct.pack("<I", 1)
        body += tags["Event"] + struct.pack("<I", 1) + tags["Title"] + text("") * 2 + tags["Site"] + tags["Date"] + tags["Red"] + tags["Black"]
        body += struct.pack("<I", RESULTS.index(game["result"])) + tags["Annotator"] + text("") + tags["Author"] + text("") + text(game["line"][0].replace("\n", "||"))
        moves = list(tree(game))[1:]
        body += b"\1" + 2 * date + struct.pack("<I", len(moves))
        body += b"".join(struct.pack("<H4B", number + 1, *(at % 9 << 4 | at // 9 for at in move), 0, 0) for number, move, *_ in moves)
        body += b"".join(said.replace("\n", "||").encode("gb18030") + b"\r\n" for _, _, said, *_ in moves)
        out += struct.pack("<I", len(body) + 4) + body
    rest = text("名") + text("") * 2 + text("me") + text("") + 2 * date + struct.pack("<I", len(games)) + text("x") + out
    return b"CCBridge" + struct.pack("<III", 21, packed, len(rest)) + (zlib.compress(rest) if packed else rest)


def pgn_moves(line, ply):
    note = lambda text: re.sub(r"^((?:\$\d+ ?)*)(.*)", lambda at: f"{at[1]} {{{at[2]}}} " if at[2] else at[1] + " ", text, flags=re.S)
    out = note(line[0])
    for at, (move, text, others) in enumerate(line[1], ply):
        out += f"{at // 2 + 1}{'...' if at % 2 else '.'} {move} " + note(text) + "".join(f"({pgn_moves(other, at)}) " for other in others)
    return out


def pgn(game):
    start = "" if game["start"] == START else f'[FEN "{game["start"]}"]\n'
    tags = "".join(f'[{name} "{text}"]\n' for name, text in game["tags"].items())  # quotes stay as they are
    return f'{tags}[Result "{game["result"]}"]\n{start}\n{pgn_moves(game["line"], game["start"].split()[1] == "b")}{game["result"]}\n\n'


def dhtmlxq(game):
    digits = lambda line: "".join(f"{place(move[i:i + 2]) % 9}{place(move[i:i + 2]) // 9}" for move, _, _ in line[1] for i in (0, 2))
    tag = lambda name, value: f"[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]\n" if value else ""
    out, number = tag("binit", "".join(point or "99" for point in men(game["start"], lambda at: f"{at % 9}{at // 9}"))), 0

    def add(line, first, own, name):
        nonlocal out, number
        out += tag(name, digits(line))
        for at, text in enumerate([line[0], *(move[1] for move in line[1])], first):
            out += tag(f"comment{own}_{at}" if own else f"comment{at}", text.replace("\n", "||"))
        for at, (_, _, others) in enumerate(line[1], first + 1):
            for other in others:
                number += 1
                add(other, at - 1, number, f"move_{own}_{at}_{number}")
    add(game["line"], 0, 0, "movelist")
    out += tag("result", ["", "红胜", "黑胜", "和棋"][RESULTS.index(game["result"])])
    return "[DhtmlXQ]\n" + "".join(tag(own, game["tags"].get(name)) for name, own in UBB_TEXTS.items()) + out + "[/DhtmlXQ]\n"


# ---- readers -----------------------------------------------------------------------------------


def read_pgn(text):
    """The games of a file as our export writes it, moves in ICCS."""
    games = []
    for part in re.split(r"(?m)^(?=\[Game )", text)[1:]:
        head, body = part.split("\n\n", 1)
        tags = {name: re.sub(r"\\(.)", r"\1", value) for name, value in re.findall(r'^\[(\w+) "(.*)"\]$', head, re.M)}
        stack = [["", []]]
        for note, nag, bracket, word in re.findall(r"\{([^}]*)\}|(\$\d+)|([()])|([^\s(){}$]+)", body):
            line = stack[-1]
            if note or nag:
                target, at = (line[1][-1], 1) if line[1] else (line, 0)
                target[at] += " " + (note or nag)
            elif bracket == "(":
                stack.append(["", []])
                line[1][-1][2].append(stack[-1])
            elif bracket:
                stack.pop()
            elif "-" in word and word not in RESULTS:
                line[1].append([word.replace("-", "").lower(), "", []])
        games.append({"tags": tags, "board": {at: man for at, man in enumerate(cells(tags.get("FEN", START))) if man != "."}, "result": tags["Result"], "line": stack[0]})
    return games


def read_tree(data, at, codec, record):
    """record(4 bytes) gives the places left and entered, is it the last, does another stand in its place, is anything said?"""
    square = lambda place: f"{'abcdefghi'[place % 9]}{9 - place // 9}"

    def read_line():
        nonlocal at
        moves, varied, last = [], [], False
        while not last:
            origin, target, last, other, more = record(data[at:at + 4])
            begin = at + 8 if more else at + 4
            at = begin + struct.unpack_from("<I", data, at + 4)[0] if more else begin
            moves.append([square(origin) + square(target), data[begin:at].decode(codec), []])
            varied.append(other)
        for move in reversed([move for move, other in zip(moves, varied) if other]):
            move[2].append(["", read_line()])
        return moves
    first, *moves = read_line()
    assert at == len(data), "there are bytes behind the tree"
    return [first[1], moves]


def read_xqf(data):
    """Version 1.0."""
    row = lambda byte: (9 - byte % 10) * 9 + byte // 10
    board = {row(at): man for man, at in zip(MEN, data[16:48]) if at < 90}
    tags = {name: data[at + 1:at + 1 + data[at]].decode("gb18030") for name, (at, _) in XQF_TEXTS.items()}
    line = read_tree(data, 1024, "gb18030", lambda at: (row(at[0] - 24), row(at[1] - 32), not at[2] & 0xf0, at[2] & 0x0f, True))
    return {"tags": tags, "board": board, "result": RESULTS[data[0x33]], "line": line}


def read_cbr(data):
    """Version 2."""
    tags = {name: data[at:at + 64].decode("utf-16-le", "ignore").split("\0")[0] for name, at in CBR_TEXTS.items()}
    line = read_tree(data, 2214, "utf-16-le", lambda at: (at[2], at[3], at[0] & 1, at[0] & 2, at[0] & 4))
    board = {at: man for at, code in enumerate(data[2120:2210]) for man, of in CODES.items() if code == of}
    return {"tags": tags, "board": board, "result": RESULTS[data[2076]], "line": line}


def normal(line, joined=False, main=True):
    """The same tree in one form: what replaces the first move of a variation stands behind it, blanks are single, and what is
    said before a variation joins what its first move says where the format has no place for it."""
    moves = []
    for at, (move, text, others) in enumerate(line[1]):
        lines = []
        for other in others:
            other = normal(other, joined, False)
            lines += [other, *other[1][0][2]]
            other[1][0][2] = []
        text = line[0] + " " + text if joined and not main and at == 0 else text
        moves.append([move, " ".join(text.split()), lines])
    return ["" if joined and not main else " ".join(line[0].split()), moves]

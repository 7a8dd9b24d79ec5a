# SPDX-License-Identifier: GPL-3.0-or-later
"""Writers of records, and a reader of PGN, that do not use the program's code.

A game is {"tags": {name: text}, "start": FEN, "result": "1-0", "line": line}. A line is [remark
before its first move, its moves]. A move is [uci, remark after it, the lines that replace it].
"""
import re
import struct
import zlib

from checks import START

RESULTS = ["*", "1-0", "0-1", "1/2-1/2"]
MEN = "RNBAKABNRCCPPPPPrnbakabnrccppppp"  # the order of the pieces in which the file formats list their points
CODES = dict(zip("RNBAKCP", range(0x11, 0x18))) | dict(zip("rnbakcp", range(0x21, 0x28)))
XQF_TEXTS = {"Title": (0x50, 64), "Event": (0xd0, 64), "Date": (0x110, 16), "Site": (0x120, 16), "Red": (0x130, 16), "Black": (0x140, 16),
             "Annotator": (0x1d0, 16), "Author": (0x1e0, 16)}
CBR_TEXTS = {"Title": 180, "Event": 692, "Round": 756, "Date": 884, "Site": 948, "Red": 1076, "RedTeam": 1140, "Black": 1300,
             "BlackTeam": 1364, "Annotator": 1652, "Author": 1780}
UBB_TEXTS = {"Title": "title", "Event": "event", "Date": "date", "Site": "place", "Round": "round", "Red": "red", "RedTeam": "redteam",
             "Black": "black", "BlackTeam": "blackteam", "Annotator": "remark", "Author": "author"}


# place: index of a point such as "e0" among the 90 points, which begin with Black's back rank.
place = lambda square: (9 - int(square[1])) * 9 + "abcdefghi".index(square[0])
cells = lambda fen: re.sub(r"\d|/", lambda at: "" if at[0] == "/" else "." * int(at[0]), fen.split()[0])
board = lambda cells: {at: man for at, man in enumerate(cells) if man != "."}
column = lambda at: at % 9 * 10 + 9 - at // 9
nibbles = lambda at: at % 9 << 4 | at // 9


def men(fen, point, none):
    """Returns the points of the 32 men of a FEN, in the order of MEN; `none` for a missing man."""
    left, out = list(cells(fen)), []
    for man in MEN:
        at = left.index(man) if man in left else None
        out.append(none if at is None else point(at))
        left[at or 0] = left[0] if at is None else "."
    return out


def tree(game):
    """Yields the moves of a game with variations in the order of the file formats.

    Each move is followed by its continuation, and then by the variations that replace it. A move
    is a tuple: number of plies before it, points, remark, whether its line continues, and whether a
    variation replaces it. The first entry is not a move."""
    def walk(line, others, at):
        move, text, _ = line[1][at]
        text = "\n".join(filter(None, (line[0] if at == 0 else "", text)))
        yield at, (place(move[:2]), place(move[2:])), text, at + 1 < len(line[1]), bool(others)
        if at + 1 < len(line[1]):
            yield from walk(line, line[1][at + 1][2], at + 1)
        for number, *more in walk(others[0], others[0][1][0][2] + others[1:], 0) if others else ():
            yield number + at, *more
    said, moves = game["line"]
    yield 0, None, said, bool(moves), False
    if moves:
        yield from walk(["", moves], moves[0][2], 0)


def xqf(game, version=10, keys=(0x31, 0x97, 0x5e), mask=0x6d, ors=b"\x12\x80\x05\x40"):
    """Writes an XQF file. From version 11 on, its contents are encrypted with `keys`, as by XQStudio.

    In the header, unused bytes after a text are 0xb5: XQStudio does not set them to 0 either."""
    spread = lambda key, times: (((((key * key * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8) * times) & 255
    own = bytes([-sum(keys) & 255, *keys])
    men_key, from_key, to_key, size_key, stream = 0, 0, 0, 0, bytes(32)
    if version > 10:
        men_key, size_key = spread(keys[0], keys[0]), (own[0] * 256 + keys[0]) % 32000 + 767
        from_key = spread(keys[1], men_key)
        to_key = spread(keys[2], from_key)
        stream = bytes((own[i % 4] & mask | ors[i % 4]) & byte for i, byte in enumerate(b"[(C) Copyright Mr. Dong Shiwei.]"))
    head = bytearray(1024)
    head[:16] = b"XQ" + bytes([version, mask]) + b"\0\0\0\0" + ors + own
    points = men(game["start"], column, 255)
    head[16:48] = bytes(points[(men_key + 1 + i) % 32 if version > 11 else i] + men_key & 255 for i in range(32))
    head[0x32], head[0x33] = game["start"].split()[1] == "b", RESULTS.index(game["result"])
    for name, (at, size) in XQF_TEXTS.items():
        text = game["tags"].get(name, "").encode("gb18030")
        head[at:at + size] = bytes([len(text)]) + text.ljust(size - 1, b"\xb5")
    body = b""
    for number, (_, move, text, more, varied) in enumerate(tree(game)):
        points = [point + shift & 255 for point, shift in zip(map(column, move) if move else (0, 0), (24 + from_key, 32 + to_key))]
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
        at -= nearer if at > 1500 else nearer // 2
        head[at:at + len(text)] = text
    head[2076 - nearer], head[2112 - nearer], head[2116 - nearer] = RESULTS.index(game["result"]), 1 + (game["start"].split()[1] == "b"), 1
    head[2120 - nearer:2210 - nearer] = bytes(CODES.get(man, 0) for man in cells(game["start"]))
    for _, move, text, more, varied in tree(game):
        text = text.encode("utf-16-le")
        points = [at if version == 2 else nibbles(at) for at in move or (0, 0)]
        head += bytes([(not more) | varied << 1 | bool(text) << 2, 0, *points]) + (struct.pack("<I", len(text)) if text else b"") + text
    return bytes(head)


def cbl(files, deleted=()):
    """Writes a library of CCBridge (.cbl) that contains the .cbr files `files`.

    The library begins with an index, in which the status 5 marks a deleted file. The files follow,
    each padded to a multiple of 4096 bytes."""
    out = bytearray(b"CCBridgeLibrary\0".ljust(66624 + 276 * max(128, len(files)), b"\0"))
    for number, data in enumerate(files):
        out[66624 + 276 * number] = 5 if number in deleted else 7
        out += data.ljust(-(-len(data) // 4096) * 4096, b"\0")
    return bytes(out)


def old_cbl(games, packed=3):
    """Writes a library of CCBridge 2.1, whose texts are in GBK.

    All moves of a game come first, then the remarks on the moves. "||" stands for a line end inside a
    remark."""
    text = lambda value: struct.pack("<I", len(value.encode("gb18030"))) + value.encode("gb18030")
    date, out = b"2003-05-01 10:00:00", b""
    for game in games:
        tags = {name: text(game["tags"].get(name, "")) for name in XQF_TEXTS}
        body = bytes(men(game["start"], lambda at: nibbles(at) + 17, 0)) + struct.pack("<I", 1)
        body += tags["Event"] + struct.pack("<I", 1) + tags["Title"] + text("") * 2 + tags["Site"] + tags["Date"] + tags["Red"] + tags["Black"]
        body += struct.pack("<I", RESULTS.index(game["result"])) + tags["Annotator"] + text("") + tags["Author"] + text("") + text(game["line"][0].replace("\n", "||"))
        moves = list(tree(game))[1:]
        body += bytes([1 + (game["start"].split()[1] == "b")]) + 2 * date + struct.pack("<I", len(moves))
        body += b"".join(struct.pack("<H4B", number + 1, *map(nibbles, move), 0, 0) for number, move, *_ in moves)
        body += b"".join(said.replace("\n", "||").encode("gb18030") + b"\r\n" for _, _, said, *_ in moves)
        out += struct.pack("<I", len(body) + 4) + body
    rest = text("名") + text("") * 2 + text("me") + text("") + 2 * date + struct.pack("<I", len(games)) + text("x") + out
    return b"CCBridge" + struct.pack("<III", 21, packed, len(rest)) + (zlib.compress(rest) if packed else rest)


def pgn_moves(line, ply):
    note = lambda text: "{: +0.35/12} " if text == "+0.35/12" else re.sub(r"^((?:\$\d+ ?)*)(.*)", lambda at: f"{at[1]} {{{at[2]}}} " if at[2] else at[1] + " ", text, flags=re.S)
    out = note(line[0])
    for at, (move, text, others) in enumerate(line[1], ply):
        mark = {"$6": "?!", "$4": " ??"}.get(text)
        out += f"{at // 2 + 1}{'...' if at % 2 else '.'} {move}" + (mark or " " + note(text)) + " " + "".join(f"({pgn_moves(other, at)}) " for other in others)
    return out


def pgn(game):
    start = "" if game["start"] == START else f'[FEN "{game["start"]}"]\n'
    tags = "".join(f'[{name} "{text}"]\n' for name, text in game["tags"].items())  # quotes are not escaped
    return f'{tags}[Result "{game["result"]}"]\n{start}\n{pgn_moves(game["line"], game["start"].split()[1] == "b")}{game["result"]}\n\n'


def dhtmlxq(game):
    digits = lambda line: "".join(f"{place(move[i:i + 2]) % 9}{place(move[i:i + 2]) // 9}" for move, _, _ in line[1] for i in (0, 2))
    tag = lambda name, value: f"[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]\n" if value else ""
    out, number = tag("binit", "".join(men(game["start"], lambda at: f"{at % 9}{at // 9}", "99"))), 0

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


def read_pgn(text):
    """Returns the games of a PGN file whose moves are in ICCS and whose games begin with the tag Game.
    The returned moves are UCI."""
    games = []
    for part in re.split(r"(?m)^(?=\[Game )", text)[1:]:
        head, body = part.split("\n\n", 1)
        tags = {name: re.sub(r"\\(.)", r"\1", value) for name, value in re.findall(r'^\[(\w+) "(.*)"\]$', head, re.M)}
        stack = [["", []]]
        for note, nag, bracket, word in re.findall(r"\{([^}]*)\}|(\$\d+)|([()])|([^\s(){}$]+)", body):
            line = stack[-1]
            if note or nag:
                target, at = (line[1][-1], 1) if line[1] else (line, 0)
                target[at] += " " + (note or nag).replace(": +", "+")
            elif bracket == "(":
                stack.append(["", []])
                line[1][-1][2].append(stack[-1])
            elif bracket:
                stack.pop()
            elif "-" in word and word not in RESULTS:
                line[1].append([word.replace("-", "").lower(), "", []])
        games.append({"tags": tags, "board": board(cells(tags.get("FEN", START))), "result": tags["Result"], "line": stack[0]})
    return games

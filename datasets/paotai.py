# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of Paotai in Python, with numpy and h5py alone; this file may be copied anywhere.

    import paotai
    run = paotai.Run("build/games")        # a run directory, or one shard
    run.games["result"], run.plies["score_red"], run.positions["stm"]    # columns as arrays
    run.boards()                           # (positions, 10, 9): the sampled positions
    game = run[0]                          # a game: result, reason, moves, scores, boards, FENs
    game.moves[:4], game.scores()[:4], game.fens()[4]
    game.tags.get("Red")                   # what an imported record says besides: players, event, date ...

Pieces are 1 to 7 for Red (general, advisor, elephant, horse, chariot, cannon, soldier), 9 to 15 for Black,
0 where nothing stands. A board is indexed [rank, file]; [0, 0] is a0, at Red's left hand. Scores and results
are from Red's side; a score is in points (a chariot is about 9). datasets/README.md has every column.

Games by the score after 20 plies, with matplotlib (python3 FILE RUN PLOT.png):

    import paotai, sys, numpy as np, matplotlib.pyplot as plt
    run = paotai.Run(sys.argv[1])
    points = np.array([game.scores()[20] if len(game) > 20 else np.nan for game in run])
    result, bins = run.games["result"], np.linspace(-6, 6, 13)
    plt.hist([points[result == r] for r in (1, 0, -1)], bins, stacked=True, label=["Red won", "drawn", "Black won"])
    plt.xlabel("score after 20 plies, in points"); plt.ylabel("games"); plt.legend()
    plt.savefig(sys.argv[2])
"""
import glob
import os

import h5py
import numpy as np

LETTERS = ".KABNRCP.kabnrcp"
# What stands in each of the 32 slots of `squares`.
KINDS = np.repeat(np.array([1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15], np.int8), [1, 2, 2, 2, 2, 2, 5] * 2)
NO_SCORE = -32768


def boards_of(squares):
    """Boards [..., rank, file] of the squares of pieces, (..., 32) with 255 for those that are not there."""
    squares = np.asarray(squares)
    flat = squares.reshape(-1, 32)
    boards = np.zeros((len(flat), 91), np.int8)  # point 90 takes the pieces that are not there
    boards[np.arange(len(flat))[:, None], np.minimum(flat, 90)] = KINDS
    return boards[:, :90].reshape(*squares.shape[:-1], 10, 9)


def squares_of(moves):
    """Origin and target, as square numbers (9 rank + file), of stored moves."""
    moves = np.asarray(moves).astype(np.int32)
    origin = moves & 255
    return origin, (origin + (moves >> 8)) & 255


def uci(moves):
    """Stored moves as a list of texts like h2e2."""
    names = [f"{'abcdefghi'[square % 9]}{square // 9}" for square in range(90)]
    return [names[origin] + names[target] for origin, target in zip(*squares_of(moves))]


def points(plies):
    """Scores in points; a mate is +-100, NaN where nothing is known. Of plies, or of positions."""
    score, mate = plies["score_red"], plies["mate_red"]
    return np.where(mate != 0, 100.0 * np.sign(mate), np.where(score == NO_SCORE, np.nan, score / 100.0))


def fen(board, red_to_move=True, halfmove=0, fullmove=1):
    """The FEN of a board."""
    rows = []
    for rank in board[::-1]:
        row, empty = "", 0
        for piece in rank:
            if piece:
                row, empty = row + (str(empty) if empty else "") + LETTERS[piece], 0
            else:
                empty += 1
        rows.append(row + (str(empty) if empty else ""))
    return f"{'/'.join(rows)} {'w' if red_to_move else 'b'} - - {halfmove} {fullmove}"


class Game:
    """A game: the values of its row of /games are attributes; `plies` has its rows of /plies."""

    def __init__(self, row, plies, reasons, tags):
        self.__dict__.update(row)
        self.plies = plies
        self.tags = tags
        self.reason = reasons.get(int(row["reason"]), str(row["reason"]))
        self.moves = uci(plies["move"])

    def __len__(self):
        return len(self.moves)

    def scores(self):
        return points(self.plies)

    def boards(self):
        """The position before each ply and, behind them, the last one: (plies + 1, 10, 9)."""
        boards = np.zeros((len(self) + 1, 90), np.int8)
        boards[0] = boards_of(self.start_squares).reshape(90)
        for ply, (origin, target) in enumerate(zip(*squares_of(self.plies["move"]))):
            boards[ply + 1] = boards[ply]
            boards[ply + 1, target], boards[ply + 1, origin] = boards[ply, origin], 0
        return boards.reshape(-1, 10, 9)

    def fens(self):
        """The same positions as FEN, with their counters."""
        boards, half, full, fens = self.boards(), int(self.start_halfmove), int(self.start_fullmove), []
        pieces = np.count_nonzero(boards, axis=(1, 2))
        side = int(self.start_stm)
        for ply, board in enumerate(boards):
            if ply:
                extra = ply <= self.extra_plies  # of odds: the move stays with its side
                half = half + 1 if pieces[ply] == pieces[ply - 1] else 0
                full += 0 if extra else side
                side = side if extra else 1 - side
            fens.append(fen(board, side == 0, half, full))
        return fens


class Run:
    """All games of a run directory or of one shard; groups are dictionaries of columns."""

    def __init__(self, path):
        names = sorted(glob.glob(os.path.join(path, "shard-*.h5"))) if os.path.isdir(path) else [path]
        if not names:
            raise FileNotFoundError(f"{path}: no shard-*.h5 there")
        columns = {"games": {}, "plies": {}, "positions": {}}
        self.tags = {}  # of each game that has any, by its index
        for name in names:
            with h5py.File(name, "r") as file:
                if file.attrs.get("format") not in ("paotai games", b"paotai games"):
                    raise ValueError(f"{name}: no shard of games")
                for group, lists in columns.items():
                    for column, data in file[group].items():
                        lists.setdefault(column, []).append(data[:])
                if "time_ms" not in file["plies"]:  # nothing was measured
                    columns["plies"].setdefault("time_ms", []).append(np.zeros(len(file["plies/move"]), "u4"))
                self._add_tags(file)
                self.provenance = {key: value.decode() if isinstance(value, bytes) else value
                                   for key, value in file["provenance"].attrs.items()}
                words = file["games/reason"].attrs["values"]
        joined = {group: {name: np.concatenate(parts) for name, parts in lists.items()} for group, lists in columns.items()}
        self.games, self.plies, self.positions = joined["games"], joined["plies"], joined["positions"]
        self.reasons = dict(_word(part) for part in (words.decode() if isinstance(words, bytes) else words).splitlines())
        count = self.games["ply_count"].astype(np.int64)
        self._first = np.cumsum(count) - count

    def _add_tags(self, file):
        if "tags" not in file:
            return
        last = None
        for index, name, value in zip(*(file["tags"][column][:] for column in ("game", "name", "value"))):
            tags, name = self.tags.setdefault(int(index), {}), name.decode()
            if name.startswith("+"):  # a long name goes on; its value is behind it
                tags.pop(last)
                name = last + name[1:]
            last = name or last  # a value goes on where there is no name
            tags[last] = tags.get(last, "") + value.decode(errors="replace")

    def __len__(self):
        return len(self._first)

    def __getitem__(self, at):
        """The game at this place of the run (a run may lack numbers: see game.index)."""
        at = range(len(self))[at]
        rows = slice(self._first[at], self._first[at] + int(self.games["ply_count"][at]))
        return Game({name: column[at] for name, column in self.games.items()},
                    {name: column[rows] for name, column in self.plies.items()}, self.reasons,
                    self.tags.get(int(self.games["index"][at]), {}))

    def boards(self):
        """The sampled positions, (n, 10, 9); their outcomes are positions["result"], points(positions)."""
        return boards_of(self.positions["squares"])


def _word(part):
    """ "4 perpetual_chase: one side ..." -> (4, "perpetual_chase")"""
    number, _, word = part.partition(" ")
    return int(number), word.partition(":")[0]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads runs of Paotai with numpy and h5py. This file may be copied anywhere.

    import paotai
    run = paotai.Run("build/games")        # a run directory, or one shard; columns are read when used
    run.games["result"], run.plies["score_red"], run.positions["stm"]    # columns as arrays
    table = run.positions()                # all of /positions, and points, red, black (players' names), remark
    for part in run.chunks(100000):        # this table in parts, with boards: for runs of any size
        part["boards"], part["points"], part["result"]
    game = run[0]                          # a game: result, reason, moves, scores, boards, FENs
    game.moves[:4], game.scores()[:4], game.fens()[4]
    game.tags.get("Red"), game.remarks     # tags: players, event ...; remarks {ply: text}
    paotai.weights("build/new.txt")["mg"]  # a weight file as a table with standard errors
    fit = paotai.Rows("build/rows.h5")     # rows of 'data export --rows', which the tuner fits, for scikit-learn
    paotai.plot_values("build/new.txt")    # also plot_weights, plot_calibration, plot_results and plot_scores

Pieces are 1 to 7 for Red (general, advisor, elephant, horse, chariot, cannon, soldier), 9 to 15 for Black, and 0 is
an empty point. A board is indexed [rank, file]; [0, 0] is a0, at Red's left hand. Scores and results are from Red's
side. A result is 1, 0 or -1, or 2 if unknown. scores() and points() give points (a chariot is about 9). Weights and the
columns score_red are in units of 1/100 point. datasets/README.md describes every column. Rows.matrix() needs scipy, and
figures need matplotlib.

Games by the score after 20 plies, with matplotlib (python3 FILE RUN PLOT.png):

    import paotai, sys
    run = paotai.Run(sys.argv[1])
    paotai.plot_scores(run, ply=20).figure.savefig(sys.argv[2])
"""
import collections.abc
import glob
import os
import re

import h5py
import numpy as np

LETTERS = ".KABNRCP.kabnrcp"
# Piece codes of a stored position: each value of the column `squares` has 32 entries, and entry i is the square of a
# piece with the code KINDS[i].
KINDS = np.repeat(np.array([1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15], np.int8), [1, 2, 2, 2, 2, 2, 5] * 2)
NO_SCORE = -32768


def boards_of(squares, at_once=65536):
    """Converts squares to boards: an int8 array (..., 10, 9), indexed [..., rank, file].
    `squares` has the shape (..., 32), and 255 means that a piece is absent."""
    squares = np.asarray(squares)
    flat = squares.reshape(-1, 32)
    boards = np.empty((len(flat), 90), np.int8)
    for first in range(0, len(flat), at_once):  # limits memory: an index array takes 8 bytes per piece
        part = np.minimum(flat[first : first + at_once], 90)
        wide = np.zeros((len(part), 91), np.int8)  # absent pieces go to the unused square 90
        wide[np.arange(len(part))[:, None], part] = KINDS
        boards[first : first + at_once] = wide[:, :90]
    return boards.reshape(*squares.shape[:-1], 10, 9)


def squares_of(moves):
    """Returns the origin squares and the target squares of stored moves (n,), as two int32 arrays (n,).
    A square is 9 rank + file."""
    moves = np.asarray(moves).astype(np.int32)
    origin = moves & 255
    return origin, (origin + (moves >> 8)) & 255


def uci(moves):
    """Converts stored moves to a list of texts such as "h2e2"."""
    names = [f"{'abcdefghi'[square % 9]}{square // 9}" for square in range(90)]
    return [names[origin] + names[target] for origin, target in zip(*squares_of(moves))]


def points(plies):
    """Returns the scores of plies or positions from Red's side in points (a chariot is about 9), as a float array (n,).
    A mate becomes 100 or -100, an unknown score NaN."""
    score, mate = plies["score_red"], plies["mate_red"]
    return np.where(mate != 0, 100.0 * np.sign(mate), np.where(score == NO_SCORE, np.nan, score / 100.0))


def fen(board, red_to_move=True, halfmove=0, fullmove=1):
    """Returns the FEN of a board."""
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
    """A stored game. The columns of /games are attributes; `reason` is a name, not a number. `plies` maps names of
    columns of /plies to the values of this game. `tags` maps names to values."""

    def __init__(self, row, plies, reasons, tags):
        self.__dict__.update(row)
        self.plies = plies
        self.tags = tags
        self.reason = reasons.get(int(row["reason"]), str(row["reason"]))
        self.moves = uci(plies["move"])

    def __len__(self):
        return len(self.moves)

    @property
    def remarks(self):
        """The remarks about the game, {ply: text}. A remark before the first move has ply 0."""
        return _remarks(self.tags)

    def scores(self):
        """Returns the search score of each ply, in points from Red's side, as a float array (plies,)."""
        return points(self.plies)

    def boards(self):
        """Returns the board before each ply and the final board, as an int8 array (plies + 1, 10, 9)."""
        boards = np.zeros((len(self) + 1, 90), np.int8)
        boards[0] = boards_of(self.start_squares).reshape(90)
        for ply, (origin, target) in enumerate(zip(*squares_of(self.plies["move"]))):
            boards[ply + 1] = boards[ply]
            boards[ply + 1, target], boards[ply + 1, origin] = boards[ply, origin], 0
        return boards.reshape(-1, 10, 9)

    def fens(self):
        """Returns the positions of boards() as a list of FENs with counters."""
        boards, half, full, fens = self.boards(), int(self.start_halfmove), int(self.start_fullmove), []
        pieces = np.count_nonzero(boards, axis=(1, 2))
        side = int(self.start_stm)
        for ply, board in enumerate(boards):
            if ply:
                extra = ply <= self.extra_plies  # extra moves of odds: the same side moves again
                half = half + 1 if pieces[ply] == pieces[ply - 1] else 0
                full += 0 if extra else side
                side = side if extra else 1 - side
            fens.append(fen(board, side == 0, half, full))
        return fens


class Columns(collections.abc.Mapping):
    """A group of columns, such as /games, joined over all shards.
    Maps the name of a column to an array (rows,) or (rows, 32). A column is read when it is first used, and
    stays in memory."""

    def __init__(self, shards, group):
        self._shards, self._group, self._kept = shards, group, {}
        self._names = [name for name in shards[0].names[group] if all(name in shard.names[group] for shard in shards)]
        if group == "plies" and "time_ms" not in self._names:  # a file without measured times omits this column
            self._names.append("time_ms")
        if group == "games" and "group" not in self._names:  # a file without parts of games omits this column
            self._names.append("group")

    def __getitem__(self, name):
        if name not in self._names:
            raise KeyError(name)
        if name not in self._kept:
            self._kept[name] = np.concatenate([shard.read(self._group, name) for shard in self._shards])
        return self._kept[name]

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)


class Positions(Columns):
    """The columns of the sampled positions, by name. Calling the object reads all columns at once."""

    def __call__(self):
        """Returns a dictionary of arrays (n,), one for each column of /positions (squares are (n, 32)).
        It also has `points`, `red` and `black` (names of the players), `remark` ("" if there is none), and `group`:
        positions of one game have the same number there, also if an imported file has the game in several parts.
        Reading takes about 165 bytes of memory per position, of which the result keeps 82; use Run.chunks() if that
        is too much."""
        parts = [part for shard in self._shards for part in shard.chunks(None, False)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


class Shard:
    """One shard (HDF5 file) of a run. The file is only open while data is read."""

    def __init__(self, path):
        self.path = path
        with h5py.File(path, "r") as file:
            if file.attrs.get("format") not in ("paotai games", b"paotai games"):
                raise ValueError(f"{path} is not a shard of games")
            self.names = {group: list(file[group]) for group in ("games", "plies", "positions")}
            self.lengths = {"plies": len(file["plies/move"]), "positions": len(file["positions/game"])}
            self.index = file["games/index"][:]
            self.lengths["games"] = len(self.index)
            self.provenance = {key: _text(value) for key, value in file["provenance"].attrs.items()}
            self.reasons = dict(_word(part) for part in _text(file["games/reason"].attrs["values"]).splitlines())

    def read(self, group, name, rows=slice(None)):
        if name not in self.names[group]:
            return np.zeros(self.lengths[group], "u8" if name == "group" else "u4")[rows]
        with h5py.File(self.path, "r") as file:
            return file[group][name][rows]

    def tags(self):
        """Returns the tags of all games that have tags: {index of the game: {"Red": ...}}."""
        found, last = {}, None
        with h5py.File(self.path, "r") as file:
            columns = [file["tags"][column][:] for column in ("game", "name", "value")] if "tags" in file else [(), (), ()]
        for index, name, value in zip(*columns):
            tags, name = found.setdefault(int(index), {}), name.decode()
            if name.startswith("+"):  # a row with the rest of a long name; the value follows in this row
                tags.pop(last)
                name = last + name[1:]
            last = name or last  # a row without a name continues the value of the row above
            tags[last] = tags.get(last, "") + value.decode(errors="replace")
        return found

    def players(self):
        """Returns the names of the Red and of the Black player of each game, as two arrays of texts (games,)."""
        tags, reason, known = self.tags(), self.read("games", "reason"), _names(self.provenance.get("weights", ""))
        sides = []
        for tag, column in (("Red", "red_player"), ("Black", "black_player")):
            numbers = self.read("games", column)
            names = [tags.get(int(index), {}).get(tag, "" if int(index) in tags or self.reasons[int(why)] == "imported" else
                                                  known.get(int(number), "")) for index, why, number in zip(self.index, reason, numbers)]
            sides.append(np.array(names, object))
        return sides

    def chunks(self, rows, boards):
        red, black = self.players()
        groups = self.read("games", "group")
        groups = np.where(groups, groups, self.index)
        said = {(index << 16) + ply: text for index, tags in self.tags().items() for ply, text in _remarks(tags).items()}
        places, texts = np.array(sorted(said), np.uint64), np.array([said[place] for place in sorted(said)], object)
        count = self.lengths["positions"]
        step = rows or max(count, 1)
        for first in range(0, count if rows else step, step):
            part = {name: self.read("positions", name, slice(first, first + step)) for name in self.names["positions"]}
            game = np.searchsorted(self.index, part["game"])
            # Positions are sorted by game and ply, so a remark is found by binary search.
            own = (part["game"].astype(np.uint64) << np.uint64(16)) + part["ply"].astype(np.uint64)
            here = np.isin(places, own)
            remark = np.full(len(own), "", object)
            remark[np.searchsorted(own, places[here])] = texts[here]
            part.update(points=points(part), red=red[game], black=black[game], remark=remark, group=groups[game])
            if boards:
                part["boards"] = boards_of(part["squares"])
            yield part


class Run:
    """A run directory, or one shard.
    `games`, `plies` and `positions` are groups of columns (see Columns). `provenance` comes from the last
    shard. `reasons` maps the numbers in the column reason of /games to names."""

    def __init__(self, path):
        path = os.fspath(path)
        names = sorted(glob.glob(os.path.join(glob.escape(path), "shard-*.h5"))) if os.path.isdir(path) else [path]
        if not names:
            raise FileNotFoundError(f"{path} has no shards (shard-*.h5)")
        self._shards = sorted(map(Shard, names), key=lambda shard: int(shard.index[0]) if len(shard.index) else -1)
        self.games, self.plies = Columns(self._shards, "games"), Columns(self._shards, "plies")
        self.positions = Positions(self._shards, "positions")
        self.provenance, self.reasons = self._shards[-1].provenance, self._shards[-1].reasons
        self._ends = np.cumsum([len(shard.index) for shard in self._shards])
        self._open = None, None  # shard from which the last game was taken, and its content

    @property
    def tags(self):
        """The tags of all games that have tags: {index of the game: {"Red": ...}}."""
        return {index: tags for shard in self._shards for index, tags in shard.tags().items()}

    def players(self):
        """Returns the names of the Red and of the Black player of each game, as two arrays of texts (games,).
        An unknown name is ""."""
        return tuple(np.concatenate(side) for side in zip(*(shard.players() for shard in self._shards)))

    def __len__(self):
        return int(self._ends[-1])

    def __getitem__(self, at):
        """Returns stored game number `at`, counted from 0.
        This number differs from game.index if the run does not have all games."""
        at = range(len(self))[at]
        number = int(np.searchsorted(self._ends, at, "right"))
        shard = self._shards[number]
        if self._open[0] is not shard:
            games, plies = ({name: shard.read(group, name) for name in getattr(self, group)} for group in ("games", "plies"))
            self._open = shard, (games, plies, shard.tags(), np.cumsum(games["ply_count"], dtype=np.int64))
        games, plies, tags, ends = self._open[1]
        at -= int(self._ends[number]) - len(shard.index)
        rows = slice(ends[at] - int(games["ply_count"][at]), ends[at])
        return Game({name: column[at] for name, column in games.items()}, {name: column[rows] for name, column in plies.items()},
                    shard.reasons, tags.get(int(games["index"][at]), {}))

    def boards(self):
        """Returns the boards of all sampled positions, as an int8 array (n, 10, 9).
        The results of their games are in positions["result"], the search scores in points(positions)."""
        boards, first = np.empty((sum(shard.lengths["positions"] for shard in self._shards), 10, 9), np.int8), 0
        for shard in self._shards:
            part = boards[first : first + shard.lengths["positions"]]
            part[:] = boards_of(shard.read("positions", "squares"))
            first += len(part)
        return boards

    def chunks(self, rows=100000):
        """Yields the sampled positions in parts of at most `rows` positions.
        Each part is a dictionary like that of positions(), with `boards` (n, 10, 9) in addition."""
        for shard in self._shards:
            yield from shard.chunks(rows, True)


def weights(path):
    """Reads a weight file: a text file, or an HDF5 file of 'tune' or 'weights convert'.
    Returns a structured array with one element per weight. Its fields are name (such as "table_horse[3]"), mg
    and eg (middlegame and endgame value, in units), mg_se and eg_se (standard errors; NaN or 0 if unknown)."""
    if h5py.is_hdf5(path):
        with h5py.File(path, "r") as file:
            names, values = [name.decode() for name in file["names"][:]], file["weights"][:]
            errors = file["errors"][:] if "errors" in file else np.full(values.shape, np.nan)
    else:
        terms, known = {}, {}
        for line in _lines(path):
            words = line.split()
            if line.startswith("# se "):
                known[words[2]] = words[3:]
            elif words and words[0] not in ("schema", "#") and not line.startswith("#"):
                terms[words[0]] = words[1:]
        names, values, errors = [], [], []
        for term, numbers in terms.items():
            pairs = np.array(numbers, float).reshape(-1, 2)
            names += [f"{term}[{i}]" for i in range(len(pairs))]
            values.append(pairs)
            errors.append(np.array(known[term], float).reshape(-1, 2) if term in known else np.full(pairs.shape, np.nan))
        values, errors = np.concatenate(values), np.concatenate(errors)
    table = np.zeros(len(names), [("name", "U64"), ("mg", float), ("eg", float), ("mg_se", float), ("eg_se", float)])
    table["name"], table["mg"], table["eg"] = names, values[:, 0], values[:, 1]
    table["mg_se"], table["eg_se"] = errors[:, 0], errors[:, 1]
    return table


class Rows:
    """A file of sparse rows, as 'data export --rows' writes it.
    Each row has the coefficients of the evaluation in one position. The data sets of the file are attributes of the
    object, for example `names` (terms,) and `result` (rows,), Red's points from 0 to 1, or -1 if unknown.
    datasets/sparse/README.md lists all data sets.

        rows, fit = paotai.Rows("build/rows.h5"), LogisticRegression(fit_intercept=False)
        x, y, weight, groups = rows.for_classes()
        fit.fit(x, y, weight)                     # fit.coef_[0] has the weights, in the order of columns(), times K
        GroupKFold(5).split(x, y, groups)         # never separates positions of one game
    """

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            if file.attrs.get("format") not in ("paotai sparse rows", b"paotai sparse rows"):
                raise ValueError(f"{path} is not a file of sparse rows")
            self.__dict__.update((name, data[:]) for name, data in file.items())
            share = file.attrs.get("phase_max", 1)
        self.names = np.array([name.decode() for name in self.names])
        count = len(self.result)
        self.game = getattr(self, "game", np.arange(count))
        self.split = getattr(self, "split", self.game)  # (rows,): copies of a game have the same number
        self.share = getattr(self, "phase", np.full(count, share)) / share  # (rows,): weight of the middlegame, 0 to 1

    def columns(self):
        """Returns the names of the columns of matrix(), as texts (2 * terms,). Middlegame columns come first."""
        return np.concatenate([np.char.add(self.names, " mg"), np.char.add(self.names, " eg")])

    def matrix(self):
        """Returns the coefficients as a scipy.sparse.csr_matrix (rows, 2 * terms).
        The product of a row and the weights, plus the offset of the row, is the score in units from Red's
        side."""
        try:
            from scipy import sparse
        except ImportError as error:
            raise ImportError("Rows.matrix() needs scipy: apt install python3-scipy") from error
        plain = sparse.csr_matrix((self.coefficient, self.index, self.indptr.astype(np.int64)), (len(self.result), len(self.names)))
        return sparse.hstack([plain.multiply(self.share[:, None]), plain.multiply(1 - self.share[:, None])]).tocsr()

    def for_classes(self):
        """Returns m samples for a classifier: a matrix (m, 2 * terms) and three arrays (m,).
        The arrays are class (1 win, 0 loss), sample weight, and group. A row with result r becomes a win of
        weight r and a loss of weight 1 - r. Samples of weight 0 and rows without a result are omitted. Groups
        keep the positions of a game together. The data set `offset` is not used, because classifiers have no
        place for it."""
        wins, losses = np.flatnonzero(self.result > 0), np.flatnonzero((self.result >= 0) & (self.result < 1))
        both = np.concatenate([wins, losses])
        return (self.matrix()[both], np.repeat([1, 0], [len(wins), len(losses)]),
                np.concatenate([self.result[wins], 1 - self.result[losses]]), self.split[both])


# ---- figures: each function draws on the matplotlib axes `ax` (None: a new figure) and returns them ---


def plot_values(path, ax=None):
    """Draws the piece values in opening and endgame, in points with 95 % confidence intervals.
    `path` is a weight file that 'tune' wrote."""
    rows = [line.split(None, 11) for line in _lines(path) if line.startswith("# value ")]
    rows = [row for row in rows if row[2] != "nan"]
    if not rows:
        raise ValueError(f"{path} has no lines '# value', so 'tune' did not write it")
    ax = _axes(ax, "points (a chariot is 9)", "")
    numbers, at = np.array([row[2:10] for row in rows], float), -np.arange(len(rows))
    for column, name, shift in ((0, "opening", 0.12), (2, "endgame", -0.12)):
        ax.errorbar(numbers[:, column], at + shift, xerr=1.96 * numbers[:, 4 + column], fmt="o", label=name)
    ax.set_yticks(at, [row[11].strip() for row in rows])
    ax.legend()
    return ax


def plot_weights(path, term="", most=30, ax=None):
    """Plots the `most` largest weights of a weight file, with 95 % confidence intervals.
    Shows only weights with `term` in their names. Values are in units of 1/100 point; a chariot is worth 9 points."""
    table = weights(path)
    table = table[np.char.find(table["name"], term) >= 0]
    table = table[np.argsort(-np.maximum(abs(table["mg"]), abs(table["eg"])), kind="stable")][:most]
    ax, at = _axes(ax, "units (100 are a point)", ""), -np.arange(len(table))
    for name, label, shift in (("mg", "middlegame", 0.12), ("eg", "endgame", -0.12)):
        ax.errorbar(table[name], at + shift, xerr=1.96 * np.nan_to_num(table[name + "_se"]), fmt="o", label=label)
    ax.set_yticks(at, table["name"])
    ax.legend()
    return ax


def calibration(predicted, observed, game=None, bins=10):
    """Compares predicted with observed results, both from 0 to 1.
    Divides the predictions into equal bins. Returns four arrays (bins,): mean prediction, mean result, half the
    width of the 95 % confidence interval of the mean result (clustered by game), and number of positions. In empty
    bins the number is 0 and the other values are NaN. Results below 0 (unknown) are ignored."""
    predicted, observed = np.asarray(predicted, float), np.asarray(observed, float)
    game = np.arange(len(predicted)) if game is None else np.unique(game, return_inverse=True)[1]
    known = observed >= 0
    predicted, observed, game = predicted[known], observed[known], game[known]
    which = np.minimum((predicted * bins).astype(int), bins - 1)
    rows = np.full((4, bins), np.nan)
    for b in range(bins):
        here = which == b
        rows[3, b] = here.sum()
        if here.any():
            rows[0, b], rows[1, b] = predicted[here].mean(), observed[here].mean()
            off = np.bincount(game[here], observed[here] - rows[1, b])
            rows[2, b] = 1.96 * np.sqrt((off**2).sum()) / here.sum()
    return rows


def plot_calibration(predicted, observed, game=None, ax=None):
    """Plots observed against predicted results, both arrays (n,) with values from 0 to 1, from Red's side.
    The error bars are 95 % confidence intervals, see calibration()."""
    mean, seen, error, _ = calibration(predicted, observed, game)
    ax = _axes(ax, "predicted result (1: Red wins)", "observed, mean")
    ax.plot([0, 1], [0, 1], "--", color="gray")
    ax.errorbar(mean, seen, yerr=error, fmt="o")
    return ax


def plot_results(run, ax=None):
    """Draws a histogram of the game lengths in plies, with a colour for each result."""
    ax = _axes(ax, "plies", "games")
    _by_result(ax, run.games["ply_count"], run.games["result"], np.linspace(0, max(run.games["ply_count"].max(), 1), 26))
    return ax


def plot_scores(run, ply=20, limit=6, ax=None):
    """Draws a histogram of the search scores after `ply` plies, from Red's side in points (a chariot is about 9).
    Games of at most `ply` plies, and unknown scores, are left out. Scores beyond +-limit count as +-limit. Each
    result has a colour."""
    first = np.cumsum(run.games["ply_count"], dtype=np.int64) - run.games["ply_count"]
    there = run.games["ply_count"] > ply
    at = first[there] + ply
    score = points({name: run.plies[name][at] for name in ("score_red", "mate_red")})
    ax = _axes(ax, f"score after {ply} plies, in points", "games")
    _by_result(ax, np.clip(score, -limit, limit), run.games["result"][there], np.linspace(-limit, limit, 25))
    return ax


def _by_result(ax, values, result, bins):
    ax.hist([values[result == r] for r in (1, 0, -1)], bins, stacked=True, label=["Red won", "drawn", "Black won"])
    ax.legend()


def _axes(ax, x, y):
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError("figures need matplotlib: apt install python3-matplotlib") from error
        ax = pyplot.subplots(layout="constrained")[1]
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    return ax


def _lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def _remarks(tags):
    return {int(name[6:]): text for name, text in tags.items() if re.fullmatch("Remark[0-9]+", name)}


def _text(value):
    return value.decode() if isinstance(value, bytes) else value


def _names(players):
    """Splits the names of players into a dictionary.
    "1 new 5f2c, 2 old 66aa" gives {1: "new", 2: "old"}, and "default 5f2c" gives {0: "default"}."""
    names = {}
    for number, part in enumerate(players.split(", ")):
        mark, _, rest = part.partition(" ")
        if mark.isdigit() and " " in rest:
            number, part = int(mark), rest
        names[number] = part.rpartition(" ")[0] or part
    return names


def _word(part):
    """Splits a line of an enum's description: "4 perpetual_chase: one side ..." gives (4, "perpetual_chase")."""
    number, _, word = part.partition(" ")
    return int(number), word.partition(":")[0]

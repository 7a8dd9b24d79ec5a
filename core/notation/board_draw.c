// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notation/board_draw.h"

#include "core/notation/notation.h"

// Returns the point that is drawn in this row (0 is the top row) and column (0 is the left column).
static int square_at(const BoardStyle *style, int row, int column) {
    const int file = style->black_below ? FILE_COUNT - 1 - column : column;
    const int rank = style->black_below ? row : RANK_COUNT - 1 - row;
    return square_make(file, rank);
}

// Appends the piece on one point of the board, or + if the point is empty. Returns the width of
// this text in terminal columns.
static int add_point(const Position *position, const BoardStyle *style, int square, Text *out) {
    static const char letters[PIECE_COUNT + 1] = "+KAEHRCP+kaehrcp";
    const Piece piece = position->board[square];
    const bool wide = piece != PIECE_NONE && !style->letters;
    const bool colour = piece != PIECE_NONE && style->colour;
    if (colour) text_add(out, "\033[%sm", piece_side(piece) == RED ? "1;31" : "1");
    if (wide) {
        text_add(out, "%s", piece_face(piece));
    } else {
        text_add(out, "%c", letters[piece]);
    }
    if (colour) text_add(out, "\033[0m");
    return wide ? 2 : 1;
}

// Appends one row of points. A point takes four columns: one or two for the piece, the others for
// the line to the next point. The origin and the target of the last move have brackets in the
// columns beside the piece.
static void add_points(const Position *position, const BoardStyle *style, int row, Text *out) {
    text_add(out, "  %d ", square_rank(square_at(style, row, 0)));
    for (int column = 0; column < FILE_COUNT; column++) {
        const int square = square_at(style, row, column);
        const char *before = column == 0 ? " " : "-", *after = "";
        if (style->last != MOVE_NONE && square == move_to(style->last)) {
            before = "[";
            after = "]";
        } else if (style->last != MOVE_NONE && square == move_from(style->last)) {
            before = "(";
            after = ")";
        }
        text_add(out, "%s", before);
        int used = 1 + add_point(position, style, square, out) + (*after != '\0');
        text_add(out, "%s", after);
        for (; used < 4 && column < FILE_COUNT - 1; used++) text_add(out, "-");
    }
    text_add(out, "\n");
}

// Returns the line of text between a row of points and the next one. It shows the vertical lines of
// the board, the diagonals of the palaces, and the river.
static const char *lines_below(const BoardStyle *style, int row) {
    enum { ROW_ABOVE_RIVER = 4 };
    if (row == ROW_ABOVE_RIVER && style->letters) return "|           R I V E R           |";
    if (row == ROW_ABOVE_RIVER) return "|      楚 河         漢 界      |";
    if (row == 0 || row == 7) return "|   |   |   | \\ | / |   |   |   |";
    if (row == 1 || row == 8) return "|   |   |   | / | \\ |   |   |   |";
    return "|   |   |   |   |   |   |   |   |";
}

void board_draw(const Position *position, const BoardStyle *style, Text *out) {
    for (int row = 0; row < RANK_COUNT; row++) {
        add_points(position, style, row, out);
        if (row < RANK_COUNT - 1) text_add(out, "     %s\n", lines_below(style, row));
    }
    text_add(out, "\n    ");
    for (int column = 0; column < FILE_COUNT; column++) {
        text_add(out, "%s%c", column ? "   " : " ", 'a' + square_file(square_at(style, 0, column)));
    }
    text_add(out, "\n");
}

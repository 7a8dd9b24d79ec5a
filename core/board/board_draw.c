// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/board/board_draw.h"

#include "core/notation/notation.h"

// The point in row (0 on top) and column (0 on the left) of the drawing.
static int square_at(const BoardStyle *style, int row, int column) {
    const int file = style->black_below ? FILE_COUNT - 1 - column : column;
    const int rank = style->black_below ? row : RANK_COUNT - 1 - row;
    return square_make(file, rank);
}

// Adds one point; returns the columns it takes.
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

// A row of points. A point has four columns: one or two for what stands there, then the line to the
// next; the brackets of a marked point take the columns before and behind it.
static void add_points(const Position *position, const BoardStyle *style, int row, Text *out) {
    text_add(out, "  %d ", square_rank(square_at(style, row, 0)));
    for (int column = 0; column < FILE_COUNT; column++) {
        const int square = square_at(style, row, column);
        const char *before = column == 0 ? " " : "-", *behind = "";
        if (style->last != MOVE_NONE && square == move_to(style->last)) {
            before = "[";
            behind = "]";
        } else if (style->last != MOVE_NONE && square == move_from(style->last)) {
            before = "(";
            behind = ")";
        }
        text_add(out, "%s", before);
        int used = 1 + add_point(position, style, square, out) + (*behind != '\0');
        text_add(out, "%s", behind);
        for (; used < 4 && column < FILE_COUNT - 1; used++) text_add(out, "-");
    }
    text_add(out, "\n");
}

// The lines below a row, with the diagonals of the palaces.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/pages/position_board.h"

#include "core/notation/notation.h"

// Lengths in the units of the picture's coordinates: distance of neighbouring points, radius of a
// piece, radius of the ring around a marked piece, and distance of the board's edge from the
// picture's edge.
enum { STEP = 40, PIECE = 17, MARK = 20, MARGIN = 24 };

static int x_of(int file) {
    return MARGIN + file * STEP;
}

static int y_of(int rank) {
    return MARGIN + (RANK_COUNT - 1 - rank) * STEP;
}

static void add_lines(Html *svg) {
    page_add(svg, "<path class='lines' d='");
    for (int rank = 0; rank < RANK_COUNT; rank++) {
        page_add(svg, "M%d %dH%d", x_of(0), y_of(rank), x_of(FILE_COUNT - 1));
    }
    for (int file = 0; file < FILE_COUNT; file++) {
        const bool edge = file == 0 || file == FILE_COUNT - 1;
        page_add(svg, "M%d %dV%d", x_of(file), y_of(0), y_of(edge ? RANK_COUNT - 1 : 4));
        if (!edge) page_add(svg, "M%d %dV%d", x_of(file), y_of(5), y_of(RANK_COUNT - 1));
    }
    for (int low = 0; low <= 7; low += 7) {
        page_add(svg, "M%d %dL%d %dM%d %dL%d %d", x_of(3), y_of(low), x_of(5), y_of(low + 2),
                 x_of(5), y_of(low), x_of(3), y_of(low + 2));
    }
    page_add(svg, "'/>\n");
}

// Appends the piece's letter, as in WXF notation, and its Chinese character. The style sheet shows
// one of them, as the reader chooses.
static void add_face(Html *svg, Piece piece, int x, int y) {
    static const char letters[PIECE_TYPE_COUNT + 1] = " KAEHRCP";
    const char *side = piece_side(piece) == RED ? "red" : "black";
    page_add(svg,
             "<text class='face %s letter' x='%d' y='%d'>%c</text>"
             "<text class='face %s chinese' x='%d' y='%d'>%s</text>\n",
             side, x, y, letters[piece_type(piece)], side, x, y, piece_face(piece));
}

static void add_piece(Html *svg, Piece piece, int square, bool marked) {
    const int x = x_of(square_file(square)), y = y_of(square_rank(square));
    const char *side = piece_side(piece) == RED ? "red" : "black";
    if (marked) page_add(svg, "<circle class='mark' cx='%d' cy='%d' r='%d'/>", x, y, MARK);
    page_add(svg, "<circle class='piece %s' cx='%d' cy='%d' r='%d'/>", side, x, y, PIECE);
    add_face(svg, piece, x, y + 7);
}

void position_board_choice(Html *html) {
    page_add(html,
             "<p class='lead'>K general, A advisor, E elephant, H horse, R chariot, C cannon, P "
             "soldier. <label><input type='checkbox' id='chinese-pieces'/> Chinese pieces"
             "</label></p>\n");
}

void position_board(const Position *position, Bitboard marked, const char *title, Html *svg) {
    page_add(svg,
             "<svg class='position' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' "
             "role='img' aria-label='%s'>\n",
             2 * MARGIN + (FILE_COUNT - 1) * STEP, 2 * MARGIN + (RANK_COUNT - 1) * STEP, title);
    add_lines(svg);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = position->board[square];
        if (piece == PIECE_NONE) continue;
        add_piece(svg, piece, square, (marked & bb_square(square)) != 0);
    }
    page_add(svg, "</svg>\n");
}

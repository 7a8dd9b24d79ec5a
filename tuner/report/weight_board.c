// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/report/weight_board.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/eval/eval.h"
#include "selfplay/stats/stats.h"

// ---- as text ------------------------------------------------------------------------------------

static bool covers_rank(const WeightTerm *term, int rank) {
    for (int file = 0; file < FILE_COUNT; file++) {
        if (eval_table_entry(term->shape, RED, square_make(file, rank)) >= 0) return true;
    }
    return false;
}

// First and last rank that a table covers, counted from the side of the piece's owner. A piece that
// never crosses the river has at most half a board.
typedef struct BoardPart {
    int first, last;
} BoardPart;

static BoardPart part_of(const WeightTerm *term) {
    BoardPart part = {0, RANK_COUNT - 1};
    while (!covers_rank(term, part.first)) part.first++;
    while (!covers_rank(term, part.last)) part.last--;
    return part;
}

static int largest(const WeightPair *values, int count) {
    int limit = 1;
    for (int i = 0; i < count; i++) {
        if (abs(values[i].mg) > limit) limit = abs(values[i].mg);
        if (abs(values[i].eg) > limit) limit = abs(values[i].eg);
    }
    return limit;
}

// A table as text: its ranks, the width of a number in characters, and whether the numbers are
// errors.
typedef struct TextBoard {
    const WeightPair *values;
    const WeightTerm *term;
    int first, last, cell;
    bool errors;
} TextBoard;

static void add_rank(const TextBoard *board, int rank, bool endgame, Text *text) {
    for (int file = 0; file < FILE_COUNT; file++) {
        const int entry = eval_table_entry(board->term->shape, RED, square_make(file, rank));
        if (entry < 0) {
            text_add(text, "%*s", board->cell, ".");
        } else {
            const WeightPair pair = board->values[entry];
            const int value = endgame ? pair.eg : pair.mg;
            if (board->errors && value < 0) {
                text_add(text, "%*s", board->cell, value == ERROR_PRIOR ? "-" : "?");
            } else {
                text_add(text, "%*d", board->cell, value);
            }
        }
    }
}

// Appends boards side by side: one for each phase from `from` to `to`, with its weights. Phase 0 is
// the middlegame, 1 the endgame.
static void add_boards(const TextBoard *board, int from, int to, Text *text) {
    const int width = FILE_COUNT * board->cell;
    for (int rank = board->last + 1; rank >= board->first - 1; rank--) {
        for (int phase = from; phase <= to; phase++) {
            if (rank > board->last) {
                text_add(text, "    %-*s", phase < to ? width : 0,
                         phase ? "endgame" : "middlegame");
            } else if (rank >= board->first) {
                text_add(text, phase > from ? "    " : "  %d ", rank);
                add_rank(board, rank, phase != 0, text);
            } else {
                text_add(text, "    ");
                for (char file = 'a'; file <= 'i'; file++) text_add(text, "%*c", board->cell, file);
            }
        }
        text_add(text, "\n");
        if (rank == 5 && board->first < 5) text_add(text, "      - - - - river - - - -\n");
    }
}

void term_board_text(const Weights *weights, const WeightTerm *term, bool errors, Text *text) {
    enum { WIDE = 5 };
    const BoardPart part = part_of(term);
    TextBoard board = {.values = weights_flat_const(weights) + term->first,
                       .term = term,
                       .first = part.first,
                       .last = part.last,
                       .cell = WIDE,
                       .errors = errors};
    // Both boards fit side by side into 80 columns if no number has more than three characters.
    if (largest(board.values, term->count) < 100) board.cell = WIDE - 1;
    const bool beside = board.cell < WIDE;
    add_boards(&board, 0, beside ? 1 : 0, text);
    if (!beside) add_boards(&board, 1, 1, text);
}

// ---- as a heat map: all lengths are pixels of the picture's own coordinates ---------------------

// Size of the square that is drawn for a point of the board, and radius of its corners. Tables are
// symmetric, so only the files a to e are drawn.
enum { CELL = 56, ROUND = 6, DRAWN_FILES = FILE_COUNT / 2 + 1 };

// ---- colours ------------------------------------------------------------------------------------

// The colour scale from the worst value (blue) to the best (red), with the colour of paper for 0.
// Colour-blind readers can distinguish the hues, and the lightness falls evenly towards both ends.
typedef struct Colour {
    double r, g, b;
} Colour;
static const Colour scale[] = {{22, 62, 112},   {60, 120, 174}, {150, 188, 214}, {247, 240, 226},
                               {238, 176, 124}, {212, 100, 62}, {138, 26, 34}};
enum { SCALE_STEPS = sizeof scale / sizeof *scale - 1 };

// Returns the colour of a value from -1 (worst) to +1 (best).
static Colour colour_at(double at) {
    const double place = (fmax(-1.0, fmin(1.0, at)) + 1.0) / 2.0 * SCALE_STEPS;
    const int step = place >= SCALE_STEPS ? SCALE_STEPS - 1 : (int)place;
    const double part = place - step;
    const Colour a = scale[step], b = scale[step + 1];
    return (Colour){a.r + part * (b.r - a.r), a.g + part * (b.g - a.g), a.b + part * (b.b - a.b)};
}

// Returns a colour near that of the board, on which dark digits are legible.
static Colour faint(Colour c) {
    const double kept = 0.35;
    return (Colour){251 + kept * (c.r - 251), 245 + kept * (c.g - 245), 232 + kept * (c.b - 232)};
}

static void add_colour(Html *svg, Colour c) {
    page_add(svg, "#%02x%02x%02x", (unsigned)lround(c.r), (unsigned)lround(c.g),
             (unsigned)lround(c.b));
}

// ---- the board ----------------------------------------------------------------------------------

// Draws the names of the ranks and of the first `files` files, and the river.
static void board_frame(Html *svg, const BoardPart *part, int files) {
    const int bottom = (part->last + 1 - part->first) * CELL;
    for (int file = 0; file < files; file++) {
        page_add(svg, "<text x='%d' y='%d' class='label'>%c</text>\n", file * CELL + CELL / 2,
                 bottom + (files > DRAWN_FILES ? 28 : 22), 'a' + file);
    }
    for (int rank = part->first; rank <= part->last; rank++) {
        page_add(svg, "<text x='-16' y='%d' class='label'>%d</text>\n",
                 (part->last - rank) * CELL + CELL / 2 + 5, rank);
    }
    if (part->first >= RANK_COUNT / 2 || part->last < RANK_COUNT / 2) return;
    page_add(svg, "<path class='river' d='M0 %dh%d'/>\n",
             (part->last + 1 - RANK_COUNT / 2) * CELL - 1, files * CELL);
}

static void board_value(Html *svg, const TermBoard *board, const BoardPart *part, int square,
                        int entry) {
    const WeightPair score = weights_flat_const(board->weights)[board->term->first + entry];
    const int index = 2 * (board->term->first + entry) + board->endgame;
    const int value = board->endgame ? score.eg : score.mg;
    const int x = square_file(square) * CELL, y = (part->last - square_rank(square)) * CELL;
    const int middle = x + CELL / 2;
    const double at = (double)value / board->limit;
    const bool unsure = board->decided && board->decided[index] < BOARD_UNSURE;
    const char *light = fabs(at) > 0.52 && !unsure ? " light" : "";
    page_add(svg, "<g");
    if (unsure) page_add(svg, " class='unsure'");
    page_add(svg, "><rect x='%d' y='%d' width='%d' height='%d' rx='%d' class='point' fill='", x, y,
             CELL - 2, CELL - 2, ROUND);
    add_colour(svg, unsure ? faint(colour_at(at)) : colour_at(at));
    page_add(svg, "'/><text x='%d' y='%d' class='value%s'>%s%d</text>", middle,
             y + (board->error ? 25 : 33), light, value < 0 ? "\xe2\x88\x92" : "", abs(value));
    if (unsure) {
        page_add(svg, "<text x='%d' y='%d' class='error'>prior</text>", middle, y + 45);
    } else if (board->error) {
        page_add(svg, "<text x='%d' y='%d' class='error%s'>", middle, y + 45, light);
        if (board->error[index] > 0) {
            page_add(svg, "\xc2\xb1%.0f</text>", Z95 * board->error[index]);
        } else {
            page_add(svg, "\xe2\x80\x93</text>");
        }
    }
    page_add(svg, "</g>\n");
}

// ---- legend and figure -------------------------------------------------------------------------

void term_board_legend(int limit, Html *svg) {
    enum { STEPS = 80, LEGEND_WIDTH = 320, LEFT = 30, TOP = 2 };
    page_add(svg,
             "<svg class='board legend' xmlns='http://www.w3.org/2000/svg' "
             "viewBox='0 0 %d 44' role='img' aria-label='colours from \xe2\x88\x92%d, blue, over "
             "0, paper, to +%d, red'>\n",
             LEGEND_WIDTH + 60, limit, limit);
    for (int i = 0; i < STEPS; i++) {
        page_add(svg, "<rect x='%d' y='%d' width='%d' height='16' fill='",
                 LEFT + i * LEGEND_WIDTH / STEPS, TOP, LEGEND_WIDTH / STEPS + 1);
        add_colour(svg, colour_at(2.0 * (i + 0.5) / STEPS - 1.0));
        page_add(svg, "'/>");
    }
    page_add(svg, "\n");
    for (int i = -2; i <= 2; i++) {
        const int value = i * limit / 2;
        page_add(svg, "<text x='%d' y='%d' class='label'>%s%d</text>\n",
                 LEFT + LEGEND_WIDTH / 2 + i * LEGEND_WIDTH / 4, TOP + 34,
                 value < 0   ? "\xe2\x88\x92"
                 : value > 0 ? "+"
                             : "",
                 abs(value));
    }
    page_add(svg, "</svg>\n");
}

void term_board_figure(const TermBoard *board, const char *id, Html *svg) {
    const WeightTerm *term = board->term;
    const BoardPart part = part_of(term);
    page_add(svg,
             "<svg class='board' xmlns='http://www.w3.org/2000/svg' "
             "viewBox='-32 -6 %d %d' role='img' aria-labelledby='%s-title %s-desc'>\n"
             "<title id='%s-title'>%s, %s</title>\n<desc id='%s-desc'>",
             DRAWN_FILES * CELL + 38, (part.last + 1 - part.first) * CELL + 40, id, id, id,
             weight_group_piece(term->group), board->endgame ? "endgame" : "middlegame", id);
    page_add(svg,
             "The files a to e of a xiangqi board with Red at the bottom. Each point that the "
             "table covers shows the "
             "value of the piece there, in hundredths of a classic soldier%s. The table below the "
             "pictures has the same numbers.</desc>\n",
             board->error ? ", and below it the half width of its 95 % interval" : "");
    board_frame(svg, &part, DRAWN_FILES);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const int entry = eval_table_entry(term->shape, RED, square);
        const int rank = square_rank(square);
        if (square_file(square) >= DRAWN_FILES || rank < part.first || rank > part.last) continue;
        if (entry >= 0) {
            board_value(svg, board, &part, square, entry);
        } else {
            page_add(svg, "<circle class='count' cx='%d' cy='%d' r='3'/>\n",
                     square_file(square) * CELL + CELL / 2, (part.last - rank) * CELL + CELL / 2);
        }
    }
    page_add(svg, "</svg>\n");
}

void square_board_figure(const double values[SQUARE_COUNT], const char *title, Html *svg) {
    const BoardPart whole = {0, RANK_COUNT - 1};
    double limit = 1e-9;
    for (int square = 0; square < SQUARE_COUNT; square++) limit = fmax(limit, fabs(values[square]));
    page_add(svg,
             "<svg class='board whole' xmlns='http://www.w3.org/2000/svg' "
             "viewBox='-32 -6 %d %d' "
             "role='img' aria-label='%s by square, at most %.2f'>\n",
             FILE_COUNT * CELL + 38, RANK_COUNT * CELL + 44, title, limit);
    board_frame(svg, &whole, FILE_COUNT);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        if (isnan(values[square])) continue;
        page_add(svg, "<rect x='%d' y='%d' width='%d' height='%d' class='point' fill='",
                 square_file(square) * CELL, (whole.last - square_rank(square)) * CELL, CELL - 2,
                 CELL - 2);
        add_colour(svg, colour_at(values[square] / limit));
        page_add(svg, "'/>");
    }
    page_add(svg, "</svg>\n");
}

int term_board_limit(const Weights *weights, const WeightTerm *term) {
    return largest(weights_flat_const(weights) + term->first, term->count);
}

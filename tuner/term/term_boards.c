// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/term_boards.h"

#include <math.h>
#include <string.h>

#include "core/eval/eval.h"
#include "selfplay/pages/position_board.h"

// Number of classes of positions. The class says which side has the larger sum of counts over all
// weights of the term (Red, Black, or neither), and whether the term lowers Red's score.
enum { CLASSES = 6 };

typedef struct Found {
    int class;
    double more;  // how often the term counts for Red minus for Black, over all its weights
    double worth; // contribution of the term to Red's score, in units
} Found;

// Returns false if both sides have equal counts of each weight in position `i` of a chunk.
// Otherwise fills *found.
static bool find(const TermStudy *study, const RowChunk *chunk, uint32_t i, Found *found) {
    const RowSet *rows = &study->base.rows;
    const WeightPair *with = weights_flat_const(&study->with);
    const double share = chunk->phase[i] / rows->phase_max;
    double sum = 0;
    bool any = false;
    found->worth = 0;
    for (uint32_t k = chunk->begin[i]; k < chunk->begin[i + 1]; k++) {
        const int pair = chunk->pair[k];
        if (pair == rows->pairs || !study->pairs[pair]) continue;
        const double count = row_coefficient(chunk, k);
        any = any || count != 0;
        sum += count;
        found->worth += count * (share * with[pair].mg + (1 - share) * with[pair].eg);
    }
    found->more = sum;
    found->class = 3 * (found->worth < 0) + (sum > 0 ? 0 : sum < 0 ? 1 : 2);
    return any;
}

// Divides TERM_BOARDS pictures among the classes (see CLASSES). have[c] is the number of positions
// of class c, and take[c] becomes the number of pictures of such positions. All classes get equal
// numbers, except that classes with few positions leave pictures to the others.
static void share_out(const size_t have[CLASSES], size_t take[CLASSES]) {
    size_t left = TERM_BOARDS;
    memset(take, 0, CLASSES * sizeof *take);
    for (bool more = true; left > 0 && more;) {
        more = false;
        for (int c = 0; c < CLASSES && left > 0; c++) {
            if (take[c] == have[c]) continue;
            take[c]++;
            left--;
            more = true;
        }
    }
}

static bool counts_differ(const TermStudy *study, const EvalTrace *a, const EvalTrace *b) {
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        if (!study->pairs[i]) continue;
        if (a->count[RED][i] != b->count[RED][i] || a->count[BLACK][i] != b->count[BLACK][i]) {
            return true;
        }
    }
    return false;
}

// Returns the squares of the pieces whose removal changes the counts of the term. Skips generals,
// and pieces without which the position is invalid.
static Bitboard find_marked(const TermStudy *study, const Position *position) {
    Bitboard marked = 0;
    EvalTrace all, fewer;
    evaluate_traced(position, &study->start, &all);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        Piece board[SQUARE_COUNT];
        Position rest;
        const Piece piece = position->board[square];
        if (piece == PIECE_NONE || piece_type(piece) == GENERAL) continue;
        memcpy(board, position->board, sizeof board);
        board[square] = PIECE_NONE;
        const Side stm = (Side)position->stm;
        if (position_from_board(&rest, board, stm, 0, 1, NULL) != STATUS_OK) continue;
        evaluate_traced(&rest, &study->start, &fewer);
        if (counts_differ(study, &all, &fewer)) marked |= bb_square(square);
    }
    return marked;
}

static Status add_board(const TermStudy *study, size_t row, const Found *found, Html *html,
                        Err *err) {
    const RowSet *rows = &study->base.rows;
    const RowChunk *chunk = &rows->chunks[row / rows->chunk_rows];
    const size_t i = row % rows->chunk_rows;
    const RowGame *game = &rows->games[chunk->game[i]];
    PositionRecord record = {.stm = chunk->side_to_move[i] < 0 ? BLACK : RED};
    Position position;
    char fen[FEN_SIZE];
    AUTO(Text) title = {0};
    memcpy(record.squares, rows->boards[row].squares, sizeof record.squares);
    TRY(position_record_board(&record, &position, err));
    position_to_fen(&position, FEN_UCI, fen);
    if (found->more == 0) {
        text_add(&title, "equal totals, but different entries of the term");
    } else {
        text_add(&title, "%s has more", side_name(found->more < 0 ? BLACK : RED));
    }
    page_add(html, "<figure class='example'><h3>");
    page_add_text(html, title.data);
    page_add(html, "</h3>");
    text_add(&title, ": %s", fen);
    position_board(&position, find_marked(study, &position), title.data, html);
    page_add(html, "<figcaption>");
    if (study->fitted) {
        page_add_number(html, found->worth, 1, true);
        page_add(html, " units for Red; ");
    }
    page_add(html, "game %llu, %s to move<br/><small>", (unsigned long long)game->id,
             side_name((Side)position.stm));
    page_add_fen(html, fen);
    page_add(html, "</small></figcaption></figure>\n");
    return STATUS_OK;
}

Status term_boards_add(const TermStudy *study, Html *html, int *count, Err *err) {
    const RowSet *rows = &study->base.rows;
    size_t have[CLASSES] = {0}, take[CLASSES], seen[CLASSES] = {0}, taken[CLASSES] = {0};
    Found found;
    *count = 0;
    for (size_t row = 0; row < rows->count; row++) {
        const RowChunk *chunk = &rows->chunks[row / rows->chunk_rows];
        if (find(study, chunk, (uint32_t)(row % rows->chunk_rows), &found)) have[found.class]++;
    }
    share_out(have, take);
    for (size_t row = 0; row < rows->count; row++) {
        const RowChunk *chunk = &rows->chunks[row / rows->chunk_rows];
        if (!find(study, chunk, (uint32_t)(row % rows->chunk_rows), &found)) continue;
        const int c = found.class;
        // Choose positions at equal distances in the class, because consecutive positions often
        // belong to the same game.
        const bool wanted = taken[c] < take[c] && seen[c] * take[c] >= taken[c] * have[c];
        seen[c]++;
        if (!wanted) continue;
        taken[c]++;
        ++*count;
        TRY(add_board(study, row, &found, html, err));
    }
    return STATUS_OK;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Describes moves from the player's side, and finds the moves that fit a pattern.
#include <assert.h>
#include <stdlib.h>

#include "core/board/attacks.h"
#include "core/notation/notation_parts.h"

RelativeMove relative_describe(const Position *position, Move move) {
    const int from = move_from(move), to = move_to(move);
    const Piece piece = position->board[from];
    const Side side = piece_side(piece);
    const int ahead = home_rank(side, square_rank(to)) - home_rank(side, square_rank(from));
    const int to_file = home_file(side, square_file(to));
    const bool straight = square_file(from) == square_file(to);
    return (RelativeMove){
        .type = piece_type(piece),
        .side = side,
        .file = home_file(side, square_file(from)),
        .direction = ahead > 0   ? '+'
                     : ahead < 0 ? '-'
                                 : '.',
        .number = straight ? abs(ahead) : to_file,
    };
}

FileMates file_mates(const Position *position, int square) {
    const Piece piece = position->board[square];
    const Side side = piece_side(piece);
    const Bitboard kin = position_pieces(position, side, piece_type(piece));
    FileMates mates = {0};
    int before = 0; // number of pieces of this type and side on files further to the player's
                    // right, not counting files with only one such piece
    for (int number = 1; number <= FILE_COUNT; number++) {
        const int file = file_from_home(side, number);
        const unsigned line = bb_file_line(kin, file);
        const int count = bits_count64(line);
        if (file == square_file(square)) {
            const int rank = square_rank(square);
            const unsigned ahead = side == RED ? line >> rank >> 1 : line & ((1u << rank) - 1);
            mates.count = count;
            mates.place = bits_count64(ahead);
            mates.index = count > 1 ? before + mates.place + 1 : 0;
        }
        if (count > 1) {
            mates.shared_files++;
            before += count;
        }
    }
    return mates;
}

Pattern pattern_any(void) {
    return (Pattern){.from_file = -1, .from_rank = -1, .to_file = -1, .to_rank = -1};
}

void pattern_from(Pattern *pattern, int square) {
    pattern->from_file = square_file(square);
    pattern->from_rank = square_rank(square);
}

void pattern_to(Pattern *pattern, int square) {
    pattern->to_file = square_file(square);
    pattern->to_rank = square_rank(square);
}

void pattern_add(PatternList *list, const Pattern *pattern) {
    assert(list->count < MAX_PATTERNS);
    list->patterns[list->count++] = *pattern;
}

static bool place_fits(const Pattern *pattern, const Position *position, int from) {
    const FileMates mates = file_mates(position, from);
    const int last = mates.count - 1, inner = mates.count >= 4 ? 1 : 0;
    if (mates.count < 2) return false;
    switch (pattern->place) {
    case PLACE_ANY:
        return true;
    case PLACE_FRONT:
        return mates.place == 0;
    case PLACE_MIDDLE:
        return mates.count % 2 == 1 && mates.place == mates.count / 2;
    case PLACE_REAR:
        return mates.place == last;
    case PLACE_INNER_FRONT:
        return mates.place == inner;
    case PLACE_INNER_REAR:
        return mates.place == last - inner;
    case PLACE_INDEX:
        return pattern->index == (pattern->from_file >= 0 ? mates.place + 1 : mates.index);
    }
    return false;
}

static bool pattern_fits(const Pattern *pattern, const Position *position, Move move) {
    const int from = move_from(move), to = move_to(move);
    const Piece captured = position->board[to];
    if (pattern->kinds && !(pattern->kinds & KIND(piece_type(position->board[from])))) return false;
    if (pattern->from_file >= 0 && pattern->from_file != square_file(from)) return false;
    if (pattern->from_rank >= 0 && pattern->from_rank != square_rank(from)) return false;
    if (pattern->to_file >= 0 && pattern->to_file != square_file(to)) return false;
    if (pattern->to_rank >= 0 && pattern->to_rank != square_rank(to)) return false;
    if (pattern->captures && captured == PIECE_NONE) return false;
    if (pattern->captured_kinds && !(pattern->captured_kinds & KIND(piece_type(captured))))
        return false;
    if (pattern->direction) {
        const RelativeMove relative = relative_describe(position, move);
        if (relative.direction != pattern->direction || relative.number != pattern->number)
            return false;
    }
    return pattern->place == PLACE_ANY || place_fits(pattern, position, from);
}

void pattern_moves(const Pattern *pattern, const Position *position, MoveList *legal,
                   MoveList *exposing) {
    MoveList pseudo;
    position_pseudo_moves(position, &pseudo);
    legal->count = 0;
    if (exposing) exposing->count = 0;
    for (int i = 0; i < pseudo.count; i++) {
        const Move move = pseudo.moves[i];
        if (!pattern_fits(pattern, position, move)) continue;
        MoveList *list = position_is_legal(position, move) ? legal : exposing;
        if (list) list->moves[list->count++] = move;
    }
}

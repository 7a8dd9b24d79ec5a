// SPDX-License-Identifier: GPL-3.0-or-later
// Short notations, which name only what identifies the move: pritchard, san and fsf-san. Also
// fsf-lan, which is like fsf-san but always names the origin.
#include <ctype.h>

#include "core/notation/notation_parts.h"

static bool is_soldier(const NotationOutput *out) {
    return piece_type(out->position->board[move_from(out->move)]) == SOLDIER;
}

// ---- pritchard ---------------------------------------------------------------------------------
// In pritchard notation, a capture names the captured piece, not its point. If several moves fit,
// the notation adds the origin. The origin is not enough if one piece can capture two pieces of the
// same type. In this case we also add the target in brackets, which is our own extension:
// R(a1)xN(a8).

// Returns the pattern of a text that names the types of the moving and of the captured piece. If
// `origin` or `target` is set, the text also names this point.
static Pattern pritchard_pattern(const NotationOutput *out, bool origin, bool target) {
    const int from = move_from(out->move), to = move_to(out->move);
    const Piece captured = out->position->board[to];
    Pattern pattern = pattern_any();
    pattern.kinds = KIND(piece_type(out->position->board[from]));
    pattern.captures = captured != PIECE_NONE;
    if (pattern.captures) pattern.captured_kinds = KIND(piece_type(captured));
    if (origin) pattern_from(&pattern, from);
    if (target) pattern_to(&pattern, to);
    return pattern;
}

static bool is_unique(const NotationOutput *out, const Pattern *pattern) {
    MoveList list;
    pattern_moves(pattern, out->position, &list, NULL);
    return list.count == 1;
}

static void out_bracketed(NotationOutput *out, int square) {
    out_char(out, '(');
    out_square(out, square);
    out_char(out, ')');
}

void write_pritchard(NotationOutput *out) {
    const int from = move_from(out->move), to = move_to(out->move);
    const Piece captured = out->position->board[to];
    const bool captures = captured != PIECE_NONE;
    Pattern pattern = pritchard_pattern(out, false, !captures);
    const bool origin = !is_unique(out, &pattern);
    bool target = !captures;
    if (origin && captures) {
        pattern = pritchard_pattern(out, true, false);
        target = !is_unique(out, &pattern);
    }
    if (!is_soldier(out) || origin || captures)
        out_letter(out, piece_type(out->position->board[from]));
    if (origin) out_bracketed(out, from);
    if (captures) {
        out_char(out, 'x');
        out_letter(out, piece_type(captured));
        if (target) out_bracketed(out, to);
    } else {
        out_square(out, to);
    }
}

// Reads a point with or without brackets.
static bool read_bracketed(NotationInput *in, int *square) {
    const int start = in->at;
    const bool bracket = in_skip(in, "([");
    if (in_square(in, square) && (!bracket || in_skip(in, ")]"))) return true;
    in->at = start;
    return false;
}

// Reads the capital letter of a piece. Returns false if the next symbol is not a capital letter;
// lower-case letters are files.
static bool read_capital(NotationInput *in, unsigned *kinds) {
    const int c = in_peek(in, 0);
    if (!isupper(c)) return false;
    *kinds = kinds_of_letter(in->row, c);
    in->at++;
    return true;
}

bool read_pritchard(NotationInput *in, PatternList *list) {
    Pattern pattern = pattern_any();
    int first, second;
    if (!read_capital(in, &pattern.kinds)) pattern.kinds = KIND(SOLDIER);
    if (!pattern.kinds) return false;
    bool has_first = read_bracketed(in, &first);
    pattern.captures = in_skip(in, "x");
    if (!pattern.captures) in_skip(in, "-");
    const bool names_captured = pattern.captures && read_capital(in, &pattern.captured_kinds);
    if (names_captured && !pattern.captured_kinds) return false;
    const bool has_second = read_bracketed(in, &second);
    if (!in_end(in)) return false;
    if (has_first && !has_second && !pattern.captures) { // the text has a target but no origin
        second = first;
        has_first = false;
    } else if (!has_second && !names_captured) {
        return false;
    }
    if (has_first) pattern_from(&pattern, first);
    if (has_second || !pattern.captures) pattern_to(&pattern, second);
    pattern_add(list, &pattern);
    return true;
}

// ---- san ---------------------------------------------------------------------------------------
// Moves of san are written as in XBoard (its function CoordsToAlgebraic). A soldier has no letter:
// e5 is a move straight ahead. The file of the origin precedes sideways moves (de5) and captures
// (exe6, dxe5). Other pieces have a letter. If several pieces of the type can legally move to the
// target, the file of the origin, its rank or both follow the letter.

// Returns the number of the first rank: 0 in XBoard's notation (san), 1 in the two notations of
// Fairy-Stockfish (fsf-san, fsf-lan). The latter also write a letter for soldiers, and fsf-lan
// always writes file and rank of the origin.
static int first_rank(const NotationRow *row) {
    return row->squares == SQUARES_FROM_1 ? 1 : 0;
}

static void out_san_origin(NotationOutput *out, PieceType type) {
    const int from = move_from(out->move), to = move_to(out->move);
    if (*out->row->separator) {
        out_square(out, from);
        return;
    }
    Pattern pattern = pattern_any();
    MoveList list;
    pattern.kinds = KIND(type);
    pattern_to(&pattern, to);
    pattern_moves(&pattern, out->position, &list, NULL);
    if (list.count < 2) return;
    int on_file = 0, on_rank = 0;
    for (int i = 0; i < list.count; i++) {
        on_file += square_file(move_from(list.moves[i])) == square_file(from);
        on_rank += square_rank(move_from(list.moves[i])) == square_rank(from);
    }
    if (on_file == 1 || on_rank > 1) out_char(out, (char)('a' + square_file(from)));
    if (on_file > 1) out_number(out, square_rank(from) + first_rank(out->row));
}

void write_san(NotationOutput *out) {
    const int from = move_from(out->move), to = move_to(out->move);
    const bool captures = out->position->board[to] != PIECE_NONE;
    if (is_soldier(out) && first_rank(out->row) == 0) {
        const bool straight = square_file(from) == square_file(to);
        if (!straight || captures) out_char(out, (char)('a' + square_file(from)));
    } else {
        const PieceType type = piece_type(out->position->board[from]);
        out_letter(out, type);
        out_san_origin(out, type);
    }
    out_text(out, captures ? "x" : out->row->separator);
    out_square(out, to);
    Position after;
    position_do_move(out->position, out->move, &after);
    if (position_in_check(&after)) out_char(out, position_no_legal_move(&after) ? '#' : '+');
}

// Reads the file and the rank of the origin, which are both optional. Returns true if the next
// symbol is then the one with index `end`.
static bool read_san_origin(NotationInput *in, int end, Pattern *pattern) {
    const char first = (char)('0' + first_rank(in->row));
    if (in->at < end) pattern->from_file = in_coordinate(in, 'a', FILE_COUNT);
    if (in->at < end) pattern->from_rank = in_coordinate(in, first, RANK_COUNT);
    return in->at == end;
}

bool read_san(NotationInput *in, PatternList *list) {
    in_drop_check(in, 0);
    Pattern pattern = pattern_any();
    const bool letter = read_capital(in, &pattern.kinds);
    if (!letter) pattern.kinds = KIND(SOLDIER);
    if (!pattern.kinds) return false;
    const int origin_at = in->at;
    const bool ten = first_rank(in->row) && in->count >= 3 &&
                     in->symbols[in->count - 2].value == '1' &&
                     in->symbols[in->count - 1].value == '0';
    int target_at = in->count - (ten ? 3 : 2), to;
    in->at = target_at;
    if (target_at < origin_at || !in_square(in, &to)) return false;
    pattern_to(&pattern, to);
    in->at = target_at - 1;
    if (target_at > origin_at && in_skip(in, "x:")) {
        pattern.captures = true;
        target_at--;
    } else if (target_at > origin_at && in_skip(in, "-")) {
        target_at--;
    }
    in->at = origin_at;
    if (!read_san_origin(in, target_at, &pattern)) return false;
    // "d5" means the soldier on the d-file if it can move to d5, else any other soldier.
    if (!letter && pattern.from_file < 0) {
        Pattern straight = pattern;
        straight.from_file = pattern.to_file;
        pattern_add(list, &straight);
    }
    pattern_add(list, &pattern);
    return true;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Notations that name the origin and the target of a move: uci, uci1, iccs, globalstar, dpxq and
// lalg. Also system1, which counts ranks and files from the right corner of the side to move.
#include <ctype.h>

#include "core/notation/notation_parts.h"

void write_points(NotationOutput *out) {
    const int from = move_from(out->move), to = move_to(out->move);
    if (*out->row->letters) out_letter(out, piece_type(out->position->board[from]));
    out_square(out, from);
    out_text(out, out->row->separator);
    out_square(out, to);
}

// Reads the optional piece letter of a lalg move. The letter is present if the next two symbols are
// letters: the piece and the file.
static bool read_piece_letter(NotationInput *in, unsigned *kinds) {
    if (!*in->row->letters || !isalpha(in_peek(in, 0)) || !isalpha(in_peek(in, 1))) return true;
    *kinds = kinds_of_letter(in->row, in_peek(in, 0));
    in->at++;
    return *kinds != 0;
}

bool read_points(NotationInput *in, PatternList *list) {
    Pattern pattern = pattern_any();
    int from, to;
    if (!read_piece_letter(in, &pattern.kinds) || !in_square(in, &from)) return false;
    pattern_from(&pattern, from);
    const bool dash = in_skip(in, "-");
    if (!dash) pattern.captures = in_skip(in, "xX:");
    if (in_square(in, &to)) {
        pattern_to(&pattern, to);
    } else if (dash && *in->row->letters && pattern.kinds == KIND(SOLDIER) && in_skip(in, "1")) {
        pattern.direction = '+'; // "Pc3-1": the soldier moves one point forward
        pattern.number = 1;
    } else {
        return false;
    }
    pattern_add(list, &pattern);
    return in_end(in);
}

static void out_home(NotationOutput *out, Side side, int square) {
    out_number(out, home_rank(side, square_rank(square)));
    out_number(out, home_file(side, square_file(square)));
}

void write_home(NotationOutput *out) {
    const int from = move_from(out->move), to = move_to(out->move);
    const Piece piece = out->position->board[from];
    if (out->style->glyphs) {
        out_text(out, piece_character(piece, false));
    } else {
        out_letter(out, piece_type(piece));
    }
    out_char(out, '(');
    out_home(out, piece_side(piece), from);
    out_char(out, ')');
    out_text(out, out->row->separator);
    out_home(out, piece_side(piece), to);
}

// Reads a number from 1 to 9, a digit or a Chinese numeral. If `ten` is set, also accepts ten (10,
// 十).
static bool read_home_number(NotationInput *in, bool ten, int *number) {
    if (in_end(in)) return false;
    const Symbol *symbol = &in->symbols[in->at];
    if (ten && in_peek(in, 0) == '1' && in_peek(in, 1) == '0') {
        in->at += 2;
        *number = 10;
        return true;
    }
    const bool digit = symbol->type == SYMBOL_ASCII && symbol->value >= '1' && symbol->value <= '9';
    const bool numeral = symbol->type == SYMBOL_NUMERAL && symbol->value <= (ten ? 10 : 9);
    if (!digit && !numeral) return false;
    *number = digit ? symbol->value - '0' : symbol->value;
    in->at++;
    return true;
}

static bool read_home_point(NotationInput *in, int *file, int *rank) {
    const Side side = (Side)in->position->stm;
    if (!read_home_number(in, true, rank) || !read_home_number(in, false, file)) return false;
    *rank = rank_from_home(side, *rank);
    *file = file_from_home(side, *file);
    return true;
}

// Reads a move of system1. The text may omit the origin, or only the brackets around it.
bool read_home(NotationInput *in, PatternList *list) {
    Pattern pattern = pattern_any();
    if (in_end(in)) return false;
    if (in->symbols[0].type == SYMBOL_PIECE) {
        pattern.kinds = KIND(in->symbols[0].value);
    } else {
        pattern.kinds = kinds_of_letter(in->row, in_peek(in, 0));
    }
    in->at++;
    if (!pattern.kinds) return false;
    const bool bracket = in_skip(in, "(");
    if (bracket || in_peek(in, 0) != '-') {
        if (!read_home_point(in, &pattern.from_file, &pattern.from_rank)) return false;
        if (bracket && !in_skip(in, ")")) return false;
    }
    if (!in_skip(in, "-") || !read_home_point(in, &pattern.to_file, &pattern.to_rank)) return false;
    pattern_add(list, &pattern);
    return in_end(in);
}

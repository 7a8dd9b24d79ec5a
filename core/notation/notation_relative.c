// SPDX-License-Identifier: GPL-3.0-or-later
// Notations that say file, direction and distance from the mover's side: wxf and its kin, the
// Chinese notation, and Lau's.
//
// Who stands in front is only said of horses, chariots, cannons and soldiers: of two advisors or
// elephants on a file never more than one can make a given move, so their file is enough.
// Soldiers, with n of them on one file:
//               n = 2       3             4                 5                    two files shared
//   wxf         P+ P-       P+ P3 P-      ++ P+ P- --       ++ P+ P3 P- --       7+ 77 7-
//   chinese     前兵 後兵   前 中 後      前 二 三 後       前 二 三 四 後       前七 中七 後七
//   lau         fP rP       fP mP rP      fP 2P 3P rP       fP 2P 3P 4P rP       f7 m7 r7
// (3 and 7 stand for the file.) The books give no letters for three and more in Lau's notation and
// in that of xqdb and system2: ours are the Chinese ones turned into letters, and those of wxf.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/board/attacks.h"
#include "core/notation/notation_parts.h"

// ---- describing --------------------------------------------------------------------------------

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
    int before = 0; // pieces on shared files to the right
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

// How the moving piece is named.
typedef enum Naming {
    BY_FILE,          // piece and file: C2
    BY_PLACE,         // place and piece: C+
    BY_PLACE_AND_FILE // place and file, a soldier: 7+
} Naming;

static Naming naming(const RelativeMove *relative, const FileMates *mates) {
    const bool says_place = relative->type >= HORSE && mates->count > 1;
    if (!says_place) return BY_FILE;
    return relative->type == SOLDIER && mates->shared_files > 1 ? BY_PLACE_AND_FILE : BY_PLACE;
}

// ---- wxf, xqdb, system2 ------------------------------------------------------------------------

void write_relative(NotationOutput *out) {
    const RelativeMove relative = relative_describe(out->position, out->move);
    const FileMates mates = file_mates(out->position, move_from(out->move));
    const int last = mates.count - 1;
    const bool first_half = 2 * mates.place < last, middle = 2 * mates.place == last;
    const char place = first_half ? '+' : '-';
    const bool outer = mates.count >= 4 && (mates.place == 0 || mates.place == last);
    const Naming named = naming(&relative, &mates);
    if (named == BY_PLACE_AND_FILE) {
        out_number(out, relative.file);
    } else if (named == BY_PLACE && outer) {
        out_char(out, place);
    } else {
        out_letter(out, relative.type);
    }
    if (named == BY_FILE || middle) {
        out_number(out, relative.file);
    } else {
        out_char(out, place);
    }
    out_char(out, (char)relative.direction);
    out_number(out, relative.number);
}

// ---- Chinese and Lau ----------------------------------------------------------------------------

// What one side writes.
typedef struct Script {
    const char *pieces[PIECE_TYPE_COUNT]; // NULL: the letters of the row
    const char *front, *middle, *rear, *forward, *backward, *sideways;
    bool numerals; // of files and ranks; where there are pieces, places have them in any case
} Script;

// clang-format off
static const Script traditional[SIDE_COUNT] = {
    {{"", "帥", "仕", "相", "馬", "車", "炮", "兵"}, "前", "中", "後", "進", "退", "平", true},
    {{"", "將", "士", "象", "馬", "車", "炮", "卒"}, "前", "中", "後", "進", "退", "平", false},
};
static const Script simplified[SIDE_COUNT] = {
    {{"", "帅", "仕", "相", "马", "车", "炮", "兵"}, "前", "中", "后", "进", "退", "平", true},
    {{"", "将", "士", "象", "马", "车", "炮", "卒"}, "前", "中", "后", "进", "退", "平", false},
};
static const Script lau = {{NULL}, "f", "m", "r", "f", "b", "h", false};
// clang-format on

static const Script *script_of(NotationSystem system, Side side) {
    if (system == NOTATION_LAU) return &lau;
    return system == NOTATION_CHINESE_SIMPLIFIED ? &simplified[side] : &traditional[side];
}

static void out_script_number(NotationOutput *out, int number, bool numeral) {
    static const char *const numerals[] = {"",   "一", "二", "三", "四",
                                           "五", "六", "七", "八", "九"};
    if (numeral) {
        out_text(out, numerals[number]);
    } else {
        out_number(out, number);
    }
}

// Places on a file: front, middle of three, rear; a number for the others of four and five.
static void out_place(NotationOutput *out, const Script *script, const FileMates *mates) {
    if (mates->place == 0) {
        out_text(out, script->front);
    } else if (mates->place == mates->count - 1) {
        out_text(out, script->rear);
    } else if (mates->count == 3) {
        out_text(out, script->middle);
    } else {
        out_script_number(out, mates->place + 1, script->pieces[GENERAL] != NULL);
    }
}

void write_chinese(NotationOutput *out) {
    const RelativeMove relative = relative_describe(out->position, out->move);
    const FileMates mates = file_mates(out->position, move_from(out->move));
    const Script *script = script_of(out->row->system, relative.side);
    const Naming named = naming(&relative, &mates);
    if (named != BY_FILE) out_place(out, script, &mates);
    if (named != BY_PLACE_AND_FILE) {
        const char *piece = script->pieces[relative.type];
        if (piece) {
            out_text(out, piece);
        } else {
            out_letter(out, relative.type);
        }
    }
    if (named != BY_PLACE) out_script_number(out, relative.file, script->numerals);
    out_text(out, relative.direction == '+'   ? script->forward
                  : relative.direction == '-' ? script->backward
                                              : script->sideways);
    out_script_number(out, relative.number, script->numerals);
}

// ---- reading: all of them share one grammar of words -------------------------------------------
//
// A move is a head, a direction and a number. The head names the piece by words in any order:
// a piece, a digit and a place. A digit right before the piece counts soldiers (二兵); else it is
// the file.

typedef enum WordType { WORD_PIECE, WORD_DIGIT, WORD_PLACE, WORD_INDEX } WordType;

typedef struct Word {
    WordType type;
    int value;      // of a digit, Place or index
    unsigned kinds; // of a piece
} Word;

enum { MAX_HEAD = 3 }; // 前兵七

typedef struct Head {
    int count;
    Word words[MAX_HEAD];
    unsigned kinds;
    int file; // from the mover's right; 0: not said
    Place place;
    int index;
} Head;

static bool symbol_is_digit(const Symbol *symbol, int *value) {
    if (symbol->type == SYMBOL_ASCII && symbol->value >= '1' && symbol->value <= '9') {
        *value = symbol->value - '0';
        return true;
    }
    *value = symbol->value;
    return symbol->type == SYMBOL_NUMERAL && symbol->value <= 9;
}

// Puts the words of a head together; false when they contradict each other or name nothing.
static bool head_resolve(Head *head) {
    for (int i = 0; i < head->count; i++) {
        const Word *word = &head->words[i];
        const bool before_piece = i + 1 < head->count && word[1].type == WORD_PIECE;
        switch (word->type) {
        case WORD_PIECE:
            if (head->kinds) return false;
            head->kinds = word->kinds;
            break;
        case WORD_DIGIT:
            if (before_piece && head->place == PLACE_ANY) {
                head->place = PLACE_INDEX;
                head->index = word->value;
            } else if (head->file == word->value && head->place == PLACE_ANY && !head->kinds) {
                head->place = PLACE_MIDDLE; // 66
            } else if (head->file) {
                return false;
            } else {
                head->file = word->value;
            }
            break;
        case WORD_PLACE:
        case WORD_INDEX:
            if (head->place != PLACE_ANY) return false;
            head->place = word->type == WORD_INDEX ? PLACE_INDEX : (Place)word->value;
            if (word->type == WORD_INDEX) head->index = word->value;
            break;
        }
    }
    if (head->kinds) return true;
    // Only soldiers go without their name: by file and place, or by the ++ and -- of four and five.
    head->kinds = KIND(SOLDIER);
    return head->place != PLACE_ANY &&
           (head->file || head->place == PLACE_FRONT || head->place == PLACE_REAR);
}

static bool head_add(Head *head, Word word) {
    if (head->count == MAX_HEAD) return false;
    head->words[head->count++] = word;
    return true;
}

// A head with direction and number makes the pattern. Where wxf and its kin give just the file to
// one of three or five, they mean the middle one.
static bool add_relative(const NotationInput *in, Head *head, int direction, int number,
                         bool file_means_middle, PatternList *list) {
    if (!head_resolve(head)) return false;
    const Side side = (Side)in->position->stm;
    Pattern pattern = pattern_any();
    pattern.kinds = head->kinds;
    if (head->file) pattern.from_file = file_from_home(side, head->file);
    pattern.place = head->place;
    pattern.index = head->index;
    pattern.direction = direction;
    pattern.number = number;
    if (file_means_middle && head->file && head->place == PLACE_ANY &&
        (head->kinds & KIND(SOLDIER))) {
        const Bitboard soldiers = position_pieces(in->position, side, SOLDIER);
        const int count = bits_count64(bb_file_line(soldiers, pattern.from_file));
        if (count == 3 || count == 5) pattern.place = PLACE_MIDDLE;
    }
    pattern_add(list, &pattern);
    return true;
}

// The last two symbols: a direction, which comes back, 0 where there is none, and a number. *end is
// where the head ends.
static int read_tail(const NotationInput *in, const char *directions, int *end, int *number) {
    *end = in->count - 2;
    if (*end < 1 || !symbol_is_digit(&in->symbols[*end + 1], number)) return 0;
    const Symbol *symbol = &in->symbols[*end];
    if (!directions) return symbol->type == SYMBOL_DIRECTION ? symbol->value : 0;
    const int c = tolower(in_peek(in, *end));
    const char *at = c ? strchr(directions, c) : NULL;
    return at ? "+-.."[at - directions] : 0;
}

static bool is_direction(int c) {
    return c && strchr("+-.=", c) != NULL;
}

// One word of a wxf head; `end` is where the head ends.
static bool read_wxf_word(NotationInput *in, int end, Head *head) {
    int digit;
    if (symbol_is_digit(&in->symbols[in->at], &digit) && in_peek(in, 0)) {
        in->at++;
        return head_add(head, (Word){.type = WORD_DIGIT, .value = digit});
    }
    const int c = in_peek(in, 0);
    if (is_direction(c)) {
        const bool doubled = in->at + 1 < end && in_peek(in, 1) == c;
        in->at += doubled ? 2 : 1;
        const Place place = c == '+'   ? (doubled ? PLACE_FRONT : PLACE_INNER_FRONT)
                            : c == '-' ? (doubled ? PLACE_REAR : PLACE_INNER_REAR)
                                       : PLACE_MIDDLE;
        return !(doubled && place == PLACE_MIDDLE) &&
               head_add(head, (Word){.type = WORD_PLACE, .value = (int)place});
    }
    const bool after_piece = head->count > 0 && head->words[head->count - 1].type == WORD_PIECE;
    if (after_piece && tolower(c) >= 'a' && tolower(c) <= 'e') {
        in->at++;
        return head_add(head, (Word){.type = WORD_INDEX, .value = tolower(c) - 'a' + 1});
    }
    const unsigned kinds = kinds_of_letter(in->row, c);
    in->at++;
    return kinds && head_add(head, (Word){.type = WORD_PIECE, .kinds = kinds});
}

bool read_relative(NotationInput *in, PatternList *list) {
    int end, number;
    const int direction = read_tail(in, "+-.=", &end, &number);
    if (!direction) return false;
    Head head = {0};
    while (in->at < end) {
        if (!read_wxf_word(in, end, &head)) return false;
    }
    return add_relative(in, &head, direction, number, true, list);
}

static bool read_chinese_word(const Symbol *symbol, Head *head) {
    int digit;
    if (symbol_is_digit(symbol, &digit)) {
        return head_add(head, (Word){.type = WORD_DIGIT, .value = digit});
    }
    if (symbol->type == SYMBOL_PIECE) {
        return head_add(head, (Word){.type = WORD_PIECE, .kinds = KIND(symbol->value)});
    }
    return symbol->type == SYMBOL_PLACE &&
           head_add(head, (Word){.type = WORD_PLACE, .value = symbol->value});
}

bool read_chinese(NotationInput *in, PatternList *list) {
    int end, number;
    const int direction = read_tail(in, NULL, &end, &number);
    if (!direction) return false;
    Head head = {0};
    for (; in->at < end; in->at++) {
        if (!read_chinese_word(&in->symbols[in->at], &head)) return false;
    }
    return add_relative(in, &head, direction, number, false, list);
}

// Small f, m and r are places, so chariots and ministers need their capital.
static bool read_lau_word(const NotationInput *in, Head *head) {
    int digit;
    if (symbol_is_digit(&in->symbols[in->at], &digit) && in_peek(in, 0)) {
        return head_add(head, (Word){.type = WORD_DIGIT, .value = digit});
    }
    const int c = in_peek(in, 0);
    if (c == 'f' || c == 'm' || c == 'r') {
        const Place place = c == 'f' ? PLACE_FRONT : c == 'm' ? PLACE_MIDDLE : PLACE_REAR;
        return head_add(head, (Word){.type = WORD_PLACE, .value = (int)place});
    }
    const unsigned kinds = kinds_of_letter(in->row, c);
    return kinds && head_add(head, (Word){.type = WORD_PIECE, .kinds = kinds});
}

bool read_lau(NotationInput *in, PatternList *list) {
    int end, number;
    const int direction = read_tail(in, "fbh", &end, &number);
    if (!direction) return false;
    Head head = {0};
    for (; in->at < end; in->at++) {
        if (!read_lau_word(in, &head)) return false;
    }
    return add_relative(in, &head, direction, number, false, list);
}

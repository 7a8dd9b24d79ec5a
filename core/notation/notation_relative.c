// SPDX-License-Identifier: GPL-3.0-or-later
// Notations that give file, direction and distance from the player's side: wxf and related systems,
// Chinese notation, and Lau's.
//
// Two horses, chariots, cannons or soldiers on a file are distinguished by front and rear. Two
// advisors or elephants on a file can never move in the same direction, so file and direction are
// enough. A table in core/cmd_notation.c shows the names of soldiers that share a file. The
// descriptions of Lau's notation, xqdb and system2 define no names for three or more soldiers. We
// transliterate the Chinese names for Lau's notation, and use the names of wxf for the others.
#include <ctype.h>
#include <string.h>

#include "core/board/attacks.h"
#include "core/notation/notation_parts.h"

// The ways in which a text names the moving piece.
typedef enum Naming {
    BY_FILE,          // letter of the piece and its file: C2
    BY_PLACE,         // letter of the piece and its place on the file: C+ is the front cannon
    BY_PLACE_AND_FILE // file of a soldier and its place there: 7+ is the front soldier on file 7
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
    const Naming named = naming(&relative, &mates);
    const int last = mates.count - 1;
    const bool first_half = 2 * mates.place < last, middle = 2 * mates.place == last;
    const char place = first_half ? '+' : '-';
    const bool outer = mates.count >= 4 && (mates.place == 0 || mates.place == last);
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

// ---- Chinese, Lau ------------------------------------------------------------------------------

// The words of a notation system for the place of a piece on its file and for directions.
typedef struct Words {
    const char *front, *middle, *rear, *forward, *backward, *sideways;
} Words;

static const Words traditional = {"前", "中", "後", "進", "退", "平"};
static const Words simplified = {"前", "中", "后", "进", "退", "平"};
static const Words lau = {"f", "m", "r", "f", "b", "h"};

static bool has_letters(const NotationOutput *out) {
    return *out->row->letters != '\0';
}

static void out_numeral(NotationOutput *out, bool chinese, int number) {
    static const char *const numerals[] = {"",   "一", "二", "三", "四",
                                           "五", "六", "七", "八", "九"};
    if (chinese) {
        out_text(out, numerals[number]);
    } else {
        out_number(out, number);
    }
}

// Appends a file or a distance. Chinese notation writes Red's numbers as Chinese numerals, Black's
// as digits.
static void out_side_number(NotationOutput *out, Side side, int number) {
    out_numeral(out, side == RED && !has_letters(out), number);
}

static void out_piece(NotationOutput *out, const RelativeMove *relative) {
    if (has_letters(out)) {
        out_letter(out, relative->type);
    } else {
        out_text(out, piece_character(piece_make(relative->side, relative->type),
                                      out->row->system == NOTATION_CHINESE_SIMPLIFIED));
    }
}

// Appends the place of a piece among two to five pieces on its file. The first is front, the last
// is rear, and the second of three is middle. Of four or five pieces, those between front and rear
// have numbers (二 三 四).
static void out_place(NotationOutput *out, const Words *words, const FileMates *mates) {
    if (mates->place == 0) {
        out_text(out, words->front);
    } else if (mates->place == mates->count - 1) {
        out_text(out, words->rear);
    } else if (mates->count == 3) {
        out_text(out, words->middle);
    } else {
        out_numeral(out, !has_letters(out), mates->place + 1);
    }
}

void write_chinese(NotationOutput *out) {
    const RelativeMove relative = relative_describe(out->position, out->move);
    const FileMates mates = file_mates(out->position, move_from(out->move));
    const NotationSystem system = out->row->system;
    const Words *words = system == NOTATION_LAU                  ? &lau
                         : system == NOTATION_CHINESE_SIMPLIFIED ? &simplified
                                                                 : &traditional;
    const Naming named = naming(&relative, &mates);
    if (named != BY_FILE) out_place(out, words, &mates);
    if (named != BY_PLACE_AND_FILE) out_piece(out, &relative);
    if (named != BY_PLACE) out_side_number(out, relative.side, relative.file);
    out_text(out, relative.direction == '+'   ? words->forward
                  : relative.direction == '-' ? words->backward
                                              : words->sideways);
    out_side_number(out, relative.side, relative.number);
}

// ---- reading wxf, Chinese and similar notations ------------------------------------------------
// The text of a move has three parts: a head, a direction and a number. The head names the moving
// piece by some of these words, in any order: a letter or character of its type, digits, and a
// place (front, middle or rear). A digit is the file of the piece, with two exceptions. A digit
// directly before the type is the index of a piece (二兵), unless a place precedes the digit.
// Without a type, the first of two different digits is the index and the second the file; two equal
// digits mean the middle soldier on this file. A sign before a single digit means the front or the
// rear soldier on this file: +7 is the front one of two to five soldiers on file 7.

typedef enum WordType { WORD_PIECE, WORD_DIGIT, WORD_PLACE, WORD_INDEX } WordType;

typedef struct Word {
    WordType type;
    unsigned value; // meaning of the word: WORD_PIECE: possible piece types, a set of KIND();
                    // WORD_DIGIT: 1 to 9; WORD_PLACE: a Place; WORD_INDEX: number of the piece,
                    // from 1
} Word;

enum { MAX_HEAD = 3 }; // largest number of words that name the moving piece, as in 前兵七

// The head of a move's text: the words that name the moving piece, and their meaning. Here a word
// is a letter, a digit, a Chinese character, or a sign such as + or ++.
typedef struct Head {
    int count;
    Word words[MAX_HEAD];
    unsigned kinds, file; // possible types of the piece, a set of KIND(), and its file, counted
                          // from the player's right; each is 0 if unknown
    Place place;
    unsigned index; // number of the piece if `place` is PLACE_INDEX, from 1
} Head;

// Returns the digit or numeral that a symbol stands for, or 0.
static unsigned symbol_digit(const Symbol *symbol) {
    const int value = symbol->type == SYMBOL_ASCII ? symbol->value - '0' : symbol->value;
    const bool number = symbol->type == SYMBOL_ASCII || symbol->type == SYMBOL_NUMERAL;
    return number && value >= 1 && value <= 9 ? (unsigned)value : 0;
}

// Finds the meaning of the words of a head (the words that name the moving piece). Returns false if
// the words contradict each other or name no piece.
static bool head_resolve(Head *head) {
    for (int i = 0; i < head->count; i++) {
        const Word *word = &head->words[i];
        const bool before_piece = i + 1 < head->count && word[1].type == WORD_PIECE;
        switch (word->type) {
        case WORD_PIECE:
            if (head->kinds) return false;
            head->kinds = word->value;
            break;
        case WORD_DIGIT:
            if (before_piece && head->place == PLACE_ANY) {
                head->place = PLACE_INDEX;
                head->index = word->value;
            } else if (head->file == word->value && head->place == PLACE_ANY && !head->kinds) {
                head->place = PLACE_MIDDLE; // in wxf, 66 means the middle soldier on file 6
            } else if (head->file && head->place == PLACE_ANY && !head->kinds) {
                // In wxf, 15 means the first soldier on file 5 (World Xiangqi Rules 2018).
                head->place = PLACE_INDEX;
                head->index = head->file;
                head->file = word->value;
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
            head->index = word->value;
            break;
        }
    }
    if (head->kinds) return true;
    // Only a soldier can be named without its type: by file and place, or by ++ or --, which wxf
    // writes if four or five soldiers stand on a file.
    head->kinds = KIND(SOLDIER);
    if (head->file && head->words[0].type == WORD_PLACE) {
        if (head->place == PLACE_INNER_FRONT) head->place = PLACE_FRONT;
        if (head->place == PLACE_INNER_REAR) head->place = PLACE_REAR;
    }
    return head->place != PLACE_ANY &&
           (head->file || head->place == PLACE_FRONT || head->place == PLACE_REAR);
}

// Adds a word to a head (the words that name the moving piece). Returns false if the value of the
// word is 0 or the head is full.
static bool head_add(Head *head, WordType type, unsigned value) {
    if (!value || head->count == MAX_HEAD) return false;
    head->words[head->count++] = (Word){type, value};
    return true;
}

// Reads the next word of a head (the words that name the moving piece). A word has one or two
// symbols. `end` is the index of the first symbol after the head.
typedef bool WordReader(NotationInput *in, int end, Head *head);

// Reads the head of a move (the words that name the moving piece) and the number after the
// direction, and adds the pattern of the move to `list`. `direction` is the direction that the
// caller has read; 0 if the text has none, which is an error.
static bool read_words(NotationInput *in, int direction, WordReader *read_word, PatternList *list) {
    const int end = in->count - 2;
    if (end < 1 || !direction) return false;
    const unsigned number = symbol_digit(&in->symbols[end + 1]);
    Head head = {0};
    while (in->at < end) {
        if (!read_word(in, end, &head)) return false;
    }
    if (!number || !head_resolve(&head)) return false;
    Pattern pattern = pattern_any();
    pattern.kinds = head.kinds;
    if (head.file) pattern.from_file = file_from_home((Side)in->position->stm, (int)head.file);
    pattern.place = head.place;
    pattern.index = (int)head.index;
    pattern.direction = direction;
    pattern.number = (int)number;
    pattern_add(list, &pattern);
    return true;
}

// ---- reading wxf, xqdb, system2 ----------------------------------------------------------------

static bool is_direction(int c) {
    return c && strchr("+-.=", c) != NULL;
}

static bool read_wxf_word(NotationInput *in, int end, Head *head) {
    const int c = in_peek(in, 0);
    const bool after_piece = head->count > 0 && head->words[head->count - 1].type == WORD_PIECE;
    const bool doubled = is_direction(c) && in->at + 1 < end && in_peek(in, 1) == c;
    in->at += doubled ? 2 : 1;
    if (isdigit(c)) return head_add(head, WORD_DIGIT, (unsigned)(c - '0'));
    if (c == '+') return head_add(head, WORD_PLACE, doubled ? PLACE_FRONT : PLACE_INNER_FRONT);
    if (c == '-') return head_add(head, WORD_PLACE, doubled ? PLACE_REAR : PLACE_INNER_REAR);
    if (is_direction(c)) return !doubled && head_add(head, WORD_PLACE, PLACE_MIDDLE);
    if (after_piece && tolower(c) >= 'a' && tolower(c) <= 'e') {
        return head_add(head, WORD_INDEX, (unsigned)(tolower(c) - 'a' + 1));
    }
    return head_add(head, WORD_PIECE, kinds_of_letter(in->row, c));
}

// Returns the number of soldiers of the side to move on a file of the board.
static int soldiers_on(const Position *position, int file) {
    const Bitboard soldiers = position_pieces(position, (Side)position->stm, SOLDIER);
    return bits_count64(bb_file_line(soldiers, file));
}

// Reads a move that names a soldier only by its file, such as 7+1. This form has a meaning only if
// several soldiers stand on the file. If more than one of them can move so, the text is ambiguous.
static bool read_file_only(NotationInput *in, int direction, PatternList *list) {
    const int home = (int)symbol_digit(&in->symbols[0]);
    Pattern pattern = pattern_any();
    pattern.kinds = KIND(SOLDIER);
    pattern.from_file = file_from_home((Side)in->position->stm, home);
    pattern.direction = direction;
    pattern.number = (int)symbol_digit(&in->symbols[2]);
    pattern_add(list, &pattern);
    return direction && pattern.number && soldiers_on(in->position, pattern.from_file) > 1;
}

bool read_relative(NotationInput *in, PatternList *list) {
    in_drop_check(in, 2);
    const int c = in_peek(in, in->count - 2);
    const int direction = c == '=' ? '.' : is_direction(c) ? c : 0;
    if (in->count == 3 && symbol_digit(&in->symbols[0])) {
        return read_file_only(in, direction, list);
    }
    if (!read_words(in, direction, read_wxf_word, list)) return false;
    Pattern *first = &list->patterns[0];
    if (first->from_file < 0) return true;
    if (first->place == PLACE_MIDDLE) {
        // In wxf, 22 means the middle soldier on file 2. If this fits no legal move, 22 means the
        // second soldier on file 2.
        Pattern pattern = *first;
        pattern.place = PLACE_INDEX;
        pattern.index = home_file((Side)in->position->stm, pattern.from_file);
        pattern_add(list, &pattern);
    } else if (first->place == PLACE_ANY && (first->kinds & KIND(SOLDIER))) {
        // If three or five soldiers stand on the file and the text names no place, the text means
        // the middle soldier.
        const int count = soldiers_on(in->position, first->from_file);
        if (count == 3 || count == 5) first->place = PLACE_MIDDLE;
    }
    return true;
}

// ---- reading Chinese ---------------------------------------------------------------------------

static bool read_chinese_word(NotationInput *in, int end, Head *head) {
    (void)end;
    const Symbol *symbol = &in->symbols[in->at++];
    const unsigned digit = symbol_digit(symbol), value = (unsigned)symbol->value;
    if (digit) return head_add(head, WORD_DIGIT, digit);
    if (symbol->type == SYMBOL_PIECE) return head_add(head, WORD_PIECE, KIND(value));
    return symbol->type == SYMBOL_PLACE && head_add(head, WORD_PLACE, value);
}

bool read_chinese(NotationInput *in, PatternList *list) {
    if (in->count < 2) return false;
    const Symbol *symbol = &in->symbols[in->count - 2];
    const int direction = symbol->type == SYMBOL_DIRECTION ? symbol->value : 0;
    return read_words(in, direction, read_chinese_word, list);
}

// ---- reading Lau -------------------------------------------------------------------------------

// In Lau's notation the small letters f, m and r mean front, middle and rear. Only the capital
// letters R and M are pieces: chariot and elephant.
static bool read_lau_word(NotationInput *in, int end, Head *head) {
    (void)end;
    const int c = in_peek(in, 0);
    in->at++;
    if (isdigit(c)) return head_add(head, WORD_DIGIT, (unsigned)(c - '0'));
    if (c == 'f') return head_add(head, WORD_PLACE, PLACE_FRONT);
    if (c == 'm') return head_add(head, WORD_PLACE, PLACE_MIDDLE);
    if (c == 'r') return head_add(head, WORD_PLACE, PLACE_REAR);
    return head_add(head, WORD_PIECE, kinds_of_letter(in->row, c));
}

bool read_lau(NotationInput *in, PatternList *list) {
    const int c = tolower(in_peek(in, in->count - 2));
    const int direction = c == 'f' ? '+' : c == 'b' ? '-' : c == 'h' ? '.' : 0;
    return read_words(in, direction, read_lau_word, list);
}

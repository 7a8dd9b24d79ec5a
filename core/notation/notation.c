// SPDX-License-Identifier: GPL-3.0-or-later
// The table of notation systems, and common code of their writers and readers: symbols, points, and
// the search for the only legal move that fits a pattern.
#include "core/notation/notation.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "core/notation/notation_parts.h"

const NotationRow notation_rows[NOTATION_SYSTEM_COUNT] = {
#define NOTATION(id, name, write, read, letters, squares, separator, example, grammar)             \
    {NOTATION_##id, name, write, read, letters, squares, separator, example},
#include "core/notation/notation.def"
};

const char MOVES_CHOICES[] = "auto"
#define NOTATION(id, name, write, read, letters, squares, separator, example, grammar) "|" name
#include "core/notation/notation.def"
    ;

static const NotationStyle default_style = {0};

const char *notation_name(NotationSystem system) {
    return notation_rows[system].name;
}

// ---- writing -----------------------------------------------------------------------------------

void out_char(NotationOutput *out, char c) {
    assert(out->length + 1 < NOTATION_SIZE);
    out->text[out->length++] = c;
    out->text[out->length] = '\0';
}

void out_text(NotationOutput *out, const char *text) {
    for (; *text; text++) out_char(out, *text);
}

void out_number(NotationOutput *out, int number) {
    assert(number >= 0 && number < 100);
    if (number >= 10) out_char(out, (char)('0' + number / 10));
    out_char(out, (char)('0' + number % 10));
}

void out_letter(NotationOutput *out, PieceType type) {
    out_char(out, out->row->letters[type - 1]);
}

// The form in which a system writes points: the digit or letter of the first file and of the first
// rank.
typedef struct PointForm {
    char file, rank;
    bool from_top; // true if ranks are counted from Black's side
} PointForm;

static const PointForm point_forms[] = {
    [SQUARES_FROM_0] = {'a', '0', false},        [SQUARES_FROM_1] = {'a', '1', false},
    [SQUARES_UPPER] = {'A', '0', false},         [SQUARES_XY] = {'0', '0', true},
    [SQUARES_NUMBER_LETTER] = {'1', 'a', false},
};

// Converts a point from the numbering of the board to that of the system, or back: the conversion
// is its own inverse.
static void turn_point(const NotationRow *row, const NotationStyle *style, int *file, int *rank) {
    const bool shogi = row->squares == SQUARES_NUMBER_LETTER && style->shogi;
    if (shogi) *file = FILE_COUNT - 1 - *file;
    if (shogi || point_forms[row->squares].from_top) *rank = RANK_COUNT - 1 - *rank;
}

static void out_coordinate(NotationOutput *out, char first, int index) {
    if (isdigit(first)) {
        out_number(out, first - '0' + index);
    } else {
        out_char(out, (char)(first + index));
    }
}

void out_square(NotationOutput *out, int square) {
    const PointForm form = point_forms[out->row->squares];
    int file = square_file(square), rank = square_rank(square);
    turn_point(out->row, out->style, &file, &rank);
    out_coordinate(out, form.file, file);
    out_coordinate(out, form.rank, rank);
}

void notation_write(NotationSystem system, const NotationStyle *style, const Position *position,
                    Move move, char text[NOTATION_SIZE]) {
    text[0] = '\0';
    NotationOutput out = {
        .row = &notation_rows[system],
        .style = style ? style : &default_style,
        .position = position,
        .move = move,
        .text = text,
    };
    out.row->write(&out);
}

// ---- reading symbols ---------------------------------------------------------------------------

int in_peek(const NotationInput *in, int ahead) {
    const int at = in->at + ahead;
    return at >= 0 && at < in->count && in->symbols[at].type == SYMBOL_ASCII ? in->symbols[at].value
                                                                             : 0;
}

bool in_skip(NotationInput *in, const char *characters) {
    const int c = in_peek(in, 0);
    if (!c || !strchr(characters, c)) return false;
    in->at++;
    return true;
}

int in_coordinate(NotationInput *in, char first, int count) {
    const int c = tolower(in_peek(in, 0));
    if (first == '1' && count == 10 && c == '1' && in_peek(in, 1) == '0') {
        in->at += 2;
        return 9;
    }
    const int index = c - tolower(first);
    if (index < 0 || index >= count || (isdigit(first) && !isdigit(c))) return -1;
    in->at++;
    return index;
}

bool in_square(NotationInput *in, int *square) {
    const PointForm form = point_forms[in->row->squares];
    const int start = in->at;
    int file = in_coordinate(in, form.file, FILE_COUNT);
    int rank = in_coordinate(in, form.rank, RANK_COUNT);
    if (file < 0 || rank < 0) {
        in->at = start;
        return false;
    }
    turn_point(in->row, in->style, &file, &rank);
    *square = square_make(file, rank);
    return true;
}

unsigned kinds_of_letter(const NotationRow *row, int letter) {
    const int upper = toupper(letter);
    const char *own = upper ? strchr(row->letters, upper) : NULL;
    if (own) return KIND(own - row->letters + 1);
    const PieceType type = piece_type_of_letter(tolower(letter));
    return type == NO_PIECE_TYPE ? 0 : KIND(type);
}

// ---- errors ------------------------------------------------------------------------------------

enum { MAX_CANDIDATES = 10 };

// Appends a list of moves like "h2e2 C2.5, h2f2 C2.4": the coordinates of each move and, unless uci
// is read, the move in the notation that is being read. Lists at most MAX_CANDIDATES moves.
static void list_candidates(const NotationInput *in, const MoveList *list, Text *text) {
    const bool plain = in->row->system == NOTATION_UCI;
    for (int i = 0; i < list->count && i < MAX_CANDIDATES; i++) {
        char uci[5], own[NOTATION_SIZE];
        move_to_uci(list->moves[i], uci);
        notation_write(in->row->system, in->style, in->position, list->moves[i], own);
        text_add(text, "%s%s%s%s", i ? ", " : "", uci, plain ? "" : " ", plain ? "" : own);
    }
    if (list->count > MAX_CANDIDATES) text_add(text, " and %d more", list->count - MAX_CANDIDATES);
}

static Status fail_with_list(const NotationInput *in, Status status, const char *shown,
                             const char *what, const MoveList *list, Err *err) {
    AUTO(Text) candidates = {0};
    list_candidates(in, list, &candidates);
    return err_set(err, status, "'%s' %s: %s", shown, what, text_get(&candidates));
}

// Returns the error for a text that fits no legal move. If the text fits moves that expose the
// general (`exposing`), lists these. Otherwise lists similar legal moves, the first of these lists
// that is not empty: moves of the same type of piece from the same point or file; moves of this
// type; moves to the same point; all legal moves. If the text names no type of piece, all types
// count as the same.
static Status fail_unfitting(const NotationInput *in, const char *shown,
                             const PatternList *patterns, const MoveList *exposing, Err *err) {
    if (exposing->count) {
        return fail_with_list(in, STATUS_BAD_INPUT, shown, "leaves its own general in check",
                              exposing, err);
    }
    const Pattern *said = &patterns->patterns[0], any = pattern_any();
    enum { STEPS = 4 };
    Pattern near[STEPS] = {any, any, any, any};
    near[0].kinds = near[1].kinds = said->kinds;
    near[0].from_file = said->from_file;
    near[0].from_rank = said->from_rank;
    near[2].to_file = said->to_file;
    near[2].to_rank = said->to_rank;
    for (int i = 0; i < STEPS; i++) {
        MoveList legal;
        pattern_moves(&near[i], in->position, &legal, NULL);
        if (legal.count == 0) continue;
        return fail_with_list(in, STATUS_BAD_INPUT, shown, "fits no legal move; legal moves are",
                              &legal, err);
    }
    return err_set(err, STATUS_BAD_INPUT, "'%s' fits no legal move: the side to move has none",
                   shown);
}

// ---- reading -----------------------------------------------------------------------------------

// Reads the form of a move and stores its possible meanings in *patterns, without comparing them
// with the legal moves. Splits the text into `symbols` [MAX_SYMBOLS], the array to which
// in->symbols points, and sets in->count to their number.
static Status read_patterns(NotationInput *in, Symbol *symbols, const char *text, size_t length,
                            PatternList *patterns, Err *err) {
    char shown[PRINTABLE_SIZE];
    if (notation_symbols(text, length, symbols, &in->count, err) != STATUS_OK) {
        notation_printable(text, length, shown);
        return err_prefix(err, "'%s'", shown);
    }
    if (in->row->read(in, patterns)) return STATUS_OK;
    notation_printable(text, length, shown);
    return err_set(err, STATUS_BAD_INPUT, "'%s' is not a move in %s, which writes moves like %s",
                   shown, in->row->name, in->row->example);
}

static NotationInput input_of(NotationSystem system, const NotationStyle *style,
                              const Position *position, const Symbol *symbols) {
    return (NotationInput){.row = &notation_rows[system],
                           .style = style ? style : &default_style,
                           .position = position,
                           .symbols = symbols};
}

bool notation_has_form(NotationSystem system, const Position *position, const char *text,
                       size_t length) {
    Symbol symbols[MAX_SYMBOLS];
    NotationInput in = input_of(system, NULL, position, symbols);
    PatternList patterns = {0};
    return read_patterns(&in, symbols, text, length, &patterns, NULL) == STATUS_OK;
}

Status notation_read(NotationSystem system, const NotationStyle *style, const Position *position,
                     const char *text, size_t length, Move *move, Err *err) {
    char shown[PRINTABLE_SIZE];
    Symbol symbols[MAX_SYMBOLS];
    NotationInput in = input_of(system, style, position, symbols);
    PatternList patterns = {0};
    TRY(read_patterns(&in, symbols, text, length, &patterns, err));
    MoveList legal, exposing = {0};
    for (int i = 0; i < patterns.count; i++) {
        MoveList exposing_here;
        pattern_moves(&patterns.patterns[i], position, &legal, &exposing_here);
        if (legal.count == 1) {
            *move = legal.moves[0];
            return STATUS_OK;
        }
        if (legal.count > 1) {
            notation_printable(text, length, shown);
            return fail_with_list(&in, STATUS_AMBIGUOUS, shown,
                                  "is ambiguous, it fits several legal moves", &legal, err);
        }
        if (exposing.count == 0) exposing = exposing_here;
    }
    notation_printable(text, length, shown);
    return fail_unfitting(&in, shown, &patterns, &exposing, err);
}

Status notation_convert_game(NotationSystem from, NotationSystem to, const NotationStyle *style,
                             Position *position, const char *moves, Text *out, Err *err) {
    const char *word;
    size_t length;
    for (size_t ply = 1; text_next_word(&moves, &word, &length); ply++) {
        Move move;
        char text[NOTATION_SIZE];
        if (notation_read(from, style, position, word, length, &move, err) != STATUS_OK) {
            return err_prefix(err, "ply %zu", ply);
        }
        notation_write(to, style, position, move, text);
        text_add(out, "%s%s", ply > 1 ? " " : "", text);
        Position after;
        position_do_move(position, move, &after);
        *position = after;
    }
    return STATUS_OK;
}

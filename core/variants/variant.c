// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/variants/variant.h"

#include <ctype.h>
#include <math.h>

#include "core/board/position.h"

#define VARIANT(symbol) extern const Variant symbol;
#include "core/variants/variants.def"
#define VARIANT(symbol) &symbol,
static const Variant *const games[] = {
#include "core/variants/variants.def"
    NULL};

const Variant *variant_at(int i) {
    return games[i];
}

const Variant *variant_by_name(const char *name, Err *err) {
    AUTO(Text) known = {0};
    for (int i = 0; games[i]; i++) {
        if (strcmp(games[i]->name, name) == 0) return games[i];
        text_add(&known, "%s%s", i ? ", " : "", games[i]->name);
    }
    err_set(err, STATUS_USAGE, "'%.40s' is no game; the games are: %s", name, text_get(&known));
    return NULL;
}

void variant_chance(const Variant *game, const VariantState *state, Move move,
                    VariantChance *chance) {
    *chance = (VariantChance){.all = 0};
    if (game->chance && move_from(move) == VARIANT_UNCOVER) game->chance(state, chance);
}

uint64_t variant_perft(const Variant *game, const VariantState *state, int depth) {
    VariantTurns turns;
    VariantChance chance;
    uint64_t nodes = 0;
    if (depth == 0) return 1;
    game->list(state, false, &turns);
    for (int i = 0; i < turns.count; i++) {
        const Move move = turns.turns[i].move;
        variant_chance(game, state, move, &chance);
        for (int piece = 0; piece < (chance.all ? PIECE_COUNT : 1); piece++) {
            VariantState next = *state;
            if (chance.all && !chance.counts[piece]) continue;
            if (depth > 1) game->play(&next, move, (Piece)piece);
            nodes += variant_perft(game, &next, depth - 1);
        }
    }
    return nodes;
}

int variant_evaluate(const Variant *game, const double *weights, const VariantState *state) {
    int16_t counts[VARIANT_MAX_TERMS] = {0};
    double sum = 0;
    game->trace(state, counts);
    for (int i = 0; i < game->term_count; i++) sum += weights[i] * counts[i];
    if (state->team) sum = -sum;
    return (int)lrint(fmax(1 - VARIANT_EVAL_LIMIT, fmin(VARIANT_EVAL_LIMIT - 1, sum)));
}

// ---- texts --------------------------------------------------------------------------------------

const char variant_letters[] = ".KABNRCP.kabnrcp?";

// Returns the piece of a letter in the texts of positions, PIECE_NONE if it is none.
static Piece piece_of(char letter) {
    const unsigned char c = (unsigned char)letter;
    const PieceType type = piece_type_of_letter(tolower(c));
    return type ? piece_make(isupper(c) ? RED : BLACK, type) : PIECE_NONE;
}

void variant_write_move(const Variant *game, Move move, Piece piece, Text *text) {
    const int from = move_from(move), to = move_to(move), columns = game->columns;
    if (from < VARIANT_DROP) {
        text_add(text, "%c%d", 'a' + from % columns, from / columns + game->first_rank);
    } else if (from < VARIANT_UNCOVER) {
        text_add(text, "%c@", variant_letters[from - VARIANT_DROP]);
    }
    text_add(text, "%c%d", 'a' + to % columns, to / columns + game->first_rank);
    if (piece) text_add(text, "=%c", variant_letters[piece]);
}

// Reads a square and moves *at behind it; -1 if there is none.
static int read_square(const Variant *game, const char **at) {
    const int file = (*at)[0] - 'a', rank = file < 0 ? -1 : (*at)[1] - '0' - game->first_rank;
    if (file < 0 || file >= game->columns || rank < 0 || rank > 9) return -1;
    *at += 2;
    return rank * game->columns + file;
}

Status variant_read_move(const Variant *game, const VariantState *state, const char *text,
                         Move *move, Piece *piece, Err *err) {
    VariantTurns turns;
    VariantChance chance;
    const char *at = text;
    const bool drop = piece_of(text[0]) && text[1] == '@';
    if (drop) at += 2;
    int from = read_square(game, &at), to = *at && *at != '=' ? read_square(game, &at) : -1;
    if (to < 0) {
        to = from;
        from = drop ? VARIANT_DROP + (int)piece_type(piece_of(text[0])) : VARIANT_UNCOVER;
    }
    *piece = *at == '=' ? piece_of(at[1]) : PIECE_NONE;
    game->list(state, false, &turns);
    bool known = to >= 0 && (*at == '\0' || (*piece && at[2] == '\0'));
    *move = known ? move_make(from, to) : MOVE_NONE;
    for (int i = 0; known; i++) {
        known = i < turns.count;
        if (known && turns.turns[i].move == *move) break;
    }
    variant_chance(game, state, *move, &chance);
    if (known && (!*piece || chance.counts[*piece])) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "'%.20s' is none of the %d turns here", text,
                   turns.count);
}

Status variant_read_rows(const char *text, size_t length, int columns, int rows, bool hidden,
                         uint8_t *board, Err *err) {
    int row = rows - 1, column = 0;
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        const int width = c == '/' ? 0 : c >= '1' && c <= '9' ? c - '0' : 1;
        const uint8_t piece = hidden && c == '?' ? FACE_DOWN : piece_of(c);
        if (column + width > columns || (c == '/' && (column < columns || row == 0))) {
            return err_set(err, STATUS_BAD_INPUT,
                           "board: '%c' (character %zu): not %d rows of %d points",
                           isprint((unsigned char)c) ? c : '?', i + 1, rows, columns);
        }
        if (width == 1 && c != '1' && !piece) {
            return err_set(err, STATUS_BAD_INPUT, "board: '%c' (character %zu) is no piece",
                           isprint((unsigned char)c) ? c : '?', i + 1);
        }
        if (piece) board[row * columns + column] = piece;
        column = c == '/' ? 0 : column + width;
        row -= c == '/';
    }
    if (row == 0 && column == columns) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "board: ends in row %d of %d, after %d of %d points",
                   rows - row, rows, column, columns);
}

void variant_write_rows(const uint8_t *board, int columns, int rows, Text *text) {
    for (int row = rows - 1; row >= 0; row--) {
        int empty = 0;
        for (int column = 0; column < columns; column++) {
            const uint8_t piece = board[row * columns + column];
            empty = piece ? empty : empty + 1;
            if (empty && (piece || column == columns - 1)) text_add(text, "%d", empty);
            if (piece) text_add(text, "%c", variant_letters[piece]);
            if (piece) empty = 0;
        }
        if (row) text_add(text, "/");
    }
}

Status variant_read_pieces(const char *text, size_t length, const char *what,
                           uint8_t counts[PIECE_COUNT], Err *err) {
    if (length && (length < 2 || text[0] != '[' || text[length - 1] != ']')) {
        return err_set(err, STATUS_BAD_INPUT, "%s: '%.*s' is not in brackets", what,
                       (int)(length < 40 ? length : 40), text);
    }
    for (size_t i = 1; i + 1 < length; i++) {
        const Piece piece = piece_of(text[i]);
        if (!piece || counts[piece] == 99) {
            return err_set(err, STATUS_BAD_INPUT, "%s: '%c' (character %zu) is %s", what,
                           isprint((unsigned char)text[i]) ? text[i] : '?', i + 1,
                           piece ? "there too often" : "no piece");
        }
        counts[piece]++;
    }
    return STATUS_OK;
}

void variant_write_pieces(const uint8_t counts[PIECE_COUNT], Text *text) {
    text_add(text, "[");
    for (const char *c = "KRNCBAPkrncbap"; *c; c++) {
        for (int n = counts[piece_of(*c)]; n > 0; n--) text_add(text, "%c", *c);
    }
    text_add(text, "]");
}

// ---- weights ------------------------------------------------------------------------------------

// Reads a line "term<TAB>value<TAB>standard error...". seen[] marks the terms that were read.
static Status read_line(const Variant *game, char *line, bool *seen, VariantWeights *weights,
                        Err *err) {
    char *cursor = line;
    const char *name = text_next_field(&cursor, '\t'), *value = text_next_field(&cursor, '\t');
    const char *se = text_next_field(&cursor, '\t');
    int term = 0;
    if (strcmp(name, "term") == 0) return STATUS_OK; // the head of the table
    while (term < game->term_count && strcmp(game->terms[term].name, name) != 0) term++;
    if (term == game->term_count) {
        return err_set(err, STATUS_BAD_INPUT,
                       "'%.40s' is no term of %s; the weights are text, as 'tune --rows FILE.h5 "
                       "--out FILE.tsv' writes it ('paotai variant show %s' lists the terms)",
                       name, game->name, game->name);
    }
    if (seen[term] || !value) {
        return err_set(err, STATUS_BAD_INPUT, "%s %s", name,
                       value ? "is given twice" : "has no value behind a tab");
    }
    seen[term] = true;
    TRY(parse_real(value, -1e6, 1e6, &weights->value[term], name, err));
    return se ? parse_real(se, 0, 1e9, &weights->se[term], name, err) : STATUS_OK;
}

Status variant_weights_load(const Variant *game, const char *name, VariantWeights *weights,
                            Err *err) {
    const bool classic = strcmp(name, "classic") == 0, fitted = strcmp(name, "default") == 0;
    bool seen[VARIANT_MAX_TERMS] = {false};
    LineReader reader;
    *weights = (VariantWeights){.name = name, .random = strcmp(name, "random") == 0};
    for (int i = 0; i < game->term_count && (classic || fitted); i++) {
        weights->value[i] = classic ? game->terms[i].classic : game->terms[i].fitted;
    }
    if (classic || fitted || weights->random) return STATUS_OK;
    Status status = line_reader_open(&reader, name, err);
    if (status != STATUS_OK) return err_prefix(err, "weights ('classic', 'default' or a file)");
    while (status == STATUS_OK && line_reader_next_record(&reader)) {
        status = read_line(game, reader.line, seen, weights, err);
    }
    if (status != STATUS_OK) err_prefix(err, "%s:%zu", name, reader.number);
    const Status closed = line_reader_close(&reader, status == STATUS_OK ? err : NULL);
    for (int i = 0; i < game->term_count; i++) {
        if (!seen[i]) weights->missing = game->terms[i].name;
    }
    return status == STATUS_OK ? closed : status;
}

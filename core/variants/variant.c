// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/variants/variant.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/board/position.h"
#include "core/command/options.h"
#include "core/eval/weights.h"
#include "core/system/in_file.h"

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

void variant_counts(const Variant *game, const VariantState *state, int counts[VARIANT_MAX_TERMS]) {
    int teams[2][VARIANT_MAX_TERMS] = {{0}};
    game->trace(state, teams);
    for (int i = 0; i < VARIANT_MAX_TERMS; i++) counts[i] = teams[0][i] - teams[1][i];
}

int variant_evaluate(const Variant *game, const double *weights, const VariantState *state) {
    int counts[VARIANT_MAX_TERMS];
    double sum = 0;
    variant_counts(game, state, counts);
    for (int i = 0; i < game->term_count; i++) sum += weights[i] * counts[i];
    if (state->team) sum = -sum;
    return (int)lrint(fmax(1 - VARIANT_EVAL_LIMIT, fmin(VARIANT_EVAL_LIMIT - 1, sum)));
}

// ---- texts --------------------------------------------------------------------------------------

const char variant_letters[] = ".KABNRCP.kabnrcp?";

// Returns the piece that a letter stands for in the text of a position, or PIECE_NONE.
static Piece piece_of(char letter) {
    const unsigned char c = (unsigned char)letter;
    const PieceType type = piece_type_of_letter(tolower(c));
    return type ? piece_make(isupper(c) ? RED : BLACK, type) : PIECE_NONE;
}

void variant_write_turn(const Variant *game, Move move, Piece piece, char text[VARIANT_TURN_SIZE]) {
    const int from = move_from(move), squares[2] = {from, move_to(move)};
    const bool moves = from < VARIANT_DROP;
    if (!moves && from != VARIANT_UNCOVER) {
        *text++ = variant_letters[from - VARIANT_DROP];
        *text++ = '@';
    }
    for (int i = moves ? 0 : 1; i < 2; i++) {
        *text++ = (char)('a' + squares[i] % game->columns);
        *text++ = (char)('0' + squares[i] / game->columns + game->first_rank);
    }
    if (piece) *text++ = '=';
    if (piece) *text++ = variant_letters[piece];
    *text = '\0';
}

Status variant_read_turn(const Variant *game, const VariantState *state, const char *text,
                         Move *move, Piece *piece, Err *err) {
    VariantTurns turns;
    VariantChance chance;
    const char *shown = strchr(text, '=');
    char wanted[VARIANT_TURN_SIZE];
    snprintf(wanted, sizeof wanted, "%s", text);
    if (text[0] && text[1] == '@') wanted[0] = variant_letters[piece_type(piece_of(text[0]))];
    *piece = shown ? piece_of(shown[1]) : PIECE_NONE;
    game->list(state, false, &turns);
    for (int i = 0; i < turns.count; i++) {
        char turn[VARIANT_TURN_SIZE];
        *move = turns.turns[i].move;
        variant_write_turn(game, *move, *piece, turn);
        if (strcmp(turn, wanted) != 0) continue;
        variant_chance(game, state, *move, &chance);
        if (!*piece || chance.counts[*piece]) return STATUS_OK;
    }
    return err_set(err, STATUS_BAD_INPUT, "'%.20s' is none of the %d legal turns", text,
                   turns.count);
}

Status variant_read_board(const char *text, int columns, int rows, bool hidden, uint8_t *board,
                          const char *brackets, uint8_t counts[PIECE_COUNT], Err *err) {
    const char *at = text, *const open = text + strcspn(text, "[");
    int row = rows - 1, column = 0;
    for (; at < open; at++) {
        const uint8_t piece = hidden && *at == '?' ? FACE_DOWN : piece_of(*at);
        const int width = piece ? 1 : *at >= '1' && *at <= '9' ? *at - '0' : 0;
        const bool next = *at == '/' && column == columns && row > 0;
        if (!next && (width == 0 || column + width > columns)) {
            return err_set(err, STATUS_BAD_INPUT,
                           "board: '%c' (character %d) does not fit: the board has %d rows of %d "
                           "points",
                           *at, (int)(at - text) + 1, rows, columns);
        }
        if (piece) board[row * columns + column] = piece;
        column = next ? 0 : column + width;
        row -= next;
    }
    if (row > 0 || column < columns) {
        return err_set(err, STATUS_BAD_INPUT,
                       "board: the text ends in row %d of %d, after %d of %d points", rows - row,
                       rows, column, columns);
    }
    if (!*open) return STATUS_OK;
    for (at = open + 1; piece_of(*at) && counts[piece_of(*at)] < UINT8_MAX; at++) {
        counts[piece_of(*at)]++;
    }
    if (*at && *at != ']') {
        return err_set(err, STATUS_BAD_INPUT, "%s: '%c' (character %d) is no piece", brackets, *at,
                       (int)(at - open) + 1);
    }
    if (*at && !at[1]) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "%s: '%.40s' is not in brackets", brackets, open);
}

void variant_write_board(const uint8_t *board, int columns, int rows,
                         const uint8_t counts[PIECE_COUNT], Text *text) {
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
    variant_write_pieces(counts, text);
}

void variant_write_pieces(const uint8_t counts[PIECE_COUNT], Text *text) {
    text_add(text, "[");
    for (const char *c = "KRNCBAPkrncbap"; *c; c++) {
        for (int n = counts[piece_of(*c)]; n > 0; n--) text_add(text, "%c", *c);
    }
    text_add(text, "]");
}

// ---- weights ------------------------------------------------------------------------------------

// The weights that read_term() fills, and their game.
typedef struct TermTarget {
    const Variant *game;
    VariantWeights *weights;
} TermTarget;

// Reads a line "term<TAB>value<TAB>standard error". The standard error may be missing.
static Status read_term(void *context, TermsMatch *match, char *line, Err *err) {
    const TermTarget *target = context;
    const char *name = text_next_field(&line, '\t'), *value = text_next_field(&line, '\t');
    const char *se = text_next_field(&line, '\t');
    int term;
    if (line) {
        return err_set(err, STATUS_BAD_INPUT,
                       "more than three fields: a line has a term, a value and its standard error");
    }
    if (strcmp(name, "term") == 0) return STATUS_OK; // skip the header line
    TRY(terms_match(match, name, strlen(name), &term, err));
    if (term < 0) return STATUS_OK;
    if (!value) return err_set(err, STATUS_BAD_INPUT, "%s: a tab and a value must follow", name);
    TRY(parse_real(value, -1e6, 1e6, &target->weights->value[term], name, err));
    return se ? parse_real(se, 0, 1e9, &target->weights->se[term], name, err) : STATUS_OK;
}

Status variant_weights_parse(const Variant *game, const char *text, const char *origin,
                             VariantWeights *weights, Err *err) {
    TermNames terms = {.owner = game->name,
                       .remedy = "'paotai variant show GAME' lists its terms; --drop-unknown "
                                 "leaves the term out",
                       .count = game->term_count};
    AUTO(TermsMatch) match = {.terms = &terms, .drop = err_drops_unknown(err)};
    TermTarget target = {game, weights};
    *weights = (VariantWeights){.random = false};
    for (int i = 0; i < game->term_count; i++) terms.names[i] = game->terms[i].name;
    return terms_read(text, origin, &match, read_term, &target, err);
}

Status variant_weights_load(const Variant *game, int choice, const char *name,
                            VariantWeights *weights, Err *err) {
    const int known = option_choice_index("classic|default|random", name);
    AUTO_FREE char *data = NULL, *text = NULL;
    size_t length;
    *weights = (VariantWeights){.random = known == 2};
    for (int i = 0; i < game->term_count && known >= 0 && known < 2; i++) {
        const VariantTerm *term = &game->terms[i];
        weights->value[i] = known == 0 ? term->classic : term->fitted[choice];
    }
    if (known >= 0) return STATUS_OK;
    if (text_read_file(name, &data, &length, err) != STATUS_OK)
        return err_prefix(err, "weights ('classic', 'default', 'random' or a file)");
    TRY(weights_text_of(data, length, name, &text, err));
    return variant_weights_parse(game, text, name, weights, err);
}

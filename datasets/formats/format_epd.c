// SPDX-License-Identifier: GPL-3.0-or-later
// EPD: one position per line. These forms are in use:
//     FEN hmvc 3; fmvn 12; sm h2e2; c9 "1-0"; ce 35; acd 12;  opcodes of the EPD standard
//     FEN c9 "1/2-1/2";      FEN [0.5]      FEN "1-0"          for tuners
//     FEN [0.5] 35                                             old form of Ethereal's tuner
//     FEN | 35 | 0.5                                           for trainers
// Scores between bars or after [0.5] are in 1/100 points, from Red's side.
//
// The reader knows these opcodes: hmvc and fmvn (counters of the FEN); sm, pm, pv and bm (moves);
// ce (score from the view of the side to move; 32767 - N is a mate in N plies); dm (mate in moves);
// acd and acn (depth, nodes); c0 to c9 (result); id (GAME.PLY, in files of our own writer).
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "datasets/formats/epd_text.h"
#include "datasets/formats/position_lines.h"
#include "datasets/formats/survey.h"

enum { EPD_MATE = 32767 };

// Removes quotes or brackets at both ends of a value.
static char *unquote(char *value) {
    const size_t length = strlen(value);
    const bool quoted = length >= 2 && ((*value == '"' && value[length - 1] == '"') ||
                                        (*value == '[' && value[length - 1] == ']'));
    if (!quoted) return value;
    value[length - 1] = '\0';
    return text_trim(value + 1);
}

static const EntryName opcodes[] = {
    {"sm", ENTRY_MOVE, false},   {"pm", ENTRY_PREDICTED, false}, {"pv", ENTRY_PREDICTED, false},
    {"bm", ENTRY_BEST, false},   {"ce", ENTRY_SCORE, true},      {"acd", ENTRY_DEPTH, false},
    {"acn", ENTRY_NODES, false},
};

static bool read_mate_in_moves(EntryReader *reader, const char *value) {
    long long moves = 0;
    char plies[24];
    if (parse_int(value, -400, 400, &moves, "dm", reader->err) != STATUS_OK) return false;
    if (moves == 0) return true;
    snprintf(plies, sizeof plies, "%lld", moves > 0 ? 2 * moves - 1 : 2 * moves);
    return entry_take(reader, ENTRY_MATE, true, plies);
}

// Refuses words that no semicolon follows, because they may be a move or a result in an unknown
// form. Returns false.
static bool refuse_words(EntryReader *reader, const char *words) {
    char shown[PRINTABLE_SIZE];
    notation_printable(words, strlen(words), shown);
    err_set(reader->err, STATUS_BAD_INPUT,
            "'%s' is neither a move nor a result, nor an EPD operation that ends with ';'", shown);
    reader->refusal = IMPORT_FIELDS;
    return false;
}

// Reads one opcode with its operands. `ended` is set if a semicolon follows.
static bool read_opcode(EntryReader *reader, char *opcode, bool ended) {
    char *value = opcode + strcspn(opcode, " \t");
    const size_t length = (size_t)(value - opcode);
    if (*value) *value++ = '\0';
    value = unquote(text_trim(value));
    reader->from = opcode;
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
        if (strcmp(opcode, opcodes[i].name) != 0) continue;
        return entry_take(reader, opcodes[i].field, opcodes[i].stm, value);
    }
    // epd_read_position() has read the counters.
    if (strcmp(opcode, "hmvc") == 0 || strcmp(opcode, "fmvn") == 0) return true;
    if (strcmp(opcode, "dm") == 0) return read_mate_in_moves(reader, value);
    reader->column = COLUMN_OPCODE;
    if (strcmp(opcode, "id") == 0 && strchr(value, '.')) {
        char *ply = value;
        entry_take(reader, ENTRY_GAME, false, text_next_field(&ply, '.'));
        return entry_take(reader, ENTRY_PLY, false, ply);
    }
    int8_t result;
    const bool comment = length == 2 && *opcode == 'c';
    if (!comment && !ended && strcmp(opcode, "id") != 0) {
        if (*value) opcode[length] = ' ';
        return refuse_words(reader, opcode);
    }
    const ResultKind kind = comment ? result_kind(value, &result) : RESULT_OPEN;
    const bool word = kind == RESULT_NAMED || kind == RESULT_DRAWN || kind == RESULT_FRACTION;
    // Only in c9, which our export uses, are "win" and numbers results.
    const bool sided = opcode[1] == '9' && (kind == RESULT_SIDED || kind >= RESULT_MINUS_ONE);
    if (!word && !sided) return true;
    reader->open_view = true;
    const bool good = entry_take(reader, ENTRY_RESULT, reader->pov == POV_STM, value);
    reader->open_view = false;
    return good;
}

// Reads "| score | result", the form that training programs use.
static bool read_bars(EntryReader *reader, char *text) {
    text++;
    reader->mate_value = 0;
    reader->column = COLUMN_BARS;
    reader->from = "bars";
    reader->open_view = true;
    const bool stm = reader->pov == POV_STM;
    char *score = text_trim(text_next_field(&text, '|'));
    char *result = text ? text_trim(text_next_field(&text, '|')) : NULL;
    if (text && *text_trim(text)) return refuse_words(reader, text_trim(text));
    return (!*score || entry_take(reader, ENTRY_SCORE, stm, score)) &&
           (!result || !*result || entry_take(reader, ENTRY_RESULT, stm, unquote(result)));
}

// Reads a result without an opcode, such as [0.5] or "1-0". After a result in brackets a score may
// follow, as in the old form of Ethereal's tuner.
static bool read_bare_result(EntryReader *reader, char *text) {
    char *close = *text == '[' ? strchr(text, ']') : NULL;
    const bool stm = reader->pov == POV_STM;
    reader->column = COLUMN_BARE;
    reader->from = *text == '[' ? "brackets" : *text == '"' ? "quotes" : "line";
    reader->open_view = true;
    if (close && close[1]) {
        char *score = text_trim(close + 1);
        close[1] = '\0';
        reader->mate_value = 0;
        if (!entry_take(reader, ENTRY_SCORE, stm, score)) return false;
    }
    const bool good = entry_take(reader, ENTRY_RESULT, stm, unquote(text));
    reader->open_view = false;
    return good;
}

bool read_epd_entry(EntryReader *reader, char **text) {
    char *line = entry_line(reader, text);
    const char *at;
    FenFields fields;
    EpdOperation operation;
    PositionEntry *entry = &reader->entry;
    if (!line) return false;
    reader->mate_value = EPD_MATE;
    reader->open_view = false;
    entry->positioned = epd_read_position(line, reader->side, &entry->position, &fields, &at,
                                          reader->err) == STATUS_OK;
    entry->sided = !fields.side;
    if (reader->survey && entry->positioned) {
        survey_take_fen(reader->survey, fields.side, line, reader->survey_file,
                        reader->survey_line);
    }
    reader->refusal = IMPORT_START;
    if (!entry->positioned) return false;
    reader->from = "line";
    entry_note(reader, ENTRY_FEN, line);
    reader->refusal = IMPORT_FIELDS;
    at += strspn(at, " \t");
    if (*at == '|') return read_bars(reader, line + (at - line));
    while (epd_next(&at, &operation)) {
        char *part = line + (operation.opcode - line);
        part[operation.operand + operation.length - operation.opcode] = '\0';
        const bool bare = strchr("[\"", *part) || isdigit((unsigned char)*part);
        if (!(bare ? read_bare_result(reader, part) : read_opcode(reader, part, operation.ended))) {
            return false;
        }
    }
    return true;
}

void write_epd(const ExportGame *given, const GameWalk *walk, const PlyRecord *ply, const char *fen,
               const char *move, Text *out) {
    const Position *position = &walk->position;
    char best[NOTATION_SIZE];
    const size_t board = strcspn(fen, " ") + strlen(" w - -");
    text_add(out, "%.*s hmvc %u; fmvn %u; sm %s; c9 \"%s\";", (int)board, fen, position->halfmove,
             position->fullmove, move, result_to_text(given->game->result));
    if (ply->best != MOVE_NONE) {
        notation_write((NotationSystem)given->system, NULL, position, ply->best, best);
        text_add(out, " bm %s;", best);
    }
    const int mate = value_of_stm(position, ply->mate_red);
    if (mate != 0) {
        text_add(out, " ce %d;", mate > 0 ? EPD_MATE - mate : -EPD_MATE - mate);
    } else if (ply->score_red != SCORE_UNKNOWN) {
        text_add(out, " ce %d;", value_of_stm(position, ply->score_red));
    }
    if (ply->depth) text_add(out, " acd %u;", ply->depth);
    if (ply->nodes) text_add(out, " acn %u;", ply->nodes);
    text_add(out, " id \"%llu.%u\";\n", (unsigned long long)given->game->index, walk->ply);
}

static const char *points_of(const ExportGame *given) {
    const int result = given->game->result;
    return result > 0 ? "1.0" : result < 0 ? "0.0" : "0.5";
}

void write_texel(const ExportGame *given, const GameWalk *walk, const PlyRecord *ply,
                 const char *fen, const char *move, Text *out) {
    (void)walk, (void)ply, (void)move;
    text_add(out, "%s [%s]\n", fen, points_of(given));
}

// Writes "FEN | score | result". Scores are limited to +-BULLET_HIGHEST, and a mate is written as
// this limit, because training programs drop very high scores. The limit loses little, because
// these programs map scores through a sigmoid.
void write_bullet(const ExportGame *given, const GameWalk *walk, const PlyRecord *ply,
                  const char *fen, const char *move, Text *out) {
    (void)walk, (void)move;
    text_add(out, "%s | ", fen);
    if (ply->mate_red) {
        text_add(out, "%d", ply->mate_red > 0 ? BULLET_HIGHEST : -BULLET_HIGHEST);
    } else if (ply->score_red != SCORE_UNKNOWN) {
        const int score = ply->score_red;
        text_add(out, "%d",
                 score > BULLET_HIGHEST    ? BULLET_HIGHEST
                 : score < -BULLET_HIGHEST ? -BULLET_HIGHEST
                                           : score);
    }
    text_add(out, " | %s\n", points_of(given));
}

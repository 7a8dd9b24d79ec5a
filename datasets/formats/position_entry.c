// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/position_entry.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/random.h"
#include "datasets/formats/survey.h"

char *entry_line(EntryReader *reader, char **text) {
    if (!*text || !**text) return NULL;
    reader->lines++;
    return text_next_field(text, '\n');
}

const char *entry_field_name(EntryField field) {
    static const char *const names[ENTRY_FIELD_COUNT] = {
        [ENTRY_SIDE] = "side to move", [ENTRY_FEN] = "FEN",
        [ENTRY_MOVE] = "move",         [ENTRY_PREDICTED] = "predicted move",
        [ENTRY_BEST] = "best move",    [ENTRY_SCORE] = "score",
        [ENTRY_MATE] = "mate",         [ENTRY_DEPTH] = "depth",
        [ENTRY_NODES] = "nodes",       [ENTRY_RESULT] = "result",
        [ENTRY_GAME] = "game",         [ENTRY_PLY] = "ply",
    };
    return names[field];
}

static bool at_fault(EntryReader *reader, ImportRefusal refusal) {
    reader->refusal = refusal;
    return false;
}

static bool read_move(EntryReader *reader, const char *text, Move *move) {
    const size_t length = strcspn(text, " \t");
    return move_reader_read(&reader->moves, &reader->entry.position, text, length, move,
                            reader->err) == STATUS_OK ||
           at_fault(reader, IMPORT_MOVE);
}

static int turned(const EntryReader *reader, int value, bool stm) {
    return stm ? value_of_stm(&reader->entry.position, value) : value;
}

void entry_begin_fields(EntryReader *reader, const ReadSettings *settings, FormatId format,
                        const char *header) {
    const EntrySurvey *survey = survey_find(settings->survey, format, header);
    const int count = format == FORMAT_CSV ? reader->csv.count : COLUMN_BARS + 1;
    reader->pov = settings->pov;
    for (int i = 0; i < count; i++) {
        const CsvColumn *column = format == FORMAT_CSV ? &reader->csv.columns[i] : NULL;
        reader->units[i] = column && column->unit ? column->unit : (ScoreUnit)settings->score_unit;
        if (column && (!column->known || column->field != ENTRY_RESULT)) continue;
        reader->scales[i] = survey && (size_t)i < survey->field_count
                                ? survey->fields[i].scale
                                : survey_default_scale(format, i, header);
    }
}

static bool refuse_result(EntryReader *reader, ResultScale scale, const char *text) {
    char shown[PRINTABLE_SIZE];
    notation_printable(text, strlen(text), shown);
    if (scale == SCALE_OPEN || scale == SCALE_WORDS) {
        err_set(reader->err, STATUS_BAD_INPUT, "'%s' is not a result", shown);
    } else {
        err_set(reader->err, STATUS_BAD_INPUT, "'%s' is not a result: the results are %s", shown,
                result_scale_numbers(scale));
    }
    return at_fault(reader, IMPORT_RESULT);
}

static bool read_result(EntryReader *reader, const char *text, bool stm) {
    const ResultScale scale = reader->scales[reader->column];
    int8_t result = 0;
    const ResultKind kind = result_kind(text, &result);
    PositionEntry *entry = &reader->entry;
    if (kind == RESULT_OPEN) return true;
    // Readers other than an import do not need the result, so a doubtful one is unknown to them.
    const bool sided = kind == RESULT_SIDED || scale == SCALE_POINTS;
    if (kind >= RESULT_MINUS_ONE && scale == SCALE_OPEN) return true;
    if (sided && reader->open_view && reader->pov == POV_AUTO) return true;
    const bool fraction = kind == RESULT_FRACTION && scale != SCALE_SIGN && scale != SCALE_POINTS;
    const bool word = kind == RESULT_NAMED || kind == RESULT_SIDED || kind == RESULT_DRAWN;
    if (!word && !fraction && !result_in_scale(kind, scale, &result)) {
        return refuse_result(reader, scale, text);
    }
    if (kind != RESULT_NAMED) result = (int8_t)turned(reader, result, stm);
    if (entry->has_result && entry->result != result) {
        err_set(reader->err, STATUS_BAD_INPUT, "the entry states two results: %s and %s",
                result_to_text(entry->result), result_to_text(result));
        return at_fault(reader, IMPORT_RESULT);
    }
    entry->result = result;
    entry->has_result = true;
    return true;
}

static bool refuse_field(EntryReader *reader, const char *text, const char *why) {
    char shown[PRINTABLE_SIZE];
    notation_printable(text, strlen(text), shown);
    err_set(reader->err, STATUS_BAD_INPUT, "'%s' %s", shown, why);
    return at_fault(reader, IMPORT_FIELDS);
}

// Reads the side to move from a field of its own. 0, 1, true and false are refused: programs differ
// in what they mean.
static bool read_side(EntryReader *reader, const char *text) {
    static const char *const words[] = {"w", "r", "red", "white", "b", "black"};
    enum { BLACK_FROM = 4 };
    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++) {
        if (strcasecmp(text, words[i]) != 0) continue;
        reader->entry.side = i < BLACK_FROM ? FEN_SIDE_RED : FEN_SIDE_BLACK;
        return true;
    }
    return refuse_field(reader, text,
                        "is not a side to move: write w, r, red or white, or b or black (numbers "
                        "and true or false have no common meaning)");
}

static bool read_fen(EntryReader *reader, const char *text) {
    PositionEntry *entry = &reader->entry;
    size_t sided = 0;
    const FenSide side = entry->side ? entry->side : reader->side;
    entry->positioned =
        source_read_fen(side, text, &entry->position, &sided, reader->err) == STATUS_OK;
    if (!entry->positioned) return at_fault(reader, IMPORT_START);
    entry->sided = sided && !entry->side;
    if (entry->side == FEN_SIDE_FREE ||
        (entry->side == FEN_SIDE_RED) == (entry->position.stm == RED)) {
        return true;
    }
    return refuse_field(reader, text, "and the column of the side to move name different sides");
}

static void set_mate(PositionEntry *entry, int plies_red) {
    entry->mate_red = (int16_t)plies_red;
    if (plies_red != 0) entry->score_red = 0;
}

// Stores a mate in moves from the view of Red or, if `stm` is set, of the side to move.
static bool take_mate_moves(EntryReader *reader, int moves, bool stm) {
    const Side viewer = stm ? (Side)reader->entry.position.stm : RED,
               mating = moves > 0 ? viewer : side_other(viewer);
    const int plies = 2 * abs(moves) - (mating == reader->entry.position.stm);
    set_mate(&reader->entry, mating == RED ? plies : -plies);
    return true;
}

static bool read_score(EntryReader *reader, const char *text, bool stm) {
    ScoreKind kind;
    int value = 0;
    if (reader->csv.count && score_mate_moves(text, &value)) {
        return take_mate_moves(reader, value, stm);
    }
    if (score_read(text, reader->units[reader->column], reader->mate_value, &kind, &value,
                   reader->err) != STATUS_OK) {
        return at_fault(reader, IMPORT_FIELDS);
    }
    if (kind == SCORE_MATES) set_mate(&reader->entry, turned(reader, value, stm));
    if (kind == SCORE_VALUE) reader->entry.score_red = (int16_t)turned(reader, value, stm);
    return true;
}

// Reads the value of a numeric field. If a depth or a number of nodes is larger than a store can
// hold, takes the largest possible number instead.
static bool read_number(EntryReader *reader, EntryField field, bool stm, const char *text) {
    static const struct {
        const char *what;
        long long least, most;
    } limits[] = {
        [ENTRY_MATE] = {"mate", -MATE_MOST, MATE_MOST},
        [ENTRY_DEPTH] = {"depth", 0, INT_MAX},
        [ENTRY_NODES] = {"nodes", 0, LLONG_MAX},
    };
    PositionEntry *entry = &reader->entry;
    long long n = 0;
    // pandas writes whole numbers as 12.0 if the column also has empty values.
    char whole[24];
    snprintf(whole, sizeof whole, "%s", text);
    const size_t length = strlen(text);
    if (length > 2 && length < sizeof whole && strcmp(text + length - 2, ".0") == 0) {
        whole[length - 2] = '\0';
        text = whole;
    }
    if (parse_int(text, limits[field].least, limits[field].most, &n, limits[field].what,
                  reader->err) != STATUS_OK) {
        return at_fault(reader, IMPORT_FIELDS);
    }
    if (field == ENTRY_MATE) set_mate(entry, turned(reader, (int)n, stm));
    if (field == ENTRY_DEPTH) entry->depth = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
    if (field == ENTRY_NODES) entry->nodes = (uint32_t)(n < UINT32_MAX ? n : UINT32_MAX);
    return true;
}

// Collects a value in the first pass of an import. Returns false if no position stands before it.
static bool survey_entry(EntryReader *reader, EntryField field, const char *text) {
    if (field == ENTRY_SIDE) {
        // The second pass refuses a value that is not a side, and names it.
        if (!read_side(reader, text)) reader->entry.side = FEN_SIDE_RED;
        return true;
    }
    if (field == ENTRY_FEN) {
        reader->entry.positioned = fen_board_length(text, strlen(text)) > 0;
        if (!reader->entry.positioned) return false;
        survey_take_fen(reader->survey, reader->entry.side || fen_fields(text).side, text,
                        reader->survey_file, reader->survey_line);
        return true;
    }
    if (!reader->entry.positioned) return false;
    survey_take(reader->survey, field, reader->column, reader->open_view, text, reader->survey_file,
                reader->survey_line);
    return true;
}

void entry_note(EntryReader *reader, EntryField field, const char *text) {
    if (!reader->origins) return;
    EntryOrigin *origin = &reader->origins[field];
    snprintf(origin->from, sizeof origin->from, "%s", reader->from ? reader->from : "line");
    notation_printable(text, strlen(text), origin->text);
}

// Refuses a field that the entry has already. Two predicted moves are no contradiction: EPD has one
// in pm and one in pv.
static bool take_once(EntryReader *reader, EntryField field) {
    const unsigned bit = 1u << field;
    if (reader->entry.taken & bit && field != ENTRY_PREDICTED) {
        err_set(reader->err, STATUS_BAD_INPUT, "the entry states the %s twice",
                entry_field_name(field));
        return at_fault(reader, IMPORT_FIELDS);
    }
    reader->entry.taken |= bit;
    return true;
}

bool entry_take(EntryReader *reader, EntryField field, bool stm, const char *text) {
    PositionEntry *entry = &reader->entry;
    uint64_t number;
    if (reader->survey) return survey_entry(reader, field, text);
    entry_note(reader, field, text);
    if (!take_once(reader, field)) return false;
    const bool move = field == ENTRY_MOVE || field == ENTRY_PREDICTED || field == ENTRY_BEST;
    if ((stm || move) && !entry->positioned) {
        err_set(reader->err, STATUS_BAD_INPUT,
                "the %s cannot be read, because no FEN stands before it in the entry",
                move                    ? "move"
                : field == ENTRY_RESULT ? "result of the side to move"
                                        : "score");
        return at_fault(reader, IMPORT_START);
    }
    switch (field) {
    case ENTRY_SIDE:
        return read_side(reader, text);
    case ENTRY_FEN:
        return read_fen(reader, text);
    case ENTRY_MOVE:
        return read_move(reader, text, &entry->move);
    case ENTRY_PREDICTED:
        return read_move(reader, text, &entry->predicted);
    case ENTRY_BEST:
        return read_move(reader, text, &entry->best);
    case ENTRY_SCORE:
        return read_score(reader, text, stm);
    case ENTRY_RESULT:
        return read_result(reader, text, stm);
    case ENTRY_GAME:
    case ENTRY_PLY:
        if (parse_u64(text, &number, "", NULL) == STATUS_OK && number < INT64_MAX) {
            *(field == ENTRY_GAME ? &entry->game : &entry->ply) = (int64_t)number;
        } else if (field == ENTRY_GAME && reader->csv.count > 0 && *text) {
            // In csv, games often have names. Elsewhere a name is that of a set of positions.
            number = 0;
            for (const char *at = text; *at; at++) number = random_mix(number ^ (uint8_t)*at);
            entry->game = (int64_t)(number >> 1);
        }
        return true;
    default:
        return read_number(reader, field, stm, text);
    }
}

unsigned entry_ply(const ExportGame *given, const GameWalk *walk) {
    const Position *start = &given->game->start;
    const unsigned played = walk->ply - given->game->extra_plies;
    if (given->continues) return played;
    return 2 * (start->fullmove ? start->fullmove - 1u : 0) + (start->stm == BLACK) + played;
}

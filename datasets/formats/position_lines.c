// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/position_lines.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum { SCORE_MOST = 30000, MATE_MOST = 1000 };

// ---- the parts of an entry ---------------------------------------------------------------------

void entry_reader_init(EntryReader *reader, const ReadSettings *settings, NotationSystem usual,
                       Err *err) {
    *reader = (EntryReader){.err = err};
    move_reader_init(&reader->moves,
                     settings->system == MOVES_DETECTED ? (int)usual : settings->system);
}

void entry_begin(EntryReader *reader) {
    reader->entry = (PositionEntry){.score_red = SCORE_UNKNOWN};
    reader->refusal = IMPORT_FIELDS;
}

char *entry_line(EntryReader *reader, char **text) {
    if (!*text || !**text) return NULL;
    reader->lines++;
    return text_next_field(text, '\n');
}

static bool at_fault(EntryReader *reader, ImportRefusal refusal) {
    reader->refusal = refusal;
    return false;
}

bool entry_fen(EntryReader *reader, const char *fen) {
    if (position_from_fen(&reader->entry.position, fen, reader->err) != STATUS_OK) {
        return at_fault(reader, IMPORT_START);
    }
    reader->entry.positioned = true;
    return true;
}

// What is said of a position can only be understood when it is known.
static bool has_position(EntryReader *reader, const char *what) {
    if (reader->entry.positioned) return true;
    err_set(reader->err, STATUS_BAD_INPUT, "there is a %s, but no FEN before it", what);
    return at_fault(reader, IMPORT_START);
}

bool entry_move(EntryReader *reader, const char *text, Move *move) {
    if (!has_position(reader, "move")) return false;
    const size_t length = strcspn(text, " \t");
    return move_reader_read(&reader->moves, &reader->entry.position, text, length, move,
                            reader->err) == STATUS_OK ||
           at_fault(reader, IMPORT_MOVE);
}

static int turned(const EntryReader *reader, int value, bool mover) {
    return mover ? value_of_mover(&reader->entry.position, value) : value;
}

bool entry_result(EntryReader *reader, const char *text, bool mover) {
    static const struct {
        const char *text;
        int8_t result;
    } numbers[] = {{"1", 1}, {"0", 0}, {"-1", -1}, {"1.0", 1}, {"0.5", 0}, {"0.0", -1}};
    int8_t result = 0;
    bool found = result_from_text(text, &result);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !found; i++) {
        found = strcmp(text, numbers[i].text) == 0;
        if (found) result = numbers[i].result;
    }
    if (!found) {
        char shown[PRINTABLE_SIZE];
        notation_printable(text, strlen(text), shown);
        err_set(reader->err, STATUS_BAD_INPUT, "'%s' is no result", shown);
        return at_fault(reader, IMPORT_RESULT);
    }
    if (mover && !has_position(reader, "result of the side to move")) return false;
    reader->entry.result = (int8_t)turned(reader, result, mover);
    reader->entry.has_result = true;
    return true;
}

bool entry_score(EntryReader *reader, const char *text, int mate_value, bool mover) {
    double score = 0;
    if (mover && !has_position(reader, "score")) return false;
    if (parse_real(text, -1e9, 1e9, &score, "score", reader->err) != STATUS_OK) {
        return at_fault(reader, IMPORT_FIELDS);
    }
    const int value = (int)(score < 0 ? score - 0.5 : score + 0.5), size = abs(value);
    PositionEntry *entry = &reader->entry;
    if (mate_value && size < mate_value && size >= mate_value - MATE_MOST) {
        const int plies = mate_value - size;
        entry->mate_red = (int16_t)turned(reader, value > 0 ? plies : -plies, mover);
        entry->score_red = 0;
        return true;
    }
    const int cut = size <= SCORE_MOST ? value : value > 0 ? SCORE_MOST : -SCORE_MOST;
    entry->score_red = (int16_t)turned(reader, cut, mover);
    entry->mate_red = 0; // a score that comes later counts
    return true;
}

static bool read_count(EntryReader *reader, const char *text, long long min, long long max,
                       const char *what, long long *value) {
    if (parse_int(text, min, max, value, what, reader->err) == STATUS_OK) return true;
    return at_fault(reader, IMPORT_FIELDS);
}

bool entry_mate(EntryReader *reader, const char *text, bool mover) {
    long long plies = 0;
    if (mover && !has_position(reader, "mate")) return false;
    if (!read_count(reader, text, -MATE_MOST, MATE_MOST, "mate", &plies)) return false;
    reader->entry.mate_red = (int16_t)turned(reader, (int)plies, mover);
    if (plies != 0) reader->entry.score_red = 0;
    return true;
}

bool entry_depth(EntryReader *reader, const char *text) {
    long long depth = 0;
    if (!read_count(reader, text, 0, INT_MAX, "depth", &depth)) return false;
    reader->entry.depth = (uint8_t)(depth < UINT8_MAX ? depth : UINT8_MAX);
    return true;
}

bool entry_nodes(EntryReader *reader, const char *text) {
    long long nodes = 0;
    if (!read_count(reader, text, 0, LLONG_MAX, "nodes", &nodes)) return false;
    reader->entry.nodes = (uint32_t)(nodes < UINT32_MAX ? nodes : UINT32_MAX);
    return true;
}

// ---- entries in a row --------------------------------------------------------------------------

bool entry_follows(const PositionEntry *entry, bool first, PositionEntry *expected) {
    const bool follows =
        first || (expected->positioned && entry->position.key == expected->position.key &&
                  entry->has_result == expected->has_result && entry->result == expected->result);
    *expected = (PositionEntry){.has_result = entry->has_result, .result = entry->result};
    if (entry->move != MOVE_NONE) {
        position_do_move(&entry->position, entry->move, &expected->position);
        expected->positioned = true;
    }
    return follows;
}

bool cut_entry_lines(SourceReader *reader, EntryReader *entries, ReadEntry *read) {
    PositionEntry expected = {0};
    bool first = true, good = true;
    while (good && line_reader_next_record(&reader->lines)) {
        char *copy = memory_copy_text(reader->lines.line), *at = copy;
        entry_begin(entries);
        good = read(entries, &at);
        free(copy);
        if (!first && (!good || !entry_follows(&entries->entry, false, &expected))) {
            line_reader_unread(&reader->lines);
            return true;
        }
        if (first && good) entry_follows(&entries->entry, true, &expected);
        source_reader_take_line(reader);
        first = false;
    }
    return !first;
}

// Adds an entry to the game, which it must follow.
static ImportRefusal take_entry(const PositionEntry *entry, const ReadSettings *settings,
                                SourceGame *source, Err *err) {
    if (!entry->positioned) {
        err_set(err, STATUS_BAD_INPUT, "there is no FEN");
        return IMPORT_START;
    }
    if (source->game.count == 0) {
        source_game_start(source, &entry->position);
    } else if (source->game.now.key != entry->position.key) {
        err_set(err, STATUS_BAD_INPUT, "the position does not follow the one before it");
        return IMPORT_START;
    }
    if (source->game.count > 0 &&
        (source->has_result != entry->has_result || source->record.result != entry->result)) {
        err_set(err, STATUS_BAD_INPUT, "the result is not that of the position before it");
        return IMPORT_RESULT;
    }
    Move move = entry->move;
    MoveList list;
    if (move == MOVE_NONE && settings->fill_moves) {
        position_legal_moves(&entry->position, &list);
        if (list.count > 0) move = list.moves[0];
    }
    if (move == MOVE_NONE) {
        err_set(err, STATUS_BAD_INPUT,
                "no move is told, and a position is stored with the move played in it: see "
                "--fill-moves");
        return IMPORT_MOVE;
    }
    PlyRecord *ply = source_game_push(source, move);
    ply->score_red = entry->score_red;
    ply->mate_red = entry->mate_red;
    ply->depth = entry->depth;
    ply->nodes = entry->nodes;
    ply->best = entry->best == move ? MOVE_NONE : entry->best;
    source->has_result = entry->has_result;
    source->record.result = entry->result;
    return IMPORT_KEPT;
}

ImportRefusal read_entries(const SourceText *text, char *at, const ReadSettings *settings,
                           EntryReader *entries, ReadEntry *read, SourceGame *source) {
    ImportRefusal refusal = IMPORT_KEPT;
    if (at && memchr(at, '\0', (size_t)(text->data + text->length - at))) {
        err_set(entries->err, STATUS_BAD_INPUT, "there is a zero byte in it");
        return IMPORT_FIELDS;
    }
    entries->lines = 0;
    while (refusal == IMPORT_KEPT && at && *at) {
        source->line = entries->lines;
        entry_begin(entries);
        refusal = read(entries, &at) ? take_entry(&entries->entry, settings, source, entries->err)
                                     : entries->refusal;
    }
    return refusal;
}

bool export_wants_ply(const ExportGame *given, const PlyRecord *ply) {
    if (ply < given->plies + given->game->extra_plies) return false;
    const bool scored = ply->score_red != SCORE_UNKNOWN || ply->mate_red != 0;
    return (given->all_positions || ply->sampled) && (scored || !given->only_scored);
}

Status write_entries(const ExportGame *given, WriteEntry *write, Text *out, Err *err) {
    const GameRecord *game = given->game;
    GameWalk walk;
    game_walk_init(&walk, game);
    while (walk.ply < game->ply_count) {
        const PlyRecord *ply = &given->plies[walk.ply];
        if (!position_is_pseudo_legal(&walk.position, ply->move)) {
            return err_set(err, STATUS_CORRUPT, "ply %u cannot be played", walk.ply + 1);
        }
        if (export_wants_ply(given, ply)) write(given, &walk, ply, out);
        game_walk_step(&walk, game, ply->move);
    }
    return STATUS_OK;
}

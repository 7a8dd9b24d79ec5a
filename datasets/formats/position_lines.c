// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/position_lines.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum { SCORE_MOST = 30000, MATE_MOST = 1000 };

// ---- the parts of an entry ---------------------------------------------------------------------

char *entry_line(EntryReader *reader, char **text) {
    if (!*text || !**text) return NULL;
    reader->lines++;
    return text_next_field(text, '\n');
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

static bool read_result(EntryReader *reader, const char *text, bool stm) {
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
    reader->entry.result = (int8_t)turned(reader, result, stm);
    reader->entry.has_result = true;
    return true;
}

static void set_mate(PositionEntry *entry, int plies_red) {
    entry->mate_red = (int16_t)plies_red;
    if (plies_red != 0) entry->score_red = 0;
}

static bool read_score(EntryReader *reader, const char *text, bool stm) {
    double score = 0;
    if (parse_real(text, -1e9, 1e9, &score, "score", reader->err) != STATUS_OK) {
        return at_fault(reader, IMPORT_FIELDS);
    }
    const int value = (int)(score < 0 ? score - 0.5 : score + 0.5), size = abs(value);
    const int mate = reader->mate_value;
    if (mate && size < mate && size >= mate - MATE_MOST) {
        set_mate(&reader->entry, turned(reader, value > 0 ? mate - size : size - mate, stm));
        return true;
    }
    const int cut = size <= SCORE_MOST ? value : value > 0 ? SCORE_MOST : -SCORE_MOST;
    reader->entry.score_red = (int16_t)turned(reader, cut, stm);
    reader->entry.mate_red = 0; // a score that comes later counts
    return true;
}

// Numbers that are cut to what a column holds.
static bool read_number(EntryReader *reader, EntryField field, bool stm, const char *text) {
    static const struct {
        const char *what;
        long long least, most;
    } limits[] = {
        [ENTRY_HALFMOVE] = {"counter", 0, UINT16_MAX},
        [ENTRY_FULLMOVE] = {"counter", 0, UINT16_MAX},
        [ENTRY_MATE] = {"mate", -MATE_MOST, MATE_MOST},
        [ENTRY_DEPTH] = {"depth", 0, INT_MAX},
        [ENTRY_NODES] = {"nodes", 0, LLONG_MAX},
    };
    PositionEntry *entry = &reader->entry;
    long long n = 0;
    if (parse_int(text, limits[field].least, limits[field].most, &n, limits[field].what,
                  reader->err) != STATUS_OK) {
        return at_fault(reader, IMPORT_FIELDS);
    }
    if (field == ENTRY_HALFMOVE) entry->position.halfmove = (uint16_t)n;
    if (field == ENTRY_FULLMOVE) entry->position.fullmove = (uint16_t)n;
    if (field == ENTRY_MATE) set_mate(entry, turned(reader, (int)n, stm));
    if (field == ENTRY_DEPTH) entry->depth = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
    if (field == ENTRY_NODES) entry->nodes = (uint32_t)(n < UINT32_MAX ? n : UINT32_MAX);
    return true;
}

bool entry_take(EntryReader *reader, EntryField field, bool stm, const char *text) {
    PositionEntry *entry = &reader->entry;
    uint64_t number;
    const bool move = field == ENTRY_MOVE || field == ENTRY_PREDICTED || field == ENTRY_BEST;
    if ((stm || move) && !entry->positioned) {
        err_set(reader->err, STATUS_BAD_INPUT, "there is a %s, but no FEN before it",
                move                    ? "move"
                : field == ENTRY_RESULT ? "result of the side to move"
                                        : "score");
        return at_fault(reader, IMPORT_START);
    }
    switch (field) {
    case ENTRY_FEN:
        entry->positioned = position_from_fen(&entry->position, text, reader->err) == STATUS_OK;
        return entry->positioned || at_fault(reader, IMPORT_START);
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
        }
        return true;
    default:
        return read_number(reader, field, stm, text);
    }
}

// ---- entries in a row --------------------------------------------------------------------------

static const char moves_mark[] = "# moves ";

void entries_write_mark(NotationSystem system, Text *out) {
    text_add(out, "%s%s\n", moves_mark, notation_name(system));
}

// Takes what each record of a file begins with: the notation of its moves, where a line says it,
// and the names of the columns. Without such a line it is the usual one of the format.
static void begin_entries(EntryReader *reader, const ReadSettings *settings,
                          const GameFormat *format, char **head, Err *err) {
    NotationSystem system = format->system;
    *reader = (EntryReader){.err = err};
    if (format->bytes) return;
    if (*head && strncmp(*head, moves_mark, strlen(moves_mark)) == 0) {
        move_system_from_tag(text_next_field(head, '\n') + strlen(moves_mark), &system);
    }
    move_reader_init(&reader->moves, settings->system);
    if (!reader->moves.fixed) reader->moves.system = (int)system;
    if (format->id == FORMAT_CSV && *head) {
        csv_read_header(text_next_field(head, '\n'), &reader->csv);
        reader->pov = settings->pov;
    }
}

static bool read_entry(EntryReader *reader, FormatId format, char **text) {
    reader->entry = (PositionEntry){.score_red = SCORE_UNKNOWN, .game = -1, .ply = -1};
    reader->refusal = IMPORT_FIELDS;
    PositionEntry *entry = &reader->entry;
    if (!(format == FORMAT_CSV     ? read_csv_entry(reader, text)
          : format == FORMAT_PLAIN ? read_plain_entry(reader, text)
          : format == FORMAT_BIN   ? read_bin_entry(reader, text)
                                   : read_epd_entry(reader, text))) {
        return false;
    }
    if (!entry->move) entry->move = entry->predicted;
    if (!entry->move && format == FORMAT_EPD) entry->move = entry->best;
    if (entry->best == entry->move) entry->best = MOVE_NONE;
    return true;
}

// Does an entry follow the last one, as far as both say? Keeps in *expected what the next must be.
static bool follows(const PositionEntry *entry, PositionEntry *expected) {
    const bool same_game = entry->game < 0 || expected->game < 0 || entry->game == expected->game;
    const bool next_ply = entry->ply < 0 || expected->ply < 0 || entry->ply == expected->ply;
    const bool good = expected->positioned && entry->position.key == expected->position.key &&
                      entry->has_result == expected->has_result &&
                      entry->result == expected->result && same_game && next_ply;
    *expected = (PositionEntry){.has_result = entry->has_result,
                                .result = entry->result,
                                .game = entry->game,
                                .ply = entry->ply < 0 ? -1 : entry->ply + 1,
                                .positioned = entry->move != MOVE_NONE};
    if (expected->positioned) {
        position_do_move(&entry->position, entry->move, &expected->position);
    }
    return good;
}

// Refuses a file of columns in which --pov has no effect.
static bool refuse_pov(SourceReader *reader, const char *names) {
    AUTO_FREE char *copy = memory_copy_text(names);
    CsvColumns columns;
    csv_read_header(copy, &columns);
    if (!reader->settings.pov || columns.open) return false;
    err_set(&reader->failure, STATUS_BAD_INPUT,
            "--pov has no effect: the names of its columns say whose view their values have");
    reader->failed = true;
    return true;
}

// Keeps in reader->head what stands before each record: the notation of the moves and the names of
// the columns. A file that has none has those that we write.
static bool take_head(SourceReader *reader) {
    LineReader *lines = &reader->lines;
    if (reader->format->bytes) return true;
    if (line_reader_next(lines)) {
        if (strncmp(lines->line, moves_mark, strlen(moves_mark)) == 0) {
            text_add(&reader->head, "%s\n", lines->line);
        } else {
            line_reader_unread(lines);
        }
    }
    if (reader->format->id != FORMAT_CSV) return true;
    if (!line_reader_next_record(lines)) return false;
    const bool named = csv_is_header(lines->line, lines->length);
    const char *names = named ? lines->line : CSV_HEADER;
    text_add(&reader->head, "%s\n", names);
    if (refuse_pov(reader, names)) return false;
    if (!named) line_reader_unread(lines);
    return true;
}

// Takes the bytes of the next entry of a file without lines; the last may lack some.
static bool take_bytes(SourceReader *reader) {
    char bytes[BIN_SIZE];
    const size_t got = fread(bytes, 1, sizeof bytes, reader->lines.file);
    if (ferror(reader->lines.file)) reader->lines.error_number = errno ? errno : EIO;
    text_add_bytes(&reader->pending, bytes, got);
    reader->pending_line = 0;
    reader->offset += got;
    return got > 0;
}

// Takes the lines of the next entry; false when there are none.
static bool take_entry(SourceReader *reader) {
    Text *entry = &reader->pending;
    if (reader->format->bytes) return take_bytes(reader);
    const LineReader *lines = &reader->lines;
    while (line_reader_next_record(&reader->lines)) {
        if (entry->length == 0) reader->pending_line = lines->number;
        text_add_bytes(entry, lines->line, lines->length);
        text_add(entry, "\n");
        if (reader->format->id != FORMAT_PLAIN || plain_ends_entry(lines->line)) break;
        if (entry->length > SOURCE_TEXT_MAX) break;
    }
    return entry->length > 0;
}

// Refuses a file that only its name calls training data if its first bytes are no position.
static bool is_other_file(SourceReader *reader) {
    if (!reader->format->bytes || reader->given || reader->record_offset > 0) return false;
    err_set(
        &reader->failure, STATUS_BAD_INPUT,
        "its first %d bytes are no position of training data; --format bin reads it all the same",
        BIN_SIZE);
    reader->failed = true;
    return true;
}

// Returns true if the entry is no position but a game: a FEN and its moves.
static bool is_game(const SourceReader *reader, const char *entry) {
    const FormatId id = reader->format->id;
    return id != FORMAT_CSV && id != FORMAT_PLAIN && id != FORMAT_BIN &&
           line_has_game(entry, reader->settings.system);
}

// An entry that has been taken and does not follow is kept for the next record.
bool cut_entries(SourceReader *reader) {
    EntryReader entries;
    PositionEntry expected = {0};
    Text *entry = &reader->pending;
    bool first = true, good = true;
    if (reader->games == 0 && !take_head(reader)) return false;
    AUTO_FREE char *head = memory_copy_text(text_get(&reader->head));
    char *head_at = head;
    begin_entries(&entries, &reader->settings, reader->format, &head_at, NULL);
    text_add(&reader->text, "%s", text_get(&reader->head));
    while (good && (entry->length || take_entry(reader))) {
        AUTO_FREE char *copy = memory_alloc(entry->length + 1, 1);
        memcpy(copy, entry->data, entry->length);
        char *at = copy;
        entries.end = copy + entry->length;
        if (is_game(reader, copy)) {
            if (!first) return true;
            reader->record_format = game_format(FORMAT_MOVES);
            text_reset(&reader->text); // without the head
            good = false;
        }
        good = good && read_entry(&entries, reader->format->id, &at);
        if (!first && !(good && follows(&entries.entry, &expected))) return true;
        if (first && good) follows(&entries.entry, &expected);
        if (first) reader->line = reader->pending_line;
        if (first) reader->record_offset = reader->offset - entry->length;
        if (!good && is_other_file(reader)) return false;
        first = false;
        reader->cut_off = reader->cut_off || reader->text.length + entry->length > SOURCE_TEXT_MAX;
        if (!reader->cut_off) text_add_bytes(&reader->text, entry->data, entry->length);
        text_reset(entry);
    }
    return !first;
}

static ImportRefusal push_entry(const PositionEntry *entry, const ReadSettings *settings,
                                SourceGame *source, Err *err) {
    if (!entry->positioned) return import_refuse(err, IMPORT_START, "there is no FEN");
    if (source->game.count == 0) source_game_start(source, &entry->position);
    Move move = entry->move;
    MoveList list;
    if (move == MOVE_NONE && settings->fill_moves) {
        position_legal_moves(&entry->position, &list);
        if (list.count == 0) {
            return import_refuse(err, IMPORT_MOVE, "the side to move has no legal move");
        }
        move = entry->best != MOVE_NONE ? entry->best : list.moves[0];
    }
    if (move == MOVE_NONE && settings->positions && source->game.count == 0) return IMPORT_KEPT;
    if (move == MOVE_NONE) {
        return import_refuse(
            err, IMPORT_MOVE,
            "it has no move, and a position is stored with the move played in it: see "
            "--fill-moves");
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

ImportRefusal read_entries(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                           Err *err) {
    EntryReader entries;
    PositionEntry expected = {0};
    const FormatId format = text->format->id;
    char *at = text->data;
    begin_entries(&entries, settings, text->format, &at, err);
    entries.end = text->data + text->length;
    if (at && !text->format->bytes && memchr(at, '\0', (size_t)(entries.end - at))) {
        return import_refuse(err, IMPORT_FIELDS, "there is a zero byte in it");
    }
    ImportRefusal refusal = IMPORT_KEPT;
    for (bool first = true; refusal == IMPORT_KEPT && at && at < entries.end; first = false) {
        source->line = entries.lines;
        if (!read_entry(&entries, format, &at)) {
            refusal = entries.refusal;
        } else if (!follows(&entries.entry, &expected) && !first) {
            err_set(err, STATUS_BAD_INPUT, "the position does not follow the one before it");
            refusal = IMPORT_START;
        } else {
            refusal = push_entry(&entries.entry, settings, source, err);
        }
    }
    return refusal;
}

bool export_wants_ply(const ExportGame *given, const PlyRecord *ply) {
    if (ply < given->plies + given->game->extra_plies) return false;
    // The others want a result.
    if (given->game->result == RESULT_NONE && given->format->id != FORMAT_CSV) return false;
    const bool scored = ply->score_red != SCORE_UNKNOWN || ply->mate_red != 0;
    return (given->all_positions || ply->sampled) && (scored || !given->only_scored);
}

Status write_entries(const ExportGame *given, Text *out, Err *err) {
    const GameRecord *game = given->game;
    GameWalk walk;
    game_walk_init(&walk, game);
    while (walk.ply < game->ply_count) {
        const PlyRecord *ply = &given->plies[walk.ply];
        if (!position_is_pseudo_legal(&walk.position, ply->move)) {
            return err_set(err, STATUS_CORRUPT, "ply %u cannot be played", walk.ply + 1);
        }
        if (export_wants_ply(given, ply)) {
            char fen[FEN_SIZE], move[NOTATION_SIZE];
            position_to_fen(&walk.position, FEN_UCI, fen);
            notation_write((NotationSystem)given->system, NULL, &walk.position, ply->move, move);
            given->format->entry(given, &walk, ply, fen, move, out);
        }
        game_walk_step(&walk, game, ply->move);
    }
    return STATUS_OK;
}

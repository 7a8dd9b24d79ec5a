// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/position_lines.h"

#include <errno.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/system/in_file.h"
#include "core/system/interrupt.h"
#include "datasets/formats/survey.h"

static const char moves_mark[] = "# moves ";

void entries_write_mark(NotationSystem system, Text *out) {
    text_add(out, "%s%s\n", moves_mark, notation_name(system));
}

// Prepares *reader for the entries (positions) of a record. Reads the lines before the entries and
// moves *head behind them. The first line may state the notation of the moves; otherwise the
// default notation of the format is tried first. Settings that fix the notation override both. In
// the format csv, the next line has the names of the columns.
static void begin_entries(EntryReader *reader, const ReadSettings *settings,
                          const GameFormat *format, char **head, Err *err) {
    NotationSystem system = format->system;
    *reader = (EntryReader){.err = err, .side = settings->side};
    if (format->bytes) {
        entry_begin_fields(reader, settings, format->id, "");
        return;
    }
    if (*head && strncmp(*head, moves_mark, strlen(moves_mark)) == 0) {
        move_system_from_tag(text_next_field(head, '\n') + strlen(moves_mark), &system);
    }
    move_reader_init(&reader->moves, settings->system);
    if (!reader->moves.fixed) reader->moves.system = (int)system;
    const char *names = format->id == FORMAT_CSV && *head ? text_next_field(head, '\n') : "";
    AUTO_FREE char *header = memory_copy_text(names);
    AUTO_FREE char *copy = memory_copy_text(names);
    if (*copy) csv_read_header(copy, &reader->csv);
    entry_begin_fields(reader, settings, format->id, header);
}

// Checks the moves of a complete entry again: a line after a move may have changed the position for
// which the move was read.
static bool check_moves(EntryReader *reader) {
    const PositionEntry *entry = &reader->entry;
    const Move moves[] = {entry->move, entry->best};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (moves[i] == MOVE_NONE || (position_is_pseudo_legal(&entry->position, moves[i]) &&
                                      position_is_legal(&entry->position, moves[i]))) {
            continue;
        }
        err_set(reader->err, STATUS_BAD_INPUT,
                "the %s move is illegal in the position of the entry", i == 0 ? "played" : "best");
        reader->refusal = IMPORT_MOVE;
        return false;
    }
    return true;
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
    return check_moves(reader);
}

// Returns true if an entry continues the game of the previous one: the position, the result, and
// the numbers of game and ply (if any) are as expected. Replaces *expected by the data that the
// next entry must have.
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

// Returns true and sets reader->failure if --pov was given but has no effect on this file.
static bool refuse_pov(SourceReader *reader, const char *names) {
    const FormatId format = reader->format->id;
    const EntrySurvey *survey = survey_find(reader->settings.survey, format, names);
    AUTO_FREE char *copy = memory_copy_text(names);
    CsvColumns columns = {0};
    if (format == FORMAT_CSV) csv_read_header(copy, &columns);
    if (!reader->settings.pov || columns.open) return false;
    if (format != FORMAT_CSV && (!survey || survey->viewed)) return false;
    err_set(&reader->failure, STATUS_BAD_INPUT,
            "--pov has no effect: the file has no scores, mates and results whose point of view "
            "is open, because the format or the name of a column states it; omit --pov");
    reader->failed = true;
    return true;
}

// Returns true and sets reader->failure if two columns of a csv file state the same field.
static bool refuse_twice(SourceReader *reader, const char *names) {
    AUTO_FREE char *copy = memory_copy_text(names);
    CsvColumns columns;
    csv_read_header(copy, &columns);
    if (!columns.twice) return false;
    const CsvColumn *second = &columns.columns[columns.twice], *first = columns.columns;
    while (!first->known || first->field != second->field) first++;
    err_set(&reader->failure, STATUS_BAD_INPUT,
            "the columns '%s' and '%s' both state the %s: remove one of them, or give it another "
            "name",
            first->name, second->name, entry_field_name(second->field));
    reader->failed = true;
    return true;
}

// Returns true and sets reader->failure if the first line of a csv file has names of columns, but
// none of them is fen: it has letters, and no '/' as every FEN has.
static bool refuse_names(SourceReader *reader) {
    const char *line = reader->lines.line;
    if (strchr(line, '/') || !strpbrk(line, ",;\t") ||
        strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-,;\t \"") !=
            strlen(line) ||
        strspn(line, "0123456789-,;\t ") == strlen(line)) {
        return false;
    }
    err_set(&reader->failure, STATUS_BAD_INPUT,
            "the columns '%.80s' have no column fen: csv needs a position in each line; write the "
            "moves of a game as a line 'FEN<tab>MOVES' and use --format moves",
            line);
    reader->failed = true;
    return true;
}

// Stores the first lines of the file in reader->head: the notation of the moves, if stated, and in
// csv the names of the columns. A CSV file without names gets the names of CSV_HEADER. Returns
// false if a CSV file is empty or refused.
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
    if (reader->format->id != FORMAT_CSV) return !refuse_pov(reader, "");
    if (!line_reader_next_record(lines)) return false;
    AUTO(Text) names = {0};
    const bool named = csv_is_header(lines->line, lines->length);
    if (named) {
        text_add(&names, "%s", lines->line);
    } else if (!csv_name_columns(lines->line, lines->length, &names)) {
        if (refuse_names(reader)) return false;
        text_add(&names, CSV_HEADER);
    }
    text_add(&reader->head, "%s\n", names.data);
    if (refuse_pov(reader, names.data) || refuse_twice(reader, names.data)) return false;
    if (!named) line_reader_unread(lines);
    return true;
}

// Reads the bytes of the next position of a binary file into reader->pending. The last position may
// be incomplete. Returns false at the end of the file.
static bool take_bytes(SourceReader *reader) {
    char bytes[BIN_SIZE];
    const size_t got = fread(bytes, 1, sizeof bytes, reader->lines.file);
    if (ferror(reader->lines.file)) reader->lines.error_number = errno ? errno : EIO;
    text_add_bytes(&reader->pending, bytes, got);
    reader->pending_line = 0;
    reader->offset += got;
    return got > 0;
}

// Reads the next entry (one position) into reader->pending. Returns false at the end of the file.
static bool take_entry(SourceReader *reader) {
    Text *entry = &reader->pending;
    if (reader->format->bytes) return take_bytes(reader);
    const LineReader *lines = &reader->lines;
    while (line_reader_next_record(&reader->lines)) {
        if (entry->length == 0) reader->pending_line = lines->number;
        text_add_bytes(entry, lines->line, lines->length);
        text_add(entry, "\n");
        if (reader->format->id != FORMAT_PLAIN || plain_ends_entry(lines->line)) break;
        if (entry->length > source_record_max(&reader->settings)) break;
    }
    return entry->length > 0;
}

// Refuses a binary file that was recognised only by its name, if its first bytes are not a
// position.
static bool is_other_file(SourceReader *reader) {
    if (!reader->format->bytes || reader->given || reader->record_offset > 0) return false;
    err_set(&reader->failure, STATUS_BAD_INPUT,
            "the file does not begin with a position of training data of %d bytes%s", BIN_SIZE,
            reader->settings.format_option ? "; use --format bin to read the file anyway" : "");
    reader->failed = true;
    return true;
}

// Returns true if the entry is not a position but a game: a FEN followed by moves.
static bool is_game(const SourceReader *reader, const char *entry) {
    const FormatId id = reader->format->id;
    return id != FORMAT_CSV && id != FORMAT_PLAIN && id != FORMAT_BIN &&
           line_has_game(entry, reader->settings.system);
}

// Extracts the entries (positions) of one game from the file. The first entry that does not
// continue the game stays in reader->pending for the next record.
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
            // A record in the format `moves` does not begin with the lines that state the notation
            // and the columns, so remove them.
            text_reset(&reader->text);
            good = false;
        }
        good = good && read_entry(&entries, reader->format->id, &at);
        if (!first && !(good && follows(&entries.entry, &expected))) return true;
        if (first && good) follows(&entries.entry, &expected);
        const uint64_t group = good ? row_group_of(&reader->groups, &entries.entry) : 0;
        if (first) reader->group = group;
        if (first) reader->line = reader->pending_line;
        if (first) reader->record_offset = reader->offset - entry->length;
        if (!good && is_other_file(reader)) return false;
        first = false;
        reader->cut_off = reader->cut_off || reader->text.length + entry->length >
                                                 source_record_max(&reader->settings);
        if (!reader->cut_off) text_add_bytes(&reader->text, entry->data, entry->length);
        text_reset(entry);
    }
    return !first;
}

void entries_show(SourceReader *reader, int most, ShowEntry *show, void *context) {
    EntryReader entries;
    EntryOrigin origins[ENTRY_FIELD_COUNT];
    const GameFormat *format = reader->format;
    Err err = {0};
    if (!take_head(reader)) return;
    AUTO_FREE char *head = memory_copy_text(text_get(&reader->head));
    char *head_at = head;
    begin_entries(&entries, &reader->settings, format, &head_at, &err);
    entries.origins = origins;
    for (int i = 0; i < most && take_entry(reader); i++) {
        Text *entry = &reader->pending;
        AUTO_FREE char *copy = memory_alloc(entry->length + 1, 1);
        memcpy(copy, entry->data, entry->length);
        char *at = copy;
        entries.end = copy + entry->length;
        memset(origins, 0, sizeof origins);
        const bool game = is_game(reader, copy);
        const bool good = !game && read_entry(&entries, format->id, &at);
        const EntryShown shown = {
            .entry = &entries.entry,
            .origins = origins,
            .line = format->bytes ? 0 : reader->pending_line,
            .offset = reader->offset - entry->length,
            .game = game ? text_get(entry) : NULL,
            .fault = good || game ? NULL : &err,
        };
        show(context, &shown);
        text_reset(entry);
    }
}

void survey_file(SourceReader *reader, Survey *survey) {
    EntryReader entries;
    const GameFormat *format = reader->format;
    const char *file = packed_file_name(reader->packed);
    if ((!format->positions && format->id != FORMAT_MOVES) || !take_head(reader)) return;
    AUTO_FREE char *head = memory_copy_text(text_get(&reader->head));
    AUTO_FREE char *names = memory_copy_text(head);
    char *head_at = head, *name = names;
    begin_entries(&entries, &reader->settings, format, &head_at, NULL);
    if (strncmp(name, moves_mark, strlen(moves_mark)) == 0) text_next_field(&name, '\n');
    entries.survey = survey_open(survey, format->id, name ? text_next_field(&name, '\n') : "");
    if (entries.survey->files++ == 0) entries.survey->file = memory_copy_text(file);
    entries.survey_file = file;
    entries.side = FEN_SIDE_FREE;
    while (!interrupt_requested() && take_entry(reader)) {
        Text *entry = &reader->pending;
        char *at = entry->data;
        entries.end = entry->data + entry->length;
        entries.survey_line = format->bytes ? reader->offset - entry->length : reader->pending_line;
        read_entry(&entries, format->id, &at);
        text_reset(entry);
    }
}

static ImportRefusal push_entry(const PositionEntry *entry, const ReadSettings *settings,
                                SourceGame *source, Err *err) {
    if (!entry->positioned) return import_refuse(err, IMPORT_START, "the entry has no FEN");
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
        return import_refuse(err, IMPORT_MOVE,
                             "the position has no move, but a game needs the move that was played; "
                             "'data import --fill-moves' stores a legal move instead");
    }
    PlyRecord *ply = source_game_push(source, move);
    ply->score_red = entry->score_red;
    ply->mate_red = entry->mate_red;
    ply->depth = entry->depth;
    ply->nodes = entry->nodes;
    ply->best = entry->best == move ? MOVE_NONE : entry->best;
    source->sided += entry->sided;
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
        return import_refuse(err, IMPORT_FIELDS,
                             "the record contains a zero byte, so the file is not a text");
    }
    ImportRefusal refusal = IMPORT_KEPT;
    for (bool first = true; refusal == IMPORT_KEPT && at && at < entries.end; first = false) {
        source->line = entries.lines;
        if (!read_entry(&entries, format, &at)) {
            refusal = entries.refusal;
        } else if (!follows(&entries.entry, &expected) && !first) {
            err_set(err, STATUS_BAD_INPUT,
                    "the entry does not continue the game of the previous entry");
            refusal = IMPORT_START;
        } else {
            refusal = push_entry(&entries.entry, settings, source, err);
        }
    }
    return refusal;
}

bool export_wants_ply(const ExportGame *given, const PlyRecord *ply) {
    if (ply < given->plies + given->game->extra_plies) return false;
    // Positions of a game without a result are only written in csv.
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
            return err_set(err, STATUS_CORRUPT, "the move in ply %u is illegal", walk.ply + 1);
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

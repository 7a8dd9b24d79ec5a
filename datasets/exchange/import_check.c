// SPDX-License-Identifier: GPL-3.0-or-later
// data import --check: prints the first records of each file as an import understands them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/system/interrupt.h"
#include "datasets/exchange/import.h"
#include "datasets/formats/position_lines.h"

enum { RECORDS_MOST = 5 }; // records that are shown of each file

typedef struct Checking {
    const ImportSpec *spec;
    ReadSettings read; // spec->read with the survey
    SourceReader reader;
    size_t records; // number of records shown so far
    bool refused;   // a record or a file was refused
    bool json;
    FILE *out;
} Checking;

static const char *result_in_words(bool known, int result) {
    if (!known || result == RESULT_NONE) return "unknown";
    return result > 0 ? "Red wins" : result < 0 ? "Black wins" : "draw";
}

static void begin(Checking *checking, Record *record, const char *file, size_t line,
                  size_t offset) {
    record_begin(record, checking->out, checking->json);
    record_add(record, "record %zu file %s", ++checking->records, file);
    record_add(record, line ? "line %zu" : "byte %zu", line ? line : offset);
}

static void end_refused(Checking *checking, Record *record, const char *why) {
    record_add(record, "error %s", why);
    record_end(record);
    checking->refused = true;
}

static void add_position(Record *record, const Position *position) {
    char fen[FEN_SIZE];
    position_to_fen(position, FEN_UCI, fen);
    fen[strcspn(fen, " ")] = '\0';
    record_add(record, "board %s side %s", fen, position->stm == RED ? "red" : "black");
}

static void add_move(Record *record, Move move) {
    char text[NOTATION_SIZE];
    if (move == MOVE_NONE) {
        record_unknown(record, "move");
        return;
    }
    move_to_uci(move, text);
    record_add(record, "move %s", text);
}

static void add_score(Record *record, int score_red, int mate_red) {
    if (mate_red) {
        record_add(record, "mate_red %d", mate_red);
    } else if (score_red != SCORE_UNKNOWN) {
        record_add(record, "score_red %d", score_red);
    } else {
        record_unknown(record, "score_red");
    }
}

// Adds the origin of a value: the column or part of the line, and the text there if `with_text` is
// set.
static void add_origin(Record *record, const char *name, const EntryOrigin *origin,
                       bool with_text) {
    AUTO(Text) key = {0};
    text_add(&key, "%s_from", name);
    if (!origin->from[0]) {
        record_unknown(record, key.data);
        return;
    }
    record_add(record, "%s_from %s", name, origin->from);
    if (with_text) record_add(record, "%s_text %s", name, origin->text);
}

static const EntryOrigin *first_origin(const EntryOrigin *origins, EntryField first,
                                       EntryField second, EntryField third) {
    if (origins[first].from[0]) return &origins[first];
    return origins[second].from[0] ? &origins[second] : &origins[third];
}

static void show_game(Checking *checking, const SourceText *text) {
    Record record;
    Err err = {0};
    AUTO(SourceGame) source;
    ImportSpec spec = *checking->spec;
    spec.read = checking->read;
    source_game_init(&source);
    const ImportRefusal refusal = import_read(&spec, text, &source, &err);
    begin(checking, &record, text->file, text->line ? text->line : 0, text->offset);
    if (refusal != IMPORT_KEPT) {
        end_refused(checking, &record, err.text);
        return;
    }
    const PlyRecord *ply = source.plies + source.record.extra_plies;
    add_position(&record, &source.record.start);
    add_move(&record, ply->move);
    add_score(&record, ply->score_red, ply->mate_red);
    record_add(&record, "result %s", result_in_words(true, source.record.result));
    record_add(&record, "result_from %s plies %zu",
               source.has_result ? "file"
               : source.judged   ? "rules"
               : source.named    ? "name"
                                 : "--unknown",
               source.game.count);
    record_end(&record);
}

static void show_entry(void *context, const EntryShown *shown) {
    Checking *checking = context;
    Record record;
    const char *file = packed_file_name(checking->reader.packed);
    if (shown->game) {
        AUTO_FREE char *data = memory_copy_text(shown->game);
        const SourceText text = {.data = data,
                                 .length = strlen(data),
                                 .line = shown->line,
                                 .number = 1,
                                 .file = file,
                                 .format = game_format(FORMAT_MOVES)};
        show_game(checking, &text);
        return;
    }
    begin(checking, &record, file, shown->line, shown->offset);
    if (shown->fault) {
        end_refused(checking, &record, shown->fault->text);
        return;
    }
    const PositionEntry *entry = shown->entry;
    const EntryOrigin *origins = shown->origins;
    add_position(&record, &entry->position);
    add_origin(&record, "board", &origins[ENTRY_FEN], false);
    const EntryOrigin option = {.from = "--side"};
    add_origin(&record, "side",
               entry->sided ? &option : first_origin(origins, ENTRY_SIDE, ENTRY_FEN, ENTRY_FEN),
               false);
    add_move(&record, entry->move);
    add_origin(&record, "move", first_origin(origins, ENTRY_MOVE, ENTRY_PREDICTED, ENTRY_BEST),
               true);
    add_score(&record, entry->score_red, entry->mate_red);
    add_origin(&record, "score",
               entry->mate_red ? first_origin(origins, ENTRY_MATE, ENTRY_SCORE, ENTRY_SCORE)
                               : &origins[ENTRY_SCORE],
               true);
    record_add(&record, "result %s", result_in_words(entry->has_result, entry->result));
    add_origin(&record, "result", &origins[ENTRY_RESULT], true);
    record_end(&record);
}

static void refuse_file(Checking *checking, const char *file, const char *why) {
    record_print(checking->out, checking->json, checking->json ? "file %s error %s" : "%s: %s",
                 file, why);
    checking->refused = true;
}

// Shows the first records of the current file.
static void show_file(Checking *checking) {
    SourceReader *reader = &checking->reader;
    SourceText text;
    const size_t before = checking->records;
    if (reader->format->positions) {
        entries_show(reader, RECORDS_MOST, show_entry, checking);
    } else {
        for (int i = 0; i < RECORDS_MOST && source_reader_cut(reader, &text); i++) {
            show_game(checking, &text);
            free(text.data);
        }
    }
    if (source_reader_failed(reader)) {
        refuse_file(checking, packed_file_name(reader->packed), reader->failure.text);
    } else if (checking->records == before) {
        refuse_file(checking, packed_file_name(reader->packed), "the file contains no game");
    }
}

static void show_path(Checking *checking, const char *path, FILE *copy) {
    SourceReader *reader = &checking->reader;
    Err why = {0};
    Status status =
        source_reader_open_copy(reader, path, copy, checking->spec->format, &checking->read, &why);
    if (status != STATUS_OK) {
        refuse_file(checking, path, why.text);
        return;
    }
    while (status != STATUS_NOT_FOUND && !interrupt_requested()) {
        status = source_reader_next_file(reader, &why);
        if (status == STATUS_OK) {
            show_file(checking);
        } else if (status != STATUS_NOT_FOUND) {
            refuse_file(checking, packed_file_name(reader->packed), why.text);
        }
    }
    source_reader_close(reader);
}

Status import_check(const ImportSpec *spec, bool json, FILE *out, Err *err) {
    AUTO(ImportCopies) copies = {0};
    AUTO(Survey) survey = {0};
    AUTO(Text) scales = {0};
    Checking checking = {.spec = spec, .read = spec->read, .json = json, .out = out};
    TRY(import_copy_inputs(spec->paths, NULL, &copies, err));
    const Status status =
        import_survey(spec->paths, &copies, spec->format, &spec->read, &survey, err);
    checking.read.survey = &survey;
    for (size_t i = 0; i < copies.count; i++) {
        show_path(&checking, spec->paths->count ? spec->paths->paths[i] : "-", copies.files[i]);
    }
    if (status != STATUS_OK) return status;
    survey_scales_to_text(&survey, &scales);
    if (scales.length) record_print(out, json, "result_scale %s", scales.data);
    return checking.refused ? STATUS_REPORTED : STATUS_OK;
}

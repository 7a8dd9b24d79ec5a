// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/import.h"

#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"

const char *import_refusal_name(ImportRefusal refusal) {
    static const char *const names[IMPORT_REFUSAL_COUNT] = {"kept",
#define IMPORT_REFUSAL(id, name) name,
                                                            IMPORT_REFUSALS(IMPORT_REFUSAL)
#undef IMPORT_REFUSAL
    };
    return names[refusal];
}

// ---- one record --------------------------------------------------------------------------------

// A record of the file and what became of it.
typedef struct ImportRecord {
    char *line; // owned
    size_t length, number;
    ImportRefusal refusal;
    Err err;
    GameRecord game;
    PlyRecord *plies; // owned
} ImportRecord;

typedef struct Fields {
    const char *result, *start, *moves;
} Fields;

// A board has nine slashes and nothing but letters and digits between them.
static bool looks_like_fen(const char *field) {
    int slashes = 0;
    for (; *field && *field != ' '; field++) {
        const char c = *field;
        const bool fits =
            (c >= '1' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (c == '/') {
            slashes++;
        } else if (!fits) {
            return false;
        }
    }
    return slashes == RANK_COUNT - 1;
}

static ImportRefusal split(ImportRecord *record, Fields *fields) {
    *fields = (Fields){0};
    if (memchr(record->line, '\0', record->length)) {
        err_set(&record->err, STATUS_BAD_INPUT, "there is a zero byte in it");
        return IMPORT_FIELDS;
    }
    char *cursor = record->line;
    fields->result = text_next_field(&cursor, '\t');
    for (const char *field; (field = text_next_field(&cursor, '\t'));) {
        if (fields->moves && !fields->start && looks_like_fen(fields->moves)) {
            fields->start = fields->moves;
        }
        fields->moves = field;
    }
    if (fields->moves) return IMPORT_KEPT;
    err_set(&record->err, STATUS_BAD_INPUT,
            "want the result and the moves, separated by a tab, found '%.40s'", fields->result);
    return IMPORT_FIELDS;
}

static ImportRefusal read_result(ImportRecord *record, const char *text) {
    static const struct {
        const char *text;
        int8_t result;
    } results[] = {{"1-0", 1}, {"0-1", -1}, {"1/2-1/2", 0}};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (strcmp(text, results[i].text) != 0) continue;
        record->game.result = results[i].result;
        return IMPORT_KEPT;
    }
    err_set(&record->err, STATUS_BAD_INPUT, "the result '%.40s' is not 1-0, 0-1 or 1/2-1/2", text);
    return IMPORT_RESULT;
}

static void record_plies(const ImportSpec *spec, ImportRecord *record, const Game *game) {
    record->plies = memory_alloc(game->count, sizeof *record->plies);
    for (size_t i = 0; i < game->count; i++) {
        const GamePly *ply = &game->plies[i];
        const bool quiet = ply->captured == PIECE_NONE && !position_in_check(&ply->before);
        record->plies[i] = (PlyRecord){
            .move = ply->move,
            .score_red = SCORE_UNKNOWN,
            .sampled = i >= (size_t)spec->sample_after && i < record->game.end_ply &&
                       (spec->sample == IMPORT_SAMPLE_ALL ||
                        (spec->sample == IMPORT_SAMPLE_QUIET && quiet)),
        };
    }
}

// Reads a record and judges it; game is memory to work in.
static ImportRefusal read_record(const ImportSpec *spec, ImportRecord *record, Game *game) {
    Fields fields;
    Position start;
    ImportRefusal refusal = split(record, &fields);
    if (refusal == IMPORT_KEPT) refusal = read_result(record, fields.result);
    if (refusal != IMPORT_KEPT) return refusal;
    const char *fen = fields.start ? fields.start : START_FEN;
    if (position_from_fen(&start, fen, &record->err) != STATUS_OK) return IMPORT_START;
    game_reset(game, &start);
    if (game_push_text(game, fields.moves, &record->err) != STATUS_OK) return IMPORT_MOVE;
    if (game->count == 0 || game->count > UINT16_MAX) {
        err_set(&record->err, STATUS_BAD_INPUT, "%zu plies, want 1 to %d", game->count, UINT16_MAX);
        return IMPORT_LENGTH;
    }
    size_t end_ply = game->count;
    Judgement end = {VERDICT_NONE, END_NONE};
    rules_first_end(&spec->rules, game, &end_ply, &end);
    record->game.start = start;
    record->game.ply_count = (uint32_t)game->count;
    record->game.reason = END_IMPORTED;
    record->game.end_ply = (uint32_t)end_ply;
    record->game.end_reason = (uint8_t)end.reason;
    record_plies(spec, record, game);
    return IMPORT_KEPT;
}

// ---- the file ----------------------------------------------------------------------------------

typedef struct Import {
    const ImportSpec *spec;
    const ImportHooks *hooks;
    ImportReport *report;
    LineReader reader;
    ImportRecord *records; // spec->shard_games of them
    size_t count;          // read into records
    GameBatch batch;
} Import;

static void read_lines(Import *import) {
    import->count = 0;
    while (import->count < (size_t)import->spec->shard_games && !interrupt_requested() &&
           line_reader_next_record(&import->reader)) {
        const LineReader *reader = &import->reader;
        ImportRecord *record = &import->records[import->count++];
        *record = (ImportRecord){.length = reader->length, .number = reader->number};
        record->line = memory_alloc(reader->length + 1, 1);
        memcpy(record->line, reader->line, reader->length);
    }
}

static void read_records(Import *import) {
#pragma omp parallel num_threads(import->spec->threads)
    {
        Game game;
        Position start;
        position_init_start(&start);
        game_init(&game, &start);
#pragma omp for schedule(dynamic, 8)
        for (size_t i = 0; i < import->count; i++) {
            ImportRecord *record = &import->records[i];
            record->refusal = read_record(import->spec, record, &game);
        }
        game_clear(&game);
    }
}

static void take_record(Import *import, ImportRecord *record) {
    ImportReport *report = import->report;
    record->game.index = report->records++;
    if (record->refusal != IMPORT_KEPT) {
        report->refused[record->refusal]++;
        if (import->hooks->refused) {
            import->hooks->refused(import->hooks->context, record->number, record->err.text);
        }
        return;
    }
    game_batch_append(&import->batch, &record->game, record->plies);
    report->games++;
    report->plies += record->game.ply_count;
    report->ends[record->game.end_reason]++;
    for (uint32_t i = 0; i < record->game.ply_count; i++) {
        report->positions += record->plies[i].sampled;
    }
}

// Takes the records of one shard over, in order, and writes it.
static Status write_records(Import *import, Err *err) {
    const uint64_t first = import->report->records;
    char name[SHARD_NAME_SIZE];
    game_batch_reset(&import->batch);
    for (size_t i = 0; i < import->count; i++) {
        take_record(import, &import->records[i]);
        free(import->records[i].plies);
        free(import->records[i].line);
    }
    const OptionRange range = {first, import->report->records};
    const Status status =
        shard_write(import->spec->out, &import->batch, range, &import->spec->provenance, name, err);
    if (status == STATUS_OK && import->hooks->shard) {
        import->hooks->shard(import->hooks->context, name, range);
    }
    return status;
}

Status import_moves(const ImportSpec *spec, const ImportHooks *hooks, Progress *progress,
                    ImportReport *report, Err *err) {
    *report = (ImportReport){0};
    Import import = {.spec = spec, .hooks = hooks, .report = report};
    Status status = line_reader_open(&import.reader, spec->path, err);
    if (status != STATUS_OK) return status;
    status = run_directory_new(spec->out, err);
    import.records = memory_alloc((size_t)spec->shard_games, sizeof *import.records);
    do {
        if (status != STATUS_OK) break;
        read_lines(&import);
        read_records(&import);
        if (import.count > 0) status = write_records(&import, err);
        progress_update(progress, report->records, NULL);
        report->interrupted = interrupt_requested();
    } while (import.count == (size_t)spec->shard_games && !report->interrupted);
    const Status closed = line_reader_close(&import.reader, status == STATUS_OK ? err : NULL);
    free(import.records);
    game_batch_clear(&import.batch);
    return status == STATUS_OK ? closed : status;
}

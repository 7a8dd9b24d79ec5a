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

static ImportRefusal split(char *line, size_t length, Fields *fields, Err *err) {
    *fields = (Fields){0};
    if (memchr(line, '\0', length)) {
        err_set(err, STATUS_BAD_INPUT, "there is a zero byte in it");
        return IMPORT_FIELDS;
    }
    char *cursor = line;
    fields->result = text_next_field(&cursor, '\t');
    for (const char *field; (field = text_next_field(&cursor, '\t'));) {
        if (fields->moves && !fields->start && looks_like_fen(fields->moves)) {
            fields->start = fields->moves;
        }
        fields->moves = field;
    }
    if (fields->moves) return IMPORT_KEPT;
    err_set(err, STATUS_BAD_INPUT,
            "want the result and the moves, separated by a tab, found '%.40s'", fields->result);
    return IMPORT_FIELDS;
}

static ImportRefusal read_result(const char *text, int8_t *result, Err *err) {
    static const struct {
        const char *text;
        int8_t result;
    } results[] = {{"1-0", 1}, {"0-1", -1}, {"1/2-1/2", 0}};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (strcmp(text, results[i].text) != 0) continue;
        *result = results[i].result;
        return IMPORT_KEPT;
    }
    err_set(err, STATUS_BAD_INPUT, "the result '%.40s' is not 1-0, 0-1 or 1/2-1/2", text);
    return IMPORT_RESULT;
}

static PlyRecord *make_plies(const ImportSpec *spec, const GameRecord *record, const Game *game) {
    PlyRecord *plies = memory_alloc(game->count, sizeof *plies);
    for (size_t i = 0; i < game->count; i++) {
        const GamePly *ply = &game->plies[i];
        const bool quiet = ply->captured == PIECE_NONE && !position_in_check(&ply->before);
        plies[i] = (PlyRecord){
            .move = ply->move,
            .score_red = SCORE_UNKNOWN,
            .sampled = i >= (size_t)spec->sample_after && i < record->end_ply &&
                       (spec->sample == IMPORT_SAMPLE_ALL ||
                        (spec->sample == IMPORT_SAMPLE_QUIET && quiet)),
        };
    }
    return plies;
}

ImportRefusal import_moves_line(const ImportSpec *spec, char *line, size_t length, Game *game,
                                GameRecord *record, PlyRecord **plies, Err *err) {
    Fields fields;
    Position start;
    *record = (GameRecord){.reason = END_IMPORTED};
    ImportRefusal refusal = split(line, length, &fields, err);
    if (refusal == IMPORT_KEPT) refusal = read_result(fields.result, &record->result, err);
    if (refusal != IMPORT_KEPT) return refusal;
    if (position_from_fen(&start, fields.start ? fields.start : START_FEN, err) != STATUS_OK) {
        return IMPORT_START;
    }
    game_reset(game, &start);
    if (game_push_text(game, fields.moves, err) != STATUS_OK) return IMPORT_MOVE;
    if (game->count == 0 || game->count > UINT16_MAX) {
        err_set(err, STATUS_BAD_INPUT, "%zu plies, want 1 to %d", game->count, UINT16_MAX);
        return IMPORT_LENGTH;
    }
    size_t end_ply = game->count;
    Judgement end = {VERDICT_NONE, END_NONE};
    rules_first_end(&spec->rules, game, &end_ply, &end);
    record->start = start;
    record->ply_count = (uint32_t)game->count;
    record->end_ply = (uint32_t)end_ply;
    record->end_reason = (uint8_t)end.reason;
    *plies = make_plies(spec, record, game);
    return IMPORT_KEPT;
}

// ---- the file ----------------------------------------------------------------------------------

// A record of the file and what became of it.
typedef struct ImportRecord {
    char *line; // owned
    size_t length, number;
    ImportRefusal refusal;
    Err err;
    GameRecord game;
    PlyRecord *plies; // owned
} ImportRecord;

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
            record->refusal = import_moves_line(import->spec, record->line, record->length, &game,
                                                &record->game, &record->plies, &record->err);
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
    RunLock *lock = NULL;
    status = run_directory_new(spec->out, err);
    if (status == STATUS_OK) status = run_directory_lock(spec->out, &lock, err);
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
    run_directory_unlock(lock);
    free(import.records);
    game_batch_clear(&import.batch);
    return status == STATUS_OK ? closed : status;
}

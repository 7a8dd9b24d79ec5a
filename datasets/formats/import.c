// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/import.h"

#include <stdio.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "datasets/store/run.h"

// ---- one record --------------------------------------------------------------------------------

// A record of a file and what became of it.
typedef struct ImportRecord {
    SourceText text; // data owned
    ImportRefusal refusal;
    bool told, judged; // the result, by the file or by the referee
    size_t fault_line; // lines of the record before the place of the refusal
    Err err;
    GameRecord game;
    PlyRecord *plies; // owned
} ImportRecord;

// Marks the sampled plies of a game that is judged.
static void sample_plies(const ImportSpec *spec, bool positions, SourceGame *source) {
    const ImportSample sample = positions && !spec->sample_given ? IMPORT_SAMPLE_ALL : spec->sample;
    const size_t after = positions && !spec->sample_after_given ? 0 : (size_t)spec->sample_after;
    const size_t extra = source->record.extra_plies;
    for (size_t i = extra; i < source->record.ply_count; i++) {
        const GamePly *ply = &source->game.plies[i - extra];
        const bool quiet = ply->captured == PIECE_NONE && !position_in_check(&ply->before);
        source->plies[i].sampled =
            i >= after && i < source->record.end_ply &&
            (sample == IMPORT_SAMPLE_ALL || (sample == IMPORT_SAMPLE_QUIET && quiet));
    }
}

// The result of a game of which the file does not tell it; false when it is refused.
static bool find_result(const ImportSpec *spec, SourceGame *source, Err *err) {
    const Judgement end = rules_judge(&spec->rules, &source->game);
    const bool judged = end.verdict != VERDICT_NONE;
    if (spec->unknown == IMPORT_UNKNOWN_SKIP || (!judged && spec->unknown != IMPORT_UNKNOWN_DRAW)) {
        err_set(err, STATUS_BAD_INPUT, "the file does not say how the game ended%s",
                judged ? ", and --unknown referee is not given"
                       : ", nor does its last position: see --unknown");
        return false;
    }
    source->judged = judged;
    source->record.result = (int8_t)(end.verdict == VERDICT_RED_LOSES     ? -1
                                     : end.verdict == VERDICT_BLACK_LOSES ? 1
                                                                          : 0);
    return true;
}

ImportRefusal import_read(const ImportSpec *spec, const SourceText *text, SourceGame *source,
                          Err *err) {
    const ImportRefusal refusal = source_text_read(text, &spec->read, source, err);
    if (refusal != IMPORT_KEPT) return refusal;
    if (!source->has_result && !find_result(spec, source, err)) return IMPORT_RESULT;
    GameRecord *game = &source->record;
    size_t end_ply = source->game.count;
    Judgement end = {VERDICT_NONE, END_NONE};
    rules_first_end(&spec->rules, &source->game, &end_ply, &end);
    game->ply_count = game->extra_plies + (uint32_t)source->game.count;
    game->reason = END_IMPORTED;
    game->end_ply = (uint32_t)end_ply + game->extra_plies;
    game->end_reason = (uint8_t)end.reason;
    sample_plies(spec, text->format->positions, source);
    return IMPORT_KEPT;
}

static void read_record(const ImportSpec *spec, ImportRecord *record, SourceGame *source) {
    if (record->text.broken) return;
    record->refusal = import_read(spec, &record->text, source, &record->err);
    record->fault_line = source->line;
    record->told = source->has_result;
    record->judged = source->judged;
    if (record->refusal != IMPORT_KEPT) return;
    record->game = source->record;
    record->plies = memory_alloc(record->game.ply_count, sizeof *record->plies);
    memcpy(record->plies, source->plies, record->game.ply_count * sizeof *record->plies);
}

// ---- the files ---------------------------------------------------------------------------------

typedef struct Import {
    const ImportSpec *spec;
    const ImportHooks *hooks;
    ImportReport *report;
    SourceReader reader;
    bool open;             // reader is
    size_t next_path;      // number of the file to open next
    ImportRecord *records; // spec->shard_games of them
    size_t count;          // read into records
    GameBatch batch;
} Import;

void import_refuse_file(const ImportHooks *hooks, ImportReport *report, const char *path,
                        const char *why) {
    report->refused_files++;
    const ImportPlace place = {.path = path};
    if (hooks->refused) hooks->refused(hooks->context, &place, why);
}

// Opens the next file that can be; false when there is none. One that cannot is refused among
// others, and an error when it is the only one.
static bool open_next(Import *import, Status *status, Err *err) {
    const PathList *paths = import->spec->paths;
    const size_t count = paths && paths->count ? paths->count : 1;
    while (import->next_path < count && !interrupt_requested()) {
        const char *path = paths && paths->count ? paths->paths[import->next_path] : "-";
        Err why = {0};
        import->next_path++;
        *status = source_reader_open(&import->reader, path, import->spec->format,
                                     &import->spec->read, &why);
        import->open = *status == STATUS_OK;
        if (import->open) return true;
        if (count == 1) {
            *err = why;
            return false;
        }
        *status = STATUS_OK;
        import_refuse_file(import->hooks, import->report, path, why.text);
    }
    return false;
}

// Reads the records of the next shard.
static Status cut_records(Import *import, Err *err) {
    Status status = STATUS_OK;
    import->count = 0;
    while (import->count < (size_t)import->spec->shard_games && !interrupt_requested()) {
        if (!import->open && !open_next(import, &status, err)) break;
        ImportRecord *record = &import->records[import->count];
        *record = (ImportRecord){0};
        import->reader.passed = &import->report->passed;
        import->open = source_reader_next(&import->reader, &record->text, &record->err);
        if (import->open) {
            import->count++;
        } else {
            source_reader_close(&import->reader);
        }
    }
    return status;
}

static void read_records(Import *import) {
#pragma omp parallel num_threads(import->spec->threads)
    {
        SourceGame source;
        source_game_init(&source);
#pragma omp for schedule(dynamic, 8)
        for (size_t i = 0; i < import->count; i++) {
            read_record(import->spec, &import->records[i], &source);
        }
        source_game_clear(&source);
    }
}

static void take_record(Import *import, ImportRecord *record) {
    ImportReport *report = import->report;
    if (record->text.broken) {
        import_refuse_file(import->hooks, report, record->text.file, record->err.text);
        return;
    }
    record->game.index = report->records++;
    if (record->refusal != IMPORT_KEPT) {
        report->refused[record->refusal]++;
        const size_t line = record->text.line ? record->text.line + record->fault_line : 0;
        const ImportPlace place = {record->text.file, line, record->text.offset,
                                   record->text.number};
        if (import->hooks->refused) {
            import->hooks->refused(import->hooks->context, &place, record->err.text);
        }
        return;
    }
    game_batch_append(&import->batch, &record->game, record->plies);
    report->games++;
    report->plies += record->game.ply_count;
    report->ends[record->game.end_reason]++;
    uint64_t sampled = 0;
    for (uint32_t i = 0; i < record->game.ply_count; i++) {
        sampled += record->plies[i].sampled;
    }
    report->positions += sampled;
    report->unsampled += sampled == 0;
    report->by_referee += record->judged;
    report->as_draws += !record->told && !record->judged;
}

// Takes the records of one shard over, in order, and writes it.
static Status write_records(Import *import, Err *err) {
    // What is refused before the first game that is kept belongs to the first shard.
    const uint64_t first = import->report->games ? import->report->records : 0;
    char name[SHARD_NAME_SIZE];
    game_batch_reset(&import->batch);
    for (size_t i = 0; i < import->count; i++) {
        take_record(import, &import->records[i]);
        free(import->records[i].plies);
        free(import->records[i].text.data);
    }
    if (import->report->games == 0) return STATUS_OK;
    const OptionRange range = {first, import->report->records};
    const Status status =
        shard_write(import->spec->out, &import->batch, range, &import->spec->provenance, name, err);
    if (status == STATUS_OK && import->hooks->shard) {
        import->hooks->shard(import->hooks->context, name, range);
    }
    return status;
}

Status import_games(const ImportSpec *spec, const ImportHooks *hooks, Progress *progress,
                    ImportReport *report, Err *err) {
    Import import = {.spec = spec, .hooks = hooks, .report = report};
    Status status = STATUS_OK;
    // A file that is not there is found before anything is written.
    if (!open_next(&import, &status, err) && status != STATUS_OK) return status;
    RunLock *lock = NULL;
    status = run_new(spec->out, spec->provenance.command, &lock, err);
    import.records = memory_alloc((size_t)spec->shard_games, sizeof *import.records);
    do {
        if (status != STATUS_OK) break;
        status = cut_records(&import, err);
        read_records(&import);
        Err later = {0};
        if (import.count > 0) {
            const Status written = write_records(&import, status == STATUS_OK ? err : &later);
            if (status == STATUS_OK) status = written;
        }
        progress_update(progress, report->records, NULL);
        report->interrupted = interrupt_requested();
    } while (import.count == (size_t)spec->shard_games && !report->interrupted);
    if (import.open) source_reader_close(&import.reader);
    run_new_end(spec->out, lock, status == STATUS_OK && !report->interrupted, report->games > 0);
    free(import.records);
    game_batch_clear(&import.batch);
    return status;
}

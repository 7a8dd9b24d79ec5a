// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/import.h"

#include <stdio.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/rank_jobs.h"
#include "datasets/store/game_key.h"
#include "datasets/store/run.h"

// ---- one record --------------------------------------------------------------------------------

// A game of a record and what became of it.
typedef struct ImportGame {
    ImportRefusal refusal;
    bool told, judged; // the result, by the file or by the referee
    Err err;
    GameRecord game;
    PlyRecord *plies; // owned, as are
    TagList tags;
    uint64_t key; // game_content_key()
    size_t of;    // of a variation: the line that it leaves
    uint32_t ply; // and after so many plies of the game
} ImportGame;

typedef struct ImportRecord {
    SourceText text;   // data owned
    size_t fault_line; // lines of the record before the place of the refusal
    ImportGame main;
    ImportGame *lines; // its variations
    size_t line_count;
} ImportRecord;

// Marks the sampled plies of a game that is judged, `before` plies behind the beginning of its
// game; of positions that are among `seen` none, where that is not NULL.
static void sample_plies(const ImportSpec *spec, bool positions, uint32_t before, KeySet *seen,
                         SourceGame *source) {
    const ImportSample sample = positions && !spec->sample_given ? IMPORT_SAMPLE_ALL : spec->sample;
    const size_t after = positions && !spec->sample_after_given ? 0 : (size_t)spec->sample_after;
    const size_t extra = source->record.extra_plies;
    for (size_t i = extra; i < source->record.ply_count; i++) {
        const GamePly *ply = &source->game.plies[i - extra];
        const bool quiet = ply->captured == PIECE_NONE && !position_in_check(&ply->before);
        source->plies[i].sampled =
            before + i >= after && i < source->record.end_ply &&
            (sample == IMPORT_SAMPLE_ALL || (sample == IMPORT_SAMPLE_QUIET && quiet)) &&
            (!seen || key_set_add(seen, ply->before.key));
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
    source->record.result = (int8_t)verdict_result(end.verdict);
    return true;
}

// Fills in what follows from the moves of a game, but for its positions.
static void judge_game(const ImportSpec *spec, SourceGame *source) {
    GameRecord *game = &source->record;
    size_t end_ply = source->game.count;
    Judgement end = {VERDICT_NONE, END_NONE};
    rules_first_end(&spec->rules, &source->game, &end_ply, &end);
    game->ply_count = game->extra_plies + (uint32_t)source->game.count;
    game->reason = END_IMPORTED;
    game->end_ply = (uint32_t)end_ply + game->extra_plies;
    game->end_reason = (uint8_t)end.reason;
    game->tag_count = source->tags.count;
}

ImportRefusal import_read(const ImportSpec *spec, const SourceText *text, SourceGame *source,
                          Err *err) {
    const ImportRefusal refusal = source_text_read(text, &spec->read, source, err);
    if (refusal != IMPORT_KEPT) return refusal;
    if (!source->has_result && !find_result(spec, source, err)) return IMPORT_RESULT;
    judge_game(spec, source);
    sample_plies(spec, text->format->positions, 0, NULL, source);
    return IMPORT_KEPT;
}

static void keep_game(ImportRefusal refusal, SourceGame *source, ImportGame *kept) {
    kept->refusal = refusal;
    kept->told = source->has_result;
    kept->judged = source->judged;
    if (refusal != IMPORT_KEPT) return;
    kept->game = source->record;
    kept->plies = memory_alloc(kept->game.ply_count, sizeof *kept->plies);
    memcpy(kept->plies, source->plies, kept->game.ply_count * sizeof *kept->plies);
    kept->key = game_content_key(&kept->game, kept->plies, false);
    kept->tags = source->tags; // taken over
    source->tags = (TagList){0};
}

static void copy_tags(const SourceGame *of, SourceGame *source) {
    char name[TAG_NAME_SIZE];
    Text value = {0};
    for (size_t at = 0; tag_next(of->tags.list, of->tags.count, &at, name, &value);) {
        tag_list_add(&source->tags, name, text_get(&value), value.length);
    }
    text_clear(&value);
}

// Makes a game of line number `number` of `of`, which was read.
static ImportRefusal read_line(const ImportSpec *spec, const SourceGame *of, size_t number,
                               KeySet *seen, SourceGame *source, Err *err) {
    const SourceLine *line = &of->lines[number];
    source_game_reset(source);
    source_game_start(source, &line->start);
    for (size_t i = 0; i < line->count; i++) source_game_push(source, line->moves[i]);
    if (line->fault) {
        *err = *line->fault;
        return IMPORT_MOVE;
    }
    if (line->count == 0 || line->count > UINT16_MAX) {
        err_set(err, STATUS_BAD_INPUT, "%zu plies, want 1 to %d", line->count, UINT16_MAX);
        return IMPORT_LENGTH;
    }
    copy_tags(of, source);
    const Judgement end = rules_judge(&spec->rules, &source->game);
    source->has_result = line->has_result || of->has_result;
    source->record.result = line->has_result ? line->result : of->record.result;
    source->judged = end.verdict != VERDICT_NONE;
    if (source->judged) source->record.result = (int8_t)verdict_result(end.verdict);
    if (!source->has_result && !find_result(spec, source, err)) return IMPORT_RESULT;
    judge_game(spec, source);
    sample_plies(spec, false, line->ply, seen, source);
    return IMPORT_KEPT;
}

// The variations of a record whose game was read, whatever became of that.
static void read_lines(const ImportSpec *spec, const SourceGame *of, ImportRecord *record) {
    KeySet seen = {0};
    SourceGame source;
    source_game_init(&source);
    record->lines = memory_alloc(of->line_count, sizeof *record->lines);
    record->line_count = of->line_count;
    for (size_t i = of->record.extra_plies; i < of->record.ply_count; i++) {
        if (of->plies[i].sampled) {
            key_set_add(&seen, of->game.plies[i - of->record.extra_plies].before.key);
        }
    }
    for (size_t i = 0; i < of->line_count; i++) {
        ImportGame *line = &record->lines[i];
        keep_game(read_line(spec, of, i, &seen, &source, &line->err), &source, line);
        if (line->refusal != IMPORT_KEPT) {
            err_prefix(&line->err, "variation %zu, from ply %u on", i + 1, of->lines[i].ply + 1);
        }
        line->of = of->lines[i].of;
        line->ply = of->lines[i].ply;
    }
    source_game_clear(&source);
    key_set_clear(&seen);
}

static void read_record(const ImportSpec *spec, ImportRecord *record, SourceGame *source) {
    if (record->text.broken) return;
    ImportGame *game = &record->main;
    const ImportRefusal refusal = import_read(spec, &record->text, source, &game->err);
    record->fault_line = source->line;
    const bool read = refusal == IMPORT_KEPT || refusal == IMPORT_RESULT;
    if (read && source->line_count) read_lines(spec, source, record);
    keep_game(refusal, source, game);
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
        import->open = source_reader_next(&import->reader, &record->text, &record->main.err);
        if (import->open) {
            import->count++;
        } else {
            source_reader_close(&import->reader);
        }
    }
    return status;
}

static void read_range(const Import *import, size_t first, size_t end) {
#pragma omp parallel num_threads(import->spec->threads)
    {
        SourceGame source;
        source_game_init(&source);
#pragma omp for schedule(dynamic, 8)
        for (size_t i = first; i < end; i++) {
            read_record(import->spec, &import->records[i], &source);
        }
        source_game_clear(&source);
    }
}

// ---- on ranks: rank 0 cuts the files into records, all read them --------------------------------

enum { JOB_RECORDS = 64 };

static size_t job_end(const Import *import, uint64_t number) {
    const size_t end = (size_t)(number + 1) * JOB_RECORDS;
    return end < import->count ? end : import->count;
}

static void make_job(void *context, uint64_t number, Text *job) {
    const Import *import = context;
    for (size_t i = (size_t)number * JOB_RECORDS; i < job_end(import, number); i++) {
        const SourceText *text = &import->records[i].text;
        const size_t name = text->file ? strlen(text->file) + 1 : 0;
        const int format = text->format ? (int)(text->format - game_format((FormatId)0)) : -1;
        text_add_bytes(job, text, sizeof *text);
        text_add_bytes(job, &format, sizeof format);
        text_add_bytes(job, &name, sizeof name);
        text_add_bytes(job, text->file, name);
        if (!text->broken) text_add_bytes(job, text->data, text->length + 1);
    }
}

static const unsigned char *get_text(const unsigned char *at, SourceText *text) {
    size_t name;
    int format;
    at = bytes_take(at, text, sizeof *text);
    at = bytes_take(at, &format, sizeof format);
    at = bytes_take(at, &name, sizeof name);
    text->format = format < 0 ? NULL : game_format((FormatId)format);
    text->file = name ? (const char *)at : NULL;
    at += name;
    if (text->broken) return at;
    text->data = memory_alloc(text->length + 1, 1);
    return bytes_take(at, text->data, text->length + 1);
}

static void put_game(const ImportGame *game, Text *out) {
    text_add_bytes(out, game, sizeof *game);
    if (game->plies) text_add_bytes(out, game->plies, game->game.ply_count * sizeof *game->plies);
    text_add_bytes(out, game->tags.list, game->tags.count * sizeof *game->tags.list);
}

static const unsigned char *get_game(const unsigned char *at, ImportGame *game) {
    at = bytes_take(at, game, sizeof *game);
    const size_t plies = game->plies ? game->game.ply_count : 0, tags = game->tags.count;
    game->plies = memory_alloc(plies, sizeof *game->plies);
    at = bytes_take(at, game->plies, plies * sizeof *game->plies);
    game->tags = (TagList){memory_alloc(tags, sizeof *game->tags.list), tags, tags};
    return bytes_take(at, game->tags.list, tags * sizeof *game->tags.list);
}

static void clear_game(ImportGame *game) {
    free(game->plies);
    tag_list_clear(&game->tags);
}

static void put_record(ImportRecord *record, Text *out) {
    text_add_bytes(out, &record->fault_line, sizeof record->fault_line);
    text_add_bytes(out, &record->line_count, sizeof record->line_count);
    put_game(&record->main, out);
    clear_game(&record->main);
    for (size_t i = 0; i < record->line_count; i++) {
        put_game(&record->lines[i], out);
        clear_game(&record->lines[i]);
    }
    free(record->lines);
    free(record->text.data);
}

static Status do_job(void *context, unsigned char *job, size_t size, Text *result, Err *err) {
    (void)err;
    const Import *import = context;
    ImportRecord records[JOB_RECORDS] = {{.line_count = 0}};
    Import part = {.spec = import->spec, .records = records};
    for (const unsigned char *at = job; at < job + size; part.count++) {
        at = get_text(at, &records[part.count].text);
    }
    read_range(&part, 0, part.count);
    for (size_t i = 0; i < part.count; i++) put_record(&records[i], result);
    return STATUS_OK;
}

// The text of a record, and why its file is broken, are known here.
static void take_job(void *context, uint64_t number, const unsigned char *at, size_t size) {
    (void)size;
    Import *import = context;
    for (size_t i = (size_t)number * JOB_RECORDS; i < job_end(import, number); i++) {
        ImportRecord *record = &import->records[i];
        ImportGame game;
        at = bytes_take(at, &record->fault_line, sizeof record->fault_line);
        at = bytes_take(at, &record->line_count, sizeof record->line_count);
        at = get_game(at, &game);
        if (record->text.broken) game.err = record->main.err;
        record->main = game;
        record->lines = memory_alloc(record->line_count, sizeof *record->lines);
        for (size_t k = 0; k < record->line_count; k++) at = get_game(at, &record->lines[k]);
    }
}

static Status read_on_ranks(Import *import, Err *err) {
    const RankJobs jobs = {import, (import->count + JOB_RECORDS - 1) / JOB_RECORDS, make_job,
                           do_job, take_job};
    return rank_jobs_run(&jobs, err);
}

static Status read_records(Import *import, Err *err) {
    if (rank_count() > 1) return read_on_ranks(import, err);
    read_range(import, 0, import->count);
    return STATUS_OK;
}

Status import_help(const ImportSpec *spec, Err *err) {
    Import import = {.spec = spec};
    Status status;
    while ((status = read_on_ranks(&import, err)) == STATUS_OK) continue;
    return status;
}

static void refuse_game(Import *import, const ImportRecord *record, const ImportGame *game) {
    const size_t line = record->text.line ? record->text.line + record->fault_line : 0;
    const ImportPlace place = {record->text.file, line, record->text.offset, record->text.number};
    import->report->refused[game->refusal]++;
    if (import->hooks->refused) {
        import->hooks->refused(import->hooks->context, &place, game->err.text);
    }
}

static void take_game(Import *import, const ImportRecord *record, ImportGame *game) {
    ImportReport *report = import->report;
    game->game.index = report->records++;
    if (game->refusal == IMPORT_KEPT) {
        game_batch_append(&import->batch, &game->game, game->plies, game->tags.list);
        report->games++;
        report->plies += game->game.ply_count;
        report->ends[game->game.end_reason]++;
        uint64_t sampled = 0;
        for (uint32_t i = 0; i < game->game.ply_count; i++) sampled += game->plies[i].sampled;
        report->positions += sampled;
        report->unsampled += sampled == 0;
        report->by_referee += game->judged;
        report->as_draws += !game->told && !game->judged;
    } else {
        refuse_game(import, record, game);
    }
    clear_game(game);
}

// Says of a variation which game it leaves, unless that was refused, and where.
static void mark_variation(const ImportRecord *record, ImportGame *line) {
    const ImportGame *of = line->of ? &record->lines[line->of - 1] : &record->main;
    char number[24];
    snprintf(number, sizeof number, "%016llx", (unsigned long long)of->key);
    if (of->refusal == IMPORT_KEPT) {
        tag_list_add(&line->tags, TAG_VARIATION_OF, number, strlen(number));
    }
    snprintf(number, sizeof number, "%u", line->ply);
    tag_list_add(&line->tags, TAG_VARIATION, number, strlen(number));
    line->game.tag_count = line->tags.count;
}

static void take_record(Import *import, ImportRecord *record) {
    ImportReport *report = import->report;
    if (record->text.broken) {
        import_refuse_file(import->hooks, report, record->text.file, record->main.err.text);
        return;
    }
    take_game(import, record, &record->main);
    for (size_t i = 0; i < record->line_count; i++) {
        ImportGame *line = &record->lines[i];
        if (line->refusal == IMPORT_KEPT) mark_variation(record, line);
        report->variations += line->refusal == IMPORT_KEPT;
        take_game(import, record, line);
    }
    free(record->lines);
}

// Takes the records of one shard over, in order, and writes it.
static Status write_records(Import *import, Err *err) {
    // What is refused before the first game that is kept belongs to the first shard.
    const uint64_t first = import->report->games ? import->report->records : 0;
    char name[SHARD_NAME_SIZE];
    game_batch_reset(&import->batch);
    for (size_t i = 0; i < import->count; i++) {
        take_record(import, &import->records[i]);
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
        Err later = {0};
        const Status read = read_records(&import, status == STATUS_OK ? err : &later);
        // What the ranks have not read to its end is no shard.
        if (read != STATUS_OK) import.count = 0;
        if (status == STATUS_OK && read != STATUS_INTERRUPTED) status = read;
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

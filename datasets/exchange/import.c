// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/exchange/import.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/system/interrupt.h"
#include "datasets/store/game_key.h"
#include "datasets/store/run.h"

// ---- one record --------------------------------------------------------------------------------

// A game that was read from a record, or one of its variations. `refusal` says why it is not kept
// (IMPORT_KEPT: it is kept).
typedef struct ImportGame {
    ImportRefusal refusal;
    bool given, judged, named; // source of the result: the file, the rules, or the name of the file
    bool varied;               // the record has variations that were not read
    // numbers of positions, and of shortened or omitted data, as in SourceGame
    size_t sided, remarks_cut, variations_cut, tags_cut;
    Err err; // reason for the refusal
    GameRecord game;
    PlyRecord *plies; // plies of the game; this struct owns `plies` and `tags`
    TagList tags;
    uint64_t key; // game_content_key() of the game
    // Only for variations: index in ImportRecord.games of the game from which the variation
    // branches, and number of plies from the start of the main line to the variation's first move.
    size_t parent;
    uint32_t ply;
} ImportGame;

typedef struct ImportRecord {
    SourceText text;   // the record's text; this struct owns text.data
    size_t fault_line; // number of lines in the record before the line with the fault
    ImportGame *games; // main line, followed by its variations; for a broken file one element that
                       // contains only the error
    size_t count;      // number of elements in `games`
} ImportRecord;

// Marks the plies of a line whose positions are sampled. Call it when
// record.end_ply, the ply at which the rules end the line, is set.
// `positions` is true if the format of the file is one of positions, not of games. `before` is the
// number of plies of the game before the first move of the line. If `seen` is not NULL, it collects
// position keys, and a position whose key it already has is not sampled.
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

// Determines the result of a game for which the file states none, by the rules and spec->unknown.
// `positions` is true if the format of the file is one of positions. Returns false, with the reason
// in *err, if the game must be refused.
static bool find_result(const ImportSpec *spec, bool positions, SourceGame *source, Err *err) {
    const Judgement end = rules_judge(&spec->rules, &source->game);
    // The last move of positions may be one that --fill-moves chose, so the rules cannot judge
    // them.
    const bool judged =
        end.verdict != VERDICT_NONE && !(positions && spec->unknown == IMPORT_UNKNOWN_NONE);
    if (spec->unknown == IMPORT_UNKNOWN_NONE && !judged) {
        source->record.result = RESULT_NONE;
        return true;
    }
    if (spec->unknown == IMPORT_UNKNOWN_SKIP || (!judged && spec->unknown != IMPORT_UNKNOWN_DRAW)) {
        err_set(
            err, STATUS_BAD_INPUT, "the file does not say how the game ended%s",
            judged
                ? ", and --unknown skip refuses such games"
                : ", and by the rules it has not ended; '--unknown draw' would store it as a draw");
        return false;
    }
    source->judged = judged;
    source->record.result = (int8_t)verdict_result(end.verdict);
    return true;
}

// If a game without a result has the tag VariationOf, with which Paotai's PGN writer marks
// variations, sets its result to RESULT_NONE (unknown) and returns true.
static bool is_open_line(SourceGame *source) {
    AUTO(Text) of = {0};
    if (!tag_value(source->tags.list, source->tags.count, TAG_VARIATION_OF, &of)) return false;
    source->record.result = RESULT_NONE;
    return true;
}

// Returns the end reason that Paotai's PGN writer stored in the tag Termination. Returns
// END_IMPORTED if there is no such tag, or if 'data verify' would find that moves and result
// contradict the reason. Also returns END_IMPORTED if the file states no result, if moves follow
// the end of the game, and for games with odds, which end by other rules. `end` tells how the rules
// end the game.
static EndReason told_reason(const SourceGame *source, Judgement end) {
    AUTO(Text) told = {0};
    const TagList *tags = &source->tags;
    const GameRecord *game = &source->record;
    if (!source->has_result || game->odds[0] || game->end_ply != game->ply_count ||
        !tag_value(tags->list, tags->count, "Termination", &told)) {
        return END_IMPORTED;
    }
    int reason = END_REASON_COUNT - 1;
    while (reason > 0 && strcmp(text_get(&told), end_reason_name((EndReason)reason)) != 0) reason--;
    const int loss = verdict_result(verdict_loss((Side)source->game.now.stm));
    // Default for end reasons that are not handled below, such as a resignation or an illegal move:
    // the reason is accepted only if the side to move has lost.
    bool holds = game->result == loss;
    if (end.verdict != VERDICT_NONE) {
        holds = reason == (int)end.reason && game->result == verdict_result(end.verdict);
    } else if (reason <= END_MATERIAL || reason >= END_ABANDONED) {
        holds = false; // our programs end games only for the reasons between these two
    } else if (reason == END_RESIGN_ADJUDICATION || reason == END_CRASH) {
        holds = game->result != 0;
    } else if (reason == END_DRAW_ADJUDICATION || reason == END_MAX_PLIES ||
               reason == END_AGREED_DRAW) {
        holds = game->result == 0;
    }
    return holds ? (EndReason)reason : END_IMPORTED;
}

// Judges the game by the rules. Sets ply_count, end_ply, end_reason, reason and tag_count of the
// record. If the record states a fault, such as a time forfeit, the fault becomes the reason.
static void judge_game(const ImportSpec *spec, SourceGame *source) {
    GameRecord *game = &source->record;
    size_t end_ply = source->game.count;
    Judgement end = {VERDICT_NONE, END_NONE};
    rules_first_end(&spec->rules, &source->game, &end_ply, &end);
    game->ply_count = game->extra_plies + (uint32_t)source->game.count;
    game->end_ply = (uint32_t)end_ply + game->extra_plies;
    game->end_reason = (uint8_t)end.reason;
    game->reason = (uint8_t)told_reason(source, end);
    if (game->reason != END_IMPORTED) {
        game->end_reason = game->reason;
    } else if (source->fault) {
        game->reason = (uint8_t)source->fault;
    }
    game->tag_count = source->tags.count;
}

ImportRefusal import_read(const ImportSpec *spec, const SourceText *text, SourceGame *source,
                          Err *err) {
    const ImportRefusal refusal = source_text_read(text, &spec->read, source, err);
    // Append the remarks to the tags: read_line() expects them at the end. It is called even if the
    // game is refused for its result, so append them before the result is examined.
    tag_list_append(&source->tags, source->remarks.list, source->remarks.count);
    if (refusal != IMPORT_KEPT) return refusal;
    const bool positions = text->format->positions || source->filled;
    source->named = !source->has_result && spec->result_by_name &&
                    import_result_of_name(text->file, &source->record.result);
    if (!source->has_result && !source->named && !is_open_line(source) &&
        !find_result(spec, positions, source, err)) {
        return IMPORT_RESULT;
    }
    judge_game(spec, source);
    sample_plies(spec, positions, 0, NULL, source);
    source->record.group = text->group;
    return IMPORT_KEPT;
}

static void keep_game(ImportRefusal refusal, SourceGame *source, ImportGame *kept) {
    kept->refusal = refusal;
    kept->given = source->has_result;
    kept->judged = source->judged;
    kept->named = source->named;
    kept->varied = source->varied;
    kept->sided = source->sided;
    kept->remarks_cut = source->remarks_cut;
    kept->variations_cut = source->variations_cut;
    kept->tags_cut = source->tags_cut;
    if (refusal != IMPORT_KEPT) return;
    kept->game = source->record;
    kept->plies = memory_alloc(kept->game.ply_count, sizeof *kept->plies);
    memcpy(kept->plies, source->plies, kept->game.ply_count * sizeof *kept->plies);
    kept->key = game_content_key(&kept->game, kept->plies, false);
    kept->tags = MOVE(source->tags);
}

// Converts a variation (`line`) of a game (`of`) to a separate game in `source`.
static ImportRefusal read_line(const ImportSpec *spec, const SourceGame *of, const SourceLine *line,
                               KeySet *seen, SourceGame *source, Err *err) {
    TagList *tags = &source->tags;
    source_game_reset(source);
    source_game_start(source, &line->start);
    for (size_t i = 0; i < line->count; i++) {
        *source_game_push(source, line->plies[i].move) = line->plies[i];
    }
    if (line->fault) {
        *err = *line->fault;
        return IMPORT_MOVE;
    }
    if (line->count == 0 || line->count > UINT16_MAX) {
        return import_refuse(err, IMPORT_LENGTH,
                             "the game has %zu plies, but a stored game has 1 to %d", line->count,
                             UINT16_MAX);
    }
    // If a game has very many variations, they get only its first short tags.
    const size_t rows = of->tags.count - of->remarks.count,
                 most = VARIATION_ROWS_MOST / of->line_count;
    if (rows <= most) tag_list_append(tags, of->tags.list, rows);
    if (rows > most) tag_list_append_short(tags, of->tags.list, rows, most);
    // The tag Termination says why the main line ended, so the variation does not get it.
    tag_list_remove(tags, "Termination");
    tag_list_append(tags, line->remarks.list, line->remarks.count);
    const Judgement end = rules_judge(&spec->rules, &source->game);
    // The result of the main game does not apply to a variation, because its moves were not played.
    source->has_result = line->has_result;
    source->record.result = line->has_result ? line->result : RESULT_NONE;
    source->judged = end.verdict != VERDICT_NONE;
    if (source->judged) source->record.result = (int8_t)verdict_result(end.verdict);
    if (!source->has_result && spec->unknown == IMPORT_UNKNOWN_SKIP &&
        !find_result(spec, false, source, err)) {
        return IMPORT_RESULT;
    }
    judge_game(spec, source);
    sample_plies(spec, false, line->ply, seen, source);
    return IMPORT_KEPT;
}

// Converts each variation of the game `of` to a separate game: lines[i] becomes the game that is
// made from of->lines[i].
static void read_lines(const ImportSpec *spec, const SourceGame *of, ImportGame *lines) {
    AUTO(KeySet) seen = {0};
    AUTO(SourceGame) source;
    source_game_init(&source);
    for (size_t i = of->record.extra_plies; i < of->record.ply_count; i++) {
        if (of->plies[i].sampled) {
            key_set_add(&seen, of->game.plies[i - of->record.extra_plies].before.key);
        }
    }
    for (size_t i = 0; i < of->line_count; i++) {
        const SourceLine *line = &of->lines[i];
        ImportGame *game = &lines[i];
        keep_game(read_line(spec, of, line, &seen, &source, &game->err), &source, game);
        if (game->refusal != IMPORT_KEPT) {
            err_prefix(&game->err, "variation %zu, which begins with ply %u", i + 1, line->ply + 1);
        }
        game->parent = line->parent;
        game->ply = line->ply;
    }
}

static void read_record(const ImportSpec *spec, ImportRecord *record, SourceGame *source) {
    if (record->text.broken) return;
    Err err = {0};
    const ImportRefusal refusal = import_read(spec, &record->text, source, &err);
    const bool read = refusal == IMPORT_KEPT || refusal == IMPORT_RESULT;
    record->fault_line = source->line;
    record->count = 1 + (read ? source->line_count : 0);
    record->games = memory_alloc(record->count, sizeof *record->games);
    if (record->count > 1) read_lines(spec, source, record->games + 1);
    record->games->err = err;
    keep_game(refusal, source, record->games);
}

// ---- the files ---------------------------------------------------------------------------------

typedef struct Import {
    const ImportSpec *spec;
    const ImportHooks *hooks;
    ImportReport *report;
    const ImportCopies *copies;
    ReadSettings read; // spec->read with the survey
    SourceReader reader;
    bool open;             // `reader` has an open file
    const char *path;      // path of the current file, or of the last one if none is open
    size_t found;          // number of records and refused files found so far in `path`
    size_t next_path;      // index of the path to open next
    ImportRecord *records; // records for the next shard; the array has spec->shard_games elements
    size_t count;          // number of used elements of `records`
    KeySet groups;         // values of /games/group
    GameBatch batch;
} Import;

void import_refuse_file(const ImportHooks *hooks, ImportReport *report, const char *path,
                        const char *why) {
    report->refused_files++;
    const ImportPlace place = {.path = path};
    if (hooks->refused) hooks->refused(hooks->context, &place, why);
}

// If no file is open, opens the next one. A file that cannot be opened is reported and skipped,
// unless it is the only one: that is an error. If no file remains, import->open stays false.
static Status open_next(Import *import, Err *err) {
    const PathList *paths = import->spec->paths;
    const size_t count = paths && paths->count ? paths->count : 1;
    while (!import->open && import->next_path < count && !interrupt_requested()) {
        const size_t at = import->next_path++;
        const char *path = paths && paths->count ? paths->paths[at] : "-";
        Err why = {0};
        import->path = path;
        import->found = 0;
        const Status status =
            source_reader_open_copy(&import->reader, path, import->copies->files[at],
                                    import->spec->format, &import->read, &why);
        import->open = status == STATUS_OK;
        if (!import->open && count == 1) {
            *err = why;
            return status;
        }
        if (!import->open) import_refuse_file(import->hooks, import->report, path, why.text);
    }
    return STATUS_OK;
}

static Status cut_records(Import *import, Err *err) {
    import->count = 0;
    while (import->count < (size_t)import->spec->shard_games && !interrupt_requested()) {
        Err why = {0};
        TRY(open_next(import, err));
        if (!import->open) break;
        ImportRecord *record = &import->records[import->count];
        *record = (ImportRecord){0};
        import->reader.passed = &import->report->passed;
        import->open = source_reader_next(&import->reader, &record->text, &why);
        if (!import->open) {
            source_reader_close(&import->reader);
            if (import->found == 0 && !interrupt_requested()) {
                import_refuse_file(import->hooks, import->report, import->path,
                                   "the file contains no game");
            }
            continue;
        }
        import->found++;
        import->count++;
        if (!record->text.broken) continue;
        record->count = 1;
        record->games = memory_alloc(1, sizeof *record->games);
        record->games->err = why;
    }
    return STATUS_OK;
}

static void read_records(const Import *import) {
    ImportSpec spec = *import->spec;
    spec.read = import->read;
#pragma omp parallel num_threads(import->spec->threads)
    {
        AUTO(SourceGame) source;
        source_game_init(&source);
#pragma omp for schedule(dynamic, 8)
        for (size_t i = 0; i < import->count; i++) {
            read_record(&spec, &import->records[i], &source);
        }
    }
}

static void clear_record(ImportRecord *record) {
    for (size_t i = 0; i < record->count; i++) {
        free(record->games[i].plies);
        tag_list_clear(&record->games[i].tags);
    }
    free(record->games);
    free(record->text.data);
    *record = (ImportRecord){0};
}

static void refuse_game(Import *import, const ImportRecord *record, const ImportGame *game) {
    const size_t line = record->text.line ? record->text.line + record->fault_line : 0;
    const ImportPlace place = {record->text.file, line, record->text.offset, record->text.number};
    import->report->refused[game->refusal]++;
    if (import->hooks->refused) {
        import->hooks->refused(import->hooks->context, &place, game->err.text);
    }
}

static void keep_in_batch(Import *import, ImportGame *game) {
    ImportReport *report = import->report;
    uint64_t sampled = 0;
    for (uint32_t i = 0; i < game->game.ply_count; i++) {
        sampled += game->plies[i].sampled;
        report->plies_scored += game->plies[i].score_red != SCORE_UNKNOWN;
    }
    game_batch_append(&import->batch, &game->game, game->plies, game->tags.list);
    report->games++;
    if (game->game.group) {
        const bool new = key_set_add(&import->groups, game->game.group);
        report->grouped++;
        report->groups += new;
        report->guessed_groups += new && game->game.group % 2 == 0;
    }
    report->plies += game->game.ply_count;
    report->ends[game->game.end_reason]++;
    report->positions += sampled;
    report->unsampled += sampled == 0;
    report->by_referee += game->judged;
    report->by_name += game->named;
    report->varied += game->varied;
    report->sided += game->sided;
    report->remarks_cut += game->remarks_cut;
    report->variations_cut += game->variations_cut;
    report->tags_cut += game->tags_cut;
    report->as_draws += !game->given && !game->judged && !game->named && game->game.result == 0;
}

// Adds the tags of a variation: the number of plies before it and, if the game from which it
// branches was kept, the key of that game.
static void mark_variation(const ImportRecord *record, ImportGame *line) {
    const ImportGame *of = &record->games[line->parent];
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
        import_refuse_file(import->hooks, report, record->text.file, record->games->err.text);
        return;
    }
    for (size_t i = 0; i < record->count; i++) {
        ImportGame *game = &record->games[i];
        report->records++;
        game->game.index = report->games;
        if (game->refusal != IMPORT_KEPT) {
            refuse_game(import, record, game);
            continue;
        }
        if (i > 0) mark_variation(record, game);
        report->unknown += i == 0 && game->game.result == RESULT_NONE;
        report->variations += i > 0;
        keep_in_batch(import, game);
    }
}

// Adds the kept games of the collected records to a batch, in order, and writes them as one shard.
// Writes nothing if no game was kept.
static Status write_records(Import *import, Err *err) {
    const uint64_t first = import->report->games;
    char name[SHARD_NAME_SIZE];
    game_batch_reset(&import->batch);
    for (size_t i = 0; i < import->count; i++) {
        take_record(import, &import->records[i]);
        clear_record(&import->records[i]);
    }
    const OptionRange range = {first, import->report->games};
    if (range.first == range.end) return STATUS_OK;
    return shard_write(import->spec->out, &import->batch, range, import->spec->provenance, name,
                       err);
}

static Status import_shard(Import *import, Err *err) {
    TRY(cut_records(import, err));
    read_records(import);
    return write_records(import, err);
}

// Copies the inputs that can be read only once, and surveys all files.
static Status prepare(const ImportSpec *spec, ImportCopies *copies, Survey *survey,
                      ImportReport *report, Err *err) {
    TRY(import_copy_inputs(spec->paths, spec->out, copies, err));
    TRY(import_survey(spec->paths, copies, spec->format, &spec->read, survey, err));
    survey_scales_to_text(survey, &report->scales);
    report->doubtful_units = survey_doubtful_units(survey, &spec->read);
    return STATUS_OK;
}

Status import_games(const ImportSpec *spec, const ImportHooks *hooks, Progress *progress,
                    ImportReport *report, Err *err) {
    AUTO(ImportCopies) copies = {0};
    AUTO(Survey) survey = {0};
    Import import = {
        .spec = spec, .hooks = hooks, .report = report, .copies = &copies, .read = spec->read};
    RunLock *lock = NULL;
    import.read.survey = &survey;
    Status status = run_new(spec->out, spec->provenance->command, &lock, err);
    if (status == STATUS_OK) status = prepare(spec, &copies, &survey, report, err);
    import.records = memory_alloc((size_t)spec->shard_games, sizeof *import.records);
    bool more = status == STATUS_OK;
    while (more) {
        status = import_shard(&import, err);
        progress_update(progress, report->records, NULL);
        report->interrupted = interrupt_requested();
        more = status == STATUS_OK && import.count == (size_t)spec->shard_games &&
               !report->interrupted;
    }
    if (import.open) source_reader_close(&import.reader);
    run_new_end(spec->out, lock, status == STATUS_OK && !report->interrupted, report->games > 0);
    free(import.records);
    key_set_clear(&import.groups);
    game_batch_clear(&import.batch);
    return status;
}

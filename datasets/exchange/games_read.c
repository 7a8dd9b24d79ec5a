// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/exchange/games_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/memory.h"
#include "core/system/interrupt.h"
#include "datasets/exchange/export.h"

// ---- a file -------------------------------------------------------------------------------------

// Converts the variations of a record to games, and links each of them to the line from which it
// branches. games[0] is the main line. A variation with a fault is converted up to the fault.
// Variations without moves, and those nested too deep, are omitted.
static void link_lines(const SourceGame *source, ExportGame *games, GameRecord *records) {
    enum { DEEPEST = 64 }; // largest nesting depth of variations; deeper ones are omitted
    AUTO_FREE int *depths = memory_alloc(source->line_count + 1, sizeof *depths);
    for (size_t i = 1; i <= source->line_count; i++)
        depths[i] = depths[source->lines[i - 1].parent] + 1;
    for (size_t i = source->line_count; i > 0; i--) {
        const SourceLine *line = &source->lines[i - 1];
        ExportGame *of = &games[line->parent];
        if (line->count == 0 || depths[i] > DEEPEST) continue;
        records[i] = (GameRecord){.start = line->start,
                                  .ply_count = (uint32_t)line->count,
                                  .tag_count = line->remarks.count};
        games[i].game = &records[i];
        games[i].plies = line->plies;
        games[i].tags = line->remarks.list;
        games[i].system = games->system;
        games[i].branch_ply = line->ply - (line->parent ? source->lines[line->parent - 1].ply : 0);
        games[i].next = of->variations;
        of->variations = &games[i];
    }
}

static Status read_record(const GamesReading *reading, const ImportSpec *import,
                          const SourceText *text, SourceGame *source, uint64_t index, Err *err) {
    Err why = {0};
    if (import_read(import, text, source, &why) != IMPORT_KEPT) {
        const size_t line = text->line ? text->line + source->line : 0;
        const ImportPlace place = {text->file, line, text->offset, text->number};
        if (reading->hooks.refused)
            reading->hooks.refused(reading->hooks.context, &place, why.text);
        return STATUS_OK;
    }
    source->record.index = index;
    AUTO_FREE ExportGame *games = memory_alloc(source->line_count + 1, sizeof *games);
    AUTO_FREE GameRecord *records = memory_alloc(source->line_count + 1, sizeof *records);
    games[0] = (ExportGame){
        .game = &source->record,
        .plies = source->plies,
        .tags = source->tags.list,
        .open = !source->has_result && !source->judged,
        .system = reading->system,
    };
    link_lines(source, games, records);
    return reading->game(reading->context, games, err);
}

// Surveys a file that can be read twice. Results whose scale or point of view stays open are
// unknown: most readers do not need them.
static void survey_path(const GamesReading *reading, Survey *survey) {
    struct stat info;
    Err open = {0};
    AUTO(PathList) paths = {0};
    AUTO(ImportCopies) copies = {0};
    if (!reading->path || stat(reading->path, &info) != 0 || !S_ISREG(info.st_mode)) return;
    path_list_add(&paths, reading->path);
    if (import_copy_inputs(&paths, NULL, &copies, &open) != STATUS_OK) return;
    import_survey(&paths, &copies, reading->format, &reading->read, survey, &open);
}

static Status read_file(const GamesReading *reading, Progress *progress, Err *err) {
    SourceReader reader;
    SourceText text;
    AUTO(SourceGame) source;
    Err broken = {0};
    ImportSpec import = {.read = reading->read,
                         .rules = rules_default(RULES_AXF),
                         .sample = IMPORT_SAMPLE_NONE,
                         .unknown = IMPORT_UNKNOWN_DRAW};
    AUTO(Survey) survey = {0};
    survey_path(reading, &survey);
    import.read.survey = &survey;
    ReadSettings cut = import.read;
    import.read.variations = true;
    Status status = STATUS_OK;
    source_game_init(&source);
    TRY(source_reader_open(&reader, reading->path, reading->format, &cut, err));
    for (uint64_t i = 0; status == STATUS_OK && source_reader_next(&reader, &text, &broken); i++) {
        if (!text.broken) {
            status = read_record(reading, &import, &text, &source, i, err);
        } else if (reading->hooks.refused) {
            const ImportPlace place = {.path = text.file};
            reading->hooks.refused(reading->hooks.context, &place, broken.text);
        }
        free(text.data);
        progress_update(progress, i + 1, NULL);
    }
    source_reader_close(&reader);
    return interrupt_requested() ? err_set(err, STATUS_INTERRUPTED, "interrupted") : status;
}

// ---- a run or a shard ---------------------------------------------------------------------------

// A format that passes each game to a callback instead of writing text.
typedef struct GamesFormat {
    GameFormat format; // must be the first member: pass_game() converts a pointer to it into a
                       // pointer to the GamesFormat
    const GamesReading *reading;
} GamesFormat;

static Status pass_game(const ExportGame *game, Text *text, Err *err) {
    const GamesReading *reading = ((const GamesFormat *)(const void *)game->format)->reading;
    (void)text;
    return reading->game(reading->context, game, err);
}

bool games_are_stored(const char *path) {
    struct stat info;
    if (!path) return false;
    if (text_ends_in(path, ".h5")) return true;
    // If stat() fails but the path may exist, return true: reading the path as a run then reports
    // the error.
    if (stat(path, &info) != 0) return errno != ENOENT && errno != ENOTDIR;
    return S_ISDIR(info.st_mode);
}

Status games_read(const GamesReading *reading, Progress *progress, Err *err) {
    if (!games_are_stored(reading->path)) return read_file(reading, progress, err);
    if (reading->format || reading->read.system != MOVES_DETECTED) {
        return err_set(err, STATUS_USAGE,
                       "--format and --moves apply only to files of other programs, but %s is a "
                       "run or a shard: omit them",
                       reading->path);
    }
    const GamesFormat games = {.format = {.name = "games",
                                          .trees = true,
                                          .write = pass_game,
                                          .system = (NotationSystem)MOVES_DETECTED,
                                          .header = ""},
                               .reading = reading};
    const ExportSpec spec = {
        .format = &games.format, .system = reading->system, .out_name = reading->path};
    ExportReport report;
    return export_games(&spec, &reading->path, 1, NULL, progress, &report, err);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/export.h"

#include <errno.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/formats/position_lines.h"
#include "datasets/store/store.h"

enum { BLOCK_BYTES = 1 << 18 };

typedef struct Export {
    const ExportSpec *spec;
    FILE *out;
    ExportReport *report;
    Text text;
    // Of the shard that is open.
    char *event, *date, *weights;
} Export;

static Status flush(Export *job, const char *path, Err *err) {
    Text *text = &job->text;
    if (text->length && fwrite(text->data, 1, text->length, job->out) != text->length) {
        return err_set(err, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
    }
    job->report->bytes += text->length;
    text_reset(text);
    return STATUS_OK;
}

// The game that was written last, as a file of its own.
static Status write_file(Export *job, Err *err) {
    Text path = {0};
    text_add(&path, "%s/game-%08llu%s", job->spec->folder, (unsigned long long)job->report->games,
             job->spec->format->extension);
    FILE *file = fopen(path.data, "wb");
    Status status = STATUS_OK;
    if (file) {
        job->out = file;
        status = flush(job, path.data, err);
        job->out = NULL;
    }
    if (status == STATUS_OK && (!file || fclose(file) != 0)) {
        status = err_set(err, STATUS_IO, "cannot write %s: %s", path.data, strerror(errno));
    } else if (status != STATUS_OK) {
        fclose(file);
    }
    text_clear(&path);
    return status;
}

static void forget_shard(Export *job) {
    free(job->event);
    free(job->date);
    free(job->weights);
    job->event = job->date = job->weights = NULL;
}

// "2025-03-01T12:00:00Z" -> "2025.03.01", as PGN has dates.
static void cut_date(char *date) {
    if (strlen(date) < 10) return;
    date[10] = '\0';
    for (char *c = date; *c; c++) {
        if (*c == '-') *c = '.';
    }
}

static Status shard_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    Export *job = context;
    forget_shard(job);
    const ProvenanceTexts *made;
    const Status status = shard_reader_provenance(reader, &made, err);
    if (status != STATUS_OK) return err_prefix(err, "%s", path);
    job->event = memory_copy_text(made->kind);
    job->date = memory_copy_text(made->created);
    job->weights = memory_copy_text(made->weights);
    cut_date(job->date);
    return status;
}

// Where the entry of player `number` begins: "1 NAME HASH, 2 NAME PROFILE" of a contest; else the
// one "NAME HASH" is that of all players.
static const char *find_player(const char *weights, uint8_t number) {
    char mark[16];
    snprintf(mark, sizeof mark, ", %u ", number);
    if (strncmp(weights, mark + 2, strlen(mark + 2)) == 0) return weights + strlen(mark + 2);
    const char *found = number ? strstr(weights, mark) : NULL;
    return found ? found + strlen(mark) : weights;
}

void export_player_name(const char *weights, uint8_t number, char *name, size_t size) {
    const char *begin = find_player(weights, number), *end = strstr(begin, ", ");
    if (!end) end = begin + strlen(begin);
    const char *last = end;
    while (last > begin && last[-1] != ' ') last--;
    if (last > begin) end = last - 1;
    const size_t length = (size_t)(end - begin);
    snprintf(name, size, "%.*s", (int)(length < size ? length : size - 1), begin);
}

static void count_positions(const ExportGame *given, ExportReport *report) {
    for (uint32_t i = given->game->extra_plies; i < given->game->ply_count; i++) {
        const PlyRecord *ply = &given->plies[i];
        const bool wanted = export_wants_ply(given, ply);
        report->positions += wanted;
        report->skipped += !wanted && (ply->sampled || given->all_positions);
    }
}

static Status add_game(Export *job, GameRecord *game, const PlyRecord *plies, const TagRecord *tags,
                       Err *err) {
    Status status = game_record_check(game, err);
    if (status != STATUS_OK) return status;
    char red[128], black[128];
    export_player_name(job->weights, game->red_player, red, sizeof red);
    export_player_name(job->weights, game->black_player, black, sizeof black);
    const ExportFormat *writer = job->spec->format->writer;
    const int system = job->spec->system;
    const ExportGame given = {
        .game = game,
        .plies = plies,
        .tags = tags,
        .event = job->event,
        .date = job->date,
        .red = red,
        .black = black,
        .system = system == MOVES_DETECTED ? (int)writer->system : system,
        .all_positions = job->spec->all_positions,
        .only_scored = writer->scored && !job->spec->unscored,
    };
    status = writer->write(&given, &job->text, err);
    if (status != STATUS_OK) return err_prefix(err, "game %llu", (unsigned long long)game->index);
    if (job->spec->format->positions) count_positions(&given, job->report);
    return STATUS_OK;
}

// The game that was added goes where it is to be written; other games, when there are enough.
static Status write_game(Export *job, const GameRecord *game, Err *err) {
    const Status status = job->spec->folder                ? write_file(job, err)
                          : job->text.length > BLOCK_BYTES ? flush(job, job->spec->out_name, err)
                                                           : STATUS_OK;
    if (status != STATUS_OK) return status;
    job->report->games++;
    job->report->plies += game->ply_count;
    return STATUS_OK;
}

static Status add_block(void *context, const ScanBlock *block, Err *err) {
    Status status = STATUS_OK;
    for (size_t i = 0; i < block->games->count && status == STATUS_OK; i++) {
        GameRecord *game = &block->games->games[i];
        status = add_game(context, game, block->games->plies + game->first_ply,
                          game_batch_tags(block->games, game), err);
        if (status != STATUS_OK) return err_prefix(err, "%s", block->path);
        status = write_game(context, game, err);
    }
    return status;
}

Status export_games(const ExportSpec *spec, const char *const *paths, size_t path_count, FILE *out,
                    Progress *progress, ExportReport *report, Err *err) {
    *report = (ExportReport){0};
    Export job = {.spec = spec, .out = out, .report = report};
    const ScanHooks hooks = {.opened = shard_opened, .block = add_block, .context = &job};
    const ExportFormat *writer = spec->format->writer;
    const char *header = writer->header;
    if (spec->system != MOVES_DETECTED && spec->system != (int)writer->system &&
        spec->format->positions && spec->format->read) {
        entries_write_mark((NotationSystem)spec->system, &job.text);
    }
    if (*header) text_add(&job.text, "%s\n", header);
    Status status = store_scan_paths(paths, path_count, &hooks, progress, err);
    if (status == STATUS_OK) status = flush(&job, spec->out_name, err);
    forget_shard(&job);
    text_clear(&job.text);
    return status;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/export.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "datasets/formats/position_lines.h"
#include "datasets/store/store.h"

enum { BLOCK_BYTES = 1 << 18 };

typedef struct Export {
    const ExportSpec *spec;
    FILE *out;
    ExportReport *report;
    uint64_t seen; // games
    Text text;
    ProvenanceTexts made; // of the shard that is open
    char date[16];        // of it
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
    AUTO(Text) path = {0};
    text_add(&path, "%s/game-%08llu%s", job->spec->folder, (unsigned long long)job->report->games,
             job->spec->format->extension);
    unlink(path.data); // it may be a link
    job->out = fopen(path.data, "wbx");
    Status status = job->out ? flush(job, path.data, err) : STATUS_IO;
    if (!job->out || (fclose(job->out) != 0 && status == STATUS_OK)) {
        status = err_set(err, STATUS_IO, "cannot write %s: %s", path.data, strerror(errno));
    }
    job->out = NULL;
    return status;
}

static Status shard_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    Export *job = context;
    (void)reader;
    provenance_texts_clear(&job->made);
    TRY(shard_read_provenance(path, &job->made, err));
    // "2025-03-01T12:00:00Z" becomes "2025.03.01", as PGN has dates.
    snprintf(job->date, sizeof job->date, "%.10s", job->made.created);
    for (char *c = job->date; strlen(job->date) == 10 && *c; c++) {
        if (*c == '-') *c = '.';
    }
    return STATUS_OK;
}

// The entries of a contest are "1 NAME HASH, 2 NAME PROFILE"; else the one "NAME HASH" is that of
// all players.
void export_player_name(const char *weights, uint8_t number, char *name, size_t size) {
    char mark[16];
    snprintf(mark, sizeof mark, ", %u ", number);
    const char *begin = weights, *found = number ? strstr(weights, mark) : NULL;
    if (strncmp(weights, mark + 2, strlen(mark + 2)) == 0) {
        begin += strlen(mark + 2);
    } else if (found) {
        begin = found + strlen(mark);
    }
    const char *end = strstr(begin, ", ");
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

// Those that the format cannot hold.
static void count_remarks(const ExportGame *given, ExportReport *report) {
    const FormatId id = given->format->id;
    if (id == FORMAT_PGN || id == FORMAT_XQF || id == FORMAT_CBR || id == FORMAT_DHTMLXQ) return;
    AUTO(Text) value = {0};
    char name[TAG_NAME_SIZE];
    const size_t count = given->tags ? given->game->tag_count : 0;
    for (size_t at = 0; tag_next(given->tags, count, &at, name, &value);) {
        report->remarks += tag_is_remark(name);
    }
}

static Status add_game(Export *job, GameRecord *game, const PlyRecord *plies, const TagRecord *tags,
                       Err *err) {
    TRY(game_record_check(game, err));
    char red[128], black[128];
    export_player_name(job->made.weights, game->red_player, red, sizeof red);
    export_player_name(job->made.weights, game->black_player, black, sizeof black);
    const GameFormat *format = job->spec->format;
    const int system = job->spec->system;
    const ExportGame given = {
        .format = format,
        .game = game,
        .plies = plies,
        .tags = tags,
        .event = job->made.kind,
        .date = job->date,
        .red = red,
        .black = black,
        .system = system == MOVES_DETECTED ? (int)format->system : system,
        .all_positions = job->spec->all_positions,
        .only_scored = format->scored && !job->spec->unscored,
    };
    if (format->write(&given, &job->text, err) != STATUS_OK) {
        return err_prefix(err, "game %llu", (unsigned long long)game->index);
    }
    if (format->positions) count_positions(&given, job->report);
    count_remarks(&given, job->report);
    return STATUS_OK;
}

static Status add_block(void *context, const char *path, GameBatch *games, Err *err) {
    Export *job = context;
    for (size_t i = 0; i < games->count; i++) {
        GameRecord *game = &games->games[i];
        const uint64_t number = job->seen++;
        if (job->spec->chosen && !job->spec->chosen[number]) continue;
        if (add_game(job, game, games->plies + game->first_ply, game_batch_tags(games, game),
                     err) != STATUS_OK) {
            return err_prefix(err, "%s", path);
        }
        if (job->spec->folder) {
            TRY(write_file(job, err));
        } else if (job->text.length > BLOCK_BYTES) {
            TRY(flush(job, job->spec->out_name, err));
        }
        job->report->games++;
        job->report->plies += game->ply_count;
    }
    return STATUS_OK;
}

Status export_games(const ExportSpec *spec, const char *const *paths, size_t path_count, FILE *out,
                    Progress *progress, ExportReport *report, Err *err) {
    *report = (ExportReport){0};
    Export job = {.spec = spec, .out = out, .report = report};
    const ScanHooks hooks = {.opened = shard_opened, .block = add_block, .context = &job};
    const GameFormat *format = spec->format;
    if (spec->system != MOVES_DETECTED && spec->system != (int)format->system &&
        format->positions && format->read) {
        entries_write_mark((NotationSystem)spec->system, &job.text);
    }
    if (*format->header) text_add(&job.text, "%s\n", format->header);
    Status status = store_scan_paths(paths, path_count, &hooks, progress, err);
    if (status == STATUS_OK) status = flush(&job, spec->out_name, err);
    provenance_texts_clear(&job.made);
    text_clear(&job.text);
    return status;
}

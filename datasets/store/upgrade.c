// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/upgrade.h"

#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "datasets/store/doc_table.h"
#include "datasets/store/scan.h"
#include "datasets/store/shard_file.h"

enum { MAX_COLUMNS = 32 };

// A shard as its file has it: rows of today's columns, those that it lacks zero.
typedef struct OldShard {
    const char *path;
    hid_t file;
    uint64_t version;
    OptionRange range;
    char *content_hash;
    ShardRows rows;
    bool lacks[ROW_GROUP_COUNT][MAX_COLUMNS], lacks_any;
    char *move_unit; // of /plies/move
} OldShard;

// ---- the steps ---------------------------------------------------------------------------------

// Files of schema 1 came in two kinds: the unit of a move says which.
static Status targets_to_steps(uint16_t *move, Err *err) {
    const int from = *move & 255, to = *move >> 8;
    if (*move == 0) return STATUS_OK; // none
    if (from >= SQUARE_COUNT || to >= SQUARE_COUNT || from == to) {
        return err_set(err, STATUS_CORRUPT, "%d is no move", *move);
    }
    *move = move_to_stored(move_make(from, to));
    return STATUS_OK;
}

static Status convert_moves(ShardRows *rows, Err *err) {
    Status status = STATUS_OK;
    for (size_t i = 0; i < rows->ply_count && status == STATUS_OK; i++) {
        status = targets_to_steps(&rows->plies[i].move, err);
        if (status == STATUS_OK) status = targets_to_steps(&rows->plies[i].best, err);
    }
    for (size_t i = 0; i < rows->position_count && status == STATUS_OK; i++) {
        status = targets_to_steps(&rows->positions[i].move, err);
    }
    return status;
}

static bool lacks_column(const OldShard *shard, GroupId id, const char *name) {
    const ColumnGroup *group = column_group(id);
    return shard->lacks[id][column_find(id, name) - group->columns];
}

// Before there were odds, the sides alternated.
static void alternate_sides(ShardRows *rows) {
    PlyRow *ply = rows->plies;
    for (size_t i = 0; i < rows->game_count; i++) {
        uint8_t side = rows->games[i].start_stm;
        for (uint32_t k = 0; k < rows->games[i].ply_count; k++, side ^= 1) ply++->side = side;
    }
}

static Status from_1(OldShard *shard, Err *err) {
    if (lacks_column(shard, GROUP_PLIES, "side")) alternate_sides(&shard->rows);
    if (strcmp(shard->move_unit, "from + 256 to") != 0) return STATUS_OK;
    return convert_moves(&shard->rows, err);
}

// What leads from each schema to the next one.
static const struct {
    const char *change; // of the next one
    Status (*apply)(OldShard *shard, Err *err);
} steps[] = {
    {"moves are stored as a square and a step (files of schema 1 have either that or two squares), "
     "and the columns of odds, adjudication, players, sides and preferred moves are always there",
     from_1},
};
enum { STEP_COUNT = sizeof steps / sizeof *steps };
_Static_assert(STEP_COUNT == STORE_SCHEMA_VERSION - 1, "every schema has a step to the next one");

void schemas_add_table(bool json, Text *text) {
    const DocTable table = {text, json, false, {"schema", "what_is_new"}};
    doc_table_begin(&table);
    doc_table_row(&table, (const char *[]){"1", ""});
    for (int i = 0; i < STEP_COUNT; i++) {
        char number[12];
        snprintf(number, sizeof number, "%d", i + 2);
        doc_table_row(&table, (const char *[]){number, steps[i].change});
    }
}

// ---- reading an old file -----------------------------------------------------------------------

static Status read_column(hid_t group, const Column *column, size_t row_size, char **rows,
                          size_t *count, bool first, Err *err) {
    size_t length = 0;
    PackedColumn packed = {0};
    ChunkWork work = {0};
    Status status = h5_column_count(group, column, &length, err);
    if (status == STATUS_OK && first) {
        *count = length;
        *rows = memory_alloc(length, row_size);
    } else if (status == STATUS_OK && length != *count) {
        status =
            err_set(err, STATUS_CORRUPT, "%s has %zu rows, not %zu", column->name, length, *count);
    }
    if (status == STATUS_OK) status = h5_fetch_column(group, column, 0, length, &packed, err);
    if (status == STATUS_OK && length > 0) {
        status = column_unpack(&packed, 0, length, row_size, &work, *rows, err);
    }
    packed_column_clear(&packed);
    chunk_work_clear(&work);
    return status;
}

// Every group begins with a column that all schemas have.
static Status read_group(OldShard *shard, GroupId id, char **rows, size_t *count, Err *err) {
    const ColumnGroup *table = column_group(id);
    const hid_t group = H5Gopen2(shard->file, table->name, H5P_DEFAULT);
    if (group < 0) return h5_fail(err, STATUS_CORRUPT, table->name);
    Status status = STATUS_OK;
    for (size_t i = 0; i < table->column_count && status == STATUS_OK; i++) {
        const Column *column = &table->columns[i];
        if (i > 0 && H5Lexists(group, column->name, H5P_DEFAULT) == 0) {
            shard->lacks[id][i] = shard->lacks_any = true;
            continue;
        }
        status = read_column(group, column, table->row_size, rows, count, i == 0, err);
    }
    H5Gclose(group);
    return status == STATUS_OK ? STATUS_OK : err_prefix(err, "/%s", table->name);
}

static Status read_move_unit(OldShard *shard, Err *err) {
    const hid_t moves = H5Dopen2(shard->file, "/plies/move", H5P_DEFAULT);
    if (moves < 0) return h5_fail(err, STATUS_CORRUPT, "/plies/move");
    const Status status = h5_read_text(moves, "unit", &shard->move_unit, err);
    H5Dclose(moves);
    return status;
}

static Status read_head(OldShard *shard, Err *err) {
    Status status = shard_check_format(shard->file, &shard->version, err);
    if (status == STATUS_OK && (shard->version < 1 || shard->version > STORE_SCHEMA_VERSION)) {
        status = err_set(err, STATUS_MISMATCH,
                         "schema_version is %llu, this program knows 1 to %d: use the program that "
                         "wrote it",
                         (unsigned long long)shard->version, STORE_SCHEMA_VERSION);
    }
    if (status == STATUS_OK && H5Aexists(shard->file, SOURCES_ATTRIBUTE) > 0) {
        status = err_set(err, STATUS_MISMATCH,
                         "it is a view of other shards: upgrade those and merge them again");
    }
    if (status == STATUS_OK) {
        status = h5_read_u64(shard->file, "first_game", &shard->range.first, err);
    }
    if (status == STATUS_OK) status = h5_read_u64(shard->file, "end_game", &shard->range.end, err);
    if (status == STATUS_OK) {
        status = h5_read_text(shard->file, "content_hash", &shard->content_hash, err);
    }
    return status;
}

static Status read_rows(OldShard *shard, Err *err) {
    ShardRows *rows = &shard->rows;
    char *games = NULL, *plies = NULL, *positions = NULL;
    Status status = read_move_unit(shard, err);
    if (status == STATUS_OK)
        status = read_group(shard, GROUP_GAMES, &games, &rows->game_count, err);
    if (status == STATUS_OK) status = read_group(shard, GROUP_PLIES, &plies, &rows->ply_count, err);
    if (status == STATUS_OK) {
        status = read_group(shard, GROUP_POSITIONS, &positions, &rows->position_count, err);
    }
    rows->games = (void *)games;
    rows->plies = (void *)plies;
    rows->positions = (void *)positions;
    return status;
}

// The hash covers every column; of a file that lacks some, the checksums of its chunks must do.
static Status check_content(const OldShard *shard, Err *err) {
    char hex[SHA256_HEX_SIZE];
    if (shard->lacks_any) return STATUS_OK;
    const Status status = content_hash_rows(&shard->rows, hex, err);
    if (status != STATUS_OK || strcmp(hex, shard->content_hash) == 0) return status;
    return err_set(err, STATUS_CORRUPT, "content_hash is not that of the content");
}

static void old_shard_clear(OldShard *shard) {
    shard_rows_clear(&shard->rows);
    free(shard->content_hash);
    free(shard->move_unit);
}

static Status read_shard(const char *path, OldShard *shard, Err *err) {
    *shard = (OldShard){.path = path};
    h5_lock();
    Status status = h5_open_file(path, &shard->file, err);
    if (status == STATUS_OK) {
        status = read_head(shard, err);
        if (status == STATUS_OK) status = read_rows(shard, err);
        if (status != STATUS_OK) err_prefix(err, "%s", path);
        H5Fclose(shard->file);
    }
    h5_unlock();
    if (status == STATUS_OK && check_content(shard, err) != STATUS_OK) {
        status = err->status;
        err_prefix(err, "%s", path);
    }
    return status;
}

// ---- provenance --------------------------------------------------------------------------------

// The texts of a file's provenance by their names; one that is not there is empty.
typedef struct OldTexts {
    char **values;
    uint64_t seed;
} OldTexts;

static void old_texts_clear(OldTexts *texts) {
    const char *const *names;
    const size_t count = provenance_names(&names);
    for (size_t i = 0; i < count && texts->values; i++) free(texts->values[i]);
    free(texts->values);
}

static const char *old_text(const OldTexts *texts, const char *name) {
    const char *const *names;
    const size_t count = provenance_names(&names);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) return texts->values[i] ? texts->values[i] : "";
    }
    return "";
}

static Status read_texts(const char *path, OldTexts *texts, Err *err) {
    const char *const *names;
    const size_t count = provenance_names(&names);
    hid_t file = -1;
    texts->values = memory_alloc(count, sizeof *texts->values);
    h5_lock();
    Status status = h5_open_file(path, &file, err);
    const hid_t group = status == STATUS_OK ? H5Gopen2(file, "provenance", H5P_DEFAULT) : -1;
    if (status == STATUS_OK && group < 0) status = h5_fail(err, STATUS_CORRUPT, "provenance");
    if (status == STATUS_OK) status = h5_read_u64(group, "seed", &texts->seed, err);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (H5Aexists(group, names[i]) <= 0) continue;
        status = h5_read_text(group, names[i], &texts->values[i], err);
    }
    if (group >= 0) H5Gclose(group);
    if (file >= 0) H5Fclose(file);
    h5_unlock();
    return status == STATUS_OK ? STATUS_OK : err_prefix(err, "%s", path);
}

static void add_source(const OldTexts *texts, uint64_t version, Text *text) {
    text_add(text, "%s", old_text(texts, "source"));
    if (version == STORE_SCHEMA_VERSION) return;
    // What differs from shard to shard stays out: they are one run.
    text_add(text, "%supgraded from schema %llu, which version %s revision %s wrote",
             text->length ? "\n" : "", (unsigned long long)version, old_text(texts, "version"),
             old_text(texts, "revision"));
}

// ---- writing -----------------------------------------------------------------------------------

// Positions are a view of the games: they are derived anew, and must be those that were there.
static Status check_positions(const ShardRows *rows, const GameBatch *batch, Err *err) {
    ShardRows derived = {0};
    char before[SHA256_HEX_SIZE], after[SHA256_HEX_SIZE];
    Status status = content_hash_rows(rows, before, err);
    if (status == STATUS_OK) status = shard_rows_from_batch(batch, &derived, err);
    if (status == STATUS_OK) status = content_hash_rows(&derived, after, err);
    if (status == STATUS_OK && strcmp(before, after) != 0) {
        status = err_set(err, STATUS_CORRUPT, "/positions are not those of the games");
    }
    shard_rows_clear(&derived);
    return status;
}

static Status write_shard(const OldShard *shard, const char *out, Err *err) {
    OldTexts texts = {0};
    Text source = {0};
    GameBatch batch = {0};
    char name[SHARD_NAME_SIZE];
    Status status = read_texts(shard->path, &texts, err);
    if (status != STATUS_OK) goto out;
    add_source(&texts, shard->version, &source);
    const Provenance provenance = {.kind = old_text(&texts, "kind"),
                                   .command = old_text(&texts, "command"),
                                   .options = old_text(&texts, "options"),
                                   .rules = old_text(&texts, "rules"),
                                   .weights = old_text(&texts, "weights"),
                                   .source = text_get(&source),
                                   .seed = texts.seed};
    status = shard_rows_to_batch(&shard->rows, &batch, err);
    if (status == STATUS_OK) status = check_positions(&shard->rows, &batch, err);
    if (status != STATUS_OK) {
        err_prefix(err, "%s", shard->path);
        goto out;
    }
    status = shard_write(out, &batch, shard->range, &provenance, name, err);
    if (status != STATUS_OK) {
        err_remedy(err, "%s is incomplete: mend this, remove it and begin again", out);
    }
out:
    game_batch_clear(&batch);
    text_clear(&source);
    old_texts_clear(&texts);
    return status;
}

static Status upgrade_file(const char *path, const char *out, UpgradeReport *report, Err *err) {
    OldShard shard;
    Status status = read_shard(path, &shard, err);
    for (uint64_t at = shard.version; status == STATUS_OK && at < STORE_SCHEMA_VERSION; at++) {
        status = steps[at - 1].apply(&shard, err);
        if (status != STATUS_OK) err_prefix(err, "%s", path);
    }
    if (status == STATUS_OK) status = write_shard(&shard, out, err);
    if (status == STATUS_OK) {
        report->shards++;
        report->games += shard.rows.game_count;
        report->plies += shard.rows.ply_count;
        report->positions += shard.rows.position_count;
        report->upgraded += shard.version < STORE_SCHEMA_VERSION;
        if (shard.version < report->oldest_version) report->oldest_version = shard.version;
    }
    old_shard_clear(&shard);
    return status;
}

// Is anything to be done, and can it be? Before a directory is made for it.
static Status check_versions(const PathList *files, const char *path, Err *err) {
    bool any = false;
    Status status = STATUS_OK;
    h5_lock();
    for (size_t i = 0; i < files->count && status == STATUS_OK; i++) {
        OldShard shard = {.path = files->paths[i]};
        status = h5_open_file(shard.path, &shard.file, err);
        if (status != STATUS_OK) break;
        status = read_head(&shard, err);
        if (status != STATUS_OK) err_prefix(err, "%s", shard.path);
        any = any || shard.version < STORE_SCHEMA_VERSION;
        old_shard_clear(&shard);
        H5Fclose(shard.file);
    }
    h5_unlock();
    if (status != STATUS_OK || any) return status;
    if (files->count == 0) {
        return err_set(err, STATUS_NOT_FOUND, "%s holds no shards (shard-*.h5)", path);
    }
    return err_set(err, STATUS_MISMATCH, "%s is of schema %d already: there is nothing to upgrade",
                   path, STORE_SCHEMA_VERSION);
}

Status store_upgrade(const char *path, const char *out, Progress *progress, UpgradeReport *report,
                     Err *err) {
    *report = (UpgradeReport){.oldest_version = STORE_SCHEMA_VERSION};
    PathList files;
    RunLock *lock = NULL;
    Status status = store_list_files(path, &files, err);
    if (status == STATUS_OK) status = check_versions(&files, path, err);
    if (status == STATUS_OK) status = run_directory_new(out, err);
    if (status == STATUS_OK) status = run_directory_lock(out, &lock, err);
    progress->total = files.count;
    for (size_t i = 0; i < files.count && status == STATUS_OK; i++) {
        status = upgrade_file(files.paths[i], out, report, err);
        progress_update(progress, i + 1, NULL);
        if (status == STATUS_OK && interrupt_requested() && i + 1 < files.count) {
            status =
                err_set(err, STATUS_INTERRUPTED, "interrupted: remove %s and begin again", out);
        }
    }
    run_directory_unlock(lock);
    path_list_clear(&files);
    return status;
}

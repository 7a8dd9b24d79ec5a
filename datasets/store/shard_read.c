// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/store.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/store/h5.h"

// The open columns of a file, by group and index.
typedef OpenColumn ShardColumns[ROW_GROUP_COUNT][MAX_COLUMNS];

static Status open_columns(hid_t file, GroupId id, OpenColumn *columns, size_t *count, Err *err) {
    const ColumnGroup *table = column_group(id);
    if (id == GROUP_TAGS && H5Lexists(file, table->name, H5P_DEFAULT) == 0) return STATUS_OK;
    AUTO_H5 hid_t group = H5Gopen2(file, table->name, H5P_DEFAULT);
    if (group < 0) return h5_fail(err, STATUS_CORRUPT, table->name);
    for (size_t i = 0; i < table->column_count; i++) {
        const Column *column = &table->columns[i];
        columns[i] = (OpenColumn){.column = NULL, .count = columns[0].count};
        if (column_may_lack(column) && H5Lexists(group, column->name, H5P_DEFAULT) == 0) {
            continue;
        }
        TRY(h5_open_column(group, column, &columns[i], err));
        if (columns[i].count != columns[0].count) {
            return err_set(err, STATUS_CORRUPT,
                           "the column %s has %zu rows, but the other columns have %zu",
                           column->name, columns[i].count, columns[0].count);
        }
    }
    *count = columns[0].count;
    return STATUS_OK;
}

// Checks that the file is a shard of games with the supported schema version.
static Status check_schema(hid_t file, Err *err) {
    AUTO_FREE char *format = NULL;
    uint64_t version = 0;
    TRY(h5_read_text(file, "format", &format, err));
    if (strcmp(format, H5_FORMAT_ROWS) == 0) {
        return err_set(
            err, STATUS_MISMATCH,
            "the file has sparse rows, not games: use 'tune --rows' to fit weights to them");
    }
    if (strcmp(format, H5_FORMAT_GAMES) != 0) {
        return err_set(err, STATUS_CORRUPT, "the attribute format is '%s', but must be '%s'",
                       format, H5_FORMAT_GAMES);
    }
    TRY(h5_read_u64(file, "schema_version", &version, err));
    if (version == STORE_SCHEMA_VERSION) return STATUS_OK;
    return err_set(err, STATUS_MISMATCH,
                   "the file has schema_version %llu, but this program reads only %d: use the "
                   "program that wrote the file",
                   (unsigned long long)version, STORE_SCHEMA_VERSION);
}

static Status read_head(hid_t file, ShardHead *head, ShardColumns columns, Err *err) {
    *head = (ShardHead){0};
    AUTO_FREE char *hash = NULL;
    TRY(h5_read_u64(file, "first_game", &head->range.first, err));
    TRY(h5_read_u64(file, "end_game", &head->range.end, err));
    if (head->range.end < head->range.first || head->range.end > INT64_MAX) {
        return err_set(err, STATUS_CORRUPT,
                       "the attributes first_game %llu and end_game %llu do not form a range",
                       (unsigned long long)head->range.first, (unsigned long long)head->range.end);
    }
    TRY(h5_read_text(file, "content_hash", &hash, err));
    if (strlen(hash) != SHA256_HEX_SIZE - 1) {
        return err_set(err, STATUS_CORRUPT,
                       "the attribute content_hash is '%s', which is not a SHA-256", hash);
    }
    memcpy(head->content_hash, hash, sizeof head->content_hash);
    for (int id = 0; id < ROW_GROUP_COUNT; id++) {
        if (open_columns(file, (GroupId)id, columns[id], &head->counts[id], err) != STATUS_OK) {
            return err_prefix(err, "/%s", column_group((GroupId)id)->name);
        }
    }
    const Column *group = column_find(GROUP_GAMES, "group");
    head->grouped = columns[GROUP_GAMES][group - column_group(GROUP_GAMES)->columns].column;
    return STATUS_OK;
}

static void close_file(hid_t file) {
    h5_lock();
    H5Fclose(file);
    h5_unlock();
}

// Adds advice for the user to the error message about a damaged file.
static Status add_remedy(Status status, Err *err) {
    if (status == STATUS_CORRUPT) {
        err_remedy(err,
                   "move this file to another directory; a resumed run then plays its games again");
    }
    return status;
}

// Returns true if a file can be read, but has neither the name of a shard nor the signature of
// HDF5. Such a file is reported as a wrong argument, not as a damaged shard.
static bool never_was_shard(const char *path) {
    static const char signature[8] = "\211HDF\r\n\032\n";
    char head[sizeof signature] = {0};
    const char *slash = strrchr(path, '/');
    if (is_shard_name(slash ? slash + 1 : path)) return false;
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    const size_t got = fread(head, 1, sizeof head, file);
    fclose(file);
    return got < sizeof head || memcmp(head, signature, sizeof head) != 0;
}

// Opens a shard and reads its header. If `columns` is NULL, only checks the schema and does not set
// *head.
static Status open_shard(const char *path, hid_t *file, ShardHead *head, ShardColumns columns,
                         Err *err) {
    h5_lock();
    Status status = h5_open_file(path, file, err);
    if (status == STATUS_OK) {
        status = check_schema(*file, err);
        if (status == STATUS_OK && columns) status = read_head(*file, head, columns, err);
        if (status != STATUS_OK) {
            err_prefix(err, "%s", path);
            H5Fclose(*file);
        }
    }
    h5_unlock();
    if (status == STATUS_CORRUPT && never_was_shard(path)) {
        return err_set(
            err, STATUS_BAD_INPUT,
            "%s is not a shard of games; use 'data import' for game records, 'weights show' for "
            "weight files",
            path);
    }
    return add_remedy(status, err);
}

Status shard_read_head(const char *path, ShardHead *head, Err *err) {
    hid_t file;
    ShardColumns columns;
    TRY(open_shard(path, &file, head, columns, err));
    close_file(file);
    return STATUS_OK;
}

// ---- blocks of games ---------------------------------------------------------------------------

struct ShardReader {
    char *path;
    hid_t file;
    ShardHead head;
    ShardColumns columns;
    uint32_t *ply_counts; // number of plies of every game; NULL until the first games are read
    uint64_t *tag_games;  // index of the game to which each tag belongs
    size_t game, ply, position, tag; // number of games, plies, positions and tag records read so
                                     // far
    Sha256 content;                  // hash of all games read so far, unless `unchecked` is set
    bool unchecked;                  // the caller will not compare the content hash
};

Status shard_reader_open(const char *path, ShardReader **reader, Err *err) {
    AUTO_FREE ShardReader *opened = memory_alloc(1, sizeof *opened);
    TRY(open_shard(path, &opened->file, &opened->head, opened->columns, err));
    opened->path = memory_copy_text(path);
    sha256_init(&opened->content);
    *reader = TAKE(opened);
    return STATUS_OK;
}

void shard_reader_close(ShardReader *reader) {
    if (!reader) return;
    close_file(reader->file);
    free(reader->ply_counts);
    free(reader->tag_games);
    free(reader->path);
    free(reader);
}

const ShardHead *shard_reader_head(const ShardReader *reader) {
    return &reader->head;
}

// Checks that the values of a column are within their range if the column has sides or results.
// Readers use these values as array indices and in sums.
static Status check_values(const Column *column, size_t row_size, const void *rows, size_t first,
                           size_t count, Err *err) {
    const bool side = strcmp(column->unit, "enum side") == 0;
    if (!side && strcmp(column->unit, "enum result") != 0) return STATUS_OK;
    const int largest = strcmp(column->name, "result") == 0 ? RESULT_NONE : 1;
    const char *at = (const char *)rows + column->offset;
    for (size_t i = 0; i < count; i++, at += row_size) {
        const int value = *(const int8_t *)at;
        if (value <= largest && value >= (side ? 0 : -1)) continue;
        return err_set(err, STATUS_CORRUPT,
                       "the column %s is out of range: row %zu has the value %d", column->name,
                       first + i, value);
    }
    return STATUS_OK;
}

// Reads the values first..first+count-1 of some columns into records that the caller has
// initialised with zeros.
static Status read_columns(GroupId id, OpenColumn *columns, size_t column_count, size_t row_size,
                           void *rows, size_t first, size_t count, Err *err) {
    Status status = STATUS_OK;
    h5_lock();
    for (size_t i = 0; i < column_count && status == STATUS_OK; i++) {
        if (!columns[i].column) continue; // the file lacks this column; its values stay 0
        status = h5_read_column(&columns[i], first, count, row_size, rows, err);
        if (status == STATUS_OK) {
            status = check_values(columns[i].column, row_size, rows, first, count, err);
        }
    }
    h5_unlock();
    return status == STATUS_OK ? STATUS_OK : err_prefix(err, "/%s", column_group(id)->name);
}

// Reads all values of one column into an array.
static Status read_column(ShardReader *reader, GroupId id, const char *name, void *list, Err *err) {
    Column column = *column_find(id, name);
    OpenColumn opened = reader->columns[id][column_find(id, name) - column_group(id)->columns];
    column.offset = 0;
    opened.column = &column;
    return read_columns(id, &opened, 1, column.size, list, 0, reader->head.counts[id], err);
}

// Reads the number of plies of each game and the game index of each tag record. Returns an error
// unless the numbers of plies add up to the number of rows of /plies.
static Status read_lengths(ShardReader *reader, Err *err) {
    const size_t count = reader->head.counts[GROUP_GAMES], tags = reader->head.counts[GROUP_TAGS];
    reader->ply_counts = memory_alloc(count, sizeof *reader->ply_counts);
    reader->tag_games = memory_alloc(tags, sizeof *reader->tag_games);
    TRY(read_column(reader, GROUP_GAMES, "ply_count", reader->ply_counts, err));
    if (tags) TRY(read_column(reader, GROUP_TAGS, "game", reader->tag_games, err));
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += reader->ply_counts[i];
    if (sum == reader->head.counts[GROUP_PLIES]) return STATUS_OK;
    return err_set(err, STATUS_CORRUPT,
                   "the games have %llu plies together, but /plies has %zu rows",
                   (unsigned long long)sum, reader->head.counts[GROUP_PLIES]);
}

static Status read_group(ShardReader *reader, GroupId id, size_t first, size_t count, void *records,
                         Err *err) {
    const ColumnGroup *table = column_group(id);
    return read_columns(id, reader->columns[id], table->column_count, table->row_size, records,
                        first, count, err);
}

// Reads the tags of the games in a block. The last block of a shard gets all remaining tags.
static Status read_tags(ShardReader *reader, GameBatch *batch, bool last, Err *err) {
    const size_t left = reader->head.counts[GROUP_TAGS] - reader->tag;
    const uint64_t *games = reader->tag_games + reader->tag,
                   index = batch->games[batch->count - 1].index;
    size_t count = last ? left : 0;
    while (count < left && games[count] <= index) count++;
    if (count == 0) return STATUS_OK;
    batch->tag_count = batch->tag_capacity = count;
    batch->tags = memory_alloc(count, sizeof *batch->tags);
    return read_group(reader, GROUP_TAGS, reader->tag, count, batch->tags, err);
}

// Reads the games and plies of the next block, and the positions sampled from them.
static Status read_block(ShardReader *reader, GameBatch *batch, Err *err) {
    const size_t left = reader->head.counts[GROUP_POSITIONS] - reader->position;
    batch->games = memory_aligned(_Alignof(GameRecord), batch->count * sizeof *batch->games);
    memset(batch->games, 0, batch->count * sizeof *batch->games); // columns may be absent
    batch->plies = memory_alloc(batch->ply_count, sizeof *batch->plies);
    batch->capacity = batch->count;
    batch->ply_capacity = batch->ply_count;
    TRY(read_group(reader, GROUP_GAMES, reader->game, batch->count, batch->games, err));
    TRY(read_group(reader, GROUP_PLIES, reader->ply, batch->ply_count, batch->plies, err));
    size_t sampled = 0;
    for (size_t i = 0; i < batch->ply_count; i++) sampled += batch->plies[i].sampled != 0;
    const bool last = reader->game + batch->count == reader->head.counts[GROUP_GAMES];
    if (sampled > left || (last && sampled < left)) {
        return err_set(err, STATUS_CORRUPT,
                       "from row %zu of /games on, %zu plies are sampled, but /positions has %zu "
                       "rows for them",
                       reader->game, sampled, left);
    }
    batch->position_count = sampled;
    batch->positions = memory_alloc(sampled, sizeof *batch->positions);
    TRY(read_group(reader, GROUP_POSITIONS, reader->position, sampled, batch->positions, err));
    TRY(read_tags(reader, batch, last, err));
    return game_batch_cut(batch, err);
}

static Status read_next(ShardReader *reader, size_t max_plies, GameBatch *batch, Err *err) {
    if (!reader->ply_counts) TRY(read_lengths(reader, err));
    while (reader->game + batch->count < reader->head.counts[GROUP_GAMES]) {
        const size_t more = reader->ply_counts[reader->game + batch->count];
        if (batch->count > 0 && max_plies > 0 && batch->ply_count + more > max_plies) break;
        batch->ply_count += more;
        batch->count++;
    }
    if (batch->count > 0) return read_block(reader, batch, err);
    if (reader->position == reader->head.counts[GROUP_POSITIONS]) return STATUS_OK;
    return err_set(err, STATUS_CORRUPT, "/positions has rows that belong to no game");
}

void shard_reader_unchecked(ShardReader *reader) {
    reader->unchecked = true;
}

Status shard_reader_check(ShardReader *reader, Err *err) {
    char hex[SHA256_HEX_SIZE];
    if (reader->game < reader->head.counts[GROUP_GAMES]) return STATUS_OK;
    sha256_finish_hex(&reader->content, hex);
    if (strcmp(hex, reader->head.content_hash) == 0) return STATUS_OK;
    return err_set(err, STATUS_CORRUPT,
                   "%s: the games in the file have changed since it was written: they do not match "
                   "its content_hash; restore the file from a copy",
                   reader->path);
}

Status shard_reader_next(ShardReader *reader, size_t max_plies, GameBatch *batch, Err *err) {
    *batch = (GameBatch){0};
    Status status = read_next(reader, max_plies, batch, err);
    if (status != STATUS_OK) {
        game_batch_clear(batch);
        err_prefix(err, "%s", reader->path);
        return add_remedy(status, err);
    }
    for (size_t i = 0; i < batch->count && !reader->unchecked; i++) {
        uint8_t digest[SHA256_BYTES];
        content_digest(batch, &batch->games[i], digest);
        sha256_add(&reader->content, digest, sizeof digest);
    }
    reader->game += batch->count;
    reader->ply += batch->ply_count;
    reader->position += batch->position_count;
    reader->tag += batch->tag_count;
    return STATUS_OK;
}

Status shard_read_positions(const char *path, PositionRecord **positions, size_t *count, Err *err) {
    AUTO_POINTER(ShardReader) reader = NULL;
    TRY(shard_reader_open(path, &reader, err));
    *count = reader->head.counts[GROUP_POSITIONS];
    AUTO_FREE PositionRecord *read = memory_alloc(*count, sizeof *read);
    const Status status = read_group(reader, GROUP_POSITIONS, 0, *count, read, err);
    if (status != STATUS_OK) {
        err_prefix(err, "%s", path);
        return add_remedy(status, err);
    }
    *positions = TAKE(read);
    return STATUS_OK;
}

// ---- provenance --------------------------------------------------------------------------------

const char *const provenance_names[PROVENANCE_COUNT] = {
    "seed",
#define PROVENANCE(name, value) #name,
#include "datasets/store/provenance.def"
};

void provenance_texts_clear(ProvenanceTexts *texts) {
    for (int i = 0; i < PROVENANCE_COUNT; i++) free(texts->list[i]);
    *texts = (ProvenanceTexts){{NULL}};
}

static Status read_provenance(hid_t file, ProvenanceTexts *texts, Err *err) {
    uint64_t seed = 0;
    char number[24];
    AUTO_H5 hid_t group = H5Gopen2(file, "provenance", H5P_DEFAULT);
    if (group < 0) return h5_fail(err, STATUS_CORRUPT, "provenance");
    TRY(h5_read_u64(group, "seed", &seed, err));
    for (int i = PROVENANCE_SEED + 1; i < PROVENANCE_COUNT; i++) {
        // Files of earlier versions lack some attributes.
        if (H5Aexists(group, provenance_names[i]) == 0) {
            texts->list[i] = memory_copy_text("");
        } else {
            TRY(h5_read_text(group, provenance_names[i], &texts->list[i], err));
        }
    }
    snprintf(number, sizeof number, "%llu", (unsigned long long)seed);
    texts->seed = memory_copy_text(number);
    return STATUS_OK;
}

Status shard_read_provenance(const char *path, ProvenanceTexts *texts, Err *err) {
    hid_t file;
    *texts = (ProvenanceTexts){{NULL}};
    TRY(open_shard(path, &file, NULL, NULL, err));
    h5_lock();
    const Status status = read_provenance(file, texts, err);
    H5Fclose(file);
    h5_unlock();
    return status == STATUS_OK ? STATUS_OK : err_prefix(err, "%s", path);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/summary.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/memory.h"
#include "datasets/scan.h"

// Keys of positions, to count how many are different.
typedef struct Keys {
    uint64_t *keys;
    size_t count, capacity;
} Keys;

static uint64_t *keys_extend(Keys *list, size_t more) {
    if (list->count + more > list->capacity) {
        list->capacity = memory_grow(list->capacity, list->count + more);
        list->keys = memory_resize(list->keys, list->capacity, sizeof *list->keys);
    }
    list->count += more;
    return list->keys + list->count - more;
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t keys_distinct(Keys *list) {
    if (list->count == 0) return 0;
    qsort(list->keys, list->count, sizeof *list->keys, compare_keys);
    size_t distinct = 1;
    for (size_t i = 1; i < list->count; i++) distinct += list->keys[i] != list->keys[i - 1];
    return distinct;
}

typedef struct Summing {
    int threads;
    StoreSummary *summary;
    Sha256 hash;
    Keys openings, positions;
    uint64_t next_game;
} Summing;

// ---- counting ----------------------------------------------------------------------------------

static void count_game(StoreSummary *summary, const GameSlice *slice) {
    const GameRow *game = slice->game;
    if (game->result >= -1 && game->result <= 1) summary->results[game->result + 1]++;
    if (game->reason < END_REASON_COUNT) summary->reasons[game->reason]++;
    if (game->reason == END_IMPORTED && game->end_reason < END_REASON_COUNT) {
        summary->end_reasons[game->end_reason]++;
    }
    const size_t bin = game->ply_count / LENGTH_BIN_PLIES;
    summary->lengths[bin < LENGTH_BINS ? bin : LENGTH_BINS - 1]++;
    if (summary->games == 0 || game->ply_count < summary->shortest) {
        summary->shortest = game->ply_count;
    }
    if (game->ply_count > summary->longest) summary->longest = game->ply_count;
    summary->games++;
    for (uint32_t i = 0; i < game->ply_count; i++) {
        summary->scored += slice->plies[i].score_red != SCORE_UNKNOWN;
    }
    for (size_t i = 0; i < slice->position_count; i++) {
        int pieces = 0;
        for (int k = 0; k < SLOT_COUNT; k++) pieces += slice->positions[i].squares[k] != SLOT_EMPTY;
        summary->pieces[pieces]++;
    }
}

// The position behind the opening; where nothing is said of one, behind the first eight plies.
static uint64_t opening_key(const GameSlice *slice) {
    enum { UNKNOWN_OPENING_PLIES = 8 };
    GameRecord record;
    GameWalk walk;
    uint8_t squares[SLOT_COUNT];
    if (game_row_to_record(slice->game, &record, NULL) != STATUS_OK) return 0;
    uint32_t plies = record.opening_plies ? record.opening_plies : UNKNOWN_OPENING_PLIES;
    if (plies > record.ply_count) plies = record.ply_count;
    game_walk_init(&walk, &record);
    while (walk.ply < plies &&
           game_walk_step(&walk, &record, move_from_stored(slice->plies[walk.ply].move))) {
    }
    squares_from_position(&walk.position, squares);
    return squares_key(squares, walk.position.stm);
}

static Status sum_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    Summing *sum = context;
    StoreSummary *summary = sum->summary;
    const OptionRange range = shard_reader_head(reader)->range;
    struct stat info;
    if (stat(path, &info) == 0) summary->bytes += (uint64_t)info.st_size;
    if (summary->shards++ == 0) {
        summary->first_game = range.first;
    } else if (range.first < sum->next_game) {
        return err_set(err, STATUS_MISMATCH, "%s holds games that another shard holds, too", path);
    } else {
        summary->missing += range.first - sum->next_game;
    }
    sum->next_game = summary->end_game = range.end;
    return STATUS_OK;
}

static Status sum_block(void *context, const ScanBlock *block, Err *err) {
    (void)err;
    Summing *sum = context;
    const ShardRows *rows = block->rows;
    const size_t count = rows->game_count;
    uint8_t(*digests)[SHA256_BYTES] = memory_alloc(count, sizeof *digests);
    uint64_t *openings = keys_extend(&sum->openings, count);
    uint64_t *positions = keys_extend(&sum->positions, rows->position_count);
#pragma omp parallel for schedule(dynamic, 8) num_threads(sum->threads)
    for (size_t i = 0; i < count; i++) {
        content_digest(&block->slices[i], digests[i]);
        openings[i] = opening_key(&block->slices[i]);
    }
    for (size_t i = 0; i < count; i++) {
        sha256_add(&sum->hash, digests[i], SHA256_BYTES);
        count_game(sum->summary, &block->slices[i]);
    }
    for (size_t i = 0; i < rows->position_count; i++) {
        positions[i] = squares_key(rows->positions[i].squares, rows->positions[i].stm);
    }
    sum->summary->plies += rows->ply_count;
    sum->summary->positions += rows->position_count;
    free(digests);
    return STATUS_OK;
}

Status store_summarise(const char *path, int threads, Progress *progress, StoreSummary *summary,
                       Err *err) {
    *summary = (StoreSummary){0};
    Summing sum = {.threads = threads, .summary = summary};
    sha256_init(&sum.hash);
    const ScanHooks hooks = {.opened = sum_opened, .block = sum_block, .context = &sum};
    const Status status = store_scan(path, &hooks, progress, err);
    uint8_t digest[SHA256_BYTES];
    sha256_finish(&sum.hash, digest);
    sha256_to_hex(digest, summary->content_hash);
    summary->openings = keys_distinct(&sum.openings);
    summary->distinct = keys_distinct(&sum.positions);
    free(sum.openings.keys);
    free(sum.positions.keys);
    return status;
}

// ---- provenance --------------------------------------------------------------------------------

typedef struct Entries {
    ProvenanceEntry *list;
    size_t count;
} Entries;

// Takes a value of the next shard over, which becomes the caller's entry `at`.
static void take_value(Entries *entries, size_t at, const char *name, const char *value) {
    if (at < entries->count) {
        const size_t length = strlen(entries->list[at].value);
        entries->list[at].same = entries->list[at].same &&
                                 strncmp(entries->list[at].value, value, length) == 0 &&
                                 value[length + strspn(value + length, "\n")] == '\0';
        return;
    }
    char *copy = memory_copy_text(value);
    for (size_t end = strlen(copy); end > 0 && copy[end - 1] == '\n';) copy[--end] = '\0';
    entries->list = memory_resize(entries->list, at + 1, sizeof *entries->list);
    entries->list[entries->count++] = (ProvenanceEntry){memory_copy_text(name), copy, true};
}

static Status take_shard(Entries *entries, const char *path, Err *err) {
    const char *const *names;
    const size_t count = provenance_names(&names);
    ShardReader *reader = NULL;
    uint64_t seed = 0;
    char number[32];
    Status status = shard_reader_open(path, &reader, err);
    if (status == STATUS_OK) status = shard_reader_seed(reader, &seed, err);
    snprintf(number, sizeof number, "%llu", (unsigned long long)seed);
    if (status == STATUS_OK) take_value(entries, 0, "seed", number);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        char *value = NULL;
        status = shard_reader_provenance(reader, names[i], &value, err);
        if (status == STATUS_OK) take_value(entries, i + 1, names[i], value);
        free(value);
    }
    shard_reader_close(reader);
    return status;
}

Status store_provenance_entries(const char *path, ProvenanceEntry **entries, size_t *count,
                                Err *err) {
    Entries found = {0};
    PathList files;
    Status status = store_list_files(path, &files, err);
    for (size_t i = 0; i < files.count && status == STATUS_OK; i++) {
        status = take_shard(&found, files.paths[i], err);
    }
    path_list_clear(&files);
    if (status != STATUS_OK) {
        provenance_entries_free(found.list, found.count);
        return status;
    }
    *entries = found.list;
    *count = found.count;
    return STATUS_OK;
}

void provenance_entries_free(ProvenanceEntry *entries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(entries[i].name);
        free(entries[i].value);
    }
    free(entries);
}

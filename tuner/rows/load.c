// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/load.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "datasets/store/game_key.h"
#include "tuner/rows/row_ranks.h"

// One shard of one of the paths.
typedef struct Job {
    const Store *store;
    size_t shard;
    uint32_t source;
    GameKeys games; // while they are wanted
    uint64_t row;   // on several ranks: its first row
} Job;

typedef struct Load {
    RowSet *rows;
    Job *jobs;
    size_t count;
    int threads;
    Progress *progress;
    KeySet games;     // that were read
    GameTree tree;    // of the last of them
    GameTree counted; // the last one that counts as empty or not
    KeySet positions; // that were read, in one process
    bool keep_keys;
    Sha256 *content; // of the games of each source, in one process
    // On several ranks: this rank's rows, and behind them the rest of a game; all games.
    uint64_t first_row, end_row, last_row;
    RowGame *all_games;
    size_t all_count, all_capacity;
    Status status; // of the first shard, in order, that failed
    Err *err;
} Load;

// What is read of a shard.
typedef struct Shard {
    GameBatch games;
    uint8_t (*digests)[SHA256_BYTES]; // of the games
    RowPart part;
    uint64_t *keys;  // of the part's positions
    RowPart counted; // the counts without those of the rest of a game
    bool rest;
} Shard;

static void load_fail(Load *load, Status status, const Err *err) {
    if (load->status != STATUS_OK || status == STATUS_OK) return;
    load->status = status;
    if (load->err) *load->err = *err;
}

// ---- on several ranks --------------------------------------------------------------------------

// Numbers that rank 0 collects.
typedef struct Numbers {
    uint64_t *list;
    size_t count, capacity;
} Numbers;

static void numbers_add(Numbers *numbers, const uint64_t *list, size_t count) {
    numbers->list = memory_room(numbers->list, &numbers->capacity, numbers->count + count,
                                sizeof *numbers->list);
    if (count) memcpy(numbers->list + numbers->count, list, count * sizeof *list);
    numbers->count += count;
}

static Status take_numbers(void *context, int rank, const void *bytes, size_t size, Err *err) {
    (void)rank;
    (void)err;
    numbers_add(context, bytes, size / sizeof(uint64_t));
    return STATUS_OK;
}

static const uint64_t *take_list(uint64_t **list, const uint64_t *from, size_t count) {
    free(*list);
    *list = memory_alloc(count, sizeof **list);
    memcpy(*list, from, count * sizeof **list);
    return from + count;
}

// Gives all ranks the keys of all shards; this one has read those of first to one before end.
static Status share_keys(Load *load, size_t first, size_t end) {
    Numbers own = {0}, all = {0};
    for (size_t i = first; i < end; i++) {
        const GameKeys *keys = &load->jobs[i].games;
        numbers_add(&own, (uint64_t[]){keys->count}, 1);
        numbers_add(&own, keys->game, keys->count);
        numbers_add(&own, keys->tree, keys->count);
        numbers_add(&own, keys->split, keys->count);
        numbers_add(&own, keys->key, keys->count);
        numbers_add(&own, keys->positions, keys->count);
    }
    const size_t word = sizeof(uint64_t);
    Status status = ranks_collect(own.list, own.count * word, take_numbers, &all, load->err);
    uint64_t count = all.count;
    if (status == STATUS_OK) status = ranks_share(&count, sizeof count, load->err);
    if (status == STATUS_OK && rank_self() > 0) all.list = memory_alloc(count, word);
    if (status == STATUS_OK) status = ranks_share(all.list, count * word, load->err);
    const uint64_t *at = all.list;
    for (size_t i = 0; i < load->count && status == STATUS_OK; i++) {
        GameKeys *keys = &load->jobs[i].games;
        keys->count = (size_t)*at++;
        at = take_list(&keys->game, at, keys->count);
        at = take_list(&keys->tree, at, keys->count);
        at = take_list(&keys->split, at, keys->count);
        at = take_list(&keys->key, at, keys->count);
        at = take_list(&keys->positions, at, keys->count);
    }
    free(own.list);
    free(all.list);
    return status;
}

// Which rows this rank has, now that all games are known.
static void choose_rows(Load *load) {
    RowSet *rows = load->rows;
    const uint64_t count = load->last_row;
    uint64_t row = 0;
    load->end_row = rank_rows(rows, count, &load->first_row);
    load->last_row = load->end_row;
    rows->own_chunks =
        (size_t)((load->end_row - load->first_row + rows->chunk_rows - 1) / rows->chunk_rows);
    for (size_t i = 0; i < load->all_count; i++) {
        const uint64_t end = row + load->all_games[i].rows;
        if (end <= load->first_row) rows->first_game = (uint32_t)(i + 1);
        if (row < load->end_row && end > load->end_row) load->last_row = end;
        row = end;
    }
    if (load->first_row >= load->end_row) load->last_row = load->first_row;
}

// ---- the games' keys ---------------------------------------------------------------------------

static RowGame row_game(const GameTree *tree) {
    return (RowGame){.id = tree->game, .split = tree->split, .source = tree->source};
}

// In the order of the jobs: finds the copies of earlier games, and notes the games with rows.
static void take_keys(Load *load, Job *job) {
    GameKeys *keys = &job->games;
    game_keys_link(keys, job->source, &load->tree, &load->games);
    load->rows->copies += keys->copies;
    job->row = load->last_row;
    for (size_t i = 0; i < keys->count; i++) {
        if (keys->tree[i] == TREE_NONE) continue;
        const GameTree tree = game_keys_tree(keys, i, job->source);
        const bool more = tree.game == load->counted.game && tree.source == load->counted.source;
        load->rows->empty += !more;
        load->counted = tree;
        if (rank_count() == 1 || keys->positions[i] == 0) continue;
        const RowGame game = row_game(&tree);
        row_games_add(&load->all_games, &load->all_count, &load->all_capacity, &game,
                      (uint32_t)keys->positions[i]);
        load->last_row += keys->positions[i];
    }
}

static Status read_shard(const Job *job, GameBatch *games, Err *err) {
    *games = (GameBatch){0};
    if (interrupt_requested()) {
        return err_set(err, STATUS_INTERRUPTED, "interrupted while reading");
    }
    return store_read_shard(job->store, job->shard, games, err);
}

// On several ranks: finds the games that have the start and the moves of an earlier one, so that
// all rows are known before any is read. Each rank reads a part of the shards.
static void find_copies(Load *load) {
    const size_t ranks = (size_t)rank_count(), self = (size_t)rank_self();
    const size_t first = load->count * self / ranks, end = load->count * (self + 1) / ranks;
#pragma omp parallel for schedule(dynamic, 1) ordered num_threads(load->threads)
    for (size_t i = first; i < end; i++) {
        GameBatch games;
        Err err = {0};
        const Status status = read_shard(&load->jobs[i], &games, &err);
        if (status == STATUS_OK) game_keys_of(&games, &load->jobs[i].games);
        game_batch_clear(&games);
#pragma omp ordered
        load_fail(load, status, &err);
    }
    if (load->status == STATUS_OK) load->status = share_keys(load, first, end);
    for (size_t i = 0; i < load->count && load->status == STATUS_OK; i++) {
        take_keys(load, &load->jobs[i]);
    }
    choose_rows(load);
}

// ---- positions ---------------------------------------------------------------------------------

// Is the row one of this rank's? Those that only end its last game do not count.
static bool take_row(const Load *load, uint64_t row, Shard *shard) {
    if (row < load->first_row || row >= load->last_row) return false;
    if (row >= load->end_row && !shard->rest) {
        shard->rest = true;
        shard->counted = shard->part;
    }
    return true;
}

// The counts of this rank's own rows.
static void drop_rest(Shard *shard) {
    if (!shard->rest) return;
    RowPart *part = &shard->part;
    part->coefficients = shard->counted.coefficients;
    memcpy(part->occurrences, shard->counted.occurrences, sizeof part->occurrences);
    memcpy(part->occurrence_phase, shard->counted.occurrence_phase, sizeof part->occurrence_phase);
}

static Status trace_shard(const Load *load, const Job *job, Shard *shard, Err *err) {
    const PositionRecord *positions = shard->games.positions;
    const size_t count = shard->games.position_count;
    size_t at = 0;
    uint64_t row = job->row;
    Status status = STATUS_OK;
    Weights weights; // any set gives the same rows
    weights_classic(&weights);
    shard->keys = memory_resize(shard->keys, count, sizeof *shard->keys);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        Position board;
        if (!game_keys_find(&job->games, positions[i].game, &at)) continue;
        if (rank_count() > 1 && !take_row(load, row++, shard)) continue;
        status = position_record_board(&positions[i], &board, err);
        if (status == STATUS_OK) {
            const GameTree tree = game_keys_tree(&job->games, at, job->source);
            const RowGame game = row_game(&tree);
            if (load->keep_keys)
                shard->keys[shard->part.count] = position_content_key(&board, true);
            status = row_part_add_board(&shard->part, &positions[i], &board, &game, &weights, err);
        }
        if (status != STATUS_OK) err_prefix(err, "%s", store_shard_path(job->store, job->shard));
    }
    drop_rest(shard);
    return status;
}

// Has this rank any of the shard's rows? The next shard's begin where its own end.
static bool has_rows(const Load *load, size_t job) {
    const uint64_t first = load->jobs[job].row;
    const bool before = job + 1 < load->count && load->jobs[job + 1].row <= load->first_row;
    return rank_count() == 1 || (first < load->last_row && !before);
}

// In one process the games that are copies are known only now, in shard order: a shard that has
// some is traced again. So is the game whose variations begin the shard.
static Status leave_out_copies(Load *load, Job *job, Shard *shard, Err *err) {
    for (size_t i = 0; i < shard->games.count; i++) {
        sha256_add(&load->content[job->source], shard->digests[i], SHA256_BYTES);
    }
    take_keys(load, job);
    RowGame *first = shard->part.games;
    if (shard->part.game_count && first->id == TREE_BEFORE) {
        const uint32_t rows = first->rows;
        *first = row_game(&job->games.before);
        first->rows = rows;
    }
    if (job->games.copies == 0) return STATUS_OK;
    row_part_clear(&shard->part);
    return trace_shard(load, job, shard, err);
}

// In shard order, one caller at a time.
static void append_shard(Load *load, Job *job, Shard *shard, Status status, Err *err) {
    if (status == STATUS_OK && rank_count() == 1) {
        status = leave_out_copies(load, job, shard, err);
    }
    load_fail(load, status, err);
    if (load->status != STATUS_OK) return;
    for (size_t i = 0; load->keep_keys && i < shard->part.count; i++) {
        key_set_add(&load->positions, shard->keys[i]);
    }
    load->rows->distinct = load->positions.count;
    row_set_append(load->rows, &shard->part);
    if (load->progress) {
        progress_update(load->progress, load->rows->count + load->rows->pending.count, NULL);
    }
}

static Status load_shard(const Load *load, Job *job, Shard *shard, Err *err) {
    GameBatch *games = &shard->games;
    Status status = rank_count() > 1
                        ? store_read_positions(job->store, job->shard, &games->positions,
                                               &games->position_count, err)
                        : read_shard(job, games, err);
    if (status == STATUS_OK && rank_count() == 1) game_keys_of(games, &job->games);
    if (status == STATUS_OK) status = trace_shard(load, job, shard, err);
    shard->digests = memory_alloc(games->count, sizeof *shard->digests);
    for (size_t i = 0; i < games->count; i++) {
        content_digest(games, &games->games[i], shard->digests[i]);
    }
    return status;
}

static void load_jobs(Load *load) {
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(load->threads)
    for (size_t i = 0; i < load->count; i++) {
        Job *job = &load->jobs[i];
        Shard shard = {.part = {0}};
        Err err = {0};
        const Status status = has_rows(load, i) ? load_shard(load, job, &shard, &err) : STATUS_OK;
#pragma omp ordered
        append_shard(load, job, &shard, status, &err);
        game_keys_clear(&job->games);
        row_part_clear(&shard.part);
        game_batch_clear(&shard.games);
        free(shard.digests);
        free(shard.keys);
    }
}

static void begin_content(Load *load, size_t sources) {
    if (rank_count() > 1) return;
    load->content = memory_alloc(sources, sizeof *load->content);
    for (size_t i = 0; i < sources; i++) sha256_init(&load->content[i]);
}

static void finish_content(Load *load, size_t sources) {
    if (!load->content) return;
    load->rows->source_count = sources;
    load->rows->content = memory_alloc(sources, sizeof *load->rows->content);
    for (size_t i = 0; i < sources; i++) {
        sha256_finish_hex(&load->content[i], load->rows->content[i]);
    }
}

static Status open_stores(Load *load, const char *const *paths, int count, Store **stores,
                          Err *err) {
    size_t capacity = 0;
    for (int i = 0; i < count; i++) {
        const Status status = store_open(paths[i], &stores[i], err);
        if (status != STATUS_OK) return status;
        const size_t shards = store_shard_count(stores[i]);
        if (shards == 0) {
            return err_set(err, STATUS_NOT_FOUND, "%s holds no shards (shard-*.h5)", paths[i]);
        }
        load->jobs = memory_room(load->jobs, &capacity, load->count + shards, sizeof *load->jobs);
        for (size_t shard = 0; shard < shards; shard++) {
            load->jobs[load->count++] =
                (Job){.store = stores[i], .shard = shard, .source = (uint32_t)i};
        }
    }
    return STATUS_OK;
}

// Reads all games.
static void load_games(Load *load, size_t sources) {
    RowSet *rows = load->rows;
    if (rank_count() > 1) find_copies(load);
    begin_content(load, sources);
    if (load->status == STATUS_OK) load_jobs(load);
    finish_content(load, sources);
    if (load->status != STATUS_OK) return;
    row_set_finish(rows);
    if (rank_count() > 1) {
        row_set_spread(rows, load->all_games, load->all_count, load->first_row);
        load->all_games = NULL;
        load->status = row_set_trouble(rows, load->err);
    }
    rows->empty -= rows->game_count;
}

Status rows_load(const char *const *paths, int path_count, int threads, Progress *progress,
                 RowSet *rows, Err *err) {
    Store **stores = memory_alloc((size_t)path_count, sizeof(Store *));
    Load load = {.rows = rows,
                 .threads = threads,
                 .progress = progress,
                 .keep_keys = rank_count() == 1,
                 .counted = {.game = TREE_NONE},
                 .err = err};
    row_set_init(rows, WEIGHT_COUNT, PHASE_MAX);
    rows->split_by_content = true;
    load.status = open_stores(&load, paths, path_count, stores, err);
    if (load.status == STATUS_OK) load_games(&load, (size_t)path_count);
    if (load.status != STATUS_OK) row_set_clear(rows);
    for (size_t i = 0; i < load.count; i++) game_keys_clear(&load.jobs[i].games);
    for (int i = 0; i < path_count; i++) store_close(stores[i]);
    key_set_clear(&load.games);
    key_set_clear(&load.positions);
    free(load.content);
    free(stores);
    free(load.jobs);
    free(load.all_games);
    return load.status;
}

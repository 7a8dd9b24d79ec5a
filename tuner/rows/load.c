// SPDX-License-Identifier: GPL-3.0-or-later
// Reads runs of games in two passes. The first pass computes hashes of each game, which reveal
// copies, and counts its sampled positions. The second pass reads the positions and traces their
// evaluation.
#include "tuner/rows/load.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/command/progress.h"
#include "core/eval/eval.h"
#include "core/system/interrupt.h"
#include "datasets/store/game_key.h"
#include "tuner/rows/row_ranks.h"

// Smallest and largest wanted number of positions in RowSet.sample. One of every n positions is
// sampled, and n is rounded down, so the sample may have up to twice the wanted number.
enum { SAMPLE_LEAST = 2000, SAMPLE_MOST = 16384 };

// A shard, one file of a run, that is to be read.
typedef struct Job {
    const Store *store;
    size_t shard;
    uint32_t source;
    GameKeys games;
    uint64_t row; // index of the shard's first position among all positions
} Job;

typedef struct Load {
    RowSet *rows;
    Job *jobs;
    size_t count;
    int threads;
    const RowChoice *choice;
    Progress progress;
    // all games to read: they have sampled positions, are neither copies nor near copies, and
    // RowChoice.take accepts them
    RowGame *games;
    size_t game_count, game_capacity;
    KeyMap game_index; // for row_games_add()
    uint64_t row_count;
    bool scattered; // positions of a group are not adjacent (GameLinks.scattered)
    // Range first_row to last_row - 1 of the positions that this process reads. They are its share
    // of all positions (before end_row), and the rest of the last game that begins in this share.
    uint64_t first_row, end_row, last_row;
    // RowSet.sample contains the positions whose index is a multiple of sample_every
    uint64_t sample_every;
    // hashes of the positions read so far; unused with several processes or a RowSink
    KeySet positions;
    Status status; // status of the first failed shard, in the order of the shards
    Err *err;
} Load;

static void load_fail(Load *load, Status status, const Err *err) {
    if (load->status != STATUS_OK || status == STATUS_OK) return;
    load->status = status;
    if (load->err) *load->err = *err;
}

// ---- the games' keys ---------------------------------------------------------------------------

static Status take_bytes(void *context, int from, const void *bytes, size_t size, Err *err) {
    (void)from;
    (void)err;
    text_add_bytes(context, bytes, size);
    return STATUS_OK;
}

// Concatenates the bytes of all processes, in the order of the MPI ranks, and sends them to all
// processes.
static Status share_all(const Text *own, Text *all, Err *err) {
    TRY(ranks_collect(own->data, own->length, take_bytes, all, err));
    return ranks_share_text(all, err);
}

// Sends the game keys of all shards to all processes. This process has read the keys of the shards
// `first` to `end` - 1.
static Status share_keys(Load *load, size_t first, size_t end) {
    AUTO(Text) own = {0}, all = {0};
    for (size_t i = first; i < end; i++) {
        const GameKeys *keys = &load->jobs[i].games;
        text_add_bytes(&own, &keys->count, sizeof keys->count);
        text_add_bytes(&own, keys->list, keys->count * sizeof *keys->list);
    }
    TRY(share_all(&own, &all, load->err));
    const unsigned char *at = (const unsigned char *)all.data;
    for (size_t i = 0; i < load->count; i++) {
        GameKeys *keys = &load->jobs[i].games;
        free(keys->list);
        at = bytes_take(at, &keys->count, sizeof keys->count);
        keys->list = memory_alloc(keys->count, sizeof *keys->list);
        at = bytes_take(at, keys->list, keys->count * sizeof *keys->list);
    }
    return STATUS_OK;
}

static void add_played(const GameBatch *games, RowPlayed *played) {
    played->games += games->count;
    played->plies += games->ply_count;
    for (size_t i = 0; i < games->ply_count; i++) {
        const PlyRecord *ply = &games->plies[i];
        if (ply->time_ms == 0 || ply->nodes == 0) continue;
        played->timed++;
        played->nodes += ply->nodes;
        played->time_ms += ply->time_ms;
    }
}

static Status read_keys(Job *job, RowPlayed *played, Err *err) {
    AUTO(GameBatch) games = {0};
    if (interrupt_requested()) {
        return err_set(err, STATUS_INTERRUPTED, "interrupted while reading");
    }
    TRY(store_read_shard(job->store, job->shard, &games, err));
    game_keys_of(&games, &job->games);
#pragma omp critical
    add_played(&games, played);
    return STATUS_OK;
}

// Reads the keys of all games. Each process reads the keys of some of the shards.
static void read_all_keys(Load *load) {
    const size_t ranks = (size_t)mpi_size(), self = (size_t)mpi_rank();
    const size_t first = load->count * self / ranks, end = load->count * (self + 1) / ranks;
#pragma omp parallel for schedule(dynamic, 1) ordered num_threads(load->threads)
    for (size_t i = first; i < end; i++) {
        Err err = {0};
        const Status status = read_keys(&load->jobs[i], &load->rows->played, &err);
#pragma omp ordered
        load_fail(load, status, &err);
    }
    if (load->status == STATUS_OK && ranks > 1) load->status = share_keys(load, first, end);
}

static RowGame row_game(const GameTree *tree) {
    return (RowGame){.id = tree->game, .split = tree->split, .source = tree->source};
}

// Counts the games (with their variations, or with all records of their group) that have no sampled
// positions. RowSet.empty first counts all games, and then loses those with positions.
static void count_tree(Load *load, const GameKey *key, const GameTree *tree, GameTree *counted,
                       KeySet *groups) {
    const bool new = tree->game != counted->game || tree->source != counted->source;
    load->rows->empty += new && (!key->group || key_set_add(groups, key->group));
    *counted = *tree;
}

// Returns true if the game is to be read. Otherwise counts the reason.
static bool is_taken(Load *load, const GameKey *key, const GameTree *tree) {
    const RowChoice *choice = load->choice;
    if (key->tree == TREE_NONE) return false;
    if (key->fault && !(choice && choice->with_faults)) {
        load->rows->faults++;
        return false;
    }
    return !choice || !choice->take || choice->take(choice->context, tree->split);
}

// Walks over the games in the order of the shards. Finds copies of earlier games, and lists the
// games to read.
static void list_games(Load *load) {
    AUTO(GameLinks) links = {0};
    AUTO(KeySet) groups = {0};
    GameTree counted = {.game = TREE_NONE};
    for (size_t j = 0; j < load->count; j++) {
        Job *job = &load->jobs[j];
        GameKeys *keys = &job->games;
        game_keys_link(keys, job->source, &links);
        load->rows->copies += keys->copies;
        load->rows->near_copies += keys->near_copies;
        job->row = load->row_count;
        for (size_t i = 0; i < keys->count; i++) {
            GameKey *key = &keys->list[i];
            const GameTree tree = game_keys_tree(keys, i, job->source);
            if (!is_taken(load, key, &tree)) {
                key->tree = TREE_NONE;
                continue;
            }
            count_tree(load, key, &tree, &counted, &groups);
            if (key->positions == 0) continue;
            const RowGame game = row_game(&tree);
            row_games_add(&load->games, &load->game_count, &load->game_capacity, &load->game_index,
                          &game, (uint32_t)key->positions);
            load->row_count += key->positions;
            load->rows->records++;
            load->rows->guessed += key->guessed;
        }
    }
    load->rows->empty -= load->game_count;
    load->scattered = links.scattered;
}

// Chooses the positions that this process reads: the positions of its chunks, and the next
// positions if they belong to the last game of these chunks.
static void choose_rows(Load *load) {
    RowSet *rows = load->rows;
    uint64_t row = 0;
    load->end_row = load->last_row = row_set_spread(rows, load->row_count, &load->first_row);
    for (size_t i = 0; i < load->game_count; i++) {
        const uint64_t end = row + load->games[i].rows;
        if (end <= load->first_row) rows->first_game = (uint32_t)(i + 1);
        if (row < load->end_row && end > load->end_row) load->last_row = end;
        row = end;
    }
    if (load->first_row >= load->end_row) load->last_row = load->first_row;
}

// ---- positions ---------------------------------------------------------------------------------

typedef struct Shard {
    RowPart part;
    uint64_t *keys;   // hashes of the positions in `part`
    RowBoard *boards; // squares of the positions in `part`, or NULL
    // positions of this shard for RowSet.sample, without those that another process adds to the
    // sample
    RowSample *sample;
    size_t sample_count;
    void *state; // state that the RowTracer keeps for the shard
} Shard;

static void shard_clear(Shard *shard) {
    row_part_clear(&shard->part);
    free(shard->keys);
    free(shard->boards);
    free(shard->sample);
}

// Sets weights that all differ from 0. The coefficients of a position do not depend on the weights,
// but row_part_add_board() checks that coefficients times weights equal the evaluation, and it
// would not notice a fault in a term whose weight is 0.
static void probe_weights(Weights *weights) {
    WeightPair *flat = weights_flat(weights);
    for (int i = 0; i < WEIGHT_COUNT; i++) flat[i] = (WeightPair){1 + i % 89, 97 - i % 83};
}

// Adds the row of a position to `part`. A RowTracer may leave the position out.
static Status add_position(const Load *load, const Job *job, const PositionRecord *position,
                           size_t at, const Weights *weights, Position *board, Shard *shard,
                           Err *err) {
    const GameTree tree = game_keys_tree(&job->games, at, job->source);
    const RowGame game = row_game(&tree);
    const RowTracer *tracer = load->choice ? load->choice->tracer : NULL;
    TRY(position_record_board(position, board, err));
    if (!tracer) return row_part_add_board(&shard->part, position, board, &game, weights, err);
    return tracer->add(shard->state, position, board, &game, &shard->part, err);
}

static Status trace_shard(const Load *load, const Job *job, Shard *shard, Err *err) {
    AUTO_FREE PositionRecord *positions = NULL;
    size_t count, at = 0;
    uint64_t row = job->row;
    // This process reads positions with index >= end_row only to complete its last game; another
    // process counts them. `own` has the counts of `part` without these positions.
    RowPart *part = &shard->part;
    RowCounts own = {0};
    bool rest = false;
    Weights weights;
    if (interrupt_requested()) {
        return err_set(err, STATUS_INTERRUPTED, "interrupted while reading");
    }
    TRY(shard_read_positions(store_shard_path(job->store, job->shard), &positions, &count, err));
    probe_weights(&weights);
    const RowTracer *tracer = load->choice ? load->choice->tracer : NULL;
    if (tracer) TRY(tracer->begin(tracer->context, job->store, job->shard, &shard->state, err));
    shard->keys = memory_alloc(count, sizeof *shard->keys);
    if (load->choice && (load->choice->boards || load->choice->sink)) {
        shard->boards = memory_alloc(count, sizeof *shard->boards);
    }
    shard->sample = memory_alloc(count / load->sample_every + 1, sizeof *shard->sample);
    for (size_t i = 0; i < count; i++) {
        if (!game_keys_find(&job->games, positions[i].game, &at)) continue;
        const uint64_t number = row++;
        if (number < load->first_row || number >= load->last_row) continue;
        if (number >= load->end_row && !rest) own = part->counts;
        rest = number >= load->end_row;
        Position board;
        const size_t at_row = part->count;
        if (add_position(load, job, &positions[i], at, &weights, &board, shard, err) != STATUS_OK) {
            return err_prefix(err, "%s", store_shard_path(job->store, job->shard));
        }
        if (part->count == at_row) continue;
        shard->keys[at_row] = position_content_key(&board, true);
        if (shard->boards) {
            memcpy(shard->boards[at_row].squares, positions[i].squares, SLOT_COUNT);
        }
        if (!rest && number % load->sample_every == 0) {
            shard->sample[shard->sample_count++] =
                (RowSample){.board = board,
                            .game = part->games[part->game_count - 1].id,
                            .source = part->games[part->game_count - 1].source};
        }
    }
    // restore the counts, because another process counts the positions with index >= end_row
    if (rest) part->counts = own;
    return STATUS_OK;
}

static void add_sample(RowSet *rows, const void *sample, size_t count) {
    rows->sample = memory_room(rows->sample, &rows->sample_capacity, rows->sample_count + count,
                               sizeof *rows->sample);
    if (count > 0) memcpy(rows->sample + rows->sample_count, sample, count * sizeof *rows->sample);
    rows->sample_count += count;
}

// Appends a shard to the row set, or passes it to the RowSink. Called in the order of the shards,
// by one thread at a time.
static void append_shard(Load *load, const Shard *shard, Status status, const Err *err) {
    load_fail(load, status, err);
    if (load->status != STATUS_OK) return;
    const RowSink *sink = load->choice ? load->choice->sink : NULL;
    for (size_t i = 0; mpi_size() == 1 && !sink && i < shard->part.count; i++) {
        key_set_add(&load->positions, shard->keys[i]);
    }
    RowSet *rows = load->rows;
    if (shard->boards && !sink) {
        const size_t first = rows->count;
        rows->boards = memory_room(rows->boards, &rows->board_capacity, first + shard->part.count,
                                   sizeof *rows->boards);
        memcpy(rows->boards + first, shard->boards, shard->part.count * sizeof *rows->boards);
    }
    row_set_append(rows, &shard->part);
    if (sink) {
        row_set_seal(rows);
        sink->take(sink->context, rows, shard->boards);
        row_set_drop(rows);
    }
    add_sample(rows, shard->sample, shard->sample_count);
    progress_update(&load->progress, rows->count, NULL);
}

static void trace_all(Load *load) {
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(load->threads)
    for (size_t i = 0; i < load->count; i++) {
        const uint64_t end = i + 1 < load->count ? load->jobs[i + 1].row : load->row_count;
        Shard shard = {.part = {0}};
        Err err = {0};
        Status status = STATUS_OK;
        if (load->jobs[i].row < load->last_row && end > load->first_row) {
            status = trace_shard(load, &load->jobs[i], &shard, &err);
        }
#pragma omp ordered
        {
            append_shard(load, &shard, status, &err);
            if (shard.state) load->choice->tracer->end(load->choice->tracer->context, shard.state);
        }
        shard_clear(&shard);
    }
}

// Computes the content_hash of each run, as `data info` prints it, and adds up the numbers of score
// jumps (plies_spikes()) of all games.
static void note_content(Load *load, size_t sources) {
    RowSet *rows = load->rows;
    rows->source_count = sources;
    rows->content = memory_alloc(sources, sizeof *rows->content);
    for (size_t source = 0, j = 0; source < sources; source++) {
        Sha256 content;
        sha256_init(&content);
        for (; j < load->count && load->jobs[j].source == source; j++) {
            for (size_t i = 0; i < load->jobs[j].games.count; i++) {
                const GameKey *key = &load->jobs[j].games.list[i];
                sha256_add(&content, key->digest, SHA256_BYTES);
                rows->spikes += key->spikes;
            }
        }
        sha256_finish_hex(&content, rows->content[source]);
    }
}

static Status open_stores(Load *load, const char *const *paths, int count, Store **stores,
                          Err *err) {
    size_t capacity = 0;
    for (int i = 0; i < count; i++) {
        TRY(store_open(paths[i], &stores[i], err));
        const size_t shards = store_shard_count(stores[i]);
        if (shards == 0) return store_refuse_empty(paths[i], err);
        load->jobs = memory_room(load->jobs, &capacity, load->count + shards, sizeof *load->jobs);
        for (size_t shard = 0; shard < shards; shard++) {
            load->jobs[load->count++] =
                (Job){.store = stores[i], .shard = shard, .source = (uint32_t)i};
        }
    }
    return STATUS_OK;
}

static Status load_games(Load *load, size_t sources) {
    RowSet *rows = load->rows;
    read_all_keys(load);
    TRY(load->status);
    note_content(load, sources);
    list_games(load);
    if (load->scattered && mpi_size() > 1) {
        return err_set(load->err, STATUS_BAD_INPUT,
                       "the positions of some games are not together in the run: run without MPI, "
                       "or sort the imported file by its number of the game and import it again");
    }
    choose_rows(load);
    // The values of the pieces are measured in a small sample of the positions, because measuring
    // one position takes as long as reading about 40 positions.
    const uint64_t wanted = load->row_count / 48;
    load->sample_every = load->row_count / (wanted < SAMPLE_LEAST  ? SAMPLE_LEAST
                                            : wanted > SAMPLE_MOST ? SAMPLE_MOST
                                                                   : wanted);
    load->sample_every += load->sample_every == 0;
    const RowSink *sink = load->choice ? load->choice->sink : NULL;
    if (sink) sink->begin(sink->context, load->games, load->game_count, load->row_count);
    trace_all(load);
    TRY(load->status);
    if (mpi_size() > 1) { // collect the sampled positions of all processes
        AUTO(Text) own = {0}, all = {0};
        text_add_bytes(&own, rows->sample, rows->sample_count * sizeof *rows->sample);
        rows->sample_count = 0;
        TRY(share_all(&own, &all, load->err));
        add_sample(rows, all.data, all.length / sizeof *rows->sample);
    }
    row_set_finish(rows);
    rows->distinct = load->positions.count;
    // A tracer may leave positions out, so load->games may have too many. It works in one process.
    if (load->choice && load->choice->tracer) return STATUS_OK;
    row_set_join(rows, TAKE(load->games), load->game_count, load->row_count);
    // With a RowSink, append_shard() has passed all positions to it and freed them.
    if (sink) rows->chunk_count = 0;
    if (rows->scattered && !sink) row_set_sort(rows);
    return row_set_lost(rows, load->err);
}

Status rows_load(const char *const *paths, int path_count, const RowChoice *choice, int threads,
                 FILE *show, RowSet *rows, Err *err) {
    Store **stores = memory_alloc((size_t)path_count, sizeof(Store *));
    Load load = {.rows = rows, .choice = choice, .threads = threads, .err = err};
    progress_init(&load.progress, show, !show, "positions", 0);
    const RowTracer *tracer = choice ? choice->tracer : NULL;
    row_set_init(rows, tracer ? tracer->pairs : WEIGHT_COUNT,
                 tracer ? tracer->phase_max : PHASE_MAX);
    rows->split_by_content = true;
    Status status = open_stores(&load, paths, path_count, stores, err);
    if (status == STATUS_OK) status = load_games(&load, (size_t)path_count);
    if (status != STATUS_OK) row_set_clear(rows);
    progress_finish(&load.progress, rows->count, "read");
    for (size_t i = 0; i < load.count; i++) game_keys_clear(&load.jobs[i].games);
    for (int i = 0; i < path_count; i++) store_close(stores[i]);
    key_set_clear(&load.positions);
    key_map_clear(&load.game_index);
    free(stores);
    free(load.jobs);
    free(load.games);
    return status;
}

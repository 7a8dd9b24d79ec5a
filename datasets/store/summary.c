// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/summary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/memory.h"
#include "datasets/store/game_key.h"
#include "datasets/store/run.h"

// A growing list of 64-bit keys of positions or games, to count how many of them are distinct.
typedef struct Keys {
    uint64_t *keys;
    size_t count, capacity;
} Keys;

static uint64_t *keys_extend(Keys *list, size_t more) {
    list->keys = memory_room(list->keys, &list->capacity, list->count + more, sizeof *list->keys);
    list->count += more;
    return list->keys + list->count - more;
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Sorts the keys and returns the number of distinct ones. Adds to `repeats` a histogram of how
// often each key occurs, and sets *most_repeated to the largest number of occurrences. Both can be
// NULL.
static size_t keys_distinct(Keys *list, uint64_t repeats[REPEAT_BINS], uint64_t *most_repeated) {
    static const uint64_t limits[REPEAT_BINS - 1] = {1, 2, 4, 9, 99};
    size_t distinct = 0;
    if (list->count) qsort(list->keys, list->count, sizeof *list->keys, compare_keys);
    for (size_t i = 0; i < list->count; distinct++) {
        size_t end = i + 1;
        while (end < list->count && list->keys[end] == list->keys[i]) end++;
        int bin = 0;
        while (bin < REPEAT_BINS - 1 && end - i > limits[bin]) bin++;
        if (repeats) repeats[bin]++;
        if (most_repeated && end - i > *most_repeated) *most_repeated = end - i;
        i = end;
    }
    return distinct;
}

typedef struct Summing {
    int threads;
    StoreSummary *summary;
    Sha256 hash;
    Keys openings, positions, games;
    KeySet groups;
    uint64_t next_game;
} Summing;

// ---- counting ----------------------------------------------------------------------------------

// Returns eval_phase() of a stored position: the sum of weights for the horses, chariots and
// cannons of both sides.
static int phase_of(const uint8_t squares[SLOT_COUNT]) {
    static const uint8_t weights[SLOT_COUNT / 2] = {0, 0, 0, 0, 0, 3, 3, 6, 6, 3, 3};
    int phase = 0;
    for (int i = 0; i < SLOT_COUNT; i++) {
        phase += squares[i] != SLOT_EMPTY ? weights[i % (SLOT_COUNT / 2)] : 0;
    }
    return phase;
}

static void count_position(StoreSummary *summary, const PositionRecord *position) {
    int pieces = 0;
    for (int i = 0; i < SLOT_COUNT; i++) pieces += position->squares[i] != SLOT_EMPTY;
    summary->pieces[pieces]++;
    summary->phases[phase_of(position->squares) / PHASE_BIN]++;
    if (position->score_red == SCORE_UNKNOWN || position->mate_red) return;
    // The bin in the middle of the histogram is for scores from -50 to 49.
    int bin = (position->score_red + SCORE_BIN / 2 + SCORE_BIN * (SCORE_BINS / 2)) / SCORE_BIN;
    if (position->score_red < -SCORE_BIN * (SCORE_BINS / 2)) bin = 0;
    summary->scores[bin < SCORE_BINS ? bin : SCORE_BINS - 1]++;
}

// ---- games -------------------------------------------------------------------------------------

// Counts the scores of a game beyond RULE_SCORE, which mean that the search expects the rules of
// repetition to decide the game. Compares each of these scores with the result, unless the game was
// adjudicated or reached the ply limit.
static void count_rule_scores(StoreSummary *summary, const GameRecord *game,
                              const PlyRecord *plies) {
    const bool adjudicated = game->reason == END_RESIGN_ADJUDICATION ||
                             game->reason == END_DRAW_ADJUDICATION || game->reason == END_MAX_PLIES;
    for (uint32_t i = 0; i < game->ply_count; i++) {
        const int score = plies[i].score_red;
        if (score == SCORE_UNKNOWN || plies[i].mate_red || abs(score) <= RULE_SCORE) continue;
        summary->rule_scores++;
        if (adjudicated) {
            summary->rule_scores_unproved++;
        } else if (game->result != (score > 0 ? 1 : -1)) {
            summary->rule_scores_refuted++;
        }
    }
}

static void count_game(StoreSummary *summary, const GameBatch *batch, const GameRecord *game) {
    if (game->result >= -1 && game->result <= 1) summary->results[game->result + 1]++;
    if (game->reason < END_REASON_COUNT) summary->reasons[game->reason]++;
    if (game_result_is_given(game) && game->end_reason < END_REASON_COUNT) {
        summary->end_reasons[game->end_reason]++;
    }
    const size_t bin = game->ply_count / LENGTH_BIN_PLIES;
    summary->lengths[bin < LENGTH_BINS ? bin : LENGTH_BINS - 1]++;
    if (summary->games == 0 || game->ply_count < summary->shortest) {
        summary->shortest = game->ply_count;
    }
    if (game->ply_count > summary->longest) summary->longest = game->ply_count;
    summary->games++;
    summary->tagged += game->tag_count > 0;
    for (uint32_t i = 0; i < game->ply_count; i++) {
        summary->scored += batch->plies[game->first_ply + i].score_red != SCORE_UNKNOWN;
    }
    summary->spikes += plies_spikes(batch->plies + game->first_ply, game->ply_count);
    count_rule_scores(summary, game, batch->plies + game->first_ply);
    for (size_t i = 0; i < game->position_count; i++) {
        count_position(summary, &batch->positions[game->first_position + i]);
    }
}

// Returns the hash of the position after the opening, or after eight plies if the game has no
// recorded opening, or of the last position of a shorter game. Returns 0 for a damaged game.
static uint64_t opening_key(GameRecord *game, const PlyRecord *plies) {
    enum { UNKNOWN_OPENING_PLIES = 8 };
    GameWalk walk;
    uint8_t squares[SLOT_COUNT];
    if (game_record_check(game, NULL) != STATUS_OK) return 0;
    uint32_t end = game->opening_plies ? game->opening_plies : UNKNOWN_OPENING_PLIES;
    if (end > game->ply_count) end = game->ply_count;
    game_walk_init(&walk, game);
    while (walk.ply < end && game_walk_step(&walk, game, plies[walk.ply].move)) {
    }
    squares_from_position(&walk.position, squares);
    return squares_key(squares, walk.position.stm);
}

static Status sum_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    Summing *sum = context;
    StoreSummary *summary = sum->summary;
    const OptionRange range = shard_reader_head(reader)->range;
    struct stat info;
    if (stat(path, &info) != 0) {
        return err_set(err, STATUS_IO, "cannot read the size of %s: %s", path, strerror(errno));
    }
    summary->bytes += (uint64_t)info.st_size;
    if (summary->shards++ == 0) {
        summary->first_game = range.first;
    } else if (range.first < sum->next_game) {
        return err_set(
            err, STATUS_MISMATCH,
            "%s covers game numbers that another shard covers, too: move one of the shards to "
            "another directory",
            path);
    } else {
        summary->missing += range.first - sum->next_game;
    }
    sum->next_game = summary->end_game = range.end;
    return STATUS_OK;
}

static Status sum_block(void *context, const char *path, GameBatch *batch, Err *err) {
    (void)path, (void)err;
    Summing *sum = context;
    const size_t count = batch->count;
    AUTO_FREE uint8_t(*digests)[SHA256_BYTES] = memory_alloc(count, sizeof *digests);
    uint64_t *openings = keys_extend(&sum->openings, count);
    uint64_t *games = keys_extend(&sum->games, count);
    uint64_t *positions = keys_extend(&sum->positions, batch->position_count);
#pragma omp parallel for schedule(dynamic, 8) num_threads(sum->threads)
    for (size_t i = 0; i < count; i++) {
        GameRecord *game = &batch->games[i];
        content_digest(batch, game, digests[i]);
        openings[i] = opening_key(game, batch->plies + game->first_ply);
        games[i] = game_content_key(game, batch->plies + game->first_ply, true);
    }
    for (size_t i = 0; i < count; i++) {
        sha256_add(&sum->hash, digests[i], SHA256_BYTES);
        count_game(sum->summary, batch, &batch->games[i]);
        const uint64_t group = batch->games[i].group;
        sum->summary->grouped += group != 0;
        sum->summary->groups += group == 0 || key_set_add(&sum->groups, group);
    }
    for (size_t i = 0; i < batch->position_count; i++) {
        positions[i] = squares_key(batch->positions[i].squares, batch->positions[i].stm);
    }
    sense_add_batch(&sum->summary->sense, batch);
    sum->summary->plies += batch->ply_count;
    sum->summary->positions += batch->position_count;
    return STATUS_OK;
}

Status store_summarise(const char *path, int threads, Progress *progress, StoreSummary *summary,
                       Err *err) {
    *summary = (StoreSummary){0};
    Summing sum = {.threads = threads, .summary = summary};
    sha256_init(&sum.hash);
    const ScanHooks hooks = {
        .opened = sum_opened, .block = sum_block, .context = &sum, .accept_unfinished = true};
    const Status status = store_scan_paths(&path, 1, &hooks, progress, err);
    sha256_finish_hex(&sum.hash, summary->content_hash);
    sense_finish(&summary->sense);
    summary->openings = keys_distinct(&sum.openings, NULL, NULL);
    summary->different_games = keys_distinct(&sum.games, NULL, NULL);
    summary->distinct = keys_distinct(&sum.positions, summary->repeats, &summary->most_repeated);
    key_set_clear(&sum.groups);
    free(sum.openings.keys);
    free(sum.games.keys);
    free(sum.positions.keys);
    return status;
}

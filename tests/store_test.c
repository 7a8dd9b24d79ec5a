// SPDX-License-Identifier: GPL-3.0-or-later
// The store: what is written is what is read, and what is damaged is refused.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/random.h"
#include "core/base/text.h"
#include "datasets/shard.h"
#include "tests/test.h"

static const Provenance test_provenance = {.kind = "selfplay",
                                           .command = "test",
                                           .options = "games=3\nseed=7\n",
                                           .rules = "axf",
                                           .weights = "classic",
                                           .seed = 7};

// A game of random legal moves with made-up scores; all fields take part.
static void append_random_game(GameBatch *batch, uint64_t index, const char *fen) {
    enum { MOST = 120 };
    PlyRecord plies[MOST];
    Random random;
    random_init(&random, 4711, index);
    GameRecord game = {.index = index,
                       .opening_plies = 4,
                       .result = (int8_t)(index % 3) - 1,
                       .reason = END_MAX_PLIES,
                       .end_reason = END_MAX_PLIES};
    Err err = {0};
    if (position_from_fen(&game.start, fen, &err) != STATUS_OK) abort();
    if (index % 2) snprintf(game.odds, sizeof game.odds, "horse-%d", (int)index);
    Position position = game.start;
    const uint32_t wanted = (uint32_t)random_below(&random, MOST + 1);
    MoveList list;
    for (position_legal_moves(&position, &list); list.count && game.ply_count < wanted;
         position_legal_moves(&position, &list)) {
        const uint32_t ply = game.ply_count++;
        plies[ply] = (PlyRecord){
            .move = list.moves[random_below(&random, (uint64_t)list.count)],
            .score_red = (int16_t)(random_below(&random, 2001)) - 1000,
            .mate_red = (int16_t)(random_below(&random, 21)) - 10,
            .depth = (uint8_t)random_below(&random, 30),
            .nodes = (uint32_t)random_below(&random, 1u << 20),
            .sampled = random_below(&random, 4) == 0,
        };
        Position after;
        position_do_move(&position, plies[ply].move, &after);
        position = after;
    }
    game.end_ply = game.ply_count;
    game_batch_append(batch, &game, plies);
}

static bool same_game(const GameRecord *a, const GameRecord *b) {
    char fen_a[FEN_SIZE], fen_b[FEN_SIZE];
    position_to_fen(&a->start, FEN_UCI, fen_a);
    position_to_fen(&b->start, FEN_UCI, fen_b);
    return a->index == b->index && strcmp(fen_a, fen_b) == 0 && a->ply_count == b->ply_count &&
           a->opening_plies == b->opening_plies && a->result == b->result &&
           a->reason == b->reason && a->end_ply == b->end_ply && a->end_reason == b->end_reason &&
           strcmp(a->odds, b->odds) == 0;
}

static bool same_ply(const PlyRecord *a, const PlyRecord *b) {
    return a->move == b->move && a->score_red == b->score_red && a->mate_red == b->mate_red &&
           a->depth == b->depth && a->nodes == b->nodes && a->sampled == b->sampled;
}

// The positions of a store must be those that a replay of its games samples.
static void check_positions(TestContext *t, const GameBatch *batch, const PositionRecord *positions,
                            size_t count) {
    size_t next = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const GameRecord *game = &batch->games[i];
        Position position = game->start;
        for (uint32_t ply = 0; ply < game->ply_count; ply++) {
            const PlyRecord *played = &batch->plies[game->first_ply + ply];
            if (played->sampled && CHECK(next < count)) {
                const PositionRecord *got = &positions[next++];
                CHECK(got->game == game->index && got->ply == ply && got->move == played->move &&
                      got->score_red == played->score_red && got->mate_red == played->mate_red &&
                      got->result == game->result);
                CHECK(got->position.key == position.key);
                CHECK(position_is_consistent(&got->position));
            }
            Position after;
            position_do_move(&position, played->move, &after);
            position = after;
        }
    }
    CHECK_INT(next, count);
}

void test_store_round_trip(TestContext *t) {
    char dir[512], name[SHARD_NAME_SIZE];
    snprintf(dir, sizeof dir, "%s/round_trip/run", t->scratch);
    Err err = {0};
    if (!CHECK_MSG(run_directory_prepare(dir, &err) == STATUS_OK, "%s", err.text)) return;
    GameBatch batch = {0}, back = {0};
    for (uint64_t i = 10; i < 60; i++) {
        append_random_game(&batch, i,
                           i % 5 ? START_FEN : "4k4/9/9/9/9/9/9/4C4/4R4/3K5 b - - 17 93");
    }
    CHECK_MSG(shard_write(dir, &batch, (OptionRange){10, 60}, &test_provenance, name, &err) ==
                  STATUS_OK,
              "%s", err.text);
    CHECK_TEXT(name, "shard-00000010-00000060.h5");
    Store *store = NULL;
    if (!CHECK_MSG(store_open(dir, &store, &err) == STATUS_OK, "%s", err.text)) return;
    CHECK_INT(store_shard_count(store), 1);
    CHECK_INT(store_game_count(store), 50);
    CHECK_INT(store_ply_count(store), batch.ply_count);
    CHECK_MSG(store_read_games(store, 0, &back, &err) == STATUS_OK, "%s", err.text);
    if (CHECK_INT(back.count, batch.count) && CHECK_INT(back.ply_count, batch.ply_count)) {
        for (size_t i = 0; i < batch.count; i++) {
            CHECK_MSG(same_game(&batch.games[i], &back.games[i]), "game %zu differs", i);
        }
        for (size_t i = 0; i < batch.ply_count; i++) {
            CHECK_MSG(same_ply(&batch.plies[i], &back.plies[i]), "ply %zu differs", i);
        }
    }
    PositionRecord *positions = NULL;
    size_t count = 0;
    CHECK_MSG(store_read_positions(store, 0, &positions, &count, &err) == STATUS_OK, "%s",
              err.text);
    CHECK_INT(count, store_position_count(store));
    check_positions(t, &batch, positions, count);
    char *provenance = NULL;
    CHECK_MSG(store_provenance(store, 0, &provenance, &err) == STATUS_OK, "%s", err.text);
    CHECK(provenance && strstr(provenance, "seed=7\n") && strstr(provenance, "weights=classic\n"));
    free(provenance);
    free(positions);
    store_close(store);
    game_batch_clear(&batch);
    game_batch_clear(&back);
}

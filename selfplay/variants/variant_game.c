// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/variants/variant_game.h"

#include "core/base/memory.h"
#include "core/system/interrupt.h"

void variant_game_clear(VariantGame *game) {
    free(game->keys);
    text_clear(&game->moves);
    *game = (VariantGame){.plan = NULL};
}

static Move random_turn(VariantGame *game) {
    VariantTurns turns;
    game->plan->game->list(&game->state, false, &turns);
    return turns.turns[random_below(&game->random, (uint64_t)turns.count)].move;
}

// Deals the face-down pieces: assigns one of them at random to each square with a face-down piece.
static void shuffle(VariantGame *game) {
    const Variant *variant = game->plan->game;
    VariantTurns turns;
    VariantChance bag = {.all = 0};
    variant->chance(&game->state, &bag);
    variant->list(&game->state, false, &turns);
    for (int i = 0; i < turns.count; i++) {
        const Move move = turns.turns[i].move;
        Piece piece = 0;
        if (move_from(move) != VARIANT_UNCOVER) continue;
        int drawn = (int)random_below(&game->random, (uint64_t)bag.all--);
        while (drawn >= bag.counts[piece]) drawn -= bag.counts[piece++];
        bag.counts[piece]--;
        game->deal[move_to(move)] = piece;
    }
}

// Stores the key of the current position. If the game has ended, sets game->reason and
// game->points. Otherwise sets game->reason to NULL.
static void judge(VariantGame *game) {
    const Variant *variant = game->plan->game;
    VariantTurns turns;
    game->keys = memory_room(game->keys, &game->capacity, game->plies + 1, sizeof *game->keys);
    game->keys[game->plies] = game->state.key;
    game->reason =
        variant_draw_reason(&game->plan->draws, game->keys, game->plies + 1, game->state.quiet, 3);
    game->points = 1;
    variant->list(&game->state, false, &turns);
    if (turns.count > 0) return;
    game->reason = variant->list(&game->state, true, &turns) ? "checkmate" : "no_turn";
    game->points = game->player == 0 ? 0 : 2;
}

void variant_game_reset(VariantGame *game, const VariantPlan *plan) {
    game->plan = plan;
    game->plies = 0;
    game->player = 0;
    text_reset(&game->moves);
    game->state = plan->state;
    judge(game);
}

Status variant_game_begin(VariantGame *game, const VariantPlan *plan, uint64_t index, Err *err) {
    enum { TRIES = 1000 };
    random_init(&game->random, plan->seed, index);
    for (int attempt = 0; attempt < TRIES; attempt++) {
        variant_game_reset(game, plan);
        if (plan->game->chance) shuffle(game);
        for (int i = 0; i < plan->opening_plies && !game->reason; i++) {
            variant_game_turn(game, random_turn(game), NULL);
        }
        // Begin again if the random turns ended the game.
        if (!game->reason || game->plies == 0) return STATUS_OK;
    }
    return err_set(
        err, STATUS_NOT_FOUND,
        "game %llu: each of %d sets of %d random turns ended the game (the last one: %s); "
        "play fewer with --opening-plies, or allow longer games with --max-plies and "
        "--no-capture",
        (unsigned long long)index, TRIES, plan->opening_plies, game->reason);
}

void variant_game_turn(VariantGame *game, Move move, const int *score) {
    const bool uncovers = move_from(move) == VARIANT_UNCOVER;
    const Piece piece = uncovers ? game->deal[move_to(move)] : PIECE_NONE;
    char turn[VARIANT_TURN_SIZE];
    variant_write_turn(game->plan->game, move, piece, turn);
    text_add(&game->moves, "%s%s", game->moves.length ? " " : "", turn);
    if (score) text_add(&game->moves, "/%d", *score);
    game->plan->game->play(&game->state, move, piece);
    game->plies++;
    if (!game->state.again) game->player = !game->player;
    judge(game);
}

VariantReply variant_game_ask(VariantGame *game, const VariantPlayer *player,
                              VariantSearch *search) {
    if (player->weights.random) return (VariantReply){.move = random_turn(game)};
    return variant_search(search, &game->state, game->keys, game->plies + 1, &game->plan->draws,
                          &player->limits);
}

// Plays a game to its end, or until Ctrl-C.
static Status play_game(VariantGame *game, const VariantPlan *plan, uint64_t index,
                        const VariantPlayer *const players[2], Err *err) {
    VariantSearch *searches[2];
    TRY(variant_game_begin(game, plan, index, err));
    for (int i = 0; i < 2; i++) {
        searches[i] = variant_search_new(plan->game, &players[i]->weights, players[i]->hash_mb);
    }
    while (!game->reason && !interrupt_requested()) {
        VariantPlayer player = *players[game->player];
        player.limits.seed = random_mix(plan->seed ^ random_mix(2 * index + 1));
        player.limits.stop = interrupt_flag();
        const VariantReply reply = variant_game_ask(game, &player, searches[game->player]);
        if (interrupt_requested()) break; // the search may have ended without a move
        variant_game_turn(game, reply.move, player.weights.random ? NULL : &reply.score);
    }
    for (int i = 0; i < 2; i++) variant_search_free(searches[i]);
    if (game->reason) return STATUS_OK;
    return err_set(err, STATUS_INTERRUPTED, "interrupted");
}

Status variant_games_play(const VariantPlan *plan, const VariantPlayer players[2], bool pairs,
                          OptionRange range, int threads, Progress *progress, VariantTake *take,
                          void *context, Err *err) {
    // Games are played in blocks and passed on in order, so the result does not depend on the
    // number of threads.
    const uint64_t block = 16 * (uint64_t)threads, step = pairs ? 2 : 1;
    TRY(memory_check_threads(players[0].hash_mb + players[1].hash_mb, threads, err));
    AUTO_FREE VariantGame *games = memory_alloc(block, sizeof *games);
    AUTO_FREE Err *errors = memory_alloc(block, sizeof *errors);
    const VariantPlayer *const order[3] = {&players[0], &players[1], &players[0]};
    Status status = STATUS_OK;
    for (uint64_t first = range.first; first < range.end && status == STATUS_OK;) {
        const uint64_t count = range.end - first < block ? range.end - first : block;
        bool failed = false;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t game = first + i;
            bool skip;
#pragma omp atomic read
            skip = failed;
            errors[i] = (Err){.status = STATUS_INTERRUPTED};
            if (skip) continue;
            errors[i].status =
                play_game(&games[i], plan, game / step, order + game % step, &errors[i]);
            if (errors[i].status == STATUS_OK) continue;
#pragma omp atomic write
            failed = true;
        }
        for (uint64_t i = 0; i < count && status == STATUS_OK; i += step) {
            const Err *const bad =
                errors[i].status != STATUS_OK ? &errors[i] : &errors[i + step - 1];
            status = bad->status;
            if (status == STATUS_OK) {
                status = take(context, &games[i], err);
            } else {
                err_set(err, status, "%s", bad->text);
            }
        }
        first += count;
        progress_update(progress, first - range.first, NULL);
    }
    for (uint64_t i = 0; i < block; i++) variant_game_clear(&games[i]);
    return status;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/variants/variant_game.h"

#include "core/base/interrupt.h"
#include "core/base/memory.h"

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

// Puts a random piece of the bag on each face-down square.
static void shuffle(VariantGame *game) {
    const Variant *variant = game->plan->game;
    VariantState copy = game->state;
    VariantTurns turns;
    variant->list(&copy, false, &turns);
    for (int i = 0; i < turns.count; i++) {
        VariantChance chance;
        const Move move = turns.turns[i].move;
        variant_chance(variant, &copy, move, &chance);
        if (!chance.all) continue;
        int drawn = (int)random_below(&game->random, (uint64_t)chance.all), piece = 0;
        while (drawn >= chance.counts[piece]) drawn -= chance.counts[piece++];
        game->deal[move_to(move)] = (uint8_t)piece;
        variant->play(&copy, move, (Piece)piece);
    }
}

static void end_game(VariantGame *game, const char *reason, int points) {
    game->reason = reason;
    game->points = points;
}

// Looks whether the game is over in its present position.
static void judge(VariantGame *game) {
    const VariantDraws *draws = &game->plan->draws;
    const Variant *variant = game->plan->game;
    VariantTurns turns;
    game->reason = NULL;
    variant->list(&game->state, false, &turns);
    if (turns.count == 0) {
        const bool mate = variant->list(&game->state, true, &turns);
        end_game(game, mate ? "checkmate" : "no_turn", game->player == 0 ? 0 : 2);
    } else if (variant_occurrences(game->keys, game->plies + 1, game->state.quiet) >= 3) {
        end_game(game, "repetition", 1);
    } else if (draws->no_capture && game->state.quiet >= draws->no_capture) {
        end_game(game, "no_capture", 1);
    } else if (draws->max_plies && game->plies >= (size_t)draws->max_plies) {
        end_game(game, "max_plies", 1);
    }
}

static void add_key(VariantGame *game) {
    game->keys = memory_room(game->keys, &game->capacity, game->plies + 1, sizeof *game->keys);
    game->keys[game->plies] = game->state.key;
}

static Status begin(VariantGame *game, const VariantPlan *plan, Err *err) {
    game->plan = plan;
    game->plies = 0;
    game->player = 0;
    text_reset(&game->moves);
    game->state = (VariantState){.key = 0};
    TRY(plan->game->read(plan->start, plan->choice, &game->state, err));
    add_key(game);
    return STATUS_OK;
}

Status variant_game_begin(VariantGame *game, const VariantPlan *plan, uint64_t index, Err *err) {
    random_init(&game->random, plan->seed, index);
    game->nodes = 0;
    do { // random turns that end the game are drawn again
        TRY(begin(game, plan, err));
        if (plan->game->chance) shuffle(game);
        judge(game);
        for (int i = 0; i < plan->opening_plies && !game->reason; i++) {
            variant_game_turn(game, random_turn(game), NULL);
        }
    } while (game->reason && plan->opening_plies && game->plies);
    return STATUS_OK;
}

void variant_game_turn(VariantGame *game, Move move, const int *score) {
    const Variant *variant = game->plan->game;
    const bool uncovers = move_from(move) == VARIANT_UNCOVER;
    const Piece piece = uncovers ? game->deal[move_to(move)] : PIECE_NONE;
    if (game->moves.length) text_add(&game->moves, " ");
    variant_write_move(variant, move, piece, &game->moves);
    if (score) text_add(&game->moves, "/%d", *score);
    variant->play(&game->state, move, piece);
    game->plies++;
    if (!game->state.again) game->player = !game->player;
    add_key(game);
    judge(game);
}

void variant_game_ask(VariantGame *game, const VariantPlayer *player, VariantSearch *search,
                      VariantReply *reply) {
    const VariantPlan *plan = game->plan;
    if (player->weights.random) {
        *reply = (VariantReply){.move = random_turn(game)};
        return;
    }
    variant_search(search, &game->state, game->keys, game->plies + 1, &plan->draws, &player->limits,
                   reply);
    game->nodes += reply->nodes;
}

Status variant_game_play(VariantGame *game, const VariantPlan *plan, uint64_t index,
                         const VariantPlayer *const players[2], Err *err) {
    VariantSearch *searches[2];
    TRY(variant_game_begin(game, plan, index, err));
    for (int i = 0; i < 2; i++) {
        const VariantPlayer *player = players[i];
        searches[i] = variant_search_new(plan->game, &player->weights, player->hash_mb);
    }
    while (!game->reason && !interrupt_requested()) {
        VariantReply reply;
        VariantPlayer player = *players[game->player];
        player.limits.seed = random_mix(plan->seed ^ random_mix(2 * index + 1));
        variant_game_ask(game, &player, searches[game->player], &reply);
        variant_game_turn(game, reply.move, player.weights.random ? NULL : &reply.score);
    }
    for (int i = 0; i < 2; i++) variant_search_free(searches[i]);
    return game->reason ? STATUS_OK : err_set(err, STATUS_INTERRUPTED, "interrupted");
}

Status variant_game_replay(VariantGame *game, const VariantPlan *plan, char *moves,
                           VariantVisit *visit, void *context, Err *err) {
    char *word;
    TRY(begin(game, plan, err));
    judge(game);
    while ((word = text_next_field(&moves, ' ')) && *word) {
        Move move;
        Piece piece;
        long long score = 0;
        char *slash = strchr(word, '/');
        if (slash) *slash = '\0';
        if (slash) TRY(parse_int(slash + 1, -VARIANT_WIN, VARIANT_WIN, &score, "score", err));
        TRY(variant_read_move(plan->game, &game->state, word, &move, &piece, err));
        if (move_from(move) == VARIANT_UNCOVER && !piece) {
            return err_set(err, STATUS_BAD_INPUT, "'%.20s' lacks the piece that appeared", word);
        }
        game->deal[move_to(move)] = piece;
        const int known = (int)score;
        if (visit) visit(context, game, move, slash ? &known : NULL);
        variant_game_turn(game, move, slash ? &known : NULL);
    }
    return STATUS_OK;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the games other than xiangqi: captures, the search compared with plain expectimax, hidden
// pieces, and positions and moves as text.
#include "core/board/position.h"
#include "selfplay/variants/variant_game.h"
#include "tests/test.h"

static const Variant *game_named(const char *name) {
    return variant_by_name(name, NULL);
}

// Returns true if `turn` is legal in a position of banqi. `choice` is the index of the rule set.
static bool banqi_allows(const char *fen, int choice, const char *turn) {
    VariantState state = {.key = 0};
    Move move;
    Piece piece;
    const Variant *banqi = game_named("banqi");
    return banqi->read(fen, choice, &state, NULL) == STATUS_OK &&
           variant_read_turn(banqi, &state, turn, &move, &piece, NULL) == STATUS_OK;
}

// Returns the description of games of one variant from its start position.
static VariantPlan plan_of(const Variant *game, uint64_t seed) {
    VariantPlan plan = {.game = game, .start = game->start, .seed = seed};
    game->read(plan.start, 0, &plan.state, NULL);
    return plan;
}

// Tests which piece may capture which in banqi. Each rule set has a table with a string for each
// attacker. Each letter of a string is a victim: 'x' if the attacker may capture it on an adjacent
// square. Attackers and victims are in this order: general, advisor, elephant, horse, chariot,
// cannon, soldier.
void test_variants_captures(TestContext *t) {
    static const char *const tables[2][7] = {
        {"xxxxxx.", ".x....x", ".xx...x", ".xxx.xx", ".xxxxxx", ".xx..xx", "x.....x"},
        {"xxxxxx.", ".xxxxxx", "..xxxxx", "...x.xx", "...xxxx", ".......", "x.....x"},
    };
    for (int choice = 0; choice < 2; choice++) {
        for (int a = 0; a < 7; a++) {
            for (int v = 0; v < 7; v++) {
                char fen[64];
                snprintf(fen, sizeof fen, "8/8/8/%c%c6[] r 0 1", "KABNRCP"[a], "kabnrcp"[v]);
                const bool got = banqi_allows(fen, choice, "a1b1");
                CHECK_MSG(got == (tables[choice][a][v] == 'x'),
                          "rules %d: the capture is judged wrongly in %s", choice, fen);
                // The cannon of the Taiwan rules captures pieces of every kind by jumping over one
                // piece, here one that lies face down. No other piece jumps.
                snprintf(fen, sizeof fen, "8/8/8/%c1?%c4[p] r 0 1", "KABNRCP"[a], "kabnrcp"[v]);
                CHECK_MSG(banqi_allows(fen, choice, "a1d1") == (choice == 1 && a == 5),
                          "rules %d: the capture is judged wrongly in %s", choice, fen);
            }
        }
    }
    CHECK(banqi_allows("k7/8/P7/C7[] r 0 1", 1, "a1a4"));
    CHECK(!banqi_allows("k7/8/8/C7[] r 0 1", 1, "a1a4"));
    CHECK(!banqi_allows("k7/p7/P7/C7[] r 0 1", 1, "a1a4"));
    CHECK(!banqi_allows("K7/8/P7/C7[] r 0 1", 1, "a1a4"));
    CHECK(!banqi_allows("?7/8/P7/C7[k] r 0 1", 1, "a1a4"));
}

// ---- search -------------------------------------------------------------------------------------

static int divide_down(int a, int b) {
    return a / b - (a % b < 0);
}

typedef struct Plain {
    const Variant *game;
    VariantWeights weights;
} Plain;

static int plain_value(const Plain *plain, const VariantState *state, int ply, int depth);

static int plain_child(const Plain *plain, const VariantState *state, Move move, Piece piece,
                       int ply, int depth) {
    VariantState next = *state;
    plain->game->play(&next, move, piece);
    const int value = plain_value(plain, &next, ply + 1, depth);
    return next.again ? value : -value;
}

static int plain_turn(const Plain *plain, const VariantState *state, Move move, int ply,
                      int depth) {
    VariantChance chance;
    int sum = 0;
    variant_chance(plain->game, state, move, &chance);
    if (!chance.all) return plain_child(plain, state, move, PIECE_NONE, ply, depth);
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        if (!chance.counts[piece]) continue;
        int value = plain_child(plain, state, move, (Piece)piece, ply, depth);
        value = value > VARIANT_EVAL_LIMIT    ? VARIANT_EVAL_LIMIT
                : value < -VARIANT_EVAL_LIMIT ? -VARIANT_EVAL_LIMIT
                                              : value;
        sum += value * chance.counts[piece];
    }
    return divide_down(sum, chance.all);
}

// Plain quiescence search without move ordering, with which the real search is compared. Alpha and
// beta only limit its size.
static int plain_quiescence(const Plain *plain, const VariantState *state, int ply, int depth,
                            int alpha, int beta) {
    VariantTurns turns;
    const bool forced = plain->game->list(state, true, &turns);
    int best = -VARIANT_WIN + ply;
    if (!forced || (turns.count && depth < -6)) {
        best = variant_evaluate(plain->game, plain->weights.value, state);
        if (forced) return best;
    }
    for (int i = 0; i < turns.count && best < beta; i++) {
        VariantState next = *state;
        if (best > alpha) alpha = best;
        plain->game->play(&next, turns.turns[i].move, PIECE_NONE);
        const int value = next.again
                              ? plain_quiescence(plain, &next, ply + 1, depth - 1, alpha, beta)
                              : -plain_quiescence(plain, &next, ply + 1, depth - 1, -beta, -alpha);
        if (value > best) best = value;
    }
    return best;
}

// Plain expectimax without bounds, transposition table or move ordering, with which the real search
// is compared.
static int plain_value(const Plain *plain, const VariantState *state, int ply, int depth) {
    VariantTurns turns;
    int best = -VARIANT_WIN + ply;
    if (depth <= 0) return plain_quiescence(plain, state, ply, depth, -32000, 32000);
    plain->game->list(state, false, &turns);
    if (turns.count == 1 && ply > 0) depth++;
    for (int i = 0; i < turns.count; i++) {
        const int value = plain_turn(plain, state, turns.turns[i].move, ply, depth - 1);
        if (value > best) best = value;
    }
    return best;
}

// Plays at most `plies` random turns from the start of game `index`. Returns true unless the game
// has ended.
static bool random_position(VariantGame *game, const VariantPlan *plan, uint64_t index, int plies) {
    VariantTurns turns;
    if (variant_game_begin(game, plan, index, NULL) != STATUS_OK) return false;
    for (int i = 0; i < plies && !game->reason; i++) {
        plan->game->list(&game->state, false, &turns);
        const uint64_t at = random_below(&game->random, (uint64_t)turns.count);
        variant_game_turn(game, turns.turns[at].move, NULL);
    }
    return !game->reason;
}

static void compare(TestContext *t, const Plain *plain, const VariantState *state, int most) {
    static const VariantDraws none = {0, 0};
    VariantSearch *search = variant_search_new(plain->game, &plain->weights, 0.5);
    for (int depth = 1; depth <= most; depth++) {
        const VariantLimits limits = {.depth = depth};
        // The search gets no earlier positions of the game, because plain_value() does not detect
        // repetitions.
        const VariantReply reply = variant_search(search, state, &state->key, 1, &none, &limits);
        CHECK_INT(reply.score, plain_value(plain, state, 0, depth));
    }
    variant_search_free(search);
}

// Compares the search with plain expectimax: bounds, transposition table, move ordering and Star1
// (cutoffs at chance nodes) change no score. The depth stays below 3, because from depth 3 on late
// turns are reduced.
void test_variants_search(TestContext *t) {
    static const char *const fens[][2] = {
        {"banqi", "K2?1p2/1r3?2/2P1R3/c3?2k[RnP] r 0 30"},
        {"banqi", "1R?PkP2/cb1A1C2/b2PK1N1/2PC?1c1[Bn] b 0 38"},
        {"supply", "3ak4/9/9/4p4/9/2n6/4R4/9/4A4/4K4[Nr] | 4k4/4a4/9/9/4P4/9/2c6/9/9/3K1R3[p] 1r"},
        {"supply", "3ak4/9/9/4p4/9/2n6/4R4/9/4A4/4K4[Nr] | 4k4/4a4/9/9/4P4/9/2c6/9/9/3K1R3[p] 2b"},
        {"supply", "4k4/3R5/9/9/9/2n6/9/9/4A4/4K4[] | 4k4/4a4/9/9/4P4/9/2r6/9/9/3K1R3[p] 1r"},
    };
    FOR_EACH (row, fens) {
        Plain plain = {.game = game_named((*row)[0])};
        VariantState state = {.key = 0};
        Err err = {0};
        variant_weights_load(plain.game, 0, "classic", &plain.weights, NULL);
        for (int i = 0; i < plain.game->term_count; i++) plain.weights.value[i] += 3 * i;
        if (!CHECK_OK(plain.game->read((*row)[1], 0, &state, &err), err)) continue;
        compare(t, &plain, &state, 2);
        // Compare the searches also after 12 random turns, when nearly all pieces are still on the
        // board.
        const VariantPlan plan = plan_of(plain.game, 5);
        VariantGame game = {.plan = NULL};
        for (uint64_t i = 0; i < 3; i++) {
            if (random_position(&game, &plan, i, 12)) compare(t, &plain, &game.state, 1);
        }
        variant_game_clear(&game);
    }
}

// Star1 must cut chance nodes without changing a score. The games are played by random turns until
// few pieces are face down. In two of three games the weights are large, so that scores come near
// the bounds of Star1.
void test_variants_star1(TestContext *t) {
    Plain plain = {.game = game_named("banqi")};
    const VariantPlan plan = plan_of(plain.game, 29);
    VariantGame game = {.plan = NULL};
    VariantState state = {.key = 0};
    int compared = 0;
    // In this position one turn wins. The turn that uncovers a piece cannot be better.
    variant_weights_load(plain.game, 0, "default", &plain.weights, NULL);
    plain.game->read("Pk6/8/8/?7[P] r 0 30", 0, &state, NULL);
    compare(t, &plain, &state, 2);
    for (uint64_t index = 0; index < 60; index++) {
        int hidden = 0;
        variant_weights_load(plain.game, 0, "default", &plain.weights, NULL);
        for (int i = 0; i < plain.game->term_count; i++)
            plain.weights.value[i] *= 1 + 9 * (int)(index % 3);
        if (!random_position(&game, &plan, index, 60 + (int)index)) continue;
        VariantTurns turns;
        plain.game->list(&game.state, false, &turns);
        for (int i = 0; i < turns.count; i++) {
            hidden += move_from(turns.turns[i].move) == VARIANT_UNCOVER;
        }
        if (hidden == 0 || hidden > 5) continue;
        compare(t, &plain, &game.state, 2);
        compared++;
    }
    variant_game_clear(&game);
    CHECK_MSG(compared > 10, "only %d positions were compared, expected more than 10", compared);
}

static VariantReply ask(VariantGame *game, const VariantPlayer *player) {
    VariantSearch *search = variant_search_new(game->plan->game, &player->weights, 1);
    const VariantReply reply = variant_game_ask(game, player, search);
    variant_search_free(search);
    return reply;
}

// Exchanges pieces that lie face down. The engine must not see them: its turn and score must stay
// the same.
void test_variants_hidden(TestContext *t) {
    const Variant *banqi = game_named("banqi");
    const VariantPlan plan = plan_of(banqi, 11);
    VariantPlayer player = {.limits = {.nodes = 2000, .seed = 3}};
    variant_weights_load(banqi, 0, "default", &player.weights, NULL);
    VariantGame game = {.plan = NULL};
    for (uint64_t index = 0; index < 10; index++) {
        VariantTurns turns;
        VariantReply replies[2];
        int moved = 0;
        if (!random_position(&game, &plan, index, 6 + (int)index)) continue;
        replies[0] = ask(&game, &player);
        banqi->list(&game.state, false, &turns);
        for (int i = 0, last = -1; i < turns.count; i++) {
            const int to = move_to(turns.turns[i].move);
            if (move_from(turns.turns[i].move) != VARIANT_UNCOVER) continue;
            const uint8_t piece = game.deal[to];
            if (last >= 0) game.deal[to] = game.deal[last];
            if (last >= 0) game.deal[last] = piece;
            moved += last >= 0 && game.deal[to] != piece;
            last = to;
        }
        CHECK_MSG(moved > 2, "only %d pieces changed places", moved);
        replies[1] = ask(&game, &player);
        CHECK_INT(replies[1].move, replies[0].move);
        CHECK_INT(replies[1].score, replies[0].score);
    }
    variant_game_clear(&game);
}

// ---- texts --------------------------------------------------------------------------------------

// Texts of positions, many of them damaged at random, are refused or read. A text that is read is
// written and read again as an equal state. The reader of turns gets these texts, too, and must not
// crash.
void test_variants_texts(TestContext *t) {
    static const char alphabet[] = "KRNCBAPkrncbap?/[]|123456789 wrb-@=0";
    Random random;
    int accepted = 0, refused = 0;
    random_init(&random, 17, 0);
    for (int round = 0; round < 6000; round++) {
        const Variant *variant = game_named(round % 2 ? "banqi" : "supply");
        const VariantPlan plan = plan_of(variant, 23);
        VariantGame game = {.plan = NULL};
        AUTO(Text) text = {0}, again = {0};
        VariantState state = {.key = 0}, copy = {.key = 0};
        Err err = {0};
        random_position(&game, &plan, (uint64_t)round % 8, round % 120);
        variant->write(&game.state, &text);
        for (uint64_t edits = random_below(&random, 3); edits > 0; edits--) {
            const size_t at = (size_t)random_below(&random, text.length);
            text.data[at] = alphabet[random_below(&random, sizeof alphabet - 1)];
        }
        if (variant->read(text.data, round % 2, &state, &err) == STATUS_OK) {
            Move move;
            Piece piece;
            accepted++;
            variant->write(&state, &again);
            CHECK_OK(variant->read(again.data, round % 2, &copy, &err), err);
            CHECK_MSG(copy.key == state.key && copy.team == state.team, "%s", text.data);
            variant_perft(variant, &state, 1 + (round % 16 == 0));
            variant_read_turn(variant, &state, text.data, &move, &piece, NULL);
        } else {
            refused++;
            CHECK_MSG(err.text[0] != '\0', "the text was refused without a reason: %s", text.data);
        }
        variant_game_clear(&game);
    }
    CHECK_MSG(accepted > 1000 && refused > 1000,
              "%d texts were accepted and %d refused, expected more than 1000 each", accepted,
              refused);
}

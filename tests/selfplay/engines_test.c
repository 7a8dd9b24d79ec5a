// SPDX-License-Identifier: GPL-3.0-or-later
// The engines that Debian has, by their built-in profiles. Only in the full tests, and only those
// that are installed.
#include <stdio.h>

#include "core/base/random.h"
#include "core/rules/rules.h"
#include "selfplay/engines/player.h"
#include "tests/test.h"

// A game of the engine against random moves, up to the referee's end or so many plies of its own.
static void play(TestContext *t, Player *player, const TimeControl *control, const char *fen,
                 Side engine, int turns, const char *who) {
    AUTO(Game) game = {0};
    Position start;
    Err err = {0};
    Random random;
    random_init(&random, 5, (uint64_t)engine);
    if (!CHECK_OK(position_from_fen(&start, fen, &err), err)) return;
    game_init(&game, &start);
    const Rules rules = rules_default(RULES_AXF);
    PlayerTurn turn = {.game = &game, .patience_ns = 300000 * MS_NS};
    clock_start(&turn.clocks[engine], control);
    clock_start(&turn.clocks[side_other(engine)], control);
    int scores = 0;
    if (!CHECK_OK(player_new_game(player, control, &err), err)) turns = 0;
    for (int done = 0; done < turns && rules_judge(&rules, &game).verdict == VERDICT_NONE;) {
        MoveList list;
        position_legal_moves(&game.now, &list);
        Move move = list.moves[random_below(&random, (uint64_t)list.count)];
        if (game.now.stm == engine) {
            PlayerReply reply;
            player_go(player, &turn, &reply);
            if (!CHECK_MSG(reply.fault == PLAYER_NONE, "%s, turn %d: %s (%s)", who, done,
                           player_fault_name(reply.fault), reply.note)) {
                break;
            }
            if (reply.note[0]) printf("  %s, turn %d: %s\n", who, done, reply.note);
            if (reply.resigns) break;
            CHECK_MSG(clock_move(&turn.clocks[engine], reply.time_ns, 400 * MS_NS),
                      "%s: %.3f s used", who, (double)reply.time_ns * 1e-9);
            scores += reply.info.has_score;
            move = reply.move;
            done++;
        }
        game_push(&game, move);
    }
    CHECK_MSG(turns == 0 || scores > 0, "%s never said a score", who);
}

// Four short games for each of so many limits.
static void check_engine(TestContext *t, const char *player_text, int limit_count) {
    static const char *const limits[] = {"depth=4", "st=0.1", "tc=5+0.1"};
    static const char *const fens[] = {
        START_FEN, "r1bakabr1/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b - - 0 4"};
    for (int i = 0; i < limit_count; i++) {
        char text[600], who[700];
        AUTO(PlayerSpec) spec = {.nodes = 0};
        Player *player = NULL;
        Err err = {0};
        snprintf(text, sizeof text, "%s,%s", player_text, limits[i]);
        if (!CHECK_OK(player_spec_parse(text, "engine", &spec, &err), err)) return;
        const Status status = player_open_program(&spec, &player, &err);
        if (status == STATUS_NOT_FOUND) {
            t->skip = "the engine is not installed";
            return;
        }
        if (!CHECK_OK(status, err)) return;
        for (size_t f = 0; f < 2; f++) {
            for (Side side = RED; side <= BLACK; side++) {
                snprintf(who, sizeof who, "%s, position %zu, %s", text, f, side_name(side));
                play(t, player, &spec.control, fens[f], side, 12, who);
            }
        }
        CHECK_INT(player->restarts, 0);
        player_close(player);
    }
}

void test_engine_ours(TestContext *t) {
    static const char *const protocols[] = {"uci", "cyclone", "ucci"};
    for (size_t i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof text, "cmd=%.400s,proto=%s", t->program, protocols[i]);
        check_engine(t, text, t->full ? 3 : 1);
        CHECK_MSG(!t->skip, "there is no %s", t->program);
    }
}

#define ENGINE_TEST(id, profile)                                                                   \
    void test_engine_##id(TestContext *t) {                                                        \
        SKIP_IF(!t->full, "other engines: make test-full");                                        \
        check_engine(t, "profile=" profile, 3);                                                    \
    }
ENGINE_TEST(fairy_stockfish, "fairy-stockfish")
ENGINE_TEST(fairy_stockfish_ucci, "fairy-stockfish-ucci")
ENGINE_TEST(sjaakii, "sjaakii")
ENGINE_TEST(hoixiangqi, "hoixiangqi")
ENGINE_TEST(maxqi, "maxqi")

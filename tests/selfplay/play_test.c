// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of play_game() with two scripted players: adjudication, clocks, resignation, draw offers,
// failures, and false claims of a result.
#include "selfplay/run/play_game.h"

#include <signal.h>

#include "core/system/interrupt.h"
#include "selfplay/engines/player.h"
#include "tests/selfplay/mock_engine.h"
#include "tests/test.h"

// A scripted player. It takes the same time for each move and reports the same score, except at its
// move `odd_at`.
typedef struct Puppet {
    Player player;
    int score, mate;
    bool silent;           // true if the player reports no score
    int odd_score, odd_at; // score that the player reports at its move `odd_at` instead of `score`
    int ms;                // milliseconds per move
    int resigns_at;        // number of the move at which the player resigns; 0: never
    int offers_from;       // number of the first move at which the player offers a draw; 0: never
    const char *tc;        // fixed time per move ("st...") or time control; NULL: no clock
    PlayerFault fault;     // failure of the player at its second move; PLAYER_NONE: it never fails
    int claims_at;  // number of the move with which the player wrongly claims a result; 0: never
    int stopped_at; // number of the move during which this process is stopped and continued;
                    // 0: never
    int moves;
} Puppet;

static void puppet_go(Player *player, const PlayerTurn *turn, PlayerReply *reply) {
    Puppet *self = (Puppet *)player;
    self->moves++;
    if (self->moves == self->stopped_at) raise(SIGCONT);
    reply->move = mock_engine_move(&turn->game->now);
    reply->info.has_score = !self->silent;
    reply->info.score_cp = self->odd_at == self->moves ? self->odd_score : self->score;
    reply->info.mate = self->mate;
    reply->time_ns = self->ms * MS_NS;
    reply->resigns = self->resigns_at == self->moves;
    reply->offers_draw = self->offers_from && self->moves >= self->offers_from;
    if (self->fault && self->moves == 2) {
        *reply = (PlayerReply){.fault = self->fault, .note = "it fails"};
    }
    if (self->moves == self->claims_at) snprintf(reply->note, sizeof reply->note, "it claims");
}

static const PlayerOps puppet_ops = {.go = puppet_go};

#define OPEN(...)                                                                                  \
    { __VA_ARGS__ }
#define CASE(name, rules, red, black, ...)                                                         \
    { name, OPEN rules, OPEN red, OPEN black, __VA_ARGS__ }
// A test case in which Red's player fails with PLAYER_<fault_id> at its second move, so Red must
// lose.
#define FAULT(fault_id, reason)                                                                    \
    CASE(#fault_id, (.max_plies = 20), (.fault = PLAYER_##fault_id), (.score = 0), reason, -1, 2, 0)
static const struct PlayCase {
    const char *name;
    Adjudication rules; // adjudication of the game; a max_plies of 0 means 20
    Puppet red, black;
    EndReason reason;
    int result;
    int plies;       // expected length of the game
    int adjudicated; // expected ply of the adjudication; -1: the last ply; 0: no adjudication
} cases[] = {
    CASE("length", (.max_plies = 20), (.score = 0), (.score = 0), END_MAX_PLIES, 0, 20, 0),
    CASE("both say that Red wins", (.resign_score = 500), (.score = 600), (.score = -600),
         END_RESIGN_ADJUDICATION, 1, 4, -1),
    CASE("both say that Black wins", (.resign_score = 500), (.score = -500), (.score = 500),
         END_RESIGN_ADJUDICATION, -1, 4, -1),
    CASE("the loser does not agree", (.resign_score = 500), (.score = 600), (.score = -499),
         END_MAX_PLIES, 0, 20, 0),
    CASE("somebody hesitates", (.resign_score = 500), (.score = 600, .odd_at = 2, .odd_score = 10),
         (.score = -600), END_RESIGN_ADJUDICATION, 1, 7, -1),
    CASE("a mate is a lost game", (.resign_score = 500), (.mate = 5), (.mate = -4),
         END_RESIGN_ADJUDICATION, 1, 4, -1),
    CASE("nobody says anything", (.resign_score = 500, .draw_score = 50, .max_plies = 120),
         (.silent = true), (.silent = true), END_MAX_PLIES, 0, 120, 0),
    CASE("level", (.draw_score = 10, .max_plies = 120), (.score = 10), (.score = -10),
         END_DRAW_ADJUDICATION, 0, 100, -1),
    CASE("one is not level", (.draw_score = 10, .max_plies = 120), (.score = 11), (.score = 0),
         END_MAX_PLIES, 0, 120, 0),
    CASE("Red resigns", (.max_plies = 20), (.resigns_at = 3), (.score = 0), END_RESIGNATION, -1, 4,
         0),
    CASE("Black resigns", (.max_plies = 20), (.score = 0), (.resigns_at = 2), END_RESIGNATION, 1, 3,
         0),
    CASE("a draw is offered and accepted", (.max_plies = 20), (.offers_from = 2),
         (.offers_from = 4), END_AGREED_DRAW, 0, 8, 0),
    CASE("a draw is offered alone", (.max_plies = 20), (.offers_from = 1), (.score = 0),
         END_MAX_PLIES, 0, 20, 0),
    CASE("Red's time runs out", (.max_plies = 20), (.ms = 300, .tc = "1"), (.ms = 300, .tc = "9"),
         END_TIME_FORFEIT, -1, 6, 0),
    CASE("within the margin", (.max_plies = 6), (.ms = 340, .tc = "1"), (.ms = 100, .tc = "9"),
         END_MAX_PLIES, 0, 6, 0),
    CASE("an increment", (.max_plies = 20), (.ms = 300, .tc = "1+0.3"), (.ms = 300, .tc = "1+0.3"),
         END_MAX_PLIES, 0, 20, 0),
    CASE("sessions", (.max_plies = 20), (.ms = 300, .tc = "3/1"), (.ms = 400, .tc = "2/0.9"),
         END_MAX_PLIES, 0, 20, 0),
    CASE("a session too slow", (.max_plies = 20), (.ms = 100, .tc = "3/1"),
         (.ms = 400, .tc = "3/1"), END_TIME_FORFEIT, 1, 5, 0),
    CASE("time of a move", (.max_plies = 20), (.ms = 119, .tc = "st0.1"),
         (.ms = 250, .tc = "st0.25"), END_MAX_PLIES, 0, 20, 0),
    CASE("too long for a move", (.max_plies = 20), (.ms = 121, .tc = "st0.1"),
         (.ms = 0, .tc = "st0.25"), END_TIME_FORFEIT, -1, 0, 0),
    CASE("one clock only", (.max_plies = 20), (.ms = 100000), (.ms = 300, .tc = "1"),
         END_TIME_FORFEIT, 1, 7, 0),
    FAULT(CRASH, END_CRASH),
    FAULT(CLOSED, END_PROTOCOL_FAULT),
    FAULT(HANG, END_TIME_FORFEIT),
    FAULT(LATE, END_TIME_FORFEIT),
    FAULT(ILLEGAL, END_ILLEGAL_MOVE),
    FAULT(GARBAGE, END_PROTOCOL_FAULT),
    FAULT(FLOOD, END_PROTOCOL_FAULT),
    FAULT(CLAIM, END_PROTOCOL_FAULT),
    FAULT(START, END_CRASH),
    CASE("Black fails", (.max_plies = 20), (.score = 0), (.fault = PLAYER_CRASH), END_CRASH, 1, 3,
         0),
    // END_NONE: the game is discarded.
    CASE("stopped during a move", (.max_plies = 20), (.stopped_at = 2, .tc = "9"), (.tc = "9"),
         END_NONE, 0, 2, 0),
    CASE("stopped during the move of a side without a clock", (.max_plies = 20), (.stopped_at = 2),
         (.tc = "9"), END_NONE, 0, 2, 0),
    CASE("stopped beyond the clock", (.max_plies = 20), (.tc = "1"),
         (.stopped_at = 3, .ms = 900000, .tc = "3000"), END_NONE, 0, 5, 0),
    CASE("stopped without clocks", (.max_plies = 20), (.stopped_at = 2), (.stopped_at = 4),
         END_MAX_PLIES, 0, 20, 0),
    CASE("stopped, and no answer", (.max_plies = 20), (.stopped_at = 2, .fault = PLAYER_HANG),
         (.score = 0), END_NONE, 0, 2, 0),
    CASE("a failure after the stop", (.max_plies = 20), (.stopped_at = 1, .fault = PLAYER_CRASH),
         (.score = 0), END_CRASH, -1, 2, 0),
    CASE("a claim", (.max_plies = 20), (.claims_at = 2), (.claims_at = 3), END_MAX_PLIES, 0, 20, 0),
};

static void play_case(TestContext *t, const struct PlayCase *c) {
    PlaySpec spec = {.rules = rules_default(RULES_AXF),
                     .adjudication = c->rules,
                     .margin_ns = {20 * MS_NS, 20 * MS_NS},
                     .patience_ns = 1000 * MS_NS};
    Puppet puppets[SIDE_COUNT] = {c->red, c->black};
    Player *const players[SIDE_COUNT] = {&puppets[RED].player, &puppets[BLACK].player};
    if (spec.adjudication.max_plies == 0) spec.adjudication.max_plies = 20;
    OddsGame og;
    PlayedGame played = {.plies = NULL};
    Random random;
    Err err = {0};
    for (int side = RED; side <= BLACK; side++) {
        puppets[side].player.ops = &puppet_ops;
        const char *tc = puppets[side].tc;
        if (!tc) continue;
        const Status status = tc[0] == 's'
                                  ? timecontrol_parse_move(tc + 2, &spec.controls[side], &err)
                                  : timecontrol_parse(tc, &spec.controls[side], &err);
        CHECK_MSG(status == STATUS_OK, "%s: %s", c->name, err.text);
    }
    odds_game_init(&og);
    random_init(&random, 1, 0);
    const Status status = play_game(&spec, players, &og, &random, &played);
    CHECK_MSG(status == (c->reason == END_NONE ? STATUS_INTERRUPTED : STATUS_OK), "%s: %s", c->name,
              status_text(status));
    const GameRecord *record = &played.record;
    CHECK_MSG(record->reason == c->reason && record->result == c->result &&
                  record->ply_count == (uint32_t)c->plies,
              "%s: the game ended by %s with result %d after %u plies", c->name,
              end_reason_name((EndReason)record->reason), record->result, record->ply_count);
    CHECK_MSG(record->adjudicated_ply == (uint32_t)(c->adjudicated < 0 ? c->plies : c->adjudicated),
              "%s: the game was adjudicated after %u plies", c->name, record->adjudicated_ply);
    const PlayerFault fault = c->reason == END_NONE           ? PLAYER_NONE
                              : c->red.fault                  ? c->red.fault
                              : c->black.fault                ? c->black.fault
                              : c->reason == END_TIME_FORFEIT ? PLAYER_LATE
                                                              : PLAYER_NONE;
    CHECK_MSG(played.fault == fault && (played.note[0] != '\0') == (fault != PLAYER_NONE),
              "%s: the fault is %s, with the note '%s'", c->name, player_fault_name(played.fault),
              played.note);
    for (int side = RED; side <= BLACK; side++) {
        CHECK_MSG(played.claims[side] == (puppets[side].claims_at != 0), "%s: %d claims", c->name,
                  played.claims[side]);
    }
    played_game_clear(&played);
    odds_game_clear(&og);
}

void test_play_ends(TestContext *t) {
    interrupt_install();
    FOR_EACH (row, cases) play_case(t, row);
}

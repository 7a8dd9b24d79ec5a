// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/odds_game.h"

void odds_game_init(OddsGame *og) {
    *og = (OddsGame){0};
    position_init_start(&og->start);
    game_init(&og->game, &og->start);
}

void odds_game_clear(OddsGame *og) {
    game_clear(&og->game);
}

void odds_game_reset(OddsGame *og, const Position *start, const Odds *odds) {
    og->odds = odds;
    og->start = odds ? odds->start : *start;
    og->extra_count = 0;
    og->state = (OddsState){0};
    if (odds) odds_begin(odds, &og->state);
    game_reset(&og->game, &og->start);
}

const OddsState *odds_game_state(const OddsGame *og) {
    return odds_active(&og->state) ? &og->state : NULL;
}

void odds_game_moves(const OddsGame *og, MoveList *list) {
    odds_legal_moves(odds_game_state(og), &og->game.now, list);
}

bool odds_game_allows(const OddsGame *og, Move move) {
    const Position *now = &og->game.now;
    return position_is_pseudo_legal(now, move) && position_is_legal(now, move) &&
           odds_move_allowed(odds_game_state(og), now, move);
}

void odds_game_push(OddsGame *og, Move move) {
    const Position before = og->game.now;
    Position after;
    if (!odds_active(&og->state)) {
        game_push(&og->game, move);
        return;
    }
    odds_apply(&og->state, &before, move, &after);
    if (after.stm == before.stm) {
        og->extra[og->extra_count++] = move;
        game_reset(&og->game, &after);
    } else {
        game_push(&og->game, move);
    }
}

size_t odds_game_plies(const OddsGame *og) {
    return (size_t)og->extra_count + og->game.count;
}

Move odds_game_move(const OddsGame *og, size_t ply) {
    const size_t extra = (size_t)og->extra_count;
    return ply < extra ? og->extra[ply] : og->game.plies[ply - extra].move;
}

Judgement odds_game_judge(const Rules *rules, const OddsGame *og) {
    const OddsState *state = odds_game_state(og);
    if (state && odds_no_legal_move(state, &og->game.now)) {
        return (Judgement){
            verdict_loss((Side)og->game.now.stm),
            position_in_check(&og->game.now) ? END_CHECKMATE : END_STALEMATE,
        };
    }
    return rules_judge(rules, &og->game);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/opening.h"

#include <stdlib.h>

// Plays the random plies; false when the game ended on the way.
static bool play_random_plies(const OpeningSpec *spec, const Rules *rules, Random *random,
                              Game *game) {
    for (int ply = 0; ply < spec->plies; ply++) {
        MoveList moves;
        position_legal_moves(&game->now, &moves);
        if (moves.count == 0) return false;
        game_push(game, moves.moves[random_below(random, (uint64_t)moves.count)]);
    }
    return rules_judge(rules, game).verdict == VERDICT_NONE;
}

Status opening_make(const OpeningSpec *spec, const Position *start, const Rules *rules,
                    Random *random, Search *search, Game *game, Err *err) {
    const SearchLimits limits = {.nodes = spec->nodes};
    for (int attempt = 0; attempt < OPENING_TRIES; attempt++) {
        game_reset(game, start);
        if (!play_random_plies(spec, rules, random, game)) continue;
        if (spec->plies > 0 && position_in_check(&game->now)) continue;
        if (spec->nodes == 0 || spec->plies == 0) return STATUS_OK;
        SearchResult result;
        search_clear(search);
        search_run(search, game, &limits, &result);
        if (abs(result.line.score) <= spec->window) return STATUS_OK;
    }
    return err_set(err, STATUS_NOT_FOUND,
                   "no balanced opening in %d tries of %d random plies; widen the window (%d) or "
                   "play fewer plies",
                   OPENING_TRIES, spec->plies, spec->window);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/derive.h"

#include <stdlib.h>
#include <string.h>

#include "core/eval/eval.h"

// ---- by rule -----------------------------------------------------------------------------------

// Does the score go with the result? A mate is any score; a draw goes with everything.
static bool agrees(const PlyRecord *ply, int result, int threshold) {
    int leader = 0;
    if (ply->mate_red != 0) {
        leader = ply->mate_red > 0 ? 1 : -1;
    } else if (ply->score_red != SCORE_UNKNOWN && abs(ply->score_red) >= threshold) {
        leader = ply->score_red > 0 ? 1 : -1;
    }
    return leader * result >= 0;
}

static bool within(int value, int min, int max) {
    return value >= min && value <= max;
}

// Are the search's score and the evaluation too far apart? A mate is as far as can be.
static bool is_noisy(const PositionRule *rule, const Position *position, const PlyRecord *ply) {
    if (rule->max_gap < 0) return false;
    if (ply->mate_red != 0) return true;
    if (ply->score_red == SCORE_UNKNOWN) return false;
    const int score = evaluate(position, &rule->weights);
    return abs(ply->score_red - (position->stm == RED ? score : -score)) > rule->max_gap;
}

static bool rule_holds(const PositionRule *rule, const GameRecord *game, const GameWalk *walk,
                       const PlyRecord *ply) {
    const int number = (int)walk->ply;
    const Position *position = &walk->position;
    const bool scored = ply->score_red != SCORE_UNKNOWN && ply->mate_red == 0;
    if (!within(number, rule->min_ply, rule->max_ply)) return false;
    if ((number - rule->min_ply) % rule->every != 0) return false;
    if (rule->scored && !scored) return false;
    if (rule->max_score >= 0 &&
        (ply->mate_red != 0 || (scored && abs(ply->score_red) > rule->max_score))) {
        return false;
    }
    if (rule->agree >= 0 && !agrees(ply, game->result, rule->agree)) return false;
    if (is_noisy(rule, position, ply)) return false;
    if ((rule->quiet || rule->no_check) && position_in_check(position)) return false;
    if (rule->quiet && position_is_capture(position, ply->move)) return false;
    return within(bb_count(position_occupied(position)), rule->min_pieces, rule->max_pieces) &&
           within(eval_phase(position), rule->min_phase, rule->max_phase);
}

int derive_by_rule(void *context, const GameRecord *game, PlyRecord *plies) {
    const PositionRule *rule = context;
    GameWalk walk;
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        const bool candidate = rule->from_all ? i < game->end_ply : plies[i].sampled;
        plies[i].sampled = candidate && rule_holds(rule, game, &walk, &plies[i]);
        // A move that cannot be played ends the walk; the writer names it.
        if (!game_walk_step(&walk, game, plies[i].move)) break;
    }
    return 0;
}

// ---- samples -----------------------------------------------------------------------------------

int derive_sample_exactly(void *context, const GameRecord *game, PlyRecord *plies) {
    SampleExactly *sample = context;
    for (uint32_t i = 0; i < game->ply_count; i++) {
        if (!plies[i].sampled) continue;
        plies[i].sampled =
            sample->wanted > 0 && random_below(&sample->random, sample->total) < sample->wanted;
        sample->wanted -= plies[i].sampled;
        sample->total--;
    }
    return 0;
}

int derive_sample_fraction(void *context, const GameRecord *game, PlyRecord *plies) {
    const SampleFraction *sample = context;
    Random random;
    random_init(&random, sample->seed, game->index);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        // A number is drawn for every ply, so that it does not depend on what else is sampled.
        const bool chosen = random_real(&random) < sample->fraction;
        plies[i].sampled = plies[i].sampled && chosen;
    }
    return 0;
}

int derive_sample_per_game(void *context, const GameRecord *game, PlyRecord *plies) {
    const SamplePerGame *sample = context;
    SampleExactly exactly = {.wanted = sample->most};
    random_init(&exactly.random, sample->seed, game->index);
    for (uint32_t i = 0; i < game->ply_count; i++) exactly.total += plies[i].sampled;
    return derive_sample_exactly(&exactly, game, plies);
}

int derive_split(void *context, const GameRecord *game, PlyRecord *plies) {
    (void)plies;
    const SplitParts *parts = context;
    Random random;
    random_init(&random, parts->seed, game->index);
    const double at = random_real(&random);
    return at < parts->valid ? 1 : at < parts->valid + parts->test ? 2 : 0;
}

// ---- duplicates --------------------------------------------------------------------------------

int derive_dedup(void *context, const GameRecord *game, PlyRecord *plies) {
    Dedup *dedup = context;
    if (dedup->games &&
        !key_set_add(&dedup->seen_games, game_content_key(game, plies, dedup->mirrored))) {
        return DERIVE_DROP;
    }
    GameWalk walk;
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        if (plies[i].sampled) {
            plies[i].sampled =
                key_set_add(&dedup->seen, position_content_key(&walk.position, dedup->mirrored));
        }
        if (!game_walk_step(&walk, game, plies[i].move)) break;
    }
    return 0;
}

void dedup_clear(Dedup *dedup) {
    key_set_clear(&dedup->seen);
    key_set_clear(&dedup->seen_games);
}

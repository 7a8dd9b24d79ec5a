// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/play.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

void played_game_clear(PlayedGame *played) {
    free(played->plies);
    *played = (PlayedGame){0};
}

static PlyRecord *next_ply_record(PlayedGame *played) {
    if (played->record.ply_count == played->capacity) {
        played->capacity = memory_grow(played->capacity, played->capacity + 1);
        played->plies = memory_resize(played->plies, played->capacity, sizeof *played->plies);
    }
    PlyRecord *ply = &played->plies[played->record.ply_count++];
    *ply = (PlyRecord){.score_red = SCORE_UNKNOWN};
    return ply;
}

static void record_opening(const Game *game, PlayedGame *played) {
    for (size_t i = 0; i < game->count; i++) next_ply_record(played)->move = game->plies[i].move;
    played->record.opening_plies = (uint32_t)game->count;
}

// Writes a search's answer down, turned to Red's side.
static void record_search(const Game *game, const SearchResult *result, PlyRecord *ply) {
    const int sign = game->now.stm == RED ? 1 : -1;
    const int mate = score_mate_plies(result->line.score);
    ply->move = result->best;
    ply->mate_red = (int16_t)(sign * mate);
    ply->score_red = (int16_t)(mate ? 0 : sign * result->line.score);
    ply->depth = (uint8_t)result->line.depth;
    ply->nodes = (uint32_t)result->nodes;
    ply->sampled = !mate && abs(result->line.score) < SCORE_EVAL_MAX &&
                   !position_in_check(&game->now) && !position_is_capture(&game->now, result->best);
}

// The adjudicated result of the game so far; END_NONE while it goes on.
static EndReason adjudicate(const Adjudication *rules, const PlayedGame *played, int8_t *result) {
    const GameRecord *record = &played->record;
    const size_t searched = record->ply_count - record->opening_plies;
    int red = 0, black = 0, level = 0;
    const size_t look =
        (size_t)(rules->resign_plies > rules->draw_plies ? rules->resign_plies : rules->draw_plies);
    for (size_t i = 0; i < searched && i < look; i++) {
        const PlyRecord *ply = &played->plies[record->ply_count - 1 - i];
        const int score = ply->mate_red > 0   ? SCORE_MATE
                          : ply->mate_red < 0 ? -SCORE_MATE
                                              : ply->score_red;
        red += red == (int)i && score >= rules->resign_score;
        black += black == (int)i && score <= -rules->resign_score;
        level += level == (int)i && abs(score) <= rules->draw_score;
    }
    if (rules->resign_plies && (red >= rules->resign_plies || black >= rules->resign_plies)) {
        *result = red >= rules->resign_plies ? 1 : -1;
        return END_RESIGN_ADJUDICATION;
    }
    *result = 0;
    if (rules->draw_plies && level >= rules->draw_plies &&
        record->ply_count >= (uint32_t)rules->draw_after) {
        return END_DRAW_ADJUDICATION;
    }
    if (rules->max_plies && record->ply_count >= (uint32_t)rules->max_plies) return END_MAX_PLIES;
    return END_NONE;
}

static int8_t verdict_result(Verdict verdict) {
    return verdict == VERDICT_BLACK_LOSES ? 1 : verdict == VERDICT_RED_LOSES ? -1 : 0;
}

Status play_game(const PlaySpec *spec, Search *const players[SIDE_COUNT], Game *game,
                 PlayedGame *played, const atomic_bool *stop, Err *err) {
    GameRecord *record = &played->record;
    *record = (GameRecord){.start = *game_start(game)};
    played->nodes = 0;
    record_opening(game, played);
    for (;;) {
        const Judgement end = rules_judge(&spec->rules, game);
        if (end.verdict != VERDICT_NONE) {
            record->result = verdict_result(end.verdict);
            record->reason = (uint8_t)end.reason;
            break;
        }
        const EndReason adjudicated = adjudicate(&spec->adjudication, played, &record->result);
        if (adjudicated != END_NONE) {
            record->reason = (uint8_t)adjudicated;
            break;
        }
        if (stop && atomic_load_explicit(stop, memory_order_relaxed)) {
            return err_set(err, STATUS_INTERRUPTED, "the game was interrupted");
        }
        SearchResult result;
        search_run(players[game->now.stm], game, &spec->limits[game->now.stm], &result);
        assert(result.best != MOVE_NONE);
        record_search(game, &result, next_ply_record(played));
        played->nodes += result.nodes;
        game_push(game, result.best);
    }
    record->end_ply = record->ply_count;
    record->end_reason = record->reason;
    return STATUS_OK;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/score_signs.h"

#include <stdlib.h>

#include "core/eval/eval.h"
#include "selfplay/engines/conversation.h"

enum {
    CLEAR_SCORE = 100,  // scores below this absolute value, in units, are not compared
    POSITIONS_MIN = 20, // number of compared positions below which a colour is not judged
};

static void count_pair(int score, int other, uint64_t *equal, uint64_t *opposite) {
    if (abs(other) < CLEAR_SCORE) return;
    *equal += (score > 0) == (other > 0);
    *opposite += (score > 0) != (other > 0);
}

void score_signs_count(ScoreSigns *signs, const GameRecord *record, const PlyRecord *plies,
                       const bool wanted[SIDE_COUNT], const Weights *weights) {
    if (record->odds[0]) return;
    const int result = record->result == RESULT_NONE ? 0 : record->result;
    signs->games++;
    Position now = record->start;
    for (uint32_t i = 0; i < record->ply_count; i++) {
        const PlyRecord *ply = &plies[i];
        const Side stm = (Side)now.stm;
        const int sign = stm == RED ? 1 : -1;
        const int score = ply->mate_red                     ? ply->mate_red * CLEAR_SCORE
                          : ply->score_red == SCORE_UNKNOWN ? 0
                                                            : ply->score_red;
        if (wanted[stm] && abs(score) >= CLEAR_SCORE) {
            SideSigns *side = &signs->sides[stm];
            count_pair(sign * score, evaluate(&now, weights), &side->eval_equal,
                       &side->eval_opposite);
            count_pair(score, CLEAR_SCORE * result, &side->result_equal, &side->result_opposite);
        }
        const Position before = now;
        position_do_move(&before, ply->move, &now);
    }
}

void score_signs_add(ScoreSigns *signs, const ScoreSigns *more) {
    signs->games += more->games;
    for (int side = RED; side <= BLACK; side++) {
        SideSigns *sum = &signs->sides[side];
        const SideSigns *part = &more->sides[side];
        sum->eval_equal += part->eval_equal;
        sum->eval_opposite += part->eval_opposite;
        sum->result_equal += part->result_equal;
        sum->result_opposite += part->result_opposite;
    }
}

// Returns true if at least two thirds of the signs differ from our evaluation, and the results do
// not contradict this. The results alone are no evidence: a weak program may lose games in which it
// believes to be ahead.
static bool is_reversed(const SideSigns *side) {
    const uint64_t positions = side->eval_equal + side->eval_opposite;
    return positions >= POSITIONS_MIN && 3 * side->eval_opposite >= 2 * positions &&
           side->result_opposite >= side->result_equal;
}

// Returns true if there are enough games and a colour is reversed. *word becomes "red", "black" or
// "both", and *remedy says what helps.
static bool find_reversed(const ScoreSigns *signs, const PlayerSpec *player, const char **word,
                          const char **remedy) {
    const bool red = is_reversed(&signs->sides[RED]), black = is_reversed(&signs->sides[BLACK]);
    if (signs->games < SCORE_SIGNS_GAMES || (!red && !black)) return false;
    *word = red && black ? "both" : red ? "red" : "black";
    *remedy = red                         ? "no quirk repairs this"
              : player->quirks.red_scores ? "omit quirk=red_scores"
                                          : "add quirk=red_scores";
    return true;
}

bool score_signs_remark(const ScoreSigns *signs, const PlayerSpec *player, Text *text) {
    const char *word, *remedy;
    if (!find_reversed(signs, player, &word, &remedy)) return false;
    text_add(text, "%s: its scores have the wrong sign", player->name);
    for (int i = RED; i <= BLACK; i++) {
        const SideSigns *side = &signs->sides[i];
        const uint64_t evals = side->eval_equal + side->eval_opposite;
        const uint64_t results = side->result_equal + side->result_opposite;
        if (!is_reversed(side)) continue;
        text_add(text, "; as %s they contradict our static evaluation in %.0f %% of %llu positions",
                 i == RED ? "Red" : "Black", 100 * (double)side->eval_opposite / (double)evals,
                 (unsigned long long)evals);
        if (results) {
            text_add(text, " and the results in %.0f %% of %llu",
                     100 * (double)side->result_opposite / (double)results,
                     (unsigned long long)results);
        }
    }
    text_add(text, ": %s", remedy);
    return true;
}

void score_faults_record(const ScoreFaults *faults, const PlayerSpec *player, const char *prefix,
                         Record *record) {
    const char *word, *remedy;
    if (!player->program) return;
    record_add(record, "%sbounds %lu", prefix, faults->bounds);
    if (faults->unread) {
        record_add(record, "%sunread_scores %lu %sunread_scores_remedy %s", prefix, faults->unread,
                   prefix, SCORE_UNIT_REMEDY);
    }
    if (find_reversed(faults->signs, player, &word, &remedy)) {
        record_add(record, "%sscores_reversed %s %sscores_reversed_remedy %s", prefix, word, prefix,
                   remedy);
    }
}

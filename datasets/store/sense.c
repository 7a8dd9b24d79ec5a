// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/sense.h"

#include <math.h>
#include <stdlib.h>

// Limits of the check, chosen so that no real games, self-play of any strength or odds games raise
// an alarm, but 30 games with negated scores and 200 games with random scores do (E-119, E-130).
enum {
    LEAST_GAMES = 8,   // games that each side won and in which a side is ahead
    LEAST_SCORES = 40, // scores from which the unit is judged
};
static const double deviations = 3.0;  // standard errors by which a difference must be exceeded
static const double least_lead = 0.20; // smallest difference of the leads in data that make sense
// Pawn units: nearly all scores are below 50, in an even game in 1/100 points many are above.
static const double large_share = 0.05;
enum { LARGE_SCORE = 50 };

// ---- sums --------------------------------------------------------------------------------------

static void end_game(Sense *sense) {
    for (int stm = RED; stm <= BLACK; stm++) {
        SenseCell *red = &sense->cells[stm][0], *black = &sense->cells[stm][1];
        const double ahead = (double)red->here, behind = (double)black->here;
        if (ahead + behind > 0 && (sense->result == 1 || sense->result == -1)) {
            SenseLead *lead = &sense->leads[stm][sense->result < 0];
            const double value = (ahead - behind) / (ahead + behind);
            lead->games++;
            lead->sum += value;
            lead->squares += value * value;
        }
        red->here = black->here = 0;
    }
}

void sense_add(Sense *sense, uint64_t game, Side stm, int score_red, int mate_red, int result) {
    if (score_red == SCORE_UNKNOWN && mate_red == 0) return;
    if (game != sense->game || result != sense->result) end_game(sense);
    sense->game = game;
    sense->result = (int8_t)result;
    sense->mates += mate_red != 0;
    sense->scored += mate_red == 0;
    if (mate_red == 0) sense->sizes[abs(score_red)]++;
    const int ahead = mate_red ? mate_red : score_red;
    if (result == RESULT_NONE || (mate_red == 0 && abs(ahead) <= SENSE_SCORE)) return;
    SenseCell *cell = &sense->cells[stm][ahead < 0];
    cell->here++;
    cell->positions++;
    cell->wins += result > 0;
}

void sense_add_batch(Sense *sense, const GameBatch *batch) {
    for (size_t i = 0; i < batch->count; i++) {
        const GameRecord *game = &batch->games[i];
        const uint64_t key = game->group ? game->group : game->index;
        for (size_t k = 0; k < game->position_count; k++) {
            const PositionRecord *at = &batch->positions[game->first_position + k];
            sense_add(sense, key, (Side)at->stm, at->score_red, at->mate_red, at->result);
        }
    }
}

void sense_finish(Sense *sense) {
    end_game(sense);
}

// ---- output ------------------------------------------------------------------------------------

// Returns the absolute score that `share` of the scores do not exceed.
static int quantile(const Sense *sense, double share) {
    const double wanted = share * (double)sense->scored;
    double count = 0;
    for (int size = 0; size <= INT16_MAX; size++) {
        count += sense->sizes[size];
        if (sense->sizes[size] && count >= wanted) return size;
    }
    return INT16_MAX;
}

void sense_record(const Sense *sense, Record *record) {
    const double all = (double)(sense->scored + sense->mates);
    if (all == 0) return;
    for (int stm = RED; stm <= BLACK; stm++) {
        for (int low = 0; low < 2; low++) {
            const SenseCell *cell = &sense->cells[stm][low];
            char name[64];
            snprintf(name, sizeof name, "red_wins_%s_300_%s_to_move", low ? "below" : "above",
                     stm == RED ? "red" : "black");
            if (cell->positions == 0) continue;
            record_add(record, "%s %.4f", name, (double)cell->wins / (double)cell->positions);
        }
    }
    if (sense->scored) {
        record_add(record, "score_least %d score_median %d score_largest %d", quantile(sense, 0),
                   quantile(sense, 0.5), quantile(sense, 1));
    }
    record_add(record, "mates_share %.4f", (double)sense->mates / all);
}

typedef enum View { VIEW_GOOD, VIEW_REVERSED, VIEW_HALF } View;

// Compares the leads of Red in the games that Red won with those in the games that Black won, at
// positions of one side to move. The comparison leaves out draws, because in many sets most games
// are drawn. It does not depend on how often Red wins, because a strong player that gives odds
// wins although it is behind in most positions.
static View view_of(const SenseLead leads[2]) {
    double mean[2], variance = 0;
    for (int i = 0; i < 2; i++) {
        const SenseLead *lead = &leads[i];
        if (lead->games < LEAST_GAMES) return VIEW_GOOD;
        mean[i] = lead->sum / lead->games;
        const double spread = lead->squares / lead->games - mean[i] * mean[i];
        // The added term keeps the error above 0 if all leads are equal.
        variance += ((spread > 0 ? spread : 0) + 1 / lead->games) / lead->games;
    }
    const double difference = mean[0] - mean[1], most = difference + deviations * sqrt(variance);
    return most < 0 ? VIEW_REVERSED : most < least_lead ? VIEW_HALF : VIEW_GOOD;
}

// Returns true if nearly all scores are so small, or most are so large, that their unit is another.
static bool unit_is_wrong(const Sense *sense, int median) {
    if (sense->scored < LEAST_SCORES) return false;
    if (median > SENSE_HIGH_MEDIAN) return true;
    return median < SENSE_LOW_MEDIAN && quantile(sense, 1 - large_share) < LARGE_SCORE;
}

void sense_complain(const Sense *sense, Text *text) {
    const View red = view_of(sense->leads[RED]), black = view_of(sense->leads[BLACK]);
    const int median = quantile(sense, 0.5);
    const bool unit = unit_is_wrong(sense, median);
    const bool reversed = red == VIEW_REVERSED || black == VIEW_REVERSED;
    if (unit) {
        text_add(text,
                 "the unit looks wrong: the median of the absolute scores is %d units, but 100 "
                 "units are one point (a chariot has 9). State the unit: 'data import --score-unit "
                 "pawn|centipawn|fairy'\n",
                 median);
    }
    // In another unit, SENSE_SCORE is not the limit at which a side is ahead.
    if (!reversed && (unit || (red == VIEW_GOOD && black == VIEW_GOOD))) return;
    text_add(text,
             "scores or results are from another view: %sthe side that is ahead by more than %d "
             "units %s. State the view of scores and results: 'data import --pov red' or '--pov "
             "stm', '--result-scale' for the numbers of results, and for games of a program that "
             "states scores from Red's side 'quirk=red_scores'\n",
             red == VIEW_GOOD     ? "with Black to move, "
             : black == VIEW_GOOD ? "with Red to move, "
                                  : "",
             SENSE_SCORE,
             reversed ? "loses more often than it wins" : "wins hardly more often than it loses");
}

void sense_print(const Sense *sense, FILE *out) {
    AUTO(Text) text = {0};
    sense_complain(sense, &text);
    fputs(text_get(&text), out);
}

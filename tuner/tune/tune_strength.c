// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what decides whether a fit of another program's terms makes the program stronger. The
// validation loss alone does not decide it, so warnings name cases in which such a fit lost games.
#include <math.h>
#include <stdlib.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "tuner/tune/tune.h"

// With fewer positions a weight, gains were within the errors of their matches: ElephantEye +17
// [-30, 65] Elo with 104 (E-125), Pikafish-HCE +16 [-20, 52] with 35 and +33 [-3, 68] with 130 (200
// and 750 games). Pikafish-HCE gained 117 with 417 (E-122). An engine of 14 weights whose piece
// values were exchanged gained 66 [30, 101] and 167 [131, 201] with 66 and 76 (E-131). Results
// alone lost 227 Elo with about 500 positions a weight, and gained 55 with 2,700 (E-126). The
// correlation with search scores fell in both fits, so it gives no warning.
enum { PER_WEIGHT_LEAST = 150, RESULTS_LEAST = 2000, SLOPE_LEAST = 100 };
#define UNKNOWN_MOST 0.1 // share of games without a result

enum { THIRDS = 3 };

// Sums over positions of two numbers x and y.
typedef struct Sums {
    double n, x, y, xx, yy, xy;
} Sums;

static void add_pair(Sums *sums, double x, double y) {
    sums->n++;
    sums->x += x;
    sums->y += y;
    sums->xx += x * x;
    sums->yy += y * y;
    sums->xy += x * y;
}

static double correlation(const Sums *s) {
    const double xx = s->n * s->xx - s->x * s->x, yy = s->n * s->yy - s->y * s->y;
    return (s->n * s->xy - s->x * s->y) / sqrt(xx * yy);
}

// Numbers about the positions of a fit, for its start weights and its weights.
typedef struct Facts {
    uint64_t results[4]; // games won by Red, drawn, won by Black, and without a result
    Sums search[2];      // search scores with the evaluation by the start weights and by the fit
    Sums scale[THIRDS];  // evaluation by the start weights with that by the fit, by phase from the
                         // endgame to the opening
} Facts;

static void add_chunk(const TuneFit *tune, size_t number, double *start, double *fitted,
                      uint32_t *last_game, Facts *facts) {
    const RowSet *rows = &tune->rows;
    const RowChunk *chunk = &rows->chunks[number];
    loss_chunk_scores(rows, number, tune->fit.start, start);
    loss_chunk_scores(rows, number, tune->fit.weights, fitted);
    for (uint32_t i = 0; i < chunk->count; i++) {
        const double result = (double)chunk->result[i];
        const double share = (double)chunk->phase[i] / rows->phase_max;
        const int score = chunk->score_red[i];
        const int third = share < 1.0 / THIRDS ? 0 : share < 2.0 / THIRDS ? 1 : 2;
        if (chunk->game[i] != *last_game) {
            facts->results[result < 0 ? 3 : result > 0.75 ? 0 : result < 0.25 ? 2 : 1]++;
        }
        *last_game = chunk->game[i];
        add_pair(&facts->scale[third], start[i], fitted[i]);
        if (score == SCORE_UNKNOWN || abs(score) >= ROW_SCORE_MATE) continue;
        // Scores beyond 20 points say only that the game is decided.
        const double limited = fmax(-2000, fmin(2000, score));
        add_pair(&facts->search[0], start[i], limited);
        add_pair(&facts->search[1], fitted[i], limited);
    }
}

static void find_facts(const TuneFit *tune, Facts *facts) {
    AUTO_FREE double *start = memory_alloc(ROWS_CHUNK, sizeof *start);
    AUTO_FREE double *fitted = memory_alloc(ROWS_CHUNK, sizeof *fitted);
    uint32_t last_game = UINT32_MAX;
    for (size_t c = tune->rows.own_first; c < tune->rows.own_end; c++) {
        add_chunk(tune, c, start, fitted, &last_game, facts);
    }
}

// Appends the slopes of the new evaluation on the old one.
static void add_scales(const TuneFit *tune, const Facts *facts, Record *record) {
    static const char *const names[THIRDS] = {"scale_endgame %.3f", "scale_middlegame %.3f",
                                              "scale_opening %.3f"};
    for (int i = THIRDS - 1; i >= 0; i--) {
        const Sums *sums = &facts->scale[i];
        const double slope =
            (sums->n * sums->xy - sums->x * sums->y) / (sums->n * sums->xx - sums->x * sums->x);
        if (sums->n < SLOPE_LEAST || !isfinite(slope)) continue;
        record_add(record, tune->terms->phased ? names[i] : "scale_change %.3f", slope);
    }
}

static double positions_a_weight(const TuneFit *tune) {
    return (double)tune->rows.count / fmax(1, tune->fitted);
}

bool tune_few_positions(const TuneFit *tune) {
    return tune->terms && tune->terms->start && positions_a_weight(tune) < PER_WEIGHT_LEAST;
}

// Prints a line for each reason why the fit may not make the engine stronger.
static void print_warnings(const TuneFit *tune, const Facts *facts, double per_weight) {
    const uint64_t games = tune->rows.game_count, unknown = facts->results[3];
    const bool results_alone = facts->search[0].n == 0 || tune->settings.setup.lambda >= 1;
    AUTO(Text) text = {0};
    if (results_alone && per_weight < RESULTS_LEAST) {
        text_add(&text,
                 "the fit uses results alone, which need many times more games than scores: "
                 "below 2,000 positions a weight, Pikafish-HCE lost 227 Elo; with 2,700, a small "
                 "engine gained 55 by results alone, and 128 by scores; 'paotai rescore DIR "
                 "--weights best' adds scores; ");
    }
    if (tune_few_positions(tune)) {
        text_add(&text,
                 "few positions: below %d a weight, gains were within the error of their match "
                 "(ElephantEye +17 Elo with 104, Pikafish-HCE +33 with 130, but +117 with 417), "
                 "unless the start was far off (+66 with 66 for an engine with exchanged piece "
                 "values); ",
                 PER_WEIGHT_LEAST);
    }
    if ((double)unknown > UNKNOWN_MOST * (double)games) {
        text_add(&text, "%llu of %llu games have no result; ", (unsigned long long)unknown,
                 (unsigned long long)games);
    }
    for (int i = 0; i < 3 && games > unknown; i++) {
        static const char *const kinds[] = {"is won by Red", "is drawn", "is won by Black"};
        if (facts->results[i] == 0) {
            text_add(&text, "no game %s; check how results are coded; ", kinds[i]);
        }
    }
    if (!text.length) return;
    text.data[text.length - 2] = '\0';
    tune_print_note(tune, "warning", text.data);
}

void tune_print_strength(const TuneFit *tune) {
    static const char *const keys[] = {"red_wins %llu", "draws %llu", "black_wins %llu",
                                       "no_result %llu"};
    Facts facts = {.results = {0}};
    Record record;
    if (!tune->terms->start) return;
    find_facts(tune, &facts);
    const double r[2] = {correlation(&facts.search[0]), correlation(&facts.search[1])};
    const double per_weight = positions_a_weight(tune);
    record_begin(&record, tune->call->out, tune->settings.json);
    for (int i = 0; i < 4; i++) record_add(&record, keys[i], (unsigned long long)facts.results[i]);
    record_add(&record, "positions_a_weight %.0f", per_weight);
    add_scales(tune, &facts, &record);
    if (isfinite(r[0])) {
        record_add(&record, "score_correlation_start %.4f score_correlation %.4f", r[0], r[1]);
    }
    record_end(&record);
    print_warnings(tune, &facts, per_weight);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/stats/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Quantile 0.975 of the standard normal distribution.
static const double z95 = 1.959963984540054;
// What stands for an outcome that never occurred.
static const double regularised_zero = 1e-3;

void match_counts_add_pair(MatchCounts *counts, int first, int second) {
    assert(counts->has_pairs && counts->has_games);
    assert(first >= 0 && first <= 2 && second >= 0 && second <= 2);
    counts->penta[first + second]++;
    counts->losses += (first == 0) + (second == 0);
    counts->draws += (first == 1) + (second == 1);
    counts->wins += (first == 2) + (second == 2);
}

long long match_counts_pairs(const MatchCounts *counts) {
    long long pairs = 0;
    for (int i = 0; counts->has_pairs && i < PAIR_OUTCOMES; i++) pairs += counts->penta[i];
    return pairs;
}

long long match_counts_games(const MatchCounts *counts) {
    if (counts->has_games) return counts->losses + counts->draws + counts->wins;
    return 2 * match_counts_pairs(counts);
}

Status match_counts_parse(const char *text, MatchCounts *counts, Err *err) {
    char buffer[128];
    if (strlen(text) >= sizeof buffer) {
        return err_set(err, STATUS_BAD_INPUT, "'%.40s...' is too long for counts", text);
    }
    strcpy(buffer, text);
    long long values[OUTCOMES_MAX] = {0};
    int count = 0;
    for (char *cursor = buffer; cursor; count++) {
        const char *field = text_next_field(&cursor, ',');
        if (count >= OUTCOMES_MAX) continue;
        const Status status = parse_int(field, 0, MATCH_COUNT_MAX, &values[count], "a count", err);
        if (status != STATUS_OK) return status;
    }
    if (count != PAIR_OUTCOMES && count != GAME_OUTCOMES) {
        return err_set(err, STATUS_BAD_INPUT,
                       "'%s' is not five counts LL,LD,DD+WL,WD,WW or three L,D,W", text);
    }
    *counts =
        (MatchCounts){.has_pairs = count == PAIR_OUTCOMES, .has_games = count == GAME_OUTCOMES};
    if (counts->has_pairs) {
        memcpy(counts->penta, values, sizeof counts->penta);
    } else {
        counts->losses = values[0];
        counts->draws = values[1];
        counts->wins = values[2];
    }
    return STATUS_OK;
}

double sample_score(const Sample *sample, int i) {
    return (double)i / (sample->kinds - 1);
}

double sample_sigma_per_game(const Sample *sample) {
    return sqrt(sample->kinds == PAIR_OUTCOMES ? 2.0 * sample->variance : sample->variance);
}

double sample_t_per_nelo(const Sample *sample) {
    return (sample->kinds == PAIR_OUTCOMES ? M_SQRT2 : 1.0) / NELO_PER_SIGMA;
}

void sample_from_weights(Sample *sample, int kinds, const double *weights) {
    *sample = (Sample){.kinds = kinds};
    for (int i = 0; i < kinds; i++) sample->size += weights[i];
    for (int i = 0; i < kinds; i++) sample->p[i] = weights[i] / sample->size;
    // By the distance from one half, outcome against opposite outcome: a level sample has the mean
    // 1/2 and the Elo 0 exactly.
    sample->mean = 0.5;
    for (int i = 0; i < kinds / 2; i++) {
        const int opposite = kinds - 1 - i;
        sample->mean +=
            (sample->p[opposite] - sample->p[i]) * (sample_score(sample, opposite) - 0.5);
    }
    double third = 0.0, fourth = 0.0;
    for (int i = 0; i < kinds; i++) {
        const double off = sample_score(sample, i) - sample->mean;
        sample->variance += sample->p[i] * off * off;
        third += sample->p[i] * off * off * off;
        fourth += sample->p[i] * off * off * off * off;
    }
    sample->skewness = third / pow(sample->variance, 1.5);
    sample->excess_kurtosis = fourth / (sample->variance * sample->variance) - 3.0;
}

void sample_from_counts(const MatchCounts *counts, Sample *sample) {
    assert(counts->has_pairs || counts->has_games);
    const long long games[GAME_OUTCOMES] = {counts->losses, counts->draws, counts->wins};
    const long long *from = counts->has_pairs ? counts->penta : games;
    const int kinds = counts->has_pairs ? PAIR_OUTCOMES : GAME_OUTCOMES;
    double weights[OUTCOMES_MAX];
    for (int i = 0; i < kinds; i++) weights[i] = from[i] > 0 ? (double)from[i] : regularised_zero;
    sample_from_weights(sample, kinds, weights);
}

double elo_from_score(double score) {
    const double kept = fmin(fmax(score, 1e-3), 1.0 - 1e-3);
    return -400.0 * log10(1.0 / kept - 1.0);
}

double score_from_elo(double elo) {
    return 1.0 / (1.0 + pow(10.0, -elo / 400.0));
}

double normal_cdf(double x) {
    return 0.5 * erfc(-x * M_SQRT1_2);
}

static double pair_ratio(const MatchCounts *counts) {
    if (!counts->has_pairs) return -1.0;
    const double won = (double)(counts->penta[3] + counts->penta[4]);
    const double lost = (double)(counts->penta[0] + counts->penta[1]);
    if (won == lost) return 1.0; // level pairs alone favour nobody
    return won / (lost > 0.0 ? lost : regularised_zero);
}

static double draw_ratio(const MatchCounts *counts) {
    const double level = (double)(counts->has_pairs ? counts->penta[2] : counts->draws);
    const double all =
        (double)(counts->has_pairs ? match_counts_pairs(counts) : match_counts_games(counts));
    return all > 0.0 ? level / all : 0.0;
}

void strength_from_counts(const MatchCounts *counts, Strength *strength) {
    Sample sample;
    sample_from_counts(counts, &sample);
    const double mean_error = sqrt(sample.variance / sample.size);
    const double interval = z95 * mean_error;
    // t = (mean - 1/2)/sigma has the variance 1 - t*skewness + t^2*(kurtosis + 2)/4, divided by the
    // size.
    const double t = (sample.mean - 0.5) / sqrt(sample.variance);
    const double t_variance =
        fmax(0.0, 1.0 - t * sample.skewness + 0.25 * t * t * (sample.excess_kurtosis + 2.0));
    const double nelo_per_t = 1.0 / sample_t_per_nelo(&sample);
    *strength = (Strength){
        .elo = elo_from_score(sample.mean),
        .elo_error95 =
            0.5 * (elo_from_score(sample.mean + interval) - elo_from_score(sample.mean - interval)),
        .nelo = nelo_per_t * t,
        .nelo_error95 = nelo_per_t * z95 * sqrt(t_variance / sample.size),
        .los = normal_cdf((sample.mean - 0.5) / mean_error),
        .pair_ratio = pair_ratio(counts),
        .draw_ratio = draw_ratio(counts),
    };
}

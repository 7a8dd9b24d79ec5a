// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/report/weight_show.h"

#include <math.h>

#include "core/base/json.h"
#include "core/board/types.h"
#include "core/eval/eval.h"
#include "selfplay/stats/stats.h"
#include "tuner/report/weight_board.h"
#include "tuner/rows/terms.h"

void weight_show_entry(const WeightTerm *term, int entry, Text *text) {
    char name[80];
    int found = 0;
    for (int square = 0; square < SQUARE_COUNT && term->shape != SHAPE_NONE; square++) {
        if (eval_table_entry(term->shape, RED, square) != entry) continue;
        text_add(text, "%s%c%d", found++ ? " " : "", 'a' + square_file(square),
                 square_rank(square));
    }
    if (term->shape != SHAPE_NONE) return;
    weight_entry_name(term, entry, name, sizeof name);
    text_add(text, "%s", name);
}

void weight_show_name(int pair, Text *text) {
    const WeightTerm *term = weight_term_of(pair);
    const int entry = pair - term->first;
    if (term->shape != SHAPE_NONE) {
        text_add(text, "%s on ", weight_group_piece(term->group));
        weight_show_entry(term, entry, text);
    } else if (term->count == 1) {
        text_add(text, "%s", term->meaning);
    } else {
        const char *what = weight_axis_of(term)->what;
        for (const char *at = term->name; *at; at++) text_add(text, "%c", *at == '_' ? ' ' : *at);
        text_add(text, ", ");
        weight_show_entry(term, entry, text);
        if (what) text_add(text, " %s", what);
    }
}

bool weight_show_is_prior(const FitRecord *record, int weight) {
    const double decided = record->decided[weight];
    return decided >= 0 && decided < BOARD_UNSURE;
}

static void add_error(int error, Text *text) {
    if (error < 0) {
        text_add(text, " %7s", error == ERROR_PRIOR ? "prior" : "-");
    } else {
        text_add(text, " +- %4d", error);
    }
}

void weight_show_term(const Weights *weights, const Weights *errors, const WeightTerm *term,
                      Text *text) {
    const WeightPair *values = weights_flat_const(weights) + term->first;
    const WeightPair *error = errors ? weights_flat_const(errors) + term->first : NULL;
    text_add(text, "%s:", term->name);
    text_add_wrapped(text, term->meaning);
    if (term->shape != SHAPE_NONE) {
        term_board_text(weights, term, false, text);
        if (!error) return;
        text_add(text, "  half widths of the 95 %% intervals (-: from the prior; ?: unknown)\n");
        term_board_text(errors, term, true, text);
        return;
    }
    text_add(text, "  %-32s middlegame          endgame\n", "");
    for (int i = 0; i < term->count; i++) {
        char name[80] = "";
        if (term->count > 1) weight_entry_name(term, i, name, sizeof name);
        text_add(text, "  %-32s %10d", name, values[i].mg);
        if (error) add_error(error[i].mg, text);
        text_add(text, " %8d", values[i].eg);
        if (error) add_error(error[i].eg, text);
        text_add(text, "\n");
    }
}

// Adds two lists of integers. If `errors` is set, negative numbers are unknown.
static void record_pairs(Record *record, const char *const keys[2], const WeightPair *values,
                         int count, bool errors) {
    long long numbers[WEIGHT_COUNT];
    for (int phase = 0; phase < 2; phase++) {
        for (int i = 0; i < count; i++) {
            numbers[i] = phase ? values[i].eg : values[i].mg;
            if (errors && numbers[i] < 0) numbers[i] = RECORD_UNKNOWN;
        }
        record_ints(record, keys[phase], numbers, count);
    }
}

void weight_show_term_json(const Weights *weights, const Weights *errors, const FitRecord *fit,
                           const WeightTerm *term, FILE *out) {
    static const char *const keys[] = {"middlegame", "endgame"};
    static const char *const error_keys[] = {"middlegame_error95", "endgame_error95"};
    static const char *const prior_keys[] = {"middlegame_is_prior", "endgame_is_prior"};
    WeightPair is_prior[WEIGHT_COUNT];
    AUTO(Text) names = {0};
    Record record;
    for (int i = 0; i < term->count; i++) {
        char name[WEIGHT_NAME_SIZE];
        row_entry_name(term, i, name);
        text_add(&names, "%s%s", i ? "|" : "", name);
    }
    record_begin(&record, out, true);
    record_add(&record, "term %s meaning %s entries %s", term->name, term->meaning,
               text_get(&names));
    record_pairs(&record, keys, weights_flat_const(weights) + term->first, term->count, false);
    if (errors) {
        for (int i = 0; i < term->count; i++) {
            const int weight = 2 * (term->first + i);
            is_prior[i] = (WeightPair){.mg = weight_show_is_prior(fit, weight),
                                       .eg = weight_show_is_prior(fit, weight + 1)};
        }
        record_pairs(&record, error_keys, weights_flat_const(errors) + term->first, term->count,
                     true);
        record_pairs(&record, prior_keys, is_prior, term->count, false);
    }
    record_end(&record);
}

const Weights *weight_show_errors(const FitRecord *record, bool mark_prior, Weights *errors) {
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        const double error = fmin(fmax(1, Z95 * record->error[i]), WEIGHT_LIMIT);
        WeightPair *score = &weights_flat(errors)[i / 2];
        *(i % 2 ? &score->eg : &score->mg) = !(record->error[i] > 0) ? ERROR_UNKNOWN
                                             : mark_prior && weight_show_is_prior(record, i)
                                                 ? ERROR_PRIOR
                                                 : (int32_t)lround(error);
    }
    return record->has_errors ? errors : NULL;
}

long long weight_show_differences(const Weights *a, const Weights *b, bool json, FILE *out) {
    long long different = 0;
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        const WeightPair x = weights_flat_const(a)[i], y = weights_flat_const(b)[i];
        if (x.mg == y.mg && x.eg == y.eg) continue;
        const WeightTerm *term = weight_term_of(i);
        different++;
        char name[WEIGHT_NAME_SIZE];
        snprintf(name, sizeof name, "%d", i - term->first);
        if (term->shape != SHAPE_NONE) row_entry_name(term, i - term->first, name);
        if (!json) {
            fprintf(out, "%s[%s]\t%d %d\t%d %d\t%+d %+d\n", term->name, name, x.mg, x.eg, y.mg,
                    y.eg, y.mg - x.mg, y.eg - x.eg);
            continue;
        }
        Record record;
        record_begin(&record, out, true);
        record_add(&record, "term %s index %d entry %s", term->name, i - term->first, name);
        record_ints(&record, "a", (const long long[]){x.mg, x.eg}, 2);
        record_ints(&record, "b", (const long long[]){y.mg, y.eg}, 2);
        record_end(&record);
    }
    return different;
}

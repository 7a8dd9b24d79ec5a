// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/eval/eval.h"

// Weighted sums of one or several evaluation terms, for each side.
typedef struct SideSums {
    WeightPair of[SIDE_COUNT];
} SideSums;

// Adds the points that each side gets by an evaluation term (occurrences times weights) to *sums.
// Returns true if the term occurs in the traced position.
static bool add_term(SideSums *sums, const EvalTrace *trace, const Weights *weights,
                     const WeightTerm *term) {
    const WeightPair *flat = weights_flat_const(weights);
    bool occurs = false;
    for (int side = RED; side <= BLACK; side++) {
        for (int i = term->first; i < term->first + term->count; i++) {
            sums->of[side].mg += trace->count[side][i] * flat[i].mg;
            sums->of[side].eg += trace->count[side][i] * flat[i].eg;
            occurs |= trace->count[side][i] != 0;
        }
    }
    return occurs;
}

static void add_row(Text *text, const char *indent, const char *name, const SideSums *sums) {
    const WeightPair *red = &sums->of[RED], *black = &sums->of[BLACK];
    text_add(text, "%s%-*s |%7.2f %7.2f |%7.2f %7.2f |%7.2f %7.2f\n", indent,
             26 - (int)(indent[0] ? 2 : 0), name, red->mg / 100.0, red->eg / 100.0,
             black->mg / 100.0, black->eg / 100.0, (red->mg - black->mg) / 100.0,
             (red->eg - black->eg) / 100.0);
}

static void add_group(Text *text, const EvalTrace *trace, const Weights *weights, WeightGroup group,
                      SideSums *total) {
    AUTO(Text) rows = {0};
    SideSums sums = {0};
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        SideSums term = {0};
        if (weight_terms[i].group != group || !add_term(&term, trace, weights, &weight_terms[i])) {
            continue;
        }
        add_term(&sums, trace, weights, &weight_terms[i]);
        add_term(total, trace, weights, &weight_terms[i]);
        add_row(&rows, "  ", weight_terms[i].name, &term);
    }
    if (!rows.length) return;
    add_row(text, "", weight_group_name(group), &sums);
    text_add_bytes(text, rows.data, rows.length);
}

void eval_text(const Position *position, const Weights *weights, const Network *network,
               Text *text) {
    EvalTrace trace;
    SideSums total = {0};
    evaluate_traced(position, weights, &trace);
    text_add(text, "%-26s |      Red       |     Black      |    balance\n", "");
    text_add(text, "%-26s | middle     end | middle     end | middle     end\n", "");
    for (int group = 0; group < GROUP_COUNT; group++) {
        add_group(text, &trace, weights, (WeightGroup)group, &total);
    }
    add_row(text, "", "sum", &total);
    const WeightPair *chariot = weights->material_chariot;
    text_add(text,
             "phase %d (%d: all chariots, horses and cannons are on the board)\n"
             "a chariot is worth %.2f points here\n",
             trace.phase, PHASE_MAX,
             (chariot->mg * trace.phase + chariot->eg * (PHASE_MAX - trace.phase)) / 100.0 /
                 PHASE_MAX);
    const EvalParts parts = evaluate_parts(position, weights, network);
    const int red = position->stm == RED ? 1 : -1;
    if (network) {
        text_add(text, "sum of terms %+.2f, network %+.2f (red side)\n", red * parts.linear / 100.0,
                 red * parts.network / 100.0);
    }
    if (position_in_check(position)) {
        text_add(text, "Final evaluation none (in check)\n");
    } else {
        text_add(text, "Final evaluation %+.2f (red side)\n",
                 red * (parts.linear + parts.network) / 100.0);
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
// paotai weights show and diff.
#include <string.h>

#include "core/base/json.h"
#include "tuner/cmd_weights.h"
#include "tuner/commands.h"
#include "tuner/report/weight_board.h"

static const OptionRow show_rows[] = {ROW_TERM("only this term"), ROW_JSON(WeightsSettings),
                                      OPTION_END};
static const OptionRow diff_rows[] = {ROW_JSON(WeightsSettings), OPTION_END};

// ---- show ---------------------------------------------------------------------------------------

static void show_term(const Weights *weights, const WeightTerm *term, Text *text) {
    const Score *values = weights_flat_const(weights) + term->first;
    text_add(text, "%s: %s\n", term->name, term->meaning);
    if (term->shape != SHAPE_NONE) {
        term_board_text(weights, term, text);
    } else if (term->count == 1) {
        text_add(text, "  middlegame %d  endgame %d\n", values->mg, values->eg);
    } else {
        for (int phase = 0; phase < 2; phase++) {
            text_add(text, "  %-10s", phase ? "endgame" : "middlegame");
            for (int i = 0; i < term->count; i++) {
                text_add(text, " %5d", phase ? values[i].eg : values[i].mg);
            }
            text_add(text, "\n");
        }
    }
}

// The entries in the order of the weight file.
static void show_term_json(const Weights *weights, const WeightTerm *term, FILE *out) {
    const Score *values = weights_flat_const(weights) + term->first;
    long long middlegame[WEIGHT_COUNT], endgame[WEIGHT_COUNT];
    for (int i = 0; i < term->count; i++) {
        middlegame[i] = values[i].mg;
        endgame[i] = values[i].eg;
    }
    Record record;
    record_begin(&record, out, true);
    record_text(&record, "term", term->name);
    record_text(&record, "meaning", term->meaning);
    record_ints(&record, "middlegame", middlegame, term->count);
    record_ints(&record, "endgame", endgame, term->count);
    record_end(&record);
}

static int run_show(const CommandCall *call) {
    const WeightsSettings *settings = call->settings;
    Err err = {0};
    Weights weights;
    if (weights_load(call->args[0], &weights, &err) != STATUS_OK) return command_fail(call, &err);
    Text text = {0};
    bool found = false;
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        if (settings->term && strcmp(settings->term, weight_terms[i].name) != 0) continue;
        if (settings->json) {
            show_term_json(&weights, &weight_terms[i], call->out);
        } else {
            if (found) text_add(&text, "\n");
            show_term(&weights, &weight_terms[i], &text);
        }
        found = true;
    }
    if (!found) {
        err_set(&err, STATUS_USAGE, "--term: no term '%s'; without --term all are shown",
                settings->term);
        return command_fail(call, &err);
    }
    return weights_deliver(call, &text);
}

// ---- diff ---------------------------------------------------------------------------------------

static int run_diff(const CommandCall *call) {
    const WeightsSettings *settings = call->settings;
    Err err = {0};
    Weights a, b;
    if (weights_load(call->args[0], &a, &err) != STATUS_OK ||
        weights_load(call->args[1], &b, &err) != STATUS_OK)
        return command_fail(call, &err);
    long long different = 0;
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        const Score x = weights_flat_const(&a)[i], y = weights_flat_const(&b)[i];
        if (x.mg == y.mg && x.eg == y.eg) continue;
        const WeightTerm *term = weight_term_of(i);
        different++;
        if (!settings->json) {
            fprintf(call->out, "%s[%d]\t%d %d\t%d %d\t%+d %+d\n", term->name, i - term->first, x.mg,
                    x.eg, y.mg, y.eg, y.mg - x.mg, y.eg - x.eg);
            continue;
        }
        const long long from[] = {x.mg, x.eg}, to[] = {y.mg, y.eg};
        Record record;
        record_begin(&record, call->out, true);
        record_text(&record, "term", term->name);
        record_int(&record, "index", i - term->first);
        record_ints(&record, "a", from, 2);
        record_ints(&record, "b", to, 2);
        record_end(&record);
    }
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "different", different);
    record_end(&record);
    return 0;
}

WEIGHTS_COMMAND(
    show, "print a weight set, tables as boards", "NAME|FILE", 1,
    "paotai weights show classic\npaotai weights show --term table_horse build/weights.txt");
WEIGHTS_COMMAND(
    diff, "where two weight sets differ", "NAME|FILE NAME|FILE", 2,
    "Lines: term[entry], middlegame and endgame of the first, of the second, difference.");

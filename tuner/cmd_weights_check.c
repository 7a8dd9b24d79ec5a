// SPDX-License-Identifier: GPL-3.0-or-later
// paotai weights check: measures a network of Fairy-Stockfish on the positions of games.
#include <math.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/command/common_rows.h"
#include "tuner/fit/fit_options.h"
#include "tuner/train/fairy_check.h"

typedef struct CheckSettings {
    FitSetup fit;
    bool json;
} CheckSettings;

static const OptionRow check_rows[] = {
    ROW_WEIGH(CheckSettings, fit),
    ROW_LAMBDA(CheckSettings, fit),
    OPT_REAL("k", CheckSettings, fit.k, 0, 1, "0", "1/UNITS",
             "slope K of the sigmoid that turns scores into expected results; 0: the K with which "
             "the scores of the weights `default` have the least loss"),
    ROW_FIT_THREADS(CheckSettings, fit),
    ROW_JSON(CheckSettings),
    OPTION_END,
};

static void print_check(const FairyCheck *check, bool json, FILE *out) {
    Record record;
    record_begin(&record, out, json);
    record_add(&record,
               "positions %llu saturated_share %.6f sum_min %d sum_max %d wrapped %llu dead_units "
               "%d full_units "
               "%d limit_inputs %llu mirror_mean %.3f mirror_max %d swap_max %d",
               (unsigned long long)check->positions,
               (double)check->saturated / 2 / FAIRY_UNITS / (double)check->positions,
               check->sum_min, check->sum_max, (unsigned long long)check->wrapped, check->dead,
               check->full, (unsigned long long)check->limit_input, check->mirror_mean,
               check->mirror_max, check->swap_max);
    record_end(&record);
    if (!json) {
        fprintf(
            out,
            "stack  positions      loss   default  dead first, second  at limit first, second\n");
    }
    for (int s = 0; s < FAIRY_STACKS; s++) {
        const FairyStackCheck *stack = &check->stack[s];
        record_row(out, json,
                   "{stack}%5d {positions}%10llu {loss}%9.6f {linear_loss}%9.6f {dead_first}%11d "
                   "{dead_second}%8d "
                   "{limit_first}%15d {limit_second}%8d\n",
                   s, (unsigned long long)stack->positions,
                   stack->positions ? stack->loss / stack->weight : (double)NAN,
                   stack->positions ? stack->linear / stack->weight : (double)NAN,
                   stack->dead_first, stack->dead_second, stack->limit_first, stack->limit_second);
    }
}

static void print_faults(const FairyCheck *check, bool json, FILE *out) {
    AUTO(Text) lines = {0};
    fairy_check_explain(check, &lines);
    if (!lines.length) {
        text_add(&lines, "these measurements show no fault; only a match shows how strong the "
                         "network is\n");
    }
    char *cursor = lines.data;
    while (*cursor) record_print(out, json, "finding %s", text_next_field(&cursor, '\n'));
}

static Status run_check(const CommandCall *call, Err *err) {
    const CheckSettings *settings = call->settings;
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    double start[2 * WEIGHT_COUNT], se[2 * WEIGHT_COUNT];
    AUTO_POINTER(Network) network = NULL;
    AUTO(TrainData) data = {0};
    AUTO_FREE TrainLinear *linear = memory_alloc(1, sizeof *linear);
    AUTO_FREE FairyCheck *check = memory_alloc(1, sizeof *check);
    FitSetup setup = settings->fit;
    TRY(evaluation_load(call->args[0], &weights, &network, hash, err));
    if (!network || !network->fairy) {
        return err_set(err, STATUS_BAD_INPUT, "%s: this is not a network file of Fairy-Stockfish",
                       call->args[0]);
    }
    TRY(loss_check_k(setup.k, err));
    TRY(fit_read_start("default", start, se, err));
    setup.prior = prior_setup_default();
    setup.valid_fraction = 0.1;
    TRY(train_linear_fit(call->args + 1, call->arg_count - 1, &setup, start, se, 1000000, NULL,
                         call->err, linear, err));
    TRY(train_data_read(call->args + 1, call->arg_count - 1, linear, NULL, &data, err));
    fairy_check(network, &data, setup.threads, check);
    print_check(check, settings->json, call->out);
    print_faults(check, settings->json, call->out);
    return STATUS_OK;
}

const Command command_weights_check = {
    .name = "weights check",
    .summary = "measure a network FILE.nnue on games: dead units, loss",
    .usage = "FILE.nnue DIR...",
    .details =
        "Evaluates all positions of the games with a network of Fairy-Stockfish, and prints "
        "measurements that show why it plays badly. saturated_share is the share of the "
        "accumulator units at 127. "
        "sum_min and sum_max are the extremes of the sums. wrapped counts positions with a sum "
        "that does not fit in 16 bits. dead_units counts those of the 512 units that are 0 in all "
        "positions, full_units those that are 127. limit_inputs counts input weights at +-992, the "
        "limits of a fit, or at those "
        "of 16 bits. mirror_mean and mirror_max are differences of the score "
        "if the board is mirrored, in our units. swap_max is the largest difference if the colours "
        "are exchanged (0 in a sound program). For each stack: the number of positions that reach "
        "it, the loss of the network, the loss of the weights `default`, each with its own best K, "
        "the units of each small "
        "layer that are 0 in all these positions, and the weights at the limits of 8 bits (in the "
        "first small layer, and in the second with the output). The lines `finding` say what is "
        "wrong, and what to do.\n\n"
        "paotai weights check xiangqi-new.nnue build/games",
    .rows = check_rows,
    .settings_size = sizeof(CheckSettings),
    .min_args = 2,
    .max_args = -1,
    .run = run_check,
};

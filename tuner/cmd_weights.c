// SPDX-License-Identifier: GPL-3.0-or-later
// paotai weights: shows, compares, hashes and converts weight sets.
#include <stdio.h>
#include <string.h>

#include "core/base/json.h"
#include "core/command/common_rows.h"
#include "core/eval/network.h"
#include "core/system/in_file.h"
#include "tuner/fit/weight_convert.h"
#include "tuner/report/weight_show.h"
#include "tuner/tune/tune.h"

typedef struct WeightsSettings {
    WeightConversion conversion;
    const char *term;
    int to;
    bool json;
} WeightsSettings;

static const OptionRow show_rows[] = {
    OPT_TEXT("term", WeightsSettings, term, NULL, "NAME", "print only the term of this name"),
    ROW_JSON(WeightsSettings),
    OPTION_END,
};
static const OptionRow diff_rows[] = {ROW_JSON(WeightsSettings), OPTION_END};
static const OptionRow hash_rows[] = {ROW_JSON(WeightsSettings), OPTION_END};
static const OptionRow probe_rows[] = {ROW_JSON(WeightsSettings), OPTION_END};
static const OptionRow convert_rows[] = {
    OPT_CHOICE(
        "to", WeightsSettings, to, "text", "text|hdf5|network",
        "format to write; text, hdf5: linear weights, also those of a network file; network: a "
        "network file; without --to: hdf5 if --out ends in .h5, network if it ends in .net, "
        "otherwise text"),
    OPT_TEXT("keep-network", WeightsSettings, conversion.keep, NULL, "FILE",
             "write the checksum of this network file into the output; in a program built with the "
             "output and this network, `best` is then this network, even if its linear weights "
             "differ from the output"),
    OPT_TEXT("errors", WeightsSettings, conversion.errors, NULL, "FILE",
             "take the standard errors of the output from this weight file, not from the converted "
             "weight set"),
    OPT_TEXT("out", WeightsSettings, conversion.out, NULL, "FILE",
             "write to this file instead of standard output"),
    OPTION_END,
};
#define WEIGHTS_COMMAND(verb, text_, usage_, count, details_)                                      \
    const Command command_weights_##verb = {                                                       \
        .name = "weights " #verb,                                                                  \
        .summary = text_,                                                                          \
        .usage = usage_,                                                                           \
        .details = details_,                                                                       \
        .rows = verb##_rows,                                                                       \
        .settings_size = sizeof(WeightsSettings),                                                  \
        .reads_weights = true,                                                                     \
        .min_args = count,                                                                         \
        .max_args = count,                                                                         \
        .run = run_##verb,                                                                         \
    }

static Status run_show(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    Weights weights, errors95;
    AUTO(Text) text = {0};
    AUTO(FitRecord) record = {0};
    bool found = false;
    AUTO_POINTER(Fairy) fairy = NULL;
    TRY(fairy_load(call->args[0], &fairy, err));
    if (fairy) {
        TRY(command_refuse(call, "term", "needs linear weights, not a network of Fairy-Stockfish",
                           err));
        fairy_show(fairy, settings->json, call->out);
        return STATUS_OK;
    }
    TRY(weights_load(call->args[0], &weights, err));
    TRY(fit_record_load(call->args[0], &record, err));
    const Weights *errors = weight_show_errors(&record, !settings->json, &errors95);
    if (!settings->term) {
        tune_print_values(call, &record.pieces, record.contain, false, settings->json);
    }
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        if (settings->term && strcmp(settings->term, weight_terms[i].name) != 0) continue;
        if (settings->json) {
            weight_show_term_json(&weights, errors, &record, &weight_terms[i], call->out);
        } else {
            if (found) text_add(&text, "\n");
            weight_show_term(&weights, errors, &weight_terms[i], &text);
        }
        found = true;
    }
    if (!found) {
        return err_set(err, STATUS_USAGE,
                       "--term: there is no term '%s'; without --term all terms are printed",
                       settings->term);
    }
    fputs(text_get(&text), call->out);
    if (settings->term && record.has_errors && !settings->json) {
        fprintf(call->out, "\nthe errors contain: %s\n", record.contain);
    }
    return STATUS_OK;
}

static Status run_diff(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    Weights a, b;
    TRY(weights_load(call->args[0], &a, err));
    TRY(weights_load(call->args[1], &b, err));
    const long long different = weight_show_differences(&a, &b, settings->json, call->out);
    record_print(call->out, settings->json, "different %lld", different);
    return STATUS_OK;
}

static Status run_probe(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    AUTO_FREE char *data = NULL;
    size_t size = 0;
    AUTO_POINTER(Fairy) fairy = NULL;
    TRY(text_read_file(call->args[0], &data, &size, err));
    if (fairy_is_file(data, size)) {
        TRY(fairy_parse(data, size, call->args[0], &fairy, err));
        return fairy_probe(fairy, call->arg_count > 1 ? call->args[1] : NULL, settings->json,
                           call->out, err);
    }
    return err_set(err, STATUS_BAD_INPUT, "%s: this is not a network file of Fairy-Stockfish",
                   call->args[0]);
}

static Status run_hash(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    AUTO_POINTER(Network) network = NULL;
    TRY(evaluation_load(call->args[0], &weights, &network, hash, err));
    record_print(call->out, settings->json, "hash %s", hash);
    return STATUS_OK;
}

static Status run_convert(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    WeightConversion conversion = settings->conversion;
    const char *dot = conversion.out ? strrchr(conversion.out, '.') : NULL;
    int to = settings->to;
    conversion.source = call->args[0];
    if (!command_given(call, "to") && dot) {
        to = strcmp(dot, ".h5") == 0 ? TO_HDF5 : strcmp(dot, ".net") == 0 ? TO_NETWORK : TO_TEXT;
    }
    if (to == TO_NETWORK) {
        TRY(command_refuse(call, "errors keep-network",
                           "--to network writes neither standard errors nor notes", err));
    }
    return weights_convert(&conversion, (WeightFormat)to, call->out, err);
}

WEIGHTS_COMMAND(
    show, "print a weight set; tables are drawn as boards", "NAME|FILE", 1,
    "For weights of a fit, the output begins with piece values, unless --term is given: how much "
    "the evaluation loses when a piece is removed from the board, on average in the positions of "
    "the fit, in units in "
    "which a chariot is 9. If the prior, not the games, determined a weight, the output has the "
    "word \"prior\" (on a board a dash) in place of its 95 % error. --json prints this error, and "
    "marks the weight by a 1 in the list middlegame_is_prior or endgame_is_prior. An error that "
    "the "
    "file does not contain is a dash, on a board a question mark, in JSON null.\n\n"
    "For a network of Fairy-Stockfish: its sizes, description and hash, the mean value of a "
    "chariot "
    "(what the value loses without it, in the bench positions), the ratio of our units to those of "
    "Fairy-Stockfish, and for each stack the mean value of each piece by psqt, in units of "
    "Fairy-Stockfish.\n\n"
    "paotai weights show classic\n"
    "paotai weights show --term table_horse build/weights.txt");
WEIGHTS_COMMAND(diff, "list the differences of two weight sets", "NAME|FILE NAME|FILE", 2,
                "Each line has term[entry], where the entry of a table is a point such as a0, then "
                "middlegame and endgame of the first set, of the second set, "
                "and of the second minus the first.");
WEIGHTS_COMMAND(
    hash, "print the hash of a weight set or a network", "NAME|FILE", 1,
    "The hash of a weight set covers the names and values of the terms that are not 0, so a new "
    "term with value 0 does not change it. The hash of a network covers its numbers; the "
    "hash of a network of Fairy-Stockfish is the SHA-256 of its file.");
WEIGHTS_COMMAND(convert, "convert a weight set to text or HDF5, or save a network", "NAME|FILE", 1,
                "'paotai weights show --json' prints a weight set as JSON. `make adopt "
                "WEIGHTS=FILE` makes a set the compiled default; with ERRORS=FILE it takes the "
                "standard errors from the weight file of another fit.");
const Command command_weights_probe = {
    .name = "weights probe",
    .summary = "print values of positions by a network FILE.nnue",
    .usage = "FILE.nnue [FENS]",
    .details =
        "FENS is a file with a FEN on each line (default: standard input); text after a tab is "
        "ignored. For each FEN a line FEN, tab, stack, tab, and for each of the eight stacks "
        "psqt,output from the view of the side to move. The stack is the one that the number of "
        "pieces selects. (psqt + output) / 16 is the value in units of Fairy-Stockfish.\n\n"
        "paotai weights probe xiangqi-best.nnue positions.txt",
    .rows = probe_rows,
    .settings_size = sizeof(WeightsSettings),
    .min_args = 1,
    .max_args = 2,
    .run = run_probe,
};

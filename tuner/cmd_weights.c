// SPDX-License-Identifier: GPL-3.0-or-later
// paotai weights: shows, compares, hashes and converts weight sets.
#include <stdio.h>
#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/base/version.h"
#include "core/eval/network.h"
#include "datasets/sparse/weights_hdf5.h"
#include "tuner/fit/fit_record.h"
#include "tuner/fit/values.h"
#include "tuner/report/weight_show.h"
#include "tuner/tune/tune.h"

typedef struct WeightsSettings {
    const char *out, *term, *errors, *keep;
    int to;
    bool json;
} WeightsSettings;

#define ROW_OUT                                                                                    \
    OPT_TEXT("out", WeightsSettings, out, NULL, "FILE",                                            \
             "file to write to instead of standard output")
#define ROW_TERM(help) OPT_TEXT("term", WeightsSettings, term, NULL, "NAME", help)

static const OptionRow show_rows[] = {
    ROW_TERM("name of the only term to print; without it, all terms are printed"),
    ROW_JSON(WeightsSettings), OPTION_END};
static const OptionRow diff_rows[] = {ROW_JSON(WeightsSettings), OPTION_END};

enum { TO_TEXT, TO_HDF5, TO_NETWORK };
static const OptionRow hash_rows[] = {ROW_JSON(WeightsSettings), OPTION_END};
static const OptionRow convert_rows[] = {
    OPT_CHOICE(
        "to", WeightsSettings, to, "text", "text|hdf5|network",
        "format to write: text or hdf5 for a weight file (or the linear weights of a "
        "network), network for a network file in the current format; by default the ending of "
        "--out (.h5, .net) decides"),
    OPT_TEXT(
        "keep-network", WeightsSettings, keep, NULL, "FILE",
        "network file to mark as kept: when compiled in, it plays with its own linear weights"),
    OPT_TEXT("errors", WeightsSettings, errors, NULL, "FILE",
             "weight set whose standard errors are written instead of the set's own"),
    ROW_OUT,
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

// Writes a text to --out or to the call's output.
static Status weights_deliver(const CommandCall *call, const Text *text, Err *err) {
    const WeightsSettings *settings = call->settings;
    if (settings->out) return text_write_file(settings->out, text_get(text), text->length, err);
    fputs(text_get(text), call->out);
    return STATUS_OK;
}

// ---- show ---------------------------------------------------------------------------------------

static Status run_show(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    Weights weights;
    TRY(weights_load(call->args[0], &weights, err));
    AUTO(Text) text = {0};
    AUTO(FitRecord) record = {0};
    Weights room;
    bool found = false;
    TRY(fit_record_load(call->args[0], &record, err));
    const Weights *errors = weight_show_errors(&record, &room);
    if (!settings->term) {
        tune_print_values(call, &record.pieces, record.contain, false, settings->json);
    }
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        if (settings->term && strcmp(settings->term, weight_terms[i].name) != 0) continue;
        if (settings->json) {
            weight_show_term_json(&weights, errors, &weight_terms[i], call->out);
        } else {
            if (found) text_add(&text, "\n");
            weight_show_term(&weights, errors, &weight_terms[i], &text);
        }
        found = true;
    }
    if (found && settings->term && record.has_errors && !settings->json) {
        text_add(&text, "\nthe errors contain: %s\n", record.contain);
    }
    if (found) return weights_deliver(call, &text, err);
    return err_set(err, STATUS_USAGE,
                   "--term: there is no term '%s'; without --term all terms are printed",
                   settings->term);
}

// ---- diff ---------------------------------------------------------------------------------------

static Status run_diff(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    Weights a, b;
    TRY(weights_load(call->args[0], &a, err));
    TRY(weights_load(call->args[1], &b, err));
    const long long different = weight_show_differences(&a, &b, settings->json, call->out);
    record_print(call->out, settings->json, "different %lld", different);
    return STATUS_OK;
}

WEIGHTS_COMMAND(
    show, "print a weight set, tables as boards", "NAME|FILE", 1,
    "For weights of a fit, the output begins with piece values: how much the evaluation loses when "
    "a piece is removed from the board, on average in the positions of the fit. A chariot's is "
    "9.\n\n"
    "paotai weights show classic\npaotai weights show --term table_horse build/weights.txt");
WEIGHTS_COMMAND(
    diff, "list the differences of two weight sets", "NAME|FILE NAME|FILE", 2,
    "Each line has term[entry], then middlegame and endgame of the first set, of the second set, "
    "and of their difference.");

// ---- hash, convert ------------------------------------------------------------------------------

static Status run_hash(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    AUTO_POINTER(Network) network = NULL;
    TRY(network_load(call->args[0], &weights, &network, hash, err));
    record_print(call->out, settings->json, "hash %s", hash);
    return STATUS_OK;
}

static Status convert_network(const CommandCall *call, Network *network, Err *err) {
    const WeightsSettings *settings = call->settings;
    if (!network) {
        return err_set(err, STATUS_USAGE, "--to network: %s is not a network", call->args[0]);
    }
    if (!settings->out) return err_set(err, STATUS_USAGE, "--to network needs --out FILE.net");
    return network_save(network, settings->out, err);
}

// Appends the line that marks a network as kept (network.h).
static Status format_keep(const char *path, Text *text, Err *err) {
    AUTO_FREE char *bytes = NULL;
    size_t size;
    char hex[SHA256_HEX_SIZE];
    AUTO_POINTER(Network) network = NULL;
    TRY(text_read_file(path, &bytes, &size, err));
    TRY(network_parse(bytes, size, path, &network, err));
    network_checksum(bytes, size, hex);
    text_add(text, NETWORK_KEEP " %s\n", hex);
    return STATUS_OK;
}

// Loads a set of linear weights, or those in a network, and the record of their fit.
static Status load_linear(const char *name, Weights *weights, Network **network, FitRecord *record,
                          Err *err) {
    char hash[SHA256_HEX_SIZE];
    TRY(network_load(name, weights, network, hash, err));
    if (!*network) return fit_record_load(strcmp(name, "best") ? name : "default", record, err);
    fit_record_parse("", record);
    if ((*network)->linear) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "%s: this network has no linear weights to convert: it was trained with --alone",
                   name);
}

static Status run_convert(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    const char *name = call->args[0], *errors = settings->errors ? settings->errors : name;
    const char *dot = settings->out ? strrchr(settings->out, '.') : NULL;
    int to = settings->to;
    if (!command_given(call, "to") && dot) {
        to = strcmp(dot, ".h5") == 0 ? TO_HDF5 : strcmp(dot, ".net") == 0 ? TO_NETWORK : TO_TEXT;
    }
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    AUTO_POINTER(Network) network = NULL;
    AUTO(FitRecord) known = {0}, own = {0};
    AUTO(Text) text = {0}, provenance = {0};
    if (to == TO_NETWORK) {
        TRY(command_refuse(call, "errors keep-network",
                           "--to network writes neither standard errors nor notes", err));
        TRY(network_load(name, &weights, &network, hash, err));
        return convert_network(call, network, err);
    }
    TRY(load_linear(name, &weights, &network, &own, err));
    if (settings->errors) TRY(fit_record_load(errors, &known, err));
    weights_hash(&weights, hash);
    text_add(&provenance, "from %s\nhash %s\nconverted by paotai %s %s\nerrors from %s\n", name,
             hash, PAOTAI_VERSION, version_revision(), errors);
    if (settings->keep) TRY(format_keep(settings->keep, &provenance, err));
    fit_record_format_pieces(&own.pieces, &provenance);
    fit_record_format_se(settings->errors ? known.error : own.error, &provenance);
    fit_contain_format(settings->errors ? known.contain : own.contain, &provenance);
    if (to == TO_HDF5) {
        if (!settings->out) return err_set(err, STATUS_USAGE, "--to hdf5 needs --out FILE");
        return weights_write_hdf5(&weights, settings->errors ? known.error : own.error,
                                  settings->out, provenance.data, err);
    }
    weights_format(&weights, text_get(&provenance), &text);
    return weights_deliver(call, &text, err);
}

WEIGHTS_COMMAND(
    hash, "print the hash of a weight set or a network", "NAME|FILE", 1,
    "The hash covers the names and values of the terms that are not 0, so a new term does not "
    "change it. For a network it covers its numbers.");
WEIGHTS_COMMAND(
    convert, "write a weight set as text or HDF5, or a network (for JSON: weights show --json)",
    "NAME|FILE", 1,
    "`make adopt WEIGHTS=FILE` makes a set the compiled default; with ERRORS=FILE it takes the "
    "standard errors of another fit.");

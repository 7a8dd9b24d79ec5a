// SPDX-License-Identifier: GPL-3.0-or-later
// paotai weights hash, convert and heatmap.
#include <stdio.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/version.h"
#include "datasets/sparse/sparse_file.h"
#include "tuner/cmd_weights.h"
#include "tuner/commands.h"
#include "tuner/fit/values.h"
#include "tuner/report/weight_board.h"

enum { TO_TEXT, TO_INC, TO_JSON, TO_HDF5 };
static const OptionRow hash_rows[] = {ROW_JSON(WeightsSettings), OPTION_END};
static const OptionRow convert_rows[] = {
    OPT_CHOICE(
        "to", WeightsSettings, to, "text", "text|inc|json|hdf5",
        "text: a weight file; inc: C for core/eval/weights_default.inc; json; hdf5: names and "
        "weights"),
    OPT_FLAG("json", WeightsSettings, json, "as --to json, in one line"),
    ROW_OUT,
    OPTION_END,
};
static const OptionRow heatmap_rows[] = {ROW_TERM("the table to draw (default table_horse)"),
                                         ROW_OUT, OPTION_END};

int weights_deliver(const CommandCall *call, Text *text) {
    const WeightsSettings *settings = call->settings;
    Err err = {0};
    Status status = STATUS_OK;
    if (settings->out) {
        status = text_write_file(settings->out, text_get(text), text->length, &err);
    } else {
        fputs(text_get(text), call->out);
    }
    text_clear(text);
    return status == STATUS_OK ? 0 : command_fail(call, &err);
}

static void hash_line(const Weights *weights, const char *name, Text *text) {
    char hash[SHA256_HEX_SIZE];
    weights_hash(weights, hash);
    text_add(text, "from %s\nhash %s\nconverted by paotai %s %s", name, hash, PAOTAI_VERSION,
             version_revision());
}

static int run_hash(const CommandCall *call) {
    const WeightsSettings *settings = call->settings;
    Err err = {0};
    Weights weights;
    char hash[SHA256_HEX_SIZE], schema[SHA256_HEX_SIZE];
    if (weights_load(call->args[0], &weights, &err) != STATUS_OK) return command_fail(call, &err);
    weights_hash(&weights, hash);
    weights_schema_hash(schema);
    Record record;
    record_begin(&record, call->out, settings->json);
    record_text(&record, "hash", hash);
    record_text(&record, "schema", schema);
    record_end(&record);
    return 0;
}

// `separator` stands before each term.
static void format_json(const Weights *weights, const char *separator, Text *text) {
    char schema[SHA256_HEX_SIZE];
    weights_schema_hash(schema);
    text_add(text,
             "{\"schema\":\"%s\",\"unit\":\"100 = one point of the classic table\",\"terms\":{",
             schema);
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        const Score *values = weights_flat_const(weights) + weight_terms[i].first;
        text_add(text, "%s%s\"%s\":[", i ? "," : "", separator, weight_terms[i].name);
        for (int k = 0; k < weight_terms[i].count; k++) {
            text_add(text, "%s[%d,%d]", k ? "," : "", values[k].mg, values[k].eg);
        }
        text_add(text, "]");
    }
    text_add(text, "}}\n");
}

// Names and weights as data sets, the form that 'tune --rows --out FILE.h5' writes too.
static Status write_hdf5(const Weights *weights, const char *path, const char *provenance,
                         Err *err) {
    static const size_t pairs = WEIGHT_COUNT;
    if (!path) return err_set(err, STATUS_USAGE, "--to hdf5 wants --out FILE");
    SparseTerms terms = {.terms = pairs, .names = memory_alloc(pairs, sizeof *terms.names)};
    double flat[2 * WEIGHT_COUNT];
    values_flat(weights, flat);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        weight_pair_name(i, terms.names[i], sizeof terms.names[i]);
    }
    const Status status = sparse_write_weights(path, &terms, flat, NULL, provenance, err);
    sparse_terms_clear(&terms);
    return status;
}

static int run_convert(const CommandCall *call) {
    const WeightsSettings *settings = call->settings;
    Err err = {0};
    Weights weights;
    if (settings->json && settings->to != TO_JSON && command_given(call, "to")) {
        err_set(&err, STATUS_USAGE, "--json writes JSON: no other --to with it");
        return command_fail(call, &err);
    }
    if (weights_load(call->args[0], &weights, &err) != STATUS_OK) return command_fail(call, &err);
    Text text = {0}, provenance = {0};
    hash_line(&weights, call->args[0], &provenance);
    if (settings->to == TO_HDF5) {
        const Status status = write_hdf5(&weights, settings->out, text_get(&provenance), &err);
        text_clear(&provenance);
        return status == STATUS_OK ? 0 : command_fail(call, &err);
    }
    if (settings->json || settings->to == TO_JSON) {
        format_json(&weights, settings->json ? "" : "\n", &text);
    } else if (settings->to == TO_INC) {
        weights_format_inc(&weights, text_get(&provenance), &text);
    } else {
        weights_format(&weights, text_get(&provenance), &text);
    }
    text_clear(&provenance);
    return weights_deliver(call, &text);
}

static int run_heatmap(const CommandCall *call) {
    const WeightsSettings *settings = call->settings;
    Err err = {0};
    Weights weights;
    const WeightTerm *term =
        board_find_table(settings->term ? settings->term : "table_horse", &err);
    if (!term || weights_load(call->args[0], &weights, &err) != STATUS_OK)
        return command_fail(call, &err);
    Text svg = {0};
    char caption[320], hash[SHA256_HEX_SIZE];
    weights_hash(&weights, hash);
    snprintf(caption, sizeof caption, "%s of %.200s (%.12s), Red at the bottom", term->name,
             call->args[0], hash);
    term_board_svg(&weights, term, caption, &svg);
    return weights_deliver(call, &svg);
}

WEIGHTS_COMMAND(hash, "the hash of a weight set and of the terms it is for", "NAME|FILE", 1, NULL);
WEIGHTS_COMMAND(convert, "write a weight set as text, C, JSON or HDF5", "NAME|FILE", 1,
                "`make adopt WEIGHTS=FILE` makes a set the compiled default.");
WEIGHTS_COMMAND(heatmap, "draw a table of a weight set on a board, as SVG", "NAME|FILE", 1,
                "paotai weights heatmap --term table_horse --out horse.svg build/weights.txt");

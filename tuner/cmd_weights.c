// SPDX-License-Identifier: GPL-3.0-or-later
// paotai weights: show, diff, hash and convert.
#include <stdio.h>
#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/base/version.h"
#include "datasets/sparse/sparse_file.h"
#include "tuner/fit/fit_record.h"
#include "tuner/fit/term_table.h"
#include "tuner/fit/values.h"
#include "tuner/report/weight_board.h"

typedef struct WeightsSettings {
    const char *out, *term, *errors;
    int to;
    bool json;
} WeightsSettings;

#define ROW_OUT                                                                                    \
    OPT_TEXT("out", WeightsSettings, out, NULL, "FILE", "file to write, instead of standard output")
#define ROW_TERM(help) OPT_TEXT("term", WeightsSettings, term, NULL, "NAME", help)

static const OptionRow show_rows[] = {ROW_TERM("only this term"), ROW_JSON(WeightsSettings),
                                      OPTION_END};
static const OptionRow diff_rows[] = {ROW_JSON(WeightsSettings), OPTION_END};

enum { TO_TEXT, TO_INC, TO_JSON, TO_HDF5 };
static const OptionRow hash_rows[] = {ROW_JSON(WeightsSettings), OPTION_END};
static const OptionRow convert_rows[] = {
    OPT_CHOICE(
        "to", WeightsSettings, to, "text", "text|inc|json|hdf5",
        "text: a weight file; inc: C for core/eval/weights_default.inc; json; hdf5: names and "
        "weights"),
    OPT_TEXT("errors", WeightsSettings, errors, NULL, "FILE",
             "weights whose standard errors are taken, instead of the set's own"),
    OPT_FLAG("json", WeightsSettings, json, "as --to json, in one line"),
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

// "name: meaning", in lines of at most 80 columns.
static void add_heading(const WeightTerm *term, Text *text) {
    enum { WIDTH = 80 };
    size_t column = strlen(term->name) + 1, length;
    const char *cursor = term->meaning, *word;
    text_add(text, "%s:", term->name);
    while (text_next_word(&cursor, &word, &length)) {
        const bool full = column + 1 + length > WIDTH;
        text_add(text, full ? "\n  %.*s" : " %.*s", (int)length, word);
        column = full ? 2 + length : column + 1 + length;
    }
    text_add(text, "\n");
}

static void show_term(const Weights *weights, const WeightTerm *term, Text *text) {
    const Score *values = weights_flat_const(weights) + term->first;
    add_heading(term, text);
    if (term->shape != SHAPE_NONE) {
        term_board_text(weights, term, text);
    } else if (term->count == 1) {
        text_add(text, "  middlegame %d  endgame %d\n", values->mg, values->eg);
    } else {
        for (int phase = 0; phase < 2; phase++) {
            text_add(text, "  %-10s", phase ? "endgame" : "middlegame");
            for (int i = 0; i < term->count; i++) {
                if (i > 0 && i % 11 == 0) text_add(text, "\n  %-10s", "");
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
    record_add(&record, "term %s meaning %s", term->name, term->meaning);
    record_ints(&record, "middlegame", middlegame, term->count);
    record_ints(&record, "endgame", endgame, term->count);
    record_end(&record);
}

// Material by the chariot of the same phase. After a fit the tables have mean 0, so that material
// is the mean of a piece's own terms.
static void show_values(const Weights *weights, Text *text) {
    const Score *flat = weights_flat_const(weights), *chariot = weights->material_chariot;
    if (chariot->mg <= 0 || chariot->eg <= 0) return;
    text_add(text, "material by the chariot of the same phase, which is 9\n");
    text_add(text, "%-16s middlegame   endgame   classic\n", "");
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        const WeightTerm *term = &weight_terms[i];
        if (term->part != TERM_MATERIAL) continue;
        text_add(text, "%-16s %10.2f%10.2f%10.2f\n", weight_group_name(term->group),
                 9.0 * flat[term->first].mg / chariot->mg, 9.0 * flat[term->first].eg / chariot->eg,
                 term->classic / 100.0);
    }
    text_add(text, "\n");
}

static Status no_such_term(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    return err_set(err, STATUS_USAGE, "--term: no term '%s'; without --term all are shown",
                   settings->term);
}

// The file is no set of our weights, as *err says: a table of others?
static Status show_table(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    AUTO(TermTable) table = {0};
    Err fault = {0};
    const Status status = term_table_read(call->args[0], &table, &fault);
    if (status == STATUS_BAD_INPUT) *err = fault;
    if (status != STATUS_OK) return err->status;
    return term_table_print(&table, settings->term, settings->json, call->out)
               ? STATUS_OK
               : no_such_term(call, err);
}

static Status run_show(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    Weights weights;
    if (weights_load(call->args[0], &weights, err) != STATUS_OK) return show_table(call, err);
    AUTO(Text) text = {0};
    bool found = false;
    if (!settings->term && !settings->json) show_values(&weights, &text);
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
    return found ? weights_deliver(call, &text, err) : no_such_term(call, err);
}

// ---- diff ---------------------------------------------------------------------------------------

static Status run_diff(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    Weights a, b;
    TRY(weights_load(call->args[0], &a, err));
    TRY(weights_load(call->args[1], &b, err));
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
        Record record;
        record_begin(&record, call->out, true);
        record_add(&record, "term %s index %d", term->name, i - term->first);
        record_ints(&record, "a", (const long long[]){x.mg, x.eg}, 2);
        record_ints(&record, "b", (const long long[]){y.mg, y.eg}, 2);
        record_end(&record);
    }
    record_print(call->out, settings->json, "different %lld", different);
    return STATUS_OK;
}

WEIGHTS_COMMAND(
    show, "print a weight set, tables as boards", "NAME|FILE", 1,
    "FILE may also be a table or HDF5 that tune --rows wrote of another evaluation's terms. The "
    "values at the beginning are of a piece's own terms: what an advisor or elephant takes from "
    "enemy chariots, cannons, horses and crossed soldiers stands in their guards_ terms, and its "
    "own value in the endgame may well be 0.\n\n"
    "paotai weights show classic\npaotai weights show --term table_horse build/weights.txt");
WEIGHTS_COMMAND(
    diff, "list the differences of two weight sets", "NAME|FILE NAME|FILE", 2,
    "Lines: term[entry], middlegame and endgame of the first, of the second, difference.");

// ---- hash, convert ------------------------------------------------------------------------------

static void hash_line(const Weights *weights, const char *name, Text *text) {
    char hash[SHA256_HEX_SIZE];
    weights_hash(weights, hash);
    text_add(text, "from %s\nhash %s\nconverted by paotai %s %s\n", name, hash, PAOTAI_VERSION,
             version_revision());
}

static Status run_hash(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    Weights weights;
    char hash[SHA256_HEX_SIZE], schema[SHA256_HEX_SIZE];
    TRY(weights_load(call->args[0], &weights, err));
    weights_hash(&weights, hash);
    weights_schema_hash(schema);
    record_print(call->out, settings->json, "hash %s schema %s", hash, schema);
    return STATUS_OK;
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
    AUTO(SparseTerms) terms = {.terms = pairs, .names = memory_alloc(pairs, sizeof *terms.names)};
    double flat[2 * WEIGHT_COUNT];
    values_flat(weights, flat);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        weight_pair_name(i, terms.names[i], sizeof terms.names[i]);
    }
    return sparse_write_weights(path, &terms, flat, NULL, provenance, err);
}

static Status run_convert(const CommandCall *call, Err *err) {
    const WeightsSettings *settings = call->settings;
    Weights weights;
    if (settings->json && settings->to != TO_JSON && command_given(call, "to")) {
        return err_set(err, STATUS_USAGE, "--json writes JSON: no other --to with it");
    }
    TRY(weights_load(call->args[0], &weights, err));
    const char *errors = settings->errors ? settings->errors : call->args[0];
    double se[2 * WEIGHT_COUNT];
    TRY(fit_record_load_se(errors, se, err));
    AUTO(Text) text = {0}, provenance = {0};
    hash_line(&weights, call->args[0], &provenance);
    text_add(&provenance, "errors from %s\n", errors);
    if (settings->to == TO_HDF5) {
        return write_hdf5(&weights, settings->out, provenance.data, err);
    }
    if (settings->json || settings->to == TO_JSON) {
        format_json(&weights, settings->json ? "" : "\n", &text);
    } else if (settings->to == TO_INC) {
        weights_format_inc(&weights, se, text_get(&provenance), &text);
    } else {
        fit_record_format_se(se, &provenance);
        weights_format(&weights, text_get(&provenance), &text);
    }
    return weights_deliver(call, &text, err);
}

WEIGHTS_COMMAND(hash, "print the hash of a weight set and of its terms", "NAME|FILE", 1, NULL);
WEIGHTS_COMMAND(
    convert, "write a weight set as text, C, JSON or HDF5", "NAME|FILE", 1,
    "`make adopt WEIGHTS=FILE` makes a set the compiled default; with ERRORS=FILE the standard "
    "errors are those of another fit.");

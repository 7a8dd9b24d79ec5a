// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/term_table.h"

#include <math.h>
#include <string.h>

#include "core/base/json.h"
#include "core/eval/weights.h"
#include "core/system/out_file.h"
#include "selfplay/stats/stats.h"
#include "tuner/fit/term_header.h"

// Column headers of the weights, for terms with and without phases.
static const char *const phased[] = {"middlegame", "endgame"}, *const plain[] = {"value"};

static const char *const *column_names(const TermTable *table, int *count) {
    *count = table->terms->phased ? 2 : 1;
    return table->terms->phased ? phased : plain;
}

// Appends the table as text.
static void format_table(const TermTable *table, const char *provenance, Text *text) {
    const bool traced = table->terms->unit != NULL;
    weights_format_comment(provenance, text);
    text_add(text, "# se: standard errors\n%s\n",
             table->terms->phased || traced ? "term\tmg\tmg_se\teg\teg_se" : "term\tvalue\tse");
    for (size_t i = 0; i < table->terms->terms; i++) {
        text_add(text, "%s", table->terms->names[i]);
        // A traced term without phases has one value, which stands in both columns.
        for (int k = 0; k < (table->terms->phased || traced ? 2 : 1); k++) {
            const int from = table->terms->phased ? k : 0;
            text_add(text, traced ? "\t%.9g\t%.6f" : "\t%.6f\t%.6f", table->weights[i][from],
                     table->errors[i][from]);
        }
        text_add(text, "\n");
    }
    for (size_t i = 0; i < table->terms->terms; i++) {
        if (!*table->notes[i]) continue;
        text_add(text, "# note\t%s\t%s\n", table->terms->names[i], table->notes[i]);
    }
}

Status term_table_write(const TermTable *table, const char *path, const char *provenance,
                        Err *err) {
    AUTO(Text) text = {0};
    if (text_ends_in(path, ".h5")) {
        return sparse_write_weights(path, table->terms, table->weights[0], table->errors[0],
                                    provenance, err);
    }
    if (text_ends_in(path, ".h")) {
        term_header_format(table, provenance, &text);
    } else {
        format_table(table, provenance, &text);
    }
    return text_write_file(path, text_get(&text), text.length, err);
}

// ---- printing -----------------------------------------------------------------------------------

static void print_json(const TermTable *table, size_t i, FILE *out) {
    int count;
    const char *const *names = column_names(table, &count);
    Record record;
    record_begin(&record, out, true);
    record_add(&record, "term %s", table->terms->names[i]);
    for (int k = 0; k < count; k++) {
        const double se = table->errors[i][k] > 0 ? table->errors[i][k] : NAN;
        record_add(&record, "%s %.17g %s_se %.17g %s_error95 %.17g", names[k], table->weights[i][k],
                   names[k], se, names[k], Z95 * se);
    }
    if (*table->notes[i]) record_add(&record, "note %s", table->notes[i]);
    record_end(&record);
}

void term_table_print(const TermTable *table, bool json, FILE *out) {
    int count;
    const char *const *names = column_names(table, &count);
    if (!json) fprintf(out, "%-32s", "term");
    for (int k = 0; k < count && !json; k++) fprintf(out, " %12s          95 %%", names[k]);
    if (!json) fprintf(out, "\n");
    for (size_t i = 0; i < table->terms->terms; i++) {
        if (json) {
            print_json(table, i, out);
            continue;
        }
        fprintf(out, "%-32s", table->terms->names[i]);
        for (int k = 0; k < count; k++) {
            const double error = table->errors[i][k];
            fprintf(out, " %12.3f ", table->weights[i][k]);
            if (error > 0) {
                fprintf(out, "+- %10.3f", Z95 * error);
            } else {
                fprintf(out, "%13s", "");
            }
        }
        fprintf(out, "%s%s\n", *table->notes[i] ? "  " : "", table->notes[i]);
    }
}

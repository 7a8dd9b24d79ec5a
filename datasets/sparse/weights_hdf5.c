// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/sparse/weights_hdf5.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/sparse/sparse_file.h"

Status weights_write_hdf5(const Weights *weights, const double *errors, const char *path,
                          const char *provenance, Err *err) {
    AUTO(SparseTerms)
    terms = {.terms = WEIGHT_COUNT,
             .phased = true,
             .names = memory_alloc(WEIGHT_COUNT, sizeof *terms.names)};
    double values[2 * WEIGHT_COUNT], known[2 * WEIGHT_COUNT];
    bool any = false;
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        weight_pair_name(i, terms.names[i], sizeof terms.names[i]);
        values[2 * i] = weights_flat_const(weights)[i].mg;
        values[2 * i + 1] = weights_flat_const(weights)[i].eg;
    }
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        known[i] = errors && errors[i] > 0 ? errors[i] : 0;
        any = any || known[i] > 0;
    }
    return sparse_write_weights(path, &terms, values, any ? known : NULL, provenance, err);
}

// Splits a name such as "table_horse[12]". Returns the length of the name before the bracket. Sets
// *index to the number in brackets, or to -1 if the name has no such number at its end.
static size_t split_name(const char *name, long *index) {
    const size_t length = strcspn(name, "[");
    char *end;
    *index = name[length] ? strtol(name + length + 1, &end, 10) : -1;
    if (*index >= 0 && strcmp(end, "]") != 0) *index = -1;
    return length;
}

Status weights_read_hdf5(const char *path, char **text, Err *err) {
    AUTO(SparseTerms) terms;
    AUTO_FREE double(*weights)[2] = NULL;
    AUTO_FREE char *provenance = NULL;
    AUTO(Text) lines = {0};
    bool rounded = false;
    TRY(sparse_read_weights(path, &terms, &weights, &provenance, err));
    weights_format_comment(provenance, &lines);
    long expected = -1;
    for (size_t i = 0; i < terms.terms; i++) {
        long index;
        const size_t length = split_name(terms.names[i], &index);
        if (index < 0 || (index > 0 && index != expected)) {
            return err_set(err, STATUS_BAD_INPUT,
                           "%s: name number %zu is '%s', but names need the form TERM[INDEX], with "
                           "the indices 0, 1, 2 ... of each term",
                           path, i, terms.names[i]);
        }
        if (index == 0) text_add(&lines, "\n%.*s", (int)length, terms.names[i]);
        for (int k = 0; k < 2; k++) {
            const double whole = round(weights[i][k]);
            rounded = rounded || whole != weights[i][k];
            text_add(&lines, " %.0f", whole + 0.0);
        }
        expected = index + 1;
    }
    text_add(&lines, "\n");
    if (rounded) err_note(err, "%s: its weights are rounded to whole units", path);
    *text = TAKE(lines.data);
    return STATUS_OK;
}

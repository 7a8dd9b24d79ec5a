// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/select.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"

// Applies one pattern; how many weights it named.
static int apply(const char *pattern, bool value, bool *chosen) {
    int named = 0;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightTerm *term = &weight_terms[t];
        for (int phase = 0; phase < 2; phase++) {
            char name[80];
            snprintf(name, sizeof name, "%s.%s", term->name, phase ? "eg" : "mg");
            if (fnmatch(pattern, term->name, 0) != 0 && fnmatch(pattern, name, 0) != 0) continue;
            for (int i = 0; i < term->count; i++) chosen[2 * (term->first + i) + phase] = value;
            named += term->count;
        }
    }
    return named;
}

// Applies one pattern to other people's names.
static int apply_names(const char *pattern, const SparseTerms *terms, bool value, bool *chosen) {
    int named = 0;
    for (size_t i = 0; i < 2 * terms->terms; i++) {
        char name[SPARSE_NAME_SIZE + 4];
        const char *plain = terms->names[i / 2];
        snprintf(name, sizeof name, "%s.%s", plain, i % 2 ? "eg" : "mg");
        // A name may hold brackets, which mean something in a pattern.
        if (strcmp(pattern, plain) != 0 && strcmp(pattern, name) != 0 &&
            fnmatch(pattern, plain, 0) != 0 && fnmatch(pattern, name, 0) != 0) {
            continue;
        }
        chosen[i] = value;
        named++;
    }
    return named;
}

Status select_names(const char *patterns, const SparseTerms *terms, bool value, bool *chosen,
                    Err *err) {
    char *copy = memory_copy_text(patterns), *cursor = copy;
    Status status = STATUS_OK;
    for (const char *pattern; status == STATUS_OK && (pattern = text_next_field(&cursor, ','));) {
        if (apply_names(pattern, terms, value, chosen) > 0) continue;
        status = err_set(err, STATUS_USAGE, "no term of the file is called '%s'", pattern);
    }
    free(copy);
    return status;
}

Status select_weights(const char *patterns, bool value, bool *chosen, Err *err) {
    char *copy = memory_copy_text(patterns), *cursor = copy;
    Status status = STATUS_OK;
    for (const char *pattern; status == STATUS_OK && (pattern = text_next_field(&cursor, ','));) {
        if (apply(pattern, value, chosen) > 0) continue;
        status =
            err_set(err, STATUS_USAGE,
                    "no term is called '%s'; 'paotai weights show classic' lists them", pattern);
    }
    free(copy);
    return status;
}

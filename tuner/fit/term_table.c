// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/term_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/eval/weights.h"
#include "selfplay/stats/stats.h"
#include "tuner/fit/fit_record.h"

static const char note_mark[] = "# note\t";

// Names of the columns of weights.
static const char *const phased[] = {"middlegame", "endgame"}, *const plain[] = {"value"};

static const char *const *column_names(const TermTable *table, int *count) {
    *count = table->terms.phased ? 2 : 1;
    return table->terms.phased ? phased : plain;
}

// ---- reading and writing ------------------------------------------------------------------------

void term_table_clear(TermTable *table) {
    sparse_terms_clear(&table->terms);
    free(table->weights);
    free(table->errors);
    free(table->notes);
    *table = (TermTable){.weights = NULL};
}

static bool is_head(const char *line, const char *const *names, int count) {
    AUTO(Text) head = {0};
    text_add(&head, "term");
    for (int i = 0; i < count; i++) text_add(&head, "\t%s\tse", names[i]);
    return strcmp(line, text_get(&head)) == 0;
}

// A line: the name, then each weight and its error.
static Status read_line(char *line, int columns, TermTable *table, size_t *capacity, Err *err) {
    const size_t i = table->terms.terms++;
    if (i == *capacity) {
        *capacity = memory_grow(*capacity, i + 1);
        table->terms.names = memory_resize(table->terms.names, *capacity, SPARSE_NAME_SIZE);
        table->weights = memory_resize(table->weights, *capacity, sizeof *table->weights);
        table->errors = memory_resize(table->errors, *capacity, sizeof *table->errors);
        table->notes = memory_resize(table->notes, *capacity, sizeof *table->notes);
    }
    table->notes[i][0] = '\0';
    char *cursor = line;
    snprintf(table->terms.names[i], SPARSE_NAME_SIZE, "%s", text_next_field(&cursor, '\t'));
    for (int k = 0; k < 2; k++) {
        double *const numbers[] = {&table->weights[i][k], &table->errors[i][k]};
        for (int n = 0; n < 2; n++) {
            *numbers[n] = 0;
            if (k >= columns) continue;
            const char *field = text_next_field(&cursor, '\t');
            TRY(parse_real(field ? field : "", -1e300, 1e300, numbers[n], "a weight", err));
        }
    }
    return STATUS_OK;
}

// A comment: it may say what the errors assume, or be a note of one of the terms so far,
// from *next on, as they come in order.
static void read_comment(const char *line, TermTable *table, size_t *next) {
    static const char condition[] = "# " FIT_CONDITION;
    if (strncmp(line, condition, sizeof condition - 1) == 0) {
        snprintf(table->condition, sizeof table->condition, "%s", line + sizeof condition - 1);
    }
    if (strncmp(line, note_mark, sizeof note_mark - 1) != 0) return;
    const char *name = line + sizeof note_mark - 1;
    const size_t length = strcspn(name, "\t");
    for (size_t i = *next; i < table->terms.terms && name[length]; i++) {
        const char *term = table->terms.names[i];
        if (strlen(term) != length || memcmp(term, name, length) != 0) continue;
        snprintf(table->notes[i], TERM_NOTE_SIZE, "%s", name + length + 1);
        *next = i + 1;
        return;
    }
}

// Goes on to the next line that is neither blank nor a comment.
static bool next_record(LineReader *reader, TermTable *table, size_t *noted) {
    while (line_reader_next(reader)) {
        const char *line = reader->line;
        if (*line == '#') {
            read_comment(line, table, noted);
        } else if (line[strspn(line, " \t\r")] != '\0') {
            return true;
        }
    }
    return false;
}

static Status read_text(const char *path, TermTable *table, Err *err) {
    LineReader reader;
    size_t capacity = 0, noted = 0;
    Status status = STATUS_OK;
    TRY(line_reader_open(&reader, path, err));
    if (!next_record(&reader, table, &noted)) {
        status = STATUS_NOT_FOUND;
    } else if (is_head(reader.line, phased, 2)) {
        table->terms.phased = true;
    } else if (!is_head(reader.line, plain, 1)) {
        status = STATUS_NOT_FOUND;
    }
    if (status != STATUS_OK) err_set(err, status, "%s: no table of terms", path);
    while (status == STATUS_OK && next_record(&reader, table, &noted)) {
        status = read_line(reader.line, table->terms.phased ? 2 : 1, table, &capacity, err);
        if (status != STATUS_OK) err_prefix(err, "%s:%zu", path, reader.number);
    }
    line_reader_close(&reader, NULL);
    return status;
}

Status term_table_read(const char *path, TermTable *table, Err *err) {
    *table = (TermTable){.weights = NULL};
    Status status = sparse_read_weights(path, &table->terms, &table->weights, &table->errors, err);
    if (status != STATUS_NOT_FOUND) return status;
    term_table_clear(table);
    return read_text(path, table, err);
}

Status term_table_write(const TermTable *table, const char *path, const char *provenance,
                        Err *err) {
    const size_t length = strlen(path);
    if (length > 3 && strcmp(path + length - 3, ".h5") == 0) {
        return sparse_write_weights(path, &table->terms, table->weights[0], table->errors[0],
                                    provenance, err);
    }
    int count;
    const char *const *names = column_names(table, &count);
    AUTO(Text) text = {0};
    weights_format_comment(provenance, &text);
    text_add(&text, "# se: standard errors\nterm");
    for (int k = 0; k < count; k++) text_add(&text, "\t%s\tse", names[k]);
    text_add(&text, "\n");
    for (size_t i = 0; i < table->terms.terms; i++) {
        text_add(&text, "%s", table->terms.names[i]);
        for (int k = 0; k < count; k++) {
            text_add(&text, "\t%.6f\t%.6f", table->weights[i][k], table->errors[i][k]);
        }
        text_add(&text, "\n");
    }
    for (size_t i = 0; i < table->terms.terms && table->notes; i++) {
        if (!*table->notes[i]) continue;
        text_add(&text, "%s%s\t%s\n", note_mark, table->terms.names[i], table->notes[i]);
    }
    return text_write_file(path, text_get(&text), text.length, err);
}

// ---- printing -----------------------------------------------------------------------------------

static void print_json(const TermTable *table, size_t i, const char *note, FILE *out) {
    int count;
    const char *const *names = column_names(table, &count);
    Record record;
    record_begin(&record, out, true);
    record_add(&record, "term %s", table->terms.names[i]);
    for (int k = 0; k < count; k++) {
        record_add(&record, "%s %.17g", names[k], table->weights[i][k]);
        if (!table->errors) continue;
        const double se = table->errors[i][k];
        record_add(&record, "%s_se %.17g %s_error95 %.17g", names[k], se, names[k], Z95 * se);
    }
    if (*note) record_add(&record, "note %s", note);
    record_end(&record);
}

size_t term_table_print(const TermTable *table, const char *only, bool json, FILE *out) {
    int count;
    size_t printed = 0;
    const char *const *names = column_names(table, &count);
    if (!json) fprintf(out, "%-32s", "term");
    for (int k = 0; k < count && !json; k++) {
        fprintf(out, " %12s%s", names[k], table->errors ? "          95 %" : "");
    }
    if (!json) fprintf(out, "\n");
    for (size_t i = 0; i < table->terms.terms; i++) {
        const char *note = table->notes ? table->notes[i] : "";
        if (only && strcmp(only, table->terms.names[i]) != 0) continue;
        printed++;
        if (json) {
            print_json(table, i, note, out);
            continue;
        }
        fprintf(out, "%-32s", table->terms.names[i]);
        for (int k = 0; k < count; k++) {
            fprintf(out, " %12.3f", table->weights[i][k]);
            if (table->errors) fprintf(out, " +- %10.3f", Z95 * table->errors[i][k]);
        }
        fprintf(out, "%s%s\n", *note ? "  " : "", note);
    }
    if (*table->condition && printed) {
        record_print(out, json, FIT_CONDITION "%s", table->condition);
    }
    return printed;
}

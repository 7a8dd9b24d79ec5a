// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/fit_record.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"

// ---- writing ------------------------------------------------------------------------------------

static void format_weights(const char *word, const double *values, int decimals, Text *text) {
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const WeightTerm *term = &weight_terms[t];
        text_add(text, "%s %s", word, term->name);
        for (int i = 2 * term->first; i < 2 * (term->first + term->count); i++) {
            text_add(text, " %.*f", decimals, values[i]);
        }
        text_add(text, "\n");
    }
}

void fit_record_format_se(const double *se, const double *data, Text *text) {
    double known[2][2 * WEIGHT_COUNT];
    bool any = false, pulled = false;
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        any = any || se[i] > 0;
        pulled = pulled || (se[i] > 0 && se[i] != data[i]);
        known[0][i] = se[i] > 0 ? se[i] : NAN;
        known[1][i] = data[i] > 0 ? data[i] : NAN;
    }
    if (any) format_weights("se", known[0], 2, text);
    if (pulled) format_weights("se_data", known[1], 2, text);
}

void fit_record_format_pieces(const PieceTable *pieces, Text *text) {
    for (int line = 0; line < PIECE_LINES; line++) {
        char name[PIECE_NAME_SIZE];
        if (!(pieces->positions[line] > 0)) continue;
        piece_line_name(line, name);
        text_add(text, "value");
        for (int k = 0; k < STAGES; k++) text_add(text, " %.4f", pieces->value[line][k]);
        for (int k = 0; k < STAGES; k++) text_add(text, " %.4f", pieces->se[line][k]);
        text_add(text, " %.0f %s\n", pieces->positions[line], name);
    }
}

void fit_contain_describe(const bool *frozen, const FitRecord *start, bool pieces, Text *text) {
    bool any = false, kept = false;
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        any = any || frozen[i];
        kept = kept || (frozen[i] && start->error[i] > 0);
    }
    // If the start itself is a fit of some weights, its text already begins with ERRORS_OF_FIT.
    if (kept && strncmp(start->contain, ERRORS_OF_FIT, strlen(ERRORS_OF_FIT)) == 0) {
        text_add(text, "%s", start->contain);
    } else {
        text_add(text, kept ? ERRORS_OF_FIT "; of weights that were not fitted: %s" : ERRORS_OF_FIT,
                 start->contain);
    }
    if (any && pieces && !strstr(text->data, ERRORS_EXACT)) text_add(text, ERRORS_EXACT);
}

void fit_record_format(const Fit *fit, const FitErrors *errors, const FitRecord *start,
                       Text *text) {
    AUTO(Text) contain = {0};
    fit_record_format_pieces(&errors->pieces, text);
    double se[2 * WEIGHT_COUNT], data[2 * WEIGHT_COUNT], decided[2 * WEIGHT_COUNT];
    for (int i = 0; i < fit->n; i++) {
        decided[i] = fit->frozen[i] ? start->decided[i] : errors->decided[i];
        se[i] = fit->frozen[i] ? start->error[i] : errors->weight[i];
        data[i] = fit->frozen[i] ? start->error_data[i] : errors->data[i];
    }
    fit_record_format_se(se, data, text);
    fit_contain_describe(fit->frozen, start, true, &contain);
    fit_contain_format(contain.data, text);
    format_weights("start", fit->start, 0, text);
    format_weights("decided", decided, 3, text);
}

#define FIT_CONTAIN "errors_contain "

void fit_contain_format(const char *contain, Text *text) {
    if (*contain) text_add(text, FIT_CONTAIN "%s\n", contain);
}

void fit_condition_format(double times, Text *text) {
    text_add(text, FIT_CONDITION "the search's scores, taken as exact");
    if (!isnan(times)) {
        text_add(text,
                 "; the standard errors of a fit to results alone are %.1f times as large as these "
                 "(median)",
                 times);
    }
    text_add(text, "\n");
}

// ---- reading ------------------------------------------------------------------------------------

// Reads `count` numbers, which may be "nan". Returns the text after them, or NULL if one is
// missing.
static const char *read_some(const char *at, double *numbers, int count) {
    for (int i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtod(at, &end);
        if (end == at) return NULL;
        at = end;
    }
    return at;
}

// Reads `count` numbers and returns true if nothing else follows them.
static bool read_numbers(const char *at, double *numbers, int count) {
    const char *behind = read_some(at, numbers, count);
    return behind && behind[strspn(behind, " \t\r")] == '\0';
}

// Reads one row of the table of piece values. `at` points behind the word "value" at the beginning
// of the line. Returns false if the line does not end with the name of a row: files of older
// versions have a number there.
static bool read_value(const char *at, FitRecord *record) {
    double n[2 * STAGES + 1];
    const char *behind = read_some(at, n, 2 * STAGES + 1);
    for (int line = 0; behind && line < PIECE_LINES; line++) {
        char name[PIECE_NAME_SIZE];
        piece_line_name(line, name);
        if (*behind != ' ' || strcmp(behind + 1, name) != 0) continue;
        memcpy(record->pieces.value[line], n, sizeof record->pieces.value[line]);
        memcpy(record->pieces.se[line], n + STAGES, sizeof record->pieces.se[line]);
        record->pieces.positions[line] = n[2 * STAGES];
        return record->has_pieces = true;
    }
    return false;
}

// Returns the number of the term whose name begins the text, WEIGHT_TERM_COUNT if there is none.
static int find_term(const char *at) {
    const size_t length = strcspn(at, " ");
    int t = 0;
    while (t < WEIGHT_TERM_COUNT && (strlen(weight_terms[t].name) != length ||
                                     strncmp(weight_terms[t].name, at, length) != 0)) {
        t++;
    }
    return t;
}

static bool read_weights(const char *at, double *values) {
    const int t = find_term(at);
    if (t == WEIGHT_TERM_COUNT) return false;
    const WeightTerm *term = &weight_terms[t];
    return read_numbers(at + strlen(term->name), values + 2 * term->first, 2 * term->count);
}

static const char *behind(const char *line, const char *word) {
    const size_t length = strlen(word);
    return strncmp(line, word, length) == 0 ? line + length : NULL;
}

static bool read_line(const char *line, FitRecord *record) {
    const char *at;
    // Skip the lines "step", which older versions of the program wrote for each iteration.
    if (behind(line, "step ")) return true;
    if ((at = behind(line, "value "))) return read_value(at, record);
    if ((at = behind(line, "start "))) return read_weights(at, record->start);
    if ((at = behind(line, "new_term "))) {
        const int t = find_term(at);
        if (t < WEIGHT_TERM_COUNT) record->new_term[t] = true;
        return t < WEIGHT_TERM_COUNT;
    }
    if ((at = behind(line, "decided "))) return read_weights(at, record->decided);
    if ((at = behind(line, FIT_CONDITION))) {
        snprintf(record->condition, sizeof record->condition, "%s", at);
        return false; // false: fit_record_parse() also adds the line to record->notes
    }
    if ((at = behind(line, FIT_CONTAIN))) {
        snprintf(record->contain, sizeof record->contain, "%s", at);
        return true;
    }
    if ((at = behind(line, "se_data "))) {
        const bool read = read_weights(at, record->error_data);
        record->has_pull = record->has_pull || read;
        return read;
    }
    if (!(at = behind(line, "se "))) return false;
    const bool read = read_weights(at, record->error);
    record->has_errors = record->has_errors || read;
    return read;
}

void fit_record_parse(const char *text, FitRecord *record) {
    *record = (FitRecord){0};
    piece_table_init(&record->pieces);
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        record->error[i] = record->error_data[i] = record->decided[i] = record->start[i] = NAN;
    }
    AUTO_FREE char *copy = memory_copy_text(text);
    char *cursor = copy, *line;
    while ((line = text_next_field(&cursor, '\n'))) {
        if (*line != '#') continue;
        line += 1 + (line[1] == ' ');
        if (!read_line(line, record)) text_add(&record->notes, "%s\n", line);
    }
    if (!record->has_pull) memcpy(record->error_data, record->error, sizeof record->error);
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) {
        // Files of older versions have 0 for unknown errors.
        if (!(record->error[i] > 0)) record->error[i] = NAN;
        if (!(record->error_data[i] > 0)) record->error_data[i] = NAN;
    }
    if (record->has_errors && !*record->contain) {
        snprintf(record->contain, sizeof record->contain, "%s", ERRORS_OF_OLD_FIT);
    }
    if (record->has_errors && !record->has_pull) {
        const size_t length = strlen(record->contain);
        snprintf(record->contain + length, sizeof record->contain - length, "%s",
                 strstr(record->contain, ERRORS_WITHOUT_PULL) ? "" : ERRORS_WITHOUT_PULL);
    }
}

Status fit_record_load(const char *name_or_path, FitRecord *record, Err *err) {
    fit_record_parse("", record);
    AUTO_FREE char *text = NULL;
    TRY(weights_read_text(name_or_path, &text, err));
    fit_record_parse(text, record);
    return STATUS_OK;
}

void fit_record_clear(FitRecord *record) {
    text_clear(&record->notes);
    *record = (FitRecord){0};
}

const char *fit_record_option(const FitRecord *record, const char *name, size_t *length) {
    const size_t name_length = strlen(name);
    for (const char *at = text_get(&record->notes); *at;) {
        const size_t line = strcspn(at, "\n");
        if (line > name_length && strncmp(at, name, name_length) == 0 && at[name_length] == '=') {
            *length = line - name_length - 1;
            return at + name_length + 1;
        }
        at += line + (at[line] == '\n');
    }
    return NULL;
}

double fit_record_number(const FitRecord *record, const char *name, double otherwise) {
    size_t length;
    const char *text = fit_record_option(record, name, &length);
    double number;
    char copy[64];
    if (!text || length >= sizeof copy) return otherwise;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return read_numbers(copy, &number, 1) ? number : otherwise;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/trace/trace_lines.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>

#include "core/base/memory.h"
#include "tuner/rows/load.h"

// ---- words
// ---------------------------------------------------------------------------------------

// Reads the next word. Returns false at the end of the line.
static bool next_word(const char **cursor, char *word, size_t size) {
    const char *at;
    size_t length;
    if (!text_next_word(cursor, &at, &length)) return false;
    snprintf(word, size, "%.*s", length < size ? (int)length : (int)size - 1, at);
    if (length >= size) strcpy(word + size - 4, "...");
    return true;
}

// Reads a finite decimal number. *end becomes the text after it.
static bool read_number(const char *text, const char **end, double *value) {
    char *after;
    const char first = *text == '-' || *text == '+' ? text[1] : *text;
    if (!isdigit((unsigned char)first) && first != '.') return false;
    *value = strtod(text, &after);
    *end = after;
    return after > text && isfinite(*value) && !memchr(text, 'x', (size_t)(after - text)) &&
           !memchr(text, 'X', (size_t)(after - text));
}

static bool next_number(const char **cursor, double *value) {
    const char *end;
    *cursor += strspn(*cursor, " \t");
    if (!read_number(*cursor, &end, value) || (*end && *end != ' ' && *end != '\t')) return false;
    *cursor = end;
    return true;
}

// Sets an error about a line, of which the message shows at most 120 bytes.
static Status refuse(const char *line, const char *why, Err *err) {
    AUTO(Text) shown = {0};
    text_add(&shown, "%.120s%s", line, strlen(line) > 120 ? " ..." : "");
    text_make_printable(shown.data);
    return err_set(err, STATUS_ENGINE, "'%s': %s", shown.data, why);
}

// Returns STATUS_ENGINE if the line is `trace error TEXT` or too long.
static Status check_line(const char *line, Err *err) {
    const size_t length = strlen(line);
    if (length > TRACE_LINE_MAX) {
        return err_set(err, STATUS_ENGINE,
                       "the engine printed a line of %zu bytes or more; a line of a trace has at "
                       "most %d bytes",
                       length, TRACE_LINE_MAX);
    }
    if (strncmp(line, "trace error", 11) != 0) return STATUS_OK;
    AUTO(Text) text = {0};
    text_add(&text, "%.300s", line + 11 + strspn(line + 11, " "));
    text_make_printable(text.data);
    return err_set(err, STATUS_ENGINE, "the engine reports an error: %s", text.data);
}

// ---- terms
// ---------------------------------------------------------------------------------------

void trace_terms_clear(TraceTerms *terms) {
    free(terms->terms);
    *terms = (TraceTerms){.phase_max = 1, .unit = 1};
}

static Status read_phase(TraceTerms *terms, const char *line, const char *cursor, Err *err) {
    char word[TRACE_WORD_SIZE];
    if (terms->phased || terms->count > 0) {
        return refuse(line, "this line may stand only once, before the first term", err);
    }
    terms->phased = true;
    if (!next_number(&cursor, &terms->phase_max) || terms->phase_max < 1 ||
        terms->phase_max > 1000000 || terms->phase_max != floor(terms->phase_max)) {
        return refuse(line, "the phase of a full middlegame must be an integer from 1 to 1000000",
                      err);
    }
    if (!next_word(&cursor, word, sizeof word)) return STATUS_OK;
    if (strcmp(word, "unit") == 0 && next_number(&cursor, &terms->unit) && terms->unit > 0 &&
        !next_word(&cursor, word, sizeof word)) {
        return STATUS_OK;
    }
    return refuse(line, "only 'unit U' with a number U above 0 may follow the phase", err);
}

// Reads the name of a term and checks its bytes.
static Status read_name(const TraceTerms *terms, const char *line, const char **cursor,
                        char name[SPARSE_NAME_SIZE], Err *err) {
    char word[SPARSE_NAME_SIZE + 1], printable[SPARSE_NAME_SIZE + 1];
    const char *at = *cursor, *begin;
    size_t length;
    if (!text_next_word(&at, &begin, &length)) return refuse(line, "the name is missing", err);
    next_word(cursor, word, sizeof word);
    strcpy(printable, word);
    text_make_printable(printable);
    if (length >= SPARSE_NAME_SIZE || strpbrk(word, ",*?") || strcmp(word, printable) != 0) {
        return refuse(line, "a name has 1 to 63 printable bytes without blank, comma, '*' and '?'",
                      err);
    }
    for (size_t i = 0; i < terms->count; i++) {
        if (strcmp(terms->terms[i].name, word) != 0) continue;
        return refuse(line, "an earlier term has the same name", err);
    }
    memset(name, 0, SPARSE_NAME_SIZE);
    memcpy(name, word, length);
    return STATUS_OK;
}

static Status read_term(TraceTerms *terms, const char *line, const char *cursor, Err *err) {
    struct TraceTerm term = {.unit = 0};
    char word[TRACE_WORD_SIZE];
    if (terms->count == SPARSE_MAX_TERMS) {
        return err_set(err, STATUS_ENGINE,
                       "the engine has more than %d terms; a fit allows no more", SPARSE_MAX_TERMS);
    }
    TRY(read_name(terms, line, &cursor, term.name, err));
    const bool first = next_number(&cursor, &term.start[0]);
    if (!first || (terms->phased && !next_number(&cursor, &term.start[1]))) {
        return refuse(line,
                      terms->phased ? "a middlegame and an endgame value must follow the name"
                                    : "a value must follow the name",
                      err);
    }
    if (!terms->phased) term.start[1] = term.start[0];
    while (next_word(&cursor, word, sizeof word)) {
        if (strcmp(word, "fixed") == 0 && !term.fixed) {
            term.fixed = true;
        } else if (strcmp(word, "unit") != 0 || term.unit > 0 ||
                   !next_number(&cursor, &term.unit) || !(term.unit > 0)) {
            return refuse(line,
                          terms->phased
                              ? "only 'fixed' and 'unit U' with a number U above 0 may follow the "
                                "values"
                              : "only 'fixed' and 'unit U' with a number U above 0 may follow the "
                                "value; without 'trace phase' a term has one value",
                          err);
        }
    }
    terms->terms =
        memory_room(terms->terms, &terms->capacity, terms->count + 1, sizeof *terms->terms);
    terms->terms[terms->count++] = term;
    return STATUS_OK;
}

// Reads `trace ok N`, and sets the units that were not printed.
static Status read_ok(TraceTerms *terms, const char *line, const char *cursor, Err *err) {
    char word[TRACE_WORD_SIZE];
    double number;
    if (!next_number(&cursor, &number) || next_word(&cursor, word, sizeof word)) {
        return refuse(line, "the number of terms must follow 'trace ok'", err);
    }
    if (number != (double)terms->count) {
        return err_set(err, STATUS_ENGINE, "'trace ok %g': the engine printed %zu terms", number,
                       terms->count);
    }
    if (terms->count == 0) {
        return err_set(err, STATUS_ENGINE, "the engine has no terms, so there is nothing to fit");
    }
    const struct TraceTerm *fraction = NULL;
    for (size_t i = 0; i < terms->count && !fraction; i++) {
        const double *start = terms->terms[i].start;
        if (start[0] != floor(start[0]) || start[1] != floor(start[1])) fraction = &terms->terms[i];
    }
    for (size_t i = 0; i < terms->count; i++) {
        struct TraceTerm *term = &terms->terms[i];
        if (!fraction && term->unit == 0) term->unit = 1;
        if (term->unit > 0) continue;
        return err_set(err, STATUS_ENGINE,
                       "'trace term %s' has no unit: it must be given for each term, because '%s' "
                       "has the value %g, which is not an integer",
                       term->name, fraction->name,
                       fraction->start[0] != floor(fraction->start[0]) ? fraction->start[0]
                                                                       : fraction->start[1]);
    }
    terms->complete = true;
    return STATUS_OK;
}

Status trace_terms_add_line(TraceTerms *terms, const char *line, Err *err) {
    char word[TRACE_WORD_SIZE];
    if (strncmp(line, "trace ", 6) != 0) return STATUS_OK;
    TRY(check_line(line, err));
    if (terms->count == 0 && !terms->phased) sha256_init(&terms->hash);
    sha256_add(&terms->hash, line, strlen(line) + 1);
    const char *cursor = line + 6;
    if (!next_word(&cursor, word, sizeof word)) word[0] = '\0';
    if (strcmp(word, "phase") == 0) return read_phase(terms, line, cursor, err);
    if (strcmp(word, "term") == 0) return read_term(terms, line, cursor, err);
    if (strcmp(word, "ok") == 0) return read_ok(terms, line, cursor, err);
    return refuse(line, "'phase', 'term', 'ok' or 'error' must follow the word 'trace'", err);
}

// ---- rows
// ----------------------------------------------------------------------------------------

void trace_row_init(TraceRow *row, size_t terms) {
    *row = (TraceRow){.index = memory_alloc(terms, sizeof *row->index),
                      .coefficient = memory_alloc(terms, sizeof *row->coefficient),
                      .seen = memory_alloc(terms, sizeof *row->seen)};
}

void trace_row_clear(TraceRow *row) {
    free(row->index);
    free(row->coefficient);
    free(row->seen);
    *row = (TraceRow){.count = 0};
}

// Adds a coefficient, such that the indices stay ascending.
static void insert(TraceRow *row, int64_t index, const double coefficient[2]) {
    size_t at = row->count++;
    for (; at > 0 && row->index[at - 1] > index; at--) {
        row->index[at] = row->index[at - 1];
        memcpy(row->coefficient[at], row->coefficient[at - 1], sizeof *row->coefficient);
    }
    row->index[at] = index;
    memcpy(row->coefficient[at], coefficient, sizeof *row->coefficient);
}

// Reads "i:c" or "i:m:e".
static Status read_entry(const TraceTerms *terms, const char *line, const char **cursor,
                         TraceRow *row, Err *err) {
    char *end;
    const char *at = *cursor;
    double coefficient[2];
    const unsigned long index = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : ULONG_MAX;
    if (index == ULONG_MAX || *end != ':' || !read_number(end + 1, &at, &coefficient[0])) {
        return refuse(line, "the number of a term, a colon and a coefficient are expected", err);
    }
    coefficient[1] = coefficient[0];
    const bool two = *at == ':';
    if (two && !read_number(at + 1, &at, &coefficient[1])) {
        return refuse(line, "a coefficient of the endgame value is not a number", err);
    }
    if (*at && *at != ' ' && *at != '\t') {
        return refuse(line, "a blank must follow each coefficient", err);
    }
    if (two && !terms->phased) {
        return refuse(line, "without 'trace phase' a term has one coefficient", err);
    }
    if (index >= terms->count) {
        return err_set(err, STATUS_ENGINE, "'trace row' has term %lu, but there are %zu terms",
                       index, terms->count);
    }
    if (row->seen[index]) {
        return err_set(err, STATUS_ENGINE, "'trace row' has term %lu ('%s') twice", index,
                       terms->terms[index].name);
    }
    row->seen[index] = true;
    insert(row, (int64_t)index, coefficient);
    row->split = row->split || coefficient[0] != coefficient[1];
    *cursor = at;
    return STATUS_OK;
}

// Reads the part of a row before the word `terms`.
static Status read_keys(const TraceTerms *terms, const char *line, const char **cursor,
                        TraceRow *row, Err *err) {
    static const char *const names[] = {"value", "phase", "offset", "factor"};
    double *const numbers[] = {&row->value, &row->phase, &row->offset, &row->factor};
    bool given[4] = {false};
    char word[TRACE_WORD_SIZE] = "";
    while (next_word(cursor, word, sizeof word) && strcmp(word, "terms") != 0) {
        int key = 0;
        while (key < 4 && strcmp(word, names[key]) != 0) key++;
        if (key == 4 || given[key] || !next_number(cursor, numbers[key])) {
            return refuse(line,
                          "'value', 'phase', 'offset' and 'factor', each once and with a number, "
                          "may stand before 'terms'",
                          err);
        }
        given[key] = true;
    }
    if (strcmp(word, "terms") != 0) return refuse(line, "the word 'terms' is missing", err);
    if (!given[0]) return refuse(line, "'value' is missing", err);
    if (given[1] != terms->phased) {
        return refuse(
            line, given[1] ? "a row has a phase only after 'trace phase'" : "'phase' is missing",
            err);
    }
    return STATUS_OK;
}

static Status read_row(const TraceTerms *terms, const char *line, const char *cursor, TraceRow *row,
                       Err *err) {
    Status status = read_keys(terms, line, &cursor, row, err);
    for (;;) {
        cursor += strspn(cursor, " \t");
        if (!*cursor || status != STATUS_OK) break;
        status = read_entry(terms, line, &cursor, row, err);
    }
    for (size_t i = 0; i < row->count; i++) row->seen[row->index[i]] = false;
    return status;
}

Status trace_row_parse(const TraceTerms *terms, const char *line, TraceRow *row, Err *err) {
    char word[TRACE_WORD_SIZE];
    const char *cursor = line + 6;
    row->count = 0;
    row->split = false;
    row->none[0] = '\0';
    row->phase = terms->phase_max;
    row->offset = 0;
    row->factor = 1;
    TRY(check_line(line, err));
    if (!next_word(&cursor, word, sizeof word)) word[0] = '\0';
    if (strcmp(word, "row") == 0) return read_row(terms, line, cursor, row, err);
    if (strcmp(word, "none") == 0 && next_word(&cursor, row->none, sizeof row->none)) {
        text_make_printable(row->none);
        return STATUS_OK;
    }
    return refuse(line, "'row', 'none WORD' or 'error TEXT' is expected", err);
}

double trace_row_sum(const TraceTerms *terms, const TraceRow *row, double *by_phase) {
    double middle = row->offset, end = row->offset;
    for (size_t i = 0; i < row->count; i++) {
        const double *start = terms->terms[row->index[i]].start;
        middle += row->coefficient[i][0] * start[0];
        end += row->coefficient[i][1] * start[1];
    }
    const double share = row->phase / terms->phase_max;
    *by_phase = row->factor * (middle - end) / terms->phase_max;
    return row->factor * (share * middle + (1 - share) * end);
}

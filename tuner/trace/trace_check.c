// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/trace/trace_check.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/system/in_file.h"
#include "tuner/fit/term_header.h"
#include "tuner/trace/trace_trial.h"

// ---- the file
// ------------------------------------------------------------------------------------

void trace_values_clear(TraceValues *values) {
    sparse_terms_clear(&values->terms);
    free(values->values);
    values->values = NULL;
}

// Reads a line of the table: a name, then value and error for one or two phases.
static Status add_line(LineReader *reader, size_t *capacity, TraceValues *values, Err *err) {
    SparseTerms *terms = &values->terms;
    char *cursor = reader->line, *fields[6] = {NULL};
    size_t room = *capacity;
    int count = 0;
    for (char *field; count < 6 && (field = text_next_field(&cursor, '\t'));) {
        fields[count++] = field;
    }
    if (strcmp(fields[0], "term") == 0) return STATUS_OK;
    if ((count != 3 && count != 5) || strlen(fields[0]) >= SPARSE_NAME_SIZE) {
        return err_set(err, STATUS_BAD_INPUT,
                       "%s:%zu: a line has a name, and a value with its standard error for one or "
                       "two phases, separated by tabs",
                       reader->name, reader->number);
    }
    terms->names = memory_room(terms->names, capacity, terms->terms + 1, sizeof *terms->names);
    values->values = memory_room(values->values, &room, terms->terms + 1, sizeof *values->values);
    double *pair = values->values[terms->terms];
    snprintf(terms->names[terms->terms++], SPARSE_NAME_SIZE, "%s", fields[0]);
    for (int k = 0; k < 2; k++) {
        const char *word = fields[k && count == 5 ? 3 : 1];
        if (parse_real(word, -1e9, 1e9, &pair[k], fields[0], err) != STATUS_OK) {
            return err_prefix(err, "%s:%zu", reader->name, reader->number);
        }
    }
    return STATUS_OK;
}

static Status read_table(const char *path, TraceValues *values, Err *err) {
    LineReader reader;
    size_t capacity = 0;
    TRY(line_reader_open(&reader, path, err));
    Status status = STATUS_OK;
    while (status == STATUS_OK && line_reader_next_record(&reader)) {
        status = add_line(&reader, &capacity, values, err);
    }
    const Status closed = line_reader_close(&reader, status == STATUS_OK ? err : NULL);
    return status == STATUS_OK ? closed : status;
}

// Reads a C header. Its arrays have the values of the engine's terms.
static Status read_header(const char *path, const Tracer *tracer, TraceValues *values, Err *err) {
    LineReader reader;
    AUTO(Text) text = {0};
    TRY(line_reader_open(&reader, path, err));
    while (line_reader_next(&reader)) text_add(&text, "%s\n", reader.line);
    TRY(line_reader_close(&reader, err));
    tracer_describe(tracer, NULL, &values->terms);
    values->values = memory_alloc(values->terms.terms, sizeof *values->values);
    if (term_header_read(&values->terms, text_get(&text), values->values, err) == STATUS_OK) {
        return STATUS_OK;
    }
    return err_prefix(err, "--check %s", path);
}

Status trace_values_read(const char *path, const Tracer *tracer, TraceValues *values, Err *err) {
    AUTO_FREE char *provenance = NULL;
    if (text_ends_in(path, ".h")) return read_header(path, tracer, values, err);
    if (text_ends_in(path, ".h5")) {
        return sparse_read_weights(path, &values->terms, &values->values, &provenance, err);
    }
    TRY(read_table(path, values, err));
    if (values->terms.terms > 0) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "%s: the file has no terms", path);
}

// ---- terms
// ---------------------------------------------------------------------------------------

enum { LINES_SHOWN = 10 };

// The differences of all terms.
typedef struct Differences {
    size_t count, exchanged;      // number of terms that differ, and of those with exchanged phases
    double ratio_low, ratio_high; // smallest and largest ratio of the engine's value to the file's
} Differences;

static double rounded(double value, double unit) {
    return round(value / unit) * unit;
}

// Compares a term with its values in the file.
static void compare_term(const struct TraceTerm *term, const double file[2], bool phased,
                         Differences *all, Text *text) {
    bool same = true;
    double wanted[2];
    for (int k = 0; k < 2; k++) {
        wanted[k] = rounded(file[phased ? k : 0], term->unit);
        same = same && fabs(wanted[k] - term->start[k]) < 0.01 * term->unit;
    }
    if (same) return;
    all->exchanged += fabs(wanted[0] - term->start[1]) < 0.01 * term->unit &&
                      fabs(wanted[1] - term->start[0]) < 0.01 * term->unit;
    for (int k = 0; k < 2; k++) {
        if (fabs(wanted[k]) < 8 * term->unit) continue;
        all->ratio_low = fmin(all->ratio_low, term->start[k] / wanted[k]);
        all->ratio_high = fmax(all->ratio_high, term->start[k] / wanted[k]);
    }
    if (all->count++ >= LINES_SHOWN) return;
    text_add(text, "%s: the engine has %.9g", term->name, term->start[0]);
    if (phased) text_add(text, " %.9g", term->start[1]);
    text_add(text, ", the file %.9g", wanted[0]);
    if (phased) text_add(text, " %.9g", wanted[1]);
    text_add(text, "\n");
}

// Appends terms that only the file has. Returns their number.
static size_t add_unknown(const TraceTerms *terms, const TraceValues *values, Text *text) {
    size_t count = 0;
    for (size_t i = 0; i < values->terms.terms; i++) {
        size_t at = 0;
        while (at < terms->count && strcmp(terms->terms[at].name, values->terms.names[i]) != 0)
            at++;
        if (at < terms->count) continue;
        if (count++ < LINES_SHOWN) {
            text_add(text, "%s: the engine does not have this term\n", values->terms.names[i]);
        }
    }
    return count;
}

size_t trace_compare_terms(Tracer *tracer, const TraceValues *values, Text *text) {
    TraceTerms *terms = &tracer->engines[0].terms;
    Differences all = {.ratio_low = INFINITY, .ratio_high = -INFINITY};
    size_t missing = 0;
    for (size_t i = 0; i < terms->count; i++) {
        struct TraceTerm *term = &terms->terms[i];
        size_t at = 0;
        while (at < values->terms.terms && strcmp(values->terms.names[at], term->name) != 0) at++;
        if (at == values->terms.terms) {
            if (missing++ < LINES_SHOWN) {
                text_add(text, "%s: the file does not have this term\n", term->name);
            }
            continue;
        }
        compare_term(term, values->values[at], terms->phased, &all, text);
        for (int k = 0; k < 2; k++) {
            term->start[k] = rounded(values->values[at][terms->phased ? k : 0], term->unit);
        }
    }
    if (all.count > LINES_SHOWN) {
        text_add(text, "%zu more terms differ\n", all.count - LINES_SHOWN);
    }
    if (all.exchanged > 0 && 2 * all.exchanged > all.count) {
        text_add(text, "middlegame and endgame values of %zu of %zu terms are exchanged\n",
                 all.exchanged, all.count);
    } else if (all.ratio_high < 1.1 * all.ratio_low && all.count > 1) {
        text_add(text, "the engine's values are about %.3g times those of the file\n",
                 (all.ratio_low + all.ratio_high) / 2);
    }
    return all.count + missing + add_unknown(terms, values, text);
}

// ---- positions ---------------------------------------------------------------------------------

// Compares positions of games with random moves from the start position.
static Status compare_random(Tracer *tracer, TraceRow *row, RowCheck *check, Err *err) {
    enum { PLIES_MOST = 90, EVERY = 5 };
    Position board, after;
    MoveList moves;
    uint64_t number = 0;
    for (uint64_t game = 1; number < TRACE_CHECK_POSITIONS; game++) {
        position_init_start(&board);
        for (uint64_t ply = 1; ply <= PLIES_MOST; ply++) {
            position_legal_moves(&board, &moves);
            if (moves.count == 0) break;
            const uint64_t chance = random_mix(game * PLIES_MOST + ply);
            position_do_move(&board, moves.moves[chance % (uint64_t)moves.count], &after);
            board = after;
            if (ply % EVERY != 0 || position_in_check(&board)) continue;
            TRY(trace_compare(&tracer->engines[0], &board, row, check, err));
            if (++number == TRACE_CHECK_POSITIONS) break;
        }
    }
    return STATUS_OK;
}

static Status compare_store(Tracer *tracer, const Store *store, uint64_t every, uint64_t *number,
                            TraceRow *row, RowCheck *check, Err *err) {
    for (size_t shard = 0; shard < store_shard_count(store); shard++) {
        AUTO_FREE PositionRecord *records = NULL;
        size_t count;
        TRY(shard_read_positions(store_shard_path(store, shard), &records, &count, err));
        for (size_t i = 0; i < count; i++) {
            Position board;
            if ((*number)++ % every != 0) continue;
            TRY(position_record_board(&records[i], &board, err));
            TRY(trace_compare(&tracer->engines[0], &board, row, check, err));
        }
    }
    return STATUS_OK;
}

Status trace_compare_positions(Tracer *tracer, const char *const *paths, int count, RowCheck *check,
                               Err *err) {
    const TraceTerms *terms = &tracer->engines[0].terms;
    AUTO(TraceRow) row = {.count = 0};
    uint64_t total = 0, number = 0;
    trace_row_init(&row, terms->count);
    row_check_init(check, terms->count, terms->unit);
    if (count == 0) return compare_random(tracer, &row, check, err);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            AUTO_POINTER(Store) store = NULL;
            TRY(store_open(paths[i], &store, err));
            const uint64_t every = total / TRACE_CHECK_POSITIONS + 1;
            if (pass == 0) total += store_position_count(store);
            if (pass == 1) TRY(compare_store(tracer, store, every, &number, &row, check, err));
        }
    }
    return STATUS_OK;
}

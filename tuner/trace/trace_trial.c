// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/trace/trace_trial.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"

enum { TRIAL_POSITIONS = 50 }; // compared positions of each term

size_t trace_unchecked(const Tracer *tracer, const RowCheck *check, bool *unchecked) {
    const TraceTerms *terms = &tracer->engines[0].terms;
    size_t count = 0;
    for (size_t i = 0; i < terms->count; i++) {
        const double *start = terms->terms[i].start;
        // If the coefficient of such a small value is wrong by one, the sum differs by at most the
        // two units that are allowed.
        const bool small = fmax(fabs(start[0]), fabs(start[1])) <= 2 * terms->unit;
        unchecked[i] = check->seen[i] < ROW_CHECK_LEAST || small;
        count += unchecked[i];
    }
    return count;
}

// Returns the step by which trial values differ from the engine's values: the mean size of values
// that are not 0, and at least 40 units of the evaluation.
static double trial_step(const TraceTerms *terms) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < terms->count; i++) {
        const double size = fabs(terms->terms[i].start[0]) + fabs(terms->terms[i].start[1]);
        sum += size / 2;
        count += size > 0;
    }
    return fmax(40 * terms->unit, fmin(count ? sum / (double)count : 0, 400 * terms->unit));
}

// Sends values to the engine, and evaluates sums with them.
static Status set(TraceEngine *engine, size_t term, const double values[2], Err *err) {
    TRY(trace_engine_set(engine, term, values, err));
    memcpy(engine->terms.terms[term].start, values, sizeof engine->terms.terms[term].start);
    return STATUS_OK;
}

// Gives each unchecked term its trial values: the middlegame value grows by one step, the endgame
// value by two, so that exchanged phases show.
static Status set_all(TraceEngine *engine, const bool *unchecked, Err *err) {
    const double step = trial_step(&engine->terms);
    for (size_t i = 0; i < engine->terms.count; i++) {
        const struct TraceTerm *term = &engine->terms.terms[i];
        double values[2];
        if (!unchecked[i]) continue;
        for (int k = 0; k < 2; k++) {
            const double more = (engine->terms.phased ? k + 1 : 1) * step;
            values[k] = term->start[k] + ceil(more / term->unit) * term->unit;
        }
        TRY(set(engine, i, values, err));
    }
    return STATUS_OK;
}

Status trace_compare(TraceEngine *engine, const Position *board, TraceRow *row, RowCheck *check,
                     Err *err) {
    char fen[FEN_SIZE];
    TRY(trace_engine_ask(engine, board, NULL, row, err));
    if (row->none[0]) return STATUS_OK;
    double by_phase;
    const double sum = trace_row_sum(&engine->terms, row, &by_phase);
    const RowChecked checked = {.value = row->value,
                                .sum = sum,
                                .by_phase = by_phase,
                                .share = row->phase / engine->terms.phase_max,
                                .factor = row->factor,
                                .count = row->count,
                                .index = row->index,
                                .coefficient = (const double(*)[2])row->coefficient};
    position_to_fen(board, FEN_UCI, fen);
    row_check_add(check, &checked, fen);
    return STATUS_OK;
}

// Returns true if a row has an unchecked term that was not compared often enough. Counts the terms
// of such a row.
static bool wanted(const bool *unchecked, size_t terms, const uint16_t *pair, const int64_t *index,
                   size_t count, uint32_t *compared) {
    bool any = false;
    for (int pass = 0; pass < 1 + any; pass++) {
        for (size_t k = 0; k < count; k++) {
            const size_t term = pair ? pair[k] : (size_t)index[k];
            if (term >= terms || !unchecked[term]) continue;
            any = any || compared[term] < TRIAL_POSITIONS;
            compared[term] += pass > 0;
        }
    }
    return any;
}

// Compares stored positions, and mismatches among them, which have no row.
static Status compare_all(TraceEngine *engine, const RowSet *rows, const RowCheck *check,
                          const bool *unchecked, RowCheck *trial, Err *err) {
    const size_t terms = engine->terms.count;
    AUTO_FREE uint32_t *compared = memory_alloc(terms, sizeof *compared);
    AUTO(TraceRow) row = {.count = 0};
    Position board;
    size_t number = 0;
    trace_row_init(&row, terms);
    for (size_t m = 0; m < check->miss_count; m++) {
        const RowMiss *miss = &check->misses[m];
        if (miss->error == 0 || !wanted(unchecked, terms, NULL, check->miss_index + miss->first,
                                        miss->count, compared)) {
            continue;
        }
        TRY(position_from_fen(&board, miss->where, err));
        TRY(trace_compare(engine, &board, &row, trial, err));
    }
    for (size_t c = 0; c < rows->chunk_count; c++) {
        const RowChunk *chunk = &rows->chunks[c];
        for (uint32_t i = 0; i < chunk->count; i++, number++) {
            const uint32_t first = chunk->begin[i];
            PositionRecord record = {.stm = chunk->side_to_move[i] > 0 ? RED : BLACK};
            if (!wanted(unchecked, terms, chunk->pair + first, NULL, chunk->begin[i + 1] - first,
                        compared)) {
                continue;
            }
            memcpy(record.squares, rows->boards[number].squares, sizeof record.squares);
            TRY(position_record_board(&record, &board, err));
            TRY(trace_compare(engine, &board, &row, trial, err));
        }
    }
    return STATUS_OK;
}

// Gives the trial values, compares, and restores the values. Returns STATUS_MISMATCH if a term that
// is not frozen does not add up.
static Status try_values(Tracer *tracer, const RowSet *rows, const RowCheck *check,
                         const SparseTerms *terms, bool *unchecked, const bool *frozen, Err *err) {
    TraceEngine *engine = &tracer->engines[0];
    const size_t n = engine->terms.count;
    AUTO(RowCheck) trial = {.terms = 0};
    AUTO_FREE double(*old)[2] = memory_alloc(n, sizeof *old);
    AUTO_FREE double(*tried)[2] = memory_alloc(terms->terms, sizeof *tried);
    AUTO_FREE bool *spared = memory_alloc(2 * n, sizeof *spared);
    SparseTerms with = BORROW(*terms);
    row_check_init(&trial, n, engine->terms.unit);
    for (size_t i = 0; i < n; i++) memcpy(old[i], engine->terms.terms[i].start, sizeof *old);
    TRY(set_all(engine, unchecked, err));
    TRY(compare_all(engine, rows, check, unchecked, &trial, err));
    for (size_t i = 0; i < n; i++) {
        memcpy(tried[i], engine->terms.terms[i].start, sizeof *tried);
        if (unchecked[i]) TRY(set(engine, i, old[i], err));
        spared[2 * i] = spared[2 * i + 1] = !unchecked[i] || (frozen[2 * i] && frozen[2 * i + 1]);
        unchecked[i] = unchecked[i] && trial.seen[i] == 0;
    }
    with.start = tried;
    if (row_check_terms(&trial, &with, spared, 1, err) == STATUS_OK) return STATUS_OK;
    return err_prefix(err, "with trial values ('trace set')");
}

Status trace_trial(Tracer *tracer, const RowSet *rows, const RowCheck *check,
                   const SparseTerms *terms, bool *unchecked, const bool *frozen, Err *err) {
    TraceEngine *engine = &tracer->engines[0];
    Err failure = {0};
    size_t probe = 0;
    while (probe < engine->terms.count && !unchecked[probe]) probe++;
    if (probe == engine->terms.count) return STATUS_OK;
    const Status status =
        trace_engine_set(engine, probe, engine->terms.terms[probe].start, &failure);
    if (status == STATUS_NOT_FOUND) return STATUS_OK;
    if (status != STATUS_OK) return err_set(err, status, "%s", failure.text);
    return try_values(tracer, rows, check, terms, unchecked, frozen, err);
}

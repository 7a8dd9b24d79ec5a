// SPDX-License-Identifier: GPL-3.0-or-later
// Loads the training positions of a fit.
#include <string.h>

#include "datasets/store/run.h"
#include "tuner/rows/load.h"
#include "tuner/rows/row_notes.h"
#include "tuner/tune/tune.h"

static Status load_rows_file(const CommandCall *call, RowSet *rows, SparseTerms *terms,
                             RowCheck *check, Err *err) {
    const TuneSettings *settings = call->settings;
    AUTO_POINTER(SparseReader) reader = NULL;
    TRY(sparse_reader_open(settings->rows, &reader, err));
    sparse_reader_set_results(reader, (SparseResult)settings->result_scale,
                              command_given(call, "result-scale"));
    TRY(rows_load_sparse(reader, settings->rows, settings->quiet ? NULL : call->err, check, rows,
                         err));
    if (!rows->names) return STATUS_OK;
    if (terms) {
        sparse_reader_take_terms(reader, terms);
        return STATUS_OK;
    }
    row_set_clear(rows);
    return err_set(
        err, STATUS_BAD_INPUT,
        "%s: the file has external terms (terms of another program), which can be fitted, "
        "but built-in weights cannot be measured on them",
        settings->rows);
}

static Status load_runs(const CommandCall *call, const char *const *dirs, int count, RowSet *rows,
                        Err *err) {
    const TuneSettings *settings = call->settings;
    const RowChoice choice = {.with_faults = settings->setup.with_faults};
    TRY(rows_load(dirs, count, &choice, settings->setup.threads, settings->quiet ? NULL : call->err,
                  rows, err));
    for (int i = 0; i < count && !settings->quiet; i++) {
        TRY(provenance_note_faults(dirs[i], call->err, err));
    }
    rows_note(rows, settings->quiet, call->err);
    return STATUS_OK;
}

// Returns an error if --lambda is given although all positions have only a result or only a search
// score.
static Status check_lambda(const CommandCall *call, const RowSet *rows, Err *err) {
    const TuneSettings *settings = call->settings;
    const double lambda = settings->setup.lambda;
    const bool results = rows->without_result < rows->count;
    const bool scores = rows->without_score < rows->count;
    if (lambda < 1 && results && !scores) {
        TRY(command_refuse(
            call, "lambda",
            "no position has a search score, so the target is the result alone; search the "
            "positions with 'paotai rescore DIR --out SCORED' and fit SCORED",
            err));
    }
    if (lambda > 0 && scores && !results) {
        TRY(command_refuse(call, "lambda",
                           "no position has a result, so the target is the search score alone",
                           err));
    }
    return STATUS_OK;
}

// Says if many results are unknown, or if no position has one of the three results: the column was
// perhaps copied from a file with another meaning.
static void say_results(const CommandCall *call, const RowSet *rows) {
    static const char *const names[] = {"lost for the first side", "drawn",
                                        "won for the first side"};
    const double unknown = (double)rows->without_result / (double)rows->count;
    uint64_t counts[3] = {0};
    for (size_t c = 0; c < rows->chunk_count; c++) {
        for (uint32_t i = 0; i < rows->chunks[c].count; i++) {
            const float result = rows->chunks[c].result[i];
            for (int k = 0; k < 3; k++) counts[k] += 2 * result == (float)k;
        }
    }
    if (rows->without_result == rows->count) return;
    if (unknown > 0.1) {
        fprintf(call->err,
                "the result of %.0f %% of the positions is unknown: check that -1 means unknown in "
                "this file (--result-scale)\n",
                100 * unknown);
    }
    for (int k = 0; k < 3; k++) {
        if (counts[k] > 0) continue;
        fprintf(call->err, "no position is from a game that was %s: check the column of results\n",
                names[k]);
    }
}

Status tune_load(const CommandCall *call, const char *const *dirs, int count, RowSet *rows,
                 SparseTerms *terms, RowCheck *check, Err *err) {
    const TuneSettings *settings = call->settings;
    TRY(settings->rows ? load_rows_file(call, rows, terms, check, err)
                       : load_runs(call, dirs, count, rows, err));
    if (settings->rows && !settings->quiet) say_results(call, rows);
    return check_lambda(call, rows, err);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Games of other people into a run directory. What cannot be read is refused by line, the rest
// kept.
#pragma once

#include "core/base/progress.h"
#include "datasets/store.h"

// Why a record is refused: IMPORT_REFUSAL(id, name).
#define IMPORT_REFUSALS(REFUSAL)                                                                   \
    REFUSAL(FIELDS, "fields")                                                                      \
    REFUSAL(RESULT, "result")                                                                      \
    REFUSAL(START, "start")                                                                        \
    REFUSAL(MOVE, "move")                                                                          \
    REFUSAL(LENGTH, "length")

typedef enum ImportRefusal {
    IMPORT_KEPT,
#define IMPORT_REFUSAL(id, name) IMPORT_##id,
    IMPORT_REFUSALS(IMPORT_REFUSAL)
#undef IMPORT_REFUSAL
        IMPORT_REFUSAL_COUNT
} ImportRefusal;

const char *import_refusal_name(ImportRefusal refusal);

// Which positions of an imported game are sampled.
typedef enum ImportSample {
    IMPORT_SAMPLE_QUIET, // not in check and the move played captures nothing
    IMPORT_SAMPLE_ALL,
    IMPORT_SAMPLE_NONE,
} ImportSample;

typedef struct ImportSpec {
    const char *path; // NULL or "-": standard input
    const char *out;  // run directory, which must hold no games
    Rules rules;      // of the referee whose ends are recorded
    ImportSample sample;
    int sample_after; // no position before so many plies; none after the referee's end either
    int shard_games;
    int threads;
    Provenance provenance;
} ImportSpec;

typedef struct ImportReport {
    uint64_t records; // game i of the run is record i of the file, from 0
    uint64_t games, plies, positions;
    uint64_t refused[IMPORT_REFUSAL_COUNT];
    uint64_t ends[END_REASON_COUNT]; // where the referee ends the games that were kept
    bool interrupted;                // Ctrl-C: what was read before is kept
} ImportReport;

// Called in the order of the file.
typedef struct ImportHooks {
    void (*refused)(void *context, size_t line, const char *why);
    void (*shard)(void *context, const char *name, OptionRange range);
    void *context;
} ImportHooks;

// Reads one line of the form below, which is changed (line[length] is a zero byte): the game, and
// its plies, which the caller frees. IMPORT_KEPT, or why not, with the reason in *err. *game is
// memory to work in.
ImportRefusal import_moves_line(const ImportSpec *spec, char *line, size_t length, Game *game,
                                GameRecord *record, PlyRecord **plies, Err *err);

// Reads games one a line: fields separated by tabs, first the result (1-0, 0-1, 1/2-1/2), last the
// moves (coordinates, separated by blanks); a field between them that looks like a FEN is the
// start.
Status import_moves(const ImportSpec *spec, const ImportHooks *hooks, Progress *progress,
                    ImportReport *report, Err *err);

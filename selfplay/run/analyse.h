// SPDX-License-Identifier: GPL-3.0-or-later
// Batches of positions, analysed in parallel: each by a search of its own that begins with an empty
// table, so that no result of our engine depends on the others or on the number of threads. Another
// program gets a new game for each.
#pragma once

#include "core/eval/eval.h"
#include "core/notation/notation.h"
#include "selfplay/run/play_options.h"

typedef struct AnalyseSpec {
    const Searcher *searcher;
    Rules rules;
    int multi_pv;     // lines of each position; of our engine
    bool static_only; // no search: our evaluation, depth 0
    bool explain;     // name the tactics
    int threads;
    NotationSystem notation; // of the moves of bm and am
} AnalyseSpec;

// One record: a line of input, and what came of it.
typedef struct Analysis {
    size_t line;   // number in the input
    char *text;    // the record, owned; parsing changes it
    Status status; // not OK: `err` says why, and nothing else is set
    Err err;
    Side stm;          // of the position analysed
    int count;         // lines found, at least 1 when the side to move has a move
    SearchLine *lines; // best first, scores from the side to move; owned
    uint64_t nodes;
    int64_t time_ns;
    bool has_parts;  // with static_only and a network: the score is the sum of these
    EvalParts parts; // from the side to move
    Text tactics;    // of the moves given and of the best line: a line of each move that has any

    // EPD records with an operation bm (best move) or am (avoid move).
    bool is_test, solved;
    char *id;         // the operation id without its quotes, owned; NULL: none
    int solved_depth; // iteration, time and nodes after which the answer was right and stayed so
    int64_t solved_time_ns;
    uint64_t solved_nodes;
} Analysis;

// Takes an analysis; false: enough.
typedef bool AnalyseSink(void *context, const Analysis *analysis);

// Analyses the records that the reader has left and hands them to the sink in their order, from the
// calling thread. With one thread each is handed on before the next is read, so that a pipe gets
// its answers at once. A record is a FEN; or a FEN, a tab and coordinate moves; or EPD (it has a
// semicolon, or the word bm or am).
void analyse_lines(const AnalyseSpec *spec, LineReader *reader, AnalyseSink *sink, void *context);

// Appends the lines of one good record as `analyse` prints them: score_red, depth, pv, separated by
// tabs; the rank of the line when several were asked for (multi_pv > 1); of a test the verdict,
// milliseconds and nodes. As JSON: an object a line, with the same names.
void analysis_text(const Analysis *analysis, int multi_pv, bool json, Text *text);

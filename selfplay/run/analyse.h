// SPDX-License-Identifier: GPL-3.0-or-later
// Analyses positions in parallel. Each search begins with an empty transposition table. So a result
// of our engine does not depend on the other positions or on the number of threads. A program gets
// a new game for each position.
#pragma once

#include "core/eval/eval.h"
#include "core/notation/notation.h"
#include "selfplay/engines/player_setup.h"

typedef struct AnalyseSpec {
    const PlayerSetup *player;
    Rules rules;
    int multi_pv;     // number of lines per position; 1 for a program
    bool static_only; // no search: the score is our static evaluation, and the depth is 0
    bool explain;     // find the tactics of the moves
    int threads;
    NotationSystem notation; // notation of the moves of bm and am
} AnalyseSpec;

// One line of the input and its result.
typedef struct Analysis {
    size_t line;   // line number in the input
    char *text;    // text of the line, owned; parsing changes it
    Status status; // if not OK, only `err` is set below
    Err err;
    Side stm;          // side to move of the position
    int count;         // number of lines, at least 1 if the side to move has a legal move
    SearchLine *lines; // [count], owned; best first, scores from the side to move
    uint64_t nodes;
    int64_t time_ns;
    bool has_parts;  // `parts` is set: static_only and a network
    EvalParts parts; // terms of the score, from the side to move
    Text tactics;    // with `explain`: one line per move that has tactics

    // Only for a test: an EPD record with an operation bm (best move) or am (avoid move).
    bool is_test, solved;
    char *id;         // operand of the operation id without its quotes, owned; may be NULL
    int solved_depth; // depth, time and nodes from which on the best move was right to the end
    int64_t solved_time_ns;
    uint64_t solved_nodes;
} Analysis;

// Receives a result. Returns false to stop.
typedef bool AnalyseSink(void *context, const Analysis *analysis);

// Analyses the remaining lines of a reader and passes the results to the sink, in order and from
// the calling thread. With one thread, each result is passed on before the next line is read, so
// that a pipe gets its answers at once. A line is a FEN, a FEN with a tab and coordinate moves, or
// EPD, which has a semicolon or the word bm or am.
void analyse_lines(const AnalyseSpec *spec, LineReader *reader, AnalyseSink *sink, void *context);

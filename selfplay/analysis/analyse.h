// SPDX-License-Identifier: GPL-3.0-or-later
// Analyses positions in parallel. Each search by our engine begins with an empty transposition
// table, so its result does not depend on the other positions or, without a limit of time, on the
// number of threads. A program gets a new game for each position.
#pragma once

#include "core/eval/eval.h"
#include "core/notation/notation.h"
#include "core/system/in_file.h"
#include "selfplay/engines/player_setup.h"

typedef struct AnalyseSpec {
    const PlayerSetup *player;
    Rules rules;
    int multi_pv;     // number of best lines per position; 1 for a program
    bool static_only; // do not search: the score is our static evaluation, and the depth is 0
    bool explain;     // find the tactics of the given moves and of the best line
    int threads;
    NotationSystem notation; // notation of the moves in the EPD operations bm and am
} AnalyseSpec;

// One line of the input and its result.
typedef struct Analysis {
    size_t line;   // line number in the input
    char *text;    // text of the line, owned by this struct; parsing modifies it
    Status status; // status of reading and analysing `text`; after a failure `err` is the error,
                   // and `count` is 0
    Err err;
    Side stm;          // side to move in the position
    bool no_side;      // the FEN does not state the side to move, so Red moves
    int count;         // number of elements of `lines`; 0 if the side to move has no legal move
    SearchLine *lines; // best lines, [count], the best line first; owned. Scores are from the point
                       // of view of the side to move
    uint64_t nodes;
    int64_t time_ns;
    bool has_parts;  // true if `parts` is set: only for a static evaluation with a network
    EvalParts parts; // linear part and network part of the static evaluation, in units, from the
                     // point of view of the side to move
    Text tactics;    // tactics of the moves, one line per move that has tactics; empty without
                     // `explain`

    char *id; // operand of the EPD operation `id` without its quotes, owned; NULL if there is none
    bool is_test; // the line is a test: an EPD record with the operation bm (best moves) or am
                  // (moves to avoid), whose position is searched
    // Result of a test, valid only if `is_test` is set. If `solved` is set, the other members are
    // the depth, time and nodes after which the search found a correct best move and kept it.
    bool solved;
    int solved_depth;
    int64_t solved_time_ns;
    uint64_t solved_nodes;
} Analysis;

// Receives the analysis of one line. Returns false to stop the analysis.
typedef bool AnalyseSink(void *context, const Analysis *analysis);

// Analyses the remaining lines of a reader and passes the results to the sink, in the order of the
// lines, from the calling thread. If spec->threads is 1, each result is passed on before the next
// line is read, so that an interactive pipe gets each answer at once. A line is a FEN, a FEN with
// coordinate moves after a tab or the word `moves`, or an EPD record. A line with a semicolon or
// the word bm or am is an EPD record. Skips blank lines and lines that begin with '#'.
void analyse_lines(const AnalyseSpec *spec, LineReader *reader, AnalyseSink *sink, void *context);

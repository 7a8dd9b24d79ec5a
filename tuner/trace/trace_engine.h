// SPDX-License-Identifier: GPL-3.0-or-later
// An engine that speaks the trace: its process, its terms, and its answers about positions.
#pragma once

#include "selfplay/engines/conversation.h"
#include "tuner/trace/trace_lines.h"

typedef struct TraceEngine {
    bool open;
    Conversation talk;
    TraceTerms terms;
    Text out;
} TraceEngine;

// Starts the engine and asks for its terms. Returns STATUS_USAGE if the spec is not a program, or
// speaks XBoard's protocol; STATUS_ENGINE if the engine fails, speaks no trace, or prints faulty
// lines. The spec is borrowed.
Status trace_engine_open(TraceEngine *engine, const PlayerSpec *spec, Err *err);
void trace_engine_close(TraceEngine *engine);
AUTO_VALUE(TraceEngine, trace_engine_close)

// Asks for the evaluation of a position. The engine is sent `position`, and the moves `moves` after
// it, which may be NULL.
Status trace_engine_ask(TraceEngine *engine, const Position *position, const MoveList *moves,
                        TraceRow *row, Err *err);

// Asks the engine to evaluate with these values of a term from now on. Returns STATUS_NOT_FOUND if
// the engine does not know `trace set`.
Status trace_engine_set(TraceEngine *engine, size_t term, const double values[2], Err *err);

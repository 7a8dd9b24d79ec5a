// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/trace/trace_engine.h"

#include <string.h>

#include "selfplay/engines/protocol.h"

enum {
    TERMS_BYTES_MAX = 4 << 20, // bytes that an engine may print as answer to `trace terms`
    ROW_BYTES_MAX = 1 << 20,   // bytes that it may print as answer to one other line
    OTHER_LINES_SHOWN = 4,
};

// ---- reading answers
// -----------------------------------------------------------------------------

static Status no_line(const TraceEngine *engine, ProcessRead got, const char *question, Err *err) {
    const char *command = engine->talk.spec->command;
    switch (got) {
    case PROCESS_TIMEOUT:
        return err_set(err, STATUS_ENGINE,
                       "'%s' did not answer '%s' within %d ms (quirk=start_ms:MS sets this time)",
                       command, question, engine->talk.quirks.start_ms);
    case PROCESS_FLOOD:
        return err_set(err, STATUS_ENGINE, "'%s' printed too much after '%s'", command, question);
    default:
        return err_set(err, STATUS_ENGINE, "'%s' failed after '%s': %s", command, question,
                       engine->talk.last_words);
    }
}

// Reads the next line of the engine.
static ProcessRead listen(TraceEngine *engine, int64_t deadline, const char **line) {
    SearchInfo info = {.has_score = false};
    Answer answer;
    return conversation_listen(&engine->talk, deadline, &info, &answer, line);
}

static bool is_ready(const char *line) {
    return strncmp(line, "readyok", 7) == 0 && !line[7 + strspn(line + 7, " \t")];
}

// Reads lines until `readyok`, so that no later answer is confused with it.
static Status await_ready(TraceEngine *engine, int64_t deadline, const char *question, Err *err) {
    for (;;) {
        const char *line;
        const ProcessRead got = listen(engine, deadline, &line);
        if (got != PROCESS_LINE) return no_line(engine, got, question, err);
        if (is_ready(line)) return STATUS_OK;
    }
}

static Status say(TraceEngine *engine, const char *lines, size_t budget, const char *question,
                  Err *err) {
    if (!engine->talk.process || !conversation_say(&engine->talk, lines)) {
        return no_line(engine, PROCESS_END, question, err);
    }
    process_set_budget(engine->talk.process, budget);
    return STATUS_OK;
}

// ---- terms
// ---------------------------------------------------------------------------------------

static Status speaks_no_trace(const TraceEngine *engine, const Text *others, Err *err) {
    return err_set(err, STATUS_ENGINE,
                   "'%s' speaks no trace: it answered 'trace terms' with '%s' instead of lines "
                   "that begin with 'trace ' and end with 'trace ok N'; tuner/README.md describes "
                   "these lines",
                   engine->talk.spec->command, others->length ? others->data : "readyok");
}

static Status read_terms(TraceEngine *engine, Err *err) {
    static const char question[] = "trace terms";
    const int64_t deadline = conversation_deadline(engine->talk.quirks.start_ms);
    AUTO(Text) others = {0};
    int shown = 0;
    TRY(say(engine, engine->talk.quirks.no_sync ? "trace terms\n" : "trace terms\nisready\n",
            TERMS_BYTES_MAX, question, err));
    while (!engine->terms.complete) {
        const char *line;
        const ProcessRead got = listen(engine, deadline, &line);
        if (got != PROCESS_LINE) return no_line(engine, got, question, err);
        if (strncmp(line, "trace ", 6) != 0 && *line && shown < OTHER_LINES_SHOWN) {
            text_add(&others, "%s%.100s", shown++ ? " | " : "", line);
            text_make_printable(others.data);
        }
        if (is_ready(line)) return speaks_no_trace(engine, &others, err);
        TRY(trace_terms_add_line(&engine->terms, line, err));
    }
    return engine->talk.quirks.no_sync ? STATUS_OK : await_ready(engine, deadline, question, err);
}

Status trace_engine_open(TraceEngine *engine, const PlayerSpec *spec, Err *err) {
    *engine = (TraceEngine){.terms = {.phase_max = 1, .unit = 1}};
    if (!spec->program) {
        return err_set(err, STATUS_USAGE,
                       "--trace: the player must be a program: cmd=...; our own engine is "
                       "cmd=paotai, or give no --trace");
    }
    if (spec->profile->protocol == PROTOCOL_CECP) {
        return err_set(err, STATUS_USAGE,
                       "--trace: XBoard's protocol has no trace; use proto=uci or proto=ucci");
    }
    TRY(conversation_open(&engine->talk, spec, err));
    engine->open = true;
    if (read_terms(engine, err) == STATUS_OK) return STATUS_OK;
    const Status status = err_prefix(err, "--trace");
    trace_engine_close(engine);
    return status;
}

void trace_engine_close(TraceEngine *engine) {
    if (engine->open) conversation_close(&engine->talk, true);
    trace_terms_clear(&engine->terms);
    text_clear(&engine->out);
    *engine = (TraceEngine){.open = false};
}

// ---- positions
// -----------------------------------------------------------------------------------

// Appends the command that sets up a position. Its FEN has six fields, with the letters that the
// engine reads.
static void add_position(TraceEngine *engine, const Position *position, const MoveList *moves) {
    const Quirks *quirks = &engine->talk.quirks;
    char fen[FEN_SIZE];
    position_to_fen(position, FEN_UCI, fen);
    for (char *at = fen; quirks->he_letters && *at && *at != ' '; at++) {
        if (*at == 'N' || *at == 'n') *at = *at == 'N' ? 'H' : 'h';
        if (*at == 'B' || *at == 'b') *at = *at == 'B' ? 'E' : 'e';
    }
    text_reset(&engine->out);
    text_add(&engine->out, "%sfen %s", quirks->cyclone ? "" : "position ", fen);
    if (moves && moves->count > 0) text_add(&engine->out, " moves");
    for (int i = 0; moves && i < moves->count; i++) {
        text_add(&engine->out, " ");
        protocol_add_move(&engine->talk, moves->moves[i], &engine->out);
    }
    text_add(&engine->out, "\ntrace eval\n");
}

Status trace_engine_ask(TraceEngine *engine, const Position *position, const MoveList *moves,
                        TraceRow *row, Err *err) {
    const int64_t deadline = conversation_deadline(engine->talk.quirks.start_ms);
    add_position(engine, position, moves);
    Status status = say(engine, engine->out.data, ROW_BYTES_MAX, "trace eval", err);
    while (status == STATUS_OK) {
        const char *line;
        const ProcessRead got = listen(engine, deadline, &line);
        if (got != PROCESS_LINE) {
            status = no_line(engine, got, "trace eval", err);
        } else if (strncmp(line, "trace ", 6) == 0) {
            status = trace_row_parse(&engine->terms, line, row, err);
            break;
        }
    }
    if (status == STATUS_OK) return status;
    engine->out.data[strcspn(engine->out.data, "\n")] = '\0';
    return err_remedy(err, "the position was sent as '%s'", engine->out.data);
}

Status trace_engine_set(TraceEngine *engine, size_t term, const double values[2], Err *err) {
    const int64_t deadline = conversation_deadline(engine->talk.quirks.start_ms);
    const bool sync = !engine->talk.quirks.no_sync;
    AUTO(Text) out = {0};
    bool known = false;
    text_add(&out, "trace set %zu %.9g", term, values[0]);
    if (engine->terms.phased) text_add(&out, " %.9g", values[1]);
    text_add(&out, sync ? "\nisready\n" : "\n");
    TRY(say(engine, out.data, ROW_BYTES_MAX, "trace set", err));
    while (sync || !known) {
        const char *line;
        const ProcessRead got = listen(engine, deadline, &line);
        if (got != PROCESS_LINE) return no_line(engine, got, "trace set", err);
        known = known || strncmp(line, "trace ok", 8) == 0;
        if (is_ready(line) || (!sync && strncmp(line, "trace error", 11) == 0)) break;
    }
    return known ? STATUS_OK
                 : err_set(err, STATUS_NOT_FOUND, "the engine does not know 'trace set'");
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/peers/compare_program.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"

static const struct {
    const char *profile, *perft, *answer;
} peers[] = {
#define COMPARE_PEER(profile, perft, answer) {profile, perft, answer},
#include "bench/peers/peers.def"
#undef COMPARE_PEER
};
enum { PEER_COUNT = sizeof peers / sizeof *peers };

enum {
    LONG_PATIENCE_MS = 600000,  // of a perft, or a search to a depth
    SEARCH_PATIENCE_MS = 20000, // beyond the time it was given
    STOP_PATIENCE_MS = 5000,
    OUTPUT_BYTES_MAX = 64 << 20, // of one measurement
};

const char *measured_peer_name(int i) {
    return i < PEER_COUNT ? peers[i].profile : NULL;
}

void measured_program_init(MeasuredProgram *program, const PlayerSpec *spec) {
    *program = (MeasuredProgram){.perft = "", .answer = ""};
    player_spec_copy(&program->spec, spec);
    int found = -1;
    for (int i = 0; i < PEER_COUNT; i++) {
        if (strcmp(peers[i].profile, spec->profile.name) == 0) found = i;
    }
    // Who speaks UCI usually counts as Stockfish does.
    if (found < 0 && spec->profile.protocol == PROTOCOL_UCI) found = 0;
    if (found < 0) return;
    program->perft = peers[found].perft;
    program->answer = peers[found].answer;
}

void measured_program_clear(MeasuredProgram *program) {
    if (program->talk.process) conversation_close(&program->talk, true);
    player_spec_clear(&program->spec);
    *program = (MeasuredProgram){0};
}

// ---- speaking ----------------------------------------------------------------------------------

static bool fail(MeasuredProgram *program, const char *doing, const char *what) {
    char ended[LAST_WORDS_SIZE];
    snprintf(ended, sizeof ended, "%s", program->talk.last_words);
    snprintf(program->note, sizeof program->note, "%s: %s", doing, ended[0] ? ended : what);
    conversation_close(&program->talk, false);
    return false;
}

// Ready for a question about the position.
static bool set_up(MeasuredProgram *program, const Position *position) {
    Conversation *talk = &program->talk;
    Err err = {0};
    if (!talk->process && conversation_open(talk, &program->spec, &err) != STATUS_OK) {
        snprintf(program->note, sizeof program->note, "%s", err.text);
        return false;
    }
    char fen[FEN_SIZE];
    PlaceValues values = {.unit = talk->unit};
    position_to_fen(position, talk->profile.fen, fen);
    place_set_text(&values, PLACE_FEN, fen);
    process_set_budget(talk->process, OUTPUT_BYTES_MAX);
    if (!conversation_say(talk, PROFILE_NEW_GAME, NULL) ||
        !conversation_say(talk, PROFILE_POSITION, &values) ||
        conversation_sync(talk, conversation_deadline(talk->profile.start_ms)) != PROCESS_LINE) {
        return fail(program, "setting a position up", "it does not answer");
    }
    return true;
}

static bool say(MeasuredProgram *program, const char *template, const PlaceValues *values) {
    Text text = {0};
    template_expand(template, values, &text);
    const bool said = conversation_say_text(&program->talk, text_get(&text), text.length);
    text_clear(&text);
    return said;
}

// The count in a line "<prefix> N ...", blanks before and behind the prefix; false: another line.
static bool read_count(const char *line, const char *prefix, uint64_t *nodes) {
    while (*line == ' ' || *line == '\t') line++;
    const size_t length = strcspn(prefix, "\n");
    if (strncmp(line, prefix, length) != 0) return false;
    line += length;
    char *end;
    const unsigned long long count = strtoull(line, &end, 10);
    if ((*line != ' ' && *line != '\t') || end == line) return false;
    *nodes = count;
    return *end == '\0' || *end == ' ' || *end == '\t';
}

// ---- perft -------------------------------------------------------------------------------------

bool measured_program_perft(MeasuredProgram *program, const Position *position, int depth,
                            uint64_t *nodes, double *seconds) {
    if (!program->perft[0] || !set_up(program, position)) return false;
    Conversation *talk = &program->talk;
    PlaceValues values = {0};
    Text prefix = {0};
    place_set_number(&values, PLACE_DEPTH, depth);
    template_expand(program->answer, &values, &prefix);
    const int64_t begun_ns = process_cpu_ns(talk->process);
    const int64_t deadline = conversation_deadline(LONG_PATIENCE_MS);
    bool told = false, running = say(program, program->perft, &values);
    while (running && !told) {
        SearchInfo info = {0};
        Answer answer;
        const char *line;
        running = conversation_listen(talk, deadline, &info, &answer, &line) == PROCESS_LINE;
        told = running && read_count(line, text_get(&prefix), nodes);
    }
    const int64_t ended_ns = told ? process_cpu_ns(talk->process) : -1;
    text_clear(&prefix);
    if (!told || begun_ns < 0 || ended_ns < begun_ns) {
        return fail(program, "perft", "no count, or no processor time");
    }
    *seconds = (double)(ended_ns - begun_ns) * 1e-9;
    return true;
}

// ---- search ------------------------------------------------------------------------------------

typedef struct Watched {
    uint64_t nodes;
    int64_t cpu_ns;
} Watched;

// Listens until it moves; *last is what it told of its nodes, and when.
static ProcessRead await_move(MeasuredProgram *program, int64_t deadline, Watched *last) {
    SearchInfo info = {0};
    for (;;) {
        Answer answer;
        const char *line;
        const ProcessRead got =
            conversation_listen(&program->talk, deadline, &info, &answer, &line);
        if (got != PROCESS_LINE) return got;
        if (info.nodes > last->nodes) {
            *last = (Watched){info.nodes, process_cpu_ns(program->talk.process)};
        }
        if (answer.kind == ANSWER_MOVE || answer.kind == ANSWER_NO_MOVE ||
            answer.kind == ANSWER_RESIGN || answer.kind == ANSWER_CLAIM) {
            return got;
        }
    }
}

bool measured_program_search(MeasuredProgram *program, const Position *position, int movetime_ms,
                             int depth, uint64_t *nodes, double *seconds) {
    if (!set_up(program, position)) return false;
    Conversation *talk = &program->talk;
    PlaceValues values = {.unit = talk->unit};
    Watched last = {0};
    if (depth > 0) {
        movetime_ms = LONG_PATIENCE_MS;
        place_set_number(&values, PLACE_DEPTH, depth);
    } else {
        place_set_number(&values, PLACE_MOVE_TIME, movetime_ms * MS_NS);
    }
    const int64_t begun_ns = process_cpu_ns(talk->process);
    if (!conversation_say(talk, PROFILE_GO, &values)) return fail(program, "search", "it is gone");
    ProcessRead got =
        await_move(program, conversation_deadline(movetime_ms + SEARCH_PATIENCE_MS), &last);
    if (got == PROCESS_TIMEOUT && conversation_say(talk, PROFILE_STOP, NULL)) {
        got = await_move(program, conversation_deadline(STOP_PATIENCE_MS), &last);
    }
    if (got != PROCESS_LINE) return fail(program, "search", "it does not end");
    if (!last.nodes || begun_ns < 0 || last.cpu_ns <= begun_ns) {
        return fail(program, "search", "it tells no nodes");
    }
    *nodes = last.nodes;
    *seconds = (double)(last.cpu_ns - begun_ns) * 1e-9;
    return true;
}

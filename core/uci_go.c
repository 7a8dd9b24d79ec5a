// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: go, what it reports, and its answer.
#include <stdlib.h>
#include <string.h>

#include "core/time_budget.h"
#include "core/uci_internal.h"

enum { MILLISECONDS_MOST = 1000000000 }; // eleven days

// ---- reading
// ---------------------------------------------------------------------------------------

typedef struct GoWord {
    const char *name;
    size_t offset; // of an int64_t in GoRequest
    int64_t min, max;
    bool is_time; // in seconds in UCCI, until milliseconds are agreed
} GoWord;

#define GO_WORD(name, member, min, max, is_time)                                                   \
    { name, offsetof(GoRequest, member), min, max, is_time }

static const GoWord go_words[] = {
    GO_WORD("depth", depth, 0, 1000, false),
    GO_WORD("nodes", nodes, 0, INT64_MAX, false),
    GO_WORD("movetime", movetime_ms, INT64_MIN, INT64_MAX, true),
    GO_WORD("mate", mate, 0, 1000, false),
    GO_WORD("wtime", time_ms[RED], INT64_MIN, INT64_MAX, true),
    GO_WORD("btime", time_ms[BLACK], INT64_MIN, INT64_MAX, true),
    GO_WORD("winc", increment_ms[RED], INT64_MIN, INT64_MAX, true),
    GO_WORD("binc", increment_ms[BLACK], INT64_MIN, INT64_MAX, true),
    GO_WORD("movestogo", moves_to_go, 0, 1000000, false),
};

// Reads the value of a word. A time that makes no sense is the nearest that does: a clock that has
// run out still wants a move.
static void read_value(Server *server, GoRequest *go, const GoWord *spec, const char *word,
                       size_t length) {
    char text[24] = "";
    if (length < sizeof text) memcpy(text, word, length);
    long long value;
    Err err = {0};
    if (parse_int(text, spec->min, spec->max, &value, spec->name, &err) != STATUS_OK) {
        server_tell(server, "go: %s ignored: '%.*s' is not a number it can have", spec->name,
                    (int)(length < 40 ? length : 40), word);
        return;
    }
    if (spec->is_time) {
        if (value < 0) value = 0;
        if (value > MILLISECONDS_MOST) value = MILLISECONDS_MOST;
    }
    const int64_t stored = value;
    memcpy((char *)go + spec->offset, &stored, sizeof stored);
}

static const GoWord *find_go_word(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof go_words / sizeof *go_words; i++) {
        if (strlen(go_words[i].name) == length && memcmp(go_words[i].name, word, length) == 0) {
            return &go_words[i];
        }
    }
    return NULL;
}

static void read_go(Server *server, const char *rest, GoRequest *go) {
    *go = (GoRequest){.movetime_ms = TIME_NONE, .time_ms = {TIME_NONE, TIME_NONE}};
    const char *word;
    size_t length;
    while (text_next_word(&rest, &word, &length)) {
        const GoWord *spec = find_go_word(word, length);
        const char *value;
        size_t value_length;
        if (length == 8 && memcmp(word, "infinite", length) == 0) {
            go->infinite = true;
        } else if (spec && text_next_word(&rest, &value, &value_length)) {
            read_value(server, go, spec, value, value_length);
        } else {
            server_tell(server, "go: '%.*s' ignored", (int)(length < 40 ? length : 40), word);
        }
    }
}

// ---- limits
// ----------------------------------------------------------------------------------------

static SearchLimits limits_of(const Server *server, const GoRequest *go) {
    SearchLimits limits = {
        .depth = (int)go->depth, .nodes = (uint64_t)go->nodes, .mate = (int)go->mate};
    const uint64_t cap = server->setup->node_cap;
    if (cap && (limits.nodes == 0 || limits.nodes > cap)) limits.nodes = cap;
    const int64_t time_ms = go->time_ms[server->game.now.stm];
    if (go->movetime_ms != TIME_NONE) {
        limits.hard_ms = go->movetime_ms > 0 ? go->movetime_ms : 1;
    } else if (time_ms != TIME_NONE && !go->infinite) {
        const Clock clock = {
            .time_ms = time_ms,
            .increment_ms = go->increment_ms[server->game.now.stm],
            .moves_to_go = go->moves_to_go,
            .overhead_ms = server->settings.move_overhead_ms,
        };
        const TimeBudget budget = time_budget(&clock);
        limits.soft_ms = budget.soft_ms;
        limits.hard_ms = budget.hard_ms;
    }
    return limits;
}

// ---- reporting
// -------------------------------------------------------------------------------------

static void add_score(Text *text, int score) {
    const int mate = score_mate_plies(score);
    if (mate) {
        text_add(text, "mate %d", mate > 0 ? (mate + 1) / 2 : mate / 2);
    } else {
        text_add(text, "cp %d", score);
    }
}

static void add_moves(Text *text, const SearchLine *line) {
    for (int i = 0; i < line->count; i++) {
        char move[5];
        move_to_uci(line->moves[i], move);
        text_add(text, " %s", move);
    }
}

void server_report(void *context, const Search *search, const SearchLine *line, int index,
                   uint64_t nodes, int64_t time_ns) {
    Server *server = context;
    Text text = {0};
    text_add(&text, "depth %d seldepth %d multipv %d score ", line->depth, line->seldepth,
             index + 1);
    add_score(&text, line->score);
    text_add(&text, " nodes %llu nps %.0f hashfull %d time %lld pv", (unsigned long long)nodes,
             (double)nodes * 1e9 / (double)(time_ns > 0 ? time_ns : 1),
             tt_full_permille(search_tt(search)), (long long)(time_ns / 1000000));
    add_moves(&text, line);
    server_say(server, "info %s", text.data);
    text_clear(&text);
}

static void answer(Server *server, const SearchResult *result) {
    char text[40] = "bestmove (none)", move[5];
    if (result->best != MOVE_NONE) {
        move_to_uci(result->best, move);
        snprintf(text, sizeof text, "bestmove %s", move);
        if (result->line.count > 1) {
            move_to_uci(result->line.moves[1], move);
            snprintf(text + strlen(text), sizeof text - strlen(text), " ponder %s", move);
        }
    } else {
        server_say(server, "info depth 0 score mate 0");
    }
    inbox_search_end(server, text);
}

void on_go(Server *server, const char *rest) {
    GoRequest go;
    read_go(server, rest, &go);
    SearchLimits limits = limits_of(server, &go);
    const bool infinite = !limits.depth && !limits.nodes && !limits.hard_ms && !limits.mate;
    inbox_search_begin(&server->inbox, server->line_number, infinite, go.ponder);
    SearchResult result;
    search_run(server->search, &server->game, &limits, &result);
    answer(server, &result);
}

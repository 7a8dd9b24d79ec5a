// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: the command `go`, its limits and its answer.
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/eval/eval.h"
#include "core/search/time_budget.h"
#include "core/uci/uci_internal.h"

// The arguments of a `go` command. Times are in milliseconds.
typedef struct GoRequest {
    int64_t depth, nodes, movetime, mate, perft;
    int64_t time[SIDE_COUNT], increment[SIDE_COUNT]; // UCI: remaining time and increment of each
                                                     // side
    int64_t own_time, own_increment;                 // UCCI: remaining time and increment of the
                                                     // side to move
    int64_t moves_to_go;
    int64_t ignored; // UCCI: the last clock value of the opponent; not used
    bool infinite, ponder, draw_offered;
    MoveList only; // legal moves after the word searchmoves; empty: all legal moves
} GoRequest;

enum { NOT_GIVEN = -1 };

// ---- reading ------------------------------------------------------------------------------------

// Unit of the number that follows a word of `go`. UNIT_COUNT is a plain number. UNIT_AGREED means
// milliseconds if the UCCI option `usemillisec` is set, otherwise seconds.
typedef enum GoUnit { UNIT_COUNT, UNIT_MS, UNIT_AGREED } GoUnit;

typedef struct GoWord {
    const char *name;
    size_t offset;    // offset of the member (an int64_t) in GoRequest
    int64_t min, max; // range of the value; a value outside is replaced by the nearest bound
    GoUnit unit;
} GoWord;

enum { TIME_MOST = 1000000000, DEPTH_MOST = 1000, PERFT_MOST = 20 };
#define GO_WORD(name, member, min, max, unit)                                                      \
    { name, offsetof(GoRequest, member), min, max, unit }

static const GoWord go_words[] = {
    GO_WORD("depth", depth, 0, DEPTH_MOST, UNIT_COUNT),
    GO_WORD("nodes", nodes, 1, INT64_MAX, UNIT_COUNT),
    GO_WORD("movetime", movetime, 1, TIME_MOST, UNIT_MS),
    GO_WORD("mate", mate, 1, DEPTH_MOST, UNIT_COUNT),
    GO_WORD("perft", perft, 1, PERFT_MOST + 1, UNIT_COUNT),
    GO_WORD("wtime", time[RED], 0, TIME_MOST, UNIT_MS),
    GO_WORD("btime", time[BLACK], 0, TIME_MOST, UNIT_MS),
    GO_WORD("winc", increment[RED], 0, TIME_MOST, UNIT_MS),
    GO_WORD("binc", increment[BLACK], 0, TIME_MOST, UNIT_MS),
    GO_WORD("movestogo", moves_to_go, 1, DEPTH_MOST, UNIT_COUNT),
    GO_WORD("time", own_time, 0, TIME_MOST, UNIT_AGREED),
    GO_WORD("increment", own_increment, 0, TIME_MOST, UNIT_AGREED),
    GO_WORD("opptime", ignored, 0, TIME_MOST, UNIT_AGREED),
    GO_WORD("oppincrement", ignored, 0, TIME_MOST, UNIT_AGREED),
    GO_WORD("oppmovestogo", ignored, 0, TIME_MOST, UNIT_COUNT),
};

// Reads the number after a word of `go`. A text that is not a number counts as the smallest allowed
// value, because a short search is better than an endless one.
static int64_t read_value(Server *server, const GoWord *spec, const char *word, size_t length) {
    char text[24] = "", *end = text;
    if (length < sizeof text) memcpy(text, word, length);
    long long value = strtoll(text, &end, 10); // on overflow strtoll() returns LLONG_MAX or
                                               // LLONG_MIN, which the last line limits
    if (end == text || *end != '\0') {
        server_tell(server, "go %s: '%.*s' is not a number; %lld is used", spec->name,
                    (int)(length < 40 ? length : 40), word, (long long)spec->min);
        return spec->min;
    }
    const bool seconds = spec->unit == UNIT_AGREED && !server->settings.milliseconds;
    if (seconds && value > 0) value = value > TIME_MOST / 1000 ? TIME_MOST : value * 1000;
    return value < spec->min ? spec->min : value > spec->max ? spec->max : value;
}

// Appends the legal moves after the word searchmoves to *only. Stops before the first word that
// does not have the form of a move. Sends a message for each move that is not legal.
static void read_search_moves(Server *server, const char **cursor, MoveList *only) {
    const char *at = *cursor, *word;
    size_t length;
    while (text_next_word(&at, &word, &length) &&
           move_scan(word, length, server->settings.first_rank) != MOVE_NONE) {
        *cursor = at;
        Move move;
        Err err = {0};
        if (move_parse_legal(&server->game.now, word, length, server->settings.first_rank, &move,
                             &err) != STATUS_OK) {
            server_tell(server, "searchmoves: %s", err.text);
        } else if (only->count < MAX_MOVES) {
            only->moves[only->count++] = move;
        }
    }
}

static void read_go(Server *server, const char *rest, GoRequest *go) {
    *go = (GoRequest){.depth = NOT_GIVEN, .time = {NOT_GIVEN, NOT_GIVEN}, .own_time = NOT_GIVEN};
    const char *word, *value;
    size_t length, value_length;
    while (text_next_word(&rest, &word, &length)) {
        const GoWord *spec = NULL;
        for (size_t i = 0; i < sizeof go_words / sizeof *go_words; i++) {
            if (text_word_is(word, length, go_words[i].name)) spec = &go_words[i];
        }
        if (text_word_is(word, length, "infinite")) {
            go->infinite = true;
        } else if (text_word_is(word, length, "ponder")) {
            go->ponder = true;
        } else if (text_word_is(word, length, "draw")) {
            go->draw_offered = true;
        } else if (text_word_is(word, length, "searchmoves")) {
            read_search_moves(server, &rest, &go->only);
        } else if (spec && take_word(&rest, "infinite")) {
            go->infinite = true; // UCCI allows "go depth infinite"
        } else if (spec && text_next_word(&rest, &value, &value_length)) {
            const int64_t number = read_value(server, spec, value, value_length);
            memcpy((char *)go + spec->offset, &number, sizeof number);
        } else {
            server_tell(server, "go: '%.*s' was ignored: the word is unknown or has no value",
                        (int)(length < 40 ? length : 40), word);
        }
    }
}

// ---- limits -------------------------------------------------------------------------------------

static void limit_time(const Server *server, const GoRequest *go, SearchLimits *limits) {
    const Side stm = (Side)server->game.now.stm;
    const bool ucci = go->own_time != NOT_GIVEN;
    const int64_t time_ms = ucci ? go->own_time : go->time[stm];
    if (go->movetime) {
        // The search may use all of `movetime`, as in other engines. The option "Move Overhead"
        // applies only to game clocks.
        limits->hard_ms = go->movetime;
    } else if (time_ms != NOT_GIVEN && !go->infinite) {
        const TimeLeft have = {
            .time_ms = time_ms,
            .increment_ms = ucci ? go->own_increment : go->increment[stm],
            .moves_to_go = go->moves_to_go,
            .overhead_ms = server->settings.move_overhead_ms,
        };
        const TimeBudget budget = time_budget(&have);
        limits->soft_ms = budget.soft_ms;
        limits->hard_ms = budget.hard_ms;
    }
}

// Returns the root moves that may be searched, or NULL if all legal moves may be searched. The
// moves are stored in *allowed: the moves after the word searchmoves or, without this word, all
// legal moves; banned moves are left out. The list is empty if all moves are banned.
static const MoveList *allowed_moves(const Server *server, const GoRequest *go, MoveList *allowed) {
    if (!go->only.count && !server->banned.count) return NULL;
    MoveList legal = go->only;
    if (!legal.count) position_legal_moves(&server->game.now, &legal);
    allowed->count = 0;
    for (int i = 0; i < legal.count; i++) {
        if (move_list_has(&server->banned, legal.moves[i])) continue;
        allowed->moves[allowed->count++] = legal.moves[i];
    }
    return allowed;
}

// Lowers the node limit of a search to at most `cap`. If `cap` is 0, does nothing.
static void cap_nodes(uint64_t cap, SearchLimits *limits) {
    if (cap && (limits->nodes == 0 || limits->nodes > cap)) limits->nodes = cap;
}

static SearchLimits limits_of(Server *server, const GoRequest *go, MoveList *allowed) {
    SearchLimits limits = {
        .depth = go->depth == NOT_GIVEN ? 0
                 : go->depth == 0       ? 1
                                        : (int)go->depth,
        .nodes = (uint64_t)go->nodes,
        .mate = (int)go->mate,
        .multi_pv = server->settings.multi_pv,
        .only = allowed_moves(server, go, allowed),
        .clock_start_ns = go->ponder ? &server->inbox.clock_start_ns : NULL,
    };
    cap_nodes(server->setup->node_cap, &limits);
    if (server->settings.limit_strength) {
        cap_nodes(strength_of_elo(server->settings.elo).nodes, &limits);
    }
    limit_time(server, go, &limits);
    return limits;
}

// ---- perft --------------------------------------------------------------------------------------

// Counts the legal move sequences of `depth` plies. Stops early when the count reaches `cap`
// (UINT64_MAX: unlimited) or Inbox.stop is set. At the root, sends a line for each move.
static uint64_t count_moves(Server *server, const Position *position, int depth, uint64_t cap,
                            bool root) {
    const bool capped = cap != UINT64_MAX;
    if (depth == 0) return 1;
    if (depth == 1 && !root) return (uint64_t)position_count_moves(position);
    if (depth == 2 && !root && !capped) return position_count_pairs(position);
    MoveList list;
    position_legal_moves(position, &list);
    uint64_t nodes = 0;
    for (int i = 0; i < list.count && nodes < cap; i++) {
        Position after;
        position_do_move(position, list.moves[i], &after);
        const uint64_t below =
            count_moves(server, &after, depth - 1, capped ? cap - nodes : cap, false);
        if ((root || depth >= 3) && atomic_load(&server->inbox.stop)) break;
        nodes += below;
        if (!root) continue;
        AUTO(Text) line = {0};
        server_add_move(server, &line, "", list.moves[i]);
        server_say(server, "%s: %llu", line.data, (unsigned long long)below);
    }
    return nodes;
}

// Returns true if a perft is expected to count at most 1e12 nodes: about a quarter of an hour at a
// billion nodes per second. The estimate assumes that positions at even plies have as many moves as
// the root, and positions at odd plies as many as the position after the root's first move.
static bool is_short_count(const Position *position, int depth) {
    MoveList list;
    Position after;
    position_legal_moves(position, &list);
    if (list.count == 0) return true;
    position_do_move(position, list.moves[0], &after);
    const int replies = position_count_moves(&after);
    double nodes = 1;
    for (int ply = 0; ply < depth; ply++) nodes *= ply % 2 ? replies : list.count;
    return nodes <= 1e12;
}

static void run_perft(Server *server, int depth) {
    const uint64_t cap = server->setup->node_cap ? server->setup->node_cap : UINT64_MAX;
    if (depth > PERFT_MOST) {
        AUTO(Text) refusal = {0};
        text_add(&refusal, "info %s go perft counts at most %d plies; nothing was counted",
                 server->dialect == DIALECT_UCCI ? "message" : "string", PERFT_MOST);
        inbox_search_end(server, refusal.data);
        return;
    }
    inbox_set_grace(&server->inbox, is_short_count(&server->game.now, depth));
    const uint64_t total = count_moves(server, &server->game.now, depth, cap, true);
    if (atomic_load(&server->inbox.stop))
        server_tell(server, "perft was stopped: the count is incomplete");
    AUTO(Text) text = {0};
    text_add(&text, "\nNodes searched: %llu\n", (unsigned long long)total);
    inbox_search_end(server, text.data);
}

// ---- go -----------------------------------------------------------------------------------------

// The engine accepts a draw offer if the absolute value of its score is at most this number of
// units.
enum { DRAW_SCORE_MOST = 20 };

static void answer(Server *server, const GoRequest *go, const SearchResult *result) {
    const bool offered = inbox_search_wait(&server->inbox) || go->draw_offered;
    AUTO(Text) text = {0};
    if (result->best == MOVE_NONE && !server->refused && server->dialect == DIALECT_UCI) {
        text_add(&text, "info depth 0 score mate 0\n");
    }
    add_best_move(&text, server, result);
    if (offered && result->best != MOVE_NONE && abs(result->line.score) <= DRAW_SCORE_MOST) {
        text_add(&text, " draw");
    }
    inbox_search_end(server, text.data);
}

// Replaces the best move by a random move, with the probability that belongs to UCI_Elo. The option
// Seed (or Server.chance if Seed is 0), the number of the game and the position determine the
// random move. With a Seed above 0 a game can be reproduced.
static void slip(const Server *server, const MoveList *allowed, SearchResult *result) {
    MoveList moves;
    const Strength strength = strength_of_elo(server->settings.elo);
    position_legal_moves(&server->game.now, &moves);
    const int given = server->settings.seed;
    const uint64_t seed = random_mix((given ? (uint64_t)given : server->chance) + server->games);
    const Move move =
        strength_slip(&strength, allowed ? allowed : &moves, server->game.now.key, seed);
    if (move == MOVE_NONE) return;
    result->best = move;
    result->line.count = 1; // removes the expected reply, so that `bestmove` gets no ponder move
}

// Answers UCCI's `go depth 0` with `nobestmove`. Sends the static evaluation before it, unless the
// side to move is in check.
static void answer_static(Server *server) {
    const Position *now = &server->game.now;
    AUTO(Text) text = {0};
    if (!position_in_check(now)) {
        const EvalParts parts = evaluate_parts(now, &server->weights, server->network);
        text_add(&text, "info depth 0 score %d\n", ucci_score(parts.linear + parts.network));
    }
    text_add(&text, "nobestmove");
    inbox_search_end(server, text.data);
}

void on_perft(Server *server, const char *rest) {
    AUTO(Text) text = {0};
    text_add(&text, "perft %s", rest[strspn(rest, " \t")] ? rest : "5");
    on_go(server, text.data);
}

void on_go(Server *server, const char *rest) {
    GoRequest go;
    MoveList allowed;
    read_go(server, rest, &go);
    const SearchLimits limits = limits_of(server, &go, &allowed);
    const bool ends = limits.depth || limits.nodes || limits.hard_ms || go.perft;
    const bool infinite = go.infinite || !(ends || limits.mate);
    if (!go.perft) server_tell_evaluation(server);
    Smp *smp = server_engine(server);
    inbox_search_begin(&server->inbox, server->line_number, infinite, infinite || !ends, go.ponder);
    if (server->refused) {
        const SearchResult none = {.best = MOVE_NONE};
        server_tell(server, "go: there is no search, because the last position was refused");
        answer(server, &go, &none);
    } else if (go.perft) {
        run_perft(server, (int)go.perft);
    } else if (go.depth == 0 && server->dialect == DIALECT_UCCI) {
        answer_static(server);
    } else {
        SearchResult result;
        server->reported_nodes = 0;
        smp_run(smp, &server->game, &limits, &result);
        // A stopped iteration sends no report, so its nodes and the final line are reported here.
        if (result.line.depth > 0 && result.nodes > server->reported_nodes) {
            server_report(server, NULL, &result.line, 0, result.nodes, result.time_ns);
        }
        if (server->settings.limit_strength) slip(server, limits.only, &result);
        answer(server, &go, &result);
    }
}

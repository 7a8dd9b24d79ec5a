// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/engine_check.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/random.h"
#include "core/rules/rules.h"
#include "selfplay/engines/node_ratios.h"
#include "selfplay/engines/protocol.h"

// Milliseconds after which an engine that has not answered a request for a move has failed.
enum { PATIENCE_MS = 15000 };

typedef enum CheckVerdict {
    CHECK_GOOD, // the engine behaves as expected
    CHECK_NOTE, // the engine deviates, but matches can still be played
    CHECK_BAD,  // the engine has a fault that loses games or makes their results wrong
} CheckVerdict;

// State of the check that is running.
typedef struct Check {
    const PlayerSpec
        *spec;            // description of the engine, with a depth limit if the user gave no limit
    CheckVerdict verdict; // worst verdict of the running check so far
    Text text;            // findings of the running check, separated by "; "
    bool cannot_start;    // the engine cannot be started, so no further checks run
} Check;

// Adds a finding to the running check, which keeps the worst verdict of its findings.
static void add_finding(Check *check, CheckVerdict verdict, const char *format, ...)
    PRINTF_LIKE(3, 4);
static void add_finding(Check *check, CheckVerdict verdict, const char *format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (verdict > check->verdict) check->verdict = verdict;
    text_add(&check->text, "%s%s", check->text.length ? "; " : "", text);
}

// ---- playing with the engine -----------------------------------------------------------------

// The engine with the search limits of one test of engine-check, and the game that it plays.
typedef struct CheckGame {
    PlayerSpec spec; // description of the engine with these limits; its strings are borrowed from
                     // Check.spec
    Player *player;
    Game game;
} CheckGame;

static void check_game_clear(CheckGame *played) {
    player_close(played->player);
    game_clear(&played->game);
}
AUTO_VALUE(CheckGame, check_game_clear)

// Starts the engine with the limits in the text `limits` ("depth=4"), or with its own limits if
// `limits` is NULL. On failure adds a finding and returns false.
static bool start_engine(Check *check, const char *limits, CheckGame *played) {
    AUTO(PlayerSpec) wanted = {.program = false};
    Err err = {0};
    Position start;
    played->spec = BORROW(*check->spec);
    if (limits && player_spec_parse(limits, "limits", &wanted, &err) == STATUS_OK) {
        played->spec.limits = wanted.limits;
    }
    position_init_start(&start);
    game_init(&played->game, &start);
    if (player_open_program(&played->spec, &played->player, &err) == STATUS_OK &&
        player_new_game(played->player, &played->spec.limits.control, &err) == STATUS_OK) {
        return true;
    }
    add_finding(check, CHECK_BAD, "%s", err.text);
    return false;
}

static void request_reply(CheckGame *played, int patience_ms, PlayerReply *reply) {
    PlayerTurn turn = {.game = &played->game, .patience_ns = patience_ms * MS_NS};
    for (int side = 0; side < SIDE_COUNT; side++) {
        clock_start(&turn.clocks[side], &played->spec.limits.control);
    }
    player_go(played->player, &turn, reply);
}

static void add_fault(Check *check, const char *where, const PlayerReply *reply) {
    add_finding(check, CHECK_BAD, "%s%s%s: %s", where, *where ? ": " : "",
                player_fault_name(reply->fault), reply->note);
}

// Requests a move. If the engine fails to move, adds a finding and returns false.
static bool request_move(Check *check, const char *where, CheckGame *played, PlayerReply *reply) {
    request_reply(played, PATIENCE_MS, reply);
    if (reply->fault) add_fault(check, where, reply);
    return !reply->fault;
}

// Sets up the position and plays the moves. Both come from constants in this file, so errors are
// not checked.
static void set_up(CheckGame *played, const char *fen, const char *moves) {
    Position start;
    position_from_fen(&start, fen, NULL);
    game_reset(&played->game, &start);
    game_push_text(&played->game, moves, 0, NULL);
}

static void check_handshake(Check *check) {
    Conversation talk;
    Err err = {0};
    const int64_t begun_ns = clock_now_ns();
    check->cannot_start = conversation_open(&talk, check->spec, &err) != STATUS_OK;
    if (check->cannot_start) {
        add_finding(check, CHECK_BAD, "%s", err.text);
        return;
    }
    const bool named = talk.engine_name[0] != '\0';
    add_finding(check, named ? CHECK_GOOD : CHECK_NOTE, "%s, profile %s, ready after %.0f ms",
                named ? talk.engine_name : "it does not report its name",
                check->spec->profile->name, (double)(clock_now_ns() - begun_ns) * 1e-6);
    if (*talk.evaluation) add_finding(check, CHECK_GOOD, "evaluation %s", talk.evaluation);
    for (const char *at = text_get(&talk.remarks); *at; at += strcspn(at, "\n") + 1) {
        add_finding(check, CHECK_NOTE, "after its options were set it printed: %.*s",
                    (int)strcspn(at, "\n"), at);
    }
    conversation_close(&talk, true);
}

// ---- check: does it understand positions? ----------------------------------------------------

// Returns true if the move of the engine would be legal with ranks counted from 1 instead of 0, or
// from 0 instead of 1. The move is the last word of `note`, the description of a fault.
static bool other_ranks_fit(const Check *check, const Position *position, const char *note) {
    char text[PLAYER_TEXT_SIZE], *word = NULL;
    snprintf(text, sizeof text, "%s", note);
    for (char *at = strtok(text, " '"); at; at = strtok(NULL, " '")) word = at;
    if (!word) return false;
    return answer_is_legal(position, move_scan(word, strlen(word), 1 - check->spec->quirks.ranks));
}

static void check_first_move(Check *check) {
    AUTO(CheckGame) played = {.player = NULL};
    PlayerReply reply;
    char move[5];
    if (!start_engine(check, NULL, &played)) return;
    request_reply(&played, PATIENCE_MS, &reply);
    if (!reply.fault && reply.resigns) {
        add_finding(check, CHECK_BAD, "it resigns in the start position");
    } else if (reply.fault) {
        add_fault(check, "", &reply);
        if (other_ranks_fit(check, &played.game.now, reply.note)) {
            add_finding(check, CHECK_BAD,
                        check->spec->quirks.ranks
                            ? "it seems to count ranks from 0: use proto=uci, or omit quirk=ranks:1"
                            : "it seems to count ranks from 1: use proto=uci1, or quirk=ranks:1");
        }
    } else {
        move_to_uci(reply.move, move);
        AUTO(Text) score = {0};
        text_add(&score, reply.info.mate ? "mate in %d plies" : "score %d",
                 reply.info.mate ? reply.info.mate : reply.info.score_cp);
        add_finding(check, CHECK_GOOD, "%s after %.0f ms, %s, depth %d, %llu nodes", move,
                    (double)reply.time_ns * 1e-6, reply.info.has_score ? score.data : "no score",
                    reply.info.depth, (unsigned long long)reply.info.nodes);
        if (!reply.info.has_score)
            add_finding(check, CHECK_NOTE,
                        "it reports no %sscore, so its games cannot be adjudicated",
                        reply.info.ends_with_bound ? "exact " : "");
        if (!reply.info.depth) add_finding(check, CHECK_NOTE, "it reports no depth");
        if (!reply.info.nodes) add_finding(check, CHECK_NOTE, "it reports no nodes");
    }
}

// Checks that the engine understands positions. In each position the side to move is in check and
// only one piece can parry the check. An engine that plays an illegal move has misread the
// position.
static void check_positions(Check *check) {
    static const struct {
        const char *what, *fen, *moves;
    } rows[] = {
        // In the first two positions the general has only one legal move.
        {"after a check", "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1", "a0a9"},
        {"after three moves", "3k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1", "a0a8 d9e9 a8a9"},
        {"horse", "3k5/9/9/9/9/9/9/1N7/7r1/r3K4 w - - 0 1", ""},
        {"elephant", "5k3/9/3r5/9/4r4/9/9/9/9/2B1K4 w - - 0 1", ""},
        {"advisor", "5k3/9/9/9/4r4/9/9/9/9/3AK4 w - - 0 1", ""},
        {"black", "R3k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AUTO(CheckGame) played = {.player = NULL};
        PlayerReply reply;
        if (!start_engine(check, NULL, &played)) return;
        set_up(&played, rows[i].fen, rows[i].moves);
        if (request_move(check, rows[i].what, &played, &reply) && reply.resigns) {
            add_finding(check, CHECK_NOTE, "%s: it resigns", rows[i].what);
        }
    }
    if (check->verdict == CHECK_GOOD)
        add_finding(check, CHECK_GOOD, "it plays a legal move in all test positions");
}

// ---- check: the sign of its scores -----------------------------------------------------------

// Numbers of searches in check_scores(), by the kind of their scores.
typedef struct ScoreKinds {
    int known;  // an exact score was read
    int bounds; // the last score is a bound
    int unread; // a score has decimals and was not read
} ScoreKinds;

// Searches a position in which the side `ahead` is two chariots up. `pieces` is the first field of
// the FEN. Returns 1 if the score favours the side `ahead`, -1 if it favours the other side, 0 if
// the score is 0 or missing. Counts the kind of the score.
static int score_sign(Check *check, const char *pieces, Side ahead, Side stm, ScoreKinds *kinds) {
    AUTO(CheckGame) played = {.player = NULL};
    PlayerReply reply;
    char fen[128];
    snprintf(fen, sizeof fen, "%s %c - - 0 1", pieces, stm == RED ? 'w' : 'b');
    if (!start_engine(check, NULL, &played)) return 0;
    set_up(&played, fen, "");
    if (!request_move(check, fen, &played, &reply)) return 0;
    kinds->known += reply.info.has_score;
    kinds->bounds += reply.info.ends_with_bound;
    kinds->unread += reply.info.unread_score;
    if (!reply.info.has_score) return 0;
    const int score = reply.info.mate ? reply.info.mate : reply.info.score_cp;
    const int sign = (score > 0) - (score < 0);
    return stm == ahead ? sign : -sign;
}

static void report_kinds(Check *check, const ScoreKinds *kinds) {
    if (kinds->bounds) {
        add_finding(
            check, CHECK_NOTE,
            "%d of 4 searches end with a bound, not with a score (lowerbound, upperbound, or "
            "! and ? in XBoard's protocol); the last exact score is stored, and %d of 4 "
            "searches have one",
            kinds->bounds, kinds->known);
    }
    if (kinds->unread) add_finding(check, CHECK_NOTE, "not read: " SCORE_UNIT_REMEDY);
}

// Checks that scores are from the point of view of the side to move: positive if this side is two
// chariots ahead, negative if this side is two chariots behind.
static void check_scores(Check *check) {
    static const char *const pieces[SIDE_COUNT] = {
        [RED] = "1nbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        [BLACK] = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABN1"};
    int right[SIDE_COUNT] = {0},
        wrong[SIDE_COUNT] = {0}; // numbers of scores that favour the stronger side (right) or
                                 // the weaker side (wrong), indexed by the side to move
    ScoreKinds kinds = {0};
    for (int ahead = RED; ahead <= BLACK; ahead++) {
        for (int stm = RED; stm <= BLACK; stm++) {
            const int sign = score_sign(check, pieces[ahead], (Side)ahead, (Side)stm, &kinds);
            right[stm] += sign > 0;
            wrong[stm] += sign < 0;
        }
    }
    if (wrong[RED] == 2 && wrong[BLACK] == 2) {
        add_finding(
            check, CHECK_BAD,
            "its scores have the wrong sign: they favour the side that is two chariots behind");
    } else if (wrong[BLACK] == 2 && right[RED] == 2) {
        add_finding(check, CHECK_BAD,
                    check->spec->quirks.red_scores
                        ? "its scores are from the point of view of the side to move: omit "
                          "quirk=red_scores"
                        : "its scores are from Red's point of view, not from that of the side to "
                          "move: add quirk=red_scores");
    } else if (right[RED] + right[BLACK] == 4) {
        add_finding(check, CHECK_GOOD,
                    "all 4 scores favour the side that is two chariots ahead, as they should");
    } else if (kinds.known == 0) {
        add_finding(check, CHECK_NOTE, "no score was read, so their sign is unknown");
    } else {
        add_finding(check, CHECK_NOTE,
                    "only %d of 4 scores favour the side that is two chariots ahead",
                    right[RED] + right[BLACK]);
    }
    report_kinds(check, &kinds);
}

// ---- check: limits of a search ---------------------------------------------------------------

// Continues the game after a first search with a node limit, and compares the numbers of
// nodes with the limit.
static void check_nodes(Check *check, CheckGame *played, const PlayerReply *first) {
    enum { SEARCHES = 10 };
    NodeRatios ratios = {.moves = 0};
    AUTO(Text) text = {0};
    PlayerReply reply = *first;
    for (int i = 1; reply.info.nodes > 0; i++) {
        node_ratios_add(&ratios, (double)reply.info.nodes / (double)played->spec.limits.nodes);
        if (i == SEARCHES) break;
        game_push(&played->game, reply.move);
        if (!request_move(check, "nodes", played, &reply)) return;
    }
    if (!node_ratios_differ(&ratios)) return;
    node_ratios_describe(&ratios, played->spec.limits.nodes, &text);
    add_finding(check, CHECK_NOTE, "in %llu searches it %s", (unsigned long long)ratios.moves,
                text.data);
}

// Searches a quiet opening position four times: with a limit of depth, of nodes, of time for the
// move, and of time for the game. Measures the plies, nodes or milliseconds that each search used.
// The search with a node limit is omitted if the protocol has no node limit.
static void check_limits(Check *check) {
    static const struct {
        const char *limits;
        // Bounds of the plies, nodes or milliseconds that a search may use. A search that uses more
        // than `bad_above` is a fault. Otherwise, less than `note_below` or more than `note_above`
        // is a deviation.
        double note_below, note_above, bad_above;
    } rows[] = {{"depth=3", 0, 4, 4},
                {"nodes=5000", 0, 6000, 50000},
                {"st=0.1", 10, 200, 500},
                {"tc=4+0.1", 10, 1500, 4000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AUTO(CheckGame) played = {.player = NULL};
        PlayerReply reply;
        const char *limits = rows[i].limits;
        const bool by_nodes = *limits == 'n', by_depth = *limits == 'd';
        if (by_nodes && !protocols[check->spec->profile->protocol]->limits_nodes) continue;
        if (!start_engine(check, limits, &played)) return;
        set_up(&played, START_FEN, "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0c2 c6c5");
        if (!request_move(check, limits, &played, &reply)) continue;
        if (by_nodes) check_nodes(check, &played, &reply);
        const double ms = (double)reply.time_ns * 1e-6;
        const double amount = by_depth   ? reply.info.depth
                              : by_nodes ? (double)reply.info.nodes
                                         : ms;
        add_finding(check,
                    amount > rows[i].bad_above                                   ? CHECK_BAD
                    : amount > rows[i].note_above || amount < rows[i].note_below ? CHECK_NOTE
                                                                                 : CHECK_GOOD,
                    "with %s a search used %.0f %s", limits, amount,
                    by_depth   ? "plies"
                    : by_nodes ? "nodes"
                               : "ms");
    }
}

static void check_stop(Check *check) {
    AUTO(CheckGame) played = {.player = NULL};
    PlayerReply reply;
    if (check->spec->quirks.no_stop) {
        add_finding(check, CHECK_NOTE,
                    "not checked, because with the quirk no_stop no stop is sent");
        return;
    }
    if (!start_engine(check, "depth=60", &played)) return;
    request_reply(&played, 500, &reply);
    if (reply.fault == PLAYER_LATE) {
        add_finding(check, CHECK_GOOD, "it answers %.0f ms after the stop",
                    (double)reply.time_ns * 1e-6 - 500);
    } else if (reply.fault == PLAYER_NONE) {
        add_finding(check, CHECK_NOTE,
                    "it answered a search to depth 60 before the stop, which comes after 500 ms");
    } else {
        add_fault(check, "", &reply);
    }
}

// ---- check: a long ending without a capture --------------------------------------------------

// Returns true if a legal move captures nothing, gives no check, and leads to a position that did
// not occur yet.
static bool is_quiet(const Game *game, Move move) {
    Position after;
    if (position_is_capture(&game->now, move)) return false;
    position_do_move(&game->now, move, &after);
    for (size_t i = 0; i < game->count; i++) {
        if (game->plies[i].before.key == after.key) return false;
    }
    return !position_in_check(&after);
}

// Plays quiet moves, always the same ones, until the game has this number of plies.
static void play_quiet(Game *game, size_t plies) {
    static const char fen[] = "3ak4/4a4/4b4/8r/9/9/9/R3B4/4A4/3AK4 w - - 0 1";
    Position start;
    Random random;
    position_from_fen(&start, fen, NULL);
    game_reset(game, &start);
    random_init(&random, 1, 0);
    while (game->count < plies) {
        MoveList moves;
        position_legal_moves(&game->now, &moves);
        const int first = (int)random_below(&random, (uint64_t)moves.count);
        int i = 0;
        while (i < moves.count && !is_quiet(game, moves.moves[(first + i) % moves.count])) i++;
        if (i == moves.count) return; // this seed always finds one
        game_push(game, moves.moves[(first + i) % moves.count]);
    }
}

// Asks for a move after this number of plies without a capture. Returns false if the engine fails.
// Sets *none if it says that it has no move.
static bool ask_after(Check *check, int plies, bool *none) {
    AUTO(CheckGame) played = {.player = NULL};
    PlayerReply reply;
    if (!start_engine(check, NULL, &played)) return false;
    play_quiet(&played.game, (size_t)plies);
    request_reply(&played, PATIENCE_MS, &reply);
    *none = reply.no_move;
    if (reply.fault && !reply.no_move) add_fault(check, "a long ending", &reply);
    return !reply.fault || reply.no_move;
}

// Finds the number of plies without a capture from which the engine answers without a move.
static void check_no_capture(Check *check) {
    const int most = rules_default(RULES_AXF).no_capture_plies;
    const int known = check->spec->quirks.no_capture;
    int plays = 0, refuses = (known > 0 && known < most ? known : most) - 1;
    bool none = false;
    if (!ask_after(check, refuses, &none)) return;
    if (!none) {
        add_finding(check, CHECK_GOOD, "it plays a move after %d plies without a capture", refuses);
        return;
    }
    while (refuses - plays > 1) {
        const int middle = (plays + refuses) / 2;
        if (!ask_after(check, middle, &none)) return;
        *(none ? &refuses : &plays) = middle;
    }
    add_finding(check, CHECK_NOTE,
                "it answers without a move after %d plies without a capture, but the referee draws "
                "after %d and such an answer loses: add quirk=no_capture:%d",
                refuses, most, refuses);
}

// ---- check: a second game, and all checks ----------------------------------------------------

static void check_second_game(Check *check) {
    AUTO(CheckGame) played = {.player = NULL};
    PlayerReply first, second;
    Err err = {0};
    if (!start_engine(check, NULL, &played)) return;
    const bool good = request_move(check, "", &played, &first);
    if (player_new_game(played.player, &played.spec.limits.control, &err) != STATUS_OK) {
        add_finding(check, CHECK_BAD, "%s", err.text);
    } else {
        if (good && request_move(check, "", &played, &second)) {
            const bool same = first.move == second.move;
            add_finding(check, same ? CHECK_GOOD : CHECK_NOTE,
                        same ? "it plays the same first move as in the first game"
                             : "its first move differs from that of the first game");
        }
        if (played.player->restarts)
            add_finding(check, CHECK_NOTE, "it had to be started again during this check");
    }
}

static void print_finding(bool json, FILE *out, const char *name, const char *meaning,
                          const Check *check) {
    static const char *const verdicts[] = {"good", "note", "bad"};
    const char *verdict = verdicts[check->verdict], *text = text_get(&check->text);
    if (json) {
        record_print(out, true, "check %s verdict %s text %s", name, verdict, text);
        return;
    }
    fprintf(out, "%s\t%s\t%s\n", verdict, name, text);
    if (check->verdict == CHECK_BAD) fprintf(out, "\t\texpected: %s\n", meaning);
    fflush(out);
}

Status engine_check(const PlayerSpec *spec, bool json, FILE *out, int *bad, Err *err) {
    static const struct {
        const char *name, *meaning;
        void (*run)(Check *check);
    } checks[] = {
#define ENGINE_CHECK(name, meaning) {#name, meaning, check_##name}
        ENGINE_CHECK(handshake, "it starts and reports its name"),
        ENGINE_CHECK(first_move, "it plays a legal move and prints score, depth and nodes"),
        ENGINE_CHECK(
            positions,
            "it understands FENs and moves, whose ranks count from the number in quirk=ranks"),
        ENGINE_CHECK(scores, "its scores are from the point of view of the side to move"),
        ENGINE_CHECK(limits, "depth=, nodes=, st= and tc= limit its search"),
        ENGINE_CHECK(stop, "it answers a stop at once"),
        ENGINE_CHECK(no_capture, "it plays on until the referee draws the game"),
        ENGINE_CHECK(second_game, "it plays a second game, and the same move in the same position"),
    };
    *bad = 0;
    if (!spec->program) {
        return err_set(err, STATUS_USAGE,
                       "the player '%s' is not a program: give cmd= or profile=", spec->name);
    }
    // A copy of the player's description, with a depth limit if it has no limit of its own. The
    // strings of the copy are borrowed from *spec.
    PlayerSpec limited = BORROW(*spec);
    if (!limits_are_set(&spec->limits)) limited.limits.depth = 4;
    bool cannot_start = false;
    for (size_t i = 0; i < sizeof checks / sizeof *checks && !cannot_start; i++) {
        Check check = {.spec = &limited};
        checks[i].run(&check);
        print_finding(json, out, checks[i].name, checks[i].meaning, &check);
        *bad += check.verdict == CHECK_BAD;
        cannot_start = check.cannot_start;
        text_clear(&check.text);
    }
    return STATUS_OK;
}

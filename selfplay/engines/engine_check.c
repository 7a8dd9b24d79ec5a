// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/engine_check.h"

#include <string.h>

#include "core/base/json.h"
#include "selfplay/engines/protocol.h"

enum { PATIENCE_MS = 15000 };

typedef enum CheckVerdict {
    CHECK_GOOD,    // as it should be
    CHECK_NOTE,    // worth knowing; matches can live with it
    CHECK_SKIPPED, // the protocol has no words for it
    CHECK_BAD,     // it will lose games by this, or play others than we think
} CheckVerdict;

// The check that is running.
typedef struct Check {
    const PlayerSpec *spec; // as given, with a limit
    CheckVerdict verdict;   // the worst so far
    Text text;              // what was found
    bool hopeless;          // no further check makes sense
} Check;

// Adds to what is found; the worst verdict stays.
static void find(Check *check, CheckVerdict verdict, const char *format, ...) PRINTF_LIKE(3, 4);
static void find(Check *check, CheckVerdict verdict, const char *format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (verdict > check->verdict) check->verdict = verdict;
    text_add(&check->text, "%s%s", check->text.length ? "; " : "", text);
}

// ---- questions -------------------------------------------------------------------------------

// A player with its own limits, in a game of its own.
typedef struct Table {
    PlayerSpec spec; // its texts are the check's
    Player *player;
    Game game;
} Table;

static void table_clear(Table *table) {
    player_close(table->player);
    game_clear(&table->game);
}
AUTO_VALUE(Table, table_clear)

// Opens the engine with the limits of a comma list ("depth=4"), NULL: those of the spec.
static bool sit_down(Check *check, const char *limits, Table *table) {
    AUTO(PlayerSpec) wanted = {.nodes = 0};
    Err err = {0};
    Position start;
    table->spec = *check->spec;
    if (limits && player_spec_parse(limits, "limits", &wanted, &err) == STATUS_OK) {
        table->spec.nodes = wanted.nodes;
        table->spec.depth = wanted.depth;
        table->spec.control = wanted.control;
    }
    position_init_start(&start);
    game_init(&table->game, &start);
    if (player_open_program(&table->spec, &table->player, &err) == STATUS_OK &&
        player_new_game(table->player, &table->spec.control, &err) == STATUS_OK) {
        return true;
    }
    find(check, CHECK_BAD, "%s", err.text);
    return false;
}

static void ask_for(Table *table, int patience_ms, PlayerReply *reply) {
    PlayerTurn turn = {.game = &table->game, .patience_ns = patience_ms * MS_NS};
    for (int side = 0; side < SIDE_COUNT; side++) {
        clock_start(&turn.clocks[side], &table->spec.control);
    }
    player_go(table->player, &turn, reply);
}

static void find_fault(Check *check, const char *where, const PlayerReply *reply) {
    find(check, CHECK_BAD, "%s%s%s: %s", where, *where ? ": " : "", player_fault_name(reply->fault),
         reply->note);
}

// Asks for a move; a fault is bad, and then false comes back.
static bool ask(Check *check, const char *where, Table *table, PlayerReply *reply) {
    ask_for(table, PATIENCE_MS, reply);
    if (reply->fault) find_fault(check, where, reply);
    return !reply->fault;
}

// Sets the game up; the FEN and the moves are ours.
static void set_up(Table *table, const char *fen, const char *moves) {
    Position start;
    position_from_fen(&start, fen, NULL);
    game_reset(&table->game, &start);
    game_push_text(&table->game, moves, NULL);
}

// A position in which one piece alone can move: an engine that plays another move has misread it.
static void check_only_piece(Check *check, const char *what, const char *fen, const char *moves) {
    AUTO(Table) table = {.player = NULL};
    PlayerReply reply;
    if (!sit_down(check, NULL, &table)) return;
    set_up(&table, fen, moves);
    if (ask(check, what, &table, &reply) && reply.resigns) {
        find(check, CHECK_NOTE, "%s: it resigns", what);
    }
}

// Opens a conversation; what hinders it is found to be bad.
static bool start_talk(Check *check, Conversation *talk) {
    Err err = {0};
    if (conversation_open(talk, check->spec, &err) == STATUS_OK) return true;
    find(check, CHECK_BAD, "%s", err.text);
    return false;
}

// ---- what it says about itself ---------------------------------------------------------------

static void check_handshake(Check *check) {
    Conversation talk;
    const int64_t begun_ns = clock_now_ns();
    check->hopeless = !start_talk(check, &talk);
    if (check->hopeless) return;
    const bool named = talk.engine_name[0] != '\0';
    find(check, named ? CHECK_GOOD : CHECK_NOTE, "%s, by profile %s, after %.0f ms",
         named ? talk.engine_name : "it does not say its name", check->spec->profile->name,
         (double)(clock_now_ns() - begun_ns) * 1e-6);
    conversation_close(&talk, true);
}

// `option name X type T default D min A max B` (UCCI: without the word name).
static void check_option_line(Check *check, const char *line) {
    static const char *const types[] = {"check", "spin", "combo", "button", "string", "label"};
    const char *name, *type = "";
    size_t length, type_length = 0;
    bool known = false;
    if (!uci_option_name(line, &name, &length)) {
        find(check, CHECK_NOTE, "no name or type in '%.60s'", line);
        return;
    }
    const char *rest = name + length + strlen(" type ");
    text_next_word(&rest, &type, &type_length);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        known = known || text_word_is(type, type_length, types[i]);
    }
    if (!known) {
        find(check, CHECK_NOTE, "no type '%.*s' (option %.*s)", (int)type_length, type, (int)length,
             name);
    } else if (strncmp(type, "spin", 4) == 0 && !(strstr(rest, " min ") && strstr(rest, " max "))) {
        find(check, CHECK_NOTE, "option %.*s is a spin without min and max", (int)length, name);
    } else if (strncmp(type, "combo", 5) == 0 && !strstr(rest, " var ")) {
        find(check, CHECK_NOTE, "option %.*s is a combo without var", (int)length, name);
    }
}

static void check_options(Check *check) {
    Conversation talk;
    int options = 0;
    if (!start_talk(check, &talk)) return;
    char *cursor = talk.about.data;
    for (const char *line; (line = text_next_field(&cursor, '\n')) != NULL;) {
        if (strncmp(line, "option", 6) == 0) check_option_line(check, line);
    }
    for (const char *at = text_get(&talk.options); *at; at++) options += *at == '\n';
    if (check->verdict == CHECK_GOOD) find(check, CHECK_GOOD, "%d options", options);
    conversation_close(&talk, true);
}

static void check_variant(Check *check) {
    Conversation talk;
    if (!start_talk(check, &talk)) return;
    const bool cecp = talk.protocol == &protocol_cecp;
    const char *names = strstr(text_get(&talk.about), cecp ? "variants=" : "UCI_Variant");
    const bool known = names && memmem(names, strcspn(names, "\n"), "xiangqi", 7);
    find(check, known ? CHECK_GOOD : CHECK_NOTE,
         known   ? "xiangqi is among its variants"
         : names ? "it names variants without xiangqi"
                 : "it names no variants");
    conversation_close(&talk, true);
}

static void check_unknown_command(Check *check) {
    Conversation talk;
    if (!start_talk(check, &talk)) return;
    conversation_say(&talk, "nosuchcommand 1\n");
    ProcessRead got = conversation_sync(&talk, 2000);
    char how[64];
    if (got == PROCESS_LINE && process_ended(talk.process, 200, how, sizeof how)) got = PROCESS_END;
    if (got == PROCESS_LINE) {
        find(check, CHECK_GOOD, "it goes on");
    } else {
        find(check, CHECK_NOTE, "it %s when it is sent what it does not know",
             got == PROCESS_END ? "ends" : "does not answer any more");
    }
    conversation_close(&talk, got == PROCESS_LINE);
}

// ---- positions -------------------------------------------------------------------------------

// Is the move that was refused, the last word of the note, legal when ranks are counted from the
// other number?
static bool other_ranks_fit(const Check *check, const Position *position, const char *note) {
    char text[PLAYER_TEXT_SIZE], *word = NULL;
    snprintf(text, sizeof text, "%s", note);
    for (char *at = strtok(text, " '"); at; at = strtok(NULL, " '")) word = at;
    if (!word) return false;
    return answer_is_legal(position, move_scan(word, strlen(word), 1 - check->spec->quirks.ranks));
}

static void check_first_move(Check *check) {
    AUTO(Table) table = {.player = NULL};
    PlayerReply reply;
    char move[5];
    if (!sit_down(check, NULL, &table)) return;
    ask_for(&table, PATIENCE_MS, &reply);
    if (reply.fault || reply.resigns) {
        find_fault(check, "", &reply);
        if (other_ranks_fit(check, &table.game.now, reply.note)) {
            find(check, CHECK_BAD,
                 check->spec->quirks.ranks
                     ? "looks like ranks from 0: proto=uci, or no quirk=ranks:1"
                     : "looks like ranks from 1: proto=uci1, or quirk=ranks:1");
        }
    } else {
        move_to_uci(reply.move, move);
        find(check, CHECK_GOOD, "%s after %.0f ms, score %d, depth %d, %llu nodes", move,
             (double)reply.time_ns * 1e-6, reply.info.score_cp, reply.info.depth,
             (unsigned long long)reply.info.nodes);
        if (!reply.info.has_score)
            find(check, CHECK_NOTE, "no score: it cannot take part in adjudication");
        if (!reply.info.depth) find(check, CHECK_NOTE, "no depth");
        if (!reply.info.nodes) find(check, CHECK_NOTE, "no nodes");
    }
}

static void check_move_list(Check *check) {
    // After the chariot's check the general has one point to go to.
    check_only_piece(check, "after a check", "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1", "a0a9");
    check_only_piece(check, "after three moves", "3k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1",
                     "a0a8 d9e9 a8a9");
    if (check->verdict == CHECK_GOOD) find(check, CHECK_GOOD, "it plays what is legal behind them");
}

static void check_letters(Check *check) {
    // In each, one piece of the kind alone can meet the check.
    check_only_piece(check, "horse", "3k5/9/9/9/9/9/9/1N7/7r1/r3K4 w - - 0 1", "");
    check_only_piece(check, "elephant", "5k3/9/3r5/9/4r4/9/9/9/9/2B1K4 w - - 0 1", "");
    check_only_piece(check, "advisor", "5k3/9/9/9/4r4/9/9/9/9/3AK4 w - - 0 1", "");
    if (check->verdict == CHECK_GOOD) find(check, CHECK_GOOD, "all three move as they should");
}

static void check_black_to_move(Check *check) {
    check_only_piece(check, "black", "R3k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1", "");
    if (check->verdict == CHECK_GOOD) find(check, CHECK_GOOD, "it plays for Black");
}

// ---- limits ----------------------------------------------------------------------------------

// Asks with a limit in a quiet middlegame.
static bool ask_with(Check *check, const char *limits, PlayerReply *reply) {
    AUTO(Table) table = {.player = NULL};
    if (!sit_down(check, limits, &table)) return false;
    set_up(&table, START_FEN, "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0c2 c6c5");
    return ask(check, limits, &table, reply);
}

// Above `most` is bad, above `more` or below `least` worth a note.
static CheckVerdict judge_amount(double amount, double least, double more, double most) {
    if (amount > most) return CHECK_BAD;
    return amount > more || amount < least ? CHECK_NOTE : CHECK_GOOD;
}

static void check_depth(Check *check) {
    PlayerReply reply;
    if (!ask_with(check, "depth=3", &reply)) return;
    find(check, judge_amount(reply.info.depth, 0, 4, 4), "depth=3 reaches %d in %.0f ms",
         reply.info.depth, (double)reply.time_ns * 1e-6);
}

static void check_nodes(Check *check) {
    PlayerReply reply;
    if (check->spec->profile->protocol == PROTOCOL_CECP) {
        find(check, CHECK_SKIPPED, "XBoard's protocol has no word for it");
        return;
    }
    if (!ask_with(check, "nodes=5000", &reply)) return;
    find(check, judge_amount((double)reply.info.nodes, 0, 6000, 50000),
         "nodes=5000 takes %llu nodes", (unsigned long long)reply.info.nodes);
}

static void check_move_time(Check *check) {
    PlayerReply reply;
    if (!ask_with(check, "st=0.1", &reply)) return;
    const double ms = (double)reply.time_ns * 1e-6;
    find(check, judge_amount(ms, 10, 200, 500), "st=0.1 takes %.0f ms", ms);
}

static void check_clock(Check *check) {
    PlayerReply reply;
    if (!ask_with(check, "tc=4+0.1", &reply)) return;
    const double ms = (double)reply.time_ns * 1e-6;
    find(check, judge_amount(ms, 10, 1500, 4000), "tc=4+0.1: the fifth move takes %.0f ms", ms);
}

static void check_stop(Check *check) {
    AUTO(Table) table = {.player = NULL};
    PlayerReply reply;
    if (check->spec->quirks.no_stop) {
        find(check, CHECK_SKIPPED, "a stop is not sent (quirk no_stop)");
        return;
    }
    if (!sit_down(check, "depth=60", &table)) return;
    ask_for(&table, 500, &reply);
    if (reply.fault == PLAYER_LATE) {
        find(check, CHECK_GOOD, "it answers %.0f ms after the stop",
             (double)reply.time_ns * 1e-6 - 500);
    } else if (reply.fault == PLAYER_NONE) {
        find(check, CHECK_NOTE, "it ended depth 60 by itself before the stop");
    } else {
        find_fault(check, "", &reply);
    }
}

// ---- ends ------------------------------------------------------------------------------------

static void describe_end(Check *check, const char *what, const char *fen) {
    AUTO(Table) table = {.player = NULL};
    PlayerReply reply;
    if (!sit_down(check, NULL, &table)) return;
    set_up(&table, fen, "");
    ask_for(&table, 1500, &reply);
    const bool says = reply.fault == PLAYER_GARBAGE || reply.fault == PLAYER_CLAIM || reply.resigns;
    find(check, says ? CHECK_GOOD : CHECK_NOTE, "%s: %s", what,
         reply.resigns   ? "it resigns"
         : reply.note[0] ? reply.note
                         : "nothing");
}

static void check_no_moves(Check *check) {
    describe_end(check, "mated", "R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1");
    describe_end(check, "stalemated", "4k4/9/4P4/9/9/9/9/9/9/3R1K3 b - - 0 1");
}

static void check_repetition(Check *check) {
    AUTO(Table) table = {.player = NULL};
    PlayerReply reply;
    if (!sit_down(check, NULL, &table)) return;
    bool claimed = false;
    static const char shuffle[] = "i0i1 i9i8 i1i0 i8i9";
    for (int round = 1; round <= 4; round++) {
        game_push_text(&table.game, shuffle, NULL);
        if (!ask(check, "after a repetition", &table, &reply)) break;
        if (reply.note[0] && !claimed) {
            claimed = true;
            find(check, CHECK_NOTE, "occurrence %d: %s; it played on", round + 1, reply.note);
        }
    }
    if (!check->text.length) find(check, CHECK_GOOD, "no claim up to the fifth occurrence");
}

static void check_second_game(Check *check) {
    AUTO(Table) table = {.player = NULL};
    PlayerReply first, second;
    Err err = {0};
    if (!sit_down(check, NULL, &table)) return;
    const bool good = ask(check, "", &table, &first);
    if (player_new_game(table.player, &table.spec.control, &err) != STATUS_OK) {
        find(check, CHECK_BAD, "%s", err.text);
    } else {
        if (good && ask(check, "", &table, &second)) {
            const bool same = first.move == second.move;
            find(check, same ? CHECK_GOOD : CHECK_NOTE,
                 same ? "the same first move" : "another first move");
        }
        if (table.player->restarts) find(check, CHECK_NOTE, "it had to be started again");
    }
}

static void check_quit(Check *check) {
    Conversation talk;
    char how[64];
    if (!start_talk(check, &talk)) return;
    conversation_say(&talk, "quit\n");
    if (process_ended(talk.process, talk.quirks.stop_ms, how, sizeof how)) {
        find(check, CHECK_GOOD, "%s", how);
    } else {
        find(check, CHECK_NOTE, "it stays, and will be killed");
    }
    conversation_close(&talk, false);
}

static void print_finding(bool json, FILE *out, const char *name, const char *meaning,
                          const Check *check) {
    static const char *const verdicts[] = {"good", "note", "skipped", "bad"};
    const char *verdict = verdicts[check->verdict], *text = text_get(&check->text);
    if (json) {
        record_print(out, true, "check %s verdict %s text %s", name, verdict, text);
        return;
    }
    fprintf(out, "%s\t%s\t%s\n", verdict, name, text);
    if (check->verdict == CHECK_BAD) fprintf(out, "\t\twanted: %s\n", meaning);
    fflush(out);
}

Status engine_check(const PlayerSpec *spec, bool json, FILE *out, int *bad, Err *err) {
    static const struct {
        const char *name, *meaning;
        void (*run)(Check *check);
    } checks[] = {
#define ENGINE_CHECK(name, meaning) {#name, meaning, check_##name}
        ENGINE_CHECK(handshake, "it starts and says what it is"),
        ENGINE_CHECK(options, "the options that it declares are well formed"),
        ENGINE_CHECK(variant, "it knows xiangqi by name"),
        ENGINE_CHECK(unknown_command, "it survives a command that it does not know"),
        ENGINE_CHECK(first_move, "it plays a legal move and prints score, depth and nodes"),
        ENGINE_CHECK(move_list,
                     "it follows moves behind a position: ranks are counted as quirk=ranks says"),
        ENGINE_CHECK(letters, "it reads the letters of horse, elephant and advisor in a FEN"),
        ENGINE_CHECK(black_to_move, "it reads whose move it is"),
        ENGINE_CHECK(depth, "depth= limits the search"),
        ENGINE_CHECK(nodes, "nodes= limits the search"),
        ENGINE_CHECK(move_time, "st= limits the search"),
        ENGINE_CHECK(clock, "tc= is kept"),
        ENGINE_CHECK(stop, "it answers a stop at once"),
        ENGINE_CHECK(no_moves, "what it says when it is mated or stalemated"),
        ENGINE_CHECK(repetition, "whether it claims a result when a position repeats"),
        ENGINE_CHECK(second_game, "it plays a second game, and the same move in the same position"),
        ENGINE_CHECK(quit, "it obeys quit"),
    };
    *bad = 0;
    if (!spec->program) {
        return err_set(err, STATUS_USAGE, "'%s' is no program: give cmd= or profile=", spec->name);
    }
    PlayerSpec limited = *spec; // its texts are borrowed
    if (!player_is_limited(spec)) limited.depth = 4;
    bool hopeless = false;
    for (size_t i = 0; i < sizeof checks / sizeof *checks && !hopeless; i++) {
        Check check = {.spec = &limited};
        checks[i].run(&check);
        print_finding(json, out, checks[i].name, checks[i].meaning, &check);
        *bad += check.verdict == CHECK_BAD;
        hopeless = check.hopeless;
        text_clear(&check.text);
    }
    return STATUS_OK;
}

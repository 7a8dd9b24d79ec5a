// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests of programs as players, with mock engines (tests/selfplay/mock_engine.h): how they are
// started, what is sent to them, and what is reported if they fail. tests/cli/match.sh tests what a
// match does after a failure.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/system/clock.h"
#include "core/system/in_file.h"
#include "selfplay/engines/option_value.h"
#include "selfplay/engines/player.h"
#include "tests/selfplay/mock_engine.h"
#include "tests/test.h"

enum { PATIENCE_MS = 300000 };

// Makes the PlayerSpec of a mock engine. `keys` are KEY=VALUE arguments of the mock. `rest` are
// further KEY=VALUE pairs of the PLAYER text.
static bool mock_spec(TestContext *t, const char *proto, const char *keys, const char *rest,
                      PlayerSpec *spec) {
    char text[1024];
    // The mock speaks all dialects of UCI if it is started as "uci".
    const bool own = strcmp(proto, "ucci") == 0 || strcmp(proto, "cecp") == 0;
    const char *base = own ? proto : "uci";
    snprintf(text, sizeof text, "cmd=%s-test --mock %s %s,proto=%s,%s", t->program, base, keys,
             proto, rest);
    Err err = {0};
    return CHECK_OK(player_spec_parse(text, "mock", spec, &err), err);
}

// Sets long timeouts, because the machine may be busy. Only a mock that never answers gets a short
// timeout after `stop`.
static void be_patient(const char *keys, Quirks *quirks) {
    const bool mute = strstr(keys, "hang") || strstr(keys, "endless") || strstr(keys, "close");
    quirks->start_ms = quirks->silence_ms = PATIENCE_MS;
    quirks->stop_ms = mute ? 200 : PATIENCE_MS;
}

static Player *open_mock(TestContext *t, const char *proto, const char *keys, const char *rest,
                         PlayerSpec *spec) {
    Player *player = NULL;
    Err err = {0};
    if (!mock_spec(t, proto, keys, rest, spec)) return NULL;
    be_patient(keys, &spec->quirks);
    CHECK_MSG(player_open_program(spec, &player, &err) == STATUS_OK, "%s %s: %s", proto, keys,
              err.text);
    return player;
}

static void ask(Player *player, const Game *game, int patience_ms, PlayerReply *reply) {
    const PlayerTurn turn = {.game = game, .patience_ns = patience_ms * MS_NS};
    player_go(player, &turn, reply);
}

static bool begin(TestContext *t, Player *player, Game *game, const char *fen) {
    Position start;
    Err err = {0};
    if (!CHECK_OK(position_from_fen(&start, fen, &err), err)) return false;
    game_reset(game, &start);
    return CHECK_OK(player_new_game(player, &(TimeControl){0}, &err), err);
}

// Plays a game with one player on both sides. Checks that each move is the one that the mock engine
// plays in this position. This proves that the mock engine has the right position.
static void play(TestContext *t, Player *player, Game *game, const char *fen, int plies,
                 const char *who) {
    if (!begin(t, player, game, fen)) return;
    for (int ply = 0; ply < plies && !position_no_legal_move(&game->now); ply++) {
        PlayerReply reply;
        ask(player, game, PATIENCE_MS, &reply);
        if (!CHECK_MSG(reply.fault == PLAYER_NONE, "%s, ply %d: %s (%s)", who, ply,
                       player_fault_name(reply.fault), reply.note)) {
            return;
        }
        CHECK_INT(reply.move, mock_engine_move(&game->now));
        CHECK(reply.info.has_score && reply.info.score_cp == -25 && reply.info.mate == 0);
        CHECK_INT(reply.info.depth, 3);
        CHECK_INT(reply.info.nodes, 1234);
        game_push(game, reply.move);
        // After the player's moves 1, 4, 7 and so on, the test itself plays the next move.
        if (ply % 3 == 0) {
            MoveList list;
            position_legal_moves(&game->now, &list);
            if (list.count) game_push(game, list.moves[list.count / 2]);
        }
    }
}

static void game_new(Game *game) {
    Position start;
    position_init_start(&start);
    game_init(game, &start);
}

void test_player_protocols(TestContext *t) {
    static const struct {
        const char *proto, *keys;
    } mocks[] = {
        {"uci", ""},      {"uci1", "ranks=1"}, {"cyclone", ""},        {"ucci", ""},
        {"ucci", "ms=1"}, {"cecp", ""},        {"cecp", "usermove=1"}, {"cecp", "setboard=0"},
    };
    static const char *const fens[] = {
        START_FEN,
        "r1bakabr1/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b - - 3 4",
        "4k4/4a4/4b4/9/9/9/9/4B4/4A1r2/R3K4 w - - 10 40",
    };
    AUTO(Game) game = {0};
    game_new(&game);
    for (size_t i = 0; i < sizeof mocks / sizeof *mocks; i++) {
        AUTO(PlayerSpec) spec = {.program = false};
        Player *player = open_mock(t, mocks[i].proto, mocks[i].keys, "depth=5", &spec);
        if (!player) continue;
        for (size_t f = 0; f < sizeof fens / sizeof *fens; f++) {
            char who[64];
            snprintf(who, sizeof who, "%s %s, position %zu", mocks[i].proto, mocks[i].keys, f);
            play(t, player, &game, fens[f], 40, who);
        }
        CHECK_INT(player->restarts, 0);
        player_close(player);
    }
}

// If an engine fails, the reply must name the kind of failure, and the next game must be played
// normally. A claim of a result is no failure. Meaningless lines in the output are no failure.
void test_player_faults(TestContext *t) {
    enum { PROTOCOLS = 3 };
    static const char *const protos[PROTOCOLS] = {"uci", "ucci", "cecp"};
    static const struct {
        const char *what;
        int at;                       // number of the search in which the mock engine fails
        PlayerFault fault[PROTOCOLS]; // for each protocol: expected fault at the third move
        int restarts;                 // expected number of restarts of the engine
    } failures[] = {
        {"crash", 3, {PLAYER_CRASH, PLAYER_CRASH, PLAYER_CRASH}, 1},
        {"abort", 3, {PLAYER_CRASH, PLAYER_CRASH, PLAYER_CRASH}, 1},
        {"exit", 2, {PLAYER_CRASH, PLAYER_CRASH, PLAYER_CRASH}, 1},
        {"close", 3, {PLAYER_CLOSED, PLAYER_CLOSED, PLAYER_CLOSED}, 1},
        {"hang", 3, {PLAYER_HANG, PLAYER_HANG, PLAYER_HANG}, 1},
        {"endless", 3, {PLAYER_HANG, PLAYER_HANG, PLAYER_HANG}, 1},
        {"late", 3, {PLAYER_LATE, PLAYER_LATE, PLAYER_LATE}, 0},
        {"flood", 3, {PLAYER_FLOOD, PLAYER_FLOOD, PLAYER_FLOOD}, 1},
        {"illegal", 3, {PLAYER_ILLEGAL, PLAYER_ILLEGAL, PLAYER_ILLEGAL}, 0},
        {"garbage", 3, {PLAYER_GARBAGE, PLAYER_GARBAGE, PLAYER_GARBAGE}, 0},
        {"nothing", 3, {PLAYER_GARBAGE, PLAYER_GARBAGE, PLAYER_NONE}, 0},
        {"noise", 3, {PLAYER_NONE, PLAYER_NONE, PLAYER_NONE}, 0},
    };
    AUTO(Game) game = {0};
    game_new(&game);
    for (size_t p = 0; p < PROTOCOLS; p++) {
        FOR_EACH (row, failures) {
            const PlayerFault wanted = row->fault[p];
            const bool waits = wanted == PLAYER_HANG || wanted == PLAYER_LATE;
            char keys[64], who[64];
            snprintf(keys, sizeof keys, "do=%s at=%d", row->what, row->at);
            snprintf(who, sizeof who, "%s, %s", protos[p], row->what);
            AUTO(PlayerSpec) spec = {.program = false};
            Player *player = open_mock(t, protos[p], keys, "depth=5", &spec);
            if (!player || !begin(t, player, &game, START_FEN)) return;
            PlayerReply reply = {.fault = PLAYER_NONE};
            for (int turn = 1; turn <= 3; turn++) {
                CHECK_MSG(reply.fault == PLAYER_NONE, "%s: turn %d: %s", who, turn - 1, reply.note);
                ask(player, &game, turn == 3 && waits ? 200 : PATIENCE_MS, &reply);
                if (reply.fault == PLAYER_NONE) game_push(&game, reply.move);
            }
            CHECK_MSG(reply.fault == wanted, "%s: %s (%s)", who, player_fault_name(reply.fault),
                      reply.note);
            CHECK_MSG((reply.note[0] == '\0') == (strcmp(row->what, "noise") == 0),
                      "%s: the note is '%s'", who, reply.note);
            // Play only two plies, because a restarted mock engine counts its searches from 1 and
            // would fail again.
            play(t, player, &game, START_FEN, 2, who);
            CHECK_MSG(player->restarts == row->restarts, "%s: %d restarts", who, player->restarts);
            player_close(player);
        }
    }
}

// An engine that fails in the first handshake is started a second time.
void test_player_second_start(TestContext *t) {
    static const char *const failures[] = {"crash", "flood"};
    AUTO(Game) game = {0};
    game_new(&game);
    FOR_EACH (what, failures) {
        char keys[700], mark[600];
        snprintf(mark, sizeof mark, "%s/%s", t->scratch, *what);
        snprintf(keys, sizeof keys, "do=%s at=0 once=%s", *what, mark);
        AUTO(PlayerSpec) spec = {.program = false};
        Player *player = open_mock(t, "uci", keys, "depth=5", &spec);
        CHECK_MSG(access(mark, F_OK) == 0, "%s: the mock did not fail", *what);
        if (player) play(t, player, &game, START_FEN, 2, *what);
        player_close(player);
    }
}

// A program that completes the handshake but then reads no more must be reported as not reading. It
// has neither closed its streams nor ended.
void test_player_unread_input(TestContext *t) {
    enum { LENGTH = 4 << 20 }; // in bytes; more than the connection to the program can buffer
    Conversation talk;
    AUTO(PlayerSpec) spec = {.program = false};
    AUTO_FREE char *value = memory_alloc(LENGTH + 1, 1);
    Err err = {0};
    const char *text = "cmd=sh -c 'read line; echo uciok; exec sleep 600',proto=uci,"
                       "quirk=start_ms:1000,nodes=1";
    if (!CHECK_OK(player_spec_parse(text, "player", &spec, &err), err)) return;
    memset(value, 'x', LENGTH);
    if (!CHECK_OK(player_spec_set_option(&spec, "Name", value, &err), err)) return;
    CHECK_INT(conversation_open(&talk, &spec, &err), STATUS_ENGINE);
    CHECK_MSG(strstr(err.text, "it did not read its standard input in time"), "%s", err.text);
}

// A program that stops reading in the middle of a game, but keeps its input open, must be reported
// as hanging. It prints moves, so that the player sends requests until the connection is full.
void test_player_unread_turns(TestContext *t) {
    static const char *const shuffle[] = {"a0a1", "a9a8", "a1a0", "a8a9"};
    AUTO(PlayerSpec) spec = {.program = false};
    AUTO(Game) game = {0};
    game_new(&game);
    Player *player = NULL;
    Err err = {0};
    const char *text = "cmd=sh -c 'read line; echo uciok; echo readyok; echo readyok; "
                       "while sleep 0.02; do echo bestmove h2e2; done',"
                       "proto=uci,quirk=no_sync,quirk=start_ms:1000,quirk=stop_ms:100,nodes=1";
    if (!CHECK_OK(player_spec_parse(text, "player", &spec, &err), err)) return;
    if (!CHECK_OK(player_open_program(&spec, &player, &err), err)) return;
    if (begin(t, player, &game, START_FEN)) {
        PlayerReply reply = {.fault = PLAYER_NONE};
        for (int i = 0; i < 4000; i++) game_push(&game, move_scan(shuffle[i % 4], 4, 0));
        for (int i = 0; i < 500 && !reply.fault; i++) ask(player, &game, PATIENCE_MS, &reply);
        CHECK_MSG(reply.fault == PLAYER_HANG &&
                      strstr(reply.note, "it did not read its standard input in time"),
                  "%s: %s", player_fault_name(reply.fault), reply.note);
    }
    player_close(player);
}

// If the opponent does not play the expected move, only `stop` ends the pondering. A player with
// the quirk no_stop is therefore refused if it must ponder.
void test_player_ponder_needs_stop(TestContext *t) {
    AUTO(PlayerSpec) spec = {.program = false};
    Player *player = NULL;
    Err err = {0};
    if (!mock_spec(t, "uci", "ponder=1", "depth=2,ponder=yes,quirk=no_stop", &spec)) return;
    CHECK_INT(player_open_program(&spec, &player, &err), STATUS_USAGE);
    CHECK_MSG(strstr(err.text, "not possible with the quirk no_stop"), "%s", err.text);
    player_close(player);
}

// If an engine claims a result, the reply's note must contain this claim, and the game continues.
// An engine that exits after its claim is restarted.
void test_player_claims(TestContext *t) {
    static const struct {
        const char *what, *said;
        int restarts;
    } claims[] = {{"claim", "1/2-1/2", 0}, {"nothing", "1-0", 0}, {"leave", "0-1", 1}};
    AUTO(Game) game = {0};
    game_new(&game);
    FOR_EACH (row, claims) {
        char keys[64];
        snprintf(keys, sizeof keys, "do=%s at=2", row->what);
        AUTO(PlayerSpec) spec = {.program = false};
        Player *player = open_mock(t, "cecp", keys, "depth=5", &spec);
        if (!player || !begin(t, player, &game, START_FEN)) return;
        int count = 0;
        // Ask for three moves only: a mock engine that exits at its second search and is restarted
        // would exit again at the fourth.
        for (int turn = 1; turn <= 3; turn++) {
            PlayerReply reply;
            ask(player, &game, PATIENCE_MS, &reply);
            if (!CHECK_MSG(reply.fault == PLAYER_NONE, "%s, turn %d: %s (%s)", row->what, turn,
                           player_fault_name(reply.fault), reply.note)) {
                break;
            }
            CHECK_INT(reply.move, mock_engine_move(&game.now));
            count += strstr(reply.note, row->said) != NULL;
            game_push(&game, reply.move);
            MoveList list;
            position_legal_moves(&game.now, &list);
            game_push(&game, list.moves[turn % list.count]);
        }
        CHECK_MSG(count == 1, "%s: %d claims", row->what, count);
        CHECK_MSG(player->restarts == row->restarts, "%s: %d restarts", row->what,
                  player->restarts);
        player_close(player);
    }
}

void test_player_resigns(TestContext *t) {
    static const char *const protos[] = {"uci", "ucci", "cecp"};
    AUTO(Game) game = {0};
    game_new(&game);
    FOR_EACH (proto, protos) {
        AUTO(PlayerSpec) spec = {.program = false};
        Player *player = open_mock(t, *proto, "do=resign at=1", "depth=5", &spec);
        PlayerReply reply = {.fault = PLAYER_NONE};
        if (player && begin(t, player, &game, START_FEN)) {
            ask(player, &game, PATIENCE_MS, &reply);
            CHECK_MSG(reply.fault == PLAYER_NONE && reply.resigns && reply.move == MOVE_NONE,
                      "%s: %s (%s)", *proto, player_fault_name(reply.fault), reply.note);
        }
        player_close(player);
    }
}

// The mock engine claims a draw when it has seen a position three times, and exits if it then
// receives a move. The player must avoid this by sending positions without the preceding moves.
void test_player_repetition_claims(TestContext *t) {
    AUTO(Game) game = {0};
    game_new(&game);
    AUTO(PlayerSpec) spec = {.program = false};
    Player *player = open_mock(t, "cecp", "do=repetition at=0", "depth=5", &spec);
    if (!player || !begin(t, player, &game, START_FEN)) return;
    int claims = 0;
    for (int round = 0; round < 5; round++) {
        PlayerReply reply;
        CHECK(game_push_text(&game, "i0i1 i9i8 i1i0 i8i9", 0, NULL) == STATUS_OK);
        ask(player, &game, PATIENCE_MS, &reply);
        CHECK_MSG(reply.fault == PLAYER_NONE, "round %d: %s (%s)", round,
                  player_fault_name(reply.fault), reply.note);
        CHECK_INT(reply.move, mock_engine_move(&game.now));
        claims += reply.note[0] != '\0';
    }
    CHECK_MSG(claims >= 1 && claims <= 4, "%d claims", claims);
    CHECK_INT(player->restarts, 0);
    player_close(player);
}

// Checks that the lines in `wanted` were sent to the engine in this order, and that the text
// `never` was not sent after them.
static void check_log(TestContext *t, const char *path, const char *wanted, const char *never) {
    char *text = NULL;
    size_t length;
    Err err = {0};
    if (!CHECK_OK(text_read_file(path, &text, &length, &err), err)) return;
    const char *at = text;
    for (const char *line = wanted; *line;) {
        char said[256];
        const size_t line_length = strcspn(line, "\n");
        snprintf(said, sizeof said, " > %.*s\n", (int)line_length, line);
        const char *found = strstr(at, said);
        if (!CHECK_MSG(found, "'%s' was not sent, or not in this order. The log is\n%s", said,
                       text))
            break;
        at = found + strlen(said) - 1;
        line += line_length + (line[line_length] != '\0');
    }
    CHECK_MSG(!never || !strstr(at, never), "'%s' must not be sent. The log is\n%s", never, text);
    free(text);
}

// Checks the lines that an engine receives for the first search of a game with these limits and
// clocks.
static void check_go(TestContext *t, const char *proto, const char *keys, const char *limits,
                     const Clock clocks[SIDE_COUNT], const char *wanted) {
    char log[600], rest[700];
    snprintf(log, sizeof log, "%s/player-log", t->scratch);
    snprintf(rest, sizeof rest, "%s,log=%s", limits, log);
    remove(log);
    AUTO(PlayerSpec) spec = {.program = false};
    Player *player = open_mock(t, proto, keys, rest, &spec);
    AUTO(Game) game = {0};
    game_new(&game);
    Err err = {0};
    if (player && CHECK(player_new_game(player, &clocks[RED].control, &err) == STATUS_OK)) {
        PlayerTurn turn = {.game = &game, .patience_ns = PATIENCE_MS * MS_NS};
        PlayerReply reply;
        memcpy(turn.clocks, clocks, sizeof turn.clocks);
        player_go(player, &turn, &reply);
        CHECK_MSG(reply.fault == PLAYER_NONE, "%s", reply.note);
    }
    player_close(player);
    check_log(t, log, wanted, NULL);
}

// Checks what is sent to the engine in its first two turns of a game that contains a capture.
static void check_history(TestContext *t, const char *proto, const char *wanted,
                          const char *never) {
    char log[600], rest[700];
    snprintf(log, sizeof log, "%s/player-log", t->scratch);
    snprintf(rest, sizeof rest, "depth=2,log=%s", log);
    remove(log);
    AUTO(PlayerSpec) spec = {.program = false};
    Player *player = open_mock(t, proto, "", rest, &spec);
    AUTO(Game) game = {0};
    game_new(&game);
    PlayerReply reply;
    if (player && begin(t, player, &game, START_FEN)) {
        game_push_text(&game, "h2e2 h9g7 e2e6 b9c7", 0, NULL);
        ask(player, &game, PATIENCE_MS, &reply);
        CHECK(reply.fault == PLAYER_NONE);
        game_push(&game, reply.move);
        game_push_text(&game, "a9a8", 0, NULL);
        ask(player, &game, PATIENCE_MS, &reply);
        CHECK(reply.fault == PLAYER_NONE);
    }
    player_close(player);
    check_log(t, log, wanted, never);
}

// Tests what an engine receives that by default ponders and uses eight threads and 64 MB: what the
// player promises, whether the PLAYER text says it or not.
void test_player_promises(TestContext *t) {
    static const struct {
        const char *proto, *rest, *wanted;
    } rows[] = {
        {"uci", "",
         "setoption name Ponder value false\nsetoption name Hash value 16\n"
         "setoption name Threads value 1\nisready"},
        {"uci", "ponder=yes,hash=32,threads=2",
         "setoption name Ponder value true\nsetoption name Hash value 32\n"
         "setoption name Threads value 2\nisready"},
        {"uci", "option.Threads=4,option.ponder=true",
         "setoption name Hash value 16\nsetoption name Threads value 4\n"
         "setoption name ponder value true\nisready"},
        {"ucci", "", "setoption Ponder false\nsetoption hashsize 16\nsetoption threads 1\nisready"},
        {"ucci", "quirk=init:setoption threads 3",
         "setoption threads 3\nsetoption Ponder false\nsetoption hashsize 16\nisready"},
        {"cecp", "", "memory 16\ncores 1\nping 1"},
        {"cecp", "hash=8,threads=2", "memory 8\ncores 2\nping 1"},
    };
    static const Clock none[SIDE_COUNT] = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char limits[120];
        snprintf(limits, sizeof limits, "depth=2%s%s", *rows[i].rest ? "," : "", rows[i].rest);
        check_go(t, rows[i].proto, "", limits, none, rows[i].wanted);
    }
    CHECK_INT(option_value_nearest("type spin default 64 min 32 max 1024", 16), 32);
    CHECK_INT(option_value_nearest("type spin min 1 max 8 default 8\ntype spin min 64", 16), 8);
    CHECK_INT(option_value_nearest("type string default <empty>", 16), 16);
}

void test_player_limits(TestContext *t) {
    Clock none[SIDE_COUNT] = {0}, fixed[SIDE_COUNT] = {0}, timed[SIDE_COUNT] = {0},
          sessions[SIDE_COUNT] = {0};
    TimeControl control;
    Err err = {0};
    CHECK(timecontrol_parse_move("0.15", &control, &err) == STATUS_OK);
    for (int side = 0; side < SIDE_COUNT; side++) clock_start(&fixed[side], &control);
    CHECK(timecontrol_parse("10+0.1", &control, &err) == STATUS_OK);
    for (int side = 0; side < SIDE_COUNT; side++) clock_start(&timed[side], &control);
    timed[BLACK].left_ns = 8500 * MS_NS;
    CHECK(timecontrol_parse("40/1:05", &control, &err) == STATUS_OK);
    for (int side = 0; side < SIDE_COUNT; side++) clock_start(&sessions[side], &control);
    check_go(t, "uci", "", "nodes=1000,hash=32,option.Two Words=a b", none,
             "uci\nsetoption name Hash value 32\nsetoption name Threads value 1\n"
             "setoption name Two Words value a b\nisready\n"
             "ucinewgame\nisready\nposition fen " START_FEN "\ngo nodes 1000");
    check_go(t, "uci", "", "depth=6,nodes=500", none, "go nodes 500 depth 6");
    check_go(t, "uci", "", "st=0.15", fixed, "go movetime 150");
    check_go(t, "uci", "", "tc=10+0.1", timed, "go wtime 10000 btime 8500 winc 100 binc 100");
    check_go(t, "uci", "", "tc=40/1:05", sessions,
             "go wtime 65000 btime 65000 winc 0 binc 0 movestogo 40");
    check_go(t, "cyclone", "", "depth=3", none, "newgame\nfen " START_FEN "\ngo depth 3");
    check_go(t, "ucci", "", "st=0.15", fixed, "ucci\ngo time 0 movestogo 1");
    check_go(t, "ucci", "ms=1", "st=0.15", fixed,
             "setoption usemillisec true\ngo time 150 movestogo 1");
    check_go(t, "ucci", "ms=1", "tc=10+0.1", timed,
             "go time 10000 increment 100 opptime 8500 oppincrement 100");
    check_go(t, "ucci", "", "tc=40/1:05", sessions,
             "go time 65 movestogo 40 opptime 65 oppincrement 0");
    check_go(
        t, "cecp", "", "st=0.15", fixed,
        "xboard\nprotover 2\nping 1\nnew\nvariant xiangqi\nforce\nping 2\n"
        "setboard rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 0 1\nforce\nst "
        "0.15\ngo");
    check_go(t, "cecp", "", "tc=10+0.1,depth=4", timed,
             "level 0 0:10 0.1\nsd 4\ntime 1000\notim 850\ngo");
    check_go(t, "cecp", "", "tc=40/1:05", sessions, "level 40 1:05 0\ntime 6500\notim 6500\ngo");
}

// Plays a turn of the player, then a move of the opponent: the move that the player expects if
// `expected`, else another one.
static void ponder_turn(TestContext *t, Player *player, Game *game, bool expected) {
    PlayerReply reply;
    const PlayerTurn turn = {.game = game, .patience_ns = PATIENCE_MS * MS_NS};
    player_go(player, &turn, &reply);
    if (!CHECK_MSG(reply.fault == PLAYER_NONE, "%s", reply.note)) return;
    CHECK_INT(reply.move, mock_engine_move(&game->now));
    game_push(game, reply.move);
    player_ponder(player, &turn);
    MoveList list;
    position_legal_moves(&game->now, &list);
    const Move best = mock_engine_move(&game->now);
    const Move other = list.moves[0] == best ? list.moves[1] : list.moves[0];
    game_push(game, expected ? best : other);
}

// Tests pondering: the opponent plays the expected move, or another move, or the game ends. If
// `ponders` is false, pondering is switched off. `keys` select a mock that waits for ponderhit, or
// one that answers at once.
static void check_ponder(TestContext *t, const char *proto, const char *keys, bool ponders) {
    char log[600], rest[700], wanted[1200], moves[4][5];
    snprintf(log, sizeof log, "%s/player-log", t->scratch);
    snprintf(rest, sizeof rest, "depth=2,ponder=%s,log=%s", ponders ? "yes" : "no", log);
    remove(log);
    AUTO(PlayerSpec) spec = {.program = false};
    Player *player = open_mock(t, proto, keys, rest, &spec);
    AUTO(Game) game = {0};
    game_new(&game);
    if (player && begin(t, player, &game, START_FEN)) {
        ponder_turn(t, player, &game, true);
        ponder_turn(t, player, &game, false);
        ponder_turn(t, player, &game, true);
        for (size_t i = 0; i < 4; i++) move_to_uci(game.plies[i].move, moves[i]);
        play(t, player, &game, START_FEN, 3, keys);
        CHECK_INT(player->restarts, 0);
    }
    player_close(player);
    snprintf(wanted, sizeof wanted,
             "position fen " START_FEN " moves %s %s\ngo ponder depth 2\nponderhit\n"
             "stop\nisready\nposition fen " START_FEN " moves %s %s %s %s\ngo depth 2",
             moves[0], moves[1], moves[0], moves[1], moves[2], moves[3]);
    check_log(t, log, ponders ? wanted : "go depth 2\ngo depth 2\ngo depth 2",
              ponders ? NULL : "go ponder");
    if (ponders && strcmp(proto, "uci") == 0) {
        check_log(t, log, "setoption name Ponder value true", NULL);
    }
}

void test_player_ponder(TestContext *t) {
    check_ponder(t, "uci", "ponder=1", true);
    check_ponder(t, "uci", "ponder=2", true);
    check_ponder(t, "ucci", "ponder=1", true);
    check_ponder(t, "ucci", "ponder=2", true);
    check_ponder(t, "uci", "ponder=1", false);
}

void test_player_history(TestContext *t) {
    AUTO(Game) game = {0};
    Position start;
    char move[5], wanted[600];
    position_init_start(&start);
    game_init(&game, &start);
    game_push_text(&game, "h2e2 h9g7 e2e6 b9c7", 0, NULL);
    move_to_uci(mock_engine_move(&game.now), move);
    snprintf(wanted, sizeof wanted, "position fen " START_FEN " moves h2e2 h9g7 e2e6 b9c7 %s a9a8",
             move);
    check_history(t, "uci", wanted, NULL);
    // UCCI sends the position after the last capture and the moves that followed. The last capture
    // is the cannon's move e2e6, or the mock engine's reply if this is a capture.
    char fen[FEN_SIZE];
    const Move reply = mock_engine_move(&game.now);
    const bool capture = position_is_capture(&game.now, reply);
    game_push(&game, reply);
    position_to_fen(game_position(&game, capture ? 5 : 3), FEN_UCI, fen);
    snprintf(wanted, sizeof wanted,
             "position fen rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2 "
             "moves b9c7\n"
             "position fen %s moves %s%s%sa9a8",
             fen, capture ? "" : "b9c7 ", capture ? "" : move, capture ? "" : " ");
    check_history(t, "ucci", wanted, NULL);
    // XBoard's protocol sends the position once and then only new moves. The engine's own moves are
    // not sent.
    check_history(t, "cecp",
                  "setboard rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 0 1\n"
                  "force\nh2e2\nh9g7\ne2e6\nb9c7\nsd 2\ngo\nforce\na9a8\nsd 2\ngo",
                  NULL);
    check_history(t, "cecp",
                  "setboard rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 0 1",
                  "setboard");
}

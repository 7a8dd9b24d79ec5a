// SPDX-License-Identifier: GPL-3.0-or-later
// The mock engine. KEYs of its command line:
//   ranks=1      number of the lowest rank (default 0)
//   do=WHAT      fault of the mock; the list of faults is below
//   at=N         misbehave at the Nth `go`, counted from 1; 0: at the start, before the handshake
//   once=FILE    misbehave only once, even after a restart: the mock creates FILE to know it
//   usermove=1, setboard=0, smp=0   features of the cecp protocol
//   ms=1         ucci: it has the option usemillisec
//   deaf=1       uci, ucci: ignore the moves after a position
//   quiet=N      answer that no move exists after N plies without a capture
//   depth=N      depth that it reports (default 3)
//   sign=N       point of view of its score, see think_score()
//   mates=1      report a mate in 3 instead of a score other than 0
//   bound=1      report only bounds: lowerbound, or `!` in XBoard's protocol
//   bound=2      after the score, also report the upper bound 777, in XBoard's protocol by `?` at
//                the end of the line
//   comma=1      report scores in pawns, with a decimal comma
//   ponder=1     name the expected answer, and after `go ponder` wait for ponderhit or stop
//   ponder=2     name the expected answer, but answer `go ponder` at once
// Faults (WHAT). A line with two names describes the two faults in the same order:
//   crash, abort      exit with status 3; die by SIGKILL
//   hang, close       print nothing more; close standard output, then hang
//   flood, endless    print lines without end; print one line without end
//   noise             print all byte values, incomplete replies and a very long line, then a move
//   late              answer a search only after a line that begins with 's' or '?'
//   illegal, garbage  play an illegal move; answer with text that is not a move
//   nothing, resign   answer that no move exists (cecp: claim a win); resign
//   claim             claim a draw after the move
//   exit, leave       exit after the move; claim a win of Black and exit after the move
//   repetition        cecp: claim a draw when a position occurs for the third time
//   refuse            uci, ucci: report that an option cannot be set
#include "tests/selfplay/mock_engine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/random.h"
#include "core/rules/game.h"
#include "selfplay/engines/conversation.h"

typedef struct Mock {
    Protocol protocol;
    int ranks, at, usermove, setboard, ms, deaf, depth, ponder, sign, mates, bound, comma, smp,
        quiet;
    bool pondering; // the mock ponders and waits for ponderhit or stop
    const char *what, *once;
    int searches;
    bool over;    // XBoard's protocol: the mock has claimed a result
    bool force;   // XBoard's protocol: the mock has received "force", and no "go" since then
    bool variant; // XBoard's protocol: the variant xiangqi was chosen
    Game game;
    char line[16384];
} Mock;

enum { MOCK_UNREADABLE = 9, MOCK_UNKNOWN = 1 };

Move mock_engine_move(const Position *position) {
    MoveList list;
    position_legal_moves(position, &list);
    return list.count ? list.moves[random_mix(position->key) % (uint64_t)list.count] : MOVE_NONE;
}

// Prints on stderr why the mock ends, and exits.
static void give_up(const Mock *mock, const char *why, int status) {
    fprintf(stderr, "mock: %s in '%s'\n", why, mock->line);
    exit(status);
}

static void sleep_for_ever(void) {
    signal(SIGTERM, SIG_IGN);
    for (;;) pause();
}

// Commits the fault that the key do= names if it is one of those below, which come before a move.
// Returns only if the mock can continue after it.
static void misbehave(Mock *mock) {
    const char *what = mock->what;
    if (strcmp(what, "crash") == 0) exit(3);
    if (strcmp(what, "abort") == 0) raise(SIGKILL);
    if (strcmp(what, "hang") == 0) sleep_for_ever();
    if (strcmp(what, "close") == 0) {
        fclose(stdout);
        close(STDOUT_FILENO);
        sleep_for_ever();
    }
    if (strcmp(what, "flood") == 0) {
        for (;;) puts("info string round and round and round we go, and nobody knows when we stop");
    }
    if (strcmp(what, "endless") == 0) {
        for (;;) {
            putchar('x');
            fflush(stdout);
            usleep(1000);
        }
    }
    if (strcmp(what, "noise") == 0) {
        for (int c = 1; c < 256; c++) putchar(c);
        static const char replies[] =
            "\0\0\nbestmov\n\nmove\nfeature done\ninfo depth\ninfo score cp\n";
        fwrite(replies, 1, sizeof replies - 1, stdout);
        for (int i = 0; i < 200000; i++) putchar('y');
        putchar('\n');
    }
}

static void say_move(const Mock *mock, const char *move) {
    printf("%s %s", mock->protocol == PROTOCOL_CECP ? "move" : "bestmove", move);
    const Move best = move_scan(move, strlen(move), mock->ranks);
    Position after;
    if (mock->ponder && best != MOVE_NONE) {
        char expected[MOVE_TEXT_SIZE];
        position_do_move(&mock->game.now, best, &after);
        move_write(mock_engine_move(&after), mock->ranks, expected);
        printf(" ponder %s", expected);
    }
    putchar('\n');
}

// Returns true if the mock must misbehave now. With once=FILE, the mock misbehaves only if FILE
// does not exist yet. In this case creates FILE.
static bool is_time(const Mock *mock) {
    if (mock->searches != mock->at) return false;
    FILE *mark = mock->once ? fopen(mock->once, "wx") : NULL;
    if (mark) fclose(mark);
    return !mock->once || mark;
}

// Returns the score that the mock reports: -25. With the key sign=N, returns 900 times the
// difference of the numbers of chariots: side to move minus opponent (N=1), opponent minus side to
// move (N=-1), or Red minus Black (N=2).
static int think_score(const Mock *mock) {
    const Position *now = &mock->game.now;
    int sum = 0;
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = now->board[square];
        if (piece == PIECE_NONE || piece_type(piece) != CHARIOT) continue;
        sum += piece_side(piece) == RED ? 900 : -900;
    }
    const int own = now->stm == RED ? sum : -sum;
    return mock->sign == 0 ? -25 : mock->sign == 2 ? sum : mock->sign * own;
}

// Prints the search information: score, depth, nodes, and a line that begins with `move`.
static void say_score(const Mock *mock, const char *move) {
    const bool cecp = mock->protocol == PROTOCOL_CECP, bound = mock->bound == 1;
    const int score = think_score(mock), size = abs(score);
    char value[32];
    const char *minus = score < 0 ? "-" : "";
    if (mock->comma) {
        snprintf(value, sizeof value, "%s%d,%02d", minus, size / 100, size % 100);
    } else {
        snprintf(value, sizeof value, "%d", score);
    }
    const char *kind = mock->protocol == PROTOCOL_UCI ? "cp " : "";
    if (mock->mates && score) {
        // A mate in 3 moves, or the side to move is mated in 3 moves.
        snprintf(value, sizeof value, "%s%d", minus, cecp ? 100003 : 3);
        kind = "mate ";
    }
    if (cecp) {
        printf("%d %s%s 1 1234 h2e2\n", mock->depth, value, bound ? "!" : "");
        if (mock->bound == 2) printf("%d 777 1 1234 h2e2?\n", mock->depth + 1);
        return;
    }
    printf("info depth %d seldepth 9 score %s%s %snodes 1234 time 1 pv %s nonsense\n", mock->depth,
           kind, value, bound ? "lowerbound " : "", move);
    if (mock->bound == 2) {
        printf("info depth %d score cp 777 upperbound nodes 1234 pv %s\n", mock->depth + 1, move);
    }
}

static void think(Mock *mock) {
    mock->searches++;
    const bool now = is_time(mock);
    const bool cecp = mock->protocol == PROTOCOL_CECP;
    char text[MOVE_TEXT_SIZE];
    if (now && strcmp(mock->what, "late") == 0) {
        while (fgets(mock->line, sizeof mock->line, stdin) && mock->line[0] != 's' &&
               mock->line[0] != '?') {
            continue;
        }
    } else if (now && strcmp(mock->what, "illegal") == 0) {
        move_write(move_make(0, 89), mock->ranks, text);
        say_move(mock, text);
        return;
    } else if (now && strcmp(mock->what, "garbage") == 0) {
        say_move(mock, "Nc3");
        return;
    } else if ((now && strcmp(mock->what, "nothing") == 0) ||
               (mock->quiet > 0 && mock->game.now.halfmove >= mock->quiet)) {
        puts(cecp ? "1-0 {White mates}" : "bestmove (none)");
        mock->over = cecp;
        return;
    } else if (now && strcmp(mock->what, "resign") == 0) {
        puts(cecp ? "resign" : "bestmove resign");
        return;
    } else if (now) {
        misbehave(mock);
    }
    const Move move = mock_engine_move(&mock->game.now);
    if (move == MOVE_NONE) give_up(mock, "go in a finished game", MOCK_UNREADABLE);
    move_write(move, mock->ranks, text);
    say_score(mock, text);
    say_move(mock, text);
    if (cecp) game_push(&mock->game, move);
    if (now && strcmp(mock->what, "claim") == 0) {
        puts("1/2-1/2 {Draw by repetition}");
        mock->over = true;
    }
    if (now && strcmp(mock->what, "exit") == 0) exit(0);
    if (now && strcmp(mock->what, "leave") == 0) {
        puts("0-1 {and away}");
        exit(0);
    }
}

static void set_position(Mock *mock, const char *fen) {
    Position position;
    Err err = {0};
    if (position_from_fen(&position, fen, &err) != STATUS_OK)
        give_up(mock, err.text, MOCK_UNREADABLE);
    game_reset(&mock->game, &position);
}

static void push(Mock *mock, const char *text) {
    const Move move = move_scan(text, strlen(text), mock->ranks);
    const Position *now = &mock->game.now;
    if (move == MOVE_NONE || !position_is_pseudo_legal(now, move) ||
        !position_is_legal(now, move)) {
        give_up(mock, "an illegal move", MOCK_UNREADABLE);
    }
    game_push(&mock->game, move);
}

// ---- UCI and UCCI ----------------------------------------------------------------------------

static void read_position(Mock *mock, char *text) {
    char *moves = strstr(text, " moves ");
    if (moves) *moves = '\0';
    if (strncmp(text, "fen ", 4) == 0) {
        set_position(mock, text + 4);
    } else if (strcmp(text, "startpos") == 0) {
        set_position(mock, START_FEN);
    } else {
        give_up(mock, "no position", MOCK_UNREADABLE);
    }
    char *cursor = moves ? moves + 7 : NULL;
    if (mock->deaf) return;
    for (char *move; (move = text_next_field(&cursor, ' ')) != NULL;) push(mock, move);
}

static bool serve_uci(Mock *mock, char *line) {
    const bool ucci = mock->protocol == PROTOCOL_UCCI;
    if (strcmp(line, ucci ? "ucci" : "uci") == 0) {
        puts("id name Mock 1.0\nid author nobody");
        if (ucci && mock->ms) puts("option usemillisec type check default false");
        puts(ucci ? "option hashsize type spin min 0 max 1024 default 64\n"
                    "option threads type spin min 1 max 64 default 8\n"
                    "option ponder type check default true\nucciok"
                  : "option name Hash type spin default 64 min 1 max 1024\n"
                    "option name Threads type spin default 8 min 1 max 64\n"
                    "option name Ponder type check default true\n"
                    "option name Two Words type string default x\nuciok");
    } else if (strcmp(line, "isready") == 0) {
        puts("readyok");
    } else if (strncmp(line, "position ", 9) == 0) {
        read_position(mock, line + 9);
    } else if (strncmp(line, "fen ", 4) == 0) {
        read_position(mock, line);
    } else if (strncmp(line, "go ", 3) == 0) {
        printf("info string limits%s\n", line + 2);
        mock->pondering = mock->ponder == 1 && strncmp(line, "go ponder", 9) == 0;
        if (!mock->pondering) think(mock);
    } else if (mock->pondering && (strcmp(line, "ponderhit") == 0 || strcmp(line, "stop") == 0)) {
        mock->pondering = false;
        think(mock);
    } else if (strncmp(line, "setoption ", 10) == 0 && strcmp(mock->what, "refuse") == 0) {
        printf("info %s this cannot be set\n", ucci ? "message" : "string");
    } else if (strcmp(line, "stop") == 0 && ucci) {
        puts("nobestmove");
    } else if (strcmp(line, "quit") == 0) {
        return false;
    }
    return true;
}

// ---- XBoard's protocol -----------------------------------------------------------------------

// Reads the lines of the command `edit`, which set up a position, up to a line with a dot. Red is
// then the side to move.
static void read_edit(Mock *mock) {
    static const char letters[] = " KAEHRCP";
    Piece board[SQUARE_COUNT] = {PIECE_NONE};
    Side side = RED;
    while (fgets(mock->line, sizeof mock->line, stdin)) {
        const char *line = mock->line;
        const char *type = strchr(letters, line[0]);
        if (line[0] == '.') break;
        if (line[0] == '#') memset(board, PIECE_NONE, sizeof board);
        if (line[0] == 'c') side = side_other(side);
        if (line[0] == '#' || line[0] == 'c') continue;
        if (!type || line[1] < 'a' || line[1] > 'i' || line[2] < '0' || line[2] > '9') {
            give_up(mock, "no piece", MOCK_UNREADABLE);
        }
        board[square_make(line[1] - 'a', line[2] - '0')] =
            piece_make(side, (PieceType)(type - letters));
    }
    Position position;
    Err err = {0};
    if (position_from_board(&position, board, RED, 0, 1, &err) != STATUS_OK) {
        give_up(mock, err.text, MOCK_UNREADABLE);
    }
    game_reset(&mock->game, &position);
}

// Returns how often the current position has occurred in the game that the mock plays.
static int occurrences(const Mock *mock) {
    int count = 0;
    for (size_t i = 0; i <= mock->game.count; i++) {
        count += game_position(&mock->game, i)->key == mock->game.now.key;
    }
    return count;
}

static void take_cecp_move(Mock *mock, const char *text) {
    if (mock->over) exit(1);
    if (!mock->force || !mock->variant) give_up(mock, "a move out of turn", MOCK_UNREADABLE);
    push(mock, text);
    if (strcmp(mock->what, "repetition") == 0 && occurrences(mock) >= 3) {
        puts("1/2-1/2 {3 repetitions}");
        mock->over = true;
    }
}

static bool serve_cecp(Mock *mock, char *line) {
    static const char *const known[] = {"xboard", "easy",  "post",  "nopost",  "level ", "st ",
                                        "sd ",    "time ", "otim ", "memory ", "cores ", "option "};
    if (strncmp(line, "protover ", 9) == 0) {
        puts("#[Mock] > noise before the features\nfeature done=0");
        printf("feature ping=1 setboard=%d usermove=%d memory=1 smp=%d myname=\"Mock 1.0\"\n",
               mock->setboard, mock->usermove, mock->smp);
        puts("feature variants=\"normal,xiangqi\" option=\"Two Words -string x\" done=1");
    } else if (strcmp(line, "new") == 0) {
        set_position(mock, START_FEN);
        mock->force = mock->over = mock->variant = false;
    } else if (strcmp(line, "variant xiangqi") == 0) {
        mock->variant = true;
    } else if (strcmp(line, "force") == 0) {
        mock->force = true;
    } else if (strncmp(line, "ping ", 5) == 0) {
        printf("pong %s\n", line + 5);
    } else if (strncmp(line, "setboard ", 9) == 0 && mock->setboard) {
        set_position(mock, line + 9);
    } else if (strcmp(line, "edit") == 0) {
        read_edit(mock);
    } else if (strcmp(line, "black") == 0) {
        Position turned;
        position_do_null(&mock->game.now, &turned);
        game_reset(&mock->game, &turned);
    } else if (strcmp(line, "go") == 0) {
        mock->force = false;
        if (!mock->over) think(mock);
    } else if (strncmp(line, "usermove ", 9) == 0 && mock->usermove) {
        take_cecp_move(mock, line + 9);
    } else if (move_scan(line, strlen(line), mock->ranks) != MOVE_NONE && !mock->usermove) {
        take_cecp_move(mock, line);
    } else if (strcmp(line, "quit") == 0) {
        return false;
    } else {
        bool fine = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            fine = fine || strncmp(line, known[i], strlen(known[i])) == 0;
        }
        if (!fine) give_up(mock, "an unknown command", MOCK_UNKNOWN);
    }
    return true;
}

// ---- main loop -------------------------------------------------------------------------------

static int *number_key(Mock *mock, const char *key) {
    const struct {
        const char *name;
        int *value;
    } keys[] = {
        {"ranks", &mock->ranks},       {"at", &mock->at},         {"usermove", &mock->usermove},
        {"setboard", &mock->setboard}, {"ms", &mock->ms},         {"deaf", &mock->deaf},
        {"depth", &mock->depth},       {"ponder", &mock->ponder}, {"sign", &mock->sign},
        {"mates", &mock->mates},       {"bound", &mock->bound},   {"quiet", &mock->quiet},
        {"comma", &mock->comma},       {"smp", &mock->smp}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strncmp(key, keys[i].name, strlen(keys[i].name)) == 0) return keys[i].value;
    }
    return NULL;
}

int mock_engine_main(int argc, char **argv) {
    Mock *mock = calloc(1, sizeof *mock);
    if (!mock || argc < 1) return 2;
    *mock = (Mock){.setboard = 1, .smp = 1, .depth = 3, .what = "", .at = -1};
    mock->protocol = strcmp(argv[0], "cecp") == 0   ? PROTOCOL_CECP
                     : strcmp(argv[0], "ucci") == 0 ? PROTOCOL_UCCI
                                                    : PROTOCOL_UCI;
    for (int i = 1; i < argc; i++) {
        int *number = number_key(mock, argv[i]);
        if (number) *number = atoi(strchr(argv[i], '=') + 1);
        if (strncmp(argv[i], "do=", 3) == 0) mock->what = argv[i] + 3;
        if (strncmp(argv[i], "once=", 5) == 0) mock->once = argv[i] + 5;
    }
    Position start;
    position_init_start(&start);
    game_init(&mock->game, &start);
    if (is_time(mock)) misbehave(mock);
    while (fgets(mock->line, sizeof mock->line, stdin)) {
        mock->line[strcspn(mock->line, "\r\n")] = '\0';
        if (!(mock->protocol == PROTOCOL_CECP ? serve_cecp : serve_uci)(mock, mock->line)) break;
        fflush(stdout);
    }
    game_clear(&mock->game);
    free(mock);
    return 0;
}

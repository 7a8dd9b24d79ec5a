// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the protocol server with whole sessions and searches of a few nodes. If the first byte of
// an input is 9 (SCRIPT_BYTES) or more, the input is sent unchanged. Any other input is a script:
// its bytes select valid and invalid lines that a GUI might send, in UCI, Cyclone's UCI or UCCI.
// Each session must end by itself with status 0. In a script, each `go` must be answered. UCI and
// Cyclone's UCI have exactly one answer to each `go`. It is a legal move in the last position, or
// for `go perft` a count of nodes. It must be "(none)" if that position has no legal move or if the
// last `position` command was refused. It may be "(none)" after `go` with searchmoves, which may
// exclude all legal moves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/rules/game.h"
#include "core/uci/uci.h"
#include "tests/fuzz/fuzz.h"

enum {
    SCRIPT_BYTES = 9, // an input whose first byte is less than this is a script. Any other input is
                      // text, which begins with a tab (9) or a larger byte
    LINES_MAX = 60,
    MOVES_MAX = 12,
};

typedef enum Tongue { TONGUE_UCI, TONGUE_CYCLONE, TONGUE_UCCI, TONGUE_COUNT } Tongue;

// Expected answer to `go`. A_MOVE_OR_NONE: the list of searchmoves may exclude all legal moves.
typedef enum Wanted { A_MOVE_OR_NONE, A_MOVE, NO_MOVE } Wanted;

typedef struct Session {
    const uint8_t *data;
    size_t size, at;
    Tongue tongue;
    Text lines;
    Position now; // position that the engine should have on its board
    bool refused; // the last `position` command was invalid, so `now` is still the position before
                  // it
    Position asked[LINES_MAX]; // the position at the time of each `go`
    Wanted wanted[LINES_MAX];  // kind of answer that each `go` must get
    int asked_count;
} Session;

static const char *const fens[] = {
    START_FEN,
    "3k5/9/9/9/9/9/5r3/9/3r5/4K4 b - - 0 1",   // Black is to move and can stalemate Red in one move
    "3k5/9/9/9/9/9/9/5r3/3r5/4K4 w - - 0 1",   // Red is to move and is stalemated
    "3k1a3/9/9/9/9/9/9/9/9/4KA3 w - - 0 1",    // no piece can cross the river
    "3k5/4a4/9/9/9/9/9/9/9/3RK4 b - - 119 80", // Black is in check, near the limit of plies without
                                               // a capture
    "2bak4/2c1a3c/4b1n2/1nN1pR3/p5p1p/7r1/P2R2P1P/B3C1N2/1r2C4/3AKAB2 w - - 0 1",
    "1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w - - 118 1",
};

// Names of options in UCI and UCCI; some names are invalid. Their values come from the list
// `values`.
static const char *const options[] = {"Hash",
                                      "Threads",
                                      "MultiPV",
                                      "Ponder",
                                      "Move Overhead",
                                      "Rules",
                                      "Material",
                                      "Max Checks",
                                      "Weights",
                                      "Clear Hash",
                                      "batch",
                                      "usemillisec",
                                      "hashsize",
                                      "newgame",
                                      "threads",
                                      "Nothing",
                                      ""};
static const char *const values[] = {"1",       "2",       "0",   "-5",  "true",
                                     "false",   "none",    "cxa", "axf", "literal",
                                     "classic", "default", "x",   "",    "99999999999999999999"};
static const char *const limits[] = {"depth",     "nodes",     "movetime", "mate",
                                     "wtime",     "btime",     "winc",     "time",
                                     "movestogo", "increment", "opptime",  "nonsense"};
static const char *const idle_lines[] = {
    "isready",        "d",      "eval",       "help",     "uci", "ucci",
    "newgame",        "stop x", "ucinewgame", "",         " \t", "probe",
    "probe startpos", "fens",   "positions",  "setoption"};

#define PICK(session, table) table[next(session) % (sizeof table / sizeof *table)]

static uint8_t next(Session *session) {
    return session->at < session->size ? session->data[session->at++] : 0;
}

// ---- lines -------------------------------------------------------------------------------------

// Appends " moves ..." with moves that are played from *after: either legal moves that the bytes of
// the input choose, or arbitrary moves. *after becomes the position after them. Returns false if
// one of them is illegal; the server must then refuse the whole position.
static bool add_moves(Session *session, Position *after) {
    int count = next(session) % MOVES_MAX;
    if (count) text_add(&session->lines, " moves");
    for (; count > 0; count--) {
        MoveList legal;
        char text[5];
        const uint8_t choice = next(session);
        position_legal_moves(after, &legal);
        Move move = move_make(choice % SQUARE_COUNT, next(session) % SQUARE_COUNT);
        if (choice < 250 && legal.count > 0) move = legal.moves[choice % legal.count];
        if (move_from(move) == move_to(move)) return true;
        move_to_uci(move, text);
        text_add(&session->lines, " %s", text);
        if (move_parse_legal(after, text, 4, 0, &move, NULL) != STATUS_OK) return false;
        const Position before = *after;
        position_do_move(&before, move, after);
    }
    return true;
}

static void add_position(Session *session) {
    const bool start = next(session) % 3 == 0;
    char fen[FEN_SIZE];
    snprintf(fen, sizeof fen, "%s", start ? START_FEN : PICK(session, fens));
    const uint8_t damage = next(session);
    if (!start && damage < 64) fen[damage % strlen(fen)] = (char)(' ' + next(session) % 95);
    Position after;
    bool good = position_from_fen(&after, fen, NULL) == STATUS_OK;
    text_add(&session->lines, "%s", session->tongue == TONGUE_CYCLONE ? "" : "position ");
    text_add(&session->lines, start ? "startpos" : "fen %s", fen);
    if (good) good = add_moves(session, &after);
    text_add(&session->lines, "\n");
    if (good) session->now = after;
    session->refused = !good;
}

static void add_go(Session *session) {
    Text *lines = &session->lines;
    if (session->asked_count == LINES_MAX) return;
    bool only = false;
    text_add(lines, "go");
    const uint8_t form = next(session);
    if (form % 4 == 0) text_add(lines, " infinite");
    if (form % 8 == 1) text_add(lines, " ponder");
    if (form % 8 == 3) text_add(lines, " draw");
    if (form % 16 == 5) text_add(lines, " perft %d", next(session) % 4);
    for (int count = form / 64; count > 0; count--) {
        text_add(lines, " %s", PICK(session, limits));
        text_add(lines, " %d", next(session) - 20);
    }
    if (form % 16 == 7) {
        only = true;
        text_add(lines, " searchmoves a0a1 h2e2 e0e1 a0a9");
    }
    text_add(lines, "\n");
    session->asked[session->asked_count] = session->now;
    session->wanted[session->asked_count++] = session->refused ? NO_MOVE
                                              : only           ? A_MOVE_OR_NONE
                                                               : A_MOVE;
}

static void add_option(Session *session) {
    const bool ucci = session->tongue == TONGUE_UCCI;
    text_add(&session->lines, "setoption %s%s", ucci ? "" : "name ", PICK(session, options));
    text_add(&session->lines, "%s%s\n", ucci ? " " : " value ", PICK(session, values));
}

static void add_noise(Session *session) {
    Text *lines = &session->lines;
    text_add(lines, "?");
    for (int count = next(session) % 24; count > 0; count--) {
        const char byte = (char)next(session);
        // Line ends are replaced, so that the text stays one line.
        text_add_bytes(lines, byte == '\n' || byte == '\r' ? " " : &byte, 1);
    }
    if (next(session) == 255) {
        for (int i = 0; i < 20000; i++) text_add(lines, "0123456789");
    }
    text_add(lines, "\n");
}

static void add_line(Session *session) {
    Text *lines = &session->lines;
    switch (next(session) % 12) {
    case 0:
    case 1:
    case 2:
        add_position(session);
        break;
    case 3:
    case 4:
    case 5:
        add_go(session);
        break;
    case 6:
        for (int count = 1 + next(session) % 40; count > 0; count--) text_add(lines, "stop\n");
        break;
    case 7:
        text_add(lines, next(session) % 2 ? "ponderhit\n" : "ponderhit draw\n");
        break;
    case 8:
        add_option(session);
        break;
    case 9:
        text_add(lines, "banmoves h2e2 a0a1 e0e1 b0c2 zz\n");
        break;
    case 10:
        add_noise(session);
        break;
    default:
        text_add(lines, "%s\n", PICK(session, idle_lines));
        break;
    }
}

static void write_session(Session *session) {
    static const char *const hello[] = {"uci\n", "uci\nnewgame\n", "ucci\n"};
    session->tongue = (Tongue)(next(session) % TONGUE_COUNT);
    position_init_start(&session->now);
    text_add(&session->lines, "%s", hello[session->tongue]);
    for (int i = 0; i < LINES_MAX && session->at < session->size; i++) add_line(session);
    if (next(session) % 2 == 0 && session->size % 2) text_add(&session->lines, "quit\n");
}

// ---- answers -----------------------------------------------------------------------------------

static void bug(const Session *session, const char *what, const char *line, const char *out) {
    fprintf(stderr, "%s: %.80s\n--- sent\n%s--- said\n%s", what, line, text_get(&session->lines),
            out);
    abort();
}

// Checks a line `bestmove`, the answer to the `go` with index `at` of a UCI session. In UCCI it is
// not checked, because banmoves may exclude all moves.
static void check_move(const Session *session, int at, const char *line, const char *out) {
    const Position *position = &session->asked[at];
    Move move;
    if (strncmp(line, "bestmove (none)", 15) == 0) {
        if (session->wanted[at] == A_MOVE && !position_no_legal_move(position)) {
            bug(session, "no move, but there are some", line, out);
        }
    } else if (session->wanted[at] == NO_MOVE ||
               move_parse_legal(position, line + strlen("bestmove "), 4, 0, &move, NULL) !=
                   STATUS_OK) {
        bug(session, "an illegal move", line, out);
    }
}

static void check_answers(const Session *session, const char *out) {
    int answers = 0;
    // A session in another protocol may switch to UCCI.
    const bool ucci = session->tongue == TONGUE_UCCI || strstr(out, "ucciok\n");
    for (const char *line = out, *next_line; *line; line = next_line) {
        next_line = line + strcspn(line, "\n");
        next_line += *next_line == '\n';
        const bool move = strncmp(line, "bestmove ", 9) == 0;
        if (!move && strncmp(line, "nobestmove\n", 11) != 0 &&
            strncmp(line, "Nodes searched: ", 16) != 0) {
            continue;
        }
        // In UCCI, `stop` is answered even if the engine is idle.
        if (!ucci && answers >= session->asked_count) {
            bug(session, "an answer without a go", line, out);
        }
        if (move && !ucci) check_move(session, answers, line, out);
        answers++;
    }
    if (answers < session->asked_count) bug(session, "a go without an answer", "", out);
}

// ---- the target --------------------------------------------------------------------------------

static char *run(const char *text, size_t size) {
    static const UciSetup setup = {.node_cap = 100, .hash_cap_mb = 1, .threads_cap = 2};
    char *copy = memory_alloc(size, 1), *said = NULL;
    size_t said_size = 0;
    memcpy(copy, text, size);
    FILE *in = fmemopen(copy, size, "r"), *out = open_memstream(&said, &said_size);
    require(in && out && uci_main(in, out, out, &setup) == 0);
    fclose(in);
    fclose(out);
    free(copy);
    return said;
}

FUZZ(protocol) {
    if (size == 0) return;
    if (data[0] >= SCRIPT_BYTES) {
        free(run((const char *)data, size));
        return;
    }
    Session *session = memory_alloc(1, sizeof *session);
    *session = (Session){.data = data, .size = size};
    write_session(session);
    char *said = run(session->lines.data, session->lines.length);
    check_answers(session, said);
    free(said);
    text_clear(&session->lines);
    free(session);
}

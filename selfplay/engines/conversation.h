// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation with an engine: its process, what it said of itself, what it knows of the game.
// The three protocols (protocol.h) say and read the lines. Any bytes may come.
#pragma once

#include "core/rules/game.h"
#include "selfplay/engines/player_spec.h"
#include "selfplay/engines/process.h"

// ---- answers ----------------------------------------------------------------------------------

typedef enum AnswerKind {
    ANSWER_OTHER,   // noise, or nothing that a match needs
    ANSWER_HELLO,   // the handshake is over: uciok, ucciok, feature done=1
    ANSWER_BUSY,    // feature done=0: it asks for time
    ANSWER_ABOUT,   // id, option, feature: about itself
    ANSWER_INFO,    // of a search that goes on
    ANSWER_MOVE,    // its move
    ANSWER_NO_MOVE, // it says that it has none
    ANSWER_RESIGN,
    ANSWER_DRAW,    // offers a draw
    ANSWER_CLAIM,   // says that the game is over: 1-0, 0-1, 1/2-1/2
    ANSWER_REFUSAL, // does not accept a move that was sent
} AnswerKind;

enum { SEARCH_LINE_SIZE = 256 };

// A later line of a search replaces what it names.
typedef struct SearchInfo {
    bool has_score;
    int score_cp; // from the engine's side, its own hundredths; 0 with a mate
    int mate;     // plies to mate, > 0 when the engine mates, < 0 when it is mated; 0: none seen
    int depth;
    uint64_t nodes;
    char line[SEARCH_LINE_SIZE]; // the moves it expects, as it writes them, as far as they fit
} SearchInfo;

typedef struct Answer {
    AnswerKind kind;
    char move[MOVE_TEXT_SIZE];   // as it was written, for ANSWER_MOVE; empty when it is too long
    char ponder[MOVE_TEXT_SIZE]; // the reply that it expects; empty: it names none
    bool resigns, offers_draw;   // beside the move (UCCI)
} Answer;

// ---- the conversation -------------------------------------------------------------------------

enum { ENGINE_NAME_SIZE = 120, LAST_WORDS_SIZE = 480, EVALUATION_SIZE = 240 };

// XBoard's features; without the engine's word they are off.
typedef enum Feature {
    FEATURE_SETBOARD,
    FEATURE_USERMOVE,
    FEATURE_PING,
    FEATURE_MEMORY,
    FEATURE_SMP,
    FEATURE_COUNT
} Feature;

typedef struct Conversation {
    const PlayerSpec *spec; // borrowed
    const struct ProtocolOps *protocol;
    Quirks quirks; // with the usual times where it has none, and the feature reuse
    bool features[FEATURE_COUNT];
    bool milliseconds; // UCCI: times are not in seconds
    Process *process;  // NULL when it does not run
    uint64_t serial;   // of pings
    char engine_name[ENGINE_NAME_SIZE];
    Text options; // a line of each option that it declares: name, tab, type and range
    Text remarks; // lines that it said after its options were set, and that may refuse one
    char evaluation[EVALUATION_SIZE]; // what evaluates, as our own program says; "": unknown
    FILE *log;
    int64_t begun_ns;                 // when it was started
    char last_words[LAST_WORDS_SIZE]; // when it ended: how
    bool lives;                       // it closed its streams, but its process did not end
    // The game:
    bool bare; // it gets positions without their history
    // XBoard's engines get a position once, then moves: they know so many plies of the game, and
    // the position behind them has this key. No position was sent yet where that is 0.
    size_t known;
    uint64_t known_key;
} Conversation;

// Starts the program of a spec, shakes hands, sends the quirks' `init`, sets hash, threads and the
// spec's options, and waits until it is ready. Values are checked against the options that the
// program declares; our own program must not refuse one. The error says what went wrong; the
// conversation is then closed. Zero-initialised before; a closed one may be opened again.
Status conversation_open(Conversation *talk, const PlayerSpec *spec, Err *err);
// Ends the program (politely first, when polite) and frees everything.
void conversation_close(Conversation *talk, bool polite);

// Sends whole lines. False when they cannot be written.
bool conversation_say(Conversation *talk, const char *lines);

// The next line, read as an answer. *line stays valid until the next call.
ProcessRead conversation_listen(Conversation *talk, int64_t deadline_ns, SearchInfo *info,
                                Answer *answer, const char **line);

// Asks whether it is ready and waits for the answer; what it says in between is passed over.
// PROCESS_LINE: it is, or it knows no such question. Else what happened instead.
ProcessRead conversation_sync(Conversation *talk, int wait_ms);

// Deadline so many milliseconds from now.
int64_t conversation_deadline(int ms);

// For protocols: the engine says its name.
void conversation_take_name(Conversation *talk, const char *name, size_t length);

// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation with an engine: its process, its name and options, and the moves that were sent to
// it. The protocols (protocol.h) format and parse the lines. An engine may send any bytes.
#pragma once

#include "core/rules/game.h"
#include "selfplay/engines/player_spec.h"
#include "selfplay/engines/process.h"

// ---- answers ----------------------------------------------------------------------------------

typedef enum AnswerKind {
    ANSWER_OTHER,   // a line that a match does not need
    ANSWER_HELLO,   // end of the handshake: uciok, ucciok, feature done=1
    ANSWER_BUSY,    // feature done=0: the engine needs more time for the handshake
    ANSWER_ABOUT,   // id, option, feature: data of the engine
    ANSWER_INFO,    // output of a running search
    ANSWER_MOVE,    // a move
    ANSWER_NO_MOVE, // the engine reports that it has no move
    ANSWER_RESIGN,
    ANSWER_DRAW,    // a draw offer
    ANSWER_CLAIM,   // a claim that the game is over: 1-0, 0-1, 1/2-1/2
    ANSWER_REFUSAL, // a rejection of a move that was sent
} AnswerKind;

enum { SEARCH_LINE_SIZE = 256 };

// Data of a search. A later line replaces the values that it contains.
typedef struct SearchInfo {
    bool has_score;
    int score_cp; // centipawns of the engine, from its point of view; 0 if mate is set
    int mate;     // plies to mate, > 0 if the engine mates, < 0 if it is mated; 0: no mate found
    int depth;
    uint64_t nodes;
    char line[SEARCH_LINE_SIZE]; // principal variation as text, cut after a whole word if it is too
                                 // long
} SearchInfo;

typedef struct Answer {
    AnswerKind kind;
    char move[MOVE_TEXT_SIZE];   // text of the move for ANSWER_MOVE; empty if it is too long
    char ponder[MOVE_TEXT_SIZE]; // text of the expected reply; empty if the engine names none
    bool resigns, offers_draw;   // sent together with the move (UCCI)
} Answer;

// ---- the conversation -------------------------------------------------------------------------

enum { ENGINE_NAME_SIZE = 120, LAST_WORDS_SIZE = 480, EVALUATION_SIZE = 240 };

// Features of XBoard's protocol. A feature is off unless the engine switches it on.
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
    Quirks quirks; // quirks of the spec, with default times filled in; no_reuse is also set by the
                   // feature reuse=0
    bool features[FEATURE_COUNT];
    bool milliseconds; // UCCI: times are sent in milliseconds, not in seconds
    Process *process;  // NULL if no process was started
    uint64_t serial;   // number of the last ping
    char engine_name[ENGINE_NAME_SIZE];
    Text options; // one line for each declared option: name, tab, type and range
    Text remarks; // messages that followed the setting of options; one may reject an option
    char evaluation[EVALUATION_SIZE]; // description of the evaluation, which only Paotai prints; ""
                                      // if unknown
    FILE *log;
    int64_t begun_ns;                 // start time of the conversation, by clock_now_ns()
    char last_words[LAST_WORDS_SIZE]; // description of the end of the process or of its output
    bool lives;                       // the process still ran after it closed its input or output
    // State of the current game:
    bool bare; // positions are sent without their history
    // XBoard's protocol: number of plies of the game that were sent to the engine, and the key of
    // the position after them. The key is 0 if no position was sent yet.
    size_t known;
    uint64_t known_key;
} Conversation;

// Starts the program of a spec and completes the handshake. Then sends the `init` lines of the
// quirks, hash, threads and the options of the spec, and waits until the program is ready. Values
// are checked against the options that the program declares. Fails if Paotai as a program rejects
// an option. On failure the conversation is closed. A closed conversation may be opened again.
Status conversation_open(Conversation *talk, const PlayerSpec *spec, Err *err);
// Ends the program and frees everything. If `polite`, sends `quit` and gives the program stop_ms to
// end; otherwise kills it at once.
void conversation_close(Conversation *talk, bool polite);

// Sends whole lines. Returns false if they could not be written.
bool conversation_say(Conversation *talk, const char *lines);

// Reads the next line and parses it as an answer. *line stays valid until the next call.
ProcessRead conversation_listen(Conversation *talk, int64_t deadline_ns, SearchInfo *info,
                                Answer *answer, const char **line);

// Sends `isready` or `ping` and waits for the reply. Skips other lines. Returns PROCESS_LINE if the
// engine is ready, or if the command cannot be sent to this engine; otherwise the reason for the
// failure.
ProcessRead conversation_sync(Conversation *talk, int wait_ms);

// Returns the time `ms` milliseconds from now, in the units of clock_now_ns().
int64_t conversation_deadline(int ms);

// Stores the name of the engine. The protocols call this function.
void conversation_take_name(Conversation *talk, const char *name, size_t length);

// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation with an engine: its process, its name and options, and which part of the game was
// sent to it. The protocols (protocol.h) format the commands and parse the answers. An engine may
// send any bytes.
#pragma once

#include "core/rules/game.h"
#include "selfplay/engines/player_spec.h"
#include "selfplay/engines/process.h"

// ---- parsed lines of an engine ----------------------------------------------------------------

typedef enum AnswerKind {
    ANSWER_OTHER,   // any other line
    ANSWER_HELLO,   // the engine has completed the handshake: uciok, ucciok, feature done=1
    ANSWER_BUSY,    // feature done=0: the engine needs more time to complete the handshake
    ANSWER_ABOUT,   // name, option or feature of the engine, sent during the handshake
    ANSWER_INFO,    // output of a search, such as score, depth and principal variation
    ANSWER_MOVE,    // the engine plays a move
    ANSWER_NO_MOVE, // the engine reports that it has no move
    ANSWER_RESIGN,  // the engine resigns
    ANSWER_DRAW,    // the engine offers a draw
    ANSWER_CLAIM,   // the engine claims that the game is over: 1-0, 0-1, 1/2-1/2
    ANSWER_REFUSAL, // the engine rejects a move that we have sent
} AnswerKind;

enum { SEARCH_LINE_SIZE = 256 };

// The remedy if scores have decimals and were not read (SearchInfo.unread_score).
#define SCORE_UNIT_REMEDY                                                                          \
    "its scores have decimals: add quirk=score_unit:100 if they are in pawns, quirk=score_unit:1 " \
    "if they are in centipawns"

// Data that the engine reported about its search. A value of a later line replaces the earlier
// value, except that a bound never replaces a score.
typedef struct SearchInfo {
    bool has_score;       // an exact score was reported; it is in score_cp or `mate`
    bool ends_with_bound; // the last reported score is a lower or upper bound
    bool unread_score;    // a score was not read: it has decimals, and without the quirk score_unit
                          // its unit is unknown
    int score_cp;         // score in centipawns as the engine reports it; 0 if `mate` is set
    int mate;  // plies to mate: > 0 if the engine mates, < 0 if the engine is mated, 0 if it has
               // found no mate
    int depth; // depth in plies of the score or, without a score, of the last line; 0 if unknown
    uint64_t nodes;              // number of nodes; 0 if unknown
    char line[SEARCH_LINE_SIZE]; // principal variation as text, cut after a whole word if it is too
                                 // long
    // First move of `line`, and the state of the search when the engine first reported this move.
    // The move has been the first one in all lines since then.
    char first[MOVE_TEXT_SIZE];
    int first_depth;
    uint64_t first_nodes;
    int64_t first_clock_ns; // time of this report, in the units of clock_now_ns()
} SearchInfo;

typedef struct Answer {
    AnswerKind kind;
    char move[MOVE_TEXT_SIZE];   // text of the played move if the kind is ANSWER_MOVE; empty if the
                                 // text is too long
    char ponder[MOVE_TEXT_SIZE]; // text of the reply that the engine expects; empty if the engine
                                 // names none or the text is too long
    bool resigns, offers_draw;   // the line with the move also resigns or offers a draw (UCCI)
} Answer;

// ---- the conversation -------------------------------------------------------------------------

enum { ENGINE_NAME_SIZE = 120, LAST_WORDS_SIZE = 480, EVALUATION_SIZE = 240 };

// Optional features of XBoard's protocol. A feature is off unless the engine switches it on.
typedef enum Feature {
    FEATURE_SETBOARD,
    FEATURE_USERMOVE,
    FEATURE_PING,
    FEATURE_MEMORY,
    FEATURE_SMP,
    FEATURE_COUNT
} Feature;

typedef struct Conversation {
    const PlayerSpec *spec; // description of the player, borrowed
    const struct ProtocolOps *protocol;
    Quirks quirks; // deviations of the engine from its protocol; times that the player does not set
                   // have default values; the feature reuse=0 also sets no_reuse
    bool features[FEATURE_COUNT];
    bool milliseconds; // UCCI: times are sent in milliseconds, not in seconds
    Process *process;  // process of the engine; NULL if it was not started
    uint64_t serial;   // number in the last `ping` that was sent
    char engine_name[ENGINE_NAME_SIZE];
    Text options; // options that the engine declared, one per line: name, tab, type and range
    Text remarks; // messages of the engine after the options of the spec were set, one per line; a
                  // message may say that an option was rejected
    char evaluation[EVALUATION_SIZE]; // description of the engine's evaluation; only Paotai prints
                                      // one; "" if unknown
    FILE *log;                        // log of all lines in both directions; NULL: no log
    int64_t begun_ns; // time at which the conversation began, in the units of clock_now_ns()
    char last_words[LAST_WORDS_SIZE]; // why no further line can be exchanged (for example how the
                                      // process ended), and the last output of the process
    bool unreachable; // no further line can be exchanged, although the process did not end: it
                      // closed its input or output, or did not read its input in time
    bool deaf;        // the process did not read its input in time
    // The following members are the state of the current game.
    bool bare; // positions are sent as a FEN without the preceding moves
    // XBoard's protocol: number of plies of the game that the engine knows, and the hash key of the
    // position after them. The key is 0 if the engine does not know a position yet.
    size_t known;
    uint64_t known_key;
} Conversation;

// Starts the program and completes the handshake. Then sends the `init` lines of the quirks and the
// hash size, the number of threads and the options in *spec, and waits until the program is ready.
// Returns STATUS_USAGE if an option or its value contradicts the options that the program declares.
// If the program is itself Paotai, also returns STATUS_USAGE if it rejects an option, or if a
// search parameter has no effect under the limits in *spec. On failure the conversation is closed.
// A closed conversation may be opened again.
Status conversation_open(Conversation *talk, const PlayerSpec *spec, Err *err);
// Ends the program and frees everything. If `polite`, sends `quit` and calls process_stop() with
// Quirks.stop_ms; otherwise kills the program at once.
void conversation_close(Conversation *talk, bool polite);

// Sends one or more complete lines. Returns false, and says why in last_words, if the lines could
// not be written within Quirks.start_ms.
bool conversation_say(Conversation *talk, const char *lines);

// Reads the next line of the engine and parses it into *info and *answer. Waits at most until
// deadline_ns (in the units of clock_now_ns()). *line stays valid until the next call.
ProcessRead conversation_listen(Conversation *talk, int64_t deadline_ns, SearchInfo *info,
                                Answer *answer, const char **line);

// Sends `isready` or `ping` and waits at most wait_ms milliseconds for the reply. Ignores other
// lines, except Paotai's description of its evaluation. Returns PROCESS_LINE if the engine is
// ready, or if its protocol or its quirks allow no such command; otherwise the reason for the
// failure.
ProcessRead conversation_sync(Conversation *talk, int wait_ms);

// Returns the time `ms` milliseconds from now, in the units of clock_now_ns().
int64_t conversation_deadline(int ms);

// Stores the name that an engine reports for itself. The protocols call this function.
void conversation_take_name(Conversation *talk, const char *name, size_t length);

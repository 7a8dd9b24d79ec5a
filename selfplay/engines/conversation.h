// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation with an engine by its profile: what is said (templates), and what its answers mean
// in UCI, UCCI and XBoard's protocol. Any bytes may come.
#pragma once

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

enum { ANSWER_MOVE_SIZE = 8, SEARCH_LINE_SIZE = 256 };

// What a search has said about itself. A later line replaces what it names.
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
    char move[ANSWER_MOVE_SIZE];   // as it was written, for ANSWER_MOVE; empty when it is too long
    char ponder[ANSWER_MOVE_SIZE]; // the answer that it expects; empty: it names none
    bool resigns, offers_draw;     // beside the move (UCCI)
} Answer;

// Reads a line. Information goes into *info, which the caller clears before a search.
Answer answer_read(Protocol protocol, const char *line, SearchInfo *info);

// A move as the engine writes it ("h2e2", "h10g8"), its first rank being first_rank. MOVE_NONE when
// it is none.
Move answer_move(const char *text, int first_rank);
// The other way; text holds ANSWER_MOVE_SIZE bytes.
void answer_write_move(Move move, int first_rank, char *text);

// The next NAME=VALUE of a line `feature ...` (*cursor behind the word at first). Values may be
// quoted.
bool answer_next_feature(const char **cursor, const char **name, size_t *name_length,
                         const char **value, size_t *value_length);
// The name of the option that a line (UCI, UCCI) or the value of a feature `option` (cecp)
// declares.
bool answer_option_name(Protocol protocol, const char *line, const char **name, size_t *length);

// ---- the conversation -------------------------------------------------------------------------

enum { LAST_WORDS_SIZE = 120 };

typedef struct Conversation {
    Profile profile;  // with what the handshake settled (features of cecp)
    Process *process; // NULL when it does not run
    TimeUnit unit;    // of times without a unit
    uint64_t serial;  // of synchronisations
    char engine_name[LAST_WORDS_SIZE];
    Text options; // names of the options it declares, each followed by a newline
    Text about;   // everything it said about itself in the handshake, line by line
    Text out;     // what is being said
    FILE *log;
    int64_t begun_ns, hello_ns;       // when it was started; until the end of the handshake
    char last_words[LAST_WORDS_SIZE]; // when it ended: how
} Conversation;

// Starts the program of a spec, shakes hands, sends the profile's `init`, sets hash, threads and
// the spec's options, and waits until it is ready. The error says what went wrong; the conversation
// is then closed. Zero-initialised before; a closed one may be opened again.
Status conversation_open(Conversation *talk, const PlayerSpec *spec, Err *err);
// Ends the program (politely first, when polite) and frees everything.
void conversation_close(Conversation *talk, bool polite);

// Sends the lines of a template field; nothing when it is empty. False when it cannot be written.
bool conversation_say(Conversation *talk, ProfileField field, const PlaceValues *values);
bool conversation_say_text(Conversation *talk, const char *lines, size_t length);

// The next line, read as an answer. *line stays valid until the next call.
ProcessRead conversation_listen(Conversation *talk, int64_t deadline_ns, SearchInfo *info,
                                Answer *answer, const char **line);

// Asks whether it is ready and waits for the answer; what it says in between is passed over.
// PROCESS_LINE: it is, or the profile has no such question. Else what happened instead.
ProcessRead conversation_sync(Conversation *talk, int64_t deadline_ns);

// Deadline so many milliseconds from now.
int64_t conversation_deadline(int ms);

// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation with an engine by its profile: starting, shaking hands, options, being in step.
#pragma once

#include "selfplay/engines/engine_answers.h"
#include "selfplay/engines/player_spec.h"
#include "selfplay/engines/process.h"

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

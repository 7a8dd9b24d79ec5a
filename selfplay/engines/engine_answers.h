// SPDX-License-Identifier: GPL-3.0-or-later
// What an engine says, read line by line: UCI, UCCI and XBoard's protocol. Any bytes may come.
#pragma once

#include "selfplay/engines/profile.h"

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

enum { ANSWER_MOVE_SIZE = 8 };

// What a search has said about itself. A later line replaces what it names.
typedef struct SearchInfo {
    bool has_score;
    int score_cp; // from the engine's side, its own hundredths; 0 with a mate
    int mate;     // plies to mate, > 0 when the engine mates, < 0 when it is mated; 0: none seen
    int depth;
    uint64_t nodes;
} SearchInfo;

typedef struct Answer {
    AnswerKind kind;
    char move[ANSWER_MOVE_SIZE]; // as it was written, for ANSWER_MOVE; empty when it is too long
    bool resigns, offers_draw;   // beside the move (UCCI)
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

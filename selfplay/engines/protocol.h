// SPDX-License-Identifier: GPL-3.0-or-later
// How the three protocols speak (uci.c, ucci.c, cecp.c), and what they share.
#pragma once

#include "selfplay/engines/player.h"

typedef struct ProtocolOps {
    const char *hello, *stop;
    const char *ponderhit; // NULL: it has no words for thinking on the opponent's time
    Answer (*read)(const char *line, SearchInfo *info);
    // Takes a line of the handshake: name, options, features.
    void (*take_about)(Conversation *talk, const char *line);
    const char *option[2]; // the words before the name and before the value of an option
    // The rest appends whole lines.
    void (*new_game)(const Conversation *talk, const TimeControl *control, Text *out);
    // Everything that is said at a turn; `ponder`: on the opponent's time.
    void (*turn)(Conversation *talk, const PlayerTurn *turn, bool ponder, Text *out);
} ProtocolOps;

extern const ProtocolOps protocol_uci, protocol_ucci, protocol_cecp;

// ---- reading ------------------------------------------------------------------------------------

enum { ANSWER_SCORE_MAX = 1000000, ANSWER_DEPTH_MAX = 255 };

// Does a line begin with these words? Then *rest is behind them.
bool answer_begins(const char *line, const char *head, const char **rest);
// The next word as a whole number, or false. "12." and "12+" are numbers too where loose.
bool answer_next_number(const char **cursor, bool loose, long long *value);
int answer_clamp(long long value, int low, int high);
// Moves to mate as protocols count them -> plies: the mating side makes the last move.
int answer_mate_plies(long long moves);
// The next word; false where there is none. One that is too long becomes "".
bool answer_next_move(const char **cursor, char move[MOVE_TEXT_SIZE]);
bool answer_is_legal(const Position *position, Move move); // MOVE_NONE is not
// Copies the expected line, whole words only.
void answer_copy_line(const char *from, SearchInfo *info);
Answer uci_read(const char *line, SearchInfo *info);
void uci_take_about(Conversation *talk, const char *line);
// Returns true if a line is a message to people; *text is what it says.
bool uci_says(const char *line, const char **text);

// ---- writing ------------------------------------------------------------------------------------

// Appends a move as the engine writes it.
void protocol_add_move(const Conversation *talk, Move move, Text *out);
// `position fen ...` with the game's moves from ply `first` on.
void uci_add_position(const Conversation *talk, const Game *game, size_t first, Text *out);
// `go` with nodes and depth.
void uci_add_go(const Conversation *talk, bool ponder, Text *out);
// Appends `head` and the legal moves that the handicap forbids, or those that are left. False, and
// nothing is appended, when it forbids none.
bool uci_add_odds(const Conversation *talk, const PlayerTurn *turn, const char *head,
                  bool forbidden, Text *out);

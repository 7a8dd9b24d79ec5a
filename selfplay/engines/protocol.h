// SPDX-License-Identifier: GPL-3.0-or-later
// The formatting and parsing of the three protocols (uci.c, ucci.c, cecp.c), and their shared
// functions.
#pragma once

#include "selfplay/engines/player.h"

enum { SYNC_TEXT_SIZE = 32 };

// Everything in which the protocols differ. Deviations of an engine are quirks (quirks.def).
typedef struct ProtocolOps {
    const char *name;
    const char *hello, *stop;
    const char *ponderhit; // NULL: the protocol does not support pondering
    bool limits_nodes;     // a search can be limited by nodes
    bool patient_hello;    // the handshake also ends after a silence, and its last line has data
    Answer (*read)(const char *line, SearchInfo *info);
    // Returns true if a line is a message for people. *text is the message.
    bool (*says)(const char *line, const char **text);
    // Stores the data of a handshake line: name, options, features.
    void (*take_about)(Conversation *talk, const char *line);
    const char *option[2]; // text before the name and before the value of an option
    // Writes the line that asks whether the engine is ready, and the expected reply. Returns
    // false if this engine has no such command.
    bool (*sync)(Conversation *talk, char question[SYNC_TEXT_SIZE], char answer[SYNC_TEXT_SIZE]);
    // The remaining functions append whole lines.
    // Appends what the protocol sets after the handshake; NULL: nothing.
    void (*agree)(Conversation *talk, Text *out);
    // Appends the setting of hash= or threads=. Returns STATUS_USAGE if the engine does not take
    // the value.
    Status (*set_size)(const Conversation *talk, bool threads, const char *value, Text *out,
                       Err *err);
    void (*new_game)(const Conversation *talk, const TimeControl *control, Text *out);
    // Appends all lines of a turn. `ponder` requests a search on the opponent's time.
    void (*turn)(Conversation *talk, const PlayerTurn *turn, bool ponder, Text *out);
} ProtocolOps;

extern const ProtocolOps protocol_uci, protocol_ucci, protocol_cecp;
extern const ProtocolOps *const protocols[]; // indexed by Protocol

// ---- reading ------------------------------------------------------------------------------------

enum { ANSWER_SCORE_MAX = 1000000, ANSWER_DEPTH_MAX = 255 };

// Returns true if a line begins with the words `head`. *rest is then the text after them.
bool answer_begins(const char *line, const char *head, const char **rest);
// Reads the next word as a whole number. Returns false if it is not one. If `loose`, one
// punctuation character may follow the number ("12.", "12+").
bool answer_next_number(const char **cursor, bool loose, long long *value);
int answer_clamp(long long value, int low, int high);
// Converts moves to mate into plies. The mating side makes the last move, so N moves are 2N - 1
// plies and -N moves are -2N plies. Returns 0 if the number is too large to be a mate.
int answer_mate_plies(long long moves);
// Reads the next word as the text of a move. Returns false at the end of the line. A word that is
// too long becomes "".
bool answer_next_move(const char **cursor, char move[MOVE_TEXT_SIZE]);
// Returns true if the move is legal. MOVE_NONE is not legal.
bool answer_is_legal(const Position *position, Move move);
// Copies the principal variation, cut after a whole word.
void answer_copy_line(const char *from, SearchInfo *info);
Answer uci_read(const char *line, SearchInfo *info);
void uci_take_about(Conversation *talk, const char *line);
// Returns true if a line begins with `info string` or `info message`. *text is the rest.
bool uci_says(const char *line, const char **text);

// Returns the declaration of an option: type and range, up to the end of the line. Ignores the case
// of the name. Returns NULL if the program declares no such option.
const char *protocol_find_option(const Conversation *talk, const char *name);

// ---- writing ------------------------------------------------------------------------------------

// Appends the setting of an option.
void protocol_add_option(const Conversation *talk, const char *name, const char *value, Text *out);
// Appends the setting of an option if the declaration of the engine, if any, allows the value.
Status protocol_set_option(const Conversation *talk, const char *name, const char *value, Text *out,
                           Err *err);
bool uci_sync(Conversation *talk, char question[SYNC_TEXT_SIZE], char answer[SYNC_TEXT_SIZE]);
// Sets the options Hash and Threads.
Status uci_set_size(const Conversation *talk, bool threads, const char *value, Text *out, Err *err);
// Appends a move in the notation of the engine.
void protocol_add_move(const Conversation *talk, Move move, Text *out);
// Appends `position fen ...` with the moves of the game from ply `first` on.
void uci_add_position(const Conversation *talk, const Game *game, size_t first, Text *out);
// Appends `go` with the limits of nodes and depth, without a line end.
void uci_add_go(const Conversation *talk, bool ponder, Text *out);
// Appends `head` and the legal moves that the handicap forbids (`forbidden`) or allows. Returns
// false and appends nothing if the handicap forbids no move.
bool uci_add_odds(const Conversation *talk, const PlayerTurn *turn, const char *head,
                  bool forbidden, Text *out);

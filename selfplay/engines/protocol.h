// SPDX-License-Identifier: GPL-3.0-or-later
// The three protocols of engines (uci.c, ucci.c, cecp.c): functions that format commands and parse
// the lines of an engine, and functions that the protocols share.
#pragma once

#include "selfplay/engines/player.h"

enum { SYNC_TEXT_SIZE = 32 };

// The operations in which the protocols differ. Deviations of one engine from its protocol are
// quirks (quirks.def).
typedef struct ProtocolOps {
    const char *name;
    const char *hello, *stop; // commands that begin the handshake and that stop a search
    const char *ponderhit; // command that tells the engine that the expected move was played; NULL
                           // if the protocol has no pondering
    bool limits_nodes;     // the protocol can limit a search by nodes
    bool patient_hello; // the handshake also counts as complete after Quirks.silence_ms; the line
                        // that completes the handshake may contain features
    // Parses a line of an engine with these quirks. Adds what the line says about the search to
    // *info.
    Answer (*read)(const Quirks *quirks, const char *line, SearchInfo *info);
    // Returns true if a line of the engine is a message for people. *text is then the message.
    bool (*says)(const char *line, const char **text);
    // Stores what a line of the handshake says about the engine: name, options, features.
    void (*take_about)(Conversation *talk, const char *line);
    const char *option[2]; // parts of the command that sets an option: [0] is the text before the
                           // name, [1] the text before the value
    // Writes the command that checks whether the engine is ready, and the reply that a ready engine
    // prints. Returns false if this engine has no such command.
    bool (*sync)(Conversation *talk, char question[SYNC_TEXT_SIZE], char answer[SYNC_TEXT_SIZE]);
    // The following functions append complete command lines. agree() appends the commands that
    // follow the handshake; it is NULL if there are none.
    void (*agree)(Conversation *talk, Text *out);
    // Returns the name of the option that sets the hash size in MiB or, if `threads`, the number of
    // threads. NULL in XBoard's protocol, which has commands instead.
    const char *(*size_option)(const Conversation *talk, bool threads);
    void (*new_game)(const Conversation *talk, const TimeControl *control, Text *out);
    // Appends the commands that set up the position and start the search of a turn. If `ponder` is
    // set, the engine searches on its opponent's time (not in XBoard's protocol).
    void (*turn)(Conversation *talk, const PlayerTurn *turn, bool ponder, Text *out);
} ProtocolOps;

extern const ProtocolOps protocol_uci, protocol_ucci, protocol_cecp;
extern const ProtocolOps *const protocols[]; // the operations of each protocol, indexed by Protocol

// ---- parsing the lines of an engine -------------------------------------------------------------

enum { ANSWER_SCORE_MAX = 1000000, ANSWER_DEPTH_MAX = 255 };

// Returns true if a line begins with the words in `head`; blanks before them are ignored. *rest is
// then the text after these words.
bool answer_begins(const char *line, const char *head, const char **rest);
// Reads the next word as an integer. Returns false if the word is not an integer. If `loose`, one
// punctuation character may follow the number ("12.", "12+").
bool answer_next_number(const char **cursor, bool loose, long long *value);
int answer_clamp(long long value, int low, int high);

// A score as an engine writes it.
typedef struct AnswerScore {
    double value;  // the number, or the number of moves to mate if `mate` is set
    bool fraction; // the number has decimals, after a point or a comma
    bool mate;
    bool bound; // the score is a lower or upper bound
} AnswerScore;

// Reads the next word as a score: a number, perhaps with decimals. `!` or `?` after the number, as
// in XBoard's protocol, makes it a bound. Returns false, and leaves the cursor, if the word is not
// a score.
bool answer_next_score(const char **cursor, AnswerScore *score);
// Stores a score in *info, converted to centipawns as the quirk score_unit says. A bound is not
// stored, only its occurrence.
void answer_store_score(const Quirks *quirks, const AnswerScore *score, SearchInfo *info);
// Converts a number of moves to mate (negative: the engine is mated) into plies. The mating side
// makes the last move, so N moves are 2N - 1 plies and -N moves are -2N plies. Numbers beyond
// +-10000 count as +-10000. Returns 0 if the number is 0.
int answer_mate_plies(long long moves);
// Reads the next word as the text of a move. Returns false at the end of the line. Sets the text to
// "" if the word is too long.
bool answer_next_move(const char **cursor, char move[MOVE_TEXT_SIZE]);
// Returns true if the move is legal. MOVE_NONE is not legal.
bool answer_is_legal(const Position *position, Move move);
// Copies the principal variation to info->line. If it is too long, cuts it after a complete word.
void answer_copy_line(const char *from, SearchInfo *info);
// The operations `read` and `take_about` of UCI and UCCI.
Answer uci_read(const Quirks *quirks, const char *line, SearchInfo *info);
void uci_take_about(Conversation *talk, const char *line);
// Returns true if a line begins with `info string` or `info message`. *text is the rest.
bool uci_says(const char *line, const char **text);

// Returns the declaration of an option: its type and range, up to the next line end. Ignores the
// case of the name. Returns NULL if the engine has not declared the option.
const char *protocol_find_option(const Conversation *talk, const char *name);

// ---- formatting commands ------------------------------------------------------------------------

// Appends the command that sets an option of the engine.
void protocol_add_option(const Conversation *talk, const char *name, const char *value, Text *out);
// Like protocol_add_option(), but returns STATUS_USAGE if the engine has declared the option and
// its declaration does not allow the value.
Status protocol_set_option(const Conversation *talk, const char *name, const char *value, Text *out,
                           Err *err);
// The operation `sync` of UCI and UCCI.
bool uci_sync(Conversation *talk, char question[SYNC_TEXT_SIZE], char answer[SYNC_TEXT_SIZE]);
// The operation `size_option` of UCI.
const char *uci_size_option(const Conversation *talk, bool threads);
// Appends a move with ranks from 0 or from 1, as this engine writes moves.
void protocol_add_move(const Conversation *talk, Move move, Text *out);
// Appends the command `position fen ...`: the position after `first` plies of the game, and the
// moves after it.
void uci_add_position(const Conversation *talk, const Game *game, size_t first, Text *out);
// Appends `go`, or `go ponder`, with the player's limits of nodes and depth. Does not append a line
// end.
void uci_add_go(const Conversation *talk, bool ponder, Text *out);
// Appends `head` and a list of legal moves: the moves that the handicap forbids (if `forbidden`) or
// the moves that it allows. Returns false and appends nothing if the handicap forbids no move.
bool uci_add_odds(const Conversation *talk, const PlayerTurn *turn, const char *head,
                  bool forbidden, Text *out);

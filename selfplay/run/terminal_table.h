// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a terminal game: what its two files share.
#pragma once

#include "datasets/formats/formats.h"
#include "selfplay/run/terminal_game.h"

typedef struct Table {
    TerminalSetup setup;
    FILE *out;
    LineReader input;
    bool prompts; // the input is a terminal
    OddsGame og;
    Odds odds;        // of the game on the table, where it has any
    PlyRecord *plies; // of og
    size_t capacity;
    Clock clocks[SIDE_COUNT];
    int64_t turn_ns; // when the side to move began to think
    MoveReader moves;
    Player *player;
    Search *advice;
    EndReason reason; // END_NONE: the game goes on
    int result;       // from Red's side
    bool waits;       // after undo: the player moves after `go`
    bool quit;
    const char *rest; // of the line of a command
} Table;

// Prints a line.
void table_say(Table *table, const char *format, ...) PRINTF_LIKE(2, 3);
Side table_to_move(const Table *table);
// Returns the side of the person who typed the line: the only person's, else the side to move.
Side table_speaker(const Table *table);
// Is it the player's turn, unless it waits?
bool table_players_turn(const Table *table);
// "C2.5 h2e2 炮二平五"
void table_add_move(const Position *position, Move move, Text *text);
void table_show_board(Table *table);
void table_show_clock(Table *table);
void table_show_reasons(Table *table); // the referee's
// The board, unless blindfold, the clocks, and who is to move.
void table_show_turn(Table *table);

// A new game.
Status table_begin(Table *table, const Odds *odds, const Position *start, Err *err);
// Plays a move without a word.
PlyRecord *table_play(Table *table, Move move);
void table_judge(Table *table); // asks the referee, and says what he decides
void table_end_game(Table *table, EndReason reason, int result);
void table_lose(Table *table, Side loser, EndReason reason);
void table_let_player_move(Table *table);
// A move of a person, in any notation.
void table_read_move(Table *table, const char *text);
// Takes the last plies back.
void table_take_back(Table *table, size_t plies);

// Carries out a line: a command or a move. The line is changed.
void table_obey(Table *table, char *line);
// The first game of a file of any format that is imported.
Status table_load(Table *table, const char *path, Err *err);
// Writes the game as PGN.
Status table_save(Table *table, const char *path, Err *err);

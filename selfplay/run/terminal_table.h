// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a terminal game, shared by terminal_game.c (the game) and terminal_commands.c (the
// commands).
#pragma once

#include "datasets/formats/formats.h"
#include "selfplay/run/terminal_game.h"

typedef struct Table {
    TerminalSetup setup;
    FILE *out;
    LineReader input;
    bool prompts; // the input is a terminal
    OddsGame og;
    Odds odds;        // handicap of the current game, if og.odds is set
    PlyRecord *plies; // plies of og
    size_t capacity;
    Clock clocks[SIDE_COUNT];
    int64_t turn_ns; // time at which the side to move began to think
    MoveReader moves;
    Player *player;
    Search *advice;   // search for hints and draw offers; NULL until needed
    EndReason reason; // END_NONE until the game is over
    int result;       // 1 Red has won, 0 draw, -1 Black has won
    bool waits;       // the player does not move before the command `go`
    bool quit;
    const char *rest; // argument of the current command
} Table;

// Prints a line with the control characters replaced.
void table_say(Table *table, const char *format, ...) PRINTF_LIKE(2, 3);
Side table_to_move(const Table *table);
// Returns the side of the person who typed the line. With two people it is the side to move.
Side table_speaker(const Table *table);
// Returns true if the player must move now.
bool table_players_turn(const Table *table);
// Appends a move in three notations: "C2.5 h2e2 炮二平五".
void table_add_move(const Position *position, Move move, Text *text);
void table_show_board(Table *table);
void table_show_clock(Table *table);
void table_show_reasons(Table *table); // explanation of the referee's judgement
// Prints the board, unless blindfold, the clock and the side to move.
void table_show_turn(Table *table);

// Begins a new game and makes the player ready.
Status table_begin(Table *table, const Odds *odds, const Position *start, Err *err);
// Plays a move without printing anything. Returns its record.
PlyRecord *table_play(Table *table, Move move);
// Ends the game if the rules end it here. Warns at the second occurrence of a position.
void table_judge(Table *table);
void table_end_game(Table *table, EndReason reason, int result);
void table_lose(Table *table, Side loser, EndReason reason);
void table_let_player_move(Table *table);
// Reads and plays a move of a person, in any notation.
void table_read_move(Table *table, const char *text);
// Takes back the last `plies` plies.
void table_take_back(Table *table, size_t plies);

// Executes a line of the input: a command or a move. Changes the line.
void table_obey(Table *table, char *line);
// Continues the first game of a file of any format that `data import` reads.
Status table_load(Table *table, const char *path, Err *err);
// Writes the game as PGN.
Status table_save(Table *table, const char *path, Err *err);

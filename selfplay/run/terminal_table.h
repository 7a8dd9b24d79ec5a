// SPDX-License-Identifier: GPL-3.0-or-later
// State of a terminal game. terminal_game.c plays the game, terminal_commands.c executes the
// commands.
#pragma once

#include "core/system/in_file.h"
#include "datasets/formats/formats.h"
#include "selfplay/run/terminal_game.h"

typedef struct Table {
    TerminalSetup setup;
    FILE *out;
    LineReader input;
    bool prompts; // print a prompt before each line, because input and output are terminals
    OddsGame og;
    Odds odds;        // handicap of the current game; valid if og.odds is set
    PlyRecord *plies; // moves of the game with their scores, from the first move on
    size_t capacity;  // number of plies for which `plies` has room
    Clock clocks[SIDE_COUNT];
    int64_t
        turn_ns; // time at which the side to move began to think, in the units of clock_now_ns()
    MoveReader moves; // reads the moves that people type
    Player *player;
    Search *advice;   // search that finds hints and answers draw offers; NULL until needed
    EndReason reason; // reason for the end of the game; END_NONE while it is not over
    int result;       // result of the game: 1 if Red has won, 0 if it is drawn, -1 if Black has won
    bool waits; // our engine or the program moves only after the person has typed `go`; instead,
                // the person may type a move for it
    bool quit;
    const char *rest; // text after the name of the command that is executed, such as a file name
} Table;

// Prints a line. Replaces control characters, which could disturb the terminal.
void table_say(Table *table, const char *format, ...) PRINTF_LIKE(2, 3);
Side table_to_move(const Table *table);
// Returns the side of the person who typed the current line: with two people, the side to move.
Side table_speaker(const Table *table);
// Returns true if our engine or a program must move now: the game is not over, no person plays the
// side to move, and table->waits is not set.
bool table_players_turn(const Table *table);
// Appends a move in three notations, as in "C2.5 h2e2 炮二平五".
void table_add_move(const Position *position, Move move, Text *text);
void table_show_board(Table *table);
void table_show_clock(Table *table);
void table_show_reasons(Table *table); // prints how the referee judges the game, and why
// Prints the board, unless the game is blindfold. If the game is not over, also prints the clocks
// (if the side to move has one) and the side to move.
void table_show_turn(Table *table);

// Begins a new game and makes the player ready for it.
Status table_begin(Table *table, const Odds *odds, const Position *start, Err *err);
// Plays a move without printing anything. Returns the ply record of the move, without a score.
PlyRecord *table_play(Table *table, Move move);
// Ends the game if the rules end it in the current position. Warns if the position occurs for the
// second time.
void table_judge(Table *table);
// Ends the game and prints its result and the reason. `result` is 1 if Red has won, 0 if the game
// is drawn, -1 if Black has won.
void table_end_game(Table *table, EndReason reason, int result);
void table_lose(Table *table, Side loser, EndReason reason);
// Requests a move from our engine or from the program, and plays it. If the player resigns, fails
// or exceeds its time, it loses the game. Plays nothing if Ctrl-C ended the wait for a program.
void table_let_player_move(Table *table);
// Reads a move of a person, in any notation, and plays it.
void table_read_move(Table *table, const char *text);
// Takes back the last `plies` plies and shows the position. A player that is then to move waits for
// `go`.
void table_take_back(Table *table, size_t plies);

// Executes a line of the input, which is a command or a move. Modifies the line.
void table_obey(Table *table, char *line);
// Loads the first game of a file, in any format that `data import` reads, and continues it.
Status table_load(Table *table, const char *path, Err *err);
// Writes the game to a file as PGN.
Status table_save(Table *table, const char *path, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// A command line that is being translated. Only foreign.c and foreign_players.c use this header.
#pragma once

#include "core/command/options.h"

enum { PLAYERS_MAX = 64 };

typedef struct Translation {
    const Command *command;
    int count;
    char *const *words;
    Text options, arguments; // translated words with a blank before each
    Text *left_out;
    Text each;                 // KEY=VALUE,... for all players
    Text players[PLAYERS_MAX]; // PLAYER texts, without those of `each`
    int player_count;
    const char *rounds, *games, *kind;
    const char *elos[2]; // elo0 and elo1 of an SPRT
    const char *fen;     // position that is a line of input
    bool changed, unknown;
} Translation;

// Returns true if the arguments or options of the command are players.
bool foreign_has_players(const Command *command);
// Appends an option and its value to the translated words.
void foreign_add_option(Translation *self, const char *name, const char *value);
// Appends a line "WORD: reason" to the words that are left out.
void foreign_leave_out(Translation *self, const char *word, size_t length, const char *why);

// Adds KEY=VALUE to a player. Protects commas and backslashes in the value.
void foreign_add_field(Text *player, const char *key, size_t key_length, const char *value);
// Sets player number `at`, given as a PLAYER text or as the name of a program or of weights.
void foreign_add_player(Translation *self, const char *text, int at);
// Adds the words [first, end) of -engine or -each to a player.
void foreign_add_engine(Translation *self, Text *player, int first, int end);
// Appends the name of the command, its players, and how many games they play.
void foreign_add_contest(Translation *self, Text *line);

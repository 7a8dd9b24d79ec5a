// SPDX-License-Identifier: GPL-3.0-or-later
// A player as the command line describes it: "weights=new.txt,nodes=1000,name=A" is our engine in
// process, "cmd=fairy-stockfish,st=0.1" another program.
#pragma once

#include "selfplay/engines/profile.h"
#include "selfplay/engines/timecontrol.h"

enum { PLAYER_NAME_SIZE = 64, PLAYER_OPTIONS_MAX = 64 };

typedef struct PlayerOption {
    char *name, *value;
} PlayerOption;

// Zero where the text said nothing. Release with player_spec_clear().
typedef struct PlayerSpec {
    char name[PLAYER_NAME_SIZE];
    bool program;   // another program; else our engine in process
    uint64_t nodes; // limits of each move
    int depth;
    TimeControl control; // `tc` or `st`
    int threads;
    double hash_mb;
    char *weights;   // our engine: as given; NULL
    char *log;       // a program: file that the conversation is written to; NULL
    Profile profile; // a program: how it is spoken to; its command is the one to run
    PlayerOption options[PLAYER_OPTIONS_MAX];
    int option_count;
} PlayerSpec;

// Parses a comma list of key=value; a backslash takes the next character as it is. Keys: cmd,
// proto, profile, name, weights, nodes, depth, st, tc, threads, hash, log, option.NAME. With cmd or
// profile the player is a program: the profile is the one named, else the built-in one of that
// program, else that of the protocol (uci). `what` names the option in errors ("--a").
// STATUS_USAGE.
Status player_spec_parse(const char *text, const char *what, PlayerSpec *spec, Err *err);
// Appends a value with the backslashes that player_spec_parse() takes out.
void player_spec_add_value(Text *text, const char *value);
// Sets option.NAME, anew or instead of the value it has. STATUS_USAGE when there are too many.
Status player_spec_set_option(PlayerSpec *spec, const char *name, const char *value, Err *err);
void player_spec_copy(PlayerSpec *to, const PlayerSpec *from);
void player_spec_clear(PlayerSpec *spec);

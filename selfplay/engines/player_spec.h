// SPDX-License-Identifier: GPL-3.0-or-later
// A player as the command line describes it: "weights=new.txt,nodes=1000,name=A" is our engine in
// process, "cmd=fairy-stockfish,st=0.1" another program.
#pragma once

#include "core/base/clock.h"
#include "selfplay/engines/quirks.h"

// Times are nanoseconds inside and never go through floating point once they are read.

// All zero: no control by time.
typedef struct TimeControl {
    int moves;       // of a session; 0: all moves of the game
    int64_t base_ns; // for the session
    int64_t inc_ns;  // added after each move
    int64_t move_ns; // fixed time of each move ("st="); then the others are 0
} TimeControl;

// "40/60+0.5", "10+0.1", "1:30+1", "60": [MOVES/]TIME[+INCREMENT] in seconds or M:SS. TIME is above
// 0. The caller says which option was wrong (err_usage()).
Status timecontrol_parse(const char *text, TimeControl *control, Err *err);
// Returns false if no time limits the moves.
bool timecontrol_is_used(const TimeControl *control);
// Seconds of each move, above 0.
Status timecontrol_parse_move(const char *text, TimeControl *control, Err *err);

typedef struct Clock {
    TimeControl control;
    int64_t left_ns; // until the flag falls; with a fixed time of each move: that time
    int moves_left;  // of the session; 0: no sessions
} Clock;

bool clock_is_used(const Clock *clock); // false: the control is not by time
void clock_start(Clock *clock, const TimeControl *control);
// A move took spent_ns. False when that is more than was left and the margin: the flag fell.
// Otherwise the time is taken off (never below nothing), the increment added, a new session begun.
bool clock_move(Clock *clock, int64_t spent_ns, int64_t margin_ns);

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
    bool has_margin;
    int64_t margin_ns; // that it may overstep its clock by, where has_margin
    char *weights;     // our engine: as given; NULL
    // Of a program:
    char *command;
    const Profile *profile; // its row in the table of engines
    Quirks quirks;          // of that row and `quirk`
    char *log;              // the conversation is written to this file; NULL: nowhere
    char *dir;              // that it works in; NULL: ours
    bool ponder;            // it thinks on its opponent's time
    PlayerOption options[PLAYER_OPTIONS_MAX];
    int option_count;
} PlayerSpec;

// Parses a comma list of key=value; a backslash takes the next character as it is. Keys: those of
// player_keys.def, and option.NAME. With cmd or profile the player is a program, spoken to by the
// profile that is named, else that of its program, else that of the protocol (uci). `what` names
// the option in errors ("--a"). STATUS_USAGE.
Status player_spec_parse(const char *text, const char *what, PlayerSpec *spec, Err *err);
// Appends a value with the backslashes that player_spec_parse() takes out.
void player_spec_add_value(Text *text, const char *value);
// Sets option.NAME, anew or instead of the value it has. STATUS_USAGE when there are too many.
Status player_spec_set_option(PlayerSpec *spec, const char *name, const char *value, Err *err);
// Has the player a limit of its own?
bool player_is_limited(const PlayerSpec *spec);
void player_spec_clear(PlayerSpec *spec);
AUTO_VALUE(PlayerSpec, player_spec_clear)

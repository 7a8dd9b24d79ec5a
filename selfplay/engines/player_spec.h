// SPDX-License-Identifier: GPL-3.0-or-later
// A player as described on the command line. "weights=new.txt,nodes=1000,name=A" is our engine in
// this process; "cmd=fairy-stockfish,st=0.1" is another program.
#pragma once

#include "core/base/clock.h"
#include "selfplay/engines/quirks.h"

// Times are integers in nanoseconds. Only the parser uses floating point for them.

// A time control. All zero means no clock.
typedef struct TimeControl {
    int moves;       // number of moves in a session; 0: one session for the whole game
    int64_t base_ns; // time for each session
    int64_t inc_ns;  // increment after each move
    int64_t move_ns; // fixed time for each move ("st="); the other fields are then 0
} TimeControl;

// Parses a time control such as "40/60+0.5", "10+0.1", "1:30+1" or "60": [MOVES/]TIME[+INCREMENT]
// in seconds or M:SS. TIME must be above 0. The caller adds the name of the option to the error
// (err_usage()).
Status timecontrol_parse(const char *text, TimeControl *control, Err *err);
// Returns false if no time limits the moves.
bool timecontrol_is_used(const TimeControl *control);
// Parses a fixed time for each move, in seconds or M:SS, above 0.
Status timecontrol_parse_move(const char *text, TimeControl *control, Err *err);

typedef struct Clock {
    TimeControl control;
    int64_t left_ns; // remaining time until the flag falls; the time for each move if that is fixed
    int moves_left;  // remaining moves of the session; 0: no sessions
} Clock;

bool clock_is_used(const Clock *clock); // Returns true if the clock limits the moves.
void clock_start(Clock *clock, const TimeControl *control);
// Updates the clock after a move that took spent_ns. Returns false if the flag fell: spent_ns is
// more than the remaining time plus the margin. Otherwise subtracts the time (down to 0 at most),
// adds the increment and begins a new session when one is complete. A fixed time for each move
// stays unchanged.
bool clock_move(Clock *clock, int64_t spent_ns, int64_t margin_ns);

enum { PLAYER_NAME_SIZE = 64, PLAYER_OPTIONS_MAX = 64 };

typedef struct PlayerOption {
    char *name, *value;
} PlayerOption;

// A parsed player. Keys that the text does not contain leave their fields zero. Release with
// player_spec_clear().
typedef struct PlayerSpec {
    char name[PLAYER_NAME_SIZE];
    bool program;        // true: another program; false: our engine in this process
    uint64_t nodes;      // node limit for each move; 0: unlimited
    int depth;           // depth limit in plies; 0: unlimited
    TimeControl control; // time control, from `tc` or `st`
    int threads;
    double hash_mb;
    bool has_margin;
    int64_t margin_ns; // time by which a move may exceed its clock, if has_margin is set
    char *weights;     // weights of our engine as written by the user; NULL if not specified
    // Fields of a program:
    char *command;
    const Profile *profile; // row in the table of engines
    Quirks quirks;          // quirks of the row and of the key `quirk`
    char *log;              // file that receives the conversation; NULL if not requested
    char *dir;              // working directory of the program; NULL: the current directory
    bool ponder;            // pondering is switched on
    PlayerOption options[PLAYER_OPTIONS_MAX];
    int option_count;
} PlayerSpec;

// Parses a comma-separated list of key=value. A backslash makes the next character literal. The
// keys are those of player_keys.def and option.NAME. With cmd or profile the player is a program.
// Its profile is the one named by `profile`, else the row of its command, else the row of its
// protocol (default uci). `what` names the option in errors ("--a"). Returns STATUS_USAGE for a
// wrong list.
Status player_spec_parse(const char *text, const char *what, PlayerSpec *spec, Err *err);
// Appends a value with the backslashes that player_spec_parse() removes.
void player_spec_add_value(Text *text, const char *value);
// Sets option.NAME, replacing an earlier value. Returns STATUS_USAGE if there are too many options.
Status player_spec_set_option(PlayerSpec *spec, const char *name, const char *value, Err *err);
// Returns true if the spec limits the search by nodes, depth or time.
bool player_is_limited(const PlayerSpec *spec);
void player_spec_clear(PlayerSpec *spec);
AUTO_VALUE(PlayerSpec, player_spec_clear)

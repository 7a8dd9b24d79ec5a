// SPDX-License-Identifier: GPL-3.0-or-later
// The description of a player by a PLAYER text on the command line.
// "weights=new.txt,nodes=1000,name=A" is our engine in this process; "cmd=fairy-stockfish,st=0.1"
// is another program.
#pragma once

#include "core/system/clock.h"
#include "selfplay/engines/quirks.h"

// All times are integers in nanoseconds. Floating point is used only to parse and print them.

// A time control. If all fields are 0, the player has no clock.
typedef struct TimeControl {
    int moves;       // number of moves after which base_ns is added to the clock again; 0: never
    int64_t base_ns; // time for the whole game or, if `moves` is not 0, for each `moves` moves, in
                     // nanoseconds
    int64_t inc_ns;  // time that is added to the clock after each move, in nanoseconds
    int64_t move_ns; // fixed time for each move, in nanoseconds ("st="); if not 0, the other
                     // members are 0
} TimeControl;

// Parses a time control such as "40/60+0.5", "10+0.1", "1:30+1" or "60": [MOVES/]TIME[+INCREMENT],
// with times in seconds or M:SS. TIME must be above 0. The error does not name the option or key;
// the caller adds it.
Status timecontrol_parse(const char *text, TimeControl *control, Err *err);
// Returns true if the time control limits the time of the moves.
bool timecontrol_is_used(const TimeControl *control);
// Parses a fixed time for each move, in seconds or M:SS, above 0.
Status timecontrol_parse_move(const char *text, TimeControl *control, Err *err);

// The limits of a player's searches. If all are 0, the player has no limit.
typedef struct PlayLimits {
    uint64_t nodes;      // node limit of each move; 0: unlimited
    int depth;           // depth limit of each move in plies; 0: unlimited
    TimeControl control; // time control, from `tc` or `st`
} PlayLimits;

typedef struct Clock {
    TimeControl control;
    int64_t left_ns; // remaining time in nanoseconds; constant if each move has a fixed time
    int moves_left;  // number of moves until base_ns is added again; 0: never
} Clock;

// Returns true if the clock limits the time of the moves.
bool clock_is_used(const Clock *clock);
// Sets the clock to the beginning of a game.
void clock_start(Clock *clock, const TimeControl *control);
// Updates the clock after a move that took spent_ns. Returns false, and leaves the clock unchanged,
// if spent_ns exceeds the remaining time plus margin_ns. Otherwise subtracts spent_ns (not below 0)
// and adds the increment. Also adds base_ns after every TimeControl.moves moves. A fixed time for
// each move stays unchanged.
bool clock_move(Clock *clock, int64_t spent_ns, int64_t margin_ns);

enum { PLAYER_NAME_SIZE = 64, PLAYER_OPTIONS_MAX = 64 };

// Number of threads and hash size in MiB that are sent to a program which has these options, unless
// the player sets them.
enum { PLAYER_THREADS = 1, PLAYER_HASH_MB = 16 };

typedef struct PlayerOption {
    char *name, *value;
} PlayerOption;

// A parsed PLAYER text. A member is zero if the text does not contain its key, except `name`, which
// has a default, and the members that the profile of a program sets. Release with
// player_spec_clear().
typedef struct PlayerSpec {
    char name[PLAYER_NAME_SIZE];
    bool program;      // true if the player is another program, false if it is our engine
    PlayLimits limits; // limits of its searches
    int threads;       // number of threads that search a position together; 0: not given
    double hash_mb;    // size of the transposition table in mebibytes; 0: not given
    bool has_margin;   // true if the text contains margin=
    int64_t
        margin_ns; // nanoseconds by which the player may overstep its clock; valid if has_margin
    char *weights; // name or file of our engine's weights, as the user wrote it; NULL if not given
    PlayerOption options[PLAYER_OPTIONS_MAX]; // search parameters of our engine, or options of the
                                              // program (option.NAME=)
    int option_count;                         // number of entries in `options`
    // The following fields are used only if the player is another program:
    char *command;          // command line that starts the program
    const Profile *profile; // row of the program in the table of engines (quirks.c)
    Quirks quirks;          // deviations from the protocol, as `profile` and quirk= set them
    char *log;              // path of the file that records the conversation; NULL if not requested
    char *dir;   // working directory in which the program runs; NULL: the current directory
    bool ponder; // true if the program shall think on its opponent's time
} PlayerSpec;

// Parses a PLAYER text: a comma-separated list of KEY=VALUE, in which a backslash makes the next
// character literal. The keys are those of player_keys.def and option.NAME. With cmd= or profile=
// the player is a program. Its protocol and its quirks come from a row of the table of engines
// (quirks.c). The first of these rows that exists is used:
// - the row that profile= names;
// - the row of an engine with this command and, if proto= is given, with this protocol;
// - the row of the protocol that proto= names;
// - the row of the protocol uci.
// `what` names the text in errors ("--a"). Returns STATUS_USAGE if the text is invalid.
Status player_spec_parse(const char *text, const char *what, PlayerSpec *spec, Err *err);
// Appends a value for a PLAYER text, with a backslash before each comma and backslash.
void player_spec_add_value(Text *text, const char *value);
// Sets an option of the player (option.NAME=), replacing an earlier value. Returns STATUS_USAGE if
// there are more than PLAYER_OPTIONS_MAX options.
Status player_spec_set_option(PlayerSpec *spec, const char *name, const char *value, Err *err);
// Returns true if a search is limited by nodes, depth or time.
bool limits_are_set(const PlayLimits *limits);
void player_spec_clear(PlayerSpec *spec);
AUTO_VALUE(PlayerSpec, player_spec_clear)

// SPDX-License-Identifier: GPL-3.0-or-later
// The referee: decides every end of a game and says why, for self-play, match, search and judge
// alike.
#pragma once

#include "core/base/text.h"
#include "core/rules/cycle.h"
#include "core/rules/game.h"
#include "core/rules/judgement.h"

// The rows of core/rules/rules.def.
typedef enum RuleSet {
#define RULE_SET(id, name, traits, summary) RULES_##id,
#include "core/rules/rules.def"
    RULE_SET_COUNT
} RuleSet;

// Positions that are drawn for want of material.
typedef enum MaterialRule {
    MATERIAL_AXF,      // only generals, advisors and elephants are left
    MATERIAL_PIKAFISH, // also a lone cannon without advisors: lone_cannon_drawn() in rules.c
} MaterialRule;

// The referee's settings. rules_default() gives the numbers in brackets.
typedef struct Rules {
    RuleSet set;
    MaterialRule material;
    int no_capture_plies; // a draw after so many plies without a capture (120)
    int check_cap;  // so many checks of a side count as plies of that number (10); < 0: all do
    int max_checks; // `literal`: a loop in which a side always checks is judged at this
                    // occurrence of the position (3); other loops at the third
    int check_run; // `literal`: one more check in a row by the same piece loses, while neither side
                   // moves another piece (0: any number)
} Rules;

Rules rules_default(RuleSet set);

// Judges the final position of a game with all that led to it. Order: mate and stalemate,
// repetition, checks in a row, no capture, material. VERDICT_NONE and END_NONE while the game goes
// on.
Judgement rules_judge(const Rules *rules, const Game *game);
// The same after `ply` plies.
Judgement rules_judge_at(const Rules *rules, const Game *game, size_t ply);
// Finds the first ply after which the referee ends the game (0: the start position is an end).
// False when none does; then *ply and *judgement are untouched.
bool rules_first_end(const Rules *rules, const Game *game, size_t *ply, Judgement *judgement);

// Adds the reasons for rules_judge_at(rules, game, ply) to the text: lines that begin with "# ".
// For a loop: per ply who checks, which attacks are chases and which are not and why, who protects
// what and which protectors are false; then what each side kept up on every move.
void rules_explain(const Rules *rules, const Game *game, size_t ply, Text *text);

// The plies that are judged in a loop that ends after `ply` plies.
typedef struct CycleWindow {
    size_t first;   // the position after `first` plies is the position after `ply` plies
    int count;      // occurrences of the position since the last capture, this one included
    bool repeated;  // the referee ends the game: `loop` is the judgement
    Judgement loop; // of the plies from `first` to `ply`; valid from RULES_OCCURRENCES on
} CycleWindow;
CycleWindow rules_cycle_window(const Rules *rules, const Game *game, size_t ply);

enum { RULES_OCCURRENCES = 3 }; // a loop is judged at the third occurrence of its position

typedef enum LoopState {
    LOOP_GOES_ON,      // a later occurrence of the position may be judged
    LOOP_JUDGED,       // the judgement of the loop ends the game
    LOOP_NEVER_JUDGED, // no later occurrence is judged either
} LoopState;
// Returns what the referee does at occurrence `count` (>= RULES_OCCURRENCES) of a position, where
// the plies since its first occurrence are judged as `loop`. With `max_checks` loops of checks are
// judged later than other loops.
LoopState rules_loop_state(const Rules *rules, int count, Judgement loop);

// Returns true if the number of checks in a row is limited (Rules.check_run).
bool rules_limit_check_run(const Rules *rules);
// Returns the number of checks in a row that end at position `end` of a record: by one piece, and
// answered by one piece. `first` is the first position of the record; a null move ends the row.
int rules_count_check_run(CyclePlyAt *ply_at, const void *record, size_t first, size_t end);
int rules_check_run(const Game *game, size_t ply);

// The plies without a capture, as they count at one ply.
typedef struct NoCaptureCount {
    int plies;              // since the last capture, with those the FEN brought along
    int counted;            // without the checks beyond the cap and the replies to them
    int checks[SIDE_COUNT]; // since the last capture or the start of the record
} NoCaptureCount;
NoCaptureCount rules_no_capture_count(const Rules *rules, const Game *game, size_t ply);

// Is the position a draw for want of material, provided that the side to move has a move?
bool rules_material_drawn(MaterialRule rule, const Position *position);

unsigned rule_set_traits(RuleSet set);
const char *rule_set_name(RuleSet set);

// SPDX-License-Identifier: GPL-3.0-or-later
// The referee. It decides when a game ends, with which result, and for which reason. Self-play,
// match, search and judge use it. Defined in rules.c and rules_explain.c.
#pragma once

#include "core/base/text.h"
#include "core/rules/cycle.h"
#include "core/rules/game.h"
#include "core/rules/judgement.h"

// The rule sets: one for each row of core/rules/rules.def.
typedef enum RuleSet {
#define RULE_SET(id, name, traits, summary) RULES_##id,
#include "core/rules/rules.def"
    RULE_SET_COUNT
} RuleSet;

// Rules for draws by insufficient material.
typedef enum MaterialRule {
    MATERIAL_AXF,      // draw if only generals, advisors and elephants remain
    MATERIAL_PIKAFISH, // also a draw if at most one cannon on each side can attack and it lacks
                       // screens (Pikafish's rule, see rules.c)
} MaterialRule;

// The settings of the referee. The default values of rules_default() are in brackets.
typedef struct Rules {
    RuleSet set;
    MaterialRule material;
    int no_capture_plies; // number of plies without a capture after which the game is a draw (120)
    int check_cap;        // number of checks of a side that count as plies without a capture (10);
                          // < 0: all checks count
    int max_checks; // for rule sets with RULE_LIMIT: the occurrence of a position (3) at which a
                    // loop of perpetual check is judged. Other loops are judged at the third
                    // occurrence
    int check_run;  // for rule sets with RULE_LIMIT: largest number of checks in a row by one
                    // piece, while neither side moves another piece. One more check loses (0: no
                    // limit)
} Rules;

Rules rules_default(RuleSet set);

// Judges the final position of a game. Tests in this order: mate and stalemate, repetition, checks
// in a row, plies without a capture, insufficient material. Returns VERDICT_NONE and END_NONE if
// the game has not ended.
Judgement rules_judge(const Rules *rules, const Game *game);
// Like rules_judge(), but judges the position after the first `ply` plies.
Judgement rules_judge_at(const Rules *rules, const Game *game, size_t ply);
// Finds the first ply after which the referee ends the game; 0 means that the start position ends
// it. Returns false if the game does not end, and then leaves *ply and *judgement unchanged.
bool rules_first_end(const Rules *rules, const Game *game, size_t *ply, Judgement *judgement);

// Appends an explanation of rules_judge_at(rules, game, ply), in lines that begin with "# ". For a
// loop, it lists for each ply the checks, the attacks and why they are chases or not, and the
// protectors, real or false. Then it says what each side did on every move.
void rules_explain(const Rules *rules, const Game *game, size_t ply, Text *text);

// A loop that ends after `ply` plies of a game.
typedef struct CycleWindow {
    size_t first; // the position after `first` plies occurs again at the end of the loop
    int count;    // number of occurrences of this position in the loop, including its start and its
                  // end; 1 if there is no loop
    bool repeated;  // true if the referee ends the game with the judgement `loop`
    Judgement loop; // judgement of the loop; valid if count >= RULES_OCCURRENCES
} CycleWindow;
CycleWindow rules_cycle_window(const Rules *rules, const Game *game, size_t ply);

// The occurrence of a position at which its loop is judged, unless Rules.max_checks sets a later
// occurrence.
enum { RULES_OCCURRENCES = 3 };

typedef enum LoopState {
    LOOP_UNDECIDED, // the loop is not judged yet, but may be at a later occurrence of the position
    LOOP_JUDGED,    // the loop is judged, and its judgement ends the game
    LOOP_NEVER_JUDGED, // the loop is not judged, neither now nor at a later occurrence of the
                       // position
} LoopState;
// Returns what the referee does at occurrence number `count` (>= RULES_OCCURRENCES) of a position.
// `loop` is the judgement of the plies since its first occurrence. If Rules.max_checks applies,
// loops of checks are judged later than other loops.
LoopState rules_loop_state(const Rules *rules, int count, Judgement loop);

// Returns true if the rules limit the number of checks in a row (Rules.check_run).
bool rules_limit_check_run(const Rules *rules);
// Returns the number of checks in a row that end at position `end` of a record. All of them are
// given by the same piece and answered by the same piece. `first` is the first position of the
// record. A null move ends the series.
int rules_count_check_run(CyclePlyAt *ply_at, const void *record, size_t first, size_t end);
int rules_check_run(const Game *game, size_t ply);

// Plies without a capture, counted in different ways for the no-capture rule.
typedef struct NoCaptureCount {
    int plies;   // plies since the last capture, including those that the FEN counts
    int counted; // number of plies that the rule counts: without checks beyond Rules.check_cap and
                 // without the replies to these checks
    int checks[SIDE_COUNT]; // number of checks by each side since the last capture or the start of
                            // the record
} NoCaptureCount;
NoCaptureCount rules_no_capture_count(const Rules *rules, const Game *game, size_t ply);

// Returns true if the position is a draw by insufficient material. The side to move must have a
// legal move.
bool rules_material_drawn(MaterialRule rule, const Position *position);

unsigned rule_set_traits(RuleSet set);
const char *rule_set_name(RuleSet set);

// SPDX-License-Identifier: GPL-3.0-or-later
// The referee. It decides every end of a game and gives the reason, for self-play, match, search
// and judge. Defined in rules.c and rules_explain.c.
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

// Rules for draws by insufficient material.
typedef enum MaterialRule {
    MATERIAL_AXF,      // only generals, advisors and elephants remain
    MATERIAL_PIKAFISH, // also some cannons without advisors: see rules.c
} MaterialRule;

// The settings of the referee. The values of rules_default() are in brackets.
typedef struct Rules {
    RuleSet set;
    MaterialRule material;
    int no_capture_plies; // plies without a capture until a draw (120)
    int check_cap;        // checks of a side that count as such plies (10); < 0: no limit
    int max_checks; // `literal`: occurrence of the position (3) at which a loop of perpetual check
                    // is judged; other loops are judged at the third
    int check_run;  // `literal`: longest run of checks by one piece, while neither side moves
                    // another piece; one more loses (0: no limit)
} Rules;

Rules rules_default(RuleSet set);

// Judges the final position of a game. Order: mate and stalemate, repetition, run of checks, no
// capture, material. Returns VERDICT_NONE and END_NONE if the game has not ended.
Judgement rules_judge(const Rules *rules, const Game *game);
// Judges the position after `ply` plies like rules_judge().
Judgement rules_judge_at(const Rules *rules, const Game *game, size_t ply);
// Finds the first ply after which the referee ends the game; 0 is the start position. Returns false
// if there is none, and then leaves *ply and *judgement unchanged.
bool rules_first_end(const Rules *rules, const Game *game, size_t *ply, Judgement *judgement);

// Appends the reasons for rules_judge_at(rules, game, ply), in lines that begin with "# ". For a
// loop, it lists for each ply the checks, the attacks with their findings, and the protectors, real
// or false. Then it says what each side did on every move.
void rules_explain(const Rules *rules, const Game *game, size_t ply, Text *text);

// The plies to judge in a loop that ends after `ply` plies.
typedef struct CycleWindow {
    size_t first;   // the position after `first` plies is that at the end of the loop
    int count;      // occurrences of the position since the last capture, this one included
    bool repeated;  // the referee ends the game: `loop` is the judgement
    Judgement loop; // judgement of the plies from `first` to `ply`, if count >= RULES_OCCURRENCES
} CycleWindow;
CycleWindow rules_cycle_window(const Rules *rules, const Game *game, size_t ply);

enum { RULES_OCCURRENCES = 3 }; // a loop is judged at the third occurrence of its position

typedef enum LoopState {
    LOOP_UNDECIDED,    // a later occurrence of the position may be judged
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

// Plies without a capture, as the no-capture rule counts them.
typedef struct NoCaptureCount {
    int plies;              // since the last capture, including those in the FEN
    int counted;            // without the checks beyond the cap and without the replies to these
    int checks[SIDE_COUNT]; // checks since the last capture or the start of the record
} NoCaptureCount;
NoCaptureCount rules_no_capture_count(const Rules *rules, const Game *game, size_t ply);

// Returns true if the position is a draw by insufficient material. The side to move must have a
// legal move.
bool rules_material_drawn(MaterialRule rule, const Position *position);

unsigned rule_set_traits(RuleSet set);
const char *rule_set_name(RuleSet set);

// SPDX-License-Identifier: GPL-3.0-or-later
// The referee. It decides when a game ends, with which result, and for which reason. Defined in
// rules.c and rules_explain.c. The search applies the same rules through rules_line.h.
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

// Rules for draws by insufficient material. A position is never such a draw if either side has a
// chariot, horse or soldier.
typedef enum MaterialRule {
    MATERIAL_AXF,      // draw if only generals, advisors and elephants remain
    MATERIAL_PIKAFISH, // draw as by MATERIAL_AXF, and also if no side has more than one cannon and
                       // these cannons lack screens (Pikafish's rule, see lone_cannon_drawn())
} MaterialRule;

// Settings of the rules that end a game. rules_default() sets the default values.
typedef struct Rules {
    RuleSet set;
    MaterialRule material;
    int no_capture_plies; // number of plies without a capture after which the game is a draw;
                          // default 120
    int check_cap;        // number of checks by each side that count as plies without a capture;
                          // default 10. Later checks and the replies to them do not count. < 0: all
                          // checks count
    int max_checks;       // for rule sets with RULE_LIMIT: number of occurrences of a position at
                          // which a loop of perpetual check by one or both sides is judged; default
                          // 3. Other loops are always judged at the third occurrence
    int check_run; // for rule sets with RULE_LIMIT: a side may give this number of checks in a row
                   // while each side always moves the same piece. One more check loses. 0, the
                   // default: no limit
} Rules;

Rules rules_default(RuleSet set);

// Judges the current position of a game, after all its plies. Tests in this order: mate and
// stalemate, repetition, checks in a row, plies without a capture, insufficient material. Returns
// VERDICT_NONE and END_NONE if the game has not ended.
Judgement rules_judge(const Rules *rules, const Game *game);
// Like rules_judge(), but judges the position after the first `ply` plies.
Judgement rules_judge_at(const Rules *rules, const Game *game, size_t ply);
// Finds the first ply after which the referee ends the game. *ply is 0 if the game ends in the
// start position. Returns false, and leaves *ply and *judgement unchanged, if the game does not
// end.
bool rules_first_end(const Rules *rules, const Game *game, size_t *ply, Judgement *judgement);

// Appends an explanation of rules_judge_at(rules, game, ply), in lines that begin with "# ". For a
// loop, it lists for each ply the pieces that give check. If the rule set judges chases, it lists
// the attacks and the protectors of each ply without check, and says why each attack is a chase or
// not. Then it says which violation each side committed with every move.
void rules_explain(const Rules *rules, const Game *game, size_t ply, Text *text);

// The loop that rules_cycle_window() examines: plies `first` + 1 to `ply` of a game, between
// occurrences of one position.
typedef struct CycleWindow {
    size_t first; // number of plies before the loop: after them the position is the same as after
                  // `ply` plies; equals `ply` if there is no loop
    int count;    // number of occurrences of this position in the loop, including the start and the
                  // end of the loop; 1 if there is no loop
    bool repeated;  // true if `loop` ends the game
    Judgement loop; // verdict on this repetition; valid if count >= RULES_OCCURRENCES
} CycleWindow;
CycleWindow rules_cycle_window(const Rules *rules, const Game *game, size_t ply);

// Number of occurrences of a position that a loop must contain to be judged, unless
// Rules.max_checks sets a larger number for loops of perpetual check.
enum { RULES_OCCURRENCES = 3 };

// The referee's decision about a loop that ends at the current position.
typedef enum LoopState {
    LOOP_UNDECIDED,    // this loop does not end the game, but a loop that begins at an earlier
                       // occurrence of the position may end it
    LOOP_JUDGED,       // the judgement of this loop ends the game
    LOOP_NEVER_JUDGED, // neither this loop nor a loop that begins earlier ends the game
} LoopState;
// Returns what the referee does with a loop that contains `count` (>= RULES_OCCURRENCES)
// occurrences of the current position, including its start and its end. `loop` is the judgement of
// the plies of this loop. A loop is judged when it contains RULES_OCCURRENCES occurrences. In rule
// sets with RULE_LIMIT, Rules.max_checks replaces RULES_OCCURRENCES for loops of perpetual check.
LoopState rules_loop_state(const Rules *rules, int count, Judgement loop);

// Returns true if the rules limit the number of checks in a row (Rules.check_run).
bool rules_limit_check_run(const Rules *rules);
// Returns the number of checks in the series that ends at position `end` of a record. In such a
// series one side gives check with each move and always moves the same piece, and the other side
// always replies with the same piece. A null move ends the series.
int rules_count_check_run(CyclePlyAt *ply_at, const void *record, size_t end);
// Returns rules_count_check_run() for the first `ply` plies of a game.
int rules_check_run(const Game *game, size_t ply);

// Plies without a capture, for the no-capture rule.
typedef struct NoCaptureCount {
    int plies;   // plies since the last capture, including those that the start position's FEN
                 // counts
    int counted; // plies that count towards Rules.no_capture_plies: all `plies` except the checks
                 // of a side beyond Rules.check_cap and the replies to those checks
    int checks[SIDE_COUNT]; // number of checks by each side since the last capture or the start of
                            // the game
} NoCaptureCount;
NoCaptureCount rules_no_capture_count(const Rules *rules, const Game *game, size_t ply);

// Returns true if the position is a draw by insufficient material. If the side to move has no legal
// move, the result has no meaning.
bool rules_material_drawn(MaterialRule rule, const Position *position);

unsigned rule_set_traits(RuleSet set);
const char *rule_set_name(RuleSet set);

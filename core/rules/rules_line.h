// SPDX-License-Identifier: GPL-3.0-or-later
// The referee inside the search: what rules_judge() decides for games, for the line of the tree.
//
//     RulesLine line;                                  // about 16 KB: one per searching thread
//     rules_line_begin(&line, &rules, &game);          // at the root
//     rules_line_push(&line, move, &after);            // when a move is made
//     switch (rules_line_end(&line)) { ... }           // at the node behind it
//     rules_line_keep(&line, plies);                   // back to the first plies of the tree
//
// A position that occurred before inside the tree (behind the root) ends the line at its second
// occurrence, for a search gains nothing from a third; one that occurred at or before the root does
// so at its third, as in the game (it does not wait for Rules.max_checks). This is for scores: a
// result comes from rules_judge() alone.
//
// As long as no key repeats, the cost is the comparison of every second key back to the last
// capture (they lie side by side), two tests for the other draws, and the stores of the push.
#pragma once

#include "core/rules/rules.h"

// Plies of the game before the root that are remembered (the latest), and plies of the tree.
enum { RULES_LINE_HISTORY = 512, RULES_LINE_TREE = 256 };
enum { RULES_LINE_CAPACITY = RULES_LINE_HISTORY + 1 + RULES_LINE_TREE };

// The rules on the current position, for the side to move in it.
typedef enum LineEnd {
    LINE_OPEN, // nothing; whether there is a legal move is for the search to find out
    LINE_DRAWN,
    LINE_LOST, // the side to move loses: it forced the loop, or it has no legal move
    LINE_WON,  // the side to move wins: the other side forced the loop
} LineEnd;

// The fields are for rules_line.c. Entry i is a position; move[i] led to it (undefined for entry
// 0).
typedef struct RulesLine {
    Rules rules;
    unsigned traits;           // of the rule set
    size_t count;              // entries; the last one is the current position
    size_t root;               // entry of the root
    NoCaptureCount root_plies; // plies without a capture, at the root
    bool root_excess;          // the move to the root was a check beyond the cap
    uint64_t key[RULES_LINE_CAPACITY];
    const Position *position[RULES_LINE_CAPACITY]; // borrowed
    Move move[RULES_LINE_CAPACITY];
    uint16_t floor[RULES_LINE_CAPACITY]; // first entry that can be the same position
} RulesLine;

// Begins at the present of the game, whose plies must stay unchanged until the last
// rules_line_end().
void rules_line_begin(RulesLine *line, const Rules *rules, const Game *game);

// The position after a move of the current position; *after must stay as it is until taken back.
// There is room for RULES_LINE_TREE pushes.
void rules_line_push(RulesLine *line, Move move, const Position *after);
// The same for a null move. Positions on either side of it are never taken for one loop.
void rules_line_push_null(RulesLine *line, const Position *after);
// Takes plies back until only the first `plies` of the tree are left.
void rules_line_keep(RulesLine *line, size_t plies);

// Loop, no capture or material: is the current position, not the root, an end?
LineEnd rules_line_end(const RulesLine *line);

// SPDX-License-Identifier: GPL-3.0-or-later
// The referee inside the search: applies the rules of rules_judge() to the line of the tree.
//
//     RulesLine line;                                  // about 16 KB: one per searching thread
//     rules_line_begin(&line, &rules, &game);          // at the root
//     rules_line_push(&line, move, &after);            // when a move is made
//     switch (rules_line_end(&line)) { ... }           // judges the position just pushed
//     rules_line_keep(&line, plies);                   // back to the first plies of the tree
//
// A line is won or lost by a loop only where the referee would end the game: at the same occurrence
// of the position, judged by the same plies. A loop that closes for the first time inside the tree
// ends the line, too, but without a winner: it is drawn, or one side is guilty of it so far. The
// guilty side may still leave such a loop, or mix it with another one, and then the referee draws.
//
// While no key repeats, a push and a judgement cost the comparison of every second key since the
// last capture (the keys lie side by side), two tests for the other draws, and a few stores.
#pragma once

#include "core/rules/rules.h"

// Plies of the game before the root that are remembered (the latest), and plies of the tree.
enum { RULES_LINE_HISTORY = 512, RULES_LINE_TREE = 256 };
enum { RULES_LINE_CAPACITY = RULES_LINE_HISTORY + 1 + RULES_LINE_TREE };

// Verdict of the rules on the current position, for the side to move in it.
typedef enum LineEnd {
    LINE_OPEN, // no end; mate and stalemate are left to the search, which finds no legal move
    LINE_DRAWN,
    LINE_LOST,       // the side to move loses: it is guilty of the loop, or it has no legal move
    LINE_WON,        // the side to move wins: the other side is guilty of the loop
    LINE_OUR_LOOP,   // second occurrence inside the tree; the side to move is guilty so far
    LINE_THEIR_LOOP, // second occurrence inside the tree; the other side is guilty so far
} LineEnd;

// The fields are for rules_line.c. Entry i is a position; move[i] led to it (undefined for entry
// 0).
typedef struct RulesLine {
    Rules rules;
    unsigned traits;           // traits of the rule set
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

// Adds the position after a move of the current position; *after must stay unchanged until it is
// taken back. There is room for RULES_LINE_TREE pushes.
void rules_line_push(RulesLine *line, Move move, const Position *after);
// Adds the position after a null move. Positions on either side of it never form a loop.
void rules_line_push_null(RulesLine *line, const Position *after);
// Takes plies back until only the first `plies` of the tree are left.
void rules_line_keep(RulesLine *line, size_t plies);

// Judges the current position, which must not be the root, by loop, checks in a row, no capture and
// material.
LineEnd rules_line_end(const RulesLine *line);

// Returns true if ply `plies` of the tree is this position. For assertions.
bool rules_line_holds(const RulesLine *line, size_t plies, const Position *position);

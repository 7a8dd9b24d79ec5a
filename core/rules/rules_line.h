// SPDX-License-Identifier: GPL-3.0-or-later
// The referee inside the search: applies the rules of rules_judge() to the current line of the
// search tree. Example:
//     RulesLine line;                                  // about 15 KB: one per searching thread
//     rules_line_begin(&line, &rules, &game);          // at the root
//     rules_line_push(&line, move, &after);            // when a move is made
//     switch (rules_line_end(&line)) { ... }           // judges the position just pushed
//     rules_line_keep(&line, plies);                   // takes moves back until `plies` remain
//
// A repetition counts as a win or loss only where the referee would end the game, and with the
// referee's judgement. The line also ends where a position occurs for the second time inside the
// tree. The loop between both occurrences is then a draw, or one side would lose if the loop were
// repeated. This is not a loss yet: that side can still leave the loop, or play another loop that
// makes the repetition a draw.
#pragma once

#include "core/rules/rules.h"

// RULES_LINE_HISTORY: largest number of plies of the game before the root that are remembered.
// RULES_LINE_TREE: largest number of plies in the tree.
enum { RULES_LINE_HISTORY = 512, RULES_LINE_TREE = 256 };
enum { RULES_LINE_CAPACITY = RULES_LINE_HISTORY + 1 + RULES_LINE_TREE };

// The rules' verdict on the current position, from the view of its side to move.
typedef enum LineEnd {
    LINE_OPEN,     // no rule ends the line. The search detects mate and stalemate when it finds no
                   // legal move
    LINE_DRAWN,    // draw by repetition, by too many plies without a capture, or by insufficient
                   // material
    LINE_LOST,     // the side to move loses: by repetition, or because it is mated or stalemated.
                   // Mate and stalemate are tested only if another rule might end the game here
    LINE_WON,      // the side to move wins: by repetition, or because the other side gave too many
                   // checks in a row
    LINE_OUR_LOOP, // second occurrence of the position inside the tree; the side to move would lose
                   // if the plies since the first occurrence were repeated
    LINE_THEIR_LOOP, // like LINE_OUR_LOOP, but the opponent of the side to move would lose
} LineEnd;

// The positions of a line, from the remembered plies of the game to the current position of the
// search. These fields are private to rules_line.c. Entry i of each array belongs to position i of
// the line; move[i] led to it (MOVE_NONE for entry 0 and for a null move).
typedef struct RulesLine {
    Rules rules;
    unsigned traits;           // traits of the rule set: RULE_* bits
    size_t count;              // number of positions in the line; the last one is current
    size_t root;               // index of the root's entry in the arrays
    NoCaptureCount root_plies; // count of plies without a capture at the root
    bool root_excess; // true if the move that led to the root was a check with which its side
                      // exceeded Rules.check_cap
    uint64_t key[RULES_LINE_CAPACITY];
    const Position *position[RULES_LINE_CAPACITY]; // the positions of the line, borrowed
    Move move[RULES_LINE_CAPACITY];
    uint16_t floor[RULES_LINE_CAPACITY]; // for each position, the index of the first position after
                                         // the last capture or null move: positions before this
                                         // index cannot be repeated
} RulesLine;

// Initialises the line: the root is the current position of the game. The line borrows positions of
// the game, so the game must not change while the line is used.
void rules_line_begin(RulesLine *line, const Rules *rules, const Game *game);

// Adds the position after a move. *after must stay unchanged until the move is taken back. At most
// RULES_LINE_TREE positions can be pushed.
void rules_line_push(RulesLine *line, Move move, const Position *after);
// Adds the position after a null move. A position before a null move and one after it never form a
// loop.
void rules_line_push_null(RulesLine *line, const Position *after);
// Takes moves back until only the first `plies` plies of the tree remain.
void rules_line_keep(RulesLine *line, size_t plies);

// Judges the current position: loops, checks in a row, plies without a capture and insufficient
// material.
LineEnd rules_line_end(const RulesLine *line);

// Returns true if the line has the pointer `position` after `plies` plies of the tree, and the key
// of *position has not changed since it was pushed. Used in an assertion.
bool rules_line_holds(const RulesLine *line, size_t plies, const Position *position);

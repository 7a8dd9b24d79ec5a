// SPDX-License-Identifier: GPL-3.0-or-later
// The referee inside the search: applies the rules of rules_judge() to the current line of the
// search tree.
//
//     RulesLine line;                                  // about 16 KB: one per searching thread
//     rules_line_begin(&line, &rules, &game);          // at the root
//     rules_line_push(&line, move, &after);            // when a move is made
//     switch (rules_line_end(&line)) { ... }           // judges the position just pushed
//     rules_line_keep(&line, plies);                   // back to the first plies of the tree
// A loop decides a line as won or lost only if the referee would end the game there: at the same
// occurrence of the position, judged by the same plies. If a position occurs for the second time
// inside the tree, the line ends, too, but without a winner: the loop is a draw, or one side is
// guilty of it so far. The guilty side may still leave such a loop or mix it with another one. The
// referee would then decide a draw.
#pragma once

#include "core/rules/rules.h"

// RULES_LINE_HISTORY: number of the latest game plies before the root that are remembered.
// RULES_LINE_TREE: largest number of plies in the tree.
enum { RULES_LINE_HISTORY = 512, RULES_LINE_TREE = 256 };
enum { RULES_LINE_CAPACITY = RULES_LINE_HISTORY + 1 + RULES_LINE_TREE };

// The rules' verdict on the current position, from the view of its side to move.
typedef enum LineEnd {
    LINE_OPEN,  // not ended; the search itself detects mate and stalemate, when it finds no legal
                // move
    LINE_DRAWN, // draw by repetition, plies without a capture, or insufficient material
    LINE_LOST,  // the side to move loses: it is guilty of a loop, or it has no legal move
    LINE_WON,   // the side to move wins: the other side is guilty of a loop, or gave too many
                // checks in a row
    LINE_OUR_LOOP,   // second occurrence of the position inside the tree; the side to move is
                     // guilty so far
    LINE_THEIR_LOOP, // second occurrence of the position inside the tree; the other side is guilty
                     // so far
} LineEnd;

// These fields are private to rules_line.c. Entry i of each array belongs to position i of the
// line; move[i] led to it (undefined for entry 0).
typedef struct RulesLine {
    Rules rules;
    unsigned traits;           // traits of the rule set: RULE_* bits
    size_t count;              // number of positions in the line; the last one is current
    size_t root;               // index of the root's entry in the arrays
    NoCaptureCount root_plies; // count of plies without a capture at the root
    bool root_excess;          // true if the move to the root was a check beyond Rules.check_cap
    uint64_t key[RULES_LINE_CAPACITY];
    const Position *position[RULES_LINE_CAPACITY]; // the positions of the line, borrowed
    Move move[RULES_LINE_CAPACITY];
    uint16_t floor[RULES_LINE_CAPACITY]; // for each position, the index of the first position that
                                         // it can repeat: no capture or null move lies between them
} RulesLine;

// Initialises the line: the root is the current position of the game. The plies of the game must
// not change until the last call of rules_line_end().
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
// material. The current position must not be the root.
LineEnd rules_line_end(const RulesLine *line);

// Returns true if ply `plies` of the tree is this position. Used in assertions.
bool rules_line_holds(const RulesLine *line, size_t plies, const Position *position);

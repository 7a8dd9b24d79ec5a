// SPDX-License-Identifier: GPL-3.0-or-later
// Our speed and other programs', side by side: perft and search, every program in turn, run by run,
// so that what disturbs the machine falls on all. Costs are processor time: of our thread, or of
// all threads of another program.
#pragma once

#include "core/base/progress.h"
#include "selfplay/engines/player_spec.h"

enum {
    COMPARE_PEERS_MAX = 8,
    COMPARE_PROGRAMS_MAX = COMPARE_PEERS_MAX + 1, // we are program 0
    COMPARE_RUNS_MAX = 101,
    COMPARE_NOTE_SIZE = 200,
};

typedef enum CompareKind { COMPARE_PERFT, COMPARE_SEARCH } CompareKind;

typedef struct CompareOptions {
    int runs;           // 1..COMPARE_RUNS_MAX
    uint64_t max_nodes; // perft positions with more nodes are left out
    int movetime_ms;    // of each search; 0: no searches
    int depth;          // plies of each search instead of a time; 0: movetime_ms
    // The other programs: specs as for a match; none: those of compare_peers.def that are here.
    int peer_count;
    const PlayerSpec *peers;
} CompareOptions;

// What is measured: one position.
typedef struct CompareItem {
    CompareKind kind;
    const char *name; // of perft; NULL for a search
    const char *fen;
    int depth;      // of perft
    uint64_t nodes; // the known count of perft
} CompareItem;

// One program on one item.
typedef struct CompareCell {
    int count;            // good measurements; 0: it cannot, or failed
    double nps, q1, q3;   // nodes in a second of processor time: median and quartiles
    double ratio;         // our median to its median; 0 when one is missing
    uint64_t other_nodes; // a perft count that is not the known one, of the last run; 0: none
} CompareCell;

typedef struct CompareProgram {
    char name[PLAYER_NAME_SIZE];
    char note[COMPARE_NOTE_SIZE]; // the last thing that went wrong; "" when nothing did
} CompareProgram;

typedef struct Compare {
    int program_count, item_count;
    CompareProgram programs[COMPARE_PROGRAMS_MAX];
    CompareItem *items;
    CompareCell *cells; // [item * program_count + program]
    bool wrong;         // a perft count of ours is not the known one
    Text absent;        // names of peers that are not installed, separated by blanks
} Compare;

// Measures. The result is released with compare_clear(), also after a failure (STATUS_INTERRUPTED).
Status compare_run(const CompareOptions *options, Progress *progress, Compare *compare, Err *err);
void compare_clear(Compare *compare);
const CompareCell *compare_cell(const Compare *compare, int item, int program);

// Geometric mean and least of a program's ratios of one kind; false when there is none.
bool compare_ratios(const Compare *compare, CompareKind kind, int program, double *mean,
                    double *least);

// Prints the table and the ratios (compare_text.c), or all of it as JSON, a program on an item a
// line.
void compare_print(const Compare *compare, bool json, FILE *out);

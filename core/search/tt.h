// SPDX-License-Identifier: GPL-3.0-or-later
// The transposition table. It needs no locks, so several searches may share one (R. Hyatt and
// T. Mann, "A lock-less transposition table implementation", ICGA Journal 25 (2002)).
#pragma once

#include "core/base/status.h"
#include "core/board/types.h"

typedef enum Bound { BOUND_NONE = 0, BOUND_UPPER = 1, BOUND_LOWER = 2, BOUND_EXACT = 3 } Bound;

typedef struct TtData {
    Move move;     // best move, or the move that caused a beta cutoff; MOVE_NONE if unknown
    int16_t score; // score; in the table, mate scores count plies from this node, not from the root
    int16_t eval;  // static evaluation, EVAL_NONE if not computed
    uint8_t depth; // depth in plies, at most 127
    bool pv;       // true if the node is or was on the principal variation
    Bound bound;
} TtData;

typedef struct Tt Tt;

// Allocates a table of at most `mebibytes` MiB (fractions are allowed), but at least one bucket.
// Free with tt_free().
Tt *tt_new(double mebibytes);
void tt_free(Tt *tt);
void tt_clear(Tt *tt);
// Begins a new generation. Entries stored from now on are younger than all earlier ones.
void tt_new_search(Tt *tt);
bool tt_probe(const Tt *tt, uint64_t key, TtData *data);
void tt_store(Tt *tt, uint64_t key, TtData data);
void tt_prefetch(const Tt *tt, uint64_t key);
// Returns how many entries of the first 1,000 buckets belong to the current generation, in
// permille.
int tt_full_permille(const Tt *tt);

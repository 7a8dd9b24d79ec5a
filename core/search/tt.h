// SPDX-License-Identifier: GPL-3.0-or-later
// The transposition table. It needs no locks, so several searches may share one (R. Hyatt and
// T. Mann, "A lock-less transposition table implementation", ICGA Journal 25 (2002)).
#pragma once

#include "core/base/status.h"
#include "core/board/types.h"

// Says whether a stored score is exact or a bound of the true score. BOUND_NONE: the score must not
// be used.
typedef enum Bound { BOUND_NONE = 0, BOUND_UPPER = 1, BOUND_LOWER = 2, BOUND_EXACT = 3 } Bound;

typedef struct TtData {
    Move move;     // best move, or the move that caused a beta cutoff; MOVE_NONE if unknown
    int16_t score; // score for the side to move; in the table, scores of a mate or of a win by the
                   // repetition rules count plies from this node, not from the root
    int16_t eval;  // static evaluation, EVAL_NONE if not computed
    uint8_t depth; // depth in plies, at most 127
    bool pv;       // true if the search has searched the node with an open window (Node.pv), now or
                   // earlier
    Bound bound;
} TtData;

typedef struct Tt Tt;

// Allocates a table of at most `mebibytes` MiB (fractions are allowed), but at least one bucket.
// Free with tt_free().
Tt *tt_new(double mebibytes);
void tt_free(Tt *tt);
// Removes all entries. Does nothing if no search has begun since the last call. This saves most of
// the time of a tuner that sets weights many times between searches.
void tt_clear(Tt *tt);
// Begins a new generation. Entries stored from now on are younger than all earlier ones. Call it
// before the first tt_store().
void tt_new_search(Tt *tt);
// Reads the entry of this key. Returns false if the table has none.
bool tt_probe(const Tt *tt, uint64_t key, TtData *data);
// Stores an entry. If data.move is MOVE_NONE, the move of an older entry of this key is kept. An
// older entry of this generation that is more than four plies deeper is kept as it is, unless
// data.bound is BOUND_EXACT.
void tt_store(Tt *tt, uint64_t key, TtData data);
void tt_prefetch(const Tt *tt, uint64_t key);
// Returns the share of the entries in the first 1,000 buckets that belong to the current
// generation, in permille.
int tt_full_permille(const Tt *tt);

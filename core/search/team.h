// SPDX-License-Identifier: GPL-3.0-or-later
// Data that the threads of a parallel search share in addition to the transposition table: the
// deepest finished iteration, and the moves that are being searched.
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "core/search/search.h"

enum {
    TEAM_SHARE_DEPTH = 4, // smallest depth of a node that postpones a move that another thread is
                          // searching; depth 3 was not better (experiment E-022)
    TEAM_MOVES = 1024,    // number of entries of Team.moves
};

typedef struct Team {
    _Atomic uint64_t moves[TEAM_MOVES]; // hashes (`id`) of the moves that are being searched; a
                                        // move is stored at the index id % TEAM_MOVES
    atomic_int depth;     // depth of the deepest finished iteration that was published by
                          // team_finish() in this search; 0 before the first
    pthread_mutex_t lock; // mutex that protects `line`
    SearchLine line;      // principal variation of the iteration whose depth is stored in `depth`
} Team;

// Returns true if a thread is searching this move: it has called team_begin_move(), but not yet
// team_end_move(). `id` is a hash of position and move. Two cases are missed. If two threads search
// this move, the function returns false as soon as one of them ends. If two moves share an index of
// Team.moves, the function knows only the move whose search began later.
ALWAYS_INLINE bool team_is_busy(const Team *team, uint64_t id) {
    return atomic_load_explicit(&team->moves[id % TEAM_MOVES], memory_order_relaxed) == id;
}
ALWAYS_INLINE void team_begin_move(Team *team, uint64_t id) {
    atomic_store_explicit(&team->moves[id % TEAM_MOVES], id, memory_order_relaxed);
}
ALWAYS_INLINE void team_end_move(Team *team, uint64_t id) {
    if (team_is_busy(team, id)) team_begin_move(team, 0);
}

// Returns the depth of the deepest finished iteration, or 0.
ALWAYS_INLINE int team_depth(const Team *team) {
    return atomic_load_explicit(&team->depth, memory_order_relaxed);
}
// Publishes the principal variation of a finished iteration, unless one of the same or a larger
// depth was published before.
ALWAYS_INLINE void team_finish(Team *team, const SearchLine *line) {
    pthread_mutex_lock(&team->lock);
    if (line->depth > team->depth) {
        team->line = *line;
        atomic_store(&team->depth, line->depth);
    }
    pthread_mutex_unlock(&team->lock);
}
// Copies the principal variation of the deepest finished iteration to *line.
ALWAYS_INLINE void team_line(Team *team, SearchLine *line) {
    pthread_mutex_lock(&team->lock);
    *line = team->line;
    pthread_mutex_unlock(&team->lock);
}

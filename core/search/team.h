// SPDX-License-Identifier: GPL-3.0-or-later
// What several threads that search one root tell each other, beside the table: which iteration is
// finished, and which moves are being searched.
//
// They race: the first that finishes an iteration gives its line to all, and those that are not
// deeper go on from there. Every second thread searches a step deeper than the others, so that they
// find what they need in the table, and what it finishes first need not be searched again. They
// share the work: a move that another thread searches is put off, and found in the table later
// (T. Kerrigan, "Simplified ABDADA", 2016).
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "core/search/search.h"

enum {
    TEAM_SHARE_DEPTH = 4, // shallower nodes are not worth the talk
    TEAM_MOVES = 1024,
};

typedef struct Team {
    _Atomic uint64_t moves[TEAM_MOVES]; // ids of those that are being searched, by their low bits
    atomic_int depth;                   // of the last iteration that is finished; 0: none
    pthread_mutex_t lock;
    SearchLine line; // of that iteration
} Team;

// Does somebody search this move? The id is a hash of position and move. Two moves may share a
// place: the later one is then seen alone, which costs a little time and changes nothing else.
ALWAYS_INLINE bool team_is_busy(const Team *team, uint64_t id) {
    return atomic_load_explicit(&team->moves[id % TEAM_MOVES], memory_order_relaxed) == id;
}
ALWAYS_INLINE void team_begin_move(Team *team, uint64_t id) {
    atomic_store_explicit(&team->moves[id % TEAM_MOVES], id, memory_order_relaxed);
}
ALWAYS_INLINE void team_end_move(Team *team, uint64_t id) {
    if (team_is_busy(team, id)) team_begin_move(team, 0);
}

// The last finished iteration.
ALWAYS_INLINE int team_depth(const Team *team) {
    return atomic_load_explicit(&team->depth, memory_order_relaxed);
}
// Iteration line->depth is finished; does nothing when a deeper one, or the same, already was.
ALWAYS_INLINE void team_finish(Team *team, const SearchLine *line) {
    pthread_mutex_lock(&team->lock);
    if (line->depth > team->depth) {
        team->line = *line;
        atomic_store(&team->depth, line->depth);
    }
    pthread_mutex_unlock(&team->lock);
}
// The line of the last finished iteration.
ALWAYS_INLINE void team_line(Team *team, SearchLine *line) {
    pthread_mutex_lock(&team->lock);
    *line = team->line;
    pthread_mutex_unlock(&team->lock);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel search: all threads search the same root with one shared transposition table (team.h).
// The search ends when the main thread stops; the others may reach their share of the node limit
// earlier. The main thread provides the result, which can be a line that another thread found. With
// one thread the result equals that of search_run(). With several threads it is not reproducible.
#pragma once

#include "core/search/search.h"

enum { SMP_THREADS_MAX = 256 };

typedef struct Smp Smp;

// Allocates the memory of `threads` search threads and copies the weights. The transposition table
// has hash_mb mebibytes. Free with smp_free(), which accepts NULL.
Smp *smp_new(const Weights *weights, double hash_mb, int threads);
void smp_free(Smp *smp);
AUTO_HANDLE(Smp, smp_free)

// These functions work like search_clear(), search_set_weights() and so on, and apply to all
// threads. Both smp_clear() and smp_set_weights() clear the histories of all threads and the
// shared transposition table.
void smp_clear(Smp *smp);
void smp_set_weights(Smp *smp, const Weights *weights);
void smp_set_network(Smp *smp, const Network *network);
void smp_set_params(Smp *smp, const SearchParams *params);
void smp_set_rules(Smp *smp, const Rules *rules);
// The number of nodes in reports is the sum over all threads. The count of each other thread may
// lag behind by up to 1,024.
void smp_set_report(Smp *smp, SearchReport *report, void *context);
void smp_set_stop(Smp *smp, const atomic_bool *stop);
const Tt *smp_tt(const Smp *smp);
// Returns the search of the main thread, which has the lines of the last smp_run().
const Search *smp_first(const Smp *smp);

// Searches the current position of the game. A node limit is divided among the threads; if the
// limit is smaller than the number of threads, only the main thread searches. The result contains
// the nodes of all threads. If a thread cannot be started, the others search without it.
void smp_run(Smp *smp, const Game *game, const SearchLimits *limits, SearchResult *result);

// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel search: all threads search the same root with one shared transposition table (team.h).
// The first thread decides when to stop and gives the result. With one thread the result is exactly
// that of search_run(); with more it is not reproducible.
#pragma once

#include "core/search/search.h"

enum { SMP_THREADS_MAX = 256 };

typedef struct Smp Smp;

// Copies the weights. The transposition table has hash_mb mebibytes. Free with smp_free(), which
// accepts NULL.
Smp *smp_new(const Weights *weights, double hash_mb, int threads);
void smp_free(Smp *smp);
AUTO_HANDLE(Smp, smp_free)

// Like the functions of search.h with these names, for all threads.
void smp_clear(Smp *smp);
void smp_set_weights(Smp *smp, const Weights *weights);
void smp_set_network(Smp *smp, const Network *network);
void smp_set_params(Smp *smp, const SearchParams *params);
void smp_set_rules(Smp *smp, const Rules *rules);
// Reported nodes are those of all threads. The counts of the other threads are up to 1,024 nodes
// old.
void smp_set_report(Smp *smp, SearchReport *report, void *context);
void smp_set_stop(Smp *smp, const atomic_bool *stop);
const Tt *smp_tt(const Smp *smp);
// Returns the search of the first thread. Its lines are those of the last smp_run().
const Search *smp_first(const Smp *smp);

// Searches the current position of the game. A limit of nodes is divided among the threads, and the
// result counts the nodes of all. A thread that cannot be started is left out.
void smp_run(Smp *smp, const Game *game, const SearchLimits *limits, SearchResult *result);

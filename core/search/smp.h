// SPDX-License-Identifier: GPL-3.0-or-later
// Several threads on one search: all search the same root over one shared table, as a team
// (team.h). The first thread decides when to stop, and answers. One thread gives exactly what
// search_run() gives. More are not reproducible.
#pragma once

#include "core/search/search.h"

enum { SMP_THREADS_MAX = 256 };

typedef struct Smp Smp;

// Weights are copied. The table has hash_mb mebibytes. Free with smp_free(); NULL is fine there.
Smp *smp_new(const Weights *weights, double hash_mb, int threads);
void smp_free(Smp *smp);
AUTO_HANDLE(Smp, smp_free)

// As the functions of search.h, for all threads.
void smp_clear(Smp *smp);
void smp_set_weights(Smp *smp, const Weights *weights);
void smp_set_network(Smp *smp, const Network *network);
void smp_set_params(Smp *smp, const SearchParams *params);
void smp_set_rules(Smp *smp, const Rules *rules);
// The counted nodes are those of all threads (of the helpers as of about a thousand nodes ago).
void smp_set_report(Smp *smp, SearchReport *report, void *context);
void smp_set_stop(Smp *smp, const atomic_bool *stop);
const Tt *smp_tt(const Smp *smp);
// The first thread's search, whose lines are those of the last smp_run().
const Search *smp_first(const Smp *smp);

// Searches the game's present position. A limit of nodes is shared out among the threads; the
// result counts the nodes of all. A helper that cannot be started is done without.
void smp_run(Smp *smp, const Game *game, const SearchLimits *limits, SearchResult *result);

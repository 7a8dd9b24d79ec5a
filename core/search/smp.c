// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/smp.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/search/search_internal.h"

typedef struct Helper {
    Search *search;
    const Game *game;
    SearchLimits limits;
    SearchResult result;
    pthread_t thread;
    bool started;
} Helper;

struct Smp {
    Tt *tt;
    Team team;
    Search *first;   // search of the main thread, which calls smp_run()
    Helper *helpers; // the other search threads
    int helper_count;
    atomic_bool helpers_stop;
    SearchReport *report;
    void *report_context;
};

// ---- memory and settings ---------------------------------------------------------------------

Smp *smp_new(const Weights *weights, double hash_mb, int threads) {
    Smp *smp = memory_alloc(1, sizeof *smp);
    smp->tt = tt_new(hash_mb);
    pthread_mutex_init(&smp->team.lock, NULL);
    smp->first = search_new(weights, 0, smp->tt);
    smp->helper_count = threads > 1 ? threads - 1 : 0;
    smp->helpers = memory_alloc((size_t)smp->helper_count, sizeof *smp->helpers);
    for (int i = 0; i < smp->helper_count; i++) {
        smp->helpers[i].search = search_new(weights, 0, smp->tt);
        smp->helpers[i].search->team = &smp->team;
        smp->helpers[i].search->ahead = i % 2 == 0;
        search_set_stop(smp->helpers[i].search, &smp->helpers_stop);
    }
    return smp;
}

void smp_free(Smp *smp) {
    if (!smp) return;
    for (int i = 0; i < smp->helper_count; i++) search_free(smp->helpers[i].search);
    free(smp->helpers);
    search_free(smp->first);
    pthread_mutex_destroy(&smp->team.lock);
    tt_free(smp->tt);
    free(smp);
}

// Returns the search of thread i. Thread 0 is the main thread.
static Search *search_at(const Smp *smp, int i) {
    return i == 0 ? smp->first : smp->helpers[i - 1].search;
}

void smp_clear(Smp *smp) {
    for (int i = 0; i <= smp->helper_count; i++) search_clear(search_at(smp, i));
    tt_clear(smp->tt);
}

void smp_set_weights(Smp *smp, const Weights *weights) {
    for (int i = 0; i <= smp->helper_count; i++) search_set_weights(search_at(smp, i), weights);
    smp_clear(smp);
}

void smp_set_network(Smp *smp, const Network *network) {
    for (int i = 0; i <= smp->helper_count; i++) search_set_network(search_at(smp, i), network);
}

void smp_set_params(Smp *smp, const SearchParams *params) {
    for (int i = 0; i <= smp->helper_count; i++) search_set_params(search_at(smp, i), params);
}

void smp_set_rules(Smp *smp, const Rules *rules) {
    for (int i = 0; i <= smp->helper_count; i++) search_set_rules(search_at(smp, i), rules);
}

void smp_set_stop(Smp *smp, const atomic_bool *stop) {
    search_set_stop(smp->first, stop);
}

const Tt *smp_tt(const Smp *smp) {
    return smp->tt;
}

const Search *smp_first(const Smp *smp) {
    return smp->first;
}

static void report_all(void *context, const Search *search, const SearchLine *line, int index,
                       uint64_t nodes, int64_t time_ns) {
    const Smp *smp = context;
    for (int i = 0; i < smp->helper_count; i++) nodes += search_nodes(smp->helpers[i].search);
    smp->report(smp->report_context, search, line, index, nodes, time_ns);
}

void smp_set_report(Smp *smp, SearchReport *report, void *context) {
    smp->report = report;
    smp->report_context = context;
    search_set_report(smp->first, report ? report_all : NULL, smp);
}

// ---- searching -------------------------------------------------------------------------------

static void *help(void *context) {
    Helper *helper = context;
    search_run(helper->search, helper->game, &helper->limits, &helper->result);
    return NULL;
}

// Starts all threads except the main thread. limits->nodes is the node limit of each of them. Only
// the main thread checks the time limit, the mate limit and the flag `ending`.
static void start_helpers(Smp *smp, const Game *game, const SearchLimits *limits) {
    atomic_store(&smp->helpers_stop, false);
    for (int i = 0; i < smp->helper_count; i++) {
        Helper *helper = &smp->helpers[i];
        helper->game = game;
        helper->limits = *limits;
        helper->limits.mate = 0;
        helper->limits.soft_ms = helper->limits.hard_ms = 0;
        helper->limits.clock_start_ns = NULL;
        helper->limits.ending = NULL;
        helper->started = pthread_create(&helper->thread, NULL, help, helper) == 0;
    }
}

static uint64_t join_helpers(Smp *smp) {
    uint64_t nodes = 0;
    atomic_store(&smp->helpers_stop, true);
    for (int i = 0; i < smp->helper_count; i++) {
        Helper *helper = &smp->helpers[i];
        if (!helper->started) continue;
        pthread_join(helper->thread, NULL);
        nodes += helper->result.nodes;
    }
    return nodes;
}

void smp_run(Smp *smp, const Game *game, const SearchLimits *limits, SearchResult *result) {
    const uint64_t threads = (uint64_t)smp->helper_count + 1;
    SearchLimits own = *limits, share = *limits;
    share.nodes = limits->nodes / threads;
    own.nodes = limits->nodes - share.nodes * (threads - 1);
    // If the node limit is smaller than the number of threads, the main thread searches alone.
    const bool alone = smp->helper_count == 0 || (limits->nodes && !share.nodes);
    // Clear the node counts that the other threads had in the last search. Reports include these
    // counts even if the threads have not begun to search, or do not search at all.
    for (int i = 0; i < smp->helper_count; i++) {
        atomic_store(&smp->helpers[i].search->seen_nodes, 0);
    }
    tt_new_search(smp->tt);
    smp->first->team = alone ? NULL : &smp->team;
    atomic_store(&smp->team.depth, 0);
    if (!alone) start_helpers(smp, game, &share);
    search_run(smp->first, game, &own, result);
    if (!alone) result->nodes += join_helpers(smp);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Work that all ranks share: one queue of jobs at rank 0. The others ask for the next job when they
// have none, so that a slow one does less, and send results back.
#pragma once

#include <pthread.h>

#include "core/base/ranks.h"
#include "core/base/text.h"

// At rank 0. The functions are called by a thread of the server's own.
typedef struct RankServer {
    void *context;
    // Adds the next job, for a rank that has so many threads; false: there is none left.
    bool (*next)(void *context, int threads, Text *job);
    void (*take)(void *context, int rank, const unsigned char *result, size_t size);
    // A rank has failed; it does no more.
    void (*fail)(void *context, Status status, const Err *err);
    pthread_t thread;
} RankServer;

void rank_server_begin(RankServer *server);
// Waits until all ranks have left the queue.
void rank_server_end(RankServer *server);

// At another rank: waits for its next job, *job NULL: there is none. Fails as rank_receive().
Status rank_next_job(int threads, RankMessage **job, Err *err);
void rank_send_result(const void *bytes, size_t size);
// No more is asked for or sent.
void rank_leave_jobs(void);

typedef struct RankJobs {
    void *context;
    // At rank 0, never by two threads at once: adds the next job, false: there is none left; takes
    // a result, in any order.
    bool (*next)(void *context, Text *job);
    void (*take)(void *context, const unsigned char *result, size_t size);
    // At any rank: does a job and adds its result. Jobs are private copies; their bytes are aligned
    // for any type.
    Status (*work)(void *context, unsigned char *job, size_t size, Text *result, Err *err);
} RankJobs;

// Called by all ranks, by one thread of each. Rank 0 fails as the first job does, or
// STATUS_INTERRUPTED. Other ranks end with STATUS_OK, when there may be a next call, or as
// rank_receive().
Status rank_jobs_run(const RankJobs *jobs, Err *err);

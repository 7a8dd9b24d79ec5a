// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/rank_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"

typedef enum Kind {
    SAY_ASK,    // -> 0: an int, its threads
    SAY_JOB,    // 0 ->
    SAY_NONE,   // 0 ->: no job is left
    SAY_RESULT, // -> 0
    SAY_LEFT,   // -> 0
} Kind;

// ---- the queue ----------------------------------------------------------------------------------

static void answer(const RankServer *server, const RankMessage *message) {
    int threads;
    AUTO(Text) job = {0};
    memcpy(&threads, message->bytes, sizeof threads);
    const bool any = server->next(server->context, threads, &job);
    rank_send(message->from, any ? SAY_JOB : SAY_NONE, job.data, any ? job.length : 0);
}

static void *serve(void *context) {
    const RankServer *server = context;
    const int count = rank_count();
    AUTO_FREE bool *left = memory_alloc((size_t)count, sizeof *left);
    for (int still = count - 1; still > 0;) {
        RankMessage *message;
        Err err = {0};
        int from = 0;
        const Status status = rank_receive(RANK_ANY, &message, &from, &err);
        if (message) from = message->from;
        const bool leaves = status != STATUS_OK || message->kind == SAY_LEFT;
        // A rank that was interrupted, or has left, fails alone.
        if (status != STATUS_OK && status != STATUS_INTERRUPTED && !left[from]) {
            server->fail(server->context, status, &err);
        } else if (message && message->kind == SAY_ASK) {
            answer(server, message);
        } else if (message && message->kind == SAY_RESULT) {
            server->take(server->context, from, message->bytes, message->size);
        }
        still -= leaves && !left[from];
        left[from] |= leaves;
        rank_message_clear(message);
    }
    return NULL;
}

void rank_server_begin(RankServer *server) {
    if (pthread_create(&server->thread, NULL, serve, server) == 0) return;
    fputs("paotai: cannot start a thread\n", stderr);
    abort();
}

void rank_server_end(RankServer *server) {
    pthread_join(server->thread, NULL);
}

Status rank_next_job(int threads, RankMessage **job, Err *err) {
    rank_send(0, SAY_ASK, &threads, sizeof threads);
    TRY(rank_receive(0, job, NULL, err));
    if ((*job)->kind == SAY_JOB) return STATUS_OK;
    rank_message_clear(*job);
    *job = NULL;
    return STATUS_OK;
}

void rank_send_result(const void *bytes, size_t size) {
    rank_send(0, SAY_RESULT, bytes, size);
}

void rank_leave_jobs(void) {
    rank_send(0, SAY_LEFT, NULL, 0);
}

// ---- jobs one after the other -------------------------------------------------------------------

typedef struct JobsRun {
    const RankJobs *jobs;
    pthread_mutex_t lock; // of the jobs' next() and take(), and of all below
    bool more;
    Status status;
    Err err;
} JobsRun;

static void fail(void *context, Status status, const Err *err) {
    JobsRun *run = context;
    pthread_mutex_lock(&run->lock);
    if (run->status == STATUS_OK) run->err = *err;
    if (run->status == STATUS_OK) run->status = status;
    pthread_mutex_unlock(&run->lock);
}

static bool next(void *context, int threads, Text *job) {
    JobsRun *run = context;
    (void)threads;
    pthread_mutex_lock(&run->lock);
    bool any = run->status == STATUS_OK && !interrupt_requested();
    if (any) run->more = any = run->jobs->next(run->jobs->context, job);
    pthread_mutex_unlock(&run->lock);
    return any;
}

static void take(void *context, int rank, const unsigned char *result, size_t size) {
    JobsRun *run = context;
    (void)rank;
    pthread_mutex_lock(&run->lock);
    run->jobs->take(run->jobs->context, result, size);
    pthread_mutex_unlock(&run->lock);
}

static Status lead(const RankJobs *jobs, Err *err) {
    JobsRun run = {.jobs = jobs, .lock = PTHREAD_MUTEX_INITIALIZER, .more = true};
    RankServer server = {.context = &run, .next = next, .take = take, .fail = fail};
    AUTO(Text) job = {0};
    AUTO(Text) result = {0};
    rank_server_begin(&server);
    while (next(&run, 0, &job)) {
        Err failure;
        const Status status =
            jobs->work(jobs->context, (unsigned char *)job.data, job.length, &result, &failure);
        if (status == STATUS_OK) {
            take(&run, 0, (unsigned char *)result.data, result.length);
        } else {
            fail(&run, status, &failure);
        }
        text_reset(&job);
        text_reset(&result);
    }
    rank_server_end(&server);
    if (run.status != STATUS_OK && err) *err = run.err;
    if (run.status != STATUS_OK || !run.more) return run.status;
    return err_set(err, STATUS_INTERRUPTED, "interrupted");
}

static Status follow(const RankJobs *jobs, Err *err) {
    AUTO(Text) result = {0};
    for (;;) {
        RankMessage *job;
        TRY(rank_next_job(0, &job, err));
        if (!job) break;
        text_reset(&result);
        const Status status = jobs->work(jobs->context, job->bytes, job->size, &result, err);
        rank_message_clear(job);
        TRY(status);
        rank_send_result(result.data, result.length);
    }
    rank_leave_jobs();
    return STATUS_OK;
}

Status rank_jobs_run(const RankJobs *jobs, Err *err) {
    TRY(ranks_share(NULL, 0, err)); // the call before is over
    return rank_self() == 0 ? lead(jobs, err) : follow(jobs, err);
}

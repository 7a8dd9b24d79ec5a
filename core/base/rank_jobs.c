// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/rank_jobs.h"

#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"

typedef enum Kind {
    SAY_READY,  // -> 0
    SAY_JOB,    // 0 ->: its number, then what it is
    SAY_RESULT, // -> 0: the job's number, then its result
    SAY_OVER,   // 0 ->
} Kind;

enum {
    AHEAD = 2,   // jobs that a rank has been given, so that it need not wait for the next
    WINDOW = 16, // results of so many jobs for each rank may wait for an earlier one
};

typedef struct Result {
    unsigned char *bytes; // NULL: not there yet
    size_t size;
} Result;

typedef struct Jobs {
    const RankJobs *jobs;
    uint64_t made, taken;
    Result *results; // [window], of jobs `taken` and later
    uint64_t window;
    int *ready; // [ranks]: jobs that a rank waits for
    int busy;   // jobs that other ranks have
} Jobs;

static bool may_make(const Jobs *run) {
    return run->made < run->jobs->count && run->made < run->taken + run->window &&
           !interrupt_requested();
}

static void take_in_order(Jobs *run) {
    for (Result *result; (result = &run->results[run->taken % run->window])->bytes; run->taken++) {
        run->jobs->take(run->jobs->context, run->taken, result->bytes, result->size);
        free(result->bytes);
        *result = (Result){NULL, 0};
    }
}

static void keep_result(Jobs *run, uint64_t number, const void *bytes, size_t size) {
    Result *result = &run->results[number % run->window];
    result->bytes = memory_alloc(size + 1, 1);
    result->size = size;
    if (size) memcpy(result->bytes, bytes, size);
    take_in_order(run);
}

static void make(Jobs *run, Text *job) {
    const uint64_t number = run->made++;
    text_add_bytes(job, &number, sizeof number);
    run->jobs->make(run->jobs->context, number, job);
}

// Gives jobs to the ranks that wait, in turn.
static void hand_out(Jobs *run) {
    for (bool any = true; any;) {
        any = false;
        for (int rank = 1; rank < rank_count() && may_make(run); rank++) {
            if (run->ready[rank] == 0) continue;
            Text job = {0};
            make(run, &job);
            rank_send(rank, SAY_JOB, job.data, job.length);
            text_clear(&job);
            run->ready[rank]--;
            run->busy++;
            any = true;
        }
    }
}

// Takes a message; where `wait` is set, waits for one.
static Status listen(Jobs *run, bool wait, bool *any, Err *err) {
    RankMessage *message;
    const Status status = rank_receive(RANK_ANY, wait, &message, NULL, err);
    *any = status == STATUS_OK && message;
    if (*any && message->kind == SAY_READY) {
        run->ready[message->from]++;
    } else if (*any) {
        uint64_t number;
        memcpy(&number, message->bytes, sizeof number);
        keep_result(run, number, message->bytes + sizeof number, message->size - sizeof number);
        run->busy--;
    }
    if (*any) rank_message_clear(message);
    return status;
}

static Status do_one(Jobs *run, Err *err) {
    Text job = {0}, result = {0};
    const RankJobs *jobs = run->jobs;
    make(run, &job);
    const uint64_t number = run->made - 1;
    const Status status = jobs->work(jobs->context, (unsigned char *)job.data + sizeof number,
                                     job.length - sizeof number, &result, err);
    if (status == STATUS_OK) keep_result(run, number, result.data, result.length);
    text_clear(&job);
    text_clear(&result);
    return status;
}

static Status lead(Jobs *run, Err *err) {
    Status status = STATUS_OK;
    while (status == STATUS_OK && (run->busy > 0 || may_make(run))) {
        bool any = true;
        while (any && status == STATUS_OK) status = listen(run, false, &any, err);
        hand_out(run);
        if (status == STATUS_OK && may_make(run)) {
            status = do_one(run, err);
        } else if (status == STATUS_OK && run->busy > 0) {
            status = listen(run, true, &any, err);
        }
    }
    if (status == STATUS_OK && run->taken < run->jobs->count) {
        status = err_set(err, STATUS_INTERRUPTED, "interrupted");
    }
    return status;
}

static Status follow(const RankJobs *jobs, Err *err) {
    for (int i = 0; i < AHEAD; i++) rank_send(0, SAY_READY, NULL, 0);
    Text result = {0};
    for (;;) {
        RankMessage *message;
        Status status = rank_receive(0, true, &message, NULL, err);
        const bool over = status != STATUS_OK || message->kind == SAY_OVER;
        if (!over) {
            const size_t head = sizeof(uint64_t);
            text_reset(&result);
            text_add_bytes(&result, message->bytes, head);
            status = jobs->work(jobs->context, message->bytes + head, message->size - head, &result,
                                err);
        }
        rank_message_clear(message);
        if (over || status != STATUS_OK) {
            text_clear(&result);
            return status;
        }
        rank_send(0, SAY_RESULT, result.data, result.length);
        rank_send(0, SAY_READY, NULL, 0);
    }
}

Status rank_jobs_run(const RankJobs *jobs, Err *err) {
    // Nothing of the call before is on its way any more.
    Status status = ranks_share(NULL, 0, err);
    if (status != STATUS_OK || rank_self() > 0) {
        return status == STATUS_OK ? follow(jobs, err) : status;
    }
    Jobs run = {.jobs = jobs, .window = WINDOW * (uint64_t)rank_count()};
    run.results = memory_alloc(run.window, sizeof *run.results);
    run.ready = memory_alloc((size_t)rank_count(), sizeof *run.ready);
    status = lead(&run, err);
    rank_send_all(SAY_OVER, NULL, 0);
    for (uint64_t i = 0; i < run.window; i++) free(run.results[i].bytes);
    free(run.results);
    free(run.ready);
    return status;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs that all ranks share, for work that is cut into pieces whose results are wanted in their
// order. Rank 0 makes the jobs, every rank does some, as fast as it can, and rank 0 takes the
// results in the order of the jobs.
#pragma once

#include "core/base/ranks.h"
#include "core/base/text.h"

typedef struct RankJobs {
    void *context;
    uint64_t count;
    // At rank 0: adds what job `number` is. They are made in their order.
    void (*make)(void *context, uint64_t number, Text *job);
    // At any rank: does a job and adds its result. Jobs are private copies; their bytes are aligned
    // for any type.
    Status (*work)(void *context, unsigned char *job, size_t size, Text *result, Err *err);
    // At rank 0.
    void (*take)(void *context, uint64_t number, const unsigned char *result, size_t size);
} RankJobs;

// Called by all ranks, by one thread of each; rank 0 alone needs to know the count. Rank 0 fails as
// the first job does, or STATUS_INTERRUPTED. Other ranks end with STATUS_OK, when there may be a
// next call, or as rank_receive().
Status rank_jobs_run(const RankJobs *jobs, Err *err);

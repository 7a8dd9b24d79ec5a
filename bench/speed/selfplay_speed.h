// SPDX-License-Identifier: GPL-3.0-or-later
// How fast self-play is, where its time goes, what a second thread brings, and the memory of a
// worker.
#pragma once

#include "selfplay/run/selfplay.h"

// One run in a process of its own.
typedef struct SelfplaySpeed {
    SelfplaySummary summary;
    double seconds;       // wall clock
    double cpu_s;         // of all threads, user and system
    uint64_t peak_memory; // resident, bytes
} SelfplaySpeed;

// Plays spec->games with the given number of threads into the directory spec->out, which is emptied
// of shards before and afterwards. The caller has not used threads itself.
Status selfplay_speed_measure(const SelfplaySpec *spec, int threads, SelfplaySpeed *speed,
                              Err *err);

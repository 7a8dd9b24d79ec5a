// SPDX-License-Identifier: GPL-3.0-or-later
// Programs built from revisions of this repository, so that versions can play each other.
#pragma once

#include <stdio.h>

#include "core/base/status.h"

enum { REVISION_HASH_SIZE = 41, REVISION_PATH_SIZE = 512 };

typedef struct Revision {
    char hash[REVISION_HASH_SIZE];    // the full commit
    char program[REVISION_PATH_SIZE]; // the binary that was built from it
    unsigned long long bench;         // its node signature, as it printed it
} Revision;

// Finds the commit that `name` means in the repository of the working directory: fills hash.
// STATUS_NOT_FOUND when there is none.
Status revision_find(const char *name, Revision *revision, Err *err);
// Finds the commit, builds it in
// CACHE/HASH (from `git archive`, so that the working tree is not touched; a build that is there is
// taken), runs its bench and compares the nodes with the `Bench: N` of the commit's message where
// there is one. Says on `log` what takes long. STATUS_NOT_FOUND: no such commit; STATUS_MISMATCH:
// the bench differs; STATUS_ENGINE: it does not build or run, with the file that tells why.
Status revision_build(const char *name, const char *cache, FILE *log, Revision *revision, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Programs built from revisions of a repository, so that versions can play each other.
#pragma once

#include <stdio.h>

#include "core/base/text.h"

// How revisions are built.
typedef struct RevisionBuild {
    const char *repo;   // a directory of the repository
    const char *build;  // what sh runs in a directory with the revision's files
    const char *binary; // the program that this makes, from there
    const char *cache;  // where built revisions are kept
    FILE *log;          // gets a line for each build; NULL: none
} RevisionBuild;

// Builds `count` commits, each in a directory of the cache (from `git archive`, so that the working
// tree is not touched; a build that is there is taken), and appends the player that it makes to its
// text: "cmd=...,name=...". Where the commit's message says `Bench: N`, the program's command
// `bench` must print that number. STATUS_ENGINE: it is no commit (nothing is built then), does not
// build, or has another bench.
Status revision_players(const RevisionBuild *how, const char *const *names, int count,
                        Text *const *players, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Programs built from revisions of a repository, so that versions can play each other.
#pragma once

#include "core/base/text.h"

// How revisions are built.
typedef struct RevisionBuild {
    const char *repo;   // a directory of the repository
    const char *build;  // what sh runs in a directory with the revision's files
    const char *binary; // the program that this makes, from there
    const char *cache;  // where built revisions are kept
    bool quiet;         // no line for each build on stderr
    bool silent;        // no notes on stderr either
} RevisionBuild;

// A revision that was built. Zero-initialise; revision_clear() frees.
typedef struct Revision {
    Text label;  // "HEAD (c0ffee1234)", for people
    Text player; // "cmd=...,name=..."
} Revision;
void revision_clear(Revision *revision);
AUTO_VALUE(Revision, revision_clear)

// Builds two commits, each in a directory of the cache (a clone, so that the working tree is not
// touched; a build that is there is taken). *newer is the one that descends from
// the other, else the one with the later commit date, else the second. Where the commit's
// message says `Bench: N`, the program's command `bench` must print that number. stderr gets a
// note of uncommitted changes, and one if both have the same bench. STATUS_ENGINE: it is no commit
// (nothing is built then), does not build, or has another bench; or both have the same files,
// unless `same` allows that.
Status revision_players(const RevisionBuild *how, const char *const names[2], bool same,
                        Revision *newer, Revision *older, Err *err);

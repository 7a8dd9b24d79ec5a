// SPDX-License-Identifier: GPL-3.0-or-later
// Programs built from revisions of a repository, so that versions can play each other.
#pragma once

#include "core/base/text.h"

// How revisions are built.
typedef struct RevisionBuild {
    const char *repo;   // a directory inside the repository
    const char *build;  // command for sh, run in a directory with the files of the revision
    const char *binary; // the built program, relative to that directory
    const char *cache;  // directory for built revisions
    bool quiet;         // print no line for each build on stderr
    bool silent;        // print no notes on stderr either
} RevisionBuild;

// A revision that was built. Zero-initialise; revision_clear() frees.
typedef struct Revision {
    Text label;  // "HEAD (c0ffee1234)", for people
    Text player; // "cmd=...,name=..."
    Text bench;  // nodes that its command `bench` searches; empty if unknown
    Text log;    // path of the log of its build
} Revision;
void revision_clear(Revision *revision);
AUTO_VALUE(Revision, revision_clear)

// The name that means the working tree instead of a commit: tracked files as they are, and
// untracked files that git does not ignore.
#define REVISION_WORKTREE "worktree"

// Builds two revisions, each in its own clone in the cache, or reuses their earlier builds. *newer
// is the working tree if one is; else the descendant of the other; else the commit with the later
// date; else the second name. *changed receives the paths of files that differ, separated by
// spaces; it may be NULL. If the message of a commit says `Bench: N`, the program's command `bench`
// must print N. Prints a note on stderr if uncommitted changes are in neither revision, and if both
// have the same bench count. STATUS_ENGINE: a name is no commit (then nothing is built), a revision
// does not build or has another bench count, or both have the same files and `same` is false.
Status revision_players(const RevisionBuild *how, const char *const names[2], bool same,
                        Revision *newer, Revision *older, Text *changed, Err *err);

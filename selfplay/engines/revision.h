// SPDX-License-Identifier: GPL-3.0-or-later
// Builds programs from revisions of a git repository, so that versions can play against each other.
#pragma once

#include "core/base/text.h"

// Options for building revisions.
typedef struct RevisionBuild {
    const char *repo;   // path of a directory inside the repository
    const char *build;  // shell command that builds the program; it runs in a directory with the
                        // files of the revision
    const char *binary; // path of the built program, relative to the directory of the build
    const char *cache;  // directory that keeps the built revisions
    bool quiet;         // print no line on stderr when a build begins
    bool silent;        // print nothing on stderr, neither builds nor notes
} RevisionBuild;

// A revision that was built. Zero-initialise; revision_clear() frees.
typedef struct Revision {
    Text label;  // name of the revision for people, such as "HEAD (c0ffee1234)"
    Text player; // PLAYER text of the built program: "cmd=...,name=..."
    Text bench;  // number of nodes that the program's command `bench` searches; empty if unknown
    Text log;    // path of the log of the build
} Revision;
void revision_clear(Revision *revision);
AUTO_VALUE(Revision, revision_clear)

// Builds two revisions, each in its own clone in how->cache, or reuses earlier builds.
// - Sets *newer and *older. If a name is "worktree", *newer is the working tree: tracked files with
//   their changes, and untracked files that git does not ignore. Otherwise *newer is the descendant
//   of the other revision, or else the later commit (equal dates: names[1]).
// - If both revisions have the same files, that is an error unless `same` is set. *newer is then
//   names[0].
// - *changed, which may be NULL, receives the paths of the changed files, separated by spaces.
// - If the message of a commit says `Bench: N`, the program's command `bench` must print N.
// - Notes on stderr report equal bench counts, and uncommitted changes of tracked files that are in
//   neither revision.
// - Returns STATUS_ENGINE if a name is no commit (nothing is built), a build fails or makes no
//   how->binary, a bench count differs from its commit message, or both revisions have the same
//   files without `same`. Returns STATUS_IO if the shell cannot be run.
Status revision_players(const RevisionBuild *how, const char *const names[2], bool same,
                        Revision *newer, Revision *older, Text *changed, Err *err);

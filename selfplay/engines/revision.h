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
    bool no_bench;      // do not run the command `bench` of the programs
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
// - `names` are names of commits for git. The name "worktree" is the working tree: tracked files
//   with their changes, and untracked files that git does not ignore.
// - Sets *newer and *older. *newer is "worktree" if this is one of the names. Otherwise, if one
//   commit descends from the other, *newer is the descendant. If neither does, *newer is the commit
//   with the later date or, if the dates are equal, names[1].
// - It is an error if both revisions have the same files, unless `same` is set. If `same` is set
//   and the files are the same, *newer is names[0].
// - Sets *changed, if `changed` is not NULL, to the paths of the files that differ between the
//   revisions, separated by spaces.
// - Unless how->no_bench is set, runs the program's command `bench` once for each build, and says
//   so on stderr. Its output is kept, also that of a program without this command. If the message
//   of a commit says `Bench: N`, `bench` must print N.
// - Unless how->silent is set, prints notes on stderr: if both bench counts are equal, and if
//   tracked files have uncommitted changes that neither revision contains.
// - Returns STATUS_ENGINE in these cases: a name is no commit (then nothing is built), a build
//   fails, a build does not make the file how->binary, a bench count differs from the commit
//   message, or both revisions have the same files and `same` is not set. Returns STATUS_IO if the
//   shell cannot be run.
Status revision_players(const RevisionBuild *how, const char *const names[2], bool same,
                        Revision *newer, Revision *older, Text *changed, Err *err);

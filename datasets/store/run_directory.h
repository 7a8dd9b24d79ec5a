// SPDX-License-Identifier: GPL-3.0-or-later
// The directory of a run: its shard files, its lock, and the mark of a run that is not finished.
// This module reads no shards.
#pragma once

#include <stdio.h>

#include "core/base/out_file.h"

// Lists the shard files of a run directory in game order, or the one file that is named.
// path_list_clear() frees the list.
Status store_list_files(const char *path, PathList *list, Err *err);
// Returns true if a file name without folders is that of a shard: shard-*.h5.
bool is_shard_name(const char *name);

// Creates a directory, which may exist, and removes temporary files (.NAME.tmp.PID) of dead
// processes. Returns an error if it cannot be written.
Status run_directory_prepare(const char *dir, Err *err);
// Locks a prepared directory until run_directory_unlock() or the end of the process, and removes
// all temporary files. Returns STATUS_BUSY, with the PID of the holder, if another process has
// locked it.
typedef struct RunLock RunLock;
Status run_directory_lock(const char *dir, RunLock **lock, Err *err);
void run_directory_unlock(RunLock *lock);
AUTO_HANDLE(RunLock, run_directory_unlock)

// Checks who uses a locked directory. `files` lists the command's files, ends with NULL, and begins
// with the file that marks a directory of this command. *begun becomes true if that file exists,
// which is STATUS_USAGE unless `resume` is set. Otherwise the directory must hold none of the other
// files and no games (STATUS_USAGE), so that nothing of another command is overwritten. If there is
// nothing to resume, says so on `tell`, unless that is NULL.
Status run_directory_claim(const char *dir, const char *const *files, bool resume, FILE *tell,
                           bool *begun, Err *err);

// Prepares and locks the directory of a new run, and marks it as unfinished. Refuses a directory
// that holds games, with STATUS_USAGE, whether complete or unfinished.
Status run_new(const char *dir, const char *command, RunLock **lock, Err *err);
// Sets *command to the name of the command that left the run unfinished, or to NULL. The caller
// frees it.
Status run_unfinished(const char *dir, char **command, Err *err);
// Returns STATUS_MISMATCH, with the remedy, if the run is unfinished.
Status run_must_be_whole(const char *dir, Err *err);
// Ends a new run. `complete` removes the mark; without games the directory is removed too.
void run_new_end(const char *dir, RunLock *lock, bool complete, bool has_games);

// SPDX-License-Identifier: GPL-3.0-or-later
// Manages the directory of a run: the list of its shard files, its lock, and the file that marks
// the run as unfinished. Does not read shards.
#pragma once

#include <stdio.h>

#include "core/system/out_file.h"

// Lists the shard files of a run directory in game order. If `path` is a file, lists only that
// file. path_list_clear() frees the list.
Status store_list_files(const char *path, PathList *list, Err *err);
// Returns true if a file name (without folders) has the form shard-*.h5.
bool is_shard_name(const char *name);

// Creates a directory and its parents if they do not exist. Returns an error if the directory
// cannot be written. Removes nothing: the directory may belong to a running command, also on
// another host.
Status run_directory_prepare(const char *dir, Err *err);
// Locks a directory after run_directory_prepare(), and then removes the temporary files that killed
// processes left in it. The lock lasts until run_directory_unlock() or the end of the process.
// Returns STATUS_BUSY if another process has the lock. The error message then names PID, host and
// start time of that process, if they are known.
typedef struct RunLock RunLock;
Status run_directory_lock(const char *dir, RunLock **lock, Err *err);
void run_directory_unlock(RunLock *lock);
AUTO_HANDLE(RunLock, run_directory_unlock)

// Checks whether a command can use a locked directory. `files` is a NULL-terminated list of names
// of the files that this command writes. If the first file exists, the command has used the
// directory before: *begun becomes true, and the function returns STATUS_USAGE unless `resume` is
// set. Otherwise *begun becomes false, and the function returns STATUS_USAGE if the directory has
// shards or one of the other files. If `resume` is set but there is nothing to resume, prints a
// note to `tell`, which may be NULL.
Status run_directory_claim(const char *dir, const char *const *files, bool resume, FILE *tell,
                           bool *begun, Err *err);

// Prepares and locks the directory of a new run, and marks the run as unfinished by a file with the
// name of the command. Returns STATUS_USAGE if the directory already has shards, and STATUS_BUSY if
// another process has locked it.
Status run_new(const char *dir, const char *command, RunLock **lock, Err *err);
// Sets *command to the name of the command that has not finished writing the run, because it was
// stopped or still works. *command becomes NULL if the run is not marked as unfinished. The caller
// frees the name.
Status run_unfinished(const char *dir, char **command, Err *err);
// Returns STATUS_MISMATCH if the run is marked as unfinished. The message says what to do.
Status run_must_be_whole(const char *dir, Err *err);
// Ends the writing of a new run and releases its lock. If the run has games, the file that
// marks the run as unfinished is removed only if `complete` is set. If the run has no games, this
// file is removed, and also the directory unless it has other files. Does nothing if `lock` is
// NULL.
void run_new_end(const char *dir, RunLock *lock, bool complete, bool has_games);

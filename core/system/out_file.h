// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of paths, and output files that replace an old file atomically: a reader sees the complete
// old file or the complete new file.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "core/base/text.h"

// A list of paths or file names. Initialise with zeros; path_list_clear() frees it.
typedef struct PathList {
    char **paths;
    size_t count, capacity;
} PathList;
void path_list_add(PathList *list, const char *path);
void path_list_clear(PathList *list);
AUTO_VALUE(PathList, path_list_clear)

// Adds the names of all entries of a directory to the list, sorted by strcmp(), except "." and
// "..". Returns STATUS_IO if the directory cannot be read completely.
Status path_list_read_directory(PathList *list, const char *dir, Err *err);

typedef struct OutFile {
    FILE *stream;
    const char *path; // path as given, for messages; borrowed
    Text target;      // path of the file to create or replace: `path`, or the file to which the
                      // symbolic link `path` leads; empty if the stream writes directly to `path`
    Text temporary; // path of the temporary file; empty if the stream writes directly to `path` (a
                    // device or pipe)
} OutFile;

// Returns STATUS_IO if `path` exists and is not a regular file, but a directory, device or pipe.
// Callers use it for formats that cannot be written sequentially, such as HDF5.
Status out_file_must_be_regular(const char *path, Err *err);

// Locks an open file without waiting. Returns false if another process has locked it, if `path` no
// longer leads to it, or if the file system has no locks. The lock ends when the file is closed.
bool file_lock(int fd, const char *path);

// Removes temporary files (.NAME.tmp.NUMBER) from a directory, except those that a process has
// locked, because it still writes them. `name` selects the temporary files of one output file; NULL
// selects all. The number in a name is the PID of its process on some host. It is no evidence that
// the process has ended.
Status out_files_sweep(const char *dir, const char *name, Err *err);

// Opens a file for writing. A regular file is written under a temporary name in the same directory
// (.NAME.tmp.NUMBER), which is locked meanwhile. Temporary files that killed writers of the same
// file left behind are removed. Devices and pipes are written directly. After a failure nothing
// stays open.
//
// Symbolic links, one rule for all outputs: a link is followed if it leads to a regular file of
// this user, or to a device or pipe, and if only this user and root may create files in the link's
// directory. Other links are refused, because another user may have placed them there. A link that
// leads to no file is replaced by the new file. In the directory of a run (a directory with a file
// .lock) no link is followed: there the program chooses the names, and a new file replaces the
// link.
Status out_file_open(OutFile *file, const char *path, Err *err);

// Opens a file, such as a log, to append to it. Creates the file if it does not exist. Treats
// symbolic links like out_file_open(), but in the directory of a run it refuses them. The caller
// closes the stream.
Status out_file_append(const char *path, FILE **stream, Err *err);

// Closes the file. If `status` is STATUS_OK, syncs the temporary file to disk and renames it to its
// final name. If `status` is a failure, or if writing or renaming fails, deletes the temporary file
// and returns the failure. A device or pipe is only flushed and closed.
Status out_file_close(OutFile *file, Status status, Err *err);

// Writes a whole file with out_file_open() and out_file_close().
Status text_write_file(const char *path, const char *data, size_t length, Err *err);
// Checks, before a long computation, whether text_write_file() could write to the path. A NULL path
// is accepted.
Status text_check_writable(const char *path, Err *err);

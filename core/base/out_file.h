// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of paths, and output files that are replaced atomically: a reader sees the old or the new
// file, never a part.
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

// Adds the names of all directory entries except "." and "..", sorted by strcmp(). Returns
// STATUS_IO if the directory cannot be read completely.
Status path_list_read_directory(PathList *list, const char *dir, Err *err);

typedef struct OutFile {
    FILE *stream;
    const char *path; // path as given, for messages; borrowed
    Text target;      // path of the file to replace, with symbolic links resolved
    Text temporary;   // path of the temporary file; empty if the stream writes directly to `path`
} OutFile;

// Returns STATUS_IO if `path` exists and is not a regular file, but a directory, device or pipe.
// Formats that are not written sequentially need this check.
Status out_file_must_be_regular(const char *path, Err *err);

// Removes temporary files (.NAME.tmp.PID) that killed processes left in a directory. `name` selects
// the files of one target; NULL selects all. If `dead` is set, only files whose process no longer
// exists are removed. A caller that has locked the directory can remove all.
Status out_files_sweep(const char *dir, const char *name, bool dead, Err *err);

// Opens a file for writing. A regular file is written under a temporary name beside it
// (.NAME.tmp.PID). Symbolic links are followed, except in the directory of a run, where they are
// replaced. Temporary files that killed writers of the same file left behind are removed. Devices
// and pipes are written directly. Nothing is left open on failure.
Status out_file_open(OutFile *file, const char *path, Err *err);

// Closes the file. If `status` is STATUS_OK, syncs the content to disk and renames it to its final
// name. Otherwise deletes what was written and returns `status`.
Status out_file_close(OutFile *file, Status status, Err *err);

// Writes a whole file with out_file_open() and out_file_close().
Status text_write_file(const char *path, const char *data, size_t length, Err *err);
// Checks, before a long computation, whether text_write_file() could write to the path. A NULL path
// is accepted.
Status text_check_writable(const char *path, Err *err);

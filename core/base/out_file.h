// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of paths; output files, which are whole or as they were before.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "core/base/text.h"

// Paths, or what a directory holds. Zero-initialise; path_list_clear() frees.
typedef struct PathList {
    char **paths;
    size_t count, capacity;
} PathList;
void path_list_add(PathList *list, const char *path);
void path_list_clear(PathList *list);
AUTO_VALUE(PathList, path_list_clear)

// Adds the names in a directory, "." and ".." left out, in the order of strcmp(). STATUS_IO where
// it cannot be opened or is not read to its end: a part of it is never taken for all.
Status path_list_read_directory(PathList *list, const char *dir, Err *err);

typedef struct OutFile {
    FILE *stream;
    const char *path; // as it was given, for messages; the caller's
    Text target;      // what is replaced: the file that a symbolic link leads to
    Text temporary;   // empty: the stream is the thing itself
} OutFile;

// STATUS_IO when a file of such a name cannot be replaced by another: it is a directory, a device,
// a pipe. For formats that are not written from front to end.
Status out_file_must_be_regular(const char *path, Err *err);

// Removes from a directory the temporary files, .NAME.tmp.PID, that a killed process left there: of
// this name (NULL: of any), of dead writers or, for who has the directory alone, of all.
Status out_files_sweep(const char *dir, const char *name, bool dead, Err *err);

// Opens a regular file, or one that is to be, under a temporary name beside it (.NAME.tmp.PID). A
// symbolic link is followed, but one in the directory of a run is replaced.
// Temporary files of killed writers of the same file are removed. Devices and pipes are written
// directly: to rename over one would replace it. Nothing is left open on failure.
Status out_file_open(OutFile *file, const char *path, Err *err);

// Ends the writing, in any case. With STATUS_OK as `status` so far the content is brought to the
// disk and the file to its name; else what was written is thrown away, and `status` returned.
Status out_file_close(OutFile *file, Status status, Err *err);

Status text_write_file(const char *path, const char *data, size_t length, Err *err);
// Could text_write_file() write there? Asked before long work. NULL: fine.
Status text_check_writable(const char *path, Err *err);

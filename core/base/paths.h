// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of paths, and of what a directory holds.
#pragma once

#include <stddef.h>

#include "core/base/status.h"

// Zero-initialise; path_list_clear() frees.
typedef struct PathList {
    char **paths;
    size_t count, capacity;
} PathList;
void path_list_add(PathList *list, const char *path);
void path_list_clear(PathList *list);

// Adds the names in a directory, "." and ".." left out, in the order of strcmp(). STATUS_IO where
// it cannot be opened or is not read to its end: a part of it is never taken for all.
Status path_list_read_directory(PathList *list, const char *dir, Err *err);

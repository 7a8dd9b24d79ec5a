// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

void path_list_add(PathList *list, const char *path) {
    list->paths = memory_room(list->paths, &list->capacity, list->count + 1, sizeof *list->paths);
    list->paths[list->count++] = memory_copy_text(path);
}

void path_list_clear(PathList *list) {
    for (size_t i = 0; i < list->count; i++) free(list->paths[i]);
    free(list->paths);
    *list = (PathList){0};
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

Status path_list_read_directory(PathList *list, const char *dir, Err *err) {
    const size_t before = list->count;
    DIR *open_dir = opendir(dir);
    if (!open_dir) return err_set(err, STATUS_IO, "cannot open %s: %s", dir, strerror(errno));
    const struct dirent *entry;
    // The end and a failure look alike but for errno.
    while (errno = 0, (entry = readdir(open_dir)) != NULL) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) path_list_add(list, name);
    }
    const int why = errno;
    closedir(open_dir);
    if (why) return err_set(err, STATUS_IO, "cannot list %s: %s", dir, strerror(why));
    if (list->count > before) {
        qsort(list->paths + before, list->count - before, sizeof *list->paths, compare_names);
    }
    return STATUS_OK;
}

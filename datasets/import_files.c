// SPDX-License-Identifier: GPL-3.0-or-later
// Which files an import reads.
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "datasets/import.h"
#include "datasets/provenance.h"

enum {
    DEEPEST = 64,      // folders in folders
    NAMED_SOURCES = 8, // so many files are named in the provenance, more are counted
};

static bool is_wanted(const char *name, const GameFormat *format) {
    const GameFormat *own = game_format_of_name(name);
    return format ? own == format : own != NULL;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static Status read_names(const char *dir, PathList *names, Err *err) {
    DIR *open_dir = opendir(dir);
    if (!open_dir) return err_set(err, STATUS_IO, "cannot open %s: %s", dir, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(open_dir));) {
        if (entry->d_name[0] != '.') path_list_add(names, entry->d_name);
    }
    closedir(open_dir);
    if (names->count > 1) qsort(names->paths, names->count, sizeof *names->paths, compare_names);
    return STATUS_OK;
}

static Status add_directory(const char *dir, const GameFormat *format, int depth, PathList *list,
                            Err *err) {
    PathList names = {0};
    Text path = {0};
    Status status = read_names(dir, &names, err);
    for (size_t i = 0; i < names.count && status == STATUS_OK; i++) {
        struct stat info;
        text_reset(&path);
        text_add(&path, "%s/%s", dir, names.paths[i]);
        // Links are not followed to folders: they could lead in a circle.
        if (lstat(path.data, &info) != 0) continue;
        if (S_ISDIR(info.st_mode) && depth < DEEPEST) {
            status = add_directory(path.data, format, depth + 1, list, err);
        } else if (!S_ISDIR(info.st_mode) && is_wanted(path.data, format)) {
            path_list_add(list, path.data);
        }
    }
    text_clear(&path);
    path_list_clear(&names);
    return status;
}

Status import_list_files(const char *path, const GameFormat *format, PathList *list, Err *err) {
    struct stat info;
    if (strcmp(path, "-") == 0 || stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        path_list_add(list, path);
        return STATUS_OK;
    }
    const size_t before = list->count;
    Status status = add_directory(path, format, 0, list, err);
    if (status == STATUS_OK && list->count == before) {
        status = err_set(err, STATUS_NOT_FOUND, "%s holds no file called *%s", path,
                         format ? format->extension : ".pgn, *.xqf ...");
    }
    return status;
}

Status import_sources_to_text(const PathList *paths, Text *text, Err *err) {
    Text lines = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < paths->count && status == STATUS_OK; i++) {
        if (i > 0) text_add(&lines, "; ");
        if (strcmp(paths->paths[i], "-") == 0) {
            text_add(&lines, "standard input");
        } else {
            status = source_to_text(paths->paths[i], &lines, err);
        }
    }
    if (status == STATUS_OK && paths->count <= NAMED_SOURCES) {
        text_add(text, "%s", paths->count ? text_get(&lines) : "standard input");
    } else if (status == STATUS_OK) {
        char hex[SHA256_HEX_SIZE];
        sha256_hex_of(lines.data, lines.length, hex);
        text_add(text, "%zu files, their names and hashes sha256 %s", paths->count, hex);
    }
    text_clear(&lines);
    return status;
}

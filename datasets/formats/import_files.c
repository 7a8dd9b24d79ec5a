// SPDX-License-Identifier: GPL-3.0-or-later
// Which files an import reads.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/memory.h"
#include "datasets/formats/import.h"
#include "datasets/store/run.h"

enum {
    DEEPEST = 64,      // folders in folders
    NAMED_SOURCES = 8, // so many files are named in the provenance, more are counted
};

// Hidden files are left alone.
static Status read_names(const char *dir, PathList *names, Err *err) {
    PathList all = {0};
    const Status status = path_list_read_directory(&all, dir, err);
    for (size_t i = 0; i < all.count; i++) {
        if (all.paths[i][0] != '.') path_list_add(names, all.paths[i]);
    }
    path_list_clear(&all);
    return status;
}

typedef struct Listing {
    const GameFormat *format;
    const ImportHooks *hooks;
    ImportReport *report;
    PathList *list;
} Listing;

// Adds a file of a folder, or refuses it: a pipe or a device there could wait or go on for ever.
static void add_file(const Listing *listing, const char *path) {
    struct stat info;
    const char *why = NULL;
    if (stat(path, &info) != 0) {
        why = strerror(errno);
    } else if (!S_ISREG(info.st_mode)) {
        why = S_ISDIR(info.st_mode)    ? "it is a link to a folder, which is not followed"
              : S_ISFIFO(info.st_mode) ? "it is a named pipe, which is read only when named itself"
                                       : "it is no regular file";
    }
    if (why) {
        import_refuse_file(listing->hooks, listing->report, path, why);
    } else {
        path_list_add(listing->list, path);
    }
}

static Status add_directory(const Listing *listing, const char *dir, int depth, Err *err) {
    PathList names = {0};
    Text path = {0};
    const Status status = read_names(dir, &names, err);
    for (size_t i = 0; i < names.count; i++) {
        struct stat info;
        Err why = {0};
        text_reset(&path);
        text_add(&path, "%s/%s", dir, names.paths[i]);
        // Links are not followed to folders: they could lead in a circle.
        const bool known = lstat(path.data, &info) == 0;
        const bool folder = known && S_ISDIR(info.st_mode);
        if (!known) {
            import_refuse_file(listing->hooks, listing->report, path.data, strerror(errno));
        } else if (!folder &&
                   source_name_is_wanted(path.data, listing->format, &listing->report->passed)) {
            add_file(listing, path.data);
        } else if (folder && depth == DEEPEST) {
            import_refuse_file(listing->hooks, listing->report, path.data,
                               "the folders are too deep in each other");
        } else if (folder && add_directory(listing, path.data, depth + 1, &why) != STATUS_OK) {
            import_refuse_file(listing->hooks, listing->report, path.data, why.text);
        }
    }
    text_clear(&path);
    path_list_clear(&names);
    return status;
}

Status import_list_files(const char *path, const GameFormat *format, const ImportHooks *hooks,
                         PathList *list, ImportReport *report, Err *err) {
    struct stat info;
    if (strcmp(path, "-") == 0 || stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        path_list_add(list, path);
        return STATUS_OK;
    }
    const size_t before = list->count;
    const uint64_t refused = report->refused_files;
    const Listing listing = {format, hooks, report, list};
    Status status = add_directory(&listing, path, 0, err);
    if (status == STATUS_OK && list->count == before && report->refused_files == refused) {
        status = err_set(err, STATUS_NOT_FOUND, "%s holds no file called *%s", path,
                         format ? format->extension : ".pgn, *.xqf ...");
    }
    return status;
}

Status import_sources_to_text(PathList *paths, const ImportHooks *hooks, ImportReport *report,
                              Text *text, Err *err) {
    Text lines = {0};
    Status status = STATUS_OK;
    const size_t count = paths->count;
    size_t kept = 0;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        char *path = paths->paths[i];
        const size_t before = lines.length;
        Err why = {0};
        if (kept > 0) text_add(&lines, "; ");
        if (strcmp(path, "-") == 0) {
            text_add(&lines, "standard input");
        } else if (source_to_text(path, &lines, &why) != STATUS_OK) {
            lines.length = before;
            if (count > 1) {
                import_refuse_file(hooks, report, path, why.text);
            } else {
                *err = why;
                status = why.status;
            }
            free(path);
            continue;
        }
        paths->paths[kept++] = path;
    }
    paths->count = kept;
    if (status == STATUS_OK && kept == 0 && report->refused_files > 0) {
        status = err_set(err, STATUS_IO, "none of the %llu files can be read",
                         (unsigned long long)report->refused_files);
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

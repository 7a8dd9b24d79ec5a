// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the files that an import reads, and reads results in their names.
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "datasets/exchange/import.h"
#include "datasets/store/run.h"

enum {
    DEEPEST = 64,      // largest nesting depth of directories
    NAMED_SOURCES = 8, // largest number of files whose names the provenance stores; for more files,
                       // it stores only their number and one common hash
};

typedef struct Listing {
    const GameFormat *format;
    const ImportHooks *hooks;
    ImportReport *report;
    PathList *list;
} Listing;

// Returns the reason why a file in a directory is not read, or NULL if it is read. A pipe or a
// device, for example, could block the import forever.
static const char *file_fault(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) return strerror(errno);
    if (S_ISREG(info.st_mode)) return NULL;
    return S_ISDIR(info.st_mode) ? "the path is a link to a folder, which import does not follow: "
                                   "name the folder itself"
           : S_ISFIFO(info.st_mode)
               ? "the path is a named pipe, which import reads only if it is given as an argument"
               : "the path is not a regular file";
}

static Status add_directory(const Listing *listing, const char *dir, int depth, Err *err) {
    AUTO(PathList) names = {0};
    AUTO(Text) path = {0};
    TRY(path_list_read_directory(&names, dir, err));
    for (size_t i = 0; i < names.count; i++) {
        struct stat info;
        Err below = {0};
        const char *why = NULL;
        if (names.paths[i][0] == '.') continue; // hidden files and folders are skipped
        text_reset(&path);
        text_add(&path, "%s/%s", dir, names.paths[i]);
        // Links to directories are not followed, because they could form a cycle.
        if (lstat(path.data, &info) != 0) {
            why = strerror(errno);
        } else if (!S_ISDIR(info.st_mode)) {
            if (!source_name_is_wanted(path.data, listing->format, &listing->report->passed)) {
                continue;
            }
            why = file_fault(path.data);
            if (!why) path_list_add(listing->list, path.data);
        } else if (depth == DEEPEST) {
            why = "the folder is nested too deep: give it as an argument";
        } else if (add_directory(listing, path.data, depth + 1, &below) != STATUS_OK) {
            why = below.text;
        }
        if (why) import_refuse_file(listing->hooks, listing->report, path.data, why);
    }
    return STATUS_OK;
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
    TRY(add_directory(&listing, path, 0, err));
    if (list->count > before || report->refused_files > refused) return STATUS_OK;
    return err_set(err, STATUS_NOT_FOUND,
                   "the folder %s has no file whose name ends in %s; give other files as arguments",
                   path, format ? format->extension : ".pgn, .xqf or the ending of another format");
}

Status import_sources_to_text(PathList *paths, const ImportHooks *hooks, ImportReport *report,
                              Text *text, Err *err) {
    AUTO(Text) lines = {0};
    const size_t count = paths->count;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        char *path = paths->paths[i];
        const size_t before = lines.length;
        Err why = {0};
        if (kept > 0) text_add(&lines, "; ");
        if (strcmp(path, "-") == 0) {
            source_stream_to_text("standard input", &lines);
        } else if (source_to_text(path, &lines, &why) != STATUS_OK) {
            if (count == 1) {
                *err = why;
                return why.status;
            }
            lines.length = before;
            import_refuse_file(hooks, report, path, why.text);
            free(path);
            paths->paths[i] = NULL;
            continue;
        }
        paths->paths[i] = NULL;
        paths->paths[kept++] = path;
    }
    paths->count = kept;
    if (kept == 0 && report->refused_files > 0) {
        return err_set(err, STATUS_IO, "none of the %llu files can be read",
                       (unsigned long long)report->refused_files);
    }
    if (kept == 0) {
        source_stream_to_text("standard input", text);
    } else if (kept <= NAMED_SOURCES) {
        text_add(text, "%s", lines.data);
    } else {
        char hex[SHA256_HEX_SIZE];
        sha256_hex_of(lines.data, lines.length, hex);
        text_add(text, "%zu files; the list of their names and hashes has sha256 %s", kept, hex);
    }
    return STATUS_OK;
}

// ---- results in file names ----------------------------------------------------------------------

// Returns true if a file name contains the word. If the word is a result in digits, such as 1-0, it
// must not follow a digit, '-' or '.', nor precede a digit: the date 2001-01-02 has no result.
static bool name_says(const char *name, size_t length, const char *word) {
    static const char figures[] = "0123456789-.";
    const size_t size = strlen(word);
    const bool ascii = isdigit((unsigned char)*word);
    for (size_t i = 0; i + size <= length; i++) {
        if (memcmp(name + i, word, size) != 0) continue;
        const bool before = i > 0 && memchr(figures, name[i - 1], sizeof figures - 1);
        const bool after = i + size < length && isdigit((unsigned char)name[i + size]);
        if (!ascii || (!before && !after)) return true;
    }
    return false;
}

bool import_result_of_name(const char *path, int8_t *result) {
    static const struct {
        const char *word;
        int8_t result;
    } words[] = {{"1-0", 1},   {"0-1", -1},  {"紅勝", 1},    {"红胜", 1},
                 {"先勝", 1},  {"先胜", 1},  {"黑負", 1},    {"黑负", 1},
                 {"紅負", -1}, {"红负", -1}, {"先負", -1},   {"先负", -1},
                 {"黑勝", -1}, {"黑胜", -1}, {"1-2-1-2", 0}, {"和", 0}};
    for (const char *end = path + strlen(path); end > path; end--) {
        const char *name = end;
        while (name > path && name[-1] != '/' && name[-1] != ':') name--;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (!name_says(name, (size_t)(end - name), words[i].word)) continue;
            *result = words[i].result;
            return true;
        }
        end = name > path ? name : path + 1;
    }
    return false;
}

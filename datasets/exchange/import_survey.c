// SPDX-License-Identifier: GPL-3.0-or-later
// The first pass over the files of an import, and the copies of inputs that can be read only once.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/system/in_file.h"
#include "core/system/interrupt.h"
#include "datasets/exchange/import.h"

enum { MEMORY_MAX_MB = 64 }; // largest copy that is held in memory

static size_t path_count(const PathList *paths) {
    return paths && paths->count ? paths->count : 1;
}

static const char *path_at(const PathList *paths, size_t i) {
    return paths && paths->count ? paths->paths[i] : "-";
}

// Opens a temporary file without a name, in a directory or in memory.
static Status open_temporary(const char *dir, FILE **file, Err *err) {
    AUTO(Text) path = {0};
    text_add(&path, "%s/.input.tmp.%ld", dir ? dir : "", (long)getpid());
    const int fd = dir ? open(path.data, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
                       : memfd_create("paotai", MFD_CLOEXEC);
    if (fd >= 0 && dir) unlink(path.data);
    *file = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    if (*file) return STATUS_OK;
    err_set(err, STATUS_IO, "cannot open the temporary file %s: %s", dir ? path.data : "in memory",
            strerror(errno));
    if (fd >= 0) close(fd);
    return err->status;
}

static Status copy_input(const char *path, const char *dir, FILE *to, Err *err) {
    LineReader from;
    char block[1 << 16];
    size_t size = 0;
    ssize_t got = 1;
    TRY(line_reader_open(&from, path, err));
    Status status = STATUS_OK;
    while (status == STATUS_OK && got != 0) {
        got = read(fileno(from.file), block, sizeof block);
        if (interrupt_requested()) {
            status = err_set(err, STATUS_INTERRUPTED, "interrupted");
        } else if (got < 0 && errno != EINTR) {
            status = err_set(err, STATUS_IO, "%s cannot be read: %s", from.name, strerror(errno));
        } else if (got > 0 && fwrite(block, 1, (size_t)got, to) != (size_t)got) {
            status = err_set(err, STATUS_IO, "cannot write the temporary copy of %s in %s: %s",
                             from.name, dir ? dir : "memory", strerror(errno));
        }
        size += got > 0 ? (size_t)got : 0;
        if (!dir && size >> 20 >= MEMORY_MAX_MB) {
            status = err_set(err, STATUS_BAD_INPUT,
                             "%s has more than %d MB, which are too many to hold in memory: write "
                             "it to a file, and name this file",
                             from.name, MEMORY_MAX_MB);
        }
    }
    if (status == STATUS_OK && fflush(to) != 0) {
        status = err_set(err, STATUS_IO, "cannot write the temporary copy of %s in %s: %s",
                         from.name, dir ? dir : "memory", strerror(errno));
    }
    line_reader_close(&from, NULL);
    return status;
}

Status import_copy_inputs(const PathList *paths, const char *dir, ImportCopies *copies, Err *err) {
    copies->count = path_count(paths);
    copies->files = memory_alloc(copies->count, sizeof(FILE *));
    for (size_t i = 0; i < copies->count; i++) {
        const char *path = path_at(paths, i);
        struct stat info;
        const bool input = strcmp(path, "-") == 0;
        // A path that does not exist is reported when it is opened.
        if (!input && (stat(path, &info) != 0 || S_ISREG(info.st_mode))) continue;
        TRY(open_temporary(dir, &copies->files[i], err));
        TRY(copy_input(path, dir, copies->files[i], err));
    }
    return STATUS_OK;
}

void import_copies_clear(ImportCopies *copies) {
    for (size_t i = 0; i < copies->count; i++) {
        if (copies->files[i]) fclose(copies->files[i]);
    }
    free(copies->files);
    *copies = (ImportCopies){0};
}

// Surveys the files of one path. Ignores what cannot be read.
static void survey_path(const char *path, FILE *copy, const GameFormat *format,
                        const ReadSettings *settings, Survey *survey) {
    SourceReader reader;
    Err why = {0};
    Status status = STATUS_OK;
    if (source_reader_open_copy(&reader, path, copy, format, settings, &why) != STATUS_OK) return;
    reader.brief = true;
    while (status != STATUS_NOT_FOUND && !interrupt_requested()) {
        status = source_reader_next_file(&reader, &why);
        if (status == STATUS_OK) survey_file(&reader, survey);
    }
    source_reader_close(&reader);
}

Status import_survey(const PathList *paths, const ImportCopies *copies, const GameFormat *format,
                     const ReadSettings *settings, Survey *survey, Err *err) {
    if (!format || format->positions || format->id == FORMAT_MOVES) {
        for (size_t i = 0; i < path_count(paths); i++) {
            survey_path(path_at(paths, i), copies->files[i], format, settings, survey);
        }
    }
    return survey_decide(survey, settings, err);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Status out_file_must_be_regular(const char *path, Err *err) {
    struct stat there;
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode)) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot write %s: it is not a regular file%s", path,
                   S_ISDIR(there.st_mode) ? " but a directory" : "");
}

static Status fail(const OutFile *file, const char *verb, int error_number, Err *err) {
    return err_set(err, STATUS_IO, "cannot %s %s: %s", verb, file->path, strerror(error_number));
}

Status out_file_open(OutFile *file, const char *path, Err *err) {
    *file = (OutFile){.path = path};
    struct stat there;
    const bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) return out_file_must_be_regular(path, err);
    int fd;
    if (exists && !S_ISREG(there.st_mode)) {
        fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        char *real = exists ? realpath(path, NULL) : NULL;
        text_add(&file->target, "%s", real ? real : path);
        free(real);
        const char *target = text_get(&file->target), *slash = strrchr(target, '/');
        const int folder = slash ? (int)(slash + 1 - target) : 0;
        text_add(&file->temporary, "%.*s.%s.tmp.%ld", folder, target, target + folder,
                 (long)getpid());
        fd = open(text_get(&file->temporary), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    if (fd >= 0 && (file->stream = fdopen(fd, "wb"))) return STATUS_OK;
    const Status status = fail(file, fd < 0 ? "create" : "write", errno, err);
    if (fd >= 0) close(fd);
    if (fd >= 0 && file->temporary.length) unlink(text_get(&file->temporary));
    text_clear(&file->target);
    text_clear(&file->temporary);
    return status;
}

Status out_file_close(OutFile *file, Status status, Err *err) {
    const bool replaces = file->temporary.length > 0;
    const char *temporary = text_get(&file->temporary);
    if (status == STATUS_OK &&
        (fflush(file->stream) != 0 || (replaces && fsync(fileno(file->stream)) != 0))) {
        status = fail(file, "write", errno, err);
    }
    if (fclose(file->stream) != 0 && status == STATUS_OK) status = fail(file, "write", errno, err);
    if (replaces && status == STATUS_OK && rename(temporary, text_get(&file->target)) != 0) {
        status = fail(file, "rename to", errno, err);
    }
    if (replaces && status != STATUS_OK) unlink(temporary);
    file->stream = NULL;
    text_clear(&file->target);
    text_clear(&file->temporary);
    return status;
}

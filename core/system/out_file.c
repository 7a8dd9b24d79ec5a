// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/system/out_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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
    // readdir() returns NULL at the end and on failure. Only errno tells these cases apart.
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

Status out_file_must_be_regular(const char *path, Err *err) {
    struct stat there;
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode)) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot write %s: it is not a regular file%s", path,
                   S_ISDIR(there.st_mode) ? " but a directory" : "");
}

static Status fail(const OutFile *file, const char *verb, int error_number, Err *err) {
    return err_set(err, STATUS_IO, "cannot %s %s: %s", verb, file->path, strerror(error_number));
}

// ---- temporary files ----------------------------------------------------------------------------

// Returns true if a file name has the form .NAME.tmp.NUMBER of a temporary file. NAME must be
// `target`, unless `target` is NULL.
static bool is_temporary(const char *name, const char *target) {
    const size_t length = target ? strlen(target) : 0;
    if (name[0] != '.' || (target && strncmp(name + 1, target, length) != 0)) return false;
    const char *mark = strstr(name + 1 + length, ".tmp.");
    if (!mark || (target && mark != name + 1 + length)) return false;
    const size_t digits = strspn(mark + 5, "0123456789");
    return digits > 0 && mark[5 + digits] == '\0';
}

// Returns true if the path leads to the open file. On failure sets errno, which is 0 if the path
// leads to another file.
static bool is_file(int fd, const char *path) {
    struct stat there, opened;
    errno = 0;
    return stat(path, &there) == 0 && fstat(fd, &opened) == 0 && there.st_dev == opened.st_dev &&
           there.st_ino == opened.st_ino;
}

bool file_lock(int fd, const char *path) {
    return flock(fd, LOCK_EX | LOCK_NB) == 0 && is_file(fd, path);
}

Status out_files_sweep(const char *dir, const char *name, Err *err) {
    AUTO(PathList) names = {0};
    AUTO(Text) path = {0};
    const Status status = path_list_read_directory(&names, dir, err);
    for (size_t i = 0; i < names.count; i++) {
        if (!is_temporary(names.paths[i], name)) continue;
        text_reset(&path);
        text_add(&path, "%s/%s", dir, names.paths[i]);
        const int fd = open(path.data, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0) continue;
        if (file_lock(fd, path.data)) unlink(path.data);
        close(fd);
    }
    return status;
}

// Creates a temporary file in the target's directory, locks it, and sets file->temporary. Removes
// temporary files for the same target that killed processes left there. Returns -1 and sets errno
// on failure.
static int open_temporary(OutFile *file) {
    enum { MOST_TRIES = 1000 };
    const char *target = text_get(&file->target), *slash = strrchr(target, '/');
    const int folder = slash ? (int)(slash + 1 - target) : 0;
    AUTO(Text) dir = {0};
    text_add(&dir, "%.*s", folder, target);
    // Ignore a failure to list the directory: it may be writable but not readable. Old temporary
    // files then stay.
    out_files_sweep(folder ? dir.data : ".", target + folder, NULL);
    // A process of another host or container may have the same PID, so the name may be taken.
    for (long number = getpid(), tries = 0; tries < MOST_TRIES; number++, tries++) {
        text_reset(&file->temporary);
        text_add(&file->temporary, "%s.%s.tmp.%ld", text_get(&dir), target + folder, number);
        const char *path = text_get(&file->temporary);
        const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno == EEXIST) continue;
        if (fd < 0) return fd;
        // A sweep of another process may have locked or removed the file before this lock. On a
        // file system without locks, sweeps remove nothing.
        const bool swept = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!swept && is_file(fd, path)) return fd;
        const int why = swept ? 0 : errno;
        close(fd);
        if (why == 0 || why == ENOENT) continue;
        unlink(path);
        errno = why;
        return -1;
    }
    errno = EEXIST;
    return -1;
}

// ---- symbolic links -----------------------------------------------------------------------------

// Returns the length of the directory part of a path, with its slash.
static int folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash + 1 - path) : 0;
}

// Returns true if the file `path` is in the directory of a run, which contains a file .lock.
static bool in_run(const char *path) {
    AUTO(Text) lock = {0};
    text_add(&lock, "%.*s.lock", folder_length(path), path);
    return access(lock.data, F_OK) == 0;
}

// Returns true if only this user and root can create files in the directory of the file `path`.
static bool in_own_directory(const char *path) {
    AUTO(Text) dir = {0};
    struct stat there;
    text_add(&dir, "%.*s.", folder_length(path), path);
    return stat(dir.data, &there) == 0 && (there.st_uid == geteuid() || there.st_uid == 0) &&
           !(there.st_mode & (S_IWGRP | S_IWOTH));
}

static Status refuse_link(const char *path, const char *why, Err *err) {
    return err_set(err, STATUS_IO,
                   "cannot write %s: it is a symbolic link %s; give the name of the file itself",
                   path, why);
}

// Checks that each of the symbolic links to which `path` leads, in turn, may be followed.
static Status check_links(const char *path, Err *err) {
    enum { MOST_LINKS = 40 }; // limit of the Linux kernel
    AUTO(Text) at = {0};
    struct stat there;
    text_add(&at, "%s", path);
    for (int links = 0; lstat(at.data, &there) == 0 && S_ISLNK(there.st_mode); links++) {
        char next[PATH_MAX];
        const ssize_t length = readlink(at.data, next, sizeof next - 1);
        if (length < 0 || links == MOST_LINKS) return refuse_link(path, "that leads nowhere", err);
        if (!in_own_directory(at.data))
            return refuse_link(path, "in a directory that others may write to", err);
        if (in_run(at.data)) return refuse_link(path, "into the directory of a run", err);
        next[length] = '\0';
        AUTO(Text) following = {0};
        if (*next != '/') text_add(&following, "%.*s", folder_length(at.data), at.data);
        text_add(&following, "%s", next);
        text_reset(&at);
        text_add(&at, "%s", text_get(&following));
    }
    return STATUS_OK;
}

// Finds the file that an output named `path` creates or replaces, and appends its path to *target.
// Leaves *target empty if `path` is a device or pipe.
static Status find_target(const char *path, Text *target, Err *err) {
    struct stat there;
    const bool own = in_run(path);
    bool exists = lstat(path, &there) == 0;
    const bool link = exists && S_ISLNK(there.st_mode) && !own;
    if (link) {
        TRY(check_links(path, err));
        exists = stat(path, &there) == 0;
    }
    if (!exists && errno != ENOENT) {
        return err_set(err, STATUS_IO, "cannot create %s: %s", path, strerror(errno));
    }
    if (exists && S_ISDIR(there.st_mode)) return out_file_must_be_regular(path, err);
    if (exists && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode)) return STATUS_OK;
    if (exists && link && there.st_uid != geteuid()) {
        return refuse_link(path, "to a file of another user", err);
    }
    AUTO_FREE char *real = exists && link ? realpath(path, NULL) : NULL;
    if (exists && link && !real) {
        return err_set(err, STATUS_IO, "cannot follow the symbolic link %s: %s", path,
                       strerror(errno));
    }
    text_add(target, "%s", real ? real : path);
    return STATUS_OK;
}

// ---- output files -------------------------------------------------------------------------------

Status out_file_open(OutFile *file, const char *path, Err *err) {
    *file = (OutFile){.path = path};
    TRY(find_target(path, &file->target, err));
    const int fd = file->target.length ? open_temporary(file) : open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && (file->stream = fdopen(fd, "wb"))) return STATUS_OK;
    const Status status = fail(file, fd < 0 ? "create" : "write", errno, err);
    if (fd >= 0) close(fd);
    if (fd >= 0 && file->temporary.length) unlink(text_get(&file->temporary));
    text_clear(&file->target);
    text_clear(&file->temporary);
    return status;
}

Status out_file_append(const char *path, FILE **stream, Err *err) {
    AUTO(Text) target = {0};
    *stream = NULL;
    TRY(find_target(path, &target, err));
    // A run directory may contain a link with this name: the system then refuses to open it.
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (target.length ? O_NOFOLLOW : 0);
    const int fd = open(target.length ? target.data : path, flags, 0666);
    if (fd >= 0 && (*stream = fdopen(fd, "ab"))) return STATUS_OK;
    const int why = errno;
    if (fd >= 0) close(fd);
    return err_set(err, STATUS_IO, "cannot %s %s: %s", why == ENOENT ? "create" : "write", path,
                   why == ELOOP
                       ? "it is a symbolic link, which is not followed here; give the name of "
                         "the file itself"
                       : strerror(why));
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

Status text_check_writable(const char *path, Err *err) {
    if (!path) return STATUS_OK;
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)) {
        // Do not open a pipe here: open() would wait for its reader.
        if (access(path, W_OK) == 0) return STATUS_OK;
        return err_set(err, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
    }
    OutFile file;
    TRY(out_file_open(&file, path, err));
    // Any status except STATUS_OK makes out_file_close() delete the temporary file.
    out_file_close(&file, STATUS_INTERRUPTED, err);
    return STATUS_OK;
}

Status text_write_file(const char *path, const char *data, size_t length, Err *err) {
    OutFile file;
    Status status = STATUS_OK;
    TRY(out_file_open(&file, path, err));
    if (length && fwrite(data, 1, length, file.stream) != length) {
        status = err_set(err, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
    }
    return out_file_close(&file, status, err);
}

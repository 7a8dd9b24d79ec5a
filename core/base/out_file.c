// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/out_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

// Returns true if a file name has the form .NAME.tmp.PID of a temporary file. NAME must be
// `target`, unless `target` is NULL. If `dead` is set, the process PID must no longer exist.
static bool is_temporary(const char *name, const char *target, bool dead) {
    const size_t length = target ? strlen(target) : 0;
    if (name[0] != '.' || (target && strncmp(name + 1, target, length) != 0)) return false;
    const char *mark = strstr(name + 1 + length, ".tmp.");
    char *end;
    if (!mark || (target && mark != name + 1 + length) || !isdigit((unsigned char)mark[5]))
        return false;
    const long pid = strtol(mark + 5, &end, 10);
    return *end == '\0' && (!dead || (pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH));
}

Status out_files_sweep(const char *dir, const char *name, bool dead, Err *err) {
    AUTO(PathList) names = {0};
    AUTO(Text) path = {0};
    const Status status = path_list_read_directory(&names, dir, err);
    for (size_t i = 0; i < names.count; i++) {
        if (!is_temporary(names.paths[i], name, dead)) continue;
        text_reset(&path);
        text_add(&path, "%s/%s", dir, names.paths[i]);
        unlink(path.data);
    }
    return status;
}

// Chooses the name of the temporary file, in the target's directory. Removes temporary files for
// the same target that dead processes left there.
static void prepare_temporary(OutFile *file) {
    const char *target = text_get(&file->target), *slash = strrchr(target, '/');
    const int folder = slash ? (int)(slash + 1 - target) : 0;
    text_add(&file->temporary, "%.*s", folder, target);
    // Ignore a failure to list the directory: it may be writable but not readable. Old temporary
    // files then stay.
    out_files_sweep(folder ? file->temporary.data : ".", target + folder, true, NULL);
    text_add(&file->temporary, ".%s.tmp.%ld", target + folder, (long)getpid());
}

// Returns true if the file `path` is in the directory of a run, which contains a file .lock. The
// program itself chooses the names of files in such a directory, so it does not follow symbolic
// links there.
static bool in_run(const char *path) {
    AUTO(Text) lock = {0};
    const char *slash = strrchr(path, '/');
    text_add(&lock, "%.*s.lock", slash ? (int)(slash + 1 - path) : 0, path);
    return access(lock.data, F_OK) == 0;
}

Status out_file_open(OutFile *file, const char *path, Err *err) {
    *file = (OutFile){.path = path};
    struct stat there;
    const bool own = in_run(path), exists = (own ? lstat : stat)(path, &there) == 0;
    if (!exists && errno != ENOENT) return fail(file, "create", errno, err);
    if (exists && S_ISDIR(there.st_mode)) return out_file_must_be_regular(path, err);
    int fd;
    if (exists && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode)) {
        fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        char *real = exists && !own ? realpath(path, NULL) : NULL;
        text_add(&file->target, "%s", real ? real : path);
        free(real);
        prepare_temporary(file);
        // Remove an old file or link with the name of the temporary file: a dead process may have
        // had the same PID, or somebody placed a link there.
        unlink(text_get(&file->temporary));
        fd = open(text_get(&file->temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
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

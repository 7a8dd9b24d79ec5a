// SPDX-License-Identifier: GPL-3.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "datasets/store/scan.h"

// Creates a directory and those above it.
static Status make_directories(const char *dir, Err *err) {
    char *path = memory_copy_text(dir);
    Status status = STATUS_OK;
    for (char *at = path + 1; status == STATUS_OK; at++) {
        if (*at != '/' && *at != '\0') continue;
        const char kept = *at;
        *at = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            status =
                err_set(err, STATUS_IO, "cannot create directory %s: %s", path, strerror(errno));
        }
        *at = kept;
        if (kept == '\0') break;
    }
    free(path);
    return status;
}

// A temporary name ends in .tmp.PID; its writer is dead when there is no such process.
static bool is_temporary(const char *name, bool dead) {
    const char *mark = strstr(name, ".tmp.");
    if (strncmp(name, ".shard-", 7) != 0 || !mark) return false;
    const long pid = strtol(mark + 5, NULL, 10);
    return !dead || (pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH);
}

// Removes temporary files: those of dead writers, or, for who has the directory alone, all.
static void remove_temporaries(DIR *list, bool dead) {
    for (const struct dirent *entry; (entry = readdir(list));) {
        if (is_temporary(entry->d_name, dead)) unlinkat(dirfd(list), entry->d_name, 0);
    }
}

Status run_directory_prepare(const char *dir, Err *err) {
    if (*dir == '\0') return err_set(err, STATUS_USAGE, "the name of the run directory is empty");
    const Status status = make_directories(dir, err);
    if (status != STATUS_OK) return status;
    DIR *list = opendir(dir);
    if (!list) return err_set(err, STATUS_IO, "cannot open %s: %s", dir, strerror(errno));
    if (access(dir, W_OK | X_OK) != 0) {
        const int why = errno;
        closedir(list);
        return err_set(err, STATUS_IO, "cannot write in %s: %s", dir, strerror(why));
    }
    remove_temporaries(list, true);
    closedir(list);
    return STATUS_OK;
}

struct RunLock {
    int fd;
};

// The system drops the lock with its holder; the file stays, and so does the number written in it.
Status run_directory_lock(const char *dir, RunLock **lock, Err *err) {
    Text path = {0};
    Status status = STATUS_OK;
    char holder[32] = "";
    text_add(&path, "%s/.lock", dir);
    const int fd = open(path.data, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        status = err_set(err, STATUS_IO, "cannot create %s: %s", path.data, strerror(errno));
    } else if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        const ssize_t got = errno == EWOULDBLOCK ? read(fd, holder, sizeof holder - 1) : -1;
        holder[got > 0 ? strcspn(holder, "\n") : 0] = '\0';
        status = err_set(err, STATUS_BUSY,
                         "%s is in use by another process (%s): wait for its end, or "
                         "choose another directory",
                         dir, holder[0] ? holder : "unknown");
        close(fd);
    } else {
        const int length = snprintf(holder, sizeof holder, "%ld\n", (long)getpid());
        // The number is a courtesy: the lock holds without it.
        if (ftruncate(fd, 0) == 0 && write(fd, holder, (size_t)length) != length) errno = 0;
        *lock = memory_alloc(1, sizeof **lock);
        (*lock)->fd = fd;
        // A dead writer's number may be that of another process by now.
        DIR *list = opendir(dir);
        if (list) remove_temporaries(list, false);
        if (list) closedir(list);
    }
    text_clear(&path);
    return status;
}

void run_directory_unlock(RunLock *lock) {
    if (!lock) return;
    close(lock->fd);
    free(lock);
}

void run_directory_remove_empty(const char *dir, RunLock *lock) {
    Text path = {0};
    text_add(&path, "%s/.lock", dir);
    unlink(path.data);
    rmdir(dir); // fails where anything else is in it, as it should
    text_clear(&path);
    run_directory_unlock(lock);
}

Status run_directory_new(const char *dir, Err *err) {
    PathList list = {0};
    Status status = run_directory_prepare(dir, err);
    if (status == STATUS_OK) status = store_list_files(dir, &list, err);
    if (status == STATUS_OK && list.count > 0) {
        status = err_set(err, STATUS_USAGE, "%s already holds games: name another directory", dir);
    }
    path_list_clear(&list);
    return status;
}

Status run_missing_ranges(const char *dir, OptionRange wanted, OptionRange **missing, size_t *count,
                          Err *err) {
    Store *store = NULL;
    const Status status = store_open(dir, &store, err);
    if (status != STATUS_OK) return status;
    OptionRange *gaps = memory_alloc(store_shard_count(store) + 1, sizeof *gaps);
    size_t found = 0;
    uint64_t next = wanted.first;
    for (size_t i = 0; i < store_shard_count(store) && next < wanted.end; i++) {
        const OptionRange range = store_shard_range(store, i);
        if (range.end <= next) continue;
        if (range.first > next) {
            const uint64_t end = range.first < wanted.end ? range.first : wanted.end;
            gaps[found++] = (OptionRange){next, end};
        }
        next = range.end;
    }
    if (next < wanted.end) gaps[found++] = (OptionRange){next, wanted.end};
    *missing = gaps;
    *count = found;
    store_close(store);
    return STATUS_OK;
}

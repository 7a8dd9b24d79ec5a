// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/run_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/system/in_file.h"

// ---- shard files --------------------------------------------------------------------------------

bool is_shard_name(const char *name) {
    return strncmp(name, "shard-", 6) == 0 && text_ends_in(name + 6, ".h5");
}

// Orders shards by the index of their first game, which is part of the file name. Numbers with
// equally many digits are compared as texts; a number with more digits is larger.
static int compare_paths(const void *a, const void *b) {
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    const char *dash_x = strchr(strrchr(x, '/'), '-') + 1;
    const char *dash_y = strchr(strrchr(y, '/'), '-') + 1;
    const size_t length_x = strcspn(dash_x, "-"), length_y = strcspn(dash_y, "-");
    if (length_x != length_y) return length_x < length_y ? -1 : 1;
    return strcmp(dash_x, dash_y);
}

static Status list_directory(const char *dir, PathList *list, Err *err) {
    AUTO(PathList) names = {0};
    AUTO(Text) path = {0};
    TRY(path_list_read_directory(&names, dir, err));
    for (size_t i = 0; i < names.count; i++) {
        if (!is_shard_name(names.paths[i])) continue;
        text_reset(&path);
        text_add(&path, "%s/%s", dir, names.paths[i]);
        path_list_add(list, path.data);
    }
    if (list->count > 1) qsort(list->paths, list->count, sizeof *list->paths, compare_paths);
    return STATUS_OK;
}

Status store_list_files(const char *path, PathList *list, Err *err) {
    *list = (PathList){0};
    struct stat info;
    if (stat(path, &info) != 0) {
        return err_set(err, STATUS_NOT_FOUND, "cannot open %s: %s", path, strerror(errno));
    }
    if (S_ISDIR(info.st_mode)) return list_directory(path, list, err);
    path_list_add(list, path);
    return STATUS_OK;
}

// ---- the directory ------------------------------------------------------------------------------

// Creates a directory and its parent directories.
static Status make_directories(const char *dir, Err *err) {
    AUTO_FREE char *path = memory_copy_text(dir);
    for (char *at = path + 1;; at++) {
        if (*at != '/' && *at != '\0') continue;
        const char kept = *at;
        *at = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            return err_set(err, STATUS_IO, "cannot create directory %s: %s", path, strerror(errno));
        }
        if (kept == '\0') return STATUS_OK;
        *at = kept;
    }
}

Status run_directory_prepare(const char *dir, Err *err) {
    if (*dir == '\0') return err_set(err, STATUS_USAGE, "the name of the run directory is empty");
    TRY(make_directories(dir, err));
    // The dot makes access() fail with ENOTDIR if `dir` is a file.
    AUTO(Text) inside = {0};
    text_add(&inside, "%s/.", dir);
    if (access(inside.data, W_OK | X_OK) == 0) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot write in %s: %s", dir, strerror(errno));
}

struct RunLock {
    int fd;
};

// Appends what .lock tells about its process, one line each: PID, host and start time.
static void describe_holder(Text *text) {
    char host[256] = "", when[32] = "";
    struct tm utc;
    const time_t now = time(NULL);
    if (gethostname(host, sizeof host - 1) != 0 || !*host) snprintf(host, sizeof host, "unknown");
    if (gmtime_r(&now, &utc)) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &utc);
    text_add(text, "%ld\n%s\n%s\n", (long)getpid(), host, when);
}

// Returns the error for a directory that another process has locked. `fd` is the open file .lock.
static Status refuse_busy(const char *dir, int fd, Err *err) {
    char holder[400] = "", *cursor = holder;
    const char *facts[3] = {"", "", ""}; // PID, host, start time
    const ssize_t got = read(fd, holder, sizeof holder - 1);
    holder[got > 0 ? got : 0] = '\0';
    for (int i = 0; i < 3 && cursor; i++) {
        char *fact = text_next_field(&cursor, '\n');
        text_make_printable(fact);
        facts[i] = fact;
    }
    return err_set(
        err, STATUS_BUSY,
        "%s is in use by another process (PID %s)%s%s%s%s: wait until it ends, or choose "
        "another directory. To play one run on several hosts, give each host a range "
        "and a directory of its own ('paotai selfplay --games A:B --out DIR'), then "
        "join the directories ('paotai data merge')",
        dir, *facts[0] ? facts[0] : "unknown", *facts[1] ? " on host " : "", facts[1],
        *facts[2] ? ", started " : "", facts[2]);
}

// The system releases the lock when its process ends. The file .lock and its content stay.
Status run_directory_lock(const char *dir, RunLock **lock, Err *err) {
    AUTO(Text) path = {0}, holder = {0};
    text_add(&path, "%s/.lock", dir);
    int fd;
    // Another process may remove .lock and its empty directory between open() and file_lock()
    // (run_new_end()), so try again.
    for (int tries = 0;; tries++) {
        fd = open(path.data, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0) {
            return err_set(err, STATUS_IO, "cannot create %s: %s", path.data, strerror(errno));
        }
        errno = 0;
        if (file_lock(fd, path.data)) break;
        const int why = errno;
        const Status status = why == EWOULDBLOCK ? refuse_busy(dir, fd, err) : STATUS_OK;
        close(fd);
        if (status != STATUS_OK) return status;
        if (why == ENOLCK || tries == 3) {
            err_set(err, STATUS_IO, "cannot lock %s: %s", path.data, strerror(why));
            if (why == ENOLCK) {
                err_remedy(err, "this file system has no file locks, which writing needs: write to "
                                "a local directory, and then copy the run");
            }
            return STATUS_IO;
        }
    }
    describe_holder(&holder);
    // A failure to write the description is ignored, because it is only used in messages.
    if (ftruncate(fd, 0) == 0 && write(fd, holder.data, holder.length) < 0) errno = 0;
    *lock = memory_alloc(1, sizeof **lock);
    (*lock)->fd = fd;
    // Only now remove what killed processes left: before the lock is held, a file without a living
    // process on this host may belong to a run on another host.
    return out_files_sweep(dir, NULL, err);
}

void run_directory_unlock(RunLock *lock) {
    if (!lock) return;
    close(lock->fd);
    free(lock);
}

static Status file_exists(const char *dir, const char *name, bool *exists, Err *err) {
    AUTO(Text) path = {0};
    text_add(&path, "%s/%s", dir, name);
    *exists = access(path.data, F_OK) == 0;
    if (*exists || errno == ENOENT || errno == ENOTDIR) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot look for %s: %s", path.data, strerror(errno));
}

Status run_directory_claim(const char *dir, const char *const *files, bool resume, FILE *tell,
                           bool *begun, Err *err) {
    TRY(file_exists(dir, files[0], begun, err));
    if (*begun && !resume) {
        return err_set(err, STATUS_USAGE,
                       "%s/%s already exists: continue it with --resume, or choose another --out",
                       dir, files[0]);
    }
    if (*begun) return STATUS_OK;
    AUTO(PathList) shards = {0};
    TRY(store_list_files(dir, &shards, err));
    bool there = shards.count > 0;
    const char *name = "games";
    while (!there && *++files) TRY(file_exists(dir, name = *files, &there, err));
    if (there) {
        return err_set(err, STATUS_USAGE,
                       "%s already holds %s, but no run to continue: choose another --out", dir,
                       name);
    }
    if (resume && tell)
        fprintf(tell, "nothing to resume in %s: starting from the beginning\n", dir);
    return STATUS_OK;
}

// ---- new runs ----------------------------------------------------------------------------------

// Name of the file that marks a run as unfinished. It holds the name of the command that writes the
// run.
static const char mark[] = ".unfinished";

static void mark_path(const char *dir, Text *path) {
    text_add(path, "%s/%s", dir, mark);
}

Status run_unfinished(const char *dir, char **command, Err *err) {
    AUTO(Text) path = {0};
    size_t length;
    bool there;
    *command = NULL;
    TRY(file_exists(dir, mark, &there, err));
    if (!there) return STATUS_OK;
    mark_path(dir, &path);
    TRY(text_read_file(path.data, command, &length, err));
    text_make_printable(*command);
    return STATUS_OK;
}

// Returns an error with the status `refusal` if the run is marked as unfinished. The message ends
// with `instead`, which names an alternative to waiting for the run and to removing it.
static Status refuse_part(const char *dir, Status refusal, const char *instead, Err *err) {
    AUTO(Text) word = {0};
    AUTO_FREE char *command = NULL;
    TRY(run_unfinished(dir, &command, err));
    if (!command) return STATUS_OK;
    text_add_word(&word, dir);
    return err_set(err, refusal,
                   "%s is incomplete, because 'paotai %s' was stopped or is still running: "
                   "wait for it, or remove the run (rm -r %s) and begin again, or %s",
                   word.data, command, word.data, instead);
}

Status run_must_be_whole(const char *dir, Err *err) {
    AUTO(Text) instead = {0}, path = {0};
    mark_path(dir, &path);
    text_add(&instead, "remove only the file that marks it as incomplete (rm ");
    text_add_word(&instead, path.data);
    text_add(&instead, ") to use the stored games");
    return refuse_part(dir, STATUS_MISMATCH, instead.data, err);
}

static Status must_be_new(const char *dir, Err *err) {
    AUTO(PathList) list = {0};
    AUTO(Text) word = {0};
    TRY(store_list_files(dir, &list, err));
    if (list.count == 0) return STATUS_OK;
    TRY(refuse_part(dir, STATUS_USAGE, "name another directory", err));
    text_add_word(&word, dir);
    return err_set(err, STATUS_USAGE,
                   "%s already holds games: name another directory, or remove it (rm -r %s); "
                   "'paotai data merge' joins two runs",
                   word.data, word.data);
}

Status run_new(const char *dir, const char *command, RunLock **lock, Err *err) {
    AUTO(Text) path = {0};
    AUTO_POINTER(RunLock) own = NULL;
    *lock = NULL;
    TRY(run_directory_prepare(dir, err));
    TRY(run_directory_lock(dir, &own, err));
    TRY(must_be_new(dir, err));
    mark_path(dir, &path);
    TRY(text_write_file(path.data, command, strlen(command), err));
    *lock = TAKE(own);
    return STATUS_OK;
}

void run_new_end(const char *dir, RunLock *lock, bool complete, bool has_games) {
    AUTO(Text) path = {0};
    if (!lock) return;
    mark_path(dir, &path);
    if (complete || !has_games) unlink(path.data);
    if (!has_games) {
        text_reset(&path);
        text_add(&path, "%s/.lock", dir);
        unlink(path.data);
        rmdir(dir); // fails, as intended, if the directory has other files
    }
    run_directory_unlock(lock);
}

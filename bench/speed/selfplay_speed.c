// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/speed/selfplay_speed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "datasets/store/scan.h"

// What the playing process sends back.
typedef struct Report {
    SelfplaySpeed speed;
    Status status;
    Err err;
} Report;

// The shards of a run, its lock, and its directory.
static Status remove_run(const char *dir, Err *err) {
    PathList files = {0};
    if (access(dir, F_OK) != 0) return STATUS_OK;
    const Status status = store_list_files(dir, &files, err);
    for (size_t i = 0; i < files.count; i++) unlink(files.paths[i]);
    path_list_clear(&files);
    return status;
}

static void play(const SelfplaySpec *spec, int threads, int to) {
    Report report = {.status = STATUS_OK};
    SelfplaySpec own = *spec;
    Progress progress;
    own.threads = threads;
    progress_init(&progress, NULL, true, "games", 0);
    const double begun_s = clock_now_s();
    report.status = selfplay_run(&own, &progress, NULL, NULL, &report.speed.summary, &report.err);
    report.speed.seconds = clock_now_s() - begun_s;
    const ssize_t sent = write(to, &report, sizeof report);
    _exit(sent == (ssize_t)sizeof report ? 0 : 1);
}

static double timeval_s(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

Status selfplay_speed_measure(const SelfplaySpec *spec, int threads, SelfplaySpeed *speed,
                              Err *err) {
    int ends[2];
    Report report = {.status = STATUS_OK};
    struct rusage usage;
    Status status = remove_run(spec->out, err);
    if (status != STATUS_OK) return status;
    if (pipe(ends) != 0) return err_set(err, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) play(spec, threads, ends[1]);
    close(ends[1]);
    const ssize_t got = child > 0 ? read(ends[0], &report, sizeof report) : -1;
    close(ends[0]);
    int ended = 0;
    if (child < 0 || wait4(child, &ended, 0, &usage) != child || got != (ssize_t)sizeof report) {
        return err_set(err, STATUS_IO, "the playing process did not report");
    }
    if (report.status != STATUS_OK) {
        if (err) *err = report.err;
        return report.status;
    }
    *speed = report.speed;
    speed->cpu_s = timeval_s(usage.ru_utime) + timeval_s(usage.ru_stime);
    speed->peak_memory = (uint64_t)usage.ru_maxrss * 1024;
    return remove_run(spec->out, err);
}

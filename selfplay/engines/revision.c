// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/revision.h"

#include <string.h>
#include <unistd.h>

#include "core/base/text.h"
#include "datasets/store/run.h"

// Text within single quotes for sh.
static void add_quoted(Text *command, const char *text) {
    text_add(command, "'");
    for (const char *at = text; *at; at++) {
        if (*at == '\'') {
            text_add(command, "'\\''");
        } else {
            text_add_bytes(command, at, 1);
        }
    }
    text_add(command, "'");
}

// Runs a command of sh; its first line of output, without the newline, goes to `line`. False when
// it fails.
static bool run_line(const char *command, char *line, size_t size) {
    line[0] = '\0';
    FILE *pipe = popen(command, "r");
    if (!pipe) return false;
    if (fgets(line, (int)size, pipe)) line[strcspn(line, "\n")] = '\0';
    char rest[256];
    while (fgets(rest, sizeof rest, pipe)) continue;
    return pclose(pipe) == 0;
}

Status revision_find(const char *name, Revision *revision, Err *err) {
    *revision = (Revision){.bench = 0};
    Text command = {0};
    text_add(&command, "git rev-parse --verify --quiet --end-of-options ");
    Text commit = {0};
    text_add(&commit, "%s^{commit}", name);
    add_quoted(&command, commit.data);
    text_add(&command, " 2>/dev/null");
    const bool found = run_line(command.data, revision->hash, sizeof revision->hash);
    text_clear(&commit);
    text_clear(&command);
    if (found && strlen(revision->hash) == 40) return STATUS_OK;
    return err_set(err, STATUS_NOT_FOUND,
                   "--rev %s: no such commit in the repository of this directory", name);
}

static bool is_executable(const char *path) {
    return access(path, X_OK) == 0;
}

// The first error in the log of a build: what the compiler, or make, said.
static void read_error(const char *place, char *why, size_t size) {
    Text command = {0}, path = {0};
    text_add(&path, "%s.log", place);
    text_add(&command, "grep -m 1 -iE 'error|\\*\\*\\*|fatal' ");
    add_quoted(&command, path.data);
    run_line(command.data, why, size);
    text_clear(&command);
    text_clear(&path);
}

// Unpacks and builds into a directory beside the final one, which is renamed into place when it is
// whole: an interrupted build is never taken for a finished one.
static Status build(const char *cache, const Revision *revision, FILE *log, Err *err) {
    const Status prepared = run_directory_prepare(cache, err);
    if (prepared != STATUS_OK) return prepared;
    if (log) fprintf(log, "building %.10s in %s\n", revision->hash, cache);
    Text command = {0}, place = {0}, temporary = {0};
    text_add(&place, "%s/%s", cache, revision->hash);
    text_add(&temporary, "%s.%ld", place.data, (long)getpid());
    text_add(&command, "dir=");
    add_quoted(&command, temporary.data);
    text_add(&command, " final=");
    add_quoted(&command, place.data);
    text_add(&command,
             "; rm -rf \"$dir\" && mkdir \"$dir\" && git archive %s | tar -x -C \"$dir\" && "
             "{ make -C \"$dir\" all >\"$final.log\" 2>&1 || { rm -rf \"$dir\"; false; }; } && rm "
             "-rf \"$final\" && mv \"$dir\" \"$final\"",
             revision->hash);
    char line[64];
    const bool built = run_line(command.data, line, sizeof line);
    Status status = STATUS_OK;
    if (!built) {
        char why[256];
        read_error(place.data, why, sizeof why);
        status = err_set(err, STATUS_ENGINE, "revision %.10s does not build%s%s (%s.log)",
                         revision->hash, *why ? ": " : "", why, place.data);
    }
    text_clear(&command);
    text_clear(&place);
    text_clear(&temporary);
    return status;
}

static Status check_bench(Revision *revision, Err *err) {
    Text command = {0};
    char line[256], expected[64];
    add_quoted(&command, revision->program);
    text_add(&command, " bench 2>/dev/null | tail -n 1");
    const bool ran = run_line(command.data, line, sizeof line);
    text_clear(&command);
    if (!ran || sscanf(line, "%llu nodes", &revision->bench) != 1) {
        return err_set(err, STATUS_ENGINE, "%s bench does not end with `N nodes N nps` but '%s'",
                       revision->program, line);
    }
    text_add(&command,
             "git show -s --format=%%B %s | sed -n 's/^Bench: \\([0-9]*\\)$/\\1/p' | tail -n 1",
             revision->hash);
    run_line(command.data, expected, sizeof expected);
    text_clear(&command);
    unsigned long long nodes = 0;
    if (sscanf(expected, "%llu", &nodes) == 1 && nodes != revision->bench) {
        return err_set(err, STATUS_MISMATCH,
                       "revision %.10s searches %llu nodes in bench, its message says %llu: it is "
                       "not what was committed",
                       revision->hash, revision->bench, nodes);
    }
    return STATUS_OK;
}

Status revision_build(const char *name, const char *cache, FILE *log, Revision *revision,
                      Err *err) {
    Status status = revision_find(name, revision, err);
    if (status != STATUS_OK) return status;
    const int length = snprintf(revision->program, sizeof revision->program,
                                "%s/%s/build/release/paotai", cache, revision->hash);
    if (length < 0 || (size_t)length >= sizeof revision->program) {
        return err_set(err, STATUS_USAGE, "--rev: the path of the cache is too long");
    }
    if (!is_executable(revision->program)) status = build(cache, revision, log, err);
    if (status == STATUS_OK && !is_executable(revision->program)) {
        status = err_set(err, STATUS_ENGINE, "revision %.10s builds no %s", revision->hash,
                         revision->program);
    }
    return status == STATUS_OK ? check_bench(revision, err) : status;
}

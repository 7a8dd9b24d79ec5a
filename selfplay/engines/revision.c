// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/revision.h"

#include <string.h>
#include <unistd.h>

#include "datasets/store/run.h"
#include "selfplay/engines/process.h"

// Runs a script of sh with two arguments; its first line of output, without the newline, goes to
// `line`. False when it fails.
static bool run_script(const char *script, const char *first, const char *second, char *line,
                       size_t size) {
    Text command = {0};
    char rest[256];
    const char *const words[] = {"sh", "-c", script, "sh", first, second};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        process_add_word(&command, words[i]);
        text_add(&command, " ");
    }
    FILE *pipe = popen(command.data, "r");
    text_clear(&command);
    line[0] = '\0';
    if (!pipe) return false;
    if (fgets(line, (int)size, pipe)) line[strcspn(line, "\n")] = '\0';
    while (fgets(rest, sizeof rest, pipe)) continue;
    return pclose(pipe) == 0;
}

Status revision_find(const char *name, Revision *revision, Err *err) {
    static const char script[] =
        "git rev-parse --verify --quiet --end-of-options \"$1^{commit}\" 2>/dev/null";
    *revision = (Revision){.bench = 0};
    if (run_script(script, name, "", revision->hash, sizeof revision->hash) &&
        strlen(revision->hash) == 40) {
        return STATUS_OK;
    }
    return err_set(err, STATUS_NOT_FOUND,
                   "--rev %s: no such commit in the repository of this directory", name);
}

// Unpacks and builds into a directory beside the final one, which is renamed into place when it is
// whole: an interrupted build is never taken for a finished one. Where it fails the script says the
// first error of the log: what the compiler, or make, said.
static Status build(const char *cache, const Revision *revision, FILE *log, Err *err) {
    static const char script[] =
        "final=$1/$2; dir=$final.$$; rm -rf \"$dir\" && mkdir \"$dir\" && git archive $2 | "
        "tar -x -C \"$dir\" && make -C \"$dir\" all >\"$final.log\" 2>&1 && rm -rf \"$final\" && "
        "mv \"$dir\" \"$final\" && exit; rm -rf \"$dir\"; "
        "grep -m 1 -iE 'error|\\*\\*\\*|fatal' \"$final.log\"; exit 1";
    char why[256];
    const Status prepared = run_directory_prepare(cache, err);
    if (prepared != STATUS_OK) return prepared;
    if (log) fprintf(log, "building %.10s in %s\n", revision->hash, cache);
    if (run_script(script, cache, revision->hash, why, sizeof why)) return STATUS_OK;
    return err_set(err, STATUS_ENGINE, "revision %.10s does not build%s%s (%s/%s.log)",
                   revision->hash, *why ? ": " : "", why, cache, revision->hash);
}

static Status check_bench(Revision *revision, Err *err) {
    static const char bench[] = "\"$1\" bench 2>/dev/null | tail -n 1";
    static const char message[] = "git show -s --format=%B $1 | "
                                  "sed -n 's/^Bench: \\([0-9]*\\)$/\\1/p' | tail -n 1";
    char line[256], expected[64];
    if (!run_script(bench, revision->program, "", line, sizeof line) ||
        sscanf(line, "%llu nodes", &revision->bench) != 1) {
        return err_set(err, STATUS_ENGINE, "%s bench does not end with `N nodes N nps` but '%s'",
                       revision->program, line);
    }
    run_script(message, revision->hash, "", expected, sizeof expected);
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
    if (access(revision->program, X_OK) != 0) status = build(cache, revision, log, err);
    if (status == STATUS_OK && access(revision->program, X_OK) != 0) {
        status = err_set(err, STATUS_ENGINE, "revision %.10s builds no %s", revision->hash,
                         revision->program);
    }
    return status == STATUS_OK ? check_bench(revision, err) : status;
}

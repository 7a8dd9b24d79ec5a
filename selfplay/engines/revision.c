// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/revision.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "datasets/store/run.h"
#include "selfplay/engines/player_spec.h"
#include "selfplay/engines/process.h"

enum { HASH_SIZE = 41, WORDS_MAX = 4 };

// Runs a script of sh with up to WORDS_MAX arguments, NULL behind the last; its first line of
// output, without the newline, goes to `line`. False when it fails.
static bool run_script(const char *script, const char *const arguments[WORDS_MAX], char *line,
                       size_t size) {
    AUTO(Text) command = {0};
    char rest[256];
    text_add(&command, "sh -c ");
    text_add_quoted(&command, script);
    text_add(&command, " sh");
    for (int i = 0; i < WORDS_MAX && arguments[i]; i++) {
        text_add(&command, " ");
        text_add_quoted(&command, arguments[i]);
    }
    FILE *pipe = popen(command.data, "r");
    line[0] = '\0';
    if (!pipe) return false;
    if (fgets(line, (int)size, pipe)) line[strcspn(line, "\n")] = '\0';
    while (fgets(rest, sizeof rest, pipe)) continue;
    return pclose(pipe) == 0;
}

// The full hash of the commit that `name` means.
static Status find_commit(const RevisionBuild *how, const char *name, char hash[HASH_SIZE],
                          Err *err) {
    static const char script[] =
        "git -C \"$1\" rev-parse --verify --quiet --end-of-options \"$2^{commit}\" 2>/dev/null";
    const char *const words[WORDS_MAX] = {how->repo, name};
    if (run_script(script, words, hash, HASH_SIZE) && strlen(hash) == HASH_SIZE - 1) {
        return STATUS_OK;
    }
    return err_set(err, STATUS_NOT_FOUND, "--rev %s: no such commit in the repository of %s", name,
                   strcmp(how->repo, ".") == 0 ? "this directory" : how->repo);
}

// Unpacks and builds into a directory beside the final one, which is renamed into place when it is
// whole: an interrupted build is never taken for a finished one. Where it fails the script says the
// first error of the log: what the compiler, or make, said.
static Status build(const RevisionBuild *how, const char *hash, const char *final, Err *err) {
    static const char script[] =
        "dir=$2.$$; rm -rf \"$dir\" && mkdir \"$dir\" && git -C \"$1\" archive $3 | "
        "tar -x -C \"$dir\" && (cd \"$dir\" && sh -c \"$4\") >\"$2.log\" 2>&1 </dev/null && "
        "rm -rf \"$2\" && mv \"$dir\" \"$2\" && exit; rm -rf \"$dir\"; "
        "grep -m 1 -iE 'error|\\*\\*\\*|fatal|not found' \"$2.log\"; exit 1";
    const char *const words[WORDS_MAX] = {how->repo, final, hash, how->build};
    char why[256];
    TRY(run_directory_prepare(how->cache, err));
    if (how->log) fprintf(how->log, "building %.10s in %s\n", hash, how->cache);
    if (run_script(script, words, why, sizeof why)) return STATUS_OK;
    return err_set(err, STATUS_ENGINE, "revision %.10s does not build%s%s (%s.log)", hash,
                   *why ? ": " : "", why, final);
}

// The nodes that the commit's message promises, among the numbers that `bench` prints.
static Status check_bench(const RevisionBuild *how, const char *hash, const char *program,
                          Err *err) {
    static const char promised[] =
        "git -C \"$1\" show -s --format=%B $2 | "
        "sed -n 's/^[Bb]ench *:* *\\([0-9][0-9]*\\) *$/\\1/p' | tail -n 1";
    static const char bench[] = "\"$1\" bench 2>&1 </dev/null | grep -qw \"$2\"";
    char nodes[32], line[8];
    if (!run_script(promised, (const char *[WORDS_MAX]){how->repo, hash}, nodes, sizeof nodes) ||
        !*nodes ||
        run_script(bench, (const char *[WORDS_MAX]){program, nodes}, line, sizeof line)) {
        return STATUS_OK;
    }
    return err_set(
        err, STATUS_MISMATCH,
        "revision %.10s: its message says Bench: %s, '%s bench' does not: it is not what "
        "was committed",
        hash, nodes, program);
}

// Another command makes another build of a commit, in a directory of its own.
static Status make_player(const RevisionBuild *how, const char *name, const char *hash,
                          Text *player, Err *err) {
    AUTO(Text) dir = {0};
    AUTO(Text) program = {0};
    AUTO(Text) command = {0};
    char made_by[SHA256_HEX_SIZE];
    sha256_hex_of(how->build, strlen(how->build), made_by);
    text_add(&dir, "%s/%s-%.8s", how->cache, hash, made_by);
    text_add(&program, "%s/%s", dir.data, how->binary);
    if (access(program.data, X_OK) != 0) TRY(build(how, hash, dir.data, err));
    if (access(program.data, X_OK) != 0) {
        return err_set(err, STATUS_ENGINE, "revision %.10s builds no %s: say --binary", hash,
                       program.data);
    }
    TRY(check_bench(how, hash, program.data, err));
    text_add_quoted(&command, program.data);
    text_add(player, "cmd=");
    player_spec_add_value(player, command.data);
    text_add(player, ",name=");
    player_spec_add_value(player, name);
    text_add(player, "(%.10s)", hash);
    return STATUS_OK;
}

Status revision_players(const RevisionBuild *how, const char *const *names, int count,
                        Text *const *players, Err *err) {
    AUTO_FREE char(*hashes)[HASH_SIZE] = memory_alloc((size_t)count, sizeof *hashes);
    for (int i = 0; i < count; i++) TRY(find_commit(how, names[i], hashes[i], err));
    for (int i = 0; i < count; i++) TRY(make_player(how, names[i], hashes[i], players[i], err));
    return STATUS_OK;
}

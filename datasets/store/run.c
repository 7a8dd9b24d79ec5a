// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/base/ranks.h"
#include "core/base/terminal.h"
#include "core/base/version.h"

// ---- identity -----------------------------------------------------------------------------------

void run_identity_begin(const CommandCall *call, const char *kind, Text *identity) {
    text_add(identity, "kind=%s\n", kind);
    command_options_text(call, false, identity);
}

bool run_identity_differs(const char *a, const char *b, Text *line_a, Text *line_b) {
    while (*a || *b) {
        const size_t length_a = strcspn(a, "\n"), length_b = strcspn(b, "\n");
        if (length_a != length_b || memcmp(a, b, length_a) != 0) {
            text_add_bytes(line_a, a, length_a < 150 ? length_a : 150);
            text_add_bytes(line_b, b, length_b < 150 ? length_b : 150);
            return true;
        }
        a += length_a + (a[length_a] == '\n');
        b += length_b + (b[length_b] == '\n');
    }
    return false;
}

Status run_identity_check(const char *where, const char *then, const char *now, Err *err) {
    AUTO(Text) a = {0}, b = {0};
    if (!run_identity_differs(then, now, &a, &b)) return STATUS_OK;
    return err_set(err, STATUS_MISMATCH,
                   "%s was made with '%s', this is '%s': use the same options, or another --out",
                   where, text_get(&a), text_get(&b));
}

// ---- the directory ------------------------------------------------------------------------------

// Creates a directory and those above it.
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
    TRY(out_files_sweep(dir, NULL, true, err));
    if (access(dir, W_OK | X_OK) == 0) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot write in %s: %s", dir, strerror(errno));
}

struct RunLock {
    int fd;
};

// The system drops the lock with its holder; the file stays, and so does the number written in it.
Status run_directory_lock(const char *dir, RunLock **lock, Err *err) {
    AUTO(Text) path = {0};
    char holder[32] = "";
    text_add(&path, "%s/.lock", dir);
    const int fd = open(path.data, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) {
        return err_set(err, STATUS_IO, "cannot create %s: %s", path.data, strerror(errno));
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        const ssize_t got = errno == EWOULDBLOCK ? read(fd, holder, sizeof holder - 1) : -1;
        holder[got > 0 ? strcspn(holder, "\n") : 0] = '\0';
        close(fd);
        return err_set(err, STATUS_BUSY,
                       "%s is in use by another process (%s): wait for its end, or choose another "
                       "directory",
                       dir, holder[0] ? holder : "unknown");
    }
    const int length = snprintf(holder, sizeof holder, "%ld\n", (long)getpid());
    // The number is a courtesy: the lock holds without it.
    if (ftruncate(fd, 0) == 0 && write(fd, holder, (size_t)length) != length) errno = 0;
    *lock = memory_alloc(1, sizeof **lock);
    (*lock)->fd = fd;
    // A dead writer's number may be that of another process by now.
    return out_files_sweep(dir, NULL, false, err);
}

void run_directory_unlock(RunLock *lock) {
    if (!lock) return;
    close(lock->fd);
    free(lock);
}

static Status look_for(const char *dir, const char *name, bool *there, Err *err) {
    AUTO(Text) path = {0};
    text_add(&path, "%s/%s", dir, name);
    *there = access(path.data, F_OK) == 0;
    if (*there || errno == ENOENT || errno == ENOTDIR) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot look for %s: %s", path.data, strerror(errno));
}

Status run_directory_claim(const char *dir, const char *const *files, bool resume, FILE *tell,
                           bool *begun, Err *err) {
    TRY(look_for(dir, files[0], begun, err));
    if (*begun && !resume) {
        return err_set(err, STATUS_USAGE,
                       "%s/%s is there already: --resume goes on with it; or choose another --out",
                       dir, files[0]);
    }
    if (*begun) return STATUS_OK;
    AUTO(PathList) shards = {0};
    TRY(store_list_files(dir, &shards, err));
    bool there = shards.count > 0;
    const char *name = "games";
    while (!there && *++files) TRY(look_for(dir, name = *files, &there, err));
    if (there) {
        return err_set(err, STATUS_USAGE,
                       "%s holds %s of something else, and nothing to go on with: choose another "
                       "--out",
                       dir, name);
    }
    if (resume && tell) fprintf(tell, "nothing to resume in %s: it begins there\n", dir);
    return STATUS_OK;
}

// ---- playing into a run -------------------------------------------------------------------------

static void add_missing(Run *run, uint64_t first, uint64_t end) {
    run->missing = memory_resize(run->missing, run->missing_count + 1, sizeof *run->missing);
    run->missing[run->missing_count++] = (OptionRange){first, end};
    run->missing_games += end - first;
}

// Adds what no shard of the store (NULL: none) covers of a range.
static void find_missing(const Store *store, OptionRange wanted, Run *run) {
    const uint64_t before = run->missing_games;
    const size_t shards = store ? store_shard_count(store) : 0;
    uint64_t next = wanted.first;
    for (size_t i = 0; i < shards && next < wanted.end; i++) {
        const OptionRange range = store_shard_range(store, i);
        if (range.end <= next) continue;
        if (range.first > next) {
            add_missing(run, next, range.first < wanted.end ? range.first : wanted.end);
        }
        next = range.end;
    }
    if (next < wanted.end) add_missing(run, next, wanted.end);
    run->present_games += wanted.end - wanted.first - (run->missing_games - before);
}

// The shards that are there must be this run's, of this program.
static Status check_shard(const char *path, const char *identity, Err *err) {
    AUTO(ProvenanceTexts) then = {{NULL}};
    TRY(shard_read_provenance(path, &then, err));
    TRY(run_identity_check(path, then.identity, identity, err));
    if (strcmp(then.revision, version_revision()) == 0 &&
        strcmp(then.build, version_build()) == 0) {
        return STATUS_OK;
    }
    return err_set(err, STATUS_MISMATCH,
                   "%s was made with revision %s (build %.12s), this is %s (build %.12s): use the "
                   "same program, or another --out",
                   path, then.revision, then.build, version_revision(), version_build());
}

Status run_open(const RunSpec *spec, Run *run, Err *err) {
    AUTO_POINTER(Store) store = NULL;
    *run = (Run){.lock = NULL};
    if (mpi_rank() > 0) return STATUS_OK; // rank 0 has it
    if (spec->dir) {
        TRY(run_directory_prepare(spec->dir, err));
        TRY(run_directory_lock(spec->dir, &run->lock, err));
        TRY(store_open(spec->dir, &store, err));
    }
    for (size_t i = 0; i < spec->wanted_count; i++) find_missing(store, spec->wanted[i], run);
    if (!spec->resume && run->present_games > 0) {
        return err_set(err, STATUS_USAGE,
                       "%s holds some of these games already: --resume plays what is missing; or "
                       "choose another --out",
                       spec->dir);
    }
    for (size_t i = 0; store && i < store_shard_count(store); i++) {
        TRY(check_shard(store_shard_path(store, i), spec->identity, err));
    }
    return STATUS_OK;
}

void run_close(Run *run) {
    run_directory_unlock(run->lock);
    free(run->missing);
    *run = (Run){.lock = NULL};
}

void shard_line_print(const ShardLines *lines, const char *name, OptionRange range) {
    terminal_begin_line(lines->out);
    if (lines->json) {
        record_print(lines->out, true, "shard %s first %lu end %lu", name, range.first, range.end);
    } else {
        fprintf(lines->out, "shard %s games %llu:%llu\n", name, (unsigned long long)range.first,
                (unsigned long long)range.end);
    }
    fflush(lines->out);
}

// ---- writing a run from its beginning to its end ------------------------------------------------

// The mark of a run that is being made in one go: it names the command.
static const char mark[] = ".unfinished";

static void mark_path(const char *dir, Text *path) {
    text_add(path, "%s/%s", dir, mark);
}

Status run_unfinished(const char *dir, char **command, Err *err) {
    AUTO(Text) path = {0};
    size_t length;
    bool there;
    *command = NULL;
    TRY(look_for(dir, mark, &there, err));
    if (!there) return STATUS_OK;
    mark_path(dir, &path);
    TRY(text_read_file(path.data, command, &length, err));
    text_make_printable(*command);
    return STATUS_OK;
}

// Refuses a directory with the mark; `instead` is what else can be done.
static Status refuse_part(const char *dir, Status refusal, const char *instead, Err *err) {
    AUTO(Text) word = {0};
    AUTO_FREE char *command = NULL;
    TRY(run_unfinished(dir, &command, err));
    if (!command) return STATUS_OK;
    text_add_word(&word, dir);
    return err_set(err, refusal,
                   "%s holds a part of what 'paotai %s' should have written before it was stopped: "
                   "remove it (rm -r %s) and begin again, or %s",
                   word.data, command, word.data, instead);
}

Status run_must_be_whole(const char *dir, Err *err) {
    AUTO(Text) instead = {0}, path = {0};
    mark_path(dir, &path);
    text_add(&instead, "keep the part (rm ");
    text_add_word(&instead, path.data);
    text_add(&instead, ")");
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
                   "'paotai data merge' joins two",
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
        rmdir(dir); // fails where anything else is in it, as it should
    }
    run_directory_unlock(lock);
}

struct RunWriter {
    char *dir;
    RunLock *lock;
    const Provenance *provenance;
    size_t shard_games;
    GameBatch batch;
    OptionRange range; // of the shard that is being filled; its end is what was promised
    RunWriterCounts counts;
};

Status run_writer_open(const char *dir, const char *command, const Provenance *provenance,
                       size_t shard_games, RunWriter **writer, Err *err) {
    RunLock *lock = NULL;
    TRY(run_new(dir, command, &lock, err));
    *writer = memory_alloc(1, sizeof **writer);
    (*writer)->dir = memory_copy_text(dir);
    (*writer)->lock = lock;
    (*writer)->provenance = provenance;
    (*writer)->shard_games = shard_games;
    return STATUS_OK;
}

// Writes the games at hand as the shard of range.first up to `end`.
static Status flush(RunWriter *writer, uint64_t end, Err *err) {
    char name[SHARD_NAME_SIZE];
    if (end == writer->range.first) return STATUS_OK;
    const OptionRange range = {writer->range.first, end};
    if (shard_write(writer->dir, &writer->batch, range, writer->provenance, name, err) !=
        STATUS_OK) {
        return err_remedy(err, "%s is incomplete: mend this, remove it and begin again",
                          writer->dir);
    }
    writer->counts.shards++;
    writer->range.first = end;
    game_batch_reset(&writer->batch);
    return STATUS_OK;
}

Status run_writer_cover(RunWriter *writer, OptionRange range, Err *err) {
    if (range.first == writer->range.end) {
        writer->range.end = range.end;
        return STATUS_OK;
    }
    TRY(flush(writer, writer->range.end, err));
    writer->range = range;
    return STATUS_OK;
}

Status run_writer_add(RunWriter *writer, const GameRecord *game, const PlyRecord *plies,
                      const TagRecord *tags, Err *err) {
    if (writer->batch.count >= writer->shard_games) TRY(flush(writer, game->index, err));
    game_batch_append(&writer->batch, game, plies, tags);
    writer->counts.games++;
    writer->counts.plies += game->ply_count;
    for (uint32_t i = 0; i < game->ply_count; i++) writer->counts.positions += plies[i].sampled;
    return STATUS_OK;
}

RunWriterCounts run_writer_counts(const RunWriter *writer) {
    return writer->counts;
}

Status run_writer_finish(RunWriter *writer, Err *err) {
    return flush(writer, writer->range.end, err);
}

void run_writer_close(RunWriter *writer, bool complete) {
    run_new_end(writer->dir, writer->lock, complete, complete || writer->counts.shards > 0);
    game_batch_clear(&writer->batch);
    free(writer->dir);
    free(writer);
}

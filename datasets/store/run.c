// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/run.h"

#include <stdio.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/system/out_file.h"
#include "core/system/ranks.h"
#include "core/system/terminal.h"
#include "core/system/version.h"

// ---- identity -----------------------------------------------------------------------------------

void run_identity_begin(const CommandCall *call, const char *kind, Text *identity) {
    text_add(identity, "kind=%s\n", kind);
    command_options_text(call, false, identity);
}

enum { SHOWN_MOST = 150 }; // largest number of bytes of a line in a message

static void add_shown(Text *text, const char *line) {
    const size_t length = strcspn(line, "\n");
    text_add_bytes(text, line, length < SHOWN_MOST ? length : SHOWN_MOST);
}

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

// Returns the first line of `text` whose first `length` bytes are those of `line` and whose next
// byte is `end`, or NULL. The last line may end without a newline.
static const char *find_line(const char *text, const char *line, size_t length, char end) {
    for (; *text; text = next_line(text)) {
        if (strncmp(text, line, length) != 0) continue;
        if (text[length] == end || (end == '\n' && !text[length])) return text;
    }
    return NULL;
}

// Returns the first line of `a` that `b` does not contain, or NULL. Prefers lines other than those
// of options whose default follows from the players, because nobody may have given these options.
static const char *find_other(const char *a, const char *b) {
    const char *derived = NULL;
    for (; *a; a = next_line(a)) {
        if (find_line(b, a, strcspn(a, "\n"), '\n')) continue;
        const size_t length = strcspn(a, "=\n");
        const bool own = !text_word_is(a, length, "opening-nodes") &&
                         !text_word_is(a, length, "resign-score") &&
                         !text_word_is(a, length, "draw-score");
        if (own) return a;
        if (!derived) derived = a;
    }
    return derived;
}

bool run_identity_differs(const char *a, const char *b, Text *line_a, Text *line_b) {
    if (strcmp(a, b) == 0) return false;
    const char *at_a = find_other(a, b), *at_b = find_other(b, a);
    if (at_a) {
        // Pair the line with a different line of the same name, or with none.
        const size_t name = strcspn(at_a, "=\n");
        at_b = find_line(b, at_a, name, '=');
        while (at_b && find_line(a, at_b, strcspn(at_b, "\n"), '\n')) {
            at_b = find_line(next_line(at_b), at_a, name, '=');
        }
    } else if (!at_b) {
        // Both have the same lines, but in another order, or one of them more often.
        at_a = a;
        at_b = b;
    }
    if (at_a) add_shown(line_a, at_a);
    if (at_b) add_shown(line_b, at_b);
    return true;
}

Status run_identity_check(const char *where, const char *then, const char *now,
                          const char *revision, Err *err) {
    AUTO(Text) a = {0}, b = {0}, maker = {0};
    if (!run_identity_differs(then, now, &a, &b)) return STATUS_OK;
    // The identities of a loop and of spsa contain the revision.
    const char *line = revision ? NULL : strstr(then, "revision=");
    if (line) revision = line + strlen("revision=");
    const int length = revision ? (int)strcspn(revision, "\n") : 0;
    if (length > 0 && length < SHOWN_MOST &&
        ((size_t)length != strlen(version_revision()) ||
         strncmp(revision, version_revision(), (size_t)length) != 0)) {
        text_add(&maker, " (made by revision %.*s of the program; this is revision %s)", length,
                 revision, version_revision());
    }
    if (a.length && b.length) {
        return err_set(err, STATUS_MISMATCH,
                       "%s was made with '%s', but this command has '%s'%s: use the same options, "
                       "or another --out",
                       where, a.data, b.data, text_get(&maker));
    }
    return err_set(err, STATUS_MISMATCH,
                   "%s was made %s '%s', but this command %s this setting%s: use the program that "
                   "made it, or another --out",
                   where, a.length ? "with" : "without", a.length ? a.data : b.data,
                   a.length ? "does not have" : "has", text_get(&maker));
}

// ---- playing into a run -------------------------------------------------------------------------

static void add_missing(Run *run, uint64_t first, uint64_t end) {
    run->missing = memory_resize(run->missing, run->missing_count + 1, sizeof *run->missing);
    run->missing[run->missing_count++] = (OptionRange){first, end};
    run->missing_games += end - first;
}

// Finds the games of the range `wanted` that no shard covers, and adds them to run->missing. Adds
// the number of the other games to run->present_games. `store` is NULL if games are not stored.
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

// Checks that an existing shard has the identity of this run and was written by the same revision
// and build of the program.
static Status check_shard(const char *path, const char *identity, Err *err) {
    AUTO(ProvenanceTexts) then = {{NULL}};
    TRY(shard_read_provenance(path, &then, err));
    TRY(run_identity_check(path, then.identity, identity, then.revision, err));
    if (strcmp(then.revision, version_revision()) == 0 &&
        strcmp(then.build, version_build()) == 0) {
        return STATUS_OK;
    }
    return err_set(err, STATUS_MISMATCH,
                   "%s was made by revision %s of the program (build %.12s), but this is revision "
                   "%s (build %.12s): use the same program, or another --out",
                   path, then.revision, then.build, version_revision(), version_build());
}

Status run_open(const RunSpec *spec, Run *run, Err *err) {
    AUTO_POINTER(Store) store = NULL;
    *run = (Run){.lock = NULL};
    if (mpi_rank() > 0) return STATUS_OK; // only MPI rank 0 opens the directory of the run
    if (spec->dir) {
        TRY(run_directory_prepare(spec->dir, err));
        TRY(run_directory_lock(spec->dir, &run->lock, err));
        TRY(store_open(spec->dir, &store, err));
    }
    for (size_t i = 0; i < spec->wanted_count; i++) find_missing(store, spec->wanted[i], run);
    if (!spec->resume && run->present_games > 0) {
        return err_set(
            err, STATUS_USAGE,
            "%s already holds some of these games: play the missing ones with --resume, or "
            "choose another --out",
            spec->dir);
    }
    for (size_t i = 0; store && i < store_shard_count(store); i++) {
        TRY(check_shard(store_shard_path(store, i), text_get(&spec->provenance->identity), err));
    }
    return STATUS_OK;
}

void run_close(Run *run) {
    run_directory_unlock(run->lock);
    free(run->missing);
    *run = (Run){.lock = NULL};
}

void shard_line_print(FILE *out, bool json, const char *name, OptionRange range) {
    terminal_begin_line(out);
    if (json) {
        record_print(out, true, "shard %s first %lu end %lu", name, range.first, range.end);
    } else {
        fprintf(out, "shard %s games %llu:%llu\n", name, (unsigned long long)range.first,
                (unsigned long long)range.end);
    }
    fflush(out);
}

// ---- writing a run from its beginning to its end ------------------------------------------------

struct RunWriter {
    char *dir;
    RunLock *lock;
    const Provenance *provenance;
    size_t shard_games;
    GameBatch batch;
    OptionRange range; // game indices that were passed to run_writer_cover(), without those of
                       // written shards
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

// Writes the collected games as a shard that covers the game indices writer->range.first to end -
// 1. Does nothing if this range is empty.
static Status flush(RunWriter *writer, uint64_t end, Err *err) {
    char name[SHARD_NAME_SIZE];
    if (end == writer->range.first) return STATUS_OK;
    const OptionRange range = {writer->range.first, end};
    if (shard_write(writer->dir, &writer->batch, range, writer->provenance, name, err) !=
        STATUS_OK) {
        return err_remedy(
            err,
            "the run %s is incomplete: correct the cause, remove the directory if it exists, and "
            "begin again",
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

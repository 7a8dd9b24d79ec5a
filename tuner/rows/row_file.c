// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/row_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "tuner/rows/row_ranks.h"

// What the file ends with. The digest is of all before it.
typedef struct RowFileEnd {
    char form[16];
    uint64_t set;            // where the set stands, behind the chunks
    uint64_t names, content; // what its lists of them hold; 0: it has none
    char key[SHA256_HEX_SIZE], digest[SHA256_HEX_SIZE];
} RowFileEnd;

static const char form[16] = "paotai rows 1";

struct RowFile {
    Text path;
    RowFileEnd end;
    OutFile out; // while it is written
    uint64_t size;
    Sha256 digest;
    void *map;
    size_t map_size;
};

// ---- the key ------------------------------------------------------------------------------------

Status row_key_add_file(Sha256 *key, const char *path, Err *err) {
    struct stat file;
    if (stat(path, &file) != 0) {
        return err_set(err, STATUS_IO, "cannot look at %s: %s", path, strerror(errno));
    }
    sha256_add(key, path, strlen(path) + 1);
    const uint64_t seen[] = {(uint64_t)file.st_size, (uint64_t)file.st_mtim.tv_sec,
                             (uint64_t)file.st_mtim.tv_nsec};
    sha256_add(key, seen, sizeof seen);
    return STATUS_OK;
}

Status row_key_begin(Sha256 *key, Err *err) {
    sha256_init(key);
    sha256_add_u32(key, (uint32_t)rank_count());
    return row_key_add_file(key, "/proc/self/exe", err);
}

// ---- reading ------------------------------------------------------------------------------------

static Status file_map(RowFile *file, Err *err) {
    const char *path = text_get(&file->path);
    struct stat there;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *map = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &there) == 0 && there.st_size >= (off_t)sizeof file->end) {
        map = mmap(NULL, (size_t)there.st_size, PROT_READ, MAP_SHARED, fd, 0);
    }
    const int why = errno;
    if (fd >= 0) close(fd);
    if (map == MAP_FAILED) {
        return err_set(err, STATUS_IO, "cannot map %s: %s", path, strerror(why));
    }
    file->map = map;
    file->map_size = (size_t)there.st_size;
    posix_madvise(map, file->map_size, POSIX_MADV_SEQUENTIAL); // a hint
    return STATUS_OK;
}

// Is what is mapped a file of this key, and as it was written?
static RowReuse file_check(RowFile *file) {
    RowFileEnd end;
    char digest[SHA256_HEX_SIZE];
    const size_t size = file->map_size - sizeof end;
    memcpy(&end, (char *)file->map + size, sizeof end);
    if (memcmp(end.form, form, sizeof form) != 0) return ROWS_DAMAGED;
    if (strcmp(end.key, file->end.key) != 0) return ROWS_OTHER;
    sha256_hex_of(file->map, size, digest);
    if (memcmp(digest, end.digest, sizeof digest) != 0) return ROWS_DAMAGED;
    memcpy(&file->end, &end, sizeof end);
    return ROWS_REUSED;
}

// The chunks' columns in what is mapped.
static void place_chunks(RowSet *set) {
    for (size_t i = 0; i < set->chunk_count; i++) {
        if (set->chunks[i].count == 0) continue; // another rank's
        row_chunk_place((char *)set->file->map + set->chunks[i].offset, &set->chunks[i]);
    }
}

static void *list_copy(const char **from, size_t count, size_t size) {
    if (count == 0) return NULL;
    void *list = memory_alloc(count, size);
    memcpy(list, *from, count * size);
    *from += count * size;
    return list;
}

// The set as file_write_set() has left it, with the present one's file and trouble.
static void file_read_set(RowSet *set) {
    RowFile *file = set->file;
    RowTrouble *trouble = set->trouble;
    const char *at = (const char *)file->map + file->end.set;
    memcpy(set, at, sizeof *set);
    at += sizeof *set;
    set->file = file;
    set->trouble = trouble;
    set->chunks = list_copy(&at, set->chunk_count, sizeof *set->chunks);
    set->games = list_copy(&at, set->game_count, sizeof *set->games);
    set->names = list_copy(&at, file->end.names, sizeof *set->names);
    set->content = list_copy(&at, file->end.content, sizeof *set->content);
    place_chunks(set);
}

// ---- writing ------------------------------------------------------------------------------------

static void file_write(RowFile *file, const void *bytes, size_t size) {
    if (size == 0) return;
    fwrite(bytes, 1, size, file->out.stream); // out_file_close() tells of what fails
    sha256_add(&file->digest, bytes, size);
    file->size += size;
}

// Whole cache lines.
static void file_fill(RowFile *file) {
    static const char zeros[64];
    file_write(file, zeros, (64 - file->size % 64) % 64);
}

void row_file_take(RowFile *file, RowChunk *chunk) {
    const RowChunk taken = {.count = chunk->count,
                            .group_count = chunk->group_count,
                            .index_count = chunk->index_count,
                            .value_count = chunk->value_count,
                            .offset = file->size};
    file_write(file, chunk->memory, row_chunk_size(chunk));
    file_fill(file);
    free(chunk->memory);
    *chunk = taken; // without the columns, until they are mapped
}

// The same rows make the same bytes: no addresses, which differ from run to run.
static void file_write_set(RowFile *file, const RowSet *set) {
    RowSet copy;
    memcpy(&copy, set, sizeof copy);
    copy.chunks = NULL;
    copy.games = NULL;
    copy.names = NULL;
    copy.content = NULL;
    copy.trouble = NULL;
    copy.file = NULL;
    copy.chunk_capacity = copy.game_capacity = 0;
    copy.reuse = ROWS_NEW;
    file->end.set = file->size;
    file->end.names = set->names ? (uint64_t)set->pairs : 0;
    file->end.content = set->content ? set->source_count : 0;
    file_write(file, &copy, sizeof copy);
    file_write(file, set->chunks, set->chunk_count * sizeof *set->chunks);
    file_write(file, set->games, set->game_count * sizeof *set->games);
    file_write(file, set->names, file->end.names * sizeof *set->names);
    file_write(file, set->content, file->end.content * sizeof *set->content);
}

Status row_file_begin(RowSet *set, const char *directory, Sha256 *key, Err *err) {
    RowFile *file = set->file = memory_alloc(1, sizeof *file);
    RowReuse reuse = ROWS_NEW;
    text_add(&file->path, "%s/paotai-rows.%d", directory, rank_self());
    memcpy(file->end.form, form, sizeof form);
    sha256_add_u32(key, (uint32_t)rank_self());
    sha256_finish_hex(key, file->end.key);
    sha256_init(&file->digest);
    if (file_map(file, NULL) == STATUS_OK) reuse = file_check(file);
    double missing = reuse != ROWS_REUSED;
    ranks_sum(set, 1, &missing);
    if (row_set_trouble(set, err) != STATUS_OK) return set->trouble->status;
    if (missing == 0) {
        file_read_set(set);
        set->reuse = ROWS_REUSED;
        return STATUS_OK;
    }
    set->reuse = reuse == ROWS_REUSED ? ROWS_OTHER : reuse;
    if (file->map) munmap(file->map, file->map_size);
    file->map = NULL;
    return out_file_open(&file->out, text_get(&file->path), err);
}

Status row_file_end(RowSet *set, Err *err) {
    RowFile *file = set->file;
    if (!file || file->map) return STATUS_OK;
    file_write_set(file, set);
    sha256_finish_hex(&file->digest, file->end.digest);
    fwrite(&file->end, sizeof file->end, 1, file->out.stream);
    Status status = out_file_close(&file->out, STATUS_OK, err);
    file->out.stream = NULL;
    if (status == STATUS_OK) status = file_map(file, err);
    if (status == STATUS_OK) place_chunks(set);
    return status;
}

void row_file_free(RowFile *file) {
    if (!file) return;
    if (file->out.stream) out_file_close(&file->out, STATUS_INTERRUPTED, NULL);
    if (file->map) munmap(file->map, file->map_size);
    text_clear(&file->path);
    free(file);
}

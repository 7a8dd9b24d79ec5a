// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the reading of foreign HDF5 files through the HDF5 library. The first byte of an input
// says what follows. 'f': a file. 's': a list of changes that are applied to a shard. 'r': a list
// of changes that are applied to a file of sparse rows. This fuzzer writes the shard and the rows.
// A change is an offset (3 bytes), a length (1 byte) and as many replacement bytes.
// A file may claim any size. fuzz.sh limits the size of one allocation, so that malloc() returns
// NULL to the library. Our own allocator would abort, so our code must check sizes first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/system/in_file.h"
#include "core/system/out_file.h"
#include "datasets/sparse/sparse_file.h"
#include "datasets/store/store.h"
#include "datasets/store/verify.h"
#include "tests/fuzz/fuzz.h"

typedef struct Bytes {
    uint8_t *data;
    size_t size;
} Bytes;

// Data that prepare() writes once, and that is not changed afterwards.
static Bytes shard, sparse_rows;
static char content[SHA256_HEX_SIZE];        // content hash of the games in the shard
static char dir[] = "/tmp/fuzz_hdf5.XXXXXX"; // directory of the file that HDF5 opens
static char path[64];                        // path of the file that HDF5 opens

// ---- files to begin with ------------------------------------------------------------------------

static Bytes take_file(void) {
    Bytes bytes;
    Err err = {0};
    char *data;
    require(text_read_file(path, &data, &bytes.size, &err) == STATUS_OK);
    bytes.data = (uint8_t *)data;
    return bytes;
}

static void put_file(const Bytes *bytes) {
    // Do not use text_write_file(), which would call fsync() for each file.
    FILE *file = fopen(path, "wb");
    require(file && fwrite(bytes->data, 1, bytes->size, file) == bytes->size && fclose(file) == 0);
}

static void remove_file(void) {
    unlink(path);
    rmdir(dir);
}

// Writes a shard with two games of five random moves.
static void write_shard(void) {
    enum { GAMES = 2, PLIES = 5 };
    GameBatch rows = {0};
    Err err = {0};
    for (uint64_t index = 0; index < GAMES; index++) {
        GameRecord record = {.index = index,
                             .ply_count = PLIES,
                             .end_ply = PLIES,
                             .reason = END_MAX_PLIES,
                             .end_reason = END_MAX_PLIES};
        PlyRecord plies[PLIES];
        GameWalk walk;
        Random random;
        random_init(&random, 5, index);
        position_init_start(&record.start);
        game_walk_init(&walk, &record);
        for (int i = 0; i < PLIES; i++) {
            MoveList list;
            position_legal_moves(&walk.position, &list);
            plies[i] = (PlyRecord){.move = list.moves[random_below(&random, (uint64_t)list.count)],
                                   .score_red = (int16_t)(10 * i),
                                   .sampled = i % 2 == 1};
            game_walk_step(&walk, &record, plies[i].move);
        }
        game_batch_append(&rows, &record, plies, NULL);
    }
    const Provenance provenance = {
        .kind = "selfplay", .rules = {.data = (char[]){"axf"}}, .seed = 7};
    require(game_batch_derive(&rows, &err) == STATUS_OK &&
            shard_write_file(path, &rows, (OptionRange){0, GAMES}, &provenance, &err) == STATUS_OK);
    game_batch_clear(&rows);
}

// Writes a file of sparse rows with three rows and two terms.
static void write_rows(void) {
    static char names[2][SPARSE_NAME_SIZE] = {"chariot", "cannon"};
    static double start[2][2] = {{900, 900}, {450, 450}}, seen[2][2] = {{3, 2}, {2, 1}};
    const SparseTerms terms = {
        .terms = 2, .phase_max = 24, .names = names, .start = start, .occurrences = seen};
    SparseBlock block = {.rows = 3};
    SparseWriter *writer;
    Err err = {0};
    sparse_add_int(&block.indptr, 0);
    for (int i = 0; i < 3; i++) {
        for (int term = i > 1; term < 2; term++) {
            sparse_add_int(&block.index, term);
            sparse_add_real(&block.coefficient, 1 - i);
        }
        sparse_add_int(&block.indptr, (int64_t)block.index.count);
        sparse_add_real(&block.phase, 8 * i);
        sparse_add_real(&block.offset, 0);
        sparse_add_real(&block.result, 0.5 * i);
        sparse_add_int(&block.score, 100 * i);
        sparse_add_int(&block.game, i / 2);
        sparse_add_int(&block.split, 7 - i / 2);
        sparse_add_int(&block.source, 0);
        sparse_add_int(&block.mover, 1);
    }
    require(sparse_writer_open(path, &writer, &err) == STATUS_OK &&
            sparse_writer_add(writer, &block, &err) == STATUS_OK &&
            sparse_writer_finish(writer, &terms, "", &err) == STATUS_OK);
    sparse_block_clear(&block);
}

// Checks that the unchanged files can be read.
static void check_bases(void) {
    ShardHead head;
    SparseReader *reader;
    Err err = {0};
    put_file(&shard);
    require(shard_read_head(path, &head, &err) == STATUS_OK && head.counts[GROUP_GAMES] == 2);
    memcpy(content, head.content_hash, sizeof content);
    put_file(&sparse_rows);
    require(sparse_reader_open(path, &reader, &err) == STATUS_OK &&
            sparse_reader_rows(reader) == 3);
    sparse_reader_close(reader);
}

static void prepare(void) {
    require(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/file", dir);
    atexit(remove_file);
    write_shard();
    shard = take_file();
    write_rows();
    sparse_rows = take_file();
    check_bases();
}

// ---- reading ------------------------------------------------------------------------------------

// Returns true if the status is STATUS_OK. For any other status, checks that *err has a message.
static bool good(Status status, const Err *err) {
    require(status == STATUS_OK || err->text[0] != '\0');
    return status == STATUS_OK;
}

static void ignore_fault(void *context, const char *where, const char *what) {
    (void)context;
    require(where[0] && what[0]);
}

// Opens a shard, reads its provenance, games and positions, and verifies it. If a damaged shard
// passes verification, the content hash of its games must be unchanged.
static void read_shard(bool damaged) {
    ShardReader *reader;
    AUTO(ProvenanceTexts) texts = {{NULL}};
    GameBatch batch = {0};
    VerifyReport report;
    Err err = {0};
    if (!good(shard_reader_open(path, &reader, &err), &err)) return;
    good(shard_read_provenance(path, &texts, &err), &err);
    do {
        game_batch_clear(&batch);
        err = (Err){0};
        if (!good(shard_reader_next(reader, 6, &batch, &err), &err)) break;
        good(game_batch_check(&batch, &err), &err);
    } while (batch.count > 0);
    game_batch_clear(&batch);
    PositionRecord *positions = NULL;
    size_t count;
    good(shard_read_positions(path, &positions, &count, &err), &err);
    free(positions);
    shard_reader_close(reader);
    if (good(store_verify(path, 1, NULL, ignore_fault, NULL, &report, &err), &err) && damaged) {
        require(report.faults > 0 || strcmp(report.content_hash, content) == 0);
    }
}

static void read_rows(void) {
    SparseReader *reader;
    SparseBlock block = {0};
    Err err = {0};
    if (!good(sparse_reader_open(path, &reader, &err), &err)) return;
    const size_t rows = sparse_reader_rows(reader);
    for (size_t row = 0; row < rows; row += block.rows) {
        if (!good(sparse_reader_next(reader, row, &block, &err), &err)) break;
        require(block.rows > 0 && block.indptr.ints[block.rows] <= (int64_t)block.index.count);
    }
    sparse_block_clear(&block);
    sparse_reader_close(reader);
}

static void change(Bytes *bytes, const uint8_t *data, size_t size) {
    enum { HEAD = 4 };
    while (size > HEAD) {
        const size_t at = ((size_t)data[0] << 16 | (size_t)data[1] << 8 | data[2]) % bytes->size;
        size_t length = data[3];
        if (length > size - HEAD) length = size - HEAD;
        if (length > bytes->size - at) length = bytes->size - at;
        memcpy(bytes->data + at, data + HEAD, length);
        data += HEAD + length;
        size -= HEAD + length;
    }
}

FUZZ(hdf5) {
    if (!shard.data) prepare();
    if (size == 0 || !memchr("fsr", data[0], 3)) return;
    const Bytes *base = data[0] == 's' ? &shard : &sparse_rows;
    Bytes bytes = {memory_alloc(size > base->size ? size : base->size, 1),
                   data[0] == 'f' ? size - 1 : base->size};
    if (data[0] == 'f') {
        memcpy(bytes.data, data + 1, size - 1);
    } else {
        memcpy(bytes.data, base->data, base->size);
        change(&bytes, data + 1, size - 1);
    }
    put_file(&bytes);
    free(bytes.data);
    if (data[0] != 'r') read_shard(data[0] == 's');
    if (data[0] != 's') read_rows();
}

// A file of sparse rows with two rows and two terms, as another program may write it: its columns
// have signed numbers and no checksums. Made with h5py. Number i of column number c is the integer
// MARK + 256 * c + i.
EMBED_BYTES(rows_base, rows_base_end, "tests/fuzz/sparse.h5");

// Fuzzes the numbers of sparse rows. An input has the 8 bytes of each number of the columns indptr,
// index, coefficient, result and game. Only these numbers change, because HDF5 itself crashes on
// other damage of a file without checksums.
FUZZ(sparse) {
    static const size_t counts[] = {3, 5, 5, 2, 2};
    const uint64_t mark = UINT64_C(0x5061726f77730000);
    if (!shard.data) prepare();
    Bytes bytes = {NULL, (size_t)((uintptr_t)rows_base_end - (uintptr_t)rows_base)};
    bytes.data = memory_alloc(bytes.size, 1);
    memcpy(bytes.data, rows_base, bytes.size);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const uint64_t first = mark + 256 * c;
        uint8_t *column = memmem(bytes.data, bytes.size, &first, sizeof first);
        const size_t length = 8 * counts[c] < size ? 8 * counts[c] : size;
        require(column);
        memcpy(column, data, length);
        data += length;
        size -= length;
    }
    put_file(&bytes);
    free(bytes.data);
    read_rows();
}

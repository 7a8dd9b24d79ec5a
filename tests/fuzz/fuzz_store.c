// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes what the store believes of others. The first byte says what the rest is: 'r' the
// rows of a shard, 'c' boards to pack, 'u' a chunk to unpack.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/board/attacks.h"
#include "datasets/store/chunk.h"
#include "datasets/store/content_hash.h"
#include "datasets/store/verify.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A bug, in any variant of the build.
static void require(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    core_init();
    return 0;
}

static void init_game(Game *game) {
    Position start;
    position_init_start(&start);
    game_init(game, &start);
}

// Takes a part of the input as rows.
static void *take_rows(const uint8_t **data, size_t *size, size_t row_size, size_t wanted,
                       size_t *count) {
    *count = *size / row_size < wanted ? *size / row_size : wanted;
    void *rows = memory_alloc(*count, row_size);
    if (*count) memcpy(rows, *data, *count * row_size);
    *data += *count * row_size;
    *size -= *count * row_size;
    return rows;
}

static void check_slices(const ShardRows *rows) {
    const Rules rules = rules_default(RULES_AXF);
    GameSlice *slices = NULL;
    Err err = {0};
    if (shard_rows_slices(rows, &slices, &err) != STATUS_OK) {
        require(err.text[0] != '\0');
        return;
    }
    Game game;
    init_game(&game);
    for (size_t i = 0; i < rows->game_count; i++) {
        Text faults = {0};
        verify_game(&rules, &slices[i], &game, &faults);
        text_clear(&faults);
    }
    game_clear(&game);
    free(slices);
    char hex[SHA256_HEX_SIZE];
    require(content_hash_rows(rows, hex, &err) == STATUS_OK);
    GameBatch batch = {0};
    ShardRows again;
    if (shard_rows_to_batch(rows, &batch, &err) == STATUS_OK &&
        shard_rows_from_batch(&batch, &again, &err) == STATUS_OK) {
        shard_rows_clear(&again);
    }
    game_batch_clear(&batch);
}

static void fuzz_rows(const uint8_t *data, size_t size) {
    ShardRows rows = {0};
    rows.games = take_rows(&data, &size, sizeof(GameRow), 2, &rows.game_count);
    rows.plies = take_rows(&data, &size, sizeof(PlyRow), 40, &rows.ply_count);
    rows.positions = take_rows(&data, &size, sizeof(PositionRow), 40, &rows.position_count);
    for (size_t i = 0; i < rows.position_count; i++) {
        PositionRecord record;
        Err err = {0};
        const Status status = position_row_to_record(&rows.positions[i], &record, &err);
        require(status == STATUS_OK ? position_is_consistent(&record.position)
                                    : err.text[0] != '\0');
    }
    check_slices(&rows);
    shard_rows_clear(&rows);
}

static void fuzz_pack(const uint8_t *data, size_t size) {
    const size_t row = sizeof(PositionRow), count = size / row;
    const ColumnGroup *table = column_group(GROUP_POSITIONS);
    uint8_t *back = memory_alloc(count, row);
    ChunkWork work = {0};
    for (size_t i = 0; i < table->column_count; i++) {
        const Column *column = &table->columns[i];
        PackedColumn packed;
        column_pack(column, row, data, count, &work, &packed);
        require(column_unpack(&packed, 0, count, row, &work, back, NULL) == STATUS_OK);
        for (size_t k = 0; k < count; k++) {
            require(memcmp(data + k * row + column->offset, back + k * row + column->offset,
                           column->size) == 0);
        }
        packed_column_clear(&packed);
    }
    chunk_work_clear(&work);
    free(back);
}

static void fuzz_unpack(const uint8_t *data, size_t size) {
    enum { ROWS = 64 };
    PositionRow rows[ROWS];
    PackedChunk chunk = {.data = memory_alloc(size, 1), .size = size};
    PackedColumn packed = {.column = column_find(GROUP_POSITIONS, "squares"),
                           .count = ROWS,
                           .chunk_rows = ROWS,
                           .chunks = &chunk,
                           .chunk_count = 1};
    ChunkWork work = {0};
    Err err = {0};
    if (size) memcpy(chunk.data, data, size);
    const Status status = column_unpack(&packed, 0, ROWS, sizeof *rows, &work, rows, &err);
    require(status == STATUS_OK || err.text[0] != '\0');
    chunk_work_clear(&work);
    free(chunk.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    switch (data[0]) {
    case 'r':
        fuzz_rows(data + 1, size - 1);
        break;
    case 'c':
        fuzz_pack(data + 1, size - 1);
        break;
    case 'u':
        fuzz_unpack(data + 1, size - 1);
        break;
    default:
        break;
    }
    return 0;
}

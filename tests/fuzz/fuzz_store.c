// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes what the store believes of others. The first byte says what the rest is: 'r' the
// rows of a shard, 'c' boards to pack, 'u' a chunk to unpack.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/store/chunk.h"
#include "datasets/store/record.h"
#include "datasets/store/verify.h"
#include "tests/core/positions.h"
#include "tests/fuzz/fuzz.h"

static void init_game(Game *game) {
    Position start;
    position_init_start(&start);
    game_init(game, &start);
}

// Takes a part of the input as records, column after column as content hashes have them. Moves are
// bytes of the file, too.
static void *take_records(const uint8_t **data, size_t *size, GroupId id, size_t wanted,
                          size_t *count) {
    const ColumnGroup *group = column_group(id);
    size_t width = 0;
    for (size_t i = 0; i < group->column_count; i++) {
        if (group->columns[i].packing != PACKING_TIMES) width += group->columns[i].size;
    }
    *count = *size / width < wanted ? *size / width : wanted;
    char *records = memory_aligned(_Alignof(GameRecord), *count * group->row_size);
    if (*count) memset(records, 0, *count * group->row_size);
    for (size_t k = 0; k < *count; k++) {
        for (size_t i = 0; i < group->column_count; i++) {
            const Column *column = &group->columns[i];
            if (column->packing == PACKING_TIMES) continue;
            char *member = records + k * group->row_size + column->offset;
            memcpy(member, *data, column->size);
            if (column->type == COLUMN_MOVE) {
                Move *move = (Move *)(void *)member;
                *move = move_from_stored(*move);
            }
            *data += column->size;
            *size -= column->size;
        }
    }
    return records;
}

static void check_games(GameBatch *batch) {
    const Rules rules = rules_default(RULES_AXF);
    Err err = {0};
    if (game_batch_cut(batch, &err) != STATUS_OK) {
        require(err.text[0] != '\0');
        return;
    }
    Game game;
    init_game(&game);
    for (size_t i = 0; i < batch->count; i++) {
        Text faults = {0};
        verify_game(&rules, batch, &batch->games[i], &game, &faults);
        text_clear(&faults);
    }
    game_clear(&game);
    char hex[SHA256_HEX_SIZE];
    content_hash_batch(batch, hex);
    if (game_batch_check(batch, &err) == STATUS_OK) game_batch_derive(batch, &err);
}

static void fuzz_rows(const uint8_t *data, size_t size) {
    GameBatch batch = {0};
    batch.games = take_records(&data, &size, GROUP_GAMES, 2, &batch.count);
    batch.plies = take_records(&data, &size, GROUP_PLIES, 40, &batch.ply_count);
    batch.positions = take_records(&data, &size, GROUP_POSITIONS, 40, &batch.position_count);
    batch.tags = take_records(&data, &size, GROUP_TAGS, 4, &batch.tag_count);
    for (size_t i = 0; i < batch.position_count; i++) {
        Position board;
        Err err = {0};
        const Status status = position_record_board(&batch.positions[i], &board, &err);
        require(status == STATUS_OK ? position_is_consistent(&board) : err.text[0] != '\0');
    }
    check_games(&batch);
    game_batch_clear(&batch);
}

static void fuzz_pack(const uint8_t *data, size_t size) {
    const size_t row = sizeof(PositionRecord), count = size / row;
    const ColumnGroup *table = column_group(GROUP_POSITIONS);
    uint8_t *records = memory_alloc(count, row), *back = memory_alloc(count, row);
    Move move, other;
    if (count) memcpy(records, data, count * row);
    ChunkWork work = {0};
    for (size_t i = 0; i < table->column_count; i++) {
        const Column *column = &table->columns[i];
        PackedColumn packed;
        column_pack_begin(column, count, &packed);
        for (size_t k = 0; k < packed.chunk_count; k++) {
            column_pack_chunk(&packed, k, row, records, &work);
        }
        require(column_unpack(&packed, 0, count, row, &work, back, NULL) == STATUS_OK);
        for (size_t k = 0; k < count; k++) {
            const uint8_t *a = records + k * row + column->offset,
                          *b = back + k * row + column->offset;
            memcpy(&move, a, sizeof move);
            memcpy(&other, b, sizeof other);
            require(column->type == COLUMN_MOVE ? other == move_from_stored(move_to_stored(move))
                                                : memcmp(a, b, column->size) == 0);
        }
        packed_column_clear(&packed);
    }
    chunk_work_clear(&work);
    free(back);
    free(records);
}

static void fuzz_unpack(const uint8_t *data, size_t size) {
    enum { ROWS = 64 };
    PositionRecord rows[ROWS];
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

FUZZ(store) {
    if (size == 0) return;
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
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the checks of stored records. An input consists of an 'r' and the column values of the
// records of a shard.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/store/record.h"
#include "datasets/store/verify.h"
#include "tests/core/positions.h"
#include "tests/fuzz/fuzz.h"

static void init_game(Game *game) {
    Position start;
    position_init_start(&start);
    game_init(game, &start);
}

// Reads at most `wanted` records from the input, one after another. Each record has the columns of
// columns.def in this order, without the columns of measured times. Converts moves from their
// stored form.
static void *take_records(const uint8_t **data, size_t *size, GroupId id, size_t wanted,
                          size_t *count) {
    const ColumnGroup *group = column_group(id);
    size_t width = 0;
    for (size_t i = 0; i < group->column_count; i++) {
        if (!column_may_lack(&group->columns[i])) width += group->columns[i].size;
    }
    *count = *size / width < wanted ? *size / width : wanted;
    char *records = memory_aligned(_Alignof(GameRecord), *count * group->row_size);
    if (*count) memset(records, 0, *count * group->row_size);
    for (size_t k = 0; k < *count; k++) {
        for (size_t i = 0; i < group->column_count; i++) {
            const Column *column = &group->columns[i];
            if (column_may_lack(column)) continue;
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

FUZZ(store) {
    if (size > 0 && data[0] == 'r') fuzz_rows(data + 1, size - 1);
}

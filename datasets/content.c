// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/content.h"

#include <stdlib.h>

static void add_value(Sha256 *hash, const Column *column, const void *value) {
    switch (column->type) {
    case COLUMN_U8:
    case COLUMN_I8:
    case COLUMN_SQUARES:
    case COLUMN_NAME:
        sha256_add(hash, value, column->size);
        break;
    case COLUMN_U16:
    case COLUMN_I16:
        sha256_add_u16(hash, *(const uint16_t *)value);
        break;
    case COLUMN_U32:
        sha256_add_u32(hash, *(const uint32_t *)value);
        break;
    case COLUMN_U64:
        sha256_add_u64(hash, *(const uint64_t *)value);
        break;
    }
}

static void add_row(Sha256 *hash, GroupId id, const void *row) {
    const ColumnGroup *group = column_group(id);
    for (size_t i = 0; i < group->column_count; i++) {
        const Column *column = &group->columns[i];
        add_value(hash, column, (const char *)row + column->offset);
    }
}

void content_digest(const GameSlice *slice, uint8_t digest[SHA256_BYTES]) {
    Sha256 hash;
    sha256_init(&hash);
    add_row(&hash, GROUP_GAMES, slice->game);
    for (uint32_t i = 0; i < slice->game->ply_count; i++) {
        add_row(&hash, GROUP_PLIES, &slice->plies[i]);
    }
    for (size_t i = 0; i < slice->position_count; i++) {
        add_row(&hash, GROUP_POSITIONS, &slice->positions[i]);
    }
    sha256_finish(&hash, digest);
}

Status content_hash_rows(const ShardRows *rows, char hex[SHA256_HEX_SIZE], Err *err) {
    GameSlice *slices = NULL;
    const Status status = shard_rows_slices(rows, &slices, err);
    if (status != STATUS_OK) return status;
    Sha256 outer;
    uint8_t digest[SHA256_BYTES];
    sha256_init(&outer);
    for (size_t i = 0; i < rows->game_count; i++) {
        content_digest(&slices[i], digest);
        sha256_add(&outer, digest, sizeof digest);
    }
    sha256_finish(&outer, digest);
    sha256_to_hex(digest, hex);
    free(slices);
    return STATUS_OK;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/record.h"

#include <string.h>

// Copies a value as the file has it; the machine is little-endian (chunk.c). Sizes that the
// compiler knows are copied at once.
static uint8_t *put_value(uint8_t *to, const Column *column, const char *record) {
    const char *value = record + column->offset;
    uint16_t move;
    switch (column->type) {
    case COLUMN_U8:
    case COLUMN_I8:
        *to = (uint8_t)*value;
        return to + 1;
    case COLUMN_MOVE:
        memcpy(&move, value, sizeof move);
        move = move_to_stored(move);
        memcpy(to, &move, sizeof move);
        return to + sizeof move;
    case COLUMN_SQUARES:
        memcpy(to, value, SLOT_COUNT);
        return to + SLOT_COUNT;
    case COLUMN_U16:
    case COLUMN_I16:
        memcpy(to, value, 2);
        return to + 2;
    case COLUMN_U32:
        memcpy(to, value, 4);
        return to + 4;
    default:
        memcpy(to, value, column->size);
        return to + column->size;
    }
}

static void add_records(Sha256 *hash, GroupId id, const void *records, size_t count) {
    const ColumnGroup *group = column_group(id);
    const char *record = records;
    uint8_t bytes[4096], *at = bytes;
    for (size_t i = 0; i < count; i++, record += group->row_size) {
        if ((size_t)(bytes + sizeof bytes - at) < group->row_size) {
            sha256_add(hash, bytes, (size_t)(at - bytes));
            at = bytes;
        }
        for (size_t k = 0; k < group->column_count; k++) {
            at = put_value(at, &group->columns[k], record);
        }
    }
    sha256_add(hash, bytes, (size_t)(at - bytes));
}

void content_digest(const GameBatch *batch, const GameRecord *game, uint8_t digest[SHA256_BYTES]) {
    Sha256 hash;
    sha256_init(&hash);
    add_records(&hash, GROUP_GAMES, game, 1);
    if (game->ply_count) {
        add_records(&hash, GROUP_PLIES, batch->plies + game->first_ply, game->ply_count);
    }
    if (game->position_count) {
        add_records(&hash, GROUP_POSITIONS, batch->positions + game->first_position,
                    game->position_count);
    }
    sha256_finish(&hash, digest);
}

void content_hash_batch(const GameBatch *batch, char hex[SHA256_HEX_SIZE]) {
    Sha256 outer;
    uint8_t digest[SHA256_BYTES];
    sha256_init(&outer);
    for (size_t i = 0; i < batch->count; i++) {
        content_digest(batch, &batch->games[i], digest);
        sha256_add(&outer, digest, sizeof digest);
    }
    sha256_finish_hex(&outer, hex);
}

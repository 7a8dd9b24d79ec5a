// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of a shard as tables, from columns.def. Records of these columns are in
// record.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/text.h"
#include "core/board/types.h"

// Slots of a position's pieces, in the order general, advisor x2, elephant x2, horse x2, chariot
// x2, cannon x2, soldier x5; Red's sixteen slots first, then Black's. The squares of one type of
// piece ascend.
enum { SLOT_COUNT = 32, SLOT_EMPTY = 255, COLUMN_NAME_SIZE = 24, COLUMN_VALUE_SIZE = 104 };

enum { MAX_COLUMNS = 32 }; // upper bound of the columns in a group

typedef enum ColumnType {
    COLUMN_U8,
    COLUMN_I8,
    COLUMN_U16,
    COLUMN_I16,
    COLUMN_U32,
    COLUMN_U64,
    COLUMN_TIME,
    COLUMN_MOVE,
    COLUMN_SQUARES,
    COLUMN_NAME,
    COLUMN_VALUE,
} ColumnType;

// Declares the member of a record that holds a column of this type.
#define COLUMN_FIELD_U8(name)      uint8_t name;
#define COLUMN_FIELD_I8(name)      int8_t name;
#define COLUMN_FIELD_U16(name)     uint16_t name;
#define COLUMN_FIELD_I16(name)     int16_t name;
#define COLUMN_FIELD_U32(name)     uint32_t name;
#define COLUMN_FIELD_U64(name)     uint64_t name;
#define COLUMN_FIELD_TIME(name)    uint32_t name;
#define COLUMN_FIELD_MOVE(name)    Move name;
#define COLUMN_FIELD_SQUARES(name) uint8_t name[SLOT_COUNT];
#define COLUMN_FIELD_NAME(name)    char name[COLUMN_NAME_SIZE];
#define COLUMN_FIELD_VALUE(name)   char name[COLUMN_VALUE_SIZE];

typedef struct Column {
    const char *name;
    ColumnType type;
    size_t offset; // offset of the member in its record
    size_t size;   // size of one value in bytes
    const char *unit, *description;
} Column;

// A group of the file. It has one data set per column, and all are equally long.
typedef struct ColumnGroup {
    const char *name; // "games"
    const Column *columns;
    size_t column_count;
    size_t row_size; // size of a record in bytes
} ColumnGroup;

// The groups of records. The group of tags is absent if it would be empty.
typedef enum GroupId {
    GROUP_GAMES,
    GROUP_PLIES,
    GROUP_POSITIONS,
    GROUP_TAGS,
    ROW_GROUP_COUNT
} GroupId;

// Returns the table of a group.
const ColumnGroup *column_group(GroupId id);
// Returns the column with this name, which must exist.
const Column *column_find(GroupId id, const char *name);

// Convert a move to its form in the file and back. The low byte is the origin square. The high byte
// is the step to the target, modulo 256, because steps repeat more often than squares and compress
// better. 0 is MOVE_NONE; any value that is no pair of points is read as MOVE_NONE.
uint16_t move_to_stored(Move move);
Move move_from_stored(uint16_t stored);

// Appends the words of an "enum ..." unit as lines "value word". Adds nothing for other units.
void column_add_values(const char *unit, Text *text);

// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of a shard as a table: columns.def, turned into C. The records they make up are in
// record.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/text.h"
#include "core/board/types.h"

// Slots of a position's pieces: kinds in the order general, advisor x2, elephant x2, horse x2,
// chariot x2, cannon x2, soldier x5, Red's sixteen, then Black's; within a kind squares ascend.
enum { SLOT_COUNT = 32, SLOT_EMPTY = 255, COLUMN_NAME_SIZE = 24, COLUMN_VALUE_SIZE = 104 };

enum { MAX_COLUMNS = 32 }; // of a group

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

// The member of a record that a column fills.
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
    size_t offset; // of the member in its row
    size_t size;   // of one value in bytes
    const char *unit, *description;
} Column;

// A group of the file: rows of equal length, one data set a column.
typedef struct ColumnGroup {
    const char *name; // "games"
    const Column *columns;
    size_t column_count;
    size_t row_size; // of the record
} ColumnGroup;

// The last is not there where it would be empty.
typedef enum GroupId {
    GROUP_GAMES,
    GROUP_PLIES,
    GROUP_POSITIONS,
    GROUP_TAGS,
    ROW_GROUP_COUNT
} GroupId;

const ColumnGroup *column_group(GroupId id);
// A column by its name, which must exist.
const Column *column_find(GroupId id, const char *name);

// A move as the file holds it, and back: the square left and, in the high byte, the step to the
// square entered, modulo 256; steps repeat more than squares do and take less room. 0: MOVE_NONE,
// which anything becomes that is no pair of points.
uint16_t move_to_stored(Move move);
Move move_from_stored(uint16_t stored);

// The words of an "enum ..." unit as lines "value word"; nothing is added for other units.
void column_add_values(const char *unit, Text *text);

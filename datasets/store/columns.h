// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that describe the columns of a shard (an HDF5 file of games). columns.def lists the
// columns. The structs in record.h have one member per column.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/text.h"
#include "core/board/types.h"

// The 32 slots in which a stored position holds the squares of its pieces. Each side has 16 slots
// in the order general, advisor x2, elephant x2, horse x2, chariot x2, cannon x2, soldier x5. Red's
// slots come first. Within a type the squares ascend, and the slots of captured pieces come last.
enum { SLOT_COUNT = 32, SLOT_EMPTY = 255 };
// Sizes of the texts in columns of the types NAME and VALUE, in bytes with the terminating zero.
enum { COLUMN_NAME_SIZE = 24, COLUMN_VALUE_SIZE = 104 };

enum { MAX_COLUMNS = 32 }; // largest allowed number of columns in a group

typedef enum ColumnType {
    COLUMN_U8,
    COLUMN_I8,
    COLUMN_U16,
    COLUMN_I16,
    COLUMN_U32,
    COLUMN_U64,
    COLUMN_TIME,
    COLUMN_KEY,
    COLUMN_MOVE,
    COLUMN_SQUARES,
    COLUMN_NAME,
    COLUMN_VALUE,
} ColumnType;

// Declares the struct member that holds a column of the given type.
#define COLUMN_FIELD_U8(name)      uint8_t name;
#define COLUMN_FIELD_I8(name)      int8_t name;
#define COLUMN_FIELD_U16(name)     uint16_t name;
#define COLUMN_FIELD_I16(name)     int16_t name;
#define COLUMN_FIELD_U32(name)     uint32_t name;
#define COLUMN_FIELD_U64(name)     uint64_t name;
#define COLUMN_FIELD_TIME(name)    uint32_t name;
#define COLUMN_FIELD_KEY(name)     uint64_t name;
#define COLUMN_FIELD_MOVE(name)    Move name;
#define COLUMN_FIELD_SQUARES(name) uint8_t name[SLOT_COUNT];
#define COLUMN_FIELD_NAME(name)    char name[COLUMN_NAME_SIZE];
#define COLUMN_FIELD_VALUE(name)   char name[COLUMN_VALUE_SIZE];

typedef struct Column {
    const char *name;
    ColumnType type;
    size_t offset; // offset of this column's member in its record struct, bytes
    size_t size;   // size of one value in memory, bytes
    const char *unit, *description;
} Column;

// A group of an HDF5 file, such as /games. It has one data set per column, except columns of the
// types TIME and KEY (column_may_lack()) whose values are all 0. All these data sets have the same
// length.
typedef struct ColumnGroup {
    const char *name; // name of the group in the file, such as "games"
    const Column *columns;
    size_t column_count;
    size_t row_size; // size of the record struct, bytes
} ColumnGroup;

// The groups of a shard that have columns. The group /tags is missing if no game has tags.
typedef enum GroupId {
    GROUP_GAMES,
    GROUP_PLIES,
    GROUP_POSITIONS,
    GROUP_TAGS,
    ROW_GROUP_COUNT
} GroupId;

// Returns the table of columns of a group.
const ColumnGroup *column_group(GroupId id);
// Returns the column of a group that has this name. Such a column must exist.
const Column *column_find(GroupId id, const char *name);

// Returns true if a file omits the column if all its values are 0.
bool column_may_lack(const Column *column);

// Convert a move to its 16-bit form in the file, and back. The low byte is the origin square. The
// high byte is target minus origin, modulo 256. Such differences compress better than target
// squares, because the same difference occurs more often. MOVE_NONE is stored as 0. A stored value
// whose squares are equal or not on the board is read as MOVE_NONE.
uint16_t move_to_stored(Move move);
Move move_from_stored(uint16_t stored);

// If the unit of a column names an enum ("enum side", "enum result" or "enum reason"), appends a
// line with value and name for each constant of the enum. Otherwise appends nothing.
void column_add_values(const char *unit, Text *text);

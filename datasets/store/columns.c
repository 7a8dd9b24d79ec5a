// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/columns.h"

#include <string.h>

#include "datasets/store/record.h"

#define COLUMN_ROW(row, name, type, unit, description)                                             \
    {#name, COLUMN_##type, offsetof(row, name), sizeof(((row *)0)->name), unit, description},

static const Column game_columns[] = {
#define GAME_COLUMN(name, type, unit, description)                                                 \
    COLUMN_ROW(GameRecord, name, type, unit, description)
#include "datasets/store/columns.def"
};
static const Column ply_columns[] = {
#define PLY_COLUMN(name, type, unit, description)                                                  \
    COLUMN_ROW(PlyRecord, name, type, unit, description)
#include "datasets/store/columns.def"
};
static const Column position_columns[] = {
#define POSITION_COLUMN(name, type, unit, description)                                             \
    COLUMN_ROW(PositionRecord, name, type, unit, description)
#include "datasets/store/columns.def"
};
static const Column tag_columns[] = {
#define TAG_COLUMN(name, type, unit, description)                                                  \
    COLUMN_ROW(TagRecord, name, type, unit, description)
#include "datasets/store/columns.def"
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const ColumnGroup groups[ROW_GROUP_COUNT] = {
    [GROUP_GAMES] = {"games", game_columns, COUNT(game_columns), sizeof(GameRecord)},
    [GROUP_PLIES] = {"plies", ply_columns, COUNT(ply_columns), sizeof(PlyRecord)},
    [GROUP_POSITIONS] = {"positions", position_columns, COUNT(position_columns),
                         sizeof(PositionRecord)},
    [GROUP_TAGS] = {"tags", tag_columns, COUNT(tag_columns), sizeof(TagRecord)},
};

const ColumnGroup *column_group(GroupId id) {
    return &groups[id];
}

const Column *column_find(GroupId id, const char *name) {
    const Column *column = groups[id].columns;
    while (strcmp(column->name, name) != 0) column++;
    return column;
}

bool column_may_lack(const Column *column) {
    return column->type == COLUMN_TIME || column->type == COLUMN_KEY;
}

uint16_t move_to_stored(Move move) {
    const unsigned from = (unsigned)move_from(move), to = (unsigned)move_to(move);
    return move == MOVE_NONE ? 0 : (uint16_t)(from | ((to - from) & 255) << 8);
}

Move move_from_stored(uint16_t stored) {
    const int from = stored & 255, to = (from + (stored >> 8)) & 255;
    if (from >= SQUARE_COUNT || to >= SQUARE_COUNT || from == to) return MOVE_NONE;
    return move_make(from, to);
}

void column_add_values(const char *unit, Text *text) {
    if (strcmp(unit, "enum side") == 0) {
        text_add(text, "%d red\n%d black\n", RED, BLACK);
    } else if (strcmp(unit, "enum result") == 0) {
        text_add(text, "1 red wins\n0 draw\n-1 black wins\n2 unknown\n");
    } else if (strcmp(unit, "enum reason") == 0) {
#define END_REASON(id, name, meaning) text_add(text, "%d %s: %s\n", END_##id, name, meaning);
#include "core/rules/reasons.def"
    }
}

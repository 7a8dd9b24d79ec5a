// SPDX-License-Identifier: GPL-3.0-or-later
// Positions in columns that the first line names: those of csv_columns.def, in any order. A result
// is 1-0, 1/2-1/2, 0-1, or 1, 0, -1, or 1.0, 0.5, 0.0.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"
#include "datasets/formats/position_lines.h"

typedef enum CsvColumn {
#define CSV_COLUMN(id, name) CSV_##id,
#include "datasets/formats/csv_columns.def"
#undef CSV_COLUMN
    CSV_COLUMN_COUNT
} CsvColumn;

static const char *const column_names[CSV_COLUMN_COUNT] = {
#define CSV_COLUMN(id, name) name,
#include "datasets/formats/csv_columns.def"
#undef CSV_COLUMN
};

// The next field, terminated, without the quotes around it; NULL at the end.
static char *next_field(char **cursor) {
    if (!*cursor) return NULL;
    char *field = *cursor + strspn(*cursor, " \t");
    if (*field != '"') {
        field = text_next_field(cursor, ',');
        field += strspn(field, " \t");
        size_t length = strlen(field);
        while (length > 0 && strchr(" \t\r", field[length - 1])) field[--length] = '\0';
        return field;
    }
    char *to = ++field, *from = field;
    while (*from && (*from != '"' || from[1] == '"')) {
        if (*from == '"') from++;
        *to++ = *from++;
    }
    const bool closed = *from == '"';
    *to = '\0';
    if (closed) from++;
    from += strcspn(from, ",");
    *cursor = *from ? from + 1 : NULL;
    return field;
}

static int column_of_name(const char *name) {
    for (int i = 0; i < CSV_COLUMN_COUNT; i++) {
        if (strcasecmp(name, column_names[i]) == 0) return i;
    }
    return -1;
}

bool csv_read_header(char *line, int8_t columns[CSV_MAX_COLUMNS]) {
    bool fen = false;
    memset(columns, -1, CSV_MAX_COLUMNS);
    for (int i = 0; i < CSV_MAX_COLUMNS; i++) {
        const char *name = next_field(&line);
        if (!name) break;
        columns[i] = (int8_t)column_of_name(name);
        fen = fen || columns[i] == CSV_FEN;
    }
    return fen;
}

bool csv_is_header(const char *line, size_t length) {
    char copy[512];
    int8_t columns[CSV_MAX_COLUMNS];
    if (length >= sizeof copy) return false;
    snprintf(copy, sizeof copy, "%.*s", (int)length, line);
    return csv_read_header(copy, columns);
}

static bool read_field(EntryReader *reader, CsvColumn column, const char *value) {
    PositionEntry *entry = &reader->entry;
    switch (column) {
    case CSV_FEN:
        return entry_fen(reader, value);
    case CSV_MOVE:
        return entry_move(reader, value, &entry->move);
    case CSV_BEST:
        return entry_move(reader, value, &entry->best);
    case CSV_SCORE_RED:
    case CSV_SCORE_STM:
        return entry_score(reader, value, 0, column == CSV_SCORE_STM);
    case CSV_MATE_RED:
    case CSV_MATE_STM:
        return entry_mate(reader, value, column == CSV_MATE_STM);
    case CSV_DEPTH:
        return entry_depth(reader, value);
    case CSV_NODES:
        return entry_nodes(reader, value);
    case CSV_RESULT:
    case CSV_RESULT_STM:
        return entry_result(reader, value, column == CSV_RESULT_STM);
    case CSV_GAME:
    case CSV_PLY:
        entry_place(reader, column == CSV_GAME ? value : NULL, column == CSV_PLY ? value : NULL);
        return true;
    case CSV_COLUMN_COUNT:
        break;
    }
    return true;
}

// The FEN is read first, wherever it stands.
bool read_csv_entry(EntryReader *reader, char **text) {
    char *line = entry_line(reader, text), *values[CSV_COLUMN_COUNT] = {NULL};
    if (!line) return false;
    for (int i = 0; i < CSV_MAX_COLUMNS; i++) {
        char *value = next_field(&line);
        if (!value) break;
        if (reader->columns[i] >= 0 && *value) values[reader->columns[i]] = value;
    }
    for (int i = 0; i < CSV_COLUMN_COUNT; i++) {
        if (values[i] && !read_field(reader, (CsvColumn)i, values[i])) return false;
    }
    return true;
}

static void write_entry(const ExportGame *given, const GameWalk *walk, const PlyRecord *ply,
                        Text *out) {
    const Position *position = &walk->position;
    const NotationSystem system = (NotationSystem)given->system;
    char fen[FEN_SIZE], move[NOTATION_SIZE];
    position_to_fen(position, FEN_UCI, fen);
    notation_write(system, NULL, position, ply->move, move);
    text_add(out, "%s,%s,", fen, move);
    if (ply->score_red != SCORE_UNKNOWN) text_add(out, "%d", ply->score_red);
    text_add(out, ",%d,%d,%llu,%u,%u,%u,", ply->mate_red, given->game->result,
             (unsigned long long)given->game->index, walk->ply, ply->depth, ply->nodes);
    if (ply->best != MOVE_NONE) {
        notation_write(system, NULL, position, ply->best, move);
        text_add(out, "%s", move);
    }
    text_add(out, "\n");
}

Status write_csv(const ExportGame *given, Text *out, Err *err) {
    return write_entries(given, write_entry, out, err);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Positions in columns that the first line names: those of column_names, in any order. A result
// is 1-0, 1/2-1/2, 0-1, or 1, 0, -1, or 1.0, 0.5, 0.0.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "datasets/formats/position_lines.h"

// In any case of letters; other columns are ignored. The FEN is read first, wherever it stands.
static const EntryName column_names[] = {
    {"fen", ENTRY_FEN, false},          {"move", ENTRY_MOVE, false},
    {"best", ENTRY_BEST, false},        {"score_red", ENTRY_SCORE, false},
    {"score_stm", ENTRY_SCORE, true},   {"mate_red", ENTRY_MATE, false},
    {"mate_stm", ENTRY_MATE, true},     {"depth", ENTRY_DEPTH, false},
    {"nodes", ENTRY_NODES, false},      {"result", ENTRY_RESULT, false},
    {"result_stm", ENTRY_RESULT, true}, {"game", ENTRY_GAME, false},
    {"ply", ENTRY_PLY, false},
};
enum { NAME_COUNT = sizeof column_names / sizeof *column_names };

// The next field, terminated, without the quotes around it; NULL at the end.
static char *next_field(char **cursor) {
    if (!*cursor) return NULL;
    char *field = *cursor + strspn(*cursor, " \t");
    if (*field != '"') return text_trim(text_next_field(cursor, ','));
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

bool csv_read_header(char *line, int8_t columns[CSV_MAX_COLUMNS]) {
    bool fen = false;
    memset(columns, -1, CSV_MAX_COLUMNS);
    for (int i = 0; i < CSV_MAX_COLUMNS; i++) {
        const char *name = next_field(&line);
        if (!name) break;
        for (int k = 0; k < NAME_COUNT; k++) {
            if (strcasecmp(name, column_names[k].name) == 0) columns[i] = (int8_t)k;
        }
        fen = fen || columns[i] == ENTRY_FEN;
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

bool read_csv_entry(EntryReader *reader, char **text) {
    char *line = entry_line(reader, text), *values[NAME_COUNT] = {NULL};
    if (!line) return false;
    for (int i = 0; i < CSV_MAX_COLUMNS; i++) {
        char *value = next_field(&line);
        if (!value) break;
        if (reader->columns[i] >= 0 && *value) values[reader->columns[i]] = value;
    }
    for (int i = 0; i < NAME_COUNT; i++) {
        const EntryName *name = &column_names[i];
        if (values[i] && !entry_take(reader, name->field, name->stm, values[i])) return false;
    }
    return true;
}

void write_csv(const ExportGame *given, const GameWalk *walk, const PlyRecord *ply, const char *fen,
               const char *move, Text *out) {
    char best[NOTATION_SIZE];
    text_add(out, "%s,%s,", fen, move);
    if (ply->score_red != SCORE_UNKNOWN) text_add(out, "%d", ply->score_red);
    text_add(out, ",%d,", ply->mate_red);
    if (given->game->result != RESULT_NONE) text_add(out, "%d", given->game->result);
    text_add(out, ",%llu,%u,%u,%u,", (unsigned long long)given->game->index, walk->ply, ply->depth,
             ply->nodes);
    if (ply->best != MOVE_NONE) {
        notation_write((NotationSystem)given->system, NULL, &walk->position, ply->best, best);
        text_add(out, "%s", best);
    }
    text_add(out, "\n");
}

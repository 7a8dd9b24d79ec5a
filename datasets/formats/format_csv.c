// SPDX-License-Identifier: GPL-3.0-or-later
// The format csv: positions in columns. A line before the positions names the columns, in any
// order. Tabs, commas or semicolons separate the columns: the first of these three that the line
// with the names contains. Without names, the columns are those of CSV_HEADER, and commas separate
// them. A result is 1-0, 1/2-1/2 or 0-1, or a number: 1, 0, -1, or 1.0, 0.5, 0.0.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "datasets/formats/position_lines.h"

// Column names that the reader knows, without suffixes for unit or point of view. Upper and lower
// case are equal. Other columns are ignored.
static const struct {
    const char *name;
    EntryField field;
} names[] = {{"fen", ENTRY_FEN},     {"move", ENTRY_MOVE},     {"best", ENTRY_BEST},
             {"score", ENTRY_SCORE}, {"eval", ENTRY_SCORE},    {"cp", ENTRY_SCORE},
             {"mate", ENTRY_MATE},   {"depth", ENTRY_DEPTH},   {"nodes", ENTRY_NODES},
             {"game", ENTRY_GAME},   {"result", ENTRY_RESULT}, {"outcome", ENTRY_RESULT},
             {"wdl", ENTRY_RESULT},  {"bestmove", ENTRY_BEST}, {"best_move", ENTRY_BEST},
             {"uci", ENTRY_MOVE},    {"ply", ENTRY_PLY},       {"evaluation", ENTRY_SCORE}};

// Returns true if the values of a field depend on a point of view, such as Red's.
static bool has_view(EntryField field) {
    return field == ENTRY_SCORE || field == ENTRY_MATE || field == ENTRY_RESULT;
}

// Removes the suffixes "_cp", "_pov", "_stm", "_red" and "_white" from a column name. Returns the
// point of view that "_stm", "_red" or "_white" states.
static CsvView cut_view(char *name) {
    CsvView view = CSV_OPEN;
    for (char *end; (end = strrchr(name, '_')); *end = '\0') {
        const char *word = end + 1;
        if (strcasecmp(word, "stm") == 0) {
            view = CSV_STM;
        } else if (strcasecmp(word, "red") == 0 || strcasecmp(word, "white") == 0) {
            view = CSV_RED;
        } else if (strcasecmp(word, "cp") != 0 && strcasecmp(word, "pov") != 0) {
            break;
        }
    }
    return view;
}

// Terminates the next field of a line by a zero byte and returns it without quotes. Returns NULL at
// the end of the line.
static char *next_field(char **cursor, char separator) {
    if (!*cursor) return NULL;
    char *field = *cursor;
    while (*field == ' ' || (*field == '\t' && separator != '\t')) field++;
    if (*field != '"') return text_trim(text_next_field(cursor, separator));
    char *to = ++field, *from = field;
    while (*from && (*from != '"' || from[1] == '"')) {
        if (*from == '"') from++;
        *to++ = *from++;
    }
    const bool closed = *from == '"';
    *to = '\0';
    if (closed) from++;
    while (*from && *from != separator) from++;
    *cursor = *from ? from + 1 : NULL;
    return field;
}

// Returns true if an unknown column may hold the played move, because its name is like "moves" or
// "next_move". Names of counters, such as "halfmove", are excluded.
static bool may_be_move(const char *name) {
    static const char *const counters[] = {"half", "full", "num", "count"};
    bool counter = false;
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        counter = counter || strcasestr(name, counters[i]);
    }
    return !counter && strcasestr(name, "move");
}

bool csv_read_header(char *line, CsvColumns *columns) {
    *columns = (CsvColumns){.separator = strchr(line, '\t') ? '\t' : strchr(line, ',') ? ',' : ';'};
    bool fen = false;
    for (char *name;
         columns->count < CSV_MAX_COLUMNS && (name = next_field(&line, columns->separator));
         columns->count++) {
        const CsvView view = cut_view(name);
        CsvColumn *column = &columns->columns[columns->count];
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (strcasecmp(name, names[i].name) != 0) continue;
            *column = (CsvColumn){.known = true, .field = names[i].field, .view = view};
        }
        columns->moves = columns->moves || (!column->known && may_be_move(name));
        if (!column->known) continue;
        fen = fen || column->field == ENTRY_FEN;
        columns->of_stm = columns->of_stm || view == CSV_STM;
        columns->open = columns->open || (view == CSV_OPEN && has_view(column->field));
    }
    return fen;
}

bool csv_is_header(const char *line, size_t length) {
    char copy[512];
    CsvColumns columns;
    if (length >= sizeof copy) return false;
    snprintf(copy, sizeof copy, "%.*s", (int)length, line);
    return csv_read_header(copy, &columns);
}

// Sets *stm if the value of a field is from the view of the side to move. Returns false if the
// point of view is unclear.
static bool find_view(EntryReader *reader, const CsvColumn *column, const char *value, bool *stm) {
    int8_t result;
    const bool named = column->field == ENTRY_RESULT && result_from_text(value, &result);
    *stm = column->view == CSV_STM || (column->view == CSV_OPEN && reader->pov == POV_STM);
    // A result such as 1-0 has the same meaning from both points of view.
    if (named || !has_view(column->field)) *stm = false;
    if (named || column->view != CSV_OPEN || !has_view(column->field) || reader->pov ||
        !reader->csv.of_stm) {
        return true;
    }
    err_set(reader->err, STATUS_BAD_INPUT,
            "it is unclear whether '%.40s' is from Red's side or from the side to move: add _red "
            "or _stm to the name of the column, or give --pov",
            value);
    reader->refusal = IMPORT_FIELDS;
    return false;
}

// Stores the values of all columns that hold `field`. Returns false if one of the values is
// invalid.
static bool take_field(EntryReader *reader, EntryField field, char *const *values) {
    for (int i = 0; i < reader->csv.count; i++) {
        const CsvColumn *column = &reader->csv.columns[i];
        bool stm;
        if (!column->known || column->field != field || !values[i] || !*values[i]) continue;
        if (!find_view(reader, column, values[i], &stm) ||
            !entry_take(reader, field, stm, values[i])) {
            return false;
        }
    }
    return true;
}

bool read_csv_entry(EntryReader *reader, char **text) {
    char *line = entry_line(reader, text), *values[CSV_MAX_COLUMNS] = {NULL};
    const CsvColumns *csv = &reader->csv;
    if (!line) return false;
    for (int i = 0; i < csv->count && line; i++) values[i] = next_field(&line, csv->separator);
    // The values are processed in the order of EntryField, not in that of the columns, because the
    // FEN must come before all other values, and the score before the mate distance.
    for (int field = 0; field < ENTRY_FIELD_COUNT; field++) {
        if (!take_field(reader, (EntryField)field, values)) return false;
    }
    if (reader->entry.move != MOVE_NONE || !csv->moves) return true;
    err_set(reader->err, STATUS_BAD_INPUT,
            "the line has no move, but an unknown column has 'move' in its name: if that column "
            "holds the played moves, rename it to 'move'");
    reader->refusal = IMPORT_FIELDS;
    return false;
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

// SPDX-License-Identifier: GPL-3.0-or-later
// The format csv: positions in columns. A line before the positions names the columns, in any
// order. Tabs, commas, semicolons or bars separate the columns. csv_name_columns() says how lines
// without names are read. A result is a word such as 1-0 or a number, whose scale the survey of the
// import decides.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"
#include "datasets/formats/position_lines.h"

// Column names that the reader knows, without suffixes for unit or point of view. Upper and lower
// case are equal. Other columns are ignored.
static const struct {
    const char *name;
    EntryField field;
} known[] = {{"fen", ENTRY_FEN},         {"move", ENTRY_MOVE},        {"best", ENTRY_BEST},
             {"score", ENTRY_SCORE},     {"eval", ENTRY_SCORE},       {"cp", ENTRY_SCORE},
             {"mate", ENTRY_MATE},       {"depth", ENTRY_DEPTH},      {"nodes", ENTRY_NODES},
             {"game", ENTRY_GAME},       {"result", ENTRY_RESULT},    {"outcome", ENTRY_RESULT},
             {"wdl", ENTRY_RESULT},      {"bestmove", ENTRY_BEST},    {"best_move", ENTRY_BEST},
             {"uci", ENTRY_MOVE},        {"ply", ENTRY_PLY},          {"evaluation", ENTRY_SCORE},
             {"stm", ENTRY_SIDE},        {"turn", ENTRY_SIDE},        {"side", ENTRY_SIDE},
             {"active", ENTRY_SIDE},     {"to_move", ENTRY_SIDE},     {"side_to_move", ENTRY_SIDE},
             {"sidetomove", ENTRY_SIDE}, {"active_color", ENTRY_SIDE}};

// Returns true if the values of a field depend on a point of view, such as Red's.
static bool has_view(EntryField field) {
    return field == ENTRY_SCORE || field == ENTRY_MATE || field == ENTRY_RESULT;
}

// Removes the suffixes "_cp", "_pawn", "_pawns", "_pov", "_stm", "_red" and "_white" from a column
// name. Returns the point of view that "_stm", "_red" or "_white" states, and stores in *unit the
// unit that "_cp", "_pawn" or "_pawns" states.
static CsvView cut_suffixes(char *name, ScoreUnit *unit) {
    CsvView view = CSV_OPEN;
    *unit = UNIT_OPEN;
    for (char *end; (end = strrchr(name, '_')); *end = '\0') {
        const char *word = end + 1;
        if (strcasecmp(word, "stm") == 0) {
            view = CSV_STM;
        } else if (strcasecmp(word, "red") == 0 || strcasecmp(word, "white") == 0) {
            view = CSV_RED;
        } else if (strcasecmp(word, "cp") == 0) {
            *unit = UNIT_CENTIPAWN;
        } else if (strcasecmp(word, "pawn") == 0 || strcasecmp(word, "pawns") == 0) {
            *unit = UNIT_PAWN;
        } else if (strcasecmp(word, "pov") != 0) {
            break;
        }
    }
    if (strcasecmp(name, "cp") == 0) *unit = UNIT_CENTIPAWN;
    return view;
}

char *csv_next_field(char **cursor, char separator, bool *whole) {
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
    if (closed) from++;
    while (*from == ' ' || (*from == '\t' && separator != '\t')) from++;
    if (whole && (!closed || (*from && *from != separator))) *whole = false;
    while (*from && *from != separator) from++;
    *to = '\0';
    *cursor = *from ? from + 1 : NULL;
    return text_trim(field);
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

// Returns the separator of a line with the names of columns: the one that separates the name "fen"
// and makes the most columns.
static char find_separator(const char *line) {
    static const char separators[] = "\t,;|";
    char found = ',';
    int most = 0;
    for (const char *separator = separators; *separator; separator++) {
        AUTO_FREE char *copy = memory_copy_text(line);
        char *at = copy;
        bool fen = false;
        int count = 0;
        for (char *name; (name = csv_next_field(&at, *separator, NULL)); count++) {
            fen = fen || strcasecmp(name, "fen") == 0;
        }
        if (fen && count > most) {
            found = *separator;
            most = count;
        }
    }
    return found;
}

bool csv_read_header(char *line, CsvColumns *columns) {
    *columns = (CsvColumns){.separator = find_separator(line)};
    bool fen = false;
    unsigned taken = 0;
    for (char *name; (name = csv_next_field(&line, columns->separator, NULL)); columns->total++) {
        if (columns->count == CSV_MAX_COLUMNS) continue;
        CsvColumn *column = &columns->columns[columns->count++];
        snprintf(column->name, sizeof column->name, "%s", name);
        ScoreUnit unit;
        const CsvView view = cut_suffixes(name, &unit);
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (strcasecmp(name, known[i].name) != 0) continue;
            column->known = true;
            column->field = known[i].field;
            column->view = view;
            column->unit = unit;
        }
        columns->moves = columns->moves || (!column->known && may_be_move(name));
        if (!column->known) continue;
        if (taken >> column->field & 1 && !columns->twice) columns->twice = columns->count - 1;
        taken |= 1u << column->field;
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

// Appends the names of the columns of a line without a header. One value after the FEN is a result.
// Of two values, a number is the score and the other one the result (c-chess-cli writes FEN, score,
// result). Other lines have the first columns of CSV_HEADER.
static void name_columns(char *const *values, int count, char separator, Text *names) {
    int8_t result;
    const char *own = CSV_HEADER;
    const ResultKind first = result_kind(values[1], &result),
                     second = count == 3 ? result_kind(values[2], &result) : RESULT_UNREADABLE;
    const bool number = first >= RESULT_MINUS_ONE || first == RESULT_FOREIGN;
    if (count == 2 && first > RESULT_OPEN) {
        own = "fen,result";
    } else if (count == 3 && number && second != RESULT_UNREADABLE) {
        own = "fen,score,result";
    } else if (count == 3 && first > RESULT_OPEN) {
        own = "fen,result,score";
    }
    for (int i = 0; i < count && *own; i++) {
        const size_t length = strcspn(own, ",");
        if (i > 0) text_add_bytes(names, &separator, 1);
        text_add_bytes(names, own, length);
        own += length + (own[length] == ',');
    }
}

// Returns the separator before which a line has a FEN and nothing else, or 0 if there is none.
static char find_separator_of_fen(const char *line, size_t length) {
    static const char separators[] = ",;\t";
    for (const char *separator = separators; *separator; separator++) {
        AUTO_FREE char *copy = memory_alloc(length + 1, 1);
        memcpy(copy, line, length);
        char *at = copy;
        const char *fen = csv_next_field(&at, *separator, NULL);
        const size_t size = strlen(fen);
        if (at && fen_board_length(fen, size) && fen_length(fen, size) == size) return *separator;
    }
    return '\0';
}

bool csv_name_columns(const char *line, size_t length, Text *names) {
    const char separator = find_separator_of_fen(line, length);
    if (!separator) return false;
    AUTO_FREE char *copy = memory_alloc(length + 1, 1);
    memcpy(copy, line, length);
    char *values[CSV_MAX_COLUMNS] = {NULL}, *at = copy;
    int count = 0, filled = 0;
    for (char *value; count < CSV_MAX_COLUMNS && (value = csv_next_field(&at, separator, NULL));) {
        values[count++] = value;
        if (*value) filled = count;
    }
    if (filled < 2) return false;
    int8_t result;
    // A semicolon also ends an operation of EPD, and a tab stands before the moves of a game.
    if (separator != ',' && result_kind(values[1], &result) == RESULT_UNREADABLE) return false;
    if (names) name_columns(values, filled, separator, names);
    return true;
}

// Sets *stm if the value of a field is from the view of the side to move. Returns false if the
// point of view is unclear.
static bool find_view(EntryReader *reader, const CsvColumn *column, const char *value, bool *stm) {
    int8_t result;
    const ResultKind kind =
        column->field == ENTRY_RESULT ? result_kind(value, &result) : RESULT_UNREADABLE;
    const bool named = kind >= RESULT_OPEN && kind <= RESULT_FRACTION && kind != RESULT_SIDED;
    reader->open_view = column->view == CSV_OPEN && has_view(column->field);
    *stm = column->view == CSV_STM || (column->view == CSV_OPEN && reader->pov == POV_STM);
    // A result such as 1-0 has the same meaning from both points of view.
    if (named || !has_view(column->field)) *stm = false;
    if (named || column->view != CSV_OPEN || !has_view(column->field) || reader->pov ||
        !reader->csv.of_stm || reader->survey) {
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
        const bool number = field >= ENTRY_SCORE && field <= ENTRY_NODES;
        if (number && score_is_null(values[i])) continue;
        reader->column = i;
        reader->from = column->name;
        if (!find_view(reader, column, values[i], &stm) ||
            !entry_take(reader, field, stm, values[i])) {
            return false;
        }
    }
    return true;
}

// Divides a line into the values of its columns. Returns false if its quotes are wrong, or if it
// does not have as many values as the header has columns. More values are accepted if they are
// empty. Fewer are accepted if the last one is a FEN or a move, because these cannot be taken for
// another value.
static bool split_line(EntryReader *reader, char *line, char **values) {
    const CsvColumns *csv = &reader->csv;
    int count = 0, filled = 0;
    bool whole = true;
    for (char *value; (value = csv_next_field(&line, csv->separator, &whole));) {
        if (count < csv->count) values[count] = value;
        count++;
        if (*value) filled = count;
    }
    const CsvColumn *last = count > 0 && count <= csv->count ? &csv->columns[count - 1] : NULL;
    const bool fewer = last && last->known && last->field <= ENTRY_BEST;
    if (whole && (count >= csv->total || fewer) && filled <= csv->total) return true;
    if (!whole) {
        err_set(reader->err, STATUS_BAD_INPUT,
                "a value begins with a quotation mark, but does not end with one");
    } else {
        err_set(reader->err, STATUS_BAD_INPUT,
                "the line has %d values, but the file has %d columns: put values that contain the "
                "separator '%c' in quotation marks, and leave the places of missing values empty",
                count, csv->total, csv->separator == '\t' ? ' ' : csv->separator);
    }
    reader->refusal = IMPORT_FIELDS;
    return false;
}

bool read_csv_entry(EntryReader *reader, char **text) {
    char *line = entry_line(reader, text), *values[CSV_MAX_COLUMNS] = {NULL};
    const CsvColumns *csv = &reader->csv;
    if (!line || !split_line(reader, line, values)) return false;
    // The values are processed in the order of EntryField, not in that of the columns, because the
    // FEN must come before all other values, and the score before the mate distance.
    for (int field = 0; field < ENTRY_FIELD_COUNT; field++) {
        if (!take_field(reader, (EntryField)field, values)) return false;
    }
    if (reader->entry.move != MOVE_NONE || !csv->moves || reader->survey) return true;
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
    if (given->game->result != RESULT_NONE)
        text_add(out, "%s", result_to_text(given->game->result));
    text_add(out, ",%llu,%u,%u,%u,", (unsigned long long)given->game->index, walk->ply, ply->depth,
             ply->nodes);
    if (ply->best != MOVE_NONE) {
        notation_write((NotationSystem)given->system, NULL, &walk->position, ply->best, best);
        text_add(out, "%s", best);
    }
    text_add(out, "\n");
}

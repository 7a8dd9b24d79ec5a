// SPDX-License-Identifier: GPL-3.0-or-later
// Formats whose records are positions with their outcomes: epd, csv, plain. Positions that follow
// each other by their moves, with one result, are taken as one game again.
#pragma once

#include "datasets/formats/formats.h"

typedef enum EntryField {
    ENTRY_FEN, // comes before all that is said of the side to move, and the moves
    ENTRY_HALFMOVE,
    ENTRY_FULLMOVE,
    ENTRY_MOVE,
    ENTRY_PREDICTED, // is the move where there is none
    ENTRY_BEST,      // and else this
    ENTRY_SCORE,
    ENTRY_MATE, // in plies
    ENTRY_DEPTH,
    ENTRY_NODES,
    ENTRY_RESULT,
    ENTRY_GAME, // of the file; what is no number says nothing
    ENTRY_PLY,  // of the game, the same
    ENTRY_FIELD_COUNT
} EntryField;

// The name of a part in a format. stm: its value is from the side to move, else from Red's side.
typedef struct EntryName {
    const char *name;
    EntryField field;
    bool stm;
} EntryName;

// Scores and results from Red's side.
typedef struct PositionEntry {
    Position position;
    Move move, predicted; // MOVE_NONE: it tells none
    Move best;            // as PlyRecord.best
    bool has_result;
    int8_t result;
    int16_t score_red, mate_red;
    uint8_t depth;
    uint32_t nodes;
    bool positioned;   // the position has been read
    int64_t game, ply; // of the file; < 0: it does not say
} PositionEntry;

enum { CSV_MAX_COLUMNS = 64 };

// Whose view the name of a column says that its values have.
typedef enum CsvView { CSV_OPEN, CSV_RED, CSV_STM } CsvView;

typedef struct CsvColumn {
    bool known; // else it is ignored
    EntryField field;
    CsvView view;
} CsvColumn;

typedef struct CsvColumns {
    char separator;
    int count;
    bool of_stm; // a name says that its values are from the side to move
    bool open;   // a score, mate or result has a name that says no view
    bool moves;  // a column that is not read has a name with "move" in it
    CsvColumn columns[CSV_MAX_COLUMNS];
} CsvColumns;

typedef struct EntryReader {
    MoveReader moves;
    PositionEntry entry;
    int mate_value; // a |score| above mate_value - 1000 is a mate in mate_value - |score| plies; 0:
                    // none is
    ImportRefusal refusal; // why an entry cannot be read
    size_t lines;          // taken so far
    const char *end;       // of the text
    CsvColumns csv;
    PointOfView pov; // csv: of the columns whose names do not say it
    Err *err;
} EntryReader;

// The next line of the text, which it terminates; NULL at the end.
char *entry_line(EntryReader *reader, char **text);
// Takes a part as the text has it; false when it is at fault.
bool entry_take(EntryReader *reader, EntryField field, bool stm, const char *text);

// Reads one entry of `text`, which may be changed, and moves *text behind it; false when it is at
// fault or there is none. One for each format.
typedef bool ReadEntry(EntryReader *reader, char **text);
ReadEntry read_csv_entry, read_epd_entry, read_plain_entry, read_bin_entry;
enum {
    BIN_SIZE = 136,           // bytes of a position of the format bin
    BIN_MOST_HALFMOVES = 127, // plies without a capture that it holds
    BULLET_HIGHEST = 10000,   // score of the format bullet, units
};
// Returns the plies before a position, by the counters of its FEN. The plies of a game that begins
// where the one before it ended count from 0: else readers would take both for one game.
unsigned entry_ply(const ExportGame *given, const GameWalk *walk);
// Is this the last line of an entry?
bool plain_ends_entry(const char *line);
// Reads the line of names, which it changes; false when there is no FEN among them.
bool csv_read_header(char *line, CsvColumns *columns);

// A file whose moves are not in the notation that its format usually has begins with this line.
void entries_write_mark(NotationSystem system, Text *out);
// The value from the side to move.
ALWAYS_INLINE int value_of_stm(const Position *position, int value_red) {
    return position->stm == RED ? value_red : -value_red;
}

// Is this the line of names that a CSV of positions begins with?
bool csv_is_header(const char *line, size_t length);
#define CSV_HEADER "fen,move,score_red,mate_red,result,game,ply,depth,nodes,best"

// SPDX-License-Identifier: GPL-3.0-or-later
// Positions with their outcomes as files have them: the parts of an entry, and the state while
// entries are read.
#pragma once

#include "datasets/formats/formats.h"

// The parts of an entry. A FEN comes first: moves, and values from the side to move, need it.
typedef enum EntryField {
    ENTRY_FEN,
    ENTRY_HALFMOVE,
    ENTRY_FULLMOVE,
    ENTRY_MOVE,
    ENTRY_PREDICTED, // stands for the move played in an entry without ENTRY_MOVE
    ENTRY_BEST,      // in epd: stands for the move played if ENTRY_PREDICTED is missing, too
    ENTRY_SCORE,
    ENTRY_MATE, // plies to mate
    ENTRY_DEPTH,
    ENTRY_NODES,
    ENTRY_RESULT,
    ENTRY_GAME, // number of the game in the file; ignored if it is not a number
    ENTRY_PLY,  // ply of the game; ignored if it is not a number
    ENTRY_FIELD_COUNT
} EntryField;

// The name of a field in a format. If `stm` is set, its value is from the side to move, else from
// Red's side.
typedef struct EntryName {
    const char *name;
    EntryField field;
    bool stm;
} EntryName;

// One entry. Scores and results are from Red's side.
typedef struct PositionEntry {
    Position position;
    Move move, predicted; // MOVE_NONE if the entry has none
    Move best;            // move that the search preferred, or MOVE_NONE
    bool has_result;
    int8_t result;
    int16_t score_red, mate_red; // units; plies to mate
    uint8_t depth;
    uint32_t nodes;
    bool positioned;   // `position` was read
    int64_t game, ply; // numbers in the file; < 0 if the entry has none
} PositionEntry;

enum { CSV_MAX_COLUMNS = 64 };

// Point of view of a column, by its name. CSV_OPEN: the name does not say it.
typedef enum CsvView { CSV_OPEN, CSV_RED, CSV_STM } CsvView;

typedef struct CsvColumn {
    bool known; // if false, the column is ignored
    EntryField field;
    CsvView view;
} CsvColumn;

typedef struct CsvColumns {
    char separator;
    int count;
    bool of_stm; // a name says that its values are from the side to move
    bool open;   // the name of a score, mate or result does not say the point of view
    bool moves;  // a column that is ignored has a name with "move" in it
    CsvColumn columns[CSV_MAX_COLUMNS];
} CsvColumns;

typedef struct EntryReader {
    MoveReader moves;
    PositionEntry entry;
    // A score with mate_value - 1000 <= |score| < mate_value is a mate in mate_value - |score|
    // plies. 0: the format writes no mates as scores.
    int mate_value;
    ImportRefusal refusal; // reason why the entry cannot be read
    size_t lines;          // number of lines read
    const char *end;       // end of the text
    CsvColumns csv;
    PointOfView pov; // csv: point of view of columns whose names do not say it
    Err *err;
} EntryReader;

// Terminates the next line of the text and returns it. Returns NULL at the end.
char *entry_line(EntryReader *reader, char **text);
// Stores the value of a field, given as text. Returns false, with reader->refusal and *err, if the
// value is not valid.
bool entry_take(EntryReader *reader, EntryField field, bool stm, const char *text);
// Returns the number of plies before a position, by the counters of its FEN. Plies count from 0 in
// a game that begins where the previous game ended; otherwise readers would join the two games.
unsigned entry_ply(const ExportGame *given, const GameWalk *walk);

// Converts between a value from Red's side and the value from the side to move.
ALWAYS_INLINE int value_of_stm(const Position *position, int value_red) {
    return position->stm == RED ? value_red : -value_red;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Positions with the results of their games, in formats such as EPD and CSV. Declares the fields of
// an entry (one position) and the state while entries are read.
#pragma once

#include "datasets/formats/formats.h"
#include "datasets/formats/result_word.h"
#include "datasets/formats/score_word.h"

// The fields of an entry. The side to move comes before the FEN, which may lack it, and the FEN
// before the others, because moves, and values from the view of the side to move, can only be read
// if the position is known.
typedef enum EntryField {
    ENTRY_SIDE,
    ENTRY_FEN,
    ENTRY_MOVE,
    ENTRY_PREDICTED, // predicted move; used as the played move if the entry has no played move
    // Best move. If the entry has neither a played nor a predicted move, the best move is used as
    // the played move in EPD, and in all formats with `data import --fill-moves`.
    ENTRY_BEST,
    ENTRY_SCORE,
    ENTRY_MATE, // number of plies to mate
    ENTRY_DEPTH,
    ENTRY_NODES,
    ENTRY_RESULT,
    ENTRY_GAME, // number of the game in the file, in csv also its name, as a hash; in other formats
                // a value that is not a number is ignored
    ENTRY_PLY,  // number of plies of the game before the position; a value that is not a number is
                // ignored
    ENTRY_FIELD_COUNT
} EntryField;

// The name of a field in a format. If `stm` is set, the value is from the view of the side to move,
// otherwise from Red's.
typedef struct EntryName {
    const char *name;
    EntryField field;
    bool stm;
} EntryName;

// One position with its data. Scores and results are from Red's side.
typedef struct PositionEntry {
    Position position;
    Move move, predicted; // played and predicted move; MOVE_NONE if missing
    Move best;            // move that the search preferred; MOVE_NONE if missing or equal to `move`
    bool has_result;
    int8_t result;
    // Score from Red's view in centipawns (SCORE_UNKNOWN if missing), and number of plies to mate
    // (0: no mate; negative: Black mates).
    int16_t score_red, mate_red;
    uint8_t depth;
    uint32_t nodes;
    bool positioned; // true if `position` is known
    unsigned taken;  // bit i is set if the entry has the field i
    bool sided;      // the FEN did not state the side to move, which is that of --side
    FenSide side; // side to move that another field of the entry states, FEN_SIDE_FREE if there is
                  // none
    int64_t game, ply; // number of the game in the file, and number of its plies before the
                       // position; negative if missing
} PositionEntry;

enum { CSV_MAX_COLUMNS = 64 };

// Columns of the formats without named columns, in which EntryReader.column counts. The formats
// plain and bin have only the first.
typedef enum EntryColumn {
    COLUMN_OPCODE, // EPD: operations such as c9 "1-0"
    COLUMN_BARE,   // texel: a result in brackets, in quotes, or alone: FEN [0.5]
    COLUMN_BARS,   // bullet: FEN | score | result
} EntryColumn;

// Point of view of a column's values, as the name of the column states it. CSV_OPEN: the name
// states none.
typedef enum CsvView { CSV_OPEN, CSV_RED, CSV_STM } CsvView;

typedef struct CsvColumn {
    char name[32]; // name in the header, shortened
    bool known;    // the reader knows the name of the column; otherwise it is ignored
    EntryField field;
    CsvView view;
    ScoreUnit unit; // unit of a score, as the name of the column states it
} CsvColumn;

typedef struct CsvColumns {
    char separator;
    int count;   // number of columns that are read
    int total;   // number of columns in the header, which can be larger than CSV_MAX_COLUMNS
    bool of_stm; // a known column has the suffix "_stm": its values are from the point of view of
                 // the side to move
    bool open;  // the name of a column of scores, mates or results does not state the point of view
    int twice;  // index of the first column whose field an earlier column has; 0: there is none
    bool moves; // the name of an unknown column suggests that the column holds the played moves
    CsvColumn columns[CSV_MAX_COLUMNS];
} CsvColumns;

// The place from which a field of an entry was read, for `data import --check`.
typedef struct EntryOrigin {
    char from[32]; // name of the column, or of the part of a line; "" if the entry does not
                   // have the field
    char text[PRINTABLE_SIZE]; // text of the value
} EntryOrigin;

typedef struct EntryReader {
    MoveReader moves;
    PositionEntry entry;
    // A mate in N plies, at most 1000, is written as the score mate_value - N, and a loss in N
    // plies as N - mate_value. 0: the format does not write mates as scores.
    int mate_value;
    ImportRefusal refusal; // reason for refusing the entry, if it cannot be read
    size_t lines;          // number of lines of entries read so far
    const char *end;       // end of the text that is being read
    CsvColumns csv;
    FenSide side;    // treatment of a FEN without a side to move
    PointOfView pov; // point of view of values for which neither the format nor the name of the
                     // column states it
    int column;      // number of the column from which entry_take() gets a value (csv), or an
                     // EntryColumn
    bool open_view;  // the view of this value is that of --pov, or Red's without --pov
    ResultScale scales[CSV_MAX_COLUMNS]; // scale of the results in each column
    ScoreUnit units[CSV_MAX_COLUMNS];    // unit of the scores in each column
    const char *from; // name of the column or part from which entry_take() gets a value
    // Array of ENTRY_FIELD_COUNT elements that entry_take() fills; NULL: the origins are not
    // needed.
    EntryOrigin *origins;
    // First pass of an import: entry_take() collects values here and reads nothing; otherwise NULL.
    struct EntrySurvey *survey;
    const char *survey_file; // name of the file, for the survey
    size_t survey_line;      // number of the entry's first line or, in binary files, its offset
    Err *err;
} EntryReader;

// Returns the name of a field in messages.
const char *entry_field_name(EntryField field);
// Terminates the next line of the text by a zero byte and returns it; *text moves to the line after
// it. Returns NULL at the end of the text.
char *entry_line(EntryReader *reader, char **text);
// Prepares the fields that the survey of the import decides, or the definition of the format if
// there was no survey. `header` is the line with the names of the columns, "" if there is none.
void entry_begin_fields(EntryReader *reader, const ReadSettings *settings, FormatId format,
                        const char *header);
// Notes that a field was read from a text, if reader->origins is set.
void entry_note(EntryReader *reader, EntryField field, const char *text);
// Reads the value of a field from `text` and stores it in reader->entry. `stm` is set if the value
// is from the view of the side to move. If the value is invalid, returns false and sets
// reader->refusal and *reader->err.
bool entry_take(EntryReader *reader, EntryField field, bool stm, const char *text);
// Returns the number of plies before a position, computed from the move number of its FEN. If
// given->continues is set, the game begins with the final position of the previous game. The plies
// are then counted from the start of the game, because a reader of the file would join both games
// if their ply numbers were consecutive.
unsigned entry_ply(const ExportGame *given, const GameWalk *walk);

// Converts a value from Red's view to the view of the side to move, or the other way round.
ALWAYS_INLINE int value_of_stm(const Position *position, int value_red) {
    return position->stm == RED ? value_red : -value_red;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Formats in which each entry is a position with the result of its game: epd, texel, bullet, csv,
// plain, bin. Consecutive entries are joined into one game if each move leads to the next position,
// the results are equal, and the numbers of game and ply, if present, are consistent.
#pragma once

#include "datasets/formats/position_entry.h"

// Reads one entry into reader->entry and moves *text behind it. May change the text. Returns false
// if the entry is invalid or missing. Each function is in the format_*.c of its format;
// read_epd_entry also reads texel and bullet.
typedef bool ReadEntry(EntryReader *reader, char **text);
ReadEntry read_csv_entry, read_epd_entry, read_plain_entry, read_bin_entry;
enum {
    BIN_SIZE = 136,           // size of a position in the format bin, in bytes
    BIN_MOST_HALFMOVES = 127, // largest number of plies without a capture in the format bin
    BULLET_HIGHEST = 10000,   // largest score that is written in the format bullet, in 1/100 points
};

// Returns true if a line of the format plain ends an entry. Defined in format_plain.c.
bool plain_ends_entry(const char *line);
// Terminates the next field of a line by a zero byte and returns it without quotes and blanks
// around it. Returns NULL at the end of the line. Sets *whole, which may be NULL, to false if a
// quote is not closed, or if other characters follow it. Defined in format_csv.c.
char *csv_next_field(char **cursor, char separator, bool *whole);
// Reads the line with the names of the columns into *columns. Changes the line. Returns false if no
// column is a FEN. Defined in format_csv.c.
bool csv_read_header(char *line, CsvColumns *columns);
// Returns true if a line names the columns of a CSV file of positions: it has less than 512 bytes,
// and one of the columns is a FEN. Defined in format_csv.c.
bool csv_is_header(const char *line, size_t length);
// Returns true if a line is the first position of a csv file without a header: a FEN, a separator
// and values. Appends the names of its columns, with the separator, to *names, which may be NULL.
// Defined in format_csv.c.
bool csv_name_columns(const char *line, size_t length, Text *names);
#define CSV_HEADER "fen,move,score_red,mate_red,result,game,ply,depth,nodes,best"

// An entry as it was understood, for `data import --check`.
typedef struct EntryShown {
    const PositionEntry *entry;
    const EntryOrigin *origins; // origin of each EntryField
    size_t line;                // number of the entry's first line; 0 if the file has no lines
    size_t offset;              // offset of the entry, if the file has no lines
    const char *game; // the line, if it has a game (a FEN followed by moves); otherwise NULL
    const Err *fault; // reason why the entry is refused; NULL if it was read
} EntryShown;

typedef void ShowEntry(void *context, const EntryShown *shown);
// Extracts at most `most` entries of the current file and passes each to `show`.
void entries_show(SourceReader *reader, int most, ShowEntry *show, void *context);

// Returns the group of a row, that is a hash which the rows of one game have in common (the column
// /games/group), and remembers the row. A row belongs to the game that its number names. Without a
// number it belongs to the game of the previous row if the position can follow: the result is the
// same, no piece was added, the ply number does not fall, and at most as many pieces moved as plies
// were played. Defined in position_group.c.
uint64_t row_group_of(RowGroups *groups, const PositionEntry *entry);

// Appends the line that states the notation of the moves. It is the first line of a file whose
// notation is not the default of its format.
void entries_write_mark(NotationSystem system, Text *out);

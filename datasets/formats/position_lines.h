// SPDX-License-Identifier: GPL-3.0-or-later
// Formats whose records are positions with their outcomes: epd, csv, plain, bin. Positions that
// follow each other by their moves and have one result are joined to a game.
#pragma once

#include "datasets/formats/position_entry.h"

// Reads one entry and advances *text past it; the text may be changed. Returns false if the entry
// is not valid, or if there is none. Each format has one such function, in its format_*.c.
typedef bool ReadEntry(EntryReader *reader, char **text);
ReadEntry read_csv_entry, read_epd_entry, read_plain_entry, read_bin_entry;
enum {
    BIN_SIZE = 136,           // bytes per position of the format bin
    BIN_MOST_HALFMOVES = 127, // largest counter of plies without a capture that bin holds
    BULLET_HIGHEST = 10000,   // largest score of the format bullet, in units
};

// Returns true if a line of plain ends its entry. In format_plain.c.
bool plain_ends_entry(const char *line);
// Reads the line of column names, and changes it. Returns false if no column is a FEN. In
// format_csv.c.
bool csv_read_header(char *line, CsvColumns *columns);
// Returns true if the line names the columns of a CSV of positions. In format_csv.c.
bool csv_is_header(const char *line, size_t length);
#define CSV_HEADER "fen,move,score_red,mate_red,result,game,ply,depth,nodes,best"

// Appends the first line of a file whose notation is not the usual one of its format.
void entries_write_mark(NotationSystem system, Text *out);

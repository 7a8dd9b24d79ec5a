// SPDX-License-Identifier: GPL-3.0-or-later
// Formats whose records are positions with their outcomes: epd, csv, plain. Positions that follow
// each other by their moves, with one result, are taken as one game again.
#pragma once

#include "datasets/formats/formats.h"

// What one entry tells. Scores and results from Red's side.
typedef struct PositionEntry {
    Position position;
    Move move; // MOVE_NONE: it tells none
    Move best; // as PlyRecord.best
    bool has_result;
    int8_t result;
    int16_t score_red, mate_red;
    uint8_t depth;
    uint32_t nodes;
    bool positioned;   // the position has been read
    int64_t game, ply; // of the file; < 0: it does not say
} PositionEntry;

enum { CSV_MAX_COLUMNS = 64 };

// An entry is being read: what its parts fill in.
typedef struct EntryReader {
    MoveReader moves;
    PositionEntry entry;
    ImportRefusal refusal;           // what is at fault when an entry cannot be read
    size_t lines;                    // taken so far
    int8_t columns[CSV_MAX_COLUMNS]; // csv: which part each field is, < 0 none
    Err *err;
} EntryReader;

// The next line of the text, which it terminates; NULL at the end.
char *entry_line(EntryReader *reader, char **text);
// The parts, each as the text has it; false when it is at fault. The move, and with
// `mover` the score, the mate and the result, are the side to move's; so the position comes first.
bool entry_fen(EntryReader *reader, const char *fen);
bool entry_move(EntryReader *reader, const char *text, Move *move);
bool entry_result(EntryReader *reader, const char *text, bool mover);
// |value| above mate_value - 1000 is a mate in mate_value - |value| plies; mate_value 0: none is.
bool entry_score(EntryReader *reader, const char *text, int mate_value, bool mover);
bool entry_mate(EntryReader *reader, const char *text, bool mover);
bool entry_depth(EntryReader *reader, const char *text);
bool entry_nodes(EntryReader *reader, const char *text);

// The number of the game in its file, and of the ply in its game. What is no number says nothing.
void entry_place(EntryReader *reader, const char *game, const char *ply);

// Reads one entry of `text`, which may be changed, and moves *text behind it; false when it is at
// fault or there is none. One for each format.
typedef bool ReadEntry(EntryReader *reader, char **text);
ReadEntry read_csv_entry, read_epd_entry, read_plain_entry;
// Is this the last line of an entry?
bool plain_ends_entry(const char *line);
// Which part each field is, by the line of names; false when there is no FEN among them.
bool csv_read_header(char *line, int8_t columns[CSV_MAX_COLUMNS]);

// For write_*(): calls `write` for each position that is wanted.
typedef void WriteEntry(const ExportGame *game, const GameWalk *walk, const PlyRecord *ply,
                        Text *out);
Status write_entries(const ExportGame *game, WriteEntry *write, Text *out, Err *err);

// From the side of the player to move, who is known.
ALWAYS_INLINE int value_of_mover(const Position *position, int value_red) {
    return position->stm == RED ? value_red : -value_red;
}

// Is this the line of names that a CSV of positions begins with?
bool csv_is_header(const char *line, size_t length);
#define CSV_HEADER "fen,move,score_red,mate_red,result,game,ply,depth,nodes,best"

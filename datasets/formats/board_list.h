// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that several formats share: the board as a list of pieces, moves as a tree, and the
// tags and remarks of a game that is written.
#pragma once

#include "datasets/formats/formats.h"

// XQF, DhtmlXQ and old CBL files list the 16 pieces ("men") of a side in a fixed order: chariot,
// horse, elephant, advisor, general, advisor, elephant, horse, chariot, two cannons, five soldiers.
// A list has 32 entries: Red's pieces, then Black's.
enum { LIST_MEN = 32 };

// Returns the square in a column, counted from 0 at the left, and a row, counted from 0 at the top
// (Red sits at the bottom). Returns SQUARE_NONE if the column or row is not on the board.
int square_from_top(int column, int row);

// Sets up a board from a list of pieces. squares[i] is the square of piece i of the list, or
// SQUARE_NONE if that piece is captured. Returns STATUS_BAD_INPUT if two pieces are on one square.
Status board_from_list(const uint8_t squares[LIST_MEN], Piece board[SQUARE_COUNT], Err *err);
// Lists the pieces of a board; the inverse of board_from_list(). Pieces of one type are listed from
// right to left as their own side sees them, like XQStudio and other programs do.
void board_to_list(const Position *position, uint8_t squares[LIST_MEN]);

// Starts a game from a board. The side of the piece on square `first` is to move, or `stm` if that
// square is empty or SQUARE_NONE. Returns STATUS_BAD_INPUT if the position is impossible.
Status source_game_start_board(SourceGame *source, const Piece board[SQUARE_COUNT], int first,
                               Side stm, unsigned fullmove, Err *err);

// Plays a move in line number `line` (0: the main line, N: variation N of `source`). `from` and
// `to` are squares. Returns STATUS_BAD_INPUT, with the ply in *err, if the move is illegal.
Status source_game_push_points(SourceGame *source, size_t line, int from, int to, Err *err);

// A move as a binary file stores it. The moves form a tree: each move is followed by its
// continuation, and after that by the variations that replace it.
typedef struct TreeMove {
    int from, to;
    bool last;   // set if this move is the last one of its line
    bool varied; // the file has a variation that replaces this move
    bool none;   // true if the entry is not a move. When writing: the first entry, which holds the
                 // remark before the first move. When reading: an entry that some programs write
                 // after the last move instead of the flag `last`
    const char *remark;   // remark after the move, in UTF-8, or NULL; valid until the next move is
                          // read
    size_t remark_length; // length of the remark, bytes; only set when reading
} TreeMove;

// Reads the next entry of a file. Returns false if the file ends before or inside the entry.
typedef bool NextTreeMove(void *file, TreeMove *move);

// Reads the moves of a file and plays the main line and, if the settings request them, its
// variations. The first entry of the file is not a move and only holds a remark. The side that
// makes the first move is the side to move at the start. If there is no move, `stm` is
// to move.
ImportRefusal source_game_read_tree(SourceGame *source, const ReadSettings *settings,
                                    const Piece board[SQUARE_COUNT], Side stm, unsigned fullmove,
                                    NextTreeMove *next, void *file, Err *err);

// A field at a fixed place in a binary record, whose text becomes a tag.
typedef struct TagPlace {
    const char *name;
    uint16_t at;   // offset of the field from the beginning of the record, bytes
    uint16_t size; // size of the field, bytes
} TagPlace;

// Sets the result from the result code of an XQF, CBR or CBL file: 1 Red won, 2 Black won, 3 draw.
// Other codes mean that the result is unknown. result_code() is the inverse.
void source_game_set_result(SourceGame *source, uint8_t code);
uint8_t result_code(int result);

enum { CBR_MAGIC_SIZE = 16 };
extern const char cbr_magic[CBR_MAGIC_SIZE]; // first bytes of a CBR record; defined in format_cbr.c

// Replaces each "||" in a remark by a line end, in place. Returns the new length, but does not
// terminate the text there. `text` may be NULL.
size_t remark_split(char *text);

uint32_t read_u32_little(const uint8_t bytes[4]);

// Returns true if the game comes from another program. This is the case if its reason is
// END_IMPORTED, or if it has any tag except TAG_NOTE, which our own matches add. `tags` are the
// tags of the game, or NULL.
bool export_imported(const GameRecord *game, const TagRecord *tags);
// Returns the value of a tag, and counts the tag in *given->tags_written. If the game lacks the
// tag, counts nothing and returns "". Exception: for a game that was not imported, a missing Event,
// Date, Red or Black is taken from the provenance of the run. The text is valid until *text is used
// again.
const char *export_tag(const ExportGame *given, const char *name, Text *text);
// Like export_tag(), but converts the value to an encoding and stores at most `size` bytes of it in
// *out. given->tags_written counts the tag only if the game has it and its whole value fits.
void export_tag_bytes(const ExportGame *given, const char *name, TextEncoding encoding, size_t size,
                      Text *out);

// Writes an entry of a tree of moves. Returns false if the remark of the entry was shortened.
typedef bool PutTreeMove(const TreeMove *move, Text *out);
// Writes a game and its variations as a tree of moves (see TreeMove). Calls put() for the remark
// before the first move, then for each move. A remark before the first move of a variation is put
// in front of the remark of that move. Returns STATUS_CORRUPT if a move is illegal.
Status export_tree(const ExportGame *given, PutTreeMove *put, Text *out, Err *err);

// Returns the next variation after *other that branches from `line` after `ply` plies, or NULL if
// there is none. If `other` is NULL, returns the first such variation.
const ExportGame *export_variation(const ExportGame *line, uint32_t ply, const ExportGame *other);

// Copies the remark after the first `ply` plies of a game or variation to *text. Returns false if
// there is no remark.
bool export_remark(const ExportGame *given, uint32_t ply, Text *text);

// Starts a replay of a game in *walk, and plays the extra moves of a handicap (odds). Most formats
// cannot hold these moves, so a written game begins after them. Returns STATUS_CORRUPT if one of
// them is illegal.
Status export_walk_begin(const ExportGame *given, GameWalk *walk, Err *err);
// Plays the next move of the game and returns it. Returns MOVE_NONE at the end of the game. If the
// move is illegal, returns MOVE_NONE and sets *status to STATUS_CORRUPT.
Move export_walk_next(const ExportGame *given, GameWalk *walk, Status *status, Err *err);

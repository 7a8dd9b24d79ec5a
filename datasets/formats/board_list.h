// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the formats of Chinese programs: a board as a list of men, moves as a tree, and the
// tags and remarks of a game that is written.
#pragma once

#include "datasets/formats/formats.h"

// The men of a side in the order of XQF and DhtmlXQ: chariot, horse, elephant, advisor, general,
// advisor, elephant, horse, chariot, two cannons, five soldiers. Red's men come first.
enum { LIST_MEN = 32 };

// Returns the square with this column from the left and this row from the top, both from 0, or
// SQUARE_NONE if it is not on the board.
int square_from_top(int column, int row);

// Puts the men on the board. squares[i] is the square of man i, or SQUARE_NONE if he is captured.
// Returns STATUS_BAD_INPUT if two men are on one square.
Status board_from_list(const uint8_t squares[LIST_MEN], Piece board[SQUARE_COUNT], Err *err);
// Lists the men of a board, the inverse of board_from_list(). Men of one kind are listed from their
// side's right to its left, as those programs do.
void board_to_list(const Position *position, uint8_t squares[LIST_MEN]);

// Starts a game in which the side of the man on square `first` is to move: Red if that square is
// empty or SQUARE_NONE.
Status source_game_start_board(SourceGame *source, const Piece board[SQUARE_COUNT], int first,
                               unsigned fullmove, Err *err);

// Plays a move in a line, where line 0 is the main line. An error names the ply.
Status source_game_push_points(SourceGame *source, size_t line, int from, int to, Err *err);

// A move of a binary file. Such files hold a tree: each move is followed by its continuation, and
// then by the variations that replace it.
typedef struct TreeMove {
    int from, to;
    bool last;            // it is the last move of its line
    bool varied;          // a variation that replaces it follows after its continuation
    bool none;            // no move: the line has ended without a mark
    const char *remark;   // remark after the move, UTF-8; valid until the next move is read
    size_t remark_length; // bytes
} TreeMove;

// Reads the next move. Returns false if the file ends before it.
typedef bool NextTreeMove(void *file, TreeMove *move);

// Plays the main line and, if they are requested, its variations. The first entry of the file is
// not a move; it only holds a remark. The side of the man that moves first begins.
ImportRefusal source_game_read_tree(SourceGame *source, const ReadSettings *settings,
                                    const Piece board[SQUARE_COUNT], unsigned fullmove,
                                    NextTreeMove *next, void *file, Err *err);

// The field of a binary file that holds a tag.
typedef struct TagPlace {
    const char *name;
    uint16_t at, size; // offset and size in bytes
} TagPlace;

// Sets the result by the code of these files: 1 Red won, 2 Black won, 3 draw, others unknown.
void source_game_set_result(SourceGame *source, uint8_t code);
uint8_t result_code(int result);

enum { CBR_MAGIC_SIZE = 16 };
extern const char cbr_magic[CBR_MAGIC_SIZE]; // in format_cbr.c

// Replaces each || of a remark, which may be NULL, by a line end. Returns the new length.
size_t remark_split(char *text);

uint32_t read_u32_little(const uint8_t bytes[4]);

// Returns true if the game comes from another program: its reason is the one that only import sets,
// or it has a tag other than the note of a contest. `tags` are those of the game, or NULL.
bool export_imported(const GameRecord *game, const TagRecord *tags);
// Returns the value of a tag, or for Event, Date, Red and Black what the run knows, or "". It is
// valid until *text is used again.
const char *export_tag(const ExportGame *given, const char *name, Text *text);
// Converts the value of export_tag() to an encoding and stores at most `size` bytes in *out. A
// value that does not fit is not counted in given->tags_written.
void export_tag_bytes(const ExportGame *given, const char *name, TextEncoding encoding, size_t size,
                      Text *out);

// Calls put() for each move of a tree, in the order that NextTreeMove reads. A remark before the
// first move of a variation is joined to the remark of that move.
typedef void PutTreeMove(const TreeMove *move, Text *out);
Status export_tree(const ExportGame *given, PutTreeMove *put, Text *out, Err *err);

// Returns the next variation, after *other, that leaves the line after `ply` plies of it, or NULL.
// If `other` is NULL, returns the first one.
const ExportGame *export_variation(const ExportGame *line, uint32_t ply, const ExportGame *other);

// Gets the remark after a ply; ply 0 is the start. Returns false if there is none.
bool export_remark(const ExportGame *given, uint32_t ply, Text *text);

// Plays the extra moves of odds, which these formats cannot hold. Returns STATUS_CORRUPT if one is
// not legal.
Status export_walk_begin(const ExportGame *given, GameWalk *walk, Err *err);
// Plays the next move of the game proper and returns it. Returns MOVE_NONE at the end, or with
// STATUS_CORRUPT in *status if the move is not legal.
Move export_walk_next(const ExportGame *given, GameWalk *walk, Status *status, Err *err);

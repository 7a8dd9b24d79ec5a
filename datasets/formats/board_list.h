// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that the formats of Chinese programs share: the board as a list of men, moves as a
// tree, and the tags and remarks of a game that is written.
#pragma once

#include "datasets/formats/formats.h"

// The 16 men of a side in the order of XQF and DhtmlXQ: chariot, horse, elephant, advisor, general,
// advisor, elephant, horse, chariot, two cannons, five soldiers. A list of 32 men begins with
// Red's.
enum { LIST_MEN = 32 };

// Returns the square in a column, counted from 0 at the left, and a row, counted from 0 at the top.
// Returns SQUARE_NONE if it is not on the board.
int square_from_top(int column, int row);

// Sets up a board from a list of men. squares[i] is the square of man i, or SQUARE_NONE if the man
// is captured. Returns STATUS_BAD_INPUT if two men are on one square.
Status board_from_list(const uint8_t squares[LIST_MEN], Piece board[SQUARE_COUNT], Err *err);
// Lists the men of a board; the inverse of board_from_list(). Men of one type are listed from right
// to left as their own side sees them, like XQStudio and other programs do.
void board_to_list(const Position *position, uint8_t squares[LIST_MEN]);

// Starts a game from a board. The side of the man on square `first` is to move, or Red if that
// square is empty or SQUARE_NONE.
Status source_game_start_board(SourceGame *source, const Piece board[SQUARE_COUNT], int first,
                               unsigned fullmove, Err *err);

// Plays a move in line number `line` (0 is the main line). The error message names the ply.
Status source_game_push_points(SourceGame *source, size_t line, int from, int to, Err *err);

// A move as a binary file stores it. The moves form a tree: each move is followed by its
// continuation, and after that by the variations that replace it.
typedef struct TreeMove {
    int from, to;
    bool last;   // set if no move follows this one in its line
    bool varied; // a variation that replaces this move follows after its continuation
    bool none; // the entry is not a move. When reading: its line ends without the flag `last`. When
               // writing: it is the first entry and holds the remark before the first move
    const char *remark;   // remark after the move, in UTF-8, or NULL; valid until the next move is
                          // read
    size_t remark_length; // length of the remark, bytes
} TreeMove;

// Reads the next move. Returns false if the file ends before it.
typedef bool NextTreeMove(void *file, TreeMove *move);

// Reads the moves of a file and plays the main line and, if the settings ask for them, its
// variations. The first entry of the file is not a move and only holds a remark. The side of the
// man that moves first is the side to move at the start.
ImportRefusal source_game_read_tree(SourceGame *source, const ReadSettings *settings,
                                    const Piece board[SQUARE_COUNT], unsigned fullmove,
                                    NextTreeMove *next, void *file, Err *err);

// A field at a fixed place in a binary file, whose text becomes a tag.
typedef struct TagPlace {
    const char *name;
    uint16_t at, size; // place of the field in the file, and its size, in bytes
} TagPlace;

// Sets the result from the code in these files: 1 Red won, 2 Black won, 3 draw. Other codes mean
// that the result is unknown.
void source_game_set_result(SourceGame *source, uint8_t code);
uint8_t result_code(int result);

enum { CBR_MAGIC_SIZE = 16 };
extern const char cbr_magic[CBR_MAGIC_SIZE]; // defined in format_cbr.c

// Replaces each "||" in a remark by a line end. Returns the new length. `text` may be NULL.
size_t remark_split(char *text);

uint32_t read_u32_little(const uint8_t bytes[4]);

// Returns true if the game comes from another program. This is the case if it has the reason
// END_IMPORTED, or any tag except TAG_NOTE, which our own matches add. `tags` are the tags of the
// game, or NULL.
bool export_imported(const GameRecord *game, const TagRecord *tags);
// Returns the value of a tag, and counts the tag in *given->tags_written. If the game lacks the tag
// and was not imported, returns what the provenance says about Event, Date, Red or Black. Otherwise
// returns "". The text is valid until *text is used again.
const char *export_tag(const ExportGame *given, const char *name, Text *text);
// Converts the value of export_tag() to an encoding and stores at most `size` bytes of it in *out.
// given->tags_written counts the tag only if the game has it and its whole value fits.
void export_tag_bytes(const ExportGame *given, const char *name, TextEncoding encoding, size_t size,
                      Text *out);

// Writes a move. Returns false if its remark was cut.
typedef bool PutTreeMove(const TreeMove *move, Text *out);
// Calls put() for each move of a tree: a move, then its continuation, then the variations that
// replace it. A remark before the first move of a variation is joined to the remark of that move.
Status export_tree(const ExportGame *given, PutTreeMove *put, Text *out, Err *err);

// Returns the next variation after *other that branches from the line after `ply` plies, or NULL.
// If `other` is NULL, returns the first such variation.
const ExportGame *export_variation(const ExportGame *line, uint32_t ply, const ExportGame *other);

// Gets the remark after ply number `ply`; 0 is the start of the game. Returns false if there is
// none.
bool export_remark(const ExportGame *given, uint32_t ply, Text *text);

// Plays the extra moves of a handicap (odds), because the formats of Chinese programs cannot hold
// them. Returns STATUS_CORRUPT if one of them is illegal.
Status export_walk_begin(const ExportGame *given, GameWalk *walk, Err *err);
// Plays the next move of the game and returns it. Returns MOVE_NONE at the end of the game. If the
// move is illegal, returns MOVE_NONE and sets *status to STATUS_CORRUPT.
Move export_walk_next(const ExportGame *given, GameWalk *walk, Status *status, Err *err);

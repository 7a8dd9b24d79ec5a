// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the formats of Chinese programs: a board as a list of men, and a first move that shows
// which side begins.
#pragma once

#include "datasets/formats/formats.h"

// The men of a side in the order of XQF and DhtmlXQ: chariot horse elephant advisor general advisor
// elephant horse chariot cannon cannon and five soldiers; Red's, then Black's.
enum { LIST_MEN = 32 };

// A point by its column from the left and its row from the top, from 0; SQUARE_NONE where there is
// none.
int square_from_top(int column, int row);

// Puts the men on the board: squares[i] is that of man i, SQUARE_NONE where he is off the board.
// STATUS_BAD_INPUT when two stand on one point.
Status board_from_list(const uint8_t squares[LIST_MEN], Piece board[SQUARE_COUNT], Err *err);
// The inverse: men of one kind from their side's right to its left, as those programs have them.
void board_to_list(const Position *position, uint8_t squares[LIST_MEN]);

// The side of the man on `first` is to move (SQUARE_NONE or an empty point: Red).
Status source_game_start_board(SourceGame *source, const Piece board[SQUARE_COUNT], int first,
                               unsigned fullmove, Err *err);

// Plays a move in a line, 0 for the main one; the error names the ply.
Status source_game_push_points(SourceGame *source, size_t line, int from, int to, Err *err);

// Moves of a binary file are a tree, each before its continuation and that before its variations.
typedef struct TreeMove {
    int from, to;
    bool last;   // of its line
    bool varied; // another move in its place comes behind its continuation
    bool none;   // the line ended before it, though that is not marked
    const char
        *remark; // said behind it, `remark_length` bytes of UTF-8, until the next one is read
    size_t remark_length;
} TreeMove;

// False where the bytes end before it.
typedef bool NextTreeMove(void *file, TreeMove *move);

// Plays the main line and, where they are wanted, its variations; what comes first is no move. The
// side of the man that moves first begins.
ImportRefusal source_game_read_tree(SourceGame *source, const ReadSettings *settings,
                                    const Piece board[SQUARE_COUNT], unsigned fullmove,
                                    NextTreeMove *next, void *file, Err *err);

typedef struct TagPlace {
    const char *name;
    uint16_t at, size;
} TagPlace;

// Results in these files: 1 Red has won, 2 Black, 3 a draw; others (0) are not known.
void source_game_set_result(SourceGame *source, uint8_t code);
uint8_t result_code(int result);

enum { CBR_MAGIC_SIZE = 16 };
extern const char cbr_magic[CBR_MAGIC_SIZE];

// Makes || an end of line in the text of a remark, which may be NULL; its length.
size_t remark_split(char *text);

uint32_t read_u32_little(const uint8_t bytes[4]);

// Returns true if the game is a record of others: it has the reason that only import gives, or a
// tag other than the note of a contest. `tags` (NULL: none) are those of the game.
bool export_imported(const GameRecord *game, const TagRecord *tags);
// The value of a tag, of Event, Date, Red and Black else what is known of its run; "" where nothing
// is. Until *text is used again.
const char *export_tag(const ExportGame *given, const char *name, Text *text);
// The same in an encoding, up to `size` bytes of it, in *out. A value that is cut is left out.
void export_tag_bytes(const ExportGame *given, const char *name, TextEncoding encoding, size_t size,
                      Text *out);

// Calls put() for each move as NextTreeMove has it. What is said before the first move of a
// variation goes to that move.
typedef void PutTreeMove(const TreeMove *move, Text *out);
Status export_tree(const ExportGame *given, PutTreeMove *put, Text *out, Err *err);

// The next variation that leaves the line behind so many plies of it, after *other (NULL: the first
// one); NULL: there is none.
const ExportGame *export_variation(const ExportGame *line, uint32_t ply, const ExportGame *other);

// The remark behind a ply; 0: before the first move. False where there is none.
bool export_remark(const ExportGame *given, uint32_t ply, Text *text);

// Goes behind the extra moves of odds, which these formats cannot tell. STATUS_CORRUPT when they
// cannot be played.
Status export_walk_begin(const ExportGame *given, GameWalk *walk, Err *err);
// The next move of the game proper, which is played; MOVE_NONE at the end, or with STATUS_CORRUPT
// in *status.
Move export_walk_next(const ExportGame *given, GameWalk *walk, Status *status, Err *err);

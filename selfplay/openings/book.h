// SPDX-License-Identifier: GPL-3.0-or-later
// Opening books: lists of positions, with the moves that led there where the book tells them.
#pragma once

#include "core/base/hash.h"
#include "core/rules/game.h"

enum { BOOK_LINE_PLIES = 60 };

typedef struct BookLine {
    Position start;
    int count; // moves
    Move moves[BOOK_LINE_PLIES];
} BookLine;

typedef struct Book {
    BookLine *lines;
    size_t count, capacity;
    char hash[SHA256_HEX_SIZE]; // SHA-256 of the file
    const char *format;         // that it was read as: "epd" (FEN lists too), "pgn" ...
} Book;

// Reads a book: one opening a line, a FEN (1, 2, 4 or 6 fields; EPD opcodes behind it are skipped),
// then, behind a tab, coordinate moves where there are any. Blank lines and lines that begin with
// '#' are skipped. Or a file of games, in PGN or another format of datasets/formats/formats.def
// that is seen by its content: of each game the first BOOK_LINE_PLIES plies, less those that end
// it. Errors name file and line; an empty book is an error.
Status book_load(const char *path, Book *book, Err *err);
void book_clear(Book *book);
// Keeps the first plies of each opening.
void book_cut(Book *book, int plies);
// How many different positions its openings lead to.
size_t book_distinct(const Book *book);
// Plays a line into a game (game_init() done).
void book_line_play(const BookLine *line, Game *game);
// Appends a line that ends in the game's present position.
void book_add(Book *book, const Game *game);

// EPD is a FEN without or with counters, then operations `opcode operand...;`.

// Cuts the line behind the FEN (the placement, the side, then dashes and counters up to six fields)
// and returns the operations, "" when there are none.
char *epd_cut(char *line);

// The operand of the first operation with this opcode, without blanks around it; false when there
// is none. A semicolon inside double quotes ends nothing.
bool epd_find(const char *operations, const char *opcode, const char **operand, size_t *length);

// SPDX-License-Identifier: GPL-3.0-or-later
// Openings: the positions in which the games of a run begin. They come from a book or from random
// plies. A search can refuse positions that are not balanced.
#pragma once

#include "core/base/hash.h"
#include "core/base/progress.h"
#include "core/base/random.h"
#include "core/rules/odds_game.h"
#include "selfplay/engines/player_setup.h"

enum { BOOK_LINE_PLIES = 60 }; // longest line of a book

typedef struct BookLine {
    Position start;
    int count; // number of moves
    Move moves[BOOK_LINE_PLIES];
} BookLine;

typedef struct Book {
    BookLine *lines;
    size_t count, capacity;
    char hash[SHA256_HEX_SIZE]; // SHA-256 of the file
    const char *format;         // name of the format, static: "epd" (also for FEN lists), "pgn" ...
} Book;

// Reads a book and keeps the first `plies_max` plies of each opening. A line is a FEN (1, 2, 4 or 6
// fields), optionally followed by a tab and coordinate moves. EPD operations are skipped, and so
// are blank lines and lines that begin with '#'. A line is an error if its game is over by `rules`
// before or at its end. The book may also be a file of games in PGN or another format of
// datasets/formats/formats.def, which is recognised by its content or its name. A game is cut
// before the end by `rules`; a game without moves is one position. Errors name file and line. An
// empty book is an error. With `rules` NULL only checkmate and stalemate end a game.
Status book_load(const char *path, const Rules *rules, int plies_max, Book *book, Err *err);
void book_clear(Book *book);
AUTO_VALUE(Book, book_clear)
// Returns the number of different positions that the openings lead to.
size_t book_distinct(const Book *book);
// Resets *game, which must be initialised, to the start of the line and plays its moves.
void book_line_play(const BookLine *line, Game *game);
// Appends the moves of a game as a line, cut to BOOK_LINE_PLIES.
void book_add(Book *book, const Game *game);

// ---- EPD: a FEN with or without counters, then operations `opcode operand...;` ------------------

// Ends the line after its FEN (placement, side, then dashes and counters, up to six fields) with a
// zero byte. Returns the operations, "" if there are none.
char *epd_cut(char *line);

// Finds the first operation with this opcode and sets *operand and *length to its operand without
// surrounding blanks. Returns false if there is none. A semicolon inside double quotes does not end
// an operation.
bool epd_find(const char *operations, const char *opcode, const char **operand, size_t *length);

// ---- random plies -------------------------------------------------------------------------------

// Random plies, and the range of scores that their position must have.
typedef struct RandomOpening {
    int plies;      // number of random plies
    int low, high;  // range of the score, units from Red's side
    uint64_t nodes; // node limit of the search for the score; 0: every opening is kept
    bool bare;      // score the position without the moves that led to it, because only it is used
} RandomOpening;

// Reads the range of scores: "LOW:HIGH", or "60" for -60:60. Returns STATUS_USAGE if the text is
// neither; `what` is the name of the option in the message.
Status opening_read_window(const char *text, const char *what, RandomOpening *opening, Err *err);

typedef struct OpeningSource {
    Book book;            // if empty, games begin in the initial position
    bool has_odds;        // `odds` is used; excludes a book
    Odds odds;            // handicap with its own start position
    bool shuffled;        // use the book in an order that depends on the seed, else in file order
    RandomOpening random; // random plies after the book's moves
} OpeningSource;
void opening_source_clear(OpeningSource *source);
AUTO_VALUE(OpeningSource, opening_source_clear)

// Returns the number of different openings, or 0 if random plies make it practically unlimited.
uint64_t openings_distinct(const OpeningSource *source);

enum { OPENING_MAX_PLIES = 60, OPENING_TRIES = 1000 };

// Initialises *bare with the present position of a game, without the moves that led to it. The
// caller must clear *bare.
void opening_without_moves(const OddsGame *og, OddsGame *bare);
// Plays the random plies after the game's present position. Returns false if the game ended.
bool opening_play_random(const RandomOpening *spec, const Rules *rules, Random *random,
                         OddsGame *og);
// Resets *og, which must be initialised, and plays opening `index` of the run with this seed. The
// opening is a function of the source, seed, index, rules and the search's weights only: the search
// is cleared first. With a handicap, scores are relative to the score of its start position.
// Returns STATUS_NOT_FOUND if OPENING_TRIES sets of random plies were all refused.
Status opening_make(const OpeningSource *source, uint64_t seed, uint64_t index, const Rules *rules,
                    Search *search, OddsGame *og, Err *err);

// ---- making books -------------------------------------------------------------------------------

typedef enum BookMethod {
    BOOK_RANDOM, // random plies
    BOOK_TREE,   // all lines of moves that each score within `spread` of the best move
} BookMethod;

typedef struct BookSpec {
    BookMethod method;
    uint64_t count;        // number of lines
    RandomOpening opening; // length of the lines, and the range of scores of their last position
    int spread;            // BOOK_TREE: largest loss of a move against the best move, units
    int width;             // BOOK_TREE: largest number of moves per position
    uint64_t tree_nodes;   // BOOK_TREE: node limit of the search of each inner position
    uint64_t seed;
    int threads;
    Position start;
    Rules rules;
    const Weights *weights;   // BOOK_TREE: of the searches of inner positions
    const PlayerSetup *judge; // player that scores the last position; NULL: keep all lines
} BookSpec;

// Number of lines that were tried, and of those refused for each reason.
typedef struct BookSummary {
    uint64_t tried;
    uint64_t unbalanced; // in check, or score out of range
    uint64_t ended;      // the game is over
    uint64_t repeated;   // the position, or its mirror image, is already in the book
} BookSummary;

// Makes a book. No two lines lead to the same position or to mirror images. The book is a function
// of the spec and does not depend on the number of threads. A book with fewer lines than
// spec->count is no error. After STATUS_INTERRUPTED the book holds the lines found so far. Returns
// STATUS_ENGINE if the judge fails.
Status book_make(const BookSpec *spec, Progress *progress, Book *book, BookSummary *summary,
                 Err *err);

// Appends the text of a book file: `header` as '#' lines, then one line per opening. A line is the
// FEN of the final position or, with `with_moves`, the FEN of the start, a tab and the moves.
void book_format(const Book *book, const char *header, bool with_moves, Text *text);

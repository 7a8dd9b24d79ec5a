// SPDX-License-Identifier: GPL-3.0-or-later
// Openings: the positions in which the games of a run begin. An opening comes from a book, from
// random plies, or from both. Random plies are refused if the game ends, if their final position is
// in check, or if a search scores this position outside of a given range.
#pragma once

#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/command/progress.h"
#include "core/rules/odds_game.h"
#include "selfplay/engines/player_setup.h"

enum { BOOK_LINE_PLIES = 60 }; // maximum number of plies of a book opening

typedef struct BookLine {
    Position start;
    int count; // number of moves of the opening
    Move moves[BOOK_LINE_PLIES];
} BookLine;

typedef struct Book {
    BookLine *lines;
    size_t count, capacity;
    char hash[SHA256_HEX_SIZE]; // SHA-256 of the book file; "" for a book of book_make()
    const char *format; // file format, a static string: "epd" (also for FEN lists), "pgn", ...
} Book;

// Reads an opening book and keeps the first `plies_max` plies of each opening. The book has one of
// two forms. Errors name the file, and the line or the game. A book without openings is an error.
// If `rules` is NULL, only checkmate and stalemate end a game.
// - Lines: a FEN (1, 2, 4 or 6 fields), optionally with at most BOOK_LINE_PLIES coordinate moves
//   after a tab or the word `moves`. The EPD operations hmvc and fmvn are the counters of the FEN.
//   Other operations, blank lines and lines that begin with '#' are skipped. It is an error if the
//   game is over by `rules` in a position of the kept plies.
// - Games in PGN or another format of datasets/formats/formats.def, which is recognised by its
//   content or its name. A game is cut before the move that ended it by `rules`. A game that is
//   over in its start position is skipped. A game without moves is an opening without moves.
Status book_load(const char *path, const Rules *rules, int plies_max, Book *book, Err *err);
void book_clear(Book *book);
AUTO_VALUE(Book, book_clear)
// Returns the number of different positions in which the openings of the book end.
size_t book_distinct(const Book *book);
// Resets *game, which must be initialised, to the start position of the opening `line` and plays
// the moves of the opening.
void book_line_play(const BookLine *line, Game *game);
// Adds the first BOOK_LINE_PLIES moves of a game to the book as one opening.
void book_add(Book *book, const Game *game);
// Appends the lines of a run's identity (datasets/store/run.h) that say which openings the games of
// a run can have. The hash is empty if there is no book.
void book_identity(const Book *book, Text *identity);
// Returns the image of `place` (0..count-1) under a random permutation of `count` places, which is
// selected by the seed and the number of the pass through the book. All permutations are equally
// likely within chance, for any `count`. The function needs no table: it is the swap-or-not shuffle
// (Hoang, Morris and Rogaway 2012).
size_t book_shuffle(size_t count, uint64_t seed, uint64_t pass, size_t place);

// ---- random plies -------------------------------------------------------------------------------

// How many random plies an opening has, and which score the position after them must have.
typedef struct RandomOpening {
    int plies;      // number of random plies
    int low, high;  // range of the score in units, from Red's side
    uint64_t nodes; // node limit of the search that finds the score; 0: no search, openings of any
                    // score are kept; book_make() ignores this member
    bool bare; // score the final position like the start of a game, without the preceding moves
} RandomOpening;

// Reads the range of scores of an opening: "LOW:HIGH", or "60" for -60:60. Returns STATUS_USAGE if
// the text has neither form; `what` is the name of the option in the message.
Status opening_read_window(const char *text, const char *what, RandomOpening *opening, Err *err);

typedef struct OpeningSource {
    Book book;     // opening book; if empty, games begin in the start position of xiangqi or of the
                   // handicap
    bool has_odds; // true if games have the handicap `odds`; then there is no book
    Odds odds;     // handicap of the games, which has its own start position
    bool shuffled; // true: use the openings of the book in an order that depends on the seed;
                   // false: in file order
    RandomOpening random; // random plies that follow the book's moves
} OpeningSource;
void opening_source_clear(OpeningSource *source);
AUTO_VALUE(OpeningSource, opening_source_clear)

// Returns the number of different positions in which openings end, or 0 if there are random plies,
// because the number is then practically unlimited.
uint64_t openings_distinct(const OpeningSource *source);

enum { OPENING_MAX_PLIES = 60, OPENING_TRIES = 1000 };

// Initialises *bare as a game that starts in the current position of *og, without the preceding
// moves. The caller must clear *bare.
void opening_without_moves(const OddsGame *og, OddsGame *bare);
// Plays spec->plies random plies from the current position of the game. Returns false if the game
// ended.
bool opening_play_random(const RandomOpening *spec, const Rules *rules, Random *random,
                         OddsGame *og);
// Resets *og, which must be initialised, and plays opening number `index`. The opening depends only
// on the source, seed, index, rules, and the weights and table size of the search, because the
// search is cleared before each use. With a handicap, scores are relative to the score of its start
// position. Returns STATUS_NOT_FOUND if OPENING_TRIES sequences of random plies were all refused:
// the game ended, the final position is in check, or its score is outside the range
// source->random.low..high. Returns STATUS_INTERRUPTED after a signal that ends the process.
Status opening_make(const OpeningSource *source, uint64_t seed, uint64_t index, const Rules *rules,
                    Search *search, OddsGame *og, Err *err);

// ---- making books -------------------------------------------------------------------------------

enum { BOOK_COUNT_MAX = 1000000000 }; // largest number of openings that can be requested

typedef enum BookMethod {
    BOOK_RANDOM, // each opening of the book consists of random plies
    BOOK_TREE,   // each move of an opening scores at most `spread` units below the best move of its
                 // position
} BookMethod;

typedef struct BookSpec {
    BookMethod method;
    uint64_t count;        // requested number of openings in the book
    RandomOpening opening; // requested number of plies of an opening, and range of scores that its
                           // final position may have
    int spread; // only for BOOK_TREE: largest difference between the score of the best move and
                // that of a move in the book, in units
    int width;  // only for BOOK_TREE: maximum number of moves that continue a position
    uint64_t tree_nodes; // only for BOOK_TREE: node limit of the search that scores the moves of a
                         // position
    uint64_t seed;
    int threads;
    Position start;
    Rules rules;
    const Weights *weights; // only for BOOK_TREE: evaluation weights of the search that scores the
                            // moves
    const PlayerSetup
        *judge; // player that scores the final positions; NULL: openings are kept without a score
} BookSpec;

// Numbers of openings: how many were tried, and how many were left out for each reason.
typedef struct BookSummary {
    uint64_t tried;
    // number of openings left out because the final position is in check, is scored as a mate, or
    // has a score outside BookSpec.opening.low..high
    uint64_t unbalanced;
    // Number of openings left out because the game ended during the opening or in its final
    // position. After an interrupt or a failure, openings that were not completed are also counted
    // here.
    uint64_t ended;
    // number of openings left out because the final position, or its mirror image, is already in
    // the book
    uint64_t repeated;
} BookSummary;

// Makes an opening book. The final positions of all openings differ, also from each other's mirror
// images. The book does not depend on the number of threads, unless the player that scores
// positions is another program, has a limit of time or searches with several threads. It is no
// error if fewer than spec->count openings are found. After STATUS_INTERRUPTED the book holds the
// openings found so far. Returns STATUS_NOT_FOUND if no opening was found, STATUS_ENGINE if the
// player that scores positions fails.
Status book_make(const BookSpec *spec, Progress *progress, Book *book, BookSummary *summary,
                 Err *err);

// Writes a book file: `header` as '#' lines, then one line per opening. A line is the FEN of the
// final position or, if `with_moves`, the FEN of the start position, a tab and the moves. Sets
// `hash` to the SHA-256 of the file.
Status book_write(const Book *book, const char *header, bool with_moves, const char *path,
                  char hash[SHA256_HEX_SIZE], Err *err);

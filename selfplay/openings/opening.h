// SPDX-License-Identifier: GPL-3.0-or-later
// Openings: where the games of a run begin. From a book, or random plies that a search finds
// balanced.
#pragma once

#include "core/base/hash.h"
#include "core/base/progress.h"
#include "core/base/random.h"
#include "core/rules/odds_game.h"
#include "core/search/search.h"

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

// Reads a book and keeps the first `plies_max` plies of each opening. A line is a FEN (1, 2, 4 or 6
// fields; operations of EPD are skipped), then, after a tab, coordinate moves if there are any.
// Blank lines and lines that begin with '#' are skipped. A line whose game is over by `rules`
// before or at its end is an error. The book may also be a file of games in PGN or another format
// of datasets/formats/formats.def, which is recognised by its content or its name: each game is cut
// before its end; a game without moves is a position. Errors name file and line; an empty book is
// an error. `rules` NULL: only mate and stalemate end a game.
Status book_load(const char *path, const Rules *rules, int plies_max, Book *book, Err *err);
void book_clear(Book *book);
AUTO_VALUE(Book, book_clear)
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

// Random plies, and the condition for the position that they lead to.
typedef struct RandomOpening {
    int plies;      // random plies
    int low, high;  // kept when a search finds a score within these, units from Red's side
    uint64_t nodes; // of that search; 0: every opening is kept
    bool bare;      // the position is used without the moves that led to it, and is scored so
} RandomOpening;

// Reads the window of scores: "60" for -60:60, or "LOW:HIGH". STATUS_USAGE; `what` names the
// option.
Status opening_read_window(const char *text, const char *what, RandomOpening *opening, Err *err);

typedef struct OpeningSource {
    Book book;            // empty: the initial position
    bool has_odds;        // not with a book
    Odds odds;            // a handicap with its own start
    bool shuffled;        // the book in an order that the seed decides; else as it stands
    RandomOpening random; // played after the book's moves; plies 0: none
} OpeningSource;
void opening_source_clear(OpeningSource *source);
AUTO_VALUE(OpeningSource, opening_source_clear)

// How many different openings there are at most; 0: as many as are asked for, because random plies
// follow.
uint64_t openings_distinct(const OpeningSource *source);

enum { OPENING_MAX_PLIES = 60, OPENING_TRIES = 1000 };

// Starts *bare in the present position of a game, without its moves. *bare is initialised and must
// be cleared.
void opening_without_moves(const OddsGame *og, OddsGame *bare);
// Plays the random plies after the game's present position. Returns false if the game ended.
bool opening_play_random(const RandomOpening *spec, const Rules *rules, Random *random,
                         OddsGame *og);
// Plays opening `index` of the run `seed` into *og (odds_game_init() done). Balanced with a
// handicap means: near the score of its start. A function of the source, seed, index, rules, and
// the search's weights alone: the search is cleared first and left in any state. STATUS_NOT_FOUND
// when OPENING_TRIES sets of random plies were all refused.
Status opening_make(const OpeningSource *source, uint64_t seed, uint64_t index, const Rules *rules,
                    Search *search, OddsGame *og, Err *err);

// ---- making books -------------------------------------------------------------------------------

typedef enum BookMethod {
    BOOK_RANDOM, // random plies
    BOOK_TREE,   // every line of moves that a search finds within `spread` of the best, ply by ply
} BookMethod;

typedef struct BookSpec {
    BookMethod method;
    uint64_t count;        // lines wanted
    RandomOpening opening; // plies, and what balanced means
    int spread;            // BOOK_TREE: units
    int width;             // BOOK_TREE: moves tried at each position
    uint64_t tree_nodes;   // BOOK_TREE: nodes of the search of each inner position
    uint64_t seed;
    int threads;
    Position start;
    Rules rules;
    const Weights *weights;
    const struct Searcher *judge; // whose scores the window means; NULL: keep all
} BookSpec;

typedef struct BookSummary {
    uint64_t tried, unbalanced, ended, repeated;
} BookSummary;

// Fills an empty book. Lines are unique by the position they lead to, its mirror image included.
// The book is a function of the spec without the threads. Fewer lines than asked for are no error:
// the summary tells. STATUS_INTERRUPTED keeps what was found; STATUS_ENGINE: the judge fails.
Status book_make(const BookSpec *spec, Progress *progress, Book *book, BookSummary *summary,
                 Err *err);

// The text of a book file: `header` as '#' lines, then a line each: FEN of the position reached.
// With `with_moves`: FEN of the start, a tab, the moves.
void book_format(const Book *book, const char *header, bool with_moves, Text *text);

// SPDX-License-Identifier: GPL-3.0-or-later
// Making opening books: many short lines, each different, each found balanced by a search.
#pragma once

#include "core/base/progress.h"
#include "core/base/text.h"
#include "selfplay/openings/opening.h"

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
    const Position *start; // NULL: the initial position
    Rules rules;
    Weights weights;
} BookSpec;

typedef struct BookSummary {
    uint64_t tried, unbalanced, ended, repeated;
} BookSummary;

// Fills an empty book. Lines are unique by the position they lead to, its mirror image included.
// The book is a function of the spec without the threads. Fewer lines than asked for are no error:
// the summary tells. STATUS_INTERRUPTED keeps what was found.
Status book_make(const BookSpec *spec, Progress *progress, Book *book, BookSummary *summary,
                 Err *err);

// The text of a book file: `header` as '#' lines, then a line each: FEN of the position reached.
// With `with_moves`: FEN of the start, a tab, the moves.
void book_format(const Book *book, const char *header, bool with_moves, Text *text);

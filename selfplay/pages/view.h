// SPDX-License-Identifier: GPL-3.0-or-later
// Games as one HTML page with list, board, moves and scores. For a contest the page also has
// standings and curves of Elo and LLR. viewer.html is the template of the page and describes the
// format of a game in it.
#pragma once

#include "core/base/progress.h"
#include "datasets/formats/formats.h"

typedef struct ViewCounts {
    uint64_t games;   // games on the page
    uint64_t refused; // records that could not be read
} ViewCounts;

// Receives each record of a file that could not be read, and the reason.
typedef void ViewRefused(void *context, const char *file, const char *why);

typedef struct ViewSpec {
    const char *path;         // a run, a shard, or a file of games
    const GameFormat *format; // format of a file of games; NULL: detect it
    ReadSettings read;        // settings for reading a file of games
    int notation; // NotationSystem that the page shows first; MOVES_DETECTED: the page's default
    const char *out;
    ViewRefused *refused; // NULL: records are left out silently
    void *context;        // first argument of `refused`
    const char *games;    // games as view_add_game() writes them; NULL: read them from `path`
    const char *note;     // sentences about the games, for the end of the page; may be NULL
} ViewSpec;

// Appends a game as one line of the page's data. `more` is further JSON members, each with a comma
// before it; viewer.html describes all members. given->open is set if the result is unknown.
void view_add_game(const ExportGame *given, const char *more, Text *text);

// Writes the page. Games without a known result are included. Returns STATUS_INTERRUPTED after
// Ctrl-C.
Status view_write(const ViewSpec *spec, Progress *progress, ViewCounts *counts, Err *err);

// Appends the standings of a contest and, for a match, the curves of Elo and LLR. Appends nothing
// if the run is no contest.
Status view_add_contest(const char *run, Text *html, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Games as one HTML page with a list of the games, a board, moves and scores. viewer.html is the
// template of the page, and viewer.js describes the format of a game in it.
#pragma once

#include "core/command/page.h"
#include "core/command/progress.h"
#include "datasets/formats/formats.h"

typedef struct ViewCounts {
    uint64_t games;   // games on the page
    uint64_t refused; // records that could not be read
} ViewCounts;

// Called for each record of `file` that could not be read. `why` is the reason.
typedef void ViewRefused(void *context, const char *file, const char *why);

typedef struct ViewSpec {
    const char *path;         // a run, a shard, or a file of games
    const GameFormat *format; // format of a file of games; NULL: detect it
    ReadSettings read;        // settings for reading a file of games
    int notation; // NotationSystem in which the page first shows the moves; MOVES_DETECTED: the
                  // page's default
    const char *out;
    ViewRefused *refused; // called for each unreadable record; may be NULL
    void *context;        // first argument of the callback refused()
    const char
        *games; // data of the page as view_add_game() writes it; NULL: read the games from `path`
    const Html *section; // section above the list of games; may be NULL
    const char *note; // text that says how the games were reviewed, for the end of the page; may be
                      // NULL
} ViewSpec;

// Appends a game of the page's data, a JSON object whose members viewer.js describes.
// `more` is the text of further members, each with a comma before it. Omits the result if it is
// unknown (given->open).
void view_add_game(const ExportGame *given, const char *more, Text *text);

// Writes the page. Games without a known result are included. If spec->games is set, the caller has
// set counts->games, and `progress` may be NULL. Returns STATUS_INTERRUPTED after Ctrl-C,
// STATUS_BAD_INPUT if there is no game.
Status view_write(const ViewSpec *spec, Progress *progress, ViewCounts *counts, Err *err);

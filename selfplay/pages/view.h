// SPDX-License-Identifier: GPL-3.0-or-later
// Games as one HTML page: list, board, moves, scores; of a contest also standings and the way of
// its statistics. viewer.html is the page, and says what a line of a game holds.
#pragma once

#include "core/base/progress.h"
#include "datasets/formats/formats.h"

typedef struct ViewCounts {
    uint64_t games, refused; // shown, and left out
} ViewCounts;

// Is called for each record of a file that cannot be read.
typedef void ViewRefused(void *context, const char *file, const char *why);

typedef struct ViewSpec {
    const char *path;         // a run, a shard file, or a file of games in any format that is read
    const GameFormat *format; // of a file of games; NULL: by its content
    ReadSettings read;        // of it
    int notation; // NotationSystem that the page opens with; MOVES_DETECTED: the page's own
    const char *out;
    ViewRefused *refused; // or NULL
    void *context;        // of it
} ViewSpec;

// Writes the page. Games without a known result are shown, too. STATUS_INTERRUPTED after Ctrl-C.
Status view_write(const ViewSpec *spec, Progress *progress, ViewCounts *counts, Err *err);

// The standings of a run that is a contest, and for a match the paths of Elo and LLR; nothing for
// other runs.
Status view_add_contest(const char *run, Text *html, Err *err);

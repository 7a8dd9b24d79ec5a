// SPDX-License-Identifier: GPL-3.0-or-later
// The page of --page: one HTML file that shows a running command. A thread rewrites the file
// atomically, about every three seconds, even if no game has ended since the last time. In a
// browser the page reloads itself, without a server (live_page.js). When the command has ended, the
// page keeps the last state. If the command has not ended and the file is older than a minute, for
// example after kill -9, the page says so.
//
// If no page was requested, `page` is NULL. Functions that are called with NULL write nothing.
#pragma once

#include "core/command/options.h"
#include "core/command/page.h"

#define ROW_PAGE(S, M)                                                                             \
    OPT_TEXT("page", S, M, NULL, "FILE",                                                           \
             "write an HTML page about the progress and the results of the command to this file; " \
             "the page reloads itself in a browser while the command runs",                        \
             OPTION_NEUTRAL)

typedef struct LivePage LivePage;

// The content of the page. Initialise with zeros.
typedef struct LiveFacts {
    Text title;   // title of the page, plain text
    Text verdict; // the results so far in one sentence, as plain text; may be empty
    // Three amounts of work, for example numbers of games: finished so far, finished before the
    // command was started with --resume, and expected at the end (0 if unknown).
    double done, before, end;
    bool estimated;   // true if `end` is an estimate, false if it is the requested amount
    double seconds;   // seconds that the work `done` minus `before` took
    const char *unit; // unit of the work, such as "games"; NULL: show no amount of work
    int rate_s;       // the rate is shown per second (1), minute (60) or hour (3600)
    Html cards;       // the cards, which show the few important numbers; see live_add_card()
    Html details;     // the details, which show further numbers; see live_add_detail()
    Html body;        // charts, tables and the paragraph of live_add_games()
} LiveFacts;

// Add a number with its name. `note`, which may be NULL, stands below the number in small type.
// live_add_card() adds an important number; the first one, the result, is the largest.
// live_add_detail() adds a further number in smaller type.
void live_add_card(LiveFacts *facts, const char *name, const char *note, const char *format, ...)
    PRINTF_LIKE(4, 5);
void live_add_detail(LiveFacts *facts, const char *name, const char *note, const char *format, ...)
    PRINTF_LIKE(4, 5);

// One row of a table in which bars show counts.
typedef struct LiveBar {
    const char *name; // name of the row; the page shows each '_' as a blank
    double count;
    const char *meaning; // explanation of `name`; may be NULL
} LiveBar;
// Appends a bar chart in the form of a table. Each row has a name, a bar, the count, and its share
// of the sum in percent. The explanations of the names can be unfolded on the page.
void live_add_bars(Html *html, const char *heading, const char *caption, const LiveBar *bars,
                   int count);

// Begin and end a row of charts that stand side by side. On a phone the charts stand below each
// other.
void live_begin_row(Html *html);
void live_end_row(Html *html);

// Appends the command that shows the games of the run `dir` on a board. If `dir` is NULL, appends
// nothing.
void live_add_games(Html *html, const char *dir);

// Checks before long work that the page can be written. With `path` NULL, and on MPI ranks above 0,
// sets *page to NULL. Writes nothing yet, so a call that is refused leaves an older page unchanged.
Status live_page_open(const CommandCall *call, const char *path, LivePage **page, Err *err);
// Returns true if it is time for another live_page_update().
bool live_page_is_due(const LivePage *page);
// Moves the content of *facts to the page; *facts becomes empty. The first call writes the file for
// the first time. Two threads must not call the function at the same time.
void live_page_update(LivePage *page, LiveFacts *facts);
// Writes the last state, if live_page_update() was ever called, and frees the page. Accepts NULL.
// `status` is the status of the command, *err its error. Returns `status` or, if it is STATUS_OK,
// the status of writing the last state.
Status live_page_close(LivePage *page, Status status, Err *err);

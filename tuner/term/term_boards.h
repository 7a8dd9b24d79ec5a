// SPDX-License-Identifier: GPL-3.0-or-later
// Draws positions in which a new term counts, so that a reader can check the code of the term.
#pragma once

#include "core/command/page.h"
#include "tuner/term/term.h"

enum { TERM_BOARDS = 20 };

// Appends pictures of up to TERM_BOARDS positions in which the sides have different counts of a
// weight of the new terms. Marks the pieces whose removal changes these counts. If possible, each
// of six classes of positions (CLASSES in term_boards.c) gets equally many pictures. Sets *count to
// the number of pictures. Returns an error if a stored position is invalid.
Status term_boards_add(const TermStudy *study, Html *html, int *count, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Draws positions in which a new term counts, so that a reader can check the code of the term.
#pragma once

#include "tuner/term/term.h"

enum { TERM_BOARDS = 20 };

// Appends up to TERM_BOARDS positions in which the counts of both sides differ, with marks on the
// pieces whose removal changes the count. Both sides, and both signs of the contribution, get equal
// numbers of pictures if possible. Sets *count to the number of pictures. Returns an error if a
// stored position is invalid.
Status term_boards_add(const TermStudy *study, Text *html, int *count, Err *err);

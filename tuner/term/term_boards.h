// SPDX-License-Identifier: GPL-3.0-or-later
// Draws positions in which a new term counts, so that a reader can check the code of the term.
#pragma once

#include "tuner/term/term.h"

enum { TERM_BOARDS = 20 };

// Appends pictures of up to TERM_BOARDS positions in which the new terms count differently for both
// sides. Marks the pieces whose removal changes these counts. If possible, equal numbers of
// pictures show positions in which Red has more of the terms, Black has more, or both have equal
// sums, and in which the terms favour Red or Black. Sets *count to the number of pictures. Returns
// an error if a stored position is invalid.
Status term_boards_add(const TermStudy *study, Text *html, int *count, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Draws positions in which a new term counts, so that a reader can check the code of the term.
#pragma once

#include "tuner/term/term.h"

enum { TERM_BOARDS = 20 };

// Appends pictures of up to TERM_BOARDS positions in which a weight of the new terms occurs more
// often for one side than for the other. Marks the pieces whose removal changes the counts of the
// new terms. The positions are divided into six classes: by the side for which the new terms occur
// more often (Red, Black, or neither if the sums over all weights are equal), and by the side that
// the new terms favour. If possible, all classes get equal numbers of pictures. Sets *count to the
// number of pictures. Returns an error if a stored position is invalid.
Status term_boards_add(const TermStudy *study, Text *html, int *count, Err *err);

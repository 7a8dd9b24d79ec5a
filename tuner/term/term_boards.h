// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of positions in which a term counts. They are the first test of new code.
#pragma once

#include "tuner/term/term.h"

enum { TERM_BOARDS = 20 };

// Appends up to TERM_BOARDS positions in which the group counts. Pieces whose removal changes the
// count are marked. Both sides, and both signs of the contribution, get equal shares if possible.
// Sets *count to the number of pictures. Fails if a stored position is invalid.
Status term_boards_add(const TermStudy *study, Text *html, int *count, Err *err);

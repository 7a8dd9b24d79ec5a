// SPDX-License-Identifier: GPL-3.0-or-later
// Positions in which a term counts, as pictures: the first check of new code is to look at them.
#pragma once

#include "tuner/term/term.h"

enum { TERM_BOARDS = 20 };

// Appends up to TERM_BOARDS positions of the study's rows in which the group counts, with the
// pieces marked whose removal changes the count. Both sides and both signs of the contribution get
// an equal share where the rows have them. Returns the number of pictures, or fails on a broken
// position.
Status term_boards_add(const TermStudy *study, Text *html, int *count, Err *err);

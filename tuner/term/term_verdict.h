// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict of a study of a term, and its sentence.
#pragma once

#include "tuner/term/term.h"

// Sets verdict and sentence from what the steps found.
void term_decide(TermStudy *study);

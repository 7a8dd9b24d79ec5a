// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict of a study, as a word and as a sentence.
#pragma once

#include "tuner/term/term.h"

// Sets study->verdict and study->sentence from the results of the steps.
void term_decide(TermStudy *study);

// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict of a study, as a word and as a sentence.
#pragma once

#include "tuner/term/term.h"

// Returns the verdict of a match with the term against without it: TERM_KEEP, TERM_DROP or
// TERM_UNDECIDED. A match that excludes no gain, however large, is undecided.
TermVerdict term_verdict_of_match(const WeightsMatch *match);

// Sets study->verdict and study->sentence from the results of the steps.
void term_decide(TermStudy *study);

// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict of `paotai ablate` on a group of terms, as a word and as a sentence.
#pragma once

#include "tuner/term/study.h"

// Appends the verdict as a word. If no position contains information about the group
// (occurrence_never()), the word is "never". If other terms explain the group completely, it is
// "copy". Else, after a match, it is the word of strength_word_add(). Without a match, it is
// "helps", "hurts" or "not decided", as the validation loss shows.
void ablate_word_add(const Study *study, Text *text);
// Appends the verdict as a sentence, without the names of the group's terms.
void ablate_sentence_add(const Study *study, Text *text);

// SPDX-License-Identifier: GPL-3.0-or-later
// The values of the pieces of several games as one picture.
#pragma once

#include "core/variants/variant.h"

enum { VARIANT_PAGE_GAMES = 2 }; // the picture has three kinds of dots, one is xiangqi's

// Writes an HTML page with the values of the terms that stand for pieces (those with a hand-set
// value), with 95 % errors, scaled so that a game's chariot is 9. `beside`, which may be NULL, is a
// weight file of the first game with the values of its pieces in xiangqi.
Status variant_page_write(const char *path, const Variant *const *games,
                          const VariantWeights *weights, int count, const char *beside, Err *err);

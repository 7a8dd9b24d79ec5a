// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the terms that `paotai term` tried with the same games. Each trial keeps a worthless term
// with the error of the SPRT, so who tries 20 terms keeps one by chance.
#pragma once

#include "core/base/status.h"

// Adds a trial to `dir`/trials.txt, unless the file contains it already, and sets *count to the
// number of different terms that were tried with these games, with this one. `games` is a word that
// identifies the games.
Status term_trials_add(const char *dir, const char *term, const char *games, int *count, Err *err);

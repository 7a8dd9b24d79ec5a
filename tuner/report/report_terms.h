// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a fit of another program's terms: tables as boards, curves as charts, and the other
// terms in a list.
#pragma once

#include "tuner/fit/term_table.h"

// Writes the page. `start` has the values of the terms [terms][2] before the fit. `facts` are lines
// about the fit, and `command` is the command that made it.
Status report_terms_write(const TermTable *table, const double (*start)[2], const char *facts,
                          const char *command, const char *path, Err *err);

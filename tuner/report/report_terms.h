// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a fit of another program's terms: tables as boards, curves as charts, and the other
// terms in a list.
#pragma once

#include "tuner/fit/term_table.h"

// Texts in the head of the page.
typedef struct TermsFacts {
    const char *verdict; // result of the fit, one sentence
    const char *next;    // advice: the next step
    const char *lines;   // facts about the fit, one a line
    const char *command; // command that made the fit
} TermsFacts;

// Writes the page. `start` has the values of the terms [terms][2] before the fit.
Status report_terms_write(const TermTable *table, const double (*start)[2], const TermsFacts *facts,
                          const char *path, Err *err);

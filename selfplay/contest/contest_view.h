// SPDX-License-Identifier: GPL-3.0-or-later
// The page of games (view.h) with a section about their match or tournament.
#pragma once

#include "selfplay/pages/view.h"

// Calls view_write(). If spec->path is the run of a match or tournament, the page has a section
// with its verdict and its standings. For a match with at least one finished opening pair, the
// section also has the curve of Elo and, if the match has an SPRT, the curve of the LLR.
// `spec->section` of the caller is ignored.
Status contest_view_write(const ViewSpec *spec, Progress *progress, ViewCounts *counts, Err *err);

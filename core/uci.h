// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: UCI and UCCI on a pair of streams.
#pragma once

#include <stdio.h>

// Serves until quit or the end of the input; returns the exit status. When `in` is a terminal a
// short hint is printed to err first.
int uci_main(FILE *in, FILE *out, FILE *err);

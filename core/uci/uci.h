// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: UCI (with the Cyclone forms) and UCCI on a pair of streams. The first line
// decides the dialect: "ucci" is UCCI, anything else UCI.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Commands and caps that the owner of the server sets. Zero is the ordinary program.
typedef struct UciSetup {
    // Is this line a command of the program (bench, genfens)? Then runs it and returns true. NULL:
    // none.
    bool (*run_command)(const char *line, FILE *out, FILE *err);
    uint64_t node_cap; // no search or perft counts more nodes; 0: no cap
    int hash_cap_mb;   // largest Hash; 0: what the machine has
    int threads_cap;   // most Threads; 0: the option's own range
} UciSetup;

// Serves until quit or the end of the input; returns the exit status. When the input ends, a search
// with an end of its own is finished, any other (infinite, pondering) is stopped. When `in` is a
// terminal a short hint is printed to err first. setup may be NULL.
int uci_main(FILE *in, FILE *out, FILE *err, const UciSetup *setup);

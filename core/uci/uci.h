// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: UCI (including Cyclone's variant) and UCCI on a pair of streams. The first
// line selects the protocol: "ucci" selects UCCI, any other line UCI.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Extra commands and caps for the server. The program sets only run_command; the caps are for
// tests.
typedef struct UciSetup {
    // Runs a line that is a command of the program (bench, genfens) and returns true. Returns false
    // for any other line. NULL if the server has no such commands.
    bool (*run_command)(const char *line, FILE *out, FILE *err);
    uint64_t node_cap; // largest number of nodes of a search or perft; 0: no cap
    int hash_cap_mb;   // largest allowed value of the option Hash; 0: limited by the machine's
                       // memory
    int threads_cap;   // largest allowed value of the option Threads; 0: limited by the option's
                       // range
} UciSetup;

// Serves commands until `quit` or the end of the input. Returns the exit status. At the end of the
// input, a search that has a limit is finished, and an infinite or pondering search is stopped. If
// `in` is a terminal, a short hint is first printed to `err`. `setup` may be NULL.
int uci_main(FILE *in, FILE *out, FILE *err, const UciSetup *setup);

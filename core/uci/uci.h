// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: UCI (with the forms of Cyclone) and UCCI on a pair of streams. The first
// line selects the dialect: "ucci" selects UCCI, any other line UCI.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Commands and caps set by the owner of the server. All zero is the ordinary program.
typedef struct UciSetup {
    // Returns true if the line was a command of the program (bench, genfens), which it ran. NULL if
    // the server has no such commands.
    bool (*run_command)(const char *line, FILE *out, FILE *err);
    uint64_t node_cap; // largest number of nodes of a search or perft; 0: no cap
    int hash_cap_mb;   // largest value of Hash; 0: the memory of the machine
    int threads_cap;   // largest value of Threads; 0: the range of the option
} UciSetup;

// Serves until `quit` or the end of the input. Returns the exit status. At the end of the input a
// search that has a limit is finished; an infinite or pondering search is stopped. If `in` is a
// terminal, a short hint is first printed to `err`. `setup` may be NULL.
int uci_main(FILE *in, FILE *out, FILE *err, const UciSetup *setup);

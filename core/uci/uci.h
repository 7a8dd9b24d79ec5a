// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: UCI (including Cyclone's dialect) and UCCI on a pair of streams. The first
// command selects the protocol: "ucci" selects UCCI, any other command UCI. A later "ucci" also
// selects UCCI; no command changes back to UCI.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Extra commands and limits for the server. The program sets only run_command; the fuzz test of the
// protocol sets the limits.
typedef struct UciSetup {
    // Function that executes a line if the line is a command of the program that may also be sent
    // over the protocol (bench, genfens). For other lines it returns false and has no effect. NULL:
    // the server knows only the commands of the protocol.
    bool (*run_command)(const char *line, FILE *out, FILE *err);
    uint64_t node_cap; // largest number of nodes of a search or perft; 0: unlimited
    int hash_cap_mb;   // largest allowed value of the option Hash; 0: limited by the option's range
                       // and the machine's memory
    int threads_cap;   // largest allowed value of the option Threads; 0: limited by the option's
                       // range
} UciSetup;

// Returns true if the line begins with the name of a command of UCI or UCCI.
bool uci_knows(const char *line);

// Serves commands until `quit` or the end of the input. Returns the exit status: 0, or 1 if the
// server could not start. At the end of the input, the server stops a search that ponders, that was
// started with `go infinite`, or that has no limit of depth, nodes or time; it finishes any other
// search. If `in` is a terminal, a short hint is first printed to `err`. `setup` may be NULL.
int uci_main(FILE *in, FILE *out, FILE *err, const UciSetup *setup);

// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks: the processes that mpirun or srun has started for one command. Rank 0 is the one that the
// user sees: it has the command line, takes the locks, prints, and decides about the end. The
// others serve it: a command that works on ranks (Command.on_ranks) is run by each of them with the
// same words, silently, and where its work is handed out they ask rank 0 for some. This module is
// the only one that knows MPI. Without it, or with one rank, rank_count() is 1, nothing is sent,
// and nothing costs anything.
//
// All functions may be called by several threads.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/status.h"

// What a rank sends another.
typedef struct RankMessage {
    int from, kind;       // kinds from 0 on are the sender's to choose
    unsigned char *bytes; // [size]; the receiver's, until rank_message_clear()
    size_t size;
} RankMessage;

enum { RANK_ANY = -1, RANK_KIND_MAX = 1000 };

// Runs a command of this name: an exit status.
typedef int RankCommand(const char *name, int argc, char **argv, FILE *out, FILE *err);
// For who looks for messages again and again: he sleeps, from short to long, while there is nothing
// to do. Zero-initialise.
typedef struct RankNap {
    long ns;
} RankNap;
// Takes what a rank has collected.
typedef Status RankTake(void *context, int rank, const void *bytes, size_t size, Err *err);

#ifdef PAOTAI_MPI

// Joins the ranks where a launcher has started several. Called once, before anything is printed.
void ranks_start(void);
// Ends them all; gives `exit_status` back. Rank 0's call.
int ranks_end(int exit_status);

// Was this process started by a launcher? What it writes to may look like a terminal and be none.
bool ranks_launched(void);
// Of the command that is run: 1 where rank 0 runs it alone.
int rank_count(void);
int rank_self(void);
// "HOST:RANK". Known to rank 0, and to each rank of itself.
const char *rank_name(int rank);

// ---- commands -----------------------------------------------------------------------------------

// Rank 0 is about to run a command that works on ranks: the others begin it too.
void ranks_command_begin(const char *name, int argc, char **argv);
// Rank 0 has run it. What the others still do of it is at its end when they next wait for rank 0;
// returns when all have left it. What they have sent and nobody took is thrown away.
void ranks_command_end(void);

// What the other ranks do until rank 0 calls ranks_end(): its commands, one after the other. Their
// failures are told by rank 0.
void ranks_serve(RankCommand *run);

// ---- messages -----------------------------------------------------------------------------------

void rank_message_clear(RankMessage *message);

// Sends a copy of the bytes; does not wait for the receiver, who sees the messages of one sender in
// their order.
void rank_send(int to, int kind, const void *bytes, size_t size);
void rank_send_all(int kind, const void *bytes, size_t size); // to all other ranks

// Takes the next message of a rank, or of any; *message NULL where there is none and `wait` is not
// set. The caller clears it. STATUS_ENDED: rank 0 has left the command, and so must this rank. At
// rank 0 another status: a rank has failed (STATUS_INTERRUPTED: was interrupted), and *err tells of
// it; it sends no more, and *err_from (may be NULL) is its number.
Status rank_receive(int from, bool wait, RankMessage **message, int *err_from, Err *err);

// Sleeps a while, longer from call to call, unless there was something to do.
void rank_nap(RankNap *nap, bool busy);

// ---- what all ranks do together, in the same order ----------------------------------------------

// Gives every rank the bytes that rank 0 has. Fails as rank_receive() does.
Status ranks_share(void *bytes, size_t size, Err *err);
// Rank 0 takes what every rank has, its own included, in the order of the ranks, as the number of
// bytes of each may differ. Other ranks only send. Fails as rank_receive() does, or as take().
Status ranks_collect(const void *bytes, size_t size, RankTake *take, void *context, Err *err);

#else

// One rank: nobody to talk to.
static inline void ranks_start(void) {}
static inline int ranks_end(int exit_status) {
    return exit_status;
}
static inline bool ranks_launched(void) {
    return false;
}
static inline int rank_count(void) {
    return 1;
}
static inline int rank_self(void) {
    return 0;
}
static inline const char *rank_name(int rank) {
    return (void)rank, "";
}
static inline void ranks_command_begin(const char *name, int argc, char **argv) {
    (void)name, (void)argc, (void)argv;
}
static inline void ranks_command_end(void) {}
static inline void ranks_serve(RankCommand *run) {
    (void)run;
}
static inline void rank_message_clear(RankMessage *message) {
    (void)message;
}
static inline void rank_send(int to, int kind, const void *bytes, size_t size) {
    (void)to, (void)kind, (void)bytes, (void)size;
}
static inline void rank_send_all(int kind, const void *bytes, size_t size) {
    (void)kind, (void)bytes, (void)size;
}
static inline Status rank_receive(int from, bool wait, RankMessage **message, int *err_from,
                                  Err *err) {
    (void)from, (void)wait, (void)err_from, (void)err;
    *message = NULL;
    return STATUS_OK;
}
static inline void rank_nap(RankNap *nap, bool busy) {
    (void)nap, (void)busy;
}
static inline Status ranks_share(void *bytes, size_t size, Err *err) {
    return (void)bytes, (void)size, (void)err, STATUS_OK;
}
static inline Status ranks_collect(const void *bytes, size_t size, RankTake *take, void *context,
                                   Err *err) {
    return take(context, 0, bytes, size, err);
}

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
// MPI: the processes ("ranks") that mpirun or srun has started for one command. Rank 0 has the
// command line, takes the locks, prints, and decides when the command ends. A command with
// Command.on_ranks is also run by the other ranks with the same words, silently. Only this module
// uses MPI. In a build without MPI=1, or with one rank, mpi_size() is 1 and nothing is sent.
//
// A thread of this module passes interrupts on to all ranks. It reports ranks that have died, or
// have been silent for a minute.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/text.h"

// A message. Kinds from 0 to RANK_KIND_MAX - 1 are for the callers.
typedef struct RankMessage {
    int from, kind;
    unsigned char *bytes; // [size], aligned for any type
    size_t size;
} RankMessage;

enum { RANK_ANY = -1, RANK_KIND_MAX = 1000 };

// Runs a command of this name and returns its exit status.
typedef int RankCommand(const char *name, int argc, char **argv, FILE *out, FILE *err);
// Receives what one rank has sent to ranks_collect().
typedef Status RankTake(void *context, int from, const void *bytes, size_t size, Err *err);

// Prepares the environment that OpenMP reads before main() begins, and executes the program again
// if something had to change: waiting threads must not spin, and threads need at least 1 MB of
// stack, whatever OMP_STACKSIZE says. Called first, with the arguments of main().
void openmp_prepare(int argc, char **argv);
// Joins the ranks if a launcher has started several. Called once, before anything is printed.
void ranks_start(void);
// Warns if srun has started several tasks that are no ranks, because each would do all of the work.
void ranks_warn_separate(void);
// Ends all ranks and returns `exit_status`. Only rank 0 calls it.
int ranks_end(int exit_status);

// Returns true if a launcher started this process. Its output can then look like a terminal without
// being one.
bool ranks_launched(void);
// Returns the number of ranks that run the current command, 1 if rank 0 runs it alone.
int mpi_size(void);
// Returns the rank of this process, 0 without MPI.
int mpi_rank(void);
// With `alone`, rank 0 works alone: the others wait for its next message. Without it, they work
// together again.
void ranks_alone(bool alone);

// ---- commands -----------------------------------------------------------------------------------

// Starts a command that works on ranks: rank 0 calls it, and the others run the command too.
// `resumes`: the command has --resume, which is then the remedy in messages.
void ranks_command_begin(const char *name, bool resumes, int argc, char **argv);
// Ends a command at rank 0: waits until the others have left it, and discards unread messages.
void ranks_command_end(void);

// Runs the commands of rank 0, one after the other, until ranks_end(). Rank 0 reports failures.
void ranks_serve(RankCommand *run);

// ranks_stop() tells the other ranks that rank 0 has failed. ranks_stopped() is then soon true
// there, until the command has ended.
void ranks_stop(void);
bool ranks_stopped(void);

// ---- messages -----------------------------------------------------------------------------------

void rank_message_clear(RankMessage *message);
AUTO_HANDLE(RankMessage, rank_message_clear)

// Sends a message. The messages of one sender arrive in order. Returns when `bytes` can be changed,
// which for a long message is when the receiver takes it.
void rank_send(int to, int kind, const void *bytes, size_t size);

// Waits for the next message of a rank or of RANK_ANY; the caller clears it. STATUS_ENDED: rank 0
// has left the command, and this rank must leave too. Rank 0 also returns the status and message of
// a sender that failed (STATUS_INTERRUPTED if it was interrupted). Such a rank sends nothing more.
Status rank_receive(int from, RankMessage **message, Err *err);

// ---- operations of all ranks, in the same order -------------------------------------------------

// Copies the bytes of rank 0 to every rank. Fails like rank_receive().
Status ranks_share(void *bytes, size_t size, Err *err);
Status ranks_share_text(Text *text, Err *err);
// Passes the bytes of every rank to `take` at rank 0, in the order of the ranks and beginning with
// its own. Sizes can differ. Other ranks only send. With `take` NULL it only waits for all. Fails
// like rank_receive() or `take`.
Status ranks_collect(const void *bytes, size_t size, RankTake *take, void *context, Err *err);

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

// A message between ranks. Kinds from 0 to RANK_KIND_MAX - 1 are free for the callers of this
// module.
typedef struct RankMessage {
    int from, kind;
    unsigned char *bytes; // `size` bytes, aligned for any type
    size_t size;
} RankMessage;

enum { RANK_ANY = -1, RANK_KIND_MAX = 1000 };

// Runs the command of this name and returns its exit status.
typedef int RankCommand(const char *name, int argc, char **argv, FILE *out, FILE *err);
// Receives the bytes that one rank passed to ranks_collect().
typedef Status RankTake(void *context, int from, const void *bytes, size_t size, Err *err);

// Sets the environment variables of OpenMP, which OpenMP reads before main() begins. If a variable
// had to change, executes the program again. Waiting threads must not spin, and each thread needs
// at least 1 MB of stack, even if OMP_STACKSIZE is smaller. main() calls this first, with its
// arguments.
void openmp_prepare(int argc, char **argv);
// Initialises MPI if an MPI launcher has started this process. Called once, before anything is
// printed.
void ranks_start(void);
// Prints a warning if srun has started several tasks but MPI is not used, because each task would
// then do all of the work.
void ranks_warn_separate(void);
// Ends all ranks and returns `exit_status`. Only rank 0 calls this function.
int ranks_end(int exit_status);

// Returns true if an MPI launcher started this process. Its output can then look like a terminal
// although it is a pipe to the launcher.
bool ranks_launched(void);
// Returns the number of ranks that run the current command; 1 if only rank 0 runs it.
int mpi_size(void);
// Returns the rank of this process, 0 without MPI.
int mpi_rank(void);
// If `alone` is set, rank 0 continues alone and the others wait for its next message. If it is not
// set, all ranks continue together.
void ranks_alone(bool alone);

// ---- commands -----------------------------------------------------------------------------------

// Every rank calls this before it runs a command that all ranks run. Rank 0 then starts the command
// on the other ranks. If `resumes` is set, --resume can continue the command after a failure, and
// error messages recommend it.
void ranks_command_begin(const char *name, bool resumes, int argc, char **argv);
// Every rank calls this after the command. Rank 0 then waits until the other ranks have left the
// command, and discards unread messages.
void ranks_command_end(void);

// The main loop of all other ranks: runs the commands that rank 0 starts, until ranks_end(). Rank 0
// reports their failures.
void ranks_serve(RankCommand *run);

// ranks_stop() tells the other ranks that the command has failed at rank 0. Soon afterwards
// ranks_stopped() returns true at these ranks, until the command has ended.
void ranks_stop(void);
bool ranks_stopped(void);

// ---- messages -----------------------------------------------------------------------------------

void rank_message_clear(RankMessage *message);
AUTO_HANDLE(RankMessage, rank_message_clear)

// Sends a message. Messages from one sender arrive in order. On return, the caller may change
// `bytes`; for a long message this is only after the receiver has taken it.
void rank_send(int to, int kind, const void *bytes, size_t size);

// Waits for the next message of a rank, or of any rank (RANK_ANY). The caller clears the message.
// Returns STATUS_ENDED if rank 0 has left the command: this rank must then leave it too. If the
// command failed at a sender, rank 0 gets that sender's error message, with STATUS_INTERRUPTED,
// STATUS_USAGE or, for all other failures, STATUS_BAD_INPUT. A failed sender sends nothing more.
Status rank_receive(int from, RankMessage **message, Err *err);

// ---- operations of all ranks, in the same order -------------------------------------------------

// Copies the bytes of rank 0 to every rank. Fails like rank_receive().
Status ranks_share(void *bytes, size_t size, Err *err);
Status ranks_share_text(Text *text, Err *err);
// Passes the bytes of every rank to `take` at rank 0, in the order of the ranks, beginning with
// rank 0 itself. The sizes can differ between ranks. The other ranks only send. If `take` is NULL,
// rank 0 only waits for all ranks. Fails like rank_receive() or `take`.
Status ranks_collect(const void *bytes, size_t size, RankTake *take, void *context, Err *err);

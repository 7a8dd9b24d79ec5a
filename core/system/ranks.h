// SPDX-License-Identifier: GPL-3.0-or-later
// MPI: the processes ("ranks") that mpirun or srun has started for one command. Rank 0 reads the
// command line, locks run directories, prints results and errors, and decides when the command
// ends. If the command has Command.on_ranks set, the other ranks also run it, with the same
// arguments, but without printing. This module is the only one that uses MPI. In a build without
// MPI=1, or with one rank, mpi_size() is 1 and no message is sent.
//
// The signal thread of this module passes interrupts (SIGINT, SIGTERM, SIGHUP) on to all ranks. If
// a rank dies, the launcher names it and its host, and ends all others. If the launcher dies, the
// kernel ends them.
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

// A function that runs the command of this name and returns its exit status.
typedef int RankCommand(const char *name, int argc, char **argv, FILE *out, FILE *err);
// A function that receives the bytes that rank `from` passed to ranks_collect().
typedef Status RankTake(void *context, int from, const void *bytes, size_t size, Err *err);

// Sets environment variables of OpenMP. If the command line has --threads or --options and no wait
// policy is set, waiting threads will not spin. OMP_STACKSIZE and GOMP_STACKSIZE become 1 MB if
// they are smaller. After a change, executes the program again, because OpenMP reads the variables
// before main() begins. main() calls this function first, with its arguments.
void openmp_prepare(int argc, char **argv);
// Initialises MPI if an MPI launcher has started this process. main() calls this function once,
// before anything is printed.
void ranks_start(void);
// Prints a warning if srun has started several tasks but MPI is not used. Each task would repeat
// the whole work.
void ranks_warn_separate(void);
// Ends all ranks and returns `exit_status`. Only rank 0 calls this function.
int ranks_end(int exit_status);

// Returns true if an MPI launcher started this process; always false in a build without MPI. The
// output of such a process can look like a terminal, although it goes to the launcher.
bool ranks_launched(void);
// Returns the number of ranks that work on the current command; 1 if only rank 0 does.
int mpi_size(void);
// Returns the rank of this process, 0 without MPI.
int mpi_rank(void);
// Rank 0 calls ranks_alone(true) before work that it does alone, while the other ranks wait for its
// next message. mpi_size() is then 1. ranks_alone(false) ends this state.
void ranks_alone(bool alone);

// ---- commands on all ranks ----------------------------------------------------------------------

// Every MPI rank calls this function before it runs a command that all ranks run. The call at rank
// 0 makes the other ranks start the command, and before the first command says what to do when a
// rank dies: if `resumes` is set, --resume can continue the command.
void ranks_command_begin(const char *name, bool resumes, int argc, char **argv);
// Every MPI rank calls this function after the command. At rank 0 it waits until the other ranks
// have ended the command, and discards unread messages.
void ranks_command_end(void);

// The main loop of every rank except rank 0. Runs the commands that rank 0 starts, until rank 0
// calls ranks_end(). If a command fails, rank_receive() at rank 0 returns the failure.
void ranks_serve(RankCommand *run);

// At rank 0, ranks_stop() tells the other ranks that the command has failed. Soon afterwards
// ranks_stopped() returns true at these ranks, until the next command begins. At other ranks
// ranks_stop() does nothing.
void ranks_stop(void);
bool ranks_stopped(void);

// ---- messages between ranks ---------------------------------------------------------------------

void rank_message_clear(RankMessage *message);
AUTO_HANDLE(RankMessage, rank_message_clear)

// Sends a message. Messages from one sender arrive in the order in which they were sent. For a long
// message, the function may return only after the receiver has begun to receive it. The caller may
// change `bytes` afterwards.
void rank_send(int to, int kind, const void *bytes, size_t size);

// Waits for the next message of an MPI rank, or of any rank (RANK_ANY). The caller releases
// *message with rank_message_clear(). Returns STATUS_ENDED if rank 0 has ended the command: this
// rank must then stop its work on the command, too. If the command failed at another rank, rank 0
// gets the error message of that rank, with STATUS_INTERRUPTED, STATUS_USAGE or, for all other
// failures, STATUS_BAD_INPUT. The failed rank then sends no further results.
Status rank_receive(int from, RankMessage **message, Err *err);

// ---- operations that all ranks call in the same order -------------------------------------------

// Copy bytes or a text of rank 0 to every rank. All ranks must pass the same `size`. Rank 0 never
// gets an error; the other ranks get the errors of rank_receive().
Status ranks_share(void *bytes, size_t size, Err *err);
Status ranks_share_text(Text *text, Err *err);
// Sends the bytes of every rank to rank 0, which passes them to `take` in the order of the ranks,
// beginning with its own. Each rank can pass a different `size`. If `take` is NULL, rank 0 only
// waits for all ranks. Returns the errors of rank_receive() and `take` at rank 0, and STATUS_OK at
// the other ranks.
Status ranks_collect(const void *bytes, size_t size, RankTake *take, void *context, Err *err);

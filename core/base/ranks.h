// SPDX-License-Identifier: GPL-3.0-or-later
// MPI: the processes ("ranks") that mpirun or srun has started for one command. Rank 0 has the
// command line, takes the locks, prints, and decides about the end. A command that works on ranks
// (Command.on_ranks) is run by the others with the same words, silently. This module is the only
// one that knows MPI. Without it (a build without MPI=1), or with one rank, rank_count() is 1 and
// nothing is sent.
//
// A thread of this module's own passes interrupts on to all ranks, and reports ranks that are
// silent for a minute or dead.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/text.h"

// Kinds from 0 on are the sender's to choose.
typedef struct RankMessage {
    int from, kind;
    unsigned char *bytes; // [size], aligned for any type
    size_t size;
} RankMessage;

enum { RANK_ANY = -1, RANK_KIND_MAX = 1000 };

// Runs a command of this name: an exit status.
typedef int RankCommand(const char *name, int argc, char **argv, FILE *out, FILE *err);
// Takes what a rank has collected.
typedef Status RankTake(void *context, int rank, const void *bytes, size_t size, Err *err);

// Prepares the environment that the library of OpenMP reads before main() begins, and executes the
// program again if something had to change. Waiting threads shall not spin, and threads get at
// least 1 MB of stack whatever OMP_STACKSIZE says. Called first, with the arguments of main().
void openmp_prepare(int argc, char **argv);
// Joins the ranks if a launcher has started several. Called once, before anything is printed.
void ranks_start(void);
// Warns if srun has started several tasks that are no ranks: each would do all of the work.
void ranks_warn_separate(void);
// Ends them all; gives `exit_status` back. Rank 0's call.
int ranks_end(int exit_status);

// Was this process started by a launcher? What it writes to may look like a terminal and be none.
bool ranks_launched(void);
// Of the command that is run: 1 where rank 0 runs it alone.
int rank_count(void);
int rank_self(void);
// Rank 0 works alone from here, or again with the others, which wait for its next message.
void ranks_alone(bool alone);

// ---- commands -----------------------------------------------------------------------------------

// Rank 0 is about to run a command that works on ranks: the others begin it too. `resumes`: what it
// writes can be gone on with by --resume.
void ranks_command_begin(const char *name, bool resumes, int argc, char **argv);
// Rank 0 has run it: waits until the others have left it. What they have sent and nobody took is
// thrown away.
void ranks_command_end(void);

// The other ranks run the commands of rank 0, one after the other, until ranks_end(). Rank 0
// reports their failures.
void ranks_serve(RankCommand *run);

// Rank 0 has failed: ranks_stopped() is true at the others soon, until the command is over.
void ranks_stop(void);
bool ranks_stopped(void);

// ---- messages -----------------------------------------------------------------------------------

void rank_message_clear(RankMessage *message);
AUTO_HANDLE(RankMessage, rank_message_clear)

// The receiver sees the messages of one sender in their order. Returns when the bytes may change:
// of a long message, when the receiver takes it.
void rank_send(int to, int kind, const void *bytes, size_t size);

// Waits for the next message of a rank, or of any; the caller clears it. STATUS_ENDED: rank 0 has
// left the command, and so must this rank. At rank 0 another status: the sender has failed
// (STATUS_INTERRUPTED: was interrupted), as *err says; it sends no more.
Status rank_receive(int from, RankMessage **message, Err *err);

// ---- what all ranks do together, in the same order ----------------------------------------------

// Gives every rank the bytes that rank 0 has. Fails as rank_receive() does.
Status ranks_share(void *bytes, size_t size, Err *err);
Status ranks_share_text(Text *text, Err *err);
// Rank 0 takes what every rank has, its own included, in the order of the ranks; each may have
// another number of bytes. Other ranks only send. take NULL: it only waits for all. Fails as
// rank_receive() does, or as take().
Status ranks_collect(const void *bytes, size_t size, RankTake *take, void *context, Err *err);

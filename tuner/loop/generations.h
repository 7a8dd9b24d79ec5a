// SPDX-License-Identifier: GPL-3.0-or-later
// The loop: play, fit, gate, promote or reject, write it down; again and again. Each step is a
// command of the laboratory, called with the words that would be typed, and leaves what it printed
// in the generation's directory, which marks it as done:
//
//   DIR/loop.txt             what the loop was begun with
//   DIR/start.txt            the weights it started from
//   DIR/gen-001/games/       self-play of the champion            selfplay.txt, data.txt
//   DIR/gen-001/weights.txt  fitted to it, with report.html       tune.txt
//   DIR/gen-001/match/       candidate against champion           match.txt
//   DIR/champion.txt         the weights that passed the last gate, or the start
//   DIR/log.md               an entry for each generation, in the form of experiments.md
//
// Whole or killed and resumed, the weights and the log are the same.
#pragma once

#include <stdio.h>

#include "core/base/options.h"
#include "core/eval/weights.h"

typedef struct LoopSpec {
    const char *dir;
    int generations; // in all, those done before included
    uint64_t games, pairs, nodes, seed;
    int threads, window; // window: fit the games of so many generations, the latest
    double elo0, elo1;
    const char *weights;                 // where the loop starts
    const char *selfplay, *tune, *match; // more words for the steps, NULL: none
    const char *identity;                // what the loop depends on, as lines
    bool resume, quiet;
    FILE *err; // messages and progress of the steps; NULL: none
} LoopSpec;

enum { LOOP_VALUE_SIZE = 128 };

// What a generation came to, as text that the steps printed ("-" where they did not).
typedef struct Generation {
    int number;
    bool promoted;
    char games[LOOP_VALUE_SIZE], positions[LOOP_VALUE_SIZE], content_hash[LOOP_VALUE_SIZE];
    char loss_start[LOOP_VALUE_SIZE], loss[LOOP_VALUE_SIZE], loss_error[LOOP_VALUE_SIZE];
    char match_games[LOOP_VALUE_SIZE], wins[LOOP_VALUE_SIZE], draws[LOOP_VALUE_SIZE],
        losses[LOOP_VALUE_SIZE], pentanomial[LOOP_VALUE_SIZE];
    char elo[LOOP_VALUE_SIZE], elo_error[LOOP_VALUE_SIZE], llr[LOOP_VALUE_SIZE],
        lower[LOOP_VALUE_SIZE], upper[LOOP_VALUE_SIZE], decision[LOOP_VALUE_SIZE];
} Generation;

// Called after each generation, those that were done before included.
typedef void LoopGenerationDone(void *context, const Generation *generation);

// Runs the generations that are missing. STATUS_INTERRUPTED when the user said stop; a step that
// failed has said why on spec->err.
Status loop_run(const LoopSpec *spec, LoopGenerationDone *done, void *context, Err *err);

// ---- shared by the files of the loop ------------------------------------------------------------

// DIR/gen-NNN, and a name in it unless NULL.
void generation_path(const LoopSpec *spec, int number, const char *name, Text *path);
// The value of the first line "name value" of a text; "-" when there is none.
void generation_value(const char *text, const char *name, char value[LOOP_VALUE_SIZE]);
// Reads what the steps of a finished generation left.
Status generation_read(const LoopSpec *spec, int number, Generation *generation, Err *err);
// Writes DIR/log.md anew with the first `count` generations.
Status loop_write_log(const LoopSpec *spec, int count, Err *err);
// Date, revision and machine, written when a generation begins.
void generation_begun(const LoopSpec *spec, Text *text);

// SPDX-License-Identifier: GPL-3.0-or-later
// The loop repeats self-play, fit and gate, and promotes or rejects the candidate. Each step is a
// command of Paotai, called with the words of a command line. Its output is saved in the directory
// of the generation, which marks the step as finished:
//
//   DIR/loop.txt             what the loop depends on
//   DIR/start.txt            start weights
//   DIR/gen-001/games/       self-play of the champion            selfplay.txt, data.txt
//   DIR/gen-001/weights.txt  fitted weights, with report.html     tune.txt
//   DIR/gen-001/network.net  with --train, beside DIR/start.txt   train.txt
//   DIR/gen-001/match/       candidate against champion           match.txt
//   DIR/champion.txt         current champion, or champion.net if it is a network
//   DIR/log.md               one entry per generation, in the form of experiments.md
//   DIR/strength.html        chart of the strength by generation
//
// A loop that is killed and resumed gives the same weights and log as an uninterrupted one.
#pragma once

#include "core/base/json.h"
#include "core/base/options.h"

// The options of `paotai loop`, and members that it adds.
typedef struct LoopSpec {
    const char *dir, *weights;           // start weights
    const char *selfplay, *tune, *match; // further words of the command lines; NULL: no words
    uint64_t games, pairs, nodes, seed;
    int generations; // total number, including finished generations
    int window;      // number of latest generations whose games are fitted
    int threads;
    double elo0, elo1;
    bool train; // train networks that add to the start weights
    bool resume, json, quiet;
    const char *identity; // lines with everything that the loop depends on
    FILE *err;            // receives messages and progress of the steps
} LoopSpec;

// The results of a generation: texts by name, mostly as its steps printed them.
typedef struct Generation Generation;
// Return a value as text ("-" if unknown) or as number (NAN if it is not a number).
const char *generation_value(const Generation *generation, const char *name);
double generation_number(const Generation *generation, const char *name);
// Appends a form in which {name} stands for a value, {name:2} for a number with 2 decimals, and
// {name:+2} for a number with 2 decimals and its sign.
void generation_format(const Generation *generation, const char *form, Text *text);
void generation_record(const Generation *generation, Record *record);

typedef void LoopGenerationDone(void *context, const Generation *generation);

// Runs the missing generations and calls `done` for every generation, finished ones included. A
// failed step has already printed its error to spec->err.
Status loop_run(const LoopSpec *spec, LoopGenerationDone *done, void *context, Err *err);

// ---- shared by the files of the loop ------------------------------------------------------------

#define GENERATION_PATH                                                                            \
    "%s/gen-%03d/%s" // arguments: spec->dir, number of the generation, file name

Status generation_read(const LoopSpec *spec, int number, Generation **generation, Err *err);
void generation_free(Generation *generation);
AUTO_HANDLE(Generation, generation_free)
// Appends the path of the current champion.
void loop_champion(const LoopSpec *spec, Text *path);
// Writes DIR/log.md with the first `count` generations.
Status loop_write_log(const LoopSpec *spec, int count, Err *err);
// Writes DIR/strength.html: Elo of the candidates against the start, with errors.
Status loop_write_page(const LoopSpec *spec, int count, Err *err);
void generation_begun(const LoopSpec *spec, Text *text);

// SPDX-License-Identifier: GPL-3.0-or-later
// The loop: play, fit, gate, promote or reject, write it down; again and again. Each step is a
// command of the laboratory, called with the words that would be typed, and leaves what it printed
// in the generation's directory, which marks it as done:
//
//   DIR/loop.txt             what the loop was begun with
//   DIR/start.txt            the weights it started from
//   DIR/gen-001/games/       self-play of the champion            selfplay.txt, data.txt
//   DIR/gen-001/weights.txt  fitted to it, with report.html       tune.txt
//   DIR/gen-001/network.net  with --train, beside DIR/start.txt   train.txt
//   DIR/gen-001/match/       candidate against champion           match.txt
//   DIR/champion.txt         the weights that passed the last gate, or the start; champion.net: a
//                            network
//   DIR/log.md               an entry for each generation, in the form of experiments.md
//   DIR/strength.html        a picture of their strength
//
// Whole or killed and resumed, the weights and the log are the same.
#pragma once

#include "core/base/json.h"
#include "core/base/options.h"

// The options of `paotai loop`, and what it adds to them.
typedef struct LoopSpec {
    const char *dir, *weights;           // weights: where the loop starts
    const char *selfplay, *tune, *match; // more words for the steps, NULL: none
    uint64_t games, pairs, nodes, seed;
    int generations; // in all, those done before included
    int window;      // fit the games of so many generations, the latest
    int threads;
    double elo0, elo1;
    bool train; // networks, beside the weights of the start
    bool resume, json, quiet;
    const char *identity; // what the loop depends on, as lines
    FILE *err;            // messages and progress of the steps
} LoopSpec;

// What a generation came to: texts by name, mostly as its steps printed them.
typedef struct Generation Generation;
// "-" where there is none, and NAN where it is no number.
const char *generation_value(const Generation *generation, const char *name);
double generation_number(const Generation *generation, const char *name);
// Appends a form in which {name} stands for a value, {name:2} for a number with so many decimals,
// {name:+2} for one with its sign.
void generation_format(const Generation *generation, const char *form, Text *text);
void generation_record(const Generation *generation, Record *record);

typedef void LoopGenerationDone(void *context, const Generation *generation);

// Runs the generations that are missing and calls `done` for each of all. A step that failed has
// said why on spec->err.
Status loop_run(const LoopSpec *spec, LoopGenerationDone *done, void *context, Err *err);

// ---- shared by the files of the loop ------------------------------------------------------------

#define GENERATION_PATH "%s/gen-%03d/%s" // of spec->dir, the number, and a file's name

Status generation_read(const LoopSpec *spec, int number, Generation **generation, Err *err);
void generation_free(Generation *generation);
AUTO_HANDLE(Generation, generation_free)
// The path of DIR's champion as it is.
void loop_champion(const LoopSpec *spec, Text *path);
// Writes DIR/log.md anew with the first `count` generations.
Status loop_write_log(const LoopSpec *spec, int count, Err *err);
// Writes DIR/strength.html anew: their Elo over the start, with errors.
Status loop_write_page(const LoopSpec *spec, int count, Err *err);
void generation_begun(const LoopSpec *spec, Text *text);

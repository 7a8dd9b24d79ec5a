// SPDX-License-Identifier: GPL-3.0-or-later
// The loop repeats self-play, fit and gate, and promotes or rejects the candidate. Each step is a
// command of Paotai, called with the words of a command line. It returns its results in a struct;
// its output is saved for the reader.
//
//   DIR/loop.txt             what the loop depends on
//   DIR/start.txt            start weights
//   DIR/gen-001/result.txt   results of the finished steps
//   DIR/gen-001/games/       self-play of the champion            selfplay.txt
//   DIR/gen-001/weights.txt  fitted weights, with report.html     tune.txt
//   DIR/gen-001/network.net  with --train, beside DIR/start.txt   train.txt
//   DIR/gen-001/match/       candidate against champion           match.txt
//   DIR/champion.txt         current champion, or champion.net if it is a network
//   DIR/log.md               one entry per generation, in the form of experiments.md
//   DIR/strength.html        chart of the strength by generation
//
// With --page, selfplay, train and match write pages, too: DIR/gen-001/match.html.
//
// A loop that is killed and resumed gives the same weights and log as an uninterrupted one.
#pragma once

#include "core/base/json.h"
#include "core/base/options.h"
#include "selfplay/pages/live_page.h"

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
    const char *page;     // NULL: no page
    const char *identity; // lines with everything that the loop depends on
    FILE *err;            // receives messages and progress of the steps
    LivePage *live;       // shows the loop; NULL: no page
} LoopSpec;

// The results of a generation, saved in DIR/gen-NNN/result.txt after each step. NULL and NAN:
// unknown.
typedef struct Generation {
    int number;
    char *saved;                           // text of result.txt, which owns the texts below
    const char *date, *revision, *machine; // when and where it began
    const char *selfplay, *tune, *match; // commands of the finished steps; `tune` may be a `train`
    double selfplay_seconds, tune_seconds, match_seconds;
    uint64_t games, positions; // counts of the self-play of this generation
    const char *content_hash;
    double valid_loss_start, valid_loss, valid_loss_error95;
    // The match of the candidate against the champion.
    uint64_t match_games, wins, draws, losses;
    const char *pentanomial;
    double elo, elo_error95, elo_median, ci_low, ci_high, llr, lower, upper;
    const char *decision, *strength;
} Generation;
// Adds the results to an open record.
void generation_record(const Generation *generation, Record *record);
// Appends "stronger: +53 Elo" and `what`, then ", 20 to 86".
void generation_add_strength(const Generation *generation, const char *what, Text *text);
// Returns true if the candidate becomes the champion.
bool generation_promoted(const Generation *generation);
// Returns "promoted", "rejected" or "rejected: not decided".
const char *generation_verdict(const Generation *generation);
// Returns the duration of all steps, NAN if unknown.
double generation_seconds(const Generation *generation);
// Formats a number with its sign if `sign` is set; "-" if it is unknown.
typedef struct Shown {
    char text[32];
} Shown;
Shown shown(double value, int decimals, bool sign);

typedef void LoopGenerationDone(void *context, const Generation *generation);

// Runs the missing generations and calls `done` for every generation, finished ones included. A
// failed step has already printed its error to spec->err.
Status loop_run(const LoopSpec *spec, LoopGenerationDone *done, void *context, Err *err);

// ---- shared by the files of the loop ------------------------------------------------------------

#define GENERATION_PATH                                                                            \
    "%s/gen-%03d/%s" // arguments: spec->dir, number of the generation, file name

// Reads the saved results of a generation; all are unknown if there are none.
Status generation_read(const LoopSpec *spec, int number, Generation *generation, Err *err);
// Saves the results. New texts are copied.
Status generation_save(const LoopSpec *spec, Generation *generation, Err *err);
void generation_clear(Generation *generation);
AUTO_VALUE(Generation, generation_clear)
// Appends the path of the current champion.
void loop_champion(const LoopSpec *spec, Text *path);
// Writes DIR/log.md with the first `count` generations.
Status loop_write_log(const LoopSpec *spec, int count, Err *err);
// Returns true if the command of a step writes a page of its own (--page), DIR/gen-NNN/STEP.html.
bool loop_step_page(const char *step);
// Shows the finished generations, which are those before `number`, and the step that begins now
// (NULL: none) on the page, if there is one.
void loop_page_update(const LoopSpec *spec, int number, const char *step);
// Writes DIR/strength.html: Elo of the candidates against the start, with errors.
Status loop_write_page(const LoopSpec *spec, int count, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// The loop repeats three steps: self-play, fit, and match. The match is an SPRT of the fitted
// candidate against the champion; it promotes or rejects the candidate. Each step is a command of
// Paotai and is called with the words of a command line. Fit and match return their results in a
// struct; the results of self-play are read from its games. The printed output of each step is
// saved in a text file.
//
//   DIR/loop.txt             settings on which the results of the loop depend
//   DIR/start.txt            start weights
//   DIR/gen-001/result.txt   results of the finished steps
//   DIR/gen-001/games/       games that the champion played; output in selfplay.txt
//   DIR/gen-001/weights.txt  fitted weights; report in report.html, output in tune.txt
//   DIR/gen-001/network.net  with --train, network instead of weights; output in train.txt
//   DIR/gen-001/match/       candidate against champion; output in match.txt
//   DIR/gen-001/direct/      last champion, if it is this candidate, against the start weights
//   DIR/champion.txt         current champion; champion.net if it is a network
//   DIR/log.md               one entry per generation, in the form of experiments.md
//   DIR/strength.html        chart of the strength by generation
//
// With --page, selfplay, train and match also write pages, such as DIR/gen-001/match.html.
//
// A run of `paotai loop` that is killed and resumed gives the same weights and, except for dates
// and machines, the same log as an uninterrupted one.
#pragma once

#include "core/base/json.h"
#include "core/command/options.h"
#include "selfplay/pages/live_page.h"

// The options of `paotai loop`, and further members that the command sets.
typedef struct LoopSpec {
    const char *dir;     // directory to which `paotai loop` writes games, weights and log
    const char *weights; // weights of the first champion, the start weights
    // Additional options of the steps, from --selfplay-options, --tune-options and --match-options;
    // NULL: none are added.
    const char *selfplay, *tune, *match;
    uint64_t games, pairs, nodes, seed;
    uint64_t
        direct_pairs; // opening pairs of the match of the last champion against the start, or 0
    int generations;  // total number of generations, including finished ones
    int window;       // a fit uses the games of this number of generations, the newest ones
    int threads;
    double elo0, elo1;
    bool train; // train a network whose score is added to that of the start weights, instead of
                // fitting weights
    bool resume, json, quiet;
    const char *page;     // path of the page of --page; NULL: no page
    const char *identity; // lines with all settings on which the results of the loop depend
    FILE *err;            // stream for messages and progress of the steps
    LivePage *live;       // writer of the page of --page; NULL: no page
} LoopSpec;

// The results of a generation, saved in DIR/gen-NNN/result.txt after each step. A text that is NULL
// and a number that is NAN are unknown.
typedef struct Generation {
    int number;
    char *saved; // text of result.txt; the texts below point into it
    // Date on which the generation began, and revision and machine with which it began.
    const char *date, *revision, *machine;
    // Command lines of the finished steps. With --train, the member `tune` holds the command line
    // of `paotai train`.
    const char *selfplay, *tune, *match;
    double selfplay_seconds, tune_seconds, match_seconds;
    uint64_t games, positions; // numbers of games and positions of this generation's self-play
    const char *content_hash;
    // Validation loss of the start and of the candidate, and the second minus the first.
    double valid_loss_start, valid_loss, valid_loss_error95;
    double valid_loss_change, valid_loss_change_error95;
    // The match of the candidate against the champion.
    uint64_t match_games, wins, draws, losses;
    const char *pentanomial;
    double elo, elo_error95, elo_median, ci_low, ci_high, llr, lower, upper;
    const char *decision; // decision of the SPRT
    // The match of this generation's candidate, the last champion, against the start weights
    // (loop_direct); NULL, 0 and NAN: not played. The Elo is also NAN if one side won every game.
    const char *direct;
    uint64_t direct_games;
    double direct_elo, direct_ci_low, direct_ci_high;
    const char *direct_strength; // "stronger", "weaker", "level within +-5 Elo" or "not decided"
    // "+53 Elo, 20 to 90" or "won every game, at least 210 Elo"; NULL if both sides made the same
    // moves in all games
    const char *direct_interval;
} Generation;
// Adds the results of a generation to a record between record_begin() and record_end().
void generation_record(const Generation *generation, Record *record);
// Appends the Elo of the candidate, the text `what` and the interval: "+53 Elo<what>, 20 to 86", or
// "won every game<what>, at least 210 Elo". The estimate takes the stopping rule of the SPRT into
// account. Without a match, appends only why there was none.
void generation_add_strength(const Generation *generation, const char *what, Text *text);
// Returns true if the candidate becomes the champion.
bool generation_promoted(const Generation *generation);
// Returns the one word about a generation: "promoted", "rejected" or "undecided"; the champion
// stays unless it is "promoted".
const char *generation_verdict(const Generation *generation);
// Appends the word and, if it is "undecided", the reason.
void generation_add_verdict(const Generation *generation, Text *text);
// Returns the duration of all steps of a generation; NAN if unknown.
double generation_seconds(const Generation *generation);
// A number formatted as text; "-" if the number is unknown.
typedef struct Shown {
    char text[32];
} Shown;
Shown shown(double value, int decimals, bool sign);

typedef void LoopGenerationDone(void *context, const Generation *generation);

// Runs the missing generations. Calls `done` for every generation, also for finished ones. A failed
// command has already printed its error to spec->err.
Status loop_run(const LoopSpec *spec, LoopGenerationDone *done, void *context, Err *err);

// The match of the last champion against the start weights.
typedef struct LoopDirect {
    Text directory; // directory of the games; empty if no candidate was promoted
    Text verdict;   // "champion is stronger than start: +53 Elo, 20 to 90 (400 games, 95 %)"
    uint64_t games; // 0 if no candidate was promoted
    // NAN if unknown: no games, one side won all of them, or both sides made the same moves
    double elo, elo_error95, ci_low, ci_high;
} LoopDirect;
void loop_direct_clear(LoopDirect *direct);
AUTO_VALUE(LoopDirect, loop_direct_clear)
// Plays --direct-pairs opening pairs of the last champion against the start weights, unless no
// candidate was promoted. No SPRT stops this match. Says the price first. Saves the result with the
// champion's generation, and updates strength.html and the page of --page. Finished games are not
// played again, and all count, also those of an earlier call with more pairs.
Status loop_direct(const LoopSpec *spec, LoopDirect *direct, Err *err);

// ---- shared by the files of the loop ------------------------------------------------------------

// Format of a path. Its arguments are spec->dir, the number of the generation, and the name of a
// file or directory.
#define GENERATION_PATH "%s/gen-%03d/%s"

// Reads the saved results of a generation. Without a file all results are unknown.
Status generation_read(const LoopSpec *spec, int number, Generation *generation, Err *err);
// Saves the results of a generation. Copies texts that do not belong to generation->saved yet.
Status generation_save(const LoopSpec *spec, Generation *generation, Err *err);
void generation_clear(Generation *generation);
AUTO_VALUE(Generation, generation_clear)
// Writes the path of the current champion to *path, which must be empty.
void loop_champion(const LoopSpec *spec, Text *path);
// Writes DIR/log.md with the first `count` generations.
Status loop_write_log(const LoopSpec *spec, int count, Err *err);
// Returns true if the command of a step writes its own page with --page: DIR/gen-NNN/STEP.html.
bool loop_step_page(const char *step);
// Updates the HTML page of --page, if it was requested. The page shows the finished generations,
// whose numbers are below `number`. If `step` is not NULL, it names the command (such as "tune")
// that generation `number` starts now.
void loop_page_update(const LoopSpec *spec, int number, const char *step);
// Writes DIR/strength.html for the first `count` generations: a chart of the candidates' Elo
// against the start weights, with error bars, and a table.
Status loop_write_page(const LoopSpec *spec, int count, Err *err);

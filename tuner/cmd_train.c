// SPDX-License-Identifier: GPL-3.0-or-later
// paotai train: fits a network to stored games.
#include "tuner/train/train_run.h"

#include <string.h>

#include "core/command/common_rows.h"
#include "core/system/out_file.h"
#include "core/system/ranks.h"
#include "selfplay/run/scheduler.h"
#include "tuner/fit/fit_options.h"

static const OptionRow train_options[] = {
    OPT_TEXT("out", TrainSettings, out, NULL, "FILE", "write the network to this file",
             OPTION_REQUIRED),
    OPT_CHOICE(
        "shape", TrainSettings, shape, "own", "own|fairy",
        "kind of network: of this program, or of Fairy-Stockfish (a file xiangqi-NAME.nnue)"),
    OPT_REAL("scale", TrainSettings, scale, 0.1, 10, "1", "FACTOR",
             "size of the values in Fairy-Stockfish, compared with its classical evaluation"),
    OPT_TEXT("weights", TrainSettings, weights, "default", "NAME|FILE",
             "linear weights to which the network is added, and with which it is compared"),
    OPT_FLAG("alone", TrainSettings, setup.alone,
             "train a network that replaces the linear evaluation"),
    OPT_TEXT("start", TrainSettings, start, NULL, "NAME|FILE",
             "start from the weights of this network, for example best, instead of random weights; "
             "additional hidden units start with random input weights",
             OPTION_NEUTRAL),
    OPT_INT("units", TrainSettings, setup.units, NETWORK_UNITS_STEP, NETWORK_UNITS_MAX, "64", "N",
            "number of hidden units for each side, a multiple of 32"),
    OPT_INT("epochs", TrainSettings, setup.epochs, 0, 10000, "4", "N",
            "number of passes over all training positions"),
    OPT_INT("batch", TrainSettings, setup.batch, 1, 1 << 20, "4096", "N",
            "number of positions in each step; the last step of an epoch may have fewer"),
    OPT_REAL("rate", TrainSettings, setup.rate, 1e-7, 1, "0.001", "RATE",
             "learning rate of the first step; it falls to 2 % of this value"),
    ROW_WEIGH(TrainSettings, setup.fit),
    ROW_LAMBDA(TrainSettings, setup.fit),
    OPT_REAL("decay", TrainSettings, setup.decay, 0, 100, "2", "SHARE",
             "weight decay against overfitting: each step multiplies a weight (not a bias) by 1 - "
             "learning rate "
             "* SHARE; 0: none"),
    OPT_REAL("k", TrainSettings, setup.fit.k, 0, 1, "0", "1/UNITS",
             "slope K of the sigmoid that turns scores into expected results; 0: the K with "
             "which the scores of --weights have the least loss"),
    OPT_REAL("valid-fraction", TrainSettings, setup.fit.valid_fraction, 0.001, 0.9, "0.1", "SHARE",
             "share of the games that is kept for validation; the network of the epoch with the "
             "least loss on these games is saved"),
    OPT_REAL("test-fraction", TrainSettings, setup.fit.test_fraction, 0, 0.9, "0.1", "SHARE",
             "share of the games that is kept for a final measurement; 0: no games"),
    OPT_U64("linear-positions", TrainSettings, linear_positions, "5000000", "N",
            "approximate limit of positions for the fit of linear weights before the training; if "
            "the games have more, the fit uses a random sample of the games; each position needs "
            "up to 168 bytes of memory"),
    OPT_ROW("match-pairs", OPTION_U64, TrainSettings, match_pairs, 0, GAMES_MAX / 2, "100", "N",
            "number of pairs of games in a match of the network against --weights at the end; the "
            "two games of a pair begin with the same opening; 0: no match; no match is played "
            "under MPI or after Ctrl-C",
            OPTION_NEUTRAL),
    OPT_ROW("nodes", OPTION_U64, TrainSettings, nodes, 1, 1e12, "1000", "N",
            "node limit of each search in the match of --match-pairs", OPTION_NEUTRAL),
    OPT_FLAG("resume", TrainSettings, resume,
             "continue an interrupted fit to the same games with the same options; the state of "
             "the fit is in a file named like --out with .part appended",
             OPTION_NEUTRAL),
    ROW_WITH_FAULTS(TrainSettings, setup.fit.with_faults),
    OPT_FLAG(
        "keep", TrainSettings, keep,
        "write the network of the best epoch even if its validation loss is not less than that "
        "of the network before the first epoch",
        OPTION_NEUTRAL),
    ROW_PAGE(TrainSettings, page),
    ROW_FIT_THREADS(TrainSettings, setup.fit),
    OPT_U64("seed", TrainSettings, setup.fit.seed, "1", "N", "seed of all random choices"),
    ROW_JSON(TrainSettings),
    ROW_QUIET(TrainSettings),
    OPTION_END,
};

// Refuses options that have no effect on a network of this shape.
static Status check_shape(const CommandCall *call, Err *err) {
    const TrainSettings *settings = call->settings;
    if (settings->setup.epochs == 0) {
        TRY(command_refuse(call, "batch rate decay resume", "--epochs 0 makes no step", err));
    }
    const char *slash = strrchr(settings->out, '/'), *name = slash ? slash + 1 : settings->out;
    if (settings->shape == TRAIN_OWN) {
        if (settings->setup.epochs == 0 && !settings->start) {
            return err_set(err, STATUS_USAGE, "--epochs 0: give a network with --start");
        }
        return command_refuse(call, "scale", "this option needs --shape fairy", err);
    }
    if (strncmp(name, "xiangqi", 7) != 0 || strchr(settings->out, ':')) {
        return err_set(err, STATUS_USAGE,
                       "--out %s: Fairy-Stockfish loads a network only if its name begins with "
                       "'xiangqi' and its path has no colon; give for example xiangqi-a.nnue",
                       settings->out);
    }
    if (settings->start) {
        TRY(command_refuse(call, "scale", "the network of --start has its own scale", err));
    }
    return command_refuse(call, "units alone",
                          "a network of Fairy-Stockfish has 512 hidden units and plays alone", err);
}

static Status run_train(const CommandCall *call, Err *err) {
    const TrainSettings *settings = call->settings;
    if (settings->setup.units % NETWORK_UNITS_STEP != 0) {
        return err_set(err, STATUS_USAGE, "--units %d: must be a multiple of %d",
                       settings->setup.units, NETWORK_UNITS_STEP);
    }
    TRY(check_shape(call, err));
    TRY(loss_check_k(settings->setup.fit.k, err));
    if (settings->setup.rate * settings->setup.decay >= 1) {
        return err_set(err, STATUS_USAGE,
                       "--rate %g times --decay %g is %g, but must be less than 1, because a step "
                       "multiplies weights by 1 - rate * decay: lower one of them",
                       settings->setup.rate, settings->setup.decay,
                       settings->setup.rate * settings->setup.decay);
    }
    if (settings->match_pairs == 0) {
        TRY(command_refuse(
            call, "nodes",
            "this option limits the searches of the match, but --match-pairs 0 plays none", err));
    }
    if (mpi_size() > 1 && settings->match_pairs > 0) {
        TRY(command_refuse(call, "match-pairs nodes",
                           "no match is played under MPI; use 'paotai match' afterwards", err));
    }
    if (mpi_rank() == 0) TRY(text_check_writable(settings->out, err));
    fit_keep_memory();
    LivePage *page;
    TRY(live_page_open(call, settings->page, &page, err));
    return live_page_close(page, train_run(call, page, err), err);
}

const Command command_train = {
    .name = "train",
    .summary = "train a network, which is added to the weights, on games",
    .usage = "DIR...",
    .details =
        "paotai train build/games --out build/a.net --threads 2\n"
        "paotai train build/own --weights build/loop/champion.txt --out build/a.net\n\n"
        "First, linear weights are fitted to the games, as by 'paotai tune'. The network is "
        "trained with the same targets, slope K, weights of games and division into training, "
        "validation and test games as this fit. The inputs of the network are the "
        "squares of all pieces except the side's own general, whose square selects the input "
        "weights. The score of the network is added to the linear evaluation unless --alone is "
        "given. The epoch is chosen by the loss on the games of --valid-fraction. The games of "
        "--test-fraction do not influence the network; they show by how much its loss is below "
        "that of the linear fit. For own_k_left and for the sentence that compares the network "
        "with "
        "the linear fit, each side has its own best K (k, network_k), fitted to the training "
        "games. All other losses use k. If no epoch has a "
        "validation loss below that of the network before the first epoch, no file is written and "
        "the exit status is 1, unless --keep is given. The fit stops if this loss doubles. "
        "Ctrl-C saves the best network so far; --resume continues after "
        "the "
        "last finished epoch. At the end a match against --weights measures the strength of the "
        "network. The network does not depend on "
        "the number of threads and MPI ranks (at most 4 ranks have work).\n\n"
        "With --shape fairy the file is a network for Fairy-Stockfish. It has 512 hidden units, "
        "replaces the linear evaluation, and begins with the piece values and piece-square tables "
        "of --weights. Its numbers are those of the file during the whole fit, and all losses are "
        "those of the file. With --start FILE.nnue the fit continues from such a network; "
        "--epochs 0 writes it unchanged. The strongest networks so far had --rate 0.002 --decay 1 "
        "--lambda 0 --epochs 8 (E-177).\n\n"
        "paotai train build/games --shape fairy --out xiangqi-a.nnue --threads 2",
    .rows = train_options,
    .settings_size = sizeof(TrainSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = -1,
    .run = run_train,
    .on_ranks = true,
};

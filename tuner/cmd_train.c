// SPDX-License-Identifier: GPL-3.0-or-later
// paotai train: fits a network to stored games.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/base/progress.h"
#include "core/base/ranks.h"
#include "core/base/version.h"
#include "tuner/term/term_match.h"
#include "tuner/train/train.h"
#include "tuner/tune/tune.h"

typedef struct TrainSettings {
    const char *out, *weights, *start;
    TrainSetup setup;
    uint64_t linear_positions, match_pairs, nodes;
    bool resume, json, quiet;
} TrainSettings;

static const OptionRow train_rows[] = {
    OPT_TEXT("out", TrainSettings, out, NULL, "FILE", "file to write the network to",
             OPTION_REQUIRED),
    OPT_TEXT("weights", TrainSettings, weights, "default", "NAME|FILE",
             "linear weights to which the network adds and with which it is compared"),
    OPT_FLAG("alone", TrainSettings, setup.alone,
             "train a network that plays without the linear evaluation"),
    OPT_TEXT("start", TrainSettings, start, NULL, "NAME|FILE",
             "network to start from, such as best: it knows its own games, too; units beyond its "
             "own start at random",
             OPTION_NEUTRAL),
    OPT_INT("units", TrainSettings, setup.units, NETWORK_UNITS_STEP, NETWORK_UNITS_MAX, "64", "N",
            "number of hidden units of each side, a multiple of 32"),
    OPT_INT("epochs", TrainSettings, setup.epochs, 1, 10000, "4", "N",
            "number of passes over all training positions"),
    OPT_INT("batch", TrainSettings, setup.batch, 1, 1 << 20, "4096", "N",
            "number of positions per step"),
    OPT_REAL("rate", TrainSettings, setup.rate, 1e-7, 1, "0.001", "RATE",
             "learning rate of the first step; it falls to 2 % of this value"),
    ROW_WEIGH(TrainSettings, setup.fit),
    ROW_LAMBDA(TrainSettings, setup.fit),
    OPT_REAL("k", TrainSettings, setup.fit.k, 0, 1, "0", "1/UNITS",
             "slope K of the sigmoid; 0: fitted to the linear weights"),
    OPT_REAL(
        "valid-fraction", TrainSettings, setup.fit.valid_fraction, 0.001, 0.9, "0.1", "SHARE",
        "share of the games kept for validation: the epoch with the least loss on them is saved"),
    OPT_REAL("test-fraction", TrainSettings, setup.fit.test_fraction, 0, 0.9, "0.1", "SHARE",
             "share of the games kept for a final measurement only; 0: none"),
    OPT_U64("linear-positions", TrainSettings, linear_positions, "5000000", "N",
            "largest number of positions of the linear fit, at 115 bytes of memory each; it uses a "
            "sample of the games if they have more"),
    OPT_U64("match-pairs", TrainSettings, match_pairs, "100", "N",
            "opening pairs of a match of the network against --weights at the end; 0: no match; "
            "under MPI there is none",
            OPTION_NEUTRAL),
    OPT_U64("nodes", TrainSettings, nodes, "1000", "N", "node limit of each search in that match",
            OPTION_NEUTRAL),
    OPT_FLAG("resume", TrainSettings, resume,
             "resume the fit of the same games and options from OUT.part", OPTION_NEUTRAL),
    ROW_FIT_THREADS(TrainSettings, setup.fit),
    OPT_U64("seed", TrainSettings, setup.fit.seed, "1", "N", "seed of all random choices"),
    ROW_JSON(TrainSettings),
    ROW_QUIET(TrainSettings),
    OPTION_END,
};

// A fit of a network with its input.
typedef struct TrainWork {
    const CommandCall *call;
    const TrainSettings *settings;
    Weights linear;
    TrainData data;
} TrainWork;

// Makes the linear fit of the same games, like `tune --weights`, and reads the positions.
static Status load_data(TrainWork *work, Err *err) {
    const CommandCall *call = work->call;
    const TrainSettings *settings = work->settings;
    FILE *show = settings->quiet ? NULL : call->err;
    FitSetup setup = settings->setup.fit;
    AUTO(FitRecord) none = {0};
    AUTO_FREE TrainLinear *linear = memory_alloc(1, sizeof *linear);
    double start[2 * WEIGHT_COUNT], se[2 * WEIGHT_COUNT];
    TRY(weights_load(settings->weights, &work->linear, err));
    if (show) {
        tune_say_players(call, settings->weights,
                         ": a network learns what its linear weights miss in these games, so "
                         "its loss is better than its play; give the weights that played "
                         "as --weights");
    }
    TRY(tune_read_start(settings->weights, start, se, err));
    setup.prior = tune_setup_of_record(&none).prior;
    TRY(train_linear_fit(call->args, call->arg_count, &setup, start, se, settings->linear_positions,
                         show, linear, err));
    return train_data_read(call->args, call->arg_count, linear, show, &work->data, err);
}

// Losses on the games of a part, and differences of losses with errors by game.
typedef struct PartLosses {
    Estimate linear, fitted, network; // losses of the linear weights, their fit, the network
    Estimate difference, left;        // network minus linear; fitted minus network
} PartLosses;

static PartLosses measure_part(const TrainWork *work, const Network *network, FitPart part) {
    const TrainData *data = &work->data;
    const size_t games = data->game_count;
    const int threads = work->settings->setup.fit.threads;
    const TrainRows *rows = &data->part[part];
    AUTO_FREE double *lists = memory_alloc(games * 4, sizeof *lists);
    double *linear = lists, *losses = lists + games, *counts = lists + 2 * games,
           *fitted = lists + 3 * games;
    train_loss(NULL, data, part, threads, linear);
    train_loss(network, data, part, threads, losses);
    for (size_t i = 0; i < rows->count; i++) {
        counts[rows->list[i].game] += (double)rows->list[i].weight;
    }
    for (size_t i = 0; i < games; i++) fitted[i] = counts[i] > 0 ? data->fitted[i] : 0;
    return (PartLosses){.linear = measure_ratio(linear, counts, games),
                        .fitted = measure_ratio(fitted, counts, games),
                        .network = measure_ratio(losses, counts, games),
                        .difference = measure_change(losses, linear, counts, games),
                        .left = measure_change(fitted, losses, counts, games)};
}

// Prints the losses on the games that chose the epoch, and on the games that chose nothing.
static void print_losses(const TrainWork *work, const Network *network, int epochs) {
    const TrainData *data = &work->data;
    const TrainRows *part = data->part;
    const PartLosses valid = measure_part(work, network, PART_VALID);
    const bool tested = part[PART_TEST].count > 0;
    const PartLosses test = tested ? measure_part(work, network, PART_TEST) : valid;
    if (work->call->result) {
        *(ValidLoss *)work->call->result =
            (ValidLoss){.start = valid.linear, .fitted = valid.network};
    }
    FILE *out = work->call->out;
    Record record;
    record_begin(&record, out, work->settings->json);
    record_add(&record,
               "games %llu positions %zu valid_games %llu valid_positions %zu k %.8f epochs %d "
               "valid_loss_start %.7f linear_fit_loss %.7f valid_loss %.7f valid_loss_error95 %.7f "
               "difference %.7f difference_error95 %.7f left %.7f left_error95 %.7f",
               (unsigned long long)data->games[PART_TRAIN], part[PART_TRAIN].count,
               (unsigned long long)data->games[PART_VALID], part[PART_VALID].count, data->k, epochs,
               valid.linear.value, valid.fitted.value, valid.network.value,
               Z95 * valid.network.error, valid.difference.value, Z95 * valid.difference.error,
               valid.left.value, Z95 * valid.left.error);
    if (tested) {
        record_add(&record,
                   "test_games %llu test_positions %zu test_loss_start %.7f test_linear_fit_loss "
                   "%.7f test_loss %.7f test_loss_error95 %.7f test_difference %.7f "
                   "test_difference_error95 %.7f test_left %.7f test_left_error95 %.7f",
                   (unsigned long long)data->games[PART_TEST], part[PART_TEST].count,
                   test.linear.value, test.fitted.value, test.network.value,
                   Z95 * test.network.error, test.difference.value, Z95 * test.difference.error,
                   test.left.value, Z95 * test.left.error);
    }
    record_end(&record);
    if (work->settings->json) return;
    fprintf(out, "the network's loss is %.4f +- %.4f below that of the linear fit%s\n",
            test.left.value, Z95 * test.left.error,
            tested ? " (games of --test-fraction)"
                   : "; these games chose the best epoch, so the difference is too large");
}

// Runs epochs until the last one or Ctrl-C. `train` then holds the best network.
static Status run_epochs(const TrainWork *work, Train *train, const char *part, Err *err) {
    const TrainSettings *settings = work->settings;
    const double linear =
        train_loss(NULL, &work->data, PART_VALID, settings->setup.fit.threads, NULL);
    const uint64_t count = work->data.part[PART_TRAIN].count;
    Progress progress;
    if (settings->resume) TRY(train_resume(train, part, err));
    progress_init(&progress, work->call->err, settings->quiet, "positions",
                  count * (uint64_t)settings->setup.epochs);
    while (train->epochs_done < settings->setup.epochs && !train->interrupted) {
        double loss;
        TRY(train_epoch(train, &progress, part, &loss, err));
        if (train->interrupted) break;
        record_row(work->call->out, settings->json,
                   "epoch {epoch}%3d  valid {valid_loss}%.7f  linear {linear_loss}%.7f\n",
                   train->epochs_done, loss, linear);
        fflush(work->call->out);
    }
    progress_finish(&progress, count * (uint64_t)train->epochs_done, "");
    return STATUS_OK;
}

// Plays the network against the weights that it was trained with, and prints the verdict. A network
// with the lower loss may still play worse.
static Status play_match(const TrainWork *work, Err *err) {
    const TrainSettings *settings = work->settings;
    FILE *out = work->call->out;
    Progress progress;
    TermMatch match;
    AUTO(Text) text = {0};
    const TermMatchSpec spec = {.with = settings->out,
                                .without = settings->weights,
                                .pairs = settings->match_pairs,
                                .nodes = settings->nodes,
                                .seed = settings->setup.fit.seed,
                                .threads = settings->setup.fit.threads,
                                .progress = &progress};
    progress_init(&progress, work->call->err, settings->quiet, "pairs", spec.pairs);
    const Status status = term_match_play(work->call, &spec, &match, err);
    progress_finish(&progress, (uint64_t)match_counts_pairs(&match.counts), "");
    TRY(status);
    const StrengthVerdict *verdict = &match.verdict;
    Record record;
    record_begin(&record, out, settings->json);
    match_counts_add_pairs(&match.counts, &text);
    record_add(&record, "match_games %lld match_pentanomial %s", term_match_games(&match),
               text.data);
    text_reset(&text);
    strength_verdict_record(&record, verdict, true);
    record_end(&record);
    if (settings->json) return STATUS_OK;
    text_add(&text, "verdict the network against --weights %s: ", settings->weights);
    strength_word_add(&text, verdict);
    text_add(&text, " (");
    strength_interval_add(&text, verdict);
    text_add(&text, ", %lld games)", term_match_games(&match));
    fprintf(out, "%s\n", text.data);
    text_reset(&text);
    strength_more_add(&text, verdict);
    if (text.length > 0) fprintf(out, "%s\n", text.data);
    return STATUS_OK;
}

// Loads the network of --start, if there is one.
static Status load_start(const TrainSettings *settings, Network **network, Err *err) {
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    const int units = settings->setup.units;
    if (!settings->start) return STATUS_OK;
    TRY(network_load(settings->start, &weights, network, hash, err));
    if (!*network) {
        return err_set(err, STATUS_USAGE, "--start %s: is no network but linear weights",
                       settings->start);
    }
    if ((*network)->units <= units && (*network)->linear == !settings->setup.alone) {
        return STATUS_OK;
    }
    return err_set(err, STATUS_USAGE, "--start %s: a network of %d units that plays %s; give %s",
                   settings->start, (*network)->units,
                   (*network)->linear ? "beside the linear evaluation" : "alone",
                   (*network)->units > units ? "more --units" : "the same --alone");
}

static Status run_fit(TrainWork *work, Err *err) {
    const TrainSettings *settings = work->settings;
    AUTO(Text) part = {0};
    AUTO(Train) train = {0};
    text_add(&part, "%s.part", settings->out);
    if (mpi_rank() == 0) {
        ranks_alone(true);
        const Status status = load_data(work, err);
        ranks_alone(false);
        TRY(status);
    }
    TRY(train_data_share(&work->data, err));
    TrainSetup setup = settings->setup;
    AUTO_POINTER(Network) start = NULL;
    TRY(load_start(settings, &start, err));
    setup.start = start;
    train_init(&train, &work->data, &setup);
    TRY(run_epochs(work, &train, part.data, err));
    if (mpi_rank() > 0) return STATUS_OK;
    AUTO_POINTER(Network) network = train_best(&train);
    network->weights = work->linear;
    print_losses(work, network, train.epochs_done);
    Text *text = &network->provenance;
    text_add(text, "made by paotai %s %s: train\n", PAOTAI_VERSION, version_revision());
    command_options_text(work->call, false, text);
    if (start) text_add(text, "start %s\n", start->hash);
    text_add(text, "%sk %.8g\n", text_get(&work->data.runs), work->data.k);
    TRY(network_save(network, settings->out, err));
    record_print(work->call->out, settings->json, "hash %s", network->hash);
    if (train.interrupted) return STATUS_OK;
    unlink(part.data);
    return settings->match_pairs > 0 && mpi_size() == 1 ? play_match(work, err) : STATUS_OK;
}

static Status run_train(const CommandCall *call, Err *err) {
    const TrainSettings *settings = call->settings;
    if (settings->setup.units % NETWORK_UNITS_STEP != 0) {
        return err_set(err, STATUS_USAGE, "--units %d: must be a multiple of %d",
                       settings->setup.units, NETWORK_UNITS_STEP);
    }
    if (settings->match_pairs == 0) {
        TRY(command_refuse(call, "nodes", "there is no match; give --match-pairs, too", err));
    }
    if (mpi_size() > 1 && settings->match_pairs > 0) {
        TRY(command_refuse(call, "match-pairs nodes",
                           "no match is played under MPI; use 'paotai match' afterwards", err));
    }
    if (mpi_rank() == 0) TRY(text_check_writable(settings->out, err));
    TrainWork work = {.call = call, .settings = settings};
    const Status status = run_fit(&work, err);
    train_data_clear(&work.data);
    return status;
}

const Command command_train = {
    .name = "train",
    .summary = "train a network that corrects the linear evaluation on stored games",
    .usage = "DIR...",
    .details =
        "paotai train build/games --out build/a.net --threads 2\n"
        "paotai train build/own --weights build/loop/champion.txt --out build/a.net\n\n"
        "First it makes the linear fit of `tune`, which defines the targets, K, and the weights "
        "and "
        "parts of the games. The input of the network is the squares of all pieces, for each side "
        "relative to its own general. The network adds to the linear evaluation unless --alone is "
        "given. The games of --valid-fraction choose the epoch. The games of --test-fraction "
        "choose nothing; they show how far the network's loss is below that of the linear fit. "
        "Ctrl-C saves the best network so far, and --resume continues. At the end a match against "
        "--weights measures its strength. The network does not depend on the number of threads "
        "and MPI ranks (at most 4 ranks have work).",
    .rows = train_rows,
    .settings_size = sizeof(TrainSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = -1,
    .run = run_train,
    .on_ranks = true,
};

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
#include "tuner/rows/load.h"
#include "tuner/train/train.h"
#include "tuner/tune/tune.h"

typedef struct TrainSettings {
    const char *out, *weights;
    TrainSetup setup;
    bool resume, json, quiet;
} TrainSettings;

static const OptionRow train_rows[] = {
    OPT_TEXT("out", TrainSettings, out, NULL, "FILE", "file for the network", OPTION_REQUIRED),
    OPT_TEXT("weights", TrainSettings, weights, "default", "NAME|FILE",
             "linear weights that the network adds to, and is compared with"),
    OPT_FLAG("alone", TrainSettings, setup.alone,
             "the network plays without the linear evaluation"),
    OPT_INT("units", TrainSettings, setup.units, NETWORK_UNITS_STEP, NETWORK_UNITS_MAX, "64", "N",
            "units of the hidden layer of each side: a multiple of 32"),
    OPT_INT("epochs", TrainSettings, setup.epochs, 1, 10000, "4", "N",
            "how often each position is learned from"),
    OPT_INT("batch", TrainSettings, setup.batch, 1, 1 << 20, "4096", "N", "positions of a step"),
    OPT_REAL("rate", TrainSettings, setup.rate, 1e-7, 1, "0.001", "RATE",
             "length of the first steps; the last are a fiftieth of it"),
    ROW_WEIGH(TrainSettings, setup.fit),
    ROW_LAMBDA(TrainSettings, setup.fit),
    OPT_REAL("k", TrainSettings, setup.fit.k, 0, 1, "0", "1/UNITS",
             "slope of the sigmoid; 0: fitted to the linear weights"),
    OPT_REAL("valid-fraction", TrainSettings, setup.fit.valid_fraction, 0.001, 0.9, "0.1", "SHARE",
             "games kept for validation"),
    OPT_FLAG("resume", TrainSettings, resume,
             "go on with the fit of the same games and options that OUT.part keeps",
             OPTION_NEUTRAL),
    ROW_FIT_THREADS(TrainSettings, setup.fit),
    OPT_U64("seed", TrainSettings, setup.fit.seed, "1", "N", "seed of all random choices"),
    ROW_JSON(TrainSettings),
    ROW_QUIET(TrainSettings),
    OPTION_END,
};

// A fit with what is printed of it.
typedef struct TrainWork {
    const CommandCall *call;
    const TrainSettings *settings;
    Weights linear;
    TrainData data;
    double *fitted; // [games]: losses of the linear fit
    Text runs;      // that were read, a line each
} TrainWork;

// The linear fit of the same games, as `tune --weights` makes it: its targets and K are the
// network's, too.
static Status load_data(TrainWork *work, Err *err) {
    const CommandCall *call = work->call;
    const TrainSettings *settings = work->settings;
    const RowChoice choice = {.boards = true};
    FitSetup setup = settings->setup.fit;
    AUTO(RowSet) rows = {0};
    AUTO(Fit) fit = {0};
    AUTO(FitRecord) none = {0};
    double start[2 * WEIGHT_COUNT], se[2 * WEIGHT_COUNT];
    TRY(weights_load(settings->weights, &work->linear, err));
    TRY(tune_read_start(settings->weights, start, se, err));
    TRY(rows_load(call->args, call->arg_count, &choice, setup.threads,
                  settings->quiet ? NULL : call->err, &rows, err));
    for (int i = 0; i < call->arg_count; i++) {
        text_add(&work->runs, "data %s content_hash %s\n", call->args[i], rows.content[i]);
    }
    setup.prior = tune_setup_of_record(&none).prior;
    setup.prior.se = se;
    fit_init(&fit, &rows, &setup, start);
    TRY(fit_run(&fit, err));
    TRY(train_data_init(&work->data, &fit, err));
    AUTO_FREE double *valid = fit_part_weights(&rows, &setup, PART_VALID);
    fit.loss.game_weight = valid;
    work->fitted = memory_alloc(rows.game_count, sizeof *work->fitted);
    measure_game_losses(&rows, &fit.loss, fit.weights, 1.0, work->fitted, NULL);
    return STATUS_OK;
}

// Losses on the games kept aside, and what the network's is less, with errors by game.
static void print_losses(TrainWork *work, const Network *network, int epochs) {
    const TrainData *data = &work->data;
    const size_t games = data->game_count;
    const int threads = work->settings->setup.fit.threads;
    AUTO_FREE double *lists = memory_alloc(games * 3, sizeof *lists);
    double *linear = lists, *losses = lists + games, *counts = lists + 2 * games;
    const TrainRows *rows = &data->part[PART_VALID];
    train_loss(NULL, data, PART_VALID, threads, linear);
    train_loss(network, data, PART_VALID, threads, losses);
    for (size_t i = 0; i < rows->count; i++) {
        counts[rows->list[i].game] += (double)rows->list[i].weight;
    }
    const Estimate difference = measure_change(losses, linear, counts, games);
    const Estimate left = measure_change(work->fitted, losses, counts, games);
    const Estimate after = measure_ratio(losses, counts, games);
    FILE *out = work->call->out;
    record_print(out, work->settings->json,
                 "games %llu positions %zu valid_games %llu valid_positions %zu k %.8f epochs %d "
                 "valid_loss_start %.7f linear_fit_loss %.7f valid_loss %.7f "
                 "valid_loss_error95 %.7f difference %.7f "
                 "difference_error95 %.7f left %.7f left_error95 %.7f",
                 (unsigned long long)data->games[PART_TRAIN], data->part[PART_TRAIN].count,
                 (unsigned long long)data->games[PART_VALID], rows->count, data->k, epochs,
                 measure_ratio(linear, counts, games).value,
                 measure_ratio(work->fitted, counts, games).value, after.value, Z95 * after.error,
                 difference.value, Z95 * difference.error, left.value, Z95 * left.error);
    if (work->settings->json) return;
    fprintf(out, "the sum of terms, fitted to the same games, leaves %.4f +- %.4f\n", left.value,
            Z95 * left.error);
}

// Epochs until the last one, or Ctrl-C; the net is then the best.
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
    train_init(&train, &work->data, &settings->setup);
    TRY(run_epochs(work, &train, part.data, err));
    if (mpi_rank() > 0) return STATUS_OK;
    AUTO_POINTER(Network) network = train_best(&train);
    network->weights = work->linear;
    print_losses(work, network, train.epochs_done);
    Text *text = &network->provenance;
    text_add(text, "made by paotai %s %s: train\n", PAOTAI_VERSION, version_revision());
    command_options_text(work->call, false, text);
    text_add(text, "%sk %.8g\n", text_get(&work->runs), work->data.k);
    TRY(network_save(network, settings->out, err));
    record_print(work->call->out, settings->json, "hash %s", network->hash);
    if (!train.interrupted) unlink(part.data);
    return STATUS_OK;
}

static Status run_train(const CommandCall *call, Err *err) {
    const TrainSettings *settings = call->settings;
    if (settings->setup.units % NETWORK_UNITS_STEP != 0) {
        return err_set(err, STATUS_USAGE, "--units %d is no multiple of %d", settings->setup.units,
                       NETWORK_UNITS_STEP);
    }
    if (mpi_rank() == 0) TRY(text_check_writable(settings->out, err));
    TrainWork work = {.call = call, .settings = settings};
    const Status status = run_fit(&work, err);
    train_data_clear(&work.data);
    free(work.fitted);
    text_clear(&work.runs);
    return status;
}

const Command command_train = {
    .name = "train",
    .summary = "fit a network to stored games: what the sum of terms leaves",
    .usage = "DIR...",
    .details =
        "paotai train build/games --out build/a.net --threads 2\n"
        "paotai match --a weights=build/a.net --b weights=default --pairs 200\n\n"
        "Targets, K, weights of games and their parts are those of `tune`, whose linear fit is "
        "made first. The network sees the pieces on their points, each side from its own general. "
        "It adds to the linear evaluation, unless --alone is given. The last line says by how much "
        "its loss on the games kept aside is below that of the linear fit. Ctrl-C keeps the best "
        "network so far; --resume goes on. The bits are the same for any number of threads and MPI "
        "ranks (of which up to 4 have work).",
    .rows = train_rows,
    .settings_size = sizeof(TrainSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = -1,
    .run = run_train,
    .on_ranks = true,
};

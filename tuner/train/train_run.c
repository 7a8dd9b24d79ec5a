// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/train/train_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/command/progress.h"
#include "core/system/clock.h"
#include "core/system/ranks.h"
#include "core/system/version.h"
#include "selfplay/contest/weights_match.h"
#include "tuner/fit/fit_options.h"
#include "tuner/rows/row_notes.h"
#include "tuner/train/train_shape.h"

// Loads the weights of --weights and fits linear weights to the games, with the loaded weights as
// start. Then reads the positions for the network.
static Status load_data(const CommandCall *call, Weights *weights, TrainData *data, Err *err) {
    const TrainSettings *settings = call->settings;
    FILE *show = settings->quiet ? NULL : call->err;
    FitSetup setup = settings->setup.fit;
    AUTO_FREE TrainLinear *linear = memory_alloc(1, sizeof *linear);
    double start[2 * WEIGHT_COUNT], se[2 * WEIGHT_COUNT];
    TRY(weights_load(settings->weights, weights, err));
    if (show) {
        rows_say_players(call, settings->weights,
                         ": the network learns to correct --weights, and learns this best from "
                         "games that these weights played; give the weights that played as "
                         "--weights, or the network becomes weaker than its loss suggests");
    }
    TRY(fit_read_start(settings->weights, start, se, err));
    setup.prior = prior_setup_default();
    TRY(train_linear_fit(call->args, call->arg_count, &setup, start, se, settings->linear_positions,
                         show, call->err, linear, err));
    if (linear->results_alone && setup.lambda < 1) {
        static const char why[] =
            "no position has a search score, so the target is the result alone; search the "
            "positions with 'paotai rescore DIR --out SCORED' and train on SCORED";
        TRY(command_refuse(call, "lambda", why, err));
        if (show) fprintf(show, "--lambda has no effect: %s\n", why);
    }
    TRY(train_data_read(call->args, call->arg_count, linear, show, data, err));
    if (data->unknown_results) {
        record_print(call->out, settings->json, "unknown_results %lu", data->unknown_results);
    }
    return STATUS_OK;
}

// Losses on the training, validation or test games, with standard errors that treat games as
// independent.
typedef struct PartLosses {
    // Mean losses of three evaluations: the linear weights of --weights, the linear weights fitted
    // to the games, and the network.
    Estimate linear, fitted, network;
    // Differences of losses: `difference` is `network` minus `linear`, `left` is `fitted` minus
    // `network`. These losses have one K, that of the linear fit. In `own_k_left` the network has
    // its own best K.
    Estimate difference, left, own_k_left;
} PartLosses;

static PartLosses measure_part(const TrainData *data, const Network *network, double network_k,
                               FitPart part, int threads) {
    const size_t games = data->game_count;
    const TrainRows *rows = &data->part[part];
    AUTO_FREE double *lists = memory_alloc(games * 5, sizeof *lists);
    double *linear = lists, *losses = lists + games, *counts = lists + 2 * games,
           *fitted = lists + 3 * games, *own = lists + 4 * games;
    train_loss(NULL, data, data->k, part, threads, linear);
    train_loss(network, data, data->k, part, threads, losses);
    train_loss(network, data, network_k, part, threads, own);
    for (size_t i = 0; i < rows->count; i++) {
        counts[rows->list[i].game] += (double)rows->list[i].weight;
    }
    for (size_t i = 0; i < games; i++) fitted[i] = counts[i] > 0 ? data->fitted[i] : 0;
    return (PartLosses){.linear = measure_ratio(linear, counts, games),
                        .fitted = measure_ratio(fitted, counts, games),
                        .network = measure_ratio(losses, counts, games),
                        .difference = measure_change(losses, linear, counts, games),
                        .left = measure_change(fitted, losses, counts, games),
                        .own_k_left = measure_change(fitted, own, counts, games)};
}

// Prints the losses on the validation games, by which the epoch was chosen, and on the test games.
// Appends the comparison with the linear fit to *verdict.
static void print_losses(const CommandCall *call, const TrainData *data, const Network *network,
                         int epochs, Text *verdict) {
    const TrainSettings *settings = call->settings;
    const int threads = settings->setup.fit.threads;
    const TrainRows *part = data->part;
    const double own = train_best_k(network, data, threads);
    const PartLosses valid = measure_part(data, network, own, PART_VALID, threads);
    const bool tested = part[PART_TEST].count > 0;
    const PartLosses test = tested ? measure_part(data, network, own, PART_TEST, threads) : valid;
    if (call->result) {
        *(ValidLoss *)call->result =
            (ValidLoss){.start = valid.linear, .fitted = valid.network, .change = valid.difference};
    }
    FILE *out = call->out;
    Record record;
    record_begin(&record, out, settings->json);
    record_add(&record,
               "games %llu positions %zu valid_games %llu valid_positions %zu k %.8f network_k "
               "%.8f epochs %d valid_loss_start %.7f linear_fit_loss %.7f valid_loss %.7f "
               "valid_loss_error95 %.7f "
               "difference %.7f difference_error95 %.7f left %.7f left_error95 %.7f",
               (unsigned long long)data->games[PART_TRAIN], part[PART_TRAIN].count,
               (unsigned long long)data->games[PART_VALID], part[PART_VALID].count, data->k, own,
               epochs, valid.linear.value, valid.fitted.value, valid.network.value,
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
    const Estimate *change = &test.own_k_left;
    record_add(&record, "own_k_left %.7f own_k_left_error95 %.7f", change->value,
               Z95 * change->error);
    record_end(&record);
    const char *side = change->value < 0 ? "above" : "below";
    if (fabs(change->value) > Z95 * change->error) {
        text_add(verdict, "the network's loss is %.4f +- %.4f %s that of the linear fit",
                 fabs(change->value), Z95 * change->error, side);
    } else {
        text_add(verdict,
                 "the games do not show whether the network's loss is below that of the linear "
                 "fit (it is %.4f +- %.4f %s)",
                 fabs(change->value), Z95 * change->error, side);
    }
    text_add(verdict, ", each with its own best K%s",
             tested ? " (games of --test-fraction)"
                    : "; these games chose the best epoch, so the difference is overstated");
    if (!settings->json) fprintf(out, "%s\n", verdict->data);
}

// Runs epochs until the last one or Ctrl-C.
static Status run_epochs(const CommandCall *call, Train *train, const char *part, Err *err) {
    const TrainSettings *settings = call->settings;
    const TrainData *data = train->data;
    const double linear =
        train_loss(NULL, data, data->k, PART_VALID, settings->setup.fit.threads, NULL);
    train->curve.linear = linear;
    const uint64_t count = train->data->part[PART_TRAIN].count;
    Progress progress;
    if (settings->resume) TRY(train_resume(train, part, err));
    progress_init(&progress, call->err, settings->quiet, "positions",
                  count * (uint64_t)settings->setup.epochs);
    progress.before = count * (uint64_t)train->epochs_done;
    train->begun_s = clock_now_s();
    train->begun_epochs = train->epochs_done;
    train->rows_done = (double)count * train->epochs_done;
    train_page_update(train, "The network is fitted.");
    while (train->epochs_done < settings->setup.epochs && !train->interrupted && !train->diverged) {
        double loss;
        TRY(train_epoch(train, &progress, part, &loss, err));
        if (train->interrupted) break;
        record_row(call->out, settings->json,
                   "epoch {epoch}%3d  valid {valid_loss}%.7f  linear {linear_loss}%.7f\n",
                   train->epochs_done, loss, linear);
        fflush(call->out);
    }
    progress_finish(&progress, count * (uint64_t)train->epochs_done, "");
    return STATUS_OK;
}

// Says why a fit ended before its last epoch, and by how much the best epoch is below the start.
static void print_start(const CommandCall *call, const Train *train) {
    const TrainSettings *settings = call->settings;
    Record record;
    record_begin(&record, call->out, settings->json);
    record_add(&record, "start_loss %.7f diverged %s", train->start_loss,
               train->diverged ? "yes" : "no");
    record_end(&record);
    if (!train->diverged || settings->quiet) return;
    fprintf(call->err,
            "the fit diverged in epoch %d: the loss is not finite, or above %d times that of the "
            "network before the first epoch (%.7f); lower --rate or --decay\n",
            train->epochs_done, DIVERGED_FACTOR, train->start_loss);
}

// Ends a command whose network is not written, because no epoch was better than the start.
static Status reject(const CommandCall *call, const Train *train) {
    const TrainSettings *settings = call->settings;
    AUTO(Text) text = {0};
    text_add(&text,
             "no epoch was better than the start: the least validation loss of an epoch is %.7f, "
             "that of the network before the first epoch %.7f; no network was written (--keep "
             "writes that of the best epoch)",
             train->best_loss, train->start_loss);
    record_print(call->out, settings->json, "verdict %s", text.data);
    train_page_update(train, text.data);
    if (!call->result) return STATUS_REPORTED;
    ((ValidLoss *)call->result)->rejected = true;
    return STATUS_OK;
}

// Plays the network against the linear weights that it was trained with, and prints the verdict,
// because a network with a lower loss may play worse. Replaces *text by the verdict.
static Status play_match(const CommandCall *call, Text *text, Err *err) {
    const TrainSettings *settings = call->settings;
    FILE *out = call->out;
    Progress progress;
    WeightsMatch match;
    AUTO(Text) pairs = {0}, more = {0};
    const WeightsMatchSpec spec = {.with = settings->out,
                                   .without = settings->weights,
                                   .pairs = settings->match_pairs,
                                   .nodes = settings->nodes,
                                   .seed = settings->setup.fit.seed,
                                   .threads = settings->setup.fit.threads,
                                   .progress = &progress};
    progress_init(&progress, call->err, settings->quiet, "pairs", spec.pairs);
    const Status status = weights_match_play(call, &spec, &match, err);
    progress_finish(&progress, (uint64_t)match_counts_pairs(&match.counts), "");
    TRY(status);
    const StrengthVerdict *verdict = &match.verdict;
    Record record;
    record_begin(&record, out, settings->json);
    match_counts_add_pairs(&match.counts, &pairs);
    record_add(&record, "match_games %lld match_pentanomial %s", weights_match_games(&match),
               pairs.data);
    strength_verdict_record(&record, verdict, true);
    record_end(&record);
    text_reset(text);
    text_add(text, "the network against --weights %s: ", settings->weights);
    strength_word_add(text, verdict);
    text_add(text, " (");
    strength_interval_add(text, verdict);
    text_add(text, ", %lld games)", weights_match_games(&match));
    if (settings->json) return STATUS_OK;
    fprintf(out, "verdict %s\n", text->data);
    strength_more_add(&more, verdict);
    if (more.length > 0) fprintf(out, "%s\n", more.data);
    return STATUS_OK;
}

static Status load_start(const TrainSettings *settings, Network **network, Err *err) {
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    const int units = settings->setup.units;
    if (!settings->start) return STATUS_OK;
    TRY(evaluation_load(settings->start, &weights, network, hash, err));
    if (!*network) {
        return err_set(err, STATUS_USAGE, "--start %s: these are linear weights, not a network",
                       settings->start);
    }
    if (settings->shape == TRAIN_FAIRY && !(*network)->fairy) {
        return err_set(err, STATUS_USAGE, "--start %s: --shape fairy needs a network FILE.nnue",
                       settings->start);
    }
    if (settings->shape == TRAIN_FAIRY) return STATUS_OK;
    TRY(network_require_own(*network, settings->start, err));
    if ((*network)->units <= units && (*network)->linear == !settings->setup.alone) {
        return STATUS_OK;
    }
    return err_set(err, STATUS_USAGE, "--start %s: the network has %d hidden units and %s; give %s",
                   settings->start, (*network)->units,
                   (*network)->linear ? "adds its score to the linear evaluation"
                                      : "plays without the linear evaluation",
                   (*network)->units > units ? "at least as many --units"
                   : (*network)->linear      ? "no --alone"
                                             : "--alone");
}

// Sets what follows from the shape of the network. A network of Fairy-Stockfish keeps the ratio of
// the units with which `train` made it, so its losses remain the same.
static void set_shape(const TrainSettings *settings, TrainSetup *setup) {
    double ratio = 1 / FAIRY_SIZE / settings->scale;
    setup->shape = settings->shape == TRAIN_FAIRY ? &train_shape_fairy : &train_shape_own;
    if (settings->shape != TRAIN_FAIRY) return;
    if (setup->start) {
        const Fairy *start = setup->start->fairy;
        const char *made = strstr(text_get(&start->description), "\nratio ");
        const int told = made ? atoi(made + 7) : 0;
        ratio = told > 0 && told < 1 << 20 ? (double)told / FAIRY_RATIO_OF
                                           : (double)start->ratio / start->ratio_of;
    }
    setup->units = FAIRY_UNITS;
    setup->alone = true;
    setup->ratio = (int)lround(FAIRY_RATIO_OF * ratio);
}

Status train_run(const CommandCall *call, LivePage *page, Err *err) {
    const TrainSettings *settings = call->settings;
    Weights linear;
    AUTO(TrainData) data = {0};
    AUTO(Text) part = {0};
    AUTO(Train) train = {.page = page, .name = settings->out};
    AUTO(Text) verdict = {0};
    TrainSetup setup = settings->setup;
    AUTO_POINTER(Network) start = NULL;
    TRY(load_start(settings, &start, err));
    setup.start = start;
    setup.weights = &linear;
    set_shape(settings, &setup);
    train_page_update(&train, "The games are read and linear weights are fitted to them.");
    text_add(&part, "%s.part", settings->out);
    if (mpi_rank() == 0) {
        ranks_alone(true);
        const Status status = load_data(call, &linear, &data, err);
        ranks_alone(false);
        TRY(status);
    }
    TRY(train_data_share(&data, err));
    // The first parameters of a network of Fairy-Stockfish depend on the weights, and the rank that
    // computes its gradients may be another one than rank 0.
    if (mpi_size() > 1) TRY(ranks_share(&linear, sizeof linear, err));
    train_init(&train, &data, &setup);
    train.page = page;
    train.name = settings->out;
    TRY(run_epochs(call, &train, part.data, err));
    if (mpi_rank() > 0) return STATUS_OK;
    AUTO_POINTER(Network) network = train_best(&train);
    network->weights = linear;
    print_start(call, &train);
    print_losses(call, &data, network, train.epochs_done, &verdict);
    if (!train_is_better(&train) && !settings->keep && setup.epochs > 0) {
        if (!train.interrupted) unlink(part.data);
        return reject(call, &train);
    }
    train_page_update(&train, verdict.data);
    Text *text = &network->provenance;
    text_add(text, "made by paotai %s %s: train\n", PAOTAI_VERSION, version_revision());
    command_given_text(call, false, text);
    command_options_text(call, false, text);
    if (start) text_add(text, "start %s\n", start->hash);
    text_add(text, "%sk %.8g\n", text_get(&data.runs), data.k);
    if (setup.ratio) text_add(text, "ratio %d\n", setup.ratio);
    TRY(network_save(network, settings->out, err));
    record_print(call->out, settings->json, "hash %s", network->hash);
    if (!train.interrupted) unlink(part.data);
    if (!train.interrupted && settings->match_pairs > 0 && mpi_size() == 1) {
        text_reset(&verdict);
        text_add(&verdict, "The network plays a match against --weights %s.", settings->weights);
        train_page_update(&train, verdict.data);
        TRY(play_match(call, &verdict, err));
        train_page_update(&train, verdict.data);
    }
    record_print(call->out, settings->json, "network %s", settings->out);
    return STATUS_OK;
}

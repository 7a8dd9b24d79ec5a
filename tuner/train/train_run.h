// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of `paotai train`: linear fit, epochs, losses, file of the network, and match.
#pragma once

#include "core/command/options.h"
#include "tuner/train/train.h"

// Shapes of networks, in the order of the words of --shape.
enum { TRAIN_OWN, TRAIN_FAIRY };
typedef struct TrainSettings {
    int shape;
    double scale;
    const char *out, *weights, *start, *page;
    TrainSetup setup;
    uint64_t linear_positions, match_pairs, nodes;
    bool resume, keep, json, quiet;
} TrainSettings;

// Trains the network, prints the losses, writes the network's file and plays the match.
// call->settings is a TrainSettings. `page` is NULL without --page.
Status train_run(const CommandCall *call, LivePage *page, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the numbers of nodes that a program reports with its node limit. A program that searches
// other numbers of nodes than requested makes matches at fixed nodes unfair.
#pragma once

#include "datasets/store/record.h"

enum { NODE_RATIO_BINS = 128 };

// Ratios of reported to requested nodes, over the moves of a player. Initialise with zeros.
typedef struct NodeRatios {
    uint64_t moves; // moves with a known number of nodes
    double sum, largest;
    uint64_t bins[NODE_RATIO_BINS]; // numbers of moves in bins of the logarithm of the ratio
} NodeRatios;

// Counts a ratio.
void node_ratios_add(NodeRatios *ratios, double ratio);
// Counts the moves of `side` after the opening of a game. Does nothing if `limit` is 0.
void node_ratios_count(NodeRatios *ratios, uint64_t limit, const GameRecord *record,
                       const PlyRecord *plies, Side side);
double node_ratios_mean(const NodeRatios *ratios);
// Returns the median, with an error of at most 3 %.
double node_ratios_median(const NodeRatios *ratios);
// Returns true if the program does not keep its node limit: the mean is below 0.8 or above 1.1, or
// the largest ratio is above 1.5.
bool node_ratios_differ(const NodeRatios *ratios);
// Appends "uses other than 5000 nodes: 0.97 times as many on average, median 0.90, largest 4.84".
void node_ratios_describe(const NodeRatios *ratios, uint64_t limit, Text *text);

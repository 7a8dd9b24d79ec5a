// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the summary of a store: counts, provenance and histograms.
#pragma once

#include "datasets/store/run.h"
#include "datasets/store/summary.h"

typedef struct SummaryPrint {
    bool json;
    bool verbose;       // print long texts of the provenance in full, as with `json`
    uint64_t requested; // number of games that the option --games of selfplay requested; 0: unknown
    // Name of the command that has not finished writing the run, because it was stopped or still
    // works; NULL: the run is complete.
    const char *unfinished;
} SummaryPrint;

// Prints the counts and the provenance as keys and values and, unless `json` is set, the histograms
// as comment lines.
void summary_print(const StoreSummary *summary, const ProvenanceTexts *made,
                   const SummaryPrint *style, FILE *out);

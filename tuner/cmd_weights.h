// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of `paotai weights` share.
#pragma once

#include "core/base/common_rows.h"
#include "core/eval/weights.h"

typedef struct WeightsSettings {
    const char *out, *term;
    int to;
    bool json;
} WeightsSettings;

#define ROW_OUT                                                                                    \
    OPT_TEXT("out", WeightsSettings, out, NULL, "FILE", "write here, not to standard output")
#define ROW_TERM(help) OPT_TEXT("term", WeightsSettings, term, NULL, "NAME", help)

// Writes a text to --out or to the call's output, and frees it. Returns the exit status.
int weights_deliver(const CommandCall *call, Text *text);

#define WEIGHTS_COMMAND(verb, text_, usage_, count, details_)                                      \
    const Command command_weights_##verb = {                                                       \
        .name = "weights " #verb,                                                                  \
        .summary = text_,                                                                          \
        .usage = usage_,                                                                           \
        .details = details_,                                                                       \
        .rows = verb##_rows,                                                                       \
        .settings_size = sizeof(WeightsSettings),                                                  \
        .min_args = count,                                                                         \
        .max_args = count,                                                                         \
        .run = run_##verb,                                                                         \
    }

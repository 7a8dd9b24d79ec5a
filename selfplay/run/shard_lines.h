// SPDX-License-Identifier: GPL-3.0-or-later
// The line that acknowledges a shard, as scripts read it.
#pragma once

#include <stdio.h>

#include "core/base/options.h"

typedef struct ShardLines {
    FILE *out;
    bool json;
} ShardLines;

// "shard NAME games A:B", or an object with shard, first and end; flushed. `context` is a const
// ShardLines.
void shard_line_print(void *context, const char *name, OptionRange range);

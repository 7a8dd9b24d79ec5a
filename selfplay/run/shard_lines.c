// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/shard_lines.h"

#include "core/base/json.h"

void shard_line_print(void *context, const char *name, OptionRange range) {
    const ShardLines *lines = context;
    if (lines->json) {
        Record record;
        record_begin(&record, lines->out, true);
        record_text(&record, "shard", name);
        record_int(&record, "first", (long long)range.first);
        record_int(&record, "end", (long long)range.end);
        record_end(&record);
    } else {
        fprintf(lines->out, "shard %s games %llu:%llu\n", name, (unsigned long long)range.first,
                (unsigned long long)range.end);
    }
    fflush(lines->out);
}

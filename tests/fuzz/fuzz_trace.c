// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the parser of a trace: lines of an engine about its terms, and then about positions.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tests/fuzz/fuzz.h"
#include "tuner/trace/trace_lines.h"

FUZZ(trace) {
    AUTO(TraceTerms) terms = {.phase_max = 1, .unit = 1};
    AUTO(TraceRow) row = {.count = 0};
    AUTO_FREE char *text = memory_alloc(size + 1, 1);
    Err err = {0};
    char *cursor = text;
    if (size > 0) memcpy(text, data, size);
    for (const char *line; !terms.complete && (line = text_next_field(&cursor, '\n'));) {
        if (trace_terms_add_line(&terms, line, &err) != STATUS_OK) {
            require(*err.text);
            return;
        }
    }
    if (!terms.complete) return;
    require(terms.count > 0 && terms.phase_max >= 1 && terms.unit > 0);
    for (size_t i = 0; i < terms.count; i++) {
        require(terms.terms[i].name[0] && terms.terms[i].unit > 0);
        require(isfinite(terms.terms[i].start[0]) && isfinite(terms.terms[i].start[1]));
    }
    trace_row_init(&row, terms.count);
    for (const char *line; (line = text_next_field(&cursor, '\n'));) {
        if (strncmp(line, "trace ", 6) != 0) continue;
        const Status status = trace_row_parse(&terms, line, &row, &err);
        for (size_t i = 0; i < terms.count; i++) require(!row.seen[i]);
        if (status != STATUS_OK || row.none[0]) continue;
        require(row.count <= terms.count && isfinite(row.value));
        for (size_t i = 0; i < row.count; i++) {
            require(row.index[i] >= 0 && (size_t)row.index[i] < terms.count);
            require(i == 0 || row.index[i] > row.index[i - 1]);
        }
    }
}

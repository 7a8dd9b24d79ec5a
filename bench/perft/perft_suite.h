// SPDX-License-Identifier: GPL-3.0-or-later
// Files of known perft counts: `fen<TAB>depth<TAB>nodes`, a header line allowed, more columns
// ignored.
#pragma once

#include "core/base/text.h"
#include "core/board/position.h"

typedef struct PerftSuite {
    LineReader reader;
} PerftSuite;

// One row. fen is valid until the next row is read.
typedef struct PerftRow {
    size_t line; // number in the file
    const char *fen;
    Position position;
    int depth;      // 1..20
    uint64_t nodes; // the known count
    Err err;        // what is wrong with a row that cannot be used; the rest is then undefined
} PerftRow;

// path "-" is standard input. Close with perft_suite_close(), which reports read errors.
Status perft_suite_open(PerftSuite *suite, const char *path, Err *err);
// True while there is a row, good or bad (row->err.status).
bool perft_suite_next(PerftSuite *suite, PerftRow *row);
Status perft_suite_close(PerftSuite *suite, Err *err);

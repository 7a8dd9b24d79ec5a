// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/perft/perft_suite.h"

#include <string.h>

Status perft_suite_open(PerftSuite *suite, const char *path, Err *err) {
    return line_reader_open(&suite->reader, path, err);
}

static Status parse_row(char *line, PerftRow *row) {
    char *cursor = line;
    row->fen = text_next_field(&cursor, '\t');
    const char *depth = text_next_field(&cursor, '\t');
    const char *nodes = text_next_field(&cursor, '\t');
    if (!row->fen || !depth || !nodes) {
        return err_set(&row->err, STATUS_BAD_INPUT,
                       "want fen, depth and nodes, separated by tabs, got '%.60s'", line);
    }
    Status status = position_from_fen(&row->position, row->fen, &row->err);
    long long plies = 0;
    if (status == STATUS_OK) status = parse_int(depth, 1, 20, &plies, "depth", &row->err);
    if (status == STATUS_OK) status = parse_u64(nodes, &row->nodes, "nodes", &row->err);
    row->depth = (int)plies;
    return status;
}

bool perft_suite_next(PerftSuite *suite, PerftRow *row) {
    LineReader *reader = &suite->reader;
    do {
        if (!line_reader_next_record(reader)) return false;
    } while (reader->number == 1 && strncmp(reader->line, "fen\t", 4) == 0);
    row->line = reader->number;
    row->err = (Err){0};
    parse_row(reader->line, row);
    return true;
}

Status perft_suite_close(PerftSuite *suite, Err *err) {
    return line_reader_close(&suite->reader, err);
}

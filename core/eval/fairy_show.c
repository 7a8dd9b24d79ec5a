// SPDX-License-Identifier: GPL-3.0-or-later
// Prints a network of Fairy-Stockfish, and its values of positions.
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/board/bench_positions.h"
#include "core/eval/fairy.h"
#include "core/system/in_file.h"

typedef struct PieceValues {
    double sum[PIECE_TYPE_COUNT][FAIRY_STACKS]; // in sixteenths of a unit of Fairy-Stockfish
    int count[PIECE_TYPE_COUNT];
} PieceValues;

// Adds what each piece of a position contributes to the psqt sums, from the view of its owner.
static void add_values(const Fairy *fairy, const Position *position, PieceValues *values) {
    Bitboard pieces = position_occupied(position) & ~position->by_type[GENERAL];
    while (pieces) {
        const int square = bb_pop(&pieces);
        const Piece piece = position->board[square];
        const Side us = piece_side(piece), them = side_other(us);
        const int32_t *rows[SIDE_COUNT];
        for (int side = RED; side <= BLACK; side++) {
            rows[side] = fairy->psqt + (size_t)FAIRY_STACKS *
                                           (size_t)fairy_input((Side)side, position->general[side],
                                                               piece, square);
        }
        values->count[piece_type(piece)]++;
        for (int s = 0; s < FAIRY_STACKS; s++) {
            values->sum[piece_type(piece)][s] += (rows[us][s] - rows[them][s]) / 2.0;
        }
    }
}

static void show_piece(PieceType type, const PieceValues *values, bool json, FILE *out) {
    double mean[FAIRY_STACKS];
    for (int s = 0; s < FAIRY_STACKS; s++) {
        mean[s] = values->sum[type][s] / FAIRY_FINE / values->count[type];
    }
    record_row(out, json,
               "{psqt}%-9s {stack_0}%8.1f {stack_1}%8.1f {stack_2}%8.1f {stack_3}%8.1f "
               "{stack_4}%8.1f {stack_5}%8.1f {stack_6}%8.1f {stack_7}%8.1f\n",
               piece_type_name(type), mean[0], mean[1], mean[2], mean[3], mean[4], mean[5], mean[6],
               mean[7]);
}

void fairy_show(const Fairy *fairy, bool json, FILE *out) {
    PieceValues values = {0};
    AUTO(Text) description = {0};
    char ratio[32];
    for (size_t i = 0; i < BENCH_POSITION_COUNT; i++) {
        Position position;
        if (position_from_fen(&position, bench_fens[i], NULL) == STATUS_OK) {
            add_values(fairy, &position, &values);
        }
    }
    text_add(&description, "%s", text_get(&fairy->description)); // up to its first zero byte
    text_make_printable(description.data);
    snprintf(ratio, sizeof ratio, "%d/%d", fairy->ratio, fairy->ratio_of);
    record_print(out, json, "kind %s", "Fairy-Stockfish");
    record_print(out, json, "inputs %d", FAIRY_INPUTS);
    record_print(out, json, "units %d", FAIRY_UNITS);
    record_print(out, json, "stacks %d", FAIRY_STACKS);
    record_print(out, json, "layers %s", "16,32,1");
    record_print(out, json, "description %s", text_get(&description));
    record_print(out, json, "hash %s", fairy->hash);
    record_print(out, json, "chariot %.1f", fairy->chariot);
    record_print(out, json, "calibrated %s", fairy->calibrated ? "yes" : "no");
    record_print(out, json, "ratio %s", ratio);
    if (!json) {
        fprintf(out, "%-9s", "psqt");
        for (int s = 0; s < FAIRY_STACKS; s++) fprintf(out, "  stack %d", s);
        fprintf(out, "   (units of Fairy-Stockfish)\n");
    }
    for (int type = GENERAL + 1; type <= SOLDIER; type++) {
        show_piece((PieceType)type, &values, json, out);
    }
}

static void print_parts(const char *fen, int stack, const FairyParts *parts, bool json, FILE *out) {
    if (json) {
        long long psqt[FAIRY_STACKS], output[FAIRY_STACKS];
        for (int s = 0; s < FAIRY_STACKS; s++) {
            psqt[s] = parts->psqt[s];
            output[s] = parts->output[s];
        }
        Record record;
        record_begin(&record, out, true);
        record_add(&record, "fen %s stack %d", fen, stack);
        record_ints(&record, "psqt", psqt, FAIRY_STACKS);
        record_ints(&record, "output", output, FAIRY_STACKS);
        record_end(&record);
        return;
    }
    fprintf(out, "%s\t%d\t", fen, stack);
    for (int s = 0; s < FAIRY_STACKS; s++) {
        fprintf(out, "%s%d,%d", s ? " " : "", parts->psqt[s], parts->output[s]);
    }
    fprintf(out, "\n");
}

Status fairy_probe(const Fairy *fairy, const char *path, bool json, FILE *out, Err *err) {
    LineReader reader;
    const size_t size = PALACE_COUNT * PALACE_COUNT * sizeof(FairySums);
    AUTO_FREE FairySums *cache = memory_aligned(64, size);
    bool failed = false;
    memset(cache, 0, size);
    TRY(line_reader_open(&reader, path, err));
    while (line_reader_next_record(&reader)) {
        FairyParts parts;
        Position position;
        char *cursor = reader.line, *fen = text_trim(text_next_field(&cursor, '\t'));
        if (position_from_fen(&position, fen, err) != STATUS_OK) {
            record_bad_line(out, json, reader.number, err->text);
            failed = true;
            continue;
        }
        fairy_parts(fairy, (void *)cache, &position, &parts);
        print_parts(fen, fairy_stack(bb_count(position_occupied(&position))), &parts, json, out);
    }
    TRY(line_reader_close(&reader, err));
    return failed ? STATUS_REPORTED : STATUS_OK;
}

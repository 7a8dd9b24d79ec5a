// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of movement: perft, FEN, and properties of positions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/board/position.h"
#include "tests/core/positions.h"
#include "tests/test.h"

static uint64_t perft(const Position *position, int depth) {
    MoveList list;
    position_legal_moves(position, &list);
    if (depth <= 1) return depth == 1 ? (uint64_t)list.count : 1;
    uint64_t nodes = 0;
    for (int i = 0; i < list.count; i++) {
        Position after;
        position_do_move(position, list.moves[i], &after);
        nodes += perft(&after, depth - 1);
    }
    return nodes;
}

// tests/data/perft.tsv: known answers, origin in the file's last column. Up to 10 M nodes a row,
// all rows in the full tests.
void test_perft_known_answers(TestContext *t) {
    char path[512];
    snprintf(path, sizeof path, "%s/perft.tsv", t->data);
    LineReader reader;
    Err err = {0};
    if (!CHECK_MSG(line_reader_open(&reader, path, &err) == STATUS_OK, "%s", err.text)) return;
    line_reader_next(&reader); // header
    int rows = 0;
    while (line_reader_next_record(&reader)) {
        char *cursor = reader.line;
        const char *fen = text_next_field(&cursor, '\t');
        const char *depth = text_next_field(&cursor, '\t');
        const uint64_t expected = strtoull(text_next_field(&cursor, '\t'), NULL, 10);
        if (expected > (t->full ? UINT64_C(300000000) : UINT64_C(10000000))) continue;
        Position position;
        if (!CHECK_MSG(position_from_fen(&position, fen, &err) == STATUS_OK, "%s: %s", fen,
                       err.text)) {
            continue;
        }
        const uint64_t got = perft(&position, atoi(depth));
        CHECK_MSG(got == expected, "line %zu: %llu nodes, expected %llu", reader.number,
                  (unsigned long long)got, (unsigned long long)expected);
        rows++;
    }
    line_reader_close(&reader, NULL);
    CHECK_MSG(rows > 200, "only %d rows read", rows);
}

void test_fen_round_trips(TestContext *t) {
    static const char *const fens[] = {
        START_FEN,
        "4k4/9/9/9/9/9/9/9/4p4/3K5 b - - 17 93",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Position position;
        Err err = {0};
        char fen[FEN_SIZE];
        if (!CHECK_MSG(position_from_fen(&position, fens[i], &err) == STATUS_OK, "%s", err.text))
            continue;
        position_to_fen(&position, FEN_UCI, fen);
        CHECK_TEXT(fen, fens[i]);
    }
    Position position;
    Err err = {0};
    char fen[FEN_SIZE];
    CHECK(position_from_fen(&position,
                            "rhmgkaenr/9/1c5c1/s1p1s1p1p/9/9/P1P1S1P1P/1C5C1/9/RNMGKAEHR r",
                            &err) == STATUS_OK);
    position_to_fen(&position, FEN_CECP, fen);
    CHECK_TEXT(fen, "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 0 1");
    position_to_fen(&position, FEN_QH, fen);
    CHECK_TEXT(fen, "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - - 1");
}

void test_fen_refusals(TestContext *t) {
    static const struct {
        const char *fen, *word; // the error must contain the word
    } cases[] = {
        {"", "field"},
        {"4k4/9/9/9/9/9/9/9/9/4K4 w", "face"},
        {"4k4/9/9/9/9/9/9/9/9/3K5 x", "side"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position position;
        Err err = {0};
        CHECK_MSG(position_from_fen(&position, cases[i].fen, &err) == STATUS_BAD_INPUT,
                  "%s was taken", cases[i].fen);
        CHECK_MSG(strstr(err.text, cases[i].word) != NULL, "'%s' does not say '%s'", err.text,
                  cases[i].word);
    }
}

// Legality found in three ways agrees: by making the move, by position_is_legal(), and by the
// position's exposure; the legal moves are the pseudo-legal ones without the illegal, in order.
static void check_legality(TestContext *t, const Position *position) {
    const Side us = (Side)position->stm;
    char fen[FEN_SIZE], text[5];
    position_to_fen(position, FEN_UCI, fen);
    MoveList pseudo, legal;
    position_pseudo_moves(position, &pseudo);
    position_legal_moves(position, &legal);
    Exposure exposure;
    position_exposure(position, &exposure);
    CHECK_MSG(exposure.in_check == position_in_check(position), "check or not: %s", fen);
    int kept = 0;
    for (int i = 0; i < pseudo.count; i++) {
        const Move move = pseudo.moves[i];
        Position after;
        position_do_move(position, move, &after);
        const bool good = !position_general_attacked(&after, us);
        move_to_uci(move, text);
        CHECK_MSG(position_is_legal(position, move) == good, "%s in %s", text, fen);
        CHECK_MSG(position_is_legal_exposed(position, &exposure, move) == good, "%s in %s, exposed",
                  text, fen);
        if (good) CHECK_MSG(kept < legal.count && legal.moves[kept] == move, "order in %s", fen);
        kept += good;
    }
    CHECK_INT(legal.count, kept);
    CHECK_MSG(position_no_legal_move(position) == (kept == 0), "no legal move in %s", fen);
}

void test_position_legality(TestContext *t) {
    Random random;
    random_init(&random, 4, 0);
    Position position, placed;
    position_init_start(&position);
    const int count = t->full ? 200000 : 5000;
    for (int i = 0; i < count; i++) {
        positions_random_step(&random, &position);
        check_legality(t, &position);
        if (positions_random_siege(&random, &placed)) check_legality(t, &placed);
        if (i % 4 == 0 && positions_random_crowd(&random, &placed)) check_legality(t, &placed);
    }
}

// Along random games: the incremental state equals the rebuilt one; captures and quiets together
// are the pseudo-legal moves; is_pseudo_legal agrees with the generator on all 16-bit values;
// colour swap and mirror keep the number of legal moves.
void test_position_properties(TestContext *t) {
    Random random;
    random_init(&random, 1, 0);
    for (int game = 0; game < 40; game++) {
        Position position;
        position_init_start(&position);
        for (int ply = 0; ply < 120; ply++) {
            MoveList legal, part, other;
            position_legal_moves(&position, &legal);
            if (legal.count == 0) break;
            CHECK(position_is_consistent(&position));
            position_captures(&position, &part);
            position_quiets(&position, &other);
            MoveList pseudo;
            position_pseudo_moves(&position, &pseudo);
            CHECK_INT(part.count + other.count, pseudo.count);
            Position image;
            position_swap_colours(&position, &image);
            position_legal_moves(&image, &part);
            CHECK_INT(part.count, legal.count);
            position_mirror(&position, &image);
            position_legal_moves(&image, &part);
            CHECK_INT(part.count, legal.count);
            if (ply % 10 == 0) {
                int count = 0;
                for (unsigned move = 0; move < 65536; move++) {
                    count += position_is_pseudo_legal(&position, (Move)move);
                }
                CHECK_INT(count, pseudo.count);
            }
            const uint64_t pick = random_below(&random, (uint64_t)legal.count);
            Position after;
            position_do_move(&position, legal.moves[pick], &after);
            position = after;
        }
    }
}

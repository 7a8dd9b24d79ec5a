// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/datasets/format_games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/base/random.h"

// ---- games to write ----------------------------------------------------------------------------

static PlyRecord random_ply(Random *random, const MoveList *list, bool searched) {
    const Move move = list->moves[random_below(random, (uint64_t)list->count)];
    PlyRecord ply = {.move = move, .score_red = SCORE_UNKNOWN, .sampled = true};
    if (!searched) return ply;
    const Move best = list->moves[random_below(random, (uint64_t)list->count)];
    ply.best = best == move ? MOVE_NONE : best;
    ply.depth = (uint8_t)random_below(random, 30);
    ply.nodes = (uint32_t)random_below(random, 1u << 20);
    const int value = (int)random_below(random, 401) - 200;
    if (value != 0 && random_below(random, 5) == 0) {
        ply.mate_red = (int16_t)value;
        ply.score_red = 0;
    } else {
        ply.score_red = (int16_t)(value * 100 + value);
    }
    return ply;
}

// Random legal moves; the first `opening` of them unsearched.
static void make_game(uint64_t index, const char *fen, uint32_t plies, TestGame *made) {
    Random random;
    random_init(&random, 2718, index);
    *made = (TestGame){.record = {.index = index,
                                  .reason = END_MAX_PLIES,
                                  .result = (int8_t)((int)(index % 3) - 1),
                                  .opening_plies = index % 4 ? 4 : 0}};
    if (position_from_fen(&made->record.start, fen, NULL) != STATUS_OK) abort();
    Position now = made->record.start;
    while (made->record.ply_count < plies) {
        MoveList list;
        position_legal_moves(&now, &list);
        if (list.count == 0) break;
        const uint32_t ply = made->record.ply_count++;
        made->plies[ply] = random_ply(&random, &list, ply >= made->record.opening_plies);
        Position after;
        position_do_move(&now, made->plies[ply].move, &after);
        now = after;
    }
    if (made->record.opening_plies > made->record.ply_count) {
        made->record.opening_plies = made->record.ply_count;
    }
}

// Three moves of Red first; the opening are these.
static void make_odds_game(TestGame *made) {
    static const char *const moves[] = {"h2e2", "b0c2", "h0g2", "h9g7", "c3c4"};
    *made = (TestGame){.record = {.index = 77, .result = 1, .extra_plies = 2, .ply_count = 5}};
    snprintf(made->record.odds, sizeof made->record.odds, "3moves");
    position_init_start(&made->record.start);
    for (int i = 0; i < 5; i++) {
        made->plies[i] = (PlyRecord){
            .move = move_from_uci(moves[i]), .score_red = SCORE_UNKNOWN, .sampled = true};
    }
}

TestGame *make_test_games(void) {
    TestGame *games = memory_aligned(_Alignof(TestGame), TEST_GAMES * sizeof *games);
    for (int i = 0; i < TEST_GAMES - 1; i++) {
        make_game((uint64_t)i, i % 3 ? START_FEN : ENDGAME_FEN, 10 + 5 * (uint32_t)i, &games[i]);
    }
    make_odds_game(&games[TEST_GAMES - 1]);
    return games;
}

// ---- files -------------------------------------------------------------------------------------

void write_scratch_file(TestContext *t, const char *name, const char *data, size_t length,
                        char *path, size_t size) {
    Err err = {0};
    snprintf(path, size, "%s/%s", t->scratch, name);
    CHECK_OK(text_write_file(path, data, length, &err), err);
}

void read_all_games(TestContext *t, const char *bytes, size_t length, FormatId id, int system,
                    bool fill, Text *uci, Text *reasons) {
    char path[512];
    write_scratch_file(t, "text", bytes, length, path, sizeof path);
    const ReadSettings settings = {.system = system, .fill_moves = fill};
    SourceReader reader;
    SourceGame source;
    SourceText cut;
    Err err = {0};
    source_game_init(&source);
    const GameFormat *format = id == FORMAT_COUNT ? NULL : game_format(id);
    CHECK_OK(source_reader_open(&reader, path, format, &settings, &err), err);
    while (source_reader_next(&reader, &cut, &err)) {
        if (cut.broken) { // there is no game in it
            free(cut.data);
            continue;
        }
        if (cut.number > 1) text_add(uci, " | ");
        err = (Err){0};
        const ImportRefusal refusal = source_text_read(&cut, &settings, &source, &err);
        free(cut.data);
        for (size_t i = 0; refusal == IMPORT_KEPT && i < source.game.count; i++) {
            char move[5];
            move_to_uci(source.game.plies[i].move, move);
            text_add(uci, "%s ", move);
        }
        if (refusal == IMPORT_KEPT) {
            text_add(uci, "%s", source.has_result ? result_to_text(source.record.result) : "*");
        } else {
            text_add(uci, "%s@%zu", import_refusal_name(refusal),
                     cut.line ? cut.line + source.line : cut.offset);
            text_add(reasons, "%s\n", err.text);
        }
    }
    source_reader_close(&reader);
    source_game_clear(&source);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that damaged stores are detected: truncated files, flipped bits, and wrong values.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/system/in_file.h"
#include "core/system/out_file.h"
#include "datasets/store/store.h"
#include "datasets/store/verify.h"
#include "tests/test.h"

static const Provenance test_provenance = {
    .kind = "selfplay", .rules = {.data = (char[]){"axf"}}, .seed = 7};

// Makes the records of three games of 12 random plies each, which end as draws by their length.
static void make_rows(GameBatch *rows) {
    *rows = (GameBatch){0};
    for (uint64_t index = 0; index < 3; index++) {
        GameRecord record = {.index = index,
                             .ply_count = 12,
                             .end_ply = 12,
                             .reason = END_MAX_PLIES,
                             .end_reason = END_MAX_PLIES};
        PlyRecord plies[12];
        Random random;
        random_init(&random, 815, index);
        position_init_start(&record.start);
        GameWalk walk;
        game_walk_init(&walk, &record);
        for (int i = 0; i < 12; i++) {
            MoveList list;
            position_legal_moves(&walk.position, &list);
            plies[i] = (PlyRecord){.move = list.moves[random_below(&random, (uint64_t)list.count)],
                                   .score_red = (int16_t)(i * 10),
                                   .sampled = i % 3 == 1};
            game_walk_step(&walk, &record, plies[i].move);
        }
        game_batch_append(rows, &record, plies, NULL);
    }
    Err err = {0};
    if (game_batch_derive(rows, &err) != STATUS_OK) abort();
}

static void path_in_scratch(const TestContext *t, const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s", t->scratch, name);
}

// ---- damaged files -----------------------------------------------------------------------------

// Reads a whole shard, checks its records, and writes its content hash to `hex`.
static Status read_all(const char *path, char hex[SHA256_HEX_SIZE], Err *err) {
    AUTO_POINTER(ShardReader) reader = NULL;
    AUTO(GameBatch) rows = {0};
    TRY(shard_reader_open(path, &reader, err));
    TRY(shard_reader_next(reader, 0, &rows, err));
    content_hash_batch(&rows, hex);
    return game_batch_check(&rows, err);
}

// Checks that a damaged file is either refused with a message that names the file, or has the
// original content because an unused byte was damaged. Returns true if the file was refused.
static bool check_damaged(TestContext *t, const char *path, const char *data, size_t size,
                          const char *good, const char *what, size_t at) {
    char hex[SHA256_HEX_SIZE];
    Err err = {0};
    // Do not use text_write_file(), which would call fsync() for each file.
    FILE *file = fopen(path, "wb");
    if (!CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0)) return false;
    const Status status = read_all(path, hex, &err);
    if (status == STATUS_OK) {
        CHECK_MSG(strcmp(hex, good) == 0,
                  "%s at byte %zu: the content differs, but there was no error", what, at);
        return false;
    }
    CHECK_MSG(err.text[0] != '\0' && strstr(err.text, path),
              "%s at byte %zu: the message '%s' does not name the file", what, at, err.text);
    return true;
}

void test_store_damaged_files(TestContext *t) {
    char path[512], good[SHA256_HEX_SIZE], *data = NULL;
    size_t size = 0, seen = 0, flips = 0;
    Err err = {0};
    AUTO(GameBatch) rows;
    make_rows(&rows);
    path_in_scratch(t, "damaged.h5", path, sizeof path);
    content_hash_batch(&rows, good);
    CHECK_OK(shard_write_file(path, &rows, (OptionRange){0, 3}, &test_provenance, &err), err);
    if (!CHECK(text_read_file(path, &data, &size, &err) == STATUS_OK)) return;
    char *copy = memory_alloc(size, 1);
    const size_t step = t->full ? 1 : 13;
    for (size_t at = 0; at < size; at += step, flips++) {
        memcpy(copy, data, size);
        copy[at] = (char)(copy[at] ^ (1 << at % 8));
        seen += check_damaged(t, path, copy, size, good, "flip", at);
    }
    // A flipped bit in the description of a column or in unused space may stay unnoticed. More than
    // half of the flipped bits must be noticed.
    CHECK_MSG(seen * 2 > flips, "only %zu of %zu flipped bits were noticed", seen, flips);
    for (size_t length = 0; length < size; length += size / 50 + 1) {
        CHECK_MSG(check_damaged(t, path, data, length, good, "truncation", length),
                  "the file was truncated to %zu bytes and accepted", length);
    }
    memset(copy, 'x', size);
    CHECK(check_damaged(t, path, copy, size, good, "not HDF5", 0));
    free(copy);
    free(data);
}

// ---- files with wrong values -------------------------------------------------------------------

typedef struct Found {
    Text text;
    int count;
} Found;

static void take_fault(void *context, const char *path, const char *what) {
    Found *found = context;
    text_add(&found->text, "%s: %s\n", path, what);
    found->count++;
}

// Writes the records to a file, verifies it, and looks for the text `expected` among the faults. If
// `expected` is NULL, there must be no fault.
static void check_faults(TestContext *t, const char *name, const GameBatch *rows,
                         const char *expected) {
    char path[512];
    Err err = {0};
    Found found = {0};
    VerifyReport report;
    path_in_scratch(t, "false.h5", path, sizeof path);
    CHECK_MSG(shard_write_file(path, rows, (OptionRange){0, 3}, &test_provenance, &err) ==
                  STATUS_OK,
              "%s: %s", name, err.text);
    CHECK_MSG(store_verify(path, 2, NULL, take_fault, &found, &report, &err) == STATUS_OK, "%s: %s",
              name, err.text);
    const char *text = text_get(&found.text);
    if (expected) {
        CHECK_MSG(strstr(text, expected), "%s: expected '%s' among the faults: %s", name, expected,
                  text);
        CHECK_MSG(report.faults > 0, "%s", name);
    } else {
        CHECK_MSG(report.faults == 0, "%s: %s", name, text);
    }
    CHECK_INT(report.faults, found.count);
    text_clear(&found.text);
}

// Each entry F(name, change, expected fault) changes values of the second game, which has the plies
// 12 to 23 and the positions 4 to 7 of the store. The entry "index" changes the third game.
#define FALSE_VALUES(F)                                                                            \
    F("result", games[1].result = 1, "game 1: the end reason max_plies needs a draw")              \
    F("reason", games[1].reason = games[1].end_reason = END_CHECKMATE,                             \
      "game 1: the end reason is checkmate")                                                       \
    F("resign", games[1].reason = games[1].end_reason = END_RESIGN_ADJUDICATION,                   \
      "game 1: the result is a draw, but the end reason resign_adjudication needs a winner")       \
    F("forfeit", games[1].reason = games[1].end_reason = END_TIME_FORFEIT,                         \
      "game 1: the end reason is time_forfeit, so the side to move loses")                         \
    F("fault", games[1].reason = games[1].end_reason = END_PROTOCOL_FAULT,                         \
      "game 1: the end reason is protocol_fault, so the side to move loses")                       \
    F("resigned", games[1].reason = games[1].end_reason = END_RESIGNATION,                         \
      "game 1: the end reason is resignation, so the side to move loses")                          \
    F("agreed", (games[1].reason = games[1].end_reason = END_AGREED_DRAW, games[1].result = 1),    \
      "game 1: the end reason agreed_draw needs a draw")                                           \
    F("end_ply", games[1].end_ply = 5, "game 1: the columns end_ply and end_reason")               \
    F("imported", games[1].reason = END_IMPORTED,                                                  \
      "game 1: the columns end_ply 12 and end_reason max_plies are wrong: the referee finds 12 "   \
      "and -")                                                                                     \
    F("opening", games[1].opening_plies = 99, "game 1: extra_plies, opening_plies")                \
    F("start", games[1].start_squares[3] = 7, "game 1: slot")                                      \
    F("index",                                                                                     \
      games[2].index = positions[8].game = positions[9].game = positions[10].game =                \
          positions[11].game = 99,                                                                 \
      "the game's index is not in the range 0:3 of its shard")                                     \
    F("move", plies[14].move = move_make(0, 89), "game 1, ply 3: the move a0i9")                   \
    F("no move", plies[14].move = move_make(127, 89), "game 1, ply 3: the move -")                 \
    F("side", plies[15].side = 0,                                                                  \
      "game 1, ply 4: the column 'side' does not name the side to move")                           \
    F("best", plies[15].best = plies[15].move, "game 1, ply 4: the preferred move")                \
    F("mate", plies[15].mate_red = 3,                                                              \
      "game 1, ply 4: the ply has a mate (mate_red 3), so score_red must be 0, but it is 30")      \
    F("score", plies[16].score_red = 31, "game 1, ply 5: the value in positions/score_red")        \
    F("score", positions[5].score_red = 31, "game 1, ply 5: the value in positions/score_red")     \
    F("squares", positions[5].squares[0] = 5, "game 1, ply 5: the value in positions/squares")     \
    F("position", positions[5].ply = 5, "game 1, ply 5: the value in positions/ply")               \
    F("stm", positions[5].stm ^= 1, "game 1, ply 5: the value in positions/stm")                   \
    F("outcome", positions[5].result = -1, "game 1, ply 5: the value in positions/result")

void test_store_verify_finds(TestContext *t) {
    GameBatch rows;
    make_rows(&rows);
    check_faults(t, "true", &rows, NULL);
    game_batch_clear(&rows);
#define F(name, change, expected)                                                                  \
    {                                                                                              \
        make_rows(&rows);                                                                          \
        GameRecord *games = rows.games;                                                            \
        PlyRecord *plies = rows.plies;                                                             \
        PositionRecord *positions = rows.positions;                                                \
        change;                                                                                    \
        (void)games, (void)plies, (void)positions;                                                 \
        check_faults(t, name, &rows, expected);                                                    \
        game_batch_clear(&rows);                                                                   \
    }
    FALSE_VALUES(F)
#undef F
}

// Completes a record with the given moves, verifies it, and looks for the expected fault. If
// `expected` is NULL, there must be no fault.
static void check_record(TestContext *t, const char *name, const GameRecord *record,
                         const char *moves, const char *expected) {
    PlyRecord plies[32] = {{0}};
    GameRecord game = *record;
    const char *word;
    size_t length;
    while (text_next_word(&moves, &word, &length))
        plies[game.ply_count++].move = move_from_uci(word);
    game.end_ply = game.ply_count;
    game.end_reason = game.reason;
    AUTO(GameBatch) batch = {0};
    Err err = {0};
    game_batch_append(&batch, &game, plies, NULL);
    CHECK_OK(game_batch_derive(&batch, &err), err);
    check_faults(t, name, &batch, expected);
}

void test_store_verify_finds_ends(TestContext *t) {
    GameRecord game = {.result = 1, .reason = END_CHECKMATE};
    Err err = {0};
    CHECK_OK(position_from_fen(&game.start, "4k4/8R/9/9/9/9/9/9/1R7/3K5 w", &err), err);
    check_record(t, "mate", &game, "b1b9", NULL);
    game.result = -1;
    check_record(t, "other result", &game, "b1b9", "the result is -1, but the referee finds 1");
    game.result = 0;
    game.reason = END_MAX_PLIES;
    check_record(t, "other reason", &game, "b1b9",
                 "the end reason is max_plies, but the referee finds checkmate");
    check_record(t, "too early", &game, "b1b2", NULL);
    game.reason = END_STALEMATE;
    check_record(t, "no end", &game, "b1b2",
                 "the end reason is stalemate, but by the rules the game has not ended");
    // These end reasons cannot be checked against the moves, so verification accepts them. With all
    // of them except a crash, the side to move must lose: after b1b2 this is Black. A crash may
    // have either winner.
    game.result = 1;
    for (int i = 0; i < 5; i++) {
        static const EndReason reasons[] = {END_RESIGNATION, END_PROTOCOL_FAULT, END_CRASH,
                                            END_ILLEGAL_MOVE, END_TIME_FORFEIT};
        game.reason = (uint8_t)reasons[i];
        check_record(t, end_reason_name(reasons[i]), &game, "b1b2", NULL);
    }
    game.result = 0;
    game.reason = END_AGREED_DRAW;
    check_record(t, "agreed draw", &game, "b1b2", NULL);
    // After eight plies the start position occurs for the third time.
    game.reason = END_NO_VIOLATION;
    check_record(t, "loop", &game, "b1b2 e9f9 b2b1 f9e9 b1b2 e9f9 b2b1 f9e9", NULL);
    check_record(t, "runs on", &game, "b1b2 e9f9 b2b1 f9e9 b1b2 e9f9 b2b1 f9e9 b1b2",
                 "game 0, ply 8: the game continues after it ended by the rules (no_violation)");
}

// A handicap concerns the whole game: its start position, its extra moves, and its iron men (pieces
// that cannot be captured).
void test_store_verify_finds_odds(TestContext *t) {
    GameRecord game = {.reason = END_MAX_PLIES};
    Odds odds;
    odds_of_kind(ODDS_ROOK, 0, &odds);
    game.start = odds.start;
    strcpy(game.odds, "rook");
    check_record(t, "iron", &game, "h2e2 h9g7", NULL);
    // With the handicap "rook", the horse on b0 cannot be captured before it has moved. The soldier
    // on a3 can be captured on a4 after its move.
    check_record(t, "iron taken", &game, "h2e2 b7b0", "ply 2: the odds rook forbid the move b7b0");
    check_record(t, "moved", &game, "a3a4 a6a5 h2e2 a5a4", NULL);
    strcpy(game.odds, "1knight");
    check_record(t, "other odds", &game, "h2e2",
                 "the start position or the number of extra moves does not fit the odds 1knight");
    strcpy(game.odds, "mountain");
    check_record(t, "no odds", &game, "h2e2", "there is no handicap 'mountain'");
    odds_of_kind(ODDS_TWO_MOVES, 0, &odds);
    game.start = odds.start;
    strcpy(game.odds, "2moves");
    check_record(t, "no extra plies", &game, "h2e2",
                 "the start position or the number of extra moves does not fit the odds 2moves");
    game.extra_plies = 1;
    check_record(t, "extra move", &game, "h2e2 b0c2 h9g7", NULL);
    odds_of_kind(ODDS_THREE_MOVES, 0, &odds);
    game.extra_plies = 2;
    strcpy(game.odds, "3moves");
    check_record(t, "beyond the river", &game, "h2h9 b2e2 b0c2",
                 "ply 1: the odds 3moves forbid the move h2h9");
}

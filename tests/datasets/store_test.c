// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that a store can be read back unchanged, that the missing games of a run are found,
// that wrong games are not written, and that temporary files are removed.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/system/out_file.h"
#include "datasets/store/run.h"
#include "datasets/store/store.h"
#include "datasets/store/summary.h"
#include "datasets/store/verify.h"
#include "tests/core/positions.h"
#include "tests/test.h"

static const Provenance test_provenance = {
    .kind = "selfplay",
    .command = "test",
    .options = {.data = (char[]){"games=3\nseed=7\n"}},
    .identity = {.data = (char[]){"kind=selfplay\nseed=7\n"}},
    .rules = {.data = (char[]){"axf"}},
    .weights = {.data = (char[]){"classic"}},
    .seed = 7};

// ---- games to store ----------------------------------------------------------------------------

static PlyRecord random_ply(Random *random, const Position *position, const MoveList *list) {
    const Move move = list->moves[random_below(random, (uint64_t)list->count)];
    const Move best = list->moves[random_below(random, (uint64_t)list->count)];
    const bool mate = random_below(random, 10) == 0;
    return (PlyRecord){
        .move = move,
        .best = best == move ? MOVE_NONE : best,
        .score_red = mate ? 0 : (int16_t)((int)random_below(random, 2001) - 1000),
        .mate_red = mate ? (int16_t)(1 + random_below(random, 10)) : 0,
        .depth = (uint8_t)random_below(random, 30),
        .nodes = (uint32_t)random_below(random, 1u << 20),
        .sampled = !position_in_check(position) && random_below(random, 4) == 0,
    };
}

// Appends a game of at most `most` random legal moves to the batch.
static void append_random_game(GameBatch *batch, uint64_t index, const char *fen, uint32_t most) {
    Random random;
    random_init(&random, 4711, index);
    GameRecord record = {.index = index, .reason = END_MAX_PLIES};
    if (position_from_fen(&record.start, fen, NULL) != STATUS_OK) abort();
    AUTO_FREE PlyRecord *plies = memory_alloc(most, sizeof *plies);
    AUTO(Game) game = {0};
    game_init(&game, &record.start);
    for (MoveList list; record.ply_count < most; game_push(&game, plies[record.ply_count++].move)) {
        position_legal_moves(&game.now, &list);
        if (list.count == 0) break;
        plies[record.ply_count] = random_ply(&random, &game.now, &list);
    }
    record.result = (int8_t)((int)random_below(&random, 3) - 1);
    record.end_ply = record.ply_count;
    record.end_reason = record.reason;
    record.opening_plies = record.ply_count < 4 ? record.ply_count : 4;
    record.adjudicated_ply = (uint32_t)random_below(&random, record.ply_count + 1);
    record.adjudicated_result = (int8_t)((int)random_below(&random, 3) - 1);
    record.red_player = (uint8_t)(index % 2);
    record.black_player = (uint8_t)(1 - index % 2);
    if (index % 2) snprintf(record.odds, sizeof record.odds, "horse-%d", (int)index);
    game_batch_append(batch, &record, plies, NULL);
}

#define ENDGAME_FEN "4k4/9/9/9/9/9/9/4C4/4R4/3K5 b - - 17 93"

static void append_games(GameBatch *batch, uint64_t first, uint64_t end) {
    for (uint64_t i = first; i < end; i++) {
        append_random_game(batch, i, i % 5 ? START_FEN : ENDGAME_FEN, 80);
    }
}

// Makes a directory for this test and writes its path to `dir`.
static void make_dir(TestContext *t, const char *name, char *dir, size_t size) {
    Err err = {0};
    snprintf(dir, size, "%s/%s", t->scratch, name);
    CHECK_OK(run_directory_prepare(dir, &err), err);
}

static void write_games(TestContext *t, const char *dir, uint64_t first, uint64_t end) {
    AUTO(GameBatch) batch = {0};
    char name[SHARD_NAME_SIZE];
    Err err = {0};
    append_games(&batch, first, end);
    CHECK_OK(shard_write(dir, &batch, (OptionRange){first, end}, &test_provenance, name, &err),
             err);
}

// ---- round trip --------------------------------------------------------------------------------

static bool same_game(const GameRecord *a, const GameRecord *b) {
    char fen_a[FEN_SIZE], fen_b[FEN_SIZE];
    position_to_fen(&a->start, FEN_UCI, fen_a);
    position_to_fen(&b->start, FEN_UCI, fen_b);
    return a->index == b->index && strcmp(fen_a, fen_b) == 0 && a->ply_count == b->ply_count &&
           a->extra_plies == b->extra_plies && a->opening_plies == b->opening_plies &&
           a->result == b->result && a->reason == b->reason && a->end_ply == b->end_ply &&
           a->end_reason == b->end_reason && a->adjudicated_ply == b->adjudicated_ply &&
           a->adjudicated_result == b->adjudicated_result && a->red_player == b->red_player &&
           a->black_player == b->black_player && strcmp(a->odds, b->odds) == 0;
}

static bool same_ply(const PlyRecord *a, const PlyRecord *b) {
    return a->move == b->move && a->best == b->best && a->score_red == b->score_red &&
           a->mate_red == b->mate_red && a->depth == b->depth && a->nodes == b->nodes &&
           a->sampled == b->sampled;
}

// Checks that the stored positions equal the sampled positions of a replay of the games.
static void check_positions(TestContext *t, const GameBatch *batch, const PositionRecord *positions,
                            size_t count) {
    size_t next = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const GameRecord *game = &batch->games[i];
        Position position = game->start;
        for (uint32_t ply = 0; ply < game->ply_count; ply++) {
            const PlyRecord *played = &batch->plies[game->first_ply + ply];
            if (played->sampled && CHECK(next < count)) {
                const PositionRecord *got = &positions[next++];
                CHECK(got->game == game->index && got->ply == ply && got->move == played->move &&
                      got->score_red == played->score_red && got->mate_red == played->mate_red &&
                      got->result == game->result);
                Position board;
                Err err = {0};
                CHECK(position_record_board(got, &board, &err) == STATUS_OK);
                CHECK(board.key == position.key && position_is_consistent(&board));
            }
            Position after;
            position_do_move(&position, played->move, &after);
            position = after;
        }
    }
    CHECK_INT(next, count);
}

static void check_provenance(TestContext *t, const char *dir) {
    AUTO(ProvenanceTexts) made = {{NULL}};
    AUTO(PathList) files = {0};
    OptionRange requested;
    ProvenanceFaults faults;
    Err err = {0};
    CHECK_OK(store_list_files(dir, &files, &err), err);
    CHECK_OK(provenance_of_files(&files, &made, &requested, &faults, &err), err);
    CHECK(made.seed && strcmp(made.seed, "7") == 0);
    CHECK(made.weights && strcmp(made.weights, "classic") == 0);
    CHECK(made.options && strcmp(made.options, "games=3\nseed=7\n") == 0);
}

void test_store_round_trip(TestContext *t) {
    char dir[512], name[SHARD_NAME_SIZE];
    Err err = {0};
    make_dir(t, "round_trip/run", dir, sizeof dir);
    AUTO(GameBatch) batch = {0}, back = {0};
    append_games(&batch, 10, 60);
    CHECK_OK(shard_write(dir, &batch, (OptionRange){10, 60}, &test_provenance, name, &err), err);
    CHECK_TEXT(name, "shard-00000010-00000060.h5");
    Store *store = NULL;
    if (!CHECK_OK(store_open(dir, &store, &err), err)) return;
    CHECK_INT(store_shard_count(store), 1);
    CHECK_INT(store_game_count(store), 50);
    CHECK_OK(store_read_shard(store, 0, &back, &err), err);
    if (CHECK_INT(back.count, batch.count) && CHECK_INT(back.ply_count, batch.ply_count)) {
        for (size_t i = 0; i < batch.count; i++) {
            CHECK_MSG(same_game(&batch.games[i], &back.games[i]), "game %zu differs", i);
        }
        for (size_t i = 0; i < batch.ply_count; i++) {
            CHECK_MSG(same_ply(&batch.plies[i], &back.plies[i]), "ply %zu differs", i);
        }
    }
    PositionRecord *positions = NULL;
    size_t count = 0;
    CHECK_OK(shard_read_positions(store_shard_path(store, 0), &positions, &count, &err), err);
    CHECK_INT(count, store_position_count(store));
    check_positions(t, &batch, positions, count);
    check_provenance(t, dir);
    free(positions);
    store_close(store);
}

// ---- layout ------------------------------------------------------------------------------------

static void check_missing(TestContext *t, const char *dir, OptionRange wanted,
                          const char *expected) {
    const RunSpec spec = {.dir = dir,
                          .wanted = &wanted,
                          .wanted_count = 1,
                          .resume = true,
                          .provenance = &test_provenance};
    Run run;
    Err err = {0};
    AUTO(Text) text = {0};
    CHECK_OK(run_open(&spec, &run, &err), err);
    for (size_t i = 0; i < run.missing_count; i++) {
        text_add(&text, "%llu:%llu ", (unsigned long long)run.missing[i].first,
                 (unsigned long long)run.missing[i].end);
    }
    CHECK_TEXT(text_get(&text), expected);
    run_close(&run);
}

void test_store_ranges(TestContext *t) {
    char dir[512];
    Err err = {0};
    make_dir(t, "ranges", dir, sizeof dir);
    check_missing(t, dir, (OptionRange){0, 10}, "0:10 ");
    write_games(t, dir, 4, 6);
    write_games(t, dir, 10, 12);
    check_missing(t, dir, (OptionRange){0, 20}, "0:4 6:10 12:20 ");
    check_missing(t, dir, (OptionRange){5, 11}, "6:10 ");
    check_missing(t, dir, (OptionRange){4, 6}, "");
    check_missing(t, dir, (OptionRange){11, 13}, "12:13 ");
    write_games(t, dir, 5, 7);
    Store *store = NULL;
    CHECK(store_open(dir, &store, &err) == STATUS_MISMATCH);
    CHECK_MSG(strstr(err.text, "shard-00000005-00000007.h5") != NULL, "%s", err.text);
    VerifyReport report;
    CHECK(store_verify(dir, 1, NULL, NULL, NULL, &report, &err) == STATUS_OK);
    CHECK(report.faults > 0);
}

void test_store_refuses_to_write(TestContext *t) {
    char dir[512], name[SHARD_NAME_SIZE];
    Err err = {0};
    make_dir(t, "refuses", dir, sizeof dir);
    AUTO(GameBatch) batch = {0};
    append_games(&batch, 3, 6);
    CHECK(shard_write(dir, &batch, (OptionRange){4, 6}, &test_provenance, name, &err) ==
          STATUS_BAD_INPUT);
    CHECK(shard_write(dir, &batch, (OptionRange){3, 5}, &test_provenance, name, &err) ==
          STATUS_BAD_INPUT);
    batch.games[1].index = 3;
    CHECK(shard_write(dir, &batch, (OptionRange){3, 6}, &test_provenance, name, &err) ==
          STATUS_BAD_INPUT);
    batch.games[1].index = 4;
    batch.plies[batch.games[1].first_ply].move = move_from_uci("e4e5");
    CHECK(shard_write(dir, &batch, (OptionRange){3, 6}, &test_provenance, name, &err) ==
          STATUS_BAD_INPUT);
    CHECK_MSG(strstr(err.text, "game 4, ply 1") != NULL, "%s", err.text);
    char missing[600];
    snprintf(missing, sizeof missing, "%s/no/such/place", dir);
    game_batch_clear(&batch);
    append_games(&batch, 3, 6);
    CHECK(shard_write(missing, &batch, (OptionRange){3, 6}, &test_provenance, name, &err) ==
          STATUS_IO);
    DIR *list = opendir(dir);
    int left = 0;
    for (const struct dirent *entry; list && (entry = readdir(list));)
        left += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    if (list) closedir(list);
    CHECK_INT(left, 0);
}

// A setting that only one of two identities has is named alone, with the revision of the program
// that made the run. Settings of equal names are paired, whatever stands between them.
void test_store_identity(TestContext *t) {
    static const struct {
        const char *then, *now, *revision, *message;
    } rows[] = {
        {"kind=match\nseed=1\n", "kind=match\nseed=1\n", "old", NULL},
        {"patience=60\nseed=1\n", "seed=1\n", "old",
         "x was made with 'patience=60', but this command does not have this setting (made by "
         "revision old of the program; this is revision "},
        {"seed=1\n", "patience=60\nseed=1\n", "old",
         "x was made without 'patience=60', but this command has this setting (made by revision "
         "old"},
        {"a=1\nseed=1\nb=2\n", "seed=2\nc=3\n", NULL,
         "x was made with 'a=1', but this command does"},
        {"a=1\nseed=1\n", "a=1\nb=2\nseed=2\n", NULL,
         "x was made with 'seed=1', but this command has 'seed=2': use"},
        {"player=1\nplayer=2\n", "player=1\nplayer=3\n", NULL,
         "x was made with 'player=2', but this command has 'player=3': use"},
        {"player=1\nplayer=2\n", "player=2\nplayer=1\n", NULL,
         "x was made with 'player=1', but this command has 'player=2': use"},
        {"seed=1\nrevision=abc\n", "seed=2\nrevision=def\n", NULL, "(made by revision abc of"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Err err = {0};
        const Status status =
            run_identity_check("x", rows[i].then, rows[i].now, rows[i].revision, &err);
        CHECK_INT(status, rows[i].message ? STATUS_MISMATCH : STATUS_OK);
        CHECK(!rows[i].message || strstr(err.text, rows[i].message));
    }
}

// run_directory_prepare() removes nothing, also not the temporary file of a process that does not
// exist here: the process may run on another host. Opening a run locks its directory, and only then
// removes temporary files, except those that a process has locked. Other files are kept.
void test_store_temporary_files(TestContext *t) {
    char dir[512], dead[600], written[600], foreign[600];
    Err err = {0};
    make_dir(t, "temporary", dir, sizeof dir);
    snprintf(dead, sizeof dead, "%s/.shard-00000000-00000008.h5.tmp.999999999", dir);
    snprintf(written, sizeof written, "%s/.page.html.tmp.999999999", dir);
    snprintf(foreign, sizeof foreign, "%s/notes.tmp.999999999", dir);
    const char *const names[] = {dead, written, foreign};
    for (int i = 0; i < 3; i++) CHECK(text_write_file(names[i], "half", 4, &err) == STATUS_OK);
    const int writer = open(written, O_WRONLY);
    CHECK(file_lock(writer, written));
    CHECK(run_directory_prepare(dir, &err) == STATUS_OK);
    for (int i = 0; i < 3; i++) CHECK(access(names[i], F_OK) == 0);
    // While another process has the lock, the directory is refused, and nothing is removed.
    char lock_path[600];
    snprintf(lock_path, sizeof lock_path, "%s/.lock", dir);
    const int other = open(lock_path, O_RDWR | O_CREAT, 0666);
    CHECK(write(other, "77\nelsewhere\n2026-01-02 03:04:05 UTC\n", 38) == 38);
    CHECK(file_lock(other, lock_path));
    RunLock *lock = NULL;
    CHECK(run_directory_lock(dir, &lock, &err) == STATUS_BUSY);
    CHECK(strstr(err.text, "(PID 77) on host elsewhere, started 2026-01-02 03:04:05 UTC"));
    CHECK(strstr(err.text, "--games A:B") && strstr(err.text, "data merge"));
    for (int i = 0; i < 3; i++) CHECK(access(names[i], F_OK) == 0);
    close(other);
    check_missing(t, dir, (OptionRange){0, 8}, "0:8 ");
    CHECK(access(dead, F_OK) != 0);
    CHECK(access(written, F_OK) == 0);
    CHECK(access(foreign, F_OK) == 0);
    close(writer);
}

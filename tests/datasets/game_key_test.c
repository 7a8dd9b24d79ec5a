// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the content keys of games, by which copies and near copies of games are found.
#include "datasets/store/game_key.h"
#include "tests/test.h"

void test_game_key(TestContext *t) {
    GameRecord game = {.ply_count = 3};
    position_init_start(&game.start);
    const char *const moves[] = {"h2e2", "h9g7", "h0g2"}, *const mirrored[] = {"b2e2", "b9c7",
                                                                               "b0c2"};
    PlyRecord plies[3] = {{0}}, image[3] = {{0}};
    for (int i = 0; i < 3; i++) {
        plies[i].move = move_from_uci(moves[i]);
        image[i].move = move_from_uci(mirrored[i]);
    }
    const uint64_t key = game_content_key(&game, plies, true);
    CHECK(key == game_content_key(&game, image, true));
    CHECK(game_content_key(&game, plies, false) != game_content_key(&game, image, false));
    // The key depends on the start position and the moves, but not on index, result or scores.
    game.index = 77;
    game.result = -1;
    plies[1].score_red = 300;
    CHECK(key == game_content_key(&game, plies, true));
    plies[2].move = move_from_uci("h0i2");
    CHECK(key != game_content_key(&game, plies, true));
    game.ply_count = 2;
    CHECK(game_content_key(&game, plies, true) != key);
    KeySet set = {0};
    for (uint64_t i = 0; i < 5000; i++) CHECK(key_set_add(&set, i * i + 1));
    CHECK(!key_set_add(&set, 1));
    CHECK_INT(set.count, 5000);
    key_set_clear(&set);
    // Games 4 and 9 are variations. Game 4 belongs to game 3 in the previous shard, game 9 to game
    // 8. Game 5 has no sampled positions.
    GameKeys keys = {.list =
                         (GameKey[]){{4, TREE_BEFORE, 0, 11, {0}, 1, 0, {0}, 0, 0, false, false},
                                     {5, 5, 6, 12, {0}, 0, 0, {0}, 0, 0, false, false},
                                     {8, 8, 6, 12, {0}, 1, 0, {0}, 0, 0, false, false},
                                     {9, 8, 6, 11, {0}, 1, 0, {0}, 0, 0, false, false}},
                     .count = 4};
    AUTO(GameLinks) links = {.last = {3, 0, 5}};
    game_keys_link(&keys, 1, &links);
    CHECK(links.last.game == 8 && links.last.source == 1 && keys.copies == 1);
    CHECK(game_keys_tree(&keys, 0, 1).game == 3 && game_keys_tree(&keys, 0, 1).source == 0);
    CHECK(game_keys_tree(&keys, 0, 1).split == 5 && game_keys_tree(&keys, 3, 1).split == 6);
    size_t at = 0;
    CHECK(!game_keys_find(&keys, 3, &at) && game_keys_find(&keys, 4, &at));
    CHECK(!game_keys_find(&keys, 6, &at) && game_keys_find(&keys, 8, &at));
    CHECK(!game_keys_find(&keys, 9, &at) && !game_keys_find(&keys, 10, &at));
}

// Counts the games of a shard that are dropped as copies, and those that are dropped as near
// copies.
static void count_copies(GameRecord *games, const PlyRecord *plies, size_t count, size_t *copies,
                         size_t *near) {
    PositionRecord positions[1] = {{0}};
    GameBatch batch = {
        .games = games, .plies = (PlyRecord *)plies, .positions = positions, .count = count};
    AUTO(GameKeys) keys = {0};
    AUTO(GameLinks) links = {0};
    game_keys_of(&batch, &keys);
    game_keys_link(&keys, 0, &links);
    *copies = keys.copies;
    *near = keys.near_copies;
}

void test_game_key_near(TestContext *t) {
    enum { PLIES = 40 };
    static PlyRecord plies[2 * PLIES];
    size_t copies, near;
    for (int i = 0; i < PLIES; i++) {
        const int from = 7 * i % SQUARE_COUNT, to = (11 * i + 3) % SQUARE_COUNT;
        plies[i].move = plies[PLIES + i].move = move_make(from, to);
    }
    GameRecord games[2] = {
        {.index = 0, .ply_count = PLIES, .position_count = 1},
        {.index = 1, .ply_count = PLIES, .position_count = 1, .first_ply = PLIES}};
    position_from_fen(&games[0].start, "4k4/9/9/9/9/9/4P4/9/3R5/4K4 w - - 0 1", NULL);
    games[1].start = games[0].start;
    count_copies(games, plies, 2, &copies, &near);
    CHECK(copies == 1 && near == 0);
    games[1].ply_count = PLIES - 1;
    count_copies(games, plies, 2, &copies, &near);
    CHECK(copies == 0 && near == 1);
    // Games that differ in the middle are not near copies, although their other moves are equal.
    plies[PLIES + PLIES / 2].move = move_make(0, 1);
    count_copies(games, plies, 2, &copies, &near);
    CHECK(copies == 0 && near == 0);
    // Games are not near copies if all first moves that they share are book moves.
    plies[PLIES + PLIES / 2].move = plies[PLIES / 2].move;
    plies[PLIES + PLIES - 3].move = move_make(0, 1);
    games[1].ply_count = PLIES;
    count_copies(games, plies, 2, &copies, &near);
    CHECK(near == 1);
    games[0].opening_plies = games[1].opening_plies = PLIES - 3;
    count_copies(games, plies, 2, &copies, &near);
    CHECK(near == 0);
    // A game with exchanged colours counts as a near copy.
    games[0].opening_plies = games[1].opening_plies = 0;
    position_from_fen(&games[1].start, "4k4/3r5/9/4p4/9/9/9/9/9/4K4 b - - 0 1", NULL);
    for (int i = 0; i < PLIES; i++) {
        plies[PLIES + i].move =
            move_make(square_flip(move_from(plies[i].move)), square_flip(move_to(plies[i].move)));
    }
    count_copies(games, plies, 2, &copies, &near);
    CHECK(copies == 0 && near == 1);
}

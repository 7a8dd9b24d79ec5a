// SPDX-License-Identifier: GPL-3.0-or-later
// A game by its content.
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
    // Who played, where it is stored and how it ended are not its content; each move is.
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
    const GameKeys copies = {.game = (uint64_t[]){3, 9}, .count = 2};
    size_t at = 0;
    CHECK(!game_keys_find(&copies, 2, &at) && game_keys_find(&copies, 3, &at));
    CHECK(!game_keys_find(&copies, 4, &at) && game_keys_find(&copies, 9, &at));
    CHECK(!game_keys_find(&copies, 10, &at));
}

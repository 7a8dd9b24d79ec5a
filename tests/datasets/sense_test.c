// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the limits of the check whether scores and results make sense together.
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "datasets/store/sense.h"
#include "tests/test.h"

// Adds games of 24 positions, won by Red and Black in turn. In `share` of the positions the side
// that wins is ahead by 400 units, in the others the side that loses. Stores the complaint in
// *text.
static void complain(int games, double share, Text *text) {
    AUTO_FREE Sense *sense = memory_alloc(1, sizeof *sense);
    Random random;
    random_init(&random, 3, 0);
    for (int game = 0; game < games; game++) {
        const int result = game % 2 ? -1 : 1;
        for (int at = 0; at < 24; at++) {
            const int score = random_real(&random) < share ? 400 : -400;
            sense_add(sense, (uint64_t)game, (Side)(at % 2), result * score, 0, result);
        }
    }
    sense_finish(sense);
    text_reset(text);
    sense_complain(sense, text);
}

void test_sense(TestContext *t) {
    AUTO(Text) text = {0};
    for (int games = 4; games <= 400; games *= 10) {
        complain(games, 0.8, &text);
        CHECK_TEXT(text_get(&text), "");
    }
    // Random scores win half of the games.
    complain(200, 0.5, &text);
    CHECK(strstr(text_get(&text), "another view: the side") &&
          strstr(text.data, "wins hardly more often"));
    // Eight games that each side won are enough to find negated scores.
    complain(14, 0.1, &text);
    CHECK_TEXT(text_get(&text), "");
    complain(16, 0.1, &text);
    CHECK(strstr(text_get(&text), "loses more often"));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Games to write in formats, and reading files of any format for tests.
#pragma once

#include "datasets/formats/formats.h"
#include "tests/test.h"

#define ENDGAME_FEN "4k4/9/9/9/9/9/9/4C4/4R4/3K5 b - - 17 93"

typedef struct TestGame {
    GameRecord record;
    PlyRecord plies[80];
} TestGame;

// TEST_GAMES games of random legal moves, with all that a ply can tell; every third begins in an
// endgame, the last is one of odds with two extra moves. The caller frees them.
enum { TEST_GAMES = 12 };
TestGame *make_test_games(void);

// Writes a file of that name into the scratch directory; path receives where.
void write_scratch_file(TestContext *t, const char *name, const char *data, size_t length,
                        char *path, size_t size);

// Reads all records of a file with these bytes; format FORMAT_COUNT: by the content. *uci gets the
// moves of each in coordinates and the result ("*" where it is not told), or the name of the
// refusal and its line (in files without lines: the offset of the record), " | " between them;
// *reasons the errors, a line each.
void read_all_games(TestContext *t, const char *bytes, size_t length, FormatId format, int system,
                    bool fill_moves, Text *uci, Text *reasons);

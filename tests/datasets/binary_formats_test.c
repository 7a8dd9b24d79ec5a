// SPDX-License-Identifier: GPL-3.0-or-later
// The files of Chinese programs: XQF in all versions. The writer here is made from the
// description that datasets/formats/format_xqf.c names; the first game is the author's own example.
// tests/cli/formats.py has CBR and CBL,
// tests/data/games.tsv DhtmlXQ.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "tests/datasets/format_games.h"

// ---- what all writers need ---------------------------------------------------------------------

// The moves and the result as read_all_games() tells them.
static void add_expected(const TestGame *game, Text *expected) {
    for (uint32_t i = 0; i < game->record.ply_count; i++) {
        char uci[5];
        move_to_uci(game->plies[i].move, uci);
        text_add(expected, "%s ", uci);
    }
    text_add(expected, "%s", result_to_text(game->record.result));
}

static int result_code(const TestGame *game) {
    return game->record.result > 0 ? 1 : game->record.result < 0 ? 2 : 3;
}

// The squares of the men in the order of XQF and DhtmlXQ; SQUARE_NONE for who is not there.
static void list_men(const Position *position, uint8_t squares[32]) {
    static const PieceType order[16] = {CHARIOT,  HORSE,   ELEPHANT, ADVISOR, GENERAL, ADVISOR,
                                        ELEPHANT, HORSE,   CHARIOT,  CANNON,  CANNON,  SOLDIER,
                                        SOLDIER,  SOLDIER, SOLDIER,  SOLDIER};
    bool used[SQUARE_COUNT] = {false};
    for (int man = 0; man < 32; man++) {
        const Piece piece = piece_make(man < 16 ? RED : BLACK, order[man % 16]);
        squares[man] = SQUARE_NONE;
        for (int square = 0; square < SQUARE_COUNT && squares[man] == SQUARE_NONE; square++) {
            if (used[square] || position->board[square] != piece) continue;
            used[square] = true;
            squares[man] = (uint8_t)square;
        }
    }
}

static void add_u32(Text *text, uint32_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    text_add_bytes(text, bytes, 4);
}

static void check_file(TestContext *t, FormatId id, const Text *file, const char *expected,
                       const char *reason) {
    AUTO(Text) uci = {0}, reasons = {0};
    read_all_games(t, file->data, file->length, id, MOVES_DETECTED, false, &uci, &reasons);
    CHECK_MSG(strcmp(text_get(&uci), expected) == 0, "read as '%s', expected '%s' (%s)",
              text_get(&uci), expected, text_get(&reasons));
    if (reason)
        CHECK_MSG(strstr(text_get(&reasons), reason), "'%s' lacks '%s'", text_get(&reasons),
                  reason);
}

// ---- XQF ---------------------------------------------------------------------------------------

// Our writer gives the bytes that were read, but for the texts of the head.
static void check_xqf_written(TestContext *t, const Text *file) {
    static const ReadSettings settings = {.system = MOVES_DETECTED};
    const GameFormat *format = game_format(FORMAT_XQF);
    const SourceText text = {.data = file->data, .length = file->length, .format = format};
    SourceGame source;
    AUTO(Text) written = {0};
    Err err = {0};
    source_game_init(&source);
    CHECK(source_text_read(&text, &settings, &source, &err) == IMPORT_KEPT);
    source.record.ply_count = (uint32_t)source.game.count;
    const ExportGame given = {.game = &source.record, .plies = source.plies};
    CHECK(format->write(&given, &written, &err) == STATUS_OK);
    CHECK(written.length == file->length && memcmp(written.data, file->data, 0x34) == 0 &&
          memcmp(written.data + 1024, file->data + 1024, file->length - 1024) == 0);
    source_game_clear(&source);
}

// From "XQF 1.0", the description by the author of XQStudio: board and moves of its example.
void test_xqf_known_answer(TestContext *t) {
    static const uint8_t men[32] = {0x50, 0x46, 0x3c, 0x32, 0x28, 0x1e, 0x14, 0x0a,
                                    0x00, 0x48, 0x0c, 0x53, 0x3f, 0x2b, 0x17, 0x03,
                                    0x09, 0x13, 0x1d, 0x27, 0x31, 0x3b, 0x45, 0x4f,
                                    0x59, 0x11, 0x4d, 0x06, 0x1a, 0x2e, 0x42, 0x56};
    static const uint8_t moves[][2] = {{0x2f, 0x38}, {0x67, 0x63}, {0x57, 0x60}, {0x29, 0x3b},
                                       {0x2c, 0x4a}, {0x2b, 0x27}, {0x22, 0x36}, {0x21, 0x33},
                                       {0x18, 0x2a}, {0x2b, 0x2f}, {0x24, 0x22}, {0x27, 0x6b},
                                       {0x60, 0x6d}, {0x33, 0x6d}, {0x5e, 0x5e}, {0x71, 0x6f}};
    static const char chinese[] =
        "1. 兵七进一 马８进７ 2. 兵三进一 炮２平３ 3. 相七进五 马２进１ 4. 马八进七 车１平２ "
        "5. 车九平八 车２进４ 6. 炮八平九 车２平８ 7. 炮二进五 炮３平８ 8. 马二进三 车９平８ 0-1\n";
    uint8_t head[1024] = {'X', 'Q', 10};
    memcpy(head + 0x10, men, sizeof men);
    head[0x33] = 2;
    AUTO(Text) file = {0}, expected = {0}, reasons = {0};
    text_add_bytes(&file, head, sizeof head);
    text_add_bytes(&file, "\x18\x20\xf0\xff\0\0\0\0", 8);
    enum { COUNT = sizeof moves / sizeof *moves };
    for (int i = 0; i < COUNT; i++) {
        const uint8_t record[8] = {moves[i][0], moves[i][1], i + 1 < COUNT ? 0xf0 : 0};
        text_add_bytes(&file, record, 8);
    }
    read_all_games(t, chinese, sizeof chinese - 1, FORMAT_PGN, MOVES_DETECTED, false, &expected,
                   &reasons);
    CHECK_TEXT(text_get(&reasons), "");
    check_file(t, FORMAT_COUNT, &file, text_get(&expected), NULL);
    check_xqf_written(t, &file);
}

typedef struct XqfKeys {
    uint8_t head[16]; // bytes 2 to 15 are the version, the mask and the keys
    uint8_t board, from, to, stream[32];
    uint32_t comment;
} XqfKeys;

static XqfKeys xqf_keys(Random *random, int version) {
    XqfKeys keys = {.head = {'X', 'Q', (uint8_t)version}};
    if (version < 11) return keys;
    for (int i = 3; i < 16; i++) keys.head[i] = (uint8_t)random_next(random);
    const unsigned a = keys.head[13], b = keys.head[14], c = keys.head[15];
    keys.board = (uint8_t)((a * a * 54 + 221) * a);
    keys.from = (uint8_t)((b * b * 54 + 221) * keys.board);
    keys.to = (uint8_t)((c * c * 54 + 221) * keys.from);
    keys.comment = (keys.head[12] * 256u + keys.head[13]) % 32000u + 767u;
    for (int i = 0; i < 32; i++) {
        const int key = keys.head[8 + i % 4] | (keys.head[12 + i % 4] & keys.head[3]);
        keys.stream[i] = (uint8_t)(key & "[(C) Copyright Mr. Dong Shiwei.]"[i]);
    }
    return keys;
}

// Appends one record of the tree, not yet under the stream.
static void add_xqf_node(const XqfKeys *keys, Move move, bool continues, bool varies,
                         const char *comment, Text *out) {
    const int version = keys->head[2], from = move_from(move), to = move_to(move);
    const int point_from = square_file(from) * 10 + square_rank(from);
    const int point_to = square_file(to) * 10 + square_rank(to);
    const bool old = version < 11;
    const uint8_t flags =
        (uint8_t)(old ? (continues ? 0xf0 : 0) | (varies ? 0x0f : 0)
                      : (continues ? 0x80 : 0) | (varies ? 0x40 : 0) | (comment ? 0x20 : 0));
    const uint8_t record[4] = {(uint8_t)(point_from + 24 + keys->from),
                               (uint8_t)(point_to + 32 + keys->to), flags, 0};
    text_add_bytes(out, record, 4);
    const size_t length = comment ? strlen(comment) : 0;
    if (old || comment) add_u32(out, (uint32_t)length + keys->comment);
    if (length) text_add_bytes(out, comment, length);
}

static void make_xqf(const TestGame *game, int version, uint64_t seed, Text *file) {
    Random random;
    random_init(&random, seed, (uint64_t)version);
    const XqfKeys keys = xqf_keys(&random, version);
    uint8_t head[1024] = {0}, squares[32];
    memcpy(head, keys.head, sizeof keys.head);
    list_men(&game->record.start, squares);
    for (int i = 0; i < 32; i++) {
        const int man = version >= 12 ? (keys.board + 1 + i) % 32 : i;
        const int square = squares[man];
        const int point =
            square == SQUARE_NONE ? 255 : square_file(square) * 10 + square_rank(square);
        head[0x10 + i] = (uint8_t)(point + keys.board);
    }
    head[0x33] = (uint8_t)result_code(game);
    AUTO(Text) moves = {0};
    const uint32_t count = game->record.ply_count;
    add_xqf_node(&keys, game->plies[0].move, count > 0, false, seed % 2 ? "\xba\xc3" : NULL,
                 &moves);
    for (uint32_t i = 0; i < count; i++) {
        add_xqf_node(&keys, game->plies[i].move, i + 1 < count, i == 3,
                     i % 5 == 2 ? "remark" : NULL, &moves);
    }
    // The variation of the fourth ply stands behind all that follows that ply.
    if (count > 3) add_xqf_node(&keys, move_make(0, 9), false, false, NULL, &moves);
    for (size_t i = 0; i < moves.length; i++) {
        moves.data[i] = (char)(uint8_t)((uint8_t)moves.data[i] + keys.stream[i % 32]);
    }
    text_add_bytes(file, head, sizeof head);
    text_add_bytes(file, moves.data, moves.length);
}

void test_xqf_versions(TestContext *t) {
    TestGame *games = make_test_games();
    for (int version = 10; version <= 18; version++) {
        for (uint64_t i = 0; i < TEST_GAMES - 1; i++) {
            AUTO(Text) file = {0}, expected = {0};
            make_xqf(&games[i], version, 100 + i, &file);
            add_expected(&games[i], &expected);
            check_file(t, FORMAT_COUNT, &file, text_get(&expected), NULL);
        }
    }
    free(games);
}

void test_xqf_refusals(TestContext *t) {
    TestGame *games = make_test_games();
    AUTO(Text) file = {0};
    // Cut anywhere it is refused: a game is kept whole or not at all.
    for (int version = 10; version <= 16; version += 6) {
        text_reset(&file);
        make_xqf(&games[4], version, 1, &file);
        const uint32_t plies = games[4].record.ply_count;
        const size_t tail = version == 10 ? 8 : 4; // the variation behind the main line
        for (size_t length = file.length - tail - 1; length > 1000; length--) {
            Text cut = {.data = file.data, .length = length};
            check_file(t, FORMAT_XQF, &cut, "fields@0",
                       length < 1024 ? "head" : "file ends behind");
        }
        CHECK(plies > 10);
    }
    text_reset(&file);
    make_xqf(&games[4], 10, 2, &file);
    file.data[0x10] = file.data[0x11];
    check_file(t, FORMAT_XQF, &file, "start@0", "two men on");
    text_reset(&file);
    make_xqf(&games[4], 10, 2, &file);
    file.data[1024 + 8] = 24 + 90; // from no point of the board
    check_file(t, FORMAT_XQF, &file, "move@0", "ply 1");
    text_reset(&file);
    make_xqf(&games[4], 10, 2, &file);
    file.data[0x33] = 0;
    AUTO(Text) uci = {0}, reasons = {0};
    read_all_games(t, file.data, file.length, FORMAT_XQF, MOVES_DETECTED, false, &uci, &reasons);
    CHECK_MSG(uci.length > 0 && uci.data[uci.length - 1] == '*', "'%s'", text_get(&uci));
    free(games);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Notations: known answers, round trips of every legal move in every system, tolerance, errors.
#include "core/notation/notation.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "core/notation/notation_parts.h"
#include "core/notation/opening_name.h"
#include "core/rules/game.h"
#include "tests/core/positions.h"
#include "tests/test.h"

// ---- helpers -----------------------------------------------------------------------------------

// Reads `text` in a position and compares with the coordinates expected.
static void check_read(TestContext *t, NotationSystem system, const NotationStyle *style,
                       const Position *position, const char *text, const char *uci) {
    Move move = MOVE_NONE;
    Err err = {0};
    char got[5];
    if (!CHECK_MSG(notation_read(system, style, position, text, strlen(text), &move, &err) ==
                       STATUS_OK,
                   "%s: %s (for %s)", notation_name(system), err.text, uci)) {
        return;
    }
    move_to_uci(move, got);
    CHECK_MSG(strcmp(got, uci) == 0, "%s: '%s' was read as %s, expected %s", notation_name(system),
              text, got, uci);
}

static void check_write(TestContext *t, NotationSystem system, const NotationStyle *style,
                        const Position *position, const char *uci, const char *expected) {
    char text[NOTATION_SIZE];
    notation_write(system, style, position, move_from_uci(uci), text);
    CHECK_MSG(strcmp(text, expected) == 0, "%s writes %s as '%s', expected '%s'",
              notation_name(system), uci, text, expected);
}

static bool read_position(TestContext *t, const char *fen, Position *position) {
    Err err = {0};
    return CHECK_MSG(position_from_fen(position, fen, &err) == STATUS_OK, "%s: %s", fen, err.text);
}

// The same text with ASCII in full-width forms.
static void full_width(const char *text, Text *out) {
    text_reset(out);
    for (; *text; text++) {
        if (*text > ' ' && *text < 0x7f) {
            const int code = 0xff01 + (*text - '!');
            const char utf8[3] = {(char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 0x3f)),
                                  (char)(0x80 | (code & 0x3f))};
            text_add_bytes(out, utf8, 3);
        } else {
            text_add_bytes(out, text, 1);
        }
    }
}

// ---- known answers -----------------------------------------------------------------------------

// tests/data/notation.tsv, all columns, written and read; alternatives are read.
void test_notation_known_rows(TestContext *t) {
    char path[512];
    snprintf(path, sizeof path, "%s/notation.tsv", t->data);
    LineReader reader;
    Err err = {0};
    if (!CHECK_OK(line_reader_open(&reader, path, &err), err)) return;
    line_reader_next_record(&reader); // header
    int rows = 0;
    while (line_reader_next_record(&reader)) {
        char *cursor = reader.line;
        const char *fen = text_next_field(&cursor, '\t'), *uci = text_next_field(&cursor, '\t');
        const char *iccs = text_next_field(&cursor, '\t'), *wxf = text_next_field(&cursor, '\t');
        const char *chinese = text_next_field(&cursor, '\t');
        const char *alternative = text_next_field(&cursor, '\t');
        Position position;
        if (!read_position(t, fen, &position)) continue;
        const struct {
            NotationSystem system;
            const char *text;
        } columns[] = {{NOTATION_UCI, uci},
                       {NOTATION_ICCS, iccs},
                       {NOTATION_WXF, wxf},
                       {NOTATION_CHINESE, chinese}};
        FOR_EACH (row, columns) {
            check_write(t, row->system, NULL, &position, uci, row->text);
            check_read(t, row->system, NULL, &position, row->text, uci);
        }
        check_read(t, NOTATION_CHINESE_SIMPLIFIED, NULL, &position, chinese, uci);
        if (strcmp(alternative, "-") != 0) {
            check_read(t, NOTATION_CHINESE, NULL, &position, alternative, uci);
        }
        rows++;
    }
    line_reader_close(&reader, NULL);
    CHECK_INT(rows, 196);
}

// ---- round trips -------------------------------------------------------------------------------

typedef struct Trip {
    const char *failed; // what went wrong first; NULL: nothing
    char text[NOTATION_SIZE];
    Move move;
    NotationSystem system;
} Trip;

static bool reads_back(NotationSystem system, const NotationStyle *style, const Position *position,
                       const char *text, Move expected) {
    Move move = MOVE_NONE;
    return notation_read(system, style, position, text, strlen(text), &move, NULL) == STATUS_OK &&
           move == expected;
}

// The other ways to write a move that readers must take: = for the dot, the place before the
// letter, Pa to Pe, full-width forms, the other script. NULL, or what failed.
static const char *check_variants(const Position *position, Move move, NotationSystem system,
                                  const char *text, Text *work) {
    char changed[NOTATION_SIZE];
    const size_t length = strlen(text);
    full_width(text, work);
    if (!reads_back(system, NULL, position, text_get(work), move)) return "full width";
    if (system == NOTATION_CHINESE || system == NOTATION_CHINESE_SIMPLIFIED) {
        const NotationSystem other =
            system == NOTATION_CHINESE ? NOTATION_CHINESE_SIMPLIFIED : NOTATION_CHINESE;
        return reads_back(other, NULL, position, text, move) ? NULL : "other script";
    }
    if (system != NOTATION_WXF) return NULL;
    memcpy(changed, text, length + 1);
    if (changed[2] == '.') changed[2] = '=';
    if (!reads_back(system, NULL, position, changed, move)) return "= for .";
    if (isupper(text[0]) && !isdigit(text[1])) {
        changed[0] = text[1];
        changed[1] = text[0];
        if (!reads_back(system, NULL, position, changed, move)) return "place first";
    }
    const FileMates mates = file_mates(position, move_from(move));
    if (mates.count > 1 && piece_type(position->board[move_from(move)]) == SOLDIER) {
        memcpy(changed, text, length + 1);
        changed[0] = 'P';
        changed[1] = (char)('a' + mates.index - 1);
        if (!reads_back(system, NULL, position, changed, move)) return "Pa to Pe";
    }
    return NULL;
}

// Every legal move of a position in every system. Safe to call from several threads.
static Trip round_trip(const Position *position, bool variants, Text *work) {
    Trip trip = {0};
    MoveList list;
    position_legal_moves(position, &list);
    for (int system = 0; system < NOTATION_SYSTEM_COUNT; system++) {
        trip.system = (NotationSystem)system;
        for (int i = 0; i < list.count; i++) {
            trip.move = list.moves[i];
            notation_write(trip.system, NULL, position, trip.move, trip.text);
            if (strpbrk(trip.text, " \t\n")) trip.failed = "blanks";
            if (!reads_back(trip.system, NULL, position, trip.text, trip.move))
                trip.failed = "read back";
            if (!trip.failed && variants) {
                trip.failed = check_variants(position, trip.move, trip.system, trip.text, work);
            }
            if (trip.failed) return trip;
        }
    }
    const NotationStyle other = {.glyphs = true, .shogi = true};
    for (int i = 0; i < list.count; i++) {
        trip.move = list.moves[i];
        for (trip.system = NOTATION_SYSTEM1; trip.system <= NOTATION_GLOBALSTAR; trip.system++) {
            notation_write(trip.system, &other, position, trip.move, trip.text);
            if (!reads_back(trip.system, &other, position, trip.text, trip.move))
                trip.failed = "style";
            if (trip.failed) return trip;
        }
    }
    return trip;
}

static void check_round_trip(TestContext *t, const Position *position, bool variants, Text *work) {
    const Trip trip = round_trip(position, variants, work);
    if (!trip.failed) return;
    char fen[FEN_SIZE], uci[5];
    position_to_fen(position, FEN_UCI, fen);
    move_to_uci(trip.move, uci);
    CHECK_MSG(false, "%s in %s: %s written as '%s': %s", uci, notation_name(trip.system), fen,
              trip.text, trip.failed);
}

// Half of the positions are of random games, half made with many of a kind on few files.
void test_notation_round_trips(TestContext *t) {
    Random random;
    random_init(&random, 3, 0);
    AUTO(Text) work = {0};
    Position position;
    position_init_start(&position);
    const int half = t->full ? 50000 : 1000;
    int made = 0;
    for (int i = 0; i < half; i++) {
        positions_random_step(&random, &position);
        check_round_trip(t, &position, i % 10 == 0, &work);
    }
    for (int i = 0; i < half; i++) {
        made += positions_random_crowd(&random, &position);
        check_round_trip(t, &position, true, &work);
    }
    CHECK_INT(made, half);
}

// ---- tolerance and errors ----------------------------------------------------------------------

#define TWO_CANNONS    "9/5k3/9/9/5Nn2/9/7C1/5K3/9/7C1 w - - 0 1"
#define THREE_SOLDIERS "3k5/1P7/9/1P7/1PP6/9/9/9/9/5K3 w - - 0 1"
#define TWO_AND_TWO    "3k1P3/9/6P2/2P6/2P6/6P2/9/9/9/5K3 w - - 0 1"
#define FOUR_SOLDIERS  "3k5/9/9/4p4/9/9/4p3p/4p4/4p4/5K3 b - - 0 1"

// What readers take beside the plain form, and the move it means; NULL: it is refused.
static const struct {
    const char *fen;
    NotationSystem system;
    const char *text, *uci;
} tolerated[] = {
    {START_FEN, NOTATION_CHINESE, "炮二平五", "h2e2"},
    {START_FEN, NOTATION_CHINESE, "砲2平5", "h2e2"},
    {START_FEN, NOTATION_CHINESE, "包２平５", "h2e2"},
    {START_FEN, NOTATION_CHINESE, "傌二进三", "h0g2"},
    {START_FEN, NOTATION_CHINESE, "马八進七", "b0c2"},
    {START_FEN, NOTATION_CHINESE, "俥一进一", "i0i1"},
    {START_FEN, NOTATION_CHINESE, "帅五进一", "e0e1"},
    {START_FEN, NOTATION_CHINESE, "将五進一", "e0e1"},
    {START_FEN, NOTATION_CHINESE, "帥進一", "e0e1"},
    {START_FEN, NOTATION_CHINESE, "士四进五", "f0e1"},
    {START_FEN, NOTATION_CHINESE, "象七進五", "c0e2"},
    {START_FEN, NOTATION_CHINESE, "卒七进1", "c3c4"},
    {START_FEN, NOTATION_CHINESE, "炮 二 平 五 !?", "h2e2"},
    {START_FEN, NOTATION_CHINESE, "\xf0\x9f\xa9\xa5二平五",
     "h2e2"}, // the chess symbol of Red's cannon
    {TWO_CANNONS, NOTATION_CHINESE, "前炮退一", "h3h2"},
    {TWO_CANNONS, NOTATION_CHINESE, "后砲平3", "h0g0"},
    {TWO_CANNONS, NOTATION_CHINESE, "一炮退一", "h3h2"},
    {TWO_CANNONS, NOTATION_WXF, "C-=3", "h0g0"},
    {TWO_CANNONS, NOTATION_WXF, "-C.3", "h0g0"},
    {TWO_CANNONS, NOTATION_WXF, "c+-1", "h3h2"},
    {TWO_CANNONS, NOTATION_WXF, "+C-1", "h3h2"},
    {TWO_CANNONS, NOTATION_WXF, "Ca-1", "h3h2"},
    {TWO_CANNONS, NOTATION_WXF, "C2-1", "h3h2"}, // the rear one cannot go back
    {TWO_CANNONS, NOTATION_LAU, "fCb1", "h3h2"},
    {TWO_CANNONS, NOTATION_LAU, "rCh3", "h0g0"},
    {TWO_CANNONS, NOTATION_SYSTEM2, "C--1", NULL},
    {THREE_SOLDIERS, NOTATION_WXF, "P8.9", "b6a6"},
    {THREE_SOLDIERS, NOTATION_WXF, "P..9", "b6a6"},
    {THREE_SOLDIERS, NOTATION_WXF, ".P.9", "b6a6"},
    {THREE_SOLDIERS, NOTATION_WXF, "Pb.9", "b6a6"},
    {THREE_SOLDIERS, NOTATION_WXF, "P-.9", "b5a5"},
    {THREE_SOLDIERS, NOTATION_CHINESE, "二兵平九", "b6a6"},
    {THREE_SOLDIERS, NOTATION_CHINESE, "三兵平九", "b5a5"},
    {THREE_SOLDIERS, NOTATION_CHINESE, "兵八平九", NULL},
    {THREE_SOLDIERS, NOTATION_CHINESE, "后兵平9", "b5a5"},
    {THREE_SOLDIERS, NOTATION_LAU, "mPh9", "b6a6"},
    {TWO_AND_TWO, NOTATION_CHINESE, "前兵七進一", "c6c7"},
    {TWO_AND_TWO, NOTATION_CHINESE, "前七兵進一", "c6c7"},
    {TWO_AND_TWO, NOTATION_CHINESE, "前兵平八", "c6b6"}, // the front one of the other file cannot
    {TWO_AND_TWO, NOTATION_CHINESE, "前兵進一", NULL},
    {TWO_AND_TWO, NOTATION_CHINESE, "三兵進一", "c6c7"},
    {TWO_AND_TWO, NOTATION_WXF, "7++1", "c6c7"},
    {TWO_AND_TWO, NOTATION_WXF, "+7+1", "c6c7"},
    {TWO_AND_TWO, NOTATION_WXF, "P7++1", "c6c7"},
    {TWO_AND_TWO, NOTATION_WXF, "Pa+1", "g7g8"},
    {TWO_AND_TWO, NOTATION_WXF, "Pd.8", "c5b5"},
    {TWO_AND_TWO, NOTATION_LAU, "f7f1", "c6c7"},
    {FOUR_SOLDIERS, NOTATION_WXF, "++.6", "e1f1"},
    {FOUR_SOLDIERS, NOTATION_WXF, "P+.6", "e2f2"},
    {FOUR_SOLDIERS, NOTATION_WXF, "P++.6", "e1f1"},
    {FOUR_SOLDIERS, NOTATION_CHINESE, "四卒進1", "e6e5"},
    {FOUR_SOLDIERS, NOTATION_CHINESE, "二卒平6", "e2f2"},
    {FOUR_SOLDIERS, NOTATION_LAU, "2Ph6", "e2f2"},
    {START_FEN, NOTATION_UCI, "H2-E2", "h2e2"},
    {START_FEN, NOTATION_UCI, "ｈ２ｅ２", "h2e2"},
    {START_FEN, NOTATION_ICCS, "h2e2", "h2e2"},
    {START_FEN, NOTATION_ICCS,
     "H2\xe2\x80\x93"
     "E2",
     "h2e2"}, // an en dash
    {START_FEN, NOTATION_UCI1, "h3e3", "h2e2"},
    {START_FEN, NOTATION_UCI1, "b3xb10", "b2b9"},
    {START_FEN, NOTATION_UCI1, "b3b10", "b2b9"},
    {START_FEN, NOTATION_LALG, "Pc3-1", "c3c4"},
    {START_FEN, NOTATION_LALG, "c3-c4", "c3c4"},
    {START_FEN, NOTATION_LALG, "Cb2xb9", "b2b9"},
    {START_FEN, NOTATION_LALG, "ch2-e2", "h2e2"},
    {START_FEN, NOTATION_LALG, "Mg0-e2", "g0e2"},
    {START_FEN, NOTATION_LALG, "Gf0-e1", "f0e1"},
    {START_FEN, NOTATION_LALG, "Rb2-b4", NULL},
    {START_FEN, NOTATION_LALG, "Cb2xb4", NULL},
    {START_FEN, NOTATION_SYSTEM1, "炮 (32) \xe2\x80\x93 35", "h2e2"},
    {START_FEN, NOTATION_SYSTEM1, "C32-35", "h2e2"},
    {START_FEN, NOTATION_SYSTEM1, "馬-37", "b0c2"},
    {START_FEN, NOTATION_SYSTEM1, "炮-35", NULL}, // both cannons
    {START_FEN, NOTATION_SYSTEM1, "C(38)-108", "b2b9"},
    {START_FEN, NOTATION_SYSTEM1, "炮(三八)-十八", "b2b9"},
    {START_FEN, NOTATION_PRITCHARD, "Cb3-e3", "b2e2"},
    {START_FEN, NOTATION_PRITCHARD, "C(b3)xN", "b2b9"},
    {START_FEN, NOTATION_PRITCHARD, "CxN", NULL},
    {START_FEN, NOTATION_PRITCHARD, "C(b3)xb10", "b2b9"},
    {START_FEN, NOTATION_PRITCHARD, "P(c4)c5", "c3c4"},
    {START_FEN, NOTATION_SAN, "Cb2e2", "b2e2"},
    {START_FEN, NOTATION_SAN, "Cbxb9", "b2b9"},
    {START_FEN, NOTATION_SAN, "Pc4", "c3c4"},
    {START_FEN, NOTATION_SAN, "Ce2", NULL},
    {START_FEN, NOTATION_SAN, "Cb-e2", "b2e2"},
    {"3k5/9/9/9/2P6/9/9/9/9/5K3 w", NOTATION_SAN, "d5", "c5d5"},
    {"3k5/9/9/9/2PP5/9/9/9/9/5K3 w", NOTATION_SAN, "d6", "d5d6"},
    {START_FEN, NOTATION_GLOBALSTAR, "8c5c", "h2e2"},
    {START_FEN, NOTATION_GLOBALSTAR, "8C-5C", "h2e2"},
    {START_FEN, NOTATION_DPXQ, "77-47", "h2e2"},
};

void test_notation_tolerance(TestContext *t) {
    FOR_EACH (row, tolerated) {
        Position position;
        if (!read_position(t, row->fen, &position)) continue;
        if (row->uci) {
            check_read(t, row->system, NULL, &position, row->text, row->uci);
            continue;
        }
        Move move = MOVE_NONE;
        Err err = {0};
        CHECK_MSG(notation_read(row->system, NULL, &position, row->text, strlen(row->text), &move,
                                &err) == STATUS_BAD_INPUT,
                  "%s: '%s' was taken", notation_name(row->system), row->text);
    }
}

// Where a system needs more than the plain form, what the writer adds.
void test_notation_disambiguation(TestContext *t) {
    static const struct {
        const char *fen;
        NotationSystem system;
        const char *uci, *text;
    } cases[] = {
        // Two chariots on a rank, on a file, and a single one.
        {"4k4/9/9/9/9/R6R1/9/9/9/5K3 w", NOTATION_SAN, "a4e4", "Rae4+"},
        {"4k4/9/9/R8/9/9/R8/9/9/5K3 w", NOTATION_SAN, "a3a4", "R3a4"},
        {"4k4/9/9/R8/9/9/R8/9/9/5K3 w", NOTATION_SAN, "a3b3", "Rb3"},
        {"4k4/9/9/R8/9/9/R8/9/9/5K3 w", NOTATION_PRITCHARD, "a3a4", "R(a4)a5"},
        // Soldiers in XBoard's way.
        {"3k5/9/9/9/2PP5/9/9/9/9/5K3 w", NOTATION_SAN, "d5d6", "d6"},
        {"3k5/9/9/9/2P6/9/9/9/9/5K3 w", NOTATION_SAN, "c5d5", "cd5"},
        {"3k5/9/9/3n5/2P6/9/9/9/9/5K3 w", NOTATION_SAN, "c5c6", "c6"},
        {"3k5/9/9/2n6/2P6/9/9/9/9/5K3 w", NOTATION_SAN, "c5c6", "cxc6"},
        {"3k5/9/9/9/2Pn5/9/9/9/9/5K3 w", NOTATION_SAN, "c5d5", "cxd5"},
        {"4k4/4a4/3aR4/9/9/9/9/9/9/4K3R w", NOTATION_SAN, "i0i9", "Ri9#"},
        {"3k5/4a4/4R4/9/9/9/9/9/9/4K3R w", NOTATION_SAN, "i0i9", "Ri9+"},
        // Two soldiers that reach one point; captures of one of two horses.
        {"3k5/9/9/9/2P1P4/9/9/9/9/5K3 w", NOTATION_PRITCHARD, "c5d5", "P(c6)d6"},
        {"3k5/9/9/9/2P6/9/9/9/9/5K3 w", NOTATION_PRITCHARD, "c5d5", "d6"},
        {"3k5/9/9/2n6/2P6/9/9/9/9/5K3 w", NOTATION_PRITCHARD, "c5c6", "PxN"},
        {"3k5/9/9/2n6/2R1n4/9/9/9/9/5K3 w", NOTATION_PRITCHARD, "c5c6", "R(c6)xN(c7)"},
        {"3k5/9/9/2n6/2R6/9/9/9/9/5K3 w", NOTATION_PRITCHARD, "c5c6", "RxN"},
        {"3k5/9/9/2n1n4/2R1R4/9/9/9/9/5K3 w", NOTATION_PRITCHARD, "c5c6", "R(c6)xN"},
        // Lau with three, four and five soldiers on a file, and with two files.
        {THREE_SOLDIERS, NOTATION_LAU, "b8a8", "fPh9"},
        {THREE_SOLDIERS, NOTATION_LAU, "b6a6", "mPh9"},
        {THREE_SOLDIERS, NOTATION_LAU, "c5c6", "P7f1"},
        {FOUR_SOLDIERS, NOTATION_LAU, "e2f2", "2Ph6"},
        {TWO_AND_TWO, NOTATION_LAU, "c6c7", "f7f1"},
        {TWO_AND_TWO, NOTATION_XQDB, "c6c7", "7++1"},
        {TWO_CANNONS, NOTATION_CHINESE_SIMPLIFIED, "h0g0", "后炮平三"},
        {TWO_CANNONS, NOTATION_SYSTEM2, "h0g0", "C-.3"},
    };
    FOR_EACH (row, cases) {
        Position position;
        if (!read_position(t, row->fen, &position)) continue;
        check_write(t, row->system, NULL, &position, row->uci, row->text);
        check_read(t, row->system, NULL, &position, row->text, row->uci);
    }
}

// Errors name the text and list the candidates.
void test_notation_errors(TestContext *t) {
    static const struct {
        const char *fen;
        NotationSystem system;
        const char *text, *words[3]; // the error must contain the words
    } cases[] = {
        {START_FEN, NOTATION_WXF, "C.5", {"several", "b2e2 C8.5", "h2e2 C2.5"}},
        {START_FEN, NOTATION_WXF, "C2.9", {"'C2.9'", "no legal move", "h2e2 C2.5"}},
        {START_FEN, NOTATION_WXF, "C2", {"'C2'", "not a move in wxf", "C2.5"}},
        {START_FEN, NOTATION_CHINESE, "炮二平", {"炮二平", "not a move", "炮二平五"}},
        {START_FEN, NOTATION_CHINESE, "金二平五", {"U+91D1", "金", ""}},
        {START_FEN,
         NOTATION_UCI,
         "h2\xff"
         "2",
         {"UTF-8", "byte 3", "'h2?2'"}},
        {START_FEN, NOTATION_UCI, "h2e2h2e2h2e2h2e2h2e2h2e2h2e2h2e2", {"too long", "", ""}},
        {START_FEN, NOTATION_UCI, "h0h5", {"no legal move", "h0g2, h0i2", ""}},
        {START_FEN, NOTATION_UCI, "h2h2", {"no legal move", "", ""}},
        {START_FEN, NOTATION_UCI, "", {"not a move", "", ""}},
        // The chariot is pinned.
        {"3k5/9/9/9/3r5/9/3R5/9/9/3K5 w",
         NOTATION_WXF,
         "R6.5",
         {"general in check", "d3e3", "R6.5"}},
    };
    FOR_EACH (row, cases) {
        Position position;
        if (!read_position(t, row->fen, &position)) continue;
        Move move = MOVE_NONE;
        Err err = {0};
        const Status status =
            notation_read(row->system, NULL, &position, row->text, strlen(row->text), &move, &err);
        CHECK_MSG(status == STATUS_BAD_INPUT, "'%s' was taken", row->text);
        for (int k = 0; k < 3; k++) {
            CHECK_MSG(strstr(err.text, row->words[k]) != NULL, "'%s': '%s' does not say '%s'",
                      row->text, err.text, row->words[k]);
        }
    }
    Position position;
    Text out = {0};
    Err err = {0};
    position_init_start(&position);
    CHECK(notation_convert_game(NOTATION_UCI, NOTATION_WXF, NULL, &position, "h2e2 h9g7 h2e2", &out,
                                &err) == STATUS_BAD_INPUT);
    CHECK_MSG(strstr(err.text, "ply 3") != NULL, "'%s'", err.text);
    text_clear(&out);
}

// Any bytes: readers return, and what they take is a legal move that the same text means again
// after it was written.
void test_notation_garbage(TestContext *t) {
    Random random;
    random_init(&random, 5, 0);
    Position position;
    position_init_start(&position);
    int taken = 0;
    for (int i = 0; i < 60000; i++) {
        if (i % 20 == 0) positions_random_step(&random, &position);
        const NotationSystem system = (NotationSystem)random_below(&random, NOTATION_SYSTEM_COUNT);
        MoveList list;
        position_legal_moves(&position, &list);
        if (list.count == 0) continue;
        char text[64];
        notation_write(system, NULL, &position,
                       list.moves[random_below(&random, (uint64_t)list.count)], text);
        size_t length = strlen(text);
        for (uint64_t change = random_below(&random, 4); change > 0; change--) {
            const size_t at = (size_t)random_below(&random, length + 1);
            const char byte = (char)random_below(&random, random_below(&random, 2) ? 128 : 256);
            if (random_below(&random, 3) == 0 && length > at) {
                memmove(text + at, text + at + 1, length - at - 1);
                length--;
            } else if (random_below(&random, 2) && length < 60) {
                memmove(text + at + 1, text + at, length - at);
                text[at] = byte;
                length++;
            } else if (at < length) {
                text[at] = byte;
            }
        }
        Move move = MOVE_NONE;
        Err err = {0};
        if (notation_read(system, NULL, &position, text, length, &move, &err) != STATUS_OK) {
            CHECK(err.text[0] != '\0');
            continue;
        }
        taken++;
        CHECK(position_is_pseudo_legal(&position, move) && position_is_legal(&position, move));
    }
    CHECK_MSG(taken > 10000, "only %d texts were taken", taken);
}

// Every pattern is a game that can be played, its own name, and that of its mirror image.
void test_opening_names(TestContext *t) {
    static const char *const patterns[] = {
#define OPENING(name, moves) moves,
#include "core/notation/openings.def"
    };
    for (int i = 0; i < OPENING_NAME_COUNT; i++) {
        Game game = {0};
        Position start;
        Err err = {0};
        Move moves[OPENING_NAME_PLIES + 1], mirrored[OPENING_NAME_PLIES + 1];
        position_init_start(&start);
        game_init(&game, &start);
        CHECK_OK(game_push_text(&game, patterns[i], &err), err);
        CHECK(game.count <= OPENING_NAME_PLIES);
        for (size_t j = 0; j <= game.count; j++) { // and one more move, an advance of a soldier
            moves[j] = j < game.count ? game.plies[j].move
                                      : move_from_uci(game.count % 2 ? "i6i5" : "i3i4");
            mirrored[j] =
                move_make(square_mirror(move_from(moves[j])), square_mirror(move_to(moves[j])));
        }
        CHECK_INT(opening_of_moves(moves, game.count + 1), i);
        CHECK_INT(opening_of_moves(mirrored, game.count + 1), i);
        game_clear(&game);
    }
    CHECK_INT(opening_of_moves((Move[]){move_from_uci("e3e4")}, 1), -1);
    CHECK_INT(opening_of_moves(NULL, 0), -1);
}

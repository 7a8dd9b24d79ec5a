// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests of the notations: known answers, writing and reading every legal move in every notation,
// errors, and names of openings. tests/fuzz/fuzz_notation.c tests arbitrary bytes.
#include "core/notation/notation.h"

#include <ctype.h>
#include <string.h>

#include "core/base/random.h"
#include "core/notation/notation_parts.h"
#include "core/notation/opening_name.h"
#include "core/rules/game.h"
#include "tests/core/positions.h"
#include "tests/test.h"

// ---- helpers -----------------------------------------------------------------------------------

// Reads `text` as a move of the position and checks that it is the move `uci`.
static void check_read(TestContext *t, NotationSystem system, const Position *position,
                       const char *text, const char *uci) {
    Move move = MOVE_NONE;
    Err err = {0};
    char got[5];
    if (!CHECK_MSG(notation_read(system, NULL, position, text, strlen(text), &move, &err) ==
                       STATUS_OK,
                   "%s: the text cannot be read: %s (it means %s)", notation_name(system), err.text,
                   uci)) {
        return;
    }
    move_to_uci(move, got);
    CHECK_MSG(strcmp(got, uci) == 0, "%s: '%s' was read as %s, expected %s", notation_name(system),
              text, got, uci);
}

static void check_write(TestContext *t, NotationSystem system, const Position *position,
                        const char *uci, const char *expected) {
    char text[NOTATION_SIZE];
    notation_write(system, NULL, position, move_from_uci(uci), text);
    CHECK_MSG(strcmp(text, expected) == 0, "%s writes %s as '%s', expected '%s'",
              notation_name(system), uci, text, expected);
}

static bool read_position(TestContext *t, const char *fen, Position *position) {
    Err err = {0};
    return CHECK_MSG(position_from_fen(position, fen, &err) == STATUS_OK, "%s: %s", fen, err.text);
}

// Converts the printable ASCII characters of a text, except blanks, into their full-width forms.
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

static NotationSystem system_named(TestContext *t, const char *name) {
    int system = 0;
    while (system < NOTATION_SYSTEM_COUNT && strcmp(notation_name((NotationSystem)system), name))
        system++;
    CHECK_MSG(system < NOTATION_SYSTEM_COUNT, "no notation is called %s", name);
    return (NotationSystem)(system % NOTATION_SYSTEM_COUNT);
}

// Checks a row of known answers: FEN, the move in uci, iccs, wxf and Chinese, and another Chinese
// text of the move ("-" if there is none). All texts are read as moves. All except the last are
// also written.
static void known_row(TestContext *t, char *const *fields) {
    static const NotationSystem columns[] = {NOTATION_UCI, NOTATION_ICCS, NOTATION_WXF,
                                             NOTATION_CHINESE};
    Position position;
    if (!read_position(t, fields[0], &position)) return;
    for (int i = 0; i < 4; i++) {
        check_write(t, columns[i], &position, fields[1], fields[1 + i]);
        check_read(t, columns[i], &position, fields[1 + i], fields[1]);
    }
    check_read(t, NOTATION_CHINESE_SIMPLIFIED, &position, fields[4], fields[1]);
    if (strcmp(fields[5], "-") == 0) return;
    check_read(t, NOTATION_CHINESE, &position, fields[5], fields[1]);
}

// Checks a row: FEN, notation, text of a move, and the expected move. The expected move is "-" if
// the text must be refused.
static void read_row(TestContext *t, char *const *fields) {
    const NotationSystem system = system_named(t, fields[1]);
    Position position;
    Move move = MOVE_NONE;
    Err err = {0};
    if (!read_position(t, fields[0], &position)) return;
    if (strcmp(fields[3], "-") != 0) {
        check_read(t, system, &position, fields[2], fields[3]);
    } else {
        CHECK_MSG(notation_read(system, NULL, &position, fields[2], strlen(fields[2]), &move,
                                &err) != STATUS_OK,
                  "%s: '%s' was accepted, but must be refused", fields[1], fields[2]);
    }
}

// Checks a row: FEN, notation, move, text. The move must be written as this text, and the text read
// as this move.
static void write_row(TestContext *t, char *const *fields) {
    const NotationSystem system = system_named(t, fields[1]);
    Position position;
    if (!read_position(t, fields[0], &position)) return;
    check_write(t, system, &position, fields[2], fields[3]);
    check_read(t, system, &position, fields[3], fields[2]);
}

void test_notation_known_answers(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "notation.tsv", 1, 6, known_row), 196);
    CHECK_INT(test_rows(t, t->data, "notation_read.tsv", 1, 4, read_row), 106);
    CHECK_INT(test_rows(t, t->data, "notation_write.tsv", 1, 4, write_row), 25);
}

// ---- round trips -------------------------------------------------------------------------------

typedef struct Trip {
    const char *failed; // name of the first check that failed; NULL if none failed
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

// Reads the move in other spellings that must be accepted: "=" for the dot, the sign + or - (front
// or rear piece) before the letter of the piece, Pa to Pe for soldiers on one file, full-width
// characters, and simplified instead of traditional Chinese or the reverse. Returns the name of the
// spelling that failed, or NULL.
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
        if (!reads_back(system, NULL, position, changed, move)) return "sign first";
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

// Writes every legal move of a position in every notation and reads it back. Some notations are
// also tested with other symbols for the pieces (NotationStyle).
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

// Half of the positions come from random games. The others have many pieces of one type on few
// files, so that the notations must distinguish these pieces.
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

// ---- errors ------------------------------------------------------------------------------------

// Messages must say why a text is refused and, where possible, list the moves that could be meant.
void test_notation_errors(TestContext *t) {
    static const struct {
        const char *fen;
        NotationSystem system;
        const char *text, *words[3]; // words that the message must contain
    } cases[] = {
        {START_FEN, NOTATION_WXF, "C.5", {"several", "b2e2 C8.5", "h2e2 C2.5"}},
        {START_FEN, NOTATION_WXF, "C2.9", {"'C2.9'", "no legal move", "h2e2 C2.5"}},
        {START_FEN, NOTATION_WXF, "C2", {"'C2'", "not a move in wxf", "C2.5"}},
        {START_FEN, NOTATION_CHINESE, "炮二平", {"炮二平", "not a move", "炮二平五"}},
        {START_FEN, NOTATION_CHINESE, "金二平五", {"U+91D1", "金", ""}},
        {START_FEN, NOTATION_UCI, "h2\3772", {"UTF-8", "byte 3", "'h2?2'"}},
        {START_FEN, NOTATION_UCI, "h2e2h2e2h2e2h2e2h2e2h2e2h2e2h2e2", {"too long", "", ""}},
        {START_FEN, NOTATION_UCI, "h0h5", {"no legal move", "h0g2, h0i2", ""}},
        {START_FEN, NOTATION_UCI, "h2h2", {"no legal move", "", ""}},
        {START_FEN, NOTATION_UCI, "", {"not a move", "", ""}},
        // The chariot is pinned, so its move is illegal.
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
        const bool several = strcmp(row->words[0], "several") == 0;
        CHECK_MSG(status == (several ? STATUS_AMBIGUOUS : STATUS_BAD_INPUT),
                  "'%s' was accepted, or refused with the wrong status", row->text);
        for (int k = 0; k < 3; k++) {
            CHECK_MSG(strstr(err.text, row->words[k]) != NULL,
                      "'%s': the message '%s' does not contain '%s'", row->text, err.text,
                      row->words[k]);
        }
    }
}

// The moves of every named opening must be legal. The moves and their mirror images must be
// recognised by this name.
void test_opening_names(TestContext *t) {
    static const char *const patterns[] = {
#define OPENING(name, moves) moves,
#include "core/notation/openings.def"
    };
    for (int i = 0; i < OPENING_NAME_COUNT; i++) {
        AUTO(Game) game = {0};
        Position start;
        Err err = {0};
        Move moves[OPENING_NAME_PLIES + 1], mirrored[OPENING_NAME_PLIES + 1];
        position_init_start(&start);
        game_init(&game, &start);
        CHECK_OK(game_push_text(&game, patterns[i], 0, &err), err);
        CHECK(game.count <= OPENING_NAME_PLIES);
        // Append a soldier's move. The name of the opening must not depend on later moves.
        for (size_t j = 0; j <= game.count; j++) {
            moves[j] = j < game.count ? game.plies[j].move
                                      : move_from_uci(game.count % 2 ? "i6i5" : "i3i4");
            mirrored[j] =
                move_make(square_mirror(move_from(moves[j])), square_mirror(move_to(moves[j])));
        }
        CHECK_INT(opening_of_moves(moves, game.count + 1), i);
        CHECK_INT(opening_of_moves(mirrored, game.count + 1), i);
    }
    CHECK_INT(opening_of_moves((Move[]){move_from_uci("e3e4")}, 1), -1);
    CHECK_INT(opening_of_moves(NULL, 0), -1);
}

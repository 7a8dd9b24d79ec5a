// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of games: what is written is what is read, in every notation; what people write is read;
// what is wrong is refused with its place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/notation/notation_parts.h"
#include "datasets/formats/encoding.h"
#include "datasets/formats/formats.h"
#include "tests/datasets/format_games.h"

// What a format cannot hold is left out of the comparison.
typedef struct Holds {
    bool score, depth, nodes, best, opening, odds;
} Holds;

static void check_same(TestContext *t, const TestGame *game, const SourceGame *got,
                       const Holds *holds, const char *what) {
    const GameRecord *record = &game->record;
    const uint32_t skipped = holds->odds ? 0 : record->extra_plies;
    const size_t plies = got->record.extra_plies + got->game.count;
    CHECK_MSG(got->has_result && got->record.result == record->result, "%s: result", what);
    if (!CHECK_MSG(plies == record->ply_count - skipped, "%s: %zu plies", what, plies)) return;
    if (holds->odds) {
        CHECK_MSG(got->record.extra_plies == record->extra_plies, "%s: extra plies", what);
        CHECK_MSG(strcmp(got->record.odds, record->odds) == 0, "%s: odds", what);
        char a[FEN_SIZE], b[FEN_SIZE];
        position_to_fen(&record->start, FEN_UCI, a);
        position_to_fen(&got->record.start, FEN_UCI, b);
        CHECK_MSG(strcmp(a, b) == 0, "%s: start", what);
    }
    if (holds->opening) {
        CHECK_MSG(got->record.opening_plies == record->opening_plies, "%s: opening", what);
    }
    for (size_t i = 0; i < plies; i++) {
        const PlyRecord *a = &game->plies[i + skipped], *b = &got->plies[i];
        const bool same =
            a->move == b->move &&
            (!holds->score || (a->score_red == b->score_red && a->mate_red == b->mate_red)) &&
            (!holds->depth || a->depth == b->depth) && (!holds->nodes || a->nodes == b->nodes) &&
            (!holds->best || a->best == b->best);
        if (!CHECK_MSG(same, "%s: ply %zu differs", what, i + 1)) return;
    }
}

static void round_trip(TestContext *t, const TestGame *games, FormatId id, int system,
                       const Holds *holds) {
    const GameFormat *format = game_format(id);
    char what[80], path[512];
    snprintf(what, sizeof what, "%s in %s", format->name, notation_name((NotationSystem)system));
    AUTO(Text) text = {0};
    Err err = {0};
    if (*format->header) text_add(&text, "%s\n", format->header);
    for (int i = 0; i < TEST_GAMES; i++) {
        const ExportGame given = {.format = format,
                                  .game = &games[i].record,
                                  .plies = games[i].plies,
                                  .system = system,
                                  .all_positions = true};
        CHECK_MSG(format->write(&given, &text, &err) == STATUS_OK, "%s: %s", what, err.text);
    }
    write_scratch_file(t, "games", text.data, text.length, path, sizeof path);
    const bool told = id == FORMAT_PGN;
    const ReadSettings settings = {.system = told ? MOVES_DETECTED : system};
    SourceReader reader;
    SourceGame source;
    SourceText cut;
    source_game_init(&source);
    CHECK_OK(source_reader_open(&reader, path, NULL, &settings, &err), err);
    int count = 0;
    for (; source_reader_next(&reader, &cut, &err); count++) {
        const ImportRefusal refusal = source_text_read(&cut, &settings, &source, &err);
        if (count == 0) CHECK_TEXT(cut.format->name, format->name);
        free(cut.data);
        if (!CHECK_MSG(refusal == IMPORT_KEPT, "%s, game %d: %s", what, count, err.text)) break;
        if (CHECK(count < TEST_GAMES)) check_same(t, &games[count], &source, holds, what);
    }
    CHECK_MSG(count == TEST_GAMES, "%s: %d games", what, count);
    source_reader_close(&reader);
    source_game_clear(&source);
}

void test_formats_round_trips(TestContext *t) {
    static const Holds pgn = {true, true, true, true, true, true};
    static const Holds lines = {.score = true, .depth = true, .nodes = true, .best = true};
    static const Holds plain = {.score = true}, moves = {0};
    TestGame *games = make_test_games();
    for (int system = 0; system < NOTATION_SYSTEM_COUNT; system++) {
        round_trip(t, games, FORMAT_PGN, system, &pgn);
        round_trip(t, games, FORMAT_MOVES, system, &moves);
        round_trip(t, games, FORMAT_EPD, system, &lines);
        round_trip(t, games, FORMAT_CSV, system, &lines);
        round_trip(t, games, FORMAT_PLAIN, system, &plain);
    }
    free(games);
}

// ---- texts as they are found
// ------------------------------------------------------------------------

#define FIVE "h2e2 h9g7 h0g2 i9h9 c3c4 "

static void check_read(TestContext *t, FormatId id, int system, const char *text,
                       const char *expected, const char *reason) {
    AUTO(Text) uci = {0}, reasons = {0};
    read_all_games(t, text, strlen(text), id, system, false, &uci, &reasons);
    CHECK_MSG(strcmp(text_get(&uci), expected) == 0, "\n%s\nis read as '%s', expected '%s' (%s)",
              text, text_get(&uci), expected, text_get(&reasons));
    if (reason) {
        CHECK_MSG(strstr(text_get(&reasons), reason) != NULL, "'%s' lacks '%s'", text_get(&reasons),
                  reason);
    }
}

// Replaces \n, \t, \\ and \xHH; a text without zero bytes.
static void unescape(char *text) {
    char *to = text;
    for (const char *at = text; *at; at++) {
        if (*at != '\\') {
            *to++ = *at;
        } else if (*++at == 'x') {
            *to++ = (char)strtol((const char[]){at[1], at[2], '\0'}, NULL, 16);
            at += 2;
        } else {
            *to++ = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
        }
    }
    *to = '\0';
}

// Format, system, text, games, a word of the reason
static void text_row(TestContext *t, char *const *fields) {
    const int system = strcmp(fields[1], "uci1") == 0 ? NOTATION_UCI1 : MOVES_DETECTED;
    const char *reason = strcmp(fields[4], "-") == 0 ? NULL : fields[4];
    unescape(fields[2]);
    if (strcmp(fields[0], "pgn") != 0)
        check_read(t, strcmp(fields[0], "moves") == 0 ? FORMAT_MOVES : FORMAT_COUNT, system,
                   fields[2], fields[3], reason);
    if (strcmp(fields[0], "pgn") == 0 || strcmp(fields[0], "both") == 0)
        check_read(t, FORMAT_PGN, system, fields[2], fields[3], reason);
}

void test_formats_texts(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "games.tsv", 0, 5, text_row), 60);
    // Systems that are not told apart move by move, without their tags.
    static const NotationSystem untold[] = {NOTATION_UCI1,    NOTATION_LALG, NOTATION_LAU,
                                            NOTATION_SYSTEM1, NOTATION_DPXQ, NOTATION_PRITCHARD};
    FOR_EACH (row, untold) {
        AUTO(Text) list = {0}, pgn = {0};
        text_add(&list, "1-0\t%s\n", notation_rows[*row].example);
        check_read(t, FORMAT_MOVES, MOVES_DETECTED, text_get(&list), FIVE "1-0", NULL);
        text_add(&pgn, "[Result \"1-0\"]\n\n%s 1-0\n", notation_rows[*row].example);
        check_read(t, FORMAT_PGN, MOVES_DETECTED, text_get(&pgn), FIVE "1-0", NULL);
    }
    // A zero byte ends nothing.
    AUTO(Text) uci = {0}, reasons = {0};
    static const char zeros[] = "[Event \"\0a\"]\nh2e2 \0 {[%eval 1] \0} h9g7 1-0\n";
    read_all_games(t, zeros, sizeof zeros - 1, FORMAT_PGN, MOVES_DETECTED, false, &uci, &reasons);
    CHECK_TEXT(text_get(&uci), "h2e2 h9g7 1-0");
}

// ---- encodings ---------------------------------------------------------------------------------

void test_encoding_of_nothing(TestContext *t) {
    // Bytes that are of no encoding lose themselves only.
    AUTO(Text) text = {0};
    CHECK(text_decode_any("a\xff\xff"
                          "b\xe9",
                          5, &text, NULL) == STATUS_OK);
    CHECK_TEXT(text_get(&text), "a\uFFFD\uFFFD"
                                "b\uFFFD");
}

// ---- scores in comments ------------------------------------------------------------------------

// Side to move, comment, score, mate, depth, nodes, of a book
static void comment_row(TestContext *t, char *const *fields) {
    PlyRecord ply = {.score_red = SCORE_UNKNOWN};
    const Side mover = fields[0][0] == 'w' ? RED : BLACK;
    CHECK_INT(pgn_comment_read(fields[1], strlen(fields[1]), mover, &ply), atoi(fields[6]));
    CHECK_INT(ply.score_red, strcmp(fields[2], "-") ? atoi(fields[2]) : SCORE_UNKNOWN);
    CHECK_INT(ply.mate_red, atoi(fields[3]));
    CHECK_INT(ply.depth, atoi(fields[4]));
    CHECK_INT(ply.nodes, atoi(fields[5]));
}

void test_pgn_comments(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "pgn_comments.tsv", 0, 7, comment_row), 25);
    AUTO(Text) text = {0};
    PlyRecord ply = {.score_red = -135, .depth = 12, .nodes = 9, .time_ms = 1234};
    pgn_comment_write(&ply, BLACK, false, &text);
    CHECK_TEXT(text_get(&text), "{+1.35/12 1.234s, n=9}");
    text_clear(&text);
    ply.time_ms = 0;
    pgn_comment_write(&ply, BLACK, true, &text);
    CHECK_TEXT(text_get(&text), "{+1.35/12 book, n=9}");
}

// ---- positions a line --------------------------------------------------------------------------

#define BOARD "4k4/9/9/9/9/9/9/4C4/4R4/3K5"

// Positions without moves: any that leads on is taken.
void test_fill_moves(TestContext *t) {
    static const char bare[] = BOARD " w | 35 | 0.5\n" BOARD " w [0.0]\n" BOARD " w \"1-0\"\n";
    AUTO(Text) uci = {0}, reasons = {0};
    read_all_games(t, bare, sizeof bare - 1, FORMAT_COUNT, MOVES_DETECTED, true, &uci, &reasons);
    Position position;
    MoveList list;
    CHECK(position_from_fen(&position, BOARD " w", NULL) == STATUS_OK);
    position_legal_moves(&position, &list);
    char move[5], expected[80];
    move_to_uci(list.moves[0], move);
    snprintf(expected, sizeof expected, "%s 1/2-1/2 | %s 0-1 | %s 1-0", move, move, move);
    CHECK_TEXT(text_get(&uci), expected);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of games: what is written is what is read, in every notation; what people write is read;
// what is wrong is refused with its place.
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
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
    Text text = {0};
    Err err = {0};
    if (*format->header) text_add(&text, "%s\n", format->header);
    for (int i = 0; i < TEST_GAMES; i++) {
        const ExportGame given = {.game = &games[i].record,
                                  .plies = games[i].plies,
                                  .system = system,
                                  .all_positions = true};
        CHECK_MSG(format->write(&given, &text, &err) == STATUS_OK, "%s: %s", what, err.text);
    }
    write_scratch_file(t, "games", text.data, text.length, path, sizeof path);
    text_clear(&text);
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

// ---- PGN as it is found ------------------------------------------------------------------------

static void check_read(TestContext *t, FormatId id, int system, const char *text,
                       const char *expected, const char *reason) {
    Text uci = {0}, reasons = {0};
    read_all_games(t, text, strlen(text), id, system, false, &uci, &reasons);
    CHECK_MSG(strcmp(text_get(&uci), expected) == 0, "\n%s\nis read as '%s', expected '%s' (%s)",
              text, text_get(&uci), expected, text_get(&reasons));
    if (reason) {
        CHECK_MSG(strstr(text_get(&reasons), reason) != NULL, "'%s' lacks '%s'", text_get(&reasons),
                  reason);
    }
    text_clear(&uci);
    text_clear(&reasons);
}

static void check_pgn(TestContext *t, const char *text, const char *expected, const char *reason) {
    check_read(t, FORMAT_COUNT, MOVES_DETECTED, text, expected, reason);
    check_read(t, FORMAT_PGN, MOVES_DETECTED, text, expected, reason);
}

#define FIVE "h2e2 h9g7 h0g2 i9h9 c3c4 "

void test_pgn_systems(TestContext *t) {
    static const char *const texts[] = {
        "1. h2e2 h9g7 2. h0g2 i9h9 3. c3c4 1-0\n",
        "1.H2-E2 H9-G7 2.H0-G2 I9-H9 3.C3-C4 1-0\n",
        "1. C2.5 H8+7 2. H2+3 R9.8 3. P7+1 1-0\n",
        "1. C2=5 h8+7 2. H2+3 r9=8 3. P7+1 1-0\n",
        "1. 炮二平五 馬８進７\n2. 馬二進三  車９平８\n3. 兵七進一\n\n1-0\n",
        "１．炮二平五　马８进７　２．马二进三　车９平８　３．兵七进一 红胜\n",
        "1、炮二平五 马8进7 2、马二进三 车9平8 3、兵七进一 红先胜\n",
        "1. Che2 Hg7 2. Hg2 Rh9 3. c4 1-0\n",
        "1.h3e3 h10g8 2.h1g3 i10h10 3.c4c5 1-0\n",
        "1 h2e2 h9g7 2 h0g2 i9h9 3 c3c4 1-0\n",
        "[Format \"LALG\"]\n1. Ch2-e2 Nh9-g7 Nh0-g2 Ri9-h9 Pc3-1 1-0\n",
        "[Format \"pritchard\"]\n1. C(h3)e3 Ng8 2. Ng3 Rh10 3. c5 1-0\n",
        "[Format \"dpxq\"]\n1. 7747 7062 7967 8070 2625 1-0\n",
        "[Format \"WXF\"] [Result \"1-0\"]\n1. h2e2 h9g7 2. h0g2 i9h9 3. c3c4\n",
        "[format \"ICCS\"]\n[RESULT \"1-0\"]\n\nH2-E2 H9-G7 H0-G2 I9-H9 C3-C4 *\n",
    };
    FOR_EACH (row, texts) {
        check_read(t, FORMAT_PGN, MOVES_DETECTED, *row, FIVE "1-0", NULL);
    }
    // Those that are not told apart move by move, without their tags.
    static const NotationSystem untold[] = {NOTATION_UCI1,    NOTATION_LALG, NOTATION_LAU,
                                            NOTATION_SYSTEM1, NOTATION_DPXQ, NOTATION_PRITCHARD};
    FOR_EACH (row, untold) {
        Text moves = {0};
        text_add(&moves, "1-0\t%s\n", notation_example(*row));
        check_read(t, FORMAT_MOVES, MOVES_DETECTED, text_get(&moves), FIVE "1-0", NULL);
        text_reset(&moves);
        text_add(&moves, "[Result \"1-0\"]\n\n%s 1-0\n", notation_example(*row));
        check_read(t, FORMAT_PGN, MOVES_DETECTED, text_get(&moves), FIVE "1-0", NULL);
        text_clear(&moves);
    }
    // Moves that are legal in uci too.
    check_read(t, FORMAT_MOVES, MOVES_DETECTED,
               "1-0\t4k4/9/9/9/9/9/9/4C4/4R4/3K5 w\te3-e4 e10-f10 e2-e3\n", "e2e3 e9f9 e1e2 1-0",
               NULL);
    check_read(t, FORMAT_MOVES, MOVES_DETECTED, "1-0\t4k4/9/9/9/R8/R8/9/9/9/3K5 w\ta5-b5\n",
               "a4b4 1-0", NULL);
    check_read(t, FORMAT_MOVES, MOVES_DETECTED, "1-0\t4k4/9/9/9/R8/R8/9/9/9/3K5 w\ta5b5\n",
               "a5b5 1-0", NULL);
    // A system that is named is the only one.
    check_read(t, FORMAT_PGN, NOTATION_UCI1, "h3e3 h10g8 0-1\n", "h2e2 h9g7 0-1", NULL);
    check_read(t, FORMAT_PGN, NOTATION_UCI1, "h2e2 h9g7 0-1\n", "move@1", "ply 1");
    // Moves of uci are not taken for those of uci1 in the middle of a game, nor the other way.
    check_pgn(t, "1. h2e2 h9g7 2. b3d3 1-0\n", "move@1", "ply 3");
    check_pgn(t, "1. h3e3 h10g8 2. b2d2 1-0\n", "move@1", "ply 3");
    // Four soldiers of wxf that look like numbers of moves.
    check_pgn(t, "[FEN \"4k4/9/9/4P1P2/4P1P2/4P4/9/9/9/3K5 w\"]\n\n1. 55.6 1-0\n", "e5d5 1-0",
              NULL);
}

void test_pgn_asides(TestContext *t) {
    check_pgn(t,
              "[Event \"x\"]\n% an escape {\n; a comment { (\n{before {nested} it} 1. h2e2 $1 {c\n"
              "1. a0a1 (} h9g7?! (1... b9c7 {in (it} (b9a7) 2. h0g2) 2. h0g2! ; rest i9h9\ni9h9 "
              "c3c4 1/2-1/2\n============\n welcome (to {the site\n",
              FIVE "1/2-1/2", NULL);
    check_pgn(t, "[Event \"x\"]\n1. h2e2 {open { brace} h9g7 {and} * \n", "h2e2 h9g7 *", NULL);
    check_pgn(t, "[Event \"x\"]\n1. h2e2 h9g7\n2. h0g2 {no end\ni9h9 1-0\n", "fields@3",
              "comment that begins behind ply 3");
    check_pgn(t, "[Event \"x\"]\n1. h2e2 h9g7\n2. h0g2\n(i9h9 {)} 1-0\n", "fields@4", "variation");
    check_pgn(t,
              "[Event \"a\\\"b]\\\\\"]  [Result \"0-1\" ] [FEN \"" ENDGAME_FEN "\"]\n1... e9f9 *\n",
              "e9f9 0-1", NULL);
    check_pgn(t, "[Event \"no end\n[Result 1-0]\n[Broken\n\nh2e2 h9g7\n", "h2e2 h9g7 1-0", NULL);
    check_pgn(t, "\n\n", "", NULL);
    check_pgn(t, "[Result \"1-0\"]\n\n1. h2e2 h9g7 0-1\n", "result@3", "the moves end with 0-1");
    check_pgn(t, "[FEN \"9/9 w\"]\n\n1. h2e2 1-0\n", "start@1", "board");
    check_pgn(t, "[Result \"1-0\"]\n\n1. 炮二平五\n炮九平五 1-0\n", "move@4", "ply 2: '炮九平五'");
    check_pgn(t, "[Result \"1-0\"]\n\n1. xyz 1-0\n", "move@3", "ply 1: 'xyz'");
    check_pgn(t, "[Result \"1-0\"]\n\n", "length@1", "0 plies");
}

void test_pgn_cutting(TestContext *t) {
    // By tags, though a result or a blank line is not there, and in spite of what is broken.
    check_pgn(t,
              "\xef\xbb\xbf[Event \"a\"]\n[Result \"1-0\"]\nh2e2 {no end\n[Event \"b\"]\n\n"
              "[Result \"0-1\"]\nh2e2 0-1\n\n\n[Event \"c\"]\n[Result \"1-0\"]\n\n"
              "[Event \"d\"]\n[Result \"*\"]\n\nh2e2 h9g7 *",
              "fields@3 | h2e2 0-1 | length@10 | h2e2 h9g7 *", NULL);
    // Without tags, by results that are not in comments.
    check_pgn(t, "1. h2e2 1-0\n1. h2e2 {black lost 1-0\n0-1\n} h9g7 0-1\n\n1. c3c4 1/2-1/2\n",
              "h2e2 1-0 | h2e2 h9g7 0-1 | c3c4 1/2-1/2", NULL);
    check_pgn(t, "1. h2e2\n\n1... h9g7 1-0\n", "h2e2 h9g7 1-0", NULL);
    // A line of a comment is no tag, a zero byte ends nothing.
    Text uci = {0}, reasons = {0};
    static const char zeros[] = "[Event \"\0a\"]\nh2e2 \0 {[%eval 1] \0} h9g7 1-0\n";
    read_all_games(t, zeros, sizeof zeros - 1, FORMAT_PGN, MOVES_DETECTED, false, &uci, &reasons);
    CHECK_TEXT(text_get(&uci), "h2e2 h9g7 1-0");
    text_clear(&uci);
    text_clear(&reasons);
}

// ---- encodings ---------------------------------------------------------------------------------

static size_t convert(const char *to, const char *utf8, char *out, size_t size) {
    const iconv_t converter = iconv_open(to, "UTF-8");
    char *in = (char *)(uintptr_t)utf8, *at = out;
    size_t left = strlen(utf8), room = size;
    if (converter == (iconv_t)-1 || iconv(converter, &in, &left, &at, &room) == (size_t)-1) {
        return 0;
    }
    iconv_close(converter);
    return size - room;
}

void test_pgn_encodings(TestContext *t) {
    static const struct {
        const char *encoding, *text;
    } rows[] = {
        // The second byte of 功 in Big5 is a backslash, of 冁 in GBK a bracket, of 剓 a brace.
        {"GBK",
         "[Event \"功夫杯\"]\n[Red \"吕钦冁\"]\n[Result \"红胜\"]\n\n1. 炮二平五 {剓妙} 马８进７ "
         "2. 马二进三 车９平８ 3. 兵七进一 1-0\n"},
        {"GB18030", "[Red \"王嘉良\"]\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 兵七进一 1-0\n"},
        {"BIG5", "[Event \"功夫杯\"]\n[Red \"許功蓋\"]\n[Result \"1-0\"]\n\n1. 炮二平五 馬８進７ "
                 "2. 馬二進三 {育} 車９平８ 3. 兵七進一\n"},
        {"BIG5", "1. 砲二平五 馬8進7 2. 馬二進三 車9平8 3. 兵七進一 1-0\n"},
        {"UTF-8", "[Event \"功夫杯\"]\n1. 炮二平五 馬8進7 2. 馬二進三 車9平8 3. 兵七進一 紅勝\n"},
    };
    FOR_EACH (row, rows) {
        char bytes[512];
        const size_t length = convert(row->encoding, row->text, bytes, sizeof bytes);
        Text uci = {0}, reasons = {0};
        CHECK_MSG(length > 0, "%s", row->encoding);
        read_all_games(t, bytes, length, FORMAT_PGN, MOVES_DETECTED, false, &uci, &reasons);
        CHECK_MSG(strcmp(text_get(&uci), FIVE "1-0") == 0, "%s: '%s' %s", row->encoding,
                  text_get(&uci), text_get(&reasons));
        text_clear(&uci);
        text_clear(&reasons);
    }
    // Bytes that are of no encoding lose themselves only.
    Text text = {0};
    TextEncoding encoding;
    CHECK(text_decode_any("a\xff\xff"
                          "b\xe9",
                          5, &text, &encoding, NULL) == STATUS_OK);
    CHECK_TEXT(text_get(&text), "a\uFFFD\uFFFD"
                                "b\uFFFD");
    text_clear(&text);
}

// ---- scores in comments ------------------------------------------------------------------------

void test_pgn_comments(TestContext *t) {
    enum { NONE = SCORE_UNKNOWN };
    static const struct {
        const char *text;
        Side mover;
        int score, mate, depth, nodes;
        bool book;
    } rows[] = {
        {"+0.35/12 0.10s", RED, 35, 0, 12, 0, false},
        {"+0.35/12 0.10s", BLACK, -35, 0, 12, 0, false},
        {"-1.07/3, n=123", BLACK, 107, 0, 3, 123, false},
        {"0.00/40 1.2s, n=5000", RED, 0, 0, 40, 5000, false},
        {"+0.08/3 0.1", RED, 8, 0, 3, 0, false}, // XBoard
        {"-M7/9", RED, 0, -7, 9, 0, false},
        {"-M7/9", BLACK, 0, 7, 9, 0, false},
        {"+M12/245 0.017s, Red mates", RED, 0, 12, 245, 0, false},
        {"#3/300", RED, 0, 3, 255, 0, false},
        {"+0.60", RED, 60, 0, 0, 0, false},
        {"+1000.03/13 0.5", RED, 0, 5, 13, 0, false}, // XBoard: mate in 3
        {"-1000.03/13", RED, 0, -6, 13, 0, false},
        {"+1000.01/2", BLACK, 0, -1, 2, 0, false},
        {"+1000.00/2", RED, 30000, 0, 2, 0, false},
        {"+999.99/5", BLACK, -30000, 0, 5, 0, false},
        {"n=17", RED, NONE, 0, 0, 17, false},
        {"book", RED, NONE, 0, 0, 0, true},
        {"+0.35/12 book 0.10s, n=7", BLACK, -35, 0, 12, 7, true},
        {"Book move", RED, NONE, 0, 0, 0, false},
        {"1/2", RED, NONE, 0, 0, 0, false},
        {"3 minutes, n=12 of them", RED, NONE, 0, 0, 0, false},
        {"a blunder, n=12", RED, NONE, 0, 0, 0, false},
        {"0.35", RED, NONE, 0, 0, 0, false},
        {"+M0/3", RED, NONE, 0, 0, 0, false},
        {"", RED, NONE, 0, 0, 0, false},
    };
    FOR_EACH (row, rows) {
        PlyRecord ply = {.score_red = SCORE_UNKNOWN};
        const bool book = pgn_comment_read(row->text, strlen(row->text), row->mover, &ply);
        CHECK_MSG(ply.score_red == row->score && ply.mate_red == row->mate &&
                      ply.depth == row->depth && (int)ply.nodes == row->nodes && book == row->book,
                  "{%s}: score %d mate %d depth %d nodes %u book %d", row->text, ply.score_red,
                  ply.mate_red, ply.depth, ply.nodes, book);
    }
    Text text = {0};
    PlyRecord ply = {.score_red = -135, .depth = 12, .nodes = 9, .time_ms = 1234};
    pgn_comment_write(&ply, BLACK, false, &text);
    CHECK_TEXT(text_get(&text), "{+1.35/12 1.234s, n=9}");
    text_clear(&text);
    ply.time_ms = 0;
    pgn_comment_write(&ply, BLACK, true, &text);
    CHECK_TEXT(text_get(&text), "{+1.35/12 book, n=9}");
    text_clear(&text);
}

// ---- positions a line --------------------------------------------------------------------------

#define BOARD "4k4/9/9/9/9/9/9/4C4/4R4/3K5"

void test_position_lines(TestContext *t) {
    static const struct {
        FormatId id;
        const char *text, *expected, *reason;
    } rows[] = {
        {FORMAT_EPD,
         BOARD " w - - sm e1d1; c9 \"1-0\"; ce 35;\n" BOARD " b - - bm e9f9; c9 \"0-1\"\n",
         "e1d1 1-0 | e9f9 0-1", NULL},
        {FORMAT_EPD, BOARD " w - - 3 17 bm e1f1; sm e1d1; c9 \"1/2-1/2\"; id \"x\";\n",
         "e1d1 1/2-1/2", NULL},
        {FORMAT_EPD, BOARD " w - - c9 \"1-0\";\n", "move@1", "--fill-moves"},
        {FORMAT_EPD, "\n" BOARD " w - - sm e1e9; c9 \"1-0\";\n", "move@2", "e1e9"},
        {FORMAT_EPD, BOARD " w - - sm e1d1; ce 1e99;\n", "fields@1", "score"},
        {FORMAT_EPD, BOARD " w - - sm e1d1;\n", "e1d1 *", NULL},
        {FORMAT_EPD, BOARD " w sm e1d1; c9 \"won\"; c2 \"0-1\";\n", "e1d1 0-1", NULL},
        // Two that follow each other are one game; a third with another result is not of it.
        {FORMAT_EPD,
         BOARD " b sm e9f9; c9 \"1-0\";\n5k3/9/9/9/9/9/9/4C4/4R4/3K5 w sm e1f1; c9 \"1-0\";\n"
               "5k3/9/9/9/9/9/9/4C4/5R3/3K5 b sm f9g9; c9 \"0-1\";\n",
         "e9f9 e1f1 1-0 | move@3", "f9g9"},
        {FORMAT_CSV, "Result,FEN,Other,Move\n1-0," BOARD " w,7,e1d1\n-1,\"" BOARD " b\",,e9f9\n",
         "e1d1 1-0 | e9f9 0-1", NULL},
        {FORMAT_CSV, "fen,move,result_stm\n" BOARD " b,e9f9,1\n" BOARD " w,e1d1,0.5\n",
         "e9f9 0-1 | e1d1 1/2-1/2", NULL},
        {FORMAT_CSV, "fen,move,result\n" BOARD " b,e9f9,won\n" BOARD " b,e9f9\n,e9f9,1\n",
         "result@2 | e9f9 * | start@4", "'won' is no result"},
        {FORMAT_PLAIN,
         "fen " BOARD " w - - 0 1\nmove e2d2\nscore 31990\nply 9\nresult -1\ne\n"
         "fen " BOARD " b - - 0 1\nmove e10f10\nresult -1\ne\n",
         "e1d1 0-1 | e9f9 1-0", NULL},
        {FORMAT_PLAIN, "fen " BOARD " w - - 0 1\nmove e2d2\nresult 1\n", "fields@1", "no end"},
        {FORMAT_PLAIN, "fen " BOARD " w - - 0 1\nmove e2d2\nresult 1\ndepth 3\ne\n", "fields@1",
         "depth 3"},
        // The second follows by its position, but its move is none.
        {FORMAT_PLAIN,
         "fen " BOARD " b - - 0 1\nmove e10f10\nresult -1\ne\n"
         "fen 5k3/9/9/9/9/9/9/4C4/4R4/3K5 w - - 1 2\nmove e2e9\nresult 1\ne\n"
         "fen " BOARD " b - - 0 1\nmove e10f10\nresult -1\ne\n",
         "e9f9 1-0 | move@5 | e9f9 1-0", "e2e9"},
    };
    FOR_EACH (row, rows) {
        check_read(t, FORMAT_COUNT, MOVES_DETECTED, row->text, row->expected, row->reason);
    }
    static const char bare[] = BOARD " w | 35 | 0.5\n" BOARD " w [0.0]\n" BOARD " w \"1-0\"\n";
    Text uci = {0}, reasons = {0};
    read_all_games(t, bare, sizeof bare - 1, FORMAT_COUNT, MOVES_DETECTED, true, &uci, &reasons);
    Position position;
    MoveList list;
    CHECK(position_from_fen(&position, BOARD " w", NULL) == STATUS_OK);
    position_legal_moves(&position, &list);
    char move[5], expected[80];
    move_to_uci(list.moves[0], move);
    snprintf(expected, sizeof expected, "%s 1/2-1/2 | %s 0-1 | %s 1-0", move, move, move);
    CHECK_TEXT(text_get(&uci), expected);
    text_clear(&uci);
    text_clear(&reasons);
}

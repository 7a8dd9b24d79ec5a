// SPDX-License-Identifier: GPL-3.0-or-later
// The referee: known answers and their mirror images, the order of ends, counts, and random games.
#include <string.h>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/rules/rules_line.h"
#include "tests/core/positions.h"
#include "tests/test.h"

#define PERPETUAL_BOARD "3a2b2/4k4/4b4/9/9/9/P8/1p6B/1r2A1C2/3K1A2C b - - "
#define PERPETUAL_LOOP  "b1b0 d0d1 b0b1 d1d0 "

// ---- helpers -----------------------------------------------------------------------------------

static bool load_game(TestContext *t, Game *game, const char *fen, const char *moves) {
    Position start;
    Err err = {0};
    if (!CHECK_MSG(position_from_fen(&start, fen, &err) == STATUS_OK, "%s: %s", fen, err.text)) {
        return false;
    }
    game_reset(game, &start);
    return CHECK_MSG(game_push_text(game, moves, &err) == STATUS_OK, "%s: %s", fen, err.text);
}

static Verdict swapped(Verdict verdict) {
    if (verdict == VERDICT_RED_LOSES) return VERDICT_BLACK_LOSES;
    return verdict == VERDICT_BLACK_LOSES ? VERDICT_RED_LOSES : verdict;
}

// The game and its three images get the verdict and the reason, either of which may be NULL.
static void check_images(TestContext *t, const Rules *rules, const Game *game, const char *verdict,
                         const char *reason, const char *name) {
    Game image = {0};
    const Judgement plain = rules_judge(rules, game);
    if (verdict)
        CHECK_MSG(strcmp(verdict_name(plain.verdict), verdict) == 0, "%s: %s, expected %s", name,
                  verdict_name(plain.verdict), verdict);
    if (reason)
        CHECK_MSG(strcmp(end_reason_name(plain.reason), reason) == 0, "%s: %s, expected %s", name,
                  end_reason_name(plain.reason), reason);
    for (int form = 1; form < 4; form++) {
        positions_game_image(game, form & 1, form & 2, &image);
        const Judgement judged = rules_judge(rules, &image);
        CHECK_MSG(judged.reason == plain.reason &&
                      judged.verdict == (form & 2 ? swapped(plain.verdict) : plain.verdict),
                  "%s, image %d: %s %s, but %s %s", name, form, verdict_name(judged.verdict),
                  end_reason_name(judged.reason), verdict_name(plain.verdict),
                  end_reason_name(plain.reason));
    }
    game_clear(&image);
}

// ---- known answers -----------------------------------------------------------------------------

// id, origin, FEN, moves, verdict by axf, reason, verdict by literal
static void repetition_row(TestContext *t, char *const *fields) {
    Game game = {0};
    const Rules axf = rules_default(RULES_AXF), literal = rules_default(RULES_LITERAL);
    const Rules none = rules_default(RULES_NONE);
    if (load_game(t, &game, fields[2], fields[3])) {
        check_images(t, &axf, &game, fields[4], fields[5], fields[0]);
        check_images(t, &literal, &game, fields[6], NULL, fields[0]);
        check_images(t, &none, &game, "draw", "no_violation", fields[0]);
        // The third occurrence comes with the last ply.
        size_t ply = 0;
        Judgement end;
        CHECK_MSG(rules_first_end(&axf, &game, &ply, &end) && ply == game.count,
                  "%s: ends after ply %zu of %zu", fields[0], ply, game.count);
    }
    game_clear(&game);
}

// Rows of our own; the others, drawn from published diagrams, are checked where they lie.
void test_rules_repetition(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "repetition.tsv", 1, 7, repetition_row), 170);
}

void test_rules_repetition_shared(TestContext *t) {
    SKIP_IF(!t->shared, NO_SHARED);
    CHECK_INT(test_rows(t, t->shared, "repetition.tsv", 1, 7, repetition_row), 391);
}

// class, FEN, moves, verdict, reason
static void class_row(TestContext *t, char *const *fields) {
    Game game = {0};
    const Rules axf = rules_default(RULES_AXF);
    if (load_game(t, &game, fields[1], fields[2])) {
        check_images(t, &axf, &game, fields[3], fields[4], fields[0]);
    }
    game_clear(&game);
}

void test_rules_classes(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "repetition_classes.tsv", 0, 5, class_row), 17);
}

// FEN, moves, verdict
static void ongoing_row(TestContext *t, char *const *fields) {
    Game game = {0};
    if (load_game(t, &game, fields[0], fields[1])) {
        for (int set = 0; set < RULE_SET_COUNT; set++) {
            const Rules rules = rules_default((RuleSet)set);
            check_images(t, &rules, &game, fields[2], "-", fields[1]);
        }
    }
    game_clear(&game);
}

// FEN, moves, two programs' verdicts, the specification's, the one right by text, class
static void disputed_row(TestContext *t, char *const *fields) {
    const char *text = strrchr(fields[5], ':'); // "official:red_loses"
    const bool open = strcmp(fields[6], "unofficial") == 0 ||
                      strcmp(fields[6], "diagmutual") == 0 || strncmp(fields[5], "open", 4) == 0;
    Game game = {0};
    if (load_game(t, &game, fields[0], fields[1])) {
        const Rules axf = rules_default(RULES_AXF);
        check_images(t, &axf, &game, open || !text ? fields[4] : text + 1, NULL, fields[6]);
    }
    game_clear(&game);
}

void test_rules_disputed_shared(TestContext *t) {
    SKIP_IF(!t->shared, NO_SHARED);
    CHECK_INT(test_rows(t, t->shared, "repetition_ongoing.tsv", 0, 3, ongoing_row), 31);
    CHECK_INT(test_rows(t, t->shared, "repetition_disputed.tsv", 0, 7, disputed_row), 53);
}

// FEN, two columns of pieces, verdict of the first program (our axf), of the second (pikafish)
static void material_row(TestContext *t, char *const *fields) {
    Game game = {0};
    if (load_game(t, &game, fields[0], "")) {
        Rules rules = rules_default(RULES_AXF);
        for (int i = 0; i < 2; i++) {
            rules.material = i == 0 ? MATERIAL_AXF : MATERIAL_PIKAFISH;
            const bool draw = strcmp(fields[3 + i], "draw") == 0;
            CHECK_MSG(draw || strcmp(fields[3 + i], "play on") == 0, "%s", fields[3 + i]);
            check_images(t, &rules, &game, draw ? "draw" : "none", draw ? "material" : "-",
                         fields[0]);
        }
    }
    game_clear(&game);
}

void test_rules_material(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "material.tsv", 0, 5, material_row), 37);
    // A lone cannon that mates in one plays on; the same pieces with Black to move are drawn.
    static const struct {
        const char *fen;
        bool drawn;
    } cannons[] = {
        {"9/3ka4/3a5/9/8C/9/9/9/9/3K5 w - - 0 1", false},
        {"9/9/3ak4/9/9/9/9/4BK3/9/7C1 w - - 0 1", false},
        {"9/9/3ak4/9/9/9/9/4BK3/9/7C1 b - - 0 1", true},
        {"6b2/9/4kc3/9/9/2B6/9/3K4B/4C4/9 w - - 0 1", false},
        {"6b2/9/4kc3/9/9/2B6/9/3K4B/4C4/9 b - - 0 1", true},
    };
    FOR_EACH (row, cannons) {
        Game game = {0};
        Rules rules = rules_default(RULES_AXF);
        rules.material = MATERIAL_PIKAFISH;
        if (load_game(t, &game, row->fen, "")) {
            check_images(t, &rules, &game, row->drawn ? "draw" : "none", NULL, row->fen);
        }
        game_clear(&game);
    }
}

// The approximate Chinese rules beside the Asian ones.
void test_rules_cxa(TestContext *t) {
    static const struct {
        const char *fen, *moves, *axf, *axf_reason, *cxa, *cxa_reason;
    } cases[] = {
        // One check, one chase.
        {"N2kCa3/6N2/9/9/4n4/9/r8/9/9/2B2K3 w - - 0 1", "g8e7 f9e8 e7g8 e8f9 g8e7 f9e8 e7g8 e8f9",
         "draw", "no_violation", "red_loses", "perpetual_chase"},
        // Two cannons chased in turn.
        {"R8/5k3/r6C1/9/5N3/6C2/9/9/4NK3/5p3 b - - 0 1", "a7a4 g4g8 a4a7 g8g4 a7a4 g4g8 a4a7 g8g4",
         "draw", "no_violation", "black_loses", "perpetual_chase"},
        // Mate on the ninth rank is threatened anew on either file.
        {"4k4/1R7/7r1/9/7R1/9/9/9/9/3K5 w - - 0 1", "h5g5 h7g7 g5h5 g7h7 h5g5 h7g7 g5h5 g7h7",
         "draw", "no_violation", "red_loses", "perpetual_chase"},
        // The same threat stands all the time: nothing new.
        {"9/5k3/9/9/R8/9/9/9/4R2r1/3K5 b - - 0 1", "h1f1 e1c1 f1h1 c1e1 h1f1 e1c1 f1h1 c1e1",
         "draw", "no_violation", "draw", "no_violation"},
        // A check on every move loses whatever the other side does.
        {PERPETUAL_BOARD "0 1", PERPETUAL_LOOP PERPETUAL_LOOP, "black_loses", "perpetual_check",
         "black_loses", "perpetual_check"},
    };
    Game game = {0};
    const Rules axf = rules_default(RULES_AXF), cxa = rules_default(RULES_CXA);
    FOR_EACH (row, cases) {
        if (!load_game(t, &game, row->fen, row->moves)) continue;
        check_images(t, &axf, &game, row->axf, row->axf_reason, row->fen);
        check_images(t, &cxa, &game, row->cxa, row->cxa_reason, row->fen);
    }
    game_clear(&game);
}

// ---- the order of ends, and counts -------------------------------------------------------------

void test_rules_order_of_ends(TestContext *t) {
    static const struct {
        const char *fen, *moves, *verdict, *reason;
    } cases[] = {
        {START_FEN, "", "none", "-"},
        {START_FEN, "h2e2 h9g7", "none", "-"},
        // Mate and stalemate come before everything.
        {"R3k4/1R7/9/9/9/9/9/9/9/3K5 b - - 0 1", "", "black_loses", "checkmate"},
        {"R3k4/1R7/9/9/9/9/9/9/9/3K5 b - - 130 1", "", "black_loses", "checkmate"},
        {"4k4/1R7/R8/9/9/9/9/9/9/3K5 w - - 119 1", "a7a9", "black_loses", "checkmate"},
        {"3k5/2P6/9/9/9/9/9/9/9/4K4 b - - 0 1", "", "black_loses", "stalemate"},
        {"3k5/2P6/9/9/9/9/9/9/9/4K4 b - - 130 1", "", "black_loses", "stalemate"},
        // Repetition comes before the count of plies without a capture.
        {PERPETUAL_BOARD "112 1", PERPETUAL_LOOP PERPETUAL_LOOP, "black_loses", "perpetual_check"},
        {PERPETUAL_BOARD "113 1", PERPETUAL_LOOP "b1b0 d0d1 b0b1", "draw", "no_capture"},
        {PERPETUAL_BOARD "112 1", PERPETUAL_LOOP "b1b0 d0d1 b0b1", "none", "-"},
        // That count comes before material, and starts with the FEN's.
        {"4k4/9/9/9/9/9/9/9/9/3K5 w - - 120 1", "", "draw", "no_capture"},
        {"4k4/9/9/9/9/9/9/9/9/3K5 w - - 119 1", "", "draw", "material"},
        {"4k4/9/9/9/9/9/9/9/9/3K4R w - - 119 1", "i0i1", "draw", "no_capture"},
        {"4k4/9/9/9/9/9/9/9/9/3K4R w - - 118 1", "i0i1", "none", "-"},
        // A capture begins it again.
        {"4k4/9/9/9/9/9/9/9/8p/3K4R w - - 119 1", "i0i1", "none", "-"},
        // Captures also begin the history again: occurrences before them do not exist.
        {"3k5/9/9/9/9/9/9/9/p8/R3K4 w - - 0 1",
         "e0e1 d9d8 e1e0 d8d9 a0a1 d9d8 a1a0 d8d9 a0a1 d9d8 a1a0 d8d9", "none", "-"},
    };
    Game game = {0};
    const Rules rules = rules_default(RULES_AXF);
    FOR_EACH (row, cases) {
        if (!load_game(t, &game, row->fen, row->moves)) continue;
        check_images(t, &rules, &game, row->verdict, row->reason, row->fen);
    }
    game_clear(&game);
}

// The first end on the way, in a game that goes on behind it.
void test_rules_first_end(TestContext *t) {
    Game game = {0};
    const Rules rules = rules_default(RULES_AXF);
    size_t ply = 99;
    Judgement end = {VERDICT_NONE, END_NONE};
    if (load_game(t, &game, START_FEN, "h2e2")) CHECK(!rules_first_end(&rules, &game, &ply, &end));
    CHECK_INT(ply, 99);
    if (load_game(t, &game, PERPETUAL_BOARD "113 1", PERPETUAL_LOOP PERPETUAL_LOOP "b1b0 d0d1")) {
        CHECK(rules_first_end(&rules, &game, &ply, &end));
        CHECK_INT(ply, 7);
        CHECK_INT(end.reason, END_NO_CAPTURE);
        CHECK_INT(rules_judge_at(&rules, &game, 8).reason, END_PERPETUAL_CHECK);
    }
    if (load_game(t, &game, "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "d0d1")) {
        CHECK(rules_first_end(&rules, &game, &ply, &end));
        CHECK_INT(ply, 0);
        CHECK_INT(end.reason, END_MATERIAL);
    }
    game_clear(&game);
}

// Checks beyond the cap and the replies to them do not count, each ply once.
void test_rules_no_capture_count(TestContext *t) {
    static const struct {
        const char *fen, *moves;
        int cap, plies, counted, red, black;
    } cases[] = {
        {"4k4/9/9/9/9/9/9/9/9/3K4R w - - 7 1", "", 1, 7, 7, 0, 0},
        {"4k4/9/9/9/9/9/9/9/9/3K4R w - - 7 1", "i0i9 e9e8", 1, 9, 9, 1, 0},
        {"4k4/9/9/9/9/9/9/9/9/3K4R w - - 7 1", "i0i9 e9e8 i9i8", 1, 10, 9, 2, 0},
        {"4k4/9/9/9/9/9/9/9/9/3K4R w - - 7 1", "i0i9 e9e8 i9i8 e8e7", 1, 11, 9, 2, 0},
        {"4k4/9/9/9/9/9/9/9/9/3K4R w - - 7 1", "i0i9 e9e8 i9i8 e8e7 i8h8", 1, 12, 10, 2, 0},
        {"4k4/9/9/9/9/9/9/9/9/3K4R w - - 7 1", "i0i9 e9e8 i9i8 e8e7 i8h8", 2, 12, 12, 2, 0},
        {"4k4/9/9/9/9/9/9/9/9/3K4R w - - 7 1", "i0i9 e9e8 i9i8 e8e7 i8h8", -1, 12, 12, 2, 0},
        {"4k4/9/9/9/9/9/9/9/9/3K4R w - - 7 1", "i0i9 e9e8 i9i8 e8e7 i8h8", 0, 12, 8, 2, 0},
        // A capture, then checks that answer checks, two of each side: replies and checks beyond
        // the cap at once.
        {"2bakr3/5c3/1P2b4/4R4/9/9/9/9/9/4CKC2 w - - 0 1", "e6e7 f8e8 e7f7 e8f8 f7e7", 0, 4, 0, 2,
         2},
        {"2bakr3/5c3/1P2b4/4R4/9/9/9/9/9/4CKC2 w - - 0 1", "e6e7 f8e8 e7f7 e8f8 f7e7", 1, 4, 2, 2,
         2},
        // Checks before a capture are forgotten.
        {"4k3p/9/9/9/9/9/9/9/9/3K4R w - - 5 1", "i0i9 e9e8 i9i8 e8e7", 1, 3, 3, 1, 0},
    };
    Game game = {0};
    Rules rules = rules_default(RULES_AXF);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!load_game(t, &game, cases[i].fen, cases[i].moves)) continue;
        rules.check_cap = cases[i].cap;
        const NoCaptureCount count = rules_no_capture_count(&rules, &game, game.count);
        CHECK_MSG(count.plies == cases[i].plies && count.counted == cases[i].counted &&
                      count.checks[RED] == cases[i].red && count.checks[BLACK] == cases[i].black,
                  "case %zu: plies %d, counted %d, checks %d and %d", i, count.plies, count.counted,
                  count.checks[RED], count.checks[BLACK]);
    }
    game_clear(&game);
}

// ---- the limit of checks -----------------------------------------------------------------------

// With a limit of four, loops with a perpetual check wait for the fourth occurrence, others do not.
static void limit_row(TestContext *t, char *const *fields) {
    Game game = {0};
    Rules rules = rules_default(RULES_LITERAL);
    rules.max_checks = 4;
    const bool waits =
        strcmp(fields[5], "perpetual_check") == 0 || strcmp(fields[5], "mutual_check") == 0;
    if (load_game(t, &game, fields[2], fields[3])) {
        check_images(t, &rules, &game, waits ? "none" : fields[6], NULL, fields[0]);
        size_t period = 2;
        while (game_position(&game, game.count - period)->key != game.now.key) period += 2;
        const size_t from = game.count - period;
        for (size_t i = 0; i < period; i++) game_push(&game, game.plies[from + i].move);
        check_images(t, &rules, &game, fields[6], NULL, fields[0]);
    }
    game_clear(&game);
}

void test_rules_max_checks(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "repetition.tsv", 1, 7, limit_row), 170);
}

// ---- the form for the search -------------------------------------------------------------------

static LineEnd expected_end(Verdict verdict, Side stm) {
    if (verdict == VERDICT_NONE) return LINE_OPEN;
    if (verdict == VERDICT_DRAW) return LINE_DRAWN;
    return verdict == verdict_loss(stm) ? LINE_LOST : LINE_WON;
}

// Pushes plies first..last-1 of the game onto a line that begins after ply `first`.
static void push_plies(RulesLine *line, const Game *game, size_t first, size_t last) {
    for (size_t i = first; i < last; i++) {
        rules_line_push(line, game->plies[i].move, game_position(game, i + 1));
    }
}

static void line_begin_at(RulesLine *line, const Rules *rules, const Game *game, size_t ply) {
    static Game root; // borrows the plies; the line borrows its last position
    root = *game;
    root.now = *game_position(game, ply);
    root.count = ply;
    rules_line_begin(line, rules, &root);
}

static void line_row(TestContext *t, char *const *fields) {
    static RulesLine line;
    Game game = {0};
    const Rules rules = rules_default(RULES_AXF);
    if (!load_game(t, &game, fields[2], fields[3])) return;
    const LineEnd expected = expected_end(rules_judge(&rules, &game).verdict, (Side)game.now.stm);
    // From the root before the last ply: the third occurrence, seen exactly; none before it.
    for (size_t root = game.count - 2; root < game.count; root++) {
        line_begin_at(&line, &rules, &game, root);
        push_plies(&line, &game, root, game.count);
        CHECK_MSG(rules_line_end(&line) == expected, "%s from ply %zu", fields[0], root);
        rules_line_keep(&line, game.count - root - 1);
        if (root + 1 < game.count) CHECK_MSG(rules_line_end(&line) == LINE_OPEN, "%s", fields[0]);
    }
    // From a root two plies before the loop closes for the first time: a position that stood before
    // the root may come a second time.
    const CycleWindow window = rules_cycle_window(&rules, &game, game.count);
    size_t second = window.first + 4;
    while (game_position(&game, second)->key != game.now.key) second += 2;
    if (second >= window.first + 2) {
        line_begin_at(&line, &rules, &game, second - 2);
        push_plies(&line, &game, second - 2, second);
        CHECK_MSG(rules_line_end(&line) == LINE_OPEN, "%s: second occurrence", fields[0]);
    }
    // Deep in the tree the second occurrence is enough. Two rounds of one loop get one verdict.
    bool rounds_equal = second - window.first == game.count - second;
    for (size_t i = window.first; rounds_equal && i < second; i++) {
        rounds_equal = game.plies[i].move == game.plies[second + (i - window.first)].move;
    }
    if (rounds_equal && window.first + 1 < second) {
        // The loop that begins one ply later begins behind the root.
        const size_t close = second + 1;
        line_begin_at(&line, &rules, &game, window.first);
        push_plies(&line, &game, window.first, close);
        const LineEnd turned = expected == LINE_LOST  ? LINE_WON
                               : expected == LINE_WON ? LINE_LOST
                                                      : expected;
        CHECK_MSG(rules_line_end(&line) == turned, "%s: inside the tree", fields[0]);
    }
    game_clear(&game);
}

void test_rules_line(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "repetition.tsv", 1, 7, line_row), 170);
}

// A line of moves and null moves ("-") from a position; the end that the line then shows.
static LineEnd line_end_of(TestContext *t, RulesLine *line, Game *game, const char *fen,
                           const char *moves) {
    static Position stack[RULES_LINE_TREE];
    const Rules rules = rules_default(RULES_AXF);
    if (!load_game(t, game, fen, "")) return LINE_OPEN;
    rules_line_begin(line, &rules, game);
    const Position *now = &game->now;
    const char *word;
    size_t length;
    for (int i = 0; text_next_word(&moves, &word, &length); i++) {
        if (*word == '-') {
            position_do_null(now, &stack[i]);
            rules_line_push_null(line, &stack[i]);
        } else {
            const Move move = move_from_uci(word);
            position_do_move(now, move, &stack[i]);
            rules_line_push(line, move, &stack[i]);
        }
        now = &stack[i];
    }
    return rules_line_end(line);
}

void test_rules_line_ends(TestContext *t) {
    static const struct {
        const char *fen, *moves;
        LineEnd end;
    } cases[] = {
        // A second occurrence counts when the first one is behind the root.
        {START_FEN, "a0a1 a9a8 a1a0 a8a9", LINE_OPEN},
        {START_FEN, "a0a1 a9a8 a1a0 a8a9 a0a1", LINE_DRAWN},
        {PERPETUAL_BOARD "0 1", PERPETUAL_LOOP "b1b0", LINE_WON},
        {PERPETUAL_BOARD "0 1", PERPETUAL_LOOP "b1b0 d0d1", LINE_LOST},
        // Null moves part the line.
        {START_FEN, "a0a1 a9a8 - a8b8 - b8a8", LINE_OPEN},
        {START_FEN, "a0a1 a9a8 a1b1 a8b8 b1a1 b8a8", LINE_DRAWN},
        // Mate comes before the count of plies, the count after it.
        {"4k4/1R7/R8/9/9/9/9/9/9/3K5 w - - 119 1", "a7a9", LINE_LOST},
        {"4k4/1R7/R8/9/9/9/9/9/9/3K5 w - - 119 1", "a7a8", LINE_DRAWN},
        {"4k4/1R7/R8/9/9/9/9/9/9/3K5 w - - 118 1", "a7a8", LINE_OPEN},
        {"4k4/9/9/9/9/9/9/9/8p/3K4R w - - 119 1", "i0i1", LINE_OPEN},
        {"4k4/9/9/9/9/9/9/9/8p/3K5 w - - 0 1", "d0d1", LINE_OPEN},
        {"4k4/9/9/9/9/9/9/9/3p5/3K5 w - - 0 1", "d0d1", LINE_DRAWN},
    };
    static RulesLine line;
    Game game = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const LineEnd end = line_end_of(t, &line, &game, cases[i].fen, cases[i].moves);
        CHECK_MSG(end == cases[i].end, "case %zu, %s: %d, expected %d", i, cases[i].moves, (int)end,
                  (int)cases[i].end);
    }
    game_clear(&game);
}

// ---- random games ------------------------------------------------------------------------------

// A random legal move that likes to go back, so that loops come about.
static Move random_move(Random *random, const Game *game) {
    MoveList legal;
    position_legal_moves(&game->now, &legal);
    if (legal.count == 0) return MOVE_NONE;
    if (game->count >= 2 && random_below(random, 4) > 0) {
        const Move last = game->plies[game->count - 2].move;
        const Move back = move_make(move_to(last), move_from(last));
        for (int i = 0; i < legal.count; i++) {
            if (legal.moves[i] == back) return back;
        }
    }
    return legal.moves[random_below(random, (uint64_t)legal.count)];
}

// A position with few pieces, so that they attack each other and the generals.
static void random_start(Random *random, Position *position) {
    const Piece kinds[] = {2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15};
    do {
        Piece board[SQUARE_COUNT] = {0};
        const int pieces = 1 + (int)random_below(random, 12);
        for (int i = 0; i < pieces + 2; i++) {
            const Piece piece = i == 0   ? piece_make(RED, GENERAL)
                                : i == 1 ? piece_make(BLACK, GENERAL)
                                         : kinds[random_below(random, sizeof kinds)];
            const int square = (int)random_below(random, SQUARE_COUNT);
            if (board[square] == PIECE_NONE) board[square] = piece;
        }
        const Side stm = (Side)random_below(random, 2);
        const unsigned halfmove = (unsigned)random_below(random, 130);
        if (position_from_board(position, board, stm, halfmove, 1, NULL) == STATUS_OK) {
            return;
        }
    } while (true);
}

static void check_ply(TestContext *t, const Rules *rules, const Game *game, RulesLine *line) {
    const Judgement judged = rules_judge(rules, game);
    if (game->count > 0 && judged.reason != END_CHECKMATE && judged.reason != END_STALEMATE) {
        line_begin_at(line, rules, game, game->count - 1);
        push_plies(line, game, game->count - 1, game->count);
        CHECK_MSG(rules_line_end(line) == expected_end(judged.verdict, (Side)game->now.stm),
                  "%s after %zu plies: the line says %d", end_reason_name(judged.reason),
                  game->count, (int)rules_line_end(line));
    }
}

static void random_game(TestContext *t, Random *random, Game *game, Text *text, int *reasons) {
    static RulesLine line;
    Position start;
    random_start(random, &start);
    game_reset(game, &start);
    Rules rules = rules_default((RuleSet)random_below(random, RULE_SET_COUNT));
    rules.material = (MaterialRule)random_below(random, 2);
    rules.check_cap = (int)random_below(random, 12) - 1;
    if (random_below(random, 4) == 0) rules.max_checks = 4;
    // `literal` with a limit asks for more occurrences than the search, which is in a hurry.
    const bool line_agrees = rules.set != RULES_LITERAL || rules.max_checks == 3;
    for (int ply = 0; ply < 100; ply++) {
        const Judgement judged = rules_judge(&rules, game);
        reasons[judged.reason]++;
        if (line_agrees) check_ply(t, &rules, game, &line);
        if (judged.verdict != VERDICT_NONE && random_below(random, 4) == 0) {
            check_images(t, &rules, game, NULL, NULL, "a random game");
            text_reset(text);
            rules_explain(&rules, game, game->count, text);
            CHECK(text->length > 0);
        }
        const Move move = random_move(random, game);
        if (move == MOVE_NONE || judged.reason == END_CHECKMATE) break;
        game_push(game, move);
    }
}

// Games of many loops: no crash, the search's form gives the referee's verdict for each ply, images
// get mirrored verdicts, every kind of end comes about.
void test_rules_random_games(TestContext *t) {
    int reasons[END_REASON_COUNT] = {0};
    Game game = {0};
    Text text = {0};
    for (int i = 0; i < (t->full ? 20000 : 200); i++) {
        Random random;
        random_init(&random, 20261120, (uint64_t)i);
        random_game(t, &random, &game, &text, reasons);
    }
    for (int reason = END_NONE; reason <= END_MATERIAL; reason++) {
        // These two are too rare for games without a plan.
        if (reason == END_MUTUAL_CHECK || reason == END_MUTUAL_CHASE) continue;
        CHECK_MSG(reasons[reason] > 0, "no game with %s", end_reason_name((EndReason)reason));
    }
    game_clear(&game);
    text_clear(&text);
}

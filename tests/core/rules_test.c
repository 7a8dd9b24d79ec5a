// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of rules_judge() and of the rules in the search: known answers and their mirror images,
// games that several rules would end, counts of checks and of plies without a capture, and random
// games.
#include <stdlib.h>
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
    return CHECK_MSG(game_push_text(game, moves, 0, &err) == STATUS_OK, "%s: %s", fen, err.text);
}

static Verdict swapped(Verdict verdict) {
    if (verdict == VERDICT_RED_LOSES) return VERDICT_BLACK_LOSES;
    return verdict == VERDICT_BLACK_LOSES ? VERDICT_RED_LOSES : verdict;
}

// Checks the verdict and the reason for a game and its three images (mirrored, colours exchanged,
// both). An expectation that is NULL is not checked.
static void check_images(TestContext *t, const Rules *rules, const Game *game, const char *verdict,
                         const char *reason, const char *name) {
    AUTO(Game) image = {0};
    const Judgement plain = rules_judge(rules, game);
    if (verdict)
        CHECK_MSG(strcmp(verdict_name(plain.verdict), verdict) == 0,
                  "%s: the verdict is %s, expected %s", name, verdict_name(plain.verdict), verdict);
    if (reason)
        CHECK_MSG(strcmp(end_reason_name(plain.reason), reason) == 0,
                  "%s: the reason is %s, expected %s", name, end_reason_name(plain.reason), reason);
    for (int form = 1; form < 4; form++) {
        positions_game_image(game, form & 1, form & 2, &image);
        const Judgement judged = rules_judge(rules, &image);
        CHECK_MSG(judged.reason == plain.reason &&
                      judged.verdict == (form & 2 ? swapped(plain.verdict) : plain.verdict),
                  "%s, image %d: the verdict is %s (%s), but that of the game is %s (%s)", name,
                  form, verdict_name(judged.verdict), end_reason_name(judged.reason),
                  verdict_name(plain.verdict), end_reason_name(plain.reason));
    }
}

// ---- known answers -----------------------------------------------------------------------------

// Checks the verdict about a repetition. A row of the test data has id, origin, FEN, moves, verdict
// and reason by the rule set "axf", and verdict by the rule set "literal". By the rule set "none",
// every repetition is a draw.
static void repetition_row(TestContext *t, char *const *fields) {
    AUTO(Game) game = {0};
    const Rules axf = rules_default(RULES_AXF), literal = rules_default(RULES_LITERAL);
    const Rules none = rules_default(RULES_NONE);
    if (load_game(t, &game, fields[2], fields[3])) {
        check_images(t, &axf, &game, fields[4], fields[5], fields[0]);
        check_images(t, &literal, &game, fields[6], NULL, fields[0]);
        check_images(t, &none, &game, "draw", "no_violation", fields[0]);
        // The position occurs for the third time after the last ply, so the game ends there and not
        // before.
        size_t ply = 0;
        Judgement end;
        CHECK_MSG(rules_first_end(&axf, &game, &ply, &end) && ply == game.count,
                  "%s: the game ends after ply %zu of %zu", fields[0], ply, game.count);
    }
}

// The rows of tests/data/repetition.tsv were made for this project. Rows from published diagrams
// are not part of the repository; `make test-full` reads them from the directory PAOTAI_SHARED.
void test_rules_repetition(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "repetition.tsv", 1, 7, repetition_row), 170);
}

void test_rules_repetition_shared(TestContext *t) {
    SKIP_IF(!t->shared, NO_SHARED);
    CHECK_INT(test_rows(t, t->shared, "repetition.tsv", 1, 7, repetition_row), 391);
}

// Checks the verdict about a game by the rule set axf. A row has FEN, moves, and the expected
// verdict and reason.
static void end_row(TestContext *t, char *const *fields) {
    AUTO(Game) game = {0};
    const Rules rules = rules_default(RULES_AXF);
    if (load_game(t, &game, fields[0], fields[1]))
        check_images(t, &rules, &game, fields[2], fields[3], fields[0]);
}

// Checks the verdict about a repetition. A row has the class of the repetition, FEN, moves,
// verdict, reason.
static void class_row(TestContext *t, char *const *fields) {
    end_row(t, fields + 1);
}

void test_rules_classes(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "repetition_classes.tsv", 0, 5, class_row), 17);
}

// Checks by every rule set that a game is not over: the reason must be "-". A row has FEN, moves,
// verdict.
static void ongoing_row(TestContext *t, char *const *fields) {
    AUTO(Game) game = {0};
    if (load_game(t, &game, fields[0], fields[1])) {
        for (int set = 0; set < RULE_SET_COUNT; set++) {
            const Rules rules = rules_default((RuleSet)set);
            check_images(t, &rules, &game, fields[2], "-", fields[1]);
        }
    }
}

// Checks a verdict on which programs differ. A row of the test data has FEN, moves, verdicts of two
// programs and of the specification, the right verdict with its source, and a word for the reason
// why the programs differ. If the right verdict is not certain, that of the specification is
// expected.
static void disputed_row(TestContext *t, char *const *fields) {
    // The field has the form SOURCE:VERDICT, for example "official:red_loses".
    const char *text = strrchr(fields[5], ':');
    const bool open = strcmp(fields[6], "unofficial") == 0 ||
                      strcmp(fields[6], "diagmutual") == 0 || strncmp(fields[5], "open", 4) == 0;
    AUTO(Game) game = {0};
    if (load_game(t, &game, fields[0], fields[1])) {
        const Rules axf = rules_default(RULES_AXF);
        check_images(t, &axf, &game, open || !text ? fields[4] : text + 1, NULL, fields[6]);
    }
}

// Checks draws by lack of material. A row has FEN, the pieces of Red and of Black, and whether the
// game is drawn by the material rule axf and by the material rule pikafish.
static void material_row(TestContext *t, char *const *fields) {
    AUTO(Game) game = {0};
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
}

void test_rules_material(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "material.tsv", 0, 5, material_row), 42);
}

void test_rules_disputed_shared(TestContext *t) {
    SKIP_IF(!t->shared, NO_SHARED);
    CHECK_INT(test_rows(t, t->shared, "repetition_ongoing.tsv", 0, 3, ongoing_row), 31);
    CHECK_INT(test_rows(t, t->shared, "repetition_disputed.tsv", 0, 7, disputed_row), 53);
    CHECK_INT(test_rows(t, t->shared, "material.tsv", 0, 5, material_row), 37);
}

// Checks the verdicts of two rule sets. A row has FEN, moves, verdict and reason by the rule set
// axf, verdict and reason by the rule set cxa.
static void cxa_row(TestContext *t, char *const *fields) {
    AUTO(Game) game = {0};
    const Rules cxa = rules_default(RULES_CXA);
    end_row(t, fields);
    if (load_game(t, &game, fields[0], fields[1])) {
        check_images(t, &cxa, &game, fields[4], fields[5], fields[0]);
    }
}

void test_rules_cxa(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "rules_cxa.tsv", 0, 6, cxa_row), 5);
}

// ---- games in which several rules apply; counters of plies and moves ---------------------------

void test_rules_order_of_ends(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "rules_ends.tsv", 0, 4, end_row), 16);
}

// rules_first_end() must find the first end in games that were continued after it.
void test_rules_first_end(TestContext *t) {
    AUTO(Game) game = {0};
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
}

// Checks the counts for the draw after many plies without a capture. A row of the test data has
// FEN, moves, check_cap (the number of checks by each side that count for the draw; further checks
// do not count), and the expected NoCaptureCount. Its members are the plies without a capture,
// those of them that count for the draw, and the checks by Red and by Black.
static void no_capture_row(TestContext *t, char *const *fields) {
    AUTO(Game) game = {0};
    Rules rules = rules_default(RULES_AXF);
    if (load_game(t, &game, fields[0], fields[1])) {
        rules.check_cap = atoi(fields[2]);
        const NoCaptureCount count = rules_no_capture_count(&rules, &game, game.count);
        CHECK_INT(count.plies, atoi(fields[3]));
        CHECK_INT(count.counted, atoi(fields[4]));
        CHECK_INT(count.checks[RED], atoi(fields[5]));
        CHECK_INT(count.checks[BLACK], atoi(fields[6]));
    }
}

void test_rules_no_capture_count(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "rules_no_capture.tsv", 0, 7, no_capture_row), 11);
}

// ---- max_checks --------------------------------------------------------------------------------

// With max_checks = 4, a loop that contains a perpetual check is judged at the fourth occurrence of
// the position, any other loop at the third.
static void limit_row(TestContext *t, char *const *fields) {
    AUTO(Game) game = {0};
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
}

void test_rules_max_checks(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "repetition.tsv", 1, 7, limit_row), 170);
}

// ---- game ends inside the search (RulesLine) ---------------------------------------------------

static LineEnd expected_end(Verdict verdict, Side stm) {
    if (verdict == VERDICT_NONE) return LINE_OPEN;
    if (verdict == VERDICT_DRAW) return LINE_DRAWN;
    return verdict == verdict_loss(stm) ? LINE_LOST : LINE_WON;
}

// Pushes the plies first to last - 1 of the game, counted from 0, onto `line`, which begins before
// ply `first`.
static void push_plies(RulesLine *line, const Game *game, size_t first, size_t last) {
    for (size_t i = first; i < last; i++) {
        rules_line_push(line, game->plies[i].move, game_position(game, i + 1));
    }
}

static void line_begin_at(RulesLine *line, const Rules *rules, const Game *game, size_t ply) {
    // *line keeps a pointer to root.now, so `root` must outlive this call.
    static Game root;
    root = BORROW(*game);
    root.now = *game_position(game, ply);
    root.count = ply;
    rules_line_begin(line, rules, &root);
}

static void line_row(TestContext *t, char *const *fields) {
    static RulesLine line;
    AUTO(Game) game = {0};
    const Rules rules = rules_default(RULES_AXF);
    if (!load_game(t, &game, fields[2], fields[3])) return;
    const LineEnd expected = expected_end(rules_judge(&rules, &game).verdict, (Side)game.now.stm);
    // Wherever the search begins, the third occurrence of the position must end the line with the
    // result of the game.
    for (size_t root = 0; root < game.count; root++) {
        line_begin_at(&line, &rules, &game, root);
        push_plies(&line, &game, root, game.count);
        CHECK_MSG(rules_line_end(&line) == expected,
                  "%s: wrong end of the line that begins "
                  "at ply %zu",
                  fields[0], root);
        rules_line_keep(&line, game.count - root - 1);
        if (root + 2 == game.count) CHECK_MSG(rules_line_end(&line) == LINE_OPEN, "%s", fields[0]);
    }
    // Begin the search two plies before the second occurrence of the position, so that the first
    // occurrence is before the root. The second occurrence must not end the line.
    const CycleWindow window = rules_cycle_window(&rules, &game, game.count);
    size_t second = window.first + 4;
    while (game_position(&game, second)->key != game.now.key) second += 2;
    line_begin_at(&line, &rules, &game, second - 2);
    push_plies(&line, &game, second - 2, second);
    CHECK_MSG(rules_line_end(&line) == LINE_OPEN, "%s: the line ends at the second occurrence",
              fields[0]);
    // If a position occurs twice inside the tree, the line ends. Its LineEnd names the side that
    // would lose if the moves between the two occurrences were repeated. This must agree with the
    // verdict on the game if the game repeats the position twice by the same moves.
    bool rounds_equal = second - window.first == game.count - second;
    for (size_t i = window.first; rounds_equal && i < second; i++) {
        rounds_equal = game.plies[i].move == game.plies[second + (i - window.first)].move;
    }
    if (rounds_equal) {
        // The first occurrence of the position is the root, not inside the tree. The position one
        // ply later occurs twice inside the tree.
        const size_t close = second + 1;
        line_begin_at(&line, &rules, &game, window.first);
        push_plies(&line, &game, window.first, close);
        const LineEnd turned = expected == LINE_LOST  ? LINE_THEIR_LOOP
                               : expected == LINE_WON ? LINE_OUR_LOOP
                                                      : expected;
        CHECK_MSG(rules_line_end(&line) == turned, "%s: wrong end of a loop inside the tree",
                  fields[0]);
    }
}

void test_rules_line(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "repetition.tsv", 1, 7, line_row), 170);
}

// Checks how a line of the search ends. A row has FEN, the moves of the line ("-": a null move),
// and the name of the expected LineEnd.
static void line_end_row(TestContext *t, char *const *fields) {
    static const char *const names[] = {
        [LINE_OPEN] = "open", [LINE_DRAWN] = "drawn",       [LINE_WON] = "won",
        [LINE_LOST] = "lost", [LINE_OUR_LOOP] = "our loop", [LINE_THEIR_LOOP] = "their loop",
    };
    static RulesLine line;
    static Position stack[RULES_LINE_TREE];
    const Rules rules = rules_default(RULES_AXF);
    AUTO(Game) game = {0};
    if (!load_game(t, &game, fields[0], "")) return;
    rules_line_begin(&line, &rules, &game);
    const Position *now = &game.now;
    const char *moves = fields[1], *word;
    size_t length;
    for (int i = 0; text_next_word(&moves, &word, &length); now = &stack[i++]) {
        if (*word == '-') {
            position_do_null(now, &stack[i]);
            rules_line_push_null(&line, &stack[i]);
        } else {
            const Move move = move_from_uci(word);
            position_do_move(now, move, &stack[i]);
            rules_line_push(&line, move, &stack[i]);
        }
    }
    CHECK_TEXT(names[rules_line_end(&line)], fields[2]);
}

void test_rules_line_ends(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "rules_line.tsv", 0, 3, line_end_row), 13);
}

// ---- random games ------------------------------------------------------------------------------

// Returns a random legal move, often one by which the side to move takes back its last move, so
// that loops occur. Returns MOVE_NONE if there is no legal move.
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

// Makes a random position with few pieces, so that they often attack each other and the generals.
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

// Returns true if the search may score this position without searching on, although rules_judge()
// lets the game continue: the position occurs for the second time inside the search tree, and `end`
// is a draw or one of the two loops (LINE_OUR_LOOP, LINE_THEIR_LOOP).
static bool ends_without_winner(LineEnd end, const Game *game, size_t root) {
    if (end != LINE_DRAWN && end != LINE_OUR_LOOP && end != LINE_THEIR_LOOP) return false;
    for (size_t i = root + 1; i < game->count; i++) {
        if (game_position(game, i)->key == game->now.key) return true;
    }
    return false;
}

// Checks the end of a line of the search that begins at ply `root` of a game. The line must be won
// or lost if and only if rules_judge() says so for the game. A line that is neither won nor lost
// may end earlier than the game, by a repetition inside the search tree.
static void check_ply(TestContext *t, const Rules *rules, const Game *game, size_t root,
                      RulesLine *line) {
    const Judgement judged = rules_judge(rules, game);
    if (judged.reason == END_CHECKMATE || judged.reason == END_STALEMATE) return;
    line_begin_at(line, rules, game, root);
    push_plies(line, game, root, game->count);
    const LineEnd end = rules_line_end(line);
    CHECK_MSG(end == expected_end(judged.verdict, (Side)game->now.stm) ||
                  (judged.verdict == VERDICT_NONE && ends_without_winner(end, game, root)),
              "%s after %zu plies: the line that begins at ply %zu has the end %d",
              end_reason_name(judged.reason), game->count, root, (int)end);
}

static void random_game(TestContext *t, Random *random, Game *game, Text *text, int *reasons) {
    static RulesLine line;
    Position start;
    random_start(random, &start);
    game_reset(game, &start);
    Rules rules = rules_default((RuleSet)random_below(random, RULE_SET_COUNT));
    rules.material = (MaterialRule)random_below(random, 2);
    rules.check_cap = (int)random_below(random, 12) - 1;
    if (random_below(random, 2) == 0) rules.max_checks = 4 + (int)random_below(random, 2);
    if (random_below(random, 2) == 0) rules.check_run = 1 + (int)random_below(random, 3);
    for (int ply = 0; ply < 100; ply++) {
        const Judgement judged = rules_judge(&rules, game);
        reasons[judged.reason]++;
        if (game->count > 0) {
            const size_t most = game->count < 30 ? game->count : 30;
            check_ply(t, &rules, game, game->count - 1, &line);
            check_ply(t, &rules, game, game->count - 1 - (size_t)random_below(random, most), &line);
        }
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

// Plays random games with many loops. After each ply, RulesLine, which judges a line of moves in
// the search, must find the same winner as rules_judge() finds for the game. A quarter of the
// positions in which the game has ended are also judged as images (mirrored, colours exchanged).
// Every reason that rules_judge() can find must occur, except mutual check and mutual chase, which
// are too rare.
void test_rules_random_games(TestContext *t) {
    int reasons[END_REASON_COUNT] = {0};
    AUTO(Game) game = {0};
    AUTO(Text) text = {0};
    for (int i = 0; i < (t->full ? 20000 : 200); i++) {
        Random random;
        random_init(&random, 20261120, (uint64_t)i);
        random_game(t, &random, &game, &text, reasons);
    }
    for (int reason = END_NONE + 1; reason <= END_MATERIAL; reason++) {
        if (reason == END_MUTUAL_CHECK || reason == END_MUTUAL_CHASE) continue;
        CHECK_MSG(reasons[reason] > 0, "no random game ended by %s",
                  end_reason_name((EndReason)reason));
    }
}

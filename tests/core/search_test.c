// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the search: mates (compared with an exact solver), loops, limits, and reproducibility.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/board/attacks.h"
#include "core/board/bench_positions.h"
#include "core/eval/weights.h"
#include "core/search/search.h"
#include "core/search/smp.h"
#include "core/search/time_budget.h"
#include "tests/test.h"

// ---- an exact solver of short mates ----------------------------------------------------------

// Returns true if the side to move can mate or stalemate the opponent within `moves` moves of its
// own.
static bool solver_mates(const Position *position, int moves) {
    MoveList list;
    position_legal_moves(position, &list);
    for (int i = 0; i < list.count; i++) {
        Position after;
        MoveList replies;
        position_do_move(position, list.moves[i], &after);
        position_legal_moves(&after, &replies);
        if (replies.count == 0) return true;
        if (moves <= 1) continue;
        bool all = true;
        for (int j = 0; j < replies.count && all; j++) {
            Position next;
            position_do_move(&after, replies.moves[j], &next);
            all = solver_mates(&next, moves - 1);
        }
        if (all) return true;
    }
    return false;
}

// Returns true if the opponent mates with at most `moves` moves, whatever the side to move plays.
static bool solver_is_mated(const Position *position, int moves) {
    MoveList list;
    position_legal_moves(position, &list);
    for (int i = 0; i < list.count; i++) {
        Position after;
        position_do_move(position, list.moves[i], &after);
        if (moves == 0 || !solver_mates(&after, moves)) return false;
    }
    return true;
}

// Returns the number of moves of the shortest mate if it has at most `most` moves, else 0.
static int solver_mate(const Position *position, int most) {
    for (int moves = 1; moves <= most; moves++) {
        if (solver_mates(position, moves)) return moves;
    }
    return 0;
}

// ---- positions -------------------------------------------------------------------------------

// Makes a random endgame: Red attacks with two or three pieces, Black defends with up to five.
// Returns false if the position is not legal or has no legal move.
static bool random_ending(Random *random, Position *position) {
    static const PieceType attackers[] = {CHARIOT, CANNON, HORSE, SOLDIER, CHARIOT};
    static const PieceType defenders[] = {ADVISOR, ADVISOR, ELEPHANT, ELEPHANT, HORSE, CANNON};
    Piece board[SQUARE_COUNT] = {PIECE_NONE};
    const int red_count = 2 + (int)random_below(random, 2);
    const int black_count = (int)random_below(random, 6);
    for (int i = -2; i < red_count + black_count; i++) {
        const Side side = i == -2 || (i >= 0 && i < red_count) ? RED : BLACK;
        const PieceType type = i < 0         ? GENERAL
                               : side == RED ? attackers[random_below(random, 5)]
                                             : defenders[random_below(random, 6)];
        const int square = (int)random_below(random, SQUARE_COUNT);
        if (board[square] != PIECE_NONE || !square_fits_piece(square, side, type)) {
            i--; // the point is occupied or forbidden for this piece: choose piece and point again
            continue;
        }
        board[square] = piece_make(side, type);
    }
    const Side stm = random_below(random, 4) ? RED : BLACK;
    return position_from_board(position, board, stm, 0, 1, NULL) == STATUS_OK &&
           !position_no_legal_move(position);
}

static int search_score(Search *search, const Position *position, const SearchLimits *limits) {
    AUTO(Game) game;
    SearchResult result;
    game_init(&game, position);
    search_clear(search);
    search_run(search, &game, limits, &result);
    return result.line.score;
}

static Search *new_search(void) {
    Weights weights;
    weights_classic(&weights);
    return search_new(&weights, 1, NULL);
}

// A mate in at most three moves that the search announces must exist. With the limit `mate`, the
// search must find the shortest mate.
void test_search_mates_against_solver(TestContext *t) {
    enum { SOLVED = 3 };
    static const int depths[] = {1, 2, 3, 4, 6, 8, 12};
    const int positions = t->full ? 3000 : 110;
    Search *search = new_search();
    int mates[SOLVED + 1] = {0};
    for (int i = 0; i < positions && t->failures < 10; i++) {
        Random random;
        Position position;
        random_init(&random, 5, (uint64_t)i);
        while (!random_ending(&random, &position)) continue;
        char fen[FEN_SIZE];
        position_to_fen(&position, FEN_UCI, fen);
        const int exact = solver_mate(&position, SOLVED);
        mates[exact]++;
        for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
            const SearchLimits limits = {.depth = depths[d]};
            const int plies = score_mate_plies(search_score(search, &position, &limits));
            if (plies > 0 && plies < 2 * SOLVED) {
                CHECK_MSG(exact > 0 && 2 * exact - 1 <= plies,
                          "%s: depth %d announces mate in %d plies, the solver says %d moves", fen,
                          depths[d], plies, exact);
            } else if (plies < 0 && -plies <= 2 * SOLVED - 2) {
                CHECK_MSG(
                    solver_is_mated(&position, -plies / 2),
                    "%s: depth %d announces that it is mated in %d plies, but the solver denies it",
                    fen, depths[d], -plies);
            }
        }
        if (!exact) continue;
        const SearchLimits limits = {.mate = exact, .nodes = 2000000};
        CHECK_MSG(search_score(search, &position, &limits) == SCORE_MATE - (2 * exact - 1),
                  "%s: mate in %d moves not found", fen, exact);
    }
    CHECK_MSG(mates[1] >= 10 && mates[2] >= 10 && mates[3] >= 5,
              "there are too few mates in 1, 2 and 3 moves: %d, %d, %d", mates[1], mates[2],
              mates[3]);
    search_free(search);
}

// Tests longer mates, whose lengths solver_mate() has computed, and stalemates, which are lost for
// the side to move.
void test_search_known_mates(TestContext *t) {
    static const struct {
        const char *fen;
        int plies; // expected result of score_mate_plies(): > 0 if the side to move mates
    } cases[] = {
        {"9/3k5/9/9/1P7/9/2C6/5K3/9/9 w", 7},
        {"9/4k4/9/9/9/5P3/9/9/2CK5/9 w", 7},
        {"9/9/3kn2R1/9/9/9/1N7/9/R4c1n1/c4K3 w", 7},
        {"9/3k5/9/4C4/9/4n4/9/5N3/9/4K4 w", 7},
        // In these three positions, the search prunes the mate even at the depth at which `go mate
        // N` may give up. It finds the mate only because it must visit MATE_MIN_NODES nodes.
        {"9/3kN4/2R6/9/9/9/4P4/9/4K4/9 w", 3},
        {"9/9/3k5/N8/9/9/9/3C5/5K3/9 w", 3},
        {"3Nk4/9/9/9/9/9/4N4/9/9/4K4 w", 5},
        {"3k5/9/9/9/9/9/5r3/9/3r5/4K4 b", 1}, // Black stalemates Red and wins
        {"3k5/4a4/9/9/9/9/9/9/9/3RK4 b", -4}, // main line: d9e9 d0d8, then e9f9 d8e8
    };
    Search *search = new_search();
    FOR_EACH (row, cases) {
        Position position;
        if (!CHECK(position_from_fen(&position, row->fen, NULL) == STATUS_OK)) continue;
        const int moves = row->plies > 0 ? (row->plies + 1) / 2 : 0;
        const SearchLimits limits = {.mate = moves, .depth = moves ? 0 : 14, .nodes = 4000000};
        const int plies = score_mate_plies(search_score(search, &position, &limits));
        CHECK_MSG(plies == row->plies, "%s: the mate has %d plies, expected %d", row->fen, plies,
                  row->plies);
    }
    search_free(search);
}

// ---- loops -----------------------------------------------------------------------------------

// The last move of each game repeats a position for the third time, and Black has given check with
// every move since the first occurrence. A search of this move alone must score it as a loss for
// Black. Under the rule set "none" it must score it as a draw.
void test_search_perpetual_check(TestContext *t) {
    static const struct {
        const char *fen, *moves, *last;
    } cases[] = {
        {"3a2b2/4k4/4b4/9/9/9/P8/1p6B/1r2A1C2/3K1A2C b", "b1b0 d0d1 b0b1 d1d0 b1b0 d0d1 b0b1",
         "d1d0"},
        {"3a1R2P/4k4/2n2a3/9/9/R8/9/9/3CA2p1/2B2Kr2 w", "f0f1 g0g1 f1f0 g1g0 f0f1 g0g1 f1f0",
         "g1g0"},
        {"9/9/3k5/9/5r3/3N5/9/5K3/9/p8 w", "f2e2 f5e5 e2f2 e5f5 f2e2 f5e5 e2f2", "e5f5"},
    };
    Search *search = new_search();
    FOR_EACH (row, cases) {
        Position start;
        AUTO(Game) game = {0};
        SearchResult result;
        if (!CHECK(position_from_fen(&start, row->fen, NULL) == STATUS_OK)) continue;
        game_init(&game, &start);
        CHECK(game_push_text(&game, row->moves, 0, NULL) == STATUS_OK);
        const MoveList only = {.count = 1, .moves = {move_from_uci(row->last)}};
        search_clear(search);
        search_run(search, &game, &(SearchLimits){.depth = 3, .only = &only}, &result);
        const int score_red = game.now.stm == RED ? result.line.score : -result.line.score;
        CHECK_MSG(score_red == SCORE_RULE_WIN - 1, "%s: the score is %d", row->fen, score_red);
        const Rules draws = rules_default(RULES_NONE);
        search_set_rules(search, &draws);
        search_clear(search);
        search_run(search, &game, &(SearchLimits){.depth = 3, .only = &only}, &result);
        CHECK_INT(result.line.score, 0);
        const Rules axf = rules_default(RULES_AXF);
        search_set_rules(search, &axf);
    }
    search_free(search);
}

// Searches the position of a record "FEN<TAB>moves" with the default weights. Returns the score
// from Red's side.
static int record_score_red(TestContext *t, const char *record, const Rules *rules,
                            const SearchLimits *limits) {
    char line[512];
    AUTO(Game) game = {0};
    Weights weights;
    SearchResult result;
    Err err = {0};
    snprintf(line, sizeof line, "%s", record);
    if (!CHECK_OK(game_read_record(&game, line, strlen(line), &err), err)) return 0;
    weights_default(&weights, NULL);
    Search *search = search_new(&weights, 16, NULL);
    search_set_rules(search, rules);
    search_run(search, &game, limits, &result);
    search_free(search);
    return game.now.stm == RED ? result.line.score : -result.line.score;
}

// Regression test: the search once scored these two positions as lost or won by repetition, because
// it applied the rules to the moves of another line when it searched a node again. In these
// positions a search of 500 nodes finds no repetition.
void test_search_judges_its_own_line(TestContext *t) {
    static const char *const fens[] = {
        "9/4a4/3k5/p1N1p4/2RNr4/6P2/P8/4B4/3c5/3AKAB2 b - - 2 33",
        "1R7/4k4/4b4/C1p5N/6p1p/5nP2/P1P1P3P/N6C1/9/2BAKAB2 w - - 15 39"};
    const Rules rules = rules_default(RULES_AXF);
    FOR_EACH (fen, fens) {
        const int score = record_score_red(t, *fen, &rules, &(SearchLimits){.nodes = 500});
        CHECK_MSG(abs(score) < 5000, "%s: the score is %d", *fen, score);
    }
}

// Black's chariot can check perpetually, or chase the cannon perpetually. Each of the two loops is
// forbidden, but a side that alternates between them does not violate the rules. The search must
// not score the game as decided.
void test_search_mixed_loops(TestContext *t) {
    const Rules rules = rules_default(RULES_AXF);
    static const uint64_t nodes[] = {100000, 1000000, 3000000, 10000000};
    for (size_t i = 0; i < (t->full ? 4 : 1); i++) {
        const int score = record_score_red(t, "3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w - - 0 1", &rules,
                                           &(SearchLimits){.nodes = nodes[i]});
        CHECK_MSG(abs(score) < 15000,
                  "with %llu nodes the score is %d, as if the game were decided",
                  (unsigned long long)nodes[i], score);
    }
}

// With max_checks = 4, perpetual check loses only at the fourth occurrence of the position. The
// search must not score the third occurrence as lost.
void test_search_max_checks(TestContext *t) {
    static const char record[] = "3k5/9/9/9/9/9/2r6/9/3p1p3/4K3R w\t"
                                 "i0i9 d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9";
    const MoveList only = {.count = 1, .moves = {move_from_uci("i8i9")}};
    const SearchLimits limits = {.depth = 1, .only = &only};
    Rules rules = rules_default(RULES_LITERAL);
    CHECK_INT(record_score_red(t, record, &rules, &limits), -(SCORE_RULE_WIN - 1));
    rules.max_checks = 4;
    CHECK(abs(record_score_red(t, record, &rules, &limits)) < 15000);
    rules.check_run = 2; // a side loses if one piece gives check more than twice in a row
    CHECK_INT(record_score_red(t, record, &rules, &limits), -(SCORE_RULE_WIN - 1));
}

// A mate in one must be found with any node limit, even if the first iteration is not completed. A
// stalemate wins too.
void test_search_mate_in_one(TestContext *t) {
    static const char *const fens[] = {
        "2baka3/9/2N1b4/p7C/4p4/P1p4RP/3r5/4n4/4A4/4KA3 b - - 2 44",
        "3k5/9/9/9/9/9/5r3/9/3r5/4K4 b - - 0 1",
    };
    Search *search = new_search();
    FOR_EACH (fen, fens) {
        Position position;
        CHECK(position_from_fen(&position, *fen, NULL) == STATUS_OK);
        for (uint64_t nodes = 1; nodes < 600; nodes += nodes < 8 ? 1 : 37) {
            const int score = search_score(search, &position, &(SearchLimits){.nodes = nodes});
            CHECK_MSG(score == SCORE_MATE - 1, "%s: the score is %d with %llu nodes", *fen, score,
                      (unsigned long long)nodes);
        }
    }
    search_free(search);
}

// Every search must find a mate in one, in random endgames and with any node limit.
void test_search_mates_in_one_of_endings(TestContext *t) {
    Search *search = new_search();
    int mates = 0;
    for (int i = 0; i < 1500; i++) {
        Random random;
        Position position;
        random_init(&random, 29, (uint64_t)i);
        while (!random_ending(&random, &position)) continue;
        if (solver_mate(&position, 1) == 0) continue;
        mates++;
        const SearchLimits limits = {.nodes = 1 + (uint64_t)(i * 7 % 400)};
        char fen[FEN_SIZE];
        position_to_fen(&position, FEN_UCI, fen);
        CHECK_MSG(search_score(search, &position, &limits) == SCORE_MATE - 1,
                  "%s: no mate in one was found "
                  "with %d nodes",
                  fen, (int)limits.nodes);
    }
    CHECK_MSG(mates > 100, "only %d positions have a mate in one, expected more than 100", mates);
    search_free(search);
}

// ---- limits and repeatability ------------------------------------------------------------------

// Plays a game of random moves with at most `plies` plies.
static void random_game(Game *game, uint64_t index, int plies) {
    Random random;
    Position start;
    random_init(&random, 17, index);
    position_init_start(&start);
    game_reset(game, &start);
    for (int ply = 0; ply < plies; ply++) {
        MoveList list;
        position_legal_moves(&game->now, &list);
        if (list.count == 0) return;
        game_push(game, list.moves[random_below(&random, (uint64_t)list.count)]);
    }
}

static bool same_result(const SearchResult *a, const SearchResult *b) {
    return a->best == b->best && a->nodes == b->nodes && a->line.score == b->line.score &&
           a->line.count == b->line.count && a->line.depth == b->line.depth &&
           memcmp(a->line.moves, b->line.moves, (size_t)a->line.count * sizeof(Move)) == 0;
}

// An earlier search must not influence the next one after search_clear(): no histories, no stack
// entries may remain. A new Search, and an Smp with one thread, must give the same result.
void test_search_repeats_itself(TestContext *t) {
    static const uint64_t limits[] = {1, 2, 100, 1023, 1024, 1025, 20000};
    Weights weights;
    weights_classic(&weights);
    Search *search = new_search();
    Smp *one = smp_new(&weights, 1, 1);
    AUTO(Game) game = {0}, noise = {0};
    Position start;
    position_init_start(&start);
    game_init(&game, &start);
    game_init(&noise, &start);
    for (uint64_t i = 0; i < 100; i++) {
        random_game(&game, i, (int)(i * 7 % 90));
        random_game(&noise, i + 100, 30);
        if (position_no_legal_move(&game.now)) continue;
        const SearchLimits limit = {.nodes = limits[i % (sizeof limits / sizeof *limits)]};
        SearchResult first, again, second, by_smp;
        search_clear(search);
        search_run(search, &game, &limit, &first);
        CHECK_MSG(first.nodes == limit.nodes || first.line.depth > 4 ||
                      score_mate_plies(first.line.score),
                  "%llu nodes were searched, the limit is %llu", (unsigned long long)first.nodes,
                  (unsigned long long)limit.nodes);
        // Fill the tables of the search with results that search_clear() must remove.
        search_run(search, &noise, &limit, &second);
        search_clear(search);
        search_run(search, &game, &limit, &again);
        CHECK_MSG(same_result(&first, &again),
                  "position %d: another result after "
                  "search_clear()",
                  (int)i);
        Search *other = new_search();
        search_run(other, &game, &limit, &second);
        search_free(other);
        CHECK_MSG(same_result(&first, &second), "position %d: another result in a new Search",
                  (int)i);
        smp_clear(one);
        smp_run(one, &game, &limit, &by_smp);
        CHECK_MSG(same_result(&first, &by_smp),
                  "position %d: another result with one thread "
                  "of Smp",
                  (int)i);
    }
    search_free(search);
    smp_free(one);
}

// If several lines are searched, and the first line is a mate or ends the game, the other lines
// must still be searched to the full depth.
static void check_lines(TestContext *t, Search *search, const char *fen, const char *moves) {
    AUTO(Game) game = {0};
    Position start;
    SearchResult result;
    Err err = {0};
    CHECK_OK(position_from_fen(&start, fen, &err), err);
    game_init(&game, &start);
    CHECK_OK(game_push_text(&game, moves, 0, &err), err);
    search_clear(search);
    search_run(search, &game, &(SearchLimits){.depth = 12, .multi_pv = MAX_MULTI_PV}, &result);
    for (int i = 0; i < search_line_count(search); i++) {
        const SearchLine *line = search_line(search, i);
        CHECK_MSG(line->depth == 12, "%s %s: line %d ends at depth %d", fen, moves, i, line->depth);
    }
}

// The limits of nodes and depth must hold exactly. The list of root moves (`only`), multi_pv, and a
// request to stop must be obeyed.
void test_search_limits(TestContext *t) {
    Search *search = new_search();
    AUTO(Game) game = {0};
    Position start;
    SearchResult result;
    position_init_start(&start);
    game_init(&game, &start);
    static const uint64_t nodes[] = {1, 2, 3, 1000, 1024, 4097, 50000};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        search_clear(search);
        search_run(search, &game, &(SearchLimits){.nodes = nodes[i]}, &result);
        CHECK_INT(result.nodes, nodes[i]);
        CHECK(result.best != MOVE_NONE);
    }
    const MoveList only = {.count = 2, .moves = {move_from_uci("a3a4"), move_from_uci("e0e1")}};
    search_run(search, &game, &(SearchLimits){.depth = 8, .only = &only}, &result);
    CHECK(result.best == only.moves[0] || result.best == only.moves[1]);
    const MoveList none = {.count = 0};
    search_run(search, &game, &(SearchLimits){.depth = 8, .only = &none}, &result);
    CHECK_INT(result.best, MOVE_NONE);
    search_run(search, &game, &(SearchLimits){.depth = 5}, &result);
    CHECK_INT(result.line.depth, 5);
    check_lines(t, search, "3k5/9/9/9/9/9/9/9/R8/4KR3 w", "");
    check_lines(t, search, "3k5/9/9/9/9/9/5r3/9/3r5/4K4 b", "");
    // In the next position, one legal move completes a perpetual check and loses at once. The line
    // of this move has only one ply.
    check_lines(t, search, "4k4/9/9/9/9/9/9/9/3R5/3K5 w",
                "d1e1 e9f9 e1f1 f9e9 f1e1 e9f9 e1f1 f9e9");
    atomic_bool stop = true;
    search_set_stop(search, &stop);
    search_run(search, &game, &(SearchLimits){.depth = 50}, &result);
    CHECK(result.best != MOVE_NONE);
    CHECK_MSG(result.nodes <= 1024, "%llu nodes were searched after the stop",
              (unsigned long long)result.nodes);
    search_free(search);
}

// ---- many positions ----------------------------------------------------------------------------

static void check_line(TestContext *t, const Game *game, const SearchLine *line) {
    Position position = game->now;
    for (int i = 0; i < line->count; i++) {
        if (!CHECK(position_is_pseudo_legal(&position, line->moves[i])) ||
            !CHECK(position_is_legal(&position, line->moves[i]))) {
            return;
        }
        Position after;
        position_do_move(&position, line->moves[i], &after);
        position = after;
    }
}

// Draws a random value for every search parameter. Half of the values are the minimum or the
// maximum.
static void random_params(Random *random, SearchParams *params) {
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
        const SearchParamRow *row = &search_param_rows[i];
        const int span = row->max - row->min + 1;
        const uint64_t choice = random_below(random, 4);
        const int value = choice == 0   ? row->min
                          : choice == 1 ? row->max
                                        : row->min + (int)random_below(random, (uint64_t)span);
        char text[16];
        snprintf(text, sizeof text, "%d", value);
        search_params_set(params, row->name, text, NULL);
    }
}

typedef struct LineCheck {
    TestContext *t;
    const Game *game;
} LineCheck;

static void check_report(void *context, const Search *search, const SearchLine *line, int index,
                         uint64_t nodes, int64_t time_ns) {
    const LineCheck *check = context;
    (void)search;
    (void)index;
    (void)nodes;
    (void)time_ns;
    check_line(check->t, check->game, line);
}

// Searches positions of all phases with one to three principal variations and random parameters.
// Every principal variation must consist of legal moves. In a build with sanitizers, this is the
// main test of the search. `make test-full` searches 10,000 positions.
void test_search_many_positions(TestContext *t) {
    const uint64_t positions = t->full ? 10000 : 400;
    Search *search = new_search();
    AUTO(Game) game = {0};
    Position start;
    position_init_start(&start);
    game_init(&game, &start);
    LineCheck check = {t, &game};
    search_set_report(search, check_report, &check);
    for (uint64_t i = 0; i < positions && t->failures < 10; i++) {
        random_game(&game, 1000 + i, (int)(i % 300));
        const SearchLimits limits = {
            .nodes = 200 + 37 * (i % 50), .depth = i % 7 ? 0 : 4, .multi_pv = 1 + (int)(i % 3)};
        SearchResult result;
        if (i % 5 == 0) search_clear(search);
        if (i % 20 == 10) {
            SearchParams params = search_params_default();
            Random random;
            random_init(&random, 23, i);
            random_params(&random, &params);
            search_set_params(search, &params);
        }
        search_run(search, &game, &limits, &result);
        CHECK_INT(result.best == MOVE_NONE, position_no_legal_move(&game.now));
        check_line(t, &game, &result.line);
    }
    search_free(search);
}

// Returns a search with three threads, and starts a game at the usual start position.
static Smp *new_team(Game *game) {
    Weights weights;
    Position start;
    weights_classic(&weights);
    position_init_start(&start);
    game_init(game, &start);
    return smp_new(&weights, 1, 3);
}

// With several threads the move must be legal, and the node limit must not be exceeded. A depth
// limit must not be exceeded and, unless the game ends earlier, must be reached, whichever thread
// finishes first.
void test_smp_threads(TestContext *t) {
    AUTO(Game) game = {0};
    Smp *smp = new_team(&game);
    for (uint64_t i = 0; i < 40; i++) {
        SearchResult result;
        random_game(&game, 5000 + i, (int)(i * 5));
        const SearchLimits limits = {.nodes = 1 + i * i * 10};
        smp_run(smp, &game, &limits, &result);
        CHECK_INT(result.best == MOVE_NONE, position_no_legal_move(&game.now));
        CHECK_MSG(result.nodes <= limits.nodes, "%llu nodes were searched, the limit is %llu",
                  (unsigned long long)result.nodes, (unsigned long long)limits.nodes);
        check_line(t, &game, &result.line);
        if (result.best == MOVE_NONE) continue;
        const int wanted = 1 + (int)(i % 8);
        const SearchLimits plies = {.depth = wanted, .multi_pv = 1 + (int)(i / 8 % 2)};
        smp_run(smp, &game, &plies, &result);
        CHECK(result.line.depth == wanted || score_mate_plies(result.line.score) != 0 ||
              result.line.seldepth <= 1);
        CHECK(result.line.depth <= wanted);
        check_line(t, &game, &result.line);
    }
    smp_free(smp);
}

static void store_reported_nodes(void *context, const Search *search, const SearchLine *line,
                                 int index, uint64_t nodes, int64_t time_ns) {
    (void)search, (void)line, (void)index, (void)time_ns;
    *(uint64_t *)context = nodes;
}

// If the node limit is smaller than the number of threads, only the main thread searches. Its
// reports must not contain nodes that the other threads counted in the previous search.
void test_smp_report_nodes(TestContext *t) {
    AUTO(Game) game = {0};
    Smp *smp = new_team(&game);
    Position position;
    SearchResult result;
    uint64_t reported = 0;
    smp_set_report(smp, store_reported_nodes, &reported);
    smp_run(smp, &game, &(SearchLimits){.nodes = 30000}, &result);
    // The only legal move is d0d1, and the iteration of depth 1 has one node.
    CHECK(position_from_fen(&position, "5k3/9/9/9/9/9/9/4r4/9/3K5 w", NULL) == STATUS_OK);
    game_reset(&game, &position);
    reported = 0;
    smp_run(smp, &game, &(SearchLimits){.nodes = 2}, &result);
    CHECK_INT(result.nodes, 2);
    CHECK_INT(reported, 1);
    smp_free(smp);
}

// After new weights were set, no evaluation by the old weights may be used, not even from the cache
// of static evaluations.
void test_search_new_weights(TestContext *t) {
    Weights weights;
    weights_default(&weights, NULL);
    Search *changed = new_search(), *fresh = search_new(&weights, 1, NULL);
    const SearchLimits limits = {.nodes = 20000};
    Position start;
    position_init_start(&start);
    search_score(changed, &start, &limits);
    search_set_weights(changed, &weights);
    CHECK_INT(search_score(changed, &start, &limits), search_score(fresh, &start, &limits));
    CHECK_INT((int)search_nodes(changed), (int)search_nodes(fresh));
    search_free(changed);
    search_free(fresh);
}

// Searches of few nodes use the parameters few_*. If one of these is changed by one step, such a
// search with a depth limit must visit another number of nodes in one of the bench positions. The
// second part of `bench` (bench/cmd_bench.c) makes such searches, so the node count of `bench`
// shows the change.
void test_search_few_params(TestContext *t) {
    static const struct {
        const char *name;
        int value, step;
    } few[] = {
#define SEARCH_PARAM(...)
#define SEARCH_FEW(twin, value, min, max, step, meaning) {"few_" #twin, value, step},
#include "core/search/search_params.def"
#undef SEARCH_PARAM
    };
    enum { POSITIONS = BENCH_POSITION_COUNT, DEPTH = 9, NODES = 20000 };
    const SearchLimits limits = {.depth = DEPTH, .nodes = NODES};
    uint64_t usual[POSITIONS];
    Weights weights;
    Position positions[POSITIONS];
    weights_default(&weights, NULL);
    Search *search = search_new(&weights, 1, NULL);
    for (int i = 0; i < POSITIONS; i++) {
        position_from_fen(&positions[i], bench_fens[i], NULL);
        search_score(search, &positions[i], &limits);
        usual[i] = search_nodes(search);
    }
    FOR_EACH (row, few) {
        SearchParams params = search_params_default();
        char value[16];
        bool seen = false;
        snprintf(value, sizeof value, "%d", row->value + row->step);
        CHECK(search_params_set(&params, row->name, value, NULL) == STATUS_OK);
        search_set_params(search, &params);
        for (int i = 0; i < POSITIONS && !seen; i++) {
            search_score(search, &positions[i], &limits);
            seen = search_nodes(search) != usual[i];
        }
        CHECK_MSG(seen, "%s=%s does not change the node count in any position", row->name, value);
    }
    search_free(search);
}

// The time budget of a move must be at least 1 ms. A longer budget must not exceed the time on the
// clock minus the overhead. More time on the clock must not reduce the budget.
void test_time_budget(TestContext *t) {
    static const int64_t times[] = {-50, 0, 1, 19, 20, 21, 100, 1000, 60000, 3600000};
    static const int64_t increments[] = {0, 1, 100, 5000, 600000};
    static const int64_t moves[] = {0, 1, 2, 40, 1000};
    static const int64_t overheads[] = {0, 20, 5000};
    int64_t last = 0;
    FOR_EACH (row, times) {
        for (size_t j = 0; j < 5 * 5 * 3; j++) {
            const TimeLeft have = {*row, increments[j % 5], moves[j / 5 % 5], overheads[j / 25]};
            const TimeBudget budget = time_budget(&have);
            const int64_t most = have.time_ms - have.overhead_ms;
            CHECK_MSG(budget.soft_ms >= 1 && budget.soft_ms <= budget.hard_ms &&
                          budget.hard_ms <= (most > 1 ? most : 1),
                      "clock %lld ms, increment %lld, %lld moves, overhead %lld: the budget "
                      "is %lld to %lld ms",
                      (long long)have.time_ms, (long long)have.increment_ms,
                      (long long)have.moves_to_go, (long long)have.overhead_ms,
                      (long long)budget.soft_ms, (long long)budget.hard_ms);
        }
        const TimeLeft have = {.time_ms = *row, .overhead_ms = 20};
        CHECK(time_budget(&have).hard_ms >= last);
        last = time_budget(&have).hard_ms;
    }
    CHECK_MSG(last > 3600000 / 40 && last < 3600000 / 4,
              "%lld ms were planned for a move with an hour on the clock", (long long)last);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of handicaps: what each handicap forbids, and what it does not forbid.
#include "core/rules/odds.h"

#include <string.h>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/rules/game.h"
#include "tests/core/positions.h"
#include "tests/test.h"

typedef struct OddsGame {
    Odds odds;
    OddsState state;
    Position now;
} OddsGame;

static bool begin(TestContext *t, OddsGame *game, const char *name) {
    Err err = {0};
    if (!CHECK_OK(odds_by_name(name, &game->odds, &err), err)) return false;
    odds_begin(&game->odds, &game->state);
    game->now = game->odds.start;
    return true;
}

static bool allowed(TestContext *t, const OddsGame *game, const char *uci) {
    Move move = MOVE_NONE;
    Err err = {0};
    CHECK_OK(move_parse_legal(&game->now, uci, 4, 0, &move, &err), err);
    MoveList list;
    odds_legal_moves(&game->state, &game->now, &list);
    bool listed = false;
    for (int i = 0; i < list.count; i++) listed = listed || list.moves[i] == move;
    const bool result = odds_move_allowed(&game->state, &game->now, move);
    CHECK_MSG(result == listed, "%s: odds_legal_moves() and odds_move_allowed() differ", uci);
    CHECK_MSG(odds_move_allowed(NULL, &game->now, move), "%s is forbidden without a handicap", uci);
    return result;
}

// Plays moves that are separated by blanks. Checks that the handicap allows each move.
static void play(TestContext *t, OddsGame *game, const char *moves) {
    const char *word;
    size_t length;
    while (text_next_word(&moves, &word, &length)) {
        const Move move = move_from_uci(word);
        CHECK_MSG(allowed(t, game, word), "%.4s is forbidden", word);
        Position after;
        odds_apply(&game->state, &game->now, move, &after);
        game->now = after;
        CHECK(position_is_consistent(&game->now));
    }
}

static int allowed_count(const OddsGame *game) {
    MoveList list;
    odds_legal_moves(&game->state, &game->now, &list);
    return list.count;
}

// ---- names and start positions -----------------------------------------------------------------

void test_odds_names(TestContext *t) {
    // The expected numbers of first moves (36 and 38 of 44) are those of the specification of the
    // handicaps, which is not a part of this repository.
    static const struct {
        const char *name, *board;
        Side giver;
        int moves, first_moves;
    } rows[] = {
        {"rook", "1NBAKABNR", RED, 1, 42},        {"2knights", "R1BAKAB1R", RED, 1, 44},
        {"1knight", "R1BAKABNR", RED, 1, 44},     {"knight+1", "RNBAKABNR", BLACK, 1, 43},
        {"knight+2", "RNBAKABNR", BLACK, 2, 43},  {"knight+3", "RNBAKABNR", BLACK, 3, 38},
        {"knight+4", "RNBAKABNR", BLACK, 4, 36},  {"4plus:4", "RNBAKABNR", BLACK, 4, 36},
        {"4plus:40", "RNBAKABNR", BLACK, 40, 36}, {"3moves", "RNBAKABNR", BLACK, 3, 38},
        {"2moves", "RNBAKABNR", BLACK, 2, 44},    {"1move", "RNBAKABNR", BLACK, 1, 44},
        {"half", "RNBAKABNR", BLACK, 1, 44},      {"cannon", "RNBAKABNR", RED, 1, 34},
    };
    FOR_EACH (row, rows) {
        OddsGame game;
        if (!begin(t, &game, row->name)) continue;
        char fen[FEN_SIZE];
        position_to_fen(&game.now, FEN_UCI, fen);
        CHECK_TEXT(game.odds.name, row->name);
        CHECK_MSG(strstr(fen, row->board) && strstr(fen, " w - - 0 1"), "%s: %s", row->name, fen);
        CHECK_INT(game.odds.giver, row->giver);
        CHECK_INT(game.odds.moves, row->moves);
        CHECK_MSG(allowed_count(&game) == row->first_moves, "%s: %d first moves, expected %d",
                  row->name, allowed_count(&game), row->first_moves);
        CHECK_INT(odds_extra_plies(&game.odds), row->moves - 1);
    }
    static const char *const bad[] = {
        "",         "rooks",     "roo",       "knight",   "knight+",
        "knight+0", "knight+-1", "knight+1 ", "knight:2", "4plus",
        "4plus:3",  "4plus:04",  "4plus:41",  "4plus+4",  "4plus:99999999999999999999",
        "rook+1",   "3moves:3"};
    FOR_EACH (row, bad) {
        Odds odds;
        Err err = {0};
        CHECK_MSG(odds_by_name(*row, &odds, &err) != STATUS_OK,
                  "'%s' was accepted, but must "
                  "be refused",
                  *row);
        CHECK(err.text[0] != '\0');
    }
}

// ---- iron men ----------------------------------------------------------------------------------

// Under the handicap "rook" the soldier a3, the horse b0 and the cannon b2 are iron men: they
// cannot be captured until they have moved. The random games below test each iron man.
void test_odds_rook_iron(TestContext *t) {
    OddsGame game;
    // Black's cannon on b7 may not capture the iron horse b0. The horse h0 is not iron.
    if (!begin(t, &game, "rook")) return;
    play(t, &game, "g3g4");
    CHECK(!allowed(t, &game, "b7b0"));
    CHECK(allowed(t, &game, "h7h0"));
    CHECK_INT(allowed_count(&game), 44 - 1);
    // After all three iron men have moved, the handicap no longer applies.
    begin(t, &game, "rook");
    play(t, &game, "a3a4 i9i8 b0c2 i8i9");
    CHECK(odds_active(&game.state));
    play(t, &game, "b2a2");
    CHECK(!odds_active(&game.state));
    CHECK_INT(odds_key(&game.state), 0);
}

// Checks whether the handicap "2knights" allows a capture. A row has FEN, the capture, the point of
// the iron (protected) soldier, and whether the capture is allowed.
static void centre_row(TestContext *t, char *const *fields) {
    OddsGame game;
    Err err = {0};
    if (!begin(t, &game, "2knights")) return;
    if (!CHECK_OK(position_from_fen(&game.now, fields[0], &err), err)) return;
    game.state.iron_squares[0] = (uint8_t)square_make(fields[2][0] - 'a', fields[2][1] - '0');
    CHECK_TEXT(allowed(t, &game, fields[1]) ? "yes" : "no", fields[3]);
}

// Under the handicap "2knights", a piece may capture the centre soldier only if the capturing piece
// itself then gives check. This rule also holds after the soldier has moved.
void test_odds_centre_soldier(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "odds_centre.tsv", 0, 4, centre_row), 11);
    // The centre soldier has moved to d5. The chariot may not capture it, because it would not
    // give check.
    OddsGame game;
    if (!begin(t, &game, "2knights")) return;
    play(t, &game, "e3e4 e6e5 e4e5 a9a8 d0e1 a8d8 e5d5 i6i5 c3c4");
    CHECK_INT(game.state.iron_squares[0], 5 * 9 + 3);
    CHECK(!allowed(t, &game, "d8d5"));
    play(t, &game, "i5i4 c4c5");
    // The rule protects only the centre soldier, not the soldier on c5.
    CHECK(allowed(t, &game, "c6c5"));
    begin(t, &game, "2knights");
    // The cannon may capture the protected soldier on e3 only with check. It would not give check,
    // because there is no screen between e3 and the general.
    play(t, &game, "a3a4 h7e7 a4a5");
    CHECK(!allowed(t, &game, "e7e3"));
    // The advisor on e1 is now a screen, so the cannon would give check from e3 and may capture the
    // soldier. After the capture, no piece is protected any more.
    play(t, &game, "i6i5 d0e1 i5i4 i0i1");
    CHECK(allowed(t, &game, "e7e3"));
    play(t, &game, "e7e3");
    CHECK(!odds_active(&game.state));
}

// ---- extra moves at the start ------------------------------------------------------------------

// Counts sequences of at most `depth` moves by Red before Black's first reply, in which the pieces
// go no farther than the handicap allows. Before the last move of a sequence, no move gives check.
// *total is the number of sequences with `depth` moves. *checks is the number of sequences of any
// length whose last move gives check.
static void count_sequences(const OddsState *state, const Position *position, int depth, int *total,
                            int *checks) {
    OddsState reach = *state;
    // List the moves that Red may play as the last move before Black's first reply. The last move
    // may give check.
    reach.moves = 1;
    MoveList list;
    odds_legal_moves(&reach, position, &list);
    for (int i = 0; i < list.count; i++) {
        Position after, again;
        position_do_move(position, list.moves[i], &after);
        const bool check = position_in_check(&after);
        *checks += check;
        *total += depth == 1;
        if (depth == 1 || check) continue;
        position_do_null(&after, &again);
        count_sequences(state, &again, depth - 1, total, checks);
    }
}

// If Red makes two moves before Black's first reply, no first move gives check. The second move
// gives check in exactly four sequences, which the specification of the handicaps lists.
void test_odds_check_last(TestContext *t) {
    static const char *const sequences[] = {"b2b4 b4e4", "b2b5 b5e5", "h2h4 h4e4", "h2h5 h5e5"};
    OddsGame game;
    if (!begin(t, &game, "2moves")) return;
    int total = 0, checks = 0;
    count_sequences(&game.state, &game.now, 1, &total, &checks);
    CHECK_INT(total, 44);
    CHECK_INT(checks, 0);
    count_sequences(&game.state, &game.now, 2, &total, &checks);
    CHECK_INT(checks, 4);
    FOR_EACH (row, sequences) {
        char second[5] = {0};
        memcpy(second, *row + 5, 4);
        // The second of Red's two moves may give check.
        begin(t, &game, "2moves");
        play(t, &game, *row);
        CHECK(position_in_check(&game.now) && game.now.stm == BLACK && !odds_active(&game.state));
        // If Red makes three moves before Black's first reply, only the last one may give check,
        // and no move may cross the river. In two of the four sequences the first move crosses the
        // river, so it is forbidden. In the other two the second move gives check, so it is
        // forbidden.
        begin(t, &game, "3moves");
        const bool crosses = (*row)[3] == '5';
        char first[5] = {0};
        memcpy(first, *row, 4);
        CHECK_INT(allowed(t, &game, first), !crosses);
        if (crosses) continue;
        play(t, &game, first);
        CHECK(!allowed(t, &game, second));
        // The third move may give check.
        play(t, &game, "a0a1");
        CHECK(allowed(t, &game, second));
    }
    // The expected numbers of sequences of 2 and 3 moves by Red in which no piece crosses the river
    // are those of the specification of the handicaps.
    if (!begin(t, &game, "3moves")) return;
    total = checks = 0;
    count_sequences(&game.state, &game.now, 2, &total, &checks);
    CHECK_INT(total, 1372);
    CHECK_INT(checks, 2);
    total = checks = 0;
    count_sequences(&game.state, &game.now, 3, &total, &checks);
    CHECK_INT(total, 48402);
    CHECK_INT(checks, 136);
}

// Checks the side to move, the counters and the allowed moves while Red makes its moves before
// Black's first reply.
void test_odds_moves_first(TestContext *t) {
    OddsGame game;
    if (!begin(t, &game, "4plus:4")) return;
    CHECK(!allowed(t, &game, "b2b4")); // the cannon would go to the last rank before the river
    CHECK(!allowed(t, &game, "b2b9")); // the cannon would capture beyond the river
    CHECK(allowed(t, &game, "b2b3"));
    CHECK(allowed(t, &game, "c3c4"));
    play(t, &game, "c3c4");
    CHECK_INT(game.now.stm, RED);
    CHECK(!allowed(t, &game, "c4c5")); // the soldier would cross the river
    play(t, &game, "b0c2");
    CHECK(!allowed(t, &game, "c2d4"));
    play(t, &game, "g3g4 h0g2");
    CHECK_INT(game.now.stm, BLACK);
    CHECK(!odds_active(&game.state));
    char fen[FEN_SIZE];
    position_to_fen(&game.now, FEN_UCI, fen);
    CHECK_TEXT(fen, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/2P3P2/P3P3P/1CN3NC1/9/R1BAKAB1R b - - 4 1");
    // After Black's first reply, moves across the river are allowed.
    play(t, &game, "a6a5");
    CHECK(allowed(t, &game, "c4c5"));
    // If Red makes three moves before Black's first reply, Red's pieces must stay on their own half
    // of the board. They may go to the last rank before the river.
    begin(t, &game, "3moves");
    CHECK(allowed(t, &game, "b2b4"));
    CHECK(!allowed(t, &game, "b2b5"));
    CHECK(!allowed(t, &game, "h2h9"));
    // If Red makes two moves before Black's first reply, its pieces may cross the river. The first
    // move may capture Black's horse on h9.
    begin(t, &game, "2moves");
    play(t, &game, "h2h9");
    CHECK_INT(game.now.stm, RED);
    CHECK_INT(game.now.halfmove, 0);
    play(t, &game, "a3a4");
    CHECK_INT(game.now.stm, BLACK);
    CHECK_INT(game.now.halfmove, 1);
    // The position after the extra moves must survive being written and read as a FEN.
    Position again;
    position_to_fen(&game.now, FEN_UCI, fen);
    CHECK(position_from_fen(&again, fen, NULL) == STATUS_OK && again.key == game.now.key);
    // "knight+1" means that Red makes one move before Black's first reply, as in every game. This
    // handicap forbids no move, so odds_active() is false from the beginning.
    begin(t, &game, "knight+1");
    CHECK(!odds_active(&game.state));
    CHECK(allowed(t, &game, "b2b9"));
}

// A side whose legal moves are all forbidden by the handicap has lost.
void test_odds_no_move_left(TestContext *t) {
    // Black's only legal move captures the piece on b0 without giving check. If the handicap
    // protects this piece from capture (an iron man), Black is therefore stalemated.
    static const char *const boards[] = {"3k5/9/3P5/9/4R4/9/9/9/9/pN3K3 b",
                                         "3k5/9/3P5/9/4R4/9/9/9/9/pP3K3 b"};
    static const char *const names[] = {"rook", "2knights"};
    for (int i = 0; i < 2; i++) {
        OddsGame game;
        Err err = {0};
        if (!begin(t, &game, names[i])) return;
        if (!CHECK_OK(position_from_fen(&game.now, boards[i], &err), err)) return;
        CHECK_INT(odds_no_legal_move(NULL, &game.now), false);
        game.state.iron_count = 1;
        game.state.iron_squares[0] = 1; // the handicap forbids the capture of the piece on b0
        CHECK_INT(odds_no_legal_move(&game.state, &game.now), true);
        game.state.iron_squares[0] = 3 * 9; // now a capture is forbidden on a3, not on b0
        CHECK_INT(odds_no_legal_move(&game.state, &game.now), false);
        game.state.iron_count = 0;
        CHECK_INT(odds_no_legal_move(&game.state, &game.now), false);
    }
}

// ---- random games ------------------------------------------------------------------------------

// Compares the state of the handicap with a slow computation that follows every iron man (piece
// protected from capture) from the start of the game.
void test_odds_random_games(TestContext *t) {
    Random random;
    random_init(&random, 9, 0);
    static const char *const names[] = {"rook",   "2knights", "knight+2",
                                        "3moves", "4plus:6",  "2moves"};
    int masked = 0;
    for (int round = 0; round < 300; round++) {
        OddsGame game;
        if (!begin(t, &game, names[round % 6])) return;
        int men[MAX_IRON_MEN], alive = game.odds.iron_count;
        bool moved[MAX_IRON_MEN] = {0};
        for (int i = 0; i < alive; i++) men[i] = game.odds.iron_squares[i];
        int red_first = 0;
        for (int ply = 0; ply < 150; ply++) {
            MoveList all, some;
            position_legal_moves(&game.now, &all);
            odds_legal_moves(&game.state, &game.now, &some);
            CHECK_INT(odds_no_legal_move(&game.state, &game.now), some.count == 0);
            for (int i = 0; i < all.count; i++) {
                bool iron = false;
                for (int m = 0; m < alive; m++) {
                    const bool safe =
                        men[m] >= 0 && (game.odds.iron == IRON_EXCEPT_BY_CHECK || !moved[m]);
                    iron =
                        iron || (safe && move_to(all.moves[i]) == men[m] && game.now.stm == BLACK);
                }
                const bool ok = odds_move_allowed(&game.state, &game.now, all.moves[i]);
                if (game.odds.iron == IRON_UNTIL_MOVED) CHECK_INT(ok, !iron);
                if (game.odds.iron == IRON_EXCEPT_BY_CHECK && !iron) CHECK(ok);
                masked += !ok;
            }
            if (some.count == 0) break;
            const Move move = some.moves[random_below(&random, (uint64_t)some.count)];
            for (int m = 0; m < alive; m++) {
                if (men[m] == move_to(move)) men[m] = -1;
                if (men[m] == move_from(move)) {
                    men[m] = move_to(move);
                    moved[m] = true;
                }
            }
            red_first += ply == red_first && game.now.stm == RED;
            Position after;
            odds_apply(&game.state, &game.now, move, &after);
            CHECK(position_is_consistent(&after));
            game.now = after;
        }
        CHECK_INT(red_first, game.odds.moves);
    }
    CHECK_MSG(masked > 100, "only %d moves were forbidden, expected more than 100", masked);
}

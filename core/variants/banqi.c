// SPDX-License-Identifier: GPL-3.0-or-later
// Banqi, half-board blind chess: 32 pieces face down on 4 x 8 squares.
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "core/board/position.h"
#include "core/command/options.h"
#include "core/notation/notation.h"
#include "core/variants/variant.h"

enum { COLUMNS = 8, ROWS = 4, SQUARES = 32, EMPTY = PIECE_NONE };
enum { HONGKONG, TAIWAN };
// Side to move before the first piece is uncovered: no player has a colour yet.
enum { UNKNOWN = SIDE_COUNT };

typedef struct Banqi {
    uint8_t board[SQUARES];      // EMPTY, FACE_DOWN or a Piece on each square; a1 is 0, b1 is 1
    uint8_t bag[PIECE_COUNT];    // number of face-down pieces of each kind
    uint8_t living[PIECE_COUNT]; // number of uncaptured pieces of each kind
    uint8_t stm;                 // side to move: a Side, or UNKNOWN
    uint8_t choice;              // rule set: HONGKONG or TAIWAN
    uint16_t number;             // number of the next turn, 1 at the start
    uint64_t key;                // hash of the board and of the face-down pieces
} Banqi;
_Static_assert(sizeof(Banqi) <= VARIANT_STATE_SIZE, "the state fits");

// Ranks of the piece types in each rule set, by PieceType; 1 is the lowest rank.
static const uint8_t ranks[][PIECE_TYPE_COUNT] = {
    [HONGKONG] = {0, 7, 2, 3, 5, 6, 4, 1}, [TAIWAN] = {0, 7, 6, 5, 3, 4, 2, 1}};
static const int steps[4] = {1, -1, COLUMNS, -COLUMNS};

static const Banqi *banqi(const VariantState *state) {
    return (const Banqi *)(const void *)state->own;
}

static bool face_up(uint8_t piece) {
    return piece != EMPTY && piece != FACE_DOWN;
}

// Returns true if a piece type can capture the type `victim` on an adjacent square. A piece
// captures its own type and all types of lower rank. Exceptions: the general does not capture
// soldiers, only soldiers and the other general capture the general, and by the rules of Taiwan the
// cannon captures only by jumping.
static bool captures(int choice, PieceType type, PieceType victim) {
    if (type == GENERAL) return victim != SOLDIER;
    if (victim == GENERAL) return type == SOLDIER;
    if (type == CANNON && choice == TAIWAN) return false;
    return ranks[choice][type] >= ranks[choice][victim];
}

// Returns the adjacent square in the direction of a step, or -1 beyond the edge.
static int next_square(int square, int step) {
    const int to = square + step;
    const bool wraps = (step == 1 || step == -1) && to / COLUMNS != square / COLUMNS;
    return to < 0 || to >= SQUARES || wraps ? -1 : to;
}

// Returns the square on which the piece on `from` can capture in the direction of `step`, or -1.
static int capture_target(const Banqi *b, int from, int step) {
    const PieceType type = piece_type(b->board[from]);
    const bool jumps = type == CANNON && b->choice == TAIWAN;
    int to = next_square(from, step);
    for (int pieces = 0; jumps && to >= 0; to = next_square(to, step)) {
        pieces += b->board[to] != EMPTY;
        if (pieces == 2) break; // `to` is the second piece on the line, the first is the screen
    }
    if (to < 0 || !face_up(b->board[to])) return -1;
    if (piece_side(b->board[to]) == piece_side(b->board[from])) return -1;
    return jumps || captures(b->choice, type, piece_type(b->board[to])) ? to : -1;
}

// Returns the empty square to which the piece on `from` can move in one step, or -1.
static int step_target(const Banqi *b, int from, int step) {
    const int to = next_square(from, step);
    return to >= 0 && b->board[to] == EMPTY ? to : -1;
}

// ---- text ---------------------------------------------------------------------------------------

static uint64_t square_key(int piece, int square) {
    return piece ? random_mix((uint64_t)(piece * SQUARES + square + 1)) : 0;
}

// Computes the members `key`, `team` and `seat` of the state after a change of the position.
static void finish(VariantState *state) {
    const Banqi *b = banqi(state);
    state->key = b->key ^ random_mix(b->stm);
    state->team = b->stm == BLACK;
    state->seat = (uint8_t)((b->number + 1) % 2);
}

// Sets b->living. Returns an error if there are more pieces of a kind than in a xiangqi set, or if
// the bag (the list of face-down pieces) does not have one piece for each face-down square.
static Status count_pieces(Banqi *b, Err *err) {
    static const uint8_t most[PIECE_TYPE_COUNT] = {0, 1, 2, 2, 2, 2, 2, 5};
    int in_bag = 0, hidden = 0;
    for (int i = 0; i < SQUARES; i++) {
        hidden += b->board[i] == FACE_DOWN;
        if (face_up(b->board[i])) b->living[b->board[i]]++;
    }
    for (Piece piece = 1; piece < PIECE_COUNT; piece++) {
        in_bag += b->bag[piece];
        b->living[piece] = (uint8_t)(b->living[piece] + b->bag[piece]);
        if (b->living[piece] <= most[piece_type(piece)]) continue;
        return err_set(err, STATUS_BAD_INPUT,
                       "too many '%c': %d on the board and in the bag, at most %d",
                       variant_letters[piece], b->living[piece], most[piece_type(piece)]);
    }
    if (in_bag == hidden) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "the bag has %d pieces, but %d pieces are face down on the board", in_bag,
                   hidden);
}

static Status read_banqi(const char *text, int choice, VariantState *state, Err *err) {
    Banqi *b = (Banqi *)(void *)state->own;
    char board[100], side[8], plies[8], number[8], more;
    long long value;
    if (sscanf(text, "%99s %7s %7s %7s %c", board, side, plies, number, &more) != 4 ||
        !strchr(board, '[')) {
        return err_set(
            err, STATUS_BAD_INPUT,
            "'%.80s' does not have the form of a position of banqi, BOARD[BAG] SIDE PLIES "
            "TURN",
            text);
    }
    TRY(variant_read_board(board, COLUMNS, ROWS, true, b->board, "bag", b->bag, err));
    TRY(count_pieces(b, err));
    const int stm = option_choice_index("r|b|-", side);
    if (stm < 0 || (stm == UNKNOWN && strspn(board, "?/") != SQUARES + ROWS - 1)) {
        return err_set(err, STATUS_BAD_INPUT,
                       "side: '%s' must be r or b, or - if all pieces are face down", side);
    }
    TRY(parse_int(plies, 0, 10000, &value, "plies", err));
    state->quiet = (uint16_t)value;
    TRY(parse_int(number, 1, 10000, &value, "turn", err));
    b->number = (uint16_t)value;
    b->stm = (uint8_t)stm;
    b->choice = (uint8_t)choice;
    for (int i = 0; i < SQUARES; i++) b->key ^= square_key(b->board[i], i);
    for (int i = 0; i < PIECE_COUNT; i++) b->key ^= square_key(FACE_DOWN + 1 + i, b->bag[i]);
    finish(state);
    return STATUS_OK;
}

static void write_banqi(const VariantState *state, Text *text) {
    const Banqi *b = banqi(state);
    variant_write_board(b->board, COLUMNS, ROWS, b->bag, text);
    text_add(text, " %c", "rb-"[b->stm]);
    text_add(text, " %d %d", state->quiet, b->number);
}

static void draw_banqi(const VariantState *state, bool letters, Text *text) {
    const Banqi *b = banqi(state);
    for (int row = ROWS - 1; row >= 0; row--) {
        text_add(text, "  %d ", row + 1);
        for (int column = 0; column < COLUMNS; column++) {
            const uint8_t piece = b->board[row * COLUMNS + column];
            const char letter[] = {' ', variant_letters[piece], '\0'};
            text_add(text, " %s ", letters || !face_up(piece) ? letter : piece_face(piece));
        }
        text_add(text, "\n");
    }
    text_add(text, "      a   b   c   d   e   f   g   h\nto move: %s; face down: ",
             b->stm == UNKNOWN ? "no colour yet" : side_name((Side)b->stm));
    variant_write_pieces(b->bag, text);
    text_add(text, "\n");
}

// ---- turns --------------------------------------------------------------------------------------

static void add(VariantTurns *turns, int from, int to, int order) {
    turns->turns[turns->count++] = (VariantTurn){move_make(from, to), (int16_t)order};
}

static bool list_banqi(const VariantState *state, bool noisy, VariantTurns *turns) {
    static const uint8_t none[PIECE_TYPE_COUNT];
    const Banqi *b = banqi(state);
    turns->count = 0;
    if (b->stm != UNKNOWN && memcmp(&b->living[8 * b->stm], none, sizeof none) == 0) return false;
    for (int from = 0; from < SQUARES; from++) {
        const uint8_t piece = b->board[from];
        if (piece == FACE_DOWN && !noisy) add(turns, VARIANT_UNCOVER, from, 0);
        if (!face_up(piece) || piece_side(piece) != b->stm) continue;
        for (int i = 0; i < 4; i++) {
            const int hit = capture_target(b, from, steps[i]);
            const int to = noisy ? -1 : step_target(b, from, steps[i]);
            if (hit >= 0) {
                const int gain = ranks[b->choice][piece_type(b->board[hit])];
                add(turns, from, hit, 16 * gain - ranks[b->choice][piece_type(piece)]);
            }
            if (to >= 0) add(turns, from, to, 0);
        }
    }
    return false;
}

static void chance_of(const VariantState *state, VariantChance *chance) {
    memcpy(chance->counts, banqi(state)->bag, sizeof chance->counts);
    for (int i = 0; i < PIECE_COUNT; i++) chance->all += chance->counts[i];
}

static void put(Banqi *b, int square, int piece) {
    b->key ^= square_key(b->board[square], square) ^ square_key(piece, square);
    b->board[square] = (uint8_t)piece;
}

static void play_banqi(VariantState *state, Move move, Piece piece) {
    Banqi *b = (Banqi *)(void *)state->own;
    const int from = move_from(move), to = move_to(move);
    const uint8_t victim = b->board[to];
    state->quiet = victim ? 0 : (uint16_t)(state->quiet + 1);
    b->number++;
    if (from == VARIANT_UNCOVER) {
        b->key ^= square_key(FACE_DOWN + 1 + piece, b->bag[piece]);
        b->key ^= square_key(FACE_DOWN + 1 + piece, --b->bag[piece]);
        put(b, to, piece);
        if (b->stm == UNKNOWN) b->stm = (uint8_t)piece_side(piece);
    } else {
        if (victim) b->living[victim]--;
        put(b, to, b->board[from]);
        put(b, from, EMPTY);
    }
    b->stm = (uint8_t)side_other((Side)b->stm);
    finish(state);
}

// ---- evaluation ---------------------------------------------------------------------------------

// Each term has a hand-set value and two fitted values: one for the rules of Hong Kong (games of
// E-088, fitted again in E-090) and one for the rules of Taiwan (E-090). Each was fitted to 2,000
// games that were played with the hand-set values.
#define TERMS(X)                                                                                   \
    X(general, "general, face up", 100, 156, 123)                                                  \
    X(advisor, "advisor, face up", 100, 46.8, 119)                                                 \
    X(elephant, "elephant, face up", 100, 45.2, 74.6)                                              \
    X(horse, "horse, face up", 100, 63, 48.4)                                                      \
    X(chariot, "chariot, face up", 100, 99.7, 60)                                                  \
    X(cannon, "cannon, face up", 100, 48.7, 73.6)                                                  \
    X(soldier, "soldier, face up, after the enemy general is captured", 100, 29.6, 41.6)           \
    X(soldier_hunter, "soldier, face up, before the enemy general is captured", 100, 51.5, 52.7)   \
    X(hidden_general, "general, face down", 100, 156.6, 132.7)                                     \
    X(hidden_advisor, "advisor, face down", 100, 43.7, 111.4)                                      \
    X(hidden_elephant, "elephant, face down", 100, 54.1, 83.5)                                     \
    X(hidden_horse, "horse, face down", 100, 66.4, 49.5)                                           \
    X(hidden_chariot, "chariot, face down", 100, 106.8, 67.6)                                      \
    X(hidden_cannon, "cannon, face down", 100, 54.7, 70.7)                                         \
    X(hidden_soldier, "soldier, face down", 100, 53.3, 51.6)                                       \
    X(mobility, "possible step to an empty square", 0, 4.1, 3.2)                                   \
    X(attack, "possible capture", 0, 13.6, 18.9)                                                   \
    X(unbeaten, "face-up piece that no remaining enemy can capture by a step", 0, 36.2, 49.1)      \
    X(turn, "bonus for the team to move", 0, 1.4, 1.5)
enum { TERMS(VARIANT_TERM_ID) TERM_COUNT };
static const VariantTerm terms[] = {TERMS(VARIANT_TERM_ROW)};
_Static_assert((int)TERM_COUNT <= (int)VARIANT_MAX_TERMS, "the terms fit");

static void trace(const VariantState *state, int counts[][VARIANT_MAX_TERMS]) {
    const Banqi *b = banqi(state);
    // Bit t of beaten[side] is set if an enemy piece can capture pieces of type t of `side` by a
    // step, that is, without a jump.
    int beaten[SIDE_COUNT] = {0};
    if (b->stm == UNKNOWN) return;
    for (Piece piece = 1; piece < PIECE_COUNT; piece++) {
        const Side side = piece_side(piece);
        const PieceType type = piece_type(piece);
        if (!b->living[piece]) continue;
        counts[side][TERM_hidden_general + (int)(type - GENERAL)] = b->bag[piece];
        for (int victim = GENERAL; victim < PIECE_TYPE_COUNT; victim++) {
            beaten[!side] |= captures(b->choice, type, (PieceType)victim) << victim;
        }
    }
    for (int square = 0; square < SQUARES; square++) {
        if (!face_up(b->board[square])) continue;
        const Side side = piece_side(b->board[square]);
        const PieceType type = piece_type(b->board[square]);
        const bool hunter = type == SOLDIER && b->living[piece_make(side_other(side), GENERAL)];
        counts[side][TERM_general + (int)(type - GENERAL) + hunter]++;
        counts[side][TERM_unbeaten] += !(beaten[side] >> type & 1);
        for (int i = 0; i < 4; i++) {
            counts[side][TERM_mobility] += step_target(b, square, steps[i]) >= 0;
            counts[side][TERM_attack] += capture_target(b, square, steps[i]) >= 0;
        }
    }
    counts[b->stm][TERM_turn] = 1;
}

// The slashes between the rows are separate strings, because the compiler reads ??/ as a trigraph.
#define HIDDEN_ROW "????????"
const Variant variant_banqi = {
    .name = "banqi",
    .summary = "half-board blind chess: all pieces begin face down on 4 x 8 squares",
    .rules =
        "The first player uncovers a piece and plays its colour. A turn uncovers a piece (a1), "
        "moves a piece one step to an empty square (a1a2), or captures a piece on an adjacent "
        "square. A piece captures pieces of its own rank and of all lower ranks, except that the "
        "general cannot capture soldiers, and only soldiers and the other general capture the "
        "general by a step. Ranks from high to low: hongkong: general, chariot, horse, cannon, "
        "elephant, advisor, soldier; taiwan: general, advisor, elephant, chariot, horse, cannon, "
        "soldier. The cannon of taiwan captures any piece, but only by jumping over exactly one "
        "piece along a row or column. Face-down pieces cannot be moved or captured. A player who "
        "has no pieces or no legal turn loses.",
    .choices = "hongkong|taiwan",
    .seats = {"1", "2"},
    .sides = "ab",
    .start = HIDDEN_ROW "/" HIDDEN_ROW "/" HIDDEN_ROW "/" HIDDEN_ROW
                        "[KRRNNCCBBAAPPPPPkrrnnccbbaappppp] - 0 1",
    .columns = COLUMNS,
    .first_rank = 1,
    .no_capture = true,
    .terms = terms,
    .term_count = TERM_COUNT,
    .read = read_banqi,
    .write = write_banqi,
    .draw = draw_banqi,
    .list = list_banqi,
    .chance = chance_of,
    .play = play_banqi,
    .trace = trace,
};

// SPDX-License-Identifier: GPL-3.0-or-later
// Banqi, half-board blind chess: 32 pieces face down on 4 x 8 squares.
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "core/board/position.h"
#include "core/variants/variant.h"

enum { COLUMNS = 8, ROWS = 4, SQUARES = 32, EMPTY = PIECE_NONE };
enum { HONGKONG, TAIWAN };
enum { UNKNOWN = SIDE_COUNT }; // no colour has an owner yet

typedef struct Banqi {
    uint8_t board[SQUARES];                       // EMPTY, FACE_DOWN or a Piece; a1 is 0, b1 is 1
    uint8_t bag[PIECE_COUNT];                     // how many pieces of each kind lie face down
    uint8_t living[SIDE_COUNT][PIECE_TYPE_COUNT]; // pieces that are not captured, by type
    uint8_t stm;                                  // a Side, or UNKNOWN before the first turn
    uint8_t choice;                               // rule set: HONGKONG or TAIWAN
    uint8_t prey[PIECE_TYPE_COUNT];               // bit v: the type captures v by a step
    uint8_t beaten[PIECE_TYPE_COUNT];             // bit a: a captures the type by a step
    uint16_t number;                              // turn number, 1 at the start
    uint64_t key;                                 // hash of board and bag
} Banqi;
_Static_assert(sizeof(Banqi) <= VARIANT_STATE_SIZE, "the state fits");

static const uint8_t set_of_one[PIECE_TYPE_COUNT] = {0, 1, 2, 2, 2, 2, 2, 5};
// Ranks from low to high. A piece captures its equals and all below, except as set_rules() says.
static const uint8_t ranks[][PIECE_TYPE_COUNT] = {
    [HONGKONG] = {[GENERAL] = 7,
                  [CHARIOT] = 6,
                  [HORSE] = 5,
                  [CANNON] = 4,
                  [ELEPHANT] = 3,
                  [ADVISOR] = 2,
                  [SOLDIER] = 1},
    [TAIWAN] = {[GENERAL] = 7,
                [ADVISOR] = 6,
                [ELEPHANT] = 5,
                [CHARIOT] = 4,
                [HORSE] = 3,
                [CANNON] = 2,
                [SOLDIER] = 1},
};
static const int steps[4] = {1, -1, COLUMNS, -COLUMNS};

static const Banqi *banqi(const VariantState *state) {
    return (const Banqi *)(const void *)state->own;
}

// Fills in which types capture which by a step.
static void set_rules(Banqi *b, int choice) {
    b->choice = (uint8_t)choice;
    for (int a = GENERAL; a < PIECE_TYPE_COUNT; a++) {
        for (int v = GENERAL; v < PIECE_TYPE_COUNT; v++) {
            const bool higher = ranks[choice][a] >= ranks[choice][v];
            const bool jumps = a == CANNON && choice == TAIWAN;
            if (!(a == GENERAL   ? v != SOLDIER
                  : a == SOLDIER ? v == SOLDIER || v == GENERAL
                                 : higher && !jumps)) {
                continue;
            }
            b->prey[a] |= (uint8_t)(1 << v);
            b->beaten[v] |= (uint8_t)(1 << a);
        }
    }
}

// Returns the next square in a direction, -1 beyond the edge.
static int next_square(int square, int step) {
    const int to = square + step;
    if (to < 0 || to >= SQUARES) return -1;
    return step == 1 && to % COLUMNS == 0 ? -1 : step == -1 && square % COLUMNS == 0 ? -1 : to;
}

static bool stands(uint8_t piece) {
    return piece != EMPTY && piece != FACE_DOWN;
}

// Returns where a piece on `from` captures in a direction, or where it moves with `quiet`; -1: it
// cannot.
static int target(const Banqi *b, int from, int step, bool quiet) {
    const PieceType type = piece_type(b->board[from]);
    int to = next_square(from, step);
    if (to < 0) return -1;
    if (quiet) return b->board[to] == EMPTY ? to : -1;
    const bool jumps = type == CANNON && b->choice == TAIWAN;
    for (int screens = 0; jumps; to = next_square(to, step)) {
        if (to < 0) return -1;
        if (b->board[to] == EMPTY) continue;
        if (screens++ == 1) break;
    }
    const uint8_t victim = b->board[to];
    if (!stands(victim) || piece_side(victim) == piece_side(b->board[from])) return -1;
    return jumps || (b->prey[type] >> piece_type(victim) & 1) ? to : -1;
}

static int pieces_left(const Banqi *b, int side) {
    int count = 0;
    for (int type = GENERAL; type < PIECE_TYPE_COUNT; type++) count += b->living[side][type];
    return count;
}

// ---- text ---------------------------------------------------------------------------------------

static uint64_t square_key(int piece, int square) {
    return piece ? random_mix((uint64_t)(piece * SQUARES + square + 1)) : 0;
}

// Brings the common part of the state up to date.
static void finish(VariantState *state) {
    const Banqi *b = banqi(state);
    state->key = b->key ^ random_mix(b->stm);
    state->team = b->stm == BLACK;
    state->seat = (uint8_t)((b->number + 1) % 2);
}

static Status check_counts(Banqi *b, Err *err) {
    int hidden = 0, in_bag = 0;
    for (int i = 0; i < SQUARES; i++) {
        const uint8_t piece = b->board[i];
        hidden += piece == FACE_DOWN;
        if (stands(piece)) b->living[piece_side(piece)][piece_type(piece)]++;
    }
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        uint8_t *living = &b->living[piece >> 3][piece & 7];
        in_bag += b->bag[piece];
        *living = (uint8_t)(*living + b->bag[piece]);
        if (*living <= set_of_one[piece & 7]) continue;
        return err_set(err, STATUS_BAD_INPUT, "board and bag have %d of '%c', not at most %d",
                       *living, variant_letters[piece], set_of_one[piece & 7]);
    }
    if (in_bag == hidden) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "bag: %d pieces for %d face-down squares", in_bag,
                   hidden);
}

static Status read_banqi(const char *text, int choice, VariantState *state, Err *err) {
    Banqi *b = (Banqi *)(void *)state->own;
    const char *words[4], *cursor = text, *side;
    size_t lengths[4];
    int count = 0;
    while (count < 4 && text_next_word(&cursor, &words[count], &lengths[count])) count++;
    const char *bag = count ? memchr(words[0], '[', lengths[0]) : NULL;
    if (count < 4 || cursor[strspn(cursor, " \t\r")] || !bag) {
        return err_set(err, STATUS_BAD_INPUT,
                       "a position of banqi is 'BOARD[BAG] SIDE PLIES TURN': '%.80s'", text);
    }
    const size_t board = (size_t)(bag - words[0]);
    TRY(variant_read_rows(words[0], board, COLUMNS, ROWS, true, b->board, err));
    TRY(variant_read_pieces(bag, lengths[0] - board, "bag", b->bag, err));
    TRY(check_counts(b, err));
    side = lengths[1] == 1 ? strchr("rb-", *words[1]) : NULL;
    if (!side || (*side == '-' && memchr(b->board, FACE_DOWN, SQUARES) != b->board)) {
        return err_set(err, STATUS_BAD_INPUT,
                       "side: '%.*s' is not r or b, or - before the first turn",
                       (int)(lengths[1] < 40 ? lengths[1] : 40), words[1]);
    }
    for (int i = 2; i < 4; i++) {
        char word[8];
        long long value;
        snprintf(word, sizeof word, "%.*s", (int)(lengths[i] < 7 ? lengths[i] : 7), words[i]);
        TRY(parse_int(word, i - 2, 10000, &value, i == 2 ? "plies" : "turn", err));
        *(i == 2 ? &state->quiet : &b->number) = (uint16_t)value;
    }
    b->stm = (uint8_t)(*side == 'r' ? RED : *side == 'b' ? BLACK : UNKNOWN);
    set_rules(b, choice);
    for (int i = 0; i < SQUARES; i++) b->key ^= square_key(b->board[i], i);
    for (int i = 0; i < PIECE_COUNT; i++) b->key ^= square_key(FACE_DOWN + 1 + i, b->bag[i]);
    finish(state);
    return STATUS_OK;
}

static void write_banqi(const VariantState *state, Text *text) {
    const Banqi *b = banqi(state);
    variant_write_rows(b->board, COLUMNS, ROWS, text);
    variant_write_pieces(b->bag, text);
    text_add(text, " %c %d %d", "rb-"[b->stm], state -> quiet, b -> number);
}

static void draw_banqi(const VariantState *state, bool plain, Text *text) {
    static const char *const faces[] = {"", "帥", "仕", "相", "傌", "俥", "炮", "兵",
                                        "", "將", "士", "象", "馬", "車", "砲", "卒"};
    const Banqi *b = banqi(state);
    for (int row = ROWS - 1; row >= 0; row--) {
        text_add(text, "  %d ", row + 1);
        for (int column = 0; column < COLUMNS; column++) {
            const uint8_t piece = b->board[row * COLUMNS + column];
            if (plain || !stands(piece)) {
                text_add(text, "  %c ", variant_letters[piece]);
            } else {
                text_add(text, " %s ", faces[piece]);
            }
        }
        text_add(text, "\n");
    }
    text_add(text, "      a   b   c   d   e   f   g   h\n");
}

// ---- turns --------------------------------------------------------------------------------------

static void add(VariantTurns *turns, int from, int to, int order) {
    turns->turns[turns->count++] = (VariantTurn){move_make(from, to), (int16_t)order};
}

static bool list_banqi(const VariantState *state, bool noisy, VariantTurns *turns) {
    const Banqi *b = banqi(state);
    turns->count = 0;
    if (b->stm != UNKNOWN && pieces_left(b, b->stm) == 0) return false;
    for (int from = 0; from < SQUARES; from++) {
        const uint8_t piece = b->board[from];
        if (piece == FACE_DOWN && !noisy) add(turns, VARIANT_UNCOVER, from, 0);
        if (!stands(piece) || piece_side(piece) != b->stm) continue;
        for (int i = 0; i < 4; i++) {
            const int hit = target(b, from, steps[i], false);
            const int to = noisy ? -1 : target(b, from, steps[i], true);
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
        if (victim) b->living[piece_side(victim)][piece_type(victim)]--;
        put(b, to, b->board[from]);
        put(b, from, EMPTY);
    }
    b->stm = (uint8_t)side_other((Side)b->stm);
    finish(state);
}

// ---- evaluation ---------------------------------------------------------------------------------

// BANQI(name, classic, fitted, meaning); fitted to 2,000 games of the hand-set values (E-088).
#define BANQI_TERMS                                                                                \
    BANQI(general, 100, 151.6, "general, face up")                                                 \
    BANQI(advisor, 100, 45.3, "advisor, face up")                                                  \
    BANQI(elephant, 100, 42.9, "elephant, face up")                                                \
    BANQI(horse, 100, 59.5, "horse, face up")                                                      \
    BANQI(chariot, 100, 95.5, "chariot, face up")                                                  \
    BANQI(cannon, 100, 45.5, "cannon, face up")                                                    \
    BANQI(soldier, 100, 29.9, "soldier, face up, after the other general was captured")            \
    BANQI(soldier_hunter, 100, 50.7, "soldier, face up, while the other general lives")            \
    BANQI(hidden_general, 100, 155.4, "general, face down")                                        \
    BANQI(hidden_advisor, 100, 44.1, "advisor, face down")                                         \
    BANQI(hidden_elephant, 100, 54.6, "elephant, face down")                                       \
    BANQI(hidden_horse, 100, 67, "horse, face down")                                               \
    BANQI(hidden_chariot, 100, 107.4, "chariot, face down")                                        \
    BANQI(hidden_cannon, 100, 55.3, "cannon, face down")                                           \
    BANQI(hidden_soldier, 100, 53.6, "soldier, face down")                                         \
    BANQI(mobility, 0, 4.3, "step to an empty square")                                             \
    BANQI(attack, 0, 12.2, "capture that the team could make")                                     \
    BANQI(unbeaten, 0, 36, "piece, face up, that no living piece captures by a step")              \
    BANQI(closeness, 0, 0.6, "10 less the steps to the next piece that it captures, each face up") \
    BANQI(turn, 0, 1.4, "the turn to move")

enum {
#define BANQI(name, classic, fitted, meaning) TERM_##name,
    BANQI_TERMS
#undef BANQI
        TERM_COUNT
};
static const VariantTerm terms[] = {
#define BANQI(name, classic, fitted, meaning) {#name, classic, fitted, meaning},
    BANQI_TERMS
#undef BANQI
};
_Static_assert((int)TERM_COUNT <= (int)VARIANT_MAX_TERMS, "the terms fit");

// The pieces that stand face up, by side.
typedef struct Standing {
    int count[SIDE_COUNT];
    uint8_t squares[SIDE_COUNT][SQUARES / 2];
    uint8_t living[SIDE_COUNT]; // bit t: the side has a piece of type t
} Standing;

static void find_standing(const Banqi *b, Standing *standing) {
    *standing = (Standing){.count = {0}};
    for (int square = 0; square < SQUARES; square++) {
        if (!stands(b->board[square])) continue;
        const Side side = piece_side(b->board[square]);
        standing->squares[side][standing->count[side]++] = (uint8_t)square;
    }
    for (int type = GENERAL; type < PIECE_TYPE_COUNT; type++) {
        for (int side = RED; side <= BLACK; side++) {
            if (b->living[side][type]) standing->living[side] |= (uint8_t)(1 << type);
        }
    }
}

// Returns 10 less the steps from a piece to the nearest piece that it captures, 0 without one.
static int closeness(const Banqi *b, const Standing *standing, int from, Side them, int prey) {
    int least = 10;
    for (int i = 0; i < standing->count[them]; i++) {
        const int to = standing->squares[them][i];
        if (!(prey >> piece_type(b->board[to]) & 1)) continue;
        const int across = from % COLUMNS - to % COLUMNS, up = from / COLUMNS - to / COLUMNS;
        const int away = (across < 0 ? -across : across) + (up < 0 ? -up : up);
        if (away < least) least = away;
    }
    return 10 - least;
}

// Adds the terms of a piece, `sign` times.
static void trace_piece(const Banqi *b, const Standing *standing, int square, int sign,
                        int16_t *counts) {
    static const uint8_t by_type[PIECE_TYPE_COUNT] = {
        0,          TERM_general, TERM_advisor, TERM_elephant,
        TERM_horse, TERM_chariot, TERM_cannon,  TERM_soldier};
    const PieceType type = piece_type(b->board[square]);
    const Side them = side_other(piece_side(b->board[square]));
    const bool hunter = type == SOLDIER && b->living[them][GENERAL] > 0;
    int mobility = 0, attack = 0;
    for (int i = 0; i < 4; i++) {
        mobility += target(b, square, steps[i], true) >= 0;
        attack += target(b, square, steps[i], false) >= 0;
    }
    const int near = closeness(b, standing, square, them, b->prey[type]);
    const int unbeaten = !(b->beaten[type] & standing->living[them]);
    counts[by_type[type] + hunter] += (int16_t)sign;
    counts[TERM_unbeaten] += (int16_t)(sign * unbeaten);
    counts[TERM_closeness] += (int16_t)(sign * near);
    counts[TERM_mobility] += (int16_t)(sign * mobility);
    counts[TERM_attack] += (int16_t)(sign * attack);
}

static void trace(const VariantState *state, int16_t counts[VARIANT_MAX_TERMS]) {
    const Banqi *b = banqi(state);
    Standing standing;
    if (b->stm == UNKNOWN) return;
    find_standing(b, &standing);
    for (int side = RED; side <= BLACK; side++) {
        for (int i = 0; i < standing.count[side]; i++) {
            trace_piece(b, &standing, standing.squares[side][i], side == RED ? 1 : -1, counts);
        }
    }
    for (int type = GENERAL; type < PIECE_TYPE_COUNT; type++) {
        counts[TERM_hidden_general + type - GENERAL] = (int16_t)(b->bag[type] - b->bag[8 + type]);
    }
    counts[TERM_turn] = b->stm == RED ? 1 : -1;
}

const Variant variant_banqi = {
    .name = "banqi",
    .summary = "half-board blind chess: all pieces begin face down on 4 x 8 squares",
    .rules =
        "The first player uncovers a piece and owns its colour. A turn uncovers a piece (a1), "
        "moves "
        "an own piece one step to an empty square (a1a2), or captures a piece on the next square. "
        "hongkong: general, chariot, horse, cannon, elephant, advisor, soldier from high to low; a "
        "piece captures its equals and all below, but the general no soldiers; a soldier captures "
        "the general. taiwan: general, advisor, elephant, chariot, horse, cannon, soldier; the "
        "cannon captures any piece by a jump over exactly one piece along a line, and nothing on "
        "the next square. Face-down pieces are neither moved nor captured. Who has no piece or no "
        "turn left loses.",
    .choices = "hongkong|taiwan",
    .seats = "1|2",
    // In pieces, because a slash behind two question marks is a trigraph.
    .start = "????????"
             "/"
             "????????"
             "/"
             "????????"
             "/"
             "????????"
             "[KRRNNCCBBAAPPPPPkrrnnccbbaappppp] - 0 1",
    .columns = COLUMNS,
    .first_rank = 1,
    .no_capture = 180,
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

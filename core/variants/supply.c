// SPDX-License-Identifier: GPL-3.0-or-later
// Supply chess: two boards, two teams of two players. A captured piece goes to the hand of the
// capturer's partner, who plays its colour and may drop it. A position with one board belongs to a
// game of two players in which captured pieces leave the game; tests/data/supply.tsv has such
// positions.
#include <stdio.h>

#include "core/base/random.h"
#include "core/board/attacks.h"
#include "core/command/options.h"
#include "core/notation/board_draw.h"
#include "core/variants/variant.h"

// Seats: 0 Red on board 1, 1 Red on board 2, 2 Black on board 1, 3 Black on board 2.
enum { BOARDS = 2, SEATS = 4 };

typedef struct Supply {
    Position boards[BOARDS];
    uint8_t hands[BOARDS][PIECE_COUNT]; // number of each piece in the two hands at each board
    int board_count;                    // number of boards: 2, or 1 in a game of two players
} Supply;
_Static_assert(sizeof(Supply) <= VARIANT_STATE_SIZE, "the state fits");

static const Supply *supply(const VariantState *state) {
    return (const Supply *)(const void *)state->own;
}
static int board_of(int seat) {
    return seat & 1;
}
// Returns the team of a player. Team 0 has Red on board 1 and Black on board 2.
static int team_of(int board, int side) {
    return board ^ side;
}

// Computes the members `key`, `team` and `again` of the state after a change of the position.
static void finish(VariantState *state) {
    const Supply *s = supply(state);
    uint64_t words[sizeof s->hands / sizeof(uint64_t)];
    memcpy(words, s->hands, sizeof words);
    state->key = s->boards[0].key ^ random_mix(s->boards[1].key);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        state->key = random_mix(state->key ^ words[i]);
    }
    state->team = (uint8_t)team_of(board_of(state->seat), state->seat >> 1);
    state->again = s->board_count == BOARDS && board_of(state->seat) == 0;
}

static void put_piece(Position *p, Piece piece, int square) {
    position_toggle(p, piece, square);
    p->key ^= attack_tables.zobrist[piece][square];
}

// ---- text ---------------------------------------------------------------------------------------

// Puts the pieces of board[] on the empty board *p. Refuses a piece that cannot stand on its point,
// a side without exactly one general, and a check to the side that is not to move.
static Status fill_board(const uint8_t board[SQUARE_COUNT], Side stm, Position *p, Err *err) {
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = board[square];
        const Side side = piece_side(piece);
        if (!piece) continue;
        if (!square_fits_piece(square, side, piece_type(piece))) {
            return err_set(err, STATUS_BAD_INPUT, "a %s %s cannot stand on %c%d", side_name(side),
                           piece_type_name(piece_type(piece)), 'a' + square_file(square),
                           square_rank(square));
        }
        if (piece_type(piece) == GENERAL) p->general[side] = (uint8_t)square;
        put_piece(p, piece, square);
    }
    for (int side = RED; side <= BLACK; side++) {
        const int generals = bb_count(position_pieces(p, (Side)side, GENERAL));
        if (generals == 1) continue;
        return err_set(err, STATUS_BAD_INPUT, "%s has %d generals, not one", side_name((Side)side),
                       generals);
    }
    p->stm = (uint8_t)stm;
    if (stm == BLACK) p->key ^= attack_tables.zobrist_black_to_move;
    if (!position_general_attacked(p, side_other(stm))) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "illegal position: %s is to move and could capture the general of %s",
                   side_name(stm), side_name(side_other(stm)));
}

// Refuses a position with more pieces of a kind than two xiangqi sets have, or with a general in a
// hand.
static Status check_counts(const Supply *s, Err *err) {
    static const int most[PIECE_TYPE_COUNT] = {0, 0, 4, 4, 4, 4, 4, 10};
    for (Piece piece = 1; piece < PIECE_COUNT; piece++) {
        const PieceType type = piece_type(piece);
        int on_boards = 0, in_hands = 0;
        for (int b = 0; b < s->board_count && type != NO_PIECE_TYPE; b++) {
            in_hands += s->hands[b][piece];
            on_boards += bb_count(position_pieces(&s->boards[b], piece_side(piece), type));
        }
        if (in_hands + (type == GENERAL ? 0 : on_boards) <= most[type]) continue;
        return err_set(err, STATUS_BAD_INPUT,
                       "too many '%c': %d in hands and %d on boards, but at most %d %s allowed",
                       variant_letters[piece], in_hands, on_boards, most[type],
                       type == GENERAL ? "in hands is" : "in all are");
    }
    return STATUS_OK;
}

static Status read_supply(const char *text, int choice, VariantState *state, Err *err) {
    Supply *s = (Supply *)(void *)state->own;
    char parts[BOARDS][200], turn[8], more;
    int end = 0, tail = 0;
    (void)choice;
    const bool two = sscanf(text, "%199s | %199s %7s %c", parts[0], parts[1], turn, &more) == 3;
    const bool one = !two && sscanf(text, "%199s %7s %n", parts[0], turn, &end) == 2;
    sscanf(text + end, "- - %4hu %*9u %n", &state->quiet, &tail);
    if (!two && (!one || text[end + tail])) {
        return err_set(err, STATUS_BAD_INPUT,
                       "'%.80s' does not have the form of a position of supply chess, BOARD[HAND] "
                       "| BOARD[HAND] PLAYER (1r, 2r, 1b or 2b), or of one board, BOARD[HAND] SIDE "
                       "(w or b)",
                       text);
    }
    const int seat = option_choice_index(two ? "1r|2r|1b|2b" : "w|r|b", turn);
    if (seat < 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "the field for the side to move is '%s', but it must be %s", turn,
                       two ? "1r, 2r, 1b or 2b" : "w, r or b");
    }
    state->seat = (uint8_t)(two ? seat : seat & 2); // w and r both mean Red
    s->board_count = two ? BOARDS : 1;
    for (int b = 0; b < s->board_count; b++) {
        uint8_t board[SQUARE_COUNT] = {PIECE_NONE};
        // The seats 0 to 3 move in turn. On board b, seat b plays Red and seat b + 2 plays Black.
        // If seat b + 1 or b + 2 is to move, the next side to move on board b is therefore Black.
        const bool black = two ? (seat + 3 - b) % SEATS < 2 : seat == 2;
        Status status = variant_read_board(parts[b], FILE_COUNT, RANK_COUNT, false, board, "hand",
                                           s->hands[b], err);
        if (status == STATUS_OK) status = fill_board(board, (Side)black, &s->boards[b], err);
        if (status != STATUS_OK) return err_prefix(err, "board %d", b + 1);
    }
    finish(state);
    return check_counts(s, err);
}

static void write_supply(const VariantState *state, Text *text) {
    const Supply *s = supply(state);
    for (int b = 0; b < s->board_count; b++) {
        text_add(text, b ? " | " : "");
        variant_write_board(s->boards[b].board, FILE_COUNT, RANK_COUNT, s->hands[b], text);
    }
    if (s->board_count == 1) {
        text_add(text, " %c - - %d 1", state->seat ? 'b' : 'w', state->quiet);
    } else {
        text_add(text, " %d%c", board_of(state->seat) + 1, "rb"[state->seat >> 1]);
    }
}

static void draw_supply(const VariantState *state, bool letters, Text *text) {
    const Supply *s = supply(state);
    for (int b = 0; b < s->board_count; b++) {
        text_add(text, "board %d, pieces in hand ", b + 1);
        variant_write_pieces(s->hands[b], text);
        text_add(text, "\n");
        board_draw(&s->boards[b], &(BoardStyle){.letters = letters}, text);
    }
}

// ---- turns --------------------------------------------------------------------------------------

static void add(VariantTurns *turns, int from, Bitboard targets, const Position *p) {
    static const int16_t worth[PIECE_TYPE_COUNT] = {0, 0, 20, 20, 40, 90, 45, 12};
    const PieceType mover = from < VARIANT_DROP ? piece_type(p->board[from]) : NO_PIECE_TYPE;
    while (targets) {
        const int to = bb_pop(&targets);
        const PieceType victim = piece_type(p->board[to]);
        const int order = victim ? 16 * worth[victim] - worth[mover] / 10 : 0;
        turns->turns[turns->count++] = (VariantTurn){move_make(from, to), (int16_t)order};
    }
}

// Returns those points of `targets` to which the piece on point `from`, which must not be a
// general, can legally move. For a drop, `from` is VARIANT_DROP + type; drops that give check are
// not legal. Tests each target separately. The faster Exposure (core/board/position.h) has room
// only for the checks and pins by the pieces of one xiangqi set, and a player of supply chess can
// have more pieces.
static Bitboard legal_targets(const Position *p, int from, Bitboard targets) {
    const Side us = (Side)p->stm, them = side_other(us);
    const bool drop = from >= VARIANT_DROP;
    const Bitboard others = position_occupied(p) & ~(drop ? 0 : bb_square(from));
    // Pieces are dropped only in the own half. From there only chariots and cannons can attack the
    // enemy general.
    const PieceType type = drop ? (PieceType)(from - VARIANT_DROP) : NO_PIECE_TYPE;
    const int general = p->general[them], screens = type == CHARIOT ? 0 : type == CANNON ? 1 : -1;
    for (Bitboard rest = targets; rest;) {
        const int square = bb_pop(&rest);
        const Bitboard to = bb_square(square), between = attack_tables.between[general][square];
        const bool checks =
            drop &&
            (position_general_attackers(p, them, others | to) ||
             ((attack_tables.cross[general] & to) && bb_count(between & others) == screens));
        if (checks || (position_general_attackers(p, us, others | to) & ~to)) targets &= ~to;
    }
    return targets;
}

// Returns the points of the side's own half on which a piece of this type can stand. A soldier can
// stand on the two ranks before the river, on the files a, c, e, g and i.
static Bitboard drop_points(Side side, PieceType type) {
    const Bitboard red_half = bb_square(SQUARE_COUNT / 2) - 1;
    const Bitboard half = side == RED ? red_half : ALL_POINTS & ~red_half;
    const Bitboard file_points = (Bitboard)0x155 * (1 + bb_square(FILE_COUNT));
    if (type == SOLDIER) return file_points << FILE_COUNT * (side == RED ? 3 : 5);
    return attack_tables.stands[side][type] & half;
}

static bool list_supply(const VariantState *state, bool noisy, VariantTurns *turns) {
    const Supply *s = supply(state);
    const Position *p = &s->boards[board_of(state->seat)];
    const Side us = (Side)p->stm;
    const bool in_check = position_general_attacked(p, us);
    const bool all = !noisy || in_check;
    const Bitboard allowed = (all ? ~p->by_side[us] : p->by_side[side_other(us)]) & ALL_POINTS;
    turns->count = 0;
    for (Bitboard rest = p->by_side[us] & ~bb_square(p->general[us]); rest;) {
        const int from = bb_pop(&rest);
        add(turns, from, legal_targets(p, from, position_reach(p, from) & allowed), p);
    }
    const Bitboard steps = position_reach(p, p->general[us]) & allowed;
    add(turns, p->general[us], position_general_safe(p, steps), p);
    for (int type = ADVISOR; type < PIECE_TYPE_COUNT && all; type++) {
        if (!s->hands[board_of(state->seat)][piece_make(us, (PieceType)type)]) continue;
        const Bitboard points = drop_points(us, (PieceType)type) & ~position_occupied(p);
        add(turns, VARIANT_DROP + type, legal_targets(p, VARIANT_DROP + type, points), p);
    }
    return noisy && in_check;
}

static void play_supply(VariantState *state, Move move, Piece piece) {
    Supply *s = (Supply *)(void *)state->own;
    const int b = board_of(state->seat), from = move_from(move), to = move_to(move);
    const Position before = s->boards[b];
    const Piece victim = before.board[to];
    (void)piece;
    state->quiet = victim || from >= VARIANT_DROP ? 0 : (uint16_t)(state->quiet + 1);
    if (from >= VARIANT_DROP) {
        const Piece dropped = piece_make((Side)before.stm, (PieceType)(from - VARIANT_DROP));
        position_do_null(&before, &s->boards[b]);
        put_piece(&s->boards[b], dropped, to);
        s->hands[b][dropped]--;
    } else {
        position_do_move(&before, move, &s->boards[b]);
    }
    if (victim && s->board_count == BOARDS) s->hands[!b][victim]++;
    state->seat = (uint8_t)(s->board_count == BOARDS ? (state->seat + 1) % SEATS : state->seat ^ 2);
    finish(state);
}

// ---- evaluation ---------------------------------------------------------------------------------

// Each term has a hand-set value and a value that was fitted to 2,000 games played with the
// hand-set values (E-087).
#define TERMS(X)                                                                                   \
    X(advisor, "advisor on the board", 200, 5.8)                                                   \
    X(elephant, "elephant on the board", 200, -1.7)                                                \
    X(horse, "horse on the board", 400, 7.4)                                                       \
    X(chariot, "chariot on the board", 900, 41.1)                                                  \
    X(cannon, "cannon on the board", 450, 29.2)                                                    \
    X(soldier, "soldier that has not crossed the river", 100, 6.2)                                 \
    X(soldier_crossed, "soldier across the river", 200, 4.3)                                       \
    X(hand_advisor, "advisor in the hand", 200, 11.1)                                              \
    X(hand_elephant, "elephant in the hand", 200, 8.8)                                             \
    X(hand_horse, "horse in the hand", 400, 18.2)                                                  \
    X(hand_chariot, "chariot in the hand", 900, 41.4)                                              \
    X(hand_cannon, "cannon in the hand", 450, 27.3)                                                \
    X(hand_soldier, "soldier in the hand", 100, 10)                                                \
    X(given_horse, "each horse above two on a player's board, in addition to horse", 0, -9)        \
    X(given_chariot, "each chariot above two on a player's board, in addition to chariot", 0, 0.2) \
    X(given_cannon, "each cannon above two on a player's board, in addition to cannon", 0, -5.7)   \
    X(mobility_horse, "point that a horse can move to", 0, 3.6)                                    \
    X(mobility_chariot, "point that a chariot can move to", 0, 1.2)                                \
    X(mobility_cannon, "point that a cannon can move to", 0, 0.2)                                  \
    X(palace, "enemy palace point that a horse, chariot, cannon or soldier can move to", 0, 0.5)   \
    X(turn, "bonus for the team to move", 0, -14.9)                                                \
    X(turn_two, "bonus if the team to move also has the following turn", 0, 29.2)
enum { TERMS(VARIANT_TERM_ID) TERM_COUNT };
static const VariantTerm terms[] = {TERMS(VARIANT_TERM_ROW)};
_Static_assert((int)TERM_COUNT <= (int)VARIANT_MAX_TERMS, "the terms fit");

// Adds the terms of the player with side `us` on board b to counts[], the counts of the team.
static void trace_player(const Supply *s, int b, Side us, int *counts) {
    const Position *p = &s->boards[b];
    const Bitboard palace = attack_tables.stands[side_other(us)][GENERAL];
    for (int type = ADVISOR; type < PIECE_TYPE_COUNT; type++) {
        Bitboard rest = position_pieces(p, us, (PieceType)type);
        const int count = bb_count(rest);
        // Horses, chariots and cannons have a term for mobility, and a term given_* that counts the
        // player's pieces of the type beyond two. The other types have neither.
        const bool moves_far = type >= HORSE && type < SOLDIER;
        counts[TERM_hand_advisor + type - ADVISOR] += s->hands[b][piece_make(us, (PieceType)type)];
        counts[TERM_advisor + type - ADVISOR] += count;
        if (moves_far && count > 2) counts[TERM_given_horse + type - HORSE] += count - 2;
        while (rest && type >= HORSE) {
            const int square = bb_pop(&rest);
            const Bitboard reach = position_reach(p, square) & ~p->by_side[us];
            counts[TERM_palace] += bb_count(reach & palace);
            if (moves_far) counts[TERM_mobility_horse + type - HORSE] += bb_count(reach);
            if (moves_far || !square_crossed(square, us)) continue;
            counts[TERM_soldier]--;
            counts[TERM_soldier_crossed]++;
        }
    }
}

static void trace(const VariantState *state, int counts[][VARIANT_MAX_TERMS]) {
    const Supply *s = supply(state);
    for (int b = 0; b < s->board_count; b++) {
        for (int side = RED; side <= BLACK; side++) {
            trace_player(s, b, (Side)side, counts[team_of(b, side)]);
        }
    }
    counts[state->team][TERM_turn] = 1;
    counts[state->team][TERM_turn_two] = s->board_count == BOARDS && board_of(state->seat) == 1;
}

static bool has_player(const VariantState *state, int seat) {
    return supply(state)->board_count == BOARDS || board_of(seat) == 0;
}

const Variant variant_supply = {
    .name = "supply",
    .summary = "supply chess: two boards, two against two, captured pieces go to the partner",
    .rules =
        "Team one is Red on board 1 and Black on board 2; team two has the other seats. A captured "
        "piece goes to the hand of the capturer's partner, who plays its colour. A turn is a move "
        "(h2e2) or a drop (R@e3) of a piece from the hand on an empty point of the player's own "
        "side of the river where the piece can stand; a drop may not give check. The seats take "
        "turns in the order 1r 2r 1b 2b; this simplification replaces clocks. Checkmate or "
        "stalemate on one board ends the game for both teams. A position of one board, "
        "'BOARD[HAND] w', is a game of two players in which captured pieces leave the game.",
    .seats = {"1r", "2r", "1b", "2b"},
    .sides = "abba",
    .start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[] | "
             "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[] 1r",
    .columns = FILE_COUNT,
    .opening_plies = 12,
    .terms = terms,
    .term_count = TERM_COUNT,
    .read = read_supply,
    .write = write_supply,
    .has_player = has_player,
    .draw = draw_supply,
    .list = list_supply,
    .play = play_supply,
    .trace = trace,
};

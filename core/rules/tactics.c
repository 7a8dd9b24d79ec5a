// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/tactics.h"

#include "core/board/attacks.h"

const char *tactic_name(Tactic tactic) {
    static const char *const names[] = {
#define TACTIC(id, name, meaning) name,
#include "core/rules/tactics.def"
    };
    return names[tactic];
}

// For each tactic: the points of the enemy pieces that are its victims. TACTIC_DISCOVERED has none
// here; discovers() detects it.
typedef struct Victims {
    Bitboard points[TACTIC_COUNT];
} Victims;

// Returns the value of a piece in tenths of a point, as in introductions to xiangqi: 90 for a
// chariot. The general is worth more than all other pieces of its side together.
static int piece_value(const Position *position, int square) {
    static const int tenths[PIECE_TYPE_COUNT] = {
        [GENERAL] = 1000, [ADVISOR] = 20, [ELEPHANT] = 20, [HORSE] = 40,
        [CHARIOT] = 90,   [CANNON] = 45,  [SOLDIER] = 10};
    const Piece piece = position->board[square];
    const PieceType type = piece_type(piece);
    return tenths[type] * (type == SOLDIER && square_crossed(square, piece_side(piece)) ? 2 : 1);
}

// Returns true if a capture wins material: the target is worth more than the attacker, or it is not
// protected.
static bool wins_material(const Position *position, int attacker, int target) {
    const Bitboard without_attacker = position_occupied(position) & ~bb_square(attacker);
    return piece_value(position, target) > piece_value(position, attacker) ||
           !position_attackers(position, target, piece_side(position->board[target]),
                               without_attacker);
}

// Returns the pieces of `side` that would attack the target if the occupied points were `occupied`.
static Bitboard attackers(const Position *position, int target, Side side, Bitboard occupied) {
    return piece_type(position->board[target]) == GENERAL
               ? position_general_attackers(position, side_other(side), occupied)
               : position_attackers(position, target, side, occupied);
}

// Finds attacks that open if the piece on `shield` moves away. If the piece behind the shield is
// worth more than the shield, this is a pin. Otherwise it is a skewer if the attacker also attacks
// the shield and wins material.
static void find_pins_and_skewers(const Position *position, Side side, int shield,
                                  Victims *victims) {
    const Bitboard occupied = position_occupied(position);
    const Bitboard theirs = position->by_side[side_other(side)] & ~bb_square(shield);
    const Bitboard now = attackers(position, shield, side, occupied);
    for (Bitboard targets = theirs; targets;) {
        const int target = bb_pop(&targets);
        Bitboard opened = attackers(position, target, side, occupied & ~bb_square(shield)) &
                          ~attackers(position, target, side, occupied);
        const bool pinned = piece_value(position, target) > piece_value(position, shield);
        while (opened) {
            const int attacker = bb_pop(&opened);
            const Bitboard screens = attack_tables.between[target][attacker] & occupied;
            const bool two =
                piece_type(position->board[attacker]) == CANNON && bb_count(screens & theirs) == 1;
            if (pinned) {
                victims->points[two ? TACTIC_DOUBLE_PIN : TACTIC_PIN] |= bb_square(shield);
            } else if ((now & bb_square(attacker)) && wins_material(position, attacker, shield)) {
                victims->points[TACTIC_SKEWER] |= bb_square(shield);
            }
        }
    }
}

static void find_forks(const Position *position, Side side, Victims *victims) {
    for (Bitboard pieces = position->by_side[side]; pieces;) {
        const int attacker = bb_pop(&pieces);
        Bitboard hit = 0;
        Bitboard reached = position_reach(position, attacker) & position->by_side[side_other(side)];
        while (reached) {
            const int target = bb_pop(&reached);
            if (wins_material(position, attacker, target)) hit |= bb_square(target);
        }
        if (bb_count(hit) >= 2) victims->points[TACTIC_FORK] |= hit;
    }
}

static void find_double_cannon(const Position *position, Side side, Victims *victims) {
    const int general = position->general[side_other(side)];
    const Bitboard cannons = position_pieces(position, side, CANNON);
    Bitboard rear = cannons & position_general_attackers(position, side_other(side),
                                                         position_occupied(position));
    while (rear) {
        if (attack_tables.between[general][bb_pop(&rear)] & cannons)
            victims->points[TACTIC_DOUBLE_CANNON] |= bb_square(general);
    }
}

static void find_all(const Position *position, Side side, Victims *victims) {
    *victims = (Victims){{0}};
    for (Bitboard shields = position->by_side[side_other(side)]; shields;) {
        find_pins_and_skewers(position, side, bb_pop(&shields), victims);
    }
    find_forks(position, side, victims);
    find_double_cannon(position, side, victims);
}

// Returns true if the move is a discovered attack that wins material. The moved piece stood between
// another piece of `side` and an enemy piece. After the move, this other piece attacks the enemy
// piece, and capturing it wins material.
static bool discovers(const Position *before, Move move, const Position *after, Side side) {
    for (Bitboard targets = after->by_side[side_other(side)]; targets;) {
        const int target = bb_pop(&targets);
        Bitboard opened = attackers(after, target, side, position_occupied(after)) &
                          ~attackers(before, target, side, position_occupied(before)) &
                          ~bb_square(move_to(move));
        while (opened) {
            const int attacker = bb_pop(&opened);
            const Bitboard line = attack_tables.between[target][attacker];
            if ((line & bb_square(move_from(move))) && wins_material(after, attacker, target))
                return true;
        }
    }
    return false;
}

unsigned tactics_of_move(const Position *before, Move move) {
    const Side side = (Side)before->stm;
    Position after;
    Victims victims_before, victims_after;
    unsigned found = 0;
    position_do_move(before, move, &after);
    find_all(before, side, &victims_before);
    find_all(&after, side, &victims_after);
    for (int tactic = 0; tactic < TACTIC_COUNT; tactic++) {
        if (victims_after.points[tactic] & ~victims_before.points[tactic]) found |= 1u << tactic;
    }
    if (discovers(before, move, &after, side)) found |= 1u << TACTIC_DISCOVERED;
    return found;
}

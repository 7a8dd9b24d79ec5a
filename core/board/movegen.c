// SPDX-License-Identifier: GPL-3.0-or-later
// Move generation and a test of legality that plays no move. Declared in position.h.
//
// A move of a piece other than the general is legal if and only if no enemy piece attacks the
// general afterwards. For one enemy piece X this depends on two facts: whether X was captured, and
// the number n of pieces on the points between X and the general. (For a horse there is one such
// point, its leg. For a soldier there is none.) A move can reduce n by one, if the moved piece
// stood between X and the general. It can increase n by one, if its target is an empty point
// between them. If a piece from elsewhere captures a piece between them, n does not change.
// Therefore each X allows one set of targets to our pieces between X and the general, and another
// set to our other pieces. A move is legal if and only if every X allows it:
//   X is a chariot, general, horse or soldier: X attacks if n = 0.
//     n = 0   all pieces:         move to an empty point between, or capture X
//     n = 1   own piece between:  move to an empty point between, or capture X
//             other own pieces:   any move, because it cannot remove the piece between
//     n > 1   all pieces:         any move
//   X is a cannon: X attacks if n = 1.
//     n = 0   all pieces:         any move, except to a point between (it would be the screen)
//     n = 1   own piece between:  move to any point that is not between, or capture X
//             other own pieces:   move to an empty point between (a second screen), or capture X
//     n = 2   own piece between:  move to an empty point between, or capture X (a capture of the
//                                 other piece between would leave one screen)
//             other own pieces:   any move
//     n > 2   all pieces:         any move
// "Any move" is correct because our move cannot remove an enemy piece from between without putting
// our own piece in its place.
#include <assert.h>

#include "core/board/attacks.h"

// Returns the pieces of `enemy` that attack a general on `square`, or that would attack it if other
// pieces stood elsewhere.
ALWAYS_INLINE Bitboard potential_attackers(const Position *position, int square, Side enemy) {
    const AttackTables *t = &attack_tables;
    const Bitboard *types = position->by_type;
    // Generals attack each other only on a file, but `cross` contains the rank, too. This does no
    // harm, because the two palaces have no rank in common.
    const Bitboard on_lines = t->cross[square] & (types[CHARIOT] | types[CANNON] | types[GENERAL]);
    return position->by_side[enemy] & (on_lines | (t->horse_from[square][0] & types[HORSE]) |
                                       (t->soldier_from[enemy][square] & types[SOLDIER]));
}

// Returns the number of pieces that must stand between an attacker and its target: 1 for a cannon,
// else 0.
ALWAYS_INLINE int screens_needed(Piece piece) {
    return piece_type(piece) == CANNON;
}

// Returns true if `enemy` would attack a general on `square` while the occupied points are
// `occupied`.
ALWAYS_INLINE bool attacked(const Position *position, int square, Side enemy, Bitboard occupied) {
    for (Bitboard rest = potential_attackers(position, square, enemy); rest;) {
        const int x = bb_pop(&rest);
        const int between = bb_count(attack_tables.between[square][x] & occupied);
        if (between == screens_needed(position->board[x])) return true;
    }
    return false;
}

Bitboard position_general_attackers(const Position *position, Side side, Bitboard occupied) {
    const int square = position->general[side];
    Bitboard attackers = 0;
    for (Bitboard rest = potential_attackers(position, square, side_other(side)); rest;) {
        const int x = bb_pop(&rest);
        const int between = bb_count(attack_tables.between[square][x] & occupied);
        if (between == screens_needed(position->board[x])) attackers |= bb_square(x);
    }
    return attackers;
}

bool position_general_attacked(const Position *position, Side side) {
    return attacked(position, position->general[side], side_other(side),
                    position_occupied(position));
}

// Returns the points of `targets` where the general of side `us` would not be attacked.
ALWAYS_INLINE Bitboard general_safe(const Position *position, Side us, Bitboard targets) {
    const Bitboard occupied = position_occupied(position) & ~bb_square(position->general[us]);
    Bitboard safe = 0;
    while (targets) {
        const int to = bb_pop(&targets);
        if (!attacked(position, to, side_other(us), occupied)) safe |= bb_square(to);
    }
    return safe;
}

Bitboard position_general_safe(const Position *position, Bitboard targets) {
    return general_safe(position, (Side)position->stm, targets);
}

ALWAYS_INLINE void constrain(Exposure *exposure, Bitboard movers, Bitboard targets,
                             Bitboard others) {
    assert(exposure->count < CONSTRAINT_MAX);
    exposure->free &= others;
    exposure->bound |= movers;
    exposure->list[exposure->count++] = (Constraint){movers, targets, others};
}

// Like position_exposure(), for side `us`, whichever side is to move.
ALWAYS_INLINE void find_exposure(const Position *position, Side us, Exposure *exposure) {
    const int square = position->general[us];
    const Bitboard occupied = position_occupied(position), all = ALL_POINTS;
    exposure->free = all;
    exposure->bound = 0;
    exposure->in_check = false;
    exposure->count = 0;
    for (Bitboard rest = potential_attackers(position, square, side_other(us)); rest;) {
        const int x = bb_pop(&rest);
        const Bitboard between = attack_tables.between[square][x], pieces = between & occupied;
        const Bitboard ours = pieces & position->by_side[us],
                       stay = (between & ~pieces) | bb_square(x);
        const int excess = bb_count(pieces) - screens_needed(position->board[x]);
        if (excess > 1) continue;
        if (excess == 1) {
            if (ours) constrain(exposure, ours, stay, all);
        } else if (excess == 0) {
            exposure->in_check = true;
            constrain(exposure, ours, ~between, stay);
        } else {
            constrain(exposure, 0, all, ~between);
        }
    }
}

void position_exposure(const Position *position, Exposure *exposure) {
    find_exposure(position, (Side)position->stm, exposure);
}

Bitboard exposure_targets(const Exposure *exposure, int from) {
    const Bitboard bit = bb_square(from);
    if (!(exposure->bound & bit)) return exposure->free;
    Bitboard targets = ALL_POINTS;
    for (int i = 0; i < exposure->count; i++) {
        const Constraint *c = &exposure->list[i];
        targets &= c->movers & bit ? c->targets : c->others;
    }
    return targets;
}

bool position_is_legal(const Position *position, Move move) {
    Exposure exposure;
    position_exposure(position, &exposure);
    return position_is_legal_exposed(position, &exposure, move);
}

// ---- lists of moves ------------------------------------------------------------------------

static Move *add_targets(Move *moves, int from, Bitboard targets) {
    for (uint64_t low = (uint64_t)targets; low; low &= low - 1) {
        *moves++ = move_make(from, bits_lowest64(low));
    }
    for (uint64_t high = (uint64_t)(targets >> 64); high; high &= high - 1) {
        *moves++ = move_make(from, 64 + bits_lowest64(high));
    }
    return moves;
}

Bitboard position_reach(const Position *position, int square) {
    const AttackTables *t = &attack_tables;
    const Piece piece = position->board[square];
    switch (piece_type(piece)) {
    case GENERAL:
        return t->general[square];
    case ADVISOR:
        return t->advisor[square];
    case ELEPHANT:
        return attack_elephant(position, square);
    case HORSE:
        return attack_horse(position, square);
    case CHARIOT:
        return attack_chariot(position, square);
    case CANNON:
        return attack_cannon(position, square);
    case SOLDIER:
        return t->soldier[piece_side(piece)][square];
    default:
        return 0;
    }
}

// Appends the moves of all pieces of one type whose targets are in both `reach` and `allowed`.
#define ADD_KIND(type, reach, allowed)                                                             \
    for (Bitboard set = ours & position->by_type[type]; set;) {                                    \
        const int from = bb_pop(&set);                                                             \
        Bitboard targets = (reach) & (allowed);                                                    \
        if (exposure) targets &= exposure_targets(exposure, from);                                 \
        moves = add_targets(moves, from, targets);                                                 \
    }

// Lists the moves of the side to move to the points of `allowed`. If `exposure`, the checks and
// pins of the position, is given, lists only legal moves. If it is NULL, the moves are
// pseudo-legal.
ALWAYS_INLINE void add_moves(const Position *position, Bitboard allowed, const Exposure *exposure,
                             MoveList *list) {
    const AttackTables *t = &attack_tables;
    const Side us = (Side)position->stm;
    const Bitboard ours = position->by_side[us];
    Move *moves = list->moves;
    ADD_KIND(CHARIOT, attack_chariot(position, from), allowed)
    ADD_KIND(CANNON, attack_cannon(position, from), allowed)
    ADD_KIND(HORSE, attack_horse(position, from), allowed)
    ADD_KIND(SOLDIER, t->soldier[us][from], allowed)
    ADD_KIND(ELEPHANT, attack_elephant(position, from), allowed)
    ADD_KIND(ADVISOR, t->advisor[from], allowed)
    const int general = position->general[us];
    Bitboard steps = t->general[general] & allowed;
    if (exposure) steps = position_general_safe(position, steps);
    moves = add_targets(moves, general, steps);
    list->count = (int)(moves - list->moves);
}

void position_pseudo_moves(const Position *position, MoveList *list) {
    add_moves(position, ~position->by_side[position->stm], NULL, list);
}

void position_captures(const Position *position, MoveList *list) {
    add_moves(position, position->by_side[side_other((Side)position->stm)], NULL, list);
}

void position_quiets(const Position *position, MoveList *list) {
    add_moves(position, ~position_occupied(position), NULL, list);
}

// A cannon gives check if exactly one piece stands between it and the general. `behind` contains
// the empty points that have at least one piece between them and the general.
void position_quiet_checks(const Position *position, MoveList *list) {
    const AttackTables *t = &attack_tables;
    const Side us = (Side)position->stm;
    const int general = position->general[side_other(us)];
    const Bitboard ours = position->by_side[us], empty = ~position_occupied(position);
    const Bitboard seen = attack_chariot(position, general) & empty;
    const Bitboard behind = t->cross[general] & ~seen & empty;
    const Bitboard leaps = t->horse_from[general][attack_eyes(position, general)] & empty;
    const Exposure *const exposure = NULL;
    Move *moves = list->moves;
    ADD_KIND(CHARIOT, attack_chariot(position, from), seen)
    ADD_KIND(CANNON, attack_cannon(position, from), behind)
    ADD_KIND(HORSE, attack_horse(position, from), leaps)
    ADD_KIND(SOLDIER, t->soldier[us][from], t->soldier_from[us][general] & empty)
#undef ADD_KIND
    list->count = (int)(moves - list->moves);
}

void position_legal_captures(const Position *position, const Exposure *exposure, MoveList *list) {
    add_moves(position, position->by_side[side_other((Side)position->stm)], exposure, list);
}

void position_legal_quiets(const Position *position, const Exposure *exposure, MoveList *list) {
    add_moves(position, ~position_occupied(position), exposure, list);
}

void position_legal_moves(const Position *position, MoveList *list) {
    Exposure exposure;
    position_exposure(position, &exposure);
    add_moves(position, ~position->by_side[position->stm], &exposure, list);
}

// ---- numbers of moves ----------------------------------------------------------------------

// Counts the moves of the soldiers of side `us` to the points of `allowed`, by shifts of the whole
// bitboard.
ALWAYS_INLINE int count_soldiers(Bitboard soldiers, Side us, Bitboard allowed) {
    const Bitboard file_a = attack_tables.file_bits[LINE_STATES - 1];
    const Bitboard file_i = file_a << (FILE_COUNT - 1);
    const Bitboard red_half = bb_square(SQUARE_COUNT / 2) - 1;
    const Bitboard forward = us == RED ? soldiers << FILE_COUNT : soldiers >> FILE_COUNT;
    const Bitboard crossed = us == RED ? soldiers & ~red_half : soldiers & red_half;
    return bb_count(forward & allowed) + bb_count((crossed & ~file_i) << 1 & allowed) +
           bb_count((crossed & ~file_a) >> 1 & allowed);
}

// Counts the moves of a slider (chariot or cannon) of side `us` on `square`. `reach` is
// line_chariot or line_cannon.
ALWAYS_INLINE int count_slider(const Position *position, Side us,
                               const uint16_t reach[RANK_COUNT][LINE_STATES], int square) {
    const int file = square_file(square), rank = square_rank(square);
    const Line across = position->rank[rank], along = position->file[file];
    const Line own_across = us == RED ? across >> 16 : across ^ across >> 16;
    const Line own_along = us == RED ? along >> 16 : along ^ along >> 16;
    const unsigned points = (reach[file][(uint16_t)across] & ~own_across & 0x1ffu) |
                            (reach[rank][(uint16_t)along] & ~own_along) << 16;
    return bits_count64(points);
}

// Counts the moves of elephants and advisors to the points of `allowed`. Their half of the board
// has 45 points, so one 64-bit word is enough.
ALWAYS_INLINE int count_elephants_advisors(const Position *position, Side us, Bitboard allowed) {
    const AttackTables *t = &attack_tables;
    const unsigned half = us == RED ? 0 : SQUARE_COUNT / 2;
    const Bitboard ours = position->by_side[us];
    const uint64_t occupied = (uint64_t)(position_occupied(position) >> half);
    uint64_t elephants = (uint64_t)((ours & position->by_type[ELEPHANT]) >> half);
    uint64_t advisors = (uint64_t)((ours & position->by_type[ADVISOR]) >> half);
    int count = 0;
    for (; elephants; elephants &= elephants - 1) {
        const int at = bits_lowest64(elephants);
        // After the shift, the diagonal neighbours of the elephant are bits 0, 2, 18 and 20.
        const uint64_t around = occupied << (FILE_COUNT + 1) >> at;
        const uint64_t eyes = (around & 5) | (around >> 17 & 10);
        count += bb_count(t->elephant[at + (int)half][eyes] & allowed);
    }
    for (; advisors; advisors &= advisors - 1) {
        count += bb_count(t->advisor[bits_lowest64(advisors) + (int)half] & allowed);
    }
    return count;
}

// Counts the moves of horses, elephants, advisors and soldiers to the points of `allowed`.
ALWAYS_INLINE int count_leapers(const Position *position, Side us, Bitboard allowed) {
    const Bitboard ours = position->by_side[us];
    int count = count_elephants_advisors(position, us, allowed) +
                count_soldiers(ours & position->by_type[SOLDIER], us, allowed);
    for (Bitboard set = ours & position->by_type[HORSE]; set;) {
        count += bb_count(attack_horse(position, bb_pop(&set)) & allowed);
    }
    return count;
}

// Returns the points on which a piece can block a horse or elephant of the side. Shifts that wrap
// around the edge of the board add more points, which only costs time.
static Bitboard leaper_blocks(const Position *position, Side side) {
    const Bitboard horses = position_pieces(position, side, HORSE);
    const Bitboard elephants = position_pieces(position, side, ELEPHANT);
    const Bitboard beside = elephants << 1 | elephants >> 1;
    return horses << 1 | horses >> 1 | horses << FILE_COUNT | horses >> FILE_COUNT |
           beside << FILE_COUNT | beside >> FILE_COUNT;
}

enum { NOT_COUNTED = -1 };

// Counts the legal moves of side `us`. `leapers` is the result of count_leapers() with all points
// without own pieces as `allowed`, or NOT_COUNTED if the caller does not know it.
ALWAYS_INLINE int count_moves(const Position *position, Side us, int leapers) {
    const AttackTables *t = &attack_tables;
    const Bitboard ours = position->by_side[us];
    Exposure exposure;
    find_exposure(position, us, &exposure);
    const Bitboard allowed = exposure.free & ~ours;
    const bool all_free = exposure.free == ALL_POINTS;
    int count = leapers;
    if (!all_free || leapers == NOT_COUNTED) count = count_leapers(position, us, allowed);
    for (Bitboard set = ours & position->by_type[CHARIOT]; set;) {
        const int from = bb_pop(&set);
        count += all_free ? count_slider(position, us, t->line_chariot, from)
                          : bb_count(attack_chariot(position, from) & allowed);
    }
    for (Bitboard set = ours & position->by_type[CANNON]; set;) {
        const int from = bb_pop(&set);
        count += all_free ? count_slider(position, us, t->line_cannon, from)
                          : bb_count(attack_cannon(position, from) & allowed);
    }
    // The code above used the targets exposure.free for all pieces. Correct `count` for the pieces
    // in exposure.bound, such as pinned pieces, because they have other targets.
    for (Bitboard bound = exposure.bound; bound;) {
        const int from = bb_pop(&bound);
        const Bitboard reach = position_reach(position, from) & ~ours;
        count +=
            bb_count(reach & exposure_targets(&exposure, from)) - bb_count(reach & exposure.free);
    }
    const Bitboard steps = t->general[position->general[us]] & ~ours;
    return count + bb_count(general_safe(position, us, steps));
}

// A constant value of `us` in each call lets the compiler specialise the code for this side.
int position_count_moves(const Position *position) {
    return position->stm == RED ? count_moves(position, RED, NOT_COUNTED)
                                : count_moves(position, BLACK, NOT_COUNTED);
}

// Counts the opponent's legal replies to the moves of one piece of side `us` from `from` to
// `targets`. Makes and unmakes these moves on `board`. `leapers` and `blocks` are the results of
// count_leapers() and leaper_blocks() for the opponent before the moves. `leapers` stays valid
// after a quiet move if neither its origin nor its target is in `blocks`.
ALWAYS_INLINE uint64_t count_replies(Position *board, Side us, int from, Bitboard targets,
                                     int leapers, Bitboard blocks) {
    const Piece piece = board->board[from];
    const int general = board->general[us];
    uint64_t count = 0;
    if (blocks & bb_square(from)) blocks = ALL_POINTS;
    blocks |= board->by_side[side_other(us)];
    position_toggle(board, piece, from);
    while (targets) {
        const int to = bb_pop(&targets);
        const Piece captured = board->board[to];
        if (captured != PIECE_NONE) position_toggle(board, captured, to);
        position_toggle(board, piece, to);
        if (from == general) board->general[us] = (uint8_t)to;
        const bool same = !(blocks & bb_square(to));
        count += (unsigned)count_moves(board, side_other(us), same ? leapers : NOT_COUNTED);
        position_toggle(board, piece, to);
        if (captured != PIECE_NONE) position_toggle(board, captured, to);
    }
    position_toggle(board, piece, from);
    board->general[us] = (uint8_t)general;
    return count;
}

// Counts the pairs of a legal move of side `us`, which is to move, and a legal reply to it.
ALWAYS_INLINE uint64_t count_pairs(const Position *position, Side us) {
    const Side them = side_other(us);
    const int leapers = count_leapers(position, them, ALL_POINTS & ~position->by_side[them]);
    const Bitboard blocks = leaper_blocks(position, them);
    Position board = *position;
    Exposure exposure;
    uint64_t count = 0;
    position_exposure(position, &exposure);
    board.stm = (uint8_t)them;
    for (Bitboard pieces = position->by_side[us]; pieces;) {
        const int from = bb_pop(&pieces);
        Bitboard targets = position_reach(position, from) & ~position->by_side[us];
        targets = from == position->general[us] ? position_general_safe(position, targets)
                                                : targets & exposure_targets(&exposure, from);
        if (targets) count += count_replies(&board, us, from, targets, leapers, blocks);
    }
    return count;
}

uint64_t position_count_pairs(const Position *position) {
    return position->stm == RED ? count_pairs(position, RED) : count_pairs(position, BLACK);
}

// ---- tests of legality -----------------------------------------------------------------------

// Tests the moves piece by piece and stops at the first legal move. The first piece nearly always
// has one.
bool position_no_legal_move(const Position *position) {
    const Bitboard ours = position->by_side[position->stm];
    const int general = position->general[position->stm];
    Exposure exposure;
    position_exposure(position, &exposure);
    for (Bitboard pieces = ours & ~bb_square(general); pieces;) {
        const int from = bb_pop(&pieces);
        if (position_reach(position, from) & ~ours & exposure_targets(&exposure, from)) {
            return false;
        }
    }
    return !position_general_safe(position, attack_tables.general[general] & ~ours);
}

bool position_is_pseudo_legal(const Position *position, Move move) {
    const int from = move_from(move), to = move_to(move);
    if (from >= SQUARE_COUNT || to >= SQUARE_COUNT) return false;
    const Piece piece = position->board[from];
    if (piece == PIECE_NONE || piece_side(piece) != (Side)position->stm) return false;
    const Bitboard allowed = ~position->by_side[position->stm];
    return (position_reach(position, from) & allowed & bb_square(to)) != 0;
}

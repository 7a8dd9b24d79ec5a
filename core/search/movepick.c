// SPDX-License-Identifier: GPL-3.0-or-later
// Staged move ordering: transposition table move; captures that do not lose material; killers and
// countermove; quiet moves by history; captures that lose material and moves that were postponed by
// picker_postpone().
#include "core/search/search_internal.h"
#include "core/search/see.h"

static Move countermove(const Search *search, int ply) {
    const SearchPly *here = &search->stack[ply];
    if (ply == 0 || here[-1].move == MOVE_NONE) return MOVE_NONE;
    const int to = move_to(here[-1].move);
    return search->history.countermove[here->position.board[to]][to];
}

void picker_init(MovePicker *picker, const Search *search, int ply, Move tt_move,
                 bool captures_only) {
    const SearchPly *here = &search->stack[ply];
    const Position *position = &here->position;
    picker->search = search;
    picker->here = here;
    picker->position = position;
    picker->captures_only = captures_only;
    picker->checks_only = false;
    picker->stage = PICK_TT;
    picker->ply = ply;
    picker->depth = 0;
    picker->bad_count = picker->bad_at = picker->special_at = 0;
    picker->special[0] = here->killers[0];
    picker->special[1] = here->killers[1];
    picker->special[2] = countermove(search, ply);
    const bool usable = tt_move != MOVE_NONE && position_is_pseudo_legal(position, tt_move) &&
                        (!captures_only || position_is_capture(position, tt_move));
    picker->tt_move = usable ? tt_move : MOVE_NONE;
}

// SCORE_SHIFT is added to every score to make it positive. PICKED is the score of moves that
// pick_best() or pick_check() returned before.
enum { PICKED = -1, SCORE_SHIFT = 32 * HISTORY_LIMIT };

// Packs a score and the index of its move into one number, whose maximum is the best move. Of moves
// with equal scores, the first one has the larger number.
static int with_index(int score, int index) {
    return (score + SCORE_SHIFT) * MAX_MOVES + MAX_MOVES - 1 - index;
}

enum { CAPTURE_VICTIM_WEIGHT = 64, CHECK_LOSS = 50 };

// Lists the captures. The score of a capture is the weighted value of the captured piece plus the
// capture history of the move. In check only legal moves are listed, since they are few.
static void list_captures(MovePicker *picker) {
    const Position *position = picker->position;
    if (picker->here->exposure.in_check) {
        position_legal_captures(position, &picker->here->exposure, &picker->list);
    } else {
        position_captures(position, &picker->list);
    }
    for (int i = 0; i < picker->list.count; i++) {
        const Move move = picker->list.moves[i];
        const int victim = see_piece_value(position, move_to(move)) * CAPTURE_VICTIM_WEIGHT;
        picker->scores[i] =
            with_index(victim + history_capture(&picker->search->history, position, move), i);
    }
}

// Returns the hanging chariots, cannons and horses of the side to move. A piece hangs if it is
// attacked and not defended, or attacked by a less valuable piece. Here cannon and horse have the
// same value, and the general is less valuable than the listed pieces.
static Bitboard hanging_pieces(const Position *position) {
    const Side us = (Side)position->stm, them = side_other(us);
    const Bitboard occupied = position_occupied(position);
    const Bitboard lines = position->by_type[CHARIOT] | position->by_type[CANNON];
    Bitboard rest = position->by_side[us] & (lines | position->by_type[HORSE]), hanging = 0;
    while (rest) {
        const int square = bb_pop(&rest);
        const Bitboard attackers = position_attackers(position, square, them, occupied);
        if (!attackers) continue;
        const bool chariot = piece_type(position->board[square]) == CHARIOT;
        const Bitboard dear =
            chariot ? position->by_type[CHARIOT] : lines | position->by_type[HORSE];
        if ((attackers & ~dear) || !position_attackers(position, square, us, occupied)) {
            hanging |= bb_square(square);
        }
    }
    return hanging;
}

// Lists the quiet moves and scores them by history. Direct checks that lose at most CHECK_LOSS
// units get a bonus. From depth escape_depth on, moves that save a hanging piece without losing
// material also get one.
static void list_quiets(MovePicker *picker) {
    const SearchPly *here = picker->here;
    const Search *search = picker->search;
    const SearchParams *p = &search->params;
    const Position *position = picker->position;
    const Bitboard check_points = see_check_points(position);
    const Bitboard hanging = picker->depth >= p->escape_depth ? hanging_pieces(position) : 0;
    if (here->exposure.in_check) {
        position_legal_quiets(position, &here->exposure, &picker->list);
    } else {
        position_quiets(position, &picker->list);
    }
    for (int i = 0; i < picker->list.count; i++) {
        const Move move = picker->list.moves[i];
        const int to = move_to(move);
        const Piece piece = position->board[move_from(move)];
        int score = history_quiet(&search->history, here->continuations, piece, to);
        if (((uint64_t)(check_points >> to) & 1) && see_direct_check(position, move) &&
            see_at_least(position, move, -CHECK_LOSS)) {
            score += p->check_bonus;
        }
        if ((hanging & bb_square(move_from(move))) && see_at_least(position, move, 0)) {
            score += p->escape_bonus;
        }
        if (picker->ply < LOW_PLY_COUNT) {
            score += p->low_ply_history_weight * search->low_ply_history[picker->ply][piece][to] /
                     (1 + picker->ply);
        }
        picker->scores[i] = with_index(score, i);
    }
}

// Returns the remaining move with the highest score, or MOVE_NONE if no move remains.
static Move pick_best(MovePicker *picker) {
    const int count = picker->list.count;
    int best = PICKED;
    for (int i = 0; i < count; i++) best = picker->scores[i] > best ? picker->scores[i] : best;
    if (best == PICKED) return MOVE_NONE;
    const int at = MAX_MOVES - 1 - best % MAX_MOVES;
    picker->scores[at] = PICKED;
    return picker->list.moves[at];
}

static bool is_killer_or_countermove(const MovePicker *picker, Move move) {
    return move == picker->special[0] || move == picker->special[1] || move == picker->special[2];
}

// Returns the next killer or countermove that is a pseudo-legal quiet move in this position and was
// not returned before, or MOVE_NONE.
static Move next_killer_or_countermove(MovePicker *picker) {
    while (picker->special_at < KILLER_COUNT + 1) {
        const int at = picker->special_at++;
        const Move move = picker->special[at];
        bool repeated = move == picker->tt_move;
        for (int i = 0; i < at; i++) repeated = repeated || picker->special[i] == move;
        if (move != MOVE_NONE && !repeated && !position_is_capture(picker->position, move) &&
            position_is_pseudo_legal(picker->position, move)) {
            return move;
        }
    }
    return MOVE_NONE;
}

static Move next_capture(MovePicker *picker) {
    Move move;
    while ((move = pick_best(picker)) != MOVE_NONE) {
        if (move == picker->tt_move) continue;
        if (see_at_least(picker->position, move, 0)) return move;
        picker->bad[picker->bad_count++] = move;
    }
    return MOVE_NONE;
}

// Returns the first remaining quiet move that gives direct check, or MOVE_NONE.
static Move pick_check(MovePicker *picker) {
    const Bitboard check_points = see_check_points(picker->position);
    for (int i = 0; i < picker->list.count; i++) {
        const Move move = picker->list.moves[i];
        if (!((uint64_t)(check_points >> move_to(move)) & 1) || picker->scores[i] == PICKED ||
            !see_direct_check(picker->position, move)) {
            continue;
        }
        picker->scores[i] = PICKED;
        return move;
    }
    return MOVE_NONE;
}

static Move next_quiet(MovePicker *picker) {
    Move move;
    while ((move = picker->checks_only ? pick_check(picker) : pick_best(picker)) != MOVE_NONE) {
        if (move != picker->tt_move && !is_killer_or_countermove(picker, move)) return move;
    }
    return MOVE_NONE;
}

bool picker_postpone(MovePicker *picker, Move move) {
    if (picker->stage == PICK_BAD_CAPTURES) return false;
    picker->bad[picker->bad_count++] = move;
    return true;
}

Move picker_next(MovePicker *picker) {
    Move move;
    switch (picker->stage) {
    case PICK_TT:
        picker->stage = PICK_CAPTURES_INIT;
        if (picker->tt_move != MOVE_NONE) return picker->tt_move;
        // fall through
    case PICK_CAPTURES_INIT:
        list_captures(picker);
        picker->stage = PICK_CAPTURES;
        // fall through
    case PICK_CAPTURES:
        move = next_capture(picker);
        if (move != MOVE_NONE) return move;
        picker->stage = picker->captures_only ? PICK_DONE : PICK_KILLERS;
        if (picker->captures_only) return MOVE_NONE;
        // fall through
    case PICK_KILLERS:
        move = next_killer_or_countermove(picker);
        if (move != MOVE_NONE) return move;
        // fall through
    case PICK_QUIETS_INIT:
        list_quiets(picker);
        picker->stage = PICK_QUIETS;
        // fall through
    case PICK_QUIETS:
        move = next_quiet(picker);
        if (move != MOVE_NONE) return move;
        picker->stage = PICK_BAD_CAPTURES;
        // fall through
    case PICK_BAD_CAPTURES:
        if (picker->bad_at < picker->bad_count) return picker->bad[picker->bad_at++];
        picker->stage = PICK_DONE;
        // fall through
    case PICK_DONE:
        break;
    }
    return MOVE_NONE;
}

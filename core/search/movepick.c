// SPDX-License-Identifier: GPL-3.0-or-later
// Staged move ordering: table move, winning captures, killers, quiet moves by history, losing
// captures.
#include "core/search/search_internal.h"
#include "core/search/see.h"

static Move counter_move(const Search *search, int ply) {
    const SearchPly *here = &search->stack[ply];
    if (ply == 0 || here[-1].move == MOVE_NONE) return MOVE_NONE;
    const int to = move_to(here[-1].move);
    return search->history.counter[here->position.board[to]][to];
}

void picker_init(MovePicker *picker, const Search *search, int ply, Move tt_move,
                 bool captures_only) {
    const SearchPly *here = &search->stack[ply];
    const Position *position = &here->position;
    picker->search = search;
    picker->here = here;
    picker->position = position;
    picker->captures_only = captures_only;
    picker->stage = PICK_TT;
    picker->bad_count = picker->bad_at = picker->special_at = 0;
    picker->special[0] = here->killers[0];
    picker->special[1] = here->killers[1];
    picker->special[2] = counter_move(search, ply);
    const bool usable = tt_move != MOVE_NONE && position_is_pseudo_legal(position, tt_move) &&
                        (!captures_only || position_is_capture(position, tt_move));
    picker->tt_move = usable ? tt_move : MOVE_NONE;
}

enum { CAPTURE_VICTIM_WEIGHT = 64, CHECK_LOSS = 50 };

static void score_captures(MovePicker *picker) {
    const Position *position = picker->position;
    for (int i = 0; i < picker->list.count; i++) {
        const Move move = picker->list.moves[i];
        picker->scores[i] = see_piece_value(position, move_to(move)) * CAPTURE_VICTIM_WEIGHT +
                            history_capture(&picker->search->history, position, move);
    }
}

static void score_quiets(MovePicker *picker) {
    const SearchPly *here = picker->here;
    const Position *position = picker->position;
    const Bitboard check_points = see_check_points(position);
    for (int i = 0; i < picker->list.count; i++) {
        const Move move = picker->list.moves[i];
        const int to = move_to(move);
        int score = history_quiet(&picker->search->history, here->back,
                                  position->board[move_from(move)], to);
        if (((uint64_t)(check_points >> to) & 1) && see_direct_check(position, move) &&
            see_at_least(position, move, -CHECK_LOSS)) {
            score += picker->search->params.check_bonus;
        }
        picker->scores[i] = score;
    }
}

// Moves the best of the rest to the front and returns it.
static Move pick_best(MovePicker *picker) {
    MoveList *list = &picker->list;
    int best = picker->at;
    for (int i = picker->at + 1; i < list->count; i++) {
        if (picker->scores[i] > picker->scores[best]) best = i;
    }
    const Move move = list->moves[best];
    list->moves[best] = list->moves[picker->at];
    picker->scores[best] = picker->scores[picker->at];
    list->moves[picker->at] = move;
    picker->at++;
    return move;
}

static bool is_special(const MovePicker *picker, Move move) {
    return move == picker->special[0] || move == picker->special[1] || move == picker->special[2];
}

// The next killer or counter move that is a quiet move of this position and was not given before.
static Move next_special(MovePicker *picker) {
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
    while (picker->at < picker->list.count) {
        const Move move = pick_best(picker);
        if (move == picker->tt_move) continue;
        if (see_at_least(picker->position, move, 0)) return move;
        picker->bad[picker->bad_count++] = move;
    }
    return MOVE_NONE;
}

static Move next_quiet(MovePicker *picker) {
    while (picker->at < picker->list.count) {
        const Move move = pick_best(picker);
        if (move != picker->tt_move && !is_special(picker, move)) return move;
    }
    return MOVE_NONE;
}

Move picker_next(MovePicker *picker) {
    Move move;
    switch (picker->stage) {
    case PICK_TT:
        picker->stage = PICK_CAPTURES_INIT;
        if (picker->tt_move != MOVE_NONE) return picker->tt_move;
        // fall through
    case PICK_CAPTURES_INIT:
        position_captures(picker->position, &picker->list);
        score_captures(picker);
        picker->at = 0;
        picker->stage = PICK_CAPTURES;
        // fall through
    case PICK_CAPTURES:
        move = next_capture(picker);
        if (move != MOVE_NONE) return move;
        picker->stage = picker->captures_only ? PICK_DONE : PICK_KILLERS;
        if (picker->captures_only) return MOVE_NONE;
        // fall through
    case PICK_KILLERS:
        move = next_special(picker);
        if (move != MOVE_NONE) return move;
        // fall through
    case PICK_QUIETS_INIT:
        position_quiets(picker->position, &picker->list);
        score_quiets(picker);
        picker->at = 0;
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/history.h"

#include <stdlib.h>

int history_bonus(const SearchParams *params, int depth) {
    const int bonus = depth * params->history_slope;
    return bonus < params->history_max ? bonus : params->history_max;
}

void history_add(int16_t *entry, int bonus) {
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / HISTORY_LIMIT);
}

void history_add_answer(const HistoryBack back, PieceType type, int to, int bonus) {
    history_add(&(*back[0])[type][to], bonus);
    history_add(&(*back[1])[type][to], bonus);
    history_add(&(*back[3])[type][to], bonus);
}

void history_add_quiet(History *history, const HistoryBack back, Piece piece, int to, int bonus) {
    history_add(&history->quiet[piece][to], bonus);
    history_add_answer(back, piece_type(piece), to, bonus);
}

void history_add_capture(History *history, const Position *position, Move move, int bonus) {
    const Piece *board = position->board;
    const int from = move_from(move), to = move_to(move);
    history_add(&history->capture[board[from]][to][piece_type(board[to])], bonus);
}

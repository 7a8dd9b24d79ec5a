// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/game.h"

#include <assert.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/text.h"

void game_init(Game *game, const Position *start) {
    *game = (Game){0};
    game->now = *start;
}

void game_reset(Game *game, const Position *start) {
    game->now = *start;
    game->count = 0;
}

void game_clear(Game *game) {
    free(game->plies);
    *game = (Game){0};
}

void game_do_move(const Position *before, Move move, Position *after) {
    position_do_move(before, move, after);
    if (after->halfmove == 0 && before->board[move_to(move)] == PIECE_NONE) {
        after->halfmove = UINT16_MAX;
    }
    if (after->fullmove < before->fullmove) after->fullmove = UINT16_MAX;
}

void game_push(Game *game, Move move) {
    game->plies = memory_room(game->plies, &game->capacity, game->count + 1, sizeof *game->plies);
    GamePly *ply = &game->plies[game->count++];
    ply->before = game->now;
    ply->move = move;
    ply->captured = game->now.board[move_to(move)];
    game_do_move(&ply->before, move, &game->now);
    ply->gives_check = position_in_check(&game->now);
}

void game_pop(Game *game) {
    assert(game->count > 0);
    game->now = game->plies[--game->count].before;
}

const Position *game_position(const Game *game, size_t ply) {
    return ply < game->count ? &game->plies[ply].before : &game->now;
}

const Position *game_start(const Game *game) {
    return game_position(game, 0);
}

Status game_push_text(Game *game, const char *moves, int first_rank, Err *err) {
    const char *word;
    size_t length;
    while (text_next_word(&moves, &word, &length)) {
        Move move;
        if (move_parse_legal(&game->now, word, length, first_rank, &move, err) != STATUS_OK) {
            return err_prefix(err, "ply %zu", game->count + 1);
        }
        game_push(game, move);
    }
    return STATUS_OK;
}

Status game_read_record(Game *game, char *line, size_t length, Err *err) {
    if (memchr(line, '\0', length)) {
        return err_set(err, STATUS_BAD_INPUT, "the line contains a zero byte: it is not text");
    }
    char *cursor = line, *moves = NULL;
    const char *fen = NULL;
    if (fen_split_moves(line, &fen, &moves)) {
        cursor = NULL;
    } else {
        fen = text_next_field(&cursor, '\t');
        moves = text_next_field(&cursor, '\t');
    }
    const char *rest = text_next_field(&cursor, '\t');
    if (rest) {
        return err_set(
            err, STATUS_BAD_INPUT,
            "a record has two fields, FEN and moves, but this line has a third field: '%.60s'",
            rest);
    }
    Position start;
    TRY(position_from_fen(&start, fen ? fen : "", err));
    game_reset(game, &start);
    return moves ? game_push_text(game, moves, 0, err) : STATUS_OK;
}

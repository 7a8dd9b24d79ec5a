// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/shard_rows.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"

void shard_rows_clear(ShardRows *rows) {
    free(rows->games);
    free(rows->plies);
    free(rows->positions);
    *rows = (ShardRows){0};
}

// ---- positions and moves -----------------------------------------------------------------------

// First slot of each kind of a side, and of the next kind.
static const uint8_t slot_first[PIECE_TYPE_COUNT + 1] = {0, 0, 1, 3, 5, 7, 9, 11, 16};
enum { SLOTS_PER_SIDE = 16 };

void squares_from_position(const Position *position, uint8_t squares[SLOT_COUNT]) {
    memset(squares, SLOT_EMPTY, SLOT_COUNT);
    for (int side = RED; side <= BLACK; side++) {
        for (int type = GENERAL; type <= SOLDIER; type++) {
            Bitboard pieces = position_pieces(position, (Side)side, (PieceType)type);
            uint8_t *slot = squares + side * SLOTS_PER_SIDE + slot_first[type];
            while (pieces) *slot++ = (uint8_t)bb_pop(&pieces);
        }
    }
}

static const Piece slot_pieces[SLOT_COUNT] = {
#define SIDE_PIECES(side)                                                                          \
    GENERAL + 8 * (side), ADVISOR + 8 * (side), ADVISOR + 8 * (side), ELEPHANT + 8 * (side),       \
        ELEPHANT + 8 * (side), HORSE + 8 * (side), HORSE + 8 * (side), CHARIOT + 8 * (side),       \
        CHARIOT + 8 * (side), CANNON + 8 * (side), CANNON + 8 * (side), SOLDIER + 8 * (side),      \
        SOLDIER + 8 * (side), SOLDIER + 8 * (side), SOLDIER + 8 * (side), SOLDIER + 8 * (side)
    SIDE_PIECES(RED), SIDE_PIECES(BLACK)};
#undef SIDE_PIECES

Status squares_to_position(const uint8_t squares[SLOT_COUNT], Side stm, unsigned halfmove,
                           unsigned fullmove, Position *position, Err *err) {
    Piece pieces[SLOT_COUNT];
    uint8_t on[SLOT_COUNT];
    int count = 0;
    for (int slot = 0; slot < SLOT_COUNT; slot++) {
        // Squares of a kind ascend, with the absent ones at the end.
        const bool follows = slot > 0 && slot_pieces[slot] == slot_pieces[slot - 1];
        if (follows && squares[slot] <= squares[slot - 1] && squares[slot] != SLOT_EMPTY) {
            return err_set(err, STATUS_CORRUPT, "squares: slot %d cannot hold %d", slot,
                           squares[slot]);
        }
        pieces[count] = slot_pieces[slot];
        on[count] = squares[slot];
        count += squares[slot] != SLOT_EMPTY;
    }
    const Status status =
        position_from_pieces(position, pieces, on, count, stm, halfmove, fullmove, err);
    if (status == STATUS_OK) return STATUS_OK;
    if (err) err->status = STATUS_CORRUPT;
    err_prefix(err, "squares");
    return STATUS_CORRUPT;
}

uint64_t squares_key(const uint8_t squares[SLOT_COUNT], uint8_t stm) {
    uint64_t key = random_mix(stm);
    for (int i = 0; i < SLOT_COUNT; i += 8) {
        uint64_t word = 0;
        for (int k = 0; k < 8; k++) word |= (uint64_t)squares[i + k] << (8 * k);
        key = random_mix(key ^ word);
    }
    return key;
}

uint16_t move_to_stored(Move move) {
    const unsigned from = (unsigned)move_from(move), to = (unsigned)move_to(move);
    return (uint16_t)(from | ((to - from) & 255) << 8);
}

Move move_from_stored(uint16_t stored) {
    const int from = stored & 255, to = (from + (stored >> 8)) & 255;
    if (from >= SQUARE_COUNT || to >= SQUARE_COUNT || from == to) return MOVE_NONE;
    return move_make(from, to);
}

// ---- games to rows -----------------------------------------------------------------------------

static void game_to_row(const GameRecord *game, GameRow *row) {
    *row = (GameRow){
        .index = game->index,
        .start_stm = game->start.stm,
        .start_halfmove = game->start.halfmove,
        .start_fullmove = game->start.fullmove,
        .ply_count = game->ply_count,
        .extra_plies = game->extra_plies,
        .opening_plies = game->opening_plies,
        .result = game->result,
        .reason = game->reason,
        .end_ply = game->end_ply,
        .end_reason = game->end_reason,
        .adjudicated_ply = game->adjudicated_ply,
        .adjudicated_result = game->adjudicated_result,
        .red_player = game->red_player,
        .black_player = game->black_player,
    };
    squares_from_position(&game->start, row->start_squares);
    memcpy(row->odds, game->odds, strnlen(game->odds, sizeof row->odds));
}

static PlyRow ply_to_row(const PlyRecord *ply, Side side) {
    return (PlyRow){
        .move = move_to_stored(ply->move),
        .side = (uint8_t)side,
        .score_red = ply->score_red,
        .mate_red = ply->mate_red,
        .depth = ply->depth,
        .nodes = ply->nodes,
        .best = ply->best == MOVE_NONE ? 0 : move_to_stored(ply->best),
        .sampled = ply->sampled,
    };
}

PositionRow position_row_derive(const GameRow *game, const PlyRow *played, const GameWalk *walk) {
    PositionRow row = {
        .game = game->index,
        .ply = (uint16_t)walk->ply,
        .stm = walk->position.stm,
        .move = played->move,
        .score_red = played->score_red,
        .mate_red = played->mate_red,
        .result = game->result,
    };
    squares_from_position(&walk->position, row.squares);
    return row;
}

// Converts a game's plies and derives its sampled positions; rows has room for both.
static Status add_game(ShardRows *rows, const GameRecord *game, const PlyRecord *plies, Err *err) {
    const unsigned long long index = game->index;
    if (game->ply_count > UINT16_MAX) {
        return err_set(err, STATUS_BAD_INPUT, "game %llu: %u plies are too many", index,
                       game->ply_count);
    }
    GameRow *row = &rows->games[rows->game_count++];
    game_to_row(game, row);
    GameWalk walk;
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        PlyRow *ply = &rows->plies[rows->ply_count++];
        *ply = ply_to_row(&plies[i], (Side)walk.position.stm);
        if (plies[i].sampled) {
            rows->positions[rows->position_count++] = position_row_derive(row, ply, &walk);
        }
        if (!game_walk_step(&walk, game, plies[i].move)) {
            return err_set(err, STATUS_BAD_INPUT, "game %llu, ply %u: the move cannot be played",
                           index, i + 1);
        }
    }
    return STATUS_OK;
}

Status shard_rows_from_batch(const GameBatch *batch, ShardRows *rows, Err *err) {
    size_t sampled = 0;
    for (size_t i = 0; i < batch->ply_count; i++) sampled += batch->plies[i].sampled;
    *rows = (ShardRows){
        .games = memory_alloc(batch->count, sizeof(GameRow)),
        .plies = memory_alloc(batch->ply_count, sizeof(PlyRow)),
        .positions = memory_alloc(sampled, sizeof(PositionRow)),
    };
    Status status = STATUS_OK;
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++) {
        const GameRecord *game = &batch->games[i];
        if (i > 0 && game->index <= game[-1].index) {
            status = err_set(err, STATUS_BAD_INPUT, "game %llu comes after game %llu",
                             (unsigned long long)game->index, (unsigned long long)game[-1].index);
            break;
        }
        status = add_game(rows, game, batch->plies + game->first_ply, err);
    }
    if (status != STATUS_OK) shard_rows_clear(rows);
    return status;
}

// ---- rows to games -----------------------------------------------------------------------------

PlyRecord ply_row_to_record(const PlyRow *row) {
    return (PlyRecord){
        .move = move_from_stored(row->move),
        .score_red = row->score_red,
        .mate_red = row->mate_red,
        .depth = row->depth,
        .nodes = row->nodes,
        .best = row->best == 0 ? MOVE_NONE : move_from_stored(row->best),
        .sampled = row->sampled != 0,
    };
}

Status game_row_to_record(const GameRow *row, GameRecord *game, Err *err) {
    *game = (GameRecord){
        .index = row->index,
        .ply_count = row->ply_count,
        .extra_plies = row->extra_plies,
        .opening_plies = row->opening_plies,
        .result = row->result,
        .reason = row->reason,
        .end_ply = row->end_ply,
        .end_reason = row->end_reason,
        .adjudicated_ply = row->adjudicated_ply,
        .adjudicated_result = row->adjudicated_result,
        .red_player = row->red_player,
        .black_player = row->black_player,
    };
    memcpy(game->odds, row->odds, sizeof game->odds);
    game->odds[sizeof game->odds - 1] = '\0';
    Status status = STATUS_OK;
    if (row->reason >= END_REASON_COUNT || row->end_reason >= END_REASON_COUNT ||
        row->result < -1 || row->result > 1 || row->start_stm > BLACK) {
        status = err_set(err, STATUS_CORRUPT,
                         "result %d, reason %d, end_reason %d or side %d out of range", row->result,
                         row->reason, row->end_reason, row->start_stm);
    } else {
        status = squares_to_position(row->start_squares, (Side)row->start_stm, row->start_halfmove,
                                     row->start_fullmove, &game->start, err);
    }
    if (status != STATUS_OK) err_prefix(err, "game %llu", (unsigned long long)row->index);
    return status;
}

Status shard_rows_to_batch(const ShardRows *rows, GameBatch *batch, Err *err) {
    size_t most = 0;
    for (size_t i = 0; i < rows->game_count; i++) {
        if (rows->games[i].ply_count > most) most = rows->games[i].ply_count;
    }
    PlyRecord *plies = memory_alloc(most, sizeof *plies);
    const PlyRow *row = rows->plies;
    Status status = STATUS_OK;
    for (size_t i = 0; i < rows->game_count; i++) {
        GameRecord game;
        status = game_row_to_record(&rows->games[i], &game, err);
        if (status != STATUS_OK) break;
        for (uint32_t ply = 0; ply < game.ply_count; ply++) plies[ply] = ply_row_to_record(row++);
        game_batch_append(batch, &game, plies);
    }
    free(plies);
    return status;
}

Status position_row_to_record(const PositionRow *row, PositionRecord *record, Err *err) {
    *record = (PositionRecord){
        .game = row->game,
        .ply = row->ply,
        .move = move_from_stored(row->move),
        .score_red = row->score_red,
        .mate_red = row->mate_red,
        .result = row->result,
    };
    Status status = STATUS_OK;
    if (row->stm > BLACK || row->result < -1 || row->result > 1) {
        status = err_set(err, STATUS_CORRUPT, "side %d or result %d out of range", row->stm,
                         row->result);
    } else {
        status = squares_to_position(row->squares, (Side)row->stm, 0, 1, &record->position, err);
    }
    if (status != STATUS_OK) {
        err_prefix(err, "position of game %llu, ply %u", (unsigned long long)row->game, row->ply);
    }
    return status;
}

// ---- slices ------------------------------------------------------------------------------------

Status shard_rows_slices(const ShardRows *rows, GameSlice **slices, Err *err) {
    GameSlice *cut = memory_alloc(rows->game_count, sizeof *cut);
    size_t ply = 0, position = 0;
    Status status = STATUS_OK;
    for (size_t i = 0; i < rows->game_count; i++) {
        const GameRow *game = &rows->games[i];
        if (game->ply_count > rows->ply_count - ply) {
            status =
                err_set(err, STATUS_CORRUPT, "game %llu has %u plies, only %zu are left",
                        (unsigned long long)game->index, game->ply_count, rows->ply_count - ply);
            break;
        }
        cut[i] = (GameSlice){game, rows->plies + ply, rows->positions + position, position};
        ply += game->ply_count;
        while (position < rows->position_count && rows->positions[position].game == game->index) {
            position++;
        }
        cut[i].position_count = position - cut[i].position_count;
    }
    if (status == STATUS_OK && ply < rows->ply_count) {
        status = err_set(err, STATUS_CORRUPT, "%zu plies belong to no game", rows->ply_count - ply);
    }
    if (status == STATUS_OK && position < rows->position_count) {
        status = err_set(err, STATUS_CORRUPT, "a position belongs to game %llu, which is not there",
                         (unsigned long long)rows->positions[position].game);
    }
    if (status != STATUS_OK) {
        free(cut);
        return status;
    }
    *slices = cut;
    return STATUS_OK;
}

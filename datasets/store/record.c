// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/record.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"

_Static_assert((int)COLUMN_NAME_SIZE == (int)ODDS_NAME_SIZE,
               "the column must have the size of a name of odds");

// ---- batches -----------------------------------------------------------------------------------

void game_batch_append(GameBatch *batch, const GameRecord *game, const PlyRecord *plies,
                       const TagRecord *tags) {
    batch->games =
        memory_room(batch->games, &batch->capacity, batch->count + 1, sizeof *batch->games);
    const size_t needed = batch->ply_count + game->ply_count;
    batch->plies = memory_room(batch->plies, &batch->ply_capacity, needed, sizeof *batch->plies);
    GameRecord *added = &batch->games[batch->count++];
    *added = *game;
    added->first_ply = batch->ply_count;
    if (game->ply_count) {
        memcpy(batch->plies + batch->ply_count, plies, game->ply_count * sizeof *plies);
    }
    batch->ply_count = needed;
    if (!tags) added->tag_count = 0;
    added->first_tag = batch->tag_count;
    batch->tag_count += added->tag_count;
    if (added->tag_count == 0) return;
    batch->tags =
        memory_room(batch->tags, &batch->tag_capacity, batch->tag_count, sizeof *batch->tags);
    memcpy(batch->tags + added->first_tag, tags, added->tag_count * sizeof *tags);
}

const TagRecord *game_batch_tags(const GameBatch *batch, const GameRecord *game) {
    return game->tag_count ? batch->tags + game->first_tag : NULL;
}

void game_batch_reset(GameBatch *batch) {
    batch->count = batch->ply_count = batch->position_count = batch->tag_count = 0;
}

void game_batch_clear(GameBatch *batch) {
    free(batch->games);
    free(batch->plies);
    free(batch->positions);
    free(batch->tags);
    *batch = (GameBatch){0};
}

void *game_batch_rows(const GameBatch *batch, GroupId id, size_t *count) {
    switch (id) {
    case GROUP_GAMES:
        *count = batch->count;
        return batch->games;
    case GROUP_PLIES:
        *count = batch->ply_count;
        return batch->plies;
    case GROUP_TAGS:
        *count = batch->tag_count;
        return batch->tags;
    default:
        *count = batch->position_count;
        return batch->positions;
    }
}

// ---- positions ---------------------------------------------------------------------------------

static const Piece slot_pieces[SLOT_COUNT] = {
#define SIDE_PIECES(side)                                                                          \
    GENERAL + 8 * (side), ADVISOR + 8 * (side), ADVISOR + 8 * (side), ELEPHANT + 8 * (side),       \
        ELEPHANT + 8 * (side), HORSE + 8 * (side), HORSE + 8 * (side), CHARIOT + 8 * (side),       \
        CHARIOT + 8 * (side), CANNON + 8 * (side), CANNON + 8 * (side), SOLDIER + 8 * (side),      \
        SOLDIER + 8 * (side), SOLDIER + 8 * (side), SOLDIER + 8 * (side), SOLDIER + 8 * (side)
    SIDE_PIECES(RED), SIDE_PIECES(BLACK)};
#undef SIDE_PIECES

Piece slot_piece(int slot) {
    return slot_pieces[slot];
}

// Returns true if entries number `slot` and `slot` - 1 of a `squares` array are for pieces of the
// same type and side.
static bool slot_follows(int slot) {
    return slot > 0 && slot_pieces[slot] == slot_pieces[slot - 1];
}

void squares_from_position(const Position *position, uint8_t squares[SLOT_COUNT]) {
    Bitboard pieces = 0;
    for (int slot = 0; slot < SLOT_COUNT; slot++) {
        if (!slot_follows(slot)) {
            pieces = position_pieces(position, piece_side(slot_pieces[slot]),
                                     piece_type(slot_pieces[slot]));
        }
        squares[slot] = pieces ? (uint8_t)bb_pop(&pieces) : SLOT_EMPTY;
    }
}

// Converts the 32 squares of a stored position to a Position, with all checks of
// position_from_pieces(). Returns STATUS_CORRUPT if a check fails, or if the squares of one piece
// type do not ascend.
static Status squares_to_position(const uint8_t squares[SLOT_COUNT], Side stm, unsigned halfmove,
                                  unsigned fullmove, Position *position, Err *err) {
    Piece pieces[SLOT_COUNT];
    uint8_t on[SLOT_COUNT];
    int count = 0;
    for (int slot = 0; slot < SLOT_COUNT; slot++) {
        if (slot_follows(slot) && squares[slot] <= squares[slot - 1] &&
            squares[slot] != SLOT_EMPTY) {
            return err_set(
                err, STATUS_CORRUPT,
                "slot %d of squares has the value %d, but the squares of a piece type must ascend",
                slot, squares[slot]);
        }
        pieces[count] = slot_pieces[slot];
        on[count] = squares[slot];
        count += squares[slot] != SLOT_EMPTY;
    }
    if (position_from_pieces(position, pieces, on, count, stm, halfmove, fullmove, err) ==
        STATUS_OK) {
        return STATUS_OK;
    }
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

void game_walk_init(GameWalk *walk, const GameRecord *game) {
    walk->position = game->start;
    walk->ply = 0;
}

bool game_walk_step(GameWalk *walk, const GameRecord *game, Move move) {
    if (!position_is_pseudo_legal(&walk->position, move)) return false;
    Position after;
    game_do_move(&walk->position, move, &after);
    if (walk->ply < game->extra_plies) {
        const uint16_t halfmove = after.halfmove;
        position_do_null(&after, &walk->position);
        walk->position.halfmove = halfmove;
    } else {
        walk->position = after;
    }
    walk->ply++;
    return true;
}

// ---- games for a file --------------------------------------------------------------------------

static bool has_score(const PlyRecord *ply) {
    return ply->score_red != SCORE_UNKNOWN && ply->mate_red == 0;
}

uint64_t plies_spikes(const PlyRecord *plies, uint32_t count) {
    uint64_t spikes = 0;
    for (uint32_t i = 1; i + 1 < count; i++) {
        const PlyRecord *ply = &plies[i];
        if (!ply->sampled || !has_score(ply) || !has_score(ply - 1) || !has_score(ply + 1))
            continue;
        const int before = ply->score_red - ply[-1].score_red;
        const int after = ply->score_red - ply[1].score_red;
        spikes += (before >= SPIKE_UNITS && after >= SPIKE_UNITS) ||
                  (before <= -SPIKE_UNITS && after <= -SPIKE_UNITS);
    }
    return spikes;
}

PositionRecord position_record_make(const GameRecord *game, const PlyRecord *played,
                                    const GameWalk *walk) {
    PositionRecord record = {
        .game = game->index,
        .ply = (uint16_t)walk->ply,
        .stm = walk->position.stm,
        .move = played->move,
        .score_red = played->score_red,
        .mate_red = played->mate_red,
        .result = game->result,
    };
    squares_from_position(&walk->position, record.squares);
    return record;
}

static Status derive_game(GameBatch *batch, GameRecord *game, Err *err) {
    const unsigned long long index = game->index;
    if (game->ply_count > UINT16_MAX) {
        return err_set(err, STATUS_BAD_INPUT,
                       "game %llu has %u plies, but at most 65535 can be stored", index,
                       game->ply_count);
    }
    squares_from_position(&game->start, game->start_squares);
    game->start_stm = game->start.stm;
    game->start_halfmove = game->start.halfmove;
    game->start_fullmove = game->start.fullmove;
    game->first_position = batch->position_count;
    for (size_t i = 0; i < game->tag_count; i++) {
        batch->tags[game->first_tag + i].game = game->index;
    }
    GameWalk walk;
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        PlyRecord *ply = &batch->plies[game->first_ply + i];
        ply->side = walk.position.stm;
        if (ply->sampled) {
            batch->positions[batch->position_count++] = position_record_make(game, ply, &walk);
        }
        if (!game_walk_step(&walk, game, ply->move)) {
            return err_set(err, STATUS_BAD_INPUT, "game %llu, ply %u: the move is illegal", index,
                           i + 1);
        }
    }
    game->position_count = batch->position_count - game->first_position;
    return STATUS_OK;
}

Status game_batch_derive(GameBatch *batch, Err *err) {
    size_t sampled = 0;
    for (size_t i = 0; i < batch->ply_count; i++) sampled += batch->plies[i].sampled != 0;
    free(batch->positions);
    batch->positions = memory_alloc(sampled, sizeof *batch->positions);
    batch->position_count = 0;
    for (size_t i = 0; i < batch->count; i++) {
        GameRecord *game = &batch->games[i];
        if (i > 0 && game->index <= game[-1].index) {
            return err_set(err, STATUS_BAD_INPUT,
                           "game %llu comes after game %llu, but game numbers must ascend",
                           (unsigned long long)game->index, (unsigned long long)game[-1].index);
        }
        TRY(derive_game(batch, game, err));
    }
    return STATUS_OK;
}

// ---- games from a file -------------------------------------------------------------------------

Status game_batch_cut(GameBatch *batch, Err *err) {
    size_t ply = 0, at = 0, tag = 0;
    for (size_t i = 0; i < batch->count; i++) {
        GameRecord *game = &batch->games[i];
        if (game->ply_count > batch->ply_count - ply) {
            return err_set(
                err, STATUS_CORRUPT, "game %llu has %u plies, but /plies has only %zu more rows",
                (unsigned long long)game->index, game->ply_count, batch->ply_count - ply);
        }
        game->first_ply = ply;
        game->first_position = at;
        ply += game->ply_count;
        while (at < batch->position_count && batch->positions[at].game == game->index) at++;
        game->position_count = at - game->first_position;
        game->first_tag = tag;
        while (tag < batch->tag_count && batch->tags[tag].game == game->index) tag++;
        game->tag_count = tag - game->first_tag;
    }
    if (ply < batch->ply_count) {
        return err_set(err, STATUS_CORRUPT, "%zu rows of /plies belong to no game",
                       batch->ply_count - ply);
    }
    if (at < batch->position_count) {
        return err_set(err, STATUS_CORRUPT,
                       "a position belongs to game %llu, but the file has no such game, or the "
                       "positions are not in the order of the games",
                       (unsigned long long)batch->positions[at].game);
    }
    if (tag < batch->tag_count) {
        return err_set(err, STATUS_CORRUPT,
                       "a tag belongs to game %llu, but the file has no such game, or the tags are "
                       "not in the order of the games",
                       (unsigned long long)batch->tags[tag].game);
    }
    return STATUS_OK;
}

bool game_result_is_given(const GameRecord *game) {
    return game->reason == END_IMPORTED ||
           (end_reason_is_fault((EndReason)game->reason) && game->end_reason != game->reason);
}

Status game_record_check(GameRecord *game, Err *err) {
    Status status = STATUS_OK;
    if (game->reason >= END_REASON_COUNT || game->end_reason >= END_REASON_COUNT ||
        game->result < -1 || game->result > RESULT_NONE || game->start_stm > BLACK ||
        (game->result == RESULT_NONE && !game_result_is_given(game))) {
        status =
            err_set(err, STATUS_CORRUPT,
                    "result %d, reason %d, end_reason %d, start_stm %d: one of these values is "
                    "out of range, or the result is 2 (unknown) in a game that was not "
                    "imported",
                    game->result, game->reason, game->end_reason, game->start_stm);
    } else if (memchr(game->odds, '\0', sizeof game->odds) == NULL) {
        status = err_set(err, STATUS_CORRUPT,
                         "the name in the column 'odds' does not end with a zero byte");
    } else {
        status = squares_to_position(game->start_squares, (Side)game->start_stm,
                                     game->start_halfmove, game->start_fullmove, &game->start, err);
    }
    if (status != STATUS_OK) err_prefix(err, "game %llu", (unsigned long long)game->index);
    return status;
}

Status game_batch_check(GameBatch *batch, Err *err) {
    for (size_t i = 0; i < batch->count; i++) TRY(game_record_check(&batch->games[i], err));
    return STATUS_OK;
}

Status position_record_board(const PositionRecord *record, Position *position, Err *err) {
    const bool good = record->stm <= BLACK && record->result >= -1 && record->result <= RESULT_NONE;
    if (!good) {
        err_set(err, STATUS_CORRUPT, "the side %d or the result %d is out of range", record->stm,
                record->result);
    } else if (squares_to_position(record->squares, (Side)record->stm, 0, 1, position, err) ==
               STATUS_OK) {
        return STATUS_OK;
    }
    err_prefix(err, "position of game %llu, ply %u", (unsigned long long)record->game, record->ply);
    return STATUS_CORRUPT;
}

// ---- content hash ------------------------------------------------------------------------------

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are hashed little-endian");

// Adds the values of records to a hash, in the byte form that they have in the file.
static void add_records(Sha256 *hash, GroupId id, const void *records, size_t count) {
    const ColumnGroup *group = column_group(id);
    const char *record = records;
    uint8_t bytes[4096], *at = bytes;
    for (size_t i = 0; i < count; i++, record += group->row_size) {
        if ((size_t)(bytes + sizeof bytes - at) < group->row_size) {
            sha256_add(hash, bytes, (size_t)(at - bytes));
            at = bytes;
        }
        for (size_t k = 0; k < group->column_count; k++) {
            const Column *column = &group->columns[k];
            const char *value = record + column->offset;
            if (column_may_lack(column)) continue;
            const uint16_t move = column->type == COLUMN_MOVE
                                      ? move_to_stored(*(const Move *)(const void *)value)
                                      : 0;
            memcpy(at, column->type == COLUMN_MOVE ? (const char *)&move : value, column->size);
            at += column->size;
        }
    }
    sha256_add(hash, bytes, (size_t)(at - bytes));
}

void content_digest(const GameBatch *batch, const GameRecord *game, uint8_t digest[SHA256_BYTES]) {
    Sha256 hash;
    sha256_init(&hash);
    add_records(&hash, GROUP_GAMES, game, 1);
    if (game->ply_count) {
        add_records(&hash, GROUP_PLIES, batch->plies + game->first_ply, game->ply_count);
    }
    if (game->position_count) {
        add_records(&hash, GROUP_POSITIONS, batch->positions + game->first_position,
                    game->position_count);
    }
    sha256_finish(&hash, digest);
}

void content_hash_batch(const GameBatch *batch, char hex[SHA256_HEX_SIZE]) {
    Sha256 outer;
    uint8_t digest[SHA256_BYTES];
    sha256_init(&outer);
    for (size_t i = 0; i < batch->count; i++) {
        content_digest(batch, &batch->games[i], digest);
        sha256_add(&outer, digest, sizeof digest);
    }
    sha256_finish_hex(&outer, hex);
}

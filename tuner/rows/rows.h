// SPDX-License-Identifier: GPL-3.0-or-later
// Sparse rows: what the evaluation says about each position, as coefficients of its weights.
//
// A row holds, for one position, the indices of the terms whose coefficient (Red's count minus
// Black's) is +1, the indices whose coefficient is -1, and the rest as (index, value); a
// coefficient of +-2 or +-3 is an index given two or three times. Two bytes an index. The passes
// over them (loss.h) then add and subtract weights without a multiplication.
//
// A move changes few of the terms. So where that is shorter, what is stored of a row is its
// difference from the row before: a third of the indices, in games. The score of a row is then the
// running sum of the stored ones, and a term's gradient takes the running sum, from the end, of the
// slopes. (In the same way Nasu's networks, 2018, follow a game move by move.)
//
// Rows live in chunks. Chunks depend on the order of the rows alone; a chunk's rows keep it. What
// is stored of them is sorted by counts, so that the loops over them end predictably, and entries
// of nothing but +1 and -1 stand in tiles of ROW_TILE, index by index, so that one loop serves
// several at once.
#pragma once

#include "core/eval/eval.h"
#include "datasets/store/record.h"

enum {
    ROWS_CHUNK = 16384, // rows of a chunk at most
    ROW_TILE = 4,
    ROW_SCORE_MATE = 32000, // score_red of a mate for Red; negative for Black
    ROW_REPEATS = 3,        // coefficients up to this size are repeated indices
    ROW_MAX_PAIRS = 32766,  // and the constant pair of offsets behind them
    TERM_NAME_SIZE = 64,
    ROW_GROUPS = 16, // what ranks can share: as many have work
};

// A row while it is being built, and one read back with row_at().
typedef struct RowHead {
    uint32_t game;     // index into RowSet.games
    float phase;       // share of the middlegame, in units of 1 / RowSet.phase_max
    float result;      // points for Red, 0 to 1; below 0: none
    int16_t score_red; // search score in units; SCORE_UNKNOWN; +-ROW_SCORE_MATE
    int8_t mover;      // 1: Red is to move, -1: Black, 0: not known
    uint8_t plus;      // indices with coefficient +1 ...
    uint8_t minus;     // ... then indices with coefficient -1 ...
    uint16_t other;    // ... then indices whose coefficients are in `values`
} RowHead;

// Stored rows of a chunk that have the same counts. Without others, each ROW_TILE of them form a
// tile, which gives the first index of each, then the second of each, ...; those that fill no tile,
// and those with others, follow one after the other.
typedef struct RowGroup {
    uint16_t rows;
    uint8_t plus, minus;
    uint16_t other;
} RowGroup;

// `count` rows, column by column; the indices of all tiles and stored rows one after the other, the
// values likewise.
typedef struct RowChunk {
    uint32_t count, group_count;
    uint32_t index_count, value_count;
    const RowGroup *groups; // [group_count], together `count` rows
    const uint16_t *place;  // [count]: the stored rows, in the groups' order, are of these rows
    const uint8_t *whole;   // [count]: 1: the row is stored as it is; 0: its difference
    const uint32_t *game;   // [count]; the columns as in RowHead
    const float *phase;
    const int16_t *score_red;
    const float *result;
    const int8_t *mover;
    const uint16_t *indices;
    const float *values;
    void *memory; // one block that holds them all
} RowChunk;

typedef struct RowGame {
    uint64_t id;     // index of the game in its run; with its variations it is one
    uint64_t split;  // decides which part of a fit it is in: of equal ones, the same
    uint32_t source; // which of the tuner's arguments it came from
    uint32_t rows;
} RowGame;

// Rows under construction, in order of arrival. Zero-initialise.
typedef struct RowPart {
    RowHead *heads;
    uint16_t *indices;
    float *values;
    RowGame *games; // of the heads' game numbers, local to the part
    size_t count, index_count, value_count, game_count;
    size_t head_capacity, index_capacity, value_capacity, game_capacity;
    uint64_t coefficients; // stored non-zero coefficients, a repeated index counted once
    uint64_t occurrences[WEIGHT_COUNT];      // pieces and facts of each term, both sides
    uint64_t occurrence_phase[WEIGHT_COUNT]; // the same, each times the phase of its row
} RowPart;

// Why a rank is lost (row_ranks.h).
typedef struct RowTrouble RowTrouble;

// All rows of a problem. On several ranks chunks that others hold are empty.
typedef struct RowSet {
    char (*names)[TERM_NAME_SIZE]; // [pairs]: their names; NULL: ours
    int pairs;               // weights come in (middlegame, endgame) pairs; indices are below this
    double phase_max;        // phase of a pure middlegame
    bool split_by_content;   // RowGame.split is of start and moves, not what a file says
    size_t chunk_rows;       // of a full chunk; may be made smaller before the first row
    size_t count;            // rows
    uint64_t without_result; // rows that have none
    uint64_t without_score;  // ... as unknown
    uint64_t copies;         // games left out, because an earlier one has their start and moves
    uint64_t empty;          // games left out, because no position of theirs is a row
    uint64_t distinct;       // different positions, mirror images counted as one; 0: not known
    uint64_t coefficients;
    uint64_t indices, values, groups_stored;
    RowChunk *chunks;
    size_t chunk_count, chunk_capacity;
    size_t own_first, own_end; // this rank's chunks; behind them the rest of a game
    size_t own_chunks;         // while rows are added: as many are its own
    int groups;                // a power of two, at most ROW_GROUPS
    uint32_t first_game;       // while rows are added: the number of the first one
    RowTrouble *trouble;
    RowGame *games;
    size_t game_count, game_capacity;
    size_t source_count;
    char (*content)[SHA256_HEX_SIZE]; // of each source: what `data info` calls content_hash; NULL:
                                      // not known
    RowPart pending;                  // rows that do not fill a chunk yet
    RowPart stored;                   // what a chunk will hold of them
    double occurrences[WEIGHT_COUNT];
    double occurrence_phase[WEIGHT_COUNT]; // in units of 1 / phase_max
} RowSet;

void row_set_init(RowSet *set, int pairs, double phase_max);
void row_set_clear(RowSet *set);
void row_part_clear(RowPart *part);

// Adds the row of a traced position: *head gives score, result and mover, *game its game, of which
// `rows` is not looked at. Consecutive rows with the same id and source share a game.
// STATUS_MISMATCH when the stored row times `weights` is not the trace's middlegame and endgame
// sum, exactly: the row is then not added, and the message says how far apart they are.
Status row_part_add(RowPart *part, const EvalTrace *trace, const Weights *weights,
                    const RowHead *head, const RowGame *game, Err *err);

// Traces a stored position, whose board is set up already, with `weights` and adds its row to those
// of *game. The message names the position.
Status row_part_add_board(RowPart *part, const PositionRecord *position, const Position *board,
                          const RowGame *game, const Weights *weights, Err *err);

// Adds a row of anybody's terms: `count` entries with ascending indices below `pairs` (entries of 0
// are left out), and an offset of the score that no weight explains. `head` gives phase, score and
// result. STATUS_BAD_INPUT when the row is too long to be held.
Status row_part_add_entries(RowPart *part, int pairs, const int64_t *index,
                            const double *coefficient, size_t count, double offset,
                            const RowHead *head, const RowGame *game, Err *err);

// Appends the rows of a part (which stays as it is) to the set: full chunks are sealed.
void row_set_append(RowSet *set, const RowPart *part);
// Seals what is left. No append afterwards.
void row_set_finish(RowSet *set);

// Row i of a chunk without its coefficients (the counts are 0).
RowHead row_at(const RowChunk *chunk, uint32_t i);

// Bytes in memory: the columns and groups of the rows, and their coefficients.
uint64_t row_set_head_bytes(const RowSet *set);
uint64_t row_set_coefficient_bytes(const RowSet *set);

// ---- shared by the files of this room -----------------------------------------------------------

// Adds rows of *game to a list whose last entry may be it already. Its number.
uint32_t row_games_add(RowGame **games, size_t *count, size_t *capacity, const RowGame *game,
                       uint32_t rows);

// Makes room behind the rows of a part for so many more.
void row_part_reserve(RowPart *part, size_t heads, size_t indices, size_t values);

// Indices that a head has behind it.
ALWAYS_INLINE size_t row_indices(const RowHead *head) {
    return (size_t)head->plus + head->minus + head->other;
}

// All rows of a part, at least one and at most ROWS_CHUNK, as a chunk in memory of its own. *stored
// is scratch, to be kept for the next chunk.
RowChunk row_chunk_make(const RowPart *part, RowPart *stored);

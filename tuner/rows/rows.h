// SPDX-License-Identifier: GPL-3.0-or-later
// Sparse rows: the evaluation of each position as coefficients of its weights.
//
// A row is a list of entries. An entry has the index of a pair of weights (middlegame and endgame)
// and its coefficient, Red's count minus Black's. Rows are stored in chunks. A chunk holds the
// entries of all its rows one after the other, in three bytes each if the coefficients are small
// integers, as those of the built-in evaluation are. The division into chunks depends only on the
// order of the rows.
#pragma once

#include "datasets/store/record.h"

// Declared here instead of including core/eval/weights.h and eval.h. Most users of rows do not need
// these headers, and every new term would recompile them.
typedef struct Weights Weights;
typedef struct EvalTrace EvalTrace;
typedef struct WeightTerm WeightTerm;

enum {
    OWN_PAIRS_MAX = 2048,   // at least WEIGHT_COUNT
    ROWS_CHUNK = 16384,     // largest number of rows of a chunk
    ROW_SCORE_MATE = 32000, // score_red of a mate for Red; negative for a mate for Black
    TERM_NAME_SIZE = 64,
    ROW_GROUPS = 16, // number of groups, and the largest number of MPI ranks that have work
};

// A row under construction.
typedef struct RowHead {
    uint32_t game;       // index into RowSet.games
    float phase;         // share of the middlegame, in units of 1 / RowSet.phase_max
    float result;        // points for Red, 0 to 1; negative: unknown
    int16_t score_red;   // search score in units; SCORE_UNKNOWN; +-ROW_SCORE_MATE
    int8_t side_to_move; // 1: Red is to move, -1: Black, 0: unknown
    uint16_t entries;
} RowHead;

// `count` rows, stored by column.
typedef struct RowChunk {
    uint32_t count, entry_count;
    const uint32_t *begin; // [count + 1]: the entries of row i are begin[i] .. begin[i + 1] - 1
    const uint32_t *game;  // [count]; the columns as in RowHead
    const float *phase;
    const int16_t *score_red;
    const float *result;
    const int8_t *side_to_move;
    const uint16_t *pair; // [entry_count]; index `pairs` is the constant that carries offsets
    const int8_t *whole; // [entry_count]: coefficients, if each one in the chunk is an integer that
                         // fits into a byte; else NULL
    const float *real;   // [entry_count]: coefficients otherwise, else NULL
    void *memory;        // the block of memory that holds all columns
} RowChunk;

typedef struct RowGame {
    uint64_t id;     // index of the game in its run; shared by its variations
    uint64_t split;  // decides the part of a fit; equal values are in the same part
    uint32_t source; // index of the command-line argument that it was read from
    uint32_t rows;
} RowGame;

// The squares of a row's position, by slot (columns.h).
typedef struct RowBoard {
    uint8_t squares[SLOT_COUNT];
} RowBoard;

// A sampled position for piece values (piece_table.h), and its game.
typedef struct RowSample {
    Position board;
    uint64_t game;   // RowGame.id
    uint32_t source; // RowGame.source
} RowSample;

// Rows under construction, in order of arrival. Initialise to zero.
typedef struct RowPart {
    RowHead *heads;
    uint16_t *pair; // [entry_count]
    float *coefficient;
    RowGame *games; // [game_count]: RowHead.game is an index into this list
    size_t count, entry_count, game_count;
    size_t head_capacity, pair_capacity, coefficient_capacity, game_capacity;
    uint64_t coefficients;                    // number of entries without the offsets
    uint64_t occurrences[OWN_PAIRS_MAX];      // occurrences of each weight pair, of both sides
    uint64_t occurrence_phase[OWN_PAIRS_MAX]; // occurrences times the phase of their rows
} RowPart;

// All rows of a problem. Chunks that belong to another MPI rank are empty.
typedef struct RowSet {
    char (*names)[TERM_NAME_SIZE]; // [pairs]: names of the terms; NULL: the built-in terms
    int pairs;                     // number of (middlegame, endgame) pairs of weights
    double phase_max;              // phase of a pure middlegame
    bool split_by_content;   // true if RowGame.split was computed from start and moves; false if a
                             // file sets it
    size_t chunk_rows;       // rows of a full chunk; may be reduced before the first row
    size_t count;            // number of rows
    uint64_t without_result; // number of rows without a result
    uint64_t without_score;  // number of rows whose search score is unknown
    uint64_t copies;         // games left out because an earlier game has the same start and moves
    uint64_t
        near_copies; // games left out because an earlier game shares three quarters of their moves
    uint64_t empty;  // games left out because they have no rows
    uint64_t spikes; // sum of plies_spikes() over all games; unknown if `distinct` is 0
    uint64_t distinct; // number of different positions; mirror images count once; 0: unknown
    uint64_t coefficients;
    RowChunk *chunks;
    size_t chunk_count, chunk_capacity;
    size_t own_first, own_end; // chunks of this MPI rank; chunks after them hold the rest of a game
    int groups;                // a power of two, at most ROW_GROUPS
    uint32_t first_game;       // number of the first game, while rows are added
    Err *lost;                 // why an MPI rank is lost (row_ranks.h)
    RowGame *games;
    size_t game_count, game_capacity;
    RowBoard *boards; // squares of the rows, if requested (load.h); else NULL
    size_t board_capacity, source_count;
    char (*content)[SHA256_HEX_SIZE]; // content_hash of each source, as `data info` prints it
    RowPart pending;                  // rows that do not fill a chunk yet
    RowSample *sample;                // sampled positions, evenly spaced in their order
    size_t sample_count, sample_capacity;
    double occurrences[OWN_PAIRS_MAX];
    double occurrence_phase[OWN_PAIRS_MAX]; // in units of 1 / phase_max
} RowSet;

void row_set_init(RowSet *set, int pairs, double phase_max);
void row_set_clear(RowSet *set);
AUTO_VALUE(RowSet, row_set_clear)
void row_part_clear(RowPart *part);
AUTO_VALUE(RowPart, row_part_clear)

// Adds the row of a traced position. *head supplies score, result and side_to_move, *game the game;
// game->rows is ignored. Consecutive rows with equal id and source belong to one game. Returns
// STATUS_MISMATCH if the row times `weights` differs from the middlegame or endgame sum of the
// trace. The row is then not added, and the message shows both.
Status row_part_add(RowPart *part, const EvalTrace *trace, const Weights *weights,
                    const RowHead *head, const RowGame *game, Err *err);

// Traces a stored position, whose board is already set up, with `weights` and adds its row to
// *game. An error message names the position.
Status row_part_add_board(RowPart *part, const PositionRecord *position, const Position *board,
                          const RowGame *game, const Weights *weights, Err *err);

// Adds a row of external terms: `count` entries with ascending indices below `pairs`, and an
// offset, a part of the score that no weight explains. Entries with coefficient 0 are left out.
// `head` supplies phase, score and result.
void row_part_add_entries(RowPart *part, int pairs, const int64_t *index, const double *coefficient,
                          size_t count, double offset, const RowHead *head, const RowGame *game);

// Appends the rows of a part to the set and seals full chunks. The part is not changed.
void row_set_append(RowSet *set, const RowPart *part);
// Seals the pending rows. No rows can be appended afterwards.
void row_set_finish(RowSet *set);
// row_set_seal() moves all pending rows into a chunk. row_set_drop() frees the chunks but keeps the
// counts.
void row_set_seal(RowSet *set);
void row_set_drop(RowSet *set);

// Returns how often a weight occurs for both sides. Each occurrence counts with the phase share of
// its row: index 2 * pair is the middlegame, 2 * pair + 1 the endgame.
ALWAYS_INLINE double row_occurrences(const RowSet *rows, int weight) {
    const double middle = rows->occurrence_phase[weight / 2] / rows->phase_max;
    return weight % 2 ? rows->occurrences[weight / 2] - middle : middle;
}

ALWAYS_INLINE double row_coefficient(const RowChunk *chunk, uint32_t entry) {
    return chunk->whole ? (double)chunk->whole[entry] : (double)chunk->real[entry];
}

// ---- shared by the files of this folder ---------------------------------------------------------

// Adds `rows` rows of *game to a list of games, whose last entry may already be this game. Returns
// the index of the game.
uint32_t row_games_add(RowGame **games, size_t *count, size_t *capacity, const RowGame *game,
                       uint32_t rows);

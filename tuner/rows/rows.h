// SPDX-License-Identifier: GPL-3.0-or-later
// Training positions as sparse rows. A row lists the coefficients of the evaluation's weights in
// one position.
//
// A row is a list of entries. An entry has the index of a pair of weights (middlegame and endgame)
// and the coefficient of both weights, Red's count minus Black's. Rows are stored in chunks of at
// most ROWS_CHUNK. A chunk holds the entries of its rows one after the other. An entry takes three
// bytes if all coefficients of its chunk are integers from -127 to 127, as in the built-in
// evaluation. Without a RowSink (load.h), the division into chunks depends only on the order of the
// rows and on RowSet.chunk_rows.
#pragma once

#include "datasets/store/game_key.h"
#include "datasets/store/sense.h"

// These types are declared here instead of including core/eval/weights.h and eval.h, so that a new
// evaluation term does not recompile all files that include this header.
typedef struct Weights Weights;
typedef struct EvalTrace EvalTrace;
typedef struct WeightTerm WeightTerm;

enum {
    // upper limit of WEIGHT_COUNT, the number of weight pairs (middlegame and endgame) of the
    // built-in evaluation
    OWN_PAIRS_MAX = 2048,
    ROWS_CHUNK = 16384, // largest number of positions in a RowChunk, a block of stored positions
    // search score of a position in which Red mates; -ROW_SCORE_MATE if Black mates
    ROW_SCORE_MATE = 32000,
    TERM_NAME_SIZE = 64,
    // Largest value of RowSet.groups. At most this number of MPI ranks have work.
    ROW_GROUPS = 16,
};

// A position in a RowPart, except the coefficients of its evaluation terms.
typedef struct RowHead {
    uint32_t game; // index of the position's game in RowPart.games or RowSet.games
    float phase;   // phase of the position, from 0 (endgame) to RowSet.phase_max
    float result;  // points for Red, 0 to 1; negative: unknown
    // search score in units from Red's view; SCORE_UNKNOWN, or +-ROW_SCORE_MATE for a mate
    int16_t score_red;
    int8_t side_to_move; // side to move; 1: Red, -1: Black, 0: unknown
    uint16_t entries;    // number of the position's entries in RowPart.pair and RowPart.coefficient
} RowHead;

// A block of `count` positions, stored by column. Only rows.c writes to it.
typedef struct RowChunk {
    uint32_t count, entry_count;
    // Index of the first entry of each position; the entries of position i end before begin[i + 1].
    uint32_t *begin;
    uint32_t *game; // game of each position; this and the next columns are as in RowHead
    float *phase;
    int16_t *score_red;
    float *result;
    int8_t *side_to_move;
    // Index of the weight pair that each coefficient multiplies. The number of pairs (RowSet.pairs)
    // as index marks an offset: a part of the score that no weight multiplies.
    uint16_t *pair;
    // Coefficients of the positions, if all of them in this block are integers from -127 to 127;
    // otherwise NULL.
    int8_t *whole;
    float *real;  // coefficients of the positions; NULL if `whole` is set
    void *memory; // memory block of the columns from `begin` to `side_to_move`
} RowChunk;

typedef struct RowGame {
    // Index of the game in its run; a variation has the index of its main line. For positions from
    // a file of sparse rows: the number in its data set `game`.
    uint64_t id;
    // hash that decides, together with a seed, to which part the game belongs: training, validation
    // or test
    uint64_t split;
    // Index of the run (or of its shard file) in the list of paths that was read. For positions
    // from a file of sparse rows: the number in its data set `source`.
    uint32_t source;
    uint32_t rows; // number of the game's positions
} RowGame;

// The square of each of the 32 pieces of the start position (slots, columns.h); SLOT_EMPTY: the
// piece is not on the board.
typedef struct RowBoard {
    uint8_t squares[SLOT_COUNT];
} RowBoard;

// One of the positions in which the values of the pieces are measured (piece_table.h).
typedef struct RowSample {
    Position board;
    uint64_t game;   // id of the sampled position's game (RowGame.id)
    uint32_t source; // index of the run that contains the game (RowGame.source)
} RowSample;

// Counts over positions.
typedef struct RowCounts {
    uint64_t coefficients; // number of coefficients of all rows
    // how often each weight pair of the built-in evaluation is used in the positions, by both sides
    // together
    uint64_t occurrences[OWN_PAIRS_MAX];
    // for each weight pair: sum over all positions of phase * (number of uses of the pair)
    uint64_t occurrence_phase[OWN_PAIRS_MAX];
} RowCounts;

// A list of positions, in the order in which they were added. row_set_append() copies them to a
// RowSet. Initialise to zero.
typedef struct RowPart {
    RowHead *heads;
    // The nonzero coefficients, ordered by position, and the index of the weight pair that each
    // coefficient multiplies (RowChunk.pair).
    uint16_t *pair;
    float *coefficient;
    RowGame *games; // games from which the positions come; RowHead.game is an index into this list
    size_t count, entry_count, game_count;
    size_t head_capacity, pair_capacity, coefficient_capacity, game_capacity;
    RowCounts counts;
} RowPart;

// Sums over games: games, plies, plies whose time and nodes are known (`timed`), and the nodes and
// time of the timed plies.
typedef struct RowPlayed {
    uint64_t games, plies, timed, nodes, time_ms;
} RowPlayed;

// All positions of a fit. With several MPI ranks, each rank stores only some of the chunks
// (own_first).
typedef struct RowSet {
    // Names of the terms, one for each pair of weights, if a file of sparse rows defines them.
    // NULL: the terms are those of the built-in evaluation.
    char (*names)[TERM_NAME_SIZE];
    int pairs;        // number of (middlegame, endgame) pairs of weights
    double phase_max; // phase of a full middlegame, such as the starting position
    // True if RowGame.split is a hash of start and moves of the game; false if a file of sparse
    // rows sets it.
    bool split_by_content;
    // Number of positions in a full chunk; may be reduced before the first position is added.
    size_t chunk_rows;
    size_t count;
    uint64_t without_result; // number of positions whose game has no result
    Sense sense;             // whether scores and results make sense together
    uint64_t without_score;  // number of positions whose search score is unknown
    // number of games left out because an earlier game or its mirror image has the same start and
    // moves
    uint64_t copies;
    // Number of games left out as near copies: an earlier game, possibly mirrored or with exchanged
    // colours, begins with the same moves, and these are at least about three quarters of both
    // games (game_key.h).
    uint64_t near_copies;
    // Number of games left out because they ended by a fault, such as a time forfeit.
    uint64_t faults;
    // Number of stored games that have positions: games, variations and parts of games. `guessed`
    // counts records of imported files that do not state to which game a position belongs
    // (GameKey.guessed).
    uint64_t records, guessed;
    // Index, plus 1, of the first position whose game has earlier positions, with those of another
    // game between them; 0 if the positions of each game are adjacent.
    size_t scattered;
    uint32_t scattered_game; // index of the game of this position
    // number of games left out because neither they nor their variations have sampled positions
    uint64_t empty;
    // Number of score spikes (plies_spikes()) in all games including duplicates; 0 for a file of
    // sparse rows.
    uint64_t spikes;
    // Sums over all games including duplicates whose shards this MPI rank has read; 0 for a file of
    // sparse rows.
    RowPlayed played;
    // number of different positions; mirror images count once; 0: not counted (several MPI ranks, a
    // RowSink, or a file of sparse rows)
    uint64_t distinct;
    uint64_t coefficients;
    RowChunk *chunks;
    size_t chunk_count, chunk_capacity;
    // chunks[own_first] to chunks[own_end - 1] belong to this MPI rank. Of later chunks, this rank
    // stores only the positions that belong to the rest of its last game.
    size_t own_first, own_end;
    // Number of groups into which the chunks are divided for the MPI ranks (row_ranks.h), a power
    // of two, at most ROW_GROUPS.
    int groups;
    uint32_t first_game; // index of the first game of this MPI rank, for row_set_append()
    Err *lost; // error that reports the loss of an MPI rank (row_ranks.h); its status is STATUS_OK
               // if no rank is lost
    RowGame *games;
    size_t game_count, game_capacity;
    KeyMap game_index; // for row_games_add(); empty after row_set_finish()
    RowBoard *boards;  // boards of the positions, if requested (load.h); else NULL
    size_t board_capacity, source_count;
    // content_hash of each run that was read, as `data info` prints it; NULL for a file of sparse
    // rows.
    char (*content)[SHA256_HEX_SIZE];
    bool open;         // positions can be added to the last chunk
    size_t entry_room; // number of entries for which the open chunk has room
    RowSample *sample; // evenly spaced positions in which the values of the pieces are measured
    size_t sample_count, sample_capacity;
    // like RowCounts.occurrences; 0 if the terms are not built-in
    double occurrences[OWN_PAIRS_MAX];
    // for each weight pair: sum over all positions of phase * (number of uses of the pair)
    double occurrence_phase[OWN_PAIRS_MAX];
} RowSet;

void row_set_init(RowSet *set, int pairs, double phase_max);
void row_set_clear(RowSet *set);
AUTO_VALUE(RowSet, row_set_clear)
void row_part_clear(RowPart *part);
AUTO_VALUE(RowPart, row_part_clear)

// Returns the head of a stored position: score, result and side to move.
RowHead row_head_of(const PositionRecord *position);

// Adds a position to *part. `trace` is the trace of its evaluation. *head supplies score, result
// and side_to_move. *game is the game of the position, but game->rows is ignored. Consecutive
// positions with equal id and source belong to one game. Returns STATUS_MISMATCH if the sum of the
// coefficients times `weights` differs from the middlegame or endgame sum of the trace; the message
// contains both sums. The caller must then discard *part.
Status row_part_add(RowPart *part, const EvalTrace *trace, const Weights *weights,
                    const RowHead *head, const RowGame *game, Err *err);

// Traces the evaluation of a stored position with `weights` and adds the position to *part. `board`
// is the board of this position. An error message names the position.
Status row_part_add_board(RowPart *part, const PositionRecord *position, const Position *board,
                          const RowGame *game, const Weights *weights, Err *err);

// Adds a position whose coefficients are given, for example by a file of sparse rows. The `count`
// coefficients have ascending indices below `pairs`; those that are 0 are left out. `offset` is a
// part of the score that no weight multiplies. `head` supplies phase, score, result and side to
// move.
void row_part_add_entries(RowPart *part, int pairs, const int64_t *index, const double *coefficient,
                          size_t count, double offset, const RowHead *head, const RowGame *game);

// Writes copies of the positions in *part into the last RowChunk of the set. When it has
// set->chunk_rows positions, a new one is begun.
void row_set_append(RowSet *set, const RowPart *part);
// Ends the last RowChunk. Nothing may be appended afterwards.
void row_set_finish(RowSet *set);
// Sorts the positions by game, so that the positions of each game are together. Does not change the
// order of the positions of a game. Called after row_set_finish(), with a single MPI rank.
void row_set_sort(RowSet *set);
// row_set_seal() ends the last RowChunk, even if it is not full: further positions are written into
// a new one. row_set_drop() frees all chunks, but keeps the games and counts of the set.
void row_set_seal(RowSet *set);
void row_set_drop(RowSet *set);

// Returns how often a weight is used in the positions, by both sides together. Let f be the phase
// of a position divided by phase_max. A use of weight pair i counts as f uses of its middlegame
// weight (index 2 * i) and as 1 - f uses of its endgame weight (index 2 * i + 1).
ALWAYS_INLINE double row_occurrences(const RowSet *rows, int weight) {
    const double middle = rows->occurrence_phase[weight / 2] / rows->phase_max;
    return weight % 2 ? rows->occurrences[weight / 2] - middle : middle;
}

ALWAYS_INLINE double row_coefficient(const RowChunk *chunk, uint32_t entry) {
    return chunk->whole ? (double)chunk->whole[entry] : (double)chunk->real[entry];
}

// ---- shared by the files of this folder ---------------------------------------------------------

// Appends *game to a list of games, unless it already is the last game of the list. If `index` is
// not NULL, the game may also be an earlier game of the list; `index` then keeps the places of all
// games. Adds `rows` to the number of its positions. Returns its index in the list.
uint32_t row_games_add(RowGame **games, size_t *count, size_t *capacity, KeyMap *index,
                       const RowGame *game, uint32_t rows);

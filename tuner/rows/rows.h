// SPDX-License-Identifier: GPL-3.0-or-later
// Sparse rows: what the evaluation says about each position, as coefficients of its weights.
//
// A row is a list of entries: the pair of weights that a term has, and the coefficient of it, Red's
// count minus Black's. Rows live in chunks: the entries of all rows of a chunk one after the other,
// three bytes each where the coefficients are small whole numbers, as those of our evaluation are.
// Chunks depend on the order of the rows alone.
#pragma once

#include "datasets/store/record.h"

// core/eval/weights.h and eval.h, which most users of rows do not need: a new term compiles them
// all.
typedef struct Weights Weights;
typedef struct EvalTrace EvalTrace;
typedef struct WeightTerm WeightTerm;

enum {
    OWN_PAIRS_MAX = 2048,   // at least WEIGHT_COUNT
    ROWS_CHUNK = 16384,     // rows of a chunk at most
    ROW_SCORE_MATE = 32000, // score_red of a mate for Red; negative for Black
    TERM_NAME_SIZE = 64,
    ROW_GROUPS = 16, // what ranks can share: as many have work
};

// A row while it is being built.
typedef struct RowHead {
    uint32_t game;       // index into RowSet.games
    float phase;         // share of the middlegame, in units of 1 / RowSet.phase_max
    float result;        // points for Red, 0 to 1; below 0: none
    int16_t score_red;   // search score in units; SCORE_UNKNOWN; +-ROW_SCORE_MATE
    int8_t side_to_move; // 1: Red is to move, -1: Black, 0: not known
    uint16_t entries;
} RowHead;

// `count` rows, column by column.
typedef struct RowChunk {
    uint32_t count, entry_count;
    const uint32_t *begin; // [count + 1]: the entries of row i are begin[i] .. begin[i + 1] - 1
    const uint32_t *game;  // [count]; the columns as in RowHead
    const float *phase;
    const int16_t *score_red;
    const float *result;
    const int8_t *side_to_move;
    const uint16_t *pair; // [entry_count]; the pair behind the weights is the constant of offsets
    const int8_t *whole;  // [entry_count]: the coefficients, or NULL where not all of the chunk ...
    const float *real;    // ... are whole numbers of one byte: [entry_count], or NULL
    void *memory;         // one block that holds them all
} RowChunk;

typedef struct RowGame {
    uint64_t id;     // index of the game in its run; with its variations it is one
    uint64_t split;  // decides which part of a fit it is in: of equal ones, the same
    uint32_t source; // which of the tuner's arguments it came from
    uint32_t rows;
} RowGame;

// The position of a row: its squares, by slot (columns.h).
typedef struct RowBoard {
    uint8_t squares[SLOT_COUNT];
} RowBoard;

// A position whose pieces are taken off (piece_table.h), and its game.
typedef struct RowSample {
    Position board;
    uint64_t game;   // RowGame.id
    uint32_t source; // RowGame.source
} RowSample;

// Rows under construction, in order of arrival. Zero-initialise.
typedef struct RowPart {
    RowHead *heads;
    uint16_t *pair; // of all entries
    float *coefficient;
    RowGame *games; // of the heads' game numbers, local to the part
    size_t count, entry_count, game_count;
    size_t head_capacity, pair_capacity, coefficient_capacity, game_capacity;
    uint64_t coefficients;                    // entries but offsets
    uint64_t occurrences[OWN_PAIRS_MAX];      // pieces and facts of each term, both sides
    uint64_t occurrence_phase[OWN_PAIRS_MAX]; // the same, each times the phase of its row
} RowPart;

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
    uint64_t near_copies;    // ... because an earlier one shares three quarters of its moves
    uint64_t empty;          // games left out, because no position of theirs is a row
    uint64_t spikes;         // plies_spikes() of all games; not known where `distinct` is 0
    uint64_t distinct;       // different positions, mirror images counted as one; 0: not known
    uint64_t coefficients;
    RowChunk *chunks;
    size_t chunk_count, chunk_capacity;
    size_t own_first, own_end; // this rank's chunks; behind them the rest of a game
    int groups;                // a power of two, at most ROW_GROUPS
    uint32_t first_game;       // while rows are added: the number of the first one
    Err *lost;                 // why a rank is lost (row_ranks.h)
    RowGame *games;
    size_t game_count, game_capacity;
    RowBoard *boards; // of the rows, where they are wanted (load.h); else NULL
    size_t board_capacity, source_count;
    char (*content)[SHA256_HEX_SIZE]; // of each source: what `data info` calls content_hash
    RowPart pending;                  // rows that do not fill a chunk yet
    RowSample *sample;                // some of the positions, evenly in their order
    size_t sample_count, sample_capacity;
    double occurrences[OWN_PAIRS_MAX];
    double occurrence_phase[OWN_PAIRS_MAX]; // in units of 1 / phase_max
} RowSet;

void row_set_init(RowSet *set, int pairs, double phase_max);
void row_set_clear(RowSet *set);
AUTO_VALUE(RowSet, row_set_clear)
void row_part_clear(RowPart *part);
AUTO_VALUE(RowPart, row_part_clear)

// Adds the row of a traced position: *head gives score, result and side_to_move, *game its game, of
// which `rows` is not looked at. Consecutive rows with the same id and source share a game.
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
// result.
void row_part_add_entries(RowPart *part, int pairs, const int64_t *index, const double *coefficient,
                          size_t count, double offset, const RowHead *head, const RowGame *game);

// Appends the rows of a part (which stays as it is) to the set: full chunks are sealed.
void row_set_append(RowSet *set, const RowPart *part);
// Seals what is left. No append afterwards.
void row_set_finish(RowSet *set);
// Seals what is left, so that all rows are in chunks; and frees the chunks, but not the counts.
void row_set_seal(RowSet *set);
void row_set_drop(RowSet *set);

// How often the weight occurs, both sides: of 2 * pair in the middlegame, of 2 * pair + 1 in the
// endgame, by the phases of the rows.
ALWAYS_INLINE double row_occurrences(const RowSet *rows, int weight) {
    const double middle = rows->occurrence_phase[weight / 2] / rows->phase_max;
    return weight % 2 ? rows->occurrences[weight / 2] - middle : middle;
}

ALWAYS_INLINE double row_coefficient(const RowChunk *chunk, uint32_t entry) {
    return chunk->whole ? (double)chunk->whole[entry] : (double)chunk->real[entry];
}

// ---- shared by the files of this folder ---------------------------------------------------------

// Adds rows of *game to a list whose last entry may be it already. Its number.
uint32_t row_games_add(RowGame **games, size_t *count, size_t *capacity, const RowGame *game,
                       uint32_t rows);

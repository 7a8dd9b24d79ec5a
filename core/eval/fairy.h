// SPDX-License-Identifier: GPL-3.0-or-later
// Networks of Fairy-Stockfish for xiangqi: the numbers, the score, and the file.
//
// Each side sees the board from its own first rank. The square of its general selects one of nine
// sets of input weights. Each piece on the board, both generals included, is an input: a plane for
// its type and owner, and its square. The accumulator of a side is the bias plus the weights of its
// inputs. The value is the sum of two parts. The part `psqt` is a sum of one number for each input.
// The part `output` comes from two small layers and an output layer that read the accumulators of
// both sides, clamped to 0..127. The number of pieces selects one of eight sets of these layers
// and numbers, a stack. All numbers are integers.
#pragma once

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/eval/network_board.h"

enum {
    FAIRY_PLANES = 13, // own and other pieces of six types, and the generals of both sides
    FAIRY_PLACES = FAIRY_PLANES * SQUARE_COUNT, // number of inputs for one square of the general
    FAIRY_INPUTS = PALACE_COUNT * FAIRY_PLACES, // number of inputs
    FAIRY_UNITS = 512,                          // size of the accumulator of each side
    FAIRY_STACKS = 8,                           // number of stacks
    FAIRY_FIRST = 16,                           // number of units of the first small layer
    FAIRY_SECOND = 32,                          // number of units of the second small layer
    FAIRY_ONE = 127,                            // largest value of a clamped unit
    FAIRY_SHIFT = 6,                            // sums of the small layers are divided by 64
    FAIRY_FINE = 16,                            // (psqt + output) / 16 is the value
    // Limit of input weights and biases in a fit: the bias and 32 weights of this size fit in 16
    // bits, and a position has at most 32 pieces.
    FAIRY_INPUT_MAX = INT16_MAX / 33,
    FAIRY_PSQT_MAX = 1 << 24, // largest absolute value of a psqt number
    FAIRY_BIAS_MAX = 1 << 30, // largest absolute bias of a stack
    FAIRY_SCORE_MAX = 20000,  // fairy_score() is within +-FAIRY_SCORE_MAX
    FAIRY_RATIO_OF = 1024,    // resolution of the ratio of the units
};

// Units of Fairy-Stockfish for one of our units, by the values of a chariot: its classical
// evaluation has 1276 (middlegame) and 1380 (endgame).
#define FAIRY_SIZE ((1276 + 1380) / 2.0 / 900)

// The layers of a stack, with the layout of the file. Of each row of `second`, only the first
// FAIRY_FIRST weights are used.
typedef struct FairyStack {
    int32_t first_bias[FAIRY_FIRST];
    int8_t first[FAIRY_FIRST][2 * FAIRY_UNITS];
    int32_t second_bias[FAIRY_SECOND];
    int8_t second[FAIRY_SECOND][FAIRY_SECOND];
    int32_t output_bias;
    int8_t output[FAIRY_SECOND];
} FairyStack;

typedef struct Fairy {
    int16_t bias[FAIRY_UNITS];
    int16_t *weight; // [FAIRY_INPUTS][FAIRY_UNITS]
    int32_t *psqt;   // [FAIRY_INPUTS][FAIRY_STACKS]
    FairyStack stack[FAIRY_STACKS];
    double chariot; // value of a chariot by removal: mean over the chariots of the bench positions,
                    // in units of Fairy-Stockfish
    bool calibrated; // true if `chariot` is plausible, and sets the ratio of our units to those of
                     // Fairy-Stockfish
    int ratio, ratio_of; // this ratio is ratio / ratio_of
    Text description;
    char hash[SHA256_HEX_SIZE]; // SHA-256 of the file
} Fairy;

// An entry of the cache, for one pair of squares of the generals (NetworkCache).
typedef struct FairySums {
    _Alignas(64) int16_t sum[SIDE_COUNT][FAIRY_UNITS];
    IntQuad psqt[SIDE_COUNT][FAIRY_STACKS / 4];
    NetworkBoard seen;
} FairySums;

// Returns the index of the input for a piece on a square, as `side` sees it with its general on the
// square `general`.
int fairy_input(Side side, int general, Piece piece, int square);
// Returns the stack for this number of pieces.
ALWAYS_INLINE int fairy_stack(int pieces) {
    return (pieces - 1) * FAIRY_STACKS / 32;
}
// Returns the score for the side to move, in our units. Initialise the cache with zeros, and use it
// with one network only.
int fairy_score(const Fairy *fairy, FairySums cache[PALACE_COUNT][PALACE_COUNT],
                const Position *position);
// Computes both parts of the value for the side to move by all stacks, in sixteenths of a unit of
// Fairy-Stockfish.
typedef struct FairyParts {
    int32_t psqt[FAIRY_STACKS], output[FAIRY_STACKS];
} FairyParts;
void fairy_parts(const Fairy *fairy, FairySums cache[PALACE_COUNT][PALACE_COUNT],
                 const Position *position, FairyParts *parts);
// Values inside the network for one position: accumulators, and the units of the small layers of
// the stack that the number of pieces selects.
typedef struct FairyTrace {
    const int16_t *sum[2]; // accumulators of the side to move and of its opponent; valid until the
                           // next use of the cache
    int stack;
    uint8_t first[FAIRY_FIRST], second[FAIRY_SECOND];
} FairyTrace;
void fairy_trace(const Fairy *fairy, FairySums cache[PALACE_COUNT][PALACE_COUNT],
                 const Position *position, FairyTrace *trace);
// Sets `chariot`, `calibrated` and the ratio of the units.
void fairy_calibrate(Fairy *fairy);

// Returns true if a file that begins with these bytes is a network of Fairy-Stockfish, of any
// version and for any game.
bool fairy_is_file(const void *bytes, size_t size);
// Returns a network with the numbers of `like`, or with all numbers 0 if `like` is NULL. Free with
// fairy_free().
Fairy *fairy_new(const Fairy *like);
// Writes the file of a network, and sets fairy->hash.
Status fairy_save(Fairy *fairy, const char *path, Err *err);
// Reads a network from the bytes of its file. Returns STATUS_MISMATCH if the network is for another
// game or of another version, STATUS_CORRUPT if the file is damaged. err_note() tells if the
// network is not calibrated. Free with fairy_free().
Status fairy_parse(const void *bytes, size_t size, const char *origin, Fairy **fairy, Err *err);
void fairy_free(Fairy *fairy);
AUTO_HANDLE(Fairy, fairy_free)
// Loads a network by name. *fairy becomes NULL if the name does not belong to a file that
// fairy_is_file() accepts.
Status fairy_load(const char *name, Fairy **fairy, Err *err);

// Prints the sizes, the description, the hash, the ratio of the units, and for each stack the mean
// value of each kind of piece by `psqt`, in units of Fairy-Stockfish. The mean is over all such
// pieces of the bench positions.
void fairy_show(const Fairy *fairy, bool json, FILE *out);
// For each line of a file (NULL: standard input) that begins with a FEN, which may end at a tab,
// prints a line `FEN<TAB>STACK<TAB>PSQT,OUTPUT ...` with the parts of all stacks (fairy_parts()).
Status fairy_probe(const Fairy *fairy, const char *path, bool json, FILE *out, Err *err);

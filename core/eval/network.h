// SPDX-License-Identifier: GPL-3.0-or-later
// A small neural network (an NNUE) and its file. It scores a position alone, or it adds a
// correction to the linear evaluation.
//
// Each side sees the board from its own first rank, mirrored if its general stands on file f. Its
// general therefore appears on one of six squares of the files d and e. Each of these squares is a
// bucket, with its own set of input weights. An input is a piece of either side on a square where
// it may stand; the own general is not an input. A side's accumulator has one number for each
// hidden unit: the bias plus the weights of all inputs that are on the board. The hidden value is
// this number divided by NETWORK_FINE, clipped to 0..NETWORK_ONE, and squared. The output layer
// reads the hidden values of the side to move, then those of the other side. The number of pieces
// selects the set of output weights. All numbers are integers, so incremental and fresh
// accumulators have the same bits on every machine.
#pragma once

#include "core/board/position.h"
#include "core/eval/fairy.h"
#include "core/eval/network_board.h"
#include "core/eval/weights.h"

enum {
    NETWORK_BUCKETS = 6,  // number of squares of the own general: 3 ranks of files d and e; a
                          // general on file f is mirrored to file d
    NETWORK_PLACES = 753, // number of inputs of a bucket: pairs of a piece and a square where it
                          // may stand
    NETWORK_INPUTS = NETWORK_BUCKETS * NETWORK_PLACES,
    NETWORK_UNITS_STEP = 32, // the number of hidden units of each side is a multiple of this
    NETWORK_UNITS_MAX = 448, // largest number of hidden units of each side
    NETWORK_OUTPUTS = 8,     // number of sets of output weights; the number of pieces selects one
    NETWORK_FINE = 4,    // resolution of the accumulator: NETWORK_FINE * NETWORK_ONE stands for 1.0
    NETWORK_ONE = 181,   // integer that stands for 1.0 in the hidden layer; its square fits in 15
                         // bits
    NETWORK_SCORE = 400, // score, in units of the evaluation, for a network output of 1.0
    NETWORK_OUTPUT_ONE = 512, // integer that stands for 1.0 in the output weights
    // the output sum divided by this number is the score in units of the evaluation
    NETWORK_DIVISOR = NETWORK_ONE * NETWORK_ONE * NETWORK_OUTPUT_ONE / NETWORK_SCORE,
    NETWORK_INPUT_MAX = 1000, // largest absolute input weight and bias. The sum of a bias and 31
                              // weights, one for each piece except the own general, fits in 16 bits
};

// Indices of inputs: of[side][mirrored][piece][square] is the index, within a bucket, of the input
// for a piece on a square, as `side` sees the board. `mirrored` is 1 if `side` sees the board
// mirrored. Other combinations, such as the own general, have the meaningless index 0.
typedef struct NetworkPlaces {
    uint16_t of[SIDE_COUNT][2][PIECE_COUNT][SQUARE_COUNT];
} NetworkPlaces;
void network_places_init(NetworkPlaces *places);
// Returns the bucket of a side whose general stands on the square `general`. *mirrored becomes 1 if
// this side sees the board mirrored, else 0.
int network_bucket(Side side, int general, int *mirrored);
// Returns the index of the set of output weights for this number of pieces.
ALWAYS_INLINE int network_output(int pieces) {
    return (pieces - 1) / 4;
}

typedef struct Network {
    Fairy *fairy; // network of Fairy-Stockfish, owned; NULL: a network of this program. If it is
                  // not NULL, `linear` is false, and only `provenance` and `hash` are used below
    int units;    // number of hidden units of each side
    bool linear; // true: the score of the network is added to that of the linear evaluation; false:
                 // it replaces that score
    Weights weights; // weights of the linear evaluation
    int16_t *input;  // input weights, [NETWORK_INPUTS][units]
    int16_t bias[NETWORK_UNITS_MAX];
    // Output weights, one set for each range of the number of pieces (network_output()). The first
    // 2 * units weights of a set are used.
    int16_t output[NETWORK_OUTPUTS][2 * NETWORK_UNITS_MAX];
    int32_t output_bias[NETWORK_OUTPUTS];
    Text provenance;            // how the network was made, one item per line
    char hash[SHA256_HEX_SIZE]; // content hash, set by network_save() and network_parse(); excludes
                                // the provenance, and the linear terms whose weights are all 0; if
                                // `linear` is false, excludes all linear terms
    NetworkPlaces places;
} Network;

// Returns a network with `units` hidden units for each side and all weights 0. Free with
// network_free().
Network *network_new(int units, bool linear);
void network_free(Network *network);
AUTO_HANDLE(Network, network_free)

// Checks that all input weights and biases are within +-NETWORK_INPUT_MAX, so that accumulators fit
// in 16 bits. Checks that the sum of one side's outputs fits in 32 bits, and that all linear
// weights are within +-WEIGHT_LIMIT. The error names the weight or the set of weights.
Status network_check(const Network *network, Err *err);
// Checks the network with network_check(), computes its hash, and writes it to a file.
Status network_save(Network *network, const char *path, Err *err);
// Reads a network of this program or of Fairy-Stockfish from the bytes of its file, and checks it
// with network_check() or fairy_parse(). `origin` is the
// name of the file in errors and notes. Linear terms are matched by name (TermsMatch), or by
// their order in files of version 1, which have no names. An unknown term is an error unless
// err_drops_unknown() is true; then it is left out, and a note names it.
Status network_parse(const void *bytes, size_t size, const char *origin, Network **network,
                     Err *err);
// Returns true if a file that begins with these bytes is a network of this program or of
// Fairy-Stockfish.
bool network_is_file(const void *bytes, size_t size);
// Returns an error if the network, which may be NULL, is one of Fairy-Stockfish. Call it where the
// numbers or the linear weights of a network are needed. `name` names the network in the message.
Status network_require_own(const Network *network, const char *name, Err *err);
// Sets `hex` to the checksum that is stored at the end of a network file of this program, or to ""
// if the bytes are another file.
void network_checksum(const void *bytes, size_t size, char hex[SHA256_HEX_SIZE]);
// First word of a comment line `# keep_network CHECKSUM` in weights_default.txt. If the compiled
// network has this checksum, the evaluation `best` is the network with the linear weights of the
// network file. Otherwise `best` is the network only if these linear weights equal those in
// weights_default.txt.
#define NETWORK_KEEP "keep_network"

// Prints two lines. The first one is `network compiled in` or `network none`. The second one is the
// description of `best` by network_describe(), or `evaluation none: ERROR` if `best` cannot be
// loaded.
void network_version(FILE *out);
// Loads an evaluation: "classic", "default", "best", or a file with weights or a network. `best` is
// the network compiled into the program in two cases: its linear weights equal the compiled default
// weights, or a line `# keep_network CHECKSUM` of weights_default.txt names it. Otherwise `best`
// equals `default`. *network becomes NULL or a network that the caller frees. *weights are the
// linear weights. `hash` identifies the whole evaluation.
Status evaluation_load(const char *name_or_path, Weights *weights, Network **network,
                       char hash[SHA256_HEX_SIZE], Err *err);
// Returns the name of the evaluation that evaluation_load() loaded: `default` if `name` is `best`
// but no network was loaded, otherwise `name`.
const char *evaluation_name(const char *name, const Network *network);
// Appends "evaluation NAME HASH network" or "evaluation NAME HASH linear". NAME is
// evaluation_name().
void network_describe(const char *name, const Network *network, const char *hash, Text *text);

// An entry of the cache, for one combination of the squares of both generals: the accumulators of
// both sides for the last position with the generals on these squares. For the next such position,
// only the pieces that differ are added or subtracted. These are few in a search.
typedef struct NetworkSums {
    _Alignas(64) int16_t sum[SIDE_COUNT][NETWORK_UNITS_MAX];
    NetworkBoard seen;
} NetworkSums;
// The caches are indexed by the squares of Red's and of Black's general in their palaces.
typedef union NetworkCache {
    NetworkSums of[PALACE_COUNT][PALACE_COUNT];
    FairySums fairy[PALACE_COUNT][PALACE_COUNT];
} NetworkCache;

// Returns the output of the network, in units of the evaluation, for the side to move. If `table`
// [SQUARE_COUNT * PIECE_COUNT] is given, *places becomes the sum of its entries for the pieces of
// the position. If `table` is NULL, `places` is NULL, too. The cache keeps accumulators and this
// sum, so it must always be used with the same network and table. Initialise the cache with zeros.
int network_score(const Network *network, NetworkCache *cache, const Position *position,
                  const IntQuad *table, IntQuad *places);

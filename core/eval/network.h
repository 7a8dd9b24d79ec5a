// SPDX-License-Identifier: GPL-3.0-or-later
// A small neural network (an NNUE) and its file. It scores a position alone, or it adds a
// correction to the linear evaluation.
//
// Each side sees the board from its own first rank, mirrored so that its general stands on files a
// to e. An input is a piece of either side, except the own general, on a square where it may stand.
// Each of the six squares of the own general (bucket) has input weights of its own. The accumulator
// of a side is the sum of its inputs, one number for each hidden unit, clipped to 0..NETWORK_ONE
// and squared. The output layer reads the units of the side to move, then those of the other side;
// its weights depend on the number of pieces. All numbers are integers, so incremental and fresh
// accumulators have the same bits on every machine.
#pragma once

#include "core/board/position.h"
#include "core/eval/weights.h"

enum {
    NETWORK_BUCKETS = 6,  // squares of the own general, after mirroring
    NETWORK_PLACES = 753, // pairs of a piece and a square
    NETWORK_INPUTS = NETWORK_BUCKETS * NETWORK_PLACES,
    NETWORK_UNITS_STEP = 32, // the number of units of a side is a multiple of this
    NETWORK_UNITS_MAX = 448,
    NETWORK_OUTPUTS = 8, // sets of output weights, chosen by the number of pieces
    NETWORK_FINE = 4,    // steps of the accumulator for each step of a hidden value
    NETWORK_ONE = 181,   // 1.0 of the hidden layer; its square has 15 bits
    NETWORK_SCORE = 400, // score in units of the output 1.0
    // 1.0 of the output weights, and the divisor that turns the output sum into units.
    NETWORK_OUTPUT_ONE = 512,
    NETWORK_DIVISOR = NETWORK_ONE * NETWORK_ONE * NETWORK_OUTPUT_ONE / NETWORK_SCORE,
    NETWORK_INPUT_MAX = 1000, // largest input weight: 31 of them and a bias fit in 16 bits
    NETWORK_FILE_MAX = 4 << 20,
};

// Index of a piece on a square as a side sees it, by [side][mirrored].
typedef struct NetworkPlaces {
    uint16_t of[SIDE_COUNT][2][PIECE_COUNT][SQUARE_COUNT];
} NetworkPlaces;
void network_places_init(NetworkPlaces *places);
// Returns the bucket of the side's general on this square. *mirrored is 1 if the side sees the
// board mirrored.
int network_bucket(Side side, int general, int *mirrored);
// Returns the index of the output weights for this number of pieces.
ALWAYS_INLINE int network_output(int pieces) {
    return (pieces - 1) / 4;
}

typedef struct Network {
    int units;       // hidden units of each side
    bool linear;     // the linear evaluation is added
    Weights weights; // linear weights
    int16_t *input;  // [NETWORK_INPUTS][units]
    int16_t bias[NETWORK_UNITS_MAX];
    int16_t output[NETWORK_OUTPUTS][2 * NETWORK_UNITS_MAX]; // the first 2 * units
    int32_t output_bias[NETWORK_OUTPUTS];
    Text provenance;            // lines
    char hash[SHA256_HEX_SIZE]; // content hash, without the provenance and linear terms that are 0
    NetworkPlaces places;
} Network;

// Returns a network of this shape with all weights 0. Free with network_free().
Network *network_new(int units, bool linear);
void network_free(Network *network);
AUTO_HANDLE(Network, network_free)

// Fails if the sums of some position might exceed their 16 or 32 bits. The error names the weight.
Status network_check(const Network *network, Err *err);
// Sets the hash and writes the file.
Status network_save(Network *network, const char *path, Err *err);
// Reads the bytes of a network file. `origin` names it in errors and notes. Its linear terms are
// matched by name (weights.h).
Status network_parse(const void *bytes, size_t size, const char *origin, Network **network,
                     Err *err);
// Reads a network file like network_parse(), but leaves unknown terms out with a note.
Status network_parse_dropping(const void *bytes, size_t size, const char *origin, Network **network,
                              Err *err);
// Returns true if these first bytes of a file are those of a network.
bool network_is_file(const void *bytes, size_t size);
// Returns the checksum at the end of a network's file; "" for other files.
void network_checksum(const void *bytes, size_t size, char hex[SHA256_HEX_SIZE]);
// A comment line of weights_default.txt, `# keep_network CHECKSUM`: the compiled network of this
// checksum plays as `best`, though its linear weights are others.
#define NETWORK_KEEP "keep_network"

// Prints the lines `network compiled in` (or `none`) and network_describe() of best.
void network_version(FILE *out);
// Loads an evaluation: "classic", "default", "best", or the path of a weight file or network; the
// first bytes tell which. `best` is the compiled network if its linear weights are those of the
// compiled default, or if NETWORK_KEEP names it; otherwise it is `default`. *network is NULL
// without a network; the caller frees it. *weights are the linear weights, `hash` is the hash of
// the whole.
Status network_load(const char *name_or_path, Weights *weights, Network **network,
                    char hash[SHA256_HEX_SIZE], Err *err);
// Returns the name of the evaluation that network_load() loaded by `name`: `default` if the name is
// `best` but no network was loaded, otherwise `name`.
const char *network_name(const char *name, const Network *network);
// Appends "evaluation NAME HASH network" or "evaluation NAME HASH linear" with network_name().
void network_describe(const char *name, const Network *network, const char *hash, Text *text);

// Accumulators of both sides for the last position with both generals on these squares. Few pieces
// move from one position of a search to the next.
typedef struct NetworkSums {
    _Alignas(64) int16_t sum[SIDE_COUNT][NETWORK_UNITS_MAX];
    Bitboard by_type[PIECE_TYPE_COUNT], by_side[SIDE_COUNT]; // copies from the Position
    Piece board[SQUARE_COUNT];
    bool known; // the accumulators are valid
} NetworkSums;
enum { PALACE_COUNT = 9 };
typedef struct NetworkCache {
    NetworkSums of[PALACE_COUNT][PALACE_COUNT]; // indexed by Red's and by Black's general
} NetworkCache;

// Returns the output of the network in units, for the side to move.
int network_score(const Network *network, NetworkCache *cache, const Position *position);

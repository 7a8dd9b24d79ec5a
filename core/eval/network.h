// SPDX-License-Identifier: GPL-3.0-or-later
// A small network over the pieces on their points, as each side sees them from its own general, and
// its file. It scores a position alone, or adds to the linear evaluation what the sum of terms
// leaves.
//
// A side sees the board from its own first rank, mirrored so that its general stands on files a to
// e. An input is a piece of either side, except the own general, on a point where it may stand;
// each of the six points of the general has weights of its own. The inputs of a side are summed in
// NetworkRow units of the hidden layer, clipped to 0..NETWORK_ONE and squared. The output layer
// reads those of the side to move, then those of the other, with weights by the number of pieces.
// All are whole numbers: incremental and fresh sums have the same bits on every machine.
#pragma once

#include "core/board/position.h"
#include "core/eval/weights.h"

enum {
    NETWORK_BUCKETS = 6,  // points of the own general
    NETWORK_PLACES = 753, // pieces on their points
    NETWORK_INPUTS = NETWORK_BUCKETS * NETWORK_PLACES,
    NETWORK_UNITS_STEP = 32, // the number of units of a side is a multiple of this
    NETWORK_UNITS_MAX = 96,
    NETWORK_OUTPUTS = 8, // sets of output weights, chosen by the number of pieces
    NETWORK_FINE = 4,    // parts of a unit of the sums
    NETWORK_ONE = 181,   // 1.0 of the hidden layer: its square has 15 bits
    NETWORK_SCORE = 400, // units of 1.0 of the output
    // 1.0 of the weights of the output layer, and what its sum is divided by to get units.
    NETWORK_OUTPUT_ONE = 512,
    NETWORK_DIVISOR = NETWORK_ONE * NETWORK_ONE * NETWORK_OUTPUT_ONE / NETWORK_SCORE,
    NETWORK_INPUT_MAX = 1000, // the sum of 31 weights and a bias fits 16 bits
    NETWORK_FILE_MAX = 1 << 20,
};

// The number of a place: of a piece on a point, as a side sees it; [side][mirrored].
typedef struct NetworkPlaces {
    uint16_t of[SIDE_COUNT][2][PIECE_COUNT][SQUARE_COUNT];
} NetworkPlaces;
void network_places_init(NetworkPlaces *places);
// The bucket of the side's general on this point; *mirrored: the side sees the board mirrored.
int network_bucket(Side side, int general, int *mirrored);
// Returns the index of the output weights for this number of pieces.
ALWAYS_INLINE int network_output(int pieces) {
    return (pieces - 1) / 4;
}

typedef struct Network {
    int units;       // hidden units of each side
    bool linear;     // adds to the linear evaluation
    Weights weights; // linear weights
    int16_t *input;  // [NETWORK_INPUTS][units]
    int16_t bias[NETWORK_UNITS_MAX];
    int16_t output[NETWORK_OUTPUTS][2 * NETWORK_UNITS_MAX]; // the first 2 * units
    int32_t output_bias[NETWORK_OUTPUTS];
    Text provenance;            // lines
    char hash[SHA256_HEX_SIZE]; // content hash, without the provenance and linear terms that are 0
    NetworkPlaces places;
} Network;

// A network of this shape whose weights are all 0. network_free() frees.
Network *network_new(int units, bool linear);
void network_free(Network *network);
AUTO_HANDLE(Network, network_free)

// Do the sums of any position stay within their 16 and 32 bits? The message names the weight.
Status network_check(const Network *network, Err *err);
// Sets the hash and writes the file.
Status network_save(Network *network, const char *path, Err *err);
// Reads a file whose bytes these are; `origin` names it in errors and notes. Its linear terms are
// matched by name (weights.h).
Status network_parse(const void *bytes, size_t size, const char *origin, Network **network,
                     Err *err);
// Reads it and leaves unknown terms out, with a note.
Status network_parse_dropping(const void *bytes, size_t size, const char *origin, Network **network,
                              Err *err);
// Returns true if a file that begins so claims to be a network.
bool network_is_file(const void *bytes, size_t size);
// Returns the checksum at the end of a network's file; "" for other files.
void network_checksum(const void *bytes, size_t size, char hex[SHA256_HEX_SIZE]);
// A comment line of weights_default.txt, `# keep_network CHECKSUM`: the compiled network of this
// checksum plays as `best`, though its linear weights are others.
#define NETWORK_KEEP "keep_network"

// Prints the lines `network compiled in` (or `none`) and network_describe() of best.
void network_version(FILE *out);
// Loads what plays: "classic", "default", "best", or the path of a weight file or of a network,
// which are told apart by their heads. `best` is the network core/eval/network_default.net that was
// compiled in while its linear weights are those of the compiled default, or NETWORK_KEEP names it;
// else it is the default. *network is NULL without a network, else the caller's to free; *weights
// are then those in it. `hash` is of what plays.
Status network_load(const char *name_or_path, Weights *weights, Network **network,
                    char hash[SHA256_HEX_SIZE], Err *err);
// Appends "evaluation NAME HASH network" or "... linear": what network_load() has loaded by `name`.
// The name is `default` where `best` has no network.
void network_describe(const char *name, const Network *network, const char *hash, Text *text);

// The hidden sums of both sides for the position seen last with the generals on their points: from
// one position of a search to the next few pieces move.
typedef struct NetworkSums {
    _Alignas(64) int16_t sum[SIDE_COUNT][NETWORK_UNITS_MAX];
    Bitboard by_type[PIECE_TYPE_COUNT], by_side[SIDE_COUNT]; // copies from the Position
    Piece board[SQUARE_COUNT];
    bool known;
} NetworkSums;
enum { PALACE_COUNT = 9 };
typedef struct NetworkCache {
    NetworkSums of[PALACE_COUNT][PALACE_COUNT]; // indexed by Red's and by Black's general
} NetworkCache;

// The network's output in units, from the side to move's view.
int network_score(const Network *network, NetworkCache *cache, const Position *position);

// SPDX-License-Identifier: GPL-3.0-or-later
// Making runs out of runs: every game is handed to a function that may change what is sampled of
// it and says where it goes. Games and their order stay; what the new runs hold is again a view of
// games.
#pragma once

#include "core/base/random.h"
#include "core/eval/weights.h"
#include "datasets/store/game_key.h"
#include "datasets/store/run.h"
#include "datasets/store/tags.h"

enum { DERIVE_MAX_OUTPUTS = 3, DERIVE_DROP = -1 };

// Returns the number of the output, or DERIVE_DROP. May change plies[].sampled and nothing else.
typedef int DeriveGame(void *context, const GameRecord *game, const TagRecord *tags,
                       PlyRecord *plies);

typedef struct DeriveSpec {
    const char *const *paths; // run directories and shards
    int path_count;
    const char *outs[DERIVE_MAX_OUTPUTS]; // directories without games; NULL ends the list
    size_t shard_games;
    RunOrigin *origin; // its rules, weights and source follow from the sources
    uint64_t seed;
    DeriveGame *game; // NULL: the sources are merged, every game goes to the only output
    void *context;
    const TagRule *tags; // games that do not fit are left out; NULL: none
    bool drop_empty;     // leave games out of which nothing is sampled
    bool any;            // merge what was made with other options, seeds or weights, too
    bool renumber;       // games get new numbers in the order of the sources (implies any)
} DeriveSpec;

typedef struct DeriveReport {
    uint64_t shards, games, plies, positions; // read
    char content_hash[SHA256_HEX_SIZE];       // of merged games, with the numbers they had
    RunWriterCounts out[DERIVE_MAX_OUTPUTS];
} DeriveReport;

// Rules and weights of the sources are handed on; what made them goes into the new runs' source
// text. Merged sources that were made alike keep the rest of their provenance, too; those whose
// ranges overlap, or that were not made alike, are refused with the shard and the value named.
Status store_derive(const DeriveSpec *spec, Progress *progress, DeriveReport *report, Err *err);

// ---- which positions ---------------------------------------------------------------------------

// Which positions a rule chooses among.
typedef enum RuleFrom { RULE_FROM_SAMPLED, RULE_FROM_PLIES } RuleFrom;

// A position stays when all of this holds.
typedef struct PositionRule {
    int from;                   // RuleFrom
    bool quiet;                 // not in check, and the move played captures nothing
    bool no_check;              // not in check
    bool scored;                // there is a score, and no mate is seen
    int min_ply, max_ply;       // plies played before it
    int every;                  // only each N-th ply of a game, counted from min_ply
    int max_score;              // |score| at most this where there is one; < 0: any
    int min_pieces, max_pieces; // on the board, both sides
    int min_phase, max_phase;   // eval_phase(): PHASE_MAX with all pieces, 0 in the bare endgame
    int agree;       // the side that is ahead by this score or by a mate does not lose; < 0: any
    int max_gap;     // units between the score and the evaluation, and no mate; < 0: any
    Weights weights; // of that evaluation
    KeySet seen;     // positions chosen of the present game: its variations, which follow it, give
                     // none of them again; zero at first, key_set_clear() frees
} PositionRule;

// DeriveGame with a PositionRule as context. An imported game has no positions behind the
// referee's end.
DeriveGame derive_by_rule;

// ---- samples and parts -------------------------------------------------------------------------

// Exactly `wanted` of `total` sampled positions, each set of them equally likely (Knuth's algorithm
// S), in the order of the games: the same for any shards.
typedef struct SampleExactly {
    Random random;
    uint64_t wanted, total; // still to choose, and from
} SampleExactly;
DeriveGame derive_sample_exactly;

// Each position with a probability, decided by seed, game and ply alone.
typedef struct SampleFraction {
    uint64_t seed;
    double fraction;
} SampleFraction;
DeriveGame derive_sample_fraction;

// At most so many of each game, decided by seed and game alone.
typedef struct SamplePerGame {
    uint64_t seed, most;
} SamplePerGame;
DeriveGame derive_sample_per_game;

// Whole games to training (output 0), validation (1) and test (2), decided by the seed and by start
// and moves alone: copies and mirror images stay together, and variations with their game.
typedef struct SplitParts {
    uint64_t seed;
    double valid, test; // fractions
    uint64_t game;      // the present one
} SplitParts;
DeriveGame derive_split;

// ---- duplicates --------------------------------------------------------------------------------

// Drops positions that came before, and games whose start and moves did. Positions are told apart
// by a hash of 64 bits. dedup_clear() frees.
typedef struct Dedup {
    bool mirrored; // a position and its left-right mirror image are one
    bool games;    // also whole games
    KeySet seen, seen_games;
} Dedup;
DeriveGame derive_dedup;
void dedup_clear(Dedup *dedup);

// SPDX-License-Identifier: GPL-3.0-or-later
// Derives runs from runs: each game goes to one output or to none, with all or some of its
// positions. Games and their order are not changed.
#pragma once

#include "datasets/store/run.h"
#include "datasets/store/tags.h"

typedef enum DeriveKind {
    DERIVE_MERGE,
    DERIVE_FILTER,
    DERIVE_SAMPLE,
    DERIVE_DEDUP,
    DERIVE_SPLIT, // writes to sub-directories of `out`
} DeriveKind;

enum { DERIVE_SPLITS = 3 };
extern const char *const derive_splits[DERIVE_SPLITS]; // names of these sub-directories

// The positions that a rule chooses from: the sampled ones, or those of all plies.
typedef enum RuleFrom { RULE_FROM_SAMPLED, RULE_FROM_PLIES } RuleFrom;

// A position is kept if all of these conditions hold.
typedef struct PositionRule {
    int from;                   // a RuleFrom
    bool quiet;                 // not in check, and the move played is not a capture
    bool no_check;              // not in check
    bool scored;                // it has a score, and no mate was found
    int min_ply, max_ply;       // plies before the position
    int every;                  // only every N-th ply of a game, counted from min_ply
    int max_score;              // largest |score|, if it has a score; < 0: any
    int min_pieces, max_pieces; // pieces of both sides on the board
    int min_phase, max_phase;   // eval_phase(): PHASE_MAX with all pieces, 0 in the bare endgame
    int max_gap; // largest difference of score and static evaluation, in units, and no mate; < 0:
                 // any
    const char *weights; // weights for this evaluation
} PositionRule;

typedef struct DeriveSpec {
    DeriveKind kind;
    const char *out; // output directory, which must not hold games
    int shard_games;
    bool drop_empty; // drop games without sampled positions
    uint64_t seed;   // seed of samples and splits

    bool any;      // merge: accept sources with different options, seeds or weights
    bool renumber; // merge: number the games anew in the order of the sources (implies any)

    PositionRule rule; // filter: rule for positions; those after the referee's end of an imported
                       // game never fit
    TagRule tags;      // filter: condition that a game must meet

    // sample: the option that the user gave decides which of these three numbers applies.
    uint64_t positions; // keep exactly this number of positions; all choices are equally likely
    double fraction; // keep each position with this probability; depends on seed, game and ply only
    uint64_t per_game; // keep at most this number of positions of each game

    // dedup: drop positions that occurred before, as identified by a 64-bit hash.
    bool mirrored; // treat a position and its left-right mirror image as equal
    bool games;    // also drop games whose start position and moves occurred before

    // split: fractions of games. The choice depends only on the seed and on start position and
    // moves. Copies and mirror images stay together, and variations stay with their game.
    double valid, test;
} DeriveSpec;

typedef struct DeriveReport {
    uint64_t shards, games, plies, positions; // number read
    uint64_t dates_unread; // games whose date cannot be read, although the rule needs the year
    char content_hash[SHA256_HEX_SIZE]; // hash of the merged games before renumbering
    RunWriterCounts out[DERIVE_SPLITS]; // counts per output; only a split has more than one
} DeriveReport;

// Derives runs from the run directories and shards in the call's arguments. Outputs keep rules and
// weights of the sources, and name the sources in their provenance. Merged sources that were made
// alike also keep the rest of their provenance. Merging refuses overlapping ranges and sources made
// differently, and names shard and value.
Status store_derive(const CommandCall *call, const DeriveSpec *spec, Progress *progress,
                    DeriveReport *report, Err *err);

// Prints the counts of sources and outputs.
void derive_print(const DeriveSpec *spec, const DeriveReport *report, bool json, FILE *out);

// SPDX-License-Identifier: GPL-3.0-or-later
// Making runs out of runs: every game goes to a run, or to none, with some of its positions. Games
// and their order stay.
#pragma once

#include "datasets/store/run.h"
#include "datasets/store/tags.h"

typedef enum DeriveKind {
    DERIVE_MERGE,
    DERIVE_FILTER,
    DERIVE_SAMPLE,
    DERIVE_DEDUP,
    DERIVE_SPLIT, // to sub-directories of `out`
} DeriveKind;

enum { DERIVE_PARTS = 3 };
extern const char *const derive_parts[DERIVE_PARTS]; // names of those

typedef enum RuleFrom { RULE_FROM_SAMPLED, RULE_FROM_PLIES } RuleFrom;

// A position stays when all of this holds.
typedef struct PositionRule {
    int from;                   // RuleFrom: which positions it chooses among
    bool quiet;                 // not in check, and the move played captures nothing
    bool no_check;              // not in check
    bool scored;                // there is a score, and no mate is seen
    int min_ply, max_ply;       // plies played before it
    int every;                  // only each N-th ply of a game, counted from min_ply
    int max_score;              // |score| at most this where there is one; < 0: any
    int min_pieces, max_pieces; // on the board, both sides
    int min_phase, max_phase;   // eval_phase(): PHASE_MAX with all pieces, 0 in the bare endgame
    int max_gap;                // units between the score and the evaluation, and no mate; < 0: any
    const char *weights;        // of that evaluation
} PositionRule;

typedef enum SampleWay { SAMPLE_POSITIONS, SAMPLE_FRACTION, SAMPLE_PER_GAME } SampleWay;

typedef struct DeriveSpec {
    DeriveKind kind;
    const char *out; // directory without games
    int shard_games;
    bool drop_empty; // leave games out of which nothing is sampled
    uint64_t seed;   // of samples and parts

    bool any;      // merge: what was made with other options, seeds or weights, too
    bool renumber; // merge: games get new numbers in the order of the sources (implies any)

    PositionRule rule; // filter: of an imported game no positions behind the referee's end
    TagRule tags;      // filter: games that do not fit are left out

    // One of these samples, `way` of them: so many positions, each set of them equally likely; each
    // with a probability, decided by seed, game and ply alone; at most so many of each game.
    int way; // SampleWay
    uint64_t positions, per_game;
    double fraction;

    // dedup drops positions that came before, told apart by a hash of 64 bits.
    bool mirrored; // a position and its left-right mirror image are one
    bool games;    // also games whose start and moves came before

    // split: fractions of the games, decided by the seed and by start and moves alone: copies and
    // mirror images stay together, and variations with their game.
    double valid, test;
} DeriveSpec;

typedef struct DeriveReport {
    uint64_t shards, games, plies, positions; // read
    uint64_t dates_unread;                    // of games that a rule wants by their year
    char content_hash[SHA256_HEX_SIZE];       // of merged games, with the numbers they had
    RunWriterCounts out[DERIVE_PARTS];        // the first alone, but of a split
} DeriveReport;

// Derives from the run directories and shards that the call names. Rules and weights of the sources
// are handed on; what made them goes into the new runs' source text. Merged sources that were made
// alike keep the rest of their provenance, too; those whose ranges overlap, or that were not made
// alike, are refused with the shard and the value named.
Status store_derive(const CommandCall *call, const DeriveSpec *spec, Progress *progress,
                    DeriveReport *report, Err *err);

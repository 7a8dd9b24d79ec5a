// SPDX-License-Identifier: GPL-3.0-or-later
// Makes new runs from stored runs. A run is a directory of files with games. Each game is written
// to one of the outputs or dropped. Which of its positions are sampled can change, but its moves do
// not.
#pragma once

#include "datasets/store/run.h"
#include "datasets/store/tags.h"

typedef enum DeriveKind {
    DERIVE_MERGE,
    DERIVE_FILTER,
    DERIVE_SAMPLE,
    DERIVE_DEDUP,
    DERIVE_SPLIT, // writes three runs, in sub-directories of `out`
} DeriveKind;

enum { DERIVE_SPLITS = 3 };
// Names of the sub-directories that DERIVE_SPLIT writes.
extern const char *const derive_splits[DERIVE_SPLITS];

// The positions to which a PositionRule applies: the sampled positions (RULE_FROM_SAMPLED), or the
// positions before each ply (RULE_FROM_PLIES).
typedef enum RuleFrom { RULE_FROM_SAMPLED, RULE_FROM_PLIES } RuleFrom;

// Conditions for keeping a position. All of them must hold.
typedef struct PositionRule {
    int from;             // RuleFrom: the positions to which the rule applies
    bool quiet;           // the side to move is not in check, and the played move is no capture
    bool no_check;        // the side to move is not in check
    bool scored;          // the position has a score that is not a mate
    int min_ply, max_ply; // limits for the number of plies before the position
    int every;            // keep only every N-th ply, counted from min_ply
    int max_score; // largest absolute score of a kept position, in units; < 0: no limit. A limit
                   // also drops positions with a mate score, but not positions without a score
    int min_pieces, max_pieces; // limits for the number of pieces on the board
    // Smallest and largest game phase of a kept position. eval_phase() computes the phase:
    // PHASE_MAX with all chariots, horses and cannons, 0 without these pieces.
    int min_phase, max_phase;
    // Largest difference between score and static evaluation of a kept position, in units; < 0: no
    // limit. A limit also drops positions with a mate score, but not positions without a score.
    int max_gap;
    const char *weights; // name or file of the weights of this static evaluation
} PositionRule;

typedef struct DeriveSpec {
    DeriveKind kind;
    const char *out; // directory of the new run; it must not hold games
    int shard_games; // largest number of games in a shard
    bool drop_empty; // drop games in which no position is sampled
    uint64_t seed;   // seed for the random choices of 'data sample' and 'data split'

    // Options of 'data merge'.
    bool any;      // accept sources that differ from each other in options, seeds or weights
    bool renumber; // give the games new numbers in the order of the sources; has the effect of
                   // `any`, and also accepts sources with equal game numbers

    // 'data filter': conditions for the positions that are sampled in the new run. They are chosen
    // from the sampled positions of the source. With RULE_FROM_PLIES they are chosen from the
    // positions before each of the first end_ply plies of a game (GameRecord.end_ply).
    PositionRule rule;
    TagRule tags; // 'data filter': conditions for games
    // 'data filter': names of end reasons, separated by commas; NULL: no condition. A game is kept
    // if its reason is named, or not named with '!' before it. `faults` names all faults of
    // players.
    const char *end;

    // 'data sample': only one of the following three members applies. It is the one whose option
    // (--positions, --fraction or --per-game) the user gave.
    uint64_t positions; // keep exactly this number of positions; each selection is equally likely
    double fraction;    // keep each position with this probability; the choice depends only on the
                        // seed, the number of the game and the ply
    uint64_t per_game;  // keep at most this number of positions of each game

    // 'data dedup': a position that equals an earlier sampled position is no longer sampled.
    // Positions are compared by a 64-bit hash.
    bool mirrored; // treat a position and its left-right mirror image as equal
    bool games; // also drop a game if an earlier one has the same start position and moves, or is
                // its mirror image

    // 'data split': probabilities of a game to go to the outputs valid and test. The output
    // depends only on the seed, the start position and the moves. Copies and mirror images of a
    // game go to the same output, and variations go with their main line.
    double valid, test;
} DeriveSpec;

typedef struct DeriveReport {
    // Numbers of shards, games, plies and sampled positions that were read from the sources.
    uint64_t shards, games, plies, positions;
    // 'data filter': number of games whose date cannot be read, if there is a condition on the year
    uint64_t dates_unread;
    char content_hash[SHA256_HEX_SIZE]; // 'data merge': hash of all games, with their old numbers
    RunWriterCounts out[DERIVE_SPLITS]; // counts of each output; a split has three, others have one
} DeriveReport;

// Makes the runs that `spec` describes from the run directories and shards in the call's arguments.
// The provenance of an output has the rules and weights of the sources and names the sources.
// Unless `any` or `renumber` is set, DERIVE_MERGE accepts only shards with equal identities (the
// settings that determine the games). The merged run gets this identity, and the kind, command,
// seed and options of the first shard; for self-play, its --games becomes the smallest range that
// contains the --games ranges of all shards. Shards that cover the same game numbers are refused
// unless `renumber` is set. The error message names the shards and the difference.
Status store_derive(const CommandCall *call, const DeriveSpec *spec, Progress *progress,
                    DeriveReport *report, Err *err);

// Prints the counts of the sources. If the dates of some games cannot be read, prints their number.
// Unless the kind is DERIVE_MERGE, also prints the counts of the outputs.
void derive_print(const DeriveSpec *spec, const DeriveReport *report, bool json, FILE *out);

// SPDX-License-Identifier: GPL-3.0-or-later
// Computes statistics of the games in a run directory or shard.
#pragma once

#include "datasets/store/sense.h"
#include "datasets/store/store.h"

enum {
    LENGTH_BIN_PLIES = 20, // width of a bin of `lengths`, plies
    LENGTH_BINS = 26,
    PIECE_BINS = 33, // one bin of `pieces` for each number of pieces, 0 to 32
    PHASE_BIN = 6,   // width of a bin of `phases`, in units of eval_phase(), which is 0 to 48
    PHASE_BINS = 9,
    SCORE_BIN = 100, // width of a bin of `scores`, units
    SCORE_BINS = 21, // the first and last bin of `scores` also count all scores beyond them
    REPEAT_BINS = 6, // number of bins of `repeats`: 1, 2, 3-4, 5-9, 10-99, 100 or more occurrences
};

// Limit of ordinary search scores, in units. It equals 150 points; a chariot is worth about 9
// points. A score beyond this limit that is not a mate means that the search expects the rules of
// repetition to decide the game.
enum { RULE_SCORE = 15000 };

typedef struct StoreSummary {
    uint64_t shards, games, plies, positions;
    uint64_t first_game, end_game; // the shards cover game indices from first_game to end_game - 1
    uint64_t missing;              // number of indices from first_game to end_game - 1 that no
                                   // shard covers
    // Number of games if the records of a group (/games/group) count as one game; and number of
    // records that have a group.
    uint64_t groups, grouped;
    uint64_t results[3]; // number of games that Black won, that were drawn, that Red won
    uint64_t reasons[END_REASON_COUNT];     // number of games, indexed by their stored end reason
    uint64_t end_reasons[END_REASON_COUNT]; // number of games with game_result_is_given(),
                                            // indexed by the reason for which the rules end the
                                            // game
    uint64_t shortest, longest;             // number of plies of the shortest and the longest game
    uint64_t lengths[LENGTH_BINS]; // number of games by length; the last bin also counts all longer
                                   // games
    uint64_t pieces[PIECE_BINS];   // number of sampled positions by number of pieces on the board
    uint64_t different_games;      // number of games that differ in start position or moves; mirror
                                   // images count as one
    uint64_t openings; // number of distinct positions after the opening, or after eight plies if no
                       // opening is recorded
    uint64_t distinct; // number of distinct sampled positions
    uint64_t repeats[REPEAT_BINS]; // number of distinct sampled positions by number of occurrences
    uint64_t most_repeated;        // number of occurrences of the most frequent sampled position
    uint64_t phases[PHASE_BINS];   // number of sampled positions by game phase; the phase is 48
                                   // with all pieces on the board
    uint64_t scores[SCORE_BINS]; // number of sampled positions by score from Red's side; a position
                                 // without a score or with a mate score is not counted
    uint64_t tagged;             // number of games with tags
    uint64_t scored;             // number of plies that have a score or a mate
    uint64_t spikes;             // sum of plies_spikes() over all games
    // Number of plies whose score has an absolute value above RULE_SCORE and is not a mate.
    // `unproved` counts those in games that ended by adjudication or the ply limit. In the other
    // games, `refuted` counts those whose score favours a side that did not win.
    uint64_t rule_scores, rule_scores_refuted, rule_scores_unproved;
    Sense sense;                        // whether the scores and results make sense together
    uint64_t bytes;                     // size of all shard files, bytes
    char content_hash[SHA256_HEX_SIZE]; // content hash of all games
} StoreSummary;

// Reads all games of a store and computes its statistics. The store may be an unfinished run.
Status store_summarise(const char *path, int threads, Progress *progress, StoreSummary *summary,
                       Err *err);

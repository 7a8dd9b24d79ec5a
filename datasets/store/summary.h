// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of a store.
#pragma once

#include "datasets/store/store.h"

enum {
    LENGTH_BIN_PLIES = 20,
    LENGTH_BINS = 26,
    PIECE_BINS = 33,
    PHASE_BIN = 6, // bin width in units of eval_phase(), 0..48
    PHASE_BINS = 9,
    SCORE_BIN = 100, // bin width in score units, from Red's side
    SCORE_BINS = 21, // the first and last bin hold everything beyond them
    REPEAT_BINS = 6, // positions that occur once, twice, 3-4, 5-9, 10-99 times, or more often
};

// A score beyond this, 150 points, is a claim that the rules of repetition decide the game.
enum { RULE_SCORE = 15000 };

typedef struct StoreSummary {
    uint64_t shards, games, plies, positions;
    uint64_t first_game, end_game; // range of all shards
    uint64_t missing;              // games in this range that no shard covers
    uint64_t results[3];           // games won by Black, drawn, won by Red
    uint64_t reasons[END_REASON_COUNT];
    uint64_t end_reasons[END_REASON_COUNT]; // the referee's reasons for imported games
    uint64_t shortest, longest;             // plies of the shortest and longest game
    uint64_t lengths[LENGTH_BINS]; // games by number of plies; the last bin holds all longer ones
    uint64_t pieces[PIECE_BINS];   // positions by number of pieces
    uint64_t different_games; // games with different start or moves; mirror images count as one
    uint64_t openings;        // different positions at the end of openings
    uint64_t distinct;        // different positions among the sampled ones
    uint64_t repeats[REPEAT_BINS]; // distinct positions by number of occurrences
    uint64_t most_repeated;        // occurrences of the most frequent position
    uint64_t phases[PHASE_BINS];   // positions by phase; 48 with all pieces
    uint64_t scores[SCORE_BINS];   // positions by score; those without a score are not counted
    uint64_t tagged;               // games with tags
    uint64_t scored;               // plies with a score or mate
    uint64_t spikes;               // plies_spikes() of all games
    // Plies with a score beyond RULE_SCORE that is no mate; those whose side did not win; those
    // whose game was adjudicated.
    uint64_t rule_scores, rule_scores_refuted, rule_scores_unproved;
    uint64_t bytes; // size of the files
    char content_hash[SHA256_HEX_SIZE];
} StoreSummary;

// Reads a whole store, which may be unfinished, and computes its statistics.
Status store_summarise(const char *path, int threads, Progress *progress, StoreSummary *summary,
                       Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of what a store holds.
#pragma once

#include "datasets/store/store.h"

enum {
    LENGTH_BIN_PLIES = 20,
    LENGTH_BINS = 26,
    PIECE_BINS = 33,
    PHASE_BIN = 6, // of eval_phase(), 0..48
    PHASE_BINS = 9,
    SCORE_BIN = 100, // units, from Red's side
    SCORE_BINS = 21, // the first and the last hold all beyond
    REPEAT_BINS = 6, // positions that occur once, twice, 3-4, 5-9, 10-99 times, more often
};

// A score beyond this, 150 points, is a claim that the rules of repetition decide the game.
enum { RULE_SCORE = 15000 };

typedef struct StoreSummary {
    uint64_t shards, games, plies, positions;
    uint64_t first_game, end_game; // of all shards
    uint64_t missing;              // games between these two that no shard answers for
    uint64_t results[3];           // Black wins, draws, Red wins
    uint64_t reasons[END_REASON_COUNT];
    uint64_t end_reasons[END_REASON_COUNT]; // imported games: what the referee says
    uint64_t shortest, longest;             // plies of a game
    uint64_t lengths[LENGTH_BINS];          // games by plies; the last bin holds all longer ones
    uint64_t pieces[PIECE_BINS];            // positions by pieces on the board
    uint64_t different_games;               // start and moves, mirror images as one
    uint64_t openings;                      // different positions where the openings end
    uint64_t distinct;                      // different positions among the sampled ones
    uint64_t repeats[REPEAT_BINS];          // of these, by how often they occur
    uint64_t most_repeated;                 // how often the most frequent one does
    uint64_t phases[PHASE_BINS];            // positions by phase: 48 with all pieces
    uint64_t scores[SCORE_BINS];            // positions by score; those without one are left out
    uint64_t tagged;                        // games with tags
    uint64_t scored;                        // plies with a score or mate
    uint64_t spikes;                        // plies_spikes() of all games
    uint64_t rule_scores;                   // plies with a score beyond RULE_SCORE that is no mate
    uint64_t rule_scores_refuted;           // of these: the winner of the score did not win
    uint64_t rule_scores_unproved;          // of these: the game ended by adjudication
    uint64_t bytes;                         // of the files
    char content_hash[SHA256_HEX_SIZE];
} StoreSummary;

Status store_summarise(const char *path, int threads, Progress *progress, StoreSummary *summary,
                       Err *err);

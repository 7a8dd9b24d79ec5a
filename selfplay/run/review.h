// SPDX-License-Identifier: GPL-3.0-or-later
// Review of games: what each move lost, and the better line.
//
// The value of a position is the expected points 1 / (1 + exp(-K score)) of a search, 0 or 1 if the
// score is a mate, or the result if the rules end the game there. The loss of a move is the value
// of the position before it minus that of the position after it, from the side that moved. A best
// move loses 0, and no loss is negative. A search after a move is one ply deeper than a search
// before it, and sees what the other did not. So if the loss is worth a mark, the positions after
// the best move and after the move played are searched in turn, several times, and the last
// searches decide (E-098).
//
// The positions of a game are searched from its end to its beginning with one transposition table,
// so a search knows what the game shows later. A game is reviewed by one thread. Its review is a
// function of the game, the player and its limits only.
#pragma once

#include "datasets/formats/games_read.h"
#include "selfplay/engines/player_setup.h"
#include "selfplay/run/play_game.h"

// Marks: REVIEW_MARK(id, name, expected points from which on a move has the mark). Measured in
// E-098.
#define REVIEW_MARKS(REVIEW_MARK)                                                                  \
    REVIEW_MARK(GOOD, "-", 0)                                                                      \
    REVIEW_MARK(INACCURACY, "inaccuracy", 0.05)                                                    \
    REVIEW_MARK(MISTAKE, "mistake", 0.10)                                                          \
    REVIEW_MARK(BLUNDER, "blunder", 0.20)

typedef enum ReviewMark {
#define REVIEW_MARK(id, name, from) REVIEW_##id,
    REVIEW_MARKS(REVIEW_MARK)
#undef REVIEW_MARK
        REVIEW_MARK_COUNT
} ReviewMark;

extern const char *const review_mark_names[REVIEW_MARK_COUNT];
extern const double review_mark_from[REVIEW_MARK_COUNT];

typedef struct ReviewPly {
    double expected; // expected points of Red before the move
    double loss;     // expected points that the move lost
    ReviewMark mark;
    Move line[PLAYER_EXPECTED_MAX]; // the best move and the line that follows it
    int count;                      // length of the line
} ReviewPly;

typedef struct ReviewSide {
    uint32_t moves, marks[REVIEW_MARK_COUNT];
    double accuracy; // per cent; NAN without moves
} ReviewSide;

typedef struct ReviewedGame {
    ExportGame game;    // the game with the scores and preferred moves of the review
    PlyRecord *plies;   // plies of `game`
    char *names[4];     // strings of `game`
    ReviewPly *reviews; // [record.ply_count]; extra moves of odds are not reviewed
    double expected;    // expected points of Red at the end
    ReviewSide sides[SIDE_COUNT];
} ReviewedGame;

typedef struct ReviewSpec {
    const char *path; // see GamesReading.path
    const PlayerSetup *player;
    Rules rules;
    double k; // K, for units
    int threads;
    bool (*reviewed)(void *context, const ReviewedGame *game); // receives the games in order, and
                                                               // returns false to end the review
    ImportHooks hooks; // receives the records that cannot be read, in their place
    void *context;     // first argument of `reviewed`
} ReviewSpec;

// Finds K, the slope that links scores to results, in the record of the fit that is part of the
// weights: a line "k NUMBER". Returns true, or returns false and sets *k to the usual value if the
// weights do not say it.
bool review_find_k(const PlayerSetup *player, double *k);

// Reviews all games. Progress is in moves. Returns STATUS_INTERRUPTED after Ctrl-C; games that are
// not finished are then left out.
Status review_games(const ReviewSpec *spec, Progress *progress, Err *err);

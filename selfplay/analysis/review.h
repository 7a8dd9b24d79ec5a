// SPDX-License-Identifier: GPL-3.0-or-later
// Review of games: finds what each move lost, and the best line.
//
// The value of a position is the expected points of a side, 1 / (1 + exp(-K score)). `score` is the
// score that a search found, in units, and K is a factor from the fit of the weights. The value is
// 0 or 1 if the search finds a mate. If the rules end the game in its last position, the value of
// this position is the result. The loss of a move is the value of the position before the move
// minus the value of the position after it, both from the side that moved. The best move has the
// loss 0, and a negative loss counts as 0. A search after a move sees one ply further than the
// search before it. Therefore, if a loss is large enough to mark the move as an inaccuracy, a
// mistake or a blunder, the positions after the best move and after the played move are compared
// three times, with deeper and deeper searches. The last comparison decides (experiment E-098 in
// experiments.md). For the position after the played move, the first comparison reuses the score
// that is already known. Everything else is searched again.
//
// The positions of a game are searched from the last to the first with one transposition table, so
// the search of a position can use the results of later positions. One thread reviews a game.
// Unless the player is another program or has a limit of time, the review depends only on the game
// and the options.
#pragma once

#include "datasets/exchange/games_read.h"
#include "selfplay/engines/player_setup.h"
#include "selfplay/run/play_game.h"

// REVIEW_MARK(id, name, loss): the marks of moves. `loss` is the smallest loss in expected points
// for which a move gets the mark. E-098 measured how many moves get each mark.
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
    double expected; // value of the position before the move, in expected points of Red
    double loss;     // expected points that the move lost, from the side that moved
    ReviewMark mark;
    Move line[PLAYER_EXPECTED_MAX]; // the best move and the moves that follow it
    int count;                      // number of moves in `line`
} ReviewPly;

// Sums over the reviewed moves of one side.
typedef struct ReviewSide {
    uint32_t moves, marks[REVIEW_MARK_COUNT]; // number of all moves, and number of moves with each
                                              // mark
    double accuracy; // mean accuracy of the side's moves in per cent; NAN if it made no move
} ReviewSide;

typedef struct ReviewedGame {
    ExportGame game; // the reviewed game, with the scores and preferred moves that the review found
    PlyRecord *plies;   // plies of `game`, writable
    char *names[4];     // strings that `game` points to, owned
    ReviewPly *reviews; // review of each ply, [game.game->ply_count]; plies before
                        // review_first_ply() are not reviewed
    double expected;    // value of the position after the last move, in expected points of Red
    ReviewSide sides[SIDE_COUNT];
} ReviewedGame;

typedef struct ReviewSpec {
    const char *path; // file or run that contains the games, see GamesReading.path
    const PlayerSetup *player;
    Rules rules;
    double k; // factor K in the formula of expected points, per unit
    int threads;
    // Receives the reviewed games in order. Returns false to end the review with
    // STATUS_INTERRUPTED.
    bool (*reviewed)(void *context, const ReviewedGame *game);
    ImportHooks hooks; // hooks.refused() receives each record that cannot be read, after the games
                       // that precede it
    void *context;     // first argument of the callback reviewed()
} ReviewSpec;

// Returns the index of the first reviewed ply. The players did not choose the moves before it: the
// extra moves of a handicap, and the opening if the game says how long it is (a run does, and a PGN
// with {book}).
uint32_t review_first_ply(const GameRecord *game);

// Finds K, the factor that converts scores into expected points. `tune` writes it into a file of
// weights as a line "# k NUMBER", `train` into the provenance of a network as a line "k NUMBER". If
// the player's weights or network have no such line, or the player is a program, sets *k to the K
// of the compiled default weights and returns false.
bool review_find_k(const PlayerSetup *player, double *k);

// Reviews all games. Progress is counted in plies. Returns STATUS_INTERRUPTED after Ctrl-C or if
// reviewed() returned false. In both cases no game after the first unfinished one is passed to
// reviewed().
Status review_games(const ReviewSpec *spec, Progress *progress, Err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// A small engine that speaks UCI and the lines of a trace (tuner/README.md). It uses nothing of
// Paotai but the rules (core/board). It searches two plies and captures, and its values are wrong
// on purpose: the recipe "Tune my own engine" in README.md finds better ones. `gcc -include FILE.h`
// compiles in the values of `paotai tune --out FILE.h`.
#include <stdio.h>
#include <string.h>

#include "core/board/attacks.h"
#include "core/board/position.h"

#ifndef FITTED_TERMS_H
static const int material_chariot = 500, material_cannon = 450, material_horse = 900;
static const int material_elephant = 200, material_advisor = 200, material_soldier = 100;
static const int mobility_chariot = 0, mobility_cannon = 0, mobility_horse = 0;
static const int soldier[RANK_COUNT] = {[5] = 100, [6] = 100, [7] = 100, [8] = 100, [9] = 100};
#endif

enum { MATERIAL = 0, MOBILITY = 6, ADVANCE = 9, TERMS = 14 };
static const char *const term_names[TERMS] = {
    "material[advisor]", "material[elephant]", "material[horse]", "material[chariot]",
    "material[cannon]",  "material[soldier]",  "mobility[horse]", "mobility[chariot]",
    "mobility[cannon]",  "soldier[5]",         "soldier[6]",      "soldier[7]",
    "soldier[8]",        "soldier[9]"};
static int values[TERMS];

static void set_values(void) {
    const int first[ADVANCE] = {material_advisor, material_elephant, material_horse,
                                material_chariot, material_cannon,   material_soldier,
                                mobility_horse,   mobility_chariot,  mobility_cannon};
    memcpy(values, first, sizeof first);
    memcpy(values + ADVANCE, soldier + 5, (TERMS - ADVANCE) * sizeof *values);
}

// Counts how often each term occurs, Red's count minus Black's.
static void count_terms(const Position *board, int count[TERMS]) {
    memset(count, 0, TERMS * sizeof *count);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = board->board[square];
        const PieceType type = piece_type(piece);
        if (type == NO_PIECE_TYPE || type == GENERAL) continue;
        const int sign = piece_side(piece) == RED ? 1 : -1;
        const int rank = sign > 0 ? square_rank(square) : RANK_COUNT - 1 - square_rank(square);
        count[MATERIAL + type - ADVISOR] += sign;
        if (type >= HORSE && type <= CANNON) {
            count[MOBILITY + type - HORSE] += sign * bb_count(position_reach(board, square));
        }
        if (type == SOLDIER && rank >= 5) count[ADVANCE + rank - 5] += sign;
    }
}

// Returns the value for Red.
static int evaluate(const Position *board) {
    int count[TERMS], sum = 0;
    count_terms(board, count);
    for (int i = 0; i < TERMS; i++) sum += count[i] * values[i];
    return sum;
}

// Answers `trace terms`: names and values.
static void print_terms(void) {
    for (int i = 0; i < TERMS; i++) printf("trace term %s %d\n", term_names[i], values[i]);
    printf("trace ok %d\n", TERMS);
}

// Answers `trace eval`: the value and the coefficients of the position.
static void print_row(const Position *board) {
    int count[TERMS];
    count_terms(board, count);
    printf("trace row value %d terms", evaluate(board));
    for (int i = 0; i < TERMS; i++) {
        if (count[i]) printf(" %d:%d", i, count[i]);
    }
    printf("\n");
}

enum { MATE = 30000, PLIES = 2 };
static unsigned long nodes;

// Searches two plies, then captures. Returns the score for the side to move. *best becomes the best
// move, or MOVE_NONE.
static int search(const Position *board, int plies, int alpha, int beta, Move *best) {
    MoveList moves;
    Move reply;
    *best = MOVE_NONE;
    nodes++;
    if (plies > 0) {
        position_legal_moves(board, &moves);
        if (moves.count == 0) return -MATE - plies;
    } else {
        const int value = board->stm == RED ? evaluate(board) : -evaluate(board);
        if (value > alpha) alpha = value;
        position_captures(board, &moves);
    }
    for (int i = 0; i < moves.count && alpha < beta; i++) {
        Position after;
        if (plies <= 0 && !position_is_legal(board, moves.moves[i])) continue;
        position_do_move(board, moves.moves[i], &after);
        const int score = -search(&after, plies - 1, -beta, -alpha, &reply);
        if (score > alpha || (plies > 0 && *best == MOVE_NONE)) *best = moves.moves[i];
        if (score > alpha) alpha = score;
    }
    return alpha;
}

static void go(const Position *board) {
    Move best;
    char text[5];
    nodes = 0;
    const int score = search(board, PLIES, -2 * MATE, 2 * MATE, &best);
    if (best) move_to_uci(best, text);
    printf("info depth %d score cp %d nodes %lu\n", PLIES, score, nodes);
    printf("bestmove %s\n", best ? text : "(none)");
}

static void set_position(char *line, Position *board) {
    const char *fen;
    char *moves;
    if (!fen_split_moves(line, &fen, &moves)) return;
    if (position_from_fen(board, fen, NULL) != STATUS_OK) position_init_start(board);
    for (char *word = strtok(moves, " \r\n"); word; word = strtok(NULL, " \r\n")) {
        const Position before = *board;
        if (position_is_pseudo_legal(&before, move_from_uci(word))) {
            position_do_move(&before, move_from_uci(word), board);
        }
    }
}

int main(void) {
    static char line[65536];
    Position board;
    core_init();
    position_init_start(&board);
    set_values();
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4) != 0) {
        if (strncmp(line, "uci\n", 4) == 0) printf("id name Pocket\nuciok\n");
        if (strncmp(line, "isready", 7) == 0) printf("readyok\n");
        if (strncmp(line, "position", 8) == 0) set_position(line, &board);
        if (strncmp(line, "go", 2) == 0) go(&board);
        if (strncmp(line, "trace terms", 11) == 0) print_terms();
        if (strncmp(line, "trace eval", 10) == 0) print_row(&board);
        fflush(stdout);
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The move counter: a second representation of the board, made to count legal moves and nothing
// else.
//
// Every rank and file is a "line" of ten-bit fields: occupied points, points where each side may
// go, and what is dangerous of each side. A piece comes or goes by one shifted exclusive-or of each
// of its two lines. Pieces are also listed by number ("slot"), so that the code for two chariots
// runs without a branch when one of them is gone: a captured piece stands off the board, on lines
// that are always empty.
#pragma once

#include "bench/perft/perft_hash.h"
#include "core/board/position.h"

typedef union Line {
    struct {
        uint16_t occupied;
        uint16_t free[SIDE_COUNT]; // points without a piece of the side: empty or the other's
        uint16_t unused;
        // Low half: the side's chariots and its general, which attack the first piece they see (of
        // a general only the rival matters). High half: its cannons, which attack the second.
        uint32_t danger[SIDE_COUNT];
    };
    Bits128 all; // the same, for the exclusive-or
} Line;

enum {
    LINE_BITS = 10,
    LINE_STATES_ALL = 1 << LINE_BITS,
    LINE_NONE = RANK_COUNT, // index and number of the line that is always empty
    LINE_COUNT = LINE_NONE + 1,
    HALF_SQUARES = SQUARE_COUNT / 2,
};

// What stands around an index of a line of a given occupancy: fields of 16 bits, both directions
// together. The low two lie as in Line.danger: an index is attacked where they have a bit in
// common.
enum {
    SEEN_FIRST = 0,   // the first piece
    SEEN_SECOND = 16, // the second piece
    SEEN_QUIET = 32,  // empty points before the first piece
    SEEN_THIRD = 48,  // the third piece
};

// Pieces by number: a side's begin at SLOTS_A_SIDE * side.
enum {
    SLOT_GENERAL = 0,
    SLOT_CHARIOT = 1,
    SLOT_CANNON = 3,
    SLOT_HORSE = 5,
    SLOT_ELEPHANT = 7,
    SLOT_ADVISOR = 9,
    SLOT_SOLDIER = 11,
    SLOTS_A_SIDE = 16,
    SLOT_EMPTY = 32, // an empty point
    SLOT_WALL = 33,  // the point off the board
    SLOT_COUNT = 34,
};

typedef struct Place {
    uint8_t square, file, rank; // SQUARE_NONE, LINE_NONE, LINE_NONE when captured
    uint8_t half;               // square within its half of the board, 0..44
} Place;

typedef struct CounterTables {
    uint64_t seen[LINE_COUNT][LINE_STATES_ALL]; // SEEN_* fields, by index and occupancy
    uint16_t gap[LINE_COUNT]
                [LINE_STATES_ALL];        // empty points between the first piece and the second
    Bitboard horse[SQUARE_COUNT + 1][16]; // targets by occupied legs: left 1, down 2, right 4, up 8
    Bitboard along_file[LINE_STATES_ALL]; // bit r -> point (a, r)
    Bitboard bit[SQUARE_COUNT + 1];       // of a point; none for the one off the board
    Bitboard near[SQUARE_COUNT];          // where horses and soldiers that attack a point stand
    uint64_t half_bit[SQUARE_COUNT + 1];  // bit of Place.half; none off the board
    uint64_t general[SQUARE_COUNT];       // steps of a general, as a set of Place.half
    uint64_t advisor[SQUARE_COUNT + 1];   // the same of an advisor
    uint64_t elephant[HALF_SQUARES + 1][16]; // of an elephant, by eyes: down-left 1, up-left 2, ...
    Line pattern[SLOT_COUNT][LINE_COUNT];    // a piece's bits by its index on a line
    Place place[SQUARE_COUNT + 1];
    uint8_t horse_leg[SQUARE_COUNT]
                     [SQUARE_COUNT + 1]; // [hit][horse]: the leg; SQUARE_NONE: too far
} CounterTables;

typedef struct Counter {
    const CounterTables *tables;
    PerftHash *hash;                         // NULL: counts are not remembered
    bool differential;                       // depth 2 by differences, not by making each move
    Line rank[LINE_COUNT], file[LINE_COUNT]; // the tenth point of a rank is a wall, free to nobody
    Bitboard own[SIDE_COUNT];                // points of each side's pieces
    Place place[SLOT_COUNT];                 // of each piece
    uint32_t alive;                          // bit of each slot whose piece is on the board
    uint8_t slot[SQUARE_COUNT + 1];          // the piece on each point
} Counter;

// The tables, read only, shared by all counters; release with free().
CounterTables *counter_tables_new(void);

// Sets *counter to a position, without hash or differences (set the members to have them). The side
// to move is the caller's to keep; tables is borrowed.
void counter_init(Counter *counter, const CounterTables *tables, const Position *position);

// Number of legal moves of `us`, who may be in check, without making any of them.
unsigned counter_count(const Counter *counter, Side us);

// Perft of any depth. key is the position's Zobrist key (Position.key); only the hash reads it.
// When the user interrupts (core/base/interrupt.h) the number is incomplete.
uint64_t counter_perft(Counter *counter, Side us, int depth, uint64_t key);

// SPDX-License-Identifier: GPL-3.0-or-later
// A position: the placement of the pieces, the side to move and the counters. Positions are copied,
// not unmade: position_do_move() writes the position after a move into another struct.
#pragma once

#include "core/base/status.h"
#include "core/board/types.h"

// The pieces of a rank or file. Bit i stands for point i: bits 0-15 for pieces of both sides, bits
// 16-31 for Red's pieces.
typedef uint32_t Line;

typedef struct Position {
    Bitboard
        by_type[PIECE_TYPE_COUNT]; // points of each type, both sides; [NO_PIECE_TYPE]: all pieces
    Bitboard by_side[SIDE_COUNT];  // points of each side
    uint64_t key;                  // Zobrist hash of placement and side to move
    Piece board[SQUARE_COUNT];     // the piece on each point, or PIECE_NONE
    Line rank[RANK_COUNT];         // bit f of rank[r] is the point (f, r)
    Line file[FILE_COUNT];         // bit r of file[f] is the point (f, r)
    uint8_t general[SIDE_COUNT];   // square of each general
    uint8_t stm;                   // side to move (a Side)
    uint16_t halfmove;             // plies since the last capture
    uint16_t fullmove;             // FEN move number, 1 at the start
} Position;

#define START_FEN "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

enum { FEN_SIZE = 160 }; // bytes that hold any FEN, terminator included

// FEN_UCI writes B and N for elephant and horse; FEN_CECP and FEN_QH write E and H. They differ in
// the fields after the side to move: "- - HALF FULL", "HALF FULL", and "- - - FULL".
typedef enum FenDialect { FEN_UCI, FEN_CECP, FEN_QH } FenDialect;

// Returns "Red" or "Black".
const char *side_name(Side side);
// Returns "general" ... "soldier", or "" for NO_PIECE_TYPE.
const char *piece_type_name(PieceType type);
// Returns the type that a lower-case letter means in any FEN dialect, or NO_PIECE_TYPE.
PieceType piece_type_of_letter(int letter);

// Sets up START_FEN.
void position_init_start(Position *position);

// Reads a FEN of 1, 2, 4 or 6 fields, separated by blanks or underscores. The board may end with an
// empty hand, "[]" or "[-]". Returns STATUS_BAD_INPUT with field and place in *err if it is not a
// legal position; *position is then undefined.
Status position_from_fen(Position *position, const char *fen, Err *err);

// Returns the length of the board that a text begins with: nine slashes, letters and digits, and
// "[...]" at the end. 0 if there is none.
size_t fen_board_length(const char *text, size_t length);
// Returns the length of the FEN that a text begins with: the board, which may be broken, then at
// most a side, dashes and counters.
size_t fen_length(const char *text, size_t length);

// Splits a line that gives a position with its moves: "FEN moves h2e2 h9g7", "fen FEN [moves ...]"
// or "startpos [moves ...]", each with or without the word "position" before it. Ends the FEN with
// a zero byte. *moves is "" if there are none. False, and the line is unchanged, if it is none of
// these.
bool fen_split_moves(char *line, const char **fen, char **moves);

// Builds a position from an array, with the checks of position_from_fen().
Status position_from_board(Position *position, const Piece board[SQUARE_COUNT], Side stm,
                           unsigned halfmove, unsigned fullmove, Err *err);

// Builds a position from a list: pieces[i] stands on squares[i]. It makes the checks of
// position_from_fen(), but is several times as fast, for readers of millions of positions.
Status position_from_pieces(Position *position, const Piece *pieces, const uint8_t *squares,
                            int count, Side stm, unsigned halfmove, unsigned fullmove, Err *err);

// Writes the FEN in a dialect, at most FEN_SIZE bytes.
void position_to_fen(const Position *position, FenDialect dialect, char *fen);

// Writes to *after the position after a move. The move must be pseudo-legal.
void position_do_move(const Position *before, Move move, Position *after);

// Returns the key of the position after a move.
uint64_t position_key_after(const Position *before, Move move);
// Writes to *after the position after a null move: the side to move changes, the half-move count
// grows by one.
void position_do_null(const Position *before, Position *after);

// Returns true if the general of `side` is attacked. Generals that face each other attack each
// other.
bool position_general_attacked(const Position *position, Side side);
// Returns the enemies that would attack the general of `side` if the occupied points were
// `occupied`.
Bitboard position_general_attackers(const Position *position, Side side, Bitboard occupied);
ALWAYS_INLINE bool position_in_check(const Position *position) {
    return position_general_attacked(position, (Side)position->stm);
}

// Returns the pieces of side `by` that would attack `square` if the occupied points were
// `occupied`; pieces outside `occupied` are ignored. `square` may be empty. A cannon attacks over
// one screen. Generals that face each other do not count.
Bitboard position_attackers(const Position *position, int square, Side by, Bitboard occupied);

// The targets that one enemy piece allows, because it attacks the general or could after one move:
// pieces on `movers` may go to `targets`, all other pieces to `others`.
typedef struct Constraint {
    Bitboard movers, targets, others;
} Constraint;

// An upper bound of the constraints: five pieces on lines (chariots, cannons, general), two horses,
// three soldiers.
enum { CONSTRAINT_MAX = 10 };

// Check and pin information: it decides for any move whether the general of the side to move stays
// safe.
typedef struct Exposure {
    Bitboard free;  // targets of all pieces that are not in `bound`
    Bitboard bound; // pieces with a constraint of their own, see exposure_targets()
    bool in_check;
    int count;
    Constraint list[CONSTRAINT_MAX];
} Exposure;
void position_exposure(const Position *position, Exposure *exposure);

// Returns the targets that do not expose the general to the piece on `from`, which is not the
// general.
Bitboard exposure_targets(const Exposure *exposure, int from);
// Returns the points of `targets` where the general of the side to move would not be attacked.
Bitboard position_general_safe(const Position *position, Bitboard targets);

// Lists pseudo-legal moves: they follow the movement of the pieces, but may leave the general
// attacked.
void position_pseudo_moves(const Position *position, MoveList *list);
// Lists pseudo-legal captures and quiet moves. Together they are exactly position_pseudo_moves().
void position_captures(const Position *position, MoveList *list);
void position_quiets(const Position *position, MoveList *list);
// Lists the quiet moves with which the moving piece itself gives check, in the order of
// position_quiets(). Some cannon moves in the list do not give check.
void position_quiet_checks(const Position *position, MoveList *list);
// Lists legal captures and quiet moves, in the same order. This is faster than testing pseudo-legal
// moves when few are legal, as in check.
void position_legal_captures(const Position *position, const Exposure *exposure, MoveList *list);
void position_legal_quiets(const Position *position, const Exposure *exposure, MoveList *list);
// Lists legal moves, in the order of position_pseudo_moves().
void position_legal_moves(const Position *position, MoveList *list);
// Returns true if the side to move can make this move by the movement of its pieces. Accepts any
// 16-bit value.
bool position_is_pseudo_legal(const Position *position, Move move);
// Returns true if a pseudo-legal move is legal.
bool position_is_legal(const Position *position, Move pseudo_legal_move);
// Like position_is_legal(), for callers that have the exposure of the position.
ALWAYS_INLINE bool position_is_legal_exposed(const Position *position, const Exposure *exposure,
                                             Move pseudo_legal_move) {
    const int from = move_from(pseudo_legal_move);
    const Bitboard to = bb_square(move_to(pseudo_legal_move));
    if (UNLIKELY(from == position->general[position->stm])) {
        return position_general_safe(position, to) != 0;
    }
    if (LIKELY(!(exposure->bound & bb_square(from)))) return (exposure->free & to) != 0;
    return (exposure_targets(exposure, from) & to) != 0;
}
// Returns the number of legal moves, without listing them.
int position_count_moves(const Position *position);
// Returns the number of pairs of a legal move and a legal reply.
uint64_t position_count_pairs(const Position *position);
// Returns true if the side to move has no legal move. It is then mated or stalemated, and loses.
bool position_no_legal_move(const Position *position);

// Writes the mirror image in which the files a and i are exchanged.
void position_mirror(const Position *position, Position *mirrored);

// Returns the points that the piece on `square` moves to or attacks, including points of its own
// side. For a cannon: empty points it reaches, and pieces behind one screen. See
// core/board/attacks.h.
Bitboard position_reach(const Position *position, int square);

ALWAYS_INLINE Bitboard position_pieces(const Position *position, Side side, PieceType type) {
    return position->by_side[side] & position->by_type[type];
}
ALWAYS_INLINE Bitboard position_occupied(const Position *position) {
    return position->by_type[NO_PIECE_TYPE];
}
// Return the occupied points of a rank or file as bits.
ALWAYS_INLINE unsigned position_rank(const Position *position, int rank) {
    return (uint16_t)position->rank[rank];
}
ALWAYS_INLINE unsigned position_file(const Position *position, int file) {
    return (uint16_t)position->file[file];
}
ALWAYS_INLINE bool position_is_capture(const Position *position, Move move) {
    return position->board[move_to(move)] != PIECE_NONE;
}

// Writes a coordinate move in UCI form ("h2e2", ranks from 0): 5 bytes with the terminator.
void move_to_uci(Move move, char text[5]);
// Reads exactly four characters. Returns MOVE_NONE unless they are two different points of the
// board.
Move move_from_uci(const char *text);
enum { MOVE_TEXT_SIZE = 8 };
// Reads and writes coordinate moves whose first rank is `first_rank`, 0 or 1: "h2e2", "h10g8".
// move_scan() returns MOVE_NONE for anything else, move_write() the length.
Move move_scan(const char *text, size_t length, int first_rank);
size_t move_write(Move move, int first_rank, char text[MOVE_TEXT_SIZE]);
// Reads a coordinate move that must be legal in the position. The error names the move and the
// reason.
Status move_parse_legal(const Position *position, const char *text, size_t length, Move *move,
                        Err *err);

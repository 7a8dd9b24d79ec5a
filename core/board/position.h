// SPDX-License-Identifier: GPL-3.0-or-later
// A position: who stands where and who is to move. Copied, never undone: position_do_move() writes
// the position after a move into another struct, so a const Position stays true for its holder.
#pragma once

#include "core/base/status.h"
#include "core/board/types.h"

// The pieces of a rank or file: bit i is its point i. Low half: all pieces, high half: Red's.
typedef uint32_t Line;

typedef struct Position {
    Bitboard
        by_type[PIECE_TYPE_COUNT]; // points of each type, both sides; [NO_PIECE_TYPE] = occupied
    Bitboard by_side[SIDE_COUNT];  // points of each side
    uint64_t key;                  // Zobrist hash of placement and side to move
    Piece board[SQUARE_COUNT];     // the piece on each point, PIECE_NONE where empty
    Line rank[RANK_COUNT];         // point f is (f, rank)
    Line file[FILE_COUNT];         // point r is (file, r)
    uint8_t general[SIDE_COUNT];   // square of each general
    uint8_t stm;                   // side to move (a Side)
    uint16_t halfmove;             // plies since the last capture
    uint16_t fullmove;             // move number of the FEN, 1 at the start
} Position;

#define START_FEN "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

enum { FEN_SIZE = 160 }; // bytes that hold any FEN we write, terminator included

typedef enum FenDialect { FEN_UCI, FEN_CECP, FEN_QH } FenDialect;

// "Red", "Black"; "general" ... "soldier", "" for NO_PIECE_TYPE.
const char *side_name(Side side);
const char *piece_type_name(PieceType type);
// The kind that a small letter means in a FEN of any dialect; NO_PIECE_TYPE: none.
PieceType piece_type_of_letter(int letter);

void position_init_start(Position *position);

// Reads a FEN of 1, 2, 4 or 6 fields, strictly. STATUS_BAD_INPUT with the field
// and the place named in *err, and *position undefined, when it is not a position of the game.
Status position_from_fen(Position *position, const char *fen, Err *err);

// The same from an array, with the same checks.
Status position_from_board(Position *position, const Piece board[SQUARE_COUNT], Side stm,
                           unsigned halfmove, unsigned fullmove, Err *err);

// Same from a list: pieces[i] on squares[i], count of them. Several times as fast, for those who
// read millions of positions.
Status position_from_pieces(Position *position, const Piece *pieces, const uint8_t *squares,
                            int count, Side stm, unsigned halfmove, unsigned fullmove, Err *err);

// Writes FEN_SIZE bytes at most.
void position_to_fen(const Position *position, FenDialect dialect, char *fen);

// *after = *before with move played: pseudo-legality of the move is the caller's affair.
void position_do_move(const Position *before, Move move, Position *after);

// The key that *after has then.
uint64_t position_key_after(const Position *before, Move move);
// *after = *before with the other side to move (a "null move"); the half-move count goes on.
void position_do_null(const Position *before, Position *after);

// Is the general of `side` attacked (an open file between the generals counts for both)?
bool position_general_attacked(const Position *position, Side side);
// The enemies that attack it if the board's occupied points were `occupied`.
Bitboard position_general_attackers(const Position *position, Side side, Bitboard occupied);
ALWAYS_INLINE bool position_in_check(const Position *position) {
    return position_general_attacked(position, (Side)position->stm);
}

// All pieces of side `by` that attack `square` if the board's occupied points were `occupied`
// (pieces outside it do not exist). The point itself need not be occupied. For a cannon this is the
// capturing attack over one screen; the flying general is not included.
Bitboard position_attackers(const Position *position, int square, Side by, Bitboard occupied);

// One enemy that attacks the general, or may after one move, says where pieces may go: those on the
// points of `movers` to `targets`, all others to `others`.
typedef struct Constraint {
    Bitboard movers, targets, others;
} Constraint;

// Five on the lines (chariots, cannons, general), two horses, three soldiers.
enum { CONSTRAINT_MAX = 10 };

// The moves that leave the general of the side to move safe, found once for all its moves.
typedef struct Exposure {
    Bitboard free;  // where pieces may go that do not stand on `bound`
    Bitboard bound; // pieces with points of their own: see exposure_targets()
    bool in_check;
    int count;
    Constraint list[CONSTRAINT_MAX];
} Exposure;
void position_exposure(const Position *position, Exposure *exposure);

// The points where the piece on `from`, not the general, may go without exposing its general.
Bitboard exposure_targets(const Exposure *exposure, int from);
// The points of `targets` where the general of the side to move is not attacked if it goes there.
Bitboard position_general_safe(const Position *position, Bitboard targets);

// Pseudo-legal moves: by the movement of the pieces, the own general may be left attacked.
void position_pseudo_moves(const Position *position, MoveList *list);
// Pseudo-legal captures, and the rest: together exactly position_pseudo_moves().
void position_captures(const Position *position, MoveList *list);
void position_quiets(const Position *position, MoveList *list);
// Those by which the piece that moves checks, in the same order; of cannons some more.
void position_quiet_checks(const Position *position, MoveList *list);
// The legal ones of these, in the same order. Pays in check, where few are.
void position_legal_captures(const Position *position, const Exposure *exposure, MoveList *list);
void position_legal_quiets(const Position *position, const Exposure *exposure, MoveList *list);
// Legal moves, in the order of position_pseudo_moves().
void position_legal_moves(const Position *position, MoveList *list);
// Can the side to move make this move by the movement of its pieces? Any 16-bit value may be asked.
bool position_is_pseudo_legal(const Position *position, Move move);
// Is a pseudo-legal move legal?
bool position_is_legal(const Position *position, Move pseudo_legal_move);
// The same, knowing the position's exposure.
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
// The number of legal moves, without making or listing them.
int position_count_moves(const Position *position);
// The number of legal pairs of a move and a reply.
uint64_t position_count_pairs(const Position *position);
// Has the side to move no legal move (it is then mated or stalemated, and loses)?
bool position_no_legal_move(const Position *position);

// Left-right.
void position_mirror(const Position *position, Position *mirrored);

// The points that the piece on `square` can reach, those of own pieces included; cannon: quiet
// points and points it hits over a screen. See also core/board/attacks.h.
Bitboard position_reach(const Position *position, int square);

ALWAYS_INLINE Bitboard position_pieces(const Position *position, Side side, PieceType type) {
    return position->by_side[side] & position->by_type[type];
}
ALWAYS_INLINE Bitboard position_occupied(const Position *position) {
    return position->by_type[NO_PIECE_TYPE];
}
// The occupied points of a rank and of a file, as bits.
ALWAYS_INLINE unsigned position_rank(const Position *position, int rank) {
    return (uint16_t)position->rank[rank];
}
ALWAYS_INLINE unsigned position_file(const Position *position, int file) {
    return (uint16_t)position->file[file];
}
ALWAYS_INLINE bool position_is_capture(const Position *position, Move move) {
    return position->board[move_to(move)] != PIECE_NONE;
}

// Coordinate moves as UCI writes them ("h2e2", ranks from 0). move_to_uci writes 5 bytes.
void move_to_uci(Move move, char text[5]);
// Reads exactly four characters; MOVE_NONE when they are not two different points of the board.
Move move_from_uci(const char *text);
enum { MOVE_TEXT_SIZE = 8 };
// The same with ranks from `first_rank`, 0 or 1: "h2e2", "h10g8". move_write() returns the length.
Move move_scan(const char *text, size_t length, int first_rank);
size_t move_write(Move move, int first_rank, char text[MOVE_TEXT_SIZE]);
// Reads a coordinate move that must be legal in the position. The error names the move and why not.
Status move_parse_legal(const Position *position, const char *text, size_t length, Move *move,
                        Err *err);

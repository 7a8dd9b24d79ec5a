// SPDX-License-Identifier: GPL-3.0-or-later
// A position: the placement of the pieces, the side to move and the counters. A move never needs to
// be undone, because position_do_move() writes the position after a move into another struct.
#pragma once

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/board/types.h"

// The pieces on the points of a rank or file. Points are counted from 0, on a rank from file a, on
// a file from Red's side. Bit i is set if a piece of either side is on point i. Bit 16 + i is set
// if that piece is Red's.
typedef uint32_t Line;

typedef struct Position {
    Bitboard by_type[PIECE_TYPE_COUNT]; // points of each piece type, for both sides;
                                        // by_type[NO_PIECE_TYPE]: points of all pieces
    Bitboard by_side[SIDE_COUNT];       // points of the pieces of each side
    uint64_t key;                       // Zobrist hash of the pieces and the side to move
    Piece board[SQUARE_COUNT];          // the piece on each point, or PIECE_NONE
    Line rank[RANK_COUNT];              // pieces on each rank: bit f of rank[r] belongs to file f
    Line file[FILE_COUNT];              // pieces on each file: bit r of file[f] belongs to rank r
    uint8_t general[SIDE_COUNT];        // square of each general
    uint8_t stm;                        // side to move (a Side)
    uint16_t halfmove;                  // plies since the last capture, including null moves and
                                        // those that the FEN counts
    uint16_t fullmove;                  // move number of the FEN, 1 in the start position
} Position;

#define START_FEN "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

// Size of a buffer for any FEN that position_to_fen() writes, including the NUL terminator.
enum { FEN_SIZE = 160 };

// Dialects in which a FEN is written. FEN_UCI has the letters B and N for elephant and horse,
// FEN_CECP and FEN_QH have E and H. The fields after the side to move are "- - HALF FULL" in
// FEN_UCI, "HALF FULL" in FEN_CECP and "- - - FULL" in FEN_QH. HALF is the number of plies since
// the last capture, FULL the move number.
typedef enum FenDialect { FEN_UCI, FEN_CECP, FEN_QH } FenDialect;

// Returns "Red" or "Black".
const char *side_name(Side side);
// Returns the English name of a piece type, "general" to "soldier", or "" for NO_PIECE_TYPE.
const char *piece_type_name(PieceType type);
// Returns the type that a lower-case letter means in any FEN dialect, or NO_PIECE_TYPE.
PieceType piece_type_of_letter(int letter);

void position_init_start(Position *position);

// Reads a FEN of 1, 2, 4 or 6 fields, separated by blanks, tabs, line ends or underscores. The
// board may end with an empty hand, "[]" or "[-]". Returns STATUS_BAD_INPUT if the FEN is malformed
// or the position is not legal. *err then names the field and the place, and *position is
// undefined.
Status position_from_fen(Position *position, const char *fen, Err *err);

// Returns the length of the board of a FEN at the beginning of a text: letters, digits and nine
// slashes, and "[...]" after them if present. Returns 0 if the text does not begin with such a
// board.
size_t fen_board_length(const char *text, size_t length);
// Returns the length of the FEN at the beginning of a text: the board, and the side, dashes and
// counters that follow the board, if any. If the board has errors, the first field of the text is
// taken as the board.
size_t fen_length(const char *text, size_t length);

// Says which fields a FEN has. For a FEN without a side, position_from_fen() lets Red move.
typedef struct FenFields {
    bool side, halfmove, fullmove;
} FenFields;
FenFields fen_fields(const char *fen);

// Splits a line that contains a position and its moves: "FEN moves h2e2 h9g7", "fen FEN [moves
// ...]" or "startpos [moves ...]". The word "position" may stand before these forms. *fen and
// *moves become the two parts, without these keywords. For a FEN in the line, writes a NUL after
// it. *moves has no words if the line has no moves. Returns false and does not change the line if
// it has another form.
bool fen_split_moves(char *line, const char **fen, char **moves);

// Builds a position from an array of the pieces on all squares. Makes the same checks as
// position_from_fen().
Status position_from_board(Position *position, const Piece board[SQUARE_COUNT], Side stm,
                           unsigned halfmove, unsigned fullmove, Err *err);

// Builds a position from a list: pieces[i] stands on squares[i]. Makes the same checks as
// position_from_fen(), but is several times as fast, for readers of millions of positions.
Status position_from_pieces(Position *position, const Piece *pieces, const uint8_t *squares,
                            int count, Side stm, unsigned halfmove, unsigned fullmove, Err *err);

// Writes the FEN of a position in a dialect. `fen` has room for FEN_SIZE bytes.
void position_to_fen(const Position *position, FenDialect dialect, char *fen);

// Makes a move: *after becomes the position that the move leads to. The move must be pseudo-legal.
void position_do_move(const Position *before, Move move, Position *after);

// Returns the Zobrist key of the position after a move.
uint64_t position_key_after(const Position *before, Move move);
// Makes a null move: *after becomes the position with the other side to move. `key` changes, and
// `halfmove` grows by one.
void position_do_null(const Position *before, Position *after);

// Returns true if the general of `side` is attacked. The enemy general attacks it, too, if both are
// on one file and no piece stands between them.
bool position_general_attacked(const Position *position, Side side);
// Returns the enemy pieces that would attack the general of `side` if `occupied` were the occupied
// points between them and the general. The enemy pieces themselves need not be in `occupied`.
Bitboard position_general_attackers(const Position *position, Side side, Bitboard occupied);
ALWAYS_INLINE bool position_in_check(const Position *position) {
    return position_general_attacked(position, (Side)position->stm);
}

// Returns the pieces of side `by` that would attack `square` if only the points of `occupied` were
// occupied. Pieces outside `occupied` are ignored. `square` may be empty; a cannon attacks it over
// one screen. In this function, a general does not attack the enemy general along a file.
Bitboard position_attackers(const Position *position, int square, Side by, Bitboard occupied);

// How one enemy piece restricts the moves of our pieces: it attacks our general, or could attack it
// after one of our moves. Pieces on `movers` may move only to `targets`, our other pieces except
// the general only to `others`.
typedef struct Constraint {
    Bitboard movers, targets, others;
} Constraint;

// Largest number of enemy pieces that can restrict our moves by a Constraint: five pieces that
// attack along lines (two chariots, two cannons, general), two horses and three soldiers.
enum { CONSTRAINT_MAX = 10 };

// The checks and pins of a position. They show, for a move of any piece except the general, whether
// the general of the side to move would be safe. For moves of the general see
// position_general_safe().
typedef struct Exposure {
    Bitboard free;  // allowed targets of all own pieces that are not in `bound`, except the general
    Bitboard bound; // own pieces whose allowed targets can differ from the member `free`, for
                    // example pinned pieces; exposure_targets() returns their targets
    bool in_check;
    int count; // number of constraints in `list`
    Constraint list[CONSTRAINT_MAX];
} Exposure;
void position_exposure(const Position *position, Exposure *exposure);

// Returns the squares to which the piece on `from` can move without exposing its general. The piece
// must not be the general.
Bitboard exposure_targets(const Exposure *exposure, int from);
// Returns the points of `targets` where the general of the side to move would not be attacked.
Bitboard position_general_safe(const Position *position, Bitboard targets);

// Lists pseudo-legal moves: they follow the movement of the pieces, but may leave the general
// attacked.
void position_pseudo_moves(const Position *position, MoveList *list);
// Lists pseudo-legal captures and quiet moves. Together they are exactly position_pseudo_moves().
void position_captures(const Position *position, MoveList *list);
void position_quiets(const Position *position, MoveList *list);
// Lists all quiet pseudo-legal moves whose moving piece gives check from its target square, in the
// order of position_quiets(). The list also has some cannon moves that do not give check: there is
// more than one screen, or the only screen was the moving cannon itself.
void position_quiet_checks(const Position *position, MoveList *list);
// List legal captures and legal quiet moves, in the order of the pseudo-legal lists. If few moves
// are legal, for example in check, this is faster than testing every pseudo-legal move.
void position_legal_captures(const Position *position, const Exposure *exposure, MoveList *list);
void position_legal_quiets(const Position *position, const Exposure *exposure, MoveList *list);
// Lists legal moves, in the order of position_pseudo_moves().
void position_legal_moves(const Position *position, MoveList *list);
// Returns true if the move is pseudo-legal: a piece of the side to move can make it by its movement
// rules. Accepts any 16-bit value as `move`.
bool position_is_pseudo_legal(const Position *position, Move move);
// Returns true if a pseudo-legal move is legal.
bool position_is_legal(const Position *position, Move pseudo_legal_move);
// Like position_is_legal(), for callers that already have the Exposure of the position.
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
// Returns the number of legal move sequences of two plies.
uint64_t position_count_pairs(const Position *position);
// Returns true if the side to move has no legal move. That side is then mated or stalemated, and
// loses.
bool position_no_legal_move(const Position *position);

// Writes the mirror image of the position, with the left and the right side exchanged (file a
// becomes file i).
void position_mirror(const Position *position, Position *mirrored);

// Returns the points that the piece on `square` can move to or attacks, including points with
// pieces of its own side. For a cannon these are the empty points that it can move to, and the
// pieces behind one screen.
Bitboard position_reach(const Position *position, int square);

ALWAYS_INLINE Bitboard position_pieces(const Position *position, Side side, PieceType type) {
    return position->by_side[side] & position->by_type[type];
}
ALWAYS_INLINE Bitboard position_occupied(const Position *position) {
    return position->by_type[NO_PIECE_TYPE];
}
// Return the occupied points of a rank or file, one bit per point.
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
// Appends moves in UCI notation, separated by blanks.
void moves_add_uci(const Move *moves, int count, Text *text);
// Reads a coordinate move in UCI form from the first four characters of `text`. Returns MOVE_NONE
// unless they name two different points of the board.
Move move_from_uci(const char *text);
enum { MOVE_TEXT_SIZE = 8 };
// Read and write coordinate moves whose ranks are counted from `first_rank`, 0 or 1: "h2e2",
// "h10g8". move_scan() returns MOVE_NONE for any other text. move_write() returns the
// length of the text.
Move move_scan(const char *text, size_t length, int first_rank);
size_t move_write(Move move, int first_rank, char text[MOVE_TEXT_SIZE]);
// Reads a coordinate move like move_scan(). Returns STATUS_BAD_INPUT if it is not legal in the
// position; the error message then gives the move and the reason.
Status move_parse_legal(const Position *position, const char *text, size_t length, int first_rank,
                        Move *move, Err *err);

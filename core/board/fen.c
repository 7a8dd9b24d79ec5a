// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes FEN and coordinate moves. Declared in position.h.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/board/attacks.h"

PieceType piece_type_of_letter(int letter) {
    static const uint8_t types[] = {
        ['k'] = GENERAL,  ['a'] = ADVISOR,  ['g'] = ADVISOR, ['b'] = ELEPHANT,
        ['e'] = ELEPHANT, ['m'] = ELEPHANT, ['n'] = HORSE,   ['h'] = HORSE,
        ['r'] = CHARIOT,  ['c'] = CANNON,   ['p'] = SOLDIER, ['s'] = SOLDIER,
    };
    return letter >= 0 && letter <= 's' ? (PieceType)types[letter] : NO_PIECE_TYPE;
}

static Status parse_board(const char *text, size_t length, Piece board[SQUARE_COUNT], Err *err) {
    memset(board, PIECE_NONE, SQUARE_COUNT);
    const bool word = !memchr(text, '/', length) && memchr(text, ',', length);
    if (word ||
        (length > 0 && !memchr(text, '/', length) && strspn(text, "0123456789") >= length)) {
        return err_set(err, STATUS_BAD_INPUT,
                       "FEN: '%.*s' is no board: a FEN begins with 10 ranks separated by '/'",
                       (int)(length < 40 ? length : 40), text);
    }
    int rank = RANK_COUNT - 1, file = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        const int letter = tolower(c);
        if (c == '/') {
            if (file != FILE_COUNT) {
                return err_set(err, STATUS_BAD_INPUT, "board: rank %d has %d points, not 9", rank,
                               file);
            }
            if (rank == 0) {
                return err_set(err, STATUS_BAD_INPUT, "board: it has more than 10 ranks");
            }
            rank--;
            file = 0;
        } else if (c >= '1' && c <= '9') {
            file += c - '0';
        } else if (piece_type_of_letter(letter) != NO_PIECE_TYPE) {
            if (file < FILE_COUNT) {
                const Side side = isupper(c) ? RED : BLACK;
                board[square_make(file, rank)] = piece_make(side, piece_type_of_letter(letter));
            }
            file++;
        } else {
            return err_set(
                err, STATUS_BAD_INPUT,
                "board: '%c' in rank %d (character %zu) is neither a piece letter nor a digit "
                "from 1 to 9",
                isprint(c) ? c : '?', rank, i + 1);
        }
        if (file > FILE_COUNT) {
            return err_set(err, STATUS_BAD_INPUT, "board: rank %d has more than 9 points", rank);
        }
    }
    if (rank != 0 || file != FILE_COUNT) {
        return err_set(err, STATUS_BAD_INPUT,
                       "board: the text ends after %d points of rank %d; a board has 9 points in "
                       "each of the ranks 9 to 0",
                       file, rank);
    }
    return STATUS_OK;
}

// Shortens *length to exclude an empty hand, which some programs write as "[]" or "[-]" after the
// board. Refuses any other hand.
static Status cut_hand(const char *board, size_t *length, Err *err) {
    const char *hand = memchr(board, '[', *length);
    if (!hand) return STATUS_OK;
    const size_t size = *length - (size_t)(hand - board);
    *length -= size;
    if (text_word_is(hand, size, "[]") || text_word_is(hand, size, "[-]")) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "hand: '%.*s' must be [] or [-], because xiangqi has no drops",
                   (int)(size < 40 ? size : 40), hand);
}

static Status parse_counter(const char *word, size_t length, const char *field, unsigned *value,
                            Err *err) {
    if (length == 1 && word[0] == '-') return STATUS_OK;
    char text[8];
    if (length >= sizeof text) {
        return err_set(err, STATUS_BAD_INPUT,
                       "%s: '%.*s' is too long or too large; at most 65535 is allowed", field,
                       (int)(length < 40 ? length : 40), word);
    }
    memcpy(text, word, length);
    text[length] = '\0';
    long long parsed;
    TRY(parse_int(text, 0, UINT16_MAX, &parsed, field, err));
    *value = (unsigned)parsed;
    return STATUS_OK;
}

// Returns true for a blank, tab, line end or underscore. Web addresses separate the fields of a FEN
// by underscores.
static bool is_separator(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '_';
}

// Returns the next field of a FEN, found in the first `length` bytes of `text` after separators.
// *field_length is 0 if there is no further field.
static const char *next_field(const char *text, size_t length, size_t *field_length) {
    size_t begin = 0, end;
    while (begin < length && is_separator(text[begin])) begin++;
    for (end = begin; end < length && !is_separator(text[end]);) end++;
    *field_length = end - begin;
    return text + begin;
}

size_t fen_board_length(const char *text, size_t length) {
    size_t at = 0;
    int slashes = 0;
    while (at < length && (isalnum((unsigned char)text[at]) || text[at] == '/')) {
        slashes += text[at++] == '/';
    }
    if (slashes != RANK_COUNT - 1) return 0;
    const char *close = at < length && text[at] == '[' ? memchr(text + at, ']', length - at) : NULL;
    return close ? (size_t)(close - text) + 1 : at;
}

size_t fen_length(const char *text, size_t length) {
    enum { MAX_FIELDS = 6 };
    size_t end = fen_board_length(text, length), size;
    if (end == 0) { // the board is malformed: it does not have nine slashes
        const char *board = next_field(text, length, &end);
        end = board == text ? end : 0;
    }
    for (int count = 1; end > 0 && end < length && count < MAX_FIELDS; count++) {
        const char *field = next_field(text + end, length - end, &size);
        for (size_t i = 0; i < size; i++) {
            if (strchr(";|[\"", field[i])) size = i;
        }
        const bool dash = size == 1 && *field == '-';
        const bool digits = strspn(field, "0123456789") >= size;
        const bool side = count == 1 && !text_word_is(field, size, "moves");
        if (size == 0 || !is_separator(text[end]) || !(side || (count > 1 && (dash || digits)))) {
            break;
        }
        end = (size_t)(field - text) + size;
    }
    return end;
}

FenFields fen_fields(const char *fen) {
    const char *at = fen, *const stop = fen + strlen(fen), *last[2] = {"", ""};
    size_t length;
    int count = 0;
    for (const char *field; field = next_field(at, (size_t)(stop - at), &length), length > 0;) {
        last[0] = last[1];
        last[1] = field;
        at = field + length;
        count++;
    }
    return (FenFields){.side = count > 1,
                       .halfmove = count >= 4 && *last[0] != '-',
                       .fullmove = count >= 4 && *last[1] != '-'};
}

// If the next word is `wanted`, moves *at past it and returns true.
static bool skip_word(char **at, const char *wanted) {
    const char *cursor = *at, *word;
    size_t length;
    if (!text_next_word(&cursor, &word, &length) || !text_word_is(word, length, wanted)) {
        return false;
    }
    *at += cursor - *at;
    return true;
}

bool fen_split_moves(char *line, const char **fen, char **moves) {
    char *at = line;
    skip_word(&at, "position");
    const bool startpos = skip_word(&at, "startpos"), named = startpos || skip_word(&at, "fen");
    at += strspn(at, " \t");
    char *const end = startpos ? at : at + fen_length(at, strlen(at)), *behind = end;
    if (!startpos && !memchr(at, '/', (size_t)(end - at))) return false;
    const bool found = skip_word(&behind, "moves");
    if (!found && (!named || end[strspn(end, " \t\r\n")])) return false;
    if (!startpos) *end = '\0';
    *fen = startpos ? START_FEN : at;
    *moves = found ? behind : end;
    return true;
}

Status position_from_fen(Position *position, const char *fen, Err *err) {
    enum { MAX_FIELDS = 6 };
    const char *words[MAX_FIELDS + 1];
    size_t lengths[MAX_FIELDS + 1];
    int count = 0;
    const char *cursor = fen, *const stop = fen + strlen(fen);
    while (count <= MAX_FIELDS) {
        words[count] = next_field(cursor, (size_t)(stop - cursor), &lengths[count]);
        if (lengths[count] == 0) break;
        cursor = words[count] + lengths[count];
        count++;
    }
    if (count != 1 && count != 2 && count != 4 && count != 6) {
        if (count > 2 && strchr(fen, ';')) {
            return err_set(
                err, STATUS_BAD_INPUT,
                "FEN: operations of EPD ('hmvc 1;', 'fmvn 7;') follow the position; a FEN has the "
                "counters as fields 5 and 6: '- - 1 7': '%.60s'",
                fen);
        }
        return err_set(err, STATUS_BAD_INPUT, "FEN: it has %s%d field%s, not 1, 2, 4 or 6: '%.60s'",
                       count > MAX_FIELDS ? "more than " : "", count > MAX_FIELDS ? 6 : count,
                       count == 1 ? "" : "s", fen);
    }
    Piece board[SQUARE_COUNT];
    TRY(cut_hand(words[0], &lengths[0], err));
    TRY(parse_board(words[0], lengths[0], board, err));
    Side stm = RED;
    if (count > 1) {
        const char side = lengths[1] == 1 ? words[1][0] : '?';
        if (side != 'w' && side != 'r' && side != 'b') {
            return err_set(err, STATUS_BAD_INPUT, "side: '%.*s' is not w, r or b",
                           (int)(lengths[1] < 40 ? lengths[1] : 40), words[1]);
        }
        stm = side == 'b' ? BLACK : RED;
    }
    for (int i = 2; i < count - 2; i++) {
        if (lengths[i] != 1 || words[i][0] != '-') {
            return err_set(err, STATUS_BAD_INPUT, "field %d of the FEN must be '-', not '%.*s'",
                           i + 1, (int)(lengths[i] < 40 ? lengths[i] : 40), words[i]);
        }
    }
    unsigned halfmove = 0, fullmove = 1;
    if (count > 2) {
        const int half = count - 2, full = count - 1;
        TRY(parse_counter(words[half], lengths[half], "half-move count", &halfmove, err));
        TRY(parse_counter(words[full], lengths[full], "move number", &fullmove, err));
    }
    return position_from_board(position, board, stm, halfmove, fullmove, err);
}

void position_to_fen(const Position *position, FenDialect dialect, char *fen) {
    const char *letters = dialect == FEN_UCI ? ".KABNRCP.kabnrcp" : ".KAEHRCP.kaehrcp";
    char *at = fen;
    for (int rank = RANK_COUNT - 1; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < FILE_COUNT; file++) {
            const Piece piece = position->board[square_make(file, rank)];
            if (piece == PIECE_NONE) {
                empty++;
                continue;
            }
            if (empty) *at++ = (char)('0' + empty);
            empty = 0;
            *at++ = letters[piece];
        }
        if (empty) *at++ = (char)('0' + empty);
        if (rank > 0) *at++ = '/';
    }
    const char side = position->stm == RED ? 'w' : 'b';
    const size_t room = (size_t)(FEN_SIZE - (at - fen));
    const unsigned half = position->halfmove, full = position->fullmove;
    switch (dialect) {
    case FEN_UCI:
        snprintf(at, room, " %c - - %u %u", side, half, full);
        break;
    case FEN_CECP:
        snprintf(at, room, " %c %u %u", side, half, full);
        break;
    case FEN_QH:
        snprintf(at, room, " %c - - - %u", side, full);
        break;
    }
}

void move_to_uci(Move move, char text[5]) {
    text[0] = (char)('a' + square_file(move_from(move)));
    text[1] = (char)('0' + square_rank(move_from(move)));
    text[2] = (char)('a' + square_file(move_to(move)));
    text[3] = (char)('0' + square_rank(move_to(move)));
    text[4] = '\0';
}

void moves_add_uci(const Move *moves, int count, Text *text) {
    for (int i = 0; i < count; i++) {
        char move[5];
        move_to_uci(moves[i], move);
        text_add(text, "%s%s", i ? " " : "", move);
    }
}

Move move_from_uci(const char *text) {
    return move_scan(text, 4, 0);
}

// Reads the file letter and rank number of a point, and advances *at. Returns SQUARE_NONE if there
// is no point.
static int scan_point(const char **at, const char *end, int first_rank) {
    if (*at == end || **at < 'a' || **at > 'i') return SQUARE_NONE;
    const int file = *(*at)++ - 'a';
    int rank = 0, digits = 0;
    for (; *at < end && **at >= '0' && **at <= '9' && digits < 2; digits++) {
        rank = 10 * rank + *(*at)++ - '0';
    }
    const bool padded = digits == 2 && rank < 10;
    if (digits == 0 || padded || rank < first_rank || rank >= first_rank + RANK_COUNT) {
        return SQUARE_NONE;
    }
    return square_make(file, rank - first_rank);
}

Move move_scan(const char *text, size_t length, int first_rank) {
    const char *at = text, *end = text + length;
    const int from = scan_point(&at, end, first_rank);
    const int to = from == SQUARE_NONE ? SQUARE_NONE : scan_point(&at, end, first_rank);
    return to == SQUARE_NONE || at != end || from == to ? MOVE_NONE : move_make(from, to);
}

size_t move_write(Move move, int first_rank, char text[MOVE_TEXT_SIZE]) {
    const int from = move_from(move), to = move_to(move);
    return (size_t)snprintf(text, MOVE_TEXT_SIZE, "%c%d%c%d", 'a' + square_file(from),
                            square_rank(from) + first_rank, 'a' + square_file(to),
                            square_rank(to) + first_rank);
}

Status move_parse_legal(const Position *position, const char *text, size_t length, int first_rank,
                        Move *move, Err *err) {
    const int shown = (int)(length < 20 ? length : 20);
    const Move parsed = move_scan(text, length, first_rank);
    if (parsed == MOVE_NONE) {
        return err_set(err, STATUS_BAD_INPUT, "'%.*s' is not a coordinate move like %s", shown,
                       text, first_rank ? "h3e3" : "h2e2");
    }
    if (!position_is_pseudo_legal(position, parsed)) {
        return err_set(err, STATUS_BAD_INPUT,
                       "%.*s is not possible: %s has no piece that can make this move", shown, text,
                       position->stm == RED ? "Red" : "Black");
    }
    if (!position_is_legal(position, parsed)) {
        return err_set(err, STATUS_BAD_INPUT, "the move %.*s leaves the general of %s in check",
                       shown, text, side_name((Side)position->stm));
    }
    *move = parsed;
    return STATUS_OK;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: moves in and out, ranks counted from 0 or, as some interfaces do, from 1.
#include "core/uci/uci_internal.h"

static int first_rank(const Server *server) {
    return server->settings.ranks == RANKS_FROM_1 ? 1 : 0;
}

// Reads a file's letter and a rank's number; SQUARE_NONE, with *at anywhere, when there is none.
static int scan_point(const char **at, const char *end, int first) {
    if (*at == end || **at < 'a' || **at > 'i') return SQUARE_NONE;
    const int file = *(*at)++ - 'a';
    int rank = 0, digits = 0;
    for (; *at < end && **at >= '0' && **at <= '9' && digits < 2; digits++) {
        rank = 10 * rank + *(*at)++ - '0';
    }
    const bool padded = digits == 2 && rank < 10;
    if (digits == 0 || padded || rank < first || rank >= first + RANK_COUNT) return SQUARE_NONE;
    return square_make(file, rank - first);
}

Move server_scan_move(const Server *server, const char *word, size_t length) {
    const char *at = word, *end = word + length;
    const int from = scan_point(&at, end, first_rank(server));
    const int to = from == SQUARE_NONE ? SQUARE_NONE : scan_point(&at, end, first_rank(server));
    return to == SQUARE_NONE || at != end || from == to ? MOVE_NONE : move_make(from, to);
}

Status server_read_move(const Server *server, const Position *position, const char *word,
                        size_t length, Move *move, Err *err) {
    char text[5];
    const Move scanned = server_scan_move(server, word, length);
    if (scanned == MOVE_NONE) {
        return err_set(err, STATUS_BAD_INPUT, "'%.*s' is not a coordinate move like %s",
                       (int)(length < 20 ? length : 20), word,
                       first_rank(server) ? "h3e3" : "h2e2");
    }
    move_to_uci(scanned, text);
    return move_parse_legal(position, text, 4, move, err);
}

Status server_read_moves(const Server *server, const char *moves, Game *game, Err *err) {
    const char *word;
    size_t length;
    while (text_next_word(&moves, &word, &length)) {
        Move move;
        if (server_read_move(server, &game->now, word, length, &move, err) != STATUS_OK) {
            return err_prefix(err, "ply %zu", game->count + 1);
        }
        game_push(game, move);
    }
    return STATUS_OK;
}

void server_add_move(const Server *server, Text *text, const char *before, Move move) {
    const int first = first_rank(server);
    text_add(text, "%s%c%d%c%d", before, 'a' + square_file(move_from(move)),
             square_rank(move_from(move)) + first, 'a' + square_file(move_to(move)),
             square_rank(move_to(move)) + first);
}

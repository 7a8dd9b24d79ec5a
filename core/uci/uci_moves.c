// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: reads and writes moves, with ranks counted from 0 or from 1.
#include "core/uci/uci_internal.h"

Move server_scan_move(const Server *server, const char *word, size_t length) {
    return move_scan(word, length, server->settings.first_rank);
}

Status server_read_move(const Server *server, const Position *position, const char *word,
                        size_t length, Move *move, Err *err) {
    char text[5];
    const Move scanned = server_scan_move(server, word, length);
    if (scanned == MOVE_NONE) {
        return err_set(err, STATUS_BAD_INPUT, "'%.*s' is not a coordinate move like %s",
                       (int)(length < 20 ? length : 20), word,
                       server->settings.first_rank ? "h3e3" : "h2e2");
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
    char word[MOVE_TEXT_SIZE];
    move_write(move, server->settings.first_rank, word);
    text_add(text, "%s%s", before, word);
}

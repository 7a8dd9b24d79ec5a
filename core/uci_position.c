// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: which position is on the board, and how it looks.
#include <string.h>

#include "core/base/memory.h"
#include "core/uci_internal.h"

// The text before the word "moves", as a copy the caller frees; *moves is what follows it, or NULL.
static char *cut_moves(const char *text, const char **moves) {
    *moves = NULL;
    const char *cursor = text, *word;
    size_t length, kept = strlen(text);
    while (text_next_word(&cursor, &word, &length)) {
        if (length != 5 || memcmp(word, "moves", 5) != 0) continue;
        kept = (size_t)(word - text);
        *moves = cursor;
        break;
    }
    char *head = memory_alloc(kept + 1, 1);
    memcpy(head, text, kept);
    return head;
}

// Takes over the position and its moves as a whole, or leaves everything as it was.
static void set_game(Server *server, const Position *start, const char *moves) {
    Game game;
    Err err = {0};
    game_init(&game, start);
    if (moves && game_push_text(&game, moves, &err) != STATUS_OK) {
        server_tell(server, "position refused: %s; the old one stays", err.text);
        game_clear(&game);
        return;
    }
    game_clear(&server->game);
    server->game = game;
    server->banned.count = 0;
}

void on_fen(Server *server, const char *rest) {
    const char *moves;
    char *fen = cut_moves(rest, &moves);
    Position start;
    Err err = {0};
    if (position_from_fen(&start, fen, &err) == STATUS_OK) {
        set_game(server, &start, moves);
    } else {
        server_tell(server, "position refused: %s; the old one stays", err.text);
    }
    free(fen);
}

void on_startpos(Server *server, const char *rest) {
    Position start;
    position_init_start(&start);
    take_word(&rest, "moves");
    set_game(server, &start, rest);
}

void on_position(Server *server, const char *rest) {
    if (take_word(&rest, "startpos")) {
        on_startpos(server, rest);
    } else if (take_word(&rest, "fen")) {
        on_fen(server, rest);
    } else {
        server_tell(server, "position refused: neither 'startpos' nor 'fen'; the old one stays");
    }
}

void on_d(Server *server, const char *rest) {
    (void)rest;
    static const char letters[] = ".KABNRCP.kabnrcp";
    const Position *now = &server->game.now;
    for (int rank = RANK_COUNT - 1; rank >= 0; rank--) {
        char row[2 * FILE_COUNT + 1];
        for (int file = 0; file < FILE_COUNT; file++) {
            row[2 * file] = letters[now->board[square_make(file, rank)]];
            row[2 * file + 1] = ' ';
        }
        row[2 * FILE_COUNT] = '\0';
        server_say(server, " %d  %s", rank, row);
        if (rank == 5) server_say(server, "    ~ ~ ~ ~ ~ ~ ~ ~ ~");
    }
    char fen[FEN_SIZE];
    position_to_fen(now, FEN_UCI, fen);
    server_say(server, "    a b c d e f g h i");
    server_say(server, "Fen: %s", fen);
    server_say(server, "Key: %016llX", (unsigned long long)now->key);
}

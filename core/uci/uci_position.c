// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: the current position, and commands that need the position but no search.
#include <string.h>

#include "core/eval/eval.h"
#include "core/notation/board_draw.h"
#include "core/uci/uci_internal.h"

// Reads "FEN [moves M...]" or, if `startpos` is set, "[moves M...]" into *game. After success the
// caller must release *game with game_clear(); after an error there is nothing to release.
static Status read_position(const Server *server, const char *text, bool startpos, Game *game,
                            Err *err) {
    AUTO_FREE char *head = join_words(&text, "moves", 100);
    Position start;
    position_init_start(&start);
    if (startpos && *head) {
        return err_set(err, STATUS_BAD_INPUT, "'%.*s' stands where the word 'moves' is expected",
                       (int)strcspn(head, " "), head);
    }
    if (!startpos) TRY(position_from_fen(&start, head, err));
    game_init(game, &start);
    const Status status = game_push_text(game, text, server->settings.first_rank, err);
    if (status != STATUS_OK) game_clear(game);
    return status;
}

static void refuse(Server *server, const char *why) {
    server->refused = true;
    server_tell(server,
                "position refused: %s; 'go' answers without a move until another position is set",
                why);
}

// Sets the position after all moves of the command. If the FEN or a move cannot be read, the whole
// command is refused, and `go` answers that there is no move. A best move for the previous
// position, or for a position in the middle of the move list, would be wrong.
static void set_position(Server *server, const char *text, bool startpos) {
    Game game;
    Err err = {0};
    if (read_position(server, text, startpos, &game, &err) != STATUS_OK) {
        refuse(server, err.text);
        return;
    }
    server->refused = false;
    game_clear(&server->game);
    server->game = MOVE(game);
    server->banned.count = 0;
}

void on_fen(Server *server, const char *rest) {
    set_position(server, rest, false);
}

void on_startpos(Server *server, const char *rest) {
    set_position(server, rest, true);
}

void on_position(Server *server, const char *rest) {
    if (take_word(&rest, "startpos")) {
        set_position(server, rest, true);
    } else if (take_word(&rest, "fen")) {
        set_position(server, rest, false);
    } else {
        refuse(server, "'startpos' or 'fen' must follow the word 'position'");
    }
}

void on_banmoves(Server *server, const char *rest) {
    const char *word;
    size_t length;
    server->banned.count = 0;
    while (text_next_word(&rest, &word, &length)) {
        Move move;
        Err err = {0};
        if (move_parse_legal(&server->game.now, word, length, server->settings.first_rank, &move,
                             &err) != STATUS_OK) {
            server_tell(server, "banmoves: %s", err.text);
        } else if (server->banned.count < MAX_MOVES) {
            server->banned.moves[server->banned.count++] = move;
        }
    }
}

void on_d(Server *server, const char *rest) {
    (void)rest;
    const Game *game = &server->game;
    const Position *now = &game->now;
    const BoardStyle style = {
        .letters = true,
        .last = game->count ? game->plies[game->count - 1].move : MOVE_NONE,
    };
    AUTO(Text) board = {0};
    board_draw(now, &style, &board);
    server_say(server, "%s", board.data);
    char fen[FEN_SIZE];
    position_to_fen(now, FEN_UCI, fen);
    server_say(server, "Fen: %s", fen);
    server_say(server, "Key: %016llX", (unsigned long long)now->key);
    server_say(server, "Check: %s", position_in_check(now) ? "yes" : "no");
    const Rules rules = server_rules(server);
    const Judgement judged = rules_judge(&rules, &server->game);
    server_say(server, "Verdict: %s %s", verdict_name(judged.verdict),
               end_reason_name(judged.reason));
}

void on_eval(Server *server, const char *rest) {
    (void)rest;
    AUTO(Text) text = {0};
    eval_text(&server->game.now, &server->weights, server->network, &text);
    // Leave out the last newline, because server_say() adds one.
    server_say(server, "%.*s", (int)text.length - 1, text.data);
}

// Sends the transposition table entry of a position. Its bounds are from the point of view of the
// side to move.
void on_probe(Server *server, const char *rest) {
    Game game;
    Err err = {0};
    const bool startpos = take_word(&rest, "startpos");
    if (!startpos) take_word(&rest, "fen");
    AUTO(Text) text = {0};
    text_add(&text, "pophash");
    TtData data;
    if (read_position(server, rest, startpos, &game, &err) != STATUS_OK) {
        server_tell(server, "probe: %s", err.text);
    } else {
        if (tt_probe(smp_tt(server_engine(server)), game.now.key, &data)) {
            add_hash_entry(&text, server, &game.now, &data);
        }
        game_clear(&game);
    }
    server_say(server, "%s", text.data);
}

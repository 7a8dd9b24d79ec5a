// SPDX-License-Identifier: GPL-3.0-or-later
// UCCI 3.0. Options are set without the words `name` and `value`. The `position` command has the
// FEN of the position after the last capture, and the moves since then. Times are in seconds,
// unless the engine accepts milliseconds.
#include "selfplay/engines/protocol.h"

static void new_game(const Conversation *talk, const TimeControl *control, Text *out) {
    (void)control;
    text_add(out, "%s%s", talk->quirks.uci_words ? "" : "setoption newgame\n",
             talk->quirks.new_game);
}

static long long in_units(const Conversation *talk, int64_t ns) {
    return (long long)(ns / MS_NS / (talk->milliseconds ? 1 : 1000));
}

static void add_turn(Conversation *talk, const PlayerTurn *turn, bool ponder, Text *out) {
    const Game *game = turn->game;
    const Side us = (Side)game->now.stm;
    const Clock *own = &turn->clocks[us], *theirs = &turn->clocks[side_other(us)];
    size_t first = game->count;
    while (!talk->bare && first > 0 && game->plies[first - 1].captured == PIECE_NONE) first--;
    uci_add_position(talk, game, first, out);
    if (uci_add_odds(talk, turn, "banmoves", true, out)) text_add(out, "\n");
    uci_add_go(talk, ponder, out);
    if (own->control.move_ns && talk->quirks.uci_words) {
        text_add(out, " movetime %lld", (long long)(own->control.move_ns / MS_NS));
    } else if (own->control.move_ns) {
        text_add(out, " time %lld movestogo 1", in_units(talk, own->control.move_ns));
    }
    if (own->control.base_ns) {
        // UCCI cannot express an opponent without a clock. Report our own clock for the opponent.
        if (!theirs->control.base_ns) theirs = own;
        text_add(out, " time %lld", in_units(talk, own->left_ns));
        if (own->moves_left) {
            text_add(out, " movestogo %d", own->moves_left);
        } else {
            text_add(out, " increment %lld", in_units(talk, own->control.inc_ns));
        }
        text_add(out, " opptime %lld oppincrement %lld", in_units(talk, theirs->left_ns),
                 in_units(talk, theirs->control.inc_ns));
    }
    text_add(out, "\n");
}

static void agree(Conversation *talk, Text *out) {
    if (talk->milliseconds || !protocol_find_option(talk, "usemillisec")) return;
    talk->milliseconds = true;
    protocol_add_option(talk, "usemillisec", "true", out);
}

static const char *size_option(const Conversation *talk, bool threads) {
    if (talk->quirks.uci_words) return uci_size_option(talk, threads);
    return threads ? "threads" : "hashsize";
}

const ProtocolOps protocol_ucci = {
    .name = "ucci",
    .hello = "ucci\n",
    .stop = "stop\n",
    .ponderhit = "ponderhit\n",
    .limits_nodes = true,
    .read = uci_read,
    .says = uci_says,
    .take_about = uci_take_about,
    .option = {"setoption ", " "},
    .sync = uci_sync,
    .agree = agree,
    .size_option = size_option,
    .new_game = new_game,
    .turn = add_turn,
};

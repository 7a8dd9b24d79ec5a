// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of a player that is another program share; nobody else includes this.
#pragma once

#include "selfplay/engines/conversation.h"
#include "selfplay/engines/player.h"

typedef struct ProgramPlayer {
    Player player;
    PlayerSpec spec;
    Conversation talk;
    bool in_step;  // it runs and waits for us
    bool used;     // it has played a game since it was started
    bool fresh;    // nothing of a position was sent since the last `new_game`
    bool bare;     // it has claimed a result: it gets positions without their history
    Position base; // history steps: what it was set up with
    Move *sent;    // and the moves it knows since
    size_t sent_count, sent_capacity;
    TimeControl control;          // of the running game
    char claim[PLAYER_TEXT_SIZE]; // of this turn
    bool offers_draw;             // in this turn
    Answer answer;                // its last one
    bool pondering;               // it thinks about the last move of `ahead`, which has not come
    Game ahead;                   // the game as it expects it
    Text moves;                   // the plies written_first .. written_end of the game
    size_t written_first, written_end;
    Text text;
} ProgramPlayer;

// Appends the lines of `new_game` to self->text, and those of a clock where the game has one.
void program_add_new_game(ProgramPlayer *self);
// What is sent of a position may be another one than the last time: forgets what is written down.
void program_forget_moves(ProgramPlayer *self);
// History steps: it knows this move.
void program_remember_move(ProgramPlayer *self, Move move);
// Everything that is said at a turn, in one piece, in self->text; `ponder`: on the opponent's time.
void program_compose(ProgramPlayer *self, const PlayerTurn *turn, bool ponder);

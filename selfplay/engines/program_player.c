// SPDX-License-Identifier: GPL-3.0-or-later
// Players that are other programs.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/system/clock.h"
#include "core/system/interrupt.h"
#include "selfplay/engines/protocol.h"

enum {
    TURN_BYTES_MAX = 64 << 20, // bytes that a program may print in one turn; to print more is the
                               // fault PLAYER_FLOOD
    ATTEMPTS = 3, // maximum number of requests for the same move, while the engine claims a result
                  // or rejects a move instead of moving
};

typedef struct ProgramPlayer {
    Player player;
    const PlayerSpec *spec; // description of the player, borrowed
    Conversation talk;
    bool in_step;                 // the program runs and has answered the last command
    bool used;                    // the program has begun a game since it was started
    char claim[PLAYER_TEXT_SIZE]; // text of the claim that the engine made in this turn: the game
                                  // is over, or a move is illegal; "" if it claimed nothing
    bool offers_draw;             // the engine has offered a draw in this turn
    Answer answer;                // the engine's last answer
    bool pondering; // the engine thinks on its opponent's time, about the last position of `ahead`
    Game ahead;     // copy of the game, continued by the reply that the engine expects
    int64_t grace_ends_ns; // time at which a turn is abandoned after a signal (Ctrl-C): one second
                           // after the signal was noticed; 0: no signal
    Text text;             // buffer for the commands that are sent
} ProgramPlayer;

// ---- starting and restarting the program -----------------------------------------------------

static Status start(ProgramPlayer *self, Err *err) {
    const Status status = conversation_open(&self->talk, self->spec, err);
    self->in_step = status == STATUS_OK;
    self->used = self->pondering = false;
    return status;
}

static Status restart(ProgramPlayer *self, Err *err) {
    conversation_close(&self->talk, self->in_step);
    self->player.restarts++;
    return start(self, err);
}

// Records that the engine claimed a result or rejected a move. In the rest of the game, the engine
// gets positions without the moves that were played before the claim, so that it cannot repeat the
// claim.
static void store_claim(ProgramPlayer *self, const char *line) {
    snprintf(self->claim, sizeof self->claim, "it claims: %.100s", line);
    self->talk.bare = true;
}

// ---- waiting for answers, stopping, new games -------------------------------------------------

// Reads the lines that the engine has printed since its last turn, without waiting. Returns
// PROCESS_TIMEOUT if the engine still runs.
static ProcessRead drain(ProgramPlayer *self) {
    SearchInfo info;
    Answer answer;
    const char *line;
    ProcessRead got;
    while ((got = conversation_listen(&self->talk, 0, &info, &answer, &line)) == PROCESS_LINE) {
        if (answer.kind == ANSWER_CLAIM) store_claim(self, line);
    }
    return got;
}

// Returns true if a signal has requested the end of this process and at least one second has passed
// since the signal was noticed.
static bool out_of_grace(ProgramPlayer *self) {
    if (!interrupt_requested()) return false;
    if (!self->grace_ends_ns) self->grace_ends_ns = conversation_deadline(1000);
    return clock_now_ns() >= self->grace_ends_ns;
}

// If the engine has just changed the first move of its principal variation, records the move and
// the state of the search.
static void note_first_move(SearchInfo *info) {
    const char *cursor = info->line;
    char first[MOVE_TEXT_SIZE];
    if (!answer_next_move(&cursor, first) || strcmp(first, info->first) == 0) return;
    strcpy(info->first, first);
    info->first_depth = info->depth;
    info->first_nodes = info->nodes;
    info->first_clock_ns = clock_now_ns();
}

// Waits for the engine's answer to `go`. Checks every 200 ms whether a signal has arrived.
static ProcessRead await_answer(ProgramPlayer *self, int64_t deadline_ns, SearchInfo *info,
                                Answer *answer) {
    const char *line;
    for (;;) {
        const int64_t soon = out_of_grace(self) ? clock_now_ns() : conversation_deadline(200);
        const bool waits_on = soon < deadline_ns && !out_of_grace(self);
        const ProcessRead got = conversation_listen(
            &self->talk, soon < deadline_ns ? soon : deadline_ns, info, answer, &line);
        if (got == PROCESS_TIMEOUT && waits_on) continue;
        if (got != PROCESS_LINE) return got;
        note_first_move(info);
        const AnswerKind kind = answer->kind;
        if (kind == ANSWER_DRAW) self->offers_draw = true;
        if (kind == ANSWER_CLAIM || kind == ANSWER_REFUSAL) store_claim(self, line);
        if (kind >= ANSWER_MOVE && kind != ANSWER_DRAW) return got;
    }
}

static ProcessRead say_stop(ProgramPlayer *self) {
    SearchInfo info = {0};
    Answer answer = {0};
    if (self->talk.quirks.no_stop) return PROCESS_TIMEOUT;
    if (!conversation_say(&self->talk, self->talk.protocol->stop)) return PROCESS_END;
    return await_answer(self, conversation_deadline(self->talk.quirks.stop_ms), &info, &answer);
}

// Stops an engine that ponders on a position that did not arise, and discards its answer. An engine
// that had already answered may also answer the stop; conversation_sync() skips this second answer.
static ProcessRead stop_pondering(ProgramPlayer *self) {
    self->pondering = false;
    const ProcessRead got = say_stop(self);
    if (got != PROCESS_LINE) return got;
    return conversation_sync(&self->talk, self->talk.quirks.stop_ms);
}

// Sends the commands that begin a new game and waits until the engine is ready.
static ProcessRead say_new_game(ProgramPlayer *self, const TimeControl *control) {
    Conversation *talk = &self->talk;
    process_set_budget(talk->process, TURN_BYTES_MAX);
    talk->bare = false;
    talk->known_key = 0;
    self->answer = (Answer){0};
    text_reset(&self->text);
    talk->protocol->new_game(talk, control, &self->text);
    if (!conversation_say(talk, text_get(&self->text))) return PROCESS_END;
    return conversation_sync(talk, talk->quirks.start_ms);
}

static Status new_game(Player *player, const TimeControl *control, Err *err) {
    ProgramPlayer *self = (ProgramPlayer *)player;
    self->claim[0] = '\0';
    if (self->pondering && stop_pondering(self) != PROCESS_LINE) self->in_step = false;
    for (int attempt = 0; attempt < 2; attempt++) {
        if (!self->in_step || (self->used && self->talk.quirks.no_reuse)) {
            const Status status = restart(self, err);
            if (status == STATUS_ENGINE && attempt == 0) continue;
            if (status != STATUS_OK) return status;
        }
        if (say_new_game(self, control) == PROCESS_LINE) {
            self->used = true;
            return STATUS_OK;
        }
        self->in_step = false;
    }
    return err_set(err, STATUS_ENGINE, "'%s' is not ready for a new game: %s", self->spec->command,
                   self->talk.last_words[0] ? self->talk.last_words : "it does not answer");
}

// ---- one turn --------------------------------------------------------------------------------

static void set_fault(PlayerReply *reply, PlayerFault fault, const char *note) {
    reply->fault = fault;
    snprintf(reply->note, sizeof reply->note, "%.*s", PLAYER_TEXT_SIZE - 1, note);
}

// Sets the fault of an engine with which the communication has failed. `got` says how: too much
// output, no answer in time, or a closed input or output.
static void set_lost(ProgramPlayer *self, ProcessRead got, PlayerReply *reply) {
    self->in_step = false;
    if (got == PROCESS_FLOOD) {
        set_fault(reply, PLAYER_FLOOD, "it printed more than 64 MB in one turn");
    } else if (got == PROCESS_TIMEOUT) {
        set_fault(reply, PLAYER_HANG, "it did not answer");
    } else {
        set_fault(reply,
                  !self->talk.unreachable ? PLAYER_CRASH
                  : self->talk.deaf       ? PLAYER_HANG
                                          : PLAYER_CLOSED,
                  self->talk.last_words[0] ? self->talk.last_words : "its process has ended");
    }
}

// Copies the engine's principal variation to reply->expected, up to the first move that cannot be
// read or is illegal. If the variation does not begin with the played move, copies only that move.
static void store_line(const ProgramPlayer *self, const Game *game, PlayerReply *reply) {
    Position now = game->now;
    const char *cursor = reply->info.line;
    char text[MOVE_TEXT_SIZE];
    reply->expected[reply->expected_count++] = reply->move;
    for (int i = 0; i < PLAYER_EXPECTED_MAX && answer_next_move(&cursor, text); i++) {
        const Move move = move_scan(text, strlen(text), self->talk.quirks.ranks);
        if ((i == 0 && move != reply->move) || !answer_is_legal(&now, move)) return;
        const Position before = now;
        position_do_move(&before, move, &now);
        reply->expected[i] = move;
        reply->expected_count = i + 1;
    }
}

// Sets the `found` fields of the reply. `begun` is the time of the request, from clock_now_ns().
static void store_found(const ProgramPlayer *self, int64_t begun, PlayerReply *reply) {
    const SearchInfo *info = &reply->info;
    const Move first = move_scan(info->first, strlen(info->first), self->talk.quirks.ranks);
    const bool kept = first != MOVE_NONE && first == reply->move;
    reply->found_depth = kept ? info->first_depth : info->depth;
    reply->found_nodes = kept ? info->first_nodes : info->nodes;
    reply->found_ns = kept ? info->first_clock_ns - begun : reply->time_ns;
}

static void store_move(ProgramPlayer *self, const Game *game, PlayerReply *reply) {
    const Answer *answer = &self->answer;
    Position now;
    const Move move = move_scan(answer->move, strlen(answer->move), self->talk.quirks.ranks);
    reply->resigns = answer->resigns;
    reply->offers_draw = answer->offers_draw || self->offers_draw;
    if (move == MOVE_NONE) {
        reply->fault = PLAYER_GARBAGE;
        snprintf(reply->note, sizeof reply->note, "its answer is not a move: '%s'", answer->move);
    } else if (!answer_is_legal(&game->now, move)) {
        reply->fault = PLAYER_ILLEGAL;
        snprintf(reply->note, sizeof reply->note, "it played the illegal move %s", answer->move);
    } else {
        reply->move = move;
        store_line(self, game, reply);
        position_do_move(&game->now, move, &now);
        self->talk.known = game->count + 1;
        self->talk.known_key = now.key;
    }
}

// Begins a new game in an engine that claimed a result or rejected a move; the current position is
// then sent without the preceding moves. After a claim the engine regards its game as over, and
// some engines end at the next command: such an engine is restarted. On failure sets the fault in
// *reply and returns false.
static bool begin_again(ProgramPlayer *self, const TimeControl *control, PlayerReply *reply) {
    ProcessRead got = say_new_game(self, control);
    Err err = {0};
    if (got != PROCESS_LINE) {
        if (restart(self, &err) != STATUS_OK) {
            self->in_step = false;
            set_fault(reply, PLAYER_START, err.text);
            return false;
        }
        got = say_new_game(self, control);
    }
    self->talk.bare = true;
    if (got != PROCESS_LINE) set_lost(self, got, reply);
    return got == PROCESS_LINE;
}

static bool say_turn(ProgramPlayer *self, const PlayerTurn *turn, bool ponder) {
    text_reset(&self->text);
    self->talk.protocol->turn(&self->talk, turn, ponder, &self->text);
    return conversation_say(&self->talk, text_get(&self->text));
}

// Converts the score of an engine that reports scores from Red's point of view (quirk red_scores)
// to the point of view of the side to move.
static void turn_score(const ProgramPlayer *self, Side stm, SearchInfo *info) {
    if (!self->talk.quirks.red_scores || stm == RED) return;
    info->score_cp = -info->score_cp;
    // The mating side makes the last move, so a mate in N moves is 2N - 1 plies for the side to
    // move, but -2N plies for its opponent.
    if (info->mate) info->mate = -info->mate - 1;
}

// Requests a move and waits for the answer. If `hit`, the opponent has played the expected move,
// and the engine already ponders on this position. Returns true if the engine claimed a result or
// rejected a move instead of moving; the caller may then repeat the request.
static bool request_move(ProgramPlayer *self, const PlayerTurn *turn, bool hit, int64_t deadline_ns,
                         PlayerReply *reply) {
    reply->info = (SearchInfo){0};
    ProcessRead got = PROCESS_END;
    if (hit ? conversation_say(&self->talk, self->talk.protocol->ponderhit)
            : say_turn(self, turn, false)) {
        got = await_answer(self, deadline_ns, &reply->info, &self->answer);
    } else {
        drain(self); // the engine has probably ended; its last lines may claim a result
    }
    turn_score(self, (Side)turn->game->now.stm, &reply->info);
    const bool late = got == PROCESS_TIMEOUT;
    // If the engine answers after a stop, it is only late: it can play the next game.
    if (late) got = say_stop(self);
    reply->interrupted = late && out_of_grace(self);
    if (late && got == PROCESS_LINE) {
        set_fault(reply, PLAYER_LATE, "it answered only after a stop was sent");
    } else if (got != PROCESS_LINE) {
        // The engine claimed a result and then ended, as some engines always do. This does not
        // count as a crash.
        if (self->claim[0] && got == PROCESS_END && !late) return true;
        set_lost(self, got, reply);
    } else if (self->answer.kind == ANSWER_CLAIM || self->answer.kind == ANSWER_REFUSAL) {
        return true;
    } else if (self->answer.kind == ANSWER_MOVE) {
        store_move(self, turn->game, reply);
    } else if (self->answer.kind == ANSWER_RESIGN) {
        reply->resigns = true;
    } else {
        reply->no_move = true;
        set_fault(reply, PLAYER_GARBAGE, "it reported that it has no move");
    }
    return false;
}

static void go(Player *player, const PlayerTurn *turn, PlayerReply *reply) {
    ProgramPlayer *self = (ProgramPlayer *)player;
    ProcessRead got;
    self->claim[0] = '\0';
    self->offers_draw = false;
    if (!self->in_step) {
        set_fault(reply, PLAYER_CRASH, "it was not ready for a move");
        return;
    }
    process_set_budget(self->talk.process, TURN_BYTES_MAX);
    bool hit = self->pondering && self->ahead.count == turn->game->count &&
               self->ahead.now.key == turn->game->now.key;
    if (self->pondering && !hit && (got = stop_pondering(self)) != PROCESS_LINE) {
        set_lost(self, got, reply);
        return;
    }
    self->pondering = false;
    got = hit ? PROCESS_TIMEOUT : drain(self);
    // If the engine claimed a result since the last turn, it needs a new game before the next
    // request.
    bool again = self->claim[0] != '\0';
    if (got != PROCESS_TIMEOUT && !(again && got == PROCESS_END)) {
        set_lost(self, got, reply);
        return;
    }
    const TimeControl *control = &turn->clocks[turn->game->now.stm].control;
    int64_t begun = clock_now_ns();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (again && !begin_again(self, control, reply)) break;
        // The time of the turn begins before the position is sent. It does not include the time for
        // ending pondering and for beginning a new game.
        begun = clock_now_ns();
        again = request_move(self, turn, hit, begun + turn->patience_ns, reply);
        hit = false;
        if (!again) break;
    }
    reply->time_ns = clock_now_ns() - begun;
    store_found(self, begun, reply);
    if (!self->talk.deaf && (reply->fault == PLAYER_LATE || reply->fault == PLAYER_HANG)) {
        const size_t length = strlen(reply->note);
        snprintf(reply->note + length, sizeof reply->note - length,
                 " (after %lld ms; the limit was %lld ms)", (long long)(reply->time_ns / MS_NS),
                 (long long)(turn->patience_ns / MS_NS));
    }
    if (again && !reply->fault) {
        self->in_step = false;
        set_fault(reply, PLAYER_CLAIM, self->claim);
    } else if (!reply->fault) {
        snprintf(reply->note, sizeof reply->note, "%s", self->claim);
    }
}

// Lets the engine ponder on the reply that it expects to its move.
static void ponder(Player *player, const PlayerTurn *turn) {
    ProgramPlayer *self = (ProgramPlayer *)player;
    const Game *game = turn->game;
    const Move expected =
        move_scan(self->answer.ponder, strlen(self->answer.ponder), self->talk.quirks.ranks);
    self->answer.ponder[0] = '\0';
    if (!self->spec->ponder || !self->in_step || odds_active(turn->odds)) return;
    if (!answer_is_legal(&game->now, expected)) return;
    game_reset(&self->ahead, game_start(game));
    for (size_t i = 0; i < game->count; i++) game_push(&self->ahead, game->plies[i].move);
    game_push(&self->ahead, expected);
    if (position_no_legal_move(&self->ahead.now)) return;
    PlayerTurn then = *turn;
    then.game = &self->ahead;
    self->pondering = say_turn(self, &then, true);
}

static void close_program(Player *player) {
    ProgramPlayer *self = (ProgramPlayer *)player;
    conversation_close(&self->talk, self->in_step);
    text_clear(&self->text);
    game_clear(&self->ahead);
    free(self);
}

static const PlayerOps program_ops = {new_game, go, ponder, close_program};

Status player_open_program(const PlayerSpec *spec, Player **player, Err *err) {
    *player = NULL;
    if (!spec->program) {
        return err_set(err, STATUS_USAGE,
                       "the player '%s' is not a program: give cmd= or profile=", spec->name);
    }
    const ProtocolOps *protocol = protocols[spec->profile->protocol];
    const char *missing = spec->limits.nodes && !protocol->limits_nodes ? "nodes"
                          : spec->ponder && !protocol->ponderhit        ? "ponder"
                                                                        : NULL;
    if (missing) {
        return err_set(err, STATUS_USAGE, "%s: the protocol %s has no command for %s=%s",
                       spec->name, protocol->name, missing,
                       spec->ponder ? "" : ": give this player depth=, st= or tc= instead");
    }
    if (spec->ponder && spec->quirks.no_stop) {
        return err_set(
            err, STATUS_USAGE,
            "%s: ponder= is not possible with the quirk no_stop, because only "
            "`stop` ends the pondering after an unexpected move: omit ponder= or no_stop",
            spec->name);
    }
    ProgramPlayer *self = memory_alloc(1, sizeof *self);
    self->player.ops = &program_ops;
    self->spec = spec;
    self->player.engine_name = self->talk.engine_name;
    self->player.evaluation = self->talk.evaluation;
    self->player.remarks = &self->talk.remarks;
    Status status = start(self, err);
    if (status == STATUS_ENGINE) {
        status = start(self, err);
        if (status == STATUS_ENGINE) err_prefix(err, "two attempts to start it failed");
    }
    if (status != STATUS_OK) {
        close_program(&self->player);
        return status;
    }
    *player = &self->player;
    return STATUS_OK;
}

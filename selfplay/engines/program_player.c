// SPDX-License-Identifier: GPL-3.0-or-later
// A player that is another program, spoken to by its profile.
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "selfplay/engines/conversation.h"
#include "selfplay/engines/player.h"

enum {
    TURN_BYTES_MAX = 64 << 20, // more output in one turn is a flood
    ATTEMPTS = 3,              // at a move, when it claims results instead
};

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
    Text moves;                   // the plies written_first .. written_end of the game
    size_t written_first, written_end;
    Text text;
} ProgramPlayer;

// ---- being ready -----------------------------------------------------------------------------

static Status start(ProgramPlayer *self, Err *err) {
    const Status status = conversation_open(&self->talk, &self->spec, err);
    self->in_step = status == STATUS_OK;
    self->used = false;
    self->player.process_id = self->in_step ? process_id(self->talk.process) : 0;
    return status;
}

static Status restart(ProgramPlayer *self, Err *err) {
    conversation_close(&self->talk, self->in_step);
    self->player.restarts++;
    return start(self, err);
}

// A line that counts though nobody asked: a claim, or a move of ours that it does not accept.
static void take_claim(ProgramPlayer *self, const char *line) {
    snprintf(self->claim, sizeof self->claim, "it says: %.100s", line);
    self->bare = true;
}

static void fill_clock_values(const Clock *clock, PlaceValues *values) {
    const TimeControl *control = &clock->control;
    place_set_number(values, PLACE_BASE, control->base_ns);
    place_set_number(values, PLACE_SESSION_MOVES, control->moves);
    place_set_number(values, PLACE_INC, control->inc_ns);
}

// Adds the lines of `new_game`, and those of a clock where the game has one.
static void add_new_game(ProgramPlayer *self) {
    PlaceValues values = {.unit = self->talk.unit};
    template_expand(self->talk.profile.field[PROFILE_NEW_GAME], &values, &self->text);
    if (self->control.base_ns > 0) {
        Clock clock;
        clock_start(&clock, &self->control);
        fill_clock_values(&clock, &values);
        template_expand(self->talk.profile.field[PROFILE_NEW_GAME_CLOCK], &values, &self->text);
    }
}

// Sends them and waits until it is ready.
static ProcessRead say_new_game(ProgramPlayer *self) {
    Conversation *talk = &self->talk;
    process_set_budget(talk->process, TURN_BYTES_MAX);
    self->fresh = true;
    self->bare = false;
    self->sent_count = 0;
    self->written_first = self->written_end = 0;
    text_reset(&self->moves);
    text_reset(&self->text);
    add_new_game(self);
    if (!conversation_say_text(talk, text_get(&self->text), self->text.length)) return PROCESS_END;
    return conversation_sync(talk, conversation_deadline(talk->profile.start_ms));
}

static Status new_game(Player *player, const TimeControl *control, Err *err) {
    ProgramPlayer *self = (ProgramPlayer *)player;
    self->control = *control;
    self->claim[0] = '\0';
    for (int attempt = 0; attempt < 2; attempt++) {
        const bool reusable = self->in_step && (!self->used || self->talk.profile.reuse);
        if (!reusable || attempt > 0) {
            const Status status = restart(self, err);
            if (status == STATUS_ENGINE && attempt == 0) continue;
            if (status != STATUS_OK) return status;
        }
        if (say_new_game(self) == PROCESS_LINE) {
            self->used = true;
            return STATUS_OK;
        }
        self->in_step = false;
    }
    return err_set(err, STATUS_ENGINE, "'%s' is not ready for a new game: %s",
                   self->talk.profile.field[PROFILE_COMMAND],
                   self->talk.last_words[0] ? self->talk.last_words : "it does not answer");
}

// ---- positions -------------------------------------------------------------------------------

// The pieces of a side as XBoard's edit wants them, a line each.
static void write_pieces(const Position *position, Side side, Text *out) {
    static const char letters[] = " KAEHRCP";
    text_reset(out);
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = position->board[square];
        if (piece == PIECE_NONE || piece_side(piece) != side) continue;
        text_add(out, "%s%c%c%d", out->length ? "\n" : "", letters[piece_type(piece)],
                 'a' + square_file(square), square_rank(square));
    }
}

// Adds the lines of a position, and of the moves behind it where the profile has them in one.
static void add_position(ProgramPlayer *self, const Position *position, const char *moves) {
    char fen[FEN_SIZE];
    Text red = {0}, black = {0};
    PlaceValues values = {0};
    position_to_fen(position, self->talk.profile.fen, fen);
    place_set_text(&values, PLACE_FEN, fen);
    if (*moves) place_set_text(&values, PLACE_MOVES, moves);
    const char *template = self->talk.profile.field[PROFILE_POSITION];
    if (template_uses(template, PLACE_RED_PIECES)) {
        write_pieces(position, RED, &red);
        write_pieces(position, BLACK, &black);
        place_set_text(&values, PLACE_RED_PIECES, text_get(&red));
        place_set_text(&values, PLACE_BLACK_PIECES, text_get(&black));
        if (position->stm == BLACK) place_set_text(&values, PLACE_BLACK_TO_MOVE, "");
    }
    template_expand(template, &values, &self->text);
    text_clear(&red);
    text_clear(&black);
}

// Appends a move, behind a blank where others stand before it.
static void add_move(const ProgramPlayer *self, Move move, Text *text) {
    char word[ANSWER_MOVE_SIZE];
    answer_write_move(move, self->talk.profile.first_rank, word);
    text_add(text, "%s%s", text->length ? " " : "", word);
}

// The moves of the game from ply `first` on, blanks between them, in self->moves: those that are
// there already, from an earlier turn of the same game, stay.
static void write_moves(ProgramPlayer *self, const Game *game, size_t first) {
    if (first != self->written_first || game->count < self->written_end) {
        text_reset(&self->moves);
        self->written_first = self->written_end = first;
    }
    for (; self->written_end < game->count; self->written_end++) {
        add_move(self, game->plies[self->written_end].move, &self->moves);
    }
}

// Where a record of the game may begin for this engine.
static size_t history_begin(const ProgramPlayer *self, const Game *game) {
    if (self->bare) return game->count;
    if (self->talk.profile.history != HISTORY_CAPTURE) return 0;
    for (size_t i = game->count; i > 0; i--) {
        if (game->plies[i - 1].captured != PIECE_NONE) return i;
    }
    return 0;
}

static void remember_move(ProgramPlayer *self, Move move) {
    self->sent =
        memory_room(self->sent, &self->sent_capacity, self->sent_count + 1, sizeof *self->sent);
    self->sent[self->sent_count++] = move;
}

// History steps: does it stand in a position of this game, `first` plies after its start, so that
// only what came later has to be sent?
static bool follows(const ProgramPlayer *self, const Game *game, size_t *first) {
    if (self->fresh || self->sent_count > game->count) return false;
    *first = game->count;
    size_t begin = 0;
    // A bare position may have been anywhere in the game.
    while (begin + self->sent_count <= game->count &&
           game_position(game, begin)->key != self->base.key) {
        begin++;
    }
    if (begin + self->sent_count > game->count) return false;
    for (size_t i = 0; i < self->sent_count; i++) {
        if (game->plies[begin + i].move != self->sent[i]) return false;
    }
    *first = begin + self->sent_count;
    return true;
}

// History steps: sets it up where it does not follow, then the moves it does not know.
static void add_steps(ProgramPlayer *self, const Game *game) {
    size_t first = 0;
    if (!follows(self, game, &first)) {
        first = history_begin(self, game);
        if (!self->fresh) add_new_game(self);
        self->base = *game_position(game, first);
        self->sent_count = 0;
        add_position(self, &self->base, "");
    }
    template_expand(self->talk.profile.field[PROFILE_BEFORE_MOVES], &(PlaceValues){0}, &self->text);
    for (size_t i = first; i < game->count; i++) {
        char move[ANSWER_MOVE_SIZE];
        PlaceValues values = {0};
        answer_write_move(game->plies[i].move, self->talk.profile.first_rank, move);
        place_set_text(&values, PLACE_MOVE, move);
        template_expand(self->talk.profile.field[PROFILE_MOVE], &values, &self->text);
        remember_move(self, game->plies[i].move);
    }
    self->fresh = false;
}

// What a handicap forbids now, in `banned`, and what it leaves, in `allowed`; nothing in both where
// it forbids no legal move.
static void write_odds(const ProgramPlayer *self, const PlayerTurn *turn, Text *allowed,
                       Text *banned) {
    const Position *now = &turn->game->now;
    MoveList all;
    position_legal_moves(now, &all);
    for (int i = 0; i < all.count; i++) {
        const bool may = odds_move_allowed(turn->odds, now, all.moves[i]);
        add_move(self, all.moves[i], may ? allowed : banned);
    }
    if (banned->length == 0) text_reset(allowed);
}

static void add_go(ProgramPlayer *self, const PlayerTurn *turn) {
    const Side us = (Side)turn->game->now.stm;
    const Clock *own = &turn->clocks[us], *theirs = &turn->clocks[side_other(us)];
    PlaceValues values = {.unit = self->talk.unit};
    Text allowed = {0}, banned = {0};
    if (odds_active(turn->odds)) write_odds(self, turn, &allowed, &banned);
    if (allowed.length) place_set_text(&values, PLACE_ALLOWED, allowed.data);
    if (banned.length) place_set_text(&values, PLACE_BANNED, banned.data);
    if (self->spec.nodes) place_set_number(&values, PLACE_NODES, (int64_t)self->spec.nodes);
    if (self->spec.depth) place_set_number(&values, PLACE_DEPTH, self->spec.depth);
    if (own->control.move_ns) place_set_number(&values, PLACE_MOVE_TIME, own->control.move_ns);
    if (own->control.base_ns) {
        // Protocols have no word for an opponent without a clock: it is given the same one.
        if (!theirs->control.base_ns) theirs = own;
        const Clock *red = us == RED ? own : theirs, *black = us == RED ? theirs : own;
        fill_clock_values(own, &values);
        place_set_number(&values, PLACE_LEFT, own->left_ns);
        place_set_number(&values, PLACE_OPP_LEFT, theirs->left_ns);
        place_set_number(&values, PLACE_OPP_INC, theirs->control.inc_ns);
        place_set_number(&values, PLACE_RED_LEFT, red->left_ns);
        place_set_number(&values, PLACE_BLACK_LEFT, black->left_ns);
        place_set_number(&values, PLACE_RED_INC, red->control.inc_ns);
        place_set_number(&values, PLACE_BLACK_INC, black->control.inc_ns);
        if (own->moves_left) place_set_number(&values, PLACE_MOVES_LEFT, own->moves_left);
    }
    template_expand(self->talk.profile.field[PROFILE_GO], &values, &self->text);
    text_clear(&allowed);
    text_clear(&banned);
}

// Everything that is said at a turn, in one piece.
static void compose(ProgramPlayer *self, const PlayerTurn *turn) {
    const Game *game = turn->game;
    text_reset(&self->text);
    if (self->talk.profile.history == HISTORY_STEPS) {
        add_steps(self, game);
    } else {
        const size_t first = history_begin(self, game);
        write_moves(self, game, first);
        add_position(self, game_position(game, first), text_get(&self->moves));
    }
    add_go(self, turn);
}

// ---- a turn ----------------------------------------------------------------------------------

static void set_fault(PlayerReply *reply, PlayerFault fault, const char *note) {
    reply->fault = fault;
    snprintf(reply->note, sizeof reply->note, "%.*s", PLAYER_TEXT_SIZE - 1, note);
}

static void lost(ProgramPlayer *self, ProcessRead got, PlayerReply *reply) {
    self->in_step = false;
    self->player.process_id = 0; // it may be anybody's number now
    if (got == PROCESS_FLOOD) {
        set_fault(reply, PLAYER_FLOOD, "it printed more than 64 MB in one turn");
    } else {
        set_fault(reply, PLAYER_CRASH,
                  self->talk.last_words[0] ? self->talk.last_words : "it is not there any more");
    }
}

// Reads what came since the last turn. False when it is gone.
static bool drain(ProgramPlayer *self, ProcessRead *got) {
    SearchInfo info;
    Answer answer;
    const char *line;
    while ((*got = conversation_listen(&self->talk, 0, &info, &answer, &line)) == PROCESS_LINE) {
        if (answer.kind == ANSWER_CLAIM) take_claim(self, line);
    }
    return *got == PROCESS_TIMEOUT;
}

// Listens for the answer to `go`.
static ProcessRead await_answer(ProgramPlayer *self, int64_t deadline_ns, SearchInfo *info,
                                Answer *answer) {
    const char *line;
    for (;;) {
        const ProcessRead got = conversation_listen(&self->talk, deadline_ns, info, answer, &line);
        if (got != PROCESS_LINE) return got;
        switch (answer->kind) {
        case ANSWER_CLAIM:
        case ANSWER_REFUSAL:
            take_claim(self, line);
            return got;
        case ANSWER_MOVE:
        case ANSWER_NO_MOVE:
        case ANSWER_RESIGN:
            return got;
        case ANSWER_DRAW:
            self->offers_draw = true;
            break;
        default:
            break;
        }
    }
}

// It has used up all patience: told to stop it may still get in step again.
static void stop(ProgramPlayer *self, PlayerReply *reply) {
    SearchInfo info = {0};
    Answer answer = {0};
    ProcessRead got = PROCESS_END;
    if (!self->talk.profile.field[PROFILE_STOP][0]) {
        got = PROCESS_TIMEOUT;
    } else if (conversation_say(&self->talk, PROFILE_STOP, NULL)) {
        got = await_answer(self, conversation_deadline(self->talk.profile.stop_ms), &info, &answer);
    }
    if (got == PROCESS_LINE) {
        set_fault(reply, PLAYER_LATE, "it answered only when it was told to stop");
    } else if (got == PROCESS_TIMEOUT) {
        self->in_step = false;
        set_fault(reply, PLAYER_HANG,
                  process_unfinished(self->talk.process) ? "no answer, but a line without an end"
                                                         : "no answer");
    } else {
        lost(self, got, reply);
    }
}

static void take_move(ProgramPlayer *self, const Game *game, const Answer *answer,
                      PlayerReply *reply) {
    const Move move = answer_move(answer->move, self->talk.profile.first_rank);
    reply->resigns = answer->resigns;
    reply->offers_draw = answer->offers_draw || self->offers_draw;
    if (move == MOVE_NONE) {
        reply->fault = PLAYER_GARBAGE;
        snprintf(reply->note, sizeof reply->note, "its move reads '%s'", answer->move);
    } else if (!position_is_pseudo_legal(&game->now, move) ||
               !position_is_legal(&game->now, move)) {
        reply->fault = PLAYER_ILLEGAL;
        snprintf(reply->note, sizeof reply->note, "it wants to play %s", answer->move);
    } else {
        reply->move = move;
        if (self->talk.profile.history == HISTORY_STEPS) remember_move(self, move);
    }
}

// After a claim the engine takes the game for over, and some end at the next word: it gets a new
// game and the position without its history. False when it is gone.
static bool begin_again(ProgramPlayer *self, PlayerReply *reply) {
    ProcessRead got = say_new_game(self);
    Err err = {0};
    if (got != PROCESS_LINE) {
        if (restart(self, &err) != STATUS_OK) {
            self->in_step = false;
            set_fault(reply, PLAYER_START, err.text);
            return false;
        }
        got = say_new_game(self);
    }
    self->bare = true;
    if (got != PROCESS_LINE) lost(self, got, reply);
    return got == PROCESS_LINE;
}

// One question and its answer. True when it claimed a result instead, so that it may be asked
// again.
static bool ask(ProgramPlayer *self, const PlayerTurn *turn, int64_t deadline_ns,
                PlayerReply *reply) {
    Answer answer = {0};
    reply->info = (SearchInfo){0};
    compose(self, turn);
    ProcessRead got = PROCESS_END;
    if (conversation_say_text(&self->talk, text_get(&self->text), self->text.length)) {
        got = await_answer(self, deadline_ns, &reply->info, &answer);
    } else {
        drain(self, &got); // its last words may be a claim
        got = PROCESS_END;
    }
    if (got == PROCESS_TIMEOUT) {
        stop(self, reply);
    } else if (got != PROCESS_LINE) {
        // Ending after a claim is a habit, not a crash.
        if (self->claim[0] && got == PROCESS_END) return true;
        lost(self, got, reply);
    } else if (answer.kind == ANSWER_CLAIM || answer.kind == ANSWER_REFUSAL) {
        return true;
    } else if (answer.kind == ANSWER_MOVE) {
        take_move(self, turn->game, &answer, reply);
    } else if (answer.kind == ANSWER_RESIGN) {
        reply->resigns = true;
    } else {
        set_fault(reply, PLAYER_GARBAGE, "it says that it has no move");
    }
    return false;
}

static void go(Player *player, const PlayerTurn *turn, PlayerReply *reply) {
    ProgramPlayer *self = (ProgramPlayer *)player;
    ProcessRead got;
    self->claim[0] = '\0';
    self->offers_draw = false;
    if (!self->in_step) {
        set_fault(reply, PLAYER_CRASH, "it was not ready");
        return;
    }
    process_set_budget(self->talk.process, TURN_BYTES_MAX);
    bool again = false;
    if (!drain(self, &got) && !(again = self->claim[0] && got == PROCESS_END)) {
        lost(self, got, reply);
        return;
    }
    // A claim since the last turn, in a game that goes on, ends its play until it gets a new game.
    again = again || self->claim[0];
    int64_t begun = clock_now_ns();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (again && !begin_again(self, reply)) break;
        begun = clock_now_ns(); // setting up again is not its thinking
        again = ask(self, turn, begun + turn->patience_ns, reply);
        if (!again) break;
    }
    reply->time_ns = clock_now_ns() - begun;
    if (reply->fault == PLAYER_LATE || reply->fault == PLAYER_HANG) {
        const size_t length = strlen(reply->note);
        snprintf(reply->note + length, sizeof reply->note - length, " (after %lld ms of %lld ms)",
                 (long long)(reply->time_ns / MS_NS), (long long)(turn->patience_ns / MS_NS));
    }
    if (again && !reply->fault) {
        self->in_step = false;
        set_fault(reply, PLAYER_CLAIM, self->claim);
    } else if (!reply->fault) {
        snprintf(reply->note, sizeof reply->note, "%s", self->claim);
    }
}

// ---- opening and closing ---------------------------------------------------------------------

static void close_program(Player *player) {
    ProgramPlayer *self = (ProgramPlayer *)player;
    conversation_close(&self->talk, self->in_step);
    player_spec_clear(&self->spec);
    text_clear(&self->moves);
    text_clear(&self->text);
    free(self->sent);
    free(self);
}

// Limits that the profile has no words for would be ignored without a sound.
static Status check_limits(const PlayerSpec *spec, Err *err) {
    const struct {
        bool wanted;
        Placeholder place;
        const char *key;
    } limits[] = {{spec->nodes > 0, PLACE_NODES, "nodes"},
                  {spec->depth > 0, PLACE_DEPTH, "depth"},
                  {spec->control.move_ns > 0, PLACE_MOVE_TIME, "st"},
                  {spec->control.base_ns > 0, PLACE_LEFT, "tc"}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const char *go_template = spec->profile.field[PROFILE_GO];
        const bool known =
            template_uses(go_template, limits[i].place) ||
            (limits[i].place == PLACE_LEFT && template_uses(go_template, PLACE_RED_LEFT));
        if (limits[i].wanted && !known) {
            return err_set(err, STATUS_USAGE, "'%s' cannot be limited by %s= (profile %s)",
                           spec->name, limits[i].key, spec->profile.name);
        }
    }
    return STATUS_OK;
}

static const PlayerOps program_ops = {new_game, go, close_program};

Status player_open_program(const PlayerSpec *spec, Player **player, Err *err) {
    *player = NULL;
    if (!spec->program) {
        return err_set(err, STATUS_USAGE, "'%s' is no program: give cmd= or profile=", spec->name);
    }
    Status status = check_limits(spec, err);
    if (status != STATUS_OK) return status;
    ProgramPlayer *self = memory_alloc(1, sizeof *self);
    self->player.ops = &program_ops;
    player_spec_copy(&self->spec, spec);
    status = start(self, err);
    if (status != STATUS_OK) {
        close_program(&self->player);
        return status;
    }
    *player = &self->player;
    return STATUS_OK;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// What a program is told: games, positions with their moves, limits and clocks.
#include "core/base/memory.h"
#include "selfplay/engines/program_player.h"

static void fill_clock_values(const Clock *clock, PlaceValues *values) {
    const TimeControl *control = &clock->control;
    place_set_number(values, PLACE_BASE, control->base_ns);
    place_set_number(values, PLACE_SESSION_MOVES, control->moves);
    place_set_number(values, PLACE_INC, control->inc_ns);
}

void program_add_new_game(ProgramPlayer *self) {
    PlaceValues values = {.unit = self->talk.unit};
    template_expand(self->talk.profile.field[PROFILE_NEW_GAME], &values, &self->text);
    if (self->control.base_ns > 0) {
        Clock clock;
        clock_start(&clock, &self->control);
        fill_clock_values(&clock, &values);
        template_expand(self->talk.profile.field[PROFILE_NEW_GAME_CLOCK], &values, &self->text);
    }
}

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

void program_forget_moves(ProgramPlayer *self) {
    self->written_first = self->written_end = 0;
    text_reset(&self->moves);
}

// The moves of the game from ply `first` on, blanks between them, in self->moves: those that are
// there already, from an earlier turn of the same game, stay.
static void write_moves(ProgramPlayer *self, const Game *game, size_t first) {
    if (first != self->written_first || game->count < self->written_end) {
        program_forget_moves(self);
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

void program_remember_move(ProgramPlayer *self, Move move) {
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
        if (!self->fresh) program_add_new_game(self);
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
        program_remember_move(self, game->plies[i].move);
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

static void add_go(ProgramPlayer *self, const PlayerTurn *turn, bool ponder) {
    const Side us = (Side)turn->game->now.stm;
    const Clock *own = &turn->clocks[us], *theirs = &turn->clocks[side_other(us)];
    PlaceValues values = {.unit = self->talk.unit};
    Text allowed = {0}, banned = {0};
    if (ponder) place_set_text(&values, PLACE_PONDER, "ponder");
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

void program_compose(ProgramPlayer *self, const PlayerTurn *turn, bool ponder) {
    const Game *game = turn->game;
    text_reset(&self->text);
    if (self->talk.profile.history == HISTORY_STEPS) {
        add_steps(self, game);
    } else {
        const size_t first = history_begin(self, game);
        write_moves(self, game, first);
        add_position(self, game_position(game, first), text_get(&self->moves));
    }
    add_go(self, turn, ponder);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/odds.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "core/base/text.h"

typedef struct OddsRow {
    const char *name;
    char parameter;
    Side giver;
    const char *fen;
    int moves;
    OddsIron iron;
    const char *iron_men;
    int set_games;
    const char *summary;
    const char *pattern;
} OddsRow;

// A handicap's name as users type it. `parameter` is the character between the name and the
// parameter N, or 0 if the handicap has no parameter.
#define PATTERN(name, parameter)                                                                   \
    ((parameter) == '+' ? name "+N" : (parameter) == ':' ? name ":N" : name)
static const OddsRow rows[ODDS_KIND_COUNT] = {
#define ODDS(id, name, parameter, giver, fen, moves, iron, iron_men, set_games, summary)           \
    {name, parameter, giver,     fen,     moves,                                                   \
     iron, iron_men,  set_games, summary, PATTERN(name, parameter)},
#include "core/rules/odds.def"
};

void odds_of_kind(OddsKind kind, int moves, Odds *odds) {
    const OddsRow *row = &rows[kind];
    *odds = (Odds){
        .kind = kind,
        .pattern = row->pattern,
        .summary = row->summary,
        .giver = row->giver,
        .moves = row->parameter && moves > row->moves ? moves : row->moves,
        .iron = row->iron,
        .set_games = row->set_games,
    };
    odds->reach = odds->moves >= 4   ? REACH_RIVER_EDGE
                  : odds->moves == 3 ? REACH_OWN_HALF
                                     : REACH_ANYWHERE;
    if (row->parameter) {
        snprintf(odds->name, sizeof odds->name, "%s%c%d", row->name, row->parameter, odds->moves);
    } else {
        snprintf(odds->name, sizeof odds->name, "%s", row->name);
    }
    const Status status = position_from_fen(&odds->start, row->fen, NULL);
    assert(status == STATUS_OK);
    (void)status;
    for (const char *at = row->iron_men; *at; at += at[2] == ' ' ? 3 : 2) {
        assert(odds->iron_count < MAX_IRON_MEN);
        odds->iron_squares[odds->iron_count++] = (uint8_t)square_make(at[0] - 'a', at[1] - '0');
    }
}

Status odds_by_name(const char *name, Odds *odds, Err *err) {
    for (int i = 0; i < ODDS_KIND_COUNT; i++) {
        const OddsRow *row = &rows[i];
        const size_t length = strlen(row->name);
        if (strncmp(name, row->name, length) != 0) continue;
        const char *rest = name + length;
        if (!row->parameter && *rest == '\0') {
            odds_of_kind((OddsKind)i, 0, odds);
            return STATUS_OK;
        }
        if (!row->parameter || *rest != row->parameter) continue;
        char what[48];
        long long moves = 0;
        snprintf(what, sizeof what, "the N of %s", row->pattern);
        // The number has no sign and no leading zeros, so that each handicap has only one spelling.
        if (rest[1] < '1' || rest[1] > '9') {
            return err_set(err, STATUS_BAD_INPUT, "%s: '%.20s' is not a number from %d to %d", what,
                           rest + 1, row->moves, MAX_ODDS_MOVES);
        }
        TRY(parse_int(rest + 1, row->moves, MAX_ODDS_MOVES, &moves, what, err));
        odds_of_kind((OddsKind)i, (int)moves, odds);
        return STATUS_OK;
    }
    AUTO(Text) names = {0};
    for (int i = 0; i < ODDS_KIND_COUNT; i++) {
        text_add(&names, "%s%s", i ? ", " : "", rows[i].pattern);
    }
    return err_set(err, STATUS_NOT_FOUND, "there is no handicap '%.40s', only %s", name,
                   text_get(&names));
}

void odds_begin(const Odds *odds, OddsState *state) {
    *state = (OddsState){
        .moves = (uint8_t)(odds->moves > 1 ? odds->moves : 0),
        .reach = (uint8_t)odds->reach,
        .iron = (uint8_t)odds->iron,
        .iron_count = (uint8_t)odds->iron_count,
    };
    memcpy(state->iron_squares, odds->iron_squares, sizeof state->iron_squares);
}

// Returns the index of the iron piece (which cannot be captured) on a point, or -1.
static int iron_man_on(const OddsState *state, int square) {
    for (int i = 0; i < state->iron_count; i++) {
        if (state->iron_squares[i] == square) return i;
    }
    return -1;
}

static void remove_iron_man(OddsState *state, int index) {
    state->iron_squares[index] = state->iron_squares[--state->iron_count];
    state->iron_squares[state->iron_count] = 0;
}

void odds_apply(OddsState *state, const Position *before, Move move, Position *after) {
    position_do_move(before, move, after);
    if (!odds_active(state)) return;
    const int captured = iron_man_on(state, move_to(move));
    if (captured >= 0) remove_iron_man(state, captured);
    const int moved = iron_man_on(state, move_from(move));
    if (moved >= 0 && state->iron == IRON_UNTIL_MOVED) {
        remove_iron_man(state, moved);
    } else if (moved >= 0) {
        state->iron_squares[moved] = (uint8_t)move_to(move);
    }
    if (state->moves == 0) return;
    state->moves--;
    if (state->moves == 0) return;
    const Position played = *after;
    position_do_null(&played, after);
    after->halfmove = played.halfmove; // the null move is not counted as a ply
}

static bool extra_move_allowed(const OddsState *state, const Position *position, Move move) {
    enum {
        RIVER_EDGE = RANK_COUNT / 2 - 1
    }; // rank next to the river, counted from the side's own first rank (0)
    const int to_rank = square_rank(move_to(move));
    const int rank = position->stm == RED ? to_rank : RANK_COUNT - 1 - to_rank;
    const bool soldier = piece_type(position->board[move_from(move)]) == SOLDIER;
    const int limit = soldier || state->reach == REACH_OWN_HALF ? RIVER_EDGE : RIVER_EDGE - 1;
    if (state->reach != REACH_ANYWHERE && rank > limit) return false;
    if (state->moves == 1) return true;
    Position after;
    position_do_move(position, move, &after);
    return !position_in_check(&after);
}

// Returns true if the capturing piece gives check from its target square. A discovered check is not
// enough.
static bool captures_with_check(const Position *position, Move move) {
    Position after;
    position_do_move(position, move, &after);
    const Side them = (Side)after.stm;
    const Bitboard attackers = position_general_attackers(&after, them, position_occupied(&after));
    return (attackers & bb_square(move_to(move))) != 0;
}

bool odds_state_allows(const OddsState *state, const Position *position, Move move) {
    if (state->moves && !extra_move_allowed(state, position, move)) return false;
    if (iron_man_on(state, move_to(move)) < 0) return true;
    return state->iron == IRON_EXCEPT_BY_CHECK && captures_with_check(position, move);
}

void odds_legal_moves(const OddsState *state, const Position *position, MoveList *list) {
    position_legal_moves(position, list);
    if (!odds_active(state)) return;
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        const Move move = list->moves[i];
        if (odds_state_allows(state, position, move)) list->moves[kept++] = move;
    }
    list->count = kept;
}

bool odds_no_legal_move(const OddsState *state, const Position *position) {
    if (!odds_active(state)) return position_no_legal_move(position);
    MoveList list;
    odds_legal_moves(state, position, &list);
    return list.count == 0;
}

uint64_t odds_key(const OddsState *state) {
    if (!odds_active(state)) return 0;
    // The hashes of the iron pieces are added, so that their order in the state does not matter.
    uint64_t men = 0;
    for (int i = 0; i < state->iron_count; i++)
        men += random_mix(state->iron_squares[i] + UINT64_C(1));
    return random_mix(men + ((uint64_t)state->iron << 8 | state->moves));
}

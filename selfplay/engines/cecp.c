// SPDX-License-Identifier: GPL-3.0-or-later
// XBoard's protocol (CECP), version 2. In each game the position is set up once, and then the moves
// are sent one by one. The position is set up again after the engine has wrongly reported the end
// of the game. The standard allows only whole seconds in `st`; this code also sends fractions.
#include <math.h>
#include <string.h>

#include "selfplay/engines/protocol.h"

// An engine reports that it mates in N moves as the score CECP_MATE + N, and that it is mated in N
// moves as -CECP_MATE - N.
enum { CECP_MATE = 100000 };

// ---- parsing the lines of an engine -------------------------------------------------------------

// Reads the next NAME=VALUE of a `feature` line. In the first call, *cursor must point after the
// word `feature`. A value may be in double quotes. Returns false if no further NAME=VALUE follows.
static bool next_feature(const char **cursor, const char **name, size_t *name_length,
                         const char **value, size_t *value_length) {
    const char *at = *cursor;
    while (*at == ' ' || *at == '\t') at++;
    *name = at;
    at += strcspn(at, "= \t");
    *name_length = (size_t)(at - *name);
    if (*at != '=' || *name_length == 0) return false;
    at++;
    const bool quoted = *at == '"';
    *value = at + quoted;
    *value_length = strcspn(*value, quoted ? "\"" : " \t");
    at = *value + *value_length;
    *cursor = at + (quoted && *at == '"');
    return true;
}

// Returns true if a principal variation ends in `!` or `?`: the score of the line is then a bound.
static bool ends_in_mark(const char *line) {
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r", line[length - 1])) length--;
    return length > 0 && strchr("!?", line[length - 1]);
}

// Reads a line of thinking output, `ply score time nodes pv`. Returns false if the line does not
// have this form.
static bool read_thinking(const Quirks *quirks, const char *line, SearchInfo *info) {
    long long depth, numbers[2];
    AnswerScore score;
    if (!answer_next_number(&line, true, &depth) || !answer_next_score(&line, &score)) return false;
    for (int i = 0; i < 2; i++) {
        if (!answer_next_number(&line, false, &numbers[i])) return false;
    }
    if (depth < 1) return true;
    score.mate = !score.fraction && fabs(score.value) > CECP_MATE;
    if (score.mate) score.value -= score.value > 0 ? CECP_MATE : -CECP_MATE;
    score.bound = score.bound || ends_in_mark(line);
    answer_store_score(quirks, &score, info);
    if (!info->has_score || !info->ends_with_bound) {
        info->depth = answer_clamp(depth, 0, ANSWER_DEPTH_MAX);
    }
    info->nodes = numbers[1] > 0 ? (uint64_t)numbers[1] : 0;
    answer_copy_line(line, info);
    return true;
}

static AnswerKind read_features(const char *cursor) {
    const char *name, *value;
    size_t name_length, length;
    AnswerKind kind = ANSWER_ABOUT;
    while (next_feature(&cursor, &name, &name_length, &value, &length)) {
        if (!text_word_is(name, name_length, "done")) continue;
        kind = text_word_is(value, length, "1") ? ANSWER_HELLO : ANSWER_BUSY;
    }
    return kind;
}

static Answer read_line(const Quirks *quirks, const char *line, SearchInfo *info) {
    static const struct {
        const char *head;
        AnswerKind kind;
    } heads[] = {{"1-0", ANSWER_CLAIM},       {"0-1", ANSWER_CLAIM},
                 {"1/2-1/2", ANSWER_CLAIM},   {"resign", ANSWER_RESIGN},
                 {"offer draw", ANSWER_DRAW}, {"Illegal move", ANSWER_REFUSAL}};
    Answer answer = {.kind = ANSWER_OTHER};
    const char *rest;
    if (answer_begins(line, "move", &rest)) {
        if (answer_next_move(&rest, answer.move)) answer.kind = ANSWER_MOVE;
    } else if (answer_begins(line, "feature", &rest)) {
        answer.kind = read_features(rest);
    } else if (read_thinking(quirks, line, info)) {
        answer.kind = ANSWER_INFO;
    }
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (answer_begins(line, heads[i].head, &rest)) answer.kind = heads[i].kind;
    }
    return answer;
}

static void take_features(Conversation *talk, const char *line) {
    static const char *const names[FEATURE_COUNT] = {"setboard", "usermove", "ping", "memory",
                                                     "smp"};
    const char *cursor, *name, *value;
    size_t name_length, length;
    if (!answer_begins(line, "feature", &cursor)) return;
    while (next_feature(&cursor, &name, &name_length, &value, &length)) {
        const bool yes = text_word_is(value, length, "1");
        for (int i = 0; i < FEATURE_COUNT; i++) {
            if (text_word_is(name, name_length, names[i])) talk->features[i] = yes;
        }
        if (text_word_is(name, name_length, "reuse") && !yes) talk->quirks.no_reuse = true;
        if (text_word_is(name, name_length, "myname")) conversation_take_name(talk, value, length);
        if (text_word_is(name, name_length,
                         "option")) { // the value of the feature `option` is "NAME -TYPE ..."
            const char *end = memmem(value, length, " -", 2);
            if (end && end > value) {
                text_add(&talk->options, "%.*s\t%.*s\n", (int)(end - value), value,
                         (int)(value + length - end - 1), end + 1);
            }
        }
    }
}

static bool says(const char *line, const char **text) {
    const char *rest;
    if (!answer_begins(line, "Error", &rest)) return uci_says(line, text);
    *text = line;
    return true;
}

// ---- formatting commands ------------------------------------------------------------------------

// Appends a time in nanoseconds as M:SS, at least 0:01.
static void add_clock(int64_t ns, Text *out) {
    const long long seconds = ns < 1000 * MS_NS ? 1 : (long long)(ns / (1000 * MS_NS));
    text_add(out, "%lld:%02lld", seconds / 60, seconds % 60);
}

// Appends a time in nanoseconds as seconds, such as "2", "0.1" or "1.25".
static void add_seconds(int64_t ns, Text *out) {
    const long long ms = (long long)(ns / MS_NS);
    text_add(out, "%lld", ms / 1000);
    if (ms % 1000 == 0) return;
    text_add(out, ".%03lld", ms % 1000);
    while (out->data[out->length - 1] == '0') out->data[--out->length] = '\0';
}

static void new_game(const Conversation *talk, const TimeControl *control, Text *out) {
    const Quirks *quirks = &talk->quirks;
    text_add(out, "new\n%seasy\npost\nforce\n%s", quirks->no_variant ? "" : "variant xiangqi\n",
             quirks->new_game);
    if (control->base_ns == 0) return;
    text_add(out, "level %d ", control->moves);
    add_clock(control->base_ns, out);
    text_add(out, " ");
    add_seconds(quirks->whole_seconds ? control->inc_ns / 1000000000 * 1000000000 : control->inc_ns,
                out);
    text_add(out, "\n");
}

static void add_pieces(const Position *position, Side side, Text *out) {
    static const char letters[] = " KAEHRCP";
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Piece piece = position->board[square];
        if (piece == PIECE_NONE || piece_side(piece) != side) continue;
        text_add(out, "%c%c%d\n", letters[piece_type(piece)], 'a' + square_file(square),
                 square_rank(square));
    }
}

static void add_position(const Conversation *talk, const Position *position, Text *out) {
    if (talk->features[FEATURE_SETBOARD]) {
        char fen[FEN_SIZE];
        position_to_fen(position, FEN_CECP, fen);
        text_add(out, "setboard %s\n", fen);
        return;
    }
    text_add(out, "edit\n#\n");
    add_pieces(position, RED, out);
    text_add(out, "c\n");
    add_pieces(position, BLACK, out);
    text_add(out, ".\n%s", position->stm == BLACK ? "black\n" : "");
}

static void add_limits(const Conversation *talk, const PlayerTurn *turn, Text *out) {
    const Side us = (Side)turn->game->now.stm;
    const Clock *own = &turn->clocks[us], *theirs = &turn->clocks[side_other(us)];
    const int64_t move_ns = own->control.move_ns, game_ns = move_ns * talk->quirks.move_clock;
    int64_t left_ns = game_ns, opponent_ns = game_ns;
    if (talk->spec->limits.depth) text_add(out, "sd %d\n", talk->spec->limits.depth);
    if (game_ns) {
        text_add(out, "level 0 ");
        add_clock(game_ns, out);
        text_add(out, " 0\n");
    } else if (move_ns) {
        text_add(out, "st ");
        add_seconds(move_ns, out);
        text_add(out, "\n");
    } else if (own->control.base_ns) {
        left_ns = own->left_ns;
        // The protocol cannot express an opponent without a clock. Report our own time for the
        // opponent.
        opponent_ns = theirs->control.base_ns ? theirs->left_ns : left_ns;
    }
    if (left_ns || own->control.base_ns) {
        text_add(out, "time %lld\notim %lld\n", (long long)(left_ns / (10 * MS_NS)),
                 (long long)(opponent_ns / (10 * MS_NS)));
    }
}

static void add_turn(Conversation *talk, const PlayerTurn *turn, bool ponder, Text *out) {
    const Game *game = turn->game;
    (void)ponder;
    if (talk->known_key == 0 || talk->known > game->count ||
        game_position(game, talk->known)->key != talk->known_key) {
        if (talk->known_key) new_game(talk, &turn->clocks[game->now.stm].control, out);
        talk->known = talk->bare ? game->count : 0;
        add_position(talk, game_position(game, talk->known), out);
    }
    text_add(out, "force\n");
    for (; talk->known < game->count; talk->known++) {
        text_add(out, "%s", talk->features[FEATURE_USERMOVE] ? "usermove " : "");
        protocol_add_move(talk, game->plies[talk->known].move, out);
        text_add(out, "\n");
    }
    talk->known_key = game->now.key;
    add_limits(talk, turn, out);
    text_add(out, "go\n");
}

static bool sync(Conversation *talk, char question[SYNC_TEXT_SIZE], char answer[SYNC_TEXT_SIZE]) {
    if (!talk->features[FEATURE_PING]) return false;
    const unsigned long long serial = ++talk->serial;
    snprintf(question, SYNC_TEXT_SIZE, "ping %llu\n", serial);
    snprintf(answer, SYNC_TEXT_SIZE, "pong %llu", serial);
    return true;
}

const ProtocolOps protocol_cecp = {
    .name = "cecp",
    .hello = "xboard\nprotover 2\n",
    .stop = "?\n",
    .patient_hello = true,
    .read = read_line,
    .says = says,
    .take_about = take_features,
    .option = {"option ", "="},
    .sync = sync,
    .new_game = new_game,
    .turn = add_turn,
};

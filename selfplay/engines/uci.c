// SPDX-License-Identifier: GPL-3.0-or-later
// UCI, and the functions that the other two protocols share with it.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "selfplay/engines/protocol.h"

// ---- parsing words, numbers and moves -----------------------------------------------------------

enum { MATE_MOVES_MAX = 10000 }; // a reported mate in more moves counts as a mate in this number

bool answer_begins(const char *line, const char *head, const char **rest) {
    const size_t length = strlen(head);
    line += strspn(line, " \t");
    *rest = line + length;
    return strncmp(line, head, length) == 0 && !isalnum((unsigned char)line[length]);
}

bool answer_next_number(const char **cursor, bool loose, long long *value) {
    char buffer[24], *end;
    const char *word;
    size_t length;
    if (!text_next_word(cursor, &word, &length) || length >= sizeof buffer) return false;
    snprintf(buffer, sizeof buffer, "%.*s", (int)length, word);
    *value = strtoll(buffer, &end, 10);
    if (end == buffer) return false;
    if (loose && *end && ispunct((unsigned char)*end)) end++;
    return *end == '\0';
}

int answer_clamp(long long value, int low, int high) {
    return value < low ? low : value > high ? high : (int)value;
}

bool answer_next_score(const char **cursor, AnswerScore *score) {
    static const char digits[] = "0123456789";
    char buffer[40];
    const char *word, *behind = *cursor;
    size_t length;
    if (!text_next_word(&behind, &word, &length) || length >= sizeof buffer) return false;
    snprintf(buffer, sizeof buffer, "%.*s", (int)length, word);
    char *at = buffer + strspn(buffer, "+-"), *point = at + strspn(at, digits);
    if (at > buffer + 1 || point == at) return false;
    at = point;
    const bool fraction = *point == '.' || *point == ',';
    if (fraction) {
        *point = '.';
        at += 1 + strspn(point + 1, digits);
    }
    const bool bound = *at == '!' || *at == '?';
    if (at[bound] != '\0') return false;
    *score = (AnswerScore){.value = strtod(buffer, NULL), .fraction = fraction, .bound = bound};
    *cursor = behind;
    if (text_next_word(&behind, &word, &length) && length == 1 && strchr("!?", *word)) {
        score->bound = true;
        *cursor = behind;
    }
    return true;
}

void answer_store_score(const Quirks *quirks, const AnswerScore *score, SearchInfo *info) {
    const int unit = quirks->score_unit ? quirks->score_unit : 1;
    if (score->fraction && (score->mate || !quirks->score_unit)) {
        info->unread_score = true;
        return;
    }
    info->ends_with_bound = score->bound;
    if (score->bound) return;
    const double most = ANSWER_SCORE_MAX;
    const double value = score->mate ? score->value : score->value * unit;
    const int number = (int)lrint(fmin(most, fmax(-most, value)));
    info->has_score = true;
    info->mate = score->mate ? answer_mate_plies(number) : 0;
    info->score_cp = score->mate ? 0 : number;
}

int answer_mate_plies(long long moves) {
    const int near = answer_clamp(moves, -MATE_MOVES_MAX, MATE_MOVES_MAX);
    return near > 0 ? 2 * near - 1 : 2 * near;
}

bool answer_next_move(const char **cursor, char move[MOVE_TEXT_SIZE]) {
    const char *word;
    size_t length;
    if (!text_next_word(cursor, &word, &length)) return false;
    snprintf(move, MOVE_TEXT_SIZE, "%.*s", length < MOVE_TEXT_SIZE ? (int)length : 0, word);
    return true;
}

void answer_copy_line(const char *from, SearchInfo *info) {
    from += strspn(from, " \t");
    if (snprintf(info->line, SEARCH_LINE_SIZE, "%s", from) < SEARCH_LINE_SIZE) return;
    char *blank = strrchr(info->line, ' ');
    if (blank) *blank = '\0';
}

bool answer_is_legal(const Position *position, Move move) {
    return move != MOVE_NONE && position_is_pseudo_legal(position, move) &&
           position_is_legal(position, move);
}

// ---- parsing the lines of an engine -------------------------------------------------------------

// Returns true if a word of an `info` line says that the score is a bound.
static bool is_bound(const char *word, size_t length) {
    return text_word_is(word, length, "lowerbound") || text_word_is(word, length, "upperbound");
}

// Reads `score cp S`, `score mate N`, or UCCI's `score S`. *cursor points after the word `score`.
// The words `lowerbound` and `upperbound` may precede `cp` or `mate`. Returns false if there is no
// score.
static bool read_score(const char **cursor, AnswerScore *score) {
    const char *at = *cursor, *behind = at, *word;
    bool bound = false, mate = false;
    for (size_t length; text_next_word(&behind, &word, &length); at = behind) {
        if (text_word_is(word, length, "mate")) {
            mate = true;
        } else if (is_bound(word, length)) {
            bound = true;
        } else if (!text_word_is(word, length, "cp")) {
            break;
        }
    }
    if (!answer_next_score(&at, score)) return false;
    score->mate = mate;
    score->bound = score->bound || bound;
    *cursor = at;
    return true;
}

// Reads an `info` line into *info. Ignores a line of multipv 2 or higher.
static void read_info(const Quirks *quirks, const char *cursor, SearchInfo *info) {
    SearchInfo now = *info;
    AnswerScore score;
    bool scored = false;
    long long depth = -1, number;
    // True if the line has a score or a principal variation. A line without them, such as "depth 12
    // currmove", only reports that an iteration has begun; its depth is not stored.
    bool finished = false;
    const char *word;
    for (size_t length; text_next_word(&cursor, &word, &length);) {
        if (text_word_is(word, length, "string") || text_word_is(word, length, "message")) break;
        if (text_word_is(word, length, "score")) {
            scored = read_score(&cursor, &score) || scored;
            finished = true;
            continue;
        }
        if (scored && is_bound(word, length)) score.bound = true;
        if (text_word_is(word, length, "pv")) {
            answer_copy_line(cursor, &now);
            finished = true;
            break;
        }
        const char *behind = cursor;
        if (!answer_next_number(&behind, false, &number)) continue;
        if (text_word_is(word, length, "multipv") && number > 1) return;
        if (text_word_is(word, length, "depth")) depth = number;
        if (text_word_is(word, length, "nodes")) now.nodes = number > 0 ? (uint64_t)number : 0;
    }
    if (scored) answer_store_score(quirks, &score, &now);
    const bool kept = now.has_score && now.ends_with_bound; // the score of an earlier line remains
    if (finished && depth >= 0 && !kept) now.depth = answer_clamp(depth, 0, ANSWER_DEPTH_MAX);
    *info = now;
}

static void read_bestmove(const char *cursor, Answer *answer) {
    static const char *const none[] = {"(none)", "0000", "none", "null", "NULL", "a0a0"};
    const char *word, *behind = cursor;
    size_t length;
    answer->kind = ANSWER_NO_MOVE;
    if (!text_next_word(&behind, &word, &length)) return;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if (text_word_is(word, length, none[i])) return;
    }
    answer->kind = text_word_is(word, length, "resign") ? ANSWER_RESIGN : ANSWER_MOVE;
    if (answer->kind == ANSWER_RESIGN) return;
    answer_next_move(&cursor, answer->move);
    while (text_next_word(&cursor, &word, &length)) {
        if (text_word_is(word, length, "ponder")) answer_next_move(&cursor, answer->ponder);
        answer->resigns = answer->resigns || text_word_is(word, length, "resign");
        answer->offers_draw = answer->offers_draw || text_word_is(word, length, "draw");
    }
}

Answer uci_read(const Quirks *quirks, const char *line, SearchInfo *info) {
    Answer answer = {.kind = ANSWER_OTHER};
    const char *rest;
    if (answer_begins(line, "info", &rest)) {
        answer.kind = ANSWER_INFO;
        read_info(quirks, rest, info);
    } else if (answer_begins(line, "bestmove", &rest)) {
        read_bestmove(rest, &answer);
    } else if (answer_begins(line, "nobestmove", &rest)) {
        answer.kind = ANSWER_NO_MOVE;
    } else if (answer_begins(line, "uciok", &rest) || answer_begins(line, "ucciok", &rest)) {
        answer.kind = ANSWER_HELLO;
    } else if (answer_begins(line, "id", &rest) || answer_begins(line, "option", &rest)) {
        answer.kind = ANSWER_ABOUT;
    }
    return answer;
}

bool uci_says(const char *line, const char **text) {
    if (!answer_begins(line, "info string", text) && !answer_begins(line, "info message", text)) {
        return false;
    }
    *text += strspn(*text, " ");
    return true;
}

// Stores the name of the engine (`id name`) or the declaration of an option (`option name NAME type
// ...`, in UCCI without the word `name`).
void uci_take_about(Conversation *talk, const char *line) {
    const char *name;
    if (answer_begins(line, "id name", &name)) {
        name += strspn(name, " ");
        conversation_take_name(talk, name, strlen(name));
    } else if (answer_begins(line, "option name", &name) || answer_begins(line, "option", &name)) {
        name += *name == ' ';
        const char *end = strstr(name, " type ");
        if (end > name) {
            text_add(&talk->options, "%.*s\t%s\n", (int)(end - name), name, end + 1);
        }
    }
}

// ---- formatting commands ------------------------------------------------------------------------

void protocol_add_move(const Conversation *talk, Move move, Text *out) {
    char text[MOVE_TEXT_SIZE];
    text_add_bytes(out, text, move_write(move, talk->quirks.ranks, text));
}

void uci_add_position(const Conversation *talk, const Game *game, size_t first, Text *out) {
    char fen[FEN_SIZE];
    position_to_fen(game_position(game, first), talk->quirks.he_letters ? FEN_CECP : FEN_UCI, fen);
    text_add(out, "%sfen %s%s", talk->quirks.cyclone ? "" : "position ", fen,
             first < game->count ? " moves" : "");
    for (size_t i = first; i < game->count; i++) {
        text_add_bytes(out, " ", 1);
        protocol_add_move(talk, game->plies[i].move, out);
    }
    text_add(out, "\n");
}

void uci_add_go(const Conversation *talk, bool ponder, Text *out) {
    const PlayerSpec *spec = talk->spec;
    text_add(out, ponder ? "go ponder" : "go");
    if (spec->limits.nodes) text_add(out, " nodes %llu", (unsigned long long)spec->limits.nodes);
    if (spec->limits.depth) text_add(out, " depth %d", spec->limits.depth);
}

bool uci_add_odds(const Conversation *talk, const PlayerTurn *turn, const char *head,
                  bool forbidden, Text *out) {
    const Position *now = &turn->game->now;
    bool may[MAX_MOVES], any = false;
    MoveList all;
    if (!odds_active(turn->odds)) return false;
    position_legal_moves(now, &all);
    for (int i = 0; i < all.count; i++) {
        may[i] = odds_move_allowed(turn->odds, now, all.moves[i]);
        any = any || !may[i];
    }
    if (!any) return false;
    text_add(out, "%s", head);
    for (int i = 0; i < all.count; i++) {
        if (may[i] == forbidden) continue;
        text_add_bytes(out, " ", 1);
        protocol_add_move(talk, all.moves[i], out);
    }
    return true;
}

static void new_game(const Conversation *talk, const TimeControl *control, Text *out) {
    (void)control;
    text_add(out, "%s\n%s", talk->quirks.cyclone ? "newgame" : "ucinewgame", talk->quirks.new_game);
}

static void add_turn(Conversation *talk, const PlayerTurn *turn, bool ponder, Text *out) {
    const Clock *own = &turn->clocks[turn->game->now.stm];
    uci_add_position(talk, turn->game, talk->bare ? turn->game->count : 0, out);
    uci_add_go(talk, ponder, out);
    if (own->control.move_ns) {
        text_add(out, " movetime %lld", (long long)(own->control.move_ns / MS_NS));
    }
    if (own->control.base_ns) {
        const Clock *red = &turn->clocks[RED], *black = &turn->clocks[BLACK];
        // UCI cannot express an opponent without a clock, so our own clock is also sent as that of
        // the opponent.
        if (!red->control.base_ns) red = black;
        if (!black->control.base_ns) black = red;
        text_add(out, " wtime %lld btime %lld winc %lld binc %lld",
                 (long long)(red->left_ns / MS_NS), (long long)(black->left_ns / MS_NS),
                 (long long)(red->control.inc_ns / MS_NS),
                 (long long)(black->control.inc_ns / MS_NS));
        if (own->moves_left) text_add(out, " movestogo %d", own->moves_left);
    }
    uci_add_odds(talk, turn, " searchmoves", false, out);
    text_add(out, "\n");
}

bool uci_sync(Conversation *talk, char question[SYNC_TEXT_SIZE], char answer[SYNC_TEXT_SIZE]) {
    (void)talk;
    strcpy(question, "isready\n");
    strcpy(answer, "readyok");
    return true;
}

const char *uci_size_option(const Conversation *talk, bool threads) {
    (void)talk;
    return threads ? "Threads" : "Hash";
}

const ProtocolOps protocol_uci = {
    .name = "uci",
    .hello = "uci\n",
    .stop = "stop\n",
    .ponderhit = "ponderhit\n",
    .limits_nodes = true,
    .read = uci_read,
    .says = uci_says,
    .take_about = uci_take_about,
    .option = {"setoption name ", " value "},
    .sync = uci_sync,
    .size_option = uci_size_option,
    .new_game = new_game,
    .turn = add_turn,
};

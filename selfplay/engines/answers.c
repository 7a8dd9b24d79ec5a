// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/conversation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    CECP_MATE = 100000,     // scores beyond it are mates: 100000 + moves
    MATE_MOVES_MAX = 10000, // what is more is no mate
    SCORE_MAX = 1000000,
};

// ---- words -----------------------------------------------------------------------------------

typedef struct Word {
    const char *text;
    size_t length;
} Word;

static bool next_word(const char **cursor, Word *word) {
    return text_next_word(cursor, &word->text, &word->length);
}

static bool is_word(Word word, const char *text) {
    return text_word_is(word.text, word.length, text);
}

// A whole number, or false. "12." and "12+" are numbers too where loose.
static bool read_number(Word word, bool loose, long long *value) {
    char buffer[24];
    if (word.length == 0 || word.length >= sizeof buffer) return false;
    memcpy(buffer, word.text, word.length);
    buffer[word.length] = '\0';
    char *end;
    *value = strtoll(buffer, &end, 10);
    if (end == buffer) return false;
    if (loose && *end && ispunct((unsigned char)*end)) end++;
    return *end == '\0';
}

static bool starts_with(const char *line, const char *head) {
    return strncmp(line, head, strlen(head)) == 0;
}

static int clamp(long long value, int low, int high) {
    return value < low ? low : value > high ? high : (int)value;
}

// Moves to mate as protocols count them -> plies: the mating side makes the last move.
static int mate_plies(long long moves) {
    if (moves > MATE_MOVES_MAX || moves < -MATE_MOVES_MAX) return 0;
    return (int)(moves > 0 ? 2 * moves - 1 : 2 * moves);
}

static void copy_move(Word word, char move[ANSWER_MOVE_SIZE]) {
    snprintf(move, ANSWER_MOVE_SIZE, "%.*s", (int)word.length, word.text);
    if (word.length >= ANSWER_MOVE_SIZE) move[0] = '\0';
}

// Whole words only.
static void copy_line(const char *from, char line[SEARCH_LINE_SIZE]) {
    from += strspn(from, " \t");
    if (snprintf(line, SEARCH_LINE_SIZE, "%s", from) < SEARCH_LINE_SIZE) return;
    char *blank = strrchr(line, ' ');
    if (blank) *blank = '\0';
}

// ---- UCI and UCCI ----------------------------------------------------------------------------

// `score cp S`, `score mate N`, and UCCI's `score S`. *cursor is behind the word score.
static void read_score(const char **cursor, SearchInfo *info) {
    Word word;
    long long value;
    if (!next_word(cursor, &word)) return;
    const bool mate = is_word(word, "mate");
    if ((mate || is_word(word, "cp")) && !next_word(cursor, &word)) return;
    if (!read_number(word, false, &value)) return;
    info->has_score = true;
    info->score_cp = mate ? 0 : clamp(value, -SCORE_MAX, SCORE_MAX);
    info->mate = mate ? mate_plies(value) : 0;
}

// `info ...`. Lines of other variations than the first are not taken.
static void read_info(const char *cursor, SearchInfo *info, Answer *answer) {
    SearchInfo now = *info;
    (void)answer;
    long long depth = -1, number;
    bool finished = false;
    for (Word word; next_word(&cursor, &word);) {
        Word next;
        if (is_word(word, "string") || is_word(word, "message")) break;
        if (is_word(word, "score")) {
            read_score(&cursor, &now);
            finished = true;
            continue;
        }
        if (is_word(word, "pv")) {
            copy_line(cursor, now.line);
            finished = true;
            break;
        }
        const char *behind = cursor;
        if (!next_word(&behind, &next) || !read_number(next, false, &number)) continue;
        if (is_word(word, "multipv") && number > 1) return;
        if (is_word(word, "depth")) depth = number;
        if (is_word(word, "nodes")) now.nodes = number > 0 ? (uint64_t)number : 0;
    }
    // "depth 12 currmove" is a depth that has begun, not one that was reached.
    if (finished && depth >= 0) now.depth = clamp(depth, 0, 255);
    *info = now;
}

static void read_bestmove(const char *cursor, SearchInfo *info, Answer *answer) {
    static const char *const none[] = {"(none)", "0000", "none", "null", "NULL", "a0a0"};
    Word word;
    (void)info;
    if (!next_word(&cursor, &word)) return;
    if (is_word(word, "resign")) {
        answer->kind = ANSWER_RESIGN;
        return;
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if (is_word(word, none[i])) return;
    }
    answer->kind = ANSWER_MOVE;
    copy_move(word, answer->move);
    while (next_word(&cursor, &word)) {
        if (is_word(word, "ponder") && next_word(&cursor, &word)) copy_move(word, answer->ponder);
        answer->resigns = answer->resigns || is_word(word, "resign");
        answer->offers_draw = answer->offers_draw || is_word(word, "draw");
    }
}

// ---- XBoard ----------------------------------------------------------------------------------

// `ply score time nodes pv`: false when the line is none.
static bool read_thinking(const char *line, SearchInfo *info) {
    long long numbers[4];
    for (int i = 0; i < 4; i++) {
        Word word;
        if (!next_word(&line, &word) || !read_number(word, i == 0, &numbers[i])) return false;
    }
    if (numbers[0] < 1) return true;
    const long long score = numbers[1];
    const bool mate = score > CECP_MATE || score < -CECP_MATE;
    info->has_score = true;
    info->mate = mate ? mate_plies(score > 0 ? score - CECP_MATE : score + CECP_MATE) : 0;
    info->score_cp = info->mate ? 0 : clamp(score, -SCORE_MAX, SCORE_MAX);
    info->depth = clamp(numbers[0], 0, 255);
    info->nodes = numbers[3] > 0 ? (uint64_t)numbers[3] : 0;
    copy_line(line, info->line);
    return true;
}

static void read_features(const char *cursor, SearchInfo *info, Answer *answer) {
    const char *name, *value;
    size_t name_length, value_length;
    (void)info;
    while (answer_next_feature(&cursor, &name, &name_length, &value, &value_length)) {
        if (!text_word_is(name, name_length, "done")) continue;
        answer->kind = value_length == 1 && *value == '1' ? ANSWER_HELLO : ANSWER_BUSY;
    }
}

static void read_move(const char *cursor, SearchInfo *info, Answer *answer) {
    Word word;
    (void)info;
    answer->kind = next_word(&cursor, &word) ? ANSWER_MOVE : ANSWER_OTHER;
    if (answer->kind == ANSWER_MOVE) copy_move(word, answer->move);
}

// ---- lines -----------------------------------------------------------------------------------

// What a line is by how it begins; `read` gets what stands behind that.
static const struct {
    bool cecp;
    const char *head;
    AnswerKind kind;
    void (*read)(const char *cursor, SearchInfo *info, Answer *answer);
} lines[] = {
    {false, "info", ANSWER_INFO, read_info},
    {false, "bestmove", ANSWER_NO_MOVE, read_bestmove},
    {false, "nobestmove", ANSWER_NO_MOVE, NULL},
    {false, "uciok", ANSWER_HELLO, NULL},
    {false, "ucciok", ANSWER_HELLO, NULL},
    {false, "id", ANSWER_ABOUT, NULL},
    {false, "option", ANSWER_ABOUT, NULL},
    {true, "move", ANSWER_MOVE, read_move},
    {true, "feature", ANSWER_ABOUT, read_features},
    {true, "1-0", ANSWER_CLAIM, NULL},
    {true, "0-1", ANSWER_CLAIM, NULL},
    {true, "1/2-1/2", ANSWER_CLAIM, NULL},
    {true, "resign", ANSWER_RESIGN, NULL},
    {true, "offer draw", ANSWER_DRAW, NULL},
    {true, "Illegal move", ANSWER_REFUSAL, NULL},
};

Answer answer_read(Protocol protocol, const char *line, SearchInfo *info) {
    Answer answer = {.kind = ANSWER_OTHER};
    const bool cecp = protocol == PROTOCOL_CECP;
    line += strspn(line, " \t");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const size_t length = strlen(lines[i].head);
        if (lines[i].cecp != cecp || strncmp(line, lines[i].head, length) != 0) continue;
        if (isalnum((unsigned char)line[length])) continue;
        answer.kind = lines[i].kind;
        if (lines[i].read) lines[i].read(line + length, info, &answer);
        return answer;
    }
    if (cecp && read_thinking(line, info)) answer.kind = ANSWER_INFO;
    return answer;
}

// ---- moves, features, options ----------------------------------------------------------------

// A point: a letter and the number of a rank, of one or two digits.
static int read_point(const char **at, int first_rank) {
    const int file = **at - 'a';
    if (file < 0 || file >= FILE_COUNT) return SQUARE_NONE;
    ++*at;
    if (**at < '0' || **at > '9') return SQUARE_NONE;
    int rank = *(*at)++ - '0';
    if (first_rank == 1 && rank == 1 && **at == '0') {
        ++*at;
        rank = 10;
    }
    rank -= first_rank;
    return rank >= 0 && rank < RANK_COUNT ? square_make(file, rank) : SQUARE_NONE;
}

Move answer_move(const char *text, int first_rank) {
    const int from = read_point(&text, first_rank);
    if (from == SQUARE_NONE) return MOVE_NONE;
    const int to = read_point(&text, first_rank);
    if (to == SQUARE_NONE || *text || from == to) return MOVE_NONE;
    return move_make(from, to);
}

static char *write_point(char *text, int square, int first_rank) {
    const int rank = square_rank(square) + first_rank;
    *text++ = (char)('a' + square_file(square));
    if (rank == 10) *text++ = '1';
    *text++ = (char)('0' + rank % 10);
    return text;
}

void answer_write_move(Move move, int first_rank, char *text) {
    text = write_point(text, move_from(move), first_rank);
    text = write_point(text, move_to(move), first_rank);
    *text = '\0';
}

bool answer_next_feature(const char **cursor, const char **name, size_t *name_length,
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

bool answer_option_name(Protocol protocol, const char *line, const char **name, size_t *length) {
    const char *start = line, *end;
    if (protocol == PROTOCOL_CECP) {
        end = strstr(line, " -");
    } else {
        static const char uci[] = "option name ", ucci[] = "option ";
        if (starts_with(line, uci)) {
            start += sizeof uci - 1;
        } else if (starts_with(line, ucci)) {
            start += sizeof ucci - 1;
        } else {
            return false;
        }
        end = strstr(start, " type ");
    }
    if (!end || end <= start) return false;
    *name = start;
    *length = (size_t)(end - start);
    return true;
}

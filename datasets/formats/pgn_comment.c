// SPDX-License-Identifier: GPL-3.0-or-later
// Search data in comments of PGN: score, depth, nodes, time and preferred move, as XBoard,
// cutechess, fastchess, c-chess-cli, OpenBench, TCEC, PyChess and lichess write them.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/formats/pgn_text.h"
#include "datasets/formats/score_word.h"

// XBoard writes a mate in N moves as XBOARD_MATE + N hundredths of a point. Other scores beyond
// SCORE_MOST are no scores, and stay in the remark.
enum { XBOARD_MATE = 100000, XBOARD_MATE_MOST = 500, WORD_SIZE = 32 };

static int turned(Side side, int score_red) {
    return side == RED ? score_red : -score_red;
}

void pgn_comment_write(const PlyRecord *ply, Side side, bool book, Text *out) {
    AUTO(Text) parts = {0};
    const int mate = turned(side, ply->mate_red);
    if (mate != 0) {
        text_add(&parts, "%cM%d/%d", mate > 0 ? '+' : '-', abs(mate), ply->depth);
    } else if (ply->score_red != SCORE_UNKNOWN) {
        const int score = turned(side, ply->score_red);
        text_add(&parts, "%c%d.%02d/%d", score < 0 ? '-' : '+', abs(score) / 100, abs(score) % 100,
                 ply->depth);
    }
    if (book) text_add(&parts, "%sbook", parts.length ? " " : "");
    if (ply->time_ms) {
        text_add(&parts, "%s%u.%03us", parts.length ? " " : "", ply->time_ms / 1000,
                 ply->time_ms % 1000);
    }
    if (ply->nodes) text_add(&parts, "%sn=%u", parts.length ? ", " : "", ply->nodes);
    if (ply->best != MOVE_NONE) {
        char best[5];
        move_to_uci(ply->best, best);
        text_add(&parts, "%sbest=%s", parts.length ? ", " : "", best);
    }
    if (parts.length) text_add(out, "{%s}", parts.data);
}

void pgn_comment_clear(PgnComment *comment) {
    text_clear(&comment->rest);
}

// ---- numbers ------------------------------------------------------------------------------------

// A number in a comment.
typedef struct Number {
    double value; // absolute value
    bool sign;    // a sign was written
    bool minus;
    bool mate;     // follows M, m or #
    bool fraction; // decimals were written
} Number;

// Reads digits, and decimals after a point or, if `comma` is set, a comma. Moves *at past them.
static bool take_digits(const char **at, bool comma, Number *number) {
    const char *c = *at;
    if (!isdigit((unsigned char)*c)) return false;
    for (number->value = 0; isdigit((unsigned char)*c); c++) {
        number->value = 10 * number->value + (*c - '0');
    }
    const bool point = *c == '.' || (comma && *c == ',');
    number->fraction = point && isdigit((unsigned char)c[1]);
    if (number->fraction) {
        double unit = 1;
        for (c++; isdigit((unsigned char)*c); c++) number->value += (*c - '0') * (unit /= 10);
    }
    *at = c;
    return true;
}

// Reads a score: 0.35, +0.35, -12, M7, -M7, #-3 or -#3. Moves *at past it.
static bool take_score(const char **at, bool comma, Number *number) {
    const char *c = *at;
    *number = (Number){0};
    for (int i = 0; i < 2; i++) {
        if (!number->sign && (*c == '+' || *c == '-')) {
            number->sign = true;
            number->minus = *c++ == '-';
        }
        if (!number->mate && (*c == 'M' || *c == 'm' || *c == '#')) {
            number->mate = true;
            c++;
        }
    }
    if (!take_digits(&c, comma, number) || (number->mate && number->fraction)) return false;
    *at = c;
    return true;
}

// Reads a depth, which must end the text. Returns false if there is none.
static bool read_depth(const char *text, uint8_t *depth) {
    Number number = {0};
    if (!take_digits(&text, false, &number) || number.fraction || *text) return false;
    *depth = (uint8_t)fmin(number.value, UINT8_MAX);
    return true;
}

// Reads a duration such as 0.5, 12, 1:05 or 0:04:58.250 and returns milliseconds, or -1.
static double read_clock(const char *text) {
    Number number = {0};
    double seconds = 0;
    for (int parts = 0; parts < 3; parts++) {
        if (!take_digits(&text, true, &number) || (number.fraction && *text)) return -1;
        seconds = 60 * seconds + number.value;
        if (!*text) return round(1000 * seconds);
        if (*text++ != ':') return -1;
    }
    return -1;
}

// ---- what a comment states ----------------------------------------------------------------------

static void set_time(PgnComment *comment, double ms) {
    comment->read = true;
    comment->ply.time_ms = (uint32_t)fmin(fmax(ms, 1), UINT32_MAX);
}

// Stores a score in units of `unit` points, or a mate in plies, from the point of view of `side`.
// Returns false if the score is beyond SCORE_MOST or the mate beyond MATE_MOST.
static bool set_score(PgnComment *comment, Side side, const Number *number, double unit) {
    bool mate = number->mate;
    double value = mate ? number->value : round(number->value * 100 * unit);
    const double beyond = value - XBOARD_MATE;
    if (!mate && number->fraction && beyond >= 1 && beyond <= XBOARD_MATE_MOST) {
        mate = true;
        value = number->minus ? 2 * beyond : 2 * beyond - 1;
    }
    if (value > (mate ? MATE_MOST : SCORE_MOST)) return false;
    const int score = turned(side, (int)(number->minus ? -value : value));
    comment->read = true;
    comment->ply.mate_red = (int16_t)(mate ? score : 0);
    comment->ply.score_red = (int16_t)(mate ? 0 : score);
    return true;
}

// Reads the value of [%eval ...], a score in points from Red's side: 0.17, or #-3 (mate in 3 moves
// after the commented move). A depth may follow: 2.5,11 or 2.5/11. An integer with a depth is not
// read: ChessBase writes centipawns, other programs write points.
static bool read_eval(PgnComment *comment, const char *text) {
    Number number;
    uint8_t depth = 0;
    const bool comma = strchr(text, '/') && !strchr(text, '.');
    if (!take_score(&text, comma, &number)) return false;
    const bool deep = *text == ',' || *text == '/';
    if (deep ? !read_depth(text + 1, &depth) : *text != '\0') return false;
    if (deep && !number.mate && !number.fraction) return false;
    if (number.mate) {
        const bool own = number.minus == (comment->side == BLACK); // the mover gives mate
        number.value = 2 * number.value + own;
        if (number.value < 1) return false;
    }
    if (!set_score(comment, RED, &number, 1)) return false;
    if (deep) comment->ply.depth = depth;
    return true;
}

// Reads the value of [%clk ...], the time that the mover has left. The time it used is known if the
// clock after its previous move and the increment of a move are known.
static bool read_left(PgnComment *comment, const char *text) {
    PgnClocks *clocks = comment->clocks;
    const double left = read_clock(text);
    if (left < 0 || !clocks || !clocks->known) return false;
    const Side side = comment->side;
    const double used = clocks->left_ms[side] + clocks->increment_ms - left;
    const bool follows = clocks->ply[side] > 0 && clocks->ply[side] + 2 == comment->number;
    clocks->left_ms[side] = left;
    clocks->ply[side] = comment->number;
    if (!follows || used < 0) return false;
    set_time(comment, used);
    return true;
}

// Reads a command such as [%eval 0.17]. Returns false if it is unknown or its value is not read.
static bool read_command(PgnComment *comment, const char *text, size_t length) {
    char name[8], value[WORD_SIZE], more;
    char copy[2 * WORD_SIZE] = "";
    if (length >= sizeof copy) return false;
    memcpy(copy, text, length);
    if (sscanf(copy, "%7[a-z] %31s %c", name, value, &more) != 2) return false;
    if (strcmp(name, "eval") == 0) return read_eval(comment, value);
    if (strcmp(name, "clk") == 0) return read_left(comment, value);
    const double ms = strcmp(name, "emt") == 0 ? read_clock(value) : -1;
    if (ms >= 0) set_time(comment, ms);
    return ms >= 0;
}

// Reads all commands, and appends the rest of the comment to *plain.
static void read_commands(PgnComment *comment, const char *text, size_t length, Text *plain) {
    const char *const end = text + length;
    while (text < end) {
        const char *close = NULL;
        if (*text == '[' && end - text > 2 && text[1] == '%') {
            close = memchr(text, ']', (size_t)(end - text));
        }
        if (close && read_command(comment, text + 2, (size_t)(close - text - 2))) {
            text = close + 1;
        } else {
            text_add_bytes(plain, text++, 1);
        }
    }
}

// Reads a word name=value. The preferred move and the data of TCEC are among the names: d (depth),
// mt (time in milliseconds), n (nodes), wv (score from Red's side). Returns false if it is not
// read.
static bool read_field(PgnComment *comment, const char *word) {
    Number number;
    uint64_t nodes;
    PlyRecord *ply = &comment->ply;
    const char *value = strchr(word, '=');
    if (!value) return false;
    const size_t length = (size_t)(value++ - word);
    const bool best = text_word_is(word, length, "best") && strlen(value) == 4;
    if (best) {
        ply->best = move_from_uci(value);
    } else if (text_word_is(word, length, "n")) {
        if (parse_u64(value, &nodes, "nodes", NULL) != STATUS_OK) return false;
        ply->nodes = nodes > UINT32_MAX ? UINT32_MAX : (uint32_t)nodes;
    } else if (text_word_is(word, length, "d")) {
        if (!read_depth(value, &ply->depth)) return false;
    } else if (text_word_is(word, length, "mt")) {
        const double time = read_clock(value);
        if (time < 0) return false;
        set_time(comment, strchr(value, ':') ? time : time / 1000);
    } else if (text_word_is(word, length, "wv")) {
        if (!take_score(&value, true, &number) || *value) return false;
        if (!number.mate && !number.fraction) return false;
        if (!set_score(comment, RED, &number, 1)) return false;
    } else {
        return false;
    }
    comment->read = true;
    return true;
}

// Reads the depth of a word such as "17/28" (OpenBench: depth and selective depth).
static bool read_depths(const char *word, uint8_t *depth) {
    char first[WORD_SIZE];
    uint8_t selective;
    const char *slash = strchr(word, '/');
    if (!slash) return false;
    snprintf(first, sizeof first, "%.*s", (int)(slash - word), word);
    return read_depth(slash + 1, &selective) && read_depth(first, depth);
}

// Reads a score from the mover's side, such as +0.35/12, -M7/9, +0,10/7, or 35/12 in centipawns. A
// score without depth needs decimals, and a sign or the depths of OpenBench in the next word.
// Returns false if the word is not a score.
static bool read_score(PgnComment *comment, const char *word, const char *next) {
    Number number;
    uint8_t depth = 0;
    // The word after the depth is a time, such as 500ms, 0.5s or 500.
    const bool timed = next[strspn(next, "0123456789.ms")] == '\0' && isdigit((unsigned char)*next);
    if (!take_score(&word, true, &number) || (number.mate && number.value < 1)) return false;
    // c-chess-cli writes centipawns without decimals. "1/2" and "3/4 of them" are not scores.
    const bool cp = !number.mate && !number.fraction;
    if (*word == '/') {
        if (!read_depth(word + 1, &depth)) return false;
        const bool half = depth == 2 && number.value >= 1 && number.value <= 1;
        if (cp && !number.sign && (half || (*next && !timed))) return false;
    } else if (*word || (cp || !(number.sign || read_depths(next, &depth)))) {
        return false;
    }
    if (!set_score(comment, comment->side, &number, cp ? 0.01 : 1)) return false;
    comment->ply.depth = depth;
    return true;
}

// Reads a time such as 0.5s or 120ms or, if `bare` is set, 0.1 or 1:05 in seconds. Returns false if
// the word is not a time.
static bool read_time(PgnComment *comment, const char *word, bool bare) {
    char copy[WORD_SIZE];
    size_t length = strlen(word);
    const bool ms = text_ends_in(word, "ms");
    const bool unit = ms || (length > 1 && word[length - 1] == 's');
    if (!unit && !bare) return false;
    length -= (size_t)(ms + unit);
    memcpy(copy, word, length);
    copy[length] = '\0';
    const double time = read_clock(copy);
    if (time < 0) return false;
    set_time(comment, ms ? time / 1000 : time);
    return true;
}

// ---- words --------------------------------------------------------------------------------------

// Copies the next word of at most WORD_SIZE - 1 characters. Returns the place behind it. The word
// is empty at the end of the text, or if it is longer.
static const char *next_word(const char *at, const char *end, char word[WORD_SIZE]) {
    size_t size = 0;
    while (at < end && isspace((unsigned char)*at)) at++;
    const char *begin = at;
    while (at < end && !isspace((unsigned char)*at)) at++;
    if (at - begin < WORD_SIZE) size = (size_t)(at - begin);
    memcpy(word, begin, size);
    word[size] = '\0';
    return at;
}

// Reads the words after a score of OpenBench: depths, milliseconds and nodes. Returns the place of
// the first word that is none of these, as the two following functions do.
static const char *read_openbench(PgnComment *comment, const char *at, const char *end) {
    char word[WORD_SIZE];
    const char *behind = next_word(at, end, word);
    if (!read_depths(word, &comment->ply.depth)) return at;
    for (int i = 0; i < 2; i++) {
        at = behind;
        behind = next_word(at, end, word);
        uint64_t number;
        if (parse_u64(word, &number, "number", NULL) != STATUS_OK) return at;
        if (i == 0) set_time(comment, (double)number);
        if (i == 1) comment->ply.nodes = (uint32_t)fmin((double)number, UINT32_MAX);
    }
    return behind;
}

static const char *read_scored(PgnComment *comment, const char *at, const char *end) {
    char word[WORD_SIZE], next[WORD_SIZE];
    const char *behind = next_word(at, end, word);
    next_word(behind, end, next);
    return read_score(comment, word, next) ? read_openbench(comment, behind, end) : at;
}

// Reads book, times and name=value. `bare` is set after a score, where a time may have no unit.
static const char *read_words(PgnComment *comment, const char *at, const char *end, bool bare) {
    char word[WORD_SIZE];
    for (bool timed = comment->ply.time_ms > 0;;) {
        const char *behind = next_word(at, end, word);
        if (strcmp(word, "book") == 0) {
            comment->book = comment->read = true;
        } else if (!timed && read_time(comment, word, bare)) {
            timed = true;
        } else if (!read_field(comment, word)) {
            return at;
        }
        at = behind;
    }
}

// Returns the end of a part of a comment: a comma before a blank, a letter or the end of the text,
// but not between quotes.
static const char *part_end(const char *at, const char *end) {
    bool quoted = false;
    for (; at < end; at++) {
        if (*at == '"') quoted = !quoted;
        if (*at != ',' || quoted) continue;
        if (at + 1 == end || isspace((unsigned char)at[1]) || isalpha((unsigned char)at[1])) break;
    }
    return at;
}

// Reads a comment without commands: parts, separated by commas. The first part may begin with a
// score. Appends what is not read to comment->rest.
static void read_parts(PgnComment *comment, const char *at, const char *end) {
    for (bool first = true; at < end; first = false) {
        const char *stop = part_end(at, end);
        const bool field = memchr(at, '=', (size_t)(stop - at));
        const char *words = first ? read_scored(comment, at, stop) : at;
        if (first || field) words = read_words(comment, words, stop, words > at);
        at = words;
        while (at < stop && isspace((unsigned char)*at)) at++;
        if (at < stop && comment->rest.length) text_add(&comment->rest, ", ");
        text_add_bytes(&comment->rest, at, (size_t)(stop - at));
        at = stop < end ? stop + 1 : end;
        // A text whose first part is neither search data nor name=value is a remark.
        if (first && !comment->read && !field) return;
    }
}

bool pgn_comment_read(const char *text, size_t length, PgnComment *comment) {
    AUTO(Text) plain = {0};
    read_commands(comment, text, length, &plain);
    if (plain.length) read_parts(comment, plain.data, plain.data + plain.length);
    return comment->read;
}

bool pgn_comment_scores(const char *text, size_t length) {
    AUTO(PgnComment) comment = {.ply = {.score_red = SCORE_UNKNOWN}};
    for (; length > 2 && memcmp(text, ": ", 2) == 0; length -= 2) text += 2;
    return pgn_comment_read(text, length, &comment);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/pgn_comment.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Scores of other programs are cut to this: an int16_t holds it, and no evaluation of ours is
// beyond.
enum { SCORE_MOST = 30000, XBOARD_MATE = 100000 };

static int turned(Side mover, int score_red) {
    return mover == RED ? score_red : -score_red;
}

void pgn_comment_write(const PlyRecord *ply, Side mover, bool book, int32_t time_ms, Text *out) {
    Text parts = {0};
    const int mate = turned(mover, ply->mate_red);
    if (mate != 0) {
        text_add(&parts, "%cM%d/%d", mate > 0 ? '+' : '-', abs(mate), ply->depth);
    } else if (ply->score_red != SCORE_UNKNOWN) {
        const int score = turned(mover, ply->score_red);
        text_add(&parts, "%c%d.%02d/%d", score < 0 ? '-' : '+', abs(score) / 100, abs(score) % 100,
                 ply->depth);
    } else if (book) {
        text_add(&parts, "book");
    }
    if (time_ms >= 0) {
        text_add(&parts, "%s%d.%03ds", parts.length ? " " : "", time_ms / 1000, time_ms % 1000);
    }
    if (ply->nodes) text_add(&parts, "%sn=%u", parts.length ? ", " : "", ply->nodes);
    if (ply->best != MOVE_NONE) {
        char best[5];
        move_to_uci(ply->best, best);
        text_add(&parts, "%sbest=%s", parts.length ? ", " : "", best);
    }
    if (parts.length) text_add(out, "{%s}", parts.data);
    text_clear(&parts);
}

// "+0.35/12", "-M7/9", "0.10/3". A number alone is one only with its sign and a point.
static bool read_score(const char *word, Side mover, PlyRecord *ply) {
    const char *at = word;
    const bool minus = *at == '-', sign = minus || *at == '+';
    if (sign) at++;
    bool mate = *at == 'M' || *at == 'm' || *at == '#';
    if (mate) at++;
    if (!isdigit((unsigned char)*at)) return false;
    char *end;
    double number = strtod(at, &end);
    const bool point = memchr(at, '.', (size_t)(end - at)) != NULL;
    long depth = 0;
    if (*end == '/') {
        if (!isdigit((unsigned char)end[1])) return false;
        depth = strtol(end + 1, &end, 10);
    } else if (!sign || (!mate && !point)) {
        return false;
    }
    if (*end != '\0' || (mate && (point || number < 1))) return false;
    if (!mate && !point && !sign) return false; // "1/2"
    // XBoard has a mate in N moves as 1000 points and N hundredths.
    const double beyond = round(number * 100) - XBOARD_MATE;
    if (!mate && point && beyond >= 1 && beyond <= 500) {
        mate = true;
        number = minus ? 2 * beyond : 2 * beyond - 1;
    }
    const double most = mate ? 1000 : SCORE_MOST;
    const double units = fmin(mate ? number : round(number * 100), most);
    const int value = (int)(minus ? -units : units);
    ply->mate_red = (int16_t)(mate ? turned(mover, value) : 0);
    ply->score_red = (int16_t)(mate ? 0 : turned(mover, value));
    ply->depth = (uint8_t)(depth < 0 ? 0 : depth > UINT8_MAX ? UINT8_MAX : depth);
    return true;
}

// One word that is not the score; false when it is none of ours.
static bool read_word(const char *word, PlyRecord *ply) {
    const size_t length = strlen(word);
    if (strncmp(word, "n=", 2) == 0) {
        uint64_t nodes;
        if (parse_u64(word + 2, &nodes, "nodes", NULL) != STATUS_OK) return false;
        ply->nodes = nodes > UINT32_MAX ? UINT32_MAX : (uint32_t)nodes;
        return true;
    }
    if (strncmp(word, "best=", 5) == 0 && length == 9) {
        ply->best = move_from_uci(word + 5);
        return true;
    }
    // Times, and what others tell besides (sd=20), are no part of what is kept.
    if (strchr(word, '=')) return true;
    const size_t number = strspn(word, "0123456789.");
    return number > 0 && (number == length || (number + 1 == length && word[number] == 's'));
}

bool pgn_comment_read(const char *text, size_t length, Side mover, PlyRecord *ply) {
    bool book = false;
    const char *const end = text + length;
    for (bool first = true;; first = false) {
        while (text < end && (isspace((unsigned char)*text) || *text == ',')) text++;
        char word[24] = "";
        size_t size = 0;
        for (; text < end && !isspace((unsigned char)*text) && *text != ','; text++) {
            if (size + 1 < sizeof word) word[size] = *text;
            size++;
        }
        // From the first word on that is none of ours it is prose.
        if (size == 0 || size >= sizeof word) break;
        const bool is_book = first && strcmp(word, "book") == 0;
        book = book || is_book;
        if (!is_book && !(first && read_score(word, mover, ply)) && !read_word(word, ply)) break;
    }
    return book;
}

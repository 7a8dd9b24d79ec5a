// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/score_word.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/text.h"

static double hundredths_of(ScoreUnit unit, double score) {
    return unit == UNIT_PAWN ? 100 * score : unit == UNIT_FAIRY ? 100 * score / FAIRY_PAWN : score;
}

// Reads a decimal number. A comma before the decimals is a point, as in tables of many countries,
// unless it may separate thousands ("1,000").
static Status read_decimal(const char *text, double *number, Err *err) {
    char copy[64];
    const size_t length = strlen(text);
    const char *comma = strchr(text, ',');
    const bool thousands = comma && strspn(comma + 1, "0123456789") == 3 && comma[4] == '\0' &&
                           strcspn(text, "123456789") < (size_t)(comma - text);
    if (length >= sizeof copy || strspn(text, "+-0123456789.,eE") != length || thousands ||
        (comma && (strchr(text, '.') || strchr(comma + 1, ',')))) {
        return err_set(err, STATUS_BAD_INPUT, "score: '%.24s' is not a number", text);
    }
    memcpy(copy, text, length + 1);
    if (comma) copy[comma - text] = '.';
    return parse_real(copy, -1e9, 1e9, number, "score", err);
}

static Status refuse_range(const char *text, int mate, Err *err) {
    char codes[100] = "and this format has no code for a mate or for 'no score'";
    if (mate == FAIRY_MATE) {
        snprintf(codes, sizeof codes,
                 "and it is neither %d (no score) nor %d - N (mate in N plies)", FAIRY_NONE,
                 FAIRY_MATE);
    } else if (mate) {
        snprintf(codes, sizeof codes, "and it is not %d - N (mate in N plies)", mate);
    }
    return err_set(err, STATUS_BAD_INPUT,
                   "the score %.24s is beyond +-%d (1/100 points), %s: correct it, or leave it out "
                   "if there is no score",
                   text, SCORE_MOST, codes);
}

Status score_read(const char *text, ScoreUnit unit, int mate, ScoreKind *kind, int *value,
                  Err *err) {
    double score = 0;
    TRY(read_decimal(text, &score, err));
    const bool whole = score == floor(score);
    const int size = (int)fabs(score);
    if (unit == UNIT_FAIRY) mate = FAIRY_MATE;
    if (whole && mate == FAIRY_MATE && size == FAIRY_NONE) {
        *kind = SCORE_MISSING;
    } else if (whole && mate && size < mate && size >= mate - MATE_MOST) {
        *kind = SCORE_MATES;
        *value = score > 0 ? mate - size : size - mate;
    } else if (!whole && unit == UNIT_OPEN) {
        *kind = SCORE_UNCLEAR;
    } else {
        const double hundredths = round(hundredths_of(unit, score));
        if (fabs(hundredths) > SCORE_MOST) return refuse_range(text, mate, err);
        *kind = SCORE_VALUE;
        *value = (int)hundredths;
    }
    return STATUS_OK;
}

bool score_mate_moves(const char *text, int *moves) {
    const bool negative = *text == '-';
    if (*text == '-' || *text == '+') text++;
    const size_t mark = *text == '#'                           ? 1
                        : strncasecmp(text, "mate", 4) == 0    ? 4
                        : toupper((unsigned char)*text) == 'M' ? 1
                                                               : 0;
    if (mark == 0) return false;
    text += mark;
    text += strspn(text, " ");
    if (*text == '+') text++;
    long long number = 0;
    if (parse_int(text, -MATE_MOST / 2, MATE_MOST / 2, &number, "mate", NULL) != STATUS_OK ||
        number == 0) {
        return false;
    }
    *moves = (int)(negative ? -number : number);
    return true;
}

bool score_is_null(const char *text) {
    static const char *const words[] = {"nan", "na", "n/a", "<na>", "none", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i]) == 0) return true;
    }
    return false;
}

bool score_has_fraction(const char *text) {
    double score = 0;
    return read_decimal(text, &score, NULL) == STATUS_OK && score != floor(score);
}

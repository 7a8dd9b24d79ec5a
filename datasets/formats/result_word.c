// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/result_word.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "datasets/formats/formats.h"
#include "datasets/formats/score_word.h"

static const struct {
    const char *text;
    ResultKind kind;
    int8_t result;
} words[] = {{"red", RESULT_NAMED, 1},    {"white", RESULT_NAMED, 1}, {"black", RESULT_NAMED, -1},
             {"draw", RESULT_DRAWN, 0},   {"win", RESULT_SIDED, 1},   {"loss", RESULT_SIDED, -1},
             {"w", RESULT_SIDED, 1},      {"d", RESULT_SIDED, 0},     {"l", RESULT_SIDED, -1},
             {"1/2", RESULT_FRACTION, 0}, {"½", RESULT_FRACTION, 0}};

// The numbers of each scale in the order win, draw, loss.
static const struct {
    const char *name, *numbers;
    ResultKind kinds[3];
} scales[SCALE_COUNT] = {
    [SCALE_OPEN] = {.name = "open", .numbers = ""},
    [SCALE_HALF] = {"half", "1, 0.5 and 0", {RESULT_ONE, RESULT_HALF, RESULT_ZERO}},
    [SCALE_SIGN] = {"sign", "1, 0 and -1", {RESULT_ONE, RESULT_ZERO, RESULT_MINUS_ONE}},
    [SCALE_POINTS] = {"points", "2, 1 and 0", {RESULT_TWO, RESULT_ONE, RESULT_ZERO}},
    [SCALE_WORDS] = {.name = "words", .numbers = ""},
};

// Reads a decimal number, with a point or a comma before the decimals. Returns false if the text is
// not such a number.
static bool read_decimal(const char *text, double *number) {
    char copy[64];
    const size_t length = strlen(text);
    if (length == 0 || length >= sizeof copy || strspn(text, "+-0123456789.,eE") != length) {
        return false;
    }
    memcpy(copy, text, length + 1);
    char *comma = strchr(copy, ','), *end;
    if (comma && !strchr(copy, '.')) *comma = '.';
    *number = strtod(copy, &end);
    return end != copy && *end == '\0';
}

ResultKind result_kind(const char *text, int8_t *result) {
    static const double numbers[] = {-1, 0, 0.5, 1, 2};
    double number;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i].text) != 0) continue;
        *result = words[i].result;
        return words[i].kind;
    }
    if (result_from_text(text, result)) return RESULT_NAMED;
    if (result_is_open(text) || score_is_null(text)) return RESULT_OPEN;
    if (!read_decimal(text, &number)) return RESULT_UNREADABLE;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (number >= numbers[i] && number <= numbers[i]) return (ResultKind)(RESULT_MINUS_ONE + i);
    }
    return RESULT_FOREIGN;
}

bool result_in_scale(ResultKind kind, ResultScale scale, int8_t *result) {
    for (int i = 0; i < 3; i++) {
        if (scales[scale].kinds[i] != kind) continue;
        *result = (int8_t)(1 - i);
        return kind >= RESULT_MINUS_ONE;
    }
    return false;
}

const char *result_scale_name(ResultScale scale) {
    return scales[scale].name;
}

const char *result_scale_numbers(ResultScale scale) {
    return scales[scale].numbers;
}
